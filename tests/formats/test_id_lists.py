"""Lists of ids, ids that are no text, and several runs: == with the dicts that they stand for."""

from __future__ import annotations

import io
import random
import uuid
import warnings
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.errors import InputError, InputWarning

MEASURES = ["nDCG@3", "DCG@3", "AP", "P@5", "R@2", "RR", "Bpref", "nDCG(gain='exp2')", "Rprec"]
RANKED = {"u1": ["d3", "d1", "d5"], "u2": ["d7", "d8"], "u4": ["d1"]}
RELEVANT = {"u1": {"d1": 2, "d5": 1, "d9": 1}, "u2": {"d8": 1}, "u3": {"d2": 1}}

lists = pytest.mark.spec("RS-CONV-45")
ids = pytest.mark.spec("RS-CONV-44")
runs = pytest.mark.spec("RS-CONV-46")


def as_run(ranked: Any) -> dict[str, dict[str, float]]:
    """A run of the same order."""
    return {str(q): {str(d): 100.0 - a for a, d in enumerate(own)} for q, own in ranked.items()}


def of_1(documents: Any) -> dict[str, int]:
    """The label 1 for each."""
    return dict.fromkeys(documents, 1)


def world(seed: int) -> tuple[dict[int, list[int]], dict[int, dict[int, int]]]:
    """Lists and labels of integers; users of only one side among them."""
    by = random.Random(seed)
    ranked = {u: by.sample(range(30), by.randrange(12)) for u in range(12) if by.random() < 0.9}
    labels = {
        u: {d: by.randrange(-1, 4) for d in by.sample(range(30), by.randrange(9))}
        for u in range(12)
        if by.random() < 0.9
    }
    return ranked, labels


# ---- the values --------------------------------------------------------------------------


@pytest.mark.spec("RS-CONV-45", "RS-CONV-45/L1", "RS-CONV-44/L1")
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("queries", ["qrels", "both", "run"])
def test_l1_the_values_are_those_of_a_run_in_that_order(queries: str, backend: str) -> None:
    for seed in range(3):
        ranked, labels = world(seed)
        of_texts = {str(u): {str(d): x for d, x in own.items()} for u, own in labels.items()}
        same: dict[str, Any] = {"queries": queries, "negative": "zero", "unjudged": "condensed"}
        ours = rs.evaluate_lists(ranked, labels, MEASURES, backend=backend, **same)
        theirs = rs.evaluate(of_texts, as_run(ranked), MEASURES, **same)
        assert ours.per_query == theirs.per_query
        assert ours.mean == theirs.mean
        assert (ours.queries, ours.missing, ours.extra) == (
            theirs.queries,
            theirs.missing,
            theirs.extra,
        )


@lists
def test_control_another_order_has_other_values() -> None:
    ranked, labels = world(0)
    turned = {u: own[::-1] for u, own in ranked.items()}
    of = [rs.evaluate_lists(x, labels, "RR").per_query for x in (ranked, turned)]
    assert of[0] != of[1]


@pytest.mark.spec("RS-CONV-45", "RS-CONV-45/L2")
@pytest.mark.parametrize("kind", [set, frozenset, list, tuple, of_1, np.array])
def test_l2_sets_lists_and_labels_of_1(kind: Callable[[Any], Any]) -> None:
    given = {u: kind(list(own)) for u, own in RELEVANT.items()}
    of_ones = {u: of_1(own) for u, own in RELEVANT.items()}
    found = rs.evaluate_lists(RANKED, given, MEASURES)
    assert found.per_query == rs.evaluate(of_ones, as_run(RANKED), MEASURES).per_query


