"""jarvelin-2008, appendix: the vectors CG' and DCG' of the gain vector G', with b = 4."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest

import rankspec as rs
from rankspec.papers.jarvelin_2008 import printed

from . import errata

G = [*printed.G]
CG_PRINTED = [int(x) for x in printed.CG]
DCG_PRINTED = [*printed.DCG]

JARVELIN = "jarvelin-2008(b=4)"
BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
RANKS = range(1, 11)


def d(i: int) -> Fraction:
    """1/(1 + log_4 i) to 40 digits, from the certified reference."""
    return rs.certify.dcg([0] * (i - 1) + [1], discount=JARVELIN, digits=40).lower


def by_definition() -> list[Fraction]:
    return list(accumulate(G[i - 1] * d(i) for i in RANKS))


@BACKENDS
@pytest.mark.spec("RS-DCG-1", "RS-DISC-6")
def test_cg_vector(backend):
    assert rs.cg_vector(G, backend=backend).tolist() == CG_PRINTED
    assert rs.dcg_vector(G, discount="none", backend=backend).tolist() == CG_PRINTED
    assert [rs.cg(G, k=i, backend=backend) for i in RANKS] == CG_PRINTED
    assert rs.cg_vector(G[1:] + G[:1], backend=backend).tolist() != CG_PRINTED  # control


@BACKENDS
@pytest.mark.spec("RS-DCG-3", "RS-DISC-2", "RS-ERR-2")
def test_dcg_vector_is_as_printed_but_for_the_erratum(backend):
    """Component by component: printed where the erratum lets it stand, corrected elsewhere."""
    vector = rs.dcg_vector(G, discount=JARVELIN, backend=backend).tolist()
    for value, text, row in zip(vector, DCG_PRINTED, errata.table("RS-ERR-2"), strict=True):
        by_errata, printed_by_errata = row[5], row[6]
        assert printed_by_errata == text
        assert errata.rounded(Fraction(value)) == errata.padded(by_errata)
    agree = [
        i
        for i, (value, text) in enumerate(zip(vector, DCG_PRINTED, strict=True), start=1)
        if errata.rounded(Fraction(value)) == errata.padded(text)
    ]
    assert agree == [1]  # all of the others are in the erratum


@pytest.mark.spec("RS-ERR-2")
def test_the_table_of_the_erratum_is_the_definition_s():
    rows = errata.table("RS-ERR-2")
    values = by_definition()
    increments = [values[0], *(b - a for a, b in pairwise(values))]
    shown = [Fraction(x) for x in DCG_PRINTED]
    steps = [shown[0], *(b - a for a, b in pairwise(shown))]
    for i, row, value, increment, step in zip(RANKS, rows, values, increments, steps, strict=True):
        assert row[:6] == [
            str(i),
            str(G[i - 1]),
            errata.rounded(1 / d(i)),
            errata.rounded(increment),
            errata.rounded(step),
            errata.rounded(value),
        ]


@pytest.mark.spec("RS-ERR-2")
def test_two_increments_explain_every_printed_component():
    """Rank 2 as with the base 2, rank 8 with the gain 3; and no fewer."""
    right = [G[i - 1] * d(i) for i in RANKS]
    as_printed = dict(enumerate(right, start=1))
    as_printed[2] = Fraction(2, 1 + 1)  # 2/(1 + log2 2)
    as_printed[8] = Fraction(3) * d(8)
    shown = [errata.padded(x) for x in DCG_PRINTED]
    assert [errata.rounded(x) for x in accumulate(as_printed.values())] == shown
    for rank in (2, 8):  # the controls: one of the two slips alone does not explain them
        one = {**as_printed, rank: right[rank - 1]}
        assert [errata.rounded(x) for x in accumulate(one.values())] != shown
    differing = [i for i in RANKS if as_printed[i] != right[i - 1]]
    assert differing == [2, 8]


@pytest.mark.spec("RS-ERR-2")
def test_no_base_gives_the_printed_vector():
    """The increment 1.00 at rank 2 asks for b near 2, the increment 1.20 at rank 8 for 22.6.

    Increments are differences of numbers rounded to two decimals, so within 0.01.
    """

    def bases(gain: int, rank: int, increment: float) -> tuple[float, float]:
        # gain/(1 + log_b rank) = x  <=>  b = rank^(x/(gain - x)), rising with x
        return tuple(rank ** (x / (gain - x)) for x in (increment - 0.01, increment + 0.01))

    assert bases(2, 2, 1.00)[1] < 2.1
    assert bases(2, 8, 1.20)[0] > 21
    assert math.isclose(8**1.5, 22.6, rel_tol=2e-3)
    low, high = bases(2, 7, 0.83)  # a control: an increment that the base 4 does give
    assert low < 4 < high


@pytest.mark.spec("RS-ERR-1")
def test_eq_2_as_printed_is_no_cumulation():
    """With log_b i for log_b j: CG[i]/(1 + log_b i), which falls and meets nothing printed."""
    as_printed = [cg * d(i) for i, cg in zip(RANKS, CG_PRINTED, strict=True)]
    shown = ["3", "3.33", "4.46", "4", "3.70", "3.93", "4.58", "5.20", "6.19", "6.01"]
    assert f"⟨{', '.join(shown)}⟩" in " ".join(errata.entry("RS-ERR-1").split())
    assert [errata.rounded(x) for x in as_printed] == [errata.padded(x) for x in shown]
    assert as_printed[3] < as_printed[2]  # nothing gained at rank 4, and yet less
    example = [errata.padded(x) for x in DCG_PRINTED]
    assert [errata.rounded(x) for x in as_printed[:1]] == example[:1]
    for x, component in zip(as_printed[1:], example[1:], strict=True):
        assert errata.rounded(x) != component
    # The paper's own example is constant where the gain is 0, as the corrected formula is.
    for i in (4, 5, 10):
        assert G[i - 1] == 0
        assert example[i - 1] == example[i - 2]
        assert by_definition()[i - 1] == by_definition()[i - 2]
