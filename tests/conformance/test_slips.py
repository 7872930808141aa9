"""Slips that are planted in a correct implementation: each is found, and named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from rankspec.analysis.conformance import diagnosis
from rankspec.analysis.conformance.cases import Case, vectors
from rankspec.analysis.conformance.judge import Grade, Verdict
from rankspec.analysis.conformance.protocol import Answer
from rankspec.analysis.conformance.questions import TooLarge, question_of
from rankspec.analysis.conformance.run import Outcome
from rankspec.analysis.conformance.slips import given_by, slips

from .evaluations import file
from .running import IMPLEMENTATION, conform, with_cases

Capture = pytest.CaptureFixture[str]
FAIL = Verdict("fail", "got another value")

PLANTED = {
    "f-balanced": ("beta=1", "RS-PREC-22"),
    "exp2": ("gain=exp2", "RS-GAIN-2"),
    "exp2-alone": ("the gain 2^r, without the -1", "RS-GAIN-2"),
    "no-discount": ("discount=none", "RS-DISC-1"),
    "natural-log": ("discount=log(b=e)", "RS-DISC-1"),
    "log-from-2": ("discount=jarvelin-2002(b=2)", "RS-DISC-3"),
    "rank-plus-2": ("the rank counted from 2 in the discount", "RS-DISC-1"),
    "pool-of-list": ("the pool from the list alone", "RS-CONV-3"),
    "pool-of-first-k": ("the pool from the first k results", "RS-CONV-3"),
    "ideal-uncut": ("ideal=all", "RS-DCG-7"),
    "ideal-k+1": ("the ideal cut at k + 1, and the list at k", "RS-DCG-7"),
    "ideal-k-1": ("the ideal cut at k - 1, and the list at k", "RS-DCG-7"),
    "ideal-unsorted": ("the ideal that is the pool in the order in which it is given", "RS-DCG-7"),
    "ideal-ascending": ("the ideal that is the pool ascending", "RS-DCG-7"),
    "swapped": ("the ideal over the list, not the list over the ideal", "RS-DCG-6"),
    "pool-and-list": ("the pool of the judged items and those of the list again", "RS-CONV-3"),
    "reversed": ("the list from its end", "RS-TIE-1"),
    "zeros-dropped": ("the list without items of label 0", "RS-CONV-8"),
    "labels-once": ("items of the list of the same label as one", "RS-CONV-1"),
    "negated": ("the negative of the value", "RS-NUM-1"),
    "inverse": ("1 over the value", "RS-NUM-1"),
    "ap-min": ("norm=min", "RS-PREC-6"),
    "ap-over-k": ("norm=k", "RS-PREC-6"),
    "ap-of-retrieved": ("norm=retrieved", "RS-PREC-6"),
    "ties-ascending": ("ties=id-ascending", "RS-TIE-2"),
    "ties-input": ("ties=input", "RS-TIE-2"),
    "float32-scores": ("scores=float32", "RS-CONV-12"),
    "condensed": ("unjudged=condensed", "RS-CONV-13"),
    "negative-kept": ("negative labels that keep their gain", "RS-CONV-15"),
    "queries-both": ("queries=both", "RS-CONV-9"),
    "labels-floored": ("labels cut to whole numbers", "RS-CONV-1"),
    "k-ignored": ("no cut-off", "RS-CONV-2"),
    "rr-uncut": ("no cut-off", "RS-CONV-2"),
    "p-over-list": ("k: at most the length of the list", "RS-PREC-2"),
    "recall-over-k": ("k as the number of relevant items", "RS-PREC-3"),
    "err-max": ("max: the highest label of the pool, not that of the scale", "RS-CAS-1"),
    "rbp-default": ("p=0.8", "RS-CAS-5"),
    "f-unsquared": ("beta as the weight of recall, not beta^2", "RS-PREC-22"),
    "q-beta": ("beta=10", "RS-UTL-2"),
    "grbp-p": ("p=0.95", "RS-CAS-5"),
    "grbp-of-pool": ("max_rel=pool", "RS-USR-1"),
    "strict-rel": ("labels above rel as the relevant ones, not from rel on", "RS-PREC-1"),
    "clipped": ("clipping at 1", "RS-CONV-3"),
    "undefined-nan": ("undefined as NaN", "RS-CONV-4"),
    "float32": ("rounding to float32", "RS-NUM-1"),
}
"""{a slip: what it is called, and an entry that says what is right}

