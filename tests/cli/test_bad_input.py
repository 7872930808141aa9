"""Bad input on the command line: one line on the standard error, nothing else, and the status 2."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rankspec.cli.main import main
from rankspec.reference import numerics

from ..each import each

QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d1 1\nq3 0 d7 1\n"
RUN = "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq2 Q0 d9 1 2 a\nq2 Q0 d1 2 2 a\nq3 Q0 d7 1 0.5 a\n"

Capture = pytest.CaptureFixture[str]

FILES = {
    "qrels": QRELS,
    "run": RUN,
    "empty": "",
    "blank": "\n  \n\t\n",
    "columns.run": RUN + "q3 Q0 d8 2 0.4\n",
    "columns.qrels": QRELS + "q3 0 d8\n",
    "cut.run": RUN[:-6],
    "comma.run": "q1 Q0 d1 1 1,5 t\n",
    "nan.run": RUN + "q3 Q0 d8 1 nan t\n",
    "inf.run": "q1 Q0 d1 1 inf t\n",
    "infinity.run": "q1 Q0 d1 1 -Infinity t\n",
    "none.run": "q1 Q0 d1 1  t\n",
    "hex.run": "q1 Q0 d1 1 0x10 t\n",
    "grouped.run": "q1 Q0 d1 1 1_000 t\n",
    "digits.run": f"q1 Q0 d1 1 {'9' * 400} t\n",
    "twice.run": RUN + "q1 Q0 d2 3 1 a\n",
    "word.qrels": QRELS + "q3 0 d8 high\n",
    "grouped.qrels": "q1 0 d1 1_0\n",
    "beyond.qrels": "q1 0 d1 1e999\n",
    "twice.qrels": "q1 0 d1 2\nq1 0 d1 2\n",
    "1024.qrels": QRELS + "q3 0 d8 1024\n",
    "negative.qrels": QRELS + "q3 0 d8 -2\n",
    "long.run": f"q1 Q0 {'d' * 10_000_000}\n",
    "long.qrels": f"{'q' * 10_000_000} 0 d\n",
    "other.run": "other Q0 d1 1 1 t\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of every kind; tests add others."""
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (folder / name).write_text(content)
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "nul.run").write_bytes(RUN.encode() + b"q3 Q0 d\0 2 0.1 t\n")
    packed = gzip.compress(RUN.encode())
    (folder / "cut.gz").write_bytes(packed[:-4])
    (folder / "damaged.gz").write_bytes(packed[:10] + b"\xff" * 20)
    (folder / "checksum.gz").write_bytes(packed[:-8] + b"\0" * 4 + packed[-4:])
    (folder / "folder").mkdir()
    return folder


@pytest.fixture(autouse=True)
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, as the working directory."""
    monkeypatch.chdir(folder)
    return folder


def refused(capsys: Capture, *arguments: str) -> str:
    """What the one line says, where the input is refused as it should be."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rankspec: error: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) < 400
    return err.removeprefix("rankspec: error: ").rstrip("\n")


# What a file can be wrong in: how the message begins.
RUNS = {
    "none": "none: cannot be read: No such file",
    "folder": "folder: a directory; expected a file",
    "empty": "empty: empty; expected the 6 columns of a run: query Q0 document rank score tag",
    "blank": "blank: empty; expected the 6 columns of a run",
    "columns.run": 'columns.run:6: found 5 columns, "q3 Q0 d8 2 0.4"',
    "cut.run": "cut.run:5: found 4 columns",
    "qrels": "qrels:1: found 4 columns",
    "comma.run": 'comma.run:1: the score is "1,5"; expected a finite number',
    "nan.run": 'nan.run:6: the score is "nan"; expected a finite number',
    "inf.run": 'inf.run:1: the score is "inf"; expected a finite number',
    "infinity.run": 'infinity.run:1: the score is "-Infinity"; expected a finite number',
    "none.run": "none.run:1: found 5 columns",
    "hex.run": 'hex.run:1: the score is "0x10"; expected a finite number',
    "grouped.run": 'grouped.run:1: the score is "1_000"; expected a finite number',
    "digits.run": 'digits.run:1: the score is "9999',
    "twice.run": (
        'twice.run:6: document "d2" of query "q1" occurs a second time; it is already in line 2;'
    ),
    "binary": "binary:1: found a NUL byte; expected",
    "nul.run": "nul.run:6: found a NUL byte; expected",
    "cut.gz": "cut.gz: the gzip data end too early",
    "damaged.gz": "damaged.gz: the gzip data are damaged",
    "checksum.gz": "checksum.gz: the gzip data are damaged",
    "long.run": "long.run:1: found 3 columns",
}
LABELS = {
    "none": "none: cannot be read: No such file",
    "folder": "folder: a directory; expected a file",
    "empty": "empty: empty; expected the 4 columns of qrels: query iteration document label",
    "columns.qrels": "columns.qrels:5: found 3 columns",
    "run": 'run:1: found 6 columns, "q1 Q0 d1 1 3 a" (these could be those of a run); expected',
    "word.qrels": 'word.qrels:5: the label is "high"; expected a finite number',
    "grouped.qrels": 'grouped.qrels:1: the label is "1_0"; expected a finite number',
    "beyond.qrels": 'beyond.qrels:1: the label is "1e999"; expected a finite number',
    "twice.qrels": (
        'twice.qrels:2: document "d1" of query "q1" occurs a second time; it is already in line 1;'
    ),
    "binary": "binary:1: found a NUL byte",
    "cut.gz": "cut.gz: the gzip data end too early",
    "long.qrels": "long.qrels:1: found 3 columns",
}
COMMANDS = {"eval": [], "explain": ["--query", "q1"], "check": []}


