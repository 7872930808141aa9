"""``rs.compare``: systems on the same queries, or sessions, by several measures and tests.

Spec: RS-CMP-23
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import combinations
from math import isnan
from typing import Any

from ...errors import InputError, hint, items_of, listed, quoted, shown
from ...evaluation.result import Evaluation
from ...evaluation.sessions.result import SessionEvaluation
from ...formats.trec import id_bytes
from ...progress import Progress, Readings, each
from ...reference import agreement as equations_of_agreement
from ...reference import comparison as equations
from ...reference.numerics import nearest_double, nearest_double_of
from . import text
from .agreement import discriminative_power
from .corrections import AnyCorrection, correction_named
from .distributions import t_quantile
from .effects import EFFECTS
from .found import Compared, Difference, Interval, OfMeasure, Summary, Tested
from .resampling import REPLICATES, bca_intervals
from .systems import Pair, Systems, double_or_none, interval_of
from .tests import AnyTest, Choices, Names, Outcome, test_named
from .units import QUERY, Unit, check_topics, unit_of

DEFAULT_TESTS = ("t", "randomisation")
DEFAULT_CORRECTION = "holm"
MOST_NAMED = 3  # queries in a message

Evaluations = Mapping[str, Evaluation] | Mapping[str, SessionEvaluation]
"""{name of a system: its evaluation}"""


class Comparison(Compared):
    """Which systems differ, by which measure and test; prints as a table.

    measures: {name of a measure: the comparison by it}
    tests, correction: as they are declared
    family: how many p-values each test's correction is for: measures times pairs
    agreement: {(measure, measure): Kendall's tau_b of their orders of the systems} (RS-AGR-2)
    """

    def __getitem__(self, measure: str) -> OfMeasure:
        """The comparison by a measure, by its name as it prints."""
        return self.measures[measure]

    def __str__(self) -> str:
        return text.table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.systems)} systems by {', '.join(self.measures)}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return text.to_dict(self)


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
) -> Comparison:
    """Compare systems on the same queries: which differ by more than chance explains?

    evaluations: {name of a system: what rs.evaluate, rs.evaluate_letor or rs.evaluate_sessions
        gave}, two or more, of the same measures, conventions and queries, or sessions
    baseline: each other system is compared with this one; by default all pairs are
    tests: names, by default "t" and "randomisation"; also "wilcoxon", "sign", "bootstrap",
        "pooled", "welch", "bayes", "tukey", "randomised-tukey"
    correction: of each test's p-values over the family, measures times pairs: "holm",
        "bonferroni", "bh", "none", or of the randomisation test "max-t"
    alpha: the level; intervals have 1 - alpha
    seed, replicates: of what is resampled; the same seed gives the same p-values
    rope: mean differences of up to this size are practically none, for "bayes"

    Raises InputError where systems have values for different queries, or one is NaN. What has no
    value, as a t of equal differences, is None and says why. Needs SciPy: the extra "compare".

    Spec: RS-CMP-23, RS-SES-31
    """
    choices = Choices(alpha=alpha, rope=rope, seed=seed, replicates=replicates)
    return compare_by(evaluations, baseline, tests, correction, choices)


def compare_by(
    evaluations: Evaluations,
    baseline: str | None,
    tests: str | Iterable[str] | None,
    correction: str,
    choices: Choices,
    progress: Progress | None = None,
) -> Comparison:
    """As compare(), with the choices as they are; progress is told how far the work is."""
    how = correction_named(correction)
    chosen = _tests(tests, how)
    if choices.rope and all(test.name != "bayes" for test in chosen):
        raise InputError('rope: it is of the test "bayes", which is not asked for')
    unit, values = values_of(evaluations, baseline)
    names = tuple(evaluations)
    _check_shared(unit, how, {measure: queries for measure, (queries, _) in values.items()})
    reported, choices = choices, replace(choices, work=_work(progress, len(values), chosen, how))
    systems = {
        measure: Systems({name: of[name] for name in _last(names, baseline)})
        for measure, (_, of) in values.items()
    }
    found = {
        measure: _outcomes(unit, systems[measure], _pairs(names, baseline), chosen, choices)
        for measure in systems
    }
    tested = _corrected(systems, found, chosen, how, choices)
    by_measure = {
        measure: _of_measure(measure, queries, names, systems[measure], tested[measure], choices)
        for measure, (queries, _) in values.items()
    }
    pairs = len(_pairs(names, baseline))
    return Comparison(
        by_measure,
        names,
        baseline,
        chosen,
        how,
        reported,
        pairs * len(by_measure),
        _agreement(by_measure),
        unit,
    )


def _check_shared(unit: Unit, correction: AnyCorrection, of: Mapping[str, Any]) -> None:
    """An InputError where flips are shared by measures with values for different queries."""
    first = next(iter(of))
    other = next((measure for measure in of if of[measure] != of[first]), None)
    if correction.resamples and other is not None:
        raise InputError(
            f"correction {quoted(correction.name)}: {first} and {other} have values for different "
            f"{unit.plural}, and sign flips are shared (RS-CMP-23)"
        )


def _work(
    progress: Progress | None, measures: int, tests: Sequence[AnyTest], correction: AnyCorrection
) -> Readings:
    """All the work: of each measure its tests, the summaries and the differences; max-T of all."""
    return Readings(progress, measures * (len(tests) + 2) + correction.resamples)


def _tests(names: str | Iterable[str] | None, correction: AnyCorrection) -> tuple[AnyTest, ...]:
    """The tests of these names; by default those of the default that the correction serves."""
    if names is None:
        return tuple(test_named(name) for name in DEFAULT_TESTS if correction.serves(name))
    asked = [names] if isinstance(names, str) else items_of(names, "tests: expected names of tests")
    if not asked:
        raise InputError("tests: there is none")
    if twice := next((name for name in asked if asked.count(name) > 1), None):
        raise InputError(f"tests: {quoted(twice)} twice")
    chosen = tuple(test_named(name) for name in asked)
    for test in chosen:
        if not test.corrected and not correction.serves(test.name):
            raise InputError(
                f"correction: {quoted(correction.name)} is of the randomisation test, and not of "
                f"{quoted(test.name)}"
            )
    return chosen


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
    systems: Systems,
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
    systems: Mapping[str, Systems],
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
    systems: Systems,
    tested: Mapping[str, Mapping[Names, Tested]],
    choices: Choices,
) -> OfMeasure:
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
            if test_named(test).statistic
        },
    )


def _difference(names: Names, pair: Pair, tests: dict[str, Tested], choices: Choices) -> Difference:
    square = None if pair.n < 2 else equations.variance(pair.D, pair.e) / pair.n
    return Difference(
        *names,
        pair.mean_difference,
        _interval(pair.exact_mean_difference, square, pair.n, choices),
        *pair.wins_ties_losses,
        tests,
        {effect.name: effect(pair) for effect in EFFECTS},
    )


def _summaries(names: Sequence[str], systems: Systems, choices: Choices) -> dict[str, Summary]:
    zeros = [0.0] * len(systems.scores[0])
    rounded = [equations.differences(column, zeros) for column in systems.scores]
    several = len(zeros) > 1
    intervals = (
        bca_intervals(
            [D for D, _ in rounded],
            choices.alpha,
            choices.seed,
            choices.replicates,
            choices.part(),
        )
        if several
        else [None] * len(rounded)
    )
    found = {}
    for name, column, (_, e), bca in zip(
        systems.names, systems.scores, rounded, intervals, strict=True
    ):
        ends = None if bca is None else (_scaled(bca[0], e), _scaled(bca[1], e))
        found[name] = _summary(column, ends, choices)
    return {name: found[name] for name in names}


def _scaled(x: Fraction, e: int) -> float:
    return nearest_double(x * Fraction(2) ** e)


def _summary(column: Sequence[float], bca: Interval | None, choices: Choices) -> Summary:
    (X,), unit = equations.integers(column)
    mean, n = equations.mean(X, unit), len(X)
    if n < 2:
        return Summary(nearest_double(mean), None, None, None)
    sd = nearest_double_of(lambda reals: equations.standard_deviation(X, unit, reals))
    interval = _interval(mean, equations.variance(X, unit) / n, n, choices)
    return Summary(nearest_double(mean), sd, interval, bca)


def _interval(
    middle: Fraction, square: Fraction | None, n: int, choices: Choices
) -> Interval | None:
    """The t interval of a mean over n queries; None of one query."""
    if square is None:
        return None
    return interval_of(middle, square, t_quantile(choices.alpha, n - 1))


def _agreement(found: Mapping[str, OfMeasure]) -> dict[tuple[str, str], float | None]:
    means = {m: [x.mean for x in of.systems.values()] for m, of in found.items()}
    return {(a, b): _tau_b(means[a], means[b]) for a, b in combinations(means, 2)}


def _tau_b(x: Sequence[float], y: Sequence[float]) -> float | None:
    return double_or_none(lambda reals: equations_of_agreement.tau_b(x, y, reals))


# ---- what is given -------------------------------------------------------------------------

Values = tuple[tuple[str, ...], dict[str, list[float]]]
"""The queries that have a value of a measure, and those values of each system."""


def values_of(
    evaluations: Evaluations, baseline: str | None = None
) -> tuple[Unit, dict[str, Values]]:
    """The unit, and the values of each measure by its name; InputError: what cannot be compared."""
    unit = _checked(evaluations, baseline)
    return unit, {str(m): _values(unit, str(m), evaluations) for m in _measures(evaluations)}


def _checked(evaluations: Any, baseline: str | None) -> Unit:
    """The unit of the systems; an InputError where they cannot be compared."""
    if not isinstance(evaluations, Mapping):
        raise InputError(
            "evaluations: expected a dict of rs.evaluate's results by the names of the systems, "
            f"got {shown(evaluations)}"
        )
    for name in evaluations:
        if not isinstance(name, str):
            raise InputError(f"evaluations: {shown(name)} is no name of a system")
    unit = unit_of(evaluations)
    names = tuple(evaluations)
    if len(names) < 2:
        raise InputError(f"systems: expected two or more, got {len(names)}")
    if baseline is not None and baseline not in names:
        raise InputError(
            f"baseline: {quoted(baseline)} is none of the systems"
            f"{hint(baseline, names)}; there are {listed(names)}"
        )
    for name in names[1:]:
        _check_alike(unit, names[0], evaluations[names[0]], name, evaluations[name])
    return unit


def _check_alike(unit: Unit, first: str, a: Any, second: str, b: Any) -> None:
    """An InputError where two evaluations differ in more than the system."""
    two = f"{quoted(first)} and {quoted(second)}"
    for name, only in ((first, _only(a, b)), (second, _only(b, a))):
        if only:
            raise InputError(
                f"systems: {two} are evaluated by different measures: only {quoted(name)} "
                f"by {listed(only)}"
            )
    if unit.chosen(a) != unit.chosen(b):
        raise InputError(f"systems: {two} are evaluated by different conventions{_differing(a, b)}")
    _check_same(unit, f"systems: {two}", first, set(unit.ids(a)), second, set(unit.ids(b)))
    check_topics(first, a, second, b)


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


def _check_same(unit: Unit, where: str, first: str, a: set[str], second: str, b: set[str]) -> None:
    for name, only in ((first, a - b), (second, b - a)):
        if only:
            more = f" and {len(only) - MOST_NAMED} more" if len(only) > MOST_NAMED else ""
            raise InputError(
                f"{where}: only {quoted(name)} has {listed(sorted(only)[:MOST_NAMED])}{more}; "
                f"comparisons are of the same {unit.plural} (RS-CMP-23)"
            )


def _measures(evaluations: Evaluations) -> tuple[Any, ...]:
    measures = next(iter(evaluations.values())).measures
    if not measures:
        raise InputError("measures: there is none")
    return measures


def _values(unit: Unit, measure: str, evaluations: Evaluations) -> Values:
    """The queries, or sessions, that have a value of a measure; those values of each system."""
    by_system = {name: _kept(unit, measure, name, x) for name, x in evaluations.items()}
    names = list(by_system)
    for name in names[1:]:
        known = set(by_system[names[0]]), set(by_system[name])
        _check_same(unit, measure, names[0], known[0], name, known[1])
    queries = tuple(sorted(by_system[names[0]], key=id_bytes))
    if not queries:
        raise InputError(f"{measure}: no {unit.name} has a value")
    return queries, {name: [of[q] for q in queries] for name, of in by_system.items()}


def _kept(unit: Unit, measure: str, name: str, evaluation: Any) -> dict[str, float]:
    """The values that the mean is of, none of them NaN."""
    found = unit.values(evaluation, measure)
    for x, value in found.items():
        if isnan(value):
            raise InputError(f"{measure}: {quoted(name)} has NaN for the {unit.name} {quoted(x)}")
    return found
