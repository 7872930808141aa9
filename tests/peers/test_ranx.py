"""The profile ranx against that package's Qrels and Run."""

from __future__ import annotations

import math
import warnings
from typing import Any

import pytest

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.metrics.grammar import measures

from .agreement import Values, differences, mean_differences
from .compiled_ranx import compiled_ranx
from .worlds import SEEDS, Table, without_ties, world

__all__ = ["compiled_ranx"]

with warnings.catch_warnings(action="ignore"):  # of what ranx imports
    ranx = pytest.importorskip("ranx", reason='ranx is not installed: pip install ".[peers]"')

pytestmark = pytest.mark.usefixtures("compiled_ranx")

NAMES = {
    "nDCG": "ndcg",
    "nDCG@3": "ndcg@3",
    "nDCG@100": "ndcg@100",
    "nDCG(gain='exp2')@10": "ndcg_burges@10",
    "nDCG(gain='exp2')": "ndcg_burges",
    "DCG": "dcg",
    "DCG@10": "dcg@10",
    "DCG(gain='exp2')@10": "dcg_burges@10",
    "P": "precision",
    "R": "recall",
    "AP": "map",
    "AP@5": "map@5",
    "P@1": "precision@1",
    "P@50": "precision@50",
    "R@10": "recall@10",
    "RR": "mrr",
    "RR@3": "mrr@3",
    "Rprec": "r-precision",
    "Success@3": "hit_rate@3",
    "F": "f1",
    "F@5": "f1@5",
    "NumRelRet@3": "hits@3",
    "NumRelRet": "hits",
}
ADDITIONS = 45  # no list and no pool is longer
STABLE = 15  # documents, of which numba's sort keeps the order where they are equal


def of_ranx(qrels: Table, run: Table) -> tuple[Values, dict[str, float]]:
    """The values and the means."""
    judged, scored = ranx.Qrels(qrels), ranx.Run(run)
    with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
        ranx.evaluate(judged, scored, list(NAMES.values()))
    return (
        {ours: dict(scored.scores[theirs]) for ours, theirs in NAMES.items()},
        {ours: scored.mean_scores[theirs] for ours, theirs in NAMES.items()},
    )


def by_profile(qrels: Table, run: Table, **options: Any) -> tuple[Values, dict[str, float]]:
    result = evaluate(qrels, run, NAMES, profile="ranx", **options)
    return (
        dict(zip(NAMES, result.per_query.values(), strict=True)),
        dict(zip(NAMES, result.mean.values(), strict=True)),
    )


@pytest.mark.spec("RS-CONV-18", "RS-CONV-7", "RS-CONV-9")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_ranx_on_short_lists(seed: int) -> None:
    qrels, run = world(seed, longest=STABLE, missing=False)
    ours, means = by_profile(qrels, run)
    theirs, their_means = of_ranx(qrels, run)
    assert differences(ours, theirs, ADDITIONS) == []
    assert mean_differences(means, their_means, len(qrels), ADDITIONS) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_ranx_on_long_lists_without_ties(seed: int) -> None:
    qrels, run = world(seed, longest=45, missing=False)
    run = without_ties(run)
    assert differences(by_profile(qrels, run)[0], of_ranx(qrels, run)[0], ADDITIONS) == []


@pytest.mark.spec("RS-CONV-18")
def test_long_ties_are_in_some_order_as_the_note_says() -> None:
    """Its values are within the bounds of all orders, and not those of the input's."""
    documents = [f"d{i}" for i in range(40)]
    qrels = {"q": {d: (i * 7) % 40 for i, d in enumerate(documents)}}
    run = {"q": dict.fromkeys(documents, 1.0)}
    theirs = of_ranx(qrels, run)[0]["nDCG"]["q"]
    bounds = [by_profile(qrels, run, ties=rule)[0]["nDCG"]["q"] for rule in ("worst", "best")]
    assert bounds[0] < theirs < bounds[1]
    assert abs(theirs - by_profile(qrels, run)[0]["nDCG"]["q"]) > 1e-3


