"""``rankspec axioms``: which axioms of the literature a metric satisfies."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import AXIOMS
from ..evaluation.render import printed
from . import words
from .options import add_format
from .output import DONE, Printed
from .parser import Command, Parser


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "metrics",
        nargs="*",
        metavar="MEASURE",
        help="a measure, such as nDCG@10, or a function: package.module:function or "
        "FILE.py:function (default: all metrics of rankings)",
    )
    world = parser.add_argument_group("what is looked at")
    world.add_argument(
        "--labels",
        type=words.labels,
        metavar="LABELS",
        help="the possible labels: 0 and at least one above it (default: 0,1,2; for binary "
        "metrics 0 and the least relevant label)",
    )
    world.add_argument(
        "--length",
        type=words.above_0,
        metavar="N",
        help="the length of the longest lists searched (default: the greatest with at most 128 "
        "longest lists)",
    )
    world.add_argument(
        "--k", type=words.above_0, metavar="K", help="the cut-off passed to functions"
    )
    world.add_argument(
        "--timeout",
        type=words.seconds,
        default=10.0,
        metavar="SECONDS",
        help="seconds that one call of a function may take (default: 10)",
    )
    world.add_argument(
        "--only",
        nargs="+",
        metavar="AXIOM",
        help="check only these axioms: c1, c2, swap, ... (default: all)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--witness",
        action="store_true",
        help="print the law, the counterexample or the witness of each verdict",
    )
    add_format(output, AXIOMS)


def run(arguments: Namespace) -> Printed:
    from ..analysis.axioms.asked import axioms, named

    found = axioms(
        *(named(text) for text in arguments.metrics),
        labels=arguments.labels,
        length=arguments.length,
        k=arguments.k,
        only=arguments.only,
        timeout=arguments.timeout,
    )
    return printed(AXIOMS, arguments.format, found, witness=arguments.witness), DONE


COMMAND = Command(
    "[MEASURE ...] [options]",
    "Say which axioms of the literature a metric satisfies: either by proof, with the\n"
    "exact condition, or by a search of small lists, with the smallest\n"
    "counterexample.",
    """\
  rankspec axioms nDCG@10
  rankspec axioms DCG nDCG GAP ERR LDCG LNDCG --only c1 c2 --witness
  rankspec axioms metrics.py:my_ndcg --labels 0,1,2,3 --k 10
""",
    add_arguments,
    run,
    AXIOMS,
)
