"""What laws say of a value, by other values of the same input: a check for each law."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, pairwise, permutations, product
from math import comb, log, prod
from typing import Any

from .facts import Facts
from .laws_of_sessions import CHECKS as OF_SESSIONS

Check = Callable[[Facts], Any]


def as_its_laws_say(f: Facts) -> bool:
    """Whether all laws hold that the case cites and that there is a check for, at least one."""
    known = [law for law in f.case.spec if law in CHECKS]
    return bool(known) and all(CHECKS[law](f) for law in known)


def exact(f: Facts, **changes: Any) -> Fraction:
    """The exact value, which must be known to be rational, some of what is given changed."""
    value = f.certified(**changes).exact
    if value is None:
        raise AssertionError(f"{f.case.number}: {changes}: the value is not known to be rational")
    return value


def pool_bound(f: Facts, bound: str, **changes: Any) -> Fraction:
    return exact(f, name=f"{bound}({f.of})", labels=f.pool, **changes)


def mean(values: Iterable[Fraction]) -> Fraction:
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def shown(f: Facts) -> list[Any]:
    """The items of the list up to the cut-off."""
    return f.labels[: f.k]


def cutoff(f: Facts) -> int:
    return int(f.k or max(len(f.labels), len(f.pool)))


# ---- precision -----------------------------------------------------------------------------


def indicators(f: Facts) -> list[int]:
    return [int(label >= f.measure.rel) for label in shown(f)]


def number_relevant(f: Facts, rel: Any = None) -> int:
    rel = f.measure.rel if rel is None else rel
    return sum(label >= rel for label in f.pool)


def count_of_items(f: Facts) -> bool:
    count = f.k * exact(f)
    return bool(count.denominator == 1 and 0 <= count <= min(f.k, len(f.labels)))


def over_pairs(f: Facts) -> bool:
    R = indicators(f)
    pairs = ((i, j) for j in range(len(R)) for i in range(j + 1))
    return exact(f) == sum(Fraction(R[i] * R[j], j + 1) for i, j in pairs)


def exchanged(labels: list[Any], i: int, j: int) -> list[Any]:
    """The list with the items at the ranks i and j exchanged."""
    labels = list(labels)
    labels[i - 1], labels[j - 1] = labels[j - 1], labels[i - 1]
    return labels


def sp_by_one_rank_up(f: Facts) -> bool:
    R = indicators(f)
    steps = [i for i in range(1, len(R)) if R[i - 1] < R[i]]
    gains = [exact(f, labels=exchanged(f.labels, i, i + 1)) - exact(f) for i in steps]
    return bool(steps) and gains == [Fraction(sum(R[: i + 1]), i * (i + 1)) for i in steps]


def sp_up_to_its_items(f: Facts) -> bool:
    R = indicators(f)
    return 0 <= exact(f) <= sum(R) and (exact(f) == sum(R)) == all(R[: sum(R)])


def ap_of_one(f: Facts) -> bool:
    N, k, norm = number_relevant(f), cutoff(f), f.measure.norm
    top = f.labels[: min(k, N)]
    perfect = len(top) == min(k, N) > 0 and all(x >= f.measure.rel for x in top)
    reached = {"min": True, "R": k >= N, "k": k <= N}[norm]
    return (exact(f) == 1) == (perfect and reached)


def ap_is_rr(f: Facts) -> bool:
    return number_relevant(f) == 1 and exact(f) == exact(f, name="RR")


def success_by_rr(f: Facts) -> bool:
    first = {exact(f, name=name, k=1) for name in ("Success", "RR", "P")}
    return (exact(f) == 1) == (exact(f, name="RR") > 0) and len(first) == 1


def bpref_at_its_ends(f: Facts) -> bool:
    N, R = number_relevant(f), indicators(f)
    others = len(f.pool) - N
    all_shown, above = len(R) == len(f.pool), R.index(1)
    best = all(R[:N])
    worst = above >= min(N, others) > 0
    return all_shown and (best or worst) and exact(f) == (1 if best else 0)


def auc_over_pairs(f: Facts) -> bool:
    """1, 1/2 or 0 for each pair of a relevant item and another one of the pool."""
    R = indicators(f)
    N, end = number_relevant(f), len(R)
    ones, others = ([i for i, x in enumerate(R) if x == y] for y in (1, 0))
    ones += [end] * (N - len(ones))
    others += [end] * (len(f.pool) - N - len(others))
    pairs = [Fraction((a < b) + (a <= b), 2) for a, b in product(ones, others)]
    return exact(f) == mean(pairs) and 0 <= exact(f) <= 1


def auc_of_the_reverse(f: Facts) -> bool:
    return len(f.labels) == len(f.pool) and exact(f, labels=f.labels[::-1]) == 1 - exact(f)


def auc_at_its_ends(f: Facts) -> bool:
    R = indicators(f)
    best, worst = sorted(R, reverse=True), sorted(R)
    return R in (best, worst) and exact(f) == (1 if best == R else 0)


def auc_by_scores(f: Facts) -> bool:
    """The share of pairs whose relevant item has the higher score; half of those that are equal."""
    scored = list(zip(f.labels, f.case.given["scores"], strict=True))
    above, below = ([s for x, s in scored if (x >= f.measure.rel) is y] for y in (True, False))
    pairs = [Fraction((a > b) + (a >= b), 2) for a, b in product(above, below)]
    return exact(f) == mean(pairs)


def infap_by_ranks(f: Facts) -> bool:
    """Rank by rank, as trec_eval counts; from 0 to 1."""
    epsilon, total = Fraction(1, 10**5), Fraction(0)
    flags = f.given.get("unjudged", [0] * len(f.labels))
    relevant = others = pooled = 0
    for i, (x, flag) in enumerate(zip(f.labels[: f.k], flags, strict=False)):
        if not flag and x >= max(f.measure.rel, 0):
            share = (relevant + epsilon) / (relevant + others + 2 * epsilon)
            total += (1 + (relevant + others + pooled) * share) / (i + 1)
            relevant += 1
        elif not flag:
            others, pooled = others + (x >= 0), pooled + (x < 0)
    N_p = sum(x >= max(f.measure.rel, 0) for x in f.pool)
    return exact(f) == total / N_p and 0 <= exact(f) <= 1


def infap_nearly_ap(f: Facts) -> bool:
    flags = f.given.get("unjudged", [0] * len(f.labels))
    R = [int(not flag and x >= f.measure.rel) for x, flag in zip(f.labels, flags, strict=True)]
    pool = [int(x >= f.measure.rel) for x in f.pool]
    judged = all(x >= 0 for x in f.pool)
    ap = exact(f, name="AP", labels=R, judged=pool, rel=1, unjudged=None)
    return judged and abs(exact(f) - ap) < Fraction(1, 10**5)


def each_norm_up_to_one(f: Facts) -> bool:
    return all(0 <= exact(f, norm=norm) <= 1 for norm in ("R", "min", "k"))


# Graded average precision: q_j is the share of users for whom the labels from j on are relevant.


def shares(f: Facts) -> list[tuple[int, Fraction]]:
    return [(j, Fraction(q)) for j, q in enumerate(f.measure.q, start=1)]


def probability(f: Facts, label: Any) -> Fraction:
    return sum((q for j, q in shares(f) if j <= label), Fraction(0))


def by_threshold(f: Facts, name: str) -> list[tuple[Fraction, Fraction]]:
    """For each threshold j: q_j times the N_j items of the pool, and the value of a metric."""
    return [(q * number_relevant(f, j), exact(f, name=name, rel=j)) for j, q in shares(f) if q]


def gsp(f: Facts) -> Fraction:
    return exact(f) * sum(probability(f, x) for x in f.pool)


def gsp_is_mixture(f: Facts) -> bool:
    return gsp(f) == sum(q * exact(f, name="SP", rel=j) for j, q in shares(f) if q)


def gsp_up_to_its_labels(f: Facts) -> bool:
    at_most = sum(probability(f, x) for x in shown(f))
    falls = all(
        not (above < j <= below)
        for above, below in combinations(shown(f), 2)
        for j, q in shares(f)
        if q
    )
    return 0 <= gsp(f) <= at_most and (gsp(f) == at_most) == falls


def relevant_is_mixture(f: Facts) -> bool:
    pairs = ((h, i) for i in range(len(shown(f))) for h in range(i + 1))
    above = sum(probability(f, min(f.labels[h], f.labels[i])) / (i + 1) for h, i in pairs)
    return exact(f) * sum(q * number_relevant(f, j) for j, q in shares(f)) == above


def gap_is_mixture(f: Facts) -> bool:
    parts = by_threshold(f, "AP")
    return exact(f) * sum(weight for weight, _ in parts) == sum(w * ap for w, ap in parts)


def gap_of_one(f: Facts) -> bool:
    perfect = all(
        cutoff(f) >= N and all(x >= j for x in f.labels[:N]) and len(f.labels) >= N
        for j, q in shares(f)
        if q and (N := number_relevant(f, j))
    )
    return any(probability(f, x) for x in f.pool) and (exact(f) == 1) == perfect


def harmonic(k: int, power: int = 1) -> Fraction:
    return sum((Fraction(1, i**power) for i in range(1, k + 1)), Fraction(0))


def expected_gsp_all_tied(f: Facts) -> bool:
    n, k = len(f.labels), min(cutoff(f), len(f.labels))
    value = Fraction(0)
    for j, q in shares(f):
        N = sum(x >= j for x in f.labels)
        value += q * N / (n * (n - 1)) * ((N - 1) * k + (n - N) * harmonic(k))
    return len(f.groups) == 1 and gsp(f) == value


# ---- ties ----------------------------------------------------------------------------------


def of_open_orders(f: Facts) -> list[Fraction]:
    """The values of all orders that the ties leave open."""
    flags = f.given.get("unjudged", [0] * len(f.labels))
    items = list(zip(f.labels, flags, strict=True))

    @cache
    def value(order: tuple[Any, ...]) -> Fraction:
        labels, unjudged = ([*part] for part in zip(*order, strict=True))
        taken = {"unjudged": unjudged} if any(flags) else {}
        judged = f.given.get("judged", [x for x, flag in items if not flag])
        return exact(f, labels=labels, scores=None, ties=None, judged=judged, **taken)

    orders = product(*(permutations([items[a] for a in group]) for group in f.groups))
    return [value(tuple(x for part in order for x in part)) for order in orders]


def mean_of_orders(f: Facts) -> bool:
    return exact(f) == mean(of_open_orders(f))


def extreme_of_orders(f: Facts) -> bool:
    values = of_open_orders(f)
    return exact(f) == {"best": max, "worst": min}[f.given["ties"]](values)


# The closed forms where all items are tied, with N of n relevant.


def all_tied(form: Callable[[int, int, int], Fraction]) -> Check:
    """Whether the value is by a form in n, N and k, of one group of all items."""

    def holds(f: Facts) -> bool:
        n, N = len(f.labels), sum(x >= f.measure.rel for x in f.labels)
        k = f.k or n
        return len(f.groups) == 1 and number_relevant(f) == N and exact(f) == form(n, N, k)

    return holds


def rr_all_tied(n: int, N: int, k: int) -> Fraction:
    if k < n - N + 1:
        raise AssertionError("the cut-off is below the last rank that the first can have")
    return Fraction(N, n - N + 1) * (harmonic(n) - harmonic(N - 1))


def rr_of_one(n: int, N: int, k: int) -> Fraction:
    return harmonic(min(k, n)) / n if N == 1 else Fraction(-1)


def sp_all_tied(n: int, N: int, k: int) -> Fraction:
    return Fraction(N, n * (n - 1)) * ((N - 1) * k + (n - N) * harmonic(k))


def sp_above_the_formula(n: int, N: int, k: int) -> Fraction:
    above = Fraction(N * (n - N), n * (n - 1)) * (harmonic(k) - Fraction(k, n))
    return k * Fraction(N, n) ** 2 + above


def expected_items(f: Facts) -> bool:
    """The relevant items up to k that are expected: a share of each group."""
    items, s = Fraction(0), 0
    for group in f.groups:
        m = min(len(group), max(0, cutoff(f) - s))
        items += m * mean(Fraction(int(f.labels[a] >= 1)) for a in group)
        s += len(group)
    return set(f.labels) <= {0, 1} and exact(f) == items


def sp_by_groups(f: Facts) -> bool:
    """The parts of the groups by harmonic numbers, and those of single items by their rank."""
    value, s, c = Fraction(0), 0, 0
    for group in f.groups:
        size, r = len(group), sum(f.labels[a] >= f.measure.rel for a in group)
        m = min(size, max(0, cutoff(f) - s))
        if size == 1:
            value += Fraction(m * r * (c + 1), s + 1)
        else:
            q = Fraction(r - 1, size - 1)
            ranks = harmonic(s + m) - harmonic(s)
            value += Fraction(r, size) * ((c + 1 - (s + 1) * q) * ranks + m * q)
        s, c = s + size, c + r
    return exact(f) == value


def ap_over_its_hits(f: Facts) -> bool:
    """Where the cut-off divides no group, of the items up to it."""
    above = [a for group in f.groups for a in group][: f.k]
    whole = any(len(above) == end for end in accumulate(map(len, f.groups)))
    hits = sum(f.labels[a] >= f.measure.rel for a in above)
    return whole and exact(f) == exact(f, name="SP", norm=None) / hits


def bpref_all_tied(n: int, N: int, _: int) -> Fraction:
    """Of the whole list: the mean preference, over 0 to all others above."""
    D = min(N, n - N)
    preferences = (1 - Fraction(min(b, D), D) for b in range(n - N + 1))
    return sum(preferences, Fraction(0)) / (n - N + 1)


def orders_of_pool(f: Facts) -> list[list[Any]]:
    return [list(order) for order in sorted(set(permutations(f.pool)))]


def of_orders(f: Facts) -> list[Fraction]:
    """The values of the metric itself for all orders of the pool."""
    return [
        exact(f, name=f.of, labels=order, judged=f.pool, scores=None, ties=None)
        for order in orders_of_pool(f)
    ]


def variance_of_orders(f: Facts) -> bool:
    values = of_orders(f)
    return exact(f) == mean((x - mean(values)) ** 2 for x in values)


def variance_of_one_relevant(f: Facts) -> bool:
    n = len(f.pool)
    K = min(cutoff(f), n)
    by_harmonics = harmonic(K, 2) / n - (harmonic(K) / n) ** 2
    return number_relevant(f) == 1 and exact(f) == by_harmonics


def variance_of_total(f: Facts) -> bool:
    total, divisor = {
        "AP": ("SP", number_relevant(f)),
        "R": ("CG", number_relevant(f)),
        "P": ("CG", f.k),
    }[f.of]
    return bool(divisor**2 * exact(f) == exact(f, name=f"variance({total})"))


def variance_up_to_bound(f: Facts) -> bool:
    IUB, RLB, WLB = (pool_bound(f, name) for name in ("IUB", "RLB", "WLB"))
    return exact(f) <= (IUB - RLB) * (RLB - WLB)


def is_z_value(f: Facts, A: Fraction, Var: Fraction) -> bool:
    """Whether the value is that of A; the square, as the root may be irrational."""
    gap = A - pool_bound(f, "RLB")
    same_sign = (f.value > 0) == (gap > 0) and (f.value < 0) == (gap < 0)
    return bool(same_sign and abs(f.value**2 * float(Var) - float(gap**2)) < 1e-12 * float(gap**2))


def z_is_standard(f: Facts) -> bool:
    RLB, Var = pool_bound(f, "RLB"), pool_bound(f, "variance")
    gaps = [x - RLB for x in of_orders(f)]
    standard = mean(gaps) == 0 and mean(gap**2 for gap in gaps) == Var
    return standard and is_z_value(f, exact(f, name=f.of), Var)


def z_is_rare(f: Facts) -> bool:
    RLB, Var = pool_bound(f, "RLB"), pool_bound(f, "variance")
    own, values = exact(f, name=f.of), of_orders(f)
    share = Fraction(sum(x >= own for x in values), len(values))
    c_squared = (own - RLB) ** 2 / Var
    return own > RLB and share <= 1 / (1 + c_squared) and is_z_value(f, own, Var)


# ---- cascade -------------------------------------------------------------------------------


def stop(f: Facts, label: int) -> Fraction:
    if f.measure.stop is not None:
        return Fraction(f.measure.stop[label])
    return Fraction(2**label - 1, 2**f.measure.max)


def going_on(f: Facts, labels: list[int]) -> Fraction:
    """The probability that a user goes on below these items."""
    return prod((1 - stop(f, label) for label in labels), start=Fraction(1))


def halved_but_not_err(f: Facts) -> bool:
    larger = f.measure.max + 1
    alone = [{"labels": [label]} for label in set(f.labels)]
    halved = all(exact(f, **x) == 2 * exact(f, max=larger, **x) for x in alone)
    return halved and exact(f) != 2 * exact(f, max=larger)


def err_by_those_who_go_on(f: Facts) -> bool:
    k = cutoff(f)
    Q = [going_on(f, f.labels[:i]) for i in range(k + 1)]
    falls = sum(((Q[i - 1] - Q[i]) / i for i in range(1, k + 1)), Fraction(0))
    rest = 1 - sum((Q[i] / (i * (i + 1)) for i in range(1, k)), Fraction(0)) - Q[k] / k
    return exact(f) == falls == rest


def err_is_linear_in_each(f: Facts) -> bool:
    """Of a table: in the probability of each label that stands once; not in all together."""
    table = [Fraction(x) for x in f.measure.stop]

    def value(label: int, x: Fraction) -> Fraction:
        return exact(f, stop=[*table[:label], x, *table[label + 1 :]])

    def linear(label: int) -> bool:
        low, high = table[label - 1], [*table, Fraction(1)][label + 1]
        ends = [value(label, low), value(label, high)]
        return value(label, (low + high) / 2) == mean(ends) and ends[0] < ends[1]

    single = [label for label in range(1, len(table)) if f.labels.count(label) == 1]
    together = exact(f, stop=[x / 2 for x in table]) != exact(f) / 2
    return bool(single) and all(map(linear, single)) and together


def err_in_its_range(f: Facts) -> bool:
    rho = max(stop(f, label) for label in shown(f))
    if rho == 1:
        return 0 <= exact(f) <= 1 and (exact(f) == 1) == (stop(f, f.labels[0]) == 1)
    return 0 <= exact(f) < rho / (1 - rho) * Fraction(log(1 / rho))


def err_by_neighbours(f: Facts) -> bool:
    """What the exchange of neighbours raises ERR by, where the lower has the higher label."""
    R = [stop(f, label) for label in shown(f)]
    steps = [i for i in range(1, len(R)) if R[i] > R[i - 1]]
    gains = [exact(f, labels=exchanged(f.labels, i, i + 1)) - exact(f) for i in steps]
    return bool(steps) and gains == [
        going_on(f, f.labels[: i - 1]) * (R[i] - R[i - 1]) / (i * (i + 1)) for i in steps
    ]


def err_by_one_more(f: Facts) -> bool:
    """What each rank adds, up to the end of the list, and a cut-off beyond it."""
    labels = f.labels
    adds = [going_on(f, labels[:i]) * stop(f, label) / (i + 1) for i, label in enumerate(labels)]
    values = [Fraction(0), *(exact(f, k=i) for i in range(1, len(labels) + 2))]
    return [y - x for x, y in pairwise(values)] == [*adds, 0]


def means_by_recurrence(x: list[Fraction]) -> list[Fraction]:
    if not x:
        return [Fraction(1)]
    n, a = len(x), [*means_by_recurrence(x[:-1]), Fraction(0)]
    below = [Fraction(0), *a]
    return [Fraction(n - j, n) * a[j] + Fraction(j, n) * x[-1] * below[j] for j in range(n + 1)]


def means_over_orders(x: list[Fraction]) -> list[Fraction]:
    return [
        mean(prod(order[:j], start=Fraction(1)) for order in permutations(x))
        for j in range(len(x) + 1)
    ]


def means_of_two_numbers(x: list[Fraction]) -> list[Fraction]:
    n, y = len(x), min(x)
    c = x.count(y)
    return [
        sum((y**h * comb(c, h) * comb(n - c, j - h) for h in range(j + 1)), Fraction(0))
        / comb(n, j)
        for j in range(n + 1)
    ]


def expected_err(means: Callable[[list[Fraction]], list[Fraction]]) -> Check:
    """Whether the value is made of such means of products."""

    def holds(f: Facts) -> bool:
        value, s, above = Fraction(0), 0, Fraction(1)
        for group in f.groups:
            x = [1 - stop(f, f.labels[i]) for i in group]
            a, m = means(x), min(len(x), max(0, cutoff(f) - s))
            value += above * sum((a[j - 1] - a[j]) / (s + j) for j in range(1, m + 1))
            s, above = s + len(x), above * prod(x)
        return exact(f) == value

    return holds


def means_fall(f: Facts) -> bool:
    x = [1 - stop(f, label) for label in f.labels]
    a, higher = means_over_orders(x), means_over_orders([*x[1:], Fraction(1)])
    falls = a == sorted(a, reverse=True)
    return falls and all(p <= q for p, q in zip(a, higher, strict=True))


def expected_err_of_two_labels(f: Facts) -> bool:
    n, rho = len(f.labels), max(stop(f, label) for label in f.labels)
    N = sum(stop(f, label) == rho for label in f.labels)

    def P(i: int, h: int) -> Fraction:
        return Fraction(h + 1, i) * Fraction(comb(N, h + 1) * comb(n - N, i - h - 1), comb(n, i))

    terms = (
        rho * (1 - rho) ** h * P(i, h) / i
        for i in range(1, min(cutoff(f), n) + 1)
        for h in range(i)
    )
    others = {stop(f, label) for label in f.labels} - {rho}
    return others == {0} and len(f.groups) == 1 and exact(f) == sum(terms)


def lists_of_pool(f: Facts) -> Iterator[list[Any]]:
    """All lists that show items of the pool, each at most once."""
    for n in range(len(f.pool) + 1):
        yield from (list(order) for order in sorted(set(permutations(f.pool, n))))


def greatest_of_lists(f: Facts) -> bool:
    own = {"judged": f.pool, "scores": None}
    return bool(f.value == max(f.double(name=f.of, labels=r, **own) for r in lists_of_pool(f)))


def up_to_one(f: Facts) -> bool:
    return 0 <= exact(f) <= 1


def nerr_of_one(f: Facts) -> bool:
    """The stop probabilities are those of the ideal order, or the first is sure and so is ours."""
    best = sorted((stop(f, x) for x in f.pool), reverse=True)
    own = [stop(f, x) for x in f.labels]
    k = cutoff(f)
    if best[0] == 1:
        return (exact(f) == 1) == (own[0] == 1)
    ideal, shown = ([*R, *[Fraction(0)] * k][:k] for R in (best, own))
    return best[0] > 0 and (exact(f) == 1) == (ideal == shown)


def persistence(f: Facts) -> Fraction:
    return Fraction(f.measure.p)


def rbp_in_its_range(f: Facts) -> bool:
    R = indicators(f)
    h = sum(R)
    most = 1 - persistence(f) ** h
    return 0 <= exact(f) <= most < 1 and (exact(f) == most) == all(R[:h])


def rbp_by_exchange(f: Facts) -> bool:
    """What moving a relevant item up adds, and making one relevant."""
    R, p = indicators(f), persistence(f)
    weight = [(1 - p) * p**i for i in range(len(R))]
    ranks = range(1, len(R) + 1)
    moves = [(i, j) for i, j in combinations(ranks, 2) if R[i - 1] < R[j - 1]]
    moved = [exact(f, labels=exchanged(f.labels, i, j)) - exact(f) for i, j in moves]
    low = [i for i in ranks if not R[i - 1]]
    raised = [
        exact(f, labels=[*f.labels[: i - 1], f.measure.rel, *f.labels[i:]]) - exact(f) for i in low
    ]
    return (
        bool(moves)
        and moved == [weight[i - 1] - weight[j - 1] for i, j in moves]
        and raised == [weight[i - 1] for i in low]
    )


def rbp_from_the_top(f: Facts) -> bool:
    p = persistence(f)
    return exact(f) == (1 - p) * indicators(f)[0] + p * exact(f, labels=f.labels[1:])


def rbp_beyond_cut_off(f: Facts) -> bool:
    p, whole = persistence(f), exact(f, k=None)
    gaps = [whole - exact(f, k=k) for k in range(1, len(f.labels) + 1)]
    return all(0 <= gap < p**k for k, gap in enumerate(gaps, start=1))


def own_rbp(f: Facts, labels: list[Any], k: int | None = None) -> Fraction:
    return exact(f, name="RBP", labels=labels, unjudged=None, k=k)


def with_unjudged(f: Facts, label: int) -> list[Any]:
    """The first ranks, with one label for all that nobody has judged."""
    flags = f.given["unjudged"][: f.k]
    return [label if flag else x for x, flag in zip(shown(f), flags, strict=True)]


def residual_is_what_is_open(f: Facts) -> bool:
    """All ways to judge what is open, and to go on by three ranks."""
    p, K, low = persistence(f), len(shown(f)), own_rbp(f, with_unjudged(f, 0))
    choices = [
        (0, 1) if flag else (x,)
        for x, flag in zip(shown(f), f.given["unjudged"][: f.k], strict=True)
    ]
    values = [own_rbp(f, [*r]) for r in product(*choices, *3 * [(0, 1)])]
    high = low + exact(f)
    return min(values) == low and max(values) == high - p ** (K + 3)


def residual_in_its_range(f: Facts) -> bool:
    flags, low = f.given["unjudged"], own_rbp(f, with_unjudged(f, 0))
    not_relevant = any(x < 1 and not flag for x, flag in zip(shown(f), flags, strict=False))
    least = persistence(f) ** len(shown(f))
    at_one = low + exact(f) == 1
    return least <= exact(f) <= 1 and low + exact(f) <= 1 and at_one != not_relevant


def residual_by_judgment(f: Facts) -> bool:
    """What judging an unjudged item takes from the residual, and what a result more does."""
    p, flags, n = persistence(f), f.given["unjudged"], len(f.labels)
    judged = [[*flags[:i], 0, *flags[i + 1 :]] for i in range(n)]
    falls = [exact(f) - exact(f, unjudged=x) for x in judged]
    more = [exact(f) - exact(f, labels=[*f.labels, 0], unjudged=[*flags, x]) for x in (0, 1)]
    weight = [(1 - p) * p**i for i in range(n + 1)]
    by_judging = falls == [w if flag else 0 for w, flag in zip(weight, flags, strict=False)]
    return any(flags) and f.k is None and by_judging and more == [weight[n], 0]


def geometric(f: Facts) -> bool:
    """E[RBP] by the sum of a geometric series."""
    p, s, value = persistence(f), 0, Fraction(0)
    for group in f.groups:
        m = min(len(group), max(0, cutoff(f) - s))
        r = sum(f.labels[a] >= f.measure.rel for a in group)
        value += Fraction(r, len(group)) * p**s * (1 - p**m)
        s += len(group)
    return exact(f) == value


# ---- bounds --------------------------------------------------------------------------------


def value_of_list(f: Facts) -> Fraction:
    """The metric itself; of ties left open, its expectation."""
    return exact(f, name=f.of, judged=f.pool)


def U_and_rho(f: Facts) -> tuple[Fraction, Fraction]:
    IUB = pool_bound(f, "IUB")
    return value_of_list(f) / IUB, pool_bound(f, "RLB") / IUB


def closed_form(f: Facts) -> bool:
    """IUB, from the numbers of items."""
    k, m = cutoff(f), f.measure
    if f.of in ("DCG", "LDCG"):
        return bool(f.value == f.double(name=f"I{f.of}", labels=f.pool))
    if f.of in ("nERR", "LNDCG"):
        return exact(f) == 1
    N = number_relevant(f)
    forms: dict[str, Callable[[], Fraction]] = {
        "P": lambda: Fraction(min(k, N), k),
        "R": lambda: Fraction(min(k, N), N),
        "Rprec": lambda: Fraction(min(k, N), N),
        "RR": lambda: Fraction(N > 0),
        "Success": lambda: Fraction(N > 0),
        "SP": lambda: Fraction(min(k, N)),
        "AP": lambda: Fraction(min(k, N), {"R": N, "min": min(k, N), "k": k}[m.norm]),
        "RBP": lambda: 1 - Fraction(m.p) ** min(k, N),
    }
    return exact(f) == forms[f.of]()


def between_worst_and_best(f: Facts) -> bool:
    """A random ranking is between the bounds; if not all are alike, some are worse, some better."""
    values = of_orders(f)
    low, high = min(values), max(values)
    return low == pool_bound(f, "WLB") <= exact(f) <= high == pool_bound(f, "IUB") and (
        low == high or low < exact(f) < high
    )


def least_of_orders(f: Facts) -> bool:
    return exact(f) == min(of_orders(f))


def zero_where_enough_adds_nothing(f: Facts) -> bool:
    nothing = sum(f.double(name=f.of, labels=[x], judged=f.pool, k=1) == 0 for x in f.pool)
    return bool((f.value == 0) == (min(f.k, len(f.pool)) <= nothing))


def by_another_name(f: Facts) -> bool:
    name, given = {
        "DCG": ("nDCG", {}),
        "ERR": ("nERR", {}),
        "SP": ("AP", {"norm": "min"}),
        "LDCG": ("LNDCG", {"ideal": "true"}),
    }[f.of]
    return bool(f.value == f.double(name=name, judged=f.pool, **given))


def over_orders(f: Facts, **changes: Any) -> list[Fraction]:
    """The values of the bound for all orders of the pool."""
    own = {"judged": f.pool, "scores": None, "ties": None, **changes}
    return [exact(f, labels=order, **own) for order in orders_of_pool(f)]


def mean_is_rho(f: Facts) -> bool:
    return mean(over_orders(f)) == pool_bound(f, "RLB") / pool_bound(f, "IUB")


def by_two_numbers(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    forms: dict[str, Callable[[], Fraction]] = {
        "U": lambda: U,
        "UL1": lambda: U**2 / (U + rho),
        "UL2": lambda: (U - rho) / (1 - rho) if rho <= U else U / rho - 1,
        "MinMax": lambda: (U - rho) / (1 - rho),
        "Ratio": lambda: U / rho,
    }
    return exact(f) == forms[str(f.measure.metric.bound)]()


def ul1_below_its_best(f: Facts) -> bool:
    _, rho = U_and_rho(f)
    return 0 <= exact(f) <= 1 / (1 + rho) < 1


def ul1_of_the_best(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    best = 1 / (1 + rho)
    return U == 1 and exact(f) == best >= Fraction(1, 2) and (2 * best == 1) == (rho == 1)


def ul1_of_chance(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    return U == rho > 0 and exact(f) == rho / 2


def ul1_loss(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    return U - exact(f) == U * rho / (U + rho)


def ul1_on_average(f: Facts) -> bool:
    values, rho = over_orders(f), pool_bound(f, "RLB") / pool_bound(f, "IUB")
    return mean(values) >= rho / 2 and (mean(values) == rho / 2) == (len(set(values)) == 1)


def A_RLB_IUB(f: Facts) -> tuple[Fraction, Fraction, Fraction]:
    return value_of_list(f), pool_bound(f, "RLB"), pool_bound(f, "IUB")


def ul2_of_one(f: Facts) -> bool:
    A, RLB, IUB = A_RLB_IUB(f)
    return (exact(f) == 1) == (A == IUB > RLB)


def ul2_of_minus_one(f: Facts) -> bool:
    A, RLB, _ = A_RLB_IUB(f)
    return (exact(f) == -1) == (A == 0 < RLB)


def ul2_of_zero(f: Facts) -> bool:
    A, RLB, IUB = A_RLB_IUB(f)
    return (exact(f) == 0) == (A == RLB or A >= RLB == IUB)


def ul2_slopes(f: Facts) -> bool:
    A, RLB, IUB = A_RLB_IUB(f)
    above, below = 1 / (IUB - RLB), 1 / RLB
    slope = above if A >= RLB else below
    return A != RLB and exact(f) == slope * (A - RLB) and (above == below) == (IUB == 2 * RLB)


def ul2_on_average(f: Facts) -> bool:
    RLB, IUB = pool_bound(f, "RLB"), pool_bound(f, "IUB")
    spread = mean(abs(x - RLB) for x in of_orders(f))
    return mean(over_orders(f)) == spread / 2 * (1 / (IUB - RLB) - 1 / RLB)


def ul2_loss(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    loss = rho * (1 - U) / (1 - rho) if rho <= U else 1 - U * (1 - rho) / rho
    return U - exact(f) == loss


def min_max_in_its_range(f: Facts) -> bool:
    RLB, IUB = pool_bound(f, "RLB"), pool_bound(f, "IUB")
    least = 0 if f.measure.lower == "worst" else -RLB / (IUB - RLB)
    worst = f.labels == sorted(f.pool) and f.measure.lower == "worst"
    return least <= exact(f) <= 1 and (exact(f) == 0 or not worst)


def mu(f: Facts) -> Fraction:
    WLB, RLB, IUB = (pool_bound(f, name) for name in ("WLB", "RLB", "IUB"))
    return (RLB - WLB) / (IUB - WLB)


def min_max_on_average(f: Facts) -> bool:
    """The mean over all orders, and the value where all items are tied."""
    means = [mean(over_orders(f, lower=lower)) for lower in ("random", "worst")]
    tied = "scores" in f.given and len(f.groups) == 1
    return means == [0, mu(f)] and (not tied or exact(f) == means[f.measure.lower == "worst"])


def min_max_of_each_other(f: Facts) -> bool:
    x, y = exact(f, lower="worst"), exact(f, lower="random")
    return mu(f) < 1 and y == (x - mu(f)) / (1 - mu(f))


def min_max_and_ul2(f: Facts) -> bool:
    U, rho = U_and_rho(f)
    ul2 = exact(f, name=f"UL2({f.of})")
    return exact(f) == (ul2 if rho <= U else rho / (1 - rho) * ul2)


def ratio_up_to_its_best(f: Facts) -> bool:
    _, rho = U_and_rho(f)
    return 0 <= exact(f) <= 1 / rho


def ratio_and_ul2(f: Facts) -> bool:
    return 0 <= exact(f) < 1 and exact(f) == exact(f, name=f"UL2({f.of})") + 1


# The formulas of karmaker-2022.


def as_exact_bound(f: Facts) -> bool:
    return bool(f.k <= len(f.pool) and f.value == f.double(bounds="exact"))


def discounts(f: Facts, first: int, last: int) -> Fraction:
    """The sum of the discounts of these ranks."""
    flat = {"gain": "linear", "bounds": None}
    ranks = [1 if i >= first else 0 for i in range(1, last + 1)]
    return exact(f, name="DCG", labels=ranks, k=None, **flat)


def beyond_the_pool(f: Facts) -> bool:
    mean_gain = exact(f, name="CG", labels=f.pool, k=None) / len(f.pool)
    excess = mean_gain * discounts(f, len(f.pool) + 1, f.k)
    return f.k > len(f.pool) and exact(f) - exact(f, bounds="exact") == excess > 0


def perfect_yet_below(f: Facts) -> bool:
    alike = len(set(f.pool)) == 1 and f.labels == f.pool and f.k > len(f.pool)
    share = discounts(f, 1, len(f.pool)) / discounts(f, 1, f.k)
    return alike and exact(f) == share - 1 < 0


def sp_difference(f: Facts) -> bool:
    """What the printed lower bound of SP lacks."""
    n, N, k = len(f.pool), number_relevant(f), f.k
    lacks = Fraction(N * (n - N), n * (n - 1)) * (harmonic(k) - Fraction(k, n))
    return k <= n and exact(f, bounds="exact") - exact(f) == lacks


def sp_sign(f: Facts) -> bool:
    n, N = len(f.pool), number_relevant(f)
    lacks = exact(f, bounds="exact") - exact(f)
    return f.k <= n and (lacks > 0 if 0 < N < n else lacks == 0)


def sp_share(f: Facts) -> bool:
    n, N = len(f.pool), number_relevant(f)

    def share(k: int) -> Fraction:
        return exact(f, k=k) / exact(f, k=k, bounds="exact")

    k, shares = f.k, [share(k) for k in range(1, n + 1)]
    form = Fraction(N * (n - 1), n) * k / ((N - 1) * k + (n - N) * harmonic(k))
    rises = all(x < y < 1 for x, y in pairwise(shares))
    return 0 < N < n and share(k) == form and shares[0] == Fraction(N, n) and rises


def sp_goes_on(f: Facts) -> bool:
    all_relevant = number_relevant(f) == len(f.pool) < f.k
    return all_relevant and exact(f) == f.k and exact(f, bounds="exact") == len(f.pool)


def sp_upper_bound(f: Facts) -> bool:
    return bool((exact(f) == exact(f, bounds="exact")) == (number_relevant(f) >= f.k))


CHECKS: dict[str, Check] = {
    "RS-PREC-2/L1": count_of_items,
    "RS-PREC-3/L2": lambda f: f.k * exact(f, name="P") == number_relevant(f) * exact(f),
    "RS-PREC-5/L1": sp_up_to_its_items,
    "RS-PREC-5/L2": over_pairs,
    "RS-PREC-5/L3": sp_by_one_rank_up,
    "RS-PREC-7/L1": each_norm_up_to_one,
    "RS-PREC-7/L2": ap_of_one,
    "RS-PREC-7/L3": ap_is_rr,
    "RS-PREC-9/L1": gsp_is_mixture,
    "RS-PREC-9/L2": gsp_up_to_its_labels,
    "RS-PREC-10/L1": relevant_is_mixture,
    "RS-PREC-11/L1": gap_is_mixture,
    "RS-PREC-11/L2": relevant_is_mixture,
    "RS-PREC-11/L4": up_to_one,
    "RS-PREC-11/L5": gap_of_one,
    "RS-EXP-28/L3": ap_over_its_hits,
    "RS-PREC-12/L1": up_to_one,
    **dict.fromkeys(("RS-PREC-28/L1", "RS-PREC-29/L1", "RS-PREC-30/L1"), up_to_one),
    "RS-PREC-13/L1": success_by_rr,
    "RS-PREC-15/L4": bpref_at_its_ends,
    "RS-PREC-40/L1": auc_over_pairs,
    "RS-PREC-51/L1": infap_by_ranks,
    "RS-PREC-51/L2": infap_nearly_ap,
    "RS-PREC-40/L2": auc_of_the_reverse,
    "RS-PREC-40/L5": auc_at_its_ends,
    **{f"RS-UTL-{n}/L2": up_to_one for n in (3, 5, 6, 7, 8)},
    **dict.fromkeys(("RS-DCG-9/L2", "RS-DCG-10/L1", "RS-DCG-11/L1"), up_to_one),
    "RS-UTL-9/L1": up_to_one,
    "RS-UTL-10/L2": lambda f: exact(f, k=1) <= exact(f) <= Fraction(f.measure.phi),
    "RS-TIE-2/L2": extreme_of_orders,
    "RS-EXP-4/L2": expected_items,
    "RS-EXP-8/L1": sp_by_groups,
    "RS-EXP-8/L2": sp_by_groups,
    "RS-EXP-5/L2": all_tied(lambda n, N, _: Fraction(N, n)),
    "RS-EXP-6/L2": all_tied(lambda n, _, k: Fraction(min(k, n), n)),
    "RS-EXP-7/L2": all_tied(rr_all_tied),
    "RS-EXP-7/L3": all_tied(rr_of_one),
    "RS-EXP-9/L2": all_tied(sp_all_tied),
    "RS-EXP-9/L3": all_tied(sp_above_the_formula),
    "RS-EXP-10/L2": all_tied(lambda n, N, k: sp_all_tied(n, N, k) / N),
    "RS-EXP-25/L2": all_tied(lambda n, N, k: 1 - Fraction(comb(n - N, k), comb(n, k))),
    "RS-EXP-26/L1": all_tied(bpref_all_tied),
    "RS-EXP-93/L2": all_tied(lambda *_: Fraction(1, 2)),
    "RS-EXP-93/L3": auc_by_scores,
    "RS-EXP-17/L2": expected_gsp_all_tied,
    "RS-EXP-18/L2": gap_is_mixture,
    **{
        f"RS-EXP-{n}/L1": mean_of_orders
        for n in (
            *(4, 5, 6, 7, 9, 10, 14, 15, 16, 17, 18, 24, 25, 27, 28, 30, 31, 32),
            *(56, 57, 58, 60, 61, 63, 64, 80, 81, 82, 90, 91, 92, 93, 95),
        )
    },
    **{f"RS-EXP-{n}/L1": variance_of_orders for n in (19, 21, 22)},
    "RS-EXP-21/L4": variance_of_one_relevant,
    "RS-EXP-22/L2": variance_of_one_relevant,
    "RS-EXP-19/L2": variance_of_total,
    "RS-EXP-19/L3": variance_up_to_bound,
    "RS-EXP-23/L1": z_is_standard,
    "RS-EXP-23/L2": z_is_rare,
    "RS-CAS-1/L2": halved_but_not_err,
    "RS-CAS-2/L1": err_by_those_who_go_on,
    "RS-CAS-2/L2": err_is_linear_in_each,
    "RS-CAS-2/L3": err_in_its_range,
    "RS-CAS-2/L4": err_by_neighbours,
    "RS-CAS-2/L6": err_by_one_more,
    "RS-EXP-13/L1": expected_err(means_by_recurrence),
    "RS-EXP-13/L2": expected_err(means_over_orders),
    "RS-EXP-13/L3": expected_err(means_of_two_numbers),
    "RS-EXP-13/L4": means_fall,
    "RS-EXP-14/L3": expected_err_of_two_labels,
    "RS-CAS-3/L1": greatest_of_lists,
    "RS-CAS-4/L1": up_to_one,
    "RS-CAS-4/L2": nerr_of_one,
    "RS-EXP-15/L2": up_to_one,
    "RS-CAS-5/L1": rbp_in_its_range,
    "RS-CAS-5/L3": rbp_by_exchange,
    "RS-CAS-5/L4": rbp_from_the_top,
    "RS-CAS-5/L5": rbp_beyond_cut_off,
    "RS-CAS-6/L1": residual_is_what_is_open,
    "RS-CAS-6/L2": residual_in_its_range,
    "RS-CAS-6/L3": residual_by_judgment,
    "RS-EXP-16/L2": geometric,
    "RS-EXP-16/L3": geometric,
    "RS-BND-1/L1": greatest_of_lists,
    "RS-BND-1/L2": closed_form,
    "RS-BND-2/L2": between_worst_and_best,
    "RS-BND-2/L3": lambda f: (f.value > 0) == (f.of_pool("IUB").value > 0),
    "RS-BND-3/L1": least_of_orders,
    "RS-BND-3/L2": zero_where_enough_adds_nothing,
    "RS-BND-4/L1": lambda f: up_to_one(f) and (exact(f) == 1) == (U_and_rho(f)[0] == 1),
    "RS-BND-4/L2": by_another_name,
    "RS-BND-4/L3": mean_is_rho,
    "RS-BND-4/L5": by_two_numbers,
    "RS-BND-5/L1": ul1_below_its_best,
    "RS-BND-5/L2": ul1_of_the_best,
    "RS-BND-5/L3": ul1_of_chance,
    "RS-BND-5/L7": ul1_loss,
    "RS-BND-5/L8": ul1_on_average,
    "RS-BND-6/L1": lambda f: -1 <= exact(f) <= 1,
    "RS-BND-6/L2": ul2_of_one,
    "RS-BND-6/L3": ul2_of_minus_one,
    "RS-BND-6/L4": ul2_of_zero,
    "RS-BND-6/L7": ul2_slopes,
    "RS-BND-6/L8": ul2_on_average,
    "RS-BND-6/L10": ul2_loss,
    "RS-BND-7/L1": min_max_in_its_range,
    "RS-BND-7/L2": min_max_on_average,
    "RS-BND-7/L3": min_max_of_each_other,
    "RS-BND-7/L4": min_max_and_ul2,
    "RS-BND-8/L1": lambda f: mean(over_orders(f)) == 1,
    "RS-BND-8/L2": ratio_up_to_its_best,
    "RS-BND-8/L3": ratio_and_ul2,
    "RS-BND-9/L1": as_exact_bound,
    "RS-BND-9/L2": beyond_the_pool,
    "RS-BND-9/L3": perfect_yet_below,
    "RS-BND-10/L1": sp_difference,
    "RS-BND-10/L2": sp_sign,
    "RS-BND-10/L3": sp_share,
    "RS-BND-10/L5": sp_goes_on,
    "RS-BND-10/L6": sp_upper_bound,
    **OF_SESSIONS,
}
