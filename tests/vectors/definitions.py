"""The metrics of the vectors, from their definitions, in python-flint's arithmetic.

Nothing of rankspec is used here. Numbers are rationals (fmpq) as long as they can be, and balls
(arb) from the first irrational discount or gain on. What ties leave open is averaged over every
distinct order of the labels; so are the mean and the variance of a random ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise, product
from math import ceil, inf
from typing import Any

from flint import arb, ctx, fmpq

Number = Any


def rational(x: Any) -> fmpq:
    n, d = Fraction(x).as_integer_ratio()
    return fmpq(n, d)


def ball(x: Number) -> arb:
    return x if isinstance(x, arb) else arb(x)


def add(x: Number, y: Number) -> Number:
    return x + y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) + ball(y)


def multiply(x: Number, y: Number) -> Number:
    if x == 0 or y == 0:
        return fmpq(0)
    return x * y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) * ball(y)


def divide(x: Number, y: Number) -> Number:
    return x / y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) / ball(y)


def total(terms: Any) -> Number:
    result: Number = fmpq(0)
    for term in terms:
        result = add(result, term)
    return result


def difference(x: Number, y: Number) -> Number:
    """x - y, and 0 where all the bits of a ball do not tell x from y."""
    result = add(x, multiply(fmpq(-1), y))
    return fmpq(0) if isinstance(result, arb) and result.contains(0) else result


def inverse_log(x: Fraction, b: Fraction) -> Number:
    """1/log_b(x), rational where x is a power of b."""
    return _inverse_log(x, b, ctx.prec)


@cache
def _inverse_log(x: Fraction, b: Fraction, _bits: int) -> Number:
    power, e = b, 1
    while power < x and power.denominator <= x.denominator:  # further powers have larger ones
        power, e = power * b, e + 1
    return fmpq(1, e) if power == x else ball(rational(b)).log() / ball(rational(x)).log()


def gain_of(gain: dict, r: Any) -> Number:
    if gain["kind"] == "linear":
        return rational(r)
    if gain["kind"] == "table":
        return rational(gain["table"][r])
    if r == int(r):
        return fmpq(2 ** int(r) - 1)
    return arb(2) ** ball(rational(r)) - 1


def discount_of(discount: dict, i: int) -> Number:
    kind = discount["kind"]
    if kind in ("zipf", "none"):
        return fmpq(1, i if kind == "zipf" else 1)
    if kind == "weights":
        return rational(discount["weights"][i - 1])
    b = Fraction(discount["base"])
    if kind == "log":
        return inverse_log(Fraction(i + 1), b)
    if kind == "jarvelin-2008":
        return inverse_log(b * i, b)
    if kind == "jiang-2016":
        return inverse_log(i - 1 + b, b)
    return fmpq(1) if i < b else inverse_log(Fraction(i), b)


def dcg(labels: list, k: int, measure: dict) -> Number:
    discount = measure.get("discount", {"kind": "none"})
    return total(
        multiply(gain_of(measure["gain"], r), discount_of(discount, i))
        for i, r in enumerate(labels[:k], start=1)
        if gain_of(measure["gain"], r) != 0
    )


def of_order(  # noqa: C901, PLR0911, PLR0912 - one kind of metric after the other
    labels: list, judged: list, k: int, measure: dict
) -> Number:
    """The metric of labels in rank order."""
    if "variant" in measure:
        return of_scores(labels, judged, k, measure)
    if {"beta", "phi"} & set(measure) and measure["name"] != "F":
        return of_utility(labels[:k], judged, k, measure)
    if "gain" in measure:
        return of_gains(labels, sorted(judged, reverse=True), k, measure)
    if measure["name"] in ("LERR", "LAP", "LRBP", "LGAP"):
        return adjusted(labels, k, measure)
    if measure["name"] in ("INSQ", "INST", "BPM"):
        return of_goal(labels, judged, k, measure)
    if measure["name"] in NERR:
        return nearly_err(labels, judged, k, measure)
    if measure["name"] == "Compat":
        return compat(labels, judged, k, measure)
    if measure["name"] in ("GRBP", "SDCG"):
        return of_scale(labels, judged, k, measure)
    if {"max", "p", "q"} & set(measure):
        return of_users(labels, judged, k, measure)
    if measure["name"] in ("NumRet", "NumQ", "Judged", "Unjudged"):
        return of_what_is_shown(measure["name"], labels[:k], k)
    if measure["name"] == "infAP":
        return infap(labels[:k], judged, measure["rel"])
    R = [None if r is None else int(r >= measure["rel"]) for r in labels[:k]]
    if measure["name"] == "Yaap":
        N = sum(r >= measure["rel"] for r in judged)
        S = sum((fmpq(sum(R[:i]), i) for i, x in enumerate(R, start=1) if x), fmpq(0))
        odds = (1 + S) / (1 + N - S) if S < N + 1 else fmpq(1)
        return fmpq(0) if odds == 1 else ball(1 + S).log() - ball(1 + N - S).log()
    N_p = sum(r >= measure["rel"] for r in judged)
    if measure["name"] == "binG":
        return quotient(bin_g(R), fmpq(N_p))
    if measure["name"] == "Bpref":
        return bpref(R, N_p, len(judged) - N_p)
    if measure["name"] == "AUC":
        return auc(R, N_p, len(judged) - N_p)
    if measure["name"] == "NumNonrelRet":
        return fmpq(len([x for x in R if x == 0]))
    if measure["name"] == "F":
        return f_measure(fmpq(sum(R)), k, N_p, rational(measure["beta"]))
    if measure["name"] == "IPrec":
        return interpolated(R, items_at(measure["recall"], N_p, measure["rounding"]))
    if measure["name"] == "RprecMult":
        c = items_at(measure["multiple"], N_p, "plus-0.9")
        return quotient(fmpq(sum(R[:c])), fmpq(c))
    if measure["name"] == "AvgIPrec":
        of = [interpolated(R, items_at(x, N_p, measure["rounding"])) for x in measure["levels"]]
        return total(of) / len(of)
    sp = total(fmpq(sum(R[:i]), i) for i in range(1, len(R) + 1) if R[i - 1])
    numerator, divisor = {
        "P": (sum(R), k),
        "R": (sum(R), N_p),
        "RR": (1, R.index(1) + 1) if 1 in R else (0, 1),
        "SP": (sp, 1),
        "Rprec": (sum(R[:N_p]), N_p),
        "Success": (max(R, default=0), 1),
        "NumRel": (N_p, 1),
        "NumRelRet": (sum(R), 1),
        "SetP": (sum(R), len(R)),
        "RelP": (sum(R), min(k, N_p)),
        "SetAP": (sum(R) ** 2, len(R) * N_p),
        "Utility": (utility_of_set(R, N_p, measure), 1),
        "AP": (sp, normaliser_of_ap(labels, R, N_p, k, measure)),
    }[measure["name"]]
    return fmpq(numerator) / divisor if divisor else fmpq(0)


def utility_of_set(R: list, N_p: int, measure: dict) -> fmpq:
    """The worth of each document, one after the other, the number of the others at the end."""
    if measure["name"] != "Utility":
        return fmpq(0)
    a, b, c, d = map(rational, measure["weights"])
    worth = sum((a if relevant else b for relevant in R), fmpq(0)) + c * (N_p - sum(R))
    left = (measure["documents"] or 0) - len(R) - (N_p - sum(R))
    return worth + d * left


def items_at(level: Any, N_p: int, rounding: str) -> int:
    """How many relevant items a level asks for, the doubles as the processor has them."""
    if rounding == "up":
        return ceil(Decimal(repr(float(level))) * N_p)
    product = float(level) * N_p
    return int(product + 0.9) if rounding == "plus-0.9" else int(Fraction(product) + Fraction(1, 2))


def interpolated(R: list, c: int) -> fmpq:
    """The greatest precision where c are relevant."""
    there = [fmpq(sum(R[:i]), i) for i in range(1, len(R) + 1) if sum(R[:i]) >= c]
    return max(there, default=fmpq(0))


def of_what_is_shown(name: str, shown: list, k: int) -> fmpq:
    """Counts of the first k items, None being what nobody judged."""
    if name == "NumQ":
        return fmpq(1)
    if name == "NumRet":
        return fmpq(len(shown))
    open_ = shown.count(None)
    above, below = (open_, k) if name == "Unjudged" else (len(shown) - open_, len(shown))
    return fmpq(above, below) if below else fmpq(0)


def f_measure(hits: fmpq, k: int, N_p: int, beta: fmpq) -> fmpq:
    """The harmonic mean of precision and recall, the latter with the weight beta^2."""
    if hits == 0:
        return fmpq(0)
    precision, recall, weight = hits / k, hits / N_p, beta * beta
    return (1 + weight) / (1 / precision + weight / recall)


def normaliser_of_ap(labels: list, R: list, N_p: int, k: int, measure: dict) -> int:
    """R: those of the first k labels."""
    norm = measure.get("norm", "R")
    if norm == "hits":
        return sum(R)
    if norm == "retrieved":
        return sum(r >= measure["rel"] for r in labels)
    return {"R": N_p, "min": min(k, N_p), "k": k}[norm]


def of_gains(  # noqa: PLR0911 - one metric after the other
    labels: list, ideal: list, k: int, measure: dict
) -> Number:
    name = measure["name"]
    if name in ("nCG", "nDCG_rel", "nDCG_levels", "G"):
        return averaged(name, labels[:k], ideal, k, measure)
    if name == "IDCG":
        return dcg(ideal, k, measure)
    if name in ("CG", "DCG"):
        return dcg(labels, k, measure)
    if name == "LDCG":
        return ldcg(labels, k, measure)
    if name == "ILDCG":
        return ildcg(ideal, k, measure)
    if name == "LNDCG":
        return quotient(ldcg(labels, k, measure), ildcg(ideal, k, measure))
    return quotient(dcg(labels, k, measure), divisor_of_ndcg(labels, ideal, k, measure))


def averaged(name: str, labels: list, ideal: list, k: int, measure: dict) -> Number:
    """nCG, and what trec_eval makes of nDCG; labels: those up to k."""
    if name == "nCG":
        return quotient(dcg(labels, k, measure), dcg(ideal, k, measure))
    gains = [gain_of(measure["gain"], r) for r in labels]
    best = [g for g in (gain_of(measure["gain"], r) for r in ideal) if g != 0]
    if not best or not labels:
        return fmpq(0)
    if name == "G":
        return quotient(total(map(lagging, gains, *behind(gains, best))), total(best))

    def at(i: int, t: int) -> Number:
        return quotient(dcg(labels[:i], i, measure), dcg(ideal, t, measure))

    n = len(labels)
    if name == "nDCG_rel":
        hits = [i for i, g in enumerate(gains, start=1) if g != 0]
        missing = multiply(fmpq(len(best) - len(hits)), at(n, len(ideal)))
        return divide(add(total(at(i, i) for i in hits), missing), fmpq(len(best)))
    ends = [i for i, (g, h) in enumerate(zip(best, [*best[1:], None], strict=True), 1) if g != h]
    ends += [n] if n > len(best) + 1 else []
    return divide(total(at(min(t, n), t) for t in ends), fmpq(len(ends)))


def behind(gains: list, best: list) -> tuple[list, list]:
    """At each rank the gain up to it, and what the ideal ranking has at the cost of 1 at least."""
    costs = [max(g, fmpq(1)) for g in best] + [fmpq(1)] * len(gains)
    ranks = range(1, len(gains) + 1)
    return [total(gains[:i]) for i in ranks], [total(costs[:i]) for i in ranks]


def lagging(g: Number, gained: Number, cost: Number) -> Number:
    lag = 2 + max(fmpq(0), cost - gained)
    return multiply(g, inverse_log(Fraction(int(lag.p), int(lag.q)), Fraction(2)))


def bin_g(R: list) -> Number:
    """The sum over the relevant ranks, by how many others stand above."""
    above = (R[:i].count(0) for i, R_i in enumerate(R) if R_i)
    return total(inverse_log(Fraction(b + 2), Fraction(2)) for b in above)


def divisor_of_ndcg(labels: list, ideal: list, k: int, measure: dict) -> Number:
    if measure["ideal"] == "perfect":
        return total(discount_of(measure["discount"], i) for i in range(1, k + 1))
    cut = {"k": k, "all": len(ideal), "shown": min(k, len(labels))}[measure["ideal"]]
    return dcg(ideal, cut, measure)


def quotient(x: Number, y: Number) -> Number:
    """x / y, and 0 where y is 0."""
    return fmpq(0) if y == 0 else divide(x, y)


# Users who stop


def err(labels: list, k: int, measure: dict) -> fmpq:
    """The mean of 1/rank over users: of those who come to a rank, a share R stops there."""
    table = measure["stop"]
    if table is None:
        table = [Fraction(2**g - 1, 2 ** measure["max"]) for g in range(measure["max"] + 1)]
    users, mean = fmpq(1), fmpq(0)
    for i, label in enumerate(labels[:k], start=1):
        stopping = users * rational(label if table == "label" else table[int(label)])
        mean += stopping / i
        users -= stopping
    return mean


def rbp(relevant: list, p: Fraction) -> fmpq:
    """The rate at which users find relevant items who see rank i with probability p^(i-1)."""
    p = rational(p)
    return (1 - p) * sum((p ** (i - 1) for i, R in enumerate(relevant, start=1) if R), fmpq(0))


def of_scale(labels: list, judged: list, k: int, measure: dict) -> Number:
    """The mean of label / t, by the weights of an endless list, or of k ranks."""
    t = measure["max_rel"]
    t = rational(max([1, *judged]) if t == "pool" else t)
    gains = [rational(x) / t for x in labels[:k]]
    if measure["name"] == "GRBP":
        p = rational(measure["p"])
        return sum(((1 - p) * g * p**i for i, g in enumerate(gains)), fmpq(0))
    weights = [discount_of(measure["discount"], i) for i in range(1, k + 1)]
    return quotient(total(map(multiply, gains, weights)), total(weights))


def of_goal(labels: list, judged: list, k: int | None, measure: dict) -> Number:
    """The mean gain by the probabilities to go on from rank to rank; k None: an endless list."""
    t = measure["max_rel"]
    t = rational(max([1, *judged]) if t == "pool" else t)
    g, T = [rational(x) / t for x in labels], rational(measure["T"])
    if measure["name"] == "BPM":
        return bpm(g, k, T, measure)
    shown = g if k is None else g[:k] + [fmpq(0)] * (k - len(g))
    if not labels:
        return fmpq(0)
    V, found, above, below = fmpq(1), fmpq(0), fmpq(0), fmpq(0)
    for i, g_i in enumerate(shown, start=1):
        above, below = above + V * g_i, below + V
        found += g_i if measure["name"] == "INST" else 0
        V *= ((i + 2 * T - found - 1) / (i + 2 * T - found)) ** 2
    if k is not None:
        return above / below
    c = len(g) + 2 * T - found  # the zeta function of Hurwitz is the rest
    return ball(above) / (below + ball(V * c * c) * arb(2).zeta(ball(c)))


NERR = ("NERR8", "NERR9", "NERR10", "NERR11")


def nearly_err(labels: list, judged: list, k: int | None, measure: dict) -> Number:
    """1 less the mean, over the ranks that are seen, of 1 - g: the expected ranks by C(i)."""
    t = measure["max_rel"]
    t = rational(max([1, *judged]) if t == "pool" else t)
    if not labels:
        return fmpq(0)
    shown = [rational(x) / t for x in labels]
    shown = shown if k is None else shown[:k] + [fmpq(0)] * (k - len(shown))
    T, p = (rational(measure.get(name, 1)) for name in ("T", "p"))
    V, seen, without = fmpq(1), fmpq(0), fmpq(0)
    for i, g_i in enumerate(shown, start=1):
        seen, without = seen + V, without + V * (1 - g_i)
        c = {"NERR9": fmpq(i, i + 1), "NERR10": p}.get(measure["name"], fmpq(1))
        c = (1 - 1 / (i + 2 * T)) ** 2 if measure["name"] == "NERR11" else c
        V *= c * (1 - g_i)
    if k is None and measure["name"] == "NERR10":
        seen, without = seen + V / (1 - p), without + V / (1 - p)
    if k is None and measure["name"] == "NERR11":
        c = len(shown) + 2 * T
        rest = ball(V * c * c) * arb(2).zeta(ball(c))
        return (ball(seen) - ball(without)) / (ball(seen) + rest)
    return (seen - without) / seen


def bpm(g: list, k: int | None, T: fmpq, measure: dict) -> Number:
    hb, hc, med = (rational(measure[name]) for name in ("hb", "hc", "med"))
    found, last = fmpq(0), fmpq(10**6 if k is None else k)
    for i in range(1, 10**4):
        g_i = g[i - 1] if i <= len(g) else fmpq(0)
        found += g_i
        if found >= T or i >= last:
            return found / i
        T, last = T + hb * (g_i - med), last + hc * (g_i - med)
    return fmpq(0)


def compat(labels: list, judged: list, k: int, measure: dict) -> Number:
    """The sets of both rankings at each depth; items are numbers."""
    items = list(enumerate(labels))
    others = list(judged)
    for x in labels:
        if x in others:
            others.remove(x)
    every = items + list(enumerate(others, start=len(items)))
    best = [a for a, x in sorted(every, key=lambda item: (-item[1], item[0])) if x > 0]
    p = rational(measure["p"])

    def overlap(ranking: list) -> fmpq:
        both = (len({*ranking[:d]} & {*best[:d]}) for d in range(1, k + 1))
        return sum((p ** (d - 1) * fmpq(x, d) for d, x in enumerate(both, start=1)), fmpq(0))

    weights = sum((p**i for i in range(k)), fmpq(0))
    by = overlap(best) if measure["normalize"] else weights
    return quotient(overlap([a for a, _ in items]), by) if labels and best else fmpq(0)


def grbp_residual(unjudged: list, measure: dict) -> fmpq:
    """That of RBP; with the other tail only where something is unjudged."""
    if measure["tail"] == "unjudged" and 1 not in unjudged:
        return fmpq(0)
    return rbp_residual(unjudged, measure["p"])


def bpref(R: list, relevant: int, others: int) -> fmpq:
    """The mean, over the relevant items, of the share of others that stand below (trec_eval).

    R: 1 relevant, 0 judged and not, None not judged
    """
    most = min(relevant, others)
    if relevant == 0:
        return fmpq(0)
    shares = [
        fmpq(max(most - R[:i].count(0), 0), most) if most else fmpq(1)
        for i, x in enumerate(R)
        if x == 1
    ]
    return sum(shares, fmpq(0)) / relevant


def infap(labels: list, judged: list, least: Fraction) -> fmpq:
    """The mean over the relevant items of the precisions that what is above them lets infer.

    labels: None of an item that is not in the pool; below 0 of one that is, and not judged
    """

    def kind(label: Any) -> str:
        if label is None or label < 0:
            return "out" if label is None else "open"
        return "relevant" if label >= least else "other"

    kinds = list(map(kind, labels))
    smoothing = fmpq(1, 100000)
    found = fmpq(0)
    for i, own in enumerate(kinds):
        above = kinds[:i]
        seen = above.count("relevant") + above.count("other")
        share = (above.count("relevant") + smoothing) / (seen + 2 * smoothing)
        if own == "relevant":
            found += (1 + (i - above.count("out")) * share) / (i + 1)
    return quotient(found, fmpq(list(map(kind, judged)).count("relevant")))


def auc(R: list, relevant: int, others: int) -> fmpq:
    """The mean of 1, 1/2 and 0 over all pairs: above, tied at the end, below.

    R: 1 relevant, 0 judged and not, None not judged; what is not shown stands at the end
    """
    end = len(R)
    places = {x: [i for i, y in enumerate(R) if y == x] for x in (0, 1)}
    if len(places[1]) > relevant or len(places[0]) > others:  # no pairs: by counts
        won = sum(others - R[:i].count(0) for i in places[1])
        rest = fmpq((relevant - len(places[1])) * (others - len(places[0])), 2)
        return quotient(won + rest, fmpq(relevant * others))
    ones = places[1] + [end] * (relevant - len(places[1]))
    zeros = places[0] + [end] * (others - len(places[0]))
    found = [fmpq((a < b) + (a <= b), 2) for a in ones for b in zeros]
    return sum(found, fmpq(0)) / len(found) if found else fmpq(0)


def rbp_residual(unjudged: list, p: Fraction) -> fmpq:
    """1 less the weights of the ranks that are judged."""
    return 1 - rbp([not open_ for open_ in unjudged], p)


def both_relevant(q: list, *labels: Any) -> fmpq:
    """Robertson et al. 2010: δ(m, n), the probability that the items m and n are relevant."""
    return sum((rational(q_j) for j, q_j in enumerate(q, 1) if j <= min(labels)), fmpq(0))


def graded_sum(labels: list, k: int, q: list) -> fmpq:
    """The sum that GAP divides."""
    shown = labels[:k]
    pairs = [(m, n) for n in range(len(shown)) for m in range(n + 1)]
    return sum((both_relevant(q, shown[m], shown[n]) / (n + 1) for m, n in pairs), fmpq(0))


def gap(labels: list, judged: list, k: int, q: list) -> fmpq:
    expected_number = sum((both_relevant(q, r) for r in judged), fmpq(0))
    return quotient(graded_sum(labels, k, q), expected_number)


def of_users(labels: list, judged: list, k: int, measure: dict) -> Number:
    if measure["name"] == "GAP":
        return gap(labels, judged, k, measure["q"])
    if measure["name"] == "RBP":
        return rbp([r >= measure["rel"] for r in labels[:k]], measure["p"])
    value = err(labels, k, measure)
    ideal = sorted(judged, reverse=True)
    return value if measure["name"] == "ERR" else quotient(value, err(ideal, k, measure))


# Graded precision and normalised utility: of each rank its blended ratio, from the beginning


def blended(labels: list, judged: list, measure: dict, i: int) -> Number:
    """Of the first i ranks: their hits and gain, over i and the greatest gain of i items."""
    shown = [gain_of(measure["gain"], r) for r in labels[:i]]
    best = [gain_of(measure["gain"], r) for r in sorted(judged, reverse=True)[:i]]
    beta, hits = rational(measure["beta"]), fmpq(sum(x != 0 for x in shown))
    above = add(hits, multiply(beta, total(shown)))
    return divide(above, add(fmpq(i), multiply(beta, total(best))))


def of_utility(  # noqa: PLR0911 - one metric after the other
    labels: list, judged: list, k: int, measure: dict
) -> Number:
    name = measure["name"]
    if name == "iRBU":
        powers = (rational(measure["phi"]) ** i for i in range(1, len(labels) + 1))
        ends = stopping(labels, measure, lambda _: True)
        return total(multiply(x, y) for x, y in zip(ends, powers, strict=True))

    def relevant(r: Any) -> bool:
        return bool(gain_of(measure["gain"], r) != 0)

    ranks = [i for i, r in enumerate(labels, start=1) if relevant(r)]
    ratios = {i: blended(labels, judged, measure, i) for i in ranks}
    if name == "EBR":
        ends = stopping(labels, measure, relevant)
        return total(multiply(ends[i - 1], ratios[i]) for i in ranks)
    wanted = [r for r in judged if relevant(r)]
    if name == "Q_measure":
        return quotient(total(ratios.values()), fmpq(min(k, len(wanted))))
    if name == "NCU":
        return normalised_utility(labels, wanted, ratios, measure)
    if not ranks:
        return fmpq(0)
    highest = max(labels[i - 1] for i in ranks)
    last = 1 + next(i for i, r in enumerate(labels) if r == highest)
    if name == "P_plus":
        some = [i for i in ranks if i <= last]
        return divide(total(ratios[i] for i in some), fmpq(len(some)))
    return ratios[{"O_measure": ranks[0], "P_measure": last}[name]]


def normalised_utility(labels: list, wanted: list, ratios: dict, measure: dict) -> Number:
    """NCU, by the users who stop at the first, second, ... relevant item that is shown."""
    if measure["stopping"] == "graded":
        stops = measure["stops"] or measure["gain"]
        here = [gain_of(stops, labels[i - 1]) for i in ratios]
        everywhere = [gain_of(stops, r) for r in wanted]
    else:
        share = rational(measure["gamma"]) if measure["stopping"] == "rank-biased" else fmpq(1)
        here = [share**c for c in range(len(ratios))]
        everywhere = [share**c for c in range(len(wanted))]
    had = total(multiply(u, x) for u, x in zip(here, ratios.values(), strict=True))
    return quotient(had, total(everywhere))


def stopping(labels: list, measure: dict, may_stop: Callable[[Any], bool]) -> list[fmpq]:
    """How many of all users stop at each rank."""
    going, found = fmpq(1), []
    table = measure["stop"]
    if table is None:
        table = [Fraction(2**g - 1, 2 ** measure["max"]) for g in range(measure["max"] + 1)]
    for r in labels:
        share = rational(r if table == "label" else table[int(r)]) if may_stop(r) else fmpq(0)
        found.append(going * share)
        going -= going * share
    return found


# Length [lv-2014]. A measure without "Z", or with "Z": "none", has the weights themselves for p.


def weight(measure: dict, i: int) -> Number:
    """What p(i) is proportional to: in eq. 3 the discount."""
    prior = measure["prior"]
    if prior["kind"] == "uniform":
        return fmpq(1)
    return discount_of(measure["discount"] if prior["kind"] == "discount" else prior, i)


def p(i: int, M: int, measure: dict) -> Number:
    """Eq. 3: how likely the one relevant result is at rank i."""
    if i > M:
        return fmpq(0)
    if measure.get("Z", "none") == "none":
        return weight(measure, i)
    return quotient(weight(measure, i), total(weight(measure, j) for j in range(1, M + 1)))


def ldcg(labels: list, M: int, measure: dict) -> Number:
    """Eq. 6, with the left form of eq. 4 below: E[DCG] is the sum of p(i) · DCG(i), rel = 1."""
    expected = total(
        multiply(p(i, M, measure), discount_of(measure["discount"], i))
        for i in range(1, min(len(labels), M) + 1)
    )
    return quotient(dcg(labels, M, measure), expected)


def ildcg(ideal: list, M: int, measure: dict) -> Number:
    """Eq. 7; or the greatest LDCG of the lists that show the first items of the ideal order."""
    if measure["ideal"] == "eq7":
        return ldcg([r for r in ideal if r == ideal[0]], M, measure)
    lists = (ideal[:N] for N in range(1, min(len(ideal), M) + 1))
    return greatest([ldcg(labels, M, measure) for labels in lists])


def adjusted(labels: list, M: int, measure: dict) -> Number:
    """Section 4: ERR, SP or RBP over Σ p(i) E(i), E(i) being that of one result, at rank i."""
    name, below = measure["name"], range(1, min(len(labels), M) + 1)
    if name == "LERR":
        value, one = err(labels, M, measure), least_stop(measure)
        of_one = [one / i for i in below]
        own = {"kind": "zipf"}
    elif name == "LGAP":
        value, one = graded_sum(labels, M, measure["q"]), least_relevance(measure["q"])
        of_one = [one / i for i in below]
        own = {"kind": "zipf"}
    else:
        R = [r >= measure["rel"] for r in labels[:M]]
        single = [[h == i for h in below] for i in below]
        own = {"kind": "zipf"}
        if name == "LAP":
            value, of_one = sum_of_precisions(R), [sum_of_precisions(x) for x in single]
        else:
            value, of_one = rbp(R, measure["p"]), [rbp(x, measure["p"]) for x in single]
            powers = [Fraction(measure["p"]) ** (i - 1) for i in range(1, M + 1)]
            own = {"kind": "weights", "weights": powers}
    measure = {**measure, "discount": own}
    expected = total(multiply(p(i, M, measure), of_one[i - 1]) for i in below)
    return quotient(value, expected)


def sum_of_precisions(R: list) -> fmpq:
    return sum((fmpq(sum(R[:i]), i) for i in range(1, len(R) + 1) if R[i - 1]), fmpq(0))


def least_relevance(q: list) -> fmpq:
    """Return the probability that an item of the least label that may be relevant is so."""
    return rational(next((x for x in q if x > 0), 0))


def least_stop(measure: dict) -> fmpq:
    """How probable it is to stop at the result that is expected: the least that is above 0."""
    table = measure["stop"]
    if table is None:
        return fmpq(1, 2 ** measure["max"])
    return fmpq(1) if table == "label" else rational(min([x for x in table if x > 0], default=0))


def greatest(numbers: list[Number]) -> Number:
    """The greatest of numbers that are not negative, 0 of none."""
    largest: Number = fmpq(0)
    for x in numbers:
        if isinstance(x, fmpq) and isinstance(largest, fmpq):
            largest = max(largest, x)
        else:
            largest = ball(largest).max(ball(x))
    return largest


# Relevance from scores [moniz-2016]


def of_scores(scores: list, pool: list, k: int, measure: dict) -> Number:
    """DCG_phi or nDCG_phi; the ideal has the highest relevance first, whatever the scores are."""
    best = sorted(relevances(pool, pool, measure), reverse=True)
    value = dcg_of_relevances(relevances(scores, pool, measure), k, measure)
    if measure["name"] == "DCG_phi":
        return value
    return quotient(value, dcg_of_relevances(best, k, measure))


def dcg_of_relevances(relevances: list[fmpq], k: int, measure: dict) -> Number:
    return total(
        multiply(arb(2) ** ball(y) - 1 if y != 1 else fmpq(1), discount_of(measure["discount"], i))
        for i, y in enumerate(relevances[:k], start=1)
        if y != 0
    )


def relevances(scores: list, pool: list, measure: dict) -> list[fmpq]:
    """The relevance of each score, by the control points that the pool has."""
    known = sorted(rational(s) for s in pool)
    if measure["points"] is not None:
        points = [(rational(s), rational(y)) for s, y in measure["points"]]
    else:
        by_program = measure["variant"] == "authors-program"
        quartiles = measure["quartiles"]
        if quartiles == "own":
            quartiles = "hinges" if by_program else "linear"
        points = points_of_program(known, quartiles) if by_program else points_of(known, quartiles)
    phi = pchip(points)
    return [phi(rational(s)) for s in scores]


def quartile(x: list[fmpq], quarter: int, name: str) -> fmpq:
    """Hinges: the medians of the halves, to both of which the middle score belongs. Others: the
    position n p + a + p (1 - 2 a), with the plotting positions (i - a)/(n + 1 - 2 a)."""
    n = len(x)
    if name == "hinges":
        half = (n + 1) // 2
        return quartile([x[:half], x, x[n - half :]][quarter - 1], 2, "linear")
    a = {"linear": fmpq(1), "weibull": fmpq(0), "median-unbiased": fmpq(1, 3)}[name]
    p = fmpq(quarter, 4)
    position = n * p + a + p * (1 - 2 * a)
    j = int(position.floor())
    share = position - j
    below, above = (x[min(max(i, 1), n) - 1] for i in (j, j + 1))
    return (1 - share) * below + share * above


def fence(x: list[fmpq], name: str) -> fmpq:
    first, third = quartile(x, 1, name), quartile(x, 3, name)
    return (5 * third - 3 * first) / 2


def points_of(x: list[fmpq], name: str) -> list[tuple[fmpq, fmpq]]:
    """By the text: the whisker on the straight line from the lowest score to the highest."""
    if not x:
        return []
    points = [(x[0], fmpq(0)), (quartile(x, 2, name), fmpq(0)), (x[-1], fmpq(1))]
    whisker = fence(x, name)
    if any(s > whisker for s in x):
        points.insert(2, (whisker, (whisker - x[0]) / (x[-1] - x[0])))
    return points


def points_of_program(x: list[fmpq], name: str) -> list[tuple[fmpq, fmpq]]:
    """By the authors' program: of positive scores, from (0, 0), the whisker one of them."""
    x = [s for s in x if s > 0]
    if not x:
        return []
    points = [(fmpq(0), fmpq(0)), (quartile(x, 2, name), fmpq(0)), (x[-1], fmpq(1))]
    inside = [s for s in x if s <= fence(x, name)]
    if len(inside) < len(x):
        points.insert(2, (inside[-1], (inside[-1] - x[0]) / (x[-1] - x[0])))
    return points


