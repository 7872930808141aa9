"""``rankspec classify``: which queries tell a good ranking from a random one."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.outputs import CLASSES
from ..evaluation.render import printed
from .options import (
    Classes,
    add_backend,
    add_classes,
    add_conventions,
    add_digits_by_format,
    add_format,
    add_measure,
    add_progress,
    add_systems,
    of_classes,
)
from .output import DONE, Printed
from .parser import Command, Parser
from .systems import about, bar_of_letor, conventions_of_runs, evaluated_runs, letor

if TYPE_CHECKING:
    from ..analysis.query_types import Classification
    from ..evaluation.evaluate import Kept


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    add_measure(parser, "one metric at several cut-offs (default: nDCG at 5, 10, 15, 20, 30)")
    add_classes(parser)
    add_conventions(parser)
    output = parser.add_argument_group("output")
    add_format(output, CLASSES)
    add_digits_by_format(output, CLASSES)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    from ..analysis import query_types

    how = of_classes(arguments)
    asked = arguments.measure or query_types.MEASURES
    of_files = _of_runs if arguments.letor is None else _of_letor
    found = of_files(arguments, asked, how)
    return printed(CLASSES, arguments.format, found, arguments.digits, about(arguments)), DONE


def _of_runs(arguments: Namespace, asked: Sequence[str], how: Classes) -> Classification:
    from ..analysis import query_types

    chosen, conventions = conventions_of_runs(arguments)
    measures = query_types.gap_measures(asked, conventions, chosen)
    kept: list[Kept] = []
    runs = evaluated_runs(
        arguments, conventions, chosen, lambda a: query_types.wanted_of(a, measures), kept
    )
    return query_types.classification(list(runs.values()), measures, *how, kept=kept)


def _of_letor(arguments: Namespace, asked: Sequence[str], how: Classes) -> Classification:
    from ..analysis import query_types

    rankings, chosen, conventions = letor(arguments)
    with bar_of_letor(arguments) as progress:
        return query_types.classify_rankings(
            *(conventions, chosen, arguments.letor, arguments.group, rankings, asked, *how),
            backend=arguments.backend,
            progress=progress,
        )


COMMAND = Command(
    "[options] QRELS RUN [RUN ...] | --letor FILE ...",
    "Say for each query how far the runs are above a random ranking on average, and\n"
    "which classes it belongs to: informative, ideal, uninformative, hard, easy.",
    """\
  rankspec classify qrels.txt bm25.run dense.run -m nDCG@5,nDCG@10 --top 50
  rankspec classify qrels.txt bm25.run -m AP@100 --gap absolute --format tsv
  rankspec classify --letor test.txt --feature 15 25 37 --hard 0.25
""",
    add_arguments,
    run,
    CLASSES,
)
