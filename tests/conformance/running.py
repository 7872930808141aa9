"""rankspec conform on programs of the tests, and cases that no file has."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rankspec import specification
from rankspec.analysis.conformance import cases
from rankspec.cli.main import main

HERE = Path(__file__).resolve().parent
IMPLEMENTATION = [sys.executable, str(HERE / "implementation.py")]
BADLY = [sys.executable, str(HERE / "badly_behaved.py")]


def conform(
    capsys: pytest.CaptureFixture[str], *words: str, status: int | None = None
) -> dict[str, Any]:
    """The result as JSON."""
    found = main(["conform", "--format", "json", *words])
    out, err = capsys.readouterr()
    assert err == ""
    report: dict[str, Any] = json.loads(out)
    assert report["exit_status"] == found
    if status is not None:
        assert found == status, (found, out[:3000])
    return report


def status_of(report: dict[str, Any], case: str) -> tuple[str, str]:
    """The status of a case, and why."""
    result = next(x for x in report["results"] if x["id"] == case)
    return result["status"], result.get("why", "")


def with_cases(*more: dict[str, Any]) -> Iterator[None]:
    """Add files of vectors to those that there are, until the generator goes on."""
    files = [*specification.files(), *more]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(specification, "files", lambda: files)
        forget()
        yield
    forget()


def forget() -> None:
    """Nothing is kept of the files that were read."""
    cases.vectors.cache_clear()
    cases.version.cache_clear()
