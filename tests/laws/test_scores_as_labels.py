"""Labels that are scores, RS-CONV-20: what nDCG means then, and documents without a score."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec
from rankspec.errors import InputError
from tests.conventions import convention_values

from ..each import each
from .broken import using
from .law import READINGS, law
from .qrels_and_runs import (
    RULES,
    as_dicts,
    conventions,
    forms,
    outcome,
    rows_of,
    run_tables,
    tables,
)

BY = pytest.mark.parametrize("by", READINGS)
BY_SCORE = ["nDCG@3", "nDCG", "DCG@2", "DCG_phi"]
VARIANTS = {"phi": "text", "phi-authors-program": "authors-program"}
relevances = st.sampled_from(sorted(VARIANTS))
whole = st.integers(-3, 9) | st.sampled_from([40, 300, 2**53 + 1])
decimals = st.sampled_from([-2.5, -0.0, 0.5, 1.25, 3.0, 1e300, 5e-324])
scored_tables = tables(whole, smallest=1) | tables(decimals, smallest=1)
degrees = tables(st.integers(0, 5) | st.just(300), smallest=1)
more = conventions(but="gain")  # which nDCG_phi does not have


@pytest.mark.spec("RS-CONV-20/L1")
@law(
    qrels=degrees,
    run=run_tables,
    form=forms,
    more=more,
    relevance=relevances,
    evaluate=using(relevance="label"),
)
def test_ndcg_is_another_name(rs, qrels, run, form, more, relevance):
    rows = rows_of(qrels), rows_of(run)
    found = outcome(rs.evaluate, *form(*rows), measures=BY_SCORE, relevance=relevance, **more)
    variant = f"(variant='{VARIANTS[relevance]}')"
    names = [f"nDCG_phi{variant}@3", f"nDCG_phi{variant}", f"DCG_phi{variant}@2"]
    names.append(f"DCG_phi{variant}")
    assert found == outcome(rs.evaluate, qrels, run, measures=names, **more)


@pytest.mark.spec("RS-CONV-20/L2", "RS-CONV-20")
@law(
    scores=st.lists(st.none() | whole, min_size=1, max_size=8),
    others=st.lists(whole, max_size=3),
    k=st.sampled_from([None, 1, 3]),
    relevance=relevances,
    evaluate=using(unjudged="condensed"),
)
def test_a_document_without_a_score_is_worth_nothing(rs, scores, others, k, relevance):
    """Also where the only score, or the same for all, is worth 1."""
    run = {"q": {f"d{a}": float(-a) for a in range(len(scores))}}
    qrels = {"q": {f"d{a}": s for a, s in enumerate(scores) if s is not None}}
    qrels["q"] |= {f"o{a}": s for a, s in enumerate(others)}
    pool = list(qrels["q"].values())
    cut = "" if k is None else f"@{k}"
    found = rs.evaluate(qrels, run, [f"nDCG{cut}", f"DCG{cut}"], relevance=relevance)
    if relevance == "phi" and pool and min(pool) == max(pool):
        labels = [0 if s is None else 1 for s in scores]
        expected = rs.ndcg(labels, judged=[1] * len(pool), k=k), rs.dcg(labels, k=k)
    else:
        nothing = min(pool, default=0) if relevance == "phi" else 0
        labels = [nothing if s is None else s for s in scores]
        given = {"judged": pool, "k": k, "variant": VARIANTS[relevance]}
        expected = rs.ndcg_phi(labels, **given), rs.dcg_phi(labels, **given)
    assert tuple(found.mean.values()) == expected


@pytest.mark.spec("RS-CONV-20/L3")
@law(
    qrels=tables(whole, smallest=1),
    run=run_tables,
    form=forms,
    more=more,
    a=st.integers(1, 5),
    b=st.integers(-20, 20),
    evaluate=using(relevance="phi-authors-program"),
)
def test_scores_may_be_on_any_scale(rs, qrels, run, form, more, a, b):
    other = {q: {d: a * s + b for d, s in scores.items()} for q, scores in qrels.items()}
    found, scaled = (
        outcome(rs.evaluate, *form(rows_of(x), rows_of(run)), **more)
        for more in [{"measures": BY_SCORE, "relevance": "phi", **more}]
        for x in (qrels, other)
    )
    assert found == scaled


@given(qrels=scored_tables, run=run_tables, form=forms, more=more, relevance=relevances)
@pytest.mark.spec("RS-CONV-20", "RS-CONV-19/L5")
def test_every_form_and_both_backends_agree(qrels, run, form, more, relevance):
    rows = rows_of(qrels), rows_of(run)
    measures = [*BY_SCORE, "DCG_phi(points=[(2, 1)])"]
    measures.append("nDCG_phi(points=[(-1, 0), (2, 0.25), (5, 1)])")
    chosen = {"measures": measures, "relevance": relevance, **more}
    first, *others = (
        outcome(rankspec.evaluate, *read(*rows), backend=backend, **chosen)
        for backend in ("c", "reference")
        for read in (as_dicts, form)
    )
    assert all(other == first for other in others)


# Special cases


@BY
@pytest.mark.parametrize("ties", RULES)
@pytest.mark.spec("RS-CONV-20")
def test_ties_by_label_are_by_score(by, ties):
    """All documents are tied. By the text φ of -9, -7, 2 is 0, 0, 1; x has no score."""
    qrels = {"q": {"a": -9, "b": -7, "c": 2}}
    run = {"q": dict.fromkeys(["x", "a", "b", "c"], 1.0)}
    order = {
        "id-descending": "xcba",
        "id-ascending": "abcx",
        "input": "xabc",
        "best": "cbax",
        "worst": "xabc",
    }
    found = rankspec.evaluate(qrels, run, "DCG", ties=ties, relevance="phi", backend=by)["DCG_phi"]
    if ties == "expected":
        one_in_four = [rankspec.dcg([0] * a + [1]) for a in range(4)]
        assert found == rankspec.dcg([1, 0, 0, 0], scores=[1, 1, 1, 1])
        assert min(one_in_four) < found < max(one_in_four)
    else:
        assert found == rankspec.dcg([0] * order[ties].index("c") + [1])


@BY
@pytest.mark.spec("RS-TIE-2(a)", "RS-CONV-15", "RS-CONV-20")
def test_a_document_without_a_label_is_below_the_label_0(by):
    """Both judged documents are worth 1, as their labels are equal; b, between them, is worth 0."""
    qrels, run = {"q": {"d": 0, "c": 0}}, {"q": dict.fromkeys("dbc", 1.0)}
    values = {
        rule: rankspec.evaluate(qrels, run, "DCG_phi@2", ties=rule, backend=by)["DCG_phi@2"]
        for rule in RULES
    }
    below_first = rankspec.dcg([0, 1])
    assert (values["worst"], values["best"]) == (below_first, rankspec.dcg([1, 1]))
    assert values["expected"] == rankspec.dcg([1, 1, 0], scores=[1, 1, 1], k=2)
    assert values["input"] == rankspec.dcg([1, 0])


@BY
@pytest.mark.parametrize("lowest", [-(2**63), -(2**63) + 1, -5e-324])
@pytest.mark.spec("RS-TIE-2(a)", "RS-CONV-20")
def test_a_document_without_a_score_is_below_the_lowest_score(by, lowest):
    """The only score is worth 1, whatever it is."""
    qrels, run = {"q": {"b": lowest}}, {"q": dict.fromkeys("abc", 1.0)}
    for rule, labels in (("best", [1, 0, 0]), ("worst", [0, 0, 1])):
        found = rankspec.evaluate(qrels, run, "DCG", ties=rule, relevance="phi", backend=by)
        assert found["DCG"] == rankspec.dcg(labels)


@BY
@pytest.mark.spec("RS-CONV-20")
def test_negative_scores_are_scores(by):
    """All are negative: the one of -1 is worth 1, and neither 0 nor left out."""
    qrels, run = {"q": {"a": -1, "b": -5, "c": -3.5}}, {"q": {"a": 2.0, "x": 1.0}}
    for negative in convention_values("negative", "kept"):
        given_ = {"relevance": "phi", "negative": negative, "backend": by}
        assert rankspec.evaluate(qrels, run, "DCG", **given_)["DCG"] == 1
        assert rankspec.evaluate(qrels, run, "nDCG", **given_)["nDCG"] == 1


@BY
@pytest.mark.parametrize("undefined", ["zero", "one", "omit"])
@pytest.mark.spec("RS-CONV-20", "RS-CONV-4")
def test_a_query_without_scores_is_undefined(by, undefined):
    qrels, run = {"p": {}, "q": {"a": 1}}, {"p": {"a": 1.0}, "q": {"a": 1.0}}
    found = rankspec.evaluate(
        qrels, run, "nDCG", relevance="phi", undefined=undefined, backend=by
    ).per_query["nDCG_phi"]
    assert found == {"zero": {"p": 0, "q": 1}, "one": {"p": 1, "q": 1}, "omit": {"q": 1}}[undefined]


@BY
@pytest.mark.spec("RS-CONV-20", "RS-CONV-17")
def test_the_pool_of_retrieved_documents_has_those_with_a_score(by):
    """Of 1, 2 and 3 the relevance is 0, 0 and 1, as 2 is the median; with 9 or a 0 it is not."""
    qrels = {"q": {"a": 1, "b": 2, "c": 3, "d": 9, "e": 9}}
    run = {"q": {"x": 4.0, "b": 3.0, "c": 2.0, "a": 1.0}}
    given_ = {"relevance": "phi", "backend": by}
    assert rankspec.evaluate(qrels, run, "DCG", **given_)["DCG"] == 0
    found = rankspec.evaluate(qrels, run, ["DCG", "nDCG"], pool="retrieved", **given_)
    assert found["DCG"] == found["nDCG"] == 0.5


@BY
@pytest.mark.spec("RS-CONV-20")
def test_degrees_may_be_scores(by):
    """A document without a judgment is worth nothing where all degrees are 1, too."""
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    found = rankspec.evaluate(qrels, run, ["nDCG_phi@1", "DCG_phi", "AP"], backend=by)
    assert list(found.mean) == ["nDCG_phi@1", "DCG_phi", "AP"]
    assert found["nDCG_phi@1"] == 0
    assert found["DCG_phi"] == rankspec.dcg([0, 1])
    assert found["AP"] == 0.25


@BY
@each(
    ("measure", "given_", "message"),
    [
        ("P@5", {}, r'measure "P@5": relevance is from 0 to 1; .*as in P\(rel=0.5\)'),
        ("Bpref", {}, "Phi: Bpref asks what nobody judged"),
        ("GAP@5", {}, "Phi: GAP has thresholds at the labels 1, 2, "),
        ("ERR(max=3)", {}, "it does not take relevances from 0 to 1"),
        (
            "nDCG(gain='exp2')",
            {},
            "exp2'.\": .*of which it is nDCG_phi; that has no gain",
        ),
        ("nDCG", {"gain": "exp2"}, "that has no gain"),
        ("nDCG_phi", {"gain": "linear"}, "^gain: it has no effect with relevance phi"),
        ("nDCG(ideal='all')@3", {}, "that has no ideal"),
        ("nDCG", {"unjudged": "lowest"}, "its lowest value over all judgments is not known"),
        ("nDCG", {"unjudged": "highest"}, "its highest value over all judgments is not known"),
        ("nDCG", {"profile": "gdeval"}, "that has no gain"),
        ("nDCG", {"profile": "sklearn"}, 'the profile "sklearn" has no nDCG_phi'),
    ],
)
@pytest.mark.spec("RS-CONV-20")
def test_what_is_refused(by, measure, given_, message):
    with pytest.raises(InputError, match=message):
        rankspec.evaluate(
            {"q": {"a": 1}}, {"q": {"a": 1.0}}, measure, relevance="phi", backend=by, **given_
        )


@pytest.mark.spec("RS-CONV-20")
def test_a_gain_and_a_discount_that_a_measure_takes():
    """LNDCG has its gain under phi, too, and nDCG_phi its discount; "own" is no gain."""
    qrels, run = {"q": {"a": 1, "b": 5, "c": 9, "d": 2}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}

    def found(measures, **how):
        return rankspec.evaluate(qrels, run, measures, relevance="phi", **how).mean

    both = found(["LNDCG", "nDCG_phi"], gain="linear")
    assert both == found(["LNDCG(gain='linear')", "nDCG_phi"])
    assert found("nDCG", discount="zipf") == found("nDCG(discount='zipf')") != found("nDCG")
    assert found("nDCG", gain="own") == found("nDCG")


@pytest.mark.spec("RS-CONV-20")
def test_what_is_no_choice():
    with pytest.raises(
        InputError, match=r'^relevance: unknown choice "phy" \(did you mean "phi"\?\)'
    ):
        rankspec.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "nDCG", relevance="phy")


@pytest.mark.spec("RS-CONV-20")
def test_a_measure_may_say_its_variant_itself():
    qrels, run = {"q": {"a": -5, "b": 5}}, {"q": {"a": 2.0, "b": 1.0}}
    names = ["nDCG_phi(variant='text')", "nDCG", "ndcg_cut.1"]
    found = rankspec.evaluate(qrels, run, names, relevance="phi-authors-program")
    program = "nDCG_phi(variant='authors-program')"
    assert list(found.mean) == ["nDCG_phi", program, f"{program}@1"]
    assert found["nDCG"] == found[program]


@BY
@pytest.mark.parametrize("relevance", sorted(VARIANTS))
@pytest.mark.spec("RS-CONV-20", "RS-CONV-20/L2")
def test_a_document_without_a_score_beside_every_small_pool(by, relevance):
    """Many scores are tied: the median, the whisker and the highest may be one."""
    pools = [pool for n in range(1, 5) for pool in product((-1, 0, 1, 3), repeat=n)]
    pools += [(1, 1, 3, 3, 50), (1, 1, 1, 1, 9), (0, 0, 0, 0, 9), (2, 2, 2, 2, 2, 9)]
    qrels = {str(q): {f"d{a}": s for a, s in enumerate(pool)} for q, pool in enumerate(pools)}
    run = {query: {"nobody scored this": 1.0} for query in qrels}
    found = rankspec.evaluate(qrels, run, ["DCG", "nDCG"], relevance=relevance, backend=by)
    assert {x for values in found.per_query.values() for x in values.values()} == {0.0}
