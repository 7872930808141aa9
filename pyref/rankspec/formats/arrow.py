"""The Arrow C stream interface, read: what gives ``__arrow_c_stream__``, column by column.

Buffers are taken as they are where one chunk holds a column, and put together else. It needs no
library of Arrow: polars, DuckDB, pyarrow, pandas and others hand over structures of C by a capsule
(https://arrow.apache.org/docs/format/CDataInterface.html). What these say of themselves is checked:
the number of buffers that a layout has, offsets, codes, and views, which name the sizes of theirs.
The sizes of other buffers are not said by anyone; what a column's rows need is read, and no more.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, dropwhile
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import CoreMissing, InputError
from .columns import Ids, Origin, absent, in_column, numbers_of, unreadable

MOST_ROWS = 1 << 48
MOST_SAID = 200  # characters of an error of another library
BYTES_OF_A_VIEW, INLINE_BYTES = 16, 12
_BUFFERS_OF_NUMBERS = 2  # whether each is there, and the numbers
_BUFFERS_OF_TEXTS = 3  # and offsets with their bytes, or views with the sizes of any more buffers


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Schema))),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Array))),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(c_void_p, POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_Stream))),
    ("private_data", c_void_p),
]

_INTEGERS = {
    "c": np.int8,
    "C": np.uint8,
    "s": np.int16,
    "S": np.uint16,
    "i": np.int32,
    "I": np.uint32,
    "l": np.int64,
    "L": np.uint64,
}
_FLOATS = {"e": np.float16, "f": np.float32, "g": np.float64}
_OFFSETS = {"u": np.int32, "U": np.int64}
_NAMES = {
    "u": "string",
    "U": "large_string",
    "vu": "string_view",
    "n": "null",
    "z": "binary",
    "Z": "large_binary",
    "vz": "binary_view",
    "+r": "run_end_encoded",
    "b": "bool",
} | {form: np.dtype(x).name for form, x in (_INTEGERS | _FLOATS).items()}
_KINDS = {"td": "date", "tt": "time", "ts": "timestamp", "tD": "duration", "ti": "interval"}
_KINDS |= {"+l": "list", "+L": "list", "+w": "list", "+v": "list", "+s": "struct", "+m": "map"}
_KINDS |= {"+u": "union", "d:": "decimal", "w:": "binary"}


Struct = TypeVar("Struct", _Schema, _Array, _Stream)


class _Owned(Generic[Struct]):
    """A structure that is released when nobody needs it any more."""

    def __init__(self, value: Struct) -> None:
        self.value: Struct = value

    def __del__(self) -> None:
        if self.value.release:
            self.value.release(ctypes.byref(self.value))


_pointer_of = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_TAKING = threading.Lock()
"""Held while a stream is taken: of two threads with one capsule, one gets it."""


def _taken(capsule: Any) -> _Owned[_Stream] | None:
    """The stream of a capsule, which is ours from now on; None: it was somebody's before.

    Whoever takes a stream, or releases it, leaves no release in the capsule: nothing else there
    may be called then.
    """
    given = _Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
    with _TAKING:
        if not given.release:
            return None
        own = _Stream.from_buffer_copy(given)
        given.release = type(given.release)()
    return _Owned(own)


class Table:
    """The chunks of a stream, of which columns are read by their names.

    names: of the columns, in order; none where the stream is of a single column
    """

    def __init__(self, source: Any, what: str) -> None:
        """source: has __arrow_c_stream__; what: it is, for messages."""
        self._what = what
        stream = _taken(source.__arrow_c_stream__())
        if stream is None:
            raise InputError(
                f"{what}: the Arrow stream was already read; give something that can be read "
                "again, such as a table, or a new stream (RS-CONV-42)"
            )
        self._stream = stream
        self._schema = _Owned(_Schema())
        self._ask("get_schema", self._schema.value)
        own = self._schema.value
        if not own.release:
            raise self._broken("it gives no schema")
        n = own.n_children if own.format == b"+s" else 0
        self.names = [_text(own.children[a].contents.name) for a in range(n)]

    def column(self, name: str | None) -> Column:
        """A column by its name; None: the stream is one."""
        schema, chunks = self._schema.value, self._chunks
        if name is None:
            return Column(self._schema, schema, [_whole(x) for x in chunks])
        a = self.names.index(name)
        child = schema.children[a].contents
        return Column(self._schema, child, [self._child(x, a) for x in chunks])

    @cached_property
    def _chunks(self) -> list[_Owned[_Array]]:
        chunks: list[_Owned[_Array]] = []
        while True:
            chunk = _Owned(_Array())
            self._ask("get_next", chunk.value)
            if not chunk.value.release:
                return chunks
            if chunk.value.length:
                chunks.append(chunk)

    def _child(self, chunk: _Owned[_Array], a: int) -> Chunk:
        parent = chunk.value
        if parent.n_children != len(self.names):
            raise self._broken("a chunk has other columns than the schema")
        own = _whole(chunk)
        child = parent.children[a].contents
        if not child.release:  # it was moved to somebody, who may have freed its buffers
            raise self._broken("a column has been released before")
        if child.length < own.begin + own.length:
            raise self._broken("a column is shorter than its table")
        return Chunk(chunk, child, child.offset + own.begin, own.length, own)

    def _ask(self, function: str, to: Any) -> None:
        stream = self._stream.value
        asked = getattr(stream, function)
        if not asked:
            raise self._broken(f"it has no {function}()")
        if asked(ctypes.byref(stream), ctypes.byref(to)):
            said = stream.get_last_error(ctypes.byref(stream)) if stream.get_last_error else None
            why = _of_its_error(_text(ctypes.string_at(said))) if said else "it says no reason"
            raise self._broken(why)

    def _broken(self, why: str) -> InputError:
        return InputError(f"{self._what}: the Arrow stream cannot be read: {why}")


def _of_its_error(said: str) -> str:
    """What a stream says of its error, in a line: of a traceback of Python its type and message."""
    *_, last = said.split("Traceback (most recent call last):\n")
    if last != said:
        last = "\n".join(dropwhile(lambda line: line.startswith(" "), last.splitlines()))
    return " ".join(last.split())[:MOST_SAID]


def _text(given: bytes | None) -> str:
    return (given or b"").decode("utf-8", "replace")


@dataclass(frozen=True)
class Chunk:
    """Some rows of a column: those from begin on in the buffers of an array.

    owner: keeps the array; parent: the rows of the table that they are of
    """

    owner: _Owned[_Array]
    array: _Array
    begin: int
    length: int
    parent: Chunk | None = None

    def __post_init__(self) -> None:
        if not (0 <= self.begin <= MOST_ROWS and 0 <= self.length <= MOST_ROWS):
            raise InputError(f"an Arrow array claims {self.length} rows from {self.begin} on")
        if self.array.n_buffers and not (self.array.n_buffers > 0 and self.array.buffers):
            raise InputError(
                f"an Arrow array says that it has {self.array.n_buffers} buffers, and has none"
            )

    def check_layout(self, buffers: int, variadic: bool = False) -> None:
        """Refuses an array that has other buffers than its type; variadic: it may have more."""
        n = self.array.n_buffers
        if n != buffers and not (variadic and n > buffers):
            raise InputError(
                f"an Arrow array has {n} buffers; its type has {buffers}"
                + (" and those of its texts" if variadic else "")
            )

    def buffer(self, number: int, dtype: Any, n: int) -> Any:
        """The first n numbers of a buffer, which lives as long as they."""
        array = self.array
        if not n:
            return np.empty(0, dtype)
        address = array.buffers[number] if number < array.n_buffers else None
        if not address:
            raise InputError("an Arrow array lacks a buffer that its rows need")
        held = (ctypes.c_char * (n * np.dtype(dtype).itemsize)).from_address(address)
        held.owner = self.owner
        found = np.frombuffer(held, dtype, n)
        return found if found.flags.aligned else found.copy()

    def numbers(self, dtype: Any) -> Any:
        return self.buffer(1, dtype, self.begin + self.length)[self.begin :]

    def bits(self, number: int) -> Any:
        """The bits of the rows in a buffer, as bytes of 0 and 1."""
        first = self.begin // 8
        whole = self.buffer(number, np.uint8, -(-(self.begin + self.length) // 8))[first:]
        bits = np.unpackbits(whole, bitorder="little")
        return bits[self.begin - 8 * first :][: self.length]

    def first_null(self) -> int | None:
        """The first row that is null, or of which the table's row is."""
        if self.parent and (row := self.parent.first_null()) is not None:
            return row
        array = self.array
        if not self.length or array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
            return None
        bits = self.bits(0)
        row = int(bits.argmin())
        return None if bits[row] else row

    @property
    def place(self) -> tuple[Any, ...]:
        """Where the rows are in memory: of a dictionary that several chunks have, the same."""
        array = self.array
        return (self.begin, self.length, *(array.buffers[a] for a in range(array.n_buffers)))


