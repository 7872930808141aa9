"""Qrels and runs to hold laws of evaluations against, as dicts, rows and files."""

from __future__ import annotations

import io
import random
from typing import Any

from hypothesis import strategies as st

from rankspec.errors import InputError
from tests.conventions import convention_values

Table = dict[str, dict[str, Any]]
Row = tuple[str, str, Any]

MEASURES = [
    "nDCG@3", "nDCG(gain='exp2')", "AP", "P@2", "R@3", "RR", "DCG@4",
    "ERR@3", "nERR", "GAP@2", "RBP@3",
]  # fmt: skip
RULES = convention_values("ties")
QUERIES = ["1", "2", "é", "\udcff"]
# In the order of their bytes; "\udcff" stands for the byte ff, which is no UTF-8, and as Python
# text comes before "\uffee".
DOCUMENTS = ["A", "a1", "a10", "a2", "z", "\x7f", "é", "\uffee", "\U0001f600", "\udcff"]


def tables(numbers: st.SearchStrategy[Any], smallest: int = 0) -> st.SearchStrategy[Table]:
    documents = st.dictionaries(st.sampled_from(DOCUMENTS), numbers, min_size=smallest)
    return st.dictionaries(st.sampled_from(QUERIES), documents, min_size=1)


labels = st.integers(-2, 3)
scores = st.sampled_from([0.0, -0.0, 1.5, 2.0, -3.0, 1e300])
qrels_tables = tables(labels, smallest=1)
run_tables = tables(scores, smallest=1)
rules = st.sampled_from(RULES)


def pairs(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Row]]:
    """Rows of few queries and documents, so that some come twice."""
    ids = (st.sampled_from(QUERIES[:2]), st.sampled_from(DOCUMENTS[:4]))
    return st.lists(st.tuples(*ids, numbers), min_size=1, max_size=12)


# Their forms

QRELS_LINE = "{query} 0 {document} {number}"
RUN_LINE = "{query} Q0 {document} 1 {number!r} tag"


def rows_of(table: Table) -> list[Row]:
    return [(q, d, x) for q, documents in table.items() for d, x in documents.items()]


def table_of(rows: list[Row]) -> Table:
    table: Table = {}
    for query, document, x in rows:
        table.setdefault(query, {})[document] = x
    return table


def file_of(rows: list[Row], line: str, seed: int | None = None) -> io.BytesIO:
    lines = [
        line.format(query=q, document=d, number=x).encode("utf-8", "surrogateescape") + b"\n"
        for q, d, x in rows
    ]
    if seed is not None:
        random.Random(seed).shuffle(lines)
    return io.BytesIO(b"".join(lines))


def as_dicts(qrels: list[Row], run: list[Row]) -> tuple[Any, Any]:
    return table_of(qrels), table_of(run)


def as_rows(qrels: list[Row], run: list[Row]) -> tuple[Any, Any]:
    return qrels, run


def as_files(qrels: list[Row], run: list[Row]) -> tuple[Any, Any]:
    return file_of(qrels, QRELS_LINE), file_of(run, RUN_LINE)


forms = st.sampled_from([as_dicts, as_rows, as_files])


# Conventions

CHOICES = {
    "ties": RULES,
    "scores": convention_values("scores"),
    "unjudged": convention_values("unjudged", "lowest", "highest"),
    "negative": convention_values("negative", "error", "kept"),
    "undefined": convention_values("undefined", "nan", "error"),
    "queries": convention_values("queries", "complete", "same"),
    "depth": [None, 1, 2, 3],
    "pool": convention_values("pool"),
    "gain": ["linear", "exp2", (1, 1, 2, 5)],  # the last gives label 0 a gain
    "discount": ["log2", "zipf"],
    "rel": [1, 2],
}


def conventions(*, but: str = "") -> st.SearchStrategy[dict[str, Any]]:
    """Any values of all conventions that admit most files, but for one convention."""
    return st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in CHOICES.items() if name != but}
    )


def outcome(evaluate: Any, qrels: Any, run: Any, **given: Any) -> Any:
    """Queries, values and means; or what the InputError says."""
    try:
        result = evaluate(qrels, run, given.pop("measures", MEASURES), **given)
    except InputError as error:
        return str(error)
    return set(result.queries), result.per_query, result.mean


def counted(qrels: Table, negative: str) -> Table:
    """The qrels as RS-CONV-15 reads them."""
    return {
        q: {d: max(x, 0) for d, x in documents.items() if x >= 0 or negative == "zero"}
        for q, documents in qrels.items()
    }
