"""The limits of a token, of a line and of compression: what is refused, and what raises them."""

from __future__ import annotations

import gzip
import io
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.analysis.check.report import check
from rankspec.analysis.relevance import measure_of, relevance_of
from rankspec.cli.main import main
from rankspec.errors import InputError
from rankspec.formats import letor, limits, streams
from rankspec.formats.streams import Stream

from ..differential.readers import by_both
from .compressions import COMPRESSIONS

QRELS = b"q 0 a 1\nq 0 b 0\n"
MEASURE = measure_of("text", "own")
RUN = b"q Q0 a 1 2 t\nq Q0 b 2 1 t\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that short files exceed."""
    monkeypatch.setenv("RANKSPEC_MOST_TOKEN", "20")
    monkeypatch.setenv("RANKSPEC_MOST_LINE", "100")


def refused(read: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as error:
        read()
    message = str(error.value)
    del error  # or a cycle of frames would keep the streams that they hold
    return message


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.usefixtures("small")
def test_a_token_of_a_run_or_of_qrels() -> None:
    """In each column, by both readers, in the same words; of 20 bytes none is too long."""
    for a in range(6):
        columns = [b"q", b"Q0", b"a", b"1", b"2", b"t"]
        columns[a] = b"0" * 19 + b"1"
        fits = RUN + b" ".join(columns).replace(b" a ", b" c ") + b"\n"
        assert not isinstance(by_both(QRELS, fits, {})[0], str), a
        columns[a] = b"0" * 20 + b"1"
        too_long = RUN + b" ".join(columns).replace(b" a ", b" c ") + b"\n"
        by_c, by_reference = by_both(QRELS, too_long, {})
        assert by_c == by_reference, a
        assert by_c == (
            "the open file:3: found a column of 21 bytes; the limit is 20, and the environment "
            "variable RANKSPEC_MOST_TOKEN=N sets another (RS-CONV-30)"
        ), a
    for a in range(4):
        columns = [b"q", b"0", b"c", b"1"]
        columns[a] = b"0" * 20 + b"1"
        by_c, by_reference = by_both(QRELS + b" ".join(columns), RUN, {})
        assert by_c == by_reference, a
        assert "the open file:3: found a column of 21 bytes" in by_c, a


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.usefixtures("small")
def test_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it begins and whatever the pieces are in which it is read."""
    monkeypatch.setenv("RANKSPEC_MOST_TOKEN", "1000")
    for piece in (7, 16, 99, 1 << 20):
        monkeypatch.setattr(limits, "PIECE", piece)
        for before in range(0, 120, 17):
            first = b"x" * (before % 100) + b"\n" if before else b""
            for size in (0, 1, 7, 64):
                buffer_of = {0: 1 << 12}.get(size, size)
                monkeypatch.setattr(streams, "PIECE", buffer_of)
                fits = first + b"y" * 100 + b"\n" + b"z" * 100
                assert Stream(io.BytesIO(fits)).content() == fits, (piece, before, size)
                for rest in (b"", b"\n", b"\nz"):
                    long = Stream(io.BytesIO(first + b"y" * 101 + rest))
                    assert refused(long.content) == (
                        f"the open file: found a line of more than 100 bytes, which begins at byte "
                        f"{len(first)}; the limit is 100, and the environment variable "
                        "RANKSPEC_MOST_LINE=N sets another (RS-CONV-30)"
                    ), (piece, before, size, rest)


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.usefixtures("small")
def test_both_readers_refuse_a_line_in_the_same_words() -> None:
    long = RUN + b"q Q0 c 3 1 t" + b" " * 100 + b"\n"
    by_c, by_reference = by_both(QRELS, long, {})
    assert by_c == by_reference
    assert "which begins at byte 26; the limit is 100" in by_c


JSON = b'{"sessions": [{"id": "%s", "queries": [["a"], ["b"]]}]}'
XML = (
    b'<sessiontrack2013><session num="%s"><interaction num="1"><results><result rank="1">'
    b"<docno>%s</docno></result></results></interaction></session></sessiontrack2013>"
)


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.usefixtures("small")
def test_every_other_reader() -> None:
    long, longer = b"9" * 21, b" " * 101
    rows = b"1 qid:7 1:2\n"

    def letor(text: bytes, **how: Any) -> Callable[[], Any]:
        return lambda: rs.evaluate_letor(io.BytesIO(text), "RR", **{"feature": 1, **how})

    def sessions(text: bytes) -> Callable[[], Any]:
        return lambda: rs.read_sessions(io.BytesIO(text))

    def judged(text: bytes) -> Callable[[], Any]:
        lines = b"s\t1\t1\ta\n"
        return lambda: rs.evaluate_sessions(io.BytesIO(text), io.BytesIO(lines), "sDCG")

    token = {
        "letor, label": letor(b"1" * 21 + b" qid:7 1:2\n"),
        "letor, qid": letor(b"1 qid:" + long + b" 1:2\n"),
        "letor, feature": letor(b"1 qid:7 1:" + long),
        "letor, another feature": letor(b"1 qid:7 1:2 2:" + long),
        "predictions": letor(rows, feature=None, predictions=io.BytesIO(b"0." + long)),
        "sessions": sessions(b"s\t1\t1\t" + long),
        "judgments of three columns": judged(b"s\ta\t" + long),
        "judgments": judged(b"s 0 a1 1\ns 0 " + long + b" 1"),
        "JSON": sessions(JSON % long),
        "XML, attribute": sessions(XML % (long, b"a")),
        "XML, id": sessions(XML % (b"s", long)),
        "current": lambda: rs.read_sessions(
            io.BytesIO(b"s\t1\t1\ta\n"), current=io.BytesIO(b"s Q0 a 1 1 " + long)
        ),
    }
    for what, read in token.items():
        assert "RANKSPEC_MOST_TOKEN=N sets another (RS-CONV-30)" in refused(read), what
    line = {
        "letor": letor(b"1 qid:7 1:2 #" + longer),
        "predictions": letor(rows, feature=None, predictions=io.BytesIO(b"1" + longer)),
        "groups": letor(b"1 1:2\n", group=io.BytesIO(b"1" + longer)),
        "sessions": sessions(b"s\t1\t1\ta\t" + longer + b"x"),
        "judgments": judged(b"s 0 a 1 " + longer),
        "XML": sessions(b"<sessiontrack2013><a b" + longer * 20),
        "numbers": lambda: relevance_of(io.BytesIO(b"1" + longer), MEASURE),
    }
    for what, read in line.items():
        assert "RANKSPEC_MOST_LINE=N sets another (RS-CONV-30)" in refused(read), what
    # XML and JSON have no lines of their own.
    assert [s.id for s in rs.read_sessions(io.BytesIO(JSON % b"s" + longer))] == ["s"]
    assert [s.id for s in rs.read_sessions(io.BytesIO(XML % (b"s", b"a")))] == ["s"]


ON_ONE_LINE = {
    "object": b'{"q": {"b": 1, "a": 2%s}}',
    "rows": b'[{"qid": "q", "docid": "b", "%s": 1}, {"qid": "q", "docid": "a", "%s": 2}%s]',
}


@pytest.mark.spec("RS-CONV-30", "RS-CONV-48")
@pytest.mark.usefixtures("small", "capsys")
@pytest.mark.parametrize("kind", ON_ONE_LINE)
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_json_of_qrels_and_runs_has_no_lines(
    kind: str,
    compress: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By path, open, from the standard input, detected or with its format named."""
    template, blanks = ON_ONE_LINE[kind], b" " * 101
    if kind == "object":
        qrels = run = template % blanks
    else:
        qrels = template % (b"label", b"label", blanks)
        run = template % (b"score", b"score", blanks)
    qrels, run = compress(qrels), compress(run)
    places = tmp_path / "qrels", tmp_path / "run"
    for place, content in zip(places, (qrels, run), strict=True):
        place.write_bytes(content)
    forms: tuple[dict[str, Any], ...] = {}, {"qrels_format": "json", "run_format": "json"}
    for backend in ("c", "reference"):
        for form in forms:
            for files in ((io.BytesIO(qrels), io.BytesIO(run)), places):
                found = rs.evaluate(*files, "nDCG@1", backend=backend, **form)
                assert found["nDCG@1"] == 1.0
    for options in ([], ["--run-format", "json"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(run)))
        assert main(["eval", str(places[0]), "-", "-m", "nDCG@1", *options]) == 0
    assert check(*places).findings is not None
    assert relevance_of(places[0], MEASURE)[0].items == ("b", "a")


@pytest.mark.spec("RS-CONV-30", "RS-CONV-48")
@pytest.mark.usefixtures("small")
def test_rows_of_json_lines_and_cells_have_lines(tmp_path: Path) -> None:
    rows = {
        "jsonl": b'{"qid": "q", "docid": "a", "score": 1' + b" " * 101 + b"}\n",
        "csv": b"qid,docid,score\nq,a,1" + b" " * 101 + b"\n",
        "tsv": b"qid\tdocid\tscore\nq\ta\t1" + b" " * 101 + b"\n",
        "triples": b"q a 1" + b" " * 101 + b"\n",
    }
    for form, content in rows.items():
        path = tmp_path / form
        path.write_bytes(content)
        message = refused(lambda p=path: rs.evaluate({"q": {"a": 1}}, p, "RR", run_format=p.name))
        assert "a line of more than 100 bytes" in message, form


class Endless(io.RawIOBase):
    """An open file of one byte without end, which counts what is read."""

    def __init__(self, byte: bytes) -> None:
        super().__init__()
        self.byte, self.read_so_far = byte, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.read_so_far += len(buffer)
        assert self.read_so_far < 1 << 24
        buffer[:] = self.byte * len(buffer)
        return len(buffer)


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.usefixtures("small")
def test_sessions_are_not_read_to_the_end_before_a_limit_is_seen() -> None:
    for byte in (b"\0", b"a", b" ", b"\t"):
        assert "the limit is 100" in refused(
            lambda b=byte: rs.read_sessions(io.BufferedReader(Endless(b)))
        ), byte


@pytest.mark.spec("RS-CONV-30")
def test_what_compression_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 100 bytes for each compressed one are refused, beyond what any file may have."""
    monkeypatch.setattr(limits, "FREE", 1 << 16)
    plain = (b"q Q0 %030d 1 1 t\n" % 0) * 10_000
    for kind, compress in COMPRESSIONS.items():
        packed = compress(plain)
        assert len(plain) > 100 * len(packed), kind
        expected = (
            "the open file: found more than 100 bytes for each compressed one; the limit is 100, "
            "and the environment variable RANKSPEC_MOST_RATIO=N sets another (RS-CONV-30)"
        )
        assert refused(Stream(io.BytesIO(packed)).content) == expected, kind
        by_c, by_reference = by_both(QRELS, packed, {})
        assert by_c == by_reference == expected, kind
        with monkeypatch.context() as patch:
            patch.setenv("RANKSPEC_MOST_RATIO", "100000")
            assert Stream(io.BytesIO(packed)).content() == plain, kind
        little = compress(plain[: 1 << 16])
        assert Stream(io.BytesIO(little)).content() == plain[: 1 << 16], kind


@pytest.mark.spec("RS-CONV-30", "RS-CONV-48")
def test_few_bytes_of_parquet_with_many_rows() -> None:
    """Its own compression has the limit of the ratio, by its number of rows, before it is read."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    n = 1_000_000
    columns = {"query": ["q"] * n, "document": ["d"] * n, "score": [1.0] * n}
    file = io.BytesIO()
    parquet.write_table(arrow.table(columns), file, compression="zstd")
    content = file.getvalue()
    size = len(content)
    assert 100 * size < 24 * n
    for packed in (content, gzip.compress(content)):
        message = refused(lambda x=packed: rs.evaluate({"q": {"d": 1}}, io.BytesIO(x), "RR"))
        assert message == (
            f"the open file: found 3000000 cells of 8 bytes in {size} bytes of Parquet, more than "
            "100 bytes for each; the limit is 100, and the environment variable "
            "RANKSPEC_MOST_RATIO=N sets another (RS-CONV-30)"
        )


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-30")
def test_a_bomb_takes_no_memory() -> None:
    """64 MiB in 300 kB of gzip, as one token or one value of JSON: it took three times as much.

    Skipped keys of JSON are read nevertheless.
    """
    token = b"q Q0 " + b"a" * (1 << 26) + b" 1 1 t\n"
    many = b"[]," * (1 << 24)
    of_rows = b'[{"qid": "q", "docid": "a", "score": 1, "label": 1, "x": [' + many + b"0]}]"
    of_sessions = b'{"x": [' + many + b'0], "sessions": [{"id": "s", "queries": [["a"]]}]}'
    for read, content in (
        (lambda file: rs.evaluate({"q": {"a": 1}}, file, "RR"), token),
        (lambda file: rs.evaluate(file, {"q": {"a": 1}}, "RR"), token),
        (lambda file: rs.evaluate_letor(file, "RR", feature=1), token),
        (lambda file: rs.evaluate({"q": {"a": 1}}, file, "RR"), of_rows),
        (lambda file: rs.evaluate(file, {"q": {"a": 1}}, "RR"), of_rows),
        (rs.read_sessions, of_sessions),
    ):
        bomb = io.BytesIO(gzip.compress(content, 1))
        assert len(bomb.getbuffer()) < 1 << 20
        tracemalloc.start()
        try:
            message = refused(lambda read=read, bomb=bomb: read(bomb))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert "found more than 100 bytes for each compressed one" in message
        assert peak < 64 << 20


@pytest.mark.spec("RS-CONV-30")
def test_the_environment_says_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for given in ("0", "-1", "x", "1.5", "9" * 19):
        monkeypatch.setenv("RANKSPEC_MOST_TOKEN", given)
        assert refused(lambda: rs.evaluate(io.BytesIO(QRELS), io.BytesIO(RUN), "RR")) == (
            f'the environment variable RANKSPEC_MOST_TOKEN is "{given}"; expected a whole number, '
            "from 1 to 10^18 - 1 (RS-CONV-30)"
        ), given
    monkeypatch.setenv("RANKSPEC_MOST_TOKEN", " ")
    assert rs.evaluate(io.BytesIO(QRELS), io.BytesIO(RUN), "RR")["RR"] == 1.0


@pytest.mark.spec("RS-CONV-30")
def test_what_is_long_is_read_where_the_environment_admits_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = b"x" * 70_000
    qrels, run = b"q 0 %s 1\n" % long, b"q Q0 %s 1 1 t\n" % long
    for backend in ("c", "reference"):
        with pytest.raises(InputError, match="a column of 70000 bytes; the limit is 65536"):
            rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), "RR", backend=backend)
    monkeypatch.setenv("RANKSPEC_MOST_TOKEN", "70000")
    for backend in ("c", "reference"):
        found = rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), "RR", backend=backend)
        assert found["RR"] == 1.0


@pytest.mark.spec("RS-CONV-30", "RS-CONV-21")
def test_a_long_line_of_a_letor_file_is_read_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In 30,000 pieces; each of them was joined with all before it: 30 GB were copied."""
    monkeypatch.setattr(letor, "BLOCK", 64)
    text = b"1 qid:7 1:2 #" + b"x" * 2_000_000 + b"\n0 qid:7 1:3\n"
    begun = time.process_time()
    assert rs.evaluate_letor(io.BytesIO(text), "RR", feature=1)["RR"] == 0.5
    assert time.process_time() - begun < 3