def _whole(x: _Owned[_Array]) -> Chunk:
    return Chunk(x, x.value, x.value.offset, x.value.length)


def _values_of(chunk: Chunk) -> Chunk:
    """The values of a dictionary."""
    if not chunk.array.dictionary:
        raise InputError("an Arrow array lacks the dictionary that its schema has")
    values = chunk.array.dictionary.contents
    return Chunk(chunk.owner, values, values.offset, values.length)


@dataclass(frozen=True)
class Column:
    """A column of a stream: its chunks, in order."""

    owner: _Owned[_Schema]
    schema: _Schema
    chunks: list[Chunk]

    @property
    def form(self) -> str:
        return _text(self.schema.format)

    @property
    def kind(self) -> str:
        """Its type in words."""
        if self.schema.dictionary:
            values = Column(self.owner, self.schema.dictionary.contents, [])
            return f"dictionary of {values.kind}"
        form = self.form
        return _NAMES.get(form) or _KINDS.get(form[:2]) or f'Arrow "{form}"'

    def ids(self, what: str, origin: Origin, name: str) -> Ids:
        """The column as ids; what: "query id" or "document id". RS-CONV-41"""
        if not self.chunks:  # of whatever type: some libraries have one of their own for no value
            return Ids.of_texts([], name=name)
        if self.schema.dictionary:
            values, codes = self._dictionary(what, origin, name)
            found = values._ids(what, origin, name)
            return Ids(found.text, found.offsets, found.integers, codes, name)
        self._check_nulls(what, origin, name)
        return self._ids(what, origin, name)

    def _ids(self, what: str, origin: Origin, name: str) -> Ids:
        if self.form in _INTEGERS or self._places == 0:
            return Ids(
                integers=numbers_of(self._numbers(what, origin, name), what, origin), name=name
            )
        if self.form in (*_OFFSETS, "vu"):
            return Ids(*self._texts(), name=name)
        raise unreadable(name, what, self.kind, origin, _FIXES.get(self.form, ""))

    def numbers(self, what: str, origin: Origin, name: str) -> Any:
        """The column as numbers; what: "label", "score" or "rank". RS-CONV-42"""
        if not self.chunks:
            return np.empty(0, np.int64)
        if self.schema.dictionary:
            values, codes = self._dictionary(what, origin, name)
            found = values._numbers(what, origin, name)[codes]
        else:
            self._check_nulls(what, origin, name)
            found = self._numbers(what, origin, name)
        return numbers_of(found, what, origin, name)

    def _numbers(self, what: str, origin: Origin, name: str) -> Any:
        """The numbers as they are; those of nulls are any."""
        form = self.form
        if form in _INTEGERS or form in _FLOATS:
            self._check_layout(_BUFFERS_OF_NUMBERS)
            dtype = _INTEGERS.get(form) or _FLOATS[form]
            return _together([x.numbers(dtype) for x in self.chunks], dtype)
        if form == "b":
            self._check_layout(_BUFFERS_OF_NUMBERS)
            return _together([x.bits(1) for x in self.chunks], np.uint8)
        if self._places is not None:
            return self._decimals(what, origin, name)
        raise unreadable(name, what, self.kind, origin)

    @property
    def _places(self) -> int | None:
        """How many decimal places the numbers have; None: they are no decimals that are read."""
        if not self.form.startswith("d:") or self.schema.dictionary:
            return None
        try:
            parts = [int(x) for x in self.form[2:].split(",")]
        except ValueError:
            return None
        bits = parts[2] if len(parts) > 2 else 128
        return parts[1] if bits in (32, 64, 128) else None

    def _decimals(self, what: str, origin: Origin, name: str) -> Any:
        """Decimals as the numbers that they are, where those are doubles or whole."""
        self._check_layout(_BUFFERS_OF_NUMBERS)
        bits = int([*self.form[2:].split(","), "128"][2])
        dtype = np.dtype({32: np.int32, 64: np.int64}.get(bits, (np.int64, 2)))
        parts = _together([x.numbers(dtype) for x in self.chunks], dtype)
        digits = parts
        if bits == 128:
            low, high = (0, 1) if sys.byteorder == "little" else (1, 0)
            digits = np.ascontiguousarray(parts[:, low])
            self._check_all(parts[:, high] == digits >> 63, what, origin, name)
        places = self._places or 0
        if places == 0:
            return digits
        distinct, which = np.unique(digits, return_inverse=True)
        exact = [Fraction(x) / Fraction(10) ** places for x in distinct.tolist()]
        doubles = [float(x) for x in exact]
        same = np.array([x == y for x, y in zip(exact, doubles, strict=True)], bool)
        self._check_all(same[which], what, origin, name)
        return np.array(doubles)[which]

    def _check_all(self, fine: Any, what: str, origin: Origin, name: str) -> None:
        if not fine.all():
            row = int(fine.argmin())
            raise InputError(
                f"{origin.row(row)}: the {what}{in_column(name)} is a decimal that is no "
                + (
                    "integer of 64 bits; cast it to text"
                    if what.endswith("id")
                    else "double; cast it"
                )
                + " (RS-CONV-42)"
            )

    def _check_layout(self, buffers: int, variadic: bool = False) -> None:
        for chunk in self.chunks:
            chunk.check_layout(buffers, variadic)

    def _check_nulls(self, what: str, origin: Origin, name: str) -> None:
        before = 0
        for chunk in self.chunks:
            row = 0 if self.form == "n" else chunk.first_null()
            if row is not None:
                raise absent(what, origin, before + row, name)
            before += chunk.length

    def _texts(self) -> tuple[Any, Any]:
        """The bytes of all texts, and their offsets."""
        self._check_layout(_BUFFERS_OF_TEXTS, variadic=self.form == "vu")
        if self.form == "vu":
            return _of_views(self.chunks)
        dtype, found = _OFFSETS[self.form], []
        for x in self.chunks:
            offsets = np.zeros(1, dtype)
            if x.length:
                offsets = x.buffer(1, dtype, x.begin + x.length + 1)[x.begin :]
            begin, size = int(offsets[0]), int(offsets[-1])
            if not 0 <= begin <= size <= MOST_ROWS:
                raise InputError(
                    f"an Arrow array says that its texts begin at byte {begin} and end at {size}"
                )
            found.append((x.buffer(2, np.uint8, size), offsets))
        if len(found) == 1:
            return found[0]
        begins = [int(offsets[0]) for _, offsets in found]
        ends = [int(offsets[-1]) for _, offsets in found]
        texts = [text[begin:] for (text, _), begin in zip(found, begins, strict=True)]
        shifts = accumulate((e - b for b, e in zip(begins, ends, strict=True)), initial=0)
        together = [np.zeros(1, np.int64)]
        together += [
            own[1:].astype(np.int64) + (shift - begin)
            for (_, own), begin, shift in zip(found, begins, shifts, strict=False)
        ]
        return _together(texts, np.uint8), np.concatenate(together)

    def _dictionary(self, what: str, origin: Origin, name: str) -> tuple[Column, Any]:
        """The values of all dictionaries, and of each row the number of its own."""
        if self.form not in _INTEGERS or self.schema.dictionary.contents.dictionary:
            raise unreadable(name, what, self.kind, origin)
        self._check_layout(_BUFFERS_OF_NUMBERS)
        self._check_nulls(what, origin, name)
        values: list[Chunk] = []
        known: dict[Any, int] = {}
        codes, n, before = [], 0, 0
        for chunk in self.chunks:
            own = _values_of(chunk)
            place = own.place
            if place not in known:
                known[place] = n
                values.append(own)
                n += own.length
            of_rows = chunk.numbers(_INTEGERS[self.form]).astype(np.int64)
            if not ((of_rows >= 0) & (of_rows < own.length)).all():
                raise InputError(
                    f"{origin.source}: a code{in_column(name)} has no value in its dictionary"
                )
            if own.first_null() is not None and (null := own.bits(0)[of_rows] == 0).any():
                raise absent(what, origin, before + int(null.argmax()), name)
            codes.append(of_rows + known[place])
            before += chunk.length
        column = Column(self.owner, self.schema.dictionary.contents, values)
        return column, _together(codes, np.int64)