def pchip(points: list[tuple[fmpq, fmpq]]) -> Callable[[fmpq], fmpq]:
    """The monotone cubic through points, of which the last counts where scores are equal; each
    piece in the form of Bernstein, by de Casteljau's algorithm."""
    points = sorted(dict(points).items())
    chords = [(t - s, (z - y) / (t - s)) for (s, y), (t, z) in pairwise(points)]
    slopes = [chords[0][1]] * 2 if len(chords) == 1 else []
    if len(chords) > 1:
        inner = [inner_slope(*left, *right) for left, right in pairwise(chords)]
        slopes = [end_slope(*chords[0], *chords[1]), *inner, end_slope(*chords[-1], *chords[-2])]

    def at(x: fmpq) -> fmpq:
        for ((s, y), (t, z)), (d, e) in zip(pairwise(points), pairwise(slopes), strict=True):
            if s <= x < t:
                share = (x - s) / (t - s)
                b = [y, y + (t - s) * d / 3, z - (t - s) * e / 3, z]
                while len(b) > 1:
                    b = [(1 - share) * p + share * q for p, q in pairwise(b)]
                return b[0]
        if not points:
            return fmpq(0)
        return points[0][1] if x < points[0][0] else points[-1][1]

    return at


def inner_slope(h: fmpq, D: fmpq, h_next: fmpq, D_next: fmpq) -> fmpq:
    """Brodlie's formula."""
    if D * D_next <= 0:
        return fmpq(0)
    share = (h + 2 * h_next) / (3 * (h + h_next))
    return D * D_next / (share * D_next + (1 - share) * D)


