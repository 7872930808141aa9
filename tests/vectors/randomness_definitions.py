"""The chapter on randomness once more, from its text, sharing no code with rankspec.

t statistics are roots of rational numbers here, compared by their squares; the jackknife leaves one
value out after the other.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import floor, log2, sqrt
from typing import Any

from scipy.stats import norm

MASK = 0xFFFFFFFF


def philox(counter: list[int], key: list[int]) -> list[int]:
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(b >> 32) ^ x[1] ^ k[0], b & MASK, (a >> 32) ^ x[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return x


def words(seed: int, purpose: int, replicate: int, position: int) -> list[int]:
    counter = [position & MASK, position >> 32, replicate, purpose]
    return philox(counter, [seed & MASK, seed >> 32])


def below(bound: int, seed: int, purpose: int, replicate: int, place: int) -> int:
    while True:
        w = words(seed, purpose, replicate, place >> 2)[place & 3]
        if (w * bound & MASK) >= (1 << 32) % bound:
            return w * bound >> 32
        purpose += 256


def flips(seed: int, replicate: int, n: int) -> list[int]:
    signs = []
    for i in range(n):
        w = words(seed, 1, replicate, i // 128)[i % 128 // 32]
        signs.append(-1 if w & 1 << i % 32 else 1)
    return signs


def draws(seed: int, replicate: int, n: int) -> list[int]:
    return [below(n, seed, 2, replicate, i) for i in range(n)]


def permutation(seed: int, replicate: int, topic: int, systems: int) -> list[int]:
    order = list(range(systems))
    for j in range(systems - 1):
        at, other = systems - 1 - j, below(systems - j, seed, 3, replicate, (topic << 34) + j)
        order[at], order[other] = order[other], order[at]
    return order


# ---- p-values ----------------------------------------------------------------------------


def p(count: int, arrangements: int, exact: bool) -> Fraction:
    return Fraction(count, arrangements) if exact else Fraction(count + 1, arrangements + 1)


def counted(count: int, arrangements: int, exact: bool) -> dict[str, Any]:
    of = {"count": count, "arrangements": arrangements, "exact": exact}
    return of | {"p": p(count, arrangements, exact)}


def p_with_replacement(count: int, replicates: int, arrangements: int) -> Fraction:
    """By the distribution of the number that reach, one draw after the other."""
    N, total = arrangements, 0
    for j in range(1, N + 1):
        chances = [1] + [0] * count  # in units of 1 / N for each draw
        for _ in range(replicates):
            chances = [
                chances[i] * (N - j) + (chances[i - 1] * j if i else 0) for i in range(count + 1)
            ]
        total += sum(chances)
    return Fraction(total, N ** (replicates + 1))


# ---- tests -------------------------------------------------------------------------------


def arrangements_of(seed: int, replicates: int, n: int, nonzero: int) -> tuple[list[Any], bool]:
    exact = nonzero <= log2(65536)
    if exact:
        return list(product((1, -1), repeat=nonzero)), True
    return [flips(seed, r, n) for r in range(replicates)], False


def randomisation(differences: list[int], seed: int, replicates: int) -> dict[str, Any]:
    D = [d for d in differences if d]
    signs, exact = arrangements_of(seed, replicates, len(differences), len(D))
    if not exact:
        D = differences
    sums = [sum(d for s, d in zip(own, D, strict=True) if s < 0) for own in signs]
    total = sum(D)
    reached = sum(abs(total - 2 * minus) >= abs(total) for minus in sums)
    return counted(reached, len(signs), exact)


def step_down(family: list[list[int]], seed: int, replicates: int) -> list[dict[str, Any]]:
    columns = [q for q in range(len(family[0])) if any(D[q] for D in family)]
    signs, exact = arrangements_of(seed, replicates, len(family[0]), len(columns))
    if exact:
        family = [[D[q] for q in columns] for D in family]

    def u(D: list[int]) -> Fraction:
        squares = sum(d * d for d in D)
        return Fraction(sum(D) ** 2, squares) if squares else Fraction(0)

    own = [u(D) for D in family]
    flipped = [[u([s * d for s, d in zip(by, D, strict=True)]) for D in family] for by in signs]
    raw = [
        sum(max(x for x, o in zip(row, own, strict=True) if o <= mine) >= mine for row in flipped)
        for mine in own
    ]
    return [
        counted(max(b for b, o in zip(raw, own, strict=True) if o >= mine), len(signs), exact)
        for mine in own
    ]


def randomised_hsd(values: list[list[int]], seed: int, replicates: int) -> list[dict[str, Any]]:
    systems = len(values[0])
    orders = len(list(permutations(range(systems))))
    exact = orders ** len(values) <= 65536
    if exact:
        tables = list(product(*(list(permutations(row)) for row in values)))
    else:
        tables = [
            tuple(
                tuple(row[a] for a in permutation(seed, r, t, systems))
                for t, row in enumerate(values)
            )
            for r in range(replicates)
        ]
    ranges = []
    for table in tables:
        sums = [sum(row[a] for row in table) for a in range(systems)]
        ranges.append(max(sums) - min(sums))
    sums = [sum(row[a] for row in values) for a in range(systems)]
    return [
        {"pair": [a, b]}
        | counted(sum(x >= abs(sums[a] - sums[b]) for x in ranges), len(ranges), exact)
        for a, b in combinations(range(systems), 2)
    ]


def stratified(topics: list[list[list[int]]], seed: int, replicates: int) -> dict[str, Any]:
    """By the mean difference within topics, of each way to give the sessions to the systems."""
    both = [(x + y, len(x)) for x, y in topics if x and y]
    ways = [[set(ours) for ours in combinations(range(len(row)), k)] for row, k in both]
    number = 1
    for own in ways:
        number *= len(own)
    exact = number <= 65536
    if exact:
        chosen = list(product(*ways))
    else:
        chosen = [
            tuple(set(permutation(seed, r, t, len(row))[:k]) for t, (row, k) in enumerate(both))
            for r in range(replicates)
        ]

    def within(ours: tuple[set[int], ...]) -> Fraction:
        total = Fraction(0)
        for (row, k), mine in zip(both, ours, strict=True):
            x = Fraction(sum(row[a] for a in mine), k)
            y = Fraction(sum(v for a, v in enumerate(row) if a not in mine), len(row) - k)
            total += Fraction(k * (len(row) - k), len(row)) * (x - y)
        return abs(total)

    observed = within(tuple(set(range(k)) for _, k in both))
    return counted(sum(within(ours) >= observed for ours in chosen), len(chosen), exact)


def studentised_bootstrap(
    differences: list[int], seed: int, replicates: int
) -> dict[str, Any] | None:
    n = len(differences)
    mean = Fraction(sum(differences), n)
    W = [d - mean for d in differences]
    if any(differences) and not any(W):
        return None

    def reaches(sample: list[Fraction]) -> bool:
        """m^2/v >= M^2/V, multiplied out; v of both is the sum of squares about the mean."""
        m = sum(sample) / n
        v = sum((x - m) ** 2 for x in sample)
        if not m and not v:
            return not mean
        return m * m * sum(w * w for w in W) >= mean * mean * v

    samples = [[W[i] for i in draws(seed, r, n)] for r in range(replicates)]
    return counted(sum(map(reaches, samples)), replicates, exact=False)


def acceleration(values: list[int]) -> float:
    n = len(values)
    left_out = [Fraction(sum(values) - x, n - 1) for x in values]
    centre = sum(left_out) / n
    cubes = sum((centre - x) ** 3 for x in left_out)
    squares = sum((centre - x) ** 2 for x in left_out)
    return float(cubes) / (6 * sqrt(float(squares)) ** 3) if squares else 0.0


def bca(values: list[int], alpha: float, seed: int, replicates: int) -> list[Fraction]:
    """Both ends by the two shares, with SciPy's normal distribution."""
    n, m = len(values), replicates
    sums = sorted(sum(values[i] for i in draws(seed, r, n)) for r in range(m))
    S, a = sum(values), acceleration(values)
    share = Fraction(2 * sum(x < S for x in sums) + sum(x == S for x in sums), 2 * m)
    z0 = norm.ppf(float(min(max(share, Fraction(1, 2 * m)), 1 - Fraction(1, 2 * m))))
    low, high = (
        norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in norm.ppf([alpha / 2, 1 - alpha / 2])
    )
    first = min(max(floor((m + 1) * low), 1), m)
    last = min(max(floor((m + 1) * (1 - high)), 1), m)
    return [Fraction(sums[first - 1], n), Fraction(sums[m - last], n)]
