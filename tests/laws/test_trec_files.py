"""The formats of TREC files, RS-CONV-19: what is the same file, and what a number in it is."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import math
import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec
from rankspec.errors import InputError

from .law import READINGS, law
from .qrels_and_runs import (
    QRELS_LINE,
    RULES,
    RUN_LINE,
    as_files,
    file_of,
    outcome,
    qrels_tables,
    rows_of,
    run_tables,
)

BY = pytest.mark.parametrize("by", READINGS)


def _by_order(f):
    """Takes the lines of a run as they come."""
    return lambda qrels, run, measures, ties: f(qrels, run, measures, ties="input")  # noqa: ARG005


@pytest.mark.spec("RS-CONV-19/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    seed=st.integers(0, 1000),
    ties=st.sampled_from([rule for rule in RULES if rule != "input"]),
    evaluate=_by_order,
)
def test_the_order_of_lines_does_not_matter(rs, *, qrels, run, seed, ties):
    rows = rows_of(qrels), rows_of(run)
    files = file_of(rows[0], QRELS_LINE, seed), file_of(rows[1], RUN_LINE, seed)
    assert outcome(rs.evaluate, *files, ties=ties) == outcome(
        rs.evaluate, *as_files(*rows), ties=ties
    )


# RS-CONV-19/L2: forms of the same file

blanks = st.text("\t\v\f\r ", max_size=3)
COMPRESSIONS = [gzip.compress, bz2.compress, lzma.compress]
fillers = st.sampled_from(["0", "Q0", "-1", "x", "\u20ac", "#", "1_0", "nan", "\x01"])


@st.composite
def forms_of(draw, rows, columns, place):
    """A file of some rows, with its number in the column of that place, in any form."""
    lines = []
    for query, document, number in rows:
        cells = [draw(fillers) for _ in range(columns)]
        cells[0], cells[2], cells[place] = query, document, number
        divided = [cell + draw(blanks) + " " * (i < columns - 1) for i, cell in enumerate(cells)]
        lines += [draw(blanks) + "".join(divided), *draw(st.lists(blanks, max_size=1))]
    end = draw(st.sampled_from(["", "\n", "\r\n", "\n\n"]))
    mark = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    content = mark + ("\n".join(lines) + end).encode("utf-8", "surrogateescape")
    compressed = draw(st.sampled_from([None, *COMPRESSIONS]))
    if compressed is not None:
        cut = draw(st.integers(0, len(content)))
        parts = [content[:cut], content[cut:]] if draw(st.booleans()) else [content]
        content = b"".join(map(compressed, parts))
    return io.BytesIO(content)


def _by_line_number(f):
    """Takes the number of a line for the rank, and that for the score, in plain files."""

    def evaluate(qrels, run, measures):
        if isinstance(run, io.BytesIO) and b"Q0" in run.getvalue():
            lines = enumerate(run.getvalue().split(b"\n"))
            ranked = [[*line.split()[:4], b"%d" % -i, b"t"] for i, line in lines if line.split()]
            run = io.BytesIO(b"\n".join(map(b" ".join, ranked)))
        return f(qrels, run, measures)

    return evaluate


@pytest.mark.spec("RS-CONV-19/L2")
@law(
    qrels=qrels_tables,
    run=run_tables,
    data=st.data(),
    evaluate=_by_line_number,
)
def test_the_form_of_a_file_does_not_matter(rs, qrels, run, data):
    written = (
        data.draw(forms_of([(q, d, str(x)) for q, d, x in rows_of(qrels)], 4, 3)),
        data.draw(forms_of([(q, d, repr(x)) for q, d, x in rows_of(run)], 6, 4)),
    )
    assert outcome(rs.evaluate, *written) == outcome(rs.evaluate, qrels, run)


# RS-CONV-19/L3 and L4: numbers

DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
decimals = st.from_regex(
    r"\A[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,20})([eE][+-]?[0-9]{1,3})?\Z", fullmatch=True
)
nearly = st.text("0123456789+-.eE_xnaif,d", min_size=1, max_size=8)


def _nearest(written: str) -> float | None:
    """The double nearest to a decimal, from its exact fraction; None beyond their range."""
    exact = Fraction(written)
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return None


@BY
@given(written=st.one_of(decimals, nearly))
@example("9007199254740993")  # half way between two doubles: to the even one
@example("9007199254740993.0000000000000000000000000001")
@example("1.7976931348623158e308")
@example("1.7976931348623159e308")
@example("2.4703282292062327e-324")
@example("2.4703282292062328e-324")
@example("." + "3" * 1000)
@example("1" + "0" * 400 + "e-400")
@example("nan")
@example("1_0")
@example("0x1p3")
@example("\u0661")
@pytest.mark.spec("RS-CONV-19/L3")
def test_a_score_is_the_double_nearest_to_the_decimal(by, written):
    """Between its neighbours, and tied with itself: what other than the double would be so?"""
    score = _nearest(written) if re.fullmatch(DECIMAL, written, re.ASCII) else None
    line = f"q Q0 x 1 {written} t\n".encode()
    qrels = {"q": {"x": 1}}
    if score is None:
        with pytest.raises(InputError, match=r"the score is .*; expected a finite number"):
            rankspec.evaluate(qrels, io.BytesIO(line), "RR", backend=by)
        return
    lines = line + f"q Q0 tied 2 {score!r} t\n".encode()
    result = rankspec.evaluate(qrels, io.BytesIO(lines), "RR", ties="expected", backend=by)
    assert result["RR"] == 0.75


@BY
@pytest.mark.parametrize("exponent", ["e99999999999", "e" + "9" * 5000])
@pytest.mark.spec("RS-CONV-19/L3")
def test_an_exponent_may_be_of_any_length(by, exponent):
    lines = f"q Q0 x 1 1{exponent.replace('e', 'e-')} t\nq Q0 y 1 0 t\n".encode()
    result = rankspec.evaluate(
        {"q": {"x": 1}}, io.BytesIO(lines), "RR", ties="expected", backend=by
    )
    assert result["RR"] == 0.75
    run = io.BytesIO(f"q Q0 x 1 1{exponent} t".encode())
    with pytest.raises(InputError, match="expected a finite number"):
        rankspec.evaluate({"q": {"x": 1}}, run, "RR", backend=by)


@BY
@given(
    written=st.one_of(st.from_regex(r"\A[+-]?[0-9]{1,20}\Z", fullmatch=True), nearly),
)
@example("9223372036854775807")
@example("9223372036854775808")
@example("-9223372036854775808")
@example("-9223372036854775809")
@example("+007")
@example("1_0")
@example("1.0")
@example("\u0661")
@pytest.mark.spec("RS-CONV-19/L4")
def test_a_label_is_the_whole_number_that_is_written(by, written):
    decimal = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
    whole = re.fullmatch(r"[+-]?[0-9]+", written, re.ASCII)
    label = int(written) if whole else None
    within = label is not None and -(2**63) <= label < 2**63
    if not within and re.fullmatch(decimal, written, re.ASCII):
        label = float(written) if math.isfinite(float(written)) else None  # L3 holds it
    qrels, run = io.BytesIO(f"q 0 x {written}\n".encode()), {"q": {"x": 1.0}}
    if label is None:
        with pytest.raises(InputError, match=r"the label is .*; expected a finite number"):
            rankspec.evaluate(qrels, run, "CG", backend=by)
    elif label < 0:
        with pytest.raises(InputError, match=f"the label {re.escape(str(label))} of document"):
            rankspec.evaluate(qrels, run, "CG", negative="error", backend=by)
    else:
        above = label + 1 if type(label) is int else math.nextafter(label, math.inf)
        names = [rankspec.RR(rel=rel) for rel in (label, above) if rel > 0]
        values = rankspec.evaluate(qrels, run, names, backend=by).mean.values()
        assert list(values) == ([1.0, 0.0] if label else [0.0])


# RS-CONV-19: what is no such file


@BY
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"q 0 a 1\nq 0 b\n", ":2: found 3 columns"),
        (b"q 0 a 1 2\n", ":1: found 5 columns"),
        (b"# comment\nq 0 a 1\n", ":1: found 2 columns"),
        (b"q 0 a 1\rq 0 b 1\n", ":1: found 8 columns"),  # CR alone ends no line
        (b"q 0 a 1\nq 0 b\0 1\n", ":2: found a NUL byte"),
        (b"", ": empty"),
        (b" \r\n\t\n", ": empty"),
        (gzip.compress(b"q 0 a 1\n", mtime=0)[:-4], ": the gzip data end too early"),
        (gzip.compress(b"q 0 a 1\n", mtime=0)[:-8] + bytes(8), ": the gzip data are damaged"),
    ],
)
@pytest.mark.spec("RS-CONV-19")
def test_what_is_no_such_file_is_refused(by, content, message):
    with pytest.raises(InputError, match=f"^the open file{message}"):
        rankspec.evaluate(io.BytesIO(content), {"q": {"a": 1.0}}, "AP", backend=by)


@BY
@pytest.mark.spec("RS-CONV-19")
def test_ids_are_the_same_where_their_bytes_are(by):
    """Composed and decomposed, UTF-8 and not: four documents."""
    names = [b"\xc3\xa9", b"e\xcc\x81", b"\xe9", b"\xef\xbb\xbfq"]
    qrels = b"".join(b"q 0 %s %d\n" % (name, 2**i) for i, name in enumerate(names))
    for i, name in enumerate(names):
        run = io.BytesIO(b"q Q0 %s 1 1 t\n" % name)
        result = rankspec.evaluate(io.BytesIO(qrels), run, "CG", backend=by)
        assert result["CG"] == 2**i
