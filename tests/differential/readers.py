"""Files by both readers: that in C, and the plain Python reading."""

from __future__ import annotations

import io
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
    by_c, by_reference = by_both(qrels, run, chosen)
    assert by_c == by_reference
