"""What the API takes, in every form, and what it refuses, in which words."""

from __future__ import annotations

import io
import math
import re
from array import array
from collections import UserDict
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute.gain import discount
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import KNOWN

from ..each import each

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
LABELS = [3, 2, 3, 0, 1, 2]
# 6/log2(2), ... summed in a computer algebra system: the value of RS-DCG-6 for LABELS
NDCG_AT_10 = 0.9608081943360616

INTEGER_TYPES = [
    np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64,
    np.longlong, np.ulonglong, np.intp,
]  # fmt: skip
FLOAT_TYPES = [np.float16, np.float32, np.float64]


# ---- forms ---------------------------------------------------------------------------------


@each(
    "labels",
    [
        LABELS,
        tuple(LABELS),
        [float(x) for x in LABELS],
        [Fraction(x) for x in LABELS],
        [np.int32(x) for x in LABELS],
        array("i", LABELS),
        array("d", LABELS),
        memoryview(array("h", LABELS)),
        *[np.array(LABELS, dtype) for dtype in INTEGER_TYPES + FLOAT_TYPES],
        np.array(LABELS, ">i4"),
        np.array(LABELS, ">f8"),
        np.array(LABELS, object),
        np.array([3, 9, 2, 9, 3, 9, 0, 9, 1, 9, 2, 9])[::2],
        np.array(LABELS[::-1])[::-1],
        range(0),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
@BACKENDS
@pytest.mark.spec("RS-CONV-1")
def test_labels_in_every_form_give_the_same_value(labels, backend):
    expected = NDCG_AT_10 if len(labels) else 0.0
    assert rs.ndcg(labels, k=10, backend=backend) == expected


def test_read_only_labels_are_read_and_left_alone():
    labels = np.array(LABELS)
    labels.flags.writeable = False
    assert rs.ndcg(labels, k=10) == NDCG_AT_10
    assert labels.tolist() == LABELS


def test_booleans_are_labels_0_and_1():
    assert rs.precision(np.array([True, False, True]), k=2) == 0.5
    assert rs.precision([True, False, True], k=2) == 0.5


@each(
    "many",
    [
        {"labels": [[3, 2], [0, 1]]},
        {"labels": ([3, 2], (0, 1))},
        {"labels": [np.array([3, 2]), np.array([0, 1])]},
        {"labels": np.array([[3, 2], [0, 1]])},
        {"labels": np.asfortranarray([[3, 2], [0, 1]])},
        {"labels": np.array([[3, 7, 2], [0, 7, 1]])[:, ::2]},
        {"labels": [3, 2, 0, 1], "offsets": [0, 2, 4]},
        {"labels": np.array([3, 2, 0, 1]), "offsets": np.array([0, 2, 4], np.int32)},
        {"labels": np.array([3, 2, 0, 1]), "offsets": np.array([0, 9, 2, 9, 4])[::2]},
    ],
)
@BACKENDS
@pytest.mark.spec("RS-CONV-11")
def test_many_lists_in_every_form(many, backend):
    got = rs.dcg(**many, discount="none", backend=backend)
    assert isinstance(got, np.ndarray)
    assert got.dtype == np.float64
    assert got.tolist() == [5.0, 1.0]
    assert rs.dcg(**many, k=[1, 2], discount="none", backend=backend).tolist() == [[3, 5], [0, 1]]


def test_lists_may_be_empty():
    assert rs.dcg([[], [2], []]).tolist() == [0.0, 2.0, 0.0]
    assert rs.dcg([2], offsets=[0, 0, 1, 1]).tolist() == [0.0, 2.0, 0.0]
    assert rs.ndcg([[]], judged=[[1]]).tolist() == [0.0]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_batches_without_labels(shape):
    assert rs.ndcg(np.zeros(shape, int)).tolist() == [0.0] * shape[0]
    assert rs.ndcg(np.zeros(shape, int), k=[1, 2]).shape == (shape[0], 2)


def test_no_lists_give_an_empty_array():
    assert rs.ndcg([], offsets=[0]).tolist() == []


@BACKENDS
@pytest.mark.spec("RS-CONV-5")
def test_the_empty_list_has_the_value_0(backend):
    for metric in METRICS:
        function = getattr(rs, metric.function)
        one = metric.name.endswith("RBP_residual") or metric.name == "NumQ"
        nothing = 1.0 if one else 0.0
        assert function([], backend=backend) == nothing
        assert function([], k=5, backend=backend) == nothing


# ---- cut-offs ------------------------------------------------------------------------------


@BACKENDS
@pytest.mark.spec("RS-CONV-2")
def test_cutoffs_beyond_the_list(backend):
    assert rs.ndcg(LABELS, k=2**62, backend=backend) == rs.ndcg(LABELS, backend=backend)
    assert rs.ndcg(LABELS, k=2**63 - 2, backend=backend) == rs.ndcg(LABELS, backend=backend)
    assert rs.precision([1, 1], k=8, backend=backend) == 0.25


@BACKENDS
def test_several_cutoffs_keep_their_order_and_may_repeat(backend):
    got = rs.cg([1, 1, 1, 1], k=[3, 1, None, 3], backend=backend)
    assert got.tolist() == [3.0, 1.0, 4.0, 3.0]
    assert rs.cg([1, 1], k=[], backend=backend).tolist() == []
    assert rs.cg([1, 1], k=np.array([1, 2]), backend=backend).tolist() == [1.0, 2.0]
    assert rs.cg([1, 1], k=np.int64(1), backend=backend) == 1.0


@each("k", [0, -1, 1.5, "3", True, [2, 0], [1.5], math.nan, 2**63 - 1, 10**30])
@BACKENDS
@pytest.mark.spec("RS-CONV-2")
def test_cutoffs_that_are_none(k, backend):
    with pytest.raises(rs.InputError, match=r"^k: "):
        rs.ndcg(LABELS, k=k, backend=backend)


# ---- labels that are refused -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", [None, np.int8, np.int64, np.float32, np.float64])
@BACKENDS
@pytest.mark.spec("RS-CONV-1")
def test_negative_labels_have_no_gain(dtype, backend):
    labels = [[1, 2], [0, 3, -1]] if dtype is None else np.array([1, 2, 0, 3, -1], dtype)
    more = {} if dtype is None else {"offsets": [0, 2, 5]}
    with pytest.raises(rs.InputError, match=r"labels: -1\S* at list 1, position 2: .* negative"):
        rs.dcg(labels, backend=backend, **more)
    assert rs.precision(labels, k=1, backend=backend, **more).tolist() == [1.0, 0.0]


@each("bad", [math.nan, math.inf, -math.inf])
@each("name", [metric.function for metric in METRICS])
@each("dtype", [np.float32, np.float64])
@BACKENDS
@pytest.mark.spec("RS-CONV-1")
def test_labels_must_be_finite(bad, name, dtype, backend):
    refused = r"labels: \S+ at position 2: (a label must be finite|with max(_rel)?=4, \w+ takes)"
    with pytest.raises(rs.InputError, match=refused):
        getattr(rs, name)(np.array([1, 0, bad, 0], dtype), k=1, backend=backend)


@pytest.mark.parametrize("name", ["ndcg", "recall", "ap"])
@BACKENDS
def test_labels_of_the_pool_are_checked_too(name, backend):
    with pytest.raises(rs.InputError, match="judged: nan at position 1"):
        getattr(rs, name)([1.0], judged=[1.0, math.nan], backend=backend)


@BACKENDS
@pytest.mark.spec("RS-GAIN-2")
def test_the_largest_label_of_exp2(backend):
    assert rs.dcg([1023], gain="exp2", backend=backend) == 2.0**1023
    assert rs.dcg([1023, 1023, 1023], gain="exp2", backend=backend) == math.inf
    assert rs.ndcg([1023, 1023, 1023], gain="exp2", backend=backend) == 1.0
    with pytest.raises(rs.InputError, match='1024 at position 0: the gain "exp2" takes'):
        rs.dcg([1024], gain="exp2", backend=backend)


@BACKENDS
@pytest.mark.spec("RS-GAIN-3")
def test_labels_outside_a_gain_table(backend):
    for labels in ([0, 3], [0, 0.5]):
        with pytest.raises(rs.InputError, match="position 1: the gain table has the labels 0 to 2"):
            rs.dcg(labels, gain=[0, 1, 10], backend=backend)


NO_NUMBER = r"expected an integer below 2\^63 or a number that is exactly a double"


@each(
    ("labels", "message"),
    [
        ("321", "expected a list of numbers, got str"),
        (None, "expected a list of numbers, got NoneType"),
        ({1: 2}, "expected a list of numbers, got dict"),
        ([1, None], "None at position 1 is not a number"),
        ([1, "2"], "'2' at position 1 is not a number"),
        ([1, 2j], r"2j at position 1 is not a number|\(?2j"),
        ([1, Fraction(1, 3)], NO_NUMBER),
        ([1, Decimal("0.1")], NO_NUMBER),
        ([0.5, 2**53 + 1], "9007199254740993 at position 1: expected an integer below"),
        ([2**63 + 1], NO_NUMBER),
        (np.array([2**63], np.uint64), "9223372036854775808 at position 0; whole numbers must"),
        (np.array(["a"]), "unsupported type <U1"),
        (np.array([1j]), "unsupported type complex128"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
        (np.float64(3), "0 dimensions"),
        (5, "0 dimensions"),
        ([[1, 2], 3], "expected a list for each ranking, got 3"),
        ([1, [2]], "is not a number"),
        ([[[1]]], "is not a number"),
    ],
)
def test_labels_that_are_no_lists_of_numbers(labels, message):
    with pytest.raises(rs.InputError, match=message):
        rs.ndcg(labels)


@each(
    "wrong",
    [[1, 2, None], [1, 2, 2**63 + 1], np.array([1, 2, 2**63], np.uint64), [1, 2, float("nan")]],
)
@pytest.mark.spec("RS-CONV-11")
def test_what_is_wrong_in_flat_numbers_is_told_with_its_list(wrong):
    given = {"offsets": [0, 1, 3]}
    for name, call in {
        "labels": lambda: rs.dcg(wrong, **given),
        "scores": lambda: rs.dcg([1, 2, 3], scores=wrong, **given),
        "judged": lambda: rs.ndcg(
            [1, 1], offsets=[0, 1, 2], judged=wrong, judged_offsets=[0, 1, 3]
        ),
    }.items():
        with pytest.raises(rs.InputError, match=rf"{name}: \S+ at list 1, position 1"):
            call()
    for offsets in ([], [0], [0, 5], [0, 2, 1, 3], [3, 0]):
        with pytest.raises(rs.InputError, match=r"labels: None at position 1 is|^offsets: "):
            rs.dcg([1, None, 2], offsets=offsets)


class OwnDecimal(Decimal):
    pass


class LyingFloat(float):
    def __float__(self):
        return 99.0

    def __eq__(self, _):
        return False

    __hash__ = float.__hash__


@each("backend", ["auto", "reference"])
@pytest.mark.spec("RS-CONV-29")
def test_of_a_subclass_of_a_number_the_number_counts(backend):
    run = {"q": {"a": OwnDecimal("0.5"), "b": LyingFloat(0.25), "c": 0.375}}
    given = {"measures": "DCG", "backend": backend}
    qrels = {"q": {"a": 4, "c": OwnDecimal("0.5"), "b": LyingFloat(0.25)}}
    plain = {"q": {"a": 0.5, "b": 0.25, "c": 0.375}}
    as_floats = {"q": {"a": 4, "c": 0.5, "b": 0.25}}
    assert rs.evaluate(qrels, run, **given) == rs.evaluate(as_floats, plain, **given)


class Twice(UserDict):
    def items(self):
        return [("a", 1), ("b", 1), ("a", 2)]


@each("backend", ["auto", "reference"])
@pytest.mark.spec("RS-CONV-10")
def test_a_mapping_with_a_key_twice_is_refused(backend):
    for given in (({"q": Twice()}, {"q": {"a": 1}}), ({"q": {"a": 1}}, {"q": Twice()})):
        with pytest.raises(rs.InputError, match=": the Twice has the key 'a' twice"):
            rs.evaluate(*given, "RR", backend=backend)


@each("backend", ["auto", "reference"])
@each(("other", "refused"), [(0.5, True), (2**64, True), (-0.5, False), (3, False)])
@pytest.mark.spec("RS-CONV-1")
def test_labels_of_all_queries_are_of_one_type(backend, other, refused):
    qrels = {"q": {"a": 2**53 + 1}, "p": {"b": other}}
    given = {"measures": f"P(rel={2**53 + 1})@1", "backend": backend}
    if refused:
        with pytest.raises(rs.InputError, match="the label 9007199254740993 is not a double, and"):
            rs.evaluate(qrels, {"q": {"a": 1}}, **given)
    else:
        assert rs.evaluate(qrels, {"q": {"a": 1}}, **given).per_query[given["measures"]]["q"] == 1


@BACKENDS
@pytest.mark.spec("RS-CONV-1")
def test_large_labels_are_exact(backend):
    """2^53 + 1 is no double, but it is a label."""
    assert rs.cg([2**53 + 1], backend=backend) == 2.0**53
    assert rs.cg([2**53 + 1, 1], backend=backend) == 2.0**53 + 2
    assert rs.certify.ndcg([2**53, 2**53 + 1]).upper < 1
    assert rs.ndcg([10**9, 0, 10**9], k=1, backend=backend) == 1.0
    assert rs.precision([2**62], rel=2**62, k=1, backend=backend) == 1.0
    assert rs.precision([2**53], rel=2**53 + 1, k=1, backend=backend) == 0.0


@BACKENDS
def test_negative_zero_is_zero(backend):
    assert rs.dcg([-0.0, 1.0], backend=backend) == rs.dcg([0, 1], backend=backend)
    assert math.copysign(1, rs.dcg([-0.0], backend=backend)) == 1.0


# ---- offsets, scores, ids, pools ----------------------------------------------------------


@each(
    ("offsets", "message"),
    [
        ([], "the first offset must be 0"),
        ([1, 3], "the first offset must be 0"),
        ([0, 2], "the last offset is 2, but there are 3 labels"),
        ([0, 4], "offset 1 is 4, but there are 3 labels"),
        ([0, 2, 1, 3], "offset 2 is 1, below the one before it, 2"),
        ([0, -1, 3], "offset 1 is -1, below"),
        ([0, 2**62, 3], "offset 1 is 4611686018427387904, but there are 3"),
        ([0.0, 3.0], "expected integers"),
        (["0"], "expected integers"),
        (np.array([0.0, 3.0]), "expected a 1-D array of integers"),
        (np.array([[0], [3]]), "1-D"),
    ],
)
@BACKENDS
@pytest.mark.spec("RS-CONV-11")
def test_offsets_that_do_not_fit(offsets, message, backend):
    with pytest.raises(rs.InputError, match=f"^offsets: .*{message}"):
        rs.ndcg([1, 2, 3], offsets=offsets, backend=backend)
    lists = {"labels": [0] * (len(offsets) - 1), "offsets": range(max(1, len(offsets)))}
    if len(offsets):
        with pytest.raises(rs.InputError, match=f"^judged_offsets: .*{message}"):
            rs.ndcg(**lists, judged=[1, 2, 3], judged_offsets=offsets, backend=backend)


def test_offsets_need_flat_labels():
    with pytest.raises(rs.InputError, match="flat"):
        rs.ndcg([[1], [2]], offsets=[0, 1, 2])


@BACKENDS
@pytest.mark.spec("RS-CONV-6")
def test_scores_that_are_refused(backend):
    for bad in (math.nan, math.inf, -math.inf):
        with pytest.raises(rs.InputError, match=r"scores: .* at position 1: .* finite"):
            rs.ndcg([1, 2], scores=[0.5, bad], backend=backend)
    words = "scores: 1 numbers for 2 labels; expected one per label"
    with pytest.raises(rs.InputError, match=words):
        rs.ndcg([1, 2], scores=[0.5], backend=backend)
    words = "scores: their lists and the lists of the labels differ in length"
    with pytest.raises(rs.InputError, match=words):
        rs.ndcg([[1], [2, 3]], scores=[[0.5, 0.5], [1.0]], backend=backend)


LISTS = [[1, 2], [3, 2, -1], [0]]
BY = [[1, 2], [3, 2, 9], [0]]  # the last of the second list stands first
FLAT = {"offsets": [0, 2, 5, 6]}
SQUARE = np.array([[1, 2, 0], [3, 2, -1]])
AT = {
    "labels: -1 at position 2: ": [
        ([3, 2, -1], {"scores": [3, 2, 9]}),
        ([3, 2, -1], {"scores": [3, 2, 9], "ids": ["a", "b", "c"]}),
        ([3, 2, -1], {"scores": [3, 9, 9], "ties": "best"}),
        ([3, 2, -1], {"scores": np.array([3.0, 2, 9]), "judged": [3, 2, 1]}),
    ],
    "labels: -1 at list 1, position 2: ": [
        (LISTS, {"scores": BY}),
        (LISTS, {"scores": BY, "ids": [["a", "b"], ["c", "d", "e"], ["f"]]}),
        ([1, 2, 3, 2, -1, 0], {"scores": [1, 2, 3, 2, 9, 0], **FLAT}),
        (SQUARE, {"scores": np.array([[1, 2, 3], [3, 2, 9]])}),
        (SQUARE, {"scores": SQUARE * -1.0}),
    ],
    "labels: 'x' at list 1, position 0 is not a number": [([[1, 2], ["x"]], {})],
    "judged: -1 at list 1, position 2: ": [([[1], [1]], {"judged": [[1], [1, 0, -1]]})],
    "judged: None at list 1, position 0 is not a number": [
        ([[1], [1]], {"judged": [[1], [None]]})
    ],
    "scores: nan at list 1, position 1: ": [
        ([[1], [1, 1]], {"scores": [[1], [1, math.nan]]}),
        ([1, 1, 1], {"scores": [1, 1, math.nan], "offsets": [0, 1, 3]}),
    ],
    "scores: 'y' at list 1, position 1 is not a number": [
        ([[1], [1, 1]], {"scores": [[1], [1, "y"]]})
    ],
    "scores: .* of the labels differ in length: list 1 has 1 for 2": [
        ([[1], [1, 1]], {"scores": [[1], [1]]})
    ],
    "scores: .* of the labels differ in length: 1 lists for 2": [
        ([[1], [1]], {"scores": [[1, 1]]})
    ],
    "ids: .* of the labels differ in length: list 1 has 1 for 2": [
        ([[1], [1, 1]], {"scores": [[1], [1, 1]], "ids": [["a"], ["b"]]})
    ],
    "ids: 1.5 at list 1, position 1: expected only integers or only strings": [
        ([[1], [1, 1]], {"scores": [[1], [1, 1]], "ids": [[1], [2, 1.5]]})
    ],
    r"ids: '\\ud800' at position 1 cannot be encoded in UTF-8": [
        ([1, 1], {"scores": [1, 1], "ids": ["a", "\ud800"]})
    ],
    "labels: 9223372036854775808 at list 1, position 0; whole numbers must be below 2": [
        (np.array([[1, 2], [2**63, 3]], np.uint64), {})
    ],
    "labels: .*, the first at list 1, position 1$": [
        (np.ma.array([[1, 2], [1, 2]], mask=[[0, 0], [0, 1]]), {})
    ],
}  # fmt: skip


MANY = [0, 1, 2, 3, 4] * 3  # of which three times five labels have 168168000 orders
VALUES = {  # errors that only the value of a list finds
    "labels: 2 at position 0 is above the highest label of the pool, 1; ": [
        ("nerr8", [2, 0, 1], {"scores": [1, 2, 3], "judged": [1]}),
        ("inst", [2, 0, 1], {"judged": [1]}),
    ],
    "labels: 2 at list 1, position 0 is above the highest label of the pool, 1; ": [
        ("nerr8", [[1], [2, 0, 1]], {"scores": [[1], [1, 2, 3]], "judged": [[1], [1]]}),
        ("inst", [[1], [2, 0, 1]], {"judged": [[1], [1]]}),
    ],
    "documents: list 1: 5 is too small: the list and ": [
        ("utility", [[1], [1, 0, 0, 0, 0, 0]], {"documents": 5}),
        ("utility", [[1], [0, 0, 0, 0, 0, 1]], {"documents": 5, "k": 1, "scores": [[1], [1] * 6]}),
    ],
    "scores: 3 numbers for 2 labels; expected one per label": [
        ("ndcg", [1, 0], {"offsets": [0, 1, 2], "scores": [1, 2, math.nan]}),
    ],
    "ties: BPM has no closed form ": [("bpm", MANY, {"scores": [1] * 15})],
    "ties: list 1: BPM has no closed form ": [("bpm", [[1], MANY], {"scores": [[1], [1] * 15]})],
}  # fmt: skip


@BACKENDS
@pytest.mark.spec("RS-CONV-11")
def test_errors_of_values_name_the_list(backend):
    for words, calls in VALUES.items():
        for function, labels, given in calls:
            more = {"max_rel": "pool"} if function in ("nerr8", "inst") else {}
            with pytest.raises(rs.InputError) as refused:
                getattr(rs, function)(labels, **given, **more, check=False, backend=backend)
            assert str(refused.value).startswith(words), f"{labels}, {given}: {refused.value}"
    words = "labels: 2 at rank 3 is above the highest label of the pool, 1; "
    own = {"scores": [1, 2, 3], "judged": [1], "max_rel": "pool", "check": False}
    with pytest.raises(rs.InputError, match=words) as refused:
        rs.certify.nerr8([2, 0, 1], **own)
    assert type(refused.value) is rs.InputError
    nan = {"judged": [math.nan, 1.0], "k": [], "backend": backend}
    assert list(rs.ndcg([1.0, math.nan], **nan)) == []


@BACKENDS
@pytest.mark.spec("RS-CONV-6", "RS-CONV-11")
def test_positions_in_errors_are_those_of_the_input(backend):
    for words, calls in AT.items():
        for labels, given in calls:
            case = f"{labels}, {given}"
            with pytest.raises(rs.InputError) as refused:
                rs.ndcg(labels, **given, backend=backend)
            assert re.match(words, str(refused.value)), f"{case}: {refused.value}"
    at = "unjudged: the flag at list 1, position 0 is 2; expected 0 or 1"
    with pytest.raises(rs.InputError, match=at):
        rs.rbp_residual([[1], [0]], unjudged=[[0], [2]], backend=backend)
    for call in (rs.certify.ndcg, partial(rs.UL2(rs.nDCG()).of, backend=backend)):
        with pytest.raises(rs.InputError, match="labels: -1 at position 2: "):
            call([3, 2, -1], scores=[3, 2, 9])


@BACKENDS
@pytest.mark.spec("RS-CAS-6", "RS-EXP-16")
def test_what_is_unjudged_is_ordered_with_the_labels(backend):
    """The item with the highest score is the one that nobody judged; then it is one of two."""
    first = rs.rbp_residual([0, 1, 0], unjudged=[0, 0, 1], scores=[1, 2, 3], p=0.5, backend=backend)
    assert first == 0.5 + 0.5**3
    tied = rs.rbp_residual([0, 1, 0], unjudged=[0, 0, 1], scores=[1, 2, 2], p=0.5, backend=backend)
    assert tied == (0.5 + 0.25) / 2 + 0.5**3


@BACKENDS
@pytest.mark.spec("RS-TIE-2", "RS-TIE-2/L2", "RS-CONV-38", "RS-PREC-15")
def test_what_is_unjudged_is_below_every_label(backend):
    """Whatever label stands where the flag does: last by the rule "best", first by "worst"."""
    for label in (5, 0, -7):
        given = {"scores": [1, 1, 1], "unjudged": [1, 0, 0], "backend": backend}
        worst, best = (rs.bpref([label, -1, 2], k=1, ties=t, **given) for t in ("worst", "best"))
        assert (worst, best) == (0.0, 1.0), label
        given = {"scores": [1, 1], "unjudged": [1, 0], "backend": backend, "p": 0.5}
        worst, best = (rs.rbp_residual([label, -9], ties=t, **given) for t in ("worst", "best"))
        assert (worst, best) == (0.75, 0.5), label


@BACKENDS
@pytest.mark.spec("RS-CONV-11", "RS-PREC-15")
def test_there_is_a_flag_for_each_label(backend):
    for flags in ([1, 0], [1, 0, 0, 0], [], np.zeros(4, np.uint8)):
        for given in ({}, {"scores": [1, 1, 1]}, {"scores": [1, 2, 3], "ties": "best"}):
            for function in (rs.bpref, rs.rbp_residual):
                words = f"^unjudged: {len(flags)} numbers for 3 labels; expected one per label"
                with pytest.raises(rs.InputError, match=words):
                    function([1, 0, 1], offsets=[0, 2, 3], unjudged=flags, backend=backend, **given)


@BACKENDS
@pytest.mark.spec("RS-CONV-6", "RS-TIE-1")
def test_scores_of_negative_zero_and_zero_are_equal(backend):
    assert rs.dcg([0, 1], scores=[0.0, -0.0], ties="best", backend=backend) == 1.0
    assert rs.dcg([0, 1], scores=[-0.0, 0.0], ties="worst", k=1, backend=backend) == 0.0


@BACKENDS
@pytest.mark.spec("RS-TIE-1", "RS-TIE-2")
def test_scores_of_every_type_order_alike(backend):
    expected = rs.cg([5, 0, 7], scores=[1, 3, 2], k=2)
    for dtype in INTEGER_TYPES + FLOAT_TYPES:
        scores = np.array([1, 3, 2], dtype)
        assert rs.cg([5, 0, 7], scores=scores, k=2, backend=backend) == expected == 7.0
    big = [2**62, 2**62 + 1]  # equal as doubles
    assert rs.cg([0, 1], scores=big, k=1, backend=backend) == 1.0


@BACKENDS
def test_scores_beside_flat_labels_use_their_offsets(backend):
    got = rs.cg([1, 0, 0, 1], scores=[1, 2, 1, 2], offsets=[0, 2, 4], k=1, backend=backend)
    assert got.tolist() == [0.0, 1.0]


@BACKENDS
@pytest.mark.spec("RS-TIE-2")
def test_ids_order_ties(backend):
    tied = {"scores": [1, 1, 1], "k": 1, "backend": backend}
    for ids in ([1, 3, 2], ["a", "c", "b"], np.array([10, 30, 20]), ["a", "ä", "b"]):
        assert rs.cg([1, 2, 4], ids=ids, **tied) == 2.0
        assert rs.cg([1, 2, 4], ids=ids, ties="id-ascending", **tied) == 1.0
    assert rs.cg([1, 2, 4], ids=["a", "a", "a"], **tied) == 1.0  # equal ids: input order
    assert rs.cg([1, 2, 4], **tied) == 7 / 3
    assert rs.cg([1, 2, 4], ties="input", **tied) == 1.0


@BACKENDS
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ids": [1]}, "ids: expected one for each of the 2 labels, got 1"),
        ({"ids": [1, "a"]}, "only integers or only strings"),
        ({"ties": "id-ascending"}, '"id-ascending" orders by ids, but ids is not given'),
        ({"ties": "random"}, 'unknown rule "random"'),
    ],
)
def test_ids_and_ties_that_are_refused(arguments, message, backend):
    with pytest.raises(rs.InputError, match=message):
        rs.ndcg([1, 2], scores=[1, 1], backend=backend, **arguments)


def test_ids_and_ties_need_scores():
    with pytest.raises(rs.InputError, match="items of equal score, but scores is not given"):
        rs.ndcg([1, 2], ids=[1, 2])
    with pytest.raises(rs.InputError, match="items of equal score, but scores is not given"):
        rs.ndcg([1, 2], ties="best")


@BACKENDS
@pytest.mark.spec("RS-CONV-3")
def test_pools_that_do_not_fit(backend):
    with pytest.raises(rs.InputError, match="judged: 1 lists for one ranking"):
        rs.ndcg([1, 2], judged=[[1, 2]], backend=backend)
    with pytest.raises(rs.InputError, match="judged: one ranking for 2 lists"):
        rs.ndcg([[1], [2]], judged=[1, 2], backend=backend)
    with pytest.raises(rs.InputError, match="judged: 3 lists for 2 lists"):
        rs.ndcg([[1], [2]], judged=[[1], [2], [3]], backend=backend)
    with pytest.raises(rs.InputError, match="judged_offsets: they need judged, which is not given"):
        rs.ndcg([1, 2], judged_offsets=[0, 2], backend=backend)
    assert rs.ndcg([1], judged=np.array([2.5, 1]), k=1, backend=backend) == 0.4


# ---- gains, discounts and other parameters --------------------------------------------------


@each(
    ("arguments", "message"),
    [
        ({"gain": "cubic"}, 'unknown gain "cubic"'),
        ({"gain": []}, "at least the gain of label 0"),
        ({"gain": [1, 0]}, "a higher label must not have a lower gain"),
        ({"gain": [-1, 0]}, "must not be negative"),
        ({"gain": [0, math.nan]}, "must be a finite number"),
        ({"gain": {0: 0, 2: 1}}, "every label from 0 to its highest"),
        ({"discount": "log1"}, "a finite number above 1"),
        ({"discount": "log(b=1)"}, "a finite number above 1"),
        ({"discount": "log(b=inf)"}, '"inf" is not a number'),
        ({"discount": "log(b=1e999)"}, "a finite number above 1"),
        ({"discount": "log(b=x)"}, '"x" is not a number'),
        ({"discount": "sqrt"}, 'discount: unknown name "sqrt"'),
        ({"discount": [1.0, 2.0]}, "weights must not rise"),
        ({"discount": [1.0, -1.0]}, "must not be negative"),
        ({"discount": [1.0, math.inf]}, "must be a finite number"),
        ({"discount": [1.0, 0.5]}, "weights for 2 ranks are given, but rank 6 needs one"),
        ({"discount": lambda _: math.nan}, "must be a finite number"),
        ({"backend": "gpu"}, 'unknown backend "gpu"'),
    ],
)
def test_gains_and_discounts_that_are_refused(arguments, message):
    with pytest.raises(rs.InputError, match=message):
        rs.ndcg(LABELS, **arguments)


def test_relevance_and_normalisers_that_are_refused():
    with pytest.raises(rs.InputError, match=r"rel: .* finite"):
        rs.ap(LABELS, rel=math.nan)
    with pytest.raises(rs.InputError, match="norm: unknown normaliser of AP: 'mean'"):
        rs.ap(LABELS, norm="mean")
    for wrong in ("n", None, 10, ["k"]):
        words = r'ideal: unknown cut-off of the ideal: .*; expected one of "k", "all"'
        with pytest.raises(rs.InputError, match=words):
            rs.ndcg(LABELS, ideal=wrong)
    for text in ("nDCG(ideal='n')@5", "nDCG(ideal=5)@5"):
        with pytest.raises(
            rs.InputError, match=r'measure ".*": ideal: unknown cut-off of the ideal: '
        ):
            rs.measures(text)


@BACKENDS
@pytest.mark.spec("RS-DISC-5")
def test_weights_are_needed_only_as_deep_as_they_count(backend):
    assert rs.dcg([1, 1, 1], discount=[1, 0.5], k=2, backend=backend) == 1.5
    assert rs.dcg([1, 1], discount=[1, 0.5, 0.25], k=9, backend=backend) == 1.5
    assert rs.dcg([1, 1], discount=lambda i: 1 / i, backend=backend) == 1.5
    assert rs.dcg([0, 7], discount=[1, 0], backend=backend) == 0.0
    assert rs.dcg([0, 7], discount=discount("none"), backend=backend) == 7.0


@BACKENDS
@pytest.mark.spec("RS-DISC-5", "RS-DCG-7")
def test_an_ideal_that_is_not_cut_needs_weights_for_the_whole_pool(backend):
    given = {"k": 2, "discount": [1, 0.5], "backend": backend}
    assert rs.ndcg([1, 1, 0], judged=[1, 1], ideal="all", **given) == 1.0
    assert rs.ndcg([1], judged=[1, 1, 1], ideal="k", **given) == 1 / 1.5
    refusal = "weights for 2 ranks are given, but rank 3 needs one, too; give more weights$"
    with pytest.raises(rs.InputError, match=refusal):
        rs.ndcg([1], judged=[1, 1, 1], ideal="all", **given)
    with pytest.raises(rs.InputError, match=refusal):
        rs.ndcg([1, 1, 1], ideal="all", **given)
    by_function = {"k": 1, "discount": lambda i: 1 / i, "backend": backend}
    assert rs.ndcg([1], judged=[1, 1], ideal="all", **by_function) == 1 / 1.5


@BACKENDS
@pytest.mark.spec("RS-DISC-5", "RS-NUM-7")
def test_weights_of_very_different_size(backend):
    """Weights that are nothing beside the first one, in fixed point, are not nothing."""
    weights = [1.0, 2.0**-200, 5e-324]
    assert rs.dcg([0, 1, 0], discount=weights, backend=backend) == 2.0**-200
    assert rs.dcg([0, 0, 1], discount=weights, backend=backend) == 5e-324
    assert rs.ndcg([0, 1, 1], discount=weights, backend=backend) == 2.0**-200
    assert rs.dcg([0, 1, 0], scores=[3, 1, 1], discount=weights, backend=backend) == 2.0**-201


@BACKENDS
@pytest.mark.spec("RS-NUM-1")
def test_the_ends_of_the_range_of_a_double(backend):
    tiny, huge = 5e-324, 1.7976931348623157e308
    assert rs.cg([tiny, tiny], backend=backend) == 1e-323
    assert rs.dcg([tiny, 0.0], discount=[0.5, 0.5], backend=backend) == 0.0  # a tie, to even
    assert rs.dcg([tiny, tiny], discount=[0.5, 0.5], backend=backend) == tiny
    assert rs.cg([huge, huge], backend=backend) == math.inf
    assert rs.ndcg([huge, huge], backend=backend) == 1.0
    assert rs.ndcg([tiny, huge], k=1, backend=backend) == 0.0  # 2.7e-632 rounds to 0


def test_vectors():
    # CG' of the appendix of jarvelin-2008
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    assert rs.cg_vector(gains).tolist() == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    assert rs.dcg_vector([]).tolist() == []
    with pytest.raises(rs.InputError, match="one ranking"):
        rs.dcg_vector([[1], [2]])


@pytest.mark.spec("RS-NUM-5")
def test_means():
    assert rs.mean([]) == 0.0
    assert rs.mean(iter([0.1] * 10)) == 0.1
    assert rs.mean([1e308, 1e308, -1e308]) == 1e308 / 3
    assert rs.mean(np.array([0.5, 0.25])) == 0.375
    with pytest.raises(rs.InputError, match="the value at position 1 is nan"):
        rs.mean([0.0, math.nan])


# ---- forms that other libraries bring -------------------------------------------------------


@BACKENDS
@pytest.mark.parametrize("labels", [np.array([True, False, True]), [True, False, True]])
@pytest.mark.spec("RS-CONV-1")
def test_booleans_can_be_ordered_by_scores(labels, backend):
    assert rs.rr(labels, scores=[1, 3, 2], backend=backend) == 0.5
    assert rs.certify.rr(labels, scores=[1, 3, 2]).exact == Fraction(1, 2)


@BACKENDS
def test_ids_of_many_kinds(backend):
    tied = {"scores": [1, 1], "k": 1, "backend": backend}
    for ids in (("a", "b"), np.array(["a", "b"]), np.array(["a", "b"], object), np.array([1, 2])):
        assert rs.cg([1, 2], ids=ids, **tied) == 2.0
    batch = {"scores": [[1, 1], [1]], "backend": backend}
    assert rs.cg([[1, 2], [3]], ids=[["a", "b"], ["c"]], k=1, **batch).tolist() == [2.0, 3.0]


@each(
    "ids",
    [
        [1, 1.5], [math.nan, math.nan], [None, None], [True, False], [b"a", b"b"], "ab", {1, 2}, 5,
        [["a", "b"]], [1, "a"], {"a": 1, "b": 2},
    ],
)  # fmt: skip
@BACKENDS
@pytest.mark.spec("RS-TIE-2")
def test_ids_that_order_nothing(ids, backend):
    with pytest.raises(rs.InputError, match=r"^ids: "):
        rs.cg([1, 2], scores=[1, 1], ids=ids, backend=backend)


@BACKENDS
def test_ids_and_scores_have_the_shape_of_the_labels(backend):
    labels, scores = [[0, 1], [1, 0]], [[1, 1], [1, 1]]
    words = "^ids: their lists and the lists of the labels differ in length"
    with pytest.raises(rs.InputError, match=words):
        rs.rr(labels, scores=scores, ids=[["a", "b", "a"], ["b"]], backend=backend)
    with pytest.raises(rs.InputError, match=r"^ids: their shape"):
        rs.rr(labels, scores=scores, ids=["a", "b", "a", "b"], backend=backend)
    with pytest.raises(rs.InputError, match=r"^scores: their shape"):
        rs.rr([[0, 1], [1]], scores=[1, 2, 3], backend=backend)


def test_masked_elements_are_refused():
    masked = np.ma.array([1, 2, 0], mask=[0, 1, 0])
    with pytest.raises(rs.InputError, match="masked"):
        rs.ndcg(masked)
    with pytest.raises(rs.InputError, match="masked"):
        rs.ndcg([1, 2, 0], scores=masked)
    assert rs.ndcg(np.ma.array([1, 2, 0])) == rs.ndcg([1, 2, 0])


def test_unaligned_arrays_are_read():
    unaligned = np.frombuffer(b"\0" + np.array([1.0, 2.0]).tobytes(), np.uint8)[1:].view(float)
    assert not unaligned.flags.aligned
    assert rs.cg(unaligned) == 3.0


@each(
    ("call", "what"),
    [
        (lambda: rs.ndcg([1], gain=None), "gain: "),
        (lambda: rs.ndcg([1], gain=5), "gain: "),
        (lambda: rs.ndcg([1], gain=lambda r: r),
         "^gain: a function does not serve as a gain; give a list of its"),
        (lambda: rs.DCG(gain=lambda r: r),
         "^gain: a function does not serve as a gain; give a list of its values"),
        (lambda: rs.sdcg([[1]], gain=abs), r"\[g\(0\), g\(1\), g\(2\)\]; expected \"linear"),
        (lambda: rs.evaluate({}, {}, "DCG", gain=lambda r: r),
         "^gain: a function does not serve as a gain; give a "),
        (lambda: rs.ndcg([1], gain=7), '^gain: 7 is neither a name .*; expected "linear", "exp2"'),
        (lambda: rs.DCG(discount=lambda i: i),
         'only functions that take the labels.*; there are "log2".*, or the we'),
        (lambda: rs.dcg([1], discount=7), '7 is neither .*; there are "log2".* ranks? 1, 2, ...: '),
        (lambda: rs.ldcg([1], prior=7), 'there are "discount", "uniform", "log2".*, or the weigh'),
        (lambda: rs.err([1], stop=lambda g: g),
         r"^stop: expected a list .*, as \[0, 0.3, 0.9\].*, got a function$"),
        (lambda: rs.gap([1], q=lambda j: j),
         r"^q: expected a list of .*, as \[0.5, 0.5\], got a function$"),
        (lambda: rs.rbp([1], p=lambda: 0.5),
         "^p: the probability to go on is a function; it must"),
        (lambda: rs.ap([1], norm=lambda: 1),
         '^norm: unknown normaliser of AP: a function; expected one of "R"'),
        (lambda: rs.ndcg([1], gain={0, 1}), "gain: "),
        (lambda: rs.ndcg([1], gain=b"01"), "gain: "),
        (lambda: rs.ndcg([1], gain=[0, 10**400]), "gain: .* beyond the range"),
        (lambda: rs.ndcg([1], gain=[0, Fraction(1, 2**2000)]), "gain: .* beyond the range"),
        (lambda: rs.ndcg([1], gain=[0, 10**5000]), "gain: .* beyond the range"),
        (lambda: rs.ndcg([1], discount=None), "discount: "),
        (lambda: rs.ndcg([1], discount=5), "discount: "),
        (lambda: rs.ndcg([1, 1], discount={2: 0.5, 1: 1}),
         "discount: expected a sequence .*, got a mapping"),
        (lambda: rs.ndcg([1], discount="log(b=1_0)"), "discount: "),
        (lambda: rs.ndcg([1], k=np.array([[1, 2]])), "k: "),
        (lambda: rs.ndcg([1], k=b"1"), "k: "),
        (lambda: rs.ndcg([1], k={1, 2}), "k: "),
        (lambda: rs.ndcg([1], k=10**5000), "k: "),
        (lambda: rs.ndcg([10**5000]), "labels: "),
        (lambda: rs.ndcg(x for x in [1]), "labels: expected a list, got generator"),
        (lambda: rs.ndcg([1], scores=[1], ties=[]), r"ties: unknown rule \[\]"),
        (lambda: rs.ndcg([1], rel=1), "rel"),
        (lambda: rs.mean(None), "values: "),
        (lambda: rs.mean("12"), "values: "),
        (lambda: rs.mean([None]), "values: the value at position 0 is None"),
        (lambda: rs.mean([1j]), "values: "),
        (lambda: rs.mean([10**400]), "values: "),
        (lambda: rs.mean([2**53 + 1]), "values: "),
        (lambda: rs.mean(np.ones((2, 2))), "values: "),
        (lambda: rs.certify.ndcg([1], digits=1.5), "digits: "),
        (lambda: rs.certify.ndcg([1], digits=0), "digits: "),
        (lambda: rs.certify.idcg([1], judged=[5]), "judged: "),
        (lambda: rs.certify.cg([1], judged=[5]), "judged: "),
        (lambda: rs.certify.cg([1], unjudged=[0]), "unjudged: "),
        (lambda: rs.certify.ndcg([[1], [2]]), "one ranking"),
        (lambda: rs.evaluate({}, {"q": {"a": 1}}, "AP"), "qrels: empty; expected {query: "),
        (lambda: rs.evaluate([], {}, "AP", queries="run"), "qrels: empty; expected {query: "),
        (lambda: rs.evaluate({}, {}, "AP", backend="reference"), "qrels: empty; expected {query: "),
        (lambda: rs.evaluate(io.BytesIO(), {}, "AP"), "file: empty; expected the 4 columns"),
        (lambda: rs.classify({}, [{}]), "qrels: empty; expected {query: "),
        (lambda: rs.evaluate({}, {}, None), "measures: "),
        (lambda: rs.evaluate({}, {}, [5]), "measures: "),
        (lambda: rs.measures("nDCG(dcg='log2',gain='exp2')"), "give only one of the two"),
        (lambda: rs.measures("nDCG(gain='exp2',gain='linear')@10"), "twice|no measure"),
        (lambda: rs.measures("nDCG@\u0661"), "no cut-off"),
        (lambda: rs.measures("ndcg_cut"), "needs a cut-off"),
        (lambda: rs.measures("ndcg_cut.0"), "measure .ndcg_cut.0.: k: the cut-off is 0"),
        (lambda: rs.measures("ndcg_cut." + "9" * 5000), "at most 4000"),
        (lambda: rs.measures("ndcg_cut." + "9" * 31), "no measure"),
        (
            lambda: rs.measures("AP(k=5)"),
            "AP has no parameter 'k'; the cut-off follows an @; it has rel, norm",
        ),
        (lambda: rs.measures("AP(metric=1)"), "AP has no parameter 'metric'"),
        (lambda: rs.measures("nDCG(dcg=['log2'])"), "dcg is"),
        (lambda: rs.measures("nDCG(dcg={})"), "dcg is"),
        (lambda: rs.measures("nDCG(gain={[]:1})"), "the value of gain is not"),
        (lambda: rs.measures("AP(rel=" + "-" * 3000 + "1)"), "no measure|the value of rel"),
        (lambda: rs.measures("AP(rel=" + "1+" * 1500 + "1)"), "no measure|the value of rel"),
        (lambda: rs.measures("a" + ".a" * 1900), "unknown measure"),
        (lambda: rs.measures("AP(rel=1if 1else 2)"), "the value of rel"),
        (lambda: rs.measures("nDGC@10"), 'did you mean "nDCG@10"'),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_words(call, what):
    error = TypeError if what == "rel" else rs.InputError
    with pytest.raises(error, match=what):
        call()


class Clears:
    """A number that empties the list that it is in when it is asked for."""

    def __init__(self, own: list[object]) -> None:
        self.own = own

    def __index__(self) -> int:
        self.own.clear()
        return 2


def test_a_list_that_its_own_items_change_is_that_which_was_given():
    for call in (
        rs.dcg,
        lambda x: rs.ndcg([2, 1, 0], scores=x),
        lambda x: rs.ndcg([2, 1, 0], judged=x),
        lambda x: rs.ndcg([2, 1, 0, 0, 0], offsets=[0, *x[1:]] if x else [0, 5]),
    ):
        numbers: list[object] = []
        numbers += [Clears(numbers), 1, 0]
        with suppress(rs.InputError):  # which it may be; no other error
            call(numbers)


def test_what_cannot_be_shown_is_refused_in_words():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for call in (
        rs.ndcg,
        lambda x: rs.ndcg([1], k=x),
        lambda x: rs.ndcg([1], gain=x),
        lambda x: rs.ndcg([1], discount=x),
        lambda x: rs.ap([1], rel=x),
        lambda x: rs.err([1], stop=x),
        lambda x: rs.gap([1], q=x),
        lambda x: rs.ndcg_phi([1, 2], points=x),
        lambda x: rs.ndcg([1], backend=x),
        lambda x: rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP", profile=x),
        lambda x: rs.certify.certified(x, [1]),
        lambda x: rs.held([1.0], x),
    ):
        odd = (bytearray(b"x"), np.ones((2, 2, 2)), np.array(3), np.array([True, False]), None)
        for given in (deep, 10**5000, Fraction(1, 10**5000), *odd):
            try:
                call(given)
            except rs.InputError as error:
                assert len(str(error)) < 1000  # noqa: PT017 - the call may be right
    with pytest.raises(rs.InputError, match=r"^n: expected .* to 1000000, got 1000"):
        rs.held([1.0], 10**30)


LONG = 10**5000  # more digits than Python writes
TOO_LONG = (LONG, -LONG, Fraction(LONG, LONG + 1), Fraction(1, LONG))


def test_numbers_of_thousands_of_digits_are_refused_in_words():
    """Each parameter of each metric, and each argument, by itself and in a list."""
    labels = {True: [[1, 0]], False: [1, 0]}
    judged, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    calls = {
        f"{metric.name} {name}": lambda x, m=metric, name=name: m(**{name: x}).of(
            labels[m.of_sessions], backend="reference"
        )
        for metric in KNOWN
        for name in ("k", *metric.parameters)
    } | {
        "judged": lambda x: rs.UL2(rs.nDCG()).of([1, 0], judged=[x, 0]),
        "scores": lambda x: rs.ndcg([1, 0], scores=[x, 0]),
        "ids": lambda x: rs.ndcg([1, 0], scores=[1, 1], ids=[x, 0]),
        "offsets": lambda x: rs.ndcg([1, 0], offsets=[0, x]),
        "qrels": lambda x: rs.evaluate({"q": {"a": x}}, run, "nDCG"),
        "scores of a run": lambda x: rs.evaluate(judged, {"q": {"a": x}}, "nDCG"),
        "queries": lambda x: rs.evaluate({x: {"a": 1}}, {x: {"a": 1}}, "nDCG"),
        "documents": lambda x: rs.evaluate({"q": {x: 1}}, {"q": {x: 1}}, "nDCG"),
        "top": lambda x: rs.classify(judged, [run], top=x),
        "hard": lambda x: rs.classify(judged, [run], hard=x, easy=x),
        "query": lambda x: rs.explain(judged, run, x, "nDCG"),
    }
    for name, call in calls.items():
        for x in TOO_LONG:
            for given in (x, [x], [x, 0]):
                try:
                    call(given)
                except (rs.InputError, TypeError) as error:
                    assert len(str(error)) < 1000, name  # noqa: PT017 - which is raised is said
                except Exception as error:
                    raise AssertionError(f"{name}: {error!r}") from error
                else:
                    assert name == "ids", f"{name}: {type(x).__name__} is taken"


def test_the_number_of_threads_must_be_one(monkeypatch):
    labels = np.ones((2, 1 << 20), np.uint8)
    for wrong in ("abc", "-1", "0", "1.5"):
        monkeypatch.setenv("RANKSPEC_THREADS", wrong)
        with pytest.raises(rs.InputError, match="RANKSPEC_THREADS"):
            rs.cg(labels, k=1)
    monkeypatch.setenv("RANKSPEC_THREADS", "3")
    assert rs.cg(labels, k=1).tolist() == [1.0, 1.0]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("threads", ["3", "1", "2", "7"])
def test_values_do_not_depend_on_the_threads(monkeypatch, threads):
    labels = np.random.default_rng(3).integers(0, 5, (40, 1 << 16)).astype(np.uint8)
    expected = rs.ndcg(labels[:4], k=[10, 1000])
    monkeypatch.setenv("RANKSPEC_THREADS", threads)
    assert (rs.ndcg(np.tile(labels[:4], (10, 1)), k=[10, 1000]) == np.tile(expected, (10, 1))).all()
    bad = labels.astype(np.int8)
    bad[31, 5] = bad[7, 9] = -1
    with pytest.raises(rs.InputError, match="list 7, position 9"):
        rs.ndcg(bad, k=10)


@BACKENDS
@pytest.mark.parametrize("base", ["8.98846567431158e307", "1.7e308", "1e308", "1.0000000000000002"])
@pytest.mark.spec("RS-DISC-1", "RS-DISC-2")
def test_extreme_bases(base, backend):
    for kind in ("log", "jarvelin-2008"):
        for k in (1, 3):
            named = {"discount": f"{kind}(b={base})", "k": k}
            got = rs.dcg([1, 2, 0, 1], **named, backend=backend)
            assert got == rs.certify.dcg([1, 2, 0, 1], **named).value


# ---- length --------------------------------------------------------------------------------

LENGTH = pytest.mark.parametrize("name", ["ldcg", "ildcg", "lndcg"])


@LENGTH
@each("M", [0, -1, 1.5, True, "3", 1 << 63])
@BACKENDS
@pytest.mark.spec("RS-CONV-2", "RS-LEN-5")
def test_what_is_no_greatest_number_of_results(name, M, backend):
    with pytest.raises(rs.InputError, match=r"M: "):
        getattr(rs, name)([2, 1], M=M, backend=backend)


@LENGTH
@pytest.mark.spec("RS-CONV-2")
def test_the_cut_off_has_two_names_and_one_value(name):
    function = getattr(rs, name)
    assert function([2, 1, 0], M=2) == function([2, 1, 0], k=2)
    assert function([2, 1, 0], M=[1, 2]).tolist() == function([2, 1, 0], k=[1, 2]).tolist()
    with pytest.raises(rs.InputError, match="M: M and k both name the cut-off; give one of them"):
        function([2, 1], M=2, k=2)
    assert rs.measures(f"{name.upper()}(M=2)") == rs.measures(f"{name.upper()}@2")
    with pytest.raises(rs.InputError, match=r"M: M and k both name the cut-off"):
        rs.measures(f"{name.upper()}(M=2)@3")


@LENGTH
@each(
    ("prior", "words"),
    [
        ([1, -1], "prior: the weight of rank 2 is -1; it must not be negative"),
        (
            [1, 2],
            "prior: the weight of rank 2 is 2, above that of rank 1, 1; weights must",
        ),
        ([0, 0, 0], "prior: the weights add up to 0"),
        ([math.nan], "prior: the weight of rank 1 is nan; it must be a finite number"),
        ([math.inf, 1], "prior: the weight of rank 1 is inf; it must be a finite number"),
        ([1], "prior: weights for 1 ranks are given, but rank 2 needs one"),
        ([], "prior: weights for 0 ranks are given, but rank 2 needs one"),
        ("unifrom", 'prior: unknown name "unifrom" (did you mean "uniform"?)'),
        ("log(b=1)", "prior: the base of log(b=1) must be a finite number above 1"),
        ({1: 1}, "prior: expected a sequence of the weights of rank 1, 2, ..., got a mapping"),
        (7, "prior: 7 is neither a name nor a sequence of numbers"),
        (lambda i: -i, "prior: the weight of rank 1 is -1; it must not be negative"),
    ],
)
@BACKENDS
@pytest.mark.spec("RS-LEN-1")
def test_what_is_no_prior(name, prior, words, backend):
    with pytest.raises(rs.InputError) as error:
        getattr(rs, name)([2, 1], prior=prior, backend=backend)
    assert str(error.value).startswith(words)


@BACKENDS
@pytest.mark.spec("RS-LEN-1", "RS-LEN-3")
def test_weights_of_a_prior_are_needed_where_they_are_read(backend):
    """Z sums them up to M; else those of the list, and of the pool for its ideal, are enough."""
    two = {"prior": [2, 1], "discount": "none", "backend": backend}
    assert rs.ldcg([1, 0], k=3, Z="none", **two) == rs.ldcg([1, 0], **two) == 1 / 3
    with pytest.raises(rs.InputError, match="weights for 2 ranks are given, but rank 3 needs one"):
        rs.ldcg([1, 0], k=3, **two)
    with pytest.raises(rs.InputError, match="weights for 2 ranks are given, but rank 3 needs one"):
        rs.lndcg([1, 0], judged=[1, 0, 0], **two)
    assert rs.lndcg([1, 0], judged=[1, 0, 0], k=2, **two) == rs.lndcg([1, 0], **two)


@LENGTH
@pytest.mark.spec("RS-LEN-1")
def test_a_prior_may_be_a_function_of_the_rank(name):
    function = getattr(rs, name)
    assert function([2, 1], k=4, prior=lambda i: 1 / i) == function([2, 1], k=4, prior="zipf")


@BACKENDS
@pytest.mark.spec("RS-LEN-3")
def test_z_is_summed_up_to_a_million_ranks_at_most(backend):
    with pytest.raises(rs.InputError, match=r"M: the cut-off is 1000001; .* \(RS-LEN-3\)"):
        rs.ldcg([1], k=1_000_001, backend=backend)
    assert rs.ldcg([1], k=1 << 62, Z="none", backend=backend) == 1
    assert rs.lndcg([1], k=1 << 62, backend=backend) == 1


@BACKENDS
@pytest.mark.spec("RS-LEN-8", "RS-LEN-3")
def test_words_of_length(backend):
    with pytest.raises(rs.InputError) as error:
        rs.lndcg([1], ideal="eq8", backend=backend)
    words = "ideal: unknown ideal of LNDCG: 'eq8' (did you mean \"eq7\"?)"
    assert str(error.value).startswith(words)
    with pytest.raises(rs.InputError) as error:
        rs.ldcg([1], Z=False, backend=backend)
    assert str(error.value) == 'Z: unknown factor of E[DCG]: False; expected one of "M", "none"'


@pytest.mark.spec("RS-LEN-1", "RS-LEN-4")
def test_functions_of_the_rank_are_read_down_to_M():
    """The prior of M ranks is divided by its sum, however short the lists are."""
    functions = {"discount": lambda i: 1 / (i + 1), "prior": lambda i: 1 / i}
    weights = {name: [of(i) for i in range(1, 8)] for name, of in functions.items()}
    for N in (2, [1, 2, 7], [9]):
        found = rs.user_expected_dcg(N, M=7, **functions)
        assert np.array_equal(found, rs.user_expected_dcg(N, M=7, **weights)), N


@pytest.mark.parametrize("rel", [-1, 1024, 1e308, math.nan, "1"])
@pytest.mark.spec("RS-LEN-4", "RS-LEN-2")
def test_what_is_no_relevance_of_the_expected_result(rel):
    with pytest.raises(rs.InputError, match="rel"):
        rs.user_expected_dcg(1, M=3, rel=rel)


@pytest.mark.spec("RS-DISC-5")
def test_weights_are_written_as_they_are_read():
    (measure,) = rs.measures("LDCG(prior=[1, 0.5, 0.25], discount='[1, 1, 0.5]')@3")
    assert str(measure) == "LDCG(discount='[1, 1, 0.5]', prior='[1, 0.5, 0.25]')@3"
    assert rs.measures(str(measure)) == [measure]
    with pytest.raises(rs.InputError, match='discount: "x" is not a number'):
        rs.dcg([1], discount="[1, x]")


@pytest.mark.spec("RS-DISC-5")
def test_too_few_weights_name_the_measure():
    with pytest.raises(rs.InputError) as error:
        rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["AP", "LDCG(prior=[1, 0.5])@3"])
    words = "prior: weights for 2 ranks are given, but rank 3"
    assert str(error.value).startswith(f"measure \"LDCG(prior='[1, 0.5]')@3\": {words}")


@pytest.mark.parametrize("N", [-1, 1.5, True, "3", None, 1 << 40, 1_000_001])
@pytest.mark.spec("RS-LEN-4")
def test_what_is_no_number_of_results(N):
    words = "N: expected a number of results from 0 to 1000000, got "
    with pytest.raises(rs.InputError, match=words):
        rs.user_expected_dcg(N)


@BACKENDS
@pytest.mark.spec("RS-LEN-9", "RS-CONV-4", "RS-CONV-5")
def test_a_pool_without_relevant_items_and_an_empty_list(backend):
    assert rs.lndcg([1, 0], judged=[0, 0], check=False, backend=backend) == 0
    assert rs.lndcg([], judged=[2, 1], backend=backend) == 0
    assert rs.lndcg([1], judged=[], check=False, backend=backend) == 0
    assert rs.ildcg([], backend=backend) == rs.ildcg([0, 0], backend=backend) == 0


@each(
    ("measure", "parameter"),
    [("P", "rel"), ("NERR11", "T"), ("NERR8", "max_rel"), ("BPM", "hb"), ("IPrec", "recall"),
     ("NCU", "beta"), ("RBP", "p"), ("Rprec", "rel")],
)  # fmt: skip
def test_a_boolean_is_no_number_of_a_parameter(measure, parameter):
    for given in (True, False, np.True_):
        with pytest.raises(rs.InputError, match=f"^{parameter}: .*(True|False).* is a boolean"):
            getattr(rs, measure)(**{parameter: given})


def test_messages_name_the_parameter_that_is_wrong():
    with pytest.raises(rs.InputError, match=r"^stops: the gain of label 2 is 1, below that"):
        rs.ncu([1], stopping="graded", stops=[0, 2, 1])
    with pytest.raises(rs.InputError, match=r"^max_rel: .* got .Pool. \(did you mean \"pool\"\?"):
        rs.inst([1], max_rel="Pool")
    words = r'^max_rel: expected a number above 0, or "pool" .*, got .7.$'
    with pytest.raises(rs.InputError, match=words):
        rs.inst([1], max_rel="7")