@lists
@pytest.mark.parametrize(
    ("ranked", "relevant"),
    [
        ([[7, 3], [3]], [{3}, [3, 4]]),
        (((7, 3), (3,)), ({3}, {3: 1, 4: 1})),
        ([np.array([7, 3]), ["3"]], [np.array([3]), ("4", 3)]),
        (iter([iter([7, 3]), [3]]), [{3: 1}, {"3", "4"}]),
    ],
)
def test_lists_of_lists_have_users_by_position(ranked: Any, relevant: Any) -> None:
    found = rs.evaluate_lists(ranked, relevant, ["RR", "R@5"])
    assert found.per_query == {"RR": {"0": 0.5, "1": 1.0}, "R@5": {"0": 1.0, "1": 0.5}}


@lists
def test_rows_of_an_array_are_lists() -> None:
    found = rs.evaluate_lists(np.array([[7, 3, 1], [1, 2, 3]], np.int32), [[3], [3]], "RR")
    assert found.per_query["RR"] == {"0": 0.5, "1": 1 / 3}


@lists
@pytest.mark.parametrize("relevant", [{"d1"}, ["d1"], {"d1": 1}, frozenset({"d1"}), ("d1",)])
def test_one_list(relevant: Any) -> None:
    assert rs.evaluate_lists(["d3", "d1"], relevant, "nDCG@10")["nDCG@10"] == 0.6309297535714574
    assert rs.evaluate_lists([], relevant, "nDCG@10").per_query == {"nDCG@10": {"0": 0.0}}


@lists
def test_a_series_of_lists() -> None:
    pandas = pytest.importorskip("pandas", reason='pandas is not installed: pip install ".[dev]"')
    ranked = pandas.Series({4: [7, 3], 5: [3]})
    found = rs.evaluate_lists(ranked, pandas.Series({4: {3}, 5: {3}}), "RR")
    assert found.per_query["RR"] == {"4": 0.5, "5": 1.0}
    rows = pandas.DataFrame({"user": [4, 4, 5], "item": [7, 3, 3]})
    grouped = {user: own["item"] for user, own in rows.groupby("user")}  # Series of items
    assert rs.evaluate_lists(grouped, {4: [3], 5: [3]}, "RR").per_query == found.per_query
    with pytest.raises(InputError, match='ranked: user "4" occurs a second time'):
        rs.evaluate_lists(pandas.Series([[7], [3]], index=[4, 4]), {4: [3]}, "RR")
    with pytest.raises(
        InputError, match='relevant of user "4": a Series is ambiguous: it may hold'
    ):
        rs.evaluate_lists({4: [7]}, {4: pandas.Series([3])}, "RR")


@lists
def test_k_is_of_the_measures_that_name_none() -> None:
    found = rs.evaluate_lists(RANKED, RELEVANT, ["nDCG", "P@5", "UL2(RR)"], k=[1, 3])
    assert list(found) == ["nDCG@1", "nDCG@3", "P@5", "UL2(RR@1)", "UL2(RR@3)"]
    named = ["nDCG@1", "nDCG@3", "P@5", "UL2(RR@1)", "UL2(RR@3)"]
    assert found.per_query == rs.evaluate_lists(RANKED, RELEVANT, named).per_query
    assert list(rs.evaluate_lists(RANKED, RELEVANT, "P", k=np.int64(2))) == ["P@2"]
    for k, message in [
        (0, "k: the cut-off is 0; it must be at least 1"),
        ([], "k: expected at least one cut-off, got none"),
        ("5", "k: the cut-off is '5'; it must be a whole number of at least 1"),
        (2.5, r"k: the cut-off is 2\.5; it must be a whole number of at least 1"),
    ]:
        with pytest.raises(InputError, match=message):
            rs.evaluate_lists(RANKED, RELEVANT, "P", k=k)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"k: 5 sets the cut-off of measures without one, .* P@5"):
        rs.evaluate_lists(RANKED, RELEVANT, "P@5", k=5)


