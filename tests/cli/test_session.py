"""Sessions on the command line: ``rankspec session eval``."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main

from ..each import each
from ..formats import session_files
from . import running
from .running import Capture, output
from .test_completion import NEEDS_BASH, completed, script  # noqa: F401 - a fixture

QRELS = "1\ta\t1\n1\tb\t-1\n1\tc\t3\n1\td\t2\n2\tb\t2\n2\tx\t1\n"
SESSIONS = "1\t1\t1\ta\n1\t1\t2\tb\n1\t2\t1\tc\n1\t2\t2\ta\n2\t1\t1\tb\n"
OTHER = "1\t1\t1\tc\n2\t1\n3\t1\t1\ta\n"
XML = """\
<sessiontrack2013><session num="1"><topic num="7"/><interaction num="1"><results>
<result rank="1"><docno>a</docno></result></results></interaction><currentquery/></session>
<session num="2"><topic num="8"/></session></sessiontrack2013>
"""
PLAIN = ["--discount", "none", "--query-discount", "none"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.tsv").write_text(QRELS)
    Path("a.tsv").write_text(SESSIONS)
    Path("b.tsv").write_text(OTHER)
    Path("track.xml.gz").write_bytes(gzip.compress(XML.encode()))
    Path("of_topics").write_text("7 0 a 2\n7 0 b 4\n9 0 a 1\n")
    Path("map").write_text("1\t7\n")
    Path("run").write_text("1 Q0 b 1 2.5 t\n1 Q0 c 2 0.5 t\n")


def evaluated(capsys: Capture, *arguments: str) -> str:
    return output(capsys, "session", "eval", *arguments)


def complaint(capsys: Capture, *arguments: str) -> str:
    line = running.complaint(capsys, "session", "eval", *arguments)
    return line.removeprefix("rankspec: error: ")


class TestCommandsOfTwoWords:
    @pytest.mark.parametrize("words", [["session"], ["session", "--help"], ["session", "-h"]])
    def test_the_first_lists_them(self, capsys: Capture, words: list[str]) -> None:
        printed = output(capsys, *words)
        assert "usage: rankspec session COMMAND ..." in printed
        assert "  session eval         evaluate sessions" in printed
        assert max(map(len, printed.splitlines())) <= 80

    def test_those_of_one_word_are_not_among_them(self, capsys: Capture) -> None:
        assert "explain" not in output(capsys, "session")

    @pytest.mark.parametrize(
        ("words", "error"),
        [
            (
                ["session", "evl"],
                'unknown command "session evl" (did you mean "session eval"?); expected',
            ),
            (["session", "explain"], 'unknown command "session explain"'),
            (["sesion", "eval"], 'unknown command "sesion" (did you mean "session"?)'),
            (
                ["session", "--digits"],
                'there is no option "--digits" before a command (see rankspec s',
            ),
            (["session eval"], 'unknown command "session eval"'),
            (["session", "eval", "qrels.tsv"], "the following arguments are required: SESSIONS"),
            (["session", "eval", "--run", "x", "y"], 'rankspec session eval has no option "--run"'),
        ],
    )
    def test_what_there_is_not(self, capsys: Capture, words: list[str], error: str) -> None:
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"rankspec: error: {error}")

    @NEEDS_BASH
    def test_bash_completes_them(self, script: Path) -> None:  # noqa: F811
        assert completed(script, "sess") == {"session"}
        offered = completed(script, "session", "")
        assert "eval" in offered
        assert "explain" not in offered
        offered = completed(script, "session", "eval", "-m", "")
        assert {"nsDCG@10", "query_nDCG", "sDCG_q@5"} <= offered
        assert not {"nDCG@10", "AP"} & offered

    @NEEDS_BASH
    @each(
        ("words", "offered"),
        [
            (["--judged"], {"--judged-by"}),
            (["--judged-by", ""], {"topic", "session"}),
            (["--unjudged", ""], {"nonrelevant", "error"}),
            (["--ideal", "g"], {"greatest"}),
            (["--query-discount", "no"], {"none"}),
            (["q", "bm"], {"bm25.run"}),
            (["q", "a", "bm"], {"bm25.run"}),
            (["--topics", "bm"], {"bm25.run"}),
            (["--current", "bm"], {"bm25.run"}),
        ],
        fast=3,
    )
    def test_bash_completes_their_options(
        self,
        script: Path,  # noqa: F811
        words: list[str],
        offered: set[str],
    ) -> None:
        assert completed(script, "session", "eval", *words) == offered


class TestEval:
    def test_a_table_of_systems(self, capsys: Capture) -> None:
        """By hand, without discounts. Of a: session 1 gains 1 0 3 1, its ideal 3 2 3 2, its queries
        1/5 and 4/5; session 2 gains 2 of 2 1. Of b: session 1 gains 3 of 3 2, session 2 nothing."""
        words = ["-m", "nsDCG@2,sDCG@2,query_nDCG@2", *PLAIN]
        lines = evaluated(capsys, "qrels.tsv", "a.tsv", "b.tsv", *words).splitlines()
        assert lines[:3] == [
            "sessions  nsDCG@2 [1]  sDCG@2 [2]  query_nDCG@2 [3]",
            "a.tsv          0.5833      3.5000            0.5833",
            "b.tsv          0.3000      1.5000            0.3000",
        ]
        assert lines[4:7] == [
            "[1] nsDCG(discount='none', query_discount='none')@2",
            "[2] sDCG(discount='none', query_discount='none')@2",
            "[3] query_nDCG(discount='none')@2",
        ]
        assert lines[-2:] == [
            "2 sessions, judged by: session",
            "b.tsv: 1 left out (no judgment): 3",
        ]
        assert max(map(len, lines)) <= 80

    def test_the_default_measures(self, capsys: Capture) -> None:
        header = evaluated(capsys, "qrels.tsv", "a.tsv").splitlines()[0]
        assert header.split() == ["sessions", "nsDCG@10", "sDCG@10", "query_nDCG@10"]

    def test_the_sessions_values(self, capsys: Capture) -> None:
        words = ["-m", "sDCG@2", "-q", *PLAIN[:2], "--digits", "1"]
        assert evaluated(capsys, "qrels.tsv", "a.tsv", "b.tsv", *words) == (
            "a.tsv\n"
            "session  sDCG(discount='none')@2\n"
            "1                            3.7\n"
            "2                            2.0\n"
            "mean                         2.8\n"
            "\n"
            "b.tsv\n"
            "session  sDCG(discount='none')@2\n"
            "1                            3.0\n"
            "2                            0.0\n"
            "mean                         1.5\n"
            "\n"
            "2 sessions, judged by: session\n"
            "b.tsv: 1 left out (no judgment): 3\n"
        )

    def test_tsv(self, capsys: Capture) -> None:
        words = ["qrels.tsv", "a.tsv", "b.tsv", "-m", "sDCG@2", "-m", "nsDCG@2", *PLAIN]
        assert main(["session", "eval", *words, "--format", "tsv", "--per-session"]) == 0
        printed, err = capsys.readouterr()
        assert err == "rankspec: warning: b.tsv: 1 left out (no judgment): 3\n"
        rows = [line.split("\t") for line in printed.splitlines()]
        assert [row[:3] for row in rows[1:]] == [
            ["a.tsv", "1", "5.0"],
            ["a.tsv", "2", "2.0"],
            ["a.tsv", "all", "3.5"],
            ["b.tsv", "1", "3.0"],
            ["b.tsv", "2", "0.0"],
            ["b.tsv", "all", "1.5"],
        ]
        assert [row[3] for row in rows[1:3]] == ["0.5", repr(2 / 3)]
        assert main(["session", "eval", *words, "--format", "tsv", "--digits", "2"]) == 0
        few = capsys.readouterr().out.splitlines()
        assert few[1:] == ["a.tsv\tall\t3.50\t0.58", "b.tsv\tall\t1.50\t0.30"]

    def test_json_is_what_python_has(self, capsys: Capture) -> None:
        words = ["qrels.tsv", "a.tsv", "b.tsv", "-m", "nsDCG@2", "--undefined", "omit"]
        printed = json.loads(evaluated(capsys, *words, "--format", "json", "-q"))
        assert printed["qrels"] == "qrels.tsv"
        for name, found in zip(("a.tsv", "b.tsv"), printed["systems"], strict=True):
            result = rs.evaluate_sessions("qrels.tsv", name, "nsDCG@2", undefined="omit").to_dict()
            assert found.pop("file") == name
            assert found == {key: result[key] for key in found}
            assert printed["measures"] == result["measures"]
            assert printed["conventions"] == result["conventions"]
        few = json.loads(evaluated(capsys, *words, "--format", "json"))
        assert set(few["systems"][0]) == {"file", "sessions", "left_out", "mean"}

    @pytest.mark.parametrize(
        ("words", "options"),
        [
            (["--gain", "exp2"], {"gain": "exp2"}),
            (["--gain", "0-1-10-100"], {"gain": [0, 1, 10, 100]}),
            (["--discount", "log2"], {"discount": "log2"}),
            (["--query-discount", "jiang-2016(b=4)"], {"query_discount": "jiang-2016(b=4)"}),
            (["--repeats", "first"], {"repeats": "first"}),
            (["--repeats", "0.5"], {"repeats": 0.5}),
            (["--repeats", "1"], {"repeats": "every"}),
            (["--padding", "0"], {"padding": 0}),
            (["--padding", "X"], {"padding": "X"}),
            (["--padding", "9" * 30], {"padding": 10**30 - 1}),
            (["--ideal", "greatest"], {"ideal": "greatest"}),
            (["--pool", "retrieved"], {"pool": "retrieved"}),
            (["--grades", "-1=4,3=0"], {"grades": {-1: 4, 3: 0}}),
            (["--grades=-1=4,3=0"], {"grades": {-1: 4, 3: 0}}),
            (["--backend", "reference"], {"backend": "reference"}),
        ],
    )
    def test_options_are_arguments(
        self, capsys: Capture, words: list[str], options: dict[str, object]
    ) -> None:
        printed = evaluated(
            capsys, "qrels.tsv", "a.tsv", "-m", "nsDCG@2", "--format", "tsv", "-q", *words
        )
        result = rs.evaluate_sessions("qrels.tsv", "a.tsv", "nsDCG@2", **options)  # type: ignore[arg-type]
        rows = [line.split("\t") for line in printed.splitlines()[1:-1]]
        (values,) = result.per_session.values()
        assert {session: float(x) for _, session, x in rows} == values

    def test_a_measure_says_what_it_says(self, capsys: Capture) -> None:
        """An option is for the others."""
        words = ["-m", "sDCG(repeats='every')@2", "--repeats", "first", *PLAIN, "--format", "tsv"]
        assert evaluated(capsys, "qrels.tsv", "a.tsv", *words).splitlines()[1] == "a.tsv\tall\t3.5"
        words[1] = "sDCG@2"
        assert evaluated(capsys, "qrels.tsv", "a.tsv", *words).splitlines()[1] == "a.tsv\tall\t3.0"

    def test_topics_grades_and_the_current_query(self, capsys: Capture) -> None:
        """Session 1 shows a, then by the run b, c; of its topic a has the label 2, and b has 4,
        which is 1. Session 2 is of a topic that nobody judged."""
        words = ["of_topics", "track.xml.gz", "-m", "sDCG@2", *PLAIN, "--grades", "4=1"]
        lines = evaluated(capsys, *words, "--current", "run", "-q").splitlines()
        assert [line.split() for line in lines[1:3]] == [["1", "3.0000"], ["mean", "3.0000"]]
        assert lines[4:] == [
            "[1] sDCG(discount='none', query_discount='none')@2",
            "",
            "1 session, judged by: topic, grades: 4=1",
            "1 left out (no judgment of its topic): 2",
        ]
        lines = evaluated(capsys, *words, "--topics", "map").splitlines()
        assert lines[1].split() == ["track.xml.gz", "2.0000"]
        assert lines[-1] == "1 left out (not among the topics): 2"

    def test_what_orders_the_current_run(self, capsys: Capture) -> None:
        """A run of the track without scores has its ranks, or its lines."""
        lines = Path("run").read_text().splitlines()
        assert len(lines) == 2
        unscored = [[*line.split()[:3], str(2 - n), "X", "t"] for n, line in enumerate(lines)]
        Path("unscored").write_text("".join(f"{' '.join(line)}\n" for line in unscored))
        words = ["of_topics", "track.xml.gz", "-m", "query_sDCG(over='last')@1", "--current"]
        by_rank = evaluated(capsys, *words, "unscored", "--order", "rank")
        by_file = evaluated(capsys, *words, "unscored", "--order", "file")
        assert by_rank != by_file
        assert "--order rank" in complaint(capsys, *words, "unscored")
        words[-1:] = ["--order", "rank"]
        assert 'order: "rank" orders the run given as current' in complaint(capsys, *words)

    def test_the_standard_input(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        expected = evaluated(capsys, "qrels.tsv", "a.tsv")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SESSIONS.encode())))
        assert (
            evaluated(capsys, "qrels.tsv", "-").split("\n")[1].split()[1:]
            == (expected.split("\n")[1].split()[1:])
        )

    @pytest.mark.spec("RS-CONV-26")
    def test_no_session_to_evaluate_is_an_error(self, capsys: Capture) -> None:
        """As no query is in `rankspec eval`, whatever the output is, of any of the systems."""
        Path("nobody").write_text("9\ta\t1\n")
        Path("none.tsv").write_text("9\t1\n")
        for words, message in (
            (["nobody", "a.tsv"], "a.tsv: no session to evaluate (no judgment)"),
            (["qrels.tsv", "a.tsv", "none.tsv"], "none.tsv: no session to evaluate (no judgment)"),
        ):
            for written_as in ("table", "tsv", "json"):
                assert main(["session", "eval", *words, "--format", written_as]) == 2
                out, err = capsys.readouterr()
                assert out == ""
                assert err.startswith(f"rankspec: error: {message}")
                assert err.count("\n") == 1

    @pytest.mark.spec("RS-CONV-26")
    def test_no_topic_of_any_session_is_an_error(self, capsys: Capture) -> None:
        """Whatever the judgments are, the topics are the reason."""
        Path("others").write_text("8 7\n")
        assert main(["session", "eval", "of_topics", "a.tsv", "--topics", "others"]) == 2
        message = "a.tsv: no session to evaluate (not among the topics) (RS-CONV-26)"
        assert capsys.readouterr().err == f"rankspec: error: {message}\n"

    def test_means_of_different_sessions_are_a_warning(self, capsys: Capture) -> None:
        """The first that one system has and another has not."""
        Path("one.tsv").write_text("2\t1\n")
        assert main(["session", "eval", "qrels.tsv", "one.tsv", "a.tsv"]) == 0
        out, err = capsys.readouterr()
        assert err.splitlines() == [
            'rankspec: warning: the means are of different sessions: a.tsv has "1", one.tsv has '
            "not",
        ]
        assert "1 to 2 sessions" in out
        evaluated(capsys, "qrels.tsv", "a.tsv", "b.tsv")  # without a warning

    def test_undefined_values_in_tsv(self, capsys: Capture) -> None:
        Path("zero").write_text("1\ta\t0\n2\tb\t1\n")
        words = ["-m", "nsDCG@2", "--undefined", "omit", "-q", "--format", "tsv"]
        assert evaluated(capsys, "zero", "a.tsv", *words).splitlines()[1] == "a.tsv\t1\t"

    def test_undefined_values_are_named(self, capsys: Capture) -> None:
        Path("zero").write_text("1\ta\t0\n2\tb\t1\n")
        printed = evaluated(capsys, "zero", "a.tsv", "-m", "nsDCG@2", "--undefined", "omit", "-q")
        assert printed.splitlines()[1].split() == ["1", "-"]
        assert printed.splitlines()[-1] == "nsDCG@2: 1 undefined, no part of the mean"

    def test_many_that_are_left_out_take_one_line(self, capsys: Capture) -> None:
        ids = ["s" * 70, "\N{BEL}", *(f"session-{n}" for n in range(500))]
        Path("many.tsv").write_text("1\t1\t1\ta\n" + "".join(f"{x}\t1\n" for x in ids))
        lines = evaluated(capsys, "qrels.tsv", "many.tsv", "-m", "nsDCG@2").splitlines()
        assert lines[-1].startswith(
            "502 left out (no judgment): ssssss...sssssss, \\x07, session-0"
        )
        assert lines[-1].endswith(", ...")
        assert max(map(len, lines)) <= 80
        assert all(line.isprintable() for line in lines)

    def test_the_examples_are_evaluated(self, capsys: Capture) -> None:
        paths = output(capsys, "example", "--sessions").split()
        assert [Path(path).name for path in paths] == [
            "session-qrels.tsv",
            "sessions-1.tsv",
            "sessions-2.tsv",
        ]
        printed = evaluated(capsys, *paths)
        assert "12 sessions, judged by: session" in printed
        assert "left out" not in printed

    def test_one_example_at_a_time(self, capsys: Capture) -> None:
        assert main(["example", "--letor", "--sessions"]) == 2
        assert "not allowed with argument --letor" in capsys.readouterr().err


class TestBadInput:
    @pytest.mark.parametrize(
        ("words", "error"),
        [
            (["qrels.tsv", "nowhere"], "nowhere: cannot be read: No such file"),
            (["nowhere", "a.tsv"], "nowhere: cannot be read"),
            (["qrels.tsv", "a.tsv", "a.tsv"], "a.tsv: the same file is given twice"),
            (["-", "-"], "only one of the files can be the standard input"),
            (["qrels.tsv", "-", "--topics", "-"], "only one of the files can be the standard"),
            (["qrels.tsv", "qrels.tsv"], "qrels.tsv:1: found 3 fields, "),
            (["a.tsv", "a.tsv"], "a.tsv:1: the label is \"a\"; expected a finite number"),
            (["qrels.tsv", "a.tsv", "-m", "nDCG@10"], 'measure "nDCG@10": it takes one ranking'),
            (["qrels.tsv", "a.tsv", "-m", "nsDCG@x"], 'measure "nsDCG@x": "x" is no cut-off'),
            (["qrels.tsv", "a.tsv", "--pool", "all"], "pool: unknown rule 'all'"),
            (["qrels.tsv", "a.tsv", "--judged-by", "x"], "judged_by: unknown rule 'x'"),
            (["qrels.tsv", "a.tsv", "--gain", "x"], 'gain: unknown gain "x"; expected "linear"'),
            (["qrels.tsv", "a.tsv", "--repeats", "2"],
             'repeats: expected "every", "first", or a number from 0 to 1, got 2'),
            (["qrels.tsv", "a.tsv", "--repeats", "often"],
             'repeats: expected "every", "first", or a number from 0 to 1, got \'often\''),
            (["qrels.tsv", "a.tsv", "--padding", "-1"],
             'padding: expected "X", or the least number of ranks, 0 or more, got \'-1\''),
            (["qrels.tsv", "a.tsv", "--padding", "Y"],
             'padding: expected "X", or the least number of ranks, 0 or more, got \'Y\''),
            (["qrels.tsv", "a.tsv", "--ideal", "x"], "ideal: unknown ideal session: 'x'"),
            (["qrels.tsv", "a.tsv", "--grades", "3"], 'argument --grades: "3": expected labels'),
            (["qrels.tsv", "a.tsv", "--grades", "3=1,3=2"], 'argument --grades: "3=2": expected'),
            (["qrels.tsv", "a.tsv", "--grades", "x=1"], 'argument --grades: "x=1": expected'),
            (["qrels.tsv", "a.tsv", "--grades"], "argument --grades: expected one argument"),
            (["qrels.tsv", "a.tsv", "--negative", "error"], 'qrels.tsv:2: session "1": the label'),
            (["of_topics", "track.xml.gz", "--negative", "error", "--grades", "4=-1"],
             'of_topics:2: topic "7": the label -1 of document "b" is negative'),
            (["few", "a.tsv", "--unjudged", "error"],
             'a.tsv:1: session "1", query 1, rank 2: document "b" has no judgment'),
            (["few", "b.tsv", "a.tsv", "--unjudged", "error"], 'b.tsv:1: session "1", query 1, r'),
            (["qrels.tsv", "a.tsv", "--gain", "exp2", "--grades", "2=1100"],
             'qrels.tsv:4: measure "nsDCG(gain='),
            (["qrels.tsv", "a.tsv", "./a.tsv"], "a.tsv: the same file is given twice"),
            (["qrels.tsv", "a.tsv", "link.tsv"], "a.tsv: the same file is given twice"),
            (["qrels.tsv", "a.tsv", "--topics", "nowhere", "--topics", "map"],
             "argument --topics: this option is given twice (see rankspec session eval --help)"),
            (["qrels.tsv", "a.tsv", "--current=run", "--current", "run2"],
             "argument --current: this option is given twice"),
            (["qrels.tsv", "b.tsv", "a.tsv", "--gain", "0-1-2"], 'qrels.tsv:3: measure "nsDCG(gai'),
            (["qrels.tsv", "a.tsv", "--topics", "qrels.tsv"], "qrels.tsv:1: found 3 fields; "),
            (["qrels.tsv", "a.tsv", "--current", "qrels.tsv"], "qrels.tsv:1: found 3 columns"),
            (["qrels.tsv", "b.tsv", "a.tsv", "--current", "run9"],
             'b.tsv: run9:2: session "9" has a ranking, '),
            (["qrels.tsv", "a.tsv", "--current", "run2"],
             'run2:1: session "3" has a ranking, but is not among the sessions (RS-CONV-23)'),
        ],
    )  # fmt: skip
    def test_it_is_refused(self, capsys: Capture, words: list[str], error: str) -> None:
        Path("run2").write_text("3 Q0 b 1 2.5 t\n")
        Path("run9").write_text("3 Q0 b 1 2.5 t\n9 Q0 b 1 2.5 t\n")
        Path("few").write_text("1\ta\t1\n")
        Path("link.tsv").symlink_to("a.tsv")
        assert complaint(capsys, *words).startswith(error)

    def test_a_contradiction_of_topics(self, capsys: Capture) -> None:
        Path("map").write_text("1 9\n")
        error = complaint(capsys, "of_topics", "track.xml.gz", "--topics", "map")
        assert error == (
            'map:1: session "1" has the topic "9" here, but "7" in track.xml.gz:1 (RS-CONV-25)\n'
        )


@pytest.mark.spec("RS-CONV-25")
@pytest.mark.parametrize("qrels", ["session-qrels.tsv", "qrels.txt"])
@pytest.mark.parametrize("form", ["", ".xml", ".json"])
def test_files_that_are_swapped(qrels: str, form: str, capsys: Capture, tmp_path: Path) -> None:
    example = Path(rs.__file__).parent / "example"
    judgments = example / qrels
    sessions = example / "sessions-1.tsv"
    if form:
        sessions = tmp_path / f"sessions{form}"
        write = {".xml": session_files.as_xml, ".json": session_files.as_json}[form]
        sessions.write_bytes(write({"1": [["a", "b"], ["c"]]}))
    said = (
        f"{sessions} is a file of sessions, and {judgments} one of judgments: the two are swapped; "
        "judgments come first (RS-CONV-25)"
    )
    assert complaint(capsys, str(sessions), str(judgments)) == f"{said}\n"
    for evaluate in (lambda *x: rs.evaluate_sessions(*x, "sDCG"), rs.judge_sessions):
        with pytest.raises(rs.InputError, match=f"^{re.escape(said)}$"):
            evaluate(sessions, judgments)


@pytest.mark.spec("RS-CONV-25")
def test_files_of_one_kind_are_not_said_to_be_swapped(capsys: Capture) -> None:
    example = Path(rs.__file__).parent / "example"
    for name in ("session-qrels.tsv", "sessions-1.tsv", "plain.run"):
        error = complaint(capsys, str(example / name), str(example / name))
        assert "swapped" not in error
        assert f"{name}:" in error
