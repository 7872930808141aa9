"""The smallest input that a program dies of, within a bound on how often it is started again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rankspec.analysis.conformance import diagnosis
from rankspec.analysis.conformance.cases import Case, vectors
from rankspec.analysis.conformance.diagnosis import MOST_RESTARTS, Finding, diagnose
from rankspec.analysis.conformance.judge import Grade, Verdict
from rankspec.analysis.conformance.protocol import Answer
from rankspec.analysis.conformance.run import Outcome

from ..each import each
from .running import conform

ABORTS = "it was killed by the signal SIGABRT"
DEATHS = {
    "crashed": (f"{ABORTS}; it said: at 0x7f01", f"{ABORTS}; it said: at 0x7f02"),
    "timeout": ("no answer within 10 seconds", "no answer within 10 seconds; it said: 1"),
}


def found_of(name: str, death: Answer, ask: Callable[[Case], Answer]) -> Finding:
    """What is found of a program that dies of one case."""
    case = next(case for case in vectors() if case.id == name)
    outcome = Outcome(case, death, Verdict(death.kind, death.reason))
    [finding] = diagnose([outcome], [outcome], Grade("close"), ask)
    return finding


def dies_of_a_two_among_three(case: Case) -> bool:
    labels = case.input.get("labels", ())
    return 2 in labels and len(labels) >= 3


@pytest.mark.spec("RS-CONF-10", "RS-CONF-10/L2")
@each("kind", DEATHS)
def test_what_a_program_dies_of_is_shrunk(kind: str) -> None:
    before, again = DEATHS[kind]
    asked: list[Answer] = []

    def ask(case: Case) -> Answer:
        dies = dies_of_a_two_among_three(case)
        asked.append(Answer(kind, reason=again) if dies else Answer("value", 0.5))
        return asked[-1]

    example = found_of("dcg-0001", Answer(kind, reason=before), ask).example
    assert example is not None
    assert example.shrunk
    labels = example.asked.input["labels"]
    assert len(labels) == 3
    assert 2 in labels
    assert example.said == again
    assert isinstance(example.expected, float)


@pytest.mark.spec("RS-CONF-10")
@each(
    "other",
    [
        Answer("crashed", reason="it was killed by the signal SIGSEGV"),
        Answer("crashed", reason="not asked: it had died 20 times"),
        Answer("timeout", reason="no answer within 10 seconds"),
        Answer("value", 0.5),
    ],
)
def test_another_death_is_not_the_same(other: Answer) -> None:
    example = found_of("dcg-0001", Answer("crashed", reason=ABORTS), lambda _: other).example
    assert example is not None
    assert not example.shrunk
    assert example.said == ABORTS


@pytest.mark.spec("RS-CONF-10", "RS-CONF-6/L1")
def test_a_program_is_started_again_so_often_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    died = 0

    def ask(_: Case) -> Answer:
        nonlocal died
        died += 1
        return Answer("crashed", reason="it was killed by the signal SIGSEGV")

    found_of("dcg-0072", Answer("crashed", reason=ABORTS), ask)
    assert died == MOST_RESTARTS
    died = 0
    monkeypatch.setattr(diagnosis, "SECONDS_OF_DEATHS", -1)
    found_of("dcg-0072", Answer("crashed", reason=ABORTS), ask)
    assert died == 0


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10")
def test_the_smallest_input_of_a_crash_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    function = "tests.conformance.functions:aborts_of_a_two_among_three"
    words = ("--case", "dcg-000", "--python", function)
    report = conform(capsys, *words, status=3)
    example = report["findings"][0]["example"]
    assert example["shrunk"]
    assert len(example["input"]["labels"]) == 3
    assert 2 in example["input"]["labels"]
    assert example["said"] == ABORTS
