"""Rows by column: the C core, the plain Python reading, and the same rows as rows.

All must give the same Evaluation, or the same error in the same words. Parts are made small, so
that short runs are joined in many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankspec.evaluation import joined
from rankspec.formats.columns import Columns, Ids, Origin

from .readers import by_both
from .test_reader import conventions as conventions_of_files

DIGITS = ["1", "-7", "10", "0", "9223372036854775807", "18446744073709551615"]
OTHERS = ["q1", "abcdefgh", "abcdefghz0", "\u00e4", "", "\n\0\udcff"]
KNOWN = {
    "digits": DIGITS,
    "others": OTHERS,
    "int64": [1, -7, 10, 0, 2**63 - 1, -(2**63)],
    "uint64": [1, 2**63, 10, 0, 2**63 - 1, 2**64 - 1],
}
EXACT = [2**53, 2**53 + 1, 2**53 - 1, -(2**53) - 1, 2**63 - 1, 0, 1]


conventions = st.builds(
    lambda chosen, labels: chosen | ({"labels": labels} if labels else {}),
    conventions_of_files,
    st.sampled_from(["", "exact", "floor", "truncate", "from-1"]),
)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "DOCUMENTS_AT_ONCE", 3)


@st.composite
def ids(draw: st.DrawFn, which: list[int], others: bool) -> Ids:
    """The ids of rows, each one of six, in one of the forms."""
    form = draw(st.sampled_from(["digits", "digits", "int64", "uint64"]))
    form = "others" if others else form
    values, codes = KNOWN[form], None
    if draw(st.booleans()):
        values = [*values, values[0]]  # a dictionary with a value twice
        codes = np.array(which, np.int64)
    else:
        values = [values[a] for a in which]
    if form in ("int64", "uint64"):
        return Ids(integers=np.array(values, form), codes=codes)
    found = Ids.of_texts(values, codes)
    if draw(st.booleans()):
        found = Ids(found.text, found.offsets.astype(np.int32), codes=codes)
    if draw(st.booleans()):  # something else before and after
        found = Ids(b"abc" + bytes(found.text) + b"xyz", found.offsets + 3, codes=codes)
    return found


scores = st.one_of(
    st.lists(st.sampled_from([0.5, 0.25, 1.0, -0.0, 0.0, 16777217.0, 1e-300, 1e300]), max_size=12),
    st.lists(st.sampled_from(EXACT), max_size=12),
    st.lists(st.sampled_from([1, 2, 3, 2**63, 2**64 - 1]), max_size=12),
)
labels = st.one_of(
    st.lists(st.sampled_from([0, 1, 2, 3, 300, -1]), min_size=1, max_size=12),
    st.lists(st.sampled_from([0.0, 1.0, 0.5, 2.5, -1.5, 5.0]), min_size=1, max_size=12),
    st.lists(st.sampled_from([0, 1, 2, 2**63, 2**63 + 1]), min_size=1, max_size=12),
)


def array(values: list[Any]) -> Any:
    if any(isinstance(x, float) for x in values):
        return np.array(values, np.float64)
    return np.array(values, np.uint64 if max(values, default=0) >= 2**63 else np.int64)


@st.composite
def columns(
    draw: st.DrawFn, numbers: st.SearchStrategy[list[Any]], number: str, others: bool = False
) -> Columns:
    """Rows of three queries and six documents, most of them with no pair twice."""
    values = array(draw(numbers))
    n = len(values)
    pair = st.tuples(st.integers(0, 2), st.integers(0, 5))
    again = draw(st.integers(0, 4)) == 0
    pairs = draw(st.lists(pair, min_size=n, max_size=n, unique=not again))
    source = "qrels" if number == "label" else "run"
    queries, documents = (draw(ids([p[a] for p in pairs], others)) for a in range(2))
    return Columns(queries, documents, values, number, Origin(source))


pairs_of_columns = st.booleans().flatmap(
    lambda others: st.tuples(
        columns(labels, "label", others=others), columns(scores, "score", others=others)
    )
)


@given(pairs_of_columns, conventions)
@example(
    (
        Columns(Ids.of_texts(["q"]), Ids.of_texts(["a"]), np.array([1]), "label", Origin("qrels")),
        Columns(Ids.of_texts(["q"]), Ids.of_texts(["a"]), np.array([2**64 - 1], np.uint64)),
    ),
    {},
)
@pytest.mark.spec("RS-CONV-41", "RS-CONV-42")
def test_columns_and_rows(both: tuple[Columns, Columns], chosen: dict[str, Any]) -> None:
    qrels, run = both
    by_core, by_reference = by_both(qrels, run, chosen)
    assert by_core == by_reference
    of_rows = by_both(list(qrels.rows()), list(run.rows()), chosen)[0]
    if isinstance(of_rows, str):
        of_rows = of_rows.replace("the relevance of", "the label of")
    assert by_core == of_rows


@given(columns(labels, "label"), columns(scores, "score"), conventions)
@pytest.mark.spec("RS-CONV-32")
def test_the_order_of_the_rows(qrels: Columns, run: Columns, chosen: dict[str, Any]) -> None:
    chosen = {**chosen, "order": "file"}
    by_core, by_reference = by_both(qrels, run, chosen)
    assert by_core == by_reference
    unread = Columns(run.queries, run.documents, None)
    assert by_both(qrels, unread, chosen)[0] == by_core


ranks = st.one_of(
    st.lists(st.sampled_from([1, 2, 3, 4, 10, 0, -1]), max_size=12),
    st.lists(st.sampled_from([1.0, 2.0, 3.0, -0.0, 1.5]), max_size=12),
    st.lists(st.sampled_from([1, 2**53, 2**53 + 1]), max_size=12),
)


@given(columns(labels, "label"), columns(ranks, "rank"), conventions)
@pytest.mark.spec("RS-CONV-32")
def test_ranks(qrels: Columns, run: Columns, chosen: dict[str, Any]) -> None:
    chosen = {**chosen, "order": "rank"}
    by_core, by_reference = by_both(qrels, run, chosen)
    assert by_core == by_reference
    if isinstance(by_core, str):
        return
    scores = 0.0 - run.numbers.astype(np.float64)
    as_scores = Columns(run.queries, run.documents, scores)
    assert (
        by_core["per_query"]
        == by_both(qrels, as_scores, chosen | {"order": "score", "scores": "double"})[0][
            "per_query"
        ]
    )


def test_numbers_of_another_kind_are_refused() -> None:
    qrels = Columns(
        Ids.of_texts(["q"]), Ids.of_texts(["a"]), np.array([1]), "label", Origin("qrels")
    )
    for number, order in (("rank", "score"), ("score", "rank"), ("label", "score")):
        run = Columns(Ids.of_texts(["q"]), Ids.of_texts(["a"]), np.array([1]), number)
        words = f"run: expected {order}s, got {number}s"
        assert by_both(qrels, run, {"order": order}) == (words, words)
    run = Columns(Ids.of_texts(["q"]), Ids.of_texts(["a"]), np.array([1]), "score")
    assert by_both(run, run, {})[0] == "run: expected labels, got scores"
