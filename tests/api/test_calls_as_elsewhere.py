"""Calls that are written as other libraries take them: the error says what to write here.

Whoever writes it gets the value, computed here from the definition.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.analysis.comparison.tests import BY_NAME, SYNONYMS, UNPAIRED_BY_NAME
from rankspec.compute import gain
from tests.cli.running import Capture, complaint, output
from tests.each import each

Y, SCORES = [0, 3, 2], [0.9, 0.8, 0.1]
with localcontext(prec=50):  # the double nearest to each
    LOG2_3 = Decimal(3).ln() / Decimal(2).ln()
    NDCG = float((3 / LOG2_3 + 1) / (3 + 2 / LOG2_3))
    EXP2 = float((7 / LOG2_3 + Decimal("1.5")) / (7 + 3 / LOG2_3))
ZIPF = float((Fraction(3, 2) + Fraction(2, 3)) / (3 + 1))


@each(
    ("call", "error", "says", "advised", "value"),
    [
        (lambda: rs.ndcg(Y, SCORES), TypeError, "ndcg(labels, scores=...)",
         lambda: rs.ndcg(Y, scores=SCORES), NDCG),
        (lambda: rs.ndcg(np.array(Y), np.array(SCORES)), TypeError, "ndcg(labels, scores=...)",
         lambda: rs.ndcg(np.array(Y), scores=np.array(SCORES)), NDCG),
        (lambda: rs.ndcg(Y, 3), TypeError, "ndcg(labels, k=...)",
         lambda: rs.ndcg(Y, k=3), NDCG),
        (lambda: rs.certify.ndcg(Y, SCORES), TypeError, "scores=...",
         lambda: rs.certify.ndcg(Y, scores=SCORES).value, NDCG),
        (lambda: rs.nDCG(Y), rs.InputError, "rs.ndcg(labels)", lambda: rs.ndcg(Y), NDCG),
        (lambda: rs.nDCG(Y), rs.InputError, "m.of(labels)", lambda: rs.nDCG(k=3).of(Y), NDCG),
        (lambda: rs.nDCG(np.array(Y)), rs.InputError, "rs.ndcg(labels)",
         lambda: rs.ndcg(np.array(Y)), NDCG),
        (lambda: rs.nDCG(Y, SCORES), rs.InputError, "rs.ndcg(labels, scores=...)",
         lambda: rs.ndcg(Y, scores=SCORES), NDCG),
        (lambda: rs.ndcg(Y, gain="exponential"), rs.InputError, 'did you mean "exp2"',
         lambda: rs.ndcg(Y, gain="exp2"), EXP2),
        (lambda: rs.ndcg(Y, gain="2^rel-1"), rs.InputError, 'did you mean "exp2"',
         lambda: rs.ndcg(Y, gain="exp2"), EXP2),
        (lambda: rs.ndcg(Y, discount="reciprocal"), rs.InputError, 'did you mean "zipf"',
         lambda: rs.ndcg(Y, discount="zipf"), ZIPF),
    ],
)  # fmt: skip
def test_what_to_write_is_said(
    call: Callable[[], Any], error: type[Exception], says: str, advised: Callable[[], float],
    value: float,
) -> None:  # fmt: skip
    with pytest.raises(error) as seen:
        call()
    assert says in str(seen.value)
    assert advised() == value


def test_synonyms_are_no_names_and_lead_to_names() -> None:
    tests = BY_NAME | UNPAIRED_BY_NAME
    assert set(SYNONYMS.values()) <= set(tests)
    assert not set(SYNONYMS) & set(tests)
    gains, discounts = gain._GAINS, gain._DISCOUNTS
    assert set(gains.values()) <= set(gain.GAINS)
    assert not set(gains) & set(gain.GAINS)
    for ours in discounts.values():
        rs.ndcg(Y, discount=ours)
    for theirs in discounts:
        with pytest.raises(rs.InputError):
            rs.ndcg(Y, discount=theirs)


@each(
    ("theirs", "ours"),
    [("ttest", "t"), ("T-test", "t"), ("permutation", "randomisation"), ("tukey_hsd", "tukey")],
    fast=2,
)
def test_tests_of_other_names(theirs: str, ours: str, capsys: Capture) -> None:
    example = Path(rs.__file__).parent / "example"
    files = [str(example / name) for name in ("qrels.txt", "plain.run", "rich.run")]
    assert f'(did you mean "{ours}"?)' in complaint(capsys, "compare", *files, "--test", theirs)
    assert output(capsys, "compare", *files, "--test", ours)


def test_no_text_gets_the_name_of_a_document(tmp_path: Path, capsys: Capture) -> None:
    example = Path(rs.__file__).parent / "example"
    files = [str(example / name) for name in ("qrels.txt", "plain.run")]
    document = tmp_path / "means.docx"
    assert ".csv, .json" in complaint(capsys, "eval", *files, "-o", str(document))
    assert not document.exists()
    for name, how in (("x.txt", ()), ("x", ()), ("x.v2", ()), ("x.docx", ("--format", "csv"))):
        assert output(capsys, "eval", *files, "-o", str(tmp_path / name), *how) == ""
        assert (tmp_path / name).read_text()
