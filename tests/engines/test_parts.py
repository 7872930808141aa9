"""Blocks of whole queries, wherever they are, have the values and the means of all rows at once."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pyarrow as pa
import pytest

import rankspec as rs
from rankspec.errors import InputError
from rankspec.evaluation.conventions import CONVENTIONS
from rankspec.evaluation.parts import Part, block_of, highest_of, merged, needs_highest
from rankspec.evaluation.plans import asked
from rankspec.evaluation.profiles import PROFILES
from rankspec.formats.batches import whole_queries
from rankspec.formats.frames import by_column

from ..each import each
from . import data

pytestmark = [
    pytest.mark.spec("RS-CONV-54/L1"),
    pytest.mark.filterwarnings("ignore::rankspec.errors.InputWarning"),
]

ALL = [*data.MEASURES, "P@5", "nDCG(gain='exp2')@5", "Judged@5", "infAP"]
EXTREME = ["nDCG@10", "P@5", "RR", "AP"]  # of which the lowest and the highest values are known
QRELS, RUN = data.qrels(42, 8), data.run(40, 12)  # few queries, but of each kind


def columns(rows, table):
    """Rows as columns; None: there are none."""
    number = "relevance" if table == "qrels" else "score"
    if table == "qrels" and not rows:
        return None
    types = [pa.string(), pa.string(), pa.float64()]
    if all(type(x) is int for _, _, x in rows):
        types[2] = pa.int64()
    cells = list(zip(*rows, strict=True)) if rows else [[], [], []]
    arrays = [pa.array(x, type=t) for x, t in zip(cells, types, strict=True)]
    return pa.table(dict(zip(("query_id", "doc_id", number), arrays, strict=True)))


def in_parts(qrels, run, measures, number, backend="auto", **given):
    """({measure: {query: value}}, what is known of the whole), of so many blocks."""
    random = Random(number)
    plan = asked(given.pop("profile", None), given).plan(measures)
    order = plan.conventions.order
    blocks = defaultdict(lambda: ([], []))
    place = defaultdict(lambda: random.randrange(number))
    for table, rows in enumerate((qrels, run)):
        for row in rows:
            blocks[place[row[0]]][table].append(row)

    def read(rows, table):
        made = columns(rows, table)
        return made if made is None else by_column(made, table, order)

    read_blocks = [(read(q, "qrels"), read(r, "run")) for q, r in blocks.values()]
    highest = None
    if needs_highest(plan):
        highest = max(highest_of(plan, q, backend=backend) for q, _ in read_blocks)
    values, parts = {str(m): {} for m in plan.measures}, []
    for q, r in read_blocks:
        found = block_of(plan, q, r, highest=highest, backend=backend)
        for name, column in zip(values, found.values, strict=True):
            own = zip(found.queries, column, strict=True)
            values[name] |= {query: x for query, x in own if x is not None}
        parts.append(Part.from_bytes(bytes(found.part)))
    random.shuffle(parts)
    half = len(parts) // 2  # merged in another grouping, too
    return values, merged(plan, [sum(parts[:half], Part()), *parts[half:]])


def same(a, b):
    """Whether doubles are the same, NaN among them."""
    return {x: repr(y) for x, y in a.items()} == {x: repr(y) for x, y in b.items()}


def check(qrels, run, measures, numbers=(1, 7), backend="auto", **given):
    """Compares blocks with all rows at once; errors with errors."""
    try:
        one = rs.evaluate(
            columns(qrels, "qrels"), columns(run, "run"), measures, backend=backend, **given
        )
    except InputError as error:
        for number in numbers:
            with pytest.raises(InputError) as raised:
                in_parts(qrels, run, measures, number, backend, **given)
            spec = str(error).rpartition("(")[2]
            assert str(raised.value).endswith(spec), (given, error, raised.value)  # noqa: PT017
        return None
    for number in numbers:
        values, whole = in_parts(qrels, run, measures, number, backend, **given)
        assert set(values) == set(one.per_query)
        for name, found in values.items():
            assert same(found, one.per_query[name]), (given, number, name)
        assert same(whole.mean, one.mean), (given, number)
        assert whole.queries == len(one.queries)
        assert (whole.missing, whole.extra) == (len(one.missing), len(one.extra))
        assert whole.without_relevant == len(one.without_relevant)
        assert (whole.highest, whole.warnings) == (one.highest, one.warnings)
    return one


def every_convention():
    """Each value of each convention that a run in a table may have, one at a time.

    The first stands for several at once, and is in the fast lane.
    """
    yield {"queries": "both", "undefined": "nan", "results": "decimals-5"}
    for known in CONVENTIONS:
        for value in known.values:
            if known.name != "lines" and (known.name, value) != ("order", "rank"):
                yield {known.name: value}
    yield from ({"depth": 4}, {"depth": 4, "unjudged": "condensed"}, {"rel": 2}, {"gain": "exp2"})
    for unjudged in ("lowest", "highest"):
        for undefined in ("omit", "one"):
            yield {"unjudged": unjudged, "undefined": undefined}


@each("conventions", every_convention(), fast=15)
def test_every_convention(conventions):
    measures = EXTREME if conventions.get("unjudged") in ("lowest", "highest") else ALL
    if conventions.get("relevance", "label") != "label":
        measures = ["nDCG@10", "nDCG_phi"]
    qrels, run = QRELS, RUN
    if "duplicates" in conventions:
        qrels, run = data.doubled(qrels), data.doubled(run)
    if "labels" in conventions or "relevance" in conventions:
        qrels = [(q, d, x / 2) for q, d, x in qrels]
    check(qrels, run, measures, **conventions)


@each("conventions", [x for x in every_convention() if "relevance" not in x], fast=12)
def test_no_convention_is_an_error_all_the_time(conventions):
    """Else the comparison above would compare errors alone."""
    measures = EXTREME if conventions.get("unjudged") in ("lowest", "highest") else ALL
    if check(QRELS, RUN, measures, numbers=(), **conventions) is None:
        assert tuple(conventions.values()) in {("error",), ("kept",), ("complete",), ("same",)}


@each("profile", PROFILES, fast=3)
def test_every_profile(profile):
    qrels = [(q, d, max(x, 0)) for q, d, x in QRELS]
    run = [row for row in RUN if row[0] >= "q020"]
    judged = {q for q, _, _ in qrels} & {q for q, _, _ in run}
    qrels = [row for row in qrels if row[0] in judged]  # some ask for the same queries
    measures = []
    for name in (*ALL, "nDCG", "DCG@5", "ERR@5", "RBP", "Success@3"):
        try:
            rs.evaluate(qrels, run, name, profile=profile.name)
        except InputError:
            continue
        measures.append(name)
    assert measures
    assert check(qrels, run, measures, profile=profile.name) is not None


@pytest.mark.slow
@each("given", every_convention())
def test_by_the_reference(given):
    measures = EXTREME if given.get("unjudged") in ("lowest", "highest") else data.MEASURES
    if "relevance" not in given:
        check(data.qrels(40, 5), data.run(30, 6), measures, (3,), "reference", **given)


@each(
    "change",
    [
        pytest.param(lambda _, r: ([], r), id="no qrels"),
        pytest.param(lambda q, _: (q, []), id="no run"),
        pytest.param(lambda q, r: (q, [(f"x{a}", b, c) for a, b, c in r]), id="no common query"),
        pytest.param(lambda q, r: (q, [(a, f"x{b}", c) for a, b, c in r]), id="no judged document"),
        pytest.param(
            lambda q, r: (q, r + [(a, x, 99.0) for a in {a for a, _, _ in r} for x in "xy"]),
            id="no judged document among the first",
        ),
        pytest.param(lambda q, r: ([(a, b, c - 9) for a, b, c in q], r), id="all below 0"),
        pytest.param(lambda q, r: (q, [(a, b, c // 1) for a, b, c in r]), id="scores like labels"),
        pytest.param(lambda q, r: (q, r + r[:1]), id="a document twice in the run"),
        pytest.param(lambda q, r: (q + q[-1:], r), id="a document twice in the qrels"),
        pytest.param(
            lambda q, r: ([(a, b, c / 7 - 1) for a, b, c in q], [(a, b, c // 1) for a, b, c in r]),
            id="swapped",
        ),
    ],
)
@each("conventions", [{}, {"queries": "both"}, {"queries": "run"}, {"depth": 2}], fast=2)
def test_what_is_wrong_with_the_whole(change, conventions):
    qrels, run = change(QRELS, RUN)
    if qrels:
        check(qrels, run, data.MEASURES, **conventions)
    else:
        with pytest.raises(InputError, match="qrels: empty"):
            in_parts(qrels, run, data.MEASURES, 3, **conventions)


def test_a_value_beyond_doubles_is_named():
    qrels = [("q", "d", 1023), ("p", "d", 1)]
    with pytest.raises(InputError, match=r'"q".*RS-NUM-5'):
        in_parts(
            [*qrels, ("q", "e", 1023), ("q", "f", 1023)],
            [("q", x, 1.0) for x in "def"] + [("p", "d", 1.0)],
            ["DCG(gain='exp2')"],
            2,
        )


def batches(rows, size):
    table = columns(rows, "run")
    return table.to_batches(max_chunksize=size)


@each("size", [1, 2, 3, 7, 50, 1000])
def test_blocks_hold_whole_queries(size):
    rows = sorted(data.run(12, 5))
    for least in (1, 4, 30, 10_000):
        found = [
            x.column("query_id").to_pylist()
            for x in whole_queries(batches(rows, size), "query_id", least)
        ]
        assert [q for own in found for q in own] == [q for q, _, _ in rows]
        for a, own in enumerate(found):
            assert all(set(own).isdisjoint(other) for other in found[a + 1 :])
            assert len(own) >= least or a == len(found) - 1
            last = len({*own}) > 1 and own.index(own[-1])
            assert len(own) < least + size + max(map(own.count, own)) or not last


def test_a_query_of_null_is_a_block_like_another():
    table = pa.table({"query_id": [None, None, "a", "b"], "x": [1, 2, 3, 4]})
    found = list(whole_queries(table.to_batches(max_chunksize=1), "query_id", 1))
    assert [x.column("x").to_pylist() for x in found] == [[1, 2], [3], [4]]
