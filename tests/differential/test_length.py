"""LDCG, ILDCG, LNDCG, LERR, LAP, LRBP and LGAP of the C core, where the general tests seldom come.

Discounts and priors are rational here, so that the definitions can be computed with fractions,
and a quotient of Python's integers is correctly rounded.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import isnan

import pytest

import rankspec as rs
from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure
from rankspec.reference.numbers.reals import RATIONALS

from ..each import each, in_lane, thinned
from .batches import by_core, flat

pytestmark = pytest.mark.slow(but=1)

LDCG, ILDCG, LNDCG, LERR, LAP, LRBP, LGAP = (
    m
    for name in ("LDCG", "ILDCG", "LNDCG", "LERR", "LAP", "LRBP", "LGAP")
    for m in METRICS
    if m.name == name
)
LEN = pytest.mark.spec("RS-LEN-5", "RS-LEN-6", "RS-LEN-7", "RS-LEN-8", "RS-LEN-9", "RS-NUM-11")


# ---- the definitions, with fractions -------------------------------------------------------


def rank_function(choice: object):
    if choice in ("none", "uniform"):
        return lambda _: Fraction(1)
    if choice == "zipf":
        return lambda i: Fraction(1, i)
    return lambda i: Fraction(choice[i - 1])


def gain_function(choice: object):
    if choice == "linear":
        return Fraction
    if choice == "exp2":
        return lambda r: Fraction(2 ** int(r) - 1)
    return lambda r: Fraction(choice[int(r)])


def by_definition(m: Measure, given: dict, r: Sequence, J: Sequence) -> float:
    """The value of a list with a pool, from eq. 4 to 8 of lv-2014 and the true ideal."""
    d = rank_function(given.get("discount", "zipf"))
    prior = given.get("prior", "discount")
    w = d if prior == "discount" else rank_function(prior)
    g = gain_function(given.get("gain", "exp2"))
    M = m.k or max(len(r), len(J))

    def expected(N: int) -> Fraction:
        return sum((w(i) * d(i) for i in range(1, N + 1)), Fraction(0))

    def adjusted(labels: Sequence) -> Fraction:
        dcg = sum((g(x) * d(i) for i, x in enumerate(labels, start=1)), Fraction(0))
        E = expected(len(labels))
        return dcg / E if E else Fraction(0)

    def ideal() -> Fraction:
        ordered = sorted(J, reverse=True)
        if given.get("ideal") == "eq7":
            return adjusted([x for x in ordered if x == ordered[0]][:M])
        return max((adjusted(ordered[:n]) for n in range(1, min(M, len(J)) + 1)), default=0)

    if m.metric is LNDCG:
        return float(adjusted(r[:M]) / ideal()) if ideal() else 0.0
    Z = 1
    if m.k and given.get("Z", "M") == "M":
        Z = 1 / sum(w(i) for i in range(1, m.k + 1))
    return float((adjusted(r[:M]) if m.metric is LDCG else ideal()) / Z)


# ---- the core alone --------------------------------------------------------------------------


def undecided_share(
    monkeypatch, lists, pools, cutoffs, form="q", metrics=(LDCG, ILDCG, LNDCG), **given
) -> float:
    """How much the core leaves undecided; all else is by the definition, or the test fails."""
    batch = Batch(*flat(lists, form), None, *flat(pools, form))
    left = cells = 0
    for metric in metrics:
        own = {name: x for name, x in given.items() if name in metric.parameters}
        measures = [make(metric, k, **own) for k in cutoffs]
        for m, column in zip(measures, by_core(monkeypatch, measures, batch), strict=True):
            for r, J, x in zip(lists, pools, column, strict=True):
                cells += 1
                left += isnan(x)
                assert isnan(x) or x == by_definition(m, given, r, J), f"{m} of {r} with {J}"
    return left / cells


PRIORS = ["discount", "uniform", "zipf", [3, 2, 1] + [0] * 37, [1] * 2 + [0.5] * 38]
PRIOR_OF = pytest.mark.parametrize("prior", PRIORS, ids=str)


@pytest.mark.slow(but=2)
@pytest.mark.long(but=29)
@LEN
@pytest.mark.parametrize("ideal", ["true", "eq7"])
@pytest.mark.parametrize("discount", ["zipf", "none", [2] * 4 + [1] * 6 + [0] * 30], ids=str)
@pytest.mark.parametrize(
    "gain", ["exp2", "linear", [1, 1, 5, 5, 12], [0, 0.5, 0.5, 3, 3.5]], ids=str
)
@PRIOR_OF
@thinned
def test_grades(monkeypatch, prior, gain, discount, ideal):
    rng = random.Random(str((prior, gain, discount)))
    lists, pools = (grades(rng, in_lane(30, 60), 12) for _ in range(2))
    given = {"prior": prior, "gain": gain, "discount": discount, "ideal": ideal}
    cutoffs = [1, 2, 3, 7, 40, None]
    assert undecided_share(monkeypatch, lists, pools, cutoffs, "B", **given) == 0
    given["Z"] = "none"
    share = undecided_share(monkeypatch, lists, pools, [2, 1 << 62], "B", [LDCG, ILDCG], **given)
    assert share == 0


def grades(rng: random.Random, lists: int, longest: int) -> list[list[int]]:
    kinds = [[0, 1], [0, 1, 2, 3, 4], [0], [4], [1, 4], [3]]
    return [rng.choices(rng.choice(kinds), k=rng.randint(0, longest)) for _ in range(lists)]


@pytest.mark.slow(but=4)
@LEN
@pytest.mark.parametrize("ideal", ["true", "eq7"])
@pytest.mark.parametrize("form", ["q", "d", "f", "I"])
@PRIOR_OF
def test_large_and_real_labels(monkeypatch, prior, form, ideal):
    rng = random.Random(form)
    draw = {
        "q": lambda: rng.choice([0, 1, 255, 256, rng.getrandbits(62), (1 << 63) - 1]),
        "I": lambda: rng.choice([0, 1, 2, (1 << 32) - 1]),
        "d": lambda: rng.choice([0.0, -0.0, 0.1, 0.1 + 2**-56, 1.5, 1e-9, 1e15]),
        "f": lambda: rng.choice([0.0, 0.5, 2.0, 0.25]),
    }[form]
    lists, pools = ([[draw() for _ in range(rng.randint(0, 9))] for _ in range(80)] for _ in "rJ")
    given = {"prior": prior, "gain": "linear", "discount": "zipf", "ideal": ideal}
    # One large number, or the sum of a few, often lies exactly between two doubles.
    assert undecided_share(monkeypatch, lists, pools, [1, 2, 5, None], form, **given) < 0.1


def falls_and_rises(J: Sequence, **given: object) -> bool:
    """True where a number of results that ends a block has less than one before and one behind."""
    ends = [n for n in range(1, len(J) + 1) if n == len(J) or J[n] != J[n - 1]]
    Q = [by_definition(rs.LDCG(Z="none"), given, J[:n], []) for n in ends]
    return any(x < max(Q[:i], default=x) and x < max(Q[i:]) for i, x in enumerate(Q))


@pytest.mark.slow(but=3)
@LEN
@pytest.mark.parametrize("form", ["B", "q", "d"])
def test_ideals_behind_a_fall(monkeypatch, form):
    """One item of the highest label, a few below it, then many: the ideal shows all or one."""
    rng = random.Random(form)
    given = {"prior": "zipf", "discount": "none", "gain": "linear"}
    scale = {"B": 1, "q": 1 << 40, "d": 0.375}[form]
    pools = []
    for _ in range(20):
        top = rng.randint(12, 40) * 6
        few, many = [top // 2 - 4] * rng.randint(1, 2), [top // 4 - 1] * rng.randint(3, 11)
        pools.append([x * scale for x in (top, *few, *many)])
    assert sum(falls_and_rises(J, **given) for J in pools) >= 5
    cutoffs = [2, 6, 9, None]
    lists = [J[: rng.randint(1, len(J))] for J in pools]
    assert undecided_share(monkeypatch, lists, pools, cutoffs, form, **given) < 0.2
    measures = [make(ILDCG, k, Z="none", **given) for k in cutoffs]
    batch = Batch(*flat(lists, form), None, *flat(pools, form))
    for m, column in zip(measures, values(measures, batch, "reference"), strict=True):
        expected = [
            by_definition(m, {**given, "Z": "none"}, r, J)
            for r, J in zip(lists, pools, strict=True)
        ]
        assert column.tolist() == expected


@pytest.mark.slow
@LEN
def test_every_cutoff(monkeypatch):
    """The cut-off goes through the blocks of the pool rank by rank."""
    rng = random.Random(7)
    lists, pools = ([sorted(row) for row in grades(rng, 40, 30)] for _ in range(2))
    given = {"discount": "zipf", "prior": "uniform"}
    assert undecided_share(monkeypatch, lists, pools, range(1, 36), "B", **given) == 0
    given = {"discount": "zipf", "prior": "zipf", "gain": "linear"}
    rows = [[[x + 0.5 for x in row] for row in side] for side in (lists, pools)]
    assert undecided_share(monkeypatch, *rows, range(1, 36), "d", **given) == 0


# ---- which first items are the ideal ---------------------------------------------------------


@pytest.mark.slow
@LEN
@pytest.mark.parametrize("form", ["q", "d"])
def test_two_lengths_of_nearly_the_same_value(monkeypatch, form):
    """One item or two: LDCG of {a, b} is a, or a + (2 b - a) / 5, and the two are as near to each
    other as doubles are, or nearer; the greater one must be taken."""
    rng = random.Random(form)
    lists, pools = [], []
    for _ in range(6000):
        a = rng.randint(1 << 50, 1 << 51)
        b = a // 2 + rng.randint(-4, 4)
        pools.append([a << 9, b << 9] if form == "q" else [float(a), float(b)])
        lists.append([rng.choice(pools[-1]), *pools[-1][: rng.randint(0, 2)]])
    given = {"discount": "zipf", "prior": "discount", "gain": "linear", "Z": "none"}
    share = undecided_share(monkeypatch, lists, pools, [2], form, [ILDCG, LNDCG], **given)
    assert share < 0.2  # where a is the value, it lies exactly between two doubles


@LEN
@each("seed", range(1, 7), fast=1)
def test_two_lengths_of_nearly_the_same_value_by_weights(monkeypatch, seed):
    """{2, 1} shows one or two items as the prior's second weight is above or below one half."""
    rng = random.Random(seed)
    for _ in range(25):
        second = 0.5 + rng.randint(-3, 3) * 2.0 ** -rng.randint(40, 54)
        discount = [1, rng.uniform(0.1, 1), 0.05]
        given = {"prior": [1, second, 0.01], "discount": discount, "gain": "linear", "Z": "none"}
        lists = [[1], [2, 1], [1, 2], [0, 1, 1]]
        share = undecided_share(monkeypatch, lists, [[2, 1]] * 4, [2, None], "B", **given)
        assert share == 0


