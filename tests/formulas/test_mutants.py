"""A change of a number, a sign, an operator, an end or a relation of a formula is noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.each import each

from .evaluate import UnknownNameError
from .formulas import FORMULAS, UnreadableError, check, prose_of, texts_of
from .mutate import Mutant, mutants
from .worlds import Formula

BOTH_CASES = "both cases have this value where they meet"
WEAKER = "it says less, and is true"
SURVIVORS = {
    ("RS-DISC-3", r"text{if } i [< -> \le] b \\ \dfrac"): BOTH_CASES,
    ("RS-DISC-6", "d(i[ -> + 1]) = 1"): "a constant",
    ("RS-DCG-4", r"\ge J_{(|J|[ -> - 1])}"): WEAKER,
    ("RS-LEN-10", r"E(\langle r_[1 -> 2] \rangle) >"): "the two labels are equal",
    ("RS-LEN-11", r"E(\langle r_[1 -> 2] \rangle) <"): "the two labels are equal",
    ("RS-LEN-11", r"E(\langle r_[2 -> 3], r_3 \rangl"): "the two labels are equal",
    ("RS-BND-4/L5", r"text{if } U [< -> \le] \rho \end{c"): BOTH_CASES,
    ("RS-BND-5", r"xt{ and } A [> -> \ge] 0 \\[2ex] 0"): BOTH_CASES,
    ("RS-BND-5/L1", r"1 + \rho} < [1 -> 2]"): WEAKER,
    ("RS-REL-7", r"\delta D_0 [\le -> <] 0 \\ 3 D_0"): BOTH_CASES,
    ("RS-REL-7", r"f } D_0 D_1 [\le -> <] 0,\ |\delta"): BOTH_CASES,
    ("RS-REL-7", r",\ |\delta| [> -> \ge] 3 |D_0| \\"): BOTH_CASES,
    ("RS-REL-9/L5", "hrm{min}) + [3 -> 4]\\,(s - W)}{\\"): WEAKER,
}
"""Changes after which a formula is still true, and why."""


Texts = tuple[list[str], list[str]]
"""The TeX of a formula, and of what prose defines for it."""


def changed(formula: Formula) -> Iterator[tuple[Mutant, Texts]]:
    """The mutants of a formula and of its prose, and its texts with each."""
    texts, prose = texts_of(formula), prose_of(formula)
    for mutant, own in _changed(texts):
        yield mutant, (own, prose)
    for mutant, own in _changed(prose):
        yield mutant, (texts, own)


def _changed(texts: list[str]) -> Iterator[tuple[Mutant, list[str]]]:
    for i, tex in enumerate(texts):
        for mutant in mutants(tex):
            yield mutant, [*texts[:i], mutant.tex, *texts[i + 1 :]]


def noticed(formula: Formula, texts: Texts) -> str | None:
    """Return how a change is noticed: by a value, or as a formula that has none."""
    try:
        return check(formula, *texts)
    except (UnreadableError, UnknownNameError) as error:
        return f"unreadable: {error}"


def by_value(why: str | None) -> bool:
    return why is not None and not why.startswith(("undefined", "unreadable"))


@each("formula", FORMULAS, ids=lambda formula: formula.name)
def test_a_change_of_each_formula_is_noticed_by_a_value(formula: Formula) -> None:
    assert any(by_value(noticed(formula, texts)) for _, texts in changed(formula))


@pytest.mark.slow
@each("formula", FORMULAS, ids=lambda formula: formula.name)
def test_every_change_of_a_formula_is_noticed(formula: Formula) -> None:
    surviving = {
        (formula.where, mutant.change)
        for mutant, texts in changed(formula)
        if noticed(formula, texts) is None
    }
    assert surviving <= SURVIVORS.keys()


@pytest.mark.slow
def test_the_list_of_survivors_has_no_other_entry() -> None:
    changes = {(f.where, mutant.change) for f in FORMULAS for mutant, _ in changed(f)}
    assert changes >= SURVIVORS.keys()


def test_mutants_of_a_formula() -> None:
    found = {mutant.tex for mutant in mutants(r"x \le \frac{1}{n} \sum_{i=1}^{n} r(i) - 2")}
    assert r"x \le \frac{2}{n} \sum_{i=1}^{n} r(i) - 2" in found
    assert r"x \ge  \frac{1}{n} \sum_{i=1}^{n} r(i) - 2" in found
    assert r"x \le \frac {n}{1} \sum_{i=1}^{n} r(i) - 2" in found
    assert r"x \le \frac{1}{n} \prod _{i=1}^{n} r(i) - 2" in found
    assert r"x \le \frac{1}{n} \sum_{i=1}^{n - 1} r(i) - 2" in found
    assert r"x \le \frac{1}{n} \sum_{i=1}^{n} r(i + 1) - 2" in found
    assert r"x \le \frac{1}{n} \sum_{i=1}^{n} r(i) + 2" in found
