"""Measure the growth of cost with the length of a list, and the share the reference settles.

    python benchmarks/growth.py [NAME ...]

For each measure of rankings and each kind of list: the time of n and of 4 n items, the exponent
where it is above 1.2, and how many of the two values the reference settled. A call that takes
longer than LIMIT seconds is given up. NAME: of a measure; by default all.
"""

from __future__ import annotations

import math
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rankspec.compute import by_core
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make

LIMIT = 10  # seconds
SIZES = (1 << 10, 1 << 12)
STEEP = 1.2

Case = tuple[list[float], list[float] | None]  # labels, scores


def _cases(n: int) -> Iterator[tuple[str, Case]]:
    chance = random.Random(n)
    graded: list[float] = [chance.randrange(4) for _ in range(n)]
    yield "graded", (graded, None)
    yield "equal", ([1] * n, None)
    yield "zeros", ([0] * n, None)
    yield "tied", (graded, [0] * n)
    yield "ties of 8", (graded, [i // 8 for i in range(n)])
    yield "fractions", ([chance.random() * 3 for _ in range(n)], None)
    yield "tied fractions", ([chance.random() * 3 for _ in range(n)], [0] * n)
    yield "large", ([chance.randrange(1 << 50) for _ in range(n)], None)


def _expired(*_: Any) -> None:
    raise TimeoutError


def _seconds(call: Callable[[], Any]) -> float:
    signal.alarm(LIMIT)
    begin = time.process_time()
    try:
        call()
    except TimeoutError:
        return math.inf
    finally:
        signal.alarm(0)
    return time.process_time() - begin


def main(names: list[str]) -> None:
    """Print what grows faster than n^1.2, and what leaves the core."""
    signal.signal(signal.SIGALRM, _expired)
    settled = 0
    settle = by_core.value_by_reference

    def counted(*given: Any) -> float:
        nonlocal settled
        settled += 1
        return settle(*given)

    by_core.value_by_reference = counted  # type: ignore[assignment]
    for metric in METRICS:
        if names and metric.name not in names:
            continue
        measure = make(metric)
        for (kind, short), (_, long) in zip(*map(_cases, SIZES), strict=True):
            settled = 0
            try:
                times = [_seconds(partial(measure.of, x[0], scores=x[1])) for x in (short, long)]
            except (InputError, ArithmeticError):
                continue
            exponent = math.log(times[1] / max(times[0], 1e-6), SIZES[1] / SIZES[0])
            if settled or (times[1] > 0.05 and exponent > STEEP):
                shown = " ".join(f"{x:8.3f} s" for x in times)
                print(
                    f"{metric.name:16} {kind:16} {shown}  n^{exponent:.1f}  left: {settled}",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
