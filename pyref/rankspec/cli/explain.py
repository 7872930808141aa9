"""``rankspec explain``: why a measure has its value for a query, rank by rank."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import EXPLANATION
from ..errors import InputError
from ..evaluation.profiles import chosen_conventions
from ..evaluation.render import printed
from ..metrics.defaults import OF_RANKINGS
from .options import (
    add_conventions,
    add_digits,
    add_files,
    add_format,
    add_judgments,
    add_measure,
    add_priors,
    add_system,
)
from .output import DONE, Printed
from .parser import Command, Parser
from .systems import about_one, measures_of, measures_with_prior, one_system


def add_arguments(parser: Parser) -> None:
    add_system(parser)
    add_files(parser)
    parser.add_argument("--query", required=True, metavar="Q", help="a query of the qrels")
    add_measure(parser, f"one, as in ir_measures or trec_eval (default: {OF_RANKINGS[0]})")
    add_conventions(parser)
    add_judgments(parser)
    add_priors(parser)
    output = parser.add_argument_group("output")
    add_format(output, EXPLANATION)
    add_digits(output)


def run(arguments: Namespace) -> Printed:
    from ..analysis.explain.explanation import explain_ranked

    qrels, run, given, by = one_system(arguments)
    chosen, conventions = chosen_conventions(arguments.profile, given)
    measures = arguments.measure or measures_of(arguments, conventions, chosen)[:1]
    if arguments.prior is not None:
        measures = measures_with_prior(arguments, measures, conventions, chosen)
    if len(measures) > 1:
        raise InputError(f"explain: expected one measure, got {', '.join(map(str, measures))}")
    explanation = explain_ranked(
        *(qrels, run, arguments.query, measures[0], arguments.profile, given, by),
        topics=arguments.topics,
        grades=arguments.grades,
    )
    how = arguments.digits, about_one(arguments)
    return printed(EXPLANATION, arguments.format, explanation, *how), DONE


COMMAND = Command(
    "[options] QRELS RUN --query Q",
    "Explain the value of a measure for one query, rank by rank. In a LETOR file each\n"
    "document is named by its line number.",
    """\
  rankspec explain qrels.txt bm25.run --query q1
  rankspec explain qrels.txt bm25.run --query q1 -m "AP(rel=2)@100"
  rankspec explain qrels.txt bm25.run --query q1 -m "UL2(nDCG@10)"
  rankspec explain qrels.txt bm25.run --query q1 --unjudged condensed
  rankspec explain qrels.txt bm25.run --query q1 -m P@10 --format json
  rankspec explain --letor test.txt --feature 15 --query 7
""",
    add_arguments,
    run,
    EXPLANATION,
)
