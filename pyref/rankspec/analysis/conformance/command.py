"""A program that is checked: from what is asked of it to the report."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import InputError, InputWarning, hint
from ...progress import Progress
from . import protocol
from .adapters import TIMEOUT, Adapter, NotReady, Program, python_program
from .cases import Case, chosen, vectors, version
from .diagnosis import DEATHS, Finding, Search, diagnose
from .judge import Grade, Verdict
from .known import read, written
from .protocol import Answer
from .report import Report, flags_of, has_failed
from .run import Outcome, ask_all
from .trec import TrecProgram


@dataclass(frozen=True)
class Asked:
    """What is asked of whom.

    command: the words of a program that speaks the protocol; python: "pkg.mod:function"; trec: a
        template; one of them
    known: a file of known failures; writes_known: whether it is written, and need not be there
    accept: flags of cases that may fail; without: words that the program does not have: cases that
        require one are not asked
    least: how many cases must pass by a value; jobs: how many programs at once
    """

    grade: Grade
    command: Sequence[str] = ()
    python: str | None = None
    trec: str | None = None
    profile: str = "all"
    part: str = "required"
    only: Sequence[str] = ()
    known: str | None = None
    writes_known: bool = False
    accept: Sequence[str] = ()
    least: int = 1
    timeout: float = TIMEOUT
    jobs: int = 1
    environment: Mapping[str, str] | None = None
    without: Sequence[str] = ()


def adapter(asked: Asked) -> Callable[[], Adapter]:
    """What makes an adapter for what is asked."""
    told = protocol.start(version(), asked.profile, str(asked.grade))
    if asked.trec is not None:
        return lambda: TrecProgram(str(asked.trec), asked.timeout)
    if asked.python is not None:
        function = asked.python
        return lambda: python_program(function, told, asked.timeout, asked.environment)
    return lambda: Program(asked.command, told, asked.timeout, asked.environment)


def conform(asked: Asked, progress: Progress | None = None) -> Report:
    """Ask all cases and explain what fails.

    An InputError for what cannot be asked; NotReady where the program does not start.
    """
    cases = chosen(asked.profile, asked.part, asked.only, asked.grade.exact)
    flags = flags_of(vectors())
    for flag in asked.accept:
        if flag not in flags:
            raise InputError(f'accept: no case has the flag "{flag}"{hint(flag, flags)}')
    words = {word for case in vectors() for word in case.requires}
    for word in asked.without:
        if word not in words:
            raise InputError(f'without: no case requires "{word}"{hint(word, words)}')
    passed_over = {case.id: x for case in cases if (x := _passed_over(case, asked.without))}
    if len(passed_over) == len(cases):
        raise InputError(f"without: every case requires {' or '.join(asked.without)}")
    is_new = asked.writes_known and asked.known and not Path(asked.known).exists()
    known = read(asked.known) if asked.known and not is_new else []
    make = adapter(asked)
    left = [case for case in cases if case.id not in passed_over]
    found = ask_all(make, left, asked.grade, asked.jobs, progress)
    said = passed_over | {x.case.id: x for x in found.outcomes}
    outcomes = tuple(said[case.id] for case in cases)
    if asked.writes_known:  # the list is written anew, without what passes
        passed = {x.case.id for x in found.outcomes if x.verdict.status == "pass"}
        known = [name for name in known if name not in passed]
    report = Report(
        found.about,
        outcomes,
        asked.profile,
        asked.part,
        asked.grade,
        frozenset(known),
        frozenset(asked.accept),
        asked.least,
        found.ending,
    )
    if not report.failures:
        return report
    search = Search(report.grade)
    return replace(report, findings=_findings(report, make, search), untried=search.left_out())


def _passed_over(case: Case, without: Sequence[str]) -> Outcome | None:
    """The outcome of a case that is not asked, as it requires what the program has not."""
    for word in without:
        if word in case.requires:
            answer = Answer("unsupported", reason=f"--without {word}")
            return Outcome(case, answer, Verdict("unsupported"))
    return None


def _findings(report: Report, make: Callable[[], Adapter], search: Search) -> tuple[Finding, ...]:
    """What explains the failures; the program is started once more, to be asked smaller inputs."""
    shrinks = any(x.answer.kind in ("value", *DEATHS) for x in report.failures)
    program = make()
    try:
        if shrinks:
            program.start()
        ask: Callable[[Case], Answer] | None = program.ask if shrinks else None
        with warnings.catch_warnings():  # which are of smaller inputs, that nobody gave
            warnings.simplefilter("ignore", InputWarning)
            return tuple(diagnose(report.outcomes, report.failures, report.grade, ask, search))
    except NotReady:
        return tuple(diagnose(report.outcomes, report.failures, report.grade, None, search))
    finally:
        with suppress(OSError):
            program.kill()


def write_known(report: Report, path: str) -> str:
    """The text of the list of known failures: those of this run, and those that it did not ask."""
    asked = {x.case.id for x in report.outcomes}
    before = read(path) if Path(path).exists() else []
    failed = {x.case.id: x.verdict.why for x in report.outcomes if has_failed(x)}
    return written(failed, (name for name in before if name not in asked))
