"""Session files and their judgments, RS-CONV-22 to RS-CONV-26: what is the same, and what counts.

The laws are held against evaluate_sessions(), in both backends, or against read_sessions(), which
has none; each has a control that must fail.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import re
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec
from rankspec import SearchSession
from rankspec.errors import InputError

from ..each import each
from ..formats.session_files import as_json, as_lines, as_xml
from .law import READINGS, law

DOCUMENTS = ["A", "a1", "z 2", "é", "\uffee", "\U0001f600", "no results"]
MEASURES = ["sDCG@2", "nsDCG(repeats='first')@2", "query_nDCG(over='non-last',padding=0)"]

query = st.lists(st.sampled_from(DOCUMENTS), max_size=3, unique=True)
queries = st.lists(query, min_size=1, max_size=3)
ids = st.sampled_from(["1", "b", "ö", "x y"])
session_tables = st.dictionaries(ids, queries, min_size=1, max_size=4)
judged = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-2, 3), min_size=1)
judgment_tables = st.dictionaries(ids, judged, min_size=1)


def sessions_of(table: dict[str, Any]) -> list[SearchSession]:
    return [SearchSession(name, shown) for name, shown in table.items()]


def values_of(evaluate: Callable[..., Any], *given: Any, **options: Any) -> dict[str, Any]:
    """What a result says, but for its definitions."""
    found = evaluate(*given, MEASURES, **options).to_dict()
    # A NaN equals nothing.
    found["mean"] = {name: None if math.isnan(x) else x for name, x in found["mean"].items()}
    return {name: found[name] for name in ("sessions", "per_session", "mean", "left_out")}


# ---- RS-CONV-22, 23, 24: forms of the same sessions --------------------------------------


def read(content: bytes, **options: Any) -> list[SearchSession]:
    return rankspec.read_sessions(io.BytesIO(content), **options)


fillers = st.lists(st.sampled_from([b"", b" \t", b"# a comment", b"#\ta\tb\tc", b"\r"]), max_size=2)


@st.composite
def form_of_lines(draw: Any, table: dict[str, Any]) -> bytes:
    """The lines of sessions, in any form."""
    lines = [*draw(fillers)]
    if draw(st.booleans()):
        lines.append(
            b"s\tq\t" + draw(st.sampled_from([b"rank", b" Rank ", b"RANK"])) + b"\tdocument"
        )
    for line in as_lines(table).splitlines():
        fields = line.split(b"\t")
        if len(fields) == 2 and draw(st.booleans()):
            fields.append(draw(st.sampled_from([b"no results", b"No Results"])))
        if len(fields) > 2:
            fields += draw(st.lists(st.sampled_from([b"", b"#", b"1", b"title"]), max_size=2))
        blank = draw(st.sampled_from([b"", b" ", b"  "]))
        lines += [b"\t".join(blank + field + blank for field in fields), *draw(fillers)]
    content = draw(st.sampled_from([b"\n", b"\r\n"])).join(lines) + draw(
        st.sampled_from([b"", b"\n"])
    )
    return draw(st.sampled_from([bytes, gzip.compress]))(content)


@pytest.mark.spec("RS-CONV-22/L1")
@given(st.data(), session_tables)
def test_the_form_of_lines_does_not_matter(data: Any, table: dict[str, Any]) -> None:
    assert read(data.draw(form_of_lines(table))) == sessions_of(table)


@pytest.mark.spec("RS-CONV-22/L1")
@given(st.data(), session_tables)
def test_the_control_of_the_form(data: Any, table: dict[str, Any]) -> None:
    """What is no matter of form changes the sessions, or is refused."""
    content = as_lines(table).splitlines()
    at = data.draw(st.integers(0, len(content) - 1))
    del content[at]
    with suppress(InputError):
        assert read(b"\n".join(content)) != sessions_of(table)


EXTRAS = [
    "",
    " \n",
    "<!-- <x> -->",
    "<title>a &lt; b</title>",
    "<?pi x?>",
    "<click><rank>1</rank></click>",
]


@st.composite
def form_of_xml(draw: Any, table: dict[str, Any]) -> bytes:
    """The XML of sessions with what is passed over, wherever an element may stand."""
    text = as_xml(table).decode()
    for tag in ("<session ", "<interaction ", "<results>", "<result ", "<docno>", "</result>"):
        text = text.replace(tag, draw(st.sampled_from(EXTRAS)) + tag)
    attribute = draw(st.sampled_from(["", ' starttime="&lt;1"', " a='b' c='d'"]))
    return text.replace("<results>", f"<results{attribute}>").encode()


@pytest.mark.spec("RS-CONV-23/L1")
@given(st.data(), session_tables)
def test_what_is_passed_over_in_xml_changes_nothing(data: Any, table: dict[str, Any]) -> None:
    assert read(data.draw(form_of_xml(table))) == sessions_of(table)


@pytest.mark.spec("RS-CONV-23/L1")
def test_the_control_of_what_is_passed_over() -> None:
    """An element that is read does change something."""
    table = {"1": [["a"]]}
    more = as_xml(table).replace(
        b"</results>", b'<result rank="2"><docno>b</docno></result></results>'
    )
    assert read(more) != sessions_of(table)


@pytest.mark.spec("RS-CONV-24/L1")
@given(session_tables)
def test_the_formats_say_the_same(table: dict[str, Any]) -> None:
    expected = sessions_of(table)
    assert read(as_lines(table)) == read(as_xml(table)) == read(as_json(table)) == expected


@pytest.mark.spec("RS-CONV-24/L1")
@given(session_tables, session_tables)
def test_the_control_of_the_formats(table: dict[str, Any], other: dict[str, Any]) -> None:
    """Other sessions are read as others, and in another order."""
    same = list(table.items()) == list(other.items())
    for write in (as_lines, as_xml, as_json):
        assert (read(write(table)) == read(write(other))) == same


@pytest.mark.spec("RS-CONV-23/L2")
@given(session_tables, st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1))
def test_a_current_ranking_is_a_further_query(table: dict[str, Any], ranking: list[str]) -> None:
    name = next(iter(table))
    scores = {document: -float(i) for i, document in enumerate(ranking)}
    longer = table | {name: [*table[name], ranking]}
    for write in (as_lines, as_xml, as_json):
        for current in ({name: ranking}, {name: scores}):
            found = read(write(table), current=current)
            assert found == sessions_of(longer)
            assert found != sessions_of(table)  # the control


# ---- RS-CONV-25: judgments ---------------------------------------------------------------


def _without(**left_out: Any) -> Callable[..., Any]:
    """Does not look at some options."""
    return lambda f: lambda *given, **a: f(*given, **{**a, **left_out})


@pytest.mark.spec("RS-CONV-25/L1")
@law(
    sessions=session_tables,
    judgments=judgment_tables,
    grades=st.dictionaries(st.integers(-2, 3), st.integers(-1, 4)),
    evaluate_sessions=_without(grades=None),
)
def test_grades_replace_labels(rs, *, sessions, judgments, grades):
    replaced = {
        key: {document: grades.get(label, label) for document, label in documents.items()}
        for key, documents in judgments.items()
    }
    assert values_of(rs.evaluate_sessions, judgments, sessions, grades=grades) == values_of(
        rs.evaluate_sessions, replaced, sessions
    )


def _by_session(f):
    return lambda *given, **a: f(*given, **{**a, "judged_by": "session"})


@pytest.mark.spec("RS-CONV-25/L2")
@law(
    sessions=session_tables,
    topics=st.lists(st.sampled_from(["1", "2", "ö"]), min_size=4, max_size=4),
    judgments=judgment_tables,
    evaluate_sessions=_by_session,
)
def test_a_topic_is_judged_for_all_its_sessions(rs, *, sessions, topics, judgments):
    topic_of = dict(zip(sessions, topics, strict=False))
    by_topic = values_of(rs.evaluate_sessions, judgments, sessions, topics=topic_of)
    own = {name: judgments[topic] for name, topic in topic_of.items() if topic in judgments}
    own = own or {"nobody": {"A": 0}}
    by_session = values_of(rs.evaluate_sessions, own, sessions, judged_by="session")
    assert by_topic["per_session"] == by_session["per_session"]
    assert by_topic["left_out"].keys() == by_session["left_out"].keys()


def _qrels(judgments: dict[str, Any]) -> bytes:
    rows = [(key, d, x) for key, documents in judgments.items() for d, x in documents.items()]
    return "".join(f"{key} 0 {d} {x}\n" for key, d, x in rows).encode()


def _three(judgments: dict[str, Any], head: str) -> bytes:
    rows = [(key, d, x) for key, documents in judgments.items() for d, x in documents.items()]
    return (head + "".join(f"{key}\t{d}\t{x}\n" for key, d, x in rows)).encode()


words = st.sampled_from(["1", "b", "ö"])
plain_judgments = st.dictionaries(
    words, st.dictionaries(words, st.integers(-2, 3), min_size=1), min_size=1
)


@pytest.mark.spec("RS-CONV-25/L3")
@law(
    sessions=session_tables,
    judgments=plain_judgments,
    head=st.sampled_from(["", "session\tdocument\tlabel\n", "# x\n\n", "S\tU\tR\n"]),
    evaluate_sessions=lambda f: (
        lambda judgments, *given: f(  # no first line of three fields
            judgments
            if isinstance(judgments, dict)
            else io.BytesIO(judgments.read().partition(b"\n")[2]),
            *given,
        )
    ),
)
def test_the_form_of_judgments_does_not_matter(rs, *, sessions, judgments, head):
    expected = values_of(rs.evaluate_sessions, judgments, sessions)
    three = io.BytesIO(_three(judgments, head))
    try:
        assert values_of(rs.evaluate_sessions, three, sessions) == expected
    except InputError as error:  # of the control, when there is nothing left
        raise AssertionError from error
    if rs.backend == "c":
        qrels = rankspec.evaluate_sessions(io.BytesIO(_qrels(judgments)), sessions, MEASURES)
        assert qrels.to_dict()["per_session"] == expected["per_session"]


# ---- RS-CONV-26: what counts -------------------------------------------------------------


def _left_out_as_0(f):
    """Takes a session without judgments for one of labels 0."""

    def evaluate(judgments, sessions, *given, **a):
        every = {name: judgments.get(name, {"nothing": 0}) for name in sessions}
        return f(every, sessions, *given, **a)

    return evaluate


@pytest.mark.spec("RS-CONV-26/L1")
@law(sessions=session_tables, judgments=judgment_tables, evaluate_sessions=_left_out_as_0)
def test_sessions_without_judgments_change_nothing(rs, *, sessions, judgments):
    found = values_of(rs.evaluate_sessions, judgments, sessions)
    kept = {name: shown for name, shown in sessions.items() if name in judgments}
    assert found["sessions"] == list(kept)
    assert found["left_out"] == {name: "no judgment" for name in sessions if name not in judgments}
    if not kept:  # no session is an error
        return
    alone = values_of(rs.evaluate_sessions, judgments, kept)
    assert (found["per_session"], found["mean"]) == (alone["per_session"], alone["mean"])


def _omitting_zeros(f):
    """Leaves out each 0, defined or not."""

    def evaluate(*given, undefined="zero", **a):
        found = f(*given, undefined=undefined, **a)
        if undefined == "omit":
            for values in found.per_session.values():
                values |= {name: math.nan for name, x in values.items() if x != 0}
        return found

    return evaluate


@pytest.mark.spec("RS-CONV-26/L2")
@law(sessions=session_tables, judgments=judgment_tables, evaluate_sessions=_omitting_zeros)
def test_what_is_omitted_is_0(rs, *, sessions, judgments):
    zero = rs.evaluate_sessions(judgments, sessions, MEASURES)
    omit = rs.evaluate_sessions(judgments, sessions, MEASURES, undefined="omit")
    for name, values in zero.per_session.items():
        left = omit.per_session[name]
        assert left == {session: values[session] for session in left}
        assert all(x == 0 for session, x in values.items() if session not in left)
        if len(left) == len(values):
            found = rs.evaluate_sessions(judgments, sessions, name, undefined="error")
            assert found.per_session[name] == values
        else:
            first = next(session for session in values if session not in left)
            words = f'session "{first}" has no defined value, which undefined="error"'
            with pytest.raises(InputError, match=re.escape(words)):
                rs.evaluate_sessions(judgments, sessions, name, undefined="error")


NOTHING = {"a": 0}
SOMETHING = {"a": 0, "b": 1}


@pytest.mark.spec("RS-CONV-26")
@each("by", ["c", "reference"])
@each(
    ("measure", "session", "judged", "defined"),
    [
        ("sDCG@2", [["a"]], NOTHING, True),
        ("sDCG@2", [], NOTHING, True),
        ("IsDCG@2", [["a"]], NOTHING, True),
        ("nsDCG@2", [["a"]], NOTHING, False),
        ("nsDCG@2", [["a"]], SOMETHING, True),
        ("nsDCG@2", [[]], SOMETHING, True),
        ("nsDCG(padding=0)@2", [[]], SOMETHING, False),
        ("nsDCG(padding=0)@2", [[], ["a"]], SOMETHING, True),
        ("nsDCG@2", [], SOMETHING, False),
        ("nsDCG(discount=(0,0))@2", [["b"]], SOMETHING, False),
        ("nsDCG(discount=(1,0))@2", [["b"]], SOMETHING, True),
        ("nsDCG(query_discount=(0,0))@2", [["b"]], SOMETHING, False),
        ("nsDCG(query_discount=(1,0),padding=0)@2", [[], ["b"]], SOMETHING, False),
        ("nsDCG(query_discount=(1,0),padding=0)@2", [["a"], ["b"]], SOMETHING, True),
        ("nsDCG(query_discount=(1,0),ideal='spread')@1", [["a"], ["b"]], SOMETHING, True),
        ("nsDCG(query_discount=(1,0),ideal='greatest')@1", [["a"], ["b"]], SOMETHING, True),
        ("nsDCG(gain=(0,0,3))@2", [["b"]], SOMETHING, False),
        ("nsDCG(gain=(0,0,3))@2", [["b"]], {"b": 1, "c": 2}, True),
        ("avg_nsDCG@2", [["a"]], NOTHING, False),
        ("avg_nsDCG@2", [["a"]], SOMETHING, True),
        ("avg_sDCG@2", [["a"]], NOTHING, True),
        ("avg_sDCG(padding=0)@2", [[]], SOMETHING, False),
        ("avg_sDCG@2", [], SOMETHING, False),
        ("sDCG_q@2", [["a"]], NOTHING, True),
        ("sDCG_q@2", [], SOMETHING, False),
        ("query_sDCG@2", [[]], NOTHING, True),
        ("query_sDCG@2", [], NOTHING, False),
        ("query_sDCG(over='sum')@2", [], NOTHING, True),
        ("query_sDCG(over='non-last')@2", [["b"]], SOMETHING, False),
        ("query_sDCG(over='non-last')@2", [["b"], []], SOMETHING, True),
        ("query_nDCG@2", [["b"]], NOTHING, False),
        ("query_nDCG@2", [["b"]], SOMETHING, True),
        ("query_nDCG(padding=0)@2", [[], []], SOMETHING, False),
        ("query_nDCG(padding=0)@2", [[], ["a"]], SOMETHING, True),
        ("query_nDCG(over='last')@2", [], SOMETHING, False),
        ("query_nDCG(over='non-last')@2", [["b"]], SOMETHING, False),
    ],
)
def test_what_is_defined(
    by: str, measure: str, session: list[list[str]], judged: dict[str, int], defined: bool
) -> None:
    evaluate = partial(
        rankspec.evaluate_sessions, {"s": judged}, {"s": session}, measure, backend=by
    )
    (values,) = evaluate(undefined="omit").per_session.values()
    assert (list(values) == ["s"]) == defined
    if not defined:
        (zero,) = evaluate().per_session.values()
        assert zero == {"s": 0.0}


# ---- the values, by hand -----------------------------------------------------------------

TWO = {"1": [["a", "b"], ["c", "a"]], "2": [["b"]]}
JUDGED = {"1": {"a": 1, "b": -1, "c": 3, "d": 2}, "2": {"b": 2, "x": 1}}


@pytest.mark.spec("RS-CONV-26", "RS-SES-23")
@pytest.mark.parametrize("by", READINGS)
def test_values_by_hand(by: str) -> None:
    """Without discounts: the gains of session 1 are 1 0, 3 1; its ideal shows 3 2, 3 2. Those of 2
    are 2, and 2 1. Of the retrieved the ideal of 1 shows 3 1, 3 1, and that of 2 shows 2."""
    evaluate = partial(
        rankspec.evaluate_sessions,
        JUDGED,
        TWO,
        ["sDCG@2", "nsDCG@2", "sDCG_q@2"],
        discount="none",
        query_discount="none",
        backend=by,
    )
    result = evaluate()
    sdcg, nsdcg, sdcg_q = result.per_session.values()
    assert sdcg == {"1": 5.0, "2": 2.0}
    assert nsdcg == {"1": 0.5, "2": float(Fraction(2, 3))}
    assert sdcg_q == {"1": 2.5, "2": 2.0}
    assert list(result.mean.values()) == [
        3.5,
        float(Fraction(nsdcg["1"] + Fraction(nsdcg["2"])) / 2),
        2.25,
    ]
    assert result["sDCG(discount='none',query_discount='none')@2"] == 3.5
    assert (result.queries, result.topics, result.left_out) == ({"1": 2, "2": 1}, {}, {})
    retrieved = evaluate(pool="retrieved")
    assert list(retrieved.per_session.values())[1] == {"1": 5 / 8, "2": 1.0}
    first = evaluate(repeats="first")
    assert next(iter(first.per_session.values())) == {"1": 4.0, "2": 2.0}


@pytest.mark.spec("RS-CONV-25", "RS-CONV-26", "RS-CONV-15", "RS-SES-23")
@each(
    ("options", "complaint"),
    [
        (
            {"negative": "error"},
            'session "1": the label -1 of document "b" is negative (RS-CONV-15)',
        ),
        ({"gain": [0, 1, 2]}, 'label 3 of document "c" for session "1": the gain table has'),
        ({"grades": {2: 2000}, "gain": "exp2"}, 'label 2000 of document "d" for session "1": the'),
        (
            {"judged_by": "query"},
            'judged_by: unknown rule \'query\'; expected one of "topic", "session"',
        ),
        ({"pool": "judge"}, "pool: unknown rule 'judge' (did you mean \"judged\"?)"),
        ({"unjudged": "condensed"}, "unjudged: unknown rule 'condensed'"),
        ({"negative": 0}, "negative: unknown rule 0"),
        ({"undefined": "one"}, "undefined: unknown rule 'one'"),
        ({"grades": 3}, "grades: expected a dict {label: replacement}, got 3"),
        ({"grades": {"x": 3}}, "grades: a label is 'x'; it must be a finite number"),
        (
            {"grades": {1: math.nan}},
            "grades: the replacement of 1 is nan; it must be a finite number",
        ),
        (
            {"topics": {"1": "7"}, "judged_by": "session", "padding": -1},
            'padding: expected "X", or the least number of ranks, 0 or more, got -1',
        ),
        ({"backend": "d"}, 'unknown backend "d"'),
        ({"discount": [1]}, "discount: weights for 1 ranks are given, but rank 2 needs one"),
        (
            {"query_discount": [1]},
            "query_discount: weights for 1 queries are given, but a session has 2",
        ),
    ],
)
def test_what_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as error:
        rankspec.evaluate_sessions(JUDGED, TWO, "nsDCG@2", **options)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.spec("RS-SES-23")
def test_a_result_without_a_judgment_may_be_an_error() -> None:
    with pytest.raises(InputError, match='session "2", query 1, rank 1: document "q" has no judg'):
        rankspec.evaluate_sessions(JUDGED, {"2": [["q"]]}, "sDCG", unjudged="error")
    assert rankspec.evaluate_sessions(JUDGED, {"2": [["q"]]}, "sDCG")["sDCG"] == 0.0


@pytest.mark.spec("RS-NUM-5")
def test_a_value_beyond_the_doubles_has_no_mean() -> None:
    judged = {"1": {"a": 1.5e308, "b": 1.5e308}}
    with pytest.raises(InputError, match='the value of session "1" exceeds the range of doubles'):
        rankspec.evaluate_sessions(judged, {"1": [["a", "b"]]}, "sDCG", discount="none")


@pytest.mark.parametrize("measure", ["nDCG@10", "DCG", "AP", "UL2(nDCG@10)"])
def test_a_measure_of_rankings_is_refused(measure: str) -> None:
    with pytest.raises(
        InputError, match=r"it takes one ranking; for sessions use one of .*query_nDCG"
    ):
        rankspec.evaluate_sessions(JUDGED, TWO, measure)


@each(
    "sessions",
    [
        3,
        "nowhere",
        b"abc",
        [3],
        {1: []},
        {"1": 3},
        {"1": "ab"},
        {"1": ["ab"]},
        {"1": [[1.5]]},
        {"1": [["A", "B", "A"]]},
        {},
        [],
        {"1": [["\ud800"]]},
        [SearchSession("1", []), SearchSession("1", [])],
        [SearchSession("1", [], 7)],  # type: ignore[arg-type]
        {"1": [{"results": ["a"]}]},  # as JSON has it: a dict of documents would be its keys
        {"1": [{"b": 1, "a": 9}]},
        {"1": [{"a", "b"}]},
        {"1": [frozenset("a")]},
        {"1": {"1": ["a"]}},
        {"1": {("a",), ("b",)}},
        {SearchSession("1", ())},
        {"": [["a"]]},
        {"a\tb": [["a"]]},
        {"a\n": [["a"]]},
        {"1": [["a\r"]]},
        {"1": [["a\0"]]},
        {"1": [[" "]]},
        [SearchSession("1", [], "")],
    ],
)
def test_what_is_no_session(sessions: Any) -> None:
    with pytest.raises(InputError):
        rankspec.evaluate_sessions(JUDGED, sessions, "sDCG")


def test_a_result_says_what_it_is() -> None:
    result = rankspec.evaluate_sessions(
        JUDGED, TWO | {"3": [[]]}, ["nsDCG@2", "sDCG"], grades={3: 4}, topics={"1": "7", "3": "8"}
    )
    assert result.sessions == ()
    assert result.left_out == {
        "2": "not among the topics",
        "1": "no judgment of its topic",
        "3": "no judgment of its topic",
    }
    assert math.isnan(result["nsDCG@2"])
    assert str(result).splitlines()[-2:] == [
        "1 left out (not among the topics): 2",
        "2 left out (no judgment of its topic): 1, 3",
    ]
    assert str(result).splitlines()[1].split() == ["mean", "-", "-"]
    assert repr(result) == "<SessionEvaluation of nsDCG@2, sDCG; sessions: 0>"
    definition = result.definition("nsDCG@2")
    assert definition["grades"] == "3=4 (RS-CONV-25)"
    assert definition["judged_by"].startswith("topic: ")
    assert "pool" in definition
    assert "pool" not in result.definition("sDCG")
    json.dumps(result.to_dict())
    with pytest.raises(KeyError, match="AP was not computed"):
        _ = result["AP"]
