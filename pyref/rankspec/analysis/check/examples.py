"""One example of each check, in words, by the lines of its query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...errors import shown_text
from ...evaluation.conventions import Conventions
from ...evaluation.line_statistics import contradiction, rows
from ...evaluation.ranked import compared, judgments, merged, ranking
from ...formats import trec
from ...formats.frames import Label
from ...reference.numbers.reals import Exact
from .files import Files
from .statistics import as_ordered, with_all_judgments


class Examples:
    """What is the matter with some queries of the run, in words, by their lines."""

    def __init__(self, files: Files, queries: Sequence[str], conventions: Conventions) -> None:
        self._labels = files.labels
        self._conventions = conventions
        self._lines = files.lines_of(queries) if queries else b""
        self._scores = {}
        if queries:
            self._scores = trec.parse_run(files.run.name, self._lines, conventions.how)

    def tie(self, query: str) -> str:
        """The first documents of equal score."""
        scores = self._scores[query]
        rules = as_ordered(self._conventions)
        documents, starts = ranking(query, scores, self._counted(query, rules), rules)
        first = documents[starts.index(0) - 1]
        as_compared = compared(scores, rules)
        number = sum(other == as_compared[first] for other in as_compared.values())
        return f"{number} of score {written(scores[first])} in query {shown_text(query)}"

    def merged(self, query: str) -> str:
        """Two documents of different labels and scores, which 32-bit floats tie."""
        scores, rules = self._scores[query], as_ordered(self._conventions)
        judged = self._counted(query, rules)
        _, tied = merged(query, scores, judged, rules)
        labels = {document: judged.get(document, 0) for document in tied}
        first = tied[0]
        one = next(x for x in tied if labels[x] != labels[first])
        other = next(x for x in tied if scores[x] != scores[first])
        if scores[one] != scores[first]:  # the label and the score
            other = first
        elif labels[other] != labels[first]:
            one = first
        pair = " and ".join(f"{shown_text(x)} of {written(scores[x])}" for x in (one, other))
        return f"{pair} in query {shown_text(query)}"

    def unjudged(self, query: str) -> str:
        """The first document without a judgment."""
        rules = with_all_judgments(self._conventions)
        judged = self._counted(query, rules)
        documents, _ = ranking(query, self._scores[query], judged, rules)
        document = next(x for x in documents if x not in judged)
        return f"document {shown_text(document)} of query {shown_text(query)}"

    def contradiction(self, query: str) -> str:
        """The first two ranks that contradict the scores."""
        every = rows(self._lines, self._conventions.how)
        own = (row for row in every if trec.id_of(row[0]) == query)
        found = contradiction(own, self._scores[query])
        assert found  # noqa: S101
        (above, its_score), (below, higher) = found
        return (
            f"query {shown_text(query)}: rank {above} has the score {written(its_score)}, "
            f"rank {below} has {written(higher)}"
        )

    def _counted(self, query: str, rules: Conventions) -> Mapping[str, Label]:
        return judgments({query: self._labels.get(query, {})}, rules)[query]


def written(score: Exact) -> str:
    """A score with all its digits."""
    return repr(float(score)).removesuffix(".0")
