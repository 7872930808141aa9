"""A command, run: its words are read, its work is done, and what it prints is written at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..compute.arithmetic import standard_arithmetic
from ..errors import CoreMissing, CoreMissingWarning, InputError, InputWarning
from ..later import enclosure
from ..typed import Any
from .commands import all_commands, divided, load
from .output import BAD_INPUT, DONE, Printed, complain, write
from .parser import HelpAsked, Parser, parsed
from .to_file import choose_format, written


def run(words: Sequence[str]) -> int:
    """Run the command that the words begin with; the exit status."""
    try:
        with _warnings_in_a_line():
            text, status = _printed(words)
        return write(text) or status
    except (InputError, CoreMissing) as error:
        return complain(f"error: {error}")


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """Warnings of input, and of a core that is missing, are in one line, as errors are."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", InputWarning)  # a setting for Python's own is not for them
        show = warnings.showwarning

        def in_a_line(
            message: Warning | str, category: type[Warning], *rest: Any, **named: Any
        ) -> None:
            if isinstance(message, InputWarning) and message.line:
                complain(f"warning: {message.line}")
            elif issubclass(category, CoreMissingWarning):
                complain(f"warning: {message}")
            else:
                show(message, category, *rest, **named)

        warnings.showwarning = in_a_line
        yield


@standard_arithmetic
def _printed(words: Sequence[str]) -> Printed:
    """What the command prints, and its exit status."""
    name, rest = divided(words)
    command = load(name)
    try:
        arguments, former = parsed(name, command, rest, _commands_with)
    except HelpAsked as asked:
        return str(asked), DONE
    if command.outputs:
        choose_format(arguments, command.outputs)
    try:
        text, status = command.run(arguments)
    except enclosure.Undecided as error:
        raise InputError(str(error)) from None
    for spelling in former:
        complain(f"warning: {spelling}")
    if status < BAD_INPUT and written(arguments, text):
        return "", status
    return text, status


def _commands_with(option: str) -> list[str]:
    """The commands that have this option, as they are typed; only errors need it."""
    found = []
    for name, command in all_commands().items():
        parser = Parser(prog=name)
        command.add_arguments(parser)
        if option in parser.options:
            found.append(f"rankspec {name}")
    return found
