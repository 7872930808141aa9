"""``rankspec compare --unjudged-bounds``: what unjudged documents could change."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import UNJUDGED
from ..errors import InputError
from ..evaluation.render import printed
from . import words
from .files import check_standard_input, names_of
from .output import DONE, Printed
from .parser import Parser, first_given
from .query_sets import check_none_asked
from .systems import (
    about,
    conventions_of_runs,
    measures_of,
    measures_with_prior,
    qrels_of,
    run_of,
)

WITHOUT_EFFECT = ("two_qrels", "test", "correction", "alpha", "rope", "seed", "replicates")
"""Options of compare that bounds leave nothing to do."""


def add_bounds(parser: Parser) -> None:
    """What unjudged documents could change, in the place of tests."""
    group = parser.add_argument_group("unjudged documents, instead of tests")
    group.add_argument(
        "--unjudged-bounds",
        action="store_true",
        help="the range of each mean and difference over all possible labels of the unjudged "
        "documents; and Judged@k",
    )
    group.add_argument(
        "--judged",
        type=words.above_0,
        nargs="+",
        metavar="K",
        help="the cut-offs of Judged@k (default: those of the measures, or 10)",
    )


def asked(arguments: Namespace) -> bool:
    """Whether bounds are asked for."""
    if arguments.judged is not None and not arguments.unjudged_bounds:
        raise InputError("--judged needs --unjudged-bounds; add it")
    given: bool = arguments.unjudged_bounds
    return given


def run(arguments: Namespace) -> Printed:
    """The bounds of each mean and difference."""
    from ..analysis.comparison.unjudged import bounds_by
    from ..evaluation.evaluate import judged_by
    from ..formats.frames import check_of_tables
    from ..progress import progress_bar

    if arguments.letor is not None:
        raise InputError(
            "--unjudged-bounds: all rows of a LETOR file have labels, so nothing is unjudged"
        )
    if word := first_given(arguments, WITHOUT_EFFECT):
        raise InputError(f"--{word.removeprefix('two-')} has no effect with --unjudged-bounds")
    check_none_asked(arguments, "--unjudged-bounds")
    profile, conventions = conventions_of_runs(arguments)
    names_of_measures = measures_of(arguments, conventions, profile)
    beside = [] if arguments.topics is None else [arguments.topics]
    check_standard_input([arguments.qrels, *arguments.runs, *beside])
    names = names_of(arguments.runs)
    qrels = qrels_of(arguments, arguments.qrels)
    runs = [run_of(arguments, path, conventions) for path in arguments.runs]
    check_of_tables(arguments.columns, qrels, *runs)
    judged, _ = judged_by(qrels, conventions, arguments.topics, arguments.grades)
    known = dict(zip(arguments.runs, names, strict=True))
    found = bounds_by(
        conventions,
        profile,
        judged,
        dict(zip(names, runs, strict=True)),
        measures_with_prior(arguments, names_of_measures, conventions, profile),
        arguments.judged,
        known.get(arguments.baseline, arguments.baseline),
        arguments.backend,
        lambda name: progress_bar(name, arguments.progress),
    )
    return printed(UNJUDGED, arguments.format, found, arguments.digits, about(arguments)), DONE
