"""DataFrames of Spark: the bits of one machine, whatever becomes of executors, tasks and rows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.errors import InputError

from ..compat.needs import library
from . import data

library("pyspark")

from pyspark.errors import PythonException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from rankspec import spark as engine  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.spec("RS-CONV-54/L1"),
    pytest.mark.filterwarnings(
        "ignore::rankspec.errors.InputWarning", "ignore::ResourceWarning", "ignore::FutureWarning"
    ),
]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "5")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()


@pytest.fixture
def frames(session):
    """Qrels and run as DataFrames, the run in any order and in some partitions that are empty."""
    qrels = session.createDataFrame(data.qrels(), data.QRELS)
    run = session.createDataFrame(data.shuffled(data.run()), data.RUN).repartition(3)
    return qrels, run.unionAll(run.limit(0))


def values(found):
    """{measure: {query: value}} of all rows; a query has one row."""
    rows = [row.asDict() for row in found.per_query.collect()]
    assert len({row["query"] for row in rows}) == len(rows)
    return {
        str(m): {row["query"]: row[str(m)] for row in rows if row[str(m)] is not None}
        for m in found.measures
    }


def check(found, one):
    """Compares what Spark has with what one machine has, bit for bit."""
    assert values(found) == one.per_query
    assert found.mean == one.mean
    assert found.whole.warnings == one.warnings
    assert found.whole.highest == one.highest
    for name in found.mean:
        assert found.definition(name) == one.definition(name)
    found.unpersist()


GIVEN = [
    {},
    {"queries": "run", "undefined": "omit", "results": "decimals-5"},
    {"unjudged": "highest", "undefined": "omit"},
    {"profile": "trec_eval-9"},
    {"profile": "gdeval", "queries": "both"},
    {"partitions": 1, "ties": "expected", "depth": None, "pool": "retrieved"},
]


@pytest.mark.parametrize("given", GIVEN, ids=str)
def test_the_bits_of_one_machine(frames, given):
    measures = [*data.MEASURES, "infAP"]  # which has conventions of its own
    if "unjudged" in given:
        measures = ["nDCG@10", "P@5"]
    if given.get("profile") == "gdeval":
        measures = ["nDCG@20", "ERR@20"]
    one = {name: x for name, x in given.items() if name != "partitions"}
    expected = rs.evaluate(data.qrels(), data.run(), measures, **one)
    check(engine.evaluate(*frames, measures, **given), expected)


@pytest.mark.parametrize("kind", ["int", "bigint", "decimal(12,0)"])
def test_ids_are_texts_and_integers_of_any_type(session, kind):
    number = Decimal if kind.startswith("decimal") else int
    qrels = [(number(q[1:]), number(d[1:]), x) for q, d, x in data.qrels()]
    run = [(str(int(q[1:])), int(d[1:]), x) for q, d, x in data.run() if d[0] == "d"]
    one = rs.evaluate([(str(q), str(d), x) for q, d, x in qrels], run, data.MEASURES)
    found = engine.evaluate(
        session.createDataFrame(qrels, f"query_id {kind}, doc_id {kind}, relevance tinyint"),
        session.createDataFrame(run, "qid string, docno smallint, score double"),
        data.MEASURES,
    )
    assert values(found) == one.per_query
    assert found.mean == one.mean


def test_the_order_of_rows_is_that_of_a_column(session):
    rows = [(*row, a) for a, row in enumerate(data.doubled(data.run()))]
    qrels = [(*row, a) for a, row in enumerate(data.doubled(data.qrels()))]
    run = session.createDataFrame(data.shuffled(rows), f"{data.RUN}, line int")
    judged = session.createDataFrame(data.shuffled(qrels), f"{data.QRELS}, line bigint")
    for given in (
        {"ties": "input", "duplicates": "last"},
        {"order": "file", "duplicates": "first"},
        {"ties": "input", "duplicates": "best"},
    ):
        one = rs.evaluate([x[:3] for x in qrels], [x[:3] for x in rows], data.MEASURES, **given)
        check(engine.evaluate(judged, run, data.MEASURES, position="line", **given), one)
        with pytest.raises(InputError, match=r"position: .* name a column"):
            engine.evaluate(judged, run, data.MEASURES, **given)
    twice = session.createDataFrame(
        [*rows, ("q030", "z", 1.0, rows[0][3])] * 2, f"{data.RUN}, line int"
    )
    with pytest.raises(InputError, match="have the position"):
        assert engine.evaluate(judged, twice, "AP", ties="input", position="line").mean
    for name in ("no", "score"):
        with pytest.raises(InputError, match="position"):
            engine.evaluate(judged, run, "AP", ties="input", position=name)


def wrong_rows():
    qrels, run = data.qrels(), data.run()
    yield (
        "twice in the run",
        qrels,
        run + run[:1],
        r'run: .*document "d\d+" of query "q000" occurs a second',
    )
    yield "twice in the qrels", qrels + qrels[-1:], run, r'qrels: .*of query "q089" occurs a second'
    yield "no score", qrels, [*run, ("q1", "d", None)], "run: .*there is no score"
    yield "no query", qrels, [*run, (None, "d", 1.0)], "run: .*there is no query id"
    yield "NaN", qrels, [*run, ("q1", "d", float("nan"))], "finite"
    yield "no qrels", [], run, "qrels: empty"


@pytest.mark.parametrize(
    ("qrels", "run", "words"), [x[1:] for x in wrong_rows()], ids=[x[0] for x in wrong_rows()]
)
def test_what_is_wrong_with_rows_is_said(session, qrels, run, words):
    made = session.createDataFrame(qrels, data.QRELS), session.createDataFrame(run, data.RUN)
    found = engine.evaluate(*made, data.MEASURES)
    with pytest.raises(InputError, match=words):
        assert found.mean
    if qrels:
        with pytest.raises(PythonException, match=words):
            found.per_query.collect()


def test_what_is_wrong_with_arguments_is_said_before_anything_is_read(frames, session):
    qrels, run = frames
    odd = session.createDataFrame([(1.0, "d", 1)], "query_id double, doc_id string, score int")
    text = session.createDataFrame(
        [("q", "d", "1")], "query_id string, doc_id string, score string"
    )
    for given, words in (
        ((qrels, data.run(), "AP"), "run: expected a DataFrame of Spark, got"),
        ((qrels, run, "nope"), "unknown measure"),
        ((qrels, odd, "AP"), 'column "query_id" of query ids is of type double'),
        ((qrels, text, "AP"), 'column "score" of scores is of type string'),
        ((run, qrels, "AP"), "swapped"),
    ):
        with pytest.raises(InputError, match=words):
            engine.evaluate(*given)
    with pytest.raises(InputError, match="partitions"):
        engine.evaluate(qrels, run, "AP", partitions=0)


def test_rows_of_a_query_come_to_one_task_whatever_spark_coalesces(session, frames):
    found = engine.evaluate(*frames, "AP")
    plan = found.per_query._jdf.queryExecution().toString()
    assert plan.count("hashpartitioning(query") >= 1
    for coalesce in ("true", "false"):
        session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", coalesce)
        check(engine.evaluate(*frames, "AP"), rs.evaluate(data.qrels(), data.run(), "AP"))


def test_an_executor_that_is_killed_in_the_middle_changes_no_bit(tmp_path):
    """Two executors in processes of their own, with speculation; one dies after a block."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.engines.cluster", str(tmp_path / "killed")],
        cwd=ROOT,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout.strip().splitlines()[-1])
    assert report["killed"] > 0
    assert not Path(f"/proc/{report['killed']}").exists()
    begun = report["begun"]
    assert len(begun) > len(set(begun))  # some partition once more
    assert report["mean"] == report["one"]
    assert report["values"] == report["own"]
    assert report["rows"] == len(report["own"])
