"""The formulas of the spec, read from its pages and evaluated: true in every small world.

A formula is held against the reference by what it says, not by its text. So a change of its value
fails here, and another way to write it does not.
"""

from __future__ import annotations

import pytest

from tests.each import each

from .formulas import FORMULAS, PARTS, UnreadableError, check, texts_of
from .pages import passages

CHAPTERS = ("gain", "dcg", "length", "bounds", "relevance", "session", "ties")
"""The chapters of the four papers, and that of ties."""

NOT_EVALUATED = {
    "RS-DCG-10": "an average of nDCG, by trec_eval",
    "RS-EXP-81": "its expectation",
    "RS-DCG-11": "an average of nDCG, by trec_eval",
    "RS-EXP-82": "its expectation",
    "RS-DCG-12": "binary G, by trec_eval",
    "RS-EXP-83": "its expectation",
    "RS-DCG-13": "G, by trec_eval",
    "RS-EXP-84": "its expectation",
    "RS-LEN-12": "any metric: LDCG, LERR, LAP, LRBP and LGAP are evaluated",
    "RS-LEN-17": "any measure",
    "RS-EXP-29": "of four metrics at once",
    "RS-REL-13": "any metric of relevances",
    "RS-REL-16": "any measure of relevances",
    "RS-BND-14": "any function",
    "RS-SES-33": "a choice of labels",
    "RS-BND-12": "means over systems",
    "RS-SES-1": "the size of a set of places",
    "RS-SES-9": "an arrangement, in words",
    "RS-SES-21": "averages over sessions",
    "RS-SES-22": "slices of arrays",
    "RS-SES-23": "a pool, in words",
    "RS-SES-24": "averages over sessions",
    "RS-SES-28": "means over sessions",
    "RS-SES-30": "sets of ranks",
    "RS-TIE-1": "an order, in words",
    "RS-TIE-2": "an order",
}
"""The entries whose displays are not read, and why."""


@pytest.mark.parametrize("part", PARTS)
def test_formulas_are_true_in_every_world(part: str) -> None:
    wrong = [
        f"{formula.where} in spec/{passages()[formula.where].page}: {why}"
        for formula in PARTS[part]
        if (why := check(formula, texts_of(formula)))
    ]
    if wrong:
        pytest.fail("\n".join(wrong))


def test_every_display_of_these_chapters_is_evaluated_or_has_a_reason() -> None:
    evaluated = {(f.where, f.display) for f in FORMULAS if not f.inline}
    displayed = {
        (passage.where, i)
        for passage in passages().values()
        for i in range(len(passage.displays()))
        if passage.page.removesuffix(".md") in CHAPTERS
    }
    assert displayed - evaluated == {x for x in displayed if x[0] in NOT_EVALUATED}
    assert {where for where, _ in displayed} >= NOT_EVALUATED.keys()


PLANTED = {
    "the discount, squared": (
        "RS-DCG-2",
        r"\mathrm{DCG}@k = \sum_{i=1}^{\min(k, n)} g(r(i)) \cdot d(i)^2",
    ),
    "twice the mean": ("RS-BND-2", r"\mathrm{RLB} = \frac{2}{|J|!} \sum_{\pi} A(\pi(J))"),
    "the worst number of results": (
        "RS-LEN-7",
        r"\mathrm{ILDCG} = \min_{1 \le N \le \min(M, |J|)} \frac{\mathrm{IDCG}@N}{Z \cdot S(N)}",
    ),
    "C1 for C2": (
        "RS-LEN-10",
        r"r_1 = r_2 > r_3 \implies E(\langle r_1 \rangle) < E(\langle r_2, r_3 \rangle)",
    ),
    "an inequality, turned round": (
        "RS-LEN-8/L2",
        r"\sum_{i=R+1}^{C} \frac{g(J_{(i)})}{g(m)}\,d(i) \ge \frac{D(R)}{S(R)}\,(S(C) - S(R))",
    ),
    "another cubic": (
        "RS-REL-8",
        r"\varphi(s) = Y_j\,(1 + 2t)\,u^2 + h_j d_j\,t\,u^2"
        r" + Y_{j+1}\,t^2 (3 - t) - h_j d_{j+1}\,t^2 u",
    ),
    "no discount of queries": (
        "RS-SES-3",
        r"\mathrm{sDCG}(q)[i] = \sum_{j=1}^{i} G_q[j]\, d(j), \quad i = 1, \dots, \min(X, n_q)",
    ),
    "fewer ranks than there are": (
        "RS-SES-2",
        r"G_q[i] = g(r_q(i)) \cdot \delta^{\,t_q(i) - 1}, \quad i = 2, \dots, \min(X, n_q)",
    ),
    "groups without those above": (
        "RS-EXP-2",
        r"\mathrm{E}[\mathrm{DCG}@k]"
        r" = \sum_T \frac{1}{|T|} \sum_{x \in T} g(x) \sum_{j=1}^{m} d(j)",
    ),
}


@each("change", PLANTED)
def test_planted_change_is_refused_by_a_value(change: str) -> None:
    where, tex = PLANTED[change]
    formula = next(f for f in FORMULAS if f.where == where)
    why = check(formula, [tex])
    assert why is not None
    assert not why.startswith("undefined")


def test_a_law_in_the_line_is_refused_where_it_is_turned_round() -> None:
    formula = next(f for f in FORMULAS if f.where == "RS-LEN-10/L1")
    assert check(formula, ["d(2) > 0", r"w(2)\,g(r_1) > w(1)\,g(r_3)"]) is None
    why = check(formula, ["d(2) > 0", r"g(r_3)\,w(1) > g(r_1)\,w(2)"])
    assert why is not None
    assert "is false" in why


def test_error_names_the_entry_and_the_position() -> None:
    formula = next(f for f in FORMULAS if f.where == "RS-DCG-2")
    (tex,) = texts_of(formula)
    place = rf"^RS-DCG-2 \(dcg\.md, from line \d+\): .* at position {len(tex) + 1}: '.*heartsuit"
    with pytest.raises(UnreadableError, match=place):
        check(formula, [tex + r" \heartsuit"])
