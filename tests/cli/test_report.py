"""Texts in tables, shortened and told apart all the same; and what reaches a terminal."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from rankspec.analysis.outputs import CLASSES
from rankspec.cli.main import main
from rankspec.evaluation.outputs import OUTPUTS
from rankspec.evaluation.render import told_apart
from rankspec.evaluation.sessions.outputs import OUTPUTS as OF_SESSIONS

from .running import Capture, complaint, output


@given(
    st.lists(st.text("ab\n\0", min_size=1, max_size=120), min_size=1, max_size=8),
    st.integers(20, 60),
)
@example(["a" * 99, "a" * 98], 20)
@example(["a" * 50 + x + "a" * 50 for x in "bcd"], 24)
@example(["a" * 30 + x + "a" * 50 + y + "a" * 30 for x in "bc" for y in "bc"], 24)
def test_texts_that_differ_stay_different(texts: list[str], width: int) -> None:
    found = told_apart(texts, width)
    assert len(found) == len(texts)
    assert max(map(len, found)) <= width
    assert len(set(found)) == len(set(texts))
    assert len(set(zip(texts, found, strict=True))) == len(set(texts))
    assert all(text.isprintable() for text in found)
    if all(text.isprintable() and len(text) <= width for text in texts):
        assert found == texts


def test_what_differs_is_shown() -> None:
    long = "LNDCG(gain='exp2', discount='jarvelin-2008(b={})', prior='log(b=10)')@10"
    for b, text in zip((2, 3), told_apart([long.format(2), long.format(3)], 48), strict=True):
        assert f"2008(b={b})" in text
        assert text.startswith("LNDCG(gain='")
        assert text.endswith("(b=10)')@10")


def test_what_goes_on_alike_is_numbered() -> None:
    same = "b" * 60
    texts = ["a" * 30 + x + same + y + "a" * 30 for x in "xy" for y in "xy"]
    found = told_apart(texts, 40)
    assert [text[-4:] for text in found] == [" [1]", " [2]", " [3]", " [4]"]


def test_a_number_that_a_text_bears_itself_is_passed_over() -> None:
    """A text that is as long as may be, and looks like a shortened one with its number."""
    same = "b" * 60
    long = ["a" * 30 + x + same + y + "a" * 30 for x in "xy" for y in "xy"]
    (first, *others) = told_apart(long, 40)
    found = told_apart([*long, first], 40)
    assert found[-1] == first
    assert [text[-4:] for text in found] == [" [2]", " [3]", " [4]", " [5]", " [1]"]
    assert [text[:-4] for text in found[:4]] == [text[:-4] for text in (first, *others)]


@given(
    st.lists(st.text("ab\N{ESC}\u202e日本\u0301", min_size=1, max_size=70), min_size=1, max_size=6),
    st.integers(20, 60),
)
@example(["日本" * 20 + x + "語" * 40 for x in "ab"], 30)
@example(["日本" * 40 + x + "語" * 20 for x in "日本"], 41)
def test_wide_texts_that_differ_stay_different(texts: list[str], width: int) -> None:
    """In cells, counted by wcwidth; what is not printable is escaped."""
    found = told_apart(texts, width)
    assert max(map(cell_len, found)) <= width
    assert len(set(found)) == len(set(texts))
    assert all(text.isprintable() for text in found)


def test_what_differs_in_wide_texts_is_shown() -> None:
    for x, text in zip(
        "ab", told_apart(["日本" * 20 + x + "語" * 40 for x in "ab"], 30), strict=True
    ):
        assert x in text


IDS = (
    "a\N{ESC}[31mred",
    "bell\N{BEL}",
    "\u202egnp.exe",
    "\u2066x\u2069",
    "日本語の文書" * 9,
    "e\u0301" * 60,
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qrels, a run and sessions, of queries and documents whose ids are not plain."""
    monkeypatch.chdir(tmp_path)
    lines = [(f"{x}{n}".encode(), x.encode()) for n, x in enumerate(IDS)]
    lines.append((b"raw\xff\x9b", b"raw\xff\x9b"))
    Path("qrels").write_bytes(b"".join(b"%b 0 %b 1\n" % line for line in lines))
    Path("run").write_bytes(b"".join(b"%b Q0 %b 1 2 t\n" % line for line in lines))
    Path("sessions").write_bytes(b"".join(b"%b\t1\t1\t%b\n" % line for line in lines))


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def printed(to: type[io.TextIOWrapper], *words: str) -> bytes:
    """What is printed to a terminal, or into a file."""
    content = io.BytesIO()
    stream = to(content)
    with redirect_stdout(stream):
        assert main(words) == 0
    return content.getvalue()


