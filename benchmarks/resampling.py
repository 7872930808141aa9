"""Resampling tests of 8 systems: 28 pairs, 1,000 queries, 10,000 replicates.

    python benchmarks/resampling.py [--rounds 5]

Printed are the shortest and the median time by the clock, the median time of the processors, and
the load of the machine. The differences are random integers of 40 bits; reading lists of them is
part of the time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from rankspec.analysis.comparison import resampling

SYSTEMS, QUERIES = 8, 1000
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2


def contestants() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    family = rng.integers(-(2**40), 2**40, (PAIRS, QUERIES)).tolist()
    values = rng.integers(-(2**40), 2**40, (QUERIES, SYSTEMS)).tolist()
    return {
        "randomisation, 28 pairs": lambda: resampling.randomisations(family),
        "step-down max-T, 28 pairs": lambda: resampling.step_down(family),
        "randomised Tukey HSD, 8 systems": lambda: resampling.randomised_hsd(values),
        "studentised bootstrap, 28 pairs": lambda: resampling.studentised_bootstraps(family),
        "BCa interval, 8 systems": lambda: resampling.bca_intervals(family[:SYSTEMS]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for name, run in contestants().items():
        run()
        by_clock, by_processors = [], []
        for _ in range(rounds):
            clock, processors = time.perf_counter(), time.process_time()
            run()
            by_clock.append(time.perf_counter() - clock)
            by_processors.append(time.process_time() - processors)
        print(
            f"{name:33}{min(by_clock):8.3f} s{median(by_clock):8.3f} s"
            f"{median(by_processors):8.3f} s of processors"
        )


if __name__ == "__main__":
    main()
