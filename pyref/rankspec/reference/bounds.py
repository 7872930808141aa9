"""Upper and lower bounds of a metric, and what normalises by both.

A      a metric at its cut-off, A@k, as a function of a ranking; or its value
J      the labels of the pool: the items that are ranked
IUB    the value of A for the ideal ranking of J
RLB    the value of A that a random ranking of J has on average
WLB    the value of A for the worst ranking of J
LB     any lower bound: RLB, or WLB
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, prod

from .dcg import Discount, Gain
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .ties import Groups


def worst(J: Sequence[Exact]) -> list[Exact]:
    """The labels of the pool in the worst order: best last.

    Spec: RS-BND-3
    """
    return sorted(J)


def upper(A: Number, IUB: Number) -> Number:
    """[A]^U = A / IUB, and 0 where IUB = 0    [karmaker-2022 section 4]

    Spec: RS-BND-4
    """
    return A / IUB if IUB else 0


def ul1(A: Number, IUB: Number, RLB: Number) -> Number:
    """[A]_V1^UL = (A / IUB) (A / (A + RLB)), and 0 where IUB = 0 or A = 0    [karmaker-2022 eq. 5]

    Spec: RS-BND-5
    """
    return (A / IUB) * (A / (A + RLB)) if IUB and A else 0


def ul2(A: Number, IUB: Number, RLB: Number, reals: Reals = RATIONALS) -> Number:
    """[A]_V2^UL = (A - RLB) / (IUB - RLB) if A >= RLB, (A - RLB) / RLB otherwise; 0 where A >= RLB
    = IUB    [karmaker-2022 eq. 6]

    One of the two summands is 0. Where the first is, IUB and RLB may be equal irrational numbers,
    which no enclosure shows; so their difference is not asked for.

    Spec: RS-BND-6
    """
    zero = reals.exact(0)
    gap = zero + A - RLB
    above, below = reals.greatest([gap, zero]), reals.greatest([-gap, zero])
    of_above = above / (IUB - RLB) if above and IUB - RLB else zero
    return of_above - (below / RLB if below and RLB else zero)


def is_random(groups: Groups, J: Sequence[Exact]) -> bool:
    """True if the list is one tie group of all items of J, so that A, as its mean, is RLB

    Spec: RS-BND-6
    """
    tied = [group for group in groups if group]
    return len(tied) == 1 and Counter(tied[0]) == Counter(J)


def min_max(A: Number, IUB: Number, LB: Number) -> Number:
    """(A - LB) / (IUB - LB), and 0 where IUB = LB

    Spec: RS-BND-7
    """
    return (A - LB) / (IUB - LB) if IUB - LB else 0


def ratio(A: Number, RLB: Number) -> Number:
    """A / RLB, and 0 where RLB = 0    [with A = nDCG: RNDCG, as karmaker-2022 describes it]

    Spec: RS-BND-8
    """
    return A / RLB if RLB else 0


def expected_dcg_of_eq7(J: Sequence[Exact], k: int, g: Gain, d: Discount) -> Number:
    """E[DCG@k] = E[g(R)] Σ_{i=1..k} d(i), also where k > |J|    [karmaker-2022 eq. 7]

    Spec: RS-BND-9
    """
    return sum(g(r) for r in J) * sum(d(i) for i in range(1, k + 1)) / len(J) if J else 0


def expected_sp_of_karmaker(N_p: int, N_n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """E[SP@k] = k (N_p / (N_p + N_n))²    [karmaker-2022 section 4.5.1]

    It takes Prec(i) and R_i for independent, which they are not.

    Spec: RS-BND-10
    """
    n = N_p + N_n
    return reals.exact(k) * N_p * N_p / (n * n) if n else reals.exact(0)


# ---- of any function ---------------------------------------------------------------------


def count_of_orders(J: Sequence[Exact], k: int) -> int:
    """k! [x^k] Π_r Σ_{i=0..m_r} x^i / i! with m_r items of the label r, the number of the distinct
    lists of the first k labels of an order of J

    Spec: RS-BND-14
    """
    ways = {0: 1}
    for m_r in sorted(Counter(J).values()):
        ways = {
            t: sum(comb(t, j) * x for j, x in ways.items() if 0 <= t - j <= m_r)
            for t in range(min(k, max(ways) + m_r) + 1)
        }
    return ways.get(k, 0)


def distinct_orders(J: Sequence[Exact], k: int) -> Iterator[tuple[list[Exact], int]]:
    """The distinct lists of the first k labels of an order of J, each with the number of distinct
    orders of J that begin so: (n - k)! / Π_r m_r! with m_r items of the label r left

    Spec: RS-BND-14
    """
    counts = Counter(J)
    labels = sorted(counts)
    left = [counts[r] for r in labels]
    pi: list[int] = []  # the places of its labels among all
    begun = [factorial(len(J)) // prod(map(factorial, left))]  # orders, of each beginning of pi
    least = 0
    while True:
        while len(pi) < k:
            j = next((j for j in range(least, len(labels)) if left[j]), None)
            if j is None:
                break
            begun.append(begun[-1] * left[j] // (len(J) - len(pi)))
            left[j] -= 1
            pi.append(j)
            least = 0
        if len(pi) == k:
            yield [labels[j] for j in pi], begun[-1]
        if not pi:
            return
        begun.pop()
        least = pi.pop()
        left[least] += 1
        least += 1


def of_all_orders(
    f: Callable[[list[Exact]], Exact], J: Sequence[Exact], k: int
) -> tuple[Exact, Fraction, Exact]:
    """IUB = max_π f(π), RLB = the mean of f over all orders π of J, WLB = min_π f(π)

    Spec: RS-BND-14
    """
    orders: Counter[Fraction] = Counter()
    for pi, w in distinct_orders(J, k):
        orders[Fraction(f(pi))] += w
    mean = sum(x * w for x, w in orders.items()) / Fraction(orders.total())
    return max(orders), mean, min(orders)


def hoeffding(a: Exact, b: Exact, m: int, alpha: Exact, reals: Reals = RATIONALS) -> Number:
    """(b - a) sqrt(ln(2 / α) / (2 m)): the mean of m independent values from a to b is farther from
    its expectation with a probability of at most α    [hoeffding-1963 theorem 2]

    Spec: RS-BND-14
    """
    width, level = Fraction(b) - Fraction(a), Fraction(2) / Fraction(alpha)
    return reals.exact(width) * reals.sqrt(reals.ln(level) / (2 * m))