@LEN
@pytest.mark.parametrize("k", [2, None])
def test_two_lengths_of_the_same_value(monkeypatch, k):
    """2 = (2 + 1/2) / (1 + 1/4): either length is the ideal, and the value is not in doubt."""
    lists = [[2], [2, 1], [1, 2], [1], [0, 1]]
    given = {"discount": "zipf", "prior": "discount", "gain": "linear"}
    assert undecided_share(monkeypatch, lists, [[2, 1]] * 5, [k], "B", **given) == 0


@LEN
@pytest.mark.slow
def test_all_lengths_of_the_same_value(monkeypatch):
    """The prior falls as the gains do, or neither does: each item adds as much to both sums."""
    gains = [60, 30, 20, 15, 12]
    given = {"discount": "none", "prior": gains, "gain": "linear", "Z": "none"}
    cutoffs = [1, 3, 5, None]
    for form, shift in (("B", 0), ("d", 0), ("q", 40)):
        pool = [x << shift for x in gains]
        lists = [pool[:n] for n in range(6)] + [pool[::-1]]
        assert undecided_share(monkeypatch, lists, [pool] * 7, cutoffs, form, **given) == 0
    equal = [[0.3] * n for n in range(1, 40)]
    given = {"discount": "zipf", "prior": "uniform", "gain": "linear", "Z": "none"}
    assert undecided_share(monkeypatch, equal, equal, [3, 38, None], "d", **given) == 0


