"""The laws of the axioms: both sides of each condition, by the definitions written once more.

What fails is enumerated independently: lists, exchanges and values are made here, of fractions.
What is proven to hold must be seen to fail of a metric that was changed.
"""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest

import rankspec as rs
from rankspec import records
from rankspec.analysis.axioms.asked import axioms
from rankspec.analysis.axioms.declared import AXIOMS, axiom
from rankspec.analysis.axioms.functions import Adapted, Near, taken
from rankspec.analysis.axioms.metrics import OfMeasure, scale_of
from rankspec.analysis.axioms.verdicts import FAILS, HOLDS, NOT_REFUTED, OPEN, Verdict, verdict
from rankspec.analysis.axioms.worlds import World
from rankspec.certify import certified
from rankspec.metrics.axioms import Proof
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import measures
from rankspec.reference import axioms as reference
from rankspec.reference.axioms import Shown
from rankspec.reference.numbers.ordered import Real

from ..each import each

Labels = tuple[int, ...]
Value = Callable[[Labels, Labels, int | None], Fraction]


@cache
def judged(measure: str, name: str) -> Verdict:
    (found,) = axioms(measure, only=[name]).metrics
    return found[name]


# ---- both sides of each condition ----------------------------------------------------------

CONDITIONS = {
    "RS-AXM-2/L1": [("c1", "", "DCG nDCG@2 P@2 R RBP ERR nERR SP AP GAP@3 RR Success")],
    "RS-AXM-3/L1": [
        ("c2", "DCG nDCG@2 RBP P@2", "DCG@1 DCG(gain='0-0-1') DCG(discount=[1,0,0])"),
    ],
    "RS-AXM-3/L2": [("c2", "ERR nERR@2", "ERR@1 ERR(stop=(0,0.5,1)) ERR(stop=(0,0,0.5))")],
    "RS-AXM-3/L3": [("c2", "SP AP AP(norm='k')@2 GAP", "AP@1 GAP(q=(0,1)) GAP@1")],
    "RS-AXM-3/L4": [("c2", "", "RR Success@2")],
    "RS-AXM-4/L1": [("fewer-and-better", "", "DCG ERR AP GAP RR RBP")],
    "RS-AXM-4/L2": [("fewer-and-better", "", "LDCG LNDCG LDCG(prior='zipf') LDCG@30")],
    "RS-AXM-5/L1": [("more-as-good", "DCG RBP R", "DCG@3 nDCG@2 DCG(gain='0-0-1')")],
    "RS-AXM-5/L2": [("more-as-good", "LDCG LNDCG", "LDCG@3 LDCG(prior='uniform')")],
    "RS-AXM-5/L3": [("more-as-good", "ERR nERR", "ERR@2 ERR(stop=(0,0.5,1))")],
    "RS-AXM-5/L4": [("more-as-good", "SP AP GAP", "SP@2 AP@3 GAP(q=(0,1))")],
    "RS-AXM-5/L5": [("more-as-good", "", "RR Success")],
    "RS-AXM-6/L1": [("boundedness", "DCG@5 nDCG RBP DCG(discount=[1,0.5])", "DCG CG")],
    "RS-AXM-7/L1": [("range", "nDCG nDCG(ideal='all')@3 P@2 R RBP", "")],
    "RS-AXM-7/L2": [("range", "AP AP(norm='hits') GAP", "")],
    "RS-AXM-7/L3": [("range", "RR Success", ""), ("boundedness", "RR", "")],
    "RS-AXM-8/L1": [("monotonicity", "DCG R RBP nDCG(ideal='all')", "nDCG nDCG@7")],
    "RS-AXM-8/L2": [("monotonicity", "SP GAP AP AP@3", "AP(norm='min') AP(norm='min')@9")],
    "RS-AXM-8/L3": [("monotonicity", "RR Success", "")],
    "RS-AXM-8/L4": [("monotonicity", "", "nERR nERR@4")],
    "RS-AXM-9/L1": [("convergence", "DCG nDCG@2 P@3 R", "DCG(gain='0-1-1')")],
    "RS-AXM-9/L2": [("convergence", "LDCG LNDCG@2", "LDCG(gain='0-1-1')")],
    "RS-AXM-9/L3": [("convergence", "ERR ERR(stop=(0,0.5,1))@1", "ERR(stop=(0,0.5,1))")],
    "RS-AXM-9/L4": [("convergence", "SP AP GAP@2", "GAP(q=(0,1))")],
    "RS-AXM-10/L1": [
        ("top-weightedness", "DCG DCG(discount=[1,0.5,0])@3", "CG P@2 R DCG(gain='0-1-1')"),
    ],
    "RS-AXM-10/L2": [("top-weightedness", "LDCG LNDCG@2", "LDCG(discount='none')")],
    "RS-AXM-10/L3": [
        ("top-weightedness", "ERR ERR(stop=(0,0.5,1))@2", "ERR(stop=(0,0.5,1))@3"),
    ],
    "RS-AXM-10/L4": [("top-weightedness", "SP AP GAP", "GAP(q=(0,1))")],
    "RS-AXM-11/L1": [("localisation", "CG DCG P@2 SP RR Success ERR RBP LDCG", "")],
    "RS-AXM-12/L1": [("completeness", "CG DCG P@2 SP RR Success ERR RBP LDCG", "")],
    "RS-AXM-13/L1": [("realisability", "nDCG nDCG@3 R", "R@5 nDCG(ideal='all')@5")],
    "RS-AXM-13/L2": [("realisability", "LNDCG LNDCG@2", "")],
    "RS-AXM-13/L3": [("realisability", "nERR nERR@2", "")],
    "RS-AXM-13/L4": [("realisability", "AP(norm='min')@2 AP GAP", "AP@2 GAP@9")],
    "RS-AXM-13/L5": [("realisability", "RR Success@2", "")],
    "RS-AXM-14/L1": [("replacement", "CG nDCG@2 P@2 SP AP GAP RR Success", "")],
    "RS-AXM-15/L1": [("swap", "CG nDCG@2 P@2 SP AP GAP RR Success", "")],
    "RS-AXM-16/L1": [("priority", "DCG nDCG RBP", "DCG@2 nDCG@9 CG DCG(gain='0-1-1')")],
    "RS-AXM-16/L2": [("priority", "LDCG LNDCG", "LDCG@3 LDCG(discount='none')")],
    "RS-AXM-16/L3": [("priority", "ERR nERR", "ERR@2 ERR(stop=(0,0.5,1))")],
    "RS-AXM-16/L4": [("priority", "SP AP GAP", "SP@2 AP@9 GAP(q=(0,1))")],
    "RS-AXM-17/L1": [("deepness", "DCG nDCG RBP", "DCG@2 CG DCG(discount='jarvelin-2002(b=2)')")],
    "RS-AXM-17/L2": [("deepness", "LDCG LNDCG", "LDCG@2 LDCG(discount='none')")],
    "RS-AXM-17/L3": [("deepness", "ERR nERR", "ERR@2 ERR(stop=(0,0.5,1))")],
    "RS-AXM-17/L4": [("deepness", "", "SP AP GAP AP@3 GAP@20")],
    "RS-AXM-18/L1": [
        ("deepness-threshold", "DCG@3 nDCG@2 DCG(discount='zipf') RBP", "DCG nDCG CG R"),
    ],
    "RS-AXM-18/L2": [("deepness-threshold", "ERR nERR ERR@2", "")],
    "RS-AXM-18/L3": [("deepness-threshold", "SP@4 AP@9 GAP@2", "SP AP GAP")],
    "RS-AXM-18/L4": [("deepness-threshold", "RR RR@3 Success@2", "Success")],
    "RS-AXM-18/L5": [("deepness-threshold", "LDCG@3 LNDCG@2", "LDCG LNDCG")],
    "RS-AXM-19/L1": [
        ("closeness-threshold", "", "DCG(discount='zipf') DCG@4 nDCG@2 RBP(p=0.5) RBP(p=0.75)"),
    ],
    "RS-AXM-19/L2": [("closeness-threshold", "", "ERR nERR ERR@3")],
    "RS-AXM-19/L3": [("closeness-threshold", "", "SP@5 AP@2 GAP@3")],
    "RS-AXM-19/L4": [("closeness-threshold", "", "RR Success")],
    "RS-AXM-20/L1": [("confidence", "", "DCG ERR AP RR RBP@2")],
    "RS-AXM-20/L2": [("confidence", "LDCG LNDCG LDCG(prior='uniform')", "")],
    "RS-AXM-21/L1": [("appended", "DCG nDCG@2 ERR AP GAP RR P@2", "")],
}  # fmt: skip
"""Of each law: an axiom, measures that satisfy it, and measures that do not."""