def end_slope(h: fmpq, D: fmpq, h_next: fmpq, D_next: fmpq) -> fmpq:
    """That of the parabola through three points, where it rises as the chord does.

    That it is at most three times the chord's plays no part where relevances do not fall.
    """
    slope = D + (D - D_next) * h / (h + h_next)
    return slope if slope * D > 0 else fmpq(0)


def groups_of(given: dict) -> list[list[int]]:
    """The positions of the items by falling score, equal scores together."""
    scores = given["scores"]
    falling = sorted(range(len(scores)), key=lambda a: Fraction(scores[a]), reverse=True)
    return [list(group) for _, group in groupby(falling, key=lambda a: Fraction(scores[a]))]


def orders_of(given: dict) -> list[list]:
    """Every order of the labels that the scores and the rule admit, each equally likely."""
    labels = given["labels"]
    if "scores" not in given:
        return [labels]
    groups, ties = groups_of(given), given["ties"]
    worth = [-inf if r is None else r for r in labels]  # None: unjudged
    if ties == "expected":
        each = [distinct_orders(sorted((labels[a] for a in g), key=str)) for g in groups]
        return [[x for part in choice for x in part] for choice in product(*each)]
    key = {
        "id-descending": lambda a: given["ids"][a],
        "id-ascending": lambda a: given["ids"][a],
        "input": lambda a: a,
        "best": lambda a: worth[a],
        "worst": lambda a: worth[a],
    }[ties]
    falling = ties in ("id-descending", "best")
    return [[labels[a] for group in groups for a in sorted(group, key=key, reverse=falling)]]


