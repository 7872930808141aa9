"""Every order of small tie groups: the rules "best" and "worst" are the extremes, or an exception.

The exceptions are those of the table of RS-TIE-2/L2. Each of them has an order that shows it, and
no other metric has one.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import pytest

from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make

from ..each import each
from ..laws.rankings import UNORDERED, is_unordered

CHAPTER = Path(__file__).resolve().parents[2] / "spec/ties.md"
OF_LISTS = [m for m in METRICS if not m.of_pool]
JUDGED, UNJUDGED = 0, 1
GRADES = [(label, JUDGED) for label in range(3)]
HIDDEN = [(0, UNJUDGED)]
SAMPLED = [(-1, JUDGED)]
"""An item of the pool that nobody judged, for metrics that read a negative label so."""
GRADED_GROUPS = [tuple((label, JUDGED) for label in labels) for labels in ((1, 2, 3), (0, 1, 2, 3))]
CUTOFFS = (1, 2, 3, None)
MORE = [[], [2, 1], [0]]
"""Labels of judged items that the list does not show."""

NUMBERS = {
    "weights": [(1, -1, 0, 0), (-1, 1, 0, 0), (0, 0, 1, 0), (1, 0, -1, 0)],
    "hb": [0, 1],
    "hc": [0, 1],
    "tail": ["always", "unjudged"],
    "gain": ["linear", [0, 1, 1, 5]],
}
"""Values beside the default of parameters that are numbers; of the others all words are taken."""


def exceptions_of_the_spec() -> list[str]:
    """The names of the metrics in the first column of the table of RS-TIE-2/L2."""
    text = CHAPTER.read_text("utf-8")
    rows = text.partition("    | exception | why |\n")[2].partition("\n\n")[0].splitlines()[1:]
    cells = [row.split("|")[1].strip() for row in rows]
    return [name for cell in cells for name in re.sub(r" with .*", "", cell).split(", ")]


def measures_of(metric):
    """At each cut-off each choice of words, and the numbers above."""
    choices = {n: NUMBERS.get(n, p.words) for n, p in metric.parameters.items()}
    choices = {n: x for n, x in choices.items() if x}
    for chosen in product(*choices.values()):
        for k in CUTOFFS:
            yield make(metric, k, **dict(zip(choices, chosen, strict=True)))


@cache
def worlds(unjudged: bool, negative: bool):
    """[(orders, judged)]: orders of a tie group below settled items, the best order first."""
    kinds = GRADES + HIDDEN * unjudged + SAMPLED * negative
    above = [x for n in range(3) for x in product([GRADES[0], GRADES[1], *kinds[3:]], repeat=n)]
    groups = [g for n in (2, 3) for g in combinations_with_replacement(kinds, n) if len(set(g)) > 1]
    pairs = [(x, g) for x in above for g in groups] + [((), g) for g in GRADED_GROUPS]
    found = []
    for settled, group in pairs:
        orders = sorted(set(permutations(group)), key=lambda o: [(u, -label) for label, u in o])
        judged = [label for label, u in (*settled, *group) if u == JUDGED]
        found += [([settled + o for o in orders], judged + more) for more in MORE]
    return found


def counterexample(measure):
    """An order beyond the value of a rule, or None."""
    metric = measure.metric
    spaces = worlds(metric.sees_unjudged, metric.reads_negative)
    rows = [(row, judged) for orders, judged in spaces for row in orders]
    labels = [[label for label, _ in row] for row, _ in rows]
    given = {"check": False, "judged": [judged for _, judged in rows]} if metric.pool else {}
    if metric.sees_unjudged:
        given["unjudged"] = [[u for _, u in row] for row, _ in rows]
    values = iter(measure.of(labels, **given).tolist())
    for orders, judged in spaces:
        own = [next(values) for _ in orders]
        if own[0] < max(own) or own[-1] > min(own):
            return orders, judged, own
    return None


def test_the_exceptions_are_those_of_the_spec():
    assert sorted(exceptions_of_the_spec()) == sorted(UNORDERED)


@pytest.mark.slow(but=2)
@each("metric", OF_LISTS, fast=6)
@pytest.mark.spec("RS-TIE-2/L2")
def test_best_and_worst_are_the_extremes_of_all_orders_but_for_the_exceptions(metric):
    for measure in measures_of(metric):
        if not is_unordered(measure):
            assert counterexample(measure) is None, measure


@pytest.mark.slow(but=2)
@each("name", UNORDERED, fast=2)
@pytest.mark.spec("RS-TIE-2/L2")
def test_each_exception_has_an_order_that_shows_it(name):
    (metric,) = [m for m in OF_LISTS if m.name == name]
    assert any(counterexample(m) is not None for m in measures_of(metric) if is_unordered(m))


@pytest.mark.spec("RS-TIE-2/L2", "RS-EXP-1/L2")
def test_two_exceptions_by_hand():
    """NumNonrelRet@1 of tied [2, 0]; BPM of [2, 0, 3, 1], whose third order is below "worst"."""
    count = make(next(m for m in METRICS if m.name == "NumNonrelRet"), 1)
    tied = {"scores": [1, 1], "unjudged": [0, 0]}
    assert [count.of([2, 0], ties=rule, **tied) for rule in ("best", "worst")] == [0, 1]
    bpm = make(next(m for m in METRICS if m.name == "BPM"))
    pool = [2, 0, 3, 1, 1]
    worst = bpm.of([2, 0, 3, 1], judged=pool, scores=[1] * 4, ties="worst")
    assert worst == 0.375 > bpm.of([0, 1, 3, 2], judged=pool) == 1 / 3