@lists
def test_conventions_and_grades_apply() -> None:
    found = rs.evaluate_lists(RANKED, RELEVANT, "nDCG@3", grades={2: 1}, undefined="omit")
    ones = {u: dict.fromkeys(own, 1) for u, own in RELEVANT.items()}
    assert found.per_query == rs.evaluate(ones, as_run(RANKED), "nDCG@3").per_query
    assert found.definition("nDCG@3")["judgments"] == "grades 2=1 (RS-CONV-25)"
    assert found.definition("nDCG@3")["order"].startswith("file: the order of the lines")
    lowest = rs.evaluate_lists(RANKED, RELEVANT, "P@3", unjudged="highest")
    assert lowest.per_query["P@3"]["u1"] == 1.0


@lists
@pytest.mark.spec("RS-CONV-10")
def test_duplicates() -> None:
    twice, relevant = {"u": ["a", "b", "a"]}, {"u": {"a"}}
    values = {
        rule: rs.evaluate_lists(twice, relevant, "RR", duplicates=rule)["RR"]
        for rule in ("first", "best", "last")
    }
    assert values == {"first": 1.0, "best": 1.0, "last": 0.5}
    with pytest.raises(InputError) as error:
        rs.evaluate_lists({"u": [7, "x", "7"]}, {"u": {7}}, "RR")
    assert str(error.value) == (
        'ranked: document "7" at position 2 of user "u" occurs a second time; it is '
        'already at position 0, as 7; duplicates="first" or "last" says which is kept (RS-CONV-10)'
    )
    with pytest.raises(InputError, match='relevant: document "a" at position 1 of user "u" occ'):
        rs.evaluate_lists({"u": ["a"]}, {"u": ["a", "a"]}, "RR")
    kept = rs.evaluate_lists({"u": ["a"]}, {"u": ["a", "a"]}, "R@1", duplicates="first")
    assert kept["R@1"] == 1.0


# ---- what is refused ---------------------------------------------------------------------


@lists
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_data_frame_is_no_list_of_lists(library: str) -> None:
    module = pytest.importorskip(library)
    columns = {"first": [1, 3], "second": [2, 4]}
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    for given in ((frame, [{2}, {4}]), ([[1, 2], [3, 4]], frame)):
        with pytest.raises(InputError, match="in a data frame, the lists could be the rows"):
            rs.evaluate_lists(*given, "RR")


A_SET = "a set or list of relevant ids, or a dict of their labels"
IN_ORDER = "a list of ids in rank order, several such lists, or a dict of lists by user"


