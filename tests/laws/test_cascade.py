"""The laws of ERR, its ideal, nERR, RBP and its residual.

ERR is computed here once more in fractions, by following the users: so many of them are at a rank,
and so many of these stop there.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from itertools import pairwise, permutations, product

import flint
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError

from ..each import each
from ..reference.balls import ball, ends_of
from .broken import backwards, own_pool, shifted, using
from .law import READINGS, Metrics, law
from .rankings import (
    binary,
    cutoffs,
    depths,
    double,
    graded,
    grades,
    lists,
    pair,
    persistences,
    replaced,
    seeds,
    signed,
    stops,
    swapped,
    thresholds,
)

BY = pytest.mark.parametrize("by", READINGS)


@pytest.mark.spec("RS-CAS-1/L4")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    stop=stops,
    tied=st.booleans(),
    err=lambda f: (
        lambda labels, stop, **a: f(labels, stop=stop, **a) / (2 if stop == "label" else 1)
    ),
)
def test_labels_can_be_the_probabilities(rs, *, labels, more, k, stop, tied):
    scores = {"scores": [i // 2 for i in range(len(labels))]} if tied else {}
    p, pooled = [stop[x] for x in labels], [stop[x] for x in more]
    given = {"k": k, **scores}
    assert rs.err(p, stop="label", **given) == rs.err(labels, stop=stop, **given)
    value = rs.nerr(p, judged=p + pooled, stop="label", **given)
    assert value == rs.nerr(labels, judged=labels + more, stop=stop, **given)
    bound = rankspec.UL2(rankspec.ERR(k=k, stop="label"))
    table = rankspec.UL2(rankspec.ERR(k=k, stop=stop))
    backend = {"backend": rs.backend}
    assert bound.of(p, judged=p + pooled, **backend) == table.of(
        labels, judged=labels + more, **backend
    )


@pytest.mark.spec("RS-CAS-1", "RS-CONV-14")
def test_probabilities_of_unjudged_documents():
    """The highest label is the greatest probability that there is."""
    qrels, run = {"q": {"a": 0.5, "b": 0.25}}, {"q": {"a": 1.25, "x": 3.5}}
    measure = rankspec.ERR(stop="label")
    for unjudged, labels in {"lowest": [0, 0.5], "highest": [0.5, 0.5]}.items():
        found = rankspec.evaluate(qrels, run, measure, unjudged=unjudged)
        assert found.mean[str(measure)] == rankspec.err(labels, stop="label")
    with pytest.raises(InputError, match='with stop="label", ERR takes labels from 0 to 1'):
        rankspec.evaluate({"q": {"a": 2}}, run, measure)


some = lists(grades, least=1)
two = lists(grades, least=2)
largest = st.integers(1, 51)
quarters = st.sampled_from([0.25, 0.5, 0.75])


def table(largest):
    """The probabilities of RS-CAS-1."""
    return [Fraction(2**g - 1, 2**largest) for g in range(largest + 1)]


def survivors(labels, stop):
    """The share of the users that goes on after 0, 1, 2, ... ranks."""
    shares = [Fraction(1)]
    for label in labels:
        shares.append(shares[-1] * (1 - Fraction(stop[label])))
    return shares


def exact_err(labels, k, stop):
    """The users that stop at each rank, times what it is worth to them."""
    shares = survivors(labels[:k], stop)
    stopped = (before - after for before, after in pairwise(shares))
    return sum((share / i for i, share in enumerate(stopped, start=1)), Fraction(0))


def exact_ierr(judged, k, stop):
    """The greatest ERR of all lists of up to k items of the pool, each gone through."""
    size = min(len(judged), k or len(judged))
    return max(exact_err(list(r), None, stop) for r in set(permutations(judged, size)))


def exact_rbp(R, k, p):
    p = Fraction(p)
    return sum(((1 - p) * p**i for i, R_i in enumerate(R[:k]) if R_i), Fraction(0))


# RS-CAS-1: the probability to stop


def of_scale(change):
    """ERR with another largest label than asked."""
    return lambda f: lambda labels, **a: f(labels, **{**a, "max": a.get("max", 4) + change})


@pytest.mark.spec("RS-CAS-1", "RS-CAS-1/L1", "RS-CAS-1/L2")
@law(largest=largest, g=seeds, err=of_scale(1))
def test_one_item_stops_whom_its_label_stops(rs, largest, g):
    g %= largest + 1
    value = rs.err([g], max=largest)
    assert value == double(Fraction(2**g - 1, 2**largest))
    assert 0 <= value < 1
    if g < largest:
        assert value < rs.err([g + 1], max=largest)
    assert rs.err([g], max=largest + 1) == value / 2


@pytest.mark.spec("RS-CAS-1", "RS-CAS-1/L1")
@law(
    stop=st.lists(st.integers(0, 4), min_size=1, max_size=5).map(sorted),
    err=lambda f: lambda labels, stop: f(labels, stop=[*stop[1:], 1]),
)
def test_a_table_of_probabilities_may_be_level_and_reach_1(rs, stop):
    stop = [x / 4 for x in stop]
    values = [rs.err([g], stop=stop) for g in range(len(stop))]
    assert values == stop
    assert all(0 <= x <= 1 for x in values)
    assert values == sorted(values)


@BY
@pytest.mark.spec("RS-CAS-1/L1")
def test_what_is_said_of_a_scale_is_not_true_of_every_table(by):
    rs = Metrics(by)
    assert rs.err([1], stop=[0.5, 0.5]) == rs.err([0], stop=[0.5, 0.5]) == 0.5
    assert rs.err([1], stop=[0, 1]) == 1


@BY
@pytest.mark.spec("RS-CAS-1/L2")
def test_a_longer_scale_does_not_halve_err(by):
    rs = Metrics(by)
    assert rs.err([2, 2], max=2) == 0.75 + 0.25 * 0.75 / 2
    assert rs.err([2, 2], max=3) == 0.375 + 0.625 * 0.375 / 2 != rs.err([2, 2], max=2) / 2


@pytest.mark.spec("RS-CAS-1/L3")
@law(
    labels=graded,
    k=cutoffs,
    largest=st.integers(4, 51),
    err=lambda f: lambda labels, stop=None, **a: f(labels, stop=stop and [*stop[1:], 1], **a),
)
def test_a_table_of_the_same_probabilities_gives_the_same(rs, labels, k, largest):
    stop = [double(x) for x in table(largest)]
    assert stop == table(largest)  # they are doubles
    assert rs.err(labels, k=k, stop=stop) == rs.err(labels, k=k, max=largest)


@pytest.mark.spec("RS-CAS-1", "RS-CONV-1")
@law(
    labels=graded,
    k=cutoffs,
    err=lambda f: lambda labels, **a: f(labels[:1] if isinstance(labels, array) else labels, **a),
)
def test_a_whole_number_is_the_same_label_in_every_type(rs, labels, k):
    forms = [
        labels,
        [float(x) for x in labels],
        [Fraction(x) for x in labels],
        array("q", labels),
        np.array(labels, np.float32),
        np.array(labels, np.uint8),
    ]
    assert len({rs.err(form, k=k) for form in forms}) == 1
    assert len({rs.nerr(form, judged=[*labels, 4], k=k) for form in forms}) == 1


@BY
@given(labels=graded, at=seeds, bad=st.sampled_from([5, -1, 0.5, float("nan"), float("inf")]))
@pytest.mark.spec("RS-CAS-1", "RS-CONV-1")
def test_labels_off_the_scale_are_refused_wherever_they_stand(by, labels, at, bad):
    rs = Metrics(by)
    at %= len(labels) + 1
    spoiled = [*labels[:at], bad, *labels[at:]]
    for chosen, words in (({}, "with max=4"), ({"stop": [0, 0.1, 0.2, 0.3, 1]}, "with these")):
        for name in ("err", "nerr"):
            with pytest.raises(InputError, match=f"labels: .* at position {at}: {words}"):
                getattr(rs, name)(spoiled, k=1, **chosen)
        with pytest.raises(InputError, match=f"judged: .* at position {at}: {words}"):
            rs.nerr(labels, judged=spoiled, k=1, **chosen)


@BY
@each("bad", [0, 53, -1, 1.0, True, "4", None])
@pytest.mark.spec("RS-CAS-1")
def test_what_is_no_largest_label_is_refused(by, bad):
    with pytest.raises(InputError, match=r"^max: "):
        Metrics(by).err([0], max=bad)


@BY
@each("bad", [[], [0.5, 0.25], [0, 1.5], [-0.1], [float("nan")], "01", 0.5, [0, None]])
@pytest.mark.spec("RS-CAS-1")
def test_what_are_no_probabilities_to_stop_is_refused(by, bad):
    with pytest.raises(InputError, match=r"^stop: "):
        Metrics(by).err([0], stop=bad)


# RS-CAS-2: ERR


@pytest.mark.spec("RS-CAS-2")
@law(labels=graded, k=cutoffs, largest=st.integers(4, 51), err=backwards)
def test_err_follows_the_users(rs, labels, k, largest):
    assert rs.err(labels, k=k, max=largest) == double(exact_err(labels, k, table(largest)))


def by_those_who_go_on(labels, k, stop):
    """RS-CAS-2/L1."""
    shares = survivors(labels, stop)
    shares += [shares[-1]] * k
    falls = sum((shares[i] / (i * (i + 1)) for i in range(1, k)), Fraction(0))
    return 1 - falls - shares[k] / k


@pytest.mark.spec("RS-CAS-2/L1")
@law(labels=graded, k=depths, stop=stops, err=backwards)
def test_err_by_those_who_go_on(rs, labels, k, stop):
    assert rs.err(labels, k=k, stop=stop) == double(by_those_who_go_on(labels, k, stop))


@pytest.mark.spec("RS-CAS-2/L2")
@law(
    above=graded,
    below=graded,
    k=depths,
    stop=st.lists(st.integers(0, 16).map(lambda n: n / 16), min_size=7, max_size=7).map(sorted),
    err=lambda f: lambda labels, stop, **a: f(labels, stop=[x * x for x in stop], **a),
)
def test_err_is_linear_in_the_probability_at_one_rank(rs, *, above, below, k, stop):
    """Of one item of the label 5, whose probability is between those of 4 and 6."""
    labels = [*above, 5, *below]
    low, high = ([*stop[:5], stop[at], stop[6]] for at in (4, 6))
    middle = [*stop[:5], (stop[4] + stop[6]) / 2, stop[6]]
    mean = (exact_err(labels, k, low) + exact_err(labels, k, high)) / 2
    assert rs.err(labels, k=k, stop=middle) == double(mean)


@pytest.mark.spec("RS-CAS-2/L3")
@law(
    labels=some,
    k=cutoffs,
    stop=stops,
    err=lambda f: lambda labels, **a: 1.02 * f(labels, **a),
)
def test_err_lies_between_zero_and_one(rs, labels, k, stop):
    value = rs.err(labels, k=k, stop=stop)
    assert 0 <= value <= 1
    assert (value == 1) == (stop[labels[0]] == 1)
    if 0 < stop[4] < 1:
        with flint.ctx.workprec(200):
            rho = ball(Fraction(stop[4]))
            lower, _ = ends_of(rho / (1 - rho) * (1 / rho).log())
        assert value < lower


@pytest.mark.spec("RS-CAS-2/L3")
def test_an_endless_list_of_perfect_items_attains_the_bound_in_the_limit():
    with flint.ctx.workprec(600):
        lower, upper = ends_of(15 * (ball(16) / 15).log())
    value = exact_err([4] * 100, None, table(4))
    assert value < lower
    assert upper - value < Fraction(1, 16**100)
    assert round(float(upper), 4) == 0.9681  # as the text has it


@pytest.mark.spec("RS-CAS-2/L4")
@law(labels=two, k=cutoffs, stop=stops, i=seeds, j=seeds, err=backwards)
def test_a_better_item_moved_up_raises_err_where_users_get_there(rs, *, labels, k, stop, i, j):
    i, j = pair(len(labels), i, j)
    assume(stop[labels[j - 1]] > stop[labels[i - 1]])
    before, after = (rs.err(x, k=k, stop=stop) for x in (labels, swapped(labels, i, j)))
    assert after >= before
    reached = survivors(labels, stop)[i - 1] > 0 and (k is None or i <= k)
    assert (after > before) == reached


@pytest.mark.spec("RS-CAS-2/L4")
@law(labels=two, k=depths, stop=stops, i=seeds, err=shifted)
def test_a_swap_of_neighbours_changes_err_by_a_known_amount(rs, labels, k, stop, i):
    i = 1 + i % (len(labels) - 1)
    assume(i + 1 <= k)
    upper, lower = (Fraction(stop[labels[a]]) for a in (i - 1, i))
    rise = survivors(labels, stop)[i - 1] * (lower - upper) / (i * (i + 1))
    before = exact_err(labels, k, stop)
    assert rs.err(swapped(labels, i, i + 1), k=k, stop=stop) == double(before + rise)


@pytest.mark.spec("RS-CAS-2/L5")
@law(
    labels=some,
    k=cutoffs,
    stop=stops,
    i=seeds,
    better=grades,
    err=lambda f: lambda labels, **a: f(labels, **a) / (1 + sum(labels)),
)
def test_a_better_label_raises_err_where_users_get_there(rs, *, labels, k, stop, i, better):
    i = 1 + i % len(labels)
    assume(stop[better] > stop[labels[i - 1]])
    before, after = (rs.err(x, k=k, stop=stop) for x in (labels, replaced(labels, i, better)))
    assert after >= before
    reached = survivors(labels, stop)[i - 1] > 0 and (k is None or i <= k)
    assert (after > before) == reached


@pytest.mark.spec("RS-CAS-2/L6")
@law(labels=graded, more=grades, stop=stops, err=shifted)
def test_a_result_more_or_a_deeper_cut_adds_its_term(rs, labels, more, stop):
    n = len(labels)
    term = survivors(labels, stop)[n] * Fraction(stop[more]) / (n + 1)
    longer = double(exact_err(labels, None, stop) + term)
    assert rs.err([*labels, more], stop=stop) == longer
    assert rs.err([*labels, more, 4], k=n + 1, stop=stop) == longer
    for k in range(1, n + 3):  # a term is added only within the cut-off, and within the list
        value = exact_err(labels, k, stop)
        assert rs.err([*labels, more], k=k, stop=stop) == double(value + (term if n < k else 0))
        deeper = survivors(labels, stop)[k] * Fraction(stop[labels[k]]) / (k + 1) if k < n else 0
        assert rs.err(labels, k=k + 1, stop=stop) == double(value + deeper)


@pytest.mark.spec("RS-CAS-2/L7")
@law(R=binary, k=cutoffs, err=using(stop=[0, 0.5]))
def test_err_of_users_who_stop_at_once_is_rr(rs, R, k):
    assert rs.err(R, k=k, stop=[0, 1]) == rs.rr(R, k=k)


# RS-CAS-3: the ideal


few = st.lists(grades, max_size=5)


@pytest.mark.spec("RS-CAS-3", "RS-CAS-3/L1")
@law(
    judged=few,
    k=cutoffs,
    stop=stops,
    err=lambda f: lambda labels, **a: f(sorted(labels), **a),
)
def test_the_ideal_ranking_has_the_greatest_err_of_all_lists(rs, judged, k, stop):
    ideal = rs.err(sorted(judged, reverse=True), k=k, stop=stop)
    assert ideal == double(exact_ierr(judged, k, stop))
    assert rankspec.IUB(rankspec.ERR(k=k, stop=stop)).of(judged, backend=rs.backend) == ideal


@pytest.mark.spec("RS-CAS-3/L2", "RS-CAS-3/L3")
@law(
    judged=some,
    more=grades,
    k=depths,
    stop=stops,
    i=seeds,
    err=lambda f: lambda labels, **a: f(labels, **a) / (1 + sum(labels)),
)
def test_a_larger_pool_or_a_deeper_cut_never_lowers_the_ideal(rs, *, judged, more, k, stop, i):
    i = 1 + i % len(judged)

    def ideal(pool, k):
        return rs.err(sorted(pool, reverse=True), k=k, stop=stop)

    before = ideal(judged, k)
    assert ideal([*judged, more], k) >= before
    assert ideal(replaced(judged, i, max(more, judged[i - 1])), k) >= before
    assert ideal(judged, k + 1) >= before
    if k >= len(judged):
        assert ideal(judged, k + 1) == before


# RS-CAS-4: nERR


@pytest.mark.spec("RS-CAS-4", "RS-CAS-4/L1")
@law(labels=st.lists(grades, max_size=3), more=st.lists(grades, max_size=2), k=cutoffs, stop=stops,
     nerr=own_pool)  # fmt: skip
def test_nerr_is_err_over_the_greatest(rs, *, labels, more, k, stop):
    judged = labels + more
    ideal = exact_ierr(judged, k, stop)
    value = rs.nerr(labels, judged=judged, k=k, stop=stop)
    assert value == (double(exact_err(labels, k, stop) / ideal) if ideal else 0)
    assert 0 <= value <= 1


@pytest.mark.spec("RS-CAS-4", "RS-CONV-3", "RS-CONV-4")
@BY
def test_nerr_of_odd_pools(by):
    rs = Metrics(by)
    assert rs.nerr([4], judged=[1]) == 15  # does not cover the list
    assert rs.nerr([4, 1], judged=[0, 0]) == rs.nerr([], judged=[]) == 0
    assert rs.nerr([2, 1, 1]) == rs.nerr([2, 1, 1], judged=[1, 2, 1])
    assert rs.nerr([1] * 50) == 1
    assert rs.err([1] * 50) < 0.185


@pytest.mark.spec("RS-CAS-4/L2")
@law(
    labels=some,
    more=st.lists(grades, max_size=2),
    k=cutoffs,
    stop=stops,
    nerr=lambda f: lambda labels, **a: f(sorted(labels, reverse=True), **a),
)
def test_nerr_is_one_only_where_users_see_the_ideal(rs, *, labels, more, k, stop):
    judged = labels + more
    ideal = sorted(judged, reverse=True)
    assume(stop[ideal[0]] > 0)
    depth = k or len(judged)
    if stop[ideal[0]] == 1:
        perfect = stop[labels[0]] == 1
    else:
        seen, best = ([stop[x] for x in r[:depth]] for r in (labels, ideal))
        perfect = seen + [0] * (len(best) - len(seen)) == best
    certified = rankspec.certify.nerr(labels, judged=judged, k=k, stop=stop)
    assert (certified.exact == 1) == perfect
    assert (rs.nerr(labels, judged=judged, k=k, stop=stop) == 1) == perfect


@pytest.mark.spec("RS-CAS-4/L3")
@law(labels=two, more=graded, k=cutoffs, i=seeds, j=seeds, better=grades, nerr=backwards)
def test_a_swap_or_an_upgrade_never_lowers_nerr(rs, *, labels, more, k, i, j, better):
    i, j = pair(len(labels), i, j)
    judged = [*labels, *more, better]
    assume(labels[j - 1] > labels[i - 1])
    before = rs.nerr(labels, judged=judged, k=k)
    assert rs.nerr(swapped(labels, i, j), judged=judged, k=k) >= before
    raised = replaced(labels, i, max(better, labels[i - 1]))
    assert rs.nerr(raised, judged=judged, k=k) >= before


@BY
@pytest.mark.spec("RS-CAS-4/L3")
def test_a_better_label_in_list_and_pool_can_lower_nerr(by):
    rs = Metrics(by)
    assert rs.nerr([1, 0]) == 1 > rs.nerr([1, 2])
    assert rs.nerr([1, 2], judged=[1, 0]) > 1  # the control: with the pool fixed it rises


# RS-CAS-5: RBP


def graded_rbp(f):
    """RBP of labels as gains, not of indicators."""
    return lambda labels, rel=1, **a: f(labels, rel=rel + 1, **a)


@pytest.mark.spec("RS-CAS-5", "RS-PREC-1/L2")
@law(labels=signed, k=cutoffs, p=persistences, rel=thresholds, rbp=graded_rbp)
def test_rbp_is_its_sum(rs, *, labels, k, p, rel):
    R = [int(x >= rel) for x in labels]
    assert rs.rbp(labels, k=k, p=p, rel=rel) == double(exact_rbp(R, k, p))
    assert rs.rbp(R, k=k, p=p) == double(exact_rbp(R, k, p))


@BY
@each("bad", [0, 1, -0.5, 1.5, float("nan"), "0.8", None, True])
@pytest.mark.spec("RS-CAS-5", "RS-CAS-6")
def test_what_is_no_persistence_is_refused(by, bad):
    for name in ("rbp", "rbp_residual"):
        with pytest.raises(InputError, match=r"^p: "):
            getattr(Metrics(by), name)([1], p=bad)


@pytest.mark.spec("RS-CAS-5/L1")
@law(R=binary, k=depths, p=persistences, rbp=shifted)
def test_rbp_is_greatest_where_the_relevant_come_first(rs, R, k, p):
    h = sum(R[:k])
    bound = double(1 - Fraction(p) ** h)
    value = rs.rbp(R, k=k, p=p)
    assert 0 <= value <= bound
    assert (exact_rbp(R, k, p) == 1 - Fraction(p) ** h) == all(R[:h])
    assert value == bound or not all(R[:h])


@pytest.mark.spec("RS-CAS-5/L2")
@law(R=binary, k=cutoffs, p=quarters, rbp=using(p=0.125))
def test_rbp_is_dcg_with_geometric_weights(rs, R, k, p):
    weights = [(1 - p) * p**i for i in range(12)]  # doubles, exactly
    assert rs.rbp(R, k=k, p=p) == rs.dcg(R, k=k, discount=weights)
    ideal = rs.idcg(R, k=k, discount=weights)
    assert rs.rbp(R, k=k, p=p) <= ideal == rs.rbp(sorted(R, reverse=True), k=k, p=p)


@pytest.mark.spec("RS-CAS-5/L3")
@law(R=lists(st.integers(0, 1), least=2), k=depths, p=persistences, i=seeds, j=seeds, rbp=backwards)
def test_a_swap_or_an_upgrade_raises_rbp_by_a_known_amount(rs, *, R, k, p, i, j):
    i, j = pair(len(R), i, j)
    assume(j <= k)
    R = replaced(replaced(R, i, 0), j, 1)
    before, q = exact_rbp(R, k, p), Fraction(p)
    rise = (1 - q) * (q ** (i - 1) - q ** (j - 1))
    assert rs.rbp(swapped(R, i, j), k=k, p=p) == double(before + rise) >= rs.rbp(R, k=k, p=p)
    rise = (1 - q) * q ** (i - 1)
    assert rs.rbp(replaced(R, i, 1), k=k, p=p) == double(before + rise) >= rs.rbp(R, k=k, p=p)


@pytest.mark.spec("RS-CAS-5/L4")
@law(R=lists(st.integers(0, 1), least=1), p=quarters, rbp=shifted)
def test_rbp_from_the_top(rs, R, p):
    assert rs.rbp(R, p=p) == (1 - p) * R[0] + p * rs.rbp(R[1:], p=p)  # exact for so few items


@pytest.mark.spec("RS-CAS-5/L5")
@law(
    R=binary,
    k=depths,
    p=quarters,
    rbp=lambda f: lambda labels, k=None, **a: f(labels[k or 0 :], **a),
)
def test_rbp_does_not_fall_with_the_cut_off(rs, R, k, p):
    value = rs.rbp(R, k=k, p=p)
    assert value <= rs.rbp(R, k=k + 1, p=p) <= rs.rbp(R, p=p) < value + p**k


# RS-CAS-6: the residual


seen = st.lists(st.sampled_from([0, 1, None]), max_size=6)  # None: not judged


def all_judged(f):
    """A residual of what is not shown alone."""
    return lambda labels, **a: f(labels, **{n: x for n, x in a.items() if n != "unjudged"})


def residual(rs, seen, k, p):
    labels, unjudged = [x or 0 for x in seen], [int(x is None) for x in seen]
    return rs.rbp_residual(labels, unjudged=unjudged, k=k, p=p)


def exact_residual(seen, k, p):
    K = len(seen[:k])
    return exact_rbp([x is None for x in seen], k, p) + Fraction(p) ** K


@pytest.mark.spec("RS-CAS-6", "RS-CAS-6/L1")
@law(
    seen=seen,
    more=st.lists(st.integers(0, 1), max_size=3),
    k=cutoffs,
    p=persistences,
    rbp_residual=all_judged,
)
def test_rbp_of_every_completion_lies_within_the_residual(rs, *, seen, more, k, p):
    shown = seen[:k]
    known = [x or 0 for x in shown]
    open_ = [a for a, x in enumerate(shown) if x is None]
    low, value = rs.rbp(known, p=p), residual(rs, seen, k, p)
    assert rs.rbp([x or 0 for x in seen], k=k, p=p) == low
    # The upper end: all open ones relevant, and m more, is short of it by p^(K + m).
    best = [1 if x is None else x for x in shown] + [1, 1]
    high = exact_rbp(best, None, p) + Fraction(p) ** len(best)
    assert value == double(high - exact_rbp(known, None, p))
    for judged in product([0, 1], repeat=len(open_)):
        completed = list(known)
        for a, x in zip(open_, judged, strict=True):
            completed[a] = x
        assert low <= rs.rbp(completed + more, p=p) <= double(high)


@pytest.mark.spec("RS-CAS-6/L2")
@law(
    seen=seen,
    k=cutoffs,
    p=persistences,
    rbp_residual=all_judged,
)
def test_the_residual_is_at_most_what_is_missing(rs, seen, k, p):
    K = len(seen[:k])
    value = residual(rs, seen, k, p)
    assert double(Fraction(p) ** K) <= value <= 1
    together = exact_rbp([x == 1 for x in seen], k, p) + exact_residual(seen, k, p)
    assert together <= 1
    assert (together == 1) == (0 not in seen[:k])
    assert value == double(together - exact_rbp([x == 1 for x in seen], k, p))


@pytest.mark.spec("RS-CAS-6/L3")
@law(
    seen=seen.filter(bool),
    k=depths,
    p=persistences,
    i=seeds,
    rbp_residual=all_judged,
)
def test_a_judgment_lowers_the_residual(rs, *, seen, k, p, i):
    i = 1 + i % len(seen)
    q, n = Fraction(p), len(seen)
    open_ = replaced(seen, i, None)
    fall = (1 - q) * q ** (i - 1) if i <= k else 0
    assert residual(rs, replaced(seen, i, 1), k, p) == double(exact_residual(open_, k, p) - fall)
    assert residual(rs, [*seen, None], None, p) == residual(rs, seen, None, p)
    fall = (1 - q) * q**n
    assert residual(rs, [*seen, 0], None, p) == double(exact_residual(seen, None, p) - fall)
    assert residual(rs, seen, k + 1, p) <= residual(rs, seen, k, p)


@BY
@pytest.mark.spec("RS-CAS-6")
def test_labels_play_no_part_in_the_residual(by):
    rs = Metrics(by)
    flags = [0, 1, 0]
    values = {rs.rbp_residual(r, unjudged=flags) for r in ([0, 0, 0], [4, -1.5, 2], [1, 1, 1])}
    assert len(values) == 1
    assert values != {rs.rbp_residual([0, 0, 0])}  # the control: the flags do
    for bad in ([0, 1], [0, 2, 1], [0, 1, 0, 1]):
        with pytest.raises(InputError, match="unjudged"):
            rs.rbp_residual([1, 0, 0], unjudged=bad)
