"""DCG_phi, nDCG_phi and relevance of the core, where the general tests seldom come."""

from __future__ import annotations

import random
from array import array
from bisect import bisect
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import by_core as computing
from rankspec.compute import core as binding
from rankspec.compute.backends import relevance, values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.relevance import QUARTILES, VARIANT

from ..each import in_lane, thinned
from .batches import DISCOUNTS, LARGEST, by_core, control_points, flat, undecided_share

DCG_PHI, NDCG_PHI = (m for m in METRICS if m.function in ("dcg_phi", "ndcg_phi"))
VALUES = pytest.mark.spec("RS-REL-11", "RS-REL-12", "RS-EXP-2", "RS-EXP-3", "RS-NUM-14")
OF_ITEMS = pytest.mark.spec(
    "RS-REL-1", "RS-REL-2", "RS-REL-3", "RS-REL-4", "RS-REL-5", "RS-REL-6", "RS-REL-7", "RS-REL-8",
    "RS-REL-9", "RS-NUM-14",
)  # fmt: skip

_DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
_INT64 = st.integers(-LARGEST - 1, LARGEST)
_MIXED = st.builds(lambda m, e: m * 2.0**e, st.integers(-999, 999), st.integers(-1074, 1000))
SCORES = {
    "small": (st.integers(-3, 9), "bhiqfd"),
    "usual": (st.integers(1, 1000), "HhIiqfd"),
    "int64": (st.one_of(st.integers(-9, 9), _INT64, st.integers(LARGEST - 9, LARGEST)), "q"),
    "unit": (st.floats(0, 1), "d"),
    "doubles": (st.one_of(_DOUBLES, st.sampled_from([0.0, -0.0, 5e-324, 1.0])), "d"),
    "mixed": (st.one_of(_MIXED, st.integers(-9, 9).map(float)), "d"),
    "near": (st.integers(0, 99).map(lambda n: 1e15 + n / 8), "d"),
    "tiny": (st.integers(-9, 9).map(lambda n: n * 5e-324), "d"),
}
WORDS = st.fixed_dictionaries(
    {"variant": st.sampled_from(VARIANT.words), "quartiles": st.sampled_from(QUARTILES.words)}
)
POINTS = st.one_of(st.none(), control_points())
ALL_KINDS = pytest.mark.parametrize("kind", SCORES)


# ---- lists --------------------------------------------------------------------------------------


@VALUES
@ALL_KINDS
@given(data=st.data())
def test_lists_and_pools(kind, data):
    scores, forms = SCORES[kind]
    sizes = st.lists(scores, max_size=9)
    lists = data.draw(st.lists(sizes, max_size=3))
    pools = [row + data.draw(sizes) for row in lists]
    if data.draw(st.booleans()):
        pools = [data.draw(sizes) for _ in lists]  # scores beyond those of the pool
    form = data.draw(st.sampled_from(forms))
    form_of_pools = form if form == "q" else data.draw(st.sampled_from(forms))
    labels, offsets = flat(lists, form)
    tied = data.draw(st.booleans())
    starts = bytes(data.draw(st.lists(st.booleans(), min_size=len(labels), max_size=len(labels))))
    own = data.draw(st.booleans())
    pool = (None, None) if own else flat(pools, form_of_pools)
    batch = Batch(labels, offsets, starts if tied else None, *pool)
    chosen = data.draw(WORDS) | {"points": data.draw(POINTS), "discount": data.draw(DISCOUNTS)}
    cutoffs = data.draw(st.lists(st.sampled_from([1, 2, 5, 12, None]), min_size=1, max_size=3))
    wanted = [make(m, k, **chosen) for m in (DCG_PHI, NDCG_PHI) for k in cutoffs]
    ours, theirs = (values(wanted, batch, backend) for backend in ("c", "reference"))
    assert [x.tolist() for x in ours] == [x.tolist() for x in theirs]


@VALUES
@pytest.mark.parametrize("types", [("q", "d"), ("d", "q"), ("B", "q"), ("f", "b")])
def test_lists_and_pools_of_other_types(types):
    rng = random.Random(1)
    lists, pools = ([[rng.randint(0, 9) for _ in range(6)] for _ in range(50)] for _ in range(2))
    batch = Batch(*flat(lists, types[0]), None, *flat(pools, types[1]))
    expected = Batch(*flat(lists, "q"), None, *flat(pools, "q"))
    wanted = [make(NDCG_PHI, 4), make(NDCG_PHI, 4, variant="authors-program")]
    assert values(wanted, batch) == values(wanted, expected, "reference")


