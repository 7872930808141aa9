"""The search for explanations is bounded in size and in time, and says what it left out."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rankspec.analysis.conformance import diagnosis
from rankspec.analysis.conformance.cases import vectors
from rankspec.analysis.conformance.diagnosis import Search, diagnose
from rankspec.analysis.conformance.judge import Grade, judge
from rankspec.analysis.conformance.own import core
from rankspec.analysis.conformance.protocol import Answer
from rankspec.analysis.conformance.questions import Question, TooLarge, rough
from rankspec.analysis.conformance.run import Outcome
from rankspec.analysis.conformance.slips import slips
from rankspec.errors import InputError

from .running import conform

ROOT = Path(__file__).resolve().parents[2]
ONE_OF_A_KIND = ("int8", "uint8", "float32", "scores as int32", "1 << r of 32 bits")
"""The others of one_fault.FAULTS take as long, and end for the same reasons."""
LARGE = 2**31  # 2 to this power has 256 MiB


@pytest.mark.spec("RS-CONF-10")
@pytest.mark.parametrize(
    ("measure", "given"),
    [
        ({"name": "G", "k": 1, "gain": {"kind": "exp2"}}, {"labels": [LARGE, 0]}),
        ({"name": "G", "k": 1, "gain": {"kind": "exp2"}}, {"labels": [1], "judged": [LARGE]}),
        ({"name": "CG", "k": 1, "gain": {"kind": "exp2"}}, {"labels": [str(LARGE)]}),
        ({"name": "ERR", "k": 1, "max": 4, "stop": None}, {"labels": [LARGE, 0]}),
        ({"name": "ERR", "k": 1, "max": LARGE, "stop": None}, {"labels": [1, 0]}),
    ],
)
def test_no_power_of_2_is_computed_that_has_a_huge_exponent(measure: dict, given: dict) -> None:
    with pytest.raises(TooLarge):
        rough(Question(measure, given))


@pytest.mark.spec("RS-CONF-10")
def test_large_labels_of_a_linear_gain_are_no_powers() -> None:
    measure = {"name": "CG", "k": 1, "gain": {"kind": "linear"}}
    assert rough(Question(measure, {"labels": [LARGE]})) == float(LARGE)


def outcomes_of_exp2() -> list[Outcome]:
    """A program that takes the gain exp2 where linear is asked, on a few cases."""
    found = []
    for case in vectors():
        if case.name != "DCG" or case.refused or "labels" not in case.input or len(found) == 12:
            continue
        if case.measure["gain"]["kind"] == "linear":
            wrong = {**case.measure, "gain": {"kind": "exp2"}}
            with suppress(InputError):
                answer = Answer("value", core({"measure": wrong, "input": case.input}))
                found.append(Outcome(case, answer, judge(case, answer, Grade("close"))))
    return found


@pytest.mark.spec("RS-CONF-10")
def test_what_comes_too_late_is_not_tried_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time no slip is named, and so none wrongly."""
    outcomes = outcomes_of_exp2()
    failures = [x for x in outcomes if x.verdict.status == "fail"]
    assert len(failures) >= 3
    search = Search(Grade("close"))
    findings = diagnose(outcomes, failures, Grade("close"), None, search)
    assert [slip.name for slip in findings[0].slips] == ["gain=exp2"]
    assert search.left_out() == ""

    count = 0
    given_by = diagnosis.given_by

    def counted(*given: object) -> object:
        nonlocal count
        count += 1
        return given_by(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(diagnosis, "given_by", counted)
    late = Search(Grade("close"), seconds=-1.0)
    findings = diagnose(outcomes, failures, Grade("close"), None, late)
    assert count == 0
    assert not any(finding.slips for finding in findings)
    assert late.late >= len(slips())
    assert f"{late.late} slips on the failures of a metric, after -1 seconds" in late.left_out()


@pytest.mark.spec("RS-CONF-10", "RS-CONF-11")
def test_the_report_says_what_was_not_tried(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Search, "is_over", True)
    program = "import json,sys\nfor line in sys.stdin:\n x=json.loads(line)\n if x['type']=='stop': break\n print(json.dumps({'type':'ready','protocol':1,'name':'x'} if x['type']=='start' else {'type':'value','id':x['id'],'value':len(x['id'])+0.123*hash(x['id'][-1:])}),flush=True)"  # noqa: E501
    words = ("--case", "dcg-0003", "--case", "dcg-0004", "--", sys.executable, "-c", program)
    report = conform(capsys, *words, status=1)
    assert "of the processor" in report["untried"]


@pytest.mark.slow
@pytest.mark.long(but=1)
@pytest.mark.spec("RS-CONF-6/L1", "RS-CONF-10")
@pytest.mark.parametrize("fault", ONE_OF_A_KIND)
def test_an_adapter_with_one_fault_ends(fault: str) -> None:
    """All cases, and the search of why some fail: some 20 seconds on an idle processor."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "rankspec", "conform", "--part", "all", "--format", "json",
         "--no-progress", "--", sys.executable, "-m", "tests.conformance.one_fault", fault],
        capture_output=True, text=True, check=False, timeout=1200, cwd=ROOT,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert done.returncode == 1, done.stderr
    assert report["counts"]["pass"] > 2000
    assert report["findings"]


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-6/L1")
@pytest.mark.parametrize(
    ("seconds", "status"), [(600, 3), (0.02, 1)], ids=["never answers", "answers slowly"]
)
def test_an_adapter_without_haste_ends(
    seconds: float, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    program = f"""
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "stop":
        break
    if asked["type"] == "start":
        told = {{"type": "ready", "protocol": 1, "name": "slow"}}
    else:
        time.sleep({seconds})
        told = {{"type": "value", "id": asked["id"], "value": 0.5}}
    print(json.dumps(told), flush=True)
"""
    words = ("--profile", "ndcg-core", "--timeout", "1", "--", sys.executable, "-c", program)
    report = conform(capsys, *words)
    assert report["exit_status"] in (1, status)
