"""The fuzz targets: they compile, and hold on the files that fuzzing has found (tools/fuzz.sh)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TARGETS = sorted(path for path in ROOT.glob("tools/fuzz/*.c") if path.stem != "replay")
CC = shutil.which("cc") or shutil.which("gcc")
FLAGS = ["-std=c11", "-ffp-contract=off", "-DRS_NO_CLONES"]
pytestmark = pytest.mark.skipif(CC is None, reason="there is no C compiler: apt-get install gcc")


def run(*command: object) -> str:
    done = subprocess.run(  # noqa: S603
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_targets() -> None:
    assert {path.stem for path in TARGETS} >= {"reader", "score", "quotient"}


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("target", TARGETS, ids=lambda path: path.stem)
def test_a_target_compiles(target: Path) -> None:
    run(CC, *FLAGS, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", target)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["reader", "score"])
def test_a_target_holds_on_the_corpus(target: str, tmp_path: Path) -> None:
    sources = [ROOT / "tools/fuzz" / name for name in (f"{target}.c", "replay.c")]
    run(CC, *FLAGS, *sources, "-o", tmp_path / target, "-lm")
    files = sorted((ROOT / "tests/formats/corpus" / target).iterdir())
    assert run(tmp_path / target, *files) == f"{len(files)} files\n"
