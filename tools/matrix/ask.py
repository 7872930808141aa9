"""Identifies the functions of one library, in the environment that has it.

    python tools/matrix/ask.py NAME FILE

NAME: of an adapter, libraries/of_NAME.py; FILE: where the answers go, as JSON. run.py calls it. The
library itself is loaded in a child process, which may end: that is an answer.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE / "libraries"))

from answers import agreement, missed, rows, short, written  # noqa: E402 - beside this file
from heldout import SEED, fingerprint, held_out  # noqa: E402
from world import as_said, world  # noqa: E402

from rankspec.analysis.identify.asked import Asked  # noqa: E402
from rankspec.analysis.identify.child import Box  # noqa: E402
from rankspec.analysis.identify.forms import form  # noqa: E402
from rankspec.analysis.identify.inputs import Domain, Input, domain, input_of  # noqa: E402
from rankspec.analysis.identify.outcomes import Outcome  # noqa: E402
from rankspec.analysis.identify.report import Identification, declared_of  # noqa: E402
from rankspec.analysis.identify.search import search  # noqa: E402

SECONDS = 120.0
MOST_DEATHS = 25


def loader(name: str) -> Callable[[], Callable[..., Any]]:
    """What loads an adapter: one function that is called with the name of another."""

    def load() -> Callable[..., Any]:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        module = importlib.import_module(f"of_{name}")
        adapters = module.ADAPTERS

        def call(function: str, *arguments: Any) -> Any:
            return adapters[function][0](*arguments)

        call.declared = {  # type: ignore[attr-defined]
            "functions": {n: declared for n, (_, declared) in adapters.items()},
            "cases": getattr(module, "CASES", []),
            "fewer": getattr(module, "FEWER", None),
        }
        return call

    return load


def ask(name: str, only: Sequence[str] = ()) -> dict[str, Any]:
    """All that is known of a library."""
    box = Box(loader(name), SECONDS)
    facts = box.facts()
    if "error" in facts:
        raise SystemExit(f"{name}: cannot be loaded: {facts['error']}")
    functions = {}
    for function, declared in facts["declared"]["functions"].items():
        if not only or function in only:
            functions[function] = asked_of(
                box, function, dict(declared), facts["declared"]["fewer"]
            )
    cases = [
        replayed(box, facts["declared"]["functions"], case) for case in facts["declared"]["cases"]
    ]
    box.close()
    package = package_of(name)
    return {
        "format": 1,
        "library": name,
        "package": package,
        "version": importlib.metadata.version(package),
        "python": platform.python_version(),
        "cases": cases,
        "functions": functions,
    }


def replayed(box: Box, functions: dict[str, Any], case: tuple[str, str, Any]) -> dict[str, Any]:
    """A case of an adapter, (function, what it shows, input), with the answer to it."""
    function, about, given = case
    declared = dict(functions[function])
    chosen = form(declared.pop("form"))
    x = input_of(given)
    answer = box(function, *chosen.arguments(x, domain(chosen.domain, declared)))
    return {"function": function, "about": about, "input": x.as_dict(), "answer": answer.as_dict()}


def package_of(name: str) -> str:
    """The distribution of an adapter, read without its library."""
    text = (HERE / f"libraries/of_{name}.py").read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("PACKAGE = "))
    return line.split('"')[1]


def asked_of(
    box: Box, function: str, declared: dict[str, Any], fewer: int | None = None
) -> dict[str, Any]:
    """The identification of a function, and its answers to the held-out inputs.

    fewer: how many of these, and of those of the small world, a slow library is asked
    """
    began = time.monotonic()
    chosen = form(declared.pop("form"))
    of = domain(chosen.domain, declared)

    def outcome(x: Input | Sequence[Input]) -> Outcome:
        return box(function, *chosen.arguments(x, of))

    asked = Asked(outcome)
    calls = box.calls
    found = search(asked, of)
    calls = box.calls - calls
    result = Identification(
        function, "", chosen.name, declared_of(of, chosen.domain), of, found, asked, calls
    )
    data = shortened(result.as_dict())
    if result.definition is not None:
        data["unexplained"] = missed(result.definition, asked.precision, asked.known)
        # By which it predicts where no value explains all answers, so that none is reported.
        data["unsettled_as"] = {n: result.definition.choices[n] for n in found.unsettled}
    answers = later(outcome, of, set(asked.known), fewer)
    data["held_out"] = written(answers) | {"inputs": fingerprint(list(answers)), "seed": SEED}
    data["held_out"] |= agreement(result.definition, asked.precision, answers)
    data["world"] = in_world(outcome, of, fewer)
    print(line_of(function, data, time.monotonic() - began), flush=True)
    return data


def shortened(data: dict[str, Any]) -> dict[str, Any]:
    """An identification without what the file says already, and what follows from the rest."""
    for name in ("format", "name", "version"):
        data.pop(name)
    for step in data["transcript"]:
        step.pop("before")
        step.pop("after")
    return data


def later(
    outcome: Callable[[Input], Outcome], of: Domain, without: set[Input], fewer: int | None
) -> dict[Input, Outcome]:
    """The answers to the held-out inputs; those after too many ends of processes are left out."""
    answers: dict[Input, Outcome] = {}
    deaths = 0
    for x in held_out(of, without)[:fewer]:
        answers[x] = outcome(x)
        deaths += answers[x].kind in ("crash", "timeout")
        if deaths == MOST_DEATHS:
            break
    return answers


def in_world(
    outcome: Callable[[Input], Outcome], of: Domain, fewer: int | None = None
) -> list[Any]:
    """The answers in the small world; None where the adapter cannot say an input."""
    answers: list[Any] = []
    deaths = count = 0
    for x in world():
        said = as_said(x, of)
        asked = said is not None and deaths < MOST_DEATHS and (fewer is None or count < fewer)
        count += asked
        found = outcome(said) if said is not None and asked else None
        deaths += found is not None and found.kind in ("crash", "timeout")
        answers.append(None if found is None else short(found))
    return answers


def line_of(function: str, data: dict[str, Any], seconds: float) -> str:
    """What is printed of a function."""
    definition, out = data["definition"], data["held_out"]
    measure = definition["measure"] if definition else "-"
    return (
        f"  {function:42} {measure:42} {out['agree']}/{out['count']}"
        f"  unexplained {len(data['unexplained'])}  {seconds:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("file", type=Path)
    parser.add_argument("--function", action="append", default=[])
    given = parser.parse_args()
    found = ask(given.name, given.function)
    given.file.write_text(rows(found), "utf-8")


if __name__ == "__main__":
    main()
