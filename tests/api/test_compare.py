"""rs.compare: figures of SciPy and R, the family, what is undefined, and what is refused."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankspec as rs
from rankspec import InputError
from rankspec.analysis.comparison import text
from rankspec.analysis.comparison.tests import BY_NAME

from ..each import each

# Table 5.1 of sakai-2015, in tenths: P@10 of 20 queries.
TENTHS = {
    "A": [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
    "B": [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
    "C": [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
}
# SciPy 1.17: stats.ttest_rel(x, y), its .pvalue and .confidence_interval(0.95)
P_OF_T = {("A", "B"): 0.04779676184496, ("A", "C"): 0.12316510458100, ("B", "C"): 0.52177344839849}
# R: p.adjust(p, "holm") of these three, of these three twice, and p.adjust(p, "BH")
HOLM = [0.143390285535, 0.246330209162, 0.521773448398]
HOLM_OF_TWO_MEASURES = [0.286780571070, 0.492660418324, 1.0]
BH = [0.143390285535, 0.184747656871, 0.521773448398]
# R: TukeyHSD(aov(score ~ topic + system))
TUKEY = [0.256697746377, 0.095686847119, 0.854963181115]


def evaluated(
    tenths: dict[str, list[int]], measures: Any = "P@10", **conventions: Any
) -> dict[str, rs.Evaluation]:
    """Evaluations with these values of P@10: of ten documents so many are relevant."""
    docs = [f"d{i}" for i in range(20)]
    found = {}
    for name, values in tenths.items():
        qrels = {
            f"q{q:02}": {d: int(i < 10) for i, d in enumerate(docs)} for q in range(len(values))
        }
        run = {
            f"q{q:02}": {d: 20 - i for i, d in enumerate([*docs[:hits], *docs[10 : 20 - hits]])}
            for q, hits in enumerate(values)
        }
        found[name] = rs.evaluate(qrels, run, measures, **conventions)
    return found


@pytest.fixture(scope="module")
def three() -> dict[str, rs.Evaluation]:
    return evaluated(TENTHS)


def corrected(found: rs.Comparison, test: str, measure: str = "P@10") -> list[float | None]:
    return [x.tests[test].corrected for x in found[measure].differences]


def test_the_figures_of_a_pair(three: dict[str, rs.Evaluation]) -> None:
    found = rs.compare(three, replicates=2000)
    pair = found["P@10"]["A", "B"]
    assert [(x.first, x.second) for x in found["P@10"].differences] == list(P_OF_T)
    assert pair.difference == pytest.approx(0.075, rel=1e-12)
    assert pair.interval == pytest.approx((0.00080594473224, 0.14919405526776), rel=1e-10)
    assert pair.tests["t"].outcome.statistic == pytest.approx(2.1157598612735, rel=1e-10)
    assert (pair.tests["t"].outcome.df, pair.wins, pair.ties, pair.losses) == (19, 10, 5, 5)
    assert pair.effects["d_z"] == pytest.approx(0.4730982873873, rel=1e-10)  # m / np.std(d, ddof=1)
    for names, p in P_OF_T.items():
        assert found["P@10"][names].tests["t"].outcome.p == pytest.approx(p, rel=1e-9)
    # SciPy 1.17: permutation_test of the tenths that differ, "samples", n_resamples=inf
    assert pair.tests["randomisation"].outcome.p == 0.06591796875
    assert pair.tests["randomisation"].outcome.how == "all 32768 sign flips"
    other = found["P@10"]["A", "C"].tests["randomisation"].outcome
    assert other.how == "2000 random sign flips, seed 0"
    assert other.p == pytest.approx(0.1446075439453125, abs=0.03)  # SciPy; 4 standard errors


def test_the_figures_of_a_system(three: dict[str, rs.Evaluation]) -> None:
    a = rs.compare(three)["P@10"].systems["A"]
    assert (a.mean, a.sd) == (0.345, 0.22118104039808417)  # np.std(A, ddof=1)
    # stats.t.interval(0.95, 19, mean, sem)
    assert a.interval == pytest.approx((0.24148408666675, 0.44851591333325), rel=1e-10)
    # stats.bootstrap((A,), np.mean, n_resamples=99999, method="BCa"): 0.25 and 0.44
    assert a.bca == pytest.approx((0.25, 0.44), abs=0.0051)


@each(
    ("correction", "expected"),
    [("holm", HOLM), ("bh", BH), ("none", list(P_OF_T.values())),
     ("bonferroni", [3 * 0.04779676184496, 3 * 0.12316510458100, 1.0])],
)  # fmt: skip
def test_corrections_over_the_pairs(
    correction: str, expected: list[float], three: dict[str, rs.Evaluation]
) -> None:
    found = rs.compare(three, tests="t", correction=correction, replicates=10)
    assert found.family == 3
    assert corrected(found, "t") == pytest.approx(expected, rel=1e-9)
    power = found["P@10"].power["t"]
    assert (power.significant, power.pairs) == (int(correction == "none"), 3)


def test_the_family_is_measures_times_pairs() -> None:
    found = rs.compare(evaluated(TENTHS, ["P@10", "P@20"]), tests=["t"], replicates=10)
    assert found.family == 6
    for measure in ("P@10", "P@20"):  # of ten documents: half the values, and the same t
        assert corrected(found, "t", measure) == pytest.approx(HOLM_OF_TWO_MEASURES, rel=1e-9)
    assert found.agreement == {("P@10", "P@20"): 1.0}


def test_a_baseline_is_the_second_of_each_pair(three: dict[str, rs.Evaluation]) -> None:
    found = rs.compare(three, baseline="A", tests=["t", "tukey"], replicates=10)
    assert [(x.first, x.second) for x in found["P@10"].differences] == [("B", "A"), ("C", "A")]
    assert list(found["P@10"].systems) == ["A", "B", "C"]
    assert [x.difference for x in found["P@10"].differences] == pytest.approx(
        [-0.075, -0.1], rel=1e-12
    )
    # R: p.adjust(p[1:2], "holm"); Tukey's test stays one of all pairs
    assert corrected(found, "t") == pytest.approx([0.0955935236899, 0.123165104581], rel=1e-9)
    assert corrected(found, "tukey") == pytest.approx(TUKEY[:2], rel=1e-9)


def test_tukey_is_not_corrected_once_more(three: dict[str, rs.Evaluation]) -> None:
    found = rs.compare(three, tests=["tukey", "randomised-tukey"], correction="bonferroni")
    assert corrected(found, "tukey") == pytest.approx(TUKEY, rel=1e-9)
    # 400,000 permutations of the tenths within queries by NumPy, ties counted; without: 0.25, 0.08
    by_permutation = [0.3043525, 0.106995, 0.8915875]
    assert corrected(found, "randomised-tukey") == pytest.approx(by_permutation, abs=0.02)


def test_max_t_lies_between_the_least_p_and_bonferroni(three: dict[str, rs.Evaluation]) -> None:
    found = rs.compare(three, correction="max-t")
    assert [test.name for test in found.tests] == [
        "randomisation"
    ]  # of the default, what it serves
    for x in found["P@10"].differences:
        own = x.tests["randomisation"]
        assert own.outcome.p is not None
        assert own.corrected is not None
        assert own.outcome.p <= own.corrected + 0.02
        assert own.corrected <= 3 * own.outcome.p
    assert corrected(found, "randomisation")[0] > 0.1  # by itself it has 0.066


def test_max_t_by_enumeration() -> None:
    """Of all signs, shared by the pairs, the share whose greatest S²/Q reaches the observed one."""
    tenths = {name: values[:8] for name, values in TENTHS.items()}
    D = [
        [x - y for x, y in zip(tenths[a], tenths[b], strict=True)]
        for a, b in combinations("ABC", 2)
    ]

    def extremes(signs: Iterable[int]) -> list[Fraction]:
        signs = list(signs)
        sums = [sum(s * d for s, d in zip(signs, row, strict=True)) for row in D]
        return [Fraction(S * S, sum(d * d for d in row)) for S, row in zip(sums, D, strict=True)]

    observed = extremes([1] * 8)
    reached = sum(max(extremes(signs)) >= max(observed) for signs in product((1, -1), repeat=8))
    found = corrected(rs.compare(evaluated(tenths), correction="max-t"), "randomisation")
    assert found[observed.index(max(observed))] == reached / 2**8
    assert 0 < reached < 128


def test_a_seed_gives_the_same_numbers_in_any_order_of_queries_and_systems() -> None:
    flipped = {name: values[::-1] for name, values in TENTHS.items()}
    tests = ["randomisation", "bootstrap"]
    one = rs.compare(evaluated(TENTHS), tests=tests, seed=7, replicates=500)
    again = rs.compare(evaluated(TENTHS), tests=tests, seed=7, replicates=500)
    assert one.to_dict() == again.to_dict()
    assert rs.compare(evaluated(flipped), tests=tests, replicates=500).to_dict() != one.to_dict()
    turned = rs.compare(
        dict(reversed(evaluated(TENTHS).items())), tests=tests, seed=7, replicates=500
    )
    here, there = one["P@10"]["A", "C"], turned["P@10"]["C", "A"]
    assert here.difference == -there.difference
    for test in tests:
        assert here.tests[test].outcome.p == there.tests[test].outcome.p


def test_bayes_has_probabilities_and_no_p(three: dict[str, rs.Evaluation]) -> None:
    tested = rs.compare(three, tests=["bayes"], rope=0.05)["P@10"]["A", "B"].tests["bayes"]
    assert tested.outcome.probabilities == pytest.approx((0.0011, 0.2435, 0.7554), abs=5e-5)
    assert (tested.outcome.p, tested.corrected, tested.significant) == (None, None, False)


# ---- what is undefined ---------------------------------------------------------------------


def test_one_query() -> None:
    found = rs.compare(evaluated({"A": [7], "B": [5]}))["P@10"]
    a, pair = found.systems["A"], found["A", "B"]
    assert (a.mean, a.sd, a.interval, a.bca) == (0.7, None, None, None)
    assert pair.difference == 0.2
    assert (pair.interval, pair.effects["d_z"]) == (None, None)
    assert pair.tests["t"].outcome.p is None
    assert pair.tests["t"].outcome.why == "a standard deviation needs two queries"
    assert pair.tests["randomisation"].corrected == 1


def test_constant_differences_are_no_t_and_count_in_the_family() -> None:
    tenths = {"A": [7, 3, 2], "B": [6, 2, 1], "C": [1, 3, 2]}
    found = rs.compare(evaluated(tenths), tests=["t", "bootstrap"], correction="bonferroni")
    pair = found["P@10"]["A", "B"]
    for test in ("t", "bootstrap"):
        assert pair.tests[test].outcome.why == "all differences are equal"
        assert (pair.tests[test].corrected, pair.tests[test].significant) == (None, False)
    assert found["P@10"].power["t"].undefined == 1
    other = found["P@10"]["A", "C"].tests["t"]
    # stats.ttest_rel([.7, .3, .2], [.1, .3, .2]).pvalue is 0.42264973; 3 tests are in the family
    assert other.outcome.p == pytest.approx(0.42264973081037427, rel=1e-9)
    assert other.corrected == 1
    assert "-  t: undefined, all differences are equal: P@10 of A - B" in str(found)


def test_equal_systems() -> None:
    tests = ["t", "randomisation", "bootstrap", "sign", "wilcoxon", "randomised-tukey", "tukey"]
    pair = rs.compare(evaluated({"A": [7, 3, 2], "B": [7, 3, 2]}), tests=tests)["P@10"]["A", "B"]
    assert (pair.wins, pair.ties, pair.losses, pair.difference) == (0, 3, 0, 0)
    assert pair.tests["t"].outcome.why == "all differences are 0"
    for test in ("randomisation", "bootstrap", "sign", "wilcoxon", "randomised-tukey"):
        assert pair.tests[test].corrected == 1


# ---- what is refused -----------------------------------------------------------------------


def test_systems_of_different_queries(three: dict[str, rs.Evaluation]) -> None:
    short = evaluated({"B": TENTHS["B"][:15]})
    with pytest.raises(
        InputError, match='"A" and "B": only "A" has "q15", "q16", "q17" and 2 more'
    ):
        rs.compare({"A": three["A"], **short})


def test_systems_of_different_measures_and_conventions(three: dict[str, rs.Evaluation]) -> None:
    other = evaluated({"B": TENTHS["B"]}, "P@5")
    with pytest.raises(InputError, match='"A" and "B" are evaluated by different measures'):
        rs.compare({"A": three["A"], **other})
    other = evaluated({"B": TENTHS["B"]}, ties="best")
    with pytest.raises(InputError, match='"A" and "B" are evaluated by different conventions'):
        rs.compare({"A": three["A"], **other})


def test_queries_stand_in_the_order_of_their_bytes() -> None:
    ids = ("e", "\udc80", "é", "\udcff")  # 65, 80, C3 A9 and FF; "é" is the second as a text
    evaluation = rs.evaluate({q: {"d": 1} for q in ids[::-1]}, {q: {"d": 1} for q in ids}, ["P@1"])
    assert rs.compare({"A": evaluation, "B": evaluation})["P@1"].queries == ids


def test_queries_without_a_value() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}}
    runs = {"A": {q: {"a": 2, "b": 1} for q in qrels}, "B": {q: {"b": 2, "a": 1} for q in qrels}}
    by = {name: rs.evaluate(qrels, run, "nDCG", undefined="omit") for name, run in runs.items()}
    assert rs.compare(by)["nDCG"].queries == ("q1", "q2")
    assert rs.compare(by)["nDCG"].systems["A"].mean == by["A"]["nDCG"] == 1
    nan = {name: rs.evaluate(qrels, run, "nDCG", undefined="nan") for name, run in runs.items()}
    with pytest.raises(InputError, match='nDCG: "A" has NaN for the query "q3"'):
        rs.compare(nan)
    del by["B"].per_query["nDCG"]["q2"]
    words = 'nDCG: only "A" has "q2"; systems can be compared only on the same queries'
    with pytest.raises(InputError, match=words):
        rs.compare(by)


@each(
    ("given", "said"),
    [
        ({"tests": "tt"}, 'test: unknown name "tt" (did you mean "t"?); expected one of "t", '),
        (
            {"tests": ["willcoxon"]},
            'test: unknown name "willcoxon" (did you mean "wilcoxon"?)',
        ),
        ({"tests": []}, "tests: expected at least one test, got none"),
        ({"tests": ["t", "t"]}, 'tests: "t" is listed twice'),
        ({"tests": 3}, "tests: expected names of tests"),
        ({"correction": ["holm"]}, "correction: unknown name ['holm']; expected one of "),
        ({"correction": "holms"}, 'correction: unknown name "holms" (did you mean "holm"?)'),
        (
            {"correction": "max-t", "tests": ["t"]},
            'correction: "max-t" works only with the randomisation test',
        ),
        ({"baseline": "D"}, 'baseline: unknown system "D"; expected one of "A", "B", "C"'),
        ({"alpha": 1}, "alpha: expected a number between 0 and 1, from 1e-12 to 1 - 1e-12, got 1"),
        ({"alpha": "5%"}, "alpha: expected a number between 0 and 1, from 1e-12"),
        ({"alpha": 1e-13}, "alpha: expected a number between 0 and 1, from 1e-12"),
        ({"alpha": 5e-324}, "alpha: expected a number between 0 and 1, from 1e-12"),
        ({"alpha": True}, "alpha: expected a number between 0 and 1"),
        ({"seed": 1.0}, "seed: expected an integer from 0 to 2^64 - 1, got 1.0"),
        ({"rope": "a"}, "rope: expected a number of 0 or more, got 'a'"),
        ({"rope": None}, "rope: expected a number of 0 or more, got None"),
        ({"measures": "AP"}, "measures: expected True or False, got 'AP'"),
        ({"bin_width": 0.1}, "bin_width: only splits use it; give splits too"),
        ({"rope": 0.1}, 'rope: only the test "bayes" uses it; add "bayes" to tests'),
        ({"seed": -1}, "seed: expected an integer from 0 to 2^64 - 1, got -1"),
        ({"replicates": 0}, "replicates: expected an integer from 1 to 2^32, got 0"),
        ({"rope": -1}, "rope: expected a number of 0 or more, got -1"),
        ({"rope": 10**4000}, "rope: 1000"),
        ({"baseline": np.array([1, 2])}, "baseline: expected the name of a system, got array"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str, three: dict[str, rs.Evaluation]) -> None:
    with pytest.raises(InputError) as error:
        rs.compare(three, **given)
    assert str(error.value).startswith(said)


@each(
    ("evaluations", "said"),
    [
        ({}, "systems: expected two or more, got 0"),
        ([], "evaluations: expected a dict of rs.evaluate's results"),
        ({"A": {"q": 1.0}, "B": {"q": 1.0}}, 'evaluations: "A": expected a result of rs.evaluate'),
        ({1: None}, "evaluations: the name 1 is not a string"),
    ],
)
def test_what_is_no_evaluations(evaluations: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        rs.compare(evaluations)
    assert str(error.value).startswith(said)


def test_one_system(three: dict[str, rs.Evaluation]) -> None:
    with pytest.raises(InputError, match="systems: expected two or more, got 1"):
        rs.compare({"A": three["A"]})


def test_without_scipy(three: dict[str, rs.Evaluation], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(InputError, match=r"pip install \"rankspec\[compare\]\""):
        rs.compare(three)


def test_as_plain_data(three: dict[str, rs.Evaluation]) -> None:
    document = json.loads(json.dumps(rs.compare(three, replicates=10).to_dict()))
    assert document["correction"]["family"] == 3
    (measure,) = document["measures"]
    assert measure["pairs"][0]["tests"]["t"]["corrected_p"] == pytest.approx(HOLM[0], rel=1e-9)
    power = measure["power"]["t"]
    assert power.pop("curve") == pytest.approx(HOLM[::-1], rel=1e-9)
    assert power == {"significant": 0, "pairs": 3, "share": 0.0, "undefined": 0}


def test_numbers_of_other_types_are_those_of_python(three: dict[str, rs.Evaluation]) -> None:
    """What it gives is plain data, whatever the choices were."""
    plain = rs.compare(three, alpha=0.05, seed=3, replicates=50, rope=0.25, tests=["bayes", "t"])
    for alpha, seed, replicates, rope in (
        (np.float64(0.05), np.int64(3), np.int32(50), np.float32(0.25)),
        (Fraction(1, 20), np.uint8(3), 50, Fraction(1, 4)),
    ):
        other = rs.compare(
            three, alpha=alpha, seed=seed, replicates=replicates, rope=rope, tests=["bayes", "t"]
        )
        assert json.dumps(other.to_dict()) == json.dumps(plain.to_dict())


def test_the_order_of_measures_does_not_matter() -> None:
    one, other = (evaluated(TENTHS, m) for m in (["P@10", "AP"], ["AP", "P@10"]))
    mixed = rs.compare({"A": one["A"], "B": other["B"], "C": other["C"]})
    assert mixed.to_dict() == rs.compare(one).to_dict()


@each(
    ("mine", "other", "said"),
    [
        ({"measures": "P@10"}, {"measures": ["P@10", "AP"]}, 'measures: only "B" has "AP"'),
        ({}, {"unjudged": "condensed"}, "conventions: unjudged is 'nonrelevant' and 'condensed'"),
    ],
)
def test_what_differs_is_named(mine: Any, other: Any, said: str) -> None:
    A, B = evaluated(TENTHS, **mine)["A"], evaluated(TENTHS, **other)["B"]
    with pytest.raises(InputError) as error:
        rs.compare({"A": A, "B": B})
    assert str(error.value) == f'systems: "A" and "B" are evaluated by different {said}'


@pytest.mark.spec("RS-AGR-11(b)")
def test_pairs_without_a_p_are_among_those_that_are_counted() -> None:
    """Differences that are all equal have no t; the Bayesian test has no p at all."""
    found = rs.compare(evaluated({"A": [3, 5], "B": [1, 3]}), tests=["t", "bayes"])["P@10"]
    assert set(found.power) == {"t"}
    power = found.power["t"]
    assert (power.significant, power.pairs, power.share, power.undefined) == (0, 1, 0.0, 1)


# ---- what a comparison is asked for --------------------------------------------------------


@pytest.fixture(scope="module")
def of_two() -> rs.Comparison:
    found = evaluated(TENTHS, ["P@10", "RR", "Success@5"])
    return rs.compare(found, tests=["t", "bayes"])


@each(
    ("name", "measure"),
    [("P_10", "P@10"), ("MRR", "RR"), ("Hit@5", "Success@5"), ("HitRate@5", "Success@5")],
)
def test_a_measure_is_found_by_any_spelling(of_two: rs.Comparison, name: str, measure: str) -> None:
    assert of_two[name] is of_two[measure] is of_two.measures[name]
    assert name in of_two.measures


def test_so_it_is_in_what_else_compares() -> None:
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    runs = {n: {q: {"a": 1.0, "b": x} for q in qrels} for n, x in (("A", 0.5), ("B", 2.0))}
    subsets = {"one": ["q0", "q1"], "other": ["q2", "q3"]}
    compared = rs.compare(
        rs.evaluate_runs(qrels, runs, "RR"), tests="sign", subsets=subsets, splits=1
    )
    assert compared.subsets["one"]["MRR"].queries == ("q0", "q1")
    assert rs.unjudged_bounds(qrels, runs, "P@1")["Precision@1"]["A", "B"].low == 1
    assert rs.replicate(qrels, runs["A"], runs["B"], "RR")["MRR"].measure == "RR"
    two = rs.compare_judgments({"x": qrels, "y": qrels}, runs, "RR", tests="sign")
    assert two["MRR"].measure == "RR"


def test_what_is_not_there_is_a_key_error_that_lists_what_is(of_two: rs.Comparison) -> None:
    pairs = "('A', 'B'), ('A', 'C'), ('B', 'C')"
    reverse = (
        f"('B', 'A') is stored as ('A', 'B'), the first minus the second; the pairs are {pairs}"
    )
    unknown = f"('A', 'D') is not a pair of compared systems; the pairs are {pairs}"
    for ask, words in (
        (lambda: of_two["AP"], "AP was not computed; computed were P@10, RR, Success@5"),
        (
            lambda: of_two["A", "B"],
            "expected the name of a measure, got ('A', 'B'); computed were P@10, RR",
        ),
        (lambda: of_two["RR"]["B", "A"], reverse),
        (lambda: of_two["RR"]["A", "D"], unknown),
        (
            lambda: of_two["RR"][["A", "B"]],  # type: ignore[index]
            "['A', 'B'] is not a pair of compared systems",
        ),
    ):
        with pytest.raises(KeyError) as error:
            ask()
        assert words in error.value.args[0]
    qrels = {"q": {"a": 1}}
    bounds = rs.unjudged_bounds(qrels, {"A": {"q": {"a": 1}}, "B": {"q": {"b": 1}}}, "P@1")
    with pytest.raises(KeyError, match="is stored as"):
        bounds["P@1"]["B", "A"]
    found = rs.axioms("AP", only="c1")
    with pytest.raises(KeyError, match=r'axiom "c9" was not checked; checked were "c1"'):
        found["AP"]["c9"]
    with pytest.raises(KeyError, match=r'metric "P" was not checked; checked were "AP"'):
        found["P"]


@pytest.mark.spec("RS-CONV-47")
def test_a_comparison_is_a_frame_with_a_row_a_measure_and_pair(of_two: rs.Comparison) -> None:
    frame = of_two.to_pandas()
    assert list(frame.columns) == [
        *("measure", "first", "second", "mean_first", "mean_second", "difference", "low", "high"),
        *("p_t", "corrected_p_t", "worse_bayes", "equal_bayes", "better_bayes"),
        *("d_z", "d_av", "d", "g", "PAD", "queries", "wins", "ties", "losses"),
    ]
    pairs = [(m, *two) for m in ("P@10", "RR", "Success@5") for two in combinations("ABC", 2)]
    assert list(frame[["measure", "first", "second"]].itertuples(index=False, name=None)) == pairs
    of = frame[frame["measure"] == "P@10"]
    assert dict(zip(zip(of["first"], of["second"], strict=True), of["p_t"], strict=True)) == (
        pytest.approx(P_OF_T, rel=1e-12)
    )
    assert list(of["mean_first"]) == [0.345, 0.345, 0.27]  # sums of the tenths: 69, 54 and 49
    assert list(of["mean_second"]) == [0.27, 0.245, 0.245]
    assert list(frame["queries"]) == [20] * 9
    assert str(frame["wins"].dtype) == "int64"
    polars = of_two.to_polars()
    assert polars.columns == list(frame.columns) == of_two.to_arrow().column_names
    assert polars["p_t"].to_list()[:3] == list(frame["p_t"])[:3]


@pytest.mark.spec("RS-CONV-47")
def test_or_a_row_a_test_besides(of_two: rs.Comparison) -> None:
    frame = of_two.to_polars(long=True)
    assert frame.height == 18
    assert frame["test"].to_list() == ["t", "bayes"] * 9
    one = frame.row(0, named=True)
    outcome = of_two["P@10"]["A", "B"].tests["t"].outcome
    assert (one["statistic"], one["df"], one["p"]) == (outcome.statistic, 19.0, outcome.p)
    assert frame["p"].to_list()[1] is None
    assert frame["better"].to_list()[0] is None
    flat = rs.compare(evaluated({"A": [1, 1], "B": [1, 1]}), tests="t").to_arrow(long=True)
    assert flat.column("p").to_pylist() == [None]
    assert flat.column("why").to_pylist() == ["all differences are 0"]


# ---- beside a p, the interval of its test --------------------------------------------------------


@pytest.fixture(scope="module")
def with_intervals() -> rs.Comparison:
    return rs.compare(evaluated(TENTHS), tests=list(BY_NAME), replicates=20)


@cache
def quantile_of_the_range() -> float:
    """The quantile of the studentized range of 3 systems and 38 degrees of freedom."""
    return float(stats.studentized_range.ppf(0.95, 3, 38))


def by_scipy(test: str, x: list[int], y: list[int]) -> Any:
    if test == "t":
        return stats.ttest_rel(x, y).confidence_interval(0.95)
    return stats.ttest_ind(x, y, equal_var=test == "pooled").confidence_interval(0.95)


@pytest.mark.spec("RS-CMP-23")
@pytest.mark.parametrize("written", [text.csv_text, text.tsv])
def test_a_line_has_the_interval_of_its_test_or_none(
    with_intervals: rs.Comparison, written: Any
) -> None:
    lines = written(with_intervals, None).splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t" if written is text.tsv else ","))
    assert len(rows) == 3 * len(BY_NAME)
    for row in rows:
        if row["test"] in ("t", "pooled", "welch"):
            ends = by_scipy(row["test"], TENTHS[row["first"]], TENTHS[row["second"]])
            assert float(row["low"]) == pytest.approx(ends.low / 10, rel=1e-9)
            assert float(row["high"]) == pytest.approx(ends.high / 10, rel=1e-9)
        elif row["test"] != "tukey":
            assert (row["low"], row["high"]) == ("", "")
    # R: aov(score ~ topic + system) has the residual sum of squares 0.83167
    half = quantile_of_the_range() * (0.83167 / 38 / 20) ** 0.5
    tukey = {(x["first"], x["second"]): x for x in rows if x["test"] == "tukey"}
    assert float(tukey["A", "B"]["low"]) == pytest.approx(0.075 - half, abs=1e-6)
    assert float(tukey["A", "B"]["high"]) == pytest.approx(0.075 + half, abs=1e-6)


@pytest.mark.spec("RS-CMP-23", "RS-CONV-47")
def test_every_form_has_the_same_intervals(with_intervals: rs.Comparison) -> None:
    found = with_intervals
    wide, long = found.to_polars(), found.to_polars(long=True)
    pairs = found.to_dict()["measures"][0]["pairs"]
    page, latex, pipes = (str(found), text.latex(found, 4), text.markdown(found, 4))
    for row, pair in enumerate(pairs):
        assert (wide["low"][row], wide["high"][row]) == pair["tests"]["t"]["interval"]
        for name, test in BY_NAME.items():
            known = pair["tests"][name]["interval"]
            assert (known is not None) == test.has_interval
            own = long.row(row * len(BY_NAME) + list(BY_NAME).index(name), named=True)
            assert own["test"] == name
            assert (own["low"], own["high"]) == (known or (None, None))
            if test.has_interval and name != "t":
                assert (wide[f"low_{name}"][row], wide[f"high_{name}"][row]) == known
            if known is not None:
                cell = f"[{known[0]:.4f}, {known[1]:.4f}]"
                assert all(cell.replace("-", "−") in x or cell in x for x in (page, latex, pipes))
                assert all(f"{name} interval" in x for x in (page, latex, pipes))


def test_a_page_says_which_interval_it_has() -> None:
    ranks = str(rs.compare(evaluated(TENTHS), tests="wilcoxon", replicates=20))
    assert "95% t interval" in ranks
    welch = str(rs.compare(evaluated(TENTHS), tests="welch", replicates=20))
    assert "95% welch interval" in welch
    assert "95% t interval" not in welch


@pytest.mark.spec("RS-CMP-14", "RS-CMP-23")
def test_reports_name_the_probabilities_of_the_bayesian_test_and_its_rope() -> None:
    qrels = {str(q): {"a": 1, "b": 0} for q in range(6)}
    runs = {
        "A": {str(q): {"a": 1.0, "b": q / 2} for q in range(6)},
        "B": {str(q): {"a": 1.0, "b": q / 4} for q in range(6)},
    }
    evaluations = {name: rs.evaluate(qrels, run, "nDCG") for name, run in runs.items()}
    alone = rs.compare(evaluations, tests="bayes", rope=0.05, replicates=20)
    beside_t = rs.compare(evaluations, tests=["t", "bayes"], rope=0.05, replicates=20)
    for written in (text.table, text.markdown, text.latex):
        page = " ".join(written(alone, 4).split())
        words = page.replace(" % ", " ")
        assert "worse/equal/better" in words
        assert "mean of the first system is lower by more than the rope" in words
        assert "rope = 0.05" in words
        for absent in ("significant at", "correction:", "p bayes", "and p by test"):
            assert absent not in page
        both = " ".join(written(beside_t, 4).split())
        assert "significant at" in both
        assert "correction:" in both
        assert "p bayes" not in both
    head, line = (row.split(",") for row in text.csv_text(alone, None).splitlines())
    cells = dict(zip(head, line, strict=True))
    tested = alone.to_dict()["measures"][0]["pairs"][0]["tests"]["bayes"]
    assert cells["rope"] == "0.05"
    for name, share in zip(("worse", "equal", "better"), tested["probabilities"], strict=True):
        assert tested[name] == share == float(cells[name])
    assert tested["worse"] > 0.5  # the mean of A is the lower one
    of_t = next(row for row in text.csv_text(beside_t, None).splitlines() if ",t," in row)
    assert dict(zip(head, of_t.split(","), strict=True))["rope"] == ""
