"""The definitions of the chapter on agreement once more, by brute force and nothing of the package.

Rational values are Fractions; others are Decimals of 60 digits, whose infinite sums end after 3000
terms.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod

DIGITS, TERMS = 60, 3000


class NoValue(Exception):
    """The definition has no value here."""


def exact(values):
    return [Fraction(v) for v in values]


# ---- orders --------------------------------------------------------------------------------


def pairs(x, y):
    x, y = exact(x), exact(y)
    both = [(x[i] - x[j], y[i] - y[j]) for i, j in combinations(range(len(x)), 2)]
    return [
        sum(a * b > 0 for a, b in both),
        sum(a * b < 0 for a, b in both),
        sum(a == 0 != b for a, b in both),
        sum(a != 0 == b for a, b in both),
        sum(a == b == 0 for a, b in both),
    ]


def swapped(x, y):
    return [[i, j] for i in range(len(x)) for j in range(len(x)) if x[i] > x[j] and y[i] < y[j]]


def tau_b(x, y):
    C, D, T_x, T_y, _ = pairs(x, y)
    with localcontext(prec=DIGITS):
        if not (C + D + T_x) * (C + D + T_y):
            raise NoValue
        return Decimal(C - D) / (Decimal((C + D + T_x) * (C + D + T_y))).sqrt()


def _best_first(y):
    return sorted(range(len(y)), key=lambda i: -Fraction(y[i]))


def _has_ties(x):
    return len(set(exact(x))) < len(x)


def _tau_ap_of_order(x, order):
    n = len(order)
    shares = [Fraction(sum(x[above] > x[order[i]] for above in order[:i]), i) for i in range(1, n)]
    return 2 * sum(shares) / Fraction(n - 1) - 1


def tau_ap(x, y):
    if len(x) < 2 or _has_ties(x) or _has_ties(y):
        raise NoValue
    return _tau_ap_of_order(x, _best_first(y))


def tau_ap_a(x, y):
    """Over all orders of the items that do not contradict y."""
    if len(x) < 2 or _has_ties(x):
        raise NoValue
    levels = sorted(set(y), reverse=True)
    groups = [[i for i in range(len(y)) if y[i] == level] for level in levels]
    values = [
        _tau_ap_of_order(x, [i for group in chosen for i in group])
        for chosen in product(*map(permutations, groups))
    ]
    return Fraction(sum(values), len(values))


def tau_ap_b(x, y):
    def one_way(x, y):
        shares = []
        for i in range(len(y)):
            above = [j for j in range(len(y)) if y[j] > y[i]]
            if above:
                shares.append(Fraction(sum(x[j] > x[i] for j in above), len(above)))
        if not shares:
            raise NoValue
        return 2 * sum(shares) / len(shares) - 1

    return (one_way(x, y) + one_way(y, x)) / 2


# ---- RBO -----------------------------------------------------------------------------------


def _contributions(ranking, d, ties):
    found, above = {}, 0
    for group in ranking:
        inside = min(max(d - above, 0), len(group))
        for item in group:
            found[item] = Fraction(inside, len(group)) if ties != "w" else Fraction(inside > 0)
        above += len(group)
    return found


def _decimal(x):
    x = Fraction(x)
    return Decimal(x.numerator) / Decimal(x.denominator)


def _agreement(X, of_S, of_L, d, ties):
    if ties == "a":
        return _decimal(Fraction(X) / d)
    if ties == "w":
        return _decimal(2 * Fraction(X) / (sum(of_S) + sum(of_L)))
    norm = _decimal(sum(c * c for c in of_S)) * _decimal(sum(c * c for c in of_L))
    return _decimal(X) / norm.sqrt()


def rbo(x, y, p, ties, kind):
    """(1 - p) Σ p^(d - 1) A_d, to a depth where nothing is left."""
    if not x or not y:
        raise NoValue
    S, L = sorted((x, y), key=lambda ranking: sum(map(len, ranking)))
    s, l = (sum(map(len, ranking)) for ranking in (S, L))  # noqa: E741
    items_S = [item for group in S for item in group]
    new = [item for group in L for item in group if item not in items_S]
    with localcontext(prec=DIGITS):
        q, A, A_s = _decimal(p), [], Decimal(0)
        for d in range(1, TERMS + 1):
            c_S, c_L = _contributions(S, d, ties), _contributions(L, d, ties)
            X = sum(c_S[item] * c_L[item] for item in c_S.keys() & c_L.keys())
            if d <= s:
                A_s = _agreement(X, c_S.values(), c_L.values(), d, ties)
                A.append(A_s)
            elif d <= l:
                begun = [c_L[item] for item in new if c_L[item]]
                unit = _agreement(1, [1] * d, c_L.values(), d, ties)
                more = {
                    "min": Decimal(0),
                    "max": _decimal(sum(c_L[item] for item in new[: d - s])),
                    "ext": (d - s) * A_s * _decimal(Fraction(sum(begun), len(begun))),
                }
                A.append((_decimal(X) + more[kind]) * unit)
            else:
                common = len({*items_S} & c_L.keys())
                beyond = {
                    "min": Decimal(common) / d,
                    "max": Decimal(min(d, common + (d - s) + (d - l))) / d,
                    "ext": (common + (l - s) * A_s) / l,
                }
                A.append(beyond[kind])
        found, weight = Decimal(0), 1 - q
        for agreement in A:
            found, weight = found + weight * agreement, weight * q
        return found


def rbo_ext(**given):
    return rbo(**given, kind="ext")


def rbo_min(**given):
    return rbo(**given, kind="min")


def rbo_max(**given):
    return rbo(**given, kind="max")


def rbo_res(**given):
    with localcontext(prec=DIGITS):
        return rbo(**given, kind="max") - rbo(**given, kind="min")


def rbo_at_depth(x, y, p, depth):
    weights = [Fraction(p) ** d for d in range(depth)]
    A = [Fraction(len({*x[: d + 1]} & {*y[: d + 1]}), d + 1) for d in range(depth)]
    return sum(w * a for w, a in zip(weights, A, strict=True)) / sum(weights)


# ---- measures, swaps -----------------------------------------------------------------------


def conflicts(first, second, alpha):
    def words(d, p):
        return "none" if p is None or p > alpha or d == 0 else "up" if d > 0 else "down"

    both = [(words(*a), words(*b)) for a, b in zip(first, second, strict=True)]
    return [
        sum(a == b != "none" for a, b in both),
        sum(a == "none" != b for a, b in both),
        sum(b == "none" != a for a, b in both),
        sum({a, b} == {"up", "down"} for a, b in both),
        sum(a == b == "none" for a, b in both),
    ]


def discriminative_power(p, alpha):
    if not p:
        raise NoValue
    count = len([x for x in p if x is not None and x <= alpha])
    return [count, Fraction(count, len(p))]


def asl_curve(p):
    return sorted((x for x in p if x is not None), key=lambda x: -x)


def mean_pad(means):
    found = []
    for a, b in combinations(exact(means), 2):
        if a <= 0 and b <= 0:
            raise NoValue
        found.append(1 - min(a, b) / max(a, b))
    if not found:
        raise NoValue
    return sum(found) / len(found)


def swap_rate(x, y):
    if len(x) < 2:
        raise NoValue
    return Fraction(pairs(x, y)[1], comb(len(x), 2))


def swap_bins(scores, halves, width, bins):
    found = [[0, 0] for _ in range(bins)]
    for half, other in halves:
        for a, b in combinations(scores, 2):
            d, d2 = (
                sum(Fraction(a[q]) - Fraction(b[q]) for q in of) / Fraction(len(of))
                for of in (half, other)
            )
            at = 0
            while at + 1 < bins and abs(d) >= (at + 1) * Fraction(*width):
                at += 1
            found[at][0] += 1
            found[at][1] += d > 0 > d2 or d < 0 < d2
    return found


def levels(scores):
    """By the numerators of a common denominator, or else by integers of 40 bits below the greatest
    value, of which sums 2n apart are still equal."""
    for N in range(1, 1000):
        numerators = [[round(Fraction(v) * N) for v in row] for row in scores]
        if [[j / N for j in row] for row in numerators] == scores:
            sums = [sum(row) for row in numerators]
            return [sorted(set(sums)).index(value) for value in sums]
    rows = [exact(row) for row in scores]
    unit = Fraction(1)
    greatest = max(abs(value) for row in rows for value in row)
    while greatest >= unit:
        unit *= 2
    while greatest and greatest < unit / 2:
        unit /= 2
    sums = [sum(round(value / unit * 2**40) for value in row) for row in rows]
    ordered, found = sorted(sums), {}
    for at, value in enumerate(ordered):
        far = at > 0 and value - ordered[at - 1] > 2 * len(rows[0])
        found[value] = (found[ordered[at - 1]] if at else 0) + far
    return [found[value] for value in sums]


# ---- assessors, repeated runs --------------------------------------------------------------


def kappa(x, y, weights):
    """By the table of both labels."""
    labels = sorted({*x, *y})
    n = len(x)
    if not n:
        raise NoValue
    apart = {"none": lambda a, b: int(a != b), "linear": lambda a, b: abs(a - b)}
    apart["quadratic"] = lambda a, b: (a - b) ** 2
    seen = chance = Fraction(0)
    for a, b in product(labels, repeat=2):
        w = Fraction(apart[weights](a, b))
        seen += w * Fraction(sum(pair == (a, b) for pair in zip(x, y, strict=True)), n)
        chance += w * Fraction(x.count(a), n) * Fraction(y.count(b), n)
    if not chance:
        raise NoValue
    return (chance - seen) / chance


def bias(first, second):
    shifts = [b - a for a, b in zip(exact(first), exact(second), strict=True)]
    if not shifts:
        raise NoValue
    return [s - sum(shifts) / Fraction(len(shifts)) for s in shifts]


def ktu(x, y):
    """By the names themselves: their order is that of their places."""
    if len(x) != len(y) or len(x) < 2:
        raise NoValue
    signs = [
        ((x[i] > x[j]) - (x[i] < x[j])) * ((y[i] > y[j]) - (y[i] < y[j]))
        for i, j in combinations(range(len(x)), 2)
    ]
    return Fraction(sum(signs), len(signs))


def rmse(x, y):
    if not x:
        raise NoValue
    squares = sum((a - b) ** 2 for a, b in zip(exact(x), exact(y), strict=True))
    with localcontext(prec=DIGITS):
        return (_decimal(squares / len(x))).sqrt()


def _mean(x):
    if not x:
        raise NoValue
    return sum(exact(x)) / Fraction(len(x))


def effect_ratio(a, b, a2, b2):
    if _mean(a) == _mean(b):
        raise NoValue
    return (_mean(a2) - _mean(b2)) / (_mean(a) - _mean(b))


def delta_ri(a, b, a2, b2):
    if not prod((_mean(b), _mean(b2))):
        raise NoValue
    return _mean(a) / _mean(b) - _mean(a2) / _mean(b2)


def variance(collections, kind):
    """By the differences of all two values of a system, or of all two systems on two queries."""
    squares, df = Fraction(0), 0
    for scores in collections:
        m, n = len(scores), len(scores[0])
        rows = [exact(row) for row in scores]
        if kind == "within":
            squares += sum((a - b) ** 2 for row in rows for a, b in combinations(row, 2)) / n
            df += m * (n - 1)
        else:
            squares += sum(
                ((r[i] - r[j]) - (t[i] - t[j])) ** 2
                for r, t in combinations(rows, 2)
                for i, j in combinations(range(n), 2)
            ) / Fraction(m * n)
            df += (m - 1) * (n - 1)
    if not df:
        raise NoValue
    return squares / df


def enclosing_interval(x, y):
    ends = [Fraction(a) - Fraction(b) for a in x for b in y]
    return [min(ends), max(ends)]


def favouring(x, y, unjudged):
    return sorted(u for u in unjudged if u in x and (u not in y or x.index(u) < y.index(u)))
