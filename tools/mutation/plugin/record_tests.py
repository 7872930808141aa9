"""Record what tests do: which began, which failed, and that a file compiles the sources itself.

A plugin of pytest that writes as it goes, since a run may die or hang.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

RECORD = os.environ["MUTANTS_RECORD"]
COMPILERS = {"cc", "gcc", "clang", "ziglang", "pip", "build", "setup.py"}


def _note(event: str, subject: str = "") -> None:
    with Path(RECORD).open("a", encoding="utf-8") as record:
        record.write(f"{event}\t{subject}\n")


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen":
        command = arguments[1] if isinstance(arguments[1], (list, tuple)) else [arguments[1]]
        if COMPILERS & {Path(os.fsdecode(word)).name for word in command}:
            _note("compiles")


sys.addaudithook(_audit)


def pytest_runtest_logstart(nodeid: str) -> None:
    _note("began", nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _note("failed", report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _note("failed", report.nodeid)
