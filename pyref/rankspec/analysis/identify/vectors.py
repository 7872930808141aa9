"""The cases of the vectors that a definition must pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...specification import vectors
from .definition import Definition
from .inputs import Domain


def vectors_of(d: Definition, domain: Domain) -> list[str]:
    """The ids of the cases of its measure that its adapter can be asked."""
    return [
        case["id"]
        for case in vectors(part="required")
        if _is_of(d, case["measure"]) and _can_be_asked(d, domain, case["input"])
    ]


def _is_of(d: Definition, measure: Mapping[str, Any]) -> bool:
    metric = d.core.metric
    if metric is None or measure.get("name") != d.core.name.partition("(")[0]:
        return False
    return all(
        name in measure and _same(d.core.parameters[name], measure[name])
        for name in metric.parameters
        if name in measure or d.core.parameters[name] != metric.parameters[name].default
    )


def _same(chosen: Any, written: Any) -> bool:
    """Whether a parameter is what the vectors say it is."""
    if isinstance(written, Mapping):
        kind = getattr(chosen, "kind", None) or str(chosen)
        base = written.get("base", 2)
        table = list(written.get("table") or written.get("weights") or ())
        own = list(getattr(chosen, "table", None) or getattr(chosen, "weights", None) or ())
        return bool(
            kind == written.get("kind") and getattr(chosen, "b", base) == base and own == table
        )
    if isinstance(chosen, tuple):
        return bool(list(chosen) == written)
    return bool(chosen == written) or str(chosen) == written


def _can_be_asked(d: Definition, domain: Domain, asked: Mapping[str, Any]) -> bool:
    labels = asked.get("labels")
    if not isinstance(labels, list) or not all(isinstance(x, (int, float)) for x in labels):
        return False
    scored = "scores" in asked
    return (
        domain.min_length <= len(labels) <= domain.max_length
        and (not scored or (domain.scored and asked.get("ties") == d.choices["ties"]))
        and ("judged" not in asked or domain.pool)
        and (not domain.binary or all(x in (0, 1) for x in labels))
    )
