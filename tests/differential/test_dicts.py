"""Plain dicts: the module that reads them where they are, the core by their ids, and the reference.

All must give the same lists, the same Evaluation, or the same error in the same words.
"""

from __future__ import annotations

import copy
import gc
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError
from rankspec.evaluation import dicts, one_query
from rankspec.evaluation.conventions import Conventions
from rankspec.evaluation.evaluate import _of_core as of_core
from rankspec.evaluation.evaluate import evaluate
from rankspec.evaluation.joined import judgments_of
from rankspec.evaluation.ranked import Judged, JudgedTable
from tests.conventions import convention_values

from .readers import MEASURES, OF_SCORES, outcome

pytest.importorskip("rankspec._dicts")


class Text(str):
    """An id with a hash and an equality of its own, which must not be asked."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)  # type: ignore[arg-type]


TEXTS = ["10", "9", "d1", "abcdefgh", "abcdefghz", "\u00e4", "\U0001d11e", "", "\n\0"]
INTEGERS = [10, 9, -7, 0, 2**63 - 1]
ODD_IDS = ["\udcff", "\ud800", Text("d1"), 2**63, True, b"d1", None, 1.5, np.int64(9), "-7", 10]
SCORES = [1.0, 2.0, -1.0, 0.0, -0.0, 1.0 + 2**-30, 1e300, 5e-324]
WHOLE_SCORES = [0, 1, 2, -3, 2**53]
ODD_SCORES = [
    2**53 + 1,
    True,
    math.nan,
    math.inf,
    Fraction(1, 3),
    np.float32(0.1),
    None,
    "1",
    10**400,
]
LABELS = [0, 1, 2, 3]
MORE_LABELS = [*LABELS, 0.5, 2.0, -1, -0.5, 255, 256, 2**53 + 1]
ODD_LABELS = [True, math.nan, 2**63, np.int64(2), Fraction(1, 2), None, "1"]


def tables(ids: list[Any], numbers: list[Any]) -> st.SearchStrategy[dict[Any, Any]]:
    own = st.dictionaries(st.sampled_from(ids), st.sampled_from(numbers), max_size=8)
    return st.dictionaries(st.sampled_from(ids), own, max_size=4)


@st.composite
def plain(draw: st.DrawFn) -> tuple[dict[Any, Any], dict[Any, Any]]:
    ids = draw(st.sampled_from([TEXTS, INTEGERS]))
    labels = draw(st.sampled_from([LABELS, MORE_LABELS]))
    scores = draw(st.sampled_from([SCORES, WHOLE_SCORES, [*SCORES, *WHOLE_SCORES], [1.0, 2.0]]))
    return draw(tables(ids, labels)), draw(tables(ids, scores))


@st.composite
def odd(draw: st.DrawFn) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Plain ones, and something in its place that is not."""
    qrels, run = draw(plain())
    what, table = draw(st.sampled_from([("qrels", qrels), ("run", run)]))
    numbers = ODD_LABELS if what == "qrels" else ODD_SCORES
    kind = draw(st.sampled_from(["query", "document", "number", "documents"]))
    new = draw(st.sampled_from(ODD_IDS))
    if kind == "query":
        table[new] = {"d1": 1}
    elif table:
        own = table[draw(st.sampled_from(list(table)))]
        if kind == "documents":
            table[next(iter(table))] = draw(st.sampled_from([None, [("d1", 1)], {"d1"}, "d1"]))
        elif kind == "document":
            own[new] = 1
        else:
            own[draw(st.sampled_from(list(own) or ["d1"]))] = draw(st.sampled_from(numbers))
    return qrels, run


conventions = st.fixed_dictionaries(
    {},
    optional={
        "ties": st.sampled_from(convention_values("ties")),
        "scores": st.sampled_from(convention_values("scores")),
        "unjudged": st.sampled_from(["nonrelevant", "condensed"]),
        "labels": st.sampled_from(convention_values("labels")),
        "negative": st.sampled_from(convention_values("negative")),
        "queries": st.sampled_from(convention_values("queries")),
        "depth": st.integers(1, 5),
        "pool": st.sampled_from(convention_values("pool")),
        "order": st.sampled_from(convention_values("order", "rank")),
        "undefined": st.sampled_from(["zero", "omit", "nan"]),
    },
)


@contextmanager
def without_module() -> Iterator[None]:
    """As where the module is missing: the core reads the ids."""
    with patch.object(dicts, "read", lambda _: None):
        yield


