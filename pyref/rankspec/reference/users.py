"""Users by models: graded RBP and its residual, and scaled DCG.

r      the labels in rank order: r(1) is r[0]
J      the labels of the judged items, the pool
t      the highest label of the scale, of which the gain is 1; g_i = r(i)/t is that of rank i
U_i    1 where nobody has judged the item at rank i, else 0
k      the cut-off; ranks beyond the end of the list hold nothing
p      the persistence: the probability that a user goes on to the next rank
d      the discount of a rank (chapter "gain and discount")

Under ties, groups, s, n and m are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from .cascade import expected_rbp, powers, rbp_residual
from .dcg import Discount, dcg, expected_dcg, perfect_dcg
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .ties import Groups, placed


def _exact(x: Exact) -> Exact:
    """The number itself: what is divided by a float rounds."""
    return Fraction(x) if isinstance(x, float) else x


def highest(J: Sequence[Exact]) -> Exact:
    """t = the highest label of the pool, 1 at least

    Spec: RS-USR-1
    """
    return max([1, *J])


def scaled_gain(label: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """g = label / t

    Spec: RS-USR-1
    """
    return reals.exact(label) / _exact(t)


def grbp(r: Sequence[Exact], k: int, p: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """GRBP@k = ((1 - p)/t) Σ_{i=1..k} r(i) p^(i-1)    [moffat-2008]

    Spec: RS-USR-2
    """
    share = (1 - reals.exact(p)) / _exact(t)
    return share * dcg(r, k, reals.exact, powers(p, reals))


def expected_grbp(groups: Groups, k: int, p: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """E[GRBP@k] = ((1 - p)/t) Σ_groups (1/n) Σ_{x in group} x · Σ_{j=1..m} p^(s+j-1)

    Spec: RS-EXP-45
    """
    share = (1 - reals.exact(p)) / _exact(t)
    return share * expected_dcg(groups, k, reals.exact, powers(p, reals))


def grbp_residual(
    U: Sequence[int], k: int, p: Exact, tail: str = "always", reals: Reals = RATIONALS
) -> Number:
    """Residual = (1 - p) Σ_{i=1..k} U_i p^(i-1) + p^min(k, n); with the tail "unjudged" 0 where all
    of the first k are judged

    Spec: RS-USR-3
    """
    if tail == "unjudged" and not any(U[:k]):
        return reals.exact(0)
    return rbp_residual(U, k, p, reals)


def expected_grbp_residual(
    groups: Groups, k: int, p: Exact, tail: str = "always", reals: Reals = RATIONALS
) -> Number:
    """E[Residual] = E[RBP@k] of the items that nobody has judged, and p^min(k, n); with the tail
    "unjudged" that times the share of orders that have an unjudged item among the first k

    Spec: RS-EXP-46
    """
    all_judged, beyond = Fraction(int(tail != "always")), reals.exact(1)
    for _, n, m, group in placed(groups, k):
        all_judged *= Fraction(comb(n - sum(group), m), comb(n, m))
        for _ in range(m):
            beyond = beyond * reals.exact(p)
    return expected_rbp(groups, k, p, reals) + beyond * (1 - all_judged)


def scaled_dcg(
    r: Sequence[Exact], k: int, t: Exact, d: Discount, reals: Reals = RATIONALS
) -> Number:
    """SDCG@k = Σ_{i=1..k} r(i) d(i) / (t Σ_{i=1..k} d(i)), and 0 where that is divided by 0

    Spec: RS-USR-4
    """
    weights = perfect_dcg(k, d)
    return dcg(r, k, reals.exact, d) / weights / _exact(t) if weights else 0


def expected_scaled_dcg(
    groups: Groups, k: int, t: Exact, d: Discount, reals: Reals = RATIONALS
) -> Number:
    """E[SDCG@k] = E[DCG@k] / (t Σ_{i=1..k} d(i)), and 0 where that is divided by 0

    Spec: RS-EXP-47
    """
    weights = perfect_dcg(k, d)
    return expected_dcg(groups, k, reals.exact, d) / weights / _exact(t) if weights else 0
