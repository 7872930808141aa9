"""What stands for ``typing`` where the package runs does what ``typing`` does."""

from __future__ import annotations

import pickle
import typing

import pytest

from rankspec import typed


class Named(typed.NamedTuple):
    a: int
    b: str = "b"

    def both(self) -> str:
        """Both, one after the other."""
        return f"{self.a}{self.b}"


class FromTyping(typing.NamedTuple):
    a: int
    b: str = "b"

    def both(self) -> str:
        """Both, one after the other."""
        return f"{self.a}{self.b}"


CALLS = [
    lambda of: tuple(of(1)),
    lambda of: of(b="c", a=2).both(),
    lambda of: of(1)._replace(a=3)._asdict(),
    lambda of: of._fields,
    lambda of: of._field_defaults,
    lambda of: of.both.__doc__,
    lambda of: of.__module__,
    lambda of: repr(of(1)).removeprefix(of.__name__),
    lambda of: of(),
    lambda of: of(1, 2, 3),
    lambda of: setattr(of(1), "a", 2),
]


@pytest.mark.parametrize("call", range(len(CALLS)))
def test_a_named_tuple_is_one(call: int) -> None:
    found = []
    for of in (Named, FromTyping):
        try:
            found.append(CALLS[call](of))
        except (TypeError, AttributeError) as error:
            found.append(type(error))
    assert found[0] == found[1]


def test_a_named_tuple_is_pickled_and_keeps_its_documentation() -> None:
    assert pickle.loads(pickle.dumps(Named(1))) == Named(1)  # noqa: S301
    assert type(pickle.loads(pickle.dumps(Named(1)))) is Named  # noqa: S301

    class Told(typed.NamedTuple):
        """What it is."""

        x: int

    assert Told.__doc__ == "What it is."
    assert Told.__qualname__.endswith("Told")


def test_every_name_is_one_of_typing_and_is_there() -> None:
    for name in typed.__all__:
        assert hasattr(typed, name), name
        assert hasattr(typing, name) or name == "TypeIs", name


def test_what_stands_in_brackets_is_taken() -> None:
    T = typed.TypeVar("T")

    class Of(typed.Generic[T]):
        x = 1

    assert Of[int].x == 1
    assert typed.cast("int", "x") == "x"
