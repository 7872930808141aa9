"""``rankspec relevance``: relevance from scores."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.outputs import RELEVANCE
from ..errors import InputError
from ..evaluation.render import printed
from . import VERSION, words
from .drawing import draw
from .options import add_backend, add_digits_by_format, add_format
from .output import DONE, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.relevance import Relevance


def add_arguments(parser: Parser) -> None:
    from ..metrics.relevance import QUARTILES, VARIANT

    parser.add_argument(
        "file", metavar="FILE", help="lines: query iteration document score; or one number each"
    )
    parser.add_argument(
        "--columns",
        type=words.columns,
        metavar="NAMES",
        help="names of the columns of a table: query=user,document=item,label=price",
    )
    parser.add_argument("--query", metavar="Q", help="one of the queries (default: all)")
    for parameter in (VARIANT, QUARTILES):
        parser.add_argument(
            f"--{parameter.name}",
            type=words.one_of(parameter.name, parameter.words),
            choices=parameter.words,
            default=parameter.default,
            metavar="NAME",
            help=parameter.help,
        )
    output = parser.add_argument_group("output")
    add_format(output, RELEVANCE, to_file=False)
    add_digits_by_format(output, RELEVANCE)
    output.add_argument(
        "-o", "--output", metavar="PLOT", help="also draw it into a file .png, .svg or .pdf"
    )
    add_backend(parser)


def run(arguments: Namespace) -> Printed:
    from ..analysis import relevance as phi
    from ..formats.column_names import OfOption

    measure = phi.measure_of(arguments.variant, arguments.quartiles)
    columns = OfOption(arguments.columns or {})
    relevance = phi.relevance_of(
        arguments.file, measure, arguments.query, arguments.backend, columns
    )
    about = {"rankspec": VERSION, "file": arguments.file}
    text = printed(RELEVANCE, arguments.format, (relevance, measure), arguments.digits, about)
    if arguments.output is not None:
        draw(arguments.output, lambda: _figure_of(relevance, arguments))
    return text, DONE


def _figure_of(found: Sequence[Relevance], arguments: Namespace) -> Figure:
    from ..plots import relevance

    if len(found) > 1:
        raise InputError(
            f"-o: a picture shows one query; choose one of the {len(found)} with --query"
        )
    how = {name: getattr(arguments, name) for name in ("variant", "quartiles", "backend")}
    return relevance(found[0].scores, **how)


COMMAND = Command(
    "FILE [options]",
    "Derive relevance from scores: for the items of each query the control points,\n"
    "the upper whisker and alpha, and each item's relevance, from 0 to 1. FILE is\n"
    "either qrels whose labels are scores, in any format that eval reads, or one\n"
    "number per line; an item is then known by its line number; - is the standard\n"
    "input. A table leaves out the middle of a long list; tsv and json are complete.",
    """\
  rankspec relevance shares.qrels --query q1
  rankspec relevance prices.txt --quartiles hinges -o prices.svg
  cut -f 3 news.tsv | rankspec relevance - --variant authors-program
""",
    add_arguments,
    run,
    RELEVANCE,
)
