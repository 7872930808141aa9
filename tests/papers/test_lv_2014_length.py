"""lv-2014, LDCG and LNDCG: Table 3, Table 2, and the claims that the errata correct."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

import rankspec as rs
from rankspec.papers.lv_2014 import COLUMNS, POOL, PRINTED, SCENARIOS, M, quotient
from rankspec.reference.gain import discount_log
from rankspec.reference.length import Z, dcg_of_one, prior, user_expected_dcg
from rankspec.reference.numbers.reals import FLOATS
from rankspec.reference.numerics import nearest_double

from ..each import each
from . import errata

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
SETTINGS = {
    "real labels": {},
    "linear gain": {"gain": "linear"},
    "prior 1, 1/4": {"prior": [1, 0.25]},
    "discount of jarvelin-2002": {"discount": "jarvelin-2002(b=2)"},
    "uniform prior": {"prior": "uniform"},
}
"""How the table of RS-ERR-9 names them."""


def printed(scenario: int, column: str) -> str:
    return errata.padded(PRINTED[scenario][COLUMNS.index(column)])


def ldcg(scenario: int) -> Fraction:
    return rs.certify.ldcg(SCENARIOS[scenario], k=M).lower


@BACKENDS
@each("scenario", PRINTED)
@pytest.mark.spec(
    "RS-LEN-3", "RS-LEN-4", "RS-LEN-5", "RS-LEN-6", "RS-LEN-8", "RS-LEN-9", "RS-ERR-7"
)  # fmt: skip
def test_table_3(scenario, backend):
    """Every cell: rounded as printed, or listed in the erratum, and never both."""
    labels = SCENARIOS[scenario]
    listed = scenario in {int(row[0]) for row in errata.table("RS-ERR-7")}
    value = rs.ldcg(labels, k=M, backend=backend)
    assert (errata.rounded(Fraction(value)) == printed(scenario, "LDCG")) != listed
    for ideal in ("true", "eq7"):
        value = rs.lndcg(labels, judged=POOL, k=M, ideal=ideal, backend=backend)
        assert errata.rounded(Fraction(value)) == printed(scenario, "LNDCG")


@pytest.mark.spec("RS-ERR-7")
def test_the_table_of_the_cells_of_ldcg():
    rows = errata.table("RS-ERR-7")
    assert len(rows) == 3
    for number, labels, column, in_print, exact, correct in rows:
        scenario = int(number)
        assert column == "LDCG"
        assert labels == ", ".join(map(str, SCENARIOS[scenario]))
        assert in_print == printed(scenario, "LDCG")
        assert exact == errata.rounded(ldcg(scenario), places=6)
        assert correct == errata.rounded(ldcg(scenario)) != in_print


@pytest.mark.spec("RS-ERR-7")
def test_one_chain_of_roundings_gives_all_cells_of_ldcg():
    squares = [
        sum(rs.certify.dcg([0] * i + [1], k=3).lower ** 2 for i in range(n)) for n in (1, 2, 3)
    ]
    z = Fraction(rs.user_expected_dcg(1, M=M))
    assert errata.rounded(z, places=6) == "0.469279"

    def cells(z: Fraction, places: int | None) -> list[int]:
        """The scenarios that come out as printed, with the first quotient so rounded."""
        found = []
        for scenario, labels in SCENARIOS.items():
            quotient = Fraction(printed(scenario, "DCG@3")) / z
            if places is not None:
                quotient = Fraction(errata.rounded(quotient, places))
            if errata.rounded(quotient / squares[len(labels) - 1]) == printed(scenario, "LDCG"):
                found.append(scenario)
        return found

    rounded = Fraction(errata.rounded(z, places=3))
    assert rounded == Fraction("0.469")
    assert cells(rounded, 3) == list(PRINTED)
    assert cells(rounded, None) == [s for s in PRINTED if s != 11]  # the second rounding is needed
    assert cells(z, 3) != list(PRINTED)  # and the first


@pytest.mark.spec("RS-ERR-7")
def test_no_one_divisor_gives_both_of_scenarios_3_and_11():
    """Both have two results, and so one divisor; the DCG of the one is three times the other's."""
    three, eleven = SCENARIOS[3], SCENARIOS[11]
    assert len(three) == len(eleven)
    assert rs.dcg(three, gain="exp2") == 3 * rs.dcg(eleven, gain="exp2")
    least, below = Fraction(printed(3, "LDCG")) - Fraction(5, 1000), Fraction("1.525")
    assert (
        errata.rounded(below) != printed(11, "LDCG") == errata.rounded(below - Fraction(1, 10**9))
    )
    assert least == 3 * below


