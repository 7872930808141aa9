"""nDCG of 100,000 lists of 100 uint8 labels in one call: rankspec, plain C, and other libraries.

    python benchmarks/arrays.py [--rounds 15] [--k 10]

Every contestant is called five times in a row in a round, in an order that changes from round to
round, so that a noisy machine is noisy for all. Printed are the medians over the rounds of the
first call and of the median of the five, and the ratio of the latter to rankspec's. What is not
installed is left out, by name. The plain C loop is compiled with -O3 by the C compiler at hand.

Inputs are prepared beforehand, outside the time. The values are compared too.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

import rankspec as rs

LISTS, LENGTH = 100_000, 100
CALLS = 5
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]

Contestant = Callable[[], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--k", type=int, default=10)
    arguments = parser.parse_args()

    labels = np.random.default_rng(1).choice(5, p=GRADES, size=(LISTS, LENGTH)).astype(np.uint8)
    contestants = dict(
        pair
        for make in (rankspec, plain_c, numpy, ranx, sklearn)
        for pair in make(labels, arguments.k)
    )
    expected = contestants["rankspec uint8"]()
    for name, run in contestants.items():
        worst = float(np.max(np.abs(run() - expected)))
        print(f"{name:34} largest difference {worst:.1e}", file=sys.stderr)
    report(timed(contestants, arguments.rounds))


def timed(contestants: dict[str, Contestant], rounds: int) -> dict[str, list[list[float]]]:
    """Seconds of each contestant: for each round, those of its calls."""
    seconds: dict[str, list[list[float]]] = {name: [] for name in contestants}
    rng = random.Random(1)
    for _ in range(rounds):
        for name in rng.sample(list(contestants), len(contestants)):
            calls = []
            for _ in range(CALLS):
                begin = time.perf_counter()
                contestants[name]()
                calls.append(time.perf_counter() - begin)
            seconds[name].append(calls)
    return seconds


def report(seconds: dict[str, list[list[float]]]) -> None:
    warm = {name: [median(calls) for calls in rounds] for name, rounds in seconds.items()}
    ours = warm["rankspec uint8"]
    print(f"{'':34} {'first ms':>9} {'median ms':>10} {'min ms':>8} {'x rankspec':>11}")
    for name, times in sorted(warm.items(), key=lambda item: median(item[1])):
        first = median(calls[0] for calls in seconds[name]) * 1e3
        ratio = median(theirs / own for theirs, own in zip(times, ours, strict=True))
        least = min(min(calls) for calls in seconds[name]) * 1e3
        print(f"{name:34} {first:9.2f} {median(times) * 1e3:10.2f} {least:8.2f} {ratio:11.2f}")


def rankspec(labels: np.ndarray, k: int) -> list[tuple[str, Contestant]]:
    wide = labels.astype(np.int32)
    return [
        ("rankspec uint8", lambda: rs.ndcg(labels, k=k)),
        ("rankspec int32", lambda: rs.ndcg(wide, k=k)),
    ]


def plain_c(labels: np.ndarray, k: int) -> list[tuple[str, Contestant]]:
    library = Path(tempfile.mkdtemp()) / "plain_ndcg.so"
    source = Path(__file__).with_name("plain_ndcg.c")
    command = ["cc", "-O3", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    functions = ctypes.CDLL(str(library))
    discount = 1 / np.log2(np.arange(2, LENGTH + 2))

    def call(function: Callable[..., None]) -> np.ndarray:
        out = np.empty(LISTS)
        pointers = [ctypes.c_void_p(x.ctypes.data) for x in (labels, discount, out)]
        sizes = [ctypes.c_int64(x) for x in (LISTS, LENGTH, k)]
        function(pointers[0], *sizes, pointers[1], pointers[2])
        return out

    return [
        ("plain C, double, counters", lambda: call(functions.ndcg_by_counters)),
        ("plain C, double, passes", lambda: call(functions.ndcg_by_passes)),
    ]


def numpy(labels: np.ndarray, k: int) -> list[tuple[str, Contestant]]:
    discount = 1 / np.log2(np.arange(2, LENGTH + 2))[:k]

    def run() -> np.ndarray:
        ideal = np.sort(labels, axis=1)[:, ::-1][:, :k] @ discount
        return np.divide(labels[:, :k] @ discount, ideal, out=np.zeros(LISTS), where=ideal > 0)

    return [("numpy, sorted rows", run)]


def ranx(labels: np.ndarray, k: int) -> list[tuple[str, Contestant]]:
    """ranx on its own array form, its best case: documents are numbered by their rank."""
    try:
        from ranx.metrics import ndcg
    except ImportError:
        print("ranx is not installed: left out", file=sys.stderr)
        return []
    documents = np.broadcast_to(np.arange(LENGTH, dtype=float), labels.shape)
    run = np.stack([documents, documents[:, ::-1]], axis=2)
    best_first = np.argsort(-labels.astype(int), axis=1, kind="stable")
    qrels = np.stack(
        [np.take_along_axis(documents, best_first, 1), np.take_along_axis(labels, best_first, 1)],
        axis=2,
    )
    return [("ranx, prebuilt arrays", lambda: ndcg(qrels, run, k))]


def sklearn(labels: np.ndarray, k: int) -> list[tuple[str, Contestant]]:
    try:
        from sklearn.metrics._ranking import _ndcg_sample_scores
    except ImportError:
        print("scikit-learn is not installed: left out", file=sys.stderr)
        return []
    scores = np.broadcast_to(-np.arange(LENGTH, dtype=float), labels.shape)
    return [
        (
            "sklearn, ties ignored",
            lambda: _ndcg_sample_scores(labels, scores, k=k, ignore_ties=True),
        )
    ]


if __name__ == "__main__":
    main()
