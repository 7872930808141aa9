"""``rankspec check`` by the C reader against the same by the plain reading of a whole run.

Both must report the same, to the letter: counts, examples and means.
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.analysis.check.report import check
from rankspec.errors import InputError
from rankspec.evaluation import joined
from rankspec.formats import blocks
from tests.conventions import convention_values

from .test_reader import (
    DOCUMENTS,
    QUERIES,
    SCORES,
    conventions,
    in_order,
    qrels_texts,
    texts,
)

RANKS = ["1", "2", "3", "4", "5", "-2", "+3", "007", "-0", "1_0", "_1", "1__0", "first", "-", "+-1"]
RANKS += ["3.0", "1e1", "9" * 18, "9" * 19, "-" + "9" * 30, str(2**63), "\u0661", "0" * 4400 + "1"]

run_texts = texts(
    [
        st.sampled_from(QUERIES),
        st.just("Q0"),
        st.sampled_from(DOCUMENTS),
        st.one_of(st.sampled_from(RANKS[:5]), st.sampled_from(RANKS)),
        st.sampled_from(SCORES),
        st.just("tag"),
    ]
)
few_documents = texts(
    [
        st.sampled_from(QUERIES[:2]),
        st.just("Q0"),
        st.sampled_from(DOCUMENTS[:3]),
        st.sampled_from(RANKS[:3]),
        st.sampled_from(SCORES[:4]),
        st.just("tag"),
    ]
)
tops = st.integers(1, 6)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 64)
    monkeypatch.setattr(joined, "BLOCK", 64)
    monkeypatch.setattr(joined, "SHARE", 120)


def checked(qrels: bytes, run: bytes, backend: str, **options: Any) -> Any:
    """The report, or the words of the error."""
    try:
        return check(io.BytesIO(qrels), io.BytesIO(run), backend=backend, **options).to_dict()
    except InputError as error:
        return str(error)


@given(qrels_texts, run_texts, conventions, tops)
def test_any_files(qrels: bytes, run: bytes, chosen: dict[str, Any], top: int) -> None:
    by_c = checked(qrels, run, "c", top=top, **chosen)
    assert by_c == checked(qrels, run, "reference", top=top, **chosen)


@given(qrels_texts, run_texts, conventions, tops)
def test_files_of_grouped_queries(
    qrels: bytes, run: bytes, chosen: dict[str, Any], top: int
) -> None:
    run = in_order(run)
    by_c = checked(qrels, run, "c", top=top, **chosen)
    assert by_c == checked(qrels, run, "reference", top=top, **chosen)


@given(few_documents, st.sampled_from(convention_values("duplicates", "error")))
def test_documents_given_again(run: bytes, duplicates: str) -> None:
    qrels = b"q 0 a 1\nq1 0 b 1\n"
    by_c = checked(qrels, run, "c", duplicates=duplicates)
    assert by_c == checked(qrels, run, "reference", duplicates=duplicates)


ranks = st.one_of(st.integers(-4, 4).map(str), st.sampled_from(RANKS))


@given(st.lists(st.tuples(ranks, st.sampled_from(SCORES)), max_size=6))
def test_ranks(lines: list[tuple[str, str]]) -> None:
    """By the definition: a document above another of a higher score."""
    run = "".join(f"q Q0 d{a} {rank} {score} t\n" for a, (rank, score) in enumerate(lines))
    report = checked(b"q 0 d0 1\n", f"q Q0 x x 0 t\n{run}".encode(), "c")
    said = []
    for rank, score in lines:
        try:
            said.append((int(rank.encode()), float(score)))
        except ValueError:
            continue
    contradicted = any(i < j and x < y for i, x in said for j, y in said)
    found = {finding["name"]: finding["count"] for finding in report["findings"]}
    assert found["ranks"] == contradicted
