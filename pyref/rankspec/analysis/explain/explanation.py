"""Why a value is what it is: the ranking of one query, rank by rank.

    >>> print(explain("qrels.txt", "a.run", "q1", "nDCG@10"))           # doctest: +SKIP

Nothing is computed in a second way. What a rank contributes is its summand of the total, as the
certified reference's own equation adds it up (:mod:`rankspec.summands`); each number shown is the
double nearest to the real one (RS-NUM-1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from ...compute.arithmetic import standard_arithmetic
from ...compute.gain import Discount
from ...errors import CoreMissing, InputError, nearest, shown, shown_text
from ...evaluation import profiles
from ...evaluation.by_measure import Definition
from ...evaluation.evaluate import check_gains, check_labels, left_out, values
from ...evaluation.measures import chosen_measures
from ...evaluation.profiles import Conventions
from ...evaluation.ranked import JudgedTable, chosen_queries, judgments, lists, ranking
from ...evaluation.result import Evaluation
from ...evaluation.scores_as_labels import batch_of
from ...formats import trec
from ...formats.frames import Label, QrelsLike, RunLike, labels_of, scores_of
from ...formats.streams import is_file
from ...metrics import grammar
from ...metrics.bounds import ANY_ORDER, bound_named, ideal_ranking, parts_of
from ...metrics.cascade import stop_table
from ...metrics.measure import Divisor, Measure, Ranking, Reading, make
from ...metrics.relevance import gain_of
from ...reference import dcg, precision, ties
from ...reference.dcg import ideal
from ...reference.numbers.enclosure import Enclosures
from ...reference.numbers.reals import Exact, Number, Reals
from ...reference.numerics import Value, nearest_double, nearest_double_of
from ...reference.precision import probability_relevant, relevance
from .terms import InSummands, summands
from .text import json, table

__all__ = ["Explanation", "Row", "explain", "json", "table"]


@dataclass(frozen=True)
class Row:
    """One rank.

    document, score: None beyond the end of the list, and where any order is meant
    label: as judged, None where the document is not, or there is none; counted: what it counts as
        (RS-CONV-8), None where labels are scores and it has none (RS-CONV-20)
    tied: the first and the last rank of the tie group; None: no other document has this score
    gain, discount: of gain-based metrics; relevant, precision: of binary ones (1 or 0, and P at
        this rank), and of GAP how probable it is that the document is relevant (RS-PREC-8), and
        what the rank adds over that. Where ties are left open, gain and relevant are the means
        over the tie group.
    contribution: what the rank adds to the total; running: the total up to here
    expected: a divisor that grows with the list, as it is for a list that ends here
    phi: the relevance that is made of the label where that is a score, the mean over tied ones
    reached, stop: of ERR and nERR, the probability that the user gets to this rank, and that who
        sees the document stops there, the mean over tied ones
    weight, unjudged: of RBP, what a relevant document adds at this rank; of its residual, too, and
        1 where nobody has judged the document, else 0, the mean over tied ones
    ideal_label, ideal_contribution: the same rank of the ideal ranking, where the metric has one
    """

    rank: int
    document: str | None
    score: Exact | None
    label: Label | None
    counted: Label | None
    tied: tuple[int, int] | None
    contribution: float
    running: float
    gain: float | None = None
    discount: float | None = None
    relevant: float | None = None
    precision: float | None = None
    expected: float | None = None
    ideal_label: Label | None = None
    ideal_contribution: float | None = None
    phi: float | None = None
    reached: float | None = None
    stop: float | None = None
    weight: float | None = None
    unjudged: float | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """The value of a measure for one query, and how it comes about; prints as a table.

    value: what evaluate() gives; None: it is undefined, and left out (RS-CONV-4)
    total, divisors: the value is the total over each of the divisors (by their names), 0 where one
        is 0; there is none for a metric that is a sum over ranks itself. Of a bound, the value of
        the measure that it is a bound of; None: it is the value of no order of the pool
    beyond: what is no rank's of the total: what the residual of RBP has below the list
    parts: of a bound, the numbers that it is made of: A, IUB, RLB, WLB, variance
    spread: of a variance, the numbers that its closed form is made of: the variance of the gains,
        the sum of what a gain of 1 adds, and that of the squares; or E[A^2]
    shown_by_ideal: how many results the ideal list shows; None where the metric has none
    rows: the ranks within the cut-off, to the end of the list or of the ideal ranking; the ideal
        has rows beyond the cut-off where it is not cut (RS-DCG-7)
    retrieved: how many documents the run has for the query; None: the run lacks it (RS-CONV-9)
    listed: how many of them are in the list that is evaluated (RS-CONV-13, RS-CONV-16)
    pool: how many documents the pool has (RS-CONV-3, RS-CONV-17)
    expected: whether the value is an expectation over tied documents
    left_out: whether the query has no value of any measure (RS-CONV-4, "omit-query")
    conventions: what was chosen; definition: all of it in words, with the spec IDs
    ranking: what orders the rows of a LETOR file (RS-CONV-21); None of a run
    """

    measure: Measure
    query: str
    value: float | None
    total: float | None
    divisors: dict[str, float]
    beyond: float | None
    parts: dict[str, float]
    spread: dict[str, float]
    shown_by_ideal: int | None
    rows: tuple[Row, ...]
    retrieved: int | None
    listed: int
    pool: int
    expected: bool
    conventions: Conventions
    definition: Definition
    left_out: bool = False
    ranking: str | None = None

    def __repr__(self) -> str:
        """What it is of, in a line."""
        number = f"value: {self.value}, ranks: {len(self.rows)}"
        return f"<Explanation of {self.measure}, query {shown_text(self.query)}; {number}>"

    @property
    def ties(self) -> str:
        """The rule for equal scores."""
        return self.conventions.ties

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it; fractions become doubles."""
        return {
            "measure": str(self.measure),
            "query": self.query,
            "conventions": profiles.as_text(self.conventions),
            "value": self.value,
            "total": self.total,
            "divisors": self.divisors,
            "beyond": self.beyond,
            "parts": self.parts,
            "spread": self.spread,
            "shown_by_ideal": self.shown_by_ideal,
            "retrieved": self.retrieved,
            "listed": self.listed,
            "pool": self.pool,
            "expected": self.expected,
            "left_out": self.left_out,
            "definition": dict(self.definition),
            "rows": [
                asdict(row)
                | {
                    "score": None if row.score is None else nearest_double(row.score),
                    "tied": None if row.tied is None else list(row.tied),
                }
                for row in self.rows
            ],
        }

    @property
    def documents(self) -> int:
        """How many there are of the list, or of the pool where the measure is of that alone."""
        return self.pool if self.measure.metric.of_pool else self.listed

    def __str__(self) -> str:
        return table(self).rstrip("\n")


