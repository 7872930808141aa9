"""What can be written on the command line: the commands, their arguments, and their help."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from ..compute.gain import number
from ..errors import InputError, hint
from ..evaluation.conventions import CONVENTIONS, OWN, Convention, convention, written
from ..formats.trec import QRELS, RUN
from ..metrics.grammar import measures
from ..metrics.parameters import GAIN, Parameter
from ..metrics.relevance import QUARTILES, VARIANT
from ..reference.numbers.reals import Exact

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10", "RR")
DEFAULT_OF_SCORES = "nDCG_phi@10"
DEFAULT_OF_SESSIONS = ("nsDCG@10", "sDCG@10", "query_nDCG@10")
SHELLS = ("bash", "zsh", "fish", "tcsh")
WIDTH = 80

ABOUT = "The executable specification of the DCG family of ranking metrics."

EXIT_STATUS = """\
exit status:
  0    done
  1    check --exit-code: something suspicious was found;
       reproduce: a figure differs that no erratum explains, or a check of a
       claim is not as expected
  2    bad input: one line on the standard error says what and where
  130  interrupted
  141  the reader of the output has gone
"""

SHORT_EXIT_STATUS = "exit status: 0; 2 for bad input; rankspec --help lists them all"
TREC_EVAL_OPTIONS = {
    "-c": "--queries qrels, the default",
    "-J": "--unjudged condensed --negative unjudged",
    "-l": "--rel",
    "-M": "--depth",
    "-n": "to leave out -q",
}


class Command(NamedTuple):
    """A command: its usage, one line on it, more on it, examples, and what adds its arguments."""

    usage: str
    help: str
    description: str
    examples: str
    add_arguments: Callable[[argparse.ArgumentParser], None]


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
                raise argparse.ArgumentError(self, "it is there twice")
            given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints take one line, and which takes each option once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name in (None, "store"):
            self.register("action", name, _StoreOnce)

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        raise HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        if message.endswith("expected one argument"):
            message += '; one that begins with "-" follows a "="'
        raise InputError(f"{message} (see {self.prog} --help)")


def parsed(command: str, rest: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command; an InputError for what it does not know.

    Only the parser of this command is built: start-up counts.
    """
    parser = Parser(prog=f"rankspec {command}", **_texts(command))
    COMMANDS[command].add_arguments(parser)
    words = list(rest)
    if "-m" in parser._option_string_actions:
        words = _each_measure(words)
    if "--grades" in parser._option_string_actions:
        words = _joined(words, "--grades")
    if any(word.partition("=")[0] == "--letor" for word in _before_two_dashes(words)):
        _take_no_runs(parser)
    optional = sum(action.nargs == "?" for action in parser._get_positional_actions())
    # Options between arguments that may be missing would end the search for these.
    parse = parser.parse_known_intermixed_args if optional > 1 else parser.parse_known_args
    arguments, unknown = parse(words)
    if unknown:
        raise _unknown(parser, unknown)
    if "-m" in parser._option_string_actions:
        _check_files(arguments)
    return arguments


def _check_files(arguments: argparse.Namespace) -> None:
    """An InputError for a measure where a file belongs."""
    for name in ("qrels", "run", "runs", "sessions"):
        given = getattr(arguments, name, None) or []
        for word in [given] if isinstance(given, str) else given:
            if not os.path.lexists(word) and _is_measure(word):
                raise InputError(
                    f'"{word}" is a measure, and no file of that name is there; a measure follows '
                    f'-m: -m "{word}"'
                )


def _before_two_dashes(words: Sequence[str]) -> Sequence[str]:
    """The words that may be options."""
    return words[: words.index("--")] if "--" in words else words


def _each_measure(words: list[str]) -> list[str]:
    """The words, with an -m before each of several measures that one -m has.

    What reads as no measure is a file: argparse would take that for a measure, too.
    """
    found: list[str] = []
    before = ""  # the option that the word is for; -m also of each further measure
    options = _before_two_dashes(words)
    for word in options:
        if word in ("-m", "--measure"):
            before = word
        elif word.startswith("-"):
            before = "more" if re.match("-m|--measure=", word) else ""
        elif before == "more" and _is_measure(word):
            found.append("-m")
        else:
            before = "more" if before in ("-m", "--measure") else ""
        found.append(word)
    return [*found, *words[len(options) :]]


