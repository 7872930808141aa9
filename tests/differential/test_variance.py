"""Variances and z-values by the C core: by ==, against the reference and against their definitions.

A z-value with a rational discount is the square root of a fraction, which integers round correctly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import isnan, isqrt, nextafter

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.bounds import BOUNDS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure

from ..each import in_lane, thinned
from .batches import LABELS, by_core, flat, parameters_of_bounded
from .compiled import compiled
from .test_bounds import CUTOFFS, OF, mean, metric_function, random_rows, related, usual_lists

pytestmark = pytest.mark.slow(but=1)

VARIANCE = pytest.mark.spec("RS-EXP-20", "RS-EXP-21", "RS-EXP-22", "RS-EXP-23", "RS-NUM-20")
NAMES = [name for name, metric in OF.items() if metric.core.variances]
EVERY_METRIC = pytest.mark.parametrize("name", NAMES)
COUNTED = ("CG", "P", "R")


def of_variance(inner: Measure) -> list[Measure]:
    return [bound(inner) for bound in BOUNDS if bound.of_variance]


def test_they_are_in_the_core():
    assert NAMES == ["CG", "DCG", "nDCG", "nCG", "P", "R", "RR", "SP", "AP", "RBP"]


# ---- against the reference -------------------------------------------------------------------


@EVERY_METRIC
@pytest.mark.parametrize("tied", [False, True])
@given(data=st.data(), kind=st.sampled_from([*LABELS, "grades", "grades"]))
@VARIANCE
def test_against_the_reference(name, tied, data, kind):
    batch = data.draw(related(kind, tied=tied))
    own = data.draw(parameters_of_bounded(OF[name], kind))
    cutoffs = data.draw(st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=1, max_size=3))
    for measures in zip(*(of_variance(make(OF[name], k, **own)) for k in cutoffs), strict=True):
        outcomes = []
        for backend in ("c", "reference"):
            try:
                outcomes.append([column.tolist() for column in values(measures, batch, backend)])
            except InputError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], measures


# ---- the definitions, with fractions ---------------------------------------------------------


def root(x: Fraction) -> float:
    """The double nearest to the square root."""
    if x == 0:
        return 0.0
    scale = max(0, 100 - (x.numerator.bit_length() - x.denominator.bit_length()) // 2)
    scaled = x * 4**scale
    floor = isqrt(scaled.numerator // scaled.denominator)
    between = Fraction(1, 2) if floor * floor != scaled else 0  # no double lies there, or a tie
    return float((floor + between) / 2**scale)


def z_value(A: Fraction, of_random: Fraction, variance: Fraction) -> float:
    if variance == 0:
        return 0.0
    gap = A - of_random
    return root(gap**2 / variance) * (1 if gap > 0 else -1)


def squared(of: Callable) -> Callable[[Sequence], Fraction]:
    return lambda r: of(r) ** 2


def undecided_share(
    monkeypatch,
    rows: Sequence[tuple],
    cutoffs: Sequence[int | None],
    form: str = "B",
    names: Sequence[str] = tuple(NAMES),
    **given: object,
) -> float:
    """How much the core leaves undecided; all else is by the definition, or the test fails.

    rows: a list's tie groups, and its pool; None: the list is its own pool
    """
    given = {"discount": "zipf", "p": 0.75} | given
    lists = [sum(groups, ()) for groups, _ in rows]
    own_pools = all(pool is None for _, pool in rows)
    pools = [r if pool is None else pool for r, (_, pool) in zip(lists, rows, strict=True)]
    starts = bytes(x for groups, _ in rows for g in groups for x in (1, *[0] * (len(g) - 1)))
    tied = any(len(group) > 1 for groups, _ in rows for group in groups)
    batch = Batch(
        *flat(lists, form),
        starts if tied else None,
        *((None,) * 2 if own_pools else flat(pools, form)),
    )
    left = cells = 0
    for name in names:
        own = {p: x for p, x in given.items() if p in OF[name].parameters}

        @cache
        def moments(J: tuple, k: int, name=name, own=own) -> tuple[Fraction, Fraction]:
            of = metric_function(name, own, J, k)
            first, second = mean(of, (J,)), mean(squared(of), (J,))
            return first, second - first**2

        inner = [make(OF[name], k, **own) for k in cutoffs]
        measures = [m for around in zip(*map(of_variance, inner), strict=True) for m in around]
        columns = [by_core(monkeypatch, [m], batch)[0] for m in measures]
        for m, column in zip(measures, columns, strict=True):
            for (groups, _), r, J, x in zip(rows, lists, pools, column, strict=True):
                by_length = name == "P" or own.get("norm") == "k"  # RS-BND-1(a)
                k = m.k or (by_length and len(r)) or max(len(r), len(J))
                first, variance = moments(tuple(sorted(J)), k)
                if m.metric.bound == "variance":
                    value = float(variance)
                else:
                    A = mean(metric_function(name, own, J, k), groups)
                    value = z_value(A, first, variance)
                cells += 1
                left += isnan(x)
                assert isnan(x) or x == value, f"{m} of {groups} with {J}"
    return left / cells


@pytest.mark.slow(but=3)
@pytest.mark.long(but=19)
@VARIANCE
@EVERY_METRIC
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@thinned
def test_grades(monkeypatch, name, tied, pooled):
    rows = random_rows(f"variance {name}", in_lane(40, 80), [0, 1, 2, 3], tied=tied, pooled=pooled)
    share = undecided_share(monkeypatch, rows, CUTOFFS, names=[name])
    # A few numbers of such short lists are equal by coincidence: 1/2 = (1 + 1/2) / 3, say.
    assert share < (1e-9 if name in COUNTED else 0.02), share


@pytest.mark.slow
@pytest.mark.long(but=2)
@VARIANCE
@pytest.mark.parametrize("discount", ["none", [2, 1, 1, 0.5, 0, 0, 0, 0], [0] * 8], ids=str)
@pytest.mark.parametrize("gain", ["exp2", [1, 1, 5, 5], [0, 0.5, 0.5, 3]], ids=str)
@pytest.mark.parametrize("form", ["B", "d"])
def test_gains_and_discounts(monkeypatch, form, gain, discount):
    given = {"gain": gain, "discount": discount, "ideal": "all", "norm": "k"}
    for tied, pooled in ((False, False), (True, True)):
        rows = random_rows(str(gain), 40, [0, 1, 2, 3], tied=tied, pooled=pooled)
        names = ["CG", "DCG", "nDCG", "AP"]
        share = undecided_share(monkeypatch, rows, [1, 2, 4, 8], form, names, **given)
        assert share < 0.05, share


@pytest.mark.slow
@pytest.mark.long(but=3)
@VARIANCE
@pytest.mark.parametrize("form", ["q", "d", "f"])
@pytest.mark.parametrize("tied", [False, True])
def test_large_and_real_labels(monkeypatch, form, tied):
    labels = {
        "q": [1, (1 << 62) + 1, 256, (1 << 53) + 1, (1 << 53) + 2],
        "d": [0.1, 0.1 + 2**-56, 1e-9, 1e15, 2.0],
        "f": [0.5, 2.0, 0.25, 0.0],
    }[form]
    for pooled in (False, True):
        rows = random_rows(form, 40, labels, tied=tied, pooled=pooled)
        share = undecided_share(monkeypatch, rows, CUTOFFS, form, ["CG", "DCG", "nDCG"])
        # The squares of neighbouring doubles are equal in 96 bits.
        assert share < 0.2, share


@VARIANCE
@pytest.mark.parametrize("norm", ["R", "min", "k"])
def test_normalisers(monkeypatch, norm):
    rows = random_rows(norm, 60, [0, 1], tied=True, pooled=True)
    assert undecided_share(monkeypatch, rows, CUTOFFS, names=["AP"], norm=norm) < 0.02


@pytest.mark.slow(but=2)
@VARIANCE
@pytest.mark.parametrize("p", [0.5, 0.95, 5e-324, 1 - 2.0**-20, 1 - 2.0**-53, 1e-30])
def test_persistence(monkeypatch, p):
    rows = random_rows(str(p), 60, [0, 1], tied=True, pooled=True)
    share = undecided_share(monkeypatch, rows, CUTOFFS, names=["RBP"], p=p)
    assert share < (0.02 if p <= 0.95 else 0.7), share  # all orders are of nearly one value


@pytest.mark.slow
@pytest.mark.long(but=4)
@pytest.mark.spec("RS-NUM-20/L2")
@pytest.mark.parametrize("bits", [56, 60])
@pytest.mark.parametrize("form", ["B", "d"])
@pytest.mark.parametrize("tied", [False, True])
def test_few_bits(monkeypatch, bits, form, tied):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    labels = [0, 1, 3, 77] if form == "B" else [0.3, 1.7, 1e-3, 90.0]
    names = ["DCG", "RR", "SP", "RBP"] if form == "B" else ["DCG"]
    rows = random_rows(str(bits), 120, labels, tied=tied, pooled=True)
    share = undecided_share(monkeypatch, rows, [1, 2, 3, 5], form, names)
    assert 0 < share < 1  # the control: these bits are really few


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-20/L2")
@pytest.mark.parametrize(
    ("names", "form", "labels", "weights"),
    [
        (["CG", "DCG", "nDCG"], "B", [0, 1, 2, 3], [1 + 2.0**-52, *[1] * 7]),
        (["CG", "DCG"], "q", [(1 << 62) + i for i in (0, 1, 2)], [1, *[2.0**-60] * 7]),
        (["CG", "DCG"], "d", [2.0**-80, 2.0**-79, 0, 1], [1, *[2.0**-60] * 7]),
    ],
)
def test_variances_that_are_nearly_0(monkeypatch, names, form, labels, weights):
    """What is not 0 is not taken for it."""
    monkeypatch.setattr(binding, "bits_of_a_discount", 54)
    rows = random_rows(form, 60, labels, tied=True, pooled=True)
    share = undecided_share(monkeypatch, rows, [1, 2, 4, 8], form, names, discount=weights)
    assert 0 < share < 1  # the control: some are really open


@pytest.mark.spec("RS-NUM-20/L1")
@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("apart", [1e-3, 1e-6, 1e-7, 1e-8, 1e-9])
def test_gains_that_are_nearly_equal(monkeypatch, gain, apart):
    """Their squares cancel but for few bits; what these decide is as by the reference."""
    rng = random.Random(apart)
    rows = [[0.7 + apart * rng.random() for _ in range(rng.randint(2, 5))] for _ in range(40)]
    batch = Batch(*flat(rows, "d"))
    for measure in of_variance(make(OF["CG"], 1, gain=gain)):
        (true,) = values([measure], batch, "reference")
        (found,) = by_core(monkeypatch, [measure], batch)
        assert all(isnan(x) or x == y for x, y in zip(found, true, strict=True))
        assert any(map(isnan, found)) == (apart < 1e-3)


# ---- long lists ------------------------------------------------------------------------------


def moments_of_relevance(n: int, r: int, added: Callable) -> list[tuple[Fraction, Fraction]]:
    """Mean and variance of a sum over k ranks in a random order of r relevant items among n, by k.

    added(found, i): what a relevant item adds at rank i, where `found` stand above it; summed over
    what the first ranks may hold, rank by rank.
    """
    states = {0: (Fraction(1), Fraction(0), Fraction(0))}  # by found: P, E[S; it], E[S^2; it]
    moments = [(Fraction(0), Fraction(0))]
    for i in range(1, n + 1):
        after: dict[int, list[Fraction]] = {}
        for found, (P, first, second) in states.items():
            share = Fraction(r - found, n - i + 1)
            x = added(found, i)
            hit = (P, first + x * P, second + 2 * x * first + x * x * P)
            for to, by, moved in (
                (found + 1, share, hit),
                (found, 1 - share, (P, first, second)),
            ):
                if by:
                    cell = after.setdefault(to, [Fraction(0)] * 3)
                    after[to] = [y + by * z for y, z in zip(cell, moved, strict=True)]
        states = {found: tuple(cell) for found, cell in after.items()}  # type: ignore[misc]
        first, second = (sum(state[t] for state in states.values()) for t in (1, 2))
        moments.append((first, second - first * first))
    return moments


ADDED = {
    "P": lambda *_: Fraction(1),
    "RR": lambda found, i: Fraction(0 if found else 1, i),
    "SP": lambda found, i: Fraction(found + 1, i),
}


@VARIANCE
@pytest.mark.parametrize("name", ADDED)
def test_relevance_of_every_number(monkeypatch, name):
    """All r of all n to 12, and some long lists."""
    sizes = [*product(range(13), range(13)), (40, 1), (40, 3), (40, 20), (60, 59), (200, 4)]
    for n, r in ((n, r) for n, r in sizes if r <= n):
        ideal = [1] * r + [0] * (n - r)
        rows = [ideal, ideal[::-1], random.Random(n * 99 + r).sample(ideal, n)]
        moments = moments_of_relevance(n, r, ADDED[name])
        for k in (1, 2, 3, 7, 12, None):
            first, variance = moments[min(k or n, n)]
            batch = Batch(*flat(rows, "B"))
            columns = [by_core(monkeypatch, [m], batch)[0] for m in of_variance(make(OF[name], k))]
            by = (k or n or 1) if name == "P" else 1
            assert set(columns[0]) == {float(variance / by**2)}, (n, r, k)
            for row, x in zip(rows, columns[1], strict=True):
                A, found = Fraction(0), 0
                for i, hit in enumerate(row[:k], start=1):
                    A += ADDED[name](found, i) if hit else 0
                    found += hit
                assert isnan(x) or x == z_value(A, first, variance), (row, k)
                assert not isnan(x) or first == A


def assert_nearest(x: float, value: arb) -> None:
    """No neighbour of x is nearer to the value."""
    above, below = ((arb(x) + arb(nextafter(x, to))) / 2 for to in (2e300, -2e300))
    assert below < value < above, (x, value)


@VARIANCE
@pytest.mark.parametrize("name", ["DCG", "nDCG"])
@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("form", ["B", "d"])
def test_logarithmic_discounts(monkeypatch, name, gain, form):
    """By the covariances of the gains at two ranks, in balls of another library."""
    monkeypatch.setattr(ctx, "prec", 300)
    lists = usual_lists(8, 40)
    batch = Batch(*flat(lists, form))
    for k in (1, 10, None):
        inner = make(OF[name], k, gain=gain)
        columns = [by_core(monkeypatch, [m], batch)[0] for m in of_variance(inner)]
        for r, variance, z in zip(lists, *columns, strict=True):
            G = [Fraction(2**x - 1 if gain == "exp2" else x) for x in r]
            n, m = len(G), min(k or len(G), len(G))
            centre = sum(G) / n
            own = sum((x - centre) ** 2 for x in G) / n
            if own == 0:
                assert variance == z == 0
                continue
            d = [1 / arb(i + 2).log() * arb(2).log() for i in range(m)]
            other = -own / (n - 1)
            exact = sum(
                (d[i] * d[j] * arb_of(own if i == j else other))
                for i, j in product(range(m), repeat=2)
            )
            gap = sum(x * arb_of(g - centre) for x, g in zip(d, G, strict=False))
            ideal = sum(x * arb_of(g) for x, g in zip(d, sorted(G, reverse=True), strict=False))
            assert_nearest(variance, exact / ideal**2 if name == "nDCG" else exact)
            if gap.contains(0):
                assert z == 0 or isnan(z)
            else:
                assert_nearest(z, gap / exact.sqrt())


def arb_of(x: Fraction) -> arb:
    return arb(x.numerator) / x.denominator


# ---- where the variance is 0, or the list is as a random one ----------------------------------


@VARIANCE
@EVERY_METRIC
@pytest.mark.parametrize("form", ["B", "d", "q"])
@pytest.mark.parametrize("k", [1, 4, 7, 9, None])
def test_pools_of_equal_labels(monkeypatch, name, form, k):
    others = [1e-3, 77.7] if form == "d" else [200, 1 << 40][: 1 + (form == "q")]
    rng = random.Random(name)
    for label in (0, 1, 2, *others):
        pools = [[label] * n for n in (0, 1, 2, 7, 40)]
        lists = [[rng.choice([0, 1, label]) for _ in J] for J in pools]
        batch = Batch(*flat(lists, form), None, *flat(pools, form))
        for m in of_variance(make(OF[name], k)):
            assert by_core(monkeypatch, [m], batch)[0] == [0.0] * len(pools)


@VARIANCE
@EVERY_METRIC
@pytest.mark.parametrize("form", ["B", "d"])
def test_lists_that_are_one_tie_group(monkeypatch, name, form):
    """A random ranking of the pool has the z-value 0."""
    rng = random.Random(name)
    rows = [[rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(1, 40))] for _ in range(60)]
    batch = Batch(*flat(rows, form), bytes(i == 0 for row in rows for i in range(len(row))))
    for k in (1, 3, 10, None):
        assert by_core(monkeypatch, of_variance(make(OF[name], k))[1:], batch) == [[0.0] * 60]


@VARIANCE
@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("form", ["B", "d"])
def test_all_items_shown(monkeypatch, name, form):
    """In each order CG, P and R of all items are the same."""
    rng = random.Random(name)
    rows = [[rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(1, 12))] for _ in range(60)]
    for k in (12, 100, None):
        for m in of_variance(make(OF[name], k)):
            assert by_core(monkeypatch, [m], Batch(*flat(rows, form))) == [[0.0] * 60]


# ---- many lists ------------------------------------------------------------------------------


@VARIANCE
@EVERY_METRIC
def test_usual_lists_are_decided(monkeypatch, name):
    """The reference is slow: of lists as there are, it is asked for next to none."""
    lists = usual_lists(3, 2000)
    pools = [row + more for row, more in zip(lists, usual_lists(4, 2000), strict=True)]
    for batch in (Batch(*flat(lists, "B")), Batch(*flat(lists, "B"), None, *flat(pools, "B"))):
        for cutoffs in ((10,), (1, 5, 20, None)):
            inner = [of_variance(make(OF[name], k)) for k in cutoffs]
            for measures in zip(*inner, strict=True):
                columns = by_core(monkeypatch, list(measures), batch)
                left = sum(isnan(x) for column in columns for x in column)
                assert left <= 0.0005 * len(batch) * len(cutoffs), (measures[0], left)


@VARIANCE
@EVERY_METRIC
def test_cutoffs_do_not_change_each_other(monkeypatch, name):
    """All cut-offs go through a list at once, and the lists one after the other."""
    lists = usual_lists(5, 50)
    batch = Batch(*flat(lists, "B"))
    for by_cutoff in zip(*(of_variance(make(OF[name], k)) for k in (7, 2, None, 30)), strict=True):
        together = by_core(monkeypatch, list(by_cutoff), batch)
        for measure, column in zip(by_cutoff, together, strict=True):
            for a, row in enumerate(lists):
                ((alone,),) = by_core(monkeypatch, [measure], Batch(*flat([row], "B")))
                assert alone == column[a] or (isnan(alone) and isnan(column[a]))


# ---- the square root -------------------------------------------------------------------------

DECLARED = "void root_of(uint64_t *x, int32_t *exponent);"
SOURCE = """
    #include "core.c"
    static void root_of(uint64_t *x, int32_t *exponent)
    {
        rs_number given = {(u128)x[1] << 64 | x[0], (u128)x[3] << 64 | x[2], *exponent};
        rs_number root = rs_root(&given);
        x[0] = (uint64_t)root.low;
        x[1] = (uint64_t)(root.low >> 64);
        x[2] = (uint64_t)root.slack;
        x[3] = (uint64_t)(root.slack >> 64);
        *exponent = root.exponent;
    }
