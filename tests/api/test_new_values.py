"""A value of a convention that is declared is implemented at every door, or an error there."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

import polars as pl
import pytest

import rankspec as rs
from rankspec.analysis.check.report import check
from rankspec.evaluation import conventions as declarations
from rankspec.evaluation import plans
from rankspec.evaluation.conventions import DECLARED, DIVERSITY, LETOR, LISTS, RUNS, SESSIONS
from rankspec.evaluation.diversity import _counted as counted_of_subtopics
from rankspec.evaluation.evaluate import rounded
from rankspec.evaluation.ranked import chosen_queries, judgments, label_as_counted, ranking
from rankspec.evaluation.rows import labels_as_counted
from rankspec.evaluation.sessions.judgments import CONVENTIONS as OF_SESSIONS
from rankspec.formats import trec
from rankspec.formats.frames import by_column, scores_of
from rankspec.records import replace
from rankspec.reference import ties
from tests.each import case, each

QRELS: dict[str, Any] = {"1": {"a": 1.5, "b": 0.0, "c": -1.0, "d": 2.0}, "2": {"a": 1.0}}
RUN: dict[str, Any] = {"1": {"a": 1.0, "b": 2.0, "c": 2.0, "x": 3.0}, "2": {"b": 1.0, "a": 1.0}}


def declare(patched: pytest.MonkeyPatch, name: str, value: str) -> None:
    """Add a value to the declaration of a convention, whatever it applies to."""
    known = next(own for own in DECLARED if own.name == name)
    patched.setitem(known.values, value, value)  # type: ignore[arg-type]
    for there in known.within.values():
        if isinstance(there.get("values"), tuple):
            patched.setitem(there, "values", (*there["values"], value))  # type: ignore[arg-type]
        elif "values" in there:
            patched.setitem(there["values"], value, value)
    for own in OF_SESSIONS:
        if own.name == name:
            patched.setitem(own.values, value, value)  # type: ignore[arg-type]
    if name == "ties":
        patched.setattr(ties, "RULES", (*ties.RULES, value))


NAMED = [known for known in DECLARED if known.values]


def frame(table: dict[str, Any], number: str) -> pl.DataFrame:
    rows = [(q, d, x) for q, own in table.items() for d, x in own.items()]
    return pl.DataFrame(rows, schema=["query_id", "doc_id", number], orient="row")


def text(table: dict[str, Any], line: str) -> io.BytesIO:
    rows = (line.format(q, d, x) for q, own in table.items() for d, x in own.items())
    return io.BytesIO("".join(rows).encode())


def csv(table: dict[str, Any], number: str) -> io.BytesIO:
    stream = io.BytesIO(frame(table, number).write_csv().encode())
    stream.name = f"{number}.csv"
    return stream


FORMS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "dicts": lambda: (QRELS, RUN),
    "rows": lambda: (frame(QRELS, "relevance").rows(), frame(RUN, "score").rows()),
    "frames": lambda: (frame(QRELS, "relevance"), frame(RUN, "score")),
    "CSV": lambda: (csv(QRELS, "relevance"), csv(RUN, "score")),
    "files": lambda: (text(QRELS, "{} 0 {} {}\n"), text(RUN, "{} Q0 {} 1 {} t\n")),
}


def evaluations(kind: str, **chosen: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield a name and a call for each way to evaluate things of this kind with a convention."""
    for backend in ("c", "reference"):
        if kind == RUNS:
            for name, form in FORMS.items():
                yield (
                    f"evaluate, {name}, {backend}",
                    lambda form=form, b=backend: rs.evaluate(
                        *form(), ["nDCG", "AP"], backend=b, **chosen
                    ),
                )
            yield "runs", lambda: rs.evaluate_runs(QRELS, {"A": RUN}, "AP", **chosen)
            yield "explain", lambda: rs.explain(QRELS, RUN, "1", "AP", **chosen)
            yield "check", lambda: check(QRELS, RUN, **chosen)
        if kind == LETOR:
            rows = b"1.5 qid:1 1:0.5\n-1 qid:1 1:0.5\n"
            yield (
                f"LETOR, {backend}",
                lambda b=backend, rows=rows: rs.evaluate_letor(
                    io.BytesIO(rows), "nDCG", feature=1, backend=b, **chosen
                ),
            )
        if kind == LISTS:
            yield (
                f"lists, {backend}",
                lambda b=backend: rs.evaluate_lists(
                    [["a", "b"], ["c"]], [["a"], ["d"]], "AP", backend=b, **chosen
                ),
            )
        if kind == SESSIONS:
            session = rs.SearchSession("s", [["a", "b"], ["a"]], topic="1")
            yield (
                f"sessions, {backend}",
                lambda b=backend, s=session: rs.evaluate_sessions(
                    QRELS, [s], "sDCG", backend=b, **chosen
                ),
            )
        if kind == DIVERSITY:
            qrels = {"1": {"a": {"x": 1}, "b": {"y": -1}}}
            yield (
                f"diversity, {backend}",
                lambda b=backend, q=qrels: rs.evaluate_diversity(
                    q, RUN, "alpha_nDCG", backend=b, **chosen
                ),
            )


