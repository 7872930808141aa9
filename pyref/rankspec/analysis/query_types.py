"""Classes of queries: how far real rankings of a query are above a random one (karmaker-2022).

    >>> found = classify("qrels.txt", ["a.run", "b.run"], top=50)       # doctest: +SKIP
    >>> found.of("uninformative")                                       # doctest: +SKIP

Spec: RS-BND-12, RS-BND-13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.batch import Batch
from ..compute.gain import exact
from ..errors import InputError, hint, is_named, items_of, listed, quoted, shown
from ..evaluation import letor, profiles, render
from ..evaluation.conventions import Conventions, as_text, differing
from ..evaluation.evaluate import Kept, Qrels, evaluate_by, prepared, warn_of
from ..evaluation.measures import MeasuresLike, chosen_measures
from ..evaluation.profiles import Profile
from ..evaluation.result import Evaluation
from ..evaluation.scores_as_labels import batch_of
from ..formats.data_frames import is_frame
from ..formats.frames import RunLike
from ..formats.letor import Files, Groups, Predictions, RowRanking, feature_of
from ..formats.streams import is_file
from ..metrics.catalogue import IUB, RLB, nDCG
from ..metrics.measure import Measure, Metric, named, value
from ..progress import Progress
from ..reference.numbers.reals import Exact
from ..reference.numerics import RealSum, Summand, mean_of_reals, nearest_double
from ..reference.query_types import (
    ABSOLUTE,
    EASY,
    HARD,
    IDEAL,
    INFORMATIVE,
    SIGNED,
    UNINFORMATIVE,
    Means,
    classes,
)
from ..text import short_lists

NAMES = (INFORMATIVE, IDEAL, UNINFORMATIVE, HARD, EASY)
GAPS = (SIGNED, ABSOLUTE)
MEASURES = tuple(f"{nDCG.name}@{k}" for k in (5, 10, 15, 20, 30))  # karmaker-2022, section 4.4
THIRD = Fraction(1, 3)
SHARE = 10  # one of so many queries is in each of the two sets, unless their size is given
PARAMETERS = ("measures", "top", "gap", "hard", "easy", "profile", "backend")

Measures = MeasuresLike


@dataclass(frozen=True)
class QueryClass:
    """A query with its classes.

    expected, real: the mean over the cut-offs of what a random ranking has on average, and that of
        what the systems have; bound: of what the ideal ranking has; exact means of the values as
        they are printed, rounded once
    gap: real - expected, 0 where that of the unrounded values is (RS-BND-12)
    classes: of informative, ideal, uninformative, hard and easy, by unrounded values (RS-BND-13)
    """

    query: str
    expected: float
    real: float
    bound: float
    gap: float
    classes: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Classification:
    """The classes of queries, and the rules that made them.

    queries: in the order of the qrels, or of the file
    measures: one metric, at each of the cut-offs; systems: the number of systems
    top: how many queries are ideal, and how many are uninformative
    by: which queries are uninformative: those with the smallest gap ("signed") or with the gap
        nearest to 0 ("absolute")
    hard, easy: the thresholds of these classes, as shares of the upper bound
    """

    queries: tuple[QueryClass, ...]
    measures: tuple[Measure, ...]
    systems: int
    top: int
    by: str
    hard: Fraction
    easy: Fraction
    conventions: Conventions
    profile: str | None = None

    def __repr__(self) -> str:
        """What it is of, in a line."""
        number = f"systems: {self.systems}, queries: {len(self.queries)}"
        return f"<Classification by {named(self.measures)}; {number}>"

    def of(self, name: str) -> list[str]:
        """The queries of a class, in order."""
        if name not in NAMES:
            raise InputError(
                f'unknown class "{name}"{hint(name, NAMES)}; expected one of {listed(NAMES)}'
            )
        return [x.query for x in self.queries if name in x.classes]

    def counts(self) -> dict[str, int]:
        """How many queries each class has."""
        counted = Counter(name for x in self.queries for name in x.classes)
        return {name: counted[name] for name in NAMES}

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it."""
        return {
            "profile": self.profile,
            "conventions": as_text(self.conventions),
            "measures": list(map(str, self.measures)),
            "systems": self.systems,
            "top": self.top,
            "gap": self.by,
            "hard": str(self.hard),
            "easy": str(self.easy),
            "classes": self.counts(),
            "queries": [asdict(x) | {"classes": list(x.classes)} for x in self.queries],
        }

    def __str__(self) -> str:
        """A table of the queries."""
        return table(self).rstrip("\n")


