"""AUC of judgments without a nonrelevant document: refused at every entry point. RS-PREC-40."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.errors import InputError

pytestmark = pytest.mark.spec("RS-PREC-40")

QRELS = {"p": {"a": 1, "b": 2}, "q": {"a": 1}}
RUN = {"p": {"x": 3.0, "a": 2.0, "b": 1.0}, "q": {"y": 2.0, "a": 1.0}}
LINES = b"p 0 a 1\np 0 b 2\nq 0 a 1\n", b"p Q0 x 1 3 t\np Q0 a 2 2 t\nq Q0 a 1 1 t\n"
WHY = 'measure "AUC": no judged document is nonrelevant, as the least label is 1; .*the label 0'


def rows(table: dict[str, dict[str, Any]]) -> list[tuple[str, str, Any]]:
    return [(query, document, x) for query, own in table.items() for document, x in own.items()]


def frames() -> tuple[Any, Any]:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    qrels = pandas.DataFrame(rows(QRELS), columns=["query_id", "doc_id", "relevance"])
    return qrels, pandas.DataFrame(rows(RUN), columns=["query_id", "doc_id", "score"])


def in_parts() -> object:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    from rankspec.duckdb import evaluate

    _, run = frames()
    return evaluate(QRELS, duckdb.from_df(run), "AUC")


CALLS: dict[str, Callable[[], object]] = {
    "dicts": lambda: rs.evaluate(QRELS, RUN, "AUC"),
    "one query": lambda: rs.evaluate({"q": QRELS["q"]}, {"q": RUN["q"]}, ["AP", "AUC"]),
    "the reference": lambda: rs.evaluate(QRELS, RUN, "AUC", backend="reference"),
    "rows": lambda: rs.evaluate(rows(QRELS), rows(RUN), "AUC"),
    "frames": lambda: rs.evaluate(*frames(), "AUC"),
    "files": lambda: rs.evaluate(*map(io.BytesIO, LINES), "AUC"),
    "lists": lambda: rs.evaluate_lists({"p": ["x", "a"]}, {"p": {"a", "b"}}, "AUC"),
    "positions": lambda: rs.evaluate_lists([[7, 3]], [[3]], "AUC"),
    "arrays": lambda: rs.evaluate_lists(_array([[7, 3]]), [{3}], "AUC"),
    "runs": lambda: rs.evaluate_runs(QRELS, {"A": RUN, "B": RUN}, "AUC"),
    "LETOR": lambda: rs.evaluate_letor(
        io.BytesIO(b"1 qid:1 1:0.5\n2 qid:1 1:0.25\n"), "AUC", feature=1
    ),
    "engines": in_parts,
    "explain": lambda: rs.explain(QRELS, RUN, "p", "AUC"),
}


def _array(x: list[list[int]]) -> Any:
    import numpy as np

    return np.array(x)


@pytest.mark.parametrize("call", CALLS)
def test_it_is_refused_where_no_document_is_judged_nonrelevant(call: str) -> None:
    with pytest.raises(InputError, match=WHY):
        CALLS[call]()


def test_so_it_is_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, lines in zip(("qrels", "run"), LINES, strict=True):
        (tmp_path / name).write_bytes(lines)
    assert main(["eval", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "AUC"]) == 2
    assert re.search("no judged document is nonrelevant", capsys.readouterr().err)


def test_one_document_that_is_judged_nonrelevant_is_enough() -> None:
    """Also where it is in the pool of another query, or has a label below rel."""
    found = rs.evaluate({**QRELS, "q": {"a": 1, "y": 0}}, RUN, ["AUC", "AUC(rel=2)"])
    assert found.per_query["AUC"] == {"p": 0.0, "q": 0.0}
    assert rs.evaluate(QRELS, RUN, "AUC(rel=2)").per_query["AUC(rel=2)"]["p"] == 0.0
    lists = rs.evaluate_lists(
        {"p": ["x", "a", "b"]}, {"p": {"x": 0, "a": 1, "b": 1, "z": 0}}, "AUC"
    )
    assert lists["AUC"] == 0.5  # of the four pairs, a and b are below x, and above z


def test_of_labels_alone_there_are_no_pairs_and_the_value_is_0() -> None:
    assert rs.auc([1, 1]) == 0.0
