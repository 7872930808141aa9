"""The method of a measure by the module of csrc/python/one_list.c: it answers as the long way does.

The long way is asked with the same list. What the module leaves is what Python answers.
"""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import subprocess
import sys
import weakref
from fractions import Fraction
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec import api
from rankspec.compute import core
from rankspec.errors import InputError
from rankspec.metrics.measure import Measure

module = pytest.importorskip("rankspec._one_list")

MEASURES = [rs.nDCG(k=10), rs.nDCG(gain="exp2"), rs.AP(), rs.ERR(k=3), rs.DCG(gain=[0, 1, 3, 8])]


def asked_before(measure: Measure) -> Measure:
    """A measure that has its method by the module."""
    measure.of([1, 0])
    assert type(measure.of) is BuiltinFunctionType
    return measure


def outcome(of: Any, *labels: Any, **given: Any) -> object:
    """The bits of a value, or what an error says."""
    try:
        value = of(*labels, **given)
    except (InputError, TypeError) as error:
        return type(error), str(error)
    return value.hex() if type(value) is float else repr(value)


class Whole(int):
    """A whole number that says it is another."""

    def __index__(self) -> int:
        return 7

    def __int__(self) -> int:
        return 7


class Indexed:
    """What is no number, but can be taken for one."""

    def __index__(self) -> int:
        return 2


ITEMS: dict[str, st.SearchStrategy[Any]] = {
    "grades": st.integers(0, 4),
    "bytes": st.integers(0, 255),
    "beyond a byte": st.integers(250, 260),
    "negative": st.integers(-2, 2),
    "huge": st.sampled_from([2**31, 2**53 + 1, 2**63 - 1, 2**63, 10**30, -(2**63), -(10**30)]),
    "flags": st.booleans(),
    "floats": st.sampled_from([0.0, -0.0, 1.0, 2.5, -1.0, float("nan"), float("inf")]),
    "of numpy": st.sampled_from([np.int64(2), np.uint8(1), np.float32(1), np.bool_(1)]),
    "of another class": st.integers(0, 3).map(Whole),
    "others": st.sampled_from([None, "1", b"1", [1], (1,), 1j, Fraction(1, 2), Indexed()]),
}  # fmt: skip


@pytest.mark.slow(but=20)
@given(data=st.data())
@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_whatever_a_list_holds_the_answer_is_that_of_the_long_way(
    measure: Measure, kind: str, data: st.DataObject
) -> None:
    asked_before(measure)
    item = st.one_of(ITEMS["grades"], ITEMS[kind]) if data.draw(st.booleans()) else ITEMS[kind]
    labels = data.draw(st.lists(item, max_size=12))
    assert outcome(measure.of, labels) == outcome(api.of, measure, labels)


@given(st.lists(st.integers(0, 255), max_size=70))
def test_plain_lists_are_answered_without_python(labels: list[int]) -> None:
    of = plain(rs.nDCG(k=10))
    expected = api.of(rs.nDCG(k=10), labels)
    assert of(labels) == (expected if len(labels) <= LONGEST else None)
    assert of([*labels, True][:LONGEST]) is not None
    for left in (tuple(labels), [*labels, -1], [*labels, 256], [*labels, 1.0], [*labels, Whole(1)]):
        assert of(left) is None


LONGEST = 64


def plain(measure: Measure, longest: int = LONGEST) -> Any:
    """The method of the module, where nothing answers for what it leaves."""
    measure.of([1] * longest)
    of = measure.at_once._prepared

    def nothing(*_: Any, **__: Any) -> None:
        """Answers None."""

    return core.method_of(of.structure, of.longest, of.keep, nothing)


def test_long_lists_take_no_more_room_than_there_is() -> None:
    of = plain(rs.DCG(), 4096)
    assert of([1] * 1024) == rs.dcg([1] * 1024)
    assert of([1] * 1025) is None
    assert of([1] * (1 << 20)) is None
    measure = asked_before(rs.nDCG())
    for n in (64, 65, 1024, 1025, 5000):
        labels = [a % 5 for a in range(n)]
        assert measure.of(labels) == api.of(measure, labels)


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    (([1], [2]), {}),
    ((), {"labels": [1, 2]}),
    (([1, 2],), {"labels": [1]}),
    (([1, 2],), {"judged": [2, 1, 1]}),
    (([1, 2],), {"scores": [1, 2]}),
    (([1, 2],), {"backend": "reference"}),
    (([1, 2],), {"backend": "no"}),
    (([1, 2],), {"nothing": 1}),
    (([[1, 2], [0, 1]],), {}),
    ((np.array([1, 2, 3]),), {}),
    (("123",), {}),
    ((None,), {}),
    (({1: 2},), {}),
]


