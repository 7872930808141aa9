"""Sources that never end: each reader refuses them after a bounded number of bytes. RS-CONV-30"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.analysis.cases import read_cases
from rankspec.analysis.check.report import check
from rankspec.analysis.conformance import known
from rankspec.analysis.relevance import measure_of, relevance_of
from rankspec.compat.pytrec_eval import parse_qrel, parse_run
from rankspec.errors import InputError
from rankspec.formats.streams import Stream

QRELS, RUN = {"q0": {"d0": 1}}, {"q0": {"d0": 1}}
SESSIONS = {"s0": [["a"]]}
OF_DIVERSITY = {"q0": {"d0": {"1": 1}}}
MOST = 1 << 17  # bytes: the limit of a source without a size in these tests
MOST_READ = 1 << 24  # bytes that a reader may have asked for: a few of its buffers
AT_ONCE = 1 << 14  # bytes: as a pipe, a source gives less than a large buffer has room for


class Endless(io.RawIOBase):
    """An open file of pieces without end; an error where too much of it is read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces, self._left = pieces, b""
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), AT_ONCE)
        while len(self._left) < size:
            self._left += b"".join(next(self._pieces) for _ in range(512))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        self.count += size
        assert self.count < MOST_READ, "it is read without a limit"
        return size


class Text(Endless):
    """The same with read() alone, which gives text."""

    def read(self, size: int = -1) -> Any:
        assert size >= 0, "it is read to its end"
        return super().read(size).decode("utf-8")  # type: ignore[union-attr]


def packed(plain: Iterator[bytes]) -> Iterator[bytes]:
    """The same as gzip that saves nothing, so that its ratio stays within the limit."""
    compressor = zlib.compressobj(0, zlib.DEFLATED, 31)
    return (compressor.compress(x) + compressor.flush(zlib.Z_SYNC_FLUSH) for x in plain)


def lines(line: str) -> Callable[[], Iterator[bytes]]:
    """Lines that differ, each with its number."""
    return lambda: (line.format(i).encode() for i in count())


