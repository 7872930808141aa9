"""Every small list: ERR, nERR, RBP, its residual and GAP, settled and tied, in exact rationals.

The reference and the definitions of tests/vectors/definitions.py, which try all orders of tied
items, give the same rational number, and the core the double nearest to it.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import accumulate, product

import pytest

import rankspec as rs
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import value
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.numerics import nearest_double

from ..vectors import definitions

CUTOFFS = [1, 2, 3, 5, None]
THIRD = Fraction(1, 3)

# A metric with its parameters, and what definitions.py calls them.
METRICS = {
    "ERR": (rs.ERR, {"max": 3}, {"name": "ERR", "max": 3, "stop": None}),
    "ERR of a table": (
        rs.ERR,
        {"stop": [THIRD / 4, THIRD, THIRD, 1]},
        {"name": "ERR", "max": 3, "stop": [THIRD / 4, THIRD, THIRD, 1]},
    ),
    "nERR": (rs.nERR, {"max": 3}, {"name": "nERR", "max": 3, "stop": None}),
    "RBP": (rs.RBP, {"p": THIRD, "rel": 2}, {"name": "RBP", "p": THIRD, "rel": 2}),
    "GAP": (
        rs.GAP,
        {"q": [THIRD, 0, 5 * THIRD]},
        {"name": "GAP", "q": [THIRD, 0, 5 * THIRD]},
    ),
}
OF_EACH = pytest.mark.parametrize("name", METRICS)


def flat(rows):
    return (
        array("B", [x for row in rows for x in row]),
        array("q", accumulate((len(row) for row in rows), initial=0)),
    )


def as_fraction(x):
    return Fraction(int(x.p), int(x.q))


def assert_equal(metric, parameters, batch, defined):
    """The metric at each cut-off; defined(a, k): list a by the definitions."""
    measures = [metric(k=k, **parameters) for k in CUTOFFS]
    columns = values(measures, batch, "c")
    for measure, column in zip(measures, columns, strict=True):
        for a, double in enumerate(column):
            exact = as_fraction(defined(a, measure.k))
            ranking = batch.ranking(a)
            assert value(measure, ranking, RATIONALS) == exact, f"{measure} of {ranking}"
            assert double == nearest_double(exact), f"{measure} of {ranking}"


@pytest.mark.slow(but=1)
@OF_EACH
@pytest.mark.spec(
    "RS-CAS-1", "RS-CAS-2", "RS-CAS-3", "RS-CAS-4", "RS-CAS-5", "RS-PREC-8", "RS-PREC-9",
    "RS-PREC-10", "RS-PREC-11",
)  # fmt: skip
def test_lists_of_up_to_four_over_four_grades(name):
    metric, parameters, by_definition = METRICS[name]
    rows = [row for n in range(5) for row in product(range(4), repeat=n)]
    more = [(), (2,), (0, 3)] if metric.judged else [()]
    pairs = [(row, row + extra) for row in rows for extra in more]

    def defined(a, k):
        labels, judged = map(list, pairs[a])
        return definitions.value_of(by_definition, {"labels": labels, "judged": judged}, k)

    lists, pools = flat([row for row, _ in pairs]), flat([pool for _, pool in pairs])
    assert_equal(metric, parameters, Batch(*lists, None, *pools), defined)


@pytest.mark.slow
@pytest.mark.long(but=3)
@OF_EACH
@pytest.mark.spec("RS-EXP-13", "RS-EXP-14", "RS-EXP-15", "RS-EXP-16", "RS-EXP-17", "RS-EXP-18")
def test_all_tie_groups_of_lists_of_up_to_four_over_three_grades(name):
    metric, parameters, by_definition = METRICS[name]
    rows, batch = tied(range(1, 4))

    def defined(a, k):
        return definitions.value_of(by_definition, rows[a], k)

    assert_equal(metric, parameters, batch, defined)


def tied(labels):
    """Lists of up to four labels with all tie groups: by their scores, and as a batch."""
    pairs = [
        (row, (1, *starts))
        for n in range(1, 5)
        for row in product(labels, repeat=n)
        for starts in product((0, 1), repeat=n - 1)
    ]
    given = [
        {"labels": list(row), "scores": [-x for x in accumulate(starts)], "ties": "expected"}
        for row, starts in pairs
    ]
    starts = bytes(x for _, own in pairs for x in own)
    return given, Batch(*flat([row for row, _ in pairs]), starts)


@pytest.mark.spec("RS-CAS-6", "RS-CONV-20")
def test_the_residual_of_lists_of_up_to_five():
    rows = [row for n in range(6) for row in product((0, 1), repeat=n)]
    labels, offsets = flat(rows)
    batch = Batch(labels, offsets, unjudged=bytes(labels))

    def defined(a, k):
        given = {"labels": list(rows[a]), "unjudged": list(rows[a])}
        return definitions.value_of({"name": "RBP_residual", "p": THIRD}, given, k)

    assert_equal(rs.RBP_residual, {"p": THIRD}, batch, defined)


@pytest.mark.spec("RS-CAS-6", "RS-EXP-16")
def test_the_residual_of_all_tie_groups_of_lists_of_up_to_four():
    """Which items are unjudged is tied; the mean over all orders."""
    rows, batch = tied((0, 1))
    batch = Batch(batch.labels, batch.offsets, batch.starts, unjudged=bytes(batch.labels))

    def defined(a, k):
        orders = definitions.orders_of(rows[a])
        return sum(definitions.rbp_residual(order[:k], THIRD) for order in orders) / len(orders)

    assert_equal(rs.RBP_residual, {"p": THIRD}, batch, defined)


def test_the_definitions_can_fail():
    """The control: another cut-off, other ties."""
    given = {"labels": [3, 0, 2], "scores": [1, 1, 0], "ties": "expected"}
    for _, _, measure in METRICS.values():
        changed = [
            definitions.value_of(measure, given, None),
            definitions.value_of(measure, given, 1),
            definitions.value_of(measure, {**given, "ties": "best"}, None),
        ]
        assert len(set(map(as_fraction, changed))) == len(changed), measure