# ---- ERR, AP and RBP --------------------------------------------------------------------------


def sum_of_precisions(labels: Sequence, rel: float) -> Fraction:
    R = [x >= rel for x in labels]
    return sum((Fraction(sum(R[:i]), i) for i in range(1, len(R) + 1) if R[i - 1]), Fraction())


def adjusted_by_definition(m: Measure, r: Sequence) -> float:
    """LERR, LAP, LRBP or LGAP of a list in rank order, in fractions."""
    shown = r[: m.k or len(r)]
    own = one = lambda i: Fraction(1, i)
    if m.metric is LERR:
        table = [Fraction(x) for x in m.stop or [Fraction(2**g - 1, 1 << m.max) for g in range(5)]]
        least = min([x for x in table if x], default=Fraction(0))
        one = lambda i: least / i  # noqa: E731
        total, on = Fraction(0), Fraction(1)
        for i, x in enumerate(shown, start=1):
            total, on = total + on * table[x] / i, on * (1 - table[x])
    elif m.metric is LGAP:
        q = [Fraction(x) for x in m.q]
        least = next(x for x in q if x)
        one = lambda i: least / i  # noqa: E731
        of_users = (q_j * sum_of_precisions(shown, j) for j, q_j in enumerate(q, start=1))
        total = sum(of_users, Fraction())
    else:
        R = [x >= m.rel for x in shown]
        total = sum_of_precisions(shown, m.rel)
    if m.metric is LRBP:
        p = Fraction(m.p)
        own = lambda i: p ** (i - 1)  # noqa: E731
        one = lambda i: (1 - p) * own(i)  # noqa: E731
        total = sum((one(i) for i, x in enumerate(R, start=1) if x), Fraction())
    prior = m.prior.weights
    w = own if prior is None else prior.of(RATIONALS)
    below = sum((w(i) * one(i) for i in range(1, len(shown) + 1)), Fraction())
    W = sum(w(i) for i in range(1, m.k + 1)) if m.k and m.Z == "M" else 1
    return float(total * W / below) if below else 0.0


