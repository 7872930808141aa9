"""The metrics as sympy expressions: the reference's own equations, read over symbols.

One function a metric of ``rankspec.metrics.catalogue``, by its API name, each for one ranking:

>>> from rankspec import symbolic
>>> symbolic.dcg([3, 2], k=2)
2*log(2)/log(3) + 3

Labels, judged labels, gains, weights and bases may be sympy expressions, or numbers, which are
taken exactly. Values that a metric compares must be comparable: the ideal order needs labels that
are numbers, and so does every binary metric.

Needs sympy: ``pip install "rankspec[symbolic]"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .api.diversity_inputs import DiversityInput
from .compute.checks import check_depth
from .compute.computable import IntentRanking
from .compute.gain import exact, yes_or_no
from .compute.pools import check_covered
from .errors import InputError, shown
from .metrics.grammar import KNOWN, no_attribute
from .metrics.measure import Measure, Metric, Ranking, Session, make, value
from .reference.numbers.reals import Exact

try:
    import sympy  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(
        'rankspec.symbolic needs sympy, which is not installed: pip install "rankspec[symbolic]"'
    ) from error


class Symbols:
    """The reals, read as sympy expressions; an expression stands for itself."""

    def exact(self, x: Exact | sympy.Expr) -> sympy.Expr:
        return x if isinstance(x, sympy.Expr) else sympy.Rational(*x.as_integer_ratio())

    def log(self, x: Exact | sympy.Expr, b: Exact | sympy.Expr) -> sympy.Expr:
        # expand_log turns the logarithm of a power into a multiple: log 9 / log 3 is 2.
        return sympy.expand_log(sympy.log(self.exact(x))) / sympy.expand_log(
            sympy.log(self.exact(b))
        )

    def ln(self, x: Exact | sympy.Expr) -> sympy.Expr:
        return sympy.log(self.exact(x))

    def exp2(self, x: Exact | sympy.Expr) -> sympy.Expr:
        return 2 ** self.exact(x)

    def power(self, x: Exact | sympy.Expr, a: Exact | sympy.Expr) -> sympy.Expr:
        return self.exact(x) ** self.exact(a)

    def greatest(self, numbers: Sequence[sympy.Expr]) -> sympy.Expr:
        return sympy.Max(*numbers)

    def inverse_squares(self, x: Exact | sympy.Expr) -> sympy.Expr:
        return sympy.polygamma(1, self.exact(x))

    def sqrt(self, x: sympy.Expr) -> sympy.Expr:
        return sympy.sqrt(x)


SYMBOLS = Symbols()

_FUNCTIONS = {metric.function: metric for metric in KNOWN}


def of(
    measure: Measure,
    labels: Iterable[Any],
    *,
    judged: Iterable[Any] | None = None,
    check: bool = True,
) -> sympy.Expr:
    """Any measure of one ranking, as an expression: ``of(rs.RLB(rs.DCG(k=2)), [x, y, z])``.

    check: whether judged labels must include those of the list (RS-CONV-38), where all of them are
        numbers: a symbol may be any label
    """
    of_one = _OF_ONE[measure.metric.taken_of]
    return of_one(measure, labels, judged, check=yes_or_no(check, "check"))


def _of_ranking(measure: Measure, labels: Iterable[Any], judged: Any, *, check: bool) -> sympy.Expr:
    """A measure of one ranking."""
    metric = measure.metric
    ranked = _labels(labels, "labels")
    given = ranked if judged is None else _labels(judged, "judged")
    pool = given if metric.pool else ranked  # RS-CONV-3
    if check and metric.judged:
        _check_included(ranked, pool)
    check_depth(measure, measure.deepest_rank(len(ranked), len(pool)))
    return _value(measure, Ranking.settled(ranked, pool))


def _of_session(measure: Measure, labels: Iterable[Any], judged: Any, *, check: bool) -> sympy.Expr:
    """A measure of one session, the lists of labels of its queries; each result is a document."""
    queries = [_labels(row, f"labels: query {q}") for q, row in enumerate(labels, start=1)]
    shown_labels = [label for row in queries for label in row]
    pool = shown_labels if judged is None else _labels(judged, "judged")
    if check and measure.metric.judged:
        for q, row in enumerate(queries, start=1):
            _check_included(row, pool, f"query {q}")
    documents = [[(q, i) for i, _ in enumerate(row)] for q, row in enumerate(queries)]
    return _value(measure, Session(queries, pool, documents))


def _of_subtopics(
    measure: Measure, labels: Iterable[Any], judged: Any, *, check: bool
) -> sympy.Expr:
    """A measure of items with a label for each subtopic, which are numbers."""
    given = DiversityInput(labels, judged=judged, check=check)
    if not given.single:
        raise InputError(f"symbolic: expected one {measure.metric.taken_of_one}, got several")
    return _value(measure, given.ranking_for(measure))


_OF_ONE = {"rankings": _of_ranking, "sessions": _of_session, "diversity": _of_subtopics}
"""A measure as an expression, by what it is taken of."""


def _check_included(labels: Iterable[Any], pool: Iterable[Any], of: str = "the list") -> None:
    """An InputError where all labels are numbers, and the pool lacks one of the list."""
    shown_labels, judged = ([SYMBOLS.exact(x) for x in given] for given in (labels, pool))
    if all(x.is_number for x in (*shown_labels, *judged)):
        check_covered(shown_labels, judged, of)


def _value(measure: Measure, ranking: Ranking | Session | IntentRanking) -> sympy.Expr:
    metric = measure.metric
    try:
        result = value(measure, ranking, SYMBOLS)
    except TypeError as error:  # sympy's "cannot determine truth value of Relational"
        raise InputError(
            f"{metric.name} compares labels, but the order of these is unknown: {error}"
        ) from error
    return sympy.sympify(result)


def _function(metric: Metric) -> Callable[..., sympy.Expr]:
    """The metric as a function of one ranking, whose value is a sympy expression."""

    def expression(
        labels: Iterable[Any],
        *,
        judged: Iterable[Any] | None = None,
        k: int | None = None,
        check: bool = True,
        **parameters: Any,
    ) -> sympy.Expr:
        if judged is not None and not metric.judged:
            raise InputError(
                f"judged: {metric.name} does not depend on judged labels; leave judged out "
                "(RS-CONV-3)"
            )
        return of(make(metric, k, **parameters), labels, judged=judged, check=check)

    names = ", ".join((*(("judged", "check") if metric.judged else ()), "k", *metric.parameters))
    expression.__name__ = expression.__qualname__ = metric.function
    expression.__doc__ = f"""{metric.title.capitalize()} of labels in rank order, as an expression.

    Named arguments: {names}, as in the function rankspec.{metric.function}.

    Spec: {metric.spec}
    """
    return expression


def _labels(given: Iterable[Any], what: str) -> list[Any]:
    """The labels, each a sympy expression or a finite number."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list of labels, got {shown(given)}")
    return [
        x if isinstance(x, sympy.Basic) else exact(x, f"{what}: the label at position {a}")
        for a, x in enumerate(given)
    ]


def __getattr__(name: str) -> Callable[..., sympy.Expr]:
    if name in _FUNCTIONS:
        return _function(_FUNCTIONS[name])
    raise no_attribute(__name__, name)


def __dir__() -> list[str]:
    return sorted((*globals(), *_FUNCTIONS))
