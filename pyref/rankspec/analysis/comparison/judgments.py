"""``rs.compare_judgments``: one set of runs against two sets of judgments.

Spec: RS-AGR-40
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from fractions import Fraction
from math import lcm, ulp
from typing import TYPE_CHECKING, Any

from ...compute.arithmetic import standard_arithmetic
from ...errors import InputError, quoted, shown
from ...evaluation.by_measure import spelled
from ...evaluation.conventions import Conventions
from ...evaluation.evaluate import evaluate_by, judged_by, prepared, warn_of_runs
from ...evaluation.measures import MeasuresLike
from ...evaluation.profiles import chosen_conventions
from ...evaluation.ranked import judgments as counted
from ...evaluation.result import Evaluation
from ...formats.frames import Label, QrelsLike, RunLike, labels_of
from ...formats.streams import is_file, readable_again
from ...reference import agreement as equations
from ...reference import comparison as statistics
from ...reference.numerics import nearest_double
from . import judgments_text
from .agreement import compare_orders, conflicts, label_agreement
from .comparison import (
    DEFAULT_CORRECTION,
    Comparison,
    Values,
    compare,
    values_of,
)
from .distributions import t_quantile
from .found import Interval, OfMeasure
from .inputs import naming
from .judgments_found import (
    GAINED,
    LOST,
    OPPOSITE,
    Changes,
    ComparedJudgments,
    JudgedTwice,
    LabelTable,
    Shift,
)
from .orders import levels_of
from .resampling import REPLICATES
from .study_design import check_same
from .systems import Systems, interval_of
from .tests import Names
from .units import QUERY

if TYPE_CHECKING:
    from ...formats.sessions import Topics

Labels = Mapping[str, Mapping[str, Label]]
"""{query: {document: label}}"""

PARAMETERS = (
    "runs", "measures", "baseline", "tests", "correction", "alpha", "seed", "replicates", "rope",
    "topics", "grades", "profile", "backend",
)  # fmt: skip


class JudgmentComparison(ComparedJudgments):
    """How two sets of judgments compare the same systems; prints as a table.

    names: the names of the two sets; labels: how far their labels agree
    measures: {name of a measure: the agreement of the two sets by it}
    comparisons: {name of a set: the comparison of the systems by it}, as from rs.compare
    """

    def __getitem__(self, measure: str) -> JudgedTwice:
        """What a measure says, by its name in any spelling."""
        return self.measures[measure]

    def __str__(self) -> str:
        return judgments_text.table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        first, second = map(quoted, self.names)
        return f"<Comparison of {first} and {second} by {', '.join(self.measures)}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return judgments_text.to_dict(self)


@standard_arithmetic
def compare_judgments(
    judgments: Mapping[str, QrelsLike],
    runs: Mapping[str, RunLike],
    measures: MeasuresLike,
    *,
    baseline: str | None = None,
    tests: str | Iterable[str] | None = None,
    correction: str = DEFAULT_CORRECTION,
    alpha: float = 0.05,
    seed: int = 0,
    replicates: int = REPLICATES,
    rope: float = 0.0,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    profile: str | None = None,
    backend: str = "auto",
    **given: Any,
) -> JudgmentComparison:
    """Compare two sets of judgments by how they rank the same systems.

    judgments: {name: qrels}, two of them: of two assessors, or of people and of a model; qrels as
        of evaluate()
    runs: {name of a system: run}, two or more; runs as of evaluate()
    measures: one or several, as of evaluate()
    baseline, tests, correction, alpha, seed, replicates, rope: as of compare()
    topics, grades, profile, backend: as of evaluate(), of both sets of judgments
    **given: the conventions, as of evaluate(): ``ties="expected"``, say

    Gives Cohen's kappa of the labels of the documents that both judged. For each measure it gives
    how similarly the two order the systems, which significant differences the second gains, loses
    or reverses, and its bias for each system. Raises InputError if no document has two judgments,
    or if the queries differ. Needs SciPy: the extra "compare".

    Spec: RS-AGR-40
    """
    chosen, conventions = chosen_conventions(profile, given, PARAMETERS)
    _check_names(judgments, runs)
    meant = {}
    for name, qrels in judgments.items():
        with naming("qrels", f"judgments {quoted(name)}"):
            judged, _ = judged_by(qrels, conventions, topics, grades)
            meant[name] = labels_of(judged, conventions.how)
    labels = compare_labels(meant, conventions)
    ready = {name: prepared(by, conventions, backend) for name, by in meant.items()}
    found: dict[str, dict[str, Evaluation]] = {name: {} for name in ready}
    for system, run in runs.items():
        with ExitStack() as stack:
            stack.enter_context(naming("run", f"run {quoted(system)}"))
            again = stack.enter_context(readable_again(run)) if is_file(run) else run
            for name, by in ready.items():
                found[name][system] = evaluate_by(conventions, chosen, by, again, measures, backend)
    for evaluations in found.values():
        warn_of_runs(evaluations.items())
    options = {
        "baseline": baseline,
        "tests": tests,
        "correction": correction,
        "alpha": alpha,
        "seed": seed,
        "replicates": replicates,
        "rope": rope,
    }
    return compare_evaluations(labels, found, options)


def _check_names(judgments: Any, runs: Any) -> None:
    for what, given in (("judgments", judgments), ("runs", runs)):
        if not isinstance(given, Mapping):
            raise InputError(f"{what}: expected a dict by names, got {shown(given)}")
        for name in given:
            if not isinstance(name, str):
                raise InputError(f"{what}: the name {shown(name)} is not a string")
    if len(judgments) != 2:
        raise InputError(f"judgments: expected two sets by name, got {len(judgments)}")
    if len(runs) < 2:
        raise InputError(f"runs: expected two or more, got {len(runs)}")


# ---- labels --------------------------------------------------------------------------------


def compare_labels(judgments: Mapping[str, Labels], conventions: Conventions) -> LabelTable:
    """How far two sets of judgments agree; labels are taken as they count in an evaluation."""
    (one, x), (other, y) = (
        (name, counted(labels, conventions)) for name, labels in judgments.items()
    )
    both = Counter(
        (labels[document], y[query][document])
        for query, labels in x.items()
        for document in labels.keys() & y.get(query, {}).keys()
    )
    if not both:
        lacking = "no document of a query" if x.keys() & y.keys() else "no query"
        raise InputError(
            f"judgments: {quoted(one)} and {quoted(other)} share {lacking}, so nothing has two "
            "labels (RS-AGR-15)"
        )
    none, linear, quadratic = (label_agreement(x, y, name) for name in equations.WEIGHTS)
    return LabelTable(none, linear, quadratic, dict(sorted(both.items())))


# ---- systems -------------------------------------------------------------------------------


def compare_evaluations(
    labels: LabelTable,
    evaluations: Mapping[str, Mapping[str, Evaluation]],
    options: Mapping[str, Any],
) -> JudgmentComparison:
    """The same systems by two sets of judgments.

    evaluations: {name of a set: {name of a system: its evaluation}}; options: of compare()
    """
    first, second = evaluations
    _check_same_queries(evaluations)
    found = {name: compare(by, **options) for name, by in evaluations.items()}
    values = {name: values_of(by)[1] for name, by in evaluations.items()}
    measures = {
        measure: _judged_twice(measure, {name: of[measure] for name, of in values.items()}, found)
        for measure in found[first].measures
    }
    of = next(iter(evaluations[first].values()))
    return JudgmentComparison((first, second), labels, spelled(of, measures), found)


def _check_same_queries(evaluations: Mapping[str, Mapping[str, Evaluation]]) -> None:
    """An InputError where a system has other queries by one set of judgments than by the other."""
    (first, one), (second, other) = evaluations.items()
    for system in one:
        a, b = set(one[system].queries), set(other[system].queries)
        check_same(QUERY, f"judgments: {quoted(first)} and {quoted(second)}", first, a, second, b)


def _judged_twice(
    measure: str, values: Mapping[str, Values], found: Mapping[str, Comparison]
) -> JudgedTwice:
    (first, (queries, x)), (second, (others, y)) = values.items()
    check_same(QUERY, measure, first, set(queries), second, set(others))
    one, other = (found[name].measures[measure] for name in (first, second))
    alpha = float(found[first].choices.alpha)
    names = list(x)
    m, m2 = ([of.systems[name].mean for name in names] for of in (one, other))
    orders = compare_orders(levels_of(Systems(x), names), levels_of(Systems(y), names))
    return JudgedTwice(
        measure,
        queries,
        _shifts(x, y, m, m2, alpha),
        orders.tau_b,
        orders.tau_ap_b,
        tuple(orders.swapped),
        {
            test.name: _changes(test.name, one, other, alpha)
            for test in found[first].tests
            if test.has_p
        },
    )


def _changes(test: str, one: OfMeasure, other: OfMeasure, alpha: float) -> Changes:
    """What a test finds by one comparison and the other."""
    x, y = (
        {(d.first, d.second): (d.difference, d.tests[test].corrected) for d in of.differences}
        for of in (one, other)
    )
    pairs: dict[str, list[Names]] = {GAINED: [], LOST: [], OPPOSITE: []}
    for pair in x:
        own = conflicts({pair: x[pair]}, {pair: y[pair]}, alpha)
        for kind, those in pairs.items():
            if getattr(own, kind):
                those.append(pair)
    return Changes(conflicts(x, y, alpha), {kind: tuple(those) for kind, those in pairs.items()})


def _shifts(
    x: Mapping[str, Sequence[float]],
    y: Mapping[str, Sequence[float]],
    m: Sequence[float],
    m2: Sequence[float],
    alpha: float,
) -> dict[str, Shift]:
    columns = [*x.values(), *y.values()]
    values, slack = statistics.fractions(*columns), _rounding(columns)
    shifts, biases = (
        [[value if abs(value) > slack else Fraction(0) for value in row] for row in rows]
        for rows in equations.shifts_by_query(values[: len(x)], values[len(x) :])
    )
    found = {}
    for name, first, second, shift, bias in zip(x, m, m2, shifts, biases, strict=True):
        middle, interval = _mean_and_interval(shift, alpha)
        tilt, around = _mean_and_interval(bias, alpha)
        found[name] = Shift(first, second, middle, interval, tilt, around)
    return found


def _rounding(columns: Sequence[Sequence[float]]) -> Fraction:
    """Return how far from 0 rounding can put a shift, or a bias, of a query (RS-AGR-40)."""
    if statistics.common_denominator(*columns) is not None:
        return Fraction(0)
    return 2 * Fraction(ulp(max(abs(value) for column in columns for value in column)))


def _mean_and_interval(values: Sequence[Fraction], alpha: float) -> tuple[float, Interval | None]:
    """The mean of exact values and its t interval (RS-CMP-4); None of one query."""
    n, mean = len(values), equations.mean(values)
    if n < 2:
        return nearest_double(mean), None
    whole = lcm(*(value.denominator for value in values))
    square = statistics.variance([int(value * whole) for value in values]) / (n * whole * whole)
    return nearest_double(mean), interval_of(mean, square, t_quantile(alpha, n - 1))
