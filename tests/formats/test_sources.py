"""Qrels and runs from dicts, rows and frames: what is accepted, and what is said about the rest."""

from __future__ import annotations

import math
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rankspec.errors import InputError
from rankspec.formats.frames import labels_of, scores_of

Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])  # as in ir_measures
ScoredDoc = namedtuple("ScoredDoc", ["query_id", "doc_id", "score"])
TABLE = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


class Column:
    """The part of a column of pandas and of polars that is used."""

    def __init__(self, *values: Any) -> None:
        self.values = values

    def to_list(self) -> list[Any]:
        return list(self.values)


class Frame:
    """The part of a data frame of pandas and of polars that is used."""

    def __init__(self, query: str, document: str, number: str) -> None:
        self.columns = ["index", number, query, document]
        self._cells = {
            query: Column("q1", "q1", "q2"),
            document: Column("d1", "d2", "d1"),
            number: Column(2, 0, 1),
        }

    def __getitem__(self, name: str) -> Column:
        return self._cells[name]


class TestAccepted:
    @pytest.mark.parametrize(
        "source",
        [
            pytest.param(TABLE, id="dict"),
            pytest.param([("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d1", 1)], id="tuples"),
            pytest.param([["q1", "d1", 2], ["q2", "d1", 1], ["q1", "d2", 0]], id="lists"),
            pytest.param(
                [Qrel("q1", "d1", 2, "0"), Qrel("q1", "d2", 0, "0"), Qrel("q2", "d1", 1, "0")],
                id="named tuples",
            ),
            pytest.param(Frame("query_id", "doc_id", "relevance"), id="frame"),
            pytest.param(
                np.array([("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d1", 1)], dtype=object),
                id="array of objects",
            ),
        ],
    )
    def test_kinds_of_qrels(self, source: Any) -> None:
        assert labels_of(source) == TABLE

    def test_rows_in_any_order_of_attributes(self) -> None:
        row = namedtuple("Row", ["score", "tag", "doc_id", "query_id"])
        assert scores_of([row(1.5, "t", "d", "q")]) == {"q": {"d": 1.5}}
        assert scores_of(iter([ScoredDoc("q", "d", 1.5)])) == {"q": {"d": 1.5}}

    def test_columns_of_a_frame_go_by_their_names_alone(self) -> None:
        with pytest.raises(InputError, match="qrels: the data frame has no column 'relevance'"):
            labels_of(Frame("query_id", "doc_id", "grade"))
        with pytest.raises(InputError, match="run: the data frame has no column 'query_id'"):
            scores_of(Frame("qid", "doc_id", "score"))

    def test_empty_ones(self) -> None:
        for nothing in ({}, []):
            with pytest.raises(InputError, match="qrels: empty"):
                labels_of(nothing)
        assert scores_of({"q": {}}) == {"q": {}}

    @pytest.mark.spec("RS-CONV-6")
    @pytest.mark.parametrize(
        ("score", "exact"),
        [
            (np.float32(0.1), 0.10000000149011612),  # the double that it is
            (np.int8(-3), -3),
            (True, 1),
            (2**70, 2**70),
            (Fraction(1, 3), Fraction(1, 3)),
        ],
    )
    def test_scores_are_taken_exactly(self, score: Any, exact: Any) -> None:
        for run in ({"q": {"d": score}}, [("q", "d", score)]):
            (taken,) = scores_of(run)["q"].values()
            assert taken == exact
            assert type(taken) in (int, float, Fraction)

    @pytest.mark.spec("RS-CONV-1")
    @pytest.mark.parametrize(
        "label", [0.5, -(2**63), 2**63 - 1, np.uint8(3), np.float32(0.1), -1.5]
    )
    def test_labels_are_taken_exactly(self, label: Any) -> None:
        (taken,) = labels_of({"q": {"d": label}})["q"].values()
        assert Fraction(taken) == Fraction(
            label if isinstance(label, (int, float)) else label.item()
        )
        assert type(taken) in (int, float)


