"""Rounding: the nearest double at the ends of the range, at and near ties, and of means."""

# fmt: off
from __future__ import annotations

from . import case, group, worth

REQUIRED = [
    group(
        "the mean of per-query values: the exact mean of the doubles, rounded once",
        case(1, "no values", "mean", []),
        case(2, "one value", "mean", [0.1]),
        case(3, "ten times 0.1 is 0.1", "mean", [0.1] * 10, flags="sum-in-doubles-differs"),
        case(4, "0.1, 0.2 and 0.3", "mean", [0.1, 0.2, 0.3],
             flags="sum-in-doubles-differs order-of-addition"),
        case(5, "the sum must not be rounded before it is divided", "mean", [0.1, 0.1, 0.5],
             flags="sum-rounded-first-differs"),
        case(6, "thirds", "mean", [1 / 3, 2 / 3, 1.0]),
        case(7, "a query with the value 0", "mean", [0.9608081943360616, 0.0, 1.0]),
    ),
]

OPTIONAL = [
    group(
        "means of unusual values",
        case(8, "large values that cancel", "mean", [1e+16, 1.0, -1e+16], flags="cancellation"),
        case(9, "a sum beyond the range of a double", "mean",
             [1.7976931348623157e+308, 1.7976931348623157e+308], flags="sum-overflows"),
        case(10, "the least double and 0: a tie, to the even 0", "mean", [5e-324, 0.0]),
        case(11, "subnormal values", "mean", [5e-324, 1.5e-323, 1e-323]),
        case(12, "an infinite value", "mean", [1.0, float('inf')], error="values",
             flags="invalid-input", spec="RS-NUM-5"),
    ),
    group(
        "the double nearest to a fraction",
        case(13, "one third", "double", [1, 3]),
        case(14, "2^53 + 1 lies between two doubles: to the even one, below", "double",
             [2 ** 53 + 1, 1]),
        case(15, "2^53 + 3: to the even one, above", "double", [2 ** 53 + 3, 1]),
        case(16, "just above a tie", "double", [(2 ** 53 + 1) * 10 ** 20 + 1, 10 ** 20]),
        case(17, "just below a tie", "double", [(2 ** 53 + 1) * 10 ** 20 - 1, 10 ** 20]),
        case(18, "the least double", "double", [1, 2 ** 1074]),
        case(19, "half of it: a tie, to 0", "double", [1, 2 ** 1075]),
        case(20, "just more than half of it", "double", [2 ** 20 + 1, 2 ** 1095]),
        case(21, "the largest double", "double", [2 ** 1024 - 2 ** 971, 1]),
        case(22, "the last number that rounds to it", "double", [2 ** 1025 - 2 ** 971 - 1, 2]),
        case(23, "the first number that rounds to infinity", "double", [2 ** 1024 - 2 ** 970, 1]),
    ),
    group(
        "metrics whose value is exactly between two doubles",
        case(24, "2^53 + 1 as CG", "CG", [2 ** 53, 1], flags="tie-to-even", spec="RS-NUM-1"),
        case(25, "2^53 + 3 as CG", "CG", [2 ** 53, 3], flags="tie-to-even", spec="RS-NUM-1"),
        case(26, "the discount 1/2 at rank 3", "DCG", [2 ** 53, 0, 2], flags="tie-to-even",
             spec="RS-NUM-2 RS-NUM-3"),
        case(27, "a quotient of two irrational numbers", "nDCG", [2 ** 53 + 1, 2 ** 53 + 1],
             judged=[2 ** 54, 2 ** 54], flags="tie-to-even rational-quotient label-beyond-2^53",
             spec="RS-NUM-2 RS-NUM-3"),
        case(28, "the same, just beside the tie", "nDCG", [2 ** 53 + 1, 2 ** 53 + 1, 1],
             judged=[2 ** 54, 2 ** 54], flags="label-beyond-2^53", spec="RS-NUM-3"),
        case(29, "weights that make 1 + 2^-53", "DCG", [1, 1], discount=[1, 2.0 ** (-53)],
             flags="tie-to-even weights", spec="RS-NUM-2 RS-NUM-3"),
        case(30, "a third weight of 1e-300 decides", "DCG", [1, 1, 1],
             discount=[1, 2.0 ** (-53), 1e-300], flags="weights very-near-midpoint",
             spec="RS-NUM-3"),
    ),
    group(
        "metrics whose value is nearly between two doubles",
        case(31, "sixteen grades: 2^-24 of a unit from the tie", "DCG",
             [2, 3, 0, 1, 0, 0, 2, 1, 1, 2, 3, 2, 1, 2, 0, 1], flags="near-midpoint",
             spec="RS-NUM-3"),
        case(32, "eight grades: 2^-14 of a unit from the tie", "nDCG", [0, 1, 1, 2, 2, 3, 2, 0],
             flags="near-midpoint double-loop-off-by-one-ulp", spec="RS-NUM-3"),
        case(33, "two labels of 53 bits: 2^-53 of a unit from the tie", "DCG",
             [1869939988115798, 4174251767881505],
             flags="very-near-midpoint double-loop-off-by-one-ulp", spec="RS-NUM-3"),
        case(34, "two labels of 53 bits: 2^-58 of a unit from the tie", "DCG",
             [4503599627370496, 4940763921776162],
             flags="very-near-midpoint double-loop-off-by-one-ulp", spec="RS-NUM-3"),
    ),
    group(
        "the ends of the range",
        case(35, "a subnormal value", "DCG", [0, 1e-310], flags="subnormal fractional-label",
             spec="RS-NUM-1(b)"),
        case(36, "half the least double, with an irrational discount: to the least double", "DCG",
             [0, 5e-324], flags="subnormal", spec="RS-NUM-1(b)"),
        case(37, "less than half the least double: to 0", "DCG", [0, 0, 0, 5e-324],
             flags="underflow", spec="RS-NUM-1(b)"),
        case(38, "a small quotient", "nDCG", [5e-324], judged=[1e+300], flags="underflow",
             spec="RS-NUM-1(b)"),
        case(39, "a quotient of subnormal numbers", "nDCG", [5e-324, 1e-323],
             judged=[1e-323, 1.5e-323], spec="RS-NUM-1"),
        case(40, "beyond the range: infinity", "DCG", [1.7976931348623157e+308] * 2,
             flags="overflow", spec="RS-DCG-2(c) RS-NUM-1(a)"),
        case(41, "DCG and IDCG beyond the range, nDCG within", "nDCG",
             [1e+308, 1.7976931348623157e+308, 1.5e+308], flags="parts-overflow",
             spec="RS-DCG-6(e)"),
        case(42, "nDCG far above 1: beyond the range", "nDCG", [1e+300], judged=[1e-300],
             flags="overflow above-one", spec="RS-NUM-1(a) RS-CONV-3(a)"),
    ),
]

REQUIRED.append(worth.NUMERICS)
