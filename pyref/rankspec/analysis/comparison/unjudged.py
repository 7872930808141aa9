"""``rs.unjudged_bounds``: what documents that nobody judged could change between systems.

Spec: RS-AGR-23, RS-AGR-24, RS-AGR-41, RS-AGR-42
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from ...compute.arithmetic import standard_arithmetic
from ...compute.backends import values as values_of_batch
from ...compute.batch import Batch
from ...compute.gain import whole
from ...errors import InputError, hint, is_named, items_of, listed, quoted, shown
from ...evaluation.by_measure import spelled
from ...evaluation.conventions import WITHOUT_LABELS, Conventions
from ...evaluation.evaluate import Kept, evaluate_by, judged_by, prepared, warn_of_runs
from ...evaluation.measures import MeasuresLike, chosen_measures
from ...evaluation.profiles import Profile, by_conventions, chosen_conventions
from ...evaluation.ranked import Judged, judgments, ranking, typecode_of
from ...evaluation.result import Evaluation
from ...formats.frames import Label, QrelsLike, RunLike, labels_of, scores_of
from ...formats.streams import is_file, readable_again
from ...metrics.measure import Measure
from ...progress import Progress, Readings
from ...reference import agreement as equations
from ...reference import precision
from ...reference.numerics import nearest_double
from . import unjudged_text
from .inputs import naming
from .study_design import check_same
from .systems import Pair
from .tests import Names
from .units import QUERY
from .unjudged_found import Bounds, DifferenceBounds, MeasureBounds, RunBounds

if TYPE_CHECKING:
    from ...formats.sessions import Topics

PARAMETERS = ("runs", "measures", "judged", "baseline", "topics", "grades", "profile", "backend")
CUTOFF = 10
"""That of Judged@k where no measure has one."""

Values = Mapping[str, float]
"""{query: value}"""


class UnjudgedBounds(Bounds):
    """How far unjudged documents could change a comparison; prints as a table.

    measures: {name of a measure: the ranges of the systems, the intervals of their differences}
    judged: {name of a system: {k: the mean of Judged@k}} (RS-AGR-41)
    """

    def __getitem__(self, measure: str) -> MeasureBounds:
        """What a measure says, by its name in any spelling."""
        return self.measures[measure]

    def __str__(self) -> str:
        return unjudged_text.table(self, 4).rstrip("\n")

    def __repr__(self) -> str:
        return f"<Bounds of {len(self.judged)} systems by {', '.join(self.measures)}>"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return unjudged_text.to_dict(self)


@dataclass(frozen=True)
class _System:
    """A run, evaluated by the judgments that there are and by the two extreme ones.

    ranked: {conventions: {query: its documents in rank order}}, where a measure needs them
    """

    now: Evaluation
    lowest: Evaluation
    highest: Evaluation
    judged: dict[int, float]
    ranked: dict[Conventions, dict[str, list[str]]]


@standard_arithmetic
def unjudged_bounds(
    qrels: QrelsLike,
    runs: Mapping[str, RunLike],
    measures: MeasuresLike,
    *,
    judged: int | Iterable[int] | None = None,
    baseline: str | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    profile: str | None = None,
    backend: str = "auto",
    **given: Any,
) -> UnjudgedBounds:
    """Bound how far unjudged documents could change a comparison of systems.

    qrels, topics, grades, profile, backend: as of evaluate()
    runs: {name of a system: run}, two or more; runs as of evaluate()
    measures: one or several, as of evaluate()
    judged: the k of Judged@k, one or several; by default the cut-offs of the measures, or 10
    baseline: compare each other system with this one; by default all pairs are compared
    **given: the conventions, as of evaluate(): ``rel=2``, say

    For each system it gives the range of its mean over all possible judgments of its unjudged
    documents (RS-CONV-14), and Judged@k. For each pair it gives an interval of the difference:
    exact for measures that are sums over ranks, for others an enclosure (RS-AGR-23, RS-AGR-24).
    Raises InputError for measures whose extremes are not known, and for conventions under which a
    judgment can leave a query without a value.

    Spec: RS-AGR-42
    """
    chosen, conventions = chosen_conventions(profile, given, PARAMETERS)
    if not isinstance(runs, Mapping):
        raise InputError(f"runs: expected a dict by names, got {shown(runs)}")
    if strange := [name for name in runs if not isinstance(name, str)]:
        raise InputError(f"runs: the name {shown(strange[0])} is not a string")
    return bounds_by(
        conventions,
        chosen,
        judged_by(qrels, conventions, topics, grades)[0],
        runs,
        measures,
        judged,
        baseline,
        backend,
    )


def bounds_by(
    conventions: Conventions,
    profile: Profile | None,
    qrels: QrelsLike,
    runs: Mapping[str, RunLike],
    measures: MeasuresLike,
    judged: int | Iterable[int] | None,
    baseline: str | None = None,
    backend: str = "auto",
    bar_of: Callable[[str], AbstractContextManager[Progress | None]] = lambda _: nullcontext(),
) -> UnjudgedBounds:
    """As unjudged_bounds(), with the conventions in one; bar_of: a progress bar for each run."""
    _check_conventions(conventions)
    _check_systems(runs, baseline)
    chosen = chosen_measures(measures, conventions, profile)
    if not chosen:
        raise InputError("measures: expected at least one, got none")
    depths = _depths(judged, chosen)
    labels = labels_of(qrels, conventions.how)
    groups = by_conventions(chosen, conventions, profile)
    counted = {own: judgments(labels, own) for own, few in groups.items() if any(map(_exact, few))}
    by = _By(conventions, profile, prepared(labels, conventions, backend), counted, backend)
    systems = {}
    for name, run in runs.items():
        with bar_of(name) as progress, naming("run", f"run {quoted(name)}"):
            systems[name] = by.system(run, chosen, depths, progress)
    warn_of_runs((name, system.now) for name, system in systems.items())
    _check_same_queries(systems)
    pairs = _pairs(list(runs), baseline)
    found = {str(m): _of_measure(m, by, systems, pairs) for m in chosen}
    return UnjudgedBounds(
        spelled(next(iter(systems.values())).now, found),
        {name: system.judged for name, system in systems.items()},
    )


@dataclass(frozen=True)
class _By:
    """What systems are evaluated by.

    judged: the labels, ready to be joined with runs
    counted: {conventions: the labels that count}, of measures whose intervals are exact
    """

    conventions: Conventions
    profile: Profile | None
    judged: Judged
    counted: Mapping[Conventions, Mapping[str, Mapping[str, Label]]]
    backend: str

    def system(
        self,
        run: RunLike,
        measures: Sequence[Measure],
        depths: Sequence[int],
        progress: Progress | None,
    ) -> _System:
        """The run by the judgments that there are, and by the lowest and the highest."""
        readings = Readings(progress, 3)
        kept: Kept = []
        with ExitStack() as stack:
            again = stack.enter_context(readable_again(run)) if is_file(run) else run
            now = self._evaluated(again, measures, None, readings.next(), None)
            lowest = self._evaluated(again, measures, "lowest", readings.next(), kept)
            highest = self._evaluated(again, measures, "highest", readings.next(), None)
            scores = scores_of(again, self.conventions.how) if self.counted else {}
        ranked = {own: self._ranked(own, scores) for own in self.counted}
        return _System(now, lowest, highest, _judged_at(depths, kept, lowest.queries), ranked)

    def _evaluated(
        self,
        run: RunLike,
        measures: Sequence[Measure],
        unjudged: str | None,
        progress: Progress | None,
        kept: Kept | None,
    ) -> Evaluation:
        rules, profile = self.conventions, self.profile
        if unjudged is not None:
            rules = replace(rules, unjudged=unjudged)
            profile = profile and profile.beside({"unjudged"})
        return evaluate_by(
            rules, profile, self.judged, run, measures, self.backend, progress, kept=kept
        )

    def _ranked(
        self, conventions: Conventions, scores: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, list[str]]:
        rules = replace(conventions, unjudged="lowest")
        counted = self.counted[conventions]
        return {q: ranking(q, own, counted.get(q, {}), rules)[0] for q, own in scores.items()}


def _exact(measure: Measure) -> bool:
    """Whether the interval of its differences is known exactly (RS-AGR-24)."""
    return measure.metric.extremes.by_rank(measure)


# ---- what is given -------------------------------------------------------------------------


def _check_conventions(conventions: Conventions) -> None:
    if conventions.condensed:
        raise InputError(
            'unjudged: "condensed" removes unjudged documents from the list, which no judgment '
            "of them would do; bounds need another rule (RS-AGR-42)"
        )
    if conventions.ties not in WITHOUT_LABELS:
        raise InputError(
            "ties: bounds need a tie rule that does not depend on labels, "
            f"{listed(WITHOUT_LABELS)}, not {quoted(conventions.ties)} (RS-CONV-14)"
        )
    if conventions.scored:
        raise InputError(
            'relevance: the score of an unjudged document has no bounds; leave relevance="label" '
            "(RS-CONV-20)"
        )
    if conventions.undefined not in ("zero", "one"):
        raise InputError(
            f'undefined: with "{conventions.undefined}" a judgment can leave a query without a '
            'value, so differences have no bounds; use "zero" or "one" (RS-AGR-23)'
        )
    if conventions.results != "double":
        raise InputError(
            'results: bounds are computed before rounding; leave results="double" (RS-CONV-40)'
        )


def _check_systems(runs: Mapping[str, RunLike], baseline: str | None) -> None:
    if len(runs) < 2:
        raise InputError(f"runs: expected two or more, got {len(runs)}")
    if baseline is not None and not is_named(baseline, runs):
        raise InputError(
            f"baseline: unknown system {quoted(baseline)}{hint(baseline, runs)}; expected one of "
            f"{listed(runs)}"
        )


def _depths(judged: Any, measures: Sequence[Measure]) -> list[int]:
    """The k of Judged@k, each once, rising."""
    if judged is None:
        return sorted({m.k for m in measures if m.k is not None}) or [CUTOFF]
    several = isinstance(judged, Iterable)
    complaint = f"judged: expected whole numbers above 0, got {shown(judged)}"
    found = items_of(judged, complaint) if several else [judged]
    depths = set()
    for k in found:
        depth = whole(k)
        if depth is None or depth < 1:
            raise InputError(f"judged: expected a whole number above 0, got {shown(k)}")
        depths.add(depth)
    return sorted(depths)


def _check_same_queries(systems: Mapping[str, _System]) -> None:
    first, *others = systems
    for name in others:
        a, b = set(systems[first].now.queries), set(systems[name].now.queries)
        check_same(QUERY, f"systems: {quoted(first)} and {quoted(name)}", first, a, name, b)


def _pairs(names: Sequence[str], baseline: str | None) -> list[Names]:
    if baseline is None:
        return list(combinations(names, 2))
    return [(name, baseline) for name in names if name != baseline]


# ---- Judged@k ------------------------------------------------------------------------------


def _judged_at(depths: Sequence[int], kept: Kept, queries: Sequence[str]) -> dict[int, float]:
    """The mean of Judged@k over the queries, for each k (RS-AGR-41)."""
    wanted, (rules, _) = set(queries), kept[0]
    flags = {
        query: ranked.unjudged[begin:end]
        for own, ranked in kept
        if own == rules
        for query, (begin, end) in zip(ranked.queries, pairwise(ranked.batch.offsets), strict=True)
        if query in wanted
    }
    return {
        k: nearest_double(equations.mean([precision.judged(of, k) for of in flags.values()]))
        for k in depths
    }


# ---- ranges and intervals ------------------------------------------------------------------


def _of_measure(
    measure: Measure, by: _By, systems: Mapping[str, _System], pairs: Sequence[Names]
) -> MeasureBounds:
    name = str(measure)
    queries = next(iter(systems.values())).now.queries
    return MeasureBounds(
        name,
        queries,
        _exact(measure),
        {
            system: RunBounds(of.now.mean[name], of.lowest.mean[name], of.highest.mean[name])
            for system, of in systems.items()
        },
        tuple(
            bounds(two, queries, *_three(measure, by, *(systems[system] for system in two)))
            for two in pairs
        ),
    )


def bounds(
    two: Names,
    queries: Sequence[str],
    now: tuple[Values, Values],
    low: tuple[Values, Values],
    high: tuple[Values, Values],
) -> DifferenceBounds:
    """Return the difference of two systems and its interval (RS-AGR-42).

    now, low, high: the values of both whose differences are that of now, the least, the greatest
    """
    difference, least, greatest = (
        Pair([x[q] for q in queries], [y[q] for q in queries]) for x, y in (now, low, high)
    )
    ends = zip(least.exact_differences, greatest.exact_differences, strict=True)
    return DifferenceBounds(
        *two,
        difference.mean_difference,
        least.mean_difference if least.direction else 0.0,
        greatest.mean_difference if greatest.direction else 0.0,
        {
            q: (nearest_double(a), nearest_double(b))
            for q, (a, b) in zip(queries, ends, strict=True)
        },
    )


def _three(
    measure: Measure, by: _By, x: _System, y: _System
) -> tuple[tuple[Values, Values], tuple[Values, Values], tuple[Values, Values]]:
    """Return the values of both systems now, and at the least and the greatest difference."""
    name = str(measure)
    now = x.now.per_query[name], y.now.per_query[name]
    if _exact(measure):
        least = _favouring(measure, by, y, x)
        return now, (least[1], least[0]), _favouring(measure, by, x, y)
    low = x.lowest.per_query[name], y.highest.per_query[name]  # RS-AGR-23
    return now, low, (x.highest.per_query[name], y.lowest.per_query[name])


def _favouring(measure: Measure, by: _By, x: _System, y: _System) -> tuple[Values, Values]:
    """Return the values of both systems at the greatest difference of x from y (RS-AGR-24)."""
    (own,) = by_conventions([measure], by.conventions, by.profile)
    counted = by.counted[own]
    highest = by.judged.highest
    top = highest if highest > 0 else 1
    lists: tuple[list[list[Label]], list[list[Label]]] = ([], [])
    for q in x.now.queries:
        labels = counted.get(q, {})
        docs = x.ranked[own].get(q, []), y.ranked[own].get(q, [])
        favoured = equations.favouring(*docs, {*docs[0], *docs[1]} - labels.keys())
        for of, shown_docs in zip(lists, docs, strict=True):
            of.append([labels.get(d, top if d in favoured else 0) for d in shown_docs[: measure.k]])
    of_x, of_y = (values_of_batch([measure], _batch(of), by.backend)[0] for of in lists)
    return dict(zip(x.now.queries, of_x, strict=True)), dict(zip(x.now.queries, of_y, strict=True))


def _batch(lists: Sequence[Sequence[Label]]) -> Batch:
    """Lists whose labels are all known, each its own pool: a sum over ranks sees no other."""
    flat = [label for labels in lists for label in labels]
    offsets = array("q", [0, *_ends_of(lists)])
    labels = array(typecode_of(flat), flat)
    return Batch(labels=labels, offsets=offsets, starts=None, pool=labels, pool_offsets=offsets)


def _ends_of(lists: Iterable[Sequence[Label]]) -> Iterator[int]:
    end = 0
    for labels in lists:
        end += len(labels)
        yield end


# ---- two runs, by name ---------------------------------------------------------------------


@dataclass(frozen=True)
class DifferenceInterval:
    """From where to where the difference of two runs can lie (RS-AGR-23).

    exact: whether judgments attain both ends (RS-AGR-24), or the interval encloses what they can
    per_query: of each query; low, high: of the mean over them
    """

    low: float
    high: float
    exact: bool
    per_query: dict[str, tuple[float, float]]


def difference_interval(
    qrels: Mapping[str, Mapping[str, Label]],
    x: Mapping[str, Sequence[str]],
    y: Mapping[str, Sequence[str]],
    measure: str | Measure,
) -> DifferenceInterval:
    """The interval of the difference of two runs over all judgments of what is unjudged.

    qrels: {query: {document: label}}; x, y: {query: documents in rank order}

    >>> found = difference_interval({"q": {"a": 1}}, {"q": ["a", "b"]}, {"q": ["b", "c"]}, "P@2")
    >>> found.low, found.high, found.exact
    (0.0, 0.5, True)
    """
    runs = {
        name: {q: {doc: -i for i, doc in enumerate(docs)} for q, docs in run.items()}
        for name, run in (("x", x), ("y", y))
    }
    (of,) = unjudged_bounds(qrels, runs, measure).measures.values()
    found = of["x", "y"]
    return DifferenceInterval(found.low, found.high, of.exact, found.per_query)
