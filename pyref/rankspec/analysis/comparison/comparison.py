"""``rs.compare``: systems on queries or sessions, by several measures and tests.

Spec: RS-CMP-23, RS-SES-31
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, Any

from ...errors import InputError, hint, listed, names_in, quoted, shown
from ...evaluation.by_measure import spelled
from ...evaluation.result import Evaluation
from ...evaluation.sessions.result import SessionEvaluation
from ...formats.trec import id_bytes
from ...progress import Progress, Readings, each
from ...reference import agreement as equations_of_agreement
from ...reference import comparison as equations
from ...reference.numbers.reals import Exact
from ...reference.numerics import nearest_double, nearest_double_of
from ...text import short_lists
from . import text
from .agreement import BIN, discriminative_power
from .beside import Beside
from .corrections import AnyCorrection, correction_named
from .distributions import t_quantile
from .effects import EFFECTS
from .found import (
    Compared,
    Difference,
    Interval,
    OfMeasure,
    SplitSwaps,
    StudyDesign,
    Summary,
    Tested,
)
from .grid import FEWEST, WHOLE
from .measures import between_measures, mean_pad_of
from .orders import Levels, levels_of
from .query_sets import (
    ByMeasure,
    checked_sets,
    enough,
    restricted,
    swaps_between_collections,
    swaps_between_sets,
    too_few,
)
from .resampling import REPLICATES, bca_intervals
from .splits import check_width, swaps_of_splits
from .study_design import DEFAULT_TESTS, check_same, check_tests, study_design
from .systems import Pair, SeparateSystems, Systems, TwoSystems, double_or_none
from .tests import AnyTest, Choices, Names, Outcome, test_named, welch_interval
from .units import QUERY, Unit, unit_of

if TYPE_CHECKING:
    from ...evaluation.data_frames import Table

DEFAULT_CORRECTION = "holm"

Evaluations = Mapping[str, Evaluation] | Mapping[str, SessionEvaluation]
"""{name of a system: its evaluation}"""


class Comparison(Compared):
    """Which systems differ, by which measure and test; prints as a table.

    measures: {name of a measure: the comparison by it}
    tests, correction: as given to compare()
    family: the number of p-values that each test's correction covers: measures times pairs
    agreement: {(measure, measure): Kendall's tau_b of their orders of the systems} (RS-AGR-2)
    between: {(measure, measure): how the two compare the systems} (RS-AGR-31)
    subsets: {name of a set of queries: the comparison on its queries}
    set_swaps, against, splits: swaps between sets of queries, collections, halves of the queries
    design: "paired" if all systems have the same queries or sessions, else "unpaired", and why
    """

    def __getitem__(self, measure: str) -> OfMeasure:
        """The comparison by a measure, named in any spelling."""
        return self.measures[measure]

    def __str__(self) -> str:
        return text.table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        measures = ", ".join(short_lists(self.measures))
        return f"<Comparison of {len(self.systems)} systems by {measures}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return text.to_dict(self)

    def to_pandas(self, *, long: bool = False) -> Any:
        """A pandas.DataFrame, a row a measure and pair of systems (RS-CONV-47).

        The columns are "measure", "first", "second", the means, their difference and its interval
        by paired t ("low", "high"); for each test its p-values, as in "p_t" and "corrected_p_t",
        and its own interval, as in "low_welch" and "high_welch"; the effect sizes; and the numbers
        of queries in all, won, tied and lost. An undefined value is NaN. Each of `subsets` has its
        own frame. In an unpaired design the interval is Welch's, and the numbers are those of the
        sessions, in all and of each system ("sessions_first", "sessions_second").

        long: one row per measure, pair and test ("test"), with the test's own interval, if it has
            one ("low", "high"), statistic, degrees of freedom, how it was computed, and why it is
            undefined

        Raises InputError where pandas is not installed.
        """
        from ...evaluation.data_frames import to_pandas

        return to_pandas(self._as_table(long))

    def to_polars(self, *, long: bool = False) -> Any:
        """The same as a polars.DataFrame; what is undefined is null (RS-CONV-47)."""
        from ...evaluation.data_frames import to_polars

        return to_polars(self._as_table(long))

    def to_arrow(self, *, long: bool = False) -> Any:
        """The same as a pyarrow.Table; what is undefined is null (RS-CONV-47)."""
        from ...evaluation.data_frames import to_arrow

        return to_arrow(self._as_table(long))

    def _as_table(self, long: bool) -> Table:
        from . import frames

        return frames.long(self) if long else frames.wide(self)


# ---- comparing -----------------------------------------------------------------------------


def compare(
    evaluations: Evaluations,
    *,
    baseline: str | None = None,
    tests: str | Iterable[str] | None = None,
    correction: str = DEFAULT_CORRECTION,
    alpha: float = 0.05,
    seed: int = 0,
    replicates: int = REPLICATES,
    rope: float = 0.0,
    measures: bool = False,
    rbo_p: float | None = None,
    subsets: Mapping[str, Iterable[str]] | None = None,
    against: Evaluations | None = None,
    against_subsets: Mapping[str, Iterable[str]] | None = None,
    splits: int = 0,
    bin_width: Exact = BIN,
    design: str | None = None,
) -> Comparison:
    """Compare systems on queries or sessions, to find differences beyond chance.

    evaluations: {name of a system: what rs.evaluate, rs.evaluate_letor or rs.evaluate_sessions
        gave}, two or more, of the same measures, conventions and queries; or of the same sessions,
        or of sessions of which none is in two systems
    baseline: compare each other system with this one; by default all pairs are compared
    tests: names, by default "t" and "randomisation"; also "wilcoxon", "sign", "bootstrap",
        "pooled", "welch", "bayes", "tukey", "randomised-tukey". In an unpaired design "welch" and
        "stratified" by default; also "pooled"
    correction: how to correct each test's p-values over the family, measures times pairs: "holm",
        "bonferroni", "bh", "none", or, only for the randomisation test, "max-t"
    alpha: the significance level; intervals have the level 1 - alpha
    seed, replicates: of the resampling; the same seed gives the same p-values
    rope: for "bayes", mean differences of up to this size count as practically none
    measures: whether to compare each pair of measures, too: orders, significant differences
    rbo_p: the persistence of the rank-biased overlap of these orders; None: no overlap
    subsets: {name: queries}: sets of queries to compare on as well, with the swaps between them; a
        set with fewer than two queries that have a value of a measure is not compared by it
    against: the evaluations of the same systems and measures on another collection, for the swaps
        between the two collections
    against_subsets: the queries of each subset in the other collection
    splits: how often to split the queries at random into halves, for the swaps between the halves
    bin_width: the width of the bins of differences in which swaps are counted
    design: "paired" if all systems have the same sessions, "unpaired" if each has its own, so that
        sessions of one id are different sessions; by default recognised from the ids. Queries are
        always paired

    Raises InputError if systems have values for different queries, or a value is NaN. A test
    without a value, such as t for equal differences, gives None and a reason. Needs SciPy: the
    extra "compare".

    Spec: RS-CMP-23, RS-AGR-31, RS-SES-31
    """
    choices = Choices(alpha=alpha, rope=rope, seed=seed, replicates=replicates)
    beside = Beside(measures, rbo_p, subsets, against, against_subsets, splits, bin_width)
    return compare_by(
        evaluations, baseline, tests, correction, choices, beside=beside, design=design
    )


def compare_by(
    evaluations: Evaluations,
    baseline: str | None,
    tests: str | Iterable[str] | None,
    correction: str,
    choices: Choices,
    progress: Progress | None = None,
    beside: Beside | None = None,
    design: str | None = None,
) -> Comparison:
    """As compare(), with the choices as they are; progress is told how far the work is."""
    beside = beside or Beside()
    how = correction_named(correction)
    listed_tests = _tests(tests)
    unit = _checked(evaluations, baseline)
    study = study_design(unit, evaluations, design)
    chosen = _of_design(listed_tests, how, study, unit)
    if choices.rope and all(test.name != "bayes" for test in chosen):
        raise InputError('rope: only the test "bayes" uses it; add "bayes" to tests')
    names, first = tuple(evaluations), next(iter(evaluations.values()))
    if not study.paired:
        _check_alone(beside)
        working = replace(choices, work=_work(progress, [first.measures], chosen, how, 0))
        measured = _measured_apart(unit, evaluations, _last(names, baseline))
        plan = _Plan(unit, study, names, baseline, chosen, how, working, beside)
        found = _comparison(plan, measured)
        return replace(found, measures=spelled(first, found.measures))
    values = _values_by_measure(unit, evaluations)
    own = _sets(unit, values, beside.subsets, evaluations, "subsets")
    theirs = _of_other_collection(unit, evaluations, own, beside)
    work = _work(progress, [values, *map(enough, own.values())], chosen, how, beside.splits)
    working = replace(choices, work=work)

    plan = _Plan(unit, study, names, baseline, chosen, how, working, beside)

    def compared(of: ByMeasure) -> Comparison:
        found = _comparison(plan, _measured(of, _last(names, baseline)))
        return replace(found, measures=spelled(first, found.measures))

    return replace(
        compared(values),
        subsets={
            name: replace(compared(enough(of)), too_few=too_few(of)) for name, of in own.items()
        },
        set_swaps=tuple(swaps_between_sets(own, names)),
        against=tuple(swaps_between_collections({WHOLE: values, **own}, theirs, names)),
        splits=_splits(values, working, beside),
    )


def _splits(values: ByMeasure, choices: Choices, beside: Beside) -> dict[str, SplitSwaps | None]:
    if not beside.splits:
        return {}
    how = choices.seed, beside.splits, check_width(beside.bin_width)
    return {
        measure: swaps_of_splits(Systems(of), *how, choices.part())
        if len(queries) >= FEWEST
        else None
        for measure, (queries, of) in values.items()
    }


@dataclass(frozen=True)
class _Plan:
    """The plan of a comparison of systems, on all queries or on those of a set."""

    unit: Unit
    design: StudyDesign
    names: tuple[str, ...]
    baseline: str | None
    tests: tuple[AnyTest, ...]
    correction: AnyCorrection
    choices: Choices
    beside: Beside


@dataclass(frozen=True)
class _Measured:
    """The values of the systems by a measure, in the order of the ids of each."""

    ids: dict[str, tuple[str, ...]]
    systems: Systems | SeparateSystems


def _measured(values: ByMeasure, names: Sequence[str]) -> dict[str, _Measured]:
    """The values of systems on the same queries."""
    return {
        measure: _Measured(dict.fromkeys(names, ids), Systems({name: of[name] for name in names}))
        for measure, (ids, of) in values.items()
    }


def _measured_apart(
    unit: Unit, evaluations: Evaluations, names: Sequence[str]
) -> dict[str, _Measured]:
    """The values of systems on sessions of their own, with the topics of these."""
    return {
        str(m): _apart(unit, str(m), {name: evaluations[name] for name in names})
        for m in _measures(evaluations)
    }


def _apart(unit: Unit, measure: str, evaluations: Mapping[str, Any]) -> _Measured:
    values = {name: kept(unit, measure, name, x) for name, x in evaluations.items()}
    ids = {name: tuple(sorted(of, key=id_bytes)) for name, of in values.items()}
    for name, of in ids.items():
        if not of:
            raise InputError(f"{measure}: no {unit.name} of {quoted(name)} has a value")
    columns = {name: [values[name][x] for x in of] for name, of in ids.items()}
    topics = {name: [evaluations[name].topics.get(x) for x in of] for name, of in ids.items()}
    return _Measured(ids, SeparateSystems(columns, topics))


def _check_alone(beside: Beside) -> None:
    """An InputError for sets, splits and collections of systems on sessions of their own."""
    for name in ("subsets", "against", "against_subsets", "splits"):
        if getattr(beside, name):
            raise InputError(
                f"{name}: it needs the same sessions in all systems, but the design is unpaired "
                "(RS-SES-31)"
            )


def _comparison(plan: _Plan, measured: Mapping[str, _Measured]) -> Comparison:
    """The comparison on some queries, a family of its own."""
    unit, names, choices = plan.unit, plan.names, plan.choices
    queries = {measure: _union(of.ids) for measure, of in measured.items()}
    _check_shared(unit, plan.correction, queries)
    pairs = _pairs(names, plan.baseline)
    systems = {measure: of.systems for measure, of in measured.items()}
    found = {
        measure: _outcomes(unit, systems[measure], pairs, plan.tests, choices)
        for measure in systems
    }
    tested = _corrected(systems, found, plan.tests, plan.correction, choices)
    by_measure = {
        measure: _of_measure(measure, queries[measure], names, of, tested[measure], choices)
        for measure, of in measured.items()
    }
    levels = {measure: levels_of(of, names) for measure, of in systems.items()}
    return Comparison(
        by_measure,
        names,
        plan.baseline,
        plan.tests,
        plan.correction,
        replace(choices, work=None),
        len(pairs) * len(by_measure),
        _agreement(levels),
        unit,
        plan.beside.measures,
        between_measures(by_measure, levels, choices.alpha, plan.beside.rbo_p)
        if plan.beside.measures
        else {},
        design=plan.design,
    )


def _union(ids: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The ids of all systems, in the order of their bytes."""
    first, *others = ids.values()
    if all(other == first for other in others):
        return first
    return tuple(sorted({x for of in ids.values() for x in of}, key=id_bytes))


def _check_shared(unit: Unit, correction: AnyCorrection, of: Mapping[str, Any]) -> None:
    """An InputError where flips are shared by measures with values for different queries."""
    measures = list(of)
    other = next((measure for measure in measures if of[measure] != of[measures[0]]), None)
    if correction.resamples and other is not None:
        raise InputError(
            f"correction {quoted(correction.name)}: {measures[0]} and {other} have values for "
            f"different {unit.plural}; this correction flips the signs of the same {unit.plural} "
            "for all measures (RS-CMP-23)"
        )


def _work(
    progress: Progress | None,
    sets: Sequence[Sized],
    tests: Sequence[AnyTest],
    correction: AnyCorrection,
    splits: int,
) -> Readings:
    """All the work: in each set, of each measure its tests, the summaries and the differences, and
    max-T of all; of each measure of the first set, which is of all queries, its splits."""
    of_sets = [len(of) * (len(tests) + 2) + correction.resamples for of in sets if of]
    return Readings(progress, sum(of_sets) + (len(sets[0]) if splits else 0))


def _tests(names: str | Iterable[str] | None) -> tuple[AnyTest, ...] | None:
    """The tests of these names; None: those of the default."""
    if names is None:
        return None
    asked = names_in(names, "tests", "test")
    if twice := next((name for name in asked if asked.count(name) > 1), None):
        raise InputError(f"tests: {quoted(twice)} is listed twice")
    return tuple(test_named(name) for name in asked)


def _of_design(
    tests: tuple[AnyTest, ...] | None, correction: AnyCorrection, design: StudyDesign, unit: Unit
) -> tuple[AnyTest, ...]:
    """The tests, checked; by default those of the design that the correction serves."""
    if tests is None:
        default = DEFAULT_TESTS[design.name]
        tests = tuple(test_named(name) for name in default if correction.serves(name))
        if not tests:
            raise InputError(
                f"correction: {quoted(correction.name)} works only with the randomisation test, "
                f"which needs the same {unit.plural} in all systems (RS-SES-31)"
            )
    for test in tests:
        if not test.corrected and not correction.serves(test.name):
            raise InputError(
                f"correction: {quoted(correction.name)} works only with the randomisation test, "
                f"not with {quoted(test.name)}"
            )
    check_tests(tests, design, unit)
    return tests


def _pairs(names: Sequence[str], baseline: str | None) -> list[Names]:
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


def _last(names: Sequence[str], baseline: str | None) -> list[str]:
    """The names, that of the baseline last: it is the second of each of its pairs."""
    return [name for name in names if name != baseline] + ([] if baseline is None else [baseline])


Found = dict[str, dict[Names, Outcome]]
"""{test: {pair: outcome}}"""


def _outcomes(
    unit: Unit,
    systems: Any,
    pairs: Sequence[Names],
    tests: Sequence[AnyTest],
    choices: Choices,
) -> Found:
    found = {test.name: test.of_pairs(systems, pairs, choices) for test in tests}
    if unit is QUERY:
        return found
    return {
        test: {two: replace(x, how=unit.said(x.how), why=unit.said(x.why)) for two, x in of.items()}
        for test, of in found.items()
    }


def _corrected(
    systems: Mapping[str, Any],
    found: Mapping[str, Found],
    tests: Sequence[AnyTest],
    correction: AnyCorrection,
    choices: Choices,
) -> dict[str, dict[str, dict[Names, Tested]]]:
    """{measure: {test: {pair: what it says}}}: a test's p, corrected over measures and pairs."""
    tested: dict[str, dict[str, dict[Names, Tested]]] = {measure: {} for measure in found}
    for test in tests:
        places = [(m, two) for m, by_test in found.items() for two in by_test[test.name]]
        outcomes = [found[m][test.name][two] for m, two in places]
        p = [outcome.p for outcome in outcomes]
        if not test.corrected and any(x is not None for x in p):
            p = correction.of_family([systems[m].pairs[two] for m, two in places], p, choices)
        for (m, two), outcome, x in zip(places, outcomes, p, strict=True):
            significant = x is not None and x <= choices.alpha
            tested[m].setdefault(test.name, {})[two] = Tested(outcome, x, significant)
    return tested


def _of_measure(
    measure: str,
    queries: tuple[str, ...],
    names: Sequence[str],
    measured: _Measured,
    tested: Mapping[str, Mapping[Names, Tested]],
    choices: Choices,
) -> OfMeasure:
    systems = measured.systems
    pairs = list(next(iter(tested.values())))
    return OfMeasure(
        measure,
        queries,
        {name: systems.scores[systems.names.index(name)] for name in names},
        _summaries(names, systems, choices),
        tuple(
            _difference(two, systems.pairs[two], {t: of[two] for t, of in tested.items()}, choices)
            for two in each(pairs, choices.part())
        ),
        {
            test: discriminative_power([x.corrected for x in of.values()], choices.alpha)
            for test, of in tested.items()
            if test_named(test).has_p
        },
        mean_pad_of(systems),
        {name: measured.ids[name] for name in names},
    )


def _difference(
    names: Names, pair: TwoSystems, tests: dict[str, Tested], choices: Choices
) -> Difference:
    if not isinstance(pair, Pair):
        effects = {x.name: x(pair) if False in x.beside else None for x in EFFECTS}
        interval = welch_interval(pair, choices.alpha)
        return Difference(*names, pair.mean_difference, interval, None, None, None, tests, effects)
    interval = None
    if pair.n > 1:
        square = equations.variance(pair.D, pair.e) / pair.n
        interval = pair.interval(square, t_quantile(choices.alpha, pair.n - 1))
    return Difference(
        *names,
        pair.mean_difference,
        interval,
        *pair.wins_ties_losses,
        tests,
        {effect.name: effect(pair) for effect in EFFECTS},
    )


def _summaries(
    names: Sequence[str], systems: Systems | SeparateSystems, choices: Choices
) -> dict[str, Summary]:
    """The summaries; each system is compared with one whose values are all 0."""
    pairs = [Pair(column, [0.0] * len(column)) for column in systems.scores]
    progress = choices.part()
    found = {}
    for name, pair, bca in zip(systems.names, pairs, _bca(pairs, choices, progress), strict=True):
        unit = pair.scale * Fraction(2) ** pair.e
        ends = bca and (nearest_double(bca[0] * unit), nearest_double(bca[1] * unit))
        found[name] = _summary(pair, ends, choices)
    return {name: found[name] for name in names}


def _bca(
    pairs: Sequence[Pair], choices: Choices, progress: Progress | None
) -> list[tuple[Fraction, Fraction] | None]:
    """The BCa intervals, of all systems with as many values at once."""
    found: list[tuple[Fraction, Fraction] | None] = [None] * len(pairs)
    for n in dict.fromkeys(pair.n for pair in pairs):
        places = [a for a, pair in enumerate(pairs) if pair.n == n > 1]
        if places:
            of = bca_intervals(
                [pairs[a].D for a in places],
                choices.alpha,
                choices.seed,
                choices.replicates,
                progress,
                [pairs[a].slack for a in places],
            )
            for a, ends in zip(places, of, strict=True):
                found[a] = ends
    return found


def _summary(pair: Pair, bca: Interval | None, choices: Choices) -> Summary:
    (x,), unit_of_x = equations.integers(pair.x)
    mean, n = nearest_double(equations.mean(x, unit_of_x)), pair.n  # as evaluate() has it
    if n < 2:
        return Summary(mean, None, None, None)
    X, _, unit = pair.values
    square = equations.variance(X, unit)
    sd = nearest_double_of(lambda reals: reals.sqrt(reals.exact(square * pair.scale**2)))
    interval = pair.interval(square / n, t_quantile(choices.alpha, n - 1))
    return Summary(mean, sd, interval, bca)


def _agreement(levels: Mapping[str, Levels]) -> dict[tuple[str, str], float | None]:
    orders = {measure: list(of.values()) for measure, of in levels.items()}
    return {(a, b): _tau_b(orders[a], orders[b]) for a, b in combinations(orders, 2)}


def _tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    return double_or_none(lambda reals: equations_of_agreement.tau_b(x, y, reals))


# ---- what is given -------------------------------------------------------------------------

Values = tuple[tuple[str, ...], dict[str, list[float]]]
"""The queries, or sessions, that have a value of a measure; those values of each system."""


def values_of(
    evaluations: Evaluations, baseline: str | None = None
) -> tuple[Unit, dict[str, Values]]:
    """The unit, and the values of each measure by its name; InputError: what cannot be compared."""
    unit = _checked(evaluations, baseline)
    study_design(unit, evaluations, "paired")
    return unit, _values_by_measure(unit, evaluations)


def _values_by_measure(unit: Unit, evaluations: Evaluations) -> dict[str, Values]:
    return {str(m): _values(unit, str(m), evaluations) for m in _measures(evaluations)}


def _checked(evaluations: Any, baseline: str | None) -> Unit:
    """The unit of the systems; an InputError where they cannot be compared."""
    if not isinstance(evaluations, Mapping):
        raise InputError(
            "evaluations: expected a dict of rs.evaluate's results by the names of the systems, "
            f"got {shown(evaluations)}"
        )
    for name in evaluations:
        if not isinstance(name, str):
            raise InputError(f"evaluations: the name {shown(name)} is not a string")
    unit = unit_of(evaluations)
    names = tuple(evaluations)
    if len(names) < 2:
        raise InputError(f"systems: expected two or more, got {len(names)}")
    if baseline is not None and not isinstance(baseline, str):
        raise InputError(f"baseline: expected the name of a system, got {shown(baseline)}")
    if baseline is not None and baseline not in names:
        raise InputError(
            f"baseline: unknown system {quoted(baseline)}{hint(baseline, names)}; expected one "
            f"of {listed(names)}"
        )
    for name in names[1:]:
        two = quoted(names[0]), quoted(name)
        where = f"systems: {' and '.join(two)} are"
        _check_methods(unit, where, two, evaluations[names[0]], evaluations[name])
    return unit


def _check_methods(unit: Unit, where: str, names: Names, a: Any, b: Any) -> None:
    """An InputError where two evaluations, of these names, differ in measures or conventions."""
    for name, only in zip(names, (_only(a, b), _only(b, a)), strict=True):
        if only:
            raise InputError(
                f"{where} evaluated by different measures: only {name} has {listed(only)}"
            )
    if unit.chosen(a) != unit.chosen(b):
        raise InputError(f"{where} evaluated by different conventions{_differing(a, b)}")


def _only(a: Any, b: Any) -> list[str]:
    """The measures that the first alone has."""
    return [str(measure) for measure in a.measures if measure not in b.measures]


def _differing(a: Any, b: Any) -> str:
    """The first convention in which they differ, where it is one of all measures."""
    for known in fields(a.conventions):
        mine, other = (getattr(x.conventions, known.name) for x in (a, b))
        if mine != other:
            return f": {known.name} is {shown(mine)} and {shown(other)}"
    return ""


def _measures(evaluations: Evaluations) -> tuple[Any, ...]:
    measures = next(iter(evaluations.values())).measures
    if not measures:
        raise InputError("measures: expected at least one, got none")
    return measures


def _sets(
    unit: Unit, values: ByMeasure, given: Any, evaluations: Evaluations, what: str
) -> dict[str, ByMeasure]:
    """The values for the queries of each set; what: the name of the argument."""
    known = unit.ids(next(iter(evaluations.values())))
    sets = checked_sets(given, known, what)
    return {name: restricted(values, own) for name, own in sets.items()}


def _of_other_collection(
    unit: Unit, evaluations: Evaluations, sets: Mapping[str, ByMeasure], beside: Beside
) -> dict[str, ByMeasure]:
    """The values of the other collection, for all queries and for those of its sets."""
    against = beside.against
    if against is None:
        if beside.against_subsets is not None:
            raise InputError("against_subsets: it needs the other collection, which against gives")
        return {}
    try:
        own, values = values_of(against)
    except InputError as error:
        raise InputError(f"against: {error}") from None
    if own is not unit:
        raise InputError(f"against: it is evaluated by {own.plural}; expected {unit.plural}")
    if apart := evaluations.keys() ^ against.keys():
        raise InputError(
            f"against: only one of the two collections has {listed(sorted(apart))}; both need "
            "the same systems (RS-AGR-31)"
        )
    first = next(iter(evaluations))
    where, names = f"against: {quoted(first)} is", ("the first", "the second")
    _check_methods(unit, where, names, evaluations[first], against[first])
    found = _sets(unit, values, beside.against_subsets, against, "against_subsets")
    if apart := sets.keys() ^ found.keys():
        raise InputError(f"against_subsets: only one of the two collections has {listed(apart)}")
    return {WHOLE: values, **{name: found[name] for name in sets}}


def _values(unit: Unit, measure: str, evaluations: Evaluations) -> Values:
    by_system = {name: kept(unit, measure, name, x) for name, x in evaluations.items()}
    names = list(by_system)
    for name in names[1:]:
        known = set(by_system[names[0]]), set(by_system[name])
        check_same(unit, measure, names[0], known[0], name, known[1])
    queries = tuple(sorted(by_system[names[0]], key=id_bytes))
    if not queries:
        raise InputError(f"{measure}: no {unit.name} has a value")
    return queries, {name: [of[q] for q in queries] for name, of in by_system.items()}


def kept(unit: Unit, measure: str, name: str, evaluation: Any) -> dict[str, float]:
    """The values that the mean is of, none of them NaN."""
    found = unit.values(evaluation, measure)
    for x, value in found.items():
        if isnan(value):
            raise InputError(f"{measure}: {quoted(name)} has NaN for the {unit.name} {quoted(x)}")
    return found
