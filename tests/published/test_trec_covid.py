"""TREC-COVID round 1: 16 submitted runs, with the scores that NIST published for them.

They were computed with trec_eval -c -M1000.
Among them are runs with ties in every topic, negative scores, topics of one document, and rank
columns that contradict the scores.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Mapping
from ctypes import c_float
from itertools import accumulate
from pathlib import Path
from typing import Any

import flint
import pytest

from rankspec.evaluation.evaluate import Evaluation, evaluate
from rankspec.formats.trec import read_qrels, read_run
from tests.reference.balls import ends_of, log

Table = dict[str, dict[str, Any]]

COLUMNS = {"ndcg@10": "nDCG@10", "MAP": "AP", "p@5": "P@5"}


AS_NIST_DID: dict[str, Any] = {"queries": "qrels", "depth": 1000}
PROFILES = ["trec_eval-9", "trec_eval-10"]


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("trec_covid_r1")


@pytest.fixture(scope="module")
def qrels(folder: Path) -> Table:
    return read_qrels(folder / "qrels-rnd1.txt.gz")


@pytest.fixture(scope="module")
def published(folder: Path) -> dict[str, list[str]]:
    """{run: the scores of COLUMNS as they are printed}"""
    with (folder / "published_scores.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    return {row["run"]: [row[column] for column in COLUMNS] for row in rows}


@pytest.fixture(scope="module")
def runs(folder: Path, published: dict[str, list[str]]) -> dict[str, Table]:
    return {name: read_run(folder / "runs" / f"{name}.gz") for name in published}


def evaluated(qrels: Table, run: Table, profile: str) -> Evaluation:
    return evaluate(qrels, run, COLUMNS.values(), profile=profile, **AS_NIST_DID)


def printed(result: Evaluation) -> list[str]:
    return [f"{result[measure]:.4f}" for measure in COLUMNS.values()]


@pytest.mark.slow
@pytest.mark.spec("RS-DCG-6", "RS-PREC-7", "RS-PREC-2", "RS-CONV-3", "RS-CONV-7", "RS-CONV-9")
@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("profile", PROFILES)
def test_the_published_scores_of_all_runs(
    qrels: Table, runs: dict[str, Table], published: dict[str, list[str]], profile: str
) -> None:
    computed = {name: printed(evaluated(qrels, run, profile)) for name, run in runs.items()}
    assert computed == published


@pytest.mark.slow
@pytest.mark.spec("RS-USR-2", "RS-USR-1")
def test_the_published_rbp_is_graded(folder: Path, qrels: Table, runs: dict[str, Table]) -> None:
    """Of labels up to 2, with p = 0.5; binary RBP is another value for 15 of the 16 runs."""
    with (folder / "published_scores.csv").open(newline="") as file:
        printed = {row["run"]: row["RBP(p=.5)"] for row in csv.DictReader(file)}
    names = ["GRBP(p=0.5, max_rel=2)", "RBP(p=0.5)", "RBP(p=0.5, rel=2)"]
    found = {name: evaluate(qrels, run, names, **AS_NIST_DID) for name, run in runs.items()}
    graded, *binary = ({run: f"{x[name]:.4f}" for run, x in found.items()} for name in names)
    assert graded == printed
    assert [sum(own[run] != printed[run] for run in printed) for own in binary] == [
        15,
        15,
    ]  # control


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-12")
def test_no_run_tells_the_two_versions_apart(qrels: Table, runs: dict[str, Table]) -> None:
    """No two scores of a topic are equal as 32-bit floats only: all doubles are the same."""
    for run in runs.values():
        for scored in run.values():
            distinct = set(scored.values())
            assert len({c_float(score).value for score in distinct}) == len(distinct)
        nine, ten = (evaluated(qrels, run, profile) for profile in PROFILES)
        assert nine.per_query == ten.per_query


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-12", "RS-CONV-18")
def test_control_scores_that_only_doubles_tell_apart(
    qrels: Table, runs: dict[str, Table], published: dict[str, list[str]]
) -> None:
    """The same rankings by scores close to 1: version 10 still prints what NIST published."""
    for name, run in runs.items():
        close = {topic: _close_together(scored) for topic, scored in run.items()}
        assert printed(evaluated(qrels, close, "trec_eval-10")) == published[name]
        assert printed(evaluated(qrels, close, "trec_eval-9")) != published[name]


def _close_together(scored: Mapping[str, float]) -> dict[str, float]:
    """Scores of the same order, with the same ties, that are all 1 as 32-bit floats."""
    places = {score: i for i, score in enumerate(sorted(set(scored.values())))}
    return {document: 1 + places[score] * 2.0**-40 for document, score in scored.items()}


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-16")
def test_more_documents_than_nist_considered(
    qrels: Table, runs: dict[str, Table], published: dict[str, list[str]]
) -> None:
    """Relevant documents below rank 1000 change nothing where 1000 are considered."""
    run = runs["BBGhelani1"]
    assert {len(scored) for scored in run.values()} == {1000}
    longer = {
        topic: {**{d: x for d, x in qrels[topic].items() if d not in scored}, **scored}
        for topic, scored in (
            (topic, {d: score + 1000 for d, score in scored.items()})
            for topic, scored in run.items()
        )
    }
    assert printed(evaluated(qrels, longer, "trec_eval-10")) == published["BBGhelani1"]
    deeper = evaluate(qrels, longer, COLUMNS.values(), profile="trec_eval-10")
    assert printed(deeper) != published["BBGhelani1"]


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-7")
def test_control_the_rank_column_would_give_other_scores(data: Callable[[str], Path]) -> None:
    """The published score of ERST_QUESTION follows its scores: its ranks are another order."""
    folder = data("trec_covid_r1")
    lines = gzip.decompress((folder / "runs" / "ERST_QUESTION.gz").read_bytes()).split(b"\n")
    fields = [line.decode().split() for line in lines if line.strip()]
    by_rank = [(query, document, -int(rank)) for query, _, document, rank, _, _ in fields]
    qrels = folder / "qrels-rnd1.txt.gz"
    by_score = evaluate(qrels, folder / "runs" / "ERST_QUESTION.gz", "nDCG@10")
    assert f"{evaluate(qrels, by_rank, 'nDCG@10')['nDCG@10']:.4f}" != f"{by_score['nDCG@10']:.4f}"


def lndcg(ranked: list[int], pool: list[int], M: int | None, *, eq7: bool) -> float:
    """LNDCG by lv-2014's equations, in balls; the true ideal by trying all lengths."""
    shown, best = ranked[:M], sorted(pool, reverse=True)[:M]
    longest = max(len(shown), len(best))
    d = [1 / log(i + 1, 2) for i in range(1, longest + 1)]
    E = list(accumulate((x * x for x in d), initial=flint.arb(0)))

    def dcg(labels: list[int]) -> flint.arb:
        gained = ((2**label - 1) * x for label, x in zip(labels, d, strict=False) if label)
        return sum(gained, start=flint.arb(0))

    lengths = [best.count(best[0])] if eq7 else range(1, len(best) + 1)
    quotients = [dcg(best[:N]) / E[N] for N in lengths]
    ideal = max(quotients, key=lambda x: float(x.mid()))
    (value,) = {x.numerator / x.denominator for x in ends_of(dcg(shown) / E[len(shown)] / ideal)}
    return float(value)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["PS-r1-bm25none", "BBGhelani1", "wistud_bing"])
@pytest.mark.parametrize("M", [None, 10])
@pytest.mark.spec("RS-LEN-9", "RS-LEN-7", "RS-LEN-6")
def test_lndcg_of_runs(
    folder: Path,
    qrels: Table,
    runs: dict[str, Table],
    name: str,
    M: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every topic of a run of up to 1,000 documents, by python-flint; from the files."""
    monkeypatch.setattr(flint.ctx, "prec", 200)
    measures = ["LNDCG", "LNDCG(ideal='eq7')"]
    files = folder / "qrels-rnd1.txt.gz", folder / "runs" / f"{name}.gz"
    result = evaluate(*files, [m if M is None else f"{m}@{M}" for m in measures])
    for topic, labels in qrels.items():
        scored = runs[name][topic]
        documents = sorted(scored, key=lambda d: (scored[d], d.encode()), reverse=True)
        ranked = [labels.get(document, 0) for document in documents]
        for measure, eq7 in zip(result.per_query.values(), (False, True), strict=True):
            assert measure[topic] == lndcg(ranked, list(labels.values()), M, eq7=eq7)
    assert all(0 < value < 1 for value in result.mean.values())