@contextmanager
def no_superuser() -> Iterator[None]:
    """Gives up the rights of root, who may read every file; of others nothing."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # nobody
    try:
        yield
    finally:
        os.seteuid(user)


class TestFiles:
    @pytest.mark.slow
    @each("command", COMMANDS)
    @each(("run", "message"), RUNS.items(), ids=RUNS)
    def test_of_runs(self, capsys: Capture, command: str, run: str, message: str) -> None:
        if (command, run) == ("check", "twice.run"):
            assert main(["check", "qrels", run]) == 0  # which lists them
            capsys.readouterr()
            return
        assert refused(capsys, command, "qrels", run, *COMMANDS[command]).startswith(message)

    @each("command", COMMANDS)
    @each(("qrels", "message"), LABELS.items(), ids=LABELS, fast=4)
    def test_of_qrels(self, capsys: Capture, command: str, qrels: str, message: str) -> None:
        if (command, qrels) == ("check", "twice.qrels"):
            assert main(["check", qrels, "run"]) == 0
            capsys.readouterr()
            return
        assert refused(capsys, command, qrels, "run", *COMMANDS[command]).startswith(message)

    def test_a_value_that_is_not_decided_names_its_measure(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(numerics, "LAST_PRECISION", 1)  # less than is ever asked for
        said = refused(capsys, "eval", "--backend", "reference", "-m", "nDCG@1", "qrels", "run")
        assert said.startswith("nDCG@1: 1 bits do not decide the rounding")
        assert said.endswith("other measures have their values")

    def test_nothing_is_printed_where_the_second_run_is_bad(self, capsys: Capture) -> None:
        assert refused(capsys, "eval", "qrels", "run", "nan.run").startswith("nan.run:6:")

    def test_an_unreadable_file(self, files: Path, capsys: Capture) -> None:
        (files / "secret").write_text(RUN)
        (files / "secret").chmod(0)
        message = "secret: cannot be read: Permission denied"
        refused(capsys, "eval", "qrels", "none")  # what is imported late may be the superuser's
        files.chmod(0o755)
        with no_superuser():
            assert refused(capsys, "eval", "qrels", "secret").startswith(message)

    def test_a_path_with_a_line_break(self, files: Path, capsys: Capture) -> None:
        (files / "a\nb").write_text("x")
        refused(capsys, "eval", "qrels", "a\nb")

    def test_a_path_with_a_nul(self, capsys: Capture) -> None:
        assert "cannot be read" in refused(capsys, "eval", "qrels", "a\0b")


EVAL = ["eval", "qrels", "run"]
ARGUMENTS = {
    "command": (
        ["evil"],
        'unknown command "evil" (did you mean "eval"?); expected one of eval, compare',
    ),
    "version": (
        ["version"],
        'unknown command "version" (did you mean "--version"?); expected one of eval',
    ),
    "help": (["help"], 'unknown command "help" (did you mean "--help"?); expected one of eval'),
    "far command": (["xyz"], 'unknown command "xyz"; expected one of eval, compare'),
    "option first": (["-q", "eval"], 'there is no option "-q" before a command'),
    "no files": (["eval"], "the following arguments are required: QRELS, RUN"),
    "no run": (["eval", "qrels"], "the following arguments are required: RUN"),
    "one run": (["check", "qrels", "run", "run2"], 'unexpected argument "run2"'),
    "option": ([*EVAL, "--tie", "best"], 'unknown option "--tie" (did you mean "--ties"?)'),
    "far option": ([*EVAL, "--xyz=3"], 'unknown option "--xyz" (see rankspec eval --help)'),
    "another command's option": (
        ["session", "eval", "--ties", "best", "a", "b"],
        'rankspec session eval has no option "--ties"; rankspec eval, rankspec compare',
    ),
    "another command's option, like one here": (
        ["classify", "--topics", "a", "b"],
        'rankspec classify has no option "--topics"; rankspec eval, rankspec compare',
    ),
    "another command's option, of explain": (
        ["explain", "a", "b", "--query", "q", "--backend", "c"],
        'rankspec explain has no option "--backend"; rankspec eval, rankspec compare',
    ),
    "measures": (
        [*EVAL, "--measures", "AP"],
        'rankspec eval has no option "--measures"; name measures with -m (--measure)',
    ),
    "option cut short": ([*EVAL, "--dig", "2"], 'unknown option "--dig"'),
    "option of nothing": ([*EVAL, "--ties"], "argument --ties: expected one argument"),
    "format": (
        [*EVAL, "--format", "jsn"],
        'unknown format "jsn" (did you mean "json"?); expected one of',
    ),
    "backend": (
        [*EVAL, "--backend", "python"],
        'unknown backend "python"; expected one of auto, c, reference',
    ),
    "digits": ([*EVAL, "--digits", "-1"], "expected 0 to 17"),
    "many digits": ([*EVAL, "--digits", "18"], "expected 0 to 17"),
    "top": (
        ["check", "qrels", "run", "--top", "0"],
        "from 1 to 10^18 - 1",
    ),
    "measure": ([*EVAL, "-m", "nDGC@10"], 'unknown measure "nDGC@10" (did you mean "nDCG@10"?)'),
    "trec measure": (
        [*EVAL, "-m", "ndgc_cut_10"],
        'unknown measure "ndgc_cut_10" (did you mean "ndcg_cut_10"?)',
    ),
    "no measure": ([*EVAL, "-m", ""], 'unknown measure ""'),
    "cut-off": ([*EVAL, "-m", "P@x"], '"x" is no cut-off; write it like nDCG@10'),
    "cut-offs": ([*EVAL, "-m", "P@5x"], '"5x" is no cut-off; write it like nDCG@10'),
    "cut-off and a word": ([*EVAL, "-m", "P@5,x"], 'unknown measure "x"'),
    "half a cut-off": ([*EVAL, "-m", "P@5,"], "it ends with a comma; leave that out"),
    "a second measure": (
        [*EVAL, "-m", "AP", "nDGC@5"],
        'unknown measure "nDGC@5" (did you mean "nD',
    ),
    "measures by commas": (
        [*EVAL, "-m", "nDCG@10,nDGC"],
        'unknown measure "nDGC" (did you mean "nD',
    ),
    "measures by blanks": ([*EVAL, "-m", "nDCG@10 AP"], "give a list of them: nDCG@10, AP"),
    "commas within brackets": (
        [*EVAL, "-m", "UL2(nDCG@10,AP)"],
        'measure "UL2(nDCG@10,AP)": ',
    ),
    "a file behind -m": (
        ["eval", "-m", "qrels", "run"],
        'argument -m/--measure: "qrels" is a file, not a measure; give files without an option, ',
    ),
    "set of trec_eval": ([*EVAL, "-m", "official"], "a set of trec_eval's measures; name each"),
    "measure of others": (
        [*EVAL, "-m", "xinfAP"],
        '"xinfAP" is no measure of rankspec: it is inferred',
    ),
    "measure for a run": (
        [*EVAL, "nDCG@10"],
        '"nDCG@10" is a measure, and there is no file of that name; put measures after -m: -m ',
    ),
    "measure for qrels": (
        ["explain", "AP", "run", "--query", "q1"],
        '"AP" is a measure, and there is no file',
    ),
    "measure for a session": (
        ["session", "eval", "qrels", "sDCG"],
        '"sDCG" is a measure, and there is no fil',
    ),
    "a second word": ([*EVAL, "-m", "AP", "foo"], 'unexpected argument "foo"'),
    "cut-off of 0": ([*EVAL, "-m", "P@0"], "the cut-off is 0; it must be at least 1"),
    "no cut-off": ([*EVAL, "-m", "ndcg_cut"], '"ndcg_cut" needs a cut-off: ndcg_cut@10, say'),
    "parameter": ([*EVAL, "-m", "nDCG(gian='exp2')"], "'gian' (did you mean \"gain\"?)"),
    "parameter of another": ([*EVAL, "-m", "AP(gain='exp2')"], "AP has no parameter 'gain'"),
    "unquoted": ([*EVAL, "-m", "nDCG(gain=exp2)"], "put strings in quotes: gain='exp2'"),
    "gain of a measure": (
        [*EVAL, "-m", "DCG(gain='exp')"],
        'gain: unknown gain "exp" (did you mean "exp2"?)',
    ),
    "norm": (
        [*EVAL, "-m", "AP(norm='mim')"],
        "unknown normaliser of AP: 'mim' (did you mean \"min\"?)",
    ),
    "relevant from 0 on": ([*EVAL, "-m", "P(rel=0)@1"], "rel must be above 0"),
    "weights": (
        [*EVAL, "-m", "DCG(discount=[1.0])"],
        "weights for 1 ranks are given, but rank 2 needs one, too",
    ),
    "profile": ([*EVAL, "--profile", "trec-eval-9"], 'did you mean "trec_eval-9"?'),
    "profile's name": (["profiles", "RANX"], 'unknown profile "RANX" (did you mean "ranx"?)'),
    "profile without it": (
        [*EVAL, "--profile", "gdeval", "-m", "AP"],
        'the profile "gdeval" has no AP, only nDCG and ERR (RS-CONV-18)',
    ),
    "ties": (
        [*EVAL, "--ties", "id-asc"],
        'ties: unknown rule "id-asc" (did you mean "id-ascending"?)',
    ),
    "scores": (
        [*EVAL, "--scores", "float"],
        'scores: unknown choice "float" (did you mean "float32"?)',
    ),
    "unjudged": ([*EVAL, "--unjudged", "relevant"], 'did you mean "nonrelevant"?'),
    "negative": (
        [*EVAL, "--negative", "0"],
        'negative: unknown choice "0"; expected one of "zero"',
    ),
    "undefined": (
        [*EVAL, "--undefined", "skip"],
        'undefined: unknown choice "skip"; expected one of "zero"',
    ),
    "queries": (
        [*EVAL, "--queries", "Both"],
        'queries: unknown choice "Both" (did you mean "both"?)',
    ),
    "duplicates": ([*EVAL, "--duplicates", "frist"], 'did you mean "first"?'),
    "depth": (
        [*EVAL, "--depth", "0"],
        "from 1 to 10^18 - 1",
    ),
    "huge depth": ([*EVAL, "--depth", "9" * 30], "from 1 to 10^18 - 1"),
    "pool": ([*EVAL, "--pool", "judge"], 'pool: unknown choice "judge" (did you mean "judged"?)'),
    "gain": ([*EVAL, "--gain", "linar"], 'unknown gain "linar" (did you mean "linear"?)'),
    "base of log2": (
        [*EVAL, "--discount", "log2(b=2)"],
        'discount: unknown name "log2(b=2)" (did you mean "log2"?)',
    ),
    "discount": (
        [*EVAL, "--discount", "ziff"],
        'discount: unknown name "ziff" (did you mean "zipf"?)',
    ),
    "rel": ([*EVAL, "--rel", "high"], '"high" is not a number'),
    "bounds of tied": (
        [*EVAL, "--unjudged", "lowest", "--ties", "best"],
        'unjudged: "lowest" needs a tie rule that does not depend on labels',
    ),
    "checked bounds": (
        ["check", "qrels", "run", "--unjudged", "highest"],
        'unjudged="highest" nothing needs checking',
    ),
    "depth within a tie": ([*EVAL, "--ties", "expected", "--depth", "1"], "depth: rank 1"),
    "missing query": (
        ["eval", "qrels", "other.run", "--queries", "complete"],
        'query "q1" is in the qrels, but not in the run',
    ),
    "no query in both": (
        ["eval", "qrels", "other.run", "--queries", "both"],
        "no query is in both the qrels and the run, so there is nothing to evaluate",
    ),
    "negative label": (
        ["eval", "negative.qrels", "run", "--negative", "error"],
        'the label -2 of document "d8" for query "q3" is negative',
    ),
    "label without a gain": (
        ["eval", "1024.qrels", "run", "-m", "nDCG(gain='exp2')"],
        'label 1024 of document "d8" for query "q3": the gain "exp2" takes labels up to 1023',
    ),
    "label beyond a table": (
        ["eval", "qrels", "run", "-m", "DCG(gain='0-1')"],
        'label 2 of document "d1" for query "q1": the gain table has the labels 0 to 1',
    ),
    "standard input twice": (["eval", "-", "-"], "only one of the files can be the standard"),
    "run twice": (["eval", "qrels", "run", "run"], "run: the same run is given twice"),
    "query": (["explain", "qrels", "run", "--query", "q11"], 'did you mean "q1"?'),
    "shell": (["completion", "bahs"], 'unknown shell "bahs" (did you mean "bash"?)'),
}


class TestArguments:
    @each(("arguments", "message"), ARGUMENTS.values(), ids=ARGUMENTS)
    def test_say_what_is_wrong(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert message in refused(capsys, *arguments)


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "rankspec", *arguments]
    return subprocess.run(command, check=False, capture_output=True, **options)  # type: ignore[call-overload, no-any-return]  # noqa: S603


class TestStandardInput:
    @pytest.mark.parametrize(
        "content", [b"", b"q1 Q0 d1 1\n", gzip.compress(RUN.encode(), mtime=0)[:-9]]
    )
    def test_is_named(
        self, content: bytes, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert refused(capsys, *EVAL[:2], "-").startswith("standard input:")


class TestIsNoBadInput:
    def test_line_ends_tabs_and_the_last_line(self, capsys: Capture, files: Path) -> None:
        assert main([*EVAL, "--format", "trec", "-q"]) == 0
        plain = capsys.readouterr().out
        for name, content in {
            "crlf": RUN.replace("\n", "\r\n"),
            "tabs": RUN.replace(" ", "\t"),
            "blanks": RUN.replace(" ", " \t ").replace("\n", "  \n\n"),
            "no end": RUN.rstrip("\n"),
        }.items():
            (files / name).write_bytes(content.encode())
            assert main(["eval", "qrels", name, "--format", "trec", "-q"]) == 0
            assert capsys.readouterr().out == plain, name

    @pytest.mark.slow
    def test_ids_of_any_bytes_are_printed_as_they_are_but_in_tables(self, files: Path) -> None:
        ids = [b"q\xe9", b"q\xc3\xa9", b"q\xff\xfe", "\u2603".encode()]
        (files / "bytes").write_bytes(b"".join(b"%b 0 d\xe9 1\n" % q for q in ids))
        (files / "bytes.run").write_bytes(b"".join(b"%b Q0 d\xe9 1 1 t\n" % q for q in ids))
        as_escaped = [rb"q\xe9", ids[1], rb"q\xff\xfe", ids[3]]
        for style, shown in (("table", as_escaped), ("tsv", ids), ("trec", ids)):
            done = process("eval", "bytes", "bytes.run", "-q", "-m", "RR", "--format", style)
            assert (done.returncode, done.stderr) == (0, b"")
            assert all(q in done.stdout for q in shown), style
        done = process("explain", "bytes", "bytes.run", "--query", os.fsdecode(ids[0]))
        assert (done.returncode, done.stderr) == (0, b"")
        assert rb"d\xe9" in done.stdout

    def test_long_lines(
        self, files: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """10 MB of one id, in both files, where the environment admits it."""
        monkeypatch.setenv("RANKSPEC_MOST_TOKEN", "10000000")
        document = "d" * 10_000_000
        (files / "wide").write_text(f"q 0 {document} 1\n")
        (files / "wide.run").write_text(f"q Q0 {document} 1 1 t\n")
        assert main(["eval", "wide", "wide.run", "-m", "RR", "--format", "trec"]) == 0
        assert capsys.readouterr().out.endswith("\tall\t1.0000\n")

    def test_scores_of_many_digits(self, files: Path, capsys: Capture) -> None:
        """0.999...9 and 1 are one double; 400 digits are no more than that."""
        run = f"q1 Q0 d2 1 0.{'9' * 400} t\nq1 Q0 d1 2 1 t\n"
        (files / "fine.run").write_text(run)
        assert main(["explain", "qrels", "fine.run", "--query", "q1", "-m", "RR"]) == 0
        assert "= equal scores: ranks 1-2" in capsys.readouterr().out