def lists_of(judged: Judged, run: Any, by: Conventions) -> Any:
    """All that is known of the ranked lists of a run, as plain data; or the words of the error."""

    def plain_data(lists: Any) -> Any:
        batch = lists.batch
        arrays = [batch.labels, batch.offsets, batch.pool, batch.pool_offsets, lists.unjudged]
        arrays += [batch.starts] if by.ties == "expected" else []
        types = memoryview(batch.labels).format, memoryview(batch.pool).format
        return lists.queries, types, [list(x) for x in arrays], batch.pool is batch.labels

    try:
        pieces = judged.map_run(run, by, plain_data)
    except InputError as error:
        return str(error)
    return [piece.result for piece in pieces]


def about(judged: Judged) -> Any:
    """All that is known of judgments."""
    labels = judged.distinct_labels()
    first = judged.first_of(labels) if labels else None
    documents = {query: list(judged.documents_of(query)) for query in [*judged.queries, "no"]}
    return judged.queries, judged.like_scores, judged.highest, labels, first, documents


@given(plain(), conventions)
@example(({"q": {"a": 1, "b": 2}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}), {"ties": "worst"})
@example(({1: {10: 1, 9: 2}}, {1: {9: 1.0, 10: 1.0, 7: 1.0}}), {"ties": "id-ascending"})
@example(({"q": {"a": -1, "b": 2.5}}, {"q": {"a": 1, "b": 1}}), {"negative": "zero"})
def test_the_lists_are_those_of_the_core_by_ids(
    both: tuple[dict[Any, Any], dict[Any, Any]], chosen: dict[str, Any]
) -> None:
    qrels, run = both
    by = Conventions(**chosen)
    if refused := refusal(qrels, by, judgments_of):
        assert refusal(qrels, by, dicts.judgments_of) == refused
        return
    found = dicts.judged_dicts(qrels, by)
    if found is None:
        assert not qrels or mixes_what_is_no_double(qrels)
        return
    by_ids = judgments_of(qrels, by)
    assert about(found) == about(by_ids)
    assert lists_of(found, run, by) == lists_of(by_ids, run, by)
    joined = found._lists(run, by) if by.order == "score" else None
    same_kind = kind_of(qrels) in (None, kind_of(run)) or kind_of(run) is None
    numbers = [x for own in run.values() for x in own.values()]
    fits = by.scores == "double" or all(abs(x) < 1e38 for x in numbers)
    if by.order == "score" and same_kind and fits and by.ties != "expected":
        assert joined is not None  # or nothing would be compared
    kept = Conventions(**{**chosen, "negative": "kept"})
    assert about(found.under(kept)) == about(by_ids.under(kept))
    empty = [list(x.result) for x in (found.empty_lists(found.queries[:2], by, arrays_of),)]
    assert empty == [list(by_ids.empty_lists(found.queries[:2], by, arrays_of).result)]


def refusal(qrels: Any, by: Conventions, reader: Any) -> str:
    """The words of the error for qrels; "": there is none."""
    try:
        reader(qrels, by)
    except InputError as error:
        return str(error)
    return ""


def arrays_of(lists: Any) -> list[Any]:
    return [lists.queries, *(list(x) for x in (lists.batch.offsets, lists.batch.pool))]


def kind_of(table: dict[Any, Any]) -> type | None:
    ids = [*table, *(x for own in table.values() for x in own)]
    return type(ids[0]) if ids else None


def mixes_what_is_no_double(qrels: dict[Any, Any]) -> bool:
    tables = [own for own in qrels.values() if isinstance(own, dict)]
    labels = [x for own in tables for x in own.values()]
    return any(type(x) is float for x in labels) and 2**53 + 1 in labels