def _joined(words: list[str], option: str) -> list[str]:
    """The words, an option and the next in one: argparse takes "-2=0" for another option."""
    at = _before_two_dashes(words).index(option) if option in _before_two_dashes(words) else -1
    if at < 0 or at + 1 == len(words):
        return words
    return [*words[:at], f"{option}={words[at + 1]}", *_joined(words[at + 2 :], option)]


def _is_measure(word: str) -> bool:
    try:
        return bool(measures(word))
    except InputError:
        return False


def _unknown(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> InputError:
    given = next((word for word in unknown if word.startswith("-")), unknown[0])
    if not given.startswith("-"):
        if "-m" in parser._option_string_actions and re.search("[@(]", given):
            measures(given)  # which may say what is wrong with it
        return InputError(f'unexpected argument "{given}" (see {parser.prog} --help)')
    option = given.partition("=")[0]
    known = TREC_EVAL_OPTIONS.get(option[:2] if not option.startswith("--") else option)
    if known:
        return InputError(f'there is no option "{option}"; what it is in trec_eval is {known} here')
    if others := _commands_with(option):
        return InputError(
            f'there is no option "{option}" of {parser.prog}; {", ".join(others)} '
            f"{'has' if len(others) == 1 else 'have'} it"
        )
    meant = hint(option, parser._option_string_actions)
    return InputError(f'there is no option "{option}"{meant} (see {parser.prog} --help)')


def _commands_with(option: str) -> list[str]:
    """The commands that have this option, as they are typed; only errors need it."""
    found = []
    for name, command in COMMANDS.items():
        parser = Parser(prog=name)
        command.add_arguments(parser)
        if option in parser._option_string_actions:
            found.append(f"rankspec {name}")
    return found


def overview() -> str:
    """The help on rankspec as a whole."""
    width = max(map(len, COMMANDS)) + 2
    return f"""\
usage: rankspec COMMAND ...

{ABOUT}

commands (rankspec COMMAND --help says more, with examples):
{_listed(COMMANDS, width)}

options:
  {"-h, --help":{width}}this help
  {"--version":{width}}the version

{EXIT_STATUS}"""


def _overview_of(group: str) -> str:
    """The help on the commands whose first word is that."""
    listed = {name: command for name, command in COMMANDS.items() if name.split()[0] == group}
    return f"""\
usage: rankspec {group} COMMAND ...

{GROUPS[group]}

commands (rankspec {group} COMMAND --help says more, with examples):
{_listed(listed, max(map(len, listed)) + 2)}

{SHORT_EXIT_STATUS}
"""


def _listed(commands: Mapping[str, Command], width: int) -> str:
    return "\n".join(f"  {name:{width}}{command.help}" for name, command in commands.items())


def whole_parser() -> argparse.ArgumentParser:
    """The parser of all commands: what a shell completes."""
    parser = Parser(prog="rankspec", description=ABOUT)
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers()
    of_groups = {
        group: commands.add_parser(group, help=about).add_subparsers()
        for group, about in GROUPS.items()
    }
    for name, command in COMMANDS.items():
        group, _, last = name.rpartition(" ")
        beside = of_groups[group] if group else commands
        command.add_arguments(beside.add_parser(last, help=command.help, **_texts(name)))
    return parser


def command_of(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The command, of one word or of two, and the words behind it.

    HelpAsked where only the first of two is given; an InputError where there is no such command.
    """
    first, *rest = words
    if first not in GROUPS:
        return _known(first, [*(name for name in COMMANDS if " " not in name), *GROUPS]), rest
    if not rest or rest[0] in ("-h", "--help"):
        raise HelpAsked(_overview_of(first))
    of_group = [name for name in COMMANDS if name.split()[0] == first]
    if rest[0].startswith("-"):
        raise InputError(_no_option(rest[0], f"{first} "))
    return _known(f"{first} {rest[0]}", of_group), rest[1:]


def _known(word: str, names: Sequence[str]) -> str:
    """One of the names, or an InputError."""
    if word in names:
        return word
    if word.startswith("-"):
        raise InputError(_no_option(word))
    raise InputError(f'"{word}" is no command{hint(word, names)}; there are {", ".join(names)}')


def _no_option(word: str, group: str = "") -> str:
    return f'there is no option "{word}" before a command (see rankspec {group}--help)'


def _texts(name: str) -> dict[str, Any]:
    command = COMMANDS[name]
    return {
        "usage": f"rankspec {name} {command.usage}".rstrip(),
        "description": command.description,
        "epilog": f"examples:\n{command.examples}\n{SHORT_EXIT_STATUS}",
        "formatter_class": Help,
        "allow_abbrev": False,
    }


# ---- the arguments of each command -------------------------------------------------------


def _eval(parser: argparse.ArgumentParser) -> None:
    from ..evaluation.outputs import OUTPUTS

    _add_systems(parser)
    _add_measure(
        parser,
        "as in ir_measures or trec_eval; one or several "
        f"(default: {' '.join(DEFAULT_MEASURES)}; of scores {DEFAULT_OF_SCORES})",
    )
    _add_conventions(parser)
    _add_judgments(parser)
    output = parser.add_argument_group("output")
    output.add_argument("-q", "--per-query", action="store_true", help="the queries' values too")
    _add_format(output, *(known.name for known in OUTPUTS))
    _add_digits_by_format(output)
    _add_progress(_add_backend(parser))


def _explain(parser: argparse.ArgumentParser) -> None:
    _add_qrels(parser)
    _add_run(parser)
    _add_letor(parser)
    parser.add_argument("--query", required=True, metavar="Q", help="a query of the qrels")
    _add_measure(parser, f"one, as in ir_measures or trec_eval (default: {DEFAULT_MEASURES[0]})")
    _add_conventions(parser)
    _add_judgments(parser)
    output = parser.add_argument_group("output")
    _add_format(output, "table", "json")
    _add_digits(output)


def _check(parser: argparse.ArgumentParser) -> None:
    _add_qrels(parser)
    _add_run(parser)
    _add_letor(parser)
    parser.add_argument(
        "--top", type=_above_0, default=10, metavar="K", help="ranks that count (default: 10)"
    )
    _add_conventions(parser)
    _add_judgments(parser)
    output = parser.add_argument_group("output")
    _add_format(output, "table", "json")
    output.add_argument(
        "--exit-code", action="store_true", help="exit with 1 where something is suspicious"
    )
    _add_progress(_add_backend(parser))


def _classify(parser: argparse.ArgumentParser) -> None:
    _add_systems(parser)
    _add_measure(parser, "one metric at several cut-offs (default: nDCG at 5, 10, 15, 20, 30)")
    classes = parser.add_argument_group("classes")
    classes.add_argument(
        "--top",
        type=_above_0,
        metavar="N",
        help="how many queries are ideal, and how many uninformative (default: a tenth)",
    )
    gaps = ("signed", "absolute")
    classes.add_argument(
        "--gap",
        type=_one_of("gap", gaps),
        choices=gaps,
        default=gaps[0],
        metavar="RULE",
        help="uninformative are those of the smallest gap, or next to 0: signed (default), "
        "absolute",
    )
    for name, default in (("hard", "1/3"), ("easy", "2/3")):
        classes.add_argument(
            f"--{name}",
            type=_share,
            default=_share(default),
            metavar="X",
            help=f"{name}: both values are at {'most' if name == 'hard' else 'least'} this share "
            f"of the ideal ranking's (default: {default})",
        )
    _add_conventions(parser)
    output = parser.add_argument_group("output")
    _add_format(output, "table", "tsv", "json")
    _add_digits_by_format(output)
    _add_progress(_add_backend(parser))


def _session_eval(parser: argparse.ArgumentParser) -> None:
    from ..evaluation.sessions.outputs import OUTPUTS
    from ..metrics.session import IDEAL, PADDING, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS

    _add_sessions(parser)
    _add_measure(parser, f"of sessions; one or several (default: {' '.join(DEFAULT_OF_SESSIONS)})")
    _add_session_conventions(parser)
    _add_session_parameters(parser, (GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, REPEATS, PADDING, IDEAL))
    output = parser.add_argument_group("output")
    output.add_argument("-q", "--per-session", action="store_true", help="the sessions' values too")
    _add_format(output, *(known.name for known in OUTPUTS))
    _add_digits_by_format(output)
    _add_backend(parser)


def _session_plot(parser: argparse.ArgumentParser) -> None:
    from ..evaluation.sessions.averages import FINISHED
    from ..metrics.session import IDEAL, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS

    parser.add_argument("figure", metavar="FIGURE", nargs="?", help="one of them (default: a list)")
    _add_sessions(parser)
    for action in parser._get_positional_actions()[1:]:  # without files: the example's
        action.nargs = "?" if action.dest == "qrels" else "*"
        action.required = False
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .png, .svg or .pdf (default: session-FIGURE.png)",
    )
    drawn = parser.add_argument_group("what is drawn")
    drawn.add_argument("--topic", metavar="T", help="the sessions of this topic alone")
    drawn.add_argument(
        "--least-queries",
        type=_above_0,
        metavar="N",
        help="the sessions of N queries or more; scenario: beside all (default: 4)",
    )
    drawn.add_argument(
        "-X",
        "--top",
        type=_above_0,
        dest="k",
        metavar="X",
        help="results of each query (default: 10; last-query: the longest list, at most 100)",
    )
    drawn.add_argument(
        "--finished",
        type=_one_of("reading", FINISHED),
        choices=FINISHED,
        metavar="RULE",
        help="average: the ideal of a session that has ended: held (default), continued, average",
    )
    drawn.add_argument(
        "--not-normalised",
        action="store_const",
        const=False,
        dest="normalised",
        help="average: sDCG in the place of nsDCG",
    )
    _add_session_conventions(parser, without=("undefined",))
    _add_session_parameters(parser, (GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, REPEATS, IDEAL))
    _add_backend(parser)


def _measures(parser: argparse.ArgumentParser) -> None:
    _add_format(parser, "table", "json")


def _profiles(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("profile", metavar="NAME", nargs="?", help="one of them (default: all)")
    _add_format(parser, "table", "json")


def _reproduce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="one of them (default: a list)")
    _add_experiment(parser)
    output = parser.add_argument_group("output")
    _add_format(output, "table", "json")
    _add_digits(output)
    _add_backend(parser)


def _plot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plot", metavar="NAME", nargs="?", help="one of them (default: a list)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .png, .svg or .pdf (default: NAME.png)",
    )
    parser.add_argument(
        "-M", type=_whole, metavar="N", help="expected-dcg: the most results (default: 10)"
    )
    parser.add_argument(
        "--scores",
        type=_scores,
        metavar="SCORES",
        help="relevance: the scores of the items (default: two examples)",
    )
    parser.add_argument(
        "--labels",
        type=_labels,
        metavar="LABELS",
        help="length: the labels of the ranking (default: 2,2,2,1,1,0,0,0,0,0)",
    )
    _add_experiment(parser)
    _add_backend(parser)


def _relevance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="lines: query iteration document score; or one number each"
    )
    parser.add_argument("--query", metavar="Q", help="one of the queries (default: all)")
    for parameter in (VARIANT, QUARTILES):
        parser.add_argument(
            f"--{parameter.name}",
            type=_one_of(parameter.name, parameter.words),
            choices=parameter.words,
            default=parameter.default,
            metavar="NAME",
            help=parameter.help,
        )
    output = parser.add_argument_group("output")
    _add_format(output, "table", "tsv", "json")
    _add_digits_by_format(output)
    output.add_argument(
        "-o", "--output", metavar="PLOT", help="draw it, into a file .png, .svg or .pdf, too"
    )
    _add_backend(parser)


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--samples",
        type=_whole,
        metavar="N",
        help="moniz-2016: samples of each distribution, 1 to 100000 (default: 1000)",
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="moniz-2016: real scores too, from tables with columns IDLink, TS1, ..., TS144; "
        "karmaker-2022: real rankings too, from LETOR files",
    )


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell",
        metavar="SHELL",
        type=_one_of("shell", SHELLS),
        choices=SHELLS,
        help=", ".join(SHELLS),
    )


def _example(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--letor", action="store_true", help="that of a LETOR file, in their place")
    group.add_argument(
        "--sessions", action="store_true", help="those of sessions: judgments, then two systems"
    )
    group.add_argument(
        "--copy", metavar="DIR", help="copy all of them into a folder, and print nothing"
    )


def _add_sessions(parser: argparse.ArgumentParser) -> None:
    """Judgments, and the sessions of one or several systems."""
    from ..evaluation.conventions import SESSIONS as OF_SESSIONS
    from ..formats.file_format import forms
    from ..formats.sessions import JUDGMENTS, SESSIONS

    parser.add_argument("qrels", metavar="QRELS", help=forms(JUDGMENTS, ", or "))
    parser.add_argument(
        "sessions",
        metavar="SESSIONS",
        nargs="+",
        help=f"the sessions of a system: {forms(SESSIONS, '; or ')}",
    )
    parser.add_argument(
        "--topics",
        metavar="MAP",
        help="lines: session topic; sessions that it does not name are left out",
    )
    parser.add_argument(
        "--current", metavar="RUN", help="a TREC run: the ranking of the last query of each session"
    )
    order = convention("order").applied_to(OF_SESSIONS)
    parser.add_argument("--order", metavar=order.metavar, help=_about(order))


_GRADES = "labels and what they stand for: -2=0,4=2; the others stay as they are"


def _add_session_conventions(parser: argparse.ArgumentParser, without: Sequence[str] = ()) -> None:
    """An option for each convention between files and labels."""
    from ..evaluation.sessions.judgments import (
        CONVENTIONS as OF_SESSIONS,  # only these commands need it
    )

    group = parser.add_argument_group("conventions", "Each list begins with the default.")
    for known in OF_SESSIONS:
        if known.name in without:
            continue
        where = f" (default: {known.open_default})" if known.open_default else ""
        group.add_argument(
            f"--{known.name.replace('_', '-')}",
            metavar=known.metavar,
            help=f"{known.about}: {', '.join(known.values)}{where}",
        )
    group.add_argument("--grades", type=_grades, metavar="GRADES", help=_GRADES)


def _add_session_parameters(
    parser: argparse.ArgumentParser, parameters: Sequence[Parameter]
) -> None:
    """An option for each parameter that a measure may not say itself."""
    group = parser.add_argument_group(
        "parameters", "What a measure takes that does not say so itself."
    )
    for known in parameters:
        group.add_argument(
            f"--{known.name.replace('_', '-')}",
            type={"repeats": _repeats, "padding": _padding}.get(known.name, str),
            metavar=known.name.upper().replace("QUERY_", ""),
            help=f"{known.help} (default: {known.words[0] if known.words else known.default})",
        )


def _add_qrels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("qrels", metavar="QRELS", help=QRELS.form)


def _add_systems(parser: argparse.ArgumentParser) -> None:
    """Qrels and runs, or a LETOR file and what ranks its rows."""
    _add_qrels(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help=RUN.form)
    _add_letor(parser)


def _add_letor(parser: argparse.ArgumentParser) -> None:
    """A LETOR file and what ranks its rows."""
    from ..formats.letor import FORM

    letor = parser.add_argument_group("LETOR files, in the place of QRELS and RUN")
    letor.add_argument(
        "--letor",
        metavar="FILE",
        help=FORM,
    )
    letor.add_argument(
        "--feature",
        type=_feature,
        action="extend",
        nargs="+",
        metavar="N",
        help="a feature that ranks, the highest value first; -N: the lowest first",
    )
    letor.add_argument(
        "--predictions",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="what ranks in its place: a number a line, a row; --scores FILE ... says the same",
    )
    letor.add_argument(
        "--group",
        metavar="FILE",
        help="the number of rows of each query, where they have no qid (default: FILE.query)",
    )


def _take_no_runs(parser: argparse.ArgumentParser) -> None:
    """With --letor: no positional argument is required, and --scores takes files."""
    for action in parser._get_positional_actions():
        action.required = False
    scores = parser._option_string_actions.get("--scores")
    if scores is not None:
        scores.nargs = "+"


class _Scores(argparse.Action):
    """--scores: the rule by which scores are compared; with --letor also files, as --predictions.

    A list of words is given with --letor alone (_take_no_runs).
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        rules = convention("scores").values
        for word in [values] if isinstance(values, str) else values:
            if isinstance(values, str) or word in rules:
                namespace.scores = word
                continue
            if word != "-" and not os.access(word, os.R_OK):
                raise argparse.ArgumentError(
                    self,
                    f'"{word}" is neither a rule ({", ".join(rules)}) nor a file that can be read'
                    f"{hint(word, rules)}",
                )
            namespace.predictions = [*(namespace.predictions or []), word]


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help=RUN.form)


def _add_format(group: argparse._ActionsContainer, *formats: str) -> None:
    group.add_argument(
        "--format",
        type=_one_of("format", formats),
        choices=formats,
        default=formats[0],
        metavar="FORMAT",
        help=", ".join([f"{formats[0]} (default)", *formats[1:]]),
    )


def _add_digits(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--digits", type=_digits, default=4, metavar="N", help="decimals (default: 4)"
    )


def _add_digits_by_format(group: argparse._ActionsContainer) -> None:
    """The same where tsv is a format, which has all of them by default."""
    group.add_argument(
        "--digits",
        type=_digits,
        metavar="N",
        help="decimals (default: 4; tsv: as many as the double needs; json: always those)",
    )


def _add_measure(parser: argparse.ArgumentParser, about: str) -> None:
    parser.add_argument("-m", "--measure", action="append", metavar="MEASURE", help=about)


def _add_backend(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """How the work is done, which changes no number."""
    backends = ("auto", "c", "reference")
    group = parser.add_argument_group("work")
    group.add_argument(
        "--backend",
        type=_one_of("backend", backends),
        choices=backends,
        default="auto",
        metavar="NAME",
        help="auto (default): c, the compiled core, or where it is not built, with a warning, "
        "reference: the same values, by the certified reference",
    )
    return group


def _add_progress(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--no-progress",
        action="store_false",
        dest="progress",
        help="no progress bar (it is drawn on a terminal only, and after a second)",
    )


def _add_judgments(parser: argparse.ArgumentParser) -> None:
    judgments = parser.add_argument_group("judgments")
    judgments.add_argument(
        "--topics",
        metavar="MAP",
        help="lines: query topic, where the qrels are by topic; other queries are not judged",
    )
    judgments.add_argument("--grades", type=_grades, metavar="GRADES", help=_GRADES)


def _add_conventions(parser: argparse.ArgumentParser) -> None:
    """--profile, and an option for each convention."""
    group = parser.add_argument_group(
        "conventions",
        "What the metrics' definitions leave open: a profile sets it all, as a program\n"
        "does, an option one of it. Each list of rules begins with the default.",
    )
    group.add_argument(
        "--profile", metavar="NAME", help="trec_eval-9, ...; rankspec profiles lists them"
    )
    for known in CONVENTIONS:
        group.add_argument(
            f"--{known.name}",
            type={"depth": _depth, "rel": _number}.get(known.name, str),
            action=_Scores if known.name == "scores" else "store",
            metavar=known.metavar,
            help=_about(known),
        )


def _about(convention: Convention) -> str:
    if convention.values:
        return f"{convention.about}: {', '.join(convention.values)}"
    default = written(convention.name, convention.default)
    return f"{convention.about} (default: {default})"


def _one_of(what: str, names: Sequence[str]) -> Callable[[str], str]:
    """The type of an argument that is one of some names, whose complaint names the nearest."""

    def checked(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(
                f'"{text}" is no {what}{hint(text, names)}; there are {", ".join(names)}'
            )
        return text

    return checked


def _number(text: str) -> Exact | str:
    if text == OWN[0]:
        return text
    try:
        return number(text, "rel")
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _depth(text: str) -> int | str:
    return text if text == convention("depth").unset[0] else _above_0(text)


def _digits(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of decimals; expected 0 to 17")
    return int(text)


def _labels(text: str) -> list[Exact]:
    return _numbers(text, "labels")


def _scores(text: str) -> list[Exact]:
    return _numbers(text, "scores")


def _numbers(text: str, what: str) -> list[Exact]:
    numbers = [x.strip() for x in text.split(",")]
    if "" in numbers:
        raise argparse.ArgumentTypeError(f'"{text}": expected {what}, like 2,1,0')
    try:
        return [number(x, what) for x in numbers]
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _grades(text: str) -> dict[Exact, Exact]:
    grades: dict[Exact, Exact] = {}
    for pair in text.split(","):
        label, equals, grade = (part.strip() for part in pair.partition("="))
        try:
            if not equals or (known := number(label, "grades")) in grades:
                raise InputError(f'grades: "{pair}"')
            grades[known] = number(grade, "grades")
        except InputError:
            raise argparse.ArgumentTypeError(
                f'"{pair}": expected labels, each once, and what they stand for, like -2=0,4=2'
            ) from None
    return grades


def _repeats(text: str) -> Exact | str:
    try:
        return number(text, "repeats")
    except InputError:
        return text  # one of the words


def _padding(text: str) -> int | str:
    return int(text) if re.fullmatch("[0-9]{1,4000}", text) else text


def _feature(text: str) -> int:
    if not re.fullmatch("-?0*[1-9][0-9]{0,17}", text):
        raise argparse.ArgumentTypeError(
            f'"{text}" is no number of a feature; expected 1, or -1 for the lowest value first'
        )
    return int(text)


def _share(text: str) -> Fraction:
    if not re.fullmatch(r"[0-9]{1,18}(/0*[1-9][0-9]{0,17}|\.[0-9]{1,18})?", text):
        raise argparse.ArgumentTypeError(f'"{text}" is no share; expected a number, as 1/3 or 0.4')
    return Fraction(text)


def _whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f'"{text}": expected a whole number of at most 18 digits')
    return int(text)


def _above_0(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}": expected a whole number, from 1 to 10^18 - 1')
    return int(text)


COMMANDS = {
    "eval": Command(
        "[options] QRELS RUN [RUN ...] | --letor FILE ...",
        "evaluate runs against qrels",
        "Evaluate TREC runs against qrels, or rankings of the rows of a LETOR file\n"
        "(plain or compressed; - is the standard input).",
        """\
  rankspec eval qrels.txt bm25.run dense.run.gz
  rankspec eval qrels.txt bm25.run -m "nDCG(gain='exp2')@20" -m ndcg_cut.5,10
  rankspec eval qrels.txt bm25.run -m AP --per-query --format tsv
  rankspec eval qrels.txt bm25.run -m "UL2(nDCG@10)" -m DCG_V1^UL@10 -m ERR@20
  rankspec eval qrels.txt bm25.run --profile trec_eval-9 --queries qrels
  zcat bm25.run.gz | rankspec eval qrels.txt - --ties expected
  rankspec eval shares.qrels news.run --relevance phi -m nDCG@10
  rankspec eval --letor test.txt --feature 15 25 -m nDCG@10
  rankspec eval --letor rank.test --predictions lightgbm.txt
  rankspec eval qrels.txt plain.run rich.run       # of: rankspec example
""",
        _eval,
    ),
    "explain": Command(
        "[options] QRELS RUN --query Q",
        "why a measure has its value for a query, rank by rank",
        "Explain the value of a measure for one query, rank by rank. The documents of a\n"
        "LETOR file are called by the numbers of their lines.",
        """\
  rankspec explain qrels.txt bm25.run --query q1
  rankspec explain qrels.txt bm25.run --query q1 -m "AP(rel=2)@100"
  rankspec explain qrels.txt bm25.run --query q1 -m "UL2(nDCG@10)"
  rankspec explain qrels.txt bm25.run --query q1 --unjudged condensed
  rankspec explain qrels.txt bm25.run --query q1 -m P@10 --format json
  rankspec explain --letor test.txt --feature 15 --query 7
""",
        _explain,
    ),
    "check": Command(
        "[options] QRELS RUN | --letor FILE ...",
        "what is suspicious in a run and its qrels",
        "Say what is suspicious in a run and its qrels: ties, and how far they could\n"
        "move nDCG and AP; orders that 32-bit floats would change; ranks that contradict\n"
        "scores; constant scores; queries missing on either side; unjudged documents, and\n"
        "how far they could move nDCG; unusual labels; documents given twice. Of labels\n"
        "that are scores (--relevance) none is unusual, and ties could move nDCG_phi. The\n"
        "exit status is 0 all the same, unless --exit-code asks for 1.",
        """\
  rankspec check qrels.txt bm25.run
  rankspec check qrels.txt bm25.run.gz --top 100 --duplicates first
  rankspec check qrels.txt bm25.run --exit-code > /dev/null || echo look at it
  rankspec check qrels.txt bm25.run --format json
  rankspec check shares.qrels news.run --relevance phi
  rankspec check --letor test.txt --predictions lightgbm.txt
""",
        _check,
    ),
    "classify": Command(
        "[options] QRELS RUN [RUN ...] | --letor FILE ...",
        "which queries tell a good ranking from a random one",
        "Say of each query how far the runs are above a random ranking on average, and\n"
        "which classes it belongs to: informative, ideal, uninformative, hard, easy.",
        """\
  rankspec classify qrels.txt bm25.run dense.run -m nDCG@5 nDCG@10 --top 50
  rankspec classify qrels.txt bm25.run -m AP@100 --gap absolute --format tsv
  rankspec classify --letor test.txt --feature 15 25 37 --hard 0.25
""",
        _classify,
    ),
    "session eval": Command(
        "[options] QRELS SESSIONS [SESSIONS ...]",
        "evaluate sessions of several queries",
        "Evaluate sessions of several queries against judgments: each file SESSIONS is a\n"
        "system (plain or compressed; - is the standard input).",
        """\
  rankspec session eval qrels.tsv sessions.tsv
  rankspec session eval qrels.txt system-1.tsv system-2.tsv -m nsDCG@10 -q
  rankspec session eval qrels.txt sessions.json -m "nsDCG(repeats='first')@10"
  rankspec session eval qrels.txt sessions.tsv --gain 0-1-10-100 --padding 0
  rankspec session eval qrels.txt sessiontrack2013.xml.gz --topics map.txt
  rankspec session eval qrels.txt sessions.xml --grades "-2=0,4=2,2=3,3=4"
  rankspec session eval qrels.txt sessions.xml --current bm25.run -m query_nDCG
  rankspec session eval session-qrels.tsv sessions-1.tsv  # rankspec example
""",
        _session_eval,
    ),
    "session plot": Command(
        "[FIGURE] [options] [QRELS SESSIONS [SESSIONS ...]]",
        "draw a picture of sessions",
        "Draw a picture of sessions into a file, and print the file's name: one to four\n"
        "systems, each a file SESSIONS; without files, the example. Without a name: list\n"
        'the figures. It needs matplotlib: pip install "rankspec[plot]".',
        """\
  rankspec session plot
  rankspec session plot average -o example.svg
  rankspec session plot last-query qrels.txt system-1.tsv system-2.tsv
  rankspec session plot average qrels.txt a.tsv b.tsv --finished continued
  rankspec session plot scenario qrels.txt a.tsv --topic 7 --least-queries 3
  rankspec session plot sessions qrels.txt sessions.tsv --gain 0-1-10-100 -X 5
""",
        _session_plot,
    ),
    "measures": Command(
        "[--format FORMAT]",
        "list the measures, with their spec IDs",
        "List every metric: its spellings, parameters with defaults, and spec ID;\n"
        "and the bounds, which are of any of them, with what papers call those.",
        "  rankspec measures\n  rankspec measures --format json\n",
        _measures,
    ),
    "profiles": Command(
        "[NAME] [--format FORMAT]",
        "list the conventions of other programs",
        "List the profiles: what each program makes of each convention.",
        "  rankspec profiles\n  rankspec profiles trec_eval-9\n  rankspec profiles --format json\n",
        _profiles,
    ),
    "reproduce": Command(
        "[PAPER] [options]",
        "compare what a paper prints with what its definitions give",
        "Compute the tables and claims of a paper: each figure as it is printed, as the\n"
        "definitions give it, and whether the two are equal; where they are not, the\n"
        "erratum that says why. Without a name: list the papers.",
        """\
  rankspec reproduce
  rankspec reproduce lv-2014
  rankspec reproduce lv-2014 --format json
  rankspec reproduce moniz-2016 --data news_moniz
  rankspec reproduce karmaker-2022 --data letor_mq2008
""",
        _reproduce,
    ),
    "relevance": Command(
        "FILE [options]",
        "relevance from scores: its control points, and that of each item",
        "Make relevance of scores: of the items of each query its control points, its\n"
        "upper whisker and alpha, and the relevance of each item, from 0 to 1. FILE is\n"
        "qrels whose labels are scores, or has one number a line, of which the item is\n"
        "the number of its line; - is the standard input. A table leaves out the middle\n"
        "of a long list; tsv and json are complete.",
        """\
  rankspec relevance shares.qrels --query q1
  rankspec relevance prices.txt --quartiles hinges -o prices.svg
  cut -f 3 news.tsv | rankspec relevance - --variant authors-program
""",
        _relevance,
    ),
    "plot": Command(
        "[NAME] [options]",
        "draw a picture of a metric",
        "Draw a picture of a metric into a file, and print the file's name. Without a\n"
        'name: list the plots. It needs matplotlib: pip install "rankspec[plot]".',
        """\
  rankspec plot
  rankspec plot length -o length.svg
  rankspec plot length --labels 3,2,2,0,0,1,0
  rankspec plot relevance --scores 12,14,15,15,17,30 -o relevance.svg
  rankspec plot expected-dcg -M 20 -o expected.pdf
  rankspec plot moniz-2016 --data news_moniz -o news.svg
  rankspec plot query-types --data letor_mq2008 -o queries.svg
""",
        _plot,
    ),
    "example": Command(
        "[--letor | --sessions | --copy DIR]",
        "print the paths of the example files, or copy them",
        "Print the paths of the example: its qrels, then its runs; or a LETOR file; or\n"
        "the judgments and the sessions of two systems. Or copy all of these files into\n"
        "a folder, which is made; other files of these names there are refused.",
        """\
  rankspec example --copy example
  rankspec eval example/qrels.txt example/plain.run example/rich.run
  rankspec session eval example/session-qrels.tsv example/sessions-1.tsv
  rankspec eval --letor example/letor.txt --feature 1 2
""",
        _example,
    ),
    "completion": Command(
        "SHELL",
        "print what makes a shell complete commands, options and names",
        "Print a script that makes a shell complete commands, options and names.",
        """\
  rankspec completion bash > ~/.local/share/bash-completion/completions/rankspec
  rankspec completion zsh > ~/.zfunc/_rankspec       # a folder of your fpath
  rankspec completion fish > ~/.config/fish/completions/rankspec.fish
  eval "$(rankspec completion bash)"                 # for this shell only
""",
        _completion,
    ),
}

GROUPS = {"session": "Sessions of several queries."}
"""The first words of commands of two words, and what those are about."""
