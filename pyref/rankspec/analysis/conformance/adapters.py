"""What answers cases: a program that speaks the protocol, and a Python function run as one.

An adapter is started, asked one case after the other, and stopped. It raises nothing for what its
program does: a crash, a time-out, nonsense are answers. Spec: RS-CONF-1, RS-CONF-6.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from shlex import join
from time import monotonic
from typing import NamedTuple, Protocol

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
MOST_PROBES = 5  # programs that are started to find out whose a line is
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


class Disputed(NamedTuple):
    """A line that names no case, and came where the answer to a case was awaited.

    case: that; before: the id of the one that was asked before it, or ""; wrong: with the line
    """

    case: Case
    before: str
    wrong: Answer


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
        self.late: dict[str, Answer] = {}
        self._asked: set[str] = set()
        self._last = ""  # the case that was asked last
        self._unanswered: dict[str, Disputed] = {}  # by the case, of which no more came yet
        self._disputed: list[tuple[Disputed, Answer]] = []  # and the answer that came behind
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
        """The answer to the case; lines that name a case before it fail that.

        A line that names no case fails this one, until it is settled whose it is.
        """
        self._stray = ""
        before, self._last = self._last, case.id
        child.send(protocol.line_of(protocol.question(case)))
        deadline = monotonic() + self.timeout
        disputed = None  # the first line that names no case
        for n in range(MOST_LINES):
            if disputed is not None and not child.has_line(SETTLES):
                self._asked.add(case.id)
                self._unanswered[case.id] = disputed
                return disputed.wrong
            line = child.line(deadline)
            answer, about = _read(line, case)
            if about is not None and about != case.id and about in self._asked:
                self._take_late(line, about)
                self._stray = f"; {answer.reason}"
            elif answer.kind == "nonsense" and about != case.id:
                disputed = disputed or Disputed(case, before, answer)
            else:
                self._asked.add(case.id)
                second = self._second(child, case, n, SETTLES * (answer.kind == "nonsense"))
                answer = answer if answer.kind == "nonsense" else second or answer
                if disputed is None:
                    return answer
                self._disputed.append((disputed, answer))
                return disputed.wrong
        raise TooMuch(f"more than {MOST_LINES} lines for one case")

    def _take_late(self, line: bytes, name: str) -> None:
        """An answer to a case before: the one that it lacks, or a second one, which fails it."""
        if name in self._unanswered:
            disputed = self._unanswered.pop(name)
            self._disputed.append((disputed, _read(line, disputed.case)[0]))
        else:
            self.late.setdefault(name, Answer("nonsense", reason=_twice(line)))

    def _settle(self) -> None:
        """Find out whose the lines are that name no case: of that case, or of the one before.

        A program that is asked the case alone writes the line again, or it was the other's.
        """
        for (case, before, wrong), answer in self._disputed[:MOST_PROBES]:
            if before and self._is_answered_alone(case):
                said = f"a line behind the answer: {wrong.reason}"
                self.late.setdefault(before, Answer("nonsense", reason=said))
                self.late.setdefault(case.id, answer)

    def _is_answered_alone(self, case: Case) -> bool:
        """Whether a program that is asked nothing else answers the case, and writes no more."""
        alone = Program(self.command, self.told, self.timeout, self.environment)
        try:
            return alone.ask(case).kind in protocol.ANSWERS
        finally:
            alone.kill()

    def _second(self, child: Child, case: Case, read: int, settles: float) -> Answer | None:
        """What is wrong with lines that stand behind the answer; None: nothing is."""
        found = None
        while child.has_line(settles):
            read += 1
            if read >= MOST_LINES:
                raise TooMuch(f"more than {MOST_LINES} lines for one case")
            line = child.line(monotonic() + self.timeout)
            answer, about = _read(line, case)
            if about is not None and about != case.id and about in self._asked:
                self._take_late(line, about)
                continue
            is_none = answer.kind == "nonsense"
            wrong = f"a second line: {answer.reason}" if is_none else _twice(line)
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
        how = "" if child is None else self._stopped(child)
        self._settle()
        return how

    def _stopped(self, child: Child) -> str:
        how = child.end(protocol.line_of(protocol.STOP), FOR_THE_STOP)
        for line in child.rest():
            about = protocol.about(line)
            if about is not None and about in self._asked:
                self._take_late(line, about)
        return how

    def kill(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()


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
