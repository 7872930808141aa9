"""What no caller should pass, and what changes while it is read: an error or a value, no crash.

Whatever may crash the process is done in another one, many attacks in each.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute import by_core, core
from rankspec.compute.batch import Batch, SessionBatch
from rankspec.errors import InputError
from tests.each import each

ATTACKS = Path(__file__).with_name("attacks.py")


def survived(attack: str) -> bool:
    """Whether a process that tries an attack ends as it should."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(ATTACKS), attack],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, f"ended with {done.returncode}:\n{done.stderr[-2000:]}"
    return done.stdout == "survived\n"


class OtherLength(dict[str, Any]):
    """A dictionary that says that it has another length."""

    said = 5

    def __len__(self) -> int:
        return self.said


class FewerThanSaid(Mapping[str, float]):
    """A mapping of three documents that has two more at every second look."""

    def __init__(self) -> None:
        self.looks = 0

    def __iter__(self) -> Iterator[str]:
        self.looks += 1
        return iter("abcde" if self.looks % 2 else "abc")

    def __len__(self) -> int:
        return 4

    def __getitem__(self, key: str) -> float:
        return float("edcba".index(key))


@pytest.mark.spec("RS-CONV-29", "RS-CONV-29/L1")
@pytest.mark.parametrize("said", [0, 1, 2, 3, 5, 100])
def test_the_length_of_a_mapping_is_how_many_items_it_gives(said: int) -> None:
    kind = type("Said", (OtherLength,), {"said": said})
    qrels = {"q": {"a": 1, "b": 0, "c": 1}, "r": {"x": 1}}
    run = {"q": {"a": 1.0, "b": 3.0, "c": 2.0}, "r": {"x": 1.0}}
    expected = rs.evaluate(qrels, run, ["AP", "nDCG"]).per_query
    lying = {query: kind(own) for query, own in run.items()}
    for backend in ("c", "reference"):
        for given in ((qrels, lying), (kind(qrels), kind(lying))):
            assert rs.evaluate(*given, ["AP", "nDCG"], backend=backend).per_query == expected


@pytest.mark.spec("RS-CONV-29")
def test_a_mapping_is_iterated_once_for_each_reading() -> None:
    """A second look, for its length or its scores, may be at something else."""
    qrels = {"q": {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1}}
    values = {rs.evaluate(qrels, {"q": FewerThanSaid()}, "R")["R"] for _ in range(4)}
    assert values <= {1 / 3, 1.0}


class OtherItems(list[Any]):
    """A list whose length and items are not its own."""

    def __len__(self) -> int:
        return 7

    def __iter__(self) -> Iterator[Any]:
        return iter([2, 1])

    def __getitem__(self, i: Any) -> Any:
        return 3


@pytest.mark.spec("RS-CONV-29")
def test_rows_have_the_length_that_they_give() -> None:
    """Lengths that are wrong, but right in sum, cut the rows elsewhere."""

    class Row(list[int]):
        def __init__(self, given: list[int], said: int) -> None:
            super().__init__(given)
            self.said = said

        def __len__(self) -> int:
            return self.said

    rows = [Row([3, 0, 0], 1), Row([0], 3)]
    assert rs.dcg(rows).tolist() == rs.dcg([[3, 0, 0], [0]]).tolist()
    assert rs.dcg(OtherItems()) == rs.dcg([2, 1])
    assert rs.dcg([Row([3], 1 << 60), Row([1], 0)]).tolist() == rs.dcg([[3], [1]]).tolist()


@pytest.mark.spec("RS-CONV-29")
def test_offsets_are_read_once() -> None:
    """What another thread writes into the caller's array after the check is not read."""
    labels = np.arange(6, dtype=np.int64)
    for offsets in (np.array([0, 2, 6]), array("q", [0, 2, 6])):
        expected = rs.dcg(labels, offsets=offsets).tolist()
        batch = rs_input(labels, offsets)
        offsets[1] = 1 << 60
        assert [list(c) for c in by_core.values_by_core([rs.DCG()], batch)] == [expected]


def rs_input(labels: Any, offsets: Any) -> Batch:
    from rankspec.api.rankings import Input

    return Input(labels, offsets=offsets).batch


