"""What the functions of sessions take, in every form, and what they refuse, in which words."""

from __future__ import annotations

import copy
import doctest
import inspect
import math
import pickle
import subprocess
import sys
from array import array
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankspec as rs
import rankspec.api.metrics
import rankspec.api.rankings
from rankspec.api import sessions as functions
from rankspec.compute import gain
from rankspec.metrics.catalogue import SESSION_METRICS

from ..each import each

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
ALL_METRICS = pytest.mark.parametrize("metric", SESSION_METRICS, ids=lambda metric: metric.name)
PLAIN: dict[str, Any] = {"discount": "none", "query_discount": "jarvelin-2008(b=2)"}

# With no discount of ranks and bq = 2 a session of two queries has the sum of the first list and
# half that of the second.
ONE = [[3, 2], [0, 1]]
MANY = [[[3, 2], [0, 1]], [[1, 1], [4, 0]]]
ONES, MANYS = 5.5, [5.5, 4.0]


# ---- forms ---------------------------------------------------------------------------------


@each(
    "labels",
    [
        ONE,
        tuple(map(tuple, ONE)),
        [np.array(row) for row in ONE],
        [memoryview(array("d", row)) for row in ONE],
        [[Fraction(x) for x in row] for row in ONE],
        [[np.int32(x) for x in row] for row in ONE],
        *[np.array(ONE, dtype) for dtype in (np.uint8, np.int64, np.uint64, ">i4", object)],
        *[np.array(ONE, dtype) for dtype in (np.float16, np.float32, ">f8")],
        np.asfortranarray(ONE),
        np.array([[3, 9, 2], [0, 9, 1]])[:, ::2],
        np.array([[0, 1], [3, 2]])[::-1],
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
@BACKENDS
@pytest.mark.spec("RS-SES-22")
def test_one_session_in_every_form(labels: Any, backend: str) -> None:
    assert rs.sdcg(labels, **PLAIN, backend=backend) == ONES


@each(
    "many",
    [
        {"labels": MANY},
        {"labels": tuple(MANY)},
        {"labels": [np.array(session) for session in MANY]},
        {"labels": [[np.array(row) for row in session] for session in MANY]},
        {"labels": np.array(MANY)},
        {"labels": np.array(MANY, object)},
        {"labels": np.asfortranarray(MANY)},
        {"labels": np.array([[[3, 9, 2], [0, 9, 1]], [[1, 9, 1], [4, 9, 0]]])[:, :, ::2]},
        {"labels": np.array([MANY[1], MANY[0]])[::-1]},
        {"labels": [3, 2, 0, 1, 1, 1, 4, 0], "offsets": [0, 2, 4, 6, 8], "sessions": [0, 2, 4]},
        {
            "labels": np.array([3, 2, 0, 1, 1, 1, 4, 0], np.float32),
            "offsets": np.arange(0, 9, 2, np.int32),
            "sessions": np.array([0, 9, 2, 9, 4], np.uint8)[::2],
        },
        {
            "labels": array("i", [3, 2, 0, 1, 1, 1, 4, 0]),
            "offsets": array("q", [0, 2, 4, 6, 8]),
            "sessions": range(0, 5, 2),
        },
    ],
    ids=str,
)
@BACKENDS
@pytest.mark.spec("RS-SES-22")
def test_many_sessions_in_every_form(many: dict[str, Any], backend: str) -> None:
    found = rs.sdcg(**many, **PLAIN, backend=backend)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    assert found.tolist() == MANYS
    several = rs.sdcg(**many, k=[1, 2], **PLAIN, backend=backend)
    assert several.tolist() == [[3, 5.5], [3, 4]]


def test_one_session_has_a_row_of_several_k() -> None:
    assert rs.sdcg(ONE, k=[1, 2, 10**18], **PLAIN).tolist() == [3, 5.5, 5.5]
    assert rs.sdcg(ONE, k=[]).tolist() == []


def test_lists_of_many_lengths() -> None:
    labels = [[[1], [2, 2, 2], []], [], [[], [4]], [[]]]
    expected = [4.0, 0.0, 2.0, 0.0]
    assert rs.sdcg(labels, **PLAIN).tolist() == expected
    flat = {"offsets": [0, 1, 4, 4, 4, 5, 5], "sessions": [0, 3, 3, 5, 6]}
    assert rs.sdcg([1, 2, 2, 2, 4], **flat, **PLAIN).tolist() == expected


def test_read_only_labels_are_read_and_left_alone() -> None:
    labels, ids = np.array(MANY), np.arange(8).reshape(2, 2, 2)
    for x in (labels, ids):
        x.flags.writeable = False
    assert rs.sdcg(labels, ids=ids, repeats="first", **PLAIN).tolist() == MANYS
    assert labels.tolist() == MANY


def test_booleans_are_labels_0_and_1() -> None:
    assert rs.sdcg([[True, False], [True]], **PLAIN) == 1.5
    assert rs.sdcg(np.array([[True, False], [True, True]]), **PLAIN) == 2


@pytest.mark.parametrize("zero", [0, -0.0, 0.0, np.float32(-0.0), False])
def test_zeros_are_zeros(zero: Any) -> None:
    for function in (rs.sdcg, rs.avg_sdcg, rs.nsdcg, rs.query_sdcg):
        value = function([[zero], [zero]])
        assert value == 0
        assert math.copysign(1, value) == 1
    assert rs.sdcg_vector([[zero, 1]], discount="none").tolist() == [0, 1]


def test_large_labels() -> None:
    assert rs.sdcg([[10**9], [10**9]], **PLAIN) == 1.5e9
    assert rs.sdcg([[2**62 + 1]]) == float(2**62 + 1)
    assert rs.nsdcg([[10**9, 0]], judged=[0, 10**9]) == 1


@ALL_METRICS
@BACKENDS
def test_nothing_has_the_value_0(metric: Any, backend: str) -> None:
    function = getattr(rs, metric.function)
    for nothing in ([], [[]], [[], []], np.zeros((0, 3)), np.zeros((3, 0))):
        for k in (None, 1, 7):
            assert function(nothing, k=k, backend=backend) == 0
    assert function([[[]], [[], []]], backend=backend).tolist() == [0, 0]
    assert function(np.zeros((2, 0, 3)), backend=backend).tolist() == [0, 0]
    assert function(np.zeros((2, 3, 0)), backend=backend).tolist() == [0, 0]
    assert function(np.zeros((0, 3, 3)), backend=backend).tolist() == []
    assert function([], offsets=[0], sessions=[0], backend=backend).tolist() == []
    assert function([], offsets=[0], sessions=[0, 0], backend=backend).tolist() == [0]


def test_a_session_with_no_queries_among_others() -> None:
    assert rs.nsdcg([[], [[1]]], judged=[[1], [1]]).tolist() == [0, 1]


# ---- documents -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ids",
    [
        [["a", "b"], ["b", "a"]],
        (("a", "b"), ("b", "a")),
        [[7, 3], [3, 7]],
        [[10**30, 3], [3, 10**30]],
        [np.array([7, 3]), np.array([3, 7])],
        [["é", "e"], ["e", "é"]],
        np.array([[7, 3], [3, 7]]),
        np.array([["a", "b"], ["b", "a"]]),
        np.array([[7, 3], [3, 7]], np.uint8),
    ],
    ids=str,
)
@pytest.mark.spec("RS-SES-1")
def test_documents_that_come_again_are_known_by_ids(ids: Any) -> None:
    labels = [[1, 2], [2, 1]]
    assert rs.sdcg(labels, ids=ids, repeats="first", **PLAIN) == 3
    assert rs.sdcg(labels, ids=ids, repeats=0.5, **PLAIN) == 3.75
    assert rs.sdcg(labels, ids=ids, **PLAIN) == 4.5
    assert rs.sdcg(np.array(labels), ids=ids, repeats=0, **PLAIN) == 3


@pytest.mark.parametrize(
    "ids",
    [
        [[["a", "b"], ["b", "a"]], [["a", "b"], ["c", "d"]]],
        np.array([[[1, 2], [2, 1]], [[1, 2], [3, 4]]]),
        [[[1, 2], [2, 1]], [[1, 2], [3, 4]]],
        [np.array([[1, 2], [2, 1]]), np.array([[1, 2], [3, 4]])],
    ],
    ids=lambda ids: type(ids).__name__,
)
def test_documents_of_many_sessions(ids: Any) -> None:
    """What another session showed is no repetition."""
    labels = [[[1, 2], [2, 1]], [[1, 2], [2, 2]]]
    for given in (labels, np.array(labels), [np.array(session) for session in labels]):
        assert rs.sdcg(given, ids=ids, repeats="first", **PLAIN).tolist() == [3, 5]


def test_documents_of_flat_labels() -> None:
    flat = {"offsets": [0, 1, 3, 4], "sessions": [0, 2, 3]}
    for ids in (["a", "b", "a", "a"], [["a"], ["b", "a"], ["a"]], np.array([5, 6, 5, 5])):
        found = rs.sdcg([1, 2, 1, 9], **flat, ids=ids, repeats="first", **PLAIN)
        assert found.tolist() == [2, 9]


# ---- what is refused -----------------------------------------------------------------------


NAMES = ", ".join(f'"{name}"' for name in gain.DISCOUNTS)
DISCOUNTS = f"there are {NAMES}, or the weights of query 1, 2, ...: [1, 0.5, 0.25]"


def refused(call: Any, words: str) -> None:
    with pytest.raises(rs.InputError) as error:
        call()
    assert str(error.value) == words


LISTS = "expected a list of labels: a session is a list with one list per query"
NONE = "labels: expected a session, which is a list with one list per query, got"
NAN, INF = math.nan, math.inf


@each(
    ("labels", "words"),
    [
        (None, f"{NONE} None"),
        ("abc", f"{NONE} 'abc'"),
        (b"ab", f"{NONE} b'ab'"),
        (5, f"{NONE} 5"),
        ({1: [1]}, f"{NONE} {{1: [1]}}"),
        ({1}, f"{NONE} {{1}}"),
        (np.array([1, 2]), f"{NONE} array([1, 2])"),
        (np.array(1), f"{NONE} array(1)"),
        (
            np.zeros((2, 1, 2, 2)),
            "labels: the array has 4 dimensions; expected 2 for one session or 3 for several",
        ),
        ([np.zeros((1, 2, 2))],
         "labels: array([[0., 0.], [0., 0.]]) at position 0 is not a number"),
        ([1, 2], f"labels: query 1 is 1; {LISTS}"),
        ([[1], 2], f"labels: query 2 is 2; {LISTS}"),
        (["ab"], f"labels: query 1 is 'ab'; {LISTS}"),
        ([None], f"labels: query 1 is None; {LISTS}"),
        ([{1: 1}], f"labels: query 1 is {{1: 1}}; {LISTS}"),
        (
            [[1], [2, [3]]],
            "labels: session 0 is [1]; expected a list with one list per query, as in the others",
        ),
        (
            [[[1]], [2]],
            "labels: session 1 is [2]; expected a list with one list per query, as in the others",
        ),
        ([[[[1]]]], "labels: [1] at position 0 is not a number"),
        ([[1], [2, None]], "labels: query 2: None at position 1 is not a number"),
        ([["a"]], "labels: query 1: 'a' at position 0 is not a number"),
        ([[[1]], [[1], ["a"]]], "labels: session 1, query 2: 'a' at position 0 is not a number"),
        (
            [[0.5, Fraction(1, 3)]],
            "labels: query 1: Fraction(1, 3) at position 1: expected an integer below 2^63 or a "
            "number that is exactly a double",
        ),
        ([[1], [NAN]], "labels: nan at query 2, rank 1: a label must be finite"),
        ([[1, INF]], "labels: inf at query 1, rank 2: a label must be finite"),
        ([[-INF]], "labels: -inf at query 1, rank 1: a label must be finite"),
        ([[], [1, -1]], "labels: -1 at query 2, rank 2: a label must not be negative"),
        (
            [[[1]], [], [[], [1, -2]]],
            "labels: -2 at session 2, query 2, rank 2: a label must not be negative",
        ),
        (np.array([["a"]]), "labels: unsupported type <U1; expected integers below 2^63, float16, "
         "float32 or float64"),
        (np.ma.array([[1, 2]], mask=[[0, 1]]), "labels: the array has masked elements, the "
         "first at position 1"),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.spec("RS-SES-22")
def test_labels_that_are_refused(labels: Any, words: str) -> None:
    for function in (rs.sdcg, rs.nsdcg):
        refused(lambda f=function: f(labels), words)
    refused(lambda: rs.sDCG().of(labels, backend="reference"), words)


def test_a_generator_is_refused() -> None:
    for labels in (([x] for x in (1, 2)), iter([[1]])):
        with pytest.raises(rs.InputError, match=r"^labels: expected a session, .*, got <.* object"):
            rs.sdcg(labels)
    words = r"^labels: query 1 is <generator .*; expected a list of labels: a"
    with pytest.raises(rs.InputError, match=words):
        rs.sdcg([(x for x in (1, 2))])


@each(
    ("offsets", "sessions", "words"),
    [
        ([0, 1], None, "sessions: flat labels need offsets, where queries begin, and sessions, "
         "where sessions begin among the queries (RS-SES-22)"),
        (None, [0, 1], "offsets: flat labels need offsets, where queries begin, and sessions, "
         "where sessions begin among the queries (RS-SES-22)"),
        ([0, 2, 1], [0, 2], "offsets: offset 2 is 1, below the one before it, 2"),
        ([1, 2], [0, 1], "offsets: the first offset must be 0"),
        ([0, 1, 3], [0, 2], "offsets: offset 2 is 3, but there are 2 labels"),
        ([0, 1.5, 2], [0, 2], "offsets: expected integers"),
        ([0, 1, 2], [0, 2, 1, 2], "sessions: offset 2 is 1, below the one before it, 2"),
        ([0, 1, 2], [1, 2], "sessions: the first offset must be 0"),
        ([0, 1, 2], [], "sessions: the first offset must be 0"),
        ([0, 1, 2], [0, 1], "sessions: the last offset is 1, but there are 2 queries"),
        ([0, 1, 2], [0, 3], "sessions: offset 1 is 3, but there are 2 queries"),
        ([0, 1, 2], [0, -1, 2], "sessions: offset 1 is -1, below the one before it, 0"),
        ([0, 1, 2], [0, 1.5, 2], "sessions: expected integers"),
        ([0, 1, 2], [[0, 2]], "sessions: expected integers"),
        ([0, 1, 2], "ab", "sessions: expected a 1-D array of integers, not <U2"),
        ([0, 1, 2], 2, "sessions: expected a 1-D array of integers, not int64"),
        ([0, 1, 2], np.array([0.0, 2.0]),
         "sessions: expected a 1-D array of integers, not float64"),
    ],
)  # fmt: skip
def test_offsets_that_are_refused(offsets: Any, sessions: Any, words: str) -> None:
    refused(lambda: rs.sdcg([1, 2], offsets=offsets, sessions=sessions), words)


def test_offsets_are_of_flat_labels() -> None:
    for labels in (ONE, np.array(ONE)):
        refused(
            lambda labels=labels: rs.sdcg(labels, offsets=[0, 1, 2], sessions=[0, 2]),
            "labels: with offsets the numbers must be in one flat list",
        )


SESSIONS = "ids: their sessions differ in length from those of the labels"
LENGTHS = "ids: their lists and the lists of the labels differ in length"
KINDS = ": expected only integers or only strings"


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([["a", "b"]], f"{LENGTHS}: 1 lists for 2"),
        ([["a"], ["b", "c"]], f"{LENGTHS}: query 1 has 1 for 2"),
        ([[["a", "b"], ["c"]]], f"{LENGTHS}: 1 lists for 2"),
        (np.array([[1, 2], [3, 4]]), f"{LENGTHS}: query 2 has 2 for 1"),
        (["a", "b", "c"], "ids: their shape differs from the shape of the labels"),
        ([[1, 2], ["c"]], f"ids: 'c' at query 2, rank 1{KINDS}"),
        ([[1, 2.5], [3]], f"ids: 2.5 at query 1, rank 2{KINDS}"),
        ([[True, 2], [3]], f"ids: True at query 1, rank 1{KINDS}"),
        ([[None, 2], [3]], f"ids: None at query 1, rank 1{KINDS}"),
        ("abc", "ids: expected a list of ids, got str"),
        ({}, "ids: expected a list of ids, got dict"),
        (5, "ids: expected a list or an array"),
        (
            [["a", "b"], ["b"]],
            "ids: the document at query 2, rank 1 has the label 1 there, but 2 where it was shown "
            "before",
        ),
        (
            [["a", "a"], ["b"]],
            "ids: the document at query 1, rank 2 has the label 2 there, but 1 where it was shown "
            "before",
        ),
    ],
    ids=str,
)
@pytest.mark.spec("RS-SES-1")
def test_ids_that_are_refused(ids: Any, words: str) -> None:
    refused(lambda: rs.sdcg([[1, 2], [1]], ids=ids, repeats="first"), words)
    refused(lambda: rs.nsdcg([[1, 2], [1]], ids=ids), words)


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([[["a", "b"]], [["a"], ["z"]]], SESSIONS),
        ([["a", "b"], ["a"], ["z"]], SESSIONS),
        ([[["a"], ["b", "a"]], [["z"]]], f"{LENGTHS}: session 0, query 1 has 1 for 2"),
        ([[["a", "b"], ["c"]], ["z"]], "ids: expected a list for each ranking, got 'z'"),
        ([[["a", "b"], ["a"]], [[7]]], f"ids: 7 at session 1, query 1, rank 1{KINDS}"),
        (
            [[["a", "b"], ["a"]], [["z"]]],
            None,
        ),
        (
            [[["a", "b"], ["b"]], [["z"]]],
            "ids: the document at session 0, query 2, rank 1 has the label 1 there, but 2 where it "
            "was shown before",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_ids_of_many_sessions_that_are_refused(ids: Any, words: str | None) -> None:
    labels = [[[1, 2], [1]], [[0]]]
    if words is None:  # the control
        assert rs.sdcg(labels, ids=ids, repeats="first", **PLAIN).tolist() == [3, 0]
    else:
        refused(lambda: rs.sdcg(labels, ids=ids, repeats="first"), words)


def test_an_array_of_ids_has_the_shape_of_the_labels() -> None:
    labels = np.ones((2, 2, 2))
    for shape in ((2, 4), (1, 4, 2), (4, 2), (2, 2, 1)):
        words = r"^ids: their (sessions|lists and the lists of the labels|shape) differ"
        with pytest.raises(rs.InputError, match=words):
            rs.sdcg(labels, ids=np.zeros(shape, int), repeats="first")


def test_which_documents_come_again_must_be_known() -> None:
    words = (
        'ids: there are none; repeats other than "every" asks which documents come again (RS-SES-1)'
    )
    for repeats in ("first", 0.5):
        refused(lambda repeats=repeats: rs.sdcg(ONE, repeats=repeats), words)
        refused(lambda repeats=repeats: rs.sDCG(repeats=repeats).of(ONE), words)
        refused(lambda repeats=repeats: rs.sdcg_vector(ONE, repeats=repeats), words)
        refused(lambda repeats=repeats: rs.certify.sdcg(ONE, repeats=repeats), words)


@pytest.mark.parametrize(
    ("labels", "judged", "words"),
    [
        (ONE, [[1]], "judged: a list of 1 pool for one session"),
        (ONE, [[1], [2]], "judged: a list of 2 pools for one session"),
        (ONE, 1, "judged: the array has 0 dimensions; expected 1 or 2"),
        (ONE, "a", "judged: expected a list of numbers, got str"),
        (ONE, {}, "judged: expected a list of numbers, got dict"),
        (ONE, [None], "judged: None at position 0 is not a number"),
        (ONE, [1, NAN], "judged: nan at position 1: a label must be finite"),
        (ONE, [1, -1], "judged: -1 at position 1: a label must not be negative"),
        (MANY, [2, 1], "judged: one pool for 2 sessions"),
        (MANY, [[1]], "judged: a list of 1 pool for 2 sessions"),
        (MANY, [[1], [2], [3]], "judged: a list of 3 pools for 2 sessions"),
        (MANY, [[1], [1, -1]], "judged: -1 at session 1, position 1: a label must not be negative"),
    ],
)
def test_judged_labels_that_are_refused(labels: Any, judged: Any, words: str) -> None:
    refused(lambda: rs.nsdcg(labels, judged=judged), words)


def test_judged_offsets() -> None:
    pools = rs.isdcg(MANY, judged=[[1], [2, 1]], check=False, k=2)
    found = rs.isdcg(MANY, judged=[1, 2, 1], judged_offsets=[0, 1, 3], check=False, k=2)
    assert found.tolist() == pools.tolist()
    refused(
        lambda: rs.nsdcg(MANY, judged=[1, 2, 1], judged_offsets=[0, 1, 2]),
        "judged_offsets: the last offset is 2, but there are 3 labels",
    )
    refused(
        lambda: rs.nsdcg(ONE, judged_offsets=[0, 1]),
        "judged_offsets: they need judged, which is not given",
    )


@pytest.mark.parametrize("k", [1, 4, 2**31, 2**62, 2**63 - 2])
def test_x_may_be_beyond_everything(k: int) -> None:
    assert rs.sdcg(ONE, k=k, **PLAIN) == (3 if k == 1 else ONES)
    given = {"judged": [3, 2], "check": False}
    assert rs.nsdcg(ONE, k=k, **given, discount="none", padding=0) > 0


@pytest.mark.parametrize(
    ("k", "words"),
    [
        (0, "X: the cut-off is 0; it must be at least 1"),
        (-1, "X: the cut-off is -1; it must be at least 1"),
        ([1, 0], "X: the cut-off is 0; it must be at least 1"),
        (1.5, "X: the cut-off is 1.5; it must be a whole number of at least 1"),
        (NAN, "X: the cut-off is nan; it must be a whole number of at least 1"),
        ("a", "X: the cut-off is 'a'; it must be a whole number of at least 1"),
        (True, "X: the cut-off is True; it must be a whole number of at least 1"),
        ({1}, "X: the cut-off is {1}; it must be a whole number of at least 1"),
        (2**63 - 1, f"X: the cut-off is {2**63 - 1}; it must be below 2^63 - 1"),
    ],
)
@pytest.mark.spec("RS-CONV-2")
def test_x_that_is_refused(k: Any, words: str) -> None:
    refused(lambda: rs.sdcg(ONE, k=k), words)


# ---- parameters ----------------------------------------------------------------------------


def base(b: Any, kind: str = "jarvelin-2008") -> str:
    return f"{kind}(b={b})"


@each(
    ("query_discount", "words"),
    [
        (base(1), "the base of jarvelin-2008(b=1) must be a finite number above 1"),
        (base(0.5), "the base of jarvelin-2008(b=0.5) must be a finite number above 1"),
        (base(-4), "the base of jarvelin-2008(b=-4) must be a finite number above 1"),
        (base(1000), "the base of jarvelin-2008(b=1000) must be above 1 and below 1000 (RS-SES-3)"),
        (base(2000), "the base of jarvelin-2008(b=2000) must be above 1 and below 1000 (RS-SES-3)"),
        (base("nan"), '"nan" is not a number'),
        (base("inf"), '"inf" is not a number'),
        (base("abc"), '"abc" is not a number'),
        ("abc", f'unknown name "abc"; expected one of {NAMES}, or weights of your own, '
         "[1, 0.5, 0.25]"),
        *(
            (x, f"{x} is neither a name nor a sequence of numbers; {DISCOUNTS}")
            for x in (4, None, NAN)
        ),
        ({1: 2}, "expected a sequence of the weights of query 1, 2, ..., got a mapping"),
        ([1], "weights for 1 queries are given, but a session has 2; give more weights"),
        ([0.5, 1], "the weight of query 2 is 1, above that of query 1, 0.5; weights must not rise"),
        ([1, -1], "the weight of query 2 is -1; it must not be negative"),
        ([1, NAN], "the weight of query 2 is nan; it must be a finite number"),
        (lambda q: q,
         "the weight of query 2 is 2, above that of query 1, 1; weights must not rise"),
        (lambda _: "a", "the weight of query 1 is 'a'; it must be a finite number"),
    ],
)  # fmt: skip
@pytest.mark.spec("RS-SES-3")
def test_a_discount_of_queries_that_is_refused(query_discount: Any, words: str) -> None:
    for function in (rs.sdcg, rs.nsdcg, rs.isdcg, rs.avg_sdcg, rs.query_sdcg, rs.sdcg_vector):
        refused(
            lambda f=function: f(ONE, query_discount=query_discount), f"query_discount: {words}"
        )


@pytest.mark.parametrize("b", ["1.0000000000000002", "1.5", "999.999", "999.9999999999999", "998"])
@pytest.mark.spec("RS-SES-3")
def test_bases_within_their_domain(b: str) -> None:
    """One query is not discounted; a second is, and never by all or by nothing."""
    assert rs.sdcg([[1]], query_discount=base(b)) == 1
    assert 1 < rs.sdcg([[1], [1]], query_discount=base(b)) < 2


def test_other_discounts_may_have_any_base() -> None:
    for kind in ("log", "jarvelin-2002", "jiang-2016"):
        assert rs.sdcg(ONE, discount="none", query_discount=base(1024, kind)) > 5
    assert rs.sdcg([[1], [0, 1]], discount=base(1024)) > 1.5  # of ranks: by 1/1.1


def test_functions_are_discounts() -> None:
    assert rs.sdcg(ONE, discount=lambda i: 1 / i, query_discount=lambda q: 1 / q) == 4.25
    assert rs.sdcg(MANY, discount="none", query_discount=lambda q: 2 - q).tolist() == [5, 2]
    found = rs.sdcg_vector(ONE, k=3, discount=lambda _: 1, query_discount=lambda q: 1 / q)
    assert found.tolist() == [3, 5, 5, 5, 5.5, 5.5]
    for pool in ([1, 1, 1, 1, 1], [1]):  # as deep as the pool
        given = {"judged": pool, "check": False}
        by_name = rs.nsdcg(ONE, **given, discount="zipf")
        assert rs.nsdcg(ONE, **given, discount=lambda i: Fraction(1, i)) == by_name
    refused(
        lambda: rs.sDCG(query_discount=lambda q: 1 / q),
        "query_discount: only functions that take the labels, like rs.dcg(), take a function of "
        f"the rank; a measure takes a name, or the weights of the ranks; {DISCOUNTS}",
    )


@each(
    ("parameter", "given", "words"),
    [
        *(
            ("repeats", x, f'expected "every", "first", or a number from 0 to 1, got {x!r}')
            for x in (2, -1, "twice", "0.5", 1.0000001, NAN, INF, None, [1], Decimal("NaN"))
        ),
        *(
            ("padding", x, f'expected "X", or the least number of ranks, 0 or more, got {x!r}')
            for x in (-1, 1.5, True, "x", "3", None, NAN, [1])
        ),
        ("ideal", "k", "unknown ideal session: 'k'; "
         'expected one of "repeated", "spread", "greatest"'),
        ("ideal", None, "unknown ideal session: None; "
         'expected one of "repeated", "spread", "greatest"'),
        (
            "ideal",
            "Repeated",
            "unknown ideal session: 'Repeated' (did you mean \"repeated\"?); expected one of "
            '"repeated", "spread", "greatest"',
        ),
        ("gain", [1, 0], "the gain of label 1 is 0, below that of label 0, 1; a higher label must "
         "not have a lower gain"),
    ],
)  # fmt: skip
def test_parameters_that_are_refused(parameter: str, given: Any, words: str) -> None:
    refused(lambda: rs.nsdcg(ONE, **{parameter: given}), f"{parameter}: {words}")
    refused(lambda: rs.nsDCG(**{parameter: given}), f"{parameter}: {words}")


@pytest.mark.spec("RS-SES-16")
def test_over_that_is_refused() -> None:
    words = '"mean", "sum", "best", "worst", "first", "last", "non-last"'
    for given in (None, 1, ["best"]):
        refused(
            lambda given=given: rs.query_sdcg(ONE, over=given),
            f"over: unknown way to combine the values of the queries: {given!r}; expected one of "
            f"{words}",
        )


@pytest.mark.spec("RS-SES-2")
def test_repeats_as_words_and_numbers_are_one() -> None:
    for word, numbers in (("every", (1, 1.0, True, Decimal(1))), ("first", (0, -0.0, False))):
        for number in numbers:
            assert rs.sDCG(repeats=number) == rs.sDCG(repeats=word)
            assert str(rs.sDCG(repeats=number)) == str(rs.sDCG(repeats=word))
    assert (
        rs.sDCG(repeats=Decimal("0.5")) == rs.sDCG(repeats=0.5) == rs.sDCG(repeats=Fraction(1, 2))
    )


@pytest.mark.spec("RS-SES-4")
def test_padding_beyond_x_is_x() -> None:
    for padding in (2, 3, np.int64(3), 2**70):
        assert rs.nsDCG(k=2, padding=padding).of(ONE) == rs.nsdcg(ONE, k=2)


def test_no_such_backend() -> None:
    refused(
        lambda: rs.sdcg(ONE, backend="gpu"),
        'unknown backend "gpu"; there are "auto", "c" and "reference"',
    )


# ---- vectors, and what is made of them -----------------------------------------------------


def test_vectors_are_of_one_session() -> None:
    for function in (rs.sdcg_vector, rs.isdcg_vector, rs.nsdcg_vector, rs.query_sdcg_vectors):
        refused(lambda f=function: f(MANY), "labels: expected one session, got several")
        refused(
            lambda f=function: f(ONE, k=[1, 2]),
            "X: the cut-off is [1, 2]; it must be a whole number of at least 1",
        )


@BACKENDS
def test_vectors_of_nothing(backend: str) -> None:
    for function in (rs.sdcg_vector, rs.isdcg_vector, rs.nsdcg_vector):
        assert function([], backend=backend).tolist() == []
        assert function([[], []], k=2, backend=backend).tolist() == [0, 0, 0, 0]
    assert rs.query_sdcg_vectors([], backend=backend) == []
    empty = rs.query_sdcg_vectors([[], []], backend=backend)
    assert [(v.dtype, v.tolist()) for v in empty] == [(np.float64, []), (np.float64, [])]


def test_a_vector_can_be_written_to() -> None:
    """It is the caller's own."""
    vector = rs.sdcg_vector(ONE)
    vector += 1
    assert rs.sdcg_vector(ONE).tolist() != vector.tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.avg_vect([]),
         "vectors: there are none; all vectors must have the same length (RS-SES-18)"),
        (lambda: rs.avg_vect([[1], [1, 2]]),
         "vectors: they have [1, 2] components; all vectors must have the same length "
         "(RS-SES-18)"),
        (lambda: rs.avg_vect(1), "vectors: expected a list of vectors, got 1"),
        (lambda: rs.avg_vect("ab"), "vectors: expected a list of vectors, got 'ab'"),
        (lambda: rs.avg_vect([1, 2]), "vectors: vector 1: expected a list of numbers, got 1"),
        (lambda: rs.avg_vect([[1], [NAN]]),
         "vectors: vector 2: component 1 is nan; it must be a finite number"),
        (lambda: rs.norm_vect([1], [1, 2]), "I: it has 2 components, but V has 1 (RS-SES-17)"),
        (lambda: rs.norm_vect("a", [1]), "V: expected a list of numbers, got 'a'"),
        (lambda: rs.norm_vect([1], {1}), "I: expected a list of numbers, got {1}"),
        (lambda: rs.norm_vect([INF], [1]), "V: component 1 is inf; it must be a finite number"),
        (lambda: rs.held([1, 2], 1),
         "n: expected a whole number from 2, the number of components, to 1000000, got 1 "
         "(RS-SES-19)"),
        (lambda: rs.held([1, 2], 2.5),
         "n: expected a whole number from 2, the number of components, to 1000000, got 2.5 "
         "(RS-SES-19)"),
        (lambda: rs.still_running(3, 1),
         "queries: expected a list of the numbers of queries, got 3"),
        (lambda: rs.still_running([1, 1.5], 1),
         "queries: session 1 has 1.5; expected a number of queries"),
        (lambda: rs.still_running([-1], 1),
         "queries: session 0 has -1; expected a number of queries"),
        (lambda: rs.still_running([1], 0),
         "q: expected a query number 1, 2, ..., got 0 (RS-SES-20)"),
        (lambda: rs.still_running([1], "a"),
         "q: expected a query number 1, 2, ..., got 'a' (RS-SES-20)"),
    ],
)  # fmt: skip
def test_what_vectors_are_made_of(call: Any, words: str) -> None:
    refused(call, words)


