"""``rankspec session plot``: a picture of sessions."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from ..errors import InputError, hint
from . import words
from .drawing import draw
from .files import naming
from .options import add_backend
from .output import DONE, Printed, complain
from .parser import Command, Parser
from .sessions import add_session_conventions, add_session_parameters, add_sessions, session_files

if TYPE_CHECKING:
    from ..evaluation.sessions.judgments import JudgedSessions
    from ..plots import Plot


def add_arguments(parser: Parser) -> None:
    from ..metrics.parameters import GAIN
    from ..metrics.session import IDEAL, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS

    parser.add_argument("figure", metavar="FIGURE", nargs="?", help="one of them (default: a list)")
    add_sessions(parser)
    for action in parser.arguments[1:]:  # without files: the example's
        action.nargs = "?" if action.dest == "qrels" else "*"
        action.required = False
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .png, .svg or .pdf (default: session-FIGURE.png)",
    )
    _add_drawn(parser)
    add_session_conventions(parser, without=("undefined",))
    add_session_parameters(parser, (GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, REPEATS, IDEAL))
    add_backend(parser)


def _add_drawn(parser: Parser) -> None:
    """What is drawn of the sessions, and how."""
    from ..evaluation.sessions.averages import FINISHED

    drawn = parser.add_argument_group("what is drawn")
    drawn.add_argument("--topic", metavar="T", help="only the sessions of this topic")
    drawn.add_argument(
        "--least-queries",
        type=words.above_0,
        metavar="N",
        help="only sessions with at least N queries; scenario: shown beside all sessions "
        "(default: 4)",
    )
    drawn.add_argument(
        "-X",
        "--top",
        type=words.above_0,
        dest="k",
        metavar="X",
        help="results per query (default: 10; last-query: the length of the longest list, at most "
        "100)",
    )
    drawn.add_argument(
        "--finished",
        type=words.one_of("reading", FINISHED),
        choices=FINISHED,
        metavar="RULE",
        help="average: what the ideal of an ended session does: held (default), continued, average",
    )
    drawn.add_argument(
        "--not-normalised",
        action="store_const",
        const=False,
        dest="normalised",
        help="average, sensitivity: draw sDCG instead of nsDCG",
    )


def run(arguments: Namespace) -> Printed:
    from ..evaluation.render import names_table
    from ..evaluation.sessions.result import left_out
    from ..plots import SESSION_PLOTS

    if arguments.figure is None:
        for name, word in _OPTIONS_OF_FIGURES.items():
            if getattr(arguments, name) is not None:
                raise InputError(
                    f"{word}: name a figure, too; expected one of {', '.join(SESSION_PLOTS)}"
                )
        return names_table({name: plot.about for name, plot in SESSION_PLOTS.items()}), DONE
    chosen = _chosen(arguments)
    options = {name: getattr(arguments, name) for name in chosen.options}
    options = {name: x for name, x in options.items() if x is not None}
    path = f"session-{arguments.figure}.png" if arguments.output is None else arguments.output
    systems = _systems_of_figure(arguments)
    draw(path, lambda: chosen.draw(systems, backend=arguments.backend, **options))
    for name, judged in (systems or {}).items():
        for line in left_out(f"{name}: ", judged.left_out):
            complain(f"warning: {line}")
    return f"{path}\n", DONE


def _chosen(arguments: Namespace) -> Plot:
    """The figure that is asked for; an InputError for an option that it has not."""
    from ..plots import SESSION_PLOTS

    figure = arguments.figure
    if figure not in SESSION_PLOTS:
        raise InputError(
            f'unknown figure "{figure}"{hint(figure, SESSION_PLOTS)}; expected one of '
            f"{', '.join(SESSION_PLOTS)}"
        )
    chosen = SESSION_PLOTS[figure]
    for name, word in _OPTIONS_OF_FIGURES.items():
        known = name == "output" or name in chosen.options
        if getattr(arguments, name) is not None and not known:
            raise InputError(f"{word} has no effect on {figure}")
    return chosen


_OPTIONS_OF_FIGURES = {
    "output": "-o",
    "topic": "--topic",
    "least_queries": "--least-queries",
    "k": "-X",
    "finished": "--finished",
    "normalised": "--not-normalised",
    "ideal": "--ideal",
    "gain": "--gain",
    "discount": "--discount",
    "query_discount": "--query-discount",
    "repeats": "--repeats",
}


def _systems_of_figure(arguments: Namespace) -> dict[str, JudgedSessions] | None:
    """The judged sessions of each system by its name; None: there are no files."""
    from ..evaluation.sessions.evaluate import judge_by

    if arguments.qrels is not None and arguments.sessions:
        judgments, systems, conventions = session_files(arguments)
        found = {}
        for name, path in zip(systems, arguments.sessions, strict=True):
            with naming(path, arguments.sessions, arguments.qrels):
                found[name] = judge_by(conventions, judgments, *systems[name])
        return found
    if arguments.qrels is not None:
        raise InputError(f"{arguments.qrels}: this is read as QRELS; the file SESSIONS is missing")
    of_reading = ("topics", "current", "order", "pages", "ampersands", "scanned", "appearances")
    for name in (*of_reading, "judged_by", "pool", "unjudged", "negative", "grades"):
        if getattr(arguments, name) is not None:
            word = f"--{name.replace('_', '-')}"
            raise InputError(
                f"{word}: give QRELS and SESSIONS files, too; without files the example is drawn"
            )
    return None


COMMAND = Command(
    "[FIGURE] [options] [QRELS SESSIONS [SESSIONS ...]]",
    "Draw a picture of sessions into a file, and print the file's name. Each of one\n"
    "to four files SESSIONS is a system; without files, draw the example. Without a\n"
    'figure: list the figures. It needs matplotlib: pip install "rankspec[plot]".',
    """\
  rankspec session plot
  rankspec session plot average -o example.svg
  rankspec session plot last-query qrels.txt system-1.tsv system-2.tsv
  rankspec session plot average qrels.txt a.tsv b.tsv --finished continued
  rankspec session plot scenario qrels.txt a.tsv --topic 7 --least-queries 3
  rankspec session plot sessions qrels.txt sessions.tsv --gain 0-1-10-100 -X 5
""",
    add_arguments,
    run,
)
