"""An evaluation in parts: blocks of whole queries, wherever they are, merged without a rounding.

Whoever holds qrels and a run in many places gives each place's rows to ``block_of()``, all rows of
a query in one block. A block has the values of its queries, and a :class:`Part`; the parts of all
blocks, in any order and grouping, make what needs all queries: the means, the errors and warnings
about the whole, and how many queries there are. Values and means have the bits that
``rs.evaluate()`` gives for all rows at once.

A part has a few numbers of each measure. Only where a mean cannot be had of a sum, it has each
different value with its number: of a geometric mean (RS-CONV-53), and of the queries that a lowest
or highest mean may leave out (RS-CONV-14).

Spec: RS-CONV-54
"""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any, NamedTuple

from ..api.means import PartialMean
from ..compute.arithmetic import standard_arithmetic
from ..compute.backends import answering
from ..errors import InputError
from ..formats.columns import Columns
from ..formats.frames import Label
from ..metrics.measure import Measure
from . import plausibility
from .conventions import Conventions
from .evaluate import (
    Answer,
    answer,
    by_query,
    check_below_0,
    check_defined,
    check_gains,
    check_labels,
    judged_by,
    mean_of,
    optional_queries,
    prepared,
    ranks_read,
    refuse_without_pairs,
    rounded,
)
from .extremes import extreme_part
from .plans import Plan
from .ranked import OF_FILES, Judged, JudgedTable, RankedLists, chosen_queries

Values = list[float | None]


@dataclass(frozen=True)
class MeanPart:
    """What the mean of a measure needs of some queries.

    sure: the values that have a part in it for sure; nan: how many are NaN
    held: {value: how many queries have it}, of those that are decided when all are known
    """

    sure: PartialMean = field(default_factory=PartialMean)
    nan: int = 0
    held: Mapping[float, int] = field(default_factory=Counter)

    def __add__(self, other: MeanPart) -> MeanPart:
        held = Counter(self.held)
        held.update(other.held)
        return MeanPart(self.sure + other.sure, self.nan + other.nan, held)


@dataclass(frozen=True)
class Part:
    """What the whole needs of some queries; parts are added, in any order.

    means: of each measure, in the order of the plan
    judged, retrieved, common: how many queries are in the qrels, in the run and in both
    queries: how many are evaluated; without_relevant: how many of these have no label above 0
    here, there: the first query, as texts are sorted, that is in the qrels or in the run alone
    highest, least: the highest label that counts, at least 0, and the least, where a measure asks
    has_judged: whether a retrieved document is judged; unlike: (query, judged, retrieved), ids of
        which none is in both (RS-CONV-27)
    unusual: how many labels are like no label, and how many there are; among: the least and the
        highest score, where all are like labels, and else None; () of no score (RS-CONV-28)
    """

    means: tuple[MeanPart, ...] = ()
    judged: int = 0
    retrieved: int = 0
    common: int = 0
    queries: int = 0
    without_relevant: int = 0
    here: str | None = None
    there: str | None = None
    highest: Label = 0
    least: Label | None = None
    has_judged: bool = False
    unlike: tuple[str, str, str] | None = None
    unusual: tuple[int, int] = (0, 0)
    among: tuple[Any, ...] | None = ()

    def __add__(self, other: Part) -> Part:
        a, b = self, other
        if not (a.means and b.means):
            means = a.means or b.means
        else:
            means = tuple(x + y for x, y in zip(a.means, b.means, strict=True))
        both = None if a.among is None or b.among is None else (*a.among, *b.among)
        return Part(
            means,
            a.judged + b.judged,
            a.retrieved + b.retrieved,
            a.common + b.common,
            a.queries + b.queries,
            a.without_relevant + b.without_relevant,
            _least(a.here, b.here),
            _least(a.there, b.there),
            max(a.highest, b.highest),
            _least(a.least, b.least),
            a.has_judged or b.has_judged,
            _least(a.unlike, b.unlike),
            (a.unusual[0] + b.unusual[0], a.unusual[1] + b.unusual[1]),
            (min(both), max(both)) if both else both,
        )

    def __bytes__(self) -> bytes:
        """The part, to be sent to whoever merges; by pickle, between processes of one user."""
        return pickle.dumps(self)

    @staticmethod
    def from_bytes(given: bytes) -> Part:
        """The part that bytes() gave, in a process of this same program."""
        part = pickle.loads(given)  # noqa: S301 - of our own executors, which run our code
        assert isinstance(part, Part)  # noqa: S101
        return part


