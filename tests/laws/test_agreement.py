"""The laws of agreement. Each runs once more with a function that has a mistake, and must fail."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest
from hypothesis import assume
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.analysis.comparison import agreement as named
from rankspec.analysis.comparison import unjudged
from rankspec.reference import agreement as reference
from rankspec.reference.comparison import Undefined
from rankspec.reference.numerics import exact_value, nearest_double_of

from ..each import each
from .law import law_by

REAL = {"tau_b", "rbo_ext", "rbo_min", "rbo_max", "rbo_at_depth", "rmse"}


class Reading:
    """The functions of the reference, by exact numbers or doubles, some of them replaced."""

    def __init__(self, reading: str, **broken: Callable[..., Any]) -> None:
        self.reading, self._broken = reading, broken

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(reference if hasattr(reference, name) else named, name)
        if name in REAL:
            function = by_reals(function)
        return self._broken[name](function) if name in self._broken else function


def by_reals(function):
    def value(*given):
        exact = exact_value(lambda reals: function(*given, reals=reals))
        if exact is not None:
            return exact
        return nearest_double_of(lambda reals: function(*given, reals=reals))

    return value


def law(**given_by_name: Any) -> Any:
    return law_by(Reading, "reference", **given_by_name)


def instead(function):
    return lambda _: function


levels = st.integers(0, 3)
two_lists = st.lists(st.tuples(levels, levels), min_size=2, max_size=7).map(
    lambda both: tuple(map(list, zip(*both, strict=True)))
)
orders = st.integers(2, 6).flatmap(lambda n: st.tuples(*[st.permutations(range(n)).map(list)] * 3))
shares = st.integers(1, 9).map(lambda tenths: Fraction(tenths, 10))
p_values = st.lists(st.one_of(st.none(), st.integers(0, 20).map(lambda i: i / 20)), min_size=1)
ITEMS = "ABCDEF"


def grouped(order, cuts):
    """An order of items in groups: a cut before each position that has one."""
    groups: list[list[str]] = []
    for item, cut in zip(order, cuts, strict=False):
        if cut or not groups:
            groups.append([])
        groups[-1].append(item)
    return groups


rankings = st.tuples(st.permutations(ITEMS), st.lists(st.booleans(), min_size=1, max_size=6)).map(
    lambda both: grouped(*both)
)


def of_items(n):
    return st.builds(
        grouped, st.permutations(ITEMS), st.lists(st.booleans(), min_size=n, max_size=n)
    )


few_alike = st.integers(1, 4).flatmap(lambda n: st.tuples(of_items(n), of_items(n)))
"""Two rankings of as many items, at most four."""
untied = st.tuples(st.permutations(ITEMS), st.integers(1, 6)).map(
    lambda both: [[item] for item in both[0][: both[1]]]
)


def defined(function, *given):
    try:
        return function(*given)
    except Undefined:
        assume(False)
        raise


# ---- pairs, τ_b ----------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-1", "RS-AGR-1/L1", "RS-AGR-1/L2")
@law(
    pairs=lambda right: lambda x, y: right(x, y)._replace(only_y=right(x, y).only_x),
    lists=two_lists,
)
def test_pairs_are_all_counted_and_exchanged(agr, lists):
    x, y = lists
    C, D, T_x, T_y, T_xy = agr.pairs(x, y)
    assert C + D + T_x + T_y + T_xy == comb(len(x), 2)
    assert agr.pairs(y, x) == (C, D, T_y, T_x, T_xy)
    assert sorted(agr.swapped(y, x)) == sorted((j, i) for i, j in agr.swapped(x, y))
    assert len(agr.swapped(x, y)) == D


@pytest.mark.spec("RS-AGR-1/L3")
@law(
    pairs=lambda right: lambda x, y: right([min(v, 5) for v in x], y),
    lists=two_lists,
)
def test_increasing_functions_change_nothing(agr, lists):
    x, y = lists
    assert agr.pairs([7**v - 40 for v in x], [2 * v for v in y]) == agr.pairs(x, y)


@pytest.mark.spec("RS-AGR-1/L4")
@law(
    pairs=lambda right: lambda x, y: right(x[1:], y[:-1]),
    three=orders,
)
def test_a_triangle_of_orders_has_an_even_sum(agr, three):
    assert sum(agr.pairs(x, y).discordant for x, y in combinations(three, 2)) % 2 == 0


@pytest.mark.spec("RS-AGR-2", "RS-AGR-2/L1", "RS-AGR-2/L2", "RS-AGR-2/L3")
@law(
    tau_b=lambda right: lambda x, y: right(x, y) + (max(x) > 2),
    lists=two_lists,
)
def test_tau_b_is_within_its_range_symmetric_and_odd(agr, lists):
    x, y = lists
    value = defined(agr.tau_b, x, y)
    assert -1 <= value <= 1
    assert (value == 1) == (reference.groups(x) == reference.groups(y))
    assert agr.tau_b(y, x) == value
    assert agr.tau_b(x, [-v for v in y]) == -value


@pytest.mark.spec("RS-AGR-2", "RS-AGR-2/L4", "RS-AGR-13", "RS-AGR-13/L1")
@law(
    swap_rate=lambda right: lambda x, y: 1 - right(x, y),
    three=orders,
)
def test_without_ties_tau_b_is_one_less_twice_the_swap_rate(agr, three):
    x, y, _ = three
    value = agr.tau_b(x, y)
    assert isinstance(value, Fraction)
    assert value == 1 - Fraction(2 * agr.pairs(x, y).discordant, comb(len(x), 2))
    assert agr.swap_rate(x, y) == (1 - value) / 2


# ---- τ_AP ----------------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-3", "RS-AGR-3/L1")
@law(
    tau_ap=lambda right: lambda x, y: right(x, y) * Fraction(9, 10),
    three=orders,
)
def test_tau_ap_is_within_its_range(agr, three):
    x, y, _ = three
    value = agr.tau_ap(x, y)
    assert -1 <= value <= 1
    assert (value == 1) == (x == y)
    assert (value == -1) == (x == [-v + len(y) - 1 for v in y])


@pytest.mark.spec("RS-AGR-3/L2")
@law(
    tau_ap=instead(lambda x, y: 1 - 2 * reference.swap_rate(x, y)),
    n=st.integers(2, 8),
    i=st.integers(1, 7),
)
def test_an_exchange_at_the_top_costs_more(agr, n, i):
    assume(i < n)
    x = list(range(n, 0, -1))
    y = x[:]
    y[i - 1], y[i] = y[i], y[i - 1]
    assert agr.tau_ap(x, y) == 1 - Fraction(2, (n - 1) * i)


def unties(y):
    """Lists of different values that order as y does, one for each order of its ties."""
    groups = reference.groups(y)
    for arranged in product(*map(permutations, groups)):
        order = [i for group in arranged for i in group]
        yield [-order.index(i) for i in range(len(y))]


@pytest.mark.spec("RS-AGR-4", "RS-AGR-4/L1", "RS-AGR-4/L2")
@law(
    tau_ap_a=instead(lambda x, y: reference.tau_ap(x, [9 * v - i for i, v in enumerate(y)])),
    x=st.permutations(range(5)).map(list),
    y=st.lists(levels, min_size=5, max_size=5),
)
def test_tau_ap_a_is_the_mean_over_the_orders_of_ties(agr, x, y):
    values = [agr.tau_ap(x, one) for one in unties(y)]
    assert agr.tau_ap_a(x, y) == sum(values) / len(values)
    assert agr.tau_ap_a(x, x[::-1]) == agr.tau_ap(x, x[::-1])


@pytest.mark.spec("RS-AGR-5", "RS-AGR-5/L1", "RS-AGR-5/L2")
@law(tau_ap_b=lambda _: reference.directed, lists=two_lists)
def test_tau_ap_b_is_symmetric_and_1_of_equal_orders(agr, lists):
    x, y = lists
    assert defined(agr.tau_ap_b, x, y) == agr.tau_ap_b(y, x)
    assert agr.tau_ap_b(x, x) == 1


@pytest.mark.spec("RS-AGR-5/L3")
@law(tau_ap_b=lambda _: reference.tau_ap, three=orders)
def test_without_ties_tau_ap_b_is_the_mean_of_both(agr, three):
    x, y, _ = three
    assert agr.tau_ap_b(x, y) == (agr.tau_ap(x, y) + agr.tau_ap(y, x)) / 2


# ---- RBO -----------------------------------------------------------------------------------


def flat(ranking):
    return [item for group in ranking for item in group]


@pytest.mark.spec("RS-AGR-6", "RS-AGR-6/L1")
@law(
    overlap=lambda right: lambda x, y, ties: right(x[::-1] if ties == "b" else x, y, ties),
    x=untied,
    y=untied,
)
def test_without_ties_all_variants_are_the_overlap(agr, x, y):
    S, L = sorted((flat(x), flat(y)), key=len)
    for ties in reference.TIES:
        A = [Fraction(len({*S[:d]} & {*L[:d]}), d) for d in range(1, len(S) + 1)]
        assert by_reals(lambda reals, ties=ties: sum(agr_A(agr, x, y, ties, reals)))() == sum(A)


def agr_A(agr, x, y, ties, reals):
    try:
        return agr.overlap(x, y, ties, reals).A
    except TypeError:  # the broken one takes three arguments
        return agr.overlap(x, y, ties).A


@pytest.mark.spec("RS-AGR-6/L2")
@law(
    overlap=lambda right: lambda x, y, _: right(x, y, "w"),
    both=few_alike,
)
def test_by_a_the_agreement_is_the_mean_over_all_orders(agr, both):
    x, y = both
    n = len(flat(x))
    assert len(flat(y)) == n
    in_orders = [
        [
            [item for group in arranged for item in group]
            for arranged in product(*map(permutations, z))
        ]
        for z in (x, y)
    ]
    found = agr.overlap(x, y, "a").A
    for d in range(1, n + 1):
        values = [Fraction(len({*one[:d]} & {*other[:d]}), d) for one, other in product(*in_orders)]
        assert found[d - 1] == sum(values) / len(values)


@pytest.mark.spec("RS-AGR-6/L3", "RS-AGR-7", "RS-AGR-7/L1", "RS-AGR-7/L2", "RS-AGR-7/L3")
@law(
    rbo_ext=lambda right: lambda x, y, p, _: right(x, y, p, "a"),
    x=rankings,
    y=rankings,
    p=shares,
)
def test_rbo_of_equal_rankings_of_strangers_and_exchanged(agr, x, y, p):
    for ties in "bw":
        assert agr.rbo_ext(x, x, p, ties) == 1
    strangers = [[item.lower() for item in group] for group in y]
    for ties in reference.TIES:
        assert agr.rbo_ext(x, strangers, p, ties) == 0
        assert agr.rbo_ext(x, y, p, ties) == agr.rbo_ext(y, x, p, ties)
    alone = [[item] for item in flat(x)]
    assert agr.rbo_ext(alone, alone, p, "a") == 1


@pytest.mark.spec("RS-AGR-8", "RS-AGR-8/L1", "RS-AGR-8/L2")
@law(
    rbo_max=lambda right: lambda x, y, p, ties: right(x, y, p, ties) * (1 - p**6),
    x=untied,
    y=untied,
    more=st.tuples(st.permutations("UVWX"), st.permutations("UVWX"), st.integers(0, 4)),
    p=shares,
)
def test_rbo_lies_between_its_bounds_which_narrow(agr, x, y, more, p):
    low, high = agr.rbo_min(x, y, p, "a"), agr.rbo_max(x, y, p, "a")
    assert 0 <= low <= agr.rbo_ext(x, y, p, "a") <= high <= 1
    one, other, n = more
    longer = [z + [[item] for item in end[:n]] for z, end in ((x, one), (y, other))]
    assert low <= agr.rbo_min(*longer, p, "a")
    assert agr.rbo_max(*longer, p, "a") <= high


@pytest.mark.spec("RS-AGR-9", "RS-AGR-9/L1", "RS-AGR-9/L2")
@law(
    rbo_at_depth=lambda right: lambda x, y, p, k: right(x, y, p, k) * (1 - p**k),
    x=st.permutations(ITEMS),
    y=st.permutations(ITEMS),
    k=st.integers(1, 6),
    p=shares,
)
def test_rbo_at_a_depth(agr, x, y, k, p):
    assert agr.rbo_at_depth(x, x, p, k) == 1
    A = [Fraction(len({*x[:d]} & {*y[:d]}), d) for d in range(1, k + 1)]
    shown = [[[item] for item in z[:k]] for z in (x, y)]
    tail = p**k * (A[-1] - agr.rbo_at_depth(x, y, p, k))
    assert agr.rbo_ext(*shown, p, "a") == agr.rbo_at_depth(x, y, p, k) + tail


# ---- two measures --------------------------------------------------------------------------

tested = st.tuples(
    st.integers(-2, 2), st.one_of(st.none(), st.integers(0, 10).map(lambda i: i / 40))
)


@pytest.mark.spec("RS-AGR-10", "RS-AGR-10/L1", "RS-AGR-10/L2", "RS-AGR-10/L3")
@law(
    conflicts=lambda right: (
        lambda one, other, alpha: right(one, other, alpha)._replace(
            lost=right(one, other, alpha).gained
        )
    ),
    both=st.lists(st.tuples(tested, tested), max_size=8),
)
def test_conflicts_are_all_counted_and_exchanged(agr, both):
    one, other = [a for a, _ in both], [b for _, b in both]
    found = agr.conflicts(one, other, 0.05)
    assert sum(found) == len(both)
    back = agr.conflicts(other, one, 0.05)
    assert back == found._replace(gained=found.lost, lost=found.gained)
    significant = [sum(p is not None and p <= 0.05 and d != 0 for d, p in x) for x in (one, other)]
    assert significant[1] - significant[0] == found.gained - found.lost


@pytest.mark.spec("RS-AGR-11", "RS-AGR-11/L1", "RS-AGR-11/L2")
@law(
    discriminative_power=instead(
        lambda p, alpha: (sum(x is not None and x < alpha for x in p), Fraction(0))
    ),
    p=p_values,
    levels_of_two=st.tuples(st.integers(1, 19), st.integers(1, 19)),
)
def test_discriminative_power_is_of_the_curve_and_monotone(agr, p, levels_of_two):
    low, high = sorted(level / 20 for level in levels_of_two)
    count, share = agr.discriminative_power(p, low)
    assert count <= agr.discriminative_power(p, high)[0]
    curve = agr.asl_curve(p)
    assert curve == sorted(curve, reverse=True)
    assert count == sum(x <= low for x in curve)
    assert share == Fraction(count, len(p))


@pytest.mark.spec("RS-AGR-12", "RS-AGR-12/L1", "RS-AGR-12/L2")
@law(
    mean_pad=lambda right: lambda m: right(m) * max(m),
    means=st.lists(st.integers(1, 20), min_size=2, max_size=5),
    c=st.integers(2, 9),
)
def test_pad_has_no_unit_but_a_zero(agr, means, c):
    value = agr.mean_pad(means)
    assert agr.mean_pad([c * m for m in means]) == value
    assert agr.mean_pad([m + c for m in means]) <= value


tables = st.tuples(st.integers(2, 4), st.integers(2, 6)).flatmap(
    lambda of: st.lists(
        st.lists(st.integers(0, 8).map(lambda i: i / 8), min_size=of[1], max_size=of[1]),
        min_size=of[0],
        max_size=of[0],
    )
)


@pytest.mark.spec("RS-AGR-14", "RS-AGR-14/L1", "RS-AGR-14/L2")
@law(
    swap_bins=lambda right: lambda scores, halves, w, b: right(scores, halves, w, b)[:-1],
    scores=tables,
    seed=st.integers(0, 99),
)
def test_swaps_are_all_counted_and_none_of_equal_halves(agr, scores, seed):
    halves = list(agr.splits(len(scores[0]), seed, 3))
    bins = agr.swap_bins(scores, halves, Fraction(1, 4), 3)
    assert sum(b.comparisons for b in bins) == 3 * comb(len(scores), 2)
    twice = [row + row for row in scores]
    n = len(scores[0])
    same = agr.swap_bins(twice, [(range(n), range(n, 2 * n))], Fraction(1, 4), 3)
    assert not sum(b.swaps for b in same)


@pytest.mark.spec("RS-AGR-14")
@each("n", [2, 3, 10])
def test_splits_are_disjoint_halves(n):
    for one, other in named.splits(n, 5, 20):
        assert len(one) == len(other) == n // 2
        assert len({*one, *other}) == n // 2 * 2
    assert (
        len({tuple(sorted(one)) for one, _ in named.splits(n, 5, 60)}) == min(comb(n, n // 2), 60)
        or n == 10
    )


# ---- assessors -----------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-15", "RS-AGR-15/L1", "RS-AGR-15/L2", "RS-AGR-15/L3")
@law(
    kappa=lambda right: lambda x, y, w: right(x, [min(v, 2) for v in y], w),
    lists=two_lists,
    c=st.integers(1, 3),
)
def test_kappa_is_at_most_1_symmetric_and_without_unit(agr, lists, c):
    x, y = lists
    for weights in reference.WEIGHTS:
        value = defined(agr.kappa, x, y, weights)
        assert value <= 1
        assert (value == 1) == (x == y)
        assert agr.kappa(y, x, weights) == value
        assert agr.kappa([5 - c * v for v in x], [5 - c * v for v in y], weights) == value


@pytest.mark.spec("RS-AGR-15/L4")
@law(
    kappa=lambda right: lambda x, y, w: right(x, y, w) * (2 if w == "linear" else 1),
    both=st.lists(st.tuples(st.sampled_from([0, 3]), st.sampled_from([0, 3])), max_size=8),
)
def test_two_labels_have_one_kappa(agr, both):
    x, y = [a for a, _ in both], [b for _, b in both]
    assert len({defined(agr.kappa, x, y, weights) for weights in reference.WEIGHTS}) == 1


@pytest.mark.spec("RS-AGR-16", "RS-AGR-16/L1", "RS-AGR-16/L2")
@law(
    bias=instead(lambda x, y: [b - a for a, b in zip(x, y, strict=True)]),
    lists=two_lists,
    c=st.integers(-3, 3),
)
def test_bias_sums_to_0_and_knows_no_lenience(agr, lists, c):
    x, y = lists
    found = agr.bias(x, y)
    assert sum(found) == 0
    assert agr.bias(x, [v + c for v in y]) == found


# ---- repeated runs -------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-17", "RS-AGR-17/L1")
@law(
    ktu=lambda right: lambda x, y: right(sorted(x), y),
    docs=st.permutations("abcd"),
    more=st.permutations("cdef"),
)
def test_ktu_of_equal_lists_is_1_and_it_is_symmetric(agr, docs, more):
    assert agr.ktu(docs, docs) == 1
    assert agr.ktu(docs, more) == agr.ktu(more, docs)


@pytest.mark.spec("RS-AGR-17/L2")
def test_ktu_depends_on_names_and_rbo_does_not():
    x, y = "abc", "acb"
    renamed = str.maketrans("abc", "bac")
    assert reference.ktu(x, y) != reference.ktu(x.translate(renamed), y.translate(renamed))
    values = {
        reference.rbo_ext(list(map(list, one)), list(map(list, other)), Fraction(1, 2))
        for one, other in ((x, y), (x.translate(renamed), y.translate(renamed)))
    }
    assert len(values) == 1


@pytest.mark.spec("RS-AGR-18", "RS-AGR-18/L1", "RS-AGR-18/L2")
@law(
    rmse=lambda right: lambda x, y: right(x[:1], y[:1]),
    lists=two_lists,
)
def test_rmse_is_0_of_equal_values_and_at_least_the_difference_of_means(agr, lists):
    x, y = lists
    assert (agr.rmse(x, y) == 0) == (x == y)
    assert agr.rmse(x, y) >= nearest_double_of(
        lambda reals: reals.exact(abs(reference.mean(x) - reference.mean(y)))
    )


four = st.tuples(*[st.lists(st.integers(0, 5), min_size=2, max_size=4)] * 4)


@pytest.mark.spec(
    "RS-AGR-19", "RS-AGR-19/L1", "RS-AGR-19/L2", "RS-AGR-20", "RS-AGR-20/L1", "RS-AGR-20/L2"
)
@law(
    effect_ratio=lambda right: lambda a, b, a2, b2: right(a2, b2, a, b) * max(a),
    delta_ri=lambda right: lambda a, b, a2, b2: right(a, b, a2, b2) + a[0],
    runs=four,
    c=st.integers(2, 5),
)
def test_effects_of_equal_runs_and_in_another_unit(agr, runs, c):
    a, b, a2, b2 = runs
    assert defined(agr.effect_ratio, a, b, a, b) == 1
    scaled = [[c * v for v in run] for run in runs]
    assert agr.effect_ratio(*scaled) == agr.effect_ratio(*runs)
    assert defined(agr.delta_ri, a, b, a, b) == 0
    assert defined(agr.delta_ri, *runs) == -agr.delta_ri(a2, b2, a, b)


# ---- designs -------------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-21", "RS-AGR-21/L1", "RS-AGR-21/L2")
@law(
    residual=lambda _: reference.within,
    scores=tables,
    hard=st.lists(st.integers(-3, 3), min_size=6, max_size=6),
)
def test_the_residual_is_of_differences_and_knows_no_hard_queries(agr, scores, hard):
    found = agr.variance([agr.residual(scores)])
    shifted = [[v + h for v, h in zip(row, hard, strict=False)] for row in scores]
    assert agr.variance([agr.residual(shifted)]) == found
    D = [Fraction(a) - Fraction(b) for a, b in zip(*scores[:2], strict=True)]
    sample = sum((d - sum(D) / len(D)) ** 2 for d in D) / (len(D) - 1)
    assert 2 * agr.variance([agr.residual(scores[:2])]) == sample


designs = st.tuples(st.integers(1, 20), st.integers(1, 20), st.integers(1, 10), st.integers(1, 40))


@pytest.mark.spec("RS-AGR-22", "RS-AGR-22/L1", "RS-AGR-22/L2")
@law(
    queries_needed=lambda right: lambda *given: right(*given) + 1,
    design=designs,
    paired=st.booleans(),
)
def test_n_is_the_least_that_has_the_power(agr, design, paired):
    difference, deviation, alpha, beta = (x / 50 for x in design)
    n = agr.queries_needed(difference, deviation, alpha, beta, paired)
    enough = agr.power(n, difference, deviation, alpha, paired)
    assert enough >= 1 - beta
    if n > 2:
        assert agr.power(n - 1, difference, deviation, alpha, paired) < 1 - beta
    promised = 1e-9
    assert agr.power(n + 1, difference, deviation, alpha, paired) >= enough - promised
    assert agr.power(n, 2 * difference, deviation, alpha, paired) >= enough - promised


@pytest.mark.spec("RS-AGR-22/L3")
@each("n", [2, 10, 1000])
@each("alpha", [0.01, 0.5])
def test_the_power_of_no_difference_is_the_level(n, alpha):
    assert abs(named.power(n, 1e-12, 1.0, alpha) - alpha) < 1e-9


# ---- judgments that are not known ----------------------------------------------------------

DOCS = "abcd"
shown = st.tuples(st.permutations(DOCS), st.integers(1, 3)).map(lambda of: of[0][: of[1]])


def every_difference(judged, x, y, measure):
    """The differences by all judgments, each run with its own unjudged documents in its pool."""
    top = max(1, *judged.values())
    unjudged = sorted({*x, *y} - judged.keys())
    for labels in product(range(top + 1), repeat=len(unjudged)):
        J = dict(zip(unjudged, labels, strict=True))
        values = []
        for docs in (x, y):
            own = judged | {doc: J[doc] for doc in docs if doc in J}
            run = {"q": {doc: -i for i, doc in enumerate(docs)}}
            values.append(rankspec.evaluate({"q": own}, run, [measure]).per_query[measure]["q"])
        yield read(values[0]) - read(values[1])


def extremes(judged, docs, measure):
    """The lowest and the highest value of a run by all judgments of its unjudged documents."""
    run = {"q": {doc: -i for i, doc in enumerate(docs)}}
    return [
        read(rankspec.evaluate({"q": judged}, run, measure, unjudged=which).mean[measure])
        for which in ("lowest", "highest")
    ]


def read(value):
    """The fraction of a small denominator that is nearest to a double, else the double's own."""
    found = Fraction(value).limit_denominator(1000)
    return found if float(found) == value else Fraction(value)


