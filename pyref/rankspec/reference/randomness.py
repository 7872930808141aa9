"""Random arrangements that anyone can compute again, and the resampling tests made of them.

seed       what the caller chooses: an integer from 0 to 2^64 - 1
purpose    what the words are for: FLIPS, DRAWS, PERMUTATIONS
replicate  the number of an arrangement, from 0
D          the differences of two systems, an integer a query; S their sum
m          the number of arrangements that were drawn; in permutations the number of systems

Each word is a function of these and of its place in the stream alone. No generator has a state, so
that replicates can be computed in any order, by any number of threads. All statistics are integers
or quotients of integers; they are compared exactly, so that ties count as ties.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, count, permutations, product
from math import comb, copysign, factorial, floor, prod, sqrt
from statistics import NormalDist

Words = tuple[int, int, int, int]

Stratum = tuple[list[int], list[int]]
"""The values of two systems for their sessions of one topic."""

WORD = 1 << 32
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85  # of the golden ratio, and of sqrt(3) - 1
ROUNDS = 10

FLIPS, DRAWS, PERMUTATIONS = 1, 2, 3
PURPOSES = 1 << 8  # by so much the purpose of the next attempt at an integer is more
TOPIC = 1 << 34  # words a topic

MOST_ENUMERATED = 1 << 16


# ---- words -------------------------------------------------------------------------------


def philox(counter: Words, key: tuple[int, int], rounds: int = ROUNDS) -> Words:
    """Philox4x32: four words of 32 bits from a counter and a key    [salmon-2011]

    Spec: RS-RND-1
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(rounds):
        high0, low0 = divmod(MULTIPLIERS[0] * c0, WORD)
        high1, low1 = divmod(MULTIPLIERS[1] * c2, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + WEYL[0]) % WORD, (k1 + WEYL[1]) % WORD
    return c0, c1, c2, c3


