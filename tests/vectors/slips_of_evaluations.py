"""Wrong evaluations: those of evaluating.py with one slip each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from .evaluating import Conventions, Evaluating, Row
from .named import named

SLIPS: dict[str, type[Evaluating]] = {}
"""Evaluations by their slip."""

slip = named(SLIPS)


class _Otherwise(Evaluating):
    """Conventions that are what they are, whatever is asked for."""

    always: ClassVar[Conventions] = {}

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        return super().answer({**case, "conventions": {**case["conventions"], **self.always}})


_ALWAYS = {
    "queries that the run misses are passed over": {"queries": "both"},
    "queries of the run without judgments count": {"queries": "run"},
    "queries that the run misses always count": {"queries": "qrels"},
    "scores in float32": {"scores": "float32"},
    "scores never in float32": {"scores": "double"},
    "the rank column orders": {"order": "rank"},
    "the order of the file": {"order": "file"},
    "scores always order": {"order": "score"},
    "ids rising": {"ties": "id-ascending"},
    "ids falling, whatever is asked for": {"ties": "id-descending"},
    "ties in the order of the file": {"ties": "input"},
    "ties by the best order": {"ties": "best"},
    "unjudged documents left out": {"unjudged": "condensed"},
    "unjudged documents never left out": {"unjudged": "nonrelevant"},
    "negative labels are no judgments": {"negative": "unjudged"},
    "negative labels are always judgments": {"negative": "zero"},
    "the first of two lines of a document": {"duplicates": "first"},
    "the last of two lines of a document": {"duplicates": "last"},
    "no depth": {"depth": None},
    "the pool of what is retrieved": {"pool": "retrieved"},
    "the pool of all that is judged": {"pool": "judged"},
    "labels stand for themselves": {"grades": None},
    "fractional labels floored": {"labels": "floor"},
    "results in float32": {"results": "float32"},
    "results with five decimals": {"results": "decimals-5"},
}
for _name, _always in _ALWAYS.items():
    SLIPS[_name] = type("Otherwise", (_Otherwise,), {"always": _always})


@slip("a mean over the queries that are not 0")
class MeanOfPositive(Evaluating):
    def mean(self, values: dict[str, float]) -> float | None:
        return super().mean({q: x for q, x in values.items() if x})


@slip("infAP by the convention for labels below 0")
class InfApOfConvention(Evaluating):
    def own(self, given: Conventions, measure: Any) -> Conventions:
        del measure
        return given


@slip("a mean over the queries with something relevant")
class MeanOfRelevant(Evaluating):
    def queries(self, qrels: Any, run: Any, given: Conventions) -> list[str]:
        return [q for q in super().queries(qrels, run, given) if any(qrels.get(q, {}).values())]


@slip("a mean over the queries of both files")
class MeanOfAll(Evaluating):
    def queries(self, qrels: Any, run: Any, given: Conventions) -> list[str]:
        return list(dict.fromkeys([*super().queries(qrels, run, given), *run]))


@slip("labels of qrels as integers")
class WholeLabels(Evaluating):
    def label(self, text: str) -> Any:
        return int(float(text))


@slip("scores compared as text")
class ScoresAsText(Evaluating):
    def by(self, rank: str, score: str, place: int, given: Conventions) -> Any:
        return score if given["order"] == "score" else super().by(rank, score, place, given)

    def precision(self, score: Any, given: Conventions) -> Any:
        return score if isinstance(score, str) else super().precision(score, given)


@slip("ids compared as numbers where they are")
class IdsAsNumbers(Evaluating):
    def order(
        self, labels: list[Any], scores: list[float], ids: list[str], given: Conventions
    ) -> list[int]:
        widened = [x.zfill(30) if x.isdigit() else x for x in ids]
        return super().order(labels, scores, widened, given)


@slip("ids compared as UTF-16 code units")
class Utf16(Evaluating):
    def order(
        self, labels: list[Any], scores: list[float], ids: list[str], given: Conventions
    ) -> list[int]:
        encoded: list[Any] = [x.encode("utf-16-be") for x in ids]
        return super().order(labels, scores, encoded, given)


@slip("a pool of what is retrieved and judged")
class PoolOfListed(Evaluating):
    def pool(
        self, judged: list[Any], shown: Sequence[Any], measure: Any, given: Conventions
    ) -> list[Any]:
        found = super().pool(judged, shown, measure, given)
        return [x for x in shown if x is not None] if given["pool"] == "judged" else found


@slip("the depth before the order")
class DepthOfFile(Evaluating):
    def value(
        self, judged: dict[str, Any], rows: list[Row], measure: Any, given: Conventions
    ) -> float:
        rows = rows[: self.depth(given)]
        return super().value(judged, rows, measure, {**given, "depth": None})


@slip("the depth before unjudged documents are left out")
class DepthFirst(Evaluating):
    def value(
        self, judged: dict[str, Any], rows: list[Row], measure: Any, given: Conventions
    ) -> float:
        if given["depth"] is not None:
            ranked = sorted(rows, key=lambda row: (row["by"], row["id"]), reverse=True)
            rows = ranked[: self.depth(given)]
        return super().value(judged, rows, measure, {**given, "depth": None})
