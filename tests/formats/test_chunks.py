"""Arrow columns of several chunks, slices and offsets: all rows as they are, in every layout."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest

from rankspec.compute.core import ffi, lib
from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats import arrow
from rankspec.formats.columns import Origin

from ..each import each
from .test_columns import texts_of, view, words
from .test_data_frames import lacking

TEXTS = ["", "a", "twelve bytes", "thirteen byte", "\u00e4\u20ac" * 9, "x" * 100]
"""Within a view, at its end, and beyond it."""


def pyarrow_of(kind: str, values: list[Any]) -> Any:
    pa = lacking("pyarrow")
    if kind.startswith("dictionary of "):
        return pa.array(
            values, getattr(pa, kind.removeprefix("dictionary of "))()
        ).dictionary_encode()
    if kind.startswith("decimal"):
        return pa.array([Decimal(x) for x in values], getattr(pa, kind)(9, 0))
    return pa.array(values, getattr(pa, kind)())


def chunks_of(kind: str, random: Random, values: list[Any]) -> tuple[Any, list[Any]]:
    """An array of chunks, each a slice of a longer one, and what it holds."""
    made, held = [], []
    for _ in range(random.randint(2, 5)):
        own = random.choices(values, k=random.randint(0, 40))
        begin = random.randint(0, len(own))
        length = random.randint(0, len(own) - begin)
        made.append(pyarrow_of(kind, own).slice(begin, length))
        held += own[begin : begin + length]
    return lacking("pyarrow").chunked_array(made), held


def read(table: Any, role: str) -> list[Any]:
    column = arrow.Table(table, "run").column("x")
    if role == "score":
        return list(column.numbers("score", Origin("run"), "x").tolist())
    return list(column.ids("document id", Origin("run"), "x").texts())


OF_TEXT = ["string", "large_string", "string_view", "dictionary of string"]
OF_TEXT += ["dictionary of large_string"]
OF_NUMBERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
OF_NUMBERS += ["float16", "float32", "float64", "bool_", "dictionary of int32"]
OF_NUMBERS += ["decimal32", "decimal64", "decimal128"]


class TestEveryLayout:
    @pytest.mark.spec("RS-CONV-41")
    @each("core", [True, False])
    @each("kind", OF_TEXT, fast=3)
    def test_texts(self, kind: str, core: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        if not core:
            monkeypatch.setattr(arrow, "_views_in_core", lambda: None)
        pa = lacking("pyarrow")
        for seed in range(20):
            random = Random(seed)
            column, held = chunks_of(kind, random, TEXTS)
            assert read(pa.table({"x": column}), "document") == held
            begin = random.randint(0, len(held))
            assert read(pa.table({"x": column}).slice(begin, 25), "document") == held[begin:][:25]

    @pytest.mark.spec("RS-CONV-42")
    @each("kind", OF_NUMBERS, fast=6)
    def test_numbers(self, kind: str) -> None:
        pa = lacking("pyarrow")
        if kind.startswith("decimal") and not hasattr(pa, kind):
            return
        for seed in range(20):
            random = Random(seed)
            numbers = [0, 1] if kind == "bool_" else [0, 1, 2, 100, 127]
            make: Callable[[Any], Any] = {"b": bool, "f": np.float16}.get(kind[0], int)
            column, held = chunks_of(kind, random, list(map(make, numbers)))
            assert read(pa.table({"x": column}), "score") == held
            begin = random.randint(0, len(held))
            assert read(pa.table({"x": column}).slice(begin, 25), "score") == held[begin:][:25]
            if kind[0] in "iu" or kind.endswith("int32"):
                assert read(pa.table({"x": column}), "document") == list(map(str, held))

    @pytest.mark.spec("RS-CONV-42")
    @each("kind", [*OF_TEXT, *OF_NUMBERS])
    def test_a_null_is_found_in_any_chunk(self, kind: str) -> None:
        """Bits of a slice begin within a byte; what is outside the slice is not looked at."""
        pa = lacking("pyarrow")
        if kind.startswith("decimal") and not hasattr(pa, kind):
            return
        value: Any = "a" if kind in OF_TEXT else {"b": True, "f": np.float16(1)}.get(kind[0], 1)
        if kind.startswith("decimal"):
            values = pa.array([None, Decimal(1), Decimal(1), None], getattr(pa, kind)(9, 0))
        elif kind.startswith("dictionary of "):
            own = getattr(pa, kind.removeprefix("dictionary of "))()
            values = pa.array([None, value, value, None], own).dictionary_encode()
        else:
            values = pa.array([None, value, value, None], getattr(pa, kind)())
        role = "document" if kind in OF_TEXT else "score"
        fine = pa.chunked_array([values.slice(1, 2)] * 3)
        assert len(read(pa.table({"x": fine}), role)) == 6
        wrong = pa.chunked_array([*[values.slice(1, 2)] * 3, values.slice(2, 2)])
        with pytest.raises(InputError, match="row 7"):
            read(pa.table({"x": wrong}), role)

    def test_frames_of_polars_in_several_chunks(self) -> None:
        """Which hands over string views."""
        pl = lacking("polars")
        for seed in range(20):
            random = Random(seed)
            chunks = [
                [random.choice(TEXTS) for _ in range(random.randint(1, 30))] for _ in range(4)
            ]
            held = list(chain(*chunks))
            frame = pl.concat(
                [pl.DataFrame({"x": x}, {"x": pl.String}) for x in chunks], rechunk=False
            )
            assert frame.n_chunks() == 4
            assert read(frame, "document") == held
            assert read(frame[7:31], "document") == held[7:31]

    @pytest.mark.spec("RS-CONV-42/L1")
    def test_an_evaluation_has_the_rows_behind_the_first_chunk(self) -> None:
        pa, pl = lacking("pyarrow"), lacking("polars")
        parts = [[f"a document of a long name {c}{n}" for n in range(50)] for c in "xyz"]
        documents = list(chain(*parts))
        qrels = {"1": dict.fromkeys(documents[::3], 1)}
        plain = {"1": {d: -n for n, d in enumerate(documents)}}
        columns = {"qid": [1] * 150, "score": [-n for n in range(150)]}
        views = pa.chunked_array([pa.array(x, pa.string_view()) for x in parts])
        of_polars = pl.concat([pl.DataFrame({"docno": x}) for x in parts], rechunk=False)
        of_polars = of_polars.with_columns(qid=1, score=-pl.int_range(150))
        expected = evaluate(qrels, plain, ["AP", "P@150"]).mean
        assert expected["P@150"] == 1 / 3
        for run in (pa.table(columns | {"docno": views}), of_polars):
            for backend in ("c", "reference"):
                assert evaluate(qrels, run, ["AP", "P@150"], backend=backend).mean == expected


class TestBuffers:
    """Arrays with other buffers than their type has are refused before one is read."""

    @each(
        "child",
        {
            "integers with one": (b"l", [None], 1, {}),
            "integers with three": (b"l", [None, words(5, kind="int64"), b""], 1, {}),
            "bits with one": (b"b", [None], 1, {}),
            "decimals with one": (b"d:9,0", [None], 1, {}),
            "texts with two": (b"u", [None, words(0, 0)], 1, {}),
            "texts with four": (b"u", [None, words(0, 1), b"a", b""], 1, {}),
            "long texts with two": (b"U", [None, words(0, 0, kind="int64")], 1, {}),
            "views with two": (b"vu", [None, view(1)], 1, {}),
            "views with one": (b"vu", [None], 1, {}),
            "none, but it says two": (b"l", None, 1, {"n_buffers": 2}),
            "a number below 0": (b"l", [None, words(5, kind="int64")], 1, {"n_buffers": -1}),
            "a buffer without bounds": (
                b"vu",
                [None, view(13), b"x" * 20, words(2**62, kind="int64")],
                1,
                {},
            ),
            "decimals of no form": (b"d:x", [None, words(5, kind="int64")], 1, {}),
        }.values(),
    )
    def test_what_is_wrong(self, child: Any) -> None:
        with pytest.raises(InputError):
            texts_of(child)

    def test_the_texts_of_a_later_chunk_are_written_from_their_own_beginning(self) -> None:
        """Under AddressSanitizer: the room is that of the chunk, and no byte behind is written."""
        views = view(13, 0, 1) + words(2) + b"ab".ljust(12, b"\0")
        data = ffi.new("char[]", b"_thirteen byte")
        args = (views, 2, ffi.new("char *[]", [data]), ffi.new("int64_t[]", [14]), 1)
        offsets, text = ffi.new("int64_t[]", [1000, 0, 0]), ffi.new("char[]", b"?" * 15)
        assert lib.rs_read_views(*args, offsets, ffi.NULL, 0) == 1015
        assert lib.rs_read_views(*args, offsets, text, 15) == 1015
        assert (bytes(ffi.buffer(text)), list(offsets)) == (
            b"thirteen byteab\0",
            [1000, 1013, 1015],
        )
        assert lib.rs_read_views(*args, offsets, text, 14) == lib.RS_BAD_COLUMN
