"""What answers cases: a program that speaks the protocol, and a Python function run as one.

An adapter is started, asked one case after the other, and stopped. It raises nothing for what its
program does: a crash, a time-out, nonsense are answers. Spec: RS-CONF-1, RS-CONF-6.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from shlex import join
from time import monotonic
from typing import Protocol

from ...errors import InputError, shown_text
from ...text import printable
from . import protocol
from .cases import Case
from .process import Child, Gone, TooMuch, TooSlow
from .protocol import About, Answer, Nonsense

TIMEOUT = 10.0  # seconds for an answer
LONGEST_TIMEOUT = 86_400
FOR_THE_START = 6  # times that, until a program is ready
FOR_THE_STOP = 5.0  # seconds
MOST_LINES = 1000  # for one case
MOST_DEATHS = 20  # crashes and time-outs, after which a program is not started again
SHOWN_OF_ERRORS = 300
SETTLES = 0.02  # seconds, in which what belongs to a line of nonsense has come


def seconds(text: str) -> float:
    """The time-out that a text states; an InputError where it is none."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= LONGEST_TIMEOUT:
        raise InputError(f'"{text}": expected seconds, above 0 and at most {LONGEST_TIMEOUT}')
    return found


class NotReady(Exception):
    """The program was never ready to answer; the text says why."""


class Adapter(Protocol):
    """What answers cases."""

    about: About
    late: dict[str, str]
    """What is wrong with answers that it has taken before: {id: why the case fails after all}."""

    def start(self) -> None:
        """Make it ready; NotReady where it cannot be, an InputError where there is none."""

    def ask(self, case: Case) -> Answer:
        """Its answer to a case."""

    def stop(self) -> str:
        """End it; what was wrong with its end, "" where nothing was."""

    def kill(self) -> None:
        """End it at once, with all that it has started."""


class Program:
    """A program that speaks the protocol.

    command: its words; told: the start message; timeout: the seconds for an answer
    shown: the command as reports have it
    """

    def __init__(
        self,
        command: Sequence[str],
        told: Mapping[str, object],
        timeout: float = TIMEOUT,
        environment: Mapping[str, str] | None = None,
        shown: str = "",
    ) -> None:
        self.command = list(command)
        self.told = told
        self.timeout = timeout
        self.environment = environment
        self.shown = shown or join(self.command)
        self.about = About("?", "", "", self.shown)
        self.deaths = 0
        self._child: Child | None = None
        self.late: dict[str, str] = {}
        self._asked: set[str] = set()
        self._stray = ""  # what is wrong with a line that came in the place of the answer

    def start(self) -> None:
        child = self._child = Child(self.command, self.environment)
        child.send(protocol.line_of(self.told))
        seconds = self.timeout * FOR_THE_START
        try:
            line = child.line(monotonic() + seconds)
            self.about = protocol.read_ready(line, self.shown)
        except TooSlow:
            raise self._not_ready(f"it was not ready within {seconds:g} seconds") from None
        except (Gone, TooMuch, Nonsense) as error:
            raise self._not_ready(str(error)) from None

    def _not_ready(self, how: str) -> NotReady:
        return NotReady(f"{self._last_words(how)} (expected: the message ready)")

    def ask(self, case: Case) -> Answer:
        if self._child is None:
            if self.deaths >= MOST_DEATHS:
                return Answer("crashed", reason=f"not asked: it had died {self.deaths} times")
            try:
                self.start()
            except (NotReady, InputError) as error:
                self.deaths += 1
                return Answer("crashed", reason=f"it could not be started again: {error}")
        try:
            return self._answer(self._child, case)  # type: ignore[arg-type]
        except TooSlow:
            self.deaths += 1
            reason = f"no answer within {self.timeout:g} seconds{self._stray}"
            return Answer("timeout", reason=self._last_words(reason))
        except (Gone, TooMuch) as error:
            self.deaths += 1
            return Answer("crashed", reason=self._last_words(f"{error}{self._stray}"))

    def _answer(self, child: Child, case: Case) -> Answer:
        """The answer to the case; lines that are about cases before it fail these."""
        self._stray = ""
        child.send(protocol.line_of(protocol.question(case)))
        deadline = monotonic() + self.timeout
        for n in range(MOST_LINES):
            line = child.line(deadline)
            try:
                answer = protocol.read_answer(line, case)
            except Nonsense as error:
                if self._is_late(line, error, case.id):
                    self._stray = f"; {error}"
                    continue
                answer = Answer("nonsense", reason=str(error))
            self._asked.add(case.id)
            second = self._second(child, case, n, SETTLES * (answer.kind == "nonsense"))
            return answer if answer.kind == "nonsense" else second or answer
        raise TooMuch(f"more than {MOST_LINES} lines for one case")

    def _is_late(self, line: bytes, error: Nonsense, asked: str) -> bool:
        """Whether a line is about a case before the one that is asked, which then fails."""
        if error.id is None or error.id == asked or error.id not in self._asked:
            return False
        self.late.setdefault(error.id, _twice(line))
        return True

    def _second(self, child: Child, case: Case, read: int, settles: float) -> Answer | None:
        """What is wrong with lines that stand behind the answer; None: nothing is."""
        found = None
        while child.has_line(settles):
            read += 1
            if read >= MOST_LINES:
                raise TooMuch(f"more than {MOST_LINES} lines for one case")
            line = child.line(monotonic() + self.timeout)
            try:
                protocol.read_answer(line, case)
                wrong = _twice(line)
            except Nonsense as error:
                if self._is_late(line, error, case.id):
                    continue
                wrong = f"a second line: {error}"
            found = found or Answer("nonsense", reason=wrong)
        return found

    def _last_words(self, how: str) -> str:
        """How the process ended, and the end of what it said; it is killed."""
        child, self._child = self._child, None
        if child is None:
            return how
        child.kill()
        said = printable(" ".join(child.errors[-4 * SHOWN_OF_ERRORS :].split()))
        said = said if len(said) <= SHOWN_OF_ERRORS else f"...{said[-SHOWN_OF_ERRORS:]}"
        return f"{how}; it said: {said}" if said else how

    def stop(self) -> str:
        child, self._child = self._child, None
        if child is None:
            return ""
        how = child.end(protocol.line_of(protocol.STOP), FOR_THE_STOP)
        for line in child.rest():
            about = protocol.about(line)
            if about in self._asked:
                self.late.setdefault(about, _twice(line))
        return how

    def kill(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()


def _twice(line: bytes) -> str:
    return f"the case was answered twice, second by {shown_text(line)}"


def python_program(
    function: str,
    told: Mapping[str, object],
    timeout: float = TIMEOUT,
    environment: Mapping[str, str] | None = None,
) -> Program:
    """The Python function "pkg.mod:function" as a program."""
    command = [sys.executable, "-m", "rankspec.analysis.conformance.python_adapter", function]
    return Program(command, told, timeout, environment, shown=f"--python {function}")
