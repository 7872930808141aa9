"""Columns and Arrow streams that are not what they should be: refused, and nothing crashes."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from rankspec.compute.core import ffi, lib
from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats import arrow
from rankspec.formats.columns import Columns, Ids, Origin, numbers_of
from rankspec.formats.frames import scores_of

from ..each import each

QRELS = {"q": {"a": 1}}


def ids(*texts: str) -> Ids:
    return Ids.of_texts(list(texts))


class TestIds:
    @each(
        ("text", "offsets"),
        [
            (b"abc", [0, 1, 4]),
            (b"abc", [0, 2, 1]),
            (b"abc", [-1, 1, 2]),
            (b"abc", [0, 3, 1, 3]),
            (b"", [0, 1]),
            (b"abc", []),
            (b"abc", [0, 2**31 - 1]),
        ],
    )
    @each("kind", ["int32", "int64"])
    def test_offsets_that_lead_out_of_the_text(
        self, text: bytes, offsets: list[int], kind: str
    ) -> None:
        with pytest.raises(InputError, match="offsets"):
            Ids(text, np.array(offsets, kind))

    @each("codes", [[0, 3], [-1, 0], [2**62, 0]])
    def test_codes_of_no_value(self, codes: list[int]) -> None:
        for values in ({"integers": np.array([1, 2, 3])}, {"offsets": np.array([0, 0, 0, 0])}):
            with pytest.raises(InputError, match=": a code has no value in its dictionary"):
                Ids(**values, codes=np.array(codes))

    def test_forms_that_are_none(self) -> None:
        of_two = np.array([0, 1, 2])
        for wrong in (
            {},
            {"text": b"ab", "offsets": of_two, "integers": of_two},
            {"text": b"ab", "offsets": [0, 1, 2]},
            {"text": b"ab", "offsets": of_two.astype(">i8")},
            {"text": b"ab", "offsets": of_two[::-1]},
            {"text": b"ab", "offsets": of_two.reshape(1, 3)},
            {"integers": of_two.astype("int32")},
            {"integers": of_two.astype("float64")},
            {"integers": np.frombuffer(b"x" * 17, np.int64, 2, 1)},  # not aligned
            {"text": "ab", "offsets": of_two},
            {"text": memoryview(b"a b")[::2], "offsets": of_two},
            {"integers": of_two, "codes": of_two.astype("int32")},
        ):
            with pytest.raises(TypeError):
                Ids(**wrong)

    def test_texts_and_rows(self) -> None:
        found = Ids.of_texts(["", "\u00e4b", "\udcff\0"], np.array([2, 0, 2, 1]))
        assert list(found.texts()) == ["\udcff\0", "", "\udcff\0", "\u00e4b"]
        assert (len(found), found.different, found[3]) == (4, 3, "\u00e4b")
        whole = Ids(integers=np.array([2**64 - 1, 0], np.uint64))
        assert list(whole.texts()) == ["18446744073709551615", "0"]
        assert list(Ids.of_texts([]).texts()) == []
        for wrong in ("\ud800", "\udcc3\udca4"):
            with pytest.raises(UnicodeError):
                Ids.of_texts(["a", wrong])


class TestColumns:
    def test_lengths_that_differ(self) -> None:
        for queries, documents, n in ((1, 2, 2), (2, 1, 2), (2, 2, 1)):
            with pytest.raises(InputError, match=r"x.csv: the columns differ in length: \[1, 2\]"):
                Columns(
                    ids(*"q" * queries),
                    ids(*"d" * documents),
                    np.zeros(n),
                    "score",
                    Origin("x.csv"),
                )

    def test_numbers(self) -> None:
        for kind in ("float32", "int32", "O", ">f8"):
            with pytest.raises(TypeError):
                Columns(ids("q"), ids("d"), np.zeros(1, kind))
        with pytest.raises(InputError, match=r"a.csv:17: the score in column .s. is nan"):
            Columns(
                ids("q"),
                ids("d"),
                np.array([np.nan]),
                origin=Origin("a.csv", lambda row: f"a.csv:{row + 17}"),
                name="s",
            )
        assert numbers_of(np.array([1e308, 1e308, -1.0]), "score", Origin("run")).tolist()[2] == -1
        for kind in ("complex128", "S3", "datetime64[s]", "O", "longdouble"):
            with pytest.raises(InputError, match=r"the column .* of scores is of type"):
                numbers_of(np.zeros(1, kind), "score", Origin("run"))

    @pytest.mark.spec("RS-CONV-10")
    def test_places_of_a_file_are_named(self) -> None:
        run = Columns(
            ids("q", "q"),
            ids("a", "a"),
            np.array([1, 2]),
            origin=Origin("a.csv", lambda row: f"a.csv:{row + 2}"),
        )
        for backend in ("c", "reference"):
            with pytest.raises(InputError) as error:
                evaluate(QRELS, run, "RR", backend=backend)
            assert str(error.value).startswith(
                'a.csv:3: document "a" of query "q" occurs a second time; it is already in a.csv:2'
            )

    @each("part", ["offsets", "codes", "scores", "labels", "code of a query"])
    def test_buffers_that_change_after_they_were_checked(self, part: str) -> None:
        """As another thread may do it: the core looks at each that it follows."""
        offsets, codes = np.array([0, 1, 2]), np.array([0, 1])
        numbers = np.array([1.0, 2.0])
        documents = Ids(b"ab", offsets, codes=codes if part == "codes" else None)
        queries = Ids(b"q", np.array([0, 1]), codes=(of_query := np.array([0, 0])))
        number = "label" if part == "labels" else "score"
        found = Columns(queries, documents, numbers, number)
        if part == "offsets":
            offsets[1:] = 2**40
        elif part == "codes":
            codes[:] = -(2**62)
        elif part == "code of a query":
            of_query[1] = 2**50
        elif part == "scores":
            numbers[1] = np.nan
        if part == "labels":
            offsets[:] = [-5, 2**62, -7]
            with pytest.raises(InputError, match="the columns changed while they were read"):
                evaluate(found, QRELS, "RR", backend="c")
            return
        with pytest.raises((InputError, IndexError)):
            evaluate(QRELS, found, "RR", backend="c")

    def test_one_query_of_many_rows_and_many_queries_of_one(self) -> None:
        n = 70_000  # more than the first room of anything
        many = Ids(integers=np.arange(n))
        one = Ids(integers=np.zeros(1, np.int64), codes=np.zeros(n, np.int64))
        scores = np.arange(n)[::-1].copy()
        assert evaluate({"0": {"99": 1}}, Columns(one, many, scores), "RR")["RR"] == 0.01
        run = Columns(many, one, scores)
        found = evaluate(Columns(many, one, np.ones(n), "label", Origin("qrels")), run, "RR")
        assert found["RR"] == 1.0
        assert len(found.per_query["RR"]) == n
        scattered = Columns(
            Ids(integers=np.arange(n) % 7), Ids(integers=np.arange(n)), np.arange(n) * 1.0
        )
        assert evaluate({"3": {"69996": 1, "69989": 1}}, scattered, "AP")["AP"] == 1.0


# ---- streams of Arrow that somebody made wrongly ------------------------------------------


WORDS = ctypes.create_string_buffer(b"out of ideas")
KEPT: list[Any] = []
"""What C may still call when its stream is no longer there: for as long as the process lives."""


class Stream:
    """A stream of one chunk, made here: children are (format, buffers, length, options)."""

    def __init__(self, *children: tuple[bytes, list[Any], int, dict[str, Any]], **chunk: Any):
        self.children, self.chunk, self.keep = children, chunk, KEPT

    def _schema(self, to: Any, form: bytes, name: bytes, children: list[Any]) -> None:
        pointers = (ctypes.POINTER(arrow._Schema) * max(len(children), 1))(
            *map(ctypes.pointer, children)
        )
        self.keep += [pointers, children]
        to.format, to.name, to.n_children = form, name, len(children)
        to.children = ctypes.cast(pointers, type(to.children))
        to.release = self._kept(to.release, self._released)

    def _array(
        self, to: Any, buffers: list[Any] | None, children: list[Any], **options: Any
    ) -> None:
        held = [None if b is None else np.frombuffer(b, np.uint8).copy() for b in buffers or []]
        addresses = [None if b is None else b.ctypes.data for b in held]
        pointers = (ctypes.c_void_p * max(len(held), 1))(*addresses)
        arrays = (ctypes.POINTER(arrow._Array) * max(len(children), 1))(
            *map(ctypes.pointer, children)
        )
        self.keep += [held, pointers, arrays, children]
        to.n_buffers, to.n_children, to.null_count = len(held), len(children), -1
        if buffers is not None:
            to.buffers = ctypes.cast(pointers, type(to.buffers))
        to.children = ctypes.cast(arrays, type(to.children))
        to.release = self._kept(to.release, self._released)
        for key, value in options.items():
            setattr(to, key, value)

    def _kept(self, field: Any, function: Any) -> Any:
        self.keep.append(type(field)(function))
        return self.keep[-1]

    @staticmethod
    def _released(x: Any) -> None:
        x.contents.release = type(x.contents.release)()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        given = []

        def get_schema(_: Any, to: Any) -> int:
            schemas = [arrow._Schema() for _ in self.children]
            for a, (schema, child) in enumerate(zip(schemas, self.children, strict=True)):
                self._schema(schema, child[0], b"%c" % (97 + a), [])
            self._schema(to.contents, b"+s", b"", schemas)
            return 0

        def get_next(_: Any, to: Any) -> int:
            if not given:
                arrays = [arrow._Array() for _ in self.children]
                for array, (_, buffers, length, options) in zip(arrays, self.children, strict=True):
                    self._array(array, buffers, [], length=length, **options)
                chunk = {"length": self.children[0][2]} | self.chunk
                self._array(to.contents, [None], arrays, **chunk)
                given.append(1)
            return int(self.chunk.get("fails", 0))

        stream = arrow._Stream()
        stream.get_schema = self._kept(stream.get_schema, get_schema)
        stream.get_next = self._kept(stream.get_next, get_next)
        stream.get_last_error = self._kept(stream.get_last_error, lambda _: ctypes.addressof(WORDS))
        stream.release = self._kept(stream.release, self._released)
        self.keep.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
        return make(ctypes.addressof(stream), b"arrow_array_stream", None)


def words(*numbers: int, kind: str = "int32") -> bytes:
    return np.array(numbers, kind).tobytes()


def view(length: int, buffer: int = 0, begin: int = 0) -> bytes:
    return words(length, 0, buffer, begin)


FINE = b"u", [None, words(0, 1, 2), b"ab"], 2, {}


def texts_of(child: Any, **chunk: Any) -> list[str]:
    column = arrow.Table(Stream(child, **chunk), "run").column("a")
    return list(column.ids("document id", Origin("run"), "a").texts())


class TestStreams:
    def test_what_is_right(self) -> None:
        assert texts_of(FINE) == ["a", "b"]
        assert texts_of(FINE, offset=1, length=1) == ["b"]
        inline = words(3, kind="int32") + b"abc".ljust(12, b"\0")
        long = [None, inline + view(13, 0, 2), b"__abcdefghijklm", words(15, kind="int64")]
        assert texts_of((b"vu", long, 2, {})) == ["abc", "abcdefghijklm"]
        assert texts_of((b"l", [b"\x01", words(5, 6, kind="int64")], 1, {})) == ["5"]

    @each(
        "child",
        {
            "no buffer of offsets": (b"u", [None, None, b"ab"], 2, {}),
            "no buffer of text": (b"u", [None, words(0, 1, 2), None], 2, {}),
            "no buffers": (b"u", [], 2, {}),
            "falling offsets": (b"u", [None, words(0, 2, 1), b"ab"], 2, {}),
            "offsets below 0": (b"u", [None, words(-1, 0, 1), b"ab"], 2, {}),
            "an end below 0": (b"u", [None, words(0, 0, -1), b"ab"], 2, {}),
            "an end far away": (b"U", [None, words(0, 0, 2**62, kind="int64"), b"ab"], 2, {}),
            "a column that is too short": (*FINE[:2], 1, {}),
            "a length below 0": (*FINE[:2], -1, {}),
            "an offset below 0": (*FINE[:3], {"offset": -1}),
            "an offset without bounds": (*FINE[:3], {"offset": 2**63 - 1}),
            "a view of no buffer": (b"vu", [None, view(13) * 2, b""], 2, {}),
            "a view of another buffer": (
                b"vu",
                [None, view(13, 1) * 2, b"x" * 20, words(20, kind="int64")],
                2,
                {},
            ),
            "a view behind its buffer": (
                b"vu",
                [None, view(13, 0, 8) * 2, b"x" * 20, words(20, kind="int64")],
                2,
                {},
            ),
            "a view before its buffer": (
                b"vu",
                [None, view(13, 0, -1) * 2, b"x" * 20, words(20, kind="int64")],
                2,
                {},
            ),
            "a view of a length below 0": (b"vu", [None, view(-1) * 2, b""], 2, {}),
            "a buffer of a size below 0": (
                b"vu",
                [None, view(13) * 2, b"x" * 20, words(-1, kind="int64")],
                2,
                {},
            ),
            "a dictionary that is not there": (b"+d", [None, words(0, 0)], 2, {}),
            "a type that nobody knows": (b"??", [None, words(0, 0)], 2, {}),
        }.values(),
    )
    @each("core", [True, False])
    def test_what_is_wrong(self, child: Any, core: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        if not core:
            monkeypatch.setattr(arrow, "_views_in_core", lambda: None)
        with pytest.raises(InputError):
            texts_of(child, length=2)

    def test_an_error_of_the_stream_is_told(self) -> None:
        with pytest.raises(InputError, match="run: the Arrow stream cannot be read: out of ideas"):
            arrow.Table(Stream(FINE, fails=5), "run").column("a")

    @each("n", [-1, 0, 2, 10**9])
    def test_chunks_with_other_columns(self, n: int) -> None:
        with pytest.raises(InputError, match="a chunk has other columns than the schema"):
            texts_of(FINE, n_children=n)

    def test_views_are_read_alike_without_the_core(self) -> None:
        rng = np.random.default_rng(1)
        text = bytes(rng.integers(97, 123, 400, np.uint8))
        views, expected = b"", []
        for _ in range(200):
            length, begin = int(rng.integers(0, 30)), int(rng.integers(0, 300))
            if length <= 12:
                views += words(length) + text[begin : begin + length].ljust(12, b"\0")
            else:
                views += view(length, 0, begin)
            expected.append(text[begin : begin + length].decode())
        child = b"vu", [None, views, text, words(400, kind="int64")], 200, {}
        assert texts_of(child) == expected
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(arrow, "_views_in_core", lambda: None)
            assert texts_of(child) == expected

    def test_a_stream_is_released(self) -> None:
        released = []

        class Counted(Stream):
            @staticmethod
            def _released(x: Any) -> None:
                released.append(1)
                x.contents.release = type(x.contents.release)()

        stream = Counted(FINE)
        column = arrow.Table(stream, "run").column("a")
        found = column.ids("document id", Origin("run"), "a")
        before = len(released)
        del column
        assert list(found.texts()) == ["a", "b"]  # whose buffers live as long as they
        del found
        assert (
            before < len(released) == 3
        )  # the stream, its schema, the chunk; what is in them is theirs


def test_the_core_reads_no_byte_behind_a_text() -> None:
    """Under AddressSanitizer: the text ends where the last id does."""
    for n in range(1, 18):
        text = np.frombuffer(bytes(range(97, 97 + n)), np.uint8).copy()
        found = Ids(text, np.array([0, n // 2, n]))
        run = Columns(Ids(text, np.array([0, n]), codes=np.zeros(2, np.int64)), found, np.ones(2))
        assert evaluate(run_as_qrels(run), run, "RR")["RR"] == 1.0
        assert len(scores_of(run)) == 1


def run_as_qrels(run: Columns) -> Columns:
    return Columns(run.queries, run.documents, run.numbers, "label", Origin("qrels"))


def test_sizes_of_ids_are_checked_when_they_are_copied() -> None:
    """The room for the documents of qrels was measured before."""
    column = ffi.new("rs_id_column *")
    text, offsets = ffi.new("char[]", b"abcdef"), ffi.new("int64_t[]", [0, 3, 6])
    column.text, column.size, column.offsets, column.n, column.rows = text, 6, offsets, 2, 2
    assert lib.rs_bytes_of(column) == 6
    offsets[2] = 7
    assert lib.rs_bytes_of(column) == lib.RS_BAD_COLUMN
    offsets[1] = -1
    assert lib.rs_bytes_of(column) == lib.RS_BAD_COLUMN
