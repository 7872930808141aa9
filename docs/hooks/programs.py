"""The page "Measures of other programs": docs/data/programs.toml, as tables.

A page asks for them by the line ``<!-- programs -->``. What a measure is here is read by the
package's own grammar, so that the page says what ``rankspec eval`` does.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

REQUEST = re.compile(r"^<!-- programs -->$", re.MULTILINE)


@functools.cache
def programs(root: Path) -> Mapping[str, Any]:
    """The file: ``program``, a list, and ``reasons``."""
    return tomllib.loads((root / "docs/data/programs.toml").read_text("utf-8"))


def filled(tree: Any, markdown: str) -> str:
    """A page with the tables of all programs where it asks for them."""
    return REQUEST.sub(lambda _: "\n".join(sections(tree.root)), markdown)


def sections(root: Path) -> Iterator[str]:
    """A section a program."""
    data = programs(root)
    for program in data["program"]:
        yield f"## {program['name']} {{#{anchor(program)}}}\n"
        yield f"Version {program['version']}. {program['how']}\n"
        yield "| there | here | what it is |"
        yield "|---|---|---|"
        for theirs, name in here(program).items():
            ours = reading(name)
            what = f"{ours.metric.title}, {ours.metric.spec}"
            yield f"| {code(theirs)} | {code(str(ours))} | {what} |"
        for reason, names in absent(program).items():
            yield f"| {' '.join(map(code, names))} | – | {data['reasons'][reason]} |"
        yield ""


def anchor(program: Mapping[str, Any]) -> str:
    return re.sub(r"\W+", "-", program["name"].lower())


def here(program: Mapping[str, Any]) -> dict[str, str]:
    """{the name there: what is written here}"""
    ours: dict[str, str] = program.get("ours", {})
    return {x: x for x in program.get("measures", ())} | ours


def absent(program: Mapping[str, Any]) -> dict[str, list[str]]:
    """{reason: the names that are not here for it}"""
    found: dict[str, list[str]] = {}
    for theirs, reason in program.get("not_here", {}).items():
        found.setdefault(reason, []).append(theirs)
    return found


def reading(name: str) -> Any:
    """The measure that a name is here; an error, which ends the build, where it is none."""
    from rankspec.metrics.grammar import measures

    (measure,) = measures(name)
    return measure


def code(name: str) -> str:
    return f"`{name}`"
