"""The functions and scorers of rankspec.compat.sklearn in scikit-learn and against it."""

from __future__ import annotations

import inspect
from fractions import Fraction

import numpy as np
import pytest

import rankspec as rs
from rankspec.compat.groups import evaluate_groups
from rankspec.compat.sklearn import dcg_score, group_score, ndcg_score, scorer
from rankspec.errors import InputError

from .learning import rows
from .needs import library

sklearn = library("sklearn")
metrics = library("sklearn.metrics")
model_selection = library("sklearn.model_selection")
linear_model = library("sklearn.linear_model")

NEAR = {"rel": 1e-12}


def tables(seed, ties=True):
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 9)), int(rng.integers(2, 20)))
    labels = rng.choice([0, 0, 1, 2.5, 4], shape)
    if seed % 3 == 0:
        labels[0] = 0
    scores = (
        rng.integers(0, 6, shape) / 4
        if ties
        else rng.permuted(np.tile(np.arange(shape[1]), (shape[0], 1)), axis=1)
    )
    return labels, scores, rng.integers(1, 9, shape[0]) / 8


@pytest.mark.spec("RS-CONV-18", "RS-EXP-2", "RS-EXP-3")
def test_the_values_are_those_of_scikit_learn():
    for seed in range(40):
        labels, scores, weights = tables(seed)
        for given in ({}, {"k": 1}, {"k": 5}, {"k": 50}, {"sample_weight": weights}):
            ours, theirs = (f(labels, scores, **given) for f in (ndcg_score, metrics.ndcg_score))
            assert ours == pytest.approx(theirs, **NEAR)
            for base in (2, 10, 2.5):
                ours, theirs = (
                    f(labels, scores, log_base=base, **given)
                    for f in (dcg_score, metrics.dcg_score)
                )
                assert ours == pytest.approx(theirs, **NEAR)


def test_without_ties_nothing_is_ignored():
    for seed in range(10):
        labels, scores, _ = tables(seed, ties=False)
        theirs = metrics.ndcg_score(labels, scores, k=3, ignore_ties=True)
        assert ndcg_score(labels, scores, k=3, ignore_ties=True) == pytest.approx(theirs, **NEAR)
    labels, scores = [[0, 1, 2]], [[1, 1, 1]]
    assert ndcg_score(labels, scores, ignore_ties=True) == rs.ndcg([0, 1, 2])
    assert ndcg_score(labels, scores) == rs.ndcg([0, 1, 2], scores=[1, 1, 1])


@pytest.mark.spec("RS-NUM-5")
def test_means_are_exact():
    labels, scores, weights = tables(4)
    values = [
        Fraction(rs.ndcg(y.tolist(), scores=s.tolist()))
        for y, s in zip(labels, scores, strict=True)
    ]
    w = list(map(Fraction, weights.tolist()))
    mean = sum(a * b for a, b in zip(w, values, strict=True)) / sum(w)
    assert ndcg_score(labels, scores, sample_weight=weights) == float(mean)
    assert ndcg_score(labels, scores) == float(sum(values) / len(values))


def test_the_signatures_are_theirs():
    for ours, theirs in ((ndcg_score, metrics.ndcg_score), (dcg_score, metrics.dcg_score)):
        own, other = (inspect.signature(f).parameters for f in (ours, theirs))
        assert [(p.name, p.kind, p.default) for p in own.values()] == [
            (p.name, p.kind, p.default) for p in other.values()
        ]


@pytest.mark.parametrize(
    ("labels", "scores", "given", "words"),
    [
        ([1, 0], [1, 0], {}, "expected a table"),
        ([[1, 0]], [[1, 0, 2]], {}, "shape"),
        ([[1, -1]], [[1, 0]], {}, "-1"),
        ([[1, 0]], [[1, float("nan")]], {}, "nan"),
        ([[1, 0]], [[1, 0]], {"k": 0}, "at least 1"),
        ([[1, 0]], [[1, 0]], {"sample_weight": [0]}, "all weights are 0"),
        ([[1, 0]], [[1, 0]], {"sample_weight": [1, 2]}, "2 weights for 1 queries"),
        (np.empty((0, 3)), np.empty((0, 3)), {}, "no row"),
    ],
)
def test_bad_input_has_its_place(labels, scores, given, words):
    with pytest.raises(InputError, match=words):
        ndcg_score(labels, scores, **given)


NO_TABLES = [
    [[1, 2], [3]],
    np.array([[1, None]], dtype=object),
    np.array([[1, [2]]], dtype=object),
    [["a", "b"]],
    [["1", "2"]],
    [[1j, 0]],
    [[10**400, 1]],
    np.array([["2020-01-01", "2020-01-02"]], dtype="M8[D]"),
    {1: 2},
    "ab",
    b"ab",
    None,
    [[[1, 0]]],
    [1, 0],
    [[1, float("nan")]],
    [[1, float("inf")]],
]
NO_WEIGHTS = [
    [[1], [2, 3]],
    ["a"],
    [{}],
    [None],
    [1j],
    "a",
    2.0,
    [[1.0]],
    [-1],
    [float("nan")],
    [1, 2],
]


