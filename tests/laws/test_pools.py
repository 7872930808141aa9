"""Pools that include the list (RS-CONV-38): what the functions refuse, by both backends."""

from __future__ import annotations

import math
import random
from array import array
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
import sympy

import rankspec as rs
from rankspec import symbolic
from rankspec.compute.batch import Batch
from rankspec.compute.by_core import perhaps_uncovered
from rankspec.compute.pools import uncovered

from ..each import each
from .law import READINGS

BOTH = pytest.mark.parametrize("by", READINGS)
WORDS = (
    "judged: label {} occurs {} in {}, but {} in its judged labels. judged must hold the "
    "labels of all judged items, including those shown; an item without a judgment has label 0. In "
    "Python, check=False skips this test (RS-CONV-38)"
)


def refused(call, *words):
    with pytest.raises(rs.InputError) as error:
        call()
    assert str(error.value) == WORDS.format(*words)


def possible(labels, pool):
    """Whether documents can be shown that have these labels: each judged one at most once."""
    judged = list(enumerate(pool))
    documents = judged + [(-1 - a, 0) for a in range(len(labels))]  # and so many unjudged ones
    return any(
        [label for _, label in shown] == list(labels)
        for shown in permutations(documents, len(labels))
    )


def takes(function, labels, pool, **given):
    try:
        function(labels, judged=pool, **given)
    except rs.InputError as error:
        return "check=False" not in str(error)
    return True


@BOTH
@each("scale", [(-1, 0, 2.5), (-1, 0, 1, 2.5)], fast=1)
@pytest.mark.spec("RS-CONV-38", "RS-CONV-38/L1")
def test_a_pool_is_taken_if_documents_can_have_these_labels(by, scale):
    pools = [p for m in range(3) for p in combinations_with_replacement(scale, m)]
    cases = [(list(r), list(p)) for n in range(4) for r in product(scale, repeat=n)
             for p in pools]  # fmt: skip
    outcomes = Counter()
    for labels, pool in cases:
        expected = possible(labels, pool)
        assert takes(rs.recall, labels, pool, backend=by) == expected, f"{labels} of {pool}"
        assert (uncovered(labels, pool) is None) == expected, f"{labels} of {pool}"
        outcomes[expected] += 1
    assert min(outcomes.values()) > 100  # the control: there are both


@BOTH
@pytest.mark.spec("RS-CONV-38/L2")
def test_nothing_exceeds_1_where_the_pool_includes_the_list(by):
    cases = [
        (list(r), list(p))
        for n in range(1, 4)
        for r in product((0, 1, 2), repeat=n)
        for p in combinations_with_replacement((0, 1, 2), 2)
    ]
    included = [(r, p) for r, p in cases if possible(r, p)]
    measures = [rs.nDCG(), rs.nDCG(k=2, gain="exp2", ideal="all"), rs.LNDCG(), rs.nERR(k=2),
                rs.R(), rs.R(rel=2), rs.AP(), rs.AP(norm="min", k=2), rs.GAP()]  # fmt: skip
    for measure in measures:
        for chosen, limit in ((included, 1), (cases, math.inf)):
            lists, pools = (list(x) for x in zip(*chosen, strict=True))
            values = measure.of(lists, judged=pools, check=False, backend=by)
            assert max(values) <= limit, measure
        assert max(values) > 1, measure  # the control: without the rule


@BOTH
@pytest.mark.spec("RS-CONV-38")
def test_the_error_names_the_label_the_list_and_how_often(by):
    given = {"backend": by}
    refused(lambda: rs.ndcg([1, 1], judged=[1], **given), 1, "twice", "the list", "once")
    refused(lambda: rs.recall([0, 1.5], judged=[1], **given), 1.5, "once", "the list", "never")
    lists, pools = [[1], [2, 0, 2, 2], [1, 1]], [[1], [2, 2, 0], [1]]
    words = 2, "3 times", "list 1", "twice"
    refused(lambda: rs.ap(lists, judged=pools, **given), *words)
    rows = {"judged": np.array([[1, 0], [0, 2]], np.uint8), **given}
    refused(lambda: rs.ndcg(np.array([[0, 1], [2, 2]]), **rows), 2, "twice", "list 1", "once")
    flat = {"offsets": [0, 1, 5], "judged": [1, 2, 2, 0], "judged_offsets": [0, 1, 4], **given}
    refused(lambda: rs.gap([1, 2, 0, 2, 2], **flat), *words)
    scored = {"scores": [0.1, 0.2, 0.3], "judged": [3, 0, 1], **given}
    refused(lambda: rs.nerr([3, 3, 0], **scored), 3, "twice", "the list", "once")
    bound = rs.UL2(rs.DCG(k=2))
    refused(lambda: bound.of([1, 1], judged=[1], **given), 1, "twice", "the list", "once")
    refused(lambda: rs.ndcg_phi([9, 9, 1], judged=[9, 1], **given), 9, "twice", "the list", "once")
    for function in (rs.certify.ndcg, symbolic.ndcg):
        refused(lambda f=function: f([1, 1], judged=[1]), 1, "twice", "the list", "once")
    x, two = sympy.Symbol("x"), sympy.Integer(2)
    refused(lambda: symbolic.ndcg([2, 2], judged=[two]), 2, "twice", "the list", "once")
    assert symbolic.ndcg([x], judged=[2, 0], k=1) == x / 2  # x may be 2


