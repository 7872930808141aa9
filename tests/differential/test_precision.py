"""Counts, utility, and precision at levels of recall, of the core against the reference, by ==."""

from __future__ import annotations

import random
from array import array
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.measure import Measure
from rankspec.records import replace

from ..each import in_lane, thinned
from .batches import flat, undecided_share

CUTOFFS = (1, 2, 3, 7, 12, 40, None)
ROUNDINGS = ("nearest", "plus-0.9", "up")
LEVELS = (0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95, 1, 1 / 3, 1e-9, 5e-324, Fraction(1, 3), 0.1 + 0.2)
MULTIPLES = (0, 0.1, 0.2, 0.7, 1, 1.5, 2.05, 10**6, Fraction(1, 3))
WORTHS = (
    ((1, -1, 0, 0), None),
    ((2, -0.5, -0.25, 0), 1000),
    ((0, 0, 0, 0), None),
    ((0.1, -0.3, 1e-3, 7), 1 << 53),
    ((1e300, -1e300, 3, 0), None),
    ((-(2.0**59), 2.0**59 + 128, 1, -1), 1 << 53),
    ((5e-324, -5e-324, 0, 1e-323), 100),
    ((1, Fraction(1, 3), 0, 0), None),
    ((-1, -1, -1, -1), 60),
)


def measures() -> list[Measure]:
    found: list[Measure] = [rs.NumRel(k=k, rel=rel) for k in (1, None) for rel in (1, 2)]
    found += [rs.NumQ(k=k) for k in (1, None)]
    for k in CUTOFFS:
        found += [rs.binG(k=k, rel=rel) for rel in (1, 2)]
        found += [rs.RprecMult(k=k, multiple=x) for x in MULTIPLES]
        found += [rs.Utility(k=k, rel=2, weights=w, documents=D) for w, D in WORTHS]
        for rounding in ROUNDINGS:
            found += [rs.IPrec(k=k, recall=x, rounding=rounding) for x in LEVELS]
            found += [
                rs.AvgIPrec(k=k, rounding=rounding, levels=x, rel=rel)
                for x in (LEVELS, (0.5, 0.2, 0.2), (1,))
                for rel in (1, 2)
            ]
            found.append(rs.AvgIPrec(k=k, rounding=rounding))
    return found


def random_batch(rng: random.Random, form: str, tied: float, most: int = 3) -> Batch:
    """Short lists, the first of them empty, with pools of their own length apart."""

    def labels() -> list[int]:
        return rng.choices(range(most + 1), [3] + [1] * most, k=rng.randint(1, 24))

    rows = [[], [], *(labels() for _ in range(10))]
    pools = [[], labels(), *([*row, *labels()] for row in rows[2:10]), labels(), []]
    shown, offsets = flat(rows, form)
    starts = bytes(rng.random() >= tied for _ in shown) if tied else None
    return Batch(shown, offsets, starts, *flat(pools, form))


@pytest.mark.slow(but=2)
@pytest.mark.long(but=5)
@pytest.mark.parametrize("form", ["B", "i", "q", "d"])
@pytest.mark.parametrize("pools", ["apart", "own", "own, of fractions"])
@pytest.mark.parametrize("tied", [0, 0.3])
@pytest.mark.spec(
    "RS-PREC-17", "RS-PREC-19", "RS-PREC-27", "RS-PREC-28", "RS-PREC-29", "RS-PREC-30",
    "RS-PREC-60", "RS-DCG-12", "RS-EXP-92", "RS-EXP-100", "RS-NUM-6", "RS-NUM-7",
)  # fmt: skip
def test_values_are_those_of_the_reference(form, tied, pools):
    """Labels above 1, empty lists and pools, pools that lack items, and orders left open."""
    batch = random_batch(random.Random(f"{form} {tied}"), form, tied)
    if pools != "apart":
        batch = replace(batch, pool=None, pool_offsets=None)
    if pools == "own, of fractions":
        batch = replace(batch, labels=array("d", [x / 2 for x in batch.labels]))
    wanted = [m for m in measures() if not tied or m.k in (None, 3)]
    for m, by_c, by_reference in zip(
        wanted, values(wanted, batch, "c"), values(wanted, batch, "reference"), strict=True
    ):
        assert by_c.tolist() == by_reference.tolist(), m


@pytest.mark.spec("RS-PREC-27", "RS-PREC-28", "RS-PREC-30")
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_what_a_level_asks_for(rounding):
    """Up to 100 relevant items: the rounding shows in whether a list has as many."""
    levels = [i / 20 for i in range(21)]
    rows = [[1] * h for h in range(1, 41)]
    pools = [[1] * N_p for N_p in (3, 7, 20, 45, 90) for _ in rows]
    batch = Batch(*flat(rows * 5, "B"), None, *flat(pools, "B"))
    wanted = [rs.IPrec(recall=x, rounding=rounding) for x in levels]
    if rounding == "nearest":
        wanted += [rs.RprecMult(multiple=x) for x in levels]
    found, expected = values(wanted, batch, "c"), values(wanted, batch, "reference")
    assert [x.tolist() for x in found] == [x.tolist() for x in expected]