def undecided_of_adjusted(monkeypatch, lists, measures, form="q") -> float:
    """How much the core leaves undecided; all else is by the definition, or the test fails."""
    columns = by_core(monkeypatch, measures, Batch(*flat(lists, form), None, None, None))
    left = 0
    for m, column in zip(measures, columns, strict=True):
        for r, x in zip(lists, column, strict=True):
            left += isnan(x)
            assert isnan(x) or x == adjusted_by_definition(m, r), f"{m} of {r}"
    return left / (len(lists) * len(measures))


OF_OTHERS = {
    "LERR": [{}, {"stop": [0, 0, 0.3, 0.3, 1]}, {"stop": [0.1, 0.2, 0.2, 0.5, 0.75]}],
    "LAP": [{}, {"rel": 3}],
    "LRBP": [{}, {"p": 0.5}, {"p": 0.95, "rel": 2}, {"p": 1e-3}],
    "LGAP": [{}, {"q": [0, 0.5, 0.25, 0.25]}, {"q": [1e-3, 0.7, 0.299]}],
}
OTHERS = {"LERR": LERR, "LAP": LAP, "LRBP": LRBP, "LGAP": LGAP}
# fmt: off
ADJUSTED = pytest.mark.spec(
    "RS-LEN-13", "RS-LEN-14", "RS-LEN-15", "RS-LEN-16", "RS-NUM-10", "RS-NUM-10/L1",
)
# fmt: on


@ADJUSTED
@pytest.mark.parametrize("name", OF_OTHERS)
@PRIOR_OF
def test_other_metrics(monkeypatch, name, prior):
    rng = random.Random(str((name, prior)))
    lists = grades(rng, 80, 12)
    metric = OTHERS[name]
    for own in OF_OTHERS[name]:
        given = {"prior": prior, **own}
        # 0.1 and 0.2 are 1/10 and 1/5 but for their last bits: quotients come close to a midpoint.
        most = 0.1 if "stop" in own else 0
        measures = [make(metric, k, **given) for k in (1, 2, 3, 7, 40, None)]
        assert undecided_of_adjusted(monkeypatch, lists, measures, "B") <= most
        measures = [make(metric, k, Z="none", **given) for k in (2, 1 << 62)]
        assert undecided_of_adjusted(monkeypatch, lists, measures, "B") <= most


@ADJUSTED
@pytest.mark.parametrize("bits", [54, 56, 60])
@pytest.mark.parametrize("prior", ["discount", "uniform", [1 / i**0.5 for i in range(1, 41)]])
def test_few_bits_of_other_metrics(monkeypatch, bits, prior):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    lists = grades(rng, 400, 30)
    measures = [make(x, k, prior=prior) for x in OTHERS.values() for k in (3, 9, None)]
    share = undecided_of_adjusted(monkeypatch, lists, measures)
    assert share < 1
    assert share > 0 or bits > 54  # the control: these bits are really few


@ADJUSTED
def test_usual_lists_of_other_metrics_are_decided(monkeypatch):
    rng = random.Random(3)
    lists = [rng.choices(range(5), [52, 32, 13, 2, 1], k=rng.randint(1, 30)) for _ in range(10_000)]
    measures = [make(x, k) for x in OTHERS.values() for k in (10, None)]
    columns = by_core(monkeypatch, measures, Batch(*flat(lists, "B"), None, None, None))
    assert not any(isnan(x) for column in columns for x in column)


