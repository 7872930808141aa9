"""The extension module of csrc/python/one_list.c (see build_ext.py)."""

from collections.abc import Callable
from typing import Any

def method(
    value: int,
    measure: int,
    longest: int,
    keep: object,
    otherwise: Callable[..., Any],
    name: str,
    text: str,
    /,
) -> Callable[..., Any]: ...
