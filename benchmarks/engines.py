"""rankspec.spark on a cluster of executor processes on this machine, and rankspec.duckdb.

    python benchmarks/engines.py [--rows 100000 1000000 10000000] [--executors 1 2] [--parquet ROWS]
        [-o FILE]

nDCG@10 and AP of queries of 100 rows of a run and some 10 of qrels, with texts as ids, made by
Spark as they are read. Each figure is of a session of its own: the seconds from the call to the
means, those of the same shuffle and sort of which nothing is evaluated, both also in seconds of
processors (of executors and workers), and the greatest resident memory of a Python worker and of an
executor's JVM. --skewed: a run of so many rows, all of one query. --parquet: a folder of so many
rows in DuckDB, beside the time that DuckDB takes to read its columns. The means must be the same
for all numbers of executors, and those of rs.evaluate() for the same rows in files of Parquet.
-o draws how time and memory grow with the rows.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import rankspec as rs

DOCUMENTS, JUDGED = 100, 10
MEASURES = ["nDCG@10", "AP"]
COLORS = ("#00695c", "#ef6c00", "#4527a0")
MB = 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="*", default=[10**5, 10**6, 10**7])
    parser.add_argument("--executors", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--skewed", type=int, help="rows of one query")
    parser.add_argument("--parquet", type=int, help="rows of a folder that DuckDB reads")
    parser.add_argument("-o", dest="picture", metavar="FILE", help="a picture of the growth")
    given = parser.parse_args()
    if given.rows or given.skewed:
        heads = ["rows", "executors", "s", "of processors", "shuffle alone, s", "of processors"]
        print("|", " | ".join([*heads, "worker, MB", "JVM, MB"]), "|")
        print("|---" * 8 + "|")
    figures = []
    for rows in given.rows:
        found = [of_spark(rows, DOCUMENTS, n) for n in given.executors]
        assert len({str(means) for means, _ in found}) == 1, found
        figures += [own for _, own in found]
    if given.skewed:
        of_spark(given.skewed, given.skewed, max(given.executors))
    if given.parquet:
        of_duckdb(given.parquet)
    if given.picture:
        draw(figures, given.picture)


class Figures(NamedTuple):
    """What an evaluation took: seconds of processors, and MB of a worker and of a JVM."""

    rows: int
    executors: int
    evaluation: float
    shuffle: float
    worker: int
    jvm: int


def of_spark(rows: int, documents: int, executors: int) -> tuple[dict[str, float], Figures]:
    """The means, and what they took; prints a line."""
    from pyspark.sql import SparkSession

    from rankspec import spark as engine

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local-cluster[{executors},1,2048]")
        .config("spark.executor.memory", "2g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", str(max(4, rows // 10**6)))
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(sys.path))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    qrels, run = tables(session, rows, documents)
    small = tables(session, 1000, DOCUMENTS)
    assert engine.evaluate(*small, MEASURES).mean  # workers begin, and code is compiled
    with Taken() as whole:
        found = engine.evaluate(qrels, run, MEASURES)
        means = found.mean
    found.unpersist()
    assert means == of_files(qrels, run), means
    names = ["query_id", "doc_id"]
    both = qrels.select(*names, "relevance").unionAll(run.select(*names, "score"))
    by_query = both.repartition("query_id").sortWithinPartitions("query_id")
    with Taken() as alone:
        assert by_query.mapInArrow(counted, "n long").agg({"n": "sum"}).collect()
    session.stop()
    many = f"{rows:,}" + (" in one query" if documents == rows else "")
    cells = [many, executors, *(f"{x:.1f}" for x in (*whole.seconds, *alone.seconds))]
    print("|", " | ".join(map(str, [*cells, whole.worker, whole.jvm])), "|", flush=True)
    taken = whole.seconds[1], alone.seconds[1], whole.worker, whole.jvm
    return means, Figures(rows, executors, *taken)


def of_files(*tables: Any) -> dict[str, float]:
    """The means that rs.evaluate() has of the same rows, in a file each."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, table in zip(("qrels", "run"), tables, strict=True):
            table.coalesce(1).write.parquet(f"{folder}/{name}", compression="gzip")
            files += Path(folder, name).glob("*.parquet")
        return rs.evaluate(*files, MEASURES).mean


