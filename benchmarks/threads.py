"""How much faster nDCG of many lists is on two threads than on one, call by call in turns.

    python benchmarks/threads.py [--rounds 15]

Printed are the median milliseconds on one thread, and the median ratio of two calls that follow
each other. It needs a machine on which nothing else runs.
"""

from __future__ import annotations

import argparse
import os
import time
from statistics import median

import numpy as np

import rankspec as rs

LENGTH = 100
WORK = [(100_000, "uint8"), (100_000, "int32"), (100_000, "float64"), (1_000_000, "uint8")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print(f"{'lists of 100':24} {'k':>5} {'ms, one thread':>15} {'two threads':>12}")
    for lists, kind in WORK:
        labels = np.random.default_rng(1).integers(0, 5, (lists, LENGTH)).astype(kind)
        for k in (10, None):
            pairs = [(seconds(labels, k, 1), seconds(labels, k, 2)) for _ in range(rounds)]
            one = median(pair[0] for pair in pairs) * 1e3
            ratio = median(first / second for first, second in pairs)
            name = f"{lists:,} {kind}"
            print(f"{name:24} {k or 'all':>5} {one:15.2f} {ratio:10.2f} x")


def seconds(labels: np.ndarray, k: int | None, threads: int) -> float:
    os.environ["RANKSPEC_THREADS"] = str(threads)
    begin = time.perf_counter()
    rs.ndcg(labels, k=k)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