@st.composite
def of_one_query(draw: st.DrawFn) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Judgments and a run of one query, which is mostly the same."""
    ids = draw(st.sampled_from([TEXTS, INTEGERS]))
    labels = draw(st.sampled_from([LABELS, LABELS, [*range(7), 255, 256], MORE_LABELS]))
    scores = draw(st.sampled_from([SCORES, WHOLE_SCORES, [1.0, 2.0]]))
    numbers = [st.sampled_from(x) for x in (labels, scores)]
    qrels, run = (
        draw(st.dictionaries(st.sampled_from(ids), of, min_size=2, max_size=8)) for of in numbers
    )
    query, other = ids[:2]
    return draw(st.sampled_from([{query: qrels}, {query: qrels, other: qrels}])), {query: run}


OF_ONE_QUERY = [[*MEASURES, "ERR", "RBP"], ["AP"], ["Judged@2"], ["nDCG", "Compat"], OF_SCORES]


@given(
    of_one_query(),
    conventions,
    st.sampled_from([None, None, "trec_eval-9", "gdeval", "ranx"]),
    st.sampled_from(OF_ONE_QUERY),
)
@example(({"q": {"a": 1, "b": 0}}, {"q": {"c": 1.0, "a": 0.5}}), {}, None, ["AP"])
@example(({"q": {"a": 1, "b": 2}}, {"q": {"c": 1.0, "a": 0.5}}), {}, None, ["binG", "nDCG@1"])
@example(({"q": {"a": 1, "b": 5}}, {"q": {"b": 1.0, "a": 0.5}}), {}, "gdeval", ["nDCG"])
@example(({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 0.5}}), {}, None, ["AP"])
@example(({"q": {"a": 1}}, {"q": {"b": 0.5}}), {}, None, ["AP"])
@example(({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}), {"unjudged": "condensed"}, None, ["RR"])
@example(
    ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0 + 2**-30}}),
    {"scores": "float32", "ties": "id-ascending"},
    None,
    ["RR"],
)
@example(({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0, "a": 0.5}}), {"depth": 1}, None, ["AP"])
@example(({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0}}), {"pool": "retrieved"}, None, ["AP"])
@example(({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0, "a": 2.0}}), {"order": "file"}, None, ["DCG"])
@example(({"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0, "a": 1.0}}), {"ties": "expected"}, None, ["RR"])
@example(({"q": {"a": 0}}, {"q": {"a": 1.0}}), {"undefined": "nan"}, None, ["AP"])
@example(
    ({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0, "c": 2.0}}), {"unjudged": "highest"}, None, ["P@1"]
)
@example(({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0, "c": 2.0}}), {}, None, ["Judged@2"])
@example(
    ({"q": {"a": 1, "b": 2}}, {"q": {"b": 1.0, "a": 2.0}}), {"results": "float32"}, None, ["DCG"]
)
def test_one_query_is_evaluated_as_among_others(
    both: tuple[dict[Any, Any], dict[Any, Any]],
    chosen: dict[str, Any],
    profile: str | None,
    measures: list[str],
) -> None:
    """At once, or with all that many queries ask for."""

    def answer() -> Any:
        try:
            found = evaluate(*both, measures, profile=profile, **chosen)
        except InputError as error:
            return str(error)
        return {name: (type(x), x, repr(x)) for name, x in vars(found).items()}

    at_once = answer()
    with patch.object(one_query, "of_one_query", lambda *_: None):
        of_core.cache_clear()
        assert at_once == answer()
    of_core.cache_clear()


def test_what_is_usual_is_evaluated_at_once() -> None:
    """Else the test before this one would compare nothing."""
    qrels, run = {"q": {"a": 3, "b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 2.0, "d": 0.5}}
    with patch("rankspec.evaluation.evaluate._evaluated", lambda *_: pytest.fail("not at once")):
        for ties in ("id-descending", "input", "best"):
            assert 0 < evaluate(qrels, run, ["nDCG@10", "AP"], ties=ties)["AP"] < 1
        assert evaluate(qrels, run, ["nDCG@10", "P@5"], profile="trec_eval-9")["P@5"] == 0.2


def test_evaluations_that_are_made_at_once_share_nothing_that_changes() -> None:
    qrels, chosen = {"q": {"a": 3, "b": 1}}, {"measures": ["nDCG@1", "AP"], "ties": "input"}
    first = evaluate(qrels, {"q": {"b": 1.0, "a": 0.5}}, **chosen)
    expected = copy.deepcopy(vars(first))
    second = evaluate(qrels, {"q": {"a": 1.0, "b": 0.5}}, **chosen)
    assert (first["nDCG@1"], second["ndcg_cut.1"]) == (1 / 3, 1.0)
    for name in ("per_query", "mean", "apart", "otherwise"):
        getattr(second, name)["AP"] = None
    second.per_query["nDCG@1"]["q"] = 0.0
    assert vars(first) == expected
    third = evaluate(qrels, {"q": {"a": 1.0, "b": 0.5}}, **chosen)
    assert third.per_query == {"nDCG@1": {"q": 1.0}, "AP": {"q": 1.0}}
    assert (third.apart, third.otherwise) == ({}, {})


@given(st.one_of(plain(), odd()), conventions)
def test_all_three_evaluate_alike(
    both: tuple[dict[Any, Any], dict[Any, Any]], chosen: dict[str, Any]
) -> None:
    qrels, run = both

    def by(backend: str) -> Any:
        return outcome(lambda: evaluate(qrels, run, MEASURES, backend=backend, **chosen))

    found = by("c")
    with without_module():
        assert by("c") == found
    if not mixes_what_is_no_double(qrels):  # which the two find at different times
        assert by("reference") == found


@given(plain(), st.sampled_from(["expected", "input"]), st.sampled_from(["lowest", "highest", ""]))
def test_what_other_measures_take_of_the_lists(
    both: tuple[dict[Any, Any], dict[Any, Any]], ties: str, unjudged: str
) -> None:
    """Judged, bpref, counts, levels; unjudged documents of the best and the worst label."""
    names = ["Judged@2", "Bpref", "NumRet", "NumRel", "NumRelRet", "Rprec", "ERR@3", "nDCG@2"]
    chosen: dict[str, Any] = {"ties": ties}
    if unjudged:
        chosen, names = {"unjudged": unjudged, "ties": "input"}, ["nDCG@2", "P@2"]
    compare(both, names, chosen)
    compare(both, OF_SCORES, {"relevance": "phi", "ties": ties})


def compare(both: Any, names: list[str], chosen: dict[str, Any]) -> None:
    found = outcome(lambda: evaluate(*both, names, **chosen))
    with without_module():
        assert outcome(lambda: evaluate(*both, names, **chosen)) == found


def ranked(scores: list[float], judged: dict[int, int], **chosen: Any) -> list[int]:
    """The labels of a list in rank order, unjudged documents as -1, by the module."""
    run = {"q": {f"{a:05}": score for a, score in enumerate(scores)}}
    qrels = {"q": {f"{a:05}": label for a, label in judged.items()}}
    by = Conventions(**chosen)
    found = dicts.judged_dicts(qrels, by)
    assert found is not None
    lists = found._lists(run, by)
    assert lists is not None
    return [
        -1 if unjudged else label
        for label, unjudged in zip(lists.batch.labels, lists.unjudged, strict=True)
    ]


def sorted_labels(scores: list[float], judged: dict[int, int]) -> list[int]:
    """The same by a sort: of equal scores the later id is first."""
    order = sorted(range(len(scores)), key=lambda a: (scores[a], a), reverse=True)
    return [judged.get(a, -1) for a in order]


SHAPES = {
    "spread": lambda x: x,
    "far apart": lambda x: math.copysign(math.exp(600 * abs(x)), x),
    "in one cell": lambda x: 1e300 if x > 0.99 else x,
    "beyond the range": lambda x: x * 1.7e308,
    "subnormal": lambda x: round(x * 50) * 5e-324,
    "few": lambda x: round(x * 5) / 5,
    "neighbours": lambda x: 1.0 + round(x * 40) * 2.0**-52,
    "one": lambda _: 1.0,
}


@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.parametrize("judged", [1, 2, 40, 300])
def test_ranks_are_counted_as_a_sort_has_them(shape: str, judged: int) -> None:
    """Lists long enough for cells, of scores that fall into all of them or into one."""
    rng = np.random.default_rng([judged, *shape.encode()])
    scores = [float(SHAPES[shape](x)) for x in rng.uniform(-1, 1, 400)]
    positions = rng.permutation(400)[:judged].tolist()
    labels = dict(zip(positions, rng.integers(0, 5, judged).tolist(), strict=True))
    for own in (scores, sorted(scores), sorted(scores, reverse=True)):
        assert ranked(own, labels) == sorted_labels(own, labels)


def test_plain_dicts_take_the_short_way() -> None:
    """And what is not plain does not, right or wrong."""
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    with patch.object(dicts.JudgedDicts, "_index", property(lambda _: pytest.fail("by ids"))):
        assert rs.evaluate(qrels, run, "AP")["AP"] == 1
    assert dicts.judged_dicts({"q": {Text("a"): 1}}, Conventions()) is None
    assert dicts.judged_dicts(JudgedTable({"q": {}}, Conventions()), Conventions()) is None  # type: ignore[arg-type]
    judged = dicts.judged_dicts(qrels, Conventions())
    assert judged is not None
    for odd_run in ({"q": {"a": True}}, {"q": {Text("a"): 1}}, {"q": [("a", 1)]}, {1: {"a": 1.0}}):
        assert judged._lists(odd_run, Conventions()) is None


def test_scores_that_are_infinite_as_floats_are_left_to_the_core() -> None:
    """What counts ranks takes differences of scores."""
    scores = {"a": -1e300, "b": 0.0, "c": 1e300, "d": -1e300, "e": 1.0}
    judged = dicts.judged_dicts({"q": {"a": 1, "b": 2, "c": 3}}, Conventions())
    assert judged is not None
    assert judged._lists({"q": scores}, Conventions(scores="float32")) is None
    assert judged._lists({"q": scores}, Conventions()) is not None


@pytest.mark.parametrize(
    ("label", "then"), [(1, 300), (1, -1), (1, 0.5), (256, 2**63), (0.5, 2**53 + 1), (0.5, None)]
)
def test_labels_that_another_thread_has_changed_are_read_again(label: Any, then: Any) -> None:
    """After they were looked at: an array of their type may not hold them."""
    own = {"a": label, "b": 1}
    judged = dicts.judged_dicts({"q": own}, Conventions())
    assert judged is not None
    own["a"] = then
    assert judged._lists({"q": {"a": 1.0, "b": 1.0}}, Conventions()) is None


class Meddler:
    """Garbage that changes a dict when it is collected."""

    def __init__(self, table: dict[Any, Any]) -> None:
        self.table, self.myself = table, self

    def __del__(self) -> None:
        for own in self.table.values():
            own.update((f"new{a}", 1) for a in range(1000))


@pytest.mark.slow
def test_garbage_that_changes_the_dicts_meanwhile_does_no_harm() -> None:
    """Whatever the answer is: dicts that grow while they are read, or between the readings."""
    before = gc.get_threshold()
    try:
        for threshold in range(1, 60):
            qrels = {f"q{a}": {str(b): b % 3 for b in range(3)} for a in range(20)}
            run = {f"q{a}": {str(b): b / 3 for b in range(5)} for a in range(20)}
            Meddler(qrels), Meddler(run)
            gc.set_threshold(threshold)
            try:
                found = rs.evaluate(qrels, run, "nDCG@2")
            finally:
                gc.set_threshold(*before)
            assert 0 <= found["nDCG@2"] <= 1
    finally:
        gc.set_threshold(*before)


def test_threads_that_change_labels_and_scores_do_no_harm() -> None:
    qrels: dict[str, dict[str, Any]] = {f"q{a}": {"x": 1, "y": 0} for a in range(50)}
    run = {f"q{a}": {"x": 1.0, "y": 2.0} for a in range(50)}
    done = threading.Event()

    def meddle() -> None:
        a = 0
        while not done.is_set():
            own = f"q{a % 50}"
            qrels[own]["x"] = (1, 300, 0.5)[a % 3]
            run[own][f"z{a % 7}"] = a
            run[own].pop(f"z{(a + 3) % 7}", None)
            a += 1

    meddler = threading.Thread(target=meddle)
    meddler.start()
    try:
        for _ in range(100):
            assert 0 <= rs.evaluate(qrels, run, "nDCG@2")["nDCG@2"] <= 1
    finally:
        done.set()
        meddler.join()


def test_a_join_without_memory_is_a_memory_error() -> None:
    """Whichever of its allocations fails: no answer is wrong, and the next one is right."""
    testcapi = pytest.importorskip("_testcapi", reason="this Python has no tests of its own")
    qrels = {a: {b: b % 3 for b in range(9)} for a in range(3)}
    run = {a: {b: float(b // 4) for b in range(12)} for a in range(3)}
    judged = dicts.judged_dicts(qrels, Conventions())
    assert judged is not None
    by = Conventions(ties="id-descending")
    whole = judged._lists(run, by)
    failed = 0
    for n in range(1, 80):
        testcapi.set_nomemory(n, n + 1)
        try:
            found = dicts.join(*args_of(judged, run))
        except MemoryError:
            failed += 1
        else:
            assert whole is not None
            assert found is not None
            assert found[1] == whole.batch.labels
        finally:
            testcapi.remove_mem_hooks()
    assert failed > 10


def args_of(judged: dicts.JudgedDicts, run: Any) -> tuple[Any, ...]:
    counted = judged._counted
    how = ("id-descending", False, False, False, -1, True, True)
    return counted.table, counted[1:3], counted.typecode, run, *how