LAWS = pytest.mark.spec(
    "RS-AXM-2/L1", "RS-AXM-3/L1", "RS-AXM-3/L2", "RS-AXM-3/L3", "RS-AXM-3/L4", "RS-AXM-4/L1",
    "RS-AXM-4/L2", "RS-AXM-5/L1", "RS-AXM-5/L2", "RS-AXM-5/L3", "RS-AXM-5/L4", "RS-AXM-5/L5",
    "RS-AXM-6/L1", "RS-AXM-7/L1", "RS-AXM-7/L2", "RS-AXM-7/L3", "RS-AXM-8/L1", "RS-AXM-8/L2",
    "RS-AXM-8/L3", "RS-AXM-8/L4", "RS-AXM-9/L1", "RS-AXM-9/L2", "RS-AXM-9/L3", "RS-AXM-9/L4",
    "RS-AXM-10/L1", "RS-AXM-10/L2", "RS-AXM-10/L3", "RS-AXM-10/L4", "RS-AXM-11/L1",
    "RS-AXM-12/L1", "RS-AXM-13/L1", "RS-AXM-13/L2", "RS-AXM-13/L3", "RS-AXM-13/L4",
    "RS-AXM-13/L5", "RS-AXM-14/L1", "RS-AXM-15/L1", "RS-AXM-16/L1", "RS-AXM-16/L2",
    "RS-AXM-16/L3", "RS-AXM-16/L4", "RS-AXM-17/L1", "RS-AXM-17/L2", "RS-AXM-17/L3",
    "RS-AXM-17/L4", "RS-AXM-18/L1", "RS-AXM-18/L2", "RS-AXM-18/L3", "RS-AXM-18/L4",
    "RS-AXM-18/L5", "RS-AXM-19/L1", "RS-AXM-19/L2", "RS-AXM-19/L3", "RS-AXM-19/L4",
    "RS-AXM-20/L1", "RS-AXM-20/L2", "RS-AXM-21/L1",
)  # fmt: skip

CLAIMS = [
    (law, name, measure, status)
    for law, listed in CONDITIONS.items()
    for name, holding, failing in listed
    for status, names in ((HOLDS, holding), (FAILS, failing))
    for measure in names.split()
]


@LAWS
@each("claim", CLAIMS, fast=30)
def test_a_law_decides(claim):
    law, name, measure, status = claim
    found = judged(measure, name)
    assert (found.status, found.spec) == (status, law)


@LAWS
def test_every_law_that_a_metric_names_is_looked_at():
    named = {proof.spec for metric in METRICS for proof in metric.axioms.values()}
    assert {law for law in named if law.startswith("RS-AXM")} == set(CONDITIONS)


@pytest.mark.spec("RS-AXM-2/L2")
def test_c1_and_c2_of_ldcg_are_those_of_its_own_chapter():
    for measure in ("LDCG", "LNDCG@2"):
        assert (judged(measure, "c1").status, judged(measure, "c1").spec) == (HOLDS, "RS-LEN-10/L1")
        assert (judged(measure, "c2").status, judged(measure, "c2").spec) == (HOLDS, "RS-LEN-11/L1")
    assert judged("LDCG(prior='uniform')", "c2").status == FAILS
    assert judged("LDCG(prior=[4,1])@2", "c1").status == FAILS


@pytest.mark.spec("RS-LEN-12/L2")
def test_c1_of_stop_probabilities_is_decided_exactly():
    """R(2) w(2) = 1/10 · 1/10 = (1 - R(2)) R(1) w(1) = 9/10 · 1/81 · 9/10: equal, so C1 fails.

    The double next to 1/10 is above it, and that next to 1/81 below: of doubles it would hold.
    """
    assert Fraction(1 / 10) > Fraction(1, 10)
    assert Fraction(1 / 81) < Fraction(1, 81)
    for first, status in ((Fraction(1, 81), FAILS), (Fraction(1, 82), HOLDS)):
        measure = rs.LERR(k=2, stop=(0, first, Fraction(1, 10)), prior=[9, 1])
        (found,) = axioms(measure, labels=[0, 1, 2], only=["c1"]).metrics
        assert (found["c1"].status, found["c1"].spec) == (status, "RS-LEN-12/L2")


ADJUSTED = [
    f"{name}({parameters}){k}"
    for name in ("LERR", "LAP", "LRBP", "LGAP")
    for parameters in ("prior='discount'", "prior='uniform'", "prior=[1,0]", "prior=[9,1]")
    for k in ("@2", "@1")
] + [
    *["LERR(stop=(0,0.25,1))@2", "LERR(stop=(0,0,0.5))@2", "LERR(stop=(0,0,0))@2"],
    *[
        "LGAP(q=(1,3))@2",
        "LGAP(q=(1,4))@2",
        "LGAP(q=(0,1))@2",
        "LGAP(q=(1,4,25),prior='uniform')@2",
    ],
]


@pytest.mark.slow
@pytest.mark.spec("RS-AXM-2/L3", "RS-AXM-3/L5")
@pytest.mark.spec("RS-LEN-12/L2", "RS-LEN-12/L5", "RS-LEN-12/L6", "RS-LEN-12/L7")
@each("name", ADJUSTED)
@each("highest", [1, 2, 4])
def test_c1_and_c2_of_adjusted_metrics_by_their_lists(name, highest):
    """The verdicts of the laws, from the exact values of the lists themselves."""
    (m,) = measures(name)
    labels = [x for x in range(highest + 1) if m.refusal(x) is None]
    lists = [(a,) for a in labels] + list(product(labels, repeat=2))
    value = {r: certified(m, list(r)).exact for r in lists}
    c1 = all(value[a,] > value[a, b] for b in labels for a in labels if a > b)
    c2 = all(value[a,] < value[a, a] for a in labels if a > 0)
    (found,) = axioms(m, labels=labels, only=["c1", "c2"]).metrics
    assert (found["c1"].status == HOLDS, found["c2"].status == HOLDS) == (c1, c2)
    assert found["c1"].spec.startswith("RS-LEN-12/")
    assert {found["c1"].status, found["c2"].status} <= {HOLDS, FAILS}


