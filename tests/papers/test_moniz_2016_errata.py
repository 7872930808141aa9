"""moniz-2016: the errata of its relevance function, of its program, and of its experiments."""

from __future__ import annotations

import random
import re
from datetime import date
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.reference.relevance import (
    control_points,
    distinct,
    phi,
    points_of,
    relevance,
    through,
    upper_whisker,
)

from . import errata

AD_HOC = [3] * 10 + [2] * 15 + [1] * 25 + [0] * 50
"""The fixed labels of 100 items, in the order of their scores."""


def numbers(text):
    return [Fraction(s) for s in text.split(", ")]


@pytest.mark.spec("RS-ERR-13", "RS-REL-6")
def test_the_table_of_points_that_coincide():
    rows = errata.table("RS-ERR-13")
    assert len(rows) == 4
    for scores, what, score, printed in rows:
        S = numbers(scores)
        points = control_points(S, "linear")
        assert len(distinct(points)[0]) < len(points)
        low, med = points[0][0], points[1][0]
        coincide = {
            "median and maximum": med == max(S) > low,
            "median and whisker": med == upper_whisker(sorted(S), "linear") < max(S),
            "minimum and maximum": low == max(S),
        }
        assert coincide[what]
        assert sum(coincide.values()) == 1
        given = dict(zip(S, relevance(S, "text", "linear"), strict=True))
        assert given[Fraction(score)] == Fraction(printed) > 0
        assert Fraction(score) <= med


@pytest.mark.spec("RS-ERR-14", "RS-REL-3", "RS-REL-4", "RS-REL-8")
def test_the_table_of_outliers():
    text = errata.entry("RS-ERR-14")
    begin = re.search(r"The scores ([\d, \n]+) and a highest one", text)[1]
    rest = numbers(" ".join(begin.split()))
    rows = errata.table("RS-ERR-14")
    assert len(rows) == 4
    for highest, height, without_13, of_20, without_20 in rows:
        S = [*rest, Fraction(highest)]
        points = control_points(S, "linear")
        assert points[2][0] == 13
        assert S[-1] > 20
        curve, plain = through(points), through([p for p in points if p[0] != 13])
        assert height == errata.rounded(points[2][1], 6)
        assert without_13 == errata.rounded(phi(Fraction(13), *plain), 6)
        assert of_20 == errata.rounded(phi(Fraction(20), *curve), 6)
        assert without_20 == errata.rounded(phi(Fraction(20), *plain), 6)
        assert phi(S[-1], *curve) - phi(Fraction(13), *curve) < 1 - phi(Fraction(13), *plain)


@pytest.mark.spec("RS-ERR-15", "RS-REL-8")
def test_the_counterexample_to_convexity():
    X, Y, d = through(control_points(numbers("0, 8, 9"), "linear"))
    chords = [(Y[j + 1] - Y[j]) / (X[j + 1] - X[j]) for j in range(2)]
    assert chords[0] < chords[1]  # the control points are convex
    values = [phi(Fraction(s), X, Y, d) for s in ("8.5", "8.75", "9")]
    assert values == [Fraction(13, 36), Fraction(11, 16), 1]
    assert values[1] > (values[0] + values[2]) / 2 == Fraction(49, 72)
    low, med, high = (s for s, _ in control_points(numbers("100, 80, 90, 15, 10"), "linear"))
    assert high - med < med - low


@pytest.mark.spec("RS-ERR-16", "RS-REL-4", "RS-REL-5")
def test_the_table_of_both_variants():
    rows = errata.table("RS-ERR-16")
    assert len(rows) == 5
    for scores, *by_both in rows:
        S = numbers(scores)
        for points, variant, quartiles in zip(
            by_both, ("text", "authors-program"), ("linear", "hinges"), strict=True
        ):
            ours = " ".join(f"({s}, {y})" for s, y in points_of(S, variant, quartiles))
            assert points == (ours or "none")
    S = numbers("10, 15, 80, 90, 100")
    assert relevance(S, "text", "linear")[3] == Fraction(25, 72)
    assert relevance(S, "authors-program", "hinges")[3] == Fraction(7, 20)
    S = numbers("1, 2, 2")
    assert relevance(S, "text", "linear")[0] == 0
    assert relevance(S, "authors-program", "hinges")[0] == Fraction(1, 2)


@pytest.mark.spec("RS-ERR-17")
def test_scenario_2_inverts_the_first_ten_ranks():
    draw = random.Random(17)
    for imbalanced in (False, True):
        lower, higher = (range(1, 501), range(500, 1001)) if imbalanced else 2 * (range(1, 1001),)
        scores = [*draw.choices(lower, k=80), *draw.choices(higher, k=20)]
        ideal = sorted(scores, reverse=True)
        for backend in ("c", "reference"):
            as_printed = ideal[::-1]
            for variant in ("text", "authors-program"):
                assert rs.ndcg_phi(as_printed, k=10, variant=variant, backend=backend) == 0
                as_run = ideal[9::-1] + ideal[10:]
                assert 0 < rs.ndcg_phi(as_run, k=10, variant=variant, backend=backend) < 1
            assert rs.ndcg(AD_HOC[::-1], k=10, gain="exp2", backend=backend) == 0
            inverted = AD_HOC[9::-1] + AD_HOC[10:]
            assert rs.ndcg(inverted, k=10, gain="exp2", backend=backend) == 1


@pytest.mark.spec("RS-ERR-17")
def test_scenario_1_by_the_fixed_labels():
    swapped = [*AD_HOC[:9], AD_HOC[10], AD_HOC[9], *AD_HOC[11:]]
    value = rs.certify.ndcg(swapped, k=10, gain="exp2").lower
    assert errata.rounded(value, 4) == "0.9636"
    discounts = [rs.certify.dcg([0] * i + [1]).lower for i in range(10)]
    law = 1 - (7 - 3) * discounts[9] / (7 * sum(discounts))
    assert abs(value - law) < Fraction(1, 10**15)
    assert "0.9636" in errata.entry("RS-ERR-17")


@pytest.mark.spec("RS-ERR-18")
def test_six_months():
    half_hours = 48
    printed, whole = (date(2016, 1, 1) - date(2015, 6, 1)).days, (date(2015, 12, 1)).toordinal()
    six_months = whole - date(2015, 6, 1).toordinal()
    assert (printed, printed * half_hours) == (214, 10272)
    assert (six_months, six_months * half_hours) == (183, 8784)
    assert six_months * half_hours < 204 * half_hours + 3 == 9795
    assert round(100 * 6468 / 107590) == 6
    text = errata.entry("RS-ERR-18")
    for number in ("214 days", "10,272", "183 days", "8,784", "9,795", "204 days"):
        assert number in text
