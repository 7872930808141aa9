"""Coq proves the certificates of rankspec certify, and none that is forged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankspec.analysis.cases import Case, certified_case

from .compiled_proofs import COQ, ROOT, compiled
from .modules import module_of

__all__ = ["compiled"]

prover: Any = module_of(ROOT / "tools/prove_certificates.py", "rankspec_prove_certificates")

LINEAR = {"gain": {"kind": "linear"}}
BASE_2 = {"kind": "log", "base": 2}
DCG = {"name": "DCG", "k": None, **LINEAR, "discount": BASE_2}
CASES: dict[str, dict[str, Any]] = {
    "rational": {
        "measure": {"name": "AP", "k": None, "rel": 1, "norm": "R"},
        "input": {"labels": [1, 0, 1], "scores": [2, 1, 1], "ties": "expected"},
    },
    "irrational": {
        "measure": {"name": "nDCG", "k": 3, **LINEAR, "discount": BASE_2, "ideal": "k"},
        "input": {"labels": [3, 2, 3], "judged": [3, 2, 3, 0]},
    },
    "below 0": {
        "measure": {"name": "UL2", "of": DCG, "bounds": "exact"},
        "input": {"labels": [0, 2, 1], "judged": [0, 2, 1, 3]},
    },
    "exact tie": {
        "measure": {"name": "CG", "k": None, **LINEAR},
        "input": {"labels": ["9007199254740992", 1]},
    },
    "several cut-offs": {
        "measure": {**DCG, "k": [1, 2]},
        "input": {"labels": [3, 2, 3]},
    },
    "expectation": {
        "measure": {"name": "expected", "of": {"name": "RR", "k": 2, "rel": 1}},
        "input": {"labels": [0, 1, 0]},
    },
    "gain of a fraction": {
        "measure": {**DCG, "gain": {"kind": "exp2"}},
        "input": {"labels": [0.5, 1]},
    },
    "session": {
        "measure": {
            "name": "sDCG",
            "k": 2,
            **LINEAR,
            "discount": BASE_2,
            "query_discount": {"kind": "jarvelin-2008", "base": 4},
            "repeats": "every",
        },
        "input": {"queries": [[3, 2], [1, 0]]},
    },
}


def certificate_of(what: str) -> dict[str, Any]:
    """Return the certificate of a case, as the command writes it."""
    return certified_case(Case(what, copy.deepcopy(CASES[what])))


@COQ
@pytest.mark.slow
def test_certificates_are_proved(compiled: Path) -> None:
    lines, all_proved = prover.report({"cases": list(map(certificate_of, CASES))}, compiled)
    assert [line for line in lines if not line.endswith(": proved")] == []
    assert all_proved
    assert len(lines) == len(CASES) + 1


def another_bit(certificate: dict[str, Any]) -> None:
    expected = certificate["expected"]
    expected["bits"] = f"{int(expected['bits'], 16) ^ 1:016x}"


def last_digit(name: str, step: int) -> Callable[[dict[str, Any]], None]:
    def change(certificate: dict[str, Any]) -> None:
        text = certificate["certificate"][name]
        certificate["certificate"][name] = f"{text[:-1]}{int(text[-1]) + step}"

    return change


def another_fraction(certificate: dict[str, Any]) -> None:
    n, d = map(int, certificate["expected"]["exact"].split("/"))
    certificate["expected"]["exact"] = f"{n * 10**40 + 1}/{d * 10**40}"


def another_label(certificate: dict[str, Any]) -> None:
    certificate["input"]["labels"][-1] = 0


FORGED: dict[str, tuple[str, Callable[[dict[str, Any]], None], set[str]]] = {
    # what is forged: (the case, how, what Coq does not prove)
    "a bit of a rational number": ("rational", another_bit, {"bits"}),
    "a bit of an irrational number": ("irrational", another_bit, {"bits"}),
    "a bit of a number below 0": ("below 0", another_bit, {"bits"}),
    # 2^53 and 2^53 + 2 are as near to 2^53 + 1: the even one is right.
    "the other double of a tie": ("exact tie", another_bit, {"bits"}),
    "the lower end": ("irrational", last_digit("lower", 1), {"lower"}),
    "the upper end": ("irrational", last_digit("upper", -1), {"upper"}),
    "the last of the digits": ("irrational", last_digit("digits", -1), {"digits"}),
    "the fraction": ("rational", another_fraction, {"exact"}),
    "a label of a rational case": (
        "rational",
        another_label,
        {"bits", "upper", "digits", "exact"},
    ),
    "a label of an irrational case": ("irrational", another_label, {"bits", "lower", "digits"}),
    "a label of the tie": ("exact tie", another_label, {"lower", "digits", "exact"}),
}


@COQ
@pytest.mark.slow
def test_no_forged_certificate_is_proved(compiled: Path) -> None:
    forged = []
    for case, forge, _ in FORGED.values():
        certificate = certificate_of(case)
        forge(certificate)
        assert certificate != certificate_of(case)
        forged.append(certificate)
    claimed = list(prover.certificates({"cases": forged}))
    for (what, (_, _, refused)), claims in zip(
        FORGED.items(), prover.judge(claimed, compiled), strict=True
    ):
        assert {claim.said.split()[0] for claim in claims} == refused, what


NOT_TRANSLATED = {
    # why: (the measure, the input)
    "nDCG does not state its discount, gain, ideal": (
        {"name": "nDCG", "k": 3},
        {"labels": [3, 2, 3]},
    ),
    "proofs/Vectors.v has no such measure": (
        {"name": "Success", "k": 3, "rel": 1},
        {"labels": [1]},
    ),
    "the part unjudged of the input": (
        {"name": "Judged", "k": 3},
        {"labels": [1, 0], "unjudged": [0, 1]},
    ),
    "the input has scores and does not state its rule for ties": (
        {"name": "P", "k": 3, "rel": 1},
        {"labels": [1], "scores": [1]},
    ),
    "the input is refused": (DCG, {"labels": [-1]}),
}


@pytest.mark.parametrize("why", NOT_TRANSLATED)
def test_what_is_not_translated_is_said(why: str) -> None:
    measure, inputs = NOT_TRANSLATED[why]
    certificate = certified_case(Case("x", {"measure": measure, "input": inputs}))
    [line] = prover.certificates({"cases": [certificate]})
    assert line == f"certificate 1, {measure['name']}: not translated: {why}"


def test_a_case_is_no_certificate() -> None:
    [line] = prover.certificates(CASES["rational"])
    assert line == 'certificate 1, AP: not translated: no "expected" and "certificate"'


def test_what_has_no_form_is_said() -> None:
    [line] = prover.certificates({"expected": {"bits": "0"}, "certificate": {"digits": "1"}})
    assert line.startswith("certificate 1: not translated: no certificate of its form")