@pytest.mark.spec("RS-CONV-29")
def test_the_binding_counts_what_a_buffer_holds() -> None:
    labels, offsets = array("q", [1, 2, 3]), array("q", [0, 3])

    class Long(array):  # type: ignore[type-arg]
        def __len__(self) -> int:
            return 1000

    ndcg = [rs.nDCG()]
    for batch in (
        Batch(labels, offsets, starts=bytes(2)),
        Batch(labels, Long("q", [0, 2])),
        Batch(labels, offsets, pool=labels, pool_offsets=array("q", [0, 1000])),
        Batch(labels, offsets, pool=labels, pool_offsets=array("q", [0])),
    ):
        with pytest.raises(InputError):
            by_core.values_by_core(ndcg, batch)
    with pytest.raises(InputError, match="ids: 1 items for 3 labels; expected one per label"):
        by_core.order(labels, labels, offsets, array("q", [1]), "id-descending")
    with pytest.raises(InputError, match="positions: 2 items for 3 labels; expected one per label"):
        by_core.gather(labels, array("q", [0, 1]))
    of_sessions = SessionBatch(labels, offsets, sessions=array("q", [0, 1]), documents=labels[:2])
    with pytest.raises(InputError, match="ids: 2 items for 3 labels; expected one per label"):
        by_core.contradiction(of_sessions)
    assert by_core.values_by_core(ndcg, Batch(Long("q", [1, 2, 3]), offsets)) == (
        by_core.values_by_core(ndcg, Batch(labels, offsets))
    )


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONV-29/L2")
@pytest.mark.parametrize("attack", ["objects", "objects_of_lists"])
def test_no_object_of_a_caller_crashes_the_process(attack: str) -> None:
    """Lengths, items, indices and buffers that lie, each in every place that takes it."""
    assert survived(attack)


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONV-29/L2")
@pytest.mark.parametrize("attack", ["dicts", "dicts_at_length"])
def test_no_dict_that_changes_while_it_is_read_crashes_the_process(attack: str) -> None:
    """Changed by comparing its keys, by collecting garbage, and by threads."""
    assert survived(attack)


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-29/L2", "RS-CONV-42")
def test_no_stream_of_arrow_that_was_read_before_crashes_the_process() -> None:
    """Nothing in a capsule may be called that somebody took the stream of."""
    pytest.importorskip("pyarrow")
    assert survived("streams")


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-29/L2")
@pytest.mark.parametrize("what", ["mappings", "offsets", "labels", "sessions"])
def test_no_thread_of_a_caller_crashes_the_process(what: str) -> None:
    """Another thread writes what a call reads, as fast as it can."""
    assert survived(what)


