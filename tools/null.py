"""Simulates the errors of the tests and intervals of compare where the truth is known.

    python tools/null.py             writes the tables of docs/errors.md; several minutes
    python tools/null.py --small     prints them for few data sets, and writes nothing

Each data set is drawn from a world in which the systems have equal true means, by the words of the
project's own generator (RS-RND-2, a purpose that is left to programs): anyone gets the same data.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # the work is divided by cells

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":  # tests load the package that is installed
    sys.path.insert(0, str(ROOT / "pyref"))

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from rankspec.analysis.comparison import resampling  # noqa: E402
from rankspec.analysis.comparison.corrections import CORRECTIONS, MAX_T  # noqa: E402
from rankspec.analysis.comparison.distributions import special  # noqa: E402
from rankspec.analysis.comparison.systems import Pair, Systems  # noqa: E402
from rankspec.analysis.comparison.tests import (  # noqa: E402
    JOINT_TESTS,
    RESAMPLING_TESTS,
    TESTS,
    Choices,
    Outcome,
)
from rankspec.api import ndcg  # noqa: E402
from rankspec.compute.randomness import words  # noqa: E402

PAGE = ROOT / "docs/errors.md"
BEGIN, END = "<!-- BEGIN TABLES by tools/null.py -->", "<!-- END TABLES -->"

ALPHAS = (0.05, 0.01)
QUERIES = (10, 25, 50, 200)
OF_FAMILIES = (10, 50)
SYSTEMS = 4
SETS, FAMILIES = 4000, 1500  # data sets of two systems, and of several
SMALL = 40
REPLICATES, SAMPLES = 499, 1999  # of tests, and of BCa intervals
VALUES = 128  # the purpose of the words that values are made of

Doubles = NDArray[np.float64]

PAIRED = {test.name: test for test in (*TESTS, *RESAMPLING_TESTS)}
JOINT = {test.name: test for test in JOINT_TESTS}


# ---- worlds ------------------------------------------------------------------------------------

HARDNESS = np.array([0.0, 0.0, 0.1, 0.2, 0.5, 0.8])  # P(a document is relevant), of P@10
OF_NDCG = np.array([0.02, 0.1, 0.3, 0.7])
RANKS = 10
LISTS = np.arange(1 << RANKS)[:, None] >> np.arange(RANKS) & 1  # each list of relevant or not
OF_LIST = np.asarray(
    ndcg(
        LISTS.ravel(),
        offsets=np.arange(len(LISTS) + 1) * RANKS,
        judged=np.ones_like(LISTS).ravel(),
        judged_offsets=np.arange(len(LISTS) + 1) * RANKS,
        check=False,
        k=RANKS,
    )
)


@dataclass(frozen=True)
class World:
    """Where values come from.

    words: how many of a value; draw: (words: systems x queries x words) -> systems x queries
    mean: the true mean of the first system; all others have the same
    symmetric: whether each query's values are as probable in any order
    normal: whether paired differences are normal; independent: whether systems are, and normal
    """

    about: str
    words: int
    draw: Callable[[Doubles], Doubles]
    mean: float
    symmetric: bool = True
    normal: bool = False
    independent: bool = False


def _normal(u: Doubles) -> Doubles:
    z: Doubles = special().ndtri(u)
    return z[..., 0] + z[:1, :, 1]


def _independent(u: Doubles) -> Doubles:
    values: Doubles = special().ndtri(u[..., 0])
    return values


def _relevant(u: Doubles, shares: Doubles) -> NDArray[np.bool_]:
    """Which of the first ten are relevant; the last word of the first system is its query's."""
    hardness = shares[(u[0, :, -1] * len(shares)).astype(int)]
    relevant: NDArray[np.bool_] = u[..., :RANKS] < hardness[None, :, None]
    return relevant


def _precision(u: Doubles) -> Doubles:
    shares: Doubles = _relevant(u, HARDNESS).sum(axis=2) / RANKS
    return shares


