"""rs.compare of measures, sets of queries and collections: figures by hand, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import rankspec as rs
from rankspec import InputError
from rankspec.reference.agreement import Bin, Conflicts

from ..each import each
from .test_compare import evaluated

Planted = Mapping[str, Mapping[str, Sequence[float]]]
"""{system: {measure: the values of its queries}}"""

# By P@10 A is better than both others for each query, and B and C take turns; by AP B is the best
# for each query, and C the worst.
SIX: Planted = {
    "A": {"P@10": [0.9] * 6, "AP": [0.7] * 6},
    "B": {"P@10": [0.5, 0.3] * 3, "AP": [0.9] * 6},
    "C": {"P@10": [0.3, 0.5] * 3, "AP": [0.5] * 6},
}
EVEN, ODD = ("q00", "q02", "q04"), ("q01", "q03", "q05")


def planted(values: Planted) -> dict[str, rs.Evaluation]:
    """Evaluations whose values are these."""
    measures = list(next(iter(values.values())))
    n = len(next(iter(next(iter(values.values())).values())))
    bases = evaluated({name: [1] * n for name in values}, measures)
    found = {}
    for name, base in bases.items():
        by = {m: dict(zip(base.queries, values[name][m], strict=True)) for m in measures}
        found[name] = replace(base, per_query=by)
    return found


@pytest.fixture(scope="module")
def six() -> dict[str, rs.Evaluation]:
    return planted(SIX)


def signs(evaluations: Mapping[str, rs.Evaluation], **given: Any) -> rs.Comparison:
    """By the sign test, without a correction: six wins of six have p = 2/64."""
    return rs.compare(evaluations, tests="sign", correction="none", replicates=10, **given)


# ---- measures ------------------------------------------------------------------------------


def test_what_two_measures_say_of_pairs(six: dict[str, rs.Evaluation]) -> None:
    found = signs(six, measures=True)
    between = found.between["P@10", "AP"]
    # A, C agrees; B, C is gained; A, B is opposite
    assert between.conflicts == {"sign": Conflicts(1, 1, 0, 1, 0)}
    assert between.orders.swapped == [("A", "B")]
    assert (found["P@10"].power["sign"].significant, found["AP"].power["sign"].significant) == (
        2,
        3,
    )
    # (5/9 + 5/9 + 0)/3, and (2/9 + 2/7 + 4/9)/3
    assert found["P@10"].mean_pad == pytest.approx(10 / 27, rel=1e-12)
    assert found["AP"].mean_pad == pytest.approx(20 / 63, rel=1e-12)
    assert not signs(six).between


def test_a_correction_takes_conflicts_away(six: dict[str, rs.Evaluation]) -> None:
    found = rs.compare(six, tests="sign", correction="bonferroni", replicates=10, measures=True)
    assert found.between["P@10", "AP"].conflicts["sign"] == Conflicts(0, 0, 0, 0, 3)


def test_the_orders_of_two_measures() -> None:
    levels = {"A": (0.4, 0.3), "B": (0.3, 0.4), "C": (0.2, 0.1), "D": (0.1, 0.1)}
    values = {s: {"P@10": [x] * 2, "AP": [y] * 2} for s, (x, y) in levels.items()}
    found = rs.compare(planted(values), measures=True, rbo_p=0.5, replicates=10)
    orders = found.between["P@10", "AP"].orders
    # SciPy 1.17: kendalltau([4, 3, 2, 1], [3, 4, 1, 1]).statistic
    assert orders.tau_b == pytest.approx(0.5477225575051661, rel=1e-14)
    # The mean of B A C D and B A D C: 2/3 (0 + 1 + (1 + 2/3 + 1)/2) - 1; and AP has a tie
    assert orders.tau_ap == (pytest.approx(2 / 9, rel=1e-14), None)
    # (2/3 (0 + 1 + 1) - 1 + 2/3 (0 + 1 + 2/3) - 1)/2
    assert orders.tau_ap_b == pytest.approx(2 / 9, rel=1e-14)
    # agreements 0, 1, 2.5/√(3 · 2.5), 1 at the depths 1 to 4
    rbo = 0.25 + 0.125 * 2.5 / sqrt(7.5) + 0.0625 + 0.0625
    assert orders.rbo == pytest.approx(rbo, rel=1e-14)
    assert orders.p == 0.5
    assert orders.swapped == [("A", "B")]


def test_swapped_pairs_stand_in_the_order_of_the_systems() -> None:
    """Of all systems, whatever the baseline, which is the second of each pair that is tested."""
    means = {"A": (0.5, 0.25), "B": (0.375, 0.375), "C": (0.25, 0.5)}
    values = {s: {"P@10": [x] * 2, "AP": [y] * 2} for s, (x, y) in means.items()}
    found = rs.compare(planted(values), baseline="A", measures=True, replicates=10)
    orders = found.between["P@10", "AP"].orders
    assert orders.swapped == [("A", "B"), ("A", "C"), ("B", "C")]
    assert orders.tau_b == found.agreement["P@10", "AP"] == -1


def test_one_measure_and_a_test_without_p(six: dict[str, rs.Evaluation]) -> None:
    given: dict[str, Any] = {"tests": "bayes", "measures": True, "replicates": 10}
    found = rs.compare(six, **given)
    assert found.between["P@10", "AP"].conflicts == {}
    sets = rs.compare(six, subsets={"first": ["q00", "q01"]}, **given)
    for words in (str(found), str(sets)):
        assert "measures: mean PAD" in words
        for absent in ("significant", "p of bayes", "has p corrected"):
            assert absent not in words
    assert "P@10: worse/equal/better by set of queries" in str(sets)
    beside_t = str(rs.compare(six, **given | {"tests": ["bayes", "t"]}))
    assert "measures: significant pairs by test, mean PAD" in beside_t
    assert "significant differences by two measures" in beside_t
    one = {name: replace(x, measures=x.measures[:1]) for name, x in six.items()}
    assert rs.compare(one, **given).between == {}


def test_rbo_has_no_default(six: dict[str, rs.Evaluation]) -> None:
    orders = signs(six, measures=True).between["P@10", "AP"].orders
    assert (orders.rbo, orders.p) == (None, None)


def test_means_that_are_equal_but_for_a_rounding_are_tied() -> None:
    """0.1 + 0.2 + 0.3 and 0.3 + 0.3 + 0: AP has B first, P@10 neither."""
    sums = {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.3, 0.0]}
    exact = {name: sum(map(Fraction, x)) for name, x in sums.items()}
    assert exact["A"] > exact["B"]
    values = {
        "A": {"P@10": sums["A"], "AP": [0.1, 0.1, 0.2]},
        "B": {"P@10": sums["B"], "AP": [0.5, 0.5, 0.4]},
        "C": {"P@10": [0.0, 0.0, 0.1], "AP": [0.0, 0.1, 0.0]},
    }
    found = rs.compare(planted(values), measures=True, replicates=10)
    assert not found.between["P@10", "AP"].orders.swapped
    # SciPy 1.17: kendalltau([2, 2, 1], [2, 3, 1]).statistic
    assert found.agreement["P@10", "AP"] == pytest.approx(0.816496580927726, rel=1e-14)


def test_a_mean_that_is_no_percentage() -> None:
    values = {"A": {"P@10": [0.0, 0.0]}, "B": {"P@10": [0.0, 0.0]}, "C": {"P@10": [0.5, 0.0]}}
    assert rs.compare(planted(values), replicates=10)["P@10"].mean_pad is None
    values["A"] = values["B"] = {"P@10": [-0.25, 0.0]}
    values["B"] = {"P@10": [0.25, 0.0]}
    found = rs.compare(planted(values), replicates=10)
    # (0.125 + 0.125)/0.125, (0.25 + 0.125)/0.25, (0.25 - 0.125)/0.25
    assert found["P@10"].mean_pad == pytest.approx((2 + 1.5 + 0.5) / 3, rel=1e-12)
    assert "no percentage where a mean is below 0 (P@10)" in str(found)


def test_a_page_without_measures_is_short(six: dict[str, rs.Evaluation]) -> None:
    short, whole = str(signs(six)), str(signs(six, measures=True))
    assert "tau_AP" not in short
    assert "gained" not in short
    assert "P@10, AP, sign      1       1     0         1        0" in whole
    assert max(map(len, whole.splitlines())) <= 80


# ---- sets of queries -----------------------------------------------------------------------


def test_sets_of_queries(six: dict[str, rs.Evaluation]) -> None:
    found = signs(six, subsets={"even": EVEN, "odd": ODD, "five": [*EVEN, "q01", "q03"]})
    even = found.subsets["even"]["P@10"]
    assert even.queries == EVEN
    assert [x.mean for x in even.systems.values()] == [0.9, 0.5, 0.3]
    # three wins of three: p = 2/8; the family is of the set
    assert even["A", "B"].tests["sign"].corrected == 0.25
    assert found.subsets["even"].family == found.family == 6
    swaps = {(x.measure, x.first, x.second): x for x in found.set_swaps}
    assert len(swaps) == 2 * 3
    one = swaps["P@10", "even", "odd"]
    assert (one.swapped, one.pairs, one.rate) == ([("B", "C")], 3, pytest.approx(1 / 3))
    assert (one.queries, one.common, one.tau_b) == ((3, 3), 0, pytest.approx(1 / 3))
    assert (swaps["P@10", "even", "five"].common, swaps["AP", "even", "odd"].rate) == (3, 0)
    # The five queries have B at (3 · 0.5 + 2 · 0.3)/5 and C at (3 · 0.3 + 2 · 0.5)/5
    assert swaps["P@10", "even", "five"].swapped == []


def test_a_part_of_a_classification(six: dict[str, rs.Evaluation]) -> None:
    qrels = {q: {"a": 1, "b": 0} for q in six["A"].queries}
    run = {q: {"a": 1.0, "b": 2.0 * (q in EVEN)} for q in qrels}
    classes = rs.classify(qrels, [run], "nDCG@1", top=3)
    found = signs(six, subsets={name: classes.of(name) for name in ("ideal", "uninformative")})
    assert found.subsets["ideal"]["AP"].queries == ODD
    assert found.subsets["uninformative"]["AP"].queries == EVEN


# ---- two collections -----------------------------------------------------------------------


def test_two_collections(six: dict[str, rs.Evaluation]) -> None:
    other = planted(
        {
            "C": {"P@10": [0.5] * 4, "AP": [0.5] * 4},
            "A": {"P@10": [0.2, 0.3] * 2, "AP": [0.7] * 4},
            "B": {"P@10": [0.3, 0.2] * 2, "AP": [0.9] * 4},
        }
    )
    found = signs(
        six, against=other, subsets={"even": EVEN}, against_subsets={"even": ["q00", "q02"]}
    )
    by = {(x.measure, x.first): x for x in found.against}
    assert list(by) == [("P@10", "all"), ("AP", "all"), ("P@10", "even"), ("AP", "even")]
    # A = B there, and C is the best: of A > B = C only A, C is swapped
    assert by["P@10", "all"].swapped == [("A", "C")]
    assert by["P@10", "all"].queries == (6, 4)
    # A > B > C here, and C > B > A there
    assert by["P@10", "even"].swapped == [("A", "B"), ("A", "C"), ("B", "C")]
    assert (by["P@10", "even"].queries, by["P@10", "even"].rate) == ((3, 2), 1)
    assert by["AP", "all"].rate == by["AP", "even"].rate == 0


# ---- splits --------------------------------------------------------------------------------


def test_splits_into_halves(six: dict[str, rs.Evaluation]) -> None:
    found = signs(six, splits=7, seed=3, bin_width=0.25)
    swaps = found.splits["AP"]
    # Differences of 0.2, 0.2 and 0.4 in every half
    assert swaps.bins[:2] == [Bin(14, 0), Bin(7, 0)]
    assert (swaps.half, swaps.trials, swaps.seed, swaps.whole) == (3, 7, 3, Bin(21, 0))
    assert "swap rates of halves of the queries, 7 random splits" in str(found)
    # The table ends with the greatest difference of any measure
    assert "0.5 to 0.75" in str(found)
    assert "0.75 to 1" not in str(found)
    assert "correction: no correction (RS-CMP-19); of each test the" in str(found)
    # Of three queries B is better than C for 0 to 3 in a half, and C in the other as often
    assert found.splits["P@10"].whole.swaps == 7


# ---- as data -------------------------------------------------------------------------------


def test_as_plain_data(six: dict[str, rs.Evaluation]) -> None:
    sets = {"even": EVEN, "odd": ODD}
    found = signs(six, measures=True, rbo_p=0.9, subsets=sets, against=six, against_subsets=sets)
    document = json.loads(json.dumps(found.to_dict()))
    (between,) = document["between_measures"]
    assert (between["swapped"], between["rbo_p"]) == ([["A", "B"]], 0.9)
    assert between["conflicts"]["sign"]["opposite"] == 1
    assert document["subsets"]["odd"]["measures"][0]["systems"][1]["mean"] == 0.3
    assert [x["common"] for x in document["set_swaps"]] == [0, 0]
    assert [x["rate"] for x in document["against"]] == [0] * 6


# ---- what is refused -----------------------------------------------------------------------


@each(
    ("given", "said"),
    [
        ({"subsets": {"x": ["q01", "q7"]}}, "subsets: \"x\": unknown query 'q7'"),
        ({"subsets": {"x": [["q01"]]}}, "subsets: \"x\": unknown query ['q01']"),
        ({"subsets": {"x": "q01"}}, "subsets: \"x\": expected queries, got 'q01'"),
        ({"subsets": {"x": 3}}, 'subsets: "x": expected queries, got 3'),
        (
            {"subsets": {"all": EVEN}},
            'subsets: expected a non-empty string other than "all" as the name of a set of '
            "queries, got 'all'",
        ),
        ({"subsets": ["ideal"]}, "subsets: expected a dict of queries by name, got ['ideal']"),
        ({"rbo_p": 0.9}, "rbo_p: only the comparison of measures uses it"),
        ({"rbo_p": 1, "measures": True}, "rbo_p: expected a number between 0 and 1, got 1"),
        ({"splits": -1}, "splits: expected an integer from 1 to 2^32, got -1"),
        ({"splits": 1.5}, "splits: expected an integer from 1 to 2^32, got 1.5"),
        ({"splits": 2, "bin_width": 0}, "bin_width: expected a number above 0, got 0"),
        ({"splits": 2, "bin_width": float("nan")}, "bin_width: expected a number above 0, got nan"),
        ({"splits": 2, "bin_width": float("inf")}, "bin_width: expected a number above 0, got inf"),
        (
            {"against_subsets": {"even": EVEN}},
            "against_subsets: it needs the other collection",
        ),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str, six: dict[str, rs.Evaluation]) -> None:
    with pytest.raises(InputError) as error:
        signs(six, **given)
    assert str(error.value).startswith(said)


def test_collections_that_have_other_systems(six: dict[str, rs.Evaluation]) -> None:
    two = {name: six[name] for name in "AB"}
    words = 'against: only one of the two collections has "C"; both need the same systems'
    with pytest.raises(InputError, match=words):
        signs(six, against=two)
    p = {name: replace(x, measures=x.measures[:1]) for name, x in six.items()}
    with pytest.raises(InputError, match='against: "A" is evaluated by different measures'):
        signs(six, against=p)
    with pytest.raises(InputError, match='_subsets: only one of the two collections has "even"'):
        signs(six, against=six, subsets={"even": EVEN})
    with pytest.raises(InputError, match='against: evaluations: "A": expected a result of rs'):
        signs(six, against={"A": 1, "B": 2, "C": 3})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="against: systems: expected two or more, got 0"):
        signs(six, against={})


# ---- too few queries -----------------------------------------------------------------------


def test_sets_with_too_few_queries(six: dict[str, rs.Evaluation]) -> None:
    """The report goes on: what it says of the other sets is what it says without these."""
    sets = {"one": ["q01"], "even": EVEN, "none": [], "odd": ODD}
    others = {"even": EVEN, "odd": ODD}
    found = signs(six, measures=True, subsets=sets, against=six, against_subsets=sets)
    alone = signs(six, measures=True, subsets=others, against=six, against_subsets=others)
    assert list(found.subsets) == list(sets)
    for name in others:
        assert found.subsets[name] == alone.subsets[name]
        assert found.subsets[name].too_few == {}
    assert found.measures == alone.measures
    for name, n in (("one", 1), ("none", 0)):
        assert found.subsets[name].measures == {}
        assert found.subsets[name].too_few == {"P@10": n, "AP": n}
        assert "AP" not in found.subsets[name].measures
    swaps = {(x.measure, x.first, x.second): x for x in found.set_swaps}
    assert len(swaps) == 2 * 6
    for (measure, *two), x in swaps.items():
        too_few = not {"one", "none"}.isdisjoint(two)
        assert (x.rate is None, x.tau_b is None) == (too_few, too_few), (measure, two)
    assert swaps["AP", "one", "even"].queries == (1, 3)
    assert [x for x in found.set_swaps if x.rate is not None] == list(alone.set_swaps)
    assert [x for x in found.against if x.rate is not None] == list(alone.against)
    text = " ".join(str(found).split())
    assert text.count("a comparison on a set needs two queries") == 1
    assert (
        "n/a: a comparison on a set needs two queries with a value of the measure (RS-AGR-31); "
        "one: one; none: none; in the other collection one: one; in the other collection none: none"
    ) in text
    document = json.loads(json.dumps(found.to_dict()))["subsets"]
    assert document["even"]["not_compared"] == []
    assert document["one"]["not_compared"] == [
        {
            "measure": measure,
            "queries": 1,
            "why": "only one query of the set has a value; a comparison needs two",
        }
        for measure in ("P@10", "AP")
    ]
    assert len(found.subsets["one"].to_pandas()) == 0  # type: ignore[attr-defined]


def test_too_few_queries_of_the_other_collection(six: dict[str, rs.Evaluation]) -> None:
    """The set of this one is compared as ever; whole collections may have one query."""
    one = planted({s: {m: x[:1] for m, x in by.items()} for s, by in SIX.items()})
    found = signs(six, against=one, subsets={"even": EVEN}, against_subsets={"even": ["q00"]})
    by = {(x.measure, x.first): x for x in found.against}
    # In the one query A > B > C by P@10; of all queries B = C.
    assert (by["P@10", "all"].rate, by["P@10", "all"].queries) == (0, (6, 1))
    assert (by["P@10", "even"].rate, by["P@10", "even"].queries) == (None, (3, 1))
    assert list(found.subsets["even"].measures) == ["P@10", "AP"]
    assert "(RS-AGR-31); in the other collection one: even" in " ".join(str(found).split())
    here = signs(six, against=six, subsets={"set": ["q01"]}, against_subsets={"set": EVEN})
    assert [x.rate for x in here.against[2:]] == [None, None]
    assert " ".join(str(here).split()).endswith("(RS-AGR-31); one: set")


@pytest.fixture
def omitted() -> dict[str, rs.Evaluation]:
    """Of q3 nDCG has no value."""
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}, "q3": {"a": 0}}
    run = {q: {"a": 2, "b": 1} for q in qrels}
    return {name: rs.evaluate(qrels, run, ["nDCG", "P@1"], undefined="omit") for name in "AB"}


def test_a_query_of_a_set_that_has_no_value(omitted: dict[str, rs.Evaluation]) -> None:
    """The set is compared by the other measure, whose family is of that measure alone."""
    found = signs(omitted, subsets={"late": ["q2", "q3"], "early": ["q1", "q2"]})
    late = found.subsets["late"]
    assert (list(late.measures), late.too_few, late.family) == (["P@1"], {"nDCG": 1}, 1)
    assert found.subsets["early"].family == 2
    text = " ".join(str(found).split())
    assert "nDCG: means by set of queries system all (2) late (1) early (2)" in text
    assert "nDCG, sign 0/1 (0%) n/a 0/1 (0%)" in text
    assert "P@1, sign 0/1 (0%) 0/1 (0%) 0/1 (0%)" in text
    assert "(RS-AGR-31); one for nDCG: late sets" not in text
    assert text.endswith("(RS-AGR-31); one for nDCG: late")
    max_t = rs.compare(
        {name: replace(x, measures=x.measures[:1]) for name, x in omitted.items()},
        correction="max-t",
        tests="randomisation",
        subsets={"late": ["q2", "q3"]},
    )
    assert max_t.subsets["late"].too_few == {"nDCG": 1}


def test_one_query_cannot_be_split() -> None:
    """A measure that cannot be split is n/a, beside those that can be, or alone."""
    one = planted({"A": {"P@10": [0.5]}, "B": {"P@10": [0.25]}})
    found = rs.compare(one, splits=3)
    assert found.splits == {"P@10": None}
    reason = "n/a: halves need two queries with a value of the measure (RS-AGR-14); one query has "
    assert f"{reason}a value of P@10" in " ".join(str(found).split())
    assert "random splits, by difference" not in str(found)
    assert found.to_dict()["splits"] == {"P@10": None}
    qrels = {"q1": {"a": 1}, "q3": {"a": 0}}
    run = {q: {"a": 2} for q in qrels}
    by = {name: rs.evaluate(qrels, run, ["P@1", "nDCG"], undefined="omit") for name in "AB"}
    found = rs.compare(by, splits=3)
    assert found.splits["P@1"] is not None
    assert found.splits["nDCG"] is None
    text = " ".join(str(found).split())
    assert "difference P@1 nDCG 0 to 0.01 0/3 (0.0%) n/a all 0/3 (0.0%) n/a" in text
    assert f"{reason}a value of nDCG" in text
