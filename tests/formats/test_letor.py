"""LETOR files: what they say, what is refused, and that they are read in blocks."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st

import rankspec as rs
from rankspec.formats import letor
from rankspec.formats.streams import Stream

from ..each import each
from ..laws.law import law

pytestmark = pytest.mark.spec("RS-CONV-21")

ROWS = b"""\
2 qid:7 1:0.5 2:3 # a
0 qid:7 1:0.5
1 qid:7 1:0.25 2:1
0 qid:8 1:1
1 qid:8 1:2
"""
MEASURES = ["nDCG@2", "AP", "RR", "P@3"]
TIES = ["expected", "input", "best", "worst"]


class Row(NamedTuple):
    """A row as a test makes it: values by feature, None for NULL."""

    label: float
    query: str
    values: dict[int, float | None]


VALUES = st.one_of(st.none(), st.sampled_from([0.0, 0.5, -1.0, 1e300, 0.1]))
LABELS = st.sampled_from([0, 1, 2, 3, -1, 0.5])


@st.composite
def tables(draw: Any) -> list[Row]:
    """The rows of one to three queries; some row has each of the features 1 and 2."""
    table = []
    for query in draw(st.permutations(["7", "q-8", "x:1"]))[: draw(st.integers(1, 3))]:
        for _ in range(draw(st.integers(1, 5))):
            features = draw(st.sets(st.sampled_from([1, 2, 12, 21])))
            values = {n: draw(VALUES) for n in sorted(features)}
            table.append(Row(draw(LABELS), query, values))
    return [row._replace(values={1: 0.5, 2: 0.5, **row.values}) for row in table[:1]] + table[1:]


def text_of(table: list[Row], qid: bool = True) -> bytes:
    lines = []
    for row in table:
        values = (f"{n}:{'NULL' if x is None else repr(x)}" for n, x in row.values.items())
        name = [f"qid:{row.query}"] if qid else []
        lines.append(" ".join([repr(row.label), *name, *values]) + "\n")
    return "".join(lines).encode()


def as_run(table: list[Row], feature: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Qrels and a run whose documents are the rows."""
    qrels: dict[str, Any] = {row.query: {} for row in table}
    run: dict[str, Any] = {row.query: {} for row in table}
    for a, row in enumerate(table):
        qrels[row.query][f"d{a}"] = row.label
        x = row.values.get(abs(feature), 0.0)
        if x is not None:
            run[row.query][f"d{a}"] = x if feature > 0 else -x
    return qrels, run


def without_nulls(f: Callable[..., Any]) -> Callable[..., Any]:
    """Takes NULL for 0."""
    return lambda file, *a, **b: f(io.BytesIO(file.read().replace(b"NULL", b"0")), *a, **b)


