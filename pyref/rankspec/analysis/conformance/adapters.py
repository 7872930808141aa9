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
MOST_STRAYS = 20  # programs that are started anew for lines that name no case
SETTLES = 0.02  # seconds, in which what belongs to a line that names no case has come


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
    late: dict[str, Answer]
    """What came of cases after all, that it has answered before: {id: in the place of that}."""

    def start(self) -> None:
        """Make it ready; NotReady where it cannot be, an InputError where there is none."""

    def ask(self, case: Case) -> Answer:
        """Its answer to a case."""

    def stop(self) -> str:
        """End it; what was wrong with its end, "" where nothing was."""

    def kill(self) -> None:
        """End it at once, with all that it has started."""


class Stray(Exception):
    """A line that names no case came where an answer was awaited; the text says what is wrong.

    It may be of that case, or have been written late for the one before.
    """


class _Lines:
    """The lines that came for a case: what the answer to it is, by them."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self._is_answered = False

    @property
    def are_right(self) -> bool:
        """Whether nothing is wrong with them yet."""
        return self.answer is None or self.answer.kind != "nonsense"

    def take(self, line: bytes, read: Answer) -> None:
        """Take a line that names the case; of several the first counts, and fails."""
        if self.answer is None:
            self.answer = read
        elif self._is_answered and self.are_right:
            self.answer = Answer("nonsense", reason=_twice(line))
        self._is_answered = True

    def take_stray(self, read: Answer) -> None:
        """Take a line that names no case, and was written for this one."""
        if self.answer is None:
            self.answer = read
        elif self.are_right:
            self.answer = Answer("nonsense", reason=f"a second line: {read.reason}")


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
        self.strays = 0  # lines that name no case, for which the program was ended
        self._child: Child | None = None
        self.late: dict[str, Answer] = {}
        self._asked: set[str] = set()
        self._last = ""  # the case that this process was asked last
        self._stray = ""  # what is wrong with a line that came in the place of the answer
        self._has_strayed = False  # whether it has written a line for it that names no case

    def start(self) -> None:
        child = self._child = Child(self.command, self.environment)
        child.send(protocol.line_of(self.told))
        seconds = self.timeout * FOR_THE_START
        try:
            line = child.line(monotonic() + seconds)
            self.about = protocol.read_ready(line, self.shown)
        except TooSlow:
            late = f"it was not ready within {seconds:g} seconds"
            raise self._not_ready(late, "it must be flushed, as each line") from None
        except Nonsense as error:
            is_message = line.lstrip().startswith(b"{")
            advice = "" if is_message else "all else goes to the standard error"
            raise self._not_ready(str(error), advice) from None
        except (Gone, TooMuch) as error:
            raise self._not_ready(str(error)) from None

    def _not_ready(self, how: str, advice: str = "") -> NotReady:
        expected = "; ".join(filter(None, ("expected: the message ready", advice)))
        return NotReady(f"{self._last_words(how)} ({expected})")

    def ask(self, case: Case) -> Answer:
        """Its answer to a case; that of a new process where it is open whose a line is."""
        before = self._last
        try:
            answer = self._asked_of(case)
        except Stray as stray:
            self._end_for_a_stray()
            answer = self._asked_of(case)
            if answer.kind in protocol.ANSWERS:  # without such a line
                said = f"a line behind the answer: {stray}"
                self.late.setdefault(before, Answer("nonsense", reason=said))
        if self._has_strayed and self.strays < MOST_STRAYS:
            self._end_for_a_stray()  # what it still writes, or waits for, is no other case's
        return answer

    def _end_for_a_stray(self) -> None:
        self.strays += 1
        self.kill()

    def _asked_of(self, case: Case) -> Answer:
        """The answer of the process, of a new one where none runs."""
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
        """The answer to the case; lines that name a case before it fail that.

        A Stray where a line names no case, and may be of the one before.
        """
        self._stray, self._has_strayed = "", False
        before, self._last = self._last, case.id
        child.send(protocol.line_of(protocol.question(case)))
        deadline = monotonic() + self.timeout
        lines = _Lines()
        for _ in range(MOST_LINES):
            settles = 0.0 if before and lines.are_right else SETTLES
            if lines.answer is not None and not child.has_line(settles):
                self._asked.add(case.id)
                return lines.answer
            line = child.line(deadline)
            read, about = _read(line, case)
            if about != case.id and about in self._asked:
                self.late.setdefault(about, Answer("nonsense", reason=_twice(line)))
                self._stray = f"; {read.reason}"
            elif about == case.id:
                lines.take(line, read)
            elif before and self.strays < MOST_STRAYS:
                raise Stray(read.reason)
            else:
                self._has_strayed = True
                lines.take_stray(read)
        raise TooMuch(f"more than {MOST_LINES} lines for one case")

    def _last_words(self, how: str) -> str:
        """How the process ended, and the end of what it said; it is killed."""
        child, self._child, self._last = self._child, None, ""
        if child is None:
            return how
        child.kill()
        return f"{how}{_said(child)}"

    def stop(self) -> str:
        child, self._child = self._child, None
        if child is None:
            return ""
        how = child.end(protocol.line_of(protocol.STOP), FOR_THE_STOP)
        for line in child.rest():
            about = protocol.about(line)
            if about is not None and about in self._asked:
                self.late.setdefault(about, Answer("nonsense", reason=_twice(line)))
        return how and f"{how}{_said(child)}"

    def kill(self) -> None:
        child, self._child, self._last = self._child, None, ""
        if child is not None:
            child.kill()


def _said(child: Child) -> str:
    """The end of what a process said on the standard error, as it follows how it ended."""
    said = printable(" ".join(child.errors[-4 * SHOWN_OF_ERRORS :].split()))
    said = said if len(said) <= SHOWN_OF_ERRORS else f"...{said[-SHOWN_OF_ERRORS:]}"
    return f"; it said: {said}" if said else ""


def _read(line: bytes, case: Case) -> tuple[Answer, str | None]:
    """The answer that a line is, to a case that was asked, and which case it names."""
    try:
        return protocol.read_answer(line, case), case.id
    except Nonsense as error:
        return Answer("nonsense", reason=str(error)), error.id


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
