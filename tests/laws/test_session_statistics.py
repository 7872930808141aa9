"""What was scanned of sessions, and statistics over them: RS-SES-26, 27, 29, 30, 32."""

from __future__ import annotations

import json
import math
import statistics
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli.main import main
from rankspec.evaluation.sessions.lengths import lengths_of
from rankspec.papers.jarvelin_2008.printed import TABLE_2
from rankspec.reference import session as reference

from ..each import each

JUDGMENTS = {"s": {"a": 3, "b": 1, "c": 2}}
MEASURES = ["sDCG@{X}", "query_sDCG(over='last')@{X}", "nsDCG@{X}", "nsDCG(repeats='first')@{X}"]

documents = st.lists(st.sampled_from("abcde"), max_size=4, unique=True)
sessions = st.lists(documents, min_size=1, max_size=3)
depths = st.lists(st.none() | st.integers(0, 6), min_size=3, max_size=3)


def evaluated(queries: Any, measures: Any, **options: Any) -> dict[str, float]:
    return dict(rs.evaluate_sessions(JUDGMENTS, {"s": queries}, measures, **options).mean)


# ---- RS-SES-26 ---------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-26")
@given(queries=sessions, s=depths)
def test_every_value_is_that_of_the_lists_as_scanned(queries: Any, s: Any) -> None:
    """By lists that are cut by hand, place by place."""
    by_hand = [
        [d for i, d in enumerate(ranked, 1) if depth is None or i <= depth]
        for ranked, depth in zip(queries, s, strict=False)
    ]
    measures = ["sDCG@3", "nsDCG(padding=0)@3", "nsDCG", "query_nDCG@2", "sDCG_q@2"]
    found = evaluated(queries, measures, scanned={"s": s[: len(queries)]})
    assert found == evaluated(by_hand, measures)


@pytest.mark.spec("RS-SES-26/L1")
@given(queries=sessions, X=st.integers(1, 5))
def test_depths_that_are_all_x_are_the_cut_off(queries: Any, X: int) -> None:
    measures = [name.format(X=X) for name in MEASURES]
    every = {"s": [X] * len(queries)}
    assert evaluated(queries, measures, scanned=every) == evaluated(queries, measures)


@pytest.mark.spec("RS-SES-26/L2")
@given(queries=sessions, s=st.lists(st.integers(0, 5), min_size=3, max_size=3), q=st.integers(0, 2))
def test_who_scans_further_gains_no_less(queries: Any, s: list[int], q: int) -> None:
    shorter = s[: len(queries)]
    further = [depth + (at == q) for at, depth in enumerate(shorter)]
    less, more = (evaluated(queries, "sDCG", scanned={"s": x})["sDCG"] for x in (shorter, further))
    assert less <= more


@pytest.mark.spec("RS-SES-26/L3")
@given(queries=sessions, s=depths)
def test_scanned_once_more(queries: Any, s: Any) -> None:
    s = s[: len(queries)]
    once = reference.scanned(queries, s)
    assert reference.scanned(once, s) == once


@pytest.mark.spec("RS-SES-26")
def test_special_cases() -> None:
    """(a), (b), (c), (d) and (e), with values by hand: no discounts, one gain of 3."""
    plain: Any = {"discount": "none", "query_discount": "none"}

    def value(measure: str, s: Any, queries: Any = (["b", "a"],), **more: Any) -> float:
        given = {"s": [list(ranked) for ranked in queries]}
        found = rs.evaluate_sessions(JUDGMENTS, given, measure, scanned={"s": s}, **plain, **more)
        return next(iter(found.mean.values()))

    assert value("sDCG@10", [7]) == 4  # (a)
    assert value("sDCG@10", [0]) == 0  # (b)
    assert value("sDCG_q@10", [0, 2], queries=(["a"], ["a", "c"])) == 2.5  # (b): of two queries
    assert value("sDCG@1", [2]) == 1  # (c)
    assert value("nsDCG@2", [1]) == 1 / 5  # (d): of the ideal 3 + 2
    assert value("nsDCG(padding=0)@2", [1]) == 1 / 3  # (d): of the ideal 3
    again = (["b", "a"], ["a"])
    assert value("sDCG(repeats='first')@2", [1, 1], queries=again) == 4  # (e): a is new
    assert value("sDCG(repeats='first')@2", [2, 1], queries=again) == 4
    assert value("nsDCG@2", [1], pool="retrieved") == 1  # (e): b alone


