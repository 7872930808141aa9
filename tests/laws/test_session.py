"""The laws of sessions.

What a law states exactly is checked against the definitions of ``sessions``, evaluated place by
place: the value after a change must be the double nearest to the exact value that the law gives.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate, pairwise, permutations, product

import flint
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec.api.sessions import of
from rankspec.compute.backends import values
from rankspec.evaluation.sessions.judgments import (
    SearchSession,
    SessionConventions,
    judged_sessions,
)
from rankspec.metrics.measure import Session
from rankspec.metrics.session import ideal_session
from rankspec.reference import session as reference

from .broken import using
from .law import READINGS, law
from .rankings import double, grades, swapped
from .sessions import (
    OVER,
    RESULTS,
    By,
    Case,
    cases,
    discount,
    gain,
    greater,
    mean,
    over,
    quotient,
    rounded,
    times,
    total,
    weights,
)

pytestmark = pytest.mark.slow(but=2)

PAIRS = st.tuples(st.floats(1.05, 500), st.floats(1.05, 500)).map(sorted)
BOTH = pytest.mark.parametrize("by", READINGS)

based = st.sampled_from(["jarvelin-2008", "jiang-2016"])
few = st.integers(1, 5)


@pytest.fixture(autouse=True)
def _bits(monkeypatch):
    """Balls of enough bits to decide a rounding."""
    monkeypatch.setattr(flint.ctx, "prec", 500)


def at(rs, function, case, **changed):
    """The value, or the vector, of a function of a session."""
    value = getattr(rs, function)(case.labels, **{**case.arguments(function), **changed})
    return value.tolist() if hasattr(value, "tolist") else value


def backwards(f):
    """Takes the last query first."""

    def broken(labels, **a):
        if a.get("ids") is not None:
            a["ids"] = a["ids"][::-1]
        return f(labels[::-1], **a)

    return broken


def without_the_last(f):
    """Overlooks the last query."""

    def broken(labels, **a):
        if a.get("ids") is not None:
            a["ids"] = a["ids"][:-1]
        return f(labels[:-1], **a)

    return broken


def concatenated(f):
    """Takes the session for one list."""

    def broken(labels, **a):
        if a.get("ids") is not None:
            a["ids"] = [[x for ranked in a["ids"] for x in ranked]]
        return f([[x for ranked in labels for x in ranked]], **a)

    return broken


def without_empty(f):
    """Overlooks queries without results."""

    def broken(labels, **a):
        if a.get("ids") is not None:
            a["ids"] = [ranked for ranked in a["ids"] if ranked]
        return f([ranked for ranked in labels if ranked], **a)

    return broken


def anonymous(f):
    """Does not know the documents."""
    return lambda labels, **a: f(labels, **{**a, "ids": None, "repeats": 1})


# ---- each function is what its definition says ------------------------------------------------


@pytest.mark.spec("RS-SES-1", "RS-SES-2", "RS-SES-6", "RS-SES-12", "RS-SES-14", "RS-SES-16")
@law(case=cases(), sdcg=backwards)
def test_what_was_shown_by_definition(rs, case):
    x = By(case, pooled=False)
    assert at(rs, "sdcg", case) == rounded(x.sdcg)
    m = Fraction(len(case.queries))
    assert at(rs, "sdcg_q", case) == rounded(quotient(x.sdcg, m))
    for which in OVER:
        assert at(rs, "query_sdcg", case, over=which) == over(x.query_sdcg, which)


@pytest.mark.spec("RS-SES-3", "RS-SES-4", "RS-SES-5", "RS-SES-13")
@law(case=cases(), sdcg_vector=using(padding=0))
def test_vectors_by_definition(rs, case):
    x = By(case, pooled=False)
    assert at(rs, "sdcg_vector", case) == list(map(rounded, x.sdcg_vector))
    assert at(rs, "avg_sdcg", case) == rounded(mean(x.sdcg_vector))
    found = [V.tolist() for V in at(rs, "query_sdcg_vectors", case)]
    assert found == [list(map(rounded, V)) for V in x.query_sdcg_vectors]


@pytest.mark.spec("RS-SES-7", "RS-SES-8", "RS-SES-9", "RS-SES-10", "RS-SES-11")
@law(case=cases(), isdcg=using(ideal="repeated"))
def test_ideal_sessions_by_definition(rs, case):
    x = By(case)
    assert at(rs, "isdcg", case) == rounded(x.isdcg)
    assert at(rs, "isdcg_vector", case) == list(map(rounded, x.isdcg_vector))
    assert at(rs, "nsdcg", case) == rounded(x.nsdcg)


@pytest.mark.spec("RS-SES-13", "RS-SES-15", "RS-SES-16", "RS-SES-17")
@law(case=cases(), query_ndcg=using(padding=0))
def test_normalised_values_by_definition(rs, case):
    x = By(case)
    assert at(rs, "nsdcg_vector", case) == list(map(rounded, x.nsdcg_vector))
    assert at(rs, "avg_nsdcg", case) == rounded(mean(x.nsdcg_vector))
    for which in OVER:
        assert at(rs, "query_ndcg", case, over=which) == over(x.query_ndcg, which)


# ---- appearances and gains ----------------------------------------------------------------------


@pytest.mark.spec("RS-SES-1/L1", "RS-SES-1/L2", "RS-SES-1/L3")
@given(case=cases(), X=few, by=st.permutations(range(20)))
def test_appearances(case, X, by):
    t = reference.appearances(case.queries, X)
    numbers: dict[int, list[int]] = {}
    for ranked, t_q in zip(case.queries, t, strict=True):
        for x, t_i in zip(ranked[:X], t_q, strict=True):
            numbers.setdefault(x, []).append(t_i)
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values())
    assert sum(t_q.count(1) for t_q in t) == len(numbers)
    renamed = [[f"d{by[x]}" for x in ranked] for ranked in case.queries]
    assert reference.appearances(renamed, X) == t
    for m in range(len(t)):
        assert reference.appearances(case.queries[:m], X) == t[:m]
    assert reference.appearances([["a", "b"], ["b"]], 1) == [[1], [1]]  # beyond X nothing is shown
    assert reference.appearances([["a", "b"], ["b"]], 2) == [[1, 1], [2]]  # control


@pytest.mark.spec("RS-SES-1/L2")
@law(case=cases(), by=st.permutations(range(20)), sdcg=anonymous)
def test_names_of_documents_do_not_matter_but_which_are_the_same_does(rs, case, by):
    renamed = [[f"d{by[x]}" for x in ranked] for ranked in case.queries]
    value = at(rs, "sdcg", case)
    assert at(rs, "sdcg", case, ids=renamed) == value
    assert value == rounded(By(case, pooled=False).sdcg)


PLAIN = {"discount": "none", "query_discount": "none"}


@pytest.mark.spec("RS-SES-2/L1", "RS-SES-2/L2", "RS-SES-2/L3")
@law(
    case=cases(rational=True, **PLAIN),
    sdcg=lambda f: lambda *x, ids, **a: f(*x, ids=ids, **{**a, "repeats": 0.25 if ids else 1}),
)
def test_what_a_document_gains_that_comes_again(rs, case):
    g, X = gain(case.gain), By(case, pooled=False).X
    seen = Counter(x for ranked in case.queries for x in ranked[:X])
    worth = {x: g(case.label[x]) for x in seen}
    every = sum((n * worth[x] for x, n in seen.items()), Fraction(0))
    assert at(rs, "sdcg", case, repeats="every") == double(every)
    assert at(rs, "sdcg", case, repeats="every", ids=None) == double(every)
    assert at(rs, "sdcg", case, repeats="first") == double(sum(worth.values(), Fraction(0)))
    delta = Fraction(case.repeats)
    powers = {x: sum(delta**j for j in range(n)) for x, n in seen.items()}
    assert at(rs, "sdcg", case) == double(sum((worth[x] * powers[x] for x in seen), Fraction(0)))


@pytest.mark.spec("RS-SES-2/L4", "RS-SES-6/L8", "RS-SES-14/L3")
@law(
    case=cases(rational=True),
    pair=st.tuples(st.integers(0, 8), st.integers(0, 8)).map(sorted),
    sdcg=lambda f: lambda *x, repeats, **a: f(*x, repeats=1 - repeats, **a),
)
def test_what_is_left_of_gains_that_come_again(rs, case, pair):
    low, high = (Fraction(n, 8) for n in pair)
    values = [at(rs, "sdcg", case, repeats=float(x)) for x in (low, high)]
    assert values == sorted(values)
    first, every, between = (
        By(case.but(repeats=x), pooled=False).sdcg for x in (Fraction(0), Fraction(1), low)
    )
    assert first <= between <= (1 - low) * first + low * every
    assert values[0] == double(between)
    assert at(rs, "sdcg", case, repeats=1) == double(every)
    for q in range(len(case.queries)):
        cut = case.but(queries=case.queries[: q + 1])
        of_last = [at(rs, "query_sdcg", cut, over="last", repeats=float(x)) for x in (low, high)]
        assert of_last == sorted(of_last)
        assert q or of_last[0] == of_last[1]  # no list here shows a document twice
    twice = {"labels": [[1, 1]], "ids": [[0, 0]], "over": "first", "discount": "none"}
    assert rs.query_sdcg(repeats="first", **twice) == 1
    assert rs.query_sdcg(repeats="every", **twice) == 2  # where one does, the first may depend


@pytest.mark.spec("RS-SES-2/L5")
@law(
    case=cases(again=False), sdcg=lambda f: lambda *x, repeats, **a: f(*x, repeats=1, **a) + repeats
)
def test_where_nothing_comes_again_nothing_is_left_out(rs, case):
    values = {
        tuple(at(rs, f, case, repeats=x) for f in ("sdcg", "nsdcg", "query_ndcg"))
        for x in (0, 0.5, 1)
    }
    assert len(values) == 1


# ---- queries ------------------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-3/L1", "RS-SES-3/L2", "RS-SES-6/L2")
@law(case=cases(rational=True, least=1, repeats=1), query_sdcg_vectors=using(query_discount="none"))
def test_sdcg_of_a_query_is_dcg_with_a_factor(rs, case):
    D, X = discount(case.query_discount), By(case, pooled=False).X or None
    conventions = {"gain": case.gain, "discount": case.discount}
    d, g = discount(case.discount), gain(case.gain)
    for q, (r, V) in enumerate(
        zip(case.labels, at(rs, "query_sdcg_vectors", case), strict=True), start=1
    ):
        dcg = list(accumulate(g(x) * d(i) for i, x in enumerate(r[:X], start=1)))
        assert rs.dcg_vector(r, **conventions).tolist()[:X] == list(map(double, dcg))
        assert V.tolist() == [double(D(q) * x) for x in dcg]
    one = case.but(queries=case.queries[:1])
    for name in ("jarvelin-2008(b=7)", "jiang-2016(b=1.5)", "none"):
        value = at(rs, "sdcg", one, query_discount=name)
        assert value == rs.dcg(one.labels[0], k=X, **conventions)
    value = double(D(1) * By(one.but(query_discount="none"), pooled=False).sdcg)
    assert at(rs, "sdcg", one) == value


@BOTH
@pytest.mark.spec("RS-SES-6/L2")
def test_a_document_twice_in_one_list_gains_as_repeats_says(by):
    """Every list of up to three of two documents, with each way to count what comes again."""
    label, other = {0: 1, 1: 2}, 0
    for n, X in product((1, 2, 3), (None, 1, 2)):
        for documents in product((0, 1), repeat=n):
            r = [label[a] for a in documents]
            plain = rankspec.dcg(r, k=X, discount="zipf", backend=by)
            once = [
                x if a not in documents[:i] else 0
                for i, (a, x) in enumerate(zip(documents, r, strict=True))
            ]
            first = rankspec.dcg(once, k=X, discount="zipf", backend=by)
            ids, given = [list(documents)], {"discount": "zipf", "query_discount": "none", "k": X}
            assert rankspec.sdcg([r], ids=ids, backend=by, **given) == plain
            assert rankspec.sdcg([r], ids=ids, repeats="first", backend=by, **given) == first
            other += first != plain
    assert other  # L2 is not about these


@BOTH
@pytest.mark.spec("RS-SES-8/L3")
def test_a_session_with_more_ranks_than_the_ideal_may_have_more(by):
    """Of the pool ⟨1, 1⟩ each session with these L_q has no more than the ideal; others may."""
    J, given = [1, 1], {"ideal": "spread", "padding": 0, "k": 1, "backend": by}
    lists_of = [[], [0], [1]]
    more = 0
    for session in product(lists_of, repeat=2):
        ideal = rankspec.isdcg(list(session), judged=J, **given)
        for rival in product(lists_of, repeat=2):
            gained = rankspec.sdcg(list(rival), k=1, backend=by)
            if list(map(len, rival)) == list(map(len, session)):
                assert gained <= ideal, (session, rival)
            else:
                more += gained > ideal
    assert more


@BOTH
@pytest.mark.spec("RS-SES-11/L6")
def test_a_query_without_results_lowers_only_what_is_above_0_and_where_it_counts(by):
    J = [2, 1]
    for D, labels in product(([4, 2, 1], [4, 2, 0], [4, 0, 0]), ([2], [1], [0], [])):
        session = [labels, [1]]
        given = {"judged": J, "k": 2, "query_discount": D, "discount": "zipf", "backend": by}
        before = rankspec.nsdcg(session, **given)
        after = rankspec.nsdcg([*session, []], **given)
        assert (after < before) == (before > 0 and D[2] > 0), (D, labels)
        del given["backend"]
        exact = [
            rankspec.certify.certified("nsdcg", own, **given).exact
            for own in (session, [*session, []])
        ]
        assert exact[1] == exact[0] * Fraction(sum(D[:2]), sum(D))


@pytest.mark.spec("RS-SES-3/L2", "RS-SES-3/L3")
@law(
    kind=based,
    two=PAIRS,
    q=st.integers(2, 12),
    gain=st.integers(1, 9),
    sdcg=using(query_discount="jiang-2016(b=2)"),
)
def test_a_larger_base_discounts_queries_less(rs, *, kind, two, q, gain):
    low, high = two
    assume(high > low * 1.01)
    queries = [[]] * (q - 1) + [[gain]]
    values = [rs.sdcg(queries, query_discount=f"{kind}(b={b!r})") for b in two]
    assert 0 < values[0] < values[1] < gain
    exact = [discount(f"{kind}(b={b!r})")(q) for b in two]
    assert values == [rounded(times(Fraction(gain), x)) for x in exact]
    assert greater(exact[1], exact[0])
    assert [rs.sdcg([[gain]], query_discount=f"{kind}(b={b!r})") for b in two] == [gain, gain]


@pytest.mark.slow
@BOTH
@pytest.mark.spec("RS-SES-3/L3", "RS-SES-3")
def test_the_largest_base_and_the_limit(by):
    far = [
        rankspec.sdcg([[], [1]], query_discount=f"jiang-2016(b={b})", backend=by)
        for b in (10.0, 1e6, 1e150, 1e300)
    ]
    assert far == sorted(far)
    assert 1 - far[-1] <= 2**-50 < 1 - far[0]
    assert rankspec.sdcg([[1]], query_discount="jarvelin-2008(b=999.9)", backend=by) == 1
    for base in ("1000", "1", "1001.5", "0.5"):
        with pytest.raises(rankspec.InputError):
            rankspec.sdcg([[1]], query_discount=f"jarvelin-2008(b={base})", backend=by)
    assert rankspec.sdcg([[1]], discount="jarvelin-2008(b=1000)", backend=by) == 1  # of ranks


@pytest.mark.spec("RS-SES-3/L4")
@law(case=cases(rational=True, least=1, repeats=1), ndcg=using(gain=[0, 1, 1, 1, 9]))
def test_a_querys_vector_normalised_by_its_own_ideal_is_ndcg(rs, case):
    D, d, g = discount(case.query_discount), discount(case.discount), gain(case.gain)
    best = sorted(case.pool, reverse=True)
    conventions = {"gain": case.gain, "discount": case.discount, "judged": case.pool}
    for q, V in enumerate(By(case, pooled=False).query_sdcg_vectors, start=1):
        for i, x in enumerate(V, start=1):
            ideal = D(q) * sum(g(r) * d(j) for j, r in enumerate(best[:i], start=1))
            if ideal > 0:
                assert rs.ndcg(case.labels[q - 1], k=i, **conventions) == double(x / ideal)


@pytest.mark.spec("RS-SES-4/L1", "RS-SES-4/L2", "RS-SES-4/L3")
@law(
    n=st.lists(st.integers(0, 6), max_size=5),
    X=few,
    c=st.integers(0, 6),
    sdcg_vector=using(padding=0),
)
def test_how_many_ranks_a_query_has(rs, n, X, c):
    L = reference.ranks(n, X, c)
    assert all(min(X, n_q) <= L_q <= X for n_q, L_q in zip(n, L, strict=True))
    assert reference.ranks(n, X, X + c) == [X] * len(n)
    assert reference.ranks(n, X, 0) == [min(X, n_q) for n_q in n]
    more = reference.ranks(n, X, c + 1), reference.ranks(n, X + 1, c)
    more += (reference.ranks([n_q + 1 for n_q in n], X, c),)
    assert all(x <= y for found in more for x, y in zip(L, found, strict=True))
    queries = [[0] * n_q for n_q in n]
    assert len(rs.sdcg_vector(queries, k=X, padding=c)) == sum(L)
    assert len(rs.isdcg_vector(queries, k=X, padding="X")) == X * len(n)
    assert [len(V) for V in rs.query_sdcg_vectors(queries, k=X)] == [min(X, n_q) for n_q in n]


# ---- the session's vector, and its last component ----------------------------------------------


@pytest.mark.spec("RS-SES-5/L1", "RS-SES-5/L2", "RS-SES-5/L4", "RS-SES-6/L1")
@law(case=cases(rational=True, k=3), sdcg_vector=backwards)
def test_steps_ends_and_beginnings_of_a_vector(rs, case):
    x = By(case, pooled=False)
    V = at(rs, "sdcg_vector", case)
    steps = [x.weight(place) * x.gain(place) for place in x.places]
    assert list(map(double, accumulate(steps))) == V
    assert all(x <= y for x, y in pairwise(V))
    assert all(
        step == 0 for step, place in zip(steps, x.places, strict=True) if place not in x.seen
    )
    ends = list(accumulate(x.ranks))
    gained = list(accumulate(x.query_sdcg))
    for q, end in enumerate(ends, start=1):
        beginning = case.but(queries=case.queries[:q])
        assert at(rs, "sdcg_vector", beginning) == V[:end]
        assert at(rs, "sdcg", beginning) == double(gained[q - 1])
        assert at(rs, "sdcg", beginning) == (V[end - 1] if end else 0)


@pytest.mark.spec("RS-SES-5/L3")
@law(case=cases(), sdcg_vector=using(padding=0))
def test_padding_repeats_components(rs, case):
    x = By(case, pooled=False)
    short = at(rs, "sdcg_vector", case, padding=0)
    V = at(rs, "sdcg_vector", case)
    assert len(V) == len(x.places)
    assert short == [v for v, place in zip(V, x.places, strict=True) if place in x.seen]


@pytest.mark.spec("RS-SES-6/L3")
@law(
    case=cases(least=2, repeats=1, gain="linear"),
    kind=based,
    two=PAIRS,
    sdcg=using(query_discount="zipf"),
)
def test_sdcg_rises_with_the_base(rs, *, case, kind, two):
    low, high = (f"{kind}(b={b!r})" for b in two)
    values = [at(rs, "sdcg", case, query_discount=x) for x in (low, high)]
    assert values == sorted(values)
    gains = By(case, pooled=False).query_sdcg[1:]
    found = By(case.but(query_discount="none"), pooled=False).query_sdcg
    if two[1] > 1.5 * two[0] and any(greater(x, total(found) / 1000) for x in found[1:]):
        assert values[0] < values[1]
    assert len(gains) + 1 == len(found)


@pytest.mark.spec("RS-SES-6/L4")
@law(case=cases(rational=True, least=2, again=False), p=st.integers(0, 9), sdcg=backwards)
def test_exchanging_two_queries(rs, case, p):
    m = len(case.queries)
    p, q = pairwise_of(m, p)
    x = By(case, pooled=False)
    plain = By(case.but(query_discount="none"), pooled=False).query_sdcg
    D = discount(case.query_discount)
    exchanged = case.but(queries=swapped(case.queries, p, q))
    change = (D(p) - D(q)) * (plain[q - 1] - plain[p - 1])
    assert at(rs, "sdcg", exchanged) == double(x.sdcg + change)
    if plain[p - 1] >= plain[q - 1]:
        assert at(rs, "sdcg", exchanged) <= at(rs, "sdcg", case)


def pairwise_of(m, seed):
    """Two numbers p < q <= m."""
    pairs = [(p, q) for q in range(2, m + 1) for p in range(1, q)]
    return pairs[seed % len(pairs)]


@pytest.mark.spec("RS-SES-6/L5", "RS-SES-6/L6")
@law(
    x=cases(rational=True, repeats=1, k=3, gain=[0, 1, 2, 3, 10]),
    y=cases(rational=True, repeats=1, k=3, gain=[0, 1, 2, 3, 10]),
    n=st.integers(0, 3),
    sdcg=without_empty,
)
def test_one_session_after_the_other_and_queries_that_gain_nothing(rs, x, y, n):
    assume(all(isinstance(r, int) for r in (*x.label, *y.label)))
    conventions = {name: getattr(x, name) for name in ("k", "gain", "discount")}
    both = x.labels + y.labels
    of_x, of_y = (Case(c.queries, c.label, query_discount="none", **conventions) for c in (x, y))
    together = rs.sdcg(both, query_discount="none", **conventions)
    assert together == double(By(of_x).sdcg + By(of_y).sdcg)
    D = x.query_discount
    apart = [By(c.but(query_discount=D)).sdcg for c in (of_x, of_y)]
    assert rs.sdcg(both, query_discount=D, **conventions) <= double(sum(apart))
    value = rs.sdcg(x.labels, query_discount=D, **conventions)
    nothing = [0] * n
    assert rs.sdcg([*x.labels, nothing], query_discount=D, **conventions) == value
    delayed = Case([[], *x.queries], x.label, query_discount=D, **conventions)
    before = rs.sdcg([nothing, *x.labels], query_discount=D, **conventions)
    assert value >= before == double(By(delayed).sdcg)


@pytest.mark.spec("RS-SES-6/L7", "RS-SES-13/L4")
@law(
    case=cases(
        rational=True, gain=[0, 1, 2, 4, 8], discount="zipf", query_discount="zipf", padding=2
    ),
    other=weights,
    a=st.integers(0, 5),
    b=st.integers(0, 5),
    sdcg=using(gain=[0, 1, 2, 4, 9]),
)
def test_sdcg_is_linear(rs, *, case, other, a, b):
    assume(all(isinstance(r, int) for r in case.label))

    def exact(changed):
        by = By(case.but(**changed), pooled=False)
        return by.sdcg, mean(by.sdcg_vector)

    one, more = [0, 1, 2, 4, 8], [0, 0, 3, 3, 5]
    mixed = [a * x + b * y for x, y in zip(one, more, strict=True)]
    (s, average), (t, other_average) = exact({"gain": one}), exact({"gain": more})
    assert at(rs, "sdcg", case, gain=mixed) == double(a * s + b * t)
    assert at(rs, "avg_sdcg", case, gain=mixed) == double(a * average + b * other_average)
    for name in ("discount", "query_discount"):
        flat = [10 - i / 4 for i in range(40)]
        mixed = [a * x + b * y for x, y in zip(flat, other, strict=True)]
        of_each = [exact({name: w})[0] for w in (flat, other)]
        assert at(rs, "sdcg", case, **{name: mixed}) == double(a * of_each[0] + b * of_each[1])


@pytest.mark.spec("RS-SES-6/L9")
@law(
    case=cases(again=False),
    again=cases(repeats="every"),
    X=few,
    sdcg=lambda f: lambda *x, k, **a: f(*x, k=7 - k, **a),
)
def test_a_deeper_cut_off_never_lowers_sdcg(rs, case, again, X):
    for c in (case, again):
        assert at(rs, "sdcg", c, k=X) <= at(rs, "sdcg", c, k=X + 1)
    first = {"labels": [[0, 1], [1]], "ids": [[0, 1], [1]], "repeats": "first"}
    if isinstance(X, int):  # where a document comes again, one that is seen earlier may count less
        assert rs.sdcg(k=1, discount="zipf", **first) > rs.sdcg(k=2, discount="zipf", **first)


# ---- ideal sessions -----------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-7/L1", "RS-SES-10/L2", "RS-SES-8/L2")
@law(case=cases(rational=True), isdcg=using(ideal="spread"))
def test_the_repeated_ideal_repeats_idcg(rs, case):
    x, d, g = By(case), discount(case.discount), gain(case.gain)
    D = discount(case.query_discount)
    best = sorted(case.pool, reverse=True)

    def idcg(L):
        return sum((g(r) * d(i) for i, r in enumerate(best[:L], start=1)), Fraction(0))

    value = sum((D(q) * idcg(L) for q, L in enumerate(x.ranks, start=1)), Fraction(0))
    assert at(rs, "isdcg", case, ideal="repeated") == double(value)
    full = idcg(x.X) * sum((D(q) for q, _ in enumerate(case.queries, start=1)), Fraction(0))
    assert at(rs, "isdcg", case, ideal="repeated", padding="X") == double(full)
    if case.queries:
        one = case.but(queries=case.queries[:1], k=3)
        L = By(one).ranks[0]
        for ideal in ("repeated", "spread", "greatest"):
            assert at(rs, "isdcg", one, ideal=ideal) == double(D(1) * idcg(L))


@pytest.mark.spec("RS-SES-7/L2", "RS-SES-11/L1", "RS-SES-13/L5", "RS-SES-17/L2", "RS-SES-14/L2")
@pytest.mark.spec("RS-SES-15/L2")
@law(case=cases(ideal="repeated"), isdcg=using(gain=[0, 0, 0, 0, 1]), nsdcg=using(ideal="spread"))
def test_no_session_gains_more_than_the_repeated_ideal(rs, case):
    assert at(rs, "sdcg", case, k=case.k) <= at(rs, "isdcg", case)
    assert 0 <= at(rs, "nsdcg", case) <= 1
    assert 0 <= at(rs, "avg_nsdcg", case) <= 1
    assert all(0 <= v <= 1 for v in at(rs, "nsdcg_vector", case))
    D = discount(case.query_discount)
    assert at(rs, "query_ndcg", case, over="best") <= 1
    for q in range(1, len(case.queries) + 1):
        to_q = case.but(queries=case.queries[:q], k=case.k or RESULTS)
        repeated = By(to_q.but(query_discount="none", padding="X")).isdcg
        ideal = rounded(times(D(q), repeated, Fraction(1, q)))
        assert 0 <= at(rs, "query_sdcg", to_q, over="last") <= ideal


@BOTH
@pytest.mark.spec("RS-SES-11/L1")
def test_a_list_that_shows_a_document_twice_may_gain_more_than_the_ideal(by):
    twice = {"labels": [[1, 1]], "ids": [[0, 0]], "judged": [1], "backend": by}
    assert rankspec.nsdcg(k=2, **twice) == 1.5
    assert rankspec.nsdcg(k=2, repeats="first", **twice) == 1


def arranged(case):
    """{place: label} of the ideal session, by the reference."""
    chosen = {x: getattr(case, x) for x in ("discount", "query_discount", "padding", "ideal")}
    measure = rankspec.IsDCG(k=case.k, **chosen)
    shown = ideal_session(measure, Session(case.labels, case.pool), case.k)
    return {
        (q, i): r
        for q, ranked in enumerate(shown, start=1)
        for i, r in enumerate(ranked, start=1)
        if r is not None
    }


@pytest.mark.spec("RS-SES-8/L1")
@given(case=cases(k=3))
def test_the_spread_ideal_shows_the_ideal_ranking_once(case):
    found, x = arranged(case.but(ideal="spread")), By(case.but(ideal="spread"))
    best_first = sorted(case.pool, reverse=True)
    assert [found[place] for place in sorted(found)] == best_first[: len(x.places)]
    assert found == x.arrangement
    assert arranged(case.but(ideal="repeated")) == By(case.but(ideal="repeated")).arrangement


@pytest.mark.spec("RS-SES-9/L3", "RS-SES-9/L4")
@given(case=cases(k=3, ideal="greatest"), j=st.integers(0, 6))
def test_the_order_in_the_greatest_ideal(case, j):
    found, x = arranged(case), By(case)
    assert found == x.arrangement
    assert len(found) == min(len(case.pool), len(x.places))
    for q, i in found:
        for before in ((q, i - 1), (q - 1, i)):
            assert before not in x.places or found[before] >= found[q, i]
    fewer = arranged(case.but(judged=sorted(case.pool, reverse=True)[:j]))
    assert fewer == {place: found[place] for place in fewer}


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-SES-8/L3", "RS-SES-9/L2", "RS-SES-11/L2")
@law(
    case=cases(again=False),
    other=cases(repeats="first"),
    nsdcg=using(ideal="spread"),
)
def test_no_session_gains_more_than_the_greatest_ideal_where_nothing_gains_again(rs, case, other):
    for c in (case, other):
        assert 0 <= at(rs, "nsdcg", c, ideal="greatest") <= 1
        x = By(c)
        ends = [(q, L) for q, L in enumerate(x.ranks, start=1)]
        falls = all(not greater(x.weight((q + 1, 1)), x.weight((q, L))) for q, L in ends[:-1] if L)
        if falls and 0 not in x.ranks:
            spread = at(rs, "isdcg", c, ideal="spread")
            assert spread == at(rs, "isdcg", c, ideal="greatest")
            assert at(rs, "nsdcg", c, ideal="spread") <= 1
    assert at(rs, "nsdcg", case, k=1, ideal="spread") <= 1


@BOTH
@pytest.mark.spec("RS-SES-8/L4", "RS-SES-9/L2", "RS-SES-11/L2", "RS-SES-17/L3")
def test_sessions_that_gain_more_than_their_ideal(by):
    for ideal, value in (("spread", Fraction(10, 9)), ("greatest", Fraction(1))):
        found = rankspec.nsdcg([[1], [1]], judged=[1, 1], k=2, ideal=ideal, backend=by)
        assert found == double(value)
    # The smallest: with one query, one document, or X = 1 there is no such session.
    again = {"labels": [[1], [1]], "ids": [[0], [0]], "judged": [1], "k": 1, "backend": by}
    assert rankspec.nsdcg(ideal="greatest", **again) == double(Fraction(5, 3))
    assert rankspec.nsdcg(ideal="greatest", repeats="first", **again) == 1
    V = rankspec.nsdcg_vector([[1, 1], []], judged=[1, 1], k=2, ideal="greatest", backend=by)
    assert V.tolist() == [1, 1.5, 0.9, 0.9]


@BOTH
@pytest.mark.spec("RS-SES-9/L1")
def test_the_greatest_of_all_arrangements(by):
    """Four places, all pools of up to three items: the best of all ways to place them."""
    weights_of = {
        "zipf": [1, Fraction(1, 2)],
        "none": [1, 1],
        "jarvelin-2008(b=4)": [1, Fraction(2, 3)],
    }
    for d, D in permutations(weights_of, 2):
        w = [a * b for a in weights_of[D] for b in weights_of[d]]
        for J in ([], [3], [1, 2], [2, 2, 1], [3, 1, 0], [5, 4, 1]):
            spots = permutations(range(4), len(J))
            best = max(
                sum((w[p] * r for p, r in zip(s, J, strict=True)), Fraction(0)) for s in spots
            )
            given = {"judged": J, "k": 2, "discount": d, "query_discount": D, "backend": by}
            assert rankspec.isdcg([[], []], ideal="greatest", **given) == double(best)
    spread = rankspec.isdcg([[], []], ideal="spread", judged=[1, 1], k=2, backend=by)
    assert spread < rankspec.isdcg([[], []], ideal="greatest", judged=[1, 1], k=2, backend=by)


@BOTH
@pytest.mark.spec("RS-SES-9")
def test_weights_that_round_alike_are_compared_as_real_numbers(by):
    """D(2) d(1) and D(1) d(2) are one double; only equal real numbers leave the earlier place."""
    less = "jarvelin-2008(b=3.9999999999999996)"
    four, third = "jarvelin-2008(b=4)", double(3 + Fraction(4, 3))
    alike = [rankspec.sdcg([[0, 1]], discount=d, backend=by) for d in (four, less)]
    assert alike == [double(Fraction(2, 3))] * 2
    for of_ranks, of_queries, second in (
        (four, four, third),
        (four, less, third),
        (less, four, 3),
    ):
        given = {"judged": [3, 2], "k": 2, "discount": of_ranks, "query_discount": of_queries}
        V = rankspec.isdcg_vector([[], []], ideal="greatest", backend=by, **given)
        assert V.tolist() == [3, second, third, third]


def nothing_repeated(f):
    """Takes the greatest ideal for the repeated one."""
    return lambda *x, ideal, **a: f(*x, ideal={"repeated": "spread"}.get(ideal, "repeated"), **a)


@pytest.mark.spec("RS-SES-10/L1", "RS-SES-11/L8")
@law(case=cases(), isdcg=nothing_repeated)
def test_the_order_of_the_three_ideals(rs, case):
    three = [at(rs, "isdcg", case, ideal=x) for x in ("spread", "greatest", "repeated")]
    assert three == sorted(three)
    assert len({x == 0 for x in three}) == 1
    three = [at(rs, "nsdcg", case, ideal=x) for x in ("repeated", "greatest", "spread")]
    assert three == sorted(three)


@pytest.mark.spec("RS-SES-10/L3", "RS-SES-10/L4", "RS-SES-10/L5")
@law(
    case=cases(),
    i=st.integers(0, 99),
    isdcg=lambda f: (
        lambda *x, judged, **a: f(*x, judged=sorted(judged)[:-1], **a) / (1 + len(judged))
    ),
)
def test_more_to_find_or_more_places_for_it(rs, case, i):
    value, J = at(rs, "isdcg", case), case.pool
    assert at(rs, "isdcg", case, judged=[*J, case.label[0]]) >= value
    if J:
        raised = [*J[: i % len(J)], max(J), *J[i % len(J) + 1 :]]
        assert at(rs, "isdcg", case, judged=raised) >= value
    if case.ideal != "spread":
        padded = [at(rs, "isdcg", case, padding=c) for c in (0, 1, 2, 4, "X")]
        assert padded == sorted(padded)
    longer = case.but(queries=[*case.queries, [0]], judged=J, k=case.k)
    assert at(rs, "isdcg", longer) >= value
    empty = case.but(queries=[*case.queries, []], judged=J)
    assert at(rs, "isdcg", empty) >= value
    assert at(rs, "isdcg", empty, padding=0) == at(rs, "isdcg", case, padding=0)


@BOTH
@pytest.mark.spec("RS-SES-10/L4")
def test_padding_may_lower_the_spread_ideal(by):
    found = [
        rankspec.isdcg([[1], [1]], judged=[1, 1], k=2, ideal="spread", padding=c, backend=by)
        for c in (0, 2)
    ]
    assert found == [double(Fraction(5, 3)), 1.5]


# ---- nsDCG --------------------------------------------------------------------------------------

REPEATED = {"padding": "X", "ideal": "repeated"}


@pytest.mark.spec("RS-SES-11/L3", "RS-SES-16/L2", "RS-SES-15/L1")
@law(case=cases(rational=True, least=1, **REPEATED), nsdcg=using(padding=0))
def test_nsdcg_is_a_mean_of_ndcg(rs, case):
    D, x = discount(case.query_discount), By(case)
    m = len(case.queries)
    by_weight = sum(D(q) for q in range(1, m + 1))
    value = sum(D(q) * y for q, y in enumerate(x.query_ndcg, start=1))
    if by_weight:
        assert at(rs, "nsdcg", case) == double(value / by_weight)
        ends = [at(rs, "query_ndcg", case, over=which) for which in ("worst", "best")]
        assert ends[0] <= at(rs, "nsdcg", case) <= ends[1]
    undiscounted = at(rs, "nsdcg", case, query_discount="none")
    assert undiscounted == at(rs, "query_ndcg", case, over="mean")
    every = case.but(repeats="every")
    conventions = {name: getattr(case, name) for name in ("k", "gain", "discount")}
    by_itself = [rs.ndcg(r, judged=case.pool, **conventions) for r in case.labels]
    if case.k is not None or case.pool:
        assert at(rs, "query_ndcg", every, over="first") == by_itself[0]
        assert at(rs, "query_ndcg", every, over="last") == by_itself[-1]
        assert at(rs, "query_ndcg", every, over="best") == max(by_itself)


@pytest.mark.spec("RS-SES-11/L4")
@law(case=cases(), nsdcg=using(discount="none"))
def test_nsdcg_of_one_query_is_ndcg(rs, case):
    one = case.but(queries=[*case.queries, []][:1])
    assume(isinstance(case.query_discount, str) or case.query_discount[0] > 0)
    assert at(rs, "nsdcg", one) == at(rs, "query_ndcg", one)
    ndcg = rs.ndcg(one.labels[0], judged=one.pool, k=one.k, gain=one.gain, discount=one.discount)
    assert at(rs, "nsdcg", one, padding="X") == ndcg


@pytest.mark.spec("RS-SES-11/L5")
@law(
    case=cases(least=2, repeats=1, **REPEATED),
    kind=based,
    two=PAIRS,
    nsdcg=lambda f: lambda labels, ids=None, **a: f(labels[::-1], ids=ids[::-1], **a),
)
def test_a_larger_base_moves_weight_to_later_queries(rs, *, case, kind, two):
    values = By(case).query_ndcg
    order = sorted(range(len(values)), key=lambda q: rounded(values[q]))
    for queries, falls in ((order, False), (order[::-1], True)):
        ordered = case.but(queries=[case.queries[q] for q in queries])
        found = [at(rs, "nsdcg", ordered, query_discount=f"{kind}(b={b!r})") for b in two]
        assert found == sorted(found, reverse=falls)


@pytest.mark.spec("RS-SES-11/L6", "RS-SES-12/L2", "RS-SES-13/L3")
@law(case=cases(rational=True, ideal="repeated"), nsdcg=without_empty, sdcg_q=without_empty)
def test_a_query_without_results(rs, case):
    D, m = discount(case.query_discount), len(case.queries)
    more = case.but(queries=[*case.queries, []], judged=case.pool)
    x = By(case.but(padding="X"))
    shares = [sum((D(q) for q in range(1, n + 1)), Fraction(0)) for n in (m, m + 1)]
    if shares[1]:
        assert at(rs, "nsdcg", more, padding="X") == double(x.nsdcg * shares[0] / shares[1])
    for ideal in ("repeated", "spread", "greatest"):
        found = [at(rs, "nsdcg", c, padding=0, ideal=ideal) for c in (more, case)]
        assert found[0] == found[1]
    shown = By(case, pooled=False).sdcg
    assert at(rs, "sdcg_q", more) == double(shown / (m + 1))
    assert at(rs, "avg_sdcg", more) >= at(rs, "avg_sdcg", case) or By(more).ranks[-1] == 0


@pytest.mark.spec("RS-SES-11/L7")
@law(
    case=cases(rational=True, gain=[0, 1, 2, 4, 8]),
    c=st.sampled_from([2, 3, 7, 0.5]),
    nsdcg=lambda f: lambda *x, gain, **a: f(*x, gain=[y + (gain[1] != 1) for y in gain], **a),
)
def test_nsdcg_has_no_scale(rs, case, c):
    assume(all(isinstance(r, int) for r in case.label))
    value = at(rs, "nsdcg", case)
    assert at(rs, "nsdcg", case, gain=[c * y for y in case.gain]) == value
    for name in ("discount", "query_discount"):
        w = [20 - i / 2 for i in range(40)]
        unscaled = at(rs, "nsdcg", case, **{name: w})
        assert at(rs, "nsdcg", case, **{name: [c * y for y in w]}) == unscaled


@pytest.mark.spec("RS-SES-11/L9", "RS-SES-12/L3")
@law(
    case=cases(again=False, least=1, padding="X"),
    by=st.randoms(use_true_random=False),
    nsdcg=lambda f: lambda *x, **a: -f(*x, **a),
)
def test_sessions_of_one_scenario_stand_in_one_order(rs, case, by):
    shown = [x for ranked in case.queries for x in ranked]
    by.shuffle(shown)
    places = iter(shown)
    other = case.but(
        queries=[[next(places) for _ in ranked] for ranked in case.queries], judged=case.pool
    )
    two = case.but(judged=case.pool), other
    assert By(two[0]).ranks == By(two[1]).ranks
    exact = [By(c).sdcg for c in two]
    for function in ("nsdcg", "sdcg_q", "sdcg"):
        values = [at(rs, function, c) for c in two]
        assert values[0] == values[1] or (values[0] > values[1]) == greater(*exact)
    assert at(rs, "nsdcg", two[0]) >= 0


@BOTH
@pytest.mark.spec("RS-SES-11/L9", "RS-SES-21/L4")
def test_sessions_of_one_scenario_with_other_numbers_of_queries(by):
    one, two = [[2]], [[2], [1]]
    found = [
        f(c, k=1, backend=by, **more)
        for c in (one, two)
        for f, more in ((rankspec.sdcg, {}), (rankspec.nsdcg, {"judged": [2], "check": False}))
    ]
    assert found == [2, 1, double(Fraction(8, 3)), double(Fraction(4, 5))]


@pytest.mark.spec("RS-SES-11/L10")
@law(
    case=cases(rational=True, least=1, gain="linear", **REPEATED),
    best=st.integers(0, 3),
    nsdcg=lambda f: lambda *x, **a: min(1, 2 * f(*x, **a)),
)
def test_when_nsdcg_is_1(rs, case, best):
    x = By(case)
    D = discount(case.query_discount)
    assume(x.isdcg > 0 and D(len(case.queries)) > 0)
    ideal = sorted(set(range(len(case.label))), key=lambda y: -case.label[y])
    if best < 2:  # sessions that show nothing but ideal lists are rare
        case = case.but(queries=[ideal for _ in case.queries], judged=case.label)
        if best:
            case = case.but(queries=[*case.queries[1:], ideal[::-1]])
        x = By(case)
    each = [y == 1 for y in x.query_ndcg]
    assert (at(rs, "nsdcg", case) == 1) == all(each)


# ---- one number of a session --------------------------------------------------------------------


@pytest.mark.spec("RS-SES-12/L1", "RS-SES-14/L1", "RS-SES-16/L1", "RS-SES-16/L4")
@law(case=cases(rational=True), query_sdcg=without_the_last)
def test_sums_and_means_of_the_gains_of_queries(rs, case):
    gains, m = By(case, pooled=False).query_sdcg, len(case.queries)
    assert at(rs, "sdcg", case) == at(rs, "query_sdcg", case, over="sum") == double(total(gains))
    assert at(rs, "sdcg_q", case) == at(rs, "query_sdcg", case, over="mean") == double(mean(gains))
    if m >= 2:
        others = at(rs, "query_sdcg", case, over="non-last")
        assert others == double((m * mean(gains) - gains[-1]) / (m - 1))
    assert at(rs, "query_sdcg", case, over="last") == double(gains[-1] if gains else Fraction(0))


@pytest.mark.spec("RS-SES-16/L3", "RS-SES-16/L5")
@law(
    case=cases(least=1),
    query_sdcg=lambda f: lambda *x, over, **a: f(*x, over={"best": "mean"}.get(over, over), **a),
)
def test_the_order_of_the_numbers_of_queries(rs, case):
    for function in ("query_sdcg", "query_ndcg"):
        found = {which: at(rs, function, case, over=which) for which in OVER}
        assert all(found["worst"] <= found[x] <= found["best"] for x in ("first", "last", "mean"))
        one = case.but(queries=case.queries[:1])
        of_one = {which: at(rs, function, one, over=which) for which in OVER}
        assert of_one.pop("non-last") == 0
        assert len(set(of_one.values())) == 1


@pytest.mark.spec("RS-SES-13/L1", "RS-SES-13/L2")
@law(case=cases(rational=True), avg_sdcg=using(padding=0))
def test_the_average_position_weighs_steps_by_the_ranks_from_there_on(rs, case):
    x = By(case, pooled=False)
    steps = [x.weight(place) * x.gain(place) for place in x.places]
    L = len(steps)
    terms = [Fraction(L - p + 1, L) * step for p, step in enumerate(steps, start=1)]
    assert at(rs, "avg_sdcg", case) == double(total(terms))
    V = at(rs, "sdcg_vector", case) or [0.0]
    assert V[0] <= at(rs, "avg_sdcg", case) <= at(rs, "sdcg", case)


@pytest.mark.spec("RS-SES-25")
@law(case=cases(), query_ndcg=using(dcg="sum"))
def test_ndcg_of_means_by_definition(rs, case):
    x = By(case)
    for which in OVER:
        of_means = at(rs, "query_ndcg", case, dcg="mean", over=which)
        assert of_means == over(x.query_ndcg_of_means, which)


@pytest.mark.spec("RS-SES-25/L1", "RS-SES-25/L2")
@law(case=cases(rational=True, least=1), query_ndcg=using(dcg="sum"))
def test_ndcg_of_means_beside_ndcg(rs, case):
    X = {"padding": "X", "over": "last"}
    assert at(rs, "query_ndcg", case, dcg="mean", **X) == at(rs, "query_ndcg", case, **X)
    own = case.but(padding=0)
    x, d, g = By(own), discount(case.discount), gain(case.gain)
    best = sorted(case.pool, reverse=True)[: x.X]

    def mean_of_first(n):
        gained = sum((g(r) * d(i) for i, r in enumerate(best[:n], start=1)), Fraction(0))
        return quotient(gained, sum((d(i) for i in range(1, n + 1)), Fraction(0)))

    for y, of_mean, L in zip(x.query_ndcg, x.query_ndcg_of_means, x.ranks, strict=True):
        if len(best) >= L and mean_of_first(len(best)):
            factor = mean_of_first(L) / mean_of_first(len(best))
            assert of_mean == y * factor
            assert factor >= 1 or not y
    last = x.query_ndcg_of_means[-1]
    assert at(rs, "query_ndcg", own, dcg="mean", over="last") == double(last)


@pytest.mark.spec("RS-SES-25")
@pytest.mark.parametrize("backend", READINGS)
def test_weights_that_means_need(backend):
    """With d(i) = 1/i and two ranks at least: (1/1.5) / (1/1.5), and 1 where the sums cancel."""
    short = {"judged": [1], "k": 2, "dcg": "mean", "backend": backend}
    for padding in ("X", 2, 0):
        of_function = rankspec.query_ndcg([[1]], **short, padding=padding, discount=lambda i: 1 / i)
        assert of_function == 1
    assert rankspec.query_ndcg([[1]], **short, discount=[1]) == 1
    with pytest.raises(rankspec.InputError, match="weights for 1 ranks are given, but rank 2"):
        rankspec.query_ndcg([[1]], **short, discount=[1], padding=2)
    two = {**short, "judged": [1, 0], "padding": 1, "discount": lambda i: 1 / i}
    assert rankspec.query_ndcg([[1]], **two) == 1.5


@pytest.mark.spec("RS-SES-25/L3")
@pytest.mark.parametrize("backend", READINGS)
def test_ndcg_of_means_may_be_above_1(backend):
    short = {"judged": [1, 0], "k": 2, "padding": 0, "backend": backend}
    assert rankspec.query_ndcg([[1]], **short, dcg="mean") == 1.5  # d(1) = 1 and d(2) = 1/2
    assert rankspec.query_ndcg([[1]], **short, dcg="mean", discount=[2, 1.5]) == 1.75
    assert rankspec.query_ndcg([[1]], **short, dcg="sum") == 1


@pytest.mark.spec("RS-SES-15/L3", "RS-SES-15/L4")
@law(
    case=cases(rational=True, least=1, k=3),
    query_ndcg=lambda f: lambda *x, padding, **a: f(*x, padding=3 if padding == 0 else 0, **a),
)
def test_ndcg_of_queries_by_padding_and_by_sdcg(rs, case):
    values = [at(rs, "query_ndcg", case, padding=c, over="last") for c in (0, 1, 2, 3, "X")]
    assert values == sorted(values, reverse=True)
    x, d, g = By(case), discount(case.discount), gain(case.gain)
    D, best = discount(case.query_discount), sorted(case.pool, reverse=True)
    factors = [
        D(q) * sum((g(r) * d(i) for i, r in enumerate(best[:L], start=1)), Fraction(0))
        for q, L in enumerate(x.ranks, start=1)
    ]
    parts = [f * y for f, y in zip(factors, x.query_ndcg, strict=True)]
    assert at(rs, "query_sdcg", case, over="last") == double(parts[-1])
    assert at(rs, "query_sdcg", case, over="sum") == double(sum(parts))
    if factors[-1]:
        assert at(rs, "query_ndcg", case, over="last") == double(x.query_sdcg[-1] / factors[-1])


# ---- vectors ------------------------------------------------------------------------------------

components = st.lists(st.one_of(st.integers(-9, 9), st.floats(-100, 100)), min_size=1, max_size=6)
whole = st.lists(st.integers(0, 9), min_size=3, max_size=3)
several = st.lists(whole, min_size=1, max_size=5)


@pytest.mark.spec("RS-SES-17/L1", "RS-SES-17/L4", "RS-SES-17")
@law(
    case=cases(),
    V=components,
    a=st.sampled_from([1, 2, 3, -4, 0.5]),
    b=st.sampled_from([1, 2, -8, 0.25]),
    nsdcg_vector=backwards,
    norm_vect=lambda f: lambda V, other: f(V, [abs(x) + 1 for x in other]),
)
def test_normalised_vectors(rs, *, case, V, a, b):
    found = at(rs, "nsdcg_vector", case)
    assert not found or found[-1] == at(rs, "nsdcg", case)
    assert rs.norm_vect(V, V).tolist() == [float(x != 0) for x in V]
    other = [x + i for i, x in enumerate(V)]
    quotients = [quotient(Fraction(x), Fraction(y)) for x, y in zip(V, other, strict=True)]
    assert rs.norm_vect(V, other).tolist() == list(map(double, quotients))
    by_a, by_b = [a * x for x in V], [b * y for y in other]
    exact = zip([*by_a, *by_b], [*V, *other], [a] * len(V) + [b] * len(V), strict=True)
    if all(Fraction(x) == Fraction(c) * Fraction(y) for x, y, c in exact):  # nothing was rounded
        scaled = [double(Fraction(a) / Fraction(b) * x) for x in quotients]
        assert rs.norm_vect(by_a, by_b).tolist() == scaled


@pytest.mark.spec("RS-SES-18/L1", "RS-SES-18/L2", "RS-SES-18/L3", "RS-SES-18/L4", "RS-SES-18")
@law(
    V=several,
    W=st.lists(whole, min_size=5, max_size=5),
    c=st.integers(0, 4),
    avg_vect=lambda f: lambda rows: f(rows[:2]),
)
def test_the_average_vector(rs, V, W, c):
    n, average = len(V), rs.avg_vect(V).tolist()
    columns = list(zip(*V, strict=True))
    assert average == [double(Fraction(sum(column), n)) for column in columns]
    assert all(min(col) <= x <= max(col) for x, col in zip(average, columns, strict=True))
    assert rs.avg_vect(V[::-1]).tolist() == average
    assert rs.avg_vect([V[0]] * n).tolist() == V[0]
    together = [[x + y for x, y in zip(v, w, strict=True)] for v, w in zip(V, W, strict=False)]
    of_sums = rs.avg_vect(together).tolist()
    assert of_sums == [
        double(Fraction(sum(a) + sum(b), n))
        for a, b in zip(columns, zip(*W[:n], strict=True), strict=True)
    ]
    multiples = rs.avg_vect([[c * x for x in v] for v in V]).tolist()
    assert multiples == [double(c * Fraction(sum(column), n)) for column in columns]
    alike = [2, 4, 8]  # quotients by powers of two are exact
    assert (
        rs.avg_vect([rs.norm_vect(v, alike) for v in V]).tolist()
        == rs.norm_vect(average, alike).tolist()
    )


@pytest.mark.spec("RS-SES-18/L4")
def test_the_average_of_quotients_is_not_the_quotient_of_averages():
    quotients = rankspec.avg_vect([rankspec.norm_vect([1], [1]), rankspec.norm_vect([1], [3])])
    averages = rankspec.norm_vect(rankspec.avg_vect([[1], [1]]), rankspec.avg_vect([[1], [3]]))
    assert (quotients.tolist(), averages.tolist()) == ([double(Fraction(2, 3))], [0.5])


@pytest.mark.spec("RS-SES-19/L1", "RS-SES-19/L2", "RS-SES-19/L3", "RS-SES-19")
@law(
    V=components,
    more=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    case=cases(padding="X", k=2),
    held=lambda f: lambda V, n: f([*V, 0][:n], n),
)
def test_a_session_that_has_ended_keeps_its_gain(rs, V, more, case):
    L = len(V)
    n, further = L + more[0], L + sum(more)
    longer = rs.held(V, n).tolist()
    assert longer[:L] == V
    assert longer[L - 1 :] == [V[-1]] * (n - L + 1)
    assert rs.held(longer, further).tolist() == rs.held(V, further).tolist()
    assert rs.held(V, L).tolist() == V
    assert rs.held([], n).tolist() == [0] * n
    found = at(rs, "sdcg_vector", case)
    ended = case.but(queries=[*case.queries, *[[]] * more[0]])
    assert at(rs, "sdcg_vector", ended) == rs.held(found, len(found) + 2 * more[0]).tolist()


@pytest.mark.spec("RS-SES-20/L1", "RS-SES-20/L2", "RS-SES-20/L3", "RS-SES-20")
@law(
    m=st.lists(st.integers(0, 6), min_size=1, max_size=8),
    still_running=lambda _: lambda m, q: sum(x > q for x in m) / len(m),
)
def test_the_share_of_sessions_that_are_still_running(rs, m):
    shares = [rs.still_running(m, q) for q in range(1, 9)]
    assert shares == sorted(shares, reverse=True)
    assert all(x == 1 for x in shares[: min(m)])
    assert all(x == 0 for x in shares[max(m) :])
    exact = [Fraction(sum(x >= q for x in m), len(m)) for q in range(1, 9)]
    assert shares == list(map(double, exact))
    assert sum(exact) == Fraction(sum(m), len(m))
    for q, (a, b) in enumerate(pairwise(exact), start=1):
        assert a - b == Fraction(m.count(q), len(m))
    assert rankspec.still_running([], 1) == 0


# ---- forms of sessions, and their judgments -----------------------------------------------------


@pytest.mark.spec("RS-SES-22/L1", "RS-SES-22/L2")
@BOTH
@given(several=st.lists(cases(k=None), min_size=1, max_size=3))
def test_the_form_of_sessions_does_not_matter(by, several):
    import numpy as np

    several.append(Case([[0], []], [1]))  # so that no list of sessions reads as one session
    labels, ids, judged = (
        [getattr(c, name) for c in several] for name in ("labels", "ids", "pool")
    )
    queries = [ranked for session in labels for ranked in session]
    flat = {
        "labels": [x for ranked in queries for x in ranked],
        "offsets": [0, *accumulate(map(len, queries))],
        "sessions": [0, *accumulate(map(len, labels))],
        "ids": [x for session in ids for ranked in session for x in ranked],
        "judged": [x for pool in judged for x in pool],
        "judged_offsets": [0, *accumulate(map(len, judged))],
    }
    for measure in (
        rankspec.nsDCG(repeats=0.5, padding=1, k=2),
        rankspec.avg_nsDCG(ideal="spread"),
    ):
        apart = [measure.of(c.labels, ids=c.ids, judged=c.pool, backend=by) for c in several]
        together = of(measure, labels, ids=ids, judged=judged, backend=by)
        assert together.tolist() == apart
        assert of(measure, **flat, backend=by).tolist() == apart
        backwards = of(measure, labels[::-1], ids=ids[::-1], judged=judged[::-1], backend=by)
        assert backwards.tolist() == apart[::-1]
        arrays = {name: np.array(x) for name, x in flat.items()}
        if arrays["labels"].dtype.kind in "if" and len(flat["ids"]) and len(flat["judged"]):
            assert of(measure, **arrays, backend=by).tolist() == apart
    square = np.arange(1, 13).reshape(2, 2, 3) * 5 % 7
    rows = square.tolist()
    found = rankspec.sdcg(square, k=[1, 3], backend=by)
    assert found.tolist() == rankspec.sdcg(rows, k=[1, 3], backend=by).tolist()
    assert found[1].tolist() == rankspec.sdcg(square[1], k=[1, 3], backend=by).tolist()
    assert found[1][0] != found[0][0]  # control


@BOTH
@pytest.mark.spec("RS-SES-22")
def test_which_lists_are_one_session(by):
    assert rankspec.sdcg([], backend=by) == 0
    assert rankspec.sdcg([], ids=[], backend=by) == 0
    assert rankspec.sdcg([[], []], backend=by) == 0
    assert rankspec.sdcg([[[]], []], backend=by).tolist() == [0, 0]


def judged_by(sessions, judgments, **conventions):
    return judged_sessions(sessions, judgments, SessionConventions(**conventions)).batch


@BOTH
@pytest.mark.spec("RS-SES-23/L1", "RS-SES-23/L2", "RS-SES-23/L3", "RS-SES-23/L4")
@given(
    case=cases(gain="linear"),
    unjudged=st.sets(st.integers(0, 14)),
    more=st.lists(grades, max_size=3),
    by_random=st.randoms(use_true_random=False),
)
def test_the_pool_of_a_session(by, case, unjudged, more, by_random):
    names = [[f"d{x}" for x in ranked] for ranked in case.queries]
    session = SearchSession("1", names)
    judged = {f"d{x}": r for x, r in enumerate(case.label) if x not in unjudged}
    judged |= {f"e{x}": r for x, r in enumerate(more)}
    shuffled = list(judged.items())
    by_random.shuffle(shuffled)
    all_judged, other_order, retrieved = (
        judged_by([session], {"1": labels}, pool=pool)
        for labels, pool in ((judged, "judged"), (dict(shuffled), "judged"), (judged, "retrieved"))
    )
    chosen = {
        name: getattr(case, name)
        for name in ("k", "discount", "query_discount", "repeats", "padding", "ideal")
    }
    measure = rankspec.nsDCG(**chosen)
    value, again, own = (
        values([measure], batch, by)[0][0] for batch in (all_judged, other_order, retrieved)
    )
    assert value == again <= own
    shown = {x for ranked in names for x in ranked}
    positive = Counter(judged.get(x, 0) for x in shown if judged.get(x, 0))
    for batch in (all_judged, retrieved):
        assert not positive - Counter(batch.pool.tolist())
    labels = [[judged.get(x, 0) for x in ranked] for ranked in names]
    assert measure.of(labels, ids=names, backend=by) == own
    every = rankspec.nsDCG(**{**chosen, "repeats": "every"})
    fresh = [[(q, i) for i, _ in enumerate(ranked)] for q, ranked in enumerate(names)]
    anew = [[f"{q} {i}" for q, i in row] for row in fresh]
    assert every.of(labels, backend=by) == every.of(labels, ids=anew, backend=by)


@BOTH
@pytest.mark.spec("RS-SES-23/L2", "RS-SES-23/L3")
def test_pools_that_differ(by):
    alike = {"labels": [[1], [1]], "k": 2, "backend": by}
    assert rankspec.isdcg(**alike) == 2.5
    assert rankspec.isdcg(ids=[[0], [0]], **alike) == double(Fraction(5, 3))
    assert rankspec.nsdcg(judged=[2, 1], **alike) < rankspec.nsdcg(judged=[1, 1], **alike)


# ---- values halfway between two doubles by a relation of logarithms ----------------------------

ODD = 2**53 + 1


@pytest.mark.spec("RS-NUM-2", "RS-NUM-3", "RS-SES-11")
@pytest.mark.parametrize("backend", READINGS)
def test_a_session_halfway_between_two_doubles(backend):
    """2 D(1) d(3) = D(3) (d(1) + d(3)): the session has ODD ΣD Σd, and its ideal 2^55 ΣD Σd."""
    L = flint.arb(3).log() / flint.arb(2).log()
    d3, D3 = 1 / (1 + L), 2 / (2 + L)
    assert (2 * d3).overlaps(D3 * (1 + d3))
    labels = [[ODD, ODD, 3 * ODD], [ODD, ODD, ODD], [0, ODD, 0]]
    pool = [2**55] * 3 + [3 * ODD] + [ODD] * 7
    given = {"judged": pool, "k": 3, "check": False, "backend": backend}
    assert rankspec.nsdcg(labels, **given) == 0.25  # of 1/4 + 2^-55, halfway, the even one
    assert rankspec.nsdcg([[r + 2 for r in row] for row in labels], **given) > 0.25  # the control
    exact = rankspec.certify.nsdcg(labels, judged=pool, k=3).exact
    assert exact == Fraction(ODD, 2**55)


@pytest.mark.spec("RS-NUM-3", "RS-SES-17")
@pytest.mark.parametrize("backend", READINGS)
def test_components_that_need_more_bits_than_the_first_enclosure_has(backend):
    """A gain of 2^r - 1 next to 0, over itself."""
    tiny = {"gain": "exp2", "backend": backend}
    for r in (1e-40, 2.0**-128, 1e-100, 5e-324):
        assert rankspec.nsdcg_vector([[r], [0]], k=1, **tiny).tolist() == [1.0, 0.6]
        assert rankspec.nsdcg_vector([[r]], ideal="greatest", **tiny).tolist() == [1.0]