@pytest.mark.parametrize(
    "option",
    [
        {"ties": "id-descending"},
        {"ties": "best"},
        {"scores": "float32"},
        {"unjudged": "condensed"},
        {"undefined": "omit"},
        {"pool": "retrieved"},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any]) -> None:
    worlds = [world(seed, longest=STABLE, missing=False) for seed in range(10)]
    assert any(differences(by_profile(*w, **option)[0], of_ranx(*w)[0], ADDITIONS) for w in worlds)


@pytest.mark.spec("RS-CONV-9", "RS-CONV-18")
@pytest.mark.parametrize("missing", ["qrels", "run"])
def test_a_query_of_only_one_is_an_error_in_both(missing: str) -> None:
    qrels, run = {"1": {"d_a": 1}, "2": {"d_a": 1}}, {"1": {"d_a": 1.0}, "2": {"d_a": 1.0}}
    del (qrels if missing == "qrels" else run)["2"]
    with pytest.raises(AssertionError, match="do not match"):
        of_ranx(qrels, run)
    with pytest.raises(InputError, match="does not admit that"):
        by_profile(qrels, run)


@pytest.mark.spec("RS-CONV-18")
def test_plain_dicts_are_ordered_otherwise_as_the_note_says() -> None:
    """Given dicts, ranx has equal scores in the reverse of the input's order."""
    qrels, run = {"q": {"d_a": 1}}, {"q": {"d_a": 1.0, "d_b": 1.0}}
    with warnings.catch_warnings(action="ignore"):
        assert ranx.evaluate(qrels, run, "mrr") == 0.5
    assert of_ranx(qrels, run)[0]["RR"] == by_profile(qrels, run)[0]["RR"] == {"q": 1.0}


@pytest.mark.spec("RS-CONV-18")
def test_rbp_is_refused_as_ranx_multiplies_by_the_label() -> None:
    qrels, run = {"q": {"d_a": 3, "d_b": 2, "d_c": 0}}, {"q": {"d_a": 3.0, "d_b": 2.0, "d_c": 1.0}}
    with warnings.catch_warnings(action="ignore"):
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "rbp.80")
    assert abs(theirs - 0.92) < 1e-15
    assert evaluate(qrels, run, "RBP")["RBP"] < 0.4
    with pytest.raises(InputError, match="multiplies by the label itself"):
        evaluate(qrels, run, "RBP", profile="ranx")


@pytest.mark.spec("RS-CONV-18")
def test_fractional_labels_are_refused_as_ranx_cuts_the_fraction_off() -> None:
    qrels, run = {"q": {"d_a": 1.5, "d_b": 0.5}}, {"q": {"d_b": 3.0, "d_a": 2.0}}
    with warnings.catch_warnings(action="ignore"):
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "ndcg")
        cut = ranx.evaluate(ranx.Qrels({"q": {"d_a": 1}}), ranx.Run(run), "ndcg")
    assert theirs == cut
    assert abs(evaluate(qrels, run, "nDCG")["nDCG"] - theirs) > 0.1
    with pytest.raises(InputError, match="ranx cuts the fraction off"):
        evaluate(qrels, run, "nDCG", profile="ranx")


@pytest.mark.spec("RS-CONV-18")
def test_what_passes_over_the_cut_off_is_refused() -> None:
    judged, scored = (
        ranx.Qrels({"q": {"d_a": 1, "d_b": 2}}),
        ranx.Run({"q": {"d_x": 2.0, "d_a": 1.0}}),
    )
    for name in ("bpref", "r-precision"):
        with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
            found = ranx.evaluate(judged, scored, [name, f"{name}@1"])
        assert found[name] == found[f"{name}@1"] or math.isnan(found[name])
    for measure, words in (("Rprec@5", "over the cut-off"), ("Bpref", "is NaN where")):
        with pytest.raises(InputError, match=words):
            evaluate({"q": {"d_a": 1}}, {"q": {"d_a": 1.0}}, measure, profile="ranx")


