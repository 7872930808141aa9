"""What the search of the site finds first: docs/data/search.toml, and the names of metrics.

MkDocs writes the index, and Material's script reads it: it puts what has the words as a tag before
what has them in its title, and that before other text. It divides an ID at its hyphens, and a name
at its cut-off, so assets/find.js puts what has that ID or name first. A section of the index is a
dictionary with its address as "location".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import libraries

if TYPE_CHECKING:
    from rankspec.metrics.measure import Metric


@cache
def settings(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "docs/data/search.toml").read_text("utf-8"))


def adjust(index: dict[str, Any], root: Path) -> None:
    """Sets how much each section counts, and the words that lead to it, in place."""
    said = settings(root)
    index["config"]["separator"] = said["separator"]
    sections = {section["location"]: section for section in index["docs"]}
    for location, section in sections.items():
        section["boost"] = boost(said["boost"], location)
    words: dict[str, list[str]] = {place: [*names] for place, names in said["words"].items()}
    entries = places(index)
    for metric in metrics():
        if metric.spec in entries:
            words.setdefault(entries[metric.spec], []).extend((metric.name, metric.function))
    for location, leading in words.items():
        sections[location]["tags"] = list(dict.fromkeys(leading))


ID_OF_NODE = "e=e+s+o.id}"


def mend(site: Path) -> None:
    """Mends how lunr, in Material's worker, tells the nodes of its automaton of words apart.

    It writes the letters and numbers of the edges of a node one after the other: the edge 1 to node
    27 and the edges 1 to node 2, 7 to ... have the same text, and are taken for the same node. Then
    words are found that no page has, and the search ends. Which words it is, depends on all of
    them.
    """
    for worker in (site / "assets/javascripts/workers").glob("search.*.min.js"):
        text = worker.read_text("utf-8")
        if text.count(ID_OF_NODE) != 1:
            raise ValueError(f"{worker.name} is not the worker whose lunr is mended here")
        worker.write_text(text.replace(ID_OF_NODE, 'e=e+s+o.id+","}'), "utf-8")


def places(index: dict[str, Any]) -> dict[str, str]:
    """Where each entry stands, by its ID."""
    found = {}
    for section in index["docs"]:
        anchor = section["location"].partition("#")[2]
        if anchor.startswith("RS-"):
            found[anchor] = section["location"]
    return found


def firsts(index: dict[str, Any], root: Path) -> dict[str, tuple[str, str]]:
    """Where an ID or a name leads, and the heading there: for assets/find.js, which reads what is
    typed by bare().
    """
    headings = {section["location"]: section["title"] for section in index["docs"]}
    entries = places(index)
    found = {bare(entry): place for entry, place in entries.items()}
    for metric in metrics():
        for name in names_of(metric) if metric.spec in entries else ():
            found.setdefault(bare(name), entries[metric.spec])
    found |= {bare(name): place for name, place in settings(root)["names"].items()}
    named = {name: (place, headings[place]) for name, place in found.items()}
    return dict(of_libraries(root)) | named


def of_libraries(root: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Where the name of a library and of one of its functions leads, and what stands there."""
    for f in libraries.functions(root):
        page = f"libraries/{f.library['library']}/"
        package = f.library["package"]
        for name in (package, f.library["library"]):
            yield bare(name), (page, package)
            yield bare(name + f.name), (f"{page}#{libraries.anchor(f)}", f.key)


def bare(name: str) -> str:
    """A name without capitals, blanks and signs."""
    return re.sub(r"[\s_*^()-]", "", name).lower()


def boost(said: dict[str, float], location: str) -> float:
    """By the longest beginning that is named."""
    begins = max((x for x in said if location.startswith(x)), key=len, default="")
    return said.get(begins, 1)


def metrics() -> Iterator[Metric]:
    from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS

    yield from (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS)


def names_of(metric: Metric) -> Iterator[str]:
    """What a metric is called, here and in other programs, and its title."""
    yield from (metric.name, metric.function, metric.title)
    yield from filter(None, (metric.names.trec, metric.names.trec_cut))
    yield from chain.from_iterable(metric.names.others.values())
