"""Qrels and runs in other files than TREC's: the same values, and words for what is wrong."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.formats import streams, table_files
from rankspec.formats.files import FILES, formats_of, opened
from rankspec.formats.table_files import read_csv, whole

from ..cli.running import Capture, complaint, output
from ..each import each

JUDGED = [("q1", "a", 2), ("q1", "b", 0), ("q2", "c,d", 1), ("q2", 'e"f', 3), ("3", "7", 1)]
SCORED = [
    ("q1", "b", 0.1 + 0.2),
    ("q1", "a", 0.30000000000000004),
    ("q1", "x", -1e-300),
    ("q2", 'e"f', 7.5),
    ("q2", "c,d", 1e300),
    ("3", "8", 2.0),
    ("3", "7", 1.0),
]
MEASURES = ["nDCG@10", "AP", "RR"]

Rows = list[tuple[str, str, Any]]
Writer = Callable[[Rows, str], bytes]


def trec() -> tuple[io.BytesIO, io.BytesIO]:
    """What all others are compared with."""
    qrels = "".join(f"{q}\t0\t{d}\t{x}\n" for q, d, x in JUDGED)
    run = "".join(f"{q} Q0 {d} 1 {x!r} t\n" for q, d, x in SCORED)
    return io.BytesIO(qrels.encode()), io.BytesIO(run.encode())


def reference(**options: Any) -> rs.Evaluation:
    return rs.evaluate(*trec(), MEASURES, **options)


def quoted(cell: str, delimiter: str) -> str:
    special = any(c in cell for c in (delimiter, '"', "\n", "\r"))
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if special else cell


def as_csv(rows: Rows, number: str, delimiter: str = ",", end: str = "\n") -> bytes:
    table = [("query_id", "doc_id", number), *((q, d, repr(x)) for q, d, x in rows)]
    lines = [delimiter.join(quoted(x, delimiter) for x in row) + end for row in table]
    return "".join(lines).encode()


def as_json_lines(rows: Rows, number: str) -> bytes:
    lines = [json.dumps({"qid": q, "more": [1], "docno": d, number: x}) for q, d, x in rows]
    return "\n".join(lines).encode()


def as_json(rows: Rows, _: str) -> bytes:
    found: dict[str, dict[str, Any]] = {}
    for q, d, x in rows:
        found.setdefault(q, {})[d] = x
    return json.dumps(found, indent=1).encode()


def as_records(rows: Rows, number: str) -> bytes:
    return json.dumps([{"qid": q, "docno": d, number: x} for q, d, x in rows]).encode()


def as_parquet(rows: Rows, number: str) -> bytes:
    arrow = pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    parquet = pytest.importorskip("pyarrow.parquet", reason='pip install ".[frames]"')
    sink = arrow.BufferOutputStream()
    names = ("query_id", "doc_id", number)
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    parquet.write_table(arrow.table(columns), sink)
    return bytes(sink.getvalue())


WRITERS: dict[str, Writer] = {
    "csv": as_csv,
    "csv, semicolons": lambda rows, number: as_csv(rows, number, ";"),
    "csv, CRLF": lambda rows, number: as_csv(rows, number, end="\r\n"),
    "csv, CR": lambda rows, number: as_csv(rows, number, end="\r"),
    "csv, BOM": lambda rows, number: b"\xef\xbb\xbf" + as_csv(rows, number),
    "csv, blank lines": lambda rows, number: b"\n" + as_csv(rows, number, end="\n\n"),
    "tsv": lambda rows, number: as_csv(rows, number, "\t"),
    "jsonl": as_json_lines,
    "json": as_json,
    "records": as_records,
    "parquet": as_parquet,
}


@pytest.fixture(params=WRITERS)
def written(request: pytest.FixtureRequest) -> tuple[bytes, bytes]:
    """Qrels and a run in a format."""
    write = WRITERS[request.param]
    return write(JUDGED, "relevance"), write(SCORED, "score")


def assert_same(found: rs.Evaluation, expected: rs.Evaluation) -> None:
    assert found.per_query == expected.per_query
    assert found.mean == expected.mean
    assert found.queries == expected.queries


# ---- the same values -----------------------------------------------------------------------


@pytest.mark.spec("RS-CONV-48", "RS-CONV-48/L1")
@pytest.mark.parametrize("backend", ["auto", "reference"])
def test_values_are_those_of_trec_files(written: tuple[bytes, bytes], backend: str) -> None:
    qrels, run = map(io.BytesIO, written)
    assert_same(rs.evaluate(qrels, run, MEASURES, backend=backend), reference())


@pytest.mark.spec("RS-CONV-48/L1")
@pytest.mark.parametrize(
    "options",
    [
        {"ties": "expected"},
        {"order": "file"},
        {"scores": "float32"},
        {"labels": "floor"},
        {"unjudged": "condensed"},
        {"profile": "trec_eval-9"},
    ],
    ids=str,
)
def test_conventions_are_the_same(written: tuple[bytes, bytes], options: dict[str, Any]) -> None:
    qrels, run = map(io.BytesIO, written)
    assert_same(rs.evaluate(qrels, run, MEASURES, **options), reference(**options))


@pytest.mark.spec("RS-CONV-48/L2")
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compression_changes_nothing(
    written: tuple[bytes, bytes], tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    paths = [tmp_path / name for name in ("qrels", "run")]
    for path, content in zip(paths, written, strict=True):
        path.write_bytes(compress(content))
    assert_same(rs.evaluate(*paths, MEASURES), reference())


@pytest.mark.spec("RS-CONV-48")
def test_paths_text_files_and_mixtures(written: tuple[bytes, bytes], tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(written[0])
    (tmp_path / "run").write_bytes(written[1])
    qrels, run = trec()
    assert_same(rs.evaluate(tmp_path / "qrels", str(tmp_path / "run"), MEASURES), reference())
    assert_same(rs.evaluate(tmp_path / "qrels", run, MEASURES), reference())
    with (tmp_path / "run").open("rb") as file:
        assert_same(rs.evaluate(qrels, file, MEASURES), reference())


def test_the_command_line_reads_them(
    written: tuple[bytes, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_bytes(written[0])
    Path("run").write_bytes(written[1])
    Path("q.trec").write_bytes(trec()[0].getvalue())
    (tmp_path / "t").mkdir()
    Path("t/run").write_bytes(trec()[1].getvalue())
    for words in (["eval", "-q"], ["explain", "--query", "q2", "-m", "AP"], ["classify"]):
        name, *options = words
        found = output(capsys, name, "qrels", "run", *options)
        assert found == output(capsys, name, "q.trec", "t/run", *options)


@pytest.mark.usefixtures("capsys")
def test_the_standard_input(
    written: tuple[bytes, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for a in (0, 1):
        files: list[Any] = [tmp_path / "qrels", tmp_path / "run"]
        for path, content in zip(files, written, strict=True):
            path.write_bytes(content)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written[a])))
        files[a] = "-"
        assert_same(rs.evaluate(*files, MEASURES), reference())


# ---- formats of data sets ------------------------------------------------------------------

QRELS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d9": 2.0, "d1": 1.0}}


@pytest.mark.spec("RS-CONV-48")
def test_qrels_of_beir_ntcir_and_triples() -> None:
    expected = rs.evaluate(QRELS, RUN, MEASURES)
    beir = b"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n"
    commas = beir.replace(b"\t", b",")
    ntcir = b"q1 d1 L2\nq1 d2 L0\nq2\td1\tL1\n"
    triples = b"q1 d1 2\nq1\td2\t0\nq2 d1 1\n"
    assert_same(rs.evaluate(io.BytesIO(beir), RUN, MEASURES), expected)
    assert_same(rs.evaluate(io.BytesIO(commas), RUN, MEASURES), expected)
    assert_same(rs.evaluate(io.BytesIO(ntcir), RUN, MEASURES), expected)
    between = ntcir.replace(b" d", b" 0 d").replace(b"\td", b"\t0\td")
    for content, form in ((ntcir, "ntcir"), (between, "ntcir"), (triples, "triples")):
        found = rs.evaluate(io.BytesIO(content), RUN, MEASURES, qrels_format=form)
        assert_same(found, expected)
    with pytest.raises(rs.InputError, match=r":1: found 3 columns"):
        rs.evaluate(io.BytesIO(triples), RUN, MEASURES)  # which might be cut qrels


@pytest.mark.spec("RS-CONV-48")
def test_a_run_of_ms_marco() -> None:
    expected = rs.evaluate(QRELS, RUN, MEASURES)
    run = b"q1\td2\t1\nq1\td1\t2\nq2\td1\t2\nq2\td9\t1\n"
    for order in ("score", "rank"):
        assert_same(rs.evaluate(QRELS, io.BytesIO(run), MEASURES, order=order), expected)
    by_line = rs.evaluate(QRELS, io.BytesIO(run), MEASURES, order="file")
    assert by_line.per_query["RR"]["q2"] == 1.0  # d1 stands first
    for bad, words in (
        (
            b"q1\ta\t1\nq1\tb\t1\n",
            ':2: rank 1 of query "q1" occurs a second time; it is already in line 1',
        ),
        (b"q1\ta\t1\nq1\tb\t3\n", ':2: rank 3 of query "q1", which has 2 documents; expected 1 to'),
        (b"q1\ta\t1\nq2\tb\t0\n", ':2: rank 0 of query "q2", which has 1 documents'),
        (b"q1\ta\t1\nq1\tb\t2.5\n", ":2: found 3 columns"),
        (b"q1\ta\t1\nq1\tb\n", ":2: found 2 columns"),
    ):
        with pytest.raises(rs.InputError) as error:
            rs.evaluate(QRELS, io.BytesIO(bad), "RR")
        assert words in str(error.value), bad


@pytest.mark.spec("RS-CONV-48")
def test_columns_by_other_names() -> None:
    qrels = b"user;item;stars;text\nq1;d1;2;x\nq1;d2;0;y\nq2;d1;1;z\n"
    run = b'{"user": "q1", "thing": "d2", "p": 2}\n{"user": "q1", "thing": "d1", "p": 1.0}\n'
    run += b'{"user": "q2", "thing": "d9", "p": 2}\n{"user": "q2", "thing": "d1", "p": 1.0}\n'
    columns = {
        "qrels": {"query": "user", "document": "item", "label": "stars"},
        "run": {"query": "user", "document": "thing", "score": "p"},
    }
    found = rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), MEASURES, columns=columns)
    assert_same(found, rs.evaluate(QRELS, RUN, MEASURES))
    with pytest.raises(rs.InputError, match="neither the qrels nor the run is one"):
        rs.evaluate(*trec(), "RR", columns={"query": "user"})


@pytest.mark.spec("RS-CONV-32", "RS-CONV-48")
def test_a_rank_column_orders_where_it_is_asked_to() -> None:
    run = b"qid,docno,rank\nq1,d1,2\nq1,d2,1\nq2,d9,1\nq2,d1,2\n"
    found = rs.evaluate(QRELS, io.BytesIO(run), MEASURES, order="rank")
    assert_same(found, rs.evaluate(QRELS, RUN, MEASURES))
    with pytest.raises(rs.InputError, match="a column of ranks, but none of scores"):
        rs.evaluate(QRELS, io.BytesIO(run), MEASURES)


def test_options_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("user,item,stars\nq1,d1,2\nq1,d2,0\nq2,d1,1\n")
    Path("r").write_text("who\titem\tp\nq1\td2\t2\nq1\td1\t1\nq2\td9\t2\nq2\td1\t1\n")
    Path("t").write_text("q1 d2 2\nq1 d1 1\nq2 d9 2\nq2 d1 1\n")
    names = "document=item,qrels.query=user,label=stars,run.query=who,score=p"
    by_names = output(capsys, "eval", "q", "r", "--columns", names, "--format", "csv")
    words = ["eval", "q", "t", "--run-format", "triples", "--format", "csv"]
    by_format = output(capsys, *words, "--columns", "query=user,document=item,label=stars")
    assert by_names.splitlines()[1][1:] == by_format.splitlines()[1][1:]
    for options, said in (
        (["--columns", "query"], '"query": expected column names, like query=user_id'),
        (["--columns", "query=a,query=b"], "the column of the query is given twice"),
        (["--columns", "x.query=a"], '"x.query=a": expected column names'),
        (["--columns", "queyr=a"], "queyr"),
        (["--run-format", "ntcir"], 'unknown format "ntcir"; expected one of trec, parquet'),
        (["--qrels-format", "parket"], 'unknown format "parket" (did you mean "parquet"?)'),
    ):
        assert said in complaint(capsys, "eval", "q", "r", *options), options
    Path("m").write_text("userId,movieId,rating\nq1,d1,2\n")
    Path("p").write_text("userId,itemId,prediction\nq1,d1,2.5\n")
    for files, options, said in (
        (["m", "t"], [], "Say which it is: --columns document=NAME (RS-CONV-43)"),
        (["m", "t"], ["--columns", "label=rating"], ": --columns label=rating,document=NAME (RS"),
        (["p", "p"], [], "swapped? The qrels come first; "),
        (["p", "p"], [], "Where that is the label: --columns label=prediction (RS-CONV-43)"),
        (
            ["m", "t"],
            ["--columns", "document=x"],
            "--columns qrels.document=NAME,run.document=NAME",
        ),
    ):
        said_in = complaint(capsys, "eval", *files, *options)
        assert said in said_in, options
        assert "columns={" not in said_in
    letor = ["eval", "--letor", "t", "--feature", "1", "--run-format", "csv"]
    assert "--run-format applies to QRELS and RUN" in complaint(capsys, *letor)


# ---- what is told by content ---------------------------------------------------------------


@pytest.mark.spec("RS-CONV-48/L3")
@given(
    st.lists(
        st.tuples(*[st.text("qd0L1.,;{}[]\"'-_id", min_size=1, max_size=6)] * 3, st.integers(0, 3)),
        min_size=1,
        max_size=4,
        unique_by=lambda x: (x[0], x[2]),
    )
)
def test_trec_files_stay_what_they_are(rows: list[tuple[str, str, str, int]]) -> None:
    """Whatever their ids are, four or six columns divided by blanks are TREC's."""
    if rows[0][0].startswith(("{", "[")):
        return  # which could be JSON; the next test has these
    qrels = "".join(f"{q} {i} {d} {x}\n" for q, i, d, x in rows).encode()
    run = "".join(f"{q}\t{i}\t{d}\t1\t{x}\tt\n" for q, i, d, x in rows).encode()
    found = rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), "RR")
    judged: dict[str, dict[str, int]] = {}
    for q, _, d, x in rows:
        judged.setdefault(q, {})[d] = x
    assert found.per_query == rs.evaluate(judged, judged, "RR").per_query


