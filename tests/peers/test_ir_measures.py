"""The profile ir_measures against that package, with its own choice of providers."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from rankspec.evaluation import evaluate

from .agreement import Values, differences, mean_differences
from .worlds import SEEDS, Table, world

pytest.importorskip("pytrec_eval", reason='pytrec_eval is not installed: pip install ".[peers]"')
ir_measures = pytest.importorskip(
    "ir_measures", reason='ir_measures is not installed: pip install ".[peers]"'
)

NEEDS_PERL = pytest.mark.skipif(
    shutil.which("perl") is None, reason="perl is not installed: apt-get install perl"
)
MEASURES = ["nDCG", "nDCG@5", "AP", "AP(rel=2)@5", "P@5", "P(rel=2)@1", "R@20", "RR", "RR(rel=2)"]
ADDITIONS = 45  # no list and no pool is longer


def of_ir_measures(names: list[str], qrels: Table, run: Table) -> tuple[Values, dict[str, float]]:
    """The values and the means, under these names."""
    measures = {ir_measures.parse_measure(name): name for name in names}
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    for metric in ir_measures.iter_calc(measures, qrels, run):
        found[measures[metric.measure]][metric.query_id] = metric.value
    means = ir_measures.calc_aggregate(measures, qrels, run)
    return found, {measures[m]: x for m, x in means.items()}


@pytest.mark.spec("RS-CONV-18", "RS-CONV-12", "RS-CONV-9")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_ir_measures(seed: int) -> None:
    qrels, run = world(seed)
    values, means = of_ir_measures(MEASURES, qrels, run)
    ours = evaluate(qrels, run, MEASURES, profile="ir_measures")
    assert differences(ours.per_query, values, ADDITIONS) == []
    assert mean_differences(ours.mean, means, len(qrels), ADDITIONS) == []


@pytest.mark.parametrize(
    "option",
    [
        {"scores": "double"},
        {"ties": "id-ascending"},
        {"queries": "both"},
        {"unjudged": "condensed"},
        {"undefined": "omit"},
        {"pool": "retrieved"},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any]) -> None:
    worlds = [world(seed) for seed in range(10)]
    assert any(
        differences(
            evaluate(*w, MEASURES, profile="ir_measures", **option).per_query,
            of_ir_measures(MEASURES, *w)[0],
            ADDITIONS,
        )
        for w in worlds
    )


@NEEDS_PERL
@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("seed", range(10))
def test_exponential_gain_is_gdeval_with_scores_as_doubles(seed: int) -> None:
    """What the profile's note says: gdeval's 5 decimals, and 0 for each query that it leaves out.

    gdeval takes the scores as they are written; so the profile needs scores="double" here.
    """
    qrels, run = world(seed)
    name = "nDCG(dcg='exp-log2')@10"
    values, _ = of_ir_measures([name], qrels, run)
    (ours,) = evaluate(qrels, run, name, profile="ir_measures", scores="double").per_query.values()
    assert {query: f"{x:.5f}" for query, x in ours.items()} == {
        query: f"{x:.5f}" for query, x in values[name].items()
    }


@NEEDS_PERL
@pytest.mark.spec("RS-CAS-2")
@pytest.mark.parametrize("seed", range(10))
def test_err_is_gdeval_with_scores_as_doubles(seed: int) -> None:
    """A query that gdeval leaves out has the value 0, by its definition here."""
    qrels, run = world(seed)
    values, _ = of_ir_measures(["ERR@10"], qrels, run)
    (ours,) = evaluate(
        qrels, run, "ERR@10", profile="ir_measures", scores="double"
    ).per_query.values()
    assert {query: f"{x:.5f}" for query, x in ours.items()} == {
        query: f"{x:.5f}" for query, x in values["ERR@10"].items()
    }


RBP = ["RBP(rel=1)", "RBP(p=0.5, rel=2)", "RBP(p=0.95, rel=1)"]


@pytest.mark.spec("RS-CAS-5")
@pytest.mark.parametrize("seed", SEEDS)
def test_rbp_is_that_of_cwl_eval(seed: int) -> None:
    """cwl_eval multiplies the weights of 1000 ranks, one after the other, and normalises them."""
    pytest.importorskip("cwl", reason='cwl_eval is not installed: pip install ".[peers]"')
    qrels, run = world(seed)
    values, _ = of_ir_measures(RBP, qrels, run)
    ours = evaluate(qrels, run, RBP, profile="ir_measures", scores="double", ties="input")
    columns = dict(zip(RBP, ours.per_query.values(), strict=True))
    assert differences(columns, values, 1000) == []


@pytest.mark.spec("RS-CONV-18")
def test_a_cut_reciprocal_rank_is_another_providers_as_the_note_says() -> None:
    """RR@k takes ties in the order of the input, as its provider msmarco does; RR does not."""
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}
    values, _ = of_ir_measures(["RR", "RR@5"], qrels, run)
    assert values == {"RR": {"1": 0.5}, "RR@5": {"1": 1.0}}
    ours = evaluate(qrels, run, ["RR", "RR@5"], profile="ir_measures")
    assert ours.per_query == {"RR": {"1": 0.5}, "RR@5": {"1": 0.5}}
