"""Libraries that a test needs, by the extra that brings them."""

from __future__ import annotations

from typing import Any

import pytest

EXTRAS = {
    "catboost": "compat",
    "cwl": "peers",
    "duckdb": "duckdb",
    "evaluate": "compat",
    "ir_measures": "peers",
    "lightgbm": "learn",
    "pytrec_eval": "peers",
    "pandas": "peers",
    "pyspark": "spark",
    "pyterrier": "compat",
    "sklearn": "peers",
    "sympy": "symbolic",
    "torch": "tensors",
    "torchmetrics": "tensors",
    "xgboost": "learn",
}


def library(name: str) -> Any:
    """The library; where it is not installed the test is skipped, by its name and the command."""
    command = f'pip install ".[{EXTRAS[name.partition(".")[0]]}]"'
    return pytest.importorskip(name, reason=f"{name} is not installed: {command}")