@pytest.mark.slow
@VALUES
@pytest.mark.parametrize("bits", [54, 55, 56, 58])
@pytest.mark.parametrize("tied", [False, True])
def test_few_bits(monkeypatch, bits, tied):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    rows = [[rng.randint(1, 1000) for _ in range(rng.randint(2, 12))] for _ in range(800)]
    labels, offsets = flat(rows, "q")
    starts = bytes(rng.random() < 0.5 for _ in labels) if tied else None
    wanted = [make(m, k) for m in (DCG_PHI, NDCG_PHI) for k in (3, None)]
    share = undecided_share(monkeypatch, wanted, Batch(labels, offsets, starts))
    assert share < 1
    assert share > 0 or bits > 56  # the control: these bits are really few


@VALUES
@pytest.mark.parametrize("variant", VARIANT.words)
@thinned
def test_usual_lists_are_decided(monkeypatch, variant):
    """The reference is slow: of lists as there are, it is asked for none."""
    rng = random.Random(3)
    makers = [
        lambda: rng.randint(1, 1000),
        lambda: rng.choice([0, 0, 0, 1, 1, 2, 5, 20, 100]),
        rng.random,
        lambda: rng.lognormvariate(0, 2),
        lambda: rng.gauss(0, 1),
    ]
    for make_score in makers:
        rows = [
            [make_score() for _ in range(rng.randint(1, 30))] for _ in range(in_lane(1500, 3000))
        ]
        batch = Batch(*flat(rows, "d"))
        wanted = [make(m, k, variant=variant) for m in (DCG_PHI, NDCG_PHI) for k in (3, 10)]
        assert not any(isnan(x) for column in by_core(monkeypatch, wanted, batch) for x in column)


@pytest.mark.slow(but=1)
@VALUES
@pytest.mark.parametrize("length", [127, 128, 129, 1000, 5000])
def test_long_lists(length):
    """Pools whose sort merges runs of many lengths."""
    rng = random.Random(length)
    rows = [[rng.getrandbits(rng.choice([4, 40])) for _ in range(length - i)] for i in range(3)]
    batch = Batch(*flat(rows, "q"))
    wanted = [make(NDCG_PHI, k, variant=v) for k in (10, 100) for v in VARIANT.words]
    assert values(wanted, batch) == values(wanted, batch, "reference")


@VALUES
@pytest.mark.parametrize("bad", [nan, float("inf"), -float("inf")])
@pytest.mark.parametrize("form", ["d", "f"])
def test_a_score_that_is_not_finite_is_refused(bad, form):
    lists, pools = [[1.0, 2.0], [3.0, bad]], [[1.0], [2.0, 5.0]]
    for batch in (
        Batch(*flat(lists, form), None, *flat(pools, form)),
        Batch(*flat(pools, form), None, *flat(lists, form)),
    ):
        said = []
        for backend in ("c", "reference"):
            with pytest.raises(InputError) as error:
                values([make(NDCG_PHI, 1)], batch, backend)
            said.append(str(error.value))
        assert said[0] == said[1]
    said = []
    for backend in ("c", "reference"):
        with pytest.raises(InputError, match="finite") as error:
            relevance(make(DCG_PHI, None), *flat(lists, form), backend)
        said.append(str(error.value))
    assert said[0] == said[1]


@pytest.mark.slow
@pytest.mark.long(but=3)
@VALUES
@pytest.mark.parametrize("quartiles", QUARTILES.words)
def test_scores_between_two_units_of_the_grid(quartiles):
    """Their unit is 2^-115 for the pools: what is between two must not be taken for either."""
    unit = 2.0**-115
    pools = [[0, m * unit, (m + 1) * unit, 0.75] for m in (-2, -1, 1, 2, 9)]
    pools += [[m * unit, (m + 1) * unit, 0.5, 0.75] for m in (-2, -1, 1, 2, 9)]
    rows = [[m * unit + e * unit / 8 for m in range(-3, 12)] for e in range(8) for _ in pools]
    lists = [[s] for row in rows for s in row]
    own = [pool for i, row in enumerate(rows) for pool in [pools[i % len(pools)]] * len(row)]
    batch = Batch(*flat(lists, "d"), None, *flat(own, "d"))
    wanted = [make(DCG_PHI, 1, variant=v, quartiles=quartiles) for v in VARIANT.words]
    given = [(-unit, 0), (unit, 0), (2 * unit, 0.5), (0.75, 1)]
    flat_from_there = [(-2 * unit, 0), (-unit, 0.5), (0.75, 0.5)]
    wanted += [make(DCG_PHI, 1, points=points) for points in (given, flat_from_there)]
    assert values(wanted, batch) == values(wanted, batch, "reference")