class SaidText(str):
    """A text that says that it equals any other."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, _: object) -> bool:
        return True


class SaidInt(int):
    """A whole number that says that it is within any bounds."""

    def __lt__(self, _: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__


class SaidFraction(Fraction):
    """The same, of fractions."""

    def __lt__(self, _: object) -> bool:
        return True

    __le__ = __gt__ = __ge__ = __lt__  # type: ignore[assignment]


QRELS, RUN = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
ROWS = b"1 qid:1 1:2\n0 qid:1 1:2\n"
SESSIONS = rs.judge_sessions({"s": {"x": 1}}, {"s": [["x"]]})

TAKE_A_WORD: dict[str, Callable[[Any], object]] = {
    "ties": lambda x: rs.dcg([1, 2], scores=[1, 1], ties=x),
    "ties of .of()": lambda x: rs.UL2(rs.nDCG()).of([1, 2], scores=[1, 1], ties=x),
    "ties of files": lambda x: rs.evaluate(QRELS, RUN, "AP", ties=x),
    "ties of LETOR files": lambda x: rs.evaluate_letor(BytesIO(ROWS), "AP", feature=1, ties=x),
    "order": lambda x: rs.evaluate(QRELS, RUN, "AP", order=x),
    "undefined": lambda x: rs.evaluate(QRELS, RUN, "AP", undefined=x),
    "profile": lambda x: rs.evaluate(QRELS, RUN, "AP", profile=x),
    "measure": lambda x: rs.evaluate(QRELS, RUN, x),
    "gain": lambda x: rs.ndcg([1, 2], gain=x),
    "discount": lambda x: rs.ndcg([1, 2], discount=x),
    "backend": lambda x: rs.ndcg([1, 2], backend=x),
    "ideal": lambda x: rs.ndcg([1, 2], ideal=x),
    "norm": lambda x: rs.ap([1, 2], norm=x),
    "prior": lambda x: rs.ldcg([1, 2], prior=x),
    "repeats": lambda x: rs.sdcg([[1, 2]], ids=[[1, 2]], repeats=x),
    "padding": lambda x: rs.nsdcg([[1, 2]], padding=x),
    "unjudged": lambda x: rs.judge_sessions({"s": {}}, {"s": [["x"]]}, unjudged=x),
    "finished": lambda x: rs.session_curve(SESSIONS, 1, finished=x),
}


@pytest.mark.spec("RS-CONV-29", "RS-CONV-29/L3")
@each("take", TAKE_A_WORD.values(), ids=TAKE_A_WORD)
@each("word", ["worst", "zz", "expected", "input", ""])
def test_a_word_is_its_characters(take: Callable[[Any], object], word: str) -> None:
    """What a text says to equal is not asked: another word would be taken for one that there is."""
    assert outcome(take, SaidText(word)) == outcome(take, word)


def outcome(take: Callable[[Any], object], given: Any) -> tuple[type, str]:
    """A value, or an error, for comparison."""
    try:
        return float, repr(take(given))
    except InputError as error:
        return InputError, str(error)


HUGE, BELOW = 10**9, -(10**9)
TAKE_A_NUMBER: dict[str, Callable[[Any], object]] = {
    "max": lambda x: rs.err([3, 2, 0, 1] * 5, max=x),
    "k": lambda x: rs.dcg([1, 2], k=-x),
    "M": lambda x: rs.ldcg([1], k=-x, discount=float, prior="uniform"),
    "M of expected DCG": lambda x: rs.user_expected_dcg(1, M=-x),
    "N": rs.user_expected_dcg,
    "padding": lambda x: rs.nsdcg([[1, 2]], padding=-x),
    "depth": lambda x: rs.evaluate(QRELS, RUN, "AP", depth=-x),
    "feature": lambda x: rs.evaluate_letor(BytesIO(ROWS), "AP", feature=x << 60),
    "p": lambda x: rs.rbp([1], p=x),
    "digits": lambda x: rs.certify.dcg([1, 2], digits=x),
    "queries": lambda x: rs.session_curve(SESSIONS, 1, queries=x),
    "least_queries": lambda x: rs.session_curve(SESSIONS, 1, least_queries=-x),
    "n": lambda x: rs.held([1], x),
    "q": lambda x: rs.still_running([1], -x),
    "m": lambda x: rs.still_running([-x], 1),
    "stop": lambda x: rs.err([0], stop=[x]),
    "base": lambda x: rs.ndcg([1], gain=[-x]),
    "rel": lambda x: rs.user_expected_dcg(1, rel=x),
}


@pytest.mark.spec("RS-CONV-29", "RS-CONV-29/L3")
@each("take", TAKE_A_NUMBER.values(), ids=TAKE_A_NUMBER)
def test_a_number_is_within_its_bounds_by_what_it_is(take: Callable[[Any], object]) -> None:
    class Said(SaidInt):
        def __neg__(self) -> int:
            return Said(-int(self))

        def __lshift__(self, by: int) -> int:
            return Said(int(self) << by)

    with pytest.raises(InputError):
        take(Said(HUGE))


@pytest.mark.spec("RS-CONV-29/L3")
def test_a_fraction_is_within_its_bounds_by_what_it_is() -> None:
    with pytest.raises(InputError, match="beyond the range of doubles"):
        rs.dcg([1], discount=[SaidFraction(10**400)])


@pytest.mark.spec("RS-CONV-29/L3", "RS-TIE-2")
def test_ids_are_compared_by_their_characters() -> None:
    scores, labels = [1, 1, 1], [2, 1, 0]
    expected = rs.dcg(labels, scores=scores, ids=["a", "c", "b"])
    assert rs.dcg(labels, scores=scores, ids=[SaidText(x) for x in "acb"]) == expected


@pytest.mark.spec("RS-CONV-29/L3")
def test_a_measure_that_is_remembered_is_that_which_was_asked_for() -> None:
    class Same(SaidText):
        def __hash__(self) -> int:  # type: ignore[override]
            return 1

    assert rs.dcg([3], gain=Same("linear")) == 3
    assert rs.dcg([3], gain=Same("exp2")) == 7


@pytest.mark.spec("RS-TIE-2")
def test_the_core_orders_by_no_ids_that_there_are_not() -> None:
    with pytest.raises(InputError, match="orders by ids, which were not given"):
        by_core.order(
            array("d", [1, 1]), array("q", [1, 2]), array("q", [0, 2]), None, "id-descending"
        )
    labels, offsets, scores = array("q", [1, 2]), array("q", [0, 2]), array("d", [1, 1])
    address, form, begins = core.flat(labels, offsets)
    lists = core.ffi.new("rs_lists *", [address, begins, core.ffi.NULL, form])
    order, starts = core.ffi.new("int64_t[]", 2), core.ffi.new("uint8_t[]", 2)
    of_scores = core.address_of(scores), core.type_of(scores)
    refused = core.ffi.new("int64_t *")
    for rule in (core.lib.RS_ID_DESCENDING, core.lib.RS_ID_ASCENDING):
        found = core.lib.rs_order(*of_scores, lists, 1, core.ffi.NULL, rule, order, starts, refused)
        assert (found, list(order)) == (0, [0, 1])  # as they are, and no ids read


FORKED_AT_ONCE = """
import os, signal, threading, time
import rankspec as rs
def first():
    rs.ndcg([1, 0, 2])
