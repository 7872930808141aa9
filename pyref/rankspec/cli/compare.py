"""``rankspec compare``: which systems differ, by which measure and test."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from os.path import normpath
from typing import TYPE_CHECKING

from ..analysis.outputs import COMPARISON
from ..evaluation.render import printed
from . import words
from .files import names_of
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
from .query_sets import add_measures_and_sets, collections
from .systems import about

if TYPE_CHECKING:
    from ..evaluation.result import Evaluation


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    add_measure(parser, "as of rankspec eval; several with commas, or by several -m")
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--baseline",
        metavar="RUN",
        help="compare the others with this run, or feature (default: all pairs)",
    )
    group.add_argument(
        "--test",
        nargs="+",
        metavar="TEST",
        help="t, randomisation (default: these two), wilcoxon, sign, bootstrap, bayes, tukey, "
        "randomised-tukey, welch, pooled",
    )
    group.add_argument(
        "--correction",
        default="holm",
        metavar="NAME",
        help="over the family, measures times pairs: holm (default), bonferroni, bh, none, or of "
        "the randomisation test max-t",
    )
    group.add_argument(
        "--alpha", type=words.level, default=0.05, metavar="A", help="the level (default: 0.05)"
    )
    group.add_argument(
        "--rope",
        type=words.difference,
        default=0.0,
        metavar="D",
        help="bayes: mean differences of up to D are practically none (default: 0)",
    )
    group.add_argument(
        "--seed", type=words.seed, default=0, metavar="N", help="of resampling (default: 0)"
    )
    group.add_argument(
        "--replicates",
        type=words.above_0,
        default=10_000,
        metavar="N",
        help="how often is resampled (default: 10000)",
    )
    add_measures_and_sets(parser)
    add_conventions(parser)
    add_judgments(parser)
    output = parser.add_argument_group("output")
    add_format(output, COMPARISON)
    add_digits_by_format(output, COMPARISON)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    """What is significant, of each measure and pair of systems."""
    from ..analysis.comparison.comparison import compare_by
    from ..analysis.comparison.tests import Choices
    from ..progress import progress_bar

    runs, beside = collections(arguments)
    choices = Choices(
        alpha=arguments.alpha,
        rope=arguments.rope,
        seed=arguments.seed,
        replicates=arguments.replicates,
    )
    baseline = _baseline(arguments, runs)
    with progress_bar("splits", arguments.progress, of="splits") as progress:
        found = compare_by(
            *(runs, baseline, arguments.test, arguments.correction, choices, beside, progress)
        )
    return printed(COMPARISON, arguments.format, found, arguments.digits, about(arguments)), DONE


def _baseline(arguments: Namespace, runs: Mapping[str, Evaluation]) -> str | None:
    """The name of the baseline, which may be given as its path, or as the number of a feature."""
    paths = (arguments.runs if arguments.letor is None else arguments.predictions) or []
    known = dict(zip(paths, names_of(paths), strict=True))
    known |= {str(x): f"feature {x}" for x in arguments.feature or []}
    given: str | None = arguments.baseline
    if given is None or given in runs:
        return given
    same = {normpath(path): name for path, name in known.items()}
    return str(same.get(normpath(given), given))


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
  rankspec compare qrels.txt *.run -m nDCG@10,AP --measures --rbo-p 0.9
  rankspec compare qrels.txt *.run -m nDCG@10,AP --subsets ideal,uninformative
  rankspec compare a/qrels.txt a/*.run -m nDCG@10 --against b/qrels.txt b/*.run
  rankspec compare qrels.txt plain.run rich.run    # of: rankspec example
""",
    add_arguments,
    run,
    COMPARISON,
)
