"""The ideal LDCG of every small pool, and where eq. 7 is it."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rankspec.reference.gain import discount_log
from rankspec.reference.length import ildcg, ildcg_eq7
from rankspec.reference.numbers.enclosure import Enclosures
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.numerics import floor_scaled

from ..each import each

CHAPTER = Path(__file__).resolve().parents[2] / "spec/length.md"

# Exact rationals: the best list is found by trying all


def one(_):
    return Fraction(1)


def zipf(i):
    return Fraction(1, i)


def square(i):
    return Fraction(1, i * i)


def given(*numbers):
    return lambda i: Fraction(numbers[i - 1]) if i <= len(numbers) else Fraction(0)


def linear(r):
    return Fraction(r)


def exp2(r):
    return Fraction(2**r - 1)


LOG2 = given(1.0, 0.6309297535714574, 0.5, 0.43067655807339306, 0.38685280723454163, 0.3562, 1 / 3)
STEPS = given(4, 4, 2, 2, 1, Fraction(1, 2), Fraction(1, 2))
ENDS = given(3, 1, 1)  # no weight from rank 4 on

SETTINGS = {
    "defaults, nearly": (exp2, LOG2, LOG2),
    "linear": (linear, LOG2, LOG2),
    "uniform": (exp2, zipf, one),
    "zipf": (exp2, zipf, zipf),
    "zipf, linear": (linear, zipf, zipf),
    "steep": (linear, zipf, square),
    "a gain without a label": ([1, 2, 2].__getitem__, LOG2, zipf),
    "steps": (linear, one, STEPS),
    "the prior ends": (linear, zipf, ENDS),
    "the discount ends": (linear, ENDS, square),
}
LABELS = range(3)


def best_by_counts(g, d, w, longest):
    """{how many of each label: the greatest LDCG of the lists of just these}, by trying all."""
    best = {}
    for n in range(1, longest + 1):
        expected = sum(w(i) * d(i) for i in range(1, n + 1))
        discounts = [d(i) for i in range(1, n + 1)]
        worth = [[g(label) * x for x in discounts] for label in LABELS]
        for r in product(LABELS, repeat=n):
            counts = tuple(map(r.count, LABELS))
            value = sum(worth[label][i] for i, label in enumerate(r)) / expected
            best[counts] = max(best.get(counts, value), value)
    return best


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.spec("RS-LEN-7", "RS-LEN-7/L1", "RS-LEN-7/L3", "RS-LEN-7/L4")
@each("longest", [5, 7], fast=1)
def test_the_ideal_is_the_greatest_of_all_lists_of_all_small_pools(setting, longest):
    g, d, w = SETTINGS[setting]
    best = best_by_counts(g, d, w, longest)
    differ = set()
    for counts in best:
        pool = [label for label in LABELS for _ in range(counts[label])]
        within = [c for c in best if all(a <= b for a, b in zip(c, counts, strict=True))]
        for M in range(1, longest + 1):
            greatest = max(best[c] for c in within if sum(c) <= M)
            assert ildcg(pool, M, g, d, w, 1, RATIONALS) == greatest
            eq7 = ildcg_eq7(pool, M, g, d, w, 1)
            assert eq7 <= greatest
            differ.add(eq7 < greatest)
            if len(pool) < longest:
                for label in LABELS:
                    more = ildcg([*pool, label], M, g, d, w, 1, RATIONALS)
                    assert more >= greatest
    # A control: eq. 7 is not the maximum, but by a uniform prior, or by one nearly as flat, and
    # with linear gains it is for pools of up to five.
    alike = ["uniform", "defaults, nearly", *["linear"] * (longest == 5)]
    assert (True in differ) == (setting not in alike)


# The defaults: logarithms to 128 bits below the point, and comparisons that this decides

BITS = 128
MOST = 26


def scaled_discounts(n):
    return [floor_scaled(lambda R, i=i: discount_log(i, 2, R), BITS) for i in range(1, n + 1)]


def sums(terms):
    total = [0]
    for x in terms:
        total.append(total[-1] + x)
    return total


def above(x, y, margin):
    """Whether x > y, where they are equal or differ by more than the error."""
    assert x == y or abs(x - y) > margin
    return x > y


def pools():
    """(c4, c3, c2, c1): how many items of each label, none of label 0, up to 26 in all."""
    for total in range(1, MOST + 1):
        for c4 in range(total + 1):
            for c3 in range(total - c4 + 1):
                for c2 in range(total - c4 - c3 + 1):
                    yield c4, c3, c2, total - c4 - c3 - c2


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-7/L2", "RS-LEN-8", "RS-LEN-8/L2", "RS-LEN-8/L5", "RS-ERR-8")
def test_the_boundary_of_eq_7_for_all_pools_of_up_to_26_items():
    """Labels 1 to 4, every M. The truth: whether Q(N) > Q(R) for any N; the law: its inequality.

    An entry is low by less than 2^-128, so a sum of gains times discounts by less than 2^9 of
    that, of squares by 2^6, and a product of the two, scaled by 2^384, by less than 2^(256 + 16).
    """
    margin = 1 << 280
    d = scaled_discounts(MOST)
    D, S = sums(d), sums(x * x for x in d)
    fewest = dict.fromkeys((1, 2, 3, 4), MOST + 1)
    for counts in pools():
        blocks = [(g, c) for g, c in zip((15, 7, 3, 1), counts, strict=True) if c]
        gains = [g for g, c in blocks for _ in range(c)]
        top, first = blocks[0]
        A = sums(g * x for g, x in zip(gains, d, strict=False))
        ends = sums(c for _, c in blocks)[1:]
        beaten = False
        for M in range(1, len(gains) + 1):
            R = min(first, M)
            # R is the same as soon as M > R: only the new N can beat it
            beaten = M > R and (beaten or above(A[M] * S[R], A[R] * S[M], margin))
            law = all(
                not above(S[R] * (A[C] - A[R]), top * D[R] * (S[C] - S[R]), margin)
                for C in (min(end, M) for end in ends)
            )
            assert law == (not beaten)
            if beaten:
                label = top.bit_length()
                fewest[label] = min(fewest[label], M)
    assert fewest == {1: MOST + 1, 2: 25, 3: 10, 4: 7}


def table_of_the_law():
    """The numbers of RS-LEN-8/L5: {(m, R): C}, m as it is written."""
    text = CHAPTER.read_text(encoding="utf-8")
    rows = re.findall(r"^ *\| (\w+) \|((?: (?:\d+|never) \|){6})$", text, re.MULTILINE)
    return {
        (m, R): cell.strip()
        for m, cells in rows
        for R, cell in enumerate(cells.strip(" |").split("|"), start=1)
    }


@pytest.mark.spec("RS-LEN-8/L3", "RS-LEN-8/L5")
def test_the_table_of_the_smallest_numbers_of_results():
    table = table_of_the_law()
    assert len(table) == 9 * 6
    d = scaled_discounts(80)
    D, S = sums(d), sums(x * x for x in d)

    def smallest(low, high, R):
        """The first C at which items of gain `low` beat R items of gain `high`."""
        for C in range(R + 1, len(d) + 1):
            x, y = low * (D[C] - D[R]) * S[R], high * (S[C] - S[R]) * D[R]
            if above(x, y, 1 << 300):
                return str(C)
        return "never"

    for (m, R), cell in table.items():
        low, high = (1, 2) if m == "limit" else (2 ** (int(m) - 1) - 1, 2 ** int(m) - 1)
        assert smallest(low, high, R) == cell
    # No number of items of the highest label fails among 5: with R >= 6 of them C is above 6.
    assert min(int(table["limit", R]) for R in range(1, 7)) == 6


@pytest.mark.spec("RS-LEN-8/L7")
def test_the_prior_zipf_needs_three_results():
    R = Enclosures(128)

    def log2(i):
        return discount_log(i, 2, R)

    def prior(i):
        return R.exact(Fraction(1, i))

    def differ(J):
        ends = ildcg(J, len(J), exp2, log2, prior, 1, R), ildcg_eq7(J, len(J), exp2, log2, prior, 1)
        return ends[0].lower > ends[1].upper

    assert differ([3, 2, 2])
    assert not any(differ([m, r]) for m in range(1, 12) for r in range(m))
    assert not differ([2, 1, 1])
