"""What orders a run, and the lines of other programs: RS-CONV-32 and RS-CONV-33."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError
from rankspec.evaluation import joined
from rankspec.formats import blocks
from tests.conventions import convention_values

from ..differential.readers import by_both
from ..each import each

MEASURES = ["nDCG@3", "AP", "RR", "P@2"]
QRELS = {"q": {"a": 2, "b": 1, "e": 0.5}, "p": {"a": 1, "c": 3}}
TIES = convention_values("ties")

Line = tuple[str, str, int, str]

lines_of_runs = st.lists(
    st.tuples(
        st.sampled_from("qp"), st.sampled_from("abcdef"), st.integers(-2, 3), st.sampled_from("X-7")
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 48)
    monkeypatch.setattr(joined, "BLOCK", 48)
    monkeypatch.setattr(joined, "SHARE", 60)


def run_of(lines: list[tuple[str, str, int, Any]]) -> bytes:
    return b"".join(f"{q} Q0 {d} {rank} {score} t\n".encode() for q, d, rank, score in lines)


def once(lines: list[Line]) -> list[Line]:
    """The first line of each document of a query."""
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        found.setdefault(line[:2], line)
    return list(found.values())


def values(run: bytes | dict[str, Any], **how: Any) -> Any:
    """Those of both readers, which are the same."""
    by_c, by_reference = by_both(QRELS, run, how, MEASURES)
    assert by_c == by_reference
    return by_c if isinstance(by_c, str) else by_c["per_query"]


@given(lines_of_runs, st.sampled_from(TIES), st.sampled_from(convention_values("scores")))
@example([("q", "a", 16777217, "X"), ("q", "b", 16777216, "X")], "id-descending", "float32")
@pytest.mark.spec("RS-CONV-32/L1", "RS-CONV-32/L2")
def test_the_order_is_that_of_scores_which_say_it(
    lines: list[Line], ties: str, scores: str
) -> None:
    lines = once(lines)
    how = {"ties": ties}
    by_rank = values(run_of(lines), order="rank", scores=scores, **how)
    assert by_rank == values(run_of([(q, d, 0, -rank) for q, d, rank, _ in lines]), **how)
    falling = run_of([(q, d, 0, -a) for a, (q, d, _, _) in enumerate(lines)])
    by_file = values(run_of(lines), order="file", scores=scores, **how)
    assert by_file == values(falling, **how)
    others = [(q, d, rank, random.Random(a).random()) for a, (q, d, rank, _) in enumerate(lines)]
    assert by_rank == values(run_of(others), order="rank", **how)
    assert by_file == values(run_of(others), order="file", **how)


@given(lines_of_runs, st.sampled_from(convention_values("duplicates", "error")))
@pytest.mark.spec("RS-CONV-32", "RS-CONV-10")
def test_a_document_that_is_there_twice(lines: list[Line], duplicates: str) -> None:
    kept: dict[tuple[str, str], tuple[int, Line]] = {}
    for a, line in enumerate(lines):
        known = kept.get(line[:2])
        better = known is not None and duplicates == "best" and line[2] < known[1][2]
        if known is None or duplicates == "last" or better:
            kept.pop(line[:2], None)
            kept[line[:2]] = (a, line)
    alone = [line for _, line in sorted(kept.values())]
    found = values(run_of(lines), order="rank", ties="input", duplicates=duplicates)
    assert found == values(run_of(alone), order="rank", ties="input")
    of_file = values(run_of(lines), order="file", duplicates=duplicates)
    last = [x for a, x in enumerate(lines) if all(x[:2] != y[:2] for y in lines[a + 1 :])]
    assert of_file == values(run_of(last if duplicates == "last" else once(lines)), order="file")


@pytest.mark.spec("RS-CONV-32")
def test_a_dict_and_rows_have_an_order_and_no_ranks() -> None:
    rows = [("q", "c", 9.0), ("q", "a", 9.0), ("p", "c", 1.0)]
    table = {"q": {"c": 9.0, "a": 9.0}, "p": {"c": 1.0}}
    expected = values(run_of([("q", "c", 1, 2), ("q", "a", 2, 1), ("p", "c", 1, 1)]))
    for run in (rows, table):
        assert values(run, order="file") == expected  # type: ignore[arg-type]
        assert values(run, order="rank") == (  # type: ignore[arg-type]
            'order: "rank" needs a TREC file with a rank column; order="file" keeps the given '
            "order (RS-CONV-32)"
        )
    again = [("q", "a", 1.0), ("q", "c", 5.0), ("q", "a", 9.0)]
    assert values(again, order="file", duplicates="best") == values(  # type: ignore[arg-type]
        {"q": {"a": 2.0, "c": 1.0}}
    )


@pytest.mark.spec("RS-CONV-32")
def test_what_is_no_rank_and_no_score() -> None:
    for rank in ("x", "1.0", "1e1", "", "9007199254740993", "-9007199254740993", "1_0"):
        run = f"q Q0 a 1 1 t\nq Q0 b {rank or '-'} 1 t\n".encode()
        assert values(run, order="rank") == (
            f'the open file:2: the rank is "{rank or "-"}"; expected a whole number, at most 2^53 '
            "(RS-CONV-32)"
        )
    assert not isinstance(values(b"q Q0 a 9007199254740992 X t\n", order="rank"), str)
    unscored = values(b"q Q0 a 1 X t\n")
    assert unscored.endswith(
        'the score is "X"; expected a finite number; order="rank" (--order rank) or order="file" '
        "reads a run without scores (RS-CONV-32)"
    )
    assert "order=" not in values(b"q Q0 a 1 nan t\n")


@pytest.mark.spec("RS-CONV-32")
def test_the_definition_says_it() -> None:
    for order, words in {
        "score": "score, descending; the rank column is ignored (RS-CONV-7)",
        "rank": "rank: the rank column of the file, the lowest first; scores are not read "
        "(RS-CONV-32)",
        "file": "file: the order of the lines, the dict or the list; scores do not count "
        "(RS-CONV-32)",
    }.items():
        run = io.BytesIO(b"q Q0 a 1 1 t\n")
        definition = rs.evaluate(QRELS, run, "RR", order=order).definition("RR")
        assert definition["order"] == words
        assert ("scores" in definition) == (order == "score")


# ---- lines -------------------------------------------------------------------------------

PLAIN = run_of([("q", "a", 1, 3), ("q", "b", 2, 2), ("p", "c", 1, 9), ("p", "a", 2, 8)])
PLAIN_QRELS = b"q 0 a 2\nq 0 b 1\np 0 a 1\np 0 c 3\n"


def with_comments(text: bytes, seed: int) -> bytes:
    """The same, with comments and blank lines between any lines."""
    draw = random.Random(seed)
    comments = [b"#\n", b"# q Q0 a 1 1 t\n", b"  # x\n", b"#q 0 a 1\n", b"\n", b"#" * 90 + b"\r\n"]
    found = b""
    for line in text.splitlines(keepends=True):
        found += b"".join(draw.choices(comments, k=draw.randrange(4))) + line
    return found + b"".join(draw.choices(comments, k=draw.randrange(3)))


def with_tails(text: bytes, seed: int) -> bytes:
    """The same, with something behind the tag of some lines."""
    draw = random.Random(seed)
    tails = [b"", b" run", b"\tmy # run", b" 7 8 9 1 2", b" " + b"x" * 70]
    return b"".join(x.rstrip(b"\n") + draw.choice(tails) + b"\n" for x in text.splitlines())


SCATTERED = b"".join(sorted(PLAIN.splitlines(keepends=True), key=lambda x: x[6:]))


@pytest.mark.spec("RS-CONV-33", "RS-CONV-33/L1")
@each("seed", range(12), fast=3)
@each("run", [PLAIN, SCATTERED])
def test_comments_and_tails_change_nothing(run: bytes, seed: int) -> None:
    expected = by_both(PLAIN_QRELS, run, {})[0]["per_query"]
    commented = with_comments(with_tails(run, seed), seed)
    judged = with_comments(PLAIN_QRELS, seed)
    by_c, by_reference = by_both(judged, commented, {"lines": "comments"})
    assert by_c == by_reference
    assert by_c["per_query"] == expected
    by_c, by_reference = by_both(PLAIN_QRELS, with_tails(run, seed), {"lines": "tail"})
    assert by_c == by_reference
    assert by_c["per_query"] == expected


@pytest.mark.spec("RS-CONV-33", "RS-CONV-33/L1")
@each("run", [PLAIN, SCATTERED])
def test_plain_lines_have_the_same_values_however_lines_are_read(run: bytes) -> None:
    expected = by_both(PLAIN_QRELS, run, {})[0]["per_query"]
    for lines in convention_values("lines"):
        assert by_both(PLAIN_QRELS, run, {"lines": lines})[0]["per_query"] == expected


@pytest.mark.spec("RS-CONV-33", "RS-CONV-18")
def test_the_profiles_of_trec_eval_read_as_it_does() -> None:
    tail, comment = PLAIN.replace(b" t\n", b" my run\n", 1), b"# x\n" + PLAIN
    for profile, reads in (("trec_eval-9", [tail]), ("trec_eval-10", [tail, comment])):
        for run in (tail, comment):
            found = by_both(PLAIN_QRELS, run, {"profile": profile}, ["AP"])
            assert found[0] == found[1]
            assert isinstance(found[0], dict) == (run in reads), (profile, run)


@pytest.mark.spec("RS-CONV-33")
def test_the_message_names_the_fix() -> None:
    fixes = {
        b"q Q0 a 1 1 my run\n": 'score tag; lines="tail" (--lines tail) ignores what follows',
        b"# x\n" + PLAIN: 'score tag; lines="comments" (--lines comments) skips comments',
        b"# a b c\n" + PLAIN: 'lines="comments" (--lines comments) skips comments',
    }
    for run, fix in fixes.items():
        assert fix in values(run), run
    of_qrels = by_both(b"# x\n" + PLAIN_QRELS, PLAIN, {})
    assert of_qrels[0] == of_qrels[1]
    assert 'lines="comments" (--lines comments) skips comments' in of_qrels[0]
    assert "found 5 columns" in by_both(b"q 0 a 1 x\n", PLAIN, {"lines": "comments"})[0]
    assert "found a NUL byte" in by_both(PLAIN_QRELS, b"# \0\n", {"lines": "comments"})[0]
    assert "lines=" not in values(b"q Q0 a b c 1 my\n")  # its fifth column is no score


# ---- what a file looks like --------------------------------------------------------------


@pytest.mark.spec("RS-CONV-19")
def test_other_formats_are_recognised() -> None:
    """By both readers, for qrels and for a run, in the same words, where they are said to be TREC's
    (RS-CONV-48).
    """
    as_trec = {"qrels_format": "trec", "run_format": "trec"}
    looks = {
        b"q1,0,d1,2\n": (
            "this looks like CSV; rankspec reads it if the first line names the columns, query_id,"
        ),
        b"query-id,corpus-id,score\nq,d,1\n": "this looks like CSV",
        b"q1;0;d1;2\n": (
            "this looks like CSV; rankspec reads it if the first line names the columns, query_id;"
        ),
        b"query-id\tcorpus-id\tscore\nq\td\t1\n": "awk 'NR>1 {print $1, 0, $2, $3}' makes TREC",
        b"0 qid:1 1:0.5 2:0.25 3:1\n": "a row of a LETOR file; rankspec eval --letor FILE",
        b"session\tdocument\tlabel\n": "this looks like a file of sessions; rankspec session eval",
        b"<?xml version='1.0'?>\n": "this looks like a file of sessions; rankspec session eval",
        b"dummy01 L3\n": "NTCIR's .rel of one topic: document, label; awk -v q=TOPIC '{print q, 0",
        b'{"q": {"d": 1}}\n': "this looks like JSON; rankspec reads it as {query: {",
        b'{\n "q": {"d": 1}}\n': "this looks like JSON",
        b'[{"q": 1}]\n': "this looks like JSON",
    }
    for text, words in looks.items():
        for files in ((text, PLAIN), (PLAIN_QRELS, text)):
            by_c, by_reference = by_both(*files, as_trec)
            assert by_c == by_reference, text
            assert words in by_c, text
    beir = by_both(b"q\td\t1\n", PLAIN, as_trec)
    marco = by_both(PLAIN_QRELS, b"q\td\t1\n", as_trec)
    assert beir[0] == beir[1]
    assert "BEIR's qrels: query, document, label; awk '{print $1, 0, $2, $3}' makes" in beir[0]
    assert marco[0] == marco[1]
    recipe = 'query, document, rank; awk \'{print $1, "Q0", $2, $3, -$3, "run"}\' makes a TREC run'
    assert recipe in marco[0]
    assert "run_format (--run-format): msmarco, or triples for scores" in marco[0]
    assert "BEIR" not in marco[0]
    made = by_both(PLAIN_QRELS, b"q Q0 a 1 -1 run\nq Q0 b 2 -2 run\n", {})  # as the recipe does
    assert made[0] == made[1]
    values_of = {
        b"q1 0 1 d1\n": 'the label is "d1"; expected a finite number (is "1" the label? it is',
        b"# my first qrels\n": "(--lines comments) skips comments (RS-CONV-33)",
        b"2 qid:1 1:7.25 2:0.31\n": "this is a row of a LETOR file; rankspec eval --letor FILE",
        b"session query rank document\n": "a file of sessions; rankspec session eval and",
        b"q 0 d L2\n": 'labels like L0, L1, L2 are those of NTCIR; write the number of "L2"',
        b"query iter doc relevance\n": "is this a header? TREC files have none",
        b"query, iter, doc, 1,\n": "this looks like CSV",
    }
    for text, words in values_of.items():
        by_c, by_reference = by_both(text, PLAIN, {})
        assert by_c == by_reference, text
        assert words in by_c, text
        assert ("NTCIR" in by_c) == (b"L2" in text), text
    as_run = by_both(PLAIN_QRELS, b"session\tquery\trank\tdocument\n", as_trec)
    assert as_run[0] == as_run[1]
    assert "a file of sessions; rankspec session eval" in as_run[0]
    as_qrels = by_both(b"2 qid:1 1:7.25 2:0.31 3:1 # d\n", PLAIN, {})
    assert as_qrels[0] == as_qrels[1]
    assert "this is a row of a LETOR file; rankspec eval --letor FILE" in as_qrels[0]
    assert "skips comments (RS-CONV-33)" in values(b"# my run of this morning\n")
    assert "order=" not in values(b"# my run of this morning\n")
    assert "rankspec eval --letor FILE" in values(b"0 qid:1 1:0.5 2:0.25 3:1 4:7\n")
    header = b"query Q0 docid rank score tag\n"
    assert "is this a header? TREC files have none" in values(header)


@pytest.mark.spec("RS-CONV-19/L5")
@each("relevance", convention_values("relevance"))
@each("negative", convention_values("negative", "kept"))
@each("ties", ["id-descending", "best", "worst", "expected"], fast=2)
def test_decimal_labels_are_those_of_a_dict(relevance: str, negative: str, ties: str) -> None:
    """Under each `relevance` and `negative`."""
    written = {"a": "0.5", "b": "2", "c": "-1.5", "d": "1e0", "e": "3.25"}
    table = {"q": {d: float(x) for d, x in written.items()}}
    text = "".join(f"q 0 {d} {x}\n" for d, x in written.items()).encode()
    run = {"q": {"a": 5.0, "b": 4.0, "x": 3.0, "c": 2.0, "d": 1.0}}
    measures = ["nDCG@3", "DCG", "AP", "RR", "R@2", "nDCG_phi", "AP(rel=2)"]
    how = {"relevance": relevance, "negative": negative, "ties": ties}
    names = measures if relevance == "label" else ["nDCG", "DCG_phi@2"]
    of_dict = by_both(table, run, how, names)
    of_file = by_both(text, run, how, names)
    assert of_file == of_dict
    assert of_file[0] == of_file[1]
    assert isinstance(of_file[0], str) == (relevance == "label" and negative == "error")


@pytest.mark.spec("RS-CONV-19/L5")
def test_no_message_on_decimal_labels_names_another_metric() -> None:
    run = {"q": {"a": 5.0, "b": 4.0}}
    for label in ("x", "0.5x", "1e999"):
        with pytest.raises(InputError) as error:
            rs.evaluate(io.BytesIO(f"q 0 a {label}\n".encode()), run, "AP")
        assert "phi" not in str(error.value)
    with pytest.raises(InputError) as error:
        rs.evaluate(io.BytesIO(b"q 0 a 0.5\n"), run, "ERR")
    assert "phi" not in str(error.value)
