"""``rs.replicate``: whether runs repeat an experiment.

Spec: RS-AGR-43
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ...compute.arithmetic import standard_arithmetic
from ...compute.gain import whole
from ...errors import InputError, quoted, shown
from ...evaluation.by_measure import spelled
from ...evaluation.conventions import Conventions
from ...evaluation.evaluate import evaluate_by, judged_by, prepared, warn_of_runs
from ...evaluation.measures import MeasuresLike, chosen_measures
from ...evaluation.profiles import Profile, chosen_conventions
from ...evaluation.ranked import judgments, ranking
from ...evaluation.result import Evaluation
from ...formats.frames import Label, QrelsLike, RunLike, labels_of, scores_of
from ...formats.streams import is_file, readable_again
from ...metrics.measure import Measure
from ...progress import Progress
from ...reference import comparison as equations
from ...reference.comparison import Undefined
from ...reference.numbers.reals import Number, Reals
from ...reference.numerics import nearest_double_of
from . import replication_text
from .agreement import Repetition, check_share, compare_effects, compare_rankings, rmse
from .comparison import kept
from .distributions import t_two_sided
from .inputs import naming
from .replication_found import (
    ADVANCED,
    BASELINE,
    ByMeasure,
    Improvement,
    Repeated,
    Replicated,
)
from .study_design import check_same
from .systems import Pair
from .tests import Outcome
from .units import QUERY

if TYPE_CHECKING:
    from ...formats.sessions import Topics

PARAMETERS = (
    "original", "replicated", "measures", "baseline", "replicated_baseline", "other_qrels", "rbo_p",
    "top", "topics", "grades", "profile", "backend",
)  # fmt: skip
RBO_P = 0.8
"""The persistence of RBO: the default of repro_eval up to version 0.4; in 0.5 it is 0.95."""

TOP = 1000
"""How many documents of each query are compared, as in repro_eval."""

MOST_TOP = 10_000
"""RBO sums over all ranks to that one, in a list that ends before it too."""

Runs: TypeAlias = Mapping[str, tuple[str, RunLike]]
"""{"baseline", "advanced": (its name, the run)}"""

Bar: TypeAlias = Callable[[str], AbstractContextManager[Progress | None]]


class Replication(Replicated):
    """How far runs repeat an experiment; prints as a table.

    names: {"baseline", "advanced": (name of the run, name of its repetition)}
    rankings: {"baseline", "advanced": KTU and RBO}; None on another collection
    measures: {name of a measure: how far the runs agree by it}
    """

    def __getitem__(self, measure: str) -> ByMeasure:
        """What a measure says, by its name in any spelling."""
        return self.measures[measure]

    def __str__(self) -> str:
        return replication_text.table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Replication of {len(self.names)} runs by {', '.join(self.measures)}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return replication_text.to_dict(self)


@standard_arithmetic
def replicate(
    qrels: QrelsLike,
    original: RunLike,
    replicated: RunLike,
    measures: MeasuresLike,
    *,
    baseline: RunLike | None = None,
    replicated_baseline: RunLike | None = None,
    other_qrels: QrelsLike | None = None,
    rbo_p: float = RBO_P,
    top: int = TOP,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    profile: str | None = None,
    backend: str = "auto",
    **given: Any,
) -> Replication:
    """Measure how far a run, or an improvement, repeats the original.

    qrels, topics, grades, profile, backend: as of evaluate()
    original, replicated: a run and its repetition, as of evaluate()
    measures: one or several, as of evaluate()
    baseline, replicated_baseline: the runs that these two improve on
    other_qrels: qrels of another collection, if the repetition ran on one; this needs baselines
    rbo_p: the persistence of RBO; by default 0.8, as in repro_eval up to version 0.4, which has
        0.95 in version 0.5
    top: how many documents of each query KTU and RBO compare
    **given: the conventions, as of evaluate(): ``ties="expected"``, say

    On the same collection it gives KTU and RBO of the rankings, and for each measure the root mean
    square error and a paired t-test of the values; with baselines also the effect ratio and the
    difference of the relative improvements. On another collection it gives only the last two, and a
    pooled t-test. Raises InputError if a run and its repetition are evaluated for different queries
    of the same collection.
    Needs SciPy: the extra "compare".

    Spec: RS-AGR-43
    """
    chosen, conventions = chosen_conventions(profile, given, PARAMETERS)
    if (baseline is None) != (replicated_baseline is None):
        there, lacking = "baseline", "replicated_baseline"
        if baseline is None:
            there, lacking = lacking, there
        raise InputError(f"{lacking}: it is missing, although {there} is given")
    first: dict[str, tuple[str, RunLike]] = {}
    second: dict[str, tuple[str, RunLike]] = {}
    if baseline is not None and replicated_baseline is not None:
        first[BASELINE] = "baseline", baseline
        second[BASELINE] = "replicated baseline", replicated_baseline
    first[ADVANCED], second[ADVANCED] = ("original", original), ("replicated", replicated)
    judged = [judged_by(qrels, conventions, topics, grades)[0]]
    if other_qrels is not None:
        judged.append(judged_by(other_qrels, conventions, topics, grades)[0])
    return replicate_by(conventions, chosen, judged, first, second, measures, rbo_p, top, backend)


def replicate_by(
    conventions: Conventions,
    profile: Profile | None,
    qrels: Sequence[QrelsLike],
    original: Runs,
    replicated: Runs,
    measures: MeasuresLike,
    rbo_p: float = RBO_P,
    top: int = TOP,
    backend: str = "auto",
    bar_of: Bar = lambda _: nullcontext(),
) -> Replication:
    """As replicate(), with the conventions in one.

    qrels: those of all runs, or of the original ones and of the others
    bar_of: a progress bar for each run
    """
    chosen = chosen_measures(measures, conventions, profile)
    if not chosen:
        raise InputError("measures: expected at least one, got none")
    same = len(qrels) == 1
    if not same and BASELINE not in original:
        raise InputError(
            "other_qrels: across collections only improvements are compared; give a baseline and "
            "its repetition (RS-AGR-43)"
        )
    if same and conventions.ties == "expected":
        raise InputError(
            'ties: "expected" leaves tied documents unordered, but KTU and RBO compare orders; '
            "choose another rule (RS-AGR-43)"
        )
    labels = [labels_of(given, conventions.how) for given in qrels]
    by = [
        _By(conventions, profile, chosen, own, backend, bar_of) for own in (labels[0], labels[-1])
    ]
    first, second = (
        {role: of.evaluated(name, run, same) for role, (name, run) in given.items()}
        for of, given in zip(by, (original, replicated), strict=True)
    )
    names = {role: (original[role][0], replicated[role][0]) for role in original}
    warn_of_runs((names[role][0], run.evaluation) for role, run in first.items())
    warn_of_runs((names[role][1], run.evaluation) for role, run in second.items())
    if same:
        _check_same_queries(names, first, second)
    rankings = {
        role: _rankings(names[role], first[role], second[role], rbo_p, top)
        for role in original
        if same
    }
    return Replication(
        names,
        rankings if same else None,
        spelled(
            first[ADVANCED].evaluation,
            {str(m): _of_measure(str(m), names, first, second, same) for m in chosen},
        ),
    )


@dataclass(frozen=True)
class _Run:
    """A run with its values, and its documents in rank order, where these are asked for."""

    evaluation: Evaluation
    ranked: dict[str, list[str]]


@dataclass(frozen=True)
class _By:
    """What runs are evaluated by."""

    conventions: Conventions
    profile: Profile | None
    measures: Sequence[Measure]
    labels: Mapping[str, Mapping[str, Label]]
    backend: str
    bar_of: Bar

    def evaluated(self, name: str, run: RunLike, ranked: bool) -> _Run:
        """The values of a run; ranked: whether its documents are asked for."""
        judged = prepared(self.labels, self.conventions, self.backend)
        with ExitStack() as stack:
            progress = stack.enter_context(self.bar_of(name))
            stack.enter_context(naming("run", f"run {quoted(name)}"))
            again = stack.enter_context(readable_again(run)) if is_file(run) else run
            evaluation = evaluate_by(
                self.conventions, self.profile, judged, again, self.measures, self.backend, progress
            )
            scores = scores_of(again, self.conventions.how) if ranked else {}
        counted = judgments(self.labels, self.conventions)
        wanted = set(evaluation.queries)
        return _Run(
            evaluation,
            {
                q: ranking(q, own, counted.get(q, {}), self.conventions)[0]
                for q, own in scores.items()
                if q in wanted
            },
        )


def _check_same_queries(
    names: Mapping[str, tuple[str, str]],
    original: Mapping[str, _Run],
    replicated: Mapping[str, _Run],
) -> None:
    """An InputError where runs on one collection are evaluated for different queries."""
    runs = [
        (name, set(side[role].evaluation.queries))
        for which, side in enumerate((original, replicated))
        for role in side
        for name in [names[role][which]]
    ]
    (first, queries), *others = runs
    for name, own in others:
        check_same(QUERY, f"runs: {quoted(first)} and {quoted(name)}", first, queries, name, own)


def _rankings(
    names: tuple[str, str], original: _Run, replicated: _Run, rbo_p: float, top: int
) -> Repetition:
    """KTU and RBO of all queries that are evaluated; a run that lacks one has an empty list."""
    depth = whole(top)
    if depth is None or not 1 <= depth <= MOST_TOP:
        raise InputError(
            f"top: expected a number of documents from 1 to {MOST_TOP}, got {shown(top)}"
        )
    p = check_share("rbo_p", rbo_p)
    queries = original.evaluation.queries
    if not queries:
        raise InputError(f"runs: none of the queries of {quoted(names[0])} is evaluated")
    x, y = ({q: of.ranked.get(q, []) for q in queries} for of in (original, replicated))
    return compare_rankings(x, y, float(p), depth)


def _of_measure(
    measure: str,
    names: Mapping[str, tuple[str, str]],
    original: Mapping[str, _Run],
    replicated: Mapping[str, _Run],
    same: bool,
) -> ByMeasure:
    values = {
        role: (
            kept(QUERY, measure, first, original[role].evaluation),
            kept(QUERY, measure, second, replicated[role].evaluation),
        )
        for role, (first, second) in names.items()
    }
    runs = {
        role: _repeated(
            measure,
            names[role],
            *values[role],
            original[role].evaluation.mean[measure],
            replicated[role].evaluation.mean[measure],
            same,
        )
        for role in names
    }
    if BASELINE not in names:
        return ByMeasure(measure, runs, None)
    (b, b2), (a, a2) = values[BASELINE], values[ADVANCED]
    for side, two in enumerate(((b, a), (b2, a2))):
        known = names[BASELINE][side], names[ADVANCED][side]
        check_same(QUERY, measure, known[0], set(two[0]), known[1], set(two[1]))
    effects = compare_effects(b, a, b2, a2)
    here, there = _pair(a, b), _pair(a2, b2)
    improvement = Improvement(
        here.mean_difference,
        there.mean_difference,
        effects.ratio if here.direction else None,  # rounding alone may keep the means apart
        effects.delta_ri,
    )
    return ByMeasure(measure, runs, improvement)


def _pair(x: Mapping[str, float], y: Mapping[str, float]) -> Pair:
    """Return the values of two runs on the same queries."""
    return Pair([x[q] for q in x], [y[q] for q in x])


def _repeated(
    measure: str,
    names: tuple[str, str],
    x: Mapping[str, float],
    y: Mapping[str, float],
    original: float,
    replicated: float,
    same: bool,
) -> Repeated:
    for name, values in zip(names, (x, y), strict=True):
        if not values:
            raise InputError(f"{measure}: no query of {quoted(name)} has a value")
    sizes = len(x), len(y)
    if not same:
        test = _pooled(list(x.values()), list(y.values()))
        return Repeated(original, replicated, sizes, None, test)
    check_same(QUERY, measure, names[0], set(x), names[1], set(y))
    queries = sorted(x)
    pair = Pair([y[q] for q in queries], [x[q] for q in queries])
    return Repeated(original, replicated, sizes, rmse(x, y), _paired(pair))


def _paired(pair: Pair) -> Outcome:
    """The paired t-test (RS-CMP-5)."""
    return _tested(lambda reals: equations.paired_t(pair.D, reals), pair.n - 1)


def _pooled(x: Sequence[float], y: Sequence[float]) -> Outcome:
    """The pooled t-test of values on different queries (RS-CMP-6): the second less the first."""
    X, Y, _ = Pair(x, y).values
    return _tested(lambda reals: equations.pooled_t(Y, X, reals), len(X) + len(Y) - 2)


def _tested(statistic: Callable[[Reals], Number], df: int) -> Outcome:
    try:
        t = nearest_double_of(statistic)
    except Undefined as reason:
        return Outcome(why=str(reason))
    return Outcome(statistic=t, df=df, p=t_two_sided(t, df))
