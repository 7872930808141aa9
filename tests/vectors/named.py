"""Implementations by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def named(known: dict[str, type[Any]]) -> Callable[[str], Callable[[type[Any]], type[Any]]]:
    """A decorator that puts a class among those that are known, by a name of its own."""

    def of_name(name: str) -> Callable[[type[Any]], type[Any]]:
        def add(of: type[Any]) -> type[Any]:
            assert name not in known
            known[name] = of
            return of

        return add

    return of_name