@pytest.mark.spec("RS-AXM-3/L5", "RS-LEN-12/L3", "RS-LEN-12/L4")
def test_no_prior_gives_lerr_both():
    """From the largest label 3 on; of two labels above 0 there is one."""
    for second in range(1, 24):
        (found,) = axioms(
            f"LERR(max=3,prior=[24,{second}])@2", labels=range(4), only=["c1", "c2"]
        ).metrics
        assert FAILS in {found["c1"].status, found["c2"].status}
    (found,) = axioms("LERR(max=2,prior=[6,1])@2", labels=range(3), only=["c1", "c2"]).metrics
    assert {found["c1"].status, found["c2"].status} == {HOLDS}


OF_ONE_LENGTH = {"LERR": "ERR", "LAP": "SP", "LRBP": "RBP", "LGAP": "GAP"}


@pytest.mark.spec("RS-LEN-13/L2", "RS-LEN-14/L2", "RS-LEN-15/L2", "RS-LEN-16/L2")
@each("name", OF_ONE_LENGTH)
@each("k", ["", "@1", "@2", "@3"], fast=2)
def test_axioms_of_one_length_are_those_of_the_metric(name, k):
    for about in ("convergence", "top-weightedness", "replacement", "swap", "priority", "deepness"):
        adjusted, plain = judged(name + k, about), judged(OF_ONE_LENGTH[name] + k, about)
        assert adjusted.status == plain.status, about


@pytest.mark.spec("RS-AXM-23", "RS-AXM-23/L1")
def test_the_sessions_of_a_world_come_by_their_size():
    """Each with the pool of its own items, and with one more of each label."""
    sessions = [(queries, J) for queries, J in World.of((0, 1), 2).sessions()]
    sizes = [2] * 4 + [3] * 8 + [4] * 16
    assert [len(J) for _, J in sessions[::3]] == sizes
    assert {tuple(map(len, queries)) for queries, _ in sessions} == {(1, 1), (1, 1, 1), (2, 2)}
    assert all(sum(queries, ()) == J for queries, J in sessions[::3])
    for x in (0, 1):
        assert all((*sum(queries, ()), x) == J for queries, J in sessions[x + 1 :: 3])


@pytest.mark.spec("RS-AXM-22/L1")
def test_the_order_of_queries():
    for measure, status in {
        "sDCG": HOLDS,
        "sDCG@1": FAILS,
        "sDCG(query_discount='none')": FAILS,
        "sDCG(gain='0-1-1')": FAILS,
    }.items():
        found = judged(measure, "query-order")
        assert (found.status, found.spec) == (status, "RS-AXM-22/L1")
    found = judged("sDCG(query_discount='none')", "query-order").counterexample.asked
    assert rs.sdcg([list(q) for q in found.first.labels], query_discount="none") == rs.sdcg(
        [list(q) for q in found.second.labels], query_discount="none"
    )


# ---- metrics of fractions, written once more -----------------------------------------------


def at(weights: Callable[[int], Fraction]) -> Callable[[Labels, int | None], Fraction]:
    """A sum of labels times weights."""

    def total(r: Labels, k: int | None) -> Fraction:
        return sum((x * weights(i) for i, x in enumerate(r[:k], 1)), Fraction(0))

    return total


ZIPF = at(lambda i: Fraction(1, i))


def zipf(r: Labels, J: Labels, k: int | None) -> Fraction:  # noqa: ARG001
    return ZIPF(r, k)


def normalised(r: Labels, J: Labels, k: int | None) -> Fraction:
    ideal = ZIPF(tuple(sorted(J, reverse=True)), k)
    return ZIPF(r, k) / ideal if ideal else Fraction(0)


def err(r: Labels, J: Labels, k: int | None) -> Fraction:  # noqa: ARG001
    total, on = Fraction(0), Fraction(1)
    for i, x in enumerate(r[:k], 1):
        stop = Fraction(2**x - 1, 16)
        total += on * stop / i
        on *= 1 - stop
    return total


def ap(r: Labels, J: Labels, k: int | None) -> Fraction:
    hits = [i for i, x in enumerate(r[:k], 1) if x]
    total = sum((Fraction(n, i) for n, i in enumerate(hits, 1)), Fraction(0))
    return total / sum(map(bool, J)) if any(J) else Fraction(0)


def rr(r: Labels, J: Labels, k: int | None) -> Fraction:  # noqa: ARG001
    return next((Fraction(1, i) for i, x in enumerate(r[:k], 1) if x), Fraction(0))


def rbp(r: Labels, J: Labels, k: int | None) -> Fraction:  # noqa: ARG001
    return at(lambda i: Fraction(1, 2**i))(r, k)


def ldcg(r: Labels, J: Labels, k: int | None) -> Fraction:  # noqa: ARG001
    shown = r[:k]
    below = sum((Fraction(1, i * i) for i, _ in enumerate(shown, 1)), Fraction(0))
    return ZIPF(r, k) / below if below else Fraction(0)


OWN: dict[str, tuple[Value, tuple[int, ...]]] = {
    "DCG(discount='zipf')": (zipf, (0, 1, 2)),
    "nDCG(discount='zipf')@2": (normalised, (0, 1, 2)),
    "ERR": (err, (0, 1, 2)),
    "ERR@2": (err, (0, 1, 2)),
    "AP": (ap, (0, 1)),
    "AP@2": (ap, (0, 1)),
    "RR": (rr, (0, 1)),
    "RBP(p=0.5)": (rbp, (0, 1)),
    "LDCG(gain='linear', discount='zipf', Z='none')": (ldcg, (0, 1, 2)),
    "LDCG(gain='linear', discount='zipf', Z='none')@2": (ldcg, (0, 1, 2)),
}


def exchanged(r: Labels, i: int, j: int) -> Labels:
    new = list(r)
    new[i], new[j] = new[j], new[i]
    return tuple(new)


JOINING = ("convergence", "replacement", "confidence", "appended")
"""The axioms for which an item of the pool joins the list, so that one more is one more again."""


def worlds(
    scale: Sequence[int], longest: int, joins: bool = False
) -> Iterator[tuple[Labels, Labels]]:
    more = [(), *((x,) for x in scale)]
    if joins:
        more += [(x, y) for x in scale for y in scale if x <= y]
    for n in range(longest + 1):
        for r in product(scale, repeat=n):
            for rest in more:
                yield r, r + rest