def _least(a: Any, b: Any) -> Any:
    return min((x for x in (a, b) if x is not None), default=None)


class Block(NamedTuple):
    """Some queries, evaluated: their ids, of each measure their values, and their part."""

    queries: list[str]
    values: list[Values]
    part: Part


@dataclass(frozen=True)
class Whole:
    """What is known of all queries when their parts are merged. See Evaluation.

    queries, missing, extra, without_relevant: how many there are
    """

    mean: dict[str, float]
    queries: int
    missing: int
    extra: int
    highest: Label
    warnings: tuple[str, ...]
    without_relevant: int = 0


@standard_arithmetic
def block_of(
    plan: Plan,
    qrels: Columns | None,
    run: Columns,
    *,
    highest: Label | None = None,
    grades: Mapping[Label, Label] | None = None,
    backend: str = "auto",
) -> Block:
    """The values of the queries of a block: all their rows, and no other's.

    qrels: None where no query of the block has any
    highest: the highest label of all blocks, where needs_highest(); highest_of() says it of one
    """
    judged = _judged(plan, qrels, grades, backend)
    if plan.open_below_0:
        check_below_0(plan.profile, plan.conventions, plan.measures, judged)
    check_labels(plan.profile, plan.conventions, judged)
    check_gains(plan.picky, judged, plan.usual)
    top = judged.highest if highest is None else highest
    of_groups = [
        _of_group(judged.under(own), run, own, few, top, backend) for own, few in plan.groups
    ]
    evaluated, part, _ = of_groups[0]
    of_measure = {
        measure: x
        for (_, few), (_, _, found) in zip(plan.groups, of_groups, strict=True)
        for measure, x in zip(few, found, strict=True)
    }
    found = [of_measure[measure] for measure in plan.measures]
    if qrels is not None and not plan.conventions.scored and plan.conventions.ordered_by == "score":
        part = replace(
            part,
            unusual=plausibility.unusual_labels(qrels, plan.conventions.how),
            among=plausibility.among_labels(run) if len(run) else (),
        )
    least = None
    if any(measure.metric.in_pairs for measure in plan.measures):
        least = min(judged.distinct_labels(), default=None)
    part = replace(part, means=tuple(x for _, x in found), highest=judged.highest, least=least)
    return Block(evaluated, [column for column, _ in found], part)


def needs_highest(plan: Plan) -> bool:
    """Whether values depend on the highest label of all queries (RS-CONV-14)."""
    return any(own.extreme for own, _ in plan.groups)


@standard_arithmetic
def highest_of(
    plan: Plan,
    qrels: Columns | None,
    grades: Mapping[Label, Label] | None = None,
    backend: str = "auto",
) -> Label:
    """The highest label of a block that counts, at least 0."""
    return _judged(plan, qrels, grades, backend).highest


def _judged(
    plan: Plan, qrels: Columns | None, grades: Mapping[Label, Label] | None, backend: str
) -> Judged:
    if qrels is not None:
        return prepared(
            judged_by(qrels, plan.conventions, None, grades)[0], plan.conventions, backend
        )
    if answering(backend) == "reference":
        return JudgedTable({}, plan.conventions)
    from .joined import judgments_of_table  # the compiled core

    return judgments_of_table({})


