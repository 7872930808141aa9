"""A result as a data frame and in a notebook: the same numbers, whole ids, means apart."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.evaluation import data_frames
from rankspec.evaluation.data_frames import Table

QRELS = {"q1": {"a": 1, "b": 2}, "q2": {"a": 0}, "q,3": {"b": 1, "c": 3}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}, "q,3": {"a": 3.0, "c": 2.0, "b": 0.5}}
MEASURES = ("nDCG@10", "AP", "DCG(gain='exp2')@2")


@pytest.fixture
def result() -> rs.Evaluation:
    return rs.evaluate(QRELS, RUN, MEASURES, undefined="omit")


def rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a data frame of any of the libraries, what is not there as None."""
    if hasattr(frame, "to_pylist"):
        found = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):
        found = frame.to_dicts()
    else:
        found = frame.to_dict("records")
        found = [
            {n: None if isinstance(x, float) and math.isnan(x) else x for n, x in row.items()}
            for row in found
        ]
    return list(found)


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    pytest.importorskip(name, reason=f'{name} is not installed: pip install ".[frames]"')
    return name


METHODS = {"pandas": "to_pandas", "polars": "to_polars", "pyarrow": "to_arrow"}


@pytest.mark.spec("RS-CONV-47", "RS-CONV-47/L1")
def test_wide_has_a_row_a_query(result: rs.Evaluation, library: str) -> None:
    found = rows(getattr(result, METHODS[library])())
    assert list(found[0]) == ["query", *MEASURES]
    assert found == [
        {"query": q, **{m: result.per_query[m].get(q) for m in MEASURES}} for q in result.queries
    ]
    assert found[1]["nDCG@10"] is None  # which q2 has not
    assert found[1]["DCG(gain='exp2')@2"] == 0.0


@pytest.mark.spec("RS-CONV-47", "RS-CONV-47/L1", "RS-CONV-46")
def test_several_runs_are_below_each_other(library: str) -> None:
    runs = {"x": RUN, "y": {"q1": {"b": 1.0}}}
    several = rs.evaluate_runs(QRELS, runs, MEASURES, undefined="omit")
    found = rows(getattr(several, METHODS[library])())
    assert found == [
        {"run": name, "query": q, **{m: own.per_query[m].get(q) for m in MEASURES}}
        for name, own in several.items()
        for q in own.queries
    ]
    assert len(found) == 6
    found = rows(getattr(several, METHODS[library])(long=True))
    assert found == [
        {"run": name, "query": q, "measure": m, "value": own.per_query[m].get(q)}
        for name, own in several.items()
        for m in MEASURES
        for q in own.queries
    ]


@pytest.mark.spec("RS-CONV-47")
def test_a_notebook_shows_several_runs() -> None:
    several = rs.evaluate_runs(QRELS, {"<x>": RUN, "y": {"q1": {"b": 1.0}}}, MEASURES)
    page = several._repr_html_()
    assert "<x>" not in page
    assert "&lt;x&gt;" in page
    for own in several.values():
        assert all(f'title="{x!r}"' in page for x in own.mean.values())
    assert "y has no results for 2 of them" in page
    assert "trec_eval" not in page
    assert page.count("<tr") == page.count("</tr>")


@pytest.mark.spec("RS-CONV-47", "RS-CONV-47/L1")
def test_long_has_a_row_a_query_and_measure(result: rs.Evaluation, library: str) -> None:
    found = rows(getattr(result, METHODS[library])(long=True))
    assert found == [
        {"query": q, "measure": m, "value": result.per_query[m].get(q)}
        for m in MEASURES
        for q in result.queries
    ]


@pytest.mark.spec("RS-CONV-47")
def test_nan_is_a_value_and_what_is_not_there_is_none() -> None:
    polars = pytest.importorskip("polars", reason='pip install ".[frames]"')
    arrow = pytest.importorskip("pyarrow", reason='pip install ".[frames]"')
    found = rs.evaluate(QRELS, RUN, "nDCG@10", undefined="nan")
    column = found.to_polars()["nDCG@10"]
    assert (column.null_count(), column.is_nan().sum()) == (0, 1)
    assert column.dtype == polars.Float64
    assert found.to_arrow().column("nDCG@10").null_count == 0
    omitted = rs.evaluate(QRELS, RUN, "nDCG@10", undefined="omit")
    assert omitted.to_polars()["nDCG@10"].null_count() == 1
    assert omitted.to_arrow().schema.types == [arrow.string(), arrow.float64()]


def test_types_do_not_depend_on_the_values(library: str) -> None:
    """An evaluation without a value has the same columns."""
    none = rs.evaluate({"q": {"a": 0}}, {"q": {"a": 1}}, "nDCG", undefined="omit")
    some = rs.evaluate(QRELS, RUN, "nDCG")
    for long in (False, True):
        kinds = set()
        for found in (none, some):
            frame = getattr(found, METHODS[library])(long=long)
            kinds.add(str(frame.schema if hasattr(frame, "schema") else list(frame.dtypes)))
        assert len(kinds) == 1


