"""The C reader against the plain Python reading of the same files, dictionaries and rows.

Both must give the same Evaluation, or the same error in the same words. Blocks and shares are
made small, so that short files are read in many.
"""

from __future__ import annotations

import io
import re
from fractions import Fraction
from typing import Any

import pyarrow
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankspec.errors import InputError
from rankspec.evaluation import joined
from rankspec.evaluation.conventions import Conventions, convention
from rankspec.evaluation.evaluate import Kept, evaluate, evaluate_by, prepared
from rankspec.formats import blocks
from tests.conventions import convention_values

from .readers import by_both, check_that_both_agree

QUERIES = ["q", "q1", "q10", "\u00e4"]
DOCUMENTS = ["a", "b", "ab", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefghz0123456789", "\u00e9"]
SCORES = ["1", "1.0", "2.5", "-3e2", "1e-300", "16777216", "16777217", "0.1", "1e-5000", "-0"]
LABELS = ["0", "1", "2", "3", "-1", "+1", "007", "300"]
DECIMALS = [
    "0.5",
    "2.0",
    "-0.0",
    "-2.5e-1",
    "9007199254740993",
    "9223372036854775808",
    "1e999",
    "x",
]

conventions = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from(sorted(convention(name).values))
        for name in ("ties", "scores", "negative", "undefined", "queries", "duplicates", "pool")
    }
    | {"relevance": st.sampled_from(convention_values("relevance"))}
    | {"unjudged": st.sampled_from(["nonrelevant", "condensed"]), "depth": st.integers(1, 4)},
)

INT64 = range(-(2**63), 2**63)
SCORED = Conventions(relevance="phi")
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"

blank = st.sampled_from([" ", "\t", "  ", " \x0b", "\x0c"])
line_end = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", " \n"])


@st.composite
def texts(draw: st.DrawFn, columns: list[st.SearchStrategy[str]]) -> bytes:
    """Lines of the given columns, with any blanks and line ends; some lines may lack a column."""
    text = ""
    for _ in range(draw(st.integers(0, 12))):
        fields = [draw(column) for column in columns]
        if draw(st.integers(0, 60)) == 0:
            fields.pop()
        text += draw(blank).join(fields) + draw(line_end)
    if draw(st.integers(0, 9)) == 0:
        text = text.rstrip("\n")
    return text.encode("utf-8")


numbers = st.one_of(
    st.sampled_from(SCORES),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[+-]?[0-9]{0,25}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,3})?", fullmatch=True),
    st.sampled_from(["nan", "inf", "1,5", "1_0", "", "1e", "e5", ".", "+", "0x10", "1e999"]),
).map(lambda text: text or "x")
labels = st.one_of(st.sampled_from(LABELS), st.sampled_from(LABELS), st.sampled_from(DECIMALS))
qrels_texts, scored_texts = (
    texts([st.sampled_from(QUERIES), st.just("0"), st.sampled_from(DOCUMENTS), label])
    for label in (st.sampled_from(LABELS), labels)
)
run_texts = texts(
    [
        st.sampled_from(QUERIES),
        st.just("Q0"),
        st.sampled_from(DOCUMENTS),
        st.just("1"),
        st.one_of(st.sampled_from(SCORES), st.sampled_from(SCORES), numbers),
        st.just("tag"),
    ]
)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 48)
    monkeypatch.setattr(joined, "BLOCK", 48)
    monkeypatch.setattr(joined, "SHARE", 100)


SCATTERED = b"""q Q0 a 1 1 tag
p Q0 a 1 1 tag
p Q0 b 2 0 tag
p Q0 c 3 0 tag
p Q0 d 4 0 tag
p Q0 e 5 0 tag
q Q0 b 2 0 tag
"""


@given(qrels_texts, run_texts, conventions)
@example(b"q 0 a 1\np 0 a 0\n", SCATTERED, {"pool": "retrieved"})
def test_files(qrels: bytes, run: bytes, chosen: dict[str, Any]) -> None:
    check_that_both_agree(qrels, run, chosen)