def distinct_orders(items: list) -> list[list]:
    """The distinct orders of items; equal items make equally many orders alike."""
    if not items:
        return [[]]
    return [
        [x, *rest]
        for j, x in enumerate(items)
        if j == 0 or x != items[j - 1]
        for rest in distinct_orders(items[:j] + items[j + 1 :])
    ]


def value_of(measure: dict, given: dict, k: int | None) -> Number:
    """The metric of a case at a cut-off: the mean over the orders that are open."""
    if "of" in measure:
        return of_bound(measure, given, k)
    labels = given.get("labels", [])
    flags = given.get("unjudged", [0] * len(labels))
    if measure["name"] == "GRBP_residual":
        orders = orders_of({**given, "labels": flags})
        values = total(grbp_residual(order[:k], measure) for order in orders)
        return divide(values, fmpq(len(orders)))
    if measure["name"] == "RBP_residual":  # of which the labels are no part
        assert given.get("ties") not in ("best", "worst")
        orders = orders_of({**given, "labels": flags})
        return divide(
            total(rbp_residual(order[:k], measure["p"]) for order in orders), fmpq(len(orders))
        )
    labels = [None if flag else r for r, flag in zip(labels, flags, strict=True)]
    judged = given.get("judged", [r for r in labels if r is not None])
    if k is None and measure["name"] in ("INSQ", "INST", "BPM", *NERR):  # of an endless list
        return mean_of_orders(given, labels, judged, k, measure)
    if k is None and measure["name"] == "Compat":
        k = max(len(labels), sum(x > 0 for x in judged))
    if k is None:
        k = len(labels) if divides_by_length(measure) else max(len(labels), len(judged))
        measure = {**measure, "Z": "none"}
    return mean_of_orders(given, labels, judged, k, measure)