def highest_first(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *a, feature, **b: f(*a, feature=abs(feature), **b)


HOW = st.fixed_dictionaries(
    {"ties": st.sampled_from(TIES)},
    optional={
        "negative": st.sampled_from(["zero", "unjudged"]),
        "undefined": st.sampled_from(["zero", "one", "omit"]),
        "pool": st.just("retrieved"),
        "unjudged": st.just("condensed"),
        "scores": st.just("float32"),
    },
)


def check_as_a_run(api: Any, table: list[Row], feature: int, how: dict[str, Any]) -> None:
    file = io.BytesIO(text_of(table))
    found = api.evaluate_letor(file, MEASURES, feature=feature, **how)
    expected = rs.evaluate(*as_run(table, feature), MEASURES, **how)
    assert found.per_query == expected.per_query
    assert found.queries == expected.queries
    assert repr(found.mean) == repr(expected.mean)  # a NaN is not equal to itself


_FEATURES = st.sampled_from([1, 2, -1, -2])
test_as_a_run = pytest.mark.spec("RS-CONV-21/L1")(
    law(evaluate_letor=without_nulls, table=tables(), feature=_FEATURES, how=HOW)(check_as_a_run)
)
test_lowest_first = pytest.mark.spec("RS-CONV-21/L1")(
    law(evaluate_letor=highest_first, table=tables(), feature=_FEATURES, how=HOW)(check_as_a_run)
)


def dressed(text: bytes) -> bytes:
    """The same rows in another form."""
    lines = [b"# a comment", b""]
    for line in text.splitlines():
        label, qid, *values = line.split()
        cells = [label, b"", qid, *reversed(values), b"99:nonsense:x"]
        lines.append(b" " + b"\t".join(cells) + b" # 1:7 2:7 qid:0\r")
        lines.append(b"  # 1 qid:3 1:1")
    return b"\n".join(lines)


def reading_comments(f: Callable[..., Any]) -> Callable[..., Any]:
    """Takes a comment for a row, in a file that is not compressed."""

    def broken(file: io.BytesIO, *a: Any, **b: Any) -> Any:
        text = file.read()
        return f(io.BytesIO(text.replace(b"  # 1 qid:3", b"1 qid:3", 1)), *a, **b)

    return broken


@pytest.mark.spec("RS-CONV-21/L2")
@law(
    evaluate_letor=reading_comments,
    table=tables(),
    feature=st.sampled_from([1, 2]),
    packed=st.sampled_from([bytes, gzip.compress, bz2.compress, lzma.compress]),
)
def test_form(api: Any, table: list[Row], feature: int, packed: Any) -> None:
    plain = rs.evaluate_letor(io.BytesIO(text_of(table)), MEASURES, feature=feature)
    file = io.BytesIO(packed(dressed(text_of(table))))
    assert api.evaluate_letor(file, MEASURES, feature=feature).per_query == plain.per_query


@pytest.mark.spec("RS-CONV-21/L2")
@law(
    evaluate_letor=lambda f: (
        lambda *a, group, **b: f(
            *a, group=io.BytesIO(b"\n".join(sorted(group.read().split()))), **b
        )
    ),
    table=tables().filter(lambda table: len({row.query for row in table}) > 1),
    end=st.sampled_from([b"", b"\n"]),
)
def test_group_files(api: Any, table: list[Row], end: bytes) -> None:
    with_qid = rs.evaluate_letor(io.BytesIO(text_of(table)), MEASURES, feature=1)
    counts = [sum(row.query == query for row in table) for query in with_qid.queries]
    group = io.BytesIO(b"\n".join(b"%d" % n for n in counts) + end)
    file = io.BytesIO(text_of(table, qid=False))
    found = api.evaluate_letor(file, MEASURES, feature=1, group=group)
    assert found.queries == tuple(str(a + 1) for a in range(len(counts)))
    for measure in MEASURES:
        values = [with_qid.per_query[measure][q] for q in with_qid.queries]
        assert list(found.per_query[measure].values()) == values


def parts_of(table: list[Row]) -> list[list[Row]]:
    """The rows of each query."""
    names = dict.fromkeys(row.query for row in table)
    return [[row for row in table if row.query == name] for name in names]


@pytest.mark.spec("RS-CONV-21/L3")
@law(
    evaluate_letor=lambda f: lambda file, *a, **b: f(file[::-1], *a, **b),
    table=tables().filter(lambda table: len({row.query for row in table}) > 1),
    choose=st.randoms(use_true_random=False),
)
def test_parts(api: Any, table: list[Row], choose: Any) -> None:
    """By a feature, by predictions and with groups, each part alone has what all have as one."""
    numbers = [choose.randrange(4) for _ in table]
    parts = parts_of(table)
    ends = [sum(map(len, parts[:a])) for a in range(len(parts) + 1)]
    own = [numbers[begin:end] for begin, end in pairwise(ends)]
    sizes = [len(part) for part in parts]

    def files(qid: bool = True) -> list[io.BytesIO]:
        return [io.BytesIO(text_of(part, qid)) for part in parts]

    whole = partial(rs.evaluate_letor, measures=MEASURES)
    by_feature = whole(io.BytesIO(text_of(table)), feature=1)
    found = api.evaluate_letor(files(), MEASURES, feature=1)
    assert (found.queries, found.per_query) == (by_feature.queries, by_feature.per_query)
    predicted = whole(io.BytesIO(text_of(table)), predictions=numbers)
    found = api.evaluate_letor(files(), MEASURES, predictions=own)
    assert (found.per_query, found.mean) == (predicted.per_query, predicted.mean)
    grouped = whole(io.BytesIO(text_of(table, qid=False)), feature=1, group=sizes)
    found = api.evaluate_letor(files(False), MEASURES, feature=1, group=[[n] for n in sizes])
    assert (found.queries, found.per_query) == (grouped.queries, grouped.per_query)


PART = b"1 qid:9 1:2\n0 qid:9 2:5\n"


def test_a_query_in_two_parts(tmp_path: Path) -> None:
    """Queries by qid or by group; the same file twice, too."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_bytes(b"# rows\n" + ROWS)
    second.write_bytes(PART + b"\n2 qid:8 1:3\n")
    expected = (
        f'{second}:4: a further row of query "8", whose rows began in {first}:5; the rows of a '
        "query must be adjacent, in one file (RS-CONV-21)"
    )
    with pytest.raises(rs.InputError, match=f"^{re.escape(expected)}$"):
        rs.evaluate_letor([first, second], "RR", feature=1)
    parts: list[Any] = [io.BytesIO(b"1 qid:2 1:3\n"), io.BytesIO(b"1 1:3\n")]
    with pytest.raises(rs.InputError, match=r'^file\[1\]:1: .* "2", whose .* in file\[0\]:1;'):
        rs.evaluate_letor(parts, "RR", feature=1, group=[None, [1]])
    with pytest.raises(rs.InputError, match=r'first\.txt:2: .*"7",.* in .*first\.txt:2;'):
        rs.evaluate_letor([first, first], "RR", feature=1)


def test_parts_with_groups_and_with_qids() -> None:
    """By hand. The queries without a qid are the second and the third of the collection."""
    parts = [b"1 qid:a 1:3\n0 qid:a 1:2\n", b"0 1:3\n1 1:2\n1 1:1\n", PART]
    files = [io.BytesIO(part) for part in parts]
    found = rs.evaluate_letor(files, "RR", feature=1, group=[None, io.StringIO("2\n1\n"), None])
    assert found.per_query["RR"] == {"a": 1.0, "2": 0.5, "3": 1.0, "9": 1.0}


def test_a_feature_of_one_part_ranks() -> None:
    """In the others all rows have 0; what no part names is refused, with the names of all."""
    files = [io.BytesIO(ROWS), io.BytesIO(PART)]
    found = rs.evaluate_letor(files, "P@1", feature=2, ties="best").per_query["P@1"]
    assert found == {"7": 1.0, "8": 1.0, "9": 0.0}
    files = [io.BytesIO(ROWS), io.BytesIO(PART)]
    with pytest.raises(rs.InputError, match=r"^file\[0\], file\[1\]: no row has the feature 3"):
        rs.evaluate_letor(files, "P@1", feature=3)


PARTS: dict[str, tuple[dict[str, Any], str]] = {
    "no file": (
        {"feature": 1, "file": []},
        r"^file: expected at least one file, got an empty list",
    ),
    "numbers in a row": (
        {"predictions": [1, 2, 3, 4, 5, 6, 7]},
        r"^predictions: .* list of files; expected a list .* for each of the 2, got 7 items",
    ),
    "an array": ({"predictions": np.zeros(7)}, r"^predictions: .* each of the 2, got array"),
    "numbers for files": ({"predictions": [1, 2]}, r"^predictions\[0\]: "),
    "of one part": ({"predictions": [[1] * 5]}, r"^predictions: .* for each of the 2, got 1 items"),
    "too few": (
        {"predictions": [[1] * 5, [1]]},
        r"^predictions\[1\]: 1 numbers, but file\[1\] has more rows",
    ),
    "of the first too few": (
        {"predictions": [io.StringIO("1\n1\n"), [1] * 5]},
        r"^predictions\[0\]: 2 numbers, but file\[0\] has more rows",
    ),
    "too many": (
        {"predictions": [io.StringIO("1\n" * 6), [1, 1]]},
        r"^predictions\[0\]: more numbers than the 5 rows of file\[0\];",
    ),
    "too many at the end": (
        {"predictions": [[1] * 5, [1] * 3]},
        r"^predictions\[1\]: more numbers than the 2 rows of file\[1\];",
    ),
    "a NaN": (
        {"predictions": [[1] * 5, [1, float("nan")]]},
        r"^predictions\[1\]: the number at position 1 is nan",
    ),
    "one group": ({"feature": 1, "group": [3, 2, 2]}, r"^group: .* each of the 2, got 3 items"),
    "a group of a qid": (
        {"feature": 1, "group": [None, [2]]},
        r"^file\[1\]:1: found a qid, where a group file says the queries",
    ),
    "no groups": (
        {"feature": 1, "group": [None, [0]]},
        r"^group\[1\]: the number at position 0 is 0",
    ),
    "a word": (
        {"feature": 1, "file": [io.BytesIO(ROWS), io.BytesIO(b"1 qid:9 1:2\nx\n")]},
        r'^file\[1\]:2: found the label "x"',
    ),
    "an empty part": (
        {"feature": 1, "file": [io.BytesIO(ROWS), io.BytesIO(b"#\n")]},
        r"^file\[1\]: empty",
    ),
}


@each(("how", "message"), PARTS.values(), ids=PARTS)
def test_refused_parts(how: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(**{"file": [io.BytesIO(ROWS), io.BytesIO(PART)], **how}, measures="RR")


@pytest.mark.parametrize("block", [1, 2, 3, 7, 16, 20, 23, 64, 1000])
def test_blocks(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    """Wherever blocks are cut, the values are the same, and so are the lines in errors."""
    numbers = b"3\n2\n1\n5\n4\n"
    plain = rs.evaluate_letor(io.BytesIO(ROWS), MEASURES, feature=1).per_query
    predicted = rs.evaluate_letor(io.BytesIO(ROWS), MEASURES, predictions=io.BytesIO(numbers))
    monkeypatch.setattr(letor, "BLOCK", block)
    assert rs.evaluate_letor(io.BytesIO(ROWS), MEASURES, feature=1).per_query == plain
    again = rs.evaluate_letor(io.BytesIO(ROWS), MEASURES, predictions=io.BytesIO(numbers))
    assert again.per_query == predicted.per_query
    without_qid = ROWS.replace(b"qid:7 ", b"").replace(b"qid:8 ", b"")
    how = {"feature": 1, "group": io.BytesIO(b"3\n2")}
    found = rs.evaluate_letor(io.BytesIO(without_qid), MEASURES, **how)
    assert [list(x.values()) for x in found.per_query.values()] == [
        list(x.values()) for x in plain.values()
    ]
    with pytest.raises(
        rs.InputError, match=r"^the open file:6: a further row of query \"7\",.* in line 1;"
    ):
        rs.evaluate_letor(io.BytesIO(ROWS + b"1 qid:7 1:3"), MEASURES, feature=1)
    with pytest.raises(rs.InputError, match=r"^the open file:5: found \"x\""):
        rs.evaluate_letor(io.BytesIO(ROWS), MEASURES, predictions=io.BytesIO(b"3\n2\n1\n5\nx\n"))


def many_rows(queries: int) -> Iterator[bytes]:
    for query in range(queries):
        yield b"%d qid:%d 1:%d 2:1\n" % (query % 3, query, query % 7) * 10


def test_rows_are_not_all_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those of a block, and of the query that it cuts."""
    monkeypatch.setattr(letor, "BLOCK", 4096)
    file = io.BytesIO(b"".join(many_rows(2000)))
    pieces = [
        len(rows.labels)
        for rows in letor._queries(letor._Part(0, 0, Stream(file), None), [1], None)
    ]
    assert sum(pieces) == 20_000
    assert max(pieces) < 300
    one, other = (b"".join(many_rows(900)), b"".join(many_rows(1000)).replace(b"qid:", b"qid:b"))
    parts = [io.BytesIO(one), io.BytesIO(other)]
    blocks = letor.read_rows(parts, None, [letor.feature_of(1)], lambda _: None)
    pieces = [len(rows.labels) for rows, _ in blocks]
    assert sum(pieces) == 19_000
    assert max(pieces) < 300


def test_features_and_predictions_are_of_the_same_rows(tmp_path: Path) -> None:
    """By hand: a and b tie, then c; then the second row before the first."""
    by_feature = rs.evaluate_letor(io.BytesIO(ROWS), "P@1", feature=1)
    assert by_feature.per_query["P@1"] == {"7": 0.5, "8": 1.0}
    for numbers in ([1, 2, 3, 4, 3], np.array([1, 2, 3, 4, 3], np.float32)):
        found = rs.evaluate_letor(io.BytesIO(ROWS), "RR", predictions=numbers)
        assert found.per_query["RR"] == {"7": 1.0, "8": 0.5}
    path = tmp_path / "scores.txt"
    path.write_bytes(b" 1\r\n2e0\n+3\n4\n3")
    assert rs.evaluate_letor(io.BytesIO(ROWS), "RR", predictions=path).per_query["RR"] == {
        "7": 1.0,
        "8": 0.5,
    }


def test_a_feature_is_not_found_in_another() -> None:
    """1 in 11 or 21, in a comment, in the qid, or in a value."""
    file = b"0 qid:1:9 11:5 21:6 1:1 #  1:3\n1 qid:1:9 1:2 31:1\n1 qid:1:9 11:9# 1:9\n"
    found = rs.evaluate_letor(io.BytesIO(file), ["RR", "P@2"], feature=1)
    assert found.per_query == {"RR": {"1:9": 1.0}, "P@2": {"1:9": 0.5}}


def test_whole_labels_are_numbers_however_they_are_written() -> None:
    for labels in ((b"1", b"0"), (b"1.0", b"0.0"), (b"+1e0", b"-0"), (b"001", b".0")):
        file = b"%b qid:1 1:2\n%b qid:1 1:3\n" % labels
        assert rs.evaluate_letor(io.BytesIO(file), "RR", feature=1)["RR"] == 0.5


def test_labels_that_are_scores() -> None:
    text = b"410 qid:1 1:3\n12.5 qid:1 1:2\n-35 qid:1 1:1\n"
    found = rs.evaluate_letor(io.BytesIO(text), "nDCG@2", feature=1, relevance="phi")
    assert found["nDCG@2"] == rs.ndcg_phi([410, 12.5, -35], k=2)


class TestGroupFilesBeside:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        text = ROWS.replace(b"qid:7 ", b"").replace(b"qid:8 ", b"")
        Path("rank.test").write_bytes(text)
        Path("rank.test.gz").write_bytes(gzip.compress(text))
        Path("with.qid").write_bytes(ROWS)
        return tmp_path

    @pytest.mark.parametrize(
        ("file", "query"),
        [
            ("rank.test", "rank.test.query"),
            ("rank.test.gz", "rank.test.query"),
            ("rank.test.gz", "rank.test.gz.query"),
        ],
    )
    def test_found_by_name(self, file: str, query: str) -> None:
        Path(query).write_text("3\n2\n")
        found = rs.evaluate_letor(file, "P@1", feature=1)
        assert found.per_query["P@1"] == {"1": 0.5, "2": 1.0}

    def test_a_qid_comes_first(self) -> None:
        Path("with.qid.query").write_text("1\n4\n")
        assert rs.evaluate_letor("with.qid", "P@1", feature=1).queries == ("7", "8")
        with pytest.raises(rs.InputError, match=r"with\.qid:1: found a qid"):
            rs.evaluate_letor("with.qid", "P@1", feature=1, group="with.qid.query")

    def test_given(self) -> None:
        Path("other").write_text("4\n1")
        found = rs.evaluate_letor("rank.test", "P@1", feature=1, group="other")
        assert list(found.per_query["P@1"].values()) == [0.0, 1.0]

    @pytest.mark.parametrize(
        ("sizes", "message"),
        [
            ("3\n", r"^rank\.test:4: this row is in none of the 1 groups of sizes"),
            ("3\n3\n", r"^sizes:2: this group has 3 rows, but rank\.test has only 2 "),
            ("3\n2\n1\n", r"^sizes:3: this group has 1 rows, but rank\.test has only 0 "),
            ("3\n\n2\n", r'^sizes:2: found ""; expected the number of rows'),
            ("3\n0\n2\n", r'^sizes:2: found "0"; expected'),
            ("3\n2.0\n", r'^sizes:2: found "2\.0"; expected'),
            ("3 2", r'^sizes:1: found "3 2"; expected'),
            (
                "3\r2",
                r"^sizes:1: found .* \(a carriage return without a line feed does not end a line\)"
                r"; expected",
            ),
            ("", r"^rank\.test:1: this row is in none of the 0 groups of sizes"),
        ],
    )
    def test_refused(self, sizes: str, message: str) -> None:
        Path("sizes").write_text(sizes)
        with pytest.raises(rs.InputError, match=message):
            rs.evaluate_letor("rank.test", "P@1", feature=1, group="sizes")


BAD = {
    # what is wrong: (the file, the message)
    "no qid": (b"1 1:3\n", r"^the open file:1: found no qid behind the label; expected label qid"),
    "no qid, but a group": (
        b"1 1:3\n",
        r"number of rows of each query, give it: group \(--group\)",
    ),
    "an empty qid": (b"1 qid: 1:3\n", r":1: found no qid"),
    "a qid that is missing later": (b"1 qid:1 1:3\n1 1:3\n", r":2: found no qid"),
    "a label alone": (b"1 qid:1 1:1\n1\n", r":2: found no qid"),
    "a word for a label": (b"\nq 0 d 1\n", r':2: found the label "q", no finite number;'),
    "a comment in the label": (b"1#2 qid:1 1:3\n", r":1: found no qid"),
    "an infinite label": (b"inf qid:1 1:3\n", r'label "inf"'),
    "a grouped label": (b"1_0 qid:1 1:3\n", r'label "1_0"'),
    "a word for a value": (b"1 qid:1 1:x\n", r':1: found the feature 1 as "x", no finite number'),
    "no value": (b"1 qid:1 1: 2:3\n", r':1: found "1:", no feature:value'),
    "an infinite value": (b"1 qid:1 1:-inf\n", r'the feature 1 as "-inf"'),
    "a NaN": (b"1 qid:1 1:nan\n", r'the feature 1 as "nan"'),
    "a value beyond doubles": (b"1 qid:1 1:1e999\n", r'the feature 1 as "1e999"'),
    "a grouped value": (b"1 qid:1 1:1_0\n", r'the feature 1 as "1_0"'),
    "null in other letters": (b"1 qid:1 1:null\n", r'the feature 1 as "null"'),
    "a feature twice": (b"1 qid:1 1:3 2:2 1:4\n", r":1: found the feature 1 a second time"),
    "no such feature": (b"1 qid:1 11:3 # 1:1\n", r"^the open file: no row has the feature 1 "),
    "a query again": (
        b"1 qid:a 1:1\n0 qid:b\n\n0 qid:a\n",
        r':4: a further row of query "a",.* line 1;',
    ),
    "a zero byte": (b"1 qid:1 1:1\n1 qid:1\0\n", r":2: found a NUL byte"),
    "nothing": (b"", r": empty; expected rows: label qid:ID"),
    "comments alone": (b"# no\n\n", r": empty"),
}


@each("backend", ["c", "reference"])
@each(("file", "message"), BAD.values(), ids=BAD)
def test_refused(file: bytes, message: str, backend: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(io.BytesIO(file), "RR", feature=1, backend=backend)


NO_FEATURES = {
    # what stands in a row behind the qid, and which part of it is no feature
    "foo": "foo",
    "1=9": "1=9",
    "1 :9": "1",
    "1 0.3": "1",
    "01:2": "01:2",
    "0:3 1:4": "0:3",
    "-2:3": "-2:3",
    "+1:3": "+1:3",
    "x:9 1:2": "x:9",
    "1:2 x:9": "x:9",
    "1:2 3:": "3:",
    "1:2 :3": ":3",
    "1:2 1.5:3": "1.5:3",
    "1:2 1_0:3": "1_0:3",
    "qid:2 1:2": "qid:2",
    "1:2 qid:1": "qid:1",
    "1:2 0": "0",
}


@each(("cells", "wrong"), NO_FEATURES.items(), ids=NO_FEATURES)
@each("blank", [" ", "  ", "\t"])
@each("ranking", [{"feature": 1}, {"feature": 2}, {"predictions": [1, 2]}])
def test_what_is_no_feature_is_refused(
    cells: str, wrong: str, blank: str, ranking: dict[str, Any]
) -> None:
    """Passed over, it would leave the feature that ranks with the value 0, say."""
    message = rf':2: found "{re.escape(wrong)}", no feature:value \(features are 1, 2, '
    end = blank.join(["", *cells.split(), "# 1:1"])
    text = f"1 qid:1 1:1 2:2\n1 qid:1{end}\n"
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(io.BytesIO(text.encode()), "RR", **ranking)
    if not wrong.startswith("qid"):
        without_qid = text.replace("qid:1 ", "").replace("qid:1\t", "").encode()
        with pytest.raises(rs.InputError, match=message):
            rs.evaluate_letor(io.BytesIO(without_qid), "RR", **ranking, group=[2])


def test_line_ends_of_cr_alone() -> None:
    """They make one row of a file, and are named in what is wrong with that."""
    text = b"1 qid:1 1:1\r0 qid:1 1:2\r"
    lone = r"\(a carriage return without a line feed does not end a line\)"
    with pytest.raises(rs.InputError, match=rf':1: found "0", no feature.* {lone}'):
        rs.evaluate_letor(io.BytesIO(text), "RR", feature=1)
    for crlf in (b"1 qid:1 1:1\r\n0 qid:1 x\r\n", b"1 qid:1 1:1\r\n0 qid:1 x\r"):
        with pytest.raises(rs.InputError, match=r':2: found "x"') as caught:
            rs.evaluate_letor(io.BytesIO(crlf), "RR", feature=1)
        assert "carriage return" not in str(caught.value)


FILES: dict[str, tuple[Any, str]] = {
    "bytes": (ROWS, r"^file: expected a path or an open file, got bytes; .* io\.BytesIO\(rows\)"),
    "lists": ([[1, 2]], r"^file\[0\]: expected a path or an open file, got list \("),
    "a number": (3, r"^file: expected a path or an open file, got int \("),
    "an array": (np.zeros((2, 2)), r"^file: expected a path or an open file, got ndarray \("),
    "nothing": (None, r"^file: expected a path or an open file, got NoneType \("),
}


@pytest.mark.parametrize(("file", "message"), FILES.values(), ids=FILES)
def test_refused_files(file: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(file, "RR", feature=1)
    with pytest.raises(rs.InputError, match=message):
        rs.classify_letor(file, "RR", features=[1])


WITHOUT_QID = ROWS.replace(b"qid:7 ", b"").replace(b"qid:8 ", b"")


@pytest.mark.parametrize("group", [[3, 2], (3, 2), np.array([3, 2]), np.array([3, 2], np.uint8)])
def test_group_sizes(group: Any) -> None:
    found = rs.evaluate_letor(io.BytesIO(WITHOUT_QID), "P@1", feature=1, group=group)
    assert found.per_query["P@1"] == {"1": 0.5, "2": 1.0}
    how: dict[str, Any] = {"features": [1], "group": group, "top": 1}
    assert [x.query for x in rs.classify_letor(io.BytesIO(WITHOUT_QID), "RR", **how).queries] == [
        "1",
        "2",
    ]


GROUPS: dict[str, tuple[Any, str]] = {
    "too few": ([3], r"^the open file:4: this row is in none of the 1 groups of group "),
    "too many": (
        [3, 2, 1],
        r"^group: position 2: this group has 1 rows, but the open file has only 0 ",
    ),
    "too large": (
        [3, 4],
        r"^group: position 1: this group has 4 rows, but the open file has only 2 ",
    ),
    "zero": (
        [3, 0, 2],
        r"^group: the number at position 1 is 0; expected the number of rows of a query, an int",
    ),
    "negative": ([-3], r"^group: the number at position 0 is -3; "),
    "a fraction": ([2.5, 2.5], r"^group: the number at position 0 is 2\.5; "),
    "infinite": ([float("inf")], r"^group: the number at position 0 is inf; "),
    "words": (["3", "2"], r"^group: '3' at position 0 is not a number"),
    "lists": ([[3], [2]], r"^group: expected a flat list"),
    "bytes": (b"3\n2\n", r"^group: expected a list of numbers, got bytes"),
    "a number": (5, r"^group: the array has 0 dimensions"),
    "none": ([], r"^the open file:1: this row is in none of the 0 groups"),
}


@pytest.mark.parametrize(("group", "message"), GROUPS.values(), ids=GROUPS)
def test_refused_group_sizes(group: Any, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(io.BytesIO(WITHOUT_QID), "P@1", feature=1, group=group)


NUMBERS = {
    "too few": (b"1\n2\n3\n4\n", r"^the open file: 4 numbers, but .* has more rows; expected one "),
    "too many": (b"1\n2\n3\n4\n5\n6\n", r"^the open file: more numbers than the 5 rows of "),
    "a blank line": (b"1\n2\n\n4\n5\n6\n", r"^the open file:3: blank line; expected a number"),
    "a blank line at the end": (b"1\n2\n3\n4\n5\n\n", r"^the open file:6: blank line"),
    "a header": (b"score\n1\n", r'^the open file:1: found "score"; expected a finite number, one'),
    "two columns": (b"1 2\n", r':1: found "1 2"; expected'),
    "line ends of CR": (
        b"1\r2\r3\r",
        r":1: found .* \(a carriage return without a line feed does not end a line\); ex",
    ),
    "a NaN": (b"1\nnan\n", r':2: found "nan"'),
    "infinite": (b"1\n2\ninf\n", r':3: found "inf"'),
    "grouped": (b"1\n1_0\n", r':2: found "1_0"'),
    "a short list": ([1, 2, 3], r"^predictions: 3 numbers, but .* has more rows"),
    "a long list": ([1] * 6, r"^predictions: more numbers than the 5 rows"),
    "lists": ([[1, 2, 3], [4, 5]], r"^predictions: expected a flat list"),
    "a NaN in a list": (
        [1, 2, float("nan"), 4, 5],
        r"^predictions: the number at position 2 is nan",
    ),
    "words": (["1", "2"], r"^predictions: '1' at position 0 is not a number"),
}


@each(("numbers", "message"), NUMBERS.values(), ids=NUMBERS)
def test_refused_predictions(numbers: Any, message: str) -> None:
    source = io.BytesIO(numbers) if isinstance(numbers, bytes) else numbers
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(io.BytesIO(ROWS), "RR", predictions=source)


CHOICES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing ranks": ({}, r"^give either a feature or predictions, which rank the rows"),
    "two rank": (
        {"feature": 1, "predictions": [1]},
        r"^give either a feature or predictions, which rank the rows",
    ),
    "feature 0": ({"feature": 0}, r"^feature: expected an integer from 1 on .*, got 0$"),
    "a true feature": ({"feature": True}, r"^feature: expected an integer from 1 on .*, got True$"),
    "a word": ({"feature": "1"}, r"^feature: expected an integer from 1 on .*, got '1'$"),
    "ties by id": ({"feature": 1, "ties": "id-ascending"}, r'^ties: "id-ascending" orders by doc'),
    "a profile by id": (
        {"feature": 1, "profile": "gdeval"},
        r'^ties: "id-descending" \(of the profile "gdeval"\) orders .*: ties="expected", or --ties',
    ),
    "extremes": ({"feature": 1, "ties": "input", "unjudged": "lowest"}, r'^unjudged: "lowest"'),
    "no backend": ({"feature": 1, "backend": "rust"}, r'^unknown backend "rust"'),
    "a depth in a tie": ({"feature": 1, "depth": 1}, r'rank 1 and the next of query "7" are tied'),
}


@pytest.mark.parametrize(("how", "message"), CHOICES.values(), ids=CHOICES)
def test_refused_choices(how: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.evaluate_letor(io.BytesIO(ROWS), "RR", **how)


def test_a_label_that_a_measure_cannot_take() -> None:
    text = ROWS + b"# high\n1024 qid:9 1:1\n"
    with pytest.raises(rs.InputError, match=r"^the open file:7: measure .*: label 1024: "):
        rs.evaluate_letor(io.BytesIO(text), "nDCG(gain='exp2')", feature=1)


def test_a_negative_label_is_0_for_a_measure() -> None:
    """Which refuses those below 0 itself."""
    text = b"-1 qid:9 1:1\n1 qid:9 1:2\n"
    for negative in ("zero", "unjudged"):
        found = rs.evaluate_letor(io.BytesIO(text), "nDCG", feature=1, negative=negative)
        assert found["nDCG"] == 1.0


def test_negative_labels() -> None:
    text = ROWS + b"-2 qid:9 1:2\n1 qid:9 1:1\n"
    for negative, p in (("zero", 0.5), ("unjudged", 0.5)):
        found = rs.evaluate_letor(io.BytesIO(text), "P@2", feature=1, negative=negative)
        assert found.per_query["P@2"]["9"] == p
    with pytest.raises(rs.InputError, match=r"^the open file:6: the label -2 is negative"):
        rs.evaluate_letor(io.BytesIO(text), "P@2", feature=1, negative="error")


def test_a_profile_with_other_ties() -> None:
    for profile, how in (("sklearn", {}), ("ranx", {}), ("trec_eval-9", {"ties": "expected"})):
        found = rs.evaluate_letor(io.BytesIO(ROWS), "nDCG", feature=1, profile=profile, **how)
        assert found.profile == profile


def test_the_definition_says_what_ranks() -> None:
    found = rs.evaluate_letor(io.BytesIO(ROWS), "AP", feature=-1)
    definition = found.definition("AP")
    assert definition["order"] == "feature 1, ascending; where a row has none, 0 (RS-CONV-21)"
    assert definition["queries"] == "those of the rows (RS-CONV-21)"
    assert "duplicates" not in definition
    assert found.ties == "expected"
    predicted = rs.evaluate_letor(io.BytesIO(ROWS), "AP", predictions=[1, 2, 3, 4, 5])
    assert predicted.definition("AP")["order"] == "predictions, descending (RS-CONV-21)"
