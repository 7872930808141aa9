"""Programs of TREC files, by a template."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rankspec.analysis.conformance.cases import Case, vectors
from rankspec.analysis.conformance.judge import doubles_of
from rankspec.analysis.conformance.questions import Question, value
from rankspec.analysis.conformance.trec import (
    Unsupported,
    asked_as,
    files_of,
    measure_of,
)
from rankspec.evaluation.conventions import Conventions, as_text

from .evaluations import file
from .running import conform, status_of, with_cases

Capture = pytest.CaptureFixture[str]
EVAL = f"{shlex.quote(sys.executable)} -m rankspec eval {{qrels}} {{run}} --format trec"


@pytest.fixture(scope="module", autouse=True)
def evaluations() -> Iterator[None]:
    yield from with_cases(file())


def usual(case: Case) -> bool:
    """Whether a measure has the names of trec_eval's, and so the default parameters."""
    return case.name in ("nDCG", "AP", "P", "R", "RR", "Rprec", "Success", "Bpref")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-8", "RS-CONF-8/L1")
def test_the_files_of_a_list_have_its_value() -> None:
    asked = 0
    for case in vectors():
        if case.refused or not usual(case) or isinstance(case.expected, list):
            continue
        if case.conventions is not None:
            continue
        try:
            qrels, run = files_of(case)
        except Unsupported:
            continue
        given = {"qrels": qrels, "run": run}
        question = Question(case.measure, given, as_text(Conventions()))
        if case.measure.get("rel", 1) <= 0:
            continue
        assert value(question, "c")["queries"] == {"q1": doubles_of(case)}, case.id
        asked += 1
    assert asked > 50


OF_9 = {"convention:scores=float32", "convention:queries=both", "convention:lines=tail"}
OF_10 = {"scores:double", "convention:queries=complete", "convention:lines=comments"}


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-4")
@pytest.mark.parametrize(
    ("others", "own"),
    [(OF_10, {"scores": "float32", "lines": "tail"}), (OF_9, {"lines": "comments"})],
    ids=["trec_eval-9", "trec_eval-10"],
)
def test_the_profile_trec_is_a_complete_goal_for_each_trec_eval(
    others: set[str], own: dict[str, str]
) -> None:
    """Its cases that require no word of the other version have the values of this one."""
    asked = 0
    for case in vectors():
        if case.id.startswith("evaluation-9") or "trec" not in case.profiles or case.refused:
            continue  # of the file above, which does not say what it requires
        if others & set(case.requires):
            continue
        try:
            qrels, run = files_of(case)
        except Unsupported:
            continue
        conventions = {**(case.conventions or as_text(Conventions())), **own}
        found = value(Question(case.measure, {"qrels": qrels, "run": run}, conventions), "c")
        expected = doubles_of(case)
        queries = expected["queries"] if case.conventions else {"q1": expected}
        assert found["queries"] == queries, case.id
        asked += 1
    assert asked > 100


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-8")
@pytest.mark.parametrize("options", ["-q -m {measure}", "-m {measure}", "-q -m {name}"])
def test_a_program_of_files(options: str, capsys: Capture) -> None:
    words = ("--case", "dcg-0001", "--case", "evaluation-900", "--trec", f"{EVAL} {options}")
    report = conform(capsys, *words, status=0)
    assert report["grade"] == "digits=4"
    assert status_of(report, "dcg-0001") == ("pass", "")
    assert report["counts"]["pass"] >= 6
    assert report["counts"]["unsupported"] <= 2  # DCG, which trec_eval has not


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-8", "RS-CONF-10")
def test_a_convention_of_a_program_is_named(capsys: Capture) -> None:
    template = f"{EVAL} -q -m {{measure}} --ties id-ascending"
    report = conform(capsys, "--case", "evaluation-90", "--trec", template, status=1)
    assert ["ties=id-ascending"] in [finding["slips"] for finding in report["findings"]]


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-8")
def test_a_program_is_asked_what_trec_eval_has_a_name_of() -> None:
    """LRBP(p=0.5) is no name of trec_eval's, though a cut-off of its names has a dot, too."""
    asked = set()
    for case in vectors():
        with suppress(Unsupported):
            asked.add(asked_as(measure_of(case)))
    assert {"ndcg_cut.2", "map", "iprec_at_recall.0.5"} <= asked
    names = re.compile(r"[A-Za-z0-9_]+(\.-?[0-9.]+(,-?[0-9.]+)*)?")
    assert [name for name in sorted(asked) if not names.fullmatch(name)] == []


PROGRAMS = {
    "import sys; print('ndcg q1 0.5', 'map q1 0.25', sep='\\n')": ("fail", "got 0.5, expected"),
    "import sys; print('nothing')": (
        "fail",
        "no line of ndcg, a query and a value; the first line is 'nothing'",
    ),
    "print('ndcg q1 x')": ("fail", "the line 'ndcg q1 x': the last field is not a number"),
    "import sys; sys.exit('no such measure')": (
        "refused",
        "it ended with the exit status 1; it said: no such measure",
    ),
    "import os; os.abort()": ("crashed", "it was killed by the signal SIGABRT"),
    "import time; time.sleep(600)": ("timeout", "no end within 1 seconds"),
    "print('ndcg q1 0.5', end='')": ("fail", "got 0.5, expected"),
    "import sys; sys.stdin.read(); print('ndcg q1 0.5')": ("fail", "got 0.5, expected"),
    "print('x\\n' * 1001)": ("crashed", "more than 1000 lines"),
    "print(('x' * 10**6 + '\\n') * 5)": ("crashed", "more than 4 MiB"),
    "import sys; sys.stdout.write('x' * 5 * 10**6)": ("crashed", "a line of more than 4 MiB"),
}


@pytest.mark.slow(but=4)
@pytest.mark.spec("RS-CONF-8", "RS-CONF-5")
@pytest.mark.parametrize(
    "code", [pytest.param(c, marks=pytest.mark.slow) if "sleep" in c else c for c in PROGRAMS]
)
def test_what_a_program_does(code: str, tmp_path: Path, capsys: Capture) -> None:
    program = tmp_path / "a program.py"
    program.write_text(code)
    template = f"{shlex.quote(sys.executable)} {shlex.quote(str(program))} {{qrels}} {{run}}"
    seconds = "1" if "sleep" in code else "20"
    report = conform(capsys, "--case", "dcg-0001", "--timeout", seconds, "--trec", template)
    status, why = status_of(report, "dcg-0001")
    assert status == PROGRAMS[code][0]
    assert why.startswith(PROGRAMS[code][1])


@pytest.mark.spec("RS-CONF-8")
def test_no_shell_is_involved(tmp_path: Path, capsys: Capture) -> None:
    witness = tmp_path / "witness"
    template = f"echo {{qrels}} {{run}} ; touch {witness} $(touch {witness})"
    conform(capsys, "--case", "dcg-0001", "--trec", template)
    assert not witness.exists()