def test_sessions_too(library: str) -> None:
    sessions = [rs.SearchSession("s1", [["a"], ["b", "c"]]), rs.SearchSession("s2", [["c"]])]
    found = rs.evaluate_sessions({"s1": {"a": 1, "b": 2}, "s2": {"c": 1}}, sessions, "sDCG@5")
    assert rows(getattr(found, METHODS[library])()) == [
        {"session": s, "sDCG@5": found.per_session["sDCG@5"][s]} for s in ("s1", "s2")
    ]
    assert "2 sessions" in found._repr_html_()


@pytest.mark.spec("RS-CONV-47")
def test_ids_that_are_no_utf8(library: str) -> None:
    raw = b"q\xff".decode("utf-8", "surrogateescape")
    found = rs.evaluate({raw: {"a": 1}}, {raw: {"a": 1}}, "RR")
    if library == "pandas":
        assert found.to_pandas()["query"].tolist() == [raw]
        return
    with pytest.raises(rs.InputError, match=r'the query "q\\xff" is not valid UTF-8'):
        getattr(found, METHODS[library])()


@pytest.mark.spec("RS-CONV-47")
@pytest.mark.parametrize("name", METHODS)
def test_a_library_that_is_not_there(
    result: rs.Evaluation, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    words = f'{METHODS[name]}: it needs {name}, which is not installed: pip install "rankspec'
    with pytest.raises(rs.InputError, match=re.escape(words)):
        getattr(result, METHODS[name])()


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_NUMBER = st.one_of(st.none(), st.floats(allow_nan=False))


@pytest.mark.spec("RS-CONV-47/L1")
@given(st.lists(st.tuples(_TEXT, _NUMBER), max_size=6))
def test_any_texts_and_doubles_round_trip(cells: list[tuple[str, float | None]]) -> None:
    table = Table({"query": [text for text, _ in cells]}, {"m": [x for _, x in cells]})
    for library, name in METHODS.items():
        if library not in sys.modules:
            pytest.importorskip(library, reason='pip install ".[frames]"')
        make: Callable[[Table], Any] = getattr(data_frames, name)
        found = [(row["query"], row["m"]) for row in rows(make(table))]
        assert found == cells
        assert [x and x.hex() for _, x in found] == [x and x.hex() for _, x in cells]


# ---- notebooks -----------------------------------------------------------------------------


class Page(HTMLParser):
    """What stands in a page: its texts, and that each element that begins ends."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, ...]] = []
        self.titles: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.open.append(tag)
        self.titles += [str(value) for name, value in attrs if name == "title"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((*self.open, data))


@pytest.mark.spec("RS-CONV-47")
def test_a_notebook_shows_means_and_folds_the_conventions(result: rs.Evaluation) -> None:
    page = Page(result._repr_html_())
    assert page.open == []
    shown = [text[-1] for text in page.texts if "details" not in text]
    means = [x for m in MEASURES for x in (m, f"{result[m]:.4f}")]
    undefined = [f"{', '.join(MEASURES[:2])}: 1 undefined, the means are over 2 of 3"]
    undefined += [f"{MEASURES[2]}: the mean is over all 3"]
    assert shown[: len(means) + 2] == ["measure", "mean", *means]
    assert shown[len(means) + 2 :] == [
        "3 queries, ties: id-descending, undefined: omit",
        "1 query has no relevant document (no label above 0)",
        *undefined,
    ]
    assert page.titles == [repr(result[m]) for m in MEASURES]  # all digits
    folded = [text[-1] for text in page.texts if "details" in text]
    for measure in MEASURES:
        for name, choice in result.definition(measure).items():
            assert name in folded
            assert choice in folded
    assert folded.count("score, descending; the rank column is ignored (RS-CONV-7)") == 1


@pytest.mark.spec("RS-CONV-47")
def test_html_is_escaped() -> None:
    hostile = '<script>alert("1")</script>&amp;'
    found = rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "nDCG(gain='0-1')@1", grades={1: 1})
    object.__setattr__(found, "judgments", f"{hostile}\udcff\x1b")
    page = found._repr_html_()
    assert "<script" not in page
    texts = [text[-1] for text in Page(page).texts]
    assert rf"judgments: {hostile}\xff\x1b" in texts
    assert "nDCG(gain='0-1')@1" in texts
    page.encode()  # it is text


def test_a_notebook_of_no_value() -> None:
    found = rs.evaluate({"q": {"a": 0}}, {"q": {"a": 1}}, "nDCG", undefined="omit")
    page = Page(found._repr_html_())
    assert page.titles == ["there is no mean"]
    assert "-" in [text[-1] for text in page.texts]