@pytest.mark.parametrize("score", [ndcg_score, dcg_score])
def test_errors_name_the_argument_and_are_theirs_by_type(score):
    """ValueError, which scikit-learn documents, and no other error of numpy."""
    wrong = [({"y_true": x, "y_score": [[1, 0]]}, "y_true") for x in NO_TABLES]
    wrong += [({"y_true": [[1, 0]], "y_score": x}, "y_score") for x in NO_TABLES]
    right = {"y_true": [[1, 0]], "y_score": [[2.0, 1.0]]}
    wrong += [({**right, "sample_weight": x}, "sample_weight") for x in NO_WEIGHTS]
    wrong += [({**right, "k": x}, "k") for x in (0, -1, "2", 2.0, [1])]
    wrong += [({**right, "ignore_ties": "x"}, "ignore_ties")]
    wrong += [({**right, "y_true": [[1, -1]]}, "y_true")]
    if score is dcg_score:
        wrong += [({**right, "log_base": x}, "log_base") for x in ("a", 1, 0, -2, None, [2])]
    for given, name in wrong:
        with pytest.raises(InputError, match=f"^{name}: ") as caught:
            score(**given)
        assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("argument", ["labels", "scores", "group_id", "weights"])
def test_lists_of_several_lengths_are_refused_by_name(argument):
    given = {"labels": [1, 0], "scores": [2, 1], "group_id": [1, 1], "weights": [1]}
    with pytest.raises(InputError, match=f"^{argument}: expected a list with one item per"):
        evaluate_groups("nDCG", **{**given, argument: [[1], [2, 3]]})
    with pytest.raises(InputError, match=r"^sizes: expected a list of the numbers of rows"):
        evaluate_groups("nDCG", labels=[1, 0], scores=[2, 1], sizes=[[1], [2, 3]])


@pytest.mark.parametrize("column", [2, "query", None, 1.5])
def test_a_column_that_is_not_there(column):
    model = linear_model.Ridge().fit([[1, 2], [3, 4]], [1, 0])
    with pytest.raises(InputError, match=r"^column: X has no column"):
        scorer("nDCG@10", column=column or "")(model, np.array([[1, 2], [3, 4]]), [1, 0])


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def expected_of_splits(made, measure, **conventions):
    """The mean score of each split, of a model fitted here."""
    found = []
    splits = model_selection.GroupKFold(3).split(made.X, made.y, made.queries)
    for train, test in splits:
        model = linear_model.Ridge(alpha=1.0).fit(made.X[train], made.y[train])
        scores = model.predict(made.X[test])
        found += evaluate_groups(
            measure, labels=made.y[test], scores=scores, group_id=made.queries[test], **conventions
        ).values()
    return found


@pytest.mark.usefixtures("routing")
def test_a_search_scores_by_the_groups_that_fit_is_given():
    made = rows(2)
    search = model_selection.GridSearchCV(
        linear_model.Ridge(),
        {"alpha": [1.0, 1e6]},
        scoring=scorer("nDCG@10", undefined="omit", gain="exp2"),
        cv=model_selection.GroupKFold(3),
        error_score="raise",
    ).fit(made.X, made.y, groups=made.queries)
    scores = [search.cv_results_[f"split{a}_test_score"][0] for a in range(3)]
    assert scores == expected_of_splits(made, "nDCG@10", undefined="omit", gain="exp2")
    other = scorer("nDCG@10")
    assert search.score(made.X, made.y, groups=made.queries) != other(
        search.best_estimator_, made.X, made.y, groups=made.queries
    )


def test_a_search_scores_by_a_column_in_other_processes_too():
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline

    made = rows(2)
    frame = pd.DataFrame(made.X, columns=list("abcd")).assign(qid=made.queries)
    model = make_pipeline(
        make_column_transformer(("drop", ["qid"]), remainder="passthrough"),
        linear_model.Ridge(alpha=1.0),
    )
    for X, column in ((frame, "qid"), (frame.to_numpy(), 4)):
        own = model if column == "qid" else linear_model.Ridge(alpha=1.0)
        found = model_selection.cross_validate(
            own,
            X,
            made.y,
            groups=made.queries,
            scoring={"a": scorer("nDCG@10", column=column), "b": scorer("AP", column=column)},
            cv=model_selection.GroupKFold(3),
            error_score="raise",
        )
        if column == "qid":
            assert found["test_a"].tolist() == expected_of_splits(made, "nDCG@10")
            assert found["test_b"].tolist() == expected_of_splits(made, "AP")
    with pytest.raises(InputError, match="no column 'query'"):
        scorer("AP", column="query")(model, frame, made.y)


def test_a_scorer_by_groups_needs_routing():
    assert not sklearn.get_config()["enable_metadata_routing"]
    with pytest.raises(InputError, match=r"^scorer: .*set_config\(enable_metadata_routing=True\)"):
        scorer("nDCG@10")
    assert scorer("nDCG@10", column=0).measure == "nDCG@10"


def test_a_scorer_is_of_one_measure():
    for given in ({"column": 0}, {}):
        with pytest.raises(InputError, match="several"):
            scorer("nDCG@5,10", **given)
        with pytest.raises(InputError, match="unknown measure"):
            scorer("ndgg", **given)
        with pytest.raises(InputError, match="lower values of 'Unjudged@5' are better"):
            scorer("Unjudged@5", **given)
    with pytest.raises(InputError, match="several"):
        group_score([1], [1], groups=[1], measure="AP@1,2")
    with pytest.raises(InputError, match=r'hand over: scoring=scorer\("nDCG@10"\)'):
        scorer(linear_model.Ridge(), [[1.0]], [1.0])
    with pytest.raises(TypeError, match="rell"):
        scorer("AP", column=0, rell=2)


@pytest.mark.spec("RS-CONV-28")
def test_labels_and_scores_that_look_swapped_are_remarked():
    for score in (ndcg_score, dcg_score):
        with pytest.warns(rs.InputWarning, match="are labels and scores swapped") as caught:
            score([[0.1, 0.7, 0.3]], [[2, 0, 1]])
        assert [x.filename for x in caught] == [__file__]
