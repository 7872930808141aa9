"""Bounds and z-values of DCG and AP on ragged lists in one call, against the plain metrics.

    python benchmarks/bounds.py [--rounds 15]

The labels are uint8 from 0 to 4, each list is its own pool, and there are five cut-offs. The
contestants take turns, in an order that changes from round to round, in one process and one thread.
Printed are the medians, and the medians of the ratios to the times of the plain metrics in the same
round.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from array import array
from itertools import accumulate
from statistics import median

os.environ["RANKSPEC_THREADS"] = "1"

import rankspec.compute.by_core  # noqa: F401 - without the core this ends here
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.grammar import measures

QUERIES = 30_000
MEAN_LENGTH = 120
CUTOFFS = (5, 10, 15, 20, 30)
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]

# Each with the plain metrics that it is compared with.
CONTESTANTS = {
    "DCG": ("DCG",),
    "nDCG": ("nDCG",),
    "UL1(DCG)": ("DCG", "nDCG"),
    "UL2(DCG)": ("DCG", "nDCG"),
    "MinMax(DCG, lower='worst')": ("DCG", "nDCG"),
    "AP": ("AP",),
    "UL1(AP)": ("AP",),
    "UL2(AP)": ("AP",),
    "RR": ("RR",),
    "UL2(RR)": ("RR",),
    "variance(DCG)": ("DCG", "UL2(DCG)"),
    "z_value(DCG)": ("DCG", "UL2(DCG)"),
    "z_value(AP)": ("AP", "UL2(AP)"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    report(rounds(parser.parse_args().rounds, batch()))


def batch() -> Batch:
    """Lists of lengths that fall off geometrically."""
    rng = random.Random(1)
    lengths = [1 + int(rng.expovariate(1 / MEAN_LENGTH)) for _ in range(QUERIES)]
    labels = rng.choices(range(5), GRADES, k=sum(lengths))
    return Batch(array("B", labels), array("q", accumulate(lengths, initial=0)))


def rounds(number: int, lists: Batch) -> dict[str, list[float]]:
    """The seconds of each contestant, round by round."""
    rng = random.Random(1)
    wanted = {name: [m for k in CUTOFFS for m in measures(f"{name}@{k}")] for name in CONTESTANTS}
    seconds: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for given in wanted.values():
        values(given, lists)  # to warm up
    for _ in range(number):
        for name in rng.sample(list(CONTESTANTS), len(CONTESTANTS)):
            begin = time.perf_counter()
            values(wanted[name], lists)
            seconds[name].append(time.perf_counter() - begin)
    return seconds


def report(seconds: dict[str, list[float]]) -> None:
    print(f"{'':28}{'ms':>8}{'ns a value':>12}  ratio")
    for name, bases in CONTESTANTS.items():
        took = median(seconds[name])
        pairs = {base: zip(seconds[name], seconds[base], strict=True) for base in bases}
        ratios = "  ".join(f"{median(x / y for x, y in p):.2f} x {b}" for b, p in pairs.items())
        print(f"{name:28}{took * 1e3:8.2f}{took / QUERIES / len(CUTOFFS) * 1e9:12.1f}  {ratios}")


if __name__ == "__main__":
    main()
