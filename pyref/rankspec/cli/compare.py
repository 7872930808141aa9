"""``rankspec compare``: which systems differ, by which measure and test."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import COMPARISON
from . import judgments, unjudged
from .comparing import add_output, add_tests, compared, name_of, page
from .files import names_of
from .options import add_conventions, add_judgments, add_measure, add_priors, add_systems
from .output import Printed
from .parser import Command, Parser
from .query_sets import add_measures_and_sets, collections
from .systems import about, names_of_predictions, predictions_by_system


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    judgments.add_two_qrels(parser)
    unjudged.add_bounds(parser)
    add_measure(parser, "as of rankspec eval; several with commas, or by several -m")
    add_tests(parser, "RUN", "run, or feature")
    add_measures_and_sets(parser)
    add_conventions(parser)
    add_judgments(parser)
    add_priors(parser)
    add_output(parser)


def run(arguments: Namespace) -> Printed:
    """What is significant, of each measure and pair of systems."""
    if unjudged.asked(arguments):
        return unjudged.run(arguments)
    if arguments.two_qrels is not None:
        return judgments.run(arguments)
    runs, beside = collections(arguments)
    baseline = name_of(arguments.baseline, runs, other_names(arguments))
    return page(arguments, compared(arguments, runs, baseline, beside), about(arguments))


def other_names(arguments: Namespace) -> dict[str, str]:
    """A run by its path, and a feature by its number."""
    if arguments.letor is None:
        paths = arguments.runs or []
        names = names_of(paths)
    else:
        paths = [own[0] for own in predictions_by_system(arguments)]
        names = names_of_predictions(arguments)
    known = dict(zip(paths, names, strict=True))
    return known | {str(x): f"feature {x}" for x in arguments.feature or []}


COMMAND = Command(
    "[options] QRELS RUN RUN [RUN ...]\n"
    "       rankspec compare [options] --qrels A B RUN RUN [RUN ...]\n"
    "       rankspec compare [options] --letor FILE ...",
    "Compare systems on the same queries: means and differences with intervals,\n"
    "tests, p-values corrected for their family, effect sizes. Needs SciPy, which\n"
    'comes with "rankspec[compare]".',
    """\
  rankspec compare qrels.txt bm25.run dense.run -m nDCG@10
  rankspec compare qrels.txt *.run -m nDCG@5,10 -m AP --baseline bm25.run
  rankspec compare qrels.txt *.run -m nDCG@10 --correction max-t --seed 1
  rankspec compare qrels.txt *.run -m nDCG@10 --test tukey randomised-tukey
  rankspec compare --letor test.txt --feature 15 25 -m nDCG@10 --format latex
  rankspec compare qrels.txt *.run -m nDCG@10,AP --measures --rbo-p 0.9
  rankspec compare qrels.txt *.run -m nDCG@10,AP --subsets ideal,uninformative
  rankspec compare a/qrels.txt a/*.run -m nDCG@10 --against b/qrels.txt b/*.run
  rankspec compare qrels.txt bm25.run dense.run --unjudged-bounds --judged 10 20
  rankspec compare --qrels people.txt model.txt bm25.run dense.run -m nDCG@10
  rankspec compare qrels.txt plain.run rich.run    # of: rankspec example
""",
    add_arguments,
    run,
    COMPARISON,
)
