"""Runs made to be slow to read: none takes many times as long as any other of its size."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute.core import ffi, lib
from rankspec.evaluation.evaluate import evaluate

N = 30_000
ORDINARY = [b"%016d" % i for i in range(N)]


def mixed(x: int) -> int:
    """The mixing of 64 bits by one product, without a key."""
    product = x * 0x9E3779B97F4A7C15
    return (product ^ product >> 64) % 2**64


def ids_of_one_hash() -> Iterator[bytes]:
    """Ids of one hash, if it were made of such mixings and began with their length.

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


# ---- ids and documents crafted against a hash --------------------------------------------

CRAFTED = """
import itertools, sys
assert sys.hash_info.algorithm == "siphash13"
slots = int(sys.argv[2]) - 1
ids = (b"%08d" % a for a in itertools.count())
crafted = (x for x in ids if not hash(x) & slots)
print(b"\\n".join(itertools.islice(crafted, int(sys.argv[1]))).decode())
"""


def ids_of_one_slot(n: int, slots: int) -> bytes:
    """Ids that SipHash-1-3 with the key 0 puts into one slot: CPython's hash of bytes, where
    PYTHONHASHSEED is 0.
    """
    program = [sys.executable, "-c", CRAFTED, str(n), str(slots)]
    own = {**os.environ, "PYTHONHASHSEED": "0"}
    return subprocess.run(program, env=own, capture_output=True, check=True).stdout.strip()  # noqa: S603


def probes(text: bytes, key: list[int] | None) -> int:
    """How many slots the core looks at to put ids, one a line, into a table."""
    n = text.count(b"\n") + 1
    begin, length = (ffi.new("int64_t[]", n) for _ in range(2))
    ids = ffi.new("rs_ids *", {"begin": begin, "length": length})
    held = ffi.from_buffer(text + bytes(lib.RS_PADDING))
    assert lib.rs_split(held, len(text), ids) == n
    return int(lib.rs_count_probes(ids, n, ffi.NULL if key is None else ffi.new("uint64_t[]", key)))


@pytest.mark.skipif(sys.hash_info.algorithm != "siphash13", reason="CPython has another hash")
@pytest.mark.spec("RS-NUM-27", "RS-NUM-27/L1")
def test_ids_of_one_slot_are_spread_by_a_key_that_nobody_knows() -> None:
    """With the key that they were crafted for, which is the control, each meets all before it."""
    n = 500
    crafted = ids_of_one_slot(n, 1024)
    assert probes(crafted, [0, 0]) == n * (n + 1) // 2
    assert probes(crafted, None) < 3 * n
    assert probes(crafted, [0, 1]) < 3 * n
    assert probes(b"\n".join(ORDINARY), None) < 3 * N


@pytest.mark.spec("RS-NUM-27/L2")
@pytest.mark.slow
def test_each_process_has_a_key_of_its_own() -> None:
    counts = (
        "from tests.formats.test_hostile import ORDINARY, probes\n"
        "print([probes(b'\\n'.join(ORDINARY[:n]), None) for n in range(1000, 3000, 100)])"
    )
    root = Path(__file__).parents[2]
    one, other = (
        subprocess.run([sys.executable, "-c", counts], cwd=root, capture_output=True, check=True)  # noqa: S603
        for _ in range(2)
    )
    assert one.stdout
    assert one.stdout != other.stdout


@pytest.mark.spec("RS-NUM-27")
@pytest.mark.slow
def test_documents_of_a_session_may_have_any_numbers() -> None:
    """Numbers that the mixing of 64 bits without a key, as splitmix64 does it, has in one slot."""
    n = 20_000
    crafted = np.array([unmixed(a << 24) for a in range(1, n + 1)], dtype=np.uint64)
    documents = crafted.view(np.int64).reshape(1, n)
    ordinary = np.arange(n).reshape(1, n)
    seconds_of_session(ordinary)  # with what is imported first
    expected = min(seconds_of_session(ordinary) for _ in range(3))
    assert min(seconds_of_session(documents) for _ in range(3)) < 12 * expected + 0.02


def seconds_of_session(documents: Any) -> float:
    labels = np.ones(documents.shape, dtype=np.uint8)
    begin = time.process_time()
    rs.nsdcg(labels, ids=documents, repeats=0)
    return time.process_time() - begin


def unmixed(hash_: int) -> int:
    """The number of which a mixing with shifts and products made this."""
    x = unshifted(hash_, 32)
    x = unshifted(x * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64, 29)
    return unshifted(x * pow(0x9E3779B97F4A7C15, -1, 2**64) % 2**64, 32)


def unshifted(y: int, bits: int) -> int:
    """x, of which y = x ^ x >> bits."""
    x = y
    for _ in range(64 // bits):
        x = y ^ x >> bits
    return x
