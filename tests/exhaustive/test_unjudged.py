"""Every small list with unjudged documents: the extremes against all judgments, one by one.

The values of lists whose labels are all known come from the engine; test_small_worlds.py holds
the core to the reference on such lists.
"""

from __future__ import annotations

import random
from array import array
from fractions import Fraction
from itertools import accumulate, product

import pytest

from rankspec import evaluate
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.grammar import make, metric
from tests.conventions import convention_values

from ..each import each

U = None  # an unjudged document
WEIGHTS = [4, 2, 2, Fraction(1, 2), 0, 0, 0, 0]
PARAMETERS = [
    *(("nDCG", {"gain": gain}) for gain in ("linear", "exp2", [0, 0, 3, 3], [1, 2, 2, 7])),
    *(("nDCG", {"discount": discount}) for discount in ("zipf", "none", WEIGHTS)),
    ("nDCG", {"discount": [0] * 8}),
    ("nDCG", {"ideal": "all"}),
    ("nDCG", {"ideal": "all", "gain": [1, 2, 2, 7], "discount": "zipf"}),
    ("nDCG", {"gain": "exp2", "discount": "jarvelin-2002(b=2)"}),
    *(("AP", {"norm": norm}) for norm in ("R", "min", "k")),
    ("AP", {"rel": 2}),
    ("R", {}),
    ("R", {"rel": 3}),
    *((name, {}) for name in ("P", "RR", "SP", "Success", "CG", "DCG", "IDCG")),
    ("IDCG", {"gain": [1, 2, 2, 7], "discount": WEIGHTS}),
    ("LNDCG", {}),
    ("LNDCG", {"gain": "linear", "prior": "uniform"}),
    ("LNDCG", {"gain": [1, 2, 2, 7], "discount": "zipf", "prior": WEIGHTS}),
    ("LDCG", {"gain": "linear", "prior": "zipf"}),
    ("ILDCG", {"gain": [1, 2, 2, 7], "discount": "zipf"}),
]
MEASURES = [make(metric(name), k, **p) for name, p in PARAMETERS for k in (1, 2, 3, 5, None)]


def flat(rows):
    return (
        array("B", [x for row in rows for x in row]),
        array("q", accumulate((len(row) for row in rows), initial=0)),
    )


def undefined(measure, pool):
    """Whether the divisor is 0 (RS-CONV-4)."""
    if measure.metric.name in ("nDCG", "LNDCG"):
        gains = measure.gain.table or (0, 1, 2, 3)
        best = max((gains[label] for label in pool), default=0)
        return best == 0 or measure.discount.weights[:1] == (0,)
    if measure.metric.name == "R" or (measure.metric.name == "AP" and measure.norm != "k"):
        return all(label < measure.rel for label in pool)
    return False


def values_of_all(measures, length, grades, extras, pool, instead, backend):
    """{(list, extra): values} of all lists with the labels 0 to grades, by RS-CONV-4."""
    keys = [
        (row, extra)
        for n in range(length + 1)
        for row in product(range(grades + 1), repeat=n)
        for extra in extras
    ]
    pools = [row + extra if pool == "judged" else row for row, extra in keys]
    batch = Batch(*flat([row for row, _ in keys]), None, *flat(pools))
    columns = [
        [instead if undefined(measure, own) else x for x, own in zip(column, pools, strict=True)]
        for measure, column in zip(measures, values(measures, batch, backend), strict=True)
    ]
    return dict(zip(keys, zip(*columns, strict=True), strict=True))


def fillings(row, grades):
    """The list with every judgment of its unjudged documents."""
    choices = [range(grades + 1) if label is U else (label,) for label in row]
    return product(*choices)


def assert_extremes(
    measures, *, length, highest, extras, pool="judged", undefined="zero", backend="c"
):
    grades = max(highest, 1)
    instead = {"zero": 0.0, "one": 1.0, "omit": None}[undefined]
    by_labels = values_of_all(measures, length, grades, extras, pool, instead, backend)
    worlds = [
        (row, extra)
        for n in range(length + 1)
        for row in product((*range(highest + 1), U), repeat=n)
        for extra in extras
    ]
    run = {"top": {}} | {
        str(a): {f"d{i}": -i for i in range(len(row))} for a, (row, _) in enumerate(worlds)
    }
    qrels = {"top": {"t": highest}} | {
        str(a): {f"d{i}": label for i, label in enumerate(row) if label is not U}
        | {f"x{i}": label for i, label in enumerate(extra)}
        for a, (row, extra) in enumerate(worlds)
    }
    for which, extreme in (("lowest", min), ("highest", max)):
        known = [m for m in measures if m.metric.has_extreme(m, which == "highest")]
        result = evaluate(
            qrels, run, known, unjudged=which, pool=pool, undefined=undefined, backend=backend
        )
        for a, (row, extra) in enumerate(worlds):
            columns = zip(*(by_labels[x, extra] for x in fillings(row, grades)), strict=True)
            for measure, column in zip(measures, columns, strict=True):
                if measure not in known:
                    continue
                expected = extreme((x for x in column if x is not None), default=None)
                value = result.per_query[str(measure)].get(str(a))
                assert value == expected, f"{which} {measure} of {row}, pool and {extra}"


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.parametrize("highest", [0, 1, 2, 3])
@pytest.mark.spec("RS-CONV-14", "RS-CONV-14/L1")
def test_lists_of_up_to_two_by_the_reference(highest):
    extras = [(), (highest,), (min(highest, 1), 0)]
    assert_extremes(MEASURES, length=2, highest=highest, extras=extras, backend="reference")


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.parametrize("undefined", ["zero", "one", "omit"])
@pytest.mark.parametrize("highest", [0, 2])
@pytest.mark.spec("RS-CONV-14", "RS-CONV-14/L1", "RS-CONV-4")
def test_lists_of_up_to_three_with_every_value_for_undefined(highest, undefined):
    extras = [(), (0,), (highest,), (min(highest, 1), highest)]
    assert_extremes(MEASURES, length=3, highest=highest, extras=extras, undefined=undefined)


