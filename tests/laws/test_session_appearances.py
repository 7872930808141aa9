"""Labels of single results of sessions: RS-SES-33."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli.main import main

from ..each import each

JUDGMENTS = {"s": {"a": 3, "b": 1, "c": 0}}
LISTS = [["b", "a"], ["a", "c"], ["d", "a"]]
MEASURES = ["sDCG@2", "nsDCG@2", "query_nDCG@3", "nsDCG(padding=0, ideal='spread')"]
PLAIN: Any = {"discount": "none", "query_discount": "none"}

documents = st.lists(st.sampled_from("abcde"), max_size=4, unique=True)
sessions = st.lists(documents, min_size=1, max_size=3)
labels = st.lists(st.lists(st.none() | st.integers(0, 4), min_size=4, max_size=4), max_size=3)


def evaluated(queries: Any, measures: Any, **options: Any) -> dict[str, float]:
    return dict(rs.evaluate_sessions(JUDGMENTS, {"s": queries}, measures, **options).mean)


def by_result(queries: Any, own: Any) -> list[dict[str, int]]:
    """The labels as a dict a query, of the results that have one."""
    return [
        {d: x for d, x in zip(ranked, row, strict=False) if x is not None}
        for ranked, row in zip(queries, own, strict=False)
    ]


@pytest.mark.spec("RS-SES-33", "RS-SES-33/L1")
@given(queries=sessions, own=labels)
def test_the_values_are_those_of_the_labels(queries: Any, own: Any) -> None:
    """The labels and the pool by hand, for the functions on labels."""
    known = JUDGMENTS["s"]
    shown = [[known.get(d, 0) for d in ranked] for ranked in queries]
    pool = dict(known)
    for ranked, row, mine in zip(queries, own, shown, strict=False):
        for i, (d, x) in enumerate(zip(ranked, row, strict=False)):
            if x is not None:
                mine[i], pool[d] = x, max(x, pool.get(d, 0))
    found = evaluated(queries, MEASURES, appearances={"s": by_result(queries, own)})
    judged = list(pool.values())
    assert list(found.values()) == [
        rs.sdcg(shown, k=2),
        rs.nsdcg(shown, k=2, judged=judged),
        rs.query_ndcg(shown, k=3, judged=judged),
        rs.nsdcg(shown, judged=judged, padding=0, ideal="spread"),
    ]


@pytest.mark.spec("RS-SES-33/L2")
@given(queries=sessions)
def test_the_same_label_once_more_changes_nothing(queries: Any) -> None:
    same = [{d: JUDGMENTS["s"][d] for d in ranked if d in JUDGMENTS["s"]} for ranked in queries]
    measures = [*MEASURES, "sDCG(repeats='first')@2", "instance_recall@2"]
    assert evaluated(queries, measures, appearances={"s": same}) == evaluated(queries, measures)


@pytest.mark.spec("RS-SES-33/L2")
def test_a_label_0_of_its_own_puts_an_unjudged_document_into_the_pool() -> None:
    """(1 + 2/2) / 2, and over 2 + 1/2 with the item of the label 0, whose gain is 1."""
    judged, shown = {"s": {"a": 1}}, {"s": [["b", "a"]]}
    measure = "nsDCG(gain='1-2')@2"
    own = {"s": [{"b": 0}]}
    assert rs.evaluate_sessions(judged, shown, measure)[measure] == 1
    assert rs.evaluate_sessions(judged, shown, measure, appearances=own)[measure] == 0.8
    linear = "nsDCG@2"  # where g(0) = 0 the item adds nothing
    assert rs.evaluate_sessions(judged, shown, linear, appearances=own)[linear] == 0.5


@pytest.mark.spec("RS-SES-33/L3")
@given(queries=sessions, own=labels)
def test_a_later_label_is_nothing_where_the_first_appearance_counts(queries: Any, own: Any) -> None:
    seen: set[str] = set()
    later = []
    for ranked, labels_there in zip(queries, by_result(queries, own), strict=False):
        later.append({d: x for d, x in labels_there.items() if d in seen})
        seen.update(ranked)
    measure = "sDCG(repeats='first')"
    assert evaluated(queries, measure, appearances={"s": later}) == evaluated(queries, measure)


@pytest.mark.spec("RS-SES-33", "RS-SES-2")
def test_what_a_document_gains_that_comes_again() -> None:
    """a is overlooked at first, recognised, and no longer wanted: 0, 3, 1; b gains 1."""

    def value(measure: str, own: Any = ({"a": 0}, None, {"a": 1}), **more: Any) -> float:
        found = evaluated(LISTS, measure, appearances={"s": list(own)}, **PLAIN, **more)
        return next(iter(found.values()))

    assert value("sDCG@2") == 1 + 0 + 3 + 1
    assert list(evaluated(LISTS, "sDCG@2", **PLAIN).values()) == [1 + 3 * 3]
    assert value("sDCG(repeats='first')@2") == 1 + 0  # (c)
    assert value("sDCG(repeats=0.5)@2") == 1 + 0 + 3 / 2 + 1 / 4
    assert value("instance_recall@2") == 1 / 2  # (c): b of a and b
    assert value("sDCG@2", grades={3: 5}) == 1 + 0 + 5 + 1  # (a): the 3 of the judgments
    assert value("sDCG@2", [{"a": 7}], grades={7: 2}) == 1 + 2 + 3 + 3  # (a): that of the result
    assert value("sDCG@2", [{"a": -2}]) == 1 + 0 + 3 + 3  # (a)
    assert value("sDCG@2", [None, None, {"d": 2}], unjudged="error") == 1 + 9 + 2  # (a)
    assert value("sDCG@1", scanned={"s": [1, 0, 0]}) == 1  # (d)
    assert value("nsDCG(padding=0)@2", [{"a": 6}], scanned={"s": [1, 0, 0]}) == 1 / 6  # (d)
    assert value("nsDCG@2", [{"a": 6}], pool="retrieved") == (1 + 6 + 3 + 3) / (3 * 7)
    least = value("nsDCG(padding=0)@2", [{"a": 0}], scanned={"s": [2, 0, 0]})
    assert least == (1 + 0) / (3 + 1)  # the pool has the greatest label of a
    left = rs.evaluate_sessions(
        JUDGMENTS, {"s": LISTS, "t": [["a"]]}, "sDCG", appearances={"t": [{"a": 1}]}
    )
    assert left.left_out == {"t": "no judgment"}  # (b)


@pytest.mark.spec("RS-SES-33")
def test_a_file_a_dict_and_judged_sessions(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("# a comment\n\ns\t1\ta\t0\ns\t3\ta\t1.5\n")
    own = {"s": [{"a": 0}, None, {"a": 1.5}]}
    by_file = evaluated(LISTS, MEASURES, appearances=path)
    assert by_file == evaluated(LISTS, MEASURES, appearances=own)
    judged = rs.judge_sessions(JUDGMENTS, {"s": LISTS}, appearances=own)
    assert list(judged.batch.labels) == [1, 0, 3, 0, 0, 1.5]


@pytest.mark.spec("RS-SES-33")
@each(
    ("content", "message"),
    [
        ("s\t1\ta\n", "d.tsv:1: found 3 fields; expected session, query, document and label"),
        ("s\t0\ta\t1\n", "d.tsv:1: an empty id or a query number outside 1 to 1000000"),
        ("s\tx\ta\t1\n", 'd.tsv:1: "x" is not a number; expected session, query, document and'),
        ("s\t1\ta\tx\n", 'd.tsv:1: the label is "x"; expected a finite number'),
        ("s\t1\ta\t1\ns\t1\ta\t1\n", 'd.tsv:2: document "a" of query 1 of session "s" occurs a'),
        (
            "s\t1\tb\t1\ns\t1\tc\t1\n",
            'd.tsv:2: session "s", query 1: document "c" is not among its',
        ),
        ("s\t4\ta\t1\n", 'd.tsv:1: session "s": it names query 4, but the session has 3 queries'),
        ("t\t1\ta\t1\n", 'd.tsv:1: session "t" is not among the sessions (RS-SES-33)'),
        ("# nothing\n", "d.tsv: empty; expected lines of session, query, document and label"),
    ],
)
def test_bad_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("d.tsv").write_text(content)
    with pytest.raises(rs.InputError) as error:
        evaluated(LISTS, "sDCG", appearances="d.tsv")
    assert message in str(error.value)


@pytest.mark.spec("RS-SES-33")
@each(
    ("given", "more", "message"),
    [
        (3, {}, "appearances: expected a file, or a dict of lists by session, got 3"),
        ({"s": 3}, {}, 'appearances: session "s": 3 is no list of dicts, one a query'),
        ({"s": [3]}, {}, 'session "s", query 1: expected a dict of labels by document, got 3'),
        ({"s": [{"a": "x"}]}, {}, 'session "s", query 1: the label of "a"'),
        ({"s": [{3: 1}]}, {}, 'session "s", query 1'),
        ({"s": [{"c": 1}]}, {}, 'appearances: session "s", query 1: document "c" is not among'),
        ({"s": [{"a": -1}]}, {"negative": "error"}, 'appearances: query 1 of session "s": the '
         'label -1 of document "a" is negative (RS-CONV-15)'),
        ({"s": [{"a": 1.5}]}, {"gain": "0-1-10-100"}, 'label 1.5 of document "a" for query 1 of '
         'session "s": the gain table has the labels 0 to 3'),
    ],
)  # fmt: skip
def test_bad_dicts(given: Any, more: Any, message: str) -> None:
    with pytest.raises(rs.InputError) as error:
        evaluated(LISTS, "sDCG", appearances=given, **more)
    assert message in str(error.value)


@pytest.mark.spec("RS-SES-33", "RS-SES-26", "RS-CONV-23")
def test_one_file_for_several_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sessions of two systems that share none; what none of them has is refused."""
    monkeypatch.chdir(tmp_path)
    Path("q.tsv").write_text("".join(f"{s}\t{d}\t1\n" for s in "st" for d in "ab"))
    for s in "st":
        Path(f"{s}.tsv").write_text(f"{s}\t1\t1\ta\n{s}\t2\t1\ta\n{s}\t2\t2\tb\n")
    Path("own.tsv").write_text("s\t2\ta\t0\nt\t1\ta\t5\n")
    Path("depths.tsv").write_text("s\t2\t1\nt\t2\t0\n")
    words = ["session", "eval", "q.tsv", "s.tsv", "t.tsv", "-m", "CG@9", "--format", "csv"]
    words[words.index("CG@9")] = "sDCG(discount='none', query_discount='none')@9"
    assert main([*words, "--appearances", "own.tsv"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [float(line.split(",")[-1]) for line in out[1:]] == [1 + 0 + 1, 5 + 1 + 1]
    assert main([*words, "--appearances", "own.tsv", "--scanned", "depths.tsv"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [float(line.split(",")[-1]) for line in out[1:]] == [1 + 0, 5]
    Path("last.run").write_text("s Q0 b 1 1 x\nt Q0 a 1 2 x\nt Q0 b 2 1 x\n")
    assert main([*words, "--current", "last.run"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [float(line.split(",")[-1]) for line in out[1:]] == [3 + 1, 3 + 2]
    Path("own.tsv").write_text("u\t1\ta\t5\n")
    assert main([*words, "--appearances", "own.tsv"]) == 2
    assert 'own.tsv:1: session "u" is not among the sessions' in capsys.readouterr().err


@pytest.mark.spec("RS-SES-33")
@pytest.mark.parametrize("empty", [{}, None])
def test_queries_without_labels_count_as_queries(empty):
    judged, session = {"s": {"a": 2}}, {"s": [["a"]]}
    with pytest.raises(rs.InputError, match=r'session "s" ends with query 1, but it has .* 2 q'):
        rs.evaluate_sessions(judged, session, "sDCG@1", appearances={"s": [empty, empty]})
