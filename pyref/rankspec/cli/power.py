"""``rankspec power``: how many queries a difference needs."""

from __future__ import annotations

from argparse import Namespace
from math import sqrt
from typing import Any

from ..analysis.outputs import DESIGN
from ..errors import InputError
from ..evaluation.render import printed
from . import VERSION, words
from .eval import evaluated
from .options import (
    add_backend,
    add_conventions,
    add_digits_by_format,
    add_format,
    add_judgments,
    add_measure,
    add_progress,
    add_systems,
)
from .output import DONE, Printed
from .parser import Command, Parser
from .systems import about


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    parser.instead += ("--sd", "--variance")
    add_measure(parser, "measure of the pilot, as for rankspec eval")
    group = parser.add_argument_group("design")
    group.add_argument(
        "--difference",
        type=words.amount,
        nargs="+",
        required=True,
        metavar="D",
        help="the smallest differences of two means that the test should find",
    )
    group.add_argument(
        "--sd",
        type=words.amount,
        metavar="S",
        help="the standard deviation over queries, instead of a pilot: of differences for paired, "
        "of values for unpaired",
    )
    group.add_argument(
        "--variance", type=words.amount, metavar="V", help="the variance, instead of --sd"
    )
    group.add_argument(
        "--test",
        nargs="+",
        metavar="TEST",
        help="paired (default) or unpaired; with a pilot the default is both",
    )
    group.add_argument(
        "--alpha", type=words.level, default=0.05, metavar="A", help="the level (default: 0.05)"
    )
    group.add_argument(
        "--beta",
        type=words.level,
        default=0.2,
        metavar="B",
        help="the probability of missing such a difference (default: 0.2)",
    )
    group.add_argument(
        "--n", type=words.above_0, nargs="+", metavar="N", help="print the power of N queries, too"
    )
    add_conventions(parser)
    add_judgments(parser)
    output = parser.add_argument_group("output")
    add_format(output, DESIGN)
    add_digits_by_format(output, DESIGN)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    """How many queries each difference needs."""
    from ..analysis.comparison.design import design

    deviation = _deviation(arguments)
    found = design(
        arguments.difference,
        deviation=deviation,
        pilot=evaluated(arguments) if deviation is None else None,
        tests=arguments.test,
        alpha=arguments.alpha,
        beta=arguments.beta,
        n=arguments.n or (),
    )
    of: dict[str, Any] = about(arguments) if deviation is None else {"rankspec": VERSION}
    return printed(DESIGN, arguments.format, found, arguments.digits, of), DONE


OWN = {"difference", "sd", "variance", "test", "alpha", "beta", "n", "format", "digits", "backend"}
"""What is no option of a pilot."""


def _deviation(arguments: Namespace) -> float | None:
    """The standard deviation that was given; None: there is a pilot."""
    given = "--sd" if arguments.sd is not None else "--variance"
    if arguments.sd is None and arguments.variance is None:
        return None
    if arguments.sd is not None and arguments.variance is not None:
        raise InputError("--sd and --variance exclude each other; give one of them")
    if arguments.qrels is not None:
        raise InputError(
            f'unexpected argument "{arguments.qrels}": {given} replaces the pilot of QRELS and RUN'
        )
    of_pilot = sorted(getattr(arguments, "_given", set()) - OWN)
    of_lists = ("letor", "measure", "feature", "predictions", "group")
    of_pilot += [x for x in of_lists if getattr(arguments, x)]
    if of_pilot:
        raise InputError(f"--{of_pilot[0]} needs a pilot (QRELS RUN RUN), which {given} replaces")
    return sqrt(arguments.variance) if arguments.sd is None else float(arguments.sd)


COMMAND = Command(
    "[options] QRELS RUN RUN ... | --letor FILE ... | --sd S",
    "Say how many queries a t-test needs to find a difference of two means: from the\n"
    "runs of a pilot, or from a standard deviation. Needs SciPy, which comes with\n"
    '"rankspec[compare]".',
    """\
  rankspec power qrels.txt *.run -m nDCG@10 -m AP --difference 0.02 0.05
  rankspec power --sd 0.2 --difference 0.05
  rankspec power --variance 0.04 --test unpaired --difference 0.05 --beta 0.1
  rankspec power --sd 0.2 --difference 0.05 --n 25 50 --alpha 0.01
  rankspec power --letor test.txt --feature 15 25 -m nDCG@10 --difference 0.05
  rankspec power qrels.txt plain.run rich.run --difference 0.1  # the example
""",
    add_arguments,
    run,
    DESIGN,
)
