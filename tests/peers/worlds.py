"""Random qrels and runs that hold whatever makes evaluation programs differ."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Table = dict[str, dict[str, Any]]

SEEDS = range(25)
LABELS = (-2, -1, 0, 0, 1, 1, 2, 4)  # no 3
DOCUMENTS = [*(f"d{i}" for i in range(60)), "D", "~", "é", "\uffee", "\U0001f600"]


class World(NamedTuple):
    qrels: Table
    run: Table


def world(
    seed: int,
    *,
    queries: int = 24,
    longest: int = 30,
    labels: Sequence[int] = LABELS,
    missing: bool = True,
) -> World:
    """Qrels and a run of numbered queries.

    longest: the most documents that a list has
    missing: whether queries are missing, some in the run, and some in the qrels
    """
    rng = random.Random(seed)
    qrels: Table = {}
    run: Table = {}
    for query in map(str, rng.sample(range(1, 1000), queries)):
        where = rng.choice(["both"] * 8 + ["qrels", "run"]) if missing else "both"
        if where != "run":
            qrels[query] = _judgments(rng, labels)
        if where != "qrels":
            documents = rng.sample(DOCUMENTS, rng.randint(1, longest))
            run[query] = dict(zip(documents, _scores(rng, len(documents)), strict=True))
    return World(qrels, _in_another_order(rng, run) if missing else run)


def _judgments(rng: random.Random, labels: Sequence[int]) -> dict[str, int]:
    """One judgment is at least 0: without, trec_eval 9 and 10 may crash."""
    documents = rng.sample(DOCUMENTS, rng.randint(1, 45))
    relevant = rng.random() < 0.9
    admitted = [label for label in labels if relevant or label <= 0]
    judged = {document: rng.choice(admitted) for document in documents}
    judged[documents[0]] = max(judged[documents[0]], 0)
    return judged


def _scores(rng: random.Random, n: int) -> list[float]:
    """Scores with ties of every kind: none, exact ones, and those that 32-bit floats have."""
    kind = rng.choice(["distinct", "tied", "close", "wide"])
    if kind == "distinct":
        return rng.sample([i / 8 for i in range(-4 * n, 4 * n)], n)
    if kind == "tied":
        return [rng.choice([2.5, 1.0, 0.0, -0.0, -7.25]) for _ in range(n)]
    if kind == "close":
        return [3.0 + rng.randrange(3) / 4 + rng.randrange(2 * n) * 2.0**-40 for _ in range(n)]
    extremes = [1e39, 2e39, -1e39, -3e300, 1e-46, -1e-46, 0.0, 16777217.0, 16777216.0]
    return [rng.choice(extremes) for _ in range(n)]


def _in_another_order(rng: random.Random, table: Table) -> Table:
    return {query: table[query] for query in rng.sample(list(table), len(table))}


def without_ties(run: Mapping[str, Mapping[str, float]]) -> Table:
    """The run with scores that are those of its ranks, ties in the order of the input."""
    ranked = {query: sorted(scores, key=scores.__getitem__) for query, scores in run.items()}
    return {query: {d: float(i) for i, d in enumerate(ds)} for query, ds in ranked.items()}
