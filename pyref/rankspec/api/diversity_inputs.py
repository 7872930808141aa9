"""Items with a label for each subtopic, from lists and arrays (RS-DIV-18), and their values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from ..compute.arrays import SEQUENCES, plain_list, read_lists, read_offsets
from ..compute.backends import BACKENDS, no_backend
from ..compute.checks import check_depth, check_offsets
from ..compute.computable import IntentRanking
from ..compute.gain import exact, text_of, yes_or_no
from ..errors import InputError, NoValue, dimensions, items_of, shown
from ..metrics.grammar import metric
from ..metrics.measure import Measure, Metric, cutoff
from ..reference.numbers.reals import Exact
from ..reference.numerics import nearest_double_of
from .at_cutoffs import Cutoffs, Values, measure_of, several_cutoffs
from .inputs import as_weights

Rows = list[tuple[Exact, ...]]

FORM = "each item has a list of its labels, one for each subtopic (RS-DIV-18)"


class DiversityInput:
    """What a metric of diversity is taken of: rankings, and whether it was one or many."""

    def __init__(
        self,
        labels: Any,
        offsets: Any = None,
        judged: Any = None,
        judged_offsets: Any = None,
        probabilities: Any = None,
        check: bool = True,
    ) -> None:
        lists, self.single = _read(labels, offsets, "labels")
        pools = lists
        self.judged = judged is not None
        if self.judged:
            pools, one = _read(judged, judged_offsets, "judged")
            if one != self.single or len(pools) != len(lists):
                raise InputError(
                    f"judged: {_described(pools, one)} for {_described(lists, self.single)}"
                )
        elif judged_offsets is not None:
            raise InputError("judged_offsets: they need judged, which is not given")
        self.check = yes_or_no(check, "check")
        weights = _probabilities(probabilities, len(lists), self.single)
        self.rankings = [
            _ranking(a, rows, pool, own, self.single)
            for a, (rows, pool, own) in enumerate(zip(lists, pools, weights, strict=True))
        ]

    def with_weights(
        self,
        parameters: dict[str, Any],
        cutoffs: Iterable[Any] = (),  # noqa: ARG002 - as an Input has it
    ) -> dict[str, Any]:
        """The parameters, a discount given as a function replaced by its weights."""
        deepest = max((max(x.length, len(x.pool)) for x in self.rankings), default=0)
        return as_weights(parameters, {"discount": deepest})

    def check_pools(self, metrics: Iterable[Metric], backend: str) -> None:  # noqa: ARG002
        """An InputError where judged labels do not cover what is shown (RS-CONV-38)."""
        if not (self.check and self.judged):
            return
        for a, x in enumerate(self.rankings):
            left = Counter(tuple(row) for row in x.rows if any(row))
            left.subtract(Counter(tuple(row) for row in x.pool))
            for row, n in left.items():
                if n > 0:
                    where = "" if self.single else f" of ranking {a}"
                    raise InputError(
                        f"judged: the list{where} shows {n} more items with the labels "
                        f"{list(row)} than judged has; judged must list all judged items, those "
                        "shown included. check=False takes them as they are (RS-CONV-38)"
                    )

    def ranking_for(self, measure: Measure) -> IntentRanking:
        """The one ranking, checked for a measure."""
        _check(measure, self.rankings, self.single)
        self.check_pools([measure.metric], "reference")
        return self.rankings[0]


def values(measure: Measure, given: DiversityInput) -> list[float]:
    """The value of a measure for each ranking, correctly rounded."""
    if measure.taken_of != "diversity":
        raise InputError(f"{measure} takes {measure.taken_of}, but these items have several labels")
    _check(measure, given.rankings, given.single)
    places = [""] if given.single else [f"ranking {a}" for a in range(len(given.rankings))]
    return [value_of(measure, x, at) for x, at in zip(given.rankings, places, strict=True)]


def value_of(measure: Measure, x: IntentRanking, place: str = "") -> float:
    """The value of a ranking that is checked, correctly rounded, by the reference (RS-NUM-3).

    place: what an error calls the ranking, where there are several
    """
    try:
        return nearest_double_of(lambda R: measure.value(x, R))
    except NoValue as error:
        raise error.at(place) from None


def values_at(
    name: str, given: DiversityInput, k: Cutoffs, backend: str, **parameters: Any
) -> Values:
    """The values of a metric at one or several cut-offs."""
    if text_of(backend) not in BACKENDS:
        raise no_backend(backend)
    several = several_cutoffs(k)
    asked = items_of(k, f"k: {shown(k)} is no list of cut-offs") if several else [k]  # type: ignore[arg-type]
    parameters = given.with_weights(parameters)
    of = metric(name)
    measures = [measure_of(of, cutoff(k_j, of.cutoff), parameters) for k_j in asked]
    columns = [values(measure, given) for measure in measures]
    given.check_pools([of], backend)
    if given.single and not several:
        return columns[0][0]
    import numpy as np  # one ranking and one k need no arrays

    if not several:
        return np.array(columns[0], dtype=np.float64)
    table = np.array(columns, dtype=np.float64).reshape(len(columns), len(given.rankings)).T
    return np.ascontiguousarray(table[0] if given.single else table)


# ---- reading ----------------------------------------------------------------------------------


def _read(given: Any, offsets: Any, what: str) -> tuple[list[Rows], bool]:
    """The rows of each ranking, and whether it was given as one."""
    if offsets is not None:
        rows = _rows(given, what)
        name = "judged_offsets" if what == "judged" else "offsets"
        begins = read_offsets(offsets, name)
        check_offsets(begins, len(rows), name, "items")
        return [rows[int(begin) : int(end)] for begin, end in pairwise(begins)], False
    if dimensions(given) == 3 or _is_nested(given):
        several = list(given)
        return [_rows(x, f"{what}: ranking {a}") for a, x in enumerate(several)], False
    return [_rows(given, what)], True


def _is_nested(given: Any) -> bool:
    """Whether it is a list of rankings, some item of which has a list of labels."""
    if not isinstance(given, (list, tuple)):
        return False
    return any(
        dimensions(x) == 2 or (isinstance(x, (list, tuple)) and any(_is_list(row) for row in x))
        for x in plain_list(given)
    )


def _is_list(x: Any) -> bool:
    return isinstance(x, SEQUENCES) or dimensions(x) >= 1


def _rows(given: Any, what: str) -> Rows:
    """The labels of the items of one ranking."""
    if isinstance(given, (list, tuple)):
        given = plain_list(given)
        if not given:
            return []
        for i, row in enumerate(given, start=1):
            if not _is_list(row):
                raise InputError(f"{what}: item {i} is {shown(row)}, not a list; {FORM}")
    elif dimensions(given, 2) != 2:
        raise InputError(f"{what}: the array has {given.ndim} dimensions; {FORM}")
    lists = read_lists(given, None, what, of="item")
    if lists.single:
        raise InputError(f"{what}: {shown(given)}; {FORM}")
    flat = lists.numbers()
    found = [tuple(flat[begin:end]) for begin, end in pairwise(map(int, lists.offsets))]
    _check_rows(found, what)
    return found


def _check_rows(found: Rows, what: str) -> None:
    """An InputError where the rows differ in length, or a label is not finite."""
    for i, row in enumerate(found, start=1):
        if len(row) != len(found[0]):
            raise InputError(
                f"{what}: item {i} has {len(row)} labels, and item 1 has {len(found[0])}; {FORM}"
            )
        for j, x in enumerate(row, start=1):
            if not math.isfinite(x):
                raise InputError(
                    f"{what}: item {i} has the label {shown(x)} for subtopic {j}; a label must "
                    "be finite"
                )


def _probabilities(given: Any, n: int, single: bool) -> Sequence[list[Exact] | None]:
    """The weights of the subtopics of each ranking; None: there are none."""
    if given is None:
        return [None] * n
    lists = read_lists(given, None, "probabilities", of="ranking")
    flat = lists.numbers()
    rows = [flat[begin:end] for begin, end in pairwise(map(int, lists.offsets))]
    if not lists.single and (single or len(rows) != n):
        raise InputError(
            f"probabilities: {len(rows)} lists are given for "
            f"{'one ranking' if single else f'{n} rankings'}"
        )
    several = not lists.single
    for a, row in enumerate(rows):
        check_probabilities(row, f"probabilities: ranking {a}" if several else "probabilities")
    return rows if several else rows * n


def check_probabilities(row: Sequence[Any], what: str) -> None:
    """An InputError where they are no weights (RS-DIV-1)."""
    for j, x in enumerate(row, start=1):
        if exact(x, f"{what}: that of subtopic {j}") < 0:
            raise InputError(
                f"{what}: the weight of subtopic {j} is {shown(x)}; expected 0 or more"
            )
    if not any(row):
        raise InputError(f"{what}: all weights are 0; at least one must be above 0 (RS-DIV-1)")


def _ranking(
    a: int, rows: Rows, pool: Rows, weights: list[Exact] | None, single: bool
) -> IntentRanking:
    """One ranking, with the same number of subtopics everywhere."""
    x = IntentRanking(rows, pool, weights)
    where = "" if single else f" of ranking {a}"
    for what, given in (("labels", rows), ("judged", pool)):
        if given and len(given[0]) != x.subtopics:
            other = "probabilities" if weights is not None else "judged items"
            raise InputError(
                f"{what}: the items{where} have {len(given[0])} labels, but the {other} have "
                f"{x.subtopics} subtopics (RS-DIV-18)"
            )
    return x


def _check(measure: Measure, rankings: Sequence[IntentRanking], single: bool) -> None:
    """An InputError where a measure cannot take a label, or has no weight for a rank."""
    refused: dict[Exact, str | None] = {}
    deepest = 0
    for a, x in enumerate(rankings):
        deepest = max(deepest, measure.deepest_rank(x.length, len(x.pool)))
        for what, rows in (("labels", x.rows), ("judged", x.pool)):
            for i, row in enumerate(rows, start=1):
                for j, label in enumerate(row, start=1):
                    if label not in refused:
                        refused[label] = measure.refusal(label)
                    if why := refused[label]:
                        where = "" if single else f" of ranking {a}"
                        raise InputError(
                            f"{what}: item {i}{where} has the label {label!r} for subtopic {j}: "
                            f"{why}"
                        )
    check_depth(measure, deepest)


def _described(lists: Sequence[Rows], one: bool) -> str:
    return "one ranking" if one else f"a list of {len(lists)} rankings"
