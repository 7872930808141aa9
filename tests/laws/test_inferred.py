"""The laws of inferred AP: RS-PREC-50, RS-PREC-51, RS-EXP-95."""

from __future__ import annotations

import gzip
import io
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.metrics.precision import MOST_STEPS_OF_INFAP
from rankspec.reference.precision import steps_of_infap
from tests.conventions import convention_values

from ..each import each
from .broken import own_pool
from .law import law
from .rankings import cutoffs, double, lists
from .test_expectation import BACKENDS, orders, split

EPSILON = Fraction(1, 10**5)
OUT = None  # of the pool

sampled = lists(st.sampled_from([1, 0, -1, OUT]))
"""Relevant, not relevant, not judged, not in the pool."""
more_of_pool = st.lists(st.sampled_from([1, 0, -1]), max_size=3)
below_0 = st.sampled_from([-1, -2, -0.5, -(1 << 40), -5e-324])
seeds = st.integers(0, 1000)


def by_the_program(S, N_p, k=None):
    """As trec_eval counts: rank by rank, from rank 0, which is a case of its own."""
    nonrel = rel = pool_unjudged = 0
    total = Fraction(0)
    for j, S_j in enumerate(S[:k]):
        if S_j is OUT:
            continue
        if S_j == -1:
            pool_unjudged += 1
        elif S_j == 0:
            nonrel += 1
        else:
            rel += 1
            above = rel - 1 + nonrel
            share = (rel - 1 + EPSILON) / (above + 2 * EPSILON)
            whole = Fraction(above + pool_unjudged, j) if j else 0
            total += Fraction(1, j + 1) + Fraction(j, j + 1) * whole * share if j else 1
    return total / N_p if N_p else total


def given_for(S, more=(), **others):
    """Arguments for a list of such items, and a pool that has others besides."""
    pool = [x for x in S if x is not OUT] + list(more)
    labels = [3 if x is OUT else x for x in S]  # which does not count
    return {"labels": labels, "unjudged": [int(x is OUT) for x in S], "judged": pool, **others}


def infap_of(rs, S, more=(), **others):
    return rs.infap(**given_for(S, more, **others))


# ---- what breaks it ----------------------------------------------------------------------


def negative_as_judged(f):
    """Takes labels below 0 as judged: not relevant."""
    return lambda labels, **a: f([max(x, 0) for x in labels], **a)


def negative_out_of_the_pool(f):
    """Takes labels below 0 as those of items that are not in the pool."""

    def of(labels, unjudged, **a):
        flags = [int(u or x < 0) for x, u in zip(labels, unjudged, strict=True)]
        return f(labels, unjudged=flags, **a)

    return of


def all_in_the_pool(f):
    """Takes what is not in the pool as not judged."""

    def of(labels, unjudged, **a):
        read = [-1 if u else x for x, u in zip(labels, unjudged, strict=True)]
        return f(read, unjudged=[0] * len(read), **a)

    return of


def by_label(f):
    """Counts a label below −1 as judged."""
    return lambda labels, **a: f([0 if x < -1 else x for x in labels], **a)


def charging(f):
    """Takes something off for each label below 0."""
    return lambda labels, **a: f(labels, **a) - sum(x < 0 for x in labels) / 1000


def turned(f):
    """Takes the list from its end."""
    return lambda labels, unjudged, **a: f(labels[::-1], unjudged=unjudged[::-1], **a)


# ---- the laws ----------------------------------------------------------------------------


@pytest.mark.spec("RS-PREC-50", "RS-PREC-51", "RS-PREC-51/L1")
@law(S=sampled, more=more_of_pool, k=cutoffs, infap=negative_as_judged)
def test_infap_is_as_trec_eval_counts_it(rs, S, more, k):
    N_p = (S + more).count(1)
    value = by_the_program(S, N_p, k)
    assert infap_of(rs, S, more, k=k) == double(value)
    assert 0 <= value <= by_the_program(S, N_p) <= 1