def explain(
    qrels: QrelsLike,
    run: RunLike,
    query: str,
    measure: str | Measure,
    *,
    profile: str | None = None,
    **given: Any,
) -> Explanation:
    """Explain the value of a measure for a query: why it is what it is, rank by rank.

    qrels, run: as of evaluate()
    query: one of the qrels
    measure: one, "nDCG@10" or rs.nDCG(k=10)
    profile: as of evaluate()
    **given: the conventions, as of evaluate(): ``ties="expected"``, say

    Raises InputError for whatever the spec does not admit, for a query without judgments, for a
    name that stands for several measures, and for unjudged="lowest" or "highest", where there
    are no labels to show.
    """
    return explain_ranked(qrels, run, query, measure, profile, given)


@standard_arithmetic
def explain_ranked(
    qrels: QrelsLike,
    run: RunLike,
    query: str,
    measure: str | Measure,
    profile: str | None,
    given: Mapping[str, Any],
    by: str | None = None,
) -> Explanation:
    """Explain a value as explain() does.

    by: what orders the rows of a LETOR file (RS-CONV-21), which qrels and run were made of
    """
    chosen_profile, conventions = profiles.chosen_conventions(profile, given)
    if conventions.unjudged in ("lowest", "highest"):
        raise InputError(
            f'explain: with unjudged="{conventions.unjudged}" a value belongs to judgments that '
            "nobody made; there are no labels to show (RS-CONV-14)"
        )
    chosen = chosen_measures(measure, conventions, chosen_profile)
    if len(chosen) != 1:
        raise InputError(f"explain: one measure, please; these are {', '.join(map(str, chosen))}")
    query = trec.canonical_id(query) if isinstance(query, str) else query
    labels = labels_of(qrels, conventions.how)
    if chosen_profile is not None:
        conventions = chosen_profile.conventions_of(chosen[0], conventions)
    queries, scored = _scores_of(run, query, conventions)
    file = "qrels" if by is None else "file"
    _check_query(query, labels, queries, conventions.queries, file)
    run_of_query = {query: scored} if query in queries else {}
    one = {query: labels.get(query, {})}
    check_labels(chosen_profile, conventions, JudgedTable(labels, conventions))
    evaluation = _evaluation(chosen[0], one, run_of_query, conventions, profile)
    counted = judgments(labels | one, conventions)
    highest = max((label for own in counted.values() for label in own.values()), default=0)
    evaluation = replace(evaluation, highest=highest, ranking=by)
    documents, starts = ranking(query, scored, counted[query], conventions)
    if conventions.order != "score":  # what orders the documents is no score to be shown
        scored = {}
    batch = batch_of(chosen[0], lists([query], counted, run_of_query, conventions))
    ranked = batch.ranking(0)
    listed = len(documents)
    k = chosen[0].depth(len(ranked.labels), len(ranked.pool))
    shown = _shown(chosen[0], ranked, k)
    if chosen[0].metric.bound in ANY_ORDER:
        documents = []
    elif chosen[0].metric.of_pool:
        documents = _pool_in_order(chosen[0], documents, counted[query], conventions)
        scored = {}
    if shown is not ranked and shown is not None:
        starts = [int(a == 0) for group in shown.groups for a in range(len(group))]
    sums = _Sums(chosen[0].inner, shown, k) if shown else None
    best = _ideal_beside(chosen[0], ranked, k)
    found = _rows(sums, best, documents, starts, scored, one[query], counted[query]) if sums else ()
    return Explanation(
        measure=chosen[0],
        query=query,
        value=evaluation.per_query[str(chosen[0])].get(query),
        total=sums.total(sums.k) if sums else None,
        divisors=sums.divisors() if sums else {},
        beyond=sums.beyond() if sums else None,
        parts=_parts(chosen[0], ranked, k),
        spread=_spread(chosen[0], shown, k) if shown else {},
        shown_by_ideal=_shown_by_ideal(chosen[0].inner, ranked, k),
        rows=tuple(found),
        retrieved=len(run_of_query[query]) if run_of_query else None,
        listed=listed,
        pool=len(ranked.pool),
        expected=shown.tied if shown else ranked.tied,
        conventions=conventions,
        definition=evaluation.definition(str(chosen[0])),
        left_out=left_out(chosen[0], batch, conventions)[0],
        ranking=by,
    )


