"""A program as a child process: it is sent lines and answers lines, in bounds.

It runs in a session of its own, and all that it has started is killed with it. Nothing that it does
makes the runner wait for ever or grow: a time-out for each answer, a longest line, a greatest
number of lines for one answer, and of its standard error the end alone is kept. Spec: RS-CONF-6.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic, sleep

from ...errors import InputError, shown_text

LONGEST_LINE = 1 << 22  # bytes of an answer, and of all that a program of files prints
KEPT_OF_ERRORS = 2000  # bytes of the standard error
SLICE = 0.05  # seconds after which it is looked whether the process still runs
GRACE = 1.0  # seconds for a process to end that has closed its streams
CHUNK = 1 << 16
EXITED = "it ended with the exit status"
KILLED = "it was killed by the signal"
IN_ORDER = f"{EXITED} 0"


class Gone(Exception):
    """The process has ended, or can no longer be talked to; the text says how."""


class TooSlow(Exception):
    """No answer within the time."""


class TooMuch(Exception):
    """More output than an answer can have."""


class Child:
    """A running program.

    takes_lines: whether it is sent lines; otherwise its standard input is empty

    An InputError where it cannot be run at all.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        takes_lines: bool = True,
    ) -> None:
        if os.name != "posix":
            raise InputError("programs can be run only on Linux and macOS")
        self.command = list(command)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - it is what the user asks for
                self.command,
                stdin=subprocess.PIPE if takes_lines else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=environment,
            )
        except OSError as error:
            raise InputError(f"{self.command[0]}: cannot be run: {error.strerror}") from None
        except ValueError as error:  # a zero byte in a word
            raise InputError(f"{shown_text(self.command[0])}: cannot be run: {error}") from None
        self._pending = b""
        self._read = bytearray()
        self._errors = bytearray()
        self._closed_input = self._closed_output = False
        self._selector = selectors.DefaultSelector()
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self._output, self._error = (-1 if x is None else x.fileno() for x in streams)
        for x in streams:
            if x is not None:
                os.set_blocking(x.fileno(), False)
        for stream in (self._output, self._error):
            self._selector.register(stream, selectors.EVENT_READ)

    # ---- lines ----

    def send(self, line: bytes) -> None:
        """Send a line; what the pipe does not take at once goes while an answer is waited for."""
        self._pending += line
        self._write()

    def line(self, deadline: float) -> bytes:
        """The next line that it writes, without its end.

        Raises TooSlow after the deadline, Gone where there can be none, TooMuch where it is too
        long.
        """
        while (end := self._read.find(b"\n")) < 0:
            if len(self._read) > LONGEST_LINE:
                raise TooMuch(f"a line of more than {LONGEST_LINE >> 20} MiB")
            left = deadline - monotonic()
            if self._closed_output:
                raise Gone(self._ended("it closed its standard output"))
            if self._closed_input and left > GRACE:
                deadline, left = monotonic() + GRACE, GRACE
            if left <= 0:
                if self._closed_input:
                    raise Gone(self._ended("it closed its standard input"))
                raise TooSlow
            if not self._turn(min(left, SLICE)) and self._has_ended() and not self._turn(0):
                raise Gone(self._ended(""))
        found = bytes(self._read[:end])
        del self._read[: end + 1]
        return found

    def has_line(self, seconds: float = 0) -> bool:
        """Whether it has written another line already, or does within the time."""
        deadline = monotonic() + seconds
        with suppress(OSError):
            while b"\n" not in self._read and len(self._read) <= LONGEST_LINE:
                left = max(0.0, deadline - monotonic())
                if not self._turn(left) and (left == 0 or self._closed_output):
                    break
        return b"\n" in self._read

    def rest(self) -> list[bytes]:
        """The lines that it has written and nobody has read."""
        found = bytes(self._read).splitlines()
        self._read.clear()
        return found

    def output(self, deadline: float, most_lines: int) -> tuple[list[str], str]:
        """Return all lines that it writes until it ends, and how it ended.

        Raises TooSlow after the deadline, TooMuch for more lines than that or more bytes than
        LONGEST_LINE; it is killed then.
        """
        lines: list[bytes] = []
        size, how = 0, ""
        try:
            while not how:
                try:
                    new = [self.line(deadline)]
                except Gone as error:
                    how, new = str(error), self.rest()  # a last line without its end
                lines += new
                size += sum(len(line) + 1 for line in new)
                if len(lines) > most_lines:
                    raise TooMuch(f"more than {most_lines} lines")
                if size > LONGEST_LINE:
                    raise TooMuch(f"more than {LONGEST_LINE >> 20} MiB")
        except BaseException:
            self.kill()
            raise
        return [line.decode("utf-8", "replace") for line in lines], how

    def end(self, line: bytes, seconds: float) -> str:
        """Send the last line and wait for the end; how it ended, "" where as it should."""
        self.send(line)
        deadline = monotonic() + seconds
        while not self._has_ended():
            if monotonic() > deadline:
                self.kill()
                return f"it did not end within {seconds:g} seconds after the stop"
            if self._pending:
                self._write()
            self._turn(SLICE)
            if len(self._read) > LONGEST_LINE:
                self.kill()
                return "it went on writing after the stop"
        how = self._ended("")
        return "" if how == IN_ORDER else f"{how} after the stop"

    # ---- its end ----

    def kill(self) -> None:
        """End it, and all that it has started, at once."""
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(OSError):
            self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=GRACE)
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    @property
    def errors(self) -> str:
        """The end of what it wrote on the standard error."""
        return bytes(self._errors[-KEPT_OF_ERRORS:]).decode("utf-8", "backslashreplace").strip()

    def _ended(self, otherwise: str) -> str:
        """How it ended: its exit status, or the signal; else what is said. It is killed then."""
        deadline = monotonic() + GRACE
        while not self._has_ended() and monotonic() < deadline:
            self._turn(SLICE / 5)
        for _ in range(KEPT_OF_ERRORS):  # what it still said; a child of it may go on for ever
            if not self._turn(0):
                break
        ended = self._has_ended()
        self.kill()
        status = self._process.returncode
        if not ended or status is None:
            return otherwise or "it ended"
        if status >= 0:
            return f"{EXITED} {status}"
        with suppress(ValueError):
            return f"{KILLED} {signal.Signals(-status).name}"
        return f"{KILLED} {-status}"

    def _has_ended(self) -> bool:
        """Whether the process has ended; it is not reaped, as its group is still to be killed."""
        if self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._process.pid, options) is not None
        except ChildProcessError:
            return True

    # ---- the pipes ----

    def _turn(self, seconds: float) -> bool:
        """Read and write what can be read and written within that time; whether anything was."""
        if not self._selector.get_map():
            sleep(seconds)
            return False
        found = False
        for key, _ in self._selector.select(seconds):
            stream = key.fd
            if stream == self._input:
                self._write()
                found = True
            elif self._take(stream):
                found = True
        return found

    def _take(self, stream: int) -> bool:
        try:
            data = os.read(stream, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(stream)
            self._closed_output |= stream == self._output
            return False
        if stream == self._output:
            if len(self._read) <= LONGEST_LINE:  # what is longer is refused: no more of it is kept
                self._read += data
        else:
            self._errors += data
            del self._errors[: -2 * KEPT_OF_ERRORS]
        return True

    def _write(self) -> None:
        if self._closed_input:
            self._pending = b""
            return
        try:
            while self._pending:
                self._pending = self._pending[os.write(self._input, self._pending) :]
        except BlockingIOError:
            pass
        except OSError:
            self._closed_input, self._pending = True, b""
        registered = self._input in self._selector.get_map()
        if self._pending and not registered:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        elif not self._pending and registered:
            self._selector.unregister(self._input)
