"""Results for programs and papers: each output format, and the file that -o writes."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli import output as written
from rankspec.cli.commands import all_commands
from rankspec.cli.main import main
from rankspec.cli.parser import Parser
from rankspec.cli.to_file import _COMPRESS
from rankspec.evaluation import typeset
from rankspec.evaluation.outputs import OUTPUTS
from rankspec.evaluation.render import SUFFIXES
from rankspec.formats.streams import COMPRESSIONS

from ..each import each
from .running import Capture, complaint, output

QUERIES = ("q|1", 'a"b', "c,d", "e&f_g", r"back\slash", "last")
MEASURES = ("nDCG@10", "AP", "RR")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Qrels and runs, of queries whose ids have what divides cells; `last` has nothing relevant."""
    monkeypatch.chdir(tmp_path)
    qrels = [f"{q} 0 d{n} {int(q != 'last') * (1 + n % 3)}" for q in QUERIES for n in range(7)]
    run = [f"{q} Q0 d{n * 3 % 11} 1 {10 - n} t" for q in QUERIES for n in range(9)]
    Path("qrels").write_text("\n".join(qrels))
    Path("a.run").write_text("\n".join(run))
    Path("b,&.run").write_text("\n".join(run[::2]))
    return tmp_path


WORDS = ("eval", "qrels", "a.run", "b,&.run", "-m", ",".join(MEASURES), "--undefined", "omit")


def values() -> dict[tuple[str, str | None], list[float | None]]:
    """What is to be read back: {(run, query): values}; the mean is of the query None."""
    found = {}
    for run in ("a.run", "b,&.run"):
        result = rs.evaluate("qrels", run, MEASURES, undefined="omit")
        for query in QUERIES:
            found[run, query] = [result.per_query[m].get(query) for m in MEASURES]
        found[run, None] = [result[m] for m in MEASURES]
    return found


@pytest.mark.spec("RS-CONV-35")
@pytest.mark.usefixtures("files")
def test_doubles_and_ids_round_trip_through_csv(capsys: Capture) -> None:
    header, *lines = csv.reader(io.StringIO(output(capsys, *WORDS, "-q", "--format", "csv")))
    assert header == ["run", "query", *MEASURES]
    found = {
        (run, None if query == "all" else query): [float(x) if x else None for x in numbers]
        for run, query, *numbers in lines
    }
    assert found == values()
    assert found["a.run", "last"][0] is None  # a value that there is not


CELLS = st.lists(st.text('a ,;"\r\n\t&|%\\', max_size=6), min_size=2, max_size=2)


@pytest.mark.spec("RS-CONV-47/L1")
@given(st.lists(CELLS, min_size=1, max_size=4))
@example([["a\rb", "1"]])
def test_any_cells_round_trip_through_csv_and_are_one_line_elsewhere(rows: list[list[str]]) -> None:
    written = typeset.comma_separated(rows)
    assert list(csv.reader(io.StringIO(written, newline=""), strict=True)) == rows
    assert typeset.tab_separated(rows).splitlines() == [
        "\t".join(re.sub("[\t\r\n]", " ", cell) for cell in row) for row in rows
    ]
    for write in (typeset.booktabs, typeset.pipe_tables):
        lines, plain = (
            write([typeset.Grid(x[0][0], "query", [x[0][1]], [(a, [b]) for a, b in x])], [x[0][0]])
            for x in (rows, [["x", "x"]] * len(rows))
        )
        assert len(lines.splitlines()) == len(plain.splitlines())


@pytest.mark.spec("RS-CONV-47")
@pytest.mark.usefixtures("files")
def test_a_file_without_a_name_is_refused(capsys: Capture) -> None:
    words = complaint(capsys, *WORDS, "-o", "")
    assert '-o "": the file name is empty; use - for the standard output' in words


