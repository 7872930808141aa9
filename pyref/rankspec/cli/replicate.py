"""``rankspec replicate``: whether runs repeat an experiment."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import REPLICATION
from ..errors import InputError
from ..evaluation.render import printed
from . import VERSION, words
from .files import check_standard_input, names_of
from .options import (
    add_backend,
    add_conventions,
    add_digits_by_format,
    add_format,
    add_judgments,
    add_measure,
    add_progress,
    add_qrels,
)
from .output import DONE, Printed
from .parser import Command, Parser, first_given
from .systems import given_conventions, measures_of

MOST_RUNS = 2


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    add_measure(parser, "as of rankspec eval; several with commas, or by several -m")
    group = parser.add_argument_group(
        "runs", "A run, or a baseline and the advanced run that improves on it, in this order."
    )
    group.add_argument(
        "--original", nargs="+", metavar="RUN", required=True, help="of the experiment"
    )
    group.add_argument(
        "--replicated", nargs="+", metavar="RUN", required=True, help="of its repetition"
    )
    group.add_argument(
        "--other-qrels",
        metavar="QRELS",
        help="qrels of another collection, on which the repetition ran; then only improvements "
        "are compared",
    )
    rankings = parser.add_argument_group("rankings")
    rankings.add_argument(
        "--rbo-p",
        type=words.level,
        default=0.8,
        metavar="P",
        help="the persistence of RBO (default: 0.8, as repro_eval up to 0.4; its 0.5 has 0.95)",
    )
    rankings.add_argument(
        "--top",
        type=words.above_0,
        default=1000,
        metavar="N",
        help="how many documents of each query KTU and RBO compare (default: 1000)",
    )
    add_conventions(parser)
    add_judgments(parser)
    output = parser.add_argument_group("output")
    add_format(output, REPLICATION)
    add_digits_by_format(output, REPLICATION)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    """How far the runs are repeated."""
    from ..analysis.comparison.replication import replicate_by
    from ..analysis.comparison.replication_found import ADVANCED, BASELINE
    from ..evaluation.evaluate import judged_by
    from ..evaluation.profiles import chosen_conventions
    from ..progress import progress_bar

    sides = arguments.original, arguments.replicated
    for option, paths in zip(("original", "replicated"), sides, strict=True):
        if len(paths) > MOST_RUNS:
            raise InputError(
                f"--{option}: expected a run, or a baseline and a run, got {len(paths)} files"
            )
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"--original has {len(sides[0])} runs and --replicated {len(sides[1])}; each run "
            "needs its repetition"
        )
    if arguments.other_qrels and (word := first_given(arguments, ("rbo_p", "top"))):
        raise InputError(f"--{word}: it applies to rankings, which --other-qrels does not compare")
    for paths in (*sides, [sides[0][-1], sides[1][-1]]):
        names_of(paths)  # the same run twice is refused, but for a baseline that both sides have
    apart = list(dict.fromkeys([*sides[0], *sides[1]]))
    called = dict(zip(apart, names_of(apart), strict=True))
    qrels = [arguments.qrels, *([arguments.other_qrels] if arguments.other_qrels else [])]
    topics = [] if arguments.topics is None else [arguments.topics]
    check_standard_input([*qrels, *sides[0], *sides[1], *topics])
    roles = (BASELINE, ADVANCED)[-len(sides[0]) :]
    first, second = (
        dict(zip(roles, zip(own, paths, strict=True), strict=True))
        for own, paths in (([called[path] for path in side], side) for side in sides)
    )
    profile, conventions = chosen_conventions(arguments.profile, given_conventions(arguments))
    found = replicate_by(
        conventions,
        profile,
        [judged_by(x, conventions, arguments.topics, arguments.grades)[0] for x in qrels],
        first,
        second,
        measures_of(arguments, conventions, profile),
        arguments.rbo_p,
        arguments.top,
        arguments.backend,
        lambda name: progress_bar(name, arguments.progress),
    )
    about = {"rankspec": VERSION, "qrels": arguments.qrels, "other_qrels": arguments.other_qrels}
    return printed(REPLICATION, arguments.format, found, arguments.digits, about), DONE


COMMAND = Command(
    "[options] QRELS --original [BASELINE] RUN\n"
    "                          --replicated [BASELINE] RUN",
    "Say how far a run repeats another: KTU and RBO of the rankings, the root mean\n"
    "square error and a t-test of the values. With a baseline, also say how far the\n"
    "improvement is repeated: effect ratio and delta RI (Breuer et al. 2020). Needs\n"
    'SciPy, which comes with "rankspec[compare]".',
    """\
  rankspec replicate qrels.txt --original a.run --replicated b.run -m nDCG@10
  rankspec replicate qrels.txt --original base.run advanced.run \\
      --replicated base-2.run advanced-2.run -m nDCG@10,AP --format latex
  rankspec replicate core17.txt --original base.run advanced.run \\
      --other-qrels core18.txt --replicated base-18.run advanced-18.run -m AP
""",
    add_arguments,
    run,
    REPLICATION,
)