def divides_by_length(measure: dict) -> bool:
    """Whether the length of the list is the cut-off where there is none."""
    by_k = measure.get("norm") == "k" or measure.get("ideal") == "perfect"
    return measure["name"] in ("P", "SDCG", "RelP", "F", "Unjudged") or by_k


def mean_of_orders(given: dict, labels: list, judged: list, k: int, measure: dict) -> Number:
    orders = orders_of({**given, "labels": labels})
    values = total(of_order(order, judged, k, measure) for order in orders)
    return divide(values, fmpq(len(orders)))


# Bounds [karmaker-2022]: of the ideal ranking of the pool, the worst one, and all of them


def of_bound(measure: dict, given: dict, k: int | None) -> Number:
    """What is made of a metric, its value A for the list, and its bounds for the pool J."""
    A_of, name = measure["of"], measure["name"]
    labels = given.get("labels", given.get("judged"))
    flags = given.get("unjudged", [0] * len(labels))
    labels = [None if flag else r for r, flag in zip(labels, flags, strict=True)]
    J = given.get("judged", [r for r in labels if r is not None])
    if k is None:
        by_length = divides_by_length(A_of)
        k = len(labels) or len(J) if by_length else max(len(labels), len(J))
        A_of = {**A_of, "Z": "none"}
    if name == "expected":
        return of_random(labels, J, k, A_of)
    if name == "variance":
        return variance(J, k, A_of)
    by_formula = measure.get("bounds") == "karmaker-2022"
    IUB, RLB = formulas(J, k, A_of) if by_formula else (best(J, k, A_of), of_random(J, J, k, A_of))
    WLB = of_order(sorted(J), J, k, A_of)
    if name in ("IUB", "RLB", "WLB"):
        return {"IUB": IUB, "RLB": RLB, "WLB": WLB}[name]
    A = mean_of_orders(given, labels, J, k, A_of)
    if name == "z_value":
        return z_value(difference(A, RLB), variance(J, k, A_of))
    return normalised(name, A, IUB, WLB if measure.get("lower") == "worst" else RLB)