def test_lists_that_are_kept_are_those_of_the_grouped_file() -> None:
    """Not also those of the blocks, which were read before a query stood in two of them."""
    kept: Kept = []
    qrels, run = io.BytesIO(b"q 0 a 1\n"), io.BytesIO(SCATTERED)
    evaluate_by(Conventions(), None, qrels, run, "AP", kept=kept)
    assert sorted(query for _, lists in kept for query in lists.queries) == ["p", "q"]


@given(scored_texts, run_texts, conventions)
def test_files_of_scores(qrels: bytes, run: bytes, chosen: dict[str, Any]) -> None:
    check_that_both_agree(qrels, run, {"relevance": "phi", **chosen})


@given(st.lists(numbers | st.sampled_from(LABELS), min_size=1, max_size=4))
@example(["9007199254740993", "-9223372036854775808"])
@example(["9007199254740993", "-0", "0.5", "9007199254740995"])
@example(["9223372036854775808", "1"])
@pytest.mark.spec("RS-CONV-19/L5")
def test_scores_are_whole_numbers_or_all_are_the_nearest_doubles(written: list[str]) -> None:
    lines = "".join(f"q 0 d{a} {text}\n" for a, text in enumerate(written)).encode()
    is_whole = [bool(re.fullmatch("[+-]?[0-9]+", x)) and int(x) in INT64 for x in written]
    scores = [int(x) if all(is_whole) else nearest_or_none(x) for x in written]
    for backend in ("c", "reference"):
        if None in scores:
            with pytest.raises(InputError, match=r"the label is .*; expected a finite number$"):
                prepared(io.BytesIO(lines), SCORED, backend)
            continue
        judged: Any = prepared(io.BytesIO(lines), SCORED, backend)
        found = list(judged.counted["q"].values()) if backend == "reference" else [*judged.labels]
        assert (found, {*map(type, found)}) == (scores, {*map(type, scores)})


def nearest_or_none(written: str) -> float | None:
    """The double nearest to a decimal, from its exact fraction; None where there is none."""
    if not re.fullmatch(DECIMAL, written, re.ASCII):
        return None
    exact = Fraction(written)
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return None


def in_order(text: bytes) -> bytes:
    """The same lines, those of a query together."""
    lines = [line for line in text.splitlines(keepends=True) if line.split()]
    first = {line.split()[0]: a for a, line in reversed(list(enumerate(lines)))}
    return b"".join(sorted(lines, key=lambda line: first[line.split()[0]]))


@given(qrels_texts, run_texts, conventions)
def test_files_of_grouped_queries(qrels: bytes, run: bytes, chosen: dict[str, Any]) -> None:
    check_that_both_agree(in_order(qrels), in_order(run), chosen)


tables = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(
        st.sampled_from([*DOCUMENTS, "new\nline", "nul\0", "\udcff", "\udcc3\udca9", "\ud800"]),
        st.one_of(
            st.sampled_from([float(x) for x in SCORES]),
            st.integers(2**53 - 2, 2**53 + 3),
            st.integers(-(10**400), 10**400),
            st.fractions(),
        ),
    ),
)
judged = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(
        st.sampled_from([*DOCUMENTS, "new\nline"]),
        st.one_of(st.integers(-1, 3), st.sampled_from([0.5, 2.25, 300, 2**40, -(2**63), -0.5])),
    ),
)


@example({"q": {"\u00e9": 1}}, {"q": {"\udcc3\udca9": 1.0}}, {})  # another id of the same bytes
@given(judged, tables, conventions)
def test_dictionaries(qrels: Any, run: Any, chosen: dict[str, Any]) -> None:
    by_c, by_reference = by_both(qrels, run, chosen)
    assert by_c == by_reference


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_junk(qrels: bytes, run: bytes) -> None:
    for files in ((qrels, b"q Q0 a 1 1 t\n"), (b"q 0 a 1", run)):
        by_c, by_reference = by_both(*files, {})
        assert by_c == by_reference


@given(numbers)
def test_a_score_is_the_nearest_double(text: str) -> None:
    """Python's float() rounds correctly; the order of two documents shows the core's value."""
    try:
        x = float(text)
    except ValueError:
        return
    if "_" in text or not abs(x) < 1e300:
        return
    for other in (x, x * (1 + 2**-52), x * (1 - 2**-52), x - 5e-324, x + 5e-324):
        run = f"q Q0 a 1 {text} t\nq Q0 b 2 {other!r} t\n".encode()
        rank_of_a = 1 + (other >= x)  # ties: id descending
        result = evaluate(io.BytesIO(b"q 0 a 1\n"), io.BytesIO(run), ["RR"])
        assert result["RR"] == 1 / rank_of_a


