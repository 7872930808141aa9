"""``rankspec reproduce``: what a paper prints beside what its definitions give."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..evaluation.render import JSON, PAGE, Output, printed
from . import VERSION
from .options import EXPERIMENT, add_backend, add_digits, add_experiment, add_format
from .output import DONE, SUSPICIOUS, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from ..papers.reproduction import Reproduction


def _text(found: Reproduction, digits: int, _: Any) -> str:
    from ..papers.reproduction import text

    return f"{text(found, digits)}\n"


def _json(found: Reproduction, _: int | None, about: Mapping[str, Any]) -> str:
    from ..papers.reproduction import json

    return json(found, **about)


def _list(papers: Sequence[Reproduction], *_: Any) -> str:
    from ..papers.reproduction import papers_table

    return papers_table(papers)


def _list_as_json(papers: Sequence[Reproduction], *_: Any) -> str:
    from ..papers.reproduction import papers_json

    return papers_json(papers)


OUTPUTS = (Output("table", PAGE, _text, digits=4), Output("json", JSON, _json))
LISTS = (Output("table", PAGE, _list), Output("json", JSON, _list_as_json))
"""The output formats: of a reproduction, and of the list of papers. They stand here, as help names
them before any paper is loaded.
"""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="one of them (default: a list)")
    add_experiment(parser)
    output = parser.add_argument_group("output")
    add_format(output, OUTPUTS)
    add_digits(output)
    add_backend(parser)


def run(arguments: Namespace) -> Printed:
    from ..papers import PAPERS, reproduce, reproduce_all

    if arguments.paper is None:
        for name, word in EXPERIMENT.items():
            if getattr(arguments, name) is not None:
                known = ", ".join(paper.name for paper in PAPERS)
                raise InputError(f"{word}: name a paper, too; expected one of {known}")
        counted = reproduce_all(backend=arguments.backend)
        status = SUSPICIOUS if any(found.unexplained for found in counted) else DONE
        return printed(LISTS, arguments.format, counted), status
    found = reproduce(
        arguments.paper,
        backend=arguments.backend,
        **{name: getattr(arguments, name) for name in EXPERIMENT},
    )
    status = SUSPICIOUS if found.unexplained else DONE
    how = arguments.digits, {"rankspec": VERSION}
    return printed(OUTPUTS, arguments.format, found, *how), status


COMMAND = Command(
    "[PAPER] [options]",
    "Compute the tables and claims of a paper. For each figure, show the printed\n"
    "value, the value by the definitions, whether the two are equal, and if not, the\n"
    "erratum that explains it. Without a name: count these for each paper, and list\n"
    "what cannot be recomputed, and why.",
    """\
  rankspec reproduce
  rankspec reproduce lv-2014
  rankspec reproduce lv-2014 --format json
  rankspec reproduce moniz-2016 --data news_moniz
  rankspec reproduce karmaker-2022 --data letor_mq2008
  rankspec reproduce karmaker-2022 --data test --train train --predictions lnet/
""",
    add_arguments,
    run,
    OUTPUTS,
)