_FIXES = dict.fromkeys(("z", "Z", "vz"), "; cast it to text") | dict.fromkeys(
    _FLOATS,
    "; cast it to integers (which become floats in pandas where some are missing) or to text",
)


def _together(arrays: list[Any], dtype: Any) -> Any:
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.empty(0, dtype)


def _of_views(chunks: list[Chunk]) -> tuple[Any, Any]:
    """The texts of string views, copied one behind the other, and their offsets."""
    offsets = np.zeros(sum(x.length for x in chunks) + 1, np.int64)
    read = _views_in_core() or _views_in_python
    texts, row = [], 0
    for x in chunks:
        views = x.buffer(1, np.uint8, (x.begin + x.length) * BYTES_OF_A_VIEW)
        n = x.array.n_buffers - _BUFFERS_OF_TEXTS  # each chunk has its own, before their sizes
        sizes = x.buffer(n + 2, np.int64, n)
        if n and not (sizes.min() >= 0 and sizes.max() <= MOST_ROWS):
            raise _bad_view()
        data = [x.buffer(a + 2, np.uint8, size) for a, size in enumerate(sizes.tolist())]
        own = offsets[row : row + x.length + 1]
        texts.append(read(views[x.begin * BYTES_OF_A_VIEW :], data, own))
        row += x.length
    return _together(texts, np.uint8), offsets