@standard_arithmetic
def classify(
    qrels: Qrels,
    runs: Sequence[RunLike],
    measures: Measures = MEASURES,
    *,
    top: int | None = None,
    gap: str = SIGNED,
    hard: Exact = THIRD,
    easy: Exact = 2 * THIRD,
    profile: str | None = None,
    backend: str = "auto",
    **given: Any,
) -> Classification:
    """Classify the queries of qrels by the values of some runs (RS-BND-13).

    qrels: as of evaluate()
    runs: a list of runs, each as of evaluate(); each is a system
    measures: one metric at several cut-offs (default: nDCG at 5, 10, 15, 20 and 30)
    top: how many queries are ideal, and how many uninformative (default: a tenth of them)
    gap: uninformative queries have the smallest gap ("signed"), or the gap nearest to 0
        ("absolute")
    hard, easy: an uninformative query is hard if its expected and real values are at most this
        share of the ideal ranking's value, and easy if they are at least that share
    profile, backend: as of evaluate()
    **given: the conventions, as of evaluate(): ``ties="expected"``, say
    """
    chosen, conventions = profiles.chosen_conventions(profile, given, PARAMETERS)
    wanted = gap_measures(measures, conventions, chosen)
    runs = _listed("runs", runs)
    if not runs:
        raise InputError("runs: expected at least one, got none")
    judged = prepared(qrels, conventions, backend)
    kept: list[Kept] = [[] for _ in runs]
    found = [
        evaluate_by(conventions, chosen, judged, run, wanted_of(a, wanted), backend, kept=kept[a])
        for a, run in enumerate(runs)
    ]
    warn_of(found)
    return classification(found, wanted, top, gap, hard, easy, kept)


@standard_arithmetic
def classify_letor(
    file: Files,
    measures: Measures = MEASURES,
    *,
    features: Iterable[int] = (),
    predictions: Iterable[Any] = (),
    group: Groups | None = None,
    top: int | None = None,
    gap: str = SIGNED,
    hard: Exact = THIRD,
    easy: Exact = 2 * THIRD,
    profile: str | None = None,
    backend: str = "auto",
    **given: Any,
) -> Classification:
    """Classify the queries of a LETOR file, or of several, by some rankings (RS-CONV-21).

    file, group: as of evaluate_letor()
    features, predictions: lists of what evaluate_letor() takes; each item is a system
    measures, top, gap, hard, easy: as of classify()
    profile, backend: as of evaluate()
    **given: the conventions, as of evaluate_letor(): ``ties="input"``, say
    """
    rankings: list[RowRanking] = [
        *map(feature_of, _listed("features", features)),
        *map(Predictions, _listed("predictions", predictions)),
    ]
    of_letor = ("features", "predictions", "group")
    chosen, conventions = letor.letor_conventions(profile, given, (*PARAMETERS, *of_letor))
    named = {str(a): ranking for a, ranking in enumerate(rankings)}
    return classify_rankings(
        conventions, chosen, file, group, named, measures, top, gap, hard, easy, backend
    )


def _listed(name: str, systems: Any) -> list[Any]:
    """Return the systems of an argument; InputError for one file, dict or data frame."""
    complaint = f"{name}: expected a list of {name}, got {shown(systems)}"
    if isinstance(systems, Mapping) or is_file(systems) or is_frame(systems):
        raise InputError(complaint)
    return items_of(systems, complaint)


def classify_rankings(
    conventions: Conventions,
    profile: Profile | None,
    file: Files,
    group: Groups | None,
    rankings: Mapping[str, RowRanking],
    measures: Measures,
    top: int | None,
    gap: str,
    hard: Exact,
    easy: Exact,
    backend: str = "auto",
    progress: Progress | None = None,
) -> Classification:
    """As classify_letor(), with the conventions in one."""
    if not rankings:
        raise InputError("give features or predictions, which rank the rows (RS-CONV-21)")
    wanted = gap_measures(measures, conventions, profile)
    kept: dict[str, Kept] = {name: [] for name in rankings}
    found = letor.evaluate_rankings(
        *(conventions, profile, file, group, rankings, wanted, _bounds(wanted), backend, progress),
        kept=kept,
    )
    return classification(list(found.values()), wanted, top, gap, hard, easy, list(kept.values()))


