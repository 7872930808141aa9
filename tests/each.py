"""Cases that belong together, in one test: `each` stands where `pytest.mark.parametrize` would.

    @each("labels", [[1, 2], [3]])
    @each(("k", "value"), {"top": (1, 1.0), "all": (None, 3.0)}.values(), ids=["top", "all"])
    def test_sum(labels, k, value): ...

One test goes through the product of all cases. It goes on after a case that fails, and ends with
what failed and the name of the case in a note. An item of pytest's costs milliseconds, in each
worker anew, and these checks mostly microseconds; so thousands of them are some hundred tests.

`pytest --case TEXT` runs only the cases whose name contains TEXT. `fast=n` takes n of the cases
in the fast lane, evenly; the slow lane takes all. A test that by itself takes less
in the fast lane, by `in_lane`, is marked `@thinned`, so that the slow lane runs it again.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

MOST_FAILURES = 5
"""After so many, a test ends."""


class _Lane:
    """What tests/conftest.py was asked for."""

    fast = True
    case = ""


LANE = _Lane()


def in_lane(fast: int, full: int) -> int:
    """Return how much a test takes: of the fast lane, or in full."""
    return fast if LANE.fast else full


def thinned(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test of which the fast lane takes a part."""
    test.thinned = True  # type: ignore[attr-defined]
    return test


def is_thinned(item: pytest.Item) -> bool:
    """Return True for a test of which the fast lane takes a part."""
    return getattr(getattr(item, "obj", None), "thinned", False)


class _Axis(NamedTuple):
    names: tuple[str, ...]
    cases: list[tuple[str, tuple[Any, ...]]]  # a name, and a value for each of the names
    fast: int | None


@contextmanager
def case(name: object) -> Iterator[None]:
    """Adds a case's name to whatever is raised in it."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {name}")
        raise


def each(
    names: str | Sequence[str],
    cases: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], object] | None = None,
    fast: int | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a test the arguments of all cases, one after the other.

    names, cases, ids: as those of `pytest.mark.parametrize`
    fast: how many cases the fast lane takes; None: all

    What a fixture gives is the same for all cases of a test.
    """
    split = tuple(n.strip() for n in names.split(",")) if isinstance(names, str) else tuple(names)
    single = isinstance(names, str) and len(split) == 1
    values = [_values(x, single) for x in cases]
    axis = _Axis(split, list(zip(_names(values, ids), values, strict=True)), fast)

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        body, axes = getattr(check, "each", (check, ()))
        return _loop(check, body, (axis, *axes))

    return decorate


def _values(given: Any, single: bool) -> tuple[Any, ...]:
    if hasattr(given, "marks"):
        assert not given.marks, "a case has no marks of its own"
        return tuple(given.values)
    return (given,) if single else tuple(given)


def _names(values: list[tuple[Any, ...]], ids: Any) -> list[str]:
    if callable(ids):
        return ["-".join(str(ids(x)) for x in case) for case in values]
    return list(ids) if ids is not None else ["-".join(map(_name, case)) for case in values]


def _name(value: Any) -> str:
    text = getattr(value, "__name__", None) or (value if isinstance(value, str) else repr(value))
    return text if len(text) <= 100 else text[:99] + "…"


def _loop(
    marked: Callable[..., None], body: Callable[..., None], axes: tuple[_Axis, ...]
) -> Callable[..., None]:
    """The test that goes through the axes; marked: what has the marks until now."""
    looped = [name for axis in axes for name in axis.names]

    @functools.wraps(marked)
    def test(*args: Any, **given: Any) -> None:
        __tracebackhide__ = True
        failures: list[tuple[str, Exception]] = []
        chosen = [c for c in itertools.product(*map(_taken, axes)) if LANE.case in _joined(c)]
        if not chosen:
            pytest.skip(f"no case is called {LANE.case!r}" if LANE.case else "no case")
        for parts in chosen:
            arguments = dict(zip(looped, [x for _, xs in parts for x in xs], strict=True))
            try:
                with case(_joined(parts)):
                    body(*args, **given, **arguments)
            except pytest.skip.Exception as error:
                raise AssertionError("a case among others is no place to skip") from error
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                failures.append((_joined(parts), error))
                if len(failures) == MOST_FAILURES:
                    break
        _raise(failures, len(chosen))

    signature = inspect.signature(body)
    rest = [p for n, p in signature.parameters.items() if n not in looped]
    missing = set(looped) - set(signature.parameters)
    assert not missing, f"{body.__qualname__} does not take {missing}"
    test.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
    test.each = (body, axes)  # type: ignore[attr-defined]
    return thinned(test) if any(axis.fast for axis in axes) else test


def _taken(axis: _Axis) -> list[tuple[str, tuple[Any, ...]]]:
    n = len(axis.cases)
    if axis.fast is None or axis.fast >= n or not LANE.fast or LANE.case:
        return axis.cases
    return [axis.cases[i * n // axis.fast] for i in range(axis.fast)]


def _joined(parts: Sequence[tuple[str, tuple[Any, ...]]]) -> str:
    return "-".join(name for name, _ in parts)


def _raise(failures: list[tuple[str, Exception]], n: int) -> None:
    __tracebackhide__ = True
    if len(failures) == 1:
        raise failures[0][1]
    if failures:
        stopped = ", and ended there" if len(failures) == MOST_FAILURES else ""
        names = ", ".join(name for name, _ in failures)
        raise BaseExceptionGroup(
            f"{len(failures)} of {n} cases failed{stopped}: {names}", [e for _, e in failures]
        )
