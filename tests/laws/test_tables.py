"""Tables by column: integers as ids, numbers of any type, and the names of columns."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.column_names import wanted
from rankspec.formats.columns import Columns, Ids, Origin, numbers_of
from tests.conventions import convention_values

MEASURES = ["nDCG@3", "AP", "RR"]
RULES = convention_values("ties")

pairs = st.lists(
    st.tuples(st.sampled_from([1, -7, 10]), st.sampled_from([9, 10, 100, -3, 0, 2**63 - 1])),
    min_size=1,
    max_size=12,
    unique=True,
)
Rows = list[tuple[int, int]]


def table(rows: Rows, numbers: Any, number: str) -> Columns:
    queries, documents = (Ids(integers=np.array([r[a] for r in rows])) for a in range(2))
    source = Origin("qrels" if number == "label" else "run")
    return Columns(queries, documents, np.array(numbers), number, source)


def as_text(x: Columns) -> Columns:
    return replace(
        x,
        queries=Ids.of_texts(list(x.queries.texts())),
        documents=Ids.of_texts(list(x.documents.texts())),
    )


def values(qrels: Any, run: Any, **chosen: Any) -> Any:
    found = evaluate(qrels, run, MEASURES, **chosen)
    return found.per_query, found.mean


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Columns, Columns]:
    judged, ranked = draw(pairs), draw(pairs)
    labels = draw(st.lists(st.integers(0, 3), min_size=len(judged), max_size=len(judged)))
    scores = draw(
        st.lists(st.sampled_from([0.5, 0.25]), min_size=len(ranked), max_size=len(ranked))
    )
    return table(judged, labels, "label"), table(ranked, scores, "score")


def written(x: Columns) -> io.BytesIO:
    form = "{} 0 {} {}\n" if x.number == "label" else "{} Q0 {} 1 {} tag\n"
    return io.BytesIO("".join(form.format(*row) for row in x.rows()).encode())


@pytest.mark.spec("RS-CONV-41", "RS-CONV-41/L1")
@given(worlds(), st.sampled_from(RULES))
def test_integers_are_as_in_a_file(world: tuple[Columns, Columns], rule: str) -> None:
    qrels, run = world
    expected = values(written(qrels), written(run), ties=rule)
    for backend in ("c", "reference"):
        assert values(qrels, run, ties=rule, backend=backend) == expected


@pytest.mark.spec("RS-CONV-41/L1", "RS-CONV-41(a)")
def test_control_the_order_of_numbers_would_be_another() -> None:
    run = table([(1, 9), (1, 10)], [0.5, 0.5], "score")
    assert values({"1": {"9": 1}}, run)[1]["RR"] == 1.0
    assert values({"1": {"10": 1}}, run)[1]["RR"] == 0.5


@pytest.mark.spec("RS-CONV-41/L2", "RS-CONV-41/L3")
@given(worlds())
def test_integers_and_their_digits_match(world: tuple[Columns, Columns]) -> None:
    qrels, run = world
    expected = values(qrels, run)
    assert values(as_text(qrels), run) == expected
    assert values(qrels, as_text(run)) == expected
    distinct, codes = np.unique(run.documents.integers, return_inverse=True)
    assert values(qrels, replace(run, documents=Ids(integers=distinct, codes=codes))) == expected


@pytest.mark.spec("RS-CONV-41(b)")
def test_zeros_before_digits_make_another_id() -> None:
    run = Columns(Ids.of_texts(["1", "1"]), Ids.of_texts(["07", "7"]), np.array([2.0, 1.0]))
    assert values(table([(1, 7)], [1], "label"), run)[1]["RR"] == 0.5


@pytest.mark.spec("RS-CONV-42", "RS-CONV-42/L1")
@given(worlds())
def test_columns_rows_and_dicts_are_the_same(world: tuple[Columns, Columns]) -> None:
    tables: list[dict[str, dict[str, Any]]] = [{}, {}]
    for x, made in zip(world, tables, strict=True):
        for query, document, number in x.rows():
            made.setdefault(query, {})[document] = number
    expected = values(*tables)
    assert values(*world) == expected
    assert values(*(list(x.rows()) for x in world)) == expected


@pytest.mark.spec("RS-CONV-42/L2")
@given(st.data())
def test_numbers_are_what_the_column_has(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["float16", "float32", "float64", "int8", "uint32", "int64"]))
    info = np.iinfo(kind) if "int" in kind else None
    number = (
        st.integers(int(info.min), int(info.max))
        if info
        else st.floats(width=int(kind[5:]), allow_nan=False, allow_infinity=False)  # type: ignore[arg-type]
    )
    given = np.array(data.draw(st.lists(number, min_size=1, max_size=8)), kind)
    found = numbers_of(given, "score", Origin("run"))
    assert found.tolist() == given.tolist()
    rows = [(1, a) for a in range(len(given))]
    order = sorted(range(len(given)), key=lambda a: -given.tolist()[a])
    run = table(rows, found, "score")
    first = {"1": {str(order[0]): 1}}
    assert values(first, run, ties="best")[1]["RR"] == 1.0
    assert values({"1": {str(order[-1]): 1}}, run, ties="worst")[1]["RR"] == 1 / len(given)


@pytest.mark.spec("RS-CONV-42/L3")
@given(worlds(), st.randoms(use_true_random=False), st.sampled_from(RULES))
def test_the_order_of_the_rows(world: tuple[Columns, Columns], random: Any, rule: str) -> None:
    def shuffled(x: Columns) -> Columns:
        order = list(range(len(x)))
        random.shuffle(order)
        q, d = (Ids(integers=ids.integers[order]) for ids in (x.queries, x.documents))
        return replace(x, queries=q, documents=d, numbers=x.numbers[order])

    if rule == "input":  # the law does not hold: a control
        qrels, run = {"1": {"9": 1}}, table([(1, 9), (1, 10)], [0.5, 0.5], "score")
        swapped = table([(1, 10), (1, 9)], [0.5, 0.5], "score")
        assert values(qrels, run, ties=rule) != values(qrels, swapped, ties=rule)
        return
    found = values(*map(shuffled, world), ties=rule)
    expected = values(*world, ties=rule)
    assert found == expected


@pytest.mark.spec("RS-CONV-43", "RS-CONV-43/L1")
@given(st.permutations(["x", "Topic", "DOC-ID", "grade", "prediction", "rank"]))
def test_names_are_found_wherever_they_stand(names: list[str]) -> None:
    found = wanted(None, "qrels", "label").among(names, "qrels")
    assert found == {"query": "Topic", "document": "DOC-ID", "label": "grade"}
    assert wanted(None, "run", "rank").among(names, "run")["rank"] == "rank"
    own = {"run": {"score": "x"}, "qrels": {"document": "rank"}}
    assert wanted(own, "run", "score").among(names, "run")["score"] == "x"
    assert wanted(own, "qrels", "label").among(names, "qrels")["document"] == "rank"
    with pytest.raises(
        InputError, match=r'the label may be in the column "(grade|rel)" or "(grade|rel)"'
    ):
        wanted(None, "qrels", "label").among([*names, "rel"], "qrels")
