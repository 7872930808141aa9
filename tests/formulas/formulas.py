"""All formulas that are evaluated, and how one is held against its worlds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from . import of_bounds, of_laws, of_length, of_lists, of_precision, of_scores, of_sessions
from .evaluate import attained, discrepancy
from .pages import Passage, passages
from .tex import FormulaError, Node, parse
from .worlds import Formula

PARTS: dict[str, list[Formula]] = {
    "lists": of_lists.FORMULAS,
    "length": of_length.FORMULAS,
    "bounds": of_bounds.FORMULAS,
    "precision": of_precision.FORMULAS,
    "scores": of_scores.FORMULAS,
    "sessions": of_sessions.FORMULAS,
    "laws": of_laws.FORMULAS,
}
FORMULAS = [formula for part in PARTS.values() for formula in part]


class UnreadableError(Exception):
    """A formula of the spec that is not in the subset of TeX that is read."""


@cache
def worlds_of(formula: Formula) -> list[dict[str, Any]]:
    """The worlds of a formula, with the names that it, or prose, defines."""
    defines = (*formula.prose, *formula.defines)
    return [{**world, "defines": defines} for world in formula.worlds()]


def prose_of(formula: Formula) -> list[str]:
    """The TeX of what the prose around a formula defines."""
    passage = passages()[formula.where]
    return [passage.definition(name) for name in formula.prose]


def texts_of(formula: Formula) -> list[str]:
    """The TeX of a formula, as it stands in the spec."""
    passage = passages()[formula.where]
    if formula.inline:
        return [passage.inline()[i] for i in formula.inline]
    return [passage.displays()[formula.display]]


def parsed(passage: Passage, tex: str, world: dict[str, Any]) -> list[Node]:
    """The statements of a formula; an error says of which entry it is."""
    try:
        return parse(tex, functions_of(world))
    except FormulaError as error:
        place = f"{passage.where} ({passage.page}, from line {passage.line})"
        raise UnreadableError(f"{place}: {error}") from error


def functions_of(world: dict[str, Any]) -> set[str]:
    """The names of a world that are applied to what is in brackets behind them."""
    bound = [own[0] for name, own in world.items() if name.startswith("each ") and own]
    return {
        name
        for names in (world, *bound)
        for name, value in names.items()
        if name.endswith("()") or (callable(value) and not name.endswith(("_", "@")))
    }


def check(formula: Formula, texts: Sequence[str], prose: Sequence[str] | None = None) -> str | None:
    """Return in which world a formula is not true, and why; None where it is in all.

    texts, prose: its TeX, and that of what prose defines; by default as the spec has it
    """
    passage = passages()[formula.where]
    worlds = worlds_of(formula)
    assert worlds, f"{formula.name} has no world"
    prose = prose_of(formula) if prose is None else prose
    statements = [x for tex in (*prose, *texts) for x in parsed(passage, tex, worlds[0])]
    for world in worlds:
        why = discrepancy(statements, world)
        if formula.iff:
            if (why is None) != world["holds"]:
                truth = "true" if world["holds"] else "false"
                return f"it should be {truth}; {why or 'it is true'}: {plain(world)}"
        elif why is not None:
            return f"{why}: {plain(world)}"
    return attained(statements, worlds) if formula.tight else None


def plain(world: dict[str, Any]) -> str:
    """The numbers and lists of a world."""
    return ", ".join(
        f"{name} = {x}"
        for name, x in world.items()
        if not callable(x) and name != "defines" and not name.startswith("each ")
    )
