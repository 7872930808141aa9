"""What the command line says: its output, its complaints, its exit status, and files it writes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..text import for_a_terminal, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

DONE = 0
SUSPICIOUS = 1  # what check --exit-code found; a figure that nothing explains; a definition changed
BAD_INPUT = 2
DIED = 3  # a program that conform asks
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE

EXIT_STATUS = """\
exit status:
  0    done
  1    check --exit-code: something suspicious was found;
       reproduce: a figure differs and no erratum explains it, or a claim
       does not check out; conform: a case fails;
       identify --expect: the definition is a different one
  2    bad input: one line on the standard error says what and where
  3    conform: the tested program died
  130  interrupted
  141  the program reading the output has closed it
"""

SHORT_EXIT_STATUS = "exit status: 0; 2 for bad input; rankspec --help lists them all"

Printed = tuple["str | bytes", int]
"""What a command prints, or the bytes of a file, and its exit status."""


def write(text: str | bytes) -> int:
    """Write the output, ids in the bytes they were read in, but on a terminal; the exit status."""
    assert isinstance(text, str)  # noqa: S101 - bytes have a file (cli.to_file)
    if sys.stdout is None:
        return complain("error: cannot write: the standard output is closed")
    if _is_terminal(sys.stdout):
        text = for_a_terminal(text)
    stream = getattr(sys.stdout, "buffer", None)
    try:
        if stream is None:  # replaced by a program that runs us, say by io.StringIO
            sys.stdout.write(text)
        else:
            left = memoryview(text.encode("utf-8", "surrogateescape"))
            while left:  # unbuffered (python -u), a pipe may take less than all at once
                left = left[stream.write(left) :]
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_the_rest()
        return BROKEN_PIPE
    except OSError as error:
        _discard_the_rest()
        return complain(f"error: cannot write: {error.strerror}")
    return 0


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # it was replaced by less than a file, or is closed
        return False


def _discard_the_rest() -> None:
    """Let go what is still in the buffers: Python flushes at its end, and would complain then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> int:
    """Say it in one line, where it can be said."""
    one_line = " ".join(message.splitlines())
    shown = "".join(c if _is_byte(c) else printable(c) for c in one_line)
    if sys.stderr is not None:
        if _is_terminal(sys.stderr):
            shown = for_a_terminal(shown)
        with suppress(OSError, ValueError):
            print(f"rankspec: {shown}", file=sys.stderr, flush=True)
    return BAD_INPUT


def _is_byte(c: str) -> bool:
    """Whether a character stands for a byte of a name that is no UTF-8; Python writes it so."""
    return "\udc80" <= c <= "\udcff"


def save(name: str, content: bytes) -> None:
    """Write a file as a whole: one that is there stays as it is until the new one is complete."""
    from pathlib import Path

    from ..errors import InputError

    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a pipe, say, cannot be replaced
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror}") from None


def _replace(path: Path, content: bytes) -> None:
    """Write beside the path what then takes its place, with the permissions that it has."""
    from secrets import token_hex

    mode = None
    if path.exists():
        with path.open("ab"):  # an error where it must not be written
            mode = path.stat().st_mode
    beside = path.with_name(f".rankspec-{token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # that no crash leaves a new name without its content
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    except BaseException:  # an interruption too
        with suppress(OSError):
            beside.unlink()
        raise
