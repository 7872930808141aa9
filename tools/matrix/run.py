"""The matrix: which definition the functions of other libraries compute.

    python tools/matrix/run.py                  all libraries, in the environments that there are
    python tools/matrix/run.py --create         make the environments first
    python tools/matrix/run.py ranx lightgbm    these alone

Each library is identified in its environment (environments.toml), in a process of its own, and
answers held-out random inputs; what it says is written to docs/data/libraries/NAME.json. The
environments are in --environments, or in RANKSPEC_ENVIRONMENTS, or in build/environments. The tests
and the site read the files alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = ROOT / "docs/data/libraries"
SECONDS = 3600.0


def environments() -> dict[str, Any]:
    """Those of environments.toml."""
    return tomllib.loads((HERE / "environments.toml").read_text("utf-8"))


def create(name: str, about: Mapping[str, Any], folder: Path) -> None:
    """Make an environment; its requirements are pinned."""
    venv.create(folder / name, with_pip=True)
    install = [str(python_of(folder / name)), "-m", "pip", "install", "--quiet"]
    subprocess.run([*install, *about["requirements"]], check=True)
    if alone := about.get("without_dependencies"):
        subprocess.run([*install, "--no-deps", *alone], check=True)


def python_of(environment: Path) -> Path:
    """Its interpreter."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ask(library: str, environment: Path) -> str:
    """Ask a library, and write its file; what went wrong, or ""."""
    python = python_of(environment)
    if not python.exists():
        return f"there is no {python}; --create makes it"
    with tempfile.TemporaryDirectory(prefix="rankspec-") as folder:
        file = Path(folder, "answers.json")
        command = [str(python), str(HERE / "ask.py"), library, str(file)]
        given = {**os.environ, "PYTHONPATH": str(ROOT / "pyref"), "OMP_NUM_THREADS": "1"}
        try:
            status = subprocess.run(command, env=given, timeout=SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            return f"no end after {SECONDS:g} seconds"
        if status or not file.exists():
            return f"exit status {status}"
        (DATA / f"{library}.json").write_text(file.read_text("utf-8"), "utf-8")
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="*", help="these alone")
    parser.add_argument("--create", action="store_true", help="make the environments first")
    parser.add_argument(
        "--environments",
        type=Path,
        default=Path(os.environ.get("RANKSPEC_ENVIRONMENTS", ROOT / "build/environments")),
        help="the folder that they are in",
    )
    given = parser.parse_args()
    failed = []
    for name, about in environments().items():
        wanted = [x for x in about["libraries"] if not given.library or x in given.library]
        if wanted and given.create:
            create(name, about, given.environments)
        for library in wanted:
            print(library, flush=True)
            if wrong := ask(library, given.environments / name):
                failed.append(library)
                print(f"  {wrong}", flush=True)
    sys.exit(f"not asked: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
