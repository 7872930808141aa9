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
from collections import Counter
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


ORDERS = ("input", "expected", "worst", "id-ascending")

SHOWN: Mapping[str, Shown] = {
    "equal-scores": Shown(
        (0, 2, 1),
        (2.0, 2.0, 2.0),
        rules=({}, *({"ties": x} for x in ORDERS)),
    ),
    "constant": Shown(
        (1, 0),
        (1.0, 1.0),
        rules=({}, *({"ties": x} for x in ORDERS)),
        measure="RR",
    ),
    "gain": Shown((1, 2), (4.0, 3.0)),
    "ideal": Shown((1, 0), (4.0, 3.0), (1,)),
    "ap": Shown((1, 1), (4.0, 3.0), k=1, measure="AP"),
    "k": Shown((1,), (4.0,), measure="P"),
    "nothing-relevant": Shown((0, 0), (4.0, 3.0), rules=({}, {"undefined": "one"})),
    "negative": Shown((-1, 1), (4.0, 3.0)),
    "fractions": Shown(
        (0.5, 1),
        (4.0, 3.0),
        rules=({}, {"labels": "truncate"}, {"labels": "floor"}),
    ),
    "float32": Shown(
        (0, 1),
        (1.0, 1.0 + 2.0**-40),
        rules=(
            *({}, {"scores": "float32"}),
            *({"ties": x} for x in ORDERS),
            *({"scores": "float32", "ties": x} for x in ORDERS),
        ),
    ),
}

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "equal scores": ("ties", "long ties"),
    "nothing relevant": ("undefined",),
    "labels below 0": ("negative",),
    "fractions": ("fractions",),
    "scores": ("scores",),
}


CONVENTIONS = tuple(name for names in COLUMNS.values() for name in names)


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


NO_NUMBERS = {"error": "an error", "nan": "NaN"}


def by_answer(root: Any, section: str) -> dict[tuple[str, str | None], list[Any]]:
    """The functions by what they gave, and by the line of rankspec that is of their definition.

    The answer of most functions comes first.
    """
    x = SHOWN[section]
    number = libraries.in_the_world(root, labels=x.labels, scores=x.scores, unseen=x.unseen, k=x.k)
    found: dict[tuple[str, str | None], list[Any]] = {}
    of_scores = any({"ties", "scores"} & set(rules) for rules in x.rules)
    for f in measured(root, x.measure):
        value = f.data["world"][number]
        if of_scores and not f.domain.scored:
            continue
        if isinstance(value, int | float):
            shown = f"{value:.{DIGITS}f}"
            found.setdefault((shown, line(section, shown, f)), []).append(f)
        elif value in NO_NUMBERS:
            found.setdefault((NO_NUMBERS[value], None), []).append(f)
    most = Counter[str]()
    for (answer, _), those in found.items():
        most[answer] += len(those)
    return dict(sorted(found.items(), key=lambda x: (-most[x[0][0]], x[0][0], -len(x[1]))))


def computed(section: str, measure: str, rules: Mapping[str, Any]) -> str:
    """What rankspec computes of the input of a section, as the page prints it."""
    import rankspec as rs

    x = SHOWN[section]
    ids = [f"d{a:02}" for a in range(1, len(x.labels) + len(x.unseen) + 1)]
    qrels = {"q": dict(zip(ids, x.labels + x.unseen, strict=True))}
    run = {"q": dict(zip(ids, x.scores, strict=False))}
    (value,) = rs.evaluate(qrels, run, measure, **rules).mean.values()
    return f"{value:.{DIGITS}f}"


def line(section: str, number: str, f: Any) -> str | None:
    """The plainest line of rankspec that gives a number and does not contradict a definition.

    Who shuffles equal scores has a number by chance: where there are such, there is no line.
    """
    if shuffles(f) and any("ties" in rules for rules in SHOWN[section].rules):
        return None
    measure = f"{f.data['definition']['measure']}@{SHOWN[section].k}"
    for rules in SHOWN[section].rules:
        if agrees(f, section, rules) and computed(section, measure, rules) == number:
            return libraries.as_call(measure, rules)
    return None


PLAIN = {"ties": "id-descending", "scores": "double", "undefined": "zero", "labels": "exact"}
"""What the conventions of rankspec are where a line does not name them."""

CALLED = {"labels": "fractions"}
"""The conventions of libraries that have another name than those of rankspec."""


def agrees(f: Any, section: str, rules: Mapping[str, str]) -> bool:
    """Whether a line has the conventions of a function, of those that a section is about."""
    about = {name for each in SHOWN[section].rules for name in each}
    known = {name: value for name, value, _ in libraries.chosen(f, CONVENTIONS)}
    return all(
        known.get(CALLED.get(name, name)) in (None, rules.get(name, PLAIN[name])) for name in about
    )


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
        f"<td>{as_code(call)}</td></tr>"
        for (number, call), those in by_answer(tree.root, section).items()
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