def test_arrays_of_vectors() -> None:
    assert rs.avg_vect(np.array([[0.0, 1.0], [1.0, 2.0]])).tolist() == [0.5, 1.5]
    assert rs.avg_vect(v for v in ([1], [2])).tolist() == [1.5]
    assert rs.norm_vect(np.array([1.0]), (4,)).tolist() == [0.25]
    assert rs.held(np.array([1, 2]), np.int64(3)).tolist() == [1, 2, 2]
    assert rs.held([], 2).tolist() == [0, 0]
    assert rs.still_running(np.array([1, 1, 3, 4]), 2) == 0.5
    assert rs.still_running([], 1) == 0


# ---- measures ------------------------------------------------------------------------------


def measures_of(metric: Any) -> list[Any]:
    """Measures with other parameters than the default, by themselves and together."""
    other = {
        "gain": [0, 1, 10, 100],
        "discount": "jiang-2016(b=2.5)",
        "query_discount": [1, 0.5, 0.25],
        "repeats": 0.5,
        "padding": 3,
        "ideal": "greatest",
        "over": "non-last",
    }
    own = {name: x for name, x in other.items() if name in metric.parameters}
    return [metric(), metric(k=3), metric(5, **own), *(metric(**{n: x}) for n, x in own.items())]


@ALL_METRICS
def test_a_measure_can_be_read_again(metric: Any) -> None:
    for measure in measures_of(metric):
        assert eval(repr(measure)) == measure  # noqa: S307
        assert rs.measures(str(measure)) == [measure]
        assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
        assert copy.deepcopy(measure) == copy.copy(measure) == measure
    assert pickle.loads(pickle.dumps(metric)) is metric  # noqa: S301
    assert copy.deepcopy(metric) is metric


