"""Qrels with subtopics, probabilities of subtopics, and what is refused in them."""

from __future__ import annotations

import gzip
import io
from types import SimpleNamespace

import pytest

import rankspec as rs
from rankspec import InputError
from rankspec.formats.diversity import judgments_of, probabilities_of
from rankspec.formats.trec import How

from ..each import each

RUN = {"1": {"d1": 2, "d2": 1}}


def lines(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def unquoted(text: str) -> str:
    """A message without the quotes around ids."""
    return text.replace('"', "")


@pytest.mark.spec("RS-DIV-20")
def test_a_file_is_read():
    found = judgments_of(lines("1 1 d1 1\r\n\n1\t2 d1 0\n1 n d2 -2\n2 1 d1 3\n"))
    assert found == {
        "1": {"d1": {"1": 1, "2": 0}, "d2": {"n": -2}},
        "2": {"d1": {"1": 3}},
    }
    packed = io.BytesIO(gzip.compress(b"1 1 d1 1\n"))
    assert judgments_of(packed) == {"1": {"d1": {"1": 1}}}


@pytest.mark.spec("RS-DIV-20")
def test_labels_as_ntcir_writes_them():
    found = judgments_of(lines("1 1 d1 L2\n1 1 d2 l0\n1 2 d2 L10\n"))
    assert found == {"1": {"d1": {"1": 2}, "d2": {"1": 0, "2": 10}}}


@pytest.mark.spec("RS-DIV-20")
def test_one_fraction_makes_doubles_of_all():
    found = judgments_of(lines("1 1 d1 1\n1 2 d1 0.5\n"))
    assert found == {"1": {"d1": {"1": 1.0, "2": 0.5}}}
    assert all(type(x) is float for x in found["1"]["d1"].values())


@pytest.mark.spec("RS-DIV-20")
def test_rows_attributes_and_frames():
    rows = [("1", "1", "d1", 1), ("1", "2", "d1", 0)]
    names = ("query_id", "iteration", "doc_id", "relevance")
    objects = [SimpleNamespace(**dict(zip(names, row, strict=True))) for row in rows]
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pd.DataFrame(rows, columns=names)
    expected = {"1": {"d1": {"1": 1, "2": 0}}}
    for form in (rows, objects, frame, pa.Table.from_pandas(frame), expected):
        assert judgments_of(form) == expected


@pytest.mark.spec("RS-DIV-20", "RS-CONV-42")
def test_lazy_frames_are_computed_and_what_fails_then_is_said():
    reason = 'not installed: pip install ".[frames,peers]"'
    pl, duckdb = (pytest.importorskip(name, reason=reason) for name in ("polars", "duckdb"))
    pytest.importorskip("pyarrow", reason=reason)
    table = pl.DataFrame({"query_id": ["1"], "iteration": ["2"], "doc_id": ["d"], "relevance": [1]})
    expected = {"1": {"d": {"2": 1}}}
    query = "select '1' as query_id, '2' as iteration, 'd' as doc_id, 1 as relevance"
    for form in (table, table.lazy(), duckdb.sql(query)):
        assert judgments_of(form) == expected
    connection = duckdb.connect()
    closed = connection.sql(query)
    connection.close()
    fails = table.lazy().with_columns(pl.col("doc_id").cast(pl.Int8))
    for form, error in ((closed, "ConnectionException"), (fails, "InvalidOperationError")):
        with pytest.raises(rs.InputError, match=f"qrels: the .* cannot be read: {error}: "):
            judgments_of(form)
        with pytest.raises(rs.InputError, match="ranked: in a data frame, the lists could be"):
            rs.evaluate_lists(form, {"1": {"d"}}, "RR")


@pytest.mark.spec("RS-DIV-20", "RS-CONV-44/L1")
def test_ids_that_are_whole_numbers():
    expected = {"1": {"7": {"1": 1, "2": 0}}}
    for form in ([(1, 1, 7, 1), (1, 2, 7, 0)], {1: {7: {1: 1, 2: 0}}}):
        assert judgments_of(form) == expected
    by_number = rs.evaluate_diversity(form, {1: {7: 1}}, "P-IA@1", probabilities={1: {1: 1, 2: 3}})
    by_text = rs.evaluate_diversity(
        expected, {"1": {"7": 1}}, "P-IA@1", probabilities={"1": {"1": 1, "2": 3}}
    )
    assert by_number.per_query == by_text.per_query == {"P_IA@1": {"1": 0.25}}


@pytest.mark.spec("RS-DIV-20", "RS-CONV-10")
def test_a_second_label_of_a_document_for_a_subtopic():
    twice = "1 1 d1 0\n1 2 d1 1\n1 1 d1 1\n"
    with pytest.raises(
        InputError, match=r"3: document .d1. for subtopic .1. of query .1. occurs a second time"
    ):
        judgments_of(lines(twice))
    for rule, label in {"first": 0, "last": 1, "best": 1}.items():
        found = judgments_of(lines(twice), How(duplicates=rule))
        assert found == {"1": {"d1": {"1": label, "2": 1}}}
    rows = [("1", "1", "d1", 0), ("1", "1", "d1", 1)]
    with pytest.raises(
        InputError, match=r"row 1: document .d1. occurs a second time for subtopic .1. of query .1."
    ):
        judgments_of(rows)
    assert judgments_of(rows, How(duplicates="last")) == {"1": {"d1": {"1": 1}}}


@pytest.mark.spec("RS-DIV-20")
@each(
    "text, words",
    [
        ("", "empty; expected the 4 columns of qrels with subtopics"),
        ("1 1 d1\n", ":1: found 3 columns"),
        ("1 1 d1 1\n1 1 d2 1 x\n", ":2: found 5 columns"),
        ("1 1 d1 one\n", ":1: the label is one; expected a finite number, or L0, L1, ..."),
        ("1 1 d1 L\n", ":1: the label is L"),
        ("1 1 d1 nan\n", ":1: the label is nan"),
        ("1 1 d1 L-1\n", ":1: the label is L-1"),
        ("1 1 d1 \0\n", ":1: found a NUL byte"),
    ],
)
def test_what_is_no_such_file(text, words):
    with pytest.raises(InputError) as refused:
        judgments_of(lines(text))
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-20")
@each(
    "given, words",
    [
        (5, "expected a file, dict, data frame or rows (query, subtopic, document, label), got 5"),
        ({}, "empty"),
        ([("1", "d1", 1)], r"row 0 is ('1', 'd1', 1); expected (query, subtopic, document, label)"),
        ([("1", 1.5, "d1", 1)], "the subtopic id 1.5 is not a string"),
        ({1: {"d1": {1: 1}}, "1": {}}, "the query ids 1 and '1' both have the text 1"),
        (
            {"1": {"d1": 1}},
            "expected {query: {document: {subtopic: label}}}, got 1 for d1, read as a document",
        ),
        ({"1": 1}, "expected a dict of documents for query 1, got 1"),
        ({"1": {"d1": {"1": "x"}}}, "the label of document d1 for subtopic 1 of query 1"),
        ({"1": {"d1": {"1": float("inf")}}}, "must be a finite number"),
    ],
)
def test_what_are_no_judgments(given, words):
    with pytest.raises(InputError) as refused:
        rs.evaluate_diversity(given, RUN, "StRecall")
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-20", "RS-DIV-1")
def test_probabilities():
    expected = {"1": {"1": 0.75, "2": 1}, "2": {"1": 2}}
    assert probabilities_of(lines("1 1 0.75 inf\n1 2 1 nav\n2 1 2\n")) == expected
    assert probabilities_of(expected) == expected


@pytest.mark.spec("RS-DIV-20")
@each(
    "text, words",
    [
        ("1 1\n", ":1: found 2 columns"),
        ("1 1 0.5 x\n", ":1: found 4 columns"),
        ("1 1 -0.5\n", ":1: the probability is -0.5; expected a number, 0 or above"),
        ("1 1 x\n", ":1: the probability is x"),
        ("1 1 0.5\n1 1 0.5\n", ":2: subtopic 1 of query 1 occurs a second time"),
        ("", "empty; expected the 3 columns of probabilities of subtopics"),
    ],
)
def test_what_are_no_probabilities(text, words):
    with pytest.raises(InputError) as refused:
        probabilities_of(lines(text))
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-19")
@each(
    "given, words",
    [
        ({}, "probabilities: query q of the qrels has no probabilities"),
        (
            {"q": {"s": 0}},
            "probabilities: query q: all weights are 0; at least one must be above 0",
        ),
        (
            {"q": {"t": 1}},
            "has no weight for subtopic s, for which document a has the label 1",
        ),
        ({"q": {"s": -1}}, "the weight of subtopic s is -1; expected 0 or more"),
        ({"q": 1}, "probabilities: query q: expected a dict of weights by subtopic, got 1"),
        ([1], "expected a file or a dict {query: {subtopic: weight}}, got [1]"),
    ],
)
def test_probabilities_that_do_not_fit(given, words):
    qrels = {"q": {"a": {"s": 1}}}
    with pytest.raises(InputError) as refused:
        rs.evaluate_diversity(qrels, {"q": {"a": 1}}, "StRecall", probabilities=given)
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-19")
def test_a_subtopic_without_probability_where_nothing_is_relevant():
    """NTCIR has a subtopic 0 for documents that are relevant to none."""
    judged = lines("1 0 d2 L0\n1 1 d1 L2\n1 2 d1 L0\n")
    probabilities = {"1": {"1": 0.75, "2": 0.25}}
    measures = ["I-rec@1", "D-nDCG@1"]
    run = {"1": {"d2": 3, "d1": 2, "d3": 4}}
    found = rs.evaluate_diversity(
        judged, run, measures, probabilities=probabilities, unjudged="condensed", depth=2
    )
    assert found.mean == {"StRecall@1": 0.0, "D_nDCG@1": 0.0}  # d2 is judged, and on top
    judged.seek(0)
    found = rs.evaluate_diversity(judged, RUN, measures, probabilities=probabilities)
    assert found.mean == {"StRecall@1": 1.0, "D_nDCG@1": 1.0}
