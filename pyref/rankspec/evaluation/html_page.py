"""How a notebook shows a result: the means in a small table, and under it, folded, what they are.

Spec: RS-CONV-47
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import isnan, nan

from ..text import printable, short_list, short_lists
from . import render

DIGITS = 4

_NAME = "text-align:left;font-weight:normal;padding:.1em 2em .1em 0"
_NUMBER = "text-align:right;font-weight:normal;font-variant-numeric:tabular-nums;padding:.1em 0"
_TOLD = "text-align:left;vertical-align:top;padding:.1em 0;max-width:48em;white-space:normal"
_UNDER = "opacity:.7;font-size:90%;margin:.4em 0"
_TABLE = '<table style="border:none;border-collapse:collapse;margin:0;font-size:inherit">'


def html(
    means: Mapping[str, float],
    notes: Iterable[str],
    definitions: Mapping[str, Mapping[str, str]],
) -> str:
    """The means by measure, what they are the mean of, and the definition of each, as HTML."""
    names = short_lists(means)
    rows = [
        _row(f"<code>{_text(name)}</code>", [mean])
        for name, mean in zip(names, means.values(), strict=True)
    ]
    return _page("measure", ["mean"], rows, notes, definitions)


def html_of_runs(
    means: Mapping[str, Mapping[str, float]],
    notes: Iterable[str],
    definitions: Mapping[str, Mapping[str, str]],
) -> str:
    """The means of several runs, a row a run and a column a measure, and the rest as in html()."""
    rows = [
        _row(_text(name), [own.get(measure, nan) for measure in definitions])
        for name, own in means.items()
    ]
    columns = [f"<code>{_text(x)}</code>" for x in short_lists(definitions)]
    return _page("run", columns, rows, notes, definitions)


def _page(
    first: str,
    columns: Iterable[str],
    rows: Iterable[str],
    notes: Iterable[str],
    definitions: Mapping[str, Mapping[str, str]],
) -> str:
    cells = f'<th style="{_NAME}">{first}</th>'
    cells += "".join(f'<th style="{_NUMBER};padding-left:1em">{x}</th>' for x in columns)
    head = f'<tr style="opacity:.7">{cells}</tr>'
    under = "<br>".join(map(_text, short_lists(notes)))
    return "\n".join(
        [
            "<div>",
            f"{_TABLE}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>",
            f'<div style="{_UNDER}">{under}</div>',
            f'<details style="{_UNDER}"><summary>conventions</summary>',
            *_of_definitions(definitions),
            "</details>",
            "</div>",
        ]
    )


def _row(name: str, means: Iterable[float]) -> str:
    """The means in a few digits; all of them are shown where the pointer stands on one."""
    cells = []
    for mean in means:
        exact = "there is no mean" if isnan(mean) else repr(mean)
        cell = render.short_cell(render.or_none(mean), DIGITS)
        cells.append(f'<td style="{_NUMBER};padding-left:1em" title="{exact}">{cell}</td>')
    return f'<tr><th style="{_NAME}">{name}</th>{"".join(cells)}</tr>'


def _of_definitions(definitions: Mapping[str, Mapping[str, str]]) -> list[str]:
    """What the measures have in common once, and what each has for itself under its name."""
    first, *others = definitions.values()
    common = {x: said for x, said in first.items() if all(o.get(x) == said for o in others)}
    short = dict(zip(definitions, short_lists(definitions), strict=True))
    blocks: list[str] = []
    for name, chosen in definitions.items():
        own = {x: said for x, said in chosen.items() if x not in common}
        blocks += _block(f"<code>{_text(short[name])}</code>", own if others else chosen)
    return blocks + (_block("all of them", common) if others else [])


def _block(title: str, choices: Mapping[str, str]) -> list[str]:
    if not choices:
        return []
    rows = [
        f'<tr><th style="{_NAME};vertical-align:top">{_text(x)}</th>'
        f'<td style="{_TOLD}">{_text(short_list(said))}</td></tr>'
        for x, said in choices.items()
    ]
    return [f'<div style="margin:.6em 0 .1em">{title}</div>{_TABLE}{"".join(rows)}</table>']


def _text(text: str) -> str:
    return escape(printable(text))
