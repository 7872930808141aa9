"""The laws of priors of what was observed: of clicks, and of lengths of lists."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError

from ..each import each

CLICKS, LENGTHS = pytest.mark.spec("RS-LEN-19"), pytest.mark.spec("RS-LEN-20")
COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=7).filter(any)


def by_length(counts: Sequence[int]) -> dict[int, int]:
    return dict(enumerate(counts, start=1))


def is_a_prior(p: Sequence[Fraction], M: int) -> bool:
    falls = all(a >= b for a, b in pairwise(p))
    return len(p) == M and sum(p) == 1 and falls and p[-1] >= 0


# ---- of clicks ----------------------------------------------------------------------------


def falling(M: int, whole: int) -> Iterator[list[Fraction]]:
    """All probabilities of M ranks that do not rise, in steps of 1 / whole."""

    def parts(left: int, most: int, ranks: int) -> Iterator[list[int]]:
        if ranks == 0:
            if left == 0:
                yield []
            return
        for first in range(min(left, most), -1, -1):
            yield from ([first, *rest] for rest in parts(left - first, first, ranks - 1))

    return ([Fraction(x, whole) for x in of_whole] for of_whole in parts(whole, whole, M))


def likelihood(counts: Sequence[int], p: Sequence[Fraction]) -> Fraction:
    return prod((x**c for x, c in zip(p, counts, strict=True)), start=Fraction(1))


@CLICKS
@pytest.mark.spec("RS-LEN-19/L1", "RS-LEN-19/L2")
@each("counts", [[1], [1, 3], [0, 2], [4, 1, 2], [1, 0, 2], [0, 0, 1], [2, 2, 1, 3], [3, 1, 0, 2]])
def test_no_other_prior_is_as_likely(counts: list[int]) -> None:
    """Of all on a fine grid."""
    p = rs.prior_of_clicks(counts)
    assert is_a_prior(p, len(counts))
    greatest, seen = likelihood(counts, p), 0
    for q in falling(len(counts), 60 if len(counts) < 4 else 24):
        seen += q != p
        assert q == p or likelihood(counts, q) < greatest
    assert seen > 20 or len(counts) == 1


@CLICKS
@pytest.mark.spec("RS-LEN-19/L1", "RS-LEN-19/L2")
@given(counts=COUNTS, other=COUNTS, share=st.fractions(0, 1, max_denominator=50))
def test_a_step_towards_another_prior_is_less_likely(
    counts: list[int], other: list[int], share: Fraction
) -> None:
    """The other: any mixture of uniform priors."""
    p, M = rs.prior_of_clicks(counts), len(counts)
    assert is_a_prior(p, M)
    mixed = [
        sum((Fraction(c, n) for n, c in enumerate(other, 1) if n >= i), Fraction(0))
        for i in range(1, M + 1)
    ]
    if not any(mixed):
        return
    q = [share * x / sum(mixed) + (1 - share) * y for x, y in zip(mixed, p, strict=True)]
    assert is_a_prior(q, M)
    assert q == p or likelihood(counts, q) < likelihood(counts, p)


def least_concave_majorant(points: Sequence[Fraction]) -> list[Fraction]:
    """At each place the highest chord between two points, as it is written."""
    ends = range(len(points))
    chords = [(a, b) for a, b in combinations(ends, 2)]
    return [
        max(
            [
                y,
                *(
                    points[a] + (points[b] - points[a]) * Fraction(i - a, b - a)
                    for a, b in chords
                    if a < i < b
                ),
            ]
        )
        for i, y in enumerate(points)
    ]


@CLICKS
@pytest.mark.spec("RS-LEN-19/L3", "RS-LEN-19/L4", "RS-LEN-19/L5", "RS-LEN-19/L6")
@given(counts=COUNTS, c=st.integers(2, 10**12), more=st.integers(0, 4))
def test_the_slope_of_the_majorant(counts: list[int], c: int, more: int) -> None:
    p, n, M = rs.prior_of_clicks(counts), sum(counts), len(counts)
    shares = [Fraction(0), *accumulate(Fraction(x, n) for x in counts)]
    assert [Fraction(0), *accumulate(p)] == least_concave_majorant(shares)
    assert rs.prior_of_clicks(sorted(counts, reverse=True)) == sorted(
        (Fraction(x, n) for x in counts), reverse=True
    )
    assert rs.prior_of_clicks([c * x for x in counts]) == p
    assert rs.prior_of_clicks(counts, M=M + more) == [*p, *[0] * more]
    assert rs.prior_of_clicks([*counts, *[0] * more]) == [*p, *[0] * more]


@CLICKS
def test_many_ranks() -> None:
    """Rising counts are one pool, and falling ones none, each in one pass."""
    assert set(rs.prior_of_clicks(range(1, 5001))) == {Fraction(1, 5000)}
    falls = rs.prior_of_clicks(range(5000, 0, -1))
    assert falls == [Fraction(x, 5000 * 5001 // 2) for x in range(5000, 0, -1)]


# ---- of lengths ---------------------------------------------------------------------------


@LENGTHS
@pytest.mark.spec("RS-LEN-20/L1", "RS-LEN-20/L3", "RS-LEN-20/L4", "RS-LEN-20/L5")
@given(first=COUNTS, second=COUNTS, c=st.integers(2, 10**9), more=st.integers(0, 3))
def test_a_mixture_of_uniform_priors(
    first: list[int], second: list[int], c: int, more: int
) -> None:
    M, n = len(first) + more, sum(first)
    p = rs.prior_of_lengths(by_length(first), M=M)
    assert is_a_prior(p, M)
    uniform = [[Fraction(int(i <= m), m) for i in range(1, M + 1)] for m in range(1, M + 1)]
    lists = [uniform[m - 1] for m, x in enumerate(first, start=1) for _ in range(x)]
    assert p == [sum(column) / n for column in zip(*lists, strict=True)]
    back = [i * (a - b) * n for i, (a, b) in enumerate(pairwise([*p, Fraction(0)]), start=1)]
    assert back == [*first, *[0] * more]
    assert rs.prior_of_lengths(by_length([c * x for x in first]), M=M) == p
    room = max(len(first), len(second))
    one, other = (rs.prior_of_lengths(by_length(x), M=room) for x in (first, second))
    together = Counter(by_length(first))
    together.update(by_length(second))
    a, b = sum(first), sum(second)
    means = [(a * x + b * y) / (a + b) for x, y in zip(one, other, strict=True)]
    assert rs.prior_of_lengths(together) == means


@LENGTHS
@pytest.mark.spec("RS-LEN-20/L2")
@each("n", [1, 2, 5])
def test_lists_of_one_length_have_the_uniform_prior(n: int) -> None:
    p = rs.prior_of_lengths({n: 7})
    assert p == [Fraction(1, n)] * n
    for r in ([2], [0, 1], [1, 0, 2, 2, 0, 1]):
        assert rs.ldcg(r, M=n, prior=p) == rs.ldcg(r, M=n, prior="uniform")


@LENGTHS
def test_as_many_lengths_as_can_be() -> None:
    """Their fractions are short enough for a prior."""
    p = rs.prior_of_lengths({n: 10**18 - n for n in range(1, 1001)})
    assert is_a_prior(p, 1000)
    assert rs.lndcg([1, 0, 2], prior=p, M=1000) > 0


# ---- what they are given ------------------------------------------------------------------


@CLICKS
@LENGTHS
@each(
    "measure",
    [
        rs.LDCG,
        rs.LNDCG,
        rs.LERR,
        rs.LAP,
        rs.LRBP,
        rs.LGAP,
        lambda **own: rs.Adjusted(rs.RR(), **own),
    ],
)
def test_a_measure_takes_them(measure: Any) -> None:
    """As it takes their numerators over one denominator, where Z makes the scale play no part."""
    p = rs.prior_of_clicks([5, 1, 4])
    made = measure(prior=p)
    assert made.prior.weights.weights == (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    (again,) = rs.measures(str(made))
    assert again == made
    assert made.of([1, 0, 2]) == again.of([1, 0, 2]) > 0
    assert rs.lndcg([1, 0, 2], prior=p) == rs.lndcg([1, 0, 2], prior=[2, 1, 1])


FILE = b"# rank, clicks\n1 6\n\n3\t3 \r\n2 1\n" + b"0" * 30 + b"5 0\n"


@CLICKS
def test_counts_are_read_from_whatever_holds_them(tmp_path: Path) -> None:
    expected = [Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)]
    given: list[Any] = [
        *((6, 1, 3), [6.0, 1, np.int8(3)], np.array([6, 1, 3], np.uint16), iter([6, 1, 3])),
        *({3: 3, 1: 6, 2: 1}, {np.int64(1): 6, 2.0: 1, 3: 3}, pd.Series([1, 3, 6], [2, 3, 1])),
    ]
    for clicks in given:
        assert rs.prior_of_clicks(clicks) == expected
    path = tmp_path / "clicks.txt"
    path.write_bytes(FILE)
    for file in (path, str(path), io.BytesIO(FILE)):
        assert rs.prior_of_clicks(file) == [*expected, 0, 0]
    assert rs.prior_of_clicks({2: 4}) == [Fraction(1, 2)] * 2  # rank 1 has none
    assert rs.prior_of_clicks(path, M=6) == [*expected, 0, 0, 0]


@LENGTHS
def test_lengths_are_read_from_what_says_how_many() -> None:
    lists = ["ab", "c", "de", "fgh"]
    expected = rs.prior_of_lengths({1: 1, 2: 2, 3: 1})
    assert rs.prior_of_lengths(Counter(map(len, lists))) == expected
    assert rs.prior_of_lengths(pd.Series(map(len, lists)).value_counts()) == expected
    assert rs.prior_of_lengths(io.BytesIO(b"2 2\n1 1\n3 1\n")) == expected


BAD_COUNTS: dict[str, tuple[Any, str]] = {
    "negative": (
        [2, -1],
        r"^clicks: the count of rank 2 is -1; it must be a whole number from 0 to ",
    ),
    "no whole number": ([1.5], r"^clicks: the count of rank 1 is 1\.5; it must be a whole number"),
    "NaN": ([float("nan")], r"^clicks: the count of rank 1 is nan; it must be a whole number"),
    "infinite": ([float("inf")], r"^clicks: the count of rank 1 is inf; it must be a whole number"),
    "a boolean": ([True], r"^clicks: the count of rank 1 is True; it must be a whole number"),
    "a text": (["1"], r"^clicks: the count of rank 1 is '1'; it must be a whole number"),
    "large": (
        [10**18 + 1],
        r"^clicks: the count of rank 1 is 1000000000000000001; it must be a who",
    ),
    "none": ([], r"^clicks: there are none; at least one must be above 0 \(RS-LEN-19\)$"),
    "all 0": ([0, 0], r"^clicks: all counts are 0; at least one must be above 0 \(RS-LEN-19\)$"),
    "a number": (3, r"^clicks: expected counts by rank, got 3 \(RS-LEN-19\)$"),
    "a set": (
        {1, 3},
        r"^clicks: expected counts by rank, got \{1, 3\}; a set has no order \(RS-LEN-19\)$",
    ),
    "a frozen set": (frozenset([4]), r"^clicks: expected .*; a set has no order"),
    "bytes": (b"12", r"^clicks: expected counts by rank, got b'12' \(RS-LEN-19\)$"),
    "rank 0": ({0: 1}, r"^clicks: a rank is 0; it must be a whole number from 1 to 1000000 \(RS-L"),
    "a rank that is none": ({"a": 1}, r"^clicks: a rank is 'a'; it must be a whole number from 1"),
    "far": (
        {10**6 + 1: 1},
        r"^clicks: a rank is 1000001; it must be a whole number from 1 to 1000000",
    ),
    "twice": (
        pd.Series([1, 2], [3, 3]),
        r"^clicks: the rank 3 occurs a second time \(RS-LEN-19\)$",
    ),
    "a series from 0": (
        pd.Series([1, 2]),
        r"^clicks: a rank is 0; it must be a whole number from 1",
    ),
    "no file": ("no such file", r"^no such file: cannot be read: No such file"),
}


@CLICKS
@each(("clicks", "message"), BAD_COUNTS.values(), ids=BAD_COUNTS)
def test_clicks_that_are_refused(clicks: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.prior_of_clicks(clicks)


BAD_LENGTHS: dict[str, tuple[Any, str]] = {
    "a list": ([1, 1, 2], r"^lengths: expected counts by length, a dict such as Counter\(map\(len"),
    "an array": (np.array([1, 2]), r"^lengths: expected counts by length, a dict such as Counter"),
    "a number": (
        3,
        r"^lengths: expected counts by length, a dict such as Counter\(map\(len, lists",
    ),
    "an empty list": (
        {0: 3, 1: 2},
        r"^lengths: a length is 0; it must be a whole number from 1 to 1",
    ),
    "a long list": (
        {1001: 1},
        r"^lengths: a length is 1001; it must be a whole number from 1 to 1000",
    ),
    "negative": (
        {1: -2},
        r"^lengths: the count of length 1 is -2; it must be a whole number from 0",
    ),
    "all 0": ({1: 0}, r"^lengths: all counts are 0; at least one must be above 0 \(RS-LEN-20\)$"),
    "none": ({}, r"^lengths: there are none; at least one must be above 0 \(RS-LEN-20\)$"),
}


@LENGTHS
@each(("lengths", "message"), BAD_LENGTHS.values(), ids=BAD_LENGTHS)
def test_lengths_that_are_refused(lengths: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.prior_of_lengths(lengths)


@CLICKS
@LENGTHS
@each(
    ("M", "message"),
    [
        (
            1,
            r"^M: the number of ranks is 1, but (clicks|lengths) has a count of (rank|length) 2",
        ),
        (0, r"^M: the number of ranks is 0; it must be a whole number from 1 to 1000000"),
        (2.5, r"^M: the number of ranks is 2\.5; it must be a whole number"),
        ("3", r"^M: the number of ranks is '3'; it must be a whole number"),
        (10**6 + 1, r"^M: the number of ranks is 1000001; it must be a whole number"),
    ],
)
def test_ranks_that_are_refused(M: Any, message: str) -> None:
    for prior in (rs.prior_of_clicks, rs.prior_of_lengths):
        with pytest.raises(InputError, match=message):
            prior({2: 1}, M=M)


EXPECTED = r"expected rank and count, two whole numbers \(RS-LEN-19\)$"
BAD_FILES: dict[bytes, str] = {
    b"": r"^the open file: empty; expected lines of rank and count \(RS-LEN-19\)$",
    b"# nothing\n\n": r"^the open file: empty; expected lines of rank and count",
    b"1 0\n2 0\n": r"^the open file: all counts are 0; expected lines of rank and count",
    b"1 2\n3\n": r'^the open file:2: found "3"; ' + EXPECTED,
    b"1 2 3\n": r'^the open file:1: found "1 2 3"; ' + EXPECTED,
    b"1,2\n": r'^the open file:1: found "1,2"; ' + EXPECTED,
    b"rank count\n": r'^the open file:1: "rank" is no whole number; ' + EXPECTED,
    b"1 -2\n": r'^the open file:1: "-2" is no whole number; ' + EXPECTED,
    b"1 2.5\n": r'^the open file:1: "2\.5" is no whole number; ' + EXPECTED,
    b"1 nan\n": r'^the open file:1: "nan" is no whole number; ' + EXPECTED,
    b"1 2\n0 1\n": r'^the open file:2: the rank is "0"; it must be from 1 to 1000000',
    b"1000001 1\n": r'^the open file:1: the rank is "1000001"; it must be from 1 to 1000000',
    b"1 1000000000000000001\n": r'^the open file:1: the count is "1000000000000000001"; it must be',
    b"1 " + b"9" * 5000: r'^the open file:1: the count is "9+\.\.\."; it must be at most 10\^18',
    b"1 2\n01 3\n": r"^the open file:2: the rank 1 occurs a second time \(RS-LEN-19\)$",
    b"1 2\0\n": r"^the open file:1: found a NUL byte",
    b"1 2\r3 4\n": r"^the open file:1: found a carriage return",
}


@CLICKS
@each(("content", "message"), BAD_FILES.items())
def test_files_that_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.prior_of_clicks(io.BytesIO(content))


@LENGTHS
def test_a_file_of_lengths_that_is_refused() -> None:
    with pytest.raises(
        InputError, match=r'^the open file:1: the length is "1001"; it must be from 1'
    ):
        rs.prior_of_lengths(io.BytesIO(b"1001 1\n"))
    with pytest.raises(
        InputError, match=r"^the open file: empty; expected lines of length and count"
    ):
        rs.prior_of_lengths(io.BytesIO(b""))
