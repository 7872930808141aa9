"""rankspec identify: functions in files, programs, definitions that are expected."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rankspec.analysis.identify.forms import program_of_files

from .running import Capture, complaint, output

ADAPTER = """
import math, sys

NAME, VERSION = "toy", "1.2"

def _dcg(labels, k):
    return sum(x / math.log2(i + 2) for i, x in enumerate(labels[:k]))

def ndcg(labels, scores, k):
    print("noise")
    order = sorted(range(len(labels)), key=lambda a: -scores[a])
    ideal = _dcg(sorted(labels, reverse=True), k)
    return _dcg([labels[a] for a in order], k) / ideal if ideal else 0.0

def recall(recommended, judged, k):
    return len(set(recommended[:k]) & judged) / len(judged) if judged else 0.0

recall.form, recall.declared = "lists", {"judged": "set"}
"""

PROGRAM = """
import sys
k, qrels, run = int(sys.argv[1]), sys.argv[2], sys.argv[3]
judged = {x.split()[2]: int(x.split()[3]) for x in open(qrels)}
ranked = [(float(x.split()[4]), x.split()[2]) for x in open(run)]
ranked = [i for _, i in sorted(ranked, reverse=True)]
print("P", "1", sum(judged.get(i, 0) > 0 for i in ranked[:k]) / k)
"""


@pytest.fixture
def adapter(tmp_path: Path) -> str:
    path = tmp_path / "adapter.py"
    path.write_text(ADAPTER, encoding="utf-8")
    return str(path)


def test_a_function_of_a_file(capsys: Capture, adapter: str) -> None:
    declared = "integers,negative=no,ties=no,pool=no,max_length=4"  # to be asked less
    text = output(capsys, "identify", "--python", f"{adapter}:ndcg", "--declare", declared)
    assert text.startswith("toy 1.2, form scores: ")
    assert "\nnDCG  RS-DCG-6\n" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_its_own_form_and_declaration(capsys: Capture, adapter: str) -> None:
    printed = output(capsys, "identify", "--python", f"{adapter}:recall", "--format", "json")
    found = json.loads(printed)
    assert (found["form"], found["declared"]["judged"]) == ("lists", "set")
    assert found["definition"]["measure"] == "R"


@pytest.mark.slow
def test_a_definition_that_is_expected(capsys: Capture, adapter: str, tmp_path: Path) -> None:
    words = ["identify", "--python", f"{adapter}:ndcg", "--declare", "integers,negative=no"]
    report = tmp_path / "ndcg.json"
    report.write_text(output(capsys, *words, "--format", "json"), encoding="utf-8")
    assert output(capsys, *words, "--expect", str(report)).endswith(
        "the definition is the expected one\n"
    )
    other = {"measure": "nDCG(gain='exp2')", "conventions": {"ties": "expected"}}
    report.write_text(json.dumps(other), encoding="utf-8")
    printed = output(capsys, *words, "--expect", str(report), status=1)
    assert printed.endswith(
        "measure: expected nDCG(gain='exp2'), found nDCG\nties: expected expected, found input\n"
    )


@pytest.mark.slow
def test_a_program_of_files(capsys: Capture, tmp_path: Path) -> None:
    program = tmp_path / "p.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = f"{sys.executable} -I -S {program} {{k}} {{qrels}} {{run}}"
    words = ["--declare", "integers,max_label=2,max_length=6", "--format", "json"]
    found = json.loads(output(capsys, "identify", "--trec", command, *words))
    assert found["definition"]["measure"].startswith("P")
    assert found["definition"]["conventions"]["ties"] == "id-descending"


@pytest.mark.spec("RS-IDF-2")
@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("print('P 1 0.5')", "0.5"),
        ("print('P 1 0.5', end='')", "0.5"),
        ("import sys; sys.stdin.read(); print('P 1 0.5')", "0.5"),
        ("print('P 1 0.5\\n' * 9_999)", "0.5"),
        ("print('P 1 0.5\\n' * 10_001)", "error (it printed more than 10000 lines)"),
        ("print(('x' * 10**6 + '\\n') * 5)", "error (it printed more than 4 MiB)"),
        ("print('x' * 10**7)", "error (it printed a line of more than 4 MiB)"),
        ("for _ in range(64): print('y\\n' * 10**6)", "error (it printed more than 10000 lines)"),
        ("import sys; sys.exit('no file')", "error (it ended with the exit status 1: no file)"),
        ("import os; os.abort()", "crash (SIGABRT)"),
        ("import time; time.sleep(600)", "no answer in time"),
    ],
)
def test_what_a_program_prints_is_bounded(code: str, outcome: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    seconds = 1 if "sleep" in code else 60
    ask = program_of_files(f"{sys.executable} -I -S {program} {{qrels}} {{run}}", seconds)
    assert str(ask("", "", None)) == outcome


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give --python or --trec"),
        (["--python", "adapter"], "expected package.module:function"),
        (["--python", "nowhere.py:f"], "cannot be read: No such file"),
        (["--python", "no.such.module:f"], "the function cannot be loaded: ModuleNotFoundError"),
        (["--python", "math:sin", "--declare", "ties=maybe"], "ties: 'maybe' cannot be declared"),
        (["--python", "math:sin", "--declare", "="], "expected limits, like cutoff=required"),
        (["--python", "math:sin", "--timeout", "0"], '"0": expected a number of seconds above 0'),
        (["--python", "math:sin", "--form", "file"], 'unknown form "file"'),
        (["--python", "math:sin", "--expect", "none.json"], "none.json: cannot be read"),
        (["--python", "math:sin", "--declare", "max_length=0"], "max_length: with 0 no list"),
        (["--trec", "'unclosed {qrels} {run}"], "No closing quotation in the command"),
        (["--trec", " "], "the command is empty"),
        (["--trec", "cat {qrels}"], "the command has no {run}"),
        (["--trec", "./no {qrels} {run}"], "./no: cannot be run: no such file"),
        (["--trec", "cat {qrels} {run}", "--form", "lists"], "a program takes TREC files"),
    ],
)
def test_what_is_wrong(capsys: Capture, words: list[str], message: str) -> None:
    assert message in complaint(capsys, "identify", *words)


def test_an_expectation_that_is_none(capsys: Capture, tmp_path: Path) -> None:
    report = tmp_path / "x.json"
    for text, message in (
        ("{", "x.json: not JSON"),
        ("[]", "it holds no definition"),
        ('{"measure": "AP", "conventions": {"tie": "input"}}', 'did you mean "ties"'),
        ('{"measure": "AP", "conventions": {"ties": "inputs"}}', 'did you mean "input"'),
        ('{"measure": "APP"}', "is no measure that can be identified"),
        ('{"measure": "AP", "unexplained": [1]}', "its unexplained answers cannot be read"),
    ):
        report.write_text(text, encoding="utf-8")
        assert message in complaint(
            capsys, "identify", "--python", "math:sin", "--expect", str(report)
        )


HITS = """
def hits_ap(recommended, judged, k):
    found = total = 0
    for rank, item in enumerate(recommended[:k], 1):
        if judged.get(item, 0) >= 1:
            found += 1
            total += found / rank
    return total / found if found else 0.0

