"""What help() says of the functions, and that what it refers to is there."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys

import rankspec as rs
from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS


def test_the_module_that_help_refers_to_is_there_at_once() -> None:
    """In a process of its own: any use of a function loads the module."""
    assert "rankspec.api" in (rs.ndcg.__doc__ or "")
    code = "import rankspec as rs; print('cut-off' in rs.api.__doc__, 'ndcg' in dir(rs.api))"
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["True", "True"]


def test_the_oracle_has_help_on_each_metric() -> None:
    for metric in (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS):
        function = getattr(rs.certify, metric.function)
        assert function.__name__ == metric.function
        for word in ("with the proof of its digits", "digits", metric.spec, *metric.parameters):
            assert word in function.__doc__, (metric.function, word)
        assert function is getattr(rs.certify, metric.function)
    assert rs.certify.ndcg([3, 2, 3], k=3) == rs.certify.certified("ndcg", [3, 2, 3], k=3)


def test_the_equation_is_that_of_the_metric_where_several_functions_bear_its_id() -> None:
    chapters = [
        importlib.import_module(f"rankspec.reference.{x.name}")
        for x in pkgutil.iter_modules(rs.reference.__path__)
    ]
    functions = {x for chapter in chapters for x in vars(chapter).values() if inspect.isfunction(x)}
    several = 0
    for metric in (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS):
        shown = " ".join((getattr(rs, metric.name).__doc__ or "").split())
        borne = {
            x.__name__: inspect.getdoc(x) or ""
            for x in functions
            if (inspect.getdoc(x) or "").endswith(f"\nSpec: {metric.spec}")
        }
        if metric.function in borne:
            equation = borne[metric.function].partition("\n\n")[0]
            assert " ".join(equation.split()) in shown, metric.name
            several += len(borne) > 1
    assert several > 8