FILE = "s\t1\t1\ns\t3\t0\n"
LISTS = [["b", "a"], ["b", "a"], ["a"]]


@pytest.mark.spec("RS-SES-26")
def test_a_file_and_a_dict(tmp_path: Path) -> None:
    (tmp_path / "depths.tsv").write_text(f"# a comment\n\n{FILE}")
    by_file = evaluated(LISTS, "sDCG@2", scanned=tmp_path / "depths.tsv")
    assert by_file == evaluated(LISTS, "sDCG@2", scanned={"s": [1, None, 0]})
    assert by_file == evaluated([["b"], ["b", "a"], []], "sDCG@2")


@pytest.mark.spec("RS-SES-26")
def test_averages_of_judged_sessions() -> None:
    judged = rs.judge_sessions(JUDGMENTS, {"s": LISTS}, scanned={"s": [1, 0]})
    assert [list(ranked) for ranked in judged.sessions[0].queries] == [["b"], [], ["a"]]


@pytest.mark.spec("RS-SES-26")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("s\t1\n", "d.tsv:1: found 2 fields; expected session, query and number"),
        ("s\t1\t2\t3\n", "d.tsv:1: found 4 fields"),
        (
            "s\t0\t2\n",
            "d.tsv:1: .* a query number outside 1 to 1000000; expected session, query and number",
        ),
        ("s\t1\t-2\n", 'd.tsv:1: "-2" is not a number'),
        ("s\t1\tx\n", 'd.tsv:1: "x" is not a number'),
        ("s\t1\t1\ns\t1\t2\n", 'd.tsv:2: query 1 of session "s" occurs a second time'),
        ("s\t9999999999999\t1\n", "d.tsv:1: .* a query number outside 1 to 1000000; expected"),
        ("s\t4\t1\n", 'd.tsv:1: session "s": it names query 4, but the session has 3 queries'),
        ("t\t1\t1\n", 'd.tsv:1: session "t" is not among the sessions'),
        ("# nothing\n", "d.tsv: empty; expected lines of session, query and number"),
    ],
)
def test_bad_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.tsv").write_text(content)
    with pytest.raises(rs.InputError, match=message):
        evaluated(LISTS, "sDCG", scanned="d.tsv")


