"""How a comparison of two sets of judgments is written: pages, cells of lines, plain data.

Spec: RS-AGR-40
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ...evaluation import render, typeset
from ...formats.frames import Label
from . import text
from .found import Compared, Interval
from .grid import MARK, away, count, finite, interval, short, signed
from .judgments_found import GAINED, LOST, OPPOSITE, Changes, ComparedJudgments, JudgedTwice, Shift
from .tests import Names

MOST_LABELS = 8
"""How many different labels a table of their pairs has at most."""


def table(found: ComparedJudgments, digits: int) -> str:
    """The tables in 80 columns, with notes."""
    return text.page(_grids(found, digits), _notes(found))


def markdown(found: ComparedJudgments, digits: int) -> str:
    """The tables as pipe tables, with notes."""
    return typeset.pipe_tables(_grids(found, digits), _notes(found))


def latex(found: ComparedJudgments, digits: int) -> str:
    """The tables for LaTeX with booktabs; notes are comments."""
    return typeset.booktabs(_grids(found, digits), _notes(found))


# ---- the tables ----------------------------------------------------------------------------


def _grids(found: ComparedJudgments, digits: int) -> Iterator[typeset.Grid]:
    yield _of_labels(found, digits)
    yield from _pairs_of_labels(found)
    for of in found.measures.values():
        yield from _of_systems(found, of, digits)
    tests = list(next(iter(found.measures.values())).changes)
    changed = ", and significant pairs gained/lost/opposite by test" if tests else ""
    yield typeset.Grid(
        f"orders of the systems{changed}",
        "measure",
        ["tau_b", "tau_AP", "swapped", *(short(name) for name in tests)],
        [(of.measure, _of_orders(of, digits)) for of in found.measures.values()],
    )


def _of_labels(found: ComparedJudgments, digits: int) -> typeset.Grid:
    of, labels = found.labels.none, found.labels
    first, second = found.names
    cells = [str(of.both), str(of.only_first), str(of.only_second), _share(of.equal, of.both)]
    kappas = (labels.none.kappa, labels.linear.kappa, labels.quadratic.kappa)
    rows = zip(
        ["judged by both", f"by {first} alone", f"by {second} alone", "equal labels of both",
         "kappa", "kappa, linear weights", "kappa, quadratic weights"],
        [*cells, *(render.cell(kappa, digits) for kappa in kappas)],
        strict=True,
    )  # fmt: skip
    return typeset.Grid(
        f"labels of {first} and {second}",
        "documents of queries",
        [""],
        [(name, [cell]) for name, cell in rows],
    )


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f}%)"


def _pairs_of_labels(found: ComparedJudgments) -> Iterator[typeset.Grid]:
    """How often each label of the one meets each of the other; nothing where there are many."""
    counts = found.labels.counts
    rows, columns = (sorted({pair[side] for pair in counts}) for side in (0, 1))
    if max(len(rows), len(columns)) > MOST_LABELS:
        return
    first, second = found.names
    yield typeset.Grid(
        f"labels by {first} (rows) and by {second}",
        "label",
        [_number(y) for y in columns],
        [(_number(x), [str(counts.get((x, y), 0)) for y in columns]) for x in rows],
    )


def _number(label: Label) -> str:
    return str(int(label)) if label == int(label) else str(label)


def _of_systems(found: ComparedJudgments, of: JudgedTwice, digits: int) -> Iterator[typeset.Grid]:
    level = f"{_level(found)} interval"
    yield typeset.Grid(
        f"{of.measure}: means over {count(len(of.queries))} by each, and the shift",
        "system",
        [*found.names, "shift", level],
        [
            (
                name,
                [
                    render.short_cell(x.first, digits),
                    render.short_cell(x.second, digits),
                    *_with_interval(x.shift, x.shift_interval, digits),
                ],
            )
            for name, x in of.systems.items()
        ],
    )
    yield typeset.Grid(
        f"{of.measure}: bias for each system, its shift less the mean shift",
        "system",
        ["bias", level],
        [(name, _with_interval(x.bias, x.bias_interval, digits)) for name, x in of.systems.items()],
    )


def _with_interval(value: float, ends: Interval | None, digits: int) -> list[str]:
    return [signed(value, digits, away(ends)), interval(ends, digits)]


def _level(found: ComparedJudgments) -> str:
    choices = next(iter(found.comparisons.values())).choices
    return f"{100 * (1 - float(choices.alpha)):.6g}%"


def _of_orders(of: JudgedTwice, digits: int) -> list[str]:
    return [
        render.cell(of.tau_b, digits),
        render.cell(of.tau_ap_b, digits),
        str(len(of.swapped)),
        *(_changed(x) for x in of.changes.values()),
    ]


def _changed(x: Changes) -> str:
    return f"{x.counts.gained}/{x.counts.lost}/{x.counts.opposite}"


def _notes(found: ComparedJudgments) -> Iterator[str]:
    first, second = found.names
    comparison = found.comparisons[first]
    yield (
        "kappa: of the documents that both judged (RS-AGR-15); weighted by the difference of the "
        "labels, or by its square"
    )
    yield (
        f"shift: the mean by {second} less that by {first}; bias: the shift less the mean shift "
        "of all systems (RS-AGR-16)"
    )
    yield f"{MARK}  the t interval, not corrected, lies on one side of 0 (RS-AGR-40)"
    yield "tau_b: RS-AGR-2; tau_AP: with ties as agreement, symmetric (RS-AGR-5)"
    if any(test.has_p for test in comparison.tests):
        yield _significant(comparison, first, second)
    for of in found.measures.values():
        yield from _named(of, first, second)


def _significant(comparison: Compared, first: str, second: str) -> str:
    correction, alpha = comparison.correction, float(comparison.choices.alpha)
    return (
        f"significant: p, corrected by {correction.title} ({correction.spec}), is at most alpha = "
        f"{alpha:.6g}; gained: by {second} alone, lost: by {first} alone, opposite: by both, for "
        "different systems (RS-AGR-10)"
    )


def _named(of: JudgedTwice, first: str, second: str) -> Iterator[str]:
    """The pairs that are swapped, gained, lost or opposite, by name."""
    if of.swapped:
        yield f"{of.measure}: swapped (better by {first} - by {second}): {_pairs(of.swapped)}"
    for test, changes in of.changes.items():
        for kind, pairs in changes.pairs.items():
            if pairs:
                yield f"{of.measure}: {kind} by {short(test)}: {_pairs(pairs)}"


def _pairs(pairs: Sequence[Names]) -> str:
    return "; ".join(f"{a} - {b}" for a, b in pairs)


# ---- for programs --------------------------------------------------------------------------

HEADER = (
    "measure", "kind", "test", "system", "other", "queries", "first", "second", "shift", "low",
    "high", "bias", "bias_low", "bias_high",
)  # fmt: skip
"""A line a system (kind "system"), or a pair: "swapped", "gained", "lost", "opposite"."""


def csv_text(found: ComparedJudgments, digits: int | None) -> str:
    """A line a measure and system, then a line a pair that changes, divided by commas."""
    return typeset.comma_separated([HEADER, *_lines(found, digits)])


def tsv(found: ComparedJudgments, digits: int | None) -> str:
    """The same, divided by tabs."""
    return typeset.tab_separated([HEADER, *_lines(found, digits)])


def _lines(found: ComparedJudgments, digits: int | None) -> Iterator[Sequence[str]]:
    for of in found.measures.values():
        n = str(len(of.queries))
        for name, x in of.systems.items():
            of_shift, of_bias = (x.shift_interval or (None,) * 2), (x.bias_interval or (None,) * 2)
            numbers = x.first, x.second, x.shift, *of_shift, x.bias, *of_bias
            cells = (render.cell(number, digits, none="") for number in numbers)
            yield (of.measure, "system", "", name, "", n, *cells)
        blank = ("",) * (len(HEADER) - 6)
        for a, b in of.swapped:
            yield (of.measure, "swapped", "", a, b, n, *blank)
        for test, changes in of.changes.items():
            for kind, pairs in changes.pairs.items():
                for a, b in pairs:
                    yield (of.measure, kind, test, a, b, n, *blank)


def to_dict(found: ComparedJudgments) -> dict[str, Any]:
    """The comparison as plain data."""
    labels = found.labels
    agreement = asdict(labels.none)
    return {
        "judgments": list(found.names),
        "labels": {
            **{name: agreement[name] for name in ("both", "only_first", "only_second", "equal")},
            "kappa": {x.weights: x.kappa for x in (labels.none, labels.linear, labels.quadratic)},
            "counts": [
                {"first": a, "second": b, "documents": n} for (a, b), n in labels.counts.items()
            ],
        },
        "measures": [_measure_dict(of) for of in found.measures.values()],
        "comparisons": [
            {"judgments": name, **text.to_dict(comparison)}
            for name, comparison in found.comparisons.items()
        ],
    }


def _measure_dict(of: JudgedTwice) -> dict[str, Any]:
    return {
        "measure": of.measure,
        "queries": len(of.queries),
        "systems": [{"system": name, **_shift_dict(x)} for name, x in of.systems.items()],
        "tau_b": of.tau_b,
        "tau_ap_b": of.tau_ap_b,
        "swapped": of.swapped,
        "changes": {
            test: {
                **x.counts._asdict(),
                "pairs": {kind: x.pairs[kind] for kind in (GAINED, LOST, OPPOSITE)},
            }
            for test, x in of.changes.items()
        },
    }


def _shift_dict(x: Shift) -> dict[str, Any]:
    ends = {"shift_interval": finite(x.shift_interval), "bias_interval": finite(x.bias_interval)}
    return {**asdict(x), **ends}
