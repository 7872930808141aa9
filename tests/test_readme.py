"""The README's commands: each runs as it is printed, in order, from a folder with a blank."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import rankspec
from rankspec.cli.main import main

EXAMPLE = Path(rankspec.__file__).parent / "example"
ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```\n", README, re.MULTILINE | re.DOTALL)

# What installs is not run here: the gate runs it. `python3 -m venv` leaves what is activated.
STUBS = """
pip() { echo "pip $*" >> installed; }
python3() { [ "$*" = "-m venv .venv" ] && mkdir -p .venv/bin && : > .venv/bin/activate; }
set -e
"""


@pytest.mark.slow
def test_the_readme_runs_as_printed(tmp_path):
    first, tests, *others = BLOCKS
    assert first.count("\n") == tests.count("\n") == 1  # the gate takes the first line of each
    assert tests.endswith("pytest\n")  # which this is part of
    folder, tools = tmp_path / "a folder", tmp_path / "bin"
    folder.mkdir()
    tools.mkdir()
    program = tools / "rankspec"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rankspec "$@"\n')
    program.chmod(0o755)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    script = f"{STUBS}{first}echo ---\n{''.join(others)}"
    done = subprocess.run(  # noqa: S603
        ["bash", "-c", script],  # noqa: S607
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    table, _, rest = done.stdout.partition("---\n")
    shown = re.search(r"^```text\n(.*?)^```\n", README, re.MULTILINE | re.DOTALL)
    assert table == shown[1]
    for words in (
        '"nDCG@10"',
        "UL2(nDCG@10)",
        "java_coffee",
        "ties ",
        "feature 2",
        "nsDCG@10",
        "paired t-test",
    ):
        assert words in rest
    assert (folder / "installed").read_text() == "pip install .\n"
    example = folder / "example"
    assert (example / "installed").read_text() == "pip install scipy matplotlib\n"
    assert {"length.svg", "average.svg", "significance.svg"} < {
        file.name for file in example.iterdir()
    }


def test_the_example_is_copied_and_nothing_is_overwritten(tmp_path, capsys):
    folder = tmp_path / "a folder" / "of it"
    for _ in range(2):  # a second time there is nothing to do
        assert main(["example", "--copy", str(folder)]) == 0
        assert capsys.readouterr() == ("", "")
    copies = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert copies == {file.name: file.read_bytes() for file in EXAMPLE.iterdir()}
    own = folder / "qrels.txt"
    own.write_text("mine\n")
    (folder / "letor.txt").unlink()
    assert main(["example", "--copy", str(folder)]) == 2
    assert f"{own}: already exists and is not a copy of the example" in capsys.readouterr().err
    assert own.read_text() == "mine\n"
    assert not (folder / "letor.txt").exists()  # all or nothing
    assert main(["example", "--copy", str(own)]) == 2
    assert "error: " in capsys.readouterr().err
    assert main(["example", "--copy", str(folder), "--letor"]) == 2
