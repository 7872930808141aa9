"""What an evaluation warns of: inputs that are hardly meant."""

from __future__ import annotations

import io
import warnings
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.evaluation.conventions import Conventions
from rankspec.evaluation.evaluate import evaluate_by
from tests.each import each

from .law import READINGS

BY = pytest.mark.parametrize("by", READINGS)


def queries(ids):
    return {str(query): {"a": 1} for query in ids}


@BY
@pytest.mark.parametrize(
    ("judged", "retrieved", "warned"),
    [
        (range(301, 351), range(1, 88), True),
        (range(301, 351), [301, *range(1, 50)], True),
        (range(50), range(26, 76), True),
        (range(50), range(25, 75), False),  # half of them
        (range(43), range(200), False),  # a part of the run is judged
        (range(6980), range(100), False),  # a part of the queries is answered
        (range(6980), range(6960, 7060), True),
        ([1], [2], True),
        ([1], [1, 2, 3], False),
        ([1, 2], [2, 3], False),
    ],
)
@pytest.mark.spec("RS-CONV-27", "RS-CONV-27/L1")
def test_few_queries_in_common(by, judged, retrieved, warned):
    qrels, run = queries(judged), queries(retrieved)
    with warnings.catch_warnings(record=True, action="always") as seen:
        result = rs.evaluate(qrels, run, "RR", backend=by)
    assert [x.category for x in seen] == [rs.InputWarning] * warned
    assert len(result.warnings) == warned
    common = {str(x) for x in retrieved} & {str(x) for x in judged}
    assert result.per_query["RR"] == {query: float(query in common) for query in qrels}
    for x in seen:
        assert x.filename == __file__
        assert "RS-CONV-27" in str(x.message)
        assert 'warnings.filterwarnings("ignore", category=rs.InputWarning)' in str(x.message)
        number = f"only {len(common)} quer" if common else "no query is both"
        assert str(x.message).startswith(number)


def was_read():
    table = pytest.importorskip("pyarrow").table({"qid": ["1"], "docno": ["a"], "score": [1.0]})
    reader = table.to_reader()
    assert reader.read_all().num_rows == 1
    return reader


NO_ROWS = {
    "dict": dict,
    "rows": list,
    "iterator": lambda: iter([]),
    "frame": lambda: pytest.importorskip("polars").DataFrame(
        [], {"qid": str, "docno": str, "score": float}
    ),
    "reader that was read": was_read,
}


@BY
@each("form", NO_ROWS)
@pytest.mark.spec("RS-CONV-27", "RS-CONV-27/L1", "RS-CONV-42")
def test_a_run_without_rows(by, form):
    with pytest.warns(rs.InputWarning, match="the run has no rows; an iterator or reader") as seen:
        result = rs.evaluate(queries([1, 2]), NO_ROWS[form](), "RR", backend=by)
    assert (len(seen), len(result.warnings)) == (1, 1)
    assert result.per_query["RR"] == {"1": 0.0, "2": 0.0}


@pytest.mark.spec("RS-CONV-27")
def test_runs_and_lists_without_rows():
    with pytest.warns(rs.InputWarning, match="the run has no rows"):
        rs.evaluate_runs(queries([1]), {"x": queries([1]), "y": {}}, "RR")
    with pytest.warns(rs.InputWarning, match="ranked has no list"):
        rs.evaluate_lists({}, {"u": {"a"}}, "RR")
    with pytest.warns(rs.InputWarning, match="the run has no rows"):
        rs.evaluate_diversity({"q": {"a": {"1": 1}}}, {}, "nERR-IA@5")
    assert rs.evaluate_lists([], {"a"}, "RR").warnings == ()  # one list may find nothing


ONCE = {
    "iterator": lambda: iter([("1", "a", 1)]),
    "reader": lambda: (
        pytest.importorskip("pyarrow")
        .table({"qid": ["1"], "docno": ["a"], "label": [1], "score": [1.0]})
        .to_reader()
    ),
    "file": lambda: io.BytesIO(b"qid,docno,label,score\n1,a,1,1\n"),
}