class TestRefused:
    @pytest.mark.parametrize(
        ("score", "shown"),
        [
            (math.nan, "nan"),
            (math.inf, "inf"),
            (np.float32("-inf"), "inf"),
            ("1.5", "'1.5'"),
            (None, "None"),
            (Decimal("nan"), "Decimal"),
            (Decimal("inf"), "Decimal"),
            (1j, "1j"),
        ],
    )
    @pytest.mark.spec("RS-CONV-6", "RS-CONV-1")
    def test_no_number(self, score: Any, shown: str) -> None:
        for read, word in ((scores_of, "run: the score"), (labels_of, "qrels: the relevance")):
            for source in ({"q": {"d1": 1, "d2": score}}, [("q", "d1", 1), ("q", "d2", score)]):
                with pytest.raises(InputError) as error:
                    read(source)
                assert f'{word} of document "d2" for query "q" is ' in str(error.value)
                assert shown in str(error.value)

    @pytest.mark.parametrize("label", [2**63 + 1, -(2**63) - 1, 2**1024 - 1, Fraction(1, 3)])
    @pytest.mark.spec("RS-CONV-1")
    def test_labels_that_are_neither_int64_nor_doubles(self, label: Any) -> None:
        with pytest.raises(InputError, match="must be an integer of 64 bits or a double"):
            labels_of({"q": {"d": label}})

    @pytest.mark.spec("RS-CONV-44")
    @pytest.mark.parametrize("identifier", [True, np.True_, 1.0, None, b"q", ("q",)])
    def test_ids_that_are_no_text(self, identifier: Any) -> None:
        for source in ({identifier: {"d": 1}}, [(identifier, "d", 1)]):
            with pytest.raises(
                InputError, match=r"the query id .* is not a string, integer or UUID"
            ):
                labels_of(source)
        for source in ({"q": {identifier: 1}}, [("q", identifier, 1)]):
            with pytest.raises(
                InputError, match=r"the document id .* is not a string, integer or UUID"
            ):
                scores_of(source)

    def test_ids_that_have_no_bytes(self) -> None:
        assert labels_of({"q": {"\udcff": 1}}) == {"q": {"\udcff": 1}}  # the byte ff
        with pytest.raises(InputError, match=r"'\\ud800' has no unique encoding in UTF-8"):
            labels_of({"q": {"\ud800": 1}})

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            (5, 'a file, dict, data frame or rows (query, document, relevance), got "5"'),
            (
                None,
                'a file, dict, data frame or rows (query, document, relevance), got "None"',
            ),
            (
                b"qrels.txt",
                "qrels: expected a file, dict, data frame or rows (query, document, ",
            ),
            ({"q": 1}, 'qrels: expected a dict {document: relevance} for query "q", got "1"'),
            ({"q": ["d"]}, 'expected a dict {document: relevance} for query "q", got'),
            (
                [("q", "d", 1), ("q", "d2")],
                "row 1 is \"('q', 'd2')\"; expected (query, document, rel",
            ),
            ([("q", "d", 1, "x")], "row 0 is \"('q', 'd', 1, 'x')\"; expected (query, document"),
            (["qd1"], "row 0 is \"'qd1'\"; expected (query, document, relevance)"),
            ([5], 'row 0 is "5"; expected (query, document, relevance)'),
            ([{"query_id": "q"}], "row 0 is \"{'query_id': 'q'}\"; expected (query, document, rel"),
        ],
    )
    def test_what_is_no_qrels(self, source: Any, message: str) -> None:
        with pytest.raises(InputError) as error:
            labels_of(source)
        assert message in str(error.value)

    @pytest.mark.spec("RS-CONV-10")
    def test_duplicates_name_both_rows(self) -> None:
        with pytest.raises(InputError) as error:
            scores_of([("q", "d", 1), ("r", "d", 1), ("q", "d", 1)])
        assert str(error.value) == (
            'run: row 2: document "d" of query "q" occurs a second time; it is already in row 0; '
            'duplicates="first", "last" or "best" (--duplicates) says which is kept (RS-CONV-10)'
        )
