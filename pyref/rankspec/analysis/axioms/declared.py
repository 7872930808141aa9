"""The axioms, one declaration each: what they are called, and what they ask of a metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...errors import InputError, hint, quoted
from ...reference import axioms

Asks: TypeAlias = "Callable[..., Any]"
"""(list, pool, cut-off) -> comparisons; of a number (label, n, cut-off) -> one comparison."""


def _of_no_list(*_: Any) -> tuple[()]:
    """What is asked of a single list where it is asked of bounds, or of pools."""
    return ()


@dataclass(frozen=True)
class Axiom:
    """One of them.

    name, about: what it is called, and what it asks for, in a line
    source: the short name of the paper
    spec: its ID
    of: what it asks about: each "list" with its pool, "pools" two by two, a "number" that there
        must be, a "bound" that there must be
    asks: the reference's function of one of these
    taken_of: what metrics it is about are taken of: rankings, or sessions
    two_labels: whether its source knows relevant and not relevant alone
    follows: the name of an axiom that it follows from
    least_k: the least cut-off at which it asks for anything
    joins: whether an item of the pool joins a list, so that the pool of the compared lists has one
        item more than the list itself
    """

    name: str
    about: str
    source: str
    spec: str
    asks: Asks
    of: Literal["list", "pools", "number", "bound"] = "list"
    taken_of: str = "rankings"
    two_labels: bool = False
    follows: str = ""
    least_k: int = 1
    joins: bool = False


AXIOMS = (
    Axiom(
        "c1",
        "C1: one result is above the same result and a worse one",
        "lv-2014",
        "RS-AXM-2",
        axioms.c1,
    ),
    Axiom(
        "c2",
        "C2: two results as good are above one of them",
        "lv-2014",
        "RS-AXM-3",
        axioms.c2,
    ),
    Axiom(
        "fewer-and-better",
        "C1 of longer lists: some results are above the same and worse ones",
        "rankspec",
        "RS-AXM-4",
        axioms.fewer_and_better,
    ),
    Axiom(
        "more-as-good",
        "C2 of longer lists: more results as good are above fewer",
        "rankspec",
        "RS-AXM-5",
        axioms.more_as_good,
    ),
    Axiom(
        "boundedness",
        "no value is above some number",
        "moffat-2013",
        "RS-AXM-6",
        _of_no_list,
        of="bound",
    ),
    Axiom("range", "values are from 0 to 1", "moffat-2013", "RS-AXM-7", axioms.within(0, 1)),
    Axiom(
        "signed-range",
        "values are from -1 to 1",
        "karmaker-2022",
        "RS-AXM-7",
        axioms.within(-1, 1),
        follows="range",
    ),
    Axiom(
        "monotonicity",
        "a greater cut-off does not lower the value",
        "moffat-2013",
        "RS-AXM-8",
        axioms.monotonicity,
    ),
    Axiom(
        "convergence",
        "a better item from below the cut-off raises the value",
        "moffat-2013",
        "RS-AXM-9",
        axioms.convergence,
        joins=True,
    ),
    Axiom(
        "top-weightedness",
        "within the cut-off, a better item further up raises the value",
        "moffat-2013",
        "RS-AXM-10",
        axioms.top_weightedness,
        least_k=2,
    ),
    Axiom(
        "localisation",
        "the items up to the cut-off determine the value",
        "moffat-2013",
        "RS-AXM-11",
        axioms.localisation,
    ),
    Axiom(
        "completeness",
        "there is a value where nothing is relevant",
        "moffat-2013",
        "RS-AXM-12",
        axioms.completeness,
    ),
    Axiom(
        "realisability",
        "the best lists of all pools have the same value",
        "moffat-2013",
        "RS-AXM-13",
        _of_no_list,
        of="pools",
    ),
    Axiom(
        "replacement",
        "a better item in the place of another does not lower the value",
        "ferrante-2015",
        "RS-AXM-14",
        axioms.replacement,
        joins=True,
    ),
    Axiom(
        "swap",
        "a better item further up does not lower the value",
        "ferrante-2015",
        "RS-AXM-15",
        axioms.swap,
    ),
    Axiom(
        "priority",
        "of two neighbours, the better one first raises the value",
        "amigo-2013",
        "RS-AXM-16",
        axioms.priority,
        two_labels=True,
    ),
    Axiom(
        "deepness",
        "and raises it more, the further up they are",
        "amigo-2013",
        "RS-AXM-17",
        axioms.deepness,
        two_labels=True,
    ),
    Axiom(
        "deepness-threshold",
        "one first item is above n items at the ranks n + 1 to 2n, from some n on",
        "amigo-2013",
        "RS-AXM-18",
        axioms.deepness_threshold,
        of="number",
        two_labels=True,
    ),
    Axiom(
        "closeness-threshold",
        "n items at the ranks n + 1 to 2n are above one first item, for some n",
        "amigo-2013",
        "RS-AXM-19",
        axioms.closeness_threshold,
        of="number",
        two_labels=True,
    ),
    Axiom(
        "confidence",
        "an item of no relevance at the end lowers the value",
        "amigo-2013",
        "RS-AXM-20",
        axioms.confidence,
        two_labels=True,
        joins=True,
    ),
    Axiom(
        "appended",
        "an item of no relevance at the end changes nothing",
        "rankspec",
        "RS-AXM-21",
        axioms.appended,
        joins=True,
    ),
    Axiom(
        "query-order",
        "what a query finds at a rank counts more than if a later one finds it there",
        "jarvelin-2008",
        "RS-AXM-22",
        axioms.query_order,
        taken_of="sessions",
    ),
)


def axiom(name: str) -> Axiom:
    """The axiom of that name."""
    for known in AXIOMS:
        if known.name == name:
            return known
    names = [known.name for known in AXIOMS]
    raise InputError(
        f"axioms: unknown axiom {quoted(name)}{hint(name, names)}; expected one of "
        f"{', '.join(names)}"
    )