@each("form", ONCE)
@pytest.mark.spec("RS-CONV-27")
def test_what_is_read_once_is_not_both_qrels_and_run(form):
    once = ONCE[form]()
    with pytest.raises(rs.InputError, match="run is the same object as qrels, but it can be read"):
        rs.evaluate(once, once, "RR")
    with pytest.raises(rs.InputError, match='runs: "x" is the same object as the qrels, but'):
        rs.evaluate_runs(once, {"x": once}, "RR")
    with pytest.raises(rs.InputError, match="run is the same object as qrels, but it can be read"):
        rs.evaluate_diversity(once, once, "nERR-IA@5")


@pytest.mark.spec("RS-CONV-27")
def test_what_is_read_again_may_be_both_qrels_and_run():
    columns = {"qid": ["1"], "docno": ["a"], "label": [1], "score": [1.0], "read": [0]}
    frame = pytest.importorskip("pandas").DataFrame(columns)  # frame.read is a column of it
    assert rs.evaluate(frame, frame, "RR")["RR"] == 1.0
    labels = queries([1, 2])
    assert rs.evaluate(labels, labels, "RR")["RR"] == 1.0


@pytest.mark.spec("RS-CONV-27")
def test_every_rule_for_queries_warns_that_gives_a_value():
    qrels, run = queries(range(10)), queries(range(8, 20))
    for rule in ("qrels", "both", "run"):
        assert len(rs.evaluate(qrels, run, "RR", queries=rule).warnings) == 1
    with pytest.raises(rs.InputError):
        rs.evaluate(qrels, queries("x"), "RR", queries="both")


@pytest.mark.spec("RS-CONV-27")
def test_files_and_classes():
    qrels, run = io.BytesIO(b"q1 0 a 1\n"), io.BytesIO(b"1 Q0 a 1 2 t\n")
    with pytest.warns(rs.InputWarning, match='only the qrels have "q1", only the run has "1"'):
        rs.evaluate(qrels, run, "RR")
    with pytest.warns(rs.InputWarning, match="RS-CONV-27") as seen:
        rs.classify(queries([1]), [queries([2])], "nDCG")
    assert seen[0].filename == __file__


@pytest.mark.spec("RS-CONV-27")
def test_a_warning_can_be_an_error_or_none():
    with warnings.catch_warnings(action="error"):
        with pytest.raises(rs.InputWarning):
            rs.evaluate(queries([1]), queries([2]), "RR")
        warnings.filterwarnings("ignore", category=rs.InputWarning)
        assert rs.evaluate(queries([1]), queries([2]), "RR")["RR"] == 0


LABELS = {"q": {"a": 1, "b": 0, "c": 2}, "p": {"a": -2}}
SCORES = {"q": {"a": 12.5, "b": 11.25, "c": 9.75}, "p": {"a": 7.0}}
LOGARITHMS = {"q": {"a": -12, "b": -9, "c": -30}, "p": {"a": -1}}


def rows(table):
    return [(q, d, x) for q, own in table.items() for d, x in own.items()]


@BY
@pytest.mark.parametrize("scores", [SCORES, LOGARITHMS])
@pytest.mark.spec("RS-CONV-28", "RS-CONV-28/L1")
def test_swapped_arguments(by, scores):
    conventions = Conventions()
    for form in (dict, rows, lambda table: iter(rows(table))):
        assert rs.evaluate(form(LABELS), form(scores), "CG", backend=by).warnings == ()
        with pytest.warns(rs.InputWarning, match="RS-CONV-28") as seen:
            result = rs.evaluate(form(scores), form(LABELS), "CG", backend=by)
        (text,) = seen
        assert text.filename == __file__
        assert "whole numbers from -2 to 2: are the two swapped?" in str(text.message)
        assert "The qrels come first" in str(text.message)
        assert result["CG"] == (0 if scores is LOGARITHMS else (12.5 + 11.25 + 9.75 + 7) / 2)
        again = evaluate_by(conventions, None, form(scores), form(LABELS), "CG", by)
        assert again.per_query == result.per_query
    with pytest.warns(rs.InputWarning, match="all scores of the run are 1: are the two swapped"):
        rs.evaluate(scores, {q: dict.fromkeys(found, 1) for q, found in scores.items()}, "CG")


