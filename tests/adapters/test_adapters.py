"""The example adapters, asked by the runner: they meet their profiles, and claim no more."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import rankspec
from rankspec.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
ADAPTERS = ROOT / "adapters"
Capture = pytest.CaptureFixture[str]


def program(name: str) -> str:
    """A program that this machine may have."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def built(*command: str) -> None:
    subprocess.run([program(command[0]), *command[1:]], check=True)  # noqa: S603


def asked(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """What the runner reports of an adapter; nothing may fail."""
    status = main(["conform", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    assert (status, err) == (0, ""), out
    report = json.loads(out)
    assert report["conforms"]
    return dict(report["counts"])


def assert_meets_profile(capsys: Capture, profile: str, *adapter: str) -> None:
    """All cases of the profile are met."""
    counts = asked(capsys, "--profile", profile, *adapter)
    assert counts["pass"] == counts["cases"] > 30, profile


def assert_meets(capsys: Capture, profiles: list[str], *adapter: str) -> None:
    """All cases of the profiles are met, and of the others those that are answered."""
    for profile in profiles:
        assert_meets_profile(capsys, profile, *adapter)
    assert asked(capsys, *adapter)["pass"] > 100


@pytest.fixture
def python(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{ADAPTERS / 'python'}:{Path(rankspec.__file__).parents[1]}")
    return "--python", "adapter:answer"


def test_python_meets_the_profile_of_ndcg(capsys, python):
    assert_meets_profile(capsys, "ndcg-core", *python)


@pytest.mark.slow
def test_python(capsys, python):
    assert_meets(capsys, ["recsys"], *python)


@pytest.mark.slow
def test_javascript(capsys):
    command = [program("node"), str(ADAPTERS / "javascript" / "adapter.mjs")]
    assert_meets(capsys, ["ndcg-core", "recsys"], "--", *command)


@pytest.mark.slow
def test_rust(capsys, tmp_path):
    """Compiled by rustc, as it has no dependencies."""
    adapter, source = tmp_path / "adapter", ADAPTERS / "rust" / "src" / "main.rs"
    built("rustc", "--edition", "2021", "-O", "-o", str(adapter), str(source))
    assert_meets(capsys, ["ndcg-core"], "--", str(adapter))


@pytest.mark.slow
def test_c(capsys, tmp_path):
    """Through rankspec.h, to the last bit."""
    adapter = tmp_path / "adapter"
    sources = [str(ADAPTERS / "c" / "adapter.c"), str(ROOT / "csrc" / "core.c")]
    strict = ("-std=gnu11", "-O0", "-DRS_NO_CLONES", "-Wall", "-Wextra", "-Werror")
    built("cc", *strict, *sources, "-o", str(adapter), "-lm")
    for profile in ("ndcg-core", "recsys"):
        counts = asked(capsys, "--grade", "exact", "--profile", profile, "--", str(adapter))
        assert counts["pass"] == counts["cases"]
    counts = asked(capsys, "--grade", "exact", "--", str(adapter))
    assert counts["pass"] > 900
