"""``rankspec diversity eval``: runs against qrels with a label for each subtopic."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from ..evaluation.conventions import DIVERSITY, conventions_of
from ..evaluation.outputs import OUTPUTS
from ..evaluation.render import printed
from ..formats.diversity import PROBABILITIES, QRELS
from ..formats.trec import RUN
from ..metrics.defaults import OF_DIVERSITY
from . import VERSION, words
from .files import check_standard_input, names_of, naming
from .options import about, add_backend, add_digits_by_format, add_format, add_measure
from .output import DONE, Printed, complain
from .parser import Command, Parser

if TYPE_CHECKING:
    from ..evaluation.result import Evaluation


def add_arguments(parser: Parser) -> None:
    parser.add_argument("qrels", metavar="QRELS", help=QRELS.form)
    parser.add_argument("runs", metavar="RUN", nargs="+", help=RUN.form)
    parser.add_argument(
        "--probabilities",
        metavar="FILE",
        help=f"{PROBABILITIES.form}; by default all subtopics with a relevant document have equal "
        "weights",
    )
    add_measure(parser, f"of diversity; several with commas (default: {','.join(OF_DIVERSITY)})")
    group = parser.add_argument_group("conventions", "Each list begins with the default.")
    for known in conventions_of(DIVERSITY):
        group.add_argument(
            f"--{known.name}",
            type=words.of_convention(known),
            metavar=known.metavar,
            help=about(known),
        )
    output = parser.add_argument_group("output")
    output.add_argument("-q", "--per-query", action="store_true", help="the queries' values too")
    add_format(output, OUTPUTS)
    add_digits_by_format(output, OUTPUTS)
    add_backend(parser)


def run(arguments: Namespace) -> Printed:
    """The values of the measures, of each run."""
    runs = evaluated(arguments)
    about_all = {"rankspec": VERSION, "qrels": arguments.qrels}
    if arguments.probabilities is not None:
        about_all["probabilities"] = arguments.probabilities
    how = arguments.digits, about_all
    return printed(OUTPUTS, arguments.format, runs, *how, per_query=arguments.per_query), DONE


def evaluated(arguments: Namespace) -> dict[str, Evaluation]:
    """The evaluations of all runs, by their names."""
    from ..evaluation.diversity import (
        diversity_conventions,
        diversity_measures,
        evaluate_by,
        judged_by,
    )

    beside = [] if arguments.probabilities is None else [arguments.probabilities]
    check_standard_input([arguments.qrels, *arguments.runs, *beside])
    names = names_of(arguments.runs)
    conventions = diversity_conventions(
        {known.name: getattr(arguments, known.name) for known in conventions_of(DIVERSITY)}
    )
    chosen = diversity_measures(arguments.measure or OF_DIVERSITY, conventions)
    judged, intents = judged_by(arguments.qrels, arguments.probabilities, conventions)
    found = {}
    for name, path in zip(names, arguments.runs, strict=True):
        with naming(path, arguments.runs, arguments.qrels):
            found[name] = evaluate_by(conventions, judged, intents, path, chosen)
        for text in found[name].warnings:
            complain(f"warning: {path}: {text}")
    return found


COMMAND = Command(
    "[options] QRELS RUN [RUN ...]",
    "Evaluate TREC runs against qrels with a label for each subtopic, as ndeval and\n"
    "NTCIREVAL read them (plain or compressed; - is the standard input).",
    """\
  rankspec diversity eval qrels-for-ndeval.txt bm25.run
  rankspec diversity eval qrels-for-ndeval.txt bm25.run -m alpha_nDCG@20 -q
  rankspec diversity eval subtopics.qrels bm25.run --order rank --queries both
  rankspec diversity eval Dqrels bm25.run --probabilities DINprob -m D#-nDCG@10
""",
    add_arguments,
    run,
    OUTPUTS,
)