@BY
@pytest.mark.parametrize(
    ("qrels", "run", "more"),
    [
        ({"q": {"a": 0.5, "b": 1, "c": 2}}, LABELS, {}),  # most are whole
        ({"q": {"a": -2, "b": 1}}, LABELS, {}),
        (SCORES, {"q": {"a": 11, "b": 3}}, {}),  # no label is as high as 11
        (SCORES, {"q": {"a": 1.5}}, {}),
        (SCORES, LABELS, {"relevance": "phi"}),
    ],
)
@pytest.mark.spec("RS-CONV-28")
def test_what_is_not_swapped(by, qrels, run, more):
    measures = "DCG_phi" if more else "CG"
    assert rs.evaluate(qrels, run, measures, queries="both", backend=by, **more).warnings == ()


@pytest.mark.spec("RS-CONV-28")
def test_numbers_are_what_they_are():
    labels = {"q": {"a": 1.0, "b": Fraction(2), "c": True}}
    with pytest.warns(rs.InputWarning, match="numbers from 1 to 2:"):
        rs.evaluate({"q": {"a": 0.5}}, labels, "CG")


@pytest.mark.spec("RS-CONV-28")
def test_files_say_what_they_are():
    qrels, run = "q 0 a 1\n", "q Q0 a 1 0.5 t\n"
    with pytest.raises(rs.InputError, match="these could be those of a run"):
        rs.evaluate(io.StringIO(run), io.StringIO(qrels), "CG")


@pytest.mark.spec("RS-CONV-28", "RS-CONV-10")
def test_duplicates_are_dealt_with_as_ever():
    labels = [*rows(LABELS), ("q", "b", 2)]
    for rule, first in (("first", 9.75), ("last", 11.25), ("best", 11.25)):  # c, or b of 2
        chosen = {"duplicates": rule, "ties": "id-ascending"}
        with pytest.warns(rs.InputWarning, match="from -2 to 2"):
            found = rs.evaluate(SCORES, iter(labels), "CG@1", **chosen)
        assert found.per_query["CG@1"]["q"] == first
    with pytest.raises(
        rs.InputError, match='row 4: document "b" of query "q" occurs a second time'
    ):
        rs.evaluate(SCORES, iter(labels), "CG")


@BY
@pytest.mark.spec("RS-CAS-1")
def test_the_definition_says_where_the_scale_ends(by):
    """ERR of the label 2 at rank 1: 3/16 by the default, 3/4 where the scale ends at 2."""
    qrels, run = {"q": {"a": 2, "b": 0}}, {"q": {"a": 2.5, "b": 1.5}}
    found = rs.evaluate(qrels, run, ["ERR", "ERR(max=2)", "UL2(nERR@2)", "AP"], backend=by)
    assert found.mean["ERR"] == 3 / 16
    assert found.mean["ERR(max=2)"] == 3 / 4
    expected = "ends at 4, and the highest label here is 2: max=4 and max=2 give different values"
    assert found.definition("ERR")["scale"] == f"{expected} (RS-CAS-1)"
    assert found.definition("UL2(nERR@2)")["scale"] == f"{expected} (RS-CAS-1)"
    for name in ("ERR(max=2)", "AP"):
        assert "scale" not in found.definition(name)
    nothing = rs.evaluate({"q": {"a": 0}}, run, "ERR", backend=by)
    assert "max=4 and max=1 give" in nothing.definition("ERR")["scale"]
    letor = rs.evaluate_letor(io.BytesIO(b"1 qid:1 1:2\n-1 qid:1 1:1\n"), "ERR", feature=1)
    assert "the highest label here is 1" in letor.definition("ERR")["scale"]
    own = rs.evaluate(qrels, run, "ERR(stop=[0, 0.5, 1, 1])", backend=by)
    assert "scale" not in own.definition(str(own.measures[0]))


# ---- documents that are not judged ---------------------------------------------------------

JUDGED = {"q": {"17": 1, "945": 2}, "p": {"23": 1}}
FOREIGN = {
    "an x in front": {"q": {"x30": 2.0, "x945": 1.0}, "p": {"x23": 1.0}},
    "zeros in front": {"q": {"00030": 2.0, "00945": 1.0}, "p": {"00023": 1.0}},
    "a float": {"q": {"30.0": 2.0, "945.0": 1.0}, "p": {"23.0": 1.0}},
}


def lines_of(table, end=" t"):
    return "".join(f"{q} Q0 {d} 1 {x}{end}\n" for q, d, x in rows(table)).encode()


