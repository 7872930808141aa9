"""pytest --rankspec, in a project of somebody else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..each import each
from .running import HERE

ROOT = HERE.parents[1]
ADAPTER = """
import implementation
NAME = "theirs"
def right(case):
    print("noise")
    return implementation.answer(case)
def slipped(case):
    implementation.SLIPS.add("exp2")
    return right(case)
def dies(case):
    import os
    os.abort() if case["id"] == "dcg-0002" else None
    return right(case)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a test of its own, and an adapter in another folder."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["adapters"]\nfilterwarnings = ["error"]\n'
    )
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / "theirs.py").write_text(ADAPTER)
    shutil.copy(HERE / "implementation.py", tmp_path / "adapters")
    (tmp_path / "test_theirs.py").write_text("def test_theirs():\n    pass\n")
    return tmp_path


def run_pytest(project: Path, *words: str, installed: bool = False) -> tuple[int, str]:
    """The exit status of pytest in a project, and what it says.

    installed: whether the plugin is found as one of an installed package
    """
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}
    environment |= {} if installed else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    if installed:
        environment["PYTHONPATH"] = f"{project / 'site'}:{environment.get('PYTHONPATH', '')}"
    plugin = [] if installed else ["-p", "rankspec.pytest_plugin"]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", *plugin, *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=project,
        env=environment,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9")
def test_a_test_a_case(project: Path) -> None:
    status, said = run_pytest(project, "--rankspec", "theirs:right", "-q", "-k", "dcg-00 or theirs")
    assert status == 0, said
    assert re.search(r"[6-9][0-9] passed", said)


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9", "RS-CONF-10")
def test_a_failure_says_the_slip(project: Path) -> None:
    words = ("--rankspec", "theirs:slipped", "--rankspec-profile", "all", "-k", "dcg-000")
    status, said = run_pytest(project, *words)
    assert status == 1
    assert "got is what gain=exp2 gives" in said
    assert "FAILED rankspec::dcg-0001" in said
    assert "Traceback" not in said


@pytest.mark.spec("RS-CONF-9", "RS-CONF-7")
@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "xdist"])
def test_known_failures(workers: tuple[str, ...], project: Path) -> None:
    """One that passes is a failure, by several processes too; what else passes is none."""
    (project / "known.txt").write_text("dcg-0001\ndcg-0005\n")
    words = ("--rankspec-known", "known.txt", "-k", "dcg-0001 or dcg-0005 or dcg-0006")
    status, said = run_pytest(project, *workers, "--rankspec", "theirs:slipped", *words)
    assert status == 1, said
    assert "FAILED rankspec::dcg-0005 - [XPASS(strict)] a known failure" in said
    assert re.search("1 failed, 1 passed.* 1 xfailed", said)


@pytest.mark.slow
def test_one_that_dies_is_started_again(project: Path) -> None:
    status, said = run_pytest(project, "--rankspec", "theirs:dies", "-k", "dcg-000")
    assert status == 1
    assert "it was killed by the signal SIGABRT" in said
    assert "1 failed, 8 passed" in said


@pytest.mark.slow
def test_what_cannot_be_asked(project: Path) -> None:
    status, said = run_pytest(project, "--rankspec", "theirs:right", "--rankspec-profile", "ndcg")
    assert status == 4
    assert 'ERROR: --rankspec: profile: unknown profile "ndcg" (did you mean "ndcg-core"?)' in said
    status, said = run_pytest(project, "--rankspec", "theirs:right", "--rankspec-part", "al")
    assert status == 4
    assert 'ERROR: --rankspec: part: unknown part "al" (did you mean "all"?); expected' in said


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9")
def test_what_is_no_function(project: Path) -> None:
    status, said = run_pytest(project, "--rankspec", "nobodys:adapter")
    assert status == 4
    assert "--rankspec: python: there is no module nobodys (No module named 'nobodys')" in said
    status, said = run_pytest(project, "--rankspec", "theirs:NAME")
    assert status == 4
    assert "--rankspec: python: theirs:NAME is no function; it is 'theirs', a str" in said
    (project / "adapters" / "broken.py").write_text("import nothing_of_the_kind\n")
    status, said = run_pytest(project, "--rankspec", "broken:adapter")
    assert status == 3
    assert "broken cannot be imported: ModuleNotFoundError" in said


@each("seconds", ["nan", "0", "-1", "inf", "soon"], fast=1)
def test_time_outs(seconds: str, project: Path) -> None:
    words = ("--rankspec", "theirs:right", f"--rankspec-timeout={seconds}")
    status, said = run_pytest(project, *words)
    assert status == 4
    assert f'"{seconds}": expected seconds, above 0 and at most 86400' in said


@pytest.mark.slow
def test_without_the_option_nothing_is_loaded(project: Path) -> None:
    (project / "test_theirs.py").write_text(
        "import sys\ndef test_theirs():\n"
        "    loaded = {x for x in sys.modules if x.split('.')[0] == 'rankspec'}\n"
        "    assert loaded == {'rankspec', 'rankspec.later', 'rankspec.pytest_plugin'}\n"
        "    assert 'numpy' not in sys.modules\n"
    )
    assert run_pytest(project, "-q")[0] == 0


@pytest.fixture
def installed(project: Path) -> Path:
    """The project, and what an installed rankspec says of its plugin."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    of_plugins = declared["entry-points"]["pytest11"]
    folder = project / "site" / "rankspec-9.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: rankspec\nVersion: 9\n")
    lines = [f"{name} = {module}\n" for name, module in of_plugins.items()]
    (folder / "entry_points.txt").write_text("".join(["[pytest11]\n", *lines]))
    (folder / "RECORD").write_text("rankspec/__init__.py,,\nrankspec/pytest_plugin.py,,\n")
    return project


@pytest.mark.slow
def test_it_is_there_once_rankspec_is_installed(installed: Path) -> None:
    status, said = run_pytest(
        installed, "--rankspec", "theirs:right", "-k", "dcg-000", installed=True
    )
    assert status == 0, said
    assert "9 passed" in said


@pytest.mark.slow
def test_it_leaves_the_tests_of_the_package_alone(installed: Path) -> None:
    """With their own options, and warnings as errors."""
    words = ("-n", "0", "-q", "--lane", "all", str(ROOT / "tests/conformance/test_judge.py"))
    status, said = run_pytest(installed, *words, "-c", str(ROOT / "pyproject.toml"), installed=True)
    assert status == 0, said