def _ndcg(u: Doubles) -> Doubles:
    return OF_LIST[_relevant(u, OF_NDCG) @ (1 << np.arange(RANKS))]


def _skewed(u: Doubles) -> Doubles:
    values = -np.log(u[..., 0])
    values[1::2] = 2 - values[1::2]
    return values


WORLDS = {
    "normal": World("a part of the query and a normal error", 2, _normal, 0.0, normal=True),
    "unrelated": World(
        "normal, without a part of the query", 1, _independent, 0.0, normal=True, independent=True
    ),
    "P@10": World(
        "ten documents, relevant with the probability 0 (of a third of the queries) to 0.8",
        RANKS + 1, _precision, float(HARDNESS.mean()),
    ),
    "nDCG@10": World(
        "of such lists, with the probability 0.02, 0.1, 0.3 or 0.7",
        RANKS + 1, _ndcg, float(OF_NDCG.mean()),
    ),
    "skewed": World(
        "exponential, against 2 less an exponential: means of 1, but few great differences above "
        "0 and many small ones below",
        1, _skewed, 1.0, symmetric=False,
    ),
}  # fmt: skip


def values(world: str, n: int, data_set: int, systems: int = 2) -> Doubles:
    """The values of a data set: systems x queries."""
    known = WORLDS[world]
    count = systems * n * known.words
    seed = 1000 * list(WORLDS).index(world) + n + (1 << 32) * systems
    positions = np.arange(-(-count // 4), dtype=np.uint64)
    drawn = words(seed, VALUES, range(data_set, data_set + 1), positions)[0, :count]
    uniform = (drawn.astype(np.float64) + 0.5) / 2**32
    return known.draw(uniform.reshape(systems, n, known.words))


# ---- what is counted ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """How many of some data sets, in units that may be shares of one."""

    count: float
    of: int

    @property
    def share(self) -> float:
        return self.count / self.of

    @property
    def error(self) -> float:
        """The Monte Carlo standard error; by a share that is not 0, as none is not certain."""
        share = (self.count + 1) / (self.of + 2)
        return sqrt(share * (1 - share) / self.of)

    def exceeds(self, alpha: float, errors: float = 4) -> bool:
        """Whether it is above alpha by more than so many standard errors."""
        return self.share > alpha + errors * sqrt(alpha * (1 - alpha) / self.of)

    def differs(self, alpha: float, errors: float = 4) -> bool:
        """The same to either side."""
        return abs(self.share - alpha) > errors * sqrt(alpha * (1 - alpha) / self.of)

    def __str__(self) -> str:
        return f"{100 * self.share:.2f} ± {100 * self.error:.2f}"


def rejected(outcome: Outcome, alpha: float) -> bool:
    """Whether two systems are said to differ; of the Bayesian test, that a side has 1 - alpha/2."""
    if outcome.probabilities is not None:
        worse, _, better = outcome.probabilities
        return max(worse, better) >= 1 - alpha / 2
    return outcome.p is not None and outcome.p <= alpha


def type_1(
    world: str, n: int, sets: int, tests: Mapping[str, Any] = PAIRED
) -> dict[str, dict[float, Rate]]:
    """{test: {alpha: how often it rejects}}, of two systems that have equal means."""
    counts = {name: dict.fromkeys(ALPHAS, 0) for name in tests}
    for data_set in range(sets):
        x, y = values(world, n, data_set).tolist()
        systems, two = Systems({"x": x, "y": y}), ("x", "y")
        choices = Choices(seed=data_set, replicates=REPLICATES)
        for name, test in tests.items():
            outcome = test.of_pairs(systems, [two], choices)[two]
            for alpha in ALPHAS:
                counts[name][alpha] += rejected(outcome, alpha)
    return {
        name: {alpha: Rate(count, sets) for alpha, count in by.items()}
        for name, by in counts.items()
    }


INTERVALS = ("t", "BCa")
LEVEL = 0.05


def coverage(world: str, n: int, sets: int) -> dict[str, Rate]:
    """How often the 95 % intervals of a mean hold the true one."""
    counts = dict.fromkeys(INTERVALS, 0)
    truth = Fraction(WORLDS[world].mean)
    for data_set in range(sets):
        x = values(world, n, data_set)[0].tolist()
        pair = Pair(x, [0.0] * n)
        interval = PAIRED["t"].of_pairs(Systems({"x": x, "0": [0.0] * n}), [("x", "0")], Choices())
        t = interval["x", "0"].interval or (x[0], x[0])
        (ends,) = resampling.bca_intervals([pair.D], LEVEL, data_set, SAMPLES, slack=pair.slack)
        bca = [end * pair.scale * Fraction(2) ** pair.e for end in ends]
        for name, (low, high) in zip(INTERVALS, (t, bca), strict=True):
            counts[name] += low <= truth <= high
    return {name: Rate(count, sets) for name, count in counts.items()}


BETTER = 3.0  # by so many standard errors of a difference one system is better, where one is

OF_T = tuple(known.name for known in CORRECTIONS)
COLUMNS = (*OF_T, MAX_T.name, *JOINT)


def families(
    world: str, n: int, sets: int, better: bool
) -> dict[str, dict[float, tuple[Rate, Rate]]]:
    """{correction or joint test: {alpha: (familywise error, false discovery rate)}}.

    better: the last system is; the family is all pairs, those with it are true differences
    """
    names = [str(s) for s in range(SYSTEMS)]
    pairs = list(combinations(names, 2))
    equal = [not better or names[-1] not in two for two in pairs]
    errors = {name: dict.fromkeys(ALPHAS, 0) for name in COLUMNS}
    shares = {name: dict.fromkeys(ALPHAS, 0.0) for name in COLUMNS}
    for data_set in range(sets):
        found = values(world, n, data_set, SYSTEMS)
        if better:
            found[-1] += BETTER * sqrt(2 / n)
        systems = Systems(dict(zip(names, found.tolist(), strict=True)))
        for name, p in _of_family(systems, pairs, data_set):
            for alpha in ALPHAS:
                said = [x is not None and x <= alpha for x in p]
                false = sum(a and b for a, b in zip(said, equal, strict=True))
                errors[name][alpha] += false > 0
                shares[name][alpha] += false / max(1, sum(said))
    return {
        name: {a: (Rate(errors[name][a], sets), Rate(shares[name][a], sets)) for a in ALPHAS}
        for name in COLUMNS
    }


def _of_family(
    systems: Systems, pairs: Sequence[tuple[str, str]], data_set: int
) -> Iterator[tuple[str, list[float | None]]]:
    """The corrected p of all pairs, by each correction and joint test."""
    choices = Choices(seed=data_set, replicates=REPLICATES)
    of_t = PAIRED["t"].of_pairs(systems, pairs, choices)
    for known in CORRECTIONS:
        yield known.name, known([of_t[two].p for two in pairs])
    family = [systems.pairs[two] for two in pairs]
    D, slack = [pair.D for pair in family], [pair.slack for pair in family]
    stepped = resampling.step_down(D, data_set, REPLICATES, slack=slack)
    yield MAX_T.name, [float(x.p) for x in stepped]
    for name, test in JOINT.items():
        outcomes = test.of_pairs(systems, pairs, choices)
        yield name, [outcomes[two].p for two in pairs]


# ---- what theory says --------------------------------------------------------------------------


def is_exact(test: str, world: str) -> bool:
    """Whether the error is alpha itself."""
    known = WORLDS[world]
    return known.normal and (test in ("t", "bayes") or (test == "pooled" and known.independent))


def is_bounded(test: str, world: str, n: int) -> bool:
    """Whether it is at most alpha."""
    if test == "wilcoxon" and n > 100:  # an approximation from there on
        return False
    return WORLDS[world].symmetric and test in ("randomisation", "sign", "wilcoxon")


# ---- tables ------------------------------------------------------------------------------------

Cell = tuple[Any, ...]


def _computed(cell: Cell) -> tuple[Cell, Any]:
    kind, *of = cell
    work: dict[str, Callable[..., Any]] = {
        "type 1": type_1,
        "coverage": coverage,
        "families": families,
    }
    return cell, work[kind](*of)


def cells(sets: int, in_families: int) -> list[Cell]:
    """What is simulated, the longest first."""
    found: list[Cell] = []
    for n in reversed(OF_FAMILIES):
        found += [("families", x, n, in_families, False) for x in WORLDS if WORLDS[x].symmetric]
        found.append(("families", "normal", n, in_families, True))
    some = [(world, n) for n in reversed(QUERIES) for world in WORLDS]
    return found + [(kind, *x, sets) for kind in ("coverage", "type 1") for x in some]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def tables(found: Mapping[Cell, Any], sets: int, in_families: int) -> str:
    """The tables of the page."""
    some = [(world, n) for world in WORLDS for n in QUERIES]
    blocks = []
    for alpha in ALPHAS:
        rows = []
        for world, n in some:
            by_test = found["type 1", world, n, sets]
            rows.append([world, str(n), *(str(by_test[name][alpha]) for name in PAIRED)])
        blocks.append(
            f"**Type I error in percent at the level {100 * alpha:g} %**, of {sets:,} data sets "
            f"of two systems each:\n\n{table(['world', 'queries', *PAIRED], rows)}"
        )
    rows = [
        [world, str(n), *map(str, found["coverage", world, n, sets].values())] for world, n in some
    ]
    blocks.append(
        "**Coverage in percent of the 95 % intervals of a mean**, of as many data sets:\n\n"
        f"{table(['world', 'queries', *INTERVALS], rows)}"
    )
    blocks += list(_tables_of_families(found, in_families))
    return "\n\n".join(blocks)


def _tables_of_families(found: Mapping[Cell, Any], sets: int) -> Iterator[str]:
    of = [cell for cell in cells(0, sets) if cell[0] == "families"]
    of.sort(key=lambda cell: (cell[4], list(WORLDS).index(cell[1]), cell[2]))
    head = ["world", "queries", *COLUMNS]
    for alpha in ALPHAS:
        rows = [
            [f"{world}{', one better' if better else ''}", str(n)]
            + [str(found[kind, world, n, sets, better][name][alpha][0]) for name in COLUMNS]
            for kind, world, n, _, better in of
        ]
        yield (
            f"**Familywise error in percent at the level {100 * alpha:g} %**, of {sets:,} data "
            f"sets of {SYSTEMS} systems, six pairs:\n\n{table(head, rows)}"
        )
    rows = [
        [f"{world}, one better", str(n), f"{100 * alpha:g} %"]
        + [str(found[kind, world, n, sets, True][name][alpha][1]) for name in COLUMNS]
        for kind, world, n, _, better in of
        if better
        for alpha in ALPHAS
    ]
    yield (
        "**False discovery rate in percent** where one of the four systems is better:\n\n"
        f"{table(['world', 'queries', 'level', *COLUMNS], rows)}"
    )


def simulated(sets: int, in_families: int, processes: int = 2) -> str:
    """The tables; progress goes to the standard error."""
    wanted = cells(sets, in_families)
    found: dict[Cell, Any] = {}
    begin = time.monotonic()
    with Pool(processes) as pool:
        for cell, result in pool.imap_unordered(_computed, wanted):
            found[cell] = result
            seconds = time.monotonic() - begin
            print(f"{len(found)} of {len(wanted)}, {seconds:.0f} s: {cell}", file=sys.stderr)
    return tables(found, sets, in_families)


def main() -> None:
    if "--small" in sys.argv:
        print(simulated(SMALL, SMALL))
        return
    text = simulated(SETS, FAMILIES)
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