@pytest.mark.spec("RS-CONV-47/L1")
def test_an_id_with_a_carriage_return_round_trips_through_csv(
    tmp_path: Path, capsys: Capture
) -> None:
    for name, number in (("qrels.csv", "label"), ("run.csv", "score")):
        (tmp_path / name).write_bytes(f'qid,docno,{number}\n"a\rb",d,1\n'.encode())
    said = ("eval", str(tmp_path / "qrels.csv"), str(tmp_path / "run.csv"), "-m", "RR", "-q")
    lines = csv.reader(io.StringIO(output(capsys, *said, "--format", "csv"), newline=""))
    assert [row[1:] for row in lines] == [["query", "RR"], ["a\rb", "1.0"], ["all", "1.0"]]


@pytest.mark.spec("RS-CONV-35")
@pytest.mark.usefixtures("files")
def test_doubles_and_ids_round_trip_through_json_lines(capsys: Capture) -> None:
    lines = output(capsys, *WORDS, "-q", "--format", "jsonl").splitlines()
    rows = list(map(json.loads, lines))
    assert list(rows[0]) == ["run", "query", *MEASURES]
    found = {(row["run"], row["query"]): [row[m] for m in MEASURES] for row in rows}
    assert found == values()
    means = [json.loads(x) for x in output(capsys, *WORDS, "--format", "jsonl").splitlines()]
    assert means == [row for row in rows if row["query"] is None]


@pytest.mark.spec("RS-CONV-35")
@pytest.mark.parametrize("writer", ["pyarrow", "polars"])
def test_doubles_and_ids_round_trip_through_parquet(
    files: Path, capsys: Capture, writer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pip install pyarrow")
    pytest.importorskip("polars", reason="pip install polars")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "polars" if writer == "pyarrow" else "pyarrow", None)
        assert output(capsys, *WORDS, "-q", "-o", "found.parquet") == ""
    table = parquet.read_table(files / "found.parquet")
    assert table.column_names == ["run", "query", *MEASURES]
    found = {(row["run"], row["query"]): [row[m] for m in MEASURES] for row in table.to_pylist()}
    assert found == values()
    about = json.loads(parquet.read_metadata(files / "found.parquet").metadata[b"rankspec"])
    assert about["conventions"]["undefined"] == "omit"
    assert list(about["measures"]) == list(MEASURES)
    assert about["qrels"] == "qrels"


@pytest.mark.spec("RS-CONV-35")
@pytest.mark.usefixtures("files")
def test_markdown_has_the_cells_of_the_table(capsys: Capture) -> None:
    written = output(capsys, *WORDS, "-q", "--format", "markdown")
    title, head, rule, *rows = written.split("\n\n- ")[0].replace("\n\n", "\n").split("\n")
    assert title == "**a.run**"
    assert head == "| query | nDCG@10 | AP | RR |"
    assert rule == "|---|---:|---:|---:|"
    first = values()["a.run", "q|1"]
    assert rows[0] == f"| q\\|1 | {' | '.join(f'{x:.4f}' for x in first if x is not None)} |"
    assert rows[3].startswith(r"| e\&f\_g | ")
    assert rows[4].startswith(r"| back\\slash | ")
    assert rows[5] == "| last | - | - | 0.0000 |"
    assert rows[6].startswith("| mean | ")
    assert "**b,\\&.run**" in written
    assert "6 queries, ties: id-descending, undefined: omit" in written
    means = output(capsys, *WORDS, "--format", "markdown")
    assert r"| b,\&.run | " in means


@pytest.mark.spec("RS-CONV-35")
@pytest.mark.usefixtures("files")
def test_latex_has_the_cells_of_the_table(capsys: Capture) -> None:
    written = output(capsys, *WORDS, "-q", "--format", "latex", "--digits", "2")
    lines = written.splitlines()
    assert lines[0] == r"% \usepackage{booktabs}"
    assert lines[1] == "% 6 queries, ties: id-descending, undefined: omit"
    assert written.count(r"\begin{tabular}{lrrr}") == 2
    assert r"query & nDCG@10 & AP & RR \\" in lines
    first = values()["a.run", r"back\slash"]
    cells = " & ".join(f"{x:.2f}" for x in first if x is not None)
    assert rf"back\textbackslash{{}}slash & {cells} \\" in lines
    assert r"last & - & - & 0.00 \\" in lines
    assert any(line.startswith(r"e\&f\_g & ") for line in lines)