def odd(recommended, judged, k):
    return 0.123 if min(judged.values(), default=0) < 0 else hits_ap(recommended, judged, k)
"""


@pytest.mark.slow
def test_an_expected_definition_must_give_all_answers(capsys: Capture, tmp_path: Path) -> None:
    adapter, report = tmp_path / "hits.py", tmp_path / "x.json"
    adapter.write_text(HITS, encoding="utf-8")
    words = ["identify", "--python", f"{adapter}:hits_ap", "--form", "lists"]
    text = output(capsys, *words, "--format", "json")
    report.write_text(text, encoding="utf-8")
    output(capsys, *words, "--expect", str(report))
    found = json.loads(text)
    assert "AP" in found["same"]["measures"]  # of another pool
    expected = found["definition"] | {"measure": "AP"}
    report.write_text(json.dumps(expected), encoding="utf-8")
    printed = output(capsys, *words, "--expect", str(report), status=1)
    assert "are not those of the expected" in printed


@pytest.mark.slow
@pytest.mark.long
def test_unexplained_answers_are_as_expected_only_where_the_report_has_them(
    capsys: Capture, tmp_path: Path
) -> None:
    adapter, report = tmp_path / "hits.py", tmp_path / "x.json"
    adapter.write_text(HITS, encoding="utf-8")
    words = ["identify", "--python", f"{adapter}:odd", "--form", "lists"]
    text = output(capsys, *words, "--format", "json")
    found = json.loads(text)
    report.write_text(text, encoding="utf-8")
    assert found["unexplained"]
    output(capsys, *words, "--expect", str(report))
    report.write_text(json.dumps(found["definition"]), encoding="utf-8")
    output(capsys, *words, "--expect", str(report), status=1)
