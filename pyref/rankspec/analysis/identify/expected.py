"""A definition that is expected, against what was found: what has changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...errors import InputError, hint
from .asked import Step
from .choices import BY_NAME, as_now
from .computed import Core
from .definition import Definition
from .hypotheses import cores
from .report import Identification


def read_expected(document: Any, name: str) -> dict[str, Any]:
    """A definition from the report of an identification, or on its own; an InputError for others.

    name: of the file, for the error
    """
    found = document.get("definition", document) if isinstance(document, Mapping) else None
    if not isinstance(found, Mapping) or not isinstance(found.get("measure"), str):
        raise InputError(f'{name}: it holds no definition; expected {{"measure": ...}}')
    conventions = found.get("conventions", {})
    if not isinstance(conventions, Mapping):
        raise InputError(f'{name}: "conventions" must be an object')
    conventions = as_now(conventions)
    for key, value in conventions.items():
        if key not in BY_NAME:
            raise InputError(f'{name}: a definition has no choice "{key}"{hint(key, BY_NAME)}')
        if value not in BY_NAME[key].values:
            raise InputError(
                f'{name}: {key}: unknown value "{value}"{hint(str(value), BY_NAME[key].values)}'
            )
    if _core(found["measure"]) is None:
        known = [core.name for core in cores()]
        raise InputError(
            f'{name}: "{found["measure"]}" is no measure that can be identified'
            f"{hint(found['measure'], known)}"
        )
    return {
        "measure": found["measure"],
        "conventions": conventions,
        "unexplained": _unexplained(document, name),
    }


def _unexplained(document: Mapping[str, Any], name: str) -> set[str]:
    """The answers of a report that its definition does not explain."""
    try:
        return {_key(x["input"], x["answer"]) for x in document.get("unexplained", ())}
    except (TypeError, ValueError, LookupError):
        raise InputError(f"{name}: its unexplained answers cannot be read") from None


def drift(found: Identification, expected: Mapping[str, Any]) -> list[str]:
    """What is otherwise than expected, a line each; a value that cannot be told from it is not.

    The expected measure with all its choices must give all answers, but for those that the file
    says are not explained. A choice that the file does not say may be any that was found.
    """
    if found.definition is None:
        return [f"measure: expected {expected['measure']}, found no definition"]
    lines = _otherwise(found, expected)
    if expected["measure"] not in found.measures:
        lines.append(f"measure: expected {expected['measure']}, found {found.definition.core.name}")
    for name, value in expected["conventions"].items():
        values = found.choices.get(name, [found.definition.choices[name]])
        if value not in values:
            lines.append(f"{name}: expected {value}, found {' or '.join(values)}")
    return lines


def _otherwise(found: Identification, expected: Mapping[str, Any]) -> list[str]:
    """A line where the expected definition, as a whole, does not give all answers."""
    core = _core(expected["measure"])
    if core is None:
        return []
    own = [d for d in found.found.members if d.core.name == core.name] or found.found.members
    tried = dict.fromkeys(Definition(core, d.with_(expected["conventions"]).values) for d in own)
    fewest: list[tuple[Step, Definition]] | None = None
    for d in tried:
        missed = [
            (step, d)
            for step in found.asked.steps
            if not found.asked.left([d], step.input, step.answer)
            and _key(step.input.as_dict(), step.answer.as_dict()) not in expected["unexplained"]
        ]
        if fewest is None or len(missed) < len(fewest):
            fewest = missed
        if not missed:
            return []
    step, d = min(fewest or (), key=lambda pair: len(pair[0].input.labels))
    return [
        f"answers: {len(fewest or ())} of {len(found.asked.steps)} are not those of the expected "
        f"definition: {step.input}: {step.answer}, where it has {d.predict(step.input)}"
    ]


def _core(name: str) -> Core | None:
    """The core that is written like that; None where there is none."""
    return next((core for core in cores() if core.name == name), None)


def _key(asked: Any, answer: Any) -> str:
    """A question and its answer, however an error is worded and the last digits are."""
    if isinstance(answer, Mapping):
        kind, text = next(iter(answer.items()), ("", ""))
        answer = text if kind == "value" else kind
    elif not isinstance(answer, str):
        answer = round(float(answer), 10)
    return json.dumps([asked, answer], sort_keys=True)
