"""The sample of NTCIREVAL, with what it prints for two tables of gains and for a cut-off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs

from ..each import each

FILES = {"": ([0, 1, 2, 3], 1000), "_cutoff": ([0, 1, 2, 3], 2), "_grade": ([0, 1, 4, 9], 1000)}


def printed(path: Path) -> dict[str, str]:
    """What it prints by name, without the cut-off."""
    lines = [line.split("=") for line in path.read_text().splitlines() if "=" in line]
    pairs = [(name.strip(), x[0].strip()) for name, *x in lines if not name.startswith(" #")]
    return {name.partition("@")[0] + "@" * ("@" in name): x for name, x in pairs}


def measures(table: list[int], k: int) -> dict[str, Any]:
    stop = [g / (table[-1] + 1) for g in table]
    how: dict[str, Any] = {"gain": table}
    plain: dict[str, Any] = {"gain": table, "beta": 0}
    return {
        "RR": rs.RR(),
        "O-measure": rs.O_measure(**how),
        "P-measure": rs.P_measure(**how),
        "P-plus": rs.P_plus(**how),
        "AP": rs.AP(),
        "Q-measure": rs.Q_measure(**how),
        "NCUgu,P": rs.NCU(stopping="graded", **plain),
        "NCUgu,BR": rs.NCU(stopping="graded", **how),
        "NCUrb,P": rs.NCU(stopping="rank-biased", **plain),
        "NCUrb,BR": rs.NCU(stopping="rank-biased", **how),
        "ERR": rs.ERR(stop=stop),
        "AP@": rs.AP(norm="min", k=k),
        "Q@": rs.Q_measure(k=k, **how),
        "nDCG@": rs.nDCG(k=k, gain=table, discount="jarvelin-2002(b=2)"),
        "MSnDCG@": rs.nDCG(k=k, gain=table),
        "P@": rs.P(k=k),
        "nERR@": rs.nERR(k=k, stop=stop),
        "Hit@": rs.Success(k=k),
    }


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("ntcireval_sample")


def lists(folder: Path) -> tuple[list[int], list[int]]:
    """The labels of the list, unjudged documents as 0, and of the pool."""
    rel = dict(line.split() for line in (folder / "sample.rel").read_text().splitlines())
    pool = {document: int(level[1:]) for document, level in rel.items()}
    shown = (folder / "sample.res").read_text().split()
    return [pool.get(document, 0) for document in shown], [*pool.values(), 0]


@pytest.mark.spec("RS-UTL-3", "RS-UTL-5", "RS-UTL-6", "RS-UTL-7", "RS-UTL-8")
@each("name", FILES)
def test_what_it_prints(name: str, folder: Path) -> None:
    shown, pool = lists(folder)
    expected = printed(folder / f"res_test_compute{name}.txt")
    found = measures(*FILES[name])
    assert set(expected) - set(found) == {"RBP"}  # that of graded labels, which RBP is not
    for metric, measure in found.items():
        assert f"{measure.of(shown, judged=pool):.4f}" == expected[metric], metric


def test_control(folder: Path) -> None:
    shown, pool = lists(folder)
    expected = printed(folder / "res_test_compute.txt")
    assert f"{rs.Q_measure(beta=2).of(shown, judged=pool):.4f}" != expected["Q-measure"]
