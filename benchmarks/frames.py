"""nDCG@10 and AP of qrels and a run in memory, in each form: processor time and memory a row.

    python benchmarks/frames.py [--queries 1000] [--documents 1000] [--rounds 5] [--only NAME]

Each turn is a process of its own, in an order that changes from round to round. It makes frames,
evaluates them once to warm up, then three times; the least processor time of these counts (of all
threads), and the medians over the rounds are printed. A row is one of the qrels or of the run. The
memory is by how much the greatest resident size rose after the frames were made. What is not
installed is left out, by name. The means must be the same in all forms.

Beside them stand numpy and polars, which join, rank and sum the same rows in doubles; their means
may differ in the last bits.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from noted import noted

import rankspec as rs

CALLS = 3
MEASURES = ["nDCG@10", "AP"]
Table = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="NAME", choices=[*FORMS, *OTHERS])
    parser.add_argument("--turn", help="evaluate this form, and print what it takes as JSON")
    arguments = parser.parse_args()
    sizes = arguments.queries, arguments.documents
    if arguments.turn:
        print(json.dumps(turn(arguments.turn, *sizes)))
        return
    report(rounds(arguments.rounds, arguments.only or [*FORMS, *OTHERS], sizes))


def tables(queries: int, documents: int) -> tuple[Table, Table]:
    """Qrels and a run with integers as ids, query by query; half of the run is judged."""
    rng = np.random.default_rng(1)
    n = queries * documents
    ids = np.concatenate(
        [rng.choice(100 * documents, 3 * documents // 2, replace=False) for _ in range(queries)]
    ).reshape(queries, -1)
    query = np.repeat(np.arange(queries), documents)
    qrels = {"query_id": query, "doc_id": ids[:, :documents].ravel().copy()}
    run = {"query_id": query, "doc_id": ids[:, -documents:].ravel().copy()}
    return (
        qrels | {"relevance": rng.choice(4, n, p=[0.7, 0.15, 0.1, 0.05])},
        run | {"score": rng.random(n)},
    )


def turn(name: str, queries: int, documents: int) -> dict[str, Any]:
    """The seconds of processor time of a form, the bytes, and the means."""
    form, evaluate = OTHERS.get(name) or (FORMS[name], evaluated)
    try:
        qrels, run = map(form, tables(queries, documents))
    except ImportError as error:
        return {"missing": str(error)}
    before, seconds = peak(), []
    for _ in range(CALLS + 1):
        begin = time.process_time()
        means = evaluate(qrels, run)
        seconds.append(time.process_time() - begin)
    rows = 2 * queries * documents
    return {
        "ns": min(seconds[1:]) / rows * 1e9,
        "bytes": (peak() - before) / rows,
        "means": means,
    }


def evaluated(qrels: Any, run: Any) -> list[float]:
    found = rs.evaluate(qrels, run, MEASURES)
    return [found[measure] for measure in MEASURES]


def peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def rounds(number: int, names: list[str], sizes: tuple[int, int]) -> dict[str, list[Any]]:
    results: dict[str, list[Any]] = {}
    rng = random.Random(1)
    for _ in range(number):
        for name in rng.sample(names, len(names)):
            command = [sys.executable, __file__, "--turn", name]
            command += ["--queries", str(sizes[0]), "--documents", str(sizes[1])]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            outcome = json.loads(done.stdout)
            if "missing" in outcome:
                print(f"{name}: {outcome['missing']}: left out", file=sys.stderr)
                names.remove(name)
            else:
                results.setdefault(name, []).append(outcome)
    return results


def report(results: dict[str, list[Any]]) -> None:
    means = {name: {tuple(x["means"]) for x in turns} for name, turns in results.items()}
    ours = set().union(*(means.get(name, ()) for name in FORMS))
    all_means = np.array(sorted(set().union(*means.values())))
    if len(ours) > 1 or not np.allclose(all_means, all_means[0], rtol=1e-12, atol=0):
        sys.exit(f"the means differ: {means}")
    print("|  | ns a row | bytes a row |\n|---|---|---|")
    found = {name: median(x["ns"] for x in turns) for name, turns in results.items()}
    noted("data frames", "ns a row", found)
    for name in [*FORMS, *OTHERS]:
        if name in results:
            ns, size = (median(x[key] for x in results[name]) for key in ("ns", "bytes"))
            print(f"| {name} | {ns:.0f} | {size:.0f} |")


# ---- the forms ---------------------------------------------------------------------------


def as_dict(table: Table) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for query, document, x in as_rows(table):
        made.setdefault(query, {})[document] = x
    return made


def as_rows(table: Table) -> list[tuple[str, str, Any]]:
    queries, documents, numbers = (x.tolist() for x in table.values())
    return list(zip(map(str, queries), map(str, documents), numbers, strict=True))


def as_file(table: Table) -> str:
    is_run = "score" in table
    line = "{} Q0 {} 1 {!r} run\n" if is_run else "{} 0 {} {}\n"
    with tempfile.NamedTemporaryFile("w", prefix="rankspec-", delete=False) as file:
        file.writelines(line.format(*row) for row in as_rows(table))
    return file.name


def as_pandas(table: Table, *types: str) -> Any:
    import pandas

    frame = pandas.DataFrame(table)
    for kind in types:
        frame = frame.astype({"query_id": kind, "doc_id": kind})
    return frame


def as_polars(table: Table, *types: str) -> Any:
    import polars

    frame = polars.DataFrame(table)
    for kind in types:
        frame = frame.with_columns(polars.col("query_id", "doc_id").cast(getattr(polars, kind)))
    return frame


def as_arrow(table: Table, text: bool = False) -> Any:
    import pyarrow

    made = {name: pyarrow.array(x) for name, x in table.items()}
    if text:
        made |= {name: made[name].cast(pyarrow.string()) for name in ("query_id", "doc_id")}
    return pyarrow.table(made)


def as_duckdb(table: Table) -> Any:
    import duckdb

    as_arrow(table)  # or an ImportError
    return duckdb.from_arrow(as_arrow(table, text=True))


def shuffled(table: Table) -> Table:
    order = np.random.default_rng(2).permutation(len(table["doc_id"]))
    return {name: x[order] for name, x in table.items()}


FORMS: dict[str, Callable[[Table], Any]] = {
    "dict": as_dict,
    "rows": as_rows,
    "TREC files": as_file,
    "polars, integers": as_polars,
    "polars, text": lambda table: as_polars(table, "String"),
    "polars, categories": lambda table: as_polars(table, "String", "Categorical"),
    "polars, text, in any order": lambda table: as_polars(shuffled(table), "String"),
    "pyarrow, integers": as_arrow,
    "pyarrow, text": lambda table: as_arrow(table, text=True),
    "pandas, integers": as_pandas,
    "pandas, text": lambda table: as_pandas(table, "str"),
    "pandas, categories": lambda table: as_pandas(table, "str", "category"),
    "DuckDB, text": as_duckdb,
}

# ---- others: the same in their own words, in doubles ---------------------------------------


def by_numpy(qrels: Table, run: Table) -> list[float]:
    """Of queries and documents that are numbers, queries together, and scores that all differ."""
    most = 1 + max(x["doc_id"].max() for x in (qrels, run))
    judged, found = (x["query_id"] * most + x["doc_id"] for x in (qrels, run))
    in_order = np.argsort(judged)
    at = np.searchsorted(judged, found, sorter=in_order).clip(max=len(judged) - 1)
    at = in_order[at]
    labels = np.where(judged[at] == found, qrels["relevance"][at], 0)
    labels = labels[np.lexsort((-run["score"], run["query_id"]))]
    pool = qrels["relevance"][np.lexsort((-qrels["relevance"], qrels["query_id"]))]
    n = len(np.unique(run["query_id"]))
    labels, pool = labels.reshape(n, -1), pool.reshape(n, -1)
    discount = 1 / np.log2(np.arange(2, 12))
    ideal, relevant = pool[:, :10] @ discount[: pool.shape[1]], labels > 0
    precisions = relevant.cumsum(1) / np.arange(1, labels.shape[1] + 1)
    ndcg = (labels[:, :10] @ discount[: labels.shape[1]]) / ideal
    ap = (precisions * relevant).sum(1) / (pool > 0).sum(1)
    return [float(ndcg.mean()), float(ap.mean())]


def by_polars(qrels: Any, run: Any) -> list[float]:
    import polars as pl

    def discounted(x: str) -> Any:
        return (pl.col(x) / (pl.col("rank") + 1).log(2)).filter(pl.col("rank") <= 10).sum()

    def ranked(frame: Any, by: str) -> Any:
        in_order = frame.sort("query_id", by, descending=[False, True])
        return in_order.with_columns(rank=pl.int_range(1, pl.len() + 1).over("query_id"))

    joined = run.join(qrels, on=["query_id", "doc_id"], how="left").fill_null(0)
    hit = pl.col("relevance") > 0
    precisions = (hit.cum_sum() / pl.col("rank")).filter(hit).sum()
    lists = ranked(joined, "score").group_by("query_id", maintain_order=True)
    lists = lists.agg(dcg=discounted("relevance"), precisions=precisions)
    pools = ranked(qrels, "relevance").group_by("query_id")
    pools = pools.agg(ideal=discounted("relevance"), relevant=hit.sum())
    both = lists.join(pools, on="query_id")
    return list(
        both.select(
            (pl.col("dcg") / pl.col("ideal")).mean(),
            (pl.col("precisions") / pl.col("relevant")).mean(),
        ).row(0)
    )


OTHERS: dict[str, tuple[Callable[[Table], Any], Callable[[Any, Any], list[float]]]] = {
    "numpy, in doubles": (dict, by_numpy),
    "polars, in doubles": (as_polars, by_polars),
}

if __name__ == "__main__":
    main()