@pytest.mark.spec("RS-ERR-7")
def test_the_order_of_the_scenarios_by_ldcg():
    for a, b in product(PRINTED, repeat=2):
        if Fraction(printed(a, "LDCG")) > Fraction(printed(b, "LDCG")):
            assert ldcg(a) > ldcg(b)


@pytest.mark.spec("RS-ERR-8", "RS-LEN-6", "RS-LEN-8")
def test_the_counterexamples_to_eq_7():
    rows = errata.table("RS-ERR-8")
    assert [int(row[0]) for row in rows] == [2, 3, 4, 5]
    for highest, pool, results, alone, together, lndcg in rows:
        m, n = int(highest), int(results)
        J = [m] + (n - 1) * [m - 1]
        assert pool == f"one {m}, {n - 1} of {m - 1}"
        assert int(alone) == rs.ldcg([m]) == rs.ildcg(J, ideal="eq7")
        assert together == errata.rounded(rs.certify.ldcg(J).lower, places=6)
        assert rs.ildcg(J) == rs.ldcg(J)
        assert lndcg == errata.rounded(rs.certify.lndcg(J, ideal="eq7").lower, places=6)
        assert rs.lndcg(J, ideal="eq7") > 1 == rs.lndcg(J)
        assert rs.lndcg(J[:-1], ideal="eq7") < 1  # control: one result fewer


@pytest.mark.spec("RS-LEN-10", "RS-LEN-11", "RS-ERR-9")
def test_table_2():
    """Both constraints hold for LDCG and LNDCG, as printed, for integer labels."""
    for high in range(1, 30):
        pool = [high, high, high - 1, 0]
        for low in range(high):
            assert rs.ldcg([high], k=2) > rs.ldcg([high, low], k=2)
            one, two = rs.lndcg([[high], [high, low]], judged=[[*pool, low]] * 2)
            assert one > two
        assert rs.ldcg([high], k=2) < rs.ldcg([high, high], k=2)
        one, two = rs.lndcg([[high], [high, high]], judged=[pool, pool])
        assert one < two


@pytest.mark.spec("RS-ERR-9")
def test_where_a_constraint_fails():
    for constraint, setting, one, two, *values in errata.table("RS-ERR-9"):
        exact = []
        for labels, in_print in zip((one, two), values, strict=True):
            r = [float(x) for x in labels.split(",")]
            value = rs.certify.ldcg(r, **SETTINGS[setting]).lower
            assert errata.rounded(value, places=6) == errata.padded(in_print, places=6)
            exact.append(rs.ldcg(r, **SETTINGS[setting]))
        assert exact[0] < exact[1] if constraint == "C1" else exact[0] == exact[1]
    assert rs.ldcg([1]) > rs.ldcg([1, 0.7])  # controls: on the other side of the thresholds
    assert rs.ldcg([2], gain="linear") > rs.ldcg([2, 1], gain="linear")
    assert rs.ldcg([2], prior=[1, 0.34]) > rs.ldcg([2, 1], prior=[1, 0.34])