@pytest.mark.spec("RS-CONV-48/L3")
def test_what_is_like_json_is_trecs_where_it_has_its_columns() -> None:
    for query in ("{", "[", '{"a"', "[{", '{"query":', "PAR"):
        qrels, run = f"{query} 0 d 1\n".encode(), f"{query} Q0 d 1 1 t\n".encode()
        forms = {"qrels_format": "trec", "run_format": "trec"}
        assert rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), "RR", **forms)["RR"] == 1.0


@pytest.mark.spec("RS-CONV-48")
def test_each_format_can_be_asked_for() -> None:
    assert formats_of("qrels")[0] == formats_of("run")[0] == "trec"
    names = [known.name for known in FILES]
    assert len(set(names)) == len(names)
    for table in ("qrels", "run"):
        for form in ("CSV", "cvs", "", 7, "ntcir" if table == "run" else "msmarco"):
            options: Any = {f"{table}_format": form}
            with pytest.raises(rs.InputError, match=f"{table}_format: "):
                rs.evaluate(*trec(), "RR", **options)
    with pytest.raises(
        rs.InputError, match="qrels_format: it applies to files, but the qrels is not a file"
    ):
        rs.evaluate(QRELS, RUN, "RR", qrels_format="csv")


@pytest.mark.spec("RS-CONV-48/L1", "RS-CONV-19")
@each("blank", ["\xa0", "\x85", "\x1c", "\x1f", "\u2003", "\u2028", "\u3000"])
def test_other_blanks_than_those_of_trec_are_part_of_an_id(blank: str) -> None:
    rows = [("q", "a", 2.0), ("q", f"a{blank}", 1.0), (f"{blank}q", "a", 1.0)]
    qrels = {"q": {f"a{blank}": 1}, f"{blank}q": {"a": 1}}
    expected = rs.evaluate(qrels, as_dict(rows), "RR")
    assert expected["RR"] == 0.75
    for write in (as_csv, as_json_lines):
        assert_same(rs.evaluate(qrels, io.BytesIO(write(rows, "score")), "RR"), expected)


