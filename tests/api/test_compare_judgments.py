"""``rs.compare_judgments``: against SciPy and counts by hand; what is refused."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

import rankspec as rs
from rankspec import InputError

from ..each import each

stats = pytest.importorskip("scipy.stats", reason="pip install scipy")

QUERIES = [f"q{n:02}" for n in range(12)]
# Two documents a query, of which the run shows one: P@1 is its label.
PEOPLE = {q: {"a": int(n < 9), "b": int(n < 3)} for n, q in enumerate(QUERIES)}
MODEL = {q: {"a": int(n < 8), "b": int(n >= 2), "c": 1} for n, q in enumerate(QUERIES)}
RUNS = {
    "A": {q: {"a": 2.0} for q in QUERIES},
    "B": {q: {"b": 2.0} for q in QUERIES},
    "half": {q: {"a": 2.0} if n % 2 else {"b": 2.0} for n, q in enumerate(QUERIES)},
}


def compared(**options: Any) -> Any:
    return rs.compare_judgments({"people": PEOPLE, "model": MODEL}, RUNS, "P@1", **options)


def values(judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> list[int]:
    return [judgments[q][next(iter(run[q]))] for q in QUERIES]


@pytest.fixture(scope="module")
def found() -> Any:
    return compared(tests=["t", "sign"])


@pytest.mark.spec("RS-AGR-40", "RS-AGR-15")
def test_the_labels(found: Any) -> None:
    """Counts, and (p_o - p_e) / (1 - p_e) of them."""
    labels = found.labels
    assert (labels.none.both, labels.none.only_first, labels.none.only_second) == (24, 0, 12)
    pairs = [(PEOPLE[q][d], MODEL[q][d]) for q in QUERIES for d in "ab"]
    assert labels.counts == {pair: pairs.count(pair) for pair in sorted(set(pairs))}
    equal = sum(a == b for a, b in pairs)
    assert labels.none.equal == equal
    p_e = sum(sum(a == v for a, _ in pairs) * sum(b == v for _, b in pairs) for v in (0, 1)) / 24**2
    for of in (labels.none, labels.linear, labels.quadratic):  # of two labels all are the same
        assert of.kappa == pytest.approx((equal / 24 - p_e) / (1 - p_e), rel=1e-12)


@pytest.mark.spec("RS-AGR-40", "RS-AGR-16", "RS-CMP-4")
def test_shift_and_bias_are_scipys(found: Any) -> None:
    """Intervals of ttest_rel, and of the mean of what is left without the mean of each query."""
    shifts = {
        name: [b - a for a, b in zip(values(PEOPLE, run), values(MODEL, run), strict=True)]
        for name, run in RUNS.items()
    }
    for name, run in RUNS.items():
        x = found["P@1"].systems[name]
        assert x.first == pytest.approx(sum(values(PEOPLE, run)) / 12, rel=1e-15)
        assert x.second == pytest.approx(sum(values(MODEL, run)) / 12, rel=1e-15)
        theirs = stats.ttest_rel(values(MODEL, run), values(PEOPLE, run)).confidence_interval(0.95)
        assert x.shift_interval == pytest.approx((theirs.low, theirs.high), rel=1e-9)
        tilted = [
            own - sum(shifts[other][n] for other in RUNS) / 3 for n, own in enumerate(shifts[name])
        ]
        mean, error = sum(tilted) / 12, stats.sem(tilted)
        assert x.bias == pytest.approx(mean, rel=1e-12)
        assert x.bias_interval == pytest.approx(stats.t.interval(0.95, 11, mean, error), rel=1e-9)


@pytest.mark.spec("RS-AGR-40", "RS-AGR-2", "RS-AGR-10")
def test_orders_and_pairs_that_change(found: Any) -> None:
    of = found["P@1"]
    means = [[sum(values(by, run)) for run in RUNS.values()] for by in (PEOPLE, MODEL)]
    assert means == [[9, 3, 6], [8, 10, 9]]
    assert of.tau_b == pytest.approx(stats.kendalltau(*means).statistic, rel=1e-12) == -1
    assert of.tau_ap_b == -1
    assert set(of.swapped) == {("A", "B"), ("A", "half"), ("half", "B")}
    for name, changes in of.changes.items():
        p = [
            [found.comparisons[by]["P@1"][pair].tests[name].corrected for pair in PAIRS]
            for by in ("people", "model")
        ]
        lost = tuple(
            pair
            for pair, a, b in zip(PAIRS, *p, strict=True)
            if a is not None and a <= 0.05 and (b is None or b > 0.05)
        )
        assert changes.pairs["lost"] == lost
    # SciPy: 3 * ttest_1samp([1] * 6 + [0] * 6, 0).pvalue is 0.0206; by the model none is below .05
    assert of.changes["t"].pairs == {"gained": (), "lost": (("A", "B"),), "opposite": ()}
    assert of.changes["t"].counts == (0, 0, 1, 0, 2)


PAIRS = [("A", "B"), ("A", "half"), ("B", "half")]


def test_a_baseline_and_options_are_those_of_compare() -> None:
    found = compared(baseline="half", tests="t", correction="none", alpha=0.2)
    for name, by in (("people", PEOPLE), ("model", MODEL)):
        alone = rs.compare(
            {system: rs.evaluate(by, run, "P@1") for system, run in RUNS.items()},
            baseline="half", tests="t", correction="none", alpha=0.2,
        )  # fmt: skip
        assert found.comparisons[name].to_dict() == alone.to_dict()


def test_conventions_grades_and_open_files() -> None:
    lines = "".join(f"{q} Q0 {d} 1 {s} t\n" for q, own in RUNS["B"].items() for d, s in own.items())
    runs = {**RUNS, "B": BytesIO(lines.encode())}
    judgments = {"people": PEOPLE, "model": MODEL}
    found = rs.compare_judgments(judgments, runs, "P@1", grades={0: 1}, tests="t")
    assert found["P@1"].systems["B"].first == found["P@1"].systems["B"].second == 1
    assert found.labels.none.kappa is None
    assert found.labels.none.equal == 24
    negative = {q: {d: x - 1 for d, x in own.items()} for q, own in PEOPLE.items()}
    both = {"people": negative, "model": MODEL}
    assert rs.compare_judgments(both, RUNS, "P@1").labels.none.both == 24
    left_out = rs.compare_judgments(both, RUNS, "P@1", negative="unjudged")
    assert left_out.labels.none.both == sum(x for own in PEOPLE.values() for x in own.values())


def test_one_query_has_no_interval() -> None:
    runs = {name: {"q00": run["q00"]} for name, run in RUNS.items()}
    found = rs.compare_judgments(
        {"p": {"q00": {"a": 1, "b": 0}}, "m": {"q00": {"b": 1}}}, runs, "RR"
    )
    of = found["RR"].systems["B"]
    assert (of.shift, of.shift_interval, of.bias_interval) == (1, None, None)
    assert "-" in str(found)


def test_prints_and_is_plain_data(found: Any) -> None:
    document = json.loads(json.dumps(found.to_dict()))
    assert document["judgments"] == ["people", "model"]
    assert document["measures"][0]["changes"]["t"]["pairs"]["lost"] == [["A", "B"]]
    assert document["labels"]["counts"][0].keys() == {"first", "second", "documents"}
    assert repr(found) == '<Comparison of "people" and "model" by P@1>'
    assert max(map(len, str(found).splitlines())) <= 80


@each(
    ("judgments", "runs", "said"),
    [
        ({"p": PEOPLE}, RUNS, "judgments: expected two sets by name, got 1"),
        (PEOPLE, RUNS, "judgments: expected two sets by name, got 12"),
        ([PEOPLE, MODEL], RUNS, "judgments: expected a dict by names, got ["),
        (
            {"p": PEOPLE, "m": 5},
            RUNS,
            'judgments "m": expected a file, dict, data frame or rows (query, document, '
            'relevance), got "5"',
        ),
        (
            {"p": PEOPLE, "m": MODEL},
            {"A": RUNS["A"], "B": 5},
            'run "B": expected a file, dict, data frame or rows (query, document, score), got "5"',
        ),
        ({1: PEOPLE, 2: MODEL}, RUNS, "judgments: the name 1 is not a string"),
        ({"p": PEOPLE, "m": MODEL}, {"A": RUNS["A"]}, "runs: expected two or more, got 1"),
        ({"p": PEOPLE, "m": MODEL}, [RUNS["A"]], "runs: expected a dict by names"),
        (
            {"p": PEOPLE, "m": {q: {"x": 1} for q in QUERIES}},
            RUNS,
            'judgments: "p" and "m" share no document of a query, so nothing has two labels',
        ),
        (
            {"p": PEOPLE, "m": {"x": {"a": 1}}},
            RUNS,
            'judgments: "p" and "m" share no query, so nothing',
        ),
        (
            {"p": PEOPLE, "m": {q: MODEL[q] for q in QUERIES[:7]}},
            RUNS,
            'judgments: "p" and "m": only "p" has "q07", "q08", "q09" and 2 more',
        ),
    ],
)
def test_what_is_refused(judgments: Any, runs: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        rs.compare_judgments(judgments, runs, "P@1")
    assert str(error.value).startswith(said)


def test_options_that_are_no_conventions() -> None:
    with pytest.raises((InputError, TypeError), match="tie"):
        compared(tie="best")
    with pytest.raises(InputError, match='baseline: unknown system "C"; expected one of'):
        compared(baseline="C")


@pytest.mark.spec("RS-AGR-30", "RS-AGR-40")
def test_equal_means_of_tenths_are_not_swapped() -> None:
    """1, 2, 3 and 3, 3, 0 tenths: the means of the doubles differ."""
    docs = {q: [f"{q}{i}" for i in range(20)] for q in ("q1", "q2", "q3")}
    hits = {"A": (1, 2, 3), "B": (3, 3, 0)}
    people: dict[str, dict[str, int]] = {q: {} for q in docs}
    runs: dict[str, Any] = {"A": {}, "B": {}}
    for system, first in (("A", 0), ("B", 10)):
        for q, relevant in zip(docs, hits[system], strict=True):
            own = docs[q][first : first + 10]
            people[q] |= {d: int(i < relevant) for i, d in enumerate(own)}
            runs[system][q] = {d: -i for i, d in enumerate(own)}
    model = {q: labels | {docs[q][19]: 1} for q, labels in people.items()}  # B has one more each
    of = rs.compare_judgments({"people": people, "model": model}, runs, "P@10")["P@10"]
    assert of.systems["A"].first != of.systems["B"].first
    assert of.swapped == ()
    assert (of.systems["B"].shift, of.systems["B"].shift_interval) == (0.1, (0.1, 0.1))


@pytest.mark.spec("RS-AGR-40")
def test_a_test_without_p_has_no_conflicts() -> None:
    alone = compared(tests="bayes")
    assert alone["P@1"].changes == {}
    assert "significant" not in str(alone)
    beside_t = compared(tests=["bayes", "t"])
    assert list(beside_t["P@1"].changes) == ["t"]
    assert "significant pairs gained/lost/opposite by test" in str(beside_t)
    assert "significant: p, corrected by Holm" in " ".join(str(beside_t).split())
