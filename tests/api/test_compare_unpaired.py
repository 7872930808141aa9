"""rs.compare of systems on sessions of their own: SciPy's figures, and enumerations of few values.

Each session has one query with one result, so that sDCG@1 is the label of that document.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import log2
from typing import Any

import pytest
from scipy import stats

import rankspec as rs
from rankspec import InputError
from rankspec.analysis.comparison import text
from rankspec.reference.agreement import levels

from ..each import each

VALUE = "sDCG@1"
GRADED = {f"d{i}": i for i in range(20)}

Values = dict[str, list[tuple[str, int]]]
"""{system: the topic and the value of each of its sessions}"""

# The easy topic t has more sessions of A.
UNEVEN: Values = {
    "A": [("t", 9), ("t", 8), ("t", 9), ("u", 3)],
    "B": [("t", 7), ("u", 2), ("u", 1), ("u", 2), ("u", 3)],
}
THREE: Values = UNEVEN | {"C": [("t", 4), ("u", 0), ("u", 1)]}


def apart(
    values: Values, measures: Any = VALUE, *, topics: bool = True, same_ids: bool = False
) -> dict[str, rs.SessionEvaluation]:
    """Evaluations of systems with sessions of their own, A0, A1 ...; or of equal ids."""
    found = {}
    for name, of in values.items():
        ids = [f"{'s' if same_ids else name}{a}" for a in range(len(of))]
        shown = {x: [[f"d{value}"]] for x, (_, value) in zip(ids, of, strict=True)}
        by_topic = {x: topic for x, (topic, _) in zip(ids, of, strict=True)}
        judged = dict.fromkeys(by_topic.values() if topics else ids, GRADED)
        more = {"topics": by_topic} if topics else {}
        found[name] = rs.evaluate_sessions(judged, shown, measures, **more)
    return found


def columns(values: Values, *names: str) -> list[list[int]]:
    return [[value for _, value in values[name]] for name in names]


def enumerated(x: list[tuple[str, int]], y: list[tuple[str, int]]) -> Fraction:
    """The share of all choices of as many sessions of each topic whose sum is as far from the mean
    of these sums."""
    sizes = Counter(topic for topic, _ in x)
    rows = [
        ([value for topic, value in [*x, *y] if topic == t], sizes[t])
        for t in dict.fromkeys(topic for topic, _ in [*x, *y])
    ]
    sums = [sum(map(sum, way)) for way in product(*(combinations(row, k) for row, k in rows))]
    middle = Fraction(sum(sums), len(sums))
    observed = abs(sum(value for _, value in x) - middle)
    return Fraction(sum(abs(S - middle) >= observed for S in sums), len(sums))


# ---- the figures ---------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-31", "RS-CMP-6", "RS-CMP-7", "RS-CMP-4")
@pytest.mark.parametrize(("test", "equal_var"), [("pooled", True), ("welch", False)])
def test_unpaired_t_is_that_of_scipy(test: str, equal_var: bool) -> None:
    found = rs.compare(apart(THREE), tests=test, alpha=0.1, replicates=20)[VALUE]
    for two in combinations("ABC", 2):
        theirs = stats.ttest_ind(*columns(THREE, *two), equal_var=equal_var)
        low, high = theirs.confidence_interval(0.9)
        ours = found[two].tests[test].outcome
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
        assert ours.df == pytest.approx(theirs.df, rel=1e-12)
        assert ours.p == pytest.approx(theirs.pvalue, rel=1e-12)
        assert ours.interval == pytest.approx((low, high), rel=1e-12)
        if test == "welch":
            assert found[two].interval == ours.interval


@pytest.mark.spec("RS-SES-31", "RS-CMP-25")
def test_effect_sizes_and_means_by_hand() -> None:
    """A: mean 29/4, squares 24.75 about it; B: 3, 22; s_p² = 46.75/7, d = 4.25/s_p."""
    found = rs.compare(apart(UNEVEN), tests="pooled")[VALUE]
    pair = found["A", "B"]
    d = 4.25 / (46.75 / 7) ** 0.5
    assert pair.difference == 4.25
    assert pair.effects == {
        "d_z": None, "d_av": None, "d": pytest.approx(d, rel=1e-15),
        "g": pytest.approx(d * (1 - 3 / 27), rel=1e-15), "PAD": 4.25 / 7.25,
    }  # fmt: skip
    assert (pair.wins, pair.ties, pair.losses) == (None, None, None)
    assert (found.systems["A"].mean, found.systems["B"].mean) == (7.25, 3.0)
    assert found.systems["A"].sd == pytest.approx((24.75 / 3) ** 0.5, rel=1e-15)
    assert found.ids == {"A": ("A0", "A1", "A2", "A3"), "B": ("B0", "B1", "B2", "B3", "B4")}
    assert found.values["B"] == (7, 2, 1, 2, 3)
    assert found.queries == ("A0", "A1", "A2", "A3", "B0", "B1", "B2", "B3", "B4")


@pytest.mark.spec("RS-RND-14", "RS-CMP-26", "RS-SES-31/L2")
def test_the_test_within_topics_is_that_of_all_choices() -> None:
    found = rs.compare(apart(THREE), correction="none")[VALUE]
    for two in combinations("ABC", 2):
        ours = found[two].tests["stratified"].outcome
        assert ours.p == float(enumerated(*(THREE[name] for name in two)))
        alone = rs.compare(apart({name: THREE[name] for name in two}))[VALUE][two]
        assert [x.outcome for x in alone.tests.values()] == [
            x.outcome for x in found[two].tests.values()
        ]
    # by hand: in t 26/3 - 7 with the weight 3/4, in u 3 - 2 with 4/5
    adjusted = (Fraction(3, 4) * Fraction(5, 3) + Fraction(4, 5)) / (
        Fraction(3, 4) + Fraction(4, 5)
    )
    ours = found["A", "B"].tests["stratified"].outcome
    assert ours.statistic == float(adjusted)
    assert ours.how == "all 20 permutations within topics"


@pytest.mark.spec("RS-RND-14")
def test_without_topics_all_sessions_are_one_topic() -> None:
    one_topic = {name: [("", value) for _, value in of] for name, of in UNEVEN.items()}
    pair = rs.compare(apart(UNEVEN, topics=False))[VALUE]["A", "B"]
    ours = pair.tests["stratified"].outcome
    assert ours.p == float(enumerated(*one_topic.values()))
    assert ours.statistic == pair.difference
    assert ours.how == "all 126 permutations of all sessions, which have no topics"


@pytest.mark.spec("RS-CMP-23")
def test_sums_of_doubles_tie_as_their_numbers_do() -> None:
    """Values with no common denominator: labels by 1 + log2 3. Sums of many choices are equal."""
    labels = {"A": [4, 8, 8, 9], "B": [4, 6, 4, 11, 4]}
    judged = {**GRADED, "zero": 0}
    by = {
        name: rs.evaluate_sessions(
            {f"{name}{a}": judged for a in range(len(of))},
            {f"{name}{a}": [["d0", "zero", f"d{x}"]] for a, x in enumerate(of)},
            "sDCG@3",
        )
        for name, of in labels.items()
    }
    assert by["A"].per_session["sDCG@3"]["A0"] == pytest.approx(4 / (1 + log2(3)))
    ours = rs.compare(by)["sDCG@3"]["A", "B"].tests["stratified"].outcome
    assert ours.p == float(enumerated(*([("", x) for x in of] for of in labels.values())))


@pytest.mark.spec("RS-RND-14", "RS-RND-7")
def test_many_sessions_are_permuted_at_random() -> None:
    """Of 20 and 20 sessions without a common value the p is the least that m permutations allow."""
    values: Values = {
        "A": [("t", 10 + a % 5) for a in range(20)], "B": [("t", a % 5) for a in range(20)],
    }  # fmt: skip
    ours = rs.compare(apart(values), replicates=99, seed=3)[VALUE]["A", "B"].tests["stratified"]
    assert (ours.outcome.p, ours.outcome.how) == (
        0.01, "99 random permutations within topics, seed 3",
    )  # fmt: skip


@pytest.mark.spec("RS-RND-7/L2", "RS-RND-14")
def test_the_test_within_topics_keeps_its_level() -> None:
    """Under all choices of the sessions of equal systems p is at most alpha in a share of alpha."""
    rows = [([9, 8, 9, 5], 2), ([3, 2, 1, 2, 3], 2)]
    found = []
    for way in product(*(combinations(range(len(row)), k) for row, k in rows)):
        strata = [
            ([row[a] for a in mine], [x for a, x in enumerate(row) if a not in mine])
            for (row, _), mine in zip(rows, way, strict=True)
        ]
        found.append(rs.reference.randomness.stratified(strata, 0, 1).p)
    assert len(set(found)) > 5
    for alpha in found:
        assert sum(p <= alpha for p in found) <= alpha * len(found)


@pytest.mark.spec("RS-SES-31", "RS-AGR-30")
def test_systems_are_ordered_by_means_over_different_numbers() -> None:
    """B has the greater sum, A the greater mean; C has the mean of B."""
    assert levels([[5.0], [4.0, 4.0, 4.0], [3.0, 5.0]]) == [1, 0, 0]
    third = 1 / 3
    assert levels([[third, 2 * third], [0.5], [log2(3)]]) == [0, 0, 1]
    values: Values = {"A": [("t", 5)], "B": [("t", 4)] * 3, "C": [("t", 3), ("t", 5)]}
    found = rs.compare(apart(values, [VALUE, "sDCG@2"]), tests="stratified", measures=True)
    assert found.between[VALUE, "sDCG@2"].orders.swapped == []
    assert found[VALUE].mean_pad == pytest.approx(2 / 15, rel=1e-15)
    assert found[VALUE]["A", "B"].tests["stratified"].outcome.p == 0.25


@each(
    ("values", "why"),
    [
        ({"A": [("t", 1)], "B": [("t", 3), ("t", 4)]}, "a standard deviation needs two sessions"),
        ({"A": [("t", 1)] * 2, "B": [("t", 3)] * 3}, "neither system varies"),
    ],
)
def test_what_has_no_t(values: Values, why: str) -> None:
    pair = rs.compare(apart(values), tests=["welch", "pooled"])[VALUE]["A", "B"]
    assert {x.outcome.why for x in pair.tests.values()} == {why}
    flat = len(values["A"]) > 1
    assert pair.interval == ((-2.0, -2.0) if flat else None)
    assert pair.effects["d"] is None


def test_topics_of_one_system_each() -> None:
    values: Values = {"A": [("t", 1), ("t", 2)], "B": [("u", 3), ("u", 5)]}
    found = rs.compare(apart(values))
    ours = found[VALUE]["A", "B"].tests["stratified"]
    assert (ours.outcome.p, ours.corrected) == (None, None)
    assert ours.outcome.why == "no topic has sessions of both systems"
    assert "stratified: undefined, no topic has sessions of both systems" in str(found)


# ---- the design ----------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-31")
def test_the_design_is_recognised_and_said() -> None:
    found = rs.compare(apart(THREE))
    assert (found.design.name, found.design.why) == ("unpaired", "no session is in two systems")
    assert [x.name for x in found.tests] == ["welch", "stratified"]
    assert "design: unpaired: no session is in two systems (RS-SES-31)" in str(found)
    same = {name: apart({name: of[:3]}, same_ids=True)[name] for name, of in UNEVEN.items()}
    topics = {name: without_topics(x) for name, x in same.items()}
    paired = rs.compare(topics)
    assert (paired.design.name, paired.design.why) == (
        "paired", "all systems have the same sessions",
    )  # fmt: skip
    assert [x.name for x in paired.tests] == ["t", "randomisation"]
    assert "design: paired: all systems have the same sessions (RS-SES-31)" in str(paired)


def without_topics(evaluation: rs.SessionEvaluation) -> rs.SessionEvaluation:
    return replace(evaluation, topics={})


@pytest.mark.spec("RS-SES-31")
def test_equal_ids_can_be_different_sessions() -> None:
    by = apart(UNEVEN, same_ids=True)
    chosen = rs.compare(by, design="unpaired")
    assert chosen.design.why == "as chosen: each system has sessions of its own"
    ours, other = chosen[VALUE]["A", "B"], rs.compare(apart(UNEVEN))[VALUE]["A", "B"]
    assert ours == other
    assert len(chosen[VALUE].queries) == 5


def refused(evaluations: Any, **how: Any) -> str:
    with pytest.raises(InputError) as error:
        rs.compare(evaluations, **how)
    return str(error.value)


def test_some_that_are_shared() -> None:
    by = apart(THREE)
    one = {"A": by["A"], "X": apart({"A": UNEVEN["A"][:1]})["A"]}
    assert 'systems: "A" and "X" share the session "A0", but only "A" has "A1", "A2"' in refused(
        one
    )
    assert (
        'systems: "A" and "X" have the same sessions, but "A" and "B" share none; systems are '
    ) in refused({"A": by["A"], "B": by["B"], "X": by["A"]})


@each(
    ("how", "said"),
    [
        ({"tests": "t"}, 'tests: "t" needs the same sessions in all systems, but the design is '
         'unpaired: no session is in two systems; expected one of "pooled", "welch", "stratified"'),
        ({"tests": ["welch", "tukey"]}, 'tests: "tukey" needs the same sessions'),
        ({"correction": "max-t"}, 'correction: "max-t" works only with the randomisation test, '
         "which needs the same sessions in all systems (RS-SES-31)"),
        ({"correction": "max-t", "tests": "welch"}, 'randomisation test, not with "welch"'),
        ({"subsets": {"some": ["A0"]}}, "subsets: it needs the same sessions in all systems"),
        ({"splits": 3}, "splits: it needs the same sessions in all systems"),
        ({"design": "pared"}, 'design: unknown name "pared" (did you mean "paired"?)'),
        ({"design": "paired"}, 'systems: "A" and "B": only "A" has "A0", "A1", "A2" and 1 more'),
        ({"tests": "permutation"}, 'test: unknown name "permutation"'),
    ],
)  # fmt: skip
def test_what_is_refused(how: dict[str, Any], said: str) -> None:
    assert said in refused(apart(UNEVEN), **how)


def test_what_is_refused_of_the_same_sessions_and_of_queries() -> None:
    by = {name: without_topics(x) for name, x in apart({"A": UNEVEN["A"]}).items()}
    assert (
        'tests: "stratified" needs different sessions in all systems, but the design is paired: '
        "all systems have the same sessions"
    ) in refused({"A": by["A"], "B": by["A"]}, tests="stratified")
    run = rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "RR")
    assert 'design: "unpaired" is for sessions' in refused({"A": run, "B": run}, design="unpaired")


def test_a_system_without_a_value() -> None:
    judged = {"a": {"d": 1}, "b": {"d": 0}}
    by = {
        name: rs.evaluate_sessions(judged, {name: [["d"]]}, "nsDCG@1", undefined="omit")
        for name in judged
    }
    assert refused(by) == 'nsDCG@1: no session of "b" has a value'


# ---- how it is written ---------------------------------------------------------------------


def test_the_page_shows_numbers_of_sessions_and_no_wins() -> None:
    lines = str(rs.compare(apart(UNEVEN), replicates=50)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "sDCG@1: means, each system over sessions of its own"
    assert lines[1].split()[:3] == ["system", "sessions", "mean"]
    assert lines[2].split()[:3] == ["A", "4", "7.2500"]
    words = " ".join(" ".join(lines).split())
    assert "W/T/L" not in words
    assert "quer" not in words
    assert "95% welch interval" in words
    assert "d RS-CMP-25, g RS-CMP-17, PAD RS-CMP-18" in words
    assert "adjusted stratified: the mean difference within topics" in words
    only = str(rs.compare(apart(UNEVEN), tests="stratified", replicates=50))
    assert "95% welch interval" in " ".join(only.split())


@each(("form", "part"), [(text.markdown, "| B | 5 |"), (text.latex, "B & 5 &")])
def test_tables_for_papers(form: Any, part: str) -> None:
    found = rs.compare(apart(UNEVEN), replicates=50)
    written = form(found, 4)
    d = f"{found[VALUE]['A', 'B'].effects['d']:.4f}"
    assert part in written
    assert d in written
    assert "design: unpaired" in written


def test_data_and_lines() -> None:
    found = rs.compare(apart(THREE), replicates=50)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["design"] == {"name": "unpaired", "why": "no session is in two systems"}
    (of,) = plain["measures"]
    assert (of["sessions"], [x["sessions"] for x in of["systems"]]) == (12, [4, 5, 3])
    assert of["pairs"][0]["wins"] is None
    pair = found[VALUE]["A", "B"]
    assert of["pairs"][0]["effects"]["d"] == pair.effects["d"]
    assert of["pairs"][0]["interval"] == list(pair.interval or ())
    rows = list(csv.DictReader(io.StringIO(text.csv_text(found, None))))
    assert len(rows) == 6
    first = rows[0]
    assert [first[x] for x in ("sessions", "sessions_first", "sessions_second", "design")] == [
        "9", "4", "5", "unpaired",
    ]  # fmt: skip
    assert (first["wins"], first["d_z"], float(first["d"])) == ("", "", pair.effects["d"])
    assert (float(first["low"]), float(first["high"])) == pair.interval
    assert text.tsv(found, None).splitlines()[0].split("\t") == list(first)


@pytest.mark.spec("RS-CONV-47")
def test_frames() -> None:
    found = rs.compare(apart(THREE), replicates=50)
    frame = found.to_pandas()
    assert list(frame.columns) == [
        *("measure", "first", "second", "mean_first", "mean_second", "difference", "low", "high"),
        *("p_welch", "corrected_p_welch", "p_stratified", "corrected_p_stratified"),
        *("d_z", "d_av", "d", "g", "PAD", "sessions", "sessions_first", "sessions_second"),
    ]
    assert list(frame["sessions_second"]) == [5, 3, 3]
    assert frame["d_z"].isna().all()
    long = found.to_polars(long=True)
    assert long["test"].to_list() == ["welch", "stratified"] * 3
    assert (long["low"][0], long["low"][1]) == (frame["low"][0], None)
