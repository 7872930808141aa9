"""Asks libraries the calls of calls.toml, and writes their answers to docs/data/calls.json.

    python tools/matrix/calls.py                 all calls, in the environments that there are
    python tools/matrix/calls.py missing ids     the calls of these sections alone

Each call runs in a process of its own, in the environment of its library (run.py --create makes
these). The tests and the site read the file alone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from run import ROOT, create, environments, python_of, take_environments  # noqa: E402 - beside this file

FILE = ROOT / "docs/data/calls.json"
SECONDS = 300.0
LONGEST = 160  # characters of an error

# What runs in the environment: its standard input is {"code", "call", "package"}.
CHILD = """
import importlib.metadata, json, sys, warnings
warnings.simplefilter("ignore")
asked = json.load(sys.stdin)
known = {}
try:
    exec(asked["code"], known)
    answer = {"value": eval(asked["call"], known)}
except Exception as error:
    answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
answer["version"] = importlib.metadata.version(asked["package"])
print("\\n" + json.dumps(answer))
"""


def calls() -> tuple[dict[str, str], dict[str, Any]]:
    """The imports of each library, and the sections of calls.toml."""
    sections = tomllib.loads((HERE / "calls.toml").read_text("utf-8"))
    return sections.pop("imports"), sections


def package_of(library: str) -> str:
    """The distribution of a library, as docs/data/libraries says it."""
    path = ROOT / f"docs/data/libraries/{library}.json"
    return str(json.loads(path.read_text("utf-8"))["package"])


def environment_of(call: Mapping[str, str]) -> str:
    """The environment that a call runs in."""
    if "environment" in call:
        return call["environment"]
    for name, about in environments().items():
        if call["library"] in about["libraries"]:
            return name
    raise SystemExit(f"calls.toml: {call['library']} is in no environment")


def ask(code: str, call: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """What a library answers: its version, and a value or an error."""
    python = python_of(folder / environment_of(call))
    asked = {"code": code, "call": call["call"], "package": package_of(call["library"])}
    done = subprocess.run(
        [str(python), "-c", CHILD],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "error" in answer:
        answer["error"] = shortened(answer["error"])
    return answer


def shortened(error: str) -> str:
    """An error without the time and the file of the library's source, and not too long."""
    text = re.sub(r"\[\d\d:\d\d:\d\d\] \S+ ", "", error)
    return text if len(text) <= LONGEST else text[: text.rindex(" ", 0, LONGEST)] + " …"


def answered(imports: Mapping[str, str], section: Mapping[str, Any], folder: Path) -> Any:
    """A section as docs/data/calls.json has it."""
    shown = {"input": section["input"].strip(), "digits": section.get("digits", 4), "calls": []}
    for call in section["calls"]:
        code = "\n".join((imports[call["library"]], section["input"], call.get("before", "")))
        kept = {name: call[name] for name in ("library", "call", "line") if name in call}
        shown["calls"].append(kept | ask(code, call, folder))
        print(f"  {call['library']}: {shown['calls'][-1]}", flush=True)
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("section", nargs="*", help="these alone")
    parser.add_argument("--create", action="store_true", help="make the environments first")
    take_environments(parser)
    given = parser.parse_args()
    imports, sections = calls()
    if missing := [name for name in given.section if name not in sections]:
        parser.error(f"calls.toml has no section {missing[0]}; it has {', '.join(sections)}")
    if given.create:
        for name in {environment_of(call) for x in sections.values() for call in x["calls"]}:
            if wrong := create(environments()[name], given.environments / name):
                sys.exit(f"{name}: {wrong}")
    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in given.section or sections:
        print(name, flush=True)
        found[name] = answered(imports, sections[name], given.environments)
    text = json.dumps({name: found[name] for name in sections}, indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