def after(begin: bytes, item: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: chain([begin], repeat(item))


Read = Callable[[Any], Any]


def qrels(**how: Any) -> Read:
    return lambda file: rs.evaluate(file, RUN, "RR", **how)


def run(**how: Any) -> Read:
    return lambda file: rs.evaluate(QRELS, file, "RR", **how)


def small(content: bytes) -> io.BytesIO:
    return io.BytesIO(content)


READERS: dict[str, tuple[Read, Callable[[], Iterator[bytes]]]] = {
    "qrels": (qrels(), lines("q0 0 d{} 1\n")),
    "qrels, by the reference": (qrels(backend="reference"), lines("q0 0 d{} 1\n")),
    "run of one query": (run(), lines("q0 Q0 d{} 1 1 t\n")),
    "run of many queries": (run(), lines("q{} Q0 d 1 1 t\n")),
    "run, by the reference": (run(backend="reference"), lines("q0 Q0 d{} 1 1 t\n")),
    "run, by the rank": (run(order="rank"), lines("q0 Q0 d{0} {0} 1 t\n")),
    "run, one line for ever": (run(), lambda: repeat(b"q0 Q0 d0 1 1 t\n")),
    "csv": (run(), lambda: chain([b"query_id,doc_id,score\n"], lines("q0,d{},1\n")())),
    "tsv": (qrels(), lambda: chain([b"query_id\tdoc_id\trelevance\n"], lines("q0\td{}\t1\n")())),
    "beir": (qrels(), lambda: chain([b"query-id\tcorpus-id\tscore\n"], lines("q0\td{}\t1\n")())),
    "csv, one cell": (run(run_format="csv"), after(b'query_id,doc_id,score\nq0,"', b"a\n")),
    "json": (run(), lambda: chain([b'{"q0": {'], lines('"d{}": 1, ')())),
    "json, nested": (run(run_format="json"), lambda: repeat(b"[")),
    "json lines": (run(), lines('{{"query_id": "q0", "doc_id": "d{}", "score": 1}}\n')),
    "parquet": (run(), after(b"PAR1", b"PAR1")),
    "ntcir": (qrels(), lines("q0 d{} L1\n")),
    "msmarco": (run(), lines("q{}\td0\t1\n")),
    "triples": (run(run_format="triples"), lines("q0 d{} 1\n")),
    "letor": (lambda file: rs.evaluate_letor(file, "RR", feature=1), lines("1 qid:1 1:{}\n")),
    "letor, comments": (lambda file: rs.evaluate_letor(file, "RR", feature=1), lines("# {}\n")),
    "predictions": (
        lambda file: rs.evaluate_letor(small(b"1 qid:1 1:2\n"), "RR", predictions=file),
        lines("{}\n"),
    ),
    "groups": (
        lambda file: rs.evaluate_letor(small(b"1 1:2\n" * 9), "RR", feature=1, group=file),
        lambda: repeat(b"0" * 99 + b"1\n"),
    ),
    "sessions": (rs.read_sessions, lines("s{}\t1\t1\ta\n")),
    "sessions in XML": (
        rs.read_sessions,
        lambda: chain([b"<sessiontrack2013>"], lines('<session num="{}"></session>')()),
    ),
    "sessions in JSON": (
        rs.read_sessions,
        lambda: chain([b'{"sessions": ['], lines('{{"id": "{}", "queries": [["a"]]}},')()),
    ),
    "judgments": (lambda file: rs.evaluate_sessions(file, SESSIONS, "sDCG"), lines("s0\td{}\t1\n")),
    "topics": (lambda file: rs.read_sessions(small(b"s\t1\t1\ta\n"), file), lines("s{}\t1\n")),
    "current": (
        lambda file: rs.read_sessions(small(b"s\t1\t1\ta\n"), current=file),
        lines("s Q0 d{} 1 1 t\n"),
    ),
    "scanned": (
        lambda file: rs.evaluate_sessions({"s0": {"a": 1}}, SESSIONS, "sDCG", scanned=file),
        lines("s{}\t1\t1\n"),
    ),
    "appearances": (
        lambda file: rs.evaluate_sessions({"s0": {"a": 1}}, SESSIONS, "sDCG", appearances=file),
        lines("s{}\t1\ta\t1\n"),
    ),
    "diversity qrels": (
        lambda file: rs.evaluate_diversity(file, RUN, "StRecall"),
        lines("q0 1 d{} 1\n"),
    ),
    "diversity run": (
        lambda file: rs.evaluate_diversity(OF_DIVERSITY, file, "StRecall"),
        lines("q0 Q0 d{} 1 1 t\n"),
    ),
    "probabilities": (
        lambda file: rs.evaluate_diversity(OF_DIVERSITY, RUN, "ERR_IA", probabilities=file),
        lines("q{} 1 0.5\n"),
    ),
    "checked qrels": (lambda file: check(file, small(b"q0 Q0 d0 1 1 t\n")), lines("q0 0 d{} 1\n")),
    "checked run": (lambda file: check(small(b"q0 0 d0 1\n"), file), lines("q0 Q0 d{} 1 1 t\n")),
    "classified": (lambda file: rs.classify(QRELS, [file]), lines("q0 Q0 d{} 1 1 t\n")),
    "explained": (
        lambda file: rs.explain(QRELS, file, "q0", "RR"),
        lines("q0 Q0 d{} 1 1 t\n"),
    ),
    "scores of relevance": (
        lambda file: relevance_of(file, measure_of("text", "own")),
        lines("{}\n"),
    ),
    "cases": (read_cases, lambda: chain([b"["], lines('{{"id": "{}"}},')())),
    "parse_run": (parse_run, lines("q0 Q0 d{} 1 1 t\n")),
    "parse_qrel": (parse_qrel, lines("q0 0 d{} 1\n")),
}

JUNK = {byte: lambda b=byte: repeat(b * 64) for byte in (b"\0", b"a", b" ", b"\t", b"\n", b"{")}


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKSPEC_MOST_STREAM", str(MOST))
    monkeypatch.setenv("RANKSPEC_MOST_HELD", str(MOST))


def is_refused(read: Read, file: Any) -> str:
    with pytest.raises(InputError) as error:
        read(file)
    return str(error.value)


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.parametrize("name", READERS)
def test_what_is_well_formed_for_ever(name: str) -> None:
    """The limit is the one thing that is wrong with it, or what is said before it is true, too."""
    read, content = READERS[name]
    for kind, opened in (
        ("bytes", io.BufferedReader(Endless(content()))),
        ("no buffer", Endless(content())),
        ("text", Text(content())),
        ("gzip", io.BufferedReader(Endless(packed(content())))),
    ):
        message = is_refused(read, opened)
        at_once = "run, one line" in name or name in ("groups", "csv, one cell", "probabilities")
        assert at_once or "RANKSPEC_MOST_" in message or name == "json, nested", (kind, message)


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-30")
@pytest.mark.parametrize("name", READERS)
def test_junk_for_ever(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line without an end among it; with the default limits of lines, too."""
    for limit in ("1000", str(1 << 24)):
        monkeypatch.setenv("RANKSPEC_MOST_LINE", limit)
        for byte, content in JUNK.items():
            read, well_formed = READERS[name]
            for begin in (b"", next(well_formed())):
                message = is_refused(read, Endless(chain([begin], content())))
                assert message, (byte, begin)


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.parametrize("name", ["qrels", "run of one query", "letor", "sessions", "cases"])
def test_compressed_parts_that_hold_nothing(name: str) -> None:
    """No byte comes out of them, however many go in."""
    empty = gzip.compress(b"")
    message = is_refused(READERS[name][0], io.BufferedReader(Endless(repeat(empty))))
    assert "RANKSPEC_MOST_STREAM=N" in message


@pytest.mark.spec("RS-CONV-30")
def test_a_source_of_the_limit_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte more is refused; a source with a size has no such limit."""
    text = b"q0 Q0 d0 1 1 t\n"
    monkeypatch.setenv("RANKSPEC_MOST_STREAM", str(len(text)))

    class Pipe(io.RawIOBase):
        def __init__(self, content: bytes) -> None:
            super().__init__()
            self._content = io.BytesIO(content)

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            return self._content.readinto(buffer)

    assert rs.evaluate(QRELS, io.BufferedReader(Pipe(text)), "RR")["RR"] == 1.0
    assert is_refused(run(), io.BufferedReader(Pipe(text + b"\n"))) == (
        f"the open file: found more than {len(text)} bytes in a source without a size, such as a "
        f"pipe or a device; the limit is {len(text)}, and the environment variable "
        "RANKSPEC_MOST_STREAM=N sets another (RS-CONV-30)"
    )
    assert rs.evaluate(QRELS, io.BytesIO(text + b"\n"), "RR")["RR"] == 1.0


@pytest.mark.spec("RS-CONV-30")
def test_files_with_a_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By their path, open, as text, compressed, from a store: none has the limit of a pipe."""
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    monkeypatch.setenv("RANKSPEC_MOST_STREAM", "1")
    monkeypatch.setenv("RANKSPEC_MOST_HELD", "1")
    content = b"q0 0 d0 1\nq0 0 d1 0\n"
    path, compressed = tmp_path / "qrels", tmp_path / "qrels.gz"
    path.write_bytes(content)
    compressed.write_bytes(gzip.compress(content))
    assert rs.evaluate(path, RUN, "RR")["RR"] == 1.0
    assert rs.evaluate(compressed, RUN, "RR")["RR"] == 1.0
    assert rs.evaluate(f"file://{path}", RUN, "RR")["RR"] == 1.0
    for opened in (path.open("rb"), path.open("rb", buffering=0), path.open(encoding="utf-8")):
        with opened as file:
            assert rs.evaluate(file, RUN, "RR")["RR"] == 1.0
    with path.open("rb") as file:
        assert rs.evaluate(QRELS, io.StringIO("q0 Q0 d0 1 1 t"), "RR")["RR"] == 1.0
    with gzip.open(compressed) as file:  # what comes out of it has no size
        assert "RANKSPEC_MOST_HELD" in is_refused(qrels(), file)


def test_what_cannot_be_read_again_is_read_on_from_its_copy() -> None:
    """In part, and then from the beginning; the source itself is read once."""
    content = b"".join(b"q%d Q0 d 1 1 t\n" % i for i in range(5000))
    asked = 0

    class Pipe(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            nonlocal asked
            part = content[asked : asked + len(buffer)]
            buffer[: len(part)] = part
            asked += len(part)
            return len(part)

    stream = Stream(io.BufferedReader(Pipe()), again=True)
    assert stream.head(10) == content[:10]
    assert asked < len(content)
    with stream.opened() as fill:
        piece = bytearray(33)
        assert fill(memoryview(piece)) == 33
        assert piece == content[:33]
    assert stream.head(50) == content[:50]
    assert stream.content() == content
    assert stream.content() == content
    assert asked == len(content)


@contextmanager
def endless_pipe(path: Path, content: Iterator[bytes]) -> Iterator[Path]:
    """A named pipe that something is written into until nobody reads it."""
    os.mkfifo(path)

    def write() -> None:
        with suppress(BrokenPipeError), path.open("wb") as file:
            for piece in content:
                file.write(piece)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield path
    writer.join(60)
    assert not writer.is_alive()


@pytest.mark.spec("RS-CONV-30")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_paths_of_pipes_and_devices(tmp_path: Path) -> None:
    for read in (run(), known.read):
        assert "RANKSPEC_MOST_HELD" in is_refused(read, "/dev/zero")
    for a, (read, content) in enumerate(READERS[x] for x in ("qrels", "run of one query", "json")):
        with endless_pipe(tmp_path / str(a), content()) as path:
            assert "RANKSPEC_MOST_" in is_refused(read, path)


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-30")
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "{qrels}", "/dev/zero"],
        ["eval", "/dev/zero", "{run}"],
        ["eval", "{qrels}", "-"],
        ["eval", "--letor", "/dev/zero", "--feature", "1"],
        ["check", "{qrels}", "/dev/zero"],
        ["check", "/dev/zero", "{run}"],
        ["explain", "{qrels}", "/dev/zero", "-m", "RR", "--query", "q0"],
        ["session", "eval", "/dev/zero", "{sessions}"],
        ["session", "eval", "{qrels}", "/dev/zero"],
        ["diversity", "eval", "/dev/zero", "{run}"],
        ["classify", "{qrels}", "/dev/zero"],
        ["compare", "{qrels}", "{run}", "/dev/zero"],
        ["certify", "--cases", "/dev/zero"],
        ["relevance", "/dev/zero"],
        ["conform", "--python", "json:loads", "--known", "/dev/zero"],
    ],
    ids=" ".join,
)
def test_the_command_line_with_the_default_limits(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its temporary files and its memory are bounded."""
    resource = pytest.importorskip("resource", reason="this system has no limits of processes")
    for variable in ("RANKSPEC_MOST_STREAM", "RANKSPEC_MOST_HELD"):
        monkeypatch.delenv(variable)
    files = {"qrels": "q0 0 d0 1\n", "run": "q0 Q0 d0 1 1 t\n", "sessions": "s\t1\t1\td0\n"}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    places = {name: str(tmp_path / name) for name in files}

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))

    with open("/dev/zero", "rb") as zeros:  # noqa: PTH123
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "rankspec", *(x.format(**places) for x in arguments)],
            stdin=zeros,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            preexec_fn=limited,
        )
    assert done.returncode == 2, done.stderr
    assert "limit is" in done.stderr
