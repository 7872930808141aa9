"""A Spark of several executor processes, one of which is killed in the middle.

Run in a process of its own, as a SparkContext is the only one of its process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyspark import cloudpickle
from pyspark.sql import SparkSession

import rankspec as rs
from rankspec import spark as engine
from tests.engines import data


def executor() -> int:
    """The process of Java that this worker of Python belongs to."""
    pid = os.getppid()
    while Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() != "java":
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        pid = int(status.split("PPid:")[1].split()[0])
    return pid


def killing(marker: str, task: Any, *args: Any) -> Iterator[Any]:
    """The values of a partition in many blocks, whose executor dies behind the first, once."""
    from pyspark import TaskContext

    from rankspec import spark as there  # where nobody has put this in its place

    with Path(f"{marker}.begun").open("a", encoding="utf-8") as file:
        file.write(f"{TaskContext.get().partitionId()}\n")
    for a, batch in enumerate(there._values(replace(task, rows=60), *args)):
        yield batch
        if a == 0:
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            Path(marker).write_text(str(executor()), encoding="utf-8")
            os.kill(executor(), signal.SIGKILL)


def session(executors: int) -> SparkSession:
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,1024]")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(sys.path),
        "spark.speculation": "true",
        "spark.speculation.multiplier": "1.1",
        "spark.speculation.quantile": "0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.network.timeout": "20s",  # else what the dead one had is waited for for two minutes
        "spark.network.timeoutInterval": "5s",
        "spark.executor.heartbeatInterval": "2s",
        "spark.shuffle.io.retryWait": "1s",
    }.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def main(marker: str) -> None:
    cloudpickle.register_pickle_by_value(sys.modules[__name__])

    def once(*args: Any) -> Iterable[Any]:
        return killing(marker, *args)

    engine._values = once  # type: ignore[assignment]
    spark = session(2)
    spark.sparkContext.setLogLevel("OFF")
    qrels, run = data.qrels(), data.shuffled(data.run())
    found = engine.evaluate(
        spark.createDataFrame(qrels, data.QRELS),
        spark.createDataFrame(run, data.RUN),
        data.MEASURES,
    )
    rows = [row.asDict() for row in found.per_query.collect()]
    report = {
        "mean": {name: x.hex() for name, x in found.mean.items()},
        "values": {row.pop("query"): {m: x.hex() for m, x in row.items()} for row in rows},
        "rows": len(rows),
        "killed": int(Path(marker).read_text(encoding="utf-8")),
        "begun": Path(f"{marker}.begun").read_text(encoding="utf-8").split(),
    }
    one = rs.evaluate(qrels, run, data.MEASURES)
    report["one"] = {name: x.hex() for name, x in one.mean.items()}
    report["own"] = {q: {m: one.per_query[m][q].hex() for m in one.per_query} for q in one.queries}
    print(json.dumps(report))
    spark.stop()


if __name__ == "__main__":
    from tests.engines import cluster  # noqa: PLW0406 - by its name, so that pickle finds it

    cluster.main(sys.argv[1])
