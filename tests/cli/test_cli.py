"""The command line: what it prints, and what it says about bad input."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise, takewhile
from pathlib import Path

import pytest

import rankspec
from rankspec.cli.commands import COMMANDS, all_commands, load
from rankspec.cli.main import main
from rankspec.cli.output import EXIT_STATUS
from rankspec.cli.parser import Parser
from rankspec.evaluation.conventions import CONVENTIONS
from rankspec.evaluation.profiles import PROFILES, assignments
from rankspec.evaluation.render import Output
from rankspec.metrics.catalogue import (
    DIVERSITY_METRICS,
    MAKERS,
    METRICS,
    SESSION_METRICS,
)
from rankspec.records import replace

from ..each import each
from .running import Capture, complaint, former, output

QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d1 1\nq3 0 d7 1\n"
RUN_A = "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq2 Q0 d9 1 2 a\nq2 Q0 d1 2 2 a\nq3 Q0 d7 1 0.5 a\n"
RUN_B = "q1 Q0 d2 1 9 b\nq2 Q0 d1 1 9 b\nother Q0 d1 1 9 b\n"
NEEDS_FULL = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="there is no /dev/full here: Linux has it"
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of every kind, as the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, content in {"qrels.txt": QRELS, "a.run": RUN_A, "b.run": RUN_B}.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "a.gz").write_bytes(gzip.compress(RUN_A.encode()))
    (tmp_path / "folder").mkdir()
    return tmp_path


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "rankspec", *arguments]
    return subprocess.run(command, check=False, capture_output=True, **options)  # type: ignore[call-overload, no-any-return]  # noqa: S603


class TestEval:
    def test_table(self, capsys: Capture) -> None:
        assert output(
            capsys, "eval", "qrels.txt", "a.run", "b.run", "-m", "nDCG@10", "-m", "RR"
        ) == (
            "run    nDCG@10      RR\n"
            "a.run   0.8770  0.8333\n"
            "b.run   0.4600  0.6667\n"
            "\n"
            "3 queries, ties: id-descending\n"
            "b.run has no results for 1 of them: they are empty lists\n"
            "b.run has 1 query without judgments: left out\n"
        )

    def test_table_per_query(self, capsys: Capture) -> None:
        assert output(capsys, "eval", "qrels.txt", "a.run", "-m", "RR", "-q", "--digits", "2") == (
            "query    RR\n"
            "q1     1.00\n"
            "q2     0.50\n"
            "q3     1.00\n"
            "mean   0.83\n"
            "\n"
            "3 queries, ties: id-descending\n"
        )

    def test_table_per_query_of_several_runs(self, capsys: Capture) -> None:
        printed = output(capsys, "eval", "qrels.txt", "a.run", "b.run", "-m", "RR", "--per-query")
        assert printed.startswith("a.run\nquery      RR\nq1     1.0000\n")
        assert "\n\nb.run\nquery      RR\n" in printed

    def test_the_default_measures(self, capsys: Capture) -> None:
        header = output(capsys, "eval", "qrels.txt", "a.run").splitlines()[0]
        assert header.split() == ["run", "nDCG@10", "AP", "P@10", "RR"]

    def test_both_spellings_give_one_column(self, capsys: Capture) -> None:
        arguments = ["-m", "ndcg_cut.5,10", "-m", "nDCG@10", "-m", "map"]
        header = output(capsys, "eval", "qrels.txt", "a.run", *arguments).splitlines()[0]
        assert header.split() == ["run", "nDCG@5", "nDCG@10", "AP"]

    @pytest.mark.parametrize(
        "words",
        [
            "qrels.txt a.run -m nDCG@5,nDCG@10,map",
            "qrels.txt a.run --measure nDCG@5,10,AP",
            "qrels.txt a.run -mnDCG@5,ndcg_cut.10 -m AP",
            "-m nDCG@5 -m nDCG@10,AP qrels.txt a.run",
            "qrels.txt -m nDCG@5 --measure=ndcg_cut.10 a.run -m AP",
            "-m ndcg_cut.5,10,map -- qrels.txt a.run",
            "-m nDCG@5 -m nDCG@10 --measure AP -- qrels.txt a.run",
        ],
    )
    def test_several_measures(self, capsys: Capture, words: str) -> None:
        """One -m has one, or several with commas between them; files stand anywhere."""
        header = output(capsys, "eval", *words.split()).splitlines()[0]
        assert header.split() == ["run", "nDCG@5", "nDCG@10", "AP"]

    def test_a_comma_within_brackets_or_quotes_divides_nothing(self, capsys: Capture) -> None:
        asked = ["-m", "AP(rel=2,norm='k')@10, nDCG(gain=[0,1,10])@5", "-m", "UL2(P@2),z_value(RR)"]
        found = json.loads(output(capsys, "eval", "qrels.txt", "a.run", *asked, "--format=json"))
        assert list(found["runs"][0]["mean"]) == [
            "AP(rel=2, norm='k')@10",
            "nDCG(gain='0-1-10')@5",
            "UL2(P@2)",
            "z_value(RR)",
        ]

    @pytest.mark.parametrize(
        ("words", "now"),
        [
            ("qrels.txt a.run -m nDCG@5 nDCG@10 map", "-m nDCG@5,nDCG@10,map"),
            ("qrels.txt a.run --measure nDCG@5,10 AP", "-m nDCG@5,10,AP"),
            ("qrels.txt a.run -mnDCG@5 nDCG@10 -m AP", "-m nDCG@5,nDCG@10"),
            ("-m nDCG@5 nDCG@10 AP qrels.txt a.run", "-m nDCG@5,nDCG@10,AP"),
            ("qrels.txt -m nDCG@5 --measure=ndcg_cut.10 AP a.run", "-m ndcg_cut.10,AP"),
            ("-m nDCG@5,10 map -- qrels.txt a.run", "-m nDCG@5,10,map"),
        ],
    )
    def test_several_words_behind_one_m(self, capsys: Capture, words: str, now: str) -> None:
        """As it was once: they end where a word reads as no measure, as qrels.txt does."""
        printed, warning = former(capsys, "eval", *words.split())
        assert printed.splitlines()[0].split() == ["run", "nDCG@5", "nDCG@10", "AP"]
        assert warning == (f"-m takes one measure, or several with commas between them: {now}")

    def test_what_is_to_be_quoted_is_quoted_in_the_warning(self, capsys: Capture) -> None:
        words = ["-m", "UL2(RR)", "P@2", "-m", "AP", "RR"]
        _, warning = former(capsys, "eval", "qrels.txt", "a.run", *words)
        assert warning.endswith(": -m 'UL2(RR),P@2' -m AP,RR")

    def test_bad_input_leaves_one_line_all_the_same(self, capsys: Capture) -> None:
        assert complaint(capsys, "eval", "qrels.txt", "none", "-m", "AP", "RR").startswith(
            "rankspec: error: none: cannot be read"
        )

    def test_a_file_named_as_a_measure(self, capsys: Capture) -> None:
        Path("map").write_text(Path("a.run").read_text())
        by_path = output(capsys, "eval", "-m", "AP", "qrels.txt", "./map")
        assert output(capsys, "eval", "qrels.txt", "map", "-m", "AP") == by_path
        assert output(capsys, "eval", "-m", "AP", "qrels.txt", "map") == by_path

    def test_tsv(self, capsys: Capture) -> None:
        arguments = ["eval", "qrels.txt", "b.run", "-m", "AP", "-m", "RR", "--format", "tsv"]
        assert output(capsys, *arguments) == (
            "run\tquery\tAP\tRR\nb.run\tall\t0.5\t0.6666666666666666\n"
        )
        assert output(capsys, *arguments, "-q", "--digits", "3") == (
            "run\tquery\tAP\tRR\n"
            "b.run\tq1\t0.500\t1.000\n"
            "b.run\tq2\t1.000\t1.000\n"
            "b.run\tq3\t0.000\t0.000\n"
            "b.run\tall\t0.500\t0.667\n"
        )

    def test_trec(self, capsys: Capture) -> None:
        measures = ["-m", "AP", "-m", "P@5", "-m", "nDCG(gain='exp2')@5"]
        arguments = ["eval", "qrels.txt", "a.run", *measures, "--format", "trec"]
        assert output(capsys, *arguments) == (
            "map                   \tall\t0.8333\n"
            "P_5                   \tall\t0.2667\n"
            "nDCG(gain='exp2')@5   \tall\t0.8770\n"
        )
        lines = output(capsys, *arguments, "--per-query").splitlines()
        assert lines[0] == "map                   \tq1\t1.0000"
        assert [line.split("\t")[1] for line in lines] == [
            query for query in ("q1", "q2", "q3", "all") for _ in range(3)
        ]

    def test_a_count_that_ties_make_a_mean_keeps_its_digits(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        """Of three documents with one score, one of them relevant, two are shown."""
        qrels, run = tmp_path / "q.txt", tmp_path / "a.run"
        qrels.write_text("q 0 a 1\n")
        run.write_text("".join(f"q Q0 {d} 0 1 x\n" for d in "abc"))
        arguments = ["eval", str(qrels), str(run), "-m", "NumRelRet@2", "-m", "num_ret"]
        for ties, value in (("expected", "0.6667"), ("best", "1")):
            (cut, count) = output(
                capsys, *arguments, "--ties", ties, "--format", "trec"
            ).splitlines()
            assert cut.split("\t")[1:] == ["all", value]
            assert count.split("\t")[1:] == ["all", "3"]

    def test_trec_of_several_runs(self, capsys: Capture) -> None:
        arguments = ["eval", "qrels.txt", "a.run", "b.run", "-m", "map", "--format", "trec"]
        assert output(capsys, *arguments) == (
            "runid                 \tall\ta.run\n"
            "map                   \tall\t0.8333\n"
            "runid                 \tall\tb.run\n"
            "map                   \tall\t0.5000\n"
        )

    def test_trec_has_no_blank_in_a_cell(self, capsys: Capture) -> None:
        """Programs divide its lines by blanks; a name is one that can be given again."""
        names = [
            "AP(rel=2, norm='k')@5",
            "nDCG(gain='0-1-3', discount='[1, 0.5, 0.25]')@3",
            "MinMax(nDCG(gain='exp2', ideal='all')@5, lower='worst')",
            "GAP(q=(0.5, 0.25))",
        ]
        Path("my run").write_text(Path("a.run").read_text())
        arguments = ["eval", "qrels.txt", "a.run", "my run", "-q", "-m", ",".join(names)]
        lines = output(capsys, *arguments, "--format", "trec").splitlines()
        cells = [line.split() for line in lines]
        assert {len(line) for line in cells} == {3}
        printed = dict.fromkeys(line[0] for line in cells if line[0] != "runid")
        assert [rankspec.measures(name) for name in printed] == [
            rankspec.measures(name) for name in names
        ]
        assert [line[2] for line in cells if line[0] == "runid"] == ["a.run", "my_run"]

    def test_json(self, capsys: Capture) -> None:
        arguments = ["eval", "qrels.txt", "b.run", "-m", "RR", "-m", "P@3", "--format", "json"]
        document = json.loads(output(capsys, *arguments))
        assert document["qrels"] == "qrels.txt"
        assert document["conventions"]["ties"] == "id-descending"
        assert document["profile"] is None
        assert document["runs"] == [
            {
                "run": "b.run",
                "queries": ["q1", "q2", "q3"],
                "missing": ["q3"],
                "extra": ["other"],
                "mean": {"RR": 2 / 3, "P@3": 2 / 9},
            }
        ]
        definition = document["measures"]["P@3"]
        for spec in ("RS-PREC-2", "RS-CONV-2", "RS-TIE-2", *(f"RS-CONV-{n}" for n in range(7, 11))):
            assert any(f"({spec})" in choice for choice in definition.values()), spec
        document = json.loads(output(capsys, *arguments, "--per-query"))
        assert document["runs"][0]["per_query"]["RR"] == {"q1": 1.0, "q2": 1.0, "q3": 0.0}

    @pytest.mark.parametrize(
        ("rule", "rr"),
        [
            ("id-descending", 0.5),
            ("id-ascending", 1.0),
            ("input", 0.5),
            ("best", 1.0),
            ("worst", 0.5),
            ("expected", 0.75),
        ],
    )
    def test_ties(self, capsys: Capture, rule: str, rr: float) -> None:
        arguments = ["-m", "RR", "-q", "--ties", rule, "--format", "json"]
        document = json.loads(output(capsys, "eval", "qrels.txt", "a.run", *arguments))
        assert document["runs"][0]["per_query"]["RR"]["q2"] == rr
        assert document["conventions"]["ties"] == rule

    def test_both_backends(self, capsys: Capture) -> None:
        arguments = ["eval", "qrels.txt", "a.run", "b.run", "--format", "tsv", "--per-query"]
        assert output(capsys, *arguments, "--backend", "reference") == output(capsys, *arguments)

    def test_gzip_and_standard_input(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def evaluate(qrels: str, run: str, content: bytes = b"") -> str:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            return output(capsys, "eval", qrels, run, "--format", "tsv")

        plain = evaluate("qrels.txt", "a.run")
        assert plain
        assert evaluate("qrels.txt", "a.gz") == plain.replace("a.run", "a.gz")
        for content in (RUN_A.encode(), gzip.compress(RUN_A.encode())):
            assert evaluate("qrels.txt", "-", content) == plain.replace("a.run", "-")
        assert evaluate("-", "a.run", QRELS.encode()) == plain
        done = process("eval", "qrels.txt", "-", "--format", "tsv", input=RUN_A.encode())
        assert done.stdout.decode() == plain.replace("a.run", "-")

    def test_runs_of_one_name_are_called_by_their_paths(self, files: Path, capsys: Capture) -> None:
        (files / "folder" / "a.run").write_text(RUN_B)
        printed = output(capsys, "eval", "qrels.txt", "a.run", "folder/a.run")
        assert [line.split()[0] for line in printed.splitlines()[1:3]] == ["a.run", "folder/a.run"]

    def test_a_run_without_the_queries_of_the_qrels(self, files: Path, capsys: Capture) -> None:
        (files / "c.run").write_text("Q1 Q0 d1 1 1 t\n")
        assert main(["eval", "qrels.txt", "c.run", "-m", "RR", "--format", "tsv"]) == 0
        out, err = capsys.readouterr()
        assert out.endswith("c.run\tall\t0.0\n")
        assert err == (
            "rankspec: warning: c.run: no query is both in the qrels and in the run; only the "
            'qrels have "q1", only the run has "Q1": a query must have the same id in both '
            "(RS-CONV-27)\n"
        )


class TestWidth:
    @pytest.mark.parametrize("style", [[], ["--per-query"]])
    def test_80_columns(self, files: Path, capsys: Capture, style: list[str]) -> None:
        long = "a-run-with-a-very-long-name-" * 5 + ".run"
        (files / long).write_text(RUN_A.replace("q1", "query-" * 30 + "1"))
        (files / "wide.qrels").write_text(QRELS.replace("q1", "query-" * 30 + "1"))
        weights = ", ".join(["1.0", *["0.123456789"] * 9])
        measures = ["ndcg_cut.1,3,5,10,20,100,1000", "map", f"DCG(discount=[{weights}])@2", "P.5"]
        options = [option for m in measures for option in ("-m", m)]
        printed = output(capsys, "eval", "wide.qrels", "a.run", long, *options, *style)
        assert max(map(len, printed.splitlines())) <= 80
        # What is too wide goes on below: every measure has its column once a table.
        assert printed.count("nDCG@1000") == (2 if style else 1)
        assert printed.count("P@5") == (2 if style else 1)

    def test_measures_that_differ_in_the_middle_have_headings_that_differ(
        self, capsys: Capture
    ) -> None:
        long = "LNDCG(gain='exp2', discount='jarvelin-2008(b={})', prior='log(b=10)')@10"
        measures = [long.format(b) for b in (2, 3)]
        options = [option for m in measures for option in ("-m", m)]
        printed = output(capsys, "eval", "qrels.txt", "a.run", "b.run", *options)
        lines = printed.splitlines()
        assert lines[0] == "run    LNDCG@10 [1]  LNDCG@10 [2]"
        short = "LNDCG(discount='jarvelin-2008(b={})', prior='log(b=10)')@10"
        assert lines[4:6] == [f"[{n}] {short.format(b)}" for n, b in ((1, 2), (2, 3))]

    def test_runs_that_differ_in_the_middle_have_names_that_differ(
        self, files: Path, capsys: Capture
    ) -> None:
        names = [f"{'a' * 60}{x}{'z' * 60}.run" for x in "12"]
        for name in names:
            (files / name).write_text(RUN_A.replace("q2", "q0"))
        for style in ([], ["-q"]):
            lines = output(capsys, "eval", "qrels.txt", *names, *style).splitlines()
            assert max(map(len, lines)) <= 80
            one, two = (
                sum(re.match(f"a+[.]{{3}}a+{x}z+", line) is not None for line in lines)
                for x in "12"
            )
            assert one == two >= 1
            assert names[0] in "".join(line.strip() for line in lines)  # in the notes

    def test_columns_are_aligned(self, capsys: Capture) -> None:
        printed = output(capsys, "eval", "qrels.txt", "a.run", "b.run", "-m", "CG", "-m", "nDCG@10")
        lines = printed.split("\n\n")[0].splitlines()
        assert len({len(line) for line in lines}) == 1
        assert len({line.rindex(" ") for line in lines[1:]}) == 1


class TestHelp:
    @each("command", COMMANDS)
    @each("columns", ["80", "200", "", "a few"], fast=2)
    def test_of_a_command(
        self, capsys: Capture, command: str, columns: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", columns)
        assert main([*command.split(), "--help"]) == 0
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= 80
        assert f"usage: rankspec {command}" in printed
        assert "\nexamples:\n  rankspec " in printed
        assert "exit status: 0; 2 for bad input" in printed

    @pytest.mark.parametrize("command", ["eval", "explain", "check"])
    def test_has_every_convention_with_its_values(self, capsys: Capture, command: str) -> None:
        assert main([command, "--help"]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        for convention in CONVENTIONS:
            assert f"--{convention.name} " in printed
            assert ", ".join(convention.values) in printed

    @pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
    def test_of_the_whole(self, capsys: Capture, words: list[str]) -> None:
        printed = output(capsys, *words)
        assert max(map(len, printed.splitlines())) <= 80
        assert printed.endswith(EXIT_STATUS)
        for name, (about, _) in COMMANDS.items():
            assert f"  {name} " in printed
            assert about in printed

    def test_is_output_like_any_other(self) -> None:
        evaluate = f"{sys.executable} -m rankspec eval --help"
        for command, status in ((f"{evaluate} >&-", 2), (f"{evaluate} | true", 0)):
            done = subprocess.run(command, check=False, shell=True, capture_output=True)  # noqa: S602
            assert (done.returncode, done.stdout) == (status, b"")
            assert b"Traceback" not in done.stderr
            assert done.stderr.startswith(b"rankspec: error: cannot write") == (status == 2)

    @pytest.mark.slow
    def test_its_examples_are_understood(
        self, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Their arguments; most of the files and programs are not there."""
        missing = re.compile(
            r"cannot be (read|run): [Nn]o such file|there is no module|MODULE_NOT_FOUND"
        )
        monkeypatch.chdir(tmp_path)
        run = 0
        for command in all_commands().values():
            for line in command.examples.replace("\\\n", "").splitlines():
                line_alone = re.sub(r"\s#.*", "", line)  # shlex would end "D#-nDCG" at its #
                words = list(takewhile(lambda w: w != ">", shlex.split(line_alone)))
                if words[0] != "rankspec" or "$(rankspec" in words:
                    continue
                status = main(words[1:])
                error = capsys.readouterr().err
                assert status == 0 or missing.search(error), (line, error)
                assert "warning" not in error, (line, error)
                run += 1
        assert run >= 15