def gap_measures(
    measures: Measures, conventions: Conventions, profile: Profile | None
) -> tuple[Measure, ...]:
    """One metric at some cut-offs."""
    chosen = chosen_measures(measures, conventions, profile)
    if not chosen:
        raise InputError("measures: expected at least one, got none")
    first = chosen[0]
    for measure in chosen[1:]:
        if (measure.metric, measure.choices) != (first.metric, first.choices):
            raise InputError(
                f'measures: "{first}" and "{measure}" differ in more than the cut-off; expected '
                "one metric at several cut-offs (RS-BND-12)"
            )
    if conventions.own_pool:
        raise InputError(
            'pool: with "retrieved" each run has its own pool, but the gap of a query needs one '
            'pool for all runs; use pool="judged" (RS-BND-12)'
        )
    if conventions.results != "double":
        raise InputError(
            'results: classify compares the values before rounding; leave results="double" '
            "(RS-CONV-40)"
        )
    if conventions.undefined in ("one", "nan", "error"):
        raise InputError(
            f'undefined: with "{conventions.undefined}" a query without an ideal has no gap; use '
            '"zero", "omit" or "omit-query" (RS-BND-12)'
        )
    return chosen


def wanted_of(system: int, measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """What is taken of a system: of the first one the bounds, too."""
    return measures if system else (*measures, *_bounds(measures))


def _bounds(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """RLB of each measure, then IUB of each."""
    measures = list(measures)
    return (*map(RLB, measures), *map(IUB, measures))


def classification(
    found: Sequence[Evaluation],
    measures: tuple[Measure, ...],
    top: int | None,
    gap: str,
    hard: Exact,
    easy: Exact,
    kept: Sequence[Kept],
) -> Classification:
    """The classes by the evaluations of several systems, of which the first has bounds too.

    kept: the ranked lists of each system, which settle what the values leave open
    """
    low, high = _thresholds(hard, easy, gap)
    first = found[0]
    for other in found:
        if other.queries != first.queries:
            raise InputError(
                f'queries: with "{first.conventions.queries}" the runs have different queries; '
                'use "qrels", which gives all the same (RS-CONV-9)'
            )
    columns = [x.per_query[str(measure)] for x in found for measure in measures]
    queries = [q for q in first.queries if all(q in column for column in columns)]
    n = _top(top, len(queries))
    means = _means(queries, measures, _Rankings(found, kept))
    of_queries = zip(queries, means, classes(means, n, gap, low, high), strict=True)
    return Classification(
        queries=tuple(_query_class(q, x, own) for q, x, own in of_queries),
        measures=measures,
        systems=len(found),
        top=n,
        by=gap,
        hard=low,
        easy=high,
        conventions=first.conventions,
        profile=first.profile,
    )


def _thresholds(hard: Exact, easy: Exact, gap: str) -> tuple[Fraction, Fraction]:
    """The shares of the bound up to which a query is hard, and from which it is easy."""
    if not is_named(gap, GAPS):
        raise InputError(
            f"gap: unknown rule {quoted(gap)}{hint(gap, GAPS)}; expected one of {listed(GAPS)} "
            "(RS-BND-13)"
        )
    low, high = Fraction(exact(hard, "hard")), Fraction(exact(easy, "easy"))
    if low > high:
        raise InputError(f"hard: {low} is above easy, {high} (RS-BND-13)")
    return low, high


def _means(queries: Sequence[str], measures: Sequence[Measure], rankings: _Rankings) -> list[Means]:
    """Of each query the means over the cut-offs: of the systems, of RLB and of IUB."""
    of_lists = [(t, measure) for t in range(len(rankings.found)) for measure in measures]
    bounds = [(0, bound) for bound in _bounds(measures)]  # of the first system
    of_pool = bounds[: len(measures)], bounds[len(measures) :]
    return [Means(*(rankings.mean(q, parts) for parts in (of_lists, *of_pool))) for q in queries]


def _query_class(query: str, means: Means, own: tuple[str, ...]) -> QueryClass:
    return QueryClass(
        query=query,
        expected=nearest_double(means.E.near),
        real=nearest_double(means.A.near),
        bound=nearest_double(means.IUB.near),
        gap=means.gap.double,
        classes=own,
    )


class _Rankings:
    """The rankings of the queries by several systems, and what measures are of them."""

    def __init__(self, found: Sequence[Evaluation], kept: Sequence[Kept]) -> None:
        self.found = found
        self.places = [  # {query and conventions: the lists that it is in, and where}
            {(q, by): (ranked, a) for by, ranked in of_system for a, q in enumerate(ranked.queries)}
            for of_system in kept
        ]
        self.batches: dict[tuple[int, Metric], Batch] = {}
        self.known: dict[tuple[Any, ...], Summand] = {}

    def mean(self, q: str, parts: Sequence[tuple[int, Measure]]) -> RealSum:
        """The mean of the values that systems have by measures; parts: (system, measure)."""
        doubles = [self.found[t].per_query[str(measure)][q] for t, measure in parts]

        def summands() -> list[Summand]:
            return [
                self._summand(q, t, measure, x)
                for (t, measure), x in zip(parts, doubles, strict=True)
            ]

        return mean_of_reals(doubles, summands)

    def _summand(self, q: str, system: int, measure: Measure, double: float) -> Summand:
        """One for all lists with the same labels, of the same pool."""
        of_system = self.found[system]
        by = of_system.otherwise.get(str(measure), of_system.conventions)
        ranked, a = self.places[system][q, by]
        batch = self.batches.get((id(ranked), measure.metric))
        if batch is None:  # it is made of all lists at once
            batch = self.batches[id(ranked), measure.metric] = batch_of(measure, ranked)
        x = batch.ranking(a)
        groups = () if measure.metric.of_pool else tuple(map(tuple, x.groups))
        key = (measure, x.length, groups, tuple(sorted(x.pool)))
        if key not in self.known:
            self.known[key] = Summand(double, lambda R: value(measure, x, R))
        return self.known[key]


def _top(top: int | None, queries: int) -> int:
    """How many queries each of the two sets has."""
    if top is None:
        return -(-queries // SHARE)
    if type(top) is not int or top < 1:
        raise InputError(f"top: expected a whole number from 1 on, got {shown(top)} (RS-BND-13)")
    if top > queries:
        raise InputError(
            f"top: expected at most {queries}, the number of queries with a gap, got "
            f"{shown(top)} (RS-BND-13)"
        )
    return top


# ---- as text -----------------------------------------------------------------------------


def table(found: Classification, digits: int = 4) -> str:
    """A row a query, in 80 columns; the classes at the right."""
    of = attrgetter("expected", "real", "gap")
    rows = [
        (x.query, [*(render.short_cell(y, digits) for y in of(x)), ", ".join(x.classes)])
        for x in found.queries
    ]
    counts = ", ".join(f"{n} {name}" for name, n in found.counts().items())
    lines = [
        render.columns("query", ["expected", "real", "gap", "classes"], rows),
        "",
        *render.wrapped(f"{len(rows)} queries: {counts}", "  "),
        *render.wrapped(_how(found), "  "),
    ]
    return "".join(f"{line.rstrip()}\n" for block in lines for line in block.split("\n"))


def _how(found: Classification) -> str:
    """What the classes are made by."""
    systems = f"{found.systems} system{'s' * (found.systems != 1)}"
    chosen = {"top": found.top, "gap": found.by, "hard": found.hard, "easy": found.easy}
    chosen |= {"profile": found.profile} if found.profile else {}
    chosen |= {"ties": found.conventions.ties} | differing(found.conventions)
    written = ", ".join(f"{name}: {x}" for name, x in chosen.items())
    measures = ", ".join(short_lists(map(str, found.measures)))
    return f"{systems}, {measures}; {written}"


def tsv(found: Classification, digits: int | None = None) -> str:
    """Tab-separated: query, expected, real, bound, gap, classes."""
    lines = ["query\texpected\treal\tbound\tgap\tclasses\n"]
    for x in found.queries:
        numbers = (x.expected, x.real, x.bound, x.gap)
        cells = [render.cell(y, digits) for y in numbers]
        lines.append("\t".join([render.one_cell(x.query), *cells, ",".join(x.classes)]) + "\n")
    return "".join(lines)
