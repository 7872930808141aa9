"""The commands: a line on each, the help on all of them, and where each is read from.

What says which commands there are imports none: the version, the help and a word that is no command
are answered at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .output import EXIT_STATUS, SHORT_EXIT_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .parser import Command, Parser

ABOUT = "The executable specification of the DCG family of ranking metrics."


def _eval() -> Command:
    from .eval import COMMAND

    return COMMAND


def _compare() -> Command:
    from .compare import COMMAND

    return COMMAND


def _power() -> Command:
    from .power import COMMAND

    return COMMAND


def _replicate() -> Command:
    from .replicate import COMMAND

    return COMMAND


def _explain() -> Command:
    from .explain import COMMAND

    return COMMAND


def _check() -> Command:
    from .check import COMMAND

    return COMMAND


def _classify() -> Command:
    from .classify import COMMAND

    return COMMAND


def _certify() -> Command:
    from .certify import COMMAND

    return COMMAND


def _session_eval() -> Command:
    from .session_eval import COMMAND

    return COMMAND


def _session_compare() -> Command:
    from .session_compare import COMMAND

    return COMMAND


def _session_sensitivity() -> Command:
    from .session_sensitivity import COMMAND

    return COMMAND


def _session_plot() -> Command:
    from .session_plot import COMMAND

    return COMMAND


def _diversity_eval() -> Command:
    from .diversity_eval import COMMAND

    return COMMAND


def _measures() -> Command:
    from .listings import MEASURES

    return MEASURES


def _profiles() -> Command:
    from .listings import PROFILES

    return PROFILES


def _reproduce() -> Command:
    from .reproduce import COMMAND

    return COMMAND


def _relevance() -> Command:
    from .relevance import COMMAND

    return COMMAND


def _conform() -> Command:
    from .conform import COMMAND

    return COMMAND


def _identify() -> Command:
    from .identify import COMMAND

    return COMMAND


def _axioms() -> Command:
    from .axioms import COMMAND

    return COMMAND


def _plot() -> Command:
    from .plot import COMMAND

    return COMMAND


def _plot_compare() -> Command:
    from .plot_compare import COMMAND

    return COMMAND


def _example() -> Command:
    from .example import COMMAND

    return COMMAND


def _completion() -> Command:
    from .completion import command

    return command(whole_parser)


COMMANDS: dict[str, tuple[str, Callable[[], Command]]] = {
    "eval": ("evaluate runs against qrels", _eval),
    "compare": ("find which systems differ, by which measure and test", _compare),
    "power": ("say how many queries a difference needs", _power),
    "replicate": ("say how far a run or an improvement repeats another", _replicate),
    "explain": ("explain the value of a measure for a query, rank by rank", _explain),
    "check": ("find what is suspicious in a run and its qrels", _check),
    "classify": ("find queries that tell good rankings from random ones", _classify),
    "certify": ("print a value with the proof of its digits, and its bits", _certify),
    "session eval": ("evaluate sessions of several queries", _session_eval),
    "session compare": ("find which systems differ on sessions", _session_compare),
    "session sensitivity": (
        "show how means depend on the bases of the discounts",
        _session_sensitivity,
    ),
    "session plot": ("draw a picture of sessions", _session_plot),
    "diversity eval": ("evaluate runs for queries with subtopics", _diversity_eval),
    "measures": ("list the measures, with their spec IDs", _measures),
    "profiles": ("list the conventions of other programs", _profiles),
    "reproduce": ("recompute the figures of a paper from its definitions", _reproduce),
    "relevance": (
        "derive relevance from scores: control points, each item",
        _relevance,
    ),
    "conform": ("check another program against the test vectors", _conform),
    "identify": ("find the definition that a function or a program computes", _identify),
    "axioms": ("find which axioms of the literature a metric satisfies", _axioms),
    "plot": ("draw a picture of a metric", _plot),
    "plot compare": ("draw a picture of a comparison of systems", _plot_compare),
    "example": ("print the paths of the example files, or copy them", _example),
    "completion": ("print a script for completion in a shell", _completion),
}
"""Each command: one line on it, and what imports it."""

GROUPS = {
    "session": "Sessions of several queries.",
    "diversity": "Queries with subtopics, or intents.",
}
"""The first words of commands of two words, and what those are about."""

HELP = ("-h", "--help")
OPTIONS = ("--help", "--version")
"""What may stand in the place of a command."""


def load(name: str) -> Command:
    """The command of that name; its module, and what that imports, is loaded here."""
    return COMMANDS[name][1]()


def all_commands() -> dict[str, Command]:
    """All commands by their names, loaded."""
    return {name: load(name) for name in COMMANDS}


def whole_parser() -> Parser:
    """The parser of all commands: what a shell completes."""
    from .parser import Parser, texts

    parser = Parser(prog="rankspec", description=ABOUT)
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    firsts = {group: commands.add_parser(group, help=about) for group, about in GROUPS.items()}
    behind: dict[str, Any] = {"": commands}  # what takes the word behind a first one
    for name, command in all_commands().items():
        first, _, last = name.rpartition(" ")
        if first not in behind:
            behind[first] = firsts[first].add_subparsers()
        known = behind[first].add_parser(last, help=COMMANDS[name][0], **texts(name, command))
        command.add_arguments(known)
        firsts.setdefault(name, known)
    return parser


def divided(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The name of the command, of one word or of two, and the words behind it.

    The first word of a command of two may be a command itself.
    """
    count = 2 if words[0] in GROUPS or " ".join(words[:2]) in COMMANDS else 1
    return " ".join(words[:count]), words[count:]


def help_on_several(words: Sequence[str]) -> str | None:
    """The help on rankspec as a whole or on a group of commands; None: it is not asked for."""
    if not words or words[0] in HELP:
        return _overview()
    if words[0] in GROUPS and (len(words) == 1 or words[1] in HELP):
        return _overview_of(words[0])
    return None


def no_command(words: Sequence[str]) -> str | None:
    """What is wrong where the words begin with no command; None: they do."""
    name, _ = divided(words)
    if name in COMMANDS and " " not in words[0]:
        return None
    group = words[0] if words[0] in GROUPS else ""
    option = words[1] if group else words[0]
    if option.startswith("-"):
        before = f"{group} " if group else ""
        return f'there is no option "{option}" before a command (see rankspec {before}--help)'
    from ..errors import hint

    known = list(_of(group)) or [*(name for name in COMMANDS if " " not in name), *GROUPS]
    meant = hint(name, known if group else [*known, *OPTIONS])
    return f'unknown command "{name}"{meant}; expected one of {", ".join(known)}'


def _of(group: str) -> dict[str, str]:
    """The commands whose first word is that, and a line on each."""
    return {name: about for name, (about, _) in COMMANDS.items() if name.startswith(f"{group} ")}


def _overview() -> str:
    width = max(map(len, COMMANDS)) + 2
    return f"""\
usage: rankspec COMMAND ...

{ABOUT}

commands (rankspec COMMAND --help says more, with examples):
{_listed({name: about for name, (about, _) in COMMANDS.items()}, width)}

options:
  {"-h, --help":{width}}this help
  {"--version":{width}}the version

{EXIT_STATUS}"""


def _overview_of(group: str) -> str:
    listed = _of(group)
    return f"""\
usage: rankspec {group} COMMAND ...

{GROUPS[group]}

commands (rankspec {group} COMMAND --help says more, with examples):
{_listed(listed, max(map(len, listed)) + 2)}

{SHORT_EXIT_STATUS}
"""


def _listed(commands: Mapping[str, str], width: int) -> str:
    return "\n".join(f"  {name:{width}}{about}" for name, about in commands.items())
