"""nDCG@10 and AP of TREC files, whole processes: rankspec, plain C, trec_eval and others.

    python benchmarks/trec.py [--workload W1|W2|all] [--rounds 5] [--only NAME] [--folder DIR]
                              [--trec-eval PROGRAM]

The files are generated, and what is compared is installed or compiled, into the folder, once.
First every program runs once, which also brings the files into the page cache: all must print the
same two means. Then they take turns, in an order that changes from round to round, so that a noisy
machine is noisy for all; each turn is a fresh process, timed from its start to its end. Printed are
medians over the rounds; the ratio is the median of the ratios of the wall times of each round.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from noted import noted

SOURCES = Path(__file__).parent
PACKAGES = ["ir-measures==0.4.3", "pytrec-eval-terrier==0.5.11"]  # the latter has trec_eval 9.0.8

MEAN_NAMES = {"nDCG@10": "nDCG@10", "AP": "AP", "ndcg_cut_10": "nDCG@10", "map": "AP"}

PYTREC_EVAL = """
import sys
import pytrec_eval
with open(sys.argv[1]) as qrels, open(sys.argv[2]) as run:
    qrels, run = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
queries = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"}).evaluate(run).values()
for name in ("ndcg_cut_10", "map"):
    print(name, format(sum(values[name] for values in queries) / len(queries), ".4f"))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workload", choices=[*WORKLOADS, "all"], default="all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="NAME", help="may be repeated")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir(), "rankspec-bench")
    )
    parser.add_argument("--trec-eval", metavar="PROGRAM", help="a trec_eval program, timed too")
    arguments = parser.parse_args()
    folder = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    programs = find_programs(folder, arguments.trec_eval)
    if unknown := set(arguments.only or []) - set(programs):
        parser.error(f"--only: {', '.join(sorted(unknown))}: not one of {', '.join(programs)}")
    programs = {name: programs[name] for name in arguments.only or programs}
    for workload in WORKLOADS if arguments.workload == "all" else [arguments.workload]:
        generate(folder, workload)
        files = [str(folder / f"{workload}.qrels"), str(folder / f"{workload}.run")]
        commands = {name: program(files) for name, program in programs.items()}
        compare_means(commands)
        report(workload, rounds(folder / "launch", commands, arguments.rounds))


# What is compared

Program = Callable[[list[str]], list[str]]  # from the two files to a command


def find_programs(folder: Path, trec_eval: str | None) -> dict[str, Program]:
    """The programs by name; what is not there yet is installed or compiled."""
    environment = folder / "venv"
    binaries = environment / "bin"
    if not (binaries / "ir_measures").exists():
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([binaries / "pip", "install", "--quiet", *PACKAGES], check=True)
    (library,) = environment.glob("lib/python*/site-packages/pytrec_eval_ext.*.so")
    compile_c(SOURCES / "launch.c", folder / "launch", [])
    driver = folder / "trec_eval_driver"
    python_is_absent = ["-rdynamic", "-Wl,-z,lazy,--unresolved-symbols=ignore-in-shared-libs"]
    compile_c(SOURCES / "trec_eval_driver.c", driver, [str(library), *python_is_absent])

    plain = folder / "plain_trec"
    compile_c(SOURCES / "plain_trec.c", plain, ["-lm"])

    rankspec = str(Path(sys.executable).with_name("rankspec"))
    ours = [rankspec, "eval", "--backend", "c", "--format", "trec", "-m", "nDCG@10", "-m", "AP"]
    programs: dict[str, Program] = {
        "rankspec": lambda files: [*ours, *files],
        "plain C, in doubles": lambda files: [str(plain), *files],
        "trec_eval": lambda files: [str(driver), *files],
        "pytrec_eval": lambda files: [str(binaries / "python"), "-c", PYTREC_EVAL, *files],
        "ir_measures": lambda files: [str(binaries / "ir_measures"), *files, "nDCG@10", "AP"],
    }
    if trec_eval is not None:
        theirs = [trec_eval, "-m", "ndcg_cut.10", "-m", "map"]
        programs["trec_eval program"] = lambda files: [*theirs, *files]
    return programs


def compile_c(source: Path, program: Path, options: list[str]) -> None:
    command = ["cc", "-O3", "-march=native", "-fPIC", str(source), *options, "-o", str(program)]
    subprocess.run(command, check=True)


# What they are compared on


@dataclass(frozen=True)
class Workload:
    queries: int
    tied: float  # the share of neighbours with equal scores
    deep: bool  # 400 judgments a query, or those of MS MARCO's dev queries


WORKLOADS = {"W1": Workload(6_980, 0.01, deep=False), "W2": Workload(50, 0.05, deep=True)}
RETRIEVED = 1_000
DOCUMENTS, QUERY_IDS = 8_800_000, 1_100_000
FOUND = 0.75  # of the judged documents
# What a document's quality gains by its label: 0 to 3, and, last, by being unjudged.
LIFT = np.array([1.0, 2.0, 2.5, 3.0, 0.0])
UNJUDGED = -1


