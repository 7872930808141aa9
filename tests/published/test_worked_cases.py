"""Small cases with expected values, from the test suites of public libraries.

What cases.json says of each (its convention and tolerance) is in that file; here is only which
measure expresses it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.trec import read_qrels, read_run

from ..each import each

IDS = [
    *(f"pytrec_eval.ndcg.{n}" for n in (1, 2, 3)),
    *(f"pytrec_eval.ndcg_cut.{k}" for k in ("1", "2", "3", "1000", "1b")),
    *(f"pyltr.dcg3.{x}" for x in ("", "0", "1", "2", "2_1_0", "0_0_0", "2_5_1", "2_5_1_9")),
    *(f"pyltr.ndcg3.{x}" for x in ("", "0", "1", "2", "2_1_0", "1_2_0", "0_0_0", "2_5_1")),
    *(f"pyltr.ndcg3.{x}" for x in ("2_5_1_9", "3_2_1_1")),
    *(f"ir_measures.gdeval.{x}" for x in ("ndcg20", "ndcg2", "err20", "err2")),
    "ir_measures.cwl",
]


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("worked_cases")


@pytest.fixture(scope="module")
def cases(folder: Path) -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in json.loads((folder / "cases.json").read_text())}


def test_every_case_is_known_here(cases: dict[str, dict[str, Any]]) -> None:
    assert sorted(cases) == sorted(IDS)


@pytest.mark.spec("RS-DCG-2", "RS-DCG-6", "RS-GAIN-2", "RS-CONV-4", "RS-CONV-5", "RS-CONV-8")
@pytest.mark.spec("RS-CONV-18", "RS-CAS-2")
@each("case_id", IDS)
def test_case(case_id: str, cases: dict[str, dict[str, Any]], folder: Path) -> None:
    case = cases[case_id]
    for got, expected in _compared(case, folder):
        assert abs(got - expected) <= case["tolerance"]


def _compared(case: dict[str, Any], folder: Path) -> list[tuple[float, float]]:
    """Pairs of the value here and the expected one."""
    library = case["id"].split(".")[0]
    if case["id"] == "ir_measures.cwl":
        return _compared_cwl(case, folder)
    if library == "pytrec_eval":
        metric, _, k = case["metric"].partition("_cut_")
        measure = f"{metric}_cut.{k}" if k else metric
        run = case["input"]["run"]
        result = evaluate(case["input"]["qrel"], run, measure, profile="trec_eval-9")
        return [
            (result.per_query[str(result.measures[0])][case["input"]["topic"]], case["expected"])
        ]
    name = {"ndcg": "nDCG", "dcg": "DCG", "err": "ERR"}
    metric, k = case["metric"].split("@")
    measure = f"{name[metric]}@{k}"
    if library == "pyltr":
        labels = dict(enumerate(case["input"]["labels_in_rank_order"]))
        qrels = {"q": {f"d{i}": label for i, label in labels.items()}}
        run = {"q": {f"d{i}": -i for i in labels}}
        (value,) = evaluate(qrels, run, measure, gain="exp2").mean.values()
        return [(value, case["expected"])]
    rows = [(row["topic"], row["doc"], row["score"]) for row in case["input"]["run"]]
    result = evaluate(case["input"]["qrel"], rows, measure, profile="gdeval")
    (column,), (mean,) = result.per_query.values(), result.mean.values()
    values = {**column, "mean": mean}
    return [(values[topic], expected) for topic, expected in case["expected"].items()]


def _compared_cwl(case: dict[str, Any], folder: Path) -> list[tuple[float, float]]:
    """AP, P@k and RR as they are; SDCG is DCG over that of a list of relevant documents."""
    qrels = read_qrels(folder / case["input"]["qrel_file"])
    run = read_run(folder / case["input"]["run_file"])
    plain = [name for name in case["expected"] if re.fullmatch(r"AP|RR|P@\d+", name)]
    assert plain == ["AP", "P@1", "P@5", "P@10", "P@20", "RR"]
    result = evaluate(qrels, run, [*plain, "DCG@10"])
    full = evaluate(
        {"q": {str(i): 1 for i in range(10)}}, {"q": {str(i): 0 for i in range(10)}}, "DCG@10"
    )["DCG@10"]
    pairs = [
        (result.per_query[name][topic], expected)
        for name in plain
        for topic, expected in case["expected"][name].items()
    ]
    sdcg = case["expected"]["SDCG(max_rel=1)@10"]
    pairs += [(result.per_query["DCG@10"][topic] / full, x) for topic, x in sdcg.items()]
    assert len(pairs) == 7 * 3
    return pairs


def test_trectools_files_with_mixed_blanks(folder: Path) -> None:
    """Tabs, spaces, and blanks at the ends of lines; documents and labels read by eye."""
    formats = folder / "trectools_format"
    qrels = read_qrels(formats / "qrel1.txt")
    assert [len(documents) for documents in qrels.values()] == [10, 10, 10]
    relevant = {q: {d: x for d, x in docs.items() if x} for q, docs in qrels.items()}
    assert relevant == {
        "1": {"doc1_2": 1, "doc1_7": 2},
        "2": {"doc2_0": 1, "doc2_1": 1, "doc2_2": 1},
        "3": {"doc3_9": 1},
    }
    runs = {name: read_run(formats / f"{name}.run") for name in ("r1", "r2", "r3", "r4")}
    assert runs["r2"] == {
        "1": {"doc1_1": 1.0, "doc1_2": 0.81, "doc1_3": 0.8},
        "3": {"doc2_1": 20.0, "doc2_3": 10.0, "doc2_2": 5.0},
    }
    assert [list(run) for run in runs.values()] == [
        ["1", "2"],
        ["1", "3"],
        ["1", "2"],
        ["1", "2", "3"],
    ]


NTCIREVAL = {
    # file: (cut-off, gain of L0, L1, L2, L3)
    "res_test_compute.txt": (1000, "0-1-2-3"),
    "res_test_compute_cutoff.txt": (2, "0-1-2-3"),
    "res_test_compute_grade.txt": (1000, "0-1-4-9"),
}


@pytest.mark.spec("RS-GAIN-3", "RS-DISC-3", "RS-DCG-6", "RS-PREC-4", "RS-PREC-6", "RS-PREC-7")
@pytest.mark.parametrize("file", NTCIREVAL)
def test_ntcireval(data: Callable[[str], Path], file: str) -> None:
    """pyNTCIREVAL's sample: nDCG with the discount of 2002, MSnDCG with 1/log2(i+1), AP, P, RR."""
    folder = data("ntcireval_sample")
    k, gain = NTCIREVAL[file]
    judged = dict(line.split() for line in (folder / "sample.rel").read_text().splitlines())
    qrels = {"q": {document: int(level[1:]) for document, level in judged.items()}}
    listed = (folder / "sample.res").read_text().split()
    run = {"q": {document: -rank for rank, document in enumerate(listed)}}
    printed = dict(re.findall(r"^ (\S+)= +(\S+)$", (folder / file).read_text(), re.MULTILINE))
    measures = {
        "RR": "RR",
        "AP": "AP",
        f"AP@{k:04}": f"AP(norm='min')@{k}",
        f"P@{k:04}": f"P@{k}",
        f"nDCG@{k:04}": f"nDCG(gain='{gain}', discount='jarvelin-2002(b=2)')@{k}",
        f"MSnDCG@{k:04}": f"nDCG(gain='{gain}')@{k}",
    }
    result = evaluate(qrels, run, measures.values())
    assert {name: f"{result[measure]:.4f}" for name, measure in measures.items()} == {
        name: printed[name] for name in measures
    }


COMPATIBILITIES = {
    0.95: {"31_1": 0.51779512165509, "31_2": 0.018400100569017922},
    0.9: {"31_1": 0.3761334522946854, "31_2": 0.004344079941789211},
    0.8: {"31_1": 0.16723008845234535, "31_2": 0.00022806427320561776},
}
"""Of ir_measures' tests, with CAsT 2019: sums of some 1000 rounded products."""


@pytest.mark.spec("RS-USR-8")
def test_compatibility(folder: Path) -> None:
    files = folder / "compat.qrels", folder / "compat.run"
    for p, expected in COMPATIBILITIES.items():
        for name in (f"Compat(p={p})", f"Compat(p={p})@1000"):  # as the authors' program ends, too
            (found,) = evaluate(*files, name, ties="id-ascending").per_query.values()
            for query, value in expected.items():
                assert abs(found[query] - value) < 1e-13 * value
        (other,) = evaluate(*files, f"Compat(p={p})@5", ties="id-ascending").per_query.values()
        assert abs(other["31_1"] - expected["31_1"]) > 1e-3  # control
