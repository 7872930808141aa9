"""The metrics of the vectors in plain doubles, as somebody would write them who has read the README
of the vectors and nothing else. Nothing of rankspec is used here.

A `Doubles` takes a case and gives its value. Each step is a method of its own, so that another
order of summation, another logarithm (`correct.py`) or a slip (`slips.py`) is one method replaced.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby, pairwise, product
from typing import Any

Measure = dict[str, Any]
Given = dict[str, Any]
Label = Any
SEEING_UNJUDGED = ("Bpref", "AUC", "RBP_residual", "GRBP_residual", "Judged", "Unjudged")
SEEING_UNJUDGED += ("NumNonrelRet", "infAP")
"""A label, or None of a document that nobody judged."""


class Refused(Exception):
    """The input is none."""


class Doubles:
    """All metrics, in doubles: sums go forward, log2 is that of the C library."""

    # ---- arithmetic

    def number(self, x: Any) -> Any:
        """A number of the input as it is worked with."""
        return float(x)

    def total(self, terms: Sequence[Any]) -> Any:
        total = self.number(0)
        for x in terms:
            total = total + x
        return total

    def mean(self, values: Sequence[Any]) -> Any:
        return self.total(values) / len(values) if values else self.number(0)

    def quotient(self, x: Any, y: Any) -> Any:
        return x / y if y else self.number(0)

    def log(self, x: Any, b: Any) -> Any:
        """log_b(x)."""
        return math.log2(x) if b == 2 else math.log2(x) / math.log2(b)

    def ln(self, x: Any) -> Any:
        return self.log(x, math.e)

    def power_of_two(self, x: Any) -> Any:
        return 2.0**x

    def root(self, x: Any) -> Any:
        return math.sqrt(x)

    def finish(self, value: Any) -> float:
        return float(value)

    # ---- numbers as JSON has them

    def read(self, x: Any) -> Any:
        """A number of a case: integers are exact."""
        if isinstance(x, str):
            return int(x) if re.fullmatch("-?[0-9]+", x) else float(x)
        return x

    def read_label(self, x: Any) -> Any:
        return self.read(x)

    def read_score(self, x: Any) -> Any:
        return self.read(x)

    def labels(self, given: Sequence[Any]) -> list[Any]:
        return [self.read_label(x) for x in given]

    # ---- a case

    def answer(self, case: dict[str, Any]) -> Any:
        """The value of a case, or a list of values."""
        measure, given = case["measure"], case["input"]
        name = measure["name"]
        if name == "mean":
            return self.finish(self.mean_of_numbers([self.read(x) for x in given["values"]]))
        if name == "double":
            return self.finish(float(Fraction(given["fraction"])))
        of_one = self.of_session if "queries" in given else self.of_case
        k = measure.get("of", measure).get("k")
        if isinstance(k, list):
            return [self.finish(of_one(measure, given, self.read(x))) for x in k]
        found = of_one(measure, given, self.read(k))
        return [self.finish(x) for x in found] if isinstance(found, list) else self.finish(found)

    def mean_of_numbers(self, values: Sequence[Any]) -> Any:
        return self.mean([self.number(x) for x in values])

    def of_case(self, measure: Measure, given: Given, k: int | None) -> Any:
        if "of" in measure:
            return self.of_bound(measure, given, k)
        labels = self.labels(given.get("labels", []))
        flags = given.get("unjudged", [0] * len(labels))
        shown = [None if flag else r for r, flag in zip(labels, flags, strict=True)]
        judged = self.pool(given, shown)
        if k is None:
            k, measure = self.depth(measure, shown, judged), {**measure, "Z": "none"}
        return self.of_orders(given, shown, judged, k, measure)

    def pool(self, given: Given, shown: Sequence[Label]) -> list[Any]:
        if "judged" in given:
            return self.labels(given["judged"])
        return [r for r in shown if r is not None]

    def depth(self, measure: Measure, labels: Sequence[Label], judged: Sequence[Any]) -> int:
        """The cut-off where there is none."""
        of_list = measure.get("norm") == "k" or measure.get("ideal") == "perfect"
        if measure["name"] in ("INSQ", "INST", "BPM", "NERR10", "NERR11"):
            return self.ENDLESS
        if measure["name"] == "Compat":
            return max(len(labels), sum(r > 0 for r in judged))
        if measure["name"] in ("P", "SDCG", "RelP", "F", "Unjudged", "NERR8", "NERR9") or of_list:
            return len(labels)
        return max(len(labels), len(judged))

    def of_orders(
        self, given: Given, shown: Sequence[Label], judged: Sequence[Any], k: int, m: Measure
    ) -> Any:
        """The mean over the orders that scores leave open."""
        orders = self.orders(given, shown)
        values = [(c, self.metric(order, judged, k, m)) for c, order in orders]
        return self.weighted_mean(values)

    def weighted_mean(self, values: Sequence[tuple[int, Any]]) -> Any:
        count = sum(c for c, _ in values)
        return self.total([c * x for c, x in values]) / count

    # ---- ties

    def groups(self, scores: Sequence[Any]) -> list[list[int]]:
        """The positions of the documents by falling score, equal scores together."""
        falling = sorted(range(len(scores)), key=lambda a: scores[a], reverse=True)
        return [list(group) for _, group in groupby(falling, key=lambda a: scores[a])]

    def orders(self, given: Given, shown: Sequence[Label]) -> list[tuple[int, list[Label]]]:
        """The orders of the labels that are possible, and how often each is."""
        if "scores" not in given:
            return [(1, list(shown))]
        scores = [self.read_score(x) for x in given["scores"]]
        groups = self.groups(scores)
        if given["ties"] == "expected":
            return self.open_orders([[shown[a] for a in group] for group in groups])
        order = [a for group in groups for a in self.settled(group, given, shown)]
        return [(1, [shown[a] for a in order])]

    def open_orders(self, groups: list[list[Label]]) -> list[tuple[int, list[Label]]]:
        each = [list(self.distinct_orders(group)) for group in groups]
        return [(1, list(chain(*choice))) for choice in product(*each)]

    def distinct_orders(self, items: list[Label]) -> Iterator[list[Label]]:
        """Each is equally likely."""
        if not items:
            yield []
        for x in Counter(items):
            rest = list(items)
            rest.remove(x)
            for order in self.distinct_orders(rest):
                yield [x, *order]

    def settled(self, group: list[int], given: Given, shown: Sequence[Label]) -> list[int]:
        """A tie group in the order of its rule."""
        rule = given["ties"]
        if rule.startswith("id-"):
            falling = rule == "id-descending"
            return sorted(group, key=lambda a: self.id_key(given["ids"][a]), reverse=falling)
        if rule == "input":
            return sorted(group)
        return self.by_label(group, shown, best=rule == "best")

    def id_key(self, identifier: Any) -> Any:
        return identifier

    def by_label(self, group: list[int], shown: Sequence[Label], *, best: bool) -> list[int]:
        def key(a: int) -> Any:
            return -math.inf if shown[a] is None else shown[a]

        return sorted(group, key=key, reverse=best)

    # ---- metrics of a list

    def metric(self, x: Sequence[Label], judged: Sequence[Any], k: int, m: Measure) -> Any:
        """The metric of labels in rank order; what is unjudged counts as the label 0."""
        if m["name"] not in SEEING_UNJUDGED:
            x = [0 if r is None else r for r in x]
        of: Callable[..., Any] = getattr(self, m["name"].lower())
        return of(x, judged, k, m)

    def cut(self, x: Sequence[Any], k: int) -> Sequence[Any]:
        return x[:k]

    def falling(self, judged: Sequence[Any]) -> list[Any]:
        return sorted(judged, reverse=True)

    def gain(self, r: Label, m: Measure) -> Any:
        gain = m["gain"]
        if gain["kind"] == "linear":
            return self.linear(r)
        return self.table(gain["table"], r) if gain["kind"] == "table" else self.exponential(r)

    def linear(self, r: Any) -> Any:
        return self.number(r)

    def exponential(self, r: Any) -> Any:
        return self.power_of_two(self.number(r)) - 1

    def table(self, table: Sequence[Any], r: Any) -> Any:
        return self.number(self.read(table[int(r)]))

    def discount(self, d: Measure, i: int) -> Any:
        """d(i)."""
        kind, b = d["kind"], d.get("base", 2)
        if kind == "none":
            return self.number(1)
        if kind == "weights":
            return self.number(self.read(d["weights"][i - 1]))
        divisors = {
            "log": lambda: self.log_rank(i, b),
            "zipf": lambda: self.number(i),
            "jarvelin-2008": lambda: 1 + self.log(i, b),
            "jarvelin-2002": lambda: self.jarvelin_2002(i, b),
            "jiang-2016": lambda: self.log(i - 1 + b, b),
        }
        return 1 / divisors[kind]()

    def log_rank(self, i: int, b: Any) -> Any:
        return self.log(i + 1, b)

    def jarvelin_2002(self, i: int, b: Any) -> Any:
        return self.number(1) if i < b else self.log(i, b)

    def term(self, gain: Any, d: Measure, i: int) -> Any:
        return gain * self.discount(d, i)

    def sum_of_gains(self, gains: Sequence[Any], d: Measure) -> Any:
        return self.total([self.term(g, d, i) for i, g in enumerate(gains, start=1)])

    def gains(self, x: Sequence[Label], k: int, m: Measure) -> list[Any]:
        return [self.number(0) if r is None else self.gain(r, m) for r in self.cut(x, k)]

    def cg(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.total(self.gains(x, k, m))

    def dcg(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.sum_of_gains(self.gains(x, k, m), m["discount"])

    def idcg(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.dcg(self.falling(judged), judged, k, m)

    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.dcg(x, judged, k, m), self.best_dcg(x, judged, k, m))

    def best_dcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        """What nDCG divides by."""
        depth = self.depth_of_ideal(x, judged, k, m)
        if m["ideal"] == "perfect":
            return self.perfect(depth, m)
        return self.dcg(self.falling(judged), judged, depth, m)

    def perfect(self, depth: int, m: Measure) -> Any:
        """The DCG of items that gain 1 each."""
        return self.sum_of_gains([self.number(1)] * depth, m["discount"])

    def depth_of_ideal(self, x: Any, judged: Any, k: int, m: Measure) -> int:
        if m["ideal"] == "all":
            return len(judged)
        return min(k, len(x)) if m["ideal"] == "shown" else k

    # ---- length

    def prior(self, i: int, m: Measure) -> Any:
        """w(i)."""
        prior = m["prior"]
        if prior["kind"] == "uniform":
            return self.number(1)
        return self.discount(m["discount"] if prior["kind"] == "discount" else prior, i)

    def ldcg(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        shown = self.cut(x, k)
        weights = [self.prior(i, m) for i in range(1, len(shown) + 1)]
        expected = self.total(
            [w * self.discount(m["discount"], i) for i, w in enumerate(weights, start=1)]
        )
        if m.get("Z", "none") == "M":
            expected = self.quotient(expected, self.total_prior(len(shown), k, m))
        return self.quotient(self.dcg(x, None, k, m), expected)

    def total_prior(self, shown: int, k: int, m: Measure) -> Any:  # noqa: ARG002
        """1/Z(M, 1)."""
        return self.total([self.prior(i, m) for i in range(1, k + 1)])

    def ildcg(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        ideal = self.falling(judged)
        if m["ideal"] == "eq7":
            return self.ldcg([r for r in ideal if r == ideal[0]], None, k, m)
        lengths = range(1, min(k, len(ideal)) + 1)
        return max((self.ldcg(ideal[:n], None, k, m) for n in lengths), default=self.number(0))

    def lndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        m = {**m, "Z": "none"}
        return self.quotient(self.ldcg(x, judged, k, m), self.ildcg(x, judged, k, m))

    def lerr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        one = self.expected_stop(m)
        of_one = [one / i for i in range(1, len(self.cut(x, k)) + 1)]
        return self.adjusted(self.err(x, judged, k, m), of_one, {"kind": "zipf"}, k, m)

    def expected_stop(self, m: Measure) -> Any:
        """How probable it is to stop at the result that is expected."""
        if m["stop"] is None:
            return self.number(1) / 2 ** m["max"]
        if m["stop"] == "label":
            return self.number(1)
        table = [self.number(self.read(y)) for y in m["stop"]]
        return min([y for y in table if y > 0], default=self.number(0))

    def lap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        of_one = [self.number(1) / i for i in range(1, len(self.cut(x, k)) + 1)]
        return self.adjusted(self.sp(x, judged, k, m), of_one, {"kind": "zipf"}, k, m)

    def lgap(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        one = next((self.number(self.read(y)) for y in m["q"] if y > 0), self.number(0))
        of_one = [one / i for i in range(1, len(self.cut(x, k)) + 1)]
        return self.adjusted(self.gsp(x, k, m), of_one, {"kind": "zipf"}, k, m)

    def lrbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        p, shown = self.number(self.read(m["p"])), len(self.cut(x, k))
        of_one = [(1 - p) * p**i for i in range(shown)]
        own = {"kind": "weights", "weights": [p**i for i in range(max(k, shown))]}
        return self.adjusted(self.rbp(x, judged, k, m), of_one, own, k, m)

    def adjusted(self, value: Any, of_one: list[Any], own: Measure, k: int, m: Measure) -> Any:
        """A value over what is expected; own: the discount that the prior is by default."""
        m = {**m, "discount": own}
        expected = self.total([self.prior(i, m) * e for i, e in enumerate(of_one, start=1)])
        if m.get("Z", "none") == "M":
            expected = self.quotient(expected, self.total_prior(len(of_one), k, m))
        return self.quotient(value, expected)

    # ---- relevance from scores

    def dcg_phi(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.dcg_of_relevance(self.relevance(x, judged, m), k, m)

    def ndcg_phi(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        best = sorted(self.relevance(judged, judged, m), reverse=True)
        return self.quotient(self.dcg_phi(x, judged, k, m), self.dcg_of_relevance(best, k, m))

    def dcg_of_relevance(self, phi: list[Any], k: int, m: Measure) -> Any:
        gains = [self.exponential(y) for y in self.cut(phi, k)]
        return self.sum_of_gains(gains, m["discount"])

    def relevance(self, scores: Sequence[Any], pool: Sequence[Any], m: Measure) -> list[Any]:
        if m["points"] is not None:
            points = [tuple(self.number(self.read(x)) for x in point) for point in m["points"]]
        else:
            points = self.control_points(sorted(self.number(x) for x in pool), m)
        phi = self.pchip(points)
        return [phi(self.number(s)) for s in scores]

    def control_points(self, x: list[Any], m: Measure) -> list[Any]:
        program = m["variant"] == "authors-program"
        name = m["quartiles"]
        if name == "own":
            name = "hinges" if program else "linear"
        x = [s for s in x if s > 0] if program else x
        if not x:
            return []
        lowest = self.number(0) if program else x[0]
        points = [(lowest, 0.0), (self.median(x), 0.0)]
        whisker = self.whisker(x, name)
        if x[-1] > whisker:
            at = max(s for s in x if s <= whisker) if program else whisker
            points.append((at, self.quotient(at - x[0], x[-1] - x[0])))
        return [*points, (x[-1], 1.0)]

    def whisker(self, x: list[Any], name: str) -> Any:
        first, third = self.quartile(x, 1, name), self.quartile(x, 3, name)
        return third + self.fence() * (third - first)

    def fence(self) -> Any:
        return self.number(1.5)

    def median(self, x: list[Any]) -> Any:
        return self.quartile(x, 2, "linear")

    def quartile(self, x: list[Any], quarter: int, name: str) -> Any:
        n = len(x)
        if name == "hinges":
            half = self.half(n)
            return self.median(x[:half] if quarter == 1 else x[n - half :])
        position = self.position(n, Fraction(quarter, 4), name)
        j = math.floor(position)
        share = self.number(position - j)
        below, above = (x[min(max(i, 1), n) - 1] for i in (j, j + 1))
        return below + share * (above - below)

    def half(self, n: int) -> int:
        return (n + 1) // 2

    def position(self, n: int, p: Fraction, name: str) -> Fraction:
        third = Fraction(1, 3)
        return {
            "linear": 1 + (n - 1) * p,
            "weibull": (n + 1) * p,
            "median-unbiased": (n + third) * p + third,
        }[name]

    def pchip(self, points: list[Any]) -> Callable[[Any], Any]:
        points = self.distinct_points(points)
        if not points:
            return lambda _: self.number(0)
        h = [t - s for (s, _), (t, _) in pairwise(points)]
        rise = [(z - y) / w for ((_, y), (_, z)), w in zip(pairwise(points), h, strict=True)]
        slopes = self.slopes(h, rise)

        def phi(s: Any) -> Any:
            if s <= points[0][0]:
                return points[0][1]
            for j, ((a, y), (b, z)) in enumerate(pairwise(points)):
                if s < b:
                    u = (s - a) / (b - a)
                    return (
                        (1 + 2 * u) * (1 - u) * (1 - u) * y
                        + u * (1 - u) * (1 - u) * h[j] * slopes[j]
                        + u * u * (3 - 2 * u) * z
                        + u * u * (u - 1) * h[j] * slopes[j + 1]
                    )
            return points[-1][1]

        return phi

    def distinct_points(self, points: list[Any]) -> list[Any]:
        """Of points with the same score the last counts."""
        return sorted(dict(points).items())

    def slopes(self, h: list[Any], rise: list[Any]) -> list[Any]:
        if len(h) < 2:
            return rise * 2
        inner = [self.inner_slope(h[j], h[j + 1], rise[j], rise[j + 1]) for j in range(len(h) - 1)]
        return [
            self.end_slope(h[0], h[1], rise[0], rise[1]),
            *inner,
            self.end_slope(h[-1], h[-2], rise[-1], rise[-2]),
        ]

    def inner_slope(self, h: Any, h_next: Any, rise: Any, rise_next: Any) -> Any:
        if rise * rise_next <= 0:
            return self.number(0)
        a, b = 2 * h_next + h, h_next + 2 * h
        return (a + b) / (a / rise + b / rise_next)

    def end_slope(self, h: Any, h_next: Any, rise: Any, rise_next: Any) -> Any:
        slope = ((2 * h + h_next) * rise - h * rise_next) / (h + h_next)
        if slope * rise <= 0:
            return self.number(0)
        if rise * rise_next <= 0 and abs(slope) > abs(3 * rise):
            return 3 * rise
        return slope

    # ---- relevant or not

    def is_relevant(self, r: Label, m: Measure) -> bool:
        return r is not None and r >= self.read(m["rel"])

    def relevant(self, x: Sequence[Label], k: int, m: Measure) -> list[bool]:
        return [self.is_relevant(r, m) for r in self.cut(x, k)]

    def number_relevant(self, judged: Sequence[Any], m: Measure) -> int:
        return sum(self.is_relevant(r, m) for r in judged)

    def p(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.number(sum(self.relevant(x, k, m))), k)

    def r(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        found = self.number(sum(self.relevant(x, k, m)))
        return self.quotient(found, self.number_relevant(judged, m))

    def rr(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        return 1 / self.number(R.index(True) + 1) if True in R else self.number(0)

    def success(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.number(any(self.relevant(x, k, m)))

    def rprec(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        return self.quotient(self.number(sum(self.relevant(x, min(k, n), m))), n)

    def items_at(self, level: float, n: int, rounding: str) -> int:
        if rounding == "up":
            return math.ceil(Fraction(repr(level)) * n)
        return int(float(level) * n + 0.9) if rounding == "plus-0.9" else int(level * n + 0.5)

    def iprec(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        c = self.items_at(self.read(m["recall"]), self.number_relevant(judged, m), m["rounding"])
        hits = [sum(R[:i]) for i in range(1, len(R) + 1)]
        there = [self.number(h) / i for i, h in enumerate(hits, start=1) if h >= c]
        return max(there, default=self.number(0))

    def rprecmult(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        c = self.items_at(self.read(m["multiple"]), self.number_relevant(judged, m), "plus-0.9")
        return self.quotient(self.number(sum(self.relevant(x, min(k, c), m))), c)

    def avgiprec(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.mean([self.iprec(x, judged, k, {**m, "recall": r}) for r in m["levels"]])

    def numret(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        del m
        return self.number(len(self.cut(x, k)))

    def numrel(self, _: Any, judged: Any, k: int, m: Measure) -> Any:
        del k
        return self.number(self.number_relevant(judged, m))

    def numrelret(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.number(sum(self.relevant(x, k, m)))

    def numq(self, *_: Any) -> Any:
        return self.number(1)

    def setp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.numrelret(x, judged, k, m), len(self.cut(x, k)))

    def relp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        most = min(k, self.number_relevant(judged, m))
        return self.quotient(self.numrelret(x, judged, k, m), most)

    def f(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        square = self.number(self.read(m["beta"])) ** 2
        divisor = square * self.number_relevant(judged, m) + k
        return self.quotient((1 + square) * self.numrelret(x, judged, k, m), divisor)

    def setap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        found = self.numrelret(x, judged, k, m)
        return self.quotient(found * found, len(self.cut(x, k)) * self.number_relevant(judged, m))

    def yaap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        S, N = self.sp(x, judged, k, m), self.number_relevant(judged, m)
        return self.ln((1 + S) / (1 + N - S)) if S < N + 1 else self.number(0)

    def utility(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        hits, shown = self.numrelret(x, judged, k, m), len(self.cut(x, k))
        missed = self.number_relevant(judged, m) - hits
        others = (m["documents"] or 0) - shown - missed
        worth = [self.number(self.read(w)) for w in m["weights"]]
        counts = (hits, shown - hits, missed, others)
        return self.total([w * c for w, c in zip(worth, counts, strict=True)])

    def judged(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        del m
        shown = self.cut(x, k)
        return self.quotient(self.number(sum(r is not None for r in shown)), len(shown))

    def unjudged(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        del m
        return self.quotient(self.number(sum(r is None for r in self.cut(x, k))), k)

    def numnonrelret(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        seen = [r for r in self.cut(x, k) if r is not None]
        return self.number(sum(not self.is_relevant(r, m) for r in seen))

    def sp(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        return self.total([self.number(sum(R[:i])) / i for i in range(1, len(R) + 1) if R[i - 1]])

    def ap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.sp(x, judged, k, m), self.norm(x, judged, k, m))

    def norm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        hits, retrieved = (self.number_relevant(shown, m) for shown in (self.cut(x, k), x))
        norms = {"R": n, "min": min(n, k), "k": k, "hits": hits, "retrieved": retrieved}
        return norms[m["norm"]]

    def bpref(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        most, above, shares = min(n, len(judged) - n), 0, []
        for r in self.cut(x, k):
            if self.is_relevant(r, m):
                shares.append(self.share_below(above, most))
            elif r is not None:
                above += 1
        return self.quotient(self.total(shares), n)

    def infap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        seen: list[str] = []
        terms = []
        for i, r in enumerate(self.cut(x, k), start=1):
            kind = self.in_sample(r, m)
            if kind == "relevant":
                terms.append((1 + self.pooled(seen) * self.share_relevant(seen)) / i)
            seen.append(kind)
        kinds = [self.in_sample(r, m) for r in judged]
        return self.quotient(self.total(terms), kinds.count("relevant"))

    def in_sample(self, r: Label, m: Measure) -> str:
        if r is None or r < 0:
            return "out" if r is None else "open"
        return "relevant" if self.is_relevant(r, m) else "other"

    def pooled(self, seen: list[str]) -> int:
        return len(seen) - seen.count("out")

    def share_relevant(self, seen: list[str]) -> Any:
        relevant, others = seen.count("relevant"), seen.count("other")
        return self.number(relevant + 1e-5) / (relevant + others + 2e-5)

    def share_below(self, above: int, most: int) -> Any:
        return 1 - self.number(min(above, most)) / most if most else self.number(1)

    def auc(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        n = self.number_relevant(judged, m)
        others, won, shown = len(judged) - n, 0, 0
        below = others
        for r in self.cut(x, k):
            if self.is_relevant(r, m):
                won += below
                shown += 1
            elif r is not None:
                below -= 1
        return self.quotient(won + self.pairs_not_shown(n - shown, below), n * others)

    def pairs_not_shown(self, relevant: int, others: int) -> Any:
        return self.number(relevant * others) / 2

    def rbp(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return self.of_persistence(self.relevant(x, k, m), m)

    def rbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        return 1 - self.of_persistence([r is not None for r in self.cut(x, k)], m)

    def of_persistence(self, seen: Sequence[bool], m: Measure) -> Any:
        p = self.number(self.read(m["p"]))
        return (1 - p) * self.total([p ** (i - 1) for i, R in enumerate(seen, start=1) if R])

    # ---- labels of a scale

    def scale(self, judged: Sequence[Any], m: Measure) -> Any:
        if m["max_rel"] == "pool":
            return self.number(max([1, *judged]))
        return self.number(self.read(m["max_rel"]))

    def grbp(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        p, t = self.number(self.read(m["p"])), self.scale(judged, m)
        terms = [self.number(r) * p ** (i - 1) for i, r in enumerate(self.cut(x, k), start=1)]
        return (1 - p) * self.total(terms) / t

    def grbp_residual(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        if m["tail"] == "unjudged" and None not in self.cut(x, k):
            return self.number(0)
        return self.rbp_residual(x, _, k, m)

    def sdcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        t = self.scale(judged, m)
        gains = [self.number(r) for r in self.cut(x, k)]
        weights = self.sum_of_gains([self.number(1)] * k, m["discount"])
        return self.quotient(self.sum_of_gains(gains, m["discount"]), weights * t)

    # ---- users with a goal, and compatibility

    def gains_of_scale(self, x: Any, judged: Any, m: Measure) -> list[Any]:
        t = self.scale(judged, m)
        return [self.number(r) / t for r in x]

    def insq(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.of_weights(self.gains_of_scale(x, judged, m), k, m, [])

    def inst(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        g = self.gains_of_scale(x, judged, m)
        return self.of_weights(g, k, m, g)

    def of_weights(self, g: list[Any], k: int, m: Measure, found: list[Any]) -> Any:
        """Of an endless list, some ranks, and the rest by the series of Euler and Maclaurin."""
        if not g:
            return self.number(0)
        T, endless = self.number(self.read(m["T"])), k == self.ENDLESS
        depth = len(g) + 40 if endless else k
        V, c, weights = self.number(1), 2 * T, []
        for i in range(1, depth + 1):
            weights.append(V)
            c = c - (found[i - 1] if i <= len(found) else 0)
            V = V * ((i + c - 1) / (i + c)) ** 2
        y = depth + c
        rest = (
            V * y**2 * (1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7))
        )
        rest = rest if endless else 0
        return self.total([a * b for a, b in zip(g, weights, strict=False)]) / (
            self.total(weights) + rest
        )

    def nerr8(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.of_stopped(x, judged, k, m, lambda _: self.number(1))

    def nerr9(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.of_stopped(x, judged, k, m, lambda i: self.number(i) / (i + 1))

    def nerr10(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        p = self.number(self.read(m["p"]))
        below = 1 / (1 - p) if k == self.ENDLESS else None
        return self.of_stopped(x, judged, k, m, lambda _: p, below)

    def nerr11(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        T = self.number(self.read(m["T"]))
        depth, below = k, None
        if k == self.ENDLESS:
            depth = len(x) + 40
            y = depth + 2 * T
            series = 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)
            below = y**2 * series
        return self.of_stopped(
            x, judged, depth, m, lambda i: ((i + 2 * T - 1) / (i + 2 * T)) ** 2, below
        )

    def of_stopped(
        self, x: Any, judged: Any, k: int, m: Measure, goes_on: Any, below: Any = None
    ) -> Any:
        """below: what the ranks below the last have together, over the first of them."""
        g = self.gains_of_scale(x, judged, m)
        if not g:
            return self.number(0)
        V, above, seen = self.number(1), [], []
        for i in range(1, (len(g) if k == self.ENDLESS else k) + 1):
            g_i = g[i - 1] if i <= len(g) else self.number(0)
            above.append(V * g_i)
            seen.append(V)
            V = V * (1 - g_i) * goes_on(i)
        return self.total(above) / (self.total(seen) + (V * below if below is not None else 0))

    ENDLESS = -1

    def bpm(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        g = self.gains_of_scale(x, judged, m)
        hb, hc, med = (self.number(self.read(m[name])) for name in ("hb", "hc", "med"))
        T, last, found = self.number(self.read(m["T"])), self.number(k), self.number(0)
        for i in range(1, 10_000):
            g_i = g[i - 1] if i <= len(g) else self.number(0)
            found = found + g_i
            if found >= T or (k != self.ENDLESS and i >= last):
                return found / i
            T, last = T + hb * (g_i - med), last + hc * (g_i - med)
        return self.number(0)

    def compat(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        p, others = self.number(self.read(m["p"])), list(judged)
        for r in x:
            if r in others:
                others.remove(r)
        every = list(enumerate([*x, *others]))
        best = [a for a, r in sorted(every, key=lambda item: (-item[1], item[0])) if r > 0]
        if not x or not best:
            return self.number(0)

        def overlap(ranking: list[int]) -> Any:
            both = [len({*ranking[:d]} & {*best[:d]}) for d in range(1, k + 1)]
            return self.total([p ** (d - 1) * b / d for d, b in enumerate(both, start=1)])

        weights = self.total([p**i for i in range(k)])
        return overlap(list(range(len(x)))) / (overlap(best) if m["normalize"] else weights)

    # ---- graded precision, and users who stop

    def delta(self, r: Any, m: Measure) -> Any:
        """Return the probability that an item of a label is relevant."""
        return self.total([self.number(self.read(y)) for y in m["q"]][: int(r)])

    def gsp(self, x: Any, k: int, m: Measure) -> Any:
        shown = self.cut(x, k)
        sums = [
            self.total([self.delta(min(r, s), m) for s in shown[:i]]) / i
            for i, r in enumerate(shown, start=1)
        ]
        return self.total(sums)

    def gap(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return self.quotient(self.gsp(x, k, m), self.total([self.delta(r, m) for r in judged]))

    def stop(self, r: Any, judged: Sequence[Any], m: Measure) -> Any:
        if m["stop"] == "label":
            return self.number(r)
        if m["stop"] is not None:
            return self.number(self.read(m["stop"][int(r)]))
        return self.exponential(r) / self.power_of_two(self.highest(judged, m))

    def highest(self, judged: Sequence[Any], m: Measure) -> Any:  # noqa: ARG002
        return self.number(m["max"])

    def err(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        terms, going_on = [], self.number(1)
        for i, r in enumerate(self.cut(x, k), start=1):
            stop = self.stop(r, judged, m)
            terms.append(going_on * stop / i)
            going_on = going_on * (1 - stop)
        return self.total(terms)

    def nerr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        best = self.err(self.falling(judged), judged, k, m)
        return self.quotient(self.err(x, judged, k, m), best)

    # ---- averages of nDCG, nCG, G and binG

    def ncg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        def cg(labels: Sequence[Any]) -> Any:
            return self.total(self.gains_of(self.cut(labels, k), m))

        return self.quotient(cg(x), cg(self.falling(judged)))

    def ndcg_at(self, x: Any, judged: Any, i: int, t: int, m: Measure) -> Any:
        return self.quotient(self.dcg(x, x, i, m), self.dcg(self.falling(judged), judged, t, m))

    def ndcg_rel(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        x = self.cut(x, k)
        hits = [i for i, g in enumerate(self.gains_of(x, m), start=1) if g > 0]
        relevant = len(self.best_gains(x, judged, m))
        found = self.total([self.ndcg_at(x, judged, i, i, m) for i in hits])
        rest = (relevant - len(hits)) * self.ndcg_at(x, judged, len(x), len(judged), m)
        return self.quotient(found + rest, relevant)

    def ndcg_levels(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        x, best = self.cut(x, k), self.best_gains(x, judged, m)
        cuts = [i for i in range(1, len(best) + 1) if i == len(best) or best[i] != best[i - 1]]
        cuts += [len(x)] if best and len(x) >= len(best) + self.results_beyond() else []
        return self.mean([self.ndcg_at(x, judged, min(t, len(x)), t, m) for t in cuts])

    def results_beyond(self) -> int:
        return 2

    def bing(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        R = self.relevant(x, k, m)
        terms = [1 / self.log(2 + R[:i].count(False), 2) for i, R_i in enumerate(R) if R_i]
        return self.quotient(self.total(terms), self.number_relevant(judged, m))

    def g(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        gains, best = self.gains_of(self.cut(x, k), m), self.best_gains(x, judged, m)
        costs = [max(g, self.number(1)) for g in best] + [self.number(1)] * len(gains)
        terms = []
        for i, g in enumerate(gains, start=1):
            lag = self.total(costs[:i]) - self.total(gains[:i])
            terms.append(g / self.log(2 + (lag if lag > 0 else 0), 2))
        return self.quotient(self.total(terms), self.total(best))

    # ---- graded precision and normalised utility

    def gains_of(self, x: Sequence[Any], m: Measure) -> list[Any]:
        return [self.gain(r, m) for r in x]

    def best_gains(self, x: Any, judged: Any, m: Measure) -> list[Any]:  # noqa: ARG002
        return [g for g in self.gains_of(self.falling(judged), m) if g > 0]

    def ratios(self, x: Any, judged: Any, k: int, m: Measure) -> dict[int, Any]:
        """The blended ratio of each relevant rank."""
        shown, best = self.gains_of(self.cut(x, k), m), self.best_gains(x, judged, m)
        beta = self.number(self.read(m["beta"]))
        return {
            i: self.blend(shown[:i], best[:i], i, beta)
            for i, g in enumerate(shown, start=1)
            if g > 0
        }

    def blend(self, shown: Sequence[Any], best: Sequence[Any], i: int, beta: Any) -> Any:
        hits = sum(g > 0 for g in shown)
        return (hits + beta * self.total(shown)) / (i + beta * self.total(best))

    def q_measure(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        found = self.total(list(self.ratios(x, judged, k, m).values()))
        return self.quotient(found, self.divisor_of_q(len(self.best_gains(x, judged, m)), k))

    def divisor_of_q(self, relevant: int, k: int) -> int:
        return min(relevant, k)

    def stop_values(self, x: Sequence[Any], m: Measure) -> list[Any]:
        """Of relevant items, in rank order."""
        if m["stopping"] == "graded":
            return self.gains_of(x, {"gain": m["stops"] or m["gain"]})
        if m["stopping"] == "uniform":
            return [self.number(1) for _ in x]
        return [self.number(self.read(m["gamma"])) ** c for c in range(len(x))]

    def ncu(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        ratios = self.ratios(x, judged, k, m)
        here = self.stop_values([x[i - 1] for i in ratios], m)
        wanted = [r for r in judged if self.gain(r, m) > 0]
        had = self.total([u * y for u, y in zip(here, ratios.values(), strict=True)])
        return self.quotient(had, self.total(self.stop_values(wanted, m)))

    def o_measure(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        return next(iter(self.ratios(x, judged, k, m).values()), self.number(0))

    def preferred_rank(self, x: Any, ratios: dict[int, Any]) -> int:
        highest = max((x[i - 1] for i in ratios), default=None)
        return next((i for i in ratios if x[i - 1] == highest), 0)

    def p_measure(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        ratios = self.ratios(x, judged, k, m)
        return ratios.get(self.preferred_rank(x, ratios), self.number(0))

    def p_plus(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        ratios = self.ratios(x, judged, k, m)
        last = self.preferred_rank(x, ratios)
        return self.mean([y for i, y in ratios.items() if i <= last])

    def ebr(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        terms, going_on = [], self.number(1)
        for i, ratio in self.ratios(x, judged, k, m).items():
            stop = self.stop(x[i - 1], judged, m)
            terms.append(going_on * stop * ratio)
            going_on = going_on * (1 - stop)
        return self.total(terms)

    def irbu(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        terms, going_on = [], self.number(1)
        phi = self.number(self.read(m["phi"]))
        for i, r in enumerate(self.cut(x, k), start=1):
            stop = self.stop(r, judged, m)
            terms.append(going_on * stop * phi**i)
            going_on = going_on * (1 - stop)
        return self.total(terms)

    # ---- bounds

    def of_bound(self, measure: Measure, given: Given, k: int | None) -> Any:
        m, name = measure["of"], measure["name"]
        labels = self.labels(given.get("labels", given.get("judged", [])))
        flags = given.get("unjudged", [0] * len(labels))
        labels = [None if flag else r for r, flag in zip(labels, flags, strict=True)]
        J = self.pool(given, labels)
        if k is None:
            k = self.depth(m, labels, J) or len(J)
            m = {**m, "Z": "none"}
        if name == "expected":
            return self.of_random(labels, J, k, m)
        if name == "variance":
            return self.variance(J, k, m)
        parts = {"IUB": self.iub, "RLB": self.rlb, "WLB": self.wlb}
        if name in parts:
            return parts[name](J, k, m, measure)
        A = self.of_orders(given, labels, J, k, m)
        if name == "z_value":
            return self.z_value(A - self.rlb(J, k, m, measure), self.variance(J, k, m))
        return self.between(name, A, lambda part: parts[part](J, k, m, measure), measure)

    def between(self, name: str, A: Any, part: Callable[[str], Any], measure: Measure) -> Any:
        """What is made of A and of bounds."""
        if name in ("U", "Ratio"):
            return self.quotient(A, part("IUB" if name == "U" else "RLB"))
        low = part("WLB" if measure.get("lower") == "worst" else "RLB")
        return {"UL1": self.ul1, "UL2": self.ul2, "MinMax": self.min_max}[name](A, part("IUB"), low)

    def ul1(self, A: Any, IUB: Any, RLB: Any) -> Any:
        return self.quotient(A, IUB) * self.quotient(A, A + RLB)

    def ul2(self, A: Any, IUB: Any, RLB: Any) -> Any:
        if A >= RLB:
            return self.quotient(A - RLB, IUB - RLB)
        return self.quotient(A - RLB, RLB)

    def min_max(self, A: Any, IUB: Any, low: Any) -> Any:
        return self.quotient(A - low, IUB - low)

    def z_value(self, gap: Any, variance: Any) -> Any:
        return self.quotient(gap, self.root(variance))

    def by_formula(self, measure: Measure) -> bool:
        return measure.get("bounds") == "karmaker-2022"

    def iub(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        if m["name"] in ("LDCG", "LNDCG"):
            best = self.ildcg(None, J, k, {**m, "ideal": "true"})
            return best if m["name"] == "LDCG" else self.quotient(best, self.ildcg(None, J, k, m))
        if m["name"] in ("LERR", "LAP", "LRBP", "LGAP"):
            lists = (self.falling(J)[:n] for n in range(1, len(J) + 1))
            return max((self.metric(x, J, k, m) for x in lists), default=self.number(0))
        if self.by_formula(measure) and m["name"] in ("SP", "AP"):
            return self.over_normaliser(self.number(k if J else 0), J, k, m)
        return self.metric(self.falling(J), J, k, m)

    def wlb(self, J: list[Any], k: int, m: Measure, _: Measure) -> Any:
        return self.metric(sorted(J), J, k, m)

    def rlb(self, J: list[Any], k: int, m: Measure, measure: Measure) -> Any:
        if not self.by_formula(measure):
            return self.of_random(J, J, k, m)
        if not J:
            return self.number(0)
        if m["name"] in ("SP", "AP"):
            n = self.number_relevant(J, m)
            return self.over_normaliser(self.number(k) * (n * n) / (len(J) * len(J)), J, k, m)
        discounts = self.total([self.discount(m["discount"], i) for i in range(1, k + 1)])
        dcg = self.mean([self.gain(r, m) for r in J]) * discounts
        return self.over_normaliser(dcg, J, k, m)

    def over_normaliser(self, x: Any, J: list[Any], k: int, m: Measure) -> Any:
        """nDCG of DCG, AP of SP."""
        if m["name"] == "nDCG":
            return self.quotient(x, self.best_dcg(J, J, k, m))
        return self.quotient(x, self.norm(J, J, k, m)) if m["name"] == "AP" else x

    def beginnings(self, items: list[Any], k: int) -> Iterator[tuple[int, list[Any]]]:
        """How a random order of items can begin, and how often it does."""
        if k == 0 or not items:
            yield math.factorial(len(items)), []
            return
        for x, count in Counter(items).items():
            rest = list(items)
            rest.remove(x)
            for often, following in self.beginnings(rest, k - 1):
                yield count * often, [x, *following]

    def random_values(self, items: list[Any], J: list[Any], k: int, m: Measure) -> Any:
        found = [(c, self.metric(order, J, k, m)) for c, order in self.beginnings(items, k)]
        least = math.gcd(*(c for c, _ in found))
        return [(c // least, x) for c, x in found]

    def of_random(self, items: list[Any], J: list[Any], k: int, m: Measure) -> Any:
        return self.weighted_mean(self.random_values(items, J, k, m))

    def variance(self, J: list[Any], k: int, m: Measure) -> Any:
        values = self.random_values(J, J, k, m)
        mean = self.weighted_mean(values)
        return self.weighted_mean([(c, (x - mean) * (x - mean)) for c, x in values])

    # ---- sessions

    def of_session(self, m: Measure, given: Given, k: int | None) -> Any:  # noqa: PLR0911
        queries = [self.labels(ranked) for ranked in given["queries"]]
        documents = given.get("documents")
        pool = self.pool_of_session(given, queries)
        if k is None:
            longest = max(map(len, queries), default=0)
            k = max(longest, len(pool)) if self.has_pool(m["name"]) else longest
        name: str = m["name"]
        if name == "Instance_recall":
            return self.instance_recall(queries, documents, pool, k, m)
        if name == "query_P_at_recall":
            at = [self.at_recall(ranked[:k], pool, m) for ranked in queries]
            return self.over(at, m["over"])
        gains = self.session_gains(queries, documents, k, m)
        if name.startswith("query_"):
            return self.of_queries(name, queries, gains, pool, k, m)
        lengths = [min(k, max(len(ranked), self.least(k, m))) for ranked in queries]
        if name in ("sDCG", "sDCG_q"):
            sdcg = self.total(list(chain(*self.session_terms(gains, m))))
            return sdcg if name == "sDCG" else self.quotient(sdcg, len(queries))
        if name in ("IsDCG", "nsDCG"):
            best = self.total(list(chain(*self.ideal_terms(pool, lengths, m))))
            if name == "IsDCG":
                return best
            return self.quotient(self.total(list(chain(*self.session_terms(gains, m)))), best)
        if name == "IsDCG_vector":
            return self.cumulated(self.ideal_terms(pool, lengths, m), lengths)
        vector = self.cumulated(self.session_terms(gains, m), lengths)
        if name in ("nsDCG_vector", "avg_nsDCG"):
            ideal = self.cumulated(self.ideal_terms(pool, lengths, m), lengths)
            vector = [self.quotient(x, y) for x, y in zip(vector, ideal, strict=True)]
        return self.mean(vector) if name.startswith("avg_") else vector

    def instance_recall(
        self, queries: list[list[Any]], documents: Any, pool: list[Any], k: int, m: Measure
    ) -> Any:
        rel = self.read(m["rel"])
        found = {
            documents[q][i] if documents else (q, i)
            for q, ranked in enumerate(queries)
            for i, label in enumerate(ranked[:k])
            if label >= rel
        }
        return self.quotient(len(found), sum(label >= rel for label in pool))

    def at_recall(self, ranked: list[Any], pool: list[Any], m: Measure) -> Any:
        rel, recall = self.read(m["rel"]), self.read(m["recall"])
        relevant = sum(label >= rel for label in pool)
        hits, precisions = 0, []
        for i, label in enumerate(ranked, start=1):
            hits += label >= rel
            if 100 * hits >= recall * relevant > 0:
                precisions.append(self.quotient(hits, i))
        if not precisions:
            return self.number(0)
        return max(precisions) if m["precision"] == "interpolated" else precisions[0]

    def ideal_terms(self, pool: list[Any], lengths: list[int], m: Measure) -> list[list[Any]]:
        return self.session_terms(self.ideal_session(pool, lengths, m), m)

    def has_pool(self, name: str) -> bool:
        return name in (
            *("IsDCG", "nsDCG", "avg_nsDCG", "query_nDCG", "Instance_recall"),
            "query_P_at_recall",
            *("IsDCG_vector", "nsDCG_vector"),
        )

    def least(self, k: int, m: Measure) -> int:
        """c: how many ranks a query has at least."""
        padding = m.get("padding", 0)
        return k if padding == "X" else int(self.read(padding))

    def pool_of_session(self, given: Given, queries: list[list[Any]]) -> list[Any]:
        if "judged" in given:
            return self.labels(given["judged"])
        flat = list(chain(*queries))
        if "documents" not in given:
            return flat
        return list(dict(zip(chain(*given["documents"]), flat, strict=True)).values())

    def session_gains(
        self, queries: list[list[Any]], documents: Any, k: int, m: Measure
    ) -> list[list[Any]]:
        """What each result that is looked at gains."""
        seen: Counter[Any] = Counter()
        found = []
        for q, ranked in enumerate(queries):
            gains = self.gains(ranked, k, m)
            for i, gain in enumerate(gains):
                if documents is not None:
                    gains[i] = gain * self.repeated(m, seen[documents[q][i]])
                    seen[documents[q][i]] += 1
            if documents is not None:
                self.look_at_rest(seen, documents[q], k)
            found.append(gains)
        return found

    def look_at_rest(self, seen: Counter[Any], documents: list[Any], k: int) -> None:
        """What stands below the cut-off is not looked at."""

    def repeated(self, m: Measure, times: int) -> Any:
        """δ^(t-1)."""
        delta = {"every": 1, "first": 0}.get(m["repeats"], m["repeats"])
        return self.number(self.read(delta)) ** times

    def query_discount(self, q: int, m: Measure) -> Any:
        return self.discount(m["query_discount"], q)

    def session_terms(self, gains: list[list[Any]], m: Measure) -> list[list[Any]]:
        return [
            [
                self.term(g, m["discount"], i) * self.query_discount(q, m)
                for i, g in enumerate(ranked, start=1)
            ]
            for q, ranked in enumerate(gains, start=1)
        ]

    def cumulated(self, terms: list[list[Any]], lengths: list[int]) -> list[Any]:
        """The sums up to each rank of each query, those beyond a list too."""
        flat: list[Any] = []
        for ranked, length in zip(terms, lengths, strict=True):
            flat += [*ranked, *([self.number(0)] * (length - len(ranked)))]
        return [self.total(flat[: i + 1]) for i in range(len(flat))]

    def ideal_session(self, pool: list[Any], lengths: list[int], m: Measure) -> list[list[Any]]:
        """The gains of the ideal session, by query."""
        best = self.falling(pool)
        if m["ideal"] == "repeated":
            return [self.gains(best, length, m) for length in lengths]
        if m["ideal"] == "spread":
            begins = [sum(lengths[:q]) for q in range(len(lengths))]
            return [
                self.gains(best[begin:], length, m)
                for begin, length in zip(begins, lengths, strict=True)
            ]
        gains = [[self.number(0)] * length for length in lengths]
        places = [(q, i) for q, length in enumerate(lengths) for i in range(length)]
        places.sort(key=lambda place: -self.weight_of_place(*place, m))
        for (q, i), r in zip(places, best, strict=False):
            gains[q][i] = self.gain(r, m)
        return gains

    def weight_of_place(self, q: int, i: int, m: Measure) -> float:
        weight = self.query_discount(q + 1, m) * self.discount(m["discount"], i + 1)
        return round(float(weight), 13)  # equal places in the order of the session

    def of_queries(
        self, name: str, queries: list[list[Any]], gains: list[list[Any]], pool: list[Any],
        k: int, m: Measure,
    ) -> Any:  # fmt: skip
        if name == "query_nDCG":
            dcgs = [self.sum_of_gains(ranked, m["discount"]) for ranked in gains]
            return self.over(self.ndcg_of_queries(dcgs, queries, pool, k, m), m["over"])
        terms = self.session_terms(gains, m)
        if name == "query_sDCG_vectors":
            return [self.total(ranked[: i + 1]) for ranked in terms for i in range(len(ranked))]
        return self.over([self.total(ranked) for ranked in terms], m["over"])

    def ndcg_of_queries(
        self, dcgs: list[Any], queries: list[list[Any]], pool: list[Any], k: int, m: Measure
    ) -> list[Any]:
        best = self.falling(pool)
        if m.get("dcg") == "mean":
            return self.ndcg_of_means(dcgs, queries, best, k, m)
        lengths = [min(k, max(len(ranked), self.least(k, m))) for ranked in queries]
        ideals = [self.sum_of_gains(self.gains(best, n, m), m["discount"]) for n in lengths]
        return [self.quotient(x, y) for x, y in zip(dcgs, ideals, strict=True)]

    def ndcg_of_means(
        self, dcgs: list[Any], queries: list[list[Any]], best: list[Any], k: int, m: Measure
    ) -> list[Any]:
        """Each DCG over the sum of the discounts of its ranks."""

        def discounts(n: int) -> Any:
            ranks = min(k, max(n, self.least(k, m)))
            return self.total([self.discount(m["discount"], i) for i in range(1, ranks + 1)])

        ideal = self.sum_of_gains(self.gains(best, k, m), m["discount"])
        of_ideal = self.quotient(ideal, discounts(len(best)))
        return [
            self.quotient(self.quotient(x, discounts(len(ranked))), of_ideal)
            for x, ranked in zip(dcgs, queries, strict=True)
        ]

    def over(self, values: list[Any], which: str) -> Any:
        values = values[:-1] if which == "non-last" else values
        if not values:
            return self.number(0)
        return {
            "mean": lambda: self.mean(values),
            "non-last": lambda: self.mean(values),
            "sum": lambda: self.total(values),
            "best": lambda: max(values),
            "worst": lambda: min(values),
            "first": lambda: values[0],
            "last": lambda: values[-1],
        }[which]()