# ---- items --------------------------------------------------------------------------------------


def assert_relevance(rows: Sequence[Sequence], form: str, **chosen) -> None:
    measure, batch = make(DCG_PHI, None, **chosen), flat(rows, form)
    assert relevance(measure, *batch) == relevance(measure, *batch, "reference")


@OF_ITEMS
@ALL_KINDS
@given(data=st.data(), words=WORDS, points=POINTS)
def test_relevance_of_items(kind, data, words, points):
    scores, forms = SCORES[kind]
    rows = data.draw(st.lists(st.lists(scores, max_size=12), max_size=3))
    assert_relevance(rows, data.draw(st.sampled_from(forms)), points=points, **words)


@pytest.mark.slow
@OF_ITEMS
@pytest.mark.parametrize("variant", VARIANT.words)
@pytest.mark.parametrize("quartiles", QUARTILES.words)
def test_relevance_of_every_small_score_set(variant, quartiles):
    """Up to 7 scores from -1 to 3: quartiles at items and between them, and all that coincide."""
    sets = [list(row) for n in range(8) for row in combinations_with_replacement(range(-1, 4), n)]
    sets += [[s * s * s for s in row] for row in sets if len(row) == 7]  # with outliers
    assert_relevance(sets, "q", variant=variant, quartiles=quartiles)
    assert_relevance(sets, "d", variant=variant, quartiles=quartiles)


@OF_ITEMS
def test_relevance_close_to_the_middle_of_two_doubles(monkeypatch):
    """Of 0, 0, 0, s, h the control points are (0, 0) and (h, 1), so that φ(s) = s/h: that is
    (c + e/h) / 2^54 for an odd c, and c / 2^54 itself.
    """
    unknown = lambda _, scores, __: array("d", [nan]) * len(scores)  # noqa: E731
    monkeypatch.setattr(computing, "relevance_by_reference", unknown)
    rng = random.Random(5)
    pairs = []
    while len(pairs) < 2000:
        h = rng.getrandbits(rng.randint(56, 62)) | 1 << 55 | 1
        e = rng.choice([1, -1, rng.randrange(-(1 << 20), 1 << 20) | 1])
        s = e * pow(1 << 54, -1, h) % h
        if 2 * s >= h:
            pairs.append((s, h))
    rows = [[0, 0, 0, s, h] for s, h in pairs]
    relevances = relevance(make(DCG_PHI, None), *flat(rows, "q"))[3::5]
    for x, (s, h) in zip(relevances, pairs, strict=True):
        assert isnan(x) or x == float(Fraction(s, h))
    assert 0 < sum(map(isnan, relevances)) < len(pairs)
    monkeypatch.undo()
    middles = [[0, 0, 0, 2 * c, 1 << 55] for c in range((1 << 53) + 1, (1 << 54), 1 << 44)]
    assert_relevance(middles, "q")


@OF_ITEMS
@given(control_points(), st.lists(_DOUBLES, min_size=1, max_size=20))
def test_relevance_beyond_and_at_given_points(points, more):
    """At a control point φ is its relevance, beyond them that of the first or the last."""
    scores = sorted([float(s) for s, _ in points] + more)
    found = relevance(make(DCG_PHI, None, points=points), *flat([scores], "d")).tolist()
    at = [Fraction(s) for s, _ in points]
    for s, y in zip(scores, found, strict=True):
        i = bisect(at, Fraction(s))
        if i == 0 or i == len(at) or Fraction(s) == at[i - 1]:
            assert y == points[max(i - 1, 0)][1]
        else:
            assert points[i - 1][1] <= y <= points[i][1]


# ---- the gain 2^r - 1 of fractional labels ----------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-GAIN-2", "RS-NUM-8", "RS-NUM-13")
def test_fractional_labels_are_decided(monkeypatch):
    """2^r - 1 for fractional and for large r."""
    rng = random.Random(6)
    makers = [
        lambda: rng.randint(1, 80) / 16,
        rng.random,
        lambda: rng.random() * 40,
        lambda: float(rng.randint(60, 100)),
        lambda: 900 + rng.random() * 60,
    ]
    for make_label in makers:
        rows = [[make_label() for _ in range(rng.randint(1, 12))] for _ in range(150)]
        batch = Batch(*flat(rows, "d"))
        gained = [m for m in METRICS if m.function in ("cg", "dcg", "idcg", "ndcg")]
        wanted = [make(m, 5, gain="exp2") for m in gained]
        assert undecided_share(monkeypatch, wanted, batch) == 0