@pytest.mark.spec("RS-CONV-34")
def test_its_names_are_those_of_the_same_measures() -> None:
    for ours, theirs in NAMES.items():
        if theirs == "recall":  # which is another program's name for nine cut-offs (RS-CONV-34)
            with pytest.raises(InputError, match="needs a cut-off"):
                measures(theirs)
        elif theirs.startswith("hits"):  # a share of queries elsewhere, or a count
            with pytest.raises(InputError, match=r"ambiguous: .* Mean\(NumRelRet\).* in ranx"):
                measures(theirs)
        else:
            assert list(map(str, measures(theirs))) == [ours], theirs


@pytest.mark.slow
@pytest.mark.long  # numba compiles
@pytest.mark.spec("RS-CONV-41")
def test_integers_as_ids_are_queries_of_dicts_alone() -> None:
    with warnings.catch_warnings(action="ignore"):
        own = ranx.evaluate(
            ranx.Qrels({7: {"109": 1}}), ranx.Run({7: {"108": 1.0, "109": 0.5}}), "mrr"
        )
        assert own == 0.5 == evaluate({7: {"109": 1}}, {7: {"108": 1.0, "109": 0.5}}, "RR")["RR"]
        with pytest.raises(Exception, match="contains"):
            ranx.evaluate(ranx.Qrels({7: {"109": 1}}), ranx.Run({"7": {"109": 0.5}}), "mrr")
        with pytest.raises(TypeError):
            ranx.Qrels({"7": {109: 1}})
    assert evaluate({7: {"109": 1}}, {"7": {109: 0.5}}, "RR")["RR"] == 1.0


@pytest.mark.slow(but=1)  # numba compiles
@pytest.mark.spec("RS-CONV-42", "RS-CONV-43")
@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("q_id", "int64"),
        ("doc_id", "int64"),
        ("doc_id", "string"),
        ("doc_id", "category"),
        ("score", "int32"),
        ("score", "float32"),
    ],
)
def test_columns_have_one_type_there(column: str, kind: str) -> None:
    pd = pytest.importorskip("pandas", reason='pandas is not installed: pip install ".[peers]"')
    table = {"q_id": ["7"], "doc_id": ["109"]}
    text = dict.fromkeys(table, object)
    qrels = pd.DataFrame(table | {"score": [1]}).astype(text)
    run = pd.DataFrame(table | {"score": [0.5]}).astype(text)
    assert ranx.Qrels.from_df(qrels).to_dict() == {"7": {"109": 1}}
    assert ranx.Run.from_df(run).to_dict() == {"7": {"109": 0.5}}
    for read, frame in ((ranx.Qrels.from_df, qrels), (ranx.Run.from_df, run)):
        with pytest.raises(AssertionError, match="dtype must be"):
            read(frame.astype({column: kind}))
    names = {"qrels": {"label": "score"}}
    found = evaluate(qrels.astype({column: kind}), run, "RR", profile="ranx", columns=names)
    assert found["RR"] == 1.0


@pytest.mark.slow  # numba compiles
@pytest.mark.spec("RS-CONV-42")
def test_a_score_that_is_nan_is_last_there() -> None:
    qrels, run = {"q": {"d_9": 1}}, {"q": {"d_9": math.nan, "d10": 0.5, "d_8": 0.25}}
    with warnings.catch_warnings(action="ignore"):
        assert ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "mrr") == 1 / 3
    with pytest.raises(InputError, match="finite"):
        evaluate(qrels, run, "RR")


@pytest.mark.slow  # numba compiles
@pytest.mark.spec("RS-CONV-46", "RS-CONV-47")
def test_its_comparisons_take_its_own_objects_and_give_a_row_a_run() -> None:
    qrels, run = (
        {"q": {"d_a": 1}, "r": {"d_a": 1}},
        {"q": {"d_a": 1.0}, "r": {"d_b": 2.0, "d_a": 1.0}},
    )
    with warnings.catch_warnings(action="ignore"):
        assert ranx.evaluate(qrels, run, "mrr") == 0.75
        with pytest.raises(AttributeError):
            ranx.compare(qrels, [run], ["mrr"])
        runs = [ranx.Run(run, name=name) for name in ("A", "B")]
        table = ranx.compare(ranx.Qrels(qrels), runs, ["mrr"]).to_dataframe()
    assert table.to_dict("list") == {"model_names": ["A", "B"], "mrr": [0.75, 0.75]}
