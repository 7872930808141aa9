"""The page "Why do two libraries disagree?": calls of libraries, and what they answered.

The page asks by ``<!-- disagree: calls SECTION -->`` for the calls of a section whose input is none
of the small world: two queries, a set, swapped arguments. docs/data/calls.json has them as they
were recorded (tools/matrix/calls.py). A line of rankspec that does not give the number beside it
ends the build.
"""

from __future__ import annotations

import html
import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import libraries
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*disagree: calls (?P<section>[\w-]+)\s*-->")
PAGE = "disagree.md"
ALL_DIGITS = 17


def filled(root: Path, markdown: str, page: Page) -> str:
    """The page with its calls; another page is as it was."""
    if page.file.src_uri != PAGE:
        return markdown
    sections = recorded(root)

    def part(match: re.Match[str]) -> str:
        if match["section"] not in sections:
            raise PluginError(f"{PAGE}: {match[0]}: docs/data/calls.json has no such section")
        return shown(match["section"], sections[match["section"]])

    return REQUEST.sub(part, markdown)


def recorded(root: Path) -> dict[str, Any]:
    """All sections, as docs/data/calls.json has them."""
    found: dict[str, Any] = json.loads((root / "docs/data/calls.json").read_text("utf-8"))
    return found


def shown(name: str, section: Mapping[str, Any]) -> str:
    """The input of a section, and a row for each call."""
    rows = "".join(row(name, section, call) for call in section["calls"])
    table = libraries.small_table(("answer", "library", "rankspec"), rows, " rs-calls")
    given = f"<pre><code>{html.escape(section['input'], quote=False)}</code></pre>"
    summary = "Calls of libraries, and their answers"
    return f"<details><summary>{summary}</summary>{given}{table}</details>\n"


def row(name: str, section: Mapping[str, Any], call: Mapping[str, Any]) -> str:
    """A call: what it answered, whose it is, and the line of rankspec that gives the same."""
    who = f'<a href="../libraries/{call["library"]}/">{call["library"]}</a> {call["version"]}'
    asked = f"{who}<br>{libraries.code(call['call'])}"
    if "error" in call:
        asked += f"<br>{html.escape(call['error'], quote=False)}"
    head = f'<tr><th scope="row">{answer(section, call)}</th>'
    return f"{head}<td>{asked}</td><td>{line(name, section, call)}</td></tr>"


def answer(section: Mapping[str, Any], call: Mapping[str, Any]) -> str:
    """The number as the page prints it."""
    return "an error" if "error" in call else printed(section, call["value"])


def printed(section: Mapping[str, Any], value: Any) -> str:
    if not isinstance(value, int | float) or section["digits"] == ALL_DIGITS:
        return str(value)
    return f"{value:.{section['digits']}f}"


def line(name: str, section: Mapping[str, Any], call: Mapping[str, Any]) -> str:
    """The line of rankspec, after it was tried."""
    if "line" not in call:
        return "–"
    found = printed(section, computed(section["input"], call["line"]))
    if found != answer(section, call):
        raise PluginError(f"{PAGE}: {name}: {call['line']} is {found}, not {answer(section, call)}")
    return libraries.code(call["line"])


def computed(given: str, expression: str) -> Any:
    """The value of an expression of rankspec, of the input of a section."""
    import rankspec as rs

    known: dict[str, Any] = {"rs": rs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the libraries do without a word
        exec(given, known)  # noqa: S102 - of our own file
        return eval(expression, known)  # noqa: S307
