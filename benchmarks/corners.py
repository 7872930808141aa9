"""What takes long: every metric on 100,000 items, in order and all tied, against DCG.

    python benchmarks/corners.py [--items 100000] [--limit 5] [--least 100] [NAME ...]

Each call is a process of its own, which computes DCG of the same list and then what is asked for,
and is ended after the limit of processor time. Printed are the seconds of processor time and their
ratio to DCG's, the slowest first, of those whose ratio is above the least, and of how many it is
not. DCG is taken of the same arguments: a list in order as an array, a tied one with its scores.

Names: those of the metrics to take, "nDCG"; by default all, and what else takes one long list.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from typing import Any

import rankspec as rs
from rankspec.metrics.catalogue import METRICS

GRADES = [0.52, 0.32, 0.13, 0.02, 0.01]
REPEATS = 50  # of DCG, as short as the clock is coarse
OTHERS = ("cg_vector", "dcg_vector", "mean", "user_expected_dcg", "relevance")
MORE = {  # parameters with which a metric takes another way
    "AP(norm='min')": lambda: rs.AP(norm="min"),
    "ERR(stop)": lambda: rs.ERR(stop=(0.0, 1e-9, 1e-6, 1e-3, 1e-2)),
    "RBP(p=0.99999)": lambda: rs.RBP(p=0.99999),
    "expected(nDCG)": lambda: rs.expected(rs.nDCG()),
    "variance(DCG)": lambda: rs.variance(rs.DCG()),
    "variance(RBP(p=0.99999))": lambda: rs.variance(rs.RBP(p=0.99999)),
    "UL2(nDCG)": lambda: rs.UL2(rs.nDCG()),
    "z_value(AP)": lambda: rs.z_value(rs.AP()),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--limit", type=int, default=5, help="seconds of processor time")
    parser.add_argument("--least", type=float, default=100, help="the least ratio that is printed")
    parser.add_argument("--turn", help="run this call, and print its seconds as JSON")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.turn:
        print(json.dumps(turn(arguments.turn, arguments.items)))
        return
    report(arguments)


def report(arguments: argparse.Namespace) -> None:
    below, found = 0, []
    for name in arguments.names or all_names():
        for tied in ("", " tied") if name not in OTHERS else ("",):
            ratio, text = measured(f"{name}{tied}", arguments)
            below += ratio < arguments.least
            found.append((ratio, f"{name}{tied}", text))
    for ratio, name, text in sorted(found, reverse=True):
        if ratio >= arguments.least:
            print(f"{name:32} {text}")
    print(f"{below} of {len(found)} calls take less than {arguments.least:g} times as long as DCG")


def all_names() -> list[str]:
    return [*(metric.name for metric in METRICS), *MORE, *OTHERS]


def measured(call: str, arguments: argparse.Namespace) -> tuple[float, str]:
    """The ratio to DCG of one call, and what is printed of it."""
    command = [sys.executable, __file__, "--items", str(arguments.items), "--turn", call]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (arguments.limit, arguments.limit))

    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited, check=False)
    if done.returncode < 0:
        return float("inf"), f"above {arguments.limit} s"
    if done.returncode:
        return -1.0, f"not asked: {done.stderr.strip().splitlines()[-1]}"
    seconds, of_dcg = json.loads(done.stdout)
    return seconds / of_dcg, f"{seconds:10.4f} s  {seconds / of_dcg:10.0f} x"


def turn(call: str, n: int) -> tuple[float, float]:
    """The seconds of a call, and those of DCG of the same list."""
    rng = random.Random(1)
    labels: array[Any]
    graded = labels = array("B", rng.choices(range(5), weights=GRADES, k=n))
    given: dict[str, Any] = {"scores": array("d", [1.0]) * n} if call.endswith(" tied") else {}
    name = call.removesuffix(" tied")
    if name in {"nDCG_phi", "DCG_phi", "relevance"}:
        labels = array("d", (rng.lognormvariate(3, 1) for _ in range(n)))
    dcg = seconds(lambda: [rs.DCG().of(graded, **given) for _ in range(REPEATS)]) / REPEATS
    if name in OTHERS:
        of = getattr(rs, name)
        return seconds(lambda: of(n if name == "user_expected_dcg" else labels)), dcg
    measure = MORE[name]() if name in MORE else getattr(rs, name)()
    if "scores" in given and measure.metric.of_pool:
        given = {}
    return seconds(lambda: measure.of(labels, **given)), dcg


def seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


if __name__ == "__main__":
    main()
