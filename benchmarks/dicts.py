"""nDCG@10 and AP of qrels and runs in dicts: rankspec, a limit in plain C, and other libraries.

    python benchmarks/dicts.py [--rounds 5]

Three inputs: 1,000 queries of 1,000 documents each, of which 50 are judged; 30,000 users with 100
items each, 10 of them judged; and one query of ten documents, call by call. The contestants take
turns, in an order that changes from round to round, in one process. Printed are the least
milliseconds of the processor, of all threads, and the medians of the ratios to rankspec's of the
same round. What is not installed is left out, by name; ranx takes minutes to build the second.

The limit reads each score of the run and looks up each judged document, and nothing else
(plain_dicts.c, compiled with -O3 by the C compiler at hand). "prebuilt" is without what a library
does once with its inputs. The numpy join has integers in arrays beforehand, and nDCG alone.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from noted import noted

import rankspec as rs
import rankspec.compute.by_core  # without the core this ends here

MEASURES = ["nDCG@10", "AP"]

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]
Call = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    number = parser.parse_args().rounds
    for title, inputs, repeat in (
        ("1,000 queries x 1,000 documents", made(1000, 1000, 50, 10**7), 1),
        ("30,000 users x 100 items", made(30_000, 100, 10, 20_000), 1),
        ("one query of ten documents", made(1, 10, 10, 20), 500),
    ):
        calls = {name: call for name, make in CONTESTANTS.items() if (call := tried(make, *inputs))}
        report(title, rounds(number, repeat, calls))


def made(queries: int, documents: int, judged: int, ids: int) -> tuple[Qrels, Run]:
    """Random dicts; 3 of 5 judged documents are retrieved."""
    rng = random.Random(1)
    qrels: Qrels = {}
    run: Run = {}
    for q in range(queries):
        shown = [f"doc{a}" for a in rng.sample(range(ids), documents)]
        own = rng.sample(shown, judged * 3 // 5)
        own += [f"doc{rng.randrange(ids)}" for _ in range(judged - len(own))]
        run[f"q{q}"] = {document: rng.random() for document in shown}
        qrels[f"q{q}"] = {document: rng.randrange(4) for document in own}
    return qrels, run


def tried(make: Callable[[Qrels, Run], Call], qrels: Qrels, run: Run) -> Call | None:
    """A contestant's call, or None: it is not installed."""
    try:
        return make(qrels, run)
    except ImportError as error:
        print(f"left out: {error}", file=sys.stderr)
        return None


def rounds(number: int, repeat: int, calls: dict[str, Call]) -> dict[str, list[float]]:
    """The milliseconds a call of each contestant, round by round."""
    rng = random.Random(1)
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():  # to warm up
        call()
    for _ in range(number):
        for name in rng.sample(list(calls), len(calls)):
            begin = time.process_time()
            for _ in range(repeat):
                calls[name]()
            spent[name].append((time.process_time() - begin) / repeat * 1e3)
    return spent


def report(title: str, spent: dict[str, list[float]]) -> None:
    print(f"\n{title:34} {'ms':>10} {'x rankspec':>11}")
    for name, times in sorted(spent.items(), key=lambda item: min(item[1])):
        ratio = median(own / ours for own, ours in zip(times, spent["rankspec"], strict=True))
        print(f"{name:34} {min(times):10.4f} {ratio:11.2f}")
    noted(f"dicts: {title}", "ms", {name: min(times) for name, times in spent.items()})


def rankspec_evaluate(qrels: Qrels, run: Run) -> Call:
    return lambda: rs.evaluate(qrels, run, MEASURES)


def plain_c(qrels: Qrels, run: Run) -> Call:
    library = Path(tempfile.mkdtemp()) / "plain_dicts.so"
    source = Path(__file__).with_name("plain_dicts.c")
    headers = sysconfig.get_path("include")
    command = ["cc", "-O3", "-shared", "-fPIC", f"-I{headers}", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    function = ctypes.PyDLL(str(library)).walk_and_look_up
    function.argtypes, function.restype = [ctypes.py_object] * 2, ctypes.c_double
    return lambda: function(qrels, run)


def pytrec_eval(qrels: Qrels, run: Run) -> Call:
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})
    return lambda: evaluator.evaluate(run)


def ranx(qrels: Qrels, run: Run) -> Call:
    import ranx

    held = ranx.Qrels(qrels), ranx.Run(run)
    return lambda: ranx.evaluate(*held, ["ndcg@10", "map"])


def numpy_join(qrels: Qrels, run: Run) -> Call:
    """Rows (query, document, number) as arrays, joined by one key and ranked by a sort."""
    number_of = {document: a for a, document in enumerate({d for x in run.values() for d in x})}
    of_query = {query: a for a, query in enumerate(run)}

    def columns(table: Qrels | Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows = [
            (of_query[q], number_of[d], x)
            for q, own in table.items()
            for d, x in own.items()
            if d in number_of
        ]
        queries, documents, numbers = zip(*rows, strict=True)
        return np.array(queries), np.array(documents), np.array(numbers, float)

    judged_q, judged_d, labels = columns(qrels)
    queries, documents, scores = columns(run)
    discount = 1 / np.log2(np.arange(2, 12))

    def dcg(of: np.ndarray, by: np.ndarray, gains: np.ndarray) -> np.ndarray:
        order = np.lexsort((-by, of))
        begins = np.searchsorted(of[order], np.arange(len(of_query)))
        ranks = np.arange(len(order)) - begins[of[order]]
        top = ranks < 10
        weights = gains[order][top] * discount[ranks[top]]
        return np.bincount(of[order][top], weights, len(of_query))

    def call() -> np.ndarray:
        keys = judged_q * len(number_of) + judged_d
        order = np.argsort(keys)
        wanted = queries * len(number_of) + documents
        at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
        gains = np.where(keys[order[at]] == wanted, labels[order[at]], 0.0)
        ideal = dcg(judged_q, labels, labels)
        above = dcg(queries, scores, gains)
        return np.divide(above, ideal, out=np.zeros(len(of_query)), where=ideal > 0)

    return call


CONTESTANTS: dict[str, Callable[[Qrels, Run], Call]] = {
    "rankspec": rankspec_evaluate,
    "plain C, the limit": plain_c,
    "numpy join, prebuilt, nDCG alone": numpy_join,
    "pytrec_eval, prebuilt": pytrec_eval,
    "ranx, prebuilt": ranx,
}


if __name__ == "__main__":
    main()
