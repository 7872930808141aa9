"""Numbers of other programs are looked at before the core follows them, to the last one."""

from __future__ import annotations

import struct

import pytest

from rankspec.compute.core import ffi, lib

BAD_COLUMN = lib.RS_BAD_COLUMN


@pytest.mark.parametrize(
    ("code", "size"), [(0, 1), (1, 2), (2, BAD_COLUMN), (3, BAD_COLUMN), (-1, BAD_COLUMN)]
)
def test_a_code_leads_to_one_of_the_ids(code: int, size: int) -> None:
    """The memory behind the ids holds more numbers, so that reading them would be noticed."""
    integers = ffi.new("int64_t[]", [7, 10, 100, 1000])
    codes = ffi.new("int64_t[]", [code])
    column = ffi.new("rs_id_column *", {"integers": integers, "codes": codes, "n": 2, "rows": 1})
    assert lib.rs_bytes_of(column) == size


@pytest.mark.parametrize(
    ("buffer", "begin", "ends"),
    [
        (0, 0, 16),
        (0, 4, 16),
        (0, 5, BAD_COLUMN),
        (0, -1, BAD_COLUMN),
        (0, -(2**31), BAD_COLUMN),
        (0, 2**31 - 1, BAD_COLUMN),
        (1, 0, BAD_COLUMN),
        (-1, 0, BAD_COLUMN),
    ],
)
def test_a_view_of_arrow_stays_in_its_buffer(buffer: int, begin: int, ends: int) -> None:
    text = ffi.new("char[]", b"abcdefghijklmnopqrst")
    view = ffi.new("unsigned char[]", struct.pack("=i4sii", 16, b"abcd", buffer, begin))
    buffers, sizes = ffi.new("char *[]", [text]), ffi.new("int64_t[]", [20])
    offsets = ffi.new("int64_t[]", 2)
    assert lib.rs_read_views(view, 1, buffers, sizes, 1, offsets, ffi.NULL, 0) == ends
