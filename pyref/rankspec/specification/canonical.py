"""Canonical JSON (RFC 8785): one text for one value, the same in every language."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def text_of(x: Any) -> str:
    """The value as canonical JSON: keys sorted, no blanks, numbers as JavaScript writes them."""
    if isinstance(x, dict):
        keys = sorted(x, key=lambda key: str(key).encode("utf-16-be"))
        return "{" + ",".join(f"{text_of(key)}:{text_of(x[key])}" for key in keys) + "}"
    if isinstance(x, (list, tuple)):
        return "[" + ",".join(map(text_of, x)) + "]"
    if isinstance(x, float):
        return number(x)
    return json.dumps(x, ensure_ascii=False)


def number(x: float) -> str:
    """A finite double as JavaScript writes it: 1 of 1.0, 1e-7, 1e+21."""
    sign, digits, exponent = Decimal(repr(x)).normalize().as_tuple()
    if x == 0:
        return "0"
    text, point = "".join(map(str, digits)), len(digits) + int(exponent)
    if 0 < point <= 21:
        shown = text[:point].ljust(point, "0") + ("." + text[point:] if text[point:] else "")
    elif -6 < point <= 0:
        shown = "0." + "0" * -point + text
    else:
        fraction = "." + text[1:] if text[1:] else ""
        shown = f"{text[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return "-" * sign + shown
