"""A black box in a process of its own: what ends that process is an answer, and not our end.

The child is a fork that loads the function and answers over a pipe. Where there is no fork, or
where the caller wants none, the function is called here.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from numbers import Real
from select import select
from typing import Any, TypeAlias

from ...compute.gain import yes_or_no
from ...errors import InputError, shown, shown_error
from .outcomes import CRASH, ERROR, NONE, NONSENSE, TIMEOUT, Outcome, value

Load: TypeAlias = Callable[[], Callable[..., Any]]
SECONDS_TO_LOAD = 300.0


def positive_seconds(timeout: Any) -> float:
    """Return a time limit as a double; an InputError where it is no number above 0."""
    try:
        seconds = float(timeout) if isinstance(timeout, Real) else 0.0
    except OverflowError:
        seconds = 0.0
    if not seconds > 0:
        raise InputError(f"timeout: expected a number of seconds, got {shown(timeout)}")
    return seconds


class Box:
    """A function that is called with arguments and gives outcomes.

    load: what gives the function; called in the child
    seconds: how long one call may take
    isolated: whether it runs in a process of its own
    """

    def __init__(self, load: Load, seconds: float = 10.0, isolated: bool = True) -> None:
        self._load, self._seconds = load, seconds
        self.isolated = yes_or_no(isolated, "isolated") and hasattr(os, "fork")
        self._child: _Child | None = None
        self._function: Callable[..., Any] | None = None
        self.calls = 0
        self.deaths = 0

    def facts(self) -> Mapping[str, Any]:
        """What the function says of itself: name, version, and what it declares; or its error."""
        if not self.isolated:
            return _facts(self._loaded())
        found = self._started().receive(SECONDS_TO_LOAD)
        return found if isinstance(found, dict) else {"error": "its module could not be loaded"}

    def __call__(self, *arguments: Any) -> Outcome:
        """The outcome of a call."""
        self.calls += 1
        if not self.isolated:
            return called(self._loaded(), arguments)
        if self._child is None:
            self._started().receive(SECONDS_TO_LOAD)
        child = self._started()
        child.send(arguments)
        found = child.receive(self._seconds)
        if isinstance(found, Outcome):
            return found
        self.deaths += 1
        self._child = None
        return Outcome(TIMEOUT) if found == TIMEOUT else Outcome(CRASH, text=child.ended())

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _loaded(self) -> Callable[..., Any]:
        if self._function is None:
            self._function = self._load()
        return self._function

    def _started(self) -> _Child:
        if self._child is None:
            self._child = _Child(self._load)
        return self._child


class _Child:
    """The forked process, and the two pipes to it."""

    def __init__(self, load: Load) -> None:
        asked, self._to = os.pipe()
        self._from, answered = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads
            self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                os.close(self._to)
                os.close(self._from)
                _serve(load, asked, answered)
                status = 0
            finally:
                os._exit(status)
        os.close(asked)
        os.close(answered)

    def send(self, arguments: Any) -> None:
        with suppress(BrokenPipeError):
            _write(self._to, pickle.dumps(arguments))

    def receive(self, seconds: float) -> Any:
        """An outcome or facts; "timeout", or None where the process has ended."""
        ready, _, _ = select([self._from], [], [], seconds)
        if not ready:
            self.end()
            return TIMEOUT
        content = _read(self._from)
        return None if content is None else pickle.loads(content)  # noqa: S301 - our own child

    def end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.ended()

    def ended(self) -> str:
        """Wait for the end of the process, and say how it ended."""
        with suppress(OSError):
            os.close(self._to)
            os.close(self._from)
        try:
            _, status = os.waitpid(self.pid, 0)
        except ChildProcessError:
            return "ended"
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return f"exit status {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"


def _serve(load: Load, asked: int, answered: int) -> None:
    """Answer until the pipe is closed."""
    with suppress(OSError):
        os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - theirs may be no file
    warnings.simplefilter("ignore")
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        function = load()
    except BaseException as error:  # noqa: BLE001 - whatever a module raises
        _write(answered, pickle.dumps({"error": shown_error(error)}))
        return
    _write(answered, pickle.dumps(_facts(function)))
    while (content := _read(asked)) is not None:
        _write(answered, pickle.dumps(called(function, pickle.loads(content))))  # noqa: S301


def _write(pipe: int, content: bytes) -> None:
    left = memoryview(struct.pack("<Q", len(content)) + content)
    while left:
        left = left[os.write(pipe, left) :]


def _read(pipe: int) -> bytes | None:
    """A message; None where the other end has gone."""
    head = _exactly(pipe, 8)
    return None if head is None else _exactly(pipe, struct.unpack("<Q", head)[0])


def _exactly(pipe: int, count: int) -> bytes | None:
    parts = []
    while count:
        part = os.read(pipe, min(count, 1 << 16))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _facts(function: Callable[..., Any]) -> dict[str, Any]:
    """What the function says of itself."""
    module = sys.modules.get(getattr(function, "__module__", "") or "")
    return {
        "name": str(getattr(module, "NAME", "") or ""),
        "version": str(getattr(module, "VERSION", "") or ""),
        "declared": dict(getattr(function, "declared", {})),
        "form": str(getattr(function, "form", "")),
    }


def called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """The outcome of a call in this process."""
    try:
        return _outcome(function(*arguments))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it raises is its answer
        return Outcome(ERROR, text=shown_error(error))


def _outcome(found: Any) -> Outcome:
    """A number of any kind as an outcome; an array of one number is a number."""
    if isinstance(found, Outcome):
        return found
    if isinstance(found, Mapping):
        found = tuple(found.values())
    if isinstance(found, (list, tuple)) and len(found) <= 1:
        found = found[0] if found else None
    if found is None:
        return Outcome(NONE)
    try:
        if isinstance(found, (str, bytes)):
            raise TypeError(repr(found))
        return value(float(found))
    except (TypeError, ValueError, RuntimeError) as error:
        return Outcome(NONSENSE, text=shown_error(error))