@pytest.mark.spec("RS-PREC-50", "RS-PREC-51")
@law(S=sampled, more=more_of_pool, infap=negative_out_of_the_pool)
def test_an_item_that_nobody_judged_is_still_in_the_pool(rs, S, more):
    assert infap_of(rs, S, more) == double(by_the_program(S, (S + more).count(1)))


@pytest.mark.spec("RS-PREC-51")
@law(S=sampled, more=more_of_pool, infap=own_pool)
def test_infap_is_over_all_relevant_items_of_the_pool(rs, S, more):
    assert infap_of(rs, S, more) == double(by_the_program(S, (S + more).count(1)))


@pytest.mark.spec("RS-PREC-50", "RS-PREC-50/L1")
@law(S=sampled, more=more_of_pool, labels=st.lists(below_0, min_size=12), infap=by_label)
def test_all_labels_below_0_say_the_same(rs, S, more, labels):
    arguments = given_for(S, more)
    others = [
        next_ if x == -1 else x
        for x, next_ in zip(arguments["labels"], labels * len(S), strict=False)
    ]
    assert rs.infap(**arguments) == rs.infap(**{**arguments, "labels": others})


@pytest.mark.spec("RS-PREC-51/L2")
@law(S=lists(st.sampled_from([1, 0, OUT])), more=more_of_pool, k=cutoffs, infap=all_in_the_pool)
def test_infap_of_a_pool_that_is_all_judged_is_nearly_ap(rs, S, more, k):
    ap = rs.ap(
        [int(x == 1) for x in S], judged=[max(x, 0) for x in (*(x or 0 for x in S), *more)], k=k
    )
    assert abs(Fraction(infap_of(rs, S, more, k=k)) - Fraction(ap)) < EPSILON


@pytest.mark.spec("RS-PREC-51/L3")
@law(S=sampled, more=more_of_pool, k=cutoffs, i=seeds, infap=charging)
def test_an_item_that_comes_into_the_pool_unjudged_never_lowers_infap(rs, *, S, more, k, i):
    i %= len(S) + 1
    out, unjudged = ([*S[:i], x, *S[i:]] for x in (OUT, -1))
    assert infap_of(rs, out, more, k=k) <= infap_of(rs, unjudged, more, k=k)


@pytest.mark.spec("RS-PREC-51/L4")
@law(S=lists(st.sampled_from([1, 0, -1, OUT])), more=more_of_pool, k=cutoffs, i=seeds, infap=turned)
def test_a_relevant_item_above_one_that_is_not_in_the_pool_raises_infap(rs, *, S, more, k, i):
    i %= len(S) + 1
    before, after = (infap_of(rs, [*S[:i], *x, *S[i:]], more, k=k) for x in ([OUT, 1], [1, OUT]))
    assert before < after if k is None or i < k else before == after


@pytest.mark.spec("RS-PREC-51/L5")
def test_above_one_that_nobody_judged_it_can_fall():
    values = [
        rankspec.infap(labels, unjudged=[1, 1, 1, 0, 0])
        for labels in ([0, 0, 0, -1, 1], [0, 0, 0, 1, -1])
    ]
    assert values == [0.3, 0.25]
    assert rankspec.ap([0, 0, 0, 1, 0]) > rankspec.ap([0, 0, 0, 0, 1])  # the control: AP rises


@each(
    "labels, rel, value",
    [
        (
            [0, -1, 1],
            0,
            double((1 + Fraction(1, 3) * (1 + 2 * (1 + EPSILON) / (1 + 2 * EPSILON))) / 2),
        ),
        ([-1, 0], -1, 0.75),  # rank 2: (1 + 1/2)/2
        ([-1, -2], -5, 0.0),
        ([-0.0, 1], 1, double((1 + EPSILON / (1 + 2 * EPSILON)) / 2)),
        ([1, 3, -1], 3, double((1 + EPSILON / (1 + 2 * EPSILON)) / 2)),
        ([], 1, 0.0),
        ([-1], 1, 0.0),
    ],
)
@pytest.mark.spec("RS-PREC-50", "RS-PREC-51")
def test_no_threshold_makes_a_label_below_0_relevant(labels, rel, value):
    assert rankspec.infap(labels, rel=rel) == value


