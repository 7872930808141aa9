"""Measures of rows in groups: what evaluate_letor() gives, and exact weighted means."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rankspec as rs
from rankspec.compat.groups import asked, evaluate_groups, in_groups, mean_of, weights_of_rows
from rankspec.errors import InputError

from .learning import rows

MEASURES = ["nDCG@10", "nDCG(gain='exp2')", "AP", "RR@5", "P@3", "ERR@10", "AP(norm='min')@4"]


def letor(made, tmp_path):
    path = tmp_path / "rows.txt"
    lines = (f"{int(y)} qid:{q} 1:0\n" for y, q in zip(made.y, made.queries, strict=True))
    path.write_text("".join(lines))
    return path


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
        assert found == expected.mean
    sizes = evaluate_groups(names, labels=made.y, scores=scores, sizes=made.sizes, **conventions)
    assert sizes == expected.mean


def test_control_another_convention_is_seen():
    made = rows(3)

    def found(**given):
        return evaluate_groups(
            MEASURES[:4], labels=made.y, scores=made.X[:, 0], sizes=made.sizes, **given
        )

    for given in ({"ties": "best"}, {"undefined": "omit"}, {"gain": "exp2"}, {"rel": 2}):
        assert found(**given) != found()


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


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either sizes or group_id"),
        ({"sizes": [1, 1], "group_id": [1, 2]}, "either sizes or group_id"),
        ({"sizes": [1]}, "1 rows in all, and there are 2"),
        ({"sizes": [3, -1]}, "no list of numbers of rows"),
        ({"sizes": [1.0, 1.0]}, "no list of numbers of rows"),
        ({"group_id": [1]}, "there are 1 for 2 rows"),
        ({"group_id": [1.0, math.nan]}, "row 1 has none"),
        ({"group_id": [None, "a"]}, r"row 0 has none \(None\)"),
        ({"group_id": [(1, 2), (1,)]}, "no list with one for each row"),
        ({"group_id": 5}, "no list with one for each row"),
        ({"sizes": [1], "labels": 5}, "labels: 5 is no list"),
        ({"group_id": [1, 1], "labels": None}, "labels: None is no list"),
        ({"sizes": [2], "labels": [[1, 0]]}, "no list with one for each row"),
        ({"sizes": [2], "labels": ["x", 1]}, "is not supported"),
        ({"sizes": [2], "weights": ["x"]}, "a number for each query"),
        ({"sizes": [2], "weights": [[1]]}, "no list with one for each query"),
        ({"sizes": [2], "weights": [1, 1]}, "there are 2 for 1 queries"),
        ({"sizes": [2], "weights": [-1]}, "of query 0; each is at least 0"),
        ({"sizes": [2], "weights": [math.nan]}, "of query 0; each is at least 0"),
        ({"sizes": [2], "undefined": "error"}, "undefined"),
        ({"sizes": [2], "ties": "id-descending"}, "document ids"),
        ({"sizes": [2], "scores": [0.0, math.nan]}, "nan"),
        ({"sizes": [2], "labels": [0, -1]}, "-1"),
    ],
)
def test_bad_input_has_its_place(given, words):
    rows_ = {"labels": [1, 0], "scores": [0.5, 0.25]} | given
    with pytest.raises(InputError, match=words):
        evaluate_groups("nDCG@5", **rows_)


def test_no_query_has_no_mean():
    assert math.isnan(
        evaluate_groups("AP", labels=[], scores=[], sizes=np.array([], dtype=int))["AP"]
    )
    assert asked("AP").means([], [], np.array([0, 0])) == [0.0]  # a query without a row