def best(J: list, k: int, measure: dict) -> Number:
    """The value of the ideal ranking; with a length to choose, of the best list."""
    falling = sorted(J, reverse=True)
    if measure["name"] in ("LERR", "LAP", "LRBP", "LGAP"):
        return greatest([adjusted(falling[:N], k, measure) for N in range(1, len(J) + 1)])
    if measure["name"] not in ("LDCG", "LNDCG"):
        return of_order(falling, J, k, measure)
    greatest_ldcg = ildcg(falling, k, {**measure, "ideal": "true"})
    if measure["name"] == "LDCG":
        return greatest_ldcg
    return quotient(greatest_ldcg, ildcg(falling, k, measure))


def ul1(A: Number, IUB: Number, RLB: Number) -> Number:
    return fmpq(0) if A == 0 or IUB == 0 else divide(multiply(A, A), multiply(IUB, add(A, RLB)))


def ul2(A: Number, IUB: Number, RLB: Number) -> Number:
    gap = difference(A, RLB)
    return quotient(gap, difference(IUB, RLB) if gap >= 0 else RLB)


def normalised(name: str, A: Number, IUB: Number, LB: Number) -> Number:
    return {
        "U": lambda: quotient(A, IUB),
        "UL1": lambda: ul1(A, IUB, LB),
        "UL2": lambda: ul2(A, IUB, LB),
        "MinMax": lambda: quotient(difference(A, LB), difference(IUB, LB)),
        "Ratio": lambda: quotient(A, LB),
    }[name]()