@BOTH
@pytest.mark.spec("RS-CONV-38", "RS-CONV-3")
def test_any_pool_is_taken_without_the_check_and_what_needs_none_does_not_ask(by):
    free = {"check": False, "backend": by}
    d2 = 1 / Fraction(math.log2(3))  # for a comparison of sizes alone
    assert abs(rs.ndcg([1, 1], judged=[1], **free) - (1 + d2)) < 1e-15
    assert rs.recall([1, 1], judged=[1], **free) == rs.ap([1, 1], judged=[1], **free) == 2
    assert rs.recall([[1], [1, 1]], judged=[[1], [1]], **free).tolist() == [1, 2]
    assert rs.R().of([1, 1], judged=[1], **free) == 2
    assert rs.certify.recall([1, 1], judged=[1], check=False).exact == 2
    assert symbolic.recall([1, 1], judged=[1], check=False) == 2
    assert rs.CG().of([1, 1], judged=[1], backend=by) == 2  # of the list alone
    assert rs.IDCG().of([1, 1], judged=[1], backend=by) == 1  # of the pool alone
    assert rs.ndcg([1, 0, 0, 0], judged=[1], backend=by) == 1  # three unjudged items
    run = {"q": {"a": 2.0, "b": 1.0}}
    assert rs.evaluate({"q": {"a": 1}}, run, "R", backend=by)["R"] == 1


@BOTH
@pytest.mark.spec("RS-CONV-38")
def test_what_a_measure_refuses_is_refused_first(by):
    with pytest.raises(rs.InputError, match="labels: -1 at position 1: a label must not be neg"):
        rs.ndcg([1, -1], judged=[1], backend=by)
    with pytest.raises(rs.InputError, match="labels: nan at position 0: a label must be finite"):
        rs.recall([math.nan], judged=[1], backend=by)


@BOTH
@pytest.mark.spec("RS-CONV-38", "RS-SES-22")
def test_documents_of_a_session_come_again(by):
    chosen = {"k": 2, "backend": by}
    twice = [[1, 0], [0, 1]]
    for function in (rs.nsdcg, rs.isdcg, rs.avg_nsdcg, rs.query_ndcg, rs.nsdcg_vector):
        function(twice, judged=[1], **chosen)  # by two queries: perhaps the same document
        function(twice, judged=[1], ids=[[7, 8], [9, 7]], **chosen)  # it is
        words = 1, "twice", "the session", "once"
        apart = {"judged": [1], "ids": [[7, 8], [9, 6]]}
        refused(lambda f=function, a=apart: f(twice, **a, **chosen), *words)
        function(twice, **apart, check=False, **chosen)
        words = 1, "twice", "query 2", "once"
        refused(lambda f=function: f([[1], [1, 1]], judged=[1], **chosen), *words)
    many = [[[1], [1]], [[2, 2], [1]], [[1]]]
    ids = [[["a"], ["a"]], [["a", "b"], ["c"]], [["a"]]]
    pools = [[1], [2, 1], [1]]
    words = 2, "twice", "session 1, query 1", "once"
    refused(lambda: rs.nsdcg(many, judged=pools, backend=by), *words)
    words = 2, "twice", "session 1", "once"
    refused(lambda: rs.nsDCG().of(many, ids=ids, judged=pools, backend=by), *words)
    refused(lambda: rs.certify.nsdcg([[1, 1]], judged=[1]), 1, "twice", "query 1", "once")
    refused(lambda: symbolic.nsdcg([[1, 1]], judged=[1]), 1, "twice", "query 1", "once")
    many[1][0] = [2, 0]
    assert len(rs.nsdcg(many, judged=pools, backend=by)) == 3


TYPES = "BbHhIiqfd"


@pytest.mark.spec("RS-CONV-38")
def test_the_core_finds_what_the_reference_finds():
    """Of all types, one for lists and another for pools; of these it may leave lists open."""
    rng = random.Random(5)
    for listed, pooled in product(TYPES, TYPES):
        whole = 3 + 2 * (listed in "HhIiqfd" and pooled in "HhIiqfd")
        values = [0, 1, 2, 100, 127, 300, 9999][: 2 + whole]
        if listed in "fd" and pooled in "fd":
            values += [0.5, -1.25, 2.0**60]
        if listed == pooled == "q":
            values += [2**53 + 1, 2**53, -7]
        lists = [rng.choices(values, k=rng.choice((0, 1, 5, 20, 70))) for _ in range(60)]
        pools = [rng.sample(r, len(r)) + rng.choices(values, k=rng.randrange(3)) for r in lists]
        for pool in pools[::2]:
            del pool[: rng.randrange(3)]
        batch = Batch(*flat(listed, lists), None, *flat(pooled, pools))
        pairs = enumerate(zip(lists, pools, strict=True))
        expected = [a for a, (r, J) in pairs if uncovered(r, J) is not None]
        found = perhaps_uncovered(batch)
        assert set(expected) <= set(found), (listed, pooled)
        small = all(0 <= x < 256 and x == int(x) for x in values)
        if listed == pooled or small or "q" not in listed + pooled:
            assert found == expected, (listed, pooled)
    assert expected  # the control


def flat(form, lists):
    offsets = array("q", [0])
    for r in lists:
        offsets.append(offsets[-1] + len(r))
    return array(form, [x if form in "fd" else int(x) for r in lists for x in r]), offsets
