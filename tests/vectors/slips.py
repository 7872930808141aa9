"""Wrong implementations: the metrics in doubles with one slip each.

A slip is one convention or one mistake away from what the specification says, of a kind that real
programs have. Whoever has one of them must not meet the required cases: at least two fail.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from .doubles import Doubles, Given, Label, Measure
from .named import named

SLIPS: dict[str, type[Doubles]] = {}
"""Implementations by their slip."""

slip = named(SLIPS)


def slips_by(base: type[Doubles], attribute: str, values: dict[str, Any]) -> None:
    """Slips that differ in one attribute of a class, by their names."""
    for name, value in values.items():
        slip(name)(type(base.__name__, (base,), {attribute: value}))


# ---- labels, ids and scores


@slip("labels sorted as strings")
class LabelsAsStrings(Doubles):
    def falling(self, judged: Sequence[Any]) -> list[Any]:
        return sorted(judged, key=str, reverse=True)


@slip("fractional labels floored")
class Floored(Doubles):
    def read_label(self, x: Any) -> Any:
        return math.floor(self.read(x))


@slip("labels rounded to the next integer")
class Rounded(Doubles):
    def read_label(self, x: Any) -> Any:
        return round(self.read(x))


@slip("labels in eight bits")
class EightBits(Doubles):
    def read_label(self, x: Any) -> Any:
        x = self.read(x)
        return x % 256 if isinstance(x, int) else x


@slip("labels in float32")
class LabelsInFloat32(Doubles):
    def read_label(self, x: Any) -> Any:
        return float(np.float32(self.read(x)))


@slip("labels are relevant or not: all gains are 1")
class Binary(Doubles):
    def linear(self, r: Any) -> Any:
        return float(r > 0)


@slip("labels beyond 2^53 as doubles")
class LabelsAsDoubles(Doubles):
    def read(self, x: Any) -> Any:
        found = super().read(x)
        return float(found) if isinstance(found, int) and abs(found) > 2**53 else found


@slip("labels above 4 are 4")
class AtMostFour(Doubles):
    def read_label(self, x: Any) -> Any:
        return min(self.read(x), 4)


@slip("ids compared as UTF-16 code units")
class Utf16(Doubles):
    def id_key(self, identifier: Any) -> Any:
        return identifier.encode("utf-16-be") if isinstance(identifier, str) else identifier


@slip("ids that are digits compared as numbers")
class NumericIds(Doubles):
    def id_key(self, identifier: Any) -> Any:
        text = str(identifier)
        return (0, int(text), "") if text.isdigit() else (1, 0, text)


@slip("ids that are numbers compared as text")
class IdsAsText(Doubles):
    def id_key(self, identifier: Any) -> Any:
        return str(identifier)


@slip("ids compared without regard to case")
class CaselessIds(Doubles):
    def id_key(self, identifier: Any) -> Any:
        return identifier.casefold() if isinstance(identifier, str) else identifier


@slip("ids rising where they should fall")
class IdsRising(Doubles):
    def settled(self, group: list[int], given: Given, shown: Sequence[Label]) -> list[int]:
        if given["ties"] == "id-descending":
            given = {**given, "ties": "id-ascending"}
        return super().settled(group, given, shown)


@slip("ids falling where they should rise")
class IdsFalling(Doubles):
    def settled(self, group: list[int], given: Given, shown: Sequence[Label]) -> list[int]:
        if given["ties"] == "id-ascending":
            given = {**given, "ties": "id-descending"}
        return super().settled(group, given, shown)


@slip("scores as float32")
class ScoresInFloat32(Doubles):
    def read_score(self, x: Any) -> Any:
        return float(np.float32(self.read(x)))


@slip("scores rounded to four decimals")
class ScoresRounded(Doubles):
    def read_score(self, x: Any) -> Any:
        return round(self.read(x), 4)


@slip("the lowest score first")
class LowestFirst(Doubles):
    def read_score(self, x: Any) -> Any:
        return -self.read(x)


@slip("scores are passed over: the order of the input")
class NoScores(Doubles):
    def orders(self, given: Given, shown: Sequence[Label]) -> Any:
        del given
        return [(1, list(shown))]


# ---- ties


class _Settled(Doubles):
    """What is open is settled by a rule."""

    rule = ""

    def orders(self, given: Given, shown: Sequence[Label]) -> Any:
        if given.get("ties") == "expected":
            given = {**given, "ties": self.rule}
        return super().orders(given, shown)


slips_by(
    _Settled,
    "rule",
    {
        "expected ties in the order of the input": "input",
        "expected ties by the best order": "best",
        "expected ties by the worst order": "worst",
    },
)


@slip("the expectation is the mean of the best and the worst order")
class TiesBestAndWorst(Doubles):
    def orders(self, given: Given, shown: Sequence[Label]) -> Any:
        if given.get("ties") != "expected":
            return super().orders(given, shown)
        best, worst = (super(TiesBestAndWorst, self).orders({**given, "ties": rule}, shown)
                       for rule in ("best", "worst"))  # fmt: skip
        return best + worst


@slip("the best order is the worst, and the other way round")
class BestIsWorst(Doubles):
    def by_label(self, group: list[int], shown: Sequence[Label], *, best: bool) -> list[int]:
        return super().by_label(group, shown, best=not best)


@slip("ties of the input come last first")
class InputReversed(Doubles):
    def settled(self, group: list[int], given: Given, shown: Sequence[Label]) -> list[int]:
        found = super().settled(group, given, shown)
        return found[::-1] if given["ties"] == "input" else found


@slip("a tie group that is cut off counts the orders of its visible part alone")
class CutGroups(Doubles):
    def of_orders(
        self, given: Given, shown: Sequence[Label], judged: Sequence[Any], k: int, m: Measure
    ) -> Any:
        if given.get("ties") != "expected":
            return super().of_orders(given, shown, judged, k, m)
        order = super().orders({**given, "ties": "input"}, shown)[0][1][:k]
        scores = sorted((self.read_score(x) for x in given["scores"]), reverse=True)[:k]
        cut = {"scores": scores, "ties": "expected"}
        return super().of_orders(cut, order, judged, k, m)


@slip("every document of a tie group has the mean label")
class MeanLabels(Doubles):
    def orders(self, given: Given, shown: Sequence[Label]) -> Any:
        if given.get("ties") != "expected":
            return super().orders(given, shown)
        groups = self.groups([self.read_score(x) for x in given["scores"]])
        found: list[Any] = []
        for group in groups:
            labels = [shown[a] for a in group if shown[a] is not None]
            found += [sum(labels) / len(labels) if labels else None] * len(group)
        return [(1, found)]


# ---- the cut-off, and the ideal


@slip("the ideal cut at the length of the list")
class IdealAtList(Doubles):
    def depth_of_ideal(self, x: Any, judged: Any, k: int, m: Measure) -> int:
        return min(super().depth_of_ideal(x, judged, k, m), len(x))


@slip("the ideal of the list alone, not of the pool")
class IdealOfList(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().ndcg(x, [r for r in x if r is not None], k, m)


@slip("the ideal in the order of the pool")
class IdealUnsorted(Doubles):
    def falling(self, judged: Sequence[Any]) -> list[Any]:
        return list(judged)


@slip("the ideal rising")
class IdealRising(Doubles):
    def falling(self, judged: Sequence[Any]) -> list[Any]:
        return sorted(judged)


@slip("the ideal never cut")
class IdealNeverCut(Doubles):
    def depth_of_ideal(self, x: Any, judged: Any, k: int, m: Measure) -> int:  # noqa: ARG002
        return len(judged)


@slip("the ideal always cut at k")
class IdealAlwaysCut(Doubles):
    def depth_of_ideal(self, x: Any, judged: Any, k: int, m: Measure) -> int:  # noqa: ARG002
        return k


class IdealCutElsewhere(Doubles):
    """The ideal alone, where it is cut at k."""

    by = 0

    def depth_of_ideal(self, x: Any, judged: Any, k: int, m: Measure) -> int:
        depth = super().depth_of_ideal(x, judged, k, m)
        return depth + self.by if m["k"] is not None and m["ideal"] == "k" else depth


@slip("the ideal cut at k + 1")
class IdealCutLater(IdealCutElsewhere):
    by = 1


@slip("the ideal cut at k - 1")
class IdealCutEarlier(IdealCutElsewhere):
    by = -1


@slip("IDCG over DCG")
class IdealOverList(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.best_dcg(x, judged, k, m), self.dcg(x, judged, k, m))


@slip("the ideal of k perfect hits")
class PerfectHits(Doubles):
    def falling(self, judged: Sequence[Any]) -> list[Any]:
        best = super().falling(judged)
        return best[:1] * len(best)


@slip("perfect items up to the length of the list")
class PerfectList(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        if m["ideal"] != "perfect":
            return super().ndcg(x, judged, k, m)
        return self.quotient(self.dcg(x, judged, k, m), self.perfect(min(k, len(x)), m))


@slip("the ideal of k perfect items is that of the pool")
class PerfectPool(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        ideal = "k" if m["ideal"] == "perfect" else m["ideal"]
        return super().ndcg(x, judged, k, {**m, "ideal": ideal})


@slip("AP over the hits where all of the list count")
class HitsForRetrieved(Doubles):
    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        other = {"retrieved": "hits"}.get(m["norm"], m["norm"])
        return super().norm(x, judged, k, {**m, "norm": other})


@slip("AP over the relevant of the list where hits count")
class RetrievedForHits(Doubles):
    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        other = {"hits": "retrieved"}.get(m["norm"], m["norm"])
        return super().norm(x, judged, k, {**m, "norm": other})


@slip("the ideal without repeated labels")
class IdealOfSet(Doubles):
    def falling(self, judged: Sequence[Any]) -> list[Any]:
        return sorted(set(judged), reverse=True)


@slip("the list stops one rank early")
class OneLess(Doubles):
    def cut(self, x: Sequence[Any], k: int) -> Sequence[Any]:
        return x[: max(k - 1, 0)]


@slip("the list goes one rank too far")
class OneMore(Doubles):
    def cut(self, x: Sequence[Any], k: int) -> Sequence[Any]:
        return x[: k + 1]


@slip("the cut-off passed over")
class NoCutoff(Doubles):
    def cut(self, x: Sequence[Any], k: int) -> Sequence[Any]:
        del k
        return x


@slip("no cut-off is a cut-off of 10")
class TenByDefault(Doubles):
    def of_case(self, measure: Measure, given: Given, k: int | None) -> Any:
        return super().of_case(measure, given, 10 if k is None else k)


@slip("a list shorter than k has the value 0")
class ShortIsNothing(Doubles):
    def of_orders(self, given: Given, shown: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().of_orders(given, shown, judged, k, m) if len(shown) >= k else 0.0


@slip("where the ideal is 0 the value is 1")
class OneWhereUndefined(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().ndcg(x, judged, k, m) if self.best_dcg(x, judged, k, m) else 1.0


@slip("where a divisor is 0 the value is NaN")
class NaN(Doubles):
    def quotient(self, x: Any, y: Any) -> Any:
        return x / y if y else math.nan


@slip("a quotient is at most 1")
class Clipped(Doubles):
    def quotient(self, x: Any, y: Any) -> Any:
        return min(super().quotient(x, y), 1.0)


@slip("a value is at least 0")
class NotNegative(Doubles):
    def finish(self, value: Any) -> float:
        return max(super().finish(value), 0.0)


@slip("results in float32")
class InFloat32(Doubles):
    def finish(self, value: Any) -> float:
        return float(np.float32(value))


@slip("results with five decimals")
class FiveDecimals(Doubles):
    def finish(self, value: Any) -> float:
        return round(super().finish(value), 5)


@slip("sums in float32")
class SumsInFloat32(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        total = np.float32(0)
        for x in terms:
            total = np.float32(total + np.float32(x))
        return float(total)


# ---- gains and discounts


@slip("log(i) in the place of log(i + 1), rank 1 undiscounted")
class LogOfRank(Doubles):
    def log_rank(self, i: int, b: Any) -> Any:
        return self.log(i, b) if i > 1 else 1.0


@slip("log(i + 2): ranks begin at 1 twice")
class LogTwoMore(Doubles):
    def log_rank(self, i: int, b: Any) -> Any:
        return self.log(i + 2, b)


@slip("natural logarithms")
class NaturalLogarithms(Doubles):
    def log_rank(self, i: int, b: Any) -> Any:
        del b
        return math.log(i + 1)


@slip("the base of a logarithm passed over")
class BaseTwo(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        del b
        return math.log2(x)


@slip("the base of a logarithm taken as an integer")
class WholeBase(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return super().log(x, int(b))


@slip("the logarithm in float32")
class LogInFloat32(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return float(np.log2(np.float32(x)) / np.log2(np.float32(b)))


@slip("jarvelin-2002 discounts from the rank behind the base")
class AfterTheBase(Doubles):
    def jarvelin_2002(self, i: int, b: Any) -> Any:
        return 1.0 if i <= b else self.log(i - 1, b)


@slip("jarvelin-2002 discounts every rank")
class NeverFree(Doubles):
    def jarvelin_2002(self, i: int, b: Any) -> Any:
        return self.log(i, b) if i > 1 else 1.0


class _OtherDiscount(Doubles):
    """One discount taken for another."""

    mistaken: Sequence[str] = ()

    def discount(self, d: Measure, i: int) -> Any:
        taken, meant = self.mistaken
        return super().discount({**d, "kind": meant} if d["kind"] == taken else d, i)


slips_by(
    _OtherDiscount,
    "mistaken",
    {
        "jarvelin-2008 taken for log": ("jarvelin-2008", "log"),
        "jarvelin-2002 taken for jarvelin-2008": ("jarvelin-2002", "jarvelin-2008"),
        "jiang-2016 taken for log": ("jiang-2016", "log"),
        "zipf taken for log": ("zipf", "log"),
        "no discount at all": ("log", "none"),
    },
)


@slip("exponential gain 2^r")
class PowerAlone(Doubles):
    def exponential(self, r: Any) -> Any:
        return 2.0**r


@slip("exponential gain 2^r, and 0 for the label 0")
class PowerOfPositive(Doubles):
    def exponential(self, r: Any) -> Any:
        return 2.0**r if r else 0.0


@slip("exponential gain 2^(r - 1)")
class PowerLessOne(Doubles):
    def exponential(self, r: Any) -> Any:
        return 2.0 ** (r - 1) if r else 0.0


@slip("exponential gain e^r - 1")
class PowerOfE(Doubles):
    def exponential(self, r: Any) -> Any:
        return math.expm1(r)


@slip("exponential gain of whole labels alone")
class PowerOfWhole(Doubles):
    def exponential(self, r: Any) -> Any:
        return 2.0 ** int(r) - 1


@slip("exponential gain in 32 bits")
class PowerIn32Bits(Doubles):
    def exponential(self, r: Any) -> Any:
        if r != int(r):
            return super().exponential(r)
        return float(np.int64((1 << (int(r) & 31)) - 1).astype(np.int32))


@slip("exponential gain taken as linear")
class Linear(Doubles):
    def gain(self, r: Label, m: Measure) -> Any:
        return self.linear(r) if m["gain"]["kind"] == "exp2" else super().gain(r, m)


@slip("linear gain taken as exponential")
class Exponential(Doubles):
    def gain(self, r: Label, m: Measure) -> Any:
        return self.exponential(r) if m["gain"]["kind"] == "linear" else super().gain(r, m)


@slip("a table of gains one label off")
class TableOneOff(Doubles):
    def table(self, table: Sequence[Any], r: Any) -> Any:
        return super().table(table, max(r - 1, 0))


@slip("a table of gains by exponents")
class TableOfExponents(Doubles):
    def table(self, table: Sequence[Any], r: Any) -> Any:
        return 2.0 ** super().table(table, r) - 1


@slip("a table of gains passed over")
class NoTable(Doubles):
    def table(self, table: Sequence[Any], r: Any) -> Any:
        del table
        return self.linear(r)


# ---- relevant or not


@slip("relevant is above the threshold, not at it")
class AboveThreshold(Doubles):
    def is_relevant(self, r: Label, m: Measure) -> bool:
        return r is not None and r > self.read(m["rel"])


@slip("the threshold passed over: 1")
class ThresholdOne(Doubles):
    def is_relevant(self, r: Label, m: Measure) -> bool:
        del m
        return r is not None and r >= 1


@slip("whatever is not 0 is relevant")
class NotZero(Doubles):
    def is_relevant(self, r: Label, m: Measure) -> bool:
        del m
        return r is not None and r != 0


@slip("P over the length of the list")
class PrecisionOfList(Doubles):
    def p(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().p(x, judged, min(k, len(x)), m)


@slip("recall over k")
class RecallOverK(Doubles):
    def r(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return self.quotient(float(sum(self.relevant(x, k, m))), k)


@slip("recall over the lesser of k and the relevant")
class RecallCapped(Doubles):
    def r(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = min(k, self.number_relevant(judged, m))
        return self.quotient(float(sum(self.relevant(x, k, m))), n)


@slip("recall over the relevant of the list")
class RecallOfList(Doubles):
    def r(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().r(x, [r for r in x if r is not None], k, m)


@slip("RR looks beyond k")
class BeyondK(Doubles):
    def rr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del k
        return super().rr(x, judged, len(x), m)


@slip("RR counts ranks from 0")
class RankFromZero(Doubles):
    def rr(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        return 1 / max(R.index(True), 1) if True in R else 0.0


@slip("success is the number of relevant ones")
class SuccessCounts(Doubles):
    def success(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return float(sum(self.relevant(x, k, m)))


@slip("success looks beyond k")
class SuccessBeyondK(Doubles):
    def success(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return super().success(x, _, max(k, len(x)), m)


@slip("R-precision looks beyond k")
class RPrecisionBeyondK(Doubles):
    def rprec(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del k
        return super().rprec(x, judged, len(judged) + len(x), m)


@slip("R-precision over the lesser of k and the relevant")
class RPrecisionOverK(Doubles):
    def rprec(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        value = super().rprec(x, judged, k, m)
        return self.quotient(value * n, min(k, n))


class _OtherNorm(Doubles):
    """AP divided by the same, whatever is asked for."""

    by = ""

    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().norm(x, judged, k, {**m, "norm": self.by})


slips_by(
    _OtherNorm,
    "by",
    {
        "AP always over the relevant": "R",
        "AP always over the lesser of k and the relevant": "min",
        "AP always over k": "k",
    },
)


@slip("AP over the relevant that are retrieved")
class OverRetrieved(Doubles):
    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return sum(self.relevant(x, k, m))


@slip("AP over the relevant of the list")
class OverRelevantOfList(Doubles):
    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().norm(x, [r for r in x if r is not None], k, m)


@slip("AP sums the precision at every rank")
class EveryPrecision(Doubles):
    def sp(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        return self.total([sum(R[:i]) / i for i in range(1, len(R) + 1)])


@slip("bpref over the relevant, whatever there is of others")
class BprefOfRelevant(Doubles):
    def bpref(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        return super().bpref(x, [*(r for r in judged if self.is_relevant(r, m)), *[0] * n], k, m)


@slip("bpref counts more others than there are relevant")
class BprefUncapped(Doubles):
    def share_below(self, above: int, most: int) -> Any:
        return 1 - above / most if most else 1.0


@slip("bpref counts unjudged documents as not relevant")
class BprefOfUnjudged(Doubles):
    def bpref(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().bpref([0 if r is None else r for r in x], judged, k, m)


@slip("bpref is 0 where there are no others")
class BprefWithoutOthers(Doubles):
    def share_below(self, above: int, most: int) -> Any:
        return super().share_below(above, most) if most else 0.0


@slip("AUC counts the pairs that are not shown as lost")
class AucOfShown(Doubles):
    def pairs_not_shown(self, relevant: int, others: int) -> Any:
        del relevant, others
        return self.number(0)


@slip("AUC counts unjudged documents as not relevant")
class AucOfUnjudged(Doubles):
    def auc(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().auc([0 if r is None else r for r in x], judged, k, m)


@slip("AUC knows no judged items but those of the list")
class AucOfList(Doubles):
    def auc(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().auc(x, [r for r in x if r is not None], k, m)


@slip("infAP takes labels below 0 as judged")
class InfApOfZeros(Doubles):
    def in_sample(self, r: Label, m: Measure) -> str:
        return super().in_sample(None if r is None else max(r, 0), m)


@slip("infAP takes labels below 0 as not in the pool")
class InfApWithoutOpen(Doubles):
    def in_sample(self, r: Label, m: Measure) -> str:
        return super().in_sample(None if r is None or r < 0 else r, m)


@slip("infAP knows -1 alone as a label of what nobody judged")
class InfApOfMinusOne(Doubles):
    def in_sample(self, r: Label, m: Measure) -> str:
        return super().in_sample(0 if r is not None and r < -1 else r, m)


@slip("infAP takes what is not in the pool as not judged")
class InfApOfAll(Doubles):
    def pooled(self, seen: list[str]) -> int:
        return len(seen)


@slip("infAP without its smoothing")
class InfApUnsmoothed(Doubles):
    def share_relevant(self, seen: list[str]) -> Any:
        relevant, others = seen.count("relevant"), seen.count("other")
        return self.number(relevant) / (relevant + others) if relevant + others else 0.5


@slip("infAP takes nothing of the pool for relevant where nothing above is judged")
class InfApOfNothing(Doubles):
    def share_relevant(self, seen: list[str]) -> Any:
        nothing = not seen.count("relevant") + seen.count("other")
        return self.number(0) if nothing else super().share_relevant(seen)


# ---- labels of a scale


@slip("the scale ends with the highest label of the pool")
class ScaleOfPool(Doubles):
    def scale(self, judged: Sequence[Any], m: Measure) -> Any:
        return super().scale(judged, {**m, "max_rel": "pool"})


@slip("the scale ends with 4, whatever is asked for")
class ScaleByDefault(Doubles):
    def scale(self, judged: Sequence[Any], m: Measure) -> Any:
        return super().scale(judged, {**m, "max_rel": 4})


@slip("graded RBP without its factor 1 - p")
class GradedWithoutFactor(Doubles):
    def grbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().grbp(x, judged, k, m) / (1 - self.number(self.read(m["p"])))


@slip("graded RBP over what k ranks can give, as cwl_eval has it")
class GradedNormalised(Doubles):
    def grbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        value = super().grbp(x, judged, k, m)
        return value / (1 - self.number(self.read(m["p"])) ** max(k, 1))


@slip("the tail of the residual counts always")
class TailAlways(Doubles):
    def grbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return super().grbp_residual(x, _, k, {**m, "tail": "always"})


@slip("the tail of the residual counts where anything is unjudged")
class TailOfWholeList(Doubles):
    def grbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        if m["tail"] == "unjudged" and None not in x:
            return 0.0
        return self.rbp_residual(x, _, k, m)


@slip("scaled DCG is divided by the discounts of the list alone")
class ScaledByList(Doubles):
    def sdcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().sdcg(x, judged, min(k, len(x)), m)


@slip("scaled DCG without its scale")
class ScaledWithoutScale(Doubles):
    def sdcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().sdcg(x, judged, k, m) * self.scale(judged, m)


# ---- graded precision, and users who stop


@slip("RBP without its factor 1 - p")
class WithoutFactor(Doubles):
    def rbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().rbp(x, judged, k, m) / (1 - self.number(self.read(m["p"])))


@slip("RBP with the exponent i")
class ExponentOfRank(Doubles):
    def of_persistence(self, seen: Sequence[bool], m: Measure) -> Any:
        return super().of_persistence(seen, m) * self.number(self.read(m["p"]))


@slip("RBP with p = 0.8, whatever is asked for")
class PersistenceByDefault(Doubles):
    def of_persistence(self, seen: Sequence[bool], m: Measure) -> Any:
        return super().of_persistence(seen, {**m, "p": 0.8})


@slip("RBP over what k ranks can give")
class RbpNormalised(Doubles):
    def rbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        value = super().rbp(x, judged, k, m)
        return value / (1 - self.number(self.read(m["p"])) ** k)


@slip("the residual counts judged ranks")
class JudgedResidual(Doubles):
    def rbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.of_persistence([r is None for r in self.cut(x, k)], m)


@slip("the residual passes over what is unjudged")
class ResidualOfAll(Doubles):
    def rbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return 1 - self.of_persistence([True for _ in self.cut(x, k)], m)


@slip("the highest label of ERR from the pool")
class HighestOfPool(Doubles):
    def highest(self, judged: Sequence[Any], m: Measure) -> Any:
        return max(judged, default=m["max"])


@slip("ERR stops with probability 2^r/2^max")
class StopsMore(Doubles):
    def stop(self, r: Any, judged: Sequence[Any], m: Measure) -> Any:
        if m["stop"] is not None:
            return super().stop(r, judged, m)
        return 2.0 ** (r - m["max"]) if r else 0.0


@slip("ERR stops with probability r/max")
class StopsByShare(Doubles):
    def stop(self, r: Any, judged: Sequence[Any], m: Measure) -> Any:
        return super().stop(r, judged, m) if m["stop"] is not None else r / (m["max"] or 1)


@slip("ERR stops with probability (2^r - 1)/(2^max - 1)")
class StopsSurely(Doubles):
    def stop(self, r: Any, judged: Sequence[Any], m: Measure) -> Any:
        if m["stop"] is not None:
            return super().stop(r, judged, m)
        return (2.0**r - 1) / ((2.0 ** m["max"] - 1) or 1)


@slip("ERR's probabilities passed over")
class NoStops(Doubles):
    def stop(self, r: Any, judged: Sequence[Any], m: Measure) -> Any:
        if m["stop"] is None:
            return super().stop(r, judged, m)
        return super().stop(r, judged, {**m, "stop": None, "max": len(m["stop"]) - 1})


@slip("ERR without those who stopped before")
class NobodyStopped(Doubles):
    def err(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        shown = enumerate(self.cut(x, k), start=1)
        return self.total([self.stop(r, judged, m) / i for i, r in shown])


@slip("ERR discounts by log2(i + 1)")
class LogOfErr(Doubles):
    def err(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        terms, going_on = [], 1.0
        for i, r in enumerate(self.cut(x, k), start=1):
            stop = self.stop(r, judged, m)
            terms.append(going_on * stop / math.log2(i + 1))
            going_on *= 1 - stop
        return self.total(terms)


@slip("nERR over the ideal of the list")
class NerrOfList(Doubles):
    def nerr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().nerr(x, x, k, m)


@slip("nERR over the whole ideal")
class NerrOfAll(Doubles):
    def nerr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        best = self.err(self.falling(judged), judged, len(judged), m)
        return self.quotient(self.err(x, judged, k, m), best)


@slip("GAP without the document itself")
class GapOfOthers(Doubles):
    def gap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        whole = super().gap(x, judged, k, m)
        q = [self.number(self.read(y)) for y in m["q"]]
        own = sum(sum(q[: int(r)]) / i for i, r in enumerate(self.cut(x, k), start=1))
        return whole - self.quotient(own, sum(sum(q[: int(r)]) for r in judged))


@slip("GAP over the list")
class GapOfList(Doubles):
    def gap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        del judged
        return super().gap(x, list(x), k, m)


@slip("GAP with equal weights")
class GapEqual(Doubles):
    def gap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().gap(x, judged, k, {**m, "q": [1 / len(m["q"])] * len(m["q"])})


# ---- averages of nDCG, G and binG


@slip("nDCG_levels with the end of a list that is one longer than the levels")
class LevelsAndEnd(Doubles):
    def results_beyond(self) -> int:
        return 1


@slip("nDCG_rel of the relevant items that are shown")
class RelOfShown(Doubles):
    def ndcg_rel(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        x = self.cut(x, k)
        hits = [i for i, g in enumerate(self.gains_of(x, m), start=1) if g > 0]
        return self.mean([self.ndcg_at(x, judged, i, i, m) for i in hits])


# ---- graded precision and normalised utility


@slip("Q over all relevant items of the pool")
class QOverAll(Doubles):
    def divisor_of_q(self, relevant: int, k: int) -> int:
        del k
        return relevant


@slip("the blended ratio over the ideal of the list")
class BlendedByList(Doubles):
    def best_gains(self, x: Any, judged: Any, m: Measure) -> list[Any]:
        del judged
        return super().best_gains(x, x, m)


@slip("the blended ratio without beta below the line")
class BlendedAbove(Doubles):
    def blend(self, shown: Sequence[Any], best: Sequence[Any], i: int, beta: Any) -> Any:
        del best
        return super().blend(shown, [], i, beta)


@slip("the preferred rank is the last of its label")
class PreferredLast(Doubles):
    def preferred_rank(self, x: Any, ratios: dict[int, Any]) -> int:
        highest = max((x[i - 1] for i in ratios), default=None)
        return max((i for i in ratios if x[i - 1] == highest), default=0)


@slip("stop values by the gains, whatever they are")
class StopsAreGains(Doubles):
    def stop_values(self, x: Sequence[Any], m: Measure) -> list[Any]:
        return super().stop_values(x, {**m, "stops": None})


@slip("iRBU has utility 1 at the first rank")
class IrbuFromZero(Doubles):
    def irbu(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().irbu(x, judged, k, m) / self.number(self.read(m["phi"]))


# ---- length


@slip("LDCG without Z")
class WithoutZ(Doubles):
    def ldcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().ldcg(x, judged, k, {**m, "Z": "none"})


@slip("LDCG with Z of the results shown")
class ZOfShown(Doubles):
    def total_prior(self, shown: int, k: int, m: Measure) -> Any:
        del k
        return super().total_prior(shown, shown, m)


@slip("LDCG over all M ranks, not those shown")
class OverAllRanks(Doubles):
    def ldcg(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        ranks = range(1, k + 1)
        expected = self.total([self.prior(i, m) * self.discount(m["discount"], i) for i in ranks])
        if m.get("Z", "none") == "M":
            expected = self.quotient(expected, self.total_prior(len(x), k, m))
        return self.quotient(self.dcg(x, None, k, m), expected)


@slip("the prior of LDCG passed over: uniform")
class UniformPrior(Doubles):
    def prior(self, i: int, m: Measure) -> Any:
        return super().prior(i, {**m, "prior": {"kind": "uniform"}})


@slip("the prior of LDCG passed over: the discount")
class DiscountPrior(Doubles):
    def prior(self, i: int, m: Measure) -> Any:
        return super().prior(i, {**m, "prior": {"kind": "discount"}})


@slip("LERR, LAP, LRBP and LGAP without Z")
class AdjustedWithoutZ(Doubles):
    def adjusted(self, value: Any, of_one: list[Any], own: Measure, k: int, m: Measure) -> Any:
        return super().adjusted(value, of_one, own, k, {**m, "Z": "none"})


@slip("LERR, LAP, LRBP and LGAP over all M ranks, not those shown")
class AdjustedOverAllRanks(Doubles):
    def adjusted(self, value: Any, of_one: list[Any], own: Measure, k: int, m: Measure) -> Any:
        for i in range(len(of_one) + 1, k + 1) if of_one else ():
            of_one = [*of_one, of_one[0] / i if "p" not in m else of_one[-1] * self.read(m["p"])]
        return super().adjusted(value, of_one, own, k, m)


@slip("LERR of a user who expects a result that stops everybody")
class ExpectsThePerfect(Doubles):
    def expected_stop(self, _: Measure) -> Any:
        return self.number(1)


@slip("LAP of a user who expects one relevant result of all: over the number of relevant items")
class LapOverRelevant(Doubles):
    def lap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(super().lap(x, judged, k, m), self.number_relevant(judged, m))


@slip("LGAP of a user who expects a result that all take as relevant")
class ExpectsAllRelevant(Doubles):
    def lgap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        one = next((y for y in m["q"] if y > 0), 0)
        return self.quotient(super().lgap(x, judged, k, m) * self.read(one), sum(m["q"]))


@slip("LGAP of the label 1, whatever its probability")
class ExpectsLabelOne(Doubles):
    def lgap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().lgap(x, judged, k, m) if m["q"][0] > 0 else self.number(0)


@slip("the prior of LRBP by default 1/i")
class PriorOfLrbp(Doubles):
    def lrbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        prior = {"kind": "zipf"} if m["prior"]["kind"] == "discount" else m["prior"]
        return super().lrbp(x, judged, k, {**m, "prior": prior})


@slip("the ideal of LNDCG shows M results")
class IdealOfFullLength(Doubles):
    def ildcg(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        if m["ideal"] == "eq7":
            return super().ildcg(_, judged, k, m)
        return self.ldcg(self.falling(judged), None, k, m)


@slip("the ideal of LNDCG is always that of equation 7")
class AlwaysEquation7(Doubles):
    def ildcg(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().ildcg(_, judged, k, {**m, "ideal": "eq7"})


@slip("the ideal of LNDCG is never that of equation 7")
class NeverEquation7(Doubles):
    def ildcg(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        return super().ildcg(_, judged, k, {**m, "ideal": "true"})


# ---- relevance from scores


@slip("the median is the upper of two")
class UpperMedian(Doubles):
    def median(self, x: list[Any]) -> Any:
        return x[len(x) // 2]


@slip("the median is the lower of two")
class LowerMedian(Doubles):
    def median(self, x: list[Any]) -> Any:
        return x[(len(x) - 1) // 2]


@slip("hinges without the middle score")
class HingesWithoutMiddle(Doubles):
    def half(self, n: int) -> int:
        return max(n // 2, 1)


class _OtherQuartiles(Doubles):
    """Quartiles by one definition, whatever is asked for."""

    by = ""

    def quartile(self, x: list[Any], quarter: int, name: str) -> Any:
        return super().quartile(x, quarter, self.by if quarter != 2 else name)


slips_by(
    _OtherQuartiles,
    "by",
    {
        "quartiles always linear": "linear",
        "quartiles always by (n + 1) p": "weibull",
        "quartiles always medians of halves": "hinges",
    },
)


@slip("the whisker at three times the distance of the quartiles")
class FarWhisker(Doubles):
    def fence(self) -> Any:
        return 3.0


@slip("the variant of the text where the program's is asked for")
class AlwaysText(Doubles):
    def control_points(self, x: list[Any], m: Measure) -> list[Any]:
        return super().control_points(x, {**m, "variant": "text"})


@slip("relevance by straight lines")
class StraightLines(Doubles):
    def pchip(self, points: list[Any]) -> Any:
        points = self.distinct_points(points)
        if not points:
            return lambda _: 0.0
        s, y = zip(*points, strict=True)
        return lambda x: float(np.interp(x, s, y))


@slip("slopes at inner points are plain means")
class MeanSlopes(Doubles):
    def inner_slope(self, h: Any, h_next: Any, rise: Any, rise_next: Any) -> Any:
        del h, h_next
        return (rise + rise_next) / 2 if rise * rise_next > 0 else 0.0


@slip("slopes at inner points are unweighted harmonic means")
class UnweightedSlopes(Doubles):
    def inner_slope(self, h: Any, h_next: Any, rise: Any, rise_next: Any) -> Any:
        del h, h_next
        return 2 / (1 / rise + 1 / rise_next) if rise * rise_next > 0 else 0.0


@slip("slopes at the ends are 0")
class FlatEnds(Doubles):
    def end_slope(self, h: Any, h_next: Any, rise: Any, rise_next: Any) -> Any:
        del h, h_next, rise, rise_next
        return 0.0


@slip("of points with the same score the first counts")
class FirstPoint(Doubles):
    def distinct_points(self, points: list[Any]) -> list[Any]:
        return sorted(dict(reversed(points)).items())


@slip("control points passed over")
class NoPoints(Doubles):
    def relevance(self, scores: Sequence[Any], pool: Sequence[Any], m: Measure) -> list[Any]:
        return super().relevance(scores, pool, {**m, "points": None})


@slip("relevance made of the scores of the list")
class RelevanceOfList(Doubles):
    def metric(self, x: Sequence[Label], judged: Sequence[Any], k: int, m: Measure) -> Any:
        return super().metric(x, list(x) if "variant" in m else judged, k, m)


@slip("the ideal of nDCG_phi of the list")
class IdealOfPhiOfList(Doubles):
    def ndcg_phi(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        best = sorted(self.relevance(x, judged, m), reverse=True)
        return self.quotient(self.dcg_phi(x, judged, k, m), self.dcg_of_relevance(best, k, m))


@slip("relevance itself as the gain of DCG_phi")
class RelevanceAsGain(Doubles):
    def dcg_of_relevance(self, phi: list[Any], k: int, m: Measure) -> Any:
        return self.sum_of_gains(list(self.cut(phi, k)), m["discount"])


# ---- bounds


@slip("the worst ranking in the place of a random one")
class WorstForRandom(Doubles):
    def rlb(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        return self.wlb(J, k, m, measure)


@slip("a random ranking in the place of the worst one")
class RandomForWorst(Doubles):
    def wlb(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        return self.rlb(J, k, m, measure)


@slip("a random ranking of the list, not of the pool")
class RandomList(Doubles):
    def of_bound(self, measure: Measure, given: Given, k: int | None) -> Any:
        self.shown = self.labels(given.get("labels", given.get("judged", [])))
        return super().of_bound(measure, given, k)

    def rlb(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        del J
        return super().rlb(self.shown, k, m, measure)


@slip("the mean of a random ranking is that of the best and the worst")
class RandomByExtremes(Doubles):
    def rlb(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        if self.by_formula(measure):
            return super().rlb(J, k, m, measure)
        return (self.iub(J, k, m, measure) + self.wlb(J, k, m, measure)) / 2


@slip("UL1 and UL2 taken for each other")
class OtherUL(Doubles):
    def ul1(self, A: Any, IUB: Any, RLB: Any) -> Any:
        return super().ul2(A, IUB, RLB)

    def ul2(self, A: Any, IUB: Any, RLB: Any) -> Any:
        return super().ul1(A, IUB, RLB)


@slip("UL1 with A over A + IUB")
class UL1Swapped(Doubles):
    def ul1(self, A: Any, IUB: Any, RLB: Any) -> Any:
        del RLB
        return super().ul1(A, IUB, IUB)


@slip("UL2 with one case")
class UL2OneCase(Doubles):
    def ul2(self, A: Any, IUB: Any, RLB: Any) -> Any:
        return self.quotient(A - RLB, IUB - RLB)


@slip("UL2 is at least 0")
class UL2NotNegative(Doubles):
    def ul2(self, A: Any, IUB: Any, RLB: Any) -> Any:
        return max(super().ul2(A, IUB, RLB), 0.0)


@slip("MinMax always with the random ranking")
class MinMaxRandom(Doubles):
    def of_bound(self, measure: Measure, given: Given, k: int | None) -> Any:
        return super().of_bound({**measure, "lower": "random"}, given, k)


@slip("bounds always exact, where a paper's formula is asked for")
class NoFormula(Doubles):
    def by_formula(self, measure: Measure) -> bool:
        del measure
        return False


@slip("variance over n - 1")
class SampleVariance(Doubles):
    def variance(self, J: list[Any], k: int, m: Measure) -> Any:
        orders = math.factorial(len(J))
        return super().variance(J, k, m) * orders / max(orders - 1, 1)


@slip("a z-value divided by the variance")
class ByVariance(Doubles):
    def z_value(self, gap: Any, variance: Any) -> Any:
        return self.quotient(gap, variance)


@slip("variance as the standard deviation")
class Deviation(Doubles):
    def of_bound(self, measure: Measure, given: Given, k: int | None) -> Any:
        found = super().of_bound(measure, given, k)
        return math.sqrt(found) if measure["name"] == "variance" else found


# ---- sessions


@slip("the discount of queries passed over")
class NoQueryDiscount(Doubles):
    def query_discount(self, q: int, m: Measure) -> Any:
        del q, m
        return 1.0


@slip("the discount of queries with the base of ranks")
class RankBaseOfQueries(Doubles):
    def query_discount(self, q: int, m: Measure) -> Any:
        base = m["discount"].get("base", 2)
        return self.discount({**m["query_discount"], "base": base}, q)


@slip("the discount of queries counts from 0")
class QueriesFromZero(Doubles):
    def query_discount(self, q: int, m: Measure) -> Any:
        return super().query_discount(max(q - 1, 1), m)


@slip("ranks go on from query to query")
class RanksGoOn(Doubles):
    def session_terms(self, gains: list[list[Any]], m: Measure) -> list[list[Any]]:
        found, before = [], 0
        for q, ranked in enumerate(gains, start=1):
            found.append(
                [
                    self.term(g, m["discount"], before + i) * self.query_discount(q, m)
                    for i, g in enumerate(ranked, start=1)
                ]
            )
            before += len(ranked)
        return found


@slip("repeated documents always gain")
class RepeatsGain(Doubles):
    def repeated(self, m: Measure, times: int) -> Any:
        del m, times
        return 1.0


@slip("repeated documents never gain")
class RepeatsGainNothing(Doubles):
    def repeated(self, m: Measure, times: int) -> Any:
        del m
        return 0.0 if times else 1.0


@slip("a repeated document gains δ, however often it came")
class DeltaOnce(Doubles):
    def repeated(self, m: Measure, times: int) -> Any:
        return super().repeated(m, min(times, 1))


@slip("repeats counted from unseen results too")
class UnseenCount(Doubles):
    def look_at_rest(self, seen: Counter[Any], documents: list[Any], k: int) -> None:
        seen.update(documents[k:])


class _OtherIdeal(Doubles):
    """One ideal session, whatever is asked for."""

    by = ""

    def ideal_session(self, pool: list[Any], lengths: list[int], m: Measure) -> list[list[Any]]:
        return super().ideal_session(pool, lengths, {**m, "ideal": self.by})


slips_by(
    _OtherIdeal,
    "by",
    {
        "the ideal session always repeated": "repeated",
        "the ideal session always spread": "spread",
        "the ideal session always the greatest": "greatest",
    },
)


@slip("short queries are not padded")
class NotPadded(Doubles):
    def least(self, k: int, m: Measure) -> int:
        del k, m
        return 0


@slip("short queries are always padded to k")
class AlwaysPadded(Doubles):
    def least(self, k: int, m: Measure) -> int:
        del m
        return k


@slip("the pool of a session counts a document each time")
class PoolOfResults(Doubles):
    def pool_of_session(self, given: Given, queries: list[list[Any]]) -> list[Any]:
        return self.labels(given["judged"]) if "judged" in given else list(chain(*queries))


@slip("a vector is not cumulated")
class NotCumulated(Doubles):
    def cumulated(self, terms: list[list[Any]], lengths: list[int]) -> list[Any]:
        found = super().cumulated(terms, lengths)
        return [x - y for x, y in zip(found, [0.0, *found], strict=False)]


@slip("nsDCG is the mean of the queries' nDCG")
class MeanOfQueries(Doubles):
    def of_session(self, m: Measure, given: Given, k: int | None) -> Any:
        if m["name"] != "nsDCG":
            return super().of_session(m, given, k)
        return super().of_session({**m, "name": "query_nDCG", "over": "mean"}, given, k)


@slip("over the non-last queries the last counts too")
class LastCounts(Doubles):
    def over(self, values: list[Any], which: str) -> Any:
        return super().over(values, "mean" if which == "non-last" else which)


@slip("the best query is the last")
class BestIsLast(Doubles):
    def over(self, values: list[Any], which: str) -> Any:
        return super().over(values, "last" if which == "best" else which)


@slip("the worst query of those that have something")
class WorstOfPositive(Doubles):
    def over(self, values: list[Any], which: str) -> Any:
        if which == "worst":
            values = [x for x in values if x] or values
        return super().over(values, which)


@slip("a mean over the queries that are not empty")
class MeanOfFull(Doubles):
    def over(self, values: list[Any], which: str) -> Any:
        return super().over([x for x in values if x] if which == "mean" else values, which)


@slip("sDCG_q over the queries that are not empty")
class QueriesWithResults(Doubles):
    def of_session(self, m: Measure, given: Given, k: int | None) -> Any:
        found = super().of_session(m, given, k)
        if m["name"] != "sDCG_q" or not found:
            return found
        return found * len(given["queries"]) / sum(map(bool, given["queries"]))


# ---- means


@slip("a mean over what is not 0")
class MeanOfPositive(Doubles):
    def mean_of_numbers(self, values: Sequence[Any]) -> Any:
        return super().mean_of_numbers([x for x in values if x])


@slip("a mean of the different values")
class MeanOfDifferent(Doubles):
    def mean_of_numbers(self, values: Sequence[Any]) -> Any:
        return super().mean_of_numbers(list(dict.fromkeys(values)))


@slip("the median for the mean")
class MedianForMean(Doubles):
    def mean_of_numbers(self, values: Sequence[Any]) -> Any:
        return self.median(sorted(values)) if values else 0.0


@slip("a mean of one value too many")
class MeanOverMore(Doubles):
    def mean_of_numbers(self, values: Sequence[Any]) -> Any:
        return self.quotient(self.total(values), len(values) + 1)
