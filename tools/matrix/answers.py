"""What is stored of a library, read again: definitions that predict, inputs, and answers.

Nothing here needs a library, or NumPy. The tests and the site's page read ``docs/data/libraries``
by it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rankspec.analysis.identify.computed import Core
from rankspec.analysis.identify.definition import Definition, plain
from rankspec.analysis.identify.forms import form
from rankspec.analysis.identify.hypotheses import cores, of_measure
from rankspec.analysis.identify.inputs import Domain, Input, domain, input_of
from rankspec.analysis.identify.outcomes import (
    DOUBLE,
    PRECISIONS,
    Outcome,
    Precision,
    agrees,
)
from rankspec.analysis.identify.outcomes import value as number
from rankspec.metrics.grammar import measures

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/data/libraries"
MOST_EXCEPTIONS = 20

Answers: TypeAlias = "Mapping[Input, Outcome]"


# ---- writing -----------------------------------------------------------------------------


def written(answers: Answers) -> dict[str, Any]:
    """Answers in the order of their inputs: a number, or the kind of another outcome."""
    return {"count": len(answers), "answers": [short(x) for x in answers.values()]}


def short(x: Outcome) -> Any:
    """A number, or a word for what is none."""
    found = x.as_dict()
    if isinstance(found, float):
        return int(found) if found in (0.0, 1.0) else found
    return found.get("value", x.kind)


def agreement(d: Definition | None, precision: Precision, answers: Answers) -> dict[str, Any]:
    """How many held-out answers a definition predicts, and what it does not."""
    wrong = [] if d is None else missed(d, precision, answers)
    return {
        "precision": precision.name,
        "agree": 0 if d is None else len(answers) - len(wrong),
        "exceptions": wrong[:MOST_EXCEPTIONS],
    }


def missed(d: Definition, precision: Precision, answers: Answers) -> list[dict[str, Any]]:
    """The answers that a definition does not predict, those to the smallest inputs first."""
    wrong = []
    for x, answer in answers.items():
        predicted = d.predict(x)
        if not agrees(predicted, answer, precision):
            wrong.append(
                {"input": x.as_dict(), "answer": answer.as_dict(), "predicted": str(predicted)}
            )
    return sorted(wrong, key=lambda e: (len(e["input"]["labels"]), len(e["input"])))


def rows(found: dict[str, Any]) -> str:
    """A library as JSON: one line a step, so that a difference can be read."""
    head = {n: x for n, x in found.items() if n != "functions"}
    parts = [f"{json.dumps(n)}: {json.dumps(x)}" for n, x in head.items()]
    functions = []
    for name, data in found["functions"].items():
        lines = []
        for key, x in data.items():
            if isinstance(x, list) and x and isinstance(x[0], dict):
                inner = ",\n   ".join(json.dumps(y, ensure_ascii=False) for y in x)
                lines.append(f"{json.dumps(key)}: [\n   {inner}]")
            else:
                lines.append(f"{json.dumps(key)}: {json.dumps(x, ensure_ascii=False)}")
        functions.append(f"{json.dumps(name)}: {{\n  " + ",\n  ".join(lines) + "}")
    parts.append('"functions": {\n ' + ",\n ".join(functions) + "}")
    return "{\n" + ",\n".join(parts) + "}\n"


def judged_again(path: Path) -> None:
    """Hold the stored answers of a library against its definitions as rankspec has them now."""
    library = json.loads(path.read_text("utf-8"))
    for name, data in library["functions"].items():
        f = Function(library, name, data)
        if f.definition is not None:
            data["unexplained"] = missed(f.definition, f.precision, dict(f.asked()))
            data["held_out"] |= agreement(f.definition, f.precision, f.held_out())
    path.write_text(rows(library), "utf-8")


# ---- reading -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """A function of a library, as it is stored.

    library: the whole file; name: of the function; data: what is stored of it
    """

    library: Mapping[str, Any]
    name: str
    data: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The library and the function, as they are picked."""
        return f"{self.library['package']}: {self.name}"

    @functools.cached_property
    def definition(self) -> Definition | None:
        """The identified definition, which predicts by the rankspec that is imported."""
        found = self.data["definition"]
        if found is None:
            return None
        return definition_of(found).with_(self.data.get("unsettled_as", {}))

    @property
    def precision(self) -> Precision:
        """In which answers are compared."""
        return PRECISIONS[self.data["held_out"]["precision"]]

    @functools.cached_property
    def domain(self) -> Domain:
        """What the function can be asked."""
        return domain(form(self.data["form"]).domain, self.data["declared"])

    def asked(self) -> Iterator[tuple[Input, Outcome]]:
        """The questions of the identification, with the answers."""
        for step in self.data["transcript"]:
            yield input_of(step["input"]), outcome_of(step["answer"])

    def held_out(self) -> dict[Input, Outcome]:
        """The held-out inputs, drawn again, with the answers; a ValueError if they are others."""
        from heldout import BEFORE, fingerprint, held_out

        stored = self.data["held_out"]
        seed = stored.get("seed", BEFORE)
        inputs = held_out(self.domain, {x for x, _ in self.asked()}, seed=seed)[: stored["count"]]
        if fingerprint(inputs) != stored["inputs"]:
            raise ValueError(f"{self.key}: the held-out inputs are others now")
        return {x: outcome_of(a) for x, a in zip(inputs, stored["answers"], strict=True)}

    def explains(self, x: Input, answer: Outcome) -> bool:
        """Whether the definition predicts an answer."""
        d = self.definition
        return d is not None and agrees(d.predict(x), answer, self.precision)


def definition_of(found: Mapping[str, Any]) -> Definition:
    """A definition as rankspec has it now; an InputError where it has that measure no longer."""
    return plain(core_of(found["measure"])).with_(found["conventions"])


def core_of(name: str) -> Core:
    """The core of a measure: one that the search tries, or one whose parameter it estimated."""
    known = _cores().get(name)
    return known if known is not None else of_measure(measures(name)[0])


@functools.cache
def _cores() -> dict[str, Core]:
    return {core.name: core for core in reversed(cores())}


def outcome_of(stored: Any) -> Outcome:
    """An outcome from plain data: a number, a word, or {kind: text}."""
    if isinstance(stored, (int, float)):
        return number(float(stored))
    if isinstance(stored, str):
        known = ("nan", "none", "error", "crash", "timeout", "nonsense")
        return Outcome(stored) if stored in known else number(float(stored))
    kind, text = next(iter(stored.items()))
    return number(float(text)) if kind == "value" else Outcome(kind, text=text)


def libraries(folder: Path = DATA) -> list[dict[str, Any]]:
    """All files, by the name of the package."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda x: x["package"].lower())


def functions(folder: Path = DATA) -> list[Function]:
    """All functions of all libraries."""
    return [
        Function(library, name, data)
        for library in libraries(folder)
        for name, data in library["functions"].items()
    ]


__all__ = ["DATA", "DOUBLE", "Function", "agreement", "functions", "libraries", "written"]
