"""What a case requires of an implementation: words of a closed list, by a rule from the case.

The rule reads the case as it is written in the file, so that it holds for what stands there.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from rankspec.compute.gain import KINDS
from rankspec.evaluation.conventions import DECLARED, Convention
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.reference.ties import RULES

LARGEST_INTEGER = 2**53
"""What every JSON reader keeps: integers beyond it are written as text."""

_METRICS = (*METRICS, *SESSION_METRICS, *BOUNDS)
CHOICES: dict[str, tuple[str, ...]] = {}
"""The words of each parameter that has words, over all metrics."""
for _metric in _METRICS:
    for _parameter in _metric.parameters.values():
        CHOICES[_parameter.name] = tuple(
            dict.fromkeys([*CHOICES.get(_parameter.name, ()), *_parameter.words])
        )
CHOICES = {name: words for name, words in CHOICES.items() if words}

GAINS = ("linear", "exp2", "table")
DISCOUNTS = tuple("weights" if name == "custom" else name for name in KINDS)
WITH_BASE = tuple(name for name, kind in KINDS.items() if kind.base and kind.examples)
LABELS = ("integer", "graded", "fractional", "negative", "huge", "not-finite")
CUTOFFS = ("none", "list", "huge")
IDS = ("string", "integer")
FILES = ("qrels", "run", "letor", "predictions", "group", "sessions", "current", "topics")
_SCORE = 4  # the column of a run
_DECIMAL = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_DISCOUNTS = ("discount", "query_discount", "prior")
OVERFLOWS = {"overflow", "parts-overflow", "sum-overflows"}


def _word_of(known: Convention, value: Any) -> str:
    """The word of a value of a convention; of one that has no name, that of the convention."""
    return f"convention:{known.name}" + (f"={value}" if value in tuple(known.values) else "")


CONVENTIONS = tuple(
    dict.fromkeys(
        _word_of(known, value)
        for known in DECLARED
        for value in (None, *known.values)
        if value is None or value != known.default
    )
)

VOCABULARY: tuple[str, ...] = (
    "refusal",
    "bound",
    "session",
    *(f"gain:{kind}" for kind in GAINS),
    *(f"{of}:{kind}" for of in ("discount", "query_discount") for kind in DISCOUNTS),
    "base",
    *(f"prior:{kind}" for kind in ("discount", "uniform", *DISCOUNTS)),
    *(f"{name}:{word}" for name, words in CHOICES.items() for word in words),
    "repeats:fraction",
    "padding:X",
    "padding:number",
    "rel",
    "points",
    "stop",
    "stop:label",
    "max_rel:pool",
    *(f"labels:{kind}" for kind in LABELS),
    "k",
    *(f"k:{kind}" for kind in CUTOFFS),
    "judged",
    "scores",
    "scores:huge",
    "scores:double",
    *(f"ties:{rule}" for rule in RULES),
    *(f"ids:{kind}" for kind in IDS),
    "documents",
    "unjudged",
    *(f"file:{name}" for name in FILES),
    *CONVENTIONS,
    "infinite-range",
)
"""All words, in the order in which a case has them."""


def requires(case: dict[str, Any]) -> list[str]:
    """The words of a case that is written, in the order of the vocabulary."""
    found = set(_of_measure(case["measure"])) | set(_of_input(case["input"]))
    found |= set(_of_conventions(case.get("conventions", {})))
    if case.get("conventions", {}).get("scores", "double") == "double":
        found |= set(_of_scores(case["input"]))
    if "error" in case["expected"]:
        found.add("refusal")
    if OVERFLOWS & set(case["flags"]) or any(hex_ == "inf" for hex_ in hexes(case["expected"])):
        found.add("infinite-range")
    return [word for word in VOCABULARY if word in found]


def hexes(expected: Any) -> Iterator[str]:
    """The doubles of what is expected: of a value, of a list, or of queries and their mean."""
    if isinstance(expected, list):
        for value in expected:
            yield from hexes(value)
    elif "hex" in expected:
        yield expected["hex"]
    elif "queries" in expected:
        yield from hexes([*expected["queries"].values(), *filter(None, [expected["mean"]])])


def number(x: Any) -> Any:
    """A number as a case has it: an integer or a double; text where it is not finite."""
    return int(x) if isinstance(x, str) and re.fullmatch(r"-?[0-9]+", x) else x


def _of_measure(measure: dict[str, Any]) -> Iterator[str]:
    if "of" in measure:
        yield "bound"
        yield from _of_measure(measure["of"])
    if "gain" in measure:
        yield f"gain:{measure['gain']['kind']}"
    for of in _DISCOUNTS:
        if of in measure:
            yield f"{of}:{measure[of]['kind']}"
            yield from ["base"] if measure[of].get("base", 2) != 2 else []
    for name, words in CHOICES.items():
        yield from [f"{name}:{measure[name]}"] if measure.get(name) in words else []
    if not isinstance(measure.get("repeats", ""), str):
        yield "repeats:fraction"
    if "padding" in measure:
        yield "padding:X" if measure["padding"] == "X" else "padding:number"
    yield from ["rel"] if measure.get("rel", 1) != 1 else []
    yield from (name for name in ("points", "stop") if measure.get(name) is not None)
    yield from ["stop:label"] if measure.get("stop") == "label" else []
    yield from ["max_rel:pool"] if measure.get("max_rel") == "pool" else []
    if "k" in measure:
        yield from _of_cutoff(measure["k"])


def _of_cutoff(k: Any) -> Iterator[str]:
    if k is None:
        yield "k:none"
        return
    yield "k"
    if isinstance(k, list):
        yield "k:list"
    if any(number(x) > LARGEST_INTEGER for x in (k if isinstance(k, list) else [k])):
        yield "k:huge"


def _of_input(given: dict[str, Any]) -> Iterator[str]:
    if "queries" in given and not isinstance(given["queries"], str):
        yield "session"
    yield from (f"file:{name}" for name in FILES if name in given)
    yield from (f"labels:{kind}" for kind in _kinds(_labels(given)))
    yield from (name for name in ("judged", "scores", "documents", "unjudged") if name in given)
    scores = [number(x) for x in given.get("scores", [])]
    yield from ["scores:huge"] if _huge(scores) else []
    if len(set(scores)) < len(scores) and given["ties"] in RULES:
        yield f"ties:{given['ties']}"
    ids = [*given.get("ids", []), *chain.from_iterable(given.get("documents", []))]
    if ids:
        yield "ids:string" if all(isinstance(x, str) for x in ids) else "ids:integer"


def _of_scores(given: dict[str, Any]) -> Iterator[str]:
    """Whether scores that differ are equal as 32-bit floats."""
    listed = [float(number(x)) for x in given.get("scores", [])]
    by_query: dict[str, list[float]] = {"": listed}
    for words in map(str.split, str(given.get("run", "")).split("\n")):
        if len(words) > _SCORE and _DECIMAL.fullmatch(words[_SCORE]):
            by_query.setdefault(words[0], []).append(float(words[_SCORE]))
    if any(len(set(map(_float32, x))) < len(set(x)) for x in by_query.values()):
        yield "scores:double"


def _float32(x: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def _labels(given: dict[str, Any]) -> list[Any]:
    lists = [given.get("labels", []), given.get("judged", []), *given.get("queries", [])]
    return [number(x) for labels in lists for x in labels] + _labels_of_qrels(given)


def _labels_of_qrels(given: dict[str, Any]) -> list[Any]:
    """The last columns of judgments that are numbers."""
    rows = [line.split() for line in given.get("qrels", "").splitlines()]
    columns = [row[3] for row in rows if len(row) == 4]
    return [
        int(x) if re.fullmatch(r"[+-]?[0-9]+", x) else float(x)
        for x in columns
        if _DECIMAL.fullmatch(x)
    ]


def _kinds(labels: list[Any]) -> Iterator[str]:
    """What is known of labels: integers, if they are no more than that, or what they are beside."""
    finite = [x for x in labels if not isinstance(x, str)]
    others = {
        "fractional": any(x != int(x) or _large(x) for x in finite if isinstance(x, float)),
        "negative": any(x < 0 for x in finite),
        "huge": _huge(finite),
        "not-finite": len(finite) < len(labels),
    }
    yield from (kind for kind, is_so in others.items() if is_so)
    if labels and not any(others.values()):
        yield "integer"
    if any(x not in (0, 1) for x in finite):
        yield "graded"


def _huge(numbers: Iterable[Any]) -> bool:
    """Whether one is an integer beyond 2^53, which JSON readers and doubles do not keep."""
    return any(isinstance(x, int) and _large(x) for x in numbers)


def _large(x: float) -> bool:
    return abs(x) > LARGEST_INTEGER


def _of_conventions(chosen: dict[str, Any]) -> Iterator[str]:
    """The conventions of an evaluation that are not what they are by default."""
    for known in DECLARED:
        if known.name in chosen and chosen[known.name] != known.default:
            yield _word_of(known, chosen[known.name])
