"""jarvelin-2008: Table 2, and what its sentences about sessions are worth.

The definitions stand here once more. In exact fractions there are two ranks and two queries, of
which the discounts with b = 2 and bq = 4 are rational; beyond, numbers are balls of python-flint.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate, chain, combinations, pairwise, permutations, product

import flint
import pytest
import sympy

import rankspec as rs
from rankspec.papers.jarvelin_2008 import printed
from rankspec.reference import session as reference
from tests.reference.balls import ends_of, log

from ..each import each
from . import errata

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])

d = {1: Fraction(1), 2: Fraction(1, 2)}  # 1/(1 + log_2 2)
D = {1: Fraction(1), 2: Fraction(2, 3)}  # 1/(1 + log_4 2)

Session = tuple[tuple[int, ...], ...]


def session_vector(S: Session, X: int) -> list[Fraction]:
    """Section 3.3: the top X of each query, discounted by rank and by query, summed progressively;
    a short list is padded."""
    gains = (
        D[q] * d[i] * (listed[i - 1] if i <= len(listed) else 0)
        for q, listed in enumerate(S, start=1)
        for i in range(1, X + 1)
    )
    return list(accumulate(gains))


def ideal(pool: tuple[int, ...], queries: int) -> Session:
    """Section 3.3: the ideal list, once a query."""
    return (tuple(sorted(pool, reverse=True)),) * queries


def sdcg(S: Session, X: int) -> Fraction:
    return session_vector(S, X)[-1]


def nsdcg(S: Session, pool: tuple[int, ...], X: int) -> Fraction:
    return sdcg(S, X) / sdcg(ideal(pool, len(S)), X)


def lists(pool: tuple[int, ...], X: int) -> list[tuple[int, ...]]:
    """All lists of up to X items of the pool, none twice."""
    return sorted(set(chain.from_iterable(permutations(pool, n) for n in range(X + 1))))


def read(cell: str) -> Session:
    """A session as an erratum writes it: ⟨0⟩, ⟨1⟩."""
    return tuple(
        tuple(int(x) for x in query.split(",")) for query in cell.strip("⟨⟩").split("⟩, ⟨")
    )


def numbers(cell: str) -> list[str]:
    return [x.strip() for x in cell.split(",")]


def written(x: Fraction, places: int = 4) -> str:
    """x with so many decimals, without final zeros."""
    return errata.rounded(x, places).rstrip("0").rstrip(".")


@pytest.fixture
def precise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flint.ctx, "prec", 200)


def D_ball(q: int, bq: Fraction) -> flint.arb:
    return 1 / (1 + log(q, bq))


def decimals(x: flint.arb, places: int) -> str:
    low, high = (errata.rounded(end, places) for end in ends_of(x))
    assert low == high, "more bits are needed"
    return low


class TestTable2:
    """The counts against everything else that the paper says of them."""

    def test_sums(self) -> None:
        queries = 0
        for counts, average in printed.TABLE_2.values():
            assert len(counts) == printed.MOST == 11
            assert sum(counts) == int(printed.SESSIONS_A_SYSTEM) == 60
            of_system = sum(q * n for q, n in enumerate(counts, start=1))
            assert errata.rounded(Fraction(of_system, 60)) == average
            queries += of_system
        assert queries == int(printed.ALL_QUERIES) == 343

    def test_sessions(self) -> None:
        """Each of thirty searchers has four scenarios, two with each of two systems."""
        assert printed.SEARCHERS * printed.SCENARIOS == 120
        assert int(printed.SESSIONS_A_CELL) == 120 // (printed.SCENARIOS * 2)


class TestDiscounts:
    """1/(1 + ln x / ln b), of ranks and of queries."""

    def test_it_falls_and_by_less_and_less(self) -> None:
        """For every real x >= 1 and b > 1, so for every rank and query."""
        x, b, L, y = (sympy.Symbol(name, positive=True) for name in "xbLy")
        f = 1 / (1 + sympy.log(x) / sympy.log(b))
        # With L = ln b > 0 and y = 1 + ln x / ln b >= 1, both in positive symbols:
        known = {sympy.log(x): (y - 1) * L, sympy.log(b): L}
        first = sympy.simplify(sympy.diff(f, x).subs(known))
        second = sympy.simplify(sympy.diff(f, x, 2).subs(known))
        assert sympy.simplify(first + 1 / (L * x * y**2)) == 0
        assert sympy.simplify(second - (2 / (L * y) + 1) / (L * x**2 * y**2)) == 0
        assert first.is_negative
        assert (2 / (L * y) + 1).is_positive

    @pytest.mark.spec("RS-ERR-36")
    @each("position", [2, 3, 11], fast=1)
    def test_ends(self, position: int) -> None:
        q = sympy.Symbol("q", positive=True)
        b = sympy.Symbol("b", positive=True)
        D_q = 1 / (1 + sympy.log(position) / sympy.log(b))
        assert sympy.limit(D_q, b, 1, "+") == 0
        assert sympy.limit(D_q, b, sympy.oo) == 1
        t, c = sympy.symbols("t c", positive=True)  # t = ln b, c = ln q
        rise = sympy.simplify(sympy.diff(1 / (1 + c / t), t))
        assert rise.is_positive
        assert (1 / (1 + sympy.log(q) / sympy.log(b))).subs(q, 1) == 1

    @pytest.mark.usefixtures("precise")
    @pytest.mark.spec("RS-ERR-36")
    def test_the_table_of_the_erratum(self) -> None:
        rows = errata.table("RS-ERR-36")
        for bq, *cells in rows:
            expected = [decimals(D_ball(q, Fraction(bq)), 6) for q in (2, 3, 11)]
            assert cells == expected
        assert [Fraction(row[0]) for row in rows] == sorted(Fraction(row[0]) for row in rows)

    @BACKENDS
    @pytest.mark.spec("RS-ERR-36")
    def test_the_domain(self, backend: str) -> None:
        for bq in (1, 1000, 1001):
            with pytest.raises(rs.InputError):
                rs.sdcg([[1]], query_discount=f"jarvelin-2008(b={bq})", backend=backend)
        for bq in (math.nextafter(1, 2), math.nextafter(1000, 0)):
            assert rs.sdcg([[1]], query_discount=f"jarvelin-2008(b={bq!r})", backend=backend) == 1


@BACKENDS
@pytest.mark.spec("RS-ERR-35")
def test_formula_1_and_the_number_of_ranks(backend: str) -> None:
    two = ((1,), (1,))
    undiscounted = 2
    assert sdcg(two, 1) / undiscounted == Fraction(5, 6)
    assert rs.sdcg([[1], [1]], backend=backend) == float(sdcg(two, 1))
    assert rs.nsdcg([[1], [1]], judged=[1], backend=backend) == 1
    ranks = len(rs.sdcg_vector([[1]] * printed.MOST, k=printed.X, backend=backend))
    assert ranks == 110 > printed.DEPTH == 100
    text = " ".join(errata.entry("RS-ERR-35").split())
    assert "(1 + 2/3)/2 = 5/6" in text
    assert "vectors of 110 components" in text


@pytest.mark.spec("RS-ERR-37")
def test_normalised_queries() -> None:
    """One relevant document, X = 1: a query is its one label, and the ideal vector 1."""
    head, *_ = (line for line in errata.entry("RS-ERR-37").splitlines() if line.startswith("|"))
    sessions = [read(cell.strip()) for cell in head.strip("|").split("|")[1:]]
    assert sessions == [((0,), (1,)), ((1,), (1,))]
    readings = [row[1:] for row in errata.table("RS-ERR-37")]
    for S, cells in zip(sessions, zip(*readings, strict=True), strict=True):
        over_I = [D[q] * label for q, (label,) in enumerate(S, start=1)]
        over_own = [Fraction(label) for (label,) in S]
        of_3_3 = [
            v / i
            for v, i in zip(session_vector(S, 1), session_vector(ideal((1,), 2), 1))  # noqa: B905
        ]
        for cell, values in zip(cells, (over_I, accumulate(over_I), over_own, of_3_3), strict=True):
            assert numbers(cell) == [written(x) for x in values]
        for backend in ("c", "reference"):
            found = rs.nsdcg_vector([list(x) for x in S], judged=[1], k=1, backend=backend)
            assert found.tolist() == [float(x) for x in of_3_3]


@pytest.mark.spec("RS-ERR-37")
def test_nsdcg_is_a_mean_of_ndcg() -> None:
    """With the weights D(q); so another order of the queries is another value."""
    pool, X = (2, 1), 2
    I = sdcg(ideal(pool, 1), X)  # noqa: E741
    for a, b in product(lists(pool, X), repeat=2):
        ndcg = [sdcg((x,), X) / I for x in (a, b)]
        weighted = (D[1] * ndcg[0] + D[2] * ndcg[1]) / (D[1] + D[2])
        assert nsdcg((a, b), pool, X) == weighted
        assert (nsdcg((b, a), pool, X) == weighted) == (ndcg[0] == ndcg[1])


@pytest.mark.usefixtures("precise")
@pytest.mark.spec("RS-ERR-38", "RS-ERR-42")
def test_ideal_queries_of_table_2() -> None:
    """Gains held, over the ideal that goes on, after each query; and the mean gain at the end."""
    ideal_after = [
        *accumulate(D_ball(q, Fraction(4)) if q > 1 else flint.arb(1) for q in range(1, 12))
    ]
    alone = [1 / i for i in ideal_after]
    columns, final = [alone], []
    for counts, _ in printed.TABLE_2.values():
        gain = [
            sum(n * ideal_after[min(q, m) - 1] for m, n in enumerate(counts, start=1)) / 60
            for q in range(1, 12)
        ]
        columns.append([x / i for x, i in zip(gain, ideal_after, strict=True)])
        final.append(decimals(gain[-1], 4))
    rows = errata.table("RS-ERR-38")
    for q, row, values in zip(range(1, 12), rows, zip(*columns, strict=True), strict=True):
        assert row == [str(q), *(decimals(x, 4) for x in values)]
    assert all(x < y for _, _, x, y in rows[1:])  # System 2 is above
    assert rows[0][1:] == ["1.0000"] * 3
    text = " ".join(errata.entry("RS-ERR-42").split())
    assert f"{final[0]} of an ideal query for System 1, with 152 queries" in text
    assert f"{final[1]} for System 2, with 191" in text


@pytest.mark.spec("RS-SES-20")
def test_shares_still_running_add_up_to_the_printed_average() -> None:
    """A session of m queries is running at m of them: the shares add up to the mean of m."""
    for (counts, average), expected in zip(printed.TABLE_2.values(), ["2.53", "3.18"], strict=True):
        assert average == expected
        queries = [m for m, n in enumerate(counts, start=1) for _ in range(n)]
        shares = [reference.still_running(queries, q) for q in range(1, 13)]
        assert f"{float(sum(shares)):.2f}" == average
        assert shares[11] == 0


@BACKENDS
@pytest.mark.spec("RS-ERR-38")
def test_stopping(backend: str) -> None:
    """<1> of one relevant document: the two readings after a second query that is not made."""
    own = rs.nsdcg_vector([[1]], judged=[1], k=1, backend=backend)
    assert rs.held(own, 2).tolist() == [1, 1]
    gain = rs.held(rs.sdcg_vector([[1]], k=1, backend=backend), 2)
    goes_on = rs.isdcg_vector([[0], [0]], judged=[1], k=1, backend=backend)
    found = rs.norm_vect(gain.tolist(), goes_on.tolist()).tolist()
    assert found == [1, float(1 / (D[1] + D[2]))] == [1, 0.6]


class TestOneScenario:
    """RS-ERR-39: what orders sessions of the same scenario."""

    @pytest.mark.spec("RS-ERR-39")
    def test_the_table(self) -> None:
        pool = (2, 1)
        values = []
        for cell, gain, of_ideal, share in errata.table("RS-ERR-39"):
            S = read(cell)
            assert Fraction(gain) == sdcg(S, 1)
            assert Fraction(of_ideal) == sdcg(ideal(pool, len(S)), 1)
            assert Fraction(share) == nsdcg(S, pool, 1)
            for backend in ("c", "reference"):
                listed = [list(x) for x in S]
                assert rs.sdcg(listed, k=1, backend=backend) == float(Fraction(gain))
                found = rs.nsdcg(listed, judged=[*pool], k=1, backend=backend)
                assert found == float(Fraction(share))
            values.append((sdcg(S, 1), nsdcg(S, pool, 1)))
        for one, two in (values[:2], values[2:]):
            assert one[0] < two[0]
            assert one[1] > two[1]

    @pytest.mark.spec("RS-ERR-39")
    def test_nothing_smaller(self) -> None:
        """A result a query: with labels 0 and 1 no order is reversed, but one is made of equals."""

        def reversed_pairs(pool: tuple[int, ...]) -> list[tuple[Session, Session]]:
            shown = [(r,) for r in {0, *pool}]
            return [
                ((a,), (b, c))
                for a, b, c in product(shown, repeat=3)
                if sdcg((a,), 1) < sdcg((b, c), 1) and nsdcg((a,), pool, 1) > nsdcg((b, c), pool, 1)
            ]

        assert reversed_pairs((1,)) == reversed_pairs((1, 1)) == []
        found = reversed_pairs((2, 1))
        assert (((1,),), ((0,), (2,))) in found
        assert (((2,),), ((2,), (1,))) in found
        one, two = ((1,),), ((1,), (0,))
        assert sdcg(one, 1) == sdcg(two, 1)
        assert (nsdcg(one, (1,), 1), nsdcg(two, (1,), 1)) == (1, Fraction(3, 5))

    @pytest.mark.spec("RS-ERR-39")
    def test_rank_by_rank_and_with_equal_numbers_of_queries(self) -> None:
        pool, X = (2, 1), 2
        I = session_vector(ideal(pool, 2), X)  # noqa: E741
        one = [(a,) for a in lists(pool, X)]
        two = list(product(lists(pool, X), repeat=2))
        vectors = [session_vector(S, X) for S in (*one, *two)]
        held = [V + V[-1:] * (len(I) - len(V)) for V in vectors]
        for V, W in combinations(held, 2):
            for v, w, i in zip(V, W, I, strict=True):
                assert ((v > w) - (v < w)) == ((v / i > w / i) - (v / i < w / i))
        for sessions in (one, two):
            by_gain = sorted(sessions, key=lambda S: sdcg(S, X))
            shares = [nsdcg(S, pool, X) for S in by_gain]
            assert shares == sorted(shares)


class TestRange:
    """RS-ERR-40: where components are from 0 to 1."""

    @pytest.mark.spec("RS-ERR-40")
    @pytest.mark.parametrize("X", [1, 2])
    def test_under_the_conditions(self, X: int) -> None:
        """All sessions of one and of two queries, of all pools of up to three labels to 3."""
        pools = [p for n in (1, 2, 3) for p in product(range(4), repeat=n) if any(p)]
        for pool in pools:
            bounds = session_vector(ideal(pool, 2), X)
            for S in product(lists(pool, X), repeat=2):
                shares = [v / i for v, i in zip(session_vector(S, X), bounds, strict=True)]
                assert all(0 <= x <= 1 for x in shares)

    @pytest.mark.spec("RS-ERR-40")
    def test_without_one_of_them(self) -> None:
        for case, cell, judged, at_most, rank, component in errata.table("RS-ERR-40"):
            S, pool, X, p = read(cell), (int(judged),), int(at_most), int(rank) - 1
            if case.startswith("lists as they are"):
                V = list(accumulate(D[q] * x[0] for q, x in enumerate(S, start=1)))
            else:
                V = session_vector(S, X)
            v, i = V[p], session_vector(ideal(pool, len(S)), X)[p]
            if component == "0/0":
                assert (v, i) == (0, 0)
            else:
                assert v / i == Fraction(component) > 1

    @BACKENDS
    @pytest.mark.spec("RS-ERR-40")
    def test_the_same_by_the_package(self, backend: str) -> None:
        def component(S: list[list[int]], judged: int, X: int, p: int) -> float:
            found = rs.nsdcg_vector(S, judged=[judged], check=False, k=X, backend=backend)
            return float(found[p - 1])

        assert component([[1, 1]], 1, 2, 2) == 1.5
        assert component([[2]], 1, 1, 1) == 2
        assert component([[0]], 0, 1, 1) == 0  # as RS-SES-17 has it

    @pytest.mark.spec("RS-ERR-40")
    def test_gains_the_first_time_only(self) -> None:
        """One relevant item, in the first query, the second, both, or none: it gains once."""
        shown_in: list[tuple[int, ...]] = [(), (1,), (2,), (1, 2)]
        best = max(sum(D[q] for q in queries[:1]) for queries in shown_in)
        assert best / (D[1] + D[2]) == Fraction(3, 5)
        assert "at most 3/5" in " ".join(errata.entry("RS-ERR-40").split())
        found = rs.nsdcg([[1], [1]], ids=[[7], [7]], judged=[1], repeats="first")
        assert found == float(Fraction(3, 5))


class TestScenarios:
    """RS-ERR-41: averages of normalised values, and normalised averages."""

    @pytest.mark.spec("RS-ERR-41")
    def test_the_table(self) -> None:
        I = [Fraction(100), Fraction(1)]  # noqa: E741
        for _, gains, average, of_averages, of_normalised in errata.table("RS-ERR-41"):
            V = [Fraction(x) for x in numbers(gains)]
            assert Fraction(average) == sum(V) / 2
            assert Fraction(of_averages) == (sum(V) / 2) / (sum(I) / 2)
            assert Fraction(of_normalised) == sum(v / i for v, i in zip(V, I, strict=True)) / 2
            floats = [[float(sum(x) / 2)] for x in (V, I)]
            assert rs.norm_vect(*floats).tolist() == [float(Fraction(of_averages))]

    @pytest.mark.spec("RS-ERR-41")
    def test_a_mean_with_the_weights_of_the_ideals(self) -> None:
        v = sympy.symbols("v1:4")
        i = sympy.symbols("i1:4", positive=True)
        normalised_average = sum(v) / sum(i)
        weighted = sum(a * (b / a) for a, b in zip(i, v, strict=True)) / sum(i)
        assert sympy.simplify(normalised_average - weighted) == 0
        unweighted = sum(b / a for a, b in zip(i, v, strict=True)) / 3
        assert sympy.simplify(normalised_average - unweighted) != 0


class TestMoreQueries:
    """RS-ERR-42: what another query does to sDCG and nsDCG."""

    @pytest.mark.spec("RS-ERR-42")
    def test_the_table(self) -> None:
        for cell, gain, share in errata.table("RS-ERR-42"):
            S = read(cell)
            assert Fraction(gain) == sdcg(S, 1)
            assert Fraction(share) == nsdcg(S, (1,), 1)
            for backend in ("c", "reference"):
                listed = [list(x) for x in S]
                assert rs.sdcg(listed, k=1, backend=backend) == float(Fraction(gain))
                found = rs.nsdcg(listed, judged=[1], k=1, backend=backend)
                assert found == float(Fraction(share))

    @pytest.mark.spec("RS-ERR-42")
    def test_when_it_lowers_them(self) -> None:
        """sDCG never; nsDCG where the query's nDCG is below it, for all sessions of two queries."""
        pool, X = (3, 1, 0), 2
        answers = set()
        for a, b in product(lists(pool, X), repeat=2):
            before, after = ((a,), (a, b))
            assert sdcg(after, X) >= sdcg(before, X)
            lower = nsdcg(after, pool, X) < nsdcg(before, pool, X)
            assert lower == (nsdcg((b,), pool, X) < nsdcg(before, pool, X))
            answers.add(lower)
        assert answers == {True, False}

    @pytest.mark.spec("RS-ERR-42")
    def test_the_mediant(self) -> None:
        """(S + x)/(I + y) - S/I has the sign of x/y - S/I, for I, y > 0."""
        S, x = sympy.symbols("S x", nonnegative=True)
        I, y = sympy.symbols("I y", positive=True)  # noqa: E741
        quotient = sympy.simplify(((S + x) / (I + y) - S / I) / (x / y - S / I))
        assert sympy.simplify(quotient - y / (I + y)) == 0


@pytest.mark.usefixtures("precise")
def test_d_and_D_are_those_of_the_equations() -> None:
    """The fractions above, by another library; and both fall."""
    for q in (1, 2):
        for table, base in ((d, 2), (D, 4)):
            low, high = ends_of(1 / (1 + log(q, base)))
            assert low <= table[q] <= high
    for base in printed.BASES:
        weights = [D_ball(q, Fraction(base)) for q in range(1, printed.DEPTH + 1)]
        assert all(bool(a > b) for a, b in pairwise(weights))
