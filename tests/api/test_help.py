"""What help() says of the functions, and that what it refers to is there."""

from __future__ import annotations

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
