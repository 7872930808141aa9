"""Runs made to be slow to read: none takes many times as long as any other of its size."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from itertools import count, islice

import pytest

from rankspec.evaluation import evaluate

N = 30_000
ORDINARY = [b"%016d" % i for i in range(N)]


def mixed(x: int) -> int:
    """What csrc/lists.c makes of 64 bits."""
    product = x * 0x9E3779B97F4A7C15
    return (product ^ product >> 64) % 2**64


def ids_of_one_hash() -> Iterator[bytes]:
    """Ids of one hash, if it began with their length, as it does but for an unknown address.

    The first eight bytes are any; the others take back the difference that these have made.
    """
    begin, wanted = mixed(16), int.from_bytes(b"whatever", "little")
    for number in count():
        first = b"%08d" % number
        state = (mixed(begin ^ int.from_bytes(first, "little")) + 1) % 2**64
        identifier = first + (state ^ wanted).to_bytes(8, "little")
        if b"\0" not in identifier and identifier.split() == [identifier]:
            yield identifier


def seconds(ids: list[bytes], scores: range) -> float:
    """Of processor time, to evaluate a run of one query."""
    lines = (b"q Q0 %b 1 %d t\n" % line for line in zip(ids, scores, strict=True))
    qrels, run = io.BytesIO(b"q 0 a 1\n"), io.BytesIO(b"".join(lines))
    begin = time.process_time()
    evaluate(qrels, run, ["P@1"])
    return time.process_time() - begin


@pytest.mark.parametrize(
    ("ids", "scores"),
    [
        pytest.param(list(islice(ids_of_one_hash(), N)), range(N, 0, -1), id="ids of one hash"),
        pytest.param(ORDINARY, range(N), id="scores that rise"),
    ],
)
def test_no_run_is_much_slower_than_another(ids: list[bytes], scores: range) -> None:
    ordinary = min(seconds(ORDINARY, range(N, 0, -1)) for _ in range(3))
    assert min(seconds(ids, scores) for _ in range(2)) < 12 * ordinary
