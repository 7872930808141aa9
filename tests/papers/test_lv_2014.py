"""lv-2014: Table 3, twelve scenarios, and the constraints of Table 2.

What the paper prints stands in rankspec.papers.lv_2014; what is right is computed here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import rankspec as rs
from rankspec.papers.lv_2014 import COLUMNS, POOL, PRINTED, SCENARIOS

from ..each import each
from . import errata

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
CUTOFFS = [1, 2, 3]


def printed(scenario: int, column: str) -> str:
    return PRINTED[scenario][COLUMNS.index(column)]


def dcg(scenario: int, backend: str) -> list[float]:
    return rs.dcg(SCENARIOS[scenario], k=CUTOFFS, gain="exp2", backend=backend).tolist()


def ndcg(scenario: int, backend: str) -> list[float]:
    labels = SCENARIOS[scenario]
    return rs.ndcg(labels, judged=POOL, k=CUTOFFS, gain="exp2", backend=backend).tolist()


def erroneous() -> set[tuple[int, int]]:
    """(scenario, k) of the cells that the erratum lists; all are of NDCG."""
    return {(int(row[0]), int(row[2].removeprefix("NDCG@"))) for row in errata.table("RS-ERR-3")}


@BACKENDS
@each("scenario", PRINTED)
@pytest.mark.spec("RS-DCG-2", "RS-GAIN-2", "RS-DISC-1")
def test_dcg_is_as_printed(scenario, backend):
    for k, value in zip(CUTOFFS, dcg(scenario, backend), strict=True):
        assert errata.rounded(Fraction(value)) == errata.padded(printed(scenario, f"DCG@{k}"))


@BACKENDS
@each("scenario", PRINTED)
@pytest.mark.spec("RS-DCG-6", "RS-DCG-5", "RS-ERR-3")
def test_ndcg_is_as_printed_but_for_the_erratum(scenario, backend):
    """Every cell: rounded as printed, or listed in the erratum, and never both."""
    values = ndcg(scenario, backend)
    for k, value in zip(CUTOFFS, values, strict=True):
        agrees = errata.rounded(Fraction(value)) == errata.padded(printed(scenario, f"NDCG@{k}"))
        assert agrees != ((scenario, k) in erroneous())


@pytest.mark.spec("RS-ERR-3")
def test_the_table_of_the_erratum():
    rows = errata.table("RS-ERR-3")
    assert len(rows) == len(erroneous()) == 13
    for row in rows:
        scenario, k = int(row[0]), int(row[2].removeprefix("NDCG@"))
        labels = SCENARIOS[scenario]
        exact = rs.certify.ndcg(labels, judged=POOL, k=k, gain="exp2").lower
        assert row[1] == ", ".join(map(str, labels))
        assert row[3] == printed(scenario, f"NDCG@{k}")
        assert row[4] == errata.rounded(exact, places=6)
        assert row[5] == errata.rounded(exact)
        assert errata.truncated(exact) == row[3] != row[5]  # each cell is cut off, not rounded


@pytest.mark.spec("RS-ERR-3")
def test_the_table_does_not_cut_off_throughout():
    """NDCG@3 of the scenarios 6, 7 and 9 is printed rounded."""
    for scenario in (6, 7, 9):
        exact = Fraction(ndcg(scenario, "reference")[2])
        assert errata.rounded(exact) == printed(scenario, "NDCG@3") != errata.truncated(exact)


def cells_by(divisor: Fraction) -> bool:
    """Whether DCG@2 and DCG@3 over that divisor, rounded, are all 24 printed cells."""
    return all(
        errata.rounded(Fraction(dcg(scenario, "reference")[k - 1]) / divisor)
        == errata.padded(printed(scenario, f"NDCG@{k}"))
        for scenario, k in product(PRINTED, (2, 3))
    )


@pytest.mark.spec("RS-ERR-3")
def test_one_other_divisor_explains_all_cells():
    """Any in (3.63873, 3.64261], such as 3.64, IDCG@2 = 3.63093 rounded up."""
    ideal = Fraction(rs.idcg(POOL, k=2, gain="exp2"))
    assert errata.truncated(ideal) == "3.63"
    assert cells_by(Fraction("3.64"))
    assert cells_by(Fraction("3.63874"))
    assert cells_by(Fraction("3.64260"))
    assert not cells_by(Fraction("3.63872"))
    assert not cells_by(Fraction("3.64262"))
    assert not cells_by(ideal)  # by the definition


@pytest.mark.spec("RS-ERR-3")
def test_the_order_of_the_scenarios_is_not_affected():
    for k in CUTOFFS:
        in_print = [Fraction(printed(s, f"NDCG@{k}")) for s in PRINTED]
        exact = [ndcg(s, "reference")[k - 1] for s in PRINTED]
        for a, b in product(range(12), repeat=2):
            assert (exact[a] > exact[b]) >= (in_print[a] > in_print[b])