@pytest.mark.spec("RS-CONV-18")
@each("kind", [RUNS, LETOR, LISTS, SESSIONS, DIVERSITY])
@each("name", [known.name for known in NAMED])
def test_a_value_without_a_meaning_is_an_error(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = next(own for own in DECLARED if own.name == name)
    applies = {own.name for own in declarations.conventions_of(kind)}
    if name not in applies:
        return
    with monkeypatch.context() as patched:
        declare(patched, known.name, "dummy")
        for where, call in evaluations(kind, **{name: "dummy"}):
            with case(where), pytest.raises(rs.InputError, match=f'^{name}: .*"dummy"'):
                call()


def columns(labels: list[float]) -> Any:
    return by_column(frame({"1": {"a": labels[0], "b": labels[1]}}, "relevance"), "qrels", "score")


DEFAULT = declarations.Conventions()
BRANCHES: dict[str, Callable[[], Any]] = {
    "labels, a label": lambda: label_as_counted(1.5, "dummy"),
    "labels, a whole one": lambda: label_as_counted(1, "dummy"),
    "labels, a column": lambda: labels_as_counted(
        columns([1.5, 2.0]), replace(DEFAULT, labels="dummy")
    ),
    "negative, a table": lambda: judgments({"1": {"a": -1}}, replace(DEFAULT, negative="dummy")),
    "negative, subtopics": lambda: counted_of_subtopics({"1": {"a": {"x": -1}}}, "dummy"),
    "ties": lambda: ranking("1", {"a": 1, "b": 1}, {}, replace(DEFAULT, ties="dummy")),
    "scores": lambda: ranking("1", {"a": 1, "b": 1}, {}, replace(DEFAULT, scores="dummy")),
    "unjudged": lambda: ranking("1", {"a": 1, "b": 1}, {}, replace(DEFAULT, unjudged="dummy")),
    "queries": lambda: chosen_queries(["1"], ["1"], "dummy"),
    "results": lambda: rounded(0.5, "dummy"),
    "duplicates, lines": lambda: trec.keep("dummy", {"a": 1}, "a", 2),
    "lines, the tail": lambda: trec.How(lines="dummy").tail,
    "lines, comments": lambda: trec.How(lines="dummy").comments,
    "order, dicts": lambda: scores_of(RUN, trec.How(order="dummy")),
    "order, files": lambda: scores_of(FORMS["files"]()[1], trec.How(order="dummy")),
    "order, a property": lambda: replace(DEFAULT, order="dummy").ordered_by,
    "pool, a property": lambda: replace(DEFAULT, pool="dummy").own_pool,
    "relevance, a property": lambda: replace(DEFAULT, relevance="dummy").scored,
}


@pytest.mark.spec("RS-CONV-18")
@each(("name", "branch"), BRANCHES.items(), ids=list(BRANCHES))
def test_no_branch_ends_in_a_default(name: str, branch: Callable[[], Any]) -> None:
    """Behind the doors, too: what a branch does not know it does not compute."""
    with pytest.raises(rs.InputError, match=f'^{name.partition(",")[0]}: "dummy"'):
        branch()


@pytest.mark.spec("RS-CONV-39")
def test_a_value_with_a_meaning_works_at_every_door(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels that are rounded up, by every form and backend, as if they had been given so."""
    raised = {q: {d: float(ceil(x)) for d, x in own.items()} for q, own in QRELS.items()}
    expected = rs.evaluate(raised, RUN, ["nDCG", "AP"]).per_query
    assert expected != rs.evaluate(QRELS, RUN, ["nDCG", "AP"], labels="floor").per_query
    with monkeypatch.context() as patched:
        declare(patched, "labels", "raised")
        patched.setitem(declarations.MEANINGS["labels"], "raised", ceil)  # type: ignore[arg-type]
        for where, call in evaluations(RUNS, labels="raised"):
            if where.startswith("evaluate"):
                with case(where):
                    assert call().per_query == expected
    plans._known.cache_clear()  # which has seen the value


@pytest.mark.spec("RS-CONV-18")
def test_each_declared_value_has_a_meaning_and_no_other() -> None:
    for known in NAMED:
        declared = {*known.values}
        for there in known.within.values():
            declared |= {*there.get("values", ())}
        assert declared == {*declarations.MEANINGS[known.name]}, known.name
