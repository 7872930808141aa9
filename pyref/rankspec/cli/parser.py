"""The parser of a command: what argparse lacks, its complaints in one line, and its help.

Only the parser of the command that is run is built: start-up counts.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..errors import InputError, hint
from ..evaluation.render import Output
from ..typed import Any, NamedTuple, NoReturn
from . import former
from .asked import MEASURE, check_no_measures, complain_of_measure
from .output import SHORT_EXIT_STATUS, Printed

WIDTH = 80

TREC_EVAL_OPTIONS = {
    "-c": "--queries qrels, the default",
    "-J": "--unjudged condensed --negative unjudged",
    "-l": "--rel",
    "-M": "--depth",
    "-n": "to leave out -q",
}

LIKE_MEASURE = ("--measures", "--metric", "--metrics")
"""What one may write for --measure; --measures of rankspec compare is another option."""

SIGNED = "--grades"
"""The option whose value may begin with a sign: argparse would take "-2=0" for another option."""


class Command(NamedTuple):
    """A command: its usage, more on it, examples, what adds its arguments, and what does it.

    outputs: its output formats, the default first; none: it has but one
    """

    usage: str
    description: str
    examples: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], Printed]
    outputs: tuple[Output, ...] = ()


class Help(argparse.RawDescriptionHelpFormatter):
    """Help in 80 columns, or fewer where the terminal has fewer."""

    def __init__(self, prog: str) -> None:
        # argparse would import shutil to ask, for each argument that is added.
        super().__init__(prog, max_help_position=24, width=_columns() - 2)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return min(int(given), WIDTH)
    try:
        return min(os.get_terminal_size(1).columns or WIDTH, WIDTH)
    except OSError:
        return WIDTH


class HelpAsked(Exception):
    """--help was given; the text is the argument. It is printed like any other output."""


class _StoreOnce(argparse._StoreAction):
    """What is given a second time would be lost."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if self.option_strings:
            given = namespace.__dict__.setdefault("_given", set())
            if self.dest in given:
                raise argparse.ArgumentError(self, "this option is given twice")
            given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


def first_given(arguments: argparse.Namespace, names: Iterable[str]) -> str | None:
    """The first of these options that is there, as it is typed; others have their defaults."""
    given: set[str] = getattr(arguments, "_given", set())
    return next((name.replace("_", "-") for name in names if name in given), None)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints take one line, and which takes each option once.

    instead: the options that stand in the place of positional arguments, each in that of some
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.instead: tuple[str, ...] = ()
        for name in (None, "store"):
            self.register("action", name, _StoreOnce)

    @property
    def options(self) -> Mapping[str, argparse.Action]:
        """The options as they are typed, each with what it is."""
        return self._option_string_actions

    @property
    def arguments(self) -> Sequence[argparse.Action]:
        """The positional arguments."""
        return self._get_positional_actions()

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        raise HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        if message.endswith("expected one argument"):
            message += '; write an argument that begins with "-" after "=", as in --option=-1'
        raise InputError(f"{message} (see {self.prog} --help)")


def parsed(
    name: str, command: Command, rest: Sequence[str], others: Callable[[str], Sequence[str]]
) -> tuple[argparse.Namespace, list[str]]:
    """The arguments of a command, and warnings of spellings that have gone.

    others: the commands that have an option; an InputError names them where this one has it not
    """
    parser = Parser(prog=f"rankspec {name}", **texts(name, command))
    command.add_arguments(parser)
    words, gone = former.modern(parser.options, rest)
    if SIGNED in parser.options:
        words = _joined(words, SIGNED)
    if any(word.partition("=")[0] in parser.instead for word in former.before_two_dashes(words)):
        for action in parser.arguments:
            action.required = False
    optional = sum(action.nargs == "?" for action in parser.arguments)
    # Options between arguments that may be missing would end the search for these.
    parse = parser.parse_known_intermixed_args if optional > 1 else parser.parse_known_args
    arguments, unknown = parse(words)
    if unknown:
        raise _unknown(parser, unknown, others)
    if MEASURE in parser.options:
        check_no_measures(getattr(arguments, action.dest) for action in parser.arguments)
    return arguments, gone


def _joined(words: list[str], option: str) -> list[str]:
    """The words, an option and the next in one."""
    before = former.before_two_dashes(words)
    at = before.index(option) if option in before else -1
    if at < 0 or at + 1 == len(words):
        return words
    return [*words[:at], f"{option}={words[at + 1]}", *_joined(words[at + 2 :], option)]


def _unknown(
    parser: Parser, unknown: Sequence[str], others: Callable[[str], Sequence[str]]
) -> InputError:
    given = next((word for word in unknown if word.startswith("-")), unknown[0])
    if not given.startswith("-"):
        if MEASURE in parser.options:
            complain_of_measure(given)
        return InputError(f'unexpected argument "{given}" (see {parser.prog} --help)')
    option = given.partition("=")[0]
    known = TREC_EVAL_OPTIONS.get(option[:2] if not option.startswith("--") else option)
    if known:
        return InputError(f'unknown option "{option}"; for this option of trec_eval use {known}')
    if MEASURE in parser.options and option in LIKE_MEASURE:
        return InputError(
            f'{parser.prog} has no option "{option}"; name measures with {MEASURE} (--measure)'
        )
    if having := others(option):
        return InputError(
            f'{parser.prog} has no option "{option}"; {", ".join(having)} '
            f"{'has' if len(having) == 1 else 'have'} it"
        )
    meant = hint(option, parser.options)
    return InputError(f'unknown option "{option}"{meant} (see {parser.prog} --help)')


def texts(name: str, command: Command) -> dict[str, Any]:
    """What the parser of a command is made with."""
    return {
        "usage": f"rankspec {name} {command.usage}".rstrip(),
        "description": command.description,
        "epilog": f"examples:\n{command.examples}\n{SHORT_EXIT_STATUS}",
        "formatter_class": Help,
        "allow_abbrev": False,
    }
