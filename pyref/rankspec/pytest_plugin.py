"""A plugin of pytest: the test vectors as tests of an adapter, a test a case. Spec: RS-CONF-9.

    pytest --rankspec pkg.mod:adapter --rankspec-profile ndcg-core

The adapter is a function as of ``rankspec conform --python``; it runs in a child process. Without
the option the plugin does nothing, and loads nothing of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .analysis.conformance.adapters import Program
    from .analysis.conformance.cases import Case
    from .analysis.conformance.judge import Grade

PROFILE = "all"
PART = "required"
GRADE = "close"
TIMEOUT = "10"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("rankspec", "conformance with rankspec's test vectors")
    group.addoption("--rankspec", metavar="PKG.MOD:NAME", help="the adapter, a function of a case")
    for name, default, about in (
        ("profile", PROFILE, "the profile of conformance"),
        ("part", PART, "required, or all: the optional cases too"),
        ("grade", GRADE, "exact, close, ulp=N or digits=N"),
        ("timeout", TIMEOUT, "seconds for an answer"),
    ):
        group.addoption(
            f"--rankspec-{name}",
            default=default,
            metavar=name.upper(),
            help=f"{about}: {default}",
        )
    group.addoption("--rankspec-known", metavar="FILE", help="failures that are known")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add a test for each case, where an adapter is given."""
    if session.config.getoption("--rankspec"):
        items += Vectors.from_parent(session, name="rankspec", nodeid="rankspec").collect()


class Vectors(pytest.Collector):
    """The cases of a profile, and the program that answers them."""

    _program: Program | None = None
    _grade: Grade
    _seconds: float

    def collect(self) -> list[pytest.Item]:
        from .analysis.conformance.adapters import seconds
        from .analysis.conformance.cases import chosen
        from .analysis.conformance.judge import grade
        from .analysis.conformance.known import read
        from .errors import InputError

        option = self.config.getoption
        try:
            self._seconds = seconds(option("--rankspec-timeout"))
            self._grade = grade(option("--rankspec-grade"))
            cases = chosen(
                option("--rankspec-profile"), option("--rankspec-part"), exact=self._grade.exact
            )
            known = read(path) if (path := option("--rankspec-known")) else []
        except InputError as error:
            raise pytest.UsageError(f"--rankspec: {error}") from None
        items: list[pytest.Item] = []
        for case in cases:
            item = Vector.from_parent(self, name=case.id)
            item.case = case
            if case.id in known:
                item.add_marker(pytest.mark.xfail(strict=True, reason="a known failure"))
            items.append(item)
        return items

    @property
    def grade(self) -> Grade:
        """How near a value must be."""
        return self._grade

    def program(self) -> Program:
        """The adapter, which is started when it is asked first."""
        if self._program is None:
            self._program = self._started()
            self.session.config.add_cleanup(self._program.kill)
        return self._program

    def _started(self) -> Program:
        import os
        import sys

        from .analysis.conformance.adapters import NotReady, python_program
        from .analysis.conformance.cases import version
        from .analysis.conformance.protocol import start
        from .errors import InputError

        option = self.config.getoption
        told = start(version(), option("--rankspec-profile"), str(self._grade))
        # pytest has put the folders of tests on the path, and the adapter may be in one.
        path = os.pathsep.join(dict.fromkeys(filter(None, sys.path)))
        environment = {**os.environ, "PYTHONPATH": path}
        program = python_program(option("--rankspec"), told, self._seconds, environment)
        try:
            program.start()
        except NotReady as error:
            pytest.exit(f"--rankspec {option('--rankspec')}: {error}", returncode=3)
        except InputError as error:
            program.kill()
            pytest.exit(f"--rankspec: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
        return program


class Failed(Exception):
    """A case fails; the text says why."""


class Vector(pytest.Item):
    """A case."""

    case: Case

    def runtest(self) -> None:
        from .analysis.conformance.judge import judge

        parent = self.parent
        assert isinstance(parent, Vectors)  # noqa: S101
        answer = parent.program().ask(self.case)
        verdict = judge(self.case, answer, parent.grade)
        if verdict.status == "unsupported":
            pytest.skip(f"unsupported: {verdict.why}" if verdict.why else "unsupported")
        if verdict.status != "pass":
            raise Failed("\n".join(self._told(verdict.why, answer, parent.grade)))

    def _told(self, why: str, answer: Any, grade: Grade) -> Iterator[str]:
        """What is wrong, in the terms of the specification."""
        from .analysis.conformance.diagnosis import explained_by
        from .analysis.conformance.report import compact

        case = self.case
        yield f"{case.id}: {case.why}"
        yield f"measure   {compact(case.measure)}"
        yield f"input     {compact(case.input)}"
        yield f"failed    {why}"
        spec = list(case.spec)
        if answer.kind == "value" and not case.refused:
            for slip in explained_by(case, answer.value, grade)[:3]:
                yield f"got is what {slip.name} gives"
                spec += slip.spec
        yield f"read      {', '.join(dict.fromkeys(spec))}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """The text of the failure, without a traceback of the runner."""
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return "rankspec", None, f"rankspec: {self.case.id}"