def _shown(measure: Measure, ranked: Ranking, k: int) -> Ranking | None:
    """The ranking that is taken apart, where the value is that of one."""
    metric = measure.metric
    if metric.of is not None:
        return bound_named(metric.bound).shown(measure, ranked, k)
    if metric.of_pool:
        best = ideal(ranked.pool)[: _shown_by_ideal(measure, ranked, k)]
        return Ranking.settled(best, ranked.pool)
    return ranked


def _pool_in_order(
    measure: Measure,
    documents: Sequence[str],
    judged: Mapping[str, Label],
    conventions: Conventions,
) -> list[str]:
    """The documents of the pool, best first; the worst ranking has the best last.

    documents: those of the list
    """
    pool = judged if conventions.pool == "judged" else documents
    if measure.metric.relevance:  # what has no score is not in the pool (RS-CONV-20)
        pool = [document for document in pool if document in judged]
    best_first = measure.metric.bound != "WLB"
    return sorted(pool, key=lambda document: judged.get(document, 0), reverse=best_first)


def _ideal_beside(measure: Measure, ranked: Ranking, k: int) -> _Sums | None:
    """The ideal ranking that is shown beside the list: what is divided by, or IUB."""
    metric, inner = measure.metric, measure.inner
    if metric.of_pool:
        return None
    shown = _shown_by_ideal(inner, ranked, k)
    if shown is not None:
        return _Sums(inner, _ideal_of(ranked), shown)
    best = ideal_ranking(measure, ranked, k) if parts_of(measure) else None
    return _Sums(inner, best, min(k, len(best.labels))) if best else None