@lists
@pytest.mark.parametrize(
    ("ranked", "relevant", "message"),
    [
        (["a", "b"], [["a"]], "relevant: it holds several lists, but ranked is one list of ids"),
        (["a"], {"u": ["a"]}, "relevant: it holds several lists, but ranked is one list of ids"),
        (["a"], "a", 'relevant: "a" is no list; expected a set or list of relevant ids, or a'),
        ("abc", ["a"], 'ranked: "abc" is no list; expected a list of ids in rank order'),
        ({"u": "abc"}, {"u": []}, 'ranked of user "u": "abc" is no list; expected a list of'),
        ({"u": ["a"]}, {"u": "a"}, 'relevant of user "u": "a" is no list; expected a set'),
        (
            {"u": ["a"]},
            {"u": None},
            f'relevant of user "u": expected {A_SET}, possibly empty, got None',
        ),
        ({"u": ["a"]}, {"u": 1}, f'relevant of user "u": expected {A_SET}, possibly empty, got 1'),
        ({"u": {"a"}}, {"u": ["a"]}, 'ranked of user "u": a set has no order; expected a list'),
        ({"u": {"a": 1.5}}, {"u": ["a"]}, 'ranked of user "u": a dict; expected a list of ids'),
        ({"u": [("a", 0.5)]}, {"u": ["a"]}, 'at position 0 of user "u" is no text, whole number'),
        ([("a", 0.5), ("b", 0.2)], {"a"}, "('a', 0.5) at position 0 is no text, whole number"),
        ({"u": ["a", None]}, {"u": []}, 'ranked: None at position 1 of user "u" is not a string,'),
        ([["a"], [1.0]], [[], []], "ranked: 1.0 at position 0 of list 1 is not a string, integer"),
        ([[True]], [[]], "ranked: True at position 0 of list 0 is not a string, integer or UUID"),
        ({"u": ["a\ud800"]}, {"u": []}, 'ranked, position 0 of user "u": the document id \'a\\u'),
        ({"u": ["a"]}, {"u": {"a\ud800": 1}}, "relevant: the document id 'a\\ud800' has no uniq"),
        (
            {"u": ["a"]},
            [["a"]],
            f"relevant: expected {{user: {A_SET}}}, because ranked is a dict by user; got [['a']]",
        ),
        ([["a"], ["b"]], {"u": ["a"]}, "relevant: got a dict, but ranked is a list of 2 lists"),
        ([["a"], ["b"]], {"a"}, "relevant: got a set, but ranked is a list of 2 lists"),
        ([["a"]], [["a"], ["b"]], "relevant: 2 items for 1 lists; expected one per list"),
        ([], [], f"relevant: expected {A_SET} for each user, got none"),
        ({}, {}, f"relevant: expected {A_SET} for each user, got none"),
        ({"u": ["a"]}, {}, f"relevant: expected {A_SET} for each user, got none"),
        (5, ["a"], "ranked: 5 is no list; expected"),
        (None, None, "ranked: None is no list; expected"),
        (None, {"u": {"a"}}, f"ranked: expected {IN_ORDER}, got None"),
        (None, {"u": None}, f"ranked: expected {IN_ORDER}, got None"),
        ({"u": None}, {"u": {"a"}}, 'ranked of user "u": None is no list; expected a list of ids'),
        ([[1.0, 2.0]], [{1}], "ranked: 1.0 at position 0 of list 0 is not a string, integer"),
        ([np.array([1.0, 2.0])], [{1}], "ranked: 1.0 at position 0 of list 0 is not a string, int"),
        (np.array([[1.0, 2.0]]), [{1}], "ranked: 1.0 at position 0 of list 0 is not a string, int"),
        ({"u": ("a", 0.5)}, {"u": {"a"}}, "of user \"u\": ('a', 0.5) is an id with its score; exp"),
        (np.zeros((1, 1, 1), int), [["a"]], "ranked: the array has 3 dimensions; expected 1 or 2"),
        ({"u": ["a"]}, {"u": {"a": float("nan")}}, 'relevant: the label of "a" of user "u" is nan'),
        (
            {1: ["a"], "1": ["b"]},
            {1: ["a"]},
            "ranked: the user ids 1 and '1' both have the text \"1\"",
        ),
        ({"u": ["a"]}, {"u": {1: 1, "1": 2}}, "relevant: the document ids 1 and '1' of user \"u\""),
    ],
)
def test_what_is_refused(ranked: Any, relevant: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rs.evaluate_lists(ranked, relevant, "RR")
    assert message in str(error.value)


@lists
@pytest.mark.spec("RS-CONV-9", "RS-CONV-27")
def test_users_of_one_side_are_named() -> None:
    found = rs.evaluate_lists(RANKED, RELEVANT, "RR")
    assert (found.missing, found.extra) == (("u3",), ("u4",))
    with pytest.raises(InputError, match=r'^user "u3" is in the relevant, but not in the ranked;'):
        rs.evaluate_lists(RANKED, RELEVANT, "RR", queries="complete")
    with pytest.raises(InputError, match=r"^no user is in both the relevant and the ranked,"):
        rs.evaluate_lists({"x": ["a"]}, {"u": ["a"]}, "RR", queries="both")
    with pytest.warns(InputWarning, match='alone has "u", ranked alone "x": a user must have the'):
        rs.evaluate_lists({"x": ["a"]}, {"u": ["a"]}, "RR")


@lists
@pytest.mark.spec("RS-CONV-28")
def test_lists_are_never_taken_for_swapped_arguments() -> None:
    with warnings.catch_warnings(action="error"):
        rs.evaluate_lists({"u": ["a", "b"]}, {"u": {"a": 0.5}}, "DCG")


# ---- ids ---------------------------------------------------------------------------------

KEY = uuid.UUID("12345678-1234-5678-1234-567812345678")


@ids
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize(
    ("one", "text"),
    [(7, "7"), (-7, "-7"), (np.uint8(7), "7"), (KEY, str(KEY)), (10**30, "1" + "0" * 30)],
)
def test_ids_count_as_their_texts(one: Any, text: str, backend: str) -> None:
    for qrels in ({one: {one: 1, "x": 0}}, [(one, one, 1), (text, "x", 0)]):
        for run in ({text: {text: 1.5, "x": 2.5}}, {one: {one: 1.5, "x": 2.5}}):
            assert rs.evaluate(qrels, run, "RR", backend=backend).per_query == {"RR": {text: 0.5}}


@ids
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_two_keys_of_one_text_are_refused(backend: str) -> None:
    good_qrels, good_run = {1: {2: 1}}, {1: {2: 1.5}}
    for qrels, run, message in [
        (
            {1: {2: 1}, "1": {3: 1}},
            good_run,
            "qrels: the query ids 1 and '1' both have the text \"1\"",
        ),
        ({1: {2: 1, "2": 1}}, good_run, "qrels: the document ids 2 and '2' of query \"1\" both"),
        (good_qrels, {1: {2: 1}, "1": {3: 1}}, "run: the query ids 1 and '1' both have the text"),
        (
            good_qrels,
            {1: {"2": 1.5, 2: 1.5}},
            "run: the document ids '2' and 2 of query \"1\" both",
        ),
        (
            good_qrels,
            [(1, 2, 1.5), ("1", "2", 2.5)],
            'run: row 1: document "2" of query "1" occurs',
        ),
    ]:
        with pytest.raises(InputError) as error:
            rs.evaluate(qrels, run, "RR", backend=backend)
        assert message in str(error.value)


@ids
@pytest.mark.parametrize(
    "identifier", [True, np.True_, 1.0, None, b"a", ("a",), pytest.param(10**5000, id="long")]
)
def test_what_is_no_id_is_refused_on_both_sides(identifier: Any) -> None:
    for qrels, run in [
        ({identifier: {"a": 1}}, {"q": {"a": 1.5}}),
        ({"q": {identifier: 1}}, {"q": {"a": 1.5}}),
        ({"q": {"a": 1}}, {identifier: {"a": 1.5}}),
        ({"q": {"a": 1}}, {"q": {identifier: 1.5}}),
    ]:
        with pytest.raises(InputError, match="is not a string, integer or UUID"):
            rs.evaluate(qrels, run, "RR")


@ids
def test_ids_of_topics_and_of_explain() -> None:
    assert rs.evaluate({7: {1: 1}}, {30: {1: 0.5}}, "RR", topics={30: 7})["RR"] == 1.0
    assert rs.explain({7: {1: 1}}, {7: {1: 0.5}}, 7, "RR").value == 1.0


# ---- several runs ------------------------------------------------------------------------


@pytest.mark.spec("RS-CONV-46", "RS-CONV-46/L1")
def test_each_of_several_runs_is_evaluated_as_alone() -> None:
    qrels = [("q", "a", 2), ("q", "b", 1), ("p", "a", 1)]
    several: dict[str, Any] = {
        "dict": {"q": {"b": 1.5, "a": 1.5}, "p": {"x": 1.0, "a": 0.5}},
        "rows": [("q", "b", 2.5)],
    }
    found = rs.evaluate_runs(iter(qrels), several, ["nDCG@10", "AP"], profile="trec_eval-9")
    assert list(found) == ["dict", "rows"]
    for name, run in several.items():
        alone = rs.evaluate(qrels, run, ["nDCG@10", "AP"], profile="trec_eval-9")
        assert found[name] == alone
    assert found.to_dict() == {name: x.to_dict() for name, x in found.items()}
    assert str(found).splitlines()[0].split() == ["run", "nDCG@10", "AP"]
    assert found.table(per_query=True).count("q") >= 2
    assert repr(found) == "<Evaluations of 2 runs: dict, rows>"


@runs
@pytest.mark.spec("RS-CONV-43")
def test_data_frames_among_several_runs() -> None:
    pandas = pytest.importorskip("pandas", reason='pandas is not installed: pip install ".[dev]"')
    frame = pandas.DataFrame({"query_id": ["q"], "thing": [7], "score": [1.5]})
    given: dict[str, Any] = {"frame": frame, "dict": {"q": {7: 1.5}}}
    found = rs.evaluate_runs({"q": {7: 1}}, given, "RR", columns={"document": "thing"})
    assert [x["RR"] for x in found.values()] == [1.0, 1.0]
    with pytest.raises(InputError, match=r'^run "frame": '):
        rs.evaluate_runs({"q": {7: 1}}, given, "RR")
    with pytest.raises(InputError, match="neither the qrels nor a run is one"):
        rs.evaluate_runs({"q": {7: 1}}, {"a": {"q": {7: 1.5}}}, "RR", columns={"document": "x"})


@runs
@pytest.mark.spec("RS-CONV-45")
@pytest.mark.parametrize(
    "relevant", [{"ann": {3, 9}, "bob": [1]}, {"ann": {3: 2, 9: 1}, "bob": {1: 1}}]
)
def test_several_runs_of_lists(relevant: Any) -> None:
    """Each is what evaluate_lists gives, in its order: ties and scores there are none."""
    given: dict[str, Any] = {
        "a": {"ann": [7, 3, 9], "bob": [2, 1]},
        "b": {"ann": (9, 3), "bob": []},
        "c": {"bob": np.array([1, 5, 6]), "eve": [1]},
    }
    found = rs.evaluate_runs(relevant, given, ["nDCG@2", "AP"], profile="trec_eval-9")
    for name, ranked in given.items():
        alone = rs.evaluate_lists(ranked, relevant, ["nDCG@2", "AP"], profile="trec_eval-9")
        assert found[name] == alone
    assert found["b"].per_query["AP"] == {"ann": 1.0, "bob": 0.0}
    mixed = rs.evaluate_runs(relevant, given | {"d": {"ann": {3: 0.5, 9: 0.25}}}, "AP")
    assert mixed["d"].per_query["AP"]["ann"] == 1.0
    assert mixed["a"].per_query["AP"] == found["a"].per_query["AP"]
    with pytest.raises(InputError, match=r'^run "x": ranked of user "ann": a set'):
        rs.evaluate_runs(relevant, {"x": {"ann": {3}}}, "AP")
    with pytest.raises(InputError, match=r'^run "x": ranked: document "3" at position 1 of user'):
        rs.evaluate_runs(relevant, {"x": {"ann": [3, 3]}}, "AP")
    with pytest.raises(InputError, match=r"of lists; .* rs\.evaluate_runs\(relevant, \{name: "):
        rs.evaluate_lists(given, relevant, "AP")
    with pytest.raises(InputError, match='runs: "ann" is a list of ids, not a run; expected'):
        rs.evaluate_runs(relevant, given["a"], "AP")


@runs
def test_several_runs_can_be_compared() -> None:
    qrels = {str(q): {"a": 1} for q in range(8)}
    several = {
        "x": {q: {"a": 1.0, "b": float(a % 3)} for a, q in enumerate(qrels)},
        "y": {q: {"a": 1.0} for q in qrels},
    }
    compared = rs.compare(rs.evaluate_runs(qrels, several, "RR"), replicates=50)
    assert "RR" in str(compared)


@runs
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q": {"a": 1.5}}, 'runs: "q" is a dict of numbers, not a run; expected {name: run}'),
        (["a.run"], "runs: expected a dict {name: run}, got ['a.run']"),
        ("a.run", 'runs: expected a dict {name: run}, got "a.run"'),
        ({}, "runs: expected {name: run}, got none"),
        ({1: {"q": {"a": 1.5}}}, "runs: the name 1 is not a nonempty string"),
        ({"": {"q": {"a": 1.5}}}, "runs: the name '' is not a nonempty string"),
        ({"x": {"q": {"a": "s"}}}, 'run "x": the score of document "a" for query "q" is \'s\''),
        ({"x": "/no/such"}, 'run "x": /no/such: cannot be read'),
    ],
)
def test_what_is_no_dict_of_runs(given: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rs.evaluate_runs({"q": {"a": 1}}, given, "RR")
    assert message in str(error.value)


@runs
def test_a_warning_names_the_run() -> None:
    with pytest.warns(InputWarning, match='^run "x": no query is both in the qrels and'):
        rs.evaluate_runs({"q": {"a": 1}}, {"x": {"p": {"a": 1.5}}}, "RR")


@pytest.mark.spec("RS-CONV-46")
def test_what_can_be_read_once_is_no_two_runs() -> None:
    rows = (row for row in [("q", "a", 0.1)])
    file = io.BytesIO(b"q Q0 a 1 0.1 t\n")
    for run in (rows, file):
        with pytest.raises(InputError, match='"y" is the same object as "x", but it can be read'):
            rs.evaluate_runs({"q": {"a": 1}}, {"x": run, "y": run}, "RR")
    same = {"q": {"a": 0.1}}
    found = rs.evaluate_runs({"q": {"a": 1}}, {"x": same, "y": same}, "RR")
    assert found["x"]["RR"] == found["y"]["RR"] == 1


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("run", [{"q": {"d": 1.5}}, "a.run"])
def test_what_helps_where_several_runs_are_given_as_one(run: Any, backend: str) -> None:
    several = r"for several runs, \{name: run\}, use rs\.evaluate_runs\(\)"
    with pytest.raises(InputError, match=several):
        rs.evaluate({"q": {"a": 1}}, {"bm25": run}, "RR", backend=backend)


def test_what_helps_where_lists_are_given_as_a_run() -> None:
    with pytest.raises(InputError, match=r"for lists of ids, .* use rs\.evaluate_lists\(\)"):
        rs.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR")
    with pytest.raises(InputError, match=r"for lists of ids, .* use rs\.evaluate_lists\(\)"):
        rs.evaluate({"q": {"a"}}, {"q": {"a": 1.5}}, "RR")


BY_POSITION = r"lists of ids by position.*dict\(enumerate\(lists\)\).*RS-CONV-46"
SWAPPED = r"got a dict of runs\. Are qrels and runs swapped\? The qrels come first.*RS-CONV-46"


@pytest.mark.spec("RS-CONV-46(a)")
@pytest.mark.parametrize(
    ("qrels", "runs", "words"),
    [
        ([{3}, {1}], {"A": [[7, 3], [1, 2]]}, "^qrels: " + BY_POSITION),
        ([[3], [1, 2, 3, 4]], {"A": {"0": [7, 3]}}, "^qrels: " + BY_POSITION),
        ([{3: 2}], {"A": {"0": [7, 3]}}, "^qrels: " + BY_POSITION),
        ({"0": {3}}, {"A": [[7, 3]]}, '^run "A": ' + BY_POSITION),
        ({"0": {3}}, {"A": np.array([[7, 3], [1, 2]])}, '^run "A": ' + BY_POSITION),
        ({"A": {"ann": [7, 3]}}, {"ann": {3}}, SWAPPED),
        ({"A": {"q": {"d": 1.5}}}, {"q": {"d": 1}}, SWAPPED),
        ({"A": "a.run"}, "qrels.txt", SWAPPED),
    ],
)
def test_several_runs_are_told_from_rows_and_from_qrels(qrels, runs, words):
    with pytest.raises(InputError, match=words):
        rs.evaluate_runs(qrels, runs, "P@2")


@pytest.mark.spec("RS-CONV-46")
def test_control_rows_and_dicts_by_position_are_taken():
    relevant, ranked = [{3}, {1, 2}], [[7, 3], [1, 2]]
    by_position = (dict(enumerate(x)) for x in (relevant, ranked))
    qrels, run = by_position
    assert rs.evaluate_runs(qrels, {"A": run}, "P@2")["A"]["P@2"] == 0.75
    rows = [("0", 3, 1), ("1", 1, 1)]
    assert rs.evaluate_runs(rows, {"A": [["0", 3, 0.5]]}, "P@1")["A"]["P@1"] == 0.5
    Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])
    assert rs.evaluate_runs([Qrel("0", "3", 1, "0")], {"A": rows}, "P@1")["A"]["P@1"] == 1
    assert rs.evaluate_runs({"0": {}, "1": {"1": 1}}, {"A": rows}, "P@1")["A"]["P@1"] == 0.5