def test_names_of_columns_may_stand_far_behind_others() -> None:
    many = ",".join(f"c{a}" for a in range(20_000))
    cells = "," * 20_000
    run = io.BytesIO(f"{many},qid,docid,score\n{cells}q,a,1\n".encode())
    assert rs.evaluate({"q": {"a": 1}}, run, "RR")["RR"] == 1.0


@pytest.mark.spec("RS-CONV-48", "RS-CONV-30")
@each("document", ["", "a" * 65537])
def test_ids_of_parquet_are_those_that_files_have(document: str) -> None:
    run = as_parquet([("q", "b", 1.0), ("q", document, 0.5)], "score")
    words = "there is no document id" if not document else "found an id of 65537 bytes; the limit"
    with pytest.raises(rs.InputError, match=f"the open file: row 1: {words}"):
        rs.evaluate({"q": {"b": 1}}, io.BytesIO(run), "RR")


# ---- in blocks -----------------------------------------------------------------------------

MANY = [(f"q{q}", f"d{d}", (d * 7 + q) % 5) for q in range(9) for d in range(q % 4 + 1)]


@pytest.fixture(params=["csv", "csv, CRLF", "csv, blank lines", "tsv", "jsonl", "parquet"])
def in_small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """What writes a format, of which a few rows are read at a time."""
    monkeypatch.setattr(table_files, "BLOCK", 3)
    monkeypatch.setattr(table_files, "LINES", 2)
    monkeypatch.setattr(streams, "PIECE", 64)
    write: Writer = WRITERS[request.param]
    return write


