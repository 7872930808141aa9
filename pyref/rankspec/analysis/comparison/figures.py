"""The figures of measures and sets of queries, as lines and as plain data.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...evaluation import render
from ...reference.agreement import Bin
from ...reference.numerics import nearest_double
from .found import Compared, SplitSwaps
from .grid import FEWEST, WHOLE

# ---- lines ---------------------------------------------------------------------------------

HEADER = (
    "figure", "measure", "other_measure", "set", "other_set", "test", "first", "second", "low",
    "high", "count", "of", "value",
)  # fmt: skip


def lines(found: Compared, digits: int | None) -> Iterator[Sequence[str]]:
    """A line a figure of measures; cells that a figure has not are empty."""
    yield HEADER
    for figure in figures(found):
        yield [_text(figure.get(name), digits) for name in HEADER]


def _text(x: Any, digits: int | None) -> str:
    return render.cell(x, digits) if isinstance(x, float) else "" if x is None else str(x)


def figures(found: Compared) -> Iterator[dict[str, Any]]:
    """Each figure of measures, with what it is of."""
    for name, of in {WHOLE: found, **found.subsets}.items():
        for measure in of.measures.values():
            where = {"measure": measure.measure, "set": name}
            for test, power in measure.power.items():
                yield {
                    "figure": "significant pairs", **where, "test": test,
                    "count": power.significant, "of": power.pairs, "value": power.share,
                }  # fmt: skip
            yield {"figure": "mean PAD", **where, "value": measure.mean_pad}
        for too_few, n in of.too_few.items():
            yield {
                "figure": "too few queries", "measure": too_few, "set": name, "count": n,
                "of": FEWEST,
            }  # fmt: skip
        yield from _figures_between(of, name)
    for x in (*found.set_swaps, *found.against):
        where = {"measure": x.measure, "set": x.first, "other_set": x.second}
        if x.first == x.second:
            where["other_set"] = f"{x.second} of the other collection"
        swapped = None if x.rate is None else len(x.swapped)
        yield {
            "figure": "swap rate", **where, "count": swapped, "of": x.pairs, "value": x.rate
        }  # fmt: skip
        yield {"figure": "tau_b", **where, "value": x.tau_b}
        yield from _pairs("swapped", where, x.swapped)
    for name, splits in found.splits.items():
        if splits is None:
            yield {"figure": "swap rate of halves", "measure": name}
        else:
            yield from _figures_of_splits(name, splits)


def _figures_between(found: Compared, of_set: str) -> Iterator[dict[str, Any]]:
    for (a, b), x in found.between.items():
        where = {"measure": a, "other_measure": b, "set": of_set}
        numbers = {
            "tau_b": x.orders.tau_b,
            "tau_AP 2nd": x.orders.tau_ap[0],
            "tau_AP 1st": x.orders.tau_ap[1],
            "tau_AP,b": x.orders.tau_ap_b,
        }
        if x.orders.p is not None:
            numbers[f"RBO, p = {float(x.orders.p)!r}"] = x.orders.rbo
        for figure, value in numbers.items():
            yield {"figure": figure, **where, "value": value}
        yield from _pairs("swapped", where, x.orders.swapped)
        for test, counts in x.conflicts.items():
            for figure, count in counts._asdict().items():
                yield {
                    "figure": figure, **where, "test": test, "count": count, "of": sum(counts)
                }  # fmt: skip


def _pairs(
    figure: str, where: Mapping[str, Any], pairs: Sequence[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    for first, second in pairs:
        yield {"figure": figure, **where, "first": first, "second": second}


def _figures_of_splits(measure: str, splits: SplitSwaps) -> Iterator[dict[str, Any]]:
    for b, x in enumerate(splits.bins):
        low, high = (float(splits.width * end) for end in (b, b + 1))
        yield {
            "figure": "swap rate of halves", "measure": measure, "low": low,
            "high": None if b + 1 == len(splits.bins) else high, "count": x.swaps,
            "of": x.comparisons, "value": _share(x),
        }  # fmt: skip


def _share(x: Bin) -> float | None:
    return None if x.rate is None else nearest_double(x.rate)


# ---- plain data ----------------------------------------------------------------------------


def between_dicts(found: Compared) -> list[dict[str, Any]]:
    """What each two measures say of the systems."""
    return [
        {
            "first": a,
            "second": b,
            "tau_b": x.orders.tau_b,
            "tau_ap_second": x.orders.tau_ap[0],
            "tau_ap_first": x.orders.tau_ap[1],
            "tau_ap_b": x.orders.tau_ap_b,
            "rbo": x.orders.rbo,
            "rbo_p": None if x.orders.p is None else float(x.orders.p),
            "swapped": [list(pair) for pair in x.orders.swapped],
            "conflicts": {test: counts._asdict() for test, counts in x.conflicts.items()},
        }
        for (a, b), x in found.between.items()
    ]


def swaps_dict(found: Compared) -> dict[str, Any]:
    """The swaps between sets, collections and halves of the queries."""
    return {
        "set_swaps": [asdict(x) for x in found.set_swaps],
        "against": [asdict(x) for x in found.against],
        "splits": {
            measure: None if x is None else _splits_dict(x) for measure, x in found.splits.items()
        },
    }


def _splits_dict(x: SplitSwaps) -> dict[str, Any]:
    return {
        "half": x.half,
        "splits": x.trials,
        "seed": x.seed,
        "width": float(x.width),
        "bins": [
            {"comparisons": b.comparisons, "swaps": b.swaps, "rate": _share(b)} for b in x.bins
        ],
    }