def _of_group(
    judged: Judged,
    run: Columns,
    conventions: Conventions,
    measures: Sequence[Measure],
    highest: Label,
    backend: str,
) -> tuple[list[str], Part, list[tuple[Values, MeanPart]]]:
    """The queries, what is known of them, and the values of measures with these conventions."""

    def work(ranked: RankedLists) -> Answer:
        return answer(measures, ranked, conventions, highest, backend)

    ranks = ranks_read(measures, conventions)
    pieces = judged.map_run(run, conventions, work, ranks=ranks)
    retrieved = [query for piece in pieces for query in piece.queries]
    has_judged = any(piece.result.has_judged for piece in pieces)
    known, own = set(judged.queries), set(retrieved)
    missing = [query for query in judged.queries if query not in own]
    if missing and conventions.queries == "qrels":
        pieces.append(judged.empty_lists(missing, conventions, work))
    evaluated = _evaluated(judged.queries, retrieved, conventions.queries)
    irrelevant = {query for piece in pieces for query in piece.result.irrelevant}
    optional = optional_queries(
        measures, [(piece.queries, piece.result.omissible) for piece in pieces]
    )
    found = []
    for a, measure in enumerate(measures):
        columns = [(piece.queries, piece.result.values[a]) for piece in pieces]
        values_of = by_query(evaluated, columns)
        part = _mean_part(measure, values_of, optional.get(str(measure), set()), conventions)
        double = {query: rounded(x, conventions.results) for query, x in values_of.items()}
        found.append(([double.get(query) for query in evaluated], part))
    common = len(known & own)
    unlike = None
    if common and not has_judged:
        pairs = list(zip(run.queries.texts(), run.documents.texts(), strict=True))
        if conventions.depth is not None:  # a document below it may be judged
            has_judged = plausibility.one_is_judged(pairs, judged.documents_of)
        unlike = plausibility.unlike_documents(pairs, judged.documents_of)
    return (
        evaluated,
        Part(
            judged=len(judged.queries),
            retrieved=len(retrieved),
            common=common,
            queries=len(evaluated),
            without_relevant=len(irrelevant.intersection(evaluated)),
            here=min(known - own, default=None),
            there=min(own - known, default=None),
            has_judged=has_judged,
            unlike=unlike,
        ),
        found,
    )


def _evaluated(judged: list[str], retrieved: list[str], rule: str) -> list[str]:
    """The queries of a block that are evaluated; that there is none is no error of a block."""
    if rule == "both":
        there = set(retrieved)
        return [query for query in judged if query in there]
    return chosen_queries(judged, retrieved, rule)


def _mean_part(
    measure: Measure, known: dict[str, float], optional: set[str], conventions: Conventions
) -> MeanPart:
    """known: the values of the queries that have one"""
    check_defined({str(measure): known}, conventions)
    if not all(map(math.isfinite, known.values())):
        mean_of(measure, known)  # which refuses what is infinite
        known_nan = sum(map(math.isnan, known.values()))
        return MeanPart(nan=known_nan)
    if measure.metric.average.of_part is None:
        return MeanPart(held=Counter(known.values()))
    if not optional:
        return MeanPart(PartialMean.of(known.values()))
    held = Counter(x for query, x in known.items() if query in optional)
    return MeanPart(PartialMean.of(x for q, x in known.items() if q not in optional), held=held)


@standard_arithmetic
def merged(plan: Plan, parts: Iterable[Part]) -> Whole:
    """The whole that all parts make; an InputError where no queries are there to be evaluated."""
    part = reduce(add, parts, Part())
    conventions = plan.conventions
    if not part.judged:
        raise InputError("qrels: empty; expected rows (query, document, label) (RS-CONV-9)")
    if conventions.queries == "both" and not part.common:
        chosen_queries([part.here or ""], [], "both", OF_FILES)  # which has the words
    refuse_without_pairs(plan.measures, part.least)
    own = {measure: conventions for conventions, few in plan.groups for measure in few}
    return Whole(
        mean={
            str(m): rounded(_mean(m, x, own[m]), own[m].results)
            for m, x in zip(plan.measures, part.means, strict=True)
        },
        queries=part.queries,
        missing=part.judged - part.common,
        extra=0 if conventions.evaluates_run else part.retrieved - part.common,
        highest=part.highest,
        warnings=tuple(_warnings(part)),
        without_relevant=part.without_relevant,
    )


def _mean(measure: Measure, part: MeanPart, conventions: Conventions) -> float:
    average = measure.metric.average
    if part.nan:
        return math.nan
    if average.of_part is None:
        held = list(Counter(part.held).elements())
        return average.of(measure, held) if held else math.nan
    of = part.sure
    if part.held:
        of = extreme_part(of, part.held, conventions.extreme == "highest")
    return average.of_part(of.total, of.count) if of.count else math.nan


def _warnings(part: Part) -> Iterable[str]:
    """What of the input is hardly meant (RS-CONV-27, RS-CONV-28)."""
    if not part.retrieved:
        yield plausibility.about_queries([part.here or ""], []) or ""
    elif plausibility.are_few(part.judged, part.retrieved, part.common):
        yield plausibility.few_queries(
            part.judged, part.retrieved, part.common, part.here or "", part.there or ""
        )
    if part.unlike and not part.has_judged:
        yield plausibility.no_documents(part.common, *part.unlike)
    unusual, of = part.unusual
    if 2 * unusual > of and part.among:
        yield plausibility.swapped((part.among[0], part.among[-1])) or ""
