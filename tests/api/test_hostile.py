"""What no caller should pass, and what changes while it is read: an error or a value, no crash.

Whatever may crash the process is done in another one, many attacks in each.
"""

from __future__ import annotations

import subprocess
import sys
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute import by_core
from rankspec.compute.batch import Batch, SessionBatch
from rankspec.errors import InputError

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
    with pytest.raises(InputError, match="ids: there are 1 for 3 labels"):
        by_core.order(labels, labels, offsets, array("q", [1]), "id-descending")
    with pytest.raises(InputError, match="positions: there are 2 for 3 labels"):
        by_core.gather(labels, array("q", [0, 1]))
    of_sessions = SessionBatch(labels, offsets, sessions=array("q", [0, 1]), documents=labels[:2])
    with pytest.raises(InputError, match="ids: there are 2 for 3 labels"):
        by_core.contradiction(of_sessions)
    assert by_core.values_by_core(ndcg, Batch(Long("q", [1, 2, 3]), offsets)) == (
        by_core.values_by_core(ndcg, Batch(labels, offsets))
    )


@pytest.mark.spec("RS-CONV-29/L2")
def test_no_object_of_a_caller_crashes_the_process() -> None:
    """Lengths, items, indices and buffers that lie, each in every place that takes it."""
    assert survived("objects")


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONV-29/L2")
@pytest.mark.parametrize("what", ["mappings", "offsets", "labels", "sessions"])
def test_no_thread_of_a_caller_crashes_the_process(what: str) -> None:
    """Another thread writes what a call reads, as fast as it can."""
    assert survived(what)
