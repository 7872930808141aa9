"""How the part of a comparison is written that is about measures and sets of queries.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import dropwhile
from typing import Any

from ...evaluation import render, typeset
from ...reference.agreement import Bin, Conflicts
from .found import Compared, MeasureAgreement, OfMeasure, SetSwaps, SplitSwaps
from .grid import (
    FEWEST,
    NOT_COMPARED,
    SHARES,
    WHOLE,
    corrected_cell,
    power_cell,
    share_cell,
    short,
    signed,
)

Between = Mapping[tuple[str, str], MeasureAgreement]

# ---- the tables ----------------------------------------------------------------------------


def grids(found: Compared, digits: int) -> Iterator[typeset.Grid]:
    """Of the measures; of sets of queries beside the whole; of swaps."""
    yield _of_measures(found, digits)
    yield from _between(found, digits, "")
    yield from _of_sets(found, digits)
    for name, of in found.subsets.items():
        yield from _between(of, digits, f", {name}")
    yield from _swaps("sets of queries", found.set_swaps, found.of_measures, digits)
    yield from _swaps("the two collections", found.against, found.of_measures, digits)
    if any(found.splits.values()):
        yield _of_splits(found.splits)


def _of_measures(found: Compared, digits: int) -> typeset.Grid:
    every = found.measures.values()
    tests = [test.name for test in found.tests if test.has_p]
    return typeset.Grid(
        f"measures: {'significant pairs by test, ' if tests else ''}mean PAD",
        "measure",
        [*map(short, tests), "mean PAD"],
        [
            (
                of.measure,
                [*(power_cell(of.power.get(x)) for x in tests), render.cell(of.mean_pad, digits)],
            )
            for of in every
        ],
    )


def _tested(found: Compared) -> bool:
    """Return whether a test has p-values, by which pairs are significant (RS-CMP-23(e))."""
    return any(test.has_p for test in found.tests)


def _between(found: Compared, digits: int, of_set: str) -> Iterator[typeset.Grid]:
    """Each measure beside each other; of_set: what ends the titles."""
    title = f"agreement of the measures' orders of the systems{of_set}"
    if found.between:
        yield _orders(title, found.between, digits)
        if swapped := [
            (_two(m), list(x)) for m, of in found.between.items() for x in of.orders.swapped
        ]:
            title = f"pairs of systems that two measures order otherwise{of_set}"
            yield typeset.Grid(
                title, "measures", ["better by 1st", "better by 2nd"], swapped, of_names=True
            )
        yield from _conflicts(found.between, of_set)
    elif found.agreement and len(found.systems) > 2 and not of_set:
        rows = [(_two(names), [render.cell(tau, digits)]) for names, tau in found.agreement.items()]
        yield typeset.Grid(title, "measures", ["tau_b"], rows)


def _orders(title: str, between: Between, digits: int) -> typeset.Grid:
    with_rbo = any(x.orders.p is not None for x in between.values())
    rbo = ["RBO"] if with_rbo else []
    header = ["tau_b", "tau_AP 2nd", "tau_AP 1st", "tau_AP,b", *rbo, "swapped"]
    rows = []
    for names, of in between.items():
        x = of.orders
        numbers = [x.tau_b, *x.tau_ap, x.tau_ap_b, *([x.rbo] if with_rbo else [])]
        cells = [render.cell(number, digits) for number in numbers]
        rows.append((_two(names), [*cells, str(len(x.swapped))]))
    return typeset.Grid(title, "measures", header, rows)


def _conflicts(between: Between, of_set: str) -> Iterator[typeset.Grid]:
    rows = [
        (f"{_two(names)}, {short(test)}", list(map(str, counts)))
        for names, x in between.items()
        for test, counts in x.conflicts.items()
    ]
    if rows:
        title = f"significant differences by two measures{of_set}"
        yield typeset.Grid(title, "measures, test", list(Conflicts._fields), rows)


def _two(names: tuple[str, str]) -> str:
    return ", ".join(names)


def _of_sets(found: Compared, digits: int) -> Iterator[typeset.Grid]:
    """Sets of queries beside each other, by each measure."""
    if not found.subsets:
        return
    sets: dict[str, Compared] = {WHOLE: found, **found.subsets}
    for measure in found.measures:
        yield from _by_set(measure, sets, digits)
    title = f"{'significant pairs, and ' if _tested(found) else ''}mean PAD, by set of queries"
    yield typeset.Grid(title, "measure", list(sets), list(_power_rows(found, sets, digits)))


def _by_set(measure: str, compared: Mapping[str, Compared], digits: int) -> Iterator[typeset.Grid]:
    """The means, differences and p of one measure in each set."""
    found, sets = compared[WHOLE], _of_measure(measure, compared)
    means = [
        (system, _cells(sets, lambda of, s=system: render.short_cell(of.systems[s].mean, digits)))
        for system in found.systems
    ]
    sizes = [
        f"{name} ({compared[name].too_few[measure] if of is None else len(of.queries)})"
        for name, of in sets.items()
    ]
    yield typeset.Grid(f"{measure}: means by set of queries", "system", sizes, means)
    differences = _by_pair(sets, lambda x: signed(x.difference, digits))
    yield typeset.Grid(f"{measure}: differences by set of queries", "pair", list(sets), differences)
    for test in found.tests:
        title = f"{measure}: {SHARES} by set of queries"
        if test.has_p:
            title = f"{measure}: p of {short(test.name)} by set of queries, corrected in each"
        rows = _by_pair(sets, lambda x, name=test.name: corrected_cell(x.tests[name]))
        yield typeset.Grid(title, "pair", list(sets), rows)


def _of_measure(measure: str, compared: Mapping[str, Compared]) -> dict[str, OfMeasure | None]:
    """The comparison by a measure in each set; None where too few queries have a value."""
    return {name: of.measures.get(measure) for name, of in compared.items()}


def _cells(of_sets: Mapping[str, OfMeasure | None], cell: Any) -> list[str]:
    return [NOT_COMPARED if of is None else cell(of) for of in of_sets.values()]


def _by_pair(of_sets: Mapping[str, OfMeasure | None], cell: Any) -> list[tuple[str, list[str]]]:
    whole = of_sets[WHOLE]
    pairs = [] if whole is None else whole.differences
    return [
        (
            render.OfTwo(x.first, x.second),
            _cells(of_sets, lambda of, a=a: cell(of.differences[a])),
        )
        for a, x in enumerate(pairs)
    ]


def _power_rows(
    found: Compared, sets: Mapping[str, Compared], digits: int
) -> Iterator[tuple[str, list[str]]]:
    for measure in found.measures:
        of_sets = _of_measure(measure, sets)
        for test in found.tests:
            if test.has_p:
                cells = _cells(of_sets, lambda of, t=test.name: power_cell(of.power.get(t)))
                yield f"{measure}, {short(test.name)}", cells
        yield f"{measure}, PAD", _cells(of_sets, lambda of: render.cell(of.mean_pad, digits))


def _swaps(
    of: str, swaps: Sequence[SetSwaps], by_name: bool, digits: int
) -> Iterator[typeset.Grid]:
    """Between sets, or collections; by_name: the pairs, too."""
    if not swaps:
        return
    shared = any(x.common for x in swaps)
    header = ["queries", *(["common"] if shared else []), "swapped", "tau_b"]
    rows = []
    for x in swaps:
        cells = [f"{x.queries[0]} and {x.queries[1]}", *([str(x.common)] if shared else [])]
        if x.rate is None:
            cells += [NOT_COMPARED, NOT_COMPARED]
        else:
            cells += [share_cell(len(x.swapped), x.pairs, x.rate), render.cell(x.tau_b, digits)]
        rows.append((_which(x), cells))
    yield typeset.Grid(f"swaps between {of}", "measure, sets", header, rows)
    pairs = [(_which(x), list(pair)) for x in swaps for pair in x.swapped]
    if by_name and pairs:
        title = f"pairs of systems that {of} order otherwise"
        header = ["better in the 1st", "better in the 2nd"]
        yield typeset.Grid(title, "measure, sets", header, pairs, of_names=True)


def _which(x: SetSwaps) -> str:
    return f"{x.measure}, {x.first if x.first == x.second else f'{x.first} and {x.second}'}"


def _of_splits(splits: Mapping[str, SplitSwaps | None]) -> typeset.Grid:
    known = [x for x in splits.values() if x is not None]
    one, last = known[0], max(_last_bin(x.bins) for x in known)

    def cells(bin_of: Callable[[SplitSwaps], Bin]) -> list[str]:
        return [NOT_COMPARED if x is None else _rate(bin_of(x)) for x in splits.values()]

    rows = [(_bin(b, one), cells(partial(_bin_of, b))) for b in range(last + 1)]
    return typeset.Grid(
        f"swap rates of halves of the queries, {one.trials} random splits, by difference",
        "difference",
        list(splits),
        [*rows, (WHOLE, cells(lambda x: x.whole))],
    )


def _bin_of(b: int, splits: SplitSwaps) -> Bin:
    return splits.bins[b]


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
        f"{'significant pairs: RS-AGR-11, by corrected p; ' if _tested(found) else ''}mean PAD: "
        "RS-AGR-12, of all pairs of "
        f"systems{', - where no mean of a pair is above 0' if undefined else ''}"
    )
    if low := [of.measure for of in every if any(x.mean < 0 for x in of.systems.values())]:
        yield (
            f"mean PAD is no percentage where a mean is below 0 ({', '.join(dict.fromkeys(low))})"
        )
    if found.of_measures and found.between:
        yield from _notes_on_orders(found)
    elif found.of_measures:
        yield "measures: there is one, and no other to compare it with (RS-AGR-31)"
    if found.subsets and _tested(found):
        yield "sets of queries: each has p corrected for a family of its own (RS-AGR-31)"
    if found.set_swaps or found.against:
        yield "swaps: RS-AGR-13, of all pairs of systems; a tie is none"
    if one := next(filter(None, found.splits.values()), None):
        yield (
            f"splits: RS-AGR-14, of halves of {one.half} queries, seed {one.seed}; differences are "
            "of the first half; with all queries rates are lower"
        )
    yield from _reasons(found)


def _reasons(found: Compared) -> Iterator[str]:
    """Why cells are n/a, each reason once."""
    here = [
        (name, measure, n)
        for name, of in found.subsets.items()
        for measure, n in of.too_few.items()
    ]
    there = [
        (x.second, x.measure, x.queries[1])
        for x in found.against
        if x.rate is None and x.queries[1] < FEWEST
    ]
    if here or there:
        counts = [*_counts(found, here), *_counts(found, there, "in the other collection ")]
        yield (
            f"{NOT_COMPARED}: a comparison on a set needs two queries with a value of the measure "
            f"(RS-AGR-31); {'; '.join(counts)}"
        )
    if alone := [measure for measure, x in found.splits.items() if x is None]:
        yield (
            f"{NOT_COMPARED}: halves need two queries with a value of the measure (RS-AGR-14); one "
            f"query has a value of {', '.join(alone)}"
        )


def _counts(
    found: Compared, places: Sequence[tuple[str, str, int]], where: str = ""
) -> Iterator[str]:
    """Say how many queries of which sets have a value; of which measures, unless of all."""
    measures: dict[tuple[str, int], list[str]] = {}
    for name, measure, n in places:
        measures.setdefault((name, n), []).append(measure)
    sets: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for (name, n), of in measures.items():
        sets.setdefault((n, tuple(of)), []).append(name)
    for (n, which), names in sets.items():
        by = "" if len(which) == len(found.measures) else f" for {', '.join(which)}"
        yield f"{where}{'one' if n else 'none'}{by}: {', '.join(names)}"


def _notes_on_orders(found: Compared) -> Iterator[str]:
    yield (
        "tau_b: RS-AGR-2; tau_AP 2nd: of the order by the second measure, that by the first taken "
        "as true, and 1st the other way round (RS-AGR-4; undefined where the true one has ties); "
        "tau_AP,b: neither is (RS-AGR-5)"
    )
    if p := next((x.orders.p for x in found.between.values()), None):
        yield f"RBO: RS-AGR-7, extrapolated, of the variant b for ties, p = {float(p):.6g}"
    if not _tested(found):
        return
    yield (
        "significant by: agree, both, in one direction; gained, the second alone; lost, the first "
        "alone; opposite, both, in two directions (RS-AGR-10)"
    )
