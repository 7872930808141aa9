"""Canonical forms in writing: what is written has the value of the form."""

from __future__ import annotations

from fractions import Fraction
from math import isclose, log2

import pytest

import rankspec as rs
from rankspec import certify
from rankspec.metrics.catalogue import METRICS, SESSION_METRICS
from rankspec.reference.numbers.canonical import CanonicalForms
from rankspec.reference.numbers.written import MOST_TERMS, written
from tests.each import each

R = CanonicalForms()


def number_of(text: str) -> float:
    """What a formula says, in doubles."""
    return float(eval(text.replace("^", "**"), {"log2": log2, "__builtins__": {}}))  # noqa: S307


@each(
    ("form", "text"),
    [
        (R.exact(0), "0"),
        (R.exact(Fraction(-5, 6)), "-5/6"),
        (2 + 1 / R.log(3, 2), "2 + 1/log2(3)"),
        (1 / R.log(9, 2), "1/(2*log2(3))"),
        (1 / R.log(8, 2), "1/3"),
        (1 / R.log(3, 10), "log2(10)/log2(3)"),
        (R.exp2(Fraction(1, 2)) - 1, "-1 + 2^(1/2)"),
        (R.exact(0) - 1 / R.log(3, 2), "-1/log2(3)"),
        ((2 + 1 / R.log(3, 2)) / (3 - 1 / R.log(5, 2)), "(2 + 1/log2(3))/(3 - 1/log2(5))"),
        (1 / R.log(3, 2) * (1 / R.log(3, 2)), "1/log2(3)^2"),
    ],
)
def test_a_form_in_writing(form, text):
    assert written(form) == text
    number_of(text)


@each("metric", [*METRICS, *SESSION_METRICS], ids=[m.name for m in (*METRICS, *SESSION_METRICS)])
def test_what_is_written_of_a_metric_has_its_value(metric):
    labels = [[2, 1, 0], [1, 2]] if metric.of_sessions else [1, 0, 2]
    found = certify.certified(metric.name, labels)
    # Four quotients; sums without end; a logarithm that is no quotient's part.
    if metric.name not in ("avg_nsDCG", "INSQ", "INST", "NERR11", "Yaap"):
        assert found.form is not None
        assert isclose(number_of(found.form), found.value, rel_tol=1e-13)


def test_a_long_form_is_not_written():
    assert certify.dcg(list(range(MOST_TERMS + 20))).form is None
    assert certify.dcg([1, 0, 1]).form == "3/2"
    assert certify.dcg([Fraction(1, 1) * 0.1] * 3000, discount="zipf").form is None


def test_square_roots_have_no_form():
    assert certify.certified(rs.z_value(rs.DCG(k=1)), [1], judged=[1, 0, 0]).form is None


@pytest.mark.parametrize("bound", ["IUB", "RLB", "UL1", "UL2", "MinMax", "variance"])
def test_bounds_have_forms(bound):
    measure = getattr(rs, bound)(rs.DCG(k=2))
    judged = {} if measure.metric.of_pool else {"judged": [2, 1, 0]}
    found = certify.certified(measure, [2, 1, 0], **judged)
    assert found.form is not None
    assert isclose(number_of(found.form), found.value, rel_tol=1e-12)
