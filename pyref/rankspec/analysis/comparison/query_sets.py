"""Sets of queries: what is compared on some of the queries, and swaps between sets.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from ...errors import InputError, check_known, items_of, quoted, shown
from ..query_types import NAMES, Classification
from .agreement import compare_orders, swap_rate
from .found import SetSwaps
from .grid import FEWEST, WHOLE
from .orders import levels_of
from .systems import Systems

ByMeasure = Mapping[str, tuple[tuple[str, ...], dict[str, list[float]]]]
"""{measure: its queries, and {system: the values for these}}"""

QuerySets = dict[str, frozenset[str]]


# ---- which queries -------------------------------------------------------------------------


def classes_named(names: Iterable[str], found: Classification) -> dict[str, list[str]]:
    """The queries of some classes (RS-BND-13), by their names."""
    return {name: found.of(name) for name in checked_classes(names)}


def checked_classes(names: Iterable[str]) -> list[str]:
    """Names of classes of queries, each once; an InputError for what is none."""
    known = list(names)
    for name in known:
        check_known("subsets", name, NAMES)
        if known.count(name) > 1:
            raise InputError(f"subsets: {quoted(name)} is listed twice")
    return known


def checked_sets(sets: Any, known: Iterable[str], what: str = "subsets") -> QuerySets:
    """The sets of queries, by name; an InputError where one is none of the known queries.

    what: the name of the argument
    """
    if sets is None:
        return {}
    if not isinstance(sets, Mapping):
        raise InputError(f"{what}: expected a dict of queries by name, got {shown(sets)}")
    queries = set(known)
    return {name: _checked_set(name, sets[name], queries, what) for name in sets}


def _checked_set(name: Any, given: Any, known: set[str], what: str) -> frozenset[str]:
    if not isinstance(name, str) or name in ("", WHOLE):
        raise InputError(
            f'{what}: expected a non-empty string other than "{WHOLE}" as the name of a set of '
            f"queries, got {shown(name)}"
        )
    where = f"{what}: {quoted(name)}"
    if isinstance(given, str):
        raise InputError(f"{where}: expected queries, got {shown(given)}")
    own = items_of(given, f"{where}: expected queries, got {shown(given)}")
    for query in own:
        if not isinstance(query, Hashable) or query not in known:
            raise InputError(f"{where}: unknown query {shown(query)}")
    return frozenset(own)


def restricted(values: ByMeasure, own: frozenset[str]) -> ByMeasure:
    """The values for the queries of a set."""
    found = {}
    for measure, (queries, by_system) in values.items():
        places = [a for a, query in enumerate(queries) if query in own]
        kept = tuple(queries[a] for a in places)
        found[measure] = kept, {s: [column[a] for a in places] for s, column in by_system.items()}
    return found


def enough(values: ByMeasure) -> ByMeasure:
    """The values by the measures that two queries or more have a value of (RS-AGR-31(a))."""
    return {measure: of for measure, of in values.items() if len(of[0]) >= FEWEST}


def too_few(values: ByMeasure) -> dict[str, int]:
    """Return the number of queries with a value, of the measures by which they are too few."""
    return {measure: len(of[0]) for measure, of in values.items() if len(of[0]) < FEWEST}


# ---- swaps ---------------------------------------------------------------------------------


def swaps_between_sets(sets: Mapping[str, ByMeasure], names: Sequence[str]) -> Iterator[SetSwaps]:
    """Of each measure, the swaps between each two sets of queries of one collection."""
    for a, b in combinations(sets, 2):
        for measure in sets[a]:
            common = set(sets[a][measure][0]) & set(sets[b][measure][0])
            yield _swaps(measure, (a, b), (sets[a], sets[b]), names, len(common))


def swaps_between_collections(
    first: Mapping[str, ByMeasure], second: Mapping[str, ByMeasure], names: Sequence[str]
) -> Iterator[SetSwaps]:
    """Of each measure, the swaps between the sets of each name of two collections."""
    for name in second:
        for measure in second[name]:
            yield _swaps(measure, (name, name), (first[name], second[name]), names, 0)


def _swaps(
    measure: str,
    which: tuple[str, str],
    values: tuple[ByMeasure, ByMeasure],
    names: Sequence[str],
    common: int,
) -> SetSwaps:
    queries = len(values[0][measure][0]), len(values[1][measure][0])
    pairs = len(names) * (len(names) - 1) // 2
    if min(queries) < FEWEST and which != (WHOLE, WHOLE):
        return SetSwaps(measure, *which, queries, common, pairs, [], None, None)
    one, other = (levels_of(Systems(by[measure][1]), names) for by in values)
    orders = compare_orders(one, other)
    return SetSwaps(
        measure,
        *which,
        queries,
        common,
        pairs,
        orders.swapped,
        swap_rate(one, other),
        orders.tau_b,
    )
