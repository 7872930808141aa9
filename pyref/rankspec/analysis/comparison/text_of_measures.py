"""How the part of a comparison is written that is about measures and sets of queries.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import dropwhile
from typing import Any

from ...evaluation import render
from ...reference.agreement import Bin, Conflicts
from ...reference.numerics import nearest_double
from .found import Compared, OfMeasure, SetSwaps, SplitSwaps
from .grid import WHOLE, Grid, corrected_cell, power_cell, share_cell, short

# ---- the tables ----------------------------------------------------------------------------


def grids(found: Compared, digits: int) -> Iterator[Grid]:
    """Of the measures; of sets of queries beside the whole; of swaps."""
    yield _of_measures(found, digits)
    yield from _between(found, digits, "")
    yield from _of_sets(found, digits)
    for name, of in found.subsets.items():
        yield from _between(of, digits, f", {name}")
    if found.set_swaps:
        yield _swaps("swaps between sets of queries", found.set_swaps, digits)
    if found.against:
        yield _swaps("swaps between the two collections", found.against, digits)
        if found.of_measures:
            yield from _swapped_of_sets(found.against)
    if found.splits:
        yield _of_splits(found.splits)


def _of_measures(found: Compared, digits: int) -> Grid:
    tests = [test.name for test in found.tests if any(_power(found, test.name))]
    return Grid(
        "measures: significant pairs by test, mean PAD",
        "measure",
        [*map(short, tests), "mean PAD"],
        [
            (
                of.measure,
                [*(power_cell(of.power.get(x)) for x in tests), render.cell(of.mean_pad, digits)],
            )
            for of in found.measures.values()
        ],
    )


def _power(found: Compared, test: str) -> list[bool]:
    return [test in of.power for of in found.measures.values()]


def _between(found: Compared, digits: int, of_set: str) -> Iterator[Grid]:
    """Each measure beside each other; of_set: what ends the titles."""
    title = f"agreement of the measures' orders of the systems{of_set}"
    if not found.of_measures:
        if found.agreement and len(found.systems) > 2 and not of_set:
            rows = [(_two(x), [render.cell(tau, digits)]) for x, tau in found.agreement.items()]
            yield Grid(title, "measures", ["tau_b"], rows)
        return
    if not found.between:
        return
    orders = {names: x.orders for names, x in found.between.items()}
    rbo = {x.p for x in orders.values()} - {None}
    header = ["tau_b", "tau_AP 2nd", "tau_AP 1st", "tau_AP,b", *(["RBO"] if rbo else []), "swapped"]
    rows = []
    for names, x in orders.items():
        numbers = [x.tau_b, *x.tau_ap, x.tau_ap_b, *([x.rbo] if rbo else [])]
        rows.append(
            (_two(names), [*(render.cell(y, digits) for y in numbers), str(len(x.swapped))])
        )
    yield Grid(title, "measures", header, rows)
    swapped = [(_two(names), list(pair)) for names, x in orders.items() for pair in x.swapped]
    if swapped:
        yield Grid(
            f"pairs of systems that two measures order otherwise{of_set}",
            "measures",
            ["better by 1st", "better by 2nd"],
            swapped,
        )
    yield Grid(
        f"significant differences by two measures{of_set}",
        "measures, test",
        list(Conflicts._fields),
        [
            (f"{_two(names)}, {short(test)}", [str(count) for count in counts])
            for names, x in found.between.items()
            for test, counts in x.conflicts.items()
        ],
    )


def _two(names: tuple[str, str]) -> str:
    return ", ".join(names)


def _of_sets(found: Compared, digits: int) -> Iterator[Grid]:
    """Of each measure, sets of queries beside each other."""
    if not found.subsets:
        return
    sets: dict[str, Compared] = {WHOLE: found, **found.subsets}
    for measure in found.measures:
        of_sets = {name: of.measures[measure] for name, of in sets.items()}
        yield Grid(
            f"{measure}: means by set of queries",
            "system",
            [f"{name} ({len(of.queries)})" for name, of in of_sets.items()],
            [
                (system, [render.cell(of.systems[system].mean, digits) for of in of_sets.values()])
                for system in found.systems
            ],
        )
        yield Grid(
            f"{measure}: differences by set of queries",
            "pair",
            list(of_sets),
            _by_pair(of_sets, lambda x: f"{x.difference:+.{digits}f}"),
        )
        for test in found.tests:
            yield Grid(
                f"{measure}: p of {short(test.name)} by set of queries, corrected in each",
                "pair",
                list(of_sets),
                _by_pair(of_sets, lambda x, name=test.name: corrected_cell(x.tests[name])),
            )
    yield Grid(
        "significant pairs, and mean PAD, by set of queries",
        "measure",
        list(sets),
        list(_power_rows(found, sets, digits)),
    )


def _by_pair(of_sets: Mapping[str, OfMeasure], cell: Any) -> list[tuple[str, list[str]]]:
    rows = zip(*(of.differences for of in of_sets.values()), strict=True)
    return [(f"{row[0].first} - {row[0].second}", [cell(x) for x in row]) for row in rows]


def _power_rows(
    found: Compared, sets: Mapping[str, Compared], digits: int
) -> Iterator[tuple[str, list[str]]]:
    for measure in found.measures:
        of_sets = [of.measures[measure] for of in sets.values()]
        for test in found.tests:
            if any(test.name in of.power for of in of_sets):
                cells = [power_cell(of.power.get(test.name)) for of in of_sets]
                yield f"{measure}, {short(test.name)}", cells
        yield f"{measure}, PAD", [render.cell(of.mean_pad, digits) for of in of_sets]


def _swaps(title: str, swaps: Sequence[SetSwaps], digits: int) -> Grid:
    return Grid(
        title,
        "measure, sets",
        ["queries", *(["common"] if any(x.common for x in swaps) else []), "swapped", "tau_b"],
        [
            (
                _which(x),
                [
                    f"{x.queries[0]} and {x.queries[1]}",
                    *([str(x.common)] if any(y.common for y in swaps) else []),
                    share_cell(len(x.swapped), x.pairs, x.rate),
                    render.cell(x.tau_b, digits),
                ],
            )
            for x in swaps
        ],
    )


def _which(x: SetSwaps) -> str:
    return f"{x.measure}, {x.first if x.first == x.second else f'{x.first} and {x.second}'}"


def _swapped_of_sets(swaps: Sequence[SetSwaps]) -> Iterator[Grid]:
    rows = [(_which(x), list(pair)) for x in swaps for pair in x.swapped]
    if rows:
        yield Grid(
            "pairs of systems that the two collections order otherwise",
            "measure, sets",
            ["better in the 1st", "better in the 2nd"],
            rows,
        )


def _of_splits(splits: Mapping[str, SplitSwaps]) -> Grid:
    one = next(iter(splits.values()))
    last = max(_last_bin(x.bins) for x in splits.values())
    rows = [(_bin(b, one), [_rate(x.bins[b]) for x in splits.values()]) for b in range(last + 1)]
    return Grid(
        f"swap rates of halves of the queries, {one.trials} random splits, by difference",
        "difference",
        list(splits),
        [*rows, (WHOLE, [_rate(x.whole) for x in splits.values()])],
    )


def _last_bin(bins: Sequence[Bin]) -> int:
    """The place of the last bin that has a comparison."""
    places = dropwhile(lambda b: not bins[b].comparisons, reversed(range(len(bins))))
    return next(places, 0)


def _bin(b: int, of: SplitSwaps) -> str:
    low, high = (f"{float(of.width * x):.6g}" for x in (b, b + 1))
    return f"{low} or more" if b + 1 == len(of.bins) else f"{low} to {high}"


def _rate(x: Bin) -> str:
    rate = x.rate
    return "-" if rate is None else f"{x.swaps}/{x.comparisons} ({100 * float(rate):.1f}%)"


# ---- what the tables are of ----------------------------------------------------------------


def notes(found: Compared) -> Iterator[str]:
    """What these tables are of."""
    every = [of for x in (found, *found.subsets.values()) for of in x.measures.values()]
    undefined = any(of.mean_pad is None for of in every)
    yield (
        "significant pairs: RS-AGR-11, by corrected p; mean PAD: RS-AGR-12, of all pairs of "
        f"systems{', - where no mean of a pair is above 0' if undefined else ''}"
    )
    if low := [of.measure for of in every if any(x.mean < 0 for x in of.systems.values())]:
        yield (
            f"mean PAD is no percentage where a mean is below 0 ({', '.join(dict.fromkeys(low))})"
        )
    if found.of_measures and found.between:
        yield from _notes_on_orders(found)
    if found.subsets:
        yield "sets of queries: each has p corrected for a family of its own (RS-AGR-31)"
    if found.set_swaps or found.against:
        yield "swaps: RS-AGR-13, of all pairs of systems; a tie is none"
    if found.splits:
        one = next(iter(found.splits.values()))
        yield (
            f"splits: RS-AGR-14, of halves of {one.half} queries, seed {one.seed}; differences are "
            "of the first half; with all queries rates are lower"
        )


def _notes_on_orders(found: Compared) -> Iterator[str]:
    yield (
        "tau_b: RS-AGR-2; tau_AP 2nd: of the order by the second measure, that by the first taken "
        "as true, and 1st the other way round (RS-AGR-4; undefined where the true one has ties); "
        "tau_AP,b: neither is (RS-AGR-5)"
    )
    if p := next((x.orders.p for x in found.between.values()), None):
        yield f"RBO: RS-AGR-7, extrapolated, of the variant b for ties, p = {float(p):.6g}"
    yield (
        "significant by: agree, both, in one direction; gained, the second alone; lost, the first "
        "alone; opposite, both, in two directions (RS-AGR-10)"
    )


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
        yield from _figures_between(of, name)
    for x in (*found.set_swaps, *found.against):
        where = {"measure": x.measure, "set": x.first, "other_set": x.second}
        if x.first == x.second:
            where["other_set"] = f"{x.second} of the other collection"
        yield {
            "figure": "swap rate", **where, "count": len(x.swapped), "of": x.pairs, "value": x.rate
        }  # fmt: skip
        yield {"figure": "tau_b", **where, "value": x.tau_b}
        yield from _pairs("swapped", where, x.swapped)
    for name, splits in found.splits.items():
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
        "splits": {measure: _splits_dict(x) for measure, x in found.splits.items()},
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