@ADJUSTED
@pytest.mark.parametrize("name", OF_OTHERS)
def test_tied_lists_of_other_metrics(name):
    """Long tie groups, by the core and by the reference."""
    rng = random.Random(name)
    function = getattr(rs, name.lower())
    for n in (1, 2, 30, 90):
        labels = rng.choices(range(5), k=n)
        scores = [rng.randint(0, 1 + n // 15) for _ in labels]
        for given in ({}, {"prior": "uniform", "Z": "none"}, {"prior": "log2", "k": n // 2 + 1}):
            by_c, by_reference = (
                function(labels, scores=scores, backend=by, **given) for by in ("c", "reference")
            )
            assert by_c == by_reference


# ---- few bits --------------------------------------------------------------------------------


@pytest.mark.slow(but=1)
@pytest.mark.long(but=6)
@pytest.mark.spec("RS-NUM-10/L1", "RS-NUM-11/L1")
@pytest.mark.parametrize("bits", [56, 58, 60])
@pytest.mark.parametrize("highest", [4, 250, 1 << 40])
@pytest.mark.parametrize(
    "prior", ["discount", "uniform", [1 / i**0.5 for i in range(1, 41)]], ids=str
)
def test_few_bits(monkeypatch, bits, highest, prior):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits + highest)
    lists, pools = (
        [[rng.randint(0, highest) for _ in range(rng.randint(1, 12))] for _ in range(500)]
        for _ in range(2)
    )
    given = {"discount": "zipf", "prior": prior, "gain": "linear"}
    share = undecided_share(monkeypatch, lists, pools, [3, 9, None], **given)
    assert share < 1
    assert share > 0 or bits > 56  # the control: these bits are really few


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-10/L1")
@pytest.mark.parametrize("bits", [58, 59, 60, 62])
def test_few_bits_of_the_prior_alone(monkeypatch, bits):
    """With exact gains and discounts: first in S(N), then in Z(M, 1), whose M ranks are many."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    given = {"discount": "none", "prior": "zipf", "gain": "linear"}
    long = [[rng.getrandbits(40) for _ in range(rng.randint(2, 12))] for _ in range(2000)]
    assert undecided_share(monkeypatch, long, long, [None], "q", [LDCG], **given) < 1
    for prior in ("zipf", [1 - i / 77 for i in range(40)]):  # of one item S(1) is 1, exactly
        given = {"discount": "none", "prior": prior, "gain": "linear"}
        one = [[rng.getrandbits(40)] for _ in range(3000)]
        assert undecided_share(monkeypatch, one, one, [12], "q", [LDCG, ILDCG], **given) < 1


@pytest.mark.spec("RS-NUM-10/L1", "RS-NUM-11/L1")
@pytest.mark.parametrize("bits", [54, 55, 56, 57, 60])
def test_few_bits_and_two_lengths_of_nearly_the_same_value(monkeypatch, bits):
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    lists, pools = [], []
    for _ in range(3000):
        small = rng.randint(1 << 50, 1 << 51)
        pools.append([2 * small + (rng.randint(-64, 64) << rng.randint(0, 8)), small])
        lists.append([rng.randint(1 << 50, 1 << 51)])
    given = {"discount": "zipf", "prior": "discount", "gain": "linear", "Z": "none"}
    undecided_share(monkeypatch, lists, pools, [2], "q", [ILDCG, LNDCG], **given)


@pytest.mark.spec("RS-NUM-11")
@thinned
def test_usual_lists_are_decided(monkeypatch):
    """The reference is slow: of lists as there are, it is asked for none."""
    rng = random.Random(3)
    lists, pools = (
        [
            rng.choices(range(5), [52, 32, 13, 2, 1], k=rng.randint(1, 30))
            for _ in range(in_lane(5_000, 20_000))
        ]
        for _ in range(2)
    )
    batch = Batch(*flat(lists, "B"), None, *flat(pools, "B"))
    measures = [make(m, k) for m in (LDCG, ILDCG, LNDCG) for k in (10, None)]
    measures += [make(LNDCG, 10, ideal="eq7"), make(LNDCG, 10, prior="uniform")]
    columns = by_core(monkeypatch, measures, batch)
    assert not any(isnan(x) for column in columns for x in column)