def first_repeat(pairs: list[tuple[str, str]]) -> tuple[int, int] | None:
    """The first place whose pair came before, and the first place of that pair; from 0."""
    for second, pair in enumerate(pairs):
        if (first := pairs.index(pair)) < second:
            return second, first
    return None


def as_rows(pairs: list[tuple[str, str]]) -> list[tuple[str, str, int]]:
    return [(query, document, 9 - place) for place, (query, document) in enumerate(pairs)]


def as_table(pairs: list[tuple[str, str]]) -> Any:
    return pyarrow.table(
        {
            "query_id": [query for query, _ in pairs],
            "doc_id": [document for _, document in pairs],
            "score": [float(9 - place) for place in range(len(pairs))],
        }
    )


def as_csv(pairs: list[tuple[str, str]]) -> bytes:
    rows = ["query_id,doc_id,score", *(f"{q},{d},{x}" for q, d, x in as_rows(pairs))]
    return "\n".join(rows).encode()


def as_trec(pairs: list[tuple[str, str]]) -> bytes:
    """A run with lines so long that a block or a share has only two."""
    tag = "t" * 30
    return "".join(f"{q} Q0 {d} 1 {x} {tag}\n" for q, d, x in as_rows(pairs)).encode()


@pytest.mark.spec("RS-CONV-10")
@given(st.lists(st.tuples(st.sampled_from("qrs"), st.sampled_from("abc")), min_size=1))
@example([("q", "a"), ("r", "a"), ("q", "b"), ("r", "b"), ("r", "a"), ("q", "a")])
@example([("r", "a"), ("r", "b"), ("q", "a"), ("q", "b"), ("r", "a"), ("s", "a"), ("s", "a")])
@example([("r", "a"), ("r", "b"), ("q", "a"), ("q", "b"), ("r", "a"), ("r", "a")])
def test_the_first_repeated_line_of_queries_that_are_mixed(pairs: list[tuple[str, str]]) -> None:
    forms: list[tuple[Any, int, str, str]] = [
        (as_trec(pairs), 1, "the open file:{}", "line {}"),
        (as_csv(pairs), 2, "the open file:{}", "the open file:{}"),
        (as_rows(pairs), 0, "run: row {}", "row {}"),
        (as_table(pairs), 0, "run: row {}", "row {}"),
    ]
    places = first_repeat(pairs)
    for run, number_of_first, place, before in forms:
        for found in by_both(b"q 0 a 1\nr 0 c 1\n", run, {}, ["RR"]):
            if places is None:
                assert isinstance(found, dict), found
                continue
            second, first = (number_of_first + place for place in places)
            query, document = pairs[places[0]]
            assert found.startswith(
                f'{place.format(second)}: document "{document}" of query "{query}" occurs a second '
                f"time; it is already in {before.format(first)};"
            ), found


@pytest.mark.spec("RS-CONV-10")
@pytest.mark.parametrize("rule", convention_values("duplicates", "error"))
def test_the_document_that_an_error_names_where_judgments_are_there_twice(rule: str) -> None:
    """The core keeps a judgment in the place of the first, and so does the plain reading."""
    qrels = b"q 0 d 5\nq 0 c 5\nq 0 c -1\nq 0 d 7\n"
    expected = {
        "first": 'label 5 of document "d" for query "q"',
        "last": 'label 7 of document "d" for query "q"',
        "best": 'label 7 of document "d" for query "q"',
    }
    for found in by_both(qrels, b"q Q0 d 1 1 t\n", {"duplicates": rule}, ["ERR(max=4)"]):
        assert found.startswith(f'measure "ERR": {expected[rule]}: '), found
    chosen = {"duplicates": rule, "profile": "gdeval"}
    for found in by_both(qrels, b"q Q0 d 1 1 t\n", chosen, ["ERR"]):
        assert expected[rule] in found, found
