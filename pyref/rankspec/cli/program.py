"""The program ``rankspec``: the command line, in a process that ends with it.

People call evaluations in loops, so the process neither collects garbage, which there is little
of, nor clears what its end clears.
"""

from __future__ import annotations

import signal

# Interrupted before the command line is there to say so, the process just ends.
signal.signal(signal.SIGINT, signal.SIG_DFL)

import gc
import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def program() -> NoReturn:
    """Run the command of this process, and end with its exit status."""
    gc.disable()
    from .main import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, AttributeError, ValueError):  # closed: main() has dealt with it
            stream.flush()
    os._exit(status)