@pytest.mark.parametrize(
    ("ranked", "relevant"), [({"ann": {3}}, {"ann": [7, 3]}), ([{3: 1}], [[7, 3]])]
)
def test_lists_that_are_swapped_are_named(ranked, relevant):
    with pytest.raises(InputError, match=r"^ranked of .*; are the two swapped\?"):
        rs.evaluate_lists(ranked, relevant, "P@2")
    with pytest.raises(InputError) as error:
        rs.evaluate_lists(ranked, ranked, "P@2")
    assert "swapped" not in str(error.value)


@pytest.mark.spec("RS-CONV-45")
def test_a_name_that_needs_a_cutoff_takes_k():
    ranked, relevant = [[1, 2, 3]], [[1, 9]]
    assert dict(rs.evaluate_lists(ranked, relevant, "recall", k=5)) == {"R@5": 1 / 2}
    found = rs.evaluate_lists(ranked, relevant, ["recall", "AP@3"], k=[1, 5])
    assert dict(found) == {"R@1": 1 / 2, "R@5": 1 / 2, "AP@3": 1 / 2}
    with pytest.raises(rs.InputError, match="each of these has one: R@2"):
        rs.evaluate_lists(ranked, relevant, "recall@2", k=5)
    with pytest.raises(rs.InputError, match='unknown measure "recal"'):
        rs.evaluate_lists(ranked, relevant, "recal", k=5)
    with pytest.raises(rs.InputError, match="needs a cut-off"):
        rs.evaluate_lists(ranked, relevant, "recall")


