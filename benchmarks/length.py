"""LNDCG of a million short lists in one call, against nDCG of the same batch.

    python benchmarks/length.py [--rounds 7] [--length 10]

Labels are uint8 from 0 to 4, and each list is its own pool. The contestants take turns, in an order
that changes from round to round, in one process and one thread. Printed are the medians, and the
medians of the ratios to nDCG's time of the same round.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from statistics import median

os.environ["RANKSPEC_THREADS"] = "1"

import numpy as np

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here

LISTS = 1_000_000
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]

CONTESTANTS: dict[str, Callable[[np.ndarray], object]] = {
    "nDCG": rs.ndcg,
    "nDCG, gain exp2": lambda labels: rs.ndcg(labels, gain="exp2"),
    "LDCG, M = 10": lambda labels: rs.ldcg(labels, M=10),
    "LNDCG, the true ideal": rs.lndcg,
    "LNDCG, the ideal of eq. 7": lambda labels: rs.lndcg(labels, ideal="eq7"),
    "LNDCG, uniform prior": lambda labels: rs.lndcg(labels, prior="uniform"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--length", type=int, default=10)
    arguments = parser.parse_args()
    size = LISTS, arguments.length
    labels = np.random.default_rng(1).choice(5, p=GRADES, size=size).astype(np.uint8)
    report(rounds(arguments.rounds, labels))


def rounds(number: int, labels: np.ndarray) -> dict[str, list[float]]:
    """The seconds of each contestant, round by round."""
    rng = random.Random(1)
    seconds: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for run in CONTESTANTS.values():
        run(labels)  # to warm up
    for _ in range(number):
        for name in rng.sample(list(CONTESTANTS), len(CONTESTANTS)):
            begin = time.perf_counter()
            CONTESTANTS[name](labels)
            seconds[name].append(time.perf_counter() - begin)
    return seconds


def report(seconds: dict[str, list[float]]) -> None:
    print(f"{'':28}{'ms':>8}{'ns a list':>11}{'x nDCG':>8}")
    for name, times in seconds.items():
        ratio = median(own / base for own, base in zip(times, seconds["nDCG"], strict=True))
        took = median(times)
        print(f"{name:28}{took * 1e3:8.1f}{took / LISTS * 1e9:11.1f}{ratio:8.2f}")


if __name__ == "__main__":
    main()
