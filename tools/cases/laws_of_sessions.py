"""What laws say of a session's value, by other values of the same session: a check for each law.

Nearly all are of sessions whose discounts are rational ("zipf", "none"), and so exact. What is
ordered by a base that is a logarithm's is compared in certified doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, permutations, product
from typing import Any

from .facts import Facts

Check = Callable[[Facts], Any]
PLAIN = {"discount": "none", "query_discount": "none"}
EVERY: dict[str, Any] = {"repeats": "every", "ids": None}
IDEALS = ("spread", "greatest", "repeated")
PADDINGS = (0, 1, 2, "X")
BASES = ("jarvelin-2008(b=2)", "jarvelin-2008(b=4)", "jarvelin-2008(b=10)")


def exact(f: Facts, **changes: Any) -> Fraction:
    """The exact value, which must be known to be rational, some of what is given changed."""
    value = f.certified(**changes).exact
    if value is None:
        raise AssertionError(f"{f.case.number}: {changes}: the value is not known to be rational")
    return value


def vector(f: Facts, name: str = "sDCG_vector", **changes: Any) -> list[Fraction]:
    """The exact components of a vector."""
    found = [proof.exact for proof in f.components(name=name, **changes)]
    known = [x for x in found if x is not None]
    if len(known) < len(found):
        raise AssertionError(f"{f.case.number}: {name}: a component is not known to be rational")
    return known


def dcg(f: Facts, labels: list[Any], k: int, name: str = "DCG") -> Fraction:
    """DCG@k of a list with the gain and the discount of the session, or IDCG@k of a pool."""
    own = {"ids": None, "judged": None, "discount": f.given.get("discount", "jarvelin-2008(b=2)")}
    return exact(f, name=name, labels=labels, k=k, **own) if k else Fraction(0)


def of_query(f: Facts, q: int) -> Fraction:
    """D(q), q from 1, which must be rational."""
    empty: list[Any] = [[] for _ in range(q - 1)]
    own = {**EVERY, "discount": "none", "gain": "linear", "k": 1}
    return exact(f, name="sDCG", labels=[*empty, [1]], judged=None, **own)


def of_rank(f: Facts, i: int) -> Fraction:
    """d(i), which must be rational."""
    return dcg(f, [0] * (i - 1) + [1], i) / gain(f, 1)


def gain(f: Facts, label: Any) -> Fraction:
    return exact(f, name="CG", labels=[label], ids=None, judged=None, k=1)


def sdcg(f: Facts, **changes: Any) -> Fraction:
    return exact(f, name="sDCG", judged=None, **changes)


def lengths(f: Facts, padding: Any = None) -> list[int]:
    """L_q of each query."""
    c = f.measure.padding if padding is None else padding
    return [min(f.k, max(len(ranked), f.k if c == "X" else c)) for ranked in f.labels]


def split(x: list[Any], sizes: list[int]) -> list[list[Any]]:
    """The parts of a list that have these sizes."""
    ends = [0, *accumulate(sizes)]
    return [x[a:b] for a, b in pairwise(ends)]


def changed_by(f: Facts, at: int, ranked: list[Any]) -> dict[str, Any]:
    """A query more, before the others or behind them, with documents of its own."""
    labels = [*f.labels[:at], ranked, *f.labels[at:]]
    if "ids" not in f.given:
        return {"labels": labels}
    new = [f"new {i}" for i in range(len(ranked))]
    return {"labels": labels, "ids": [*f.given["ids"][:at], new, *f.given["ids"][at:]]}


# ---- documents that come again -------------------------------------------------------------


def looked_at(f: Facts) -> list[tuple[Any, Any]]:
    """Each document, as often as it is looked at, with its label."""
    pairs = zip(f.labels, f.given["ids"], strict=True)
    return [x for ranked, ids in pairs for x in list(zip(ids, ranked, strict=True))[: f.k]]


def in_all(f: Facts, delta: Fraction) -> Fraction:
    """What all documents gain, without discounts: each γ (1 + δ + … + δ^(N - 1))."""
    seen = looked_at(f)
    return sum(
        (
            gain(f, label) * sum((delta**t for t in range(seen.count((x, label)))), Fraction(0))
            for x, label in dict.fromkeys(seen)
        ),
        Fraction(0),
    )


def counted(f: Facts) -> bool:
    half = in_all(f, Fraction(1, 2))
    return len(set(looked_at(f))) < len(looked_at(f)) and half == sdcg(f, repeats=0.5, **PLAIN)


def names_free(f: Facts) -> bool:
    new = [[f"x{sum(map(ord, x))}" for x in ids] for ids in f.given["ids"]]
    one = [["x"] * len(ids) for ids in f.given["ids"]]
    return exact(f) == exact(f, ids=new) != sdcg(f, ids=one, labels=_alike(f))


def _alike(f: Facts) -> list[list[Any]]:
    return [[1] * len(ranked) for ranked in f.labels]


def earlier_queries_as_they_are(f: Facts) -> bool:
    more = changed_by(f, len(f.labels), [1, 1])
    ids = [*f.given["ids"], list(f.given["ids"][0][:2])]
    labels = [*f.labels, list(f.labels[0][:2])]
    ours = vector(f, padding=0)
    return all(
        vector(f, padding=0, labels=new, ids=of)[: len(ours)] == ours
        for new, of in ((more["labels"], more["ids"]), (labels, ids))
    )


def every_needs_no_ids(f: Facts) -> bool:
    return sdcg(f, repeats=1) == sdcg(f, repeats="every", ids=None)


def first_is_each_once(f: Facts) -> bool:
    return sdcg(f, repeats="first", **PLAIN) == in_all(f, Fraction(0))


def in_all_by_delta(f: Facts) -> bool:
    delta = Fraction(f.measure.repeats)
    return 0 < delta < 1 and sdcg(f, **PLAIN) == in_all(f, delta)


def rises_with_delta(f: Facts) -> bool:
    values = [sdcg(f, repeats=x) for x in (0, 0.25, 0.5, 1)]
    return all(x < y for x, y in pairwise(values))


def convex_in_delta(f: Facts) -> bool:
    first, quarter, half, every = (sdcg(f, repeats=x) for x in (0, 0.25, 0.5, 1))
    return quarter < (3 * first + every) / 4 and half < (first + every) / 2


# ---- queries and vectors -------------------------------------------------------------------


def by_query(f: Facts) -> list[list[Fraction]]:
    sizes = [min(f.k, len(ranked)) for ranked in f.labels]
    return split(vector(f, "query_sDCG_vectors", **EVERY), sizes)


def dcg_times_discount(f: Facts) -> bool:
    return all(
        [of_query(f, q) * dcg(f, ranked, i) for i in range(1, len(found) + 1)] == found
        for q, (ranked, found) in enumerate(zip(f.labels, by_query(f), strict=True), start=1)
    )


def first_query_is_dcg(f: Facts) -> bool:
    found = by_query(f)[0]
    return found == [dcg(f, f.labels[0], i) for i in range(1, len(found) + 1)]


def rises_with_base(f: Facts) -> bool:
    values = [f.double(query_discount=x) for x in (*BASES, "none")]
    return all(x < y for x, y in pairwise(values))


def ndcg_of_each_query(f: Facts) -> bool:
    return all(
        x / (of_query(f, q) * dcg(f, f.pool, i, "IDCG")) == _ndcg(f, ranked, i)
        for q, (ranked, found) in enumerate(zip(f.labels, by_query(f), strict=True), start=1)
        for i, x in enumerate(found, start=1)
    )


def _ndcg(f: Facts, ranked: list[Any], k: int) -> Fraction:
    own = {"ids": None, "discount": f.measure.discount}
    return exact(f, name="nDCG", labels=ranked, judged=f.pool, k=k, ideal=None, **own)


def ranks(f: Facts, padding: Any, **changes: Any) -> int:
    return len(f.components(name="sDCG_vector", padding=padding, **changes))


def ranks_in_range(f: Facts) -> bool:
    shown = sum(min(f.k, len(ranked)) for ranked in f.labels)
    counts = [ranks(f, c) for c in PADDINGS]
    most = len(f.labels) * f.k
    return all(shown <= x <= most for x in counts) and counts[0] == shown < most == counts[-1]


def ranks_rise(f: Facts) -> bool:
    by_padding = [ranks(f, c) for c in PADDINGS]
    by_x = [ranks(f, 2, k=k) for k in range(1, f.k + 2)]
    longer = [ranks(f, 2), ranks(f, 2, labels=[*f.labels[:-1], [*f.labels[-1], 0, 0]], ids=None)]
    return all(x == sorted(x) for x in (by_padding, by_x, longer)) and len(set(by_padding)) > 1


def steps(f: Facts) -> bool:
    found = split(vector(f, **EVERY), lengths(f))
    before = Fraction(0)
    for q, (part, ranked) in enumerate(zip(found, f.labels, strict=True), start=1):
        for i, x in enumerate(part, start=1):
            gained = gain(f, ranked[i - 1]) if i <= len(ranked) else 0
            if x - before != of_query(f, q) * of_rank(f, i) * gained:
                return False
            before = x
    return any(len(part) > len(ranked) for part, ranked in zip(found, f.labels, strict=True))


def ends_of_queries(f: Facts) -> bool:
    parts = split(vector(f, **EVERY, padding="X"), lengths(f, "X"))
    own = list(accumulate(x[-1] if x else Fraction(0) for x in by_query(f)))
    return [part[-1] for part in parts] == own


def padded_ranks_left_out(f: Facts) -> bool:
    sizes = [min(f.k, len(ranked)) for ranked in f.labels]
    kept = [
        x
        for part, n in zip(split(vector(f, padding="X"), lengths(f, "X")), sizes, strict=True)
        for x in part[:n]
    ]
    return kept == vector(f, padding=0) != vector(f, padding="X")


def prefix(f: Facts) -> bool:
    whole = vector(f)
    ids = f.given.get("ids")
    return all(
        vector(f, labels=f.labels[:q], ids=ids and ids[:q]) == whole[: sum(lengths(f)[:q])]
        for q in range(1, len(f.labels))
    )


def last_component(f: Facts) -> bool:
    return all(vector(f, padding=c)[-1] == sdcg(f) for c in PADDINGS)


def exchange(f: Facts) -> bool:
    whole, m = sdcg(f, **EVERY), len(f.labels)
    for p, q in combinations(range(m), 2):
        labels = list(f.labels)
        labels[p], labels[q] = labels[q], labels[p]
        less = of_query(f, p + 1) - of_query(f, q + 1)
        more = dcg(f, f.labels[q], f.k) - dcg(f, f.labels[p], f.k)
        if sdcg(f, **EVERY, labels=labels) - whole != less * more:
            return False
    return True


def one_after_the_other(f: Facts) -> bool:
    parts = [[f.labels[:q], f.labels[q:]] for q in range(1, len(f.labels))]
    plain = {**EVERY, "query_discount": "none"}
    return all(
        sdcg(f, **EVERY) < sum(sdcg(f, **EVERY, labels=x) for x in two)
        and sdcg(f, **plain) == sum(sdcg(f, **plain, labels=x) for x in two)
        for two in parts
        if any(map(any, two[1]))
    )


def nothing_gained(f: Facts) -> bool:
    last = [sdcg(f, **changed_by(f, len(f.labels), x)) for x in ([], [0, 0])]
    first = [sdcg(f, **changed_by(f, 0, x)) for x in ([], [0, 0])]
    return all(x == sdcg(f) for x in last) and all(x < sdcg(f) for x in first)


def linear_in_gains(f: Facts) -> bool:
    return _linear(f, "sDCG")


def _linear(f: Facts, name: str) -> bool:
    """With 2 g + 3 g' the value is twice that with g and three times that with g'."""
    g, other, both = [0, 1, 2, 3], [0, 2, 3, 7], [0, 8, 13, 27]
    x, y, z = (exact(f, name=name, gain=table) for table in (g, other, both))
    return z == 2 * x + 3 * y and x != y


def linear_in_all(f: Facts) -> bool:
    m, weights = max(len(f.labels), f.k), ("discount", "query_discount")
    d, e, both = [1] * m, [0.5**i for i in range(m)], [1 + 0.5**i for i in range(m)]
    return linear_in_gains(f) and all(
        sdcg(f, **{n: both}) == sdcg(f, **{n: d}) + sdcg(f, **{n: e}) for n in weights
    )


def rises_with_cut_off(f: Facts) -> bool:
    values = [sdcg(f, **EVERY, k=k) for k in range(1, f.k + 1)]
    return values == sorted(values) and values[0] < values[-1]


# ---- ideal sessions ------------------------------------------------------------------------


def isdcg(f: Facts, ideal: str | None = None, **changes: Any) -> Fraction:
    own = {"ideal": ideal or f.measure.ideal, "judged": f.pool, **changes}
    return exact(f, name="IsDCG", repeats=None, **own)


def idcg_of_each(f: Facts) -> bool:
    of_each = [
        of_query(f, q) * dcg(f, f.pool, L, "IDCG") for q, L in enumerate(lengths(f), start=1)
    ]
    return isdcg(f, "repeated") == sum(of_each)


def arrangements(f: Facts, once: bool) -> Iterator[list[list[Any]]]:
    """Sessions of items of the pool with these L_q; each item once in all, or once in a list."""
    sizes = lengths(f)
    items = [*f.pool, *[0] * sum(sizes)]  # an item of label 0 is as none
    if once:
        for order in set(permutations(items[: max(sum(sizes), len(f.pool))], sum(sizes))):
            yield split(list(order), sizes)
    else:
        each = [set(permutations(items[: max(L, len(f.pool))], L)) for L in sizes]
        yield from ([list(ranked) for ranked in choice] for choice in product(*each))


def greatest_of(f: Facts, once: bool) -> Fraction:
    return max(sdcg(f, **EVERY, labels=x) for x in arrangements(f, once))


def none_above_repeated(f: Facts) -> bool:
    return greatest_of(f, once=False) == isdcg(f, "repeated")


def none_above_greatest(f: Facts) -> bool:
    return greatest_of(f, once=True) == isdcg(f, "greatest") > isdcg(f, "spread")


def spread_is_greatest(f: Facts) -> bool:
    sizes = lengths(f)
    falls = all(
        of_query(f, q) * of_rank(f, sizes[q - 1]) >= of_query(f, q + 1) * of_rank(f, 1)
        for q in range(1, len(sizes))
    )
    return falls and greatest_of(f, once=True) == isdcg(f, "spread")


def shown_by(f: Facts, ideal: str, **changes: Any) -> list[list[Fraction]]:
    """The gains of the ideal session, at all of its places."""
    found = vector(f, "IsDCG_vector", ideal=ideal, repeats=None, **changes)
    parts = split([y - x for x, y in pairwise([Fraction(0), *found])], lengths(f))
    return [
        [x / (of_query(f, q) * of_rank(f, i)) for i, x in enumerate(part, start=1)]
        for q, part in enumerate(parts, start=1)
    ]


def falling(f: Facts) -> list[Fraction]:
    return [gain(f, label) for label in sorted(f.pool, reverse=True)]


def spread_shows_each_once(f: Facts) -> bool:
    shown = [x for part in shown_by(f, "spread") for x in part]
    L = min(len(shown), len(f.pool))
    return shown == [*falling(f)[:L], *[0] * (len(shown) - L)] and len(f.pool) < len(shown)


def greatest_in_order(f: Facts) -> bool:
    shown = shown_by(f, "greatest")
    columns = [[part[i] for part in shown if i < len(part)] for i in range(f.k)]
    ordered = all(x == sorted(x, reverse=True) for x in (*shown, *columns))
    return ordered and shown != shown_by(f, "spread")


def best_items_stay(f: Facts) -> bool:
    best = sorted(f.pool, reverse=True)
    whole = shown_by(f, "greatest")
    for j in range(1, len(best)):
        part = shown_by(f, "greatest", judged=best[:j])
        pairs = [
            (x, y) for a, b in zip(part, whole, strict=True) for x, y in zip(a, b, strict=True)
        ]
        if any(x not in (0, y) for x, y in pairs) or sum(x > 0 for x, _ in pairs) != j:
            return False
    return bool(best[-1] > 0)


def order_of_ideals(f: Facts) -> bool:
    spread, greatest, repeated = (isdcg(f, x) for x in IDEALS)
    return 0 < spread < greatest < repeated


def one_query_one_ideal(f: Facts) -> bool:
    same = {isdcg(f, x) for x in IDEALS}
    return len(f.labels) == 1 and same == {of_query(f, 1) * dcg(f, f.pool, lengths(f)[0], "IDCG")}


def more_in_the_pool(f: Facts) -> bool:
    more, raised = [*f.pool, max(f.pool)], [x + 1 for x in f.pool]
    return all(isdcg(f, x) < isdcg(f, x, judged=y) for x in IDEALS for y in (more, raised))


def more_ranks(f: Facts) -> bool:
    return all(
        x <= y
        for ideal in ("repeated", "greatest")
        for x, y in pairwise(isdcg(f, ideal, padding=c) for c in PADDINGS)
    )


def a_query_more(f: Facts) -> bool:
    more = [changed_by(f, len(f.labels), x) for x in ([], [0])]
    labels = [{"labels": x["labels"], "ids": None} for x in more]
    return all(isdcg(f, x, **y) >= isdcg(f, x) for x in IDEALS for y in labels) and all(
        isdcg(f, x, padding=0, **labels[0]) == isdcg(f, x, padding=0) for x in IDEALS
    )


# ---- normalised ----------------------------------------------------------------------------


def nsdcg(f: Facts, **changes: Any) -> Fraction:
    return exact(f, name="nsDCG", **{"judged": f.pool, **changes})


def weighted_mean(f: Facts) -> bool:
    D = [of_query(f, q) for q in range(1, len(f.labels) + 1)]
    each = [_ndcg(f, ranked, f.k) for ranked in f.labels]
    taken = {**EVERY, "padding": "X", "ideal": "repeated"}
    value = nsdcg(f, **taken)
    of_each = sum(x * y for x, y in zip(D, each, strict=True)) / sum(D)
    alone = nsdcg(f, **taken, query_discount="none")
    return value == of_each and alone == sum(each) / len(each) and min(each) < value < max(each)


def one_query_is_ndcg(f: Facts) -> bool:
    of_all = {nsdcg(f, ideal=x, padding="X", **EVERY) for x in IDEALS}
    short = dcg(f, f.labels[0], f.k) / dcg(f, f.pool, lengths(f, 0)[0], "IDCG")
    return of_all == {_ndcg(f, f.labels[0], f.k)} and nsdcg(f, padding=0, **EVERY) == short


def query_without_results(f: Facts) -> bool:
    m = len(f.labels)
    D = [of_query(f, q) for q in range(1, m + 2)]
    more = changed_by(f, m, [])
    taken = {"ideal": "repeated", "padding": "X"}
    share = nsdcg(f, **taken, **more) / nsdcg(f, **taken)
    same = all(nsdcg(f, ideal=x, padding=0, **more) == nsdcg(f, ideal=x, padding=0) for x in IDEALS)
    return share == sum(D[:m]) / sum(D) and same


def scale_free(f: Facts) -> bool:
    m = max(len(f.labels), f.k, *map(len, f.labels))
    table, double = [0, 1, 2, 3, 4], [0, 2, 4, 6, 8]
    weights, halves = [0.5**i for i in range(m)], [0.5 ** (i + 1) for i in range(m)]
    pairs = (("gain", table, double), ("discount", weights, halves),
             ("query_discount", weights, halves))  # fmt: skip
    return all(
        nsdcg(f, ideal=x, **{n: one}) == nsdcg(f, ideal=x, **{n: other})
        for x in IDEALS
        for n, one, other in pairs
    )


def order_of_normalised(f: Facts) -> bool:
    spread, greatest, repeated = (nsdcg(f, ideal=x) for x in IDEALS)
    return repeated < greatest < spread


def one_scenario(f: Facts) -> bool:
    """With the lists in another order, the same order by both."""
    orders = [list(x) for x in permutations(f.labels)]
    sizes = [list(map(len, x)) for x in orders]
    same = [x for x, n in zip(orders, sizes, strict=True) if n == sizes[0] or f.measure.padding]
    pairs = sorted((sdcg(f, **EVERY, labels=x), nsdcg(f, **EVERY, labels=x)) for x in same)
    return [y for _, y in pairs] == sorted(y for _, y in pairs) and pairs[0] != pairs[-1]


def one_if_each_is(f: Facts) -> bool:
    best = sorted(f.pool, reverse=True)[: f.k]
    taken = {**EVERY, "ideal": "repeated", "padding": "X", "k": f.k}
    whole = [best for _ in f.labels]
    spoiled = [[*whole[:q], best[::-1], *whole[q + 1 :]] for q in range(len(whole))]
    return nsdcg(f, **taken, labels=whole) == 1 and all(
        nsdcg(f, **taken, labels=x) < 1 for x in spoiled
    )


def base_moves_to_later(f: Facts) -> bool:
    """nsDCG rises with the base where nDCG rises from query to query, and falls where it falls."""
    each = [_ndcg_double(f, ranked) for ranked in f.labels]
    rising = sorted(range(len(each)), key=each.__getitem__)
    up = [f.labels[q] for q in rising]
    taken = {"ids": None, "padding": "X", "ideal": "repeated"}
    by_base = [[f.double(query_discount=b, labels=x, **taken) for b in BASES]
               for x in (up, up[::-1])]  # fmt: skip
    return (
        by_base[0] == sorted(by_base[0])
        and by_base[1] == sorted(by_base[1], reverse=True)
        and by_base[0][0] < by_base[0][-1]
    )


def _ndcg_double(f: Facts, ranked: list[Any]) -> float:
    own = {"ids": None, "judged": f.pool, "discount": f.measure.discount, "ideal": None}
    return float(f.double(name="nDCG", labels=ranked, **own))


# ---- one number, averages ------------------------------------------------------------------


def mean_of_gains(f: Facts) -> bool:
    return exact(f, name="sDCG_q") == exact(f, name="query_sDCG", over="mean")


def query_more_of_q(f: Facts) -> bool:
    m = len(f.labels)
    more = exact(f, name="sDCG_q", **changed_by(f, m, []))
    return more == Fraction(m, m + 1) * exact(f, name="sDCG_q")


def order_of_q(f: Facts) -> bool:
    found = [
        (sdcg(f, **EVERY, labels=list(x)), exact(f, name="sDCG_q", **EVERY, labels=list(x)))
        for x in permutations(f.labels)
    ]
    return [y for _, y in sorted(found)] == sorted(y for _, y in found)


def average_by_steps(f: Facts) -> bool:
    V = vector(f)
    L = len(V)
    each = (Fraction(L - p, L) * (y - x) for p, (x, y) in enumerate(pairwise([Fraction(0), *V])))
    return exact(f, name="avg_sDCG") == sum(each, Fraction(0))


def average_in_range(f: Facts) -> bool:
    return vector(f)[0] < exact(f, name="avg_sDCG") < sdcg(f)


def average_with_a_query_more(f: Facts) -> bool:
    more = changed_by(f, len(f.labels), [])
    return exact(f, name="avg_sDCG", **more) > exact(f, name="avg_sDCG")


def average_linear(f: Facts) -> bool:
    return _linear(f, "avg_sDCG")


def average_normalised_in_range(f: Facts) -> bool:
    own = {"ideal": "repeated", "judged": f.pool}
    ideal = sorted(f.pool, reverse=True)[: f.k]
    best = exact(f, name="avg_nsDCG", labels=[ideal for _ in f.labels], **EVERY, **own)
    return 0 < exact(f, name="avg_nsDCG", **own) < best == 1


def over(f: Facts, name: str, **changes: Any) -> dict[str, Fraction]:
    words = ("mean", "sum", "best", "worst", "first", "last", "non-last")
    return {x: exact(f, name=name, over=x, **changes) for x in words}


def sum_of_queries(f: Facts) -> bool:
    return over(f, "query_sDCG")["sum"] == sdcg(f)


def queries_in_range(f: Facts) -> bool:
    most = [of_query(f, q) * dcg(f, f.pool, f.k, "IDCG") for q in range(1, len(f.labels) + 1)]
    found = [part[-1] if part else 0 for part in by_query(f)]
    return all(0 <= x <= y for x, y in zip(found, most, strict=True)) and found != most


def queries_by_delta(f: Facts) -> bool:
    each = [
        [exact(f, name="query_sDCG", over=x, repeats=y) for y in (0, 0.5, 1)]
        for x in ("worst", "best", "last", "non-last")
    ]
    first = {exact(f, name="query_sDCG", over="first", repeats=y) for y in (0, 0.5, 1)}
    twice = len(set(f.given["ids"][0][: f.k])) < len(f.given["ids"][0][: f.k])
    return all(x == sorted(x) for x in each) and (len(first) > 1) == twice


def query_ndcg(f: Facts, **changes: Any) -> Fraction:
    return exact(f, name="query_nDCG", judged=f.pool, **changes)


def ndcg_by_query(f: Facts) -> bool:
    one = [query_ndcg(f, **EVERY, padding="X", labels=[x], over="first") for x in f.labels]
    return one == [_ndcg(f, x, f.k) for x in f.labels] and len(set(one)) > 1


def query_ndcg_in_range(f: Facts) -> bool:
    return 0 <= query_ndcg(f, over="worst") <= query_ndcg(f, over="best") <= 1


def query_ndcg_by_padding(f: Facts) -> bool:
    values = [query_ndcg(f, over="sum", padding=c) for c in PADDINGS]
    return values == sorted(values, reverse=True) and values[0] > values[-1]


def query_ndcg_times_ideal(f: Facts) -> bool:
    sizes = lengths(f)
    return all(
        query_ndcg(f, **EVERY, labels=[x], over="last") * D * dcg(f, f.pool, L, "IDCG")
        == (part[-1] if part else 0)
        for x, D, L, part in zip(
            f.labels, [of_query(f, q) for q in range(1, len(sizes) + 1)], sizes, by_query(f),
            strict=True,
        )
    )  # fmt: skip


def by_one_number(f: Facts) -> bool:
    found = over(f, "query_sDCG")
    return found["sum"] == sdcg(f) and found["mean"] == exact(f, name="sDCG_q")


def mean_of_ndcg(f: Facts) -> bool:
    own = {"ideal": "repeated", "query_discount": "none", "padding": "X"}
    return query_ndcg(f, over="mean", padding="X") == nsdcg(f, **own)


def numbers_in_order(f: Facts) -> bool:
    found = over(f, "query_sDCG")
    between = (found[x] for x in ("first", "last", "mean"))
    return all(found["worst"] <= x <= found["best"] for x in between)


def parts_of_mean(f: Facts) -> bool:
    m, found = len(f.labels), over(f, "query_sDCG")
    return m * found["mean"] == (m - 1) * found["non-last"] + found["last"]


def numbers_of_one_query(f: Facts) -> bool:
    ids = f.given.get("ids")
    found = over(f, "query_sDCG", labels=f.labels[:1], ids=ids and ids[:1])
    return found.pop("non-last") == 0 and len(set(found.values())) == 1


# ---- normalised vectors --------------------------------------------------------------------


def last_is_nsdcg(f: Facts) -> bool:
    return all(
        vector(f, "nsDCG_vector", ideal=x, judged=f.pool)[-1] == nsdcg(f, ideal=x) for x in IDEALS
    )


def vector_in_range(f: Facts) -> bool:
    found = vector(f, "nsDCG_vector", ideal="repeated", judged=f.pool)
    return 0 <= min(found) < max(found) <= 1


def vector_scale_free(f: Facts) -> bool:
    one, two = ([x * y for y in (0, 1, 2, 3, 4)] for x in (1, 2))
    found = [vector(f, "nsDCG_vector", gain=x, judged=f.pool) for x in (one, two)]
    ideal = sorted(f.pool, reverse=True)[: f.k]
    own = {**EVERY, "labels": [ideal for _ in f.labels], "judged": f.pool, "ideal": "repeated"}
    return found[0] == found[1] and set(vector(f, "nsDCG_vector", **own)) == {1}


def held_by_queries_without_results(f: Facts) -> bool:
    V = vector(f, padding="X")
    labels = [*f.labels, [], []]
    more = vector(f, padding="X", labels=labels, ids=None, repeats=None)
    return more == [*V, *[V[-1]] * (2 * f.k)]


# ---- nDCG of means -------------------------------------------------------------------------


def of_means_padded(f: Facts) -> bool:
    own = {"padding": "X", "over": "sum"}
    return query_ndcg(f, dcg="mean", **own) == query_ndcg(f, dcg="sum", **own)


def of_means_by_factor(f: Facts) -> bool:
    def sum_of(n: int) -> Fraction:
        return sum((of_rank(f, i) for i in range(1, n + 1)), Fraction(0))

    differ = False
    for ranked in (x for x in f.labels if x):
        own = {**EVERY, "padding": 0, "labels": [ranked], "over": "first"}
        L, ideal = min(f.k, len(ranked)), min(f.k, len(f.pool))
        factor = sum_of(ideal) * dcg(f, f.pool, L, "IDCG")
        factor /= sum_of(L) * dcg(f, f.pool, f.k, "IDCG")
        if query_ndcg(f, dcg="mean", **own) != query_ndcg(f, dcg="sum", **own) * factor:
            return False
        differ |= factor > 1
    return differ


CHECKS: dict[str, Check] = {
    "RS-SES-1/L1": counted,
    "RS-SES-1/L2": names_free,
    "RS-SES-1/L3": earlier_queries_as_they_are,
    "RS-SES-2/L1": every_needs_no_ids,
    "RS-SES-2/L2": first_is_each_once,
    "RS-SES-2/L3": in_all_by_delta,
    "RS-SES-2/L4": rises_with_delta,
    "RS-SES-3/L1": dcg_times_discount,
    "RS-SES-3/L2": first_query_is_dcg,
    "RS-SES-3/L3": rises_with_base,
    "RS-SES-3/L4": ndcg_of_each_query,
    "RS-SES-4/L1": ranks_in_range,
    "RS-SES-4/L2": ranks_in_range,
    "RS-SES-4/L3": ranks_rise,
    "RS-SES-5/L1": steps,
    "RS-SES-5/L2": ends_of_queries,
    "RS-SES-5/L3": padded_ranks_left_out,
    "RS-SES-5/L4": prefix,
    "RS-SES-6/L1": last_component,
    "RS-SES-6(b)": last_component,
    "RS-SES-6/L3": rises_with_base,
    "RS-SES-6/L4": exchange,
    "RS-SES-6/L5": one_after_the_other,
    "RS-SES-6/L6": nothing_gained,
    "RS-SES-6/L7": linear_in_all,
    "RS-SES-6/L8": convex_in_delta,
    "RS-SES-7/L1": idcg_of_each,
    "RS-SES-7/L2": none_above_repeated,
    "RS-SES-8/L1": spread_shows_each_once,
    "RS-SES-8/L3": spread_is_greatest,
    "RS-SES-9/L1": none_above_greatest,
    "RS-SES-9/L2": none_above_greatest,
    "RS-SES-9/L3": greatest_in_order,
    "RS-SES-9/L4": best_items_stay,
    "RS-SES-10/L1": order_of_ideals,
    "RS-SES-10/L2": one_query_one_ideal,
    "RS-SES-10/L3": more_in_the_pool,
    "RS-SES-10/L4": more_ranks,
    "RS-SES-10/L5": a_query_more,
    "RS-SES-11/L3": weighted_mean,
    "RS-SES-11/L4": one_query_is_ndcg,
    "RS-SES-11/L5": base_moves_to_later,
    "RS-SES-11/L6": query_without_results,
    "RS-SES-11/L7": scale_free,
    "RS-SES-11/L8": order_of_normalised,
    "RS-SES-11/L9": one_scenario,
    "RS-SES-11/L10": one_if_each_is,
    "RS-SES-12/L1": mean_of_gains,
    "RS-SES-12/L2": query_more_of_q,
    "RS-SES-12/L3": order_of_q,
    "RS-SES-13/L1": average_by_steps,
    "RS-SES-13/L2": average_in_range,
    "RS-SES-13/L3": average_with_a_query_more,
    "RS-SES-13/L4": average_linear,
    "RS-SES-13/L5": average_normalised_in_range,
    "RS-SES-14/L1": sum_of_queries,
    "RS-SES-14/L2": queries_in_range,
    "RS-SES-14/L3": queries_by_delta,
    "RS-SES-15/L1": ndcg_by_query,
    "RS-SES-15/L2": query_ndcg_in_range,
    "RS-SES-15/L3": query_ndcg_by_padding,
    "RS-SES-15/L4": query_ndcg_times_ideal,
    "RS-SES-16/L1": by_one_number,
    "RS-SES-16/L2": mean_of_ndcg,
    "RS-SES-16/L3": numbers_in_order,
    "RS-SES-16/L4": parts_of_mean,
    "RS-SES-16/L5": numbers_of_one_query,
    "RS-SES-17/L1": last_is_nsdcg,
    "RS-SES-17/L2": vector_in_range,
    "RS-SES-17/L4": vector_scale_free,
    "RS-SES-19/L3": held_by_queries_without_results,
    "RS-SES-25/L1": of_means_padded,
    "RS-SES-25/L2": of_means_by_factor,
}
