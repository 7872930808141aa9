"""Verdicts on metrics: as objects, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ...errors import listed, quoted
from ...evaluation import render
from ...reference.axioms import Comparison, Shown
from ...text import short_lists
from .declared import AXIOMS
from .functions import Calls
from .verdicts import STATUSES, Evidence, Verdict, comparisons, sides

INDENT = "    "
MOST_COLUMNS = 5


@dataclass(frozen=True)
class OfMetric:
    """The verdicts on one metric, in the order of the axioms.

    name: of the metric; scale: the labels that they are about
    exact: whether values were compared as real numbers; else as doubles (RS-AXM-1)
    takes: of a function, what it is called with; calls: how often, and how often without a number
    """

    name: str
    scale: tuple[Any, ...]
    exact: bool
    verdicts: tuple[Verdict, ...]
    takes: tuple[str, ...] = ()
    calls: Calls | None = None

    def __getitem__(self, axiom: str) -> Verdict:
        """The verdict on an axiom, by its name."""
        for known in self.verdicts:
            if known.axiom.name == axiom:
                return known
        there = listed(known.axiom.name for known in self.verdicts)
        raise KeyError(f"axiom {quoted(axiom)} was not checked; checked were {there}")


@dataclass(frozen=True)
class Axioms:
    """The axioms that metrics satisfy; prints as a table."""

    metrics: tuple[OfMetric, ...]

    def __getitem__(self, name: str) -> OfMetric:
        """The verdicts on a metric, by its name."""
        for known in self.metrics:
            if known.name == name:
                return known
        there = listed(known.name for known in self.metrics)
        raise KeyError(f"metric {quoted(name)} was not checked; checked were {there}")

    def __str__(self) -> str:
        return text(self)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        return {
            "metrics": [
                {
                    "name": of.name,
                    "labels": [_plain(x) for x in of.scale],
                    "compared": "exactly" if of.exact else "as doubles",
                    "takes": list(of.takes) or None,
                    "calls": None if of.calls is None else _calls(of.calls),
                    "axioms": [_verdict(x) for x in of.verdicts],
                }
                for of in self.metrics
            ]
        }


def _plain(x: Any) -> Any:
    return str(x) if isinstance(x, Fraction) else x


def _calls(calls: Calls) -> dict[str, Any]:
    first = None if calls.of is None else {**_side(calls.of, None), "instead": calls.first}
    return {"made": calls.made, "without_value": calls.failed, "first": first}


def _verdict(found: Verdict) -> dict[str, Any]:
    return {
        "axiom": found.axiom.name,
        "about": found.axiom.about,
        "source": found.axiom.source,
        "spec": found.axiom.spec,
        "status": found.status,
        "proof": found.spec or None,
        "when": found.when or None,
        "counterexample": _evidence(found.counterexample),
        "witnesses": [{"n": n, **(_evidence(x) or {})} for n, x in found.witnesses],
        "searched": found.searched,
        "passed_over": found.passed_over,
        "world": found.world,
        "note": found.note or None,
    }


def _evidence(found: Evidence | None) -> dict[str, Any] | None:
    if found is None:
        return None
    asked = found.asked
    return {
        "first": _side(asked.first, found.first),
        "sign": asked.sign,
        "second": _side(asked.second, found.second),
    }


def _side(side: Any, value: float | None) -> Any:
    if not isinstance(side, Shown):
        return _plain(side)
    nested = any(isinstance(x, tuple) for x in side.labels)
    labels = [list(map(_plain, x)) if nested else _plain(x) for x in side.labels]
    pool = [_plain(x) for x in side.pool]
    return {"labels": labels, "judged": pool, "k": side.k, "value": value}


# ---- text --------------------------------------------------------------------------------------


def text(found: Axioms, witness: bool = False) -> str:
    """A table of verdicts; with witness, what shows each, in lines of at most 80 characters."""
    names = short_lists(of.name for of in found.metrics)
    short = [replace(of, name=name) for of, name in zip(found.metrics, names, strict=True)]
    found = replace(found, metrics=tuple(short))
    blocks = list(_tables(found.metrics))
    blocks.append("\n".join([*_legend(found), *_scales(found.metrics)]))
    failed = [line for of in found.metrics for line in _without_value(of)]
    if failed:
        blocks.append("\n".join(failed))
    if witness or len(found.metrics) == 1:
        blocks += ["\n".join(_details(of, witness)) for of in found.metrics]
    return "\n\n".join(blocks)


def _tables(metrics: Sequence[OfMetric]) -> Iterator[str]:
    """A row an axiom; as many metrics beside each other as fit the page."""
    names = _headers(metrics)
    for at in range(0, len(metrics), MOST_COLUMNS):
        part = metrics[at : at + MOST_COLUMNS]
        listed = [x.name for x in AXIOMS if any(_has(of, x.name) for of in part)]
        rows = [
            (name, [of[name].status if _has(of, name) else "" for of in part]) for name in listed
        ]
        header = names[at : at + MOST_COLUMNS]
        yield render.columns("axiom", header, rows).rstrip()
    long = [
        f"{short} {of.name}" for short, of in zip(names, metrics, strict=True) if short != of.name
    ]
    if long:
        yield "\n".join(line for name in long for line in render.wrapped(name, INDENT))


def _headers(metrics: Sequence[OfMetric]) -> list[str]:
    """What stands above the column of each metric: its name, or its number where that is long."""
    return [f"[{n}]" if len(of.name) > 11 else of.name for n, of in enumerate(metrics, start=1)]


def _has(of: OfMetric, axiom: str) -> bool:
    return any(x.axiom.name == axiom for x in of.verdicts)


def _legend(found: Axioms) -> Iterator[str]:
    seen = {x.status for of in found.metrics for x in of.verdicts}
    width = max(map(len, seen)) + 2
    for status, about in STATUSES.items():
        if status in seen:
            yield from render.wrapped(f"{status:{width}}{about}", " " * width)


def _scales(metrics: Sequence[OfMetric]) -> Iterator[str]:
    """Which labels the verdicts on each metric are about, where they are not those of all.

    One metric may fail on labels 0, 1 and 2, and hold on 0 and 1.
    """
    of_scales: dict[tuple[Any, ...], list[str]] = {}
    for header, of in zip(_headers(metrics), metrics, strict=True):
        of_scales.setdefault(of.scale, []).append(header)
    if len(of_scales) > 1:
        for scale, headers in of_scales.items():
            yield from render.wrapped(f"labels {_labels(scale)}: {', '.join(headers)}", INDENT)


def _labels(scale: Sequence[Any]) -> str:
    return ", ".join(map(str, scale))


def _without_value(of: OfMetric) -> Iterator[str]:
    """Of a function that had no number at times: how often, and what came first instead."""
    calls = of.calls
    if calls is not None and calls.of is not None:
        where = f"{_list(calls.of)}{_where(Comparison(calls.of, 'defined', None))}"
        said = f"no value in {calls.failed} of {calls.made} calls, first: {calls.first}, of {where}"
        yield from render.wrapped(f"{of.name}: {said}", INDENT)


def _details(of: OfMetric, witness: bool) -> Iterator[str]:
    how = "exact comparisons" if of.exact else "doubles, equal within 2^-40"
    name = f"{of.name}({', '.join(of.takes)})" if of.takes else of.name
    yield from render.wrapped(f"{name}, labels {_labels(of.scale)} ({how})", INDENT)
    for found in of.verdicts:
        yield from _lines(found, witness)


def _lines(found: Verdict, witness: bool) -> Iterator[str]:
    axiom = found.axiom
    yield from render.wrapped(f"{axiom.name}: {axiom.about} ({axiom.spec})", INDENT)
    yield from render.wrapped(f"{INDENT}{_why(found)}", INDENT * 2)
    if found.counterexample is not None:
        yield from render.wrapped(f"{INDENT}{_shown(found.counterexample, 'but')}", INDENT * 2)
    if witness:
        for n, x in found.witnesses:
            yield from render.wrapped(f"{INDENT}n = {n}: {_shown(x, 'and')}", INDENT * 2)


def _why(found: Verdict) -> str:
    """The status, and what it rests on."""
    said = found.status
    if found.when:
        conditional = found.when.startswith("if")
        said += f"; {found.spec}: {'it holds ' if conditional else ''}{found.when}"
    elif found.counterexample is None and not found.witnesses:
        said += f": {comparisons(found.searched)}, {found.world}"
    if found.passed_over:
        said += f"; {comparisons(found.passed_over)} without a value passed over"
    return f"{said}; {found.note}" if found.note else said


def _shown(found: Evidence, word: str) -> str:
    """A comparison in words, with its values."""
    asked = found.asked
    first = f"{_list(asked.first)} has {_number(found.first)}"
    if asked.sign == "defined":
        return f"{_list(asked.first)} has no value{_where(asked)}"
    if not isinstance(asked.second, Shown):
        return f"{first}{_where(asked)}"
    other = f"{_list(asked.second)} has {_number(found.second)}"
    return f"{first}, {word} {other}{_where(asked)}"


def _where(asked: Comparison) -> str:
    """The pools and cut-offs of a comparison, where they are not those of its lists."""
    shown = sides(asked)
    cuts = list(dict.fromkeys(x.k for x in shown))
    pools = list(dict.fromkeys(tuple(sorted(x.pool, reverse=True)) for x in shown))
    said = [f"pool {' and '.join(map(_braces, pools))}"]
    if cuts != [None]:
        said.append(f"k = {' and '.join(map(str, cuts))}")
    return f" ({', '.join(said)})"


def _braces(labels: Sequence[Any]) -> str:
    return "{" + ", ".join(map(str, labels)) + "}"


def _list(side: Shown) -> str:
    if any(isinstance(x, tuple) for x in side.labels):
        return "<" + "; ".join(" ".join(map(str, row)) for row in side.labels) + ">"
    return "<" + ", ".join(map(str, side.labels)) + ">"


def _number(x: float | None) -> str:
    return "no value" if x is None else f"{x:.6g}"
