"""What the commands that compare systems share: their options, and what is made of them."""

from __future__ import annotations

from argparse import Namespace
from os.path import normpath
from typing import TYPE_CHECKING, Any

from ..analysis.outputs import COMPARISON
from ..evaluation.render import printed
from . import words
from .options import add_backend, add_digits_by_format, add_format, add_progress
from .output import DONE, Printed
from .parser import Parser

if TYPE_CHECKING:
    from ..analysis.comparison.beside import Beside
    from ..analysis.comparison.comparison import Comparison, Evaluations


def add_tests(parser: Parser, metavar: str, what: str, more: str = "") -> None:
    """The tests, and all that they leave open; metavar, what: of the baseline.

    more: on tests that only this command has
    """
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--baseline",
        metavar=metavar,
        help=f"compare the others with this {what} (default: all pairs)",
    )
    group.add_argument(
        "--test",
        nargs="+",
        metavar="TEST",
        help="t, randomisation (default: these two), wilcoxon, sign, bootstrap, bayes, tukey, "
        f"randomised-tukey, welch, pooled{more}",
    )
    group.add_argument(
        "--correction",
        default="holm",
        metavar="NAME",
        help="correct over the family, measures times pairs: holm (default), bonferroni, bh, "
        "none, or, only with the randomisation test, max-t",
    )
    group.add_argument(
        "--alpha", type=words.level, default=0.05, metavar="A", help="the level (default: 0.05)"
    )
    group.add_argument(
        "--rope",
        type=words.difference,
        default=0.0,
        metavar="D",
        help="bayes: mean differences up to D count as practically none (default: 0)",
    )
    group.add_argument(
        "--seed",
        type=words.seed,
        default=0,
        metavar="N",
        help="seed of the resampling (default: 0)",
    )
    group.add_argument(
        "--replicates",
        type=words.replicates,
        default=10_000,
        metavar="N",
        help="number of resamples (default: 10000)",
    )


def add_output(parser: Parser) -> None:
    """How a comparison is written, and how the work is done."""
    output = parser.add_argument_group("output")
    add_format(output, COMPARISON)
    add_digits_by_format(output, COMPARISON)
    add_progress(add_backend(parser))


def compared(
    arguments: Namespace,
    systems: Evaluations,
    baseline: str | None,
    beside: Beside | None = None,
    design: str | None = None,
) -> Comparison:
    """The comparison by the options, with a bar while it lasts; baseline: the name of it."""
    from ..analysis.comparison.comparison import compare_by
    from ..analysis.comparison.tests import Choices
    from ..progress import progress_bar

    choices = Choices(
        alpha=arguments.alpha,
        rope=arguments.rope,
        seed=arguments.seed,
        replicates=arguments.replicates,
    )
    tests, correction = arguments.test, arguments.correction
    with progress_bar("comparing", arguments.progress, "%") as progress:
        return compare_by(systems, baseline, tests, correction, choices, progress, beside, design)


def page(arguments: Namespace, found: Comparison, about: dict[str, Any]) -> Printed:
    """The comparison, in the format that is asked for."""
    return printed(COMPARISON, arguments.format, found, arguments.digits, about), DONE


def name_of(given: str | None, systems: Any, others: dict[str, str]) -> str | None:
    """The name of a system; others: {the path of a system, or what else it is called: name}"""
    if given is None or given in systems:
        return given
    same = {normpath(path): name for path, name in others.items()}
    return str(same.get(normpath(given), given))
