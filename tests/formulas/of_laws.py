"""Laws whose formulas stand in the line: inequalities, and values that a law states."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from rankspec.reference.bounds import expected_dcg_of_eq7, min_max, ratio, ul1, ul2, worst
from rankspec.reference.cascade import err
from rankspec.reference.dcg import dcg, expected_dcg, idcg, variance_of_dcg
from rankspec.reference.length import ildcg_eq7, lap, ldcg, lerr, lndcg, lrbp
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.session import average_position, gains_of_queries, sdcg_vector
from rankspec.reference.ties import variance

from .evaluate import UndefinedError, whole
from .of_bounds import pools, within_positive
from .of_length import TWO_DISCOUNTS, sums
from .of_scores import whiskers
from .of_sessions import each_query, of_sessions, queries, same_cutoff
from .worlds import (
    DISCOUNTS,
    GAINS,
    PRIOR,
    Formula,
    discount,
    gain,
    indexed,
    mean_over,
    of_list,
    of_pool,
    prior,
    value,
)

World = dict[str, Any]
RANKINGS = ([1, 3], [2, 0, 3], [1, 0, 2, 3])


# Cumulated gain


def swaps() -> Iterator[World]:
    """Changes by an exchange, with a discount that is 0 beyond the cut-off."""
    for r, k in product(RANKINGS, (1, 2, 3, 5)):
        cut = indexed([x if i < k else Fraction(0) for i, x in enumerate(DISCOUNTS)])
        for i, j in combinations(range(1, len(r) + 1), 2):
            swapped = list(r)
            swapped[i - 1], swapped[j - 1] = r[j - 1], r[i - 1]
            change = dcg(swapped, k, gain, discount) - dcg(r, k, gain, discount)
            own = {"i": Fraction(i), "j": Fraction(j), "d": cut, "value": change}
            yield {**of_list(r), **of_pool(r), **own}


def upgrades() -> Iterator[World]:
    for r, i, label in product(RANKINGS, (1, 2), range(4)):
        raised = [*r[: i - 1], label, *r[i:]]
        change = dcg(raised, 9, gain, discount) - dcg(r, 9, gain, discount)
        own = {"i": Fraction(i), "r'": Fraction(label), "value": change}
        yield {**of_list(r), **of_pool(r), **own}


def variances_of_counts() -> Iterator[World]:
    for (N_p, n), K in product([(1, 2), (1, 4), (3, 4), (2, 5), (3, 3)], (1, 2, 3)):
        if n >= K:
            R = [1] * N_p + [0] * (n - N_p)
            spread = variance_of_dcg(R, K, Fraction, value(Fraction(1)))
            numbers = {"N_p": Fraction(N_p), "n": Fraction(n), "K": Fraction(K)}
            yield {**numbers, "value": spread}


def variances_between_bounds() -> Iterator[World]:
    for J, k, world in pools():
        if 0 < world["WLB"] < world["RLB"]:
            bounds = {"IUB": world["IUB"], "RLB": world["RLB"], "WLB": world["WLB"]}
            spread = variance(lambda order, k=k: dcg(order, k, gain, discount), J)
            yield {**bounds, "M": Fraction(0), "Var[]": value(spread)}


# The constraints

SHARES = [Fraction(x) for x in ("1/7", "1/5", "3/7", "1/2", "2/3", "1")]


def real_gains(gain_of: Any) -> Any:
    """C1 of two labels by a gain, where the weights have the quotient λ: whether it fails."""

    def worlds() -> Iterator[World]:
        for x, discounts, a, b in product(SHARES, TWO_DISCOUNTS, range(1, 5), range(4)):
            if a > b and discounts[1]:
                d, w = (lambda i, y=y: y[i - 1] for y in (discounts, (Fraction(1), x)))
                one, two = (ldcg(r, 2, gain_of, d, w, 1) for r in ([a], [a, b]))
                labels = {"r_1": Fraction(a), "r_3": Fraction(b), "\\lambda": x}
                yield {**labels, "holds": not one > two}

    return worlds


def equal_weights() -> Iterator[World]:
    for discounts, a, b in product(TWO_DISCOUNTS, range(4), range(4)):
        if discounts[1]:
            d = lambda i, y=discounts: y[i - 1]  # noqa: E731
            one, two = (ldcg(r, 2, gain, d, value(Fraction(1)), 1) for r in ([a], [a, b]))
            labels = {"r_1": Fraction(a), "r_3": Fraction(b), "g": indexed(GAINS, 0)}
            yield {**labels, "holds": one > two}


STOPS = [Fraction(x) for x in ("0", "1/5", "1/2", "4/5", "1")]


def of_err(which: str) -> Any:
    """LERR of one and of two results: whether it satisfies C1 or C2, or the values."""

    def worlds() -> Iterator[World]:
        for x, a, b in product(SHARES, range(len(STOPS)), range(len(STOPS))):
            w = indexed([Fraction(1), x])
            R = indexed(STOPS, 0)
            one, two, twice = (lerr(r, 2, R, Fraction(1), w, 1) for r in ([a], [a, b], [a, a]))
            world = {"R": R, "w": w, "\\lambda": x, "a": Fraction(a), "b": Fraction(b)}
            if which == "C1" and a > b:
                yield {**world, "holds": one > two}
            elif which == "C2":
                yield {**world, "holds": one < twice}
            elif which in ("one", "two"):
                yield {**world, "value": one if which == "one" else two}

    return worlds


def lerr_of_lists() -> Iterator[World]:
    R = indexed(STOPS, 0)
    for r, M, z, R_rel in product(
        ([], [0], [2], [1, 3], [3, 0, 2]), (1, 2, 4), (1, Fraction(3, 7)), (0, Fraction(1, 5))
    ):
        own = {"Z": Fraction(z), "R_rel": Fraction(R_rel), "M": Fraction(M)}
        yield {
            **sums(), **own, "n": Fraction(len(r)),
            "ERR@": lambda k, r=r: err(r, whole(k), R),
            "LERR": lerr(r, M, R, R_rel, prior, z),
        }  # fmt: skip


def of_one_result() -> Iterator[World]:
    for x, R_rel in product(range(1, 5), (Fraction(1, 5), Fraction(1, 3))):
        R = indexed(STOPS, 0)
        yield {
            "R": R, "R_rel": R_rel, "w": indexed(PRIOR), "x": Fraction(x),
            "LERR": lambda r, R=R, R_rel=R_rel: lerr(r, 3, R, R_rel, prior, 1),
        }  # fmt: skip


def of_relevant_items(name: str) -> Any:
    def worlds() -> Iterator[World]:
        for N, p in product(range(1, 5), (Fraction(1, 2), Fraction(2, 3))):
            R = [1] * N
            own = {
                "LAP": lap(R, N, prior, 1),
                "LRBP": lrbp(R, N, p, lambda i, p=p: p ** (int(i) - 1), 1),
            }[name]
            yield {**sums(), "N": Fraction(N), "p": p, "value": own}

    return worlds


def of_one_relevant_item() -> Iterator[World]:
    for M in (1, 2, 3):
        own = lndcg([1], [1, 1, 1], M, gain, discount, prior, "true", RATIONALS)
        yield {**sums(), "M": Fraction(M), "value": own}


def of_the_highest(R: int | None) -> Any:
    """Eq. 7 of pools with R items of the highest label; None: of one to three."""

    def worlds() -> Iterator[World]:
        for size, m in product((R,) if R else (1, 2, 3), (1, 2, 3)):
            J = [m] * size + [0]
            own = ildcg_eq7(J, 4, gain, discount, prior, 1)
            world = {**of_pool(J), **sums(), "m": Fraction(m), "R": Fraction(size)}
            yield {**world, "value": own}

    return worlds


# Bounds


def at_a_bound(name: str) -> Any:
    """Values of a normalised metric at the ideal ranking, at chance, or at 0."""

    def worlds() -> Iterator[World]:
        for world in within_positive():
            IUB, RLB = world["IUB"], world["RLB"]
            if name == "least" and IUB == RLB:
                continue
            values = {
                "best by UL1": ul1(IUB, IUB, RLB),
                "chance by UL1": ul1(RLB, IUB, RLB),
                "best by ratio": ratio(IUB, RLB),
                "least": min_max(Fraction(0), IUB, RLB) if IUB != RLB else None,
            }
            yield {**world, "value": values[name]}

    return worlds


def losses(*, below: bool) -> Any:
    def worlds() -> Iterator[World]:
        for world in within_positive():
            U, rho = world["U"], world["\\rho"]
            if rho < 1 and (rho > U) == below:
                yield {**world, "value": U - world["UL2"]}

    return worlds


def between_worst_and_best() -> Iterator[World]:
    """MinMax of the orders of a pool, with WLB: its mean μ, and what it is with RLB."""
    for J, k, world in pools():
        IUB, RLB = world["IUB"], world["RLB"]
        WLB = dcg(worst(J), k, gain, discount)
        if IUB in (WLB, RLB):
            continue
        of_order = lambda order, k=k, upper=IUB, W=WLB: min_max(  # noqa: E731
            dcg(order, k, gain, discount), upper, W
        )
        mu = mean_over([J], lambda order, f=of_order: {"x": f(order)})(lambda own: own["x"])
        for order in permutations(J):
            A = dcg(order, k, gain, discount)
            numbers = {"IUB": IUB, "RLB": RLB, "WLB": WLB, "\\mu": mu, "x": of_order(order)}
            yield {**numbers, "value": min_max(A, IUB, RLB)}


def below_chance() -> Iterator[World]:
    for world in within_positive():
        A, IUB, RLB = world["A"], world["IUB"], world["RLB"]
        if A < RLB < IUB:
            yield {**world, "value": min_max(A, IUB, RLB) / ul2(A, IUB, RLB)}


def beyond_the_pool() -> Iterator[World]:
    for J, k, world in pools():
        if k > len(J) > 0 and any(J):
            excess = expected_dcg_of_eq7(J, k, gain, discount) - expected_dcg(
                [J], k, gain, discount
            )
            mean = sum(map(gain, J)) / len(J)
            yield {**world, "value": excess / mean}


# Sessions


def exchanged_queries() -> Iterator[World]:
    D = indexed([queries(q) for q in range(1, 6)])
    for lists in (RANKINGS, [[0, 1], [3], [], [2, 2]]):
        totals = [dcg(r, 9, gain, discount) for r in lists]
        for p, q in combinations(range(1, len(totals) + 1), 2):
            before = D(p) * totals[p - 1] + D(q) * totals[q - 1]
            after = D(p) * totals[q - 1] + D(q) * totals[p - 1]
            numbers = {"p": Fraction(p), "q": Fraction(q), "value": after - before}
            yield {**numbers, "D": D, "DCG_": indexed(totals)}


def positions() -> Iterator[World]:
    for world in of_sessions():
        vector = sdcg_vector(world["G"], world["L"], discount, queries)
        if vector:
            average = average_position(vector, RATIONALS)
            yield {
                **world, "V": from_0(vector), "L": Fraction(len(vector)),
                "avg_sDCG": average, "value": average,
                "each p": [{"p": Fraction(p)} for p in range(1, len(vector) + 1)],
            }  # fmt: skip


def from_0(vector: list[Any]) -> Any:
    """The components of a vector V, with V[0] = 0."""

    def at(p: Any) -> Any:
        return indexed([Fraction(0), *vector], 0)(p)

    return at


def covered_queries() -> Iterator[World]:
    """Sessions whose pool covers each list, with the padding X."""
    for world in each_query():
        J, X = list(world["J"]), whole(world["X"])
        if all(r.count(x) <= J.count(x) for r in world["S"] for x in r if x):
            totals = gains_of_queries(world["G"], discount, queries)

            def sDCG(q: Any, totals: Any = totals, X: int = X) -> Any:
                return same_cutoff(X, indexed(totals)(q))

            def ideal(k: Any, J: Any = J, X: int = X) -> Any:
                if k != X:
                    raise UndefinedError(f"the cut-off is {X}")
                return idcg(J, X, gain, discount)

            yield {**world, "sDCG": sDCG, "IDCG@": ideal}


FORMULAS = [
    Formula("RS-DCG-2/L2", swaps, inline=(1,)),
    Formula("RS-DCG-2/L3", upgrades, inline=(2,)),
    Formula("RS-EXP-20/L3", variances_of_counts, inline=(2,)),
    Formula("RS-EXP-19/L3", variances_between_bounds, inline=(0,), tight=True),
    Formula("RS-LEN-6/L2", of_the_highest(None), inline=(2,)),
    Formula("RS-LEN-6/L2", of_the_highest(1), inline=(5,)),
    Formula("RS-LEN-9/L6", of_one_relevant_item, inline=(4,)),
    Formula("RS-LEN-10/L3", real_gains(lambda r: Fraction(2**r - 1)), inline=(3,), iff=True),
    Formula("RS-LEN-10/L4", real_gains(Fraction), inline=(1,), iff=True),
    Formula("RS-LEN-10/L5", equal_weights, inline=(2,), iff=True),
    Formula("RS-LEN-12/L2", of_err("C1"), inline=(1,), iff=True),
    Formula("RS-LEN-12/L2", of_err("C2"), inline=(3, 4), iff=True),
    Formula("RS-LEN-12/L2", of_err("one"), inline=(5,)),
    Formula("RS-LEN-12/L2", of_err("two"), inline=(6,)),
    Formula("RS-LEN-13", lerr_of_lists, prose=("N",)),
    Formula("RS-LEN-13/L1", of_one_result, inline=(0,)),
    Formula("RS-LEN-14/L4", of_relevant_items("LAP"), inline=(2,)),
    Formula("RS-LEN-15/L5", of_relevant_items("LRBP"), inline=(1,)),
    Formula("RS-BND-5/L2", at_a_bound("best by UL1"), inline=(1,)),
    Formula("RS-BND-5/L3", at_a_bound("chance by UL1"), inline=(1,)),
    Formula("RS-BND-5/L7", within_positive, inline=(1,)),
    Formula("RS-BND-6/L10", losses(below=False), inline=(2,)),
    Formula("RS-BND-6/L10", losses(below=True), inline=(4,)),
    Formula("RS-BND-7/L1", at_a_bound("least"), inline=(0,)),
    Formula("RS-BND-7/L2", between_worst_and_best, inline=(0,)),
    Formula("RS-BND-7/L3", between_worst_and_best, inline=(2,)),
    Formula("RS-BND-7/L4", below_chance, inline=(1,)),
    Formula("RS-BND-8/L2", at_a_bound("best by ratio"), inline=(0,)),
    Formula("RS-BND-9/L2", beyond_the_pool, inline=(1,)),
    Formula("RS-REL-3/L2", whiskers, inline=(0,)),
    Formula("RS-SES-6/L4", exchanged_queries, inline=(1,)),
    Formula("RS-SES-13/L1", positions, inline=(0,)),
    Formula("RS-SES-13/L2", positions, inline=(0,), tight=True),
    Formula("RS-SES-14/L2", covered_queries, inline=(0,), tight=True),
]
