"""The statistics of the chapter "comparison", defined once more: by sums of squares about means,
roots in python-flint, ranks by counting, signs by enumeration. No code is shared with rankspec.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import flint


def exact(values):
    return [Fraction(x) for x in values]


def differences(x, y):
    """D and e, by halving a power of two until it is the least one above all differences."""
    d = [a - b for a, b in zip(exact(x), exact(y), strict=True)]
    if not any(d):
        return [0] * len(d), 0
    p = 1100
    while Fraction(2) ** (p - 1) > max(map(abs, d)):
        p -= 1
    unit = Fraction(2) ** (p - 40)
    return [round(a / unit) for a in d], p - 40  # round() of a fraction: ties to even


def numerators(given):
    """N and the j, by trying each N up to a million."""
    values = [x for column in given["systems"] for x in column]
    for N in range(1, 10**6):
        j = [round(x * N) for x in values]
        if N * max(map(abs, j), default=0) >= 2**39:
            break
        if all(a / N == x for a, x in zip(j, values, strict=True)):  # Python divides rightly
            each = iter(j)
            return N, [[next(each) for _ in column] for column in given["systems"]]
    return None, None


def paired(given):
    D, e = differences(given["x"], given["y"])
    return [a * Fraction(2) ** e for a in D]


def mean(x):
    return sum(x, Fraction(0)) / len(x)


def variance(x):
    m = mean(x)
    return sum((a - m) ** 2 for a in x) / (len(x) - 1)


def root(x):
    return ball(x).sqrt()


def ball(x):
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def both(given):
    return exact(given["x"]), exact(given["y"])


def paired_t(given):
    d = paired(given)
    return ball(mean(d)) / root(variance(d) / len(d))


def pooled(given):
    x, y = both(given)
    m, n = mean(x), mean(y)
    squares = sum((a - m) ** 2 for a in x) + sum((b - n) ** 2 for b in y)
    return squares / (len(x) + len(y) - 2)


def pooled_t(given):
    x, y = both(given)
    return ball(mean(x) - mean(y)) / root(
        pooled(given) * (Fraction(1, len(x)) + Fraction(1, len(y)))
    )


def welch_t(given):
    x, y = both(given)
    return ball(mean(x) - mean(y)) / root(variance(x) / len(x) + variance(y) / len(y))


def welch_df(given):
    x, y = both(given)
    a, b = variance(x) / len(x), variance(y) / len(y)
    return (a + b) ** 2 / (a**2 / (len(x) - 1) + b**2 / (len(y) - 1))


def ranks(d, zeros):
    """(rank, difference) of all that have a rank: how many are less, and half of the equal ones."""
    if zeros == "wilcox":
        d = [a for a in d if a]
    sizes = [abs(a) for a in d]
    return [
        (sum(s < abs(a) for s in sizes) + Fraction(sum(s == abs(a) for s in sizes) + 1, 2), a)
        for a in d
    ]


def signed_rank(given, zeros):
    found = Fraction(0)
    for rank, a in ranks(paired(given), zeros):
        found += rank if a > 0 else rank / 2 if a == 0 and zeros == "zsplit" else 0
    return found


def signed_rank_p(given, zeros):
    signed = [(r, a) for r, a in ranks(paired(given), zeros) if a]
    seen = abs(sum(r if a > 0 else -r for r, a in signed))
    sums = {Fraction(0): 1}  # how many ways have each sum
    for rank, _ in signed:
        more = {}
        for total, ways in sums.items():
            for sign in (1, -1):
                more[total + sign * rank] = more.get(total + sign * rank, 0) + ways
        sums = more
    return Fraction(sum(w for t, w in sums.items() if abs(t) >= seen), 2 ** len(signed))


def signed_rank_z(given, zeros, continuity):
    signed = [(r, a) for r, a in ranks(paired(given), zeros) if a]
    above = sum((r for r, a in signed if a > 0), Fraction(0))
    off = above - sum(r for r, _ in signed) / 2
    size = abs(off) - (Fraction(1, 2) if continuity else 0)
    z = ball(max(size, Fraction(0))) / root(sum((r * r for r, _ in signed), Fraction(0)) / 4)
    return -z if off < 0 else z


def sign_p(given):
    d = [a for a in paired(given) if a]
    fewer = min(sum(a > 0 for a in d), sum(a < 0 for a in d))
    ways = sum(math.comb(len(d), i) for i in range(fewer + 1))
    return min(Fraction(1), Fraction(2 * ways, 2 ** len(d)))


def two_way(given):
    """Systems, queries, residual, F, by deviations from means; the values are taken as exact."""
    columns = [exact(column) for column in given["systems"]]
    m, n = len(columns), len(columns[0])
    grand = mean([value for column in columns for value in column])
    of_systems = [mean(column) for column in columns]
    of_queries = [mean(list(row)) for row in zip(*columns, strict=True)]
    systems = n * sum((a - grand) ** 2 for a in of_systems)
    queries = m * sum((a - grand) ** 2 for a in of_queries)
    residual = sum(
        (columns[i][q] - of_systems[i] - of_queries[q] + grand) ** 2
        for i, q in product(range(m), range(n))
    )
    return [systems, queries, residual, (systems / (m - 1)) / (residual / ((m - 1) * (n - 1)))]


def tukey_q(given):
    """By pairs of rounded differences, which the residual is made of."""
    columns = given["systems"]
    m, n = len(columns), len(columns[0])
    pairs = [paired({"x": a, "y": b}) for a, b in combinations(columns, 2)]
    residual = sum((n - 1) * variance(d) for d in pairs) / m / ((m - 1) * (n - 1))
    return [ball(mean(d)) / root(residual / n) for d in pairs]


def posterior_limits(given, rope):
    d = paired(given)
    error = root(variance(d) / len(d))
    return [ball(end - mean(d)) / error for end in (-Fraction(rope), Fraction(rope))]


def interval(given, quantile):
    x, y = both(given)
    d = paired(given)
    half = ball(Fraction(quantile)) * root(variance(d) / len(d))
    return [ball(mean(x) - mean(y)) - half, ball(mean(x) - mean(y)) + half]


def d_z(given):
    d = paired(given)
    return ball(mean(d)) / root(variance(d))


def d_av(given):
    x, y = both(given)
    return 2 * ball(mean(paired(given))) / (root(variance(x)) + root(variance(y)))


def hedges_g(given):
    x, y = both(given)
    df = len(x) + len(y) - 2
    return ball((1 - Fraction(3, 4 * df - 1)) * (mean(x) - mean(y))) / root(pooled(given))


def cohen_d(given):
    x, y = both(given)
    return ball(mean(x) - mean(y)) / root(pooled(given))


def adjusted_difference(given):
    """The coefficient of x by the normal equations: its column, less the share of x in a topic."""
    above = below = Fraction(0)
    for x, y in (map(exact, two) for two in given["topics"]):
        n = len(x) + len(y)
        for inside, value in [(1, v) for v in x] + [(0, v) for v in y]:
            centred = inside - Fraction(len(x), n)
            above += centred * value
            below += centred * inside
    return above / below


def pad(given):
    m_x, m_y = map(mean, both(given))
    return abs(m_x - m_y) / max(m_x, m_y)


def bonferroni(given):
    p = exact(given["p"])
    return [min(Fraction(1), len(p) * a) for a in p]


def holm(given):
    """The least level at which the steps reject each."""
    p = exact(given["p"])
    ordered = sorted(p)
    return [
        min(Fraction(1), max((len(p) - b) * v for b, v in enumerate(ordered) if v <= a)) for a in p
    ]


def benjamini_hochberg(given):
    p = exact(given["p"])
    ordered = sorted(p)
    return [
        min(Fraction(1), *(len(p) * v / b for b, v in enumerate(ordered, start=1) if v >= a))
        for a in p
    ]


STATISTICS = {
    "common_denominator": lambda given: numerators(given)[0],
    "numerators": lambda given: numerators(given)[1],
    "mean": lambda given: mean(exact(given["x"])),
    "mean_difference": lambda given: mean(exact(given["x"])) - mean(exact(given["y"])),
    "standard_deviation": lambda given: root(variance(exact(given["x"]))),
} | {
    function.__name__: function
    for function in (
        interval, paired_t, pooled_t, welch_t, welch_df, signed_rank, signed_rank_p, signed_rank_z,
        sign_p, two_way, tukey_q, posterior_limits, d_z, d_av, hedges_g, pad, bonferroni, holm,
        benjamini_hochberg, cohen_d, adjusted_difference,
    )
}  # fmt: skip
