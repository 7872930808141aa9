"""nDCG@10 of one list of ten labels, call by call: rankspec, plain Python and other libraries.

    python benchmarks/one_list.py [--rounds 9] [--every]

The contestants take turns, in an order that changes from round to round, in one process. Printed
are the medians of the microseconds a call, and the medians of the ratios to pytrec_eval of the same
round, or to plain Python where that is not installed. What is not installed is left out, by name.

--every: instead, measure.of(labels) of every metric of one list, @10 where it has a cut-off: the
slowest first, and how many take less than 3 us.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable
from statistics import median

from noted import noted

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Metric, make

LABELS = [3, 2, 3, 0, 1, 2, 0, 0, 1, 2]
SECONDS = 0.02  # of a turn

Call = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--every", action="store_true")
    given = parser.parse_args()
    if given.every:
        report_every(rounds(given.rounds, every_metric()))
        return
    calls = {name: made for name, make in CONTESTANTS.items() if (made := tried(name, make))}
    report(rounds(given.rounds, calls))


def tried(name: str, make: Callable[[], Call]) -> Call | None:
    """A contestant's call, or None: it is not installed."""
    try:
        return make()
    except ImportError as error:
        print(f"{name}: left out, {error}", file=sys.stderr)
        return None


def rounds(number: int, calls: dict[str, Call]) -> dict[str, list[float]]:
    """The microseconds a call of each contestant, round by round."""
    rng = random.Random(1)
    micros: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(number):
        for name in rng.sample(list(calls), len(calls)):
            micros[name].append(of_a_turn(calls[name]))
    return micros


def of_a_turn(call: Call) -> float:
    call()  # to warm up
    count, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < SECONDS:
        for _ in range(20):
            call()
        count += 20
    return spent / count * 1e6


def report(micros: dict[str, list[float]]) -> None:
    base = "pytrec_eval, prebuilt" if "pytrec_eval, prebuilt" in micros else "plain Python"
    print(f"{'':34} {'us a call':>10} {'x ' + base:>24}")
    for name, times in sorted(micros.items(), key=lambda item: median(item[1])):
        ratio = median(own / other for own, other in zip(times, micros[base], strict=True))
        print(f"{name:34} {median(times):10.2f} {ratio:24.2f}")
    found = {name: median(times) for name, times in micros.items()}
    noted("nDCG@10 of one list of ten", "us a call", found)


def every_metric() -> dict[str, Call]:
    return {metric.name: of_metric(metric) for metric in METRICS}


def of_metric(metric: Metric) -> Call:
    measure = make(metric, 10)
    return lambda: measure.of(LABELS)


def report_every(micros: dict[str, list[float]]) -> None:
    found = {name: median(times) for name, times in micros.items()}
    for name, time_of_one in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{name:34} {time_of_one:10.2f} us")
    print(f"{sum(x < 3 for x in found.values())} of {len(found)} take less than 3 us")
    noted("one list of ten, every metric", "us a call", found)


def rankspec_measure() -> Call:
    measure = rs.nDCG(k=10)
    return lambda: measure.of(LABELS)


def rankspec_function() -> Call:
    return lambda: rs.ndcg(LABELS, k=10)


def rankspec_err() -> Call:
    measure = rs.ERR(k=10)
    return lambda: measure.of(LABELS)


def rankspec_judged() -> Call:
    return lambda: rs.ndcg(LABELS, judged=LABELS, k=10)


def rankspec_scores() -> Call:
    scores = [1 - i / 16 for i in range(len(LABELS))]
    return lambda: rs.ndcg(LABELS, scores=scores, k=10)


def rankspec_evaluate() -> Call:
    qrels, run = dicts()
    return lambda: rs.evaluate(qrels, run, ["nDCG@10"])


def plain_python() -> Call:
    def dcg(labels: list[int]) -> float:
        return sum(label / math.log2(i + 2) for i, label in enumerate(labels[:10]))

    return lambda: dcg(LABELS) / dcg(sorted(LABELS, reverse=True))


def pytrec_eval() -> Call:
    import pytrec_eval

    qrels, run = dicts()
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    return lambda: evaluator.evaluate(run)


def sklearn() -> Call:
    from sklearn.metrics import ndcg_score

    scores = [[1 - i / 16 for i in range(len(LABELS))]]
    return lambda: ndcg_score([LABELS], scores, k=10)


def dicts() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    documents = [f"d{i}" for i in range(len(LABELS))]
    scores = {document: 1 - i / 16 for i, document in enumerate(documents)}
    return {"q": dict(zip(documents, LABELS, strict=True))}, {"q": scores}


CONTESTANTS: dict[str, Callable[[], Call]] = {
    "rankspec, measure.of(labels)": rankspec_measure,
    "rankspec, rs.ndcg(labels, k=10)": rankspec_function,
    "rankspec, ERR, measure.of(labels)": rankspec_err,
    "rankspec, with judged labels": rankspec_judged,
    "rankspec, with scores": rankspec_scores,
    "rankspec, rs.evaluate of dicts": rankspec_evaluate,
    "plain Python": plain_python,
    "pytrec_eval, prebuilt": pytrec_eval,
    "scikit-learn": sklearn,
}


if __name__ == "__main__":
    main()