def as_dict(rows: Rows) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for q, d, x in rows:
        found.setdefault(q, {})[d] = x
    return found


@pytest.mark.spec("RS-CONV-48/L1")
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("measures", [MEASURES, ["nDCG@2", "AP(rel=2)", "nDCG(gain='exp2')@2"]])
def test_blocks_have_the_values_of_the_whole(
    in_small_blocks: Writer, backend: str, measures: list[str]
) -> None:
    qrels = as_dict([(q, d, (x + 1) % 3) for q, d, x in MANY])
    expected = rs.evaluate(qrels, as_dict(MANY), measures, backend=backend)
    run = in_small_blocks(MANY, "score")
    blocks = [x.queries[0] for x in opened(io.BytesIO(run), "run", in_blocks=True)]
    assert len(blocks) > 3
    found = rs.evaluate(qrels, io.BytesIO(run), measures, backend=backend)
    assert_same(found, expected)


@pytest.mark.spec("RS-CONV-48/L1")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_rows_of_a_query_may_come_after_those_of_another(
    in_small_blocks: Writer, backend: str
) -> None:
    scattered = [*MANY[1::2], *MANY[::2]]
    qrels = as_dict([(q, d, x % 2) for q, d, x in MANY])
    expected = rs.evaluate(qrels, as_dict(scattered), MEASURES, backend=backend)
    run = io.BytesIO(in_small_blocks(scattered, "score"))
    assert_same(rs.evaluate(qrels, run, MEASURES, backend=backend), expected)


