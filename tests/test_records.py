"""Records behave as frozen dataclasses do, which are what they are compared with."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from functools import cached_property
from inspect import signature
from typing import Any, ClassVar

import pytest

import rankspec
from rankspec.records import field, fields, record, replace


@record()
class Point:
    x: Any
    y: Any = 0
    kept: dict[str, int] = field(default_factory=dict, compare=False)
    unit: ClassVar[str] = "m"

    @cached_property
    def sum(self) -> Any:
        return self.x + self.y


@record()
class Named(Point):
    by: str = field(kw_only=True)
    z: int = 3


@record(eq=False, repr=False)
class Itself:
    x: int

    def __repr__(self) -> str:
        return "itself"


@record()
class Pair:
    a: int
    b: int = 2


@dataclasses.dataclass(frozen=True)
class DataPair:
    a: int
    b: int = 2


CALLS = [
    lambda of: of(1),
    lambda of: of(1, 3),
    lambda of: of(b=3, a=1),
    lambda of: of(1, b=3),
    lambda of: of(),
    lambda of: of(1, 2, 3),
    lambda of: of(1, a=1),
    lambda of: of(1, c=1),
    lambda of: of(c=1),
]


@pytest.mark.parametrize("call", range(len(CALLS)))
def test_it_is_made_as_a_dataclass_is(call: int) -> None:
    made = []
    for of in (Pair, DataPair):
        try:
            x = CALLS[call](of)
            made.append((x.a, x.b, repr(x).removeprefix("Data")))
        except TypeError:
            made.append(TypeError)
    assert made[0] == made[1]


def test_equal_fields_make_equal_records() -> None:
    assert Point(1) == Point(1, 0, {"z": 1})
    assert hash(Point(1)) == hash(Point(1, 0, {"z": 1}))
    assert Point(1) != Point(2)
    assert Point(1) != Named(1, by="x")
    assert Pair(1) != DataPair(1)
    assert Itself(1) != Itself(1)
    nan = float("nan")
    assert Point(nan) == Point(nan)  # one object: as in tuples
    assert Point(1) != Point(float("nan"))


def test_each_record_has_its_own_default() -> None:
    one, two = Point(1), Point(1)
    one.kept["a"] = 1
    assert two.kept == {}
    assert Point.unit == "m"


def test_nothing_of_it_can_be_set() -> None:
    point = Point(1)
    for name in ("x", "other"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(point, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    assert (point.x, point.sum, point.sum) == (1, 1, 1)


def test_fields_of_the_bases_come_first_and_those_given_by_name_last() -> None:
    assert fields(Named) == ("x", "y", "kept", "z", "by")
    named = Named(1, 2, {}, 4, by="name")
    assert (named.z, named.by) == (4, "name")
    with pytest.raises(TypeError):
        Named(1, 2, {}, 4, "name")  # type: ignore[call-arg,misc]


def test_one_like_it() -> None:
    assert replace(Named(1, by="a"), x=2, by="b") == Named(2, by="b")
    with pytest.raises(TypeError):
        replace(Point(1), nope=1)


def test_its_text_is_that_of_a_dataclass_or_its_own() -> None:
    assert repr(Point(1, "two")) == "Point(x=1, y='two')"
    assert repr(Itself(1)) == "itself"


def test_it_is_copied_and_pickled() -> None:
    for x in (Point(1, 2), Named(1, by="a")):
        assert pickle.loads(pickle.dumps(x)) == copy.deepcopy(x) == copy.copy(x) == x  # noqa: S301


def test_how_it_is_called_is_told() -> None:
    assert str(signature(Pair)) == "(a, b=2)"
    with pytest.raises(TypeError):
        signature(Pair).bind(1, c=2)
    assert list(signature(Named).parameters) == ["x", "y", "kept", "z", "by"]
    assert signature(Named).parameters["by"].kind.name == "KEYWORD_ONLY"


def test_the_functions_of_dataclasses_take_records() -> None:
    named = Named(1, 2, z=5, by="me", kept={"a": 1})
    assert dataclasses.is_dataclass(named)
    assert [of.name for of in dataclasses.fields(Named)] == ["x", "y", "kept", "z", "by"]
    assert [of.compare for of in dataclasses.fields(Named)] == [True, True, False, True, True]
    assert dataclasses.replace(named, y=7) == Named(1, 7, z=5, by="me")
    assert dataclasses.asdict(Pair(1)) == dataclasses.asdict(DataPair(1)) == {"a": 1, "b": 2}
    assert dataclasses.replace(rankspec.nDCG(k=10), choices=rankspec.nDCG(gain="exp2").choices) == (
        rankspec.nDCG(k=10, gain="exp2")
    )


def test_a_default_that_is_made_is_told_as_it_is() -> None:
    assert str(signature(Point)) == "(x, y=0, kept={})"
    assert (
        str(signature(rankspec.SearchSession))
        == "(id, queries, topic=None, place='', appearances=())"
    )


def test_every_record_of_the_package_is_told_and_is_a_dataclass() -> None:
    import rankspec.metrics.catalogue
    import rankspec.papers  # noqa: F401 - both load most of it

    records = {
        x
        for name, module in [*sys.modules.items()]
        if name.startswith("rankspec.")
        for x in vars(module).values()
        if isinstance(x, type) and "__record__" in vars(x)
    }
    assert len(records) > 50
    for x in records:
        assert [of.name for of in dataclasses.fields(x)] == list(fields(x))
        assert str(signature(x)).startswith("(")


def test_a_dataclass_may_be_made_of_a_record() -> None:
    """As of a frozen dataclass: frozen too, its own fields last, by place or by name."""

    @dataclasses.dataclass(frozen=True)
    class Triple(Pair):
        c: int = 3

    @dataclasses.dataclass(frozen=True)
    class DataTriple(DataPair):
        c: int = 3

    told = [(p.name, p.kind, p.default) for p in signature(Triple).parameters.values()]
    assert told == [(p.name, p.kind, p.default) for p in signature(DataTriple).parameters.values()]
    one = Triple(1, c=5)
    assert dataclasses.astuple(one) == dataclasses.astuple(DataTriple(1, c=5)) == (1, 2, 5)
    assert fields(one) == ("a", "b", "c")
    assert replace(one, a=2) == dataclasses.replace(one, a=2) == Triple(2, 2, 5)
    assert one != Pair(1, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.a = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):

        @dataclasses.dataclass
        class Loose(Pair):
            c: int = 3


def test_a_users_class_may_be_made_of_an_evaluation() -> None:
    @dataclasses.dataclass(frozen=True, repr=False)
    class Mine(rankspec.Evaluation):
        note: str = ""

    given = rankspec.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["AP", "nDCG@10"])
    mine = Mine(**{name: getattr(given, name) for name in fields(given)}, note="mine")
    assert (mine["AP"], mine.note, replace(mine, note="yours").note) == (1.0, "mine", "yours")
    assert mine.definition("AP") == given.definition("AP")

    class Plain(rankspec.Evaluation):
        pass

    assert signature(Plain).parameters.keys() == signature(rankspec.Evaluation).parameters.keys()


def test_records_are_matched_by_place() -> None:
    match Pair(1, 5):
        case Pair(a, b):
            assert (a, b) == (1, 5)
    assert Named.__match_args__ == ("x", "y", "kept", "z")
