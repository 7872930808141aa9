"""What is kept between calls is bounded, and a child of fork() needs nobody else."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.api import at_cutoffs
from rankspec.compute import core
from rankspec.compute.gain import UNDISCOUNTED
from rankspec.reference.numbers import canonical, logarithms, polynomial


@pytest.fixture(autouse=True)
def _no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_tables", {})


def kept() -> int:
    return sum(table.size(discount) for (discount, _), table in core._tables.items())


@pytest.mark.slow
def test_tables_take_no_more_than_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those used last are kept; a value does not depend on which are there."""
    monkeypatch.setattr(core, "BYTES_OF_TABLES", 300_000)
    labels = [0] * 999 + [1]
    expected = rs.rbp(labels, p=0.5)
    first = next(iter(core._tables))
    for a in range(60):
        rs.rbp(labels, p=0.9 + a / 1000)
        assert rs.rbp(labels, p=0.5) == expected
        assert kept() <= 300_000
    assert first in core._tables  # used all the time
    assert 3 <= len(core._tables) < 20
    assert rs.rbp(labels, p=0.9) == rs.rbp(labels, p=0.9, backend="reference")


def test_small_tables_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "MOST_TABLES", 30)
    for a in range(1, 100):
        rs.rbp([1, 0], p=a / 100)
        assert len(core._tables) <= 30


def test_one_table_is_kept_however_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "BYTES_OF_TABLES", 1)
    rs.rbp([1, 0], p=0.5)
    (only,) = core._tables
    rs.rbp([1, 0], p=0.5)
    assert list(core._tables) == [only]
    rs.cg([1, 0])
    assert [discount for discount, _ in core._tables] == [UNDISCOUNTED]


def test_weights_of_a_caller_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "BYTES_OF_TABLES", 1_000_000)
    for a in range(1, 9):
        rs.dcg([1], discount=[Fraction(1, a)] * 2000)
        assert kept() <= 1_000_000
    assert 0 < len(core._tables) < 3


def test_measures_with_long_tables_are_not_remembered() -> None:
    at_cutoffs._known_measure.cache_clear()
    for a in range(3):
        rs.dcg([1], discount=(1,) * (1000 + a))
    assert at_cutoffs._known_measure.cache_info().currsize == 0
    rs.dcg([1], discount=(1, 1))
    assert at_cutoffs._known_measure.cache_info().currsize == 1


def test_what_the_reference_remembers_is_bounded() -> None:
    for function in (
        canonical.primitive,
        logarithms.logarithm,
        logarithms._plane,
        polynomial._power,
        polynomial._prime,
    ):
        most = function.cache_info().maxsize
        assert most is not None, function
        assert most <= 1 << 14, function


FORK = """
import os, signal, threading, time
import rankspec as rs
from rankspec.compute import core

building, built = threading.Event(), core._built_table

def slowly(*given):
    building.set()
    time.sleep(60)
    return built(*given)

core._built_table = slowly
threading.Thread(target=rs.rbp, args=([1, 0],), kwargs={"p": 0.25}, daemon=True).start()
building.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)
    core._built_table = built
    os._exit(0 if rs.rbp([1, 0], p=0.25) == 0.75 else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork()")
def test_a_child_does_not_wait_for_a_thread_of_its_parent() -> None:
    """fork() while another thread builds a table leaves the lock held, by nobody."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-W", "ignore", "-c", FORK],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "0", done.stderr
