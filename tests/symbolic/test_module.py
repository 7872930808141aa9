"""rankspec.symbolic as a module: its functions, its errors, and that it is loaded lazily."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy

from rankspec import symbolic
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.function)
def test_every_metric_is_a_function_with_its_spec_id(metric):
    function = getattr(symbolic, metric.function)
    assert function.__name__ == metric.function
    assert f"Spec: {metric.spec}" in function.__doc__
    assert metric.function in dir(symbolic)
    value = function([3, 0, 2, 1], k=3)
    assert isinstance(value, sympy.Expr)
    assert value.is_positive or metric.name == "Unjudged"  # there is none
    assert isinstance(function([]), sympy.Expr)


def test_arguments_are_those_of_the_api():
    assert symbolic.ap([1, 0, 1], judged=[1, 1, 1, 0], k=2, norm="k") == sympy.Rational(1, 2)
    assert symbolic.recall([1, 0, 1], judged=[1, 1, 1, 0]) == sympy.Rational(2, 3)
    assert symbolic.precision([3, 0, 1, 2], k=4, rel=2) == sympy.Rational(1, 2)
    assert symbolic.dcg([0, 1], gain=[0, 10], discount="jarvelin-2008(b=2)") == 5
    assert symbolic.cg([Fraction(1, 3), 0.5]) == sympy.Rational(5, 6)  # taken exactly


def test_inputs_that_have_no_order_are_refused():
    x, y = sympy.symbols("x y")
    with pytest.raises(InputError, match="nDCG compares labels"):
        symbolic.ndcg([x, y])
    with pytest.raises(InputError, match="AP compares labels"):
        symbolic.ap([x, 0])
    assert symbolic.dcg([x, y], discount="zipf") == x + y / 2  # DCG compares nothing


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="cut-off"):
        symbolic.dcg([1], k=0)
    with pytest.raises(InputError, match="no parameter"):
        symbolic.dcg([1], norm="R")
    with pytest.raises(InputError, match="judged: IDCG does not depend"):
        symbolic.idcg([1], judged=[1])
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = symbolic.nope


def run(code: str) -> subprocess.CompletedProcess:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )


def test_a_missing_sympy_is_named_with_its_extra():
    code = "import sys; sys.modules['sympy'] = None; import rankspec.symbolic"
    result = run(code)
    assert result.returncode != 0
    assert 'pip install "rankspec[symbolic]"' in result.stderr


def test_sympy_is_not_loaded_with_the_package():
    assert run("import rankspec, sys; assert 'sympy' not in sys.modules").returncode == 0


@pytest.mark.slow
def test_control_sympy_is_loaded_with_the_module():
    assert run("import rankspec.symbolic, sys; assert 'sympy' not in sys.modules").returncode != 0


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "a", None])
@pytest.mark.parametrize("name", ["ndcg", "lndcg", "ndcg_phi", "ap"])
def test_what_is_no_label_is_refused(name, bad):
    function = getattr(symbolic, name)
    for labels, more in (([1, bad], {}), ([1, 2], {"judged": [1, bad]})):
        with pytest.raises(InputError, match=r"(labels|judged): the label at position 1 is "):
            function(labels, **more)


@pytest.mark.parametrize("given", [None, 5, "12"])
def test_what_is_no_list_is_refused(given):
    with pytest.raises(InputError, match=r"labels: expected a list of labels, got "):
        symbolic.dcg(given)


def test_too_few_weights_are_refused():
    with pytest.raises(InputError, match="weights for 1 ranks are given, but rank 3 needs one"):
        symbolic.ndcg_phi([1, 2, 4], discount=[1])