@pytest.mark.spec("RS-PREC-17", "RS-PREC-19", "RS-PREC-28", "RS-PREC-29", "RS-PREC-30")
@thinned
def test_all_but_a_few_values_are_decided(monkeypatch):
    """Of lists whose order is settled; of others too where it does not matter."""
    batch = random_batch(random.Random(4), "B", 0)
    assert undecided_share(monkeypatch, measures()[:: in_lane(3, 1)], batch) <= 0.05
    rows = [[1, 1, 0, 0, 2, 1, 0, 1], [3, 2, 1]]
    starts = bytes([1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0])
    mixed_below_6 = Batch(*flat(rows, "B"), starts)
    wanted = [rs.AvgIPrec(k=k, rounding=x) for k in (1, 5, 6) for x in ROUNDINGS]
    assert undecided_share(monkeypatch, wanted, mixed_below_6) == 0
    assert undecided_share(monkeypatch, [rs.AvgIPrec(k=7)], mixed_below_6) == 0.5
    wanted = [rs.RprecMult(k=7), rs.Utility(k=7), rs.NumRel(), rs.NumQ()]
    assert undecided_share(monkeypatch, wanted, mixed_below_6) == 0


@pytest.mark.spec("RS-PREC-60", "RS-EXP-100", "RS-NUM-7")
@thinned
def test_utility_of_any_worth():
    """Worths of many bits, alike and far apart, of either sign, and of many documents."""
    rng = random.Random(60)
    for _ in range(in_lane(150, 300)):
        n = rng.randint(0, 9)
        given = {
            "weights": [
                rng.choice([0, rng.randint(-9, 9), rng.uniform(-1, 1) * 2 ** rng.randint(-40, 40)])
                for _ in range(4)
            ],
            "documents": rng.choice([n + 4, 10**6, (1 << 53) - 1]),
            "judged": rng.choices([0, 1, 5], k=rng.randint(0, 4)),
            "k": [1, 3, None],
            "check": False,
        }
        if rng.random() < 0.5:
            given["scores"] = rng.choices([1, 2, 3], k=n)
        labels = rng.choices([0, 1, 5], k=n)
        of = [rs.utility(labels, backend=b, **given).tolist() for b in ("c", "reference")]
        assert of[0] == of[1], (labels, given)


@pytest.mark.spec("RS-PREC-60")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_a_worth_that_is_small_beside_another_counts(backend):
    of = {"judged": [1], "backend": backend}
    assert rs.utility([], weights=[1e300, 0, 1e-300, 0], **of) == 1e-300
    assert rs.utility([0], weights=[2.0**60, 5e-324, 0, 0], **of) == 5e-324


@pytest.mark.spec("RS-PREC-60", "RS-EXP-100")
def test_a_sum_of_too_many_bits_is_left_to_the_reference():
    """Two to the 53 documents, times the size of a long tie group, in units of 2^-59."""
    n = 20_000
    given = {"scores": [0] * 2 * n, "k": 1, "weights": [1, 0, 0, 1], "documents": 1 << 53}
    found = [rs.utility([1, 0] * n, backend=b, **given) for b in ("c", "reference")]
    assert found[0] == found[1] == 2.0**53 - n


def errors_of(measure: Measure, batch: Batch) -> list[str]:
    found = []
    for backend in ("c", "reference"):
        with pytest.raises(InputError) as raised:
            values([measure], batch, backend)
        found.append(str(raised.value))
    return found


@pytest.mark.spec("RS-PREC-17", "RS-PREC-60", "RS-CONV-6")
def test_what_is_refused_is_told_alike():
    nan = float("nan")
    rows, pools = [[1, 0], [1, nan]], [[1], [0, 1, nan]]
    listed = Batch(*flat(rows, "d"), None, *flat([[1], [0, 1, 1]], "d"))
    pooled = Batch(*flat([[1, 0], [1, 1]], "d"), None, *flat(pools, "d"))
    own = replace(listed, pool=None, pool_offsets=None)
    for measure in (rs.NumRel(), rs.IPrec(), rs.RprecMult(), rs.Utility()):
        found = [errors_of(measure, x) for x in (pooled, own)]
        assert all(x == y for x, y in found)
        assert [x.split(":")[0] for x, _ in found] == ["judged", "labels"]
    for measure in (rs.NumQ(), rs.AvgIPrec(), rs.Utility()):
        x, y = errors_of(measure, listed)
        assert x == y
    found = [values([rs.NumRel()], listed, b)[0].tolist() for b in ("c", "reference")]
    assert found == [[1, 2]] * 2  # of the pools alone, whatever the lists hold

    rows, pools = [[1, 0, 0], [0, 1]], [[1, 1], [1, 1, 1, 1]]
    batch = Batch(*flat(rows, "B"), None, *flat(pools, "B"))
    for documents in (3, 4):
        x, y = errors_of(rs.Utility(documents=documents), batch)
        assert x == y
    missed = Batch(*flat([[1, 1, 1]], "B"), None, *flat([[0]], "B"))
    x, y = errors_of(rs.Utility(documents=2), missed)
    assert x == y
    enough = rs.Utility(documents=5, weights=(1, 0, 0, 1))
    assert values([enough], batch, "c") == values([enough], batch, "reference")