COMMANDS = (
    ("eval", "qrels", "run", "-m", "AP", "-q"),
    ("session", "eval", "qrels", "sessions", "-m", "sDCG@2", "-q"),
    ("classify", "qrels", "run", "-m", "AP"),
)


def formats_of(words: tuple[str, ...]) -> list[str]:
    """The output formats of a command whose ids are as they are, and the table."""
    outputs = {"eval": OUTPUTS, "session": OF_SESSIONS, "classify": CLASSES}
    return [output.name for output in outputs[words[0]] if output.name not in ESCAPED]


ESCAPED = ("json", "jsonl", "latex", "markdown", "parquet")
"""What has an escape of its own for an id, or holds none that is no UTF-8."""


@pytest.mark.spec("RS-CONV-35", "RS-CONV-35/L1")
@pytest.mark.usefixtures("files")
def test_nothing_that_moves_a_terminal_reaches_it() -> None:
    """In a file the ids are the bytes that they were."""
    for words in COMMANDS:
        for written_as in formats_of(words):
            shown = printed(Terminal, *words, "--format", written_as).decode()
            assert all(c.isprintable() or c in "\n\t" for c in shown), (words, written_as)
            for escaped in (r"\x1b[31m", r"\x07", r"\u202egnp", r"\u2066x\u2069", r"raw\xff\x9b"):
                assert escaped in shown, (words, written_as, escaped)
            if written_as != "table":
                plain = printed(io.TextIOWrapper, *words, "--format", written_as)
                for raw in (*(x.encode() for x in IDS), b"raw\xff\x9b"):
                    assert raw in plain, (words, written_as, raw)


@pytest.mark.spec("RS-CONV-35/L1")
def test_nor_does_a_complaint_move_it() -> None:
    content = io.BytesIO()
    stream = Terminal(content, encoding="utf-8", errors="surrogateescape")
    with redirect_stderr(stream):
        assert main(["eval", "qrels\udc9b2J\x1b", "run"]) == 2
    said = content.getvalue().decode()
    assert said.startswith("rankspec: error: qrels\\x9b2J\\x1b: cannot be read")