class TestFormats:
    @pytest.mark.parametrize("name", COMMANDS)
    def test_are_those_that_the_command_declares(self, name: str) -> None:
        command, parser = load(name), Parser(prog=name)
        command.add_arguments(parser)
        option = parser.options.get("--format")
        declared = [output.name for output in command.outputs]
        assert list(option.choices or ()) == declared if option else declared == []

    def test_one_more_is_an_entry(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        """Options, help, errors and what writes it read the one list."""
        csv = Output("csv", "cells and commas", lambda _, n, about: f"{n} {sorted(about)}", 7)
        for name in ("explain", "check"):
            module = sys.modules[load(name).run.__module__]
            declared = "EXPLANATION" if name == "explain" else "REPORT"
            monkeypatch.setattr(module, declared, (*getattr(module, declared), csv))
        written = ["--format", "csv"]
        assert output(capsys, "check", "qrels.txt", "a.run", *written) == (
            "7 ['qrels', 'rankspec', 'run']"
        )
        words = ["explain", "qrels.txt", "a.run", "--query", "q1"]
        assert output(capsys, *words, *written).startswith("4 [")
        assert "table (default), json, csv" in output(capsys, "check", "--help")


class TestMeasures:
    def test_json_lists_every_metric(self, capsys: Capture) -> None:
        listed = json.loads(output(capsys, "measures", "--format", "json"))
        everything = (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS, *MAKERS)
        known = [(m.name, m.spec) for m in everything]
        assert [(m["name"], m["spec"]) for m in listed] == known
        by_name = {m["name"]: m for m in listed}
        assert by_name["nDCG"]["trec_eval"] == ["ndcg", "ndcg_cut.K"]
        parameters = {"gain": "linear", "discount": "log2", "ideal": "k"}
        assert by_name["nDCG"]["parameters"] == parameters
        of_sessions = [m["name"] for m in listed if m.get("of_sessions")]
        assert of_sessions == [m.name for m in SESSION_METRICS]
        of_diversity = [m["name"] for m in listed if m.get("taken_of") == "diversity"]
        assert of_diversity == [m.name for m in DIVERSITY_METRICS]
        assert by_name["AP"]["parameters"] == {"rel": "1", "norm": "R"}
        assert by_name["RR"]["trec_eval"] == ["recip_rank"]
        names = {"ir_measures": ["MRR"], "mteb": ["mrr_at_K"], "ranx": ["mrr"]}
        assert by_name["RR"]["names"] == names
        assert by_name["UL2"]["parameters"] == {"bounds": "exact"}
        assert {"nDCG", "ERR", "AP"} < set(by_name["UL2"]["of"])
        assert {"IDCG", "RBP_residual"}.isdisjoint(by_name["UL2"]["of"])
        assert "ERR" not in by_name["variance"]["of"]

    def test_json_has_what_papers_call_the_bounds(self, capsys: Capture) -> None:
        listed = json.loads(output(capsys, "measures", "--format", "json"))
        papers = {n: m for entry in listed for n, m in entry.get("papers", {}).items()}
        assert set(papers) == {
            *(f"{name}_V{v}^UL" for name in ("DCG", "SP", "MSP") for v in (1, 2)),
            "RNDCG",
        }
        for name, measure in papers.items():
            assert rankspec.measures(name) == rankspec.measures(measure)

    def test_table_lists_every_metric(self, capsys: Capture) -> None:
        lines = output(capsys, "measures").splitlines()
        for metric in (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS, *MAKERS):
            assert any(
                line.split()[0] == metric.name
                and metric.title in line
                and line.split()[-1] == metric.spec
                for line in lines
                if line
            )
        assert max(map(len, lines)) <= 80
        for line in (
            "         gain='linear', discount='log2', ideal='k'",
            "         trec_eval: ndcg, ndcg_cut.K; ir_measures: NDCG; NTCIREVAL: MSnDCG;",
            "         ranx: ndcg",
        ):
            assert line in lines

    def test_parameters_stand_there_as_in_a_measure(self, capsys: Capture) -> None:
        """What the table says of the parameters can be written into a measure, and is its own."""
        lines = output(capsys, "measures").splitlines()
        for metric in METRICS:
            at = next(a for a, line in enumerate(lines) if line.startswith(f"{metric.name} "))
            below = lines[at + 1] if lines[at + 1].startswith(" ") else ""
            parameters = below.partition("trec_eval:")[0].strip()
            (measure,) = rankspec.measures(f"{metric.name}({parameters})@3")
            assert measure == metric(3)

    def test_metrics_of_sessions_have_a_heading_and_parameters_of_their_own(
        self, capsys: Capture
    ) -> None:
        """What stands below the heading: each metric, its parameters, examples, and what is new."""
        text = output(capsys, "measures").partition("Of sessions of several queries:\n")[2]
        table, notes, *_ = text.split("\n\n")
        entries = re.split(r"\n(?! )", table)
        for entry, metric in zip(entries, SESSION_METRICS, strict=True):
            first, *more = entry.splitlines()
            assert first.split()[0] == metric.name
            (measure,) = rankspec.measures(f"{metric.name}({' '.join(more)})@3")
            assert str(measure) == f"{metric.name}@3"
        for name in notes.splitlines()[1].split("   "):
            (measure,) = rankspec.measures(name.strip())
            assert measure.metric in SESSION_METRICS
        helps = {line.split()[0] for line in notes.splitlines()[2:] if line[2] != " "}
        of_queries = {"dcg", "over", "recall", "precision"}
        assert helps == {"query_discount", "repeats", "padding", "ideal", *of_queries}

    def test_the_examples_of_the_note_are_measures(self, capsys: Capture) -> None:
        lines = output(capsys, "measures").splitlines()
        notes = [b for a, b in pairwise(lines) if a.endswith(("last:", "that:"))]
        names = [name for note in notes for name in note.split("   ") if name.strip()]
        assert len(names) == 6
        for name in names:
            output(capsys, "eval", "qrels.txt", "a.run", "-m", name.strip())

    def test_what_papers_call_them_stands_there(self, capsys: Capture) -> None:
        lines = output(capsys, "measures").split("\n\n")[-1].splitlines()[1:]
        assert len(lines) == 7
        for name, measure in map(str.split, lines):
            (uncut,) = rankspec.measures(measure)
            assert rankspec.measures(name) == [uncut]
            assert rankspec.measures(f"{name}@5") == [replace(uncut, k=5)]


class TestProfiles:
    def test_the_table_has_all_and_fits(self, capsys: Capture) -> None:
        printed = output(capsys, "profiles")
        assert max(map(len, printed.splitlines())) <= 80
        header, blocks = [], printed.split("\n\n")[:-1]
        for block in blocks:
            lines = [line.split() for line in block.splitlines()]
            header += lines[0][1:]
            assert [line[0] for line in lines[1:]] == [c.name for c in CONVENTIONS]
        assert header == ["default", *(p.name for p in PROFILES)]
        cells = {
            (line[0], name): cell
            for lines in ([line.split() for line in block.splitlines()] for block in blocks)
            for line in lines[1:]
            for name, cell in zip(lines[0][1:], line[1:], strict=True)
        }
        assert cells["scores", "default"] == "double"
        assert cells["scores", "trec_eval-9"] == "float32"
        assert cells["queries", "trec_eval-10"] == "complete"
        assert cells["gain", "gdeval"] == "exp2"
        assert cells["ties", "sklearn"] == "expected"
        assert cells["depth", "ranx"] == "none"
        flat = " ".join(printed.split())
        for profile in PROFILES:
            assert " ".join(profile.note.split()) in flat
            for otherwise in profile.of_metrics:
                assert " ".join(str(otherwise).split()) in flat
        assert "RR with a cut-off: ties id-ascending, scores double" in flat
        assert "refuses RBP: its rbp multiplies by the label itself" in flat
        assert "takes whole labels only: trec_eval cuts the fraction off" in flat
        assert "takes whole labels up to 4 only: gdeval stops at others" in flat

    @pytest.mark.parametrize("name", [p.name for p in PROFILES])
    def test_one_with_the_meaning_of_its_values(self, capsys: Capture, name: str) -> None:
        printed = output(capsys, "profiles", name)
        assert max(map(len, printed.splitlines())) <= 80
        flat = " ".join(printed.split())
        (profile,) = (p for p in PROFILES if p.name == name)
        assert profile.program in flat
        assert all(" ".join(str(x).split()) in flat for x in profile.of_metrics)
        for convention in CONVENTIONS:
            value = getattr(profile.conventions, convention.name)
            meaning = convention.values.get(str(value), convention.about)
            written = value
            if value is None:
                written, meaning = convention.unset
            assert f"{convention.name} {written}: {meaning} (RS-" in flat

    def test_json(self, capsys: Capture) -> None:
        document = json.loads(output(capsys, "profiles", "--format", "json"))
        assert [p["name"] for p in document["profiles"]] == [p.name for p in PROFILES]
        assert document["default"]["ties"] == "id-descending"
        assert document["default"]["depth"] is None
        (one,) = (p for p in document["profiles"] if p["name"] == "gdeval")
        assert json.loads(output(capsys, "profiles", "gdeval", "--format", "json")) == one
        assert one["metrics"] == ["nDCG", "ERR"]
        assert one["conventions"]["gain"] == "exp2"
        assert (one["whole_labels"], one["highest_label"]) == ("gdeval stops at others", 4)
        (other,) = (p for p in document["profiles"] if p["name"] == "ir_measures")
        assert other["of_metrics"][0] == {
            "metrics": ["RR"],
            "which": "with a cut-off",
            "conventions": {"ties": "id-ascending", "scores": "double"},
            "refused": "",
        }


class TestConventions:
    """That each option arrives where its convention is applied; what it does is tested there."""

    @pytest.mark.parametrize(
        ("options", "rr"),
        [
            (["--unjudged", "condensed"], 1.0),  # d9 is not judged
            (["--queries", "both", "--unjudged", "condensed"], 1.0),
            (["--depth", "1"], 2 / 3),
            (["--rel", "2"], 1 / 3),
            (["--undefined", "omit", "--rel", "2", "-m", "AP"], 1.0),
            (["--undefined", "one", "--rel", "2", "-m", "AP"], 1.0),
            (["--undefined", "omit-query", "--rel", "2", "-m", "AP"], 1.0),
            (["--profile", "trec_eval-9"], 2.5 / 3),
        ],
    )
    def test_change_the_mean(self, capsys: Capture, options: list[str], rr: float) -> None:
        measure = [] if "-m" in options else ["-m", "RR"]
        arguments = ["eval", "qrels.txt", "a.run", *measure, *options, "--format", "tsv"]
        assert float(output(capsys, *arguments).split("\t")[-1]) == rr

    def test_are_said_where_they_are_not_the_default(self, capsys: Capture) -> None:
        profile = ["--profile", "trec_eval-9", "--depth", "7"]
        printed = output(capsys, "eval", "qrels.txt", "a.run", *profile)
        assert printed.endswith(
            "\n3 queries, profile: trec_eval-9, ties: id-descending, scores: float32,\n"
            "queries: both, lines: tail, depth: 7\n"  # no line ends between a name and what it is
        )
        document = json.loads(
            output(capsys, "eval", "qrels.txt", "a.run", *profile, "--format", "json")
        )
        assert document["profile"] == "trec_eval-9"
        assert document["conventions"]["depth"] == 7

    def test_of_some_measures_are_said_below(self, capsys: Capture) -> None:
        measures = ["-m", "RR@5,RR", "--profile", "ir_measures"]
        printed = output(capsys, "eval", "qrels.txt", "a.run", *measures)
        assert printed.endswith(
            "\n3 queries, profile: ir_measures, ties: id-descending, scores: float32\n"
            "RR@5: ties: id-ascending, scores: double\n"
        )

    def test_queries_that_are_left_out(self, capsys: Capture) -> None:
        both = ["eval", "qrels.txt", "a.run", "b.run", "-m", "RR", "--queries", "both"]
        printed = output(capsys, *both)
        assert "\n2 to 3 queries, ties: id-descending, queries: both\n" in printed
        assert (
            "\nb.run has no results for 1 of the qrels' queries: left out (queries: both)"
            in printed
        )
        runs = json.loads(output(capsys, *both, "--format", "json"))["runs"]
        assert [run["queries"] for run in runs] == [["q1", "q2", "q3"], ["q1", "q2"]]

    def test_values_that_are_undefined(self, capsys: Capture) -> None:
        """Only q1 has a document of label 2."""
        omit = ["eval", "qrels.txt", "a.run", "-m", "AP(rel=2)", "--undefined", "omit", "-q"]
        printed = output(capsys, *omit)
        rows = [line.split() for line in printed.splitlines()[1:5]]
        assert rows == [["q1", "1.0000"], ["q2", "-"], ["q3", "-"], ["mean", "1.0000"]]
        assert "\nAP(rel=2): 2 undefined, no part of the mean\n" in printed
        assert "a.run\tq2\t\n" in output(capsys, *omit, "--format", "tsv")
        lines = output(capsys, *omit, "--format", "trec").splitlines()
        assert [line.split("\t")[1] for line in lines] == ["q1", "all"]
        (run,) = json.loads(output(capsys, *omit, "--format", "json"))["runs"]
        assert run["per_query"] == {"AP(rel=2)": {"q1": 1.0}}

    def test_a_mean_that_there_is_not(self, capsys: Capture) -> None:
        none = ["eval", "qrels.txt", "a.run", "-m", "AP(rel=9)", "--undefined", "omit"]
        assert output(capsys, *none).splitlines()[1].split() == ["a.run", "-"]
        assert output(capsys, *none, "--format", "tsv").endswith("a.run\tall\t\n")
        assert output(capsys, *none, "--format", "trec") == ""
        (run,) = json.loads(output(capsys, *none, "--format", "json"))["runs"]
        assert run["mean"] == {"AP(rel=9)": None}


class TestExample:
    def test_is_evaluated_by_one_line(self, capsys: Capture) -> None:
        paths = output(capsys, "example").split()
        assert [Path(path).name for path in paths] == ["qrels.txt", "plain.run", "rich.run"]
        printed = output(capsys, "eval", *paths)
        assert [line.split()[0] for line in printed.splitlines()[1:3]] == ["plain.run", "rich.run"]

    def test_that_of_a_letor_file(self, capsys: Capture) -> None:
        (path,) = output(capsys, "example", "--letor").split()
        printed = output(capsys, "eval", "--letor", path, "--feature", "1", "2")
        assert "3 queries, ties: expected" in printed

    @pytest.mark.parametrize(
        ("run", "printed"),
        [
            # lv-2014, table 3: DCG@1, @2 and @3 of the scenarios 1 and 5
            ("rich.run", ["3.00", "3.00", "3.00"]),
            ("plain.run", ["1.00", "2.89", "2.89"]),
        ],
    )
    def test_its_first_query_is_that_of_the_paper(
        self, capsys: Capture, run: str, printed: list[str]
    ) -> None:
        paths = {Path(path).name: path for path in output(capsys, "example").split()}
        measures = [x for k in (1, 2, 3) for x in ("-m", f"DCG(gain='exp2')@{k}")]
        options = [*measures, "-q", "--format", "tsv", "--digits", "2"]
        lines = output(capsys, "eval", paths["qrels.txt"], paths[run], *options).splitlines()
        assert lines[1].split("\t")[1:] == ["jon_favreau_director", *printed]

    def test_a_copy_is_whole_or_not_there(self, capsys: Capture, tmp_path: Path) -> None:
        """Where a file cannot be written nothing of it is left: the next try succeeds."""
        to = tmp_path / "copy"
        command = [sys.executable, "-m", "rankspec", "example", "--copy", str(to)]

        def little_room() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

        done = subprocess.run(  # noqa: S603
            command,
            check=False,
            capture_output=True,
            preexec_fn=little_room,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # it would be cut short, and stay
        )
        assert done.returncode == 2
        assert b"File too large" in done.stderr
        assert not [path for path in to.iterdir() if path.name.startswith(".")]
        assert output(capsys, "example", "--copy", str(to)) == ""

    def test_what_is_no_file_is_left(self, capsys: Capture, tmp_path: Path) -> None:
        """A pipe would be waited for, without end."""
        to = tmp_path / "copy"
        to.mkdir()
        os.mkfifo(to / "qrels.txt")
        assert main(["example", "--copy", str(to)]) == 2
        error = capsys.readouterr().err
        assert "qrels.txt: already exists and is not a copy of the example; rankspec does" in error


class TestProcess:
    def test_version(self) -> None:
        done = process("--version")
        assert done.returncode == 0
        assert done.stdout == f"rankspec {rankspec.__version__}\n".encode()

    def test_version_is_that_of_the_package(self) -> None:
        assert version("rankspec") == rankspec.__version__

    def test_no_command_is_help(self) -> None:
        done = process()
        assert done.returncode == 0
        assert done.stdout.startswith(b"usage: rankspec")

    @pytest.mark.parametrize("words", [["--per-query"], ["-m", "nDCG@10, AP", "-m", "P@5"]])
    def test_evaluate_loads_only_what_it_needs(self, words: list[str]) -> None:
        """Nothing that takes long: no numpy, no certified arithmetic, no metric but those asked."""
        program = (
            "import sys; from rankspec.cli.main import main; "
            f"status = main(['eval', 'qrels.txt', 'a.run', *{words}]); "
            "heavy = {'numpy', 'sympy', 'pathlib', 'gzip', 'json', 'rich', 'shtab', 'difflib',"
            " 'shutil', 'textwrap', 'threading', 'importlib.metadata', 'ast', 'csv', 'dataclasses',"
            " 'decimal', 'fractions', 'inspect', 'shlex', 'typing', 'xml',"
            " 'rankspec.formats.letor', 'rankspec.formats.sessions', 'rankspec.metrics.catalogue',"
            " 'rankspec.metrics.grammar', 'rankspec.reference.numerics'} & set(sys.modules); "
            "sys.exit(status or (f'imported: {heavy}' if heavy else 0))"
        )
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-S", "-c", program],
            check=False,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert (done.stderr, done.returncode) == (b"", 0)

    @pytest.mark.slow(but=2)
    @pytest.mark.parametrize("queries", [1, 50_000])  # less and more than a pipe and buffers hold
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_a_broken_pipe_is_quiet(self, files: Path, queries: int, unbuffered: str) -> None:
        (files / "many").write_text("".join(f"q{n} 0 d1 1\n" for n in range(1, queries + 1)))
        with subprocess.Popen(
            [sys.executable, "-m", "rankspec", "eval", "many", "a.run", "-q"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        ) as child:
            assert child.stdout is not None
            assert child.stderr is not None
            if queries > 1:
                assert child.stdout.readline().startswith(b"query ")
            child.stdout.close()
            assert child.stderr.read() == b""
        assert child.returncode == 141

    @NEEDS_FULL
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_a_full_disk_is_said(self, unbuffered: str) -> None:
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "rankspec", "eval", "qrels.txt", "a.run"],
                check=False,
                stdout=full,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            )
        assert done.stderr == b"rankspec: error: cannot write: No space left on device\n"
        assert done.returncode == 2

    def test_closed_streams(self) -> None:
        evaluate = f"{sys.executable} -m rankspec eval qrels.txt"
        for command, status, out, err in (
            (f"{evaluate} a.run >&-", 2, b"", b"rankspec: error: cannot write: the standard outp"),
            (f"{evaluate} - <&-", 2, b"", b"rankspec: error: standard input: closed"),
            (f"{evaluate} none 2>&-", 2, b"", b""),
        ):
            done = subprocess.run(command, check=False, shell=True, capture_output=True)  # noqa: S602
            assert (done.returncode, done.stdout) == (status, out)
            assert done.stderr.startswith(err)

    def test_what_takes_only_parts_gets_everything(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As a pipe may, where Python is unbuffered."""
        written = bytearray()

        class Pipe:
            def write(self, data: memoryview) -> int:
                written.extend(data[:100])
                return min(len(data), 100)

        class Stdout:
            buffer = Pipe()

            def flush(self) -> None: ...

        monkeypatch.setattr(sys, "stdout", Stdout())
        assert main(["measures"]) == 0
        assert bytes(written) == process("measures").stdout
        assert len(written) > 1000

    def test_main_writes_to_a_replaced_stdout(self, monkeypatch: pytest.MonkeyPatch) -> None:
        written: list[str] = []

        class Notebook:
            write: Callable[[str], None] = staticmethod(written.append)

            def flush(self) -> None: ...

        monkeypatch.setattr(sys, "stdout", Notebook())
        assert main(["eval", "qrels.txt", "a.run", "-m", "RR"]) == 0
        assert "".join(written).startswith("run        RR\na.run  0.8333\n")

    def test_interruption_is_quiet(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        def interrupted(_: object) -> str:
            raise KeyboardInterrupt

        command = load("measures")._replace(run=interrupted)
        monkeypatch.setitem(COMMANDS, "measures", ("", lambda: command))
        assert main(["measures"]) == 130
        assert capsys.readouterr() == ("", "")


class TestWhoComesFromTrecEval:
    @pytest.mark.parametrize(
        ("option", "here"),
        [("-c", "--queries qrels"), ("-M1000", "--depth"), ("-l", "--rel"), ("-J", "condensed")],
    )
    def test_its_options_are_translated(self, capsys: Capture, option: str, here: str) -> None:
        assert main(["eval", option, "qrels.txt", "a.run"]) == 2
        assert here in capsys.readouterr().err

    @pytest.mark.parametrize(("profile", "header"), [("gdeval", "nDCG"), ("sklearn", "nDCG@10")])
    def test_the_default_measures_are_the_profile_s(
        self, capsys: Capture, profile: str, header: str
    ) -> None:
        assert main(["eval", "qrels.txt", "a.run", "--profile", profile]) == 0
        table, note = capsys.readouterr()
        assert note.startswith(f"rankspec: note: profile {profile} has no AP, P@10, RR")
        assert table.splitlines()[0].split()[1].startswith(header)
        assert "AP" not in table
        assert "nDCG" in output(
            capsys, "explain", "qrels.txt", "a.run", "--query", "q1", "--profile", profile
        )


class TestErrors:
    def test_name_the_run_of_several(self, capsys: Capture) -> None:
        assert main(["eval", "qrels.txt", "a.run", "b.run", "--queries", "complete"]) == 2
        assert capsys.readouterr().err == (
            'rankspec: error: b.run: query "q3" is in the qrels, but not in the run; '
            'queries="complete" does not admit that (RS-CONV-9)\n'
        )

    @NEEDS_FULL
    def test_that_cannot_be_written_keep_their_status(self) -> None:
        with Path("/dev/full").open("wb") as full:
            for arguments, status in ((["eval", "none", "none"], 2), (["--version"], 2)):
                command = [sys.executable, "-m", "rankspec", *arguments]
                done = subprocess.run(command, check=False, stdout=full, stderr=full)  # noqa: S603
                assert done.returncode == status

    def test_show_no_escape_sequences(self, files: Path, capsys: Capture) -> None:
        """Names and contents stand as Python escapes them, as in tables (RS-CONV-35)."""
        assert main(["eval", "qrels.txt", "\x1b[31mnone"]) == 2
        assert r": error: \x1b[31mnone: cannot be read" in capsys.readouterr().err
        (files / "bad.run").write_bytes(b"q1 Q0 d1 1 \x1b[31m\xff t\n")
        assert main(["eval", "qrels.txt", "bad.run"]) == 2
        assert r'the score is "\x1b[31m\xff"' in capsys.readouterr().err

    def test_interrupted_before_it_began(self) -> None:
        """While it is being loaded, the process just ends; then it says 130 and nothing."""
        code = (
            "import signal, sys; import rankspec.cli.program; "
            "print(signal.getsignal(signal.SIGINT) == signal.SIG_DFL, 'argparse' in sys.modules); "
            "import rankspec.cli.main as cli; "
            "cli.main = lambda: print(signal.getsignal(signal.SIGINT).__name__) or 0; "
            "rankspec.cli.program.program()"
        )
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert done.stdout == "True False\ndefault_int_handler\n"


@pytest.mark.slow
def test_millions_of_blank_lines_are_skipped(capsys: Capture, files: Path) -> None:
    (files / "blank.run").write_bytes(b"\n" * 12_000_000 + RUN_A.encode() + b"\n" * 9_000_000)
    assert output(capsys, "eval", "qrels.txt", "blank.run", "-m", "RR").splitlines()[1] == (
        "blank.run  0.8333"
    )


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-18")
def test_what_the_help_or_a_profile_writes_is_taken(capsys: Capture) -> None:
    """Each default that the help names is an argument of its option, and changes nothing."""
    commands = {
        "eval": ["qrels.txt", "a.run"],
        "explain": ["qrels.txt", "a.run", "--query", "q1"],
        "check": ["qrels.txt", "a.run"],
        "classify": ["qrels.txt", "a.run"],
        "session eval": output(capsys, "example", "--sessions").split(),
    }
    for command, files in commands.items():
        words = [*command.split(), *files]
        plain = output(capsys, *words)
        parser = Parser()
        load(command).add_arguments(parser)
        taken = 0
        for action in parser._actions:
            written = re.search(r"\(default: ([^ ;,)]+(?:\(b=\d\))?)\)$", action.help or "")
            option = action.option_strings[-1:]
            if written and option and option != ["--group"]:
                assert output(capsys, *words, *option, written[1]) == plain, (command, option)
                taken += 1
        assert taken >= 2 or command == "check", command
    for name, values in assignments().items():
        for option, value in values.items():
            printed = output(capsys, "eval", *commands["eval"], f"--{option}", value)
            assert printed.count("\n") >= 3, (name, option, value)
    assert rankspec.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "RR", depth="none")["RR"] == 1
    for option in ("ties", "pool", "discount"):  # none of which has that word, or has it as a value
        found = main(
            ["eval", *commands["eval"], f"--{option}", "own" if option != "pool" else "none"]
        )
        assert (option, found) in (("ties", 2), ("pool", 2), ("discount", 0))
        capsys.readouterr()


@pytest.mark.spec("RS-CONV-35")
def test_a_very_large_value_has_an_exponent_in_a_table(capsys: Capture, tmp_path: Path) -> None:
    """Its 309 digits would be beyond the 80 cells of a line; formats for programs have them all."""
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("q 0 a 1e308\n")
    run.write_text("q Q0 a 1 1 t\n")
    for command in (
        ["eval", str(qrels), str(run), "-m", "CG", "-q"],
        ["explain", str(qrels), str(run), "-m", "CG", "--query", "q"],
    ):
        assert main(command) == 0
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= 80, command
        assert "1.0000e+308" in printed
