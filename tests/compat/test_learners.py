"""Evaluation functions in LightGBM, XGBoost and CatBoost, against what these compute themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from rankspec.cli.main import main
from rankspec.compat import catboost as with_catboost
from rankspec.compat import lightgbm as with_lightgbm
from rankspec.compat import xgboost as with_xgboost
from rankspec.compat.groups import evaluate_groups
from rankspec.errors import InputError

from .learning import rows
from .needs import library

PAGE = Path(__file__).parents[2] / "docs" / "compat" / "lightgbm.md"
CUTOFFS = (1, 3, 10)
NAMES = [f"nDCG@{k}" for k in CUTOFFS] + [f"AP(norm='min')@{k}" for k in CUTOFFS]
THEIRS = [f"{name}@{k}" for name in ("ndcg", "map") for k in CUTOFFS]
NEAR = {"rel": 1e-12, "abs": 1e-14}
LIGHTGBM = {"objective": "lambdarank", "verbose": -1, "num_leaves": 4, "num_threads": 1}
LIGHTGBM |= {"metric": ["ndcg", "map"], "eval_at": CUTOFFS, "deterministic": True}
XGBOOST = {"objective": "rank:ndcg", "max_depth": 2, "nthread": 1, "eval_metric": THEIRS}


def of_lightgbm(valid, feval, weight=None):
    """What LightGBM computes itself in each round, and what feval does."""
    lgb = library("lightgbm")
    train = rows(0)
    data = lgb.Dataset(train.X, train.y, group=train.sizes)
    other = lgb.Dataset(valid.X, valid.y, group=valid.sizes, weight=weight, reference=data)
    found = {}
    record = lgb.record_evaluation(found)
    lgb.train(LIGHTGBM, data, 4, valid_sets=[other], feval=feval, callbacks=[record])
    columns = list(found["valid_0"].values())
    return columns[: len(THEIRS)], columns[len(THEIRS) :]


@pytest.mark.slow
def test_the_values_are_those_of_lightgbm():
    feval = with_lightgbm.feval(NAMES, **with_lightgbm.AS_LIGHTGBM)
    for seed in range(1, 4):
        theirs, ours = of_lightgbm(rows(seed), feval)
        assert np.array(ours) == pytest.approx(np.array(theirs), **NEAR)
        assert len(ours) == 6


def test_so_are_those_of_the_command_line(tmp_path, capsys, monkeypatch):
    """By the options that the page has."""
    lgb = library("lightgbm")
    train, valid = rows(0), rows(1)
    data = lgb.Dataset(train.X, train.y, group=train.sizes)
    other = lgb.Dataset(valid.X, valid.y, group=valid.sizes, reference=data)
    found = {}
    record = lgb.record_evaluation(found)
    model = lgb.train(LIGHTGBM, data, 4, valid_sets=[other], callbacks=[record])
    monkeypatch.chdir(tmp_path)
    lines = (f"{int(y)} qid:{q} 1:0\n" for y, q in zip(valid.y, valid.queries, strict=True))
    Path("valid.txt").write_text("".join(lines))
    Path("scores.txt").write_text("".join(f"{x!r}\n" for x in model.predict(valid.X).tolist()))
    (command,) = re.findall(r"^rankspec (eval --letor .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    values = {}
    for options in (command, command.replace(" --undefined one", "")):
        for k in CUTOFFS:
            asked = options.replace("nDCG@5", f"nDCG@{k}").split()
            assert main([*asked, "--format", "json"]) == 0
            mean = json.loads(capsys.readouterr().out)["runs"][0]["mean"]
            values[options, k] = next(iter(mean.values()))
    theirs = [found["valid_0"][f"ndcg@{k}"][-1] for k in CUTOFFS]
    assert [values[command, k] for k in CUTOFFS] == pytest.approx(theirs, **NEAR)
    assert list(values.values())[3:] != pytest.approx(theirs, **NEAR)  # a control


@pytest.mark.slow
def test_so_are_those_of_weighted_queries():
    valid = rows(1, empty=False)
    weight = np.repeat(np.random.default_rng(0).integers(1, 5, len(valid.sizes)), valid.sizes)
    feval = with_lightgbm.feval(NAMES, **with_lightgbm.AS_LIGHTGBM)
    theirs, ours = of_lightgbm(valid, feval, weight)
    assert np.array(ours) == pytest.approx(np.array(theirs), **NEAR)
    _, unweighted = of_lightgbm(valid, feval)
    assert ours != unweighted


@pytest.mark.parametrize("other", [{"gain": "linear"}, {"ties": "best"}, {"undefined": "zero"}])
def test_control_another_convention_is_seen_in_lightgbm(other):
    feval = with_lightgbm.feval(NAMES, **with_lightgbm.AS_LIGHTGBM | other)
    theirs, ours = of_lightgbm(rows(1), feval)
    assert np.array(ours) != pytest.approx(np.array(theirs), **NEAR)


@pytest.mark.filterwarnings("ignore:The argument 'eval_set'")
def test_the_ranker_of_lightgbm_stops_by_it():
    lgb = library("lightgbm")
    train, valid = rows(0), rows(1)
    model = lgb.LGBMRanker(n_estimators=30, num_leaves=4, n_jobs=1, verbose=-1, metric="None")
    model.fit(
        train.X,
        train.y,
        group=train.sizes,
        eval_set=[(valid.X, valid.y)],
        eval_group=[valid.sizes],
        eval_metric=with_lightgbm.eval_metric(["RR@5", "AP"]),
        callbacks=[lgb.early_stopping(3, first_metric_only=True, verbose=False)],
    )
    (curves,) = model.evals_result_.values()
    assert list(curves) == ["RR@5", "AP"]
    best = model.best_iteration_
    assert curves["RR@5"][best - 1] == max(curves["RR@5"])
    scores = model.predict(valid.X, num_iteration=best)
    after = evaluate_groups(["RR@5", "AP"], labels=valid.y, scores=scores, sizes=valid.sizes)
    assert dict(after) == {name: curve[best - 1] for name, curve in curves.items()}


def of_xgboost(valid, metric, names=THEIRS, weight=None):
    xgb = library("xgboost")
    train = rows(0)
    data = xgb.DMatrix(train.X, train.y, group=train.sizes)
    other = xgb.DMatrix(valid.X, valid.y, qid=valid.queries, weight=weight)
    found = {}
    xgb.train(
        XGBOOST | {"eval_metric": names},
        data,
        4,
        evals=[(other, "v")],
        custom_metric=metric,
        evals_result=found,
        verbose_eval=False,
    )
    columns = list(found["v"].values())
    return columns[: len(names)], columns[len(names) :]


@pytest.mark.slow
def test_the_values_are_those_of_xgboost():
    """Its map takes labels 0 and 1 only."""
    graded = with_xgboost.custom_metric(NAMES[:3], **with_xgboost.AS_XGBOOST)
    both = with_xgboost.custom_metric(NAMES, **with_xgboost.AS_XGBOOST)
    for seed in range(1, 4):
        theirs, ours = of_xgboost(rows(seed), graded, THEIRS[:3])
        assert np.array(ours) == pytest.approx(np.array(theirs), rel=1e-6)  # XGBoost has floats
        theirs, ours = of_xgboost(rows(seed, binary=True), both)
        assert np.array(ours) == pytest.approx(np.array(theirs), rel=1e-6)


def test_weights_of_queries_are_those_of_xgboost():
    valid = rows(1, empty=False)
    weight = np.random.default_rng(0).integers(1, 5, len(valid.sizes))
    metric = with_xgboost.custom_metric(NAMES[:3], **with_xgboost.AS_XGBOOST)
    theirs, ours = of_xgboost(valid, metric, THEIRS[:3], weight)
    assert np.array(ours) == pytest.approx(np.array(theirs), rel=1e-6)
    assert ours != of_xgboost(valid, metric, THEIRS[:3])[1]


@pytest.mark.parametrize("other", [{"gain": "linear"}, {"ties": "best"}, {"undefined": "zero"}])
def test_control_another_convention_is_seen_in_xgboost(other):
    metric = with_xgboost.custom_metric(NAMES[:3], **with_xgboost.AS_XGBOOST | other)
    theirs, ours = of_xgboost(rows(1), metric, THEIRS[:3])
    assert np.array(ours) != pytest.approx(np.array(theirs), rel=1e-6)


def test_data_without_queries_are_refused():
    lgb, xgb = library("lightgbm"), library("xgboost")
    X, y = np.zeros((4, 1)), np.array([0, 1, 0, 1])
    data = lgb.Dataset(X, y).construct()
    with pytest.raises(InputError, match="give group"):
        with_lightgbm.feval("AP")(y, data)
    with pytest.raises(InputError, match="give qid or group"):
        with_xgboost.custom_metric("AP")(y, xgb.DMatrix(X, y))
    with pytest.raises(InputError, match="no cut-off"):
        with_lightgbm.feval("AP@x")


def test_a_measure_is_recorded_by_the_name_that_it_was_given():
    lgb, xgb = library("lightgbm"), library("xgboost")
    made = rows(0, queries=20)
    feval = with_lightgbm.feval(["nDCG@5", "map"], **with_lightgbm.AS_LIGHTGBM)
    data, found = lgb.Dataset(made.X, made.y, group=made.sizes), {}
    lgb.train(
        LIGHTGBM | {"metric": "None"},
        data,
        2,
        valid_sets=[lgb.Dataset(made.X, made.y, group=made.sizes, reference=data)],
        feval=feval,
        callbacks=[lgb.record_evaluation(found)],
    )
    assert list(found["valid_0"]) == ["nDCG@5", "map"]
    metric = with_xgboost.custom_metric(["nDCG@5,10", "map"], **with_xgboost.AS_XGBOOST)
    matrix, found = xgb.DMatrix(made.X, made.y, qid=made.queries), {}
    params = XGBOOST | {"disable_default_eval_metric": True, "eval_metric": []}
    xgb.train(
        params,
        matrix,
        2,
        evals=[(matrix, "v")],
        custom_metric=metric,
        evals_result=found,
        verbose_eval=False,
    )
    assert list(found["v"]) == ["nDCG@5", "nDCG@10", "map"]


@pytest.mark.filterwarnings("ignore:The argument 'eval_set'")
def test_a_hook_in_the_place_of_another_says_which_is_meant():
    lgb, xgb = library("lightgbm"), library("xgboost")
    library("sklearn")
    made = rows(0, queries=10)
    given = {"group": made.sizes, "eval_set": [(made.X, made.y)], "eval_group": [made.sizes]}

    def fit(hook):
        model = lgb.LGBMRanker(n_estimators=2, n_jobs=1, verbose=-1, metric="None")
        model.fit(made.X, made.y, **given, eval_metric=hook)

    def train(hook):
        data = lgb.Dataset(made.X, made.y, group=made.sizes)
        lgb.train(LIGHTGBM | {"metric": "None"}, data, 2, valid_sets=[data], feval=hook)

    def train_xgboost(hook):
        data = xgb.DMatrix(made.X, made.y, qid=made.queries)
        given = {"evals": [(data, "v")], "verbose_eval": False}
        xgb.train(XGBOOST | {"eval_metric": "ndcg@5"}, data, 2, custom_metric=hook, **given)

    def fit_xgboost(hook):
        model = xgb.XGBRanker(n_estimators=2, n_jobs=1, eval_metric=hook)
        model.fit(
            made.X,
            made.y,
            qid=made.queries,
            eval_set=[(made.X, made.y)],
            eval_qid=[made.queries],
            verbose=False,
        )

    for use, hook, words in (
        (fit, with_lightgbm.feval("AP"), r"eval_metric=\.\.\.\) takes rankspec.*eval_metric\(\)"),
        (train, with_lightgbm.eval_metric("AP"), r"feval=\.\.\.\) takes rankspec.*feval\(\)"),
        (train, with_lightgbm.feval, r'hand over: feval=feval\("nDCG@10"\)'),
        (train, with_lightgbm.eval_metric, r"hand over: eval_metric=eval_metric\("),
        (train_xgboost, with_xgboost.custom_metric, r"custom_metric=custom_metric\("),
        (fit_xgboost, with_xgboost.custom_metric("AP"), r"evaluate_groups\(\) on the predictions"),
    ):
        with pytest.raises(InputError, match=words):
            use(hook)
    fit(with_lightgbm.eval_metric("AP"))
    train(with_lightgbm.feval("AP"))
    train_xgboost(with_xgboost.custom_metric("AP"))


def test_what_is_no_pool_is_refused():
    with pytest.raises(InputError, match=r"pool: expected a catboost.Pool, got \[1\]"):
        with_catboost.evaluate_pool("AP", [0.5], [1])


def test_a_pool_of_catboost_is_evaluated_after_training():
    catboost = library("catboost")
    train, valid = rows(0), rows(1)
    pool, other = (catboost.Pool(part.X, part.y, group_id=part.queries) for part in (train, valid))
    model = catboost.CatBoost(
        {
            "loss_function": "YetiRank",
            "iterations": 5,
            "thread_count": 1,
            "verbose": False,
            "allow_writing_files": False,
        }
    ).fit(pool)
    scores = model.predict(other)
    found = with_catboost.evaluate_pool(["nDCG@10", "AP"], model, other)
    assert dict(found) == dict(
        evaluate_groups(["nDCG@10", "AP"], labels=valid.y, scores=scores, sizes=valid.sizes)
    )
    assert dict(with_catboost.evaluate_pool(["nDCG@10", "AP"], scores, other)) == dict(found)
    # Its own: type=Exp;denominator=LogPosition, the worst order of ties, 1 where nothing is gained
    from catboost.utils import eval_metric

    theirs = eval_metric(valid.y, scores, "NDCG:top=10;type=Exp", group_id=valid.queries)
    ours = with_catboost.evaluate_pool(
        "nDCG@10", scores, other, gain="exp2", ties="worst", undefined="one"
    )
    assert list(ours.values()) == pytest.approx(theirs, rel=1e-6)
    with pytest.raises(InputError, match="no group_id"):
        with_catboost.evaluate_pool("AP", scores, catboost.Pool(valid.X, valid.y))