@pytest.mark.spec("RS-CONV-45")
@pytest.mark.parametrize("duplicates", [None, "first", "last", "best"])
@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_a_matrix_of_labels_is_no_list_of_ids(kind: type, duplicates: str | None) -> None:
    """Nor with duplicates="first", which would keep an item 0 and an item 1."""
    matrix = [[1, 0, 1, 0], [0, 0, 1, 1]]  # users and items
    ranked = [[2, 1, 0], [0, 3, 1]]
    given = [[kind(x) for x in row] for row in matrix]
    for order, what in (((ranked, given), "relevant"), ((given, ranked), "ranked")):
        with pytest.raises(InputError, match=f"{what} of list 0: 4 items, each 0 or 1, are labels"):
            rs.evaluate_lists(*order, "nDCG@2", duplicates=duplicates)
    advised = [[column for column, x in enumerate(row) if x] for row in matrix]
    found = rs.evaluate_lists(ranked, advised, "nDCG@2").per_query["nDCG@2"]
    in_rank_order = [[row[i] for i in shown] for row, shown in zip(matrix, ranked, strict=True)]
    assert list(found.values()) == [
        rs.ndcg(labels, judged=row, k=2) for labels, row in zip(in_rank_order, matrix, strict=True)
    ]


@pytest.mark.spec("RS-CONV-45")
def test_items_0_and_1_are_ids_where_none_repeats() -> None:
    assert rs.evaluate_lists([[0, 1]], [[1]], "RR")["RR"] == 0.5
    assert rs.evaluate_lists([[0, 1, 0]], [[1]], "RR", padding=0)["RR"] == 1.0