def _parts(measure: Measure, ranked: Ranking, k: int) -> dict[str, float]:
    """The numbers that a bound is made of."""
    return {
        name: nearest_double_of(lambda R, part=part: part(measure, ranked, k, R))  # type: ignore[misc]
        for name, part, _ in parts_of(measure)
    }


NOT_LINEAR = ("RR", "SP", "AP")  # of these the variance is E[A^2] - E[A]^2 (RS-EXP-21, RS-EXP-22)


def _spread(measure: Measure, pool: Ranking, k: int) -> dict[str, float]:
    """The numbers that a variance is made of. Spec: RS-EXP-20"""
    if measure.metric.bound != "variance":
        return {}
    inner = measure.inner
    if inner.metric.name in NOT_LINEAR:
        ((_, mean, _),) = parts_of(measure)

        def square(R: Reals) -> Number:
            E = mean(measure, pool, k, R)
            return measure.metric.plain(measure, pool, k, R) + E * E

        return {"E[A^2]": nearest_double_of(square)}
    sums = _Sums(inner, pool, k)
    n = len(pool.labels)
    ranks = range(1, min(k, n) + 1)

    def variance_of_gains(R: Reals) -> Number:
        gains = [sums.worth(label, R) for label in pool.labels]
        if not gains:  # of the empty pool (RS-EXP-20)
            return R.exact(0)
        average = sum(gains, R.exact(0)) / n
        return sum(((x - average) * (x - average) for x in gains), R.exact(0)) / n

    return {
        "variance of gains": nearest_double_of(variance_of_gains),
        "sum": nearest_double_of(lambda R: sum((sums.factor(i, R) for i in ranks), R.exact(0))),
        "sum of squares": nearest_double_of(
            lambda R: sum((sums.factor(i, R) * sums.factor(i, R) for i in ranks), R.exact(0))
        ),
    }


def _scores_of(
    run: RunLike, query: str, conventions: Conventions
) -> tuple[list[str], Mapping[str, Exact]]:
    """The queries of a run, and the scores of one of them."""
    if is_file(run) and isinstance(query, str):
        with suppress(CoreMissing):
            from ...evaluation.joined import scores_of_query

            return scores_of_query(run, query, conventions)
    scores = scores_of(run, conventions.how)
    return list(scores), scores.get(query, {})


def _check_query(
    query: str, labels: Mapping[str, Any], queries: Sequence[str], rule: str, file: str
) -> None:
    """An InputError where the query is none of those that are evaluated (RS-CONV-9).

    file: what has the queries: the "qrels", or the "file" of LETOR
    """
    named = shown_text(query) if isinstance(query, str) else shown(query)
    if query not in labels and query not in queries:
        near = nearest(query if isinstance(query, str) else shown(query), labels, cutoff=0.5)
        hint = f"; did you mean {shown_text(near)}?" if near else ""
        raise InputError(f"query {named} is not in the {file}{hint}")
    if query in chosen_queries(labels, queries, rule):
        return
    if query in labels:
        raise InputError(
            f'query {named} is not in the run; queries="{rule}" leaves it out (RS-CONV-9)'
        )
    raise InputError(f"query {named} is in the run, but has no judgments (RS-CONV-9)")


def _evaluation(
    measure: Measure,
    labels: Mapping[str, Mapping[str, Label]],
    run: Mapping[str, Mapping[str, Exact]],
    conventions: Conventions,
    profile: str | None,
) -> Evaluation:
    """The evaluation of the query alone, without a mean."""
    judged = JudgedTable(labels, conventions)
    check_gains([measure], judged)
    ranked = lists(labels, judged.counted, run, conventions)
    ((value,),) = values([measure], ranked, conventions, judged.highest, "reference")
    per_query = {query: value for query in labels if value is not None}
    return Evaluation(
        measures=(measure,),
        queries=tuple(labels),
        per_query={str(measure): per_query},
        mean={},
        conventions=conventions,
        missing=(),
        profile=profile,
    )


def _shown_by_ideal(measure: Measure, ranked: Ranking, k: int) -> int | None:
    """How many results the ideal list shows, where the metric has one."""
    quotient = measure.metric.quotient
    if quotient is None or quotient.shown_by_ideal is None:
        return None
    return quotient.shown_by_ideal(measure, ranked, k)


