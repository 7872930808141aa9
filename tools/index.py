"""spec/vectors/index.json: what the specification states, for programs: IDs, titles, sources.

    python tools/vectors.py      writes it, with the files of cases

It has the entries of spec/*.md and spec/core/*.md in their order, as tools/trace.py reads them,
each with its laws and special cases, and how many cases cite each; of an entry also how many of
these Coq proves (spec/vectors/proved.txt).
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from cases.schema import array, head, record

FORMAT = 1
SOURCE = re.compile(r"^Source:(?P<source>.*?)\n\{: \.source \}", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
NAME_OF_LAW = re.compile(r"\((?P<name>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*")
PLACE = {
    "type": "string",
    "pattern": "^spec/(core/)?[a-z]+[.]md#RS-[A-Z]+-[0-9]+(/L[0-9]+)?$",
}


def _trace() -> ModuleType:
    # By its path: "trace" is also a module of the standard library.
    path = Path(__file__).with_name("trace.py")
    spec = importlib.util.spec_from_file_location("rankspec_trace", path)
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules["rankspec_trace"] = module
    spec.loader.exec_module(module)
    return module


trace = sys.modules.get("rankspec_trace") or _trace()


def index(
    root: Path, version: str, cited: dict[str, int], proved: dict[str, int]
) -> dict[str, Any]:
    """The index of the specification of the tree at `root`.

    version: of the vectors; cited: how many cases cite an ID; proved: how many of them Coq proves
    """
    entries = [
        entry
        for path in trace.chapters(root)
        for entry in _entries(path, path.relative_to(root).as_posix(), cited, proved)
    ]
    return {"$schema": "index.schema.json", "format": FORMAT, "version": version} | {
        "count": len(entries),
        "entries": entries,
    }


def _entries(
    path: Path, where: str, cited: dict[str, int], proved: dict[str, int]
) -> list[dict[str, Any]]:
    text = path.read_text("utf-8")
    chapter = trace.title(path)
    return [
        _entry(entry, chapter, _section(text, entry.id), cited, proved)
        for entry, _ in trace.entries_of(text, where)
    ]


def _section(text: str, id_: str) -> str:
    """The text of an entry, without its heading and fenced blocks."""
    rest = text.partition(f"{{#{id_}}}")[2]
    lines = []
    for _, line in trace.prose(rest):
        if re.match(r"#{1,2} ", line):
            break
        lines.append(line)
    return "\n".join(lines)


def _entry(
    entry: Any, chapter: str, text: str, cited: dict[str, int], proved: dict[str, int]
) -> dict[str, Any]:
    found = SOURCE.search(text)
    place = f"{entry.path}#{entry.id}"
    return {
        "id": entry.id,
        "title": _plain(entry.title),
        "chapter": chapter,
        "source": _plain(found["source"]) if found else None,
        "place": place,
        "vectors": cited.get(entry.id, 0),
        "vectors_proved": proved.get(entry.id, 0),
        "laws": [
            _part(f"{entry.id}/{law}", name, words, f"{place}/{law}", cited)
            for law, name, words in _laws(text)
        ],
        "special_cases": [
            _part(entry.id + letter, None, words, place, cited)
            for letter, words in _special_cases(text)
        ],
    }


def _part(
    id_: str, title: str | None, text: str, place: str, cited: dict[str, int]
) -> dict[str, Any]:
    named = {} if title is None else {"title": title}
    return {"id": id_, **named, "text": text, "place": place, "vectors": cited.get(id_, 0)}


def _laws(text: str) -> list[tuple[str, str | None, str]]:
    """Each law: L1, what it is called, and what it says, in Markdown."""
    found = []
    for item in re.split(r"^\s*[-*] (?=\*\*L\d+\*\*)", text, flags=re.MULTILINE)[1:]:
        law, _, words = item.removeprefix("**").partition("**")
        words = _plain(re.split(r"\n\s*\n(?! )|\n\*\*", words)[0])
        name = NAME_OF_LAW.match(words)
        found.append((law, name["name"] if name else None, words[name.end() :] if name else words))
    return found


def _special_cases(text: str) -> list[tuple[str, str]]:
    """Each special case: (a), and what it says, in Markdown."""
    found = trace.SPECIAL_CASES.search(text)
    rest, cases = found["cases"] if found else "", []
    letters = trace.special_cases(text.splitlines())
    for letter, following in zip(letters, [*letters[1:], ""], strict=False):
        rest = rest.partition(letter)[2]
        words = rest.partition(following)[0] if following else rest
        cases.append((letter, _plain(words)))
    return cases


def _plain(text: str) -> str:
    """Markdown on one line, without the targets of links."""
    return " ".join(LINK.sub(r"\1", text).split())


def schema() -> dict[str, Any]:
    """The JSON schema of the index."""
    text = {"type": "string", "minLength": 1}
    count = {"type": "integer", "minimum": 0}

    def parts(pattern: str, required: str) -> dict[str, Any]:
        id_ = {"type": "string", "pattern": f"^RS-[A-Z]+-[0-9]+{pattern}$"}
        properties = {"id": id_, "title": text, "text": text, "place": PLACE, "vectors": count}
        return array(record(required, properties))

    entry = record(
        "id title chapter source place vectors vectors_proved laws special_cases",
        {
            "id": {"type": "string", "pattern": "^RS-[A-Z]+-[0-9]+$"},
            "title": text,
            "chapter": text,
            "source": {"anyOf": [text, {"type": "null"}]},
            "place": PLACE,
            "vectors": count,
            "vectors_proved": count,
            "laws": parts("/L[0-9]+", "id text place vectors"),
            "special_cases": parts("[(][a-z][)]", "id text place vectors"),
        },
    )
    return {
        **head("The index of the rankspec specification"),
        **record(
            "$schema format version count entries",
            {
                "$schema": {"const": "index.schema.json"},
                "format": {"const": FORMAT},
                "version": text,
                "count": count,
                "entries": {"type": "array", "items": entry},
            },
        ),
    }
