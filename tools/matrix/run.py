"""The definitions of the functions of libraries: identified, and held against 500 other inputs.

    PYTHONPATH=pyref python tools/matrix/run.py sklearn_ ranx_ ...
        identifies the functions of these adapters, libraries/*.py, and writes what was found and
        the raw answers to docs/data/libraries/*.json; without a name, of all that can be imported

It runs in an environment that has the libraries, which rankspec itself does not need.
"""

from __future__ import annotations

import ast
import json
import sys
import time
from pathlib import Path
from typing import Any

from rankspec.analysis.identify import probes
from rankspec.analysis.identify.child import Box
from rankspec.analysis.identify.forms import form
from rankspec.analysis.identify.identification import identified, loader
from rankspec.analysis.identify.inputs import Domain
from rankspec.analysis.identify.report import Identification
from rankspec.errors import InputError

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "docs/data/libraries"
HELD_OUT = 500
SEED = 1000
SHOWN = 5
SECONDS = 60.0


def functions_of(path: Path) -> list[str]:
    """The functions of an adapter that are marked as such."""
    return [
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]


def held_out(name: str, found: Identification, domain: Domain) -> dict[str, Any]:
    """How many of the answers to other inputs the definition predicts, and which it does not."""
    box = Box(loader(name), SECONDS)
    chosen = form(found.form)
    questions = [x for x in probes.mixed(domain, HELD_OUT, SEED) if x not in found.asked.known]
    exceptions = []
    try:
        box.facts()
        for x in questions:
            answer = box(*chosen.arguments(x, domain))
            if not found.explains(x, answer):
                exceptions.append(
                    {
                        "input": x.as_dict(),
                        "answer": answer.as_dict(),
                        "predicted": found.predict(x).as_dict() if found.definition else None,
                    }
                )
    finally:
        box.close()
    return {
        "asked": len(questions),
        "predicted": len(questions) - len(exceptions),
        "exceptions": exceptions[:SHOWN],
    }


def report(path: Path) -> None:
    """Writes what is found of the functions of an adapter, after each of them."""
    functions: dict[str, Any] = {}
    for function in functions_of(path):
        name, begun = f"{path}:{function}", time.monotonic()
        found = identified(loader(name), None, {}, SECONDS, True)
        functions[function] = found.as_dict() | {"held_out": held_out(name, found, found.domain)}
        tell(path.stem, function, functions[function], time.monotonic() - begun)
        about = {"library": found.name, "version": found.version}
        write(DATA / f"{path.stem.rstrip('_')}.json", about, functions)


def write(path: Path, about: dict[str, Any], functions: dict[str, Any]) -> None:
    """JSON with a line a function."""
    about = {**about, "python": sys.version.split()[0]}
    head = ",\n".join(f"{json.dumps(n)}: {json.dumps(x)}" for n, x in about.items())
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(x)}" for n, x in functions.items())
    path.write_text(f'{{{head},\n"functions": {{\n{lines}\n}}}}\n', "utf-8")


def tell(stem: str, function: str, found: dict[str, Any], seconds: float) -> None:
    """A line on a function."""
    definition, held = found["definition"], found["held_out"]
    name = definition["measure"] if definition else "no definition"
    conventions = definition["conventions"] if definition else {}
    specs = definition["specs"] if definition else {}
    plain = {"ties", "undefined", *(n for n, x in specs.items() if x is None)}
    chosen = ", ".join(f"{n} {x}" for n, x in conventions.items() if n in plain)
    print(
        f"{stem} {function}: {name}; {chosen}; {held['predicted']} of {held['asked']}, "
        f"{len(found['unexplained'])} unexplained, {seconds:.1f} s",
        flush=True,
    )


def main(names: list[str]) -> int:
    """Writes the reports; the exit status."""
    DATA.mkdir(parents=True, exist_ok=True)
    paths = sorted((HERE / "libraries").glob("*_.py"))
    for path in paths:
        if names and path.stem not in names:
            continue
        try:
            report(path)
        except InputError as error:
            print(f"{path.stem}: {error}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
