"""The command line: ``rankspec eval``, ``explain``, ``check``, ``classify``, ``measures``, ...

A command computes its whole output before a byte of it is written: bad input leaves one line on
the standard error, nothing on the standard output, and the exit status 2.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from . import VERSION
from .commands import help_on_several, no_command
from .output import INTERRUPTED, complain, write


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        if (text := help_on_several(words)) is not None:
            return write(text)
        if words[0] == "--version":
            return write(f"rankspec {VERSION}\n")
        if (wrong := no_command(words)) is not None:
            return complain(f"error: {wrong}")
        from .run import run

        return run(words)
    except MemoryError:
        return complain("error: not enough memory")
    except KeyboardInterrupt:
        return INTERRUPTED
