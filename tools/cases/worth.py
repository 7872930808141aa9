"""Cases that tell wrong implementations from right ones where no other required case does.

Each is there for a slip that real programs have (tests/vectors/slips.py); every slip is caught by
two required cases at least. The groups stand in the chapters whose names they bear, with numbers
from 901 on.
"""

# fmt: off
from __future__ import annotations

from . import case, group

BIG = 2**53

GAIN = group(
    "labels that are no small integers",
    case(901, "half a grade is worth half a gain", "DCG", [0.5, 1.5, 1.0],
         flags="fractional-label", spec="RS-GAIN-1"),
    case(902, "a grade and a half: 2^1.5 - 1", "nDCG", [0.5, 1.5], gain="exp2", k=2,
         flags="fractional-label", spec="RS-GAIN-2"),
    case(903, "0.9 is not 1: below the threshold", "P", [0.9, 1.0, 1.25], k=3,
         spec="RS-PREC-1"),
    case(904, "decimals that 32 bits do not hold", "nDCG", [0.1, 0.7, 0.3], k=2,
         flags="fractional-label", spec="RS-GAIN-1"),
    case(905, "the first integer that 32 bits do not hold as a float", "CG", [2**24 + 1, 0],
         k=1, spec="RS-GAIN-1"),
    case(906, "2^32 - 1 and 2^33 - 1 are gains", "nDCG", [32, 33], gain="exp2", k=2,
         spec="RS-GAIN-2"),
    case(907, "2^63 - 1 is a gain", "DCG", [0, 63], gain="exp2", spec="RS-GAIN-2"),
)

DCG = group(
    "the ideal of k perfect items",
    case(901, "one item is shown, and three could be", "nDCG", [1], k=3, ideal="perfect",
         spec="RS-DCG-8"),
    case(902, "two of four, the last of them", "nDCG", [0, 1], judged=[1, 1, 1, 0], k=4,
         ideal="perfect", spec="RS-DCG-8"),
)

PRECISION = group(
    "what is divided by what",
    case(901, "integers beyond 2^53: one is below the threshold, and its double is not", "P",
         [BIG, BIG + 1, 0], rel=BIG + 1, k=2),
    case(902, "and the first that is relevant is the second", "RR", [BIG, BIG + 1, 0],
         rel=BIG + 1),
    case(903, "three are relevant and two ranks are looked at: over three", "Rprec", [1, 0, 1],
         judged=[1, 1, 1, 0], k=2),
    case(904, "one other item: whatever is relevant below it counts nothing", "Bpref",
         [1, 0, 1, 1], judged=[1, 1, 1, 0]),
    case(905, "no other item: each relevant one counts 1", "Bpref", [2, 1], judged=[2, 1, 1]),
)

EXPECTATION = group(
    "how scores and ids are compared",
    case(901, "ids beyond 16 bits come last in ascending order", "RR", [1, 0], scores=[1, 1],
         ids=["～", "😀"], ties="id-ascending", flags="ids-beyond-ascii tie-rule-matters",
         spec="RS-TIE-2(b)"),
    case(902, "and first in descending order, within ids too", "nDCG", [0, 2, 1],
         scores=[1, 1, 1], ids=["a～", "a😀", "a"], ties="id-descending",
         flags="ids-beyond-ascii tie-rule-matters", spec="RS-TIE-2(b)"),
    case(903, "ids are text: 100, 20, 3 in ascending order", "nDCG", [2, 0, 1],
         scores=[1, 1, 1], ids=["100", "20", "3"], ties="id-ascending",
         flags="ids-as-text tie-rule-matters", spec="RS-TIE-2(b)"),
    case(904, "ids that are numbers are compared as numbers: 10 before 9, falling", "RR", [1, 0],
         scores=[1, 1], ids=[10, 9], ties="id-descending", flags="tie-rule-matters",
         spec="RS-TIE-2(b)"),
    case(905, "and 3, 20, 100 rising", "nDCG", [0, 2, 1], scores=[1, 1, 1], ids=[100, 20, 3],
         ties="id-ascending", flags="tie-rule-matters", spec="RS-TIE-2(b)"),
    case(906, "small letters come before capital ones in descending order", "RR", [0, 1],
         scores=[1, 1], ids=["Z", "a"], ties="id-descending", flags="tie-rule-matters",
         spec="RS-TIE-2(b)"),
    case(907, "scores that 32 bits do not tell apart", "RR", [0, 1],
         scores=[16777216.0, 16777217.0], ids=["b", "a"], ties="id-descending",
         flags="scores-beyond-float32", spec="RS-TIE-1"),
    case(908, "scores that differ in the eleventh decimal are no tie", "nDCG", [0, 1, 2],
         scores=[0.1, 0.10000000001, 0.10000000002], flags="no-ties scores-beyond-float32",
         spec="RS-TIE-1"),
    case(909, "nor are scores that differ in the fifth", "DCG", [1, 3],
         scores=[0.50001, 0.50002], flags="no-ties", spec="RS-TIE-1"),
    case(910, "whole scores beyond 2^53 are no tie", "RR", [0, 1], scores=[BIG, BIG + 1],
         flags="no-ties scores-beyond-2^53", spec="RS-TIE-1"),
    case(911, "not by any rule", "nDCG", [0, 2, 1], scores=[-BIG - 1, -BIG, 0],
         ids=["c", "b", "a"], ties="id-descending", flags="scores-beyond-2^53", spec="RS-TIE-1"),
)

SESSION = group(
    "what counts",
    case(901, "a document below X has not been seen, nor has one of a list's end", "nsDCG",
         [[3, 2, 1], [1, 2, 3]], ids=[["a", "b", "c"], ["c", "b", "a"]], k=2, repeats="first",
         spec="RS-SES-2"),
    case(902, "the worst query is one with nothing relevant", "query_sDCG",
         [[1, 0], [0, 0], [2]], over="worst", spec="RS-SES-16"),
    case(903, "an empty query is one of the queries of a mean", "sDCG_q", [[2, 1], [], [1]],
         flags="empty-query", spec="RS-SES-14"),
)

NUMERICS = group(
    "every value counts in a mean",
    case(901, "a value of 0 does", "mean", [0.0, 0.5, 1.0]),
    case(902, "a value that was there before does", "mean", [0.25, 0.25, 1.0]),
)
