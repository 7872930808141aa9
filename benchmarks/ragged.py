"""nDCG and AP at 5 to 30 of 30,000 scored lists of any length: rankspec, C, and other libraries.

    python benchmarks/ragged.py [--rounds 5]

Scores are float32 without an order, labels uint8 from 0 to 4; lengths are lognormal, 120 in the
mean. The contestants take turns, in an order that changes from round to round, in one process and
on one thread each; a turn is three calls, of which the fastest counts, by processor time. Printed
are the medians over the rounds, and of the ratios to plain C, which is compiled with -O3 by the C
compiler at hand. What is not installed is left out, by name. The values are compared too:
rankspec's of equal scores are expectations, those of the others of one order.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from noted import noted

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here
from rankspec.compat.groups import asked

LISTS, MEAN, SIGMA = 30_000, 120, 0.8
GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]
CUTOFFS = [5, 10, 15, 20, 30]
CALLS = 3
DISCOUNT = 1 / np.log2(np.arange(2, max(CUTOFFS) + 2))

Array = np.ndarray
Contestant = Callable[[], Array]
"""The values: a row a list, the columns are nDCG and then AP at the cut-offs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    for variable in ("RANKSPEC_THREADS", "POLARS_MAX_THREADS"):  # polars is not loaded yet
        os.environ[variable] = "1"
    labels, scores, offsets = lists()
    print(f"{LISTS} lists of {len(labels)} documents", file=sys.stderr)
    calls: dict[str, Contestant] = {}
    for name, make in CONTESTANTS.items():
        try:
            calls[name] = make(labels, scores, offsets)
        except ImportError as error:
            print(f"{name}: left out, {error}", file=sys.stderr)
    ours = calls["rankspec, ten measures"]()
    for name, call in calls.items():
        differ = np.abs(call() - ours).max()
        print(f"{name:34} largest difference {differ:.1e}", file=sys.stderr)
    report(rounds(parser.parse_args().rounds, calls))


def lists() -> tuple[Array, Array, Array]:
    """(labels, scores, offsets)"""
    rng = np.random.default_rng(1)
    lengths = rng.lognormal(np.log(MEAN) - SIGMA**2 / 2, SIGMA, LISTS)
    offsets = np.concatenate([[0], np.cumsum(np.maximum(1, lengths.round()))]).astype(np.int64)
    labels = rng.choice(5, p=GRADES, size=offsets[-1]).astype(np.uint8)
    return labels, rng.standard_normal(offsets[-1]).astype(np.float32), offsets


def rounds(number: int, calls: dict[str, Contestant]) -> dict[str, list[float]]:
    """The milliseconds of processor time of each contestant, round by round."""
    rng = random.Random(1)
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(number):
        for name in rng.sample(list(calls), len(calls)):
            found[name].append(min(of_a_call(calls[name]) for _ in range(CALLS)))
    return found


def of_a_call(call: Contestant) -> float:
    begin = time.process_time()
    call()
    return (time.process_time() - begin) * 1e3


def report(millis: dict[str, list[float]]) -> None:
    base = millis["plain C, double"]
    print(f"{'':34} {'median ms':>10} {'min ms':>8} {'x plain C':>10}")
    for name, times in sorted(millis.items(), key=lambda item: median(item[1])):
        ratio = median(own / other for own, other in zip(times, base, strict=True))
        print(f"{name:34} {median(times):10.1f} {min(times):8.1f} {ratio:10.2f}")
    found = {name: median(times) for name, times in millis.items()}
    noted(f"ten measures of {LISTS} ragged lists with scores", "ms", found)


def together(labels: Array, scores: Array, offsets: Array) -> Contestant:
    of = asked([f"{name}@{k}" for name in ("nDCG", "AP") for k in CUTOFFS])
    return lambda: np.stack(of.values(labels, scores, offsets), axis=1)


def one_by_one(labels: Array, scores: Array, offsets: Array) -> Contestant:
    given = {"scores": scores, "offsets": offsets, "k": CUTOFFS}
    return lambda: np.hstack([rs.ndcg(labels, **given), rs.ap(labels, **given)])


def plain_c(labels: Array, scores: Array, offsets: Array) -> Contestant:
    library = Path(tempfile.mkdtemp()) / "ragged.so"
    source = Path(__file__).with_name("ragged.c")
    subprocess.run(["cc", "-O3", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).evaluate

    def call() -> Array:
        out = np.empty((LISTS, 2 * len(CUTOFFS)))
        pointers = [
            ctypes.c_void_p(x.ctypes.data) for x in (scores, labels, offsets, DISCOUNT, out)
        ]
        function(*pointers[:3], ctypes.c_int64(LISTS), *pointers[3:])
        return out

    return call


def numpy(labels: Array, scores: Array, offsets: Array) -> Contestant:
    """By one sort of packed numbers: list, score, which rises with its bits, and label."""
    number = np.repeat(np.arange(LISTS, dtype=np.uint64), np.diff(offsets)) << np.uint64(40)

    def call() -> Array:
        bits = scores.view(np.int32)
        falling = ~(bits ^ ((bits >> 31) & 0x7FFFFFFF)).view(np.uint32) ^ np.uint32(1 << 31)
        packed = np.sort(number | falling.astype(np.uint64) << np.uint64(8) | labels)
        by_label = np.sort(number | (255 - labels))
        return of_matrices(
            first((packed & np.uint64(255)).astype(np.uint8), offsets),
            first((255 - (by_label & np.uint64(255))).astype(np.uint8), offsets),
            np.add.reduceat(labels > 0, offsets[:-1], dtype=np.int64),
        )

    return call


def polars(labels: Array, scores: Array, offsets: Array) -> Contestant:
    """By sorts of a frame of a row a document."""
    import polars as pl

    number = np.repeat(np.arange(LISTS, dtype=np.uint32), np.diff(offsets))
    frame = pl.DataFrame({"list": number, "score": scores, "label": labels})

    def call() -> Array:
        ranked, best = (
            frame.sort(["list", by], descending=[False, True])["label"].to_numpy()
            for by in ("score", "label")
        )
        relevant = frame.group_by("list", maintain_order=True).agg((pl.col("label") > 0).sum())
        return of_matrices(
            first(ranked, offsets), first(best, offsets), relevant["label"].to_numpy()
        )

    return call


def first(ranked: Array, offsets: Array) -> Array:
    """The labels of the first ranks, a row a list, and 0 behind its end."""
    places = offsets[:-1, None] + np.arange(max(CUTOFFS))
    return np.where(places < offsets[1:, None], ranked[np.minimum(places, len(ranked) - 1)], 0)


def of_matrices(top: Array, ideal: Array, relevant: Array) -> Array:
    columns = [k - 1 for k in CUTOFFS]
    dcg, idcg = (np.cumsum(x * DISCOUNT, axis=1)[:, columns] for x in (top, ideal))
    hits = top > 0
    precision = np.cumsum(hits, axis=1) / np.arange(1, max(CUTOFFS) + 1)
    sums = np.cumsum(precision * hits, axis=1)[:, columns]
    return np.hstack([dcg / np.where(idcg > 0, idcg, 1), sums / np.maximum(relevant, 1)[:, None]])


CONTESTANTS: dict[str, Callable[[Array, Array, Array], Contestant]] = {
    "rankspec, ten measures": together,
    "rankspec, rs.ndcg and rs.ap": one_by_one,
    "plain C, double": plain_c,
    "numpy, packed keys": numpy,
    "polars": polars,
}


if __name__ == "__main__":
    main()
