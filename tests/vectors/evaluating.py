"""Whole evaluations of qrels and a run, in plain doubles, as somebody would write them who has read
the conventions. Nothing of rankspec is used here.

Lines that are wrong, labels that are scores, the lowest and the highest value that judgments could
give, and undefined values that are not 0 are left out: `is_within` says of which cases this is.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Sequence
from typing import Any

from .doubles import Doubles

Conventions = dict[str, Any]
Row = dict[str, Any]


def is_within(case: dict[str, Any]) -> bool:
    """Whether a case is one of those that are not left out."""
    given = case["conventions"]
    return (
        set(case["input"]) == {"qrels", "run"}
        and "error" not in case["expected"]
        and given["lines"] == "exact"
        and given["relevance"] == "label"
        and given["undefined"] == "zero"
        and given["unjudged"] in ("nonrelevant", "condensed")
    )


class Evaluating:
    """Evaluations; the value of each query is that of a Doubles."""

    def __init__(self) -> None:
        self.metrics = Doubles()

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """The values of the queries, and their mean."""
        measure = case["measure"]
        given = self.own(case["conventions"], measure)
        qrels = self.read_qrels(case["input"]["qrels"], given)
        run = self.read_run(case["input"]["run"], given)
        values = {
            q: self.value(qrels.get(q, {}), run.get(q, []), measure, given)
            for q in self.queries(qrels, run, given)
        }
        results = {q: self.result(x, given) for q, x in values.items()}
        mean = self.mean(values)
        return {"queries": results, "mean": mean and self.result(mean, given)}

    def own(self, given: Conventions, measure: Any) -> Conventions:
        """The conventions of a measure: infAP reads labels below 0, if its lists have them."""
        left_out = given["negative"] == "unjudged" and given["unjudged"] == "condensed"
        reads = measure["name"] == "infAP" and not left_out
        return {**given, "negative": "kept"} if reads else given

    def result(self, value: float, given: Conventions) -> float:
        """A value as it is given out."""
        if given["results"] == "float32":
            return self.in_float32(value)
        return round(value, 5) if given["results"] == "decimals-5" else value

    def mean(self, values: dict[str, float]) -> float | None:
        return sum(values.values()) / len(values) if values else None

    # ---- files

    def rows(self, text: str) -> Iterable[list[str]]:
        lines = text.removeprefix("\ufeff").split("\n")
        return [re.split("[ \t\r\v\f]+", line.strip()) for line in lines if line.strip()]

    def read_qrels(self, text: str, given: Conventions) -> dict[str, dict[str, Any]]:
        """Of each query the labels of its documents."""
        found: dict[str, dict[str, Any]] = {}
        for query, _, document, label, *_ in self.rows(text):
            judged, x = found.setdefault(query, {}), self.label(label)
            if self.is_kept(document in judged, lambda j=judged, d=document, y=x: y > j[d], given):
                judged[document] = x
        return {q: self.graded(judged, given) for q, judged in found.items()}

    def label(self, text: str) -> Any:
        try:
            return int(text)
        except ValueError:
            return float(text)

    def is_kept(self, seen: bool, is_better: Any, given: Conventions) -> bool:
        """Whether a line stands in the place of what there is of its document."""
        if not seen or given["duplicates"] == "last":
            return True
        return bool(given["duplicates"] == "best" and is_better())

    def graded(self, judged: dict[str, Any], given: Conventions) -> dict[str, Any]:
        """The labels as they count: by their grades, rounded, none below 0."""
        grades = {self.metrics.read(x): self.metrics.read(y) for x, y in given["grades"] or ()}
        judged = {d: self.rounded(grades.get(x, x), given) for d, x in judged.items()}
        if given["negative"] == "unjudged":
            return {d: x for d, x in judged.items() if x >= 0}
        if given["negative"] == "zero":
            return {d: max(x, 0) for d, x in judged.items()}
        return judged

    def rounded(self, x: Any, given: Conventions) -> Any:
        if given["labels"] == "from-1":
            return 0 if 0 < x < 1 else x
        by = {"floor": math.floor, "truncate": math.trunc}
        return by[given["labels"]](x) if given["labels"] in by else x

    def read_run(self, text: str, given: Conventions) -> dict[str, list[Row]]:
        """Of each query its documents, each once."""
        found: dict[str, dict[str, Row]] = {}
        for place, (query, _, document, rank, score, *_) in enumerate(self.rows(text)):
            row = {"id": document, "place": place, "by": self.by(rank, score, place, given)}
            kept = found.setdefault(query, {})
            if self.is_kept(
                document in kept, lambda k=kept, d=document, r=row: r["by"] > k[d]["by"], given
            ):
                kept[document] = row
        return {q: sorted(kept.values(), key=lambda row: row["place"]) for q, kept in found.items()}

    def by(self, rank: str, score: str, place: int, given: Conventions) -> float:
        """What orders a run, the highest first."""
        if given["order"] == "score":
            return float(score)
        return -float(rank) if given["order"] == "rank" else -place

    def precision(self, score: float, given: Conventions) -> float:
        if given["scores"] == "float32" and given["order"] == "score":
            return self.in_float32(score)
        return score

    def in_float32(self, score: float) -> float:
        try:
            return float(struct.unpack("f", struct.pack("f", score))[0])
        except OverflowError:
            return float("inf") if score > 0 else float("-inf")

    def queries(self, qrels: Any, run: Any, given: Conventions) -> list[str]:
        if given["queries"] == "run":
            return list(run)
        return [q for q in qrels if given["queries"] != "both" or q in run]

    # ---- a query

    def value(
        self, judged: dict[str, Any], rows: list[Row], measure: Any, given: Conventions
    ) -> float:
        if given["unjudged"] == "condensed":
            rows = [row for row in rows if row["id"] in judged]
        labels = [judged.get(row["id"]) for row in rows]
        scores = [self.precision(row["by"], given) for row in rows]
        ids = [row["id"] for row in rows]
        order = self.order(labels, scores, ids, given)[: self.depth(given)]
        listed: dict[str, Any] = {"labels": [labels[a] for a in order]}
        if given["ties"] == "expected" and given["order"] != "file":
            listed |= {"scores": [scores[a] for a in order], "ties": "expected"}
        pool = self.pool(list(judged.values()), listed["labels"], measure, given)
        return self.of_list(listed, pool, measure)

    def depth(self, given: Conventions) -> int | None:
        return None if given["depth"] is None else int(given["depth"])

    def order(
        self, labels: list[Any], scores: list[float], ids: list[str], given: Conventions
    ) -> list[int]:
        """The documents by rank; where ties are left open, in any order."""
        rule = "input" if given["ties"] == "expected" else given["ties"]
        groups = self.metrics.groups(scores)
        how = {"ties": rule, "ids": ids}
        return [a for group in groups for a in self.metrics.settled(group, how, labels)]

    def pool(
        self, judged: list[Any], shown: Sequence[Any], measure: Any, given: Conventions
    ) -> list[Any]:
        if given["pool"] == "judged":
            return judged
        sees = ("Bpref", "AUC", "infAP", "NumNonrelRet", "Judged", "Unjudged")
        bare = measure.get("of", measure)["name"] in sees
        return [0 if x is None else x for x in shown if x is not None or not bare]

    def of_list(self, listed: dict[str, Any], pool: list[Any], measure: Any) -> float:
        labels = listed["labels"]
        flags = [int(x is None) for x in labels]
        case = {**listed, "labels": [x or 0 for x in labels], "judged": pool, "unjudged": flags}
        return float(self.metrics.answer({"measure": measure, "input": case}))
