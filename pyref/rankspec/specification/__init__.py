"""The specification as data: its test vectors, and the index of its entries.

Nothing here needs more than the standard library; the files come with the package.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import check_known

FOLDER = Path(__file__).resolve().parent.parent / "vectors"
"""Where the files of spec/vectors are, which come with the package."""

PARTS = ("required", "optional")
PROFILES = ("ndcg-core", "trec", "ltr", "recsys", "session", "all")


def vectors(profile: str | None = None, part: str | None = None) -> list[dict[str, Any]]:
    """The test vectors, as the plain dicts that the files hold: a list of cases.

    profile: "ndcg-core", "trec", "ltr", "recsys", "session" or "all"; by default every case
    part: "required" or "optional"; by default both

    README.md beside the files, in the folder rankspec/vectors, explains the parts of a case and the
    profiles of conformance; integers beyond 2^53 are strings. Two kinds of cases are left out,
    because each tests a function of the reference: those of statistics, which have no ranking, and
    those of diversity, whose labels are rows. Each call makes a new list.

    >>> [case["expected"]["decimal"] for case in vectors("ndcg-core")][:2]
    [0.9608081943360616, 6.861126688593501]
    """
    if profile is not None:
        check_known("profile", profile, PROFILES)
    if part is not None:
        check_known("part", part, PARTS)
    return [
        case
        for file in files()
        for own in PARTS
        if part in (None, own)
        for group in file[own]
        for case in group["cases"]
        if profile in (None, *case["profiles"])
    ]


def spec_index() -> dict[str, Any]:
    """The index of the specification, as the plain dict that the file index.json holds.

    "entries" lists every entry with its ID, title and source, its file and anchor, its laws and
    special cases, and how many test vectors cite each ("vectors"), of which Coq proves
    "vectors_proved".

    >>> entry = next(x for x in spec_index()["entries"] if x["id"] == "RS-DCG-6")
    >>> entry["title"], entry["place"], entry["laws"][0]["id"]
    ('Normalised discounted cumulated gain', 'spec/dcg.md#RS-DCG-6', 'RS-DCG-6/L1')
    """
    index: dict[str, Any] = json.loads((FOLDER / "index.json").read_text("utf-8"))
    return index


def files() -> list[dict[str, Any]]:
    """The files of test vectors, chapter by chapter, as the plain dicts that they hold."""
    return [json.loads(text) for text in _texts()]


@cache
def _texts() -> tuple[str, ...]:
    read = (path.read_text("utf-8") for path in sorted(FOLDER.glob("*.json")))
    return tuple(text for text in read if '"$schema": "schema.json"' in text[:100])
