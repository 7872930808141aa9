"""Bounds of LDCG and LNDCG by the C core: by ==, against the reference."""

from __future__ import annotations

import random
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure

from .batches import LABELS, by_core, flat, parameters_of, undecided_share
from .test_bounds import around, related, usual_lists

BND = pytest.mark.spec(
    "RS-BND-1", "RS-BND-2", "RS-BND-3", "RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8",
    "RS-EXP-1", "RS-NUM-21", "RS-NUM-21/L1",
)  # fmt: skip
OF = {m.name: m for m in METRICS if m.name in ("LDCG", "LNDCG")}
EVERY_METRIC = pytest.mark.parametrize("name", OF)


def bounds_of(cutoffs: list[int | None], name: str, **own) -> list[list[Measure]]:
    """For every bound, the measures at those cut-offs."""
    own = {of: x for of, x in own.items() if of in OF[name].parameters}
    return [list(m) for m in zip(*(around(make(OF[name], k, **own)) for k in cutoffs), strict=True)]


@pytest.mark.slow(but=1)
@BND
@EVERY_METRIC
@pytest.mark.parametrize("tied", [False, True])
@given(data=st.data(), kind=st.sampled_from([*LABELS, "grades", "grades"]))
def test_against_the_reference(name, tied, data, kind):
    batch = data.draw(related(kind, tied=tied))
    own = data.draw(parameters_of(OF[name], kind))
    cutoffs = data.draw(st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=1, max_size=2))
    for measures in bounds_of(cutoffs, name, **own):
        outcomes = []
        for backend in ("c", "reference"):
            try:
                outcomes.append([column.tolist() for column in values(measures, batch, backend)])
            except InputError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], measures


def random_batch(seed: str, number: int, *, tied: bool) -> Batch:
    """Lists of few labels, many of them the worst order of their pools, or all the same."""
    rng = random.Random(seed)
    rows = [
        rng.choices(rng.choice([[0, 1, 2, 3], [1], [0, 2]]), k=rng.randint(0, 6))
        for _ in range(number)
    ]
    rows = [rng.choice([list, sorted])(row) for row in rows]
    pools = [rng.choice([row, row[::-1], [*row, 1], row[1:]]) for row in rows]
    labels, offsets = flat(rows, "q")
    starts = bytes(rng.random() < 0.5 for _ in labels) if tied else None
    return Batch(labels, offsets, starts, *flat(pools, "q"))


@pytest.mark.slow
@pytest.mark.long(but=3)
@BND
@EVERY_METRIC
@pytest.mark.parametrize("ideal", ["true", "eq7"])
@pytest.mark.parametrize("prior", ["discount", "uniform"])
@pytest.mark.parametrize("tied", [False, True])
def test_short_lists(monkeypatch, name, ideal, prior, tied):
    batch = random_batch(name + prior, 40, tied=tied)
    own = {"ideal": ideal, "prior": prior, "Z": "M" if ideal == "true" else "none"}
    own["gain"] = "exp2" if ideal == "true" else "linear"  # by which the ideals differ more
    for measures in bounds_of([2, 4, None], name, **own):
        share = undecided_share(monkeypatch, measures, batch)
        by_eq7 = measures[0].metric.name == "IUB(LNDCG)" and ideal == "eq7"
        assert share < 0.15 or by_eq7, measures


@pytest.mark.slow
@BND
@pytest.mark.parametrize("bits", [56, 60])
@pytest.mark.parametrize("discount", ["log2", "zipf", [1, *[2.0**-60] * 7]], ids=str)
def test_few_bits(monkeypatch, bits, discount):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    batch = random_batch(str(bits), 30, tied=True)
    shares = [
        undecided_share(monkeypatch, measures, batch)
        for measures in bounds_of([2, 5], "LNDCG", discount=discount, prior="uniform")
    ]
    assert max(shares) > 0  # the control: these bits are really few
    assert min(shares) < 1


@BND
@EVERY_METRIC
def test_usual_lists_are_decided(monkeypatch, name):
    """The reference is slow: of lists as there are, it is asked for next to none."""
    lists = usual_lists(3, 500)
    pools = [row + more for row, more in zip(lists, usual_lists(4, 500), strict=True)]
    for batch in (Batch(*flat(lists, "B")), Batch(*flat(lists, "B"), None, *flat(pools, "B"))):
        for measures in bounds_of([1, 5, 20, None], name):
            columns = by_core(monkeypatch, measures, batch)
            left = sum(isnan(x) for column in columns for x in column)
            assert left <= 0.002 * len(batch) * 4, (measures, left)


@pytest.mark.slow(but=1)
@BND
@EVERY_METRIC
@pytest.mark.parametrize("form", ["B", "d", "q"])
def test_lists_of_equal_labels(monkeypatch, name, form):
    """All bounds are one number: no list is left to the reference."""
    for label in (0, 1, 2, *([1e-3, 7.75] if form == "d" else [])):
        rows = [[label] * n for n in (0, 1, 2, 7)]
        own = Batch(*flat(rows, form))
        for measures in bounds_of([1, 4, None], name)[3:8]:
            true = [x.tolist() for x in values(measures, own, "reference")]
            for batch in (own, Batch(*flat(rows, form), None, *flat(rows, form))):
                with monkeypatch.context() as patched:
                    assert by_core(patched, measures, batch) == true, measures


@BND
@EVERY_METRIC
@pytest.mark.parametrize("step", [-(2.0**-46), 0, 2.0**-46])
def test_two_lengths_that_are_nearly_ideal(monkeypatch, name, step):
    """Of 2 and 1 by d(i) = w(i) = 1/i, one item and both have the LDCG 2 (RS-NUM-11)."""
    x = 1 + step
    lists = [[2.0], [x], [x, 2.0], [2.0, x], [2.0, 2.0]]
    batch = Batch(*flat(lists, "d"), None, *flat([[2.0, x]] * len(lists), "d"))
    own = {"gain": "linear", "discount": "zipf", "Z": "none"}
    shares = [
        undecided_share(monkeypatch, measures, batch)
        for measures in bounds_of([2, None], name, **own)
    ]
    assert min(shares) == 0
