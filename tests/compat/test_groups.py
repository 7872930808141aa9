"""Measures of rows in groups: what evaluate_letor() gives, and exact weighted means."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rankspec as rs
from rankspec.compat.evaluate import compute
from rankspec.compat.groups import asked, evaluate_groups, in_groups, mean_of, weights_of_rows
from rankspec.compat.lightgbm import eval_metric
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS

from .learning import rows
from .needs import library

MEASURES = ["nDCG@10", "nDCG(gain='exp2')", "AP", "RR@5", "P@3", "ERR@10", "AP(norm='min')@4"]


def letor(made, tmp_path):
    path = tmp_path / "rows.txt"
    lines = (f"{int(y)} qid:{q} 1:0\n" for y, q in zip(made.y, made.queries, strict=True))
    path.write_text("".join(lines))
    return path


def direction(metric):
    """1 where three relevant items are worth more than three others, -1 where less, else 0.

    The others are judged, and where that counts unjudged too.
    """
    of = getattr(rs, metric.function)
    pool = {"judged": [1, 1, 1, 0, 0, 0]} if metric.judged else {}
    flags = [{}, {"unjudged": [1, 1, 1]}] if metric.labels.unjudged else [{}]
    found = {np.sign(of([1, 1, 1], **pool) - of([0, 0, 0], **pool, **given)) for given in flags}
    (way,) = found - {0} or {0}
    return way


def test_scores_of_several_classes_are_refused():
    with pytest.raises(
        InputError, match=r"scores: the array has the shape \(4, 3\); expected one score"
    ):
        eval_metric("AP")([1, 0, 1, 0], np.zeros((4, 3)), group=[2, 2])


def test_what_is_better_is_told():
    """By the values themselves: three relevant items are the better list."""
    for metric in METRICS:
        assert direction(metric) in (0, 1 if metric.more_is_better else -1), metric
    for name, more in (
        ("nDCG@10", True),
        ("Unjudged@5", False),
        ("GRBP_residual", False),
        ("RBP_residual(p=0.5)", False),
        ("NumNonrelRet", False),
        ("GM(Unjudged@5)", False),
        ("GM(AP)", True),
    ):
        told = eval_metric(name)([1, 0], [2, 1], group=[2])
        assert [x[2] for x in told] == [more], name
        for given in (True, False):
            told = eval_metric(name, higher_is_better=given)([1, 0], [2, 1], group=[2])
            assert [x[2] for x in told] == [given]
    both = eval_metric(["AP", "Unjudged@5"])([1, 0], [2, 1], group=[2])
    assert [x[2] for x in both] == [True, False]


@pytest.mark.parametrize("ties", ["expected", "input", "best", "worst"])
@pytest.mark.parametrize("undefined", ["zero", "one", "omit"])
@pytest.mark.spec("RS-CONV-21", "RS-CONV-4", "RS-NUM-5")
def test_groups_are_the_queries_of_a_letor_file(ties, undefined, tmp_path):
    made = rows(3)
    names = MEASURES if undefined != "one" else [m for m in MEASURES if "ERR" not in m]
    scores = made.X[:, 0]
    conventions = {"ties": ties, "undefined": undefined}
    expected = rs.evaluate_letor(letor(made, tmp_path), names, predictions=scores, **conventions)
    for order in (np.arange(len(scores)), np.random.default_rng(0).permutation(len(scores))):
        if ties == "input" and order[0]:
            continue
        found = evaluate_groups(
            names,
            labels=made.y[order],
            scores=scores[order],
            group_id=made.queries[order],
            **conventions,
        )
        assert dict(found) == expected.mean
        assert found.queries == tuple(dict.fromkeys(map(str, made.queries[order])))
        for name, column in expected.per_query.items():
            assert found.per_query[name] == column
    sizes = evaluate_groups(names, labels=made.y, scores=scores, sizes=made.sizes, **conventions)
    assert dict(sizes) == expected.mean
    assert dict(sizes.per_query) == dict(expected.per_query)


def test_control_another_convention_is_seen():
    made = rows(3)

    def found(**given):
        return evaluate_groups(
            MEASURES[:4], labels=made.y, scores=made.X[:, 0], sizes=made.sizes, **given
        )

    for given in ({"ties": "best"}, {"undefined": "omit"}, {"gain": "exp2"}, {"rel": 2}):
        assert dict(found(**given)) != dict(found())


def test_rows_come_together_by_first_mention():
    columns = np.array([1, 2, 3, 4]), np.array([5, 6, 7, 8])
    labels, scores, sizes = in_groups(["b", "a", "b", "c"], *columns)
    assert (labels.tolist(), scores.tolist()) == ([1, 3, 2, 4], [5, 7, 6, 8])
    assert sizes.tolist() == [2, 1, 1]
    mixed = np.array(["b", 1, "b", 2.5], dtype=object)
    assert in_groups(mixed, *columns)[0].tolist() == [1, 3, 2, 4]


@pytest.mark.spec("RS-NUM-5")
def test_the_weighted_mean_is_exact():
    values, weights = [0.1, 0.2, 0.3, math.nan], [0.1, 0.7, 1e-300, 5]
    mean = sum(Fraction(w) * Fraction(x) for w, x in zip(weights[:3], values, strict=False))
    expected = float(mean / sum(map(Fraction, weights[:3])))
    assert mean_of(np.array(values), weights) == expected
    assert math.isnan(mean_of(np.array([math.nan])))
    assert math.isnan(mean_of(np.array([0.5]), [0]))
    assert mean_of(np.array([0.1, 0.2, 0.3])) == 0.2
    assert weights_of_rows([1, 1, 0.1, 0.2, 0.4], np.array([0, 2, 5, 5])) == [
        1.0,
        sum(map(Fraction, (0.1, 0.2, 0.4))) / 3,
        0,
    ]


@pytest.mark.spec("RS-NUM-5")
def test_whole_weights_are_exact_above_2_to_the_53():
    weights = [2**53 + 1, 2**53 + 2]
    groups = {"labels": [1, 0, 0, 1], "scores": [2, 1, 2, 1], "sizes": [2, 2]}
    mean = evaluate_groups("P@1", weights=weights, **groups).mean["P@1"]
    assert mean == float(Fraction(weights[0], sum(weights)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either sizes or group_id"),
        (
            {"sizes": [1, 1], "group_id": [1, 2]},
            "sizes and group_id say the same; give one of them",
        ),
        (
            {"group_id": np.array([1, "1"], dtype=object)},
            r'group_id: 1 and \'1\' both have the text "1"',
        ),
        ({"measures": "GM(AP)", "sizes": [2], "weights": [1]}, "averaged by its geometric mean"),
        ({"sizes": [1]}, "they add up to 1 rows, but there are 2"),
        ({"sizes": [3, -1]}, r"expected a list of the numbers of rows, got \[3, -1\]"),
        ({"sizes": [1.0, 1.0]}, "expected a list of the numbers of rows"),
        ({"group_id": [1]}, "1 ids for 2 rows"),
        ({"group_id": [1.0, math.nan]}, "row 1 has no query"),
        ({"group_id": [None, "a"]}, r"row 0 has no query \(None\)"),
        ({"group_id": [(1, 2), (1,)]}, "expected a list with one item per row"),
        ({"group_id": 5}, "expected a list with one item per row"),
        ({"sizes": [1], "labels": 5}, "labels: expected a list with one item per row, got 5"),
        (
            {"group_id": [1, 1], "labels": None},
            "labels: expected a list with one item per row, got None",
        ),
        ({"sizes": [2], "labels": [[1, 0]]}, "expected a list with one item per row"),
        ({"sizes": [2], "labels": ["x", 1]}, "unsupported type"),
        ({"sizes": [2], "weights": ["x"]}, "a list with one integer or float per query"),
        ({"sizes": [2], "weights": [[1]]}, "expected a list with one item per query"),
        ({"sizes": [2], "weights": [1, 1]}, "2 weights for 1 queries"),
        ({"sizes": [2], "weights": [-1]}, "the weight of query 0 is -1; expected 0 or more"),
        ({"sizes": [2], "weights": [math.nan]}, "the weight of query 0 is nan; expected 0 or more"),
        ({"sizes": [2], "undefined": "nan"}, "undefined"),
        ({"sizes": [2], "ties": "id-descending"}, "document id"),
        ({"sizes": [2], "scores": [0.0, math.nan]}, "nan"),
        ({"sizes": [2], "labels": [0, -1]}, "-1"),
    ],
)
def test_bad_input_has_its_place(given, words):
    rows_ = {"measures": "nDCG@5", "labels": [1, 0], "scores": [0.5, 0.25]} | given
    with pytest.raises(InputError, match=words):
        evaluate_groups(**rows_)


@pytest.mark.spec("RS-CONV-4")
def test_an_undefined_value_is_an_error_that_names_the_query():
    """As rs.evaluate_letor() does, for names of queries and for positions."""
    words = r'measure "AP": query "{}" has the divisor 0, which undefined="error" does not admit'
    given = {"labels": [1, 0, 0], "scores": [3.0, 2.0, 1.0], "undefined": "error"}
    for groups, name in (({"group_id": ["x", "y", "z"]}, "y"), ({"sizes": [1, 2]}, "1")):
        with pytest.raises(InputError, match=words.format(name)):
            evaluate_groups(["RR", "AP"], **given, **groups)
    assert evaluate_groups("AP", **given, sizes=[3]).per_query == {"AP": {"0": 1.0}}
    assert evaluate_groups("RR", **given, sizes=[1, 2]).per_query == {"RR": {"0": 1.0, "1": 0.0}}


def test_the_result_is_an_evaluation_that_reads_like_a_dict():
    given = {"labels": [2, 0, 1, 0, 0], "scores": [0.1, 0.7, 0.3, 0.2, 0.1]}
    found = evaluate_groups(
        ["nDCG@2", "AP"], **given, group_id=["b", "b", "a", "b", "c"], gain="exp2", undefined="omit"
    )
    assert isinstance(found, rs.Evaluation)
    assert found.queries == ("b", "a", "c")
    assert found.per_query["AP"] == {"b": 1 / 3, "a": 1.0}  # c has no value
    assert list(found) == ["nDCG(gain='exp2')@2", "AP"]
    assert found["nDCG@2"] == found["nDCG(gain='exp2')@2"] == dict(found)["nDCG(gain='exp2')@2"]
    assert dict(found) == dict(found.items()) == dict(zip(found, found.values(), strict=True))
    assert found.definition("AP")["queries"] == "the groups of the rows (RS-CONV-21)"
    assert "weighted" not in found.definition("AP")["mean"]
    assert "3 queries" in str(found)
    weighted = evaluate_groups("AP", **given, sizes=[3, 2], weights=[3, 1])
    assert weighted.per_query["AP"] == {"0": 7 / 12, "1": 0.0}
    assert weighted["AP"] == 7 / 16
    assert "weighted" in weighted.definition("AP")["mean"]


def test_its_table_has_a_row_a_query():
    library("pandas")
    given = {"labels": [2, 0, 1], "scores": [0.1, 0.7, 0.3], "sizes": [2, 1]}
    table = evaluate_groups("AP", **given).to_pandas()
    assert table.to_numpy().tolist() == [["0", 0.5], ["1", 1.0]]


@pytest.mark.spec("RS-CONV-53")
def test_a_geometric_mean_is_one():
    given = {"labels": [0, 1, 1, 0], "scores": [2, 1, 2, 1], "sizes": [2, 2]}
    assert evaluate_groups("GM(AP)", **given)["GM(AP)"] == math.sqrt(0.5)
    assert asked("GM(AP)").means([0, 1, 1, 0], [2, 1, 2, 1], np.array([0, 2, 4])) == [
        math.sqrt(0.5)
    ]


@pytest.mark.spec("RS-CONV-28")
def test_labels_and_scores_that_look_swapped_are_remarked():
    y, p = [2, 0, 1, 0], [0.1, 0.7, 0.3, 0.2]
    with pytest.warns(rs.InputWarning, match="are labels and scores swapped") as caught:
        found = evaluate_groups("nDCG@10", labels=p, scores=y, sizes=[3, 1])
    assert [x.filename for x in caught] == [__file__]
    assert found.warnings
    with pytest.warns(rs.InputWarning, match="from 0 to 2: are labels and scores swapped"):
        compute(predictions=[y], references=[p])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ([2, 0, 1, 0], [0.1, 0.7, 0.3, 0.2]),
        ([0.5, 0, 1, 0], [1, 0, 0, 1]),
        ([0.5, 0.5, 1.5, 0], [1, 0, 0, 11]),
        ([0.5, 0.5, 1.5, 0], [1, 0, 0, 1.5]),
        ([True, False, True, False], [1, 0, 0, 1]),
    ],
)
def test_control_what_is_meant_is_not_remarked(labels, scores):
    evaluate_groups("nDCG@10", labels=labels, scores=scores, sizes=[3, 1])


def test_measures_have_the_names_that_were_given():
    assert asked([" nDCG@10", "map", "AP"], gain="exp2").names == ("nDCG@10", "map")
    assert asked("nDCG@5,10", gain="exp2").names == ("nDCG@5", "nDCG@10")
    assert asked("ndcg_cut_5,10", gain="exp2").names == ("nDCG@5", "nDCG@10")
    assert asked([rs.AP(rel=2), "RR"], rel=3).names == ("AP(rel=2)", "RR")
    assert asked([rs.nDCG(k=3), "nDCG@3"], gain="exp2").names == (
        "nDCG@3",
        "nDCG(gain='exp2')@3",
    )


def test_no_query_has_no_mean():
    assert math.isnan(
        evaluate_groups("AP", labels=[], scores=[], sizes=np.array([], dtype=int))["AP"]
    )
    assert asked("AP").means([], [], np.array([0, 0])) == [0.0]  # a query without a row


def test_labels_that_look_like_scores_are_asked_about():
    rows = {"labels": [-1.5, 0.25, 0.5], "scores": [1, 0, 2], "sizes": [3]}
    with pytest.raises(InputError, match=r"must not be negative; .*labels and scores swapped"):
        evaluate_groups("nDCG", **rows)
    with pytest.raises(InputError) as error:  # the control: scores as scores are
        evaluate_groups("nDCG", **rows | {"scores": [0.1, 0.3, 0.2]})
    assert "swapped" not in str(error.value)