@pytest.mark.parametrize(("labels", "more"), CALLS, ids=repr)
def test_whatever_is_given_means_what_it_means_to_a_method_of_python(
    labels: tuple[Any, ...], more: dict[str, Any]
) -> None:
    measure = asked_before(rs.nDCG(k=10))
    assert outcome(measure.of, *labels, **more) == outcome(Measure.of, measure, *labels, **more)


def test_a_list_that_changes_while_it_is_read_is_left_to_python() -> None:
    """No item of a plain list has code of its own; one that has some is never asked here."""

    class Clearing:
        def __init__(self, held: list[Any]) -> None:
            self.held = held

        def __index__(self) -> int:
            self.held.clear()
            return 1

        __int__ = __float__ = __index__  # type: ignore[assignment]

    measure = asked_before(rs.DCG())
    for at in (0, 1, 40):
        labels: list[Any] = [1] * 40
        labels.insert(at, Clearing(labels))
        assert plain(rs.DCG())(list(labels)) is None
        assert outcome(measure.of, labels)


def test_what_the_table_of_gains_refuses_has_its_error() -> None:
    measure = asked_before(rs.DCG(gain=[0, 1]))
    with pytest.raises(InputError, match="2"):
        measure.of([1, 2])


def test_help_is_that_of_the_method() -> None:
    measure = asked_before(rs.nDCG(k=10))
    assert inspect.getdoc(measure.of) == inspect.getdoc(Measure.of)
    assert str(inspect.signature(measure.of)) == "(labels, **given)"
    assert measure.of.__name__ == "of"


def test_a_measure_is_the_same_after_use() -> None:
    measure, fresh = asked_before(rs.nDCG(k=10, gain="exp2")), rs.nDCG(k=10, gain="exp2")
    assert measure == fresh
    assert hash(measure) == hash(fresh)
    assert pickle.dumps(measure) == pickle.dumps(fresh)
    for twin in (copy.copy(measure), copy.deepcopy(measure), measure.at(3)):
        assert "of" not in vars(twin)
        assert twin.of([1, 2]) == api.of(twin, [1, 2])


def test_the_method_itself_is_pickled_as_one_of_its_measure() -> None:
    measure = asked_before(rs.nDCG(k=2))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        of = pickle.loads(pickle.dumps(measure.of, protocol))  # noqa: S301
        assert of([1, 2, 3]) == measure.of([1, 2, 3])
        assert of.__self__ == measure


def test_the_method_keeps_what_it_needs_and_no_longer() -> None:
    measure = asked_before(rs.nDCG(k=2, discount="zipf"))
    gone, of = weakref.ref(measure), measure.of
    del measure
    gc.collect()
    assert of([1, 2, 3]) == rs.ndcg((1, 2, 3), k=2, discount="zipf")
    assert of([1.0, 2.0]) == of([1, 2])
    del of
    gc.collect()
    assert gone() is None


def test_a_finalizer_of_the_same_cycle_may_call_the_method() -> None:
    said: list[object] = []

    class Last:
        def __init__(self) -> None:
            self.of: Any = None

        def __call__(self, *_: Any) -> None:
            """Answers None."""

        __name__ = "last"

        def __del__(self) -> None:
            said.append(outcome(self.of, [1, 2]))

    last = Last()
    kept = rs.DCG(k=2)
    kept.of([1])
    of = kept.at_once._prepared
    last.of = core.method_of(of.structure, of.longest, of.keep, last)
    del last
    gc.collect()
    assert said == [rs.dcg((1, 2), k=2).hex()]


def test_nothing_else_makes_a_prepared_measure() -> None:
    of = asked_before(rs.DCG()).of.__self__
    with pytest.raises(TypeError):
        type(of)()
    for wrong in ((), (1,), (1, 2, "3", None, None, "of", "text"), (1, 2, 3, None, None, 4, 5)):
        with pytest.raises(TypeError):
            module.method(*wrong)


def test_without_the_module_the_answers_are_the_same() -> None:
    code = (
        "import sys; sys.modules['rankspec._one_list'] = None\n"
        "import rankspec as rs\n"
        "m = rs.nDCG(k=10)\n"
        "print(m.of([3, 2, 3, 0]), m.of([1, 2]), type(m.of).__name__)\n"
        "print(rs.ndcg([3, 2, 3, 0], k=10), rs.ndcg([1, 2], k=10))\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    of = rs.nDCG(k=10).of
    values = f"{of((3, 2, 3, 0))} {of((1, 2))}"
    assert done.stdout == f"{values} method\n{values}\n"
    assert done.stderr == ""
