"""How the mean of a measure of sessions depends on the bases of the two discounts (RS-SES-28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...compute.arithmetic import standard_arithmetic
from ...compute.gain import GainLike, exact
from ...errors import InputError, items_of, shown
from ...metrics.measure import Measure
from ...metrics.session import QUERY_DISCOUNT, RANK_DISCOUNT
from ...reference.numbers.reals import Exact
from ...text import short_list, shortened
from ..evaluate import mean_of
from ..measures import names_of
from ..render import (
    JSON,
    LINES,
    PAGE,
    WIDTH,
    Output,
    ValueRow,
    columns,
    json_of,
    lines_of,
    told_apart,
    wrapped,
)
from ..typeset import tab_separated
from .averages import for_want_of_judgments
from .evaluate import check_gains, session_measures, values
from .judgments import JudgedSessions

MEASURE = "nsDCG@10"
BASES = (1.5, 2, 4, 10)
"""The ends of the range that jarvelin-2008 calls reasonable, and the bases that it uses."""

MOST_BASES = 100
Pair = tuple[Exact, Exact]


@dataclass(frozen=True)
class Sensitivity:
    """The mean over sessions of a measure, for each pair of bases.

    measure: its name, without the discounts
    bases: b, of the discount of ranks; query_bases: bq, of that of queries
    mean: a row for each b, with a number for each bq
    sessions: how many there are
    """

    measure: str
    bases: tuple[Exact, ...]
    query_bases: tuple[Exact, ...]
    mean: tuple[tuple[float, ...], ...]
    sessions: int

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data, as JSON has them."""
        return {
            "measure": self.measure,
            "sessions": self.sessions,
            "b": [float(b) for b in self.bases],
            "bq": [float(bq) for bq in self.query_bases],
            "mean": [list(row) for row in self.mean],
        }

    def __str__(self) -> str:
        """A table of the means."""
        return table({"mean": self}).rstrip("\n")


@standard_arithmetic
def session_sensitivity(
    judged: JudgedSessions,
    measure: str | Measure = MEASURE,
    *,
    bases: Iterable[Exact] = BASES,
    query_bases: Iterable[Exact] = BASES,
    gain: GainLike | None = None,
    repeats: str | Exact | None = None,
    padding: str | int | None = None,
    ideal: str | None = None,
    backend: str = "auto",
) -> Sensitivity:
    """Return the mean of a measure of sessions for each pair of discount bases.

    judged: what judge_sessions() gives
    measure: one that takes both discounts, and names neither: "nsDCG@10", "sDCG(gain='exp2')@10"
    bases, query_bases: b and bq, each above 1; bq below 1000
    gain, repeats, padding, ideal: values for parameters that the measure does not name
    backend: as of evaluate_sessions()

    An undefined value of a session counts as 0. Spec: RS-SES-28.

    >>> from rankspec import judge_sessions
    >>> judged = judge_sessions({"a": {"x": 1}}, {"a": [["y"], ["x"]]})
    >>> session_sensitivity(judged, "sDCG@1", bases=[2], query_bases=[2, 4]).mean
    ((0.5, 0.6666666666666666),)
    """
    if not isinstance(judged, JudgedSessions):
        raise InputError(f"judged: expected a result of judge_sessions(), got {shown(judged)}")
    if not judged.sessions:
        why = for_want_of_judgments(judged)
        raise InputError(f"sessions: there is none to take a mean of{why} (RS-CONV-26)")
    b, bq = checked_bases(bases, "bases"), checked_bases(query_bases, "query_bases")
    chosen = {"gain": gain, "repeats": repeats, "padding": padding, "ideal": ideal}
    pairs = [(x, y) for x in b for y in bq]
    measures = [_measure(measure, pair, chosen) for pair in pairs]
    check_gains(measures[:1], judged, {})
    found = values(measures, judged, backend)
    ids = [session.id for session in judged.sessions]
    means = [
        mean_of(m, dict(zip(ids, column, strict=True)), "session")
        for m, column in zip(measures, found, strict=True)
    ]
    rows = [tuple(means[at : at + len(bq)]) for at in range(0, len(means), len(bq))]
    return Sensitivity(_name(measure, chosen), b, bq, tuple(rows), len(ids))


