"""nDCG of 100,000 lists of 100 uint8 labels in one call: rankspec, plain C, and other libraries.

    python benchmarks/arrays.py [--rounds 5] [--k 10]

Contestants take turns, in an order that changes from round to round, so that a noisy machine is
noisy for all; each turn is a process of its own, because the thread pools of some libraries keep
the processors busy after their work. A process calls its contestant once to warm up and then
seven times. Printed are the medians over the rounds of the first call and of the median of the
seven, and the ratio of the latter to rankspec's. What is not installed is left out, by name. The
plain C loops are compiled with -O3 by the C compiler at hand, those that are tuned with
-march=native too. Last comes, for labels of each type, rankspec's time by that of the tuned loop.

Inputs are prepared beforehand, outside the time. The values are compared too.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from noted import noted

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here

LISTS, LENGTH = 100_000, 100
CALLS = 7
TYPES = {"uint8": "uint8_t", "int32": "int32_t", "float64": "double"}  # and those of C
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]

Contestant = Callable[[], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--turn", help="run this contestant, and print its seconds as JSON")
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(turn(arguments.turn, arguments.k)))
        return
    report(rounds(arguments.rounds, arguments.k))


def turn(name: str, k: int) -> dict[str, object]:
    """One contestant's turn: the seconds of its calls, and how far its values are from ours."""
    labels = np.random.default_rng(1).choice(5, p=GRADES, size=(LISTS, LENGTH)).astype(np.uint8)
    run = CONTESTANTS[name](labels, k)
    if run is None:
        return {"name": name}
    seconds = []
    for _ in range(CALLS + 1):
        begin = time.perf_counter()
        values = run()
        seconds.append(time.perf_counter() - begin)
    worst = float(np.max(np.abs(values - rs.ndcg(labels, k=k))))
    return {"name": name, "seconds": seconds, "worst": worst}


def rounds(number: int, k: int) -> dict[str, list[list[float]]]:
    """For each contestant that is installed, the seconds of its calls, round by round."""
    results: dict[str, list[list[float]]] = {}
    rng = random.Random(1)
    names = list(CONTESTANTS)
    for _ in range(number):
        for name in rng.sample(names, len(names)):
            command = [sys.executable, __file__, "--turn", name, "--k", str(k)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            outcome = json.loads(done.stdout)
            if "seconds" not in outcome:
                print(f"{name} is not installed: left out", file=sys.stderr)
                names.remove(name)
                continue
            if name not in results:
                print(f"{name:34} largest difference {outcome['worst']:.1e}", file=sys.stderr)
            results.setdefault(name, []).append(outcome["seconds"])
    return results


def report(seconds: dict[str, list[list[float]]]) -> None:
    warm = {name: [median(calls[1:]) for calls in turns] for name, turns in seconds.items()}
    ours = warm["rankspec uint8"]
    print(f"{'':34} {'first ms':>9} {'median ms':>10} {'min ms':>8} {'x rankspec':>11}")
    for name, times in sorted(warm.items(), key=lambda item: median(item[1])):
        first = median(calls[0] for calls in seconds[name]) * 1e3
        ratio = median(theirs / own for theirs, own in zip(times, ours, strict=True))
        least = min(min(calls) for calls in seconds[name]) * 1e3
        print(f"{name:34} {first:9.2f} {median(times) * 1e3:10.2f} {least:8.2f} {ratio:11.2f}")
    for kind in TYPES:
        pairs = zip(warm[f"rankspec {kind}"], warm[f"plain C, tuned, {kind}"], strict=True)
        print(f"rankspec / tuned C, {kind}: {median(own / tuned for own, tuned in pairs):.2f}")
    millis = {name: median(times) * 1e3 for name, times in warm.items()}
    noted("nDCG of 10^5 lists of 100, in one call", "ms", millis)


def rankspec_of(kind: str, labels: np.ndarray, k: int) -> Contestant:
    own = labels.astype(kind)
    return lambda: rs.ndcg(own, k=k)


def tuned(kind: str, labels: np.ndarray, k: int) -> Contestant:
    return plain_c(f"ndcg_tuned_{TYPES[kind]}", labels.astype(kind), k, "-march=native")


def by_counters(labels: np.ndarray, k: int) -> Contestant:
    return plain_c("ndcg_by_counters", labels, k)


def by_passes(labels: np.ndarray, k: int) -> Contestant:
    return plain_c("ndcg_by_passes", labels, k)


def plain_c(name: str, labels: np.ndarray, k: int, *flags: str) -> Contestant:
    library = Path(tempfile.mkdtemp()) / "plain_ndcg.so"
    source = Path(__file__).with_name("plain_ndcg.c")
    command = ["cc", "-O3", *flags, "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    function = getattr(ctypes.CDLL(str(library)), name)
    discount = 1 / np.log2(np.arange(2, LENGTH + 2))
    tables = [discount, np.concatenate([[0], np.cumsum(discount)])] if flags else [discount]

    def call() -> np.ndarray:
        out = np.empty(LISTS)
        first, *others = (ctypes.c_void_p(x.ctypes.data) for x in (labels, *tables, out))
        function(first, *(ctypes.c_int64(x) for x in (LISTS, LENGTH, k)), *others)
        return out

    return call


def numpy(labels: np.ndarray, k: int) -> Contestant:
    discount = 1 / np.log2(np.arange(2, LENGTH + 2))[:k]

    def run() -> np.ndarray:
        ideal = np.sort(labels, axis=1)[:, ::-1][:, :k] @ discount
        return np.divide(labels[:, :k] @ discount, ideal, out=np.zeros(LISTS), where=ideal > 0)

    return run


def ranx(labels: np.ndarray, k: int) -> Contestant | None:
    """ranx on its own array form, its best case: documents are numbered by their rank."""
    try:
        from ranx.metrics import ndcg
    except ImportError:
        return None
    documents = np.broadcast_to(np.arange(LENGTH, dtype=float), labels.shape)
    run = np.stack([documents, documents[:, ::-1]], axis=2)
    best_first = np.argsort(-labels.astype(int), axis=1, kind="stable")
    qrels = np.stack(
        [np.take_along_axis(documents, best_first, 1), np.take_along_axis(labels, best_first, 1)],
        axis=2,
    )
    return lambda: ndcg(qrels, run, k)


def sklearn(labels: np.ndarray, k: int) -> Contestant | None:
    try:
        from sklearn.metrics._ranking import _ndcg_sample_scores
    except ImportError:
        return None
    scores = np.broadcast_to(-np.arange(LENGTH, dtype=float), labels.shape)
    return lambda: _ndcg_sample_scores(labels, scores, k=k, ignore_ties=True)


CONTESTANTS: dict[str, Callable[[np.ndarray, int], Contestant | None]] = {
    **{f"rankspec {kind}": partial(rankspec_of, kind) for kind in TYPES},
    **{f"plain C, tuned, {kind}": partial(tuned, kind) for kind in TYPES},
    "plain C, double, counters": by_counters,
    "plain C, double, passes": by_passes,
    "numpy, sorted rows": numpy,
    "ranx, prebuilt arrays": ranx,
    "sklearn, ties ignored": sklearn,
}


if __name__ == "__main__":
    main()
