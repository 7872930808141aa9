"""The laws of Adjusted(A), a measure over what a user expects of it for a list so long."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.certify import certified
from rankspec.metrics.adjusted import MOST_RANKS, Adjusted
from rankspec.metrics.catalogue import METRICS

from ..each import each

OWN = {  # {a measure: its adjusted form}
    "DCG(gain='exp2')": "LDCG",
    "DCG(gain='exp2', discount='zipf')": "LDCG(discount='zipf')",
    "ERR(max=3)": "LERR(max=3)",
    "ERR(stop=[0, 0, 0.25, 1])": "LERR(stop=[0, 0, 0.25, 1])",
    "AP(rel=2)": "LAP(rel=2)",
    "SP": "LAP",
    "RBP(p=0.5, rel=3)": "LRBP(p=0.5, rel=3)",
    "GAP(q=[0, 0.25, 0.5])": "LGAP(q=[0, 0.25, 0.5])",
}
labels = st.lists(st.integers(0, 3), max_size=5)
priors = st.sampled_from(["discount", "uniform", "zipf", [4, 2, 1, 1, 0.5]])
cutoffs = st.sampled_from([None, 1, 2, 4])


@pytest.mark.slow(but=2)
@pytest.mark.spec("RS-LEN-17", "RS-LEN-17/L1", "RS-LEN-17/L4")
@pytest.mark.parametrize("name", OWN)
@given(
    r=labels,
    tied=st.booleans(),
    prior=priors,
    k=cutoffs,
    Z=st.sampled_from(["M", "none"]),
)
def test_it_is_the_adjusted_metric_of_the_chapter(name, r, tied, prior, k, Z):
    """Whose values the C core computes."""
    (measure,), (own,) = rs.measures(name), rs.measures(OWN[name])
    at = measure.metric(k=k, **measure._parameters())
    expected = own.metric(k=k, **{**own._parameters(), "prior": prior, "Z": Z})
    data = {"judged": [*r, 3], **({"scores": [i // 2 for i in range(len(r))]} if tied else {})}
    assert Adjusted(at, prior=prior, Z=Z).of(r, **data) == expected.of(r, **data)


def reciprocal_rank(r: tuple[int, ...], k: int) -> Fraction:
    return next((Fraction(1, i) for i, x in enumerate(r[:k], 1) if x), Fraction(0))


def precision(r: tuple[int, ...], k: int) -> Fraction:
    return Fraction(sum(r[:k]), k)


DEFINED = {"RR": (rs.RR, reciprocal_rank), "P": (rs.P, precision)}


def by_definition(of, r, k, prior, Z) -> Fraction:
    def one(i: int, n: int) -> Fraction:
        return of(tuple(int(j == i) for j in range(1, n + 1)), k)

    n = min(len(r), k)
    w = lambda i, n: one(i, n) / one(1, n) if prior == "discount" else Fraction(prior[i - 1])  # noqa: E731
    below = sum((w(i, len(r)) * one(i, len(r)) for i in range(1, n + 1)), Fraction(0))
    W = sum(w(i, k) for i in range(1, k + 1)) if Z == "M" else 1
    return of(r, k) * W / below if below else Fraction(0)


@pytest.mark.spec("RS-LEN-17")
@pytest.mark.parametrize("name", DEFINED)
@each("prior", ["discount", [5, 3, 1]])
@each("Z", ["M", "none"])
def test_every_small_list_by_the_definition(name, prior, Z):
    metric, of = DEFINED[name]
    for k in (1, 2, 3):
        measure = rs.Adjusted(metric(k=k), prior=prior, Z=Z)
        for n in range(4):
            for r in product((0, 1), repeat=n):
                assert measure.of(list(r)) == float(by_definition(of, r, k, prior, Z)), (k, r)


@pytest.mark.spec("RS-LEN-17")
def test_under_ties_it_is_the_mean_over_the_orders():
    measure = rs.Adjusted(rs.RR(k=3), prior="uniform")
    orders = [by_definition(reciprocal_rank, r, 3, [1] * 3, "M") for r in permutations((1, 0, 1))]
    assert measure.of([1, 0, 1], scores=[2, 2, 2]) == float(sum(orders) / len(orders))


@pytest.mark.spec("RS-LEN-17/L2", "RS-LEN-17/L3")
@each(("a", "b"), [("DCG@3", "nDCG@3"), ("P@3", "R@3"), ("ERR@3", "nERR@3")])
def test_a_factor_of_the_pool_changes_nothing(a, b):
    pool = [2, 1, 1, 0, 0]
    values = {}
    for r in sorted(set(permutations(pool, 3))):
        one, other, plain = (
            measure.of(list(r), judged=pool)
            for text in (f"Adjusted({a})", f"Adjusted({b})", a)
            for measure in rs.measures(text)
        )
        assert one == other
        values[plain] = one
    assert len(values) > 1
    assert [values[x] for x in sorted(values)] == sorted(values.values())


@pytest.mark.spec("RS-LEN-17/L5")
@each("name", ["RR@2", "P@2", "RBP(p=0.5)@2", "nDCG(discount='zipf')@2", "Success@2"])
@each("prior", ["uniform", [4, 1], [1, 0]])
def test_c1_and_c2_by_the_lists(name, prior):
    (A,) = rs.measures(name)
    w = [1, 1] if prior == "uniform" else prior

    def exact(m, r):
        return Fraction(certified(m, list(r), judged=[2, 1, 1]).exact)

    one = [exact(A, r) for r in ([1, 0], [0, 1])]
    S, first = w[0] * one[0] + w[1] * one[1], w[0] * one[0]
    adjusted = rs.Adjusted(A, prior=prior, Z="none")
    for a, b in [(1, 0), (1, 1)]:
        sign = exact(A, [a]) * S - exact(A, [a, b]) * first
        difference = exact(adjusted, [a]) - exact(adjusted, [a, b])
        assert (difference > 0, difference < 0) == (sign > 0, sign < 0)


REFUSED = {
    "LDCG": "is adjusted for the length already",
    "UL2(DCG)": "is made of a measure; Adjusted stands within averages",
    "GM(AP)": "is made of a measure; Adjusted stands within averages",
    "IDCG": "is of the pool alone",
    "nDCG_phi": "takes scores",
    "Bpref": "asks what nobody judged",
    "RBP_residual": "asks what nobody judged",
    "NumRelRet": "is a count",
    "sDCG": "is not of rankings with one label per item",
    "SetP": "divides by a number of the list itself",
    "AP(norm='hits')": "divides by a number of the list itself",
    "Yaap": "is not 0 where a list gains nothing",
    "Utility": "is not 0 where a list gains nothing",
    "DCG(gain=[0, 0])": "has no value for an item of a label from 1 to 255",
    "RR@1001": "the cut-off is 1001",
}


@pytest.mark.spec("RS-LEN-17")
@each(("name", "words"), REFUSED.items())
def test_what_cannot_be_adjusted_is_refused(name, words):
    with pytest.raises(rs.InputError, match=words):
        rs.measures(f"Adjusted({name})")


@pytest.mark.spec("RS-LEN-17")
def test_a_list_that_is_too_long_is_refused():
    long = [1] * (MOST_RANKS + 1)
    with pytest.raises(rs.InputError, match="the list has 1001 results"):
        rs.Adjusted(rs.RR()).of(long)
    assert rs.Adjusted(rs.RR(k=2)).of(long) == rs.Adjusted(rs.RR(k=2)).of([1, 1])


@pytest.mark.spec("RS-LEN-17")
def test_every_metric_is_adjusted_or_refused_with_its_reason():
    adjusted = set()
    for metric in METRICS:
        if rs.Adjusted.refusal(metric) or metric.name in ("SetP", "SetAP", "Yaap", "Utility"):
            with pytest.raises(rs.InputError, match=r"\(RS-LEN-17\)"):
                rs.Adjusted(metric(k=2))
            continue
        measure = rs.Adjusted(metric(k=2))
        adjusted.add(metric.name)
        assert measure.of([0, 0]) == measure.of([]) == 0
    assert len(adjusted) > 30
    assert {"RR", "P", "R", "G", "Q_measure", "INST", "Compat"} <= adjusted


@each("text", ["Adjusted(RR@2)", "Adjusted(RBP(p=0.5)@3, prior='uniform', Z='none')"])
def test_it_is_written_copied_and_read_as_other_measures(text):
    (measure,) = rs.measures(text)
    assert str(measure) == text
    assert eval(repr(measure), {"rs": rs}) == measure  # noqa: S307
    assert pickle.loads(pickle.dumps(measure)) == copy.deepcopy(measure) == measure  # noqa: S301
    result = rs.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}, [text])
    assert result[text] == measure.of([1, 0])


@pytest.mark.spec("RS-LEN-17")
def test_an_explanation_credits_the_ranks_that_the_measure_credits():
    """The total is that of the measure that is adjusted, rank by rank."""
    qrels, run = {"q": {"a": 1, "x": 0, "b": 2}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    for name in ["RR", "AP@2", "GAP@3", "Success@3", "O_measure", "EBR@3", "nDCG@3", "ERR", "P@2"]:
        inner = rs.explain(qrels, run, "q", name)
        outer = rs.explain(qrels, run, "q", f"Adjusted({name})")
        gains = [row.document for row in inner.rows if row.contribution]
        assert [row.document for row in outer.rows if row.contribution] == gains
        assert sum(row.contribution for row in outer.rows) == pytest.approx(inner.value, rel=1e-12)
    rr = rs.explain(qrels, run, "q", "Adjusted(RR@3)")
    assert [row.contribution for row in rr.rows] == [0, 0.5, 0]


@pytest.mark.spec("RS-LEN-17", "RS-DISC-5")
@each("Z", ["M", "none"])
def test_weights_that_do_not_reach_the_last_rank_are_refused(Z):
    with pytest.raises(rs.InputError, match=r"^prior: weights for 2 ranks .* rank 3 needs one"):
        rs.Adjusted(rs.RR(k=3), prior=[1, 0.5], Z=Z).of([1, 0, 0])


@pytest.mark.spec("RS-LEN-17", "RS-CONV-4", "RS-CONV-53")
@each("name", ["AP", "nDCG", "R", "nERR", "Rprec", "Compat", "nCG"])
@each("wrapped", ["Adjusted({})", "GM(Adjusted({}))", "expected(Adjusted({}))"])
def test_it_is_undefined_where_its_measure_is(name, wrapped):
    """Also within an average, or as an expected value."""
    qrels = {"some": {"a": 1, "b": 0}, "none": {"a": 0}}
    run = {"some": {"b": 2.0, "a": 1.0}, "none": {"a": 1.0}}

    def of(undefined):
        found = rs.evaluate(qrels, run, wrapped.format(name), undefined=undefined)
        return next(iter(found.per_query.values()))

    defined = of("zero")["some"]
    assert of("zero") == {"some": defined, "none": 0}
    assert of("omit") == {"some": defined}
    assert of("one") == {"some": defined, "none": 1}
    with pytest.raises(rs.InputError, match=r"RS-CONV-4"):
        of("error")
