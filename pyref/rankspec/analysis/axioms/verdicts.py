"""Whether a metric satisfies an axiom, and how that is known. Spec: RS-AXM-23.

A law decides where there is one; else a small world is searched. A counterexample is a proof, and
so is a number that an axiom asks for; that a search finds neither is no more than what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from ...metrics.axioms import Proof
from ...reference import axioms
from ...reference.axioms import Comparison, Shown
from ...reference.numbers.enclosure import Undecided
from ...reference.numbers.reals import Exact
from .declared import Axiom
from .functions import OfFunction
from .metrics import Metric, OfMeasure
from .worlds import LARGEST_NUMBER, World

HOLDS = "holds"
FAILS = "fails"
NOT_REFUTED = "not refuted"
OPEN = "open"

STATUSES = {
    HOLDS: "it is proven, or a witness shows it",
    FAILS: "a counterexample or a proof shows it",
    NOT_REFUTED: "no counterexample was found, and no law is known",
    OPEN: "nothing decides it",
}


@dataclass(frozen=True)
class Evidence:
    """A comparison with its two values: one that fails, or one that an axiom asks for.

    asked: the comparison; first, second: about the values
    """

    asked: Comparison
    first: float | None
    second: float | None


@dataclass(frozen=True)
class Verdict:
    """What is known of a metric and an axiom.

    status: one of STATUSES
    spec: the law that proves it; "": none does
    when: the condition of that law, in words
    counterexample: the smallest comparison that fails
    witnesses: of an axiom that asks for a number, that number for each label, with the comparison
    searched: how many comparisons were made; world: in which world
    passed_over: how many were not, as a value that they are about is not there
    note: what else was seen
    """

    axiom: Axiom
    status: str
    spec: str = ""
    when: str = ""
    counterexample: Evidence | None = None
    witnesses: tuple[tuple[int, Evidence], ...] = ()
    searched: int = 0
    passed_over: int = 0
    world: str = ""
    note: str = ""


@dataclass
class Search:
    """A search for a comparison that fails: the first that does, and how many there were."""

    E: Metric
    made: int = 0
    open: int = 0
    passed_over: int = 0
    found: Comparison | None = None
    _seen: set[Comparison] = field(default_factory=set)

    def through(self, asked: Iterable[Comparison]) -> None:
        """Go on until a comparison fails. What has no value, and what is open, is passed over."""
        for block in _blocks(asked):
            new = [x for x in dict.fromkeys(block) if x not in self._seen]
            self._seen.update(new)
            ahead(self.E, [x for comparison in new for x in sides(comparison)])
            for comparison in new:
                if self.decided(comparison) is False:
                    self.found = comparison
                    return

    def decided(self, comparison: Comparison) -> bool | None:
        """Whether a comparison holds; None: it has no value, or is open."""
        if not self._has_values(comparison):
            self.passed_over += 1
            return None
        self.made += 1
        try:
            return self._holds(comparison)
        except Undecided:
            self.open += 1
            return None

    @property
    def counted(self) -> dict[str, int]:
        """How many comparisons there were, as a verdict has them."""
        return {"searched": self.made, "passed_over": self.passed_over}

    def _holds(self, comparison: Comparison) -> bool:
        if comparison.sign == "defined":
            return self.E.is_defined(*comparison.first)
        return axioms.holds(self.E, comparison)

    def _has_values(self, comparison: Comparison) -> bool:
        if comparison.sign == "defined":
            return True
        return all(self.E(*side) is not None for side in sides(comparison))


def sides(comparison: Comparison) -> list[Shown]:
    """The lists that a comparison is about."""
    return [x for x in (comparison.first, comparison.second) if isinstance(x, Shown)]


def ahead(E: Metric, asked: Iterable[Shown]) -> None:
    """Have a function asked for many values at once."""
    if isinstance(E, OfFunction):
        E.ahead(asked)


LARGEST_BLOCK = 256


def _blocks(asked: Iterable[Comparison]) -> Iterator[list[Comparison]]:
    """Comparisons in blocks that grow, so that few are made behind the first that fails."""
    left, size = iter(asked), 1
    while block := list(islice(left, size)):
        yield block
        size = min(2 * size, LARGEST_BLOCK)


def verdict(axiom: Axiom, E: Metric, world: World, doubt: bool = False) -> Verdict:
    """What is known of a metric and an axiom, by its law and by a world.

    doubt: search the world where a law says that there is nothing to be found, too
    """
    if E.k is not None and E.k < axiom.least_k:
        why = f"always: with k = {E.k} it asks for nothing"
        return Verdict(axiom, HOLDS, f"{axiom.spec}(a)", why, world=_world(axiom, world))
    proof, by_law = _law(axiom, E, world) if isinstance(E, OfMeasure) else (None, None)
    if axiom.of == "bound":
        return _of_bound(axiom, E, world, proof, by_law)
    if axiom.of == "number":
        return _of_number(axiom, E, world, proof, by_law)
    search = Search(E)
    if doubt or not by_law:
        search.through(_asked(axiom, E, world))
    if search.found is None and by_law is False and proof is not None:
        example = proof.example(E.measure, world.scale)  # type: ignore[union-attr]
        search.through([example] if example is not None else [])
    return _judged(axiom, E, world, search, proof, by_law)


def _law(axiom: Axiom, E: OfMeasure, world: World) -> tuple[Proof | None, bool | None]:
    """The law of an axiom, and what it says; or that of one which it follows from."""
    proofs = E.measure.metric.axioms
    for name in (axiom.name, axiom.follows):
        proof = proofs.get(name)
        said = proof.holds(E.measure, world.scale) if proof else None
        if said is not None and (name == axiom.name or said):
            return proof, said
    return proofs.get(axiom.name), None


def _judged(
    axiom: Axiom,
    E: Metric,
    world: World,
    search: Search,
    proof: Proof | None,
    by_law: bool | None,
) -> Verdict:
    known: dict[str, Any] = {**search.counted, "world": _world(axiom, world)}
    law: dict[str, Any] = (
        {"spec": proof.spec, "when": proof.when} if proof and by_law is not None else {}
    )
    if search.found is not None:
        if by_law:
            raise AssertionError(f"{axiom.name}: {law['spec']} is wrong of {search.found}")
        return Verdict(axiom, FAILS, counterexample=evidence(E, search.found), **law, **known)
    if by_law is not None:
        return Verdict(axiom, HOLDS if by_law else FAILS, **law, **known)
    if not search.made and not search.passed_over:
        return Verdict(axiom, OPEN, note="they are too short for it", **known)
    note = f"{comparisons(search.open)} open" if search.open else ""
    status = NOT_REFUTED if search.made > search.open else OPEN
    return Verdict(axiom, status, note=note, **known)


def comparisons(n: int) -> str:
    """So many of them, in words."""
    return f"{n} comparison{'s' * (n != 1)}"


def _world(axiom: Axiom, world: World) -> str:
    """What was searched, in words."""
    if axiom.taken_of == "sessions":
        return world.about_sessions
    return world.about_pools if axiom.of == "pools" else str(world)


def _asked(axiom: Axiom, E: Metric, world: World) -> Iterator[Comparison]:
    """All that an axiom asks for in a world, the smallest first."""
    if axiom.of == "pools":
        yield from _of_pools(E, world)
        return
    lists: Iterator[tuple[Any, Any]] = (
        world.sessions() if axiom.taken_of == "sessions" else _lists(axiom, world)
    )
    for r, J in lists:
        yield from axiom.asks(r, J, E.k)


def _lists(axiom: Axiom, world: World) -> Iterator[tuple[Any, Any]]:
    """Those of the world; of labels that are relevant or not, longer ones of two labels follow."""
    more = 2 if axiom.joins else 1
    yield from world.lists(more)
    if axiom.two_labels and len(world.scale) > 2:
        yield from World.of((world.scale[0], world.scale[-1])).lists(more)


def _of_pools(E: Metric, world: World) -> Iterator[Comparison]:
    first: axioms.Labels | None = None
    for J in world.pools():
        if max(J) <= 0:
            continue
        if first is None:
            first = J
        elif (asked := axioms.realisability(E, J, first, E.k)) is not None:
            yield asked


def _of_bound(
    axiom: Axiom, E: Metric, world: World, proof: Proof | None, by_law: bool | None
) -> Verdict:
    """A law alone can tell; a world tells the greatest value in it."""
    lists = [Shown(r, J, E.k) for r, J in world.lists()]
    ahead(E, lists)
    found = [E(*x) for x in lists]
    values = [value for value in found if value is not None]
    greatest = max((value.near for value in values), default=None)
    note = "" if greatest is None else f"the greatest value there is {greatest:.4g}"
    counted = {"searched": len(values), "passed_over": len(found) - len(values)}
    known: dict[str, Any] = {**counted, "world": str(world), "note": note}
    if proof is None or by_law is None:
        return Verdict(axiom, OPEN, **known)
    return Verdict(axiom, HOLDS if by_law else FAILS, proof.spec, proof.when, **known)


def _of_number(
    axiom: Axiom, E: Metric, world: World, proof: Proof | None, by_law: bool | None
) -> Verdict:
    """Of an axiom that asks for a number n, for each label above 0."""
    most = proof.most(E.measure) if proof and isinstance(E, OfMeasure) else None
    numbers = range(1, min(LARGEST_NUMBER, most or LARGEST_NUMBER) + 1)
    labels = [a for a in world.scale if a > 0]
    search = Search(E)
    ahead(E, [x for a in labels for n in numbers for x in sides(axiom.asks(a, n, E.k))])
    tried = [(a, _tried(search, [(n, axiom.asks(a, n, E.k)) for n in numbers])) for a in labels]
    known: dict[str, Any] = {**search.counted, "world": f"n from 1 to {numbers[-1]}"}
    law: dict[str, Any] = {"spec": proof.spec, "when": proof.when} if proof else {}
    if axiom.name == "deepness-threshold":  # for all n from some n on: no number shows it
        note = "; ".join(_above(a, of) for a, of in tried)
        if by_law is None:
            return Verdict(axiom, OPEN, note=note, **known)
        return Verdict(axiom, HOLDS if by_law else FAILS, note=note, **law, **known)
    witnesses = [_witness(E, of) for _, of in tried]
    if all(x is not None for x in witnesses):
        if by_law is False:
            raise AssertionError(f"{axiom.name}: {law['spec']} is wrong of {witnesses[0]}")
        shown = tuple(x for x in witnesses if x is not None)
        return Verdict(axiom, HOLDS, witnesses=shown, **known)
    if by_law is False or (most is not None and most <= LARGEST_NUMBER and _all_decided(tried)):
        return Verdict(axiom, FAILS, **law, **known)
    return Verdict(axiom, OPEN, note="no such n" if search.made else "", **known)


Tried: TypeAlias = "Sequence[tuple[int, Comparison, bool | None]]"
"""Of each number the comparison, and whether it holds; None: it has no value, or is open."""


def _tried(search: Search, asked: Iterable[tuple[int, Comparison]]) -> Tried:
    return [(n, comparison, search.decided(comparison)) for n, comparison in asked]


def _all_decided(tried: Iterable[tuple[Exact, Tried]]) -> bool:
    return all(holds is not None for _, of in tried for *_, holds in of)


def _witness(E: Metric, tried: Tried) -> tuple[int, Evidence] | None:
    """The least number that does, with its comparison."""
    return next(((n, evidence(E, asked)) for n, asked, holds in tried if holds), None)


def _above(a: Exact, tried: Tried) -> str:
    """For which n it is so, of the label a."""
    holding = [n for n, _, holds in tried if holds]
    unknown = [n for n, _, holds in tried if holds is None]
    last = tried[-1][0]
    if len(unknown) == len(tried):
        return f"label {a}: not known for any n to {last}"
    said = f"for n = {', '.join(map(str, holding))}" if holding else f"for no n to {last}"
    if len(holding) == len(tried):
        said = f"for each n to {last}"
    open_ = f", not known for n = {', '.join(map(str, unknown))}" if unknown else ""
    return f"label {a}: {'so ' if holding else ''}{said}{open_}"


def evidence(E: Metric, asked: Comparison) -> Evidence:
    """A comparison with its values."""

    def about(side: Shown | Exact | None) -> float | None:
        if not isinstance(side, Shown):
            return None if side is None else float(side)
        value = E(*side)
        return None if value is None else value.near

    first = None if asked.sign == "defined" else about(asked.first)
    return Evidence(asked, first, about(asked.second))
