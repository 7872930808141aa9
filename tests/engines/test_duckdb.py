"""Relations of DuckDB, block by block, and functions of SQL: the bits of rs.evaluate()."""

from __future__ import annotations

import pytest

import rankspec as rs
from rankspec.errors import InputError
from rankspec.formats import batches

from ..compat.needs import library
from ..each import each
from . import data
from .test_parts import EXTREME, columns, every_convention, same

duckdb = library("duckdb")

from rankspec import duckdb as engine  # noqa: E402

pytestmark = [
    pytest.mark.spec("RS-CONV-54/L1"),
    pytest.mark.filterwarnings("ignore::rankspec.errors.InputWarning"),
]


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few queries, which are whole all the same."""
    monkeypatch.setattr(engine, "BLOCK", 60)
    monkeypatch.setattr(engine, "BATCH", 50)


@pytest.fixture
def connection():
    with duckdb.connect() as made:
        yield made


def table(rows, what):
    return columns(rows, what)


@pytest.mark.usefixtures("small_blocks")
@each("given", every_convention(), fast=12)
@each("order", ["grouped", "shuffled"])
def test_a_relation_gives_what_a_table_gives(given, order):
    measures = EXTREME if given.get("unjudged") in ("lowest", "highest") else data.MEASURES
    if given.get("relevance", "label") != "label":
        measures = ["nDCG@10"]
    qrels, run = data.qrels(), data.run()
    run = data.shuffled(run) if order == "shuffled" else sorted(run, key=lambda row: row[0])
    if "duplicates" in given:
        qrels, run = data.doubled(qrels), data.doubled(run)
    made = table(qrels, "qrels"), table(run, "run")
    with duckdb.connect() as connection:
        relations = [connection.from_arrow(x) for x in made]
        try:
            one = rs.evaluate(*made, measures, **given)
        except InputError as error:
            with pytest.raises(InputError) as raised:
                engine.evaluate(*relations, measures, **given)
            spec = str(error).rpartition("(")[2]
            assert str(raised.value).endswith(spec)
            return
        found = engine.evaluate(*relations, measures, **given)
    assert {m: sorted(x.items()) for m, x in found.per_query.items()} == {
        m: sorted(x.items()) for m, x in one.per_query.items()
    } or given.get("undefined") == "nan"
    assert all(same(found.per_query[m], one.per_query[m]) for m in one.per_query)
    assert same(found.mean, one.mean)
    assert set(found.queries) == set(one.queries)
    assert (found.missing, found.extra, found.highest) == (one.missing, one.extra, one.highest)
    assert set(found.without_relevant) == set(one.without_relevant)
    if order == "grouped":
        assert found.warnings == one.warnings


@pytest.mark.usefixtures("small_blocks")
def test_it_is_read_in_blocks_and_sorted_only_where_it_must_be(monkeypatch, connection):
    sizes, kinds = [], []
    whole = batches.whole_queries

    def seen(*args):
        kinds.append(args[1])
        for block in whole(*args):
            sizes.append(len(block))
            yield block

    monkeypatch.setattr(engine, "whole_queries", seen)
    qrels, run = data.qrels(), data.run()
    largest = max([q for q, _, _ in run].count(q) for q in {q for q, _, _ in run})
    grouped = sorted(run, key=lambda row: row[0])
    for rows, times in ((grouped, 1), (data.shuffled(run), 2)):
        sizes.clear()
        kinds.clear()
        relation = connection.from_arrow(table(rows, "run"))
        engine.evaluate(table(qrels, "qrels"), relation, "AP")
        assert len(kinds) == times
        assert len(sizes) > 5
        assert max(sizes) <= 60 + 50 + largest


def test_a_folder_of_parquet_and_names_of_columns(tmp_path, connection):
    for a in range(3):
        rows = [row for row in data.run() if int(row[0][1:]) % 3 == a]
        connection.from_arrow(table(rows, "run")).project(
            "query_id as q, doc_id as d, score as s"
        ).write_parquet(str(tmp_path / f"{a}.parquet"))
    names = {"qrels": {}, "run": {"query": "q", "document": "d", "score": "s"}}
    run = connection.sql(f"from '{tmp_path}/*.parquet'")
    found = engine.evaluate(data.qrels(), run, data.MEASURES, columns=names)
    one = rs.evaluate(data.qrels(), data.run(), data.MEASURES)
    assert found.per_query == one.per_query
    assert found.mean == one.mean


@pytest.mark.usefixtures("small_blocks")
@each("kind", ["int", "ubigint", "hugeint", "varchar", "decimal(9, 0)", "names"])
@each("views", [False, True])
def test_ids_of_any_type(kind, views):
    run = [(q[1:].lstrip("0") or "0", d, x) for q, d, x in data.run()]
    qrels = [(q[1:].lstrip("0"), d, x) for q, d, x in data.qrels()]
    one = rs.evaluate(qrels, run, data.MEASURES)
    with duckdb.connect() as connection:
        connection.sql(f"set produce_arrow_string_view = {views}")
        connection.register("run", table(run, "run"))
        if kind == "names":
            connection.sql("create type names as enum (select distinct query_id from run)")
        made = connection.sql(
            f"select query_id::{kind} as query_id, doc_id, score from run"  # noqa: S608
        )
        found = engine.evaluate(qrels, made, data.MEASURES)
    assert found.per_query == one.per_query
    assert found.mean == one.mean


SQL = """
with pools as (select query_id, list(relevance) as pool from qrels group by query_id),
scored as (
    select query_id, rankspec({measure}, list({label} order by {order}), any_value(pool){more}) as x
    from run left join qrels using (query_id, doc_id) join pools using (query_id)
    group by query_id
)
select query_id, x from scored
"""


@pytest.fixture
def tables(connection):
    qrels = [(q, d, max(x, 0)) for q, d, x in data.qrels()]
    connection.register("qrels", table(qrels, "qrels"))
    connection.register("run", table(data.run(), "run"))
    engine.register(connection)
    return qrels, data.run()


@each("measure", ["nDCG@10", "AP", "RR(rel=2)", "ndcg_cut.5", "UL2(nDCG@10)"])
@each("tied", [False, True])
def test_a_function_of_sql(tables, connection, measure, tied):
    sql = SQL.format(
        measure=f"'{measure}'",
        label="relevance",
        order="doc_id" if tied else "score desc, doc_id desc",
        more=", list(score order by doc_id)" if tied else "",
    )
    ties = "expected" if tied else "id-descending"
    one = rs.evaluate(*tables, measure, queries="both", ties=ties)
    (expected,) = one.per_query.values()
    assert dict(connection.sql(sql).fetchall()) == expected
    mean, of_parts = connection.sql(
        f"with v as ({sql}), parts as (select rankspec_part(list(x)) as part from v "  # noqa: S608
        "group by hash(query_id) % 3) select (select rankspec_mean(list(x)) from v), "
        "(select rankspec_mean(list(part)) from parts)"
    ).fetchall()[0]
    assert mean == of_parts == one[measure]


def test_a_measure_of_each_row(tables, connection):  # noqa: ARG001
    sql = """select m, rankspec(m, [3, null, 1], [3, 2, 1]) from
        (values ('RR'), ('nDCG@2'), ('RR'), ('P@3')) t(m)"""
    found = connection.sql(sql).fetchall()
    of = {m: rs.measures(m)[0].of([3, 0, 1], judged=[3, 2, 1]) for m in ("RR", "nDCG@2", "P@3")}
    assert found == [(m, of[m]) for m in ("RR", "nDCG@2", "RR", "P@3")]


@each(
    ("sql", "value"),
    [
        ("rankspec('nDCG', [2, 1.5], [2, 1.5])", 1.0),
        ("rankspec('RR', null, null)", 0.0),
        ("rankspec('RR', []::int[], [1])", 0.0),
        ("rankspec('RR', [null, 1], [1])", 0.5),
        ("rankspec('RR', [1, 0], [1, 0], [1, 1])", 0.75),
        ("rankspec_mean([0.1::double, 0.2, 0.3])", 0.2),
        ("rankspec_mean([]::double[])", None),
        ("rankspec_mean([rankspec_part([0.1::double, 0.2]), rankspec_part([0.3::double])])", 0.2),
    ],
)
def test_values_of_sql(connection, sql, value):
    engine.register(connection)
    assert connection.sql(f"select {sql}").fetchall() == [(value,)]


@each(
    ("sql", "words"),
    [
        ("rankspec('nope', [1], [1])", 'unknown measure "nope"'),
        ("rankspec(null, [1], [1])", "the measure is null"),
        ("rankspec('nDCG@5,10', [1], [1])", "expected one measure, got nDCG@5, nDCG@10"),
        ("rankspec('RR', 'a', [1])", r"expected a list of labels, .* got the type string"),
        ("rankspec('RR', [1])", "2 arguments; expected"),
        ("rankspec('RR', ['a'], [1])", "of type string; expected integers or floats"),
        ("rankspec('RR', [1], [null])", "there is no judged label"),
        ("rankspec('RR', [1], [1], [null])", "there is no score"),
        ("rankspec('AP', [1, 2], [1, 2], [1.0])", "as many scores as labels"),
        ("rankspec('nDCG@2', [3], [1])", "RS-CONV-38"),
        ("rankspec('nDCG@2', [-1], [-1])", "must not be negative"),
        ("rankspec('nDCG@2', ['nan'::double], [1])", "finite"),
        ("rankspec_mean(1)", "expected a list of DOUBLE"),
        ("rankspec_mean(['nan'::double])", "expected a finite double"),
        ("rankspec_mean(['a'::blob])", "not a PartialMean"),
    ],
)
def test_errors_of_sql_say_what_is_wrong(connection, sql, words):
    engine.register(connection)
    with pytest.raises(duckdb.Error, match=words):
        connection.sql(f"select {sql}").fetchall()


def test_what_is_no_relation_is_refused(connection):
    for run in (data.run(), table(data.run(), "run"), "a.run"):
        with pytest.raises(InputError, match="expected a relation of DuckDB"):
            engine.evaluate(data.qrels(), run, "AP")
    with pytest.raises(InputError, match="expected a connection"):
        engine.register("a.db")
    empty = connection.sql("select 'q' as query_id, 'd' as doc_id, 1.0 as score where false")
    one = rs.evaluate(data.qrels(), empty.to_arrow_table(), "AP")
    assert engine.evaluate(data.qrels(), empty, "AP") == one


def test_an_error_of_duckdb_while_it_computes_is_an_input_error(connection):
    fails = connection.sql("select 'q' as query_id, 'd' as doc_id, error('no')::double as score")
    with pytest.raises(InputError, match="cannot be read"):
        engine.evaluate(data.qrels(), fails, "AP")
