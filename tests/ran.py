"""The account of the tests that ran, over several runs of pytest, and of those that did not.

RANKSPEC_RAN names a file. A run adds to it the tests that it ran in full. The lane "rest" runs the
tests that are not in it, and fails if some are not in it at its end, but for those of `ELSEWHERE`.
A test that was skipped did not run. Nor did a module whose import was skipped: its tests were never
collected, so it stands for them. What is marked long is left to the lane of that name.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FILE = Path(os.environ["RANKSPEC_RAN"]).resolve() if os.environ.get("RANKSPEC_RAN") else None

_TENSORS = 'pip install -e ".[tensors]" && pytest tests/api/test_tensors.py tests/compat --lane all'
ELSEWHERE = {
    "tests/published/": "RANKSPEC_DATA=FOLDER pytest tests/published --lane all",
    "tests/peers/test_trec_eval.py": "RANKSPEC_TREC_EVAL=PROGRAM pytest tests/peers --lane all",
    "tests/engines/test_spark.py": 'pip install -e ".[spark]" && pytest tests/engines --lane all',
    "tests/api/test_tensors.py": _TENSORS,
    "tests/compat/test_torch.py": _TENSORS,
    "tests/compat/test_pages.py::test_a_page_prints_what_it_shows[torch]": _TENSORS,
    "tests/compat/test_arithmetic.py::test_the_bits_are_the_same[of_torch": _TENSORS,
}
"""Tests that the gate does not run: {how their names begin: how to run them}."""

LONG = pytest.StashKey[set[str]]()
"""The names of the tests that are left to the lane long, in the configuration of a run."""

IN_PART = ("rankspec", "in part")
"""The property of a test of which the fast lane takes a part."""


def names() -> set[str]:
    """Return the names of the tests that ran in full until now."""
    return set(FILE.read_text("utf-8").splitlines()) if FILE and FILE.exists() else set()


class Account:
    """The plugin that writes the file, and compares it with what was collected.

    wanted: the tests that were collected, and the modules that were skipped
    long: those of them that are left to the lane long
    why: {a skipped test or module: the reason}
    """

    def __init__(self, config: pytest.Config, file: Path) -> None:
        self.config = config
        self.file = file
        self.wanted: list[str] = []
        self.long: set[str] = set()
        self.why: dict[str, str] = {}
        self.missing: list[str] = []

    @property
    def is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.wanted.append(report.nodeid)
            self.why[report.nodeid] = _reason(report)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.long = self.config.stash[LONG]
        self.wanted += [*(item.nodeid for item in session.items), *self.long]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.why[report.nodeid] = _reason(report)
        elif report.when == "call" and not self.is_worker and not _is_part(report):
            with self.file.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker collected, which is what each of them did."""
        own = self.wanted, {}, self.long
        output = getattr(node, "workeroutput", {})
        self.wanted, skipped, self.long = output.get("account", own)
        self.why |= skipped

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_worker:
            self.config.workeroutput["account"] = self.wanted, self.why, self.long
        elif self.config.option.lane == "rest":
            self.missing = sorted(set(self.wanted) - names())
            if any(self.how_to_run(name) is None for name in self.missing):
                session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        how = {name: self.how_to_run(name) for name in self.missing}
        for name in self.missing:
            if how[name] is None:
                why = self.why.get(name, "it was not begun")
                terminalreporter.write_line(f"no lane ran {name}: {why}", red=True)
        for command, tests in Counter(filter(None, how.values())).items():
            terminalreporter.write_line(f"not run here ({tests}): {command}")

    def how_to_run(self, name: str) -> str | None:
        """Return the command for a test that the gate does not run; None: the gate must run it."""
        if name in self.long:
            return "pytest -m long --lane long"
        return next((how for begin, how in ELSEWHERE.items() if name.startswith(begin)), None)


def _is_part(report: pytest.TestReport) -> bool:
    return IN_PART in map(tuple, report.user_properties)


def _reason(report: pytest.CollectReport | pytest.TestReport) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
