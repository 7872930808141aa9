"""The formulas of the chapter on sessions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import sympy

from rankspec.reference import session as sessions
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.numerics import nearest_double_of

from .evaluate import UndefinedError, whole
from .worlds import Formula, discount, gain, indexed, of_pool, value

World = dict[str, Any]
SESSIONS: list[tuple[list[list[int]], list[list[str]], list[int]]] = [
    ([], [], [1]),
    ([[1]], [["a"]], [1]),
    ([[2]], [["a"]], [2, 1]),
    ([[0, 3], [3, 1]], [["b", "a"], ["a", "c"]], [3, 1, 0, 2]),
    ([[1, 2, 0], [], [3, 1]], [["a", "b", "c"], [], ["d", "a"]], [3, 2, 1, 1]),
    ([[0], [0]], [["a"], ["a"]], [0, 0]),
]
QUERY_DISCOUNTS = [Fraction(x) for x in ("9/10", "3/4", "2/5", "1/3", "1/8")]
DELTAS = (Fraction(1), Fraction(0), Fraction(2, 5))


def queries(q: Any) -> Any:
    """The discount of a query."""
    return QUERY_DISCOUNTS[int(q) - 1]


def of_sessions() -> Iterator[World]:
    """The names that the formulas have for a session, a pool, a cut-off X and a padding c."""
    yield from _every_session()


@cache
def _every_session() -> tuple[World, ...]:
    return tuple(_sessions())


def _sessions() -> Iterator[World]:
    for (S, ids, J), X, c, delta in product(SESSIONS, (1, 2, 4), (0, 2, 4), DELTAS):
        if delta != 1 and c:
            continue
        t = sessions.appearances(ids, X)
        G = sessions.gains(S, t, X, gain, delta)
        L = sessions.ranks([len(r) for r in S], X, c)
        sDCG = sessions.sdcg(G, discount, queries)
        ideals = {
            "repeated": sessions.repeated_ideal(J, L), "spread": sessions.spread_ideal(J, L)
        }  # fmt: skip
        yield {
            **of_pool(J), "D": indexed([queries(q) for q in range(1, 6)]),
            "m": Fraction(len(S)), "X": Fraction(X), "c": Fraction(c), "\\delta": delta,
            "n_": indexed([Fraction(len(r)) for r in S]), "L_": indexed([Fraction(x) for x in L]),
            "r_()": None, "r_": indexed([indexed(r) for r in S]),
            "t_()": None, "t_": indexed([indexed(x) for x in t]),
            "G_()": None, "G_": indexed([indexed(x) for x in G]),
            "each q": [{"q": Fraction(q)} for q in range(1, len(S) + 1)],
            "sDCG@": same_cutoff(X, sDCG),
            "ids": ids, "S": S, "G": G, "L": L, "ideals": ideals,
        }  # fmt: skip


def same_cutoff(X: int, x: Any) -> Any:
    """A metric at the cut-off of a world, which has no value at another."""

    def at(k: Any) -> Any:
        if k != X:
            raise UndefinedError(f"the cut-off is {X}")
        return x

    return at


def each_query() -> Iterator[World]:
    for world in of_sessions():
        for q in range(1, len(world["S"]) + 1):
            yield {**world, "q": Fraction(q)}


def gains_of_queries() -> Iterator[World]:
    for world in each_query():
        yield {**world, "last i": len(world["G"][whole(world["q"]) - 1])}


def vectors_of_queries() -> Iterator[World]:
    for world in gains_of_queries():

        def sDCG(q: Any, G: Any = world["G"]) -> Any:
            return indexed(sessions.sdcg_of_query(G[whole(q) - 1], whole(q), discount, queries))

        yield {**world, "sDCG": sDCG}


def vector_of_a_session() -> Iterator[World]:
    """Each rank of the session, by its query and its rank there."""
    for world in each_query():
        vector = sessions.sdcg_vector(world["G"], world["L"], discount, queries)
        q = whole(world["q"])
        for i in range(1, world["L"][q - 1] + 1):
            p = sum(world["L"][: q - 1]) + i
            yield {**world, "i": Fraction(i), "p": Fraction(p), "sDCG": indexed(vector)}


def ideal_lists(which: str) -> Any:
    def worlds() -> Iterator[World]:
        for world in each_query():
            shown, L = world["ideals"][which], world["L"]
            before = [Fraction(sum(L[:q])) for q in range(len(L))]
            yield {
                **world, "I_": indexed([tuple(r) for r in shown]), "e_": indexed(before)
            }  # fmt: skip

    return worlds


def gain_of_nothing(label: Any) -> Any:
    return Fraction(0) if label is None else gain(label)


def sdcg_of_ideals() -> Iterator[World]:
    for world, which in product(of_sessions(), ("repeated", "spread")):
        shown, L = world["ideals"][which], world["L"]
        padded = [[*r, *[None] * (size - len(r))] for r, size in zip(shown, L, strict=True)]
        gains = [[gain(x) for x in r] for r in shown]
        yield {
            **world, "I_()": None, "I_": indexed([indexed(r) for r in padded]),
            "g": gain_of_nothing,
            "IsDCG@": same_cutoff(whole(world["X"]), sessions.sdcg(gains, discount, queries)),
        }  # fmt: skip


def normalised_sessions() -> Iterator[World]:
    for world in sdcg_of_ideals():
        X = world["X"]
        value = sessions.nsdcg(world["sDCG@"](X), world["IsDCG@"](X))
        yield {**world, "nsDCG@": same_cutoff(whole(X), value)}


def means_of_queries() -> Iterator[World]:
    """By the repeated ideal, with the padding X."""
    for world in of_sessions():
        J, X = list(world["J"]), whole(world["X"])
        if world["c"] < X or not world["S"]:
            continue
        L = [X] * len(world["S"])
        total = sessions.sdcg(world["G"], discount, queries)
        whole_ideal = sessions.repeated_isdcg(J, L, gain, discount, queries)
        values = sessions.ndcg_of_queries(world["G"], J, L, gain, discount)
        yield {
            **world,
            "nsDCG@": same_cutoff(X, sessions.nsdcg(total, whole_ideal)),
            "nDCG@()": None, "nDCG@": same_cutoff(X, indexed(values)),
        }  # fmt: skip


def per_query() -> Iterator[World]:
    for world in of_sessions():
        if world["S"]:
            value = sessions.sdcg_per_query(world["sDCG@"](world["X"]), len(world["S"]))
            yield {**world, "sDCG_q@": same_cutoff(whole(world["X"]), value)}


VECTORS = ([Fraction(3)], [Fraction(1), Fraction(1, 2)], [Fraction(x) for x in (2, 0, 5)])


def average_positions() -> Iterator[World]:
    for V in VECTORS:
        yield {
            "V": indexed(V), "L": Fraction(len(V)),
            "avg-pos": lambda _, V=V: sessions.average_position(V, RATIONALS),
        }  # fmt: skip


def ends_of_queries() -> Iterator[World]:
    for world in of_sessions():
        values = sessions.gains_of_queries(world["G"], discount, queries)

        def sDCG(q: Any, X: Any = world["X"], values: Any = values) -> Any:
            return same_cutoff(whole(X), indexed(values)(q))

        yield {**world, "sDCG": sDCG, "last q": len(world["S"])}


def ndcg_of_queries() -> Iterator[World]:
    for world in each_query():
        J, X = list(world["J"]), whole(world["X"])
        values = sessions.ndcg_of_queries(world["G"], J, world["L"], gain, discount)
        yield {**world, "nDCG@()": None, "nDCG@": same_cutoff(X, indexed(values))}


def quotients_of_vectors() -> Iterator[World]:
    V = [Fraction(3), Fraction(1)]
    for divisors, p in product([(2, 0), (0, 5), (3, 7)], (1, 2)):
        W = [Fraction(x) for x in divisors]
        yield {
            "V": indexed(V), "I": indexed(W), "p": Fraction(p),
            "norm-vect": value(indexed(sessions.norm_vect(V, W))),
        }  # fmt: skip


def averages_of_vectors() -> Iterator[World]:
    for size in (1, 2, 3):
        vectors = [Fraction(x) for x in (2, 7, 11)][:size]

        def average(*V: Any) -> Any:
            return sessions.avg_vect([[x] for x in V])[0]

        yield {"V_": indexed(vectors), "N": Fraction(size), "avg-vect": average}


def held_vectors() -> Iterator[World]:
    for V, more in product(VECTORS, (0, 2)):
        n = len(V) + more
        yield {
            "V": indexed(V), "L": Fraction(len(V)), "n": Fraction(n), "last p": n,
            "held": lambda _, n, V=V: indexed(sessions.held(V, whole(n))),
        }  # fmt: skip


OVER = ("mean", "sum", "best", "worst", "first", "last", "non-last")


def numbers_of_queries() -> Iterator[World]:
    for values, which in product(([Fraction(3)], [Fraction(x) for x in (2, 5, 1)]), OVER):
        if len(values) > 1 or which != "non-last":
            yield {
                "x": sessions.over_queries(values, which, RATIONALS), "x_": indexed(values),
                "m": Fraction(len(values)), "for": which,
            }  # fmt: skip


def numbers_of_sessions() -> Iterator[World]:
    """The numbers of queries of sessions."""
    for m, q in product(([1], [1, 3, 1], [2, 4, 2, 1]), range(1, 6)):
        yield {
            "m_": indexed([Fraction(x) for x in m]), "N": Fraction(len(m)), "q": Fraction(q),
            "each s": [{"s": Fraction(s)} for s in range(1, len(m) + 1)],
            "running": lambda q, m=m: sessions.still_running(m, whole(q)),
            "sessions": lambda q, m=m: sessions.sessions_by_queries(m).get(whole(q), 0),
        }  # fmt: skip


def ndcg_of_means() -> Iterator[World]:
    for world in each_query():
        J, X, c = list(world["J"]), whole(world["X"]), whole(world["c"])
        L_q = world["L"][whole(world["q"]) - 1]
        if not L_q or not world["IDCG@"](X):
            continue
        values = sessions.ndcg_of_means(world["G"], J, X, c, gain, discount, RATIONALS)
        yield {
            **world, "nDCG@()": None, "nDCG@": same_cutoff(X, indexed(values)),
            "\\Delta": lambda j: sum(map(discount, range(1, whole(j) + 1)), Fraction(0)),
            "L_J": Fraction(sessions.ranks([len(J)], X, c)[0]),
        }  # fmt: skip


def instance_recalls() -> Iterator[World]:
    for world in of_sessions():
        X = whole(world["X"])
        t = sessions.appearances(world["ids"], X)
        for theta in (1, 2):
            R = [[int(x >= theta) for x in r[:X]] for r in world["S"]]
            N_rel = sum(x >= theta for x in world["J"])
            if N_rel:
                shown = sessions.distinct_relevant(R, t)
                value = sessions.instance_recall(shown, N_rel, RATIONALS)
                yield {
                    **world, "\\theta": Fraction(theta), "N_rel": Fraction(N_rel),
                    "InstanceRecall@": same_cutoff(X, value),
                }  # fmt: skip


def scanned_queries() -> Iterator[World]:
    for world, s in product(each_query(), (0, 1, 5)):
        q = whole(world["q"])
        shown = sessions.scanned(world["S"], [s] * len(world["S"]))[q - 1]
        yield {**world, "s_q": Fraction(s), "scanned": value(tuple(shown))}


def deviations() -> Iterator[World]:
    for v in ([1.0, 2.0], [0.5, 0.5, 2.0], [0.1, 0.7, 0.2, 0.9]):
        exact = [Fraction(x) for x in v]
        yield {
            "v": exact, "v_": indexed(exact), "N": Fraction(len(v)),
            "\\bar v": sum(exact) / len(v), "double": lambda x: float(sympy.N(x, 60)),
            "sd": value(nearest_double_of(lambda R, v=v: sessions.standard_deviation(v, R))),
        }  # fmt: skip


FORMULAS = [
    Formula("RS-SES-2", gains_of_queries),
    Formula("RS-SES-3", vectors_of_queries),
    Formula("RS-SES-4", each_query),
    Formula("RS-SES-5", vector_of_a_session),
    Formula("RS-SES-6", of_sessions),
    Formula("RS-SES-7", ideal_lists("repeated")),
    Formula("RS-SES-8", ideal_lists("spread")),
    Formula("RS-SES-10", sdcg_of_ideals),
    Formula("RS-SES-11", normalised_sessions),
    Formula("RS-SES-11/L3", means_of_queries),
    Formula("RS-SES-12", per_query),
    Formula("RS-SES-13", average_positions),
    Formula("RS-SES-14", ends_of_queries),
    Formula("RS-SES-15", ndcg_of_queries),
    Formula("RS-SES-16", numbers_of_queries),
    Formula("RS-SES-17", quotients_of_vectors),
    Formula("RS-SES-18", averages_of_vectors),
    Formula("RS-SES-19", held_vectors),
    Formula("RS-SES-20", numbers_of_sessions),
    Formula("RS-SES-25", ndcg_of_means),
    Formula("RS-SES-26", scanned_queries),
    Formula("RS-SES-27", deviations),
    Formula("RS-SES-29", instance_recalls),
    Formula("RS-SES-32", numbers_of_sessions),
]
