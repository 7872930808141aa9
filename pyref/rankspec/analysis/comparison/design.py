"""``rs.design``: how many queries a difference needs, and from which variance that follows.

Spec: RS-AGR-50
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, cast

from ...compute.gain import real_number
from ...errors import InputError, hint, items_of, listed, names_in, quoted
from ...evaluation import render, typeset
from ...evaluation.result import Evaluation
from ...reference import agreement as equations
from ...reference.comparison import Undefined
from ...reference.numbers.reals import Number, Reals
from ...reference.numerics import nearest_double_of
from . import text
from .agreement import check_queries, power, queries_needed
from .comparison import values_of
from .grid import NOT_COMPARED, count
from .systems import Systems

TESTS = {
    "paired": "paired t-test: both systems answer the same queries",
    "unpaired": "unpaired t-test, pooled variance: each system has so many queries of its own",
}


class Pilot(NamedTuple):
    """What a standard deviation comes from: so many systems on so many queries, by a measure."""

    measure: str
    systems: int
    queries: int


@dataclass(frozen=True)
class Planned:
    """What a difference needs by one test.

    test: "paired" or "unpaired"
    pilot: where the deviation comes from; None: it was given
    deviation: of the differences of two systems where paired, of the values of one where not; None
        where the pilot has no variance
    difference: the least that must not be missed
    queries: the least number whose power is enough; for each of the two systems where not paired;
        None without a deviation
    powers: {number of queries: power}: of that number, and of those that were asked for
    why: why there is no deviation
    """

    test: str
    pilot: Pilot | None
    deviation: float | None
    difference: float
    queries: int | None
    powers: dict[int, float]
    why: str = ""


@dataclass(frozen=True)
class Design:
    """The number of queries needed to find differences; prints as a table.

    rows: a row a measure, test and difference
    alpha, beta: the probabilities of finding a difference where there is none, and of missing one
    """

    rows: tuple[Planned, ...]
    alpha: float
    beta: float

    def __str__(self) -> str:
        return table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Design of {len(self.rows)} {'row' if len(self.rows) == 1 else 'rows'}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return {
            "alpha": self.alpha,
            "beta": self.beta,
            "rows": [
                {
                    "test": x.test,
                    "pilot": None if x.pilot is None else x.pilot._asdict(),
                    "deviation": x.deviation,
                    "difference": x.difference,
                    "queries": x.queries,
                    "powers": [{"queries": n, "power": p} for n, p in x.powers.items()],
                    "why": x.why or None,
                }
                for x in self.rows
            ],
        }


# ---- designing -----------------------------------------------------------------------------


def design(
    difference: float | Iterable[float],
    *,
    deviation: float | None = None,
    pilot: Mapping[str, Evaluation] | None = None,
    tests: str | Iterable[str] | None = None,
    alpha: float = 0.05,
    beta: float = 0.2,
    n: Iterable[int] = (),
) -> Design:
    """Say how many queries a t-test needs to find a difference of two means.

    difference: the smallest difference that the test should find, above 0; one or several, repeated
        ones counting once
    deviation: the standard deviation over queries: of the differences of two systems for the paired
        test, of the values of a system for the unpaired one
    pilot: instead of a deviation, evaluations to estimate it from: {name of a system: result of
        rs.evaluate or rs.evaluate_letor}, as for rs.compare
    tests: "paired" or "unpaired"; by default "paired", with a pilot both
    alpha, beta: the probabilities, between 0 and 1, of finding a difference where there is none,
        and of missing one of that size
    n: numbers of queries for which to give the power, too

    Raises InputError if a number is out of range, or the pilot has no variance for any measure and
    test; where it has none for one of several, that row has None and the reason. Needs SciPy: the
    extra "compare".

    Spec: RS-AGR-50
    """
    differences = _differences(difference)
    also = [check_queries(x) for x in items_of(n, "n: expected numbers of queries")]
    chosen = _tests(tests, pilot)
    if (deviation is None) == (pilot is None):
        raise InputError("design: give a deviation, or a pilot to estimate it from")
    known: Iterable[tuple[str, Pilot | None, float | str]]
    if deviation is not None:
        if len(chosen) > 1:
            raise InputError(
                'tests: a deviation serves one test: that of differences is for "paired", that '
                'of values for "unpaired"; name one of the two'
            )
        known = [(chosen[0], None, deviation)]
    else:
        assert pilot is not None  # noqa: S101 - one of the two is there
        known = _of_pilot(pilot, chosen)
    rows = _once(
        _planned(test, source, sd, least, alpha, beta, also)
        for test, source, sd in known
        for least in differences
    )
    return Design(tuple(rows), float(alpha), float(beta))


def _once(rows: Iterable[Planned]) -> list[Planned]:
    """The rows without those that were there before, as of a difference that was given again."""
    found: list[Planned] = []
    for row in rows:
        if row not in found:
            found.append(row)
    return found


def _differences(given: float | Iterable[float]) -> list[float]:
    if real_number(given) is not None:
        given = [cast("float", given)]
    found = items_of(
        cast("Iterable[float]", given), "difference: expected a number above 0, or several"
    )
    if not found:
        raise InputError("difference: expected at least one, got none")
    return found


def _tests(given: str | Iterable[str] | None, pilot: object) -> list[str]:
    if given is None:
        return ["paired"] if pilot is None else list(TESTS)
    names = names_in(given, "tests", "test")
    for name in names:
        if name not in TESTS:
            raise InputError(
                f"tests: unknown test {quoted(name)}{hint(name, tuple(TESTS))}; "
                f"expected one of {listed(tuple(TESTS))}"
            )
    return list(dict.fromkeys(names))


def _planned(
    test: str,
    pilot: Pilot | None,
    deviation: float | str,
    difference: float,
    alpha: float,
    beta: float,
    also: Iterable[int],
) -> Planned:
    """Return what a difference needs; deviation: the reason where there is none."""
    if isinstance(deviation, str):
        return Planned(test, pilot, None, float(difference), None, {}, deviation)
    paired = test == "paired"
    queries = queries_needed(difference, deviation, alpha, beta, paired)
    powers = {m: power(m, difference, deviation, alpha, paired) for m in (queries, *also)}
    return Planned(test, pilot, float(deviation), float(difference), queries, powers)


# ---- a pilot -------------------------------------------------------------------------------


def _of_pilot(
    pilot: Mapping[str, Evaluation], tests: Iterable[str]
) -> list[tuple[str, Pilot, float | str]]:
    """Of each measure and test the standard deviation, or why there is none; InputError if there
    is none at all.
    """
    tests = list(tests)
    found = []
    _, of_measures = values_of(pilot)
    for measure, (queries, values) in of_measures.items():
        systems = Systems(values)
        source = Pilot(measure, len(systems.names), len(queries))
        found += [(test, source, _deviation(test, systems)) for test in tests]
    reasons = [(source, x) for _, source, x in found if isinstance(x, str)]
    if len(reasons) == len(found):
        source, why = reasons[0]
        raise InputError(f"pilot: {source.measure}: {why}")
    return found


def _deviation(test: str, systems: Systems) -> float | str:
    """Return the double nearest to σ (RS-AGR-50), or why there is none."""
    try:
        square = VARIANCES[test](systems)
    except Undefined as reason:
        return f"the variance is undefined: {reason}"
    if not square:
        return f"the variance for the {test} test is 0, so no number of queries follows from it"

    def root(reals: Reals) -> Number:
        return reals.exact(square) / reals.sqrt(reals.exact(square))

    return nearest_double_of(root)


def _of_differences(systems: Systems) -> Fraction:
    return 2 * systems.two_way.residual_mean_square


def _of_values(systems: Systems) -> Fraction:
    return systems.scale**2 * equations.variance([equations.within(systems.numerators)])


VARIANCES = {"paired": _of_differences, "unpaired": _of_values}


# ---- how it is written ---------------------------------------------------------------------

GIVEN = "as given"
HEADER = (
    "measure", "systems", "pilot_queries", "test", "sd", "difference", "alpha", "beta", "queries",
    "power", "needed", "why",
)  # fmt: skip


def _grid(found: Design, digits: int) -> typeset.Grid:
    also = list(dict.fromkeys(n for x in found.rows for n in x.powers if n != x.queries))
    header = ["sd", "queries", "power", *(f"power of {n}" for n in also)]
    rows = []
    for x in found.rows:
        of = GIVEN if x.pilot is None else x.pilot.measure
        if x.queries is None:
            cells = [NOT_COMPARED] * len(header)
        else:
            cells = [render.short_cell(x.deviation, digits), str(x.queries)]
            cells += [render.short_cell(x.powers[n], digits) for n in (x.queries, *also)]
        rows.append((f"{of}, {x.test}, {render.short_cell(x.difference, digits)}", cells))
    return typeset.Grid(
        "queries that a difference needs", "sd from, test, difference", header, rows
    )


def _notes(found: Design) -> list[str]:
    notes = [
        "queries: the least number for which a t-test at the level alpha = "
        f"{found.alpha:.6g} finds a difference of that size with a power of "
        f"{1 - found.beta:.6g} or more (RS-AGR-22)"
    ]
    notes += [f"{name}: {TESTS[name]}" for name in dict.fromkeys(x.test for x in found.rows)]
    pilots = dict.fromkeys(x.pilot for x in found.rows if x.pilot is not None)
    for pilot in pilots:
        notes.append(
            f"sd from {pilot.measure}: {pilot.systems} systems on {count(pilot.queries)}: of "
            "differences by the residual variance, of values by that within systems (RS-AGR-50)"
        )
    for why, rows in _reasons(found).items():
        notes.append(f"{NOT_COMPARED}: {'; '.join(rows)}: {why}")
    if not pilots:
        notes.append("sd: of differences where paired, of values where unpaired, as given")
    return notes


def _reasons(found: Design) -> dict[str, list[str]]:
    """Why rows have no deviation, each reason with the measures and tests."""
    reasons: dict[str, list[str]] = {}
    for x in found.rows:
        if x.why and x.pilot is not None:
            place = f"{x.pilot.measure}, {x.test}"
            places = reasons.setdefault(x.why, [])
            places += [place] * (place not in places)
    return reasons


def table(found: Design, digits: int) -> str:
    """A row a measure, test and difference, in 80 columns, with notes."""
    return text.page([_grid(found, digits)], _notes(found))


def markdown(found: Design, digits: int) -> str:
    """The same as a pipe table."""
    return typeset.pipe_tables([_grid(found, digits)], _notes(found))


def latex(found: Design, digits: int) -> str:
    """The same with the rules of booktabs."""
    return typeset.booktabs([_grid(found, digits)], _notes(found))


def _lines(found: Design, digits: int | None) -> list[list[str]]:
    """The cells of a head and of a line a measure, test, difference and number of queries."""
    rows = [list(HEADER)]
    for x in found.rows:
        source = ["", "", ""] if x.pilot is None else [str(cell) for cell in x.pilot]
        numbers = [x.deviation, x.difference, found.alpha, found.beta]
        cells = [*source, x.test, *(render.cell(number, digits, none="") for number in numbers)]
        if x.queries is None:
            rows.append([*cells, "", "", "", x.why])
        for n, found_power in x.powers.items():
            needed = "yes" if n == x.queries else "no"
            rows.append([*cells, str(n), render.cell(found_power, digits), needed, ""])
    return rows


def csv_text(found: Design, digits: int | None) -> str:
    """The lines, divided by commas."""
    return typeset.comma_separated(_lines(found, digits))


def tsv(found: Design, digits: int | None) -> str:
    """The lines, divided by tabs."""
    return typeset.tab_separated(_lines(found, digits))