def words(seed: int, purpose: int, replicate: int, position: int) -> Words:
    """The words 4 position to 4 position + 3 of a stream

    seed and position are below 2^64, purpose and replicate below 2^32.

    Spec: RS-RND-2
    """
    return philox(
        (position % WORD, position // WORD, replicate, purpose), (seed % WORD, seed // WORD)
    )


def word(seed: int, purpose: int, replicate: int, place: int) -> int:
    """The word at a place of a stream, from 0

    Spec: RS-RND-2
    """
    return words(seed, purpose, replicate, place // 4)[place % 4]


def bounded(w: int, n: int, size: int = WORD) -> int | None:
    """floor(w n / size), or None where w is one word too many: then all are equally frequent

    size: how many words there are; 1 <= n <= size    [lemire-2019]

    Spec: RS-RND-3
    """
    value, rest = divmod(w * n, size)
    return None if rest < size % n else value


def below(n: int, seed: int, purpose: int, replicate: int, place: int) -> int:
    """An integer from 0 to n - 1, by the first attempt whose word is accepted

    Spec: RS-RND-3
    """
    attempts = (word(seed, purpose + PURPOSES * a, replicate, place) for a in count())
    return next(value for w in attempts if (value := bounded(w, n)) is not None)


# ---- arrangements ------------------------------------------------------------------------


def flips(seed: int, replicate: int, n: int) -> list[int]:
    """A sign for each of n queries: bit i of the stream, +1 where it is 0, -1 where it is 1

    Spec: RS-RND-4
    """
    blocks = (words(seed, FLIPS, replicate, position) for position in range(-(-n // 128)))
    stream = list(chain.from_iterable(blocks))
    return [-1 if stream[i // 32] >> i % 32 & 1 else 1 for i in range(n)]


def draws(seed: int, replicate: int, n: int) -> list[int]:
    """n of n queries, drawn with replacement: their numbers, from 0

    Spec: RS-RND-5
    """
    return [below(n, seed, DRAWS, replicate, i) for i in range(n)]


def permutation(
    seed: int, replicate: int, topic: int, m: int, purpose: int = PERMUTATIONS
) -> list[int]:
    """A permutation of 0 to m - 1 for a topic, by Fisher and Yates, the last place first

    Spec: RS-RND-6
    """
    order = list(range(m))
    for step, last in enumerate(range(m - 1, 0, -1)):
        other = below(last + 1, seed, purpose, replicate, TOPIC * topic + step)
        order[last], order[other] = order[other], order[last]
    return order


# ---- p-values ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Resampled:
    """How many arrangements are as extreme as the observed one, of how many.

    exact: whether these are all arrangements there are, the observed one among them

    Spec: RS-RND-7
    """

    count: int
    arrangements: int
    exact: bool

    @property
    def p(self) -> Fraction:
        """count / N of all arrangements; (b + 1) / (m + 1) of m that were drawn."""
        drawn = 0 if self.exact else 1
        return Fraction(self.count + drawn, self.arrangements + drawn)


def p_with_replacement(b: int, m: int, N: int) -> Fraction:
    """The probability that at most b of m arrangements are as extreme, which are drawn with
    replacement from N equally likely ones, the observed one among them    [phipson-2010]

    Spec: RS-RND-8
    """
    at_most = sum(
        comb(m, i) * sum(j**i * (N - j) ** (m - i) for j in range(1, N + 1)) for i in range(b + 1)
    )
    return Fraction(at_most, N ** (m + 1))


# ---- sign flips --------------------------------------------------------------------------


def every_flip(n: int) -> Iterator[tuple[int, ...]]:
    """All 2^n signs of n queries."""
    return product((1, -1), repeat=n)


def sums_of_flips(D: Sequence[int], signs: Iterable[Sequence[int]]) -> list[int]:
    """Σ s_q D_q by each of the signs."""
    return [sum(s * d for s, d in zip(flip, D, strict=True)) for flip in signs]


def randomisation(D: Sequence[int], seed: int, m: int) -> Resampled:
    """How often |Σ s_q D_q| >= |Σ D_q|, over signs s

    By all signs of the differences other than 0 where these are few, else by m that are drawn.

    Spec: RS-RND-9
    """
    observed = abs(sum(D))
    nonzero = [d for d in D if d]
    exact = 2 ** len(nonzero) <= MOST_ENUMERATED
    if exact:
        sums = sums_of_flips(nonzero, every_flip(len(nonzero)))
    else:
        sums = sums_of_flips(D, (flips(seed, r, len(D)) for r in range(m)))
    return Resampled(sum(abs(S) >= observed for S in sums), len(sums), exact)


def step_down(family: Sequence[Sequence[int]], seed: int, m: int) -> list[Resampled]:
    """The step-down max-T test of a family of differences of the same queries, with shared flips

    Its statistic of a member is S^2 / Σ D^2, which rises with |t|. The count of a member is of the
    arrangements whose greatest statistic, over what is not more extreme than it, reaches its own;
    and no count is below that of a more extreme member.    [westfall-1993; boytsov-2013]

    Spec: RS-RND-10
    """
    queries = [column for column in zip(*family, strict=True) if any(column)]
    exact = 2 ** len(queries) <= MOST_ENUMERATED
    if exact:
        signs = list(every_flip(len(queries)))
        members = list(map(list, zip(*queries, strict=True))) or [[] for _ in family]
    else:
        signs = [tuple(flips(seed, r, len(family[0]))) for r in range(m)]
        members = [list(D) for D in family]
    statistics = [[studentised(S, D) for S in sums_of_flips(D, signs)] for D in members]
    observed = [studentised(sum(D), D) for D in members]
    counts = [0] * len(members)
    greatest = [Fraction(0)] * len(signs)
    for u in sorted(set(observed)):
        alike = [j for j, u_j in enumerate(observed) if u_j == u]
        for j in alike:
            greatest = list(map(max, greatest, statistics[j]))
        for j in alike:
            counts[j] = sum(x >= u for x in greatest)
    least = 0
    for j in sorted(range(len(members)), key=lambda j: -observed[j]):
        counts[j] = least = max(least, counts[j])
    return [Resampled(b, len(signs), exact) for b in counts]


def studentised(S: int, D: Sequence[int]) -> Fraction:
    """S^2 / Σ D^2; 0 where all differences are 0."""
    return Fraction(S * S, sum(d * d for d in D) or 1)


# ---- permutations within topics ----------------------------------------------------------


def randomised_hsd(
    X: Sequence[Sequence[int]], seed: int, m: int
) -> dict[tuple[int, int], Resampled]:
    """Of each pair of systems, how often the range of the sums reaches their difference, over
    permutations of the systems within each topic

    X: a row a topic, in it an integer a system    [carterette-2012; sakai-2018]

    Spec: RS-RND-11
    """
    systems = len(X[0])
    exact = factorial(systems) ** len(X) <= MOST_ENUMERATED
    if exact:
        orders: Iterable[Sequence[Sequence[int]]] = product(
            permutations(range(systems)), repeat=len(X)
        )
    else:
        orders = ([permutation(seed, r, t, systems) for t in range(len(X))] for r in range(m))
    ranges = [range_of_sums(X, chosen) for chosen in orders]
    observed = [sum(column) for column in zip(*X, strict=True)]
    return {
        (a, b): Resampled(
            sum(x >= abs(observed[a] - observed[b]) for x in ranges), len(ranges), exact
        )
        for a, b in combinations(range(systems), 2)
    }


def range_of_sums(X: Sequence[Sequence[int]], orders: Sequence[Sequence[int]]) -> int:
    """The greatest less the least sum of a system, whose value in a topic is that of the system
    which its order has in its place."""
    permuted = [[row[other] for other in order] for row, order in zip(X, orders, strict=True)]
    sums = list(map(sum, zip(*permuted, strict=True)))
    return max(sums) - min(sums)


# ---- permutations of sessions ------------------------------------------------------------


def stratified(strata: Sequence[Stratum], seed: int, m: int, slack: int = 0) -> Resampled:
    """How often |S* - c| >= |S - c| - slack, over permutations of the sessions of each topic

    strata: the values of x and of y, of each topic. S is the sum of the values of x, S* that after
    a permutation, and c the mean of all S*. Topics that one of the two systems has no session of
    are left out.

    Spec: RS-RND-14
    """
    both = [(X, Y) for X, Y in strata if X and Y]
    sizes = [len(X) for X, _ in both]
    values = [[*X, *Y] for X, Y in both]
    expected = sum(
        (Fraction(k * sum(row), len(row)) for k, row in zip(sizes, values, strict=True)),
        start=Fraction(0),
    )
    observed = abs(sum(sum(X) for X, _ in both) - expected) - slack
    arrangements = prod(comb(len(row), k) for k, row in zip(sizes, values, strict=True))
    exact = arrangements <= MOST_ENUMERATED
    if exact:
        chosen: Iterable[Sequence[Sequence[int]]] = product(
            *(combinations(row, k) for k, row in zip(sizes, values, strict=True))
        )
    else:
        chosen = (
            [
                [row[a] for a in permutation(seed, r, t, len(row))[:k]]
                for t, (k, row) in enumerate(zip(sizes, values, strict=True))
            ]
            for r in range(m)
        )
        arrangements = m
    reached = sum(abs(sum(map(sum, rows)) - expected) >= observed for rows in chosen)
    return Resampled(reached, arrangements, exact)


# ---- the bootstrap -----------------------------------------------------------------------


def centred(D: Sequence[int], slack: int = 0) -> list[int]:
    """n (D_q - mean), integers with the sum 0; what is 0 but for the slack is 0."""
    S = sum(D)
    return [w if abs(w := len(D) * d - S) > slack else 0 for d in D]


def studentised_bootstrap(
    D: Sequence[int], samples: Iterable[Sequence[int]], slack: int = 0
) -> Resampled | None:
    """How often |t| of a sample of the centred differences reaches the |t| of the differences

    samples: the numbers of the queries drawn, of each sample. slack: by how many units equal sums
    of D can differ (RS-CMP-23). None where the differences are constant and not 0: t is not
    defined.    [sakai-2006]

    Spec: RS-RND-12
    """
    W = centred(D, slack)
    observed = squared_share(D, -slack)
    if any(D) and not any(W):
        return None
    more = 4 * len(D) * slack
    reached = [squared_share([W[i] for i in sample], more) >= observed for sample in samples]
    return Resampled(sum(reached), len(reached), False)


def squared_share(D: Sequence[int], more: int = 0) -> Fraction:
    """max(|S| + more, 0)^2 / (n Σ D^2), which rises with |t|; 0 where all are 0

    Without more it is from 0 to 1.
    """
    S = max(abs(sum(D)) + more, 0)
    squares = sum(d * d for d in D)
    return Fraction(S * S, len(D) * squares) if squares else Fraction(0)


def bootstrap_samples(seed: int, n: int, m: int) -> Iterator[list[int]]:
    """The samples of n queries that a seed gives."""
    return (draws(seed, r, n) for r in range(m))


def acceleration(D: Sequence[int]) -> float:
    """a = Σ W^3 / (6 (Σ W^2)^(3/2)) of the centred W, by the jackknife; 0 where all W are 0
    [efron-1987]

    Spec: RS-RND-13
    """
    W = centred(D)
    squares, cubes = sum(w**2 for w in W), sum(w**3 for w in W)
    return copysign(sqrt(cubes**2 / (36 * squares**3)), cubes) if cubes else 0.0


def bias(S: int, sums: Sequence[int], slack: int = 0) -> float:
    """z0, the normal quantile of the share of samples below the observed sum; of those that equal
    it, but for the slack, half count

    Spec: RS-RND-13
    """
    m = len(sums)
    below_it = sum((x < S - slack) + (x <= S + slack) for x in sums)  # in halves
    share = min(max(below_it, 1), 2 * m - 1)
    z = NormalDist().inv_cdf(min(share, 2 * m - share) / (2 * m))
    return z if share <= m else -z


def bca_rank(z0: float, a: float, alpha: float, m: int) -> int:
    """Which of m sums in rising order, from 1, is the lower end of the interval of 1 - alpha

    Spec: RS-RND-13
    """
    z = z0 + NormalDist().inv_cdf(alpha / 2)
    divisor = 1 - a * z
    if divisor <= 0:
        return 1
    return min(max(floor((m + 1) * NormalDist().cdf(z0 + z / divisor)), 1), m)


def bca(
    D: Sequence[int], alpha: float, samples: Iterable[Sequence[int]], slack: int = 0
) -> tuple[Fraction, Fraction]:
    """The BCa interval of the mean of D at the level 1 - alpha, in the unit of D    [efron-1987]

    Spec: RS-RND-13
    """
    return bca_of_sums(D, alpha, sorted(sum(D[i] for i in sample) for sample in samples), slack)


def bca_of_sums(
    D: Sequence[int], alpha: float, sums: Sequence[int], slack: int = 0
) -> tuple[Fraction, Fraction]:
    """The same, of the sums of the samples in rising order

    Spec: RS-RND-13
    """
    z0, a, m = bias(sum(D), sums, slack), acceleration(D), len(sums)
    low = sums[bca_rank(z0, a, alpha, m) - 1]
    high = sums[m - bca_rank(-z0, -a, alpha, m)]
    return Fraction(low, len(D)), Fraction(high, len(D))