def test_ranks_of_ms_marco_are_those_of_a_query_in_any_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The ranks 1, 2, 3 of a query whose rows are in two blocks; and one that is missing."""
    monkeypatch.setattr(table_files, "BLOCK", 2)
    monkeypatch.setattr(streams, "PIECE", 8)
    qrels, lines = {"1": {"a": 1}, "2": {"b": 1}}, "1\tx\t1\n1\ta\t{}\n2\tb\t1\n1\ty\t3\n"
    found = rs.evaluate(qrels, io.StringIO(lines.format(2)), "RR")
    assert found.per_query["RR"] == {"1": 0.5, "2": 1.0}
    with pytest.raises(
        rs.InputError, match=r":4: rank 3 .* occurs a second time; it is already in line 2"
    ):
        rs.evaluate(qrels, io.StringIO(lines.format(3)), "RR")


@pytest.mark.spec("RS-CONV-48")
def test_what_is_wrong_behind_a_block_is_said_with_its_line(
    in_small_blocks: Writer, tmp_path: Path
) -> None:
    """As if the file were read as a whole; the standard input too, which comes once."""
    twice = [*MANY, MANY[-1]]
    content = in_small_blocks(twice, "score")
    path = tmp_path / "x.run"
    path.write_bytes(content)
    qrels = as_dict(MANY)
    with pytest.raises(rs.InputError, match="occurs a second time") as of_path:
        rs.evaluate(qrels, path, MEASURES)
    with pytest.raises(rs.InputError, match="occurs a second time") as of_object:
        rs.evaluate(qrels, io.BytesIO(content), MEASURES)
    assert str(of_object.value) == str(of_path.value).replace(str(path), "the open file")
    whole_file = opened(path, "run")
    with pytest.raises(rs.InputError) as of_whole:
        rs.evaluate(qrels, whole_file, MEASURES)
    assert str(of_path.value) == str(of_whole.value)


@pytest.mark.spec("RS-CONV-48/L1")
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["q", "q\nr", "s\r\nt", "u\rv", " w", "x,y", "é"]),
            st.text(min_size=1).filter(lambda x: x.strip() == x and "\0" not in x),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        max_size=30,
    ),
    most=st.integers(1, 5),
    ends=st.sampled_from(["\n", "\r\n", "\n\n", "\r", "\n \n"]),
)
def test_lines_are_numbered_as_the_csv_module_counts_them(
    rows: list[tuple[str, str, float]], most: int, ends: str
) -> None:
    text = as_csv(rows, "score", end=ends).decode("utf-8", "surrogatepass")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    expected, line = [], 1
    for cells in reader:
        if len(cells) > 1 or "".join(cells).strip():
            expected.append((line, cells))
        line = reader.line_num + 1
    again, found = csv.reader(io.StringIO(text, newline=""), strict=True), []
    while True:
        lines, cells_of_all, wrong = table_files._lines_of("x", again, most)
        assert wrong is None
        if not cells_of_all:
            break
        found += zip(lines, cells_of_all, strict=True)
    assert found == expected


# ---- hostile files -------------------------------------------------------------------------

HEADER = b"query_id,doc_id,score\n"
HOSTILE = [
    (HEADER, "it has no rows; expected rows of run"),
    (HEADER + b"q,a\n", ':2: found 2 cells, "q | a"; the first line names 3 columns'),
    (HEADER + b"q,a,1,2\n", ":2: found 4 cells"),
    (HEADER + b"q,a,1\nq,b", ":3: found 2 cells"),
    (HEADER + b"q,a,x\n", ':2: the score in column "score" is "x"; expected a finite number'),
    (HEADER + b"q,a,\n", ':2: the score in column "score" is ""'),
    (HEADER + b"q,a,nan\n", 'is "nan"'),
    (HEADER + b"q,a,1e999\n", 'is "1e999"'),
    (HEADER + b"q,a,1_0\n", 'is "1_0"'),
    (HEADER + "q,a,\u0661\n".encode(), "expected a finite number"),
    (HEADER + b",a,1\n", ':2: there is no query id in column "query_id"'),
    (HEADER + b"q, ,1\n", ':2: there is no document id in column "doc_id"'),
    (HEADER + b'q,"a,1\n', ":2: no cells of a table: unexpected end of data"),
    (HEADER + b'q,"a"b,1\n', ":2: no cells of a table"),
    (HEADER + b"q,a\0,1\n", ":2: found a NUL byte"),
    (HEADER + b'"q\nr",a,1\nq,b,c\n', ':4: the score in column "score" is "c"'),
    (HEADER + b"q,a,1\nq,b,2\nq,a,3\n", ':4: document "a" of query "q" occurs a second time'),
    (HEADER + b"q," + b"a" * 70000 + b",1\n", ":2: found an id of 70000 bytes; the limit is"),
    (HEADER + "q,{},1\n".format("é" * 40000).encode(), ":2: found an id of 80000 bytes; the limit"),
    (HEADER + b"q,a,1." + b"0" * 65600 + b"\n", ":2: found a score of 65602 bytes; the limit"),
    (HEADER + b"q,a,1" + b"0" * 65600 + b"\n", ":2: found a score of 65601 bytes; the limit"),
    (HEADER + "q,a,\u00a01\n".encode(), "expected a finite number"),
    (HEADER + b"q,a,\x1c1\n", "expected a finite number"),
    (b"query_id,doc_id,doc_id,score\nq,a,b,1\n", '2 columns have the name "doc_id"'),
    (b"query_id,doc_id,docno,score\nq,a,b,1\n", "the document may be in the column"),
    (b"query_id,doc_id,scoer\nq,a,1\n", "there is no column of the score"),
    (b"query_id,doc_id," + b",".join(b"c%d" % a for a in range(10**4)) + b"\nq,a,1\n", "no column"),
    (b'{"qid": "q", "docno": "a"}\n', "there is no column of the score"),
    (b'{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q"}\n', ":2: there is no document id"),
    (b'{"qid": "q", "docno": "a", "score": null}\n', ':1: there is no score: "score" is null'),
    (b'{"qid": "q", "docno": "a", "score": "1"}\n', ':1: the score in "score" is "1"'),
    (b'{"qid": "q", "docno": "a", "score": true}\n', ':1: the score in "score" is true'),
    (b'{"qid": "q", "docno": "a", "score": NaN}\n', ":1: NaN is not a JSON number"),
    (b'{"qid": "q", "docno": "a", "score": 1e999}\n', ':1: the score in "score" is Infinity'),
    (b'{"qid": "q", "docno": 1.5, "score": 1}\n', ':1: the document id in "docno" is 1.5'),
    (b'{"qid": "q", "docno": "", "score": 1}\n', ':1: the document id in "docno" is ""'),
    (b'{"qid": "q", "docno": "\\ud800", "score": 1}\n', ":1: the document id"),
    (b'{"qid": "q", "qid": "r", "docno": "a", "score": 1}\n', ':1: the key "qid" occurs twice'),
    (b'{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q', ":2: not valid JSON in column"),
    (b'{"qid": "q", "docno": "a", "score": 1}\n[1]\n', ':2: found "[1]"; expected one JSON object'),
    (b'{"qid": "q", "docno": "a", "score": ' + b"9" * 5000 + b"}\n", ":1: a number has thousands"),
    (b'{"qid": "q", "docno": "a", "score": 1' + b"0" * 400 + b"}\n", ":1: the score in"),
    (b'{"qid": "q", "x": ' + b"[" * 10**5 + b"\n", ":1: "),
    (b'{"q": {"a": 1}, "q": {"a": 2}}', 'the key "q" occurs twice in one object'),
    (b'{"q": {"a": "1"}}', 'query "q": the score in "a" is "1"'),
    (b'{"q": {"a": 1}, "r": 2}', 'query "r": found 2; expected an object {document: score}'),
    (b'{"q": {"a": 1}', "not valid JSON in column"),
    (b"{}", "it has no rows"),
    (b"[]", "it has no rows"),
    (b'[{"qid": "q", "docno": "a", "score": 1}, 2]', "[1]: found 2; expected an object"),
    (b"PAR1", "the Parquet data are damaged"),
    (b"PAR1" + bytes(range(256)) * 40 + b"PAR1", "the Parquet data are damaged"),
    (b"", "empty"),
    (b"\n\n", "empty"),
    (b"\x00\x01\x02" * 100, "found a NUL byte"),
    (b"\xff\xfeq\x00,\x00", "found a NUL byte"),
    (b"q a\n", "found 2 columns"),
]


@pytest.mark.spec("RS-CONV-48")
def test_a_parquet_file_without_rows_is_refused_as_any_other() -> None:
    arrow = pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    parquet = pytest.importorskip("pyarrow.parquet", reason='pip install ".[frames]"')
    types = {"qid": arrow.string(), "docno": arrow.string(), "score": arrow.float64()}
    sink = io.BytesIO()
    parquet.write_table(arrow.schema(types).empty_table(), sink)
    with pytest.raises(rs.InputError, match="it has no rows; expected rows of run"):
        rs.evaluate({"q": {"a": 1}}, io.BytesIO(sink.getvalue()), "RR")


@pytest.mark.spec("RS-CONV-48")
def test_hostile_files_have_an_error_with_its_place() -> None:
    pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    for content, words in HOSTILE:
        for backend in ("auto", "reference"):
            with pytest.raises(rs.InputError) as error:
                rs.evaluate({"q": {"a": 1}}, io.BytesIO(content), "RR", backend=backend)
            assert words in str(error.value), (content[:80], str(error.value))
            assert "the open file" in str(error.value), content[:80]


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-48")
def test_a_file_that_is_cut_is_never_read_in_part() -> None:
    """Each beginning of a file is refused, or has whole rows."""
    pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    for name, write in WRITERS.items():
        content = write(SCORED, "score")
        step = 1 if len(content) < 500 else 7
        for size in range(1, len(content), step):
            try:
                found = opened(io.BytesIO(content[:size]), "run")
            except rs.InputError:
                continue
            rows = list(found.rows()) if hasattr(found, "rows") else []
            assert all(row[:2] in {x[:2] for x in SCORED} for row in rows[:-1]), name
            assert name.startswith(("csv", "tsv", "jsonl")) or not rows, name


def test_a_limit_of_the_csv_module_stays_as_it_was() -> None:
    import csv

    before = csv.field_size_limit()
    long = HEADER + b"q,a,1," + b"x" * 200_000 + b"\n"
    with pytest.raises(rs.InputError, match="found 4 cells"):
        rs.evaluate({"q": {"a": 1}}, io.BytesIO(long), "RR")
    assert csv.field_size_limit() == before


@pytest.mark.slow
def test_many_columns_are_no_trouble() -> None:
    names = b"query_id," + b",".join(b"c%d" % a for a in range(10**6)) + b",doc_id,score\n"
    row = b"q" + b",1" * 10**6 + b",a,1\n"
    found = rs.evaluate({"q": {"a": 1}}, io.BytesIO(names + row), "RR", run_format="csv")
    assert found["RR"] == 1.0


@pytest.mark.spec("RS-CONV-19", "RS-CONV-48")
def test_labels_are_exact_integers_or_doubles_all() -> None:
    """As doubles, 2^53 + 1 and 1 would be 2^53 together, and not 2^53 + 2."""
    run = {"q": {"a": 2.0, "b": 1.0}}
    for write in (as_csv, as_json_lines, as_records, as_parquet):
        content = write([("q", "a", 2**53 + 1), ("q", "b", 1)], "relevance")
        assert rs.evaluate(io.BytesIO(content), run, "CG@2")["CG@2"] == 2**53 + 2
        halves = write([("q", "a", 0.5), ("q", "b", 2.0)], "relevance")
        expected = rs.evaluate({"q": {"a": 0.5, "b": 2.0}}, run, "nDCG")["nDCG"]
        assert rs.evaluate(io.BytesIO(halves), run, "nDCG")["nDCG"] == expected


@pytest.mark.spec("RS-CONV-48", "RS-CONV-48/L1", "RS-CONV-6", "RS-CONV-19/L3")
@each("form", [x for x in WRITERS if " " not in x])
def test_a_score_is_a_double_in_each_format(form: str) -> None:
    """2^53 + 1 has the double 2^53, so that the ids decide; in memory it is above 2^53."""
    qrels, rows = {"q": {"a": 1}}, [("q", "a", 2**53 + 1), ("q", "b", 2**53)]
    lines = "".join(f"{q} Q0 {d} 1 {x} t\n" for q, d, x in rows).encode()
    for backend in ("auto", "reference"):
        for content in (lines, WRITERS[form](rows, "score")):
            found = rs.evaluate(qrels, io.BytesIO(content), "RR", backend=backend)
            assert found["RR"] == 0.5
        assert rs.evaluate(qrels, rows, "RR", backend=backend)["RR"] == 1.0


@pytest.mark.spec("RS-CONV-48/L1", "RS-CONV-19/L5")
def test_unsigned_labels_of_parquet_that_no_int64_holds_make_all_doubles() -> None:
    """As doubles, 2^53 + 1 and 1 are 2^53 together; else they would be 2^53 + 2."""
    arrow = pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    rows = [("q", "a", 2**53 + 1), ("q", "b", 1), ("q", "c", 2**63)]
    unsigned = [(q, d, arrow.scalar(x, arrow.uint64())) for q, d, x in rows]
    lines = "".join(f"{q} 0 {d} {x}\n" for q, d, x in rows).encode()
    run = {"q": {"a": 2.0, "b": 1.0}}
    for content in (lines, as_parquet(unsigned, "label")):
        for backend in ("auto", "reference"):
            found = rs.evaluate(io.BytesIO(content), run, "CG@2", backend=backend)
            assert found["CG@2"] == 2.0**53


@given(
    st.lists(
        st.tuples(
            st.text(min_size=1, max_size=5).filter(lambda x: x.strip() == x and "\0" not in x),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
        max_size=5,
        unique_by=lambda x: x[0].encode("utf-8", "replace"),
    )
)
def test_any_ids_and_doubles_round_trip_through_csv(rows: list[tuple[str, float]]) -> None:
    from rankspec.formats.column_names import wanted

    try:
        content = as_csv([(d, d, x) for d, x in rows], "score")
    except UnicodeEncodeError:
        return
    found = whole(read_csv, "x.csv", content, wanted(None, "run", "score"))
    assert [(q, d, x.hex()) for q, d, x in found.rows()] == [(d, d, x.hex()) for d, x in rows]


# ---- what is not installed, and stores -----------------------------------------------------


@pytest.mark.spec("RS-CONV-48")
def test_parquet_without_pyarrow_is_read_by_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars", reason='pip install ".[frames]"')
    qrels, run = as_parquet(JUDGED, "relevance"), as_parquet(SCORED, "score")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert_same(rs.evaluate(io.BytesIO(qrels), io.BytesIO(run), MEASURES), reference())
    with pytest.raises(rs.InputError, match="the Parquet data are damaged"):
        rs.evaluate(io.BytesIO(qrels[:-20]), RUN, "RR")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(rs.InputError, match="needs pyarrow or polars, and neither is installed"):
        rs.evaluate(io.BytesIO(qrels), RUN, "RR")


@pytest.mark.spec("RS-CONV-49", "RS-CONV-49/L1")
def test_files_of_a_store() -> None:
    fsspec = pytest.importorskip("fsspec", reason="pip install fsspec")
    store = fsspec.filesystem("memory")
    for name, content in (("q.csv", as_csv(JUDGED, "relevance")), ("r", trec()[1].getvalue())):
        with store.open(f"/rankspec/{name}", "wb") as file:
            file.write(content)
    paths = "memory://rankspec/q.csv", "memory://rankspec/r"
    assert_same(rs.evaluate(*paths, MEASURES), reference())
    assert_same(
        rs.evaluate(*paths, MEASURES, profile="trec_eval-9"), reference(profile="trec_eval-9")
    )
    with pytest.raises(rs.InputError, match=r"memory://rankspec/none: cannot be read: .*CONV-49"):
        rs.evaluate("memory://rankspec/none", RUN, "RR")
    with pytest.raises(rs.InputError, match=r"nowhere://x: cannot be read: .*CONV-49"):
        rs.evaluate("nowhere://x", RUN, "RR")


@pytest.mark.spec("RS-CONV-49")
def test_what_a_store_or_a_data_set_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(rs.InputError, match="fsspec, which is not installed"):
        rs.evaluate("s3://bucket/qrels", RUN, "RR")
    with pytest.raises(rs.InputError, match="ir_datasets, which is not installed"):
        rs.evaluate("irds:beir/scifact", RUN, "RR")


class _DataSets:
    """ir_datasets, with one data set in it."""

    class _Row:
        def __init__(self, query: str, doc: str, relevance: int) -> None:
            self.query_id, self.doc_id, self.relevance, self.score = query, doc, relevance, 1.0

    def load(self, name: str) -> _DataSets:
        if name != "known":
            raise KeyError(name)
        return self

    def has_qrels(self) -> bool:
        return True

    def has_scoreddocs(self) -> bool:
        return False

    def qrels_iter(self) -> list[_Row]:
        return [self._Row(q, d, x) for q, own in QRELS.items() for d, x in own.items()]


@pytest.mark.spec("RS-CONV-49")
def test_data_sets_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", _DataSets())  # type: ignore[arg-type]
    assert_same(rs.evaluate("irds:known", RUN, MEASURES), rs.evaluate(QRELS, RUN, MEASURES))
    for qrels, run, words in (
        ("irds:other", RUN, "irds:other: ir_datasets has no such data set"),
        (QRELS, "irds:known", "irds:known: this data set has no scored documents"),
    ):
        with pytest.raises(rs.InputError, match=words):
            rs.evaluate(qrels, run, "RR")