thread = threading.Thread(target=first)
thread.start()
time.sleep({seconds})
child = os.fork()
if child == 0:
    signal.alarm(20)
    first()
    os._exit(0)
thread.join()
raise SystemExit(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")
@pytest.mark.spec("RS-CONV-29", "RS-CONV-29/L4")
def test_a_child_is_forked_before_or_after_a_first_use() -> None:
    """Not in between: a lock of Python's imports would stay locked in the child."""
    for seconds in (0.01, 0.05):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", FORKED_AT_ONCE.format(seconds=seconds)], check=False, timeout=60
        )
        assert done.returncode == 0


class ItemsOf(Mapping[Any, Any]):
    """A mapping of other items than pairs."""

    def __init__(self, items: Any) -> None:
        self.given = items

    def __iter__(self) -> Iterator[str]:
        return iter("q")

    def __len__(self) -> int:
        return 1

    def __getitem__(self, key: str) -> int:
        return 1

    def items(self) -> Any:
        return self.given


class Reads:
    """An open file that gives what it was given."""

    def __init__(self, content: Any) -> None:
        self.content = content

    def read(self) -> Any:
        return self.content


class Unsaid:
    """An object that is neither true nor false."""

    def __bool__(self) -> bool:
        raise RuntimeError


def closed(kind: type) -> Any:
    file = kind()
    file.close()
    return file


