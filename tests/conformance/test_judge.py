"""Values as programs write them, and grades."""

from __future__ import annotations

import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.analysis.conformance.cases import UNKNOWN, vectors
from rankspec.analysis.conformance.diagnosis import explained_by
from rankspec.analysis.conformance.judge import Grade, doubles_of, grade, judge, near, ulps
from rankspec.analysis.conformance.protocol import Answer, Nonsense, read_answer, read_number

DOUBLES = st.floats(allow_nan=False)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def bits(x: float) -> str:
    return struct.pack(">d", x).hex()


@pytest.mark.spec("RS-CONF-2", "RS-CONF-2/L1")
@given(DOUBLES)
def test_the_forms_of_a_double_are_one_value(x: float) -> None:
    forms = [repr(x), x.hex(), {"bits": bits(x)}, {"bits": f"0x{bits(x).upper()}"}]
    if math.isfinite(x):
        forms.append(json.loads(json.dumps(x)))
    for form in forms:
        assert bits(read_number(form)) == bits(x), form


@pytest.mark.spec("RS-CONF-2")
@pytest.mark.parametrize("x", ["", "1,5", "0x", "1e", "__1", "½", "1 2", None, [], {}, True])
def test_what_is_no_number(x: object) -> None:
    with pytest.raises(Nonsense):
        read_number(x)


@pytest.mark.spec("RS-CONF-2")
def test_words() -> None:
    assert math.isnan(read_number("NaN"))
    assert read_number("Infinity") == math.inf == read_number("inf")
    assert read_number("-Infinity") == -math.inf


@pytest.mark.spec("RS-CONF-3/L1")
@given(DOUBLES, st.sampled_from(["exact", "close", "ulp=0", "ulp=5", "digits=0", "digits=12"]))
def test_what_is_exact_is_right(x: float, name: str) -> None:
    for max_ulp in (0, 4, UNKNOWN):
        assert near(x, x, grade(name), max_ulp)


@pytest.mark.spec("RS-CONF-3")
@given(FINITE, st.integers(0, 9))
def test_ulps_count_doubles(x: float, n: int) -> None:
    y = x
    for _ in range(n):
        y = math.nextafter(y, -math.inf)
    if math.isfinite(y):
        assert ulps(x, y) == ulps(y, x) == n
        assert near(y, x, grade(f"ulp={n}"), None)
        assert n == 0 or not near(y, x, grade(f"ulp={n - 1}"), None)
        assert near(y, x, grade("close"), n)


@pytest.mark.spec("RS-CONF-3")
def test_digits_are_decimals_that_are_printed() -> None:
    by = grade("digits=4")
    for case in vectors():
        expected = None if case.refused else doubles_of(case)
        if isinstance(expected, float) and math.isfinite(expected) and abs(expected) < 1e6:
            assert near(float(f"{expected:.4f}"), expected, by, None), case.id
    assert not near(0.9607, 0.96080819, by, None)
    assert near(0.96081, 0.96080819, by, None)


@pytest.mark.spec("RS-CONF-3")
def test_nan_and_zeros() -> None:
    for name in ("exact", "close", "ulp=9", "digits=2"):
        assert not near(math.nan, 0.0, grade(name), 4)
        assert not near(math.nan, math.nan, grade(name), 4)
        assert not near(1e308, math.inf, grade(name), 4)
    assert near(-0.0, 0.0, grade("close"), 0)
    assert not near(-0.0, 0.0, grade("exact"), 0)
    assert not near(5e-324, 0.0, grade("close"), 0)
    assert not near(1e-300, 0.0, grade("close"), UNKNOWN)


@pytest.mark.spec("RS-CONF-3/L2")
def test_what_files_without_a_bound_allow() -> None:
    assert near(1 + 9e-13, 1.0, grade("close"), UNKNOWN)
    assert not near(1 + 2e-12, 1.0, grade("close"), UNKNOWN)


@pytest.mark.spec("RS-CONF-8")
def test_a_mean_alone_is_judged_and_explained_as_a_mean() -> None:
    """What trec_eval prints without -q."""
    case = next(case for case in vectors() if case.id == "evaluation-0035")  # scores=float32
    by = grade("digits=4")
    assert judge(case, Answer("value", {"queries": None, "mean": 1.0}), by).status == "pass"
    of_doubles = {"queries": None, "mean": 0.5}
    assert judge(case, Answer("value", of_doubles), by).why == "mean: got 0.5, expected 1.0"
    assert "scores=double" in [slip.name for slip in explained_by(case, of_doubles, by)]
    assert explained_by(case, {"queries": None, "mean": 1.0}, by) == []


def test_lists_and_refusals() -> None:
    listed = next(case for case in vectors() if isinstance(case.expected, list))
    right = doubles_of(listed)
    exact = Grade("exact")
    assert judge(listed, Answer("value", right), exact).status == "pass"
    assert judge(listed, Answer("value", right[:-1]), exact).why.endswith("were expected")
    wrong = [*right[:-1], right[-1] + 1]
    assert judge(listed, Answer("value", wrong), exact).why.startswith(f"value {len(right)}: got")
    refused = next(case for case in vectors() if case.refused)
    for kind, status in (("refused", "pass"), ("error", "fail"), ("value", "fail")):
        assert judge(refused, Answer(kind, 0.5), exact).status == status
    line = json.dumps({"type": "value", "id": listed.id, "value": 1}).encode()
    with pytest.raises(Nonsense, match="the value is 1; expected a list of numbers"):
        read_answer(line, listed)
