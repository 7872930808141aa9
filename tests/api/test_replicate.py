"""``rs.replicate``: against what repro_eval printed and SciPy computes; what is refused."""

from __future__ import annotations

import json
from io import BytesIO
from math import ulp
from typing import Any

import pytest

import rankspec as rs
from rankspec import InputError

from ..each import each

stats = pytest.importorskip("scipy.stats", reason="pip install scipy")

ORIGINAL = {"1": ["d1", "d7", "d3", "d4", "d9"]}
REPEATED = {"1": ["d7", "d1", "d4", "d2", "d3"]}

# P@8 in eighths, of three queries.
A, B, A2, B2 = [4, 2, 6], [4, 2, 2], [4, 3, 4], [2, 2, 4]
QRELS = {f"q{q}": {f"r{i}": 1 for i in range(8)} for q in range(3)}


def scored(lists: dict[str, list[str]]) -> dict[str, dict[str, int]]:
    return {q: {d: -i for i, d in enumerate(docs)} for q, docs in lists.items()}


def run(eighths: list[int], prefix: str = "q") -> dict[str, dict[str, int]]:
    """A run of 8 documents, so many of them relevant, the irrelevant ones first."""
    docs = {
        f"{prefix}{q}": [*(f"n{i}" for i in range(8 - hits)), *(f"r{i}" for i in range(hits))]
        for q, hits in enumerate(eighths)
    }
    return scored(docs)


def replicated(**options: Any) -> Any:
    return rs.replicate(
        QRELS, run(A), run(A2), "P@8", baseline=run(B), replicated_baseline=run(B2), **options
    )


@pytest.mark.spec("RS-AGR-43", "RS-AGR-9", "RS-AGR-17")
def test_rankings_are_those_of_repro_eval() -> None:
    """repro_eval 0.5.0: KTU(per_topic=True), RBO(orig, rep, 0.8, 5, False, True)"""
    qrels = {"1": {"d1": 1}}
    found = rs.replicate(qrels, scored(ORIGINAL), scored(REPEATED), "RR", top=5)
    of = found.rankings["advanced"]
    assert of.ktu == {"1": -0.6}
    assert abs(of.rbo["1"] - 0.5766143106457242) <= ulp(1.0)
    assert (of.mean_ktu, of.mean_rbo, of.p, of.depth) == (-0.6, of.rbo["1"], 0.8, 5)
    assert found.names == {"advanced": ("original", "replicated")}
    assert found["RR"].improvement is None


@pytest.mark.spec("RS-AGR-43", "RS-AGR-9")
def test_the_persistence_that_repro_eval_has_now_is_asked_for() -> None:
    """repro_eval 0.5.0: RBO(orig, rep, RBO_P, 5, False, True) with its RBO_P, 0.95"""
    qrels = {"1": {"d1": 1}}
    found = rs.replicate(qrels, scored(ORIGINAL), scored(REPEATED), "RR", top=5, rbo_p=0.95)
    assert abs(found.rankings["advanced"].rbo["1"] - 0.6291032429388366) <= ulp(1.0)


@pytest.mark.spec("RS-AGR-43", "RS-AGR-18", "RS-AGR-19", "RS-AGR-20")
def test_values_are_those_of_repro_eval() -> None:
    """RMSE(a, a2), ER(a, b, a2, b2), DRI(a, b, a2, b2), with a topic a value"""
    found = replicated()["P@8"]
    assert found.runs["advanced"].rmse == 0.1613743060919757
    assert found.improvement.ratio == 0.75
    assert abs(found.improvement.delta_ri - 0.1250000000000001) <= ulp(1.0)
    assert (found.improvement.original, found.improvement.replicated) == (
        pytest.approx(1 / 6),
        pytest.approx(1 / 8),
    )
    for role, x, y in (("advanced", A, A2), ("baseline", B, B2)):
        test = found.runs[role].test
        theirs = stats.ttest_rel(y, x)
        assert test.statistic == pytest.approx(theirs.statistic, rel=1e-12)
        assert test.p == pytest.approx(theirs.pvalue, rel=1e-9)
        assert found.runs[role].original == pytest.approx(sum(x) / 24, rel=1e-15)


@pytest.mark.spec("RS-AGR-43", "RS-CMP-6")
def test_another_collection() -> None:
    other = {f"p{q}": {f"r{i}": 1 for i in range(8)} for q in range(5)}
    a2, b2 = [4, 3, 4, 1, 0], [2, 2, 4, 1, 1]
    found = rs.replicate(
        QRELS, run(A), run(a2, "p"), "P@8", baseline=run(B), replicated_baseline=run(b2, "p"),
        other_qrels=other,
    )  # fmt: skip
    assert found.rankings is None
    of = found["P@8"]
    assert of.improvement.ratio == pytest.approx((2 / 5) / (4 / 3), rel=1e-12)
    assert of.improvement.delta_ri == pytest.approx(4 / 8 - 2 / 10, rel=1e-12)
    x = of.runs["advanced"]
    theirs = stats.ttest_ind(a2, A)
    assert (x.rmse, x.queries, x.test.df) == (None, (3, 5), 6)
    assert x.test.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert x.test.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert "RMSE" not in str(found)
    assert "pooled t-test" in str(found)


