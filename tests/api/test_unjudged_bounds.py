"""``rs.unjudged_bounds``: Judged@k by hand, conventions, and what is refused."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

import rankspec as rs
from rankspec import InputError

from ..each import each

QRELS = {"q1": {"a": 2, "b": 0, "c": -1}, "q2": {"a": 1}}
RUNS = {
    "A": {"q1": {"a": 3.0, "x": 2.0, "c": 1.0}, "q2": {"x": 1.0}},
    "B": {"q1": {"x": 3.0, "a": 2.0}, "q2": {"a": 1.0}},
    "C": {"q1": {"b": 3.0}, "q2": {"a": 1.0}},
}


@pytest.mark.spec("RS-AGR-41", "RS-AGR-42")
def test_judged_is_counted() -> None:
    found = rs.unjudged_bounds(QRELS, RUNS, "P@2", judged=[3, 1, 3])
    # A: (2/3 + 0) / 2, (1 + 0) / 2; B: (1/2 + 1) / 2, (0 + 1) / 2; C: 1, 1
    assert found.judged == {
        "A": {1: 0.5, 3: 1 / 3},
        "B": {1: 0.5, 3: 0.75},
        "C": {1: 1.0, 3: 1.0},
    }
    run = rs.evaluate(QRELS, RUNS["B"], "Judged@3")  # the measure of the same name
    assert run["Judged@3"] == found.judged["B"][3]
    fewer = rs.unjudged_bounds(QRELS, RUNS, "P@2", judged=3, negative="unjudged")
    assert fewer.judged["A"] == {3: 1 / 6}
    assert list(rs.unjudged_bounds(QRELS, RUNS, ["P@5", "DCG@2", "AP"]).judged["A"]) == [2, 5]
    assert list(rs.unjudged_bounds(QRELS, RUNS, "AP").judged["A"]) == [10]


@pytest.mark.spec("RS-AGR-42", "RS-AGR-24")
def test_intervals_by_hand() -> None:
    found = rs.unjudged_bounds(QRELS, RUNS, "P@2")["P@2"]
    # x is below a in A and above it in B: of q1 the difference is 0 (both show x), or, with x
    # relevant for A alone, nothing changes, as both have it in the first two. q2: x of A.
    pair = found["A", "B"]
    assert (pair.difference, pair.low, pair.high, pair.decided) == (-0.25, -0.25, 0.0, False)
    assert pair.per_query == {"q1": (0.0, 0.0), "q2": (-0.5, 0.0)}
    # P@1: x stands first in B alone in q1, and in A alone in q2
    first = rs.unjudged_bounds(QRELS, RUNS, "P@1")["P@1"]["A", "B"]
    assert first.per_query == {"q1": (0.0, 1.0), "q2": (-1.0, 0.0)}
    assert (first.difference, first.low, first.high) == (0.0, -0.5, 0.5)
    by_c = rs.unjudged_bounds(QRELS, RUNS, "P@1", baseline="C")["P@1"]
    assert [(x.first, x.second) for x in by_c.differences] == [("A", "C"), ("B", "C")]


def test_ranges_are_those_of_evaluate() -> None:
    measures = ["nDCG@3", "AP(rel=2)"]
    found = rs.unjudged_bounds(QRELS, RUNS, measures)
    for name, run in RUNS.items():
        for measure in found.measures:
            of = found[measure].systems[name]
            for which, value in (
                ("nonrelevant", of.mean),
                ("lowest", of.low),
                ("highest", of.high),
            ):
                assert rs.evaluate(QRELS, run, measures, unjudged=which).mean[measure] == value


def test_profiles_topics_and_open_files() -> None:
    lines = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, own in RUNS["A"].items() for d, s in own.items())
    runs = {**RUNS, "A": BytesIO(lines.encode())}
    plain = rs.unjudged_bounds(QRELS, RUNS, "P@2")
    assert rs.unjudged_bounds(QRELS, runs, "P@2").to_dict() == plain.to_dict()
    reference = rs.unjudged_bounds(QRELS, RUNS, "P@2", backend="reference")
    assert reference.to_dict() == plain.to_dict()
    by_profile = rs.unjudged_bounds(QRELS, RUNS, "P@2", profile="trec_eval-9")
    assert by_profile["P@2"]["A", "B"].low == plain["P@2"]["A", "B"].low
    by_topic = {"t": {"a": 1}}
    found = rs.unjudged_bounds(by_topic, RUNS, "P@2", topics={"q1": "t", "q2": "t"})
    assert found["P@2"].queries == ("q1", "q2")


def test_prints_and_is_plain_data() -> None:
    found = rs.unjudged_bounds(QRELS, RUNS, ["P@2", "nDCG"])
    document = json.loads(json.dumps(found.to_dict()))
    assert document["measures"][1]["exact"] is False
    assert document["judged"][0] == {"system": "A", "k": 2, "mean": 0.25}
    assert repr(found) == "<Bounds of 3 systems by P@2, nDCG>"
    assert max(map(len, str(found).splitlines())) <= 80


@each(
    ("given", "said"),
    [
        ({"runs": {"A": RUNS["A"]}}, "runs: expected two or more, got 1"),
        ({"runs": [RUNS["A"]]}, "runs: expected a dict by names"),
        ({"runs": {1: RUNS["A"], "B": RUNS["B"]}}, "runs: the name 1 is not a string"),
        ({"runs": {"A": RUNS["A"], "B": 5}},
         'run "B": expected a file, dict, data frame or rows (query, document, score), got "5"'),
        ({"baseline": "D"}, 'baseline: unknown system "D"; expected one of'),
        ({"measures": "Bpref"}, 'measure "Bpref"'),
        ({"measures": []}, 'measures: expected at least one, such as "nDCG@10", got none'),
        ({"judged": 0}, "judged: expected a whole number above 0, got 0"),
        ({"judged": ["5"]}, "judged: expected a whole number above 0, got '5'"),
        ({"judged": True}, "judged: expected a whole number above 0, got True"),
        ({"undefined": "omit"}, 'undefined: with "omit" a judgment can leave a query without'),
        ({"results": "float32"}, "results: bounds are computed before rounding"),
        ({"ties": "best"}, "ties: bounds need a tie rule that does not depend on labels, "),
        ({"relevance": "phi"}, "relevance: the score of an unjudged document has no bounds"),
        ({"queries": "both", "runs": {"A": RUNS["A"], "B": {"q1": RUNS["B"]["q1"]}}},
         'systems: "A" and "B": only "A" has "q2"'),
    ],
)  # fmt: skip
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        rs.unjudged_bounds(**{"qrels": QRELS, "runs": RUNS, "measures": "P@2", **given})
    assert str(error.value).startswith(said)


@pytest.mark.spec("RS-AGR-42", "RS-AGR-42/L2", "RS-CMP-24")
@each("measure", ["P@10", "P"])
def test_a_difference_of_0_tenths_decides_nothing(measure: str) -> None:
    """3 + 3 + 0 tenths and 1 + 2 + 3: sums of the doubles differ, by an exact and an enclosing
    interval."""
    relevant, others = [f"r{i}" for i in range(10)], [f"n{i}" for i in range(10)]
    qrels = {q: dict.fromkeys(relevant, 1) | dict.fromkeys(others, 0) for q in ("q1", "q2", "q3")}
    runs = {
        name: {
            q: {d: 10.0 - i for i, d in enumerate([*relevant[:hits], *others[hits:]])}
            for q, hits in zip(qrels, column, strict=True)
        }
        for name, column in (("A", (3, 3, 0)), ("B", (1, 2, 3)))
    }
    pair = rs.unjudged_bounds(qrels, runs, measure)[measure]["A", "B"]
    assert (pair.difference, pair.low, pair.high, pair.decided) == (0.0, 0.0, 0.0, False)
    assert pair.per_query["q1"] == (0.2, 0.2)
