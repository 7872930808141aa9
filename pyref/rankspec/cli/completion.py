"""``rankspec completion``: what makes a shell complete commands, options and names."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from . import words
from .output import DONE, Printed
from .parser import Command, Parser

SHELLS = ("bash", "zsh", "fish", "tcsh")
EXAMPLES = """\
  rankspec completion bash > ~/.local/share/bash-completion/completions/rankspec
  rankspec completion zsh > ~/.zfunc/_rankspec       # a folder of your fpath
  rankspec completion fish > ~/.config/fish/completions/rankspec.fish
  eval "$(rankspec completion bash)"                 # for this shell only
"""


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "shell",
        metavar="SHELL",
        type=words.one_of("shell", SHELLS),
        choices=SHELLS,
        help=", ".join(SHELLS),
    )


def command(whole_parser: Callable[[], Parser]) -> Command:
    """The command, which completes what the parser of all commands takes."""

    def run(arguments: Namespace) -> Printed:
        from .completion_script import script

        return script(arguments.shell, whole_parser()), DONE

    return Command(
        "SHELL",
        "Print a script that makes a shell complete commands, options and names.",
        EXAMPLES,
        add_arguments,
        run,
    )
