"""The laws of inverse propensities and of what is made of them: RS-GAIN-4."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec import InputError
from rankspec.api import propensity
from rankspec.reference.gain import inverse_propensity
from rankspec.reference.numbers.enclosure import Enclosures

from ..each import each

flint = pytest.importorskip("flint", reason='python-flint is not installed: pip install ".[dev]"')

sizes = st.integers(3, 10**12)
exponents = st.floats(0, 16)
shifts = st.floats(2.0**-32, 2.0**32)


def by_balls(N_l: int, N: int, A: float, B: float) -> float:
    """The definition in arb, term by term, rounded once."""
    before, flint.ctx.prec = flint.ctx.prec, 900
    try:
        shift = flint.arb(B)
        C = (flint.arb(N).log() - 1) * (shift + 1) ** flint.arb(A)
        return float((1 + C * (N_l + shift) ** -flint.arb(A)).mid())
    finally:
        flint.ctx.prec = before


@given(N=sizes, share=st.floats(0, 1), A=exponents, B=shifts)
@pytest.mark.spec("RS-GAIN-4")
def test_a_weight_is_the_double_nearest_to_its_definition(
    N: int, share: float, A: float, B: float
) -> None:
    N_l = int(share * N)
    (weight,) = rs.inverse_propensities([N_l], N, A=A, B=B)
    assert weight == by_balls(N_l, N, A, B)


@given(N=sizes, counts=st.lists(st.floats(0, 1), min_size=2, max_size=6), B=shifts)
@pytest.mark.spec("RS-GAIN-4", "RS-GAIN-4/L1")
def test_the_more_often_an_item_is_relevant_the_less_it_weighs(
    N: int, counts: list[float], B: float
) -> None:
    reals = Enclosures(400)
    of = sorted({int(x * N) for x in counts})
    exact = [inverse_propensity(x, N, 0.5, B, reals) for x in of]
    assert all(a.lower > b.upper for a, b in pairwise(exact))
    assert all(x.lower > 1 for x in exact)
    one, flat = rs.inverse_propensities([1], N, B=B), rs.inverse_propensities(of, N, A=0, B=B)
    natural = inverse_propensity(1, N, 0, B, reals)
    assert float(natural.lower) == float(natural.upper) == one[0] == flat[0]
    assert abs(one[0] - log(N)) < 1e-14 * log(N)
    assert set(flat) == {flat[0]}


@pytest.mark.spec("RS-GAIN-4/L2")
def test_known_items_weighted_are_unbiased() -> None:
    """By going through all that can be known, with propensities of 1/2, 1/4 and 1/8."""
    relevant, p = [1, 0, 1, 1], [Fraction(1, 2), Fraction(1), Fraction(1, 4), Fraction(1, 8)]
    chosen = ("CG", "nDCG(discount='none', ideal='perfect')", "nCG")
    means = dict.fromkeys(chosen, Fraction(0))
    for known in product((0, 1), repeat=4):
        if any(a > b for a, b in zip(known, relevant, strict=True)):
            continue
        parts = [q if a else 1 - q for a, r, q in zip(known, relevant, p, strict=True) if r]
        labels = [a / q for a, q in zip(known, p, strict=True)]
        chance = Fraction(1)
        for x in parts:
            chance *= x
        for name in chosen:
            (measure,) = rs.measures(f"{name}@3")
            exact = rs.certify.certified(measure, labels).exact
            assert exact is not None
            means[name] += chance * exact
    assert means["CG"] == 2
    assert means["nDCG(discount='none', ideal='perfect')"] == Fraction(2, 3)
    assert means["nCG"] != 1  # the control: over the best of the query there is no such law


@given(labels=st.lists(st.integers(0, 40), min_size=1, max_size=6), c=st.integers(2, 9))
@pytest.mark.spec("RS-GAIN-4/L3")
def test_a_common_factor_of_the_weights_plays_no_part(labels: list[int], c: int) -> None:
    for name in ("nCG@2", "nDCG@2"):
        (measure,) = rs.measures(name)
        assert measure.of(labels) == measure.of([c * x for x in labels])
    if labels[0]:  # the control
        assert rs.ndcg(labels, k=2, ideal="perfect") != rs.ndcg(
            [c * x for x in labels], k=2, ideal="perfect"
        )


@pytest.mark.spec("RS-GAIN-4")
def test_precision_of_weights_is_their_sum_over_the_cut_off() -> None:
    labels = [2.5, 0, 1.25, 8]
    (psp,) = rs.measures("nDCG(discount='none', ideal='perfect')@3")
    assert psp.of(labels) == 1.25
    assert psp.of([1, 0, 1, 1]) == rs.precision([1, 0, 1, 1], k=3)


@pytest.mark.spec("RS-GAIN-4")
def test_counts_are_read_from_whatever_holds_them() -> None:
    of = rs.inverse_propensities
    expected = of([0, 3, 500, 3], 1000)
    for counts in (
        (0, 3, 500, 3),
        np.array([0, 3, 500, 3], np.uint16),
        [0.0, 3.0, 500, np.int8(3)],
    ):
        assert of(counts, 1000).tolist() == expected.tolist()
    assert of(np.arange(8)[::-2], np.int64(9)).tolist() == of([7, 5, 3, 1], 9).tolist()
    assert of([], 3).tolist() == []
    assert of([-0.0], 3)[0] == of([0], 3)[0]


@pytest.mark.spec("RS-GAIN-4")
@pytest.mark.parametrize(
    ("counts", "given", "words"),
    [
        ([1], {"n": 2}, "^n: the number of training points is 2; it must be a whole number from 3"),
        ([1], {"n": 2.5}, "^n: "),
        ([1], {"n": float("nan")}, "^n: "),
        ([1], {"n": True}, "^n: "),
        ([1, 9], {"n": 8}, "^counts: that of item 1 is 9; it must be a whole number from 0 to 8"),
        ([1, -1], {"n": 8}, "^counts: that of item 1"),
        ([0.5], {"n": 8}, "^counts: that of item 0"),
        ([float("inf")], {"n": 8}, "^counts: that of item 0"),
        ([True], {"n": 8}, "^counts: that of item 0"),
        ([[1]], {"n": 8}, "^counts: that of item 0"),
        ("12", {"n": 8}, "^counts: "),
        ({1: 2}, {"n": 8}, "^counts: "),
        (3, {"n": 8}, "^counts: "),
        ([1], {"n": 8, "A": -0.5}, "^A: "),
        ([1], {"n": 8, "A": 17}, "^A: "),
        ([1], {"n": 8, "A": float("nan")}, "^A: "),
        ([1], {"n": 8, "B": 0}, "^B: "),
        ([1], {"n": 8, "B": "x"}, "^B: "),
    ],
)
def test_what_is_no_count_is_refused(counts: object, given: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        rs.inverse_propensities(counts, **given)


@pytest.mark.spec("RS-CONV-34")
def test_its_names_say_what_to_ask_for() -> None:
    for name in ("PSP@5", "PSnDCG@3"):
        with pytest.raises(InputError, match="RS-GAIN-4"):
            rs.measures(name)


@pytest.mark.spec("RS-GAIN-4")
@each("most", [1000, 100_000], fast=1)
def test_too_many_different_counts_are_refused(most: int) -> None:
    """Each takes time; one that is given again takes none."""
    assert propensity.MOST_COUNTS == 100_000
    words = rf"^counts: {most + 1} different counts; .* {most} .*RS-GAIN-4"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(propensity, "MOST_COUNTS", most)
        with pytest.raises(InputError, match=words):
            rs.inverse_propensities(range(most + 1), 10**6)
        assert len(set(rs.inverse_propensities([7] * (most + 1), 10**6))) == 1
