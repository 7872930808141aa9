"""The laws of random words, arrangements and resampling tests: in bulk and by the reference.

Each runs once more with a function that has a mistake, and a counterexample must be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from rankspec.analysis.comparison import resampling
from rankspec.compute import randomness as bulk
from rankspec.reference import randomness as reference
from rankspec.reference.randomness import MULTIPLIERS, WEYL, WORD, Resampled

from ..each import each
from .law import law_by

seeds = st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
replicates = st.one_of(st.integers(0, 3), st.integers(0, 2**32 - 1))
word_of_32_bits = st.one_of(st.integers(0, 3), st.integers(0, WORD - 1))
sizes = st.sampled_from([3, 10, 10**6, 2**40])
draws_of_some = st.integers(1, 40)


def differences(least: int = 1, most: int = 9, size: int = 0) -> st.SearchStrategy[list[int]]:
    one = sizes if not size else st.just(size)
    return one.flatmap(
        lambda high: st.lists(st.integers(-high, high), min_size=least, max_size=most)
    )


def families(least: int = 1, most: int = 4, n: int = 8) -> st.SearchStrategy[list[list[int]]]:
    return st.tuples(st.integers(1, n), sizes).flatmap(
        lambda of: st.lists(
            st.lists(st.integers(-of[1], of[1]), min_size=of[0], max_size=of[0]),
            min_size=least,
            max_size=most,
        )
    )


def tables(systems: int = 4, topics: int = 5) -> st.SearchStrategy[list[list[int]]]:
    return st.tuples(st.integers(2, systems), sizes).flatmap(
        lambda of: st.lists(
            st.lists(st.integers(-of[1], of[1]), min_size=of[0], max_size=of[0]),
            min_size=1,
            max_size=topics,
        )
    )


class Reading:
    """The functions of the chapter by one reading, some of them replaced."""

    def __init__(self, reading: str, **broken: Callable[..., Any]) -> None:
        self.reading, self._broken = reading, broken

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(ByReference if self.reading == "reference" else InBulk, name)
        return self._broken[name](function) if name in self._broken else function


class ByReference:
    """By the reference."""

    philox = staticmethod(reference.philox)
    words = staticmethod(reference.words)
    bounded = staticmethod(reference.bounded)
    flips = staticmethod(reference.flips)
    draws = staticmethod(reference.draws)
    permutation = staticmethod(reference.permutation)
    randomisation = staticmethod(reference.randomisation)
    step_down = staticmethod(reference.step_down)
    hsd = staticmethod(reference.randomised_hsd)
    stratified = staticmethod(reference.stratified)

    @staticmethod
    def bootstrap(D, seed, m):
        return reference.studentised_bootstrap(D, reference.bootstrap_samples(seed, len(D), m))

    @staticmethod
    def bca(D, alpha, seed, m):
        return reference.bca(D, alpha, reference.bootstrap_samples(seed, len(D), m))


class InBulk:
    """In bulk: by NumPy and the core."""

    bounded = staticmethod(reference.bounded)
    step_down = staticmethod(resampling.step_down)
    hsd = staticmethod(resampling.randomised_hsd)
    stratified = staticmethod(resampling.stratified)

    @staticmethod
    def philox(counter, key):
        as_words = [np.array([c], np.uint64) for c in counter]
        return tuple(int(x[0]) for x in bulk._philox(*as_words, key[0] + WORD * key[1]))

    @staticmethod
    def words(seed, purpose, replicate, position):
        positions = np.array([position], np.uint64)
        found = bulk.words(seed, purpose, range(replicate, replicate + 1), positions)
        return tuple(found[0].tolist())

    @staticmethod
    def flips(seed, replicate, n):
        bits = bulk.flip_bits(seed, range(replicate, replicate + 1), n)
        return [1 - 2 * int(bit) for bit in bits[0]]

    @staticmethod
    def draws(seed, replicate, n):
        return bulk.draws(seed, range(replicate, replicate + 1), n)[0].tolist()

    @staticmethod
    def permutation(seed, replicate, topic, m):
        X = np.tile(np.arange(m, dtype=np.int64), (topic + 1, 1))
        return bulk.permuted(seed, range(replicate, replicate + 1), X)[0, topic].tolist()

    @staticmethod
    def randomisation(D, seed, m):
        return resampling.randomisations([D], seed, m)[0]

    @staticmethod
    def bootstrap(D, seed, m):
        return resampling.studentised_bootstraps([D], seed, m)[0]

    @staticmethod
    def bca(D, alpha, seed, m):
        return resampling.bca_intervals([D], alpha, seed, m)[0]


def law(**given_by_name: Any) -> Any:
    return law_by(Reading, "bulk", "reference", **given_by_name)


def instead(function: Callable[..., Any]) -> Callable[..., Any]:
    """What replaces the right function, whatever that is."""
    return lambda _: function


# ---- words -------------------------------------------------------------------------------


def undone(block: tuple[int, ...], key: tuple[int, int]) -> tuple[int, ...]:
    """The counter of a block: the rounds backwards, with the inverses of the multipliers."""
    c0, c1, c2, c3 = block
    inverse = [pow(M, -1, WORD) for M in MULTIPLIERS]
    for r in reversed(range(10)):
        k0, k1 = ((k + r * w) % WORD for k, w in zip(key, WEYL, strict=True))
        old0, old2 = c3 * inverse[0] % WORD, c1 * inverse[1] % WORD
        high0, high1 = old0 * MULTIPLIERS[0] // WORD, old2 * MULTIPLIERS[1] // WORD
        c0, c1, c2, c3 = old0, c0 ^ high1 ^ k0, old2, c2 ^ high0 ^ k1
    return c0, c1, c2, c3


@pytest.mark.spec("RS-RND-1", "RS-RND-1/L1")
@law(
    philox=lambda right: lambda c, key: right((c[0], c[1], c[2], c[3] & ~1), key),
    counter=st.tuples(*[word_of_32_bits] * 4),
    key=st.tuples(word_of_32_bits, word_of_32_bits),
)
def test_the_block_tells_the_counter(rnd, counter, key):
    assert undone(rnd.philox(counter, key), key) == counter


places = st.tuples(
    st.integers(0, 255), replicates, st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
)


@pytest.mark.spec("RS-RND-2", "RS-RND-2/L1")
@law(
    words=lambda right: (
        lambda seed, purpose, replicate, position: right(seed, purpose, replicate, position % WORD)
    ),
    seed=seeds,
    one=places,
    change=st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, WORD), (-1, 1, 0)]),
)
def test_no_words_are_used_twice(rnd, seed, one, change):
    other = tuple((a + b) % end for a, b, end in zip(one, change, (256, WORD, 2**64), strict=True))
    assert rnd.words(seed, *one) != rnd.words(seed, *other)
    key = seed % WORD, seed // WORD
    purpose, replicate, position = one
    assert undone(rnd.words(seed, *one), key) == (
        position % WORD,
        position // WORD,
        replicate,
        purpose,
    )


@pytest.mark.spec("RS-RND-3", "RS-RND-3/L1", "RS-RND-3/L2")
@law(
    bounded=instead(lambda w, n, size: w * n // size),
    n=st.integers(1, 256),
)
def test_integers_have_no_bias(rnd, n):
    """All words of 8 bits are counted."""
    found = Counter(rnd.bounded(w, n, 256) for w in range(256))
    refused = found.pop(None, 0)
    assert dict(found) == dict.fromkeys(range(n), 256 // n)
    assert refused == 256 % n < n


@pytest.mark.spec("RS-RND-3")
@each("bound", [3, 1000, 2**31 + 1, 3 * 2**30, WORD])
def test_the_first_word_that_is_accepted_counts(bound):
    for place in range(40):
        words = [reference.word(5, 2 + 256 * a, 9, place) for a in range(40)]
        accepted = [w for w in words if w * bound % WORD >= WORD % bound]
        assert reference.below(bound, 5, 2, 9, place) == accepted[0] * bound // WORD


# ---- arrangements ------------------------------------------------------------------------


@pytest.mark.spec("RS-RND-4", "RS-RND-4/L2")
@law(
    flips=lambda right: lambda seed, replicate, n: right(seed, replicate, n)[::-1],
    seed=seeds,
    replicate=replicates,
    n=st.integers(0, 300),
    fewer=st.integers(0, 300),
)
def test_signs_are_the_first_of_those_of_more_queries(rnd, seed, replicate, n, fewer):
    n, fewer = max(n, fewer), min(n, fewer)
    signs = rnd.flips(seed, replicate, n)
    assert signs[:fewer] == rnd.flips(seed, replicate, fewer)
    bits = sum(
        w << 32 * i
        for i, w in enumerate(
            w for position in range(3) for w in reference.words(seed, 1, replicate, position)
        )
    )
    assert signs == [-1 if bits >> i & 1 else 1 for i in range(n)]


@pytest.mark.slow
@pytest.mark.spec("RS-RND-4/L1")
@law(
    randomisation=lambda right: lambda D, seed, m: right(D, seed + (sum(D) > 0), m),
    family=families(least=2, most=3, n=20),
    extra=differences(least=18, most=18),
    seed=st.integers(0, 2**64 - 2),
)
def test_signs_are_shared_by_all_pairs(rnd, family, extra, seed):
    """What a member gets by itself, it gets among others."""
    family = [(D * 18)[:18] for D in [*family, extra]]
    alone = [rnd.randomisation(D, seed, 20) for D in family]
    assert alone == resampling.randomisations(family, seed, 20)


def chi_squared(found: Counter[Any], cells: int) -> float:
    expected = found.total() / cells
    rest = (cells - len(found)) * expected
    return rest + sum((x - expected) ** 2 / expected for x in found.values())


@pytest.mark.slow
@pytest.mark.spec("RS-RND-5", "RS-RND-5/L1")
@law(
    draws=lambda right: lambda seed, replicate, n: sorted(right(seed, replicate, n)),
    seed=seeds,
)
def test_samples_are_equally_likely(rnd, seed):
    """The 27 samples of three queries: beyond 75 is once in 10^6 seeds."""
    found = Counter(tuple(rnd.draws(seed, r, 3)) for r in range(1350))
    assert chi_squared(found, 27) < 75


@pytest.mark.slow
@pytest.mark.spec("RS-RND-6", "RS-RND-6/L1", "RS-RND-6/L2")
@law(
    permutation=lambda right: lambda seed, r, t, m: [*right(seed, r, t, m - 1), m - 1],
    seed=seeds,
    topic=st.integers(0, 5),
)
def test_orders_are_equally_likely(rnd, seed, topic):
    """The 24 orders of four systems: beyond 70 is once in 10^6 seeds."""
    orders = [tuple(rnd.permutation(seed, r, topic, 4)) for r in range(1200)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)
    assert chi_squared(Counter(orders), 24) < 70


@pytest.mark.spec("RS-RND-6/L2")
@each("m", [1, 2, 3, 4, 5])
def test_each_order_is_of_one_sequence_of_integers(m, monkeypatch):
    """By all integers below m, m - 1, ..., 2 in place of those that are drawn."""
    found = []
    for chosen in product(*(range(bound) for bound in range(m, 1, -1))):
        monkeypatch.setattr(reference, "below", lambda *a, of=chosen: of[a[-1] % reference.TOPIC])
        found.append(tuple(reference.permutation(0, 0, 7, m)))
    assert sorted(found) == sorted(permutations(range(m)))


# ---- p-values ----------------------------------------------------------------------------


@pytest.mark.spec("RS-RND-7", "RS-RND-7/L1")
@law(
    randomisation=lambda right: (
        lambda D, seed, m: Resampled(
            right(D, seed, m).count - 2, right(D, seed, m).arrangements, exact=True
        )
    ),
    D=differences(most=30),
    seed=seeds,
    m=draws_of_some,
)
def test_p_is_above_0_and_at_most_1(rnd, D, seed, m):
    assert 0 < rnd.randomisation(D, seed, m).p <= 1


@pytest.mark.spec("RS-RND-7/L2")
@law(
    randomisation=lambda right: (
        lambda D, seed, m: Resampled(
            right(D, seed, m).count - 1, right(D, seed, m).arrangements, exact=True
        )
    ),
    D=differences(most=6, size=6),
)
def test_enumeration_is_wrong_as_often_as_its_level(rnd, D):
    """Over all signs of the differences, p <= α for a share of at most α, for every α."""
    ps = sorted(
        rnd.randomisation([s * d for s, d in zip(flip, D, strict=True)], 0, 1).p
        for flip in product((1, -1), repeat=len(D))
    )
    for alpha in set(ps):
        assert Fraction(sum(p <= alpha for p in ps), len(ps)) <= alpha


@pytest.mark.spec("RS-RND-7/L2")
@each(("statistics", "m"), [([1, 2, 3, 4], 3), ([1, 1, 2, 5], 2), ([0, 0, 0], 4), ([3, 1], 5)])
def test_what_is_drawn_is_wrong_as_often_as_its_level(statistics, m):
    """Over every observed arrangement and all m that can be drawn: no more often than α."""
    N = len(statistics)
    wrong = Counter(
        Resampled(sum(x >= observed for x in drawn), m, exact=False).p
        for observed in statistics
        for drawn in product(statistics, repeat=m)
    )
    for alpha in wrong:
        assert Fraction(sum(wrong[p] for p in wrong if p <= alpha), N ** (m + 1)) <= alpha
    without_itself = Counter(
        Fraction(sum(x >= observed for x in drawn), m)
        for observed in statistics
        for drawn in product(statistics, repeat=m)
    )  # the control: b / m is 0 too often
    if len(set(statistics)) > 1:
        assert without_itself[Fraction(0)] > 0


@pytest.mark.spec("RS-RND-8", "RS-RND-8/L1")
@each("N", [1, 2, 7, 64])
def test_the_exact_value_is_near_the_simple_one(N):
    for m in (1, 2, 9):
        values = [reference.p_with_replacement(b, m, N) for b in range(m + 1)]
        assert values == sorted(values)
        assert values[-1] == 1
        for b, p in enumerate(values):
            assert Fraction(b + 1, m + 1) - Fraction(1, N) <= p <= Fraction(b + 1, m + 1)
            # The definition by itself: a rank j of N, and m draws of which at most b are so low.
            by_cases = Fraction(0)
            if N**m <= 128:
                for j in range(1, N + 1):
                    draws = product(range(1, N + 1), repeat=m)
                    low = sum(sum(x <= j for x in drawn) <= b for drawn in draws)
                    by_cases += Fraction(low, N ** (m + 1))
                assert p == by_cases


@pytest.mark.spec("RS-RND-8")
@each(
    ("b", "m", "N", "printed"),
    [
        # statmod 1.5.0 in R 4.2.2: options(digits = 17);
        # permp(x = c(0, 1, 5), nperm = 10, total.nperm = 8, method = "exact")
        (0, 10, 8, 0.041189568582922248),
        (1, 10, 8, 0.119791382458060980),
        (5, 10, 8, 0.482951347716152668),
        # permp(x = c(0, 3, 20), nperm = 20, total.nperm = 32, method = "exact")
        (0, 20, 32, 0.033612648885581402),
        (3, 20, 32, 0.174850967094555221),
        (20, 20, 32, 1.0),
        # permp(x = 5, nperm = 99, n1 = 6, n2 = 6)
        (5, 99, 462, 0.058917748917926588),
    ],
)
def test_the_exact_value_is_that_of_statmod(b, m, N, printed):
    """pbinom, whose mean statmod takes, has some 14 digits."""
    assert float(reference.p_with_replacement(b, m, N)) == pytest.approx(printed, rel=1e-14)


# ---- sign flips --------------------------------------------------------------------------


def by_brute_force(D: list[int]) -> Fraction:
    observed = abs(sum(D))
    signs = list(product((1, -1), repeat=len(D)))
    reached = [abs(sum(s * d for s, d in zip(f, D, strict=True))) >= observed for f in signs]
    return Fraction(sum(reached), len(signs))


def strictly(right):
    """As a program that does not count ties, but for the observed arrangement and its negative."""

    def broken(D, seed, m):
        found = right(D, seed, m)
        nonzero = [d for d in D if d]
        if not found.exact:
            return found
        sums = reference.sums_of_flips(nonzero, reference.every_flip(len(nonzero)))
        return Resampled(2 + sum(abs(S) > abs(sum(D)) for S in sums), len(sums), exact=True)

    return broken


@pytest.mark.spec("RS-RND-9")
@law(randomisation=strictly, D=differences(most=8))
def test_enumeration_counts_all_signs(rnd, D):
    found = rnd.randomisation(D, 0, 1)
    assert found.exact
    assert found.p == by_brute_force(D)


def one_sided(_):
    def broken(D, seed, m):
        sums = reference.sums_of_flips(D, (reference.flips(seed, r, len(D)) for r in range(m)))
        return Resampled(sum(sum(D) <= S for S in sums), m, exact=False)

    return broken


both_ways = st.one_of(differences(most=10), differences(least=18, most=40))


@pytest.mark.spec("RS-RND-9/L1", "RS-RND-9/L2")
@law(randomisation=one_sided, D=both_ways, seed=seeds, m=draws_of_some, c=st.integers(1, 2**19))
def test_neither_side_nor_unit_matters(rnd, D, seed, m, c):
    found = rnd.randomisation(D, seed, m)
    assert rnd.randomisation([-d for d in D], seed, m) == found
    assert rnd.randomisation([c * d for d in D], seed, m) == found


@pytest.mark.spec("RS-RND-9/L3", "RS-RND-9/L4")
@law(
    randomisation=lambda right: lambda D, seed, m: right(D[:-1] or D, seed, m),
    D=differences(most=10),
    order=st.randoms(use_true_random=False),
)
def test_an_enumeration_is_free_of_the_order(rnd, D, order):
    found = rnd.randomisation(D, 0, 1)
    shuffled = list(D)
    order.shuffle(shuffled)
    assert rnd.randomisation(shuffled, 0, 1) == found
    assert rnd.randomisation([*D, 0], 0, 1) == found
    nonzero = [d for d in D if d]
    if nonzero:
        least = Fraction(2, 2 ** len(nonzero))
        assert found.p >= least
        assert (found.p == least) == (len({d > 0 for d in nonzero}) == 1)


# ---- the family --------------------------------------------------------------------------


def unadjusted(right):
    """Each member by itself."""
    return lambda family, seed, m: [right([D], seed, m)[0] for D in family]


def first_to_last(right):
    """Steps down in the order of the family, instead of by the statistics."""

    def broken(family, seed, m):
        found, least = [], 0
        for j in range(len(family)):
            own = right(family[j:], seed, m)[0]
            least = max(least, own.count)
            found.append(Resampled(least, own.arrangements, own.exact))
        return found

    return broken


some_families = st.one_of(families(n=6), families(n=6).map(lambda F: [(D * 20)[:20] for D in F]))


def t_squared(D: list[int]) -> Fraction:
    """The square of the t statistic; infinite for constant differences: above all others."""
    n, S, Q = len(D), sum(D), sum(d * d for d in D)
    if not Q:
        return Fraction(0)
    rest = n * Q - S * S
    return Fraction((n - 1) * S * S, rest) if rest else Fraction(10**60)


@pytest.mark.spec("RS-RND-10", "RS-RND-10/L1")
@law(step_down=unadjusted, family=families(least=2, most=3, n=5))
def test_the_step_down_test_is_that_of_the_greatest_t(rnd, family):
    """From the definition, with t in place of u, over all signs."""
    n = len(family[0])
    observed = [t_squared(D) for D in family]
    flipped = [
        [t_squared([s * d for s, d in zip(flip, D, strict=True)]) for D in family]
        for flip in product((1, -1), repeat=n)
    ]
    counts = [
        Fraction(
            sum(
                max(t for t, o in zip(ts, observed, strict=True) if o <= own) >= own
                for ts in flipped
            ),
            len(flipped),
        )
        for own in observed
    ]
    expected = [
        max(p for p, o in zip(counts, observed, strict=True) if o >= own) for own in observed
    ]
    assert [found.p for found in rnd.step_down(family, 0, 1)] == expected


@pytest.mark.slow
@pytest.mark.spec("RS-RND-10/L2", "RS-RND-10/L3")
@law(step_down=first_to_last, family=some_families, seed=seeds, m=draws_of_some)
def test_adjusted_values_are_monotone(rnd, family, seed, m):
    found = [x.p for x in rnd.step_down(family, seed, m)]
    assert all(p >= rnd.step_down([D], seed, m)[0].p for p, D in zip(found, family, strict=True))
    statistics = [t_squared(D) for D in family]
    for u, p in zip(statistics, found, strict=True):
        for v, q in zip(statistics, found, strict=True):
            assert u < v or p <= q


@pytest.mark.spec("RS-RND-10/L4", "RS-RND-10/L5")
@law(
    step_down=lambda right: (
        lambda family, seed, m: [
            Resampled(min(len(family) * x.count, x.arrangements), x.arrangements, x.exact)
            for x in right(family, seed, m)
        ]
    ),
    family=some_families,
    seed=seeds,
    m=draws_of_some,
    c=st.sampled_from([1, -1, 2, -1000]),
    order=st.randoms(use_true_random=False),
)
def test_neither_order_nor_copies_matter_to_a_family(rnd, family, seed, m, c, order):
    found = rnd.step_down(family, seed, m)
    places = list(range(len(family)))
    order.shuffle(places)
    assert rnd.step_down([family[j] for j in places], seed, m) == [found[j] for j in places]
    copied = rnd.step_down([*family, [c * d for d in family[0]]], seed, m)
    assert copied == [*found, found[0]]


# ---- permutations within topics ----------------------------------------------------------


def enumerable(X: list[list[int]]) -> bool:
    return factorial(len(X[0])) ** len(X) <= 1296


def against_zero(right):
    """With the greatest sum in place of the range."""

    def broken(X, seed, m):
        tops = [max(map(sum, zip(*rows, strict=True))) for rows in product(*map(permutations, X))]
        sums = list(map(sum, zip(*X, strict=True)))
        return {
            (a, b): Resampled(sum(x >= abs(sums[a] - sums[b]) for x in tops), len(tops), exact=True)
            for a, b in right(X, seed, m)
        }

    return broken


@pytest.mark.spec("RS-RND-11", "RS-RND-11/L1", "RS-RND-11/L3")
@law(
    hsd=against_zero,
    X=tables(systems=3, topics=3),
    shift=st.lists(st.integers(-(2**30), 2**30), min_size=5, max_size=5),
    order=st.randoms(use_true_random=False),
)
def test_the_randomised_hsd_compares_systems_within_topics(rnd, X, shift, order):
    assume(enumerable(X))
    found = rnd.hsd(X, 0, 1)
    assert all(x.exact for x in found.values())
    shifted = [[x + by for x in row] for row, by in zip(X, shift, strict=False)]
    assert rnd.hsd(shifted, 0, 1) == found
    assert rnd.hsd(X[::-1], 0, 1) == found
    places = list(range(len(X[0])))
    order.shuffle(places)
    turned = rnd.hsd([[row[a] for a in places] for row in X], 0, 1)
    assert turned == {
        (a, b): found[min(places[a], places[b]), max(places[a], places[b])] for a, b in turned
    }
    if len(X[0]) == 2:
        assert found[0, 1].p == by_brute_force([a - b for a, b in X])


@pytest.mark.spec("RS-RND-11/L1", "RS-RND-11/L2")
@law(
    hsd=lambda right: (
        lambda X, seed, m: {
            (a, b): Resampled(x.arrangements - x.count, x.arrangements, x.exact)
            for (a, b), x in right(X, seed, m).items()
        }
    ),
    X=tables(systems=5, topics=5),
    seed=seeds,
    m=draws_of_some,
)
def test_p_falls_with_the_difference_of_the_sums(rnd, X, seed, m):
    X = [*X, *X, *X, *X]
    found = rnd.hsd(X, seed, m)
    sums = [sum(column) for column in zip(*X, strict=True)]
    for (a, b), one in found.items():
        for (c, d), other in found.items():
            assert abs(sums[a] - sums[b]) < abs(sums[c] - sums[d]) or one.p <= other.p
    assert rnd.hsd([[x + 5 * i for x in row] for i, row in enumerate(X)], seed, m) == found


# ---- permutations of sessions ------------------------------------------------------------

numbers = st.lists(st.integers(-9, 9), max_size=3)
topics_of_two = st.lists(st.tuples(numbers, numbers), min_size=1, max_size=3)


def of_means(right):
    """With |m_x - m_y|, which topics with more sessions of one system move."""

    def broken(strata, seed, m):
        found = right(strata, seed, m)
        both = [(X, Y) for X, Y in strata if X and Y]
        rows = [[*X, *Y] for X, Y in both]
        n_x, n_y = (sum(len(two[side]) for two in both) for side in (0, 1))
        ways = product(*(combinations([*X, *Y], len(X)) for X, Y in both))

        def apart(x):
            return abs(Fraction(x, n_x) - Fraction(sum(map(sum, rows)) - x, n_y)) if n_x else 0

        observed = apart(sum(sum(X) for X, _ in both))
        reached = sum(apart(sum(map(sum, way))) >= observed for way in ways)
        return Resampled(reached, found.arrangements, exact=True)

    return broken


def by_assigning(strata: list[tuple[list[int], list[int]]]) -> Fraction:
    """The share of all ways to give the sessions to the systems, as many of each topic as they
    have, by the mean difference within topics."""
    reached, ways, observed = 0, 0, abs(within(strata))
    owners = [[0] * len(X) + [1] * len(Y) for X, Y in strata]
    for own in product(*(set(permutations(of)) for of in owners)):
        given = []
        for (X, Y), of in zip(strata, own, strict=True):
            row = list(zip([*X, *Y], of, strict=True))
            given.append(([v for v, o in row if not o], [v for v, o in row if o]))
        ways += 1
        reached += abs(within(given)) >= observed
    return Fraction(reached, ways)


def within(strata: Any) -> Fraction:
    both = [(X, Y) for X, Y in strata if X and Y]
    weights = [Fraction(len(X) * len(Y), len(X) + len(Y)) for X, Y in both]
    return sum(
        (w * (Fraction(sum(X), len(X)) - Fraction(sum(Y), len(Y)))
         for w, (X, Y) in zip(weights, both, strict=True)),
        start=Fraction(0),
    )  # fmt: skip


@pytest.mark.spec(
    "RS-RND-14", "RS-RND-14/L1", "RS-RND-14/L2", "RS-RND-14/L3", "RS-RND-14/L4", "RS-RND-14/L5"
)
@law(
    stratified=of_means,
    strata=topics_of_two,
    shift=st.integers(-(2**30), 2**30),
    D=differences(most=6),
)
def test_sessions_are_permuted_within_topics(rnd, strata, shift, D):
    found = rnd.stratified(strata, 0, 1)
    assert found.exact
    assert found.p == by_assigning([(X, Y) for X, Y in strata if X and Y])
    assert found.p >= Fraction(1, found.arrangements)
    shifted = [([x + t * shift for x in X], [y + t * shift for y in Y])
               for t, (X, Y) in enumerate(strata)]  # fmt: skip
    assert rnd.stratified(shifted, 0, 1) == found
    assert rnd.stratified([(Y[::-1], X[::-1]) for X, Y in strata[::-1]], 0, 1) == found
    assert rnd.stratified([([d + 3], [3]) for d in D], 0, 1).p == by_brute_force(D)


# ---- the bootstrap -----------------------------------------------------------------------


def not_studentised(_):
    def broken(D, seed, m):
        W = reference.centred(D)
        samples = reference.bootstrap_samples(seed, len(D), m)
        reached = [abs(sum(W[i] for i in s)) >= len(D) * abs(sum(D)) for s in samples]
        return Resampled(sum(reached), m, exact=False)

    return broken


@pytest.mark.spec("RS-RND-12", "RS-RND-12/L1", "RS-RND-12/L2")
@law(
    bootstrap=not_studentised,
    D=differences(most=12),
    seed=seeds,
    m=draws_of_some,
    c=st.sampled_from([-1, 3, -1000]),
)
def test_samples_are_compared_by_t(rnd, D, seed, m, c):
    """Each t squared as a fraction, by variances."""
    found = rnd.bootstrap(D, seed, m)
    assert rnd.bootstrap([c * d for d in D], seed, m) == found
    if len(set(D)) == 1 and any(D):
        assert found is None
        return
    n, mean = len(D), Fraction(sum(D), len(D))
    W = [d - mean for d in D]

    def t(sample):
        """t squared; None: infinite."""
        own = sum(sample) / n
        variance = sum((x - own) ** 2 for x in sample)
        return 0 if not own else None if not variance else own**2 / variance

    observed = t([Fraction(d) for d in D])
    samples = [t([W[i] for i in reference.draws(seed, r, n)]) for r in range(m)]
    assert found == Resampled(sum(x is None or x >= observed for x in samples), m, exact=False)


@pytest.mark.spec("RS-RND-12/L3")
@law(
    # The control: S1 of W that were rounded to 32-bit floats.
    quotient=lambda right: lambda W, counts: right(W.astype(np.float32).astype(float), counts),
    D=differences(least=2, most=40, size=2**40),
    seed=seeds,
)
def test_the_error_of_a_quotient_in_doubles_is_bounded(rnd, D, seed):
    n, W = len(D), reference.centred(D)
    assume(any(W))
    counts = bulk.draw_counts(seed, range(8), n)
    for row, computed in zip(counts, rnd.quotient(np.array(W, float), counts), strict=True):
        sample = [w for w, c in zip(W, row, strict=True) for _ in range(int(c))]
        exact = Fraction(sum(sample) ** 2, n * sum(w * w for w in sample) or 1)
        assert abs(Fraction(computed) - exact) <= Fraction(4 * (n + 9), 2**53)


def quotient(W, counts):
    """S1^2 / (n S2) as the bulk reading computes it."""
    first, second = counts @ W, counts @ (W * W)
    return (first**2 / (len(W) * np.where(second > 0, second, 1.0))).tolist()


ByReference.quotient = InBulk.quotient = staticmethod(quotient)  # type: ignore[attr-defined]


@pytest.mark.spec("RS-RND-13", "RS-RND-13/L1", "RS-RND-13/L2")
@law(
    # The control: the upper end by the rank of the upper share, rounded down as the lower is.
    bca=lambda right: (
        lambda D, alpha, seed, m: (
            right(D, alpha, seed, m)[0],
            right(D, alpha / 2, seed, m)[1],
        )
    ),
    D=differences(least=3, most=12),
    seed=seeds,
    m=st.integers(20, 60),
    alpha=st.sampled_from([0.05, 0.1, 0.5]),
    c=st.integers(1, 1000),
    d=st.integers(-1000, 1000),
)
def test_the_interval_of_the_negative_is_the_mirror(rnd, D, seed, m, alpha, c, d):
    low, high = rnd.bca(D, alpha, seed, m)
    assert rnd.bca([-x for x in D], alpha, seed, m) == (-high, -low)
    assert rnd.bca([c * x + d for x in D], alpha, seed, m) == (c * low + d, c * high + d)


@pytest.mark.spec("RS-RND-13/L3")
@law(
    acceleration=lambda right: lambda D: 6 * right(D),
    D=st.one_of(differences(most=20), st.integers(2, 300).map(lambda n: [1, *[0] * (n - 1)])),
)
def test_the_acceleration_is_that_of_the_jackknife(rnd, D):
    a = rnd.acceleration(D)
    assert abs(a) <= 1 / 6
    assert rnd.acceleration([-d for d in D]) == -a
    n, S = len(D), sum(D)
    if n > 1 and len(set(D)) > 1:
        left_out = [Fraction(S - d, n - 1) for d in D]
        mean = sum(left_out) / n
        cubes = sum((mean - x) ** 3 for x in left_out)
        squares = sum((mean - x) ** 2 for x in left_out)
        off = Fraction(a) ** 2 - cubes**2 / (36 * squares**3)
        assert abs(off) <= 4 * Fraction(1, 2**53) * max(Fraction(a) ** 2, Fraction(1, 10**30))
        assert (a > 0) == (cubes > 0)


ByReference.acceleration = InBulk.acceleration = staticmethod(reference.acceleration)  # type: ignore[attr-defined]
