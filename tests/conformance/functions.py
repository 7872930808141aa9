"""Functions of a case, for --python."""

from __future__ import annotations

import os
import sys
from typing import Any

from . import implementation

NAME, VERSION = "functions", "2"
RIGHT = 0.9608081943360616  # of dcg-0001


def half(_: Any) -> float:
    return 0.5


def plain(case: Any) -> Any:
    return implementation.answer(case)


def not_implemented(_: Any) -> float:
    raise NotImplementedError("not here")


def value_error(_: Any) -> float:
    raise ValueError("no")


def type_error(_: Any) -> float:
    raise TypeError("no")


def key_error(_: Any) -> float:
    raise KeyError("x")


def nothing(_: Any) -> None:
    return None


def text(_: Any) -> str:
    return "a half"


def array(_: Any) -> Any:
    import numpy as np

    return np.float64(RIGHT)


def prints(_: Any) -> float:
    """In Python, and beside it."""
    print("a line")
    sys.stdout.write('{"type": "value", "id": "dcg-0001", "value": 0}\n')
    os.write(1, b"another\n")
    return RIGHT


def reads(_: Any) -> float:
    """What a case is no input of."""
    return RIGHT if sys.stdin.read() == "" == os.read(0, 100).decode() else 0


def exits(_: Any) -> float:
    os._exit(4)


def true(_: Any) -> bool:
    return True


def numpy_true(_: Any) -> Any:
    import numpy as np

    return np.bool_(1)


class Mute(Exception):
    """One whose text cannot be had."""

    def __str__(self) -> str:
        raise ValueError("no words")


def mute_error(_: Any) -> float:
    raise Mute


def refuses_all(_: Any) -> float:
    raise ValueError


def refuses_what_is_announced(case: Any) -> float:
    if "refusal" in case["requires"]:
        raise ValueError
    raise NotImplementedError


def aborts_of_a_two_among_three(case: Any) -> Any:
    labels = case["input"].get("labels", ())
    if 2 in labels and len(labels) >= 3:
        os.abort()
    return implementation.answer(case)
