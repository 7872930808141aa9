"""The parser: the values of the formulas that it reads, and those that it refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from tests.each import each

from .evaluate import UndefinedError, discrepancy, evaluate
from .tex import FormulaError, parse
from .worlds import indexed, value

WORLD = {
    "x": Fraction(3), "n": Fraction(4), "N_p": Fraction(5), "N_1": Fraction(9),
    "f": lambda x: x + 1,
    "a_": indexed([Fraction(x) for x in (7, 5, 2, 1)]), "J": (1, 1, 0),
    "DCG@": lambda k: 10 * k, "r_()": None, "r_": value(indexed([6, 8])),
    "E[]": lambda body: body({"x": Fraction(1)}) + body({"x": Fraction(2)}),
    "each T": [{"T": (1, 2), "m": Fraction(1)}, {"T": (3,), "m": Fraction(0)}],
    "\\sigma^2": Fraction(9), "for": "best",
}  # fmt: skip
FUNCTIONS = {"f", "r_()", "E[]"}
VALUES: dict[str, object] = {
    "1 + 2 x": 7,
    "x^2 n": 36,
    "2^{n - x}": 2,
    "-x + n": 1,
    "x - n - 2": -3,
    "n / 2 - 1": 1,
    r"n \, (n - 1)": 12,
    "f(x)^2": 16,
    "x (n)^2": 48,
    "N_p - a_2": 0,
    "a_{n - x}": 7,
    "a_{(2)}": 5,
    r"\frac12 + \frac{1}{n}": Fraction(3, 4),
    r"\frac{\frac{1}{2}}{3}": Fraction(1, 6),
    r"\sum_{i=1}^{x} i^2": 14,
    r"\prod_{i=2}^{n} i": 24,
    r"\sum_{i=2}^{1} i": 0,
    r"2 \sum_{i=1}^{2} i + 1": 7,
    r"\sum_{y \in J} (y + 1)": 5,
    r"\sum_T m |T|": 2,
    r"\max_{1 \le i \le n} a_i": 7,
    r"\min(x, n) + \max(1, 2)": 5,
    r"|J| + |x - n|": 4,
    "n!": 24,
    r"\lvert \{ y \in J : y = 1 \} \rvert": 2,
    r"\max \{ y \in J : y < 1 \} + \min(x, \dots, n)": 3,
    r"[x > 2]\, [x < 3] + [n = 4]": 1,
    r"\binom{n}{2} + \binom{2}{n}": 6,
    r"1 + a_1 + \dots + a_n - 2": 14,
    r"2 \bigl[ x - 1 \bigr] n": 16,
    "a_{x - 2} + N_{x - 2}": 16,
    r"\mathrm{DCG}@x + \mathrm{DCG}@\min(x, 2)": 50,
    "r_q(2)": 8,
    r"\mathrm{E}[x^2]": 5,
    r"\sigma^2": 9,
    r"\log_2 8 + \log_{4} (x - 1)": Fraction(7, 2),
    r"\ln x": sympy.log(3),
    r"\log_2 3": sympy.log(3) / sympy.log(2),
    r"\sqrt{n}": 2,
    r"\langle a_1, a_2, \dots, a_n \rangle": (7, 5, 2, 1),
    r"\langle a_{|J|}, \dots, a_2, a_1 \rangle": (2, 5, 7),
    r"\langle \mathrm{DCG}@1, \dots, \mathrm{DCG}@x \rangle": (10, 20, 30),
    r"\begin{cases} 1 & \text{if } x > n \\[2ex] 2 & \text{if } x = 3, n \ne 3 \end{cases}": 2,
    r"\begin{cases} 1 & \text{if } x > n \text{ or } n = 4 \\ 2 & \text{else} \end{cases}": 1,
    r"\begin{cases} 1 & \text{if } n = 4 \text{ and } x = 4 \\ 2 & \text{otherwise} \end{cases}": 2,
    r"\begin{cases} 1 & \text{if } x > n \\ 2 & \text{otherwise} \end{cases}": 2,
    r"\begin{cases} 1 & \text{for } \texttt{best} \\ 2 & \text{for } \texttt{worst} \end{cases}": 1,
    r"\frac{6}{2} \Bigm/ \frac{3}{1}": 1,
    r"\Bigl( 1 + \bigl( x \bigr) \Bigr)^2": 16,
}


@each("tex", VALUES)
def test_value_of_an_expression(tex: str) -> None:
    (expression,) = parse(tex, FUNCTIONS)
    assert evaluate(expression, {**WORLD, "q": 1}) == VALUES[tex]


STATEMENTS = {
    r"x < n \le 4": True,
    r"x < n < 4": False,
    r"x = 3, \qquad n = 4": True,
    r"x = 3, \qquad n = 5": False,
    r"a_1 \ge a_2 \ge \dots \ge a_n": True,
    r"a_1 < a_2 < \dots < a_n": False,
    r"a_i \le 7, \quad i = 1, \dots, n": True,
    r"a_i \le 5, \quad i = 1, \dots, n": False,
    r"a_i \le 5, \quad i = 2, \dots, n": True,
    r"x > 5 \implies n > 5": True,
    r"x < 5 \implies n > 5": False,
}


@each("tex", STATEMENTS)
def test_truth_of_statements(tex: str) -> None:
    assert (discrepancy(parse(tex, FUNCTIONS), WORLD) is None) == STATEMENTS[tex]


REFUSED = {
    "x / n y": "a factor behind a quotient",
    r"\sum_{i=1} i": "no upper end",
    r"x + \heartsuit": "expected a number, a name or a group",
    "x )": "no rule of a formula",
    r"\{ x + 1 : x > 2 \}": "expected a name in braces",
    "(x": "expected ','",
    "x § n": "no token",
    r"\begin{cases} 1 & \text{where } x \end{cases}": 'expected "if"',
}


def test_elements_that_are_there_under_a_condition() -> None:
    tex = r"(x, 0),\ \underbrace{(n, x)}_{\text{if } n > %s},\ (1, n)"
    for bound, points in (3, [(3, 0), (4, 3), (1, 4)]), (4, [(3, 0), (1, 4)]):
        world = {**WORLD, "value": points}
        assert discrepancy(parse(tex % bound), world) is None
        assert discrepancy(parse(tex % bound), {**WORLD, "value": points[1:]}) is not None


@each("tex", REFUSED)
def test_what_is_refused(tex: str) -> None:
    with pytest.raises(FormulaError, match=REFUSED[tex]):
        parse(tex, FUNCTIONS)


@each("tex", [
    r"\frac{1}{x - 3}", "a_5", r"\max_{2 \le i \le 1} i", r"\log_2 (x - 3)", "0^{-1}", "(x - n)!",
    r"\begin{cases} 1 & \text{if } x = 3 \\ 2 & \text{if } n = 4 \end{cases}",
    r"\begin{cases} 1 & \text{if } x = 4 \end{cases}",
])  # fmt: skip
def test_what_has_no_value(tex: str) -> None:
    (expression,) = parse(tex, FUNCTIONS)
    with pytest.raises(UndefinedError):
        evaluate(expression, WORLD)