@pytest.mark.spec("RS-AGR-43/L1", "RS-AGR-43/L2")
def test_the_same_runs_and_the_exchange() -> None:
    same = rs.replicate(
        QRELS, run(A), run(A), "P@8", baseline=run(B), replicated_baseline=run(B), top=8
    )
    of = same["P@8"]
    assert {x.rmse for x in of.runs.values()} == {0}
    assert (of.improvement.ratio, of.improvement.delta_ri) == (1, 0)
    assert {x.mean_ktu for x in same.rankings.values()} == {1}
    assert of.runs["advanced"].test.why == "all differences are 0"
    one = replicated()
    two = rs.replicate(QRELS, run(A2), run(A), "P@8", baseline=run(B2), replicated_baseline=run(B))
    for role in ("advanced", "baseline"):
        assert one.rankings[role].mean_rbo == two.rankings[role].mean_rbo < 1
        here, there = one["P@8"].runs[role], two["P@8"].runs[role]
        assert here.rmse == there.rmse
        assert here.test.statistic == -there.test.statistic
    assert one["P@8"].improvement.delta_ri == -two["P@8"].improvement.delta_ri != 0


@pytest.mark.spec("RS-AGR-43")
def test_what_is_undefined_is_none_and_says_why() -> None:
    fewer = {q: docs for q, docs in run(A2).items() if q != "q1"}
    found = rs.replicate(QRELS, run(A), fewer, "P@8")
    assert found.rankings["advanced"].ktu["q1"] is None
    assert found.rankings["advanced"].mean_ktu is None
    assert found.rankings["advanced"].rbo["q1"] == 0
    assert "KTU of advanced: undefined, 1 of 3 queries" in str(found)
    equal = rs.replicate(
        QRELS, run(A), run(A2), "P@8", baseline=run(A), replicated_baseline=run([0, 0, 0])
    )
    assert equal["P@8"].improvement.ratio is None
    assert equal["P@8"].improvement.delta_ri is None
    assert "-  ER: undefined, the original runs have equal means: P@8" in str(equal)
    assert "-  delta RI: undefined, a baseline has the mean 0: P@8" in str(equal)


def test_conventions_decide_the_order_and_files_are_read() -> None:
    tied = {"q0": {"a": 1, "b": 1}}
    lines = BytesIO(b"q0 Q0 a 1 1 t\nq0 Q0 b 2 1 t\n")
    qrels = {"q0": {"a": 1}}
    found = rs.replicate(qrels, scored({"q0": ["a", "b"]}), lines, "RR", top=2)
    assert found.rankings["advanced"].ktu == {"q0": -1}  # by ids, descending
    other = rs.replicate(qrels, scored({"q0": ["a", "b"]}), tied, "RR", top=2, ties="id-ascending")
    assert other.rankings["advanced"].ktu == {"q0": 1}


def test_prints_and_is_plain_data() -> None:
    found = replicated()
    document = json.loads(json.dumps(found.to_dict()))
    assert document["measures"][0]["improvement"]["effect_ratio"] == 0.75
    assert document["rankings"][0]["per_query"].keys() == {"q0", "q1", "q2"}
    assert repr(found) == "<Replication of 2 runs by P@8>"
    assert max(map(len, str(found).splitlines())) <= 80


@each(
    ("given", "said"),
    [
        ({"baseline": run(B)}, "replicated_baseline: it is missing, although baseline is given"),
        (
            {"replicated_baseline": run(B)},
            "baseline: it is missing, although replicated_baseline is given",
        ),
        (
            {"other_qrels": QRELS},
            "other_qrels: across collections only improvements are compared",
        ),
        ({"measures": []}, 'measures: expected at least one, such as "nDCG@10", got none'),
        ({"top": 0}, "top: expected a number of documents from 1 to 10000, got 0"),
        ({"top": 10**9}, "top: expected a number of documents from 1 to 10000, got 1000000000"),
        (
            {"replicated": 5},
            'run "replicated": expected a file, dict, data frame or rows (query, document, '
            'score), got "5"',
        ),
        ({"rbo_p": 1}, "rbo_p: expected a number between 0 and 1, got 1"),
        ({"rbo_p": "0.8"}, "rbo_p: expected a number between 0 and 1, got '0.8'"),
        ({"ties": "expected"}, 'ties: "expected" leaves tied documents unordered'),
        (
            {"replicated": {"q0": {"a": 1}}, "queries": "both"},
            'runs: "original" and "replicated": only "original" has "q1", "q2"',
        ),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    known = {"qrels": QRELS, "original": run(A), "replicated": run(A2), "measures": "P@8"}
    with pytest.raises(InputError) as error:
        rs.replicate(**{**known, **given})
    assert str(error.value).startswith(said)


@pytest.mark.spec("RS-AGR-19", "RS-AGR-43")
def test_no_ratio_to_an_improvement_of_0_tenths() -> None:
    """1, 2, 3 and 3, 3, 0 tenths: the means of the doubles differ, by 3e-17."""

    def of_tenths(hits: list[int]) -> dict[str, dict[str, int]]:
        return scored(
            {
                f"q{q}": [*(f"r{i}" for i in range(n)), *(f"n{i}" for i in range(10 - n))]
                for q, n in enumerate(hits)
            }
        )

    found = rs.replicate(
        QRELS, of_tenths([1, 2, 3]), of_tenths([3, 3, 3]), "P@10",
        baseline=of_tenths([3, 3, 0]), replicated_baseline=of_tenths([1, 0, 0]),
    )  # fmt: skip
    improvement = found["P@10"].improvement
    assert improvement is not None
    assert (improvement.original, improvement.ratio) == (0, None)