def _views_in_core() -> Any:
    try:
        from ..compute.core import ffi, lib, numbers_in
    except CoreMissing:
        return None

    def read(views: Any, data: list[Any], offsets: Any) -> Any:
        texts = [numbers_in(x) for x in data]
        args = (
            numbers_in(views, "unsigned char[]"),
            len(offsets) - 1,
            ffi.new("char *[]", texts or [ffi.NULL]),
            ffi.new("int64_t[]", [len(x) for x in data] or [0]),
            len(data),
            ffi.from_buffer("int64_t[]", offsets),
        )
        begin = int(offsets[0])
        end = lib.rs_read_views(*args, ffi.NULL, 0)
        text = np.empty(max(end - begin, 0), np.uint8)
        if end < 0 or lib.rs_read_views(*args, ffi.from_buffer("char[]", text), len(text)) < 0:
            raise _bad_view()
        return text

    return read


def _views_in_python(views: Any, data: list[Any], offsets: Any) -> Any:
    text = bytearray()
    for a in range(len(offsets) - 1):
        view = views[a * BYTES_OF_A_VIEW : (a + 1) * BYTES_OF_A_VIEW].tobytes()
        length, _, buffer, begin = struct.unpack("=4i", view)
        if 0 <= length <= INLINE_BYTES:
            text += view[4 : 4 + length]
        elif 0 <= buffer < len(data) and 0 <= begin <= len(data[buffer]) - length and length > 0:
            text += data[buffer][begin : begin + length].tobytes()
        else:
            raise _bad_view()
        offsets[a + 1] = offsets[0] + len(text)
    return np.frombuffer(bytes(text), np.uint8)


def _bad_view() -> InputError:
    return InputError("an Arrow array of string views leads out of its buffers")