@pytest.mark.usefixtures("files")
def test_what_tex_cannot_read_is_escaped(capsys: Capture) -> None:
    Path("bytes").write_bytes(b"q\xff\x1b 0 a 1\n")
    Path("run").write_bytes(b"q\xff\x1b Q0 a 1 1 t\n")
    for name, shown in (
        ("latex", r"q\textbackslash{}xff\textbackslash{}x1b & "),
        ("markdown", r"| q\\xff\\x1b | "),
    ):
        assert shown in output(capsys, "eval", "bytes", "run", "-q", "--format", name)


def test_each_end_of_a_name_is_a_format(files: Path, capsys: Capture) -> None:
    """What is in the file is what would have been printed."""
    pytest.importorskip("pyarrow", reason="pip install pyarrow")
    for suffix, name in {**SUFFIXES, ".txt": "table", ".eval": "table", "": "table"}.items():
        path = files / f"found{suffix.upper() if suffix == '.csv' else suffix}"
        assert output(capsys, *WORDS, "-o", str(path)) == ""
        if name == "parquet":
            assert path.read_bytes().startswith(b"PAR1")
        else:
            assert path.read_text() == output(capsys, *WORDS, "--format", name), suffix
    assert set(SUFFIXES.values()) < {x.name for x in OUTPUTS}


@pytest.mark.spec("RS-CONV-47")
@each("form", [*SUFFIXES, ".CSV"], fast=3)
@each(
    "behind", [".zip", ".7z", ".bak", ".tmp", ".log", ".tar.gz", ".gz.gz", ".gz.bz2", ".Z"], fast=4
)
def test_a_second_end_does_not_change_the_format_silently(
    form: str, behind: str, files: Path, capsys: Capture
) -> None:
    path = files / f"found{form}{behind}"
    said = complaint(capsys, *WORDS, "-o", str(path))
    assert re.search(rf"{re.escape(path.name)}: \.\w+ is not written; the name may end in ", said)
    assert not path.exists()
    output(capsys, *WORDS, "-o", str(path), "--format", "csv")
    assert path.exists()


@pytest.mark.spec("RS-CONV-47")
def test_a_compression_is_one_in_capitals_too(files: Path, capsys: Capture) -> None:
    path = files / "found.CSV.GZ"
    output(capsys, *WORDS, "-o", str(path))
    assert gzip.decompress(path.read_bytes()).decode() == output(capsys, *WORDS, "--format", "csv")


def test_the_option_comes_before_the_end_of_the_name(files: Path, capsys: Capture) -> None:
    assert output(capsys, *WORDS, "--format", "tsv", "-o", "found.json") == ""
    assert (files / "found.json").read_text() == output(capsys, *WORDS, "--format", "tsv")


def test_a_compressed_file_is_what_its_name_says(files: Path, capsys: Capture) -> None:
    assert list(_COMPRESS) == [x.suffix for x in COMPRESSIONS]
    plain = output(capsys, *WORDS, "--format", "csv").encode()
    for suffix, module in ((".gz", gzip), (".bz2", bz2), (".xz", lzma)):
        path = files / f"found.csv{suffix}"
        assert output(capsys, *WORDS, "-o", str(path)) == ""
        first = path.read_bytes()
        assert module.decompress(first) == plain
        assert output(capsys, *WORDS, "-o", str(path)) == ""
        assert path.read_bytes() == first  # the same results are the same bytes


def test_zstd_too(files: Path, capsys: Capture) -> None:
    zstd = pytest.importorskip("backports.zstd", reason='pip install ".[zstd]"')
    assert output(capsys, *WORDS, "-o", "found.csv.zst") == ""
    plain = output(capsys, *WORDS, "--format", "csv").encode()
    assert zstd.decompress((files / "found.csv.zst").read_bytes()) == plain