@pytest.mark.spec("RS-ERR-10")
def test_lndcg_depends_on_M():
    for r, pool, cutoff, in_print in errata.table("RS-ERR-10"):
        judged = [int(x) for x in pool.split(",")]
        for ideal in ("true", "eq7"):
            value = rs.lndcg([int(r)], judged=judged, k=int(cutoff), ideal=ideal)
            assert errata.rounded(Fraction(value), places=6) == in_print
    text = errata.entry("RS-ERR-10")
    pools = [[1], [1] * 5]
    systems = [[1], [0, 1]], [[0, 1], [1, 1]]
    for cutoff, better in ((3, 1), (5, 0)):
        means = [rs.mean(rs.lndcg(lists, judged=pools, k=cutoff).tolist()) for lists in systems]
        assert means[better] == max(means) > min(means)
        assert all(errata.rounded(Fraction(x), places=4) in text for x in means)


@pytest.mark.spec("RS-ERR-10")
def test_Z_has_no_part_in_lndcg():
    for labels, Z_ in product(SCENARIOS.values(), ("M", "none")):
        assert quotient(labels, Z_) == rs.lndcg(labels, judged=POOL, k=M)
    assert rs.ldcg([2], k=M) != rs.ldcg([2], k=M, Z="none")  # control: it has one in LDCG


@pytest.mark.spec("RS-ERR-11", "RS-LEN-4")
def test_the_two_forms_of_eq_4_beyond_M():
    def log2(i):
        return discount_log(i, 2, FLOATS)

    z = Z(1, 1, log2, FLOATS)
    left = sum(prior(i, 1, log2) * dcg_of_one(i, 1, log2, FLOATS) for i in (1, 2))
    right = user_expected_dcg(2, log2, log2, z)
    assert left == rs.user_expected_dcg(2, M=1) == 1
    assert errata.rounded(Fraction(right), places=4) == "1.3981"
    assert "1.3981" in errata.entry("RS-ERR-11")


@pytest.mark.spec("RS-ERR-55", "RS-LEN-9")
def test_the_exponent_of_eq_8():
    """Of scenario 1: one result, of the highest label, so that the discounts cancel."""
    m = 2
    literally = Fraction(2**m - 1, 2 ** (m - 1))
    assert literally == Fraction(3, 2) != rs.lndcg([m], judged=[2, 1, 0], M=3, ideal="eq7") == 1
    assert "= 3/2" in errata.entry("RS-ERR-55")


@pytest.mark.spec("RS-ERR-12")
def test_ldcg_aggregates_no_cut_offs():
    a, b = [1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 2]
    assert rs.dcg(a, k=[1, 6, 7], gain="exp2").tolist() == [1, 1, 1]
    assert rs.dcg(b, k=[1, 6, 7], gain="exp2").tolist() == [0, 0, 1]
    assert rs.ldcg(a) == rs.ldcg(b) > 0
    of_three = [s for s, r in SCENARIOS.items() if len(r) == 3]
    assert of_three == [5, 6, 7, 9]
    for k, agrees in ((3, True), (2, False)):
        dcg = [rs.dcg(SCENARIOS[s], k=k, gain="exp2") for s in of_three]
        assert (dcg == sorted(dcg, reverse=True)) == agrees
    by_ldcg = [ldcg(s) for s in of_three]
    assert by_ldcg == sorted(by_ldcg, reverse=True)


@pytest.mark.spec("RS-ERR-12")
def test_what_ldcg_gives_up_of_dcg():
    for longer in ([2, 1], [2, 0]):
        assert rs.dcg(longer) >= rs.dcg([2])
        assert rs.ldcg(longer) < rs.ldcg([2])


def rows_below(head):
    """The labels and figures of a table that opens the chapter."""
    text = errata.ERRATA_PATH.with_name("length.md").read_text(encoding="utf-8")
    table = text.partition(f"{head}\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([\d, ]+) \|((?: [\d.]+ \|)+)$", table, re.MULTILINE)
    return [([int(x) for x in labels.split(",")], re.findall(r"[\d.]+", x)) for labels, x in rows]


