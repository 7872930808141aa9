"""What separates the values of two programs that mean the same: the rounding of additions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

Values = Mapping[str, Mapping[str, float]]
"""{measure: {query: value}}"""


def differences(ours: Values, theirs: Values, additions: int) -> list[str]:
    """Each query that only one of both has, and each value that rounding does not explain.

    ours: correctly rounded; theirs: from at most so many additions of doubles
    """
    found = []
    for measure in ours.keys() | theirs.keys():
        mine, others = ours.get(measure, {}), theirs.get(measure, {})
        found += [f"{measure} {query}: one only" for query in mine.keys() ^ others.keys()]
        allowed = slack(measure, additions)
        found += [
            f"{measure} {query}: {mine[query]!r}, and theirs {others[query]!r}"
            for query in mine.keys() & others.keys()
            if abs(mine[query] - others[query]) > allowed * math.ulp(others[query])
        ]
    return found


def slack(measure: str, additions: int) -> int:
    """How many ulps a program's value may be from the correctly rounded one.

    P, R and RR are one division of whole numbers, so there is no difference. Otherwise, with u =
    2**-53 (half an ulp of 1): a term is a logarithm (2u: not all are correctly rounded), maybe
    over another (2u + u), and a quotient (u); n additions of terms that are not negative add n u;
    a quotient of two such sums has at most 2 n u + 13 u, and our own rounding is one u more.
    Products of these are far below one u more. u times a value is at most one ulp of it.
    """
    exact = re.match(r"(P|R|RR)\b", measure)
    return 0 if exact else 2 * additions + 15


def mean_differences(
    ours: Mapping[str, float], theirs: Mapping[str, float], queries: int, additions: int
) -> list[str]:
    """As differences(), of means: theirs are added in doubles over the queries, and divided."""
    assert ours.keys() == theirs.keys()
    return [
        f"{measure}: {ours[measure]!r}, and theirs {mean!r}"
        for measure, mean in theirs.items()
        if abs(ours[measure] - mean) > (slack(measure, additions) + queries + 2) * math.ulp(mean)
    ]
