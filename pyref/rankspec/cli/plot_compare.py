"""``rankspec plot compare``: a picture of a comparison of systems."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import InputError, hint
from ..evaluation.conventions import CONVENTIONS
from . import words
from .compare import other_names
from .comparing import add_tests, compared, name_of
from .drawing import draw
from .eval import evaluated
from .options import (
    add_backend,
    add_conventions,
    add_judgments,
    add_measure,
    add_progress,
    add_systems,
)
from .output import DONE, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..evaluation.result import Evaluation
    from ..plots import Plot

INTERVALS = ("t", "bca")


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "compared", metavar="FIGURE", nargs="?", help="one of them (default: a list)"
    )
    add_systems(parser)
    add_measure(parser, "as of rankspec eval; several with commas, or by several -m")
    for action in parser.arguments[1:]:  # without files: the example
        action.nargs = "?" if action.dest == "qrels" else "*"
        action.required = False
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .png, .svg or .pdf (default: compare-FIGURE.png)",
    )
    drawn = parser.add_argument_group("what is drawn")
    drawn.add_argument(
        "--pair",
        nargs=2,
        metavar=("RUN", "RUN"),
        help="differences: the two systems, the first minus the second (default: the only pair)",
    )
    drawn.add_argument(
        "--interval",
        type=words.one_of("interval", INTERVALS),
        choices=INTERVALS,
        metavar="NAME",
        help="means: t (default), bca",
    )
    add_tests(parser, "RUN", "run, or feature")
    add_conventions(parser)
    add_judgments(parser)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    from ..evaluation.render import names_table
    from ..plots import COMPARISON_PLOTS

    if arguments.compared is None:
        if word := _first_given(arguments, ("output", *_OF_FIGURES, *_OF_FILES)):
            raise InputError(
                f"{word}: name a figure, too; expected one of {', '.join(COMPARISON_PLOTS)}"
            )
        return names_table({name: plot.about for name, plot in COMPARISON_PLOTS.items()}), DONE
    chosen = _chosen(arguments)
    path = f"compare-{arguments.compared}.png" if arguments.output is None else arguments.output
    draw(path, lambda: _figure(arguments, chosen))
    return f"{path}\n", DONE


_OF_FIGURES = ("pair", "interval", "test")
_OF_FILES = (
    *("measure", "feature", "predictions", "group", "profile", "topics", "grades"),
    *(convention.name for convention in CONVENTIONS),
)


def _chosen(arguments: Namespace) -> Plot:
    """The figure that is asked for; an InputError for an option that it has not."""
    from ..plots import COMPARISON_PLOTS

    figure = arguments.compared
    if figure not in COMPARISON_PLOTS:
        raise InputError(
            f'unknown figure "{figure}"{hint(figure, COMPARISON_PLOTS)}; expected one of '
            f"{', '.join(COMPARISON_PLOTS)}"
        )
    chosen = COMPARISON_PLOTS[figure]
    if word := _first_given(arguments, [x for x in _OF_FIGURES if x not in chosen.options]):
        raise InputError(f"{word} has no effect on {figure}")
    if arguments.test is not None and len(arguments.test) > 1:
        raise InputError(f"--test: a figure shows one test; got {', '.join(arguments.test)}")
    return chosen


def _figure(arguments: Namespace, chosen: Plot) -> Figure:
    runs, others = _systems(arguments), other_names(arguments)
    options: dict[str, Any] = {} if arguments.interval is None else {"interval": arguments.interval}
    if arguments.pair is not None:
        options["pair"] = tuple(name_of(name, runs, others) for name in arguments.pair)
    baseline = name_of(arguments.baseline, runs, others)
    return chosen.draw(compared(arguments, runs, baseline), **options)


def _systems(arguments: Namespace) -> dict[str, Evaluation]:
    """The evaluations of the systems by their names; without files those of the example."""
    from ..plots.of_comparison import example

    if arguments.letor is not None or arguments.runs:
        return evaluated(arguments)
    if arguments.qrels is not None:
        raise InputError(f"{arguments.qrels}: this is read as QRELS; the files RUN are missing")
    if word := _first_given(arguments, _OF_FILES):
        raise InputError(
            f"{word}: give QRELS and RUN files, too; without files the example is drawn"
        )
    return example(arguments.compared)


def _first_given(arguments: Namespace, names: Iterable[str]) -> str | None:
    """The first of these options that is there, as it is typed."""
    short = {"output": "-o", "measure": "-m"}
    given = (name for name in names if getattr(arguments, name) is not None)
    return next((short.get(name, f"--{name}") for name in given), None)


COMMAND = Command(
    "[FIGURE] [options] [QRELS RUN RUN [RUN ...]]\n"
    "       rankspec plot compare FIGURE [options] --letor FILE ...",
    "Draw a picture of a comparison of systems into a file, and print the file's\n"
    "name; without files, draw an example. Takes the options of rankspec compare.\n"
    "Without a figure: list the figures. It needs matplotlib and SciPy: pip install\n"
    '"rankspec[plot,compare]".',
    """\
  rankspec plot compare
  rankspec plot compare means -o example.svg
  rankspec plot compare means qrels.txt bm25.run dense.run -m nDCG@10,AP
  rankspec plot compare differences qrels.txt *.run --pair dense.run bm25.run
  rankspec plot compare asl qrels.txt *.run -m nDCG@10,AP,RR --test wilcoxon
  rankspec plot compare ranks --letor test.txt --feature 15 25 -m nDCG@10,AP
  rankspec plot compare significance qrels.txt *.run --baseline bm25.run
""",
    add_arguments,
    run,
)
