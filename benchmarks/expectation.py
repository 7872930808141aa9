"""Settled and tied lists of 100 labels, 100,000 of them in one call: ns a list, DCG the yardstick.

    python benchmarks/expectation.py [--rounds 5] [--lists 100000]

Labels are uint8 from 0 to 4; of tied lists all items have the same score, so that a value is the
expectation over all orders. The contestants take turns, in an order that changes from round to
round, in one process and one thread. Printed are the medians.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from array import array
from statistics import median

os.environ["RANKSPEC_THREADS"] = "1"

import numpy as np

import rankspec.compute.by_core  # noqa: F401 - without the core this ends here
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.grammar import measures

LENGTH = 100
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]
METRICS = ["DCG", "ERR", "nERR", "RBP", "GAP", "RR", "AP"]
CUTOFFS = [10, 20, None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lists", type=int, default=100_000)
    arguments = parser.parse_args()
    size = arguments.lists * LENGTH
    labels = np.random.default_rng(1).choice(5, p=GRADES, size=size).astype(np.uint8)
    offsets = array("q", range(0, size + 1, LENGTH))
    together = np.zeros(size, np.uint8)
    together[::LENGTH] = 1
    settled, tied = Batch(labels, offsets), Batch(labels, offsets, together)
    columns = [(batch, k) for batch in (settled, tied) for k in CUTOFFS]
    heads = [f"{order} @{k or 'all'}" for order in ("settled", "tied") for k in CUTOFFS]
    print(f"{'ns a list':10}" + "".join(f"{head:>14}" for head in heads))
    taken = seconds(columns, arguments.rounds)
    for name in METRICS:
        row = [median(taken[name, column]) for column in range(len(columns))]
        print(f"{name:10}" + "".join(f"{x / arguments.lists * 1e9:14.0f}" for x in row))


def seconds(columns: list[tuple[Batch, int | None]], rounds: int) -> dict[tuple, list[float]]:
    """The seconds of each metric in each column, round by round."""
    rng = random.Random(1)
    cells = [(name, column) for name in METRICS for column in range(len(columns))]
    taken: dict[tuple, list[float]] = {cell: [] for cell in cells}
    for _ in range(rounds):
        for name, column in rng.sample(cells, len(cells)):
            batch, k = columns[column]
            wanted = measures(name if k is None else f"{name}@{k}")
            begin = time.perf_counter()
            values(wanted, batch)
            taken[name, column].append(time.perf_counter() - begin)
    return taken


if __name__ == "__main__":
    main()
