"""Gain and discount: what a result is worth, and how much of it is left at rank i.

A gain g maps a label r to a number; a discount d maps a rank i = 1, 2, ... to a number.
The functions of the other chapters take both as functions of one argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .numbers.reals import Exact, Number, Reals


def gain_linear(r: Exact, reals: Reals) -> Number:
    """g(r) = r

    Spec: RS-GAIN-1
    """
    return reals.exact(r)


def gain_exp2(r: Exact, reals: Reals) -> Number:
    """g(r) = 2^r - 1    [lv-2014 eq. 1, karmaker-2022 eq. 1]

    Spec: RS-GAIN-2
    """
    return reals.exp2(r) - 1


def gain_table(r: int, table: Mapping[int, Exact], reals: Reals) -> Number:
    """g(r) = table[r]    [jarvelin-2008 section 3.1: the weights 0-1-10-100]

    Spec: RS-GAIN-3
    """
    return reals.exact(table[r])


def inverse_propensity(N_l: int, N: int, A: Exact, B: Exact, reals: Reals) -> Number:
    """1/p_l = 1 + C (N_l + B)^(-A), C = (ln N - 1)(B + 1)^A    [jain-2016]

    N_l   how many of the N training points item l is relevant to

    Spec: RS-GAIN-4
    """
    ratio = (Fraction(B) + 1) / (Fraction(B) + N_l)
    return 1 + (reals.ln(N) - 1) * reals.power(ratio, A)


def discount_log(i: int, b: Exact, reals: Reals) -> Number:
    """d(i) = 1 / log_b(i + 1)    [lv-2014 eq. 1 with b = 2, karmaker-2022 eq. 1]

    Spec: RS-DISC-1
    """
    return 1 / reals.log(i + 1, b)


def discount_jarvelin_2008(i: int, b: Exact, reals: Reals) -> Number:
    """d(i) = 1 / (1 + log_b i)    [jarvelin-2008 appendix eq. 2]

    Spec: RS-DISC-2
    """
    return 1 / (1 + reals.log(i, b))


def discount_jarvelin_2002(i: int, b: Exact, reals: Reals) -> Number:
    """d(i) = 1 where i < b, 1 / log_b i from there on    [jarvelin-2002]

    Spec: RS-DISC-3
    """
    return reals.exact(1) if i < b else 1 / reals.log(i, b)


def discount_zipf(i: int, reals: Reals) -> Number:
    """d(i) = 1 / i

    Spec: RS-DISC-4
    """
    return reals.exact(1) / i


def discount_custom(i: int, weights: Sequence[Exact], reals: Reals) -> Number:
    """d(i) = weights[i]

    Spec: RS-DISC-5
    """
    return reals.exact(weights[i - 1])


def discount_none(i: int, reals: Reals) -> Number:
    """d(i) = 1

    Spec: RS-DISC-6
    """
    return reals.exact(1)


def discount_jiang_2016(i: int, b: Exact, reals: Reals) -> Number:
    """d(i) = 1 / log_b(i + b - 1)    [jiang-2016]

    Spec: RS-DISC-7
    """
    exact = Fraction(b) if isinstance(b, float) else b  # sums of floats round
    return 1 / reals.log(exact + (i - 1), b)
