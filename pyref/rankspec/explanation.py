"""Why a value is what it is: the ranking of one query, rank by rank.

    >>> print(explain("qrels.txt", "a.run", "q1", "nDCG@10"))           # doctest: +SKIP

Nothing is computed in a second way. A sum over ranks is taken apart by its cut-off: what rank i
contributes is the sum at the cut-off i less the sum at i - 1. Both come from the certified
reference, and each number shown is the double nearest to the real one (RS-NUM-1).
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from . import profiles, report, trec
from .conventions import Discount
from .errors import InputError
from .evaluation import Definition, chosen_measures, evaluate_by
from .lists import judgments, lists, ranking
from .measure import Measure, Metric, Ranking, Reading
from .reference import expectation
from .reference.dcg import ideal, ideal_cutoff
from .reference.enclosure import Enclosures
from .reference.numerics import Value, nearest_double, nearest_double_of
from .reference.precision import relevance
from .reference.reals import Exact, Number, Reals
from .sources import Label, QrelsLike, RunLike, labels_of, scores_of


@dataclass(frozen=True)
class Row:
    """One rank.

    document, score: None beyond the end of the list
    label: as judged, None where the document is not; counted: what it counts as (RS-CONV-8)
    tied: the first and the last rank of the tie group; None: no other document has this score
    gain, discount: of gain-based metrics; relevant, precision: of binary ones (1 or 0, and P at
        this rank). Where ties are left open, gain and relevant are the means over the tie group.
    contribution: what the rank adds to the total; running: the total up to here
    ideal_label, ideal_contribution: the same rank of the ideal ranking, where the metric has one
    """

    rank: int
    document: str | None
    score: Exact | None
    label: Label | None
    counted: Label | None
    tied: tuple[int, int] | None
    gain: float | None
    discount: float | None
    relevant: float | None
    precision: float | None
    contribution: float
    running: float
    ideal_label: Label | None = None
    ideal_contribution: float | None = None


@dataclass(frozen=True)
class Explanation:
    """The value of a measure for one query, and how it comes about; prints as a table.

    value: what evaluate() gives; None: it is undefined, and left out (RS-CONV-4)
    total, divisor: the value is their quotient, 0 where the divisor is 0; divisor is None for a
        metric that is a sum over ranks itself
    rows: the ranks within the cut-off, to the end of the list or of the ideal ranking; the ideal
        has rows beyond the cut-off where it is not cut (RS-DCG-7)
    retrieved: how many documents the run has for the query; None: the run lacks it (RS-CONV-9)
    expected: whether the value is an expectation over tied documents
    definition: every convention, with its spec ID
    """

    measure: Measure
    query: str
    ties: str
    value: float | None
    total: float
    divisor: float | None
    rows: tuple[Row, ...]
    retrieved: int | None
    expected: bool
    definition: Definition

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it; fractions become doubles."""
        return {
            "measure": str(self.measure),
            "query": self.query,
            "ties": self.ties,
            "value": self.value,
            "total": self.total,
            "divisor": self.divisor,
            "retrieved": self.retrieved,
            "expected": self.expected,
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

    qrels, run, profile, and the conventions: as in evaluate(); query: one of the qrels;
    measure: one

    Raises InputError for whatever the spec does not admit, for a query without judgments, for a
    name that stands for several measures, and for unjudged="lowest" or "highest", where there
    are no labels to show.
    """
    chosen_profile = None if profile is None else profiles.profile(profile)
    # One query is explained, whichever are averaged.
    conventions = replace(profiles.conventions_of(chosen_profile, given), queries="qrels")
    if conventions.unjudged in ("lowest", "highest"):
        raise InputError(
            f'explain: with unjudged="{conventions.unjudged}" a value belongs to judgments that '
            "nobody made; there are no labels to show (RS-CONV-14)"
        )
    chosen = chosen_measures(measure, conventions, chosen_profile)
    if len(chosen) != 1:
        raise InputError(f"explain: one measure, please; these are {', '.join(map(str, chosen))}")
    labels = labels_of(qrels, conventions.duplicates)
    scores = scores_of(run, conventions.duplicates)
    _check_query(query, labels, scores)
    run_of_query = {query: scores[query]} if query in scores else {}
    evaluation = evaluate_by(
        conventions, chosen_profile, {query: labels[query]}, run_of_query, chosen[0], "reference"
    )
    counted = judgments({query: labels[query]}, conventions)
    scored = scores.get(query, {})
    documents, _ = ranking(query, scored, counted[query], conventions)
    ranked = lists([query], counted, run_of_query, conventions).batch.ranking(0)
    if _of_pool_alone(chosen[0].metric):
        judged = counted[query]
        documents = sorted(judged, key=judged.__getitem__, reverse=True)
        ranked = Ranking([[x] for x in ideal(ranked.pool)], ranked.pool)
        scored = {}
    taken_apart = _Sums(chosen[0], ranked)
    value = evaluation.per_query[str(chosen[0])].get(query)
    return Explanation(
        measure=chosen[0],
        query=query,
        ties=conventions.ties,
        value=value,
        total=taken_apart.total(taken_apart.k),
        divisor=taken_apart.divisor(),
        rows=tuple(_rows(taken_apart, documents, scored, labels[query], counted[query])),
        retrieved=len(scores[query]) if query in scores else None,
        expected=ranked.tied,
        definition=evaluation.definition(str(chosen[0])),
    )


def _check_query(query: str, labels: Mapping[str, Any], scores: Mapping[str, Any]) -> None:
    if query in labels:
        return
    shown = trec.shown(query) if isinstance(query, str) else repr(query)
    if query in scores:
        raise InputError(f"query {shown} is in the run, but has no judgments (RS-CONV-9)")
    near = difflib.get_close_matches(str(query), labels, n=1, cutoff=0.5)
    hint = f"; did you mean {trec.shown(near[0])}?" if near else ""
    raise InputError(f"query {shown} is not in the qrels{hint}")


def _of_pool_alone(metric: Metric) -> bool:
    """Whether the run does not enter into the metric: the ideal is what it is a value of."""
    return metric.pool and not metric.judged


# ---- a sum over ranks, taken apart -------------------------------------------------------


class _Sums:
    """The numbers of a ranking, each the double nearest to what the reference says."""

    def __init__(self, measure: Measure, ranking: Ranking) -> None:
        self.measure = measure
        self.ranking = ranking
        self.k = measure.depth(len(ranking.labels), len(ranking.pool))
        self.ideal_cutoff = ideal_cutoff(measure.ideal, ranking.pool, self.k)
        self.equation: Reading = (
            measure.metric.quotient.total if measure.metric.quotient else measure.metric.expected
        )
        self._enclosures: dict[int, Enclosures] = {}

    def total(self, i: int) -> float:
        return self._nearest(lambda R: self.equation(self.measure, self.ranking, i, R))

    def contribution(self, i: int) -> float:
        def difference(R: Reals) -> Number:
            up_to, before = (self.equation(self.measure, self.ranking, j, R) for j in (i, i - 1))
            return up_to - before

        return self._nearest(difference)

    def divisor(self) -> float | None:
        quotient = self.measure.metric.quotient
        if quotient is None:
            return None
        return self._nearest(lambda R: quotient.divisor(self.measure, self.ranking, self.k, R))

    def gain(self, group: Sequence[Exact]) -> float:
        """The mean gain of a tie group: what its first rank alone is worth, undiscounted."""
        none = Discount("none")
        return self._nearest(
            lambda R: expectation.expected_dcg([group], 1, self.measure.gain.of(R), none.of(R))
        )

    def discount(self, i: int) -> float:
        return self._nearest(lambda R: self.measure.discount.of(R)(i))

    def relevant(self, group: Sequence[Exact]) -> float:
        indicators = [relevance(group, self.measure.rel)]
        return self._nearest(lambda R: expectation.expected_hits(indicators, 1, R))

    def counts(self, group: Sequence[Exact]) -> bool:
        """Whether a tie group can add anything: some label of it has a gain, or is relevant."""
        one = self.relevant if self.measure.metric.binary else self.gain
        return any(one([label]) for label in set(group))

    def precision(self, i: int) -> float:
        indicators = [relevance(group, self.measure.rel) for group in self.ranking.groups]
        return self._nearest(lambda R: expectation.expected_precision(indicators, i, R))

    def _nearest(self, value: Value) -> float:
        """Enclosures remember the logarithms they know: one of a precision serves all ranks."""

        def remembering(reals: Reals) -> Number:
            if isinstance(reals, Enclosures):
                reals = self._enclosures.setdefault(reals.precision, reals)
            return value(reals)

        return nearest_double_of(remembering)


def _rows(
    sums: _Sums,
    documents: Sequence[str],
    scored: Mapping[str, Exact],
    judged: Mapping[str, Label],
    counted: Mapping[str, Label],
) -> Iterator[Row]:
    """The ranks within the cut-offs, to the end of the list and of what is ideal."""
    measure, metric = sums.measure, sums.measure.metric
    best = _Sums(measure, _ideal_of(sums.ranking)) if _has_ideal(metric) else None
    ideal_labels = best.ranking.labels[: sums.ideal_cutoff] if best else []
    groups = [group for group in sums.ranking.groups for _ in group][: sums.k]
    tied = _tied([scored[document] for document in documents] if scored else [])
    documents = documents[: sums.k]
    running = 0.0
    for i in range(1, max(len(documents), len(ideal_labels)) + 1):
        group = groups[i - 1] if i <= len(groups) else []
        document = documents[i - 1] if i <= len(documents) else None
        label = None if document is None else judged.get(document)
        adds = 0.0
        if sums.counts(group):
            adds, running = sums.contribution(i), sums.total(i)
        yield Row(
            rank=i,
            document=document,
            score=None if document is None else scored.get(document),
            label=label,
            counted=None if document is None else counted.get(document, 0),
            tied=None if document is None else tied.get(i),
            gain=sums.gain(group) if group and "gain" in metric.parameters else None,
            discount=sums.discount(i) if "discount" in metric.parameters else None,
            relevant=sums.relevant(group) if group and metric.binary else None,
            precision=sums.precision(i) if metric.binary else None,
            contribution=adds,
            running=running,
            ideal_label=_plain(ideal_labels[i - 1]) if i <= len(ideal_labels) else None,
            ideal_contribution=best.contribution(i) if best and i <= len(ideal_labels) else None,
        )


def _has_ideal(metric: Metric) -> bool:
    """Whether its divisor is the value of the ideal ranking."""
    return metric.judged and not metric.binary


def _ideal_of(ranking: Ranking) -> Ranking:
    return Ranking([[label] for label in ideal(ranking.pool)], ranking.pool)


def _plain(label: Exact) -> Label:
    """A label of a batch in doubles as it was given: a whole number where it is one."""
    return int(label) if label == int(label) else float(label)


def _tied(scores: Sequence[Exact]) -> dict[int, tuple[int, int]]:
    """The first and the last rank of the tie group of each rank that is in one (RS-TIE-1)."""
    spans: dict[int, tuple[int, int]] = {}
    above = 0
    for group in expectation.tie_groups(scores):
        first, last = above + 1, above + len(group)
        if first < last:
            spans |= dict.fromkeys(range(first, last + 1), (first, last))
        above = last
    return spans


# ---- as text -----------------------------------------------------------------------------

ALWAYS_SHOWN = 20  # ranks from the top; below them, stretches that add nothing are summed up
SHORTEST_STRETCH = 3
NARROWEST_DOCUMENT = 10


def table(explanation: Explanation, digits: int = 4) -> str:
    """The ranks, the equation with its numbers, and the conventions, in 80 columns."""
    written = "undefined" if explanation.value is None else f"{explanation.value:.{digits}f}"
    title = f" of query {explanation.query}: {written}"
    measure = report.shortened(str(explanation.measure), report.WIDTH // 2)
    blocks = [report.shortened(measure + title, report.WIDTH)]
    if explanation.rows:
        blocks.append(_ranks(explanation, digits))
    blocks += ["\n".join(_notes(explanation)), "\n".join(_equation(explanation, digits))]
    width = max(map(len, explanation.definition)) + len(report.GAP)
    blocks.append(
        "\n".join(
            _wrapped(f"{name:{width}}{choice}", width)
            for name, choice in explanation.definition.items()
        )
    )
    return "\n\n".join(filter(None, blocks)) + "\n"


def _wrapped(line: str, indent: int = 4) -> str:
    return textwrap.fill(line, report.WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def json(explanation: Explanation, **about: Any) -> str:
    """JSON, all numbers as doubles that round-trip."""
    from json import dumps

    return dumps({**about, **explanation.to_dict()}, indent=2) + "\n"


def _ranks(explanation: Explanation, digits: int) -> str:
    """The table of the ranks. What a metric does not have is no column."""
    rows = explanation.rows
    columns = {
        "score": ["" if row.score is None else f"{nearest_double(row.score):.8g}" for row in rows],
        "label": [_label(row) for row in rows],
        "gain": _numbers([row.gain for row in rows], digits),
        "disc": _numbers([row.discount for row in rows], digits),
        "rel": _numbers([row.relevant for row in rows], digits),
        "prec": _numbers([row.precision for row in rows], digits),
        "adds": _numbers([row.contribution for row in rows], digits),
        "sum": _numbers([row.running for row in rows], digits),
        "ideal": ["" if row.ideal_label is None else f"{row.ideal_label:g}" for row in rows],
        "adds ": _numbers([row.ideal_contribution for row in rows], digits),
    }
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    widths = [max(len(name), *map(len, cells)) for name, cells in columns.items()]
    number = len(str(rows[-1].rank)) + 2
    room = report.WIDTH - number - sum(len(report.GAP) + width for width in widths)
    room = max(room, NARROWEST_DOCUMENT)
    lines = []
    for stretch in _stretches(rows):
        first, last = stretch[0].rank, stretch[-1].rank
        if first == last:
            mark = "=" if stretch[0].tied else " "
            document = report.shortened(stretch[0].document or "", room)
            cells = [column[first - 1] for column in columns.values()]
            lines.append((f"{first:{number - 2}}{mark} {document}", cells))
        else:
            label = f"{'':{number - 1}} ({last - first + 1} add 0)"
            lines.append((label, [""] * len(columns)))
    corner = f"{'#':>{number - 2}}  document"
    header = [name.strip() for name in columns]
    return "\n".join(line.rstrip() for line in report.columns(corner, header, lines).split("\n"))


def _stretches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one; deep below the top, those that add nothing together."""
    stretch: list[Row] = []
    for row in rows:
        if row.rank > ALWAYS_SHOWN and not row.contribution and not row.ideal_contribution:
            stretch.append(row)
            continue
        yield from _together(stretch)
        stretch = []
        yield [row]
    yield from _together(stretch)


def _together(stretch: list[Row]) -> list[list[Row]]:
    return [stretch] if len(stretch) >= SHORTEST_STRETCH else [[row] for row in stretch]


def _label(row: Row) -> str:
    """The label as judged; "-" where it is not, and what a negative one counts as."""
    if row.document is None:
        return ""
    if row.label is None:
        return "-"
    return f"{row.label:g}" if row.label >= 0 else f"{row.label:g}>{row.counted}"


def _numbers(column: Sequence[float | None], digits: int) -> list[str]:
    """One style for a column: whole numbers where all are."""
    whole = all(x is None or _whole(x) for x in column)
    return ["" if x is None else _number(x, 0 if whole else digits) for x in column]


def _number(x: float, digits: int) -> str:
    return f"{x:.{digits}f}" if abs(x) < 1e9 else f"{x:.{max(digits, 1)}e}"


def _whole(x: float) -> bool:
    return x == x // 1


def _notes(explanation: Explanation) -> Iterator[str]:
    """What the marks mean, where they occur, and what the table does not show."""
    rows, retrieved, rule = explanation.rows, explanation.retrieved, explanation.ties
    if retrieved is None:
        yield "The run has no results for this query: an empty list (RS-CONV-9)."
    if spans := dict.fromkeys(row.tied for row in rows if row.tied):
        ranks = ", ".join(f"{first}-{last}" for first, last in spans)
        order = (
            "each shows the mean of its group"
            if explanation.expected
            else (profiles.convention("ties").values[rule])
        )
        yield _wrapped(f"= equal scores: ranks {ranks}; {order} ({rule})")
    if any(row.document is not None and row.label is None for row in rows):
        yield "- unjudged: counts as 0 (RS-CONV-8)"
    if any(row.label is not None and row.label < 0 for row in rows):
        yield "> a negative label counts as 0 (RS-CONV-8)"
    shown = sum(row.score is not None for row in rows)
    if retrieved and 0 < shown < retrieved:
        yield f"{retrieved - shown} more of the run are below the cut-off (RS-CONV-2)"
    k = explanation.measure.k
    if k is not None and rows and rows[-1].rank > k:
        yield f"below rank {k} there is the ideal alone, which is not cut (RS-DCG-7)"


def _equation(explanation: Explanation, digits: int) -> Iterator[str]:
    """The value as it follows from the columns."""
    metric, k = explanation.measure.metric, explanation.measure.k
    quotient, divisor = metric.quotient, explanation.divisor

    def named(name: str) -> str:
        name = f"{name}@{k}" if k is not None else name
        return f"E[{name}]" if explanation.expected else name

    total = named(quotient.total_name if quotient else metric.name)
    terms = [row.contribution for row in explanation.rows]
    yield _sum(total, terms, explanation.total, digits)
    if quotient and divisor is not None:
        by = quotient.divisor_name(explanation.measure)
        spec = f"   ({quotient.divisor_spec})"
        if _has_ideal(metric):
            ideal_terms = [row.ideal_contribution or 0.0 for row in explanation.rows]
            yield _sum(by, ideal_terms, divisor, digits, spec)
        else:
            yield f"{by} = {_short(divisor, digits)}{spec}"
        name = named(metric.name)
        if divisor == 0 and explanation.value != 0:
            instead = "undefined" if explanation.value is None else f"{explanation.value:g}"
            yield _wrapped(f"{name} = {instead}, as {by} = 0 (RS-CONV-4)")
        elif divisor == 0:
            why = "RS-CONV-4" if explanation.retrieved else "RS-CONV-5"
            yield _wrapped(f"{name} = 0, as {by} = 0 ({why})")
        else:
            numbers = f"{_short(explanation.total, digits)} / {_short(divisor, digits)}"
            value = _short(explanation.value or 0.0, digits)
            yield _wrapped(f"{name} = {total} / {by} = {numbers} = {value}")
    if explanation.value is not None:
        yield f"as a double: {explanation.value!r}"


def _sum(name: str, terms: Sequence[float], total: float, digits: int, spec: str = "") -> str:
    """A sum with its terms, those in the middle left out where there are many."""
    written = [_short(x, digits) for x in terms if x]
    end = f" = {_short(total, digits)}" * (len(written) != 1) + spec
    begin = f"{name} = "
    if not written:
        return f"{name} = 0{spec}"
    line = begin + " + ".join(written) + end
    while len(line) > report.WIDTH and len(written) > 2:
        del written[-2]
        line = begin + " + ".join([*written[:-1], "...", written[-1]]) + end
    return _wrapped(line)


def _short(x: float, digits: int) -> str:
    return _number(x, 0 if _whole(x) else digits)
