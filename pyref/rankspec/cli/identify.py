"""``rankspec identify``: which definition a function or a program computes."""

from __future__ import annotations

import argparse
import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from ..analysis.outputs import IDENTIFICATION
from ..errors import InputError
from ..evaluation.render import printed
from . import VERSION, words
from .options import add_format
from .output import DONE, SUSPICIOUS, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from ..analysis.identify.report import Identification

FORMS = ("scores", "lists", "trec")
DECLARABLE = (
    "cutoff=required|never, cutoffs=N+N, k_within, binary, integers, negative=no, max_label=N, "
    "ties=no, pool=no, unjudged=no, min_length=N, max_length=N, needs_relevant, judged=set|list, "
    "float_labels, several"
)


def add_arguments(parser: Parser) -> None:
    box = parser.add_argument_group("the black box, one of")
    box.add_argument(
        "--python",
        metavar="NAME",
        help="a function: package.module:function, or FILE.py:function",
    )
    box.add_argument(
        "--trec",
        metavar="COMMAND",
        help="a command that reads TREC files, with {qrels}, {run} and, if it takes a cut-off, {k}",
    )
    asked = parser.add_argument_group("what it is asked")
    asked.add_argument(
        "--form",
        type=words.one_of("form", FORMS),
        choices=FORMS,
        metavar="FORM",
        help="how identify calls the function: scores (default): function(labels, scores, k); "
        "lists: function(recommended, judged, k); trec: function(qrels, run, k)",
    )
    asked.add_argument(
        "--declare",
        type=declared,
        action="extend",
        metavar="LIMITS",
        help=f"limits of the inputs it takes, separated by commas: {DECLARABLE}",
    )
    asked.add_argument(
        "--timeout",
        type=words.seconds,
        default=10.0,
        metavar="SECONDS",
        help="seconds that one call may take (default: 10)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--expect",
        metavar="FILE",
        help="a definition, or the output of --format json: exit with 1 if the definition found "
        "differs",
    )
    add_format(output, IDENTIFICATION)


def declared(text: str) -> list[tuple[str, Any]]:
    """The limits that are declared, by name."""
    found: list[tuple[str, Any]] = []
    for part in text.split(","):
        name, equals, value = (x.strip() for x in part.partition("="))
        if not name or (equals and not value):
            raise argparse.ArgumentTypeError(f'"{text}": expected limits, like cutoff=required')
        found.append((name, _value(name, value) if equals else True))
    return found


def _value(name: str, value: str) -> Any:
    """What stands behind the name of a limit: a number, numbers, yes or no, or a word."""
    if value in ("yes", "no"):
        return value == "yes"
    if name == "cutoffs":
        return [words.whole(x) for x in value.split("+")]
    return words.whole(value) if value.isdigit() else value


def run(arguments: Namespace) -> Printed:
    from ..analysis.identify.expected import drift

    expected = None if arguments.expect is None else _expected(arguments.expect)
    found = _identified(arguments)
    changed = None if expected is None else drift(found, expected)
    about: dict[str, Any] = {"rankspec": VERSION}
    if changed is not None:
        about["drift"] = changed
    text = printed(IDENTIFICATION, arguments.format, found, about=about)
    return text, SUSPICIOUS if changed else DONE


def _identified(arguments: Namespace) -> Identification:
    from ..analysis.identify.identification import identify_program, identify_python

    limits = dict(arguments.declare or ())
    if (arguments.python is None) == (arguments.trec is None):
        raise InputError("identify: give --python or --trec (see rankspec identify --help)")
    if arguments.python is not None:
        return identify_python(arguments.python, arguments.form, limits, arguments.timeout)
    if arguments.form not in (None, "trec"):
        raise InputError(f"form: a program takes TREC files, not {arguments.form}")
    return identify_program(arguments.trec, limits, arguments.timeout)


def _expected(name: str) -> dict[str, Any]:
    from ..analysis.identify.expected import read_expected
    from ..formats.streams import Stream

    content = Stream(name, lines=False).content()
    try:
        document = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{name}: not JSON") from None
    return read_expected(document, name)


COMMAND = Command(
    "[options] --python NAME | --trec COMMAND",
    "Say which definition a function or a program computes, judging only by its\n"
    "answers: the measure, its gain, discount, ideal and normaliser; how it treats\n"
    "ties, negative and fractional labels; its value where nothing is relevant, for\n"
    "an empty list and for k = 0; its precision; which answers no definition\n"
    "explains; and which inputs end its process.",
    """\
  rankspec identify --python adapter.py:ndcg
  rankspec identify --python adapter.py:ap --form lists --declare judged=set
  rankspec identify --trec "./trec_eval -q -m ndcg_cut.{k} {qrels} {run}"
  rankspec identify --python adapter.py:ndcg --format json > ndcg.json
  rankspec identify --python adapter.py:ndcg --expect ndcg.json
""",
    add_arguments,
    run,
    IDENTIFICATION,
)
