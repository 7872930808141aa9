"""Graded metrics of scores by their relevance: RS-REL-13, RS-REL-14 and RS-REL-15."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.reference import relevance as reference

scores = st.lists(st.integers(0, 40), min_size=1, max_size=6)
variants = st.sampled_from(["text", "authors-program"])
relevances = st.lists(st.integers(0, 8).map(lambda n: Fraction(n, 8)), min_size=1, max_size=6)
LINE: Any = [(0, 0), (8, 1)]  # φ by the straight line of two points: s / 8


@pytest.mark.spec("RS-REL-13/L1", "RS-REL-13")
@given(s=scores, more=scores, k=st.integers(1, 7), variant=variants)
def test_ndcg_of_relevances_is_ndcg_phi(s: Any, more: Any, k: int, variant: str) -> None:
    pool = s + more
    for measure, function in (("nDCG", rs.ndcg_phi), ("DCG", rs.dcg_phi)):
        value = rs.of_relevance(f"{measure}(gain='exp2')@{k}", s, judged=pool, variant=variant)
        assert value == function(s, judged=pool, k=k, variant=variant)


@pytest.mark.spec("RS-REL-13/L1")
def test_the_linear_gain_is_another_metric() -> None:
    """The control."""
    shown = [100, 80, 90, 15, 10]
    assert rs.of_relevance("nDCG@3", shown) != rs.ndcg_phi(shown, k=3)


@pytest.mark.spec("RS-REL-13/L2")
@given(s=scores, a=st.integers(1, 9), b=st.integers(-50, 50))
def test_the_unit_plays_no_part(s: Any, a: int, b: int) -> None:
    for measure in ("ERR(stop='label')", "LNDCG(gain='exp2')", "nDCG@3"):
        other = rs.of_relevance(measure, [a * x + b for x in s])
        assert rs.of_relevance(measure, s) == other


@pytest.mark.spec("RS-REL-13")
@given(s=st.lists(st.integers(0, 8), min_size=1, max_size=5))
def test_err_stops_with_the_relevance(s: Any) -> None:
    going_on, err = Fraction(1), Fraction(0)
    for i, x in enumerate(s, start=1):
        err += going_on * Fraction(x, 8) / i
        going_on *= 1 - Fraction(x, 8)
    assert rs.of_relevance("ERR(stop='label')", s, points=LINE) == float(err)
    ideal = sorted(s, reverse=True)
    assert rs.of_relevance("nERR(stop='label')", ideal, points=LINE) == (1 if any(s) else 0)


@pytest.mark.spec("RS-REL-13")
def test_ldcg_of_relevances() -> None:
    """Of relevances 1 and 0, whose gains are 1 and 0: as of the labels 1 and 0."""
    of = rs.of_relevance("LDCG(gain='exp2', M=3)", [8, 0], points=LINE)
    assert of == rs.ldcg([1, 0], M=3, gain="exp2")


@pytest.mark.spec("RS-REL-13")
@pytest.mark.parametrize(
    ("measure", "given", "message"),
    [
        ("ERR", {}, "relevance 0.3472 of item"),
        ("nDCG_phi", {}, "it takes no labels"),
        ("sDCG", {}, "it takes no labels"),
        ("nDCG@1,2", {}, "expected one measure, got 2"),
        ("nDCG", {"scores": [[1], [2]]}, "scores: expected one list, got"),
        ("nDCG", {"scores": [1, float("nan")]}, "scores"),
        ("nDCG", {"variant": "x"}, "variant"),
    ],
)
def test_bad_input(measure: str, given: Any, message: str) -> None:
    chosen: Any = {"scores": [100, 80, 90, 15, 10], **given}
    with pytest.raises(rs.InputError, match=message):
        rs.of_relevance(measure, chosen.pop("scores"), **chosen)


@pytest.mark.spec("RS-REL-14", "RS-REL-14/L1")
@given(R=st.lists(st.integers(0, 1), min_size=1, max_size=6), k=st.integers(1, 7))
def test_rbp_of_0_and_1(R: Any, k: int) -> None:
    assert rs.rbp_phi([8 * x for x in R], p=0.75, k=k, points=LINE) == rs.rbp(R, p=0.75, k=k)


@pytest.mark.spec("RS-REL-14", "RS-REL-14/L2")
@given(rel=relevances, k=st.integers(1, 7))
def test_rbp_place_by_place(rel: Any, k: int) -> None:
    p = Fraction(3, 4)
    expected = sum((1 - p) * x * p**i for i, x in enumerate(rel[:k]))
    assert rs.rbp_phi([int(8 * x) for x in rel], p=0.75, k=k, points=LINE) == float(expected)
    assert 0 <= expected <= 1 - p ** min(k, len(rel))
    assert reference.graded_rbp([Fraction(1)] * len(rel), k, p) == 1 - p ** min(k, len(rel))


@pytest.mark.spec("RS-REL-15", "RS-REL-15/L1")
@given(R=st.lists(st.integers(0, 1), min_size=1, max_size=6), k=st.integers(1, 7))
def test_ap_of_0_and_1(R: Any, k: int) -> None:
    found = sum(Fraction(sum(R[:i]), i) for i in range(1, min(k, len(R)) + 1) if R[i - 1])
    expected = found / sum(R) if any(R) else 0
    assert rs.ap_phi([8 * x for x in R], k=k, points=LINE) == float(expected)
    assert rs.ap_phi([8 * x for x in R], points=LINE) == rs.ap(R)


@pytest.mark.spec("RS-REL-15/L2")
@given(rel=relevances, more=relevances, k=st.integers(1, 7))
def test_ap_is_a_mean_over_thresholds(rel: Any, more: Any, k: int) -> None:
    """Between two relevances nothing changes: the integrals are sums of rectangles."""
    above = below = Fraction(0)
    for low, high in pairwise(sorted({Fraction(0), Fraction(1), *rel, *more})):
        R = [x >= high for x in rel]
        sp = sum(Fraction(sum(R[:i]), i) for i in range(1, min(k, len(R)) + 1) if R[i - 1])
        above += (high - low) * sp
        below += (high - low) * sum(x >= high for x in rel + more)
    expected = above / below if below else 0
    listed, pool = ([int(8 * x) for x in of] for of in (rel, rel + more))
    assert rs.ap_phi(listed, judged=pool, k=k, points=LINE) == float(expected)


@pytest.mark.spec("RS-REL-15/L3")
@given(rel=relevances)
def test_ap_of_the_ideal(rel: Any) -> None:
    ideal = sorted((int(8 * x) for x in rel), reverse=True)
    assert rs.ap_phi(ideal, points=LINE) == (1 if any(rel) else 0)
