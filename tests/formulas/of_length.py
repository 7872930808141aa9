"""The formulas of the chapter on length."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rankspec.reference.cascade import rbp
from rankspec.reference.dcg import expected_dcg, perfect_dcg
from rankspec.reference.length import (
    Z,
    dcg_of_one,
    expected_ldcg,
    expected_lndcg,
    ideal_ldcg,
    ildcg,
    ildcg_eq7,
    lap,
    ldcg,
    lgap,
    lndcg,
    lrbp,
    prior_of_clicks,
    prior_of_lengths,
    user_expected_dcg,
)
from rankspec.reference.length import prior as position_prior
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.precision import gsp, sp

from .evaluate import whole
from .of_lists import tied
from .worlds import (
    GAINS,
    PRIOR,
    Formula,
    discount,
    gain,
    indexed,
    lists,
    nothing,
    of_list,
    of_pool,
    prior,
    value,
)

World = dict[str, Any]
FACTORS = (Fraction(1), Fraction(3, 7))


def sums(d: Any = discount, w: Any = prior) -> World:
    """The sums of discounts and of weights, as functions of their end."""
    return {
        "w": indexed([w(i) for i in range(1, len(PRIOR) + 1)]),
        "D": lambda n: perfect_dcg(whole(n), d),
        "S": lambda n: user_expected_dcg(whole(n), d, w, 1),
        "W": lambda n: 1 / Z(whole(n), 1, w, RATIONALS) if n else Fraction(0),
    }


def introduction() -> Iterator[World]:
    for n in range(1, 6):
        yield {**of_pool([]), **sums(), "n": Fraction(n)}


def priors() -> Iterator[World]:
    for i, M in product(range(1, 6), (1, 2, 4)):
        own = {"p": lambda i, M=M: position_prior(whole(i), M, prior)}
        yield {**sums(), "i": Fraction(i), "M": Fraction(M), **own}


def of_one() -> Iterator[World]:
    for i, rel in product((1, 2, 3), (0, 1, 3)):
        own = {"DCG": lambda i, rel=rel: dcg_of_one(whole(i), rel, discount, RATIONALS)}
        yield {**of_pool([]), "i": Fraction(i), "rel": Fraction(rel), **own}


def factors() -> Iterator[World]:
    for M, rel in product((1, 2, 4), (0, 1, 3)):
        own = {"Z": lambda M, rel: Z(whole(M), whole(rel), prior, RATIONALS)}
        yield {**sums(), "M": Fraction(M), "rel": Fraction(rel), **own}


def expectations_of_users() -> Iterator[World]:
    for N, M, rel in product((0, 1, 2, 5), (1, 3, 4), (1, 2)):
        z = Z(M, rel, prior, RATIONALS)
        yield {
            **of_pool([]), **sums(), "N": Fraction(N), "M": Fraction(M), "rel": Fraction(rel),
            "Z": lambda M, rel: Z(whole(M), whole(rel), prior, RATIONALS),
            "E[DCG]": user_expected_dcg(min(N, M), discount, prior, z),
        }  # fmt: skip


def adjusted() -> Iterator[tuple[list[int], list[int], int, Any, World]]:
    """Lists with pools at cut-offs, by two factors; and with a discount that is 0 everywhere."""
    for (r, J, M, _), Z_, d in product(lists(), FACTORS, (discount, nothing)):
        if d is nothing and Z_ != 1:
            continue
        world = {**of_list(r, d), **of_pool(J, d), **sums(d), "M": Fraction(M), "Z": Z_}
        yield r, J, M, d, world


def ldcg_of_lists() -> Iterator[World]:
    for r, _, M, d, world in adjusted():
        yield {**world, "LDCG": ldcg(r, M, gain, d, prior, world["Z"])}


def ideals(which: str) -> Any:
    def worlds() -> Iterator[World]:
        for _, J, M, d, world in adjusted():
            if J and d is discount:
                own = best_of(J, M)
                value = ideal_ldcg(which, J, M, gain, d, prior, world["Z"], RATIONALS)
                yield {**world, **own, "ILDCG": value}

    return worlds


def best_of(J: list[int], M: int) -> World:
    """m, the highest label, and R, how many items of it are shown."""
    m = max(J)
    return {"m": Fraction(m), "R": Fraction(min(M, J.count(m)))}


FALL_AND_RISE = [([3, 2, 2, 2], 4), ([3, 3, 2, 2, 2], 5), ([3, 1, 1, 1, 1], 5), ([3, 2, 0], 3)]
"""Pools whose ideal is not where the quotient first falls, with the weights below."""

STEEP = [Fraction(x) for x in ("1", "1/2", "1/6", "1/9", "1/12", "1/15", "1/18", "1/21")]


def steep(i: Any) -> Fraction:
    """A prior by which more results of a lower label are worth their ranks."""
    return STEEP[int(i) - 1]


def turning(i: Any) -> Fraction:
    """The prior by which {3, 2} has the same quotient for one result and for two."""
    return Fraction(1) if i == 1 else GAINS[2] / GAINS[3]


def true_ideals() -> Iterator[World]:
    yield from ideals("true")()
    for (J, M), w in product(FALL_AND_RISE, (prior, steep)):
        world = {**of_pool(J), **sums(w=w), "M": Fraction(M), "Z": Fraction(1)}
        yield {**world, "ILDCG": ildcg(J, M, gain, discount, w, 1, RATIONALS)}


def choices_of_the_ideal() -> Iterator[World]:
    for which in ("true", "eq7"):
        for world in ideals(which)():
            yield {**world, "for": which}


def of_two_labels() -> Iterator[World]:
    """Pools of two labels: whether the ideal of eq. 7 is the greatest."""
    for J, M, w in product(
        ([3, 2], [3, 2, 2, 2], [3, 1, 1, 1, 1], [3, 3, 2, 2], [2, 1, 1, 1], [3, 3, 3, 2, 2, 2]),
        (2, 4, 6),
        (prior, steep, turning),
    ):
        m, rho = max(J), min(J)
        R, C = min(M, J.count(m)), min(M, len(J))
        if C == R:
            continue
        own = {"M": Fraction(M), "\\rho": Fraction(rho)}
        world = {**of_pool(J), **sums(w=w), **best_of(J, M), **own}
        S, D = world["S"], world["D"]
        beta = ((S(C) - S(R)) / (D(C) - D(R))) / (S(R) / D(R))
        true = ildcg(J, M, gain, discount, w, 1, RATIONALS)
        agree = true == ildcg_eq7(J, M, gain, discount, w, 1)
        yield {**world, "C": Fraction(C), "\\beta": value(beta), "agree": agree}


def agreeing() -> Iterator[World]:
    for world in of_two_labels():
        yield {**world, "holds": world["agree"]}


def differing() -> Iterator[World]:
    for world in of_two_labels():
        yield {**world, "holds": not world["agree"]}


def of_two_results() -> Iterator[World]:
    """Pools of two items of different labels; at 5/14 the two sides are equal for {3, 2}."""
    pairs = [(m, rho) for m in range(1, 4) for rho in range(m)]
    for (m, rho), x in product(pairs, ("3/5", "5/14", "4/15", "1/5", "1/20")):
        w = indexed([Fraction(1), *(Fraction(x) / i for i in range(1, len(PRIOR)))])
        true = ildcg([m, rho], 2, gain, discount, w, 1, RATIONALS)
        eq7 = ildcg_eq7([m, rho], 2, gain, discount, w, 1)
        own = {"m": Fraction(m), "\\rho": Fraction(rho), "holds": true != eq7}
        yield {**of_pool([m, rho]), **sums(w=w), **own}


def lndcg_of_lists() -> Iterator[World]:
    for (r, J, M, d, world), which in product(adjusted(), ("true", "eq7")):
        yield {
            **world,
            "LDCG": ldcg(r, M, gain, d, prior, 1),
            "ILDCG": ideal_ldcg(which, J, M, gain, d, prior, 1, RATIONALS),
            "LNDCG": lndcg(r, J, M, gain, d, prior, which, RATIONALS),
        }


def expected_ldcgs() -> Iterator[World]:
    for (groups, M, world), z in product(tied(), FACTORS):
        closed = {
            "LDCG": expected_ldcg(groups, M, gain, discount, prior, z),
            "DCG@": lambda k, x=groups: expected_dcg(x, whole(k), gain, discount),
        }
        N = min(whole(world["n"]), M)
        yield {
            **world, **sums(), "M": Fraction(M), "N": Fraction(N), "Z": z,
            "E[]": lambda body, closed=closed: body(closed),
        }  # fmt: skip


def expected_lndcgs() -> Iterator[World]:
    for (groups, M, world), which in product(tied(), ("true", "eq7")):
        J = list(world["J"])
        closed = {
            "LDCG": expected_ldcg(groups, M, gain, discount, prior, 1),
            "LNDCG": expected_lndcg(groups, J, M, gain, discount, prior, which, RATIONALS),
        }
        yield {
            **world, "ILDCG": ideal_ldcg(which, J, M, gain, discount, prior, 1, RATIONALS),
            "E[]": lambda body, closed=closed: body(closed),
        }  # fmt: skip


# The constraints: by LDCG with weights of two ranks

WEIGHTS = [
    (Fraction(1), Fraction(5, 14)),  # g(2) / g(3): where C1 turns
    (Fraction(1), Fraction(3, 8)),
    (Fraction(1), Fraction(1, 3)),
    (Fraction(1), Fraction(1)),
    (Fraction(2), Fraction(1)),
    (Fraction(3), Fraction(0)),
]
TWO_DISCOUNTS = [
    (Fraction(1), Fraction(3, 5)),
    (Fraction(1), Fraction(1)),
    (Fraction(2), Fraction(0)),
]


def two_lists() -> Iterator[tuple[Any, World]]:
    """LDCG of lists of up to two results, by weights and discounts of two ranks."""
    for weights, discounts in product(WEIGHTS, TWO_DISCOUNTS):
        d, w = (lambda i, x=x: x[int(i) - 1] for x in (discounts, weights))

        def E(r: Any, d: Any = d, w: Any = w) -> Fraction:
            return Fraction(ldcg(r, 2, gain, d, w, 1))

        yield E, {
            "d": indexed(discounts), "w": indexed(weights), "g": indexed(GAINS, first=0), "E": E,
            "\\lambda": weights[1] / weights[0],
        }  # fmt: skip


def labelled(*labels: int) -> World:
    """The labels r_1, r_2, r_3."""
    return {f"r_{i}": Fraction(x) for i, x in enumerate(labels, start=1)}


LABELS = range(len(GAINS))


def first_constraint() -> Iterator[World]:
    """By what L1 says of it."""
    for (_, world), *r in product(two_lists(), LABELS, LABELS, LABELS):
        d, w, g = world["d"], world["w"], world["g"]
        exactly = d(2) > 0 and g(r[2]) * w(1) < g(r[0]) * w(2)
        yield {**world, **labelled(*r), "holds": not (r[0] == r[1] > r[2]) or exactly}


def second_constraint() -> Iterator[World]:
    for (_, world), *r in product(two_lists(), LABELS, LABELS, LABELS):
        d, w, g = world["d"], world["w"], world["g"]
        exactly = g(r[0]) > 0 and d(2) > 0 and w(2) < w(1)
        yield {**world, **labelled(*r), "holds": not (r[0] == r[1] == r[2] > 0) or exactly}


def first_exactly() -> Iterator[World]:
    for (E, world), a, b in product(two_lists(), LABELS, LABELS):
        if a > b:
            yield {**world, "r_1": Fraction(a), "r_3": Fraction(b), "holds": E([a]) > E([a, b])}


def first_values(which: int) -> Any:
    def worlds() -> Iterator[World]:
        for (E, world), a, b in product(two_lists(), LABELS, LABELS):
            own = {"r_1": Fraction(a), "r_3": Fraction(b), "value": E([[a], [a, b]][which])}
            yield {**world, **own}

    return worlds


def second_values(which: int) -> Any:
    def worlds() -> Iterator[World]:
        for (E, world), a in product(two_lists(), LABELS):
            own = {"g": gain(a), "value": E([[a], [a, a]][which])}
            yield {**world, **own}

    return worlds


def second_exactly() -> Iterator[World]:
    for (E, world), a in product(two_lists(), LABELS):
        yield {**world, **labelled(a), "holds": E([a]) < E([a, a])}


def one_more_result() -> Iterator[World]:
    """Worlds where LDCG rises or not with one more result; weights and discounts are positive."""
    for r, x in product(([2], [3, 2], [1, 3], [0, 1]), LABELS):
        N = len(r)
        for last in (None, "equal"):
            weights = list(PRIOR)
            Q = ldcg(r, 9, gain, discount, prior, 1)
            if last and gain(x):  # where the two sides are equal
                weights[N] = gain(x) / Q
            w = lambda i, weights=weights: weights[int(i) - 1]  # noqa: E731
            longer = ldcg([*r, x], 9, gain, discount, w, 1)
            yield {
                "\\gamma": gain(x), "w": indexed(weights), "N": Fraction(N), "Q": Q,
                "holds": longer > Q,
            }  # fmt: skip


def lists_of_indicators() -> Iterator[World]:
    """LAP and LRBP of lists of relevance indicators."""
    for R, M, z in product(([], [1], [0, 1], [1, 0, 1], [1, 1, 0, 1]), (1, 2, 4), FACTORS):
        p = Fraction(2, 3)
        yield {
            **sums(), "n": Fraction(len(R)), "M": Fraction(M), "Z": z, "p": p,
            "SP@": lambda k, R=R: sp(R, whole(k), RATIONALS),
            "RBP@": lambda k, R=R, p=p: rbp(R, whole(k), p, RATIONALS),
            "LAP": lap(R, M, prior, z, RATIONALS),
            "LRBP": lrbp(R, M, p, prior, z, RATIONALS),
        }  # fmt: skip


def lists_of_labels() -> Iterator[World]:
    """LGAP of lists of labels, of which 1 is relevant to nobody by one of the two q."""
    for q in ((Fraction(1, 4), Fraction(1, 2)), (Fraction(0), Fraction(3, 4))):
        for r, M, z in product(([], [1], [2, 0], [1, 0, 2], [0, 2, 1, 2]), (1, 2, 4), FACTORS):
            yield {
                **sums(), "n": Fraction(len(r)), "M": Fraction(M), "Z": z,
                "\\pi_rel": next(x for x in q if x),
                "GSP@": lambda k, r=r, q=q: gsp(r, whole(k), q, RATIONALS),
                "LGAP": lgap(r, M, q, prior, z, RATIONALS),
            }  # fmt: skip


COUNTS = ([3], [5, 2, 1], [1, 2], [4, 0, 3, 1], [0, 0, 2], [2, 1, 4, 0, 5, 0], [1, 1, 1])


def of_counts(estimate: Any) -> Any:
    """Counts of ranks, or of lengths, with their prior."""

    def worlds() -> Iterator[World]:
        for counts in COUNTS:
            M, own = len(counts), {"p": indexed(estimate(counts))}
            for i in range(1, M + 1):
                c = indexed([Fraction(x) for x in counts])
                yield {**own, "c": c, "M": Fraction(M), "i": Fraction(i), "n": Fraction(i)}

    return worlds


def with_the_next(worlds: Any) -> Any:
    """The same with the prior of the rank behind the last, which is 0."""

    def extended() -> Iterator[World]:
        for world in worlds():
            M, p = whole(world["M"]), world["p"]
            yield {**world, "p": lambda i, M=M, p=p: p(i) if i <= M else Fraction(0)}

    return extended


FORMULAS = [
    Formula("length.md", introduction),
    Formula("RS-LEN-1", priors),
    Formula("RS-LEN-2", of_one),
    Formula("RS-LEN-3", factors),
    Formula("RS-LEN-4", expectations_of_users),
    Formula("RS-LEN-5", ldcg_of_lists, prose=("N",)),
    Formula("RS-LEN-5/L4", one_more_result, inline=(6,), iff=True),
    Formula("RS-EXP-11", expected_ldcgs),
    Formula("RS-LEN-6", ideals("eq7")),
    Formula("RS-LEN-7", true_ideals),
    Formula("RS-LEN-8", choices_of_the_ideal),
    Formula("RS-LEN-8/L2", agreeing, iff=True),
    Formula("RS-LEN-8/L3", differing, iff=True),
    Formula("RS-LEN-8/L6", of_two_results, inline=(4,), iff=True),
    Formula("RS-LEN-9", lndcg_of_lists),
    Formula("RS-EXP-12", expected_lndcgs),
    Formula("RS-LEN-10", first_constraint, iff=True),
    Formula("RS-LEN-10/L1", first_exactly, inline=(1, 2), iff=True),
    Formula("RS-LEN-10/L1", first_values(0), inline=(4,)),
    Formula("RS-LEN-10/L1", first_values(1), inline=(5,)),
    Formula("RS-LEN-11", second_constraint, iff=True),
    Formula("RS-LEN-11/L1", second_exactly, inline=(1, 2, 3), iff=True),
    Formula("RS-LEN-11/L1", second_values(0), inline=(5,)),
    Formula("RS-LEN-11/L1", second_values(1), inline=(6,)),
    Formula("RS-LEN-14", lists_of_indicators, prose=("N",)),
    Formula("RS-LEN-15", lists_of_indicators, prose=("N",)),
    Formula("RS-LEN-16", lists_of_labels, prose=("N",)),
    Formula("RS-LEN-19", of_counts(prior_of_clicks)),
    Formula("RS-LEN-20", of_counts(prior_of_lengths)),
    Formula("RS-LEN-20/L3", with_the_next(of_counts(prior_of_lengths)), inline=(0,)),
]
