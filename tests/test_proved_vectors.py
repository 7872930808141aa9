"""Test vectors are proved by Coq to be correctly rounded, and the proof finds what is not.

The list of them, spec/vectors/proved.txt, is what tools/prove_vectors.py translates. The lane long
proves them all, in three minutes of processor time; the gate a share of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from .compiled_proofs import COQ, ROOT, compiled
from .modules import module_of

__all__ = ["compiled"]

prover: Any = module_of(ROOT / "tools/prove_vectors.py", "rankspec_prove_vectors")


@pytest.fixture(scope="module")
def goals() -> list[Any]:
    return prover.translate(ROOT)[0]  # type: ignore[no-any-return]


def test_the_list_is_that_of_the_translated_cases(goals: list[Any]) -> None:
    assert (ROOT / prover.PROVED).read_text("utf-8") == prover.listed(goals)


@COQ
@pytest.mark.slow
def test_a_share_is_proved(goals: list[Any], compiled: Path) -> None:
    """One case of each measure, and some others, by their digests."""
    some = prover.share(goals)
    assert {goal.measure for goal in some} == {goal.measure for goal in goals}
    prover.theorem(some, compiled, "Share")


def test_a_case_that_changes_is_found(goals: list[Any]) -> None:
    """By its digest, and no other."""
    assert prover.changed(goals, ROOT) == []
    at = next(i for i, goal in enumerate(goals) if goal.measure == "nDCG")
    other = replace(goals[at], text=goals[at].text.replace("0x", "0x1", 1))
    changed = prover.changed([*goals[:at], other, *goals[at + 1 :]], ROOT)
    assert other in changed
    assert {goal.id for goal in changed} == {other.id}


@COQ
@pytest.mark.slow
def test_no_other_last_bit_is_proved(compiled: Path) -> None:
    flipped, _ = prover.translate(ROOT, flip=True)
    sample = prover.share(flipped)[::3]
    assert prover.refused(sample, compiled, "Flipped") == sample


@COQ
@pytest.mark.long(but=0)
def test_all_are_proved(goals: list[Any]) -> None:
    prover.prove(goals, ROOT)


@COQ
@pytest.mark.long(but=0)
def test_no_other_last_bit_of_any_is_proved() -> None:
    flipped, _ = prover.translate(ROOT, flip=True)
    assert prover.accepted(flipped, ROOT) == []


# ---- what is nearest -----------------------------------------------------------------------

BORDERS = {
    # what it is: (x, the bits of the double nearest to it by RS-NUM-1)
    "a tie, to even below": (2**53 + 1, 0x4340000000000000),
    "a tie, to even above": (2**53 + 3, 0x4340000000000002),
    "a tie of subnormals": (Fraction(3, 2**1075), 0x2),
    "half the least": (Fraction(1, 2**1075), 0x0),
    "more than half the least": (Fraction(3, 2**1076), 0x1),
    "a tie below a power of two": (Fraction(2**54 - 1, 2**54), 0x3FF0000000000000),
    "infinity": (2**1024 - 2**970, 0x7FF0000000000000),
    "the greatest": (2**1024 - 2**970 - 1, 0x7FEFFFFFFFFFFFFF),
    "below 0": (Fraction(-1, 3), 0xBFD5555555555555),
    "0": (0, 0x0),
}


def _goal(x: Any, bits: int) -> Any:
    label = f"(Linear [{prover.rational(Fraction(x))}]%Q)"
    return prover.Goal("x", "CG", f"(Value (CG 1) (Ranked {label}), 0x{bits:016x}%Z)")


@COQ
@pytest.mark.slow
def test_the_borders_of_doubles(compiled: Path) -> None:
    prover.theorem([_goal(x, bits) for x, bits in BORDERS.values()], compiled, "Borders")
    others = [
        _goal(x, other)
        for x, bits in BORDERS.values()
        for other in {bits + 1, max(bits - 1, 0), bits ^ 2**63} - {bits}
    ]
    assert prover.refused(others, compiled, "NotBorders") == others


# ---- the translation -----------------------------------------------------------------------

CASE: dict[str, Any] = {
    "id": "dcg-0000",
    "measure": {
        "name": "nDCG",
        "k": 3,
        "gain": {"kind": "exp2"},
        "discount": {"kind": "log", "base": 2},
        "ideal": "k",
    },
    "input": {"labels": [2, 0, 1], "judged": [2, 1, 1, 0], "scores": [3, 1, 1], "ties": "expected"},
    "expected": {"bits": "3fe0000000000000"},
}
SLIPS: dict[str, Callable[[str], str]] = {
    "another cut-off": lambda text: text.replace("3%nat", "4%nat", 1),
    "another gain": lambda text: text.replace("Exp2", "Linear", 1),
    "another base": lambda text: text.replace("Log (2)", "Log (3)", 1),
    "another discount": lambda text: text.replace("Log", "Jiang2016", 1),
    "another ideal": lambda text: text.replace("NDCG", "NDCG_all", 1),
    "another rule for ties": lambda text: text.replace("Expected", "BestFirst", 1),
    "another score": lambda text: text.replace("[3; 1; 1]", "[3; 2; 1]", 1),
    "another order": lambda text: text.replace("[2; 0; 1]", "[2; 1; 0]", 1),
    "a pool without its last": lambda text: text.replace("[2; 1; 1; 0]", "[2; 1; 1]", 1),
}


OF_LABELS: dict[str, Any] = {
    "id": "bounds-0000",
    "measure": {
        "name": "MinMax",
        "lower": "worst",
        "of": {"name": "AP", "k": 3, "rel": 1, "norm": "min"},
    },
    "input": {"labels": [2, 0, 1], "judged": [2, 1, 1, 0], "scores": [3, 1, 1], "ties": "best"},
    "expected": {"bits": "3fe0000000000000"},
}
SLIPS_OF_LABELS: dict[str, Callable[[str], str]] = {
    "the random orders": lambda text: text.replace("ByMinMax_worst", "ByMinMax", 1),
    "another relation": lambda text: text.replace("ByMinMax_worst", "ByUL2", 1),
    "another divisor": lambda text: text.replace("AP_min", "AP_R", 1),
    "another least label": lambda text: text.replace("(1)%Q", "(2)%Q", 1),
    "another cut-off": lambda text: text.replace("3%nat", "4%nat", 1),
    "another rule for ties": lambda text: text.replace("BestFirst", "WorstFirst", 1),
    "another pool of the metric": lambda text: text.replace("[2; 1; 1; 0]", "[2; 1; 1]", 1),
    "another score": lambda text: text.replace("[3; 1; 1]", "[3; 2; 1]", 1),
}
PHI: dict[str, Any] = {
    "id": "relevance-0000",
    "measure": {
        "name": "nDCG_phi",
        "k": None,
        "discount": {"kind": "log", "base": 2},
        "variant": "text",
        "quartiles": "own",
        "points": None,
    },
    "input": {"labels": [9, 4], "judged": [9, 4, 1]},
    "expected": {"bits": "3fe0000000000000"},
}
SLIPS_OF_PHI: dict[str, Callable[[str], str]] = {
    "another variant": lambda text: text.replace("By_text", "By_program", 1),
    "other quartiles": lambda text: text.replace("linear", "weibull", 1),
    "another pool of scores": lambda text: text.replace("[9; 4; 1]", "[9; 4]", 1),
    "other scores": lambda text: text.replace("[9; 4]", "[4; 9]", 1),
}
ALL_SLIPS = {
    f"{case['id']}: {name}": (case, slip)
    for case, slips in ((CASE, SLIPS), (OF_LABELS, SLIPS_OF_LABELS), (PHI, SLIPS_OF_PHI))
    for name, slip in slips.items()
}


@pytest.mark.parametrize("name", ALL_SLIPS)
def test_a_slip_of_the_translation_is_read_back(name: str) -> None:
    case, slip = ALL_SLIPS[name]
    text = prover.written(prover.term(case))
    prover.check_back(case, text)
    changed = slip(text)
    assert changed != text
    with pytest.raises(prover.NotProved, match="is read back as another"):
        prover.check_back(case, changed)


def test_a_parameter_that_is_unknown_is_not_translated() -> None:
    case = copy.deepcopy(CASE)
    case["measure"]["new"] = 1
    with pytest.raises(prover.NotTranslated):
        prover.goals_of(case)


def test_each_measure_has_proved_cases() -> None:
    """Of the measures that proofs/ defines, in the chapters of the paper's metrics."""
    names = {goal.measure for goal in prover.translate(ROOT)[0]}
    assert names >= {
        *("CG", "DCG", "IDCG", "nDCG", "nCG", "LDCG", "ILDCG", "LNDCG", "sDCG", "IsDCG", "nsDCG"),
        *("P", "R", "RR", "SP", "AP", "GAP", "ERR", "nERR", "RBP"),
        *(
            f"{bound}({of})"
            for bound in ("IUB", "RLB", "WLB", "UL1", "UL2")
            for of in ("DCG", "nDCG")
        ),
    }
