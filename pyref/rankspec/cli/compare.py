"""``rankspec compare``: which systems differ, by which measure and test."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import COMPARISON
from .comparing import add_output, add_tests, compared, name_of, page
from .eval import evaluated
from .files import names_of
from .options import add_conventions, add_judgments, add_measure, add_systems
from .output import Printed
from .parser import Command, Parser
from .systems import about


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    add_measure(parser, "as of rankspec eval; several with commas, or by several -m")
    add_tests(parser, "RUN", "run, or feature")
    add_conventions(parser)
    add_judgments(parser)
    add_output(parser)


def run(arguments: Namespace) -> Printed:
    """What is significant, of each measure and pair of systems."""
    runs = evaluated(arguments)
    baseline = name_of(arguments.baseline, runs, other_names(arguments))
    return page(arguments, compared(arguments, runs, baseline), about(arguments))


def other_names(arguments: Namespace) -> dict[str, str]:
    """A run by its path, and a feature by its number."""
    paths = (arguments.runs if arguments.letor is None else arguments.predictions) or []
    known = dict(zip(paths, names_of(paths), strict=True))
    return known | {str(x): f"feature {x}" for x in arguments.feature or []}


COMMAND = Command(
    "[options] QRELS RUN RUN [RUN ...] | --letor FILE ...",
    "Compare systems on the same queries: means and differences with intervals,\n"
    "tests, p-values corrected for their family, effect sizes. Needs SciPy, which\n"
    'comes with "rankspec[compare]".',
    """\
  rankspec compare qrels.txt bm25.run dense.run -m nDCG@10
  rankspec compare qrels.txt *.run -m nDCG@5,10 -m AP --baseline bm25.run
  rankspec compare qrels.txt *.run -m nDCG@10 --correction max-t --seed 1
  rankspec compare qrels.txt *.run -m nDCG@10 --test tukey randomised-tukey
  rankspec compare --letor test.txt --feature 15 25 -m nDCG@10 --format latex
  rankspec compare qrels.txt plain.run rich.run    # of: rankspec example
""",
    add_arguments,
    run,
    COMPARISON,
)
