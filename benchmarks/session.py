"""sDCG of a million sessions in one call, against DCG of the lists of their queries.

    python benchmarks/session.py [--rounds 7] [--queries 3] [--results 10]

Labels are uint8 from 0 to 4, flat, with offsets of queries and sessions; pools have 20 labels. The
contestants take turns, in an order that changes from round to round, in one process and one thread.
Printed are the medians, and the medians of the ratios to DCG's time of the same round.
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

SESSIONS = 1_000_000
POOL = 20
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--queries", type=int, default=3)
    parser.add_argument("--results", type=int, default=10)
    arguments = parser.parse_args()
    report(rounds(arguments.rounds, contestants(arguments.queries, arguments.results)))


def contestants(queries: int, results: int) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    rng = np.random.default_rng(1)
    lists = SESSIONS * queries
    labels = rng.choice(5, p=GRADES, size=lists * results).astype(np.uint8)
    documents = rng.integers(0, 4 * results, size=len(labels))
    offsets = np.arange(lists + 1, dtype=np.int64) * results
    sessions = np.arange(SESSIONS + 1, dtype=np.int64) * queries
    judged = rng.choice(5, p=GRADES, size=SESSIONS * POOL).astype(np.uint8)
    judged_offsets = np.arange(SESSIONS + 1, dtype=np.int64) * POOL
    # each document has one label in a session
    of_document = rng.choice(5, p=GRADES, size=4 * results).astype(np.uint8)[documents]

    flat = {"offsets": offsets, "sessions": sessions, "k": 10}
    pools = {"judged": judged, "judged_offsets": judged_offsets}
    return {
        "DCG of the lists": lambda: rs.dcg(labels, offsets=offsets, k=10),
        "nDCG of the lists": lambda: rs.ndcg(labels, offsets=offsets, k=10),
        "sDCG": lambda: rs.sdcg(labels, **flat),
        "sDCG, gain exp2": lambda: rs.sdcg(labels, gain="exp2", **flat),
        "sDCG, five cut-offs": lambda: rs.sdcg(labels, **flat | {"k": [1, 3, 5, 7, 10]}),
        "nsDCG, pools given": lambda: rs.nsdcg(labels, **pools, **flat),
        "nsDCG, own pools": lambda: rs.nsdcg(labels, **flat),
        "nsDCG, padding 0": lambda: rs.nsdcg(labels, padding=0, **pools, **flat),
        "nsDCG, spread": lambda: rs.nsdcg(labels, ideal="spread", **pools, **flat),
        "nsDCG, greatest": lambda: rs.nsdcg(labels, ideal="greatest", **pools, **flat),
        "sDCG, repeats first": lambda: rs.sdcg(of_document, ids=documents, repeats="first", **flat),
        "avg_sDCG": lambda: rs.avg_sdcg(labels, **flat),
        "avg_nsDCG, pools given": lambda: rs.avg_nsdcg(labels, **pools, **flat),
        "query_nDCG, mean": lambda: rs.query_ndcg(labels, **pools, **flat),
    }


def rounds(number: int, timed: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    """The seconds of each contestant, round by round."""
    rng = random.Random(1)
    seconds: dict[str, list[float]] = {name: [] for name in timed}
    for run in timed.values():
        run()  # to warm up
    for _ in range(number):
        for name in rng.sample(list(timed), len(timed)):
            begin = time.perf_counter()
            timed[name]()
            seconds[name].append(time.perf_counter() - begin)
    return seconds


def report(seconds: dict[str, list[float]]) -> None:
    print(f"{'':26}{'ms':>8}{'ns a session':>14}{'x DCG':>8}")
    for name, times in seconds.items():
        base = seconds["DCG of the lists"]
        ratio = median(own / other for own, other in zip(times, base, strict=True))
        took = median(times)
        print(f"{name:26}{took * 1e3:8.1f}{took / SESSIONS * 1e9:14.1f}{ratio:8.2f}")


if __name__ == "__main__":
    main()