# ---- a sum over ranks, taken apart -------------------------------------------------------


class _Sums:
    """The numbers of a ranking, each the double nearest to what the reference says."""

    def __init__(self, measure: Measure, ranking: Ranking, k: int | None = None) -> None:
        """k: the cut-off; None: the measure's."""
        self.measure = measure
        self.ranking = ranking
        self.k = measure.depth(len(ranking.labels), len(ranking.pool)) if k is None else k
        self.equation: Reading = (
            measure.metric.quotient.total if measure.metric.quotient else measure.metric.expected
        )
        self._readings: dict[int | None, Reals] = {}
        self._terms: dict[Reals, dict[int, Number]] = {}
        self._sums: dict[Reals, list[Number]] = {}
        self._reached: dict[Reals, list[Number]] = {}

    def total(self, i: int) -> float:
        return self._nearest(lambda R: self.equation(self.measure, self.ranking, i, R))

    def contribution(self, i: int) -> float:
        return self._nearest(lambda R: self.terms(R).get(i, 0))

    def running(self, i: int) -> float:
        return self._nearest(lambda R: self.sums(R)[min(i, len(self.sums(R)) - 1)])

    def terms(self, R: Reals) -> dict[int, Number]:
        """What each rank adds to the total, where the equation has a summand for it."""
        if R not in self._terms:
            terms: dict[int, Number] = {}
            for part, ranks in zip(self._parts(R), self._ranks_of_parts(), strict=False):
                for i in ranks:
                    own = part / len(ranks)
                    terms[i] = terms[i] + own if i in terms else own
            self._terms[R] = terms
        return self._terms[R]

    def _parts(self, R: Reals) -> list[Number]:
        return summands(self.equation(self.measure, self.ranking, self.k, InSummands(R)))

    def beyond(self) -> float | None:
        """The summand that is no rank's, where there is one."""
        if not self.measure.metric.sees_unjudged:
            return None
        return self._nearest(lambda R: self._parts(R)[-1])

    def sums(self, R: Reals) -> list[Number]:
        """The sums of the terms up to each rank: those of rank i are the i-th, from 0."""
        if R not in self._sums:
            terms = self.terms(R)
            last = max(terms, default=0)
            terms_in_order = (terms.get(i, 0) for i in range(1, last + 1))
            self._sums[R] = list(accumulate(terms_in_order, initial=R.exact(0)))
        return self._sums[R]

    def _ranks_of_parts(self) -> Iterator[Sequence[int]]:
        """The ranks that each summand of the total is for, in order.

        A number of hits adds up tie groups, which share a summand; the other sums add up ranks.
        What is made of SP adds up none where nothing is relevant, and graded SP is one SP for each
        label; the sum of RR ends with the first group. The last summand may be no rank's.
        """
        metric = self.measure.metric
        graded = "q" in metric.parameters
        for j in range(1, len(self.measure.q) + 1) if graded else [None]:
            for s, _, m, group in ties.placed(self.ranking.groups, self.k):
                ranks = range(s + 1, s + m + 1)
                if metric.quotient and metric.quotient.total_name == "hits":
                    yield ranks
                elif self._has_summands(group, j):
                    yield from ([i] for i in ranks)

    def _has_summands(self, group: Sequence[Exact], j: int | None) -> bool:
        parameters = self.measure.metric.parameters
        if j is not None:
            return any(relevance(group, j))
        return (
            "rel" not in parameters or "p" in parameters or any(relevance(group, self.measure.rel))
        )

    def divisors(self) -> dict[str, float]:
        quotient = self.measure.metric.quotient
        found = quotient.divisors if quotient else ()
        return {d.name(self.measure): self.divisor(d, self.k) for d in found}

    def divisor(self, divisor: Divisor, k: int) -> float:
        return self._nearest(lambda R: divisor.reading(self.measure, self.ranking, k, R))

    def expected(self, i: int) -> float | None:
        """The divisor that grows with the list, for a list that ends with rank i."""
        quotient = self.measure.metric.quotient
        for divisor in quotient.divisors if quotient else ():
            if divisor.by_rank and i <= min(self.k, len(self.ranking.labels)):
                return self.divisor(divisor, i)
        return None

    def gain(self, group: Sequence[Exact]) -> float:
        """The mean gain of a tie group: what its first rank alone is worth, undiscounted."""
        none = Discount("none")
        return self._nearest(lambda R: dcg.expected_dcg([group], 1, self._gain(R), none.of(R)))

    def _gain(self, R: Reals) -> Callable[[Exact], Number]:
        if self.measure.metric.relevance:
            return gain_of(self.measure, self.ranking, R)
        return self.measure.gain.of(R)  # type: ignore[no-any-return]

    def worth(self, label: Exact, R: Reals) -> Number:
        """The gain of a label, where the total is linear in the gains: of hits it is 1 or 0."""
        if self.measure.metric.binary:
            return R.exact(relevance([label], self.measure.rel)[0])
        return self._gain(R)(label)

    def factor(self, i: int, R: Reals) -> Number:
        """What a gain of 1 adds to such a total at a rank."""
        parameters = self.measure.metric.parameters
        if "discount" in parameters:
            return self.measure.discount.of(R)(i)
        return R.exact(self._weight(i) if "p" in parameters else 1)

    def phi(self, group: Sequence[Exact]) -> float:
        """The mean relevance of a tie group of scores."""
        relevance_of: Any = self.measure.metric.relevance
        of_score = relevance_of(self.measure, self.ranking.pool)
        return nearest_double(sum(map(of_score, group)) / Fraction(len(group)))

    def discount(self, i: int) -> float:
        return self._nearest(lambda R: self.measure.discount.of(R)(i))

    def relevant(self, group: Sequence[Exact]) -> float:
        indicators = [relevance(group, self.measure.rel)]
        return self._nearest(lambda R: precision.expected_hits(indicators, 1, R))

    def probability_relevant(self, group: Sequence[Exact]) -> float:
        """The mean probability, of a tie group, that an item is relevant, of GAP."""
        probabilities = (probability_relevant(x, self.measure.q) for x in group)
        return nearest_double(sum(probabilities) / Fraction(len(group)))

    def graded_precisions(self) -> list[float | None]:
        """Of each rank what it adds to GSP over how probable it is that the document is relevant.

        It is the precision there by each label up to the document's as the least relevant one,
        weighted by q (RS-PREC-9). None: the document is not relevant.
        """
        found: list[float | None] = []
        for group in self.ranking.groups:
            of_group = sum(probability_relevant(x, self.measure.q) for x in group)
            mean = Fraction(of_group) / len(group)
            ranks = range(len(found) + 1, len(found) + len(group) + 1)
            found += [
                self._nearest(lambda R, i=i, p=mean: self.terms(R).get(i, 0) / R.exact(p))  # type: ignore[misc]
                if mean
                else None
                for i in ranks
            ]
        return found[: self.k]

    def stop(self, group: Sequence[Exact]) -> float:
        """The mean probability, of a tie group, to stop at an item that is seen."""
        table = stop_table(self.measure)
        return nearest_double(sum(Fraction(table[int(x)]) for x in group) / len(group))

    def reached(self) -> Sequence[float]:
        """For each rank how probable it is that the user gets there, of ERR: a rank adds how
        probable it is that the user stops there, over the rank.
        """
        ranks = range(1, min(self.k, len(self.ranking.labels)) + 1)

        def before(R: Reals) -> list[Number]:
            if R not in self._reached:
                terms = self.terms(R)
                stops = (-i * terms[i] for i in ranks[:-1])
                self._reached[R] = list(accumulate(stops, initial=R.exact(1)))
            return self._reached[R]

        return [self._nearest(lambda R, i=i: before(R)[i - 1]) for i in ranks]  # type: ignore[misc]

    def weight(self, i: int) -> float:
        """What a relevant item adds at a rank, of RBP."""
        return nearest_double(self._weight(i))

    def _weight(self, i: int) -> Fraction:
        p = Fraction(self.measure.p)
        return (1 - p) * p ** (i - 1)

    def unjudged(self, group: Sequence[Exact | None]) -> float:
        """The share of the items of a tie group that nobody has judged."""
        return nearest_double(Fraction(sum(x is None for x in group), len(group)))

    def precision(self, i: int) -> float:
        """The precision at a rank, of the sums of a number of hits."""
        return self._nearest(lambda R: self.sums(R)[i] / i)

    def _nearest(self, value: Value) -> float:
        """A reading serves all ranks: enclosures remember the logarithms they know."""

        def remembering(reals: Reals) -> Number:
            precision = reals.precision if isinstance(reals, Enclosures) else None
            return value(self._readings.setdefault(precision, reals))

        return nearest_double_of(remembering)