def draw(figures: list[Figures], file: str) -> None:
    """Time and memory by the rows, a line for each number of executors."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.fonttype"] = "none"  # texts as texts
    mpl.rcParams["svg.hashsalt"] = "growth"
    figure, (time_of, memory_of) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for executors, color in zip(sorted({x.executors for x in figures}), COLORS, strict=False):
        own = [x for x in figures if x.executors == executors]
        rows = [x.rows for x in own]
        s = "s" if executors > 1 else ""
        for ax, label, ys, line in (
            (time_of, "evaluation", [x.evaluation for x in own], "o-"),
            (time_of, "shuffle alone", [x.shuffle for x in own], "o--"),
            (memory_of, "JVM", [x.jvm for x in own], "o--"),
            (memory_of, "Python worker", [x.worker for x in own], "o-"),
        ):
            ax.plot(rows, ys, line, color=color, label=f"{label}, {executors} executor{s}")
    for ax, title in ((time_of, "seconds of processors"), (memory_of, "MB of a process")):
        ax.set_xscale("log")
        ax.set_xlabel("rows of the run")
        ax.set_title(title, loc="left", fontsize=10)
        ax.grid(alpha=0.3)
        ax.legend(fontsize=8)
    time_of.set_yscale("log")
    memory_of.set_ylim(bottom=0)
    figure.savefig(file, metadata={"Date": None})


def tables(session: Any, rows: int, documents: int) -> tuple[Any, Any]:
    """Qrels and a run of so many rows."""
    run = session.range(rows).selectExpr(
        f"concat('query-', id div {documents}) as query_id",
        "concat('document-', (id * 7919) % 1000003 + 1000003 * (id div 1000003)) as doc_id",
        "(abs(hash(id)) % 100000) / 1000D as score",
    )
    judged = run.where(f"abs(hash(query_id, doc_id)) % {DOCUMENTS // JUDGED} = 0")
    qrels = judged.selectExpr("query_id", "doc_id", "abs(hash(doc_id)) % 4 as relevance")
    return qrels, run


def counted(batches: Iterable[Any]) -> Iterator[Any]:
    import pyarrow as arrow

    yield arrow.RecordBatch.from_pydict({"n": [sum(batch.num_rows for batch in batches)]})


class Taken:
    """What workers and executors take meanwhile: seconds, by the clock and of processors, and the
    greatest resident memory of one in MB.
    """

    worker = jvm = 0
    seconds = (0.0, 0.0)

    def __enter__(self) -> Taken:
        self._processors: dict[str, tuple[float, float]] = {}
        self._ended = threading.Event()
        self._look()
        self._begin = time.perf_counter()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        clock = time.perf_counter() - self._begin
        self._ended.set()
        self._thread.join()
        self._look()
        self.seconds = clock, sum(last - first for first, last in self._processors.values())

    def _watch(self) -> None:
        while not self._ended.wait(0.2):
            self._look()

    def _look(self) -> None:
        for path in Path("/proc").glob("[0-9]*"):
            try:
                command = (path / "cmdline").read_bytes()
                status = (path / "status").read_text()
                spent = (path / "stat").read_text().rpartition(")")[2].split()[11:13]
            except OSError:
                continue
            if b"pyspark.daemon" in command:
                self.worker = max(self.worker, peak(status))
            elif b"CoarseGrainedExecutorBackend" in command:
                self.jvm = max(self.jvm, peak(status))
            else:
                continue
            now = sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
            first, _ = self._processors.get(path.name, (now, now))
            self._processors[path.name] = first, now


def peak(status: str) -> int:
    lines = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(lines[0].split()[1]) // MB if lines else 0


def of_duckdb(rows: int) -> None:
    """A folder of Parquet in DuckDB: prints the seconds of a scan and of an evaluation."""
    import resource

    import duckdb

    from rankspec import duckdb as engine

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        made = f"""select 'query-' || range // {DOCUMENTS} as query_id,
            'document-' || (range * 7919) %% 1000003 as doc_id,
            hash(range) %% 100000 / 1000 as score from range(%d, %d)"""
        step = max(DOCUMENTS, rows // 10)
        for a in range(0, rows, step):
            connection.sql(f"copy ({made % (a, a + step)}) to '{folder}/{a:012}.parquet'")
        connection.sql("set memory_limit = '2GB'")
        run = connection.sql(f"from '{folder}/*.parquet'")
        begin, cpu = time.perf_counter(), time.process_time()
        connection.sql(
            "select sum(hash(query_id) % 7 + hash(doc_id) % 7), sum(score) from run"
        ).fetchall()
        scan, scan_cpu = time.perf_counter() - begin, time.process_time() - cpu
        qrels = connection.sql("select query_id, doc_id, 1 as relevance from run using sample 1%")
        qrels = qrels.to_arrow_table()
        begin, cpu = time.perf_counter(), time.process_time()
        engine.evaluate(qrels, run, MEASURES)
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // MB
        print(
            f"\nDuckDB, {rows:,} rows of Parquet: a scan {scan:.1f} s ({scan_cpu:.1f} s of "
            f"processors), evaluated in {seconds:.1f} s ({cpu:.1f}), {memory} MB"
        )


if __name__ == "__main__":
    main()
