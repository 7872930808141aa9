"""rankspec itself as an adapter with one fault, of a kind that machine numbers bring about.

python one_fault.py FAULT       answers cases by the protocol
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankspec.analysis.cases import number
from rankspec.analysis.conformance.own import core
from rankspec.analysis.conformance.questions import Question, Unanswerable, rough
from rankspec.errors import InputError
from tests.conformance.implementation import written


def wrapped(bits: int) -> Callable[[Any], Any]:
    """A whole number as a machine integer of so many bits has it, with a sign."""

    def through(x: Any) -> Any:
        half = 1 << (bits - 1)
        return (x + half) % (2 * half) - half if isinstance(x, int) else x

    return through


def float32(x: Any) -> Any:
    try:
        return x if x is None else struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return float("inf")


def _through(convert: Callable[[Any], Any], x: Any) -> Any:
    x = number(x) if isinstance(x, (str, int, float)) else x
    if isinstance(x, Sequence) and not isinstance(x, str):
        return [_through(convert, part) for part in x]
    try:
        return convert(x)
    except (TypeError, ValueError, OverflowError):
        return x


LABELS: Mapping[str, Callable[[Any], Any]] = {
    "int8": wrapped(8),
    "uint8": lambda x: x % 256 if isinstance(x, int) else x,
    "uint8, fractions too": lambda x: None if x is None else int(x) % 256,
    "int16": wrapped(16),
    "int32": wrapped(32),
    "int64": wrapped(64),
    "float32": float32,
    "doubles": lambda x: None if x is None else float(x),
    "saturated": lambda x: None if x is None else min(x, 127),
}
"""Labels that go through numbers of another type."""

SCORES: Mapping[str, Callable[[Any], Any]] = {
    "scores as float32": float32,
    "scores as int32": wrapped(32),
}

GAINS: Mapping[str, Callable[..., Any]] = {
    "1 << r": lambda r, _: float((1 << int(r)) - 1) if r < 4096 else float("inf"),
    "1 << r of 32 bits": lambda r, _: float(wrapped(32)(1 << (int(r) % 32)) - 1),
    "1 << r of 64 bits": lambda r, _: float(wrapped(64)(1 << (int(r) % 64)) - 1),
    "1 << r without the -1": lambda r, _: float(1 << int(r)) if r < 1000 else float("inf"),
}

FAULTS = (*LABELS, *SCORES, *GAINS)


def answer(case: Mapping[str, Any], fault: str) -> Any:
    given = dict(case["input"])
    parts = ("scores",) if fault in SCORES else ("labels", "judged", "queries")
    convert = {**LABELS, **SCORES}.get(fault)
    for name in parts if convert is not None else ():
        if name in given and not isinstance(given[name], str):
            given[name] = _through(convert, given[name])
    gain = case["measure"].get("gain", {})
    if fault in GAINS and gain and gain["kind"] == "exp2" and "conventions" not in case:
        asked = Question(case["measure"], given)
        return rough(replace(asked, gain=GAINS[fault]))
    return core({**case, "input": given})


def message(case: Mapping[str, Any], fault: str) -> dict[str, Any]:
    try:
        return {"type": "value", "value": written(answer(case, fault))}
    except (InputError, Unanswerable) as error:
        return {"type": "refused", "reason": str(error)}
    except (ArithmeticError, ValueError, TypeError, LookupError) as error:
        return {"type": "error", "reason": repr(error)}


def main(fault: str) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "stop":
            break
        told: dict[str, Any] = {"type": "ready", "protocol": 1, "name": fault, "version": "1"}
        if asked["type"] != "start":
            told = message(asked, fault) | {"id": asked["id"]}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
