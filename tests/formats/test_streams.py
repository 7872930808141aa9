"""Compressed files of several parts, and what may stand behind a part."""

from __future__ import annotations

import gc
import gzip
import io
import itertools
import lzma
import weakref
from collections.abc import Callable

import pytest

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.streams import Stream

from .compressions import COMPRESSIONS

PARTS = (b"q1 Q0 a 1 2 t\n" * 5, b"q2 Q0 c 1 2 t\n", b"")

Compress = Callable[[bytes], bytes]


def content(compressed: bytes) -> bytes:
    return Stream(io.BytesIO(compressed)).content()


@pytest.fixture(params=COMPRESSIONS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def compress(kind: str) -> Compress:
    return COMPRESSIONS[kind]


@pytest.mark.spec("RS-CONV-19")
def test_parts_are_one_file(compress: Compress) -> None:
    for parts in itertools.product(PARTS, repeat=3):
        assert content(b"".join(map(compress, parts))) == b"".join(parts)


@pytest.mark.spec("RS-CONV-19")
@pytest.mark.parametrize("junk", [b"\n", b"junk", b"q2 Q0 c 1 2 t\n", b"\0" * 8 + b"x"])
def test_what_is_no_part_is_not_dropped(kind: str, compress: Compress, junk: bytes) -> None:
    """bz2 and lzma would read such files without a word, and without what follows."""
    for behind in (junk, junk + compress(PARTS[1])):
        with pytest.raises(InputError, match=f"the {kind} data (are damaged|end too early)"):
            content(compress(PARTS[0]) + behind)


def test_what_follows_gzip_is_said_in_words() -> None:
    with pytest.raises(InputError, match=r"are damaged: something that is no gzip follows them$"):
        content(gzip.compress(PARTS[0]) + b"junk")


@pytest.mark.spec("RS-CONV-19")
def test_a_part_that_is_cut(kind: str, compress: Compress) -> None:
    second = compress(PARTS[1])
    for length in range(1, len(second)):
        with pytest.raises(InputError, match=f"the {kind} data"):
            content(compress(PARTS[0]) + second[:length])


@pytest.mark.spec("RS-CONV-19")
@pytest.mark.parametrize("zeros", [4, 8, 4_000_000])
def test_xz_pads_with_zeros(zeros: int) -> None:
    first, second = map(lzma.compress, PARTS[:2])
    padding = bytes(zeros)
    assert content(first + padding + second + padding) == PARTS[0] + PARTS[1]
    with pytest.raises(InputError):
        content(first + padding + b"\0" + second)


@pytest.mark.spec("RS-CONV-19")
def test_zstd_may_begin_with_a_frame_to_skip() -> None:
    skipped = b"\x5a\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"
    assert content(skipped + COMPRESSIONS["zstd"](PARTS[0]) + skipped) == PARTS[0]


class Full(io.BytesIO):
    def write(self, _: object) -> int:
        raise OSError(28, "No space left on device")


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be read only once, or is read query by query, is copied."""
    monkeypatch.setattr("tempfile.TemporaryFile", Full)
    message = "the open file: cannot be copied to a temporary file: No space left on device"
    with pytest.raises(InputError, match=message):
        evaluate({"q": {"a": 1}}, io.BytesIO(b"q Q0 a 1 1 t\n"), "RR")


@pytest.mark.spec("RS-CONV-19")
def test_what_is_not_read_to_the_end_is_closed_at_once() -> None:
    """No cycle of garbage holds the temporary copy of a file that was refused."""
    stream = Stream(io.BytesIO(b"q1 0 a 1\n" * 10_000), again=True)
    assert stream.head(10) == b"q1 0 a 1\nq"
    gone = weakref.ref(stream)
    gc.disable()
    try:
        del stream
        assert gone() is None
    finally:
        gc.enable()