@ALL_METRICS
def test_a_measure_its_function_and_its_certificate_agree(metric: Any) -> None:
    ids = [["a", "b"], ["c", "a"]]
    labels, function = [[1, 2], [3, 1]], getattr(rs, metric.function)
    for measure in measures_of(metric):
        given = dict(zip(metric.parameters, measure.choices, strict=True))
        value = measure.of(labels, ids=ids)
        assert function(labels, ids=ids, k=measure.k, **given) == value
        assert rs.certify.certified(measure, labels, ids=ids).value == value
        certified = getattr(rs.certify, metric.function)
        assert certified(labels, ids=ids, k=measure.k, **given).value == value
        assert measure.of([labels, labels], ids=[ids, ids]).tolist() == [value, value]


@ALL_METRICS
def test_a_measure_as_an_expression(metric: Any) -> None:
    pytest.importorskip("sympy", reason='sympy is not installed: pip install ".[test]"')
    labels = [[1, 2], [3, 1]]
    for measure in (metric(k=2), metric()):
        expression = getattr(rs.symbolic, metric.function)(labels, k=measure.k)
        assert rs.symbolic.of(measure, labels) == expression
        assert abs(float(expression.evalf(30)) - measure.of(labels)) < 1e-15 * abs(expression)


def test_labels_may_be_symbols() -> None:
    sympy = pytest.importorskip("sympy", reason='sympy is not installed: pip install ".[test]"')
    a, b, c = sympy.symbols("a b c")
    assert rs.symbolic.sdcg([[a, b], [c]]) == a + b / 2 + 2 * c / 3
    words = r"^nsDCG compares labels, but the order of these is unknown: "
    with pytest.raises(rs.InputError, match=words):
        rs.symbolic.nsdcg([[a], [b]])
    refused(lambda: rs.symbolic.sdcg([a, b]), "labels: query 1: expected a list of labels, got a")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.certify.sdcg(MANY), "certify: expected one session, got several"),
        (lambda: rs.certify.sdcg(ONE, scores=ONE),
         "certify: a session is already in the order shown; leave scores out"),
        (lambda: rs.certify.sdcg(ONE, judged=[1]),
         "judged: sDCG does not depend on judged labels; leave judged out (RS-CONV-3)"),
        (lambda: rs.UL2(rs.nsDCG(k=2)), "UL2: nsDCG is of a session, not of a ranking (RS-BND-1)"),
        (lambda: rs.nsDCG(k=2).of([1, 2]), f"labels: query 1 is 1; {LISTS}"),
        (lambda: rs.sDCG(k=2, X=2), "X: X and k both name the cut-off; give one of them"),
        (lambda: rs.sDCG(padding=0), "sDCG has no parameter 'padding'; it has gain, discount, "
         "query_discount, repeats and the cut-off @X"),
    ],
)  # fmt: skip
def test_what_is_not_of_sessions_is_refused(call: Any, words: str) -> None:
    refused(call, words)


