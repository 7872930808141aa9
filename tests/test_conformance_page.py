"""How to check an implementation: adapters conform as they are printed, in at most 20 lines.

They are on three pages: docs/conformance.md, docs/guides/vectors.md and spec/conformance.md.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rankspec

from .each import each

ROOT = Path(__file__).resolve().parent.parent
PAGE = "\n".join(
    (ROOT / path).read_text("utf-8")
    for path in ("docs/conformance.md", "docs/guides/vectors.md", "spec/conformance.md")
)
FILES = dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
STEPS = re.findall(r"^ +- run: (.*)$", FILES[".github/workflows/conformance.yml"], re.MULTILINE)
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

# The library that the page has in mind, in Python, JavaScript and C.
LIBRARY = {
    "mylib.py": """
from math import log2
def dcg(labels, k):
    return sum(r / log2(i + 2) for i, r in enumerate(labels[:k]))
def ndcg(labels, judged, k):
    best = dcg(sorted(judged, reverse=True), k)
    return dcg(labels, k) / best if best else 0.0
""",
    "mylib.mjs": """
const dcg = (labels, k) => labels.slice(0, k).reduce((s, r, i) => s + r / Math.log2(i + 2), 0);
export function ndcg(labels, judged, k) {
  const best = dcg([...judged].sort((a, b) => b - a), k);
  return best ? dcg(labels, k) / best : 0;
}
""",
    "mylib.c": """
#include <math.h>
#include <stdlib.h>
static double dcg(const double *labels, int n, int k)
{
    double sum = 0;
    for (int i = 0; i < n && i < k; i++)
        sum += labels[i] / log2(i + 2);
    return sum;
}
static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}
double ndcg(const double *labels, int n, double *judged, int m, int k)
{
    qsort(judged, (size_t)m, sizeof *judged, falling);
    double best = dcg(judged, m, k);
    return best > 0 ? dcg(labels, n, k) / best : 0;
}
""",
}


def command(words: str) -> str:
    """The command of the page that has these words."""
    (found,) = [line for block in COMMANDS for line in block.splitlines() if words in line]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the pages, library, vectors, rankspec and pytest as programs."""
    for name, text in {**FILES, **LIBRARY}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for name in ("rankspec", "pytest"):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m {name} "$@"\n')
        path.chmod(0o755)
    (tmp_path / "vectors").symlink_to(ROOT / "spec" / "vectors")
    return tmp_path


def run(folder: Path, words: str, *more: str) -> subprocess.CompletedProcess[str]:
    return run_line(folder, command(words), *more)


def run_line(folder: Path, line: str, *more: str) -> subprocess.CompletedProcess[str]:
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(  # noqa: S603
        [*shlex.split(line), *more],
        cwd=folder,
        env={
            **os.environ,
            "PATH": path,
            # A change of the same length within one second is not seen by the compiled file.
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": f"{Path(rankspec.__file__).parents[1]}:{folder}",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_adapters_have_at_most_20_lines():
    adapters = {name: text for name, text in FILES.items() if name.startswith("adapter")}
    assert len(adapters) == 3
    for name, text in adapters.items():
        assert sum(bool(line.strip()) for line in text.splitlines()) <= 20, name


@pytest.mark.slow
def test_a_python_function(folder):
    done = run(folder, "--python adapter:adapter")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mylib 1.2.3" in done.stdout


@pytest.mark.slow
def test_a_program_in_javascript(folder):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    done = run(folder, "-- node adapter.mjs")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_library_in_c(folder):
    if shutil.which("cc") is None:
        pytest.skip("cc is not installed")
    build = ["cc", "-shared", "-fPIC", "mylib.c", "-o", "libmine.so", "-lm"]
    subprocess.run(build, cwd=folder, check=True)  # noqa: S603
    done = run(folder, "--python adapter_of_c:adapter")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_program_of_trec_files(folder):
    done = run(folder, "--trec 'rankspec", "--jobs", "2", "--timeout", "60")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pytest(folder):
    installed = "rankspec" in {x.name for x in entry_points(group="pytest11")}
    loading = () if installed else ("-p", "rankspec.pytest_plugin")
    done = run(folder, "pytest --rankspec", *loading, "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.slow
def test_the_vectors_without_rankspec(folder):
    """The file of the guide passes with the library, and fails with another ideal."""
    done = run_line(folder, "pytest -q test_vectors.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    path = folder / "mylib.py"
    path.write_text(path.read_text().replace("sorted(judged", "sorted(labels"))
    done = run_line(folder, "pytest -q test_vectors.py")
    assert done.returncode == 1
    assert " failed" in done.stdout


def test_the_case_of_the_guide_is_one():
    (shown,) = map(json.loads, re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    (case,) = (x for x in rankspec.vectors() if x["id"] == shown["id"])
    expected = {form: case["expected"][form] for form in shown["expected"]}
    assert shown == {key: case[key] for key in shown} | {"expected": expected}


def test_the_oracle(folder):
    done = run(folder, "rankspec certify")
    assert done.returncode == 0
    assert "0.977781361630504828700830970148" in done.stdout


@pytest.mark.slow
def test_what_a_failure_looks_like(folder):
    """The library, its ideal that of the list alone."""
    path = folder / "mylib.py"
    path.write_text(path.read_text().replace("sorted(judged", "sorted(labels"))
    done = run(folder, "--python adapter:adapter")
    assert done.returncode == 1
    shown = re.search(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    told = re.sub(r"\d+", "0", done.stdout)  # another case may be the first one day
    for line in shown[1].splitlines():
        assert re.sub(r"\d+", "0", line) in told, (line, done.stdout)


PROFILE_TABLE = PAGE.partition("| profile | a goal for |")[2].partition("\n\n")[0]


@each("profile", re.findall(r"^\| `([\w-]+)` \|", PROFILE_TABLE, re.MULTILINE))
def test_the_profiles_are_there(profile):
    from rankspec.analysis.conformance.cases import PROFILES

    assert profile in PROFILES


def test_all_profiles_are_named():
    from rankspec.analysis.conformance.cases import PROFILES

    assert all(f"| `{profile}` |" in PROFILE_TABLE for profile in PROFILES)
    guide = PAGE.partition("# Adopt the vectors")[0]
    assert all(f"`{profile}`" in guide for profile in PROFILES)


@pytest.mark.slow
def test_the_recipe_of_continuous_integration(folder):
    """Its steps, but for the installation; once the failures of today have been written down."""
    installs, conforms = STEPS
    assert installs == "pip install rankspec ."
    assert not (folder / "known.txt").exists()
    written = run_line(folder, conforms, "--write-known")
    assert written.returncode == 0, written.stdout + written.stderr
    assert (folder / "known.txt").exists()
    done = run_line(folder, conforms)
    assert done.returncode == 0, done.stdout + done.stderr
    tests = ElementTree.parse(folder / "vectors.xml").getroot()  # noqa: S314
    assert int(tests.attrib["tests"]) > 100
    assert tests.attrib["failures"] == "0"
    # A failure that is new, and one that is known and passes, end it with the exit status 1.
    path = folder / "mylib.py"
    right = path.read_text()
    path.write_text(right.replace("sorted(judged", "sorted(labels"))
    assert run_line(folder, conforms).returncode == 1
    assert run_line(folder, conforms, "--write-known").returncode == 1
    assert run_line(folder, conforms).returncode == 0
    path.write_text(right)
    done = run_line(folder, conforms)
    assert done.returncode == 1
    assert "known failures pass" in done.stdout