@pytest.mark.spec("RS-CONV-35/L2")
@pytest.mark.usefixtures("files")
def test_tables_are_counted_in_cells(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    explain = ("explain", "qrels", "run", "-m", "AP", "--query", f"{IDS[4]}4")
    for words in (*COMMANDS, explain):
        assert main(words) == 0
        lines = capfdbinary.readouterr().out.decode("utf-8", "surrogateescape").split("\n")
        assert max(map(cell_len, lines)) <= 80, words
        table = lines[: lines.index("")] if words != explain else lines[2:4]
        assert len(set(map(cell_len, table))) == 1, words  # the columns are aligned


@pytest.mark.spec("RS-CONV-35")
def test_a_query_of_the_name_of_the_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("all 0 a 1\nb 0 a 1\n")
    Path("run").write_text("all Q0 a 1 2 t\nb Q0 a 1 2 t\n")
    Path("sessions").write_text("all\t1\t1\ta\nb\t1\t1\ta\n")
    evaluation = ["eval", "qrels", "run", "-m", "RR"]
    of_sessions = ["session", "eval", "qrels", "sessions", "-m", "sDCG"]
    for words, formats in ((evaluation, ("tsv", "trec", "csv")), (of_sessions, ("tsv", "csv"))):
        for written_as in formats:
            said = complaint(capsys, *words, "-q", "--format", written_as)
            assert '"all" is the name of a query or session, but also of the mean' in said
            line = output(capsys, *words, "--format", written_as).replace(",", "\t")
            assert "\tall\t" in line
        assert output(capsys, *words, "-q").count("all") == 1
        assert '"all": 1.0' in output(capsys, *words, "-q", "--format", "json")


@pytest.mark.spec("RS-CONV-35")
def test_the_mean_is_told_from_a_query_that_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The query has 1, and the other one 1/2."""
    monkeypatch.chdir(tmp_path)
    for names, mean in (
        (("mean", "b"), "(mean)"),
        (("mean", "(mean)"), "((mean))"),
        (("(mean)", "b"), "mean"),
        (("Mean", "b"), "mean"),
    ):
        one, other = names
        Path("qrels").write_text(f"{one} 0 a 1\n{other} 0 b 1\n")
        Path("run").write_text(f"{one} Q0 a 1 2 t\n{other} Q0 a 1 2 t\n{other} Q0 b 2 1 t\n")
        Path("sessions").write_text(f"{one}\t1\t1\ta\n{other}\t1\t1\tx\n")
        of_sessions = ["session", "eval", "qrels", "sessions", "-m", "sDCG"]
        for words, values in (
            (["eval", "qrels", "run", "-m", "RR"], ["1.0000", "0.5000", "0.7500"]),
            (of_sessions, ["1.0000", "0.0000", "0.5000"]),
        ):
            lines = output(capsys, *words, "-q").splitlines()[1:4]
            assert list(map(str.split, lines)) == [
                [name, x] for name, x in zip((*names, mean), values, strict=True)
            ], words
    assert "(mean)" not in output(capsys, "eval", "qrels", "run", "-m", "RR")


@pytest.mark.spec("RS-CONV-35", "RS-CONV-35/L2")
def test_bytes_that_are_no_utf8_are_told_from_what_they_are_shown_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns are laid out for what is shown; a byte is not the four characters of its escape."""
    monkeypatch.chdir(tmp_path)
    ids = (b"q\xff", rb"q\xff", b"plain")
    Path("qrels").write_bytes(b"".join(b"%b 0 %b 1\n" % (x, x) for x in ids))
    Path("run").write_bytes(b"".join(b"%b Q0 %b 1 2 t\n" % (x, x) for x in ids))
    Path("sessions").write_bytes(b"".join(b"%b\t1\t1\t%b\n" % (x, x) for x in ids))
    explain = ("explain", "qrels", "run", "-m", "AP", "--query", "q\udcff")
    for to in (Terminal, io.TextIOWrapper):
        for words in COMMANDS:
            lines = printed(to, *words).decode().splitlines()
            rows = lines[: lines.index("")]
            assert len({row.index(".") for row in rows[1:4]}) == 1, words
            shown = [row.split("  ")[0] for row in rows[1:4]]
            assert sorted(shown) == ["plain", r"q\xff [1]", r"q\xff [2]"], words
        assert b"\n1  q\\xff " in printed(to, *explain)
    for written_as in set(formats_of(COMMANDS[0])) - {"table"}:
        plain = printed(io.TextIOWrapper, *COMMANDS[0], "--format", written_as)
        assert all(x in plain for x in ids), written_as


@pytest.mark.spec("RS-CONV-35")
def test_long_names_of_measures_stand_under_the_table(capsys: Capture) -> None:
    """Each column has a number, which its measure has too; tsv and json have the names."""
    sessions = output(capsys, "example", "--sessions").split()
    qrels, run, *_ = output(capsys, "example").split()
    names = [f"DCG(gain='0-1-10-100', discount='jarvelin-2008(b={b})')@10" for b in (2, 3)]
    for words, measures in (
        (["eval", qrels, run], [*names, "nDCG@10", f"UL2({names[0]})"]),
        (["session", "eval", *sessions[:2]], [f"s{names[0]}", "nsDCG@10", f"s{names[1]}"]),
    ):
        chosen = [word for name in measures for word in ("-m", name)]
        for each in ([], ["-q"]):
            lines = output(capsys, *words, *chosen, *each).splitlines()
            assert max(map(len, lines)) <= 80
            header = " ".join(line for line in lines if "@10" in line and not line.startswith("["))
            legend = " ".join(lines[lines.index("[1] " + _printed(measures[0])) :])
            for n, name in enumerate((x for x in measures if "(" in x), start=1):
                assert f"@10 [{n}]" in header or f"@10) [{n}]" in header
                assert f"[{n}] {_printed(name)}" in legend
            assert "nsDCG@10" in header or "nDCG@10" in header
            printed_names = output(capsys, *words, *chosen, "--format", "tsv").split("\n")[0]
            assert printed_names.split("\t")[2:] == list(map(_printed, measures))


def _printed(name: str) -> str:
    """Without the parameters that are the default of sDCG."""
    return name.replace(", discount='jarvelin-2008(b=2)'", "") if name.startswith("s") else name


def test_the_title_of_an_explanation_is_not_cut(capsys: Capture) -> None:
    qrels, run, *_ = output(capsys, "example").split()
    name = "LNDCG(discount='jarvelin-2008(b=2)', prior='log(b=10)')@10"
    words = ["explain", qrels, run, "--query", "java_coffee", "-m", name]
    lines = output(capsys, *words).splitlines()
    assert lines[0].startswith("LNDCG@10 (measure: below) of query java_coffee: 0.")
    assert f"measure     {name}" in lines