def broken(name: str, E: Value, r: Labels, J: Labels, k: int | None) -> bool:  # noqa: C901, PLR0911, PLR0912
    """Whether an axiom asks something of a list that is not so."""
    n, spare = len(r), J[len(r) :]
    e = lambda x, pool=J, depth=k: E(x, pool, depth)  # noqa: E731
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if r[j] > r[i]]
    depths = [k] if k else range(1, n + 1)
    match name:
        case "c1":
            return n == 2 and r[0] > r[1] and not e(r[:1]) > e(r)
        case "c2":
            return n == 2 and r[0] == r[1] > 0 and not e(r) > e(r[:1])
        case "fewer-and-better":
            cuts = [m for m in range(1, n) if min(r[:m]) > max(r[m:])]
            return any(not e(r[:m]) > e(r) for m in cuts)
        case "more-as-good":
            return n > 1 and len(set(r)) == 1 and r[0] > 0 and not e(r) > e(r[:-1])
        case "range":
            return not 0 <= e(r) <= 1
        case "monotonicity":
            return any(e(r, J, d + 1) < e(r, J, d) for d in depths)
        case "convergence":
            inside = [(exchanged(r, i, j), d) for d in depths for i, j in pairs if i < d <= j]
            outside = [
                ((*r[:i], x, *r[i + 1 :]), d)
                for d in depths
                for i in range(min(d, n))
                for x in spare
                if x > r[i]
            ]
            return any(not e(x, J, d) > e(r, J, d) for x, d in inside + outside)
        case "top-weightedness":
            return any(not e(exchanged(r, i, j)) > e(r) for i, j in pairs if j < (k or n))
        case "localisation":
            return any(e(r, J, d) != e(r[:d], r[:d], d) for d in depths)
        case "replacement":
            new = [(*r[:i], x, *r[i + 1 :]) for i in range(n) for x in spare if x > r[i]]
            return any(e(x) < e(r) for x in new)
        case "swap":
            return any(e(exchanged(r, i, j)) < e(r) for i, j in pairs)
        case "priority":
            return any(not e(exchanged(r, i, j)) > e(r) for i, j in pairs if j == i + 1)
        case "deepness":
            near = [i for i, j in pairs if j == i + 1]
            return any(
                not e(exchanged(r, i, i + 1)) > e(exchanged(r, j, j + 1))
                for i in near
                for j in near
                if i < j and r[i] == r[j] and r[i + 1] == r[j + 1]
            )
        case "confidence":
            return max(r, default=0) > 0 and 0 in spare and not e(r) > e((*r, 0))
        case "appended":
            return 0 in spare and e((*r, 0)) != e(r)
    raise AssertionError(name)


OF_LISTS = [
    x.name
    for x in AXIOMS
    if x.of == "list"
    and x.taken_of == "rankings"
    and x.name not in ("completeness", "signed-range")
]


@each("measure", OWN)
@each("name", OF_LISTS)
@pytest.mark.slow(but=0)
@pytest.mark.spec("RS-AXM-1", "RS-AXM-23", "RS-AXM-23/L1", "RS-AXM-23/L2")
def test_what_fails_is_what_another_enumeration_finds(measure, name):
    enumerated(measure, name, 3)


@each("measure", OWN, fast=5)
@each("name", ["c1", "c2", "monotonicity", "priority", "confidence", "appended"])
@pytest.mark.spec("RS-AXM-1", "RS-AXM-23", "RS-AXM-23/L1")
def test_what_fails_is_what_another_enumeration_finds_among_short_lists(measure, name):
    enumerated(measure, name, 2)


def enumerated(measure: str, name: str, length: int) -> None:
    """The first list for which an axiom is broken is as long as that of the counterexample."""
    E, scale = OWN[measure]
    k = measures(measure)[0].k
    lists = [r for r, J in worlds(scale, length, name in JOINING) if broken(name, E, r, J, k)]
    shortest = min(map(len, lists), default=None)
    world = World.of(scale, length)
    declared = replace(axiom(name), two_labels=False)
    found = verdict(declared, OfMeasure(measures(measure)[0]), world, doubt=True)
    if shortest is None:
        example = found.counterexample  # none, or one that the law makes, beyond the world
        assert example is None or max(map(len, _labels(example.asked))) > length
    else:
        assert found.status == FAILS
        assert shortest == _size(name, found.counterexample.asked)


def _labels(asked: Any) -> list[Labels]:
    return [x.labels for x in (asked.first, asked.second) if isinstance(x, Shown)]


def _size(name: str, asked: Any) -> int:
    """The length of the list from which a comparison is made."""
    lengths = list(map(len, _labels(asked)))
    return min(lengths) if name in ("confidence", "appended") else max(lengths)


@each("measure", OWN)
@pytest.mark.spec("RS-AXM-24", "RS-AXM-24/L1")
def test_the_values_are_those_of_the_shapes(measure):
    E, scale = OWN[measure]
    (m,) = measures(measure)
    x = OfMeasure(m)
    for r, J in worlds(scale, 2):
        value = x(r, J, m.k)
        assert value.rational == E(r, J, m.k)


ASKED: dict[str, tuple[Any, ...]] = {
    "c1": ((2, 1), (2, 1), None, [((2,), None), ">", ((2, 1), None)]),
    "c2": ((1, 1), (1, 1), 5, [((1, 1), 5), ">", ((1,), 5)]),
    "fewer-and-better": (
        (2, 2, 1), (2, 2, 1), None, [((2, 2), None), ">", ((2, 2, 1), None)],
    ),
    "more-as-good": ((1, 1, 1), (1, 1, 1), None, [((1, 1, 1), None), ">", ((1, 1), None)]),
    "monotonicity": ((1,), (1,), 3, [((1,), 4), ">=", ((1,), 3)]),
    "convergence": (
        (0, 1, 2), (0, 1, 2, 1), 1,
        [((1, 0, 2), 1), ">", ((0, 1, 2), 1)],
        [((2, 1, 0), 1), ">", ((0, 1, 2), 1)],
        [((1, 1, 2), 1), ">", ((0, 1, 2), 1)],
    ),
    "top-weightedness": (
        (0, 1, 2), (0, 1, 2), 2, [((1, 0, 2), 2), ">", ((0, 1, 2), 2)],
    ),
    "localisation": ((0, 1), (0, 1, 2), 1, [((0, 1), 1), "=", ((0,), 1)]),
    "completeness": ((0,), (0, 0), 1, [((0,), 1), "defined", None]),
    "replacement": ((0, 2), (0, 2, 1), None, [((1, 2), None), ">=", ((0, 2), None)]),
    "swap": ((0, 0, 1), (0, 0, 1), 1,
             [((1, 0, 0), 1), ">=", ((0, 0, 1), 1)], [((0, 1, 0), 1), ">=", ((0, 0, 1), 1)]),
    "priority": ((0, 0, 1), (0, 0, 1), None, [((0, 1, 0), None), ">", ((0, 0, 1), None)]),
    "deepness": (
        (0, 1, 0, 1), (0, 1, 0, 1), None, [((1, 0, 0, 1), None), ">", ((0, 1, 1, 0), None)],
    ),
    "confidence": ((1,), (1, 0), None, [((1,), None), ">", ((1, 0), None)]),
    "appended": ((), (0,), None, [((0,), None), "=", ((), None)]),
}  # fmt: skip
"""What an axiom asks of one list: (labels, pool, cut-off), and each comparison."""

NOTHING = {
    "c1": ((1, 1), (1, 1), None), "c2": ((0, 0), (0, 0), None),
    "fewer-and-better": ((1, 1), (1, 1), None), "more-as-good": ((1, 2), (1, 2), None),
    "convergence": ((1, 0), (1, 0), 1), "top-weightedness": ((0, 1), (0, 1), 1),
    "completeness": ((0,), (0, 1), None), "replacement": ((1,), (1, 1, 0), None),
    "swap": ((1, 0), (1, 0), None), "priority": ((0, 0), (0, 0), None),
    "deepness": ((0, 1, 1), (0, 1, 1), None), "confidence": ((0,), (0, 0), None),
    "appended": ((1,), (1,), None),
}  # fmt: skip


@each("name", ASKED)
@pytest.mark.spec("RS-AXM-1")
def test_what_an_axiom_asks_of_a_list(name):
    """Literally, from the definitions of the spec; and a list of which it asks nothing."""
    r, J, k, *expected = ASKED[name]
    found = list(axiom(name).asks(r, J, k))
    pools = {"localisation": {J, (0,)}}.get(name, {J})
    assert {x.pool for asked in found for x in asked if isinstance(x, Shown)} == pools
    plain = [[(x.labels, x.k) if isinstance(x, Shown) else x for x in asked] for asked in found]
    assert sorted(plain, key=str) == sorted(expected, key=str)
    if name in NOTHING:
        assert list(axiom(name).asks(*NOTHING[name])) == []


