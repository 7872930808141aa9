"""A program asked cases by the protocol of `rankspec conform`, one line each way."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any

START = {"type": "start", "protocol": 1, "vectors": "2.0", "profile": "all", "grade": "close"}


def answers(program: Sequence[str], cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a program answers: that it is ready, then an answer a case, in their order."""
    asked = [{name: x for name, x in case.items() if name in PARTS} for case in cases]
    messages = [START, *({"type": "case", **case} for case in asked), {"type": "stop"}]
    done = subprocess.run(  # noqa: S603
        list(program),
        input="".join(json.dumps(message) + "\n" for message in messages),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        encoding="utf-8",
    )
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [x.get("id") for x in found] == [None, *(case["id"] for case in asked)]
    return found


PARTS = ("id", "measure", "input", "requires", "conventions")
"""What a program is told of a case: not what is expected."""


def value_of(answer: dict[str, Any]) -> Any:
    """The doubles of an answer; None where it has none."""
    if answer["type"] != "value":
        return None
    value = answer["value"]
    return [_double(x) for x in value] if isinstance(value, list) else _double(value)


def _double(x: Any) -> float:
    if isinstance(x, str) and x.lower().lstrip("-").startswith("0x"):
        return float.fromhex(x)
    return float(x)