def test_the_figures_of_the_introduction():
    """The table that opens the chapter."""
    rows = rows_below("| list | DCG | nDCG | LNDCG |")
    assert len(rows) == 4
    for r, in_print in rows:
        values = [
            rs.dcg(r, gain="exp2"), rs.ndcg(r, judged=POOL, gain="exp2"), rs.lndcg(r, judged=POOL)
        ]  # fmt: skip
        assert [errata.rounded(Fraction(x)) for x in values] == in_print


def test_the_figures_of_the_other_metrics():
    """The second table, by RS-LEN-12: the value, times W(2), over the sum of w(i) E(i)."""
    R, least, p = Fraction(15, 16), Fraction(1, 16), Fraction(4, 5)
    half = Fraction(1, 2)
    rows = rows_below("| list | LERR | LAP | LRBP | LGAP |")
    assert [r for r, _ in rows] == [[4], [4, 0], [4, 4]]
    for r, in_print in rows:
        hits = [int(x == 4) for x in (*r, 0)][:2]
        err = R * hits[0] + half * (1 - R * hits[0]) * R * hits[1]
        sp = hits[0] + half * sum(hits) * hits[1]
        rbp = hits[0] + p * hits[1]
        two = len(r) == 2
        values = (
            err * (1 + half) / (least * (1 + two * half**2)),
            sp * (1 + half) / (1 + two * half**2),
            rbp * (1 + p) / (1 + two * p**2),
            # Of labels 4 and 0 a precision counts whole or not at all, where one of label 1 has 1/4
            4 * sp * (1 + half) / (1 + two * half**2),
        )
        assert [errata.rounded(x) for x in values] == in_print
        metrics = (rs.lerr, rs.lap, rs.lrbp, rs.lgap)
        assert [metric(r, M=2) for metric in metrics] == [nearest_double(x) for x in values]


PRIORS = {"uniform": "uniform", "discount": "discount", "zipf": "zipf", "1, 1/4": [1, 0.25]}
"""How the table of RS-ERR-50 names them."""


@pytest.mark.spec("RS-ERR-50", "RS-LEN-10", "RS-LEN-11")
def test_the_prior_decides_the_constraints():
    rows = errata.table("RS-ERR-50")
    assert [row[0] for row in rows] == list(PRIORS)
    for name, lam, *cells in rows:
        given = {"prior": PRIORS[name], "Z": "none"}
        one, mixed, same = (rs.certify.ldcg(r, **given).lower for r in ([2], [2, 1], [2, 2]))
        numbers = [cells[0], cells[1], cells[3]]
        for value, in_print in zip((one, mixed, same), numbers, strict=True):
            assert errata.rounded(value, places=6) == errata.padded(in_print, places=6)
        assert cells[2] == ("holds" if one > mixed else "fails")
        doubles = rs.ldcg([2], **given), rs.ldcg([2, 2], **given)
        assert cells[4] == ("holds" if doubles[0] < doubles[1] else "fails")
        assert (float(lam) > 1 / 3) == (cells[2] == "holds")  # g(1)/g(2)
        assert (float(lam) < 1) == (cells[4] == "holds")


@pytest.mark.spec("RS-ERR-51", "RS-AXM-3")
def test_what_the_condition_of_c2_is():
    """Each setting of the table: equal values at k = 2; and as printed with the paper's."""
    settings = {
        "thresholds 0, 1": {"q": [0, 1]},
        "stop probabilities 0, 1/2, 1": {"stop": [0, 0.5, 1]},
        "gains 0, 0, 1": {"gain": [0, 0, 1]},
    }
    rows = errata.table("RS-ERR-51")
    assert [row[0] for row in rows] == ["GAP", "ERR", "DCG", "NDCG"]
    for metric, setting, one, two, value in rows:
        function = getattr(rs, metric.lower())
        lists = [[int(x) for x in labels.split(", ")] for labels in (one, two)]
        judged = {"judged": [2, 2, 1, 1, 0]} if metric in ("GAP", "NDCG") else {}
        values = [function(r, k=2, **judged, **settings[setting]) for r in lists]
        assert values == [float(value)] * 2
        first, second = (function(r, k=2, **judged) for r in lists)
        assert first < second  # control: with the paper's settings
