"""Every small list: the C core against the certified reference, with nothing left to chance."""

from __future__ import annotations

from array import array
from itertools import accumulate, product

import pytest

from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make

ALL_METRICS = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)

CUTOFFS = [1, 2, 3, 4, 5, 6, None]


def flat(rows):
    return (
        array("B", [x for row in rows for x in row]),
        array("q", accumulate((len(row) for row in rows), initial=0)),
    )


def lists_up_to(length, grades):
    return [row for n in range(length + 1) for row in product(range(grades), repeat=n)]


@pytest.mark.slow
@pytest.mark.long(but=4)
@ALL_METRICS
@pytest.mark.spec(
    "RS-DCG-1", "RS-DCG-2", "RS-DCG-5", "RS-DCG-6", "RS-DCG-7", "RS-PREC-2", "RS-PREC-3",
    "RS-PREC-4", "RS-PREC-5", "RS-PREC-7", "RS-PREC-11", "RS-CAS-2", "RS-CAS-4", "RS-CAS-5",
    "RS-LEN-5", "RS-LEN-7", "RS-LEN-8", "RS-LEN-9",
    "RS-CONV-2", "RS-CONV-3", "RS-CONV-5",
)  # fmt: skip
def test_all_lists_of_up_to_five_over_four_grades(metric):
    """Every k; every choice of words; the list's own pool, and up to four all of one item more.

    Where labels are scores, up to four: a relevance is a curve for each pool, which takes its time.
    """
    rows = lists_up_to(4 if metric.relevance else 5, 4)
    more = [(0,), (1,), (2,), (3,)] if metric.judged else []
    pairs = [(row, row) for row in rows]
    pairs += [(row, row + extra) for row in rows if len(row) < 5 for extra in more]
    batch = Batch(*flat([row for row, _ in pairs]), None, *flat([pool for _, pool in pairs]))
    assert len(pairs) == (341 if metric.relevance else 1365) + 341 * len(more)
    assert_equal(measures_of(metric), batch)


@pytest.mark.slow
@pytest.mark.long(but=4)
@ALL_METRICS
@pytest.mark.spec(
    "RS-EXP-2", "RS-EXP-3", "RS-EXP-5", "RS-EXP-6", "RS-EXP-7", "RS-EXP-9", "RS-EXP-10",
    "RS-EXP-11", "RS-EXP-12", "RS-EXP-14", "RS-EXP-15", "RS-EXP-16", "RS-EXP-18",
)  # fmt: skip
def test_all_tie_groups_of_lists_of_up_to_four_over_three_grades(metric):
    pairs = [
        (row, (1, *starts))
        for row in lists_up_to(4, 3)
        if row
        for starts in product((0, 1), repeat=len(row) - 1)
    ]
    starts = bytes(start for _, own in pairs for start in own)
    labels, offsets = flat([row for row, _ in pairs])
    assert_equal(measures_of(metric), Batch(labels, offsets, starts))


def measures_of(metric):
    """Every cut-off with every choice of words; other parameters as by default.

    But for the gain: with the linear one so few items are enough for the ideals of LNDCG to differ.
    Where labels are scores, fewer cut-offs, and one choice at a time.
    """
    if metric.relevance:
        alone = [{}, *({name: x} for name, p in metric.parameters.items() for x in p.words[1:])]
        return [make(metric, k, **chosen) for chosen in alone for k in (1, 3, None)]
    choices = {name: p.words for name, p in metric.parameters.items() if p.words}
    if "gain" in metric.parameters:
        choices["gain"] = ("linear",)
    return [
        make(metric, k, **dict(zip(choices, chosen, strict=True)))
        for chosen in product(*choices.values())
        for k in CUTOFFS
    ]


def assert_equal(measures, batch):
    by_core = values(measures, batch, "c")
    by_reference = values(measures, batch, "reference")
    for measure, ours, theirs in zip(measures, by_core, by_reference, strict=True):
        for a, (x, y) in enumerate(zip(ours, theirs, strict=True)):
            assert x == y, f"{measure} of {batch.ranking(a)}"
