"""Runs of which no measure reads more than the first ranks: lists are cut there, and nothing else
changes. Spec: RS-CONV-2/L1.
"""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.errors import InputWarning
from rankspec.evaluation.conventions import Conventions
from rankspec.evaluation.evaluate import evaluate, prepared, ranks_read
from rankspec.evaluation.measures import measures_named
from rankspec.formats.columns import Columns, Ids
from tests.conventions import convention_values

from ..each import each
from .readers import by_both
from .test_reader import conventions, in_order

OF_FIRST = ["nDCG@2", "P@1", "RR@3", "ERR(max=5)@2", "DCG@1"]
DOCUMENTS = 12

ranked = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=DOCUMENTS)
"""Of each document of a query, its label, or 3 for no judgment, and its score."""


def rows(found: list[tuple[int, int]]) -> tuple[list[Any], list[Any]]:
    """Qrels and a run of two queries, of which one has few documents."""
    named = [("q" if a % 5 else "p", f"d{a}", *x) for a, x in enumerate(found)]
    judged = [(q, d, label) for q, d, label, _ in named if label < 3]
    return [("q", "x", 1), *judged], [(q, d, float(score)) for q, d, _, score in named]


def files(qrels: list[Any], run: list[Any]) -> tuple[bytes, bytes]:
    return (
        "".join(f"{q} 0 {d} {x}\n" for q, d, x in qrels).encode(),
        "".join(f"{q} Q0 {d} 1 {x!r} t\n" for q, d, x in run).encode(),
    )


def columns(table: list[Any], number: str) -> Columns:
    queries, documents, values = zip(*table, strict=True)
    ids = Ids.of_texts(list(queries)), Ids.of_texts(list(documents))
    return Columns(*ids, np.array(values), number)


@given(ranked, conventions)
@pytest.mark.spec("RS-CONV-2/L1")
def test_files_columns_and_rows(found: list[tuple[int, int]], chosen: dict[str, Any]) -> None:
    chosen = {name: x for name, x in chosen.items() if name != "relevance"}
    qrels, run = rows(found)
    texts = files(qrels, run)
    for both in (texts, tuple(map(in_order, texts)), (qrels, run)):
        by_core, by_reference = by_both(*both, chosen, OF_FIRST)
        assert by_core == by_reference
    by_columns = by_both(columns(qrels, "label"), columns(run, "score"), chosen, OF_FIRST)[0]
    assert by_columns == by_core


TIED = b"q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 2 t\nq Q0 d 4 2 t\nq Q0 e 5 1 t\n"
JUDGED = b"q 0 b 1\nq 0 e 2\n"


def lists(ranks: int | None, run: bytes = TIED, **chosen: Any) -> Any:
    """The labels, and where tie groups begin, of the list that so many ranks are read of."""
    by = Conventions(**chosen)
    judged = prepared(io.BytesIO(JUDGED), by, "c")
    (piece,) = judged.map_run(
        io.BytesIO(run),
        by,
        lambda x: (list(x.batch.labels), list(x.starts), x.has_judged()),
        ranks=ranks,
    )
    return piece.result


@each("ties", convention_values("ties"))
@pytest.mark.spec("RS-CONV-2/L1")
def test_a_list_ends_with_the_tie_group_of_its_last_rank(ties: str) -> None:
    first = {"id-descending": [0, 0, 0, 1], "worst": [0, 0, 0, 1]}.get(ties, [0, 1, 0, 0])
    assert lists(None, ties=ties) == ([*first, 2], [1, 1, 0, 0, 1], True)
    assert lists(1, ties=ties) == ([0], [1], True)
    for ranks in (2, 3, 4):
        assert lists(ranks, ties=ties) == (first, [1, 1, 0, 0], True)
    assert lists(9, ties=ties) == lists(None, ties=ties)
    risen = b"".join(reversed(TIED.splitlines(keepends=True)))
    again = [0, 0, 0, 1] if ties == "input" else first  # c, d and b, or d, c and b
    again = [0, 0, 0, 1] if ties == "expected" else again
    assert lists(2, risen, ties=ties) == (again, [1, 1, 0, 0], True)


@pytest.mark.spec("RS-CONV-27", "RS-CONV-2/L1")
def test_a_judged_document_behind_the_first_ranks_is_seen() -> None:
    """Where no document is judged, a warning says so: here one is, at the last rank."""
    qrels, run = b"q 0 e 1\n", TIED.replace(b"q Q0 e 5 1", b"q Q0 e 5 0")
    found = evaluate(io.BytesIO(qrels), io.BytesIO(run), ["P@1"], backend="c")
    assert (found["P@1"], found.warnings) == (0.0, ())
    with pytest.warns(InputWarning, match="RS-CONV-27"):
        none = evaluate(io.BytesIO(b"q 0 z 1\n"), io.BytesIO(run), ["P@1"], backend="c")
    assert none.warnings


@each(
    "case",
    [
        (["nDCG@10", "P@5"], {}, 10),
        (["nDCG@10", "P@5"], {"ties": "expected", "queries": "run"}, 10),
        (["nDCG@10", "AP"], {}, None),
        (["UL2(nDCG)@10"], {}, None),
        (["AP(norm='retrieved')@10"], {}, None),
        (["Judged@10"], {}, None),
        (["nDCG@10"], {"depth": 20}, None),
        (["nDCG@10"], {"pool": "retrieved"}, None),
        (["nDCG@10"], {"unjudged": "highest"}, None),
        (["nDCG@10"], {"unjudged": "condensed"}, 10),
        (["nDCG@10"], {"undefined": "omit"}, None),
        (["nDCG_phi@10"], {"relevance": "phi"}, None),
        ([], {}, None),
    ],
)
def test_how_many_ranks_are_read(case: tuple[list[str], dict[str, Any], int | None]) -> None:
    names, chosen, ranks = case
    by = Conventions(**chosen)
    measures = [m for name in names for m in measures_named(name, by, None)]
    assert ranks_read(measures, by) == ranks


@pytest.mark.slow
@each("duplicates", convention_values("duplicates"))
@pytest.mark.spec("RS-CONV-10")
def test_long_lists_in_any_order_with_documents_twice(duplicates: str) -> None:
    """So many lines that some share a bit by chance, and many of the documents are judged."""
    rng = random.Random(7)
    n, again = 3000, 0 if duplicates == "error" else 400
    names = [f"{'long-' * (a % 3)}d{a}" for a in range(n)]
    run = [(x, rng.choice((rng.random(), rng.randrange(50)))) for x in names]
    run += [(x, rng.random()) for x in rng.sample(names, again)]
    rng.shuffle(run)
    lines = "".join(f"q Q0 {x} 1 {score!r} t\n" for x, score in run).encode()
    for judged in (5, 1000, 2500):
        qrels = "".join(f"q 0 {x} {a % 4}\n" for a, x in enumerate(rng.sample(names, judged)))
        for measures in (["nDCG@20", "P@5"], ["nDCG", "AP"]):
            chosen = {"duplicates": duplicates}
            by_core, by_reference = by_both(qrels.encode(), lines, chosen, measures)
            assert by_core == by_reference
            assert isinstance(by_core, dict)
    twice = lines + b"q Q0 d3 1 0.5 t\n"
    by_core, by_reference = by_both(b"q 0 d3 1\n", twice, {"duplicates": duplicates}, ["AP"])
    assert by_core == by_reference
    assert isinstance(by_core, str) == (duplicates == "error")
