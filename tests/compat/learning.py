"""Rows of queries as learners take them: with ties, queries of one row, and such without gain."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Rows(NamedTuple):
    X: Any
    y: Any
    sizes: Any

    @property
    def offsets(self) -> Any:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @property
    def queries(self) -> Any:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def rows(seed: int, queries: int = 60, empty: bool = True, binary: bool = False) -> Rows:
    """Rows whose features are rounded, so that trees tie them."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 30, queries)
    X = np.round(rng.normal(size=(int(sizes.sum()), 4)), 1)
    y = np.clip(np.round(X[:, 0] + rng.normal(size=len(X))), 0, 4)
    made = Rows(X, np.minimum(y, 1) if binary else y, sizes)
    for a, begin in enumerate(made.offsets[:-1]):
        if a % 7 == 0:
            made.y[begin : begin + sizes[a]] = 0
        if not empty:
            made.y[begin] = 1
    return made