The first, which is in the fast lane, is one that few cases see.
"""


@pytest.fixture(scope="module", autouse=True)
def evaluations() -> Iterator[None]:
    yield from with_cases(file())


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-3", "RS-CONF-3/L1")
def test_the_implementation_without_a_slip_conforms(capsys: Capture) -> None:
    report = conform(capsys, "--", *IMPLEMENTATION, status=0)
    assert report["counts"]["fail"] == 0
    assert report["counts"]["pass"] > 200


@pytest.mark.slow(but=1)
@pytest.mark.long(but=8)
@pytest.mark.spec("RS-CONF-10", "RS-CONF-10/L1")
@pytest.mark.parametrize("slip", PLANTED)
def test_a_slip_is_found_and_named(slip: str, capsys: Capture) -> None:
    name, spec = PLANTED[slip]
    report = conform(capsys, "--part", "all", "--", *IMPLEMENTATION, slip, status=1)
    named = {tuple(finding["slips"]): finding for finding in report["findings"]}
    assert (name,) in named, (list(named), report["findings"])
    finding = named[name,]
    assert spec in finding["spec"]
    assert finding["example"]["expected"] != finding["example"]["got"]


CORE = ("--profile", "ndcg-core")


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONF-10/L1")
@pytest.mark.parametrize("slip", ["exp2-alone", "no-discount", "pool-of-first-k"])
def test_a_slip_of_several_metrics_is_one_finding(slip: str, capsys: Capture) -> None:
    report = conform(capsys, *CORE, "--", *IMPLEMENTATION, slip, status=1)
    [finding] = report["findings"]
    assert finding["slips"] == [PLANTED[slip][0]]


@pytest.mark.spec("RS-CONF-10")
@pytest.mark.parametrize(("slip", "number"), [("zero", "0.0"), ("one", "1.0")])
def test_a_value_that_is_always_the_same(slip: str, number: str, capsys: Capture) -> None:
    report = conform(capsys, *CORE, "--", *IMPLEMENTATION, slip, status=1)
    [finding] = report["findings"]
    assert finding["what"] == f"it always gives {number}, whatever is asked"


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10")
def test_doubles_are_said_to_be_right_but_for_the_last_digits(capsys: Capture) -> None:
    words = (*CORE, "--grade", "exact")
    report = conform(capsys, *words, "--", *IMPLEMENTATION, status=1)
    [finding] = report["findings"]
    assert finding["what"].endswith(" ulp: arithmetic in doubles, not correctly rounded")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10")
def test_what_no_slip_gives_is_given_no_name(capsys: Capture) -> None:
    report = conform(capsys, *CORE, "--", *IMPLEMENTATION, "half-rounded", status=1)
    named = [finding["slips"] for finding in report["findings"] if finding["slips"]]
    assert named == [["rounding to 4 decimals"]]


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10/L1")
def test_two_slips_at_once(capsys: Capture) -> None:
    report = conform(capsys, "--", *IMPLEMENTATION, "exp2", "ideal-uncut", status=1)
    slips = [finding["slips"] for finding in report["findings"]]
    assert ["gain=exp2", "ideal=all"] in slips


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10", "RS-CONF-10/L2")
def test_the_example_is_shrunk(capsys: Capture) -> None:
    report = conform(capsys, "--", *IMPLEMENTATION, "exp2", status=1)
    example = report["findings"][0]["example"]
    assert example["shrunk"]
    assert example["input"] in ({"labels": [2]}, {"judged": [2]})
    assert (example["expected"], example["got"]) == (2.0, 3.0)


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10")
@pytest.mark.parametrize("queries", [{"q": 1 / 2, "o": 1 / 3, "p": 0.0}, {"q": 1 / 2, "o": 2 / 3}])
def test_other_queries_are_no_chance(
    queries: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single case of many is explained where what was got has other queries."""
    monkeypatch.setattr(diagnosis, "MOST_PAIRED", 0)
    of_rr = [
        case for case in vectors() if case.id.startswith("evaluation-00") and case.name == "RR"
    ]
    both = next(case for case in of_rr if case.id == "evaluation-0081")
    others = [case for case in of_rr if list(case.expected.get("queries", ())) == ["q"]]
    values = {both.id: {"queries": queries, "mean": sum(queries.values()) / len(queries)}}
    failed = [
        Outcome(case, Answer("value", values.get(case.id, {"queries": {"q": x}, "mean": x})), FAIL)
        for case, x in zip([both, *others[:5]], (0, 0.11, 0.13, 0.17, 0.19, 0.23), strict=True)
    ]
    findings = diagnosis.diagnose(failed, failed, Grade("close"))
    named = [
        slip.name for x in findings for slip in x.slips if both in [y.case for y in x.outcomes]
    ]
    assert named == (["queries=qrels"] if "p" in queries else [])


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-10")
def test_any_slip_can_be_held_against_a_case_of_any_measure() -> None:
    """It gives a value, does not apply, or is too large; nothing else is raised."""
    left: dict[str, list[Case]] = {}
    for case in vectors():
        if not case.refused:
            left.setdefault(" of ".join(x["name"] for x in _measures(case)), []).append(case)
    assert len(left) > 150
    for cases in left.values():
        for case in cases[:2]:
            asked = question_of(case)
            for slip in slips():
                with suppress(TooLarge):
                    given_by([slip], asked)


def _measures(case: Case) -> Iterator[Mapping[str, Any]]:
    """The measure, and what it is a bound of."""
    x: Any = case.measure
    while x is not None:
        yield x
        x = x.get("of")