@pytest.mark.spec("RS-AXM-13", "RS-AXM-18", "RS-AXM-19")
def test_what_is_asked_of_pools_and_numbers():
    """The best list is the shortest that has the greatest value; a pool of zeros is not asked."""
    shown, value = reference.best(zipf, (0, 1, 2), 2)
    assert (shown, value) == (((2, 1), (0, 1, 2), 2), Fraction(5, 2))
    assert reference.best(rr, (0, 1), None)[0].labels == (1,)
    asked = reference.realisability(zipf, (1,), (0, 2), 1)
    assert asked == (((1,), (1,), 1), "=", ((2,), (0, 2), 1))
    assert reference.realisability(zipf, (0,), (1,), None) is None
    assert reference.realisability(zipf, (1,), (0,), None) is None
    one, deep = ((2,), (0, 0, 2, 2), 3), ((0, 0, 2, 2), (0, 0, 2, 2), 3)
    assert reference.deepness_threshold(2, 2, 3) == (one, ">", deep)
    assert reference.closeness_threshold(2, 2, 3) == (deep, ">", one)
    assert not reference.holds(lambda *_: None, asked)
    assert not reference.holds(zipf, asked)


# ---- what is proven, and what a search would find --------------------------------------------

JUDGED = (
    "CG", "DCG", "DCG@2", "DCG(gain='0-1-1')", "DCG(discount='jarvelin-2002(b=2)')", "nDCG",
    "nDCG@3", "nDCG(ideal='all')@2", "LDCG", "LDCG@2", "LDCG(prior='uniform')", "LNDCG",
    "LNDCG(gain='linear')", "P@2", "R", "R@2", "RR", "SP", "SP@2", "AP", "AP@3",
    "AP(norm='min')@2", "AP(norm='k')@2", "GAP", "GAP@2", "GAP(q=(0,1))", "Success", "ERR", "ERR@2",
    "ERR(stop=(0,0.5,1))", "ERR(stop=(0.1,0.5,0.9))", "nERR", "nERR@2", "RBP", "RBP(p=0.9)@3",
    "UL1(nDCG@2)", "UL2(AP)", "sDCG",
)  # fmt: skip


def all_of(measure: str, length: int) -> None:
    """The axioms of a measure, each searched in a world though a law says that it holds."""
    (m,) = measures(measure)
    E, scale = OfMeasure(m), scale_of(m)
    for known in AXIOMS:
        if known.taken_of == m.taken_of:
            verdict(known, E, World.of(scale, length), doubt=True)


@each("measure", JUDGED)
@pytest.mark.slow(but=0)
@pytest.mark.spec("RS-AXM-23/L2")
def test_no_search_contradicts_a_law(measure):
    all_of(measure, 3)


@pytest.mark.spec("RS-AXM-23/L2")
def test_no_search_contradicts_a_law_of_err():
    all_of("ERR@2", 2)


@each("name", ["c1", "fewer-and-better", "range", "confidence", "localisation"])
def test_a_law_that_is_wrong_is_seen(name):
    """Control: a law that says that nDCG satisfies what it does not."""
    (m,) = measures("nDCG" if name != "range" else "DCG")
    wrong = Proof(lambda *_: True, "always", "RS-AXM-0/L0")
    E = OfMeasure(records.replace(m, metric=records.replace(m.metric, axioms={name: wrong})))
    with pytest.raises(AssertionError, match="RS-AXM-0/L0 is wrong of"):
        verdict(axiom(name), E, World.of((0, 1, 2), 2), doubt=True)


class Mutant:
    """A measure that was changed: its values are what a function makes of them."""

    def __init__(self, measure: str, change: Callable[..., Any]) -> None:
        self.E = OfMeasure(measures(measure)[0])
        self.k = self.E.k
        self.change = change

    def __call__(self, labels: Any, pool: Labels, k: int | None) -> Near | None:
        value = self.E(labels, pool, k)
        return None if value is None else Near(self.change(value.near, labels, pool, k))

    def is_defined(self, labels: Any, pool: Labels, k: int | None) -> bool:  # noqa: ARG002
        return max(pool, default=0) > 0


CHANGES: dict[str, Callable[..., float]] = {
    "c1": lambda x, r, J, k: x * len(r) * 5,  # noqa: ARG005
    "c2": lambda x, r, J, k: x / (len(r) + 1) ** 2,  # noqa: ARG005
    "more-as-good": lambda x, r, J, k: x / (len(r) + 1) ** 2,  # noqa: ARG005
    "range": lambda x, r, J, k: 2 * x - 0.5,  # noqa: ARG005
    "signed-range": lambda x, r, J, k: 3 * x - 1.5,  # noqa: ARG005
    "monotonicity": lambda x, r, J, k: x / (1 + k**2),  # noqa: ARG005
    "localisation": lambda x, r, J, k: x * (1 + len(J)),  # noqa: ARG005
    "completeness": lambda x, r, J, k: x,  # noqa: ARG005
    "realisability": lambda x, r, J, k: x * (1 + len(J)),  # noqa: ARG005
    "confidence": lambda x, r, J, k: x * 2 ** len(r),  # noqa: ARG005
    "appended": lambda x, r, J, k: x + len(r),  # noqa: ARG005
    **dict.fromkeys(
        ("convergence", "top-weightedness", "replacement", "priority", "deepness"),
        lambda x, r, J, k: -x,  # noqa: ARG005
    ),
    "swap": lambda x, r, J, k: sum(i * y for i, y in enumerate(r)),  # noqa: ARG005
    "query-order": lambda x, r, J, k: -x,  # noqa: ARG005
}
"""Of each axiom a change that takes it from a metric that satisfies it."""

PROVEN = [
    (measure, name)
    for law, name, measure, status in CLAIMS
    if status == HOLDS and name in CHANGES and not measure.endswith("@1")
] + [("sDCG", "query-order"), ("LDCG", "c1"), ("LNDCG", "c2"), ("UL2(AP)", "signed-range")]


@each("claim", PROVEN, fast=20)
@pytest.mark.spec("RS-AXM-23")
def test_what_is_proven_fails_of_a_metric_that_was_changed(claim):
    measure, name = claim
    (m,) = measures(measure)
    world = World.of(scale_of(m), 4 if name == "deepness" else 3)
    found = verdict(axiom(name), Mutant(measure, CHANGES[name]), world)  # type: ignore[arg-type]
    assert found.status == FAILS, (measure, name, found)


# ---- laws whose numbers no list of a world shows --------------------------------------------


@pytest.mark.spec("RS-AXM-6/L1", "RS-AXM-18/L1", "RS-AXM-19/L1")
def test_sums_of_weights():
    """Of the logarithm n w(2n) grows; of 1/i the ranks n + 1 to 2n have less than ln 2."""
    for e in range(1, 12):
        n = 2**e
        deep = sum((Fraction(1, i) for i in range(n + 1, 2 * n + 1)), Fraction(0))
        assert deep < Fraction(6932, 10000)
    for n, above in ((1, False), (2, False), (3, True), (6, True)):
        assert (rs.dcg([0] * n + [1] * n) > 1) == above
    sums = [rs.dcg([0] * n + [1] * n) for n in (8, 64, 512)]
    assert sums[0] < sums[1] / 3 < sums[2] / 9


