"""Precision and what is made of it: P, recall, RR, SP, AP and graded AP.

R      the relevance indicators in rank order: R_i is R[i - 1], 1 where the item at rank i
       is relevant and 0 where it is not
N_p    the number of relevant items in the pool
k      the cut-off; ranks beyond the end of the list hold nothing relevant
q      of graded AP: q[j - 1] is the probability that to a user the labels from j on are relevant
"""

from __future__ import annotations

from collections.abc import Sequence

from .numbers.reals import RATIONALS, Exact, Number, Reals


def relevance(r: Sequence[Exact], theta: Exact) -> list[int]:
    """R_i = 1 where r(i) >= theta, else 0

    Spec: RS-PREC-1
    """
    return [1 if r_i >= theta else 0 for r_i in r]


def precision(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """Prec(k) = (1/k) Σ_{i=1..k} R_i, and 0 where k = 0    [karmaker-2022 section 3.2]

    Spec: RS-PREC-2
    """
    return reals.exact(sum(R[:k])) / k if k else reals.exact(0)


def recall(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Recall@k = (1/N_p) Σ_{i=1..k} R_i, and 0 where N_p = 0

    Spec: RS-PREC-3
    """
    return reals.exact(sum(R[:k])) / N_p if N_p else reals.exact(0)


def rr(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """RR@k = 1/i for the least i <= k with R_i = 1, and 0 where there is none

    Spec: RS-PREC-4
    """
    for i, R_i in enumerate(R[:k], start=1):
        if R_i:
            return reals.exact(1) / i
    return reals.exact(0)


def sp(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """SP@k = Σ_{i=1..k} Prec(i) · R_i    [karmaker-2022 eq. 4]

    Spec: RS-PREC-5
    """
    total = reals.exact(0)
    found = 0  # i · Prec(i), carried along
    for i, R_i in enumerate(R[:k], start=1):
        found += R_i
        if R_i:
            total = total + reals.exact(found) / i
    return total


def normaliser(norm: str, N_p: int, k: int) -> int:
    """What AP@k divides by: "R": N_p, "min": min(k, N_p), "k": k

    Spec: RS-PREC-6
    """
    return {"R": N_p, "min": min(k, N_p), "k": k}[norm]


def ap(R: Sequence[int], N_p: int, k: int, norm: str, reals: Reals = RATIONALS) -> Number:
    """AP@k = SP@k / normaliser, and 0 where it is 0    [karmaker-2022 eq. 3 with norm "k"]

    Spec: RS-PREC-7
    """
    divisor = normaliser(norm, N_p, k)
    return sp(R, k, reals) / divisor if divisor else reals.exact(0)


def probability_relevant(x: Exact, q: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """Σ_{j=1..x} q_j, the probability that an item of label x is relevant    [robertson-2010]

    Spec: RS-PREC-8
    """
    return sum((reals.exact(q_j) for j, q_j in enumerate(q, start=1) if j <= x), reals.exact(0))


def gsp(r: Sequence[Exact], k: int, q: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """GSP@k = Σ_{i=1..k} (1/i) Σ_{h=1..i} Σ_{j=1..min(r(h), r(i))} q_j    [robertson-2010]

    It is the sum of q_j SP@k over the labels j from which on items are relevant.

    Spec: RS-PREC-9
    """
    total = reals.exact(0)
    found = [0] * len(q)  # how many items so far have a label of at least j
    for i, r_i in enumerate(r[:k], start=1):
        found = [c + (j <= r_i) for j, c in enumerate(found, start=1)]
        reached = ((q_j, c) for j, (q_j, c) in enumerate(zip(q, found, strict=True), 1) if j <= r_i)
        total = total + sum((reals.exact(q_j) * c for q_j, c in reached), reals.exact(0)) / i
    return total


def expected_number_relevant(
    J: Sequence[Exact], q: Sequence[Exact], reals: Reals = RATIONALS
) -> Number:
    """The sum over the pool of the probabilities that its items are relevant    [robertson-2010]

    Spec: RS-PREC-10
    """
    return sum((probability_relevant(x, q, reals) for x in J), reals.exact(0))


def gap(
    r: Sequence[Exact], J: Sequence[Exact], k: int, q: Sequence[Exact], reals: Reals = RATIONALS
) -> Number:
    """GAP@k = GSP@k / the expected number of relevant items of J, and 0 where it is 0
    [robertson-2010]

    Spec: RS-PREC-11
    """
    divisor = expected_number_relevant(J, q, reals)
    return gsp(r, k, q, reals) / divisor if divisor else reals.exact(0)
