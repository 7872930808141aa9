"""The oracle: a value with the proof of its digits.

``rs.certify.ndcg([3, 2, 3], k=3)`` takes the arguments of ``rs.ndcg`` for one ranking and one k,
and gives a :class:`Certified`. There is one such function for each metric, and ``certified`` takes
any measure: ``rs.certify.certified(rs.UL2(rs.DCG(k=2)), [3, 2, 3])``. The C core takes no part: the
value comes from the reference, in enclosures (RS-NUM-3).

>>> certified = ndcg([3, 2, 3], k=3)                              # doctest: +SKIP
>>> certified.value, certified.digits                             # doctest: +SKIP
(0.9777813616305048, '0.977781361630504828700830970148')
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .api.diversity_inputs import DiversityInput
from .api.inputs import Input, check_unjudged
from .api.session_inputs import SessionInput
from .compute.arithmetic import standard_arithmetic
from .compute.computable import IntentRanking
from .compute.gain import MOST_DIGITS as MOST_DIGITS_OF_A_FRACTION
from .compute.gain import whole
from .errors import InputError, NoValue, shown
from .metrics.grammar import KNOWN, metric, no_attribute
from .metrics.measure import Measure, Metric, Ranking, Session, make
from .reference import numerics
from .reference.numbers.canonical import Form
from .reference.numbers.reals import Number, Reals
from .reference.numbers.written import written

DIGITS = 30
MOST_DIGITS = 9_000  # what the highest precision of an enclosure can give


@dataclass(frozen=True)
class Certified:
    """A proven value.

    value: the double nearest to the real value
    digits: the real value in decimal, correctly rounded to the requested number of digits
    lower, upper: an enclosure of the real value, as rational numbers
    exact: the real value if it is known to be rational, else None
    measure: the measure
    hex, bits: the double in hexadecimal, as C and Python write it, and its 64 bits as 16 digits
    between: the enclosure in decimals, rounded outwards, with two digits more than ``digits``
    form: the real value as a formula, "2 + 1/log2(3)"; None if there is none, or it is long
    """

    value: float
    digits: str
    lower: Fraction = field(repr=False)  # may have more digits than Python writes
    upper: Fraction = field(repr=False)
    exact: Fraction | None = field(repr=False)
    measure: Measure
    canonical: Form | None = field(default=None, repr=False, compare=False)

    @property
    def hex(self) -> str:
        return self.value.hex()

    @property
    def bits(self) -> str:
        return struct.pack(">d", self.value).hex()

    @property
    def between(self) -> tuple[str, str]:
        asked = len(Decimal(self.digits).as_tuple().digits)
        return numerics.decimals_around(self.lower, self.upper, asked + 2)

    @property
    def form(self) -> str | None:
        return None if self.canonical is None else written(self.canonical)

    def __str__(self) -> str:
        return f"{self.measure} = {self.digits}{self._exactly()}, as a double {self.value!r}"

    def _exactly(self) -> str:
        if self.exact is None:
            return ""
        if max(map(abs, self.exact.as_integer_ratio())) >= 10**MOST_DIGITS_OF_A_FRACTION:
            return f" (a fraction with more than {MOST_DIGITS_OF_A_FRACTION} digits)"
        return f" = {self.exact}"


@standard_arithmetic
def certified(
    of: str | Measure,
    labels: Any,
    *,
    k: int | None = None,
    digits: int = DIGITS,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    judged: Any = None,
    unjudged: Any = None,
    probabilities: Any = None,
    check: bool = True,
    **parameters: Any,
) -> Certified:
    """The certified value of a measure, or of the metric of that name, for one ranking or session.

    labels, scores, ids, ties, judged, unjudged, check: as in rankspec.api, for one ranking, or as
    in rankspec.api.sessions, for one session; labels, judged, probabilities: as in
    rankspec.api.diversity; k and the parameters: those of a metric that is named (gain, discount
    and ideal, or rel and norm).
    """
    number = _checked(digits)
    order = {"scores": scores, "ids": ids, "ties": ties, "probabilities": probabilities}
    measure, ranking = _read(of, labels, k, order, judged, unjudged, check, parameters)
    try:
        return _proved(measure, lambda reals: measure.value(ranking, reals), number)
    except NoValue as error:
        raise (error.alone() if scores is None else error.ranked()) from None


@standard_arithmetic
def certified_vector(
    of: str | Measure,
    labels: Any,
    *,
    k: int | None = None,
    digits: int = DIGITS,
    ids: Any = None,
    judged: Any = None,
    check: bool = True,
    **parameters: Any,
) -> list[Certified]:
    """The certified components of the vector that a metric of sessions is of, for one session.

    of: "avg_sDCG", "avg_nsDCG", "IsDCG" or "query_sDCG", or a measure of these; the others: as in
    certified()
    """
    number = _checked(digits)
    order = {"scores": None, "ids": ids, "ties": None, "probabilities": None}
    measure, session = _read(of, labels, k, order, judged, None, check, parameters)
    if measure.metric.vector is None or not isinstance(session, Session):
        raise InputError(f"certify: {measure.metric.name} has no vector")
    return [
        _proved(measure, lambda reals, p=p: measure.vector(session, reals)[p], number)  # type: ignore[misc]
        for p in range(sum(measure.vector_lengths(session)))
    ]


def _checked(digits: Any) -> int:
    """How many digits are asked for."""
    number = whole(digits)
    if number is None or not 1 <= number <= MOST_DIGITS:
        raise InputError(f"digits: expected 1 to {MOST_DIGITS}, got {shown(digits)}")
    return number


def _proved(measure: Measure, number: Callable[[Reals], Number], digits: int) -> Certified:
    proof = numerics.certify(number, digits=digits)
    ends = proof.lower, proof.upper
    return Certified(proof.double, proof.digits, *ends, proof.exact, measure, proof.form)


def _read(
    of: str | Measure,
    labels: Any,
    k: int | None,
    order: Mapping[str, Any],
    judged: Any,
    unjudged: Any,
    check: bool,
    parameters: dict[str, Any],
) -> tuple[Measure, Ranking | Session | IntentRanking]:
    """The measure, and the ranking or session that it is taken of, both checked."""
    meant = of.metric if isinstance(of, Measure) else metric(of)
    if judged is not None and not (isinstance(of, Measure) or meant.judged):
        raise InputError(
            f"judged: {meant.name} does not depend on judged labels; leave judged out (RS-CONV-3)"
        )
    check_unjudged(meant, unjudged)
    if isinstance(of, Measure) and (parameters or k is not None):
        raise InputError(f"certify: {of} has its cut-off and its parameters already")
    if order["probabilities"] is not None and meant.taken_of != "diversity":
        raise InputError(f"probabilities: {meant.name} has no subtopics (RS-DIV-1)")
    given = _READERS[meant.taken_of](labels, order, judged, unjudged, check)
    if not given.single:
        raise InputError(f"certify: expected one {meant.taken_of_one}, got several")
    measure = of if isinstance(of, Measure) else make(meant, k, **given.with_weights(parameters))
    return measure, given.ranking_for(measure)


def _of_ranking(
    labels: Any, order: Mapping[str, Any], judged: Any, unjudged: Any, check: bool
) -> Input:
    own = {name: order[name] for name in ("scores", "ids", "ties")}
    return Input(labels, **own, judged=judged, unjudged=unjudged, backend="reference", check=check)


def _of_session(
    labels: Any, order: Mapping[str, Any], judged: Any, _: Any, check: bool
) -> SessionInput:
    if order["scores"] is not None or order["ties"] is not None:
        raise InputError("certify: a session is already in the order shown; leave scores out")
    return SessionInput(labels, order["ids"], judged=judged, check=check)


def _of_subtopics(
    labels: Any, order: Mapping[str, Any], judged: Any, _: Any, check: bool
) -> DiversityInput:
    for name in ("scores", "ids", "ties"):
        if order[name] is not None:
            raise InputError(
                f"certify: items with several labels are already in rank order; leave {name} out"
            )
    return DiversityInput(labels, judged=judged, probabilities=order["probabilities"], check=check)


_READERS: dict[str, Callable[..., Input | SessionInput | DiversityInput]] = {
    "rankings": _of_ranking,
    "sessions": _of_session,
    "diversity": _of_subtopics,
}
"""How the arguments are read, by what a metric is taken of."""


def _function(of: Metric) -> Callable[..., Certified]:
    """The metric as a function of one ranking or session, which gives a Certified."""

    def proved(labels: Any, *others: Any, **arguments: Any) -> Certified:
        if others:
            raise TypeError(
                f"{of.function}() takes only the {of.argument} by position; name what follows "
                f"them, such as k=..., scores=... or judged=..."
            )
        return certified(of.function, labels, **arguments)

    names = ", ".join(("k", "digits", *of.parameters))
    proved.__name__ = proved.__qualname__ = of.function
    proved.__doc__ = f"""{of.title[:1].upper()}{of.title[1:]}, with the proof of its digits.

    Named arguments: {names}
    and those of rankspec.certify.certified; as in the function
    rankspec.{of.function}, for one {of.taken_of_one}.

    Spec: {of.spec}, RS-NUM-3
    """
    return proved


def __getattr__(name: str) -> Callable[..., Certified]:
    if name in {m.function for m in KNOWN}:
        found = globals()[name] = _function(metric(name))
        return found
    raise no_attribute(__name__, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *(m.function for m in KNOWN)])