def _precision(measure: Measure) -> Measure:
    """P of the same relevance."""
    return make(grammar.metric("P"), measure.k, rel=measure.rel)


def _rows(
    sums: _Sums,
    best: _Sums | None,
    documents: Sequence[str],
    starts: Sequence[int],
    scored: Mapping[str, Exact],
    judged: Mapping[str, Label],
    counted: Mapping[str, Label],
) -> Iterator[Row]:
    """The ranks within the cut-offs, to the end of the list and of what is ideal.

    best: what is ideal; starts: 1 where a tie group begins; documents: none for any order
    """
    metric = sums.measure.metric
    n = min(sums.k, len(sums.ranking.labels))
    documents = documents[:n]
    ideal_labels = best.ranking.labels[: best.k] if best else []
    unjudged = None if metric.relevance else 0
    tied = _tied(starts)
    of_rank = _of_ranks(sums)
    for i in range(1, max(n, len(ideal_labels)) + 1):
        document = documents[i - 1] if i <= len(documents) else None
        yield Row(
            rank=i,
            document=document,
            score=None if document is None else scored.get(document),
            label=None if document is None else judged.get(document),
            counted=None if document is None else counted.get(document, unjudged),
            tied=tied.get(i) if i <= n else None,
            discount=sums.discount(i) if "discount" in metric.parameters else None,
            contribution=sums.contribution(i),
            running=sums.running(i),
            expected=sums.expected(i),
            ideal_label=_plain(ideal_labels[i - 1]) if i <= len(ideal_labels) else None,
            ideal_contribution=best.contribution(i) if best and i <= len(ideal_labels) else None,
            weight=sums.weight(i) if "p" in metric.parameters else None,
            **{name: x[i - 1] if i <= len(x) else None for name, x in of_rank.items()},
        )