def z_value(gap: Number, spread: Number) -> Number:
    return fmpq(0) if gap == 0 or spread == 0 else divide(ball(gap), ball(spread).sqrt())


def beginnings(items: list, k: int) -> Iterator[tuple[fmpq, list]]:
    """How a random order of items can begin, up to rank k, each with its probability."""
    if k == 0 or not items:
        yield fmpq(1), []
        return
    for x in dict.fromkeys(items):
        rest = list(items)
        rest.remove(x)
        for probability, following in beginnings(rest, k - 1):
            yield probability * fmpq(items.count(x), len(items)), [x, *following]


def of_random(items: list, J: list, k: int, measure: dict) -> Number:
    """The expectation over all orders of the items."""
    return total(
        multiply(probability, of_order(order, J, k, measure))
        for probability, order in beginnings(items, k)
    )


def variance(J: list, k: int, measure: dict) -> Number:
    """The mean of the squares of how far the value is from its mean, over all orders."""
    mean = of_random(J, J, k, measure)
    gaps = [(p, difference(of_order(r, J, k, measure), mean)) for p, r in beginnings(J, k)]
    return total(multiply(probability, multiply(gap, gap)) for probability, gap in gaps)


def formulas(J: list, k: int, measure: dict) -> tuple[Number, Number]:
    """The upper and the lower bound by the formulas of the paper."""
    n = len(J)
    if measure["name"] in ("DCG", "nDCG"):
        ideal = sorted(J, reverse=True)
        gains = total(gain_of(measure["gain"], r) for r in J)
        discounts = total(discount_of(measure["discount"], i) for i in range(1, k + 1))
        mean_gain = divide(gains, fmpq(n)) if n else fmpq(0)
        both = dcg(ideal, k, measure), multiply(mean_gain, discounts)
        if measure["name"] == "DCG":
            return both
        divisor = dcg(ideal, {"k": k, "all": n}[measure["ideal"]], measure)
    else:
        N_p = sum(r >= measure["rel"] for r in J)
        both = (fmpq(k), k * fmpq(N_p * N_p, n * n)) if n else (fmpq(0), fmpq(0))
        if measure["name"] == "SP":
            return both
        divisor = fmpq({"R": N_p, "min": min(k, N_p), "k": k}[measure["norm"]])
    return quotient(both[0], divisor), quotient(both[1], divisor)