RUN_FORMS = {
    "dict": lambda x: x,
    "rows": rows,
    "rows, once": lambda x: iter(rows(x)),
    "file": lambda x: io.BytesIO(lines_of(x)),
    "file that cannot be read twice": lambda x: Pipe(lines_of(x)),
    "scattered file": lambda x: io.BytesIO(b"".join(sorted(lines_of(x).splitlines(True)))),
    "frame": lambda x: pytest.importorskip("polars").DataFrame(
        rows(x), schema=["qid", "docno", "score"], orient="row"
    ),
}


class Pipe:
    """An open file that goes forwards only."""

    def __init__(self, content):
        self._file = io.BytesIO(content)

    def read(self, n=-1):
        return self._file.read(n)


@BY
@pytest.mark.parametrize("form", RUN_FORMS)
@pytest.mark.spec("RS-CONV-27", "RS-CONV-27/L1")
def test_no_retrieved_document_is_judged(by, form):
    make = RUN_FORMS[form]
    for run in FOREIGN.values():
        with pytest.warns(rs.InputWarning) as seen:
            result = rs.evaluate(JUDGED, make(run), "AP", backend=by)
        (warning,) = seen
        assert warning.filename == __file__
        found = next(d for d in run["q"] if "945" in d)
        if form == "scattered file":
            assert "RS-CONV-27" in str(warning.message)
        else:
            assert str(warning.message).startswith(
                "for the 2 queries in both, no retrieved document is judged: for query "
                f'"q" the qrels have "945", the run "{found}"; a document must'
            )
        assert result.per_query["AP"] == {"q": 0.0, "p": 0.0}
        one_judged = run | {"p": run["p"] | {"23": 0.5}}
        assert rs.evaluate(JUDGED, make(one_judged), "AP", backend=by).warnings == ()


@BY
@pytest.mark.spec("RS-CONV-27")
def test_what_is_not_considered_may_be_judged(by):
    run = {"q": {"x": 3.0, "945": 1.0}, "p": {"y": 1.0}}
    assert rs.evaluate(JUDGED, run, "AP", depth=1, backend=by).warnings == ()
    only_q = {"q": {"x": 3.0}, "z": {"945": 1.0}}
    for more in ({}, {"depth": 1}, {"unjudged": "condensed"}, {"queries": "run"}):
        (text,) = rs.evaluate(JUDGED, only_q, "AP", backend=by, **more).warnings
        assert text.startswith(
            'for the one query in both, no retrieved document is judged: for query "q" the qrels '
            'have "17", the run "x"'
        )


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-27")
def test_a_long_run_without_a_judged_document():
    """In blocks, in pieces of tables and of columns: it is said once, and by the first query."""
    run = {str(q): {f"x{d}": -float(d) for d in range(1000)} for q in range(150)}
    judged = {str(q): {str(d): 1 for d in range(5)} for q in range(150)}
    for form in ("dict", "file", "frame"):
        for last in ({}, {"149": {"0": 1.0}}):
            found = rs.evaluate(judged, RUN_FORMS[form](run | last), "RR")
            assert len(found.warnings) == (not last)
            assert all('query "0" the qrels have "0", the run "x0"' in x for x in found.warnings)


@pytest.mark.spec("RS-CONV-27", "RS-CONV-45", "RS-CONV-46")
def test_lists_several_runs_and_subtopics():
    (text,) = rs.evaluate_lists(
        {"ann": ["x3", "x7"], "bob": [1]}, {"ann": [7], "bob": [2]}, "R"
    ).warnings
    assert 'for "ann" ranked has "x7", relevant has "7"' in text
    assert rs.evaluate_lists(["c17", "c4"], {"c5"}, "P").warnings == ()  # found nothing, it may be
    (text,) = rs.evaluate_lists(["17.0", "4.0"], {4}, "P").warnings
    assert 'ranked has "4.0", relevant has "4"' in text
    with pytest.warns(
        rs.InputWarning, match='run "b": for .*, no retrieved document is judged:'
    ) as seen:
        rs.evaluate_runs(JUDGED, {"a": {"q": {"945": 1.0}}, "b": FOREIGN["a float"]}, "AP")
    assert len(seen) == 1
    subtopics = {"q": {"945": {"1": 1}}}
    with pytest.warns(rs.InputWarning, match='"945", the run "x945"'):
        rs.evaluate_diversity(subtopics, FOREIGN["an x in front"], "alpha_nDCG@5")
    fine = {"q": {"945": 1.0}}
    assert rs.evaluate_diversity(subtopics, fine, "alpha_nDCG@5").warnings == ()