"""


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-20/L1")
def test_square_roots(tmp_path):
    """The root of each end is within the slack, which is small where that of the number is."""
    module = compiled(tmp_path, "root_of", DECLARED, SOURCE)
    rng = random.Random(20)
    for _ in range(20_000):
        low = rng.getrandbits(rng.randint(1, 127)) | 1
        low = rng.choice([low, (1 << low.bit_length()) - 1, 1 << low.bit_length() - 1])
        slack = rng.choice([0, low // 2, rng.randrange(low), rng.getrandbits(9)]) % low
        given_exponent = rng.randint(-300, 300)
        words = [w for x in (low, slack) for w in (x % (1 << 64), x >> 64)]
        x, exponent = module.ffi.new("uint64_t[]", words), module.ffi.new("int32_t *")
        exponent[0] = given_exponent
        module.lib.root_of(x, exponent)
        least, lack = x[0] + (x[1] << 64), x[2] + (x[3] << 64)
        unit = Fraction(2) ** exponent[0]
        scale = Fraction(2) ** given_exponent
        if least == 0:  # nothing is known
            assert slack * 4 > low or slack + 2 >= low
            continue
        assert (least * unit) ** 2 <= low * scale
        assert ((least + lack) * unit) ** 2 >= (low + slack) * scale
        assert least.bit_length() >= 124
        if slack == 0 and low < 1 << 120:
            assert lack < 1 << 27