@pytest.mark.spec("RS-SES-26")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "scanned: expected a file, or a dict of lists by session, got 3"),
        ({"s": 3}, 'scanned: session "s": 3 is no list of numbers'),
        ({"s": "12"}, "is no list of numbers"),
        ({"s": [1, -1]}, 'scanned: session "s", query 2: expected a number of results, got -1'),
        ({"s": [1.5]}, "query 1: expected a number of results, got 1.5"),
        ({"s": [True]}, "query 1: expected a number of results, got True"),
        ({"s": [1, 1, 1, 1]}, 'session "s": it names query 4, but the session has 3 queries'),
        ({"t": [1]}, 'scanned: session "t" is not among the sessions'),
        ({3: [1]}, "scanned"),
    ],
)
def test_bad_dicts(given: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        evaluated(LISTS, "sDCG", scanned=given)


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.tsv").write_text(FILE)
    Path("q.tsv").write_text("".join(f"s\t{d}\t{r}\n" for d, r in JUDGMENTS["s"].items()))
    Path("s.tsv").write_text(
        "".join(f"s\t{q}\t{i}\t{d}\n" for q, x in enumerate(LISTS, 1) for i, d in enumerate(x, 1))
    )
    words = ["session", "eval", "q.tsv", "s.tsv", "-m", "sDCG@2", "--format", "tsv"]
    assert main([*words, "--scanned", "d.tsv"]) == 0
    value = capsys.readouterr().out.split()[-1]
    assert float(value) == evaluated([["b"], ["b", "a"], []], "sDCG@2")["sDCG@2"]
    assert main([*words, "--scanned", "nowhere"]) == 2


# ---- RS-SES-27 ---------------------------------------------------------------------------

doubles = st.floats(-1e6, 1e6, allow_subnormal=False)


def sd(values: list[float]) -> float:
    """By evaluate_sessions, of sessions that gain so much with their one result."""
    judgments = {f"{n}": {"x": x} for n, x in enumerate(values)}
    found = rs.evaluate_sessions(judgments, {name: [["x"]] for name in judgments}, "sDCG@1")
    return found.sd["sDCG@1"]


@pytest.mark.spec("RS-SES-27")
@given(values=st.lists(st.integers(0, 50).map(lambda n: n / 8), min_size=2, max_size=6))
def test_the_standard_deviation_is_correctly_rounded(values: list[float]) -> None:
    """By an enclosure of FLINT, of exact rationals of the standard library."""
    square = statistics.variance(map(Fraction, values))
    flint.ctx.prec = 200
    root = flint.arb(flint.fmpq(square.numerator, square.denominator)).sqrt()
    low, high = (float(Decimal(end.str(60, radius=False))) for end in (root.lower(), root.upper()))
    assert low == high == sd(values)


@pytest.mark.spec("RS-SES-27")
def test_of_known_values() -> None:
    """The eight numbers of the textbook: mean 5, sum of squares 32, over 7."""
    with localcontext() as context:
        context.prec = 50
        expected = float((Decimal(32) / 7).sqrt())
    assert sd([2, 4, 4, 4, 5, 5, 7, 9]) == expected
    assert statistics.stdev([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(expected, rel=1e-15)


@pytest.mark.spec("RS-SES-27/L1")
@given(values=st.lists(st.integers(0, 9), min_size=2, max_size=5), data=st.data())
def test_the_order_does_not_matter(values: list[float], data: st.DataObject) -> None:
    assert sd(data.draw(st.permutations(values))) == sd(values)


@pytest.mark.spec("RS-SES-27/L2")
@given(values=st.lists(st.integers(0, 2), min_size=2, max_size=4))
def test_it_is_0_where_all_are_equal(values: list[float]) -> None:
    assert (sd(values) == 0) == (len(set(values)) == 1)


@pytest.mark.spec("RS-SES-27/L2")
def test_less_than_half_of_the_least_double_is_0() -> None:
    """Of u and zeros it is u / sqrt(N): of four u/2, a tie that goes to 0; of three it is u."""
    u = math.ulp(0)
    assert sd([0, 0, 0, u]) == 0
    assert sd([0, 0, u]) == u


@pytest.mark.spec("RS-SES-27/L3")
@given(a=st.integers(0, 99), b=st.integers(0, 99))
def test_of_two(a: int, b: int) -> None:
    with localcontext() as context:
        context.prec = 60
        assert sd([a, b]) == float(abs(a - b) / Decimal(2).sqrt())


@pytest.mark.spec("RS-SES-27")
def test_of_one_session_there_is_none() -> None:
    assert math.isnan(sd([3]))
    judgments: Any = {"a": {"x": 1}, "b": {"x": 0}, "c": {"x": 1}}
    given = {name: [["x"]] for name in judgments}
    every = rs.evaluate_sessions(judgments, given, "nsDCG@1")
    some = rs.evaluate_sessions(judgments, given, "nsDCG@1", undefined="omit")
    assert every.sd["nsDCG@1"] > some.sd["nsDCG@1"] == 0
    assert some.to_dict()["sd"] == {"nsDCG@1": 0}


def test_sd_in_the_outputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """RS-SES-27; "sd" beside a session of that name, as RS-CONV-35 has it."""
    monkeypatch.chdir(tmp_path)
    Path("q.tsv").write_text("sd\tx\t1\nb\tx\t3\n")
    Path("s.tsv").write_text("sd\t1\t1\tx\nb\t1\t1\tx\n")
    words = ["session", "eval", "q.tsv", "s.tsv", "-m", "sDCG@1", "--sd"]

    def printed(*more: str, status: int = 0) -> str:
        assert main([*words, *more]) == status
        return capsys.readouterr().out

    lines = printed().splitlines()
    assert lines[:3] == ["session  sDCG@1", "mean     2.0000", "sd       1.4142"]
    lines = printed("-q").splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["session", "sd", "b", "mean", "(sd)"]
    assert printed("--format", "tsv").splitlines()[-1] == "s.tsv\tsd\t1.4142135623730951"
    assert '"sd": {\n        "sDCG@1": 1.4142135623730951' in printed("--format", "json")
    printed("--format", "tsv", "-q", status=2)
    words.remove("--sd")
    assert "1.4142" not in printed() + printed("--format", "tsv") + printed("--format", "json")


# ---- RS-SES-29 ---------------------------------------------------------------------------

POOL = [3, 1, 2, 0, 0]
LABEL = {"a": 3, "b": 1, "c": 2, "d": 0, "e": 0}


def recall(queries: Any, **options: Any) -> float:
    labels = [[LABEL[d] for d in ranked] for ranked in queries]
    ids = [list(ranked) for ranked in queries]
    return float(rs.instance_recall(labels, ids=ids, judged=POOL, **options))  # type: ignore[arg-type]


@pytest.mark.spec("RS-SES-29")
@given(queries=sessions, X=st.integers(1, 4), rel=st.integers(1, 3))
def test_instance_recall_is_of_a_set(queries: Any, X: int, rel: int) -> None:
    found = {d for ranked in queries for d in ranked[:X] if LABEL[d] >= rel}
    relevant = sum(r >= rel for r in POOL)
    assert recall(queries, k=X, rel=rel) == float(Fraction(len(found), relevant))
    of = rs.evaluate_sessions({"s": LABEL}, {"s": queries}, f"Instance_recall(rel={rel})@{X}")
    assert next(iter(of.mean.values())) == recall(queries, k=X, rel=rel)


@pytest.mark.spec("RS-SES-29/L1")
@given(queries=sessions, data=st.data())
def test_instance_recall_has_no_order(queries: Any, data: st.DataObject) -> None:
    moved = [data.draw(st.permutations(x)) for x in data.draw(st.permutations(queries))]
    assert recall(moved) == recall(queries)


@pytest.mark.spec("RS-SES-29/L1")
def test_sdcg_has_one() -> None:
    """The control, and what jarvelin-2008 says of the two metrics."""
    early, late = [["a"], ["d"]], [["d"], ["a"]]
    assert recall(early) == recall(late)
    assert evaluated(early, "sDCG")["sDCG"] > evaluated(late, "sDCG")["sDCG"]


@pytest.mark.spec("RS-SES-29/L2")
@given(queries=sessions, more=documents)
def test_instance_recall_and_a_query_more(queries: Any, more: Any) -> None:
    assert recall(queries) <= recall([*queries, more]) <= 1


@pytest.mark.spec("RS-SES-29/L3")
@given(ranked=documents, X=st.integers(1, 5))
def test_instance_recall_of_one_query(ranked: Any, X: int) -> None:
    labels = [LABEL[d] for d in ranked]
    assert recall([ranked], k=X) == rs.recall(labels, judged=POOL, k=X)


@pytest.mark.spec("RS-SES-29")
def test_instance_recall_without_a_relevant_document() -> None:
    given: Any = ({"s": {"a": 0}}, {"s": [["a"]]}, "Instance_recall")
    assert rs.evaluate_sessions(*given)["Instance_recall"] == 0
    assert math.isnan(rs.evaluate_sessions(*given, undefined="omit")["Instance_recall"])


# ---- RS-SES-30 ---------------------------------------------------------------------------

lists = st.lists(st.integers(0, 3), max_size=8)
levels = st.sampled_from([1, 10, 12.5, 25, 100 / 3, 50, 80, 100])


def at_recall(queries: Any, judged: Any, **options: Any) -> float:
    return float(rs.query_p_at_recall(queries, judged=judged, **options))


def by_counting(ranked: list[int], pool: list[int], X: int, rel: int, rho: float) -> list[Fraction]:
    """The precision of each of the first X ranks that has the recall, counted anew at each."""
    relevant = [x for x in pool if x >= rel]
    cut = [[x for x in ranked[:i] if x >= rel] for i in range(1, min(X, len(ranked)) + 1)]
    enough = [len(hits) >= Fraction(rho) / 100 * len(relevant) for hits in cut]
    return [
        Fraction(len(hits), i)
        for i, (hits, reached) in enumerate(zip(cut, enough, strict=True), start=1)
        if reached and relevant
    ]


@pytest.mark.spec("RS-SES-30", "RS-SES-30/L1")
@given(
    queries=st.lists(lists, min_size=1, max_size=3),
    pool=lists,
    X=st.integers(1, 9),
    rel=st.integers(1, 3),
    rho=levels,
)
@example(queries=[[1, 0, 0, 1]], pool=[1, 1], X=4, rel=1, rho=50)  # exactly that recall
@example(queries=[[0, 1], [0, 2, 1]], pool=[1, 2, 0], X=3, rel=1, rho=100)
def test_precision_at_a_recall(queries: Any, pool: Any, X: int, rel: int, rho: float) -> None:
    found = [by_counting(ranked, pool, X, rel, rho) for ranked in queries]
    first = [of[0] if of else Fraction(0) for of in found]
    greatest = [max(of, default=Fraction(0)) for of in found]
    options: dict[str, Any] = {"k": X, "rel": rel, "recall": rho, "check": False}
    assert at_recall(queries, pool, **options) == float(sum(greatest) / len(queries))
    for over, take in (("best", max), ("worst", min), ("last", lambda x: x[-1])):
        own = at_recall(queries, pool, precision="first", over=over, **options)
        other = at_recall(queries, pool, over=over, **options)
        assert (own, other) == (float(take(first)), float(take(greatest)))
        assert 0 <= own <= other <= 1


@pytest.mark.spec("RS-SES-30/L2")
@given(ranked=lists, pool=lists, levels=st.tuples(levels, levels))
def test_the_interpolated_precision_does_not_rise_with_recall(
    ranked: Any, pool: Any, levels: Any
) -> None:
    low, high = sorted(levels)
    of = {rho: at_recall([ranked], pool, recall=rho, check=False) for rho in levels}
    assert of[high] <= of[low]


@pytest.mark.spec("RS-SES-30/L2")
def test_that_of_the_first_rank_may_rise() -> None:
    """The control."""
    low, high = (at_recall([[0, 1, 1]], [1, 1], recall=rho, precision="first") for rho in (50, 100))
    assert (low, high) == (1 / 2, 2 / 3)


@pytest.mark.spec("RS-SES-30/L3")
@given(ranked=lists, pool=st.lists(st.integers(0, 3), min_size=1, max_size=10), X=st.integers(1, 9))
def test_one_relevant_item_is_enough(ranked: Any, pool: Any, X: int) -> None:
    found = at_recall([ranked], pool, k=X, precision="first", check=False)
    assert found == (rs.rr(ranked, k=X) if any(pool) else 0)


@pytest.mark.spec("RS-SES-30/L3")
def test_of_eleven_two_are_needed() -> None:
    """The control."""
    assert at_recall([[1, 0, 0, 1]], [1] * 11, precision="first") == 1 / 2


@pytest.mark.spec("RS-SES-30/L4")
@given(data=st.data(), relevant=st.sampled_from([1, 2, 4, 5, 8]), others=st.integers(0, 4))
def test_the_mean_over_all_recalls_is_ap(data: st.DataObject, relevant: int, others: int) -> None:
    """Of 1, 2, 4, 5 or 8 items, so that all these percentages are doubles."""
    pool = [1] * relevant + [0] * others
    ranked = data.draw(st.permutations(pool))
    of = [
        Fraction(at_recall([ranked], pool, recall=100 * j / relevant, precision="first"))
        for j in range(1, relevant + 1)
    ]
    mean = float(sum(of) / relevant)
    assert mean == pytest.approx(rs.ap(ranked, judged=pool), rel=1e-15)


@pytest.mark.spec("RS-SES-30")
def test_recall_and_precision_as_they_are_written() -> None:
    name = "query_P_at_recall(recall=20, precision='first', over='last')@10"
    found = rs.evaluate_sessions(
        {"s": dict.fromkeys("abcdefghij", 1)}, {"s": [["a", "x", "b"]]}, name
    )
    assert dict(found.mean) == {name: 2 / 3}
    assert "20 % of the relevant items" in found.definition(name)["recall"]
    for recall in (0, -1, 100.5, math.inf, "10%"):
        with pytest.raises(rs.InputError, match="recall"):
            at_recall([[1]], [1], recall=recall)
    with pytest.raises(rs.InputError, match="precision: unknown precision at a recall: 'last'"):
        at_recall([[1]], [1], precision="last")


@pytest.mark.spec("RS-SES-30")
def test_precision_at_recall_that_is_undefined() -> None:
    given: Any = ({"s": {"a": 0}, "t": {"a": 1}}, {"s": [["a"]], "t": []}, "query_P_at_recall")
    assert rs.evaluate_sessions(*given).per_session["query_P_at_recall"] == {"s": 0, "t": 0}
    assert rs.evaluate_sessions(*given, undefined="omit").per_session["query_P_at_recall"] == {}


# ---- RS-SES-32 ---------------------------------------------------------------------------

numbers = st.lists(st.integers(0, 12), max_size=20)


@pytest.mark.spec("RS-SES-32", "RS-SES-32/L1", "RS-SES-32/L2")
@given(m=numbers)
def test_the_number_of_queries_of_sessions(m: list[int]) -> None:
    found = lengths_of(m)
    assert sum(found.sessions.values()) == len(m)
    assert sum(q * n for q, n in found.sessions.items()) == sum(m)
    for q in range(1, 14):
        running = rs.still_running(m, q) - rs.still_running(m, q + 1)
        assert found.sessions.get(q, 0) == pytest.approx(len(m) * running, abs=1e-9)
    assert found.sessions.get(0, 0) == m.count(0)
    assert list(found.sessions) == sorted(found.sessions)
    assert math.isnan(found.mean) == (not m)
    assert math.isnan(found.sd) == (len(m) < 2)
    if len(m) > 1:
        assert found.mean == float(Fraction(sum(m), len(m)))
        assert found.sd == pytest.approx(statistics.stdev(m), rel=1e-12)


@pytest.mark.spec("RS-SES-32")
@each(("system", "mean"), [("System 1", "2.53"), ("System 2", "3.18")])
def test_table_2_of_jarvelin_2008(system: str, mean: str) -> None:
    counts, _ = TABLE_2[system]
    queries = [q for q, n in enumerate(counts, start=1) for _ in range(n)]
    found = lengths_of(queries[::-1])
    assert f"{found.mean:.2f}" == mean
    assert found.sessions == {q: n for q, n in enumerate(counts, start=1) if n}


@pytest.mark.spec("RS-SES-32")
def test_lengths_in_the_outputs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A session without judgments is no part of them; without --sd nothing is said."""
    (tmp_path / "q").write_text("a\tx\t1\nb\tx\t1\n")
    shown = ("a\t1\t1\tx", "b\t1\t1\ty", "b\t2\t1\tx", "b\t3\t1\tz", "c\t1\t1\tx")
    (tmp_path / "s").write_text("".join(f"{line}\n" for line in shown))

    def printed(*more: str) -> str:
        words = ["session", "eval", str(tmp_path / "q"), str(tmp_path / "s"), "-m", "sDCG@1"]
        assert main([*words, *more]) == 0
        return capsys.readouterr().out

    assert "\n2.00 queries a session, sd 1.41 (1: 1, 3: 1)\n" in printed("--sd")
    (system,) = json.loads(printed("--sd", "--format", "json"))["systems"]
    assert system["lengths"] == {"sessions": {"1": 1, "3": 1}, "mean": 2.0, "sd": math.sqrt(2)}
    assert "queries a session" not in printed()
    assert '"lengths"' not in printed("--format", "json")
    (tmp_path / "s").write_text("a\t1\t1\tx\n")
    assert "\n1.00 queries a session, sd - (1: 1)\n" in printed("--sd")
