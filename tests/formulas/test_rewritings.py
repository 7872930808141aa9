"""Other ways to write the formulas of the spec, which are as true as those that it has."""

from __future__ import annotations

import pytest

from tests.each import each

from .formulas import FORMULAS, check

REWRITINGS = {
    "a renamed index, a commuted product": (
        "RS-DCG-2",
        r"\mathrm{DCG}@k = \sum_{h=1}^{\min(n, k)} d(h)\,g(r(h))",
    ),
    "the quotient by a power": (
        "RS-DCG-9",
        r"\mathrm{nCG}@k = \mathrm{CG}@k \cdot (\mathrm{ICG}@k)^{-1}",
    ),
    "one case, and otherwise": (
        "RS-DCG-6",
        r"\mathrm{nDCG}@k = \begin{cases} 0 & \text{if } \mathrm{IDCG}@K = 0 \\"
        r" \mathrm{DCG}@k / \mathrm{IDCG}@K & \text{otherwise} \end{cases}",
    ),
    "a sum over ranks of a mean": (
        "RS-EXP-2",
        r"\mathrm{E}[\mathrm{DCG}@k]"
        r" = \sum_T \sum_{j=1}^{m} \frac{d(s + j)}{|T|} \sum_{y \in T} g(y)",
    ),
    "an index from 0": (
        "RS-BND-9",
        r"\mathrm{RLB}[\mathrm{DCG}@k] = \sum_{i=0}^{k - 1} d(i + 1)"
        r" \cdot \sum_{x \in J} \frac{g(x)}{|J|}",
    ),
    "the sides of a relation, exchanged": (
        "RS-LEN-8/L2",
        r"\frac{D(R)}{S(R)} (S(C) - S(R))"
        r" \ge \sum_{i=R+1}^{C} g(J_{(i)})\,d(i) \cdot \frac{1}{g(m)}",
    ),
    "a common factor": (
        "RS-LEN-6",
        r"\mathrm{ILDCG} = \frac{g(m)\,D(R)}{Z\,S(R)}",
    ),
    "the mean by parts": (
        "RS-BND-2",
        r"\mathrm{RLB} = \sum_{\pi} \frac{A(\pi(J))}{|J|!}",
    ),
    "one quotient": (
        "RS-BND-5",
        r"\mathrm{UL1} = \begin{cases} \frac{A^2}{\mathrm{IUB}\,(A + \mathrm{RLB})}"
        r" & \text{if } \mathrm{IUB} > 0, A > 0 \\ 0 & \text{otherwise} \end{cases}",
    ),
    "Horner's form": (
        "RS-REL-8",
        r"\varphi(s) = Y_j + t\,(h_j d_j + t\,(3\,(Y_{j+1} - Y_j) - 2 h_j d_j - h_j d_{j+1}"
        r" + t\,(2\,(Y_j - Y_{j+1}) + h_j\,(d_j + d_{j+1}))))",
    ),
    "the discounts of a query, within its sum": (
        "RS-SES-6",
        r"\mathrm{sDCG}@X = \sum_{p=1}^{m} \sum_{i=1}^{\min(n_p, X)} d(i)\,D(p)\,G_p[i]",
    ),
    "both arguments of a maximum": (
        "RS-SES-4",
        r"L_q = \max(\min(X, c), \min(n_q, X))",
    ),
    "the base of a logarithm": (
        "RS-DISC-1",
        r"d(i) = \frac{\log_2 b}{\log_2 (1 + i)}",
    ),
}


@each("rewriting", REWRITINGS)
def test_rewriting_is_as_true(rewriting: str) -> None:
    where, tex = REWRITINGS[rewriting]
    for formula in FORMULAS:
        if formula.where == where and not formula.display:
            why = check(formula, [tex])
            if why:
                pytest.fail(why)