@pytest.mark.slow(but=1)
@pytest.mark.long(but=3)
@pytest.mark.parametrize("undefined", ["zero", "one", "omit"])
@pytest.mark.parametrize("highest", [0, 1, 3])
@pytest.mark.spec("RS-CONV-14", "RS-CONV-17")
@each("length", [2, 3], fast=1)
def test_lists_that_are_their_own_pool(highest, undefined, length):
    assert_extremes(
        MEASURES, length=length, highest=highest, extras=[()], pool="retrieved", undefined=undefined
    )


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.parametrize("highest", [1, 2, 3])
@pytest.mark.spec("RS-CONV-14", "RS-CONV-14/L1")
def test_lists_of_up_to_five(highest):
    chosen = [
        make(metric("nDCG")),
        make(metric("nDCG"), 4, gain="exp2"),
        make(metric("nDCG"), 3, gain=[0, 1, 1, 9], discount="zipf"),
        make(metric("nDCG"), 2, ideal="all"),
        make(metric("AP")),
        make(metric("AP"), 3),
        make(metric("AP"), 4, norm="min"),
        make(metric("R"), 3),
    ]
    assert_extremes(chosen, length=5, highest=highest, extras=[(), (1, 1)])


def means_of_all_judgments(worlds, names, grades, **chosen):
    """{measure: the means of every judgment of all unjudged documents}, NaN left out.

    worlds: the queries, each the labels of a list and those of judged documents beside it
    """
    judged, run = {}, {}
    for a, (row, extra) in enumerate(worlds):
        for b, filled in enumerate(fillings(row, grades)):
            name = f"{a}/{b}"
            judged[name] = {f"d{i}": label for i, label in enumerate(filled)}
            judged[name] |= {f"x{i}": label for i, label in enumerate(extra)}
            run[name] = {f"d{i}": -i for i in range(len(row))}
    values = evaluate(judged, run, names, **chosen).per_query
    found = {}
    for name in names:
        of_query = [[] for _ in worlds]
        for query in judged:
            of_query[int(query.partition("/")[0])].append(values[name].get(query))
        means = set()
        for together in product(*map(set, of_query)):
            known = [Fraction(x) for x in together if x is not None]
            if known:
                means.add(float(sum(known) / len(known)))
        found[name] = means
    return found


@pytest.mark.slow
@pytest.mark.parametrize("undefined", ["zero", "one", "omit"])
@pytest.mark.parametrize("pool", convention_values("pool"))
@pytest.mark.spec("RS-CONV-14", "RS-CONV-14/L1", "RS-CONV-4")
def test_the_mean_is_the_extreme_of_all_judgments(pool, undefined):
    """Also where a judgment leaves a query without a value: its part in the mean is open, too."""
    rows = [(), (0,), (1,), (U,), (0, U), (U, 0), (1, U), (U, 1), (U, U)]
    of_query = [(row, extra) for row in rows for extra in ((), (0,), (1, 1))]
    names = ["nDCG", "nDCG@1", "AP", "AP@1", "R@1", "LNDCG", "AP(norm='k')", "P@1", "DCG"]
    chance = random.Random(3)
    for size in (1, 2, 3):
        for _ in range(10):
            worlds = chance.choices(of_query, k=size)
            qrels, run = {}, {}
            for a, (row, extra) in enumerate(worlds):
                known = {f"d{i}": label for i, label in enumerate(row) if label is not U}
                qrels[str(a)] = known | {f"x{i}": label for i, label in enumerate(extra)}
                run[str(a)] = {f"d{i}": -i for i in range(len(row))}
            chosen = {"pool": pool, "undefined": undefined}
            expected = means_of_all_judgments(worlds, names, 1, **chosen)
            for which, extreme in (("lowest", min), ("highest", max)):
                measures = [name for name in names if (name, which) != ("LNDCG", "highest")]
                found = evaluate(qrels, run, measures, unjudged=which, **chosen)
                for name in measures:
                    where = f"{which} {name} of {worlds}"
                    if expected[name]:
                        assert found[name] == extreme(expected[name]), where
                    else:
                        assert found[name] != found[name], where


@pytest.mark.spec("RS-CONV-14")
def test_a_query_that_a_judgment_leaves_out_takes_part_where_it_moves_the_mean():
    """Judged 0, u leaves b without a value; judged 1, the value is below that of a, 1/log2(3)."""
    qrels = {"a": {"d": 1, "e": 1}, "b": {"e": 0}}
    run = {"a": {"e": 1.0}, "b": {"e": 2.0, "u": 1.0}}
    found = {
        which: evaluate(qrels, run, "nDCG", unjudged=which, undefined="omit")
        for which in ("lowest", "highest")
    }
    a, b = 0.6131471927654584, 0.6309297535714574
    assert found["lowest"].per_query["nDCG"] == found["highest"].per_query["nDCG"]
    assert found["lowest"].per_query["nDCG"] == {"a": a, "b": b}
    assert found["lowest"]["nDCG"] == a
    assert found["highest"]["nDCG"] == float((Fraction(a) + Fraction(b)) / 2)
    assert "which may leave a query out" in found["lowest"].definition("nDCG")["mean"]
    assert (found["lowest"].apart, found["highest"].apart) == ({"nDCG": ("b",)}, {})
    note = "nDCG: 1 left out of the mean, undefined by other judgments (RS-CONV-14)"
    assert [note in str(found[which]) for which in ("lowest", "highest")] == [True, False]
