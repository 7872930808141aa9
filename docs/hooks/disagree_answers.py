"""The page "Why do two libraries disagree?": what the libraries answered, and their conventions.

The page asks by ``<!-- disagree: answers SECTION -->`` for the answers of all functions of a
measure to the input of a section, with the line of rankspec that gives each number, and by
``<!-- disagree: table -->`` for the conventions of each library. Inputs are those of the small
world, so the answers are those that docs/data/libraries has. Nothing here is typed in but inputs
and lines to try.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import libraries
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*disagree: (?P<what>answers|table)(?: (?P<section>[\w-]+))?\s*-->")
PAGE = "disagree.md"
DIGITS = 4


class Shown(NamedTuple):
    """An input of the small world, the measure, and the conventions to try, the plainest first."""

    labels: tuple[float, ...]
    scores: tuple[float, ...]
    unseen: tuple[float, ...] = ()
    rules: tuple[dict[str, str], ...] = ({},)
    k: int = 2
    measure: str = "nDCG"


SHOWN: Mapping[str, Shown] = {
    "equal-scores": Shown(
        (0, 2, 1),
        (2.0, 2.0, 2.0),
        rules=({}, *({"ties": x} for x in ("input", "expected", "worst"))),
    ),
    "constant": Shown(
        (1, 0),
        (1.0, 1.0),
        rules=({}, *({"ties": x} for x in ("input", "expected"))),
        measure="RR",
    ),
    "gain": Shown((1, 2), (4.0, 3.0)),
    "ideal": Shown((1, 0), (4.0, 3.0), (1,)),
    "ap": Shown((1, 1), (4.0, 3.0), k=1, measure="AP"),
    "k": Shown((1,), (4.0,), measure="P"),
    "nothing-relevant": Shown((0, 0), (4.0, 3.0), rules=({}, {"undefined": "one"})),
    "negative": Shown((-1, 1), (4.0, 3.0)),
    "fractions": Shown((0.5, 1), (4.0, 3.0), rules=({}, {"labels": "floor"})),
    "float32": Shown(
        (0, 1),
        (1.0, 1.0 + 2.0**-40),
        rules=({}, *({"scores": "float32", "ties": x} for x in ("input", "expected"))),
    ),
}

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "equal scores": ("ties",),
    "nothing relevant": ("undefined",),
    "labels below 0": ("negative",),
    "fractions": ("fractions",),
    "scores": ("scores",),
}


def filled(tree: Any, markdown: str, page: Page) -> str:
    """The page with its answers; another page is as it was."""
    if page.file.src_uri != PAGE:
        return markdown

    def part(match: re.Match[str]) -> str:
        if match["what"] == "table":
            return table(tree, page)
        if match["section"] not in SHOWN:
            raise PluginError(f"{PAGE}: {match[0]}: there is no such section")
        return answers(tree, match["section"])

    return REQUEST.sub(part, markdown)


# ---- answers -----------------------------------------------------------------------------


def measured(root: Any, measure: str = "nDCG") -> list[Any]:
    """The functions whose definition is a measure, with any parameters."""
    return [
        f
        for f in libraries.functions(root)
        if f.data["definition"] and re.match(rf"{measure}(\W|$)", f.data["definition"]["measure"])
    ]


REFUSED = "an error"


def by_answer(root: Any, section: str) -> dict[str, list[Any]]:
    """The functions that gave each number, or none, the answer of most functions first."""
    x = SHOWN[section]
    number = libraries.in_the_world(root, labels=x.labels, scores=x.scores, unseen=x.unseen, k=x.k)
    found: dict[str, list[Any]] = {}
    for f in measured(root, x.measure):
        value = f.data["world"][number]
        if isinstance(value, int | float):
            found.setdefault(f"{value:.{DIGITS}f}", []).append(f)
        elif value == "error":
            found.setdefault(REFUSED, []).append(f)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def computed(section: str, measure: str, rules: Mapping[str, Any]) -> str:
    """What rankspec computes of the input of a section, as the page prints it."""
    import rankspec as rs

    x = SHOWN[section]
    ids = [f"d{a:02}" for a in range(1, len(x.labels) + len(x.unseen) + 1)]
    qrels = {"q": dict(zip(ids, x.labels + x.unseen, strict=True))}
    run = {"q": dict(zip(ids, x.scores, strict=False))}
    (value,) = rs.evaluate(qrels, run, measure, **rules).mean.values()
    return f"{value:.{DIGITS}f}"


def line(section: str, number: str, those: list[Any]) -> str | None:
    """The plainest line of rankspec that gives a number, by a measure of those who gave it.

    Who shuffles equal scores has a number by chance: its measure is not tried.
    """
    steady = [f.data["definition"] for f in those if not shuffles(f)]
    measures = sorted({x["measure"] for x in steady}, key=lambda name: (len(name), name))
    for rules in SHOWN[section].rules:
        for measure in (f"{name}@{SHOWN[section].k}" for name in measures):
            if computed(section, measure, rules) == number:
                return libraries.as_call(measure, rules)
    return None


def shuffles(f: Any) -> bool:
    return bool(f.data["definition"]["conventions"].get("ties") == "random")


def link(f: Any) -> str:
    """What leads to a function on the page of its library."""
    place = f"../libraries/{f.library['library']}/#{libraries.anchor(f)}"
    return f'<a href="{place}">{html.escape(f.key)}</a>'


def as_code(call: str | None) -> str:
    return "–" if call is None else libraries.code(call)


def answers(tree: Any, section: str) -> str:
    """A row for each answer: who gave it, and the line of rankspec that does."""
    x = SHOWN[section]
    given = f"labels {list(x.labels)}, scores {list(x.scores)}"
    given += f", judged but not retrieved {list(x.unseen)}" if x.unseen else ""
    rows = "".join(
        f'<tr><th scope="row">{number}</th><td>{", ".join(map(link, those))}</td>'
        f"<td>{as_code(line(section, number, those))}</td></tr>"
        for number, those in by_answer(tree.root, section).items()
    )
    shown = libraries.small_table(("answer", "functions", "by rs.evaluate"), rows)
    summary = f"What libraries answer: {x.measure}@{x.k} of {given}"
    return f"<details><summary>{summary}</summary>{shown}</details>\n"


# ---- conventions -------------------------------------------------------------------------


def table(tree: Any, page: Page) -> str:
    """A row a library: the conventions of its first nDCG function, each led to its entry."""
    first: dict[str, Any] = {}
    for f in measured(tree.root):
        first.setdefault(f.library["library"], f)
    rows = "".join(convention_row(tree, f, page) for f in first.values())
    return libraries.small_table(("library", "gain", "ideal, pool", *COLUMNS), rows) + "\n"


def convention_row(tree: Any, f: Any, page: Page) -> str:
    cells = [libraries.parameter(tree, f, "gain", page), libraries.normaliser(tree, f, page)]
    cells += [libraries.cell(tree, f, names, page) for names in COLUMNS.values()]
    shown = "".join(f"<td>{libraries.without_case(x)}</td>" for x in cells)
    return f'<tr><th scope="row">{link(f)}</th>{shown}</tr>'