def checked_bases(given: Any, what: str) -> tuple[Exact, ...]:
    """Bases as exact numbers, each once; of what is no list of them an InputError."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list of bases, got {shown(given)}")
    listed = items_of(given, f"{what}: {shown(given)} is no list of bases")
    if not 1 <= len(listed) <= MOST_BASES:
        raise InputError(f"{what}: expected 1 to {MOST_BASES} bases, got {len(listed)}")
    found = tuple(exact(x, what) for x in listed)
    for at, x in enumerate(found):
        if x in found[:at]:
            raise InputError(f"{what}: {shown(listed[at])} is listed twice")
    return found


def _discount(base: Exact) -> str:
    return f"jarvelin-2008(b={base})"


def _measure(given: str | Measure, pair: Pair, chosen: Mapping[str, Any]) -> Measure:
    """The measure with these discounts; an InputError where it has none, or has its own."""
    b, bq = pair
    discounts = {"discount": _discount(b), "query_discount": _discount(bq)}
    measures = session_measures(names_of(given, "measure"), {**chosen, **discounts})
    if len(measures) != 1:
        raise InputError(f"expected one measure, got {len(measures)}")
    (measure,) = measures
    for parameter in (RANK_DISCOUNT, QUERY_DISCOUNT):
        name = parameter.name
        if name not in measure.metric.parameters:
            raise InputError(
                f'measure "{given}": {measure.metric.name} does not take a {name} (RS-SES-28)'
            )
        if getattr(measure, name) != parameter.read(discounts[name]):
            raise InputError(
                f'measure "{given}": it sets its own {name}; leave that to the bases (RS-SES-28)'
            )
    return measure


def _name(given: str | Measure, chosen: Mapping[str, Any]) -> str:
    """The name of the measure with the default discounts."""
    return str(session_measures(given, chosen)[0])


# ---- how it is written ---------------------------------------------------------------------


def table(systems: Mapping[str, Sensitivity], *, digits: int = 4) -> str:
    """A block a system: a row for each b, a column for each bq; then which system leads where."""
    titles = told_apart(list(systems), WIDTH)
    blocks = []
    for title, found in zip(titles, systems.values(), strict=True):
        header = [f"bq = {bq}" for bq in map(_written, found.query_bases)]
        rows = [
            (f"b = {_written(b)}", [f"{x:.{digits}f}" for x in row])
            for b, row in zip(found.bases, found.mean, strict=True)
        ]
        block = columns("", header, rows)
        blocks.append(f"{title}\n{block}" if len(systems) > 1 else block)
    first = next(iter(systems.values()))
    number = " to ".join(map(str, sorted({x.sessions for x in systems.values()})))
    measure = short_list(str(first.measure))
    notes = wrapped(f"{measure}, mean of {number} sessions; discounts jarvelin-2008")
    if len(systems) > 1:
        notes += wrapped(f"greatest mean: {', '.join(leaders(systems))}")
    return "\n\n".join([*blocks, "\n".join(notes)]) + "\n"


def leaders(systems: Mapping[str, Sensitivity]) -> list[str]:
    """Of each system, at how many pairs of bases no other has a greater mean, or an equal one."""
    means = {name: [x for row in found.mean for x in row] for name, found in systems.items()}
    columns_of = list(zip(*means.values(), strict=True))
    led = dict.fromkeys(means, 0)
    for of_pair in columns_of:
        best = [name for name, x in zip(means, of_pair, strict=True) if x == max(of_pair)]
        if len(best) == 1:
            led[best[0]] += 1
    told = [f"{shortened(name, 24)} at {n}" for name, n in led.items()]
    equal = len(columns_of) - sum(led.values())
    return [*told, *([f"several at {equal}"] if equal else []), f"of {len(columns_of)} pairs"]


def _written(base: Exact) -> str:
    return str(base) if isinstance(base, int) else repr(float(base))


def tsv(systems: Mapping[str, Sensitivity], digits: int | None = None) -> str:
    """Tab-separated: sessions (the file), b and bq, then the mean."""
    found: dict[str, list[ValueRow]] = {}
    for name, of in systems.items():
        found[name] = [
            (_written(b), [float(bq), x])
            for b, row in zip(of.bases, of.mean, strict=True)
            for bq, x in zip(of.query_bases, row, strict=True)
        ]
    first = next(iter(systems.values()))
    return tab_separated(lines_of(found, ["sessions", "b", "bq", first.measure], digits))


def json(systems: Mapping[str, Sensitivity], **about: Any) -> str:
    """JSON: all numbers as doubles that round-trip."""
    return json_of({**about, "systems": [{"file": n} | x.to_dict() for n, x in systems.items()]})


OUTPUTS = (
    Output("table", PAGE, lambda found, n, _: table(found, digits=n), digits=4),
    Output("tsv", LINES, lambda found, n, _: tsv(found, n)),
    Output("json", JSON, lambda found, _, about: json(found, **about)),
)
"""The one list of them; the first is the default."""