@pytest.mark.spec("RS-AXM-18/L3", "RS-AXM-19/L3")
def test_precisions_of_the_second_half():
    """They grow by about 1 - ln 2 each time; of three, 1.15, is the first above 1."""
    values = [rs.sp([0] * n + [1] * n) for n in range(1, 40)]
    assert [x > 1 for x in values[:4]] == [False, False, True, True]
    assert all(0.25 < y - x < 0.5 for x, y in pairwise(values))
    for k in range(1, 6):
        assert all(rs.sp([0] * n + [1] * n, k=k) < 1 for n in range(1, 8))
    assert rs.sp([0] * 3 + [1] * 3, k=6) > 1


@pytest.mark.spec("RS-AXM-18/L2", "RS-AXM-19/L2")
def test_cascades_of_the_second_half():
    for a in (1, 2, 4):
        for n in range(1, 20):
            assert rs.err([0] * n + [a] * n) < min(1 / (n + 1), rs.err([a]) * 0.6932)


@pytest.mark.spec("RS-AXM-18/L5")
def test_length_adjusted_values_of_the_second_half():
    values = [rs.ldcg([0] * n + [1] * n) for n in (4, 64, 1024)]
    assert values[0] < values[1] < values[2]


@pytest.mark.spec("RS-AXM-19/L1")
def test_the_second_half_by_rbp():
    """p^n (1 - p^n) > 1 - p from p^2 + p^3 > 1 on, which is p > 0.7549."""
    for p, status in (("0.74", FAILS), ("0.76", HOLDS), ("0.95", HOLDS)):
        found = judged(f"RBP(p={p})", "closeness-threshold")
        assert found.status == status
        if status == HOLDS:
            ((n, _),) = found.witnesses
            x = Fraction(p) ** n
            assert x * (1 - x) > 1 - Fraction(p)


@pytest.mark.spec("RS-AXM-17/L4")
def test_deepness_of_precisions():
    """3/56 > 1/20; and no list of seven items shows it."""
    first = rs.certify.sp([0, 0, 0, 1, 0, 1, 0, 1]).exact
    second = rs.certify.sp([0, 0, 0, 0, 1, 1, 1, 0]).exact
    base = rs.certify.sp([0, 0, 0, 0, 1, 1, 0, 1]).exact
    assert (first - base, second - base) == (Fraction(1, 20), Fraction(3, 56))
    lists = [(r, r) for n in range(8) for r in product((0, 1), repeat=n)]
    assert not [r for r, J in lists if broken("deepness", ap, r, J, None)]


# ---- exactly, and in doubles ------------------------------------------------------------------


@pytest.mark.spec("RS-AXM-1/L1")
def test_values_are_compared_as_real_numbers():
    """Two doubles are equal, and the reals are not; two forms are equal, and no digits tell."""
    (m,) = measures("DCG(gain='exp2')")
    E = OfMeasure(m)
    one, two = E((60,), (60, 1), None), E((60, 1), (60, 1), None)
    assert rs.dcg([60], gain="exp2") == rs.dcg([60, 1], gain="exp2")
    assert two > one
    assert two != one
    one, two = E((120,), (120, 1), None), E((120, 1), (120, 1), None)
    assert one != two  # 96 bits do not tell them apart, and no form is equal
    assert one < two
    early, late = E((1, 0, 0, 0, 0, 0, 0), (), None), E((0, 0, 0, 0, 0, 0, 2), (), None)
    assert early == late
    assert not early > late
    assert Real.exactly(Fraction(1, 3)) < Fraction(334, 1000)


@pytest.mark.spec("RS-AXM-1")
def test_functions_in_doubles():
    def mean(labels):
        return sum(labels) / len(labels)

    def noisy(labels):
        return 1 + 1e-15 * len(labels)

    verdicts = rs.axioms(mean, noisy, labels=[0, 1], length=4, isolated=False)
    assert verdicts["mean"]["c2"].status == FAILS  # <1> and <1, 1> have 1
    assert verdicts["mean"]["c1"].status == NOT_REFUTED
    assert verdicts["mean"]["c1"].searched == 3  # the pools {1, 0}, {1, 0, 0} and {1, 1, 0}
    assert verdicts["noisy"]["appended"].status == NOT_REFUTED  # what is near is equal
    assert verdicts["noisy"]["confidence"].status == FAILS
    assert not verdicts["mean"].exact


@pytest.mark.spec("RS-AXM-12", "RS-AXM-1")
def test_a_function_without_a_value():
    """An error, NaN and None are no value: completeness fails, and the rest passes it over."""

    def divided(labels, judged):
        return sum(labels) / sum(judged)

    def nan(labels, judged):
        return sum(labels) / sum(judged) if any(judged) else float("nan")

    def nothing(labels):  # noqa: ARG001
        return None

    for function in (divided, nan):
        (verdicts,) = rs.axioms(function, length=3, isolated=False).metrics
        assert verdicts["completeness"].status == FAILS
        assert verdicts["replacement"].status == NOT_REFUTED
    (verdicts,) = rs.axioms(nothing, labels=[0, 1], length=3, isolated=False).metrics
    assert verdicts["completeness"].status == FAILS
    assert verdicts["swap"].status == OPEN


NO_VALUES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "an exit": (lambda labels: sys.exit(3), "SystemExit: 3"),  # noqa: ARG005
    "a text": (lambda labels: "1.5", "no number (TypeError: '1.5')"),  # noqa: ARG005
    "a word": (lambda labels: "abc", "no number (TypeError: 'abc')"),  # noqa: ARG005
    "complex": (lambda labels: 1 + 2j, "no number (TypeError: "),  # noqa: ARG005
    "nan": (lambda labels: float("nan"), "NaN"),  # noqa: ARG005
    "inf": (lambda labels: float("inf"), "inf"),  # noqa: ARG005
    "an error": (lambda labels: 1 / 0, "ZeroDivisionError: division by zero"),  # noqa: ARG005
    "none": (lambda labels: None, "None"),  # noqa: ARG005
    "too large": (lambda labels: 10**400, "OverflowError: "),  # noqa: ARG005
}


@each("name", NO_VALUES, fast=3)
@pytest.mark.spec("RS-AXM-1", "RS-AXM-23")
def test_what_came_instead_of_a_value_is_said(name):
    """Three lists of two items fall; each has four pools, and is compared with its first item."""
    function, said = NO_VALUES[name]
    for isolated in (True, False):
        (found,) = rs.axioms(function, only="c1", isolated=isolated).metrics
        assert (found["c1"].status, found["c1"].searched) == (OPEN, 0)
        assert (found["c1"].passed_over, found["c1"].note) == (12, "")
        assert (found.calls.made, found.calls.failed) == (24, 24)
        assert found.calls.first.startswith(said)


