"""The experiment of karmaker-2022 on MQ2008: what is read, and what is expected of each query."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rankspec.papers.karmaker_2022 import experiment
from rankspec.papers.karmaker_2022.printed import CUTOFFS


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("letor_mq2008")


def labels_of(path: Path) -> list[list[int]]:
    queries: dict[str, list[int]] = {}
    with gzip.open(path, "rt", encoding="ascii") as rows:
        for row in rows:
            label, query, _ = row.split(" ", 2)
            queries.setdefault(query, []).append(int(label))
    return list(queries.values())


def tenths(values: Iterator[float]) -> list[int]:
    return np.histogram(list(values), bins=10, range=(0, 1))[0].tolist()


def expected_ap(labels: list[int]) -> float:
    """RS-ERR-5: E[SP@k] = Np / (n (n - 1)) ((Np - 1) k + Nn H_k), for k up to n."""
    n, N_p = len(labels), sum(label > 0 for label in labels)
    found = Fraction(0)
    for k in CUTOFFS:
        H = sum((Fraction(1, i) for i in range(1, min(k, n) + 1)), Fraction(0))
        sp = Fraction(N_p, n * (n - 1)) * ((N_p - 1) * min(k, n) + (n - N_p) * H)
        found += sp / k / len(CUTOFFS)
    return float(found)


def expected_ndcg(labels: list[int]) -> float:
    """The mean gain at every rank, over the ideal order."""
    gains = 2.0 ** np.array(sorted(labels, reverse=True)) - 1
    discounts = 1 / np.log2(np.arange(len(gains)) + 2)
    return float(
        np.mean(
            [gains.mean() * discounts[:k].sum() / (gains * discounts)[:k].sum() for k in CUTOFFS]
        )
    )


@pytest.mark.slow
@pytest.mark.spec("RS-ERR-5")
def test_histograms(folder: Path) -> None:
    queries = [labels for n in (1, 2, 3) for labels in labels_of(folder / f"S{n}.txt.gz")]
    relevant = [labels for labels in queries if any(labels)]
    read = experiment.read(folder)
    files = read.files
    assert [file.name for file in files] == ["S1.txt.gz", "S2.txt.gz", "S3.txt.gz"]
    assert [len(file.queries) + file.without for file in files] == [157] * 3
    assert [query.labels for file in files for query in file.queries] == relevant
    for study, expected in {"MAP": expected_ap, "nDCG": expected_ndcg}.items():
        ours = experiment.over_cutoffs(experiment.at_cutoffs(study, 0, read.queries, None, "c"))
        assert experiment.in_bins(ours) == tenths(map(expected, relevant))
