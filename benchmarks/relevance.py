"""nDCG_phi@10 of 100,000 lists of 100 scores in one call, against SciPy's interpolator and numpy.

    pip install scipy
    python benchmarks/relevance.py [--rounds 5] [--compared 2000]

Each list is its own pool, as in moniz-2016. SciPy's interpolator takes one set of control points at
a time, so there is a loop over lists, which is timed on the first few of them. Both run in one
process and one thread, and take turns. Printed are the medians.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from statistics import median

os.environ["RANKSPEC_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from scipy.interpolate import PchipInterpolator

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here

LISTS, LENGTH, K = 100_000, 100, 10
DISCOUNTS = 1 / np.log2(np.arange(2, K + 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--compared", type=int, default=2000)
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    inputs = {
        "whole numbers, 1 to 1000": rng.integers(1, 1001, (LISTS, LENGTH)),
        "doubles, log-normal": rng.lognormal(0, 1, (LISTS, LENGTH)),
    }
    print(f"{'':28}{'ns an item':>12}{'SciPy':>10}{'x':>8}")
    for name, scores in inputs.items():
        few = scores[: arguments.compared]
        assert np.allclose(rs.ndcg_phi(few, k=K), by_scipy(few))  # the same work
        own, scipy = [], []
        for _ in range(arguments.rounds):
            own.append(seconds(lambda scores=scores: rs.ndcg_phi(scores, k=K)) / scores.size)
            scipy.append(seconds(lambda few=few: by_scipy(few)) / few.size)
        ratio = median(other / mine for mine, other in zip(own, scipy, strict=True))
        print(f"{name:28}{median(own) * 1e9:12.1f}{median(scipy) * 1e9:10.1f}{ratio:8.1f}")


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def by_scipy(scores: np.ndarray) -> np.ndarray:
    return np.array([ndcg_phi(row) for row in scores])


def ndcg_phi(scores: np.ndarray) -> float:
    """By the text, of scores whose quartiles and ends are distinct."""
    lower, middle, upper = np.quantile(scores, [0.25, 0.5, 0.75])
    least, most = scores.min(), scores.max()
    whisker = upper + 1.5 * (upper - lower)
    x, y = [least, middle, most], [0.0, 0.0, 1.0]
    if most > whisker:
        x.insert(2, whisker)
        y.insert(2, (whisker - least) / (most - least))
    phi = PchipInterpolator(x, y)
    ideal = np.sort(scores)[: -K - 1 : -1]
    return dcg(phi(scores[:K])) / dcg(phi(ideal))


def dcg(relevance: np.ndarray) -> float:
    return float((2**relevance - 1) @ DISCOUNTS)


if __name__ == "__main__":
    main()
