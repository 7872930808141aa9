"""`each`: it goes through every case, and names those that fail."""

from __future__ import annotations

from typing import Any

import pytest

from .each import LANE, MOST_FAILURES, each


@pytest.fixture(autouse=True)
def in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LANE, "fast", False)
    monkeypatch.setattr(LANE, "case", "")


def test_the_product_of_all_cases_beside_what_pytest_gives() -> None:
    seen = []

    @each("x", [1, 2])
    @each(("y", "z"), [("a", 0), pytest.param("b", 1, id="second")])
    def check(given: str, x: int, y: str, z: int) -> None:
        seen.append((given, x, y, z))

    check(given="fixture")
    assert seen == [("fixture", x, y, z) for x in (1, 2) for y, z in (("a", 0), ("b", 1))]


def test_one_failure_is_raised_with_the_name_of_its_case() -> None:
    @each("x", [1, 2, 3], ids=["one", "two", "three"])
    @each("y", "ab")
    def check(x: int, y: str) -> None:
        assert (x, y) != (2, "b")

    with pytest.raises(AssertionError) as raised:
        check()
    assert raised.value.__notes__ == ["case: two-b"]


def test_several_failures_are_raised_together() -> None:
    ran = []

    @each("x", range(100))
    def check(x: int) -> None:
        ran.append(x)
        assert x % 2 == 0

    with pytest.raises(
        ExceptionGroup, match=rf"^{MOST_FAILURES} of 100 .*there: 1, 3, 5"
    ) as raised:
        check()
    assert len(raised.value.exceptions) == MOST_FAILURES
    assert ran == list(range(2 * MOST_FAILURES))


def test_a_case_does_not_skip_the_others() -> None:
    @each("x", [1])
    def check(x: int) -> None:
        assert x
        pytest.skip("not this one")

    with pytest.raises(AssertionError, match="no place to skip"):
        check()


def test_a_part_in_the_fast_lane_and_those_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    @each("x", range(100), fast=4)
    def check(x: int) -> None:
        seen.append(x)

    monkeypatch.setattr(LANE, "fast", True)
    check()
    assert seen == [0, 25, 50, 75]
    monkeypatch.setattr(LANE, "case", "99")
    check()
    assert seen[4:] == [99]


def test_a_name_that_the_check_does_not_take() -> None:
    with pytest.raises(AssertionError, match="does not take"):

        @each("x", [1])
        def check() -> None: ...
