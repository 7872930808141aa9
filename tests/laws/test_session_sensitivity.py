"""Means of sessions by the bases of both discounts: RS-SES-28, its command and its plot."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli.main import main

JUDGMENTS = {name: {"a": 3, "b": 1, "c": 2} for name in "xyz"}
BASES = (1.5, 2, 4, 10)
EXAMPLE = Path(rs.__file__).parent / "example"
FILES = [str(EXAMPLE / n) for n in ("session-qrels.tsv", "sessions-1.tsv", "sessions-2.tsv")]

documents = st.lists(st.sampled_from("abcde"), max_size=4, unique=True)
queries = st.lists(documents, min_size=1, max_size=3)
tables = st.dictionaries(st.sampled_from("xyz"), queries, min_size=1)


def judged(table: Any) -> Any:
    return rs.judge_sessions(JUDGMENTS, table)


@pytest.mark.spec("RS-SES-28", "RS-SES-28/L1")
@given(table=tables, measure=st.sampled_from(["nsDCG@3", "sDCG@2", "avg_sDCG(padding=0)@3"]))
def test_each_mean_is_that_of_an_evaluation(table: Any, measure: str) -> None:
    found = rs.session_sensitivity(judged(table), measure)
    for b, row in zip(BASES, found.mean, strict=True):
        for bq, x in zip(BASES, row, strict=True):
            discounts = {"discount": f"jarvelin-2008(b={b})"}
            discounts["query_discount"] = f"jarvelin-2008(b={bq})"
            of = rs.evaluate_sessions(JUDGMENTS, table, measure, **discounts)
            assert x == next(iter(of.mean.values()))
    default = rs.evaluate_sessions(JUDGMENTS, table, measure)
    assert found.mean[1][2] == next(iter(default.mean.values()))


@pytest.mark.spec("RS-SES-28/L2")
@given(table=tables)
def test_patience_gains_no_less(table: Any) -> None:
    mean = rs.session_sensitivity(judged(table), "sDCG@3").mean
    assert all(x <= y for row in mean for x, y in pairwise(row))
    assert all(x <= y for column in zip(*mean, strict=True) for x, y in pairwise(column))


@pytest.mark.spec("RS-SES-28/L2")
def test_a_patient_searcher_may_lose_of_nsdcg() -> None:
    """The control: ⟨3⟩, ⟨0⟩ has 3 / (3 + 3 D(2)), less the more D(2) is."""
    found = rs.session_sensitivity(judged({"x": [["a"], ["e"]]}), "nsDCG@1", bases=[2])
    ((*values,),) = found.mean
    assert all(x > y for x, y in pairwise(values))
    assert values[1] == float(Fraction(2, 3))  # bq = 2: D(2) = 1/2


@pytest.mark.spec("RS-SES-28/L3")
@given(ranked=documents)
def test_one_query(ranked: Any) -> None:
    for row in rs.session_sensitivity(judged({"x": [ranked]}), "nsDCG@3").mean:
        assert len(set(row)) == 1


@pytest.mark.spec("RS-SES-28")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "query_nDCG"}, "query_nDCG does not take a query_discount"),
        ({"measure": "nDCG@10"}, "it takes one ranking"),
        ({"measure": "sDCG(discount='log2')"}, "it sets its own discount"),
        ({"measure": "sDCG(query_discount='none')"}, "it sets its own query_discount"),
        ({"measure": "sDCG@1,5"}, "expected one measure, got 2"),
        ({"bases": [1]}, "base"),
        ({"bases": []}, "bases: expected 1 to 100 bases, got 0"),
        ({"bases": [2, 2.0]}, "bases: 2.0 is listed twice"),
        ({"bases": "2"}, "bases: expected a list of bases, got '2'"),
        ({"bases": 2}, "bases: expected a list of bases, got 2"),
        ({"query_bases": [1000]}, "below 1000"),
        ({"query_bases": ["x"]}, "query_bases"),
        ({"judged": {}}, r"expected a result of judge_sessions\(\), got \{\}"),
        (
            {"judged": rs.judge_sessions({"q": {"a": 1}}, {"x": [["a"]]})},
            "there is none to take a mean of; the 1 given has no judgments",
        ),
    ],
)
def test_bad_input(options: Any, message: str) -> None:
    given: Any = {"judged": judged({"x": [["a"]]}), "measure": "sDCG@1", **options}
    with pytest.raises(rs.InputError, match=message):
        rs.session_sensitivity(given.pop("judged"), given.pop("measure"), **given)


def printed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["session", *words]) == status
    out, err = capsys.readouterr()
    return err if status else out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "sensitivity", *FILES)
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]
    assert lines[1].split() == ["bq", "=", "1.5", "bq", "=", "2", "bq", "=", "4", "bq", "=", "10"]
    by_eval = printed(capsys, "eval", *FILES, "-m", "nsDCG@10").splitlines()
    for at, line in ((3, by_eval[1]), (10, by_eval[2])):  # b = 2, bq = 4
        assert lines[at].split()[-2] == line.split()[-1]
    assert lines[-1] == "greatest mean: sessions-1.tsv at 0, sessions-2.tsv at 16, of 16 pairs"


def test_leaders_and_equal_means(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "q").write_text("x\ta\t1\n")
    (tmp_path / "one").write_text("x\t1\t1\tb\nx\t1\t2\ta\n")  # rank 2 of query 1
    (tmp_path / "two").write_text("x\t1\t1\tb\nx\t2\t1\ta\n")  # rank 1 of query 2
    paths = [str(tmp_path / name) for name in ("q", "one", "two")]
    words = ["-m", "sDCG@2", "--bases", "2,4", "--query-bases", "2,4"]
    out = printed(capsys, "sensitivity", *paths, *words)
    assert out.splitlines()[-1] == "greatest mean: one at 1, two at 1, several at 2, of 4 pairs"
    rows = printed(capsys, "sensitivity", *paths, *words, "--format", "tsv").splitlines()
    assert rows[0] == "sessions\tb\tbq\tsDCG@2"
    assert rows[1] == "one\t2\t2.0\t0.5"
    assert rows[-1] == f"two\t4\t4.0\t{2 / 3!r}"
    found = json.loads(printed(capsys, "sensitivity", *paths, *words, "--format", "json"))
    assert found["systems"][0]["mean"] == [[0.5, 0.5], [2 / 3, 2 / 3]]
    assert found["systems"][1]["mean"] == [[0.5, 2 / 3], [0.5, 2 / 3]]


def test_bad_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected a list" not in printed(capsys, "sensitivity", *FILES, "--bases", "x", status=2)
    error = printed(capsys, "sensitivity", *FILES, "--bases", "2,2", status=2)
    assert "bases: 2 is listed twice" in error


@pytest.mark.slow
def test_the_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    figure = rs.plots.sensitivity(k=3)
    left, right = figure.axes
    curves = {
        axes: [line for line in axes.lines if len(line.get_xdata()) == 10] for axes in (left, right)
    }
    assert [len(found) for found in curves.values()] == [2, 2]
    judgments, *systems = FILES
    for path, of_b, of_bq in zip(systems, curves[left], curves[right], strict=True):
        of = rs.session_sensitivity(
            rs.judge_sessions(judgments, path), "nsDCG@3", bases=[2, 6], query_bases=[4, 6]
        )
        assert list(of_b.get_xdata()) == list(of_bq.get_xdata()) == [1.5, *range(2, 11)]
        assert (of_b.get_ydata()[1], of_b.get_ydata()[5]) == (of.mean[0][0], of.mean[1][0])
        assert (of_bq.get_ydata()[3], of_bq.get_ydata()[5]) == (of.mean[0][0], of.mean[0][1])
    monkeypatch.chdir(tmp_path)
    words = ["plot", "sensitivity", "--not-normalised", "-o", "s.svg"]
    assert printed(capsys, *words) == "s.svg\n"
    error = printed(capsys, "plot", "sensitivity", "--query-discount", "none", status=2)
    assert "--query-discount has no effect on sensitivity" in error
