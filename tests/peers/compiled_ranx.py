"""ranx, compiled by one worker of a run of tests: else each spends a minute on it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from ..once import once

MEASURES = [
    *(
        "ndcg",
        "ndcg_burges",
        "dcg",
        "dcg_burges",
        "precision",
        "recall",
        "map",
        "mrr",
        "f1",
        "hits",
    ),
    *("r-precision", "hit_rate", "bpref", "rbp.80"),
]


@pytest.fixture(scope="session")
def compiled_ranx(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The package; numba has compiled the measures for ids of at most 3 characters."""
    ranx = pytest.importorskip("ranx", reason='ranx is not installed: pip install ".[peers]"')

    def compiled(_: Path) -> None:
        with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
            qrels, run = ranx.Qrels({"100": {"d10": 1}}), ranx.Run({"100": {"d10": 1.0}})
            ranx.evaluate(qrels, run, MEASURES)

    once(tmp_path_factory, "ranx", compiled)
    return ranx