def test_x_is_the_cut_off() -> None:
    assert rs.sDCG(X=2) == rs.sDCG(k=2)


# ---- names and help ------------------------------------------------------------------------


def test_every_name_is_there() -> None:
    names = dir(rs)
    for metric in SESSION_METRICS:
        assert {metric.name, metric.function} <= set(names)
        for module in (rs.certify, rs.symbolic):
            assert metric.function in dir(module)
            assert callable(getattr(module, metric.function))
    for name in rs._OF_SESSIONS:
        assert name in names
        assert getattr(rs, name) is getattr(functions, name)


def test_every_function_tells_its_arguments_and_its_spec() -> None:
    for name in rs._OF_SESSIONS:
        function = getattr(rs, name)
        assert "Spec: RS-SES-" in inspect.getdoc(function)
        assert inspect.signature(function).parameters


@ALL_METRICS
def test_help_tells_of_the_parameters(metric: Any) -> None:
    for parameter in metric.parameters.values():
        assert parameter.name in inspect.signature(metric).parameters
        assert parameter.name in metric.__doc__


def test_the_examples_of_the_functions() -> None:
    from rankspec.api import means  # loaded where it is asked for

    for module, number in ((functions, 14), (rs.api.metrics, 19), (rs.api.rankings, 4), (means, 1)):
        found = doctest.testmod(module)
        assert found.attempted >= number
        assert found.failed == 0


def test_the_functions_do_not_need_numpy_for_one_number() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; import rankspec as rs;"
        "print(rs.sdcg([[1], [1]], query_discount='jarvelin-2008(b=2)'))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "1.5", done.stderr
