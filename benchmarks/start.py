"""What a short use costs: a fresh process that imports, and computes one value or one small run.

    python benchmarks/start.py [--rounds 20] [--trec-eval PROGRAM]

Contestants take turns, each in a process of its own, in an order that changes from round to round.
Printed are the least and the median processor time of a process, and what the least is above that
of bare Python. What is not installed is left out, by name. The values are not compared here. One
round before those that count writes bytecode, which must not be turned off.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from noted import noted

import rankspec

EXAMPLE = Path(rankspec.__file__).parent / "example"
QRELS, RUN = str(EXAMPLE / "qrels.txt"), str(EXAMPLE / "plain.run")
BARE = "python"
LIST = "{'q': {'a': 3, 'b': 2, 'c': 3}}, {'ndcg'}"
SCORES = "{'q': {'a': 3.0, 'b': 2.0, 'c': 1.0}}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--trec-eval", metavar="PROGRAM")
    arguments = parser.parse_args()
    commands = contestants(arguments.trec_eval)
    found: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(arguments.rounds + 1):
        for name in random.sample(list(commands), len(commands)):
            seconds = used(commands[name])
            if turn:
                found[name].append(seconds)
    report(found)


def contestants(trec_eval: str | None) -> dict[str, list[str]]:
    """The command of each; what is not there is said."""
    python = sys.executable
    commands = {
        BARE: [python, "-c", "pass"],
        "import rankspec": [python, "-c", "import rankspec"],
        "rs.ndcg": [python, "-c", "import rankspec as rs; rs.ndcg([3, 2, 3, 0, 1])"],
        "rs.nDCG().of": [python, "-c", "import rankspec as rs; rs.nDCG(k=10).of([3, 2, 3, 0, 1])"],
        "rankspec eval": [python, "-m", "rankspec", "eval", QRELS, RUN],
        "pytrec_eval": [
            *(python, "-c"),
            f"import pytrec_eval as p; p.RelevanceEvaluator({LIST}).evaluate({SCORES})",
        ],
        "ir_measures": [python, "-m", "ir_measures", QRELS, RUN, "nDCG@10", "AP", "P@10", "RR"],
    }
    found = {}
    for name, command in commands.items():
        if name in ("pytrec_eval", "ir_measures") and find_spec(name) is None:
            print(f"{name}: not installed")
            continue
        found[name] = command
    if trec_eval:
        found["trec_eval"] = [trec_eval, QRELS, RUN]
    return found


def used(command: list[str]) -> float:
    """The processor time of a process, of user and system."""
    environment = {k: x for k, x in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(found: dict[str, list[float]]) -> None:
    bare = min(found[BARE])
    print(f"{'milliseconds':16} {'least':>8} {'median':>8} {'above Python':>13}")
    for name, seconds in found.items():
        least, usual = 1e3 * min(seconds), 1e3 * median(seconds)
        print(f"{name:16} {least:8.1f} {usual:8.1f} {least - 1e3 * bare:13.1f}")
    least_of = {name: 1e3 * min(seconds) for name, seconds in found.items()}
    noted("whole processes, to their first value", "ms", least_of)


if __name__ == "__main__":
    main()