@pytest.mark.spec("RS-AXM-1", "RS-AXM-23")
def test_comparisons_that_are_passed_over_are_counted():
    """Lists of one item have a value: 3 lists with 3 pools, and 2 bounds; the 4 of two have none.

    No best list is known of a pool of two items, and so it is not compared.
    """

    def short(labels):
        if len(labels) > 1:
            raise ValueError(len(labels))
        return sum(labels)

    names = ["range", "realisability", "boundedness", "closeness-threshold", "deepness-threshold"]
    (verdicts,) = rs.axioms(short, labels=[0, 1], length=2, only=names, isolated=False).metrics
    assert (verdicts["range"].status, verdicts["range"].searched) == (NOT_REFUTED, 18)
    assert verdicts["range"].passed_over == 24
    assert (verdicts["realisability"].status, verdicts["realisability"].searched) == (OPEN, 0)
    assert verdicts["realisability"].passed_over == 5  # of 6 pools with a 1, {1} is first
    assert (verdicts["boundedness"].searched, verdicts["boundedness"].passed_over) == (9, 12)
    for name in names[3:]:
        assert (verdicts[name].status, verdicts[name].searched) == (OPEN, 0)
        assert verdicts[name].passed_over == 8
    assert verdicts["deepness-threshold"].note == "label 1: not known for any n to 8"
    assert "range: values are from 0 to 1" in str(rs.axioms(short, only=["range"], isolated=False))


@pytest.mark.spec("RS-AXM-19", "RS-AXM-23")
def test_a_number_whose_comparison_has_no_value_is_not_refuted():
    """Of two weights and k = 4, n = 1 alone has both values; the ranks 3 and 4 could outweigh."""
    found = judged("DCG(discount=[1,0.5])@4", "closeness-threshold")
    assert (found.status, found.searched, found.passed_over) == (OPEN, 2, 6)


@pytest.mark.slow
@pytest.mark.spec("RS-AXM-1")
def test_what_ends_the_process_of_a_function_is_refused():
    def dies(labels):  # noqa: ARG001
        os._exit(7)

    def sleeps(labels):  # noqa: ARG001
        time.sleep(30)

    with pytest.raises(rs.InputError, match=r"12 of 12 calls killed .*exit status 7"):
        rs.axioms(dies, only="c1")
    with pytest.raises(
        rs.InputError, match=r"3 of 3 calls killed .* exceeded the timeout; .*no answer in time"
    ):
        rs.axioms(sleeps, only="c1", timeout=0.05)


def of_names(labels, *, k, judged):
    return labels, judged, k


def cut(labels, k):
    return labels, k


def of_positions(r, J, depth):
    return r, J, depth


def with_a_choice(labels, gain="exp2"):
    return labels, gain


def with_a_pool(labels, k, pool):
    return labels, pool, k


def by_order(r, J, depth, /):
    return r, J, depth


def with_any(labels, k=3, **choices):
    return labels, k, choices


TAKEN = {
    by_order: ["labels", "judged", "k"],
    with_any: ["labels", "k"],
    of_names: ["labels", "judged", "k"],
    cut: ["labels", "k"],
    of_positions: ["labels", "judged", "k"],
    with_a_choice: ["labels"],
    with_a_pool: ["labels", "judged", "k"],
    rs.ndcg: ["labels", "judged", "k"],
    sum: ["labels"],
}
ANSWERED = {
    by_order: ([1], [1, 0], 5),
    with_any: ([1], 5, {}),
    of_names: ([1], [1, 0], 5),
    cut: ([1], 5),
    of_positions: ([1], [1, 0], 5),
    with_a_choice: ([1], "exp2"),
    with_a_pool: ([1], [1, 0], 5),
}


@each("function", TAKEN)
@pytest.mark.spec("RS-AXM-1")
def test_what_a_function_takes(function):
    takes = taken(function, "f")
    assert takes.names == TAKEN[function]
    if function in ANSWERED:
        given = {"labels": [1], "judged": [1, 0], "k": 5}
        assert Adapted(function, takes)(given) == ANSWERED[function]


def chosen(labels, *, gain):
    return labels, gain


def of_four(a, b, c, d):
    return a, b, c, d


def of_nothing():
    return 1


@each("function", [chosen, of_four, of_nothing])
@pytest.mark.spec("RS-AXM-1")
def test_functions_that_take_something_else_are_refused(function):
    with pytest.raises(
        rs.InputError,
        match=r'f (takes no argument for the labels|has a further argument "(gain|d)")',
    ):
        taken(function, "f")


@pytest.mark.spec("RS-AXM-1")
def test_a_function_that_takes_the_pool_by_name_is_judged_with_it():
    (found,) = rs.axioms(rs.ndcg, only=["c2"]).metrics
    assert (found["c2"].status, found.takes) == (NOT_REFUTED, ("labels", "judged", "k"))
    assert "ndcg(labels, judged, k), labels 0, 1, 2" in str(rs.axioms(rs.ndcg, only=["c2"]))


@pytest.mark.spec("RS-AXM-10", "RS-AXM-23")
def test_what_asks_for_nothing_at_rank_1_is_satisfied():
    """Whatever the metric: no two ranks are within k = 1; within k = 2 two are."""

    def worst(labels, k):
        return -sum(x / i for i, x in enumerate(labels[:k], 1))

    first = ["RR", "Success", "P", "CG", "AP(norm='retrieved')", "GAP(q=(0,1))"]
    for measure in (*first, "nDCG(ideal='shown')", "ERR(stop=(0,1,1))", "DCG(gain='0-1-1')"):
        found = judged(f"{measure}@1", "top-weightedness")
        assert (found.status, found.spec) == (HOLDS, "RS-AXM-10(a)")
    for k, status in ((1, HOLDS), (2, FAILS)):
        (found,) = rs.axioms(worst, k=k, only="top-weightedness").metrics
        assert found["top-weightedness"].status == status


def joined(name: str) -> Callable[..., float]:
    """A function that satisfies an axiom where the pool has the item that joins, and no other."""
    spare = lambda r, J: len(J) - len(r)  # noqa: E731
    of: dict[str, Callable[..., float]] = {
        "convergence": lambda r, J: (spare(r, J) < 2) * sum(x / i for i, x in enumerate(r, 1)),
        "replacement": lambda r, J: (spare(r, J) < 2) - sum(r) * (spare(r, J) == 2),
        "confidence": lambda r, J: min(spare(r, J), 1),
        "appended": lambda r, J: spare(r, J) == 2,
    }
    return of[name]


@each("name", JOINING)
@pytest.mark.spec("RS-AXM-23", "RS-AXM-9", "RS-AXM-14", "RS-AXM-20", "RS-AXM-21")
def test_the_pool_has_one_item_more_than_those_that_are_compared(name):
    verdict = rs.axioms(joined(name), only=name, length=3, isolated=False).metrics[0][name]
    assert verdict.status == FAILS
    pool = verdict.counterexample.asked.first.pool
    shortest = min(map(len, _labels(verdict.counterexample.asked)))
    assert len(pool) - shortest == 2


@pytest.mark.spec("RS-AXM-21", "RS-AXM-23")
def test_an_ideal_as_short_as_the_list_is_seen_to_change():
    """<1> of {1, 1, 0} is ideal; <1, 0> has 1 of 1 + 1/log2 3."""
    found = judged("nDCG(ideal='shown')@3", "appended")
    assert found.status == FAILS
    more, fewer = found.counterexample.asked.first, found.counterexample.asked.second
    assert (more.labels, fewer.labels, sorted(more.pool)) == ((1, 0), (1,), [0, 1, 1])
    assert found.counterexample.second == 1
    assert found.counterexample.first == pytest.approx(1 / (1 + 1 / math.log2(3)), rel=1e-14)


@pytest.mark.slow
@pytest.mark.spec("RS-AXM-16", "RS-AXM-23")
def test_a_law_of_a_great_cutoff_needs_no_example():
    """An example would have as many items as the cut-off; up to 1000 it is made."""
    for name in ("priority", "deepness", "more-as-good"):
        found = judged("DCG@1000000000", name)
        assert (found.status, found.counterexample) == (FAILS, None)
    assert judged("DCG@1000", "priority").counterexample is not None
    assert judged("nDCG@1000000000", "monotonicity").status == FAILS
    assert judged("R@1000000000", "realisability").status == FAILS


