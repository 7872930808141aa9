"""The plain spelling of measures is read as the grammar reads it."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from rankspec import InputError
from rankspec.metrics import grammar
from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS
from rankspec.metrics.plain import plain_measure

DEFAULTS: list[dict[str, Any]] = [
    {},
    {"gain": None, "discount": None, "rel": None, "variant": None},
    {"gain": "exp2", "discount": "zipf", "rel": 2, "variant": None},
]
CUTOFFS = [
    "",
    "@1",
    "@10",
    "@010",
    "@0",
    "@",
    "@5,10",
    "@-1",
    "@1.5",
    " @3",
    "@\u0661",
    "@9999999999",
]


def names() -> list[str]:
    every = (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS)
    found = {name for m in every for name in (m.name, m.function, m.names.trec, m.names.trec_cut)}
    return sorted(name for name in found if name)


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize("defaults", DEFAULTS)
def test_what_is_read_is_what_the_grammar_reads(defaults: dict[str, Any]) -> None:
    read = 0
    for name, cut in product(names(), CUTOFFS):
        found = plain_measure(name + cut, defaults)
        if found is not None:
            assert [found] == grammar.measures(name + cut, defaults), name + cut
            assert str(found) == str(grammar.measures(name + cut, defaults)[0])
            read += 1
    assert read > 3 * len(METRICS)


def test_most_are_read() -> None:
    """By their names; IPrec@1 could be a level, and other spellings are left to the grammar."""
    for m in METRICS:
        assert (plain_measure(m.name, {}) is None) == m.names.at_level
    for text in ("ndcg", "ndcg_cut.10", "nDCG(gain='exp2')", "UL2(nDCG)", "nope", "nDCG@0", ""):
        assert plain_measure(text, {}) is None
    with pytest.raises(InputError):
        grammar.measures("nDCG@0")


def test_a_measure_is_itself() -> None:
    (measure,) = grammar.measures("nDCG(gain='exp2')@10")
    assert plain_measure(measure, {"gain": "linear"}) is measure
