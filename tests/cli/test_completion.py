"""Completion: the scripts are valid, and bash completes what it should by them."""

from __future__ import annotations

import io
import os
import pty
import re
import shlex
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path

import pytest

from rankspec.cli.commands import COMMANDS
from rankspec.cli.completion import SHELLS
from rankspec.cli.main import main
from rankspec.compute.gain import DISCOUNTS
from rankspec.evaluation.conventions import CONVENTIONS, Convention
from rankspec.evaluation.profiles import PROFILES
from rankspec.metrics.grammar import measures

from ..each import each

Capture = pytest.CaptureFixture[str]

BASH = shutil.which("bash")
NEEDS_BASH = pytest.mark.skipif(BASH is None, reason="bash is not installed: apt-get install bash")
TIES = next(set(known.values) for known in CONVENTIONS if known.name == "ties")


@cache
def script_for(shell: str) -> str:
    """The script for a shell, which takes a while to make."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        assert main(["completion", shell]) == 0
    assert err.getvalue() == ""
    return out.getvalue()


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script for bash, in a folder with a file of its own."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "script"
    path.write_text(script_for("bash"))
    (tmp_path / "bm25.run").write_text("")
    return path


def completed(script: Path, *words: str) -> set[str]:
    """What bash offers for the last word, by running the function that the script registers."""
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        "registered=($(complete -p rankspec)); "
        "for ((i = 0; i < ${#registered[@]}; i++)); do "
        '[ "${registered[i]}" = -F ] && function=${registered[i + 1]}; done; '
        '$function; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert BASH is not None
    done = subprocess.run(  # noqa: S603
        [BASH, "--norc", "-c", program, "bash", str(script), "rankspec", *words],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return set(done.stdout.split())


def completed_line(script: Path, line: str, word: str) -> set[str]:
    """What bash offers at the end of a line, of which readline takes this for the last word."""
    program = (
        'source "$1"; COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; '
        'read -r -a COMP_WORDS <<< "${2//@/ @ }"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
        '_rankspec rankspec "$3" ""; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert BASH is not None
    done = subprocess.run(  # noqa: S603
        [BASH, "--norc", "-c", program, "bash", str(script), line, word],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_valid(shell: str) -> None:
    """Where the shell is there to say so."""
    out = script_for(shell)
    for command in COMMANDS:
        assert set(command.split()) <= set(re.findall(r"\w+", out))
    if shutil.which(shell) and shell != "tcsh":
        done = subprocess.run(  # noqa: S603
            [shutil.which(shell) or "", "-n"],
            check=False,
            input=out,
            text=True,
            capture_output=True,
        )
        assert (done.returncode, done.stderr) == (0, "")


ZVALUES = {rf"z_value\({name}\)" for name in ("nDCG@10", "AP", "P@10", "RR")}


def typed(script: Path, line: str) -> list[str]:
    """The words that a command of bash gets, of a line with tabs that is typed at a terminal."""
    assert BASH is not None
    master, slave = pty.openpty()
    shell = subprocess.Popen(  # noqa: S603
        [BASH, "--norc", "--noprofile", "-i"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={"PATH": os.environ["PATH"], "TERM": "dumb", "HISTFILE": "/dev/null", "PS1": "$ "},
    )
    os.close(slave)
    out = script.with_name("typed")
    commands = (
        f"source {script}",
        f'rankspec() {{ printf "%s\\n" "$@" > {out}; }}',
        line,
        "exit",
    )
    os.write(master, "".join(f"{command}\n" for command in commands).encode())
    with suppress(OSError):  # the shell has gone
        while os.read(master, 1 << 16):
            pass
    os.close(master)
    assert shell.wait() == 0
    return out.read_text().splitlines()


@NEEDS_BASH
class TestBash:
    def test_commands(self, script: Path) -> None:
        assert completed(script, "ev") == {"eval"}
        assert completed(script, "") >= {command.split()[0] for command in COMMANDS}

    def test_options(self, script: Path) -> None:
        assert completed(script, "eval", "--ti") == {"--ties"}
        assert completed(script, "check", "--exit") == {"--exit-code"}
        offered = completed(script, "explain", "--")
        assert {f"--{convention.name}" for convention in CONVENTIONS} < offered

    def test_conformance(self, script: Path) -> None:
        assert completed(script, "conform", "--profile", "nd") == {"ndcg-core"}
        assert completed(script, "conform", "--part", "") >= {"required", "all"}
        assert completed(script, "conform", "--known", "bm") == {"bm25.run"}

    @each("command", ["eval", "explain", "check"], fast=1)
    def test_files(self, script: Path, command: str) -> None:
        assert completed(script, command, "bm") == {"bm25.run"}
        assert completed(script, command, "qrels", "bm") == {"bm25.run"}

    @each("command", ["eval", "classify"], fast=1)
    @each("option", ["--letor", "--predictions", "--group"])
    def test_files_of_options(self, script: Path, command: str, option: str) -> None:
        assert completed(script, command, option, "bm") == {"bm25.run"}

    def test_choices_of_classes(self, script: Path) -> None:
        assert completed(script, "classify", "--gap", "") == {"signed", "absolute"}
        assert "nDCG@10" in completed(script, "classify", "qrels", "run", "-m", "nDCG@1")
        assert completed(script, "example", "--l") == {"--letor"}

    def test_all_runs(self, script: Path) -> None:
        assert completed(script, "eval", "qrels", "a.run", "b.run", "bm") == {"bm25.run"}

    @each("convention", [c for c in CONVENTIONS if c.values], ids=lambda c: c.name, fast=3)
    def test_conventions(self, script: Path, convention: Convention) -> None:
        offered = completed(script, "eval", f"--{convention.name}", "")
        assert offered == set(convention.values)

    def test_gains(self, script: Path) -> None:
        assert completed(script, "eval", "qrels", "run", "--gain", "e") == {"exp2"}

    def test_profiles(self, script: Path) -> None:
        assert completed(script, "eval", "--profile", "") == {p.name for p in PROFILES}
        assert completed(script, "profiles", "tr") == {"trec_eval-9", "trec_eval-10"}

    def test_papers_and_plots(self, script: Path) -> None:
        assert completed(script, "reproduce", "l") == {"lv-2014"}
        assert completed(script, "plot", "") >= {"expected-dcg", "length"}
        assert completed(script, "plot", "length", "-o", "bm") == {"bm25.run"}

    def test_pictures_of_comparisons(self, script: Path) -> None:
        """A command of two words whose first word is a command, too."""
        assert completed(script, "plot", "compare") >= {"compare", "compare-means"}
        assert completed(script, "plot", "compare", "m") == {"means"}
        assert completed(script, "plot", "compare", "--interval", "") == {"t", "bca"}
        assert completed(script, "plot", "compare", "--test", "b") == {"bootstrap", "bayes"}
        assert completed(script, "plot", "compare", "--pair", "bm") == {"bm25.run"}
        assert completed(script, "plot", "compare", "asl", "qrels", "bm") == {"bm25.run"}
        assert completed(script, "plot", "length", "--it") == {"--item-scores"}
        assert completed(script, "compare", "--correction", "h") == {"holm"}

    def test_measures(self, script: Path) -> None:
        """All that is offered is a measure."""
        offered = completed(script, "eval", "-m", "")
        assert {"nDCG@10", "AP", "ndcg_cut.10", "map"} < offered
        for name in offered:
            assert len(measures(*shlex.split(name))) == 1

    def test_bounds(self, script: Path) -> None:
        """With the parentheses as the shell needs them."""
        offered = completed(script, "eval", "-m", "UL")
        assert offered > {rf"UL{v}\({name}\)" for v in "12" for name in ("nDCG@10", "AP", "P@10")}
        assert completed(script, "classify", "-m", "z_value") == {
            rf"z_value\({name}\)" for name in ("nDCG@10", "AP", "P@10", "RR")
        }

    @each(
        ("line", "word", "offered"),
        [
            ("rankspec eval -m nDCG@1", "1", {"10", "100", "1000"}),
            ("rankspec eval -m nDCG@1", "@1", {"@10", "@100", "@1000"}),
            ("rankspec eval -m AP@5 -m U", "U", {rf"U\({x}\)" for x in ("AP", "RR", "P@10")}),
            (r"rankspec eval -m UL2\(n", "n", {r"nDCG@10\)"}),
            (r"rankspec eval -m UL2\(n", r"UL2\(n", {r"UL2\(nDCG@10\)"}),
            ("rankspec eval -m AP@5 qrels bm", "bm", {"bm25.run"}),
            ("rankspec eval -m AP@5 --ties ex", "ex", {"expected"}),
            ('rankspec eval -m "UL2', "UL2", {"UL2(nDCG@10)"}),
            ("rankspec eval --ties=be", "be", {"best"}),
            ("rankspec eval --ties=be", "--ties=be", {"--ties=best"}),
            ("rankspec eval --ties=", "", TIES),
            ("rankspec eval --ties =", "=", TIES),
            ("rankspec eval --scores=fl", "fl", {"float32"}),
            ("rankspec eval --ties=best --pool=re", "re", {"retrieved"}),
            ("rankspec eval -m=nDCG@10", "10", {"10", "100", "1000"}),
            ("rankspec eval --measure=DCG_V1^UL@5", "5", {"5"}),
            ("rankspec eval --letor=bm", "bm", {"bm25.run"}),
            ("rankspec eval -m AP,nDCG@1", "1", {"10", "100", "1000"}),
            ("rankspec eval -m AP,RR,z_v", "AP,RR,z_v", {f"AP,RR,{x}" for x in ZVALUES}),
            ("rankspec eval -m=AP,z_v", "AP,z_v", {f"AP,{x}" for x in ZVALUES}),
            ("rankspec eval --measure AP,z_v", "AP,z_v", {f"AP,{x}" for x in ZVALUES}),
            ("rankspec eval -m AP -m z_v", "z_v", ZVALUES),
            (r"rankspec eval -m UL2\(nDCG@10\),z_v", r"10\),z_v", {rf"10\),{x}" for x in ZVALUES}),
            ('rankspec eval -m "AP,z_value(n', "AP,z_value(n", {"AP,z_value(nDCG@10)"}),
            ("rankspec eval -m AP bm", "bm", {"bm25.run"}),
            ("rankspec eval -m AP z_v", "z_v", set()),
            ("rankspec eval --ties best,z_v", "best,z_v", set()),
            ("rankspec eval -m AP --ties z_v", "z_v", set()),
            ("rankspec eval -m AP --ti", "--ti", {"--ties"}),
            ('rankspec eval -m "AP" --ties = be', "be", {"best"}),
        ],
        fast=6,
    )
    def test_words_are_taken_whole(
        self, script: Path, line: str, word: str, offered: set[str]
    ) -> None:
        """What is offered stands for the last word alone, and is not quoted within quotes."""
        found = completed_line(script, line, word)
        if word in ("U", "UL2"):
            assert found > offered
        else:
            assert found == offered

    @each(
        ("line", "words"),
        [
            ("rankspec eval --ties=be\t", ["eval", "--ties=best"]),
            ("rankspec eval --undefined=ze\tbm\t", ["eval", "--undefined=zero", "bm25.run"]),
            ("rankspec eval -m AP,z_v\tRR\t", ["eval", "-m", "AP,z_value(RR)"]),
            ("rankspec eval -m AP -m z_v\tRR\t", ["eval", "-m", "AP", "-m", "z_value(RR)"]),
            ('rankspec eval -m "AP,z_v\tRR\t', ["eval", "-m", "AP,z_value(RR)"]),
            ("rankspec eval -m nDCG@2\t", ["eval", "-m", "nDCG@20"]),
            ("rankspec eval -m=nDCG@2\t", ["eval", "-m=nDCG@20"]),
            ("rankspec eval -m AP,nDCG@2\tbm\t", ["eval", "-m", "AP,nDCG@20", "bm25.run"]),
            ("rankspec eval --gap\t", ["eval", "--gap"]),
            ("rankspec classify --gap=\ts\t", ["classify", "--gap=signed"]),
            ("rankspec session eval --gain=ex\t", ["session", "eval", "--gain=exp2"]),
        ],
        fast=3,
    )
    def test_a_line_that_is_typed(self, script: Path, line: str, words: list[str]) -> None:
        """By readline itself, which alone knows what the last word is."""
        assert typed(script, line) == words

    @each("command", ["eval", "classify", "explain", "check"], fast=1)
    def test_scores_are_a_rule(self, script: Path, command: str) -> None:
        assert completed(script, command, "--scores", "bm") == set()
        assert completed(script, command, "--scores", "fl") == {"float32"}

    @each("command", [["session", "eval"], ["session", "plot"]], fast=1)
    def test_defaults_of_sessions(self, script: Path, command: list[str]) -> None:
        """What is offered begins with the default; the parentheses are as bash needs them."""
        plain = {name for name in DISCOUNTS if "(" not in name}
        for option, offered in (
            ("--discount", {r"jarvelin-2008\(b=2\)", *plain}),
            ("--query-discount", {r"jarvelin-2008\(b=4\)", *plain}),
            ("--gain", {"linear", "exp2", "0-1-10-100"}),
        ):
            assert completed(script, *command, option, "") == offered
        line = "rankspec session eval --query-discount jarvelin-2008\\(b"
        assert completed_line(script, line, "b") == {r"b=4\)"}

    def test_formats(self, script: Path) -> None:
        assert completed(script, "eval", "--format", "t") == {"table", "tsv", "trec"}
        assert completed(script, "check", "--format", "") == {"table", "json"}
