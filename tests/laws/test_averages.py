"""The laws of averages over queries: the sum and the geometric mean, RS-CONV-53."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError
from rankspec.metrics.average import SUM
from rankspec.reference.numerics import geometric_mean, mean, nearest_double

FLOOR = 1e-5
TINY = 5e-324
values = st.lists(
    st.one_of(
        st.floats(0, 1),
        st.floats(0, 1e-300),
        st.sampled_from([0.0, 1.0, 1 / 3, FLOOR, TINY, 3 * TINY, 2.0**-1022, 1.7e308]),
    ),
    min_size=1,
    max_size=12,
)
floors = st.sampled_from([FLOOR, 0.0, TINY, 0.25])

QRELS = {"p": {"a": 1, "b": 1}, "q": {"a": 1}, "r": {"c": 1}}
RUN = {"p": {"a": 3.0, "x": 2.0, "b": 1.0}, "q": {"x": 2.0, "a": 1.0}, "r": {"x": 1.0}}
AP = Fraction(1, 2) * (1 + Fraction(2, 3)), Fraction(1, 2)


def by_roots(v: list[float], floor: float, shift: int = 0) -> float:
    """The root by exact integers: the greatest double whose n-th power is not above the product,
    or the one behind it, whichever is nearer.

    shift: of a control, how many doubles it is off
    """
    raised = [max(x, floor) for x in v]
    product = math.prod(map(Fraction, raised))
    if not product:
        return 0.0
    low, high = 0, int.from_bytes(_bits(max(raised)), "big")
    while low < high:  # doubles from 0 on are ordered as their bits are
        middle = (low + high + 1) // 2
        if Fraction(_double(middle)) ** len(v) <= product:
            low = middle
        else:
            high = middle - 1
    below = _double(low)
    above = math.nextafter(below, math.inf)
    if math.isfinite(above) and ((Fraction(below) + Fraction(above)) / 2) ** len(v) < product:
        low += 1
    return _double(low + shift)


def _bits(x: float) -> bytes:
    import struct

    return struct.pack(">d", x)


def _double(bits: int) -> float:
    import struct

    (x,) = struct.unpack(">d", bits.to_bytes(8, "big"))
    return float(x)


@pytest.mark.spec("RS-CONV-53", "RS-CONV-53/L4")
@given(values, floors)
def test_the_geometric_mean_is_correctly_rounded(v: list[float], floor: float) -> None:
    assert geometric_mean(v, floor) == by_roots(v, floor)


@pytest.mark.spec("RS-CONV-53")
def test_control_logarithms_in_doubles_are_not() -> None:
    rows = [[i / 97, (i + 1) / 89, 1 / (i + 2)] for i in range(1, 60)]
    naive = [math.exp(sum(map(math.log, v)) / 3) for v in rows]
    exact = [by_roots(v, 0.0) for v in rows]
    assert [geometric_mean(v, 0.0) for v in rows] == exact != naive
    assert by_roots(rows[0], 0.0, shift=1) != exact[0]


@pytest.mark.spec("RS-CONV-53")
@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=30))
def test_it_is_the_exponential_of_the_mean_of_logarithms(v: list[float]) -> None:
    with localcontext(prec=80) as context:
        logs = [Decimal(x).ln(context) for x in v]
        assert geometric_mean(v, 0.0) == float((sum(logs, Decimal(0)) / len(v)).exp(context))


@pytest.mark.spec("RS-CONV-53/L1")
@given(values, floors)
def test_the_order_does_not_matter(v: list[float], floor: float) -> None:
    assert geometric_mean(v[::-1], floor) == geometric_mean(v, floor)
    assert SUM.of(rs.AP(), v[::-1]) == SUM.of(rs.AP(), v) == nearest_double(sum(map(Fraction, v)))


@pytest.mark.spec("RS-CONV-53/L2")
@given(values, floors)
def test_it_lies_between_the_least_and_the_greatest(v: list[float], floor: float) -> None:
    raised = [max(x, floor) for x in v]
    assert min(raised) <= geometric_mean(v, floor) <= max(raised)


@pytest.mark.spec("RS-CONV-53/L3")
@given(st.lists(st.floats(FLOOR, 1), min_size=1, max_size=12))
def test_it_is_at_most_the_mean(v: list[float]) -> None:
    assert geometric_mean(v, FLOOR) <= mean(v)


@pytest.mark.spec("RS-CONV-53/L3")
def test_control_below_the_floor_it_may_be_above_the_mean() -> None:
    assert geometric_mean([0.0], FLOOR) > mean([0.0])


@pytest.mark.spec("RS-CONV-53")
def test_an_evaluation_of_it() -> None:
    found = rs.evaluate(QRELS, RUN, ["AP", "GM(AP)", "GM(AP, floor=0)", "GM(AP)@1"])
    assert found.per_query["GM(AP)"] == found.per_query["AP"]
    product = Fraction(nearest_double(AP[0])) * Fraction(nearest_double(AP[1])) * Fraction(FLOOR)
    cube = Fraction(found["GM(AP)"]) ** 3
    assert abs(cube / product - 1) < Fraction(1, 1 << 50)
    assert found["gm_map"] == found["GMAP"] == found["GM(AP)"]
    assert found["GM(AP, floor=0)"] == 0
    definition = found.definition("gm_map")
    assert definition["mean"].endswith("(RS-CONV-53)")
    assert "geometric mean" in definition["mean"]
    assert "1e-05" in definition["mean"]
    assert definition["A"].startswith("AP ")


@pytest.mark.spec("RS-CONV-53", "RS-CONV-18")
def test_the_mean_of_a_count() -> None:
    found = rs.evaluate(QRELS, RUN, ["NumRelRet@2", "Mean(NumRelRet@2)"])
    assert found["NumRelRet@2"] == 2
    assert found["Mean(NumRelRet@2)"] == nearest_double(Fraction(2, 3))
    assert found.per_query["Mean(NumRelRet@2)"] == found.per_query["NumRelRet@2"]
    assert "mean" in found.definition("Mean(NumRelRet@2)")["mean"]
    profiled = rs.evaluate(QRELS, RUN, ["hits@2", "num_rel_ret", "NumRet"], profile="ranx")
    assert list(profiled.mean) == ["Mean(NumRelRet@2)", "Mean(NumRelRet)", "NumRet"]
    assert profiled["hits@2"] == found["Mean(NumRelRet@2)"]
    assert "sum" in profiled.definition("NumRet")["mean"]
    one = rs.evaluate(
        {"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, "hits@2", profile="ranx"
    )
    assert one["hits@2"] == 2
    of_object = rs.evaluate(QRELS, RUN, rs.NumRelRet(k=2), profile="ranx")
    assert of_object["NumRelRet@2"] == 2  # an object sets everything itself


@pytest.mark.spec("RS-CONV-53", "RS-CONV-9")
def test_a_query_that_the_run_misses_counts_as_the_floor() -> None:
    few = {q: RUN[q] for q in ("p", "q")}
    assert rs.evaluate(QRELS, few, "GM(AP)")["GM(AP)"] == rs.evaluate(QRELS, RUN, "GM(AP)")["GMAP"]
    both = rs.evaluate(QRELS, few, "GM(AP)", queries="both")
    assert both["GM(AP)"] == geometric_mean(list(map(float, AP)), FLOOR)


@pytest.mark.spec("RS-CONV-53")
def test_values_that_are_left_out_have_no_part() -> None:
    qrels = {**QRELS, "s": {"a": 0}}
    found = rs.evaluate(qrels, RUN, "GM(AP)", undefined="omit")
    assert "s" not in found.per_query["GM(AP)"]
    assert found["GM(AP)"] == rs.evaluate(QRELS, RUN, "GM(AP)")["GM(AP)"]
    nothing = rs.evaluate({"s": {"a": 0}}, {"s": {"a": 1.0}}, "GM(AP)", undefined="omit")
    assert math.isnan(nothing["GM(AP)"])
    assert math.isnan(rs.evaluate(qrels, RUN, "GM(AP)", undefined="nan")["GM(AP)"])


@pytest.mark.spec("RS-CONV-53", "RS-CONV-34")
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("gm_map", "GM(AP)"),
        ("GMAP", "GM(AP)"),
        ("gmap@10", "GM(AP@10)"),
        ("gm_bpref", "GM(Bpref)"),
        ("GM(map)", "GM(AP)"),
        ("GM(nDCG(gain='exp2'))@5", "GM(nDCG(gain='exp2')@5)"),
        ("GM(AP(rel=2), floor=0.001)", "GM(AP(rel=2), floor=0.001)"),
        ("gm(AP, floor=1/4)", "GM(AP, floor=0.25)"),
        ("GM(AP, floor=-0.0)", "GM(AP, floor=0.0)"),
        ("mean(num_rel_ret@2)", "Mean(NumRelRet@2)"),
    ],
)
def test_names(name: str, written: str) -> None:
    (measure,) = rs.measures(name)
    assert str(measure) == written
    assert rs.measures(written) == [measure]
    assert eval(repr(measure), {"rs": rs}) == measure  # noqa: S307
    again = pickle.loads(pickle.dumps(measure))  # noqa: S301
    assert again == copy.deepcopy(measure) == measure
    assert {rs.GM(rs.AP()).trec_name, rs.GM(rs.Bpref()).trec_name} == {"gm_map", "gm_bpref"}
    assert rs.GM(rs.nDCG()).trec_name == "GM(nDCG)"


@pytest.mark.spec("RS-CONV-53")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("GM(UL2(AP))", "UL2.AP. is a bound"),
        ("Mean(AP)", "Mean: AP is averaged by its mean"),
        ("Mean(Mean(NumRet))", "is averaged so already"),
        ("UL2(Mean(NumRelRet))", "is a count, of which no bounds are known"),
        ("UL2(GM(AP))", "is averaged by its geometric mean, and bounds by their mean"),
        ("GM(GM(AP))", "is averaged so already"),
        ("GM(sDCG)", "is of sessions"),
        ("GM(AP, floor=-1)", "floor: expected a finite number of 0 or more, got -1 "),
        ("GM(AP, floor='x')", "floor: expected a finite number of 0 or more, got 'x' "),
        ("GM(AP, floor=1e999)", "floor: expected a finite number of 0 or more, got inf "),
        ("GM(AP, rel=2)", "GM has no parameter 'rel'; of its own it has floor"),
        ("GM", r"GM needs a measure, as in GM\(nDCG@10\)"),
    ],
)
def test_what_is_refused(name: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        rs.measures(name)


@pytest.mark.spec("RS-CONV-53")
@pytest.mark.parametrize("given", [None, "AP", rs.AP, 1])
def test_it_is_of_a_measure(given: Any) -> None:
    with pytest.raises(InputError, match=r"^GM: expected a measure, such as rs\.AP\(\), got .*$"):
        rs.GM(given)


@pytest.mark.spec("RS-CONV-53", "RS-CMP-1")
def test_what_compares_systems_says_that_it_cannot() -> None:
    other = {q: dict(zip(ds, reversed([*ds.values()]), strict=True)) for q, ds in RUN.items()}
    found = {n: rs.evaluate(QRELS, run, ["AP", "GM(AP)"]) for n, run in (("A", RUN), ("B", other))}
    with pytest.raises(
        InputError,
        match=r'^measure "GM\(AP\)": compare\(\) works on means of differences, but this measure',
    ):
        rs.compare(found)
    assert rs.compare({n: rs.evaluate(QRELS, RUN, ["AP"]) for n in "AB"})


@pytest.mark.spec("RS-CONV-53", "RS-CONV-14")
def test_its_lowest_and_highest_values_are_not_known() -> None:
    with pytest.raises(
        InputError, match=r"its lowest value over all judgments is not known \(RS-CONV-14\)"
    ):
        rs.evaluate(QRELS, RUN, "GM(AP)", unjudged="lowest")