@pytest.mark.spec("RS-CONV-47")
def test_a_file_is_written_whole_or_not_at_all(
    files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = files / "found.csv"
    path.write_text("old")
    path.chmod(0o640)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = sorted(files.iterdir())
    with monkeypatch.context() as broken:
        broken.setattr(written.os, "fsync", full)
        said = complaint(capsys, *WORDS, "-o", "found.csv")
    assert "found.csv: cannot be written: No space left on device" in said
    assert path.read_text() == "old"
    assert sorted(files.iterdir()) == before  # nothing is left beside it
    said = complaint(capsys, "eval", "qrels", "none.run", "-o", "found.csv")
    assert "none.run" in said
    assert path.read_text() == "old"
    assert output(capsys, *WORDS, "-o", "found.csv") == ""
    assert path.read_text() == output(capsys, *WORDS, "--format", "csv")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.spec("RS-CONV-47")
def test_what_is_read_is_not_written_over(files: Path, capsys: Capture) -> None:
    (files / "link").symlink_to("qrels")
    (files / "folder").mkdir()
    for path in ("qrels", "./a.run", "b,&.run", "link", "folder/../qrels", str(files / "a.run")):
        before = (files / path).read_bytes()
        said = complaint(capsys, *WORDS, "-o", path)
        assert "this command reads that file; choose another name (RS-CONV-47)" in said
        assert (files / path).read_bytes() == before
    said = complaint(capsys, "eval", "--letor", "a.run", "--feature", "1", "-o", "a.run")
    assert "reads that file" in said


@pytest.mark.usefixtures("files")
def test_what_cannot_be_written_is_said_in_a_line(capsys: Capture) -> None:
    assert "no/found.csv: cannot be written" in complaint(capsys, *WORDS, "-o", "no/found.csv")
    Path("folder").mkdir()
    assert "folder: cannot be written: Is a dir" in complaint(capsys, *WORDS, "-o", "folder")
    said = complaint(capsys, *WORDS, "--format", "parquet")
    assert "this format is binary and cannot be printed; give -o FILE" in said
    assert "this format is binary" in complaint(capsys, *WORDS, "--format", "parquet", "-o", "-")
    said = complaint(capsys, "measures", "-o", "found.parquet")
    assert "this command does not write parquet; --format takes table, json" in said
    assert not Path("found.parquet").exists()


@pytest.mark.usefixtures("files")
def test_the_standard_output_is_a_file_too(capsys: Capture) -> None:
    assert output(capsys, *WORDS, "-o", "-") == output(capsys, *WORDS)


@pytest.mark.usefixtures("files")
def test_without_pyarrow_and_polars_an_error_says_what_to_install(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    said = complaint(capsys, *WORDS, "-o", "found.parquet")
    assert "writing it needs pyarrow or polars, and neither is installed: pip" in said
    assert not Path("found.parquet").exists()


def test_each_command_with_formats_writes_a_file() -> None:
    """relevance draws one."""
    for name, command in all_commands().items():
        parser = Parser(prog=name)
        command.add_arguments(parser)
        if command.outputs and name != "relevance":
            assert parser.options["-o"].dest == "to_file", name


def test_other_commands_write_the_same_as_they_print(files: Path, capsys: Capture) -> None:
    explain = ("explain", "qrels", "a.run", "--query", "last", "-m", "AP")
    for words in (("measures",), ("profiles",), ("check", "qrels", "a.run"), explain):
        for end in (".txt", ".json"):
            assert output(capsys, *words, "-o", f"found{end}") == ""
            printed = output(capsys, *words, "--format", SUFFIXES.get(end, "table"))
            assert (files / f"found{end}").read_text() == printed
    assert main(["check", "qrels", "a.run", "--exit-code", "-o", "found.txt"]) in {0, 1}