ALONE = "a function of the rank must take one argument, the rank"
SPAN = np.array([1], dtype="m8[D]")
TWO_DIMENSIONS = memoryview(bytes(4)).cast("B", (2, 2))
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "no rank": (lambda: rs.ndcg([3, 0], discount=lambda: 1), f"discount: .*{ALONE}"),  # type: ignore[arg-type,misc]
    "two ranks": (lambda: rs.ndcg([3, 0], discount=lambda a, b: 1), ALONE),  # type: ignore[arg-type,misc] # noqa: ARG005
    "no rank of a prior": (lambda: rs.ldcg([3, 0], prior=lambda: 1), f"prior: .*{ALONE}"),
    "no query": (lambda: rs.sdcg([[3]], query_discount=lambda: 1), f"query_discount: .*{ALONE}"),  # type: ignore[arg-type,misc]
    "a closed run": (lambda: rs.evaluate(QRELS, closed(BytesIO), "RR"), "closed; expected a file"),
    "closed qrels": (lambda: rs.evaluate(closed(BytesIO), RUN, "RR"), "closed; expected a file"),
    "a closed text": (lambda: rs.evaluate(QRELS, closed(StringIO), "RR"), "closed; expected"),
    "closed rows": (lambda: rs.evaluate_letor(closed(BytesIO), "RR", feature=1), "closed; "),
    "closed sessions": (lambda: rs.read_sessions(closed(BytesIO)), "closed; expected a file"),
    "a number read": (lambda: rs.evaluate(QRELS, Reads(5), "RR"), r"read\(\) returned 5; expected"),
    "nothing read": (
        lambda: rs.evaluate(QRELS, Reads(None), "RR"),
        r"read\(\) returned None; expected",
    ),
    "half a pair read": (
        lambda: rs.evaluate(QRELS, Reads("\ud800"), "RR"),
        "expected bytes or UTF-8 text",
    ),
    "items of one": (lambda: rs.evaluate(QRELS, ItemsOf([("q",)]), "RR"), "run: .* not pairs"),
    "items of three": (
        lambda: rs.evaluate(QRELS, ItemsOf([("q", 1, 2)]), "RR"),
        "are not pairs of key",
    ),
    "no items": (lambda: rs.evaluate(ItemsOf(5), RUN, "RR"), "qrels: .* not pairs"),
    "no items within": (
        lambda: rs.evaluate(QRELS, {"q": ItemsOf(5)}, "RR"),
        "are not pairs of key",
    ),
    "no grades": (lambda: rs.evaluate(QRELS, RUN, "RR", grades=ItemsOf(5)), "grades: .* not pairs"),
    "no topics": (lambda: rs.evaluate(QRELS, RUN, "RR", topics=ItemsOf(5)), "topics: .* not pairs"),
    "no sessions": (lambda: rs.judge_sessions({"s": {}}, ItemsOf(5)), "sessions: .* not pairs"),
    "check, unsaid": (
        lambda: rs.ndcg([1], judged=[1], check=Unsaid()),  # type: ignore[arg-type]
        "check: expected True or False, got <",
    ),
    "check 0": (lambda: rs.ndcg([1], judged=[0], check=0), "check: expected True or False, got 0"),  # type: ignore[arg-type]
    "check no": (
        lambda: rs.ndcg([1], judged=[1], check="no"),  # type: ignore[arg-type]
        "check: expected True or False, got 'no'",
    ),
    "check of sessions": (
        lambda: rs.nsdcg([[1]], judged=[0], check=None),  # type: ignore[arg-type]
        "check: expected True or False, got None",
    ),
    "check of proofs": (
        lambda: rs.certify.ndcg([1], judged=[0], check=0),
        "check: expected True or False, got 0",
    ),
    "gain, a span": (lambda: rs.ndcg([1], gain=SPAN), "label 0 is .*timedelta64"),  # type: ignore[arg-type]
    "k, a span": (lambda: rs.ndcg([1], k=SPAN), "k: the cut-off is np.timedelta64"),  # type: ignore[arg-type]
    "max, a span": (lambda: rs.err([1], max=SPAN[0]), "max: .*timedelta64"),
    "k in two dimensions": (lambda: rs.dcg([1], k=TWO_DIMENSIONS), "k: .* no list of cut-offs"),  # type: ignore[arg-type]
    "a mean of two": (lambda: rs.mean(TWO_DIMENSIONS), "values: .* no list of numbers"),
    "defaults": (
        lambda: rs.measures("nDCG@10", None),  # type: ignore[arg-type]
        "defaults: expected a dict {parameter: value}, got None",
    ),
    "offsets of booleans": (lambda: rs.dcg([1, 2], offsets=[False, 2]), "expected integers"),
    "offsets, too far": (lambda: rs.dcg([1, 2], offsets=[0, 1 << 70]), "is too large for an array"),
    "queries": (lambda: rs.session_curve(SESSIONS, 1, queries=np.uint64(1 << 63)), "ranks"),  # type: ignore[arg-type]
}


@pytest.mark.spec("RS-CONV-29", "RS-CONV-11", "RS-CONV-38")
@each(("call", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_taken_is_an_input_error(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.spec("RS-CONV-29")
def test_what_a_function_of_the_rank_raises_is_its_own() -> None:
    def failing(i: int) -> float:
        return i + "1"  # type: ignore[operator,no-any-return]

    with pytest.raises(TypeError, match="unsupported operand"):
        rs.dcg([1], discount=failing)


@pytest.mark.spec("RS-CONV-1")
def test_a_large_whole_number_is_the_double_that_it_is() -> None:
    for large in (1 << 70, Decimal(1 << 70), Fraction(1 << 70)):
        assert rs.evaluate({"q": {"a": large}}, {"q": {"a": 1}}, "DCG")["DCG"] == 2.0**70  # type: ignore[dict-item]
    for no_double in ((1 << 70) + 1, (1 << 1024) - 1):
        with pytest.raises(InputError, match="integer of 64 bits or a double"):
            rs.evaluate({"q": {"a": no_double}}, RUN, "DCG")


@pytest.mark.spec("RS-CONV-1")
def test_arrays_of_ctypes_are_read() -> None:
    for kind in (ctypes.c_int, ctypes.c_long, ctypes.c_uint8, ctypes.c_double):
        assert rs.dcg((kind * 3)(1, 2, 3)) == rs.dcg([1, 2, 3])
