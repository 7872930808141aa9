"""A definition that is expected, against what was found: what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import InputError, hint
from .choices import BY_NAME
from .report import Identification


def read_expected(document: Any, name: str) -> dict[str, Any]:
    """A definition from the report of an identification, or on its own; an InputError for others.

    name: of the file, for the error
    """
    found = document.get("definition", document) if isinstance(document, Mapping) else None
    if not isinstance(found, Mapping) or not isinstance(found.get("measure"), str):
        raise InputError(f'{name}: there is no definition in it; expected {{"measure": ...}}')
    conventions = found.get("conventions", {})
    if not isinstance(conventions, Mapping):
        raise InputError(f"{name}: its conventions are no object")
    for key, value in conventions.items():
        if key not in BY_NAME:
            raise InputError(f'{name}: "{key}" is no choice of a definition{hint(key, BY_NAME)}')
        if value not in BY_NAME[key].values:
            raise InputError(
                f'{name}: {key}: "{value}" is no choice{hint(str(value), BY_NAME[key].values)}'
            )
    return {"measure": found["measure"], "conventions": dict(conventions)}


def drift(found: Identification, expected: Mapping[str, Any]) -> list[str]:
    """What is otherwise than expected, a line each; a value that cannot be told from it is not."""
    if found.definition is None:
        return [f"measure: expected {expected['measure']}, found no definition"]
    lines = []
    if expected["measure"] not in found.measures:
        lines.append(f"measure: expected {expected['measure']}, found {found.definition.core.name}")
    for name, value in expected["conventions"].items():
        values = found.choices.get(name, [found.definition.choices[name]])
        if value not in values:
            lines.append(f"{name}: expected {value}, found {' or '.join(values)}")
    return lines