def _of_ranks(sums: _Sums) -> dict[str, Sequence[float | None]]:
    """What a metric asks of each rank of the list, by the name that it has in a row."""
    metric = sums.measure.metric
    mean = {
        "gain": sums.gain if "gain" in metric.parameters or metric.relevance else None,
        "phi": sums.phi if metric.relevance else None,
        "relevant": sums.relevant if metric.binary else None,
        "stop": sums.stop if "stop" in metric.parameters else None,
        "unjudged": sums.unjudged if metric.sees_unjudged else None,
    }
    if "q" in metric.parameters:
        mean["relevant"] = sums.probability_relevant
    groups = sums.ranking.groups
    found: dict[str, Sequence[float | None]] = {
        name: _of_groups(of_group, groups)[: sums.k] for name, of_group in mean.items() if of_group
    }
    if metric.binary and "p" not in metric.parameters:
        hits = _Sums(_precision(sums.measure), sums.ranking, sums.k)
        found["precision"] = [hits.precision(i) for i in range(1, len(found["relevant"]) + 1)]
    if "q" in metric.parameters:
        found["precision"] = sums.graded_precisions()
    if "stop" in metric.parameters:
        found["reached"] = sums.reached()
    return found


def _of_groups(
    mean: Callable[[Sequence[Exact]], float], groups: Sequence[Sequence[Exact]]
) -> list[float]:
    """The mean of something over the tie group of each rank."""
    return [x for group in groups for x in [mean(group)] * len(group)]


def _ideal_of(ranking: Ranking) -> Ranking:
    return Ranking.settled(ideal(ranking.pool), ranking.pool)


def _plain(label: Exact) -> Label:
    """A label of a batch in doubles as it was given: a whole number where it is one."""
    return int(label) if label == int(label) else float(label)


def _tied(starts: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The first and the last rank of the tie group of each rank that is in one (RS-TIE-1).

    starts: 1 where a tie group begins
    """
    firsts = [i for i, start in enumerate(starts, start=1) if start]
    return {
        i: (first, following - 1)
        for first, following in pairwise([*firsts, len(starts) + 1])
        if following - first > 1
        for i in range(first, following)
    }
