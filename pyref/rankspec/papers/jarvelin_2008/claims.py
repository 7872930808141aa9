"""The claims of jarvelin-2008, looked at in small sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, permutations, product
from typing import Any

from ... import api
from ...api import sessions as functions
from ...errors import InputError
from ..reproduction import Check, Claim, Figure
from .printed import (
    BASES,
    DCG,
    DEPTH,
    DISCOUNT,
    FEATURES,
    MOST,
    PLACES,
    SCENARIOS,
    SEARCHERS,
    TABLE_2,
    G,
    X,
)
from .tables import (
    OfIdealQueries,
    alone,
    by_eq_2_as_printed,
    dcg_vector,
    going_on,
    lengths,
    mean,
    numbers,
    query_discounts,
)

# A double of the API is the nearest to its real number: where one is below another, so are
# the reals.


def as_printed(printed: str, value: float) -> bool:
    return Figure(printed, value, PLACES).equal


def claim_on_eq_2(backend: str) -> Claim:
    wrong = by_eq_2_as_printed(backend)
    return Claim(
        "Appendix, eq. 2",
        "each gain of DCG[i] is divided by 1 + log_b i",
        (
            Check(
                "the example: DCG' falls from rank 3 to rank 4, where nothing is gained",
                wrong[3] >= wrong[2],
                False,
                ("RS-ERR-1",),
            ),
            Check(
                "the example: of the components from rank 2 on none is as printed",
                any(map(as_printed, DCG[1:], wrong[1:])),
                False,
                ("RS-ERR-1",),
            ),
        ),
    )


def claim_on_the_example(backend: str) -> Claim:
    slips: list[float] = [*G]
    slips[1] = 1.5  # 1.5/(1 + log_4 2) = 2/(1 + log_2 2)
    slips[7] = 3
    explained = all(map(as_printed, DCG, dcg_vector(slips, backend)))
    return Claim(
        "Appendix",
        "DCG' is that of G' with b = 4",
        (
            Check(
                "two slips give all ten components: the base 2 at rank 2, and the gain 3 at rank 8",
                not explained,
                False,
                ("RS-ERR-2",),
            ),
        ),
    )


def sdcg_vector(queries: Sequence[Sequence[float]], **chosen: Any) -> list[float]:
    return numbers(functions.sdcg_vector(list(queries), **chosen))


def falls(values: Sequence[float]) -> bool:
    return all(a > b for a, b in pairwise(values))


def rank_discounts(discount: str, backend: str) -> list[float]:
    """d(1), ..., d(100)."""
    lists = [alone(i) for i in range(1, DEPTH + 1)]
    return numbers(api.dcg(lists, discount=discount, backend=backend))


def claim_on_early_ranks(backend: str) -> Claim:
    bases = (2, 4, 10)
    new = [rank_discounts(f"jarvelin-2008(b={b})", backend) for b in bases]
    old = [rank_discounts(f"jarvelin-2002(b={b})", backend) for b in bases]
    in_words = "b = 2, 4 and 10"
    return Claim(
        "Section 2.1",
        "the value of all relevant documents is discounted, also of the early ones, which the "
        "original DCG did not discount",
        (
            Check(
                f"{in_words}: it is, from rank 2 to rank 100",
                all(x < 1 for d in new for x in d[1:]),
                True,
                ("RS-DISC-2",),
            ),
            Check(
                f"{in_words}: the discount of jarvelin-2002 is 1 to rank b, and less from b + 1 on",
                all(
                    [x == 1 for x in d] == [i <= b for i in range(1, DEPTH + 1)]
                    for b, d in zip(bases, old, strict=True)
                ),
                True,
                ("RS-DISC-3",),
            ),
            Check("rank 1: it is not", all(d[0] < 1 for d in new), False, ("RS-DISC-2",)),
        ),
    )


def claim_on_the_domain(backend: str) -> Claim:
    least, most = ("1.000001", "999.999999")
    first, last = (query_discounts(f"jarvelin-2008(b={b})", backend) for b in (least, most))
    beyond: Any = api.dcg(alone(2), discount="jarvelin-2008(b=1001)", backend=backend)
    return Claim(
        "Section 2.2, eq. 1",
        "the base bq is above 1 and below 1000",
        (
            Check(
                "rankspec refuses 1 and 1000",
                all(map(is_refused, ("1", "1000"))),
                True,
                ("RS-SES-3",),
            ),
            Check(
                f"bq = {least}: what later queries gain counts {first[1]:.6f} times at most; at 1 "
                "there is no logarithm",
                first[1] < 0.00001,
                True,
                ("RS-ERR-36",),
            ),
            Check(
                f"bq = {most}: query 2 counts {last[1]:.4f} times and query {MOST} "
                f"{last[-1]:.4f}; with larger bases a little more, and nothing ends at 1000",
                not last[1] < beyond < 1,
                False,
                ("RS-ERR-36",),
            ),
        ),
    )


def is_refused(base: str) -> bool:
    try:
        functions.sdcg([[1]], query_discount=f"jarvelin-2008(b={base})")
    except InputError:
        return True
    return False


def claim_on_patience(backend: str) -> Claim:
    D = [query_discounts(f"jarvelin-2008(b={b})", backend) for b in BASES]
    return Claim(
        "Sections 2.2 and 3.1",
        "a small base is for impatient searchers, a larger one for patient searchers",
        (
            Check(
                "bq = 1.5, 2, 4 and 10: queries 2 to 11 count more with each",
                all(falls(of_base) for of_base in list(zip(*reversed(D), strict=True))[1:]),
                True,
                ("RS-SES-3",),
            ),
        ),
    )


def claim_on_symbols(backend: str) -> Claim:
    two: dict[str, Any] = {"labels": [[1], [1]], "backend": backend}
    by_cg: Any = functions.sdcg(**two, query_discount="none")
    ideal: Any = functions.sdcg(**two)
    (share,) = numbers(functions.norm_vect([ideal], [by_cg]))
    ranks = len(functions.isdcg_vector([[0]] * MOST, judged=[1], k=X, backend=backend))
    return Claim(
        "Section 3.3, appendix",
        "vectors end at rank 100; the ideal session is discounted by formula (1)",
        (
            Check(
                f"figure 2: {MOST} queries of {X} results are {ranks} ranks",
                ranks <= DEPTH,
                False,
                ("RS-ERR-35",),
            ),
            Check(
                f"two ideal queries: by (1) of the appendix, CG, they have {share:.4f} of the "
                "ideal; (1) of section 2.2 is meant",
                share == 1,
                False,
                ("RS-ERR-35",),
            ),
        ),
    )


def claim_on_one_query(backend: str) -> Claim:
    chosen: dict[str, Any] = {"k": X, "discount": DISCOUNT, "backend": backend}
    session = sdcg_vector([G], **chosen)
    longer = sdcg_vector([[*G, *[3] * (DEPTH - X)]], **chosen)
    plain: dict[str, Any] = {"discount": "none", "query_discount": "jarvelin-2008(b=2)"}
    of_queries = functions.query_sdcg_vectors([G, G], **plain, backend=backend)
    whole = sdcg_vector([G, G], **plain, backend=backend)
    return Claim(
        "Sections 2.2 and 3.3",
        "sDCG(q) is the vector of a query, of which the top X are concatenated; the gains are "
        "summed progressively",
        (
            Check(
                "G' as a session of one query, b = 4: its vector is DCG'",
                session == dcg_vector(G, backend),
                True,
                ("RS-SES-3",),
            ),
            Check(
                "with 90 further results and X = 10: the same",
                longer == session,
                True,
                ("RS-SES-5",),
            ),
            Check(
                "G' twice, no discount of ranks, bq = 2: the last component is 16 + 8",
                [v[-1] for v in of_queries] == [16, 8] and whole[-1] == 24,
                True,
                ("RS-SES-6",),
            ),
        ),
    )


def claim_on_earlier_queries(backend: str) -> Claim:
    def column(rank: int, base: float) -> list[float]:
        """What a relevant document at a rank gains in query 1, ..., 11."""
        sessions = [[[0]] * (q - 1) + [alone(rank)] for q in range(1, MOST + 1)]
        discount = f"jarvelin-2008(b={base})"
        return numbers(functions.sdcg(sessions, query_discount=discount, backend=backend))

    return Claim(
        "Section 3",
        "documents at the same rank are worth more in an earlier query",
        (
            Check(
                "queries 1 to 11, ranks 1 to 10, bq = 1.5, 2, 4 and 10: each time",
                all(falls(column(i, bq)) for bq in BASES for i in range(1, X + 1)),
                True,
                ("RS-SES-3",),
            ),
        ),
    )


def claim_on_smoothness(backend: str) -> Claim:
    def convex(discount: str) -> bool:
        """Whether d(i - 1) + d(i + 1) > 2 d(i)."""
        ends = [[*alone(i - 1), 0, 1] for i in range(2, DEPTH)]
        middle = [alone(i, 2) for i in range(2, DEPTH)]
        return all(dcg_of(ends, discount) > dcg_of(middle, discount))

    def dcg_of(lists: list[list[float]], discount: str) -> Any:
        return api.dcg(lists, discount=discount, backend=backend)

    return Claim(
        "Section 3",
        "ranks and queries are discounted smoothly",
        tuple(
            Check(
                f"base {b}, positions 1 to {DEPTH}: the discount falls, and by less each time",
                falls(rank_discounts(f"jarvelin-2008(b={b})", backend))
                and convex(f"jarvelin-2008(b={b})"),
                True,
                ("RS-DISC-2",),
            )
            for b in (2, 4)
        ),
    )


def claim_on_normalised_queries(backend: str) -> Claim:
    one: dict[str, Any] = {"k": 1, "backend": backend}
    found = [float(v[0]) for v in functions.query_sdcg_vectors([[0], [1]], **one)]
    ideal = [float(v[0]) for v in functions.query_sdcg_vectors([[1], [1]], **one)]
    session = numbers(functions.nsdcg_vector([[0], [1]], judged=[1], **one))
    by_own = numbers(functions.norm_vect(found, ideal))
    by_one = numbers(functions.norm_vect(found, [1, 1]))
    return Claim(
        "Section 2.2",
        "each sDCG(q) is normalised by the ideal vector, and the normalised vectors concatenated",
        (
            Check(
                f"<0>, <1> of one relevant document: {written(by_one)}; by the ideal session of "
                f"section 3.3 {written(session)}",
                by_one == session,
                False,
                ("RS-ERR-37",),
            ),
            Check(
                f"each by the ideal of its own query: {written(by_own)}, whatever bq is",
                by_own == session,
                False,
                ("RS-ERR-37",),
            ),
            Check(
                f"<1>, <1>: {written(ideal)}, and their sum is above the ideal",
                sum(ideal) <= 1,
                False,
                ("RS-ERR-37",),
            ),
        ),
    )


def written(values: Sequence[float]) -> str:
    return " and ".join(f"{x:.4f}".rstrip("0").rstrip(".") for x in values)


def claim_on_more_queries(ideal: Mapping[str, OfIdealQueries], backend: str) -> Claim:
    late, early, again = numbers(
        functions.sdcg([[[0], [1]], [[1], [0]], [[1], [1]]], backend=backend)
    )
    gain = {system: of.gain[-1] for system, of in ideal.items()}
    queries = {system: sum(lengths(system)) for system in ideal}
    in_words = " and ".join(f"{gain[s]:.4f} with {queries[s]} queries" for s in ideal)
    return Claim(
        "Section 3.2",
        "the query discount penalises systems that require more queries",
        (
            Check(f"<0>, <1>: {late:.4f}, and <1>: {early:.4f}", late < early, True, ("RS-SES-3",)),
            Check(
                f"<1>, <1>: {again:.4f}; another query never takes from sDCG",
                again < early,
                False,
                ("RS-ERR-42",),
            ),
            Check(
                f"Table 2, if each query showed the ideal list: mean sDCG is {in_words}",
                gain["System 2"] < gain["System 1"],
                False,
                ("RS-ERR-42",),
            ),
        ),
    )


def claim_on_gains_held(ideal: Mapping[str, OfIdealQueries], backend: str) -> Claim:
    own = numbers(functions.nsdcg_vector([[1]], judged=[1], k=1, backend=backend))
    held = numbers(functions.held(own, MOST))
    gain = functions.held(sdcg_vector([[1]], k=1, backend=backend), MOST)
    share = numbers(functions.norm_vect(numbers(gain), going_on(MOST, backend)))
    first, second = (of.normalised for of in ideal.values())
    return Claim(
        "Section 3.3, figure 2",
        "the gain of a session that has ended is held constant, and normalised",
        (
            Check(
                "<1> of one relevant document: its nsDCG held is 1 after each of 11 queries",
                held == [1] * MOST,
                True,
                ("RS-SES-19",),
            ),
            Check(
                f"its gain held, over the ideal session that goes on: {share[1]:.4f} after 2 "
                f"queries, {share[-1]:.4f} after {MOST}; the words allow both",
                share == held,
                False,
                ("RS-ERR-38",),
            ),
            Check(
                "Table 2, if each query showed the ideal list: nsDCG held is 1 for both systems; "
                f"gains held are {first[-1]:.4f} and {second[-1]:.4f} of the ideal, System 2 above "
                "after each query but the first",
                not all(x < y for x, y in zip(first[1:], second[1:], strict=True)),
                False,
                ("RS-ERR-38",),
            ),
        ),
    )


def claim_on_one_scenario(backend: str) -> Claim:
    pool, depth = [2, 1], 2
    lists = [list(ranked) for ranked in permutations([*pool, 0], depth)]
    sessions = [queries for m in (1, 2) for queries in product(lists, repeat=m)]
    ideal = numbers(functions.isdcg_vector([[0]] * 2, judged=pool, k=depth, backend=backend))
    V = [
        functions.held(sdcg_vector(queries, k=depth, backend=backend), len(ideal))
        for queries in sessions
    ]
    N = [functions.norm_vect(numbers(v), ideal) for v in V]
    same_order = all(
        bool(((V[a] < V[b]) == (N[a] < N[b])).all() and ((V[a] > V[b]) == (N[a] > N[b])).all())
        for a, b in combinations(range(len(V)), 2)
    )
    chosen: dict[str, Any] = {"k": 1, "backend": backend}
    one, two = [[1]], [[0], [2]]
    gains = numbers(functions.sdcg([one, two], **chosen))
    shares = numbers(functions.nsdcg([one, two], judged=[pool, pool], **chosen))
    return Claim(
        "Sections 3.3 and 4",
        "without normalising, sessions of the same scenario compare as with it",
        (
            Check(
                f"{len(sessions)} sessions of one or two queries, judged 2 and 1, X = 2: at each "
                "rank the same order by sDCG as by its share of the ideal that goes on",
                same_order,
                True,
                ("RS-SES-21",),
            ),
            Check(
                f"judged 2 and 1, X = 1: sDCG of <1> and of <0>, <2> is {written(gains)}, nsDCG "
                f"{written(shares)}",
                (gains[0] < gains[1]) == (shares[0] < shares[1]),
                False,
                ("RS-ERR-39",),
            ),
        ),
    )


def claim_on_stopping(backend: str) -> Claim:
    V = sdcg_vector([[0], [1]], k=1, backend=backend)
    longer = sdcg_vector([[0], [1], [0], [0]], k=1, backend=backend)
    averages = [mean(V), mean(longer)]
    share: Any = functions.nsdcg([[1], [0]], judged=[1], backend=backend)
    return Claim(
        "Section 4",
        "the final gain is insensitive to early stopping",
        (
            Check(
                "<0>, <1>: the same after two further queries that gain nothing",
                longer == numbers(functions.held(V, 4)),
                True,
                ("RS-SES-19",),
            ),
            Check(
                f"its average gain is not: {written(averages)}",
                averages[0] == averages[1],
                False,
                ("RS-SES-13",),
            ),
            Check(
                "<1> of one relevant document, and one further query that gains nothing: nsDCG is "
                f"1 and {share:.1f}",
                share == 1,
                False,
                ("RS-ERR-38",),
            ),
        ),
    )


def claim_on_the_range(backend: str) -> Claim:
    chosen: dict[str, Any] = {"k": 2, "backend": backend}
    pool = [2, 1, 0]
    lists = [list(ranked) for ranked in permutations(pool, 2)]
    inside = all(
        0 <= x <= 1
        for queries in product(lists, repeat=2)
        for x in functions.nsdcg_vector(list(queries), judged=pool, **chosen)
    )
    twice: Any = functions.nsdcg([[1, 1]], judged=[1], check=False, **chosen)
    beyond: Any = functions.nsdcg([[2]], judged=[1], check=False, **chosen)
    as_it_is = sdcg_vector([[1], [1]], **chosen, padding=0)
    padded = numbers(functions.isdcg_vector([[1], [1]], judged=[1], **chosen))
    askew = numbers(functions.norm_vect(as_it_is, padded[:2]))[1]
    same = [[1]] * 2
    once: Any = functions.nsdcg(same, ids=same, judged=[1], k=1, repeats="first", backend=backend)
    where = "one relevant document"
    return Claim(
        "Appendix",
        "the components of a normalised vector are in [0, 1], a share of the ideal",
        (
            Check(
                "judged 2, 1 and 0, all 36 sessions of two queries that show two of them: yes",
                inside,
                True,
                ("RS-SES-17",),
            ),
            Check(
                f"{where}, shown twice by a query: {twice:.4f}",
                0 <= twice <= 1,
                False,
                ("RS-ERR-40",),
            ),
            Check(
                f"judged 1, and the query shows what is worth 2: {beyond:.4f}",
                0 <= beyond <= 1,
                False,
                ("RS-ERR-40",),
            ),
            Check(
                f"{where}, <1>, <1> concatenated as they are, over an ideal padded to X = 2: "
                f"{askew:.4f} at rank 2",
                0 <= askew <= 1,
                False,
                ("RS-ERR-40",),
            ),
            Check(
                f"{where}, which gains the first time only: no two queries reach 1, at most "
                f"{once:.4f}",
                once == 1,
                False,
                ("RS-ERR-40",),
            ),
        ),
    )


def claim_on_many_scenarios(backend: str) -> Claim:
    chosen: dict[str, Any] = {"gain": [0, 1, 10, 100], "k": 1, "backend": backend}
    systems = ((3, 0), (0, 1))  # what each shows first in the scenarios judged 3, and judged 1
    pools = (3, 1)

    def gain(label: int) -> float:
        return sdcg_vector([[label]], **chosen)[0]

    ideal = [gain(r) for r in pools]
    gains = [[gain(r) for r in shown] for shown in systems]
    average_of_shares = [
        mean(numbers(functions.norm_vect(of_system, ideal))) for of_system in gains
    ]
    share_of_averages = numbers(
        functions.norm_vect([mean(of_system) for of_system in gains], [mean(ideal)] * 2)
    )
    setting = "one system finds the document judged 3, the other that judged 1"
    return Claim(
        "Section 4, appendix",
        "when gains are averaged over scenarios, normalising adjusts for what is relevant in each",
        (
            Check(
                f"{setting}, of two scenarios: averages of normalised values are "
                f"{written(average_of_shares)}",
                average_of_shares[0] == average_of_shares[1],
                True,
                ("RS-SES-21",),
            ),
            Check(
                "norm-vect of average vectors, as the appendix has it: "
                f"{written(share_of_averages)}, 100 to 1 as without normalising",
                share_of_averages[0] == share_of_averages[1],
                False,
                ("RS-ERR-41",),
            ),
        ),
    )


def claim_on_the_text() -> Claim:
    sessions = sum(len(lengths(system)) for system in TABLE_2)
    rounded = (round(Decimal(printed)) == int(text) for printed, text in FEATURES.values())
    in_words = " and ".join(f"{printed} for {text}" for printed, text in FEATURES.values())
    return Claim(
        "Section 3.1",
        "each of 30 searchers had four sessions; they have searched the Internet for 7 years and "
        "practised medicine for 21",
        (
            Check(f"Table 2: {sessions} sessions", sessions == SEARCHERS * SCENARIOS, True),
            Check(f"Table 1: {in_words} years", all(rounded), True),
        ),
    )
