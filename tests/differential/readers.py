"""Files by both readers: that in C, and the plain Python reading."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import Evaluation, evaluate

MEASURES = ["nDCG@3", "AP", "P@2", "R@4", "RR", "DCG", "nDCG(gain='exp2')"]
OF_SCORES = ["nDCG_phi@3", "DCG_phi", "nDCG_phi(points=[(0, 0), (2, 0.5), (7, 1)])@2"]


def outcome(evaluated: Callable[[], Evaluation]) -> Any:
    """The result, or the words of the error."""
    try:
        return evaluated().to_dict()
    except InputError as error:
        return str(error)


def by_both(
    qrels: Any, run: Any, chosen: dict[str, Any], measures: list[str] | None = None
) -> tuple[Any, Any]:
    """What the core and the reference make of it; bytes are files."""
    if measures is None:
        measures = MEASURES if chosen.get("relevance", "label") == "label" else OF_SCORES

    def opened(source: Any) -> Any:
        return io.BytesIO(source) if isinstance(source, bytes) else source

    def by(backend: str) -> Any:
        return outcome(
            lambda: evaluate(opened(qrels), opened(run), measures, backend=backend, **chosen)
        )

    return by("c"), by("reference")


def check_that_both_agree(qrels: bytes, run: bytes, chosen: dict[str, Any]) -> None:
    """Of several errors in a run that is not grouped, any may be named; and of several lines with
    the document of a later one, any.
    """
    by_c, by_reference = by_both(qrels, run, chosen)
    while without_first(by_c) != without_first(by_reference):
        assert isinstance(by_c, str)
        assert isinstance(by_reference, str)
        run = without(run, by_reference)
        by_reference = by_both(qrels, run, chosen)[1]


def without_first(outcome: Any) -> Any:
    """An error without the line in which a document was the first time."""
    if not isinstance(outcome, str):
        return outcome
    return re.sub("it is already in line [0-9]+", "it is already there", outcome)


def without(text: bytes, error: str) -> bytes:
    """The text, with a blank line for the one that an error names."""
    place = re.match("the open file:([0-9]+): ", error)
    assert place, error
    lines = text.split(b"\n")
    lines[int(place[1]) - 1] = b""
    return b"\n".join(lines)