@pytest.mark.spec("RS-PREC-50")
@each("label", [None, float("nan"), float("inf")])
def test_a_missing_label_is_refused(label):
    with pytest.raises(InputError):
        rankspec.infap([1.0, label])


# ---- under ties --------------------------------------------------------------------------


@BACKENDS
@given(
    items=st.lists(
        st.tuples(st.sampled_from([1, 0, -1, 2]), st.integers(0, 2)), min_size=1, max_size=6
    ),
    more=more_of_pool,
    k=cutoffs,
)
@example(items=[(1, 0), (0, 0), (-1, 0), (2, 0), (1, 0)], more=[], k=None)
@example(items=[(-1, 1), (1, 0), (0, 0), (2, 0), (1, 0), (-1, 0)], more=[1], k=4)
@pytest.mark.spec("RS-EXP-95", "RS-EXP-95/L1")
def test_the_expected_infap_is_the_mean_over_all_orders(by, items, more, k):
    """Items as above, 2 being one that is not in the pool, and their scores."""
    S, scores = split([(OUT if x == 2 else x, score) for x, score in items])
    N_p = (S + more).count(1)
    every = [
        by_the_program([OUT if x == 2 else x for x in order], N_p, k) for order in orders(items)
    ]
    mean = sum(every, Fraction(0)) / len(every)
    assert infap_of(rankspec, S, more, scores=scores, k=k, backend=by) == double(mean)


@pytest.mark.spec("RS-EXP-95")
def test_what_takes_too_many_steps_is_refused():
    labels, scores = [1, -1] * 1000, [1] * 2000
    assert steps_of_infap([labels], 2000) == 2000**2 * 1000 > MOST_STEPS_OF_INFAP
    with pytest.raises(InputError, match="4000000000 steps"):
        rankspec.infap(labels, scores=scores)
    assert rankspec.infap(labels, scores=scores, ids=list(range(2000)), ties="id-ascending") > 0
    assert steps_of_infap([[1, 0] * 1000], 2000) == 2000**2  # all judged
    assert steps_of_infap([labels], 10) == 10**3
    assert steps_of_infap([[0, -1] * 1000], 2000) == 0


# ---- in an evaluation --------------------------------------------------------------------

QRELS = {"q": {"a": -1, "b": 1, "c": -2, "d": 0, "e": 1, "z": -1}, "p": {"x": -1, "y": 2}}
RUN = {"q": {x: 9.0 - i for i, x in enumerate("abucdve")}, "p": {"y": 1.0, "x": 2.0}}
IN_ORDER = {"q": [-1, 1, OUT, -1, 0, OUT, 1], "p": [-1, 1]}


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("negative", convention_values("negative", "error"))
@pytest.mark.spec("RS-PREC-50", "RS-CONV-15")
def test_no_convention_makes_another_label_of_one_below_0(backend, negative):
    """The other measures have the values that they have alone."""
    how = {"negative": negative, "backend": backend}
    found = rankspec.evaluate(QRELS, RUN, ["AP", "infAP", "Bpref", "GM(infAP)"], **how)
    for query, S in IN_ORDER.items():
        N_p = sum(x > 0 for x in QRELS[query].values())
        value = double(by_the_program(S, N_p))
        assert found.per_query["infAP"][query] == found.per_query["GM(infAP)"][query] == value
    alone = rankspec.evaluate(QRELS, RUN, ["AP", "Bpref"], **how)
    assert found.per_query["AP"] == alone.per_query["AP"]
    assert found.per_query["Bpref"] == alone.per_query["Bpref"]
    assert found.definition("infAP")["negative"].startswith("kept")
    assert found.definition("AP")["negative"].startswith(negative)


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-PREC-51", "RS-CONV-15")
def test_condensed_lists_leave_out_what_is_no_judgment(backend):
    def value(**how):
        own = rankspec.evaluate(QRELS, RUN, "infAP", unjudged="condensed", backend=backend, **how)
        return own.per_query["infAP"]["q"]

    assert value() == double(by_the_program([-1, 1, -1, 0, 1], 2))
    assert value(negative="unjudged") == double(by_the_program([1, 0, 1], 2))
    with pytest.raises(InputError, match="negative"):
        value(negative="error")


