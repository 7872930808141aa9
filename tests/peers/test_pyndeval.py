"""The metrics of diversity against pyndeval, which is ndeval as a package."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import rankspec as rs

from ..each import each

pyndeval = pytest.importorskip(
    "pyndeval", reason='pyndeval is not installed: pip install ".[peers]"'
)

CUTOFFS = (2, 5, 10, 20)
NAMES = (
    *(f"{name}@{k}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG") for k in CUTOFFS),
    *(f"{name}@{k}" for name in ("P-IA", "strec") for k in (1, *CUTOFFS)),
    *("NRBP", "nNRBP", "MAP-IA"),
)
ADDITIONS = 45  # no list and no pool is longer


def world(seed: int) -> tuple[list[tuple[str, str, str, int]], dict[str, dict[str, float]]]:
    """Qrels with subtopics, some of which nothing is relevant to, and a run with ties."""
    rng = random.Random(seed)
    qrels, run = [], {}
    for query in map(str, range(1, 6)):
        pool = [f"d{a:02}" for a in range(rng.randint(2, 40))]
        subtopics = [str(j) for j in range(1, rng.randint(1, 6) + 1)]
        share = rng.choice([0.05, 0.3, 0.7])
        qrels += [
            (query, j, d, int(rng.random() < share) * rng.randint(1, 3))
            for d in pool
            for j in subtopics
        ]
        shown = [*rng.sample(pool, rng.randint(1, len(pool))), "unjudged-1", "unjudged-2"]
        run[query] = {d: float(rng.randint(0, 6)) for d in shown}
    return qrels, run


def of_pyndeval(
    qrels: list[tuple[str, str, str, int]], run: dict[str, dict[str, float]], **given: Any
) -> dict[str, dict[str, float]]:
    scored = [(query, d, x) for query, own in run.items() for d, x in own.items()]
    found = pyndeval.RelevanceEvaluator(qrels, list(NAMES), **given).evaluate(scored)
    return {name: {query: values[name] for query, values in found.items()} for name in NAMES}


def ours(
    qrels: list[tuple[str, str, str, int]], run: dict[str, dict[str, float]], **given: Any
) -> dict[str, dict[str, float]]:
    measures = {name: rs.measures(name)[0] for name in NAMES}
    asked = {
        name: m.metric(k=m.k, **{n: x for n, x in given.items() if n in m.metric.parameters})
        for name, m in measures.items()
    }
    found = rs.evaluate_diversity(
        qrels, run, list(asked.values()), queries="both", ties="id-ascending"
    )
    return {name: found.per_query[str(m)] for name, m in asked.items()}


def far(mine: float, theirs: float) -> bool:
    """Whether rounding does not explain a difference.

    With u = 2**-53: ADDITIONS u for each sum, two of them in a quotient, and 13 u for the terms
    (agreement.slack); u times a value is at most one ulp of it.
    """
    if math.isnan(theirs):  # 0/0: no subtopic counts
        return mine != 0
    return abs(mine - theirs) > (2 * ADDITIONS + 13) * math.ulp(theirs)


def differences(
    mine: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]]
) -> list[str]:
    return [
        f"{name} {query}: {mine[name][query]!r}, and theirs {theirs[name][query]!r}"
        for name in NAMES
        for query in mine[name].keys() | theirs[name].keys()
        if far(mine[name][query], theirs[name][query])
    ]


@pytest.mark.spec("RS-DIV-3", "RS-DIV-6", "RS-DIV-7", "RS-DIV-8", "RS-DIV-9", "RS-DIV-10")
@pytest.mark.spec("RS-DIV-4", "RS-DIV-12", "RS-DIV-13", "RS-DIV-14", "RS-DIV-19")
@each(
    "given",
    [{"alpha": alpha, "beta": beta} for alpha in (0, 0.25, 0.5, 1) for beta in (0.5, 0.75)],
    fast=2,
)
def test_the_values_are_those_of_pyndeval(given):
    for seed in range(6):
        qrels, run = world(seed)
        assert differences(ours(qrels, run, **given), of_pyndeval(qrels, run, **given)) == []


def test_a_difference_is_found():
    """Another alpha, another order of the pool, another number of subtopics."""
    qrels, run = world(3)
    theirs = of_pyndeval(qrels, run)
    assert differences(ours(qrels, run), theirs) == []
    assert len(differences(ours(qrels, run, alpha=0.75), theirs)) > 20
    more = [*qrels, *((query, "99", "only", 1) for query in run)]
    assert len(differences(ours(more, run), theirs)) > 20
    mirrored = [(q, j, f"{99 - int(d[1:]):02}", x) for q, j, d, x in qrels]
    renamed = {
        q: {f"{99 - int(d[1:]):02}" if d[1:].isdigit() else d: x for d, x in own.items()}
        for q, own in run.items()
    }
    assert differences(ours(mirrored, renamed), theirs) != []


@pytest.mark.spec("RS-DIV-3", "RS-DIV-7")
def test_at_rank_1_it_is_not_divided_there():
    qrels = [("1", "1", "a", 1), ("1", "2", "b", 1)]
    names = ["ERR-IA@1", "alpha-DCG@1"]
    found = pyndeval.RelevanceEvaluator(qrels, names).evaluate([("1", "a", 1.0)])
    assert found == {"1": dict.fromkeys(names, 1.0)}
    own = rs.evaluate_diversity(qrels, {"1": {"a": 1.0}}, names)
    assert set(own.mean.values()) == {0.5}