def generate(folder: Path, name: str) -> None:
    """Write the qrels and the run of a workload, if they are not there yet."""
    qrels, run = folder / f"{name}.qrels", folder / f"{name}.run"
    if qrels.exists() and run.exists():
        return
    workload = WORKLOADS[name]
    rng = np.random.default_rng(1)
    queries = np.sort(rng.choice(QUERY_IDS, workload.queries, replace=False))
    lines = [query_lines(rng, query, workload) for query in queries.tolist()]
    for path, texts in zip((qrels, run), zip(*lines, strict=True), strict=True):
        part = path.with_suffix(path.suffix + ".part")
        with part.open("w") as file:
            file.writelines(texts)
        part.rename(path)


def query_lines(rng: np.random.Generator, query: int, workload: Workload) -> tuple[str, str]:
    """A query's judgments, in no order, and its list, in that of the ranks."""
    labels = draw_labels(rng, workload.deep)
    found = rng.random(len(labels)) < FOUND
    documents = rng.choice(DOCUMENTS, RETRIEVED + np.count_nonzero(~found), replace=False)
    retrieved_labels = np.full(RETRIEVED, UNJUDGED)
    retrieved_labels[: np.count_nonzero(found)] = labels[found]
    judged = np.concatenate([documents[: np.count_nonzero(found)], documents[RETRIEVED:]])
    labels = np.concatenate([labels[found], labels[~found]])
    shuffled = rng.permutation(len(labels))
    judgments = zip(judged[shuffled].tolist(), labels[shuffled].tolist(), strict=True)

    quality = LIFT[retrieved_labels] + rng.normal(size=RETRIEVED)
    ranking = documents[np.argsort(-quality)]
    listed = zip(ranking.tolist(), falling_scores(rng, workload.tied).tolist(), strict=True)
    return (
        "".join(f"{query} 0 D{document} {label}\n" for document, label in judgments),
        "".join(
            f"{query} Q0 D{document} {rank} {score:.6f} bench\n"
            for rank, (document, score) in enumerate(listed, start=1)
        ),
    )


def draw_labels(rng: np.random.Generator, deep: bool) -> np.ndarray:
    if deep:
        return rng.choice(4, 400, p=[0.65, 0.20, 0.10, 0.05])
    relevant = rng.choice([1, 2, 3, 4], p=[0.45, 0.30, 0.15, 0.10])
    grades = rng.choice([1, 2, 3], relevant, p=[0.6, 0.3, 0.1])
    return np.concatenate([grades, np.zeros(rng.poisson(6.7), dtype=grades.dtype)])


def falling_scores(rng: np.random.Generator, tied: float) -> np.ndarray:
    """Scores from about 30 down; neighbours are equal, or differ as 32-bit floats too."""
    steps = rng.uniform(0.001, 0.03, RETRIEVED)
    steps[rng.random(RETRIEVED) < tied] = 0
    return rng.uniform(29, 32) - np.cumsum(steps)


# How


@dataclass(frozen=True)
class Turn:
    wall: float  # seconds
    cpu: float
    peak: float  # MB of resident set


def compare_means(commands: dict[str, list[str]]) -> None:
    """End the benchmark unless all programs print the same means, to the four decimals of all."""
    printed = {}
    for name, command in commands.items():
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
        printed[name] = {MEAN_NAMES[x[0]]: x[-1] for x in lines if x[0] in MEAN_NAMES}
    first = next(iter(printed.values()))
    if set(first) != {"nDCG@10", "AP"} or any(means != first for means in printed.values()):
        sys.exit(f"the means differ: {printed}")
    print(f"all print {first}", file=sys.stderr)


def rounds(launch: Path, commands: dict[str, list[str]], number: int) -> dict[str, list[Turn]]:
    turns: dict[str, list[Turn]] = {name: [] for name in commands}
    rng = random.Random(1)
    for _ in range(number):
        for name in rng.sample(list(commands), len(commands)):
            turns[name].append(take_turn(launch, commands[name]))
    return turns


def take_turn(launch: Path, command: list[str]) -> Turn:
    with tempfile.NamedTemporaryFile("r") as usage:
        subprocess.run([launch, usage.name, *command], check=True, stdout=subprocess.DEVNULL)
        wall, cpu, kibibytes = map(float, usage.read().split())
    return Turn(wall, cpu, kibibytes * 1024 / 1e6)


def report(workload: str, turns: dict[str, list[Turn]]) -> None:
    ours = turns.get("rankspec")
    print(f"{workload:18} {'wall s':>8} {'min':>8} {'CPU s':>8} {'peak MB':>8} {'x rankspec':>11}")
    for name, taken in sorted(turns.items(), key=lambda item: median(x.wall for x in item[1])):
        wall, cpu = median(x.wall for x in taken), median(x.cpu for x in taken)
        peak, least = median(x.peak for x in taken), min(x.wall for x in taken)
        ratio = ""
        if ours is not None:
            ratio = f"{median(x.wall / own.wall for x, own in zip(taken, ours, strict=True)):.2f}"
        print(f"{name:18} {wall:8.3f} {least:8.3f} {cpu:8.3f} {peak:8.1f} {ratio:>11}")
    seconds = {name: median(x.wall for x in taken) for name, taken in turns.items()}
    noted(f"TREC files, {workload}", "s", seconds)


if __name__ == "__main__":
    main()