@pytest.mark.spec("RS-AXM-23")
def test_lists_that_are_too_short_are_said_to_be():
    found = rs.axioms(lambda r: 1, labels=range(12), only="c1").metrics[0]["c1"]  # noqa: ARG005
    assert (found.status, found.note) == (OPEN, "they are too short for it")


class Called:
    def __call__(self, labels: list[int]) -> float:
        return sum(labels)


@pytest.mark.spec("RS-AXM-23")
def test_metrics_of_one_name():
    def DCG(labels):
        return sum(labels)

    for pair in (
        (lambda r: 1, lambda r: 2),  # noqa: ARG005
        (Called(), Called()),
        (DCG, "DCG"),
        ("DCG", DCG),
    ):
        with pytest.raises(
            rs.InputError, match=r"two metrics have the name|has the same name as a measure"
        ):
            rs.axioms(*pair, only="c1", isolated=False)
    once = rs.axioms("DCG", DCG_AT_2, "DCG", DCG_AT_2, only="c1")
    assert [of.name for of in once.metrics] == ["DCG", "DCG@2"]


DCG_AT_2 = rs.DCG(k=2)


@pytest.mark.spec("RS-AXM-23")
def test_what_is_named_is_about_a_metric_that_is_given():
    assert rs.axioms("DCG", only="c1").metrics[0]["c1"].status == FAILS
    assert rs.axioms("DCG", "sDCG", only=["c1", "query-order"])["sDCG"]["query-order"]
    for metric, only, words in (
        ("sDCG", ["c1"], '"c1" is about metrics of rankings'),
        ("nDCG@10", "query-order", '"query-order" is about metrics of sessions'),
        (sum, "query-order", '"query-order" is about metrics of sessions'),
        (rs.DCG, "c1", "axioms: DCG is a metric; call it for a measure: rs.DCG()"),
        ("DCG", 5, "only: expected names of axioms, got 5"),
        ("DCG", [5], "only: expected names of axioms, got 5 among them"),
        ("DCG", [], "only: expected at least one axiom, got none"),
        ("DCG", ["c1", "c1"], 'only: "c1" is listed twice'),
    ):
        with pytest.raises(rs.InputError, match=re.escape(words)):
            rs.axioms(metric, only=only)


@pytest.mark.spec("RS-AXM-23")
def test_a_cutoff_that_nothing_takes_is_refused():
    def whole(labels):
        return sum(labels)

    for metrics in (["DCG"], [whole], ["DCG@3", whole]):
        with pytest.raises(
            rs.InputError, match="k: only functions use it, and no given function takes k"
        ):
            rs.axioms(*metrics, k=2, only="c1", isolated=False)
    verdict = rs.axioms(whole, cut_sum, k=2, only="c1", isolated=False)["cut_sum"]["c1"]
    assert verdict.counterexample.asked.first.k


def cut_sum(labels, k):
    return sum(labels[:k])


@pytest.mark.spec("RS-AXM-23")
def test_worlds_that_are_too_great_are_refused_before_they_are_counted():
    for given in (
        {"length": 10**9},
        {"length": 30},
        {"labels": range(2000)},
        {"labels": range(300), "length": 2},
    ):
        with pytest.raises(rs.InputError, match="labels make more than 1000000 lists with their"):
            rs.axioms("DCG", only="c1", **given)


@pytest.mark.spec("RS-AXM-23")
def test_words_that_are_refused():
    for given, words in (
        ({"labels": [1, 2]}, "expected 0"),
        ({"labels": "012"}, "expected a list of labels"),
        ({"only": ["zap"]}, "expected one of c1, c2"),
        ({"length": 40}, "more than"),
    ):
        with pytest.raises(rs.InputError, match=words):
            rs.axioms("DCG", **given)
    for metric in ("IDCG", "Bpref", rs.ERR(stop=[0.5]), 3, lambda: 1):
        with pytest.raises(rs.InputError):
            rs.axioms(metric)


ENTRIES = pytest.mark.spec(
    "RS-AXM-2", "RS-AXM-3", "RS-AXM-4", "RS-AXM-5", "RS-AXM-6", "RS-AXM-7", "RS-AXM-8", "RS-AXM-9",
    "RS-AXM-10", "RS-AXM-11", "RS-AXM-12", "RS-AXM-13", "RS-AXM-14", "RS-AXM-15", "RS-AXM-16",
    "RS-AXM-17", "RS-AXM-18", "RS-AXM-19", "RS-AXM-20", "RS-AXM-21", "RS-AXM-22",
)  # fmt: skip


@ENTRIES
def test_each_axiom_has_its_entry():
    """What is declared is what the spec lists; each ID once, but for the two ranges."""
    ids = [x.spec for x in AXIOMS]
    assert sorted(set(ids), key=lambda x: int(x[7:])) == [f"RS-AXM-{n}" for n in range(2, 23)]
    assert len(ids) == 22


@pytest.mark.spec("RS-AXM-23")
def test_the_result_prints_and_becomes_plain_data():
    found = rs.axioms("nDCG@2", "RR", only=["c1", "priority", "closeness-threshold"])
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert "c1" in text
    data = found.to_dict()
    assert [of["name"] for of in data["metrics"]] == ["nDCG@2", "RR"]
    first = data["metrics"][0]["axioms"][0]
    assert first["axiom"] == "c1"
    assert first["status"] == "fails"
    assert first["counterexample"]["first"]["labels"] == [1]
    with pytest.raises(KeyError):
        found["AP"]
    with pytest.raises(KeyError):
        found["RR"]["zap"]


def test_the_labels_of_each_metric_are_told_where_they_differ():
    """On 0, 1 and 2 a binary metric fails what it satisfies on 0 and 1 (RS-AXM-9/L4)."""

    def hits(labels, *, k):
        return sum(x > 0 for x in labels[:k]) / k

    verdicts = rs.axioms(hits, "P@3", only="convergence", k=3, isolated=False)
    assert [of["convergence"].status for of in verdicts.metrics] == ["fails", "holds"]
    assert "\nlabels 0, 1, 2: hits\nlabels 0, 1: P@3" in str(verdicts)
    alike = rs.axioms(hits, "P@3", only="convergence", k=3, labels=[0, 1], isolated=False)
    assert [of["convergence"].status for of in alike.metrics] == ["not refuted", "holds"]
    assert "labels" not in str(alike)


@each("claim", [x for x in CLAIMS if x[3] == FAILS], fast=6)
@pytest.mark.spec("RS-AXM-23")
def test_a_counterexample_is_one_by_the_values_of_the_api(claim):
    """By doubles: where x > y is not so of real numbers, it is not so of those nearest to them."""
    _, name, measure, _ = claim
    found = judged(measure, name).counterexample
    if found is None:
        assert name in ("boundedness", "deepness-threshold", "closeness-threshold")
        return
    (m,) = measures(measure)

    def value(shown: Any) -> Any:
        if not isinstance(shown, Shown):
            return shown
        return records.replace(m, k=shown.k).of(list(shown.labels), judged=list(shown.pool))

    x, y = value(found.asked.first), value(found.asked.second)
    broken = {">": x <= y, ">=": x < y, "<=": x > y, "=": x != y}[found.asked.sign]
    assert broken, (claim, found)
