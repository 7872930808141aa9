"""Bounds of metrics by the C core: by ==, against the reference and against their definitions.

In the second part discounts are rational, so that the definitions can be computed with fractions,
random rankings as the mean over all orders; a quotient of Python's integers is correctly rounded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, pairwise, permutations, product
from math import isnan, ulp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.bounds import BOUNDS, bound_named
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make, metric
from rankspec.metrics.measure import Measure

from ..each import in_lane, thinned
from .batches import LABELS, by_core, flat, parameters_of_bounded, ragged

pytestmark = pytest.mark.slow(but=1)

BND = pytest.mark.spec(
    "RS-BND-1", "RS-BND-2", "RS-BND-3", "RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8",
    "RS-EXP-1", "RS-NUM-18", "RS-NUM-19",
)  # fmt: skip

OF = {
    m.name: m
    for m in METRICS
    if m.core.bounds is not None
    and m.relevance is None  # test_bounds_of_scores.py
    and "prior" not in m.parameters  # test_bounds_of_length.py
}
GRADED = ("ERR", "nERR", "RBP", "GAP")
EVERY_METRIC = pytest.mark.parametrize("name", OF)
IN_CORE = [(bound.name, {}) for bound in BOUNDS if bound.core and not bound.of_variance]
IN_CORE.append(("MinMax", {"lower": "worst"}))


def around(inner: Measure) -> list[Measure]:
    """Every bound of a measure that the core has."""
    return [bound_named(name)(inner, **own) for name, own in IN_CORE]


# ---- against the reference -------------------------------------------------------------------


@st.composite
def related(draw: st.DrawFn, kind: str, *, tied: bool) -> Batch:
    """Lists with pools that are the lists themselves, hold them, or have other labels."""
    labels, forms = LABELS[kind]
    form = draw(st.sampled_from(forms))
    few = st.sampled_from(draw(st.lists(labels, min_size=1, max_size=3)))
    (listed, offsets) = draw(ragged(draw(st.sampled_from([labels, few])), form, 3, 7))
    starts = bytes(draw(st.lists(st.booleans(), min_size=len(listed), max_size=len(listed))))
    pooled: tuple = (None, None)
    if draw(st.booleans()):
        rows = [
            [*listed[a + draw(st.sampled_from([0, 0, 1])) : b], *draw(st.lists(few, max_size=3))]
            for a, b in pairwise(offsets)
        ]
        pooled = flat([draw(st.permutations(row)) for row in rows], form)
    elif draw(st.booleans()):
        pooled = draw(ragged(few, draw(st.sampled_from(forms)), 3, 7))
    return Batch(listed, offsets, starts if tied else None, *pooled)


@pytest.mark.slow(but=5)
@pytest.mark.long(but=13)
@EVERY_METRIC
@pytest.mark.parametrize("tied", [False, True])
@given(data=st.data(), kind=st.sampled_from([*LABELS, "grades", "grades"]))
@BND
def test_against_the_reference(name, tied, data, kind):
    kind = "grades" if "max" in OF[name].parameters else kind  # ERR takes no others
    batch = data.draw(related(kind, tied=tied))
    own = data.draw(parameters_of_bounded(OF[name], kind))
    cutoffs = data.draw(st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=1, max_size=3))
    for measures in zip(*(around(make(OF[name], k, **own)) for k in cutoffs), strict=True):
        outcomes = []
        for backend in ("c", "reference"):
            try:
                outcomes.append([column.tolist() for column in values(measures, batch, backend)])
            except InputError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], measures


# ---- the definitions, with fractions ---------------------------------------------------------


def gain_function(choice: object) -> Callable:
    if choice == "exp2":
        return lambda r: Fraction(2 ** int(r) - 1)
    return Fraction if choice == "linear" else lambda r: Fraction(choice[int(r)])


def discount_function(name: str, choice: object) -> Callable[[int], Fraction]:
    if name == "CG" or choice == "none":
        return lambda _: Fraction(1)
    return (lambda i: Fraction(1, i)) if choice == "zipf" else lambda i: Fraction(choice[i - 1])


def metric_function(name: str, given: dict, J: tuple, k: int) -> Callable[[Sequence], Fraction]:
    """A@k of an order of labels, with the pool J."""
    g = gain_function(given.get("gain", "linear"))
    d = discount_function(name, given.get("discount", "zipf"))
    relevant_of_J = sum(x >= 1 for x in J)

    def dcg(r: Sequence, k: int) -> Fraction:
        return sum((g(x) * d(i) for i, x in enumerate(r[:k], start=1)), Fraction(0))

    def cg(r: Sequence, k: int) -> Fraction:
        return sum(map(g, r[:k]), Fraction(0))

    def found(r: Sequence, i: int) -> Fraction:
        return Fraction(sum(x >= 1 for x in r[:i]))

    def sp(r: Sequence) -> Fraction:
        return sum((found(r, i) / i for i, x in enumerate(r[:k], 1) if x >= 1), Fraction(0))

    def err(r: Sequence) -> Fraction:
        stop = given.get("stop") or [Fraction(2**x - 1, 2**4) for x in range(5)]
        total, going_on = Fraction(0), Fraction(1)
        for i, x in enumerate(r[:k], start=1):
            total += going_on * Fraction(stop[x]) / i
            going_on *= 1 - Fraction(stop[x])
        return total

    def rbp(r: Sequence) -> Fraction:
        p = Fraction(given["p"])
        return sum(((1 - p) * p**i for i, x in enumerate(r[:k]) if x >= 1), Fraction(0))

    q = [Fraction(x) for x in given.get("q", [0.25] * 4)]

    def gsp(r: Sequence) -> Fraction:
        pairs = ((r[h], x, i + 1) for i, x in enumerate(r[:k]) for h in range(i + 1))
        return sum((sum(q[: min(x, y)], Fraction(0)) / i for x, y, i in pairs), Fraction(0))

    def rr(r: Sequence) -> Fraction:
        return next((Fraction(1, i) for i, x in enumerate(r[:k], 1) if x >= 1), Fraction(0))

    K = len(J) if given.get("ideal") == "all" else k
    by_norm = {"R": relevant_of_J, "min": min(k, relevant_of_J), "k": k}
    ideal = sorted(J, reverse=True)
    total, divisor = {
        "CG": (lambda r: dcg(r, k), lambda: 1),
        "DCG": (lambda r: dcg(r, k), lambda: 1),
        "nDCG": (lambda r: dcg(r, k), lambda: dcg(ideal, K)),
        "nCG": (lambda r: cg(r, k), lambda: cg(ideal, k)),
        "P": (lambda r: found(r, k), lambda: k),
        "R": (lambda r: found(r, k), lambda: relevant_of_J),
        "RR": (rr, lambda: 1),
        "SP": (sp, lambda: 1),
        "AP": (sp, lambda: by_norm[given.get("norm", "R")]),
        "ERR": (err, lambda: 1),
        "nERR": (err, lambda: err(ideal)),
        "RBP": (rbp, lambda: 1),
        "GAP": (gsp, lambda: sum((sum(q[:x], Fraction(0)) for x in J), Fraction(0))),
    }[name]
    by = divisor()
    return lambda r: total(r) / by if by else Fraction(0)


def precision_at_levels(levels: Sequence, J: tuple, k: int) -> Callable[[Sequence], Fraction]:
    """The mean of the greatest precisions of an order at levels, which are multiples of a half."""
    c = [(2 * sum(x >= 1 for x in J) * level + 1) // 2 for level in levels]  # to the nearest

    def of(r: Sequence) -> Fraction:
        hits = [sum(x >= 1 for x in r[:i]) for i in range(1, min(k, len(r)) + 1)]
        greatest = [
            max((Fraction(h, i) for i, h in enumerate(hits, 1) if h >= least), default=0)
            for least in c
        ]
        return sum(greatest, Fraction(0)) / len(c)

    return of


def mean(of: Callable, groups: Sequence[Sequence]) -> Fraction:
    """Over all orders of all groups: of the distinct ones, as each comes equally often."""
    orders = [
        sum(choice, ())
        for choice in product(*({*permutations(group)} for group in groups if group))
    ]
    return sum(map(of, orders)) / Fraction(len(orders))


def bounded(bound: str, lower: str, A: Fraction, IUB: Fraction, RLB: Fraction, WLB: Fraction):
    """RS-BND-4 to RS-BND-8, with the 0s of each."""
    LB = WLB if lower == "worst" else RLB
    return {
        "IUB": lambda: IUB,
        "RLB": lambda: RLB,
        "WLB": lambda: WLB,
        "U": lambda: A / IUB if IUB else 0,
        "UL1": lambda: A / IUB * A / (A + RLB) if IUB and A else 0,
        "UL2": lambda: (A - RLB) / RLB if A < RLB else (A - RLB) / (IUB - RLB) if IUB != RLB else 0,
        "MinMax": lambda: (A - LB) / (IUB - LB) if IUB != LB else 0,
        "Ratio": lambda: A / RLB if RLB else 0,
    }[bound]()


def undecided_share(monkeypatch, rows, cutoffs, form="B", names=tuple(OF), **given) -> float:
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
        def of_pool(J: tuple, k: int, name=name, own=own) -> tuple[Callable, Fraction, Fraction]:
            """The metric, and its values of the best and of the worst order of the pool."""
            of = metric_function(name, own, J, k)
            return of, of(sorted(J, reverse=True)), of(sorted(J))

        @cache
        def mean_of(groups: tuple, J: tuple, k: int, of_pool=of_pool) -> Fraction:
            return mean(of_pool(J, k)[0], groups)

        for bound, extra in IN_CORE:
            measures = [bound_named(bound)(make(OF[name], k, **own), **extra) for k in cutoffs]
            columns = by_core(monkeypatch, measures, batch)
            for m, column in zip(measures, columns, strict=True):
                for (groups, _), r, J, x in zip(rows, lists, pools, column, strict=True):
                    by_length = name == "P" or own.get("norm") == "k"  # RS-BND-1(a)
                    k = m.k or ((len(r) or len(J)) if by_length else max(len(r), len(J)))
                    if bound == "expected":
                        value = mean_of((tuple(sorted(r)),), J, k)
                    else:
                        _, best, worst = of_pool(J, k)
                        value = bounded(
                            bound,
                            extra.get("lower", "random"),
                            mean_of(groups, J, k),
                            best,
                            mean_of((J,), J, k),
                            worst,
                        )
                    cells += 1
                    left += isnan(x)
                    assert isnan(x) or x == float(value), f"{m} of {groups} with {J}"
    return left / cells


def random_rows(seed: str, number: int, labels: Sequence, *, tied: bool, pooled: bool) -> list:
    """Short lists in tie groups, many of which show what their pool does on average, or worst."""
    rng = random.Random(seed)
    rows = []
    for _ in range(number):
        few = rng.choice([labels, labels, labels[:2], labels[1:2]])
        r = rng.choices(few, k=rng.randint(0, 5))
        r = rng.choice([r, r, sorted(r), sorted(r, reverse=True)])
        J = rng.choice([r, r + rng.choices(few, k=rng.randint(0, 5 - len(r))), r[1:]])
        if rng.random() < 0.2:
            J = rng.choices(labels, k=rng.randint(0, 5))
        groups: list[tuple] = []
        share = rng.choice([0, 0.5, 1]) if tied else 0
        for x in r:
            if groups and rng.random() < share:
                groups[-1] = (*groups[-1], x)
            else:
                groups.append((x,))
        rows.append((tuple(groups), tuple(rng.sample(J, len(J))) if pooled else None))
    return rows


CUTOFFS = [1, 2, 3, 5, 8, None]


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-BND-1", "RS-BND-2", "RS-BND-3", "RS-BND-5", "RS-BND-6", "RS-EXP-90")
@pytest.mark.spec("RS-EXP-91")
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    ("name", "levels"), [("IPrec", [0.5]), ("IPrec", [1]), ("AvgIPrec", [0, 0.5, 1])]
)
def test_bounds_that_the_core_has_not(name, levels, tied):
    """IPrec and AvgIPrec: the core hands them to the reference."""
    assert name not in OF
    own = {"recall": levels[0]} if name == "IPrec" else {"levels": levels}
    rows = random_rows(f"{name} {levels}", 60, [0, 1, 2], tied=tied, pooled=True)
    lists = [sum(groups, ()) for groups, _ in rows]
    starts = bytes(x for groups, _ in rows for g in groups for x in (1, *[0] * (len(g) - 1)))
    batch = Batch(
        *flat(lists, "B"), starts if tied else None, *flat([list(J) for _, J in rows], "B")
    )
    for bound, extra in IN_CORE:
        measures = [bound_named(bound)(make(metric(name), k, **own), **extra) for k in (1, 3, None)]
        for m, column in zip(measures, values(measures, batch, "c"), strict=True):
            for (groups, J), r, x in zip(rows, lists, column, strict=True):
                of = precision_at_levels(levels, J, m.k or max(len(r), len(J)))
                if bound == "expected":
                    value = mean(of, (r,))
                else:
                    lower = extra.get("lower", "random")
                    ideal, worst = sorted(J, reverse=True), sorted(J)
                    A, RLB = mean(of, groups), mean(of, (J,))
                    value = bounded(bound, lower, A, of(ideal), RLB, of(worst))
                assert x == float(value), f"{m} of {groups} with {J}"


@pytest.mark.slow
@pytest.mark.long(but=7)
@BND
@EVERY_METRIC
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_grades(monkeypatch, name, tied, pooled):
    rows = random_rows(name, 100, [0, 1, 2, 3], tied=tied, pooled=pooled)
    share = undecided_share(monkeypatch, rows, CUTOFFS, names=[name])
    # A few numbers of such short lists are equal by coincidence: 1/2 = (1 + 1/2) / 3, say.
    assert share < (1e-9 if name in ("CG", "P", "R") else 0.01), share


@pytest.mark.slow
@pytest.mark.long(but=2)
@BND
@pytest.mark.parametrize("discount", ["none", [2, 1, 1, 0.5, 0, 0, 0, 0], [0] * 8], ids=str)
@pytest.mark.parametrize("gain", ["exp2", [1, 1, 5, 5], [0, 0.5, 0.5, 3]], ids=str)
@pytest.mark.parametrize("form", ["B", "d"])
def test_gains_and_discounts(monkeypatch, form, gain, discount):
    given = {"gain": gain, "discount": discount, "ideal": "all", "norm": "k"}
    for tied, pooled in ((False, False), (True, True)):
        rows = random_rows(str(gain), 60, [0, 1, 2, 3], tied=tied, pooled=pooled)
        cutoffs = [1, 2, 4, 8]
        names = ["CG", "DCG", "nDCG", "AP"]
        share = undecided_share(monkeypatch, rows, cutoffs, form, names, **given)
        assert share < 0.05 or not any(discount), (share, names)


@pytest.mark.slow
@pytest.mark.long(but=3)
@BND
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
        # One large number, or the mean of a few, often lies exactly between two doubles.
        share = undecided_share(monkeypatch, rows, CUTOFFS, form, ["CG", "DCG", "nDCG"])
        assert share < 0.1


@pytest.mark.slow
@BND
@pytest.mark.parametrize("tied", [False, True])
def test_users_who_stop(monkeypatch, tied):
    given = {"stop": [0, 0.3, 0.3, 1], "p": 1 - 2.0**-40, "q": [0, 0.1, 3]}
    rows = random_rows("stop", 60, [0, 1, 2, 3], tied=tied, pooled=True)
    assert undecided_share(monkeypatch, rows, CUTOFFS, "B", GRADED, **given) < 0.03


# ---- where a difference is 0 -----------------------------------------------------------------


def core_alone(monkeypatch, name: str, rows, k, form="B", **given) -> list[list[float]]:
    """A row for each of U, UL1, UL2, MinMax by either lower bound, Ratio."""
    lists = [list(r) for r, _ in rows]
    batch = Batch(*flat(lists, form), None, *flat([list(J) for _, J in rows], form))
    return by_core(monkeypatch, around(make(OF[name], k, **given))[3:8], batch)


@pytest.mark.spec("RS-NUM-19", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8")
@EVERY_METRIC
@pytest.mark.parametrize("form", ["B", "d", "q"])
@pytest.mark.parametrize("k", [1, 4, 7, 9, None])
def test_lists_of_equal_labels(monkeypatch, name, form, k):
    """All bounds are one number: no list is left to the reference."""
    own = {"discount": "log2"} if "discount" in OF[name].parameters else {}
    others = [1e-3, 77.7] if form == "d" else [200, 1 << 40][: 1 + (form == "q")]
    for label in (0, 1, 2, *(() if "max" in OF[name].parameters else others)):
        rows = [((label,) * n, (label,) * n) for n in (0, 1, 2, 7, 40)]
        for row in core_alone(monkeypatch, name, rows, k, form, **own):
            assert not any(isnan(x) for x in row)


@pytest.mark.spec("RS-NUM-19")
@EVERY_METRIC
@pytest.mark.parametrize("form", ["B", "d"])
def test_lists_that_are_one_tie_group(monkeypatch, name, form):
    """A random ranking of the pool: UL2 and MinMax are 0, and nothing is left open."""
    rng = random.Random(name)
    rows = [[rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(1, 40))] for _ in range(60)]
    batch = Batch(*flat(rows, form), bytes(i == 0 for row in rows for i in range(len(row))))
    for k in (1, 3, 10, None):
        own = around(make(OF[name], k))
        ul2, min_max = by_core(monkeypatch, own[5:7], batch)
        assert ul2 == min_max == [0.0] * len(rows), (name, k)
        for column in by_core(monkeypatch, own, batch):
            assert not any(isnan(x) for x in column)


@pytest.mark.spec("RS-NUM-19")
@pytest.mark.parametrize("name", ["CG", "P", "R"])
@pytest.mark.parametrize("form", ["B", "d"])
def test_all_items_shown(monkeypatch, name, form):
    """In each order CG, P and R of all items are the same."""
    rng = random.Random(name)
    rows = [[rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(1, 12))] for _ in range(60)]
    for k in (12, 100, None):
        columns = by_core(monkeypatch, around(make(OF[name], k)), Batch(*flat(rows, form)))
        assert not any(isnan(x) for column in columns for x in column)
        assert columns[5] == columns[6] == columns[9] == [0.0] * len(rows)


@pytest.mark.spec("RS-NUM-19")
@EVERY_METRIC
def test_worst_and_ideal_rankings(monkeypatch, name):
    """The least value of MinMax is 0, where it is the worst ranking; the greatest is 1."""
    rng = random.Random(name)
    pools = [rng.choices([0, 1, 2, 3], k=rng.randint(2, 30)) for _ in range(60)]
    for k in (1, 5, None):
        measure = bound_named("MinMax")(make(OF[name], k), lower="worst")
        for form in "Bd":
            pooled = flat(pools, form)
            worst = Batch(*flat([sorted(J) for J in pools], form), None, *pooled)
            ideal = Batch(*flat([sorted(J, reverse=True) for J in pools], form), None, *pooled)
            (low,), (high,) = (by_core(monkeypatch, [measure], batch) for batch in (worst, ideal))
            if form == "B" or name not in ("CG",):
                assert low == [0.0] * len(pools)
            assert set(high) <= {0.0, 1.0}


# ---- few bits, and many lists ----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-NUM-18/L1", "RS-NUM-19/L1")
@pytest.mark.parametrize("bits", [56, 60])
@pytest.mark.parametrize("form", ["B", "d"])
@pytest.mark.parametrize("tied", [False, True])
def test_few_bits(monkeypatch, bits, form, tied):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    labels = [0, 1, 3, 77] if form == "B" else [0.3, 1.7, 1e-3, 90.0]
    names = ["DCG", "RR", "SP", "RBP", "GAP"] if form == "B" else ["DCG"]
    rows = random_rows(str(bits), 120, labels, tied=tied, pooled=True)
    share = undecided_share(monkeypatch, rows, [1, 2, 3, 5], form, names)
    assert 0 < share < 1  # the control: these bits are really few


@pytest.mark.spec("RS-BND-3", "RS-NUM-18/L1")
def test_worst_rankings_by_few_bits(monkeypatch):
    """Each discount lacks up to 1 unit, and each gain takes it so many times."""
    monkeypatch.setattr(binding, "bits_of_a_discount", 56)
    rng = random.Random(1)
    pools = [rng.choices([0, 1, 3, 77], k=rng.randint(1, 12)) for _ in range(300)]
    worst = bound_named("WLB")(make(OF["DCG"], None, discount="zipf"))
    (column,) = by_core(monkeypatch, [worst], Batch(*flat(pools, "B"), None))
    expected = [float(sum(Fraction(r, i) for i, r in enumerate(sorted(J), 1))) for J in pools]
    decided = [(x, y) for x, y in zip(column, expected, strict=True) if not isnan(x)]
    assert 0 < len(decided) < len(pools)  # the control: these bits are really few
    assert all(x == y for x, y in decided)


NEARLY_EQUAL = {
    "ranks": (["CG", "DCG", "nDCG"], "B", [0, 1, 2, 3], {"discount": [1, *[2.0**-60] * 7]}),
    "ranks of real labels": (["DCG"], "d", [0.5, 1, 1.5], {"discount": [1, *[2.0**-60] * 7]}),
    "gains": (["CG", "DCG", "nDCG"], "q", [(1 << 60) + i for i in (0, 1, 2)], {}),
    "probabilities": (
        ["ERR", "nERR"], "B", [0, 1, 2, 3], {"stop": [0.25 + i * 2.0**-54 for i in range(4)]}
    ),
    "weights": (["GAP"], "B", [1, 2, 3], {"q": [1, 2.0**-60, 2.0**-60]}),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-NUM-19/L1")
@pytest.mark.parametrize("what", NEARLY_EQUAL)
@pytest.mark.parametrize("tied", [False, True])
def test_differences_that_are_nearly_0(monkeypatch, what, tied):
    """With few bits their sign is open: what is not 0 must not be taken for it."""
    monkeypatch.setattr(binding, "bits_of_a_discount", 54)
    names, form, labels, given = NEARLY_EQUAL[what]
    rows = random_rows(what, 60, labels, tied=tied, pooled=True)
    first, second = labels[:2]
    rows += [(((first, second),), (second, second)), (((second, first),), (first, first))]
    share = undecided_share(monkeypatch, rows, [1, 2, 3, 5], form, names, **given)
    assert 0 < share < 1  # the control: some are really open


@cache
def usual_lists(seed: int, number: int) -> list[list[int]]:
    rng = random.Random(seed)
    return [rng.choices(range(5), [52, 32, 13, 2, 1], k=rng.randint(5, 40)) for _ in range(number)]


@pytest.mark.slow(but=6)
@BND
@EVERY_METRIC
def test_usual_lists_are_decided(monkeypatch, name):
    """The reference is slow: of lists as there are, it is asked for next to none."""
    lists = usual_lists(3, 2000)
    pools = [row + more for row, more in zip(lists, usual_lists(4, 2000), strict=True)]
    # Of ERR and RBP sums of few powers of two lie exactly between two doubles now and then.
    most = 0.02 if name in GRADED else 0.0005
    for batch in (Batch(*flat(lists, "B")), Batch(*flat(lists, "B"), None, *flat(pools, "B"))):
        for cutoffs in ((10,), (1, 5, 20, None)):
            inner = [around(make(OF[name], k)) for k in cutoffs]
            for measures in zip(*inner, strict=True):
                columns = by_core(monkeypatch, list(measures), batch)
                left = sum(map(isnan, chain(*columns)))
                assert left <= most * len(batch) * len(cutoffs), (measures[0], left)


@pytest.mark.slow(but=5)
@BND
@EVERY_METRIC
@thinned
def test_cutoffs_do_not_change_each_other(monkeypatch, name):
    """All cut-offs go through a list at once, and the lists one after the other."""
    lists = usual_lists(5, in_lane(20, 50))
    batch = Batch(*flat(lists, "B"))
    for by_cutoff in zip(*(around(make(OF[name], k)) for k in (7, 2, None, 30)), strict=True):
        together = by_core(monkeypatch, list(by_cutoff), batch)
        for measure, column in zip(by_cutoff, together, strict=True):
            for a, row in enumerate(lists):
                ((alone,),) = by_core(monkeypatch, [measure], Batch(*flat([row], "B")))
                assert alone == column[a] or (isnan(alone) and isnan(column[a]))


def ul1_by_zipf(r: list[int]) -> Fraction:
    """UL1 of DCG of a whole list that is its own pool, by its definition; the discount is 1/i."""
    d = [Fraction(1, i) for i in range(1, len(r) + 1)]
    A, IUB = (
        sum(x * d_i for x, d_i in zip(order, d, strict=True))
        for order in (r, sorted(r, reverse=True))
    )
    RLB = Fraction(sum(r), len(r)) * sum(d)
    return A * A / (IUB * (A + RLB))


def from_the_middle(x: Fraction) -> float:
    """How far a number is from the middle of two doubles, in the distance of these."""
    double = float(x)
    return 0.5 - abs(float((x - Fraction(double)) / Fraction(ulp(double))))


@pytest.mark.spec("RS-NUM-19/L1", "RS-BND-5")
@pytest.mark.slow
def test_ul1_next_to_the_middle_of_two_doubles(monkeypatch):
    """Where the leading bits of the numbers leave the rounding open, all bits decide it."""
    rng = random.Random(3)
    rows = [[*(rng.randint(0, 4) for _ in range(rng.randint(5, 9))), 1] for _ in range(8000)]
    exact = {tuple(r): ul1_by_zipf(r) for r in rows}
    near = [r for r, x in exact.items() if from_the_middle(x) < 2**-7]
    assert len(near) > 60
    measure = bound_named("UL1")(make(metric("DCG"), discount="zipf"))
    (column,) = by_core(monkeypatch, [measure], Batch(*flat(near, "B")))
    assert column == [float(exact[r]) for r in near]