def ends_of(found):
    return tuple(map(Fraction, found.per_query["q"]))


@pytest.mark.spec("RS-AGR-24", "RS-AGR-24/L1", "RS-AGR-24/L2", "RS-AGR-23/L3")
@law(
    favouring=instead(lambda x, _, unjudged: frozenset(set(x) & set(unjudged))),
    judged=st.dictionaries(st.sampled_from(DOCS), st.integers(0, 2), min_size=1),
    x=shown,
    y=shown,
    measure=st.sampled_from(["CG@2", "P@2", "RBP(p=0.5)", "CG"]),
)
def test_exact_intervals_are_attained(agr, judged, x, y, measure):
    every = list(every_difference(judged, x, y, measure))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "favouring", agr.favouring)
        found = unjudged.difference_interval({"q": judged}, {"q": x}, {"q": y}, measure)
        back = unjudged.difference_interval({"q": judged}, {"q": y}, {"q": x}, measure)
    assert found.exact
    assert ends_of(found) == (min(every), max(every))
    assert ends_of(back) == (-max(every), -min(every))
    low, high = reference.enclosing_interval(*(extremes(judged, docs, measure) for docs in (x, y)))
    assert low <= min(every) <= max(every) <= high


@pytest.mark.spec("RS-AGR-23", "RS-AGR-23/L1", "RS-AGR-23/L2")
@law(
    enclosing_interval=lambda right: lambda x, y: right((x[0], x[0]), y),
    judged=st.dictionaries(st.sampled_from(DOCS), st.integers(0, 1), min_size=1),
    x=shown,
    y=shown,
    measure=st.sampled_from(["nDCG@2", "AP", "RR"]),
)
def test_enclosing_intervals_hold_every_difference(agr, judged, x, y, measure):
    every = list(every_difference(judged, x, y, measure))
    low, high = agr.enclosing_interval(*(extremes(judged, docs, measure) for docs in (x, y)))
    assert low <= min(every) <= max(every) <= high
    if not {*x} & {*y} - judged.keys():
        assert (low, high) == (min(every), max(every))
    found = unjudged.difference_interval({"q": judged}, {"q": x}, {"q": y}, measure)
    assert not found.exact
    assert ends_of(found) == (float(low), float(high))


@pytest.mark.spec("RS-AGR-23")
def test_the_interval_of_a_mean_has_the_means_of_the_ends():
    judged = {"1": {"a": 1}, "2": {"a": 1}}
    x, y = {"1": ["a", "b"], "2": ["b", "a"]}, {"1": ["b", "c"], "2": ["a", "c"]}
    found = unjudged.difference_interval(judged, x, y, "P@2")
    low, high = zip(*found.per_query.values(), strict=True)
    assert (found.low, found.high) == (sum(low) / 2, sum(high) / 2)
    with pytest.raises(InputError, match="its lowest value over all judgments is not known"):
        unjudged.difference_interval(judged, x, y, "Bpref")