@pytest.mark.parametrize("backend", ["c", "reference"])
def test_every_form_of_qrels_keeps_its_labels(backend, tmp_path):
    pandas = pytest.importorskip("pandas", reason='pandas is not installed: pip install ".[dev]"')
    rows = [(q, d, x) for q, own in QRELS.items() for d, x in own.items()]
    text = "\n".join(f"{q} 0 {d} {x}" for q, d, x in rows).encode()
    path = tmp_path / "qrels"
    path.write_bytes(text)
    table = pandas.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    wanted = rankspec.evaluate(QRELS, RUN, (measures := ["AP", "infAP"]), backend=backend).per_query
    for qrels in (path, str(path), rows, table, io.BytesIO(text), io.BytesIO(gzip.compress(text))):
        found = rankspec.evaluate(qrels, RUN, measures, backend=backend)
        assert found.per_query == wanted
    kept = {"negative": "kept", "labels": "floor"}
    fractions = {
        q: {d: x - 0.25 if x < 0 else x for d, x in own.items()} for q, own in QRELS.items()
    }
    found = rankspec.evaluate(fractions, RUN, measures, labels="floor", backend=backend)
    assert found.per_query == wanted
    assert rankspec.evaluate(fractions, RUN, "infAP", **kept).per_query["infAP"] == wanted["infAP"]


@pytest.mark.spec("RS-PREC-51", "RS-CONV-14", "RS-CONV-17")
def test_the_pool_of_what_is_retrieved_and_extremes():
    found = rankspec.evaluate(QRELS, RUN, "infAP", pool="retrieved").per_query["infAP"]
    assert found["q"] == double(by_the_program(IN_ORDER["q"], 2))
    cut = rankspec.evaluate(QRELS, RUN, "infAP", pool="retrieved", depth=3).per_query["infAP"]
    assert cut["q"] == double(by_the_program(IN_ORDER["q"][:3], 1))
    with pytest.raises(InputError, match="its lowest value over all judgments is not known"):
        rankspec.evaluate(QRELS, RUN, "infAP", unjudged="lowest")
    with pytest.raises(InputError, match="rel must be above 0"):
        rankspec.evaluate(QRELS, RUN, "infAP(rel=0)")


@pytest.mark.spec("RS-PREC-50", "RS-CONV-15")
def test_infap_of_a_letor_file(tmp_path):
    """Each row is in the pool."""
    path = tmp_path / "rows"
    path.write_text("".join(f"{x} qid:1 1:{9 - i}\n" for i, x in enumerate([-1, 1, -1, 0, 1])))
    found = rankspec.evaluate_letor(path, ["infAP", "AP"], feature=1)
    assert found["infAP"] == double(by_the_program([-1, 1, -1, 0, 1], 2))
    assert found["AP"] == double(Fraction(1, 2) * (Fraction(1, 2) + Fraction(2, 5)))


def test_explain_shows_the_pool():
    explained = rankspec.explain(QRELS, RUN, "q", "infAP")
    text = str(explained)
    assert "a negative label counts" not in text
    assert "is not in the pool" in text
    assert explained.value == rankspec.evaluate(QRELS, RUN, "infAP").per_query["infAP"]["q"]
