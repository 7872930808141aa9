"""The matrix: which definition the functions of other libraries compute.

    python tools/matrix/run.py                  all libraries, in the environments that there are
    python tools/matrix/run.py --create         make the missing environments first
    python tools/matrix/run.py ranx lightgbm    these alone
    python tools/matrix/run.py --judge          no library: the stored answers, against the stored
                                                definitions as rankspec has them now

Each library is identified in its environment (environments.toml), in a process of its own, and
answers held-out random inputs; what it says is written to docs/data/libraries/NAME.json. The
environments are in --environments, or in RANKSPEC_ENVIRONMENTS, or in build/environments. The tests
and the site read the files alone.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = ROOT / "docs/data/libraries"
INSTALLED = "rankspec-requirements.txt"
SECONDS = 3600.0


def environments() -> dict[str, Any]:
    """Those of environments.toml."""
    return tomllib.loads((HERE / "environments.toml").read_text("utf-8"))


def create(about: Mapping[str, Any], environment: Path) -> str:
    """Make an environment, unless it has all requirements already; what went wrong, or "".

    What was installed is written into the environment last: one without it is not complete.
    """
    alone = about.get("without_dependencies", [])
    wanted = "\n".join([*about["requirements"], *alone]) + "\n"
    installed = environment / INSTALLED
    if installed.exists() and installed.read_text("utf-8") == wanted:
        return ""
    venv.create(environment, with_pip=True)
    for more in (about["requirements"], ["--no-deps", *alone] if alone else []):
        command = [str(python_of(environment)), "-m", "pip", "install", "--quiet", *more]
        if more and (status := subprocess.run(command, check=False).returncode):
            return f"pip ended with exit status {status}: {' '.join(command)}"
    installed.write_text(wanted, "utf-8")
    return ""


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


def every(names: Sequence[str], folder: Path, make: bool) -> list[str]:
    """Ask all libraries or these, after their environments are made; those that were not asked."""
    failed = []
    for name, about in environments().items():
        wanted = [x for x in about["libraries"] if not names or x in names]
        wrong = create(about, folder / name) if make and wanted else ""
        if wrong:
            print(f"{name}: {wrong}", flush=True)
            failed += wanted
            continue
        for library in wanted:
            print(library, flush=True)
            if wrong := ask(library, folder / name):
                failed.append(library)
                print(f"  {wrong}", flush=True)
    return failed


def unknown(names: Sequence[str]) -> str:
    """What to say of the first name that is no library; "" where all are."""
    known = [library for about in environments().values() for library in about["libraries"]]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name.replace("-", "_"), known, 1)
            meant = f"; did you mean {near[0]}?" if near else ""
            return f"there is no library {name}{meant}; there are {', '.join(sorted(known))}"
    return ""


def judge(names: Sequence[str]) -> None:
    """Judge the stored answers again, of all libraries or of these."""
    sys.path.insert(0, str(HERE))
    from answers import judged_again

    for path in sorted(DATA.glob("*.json")):
        if not names or path.stem in names:
            judged_again(path)


def take_environments(parser: argparse.ArgumentParser) -> None:
    """The option that says where the environments are."""
    parser.add_argument(
        "--environments",
        type=Path,
        default=Path(os.environ.get("RANKSPEC_ENVIRONMENTS", ROOT / "build/environments")),
        help="the folder that they are in",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="*", help="these alone, and their environments")
    parser.add_argument("--create", action="store_true", help="make the environments first")
    parser.add_argument("--judge", action="store_true", help="ask nothing; judge what is stored")
    take_environments(parser)
    given = parser.parse_args()
    if wrong := unknown(given.library):
        parser.error(wrong)
    if given.judge:
        judge(given.library)
        return
    failed = every(given.library, given.environments, given.create)
    sys.exit(f"not asked: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
