"""``rankspec session compare``: which systems differ on sessions."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import COMPARISON
from . import VERSION, words
from .comparing import add_output, add_tests, compared, name_of, page
from .output import Printed
from .parser import Command, Parser
from .session_eval import add_evaluation, evaluated, warn_of_left_out

DESIGNS = ("paired", "unpaired")
UNPAIRED = "; of sessions in one system each: welch, stratified (default), pooled"


def add_arguments(parser: Parser) -> None:
    add_evaluation(parser)
    add_tests(parser, "SESSIONS", "file of sessions", UNPAIRED)
    parser.add_argument_group("sessions of each system").add_argument(
        "--design",
        type=words.one_of("design", DESIGNS),
        choices=DESIGNS,
        metavar="NAME",
        help="paired: all systems have the same sessions; unpaired: each has its own, also where "
        "ids are equal (default: by the ids)",
    )
    add_output(parser)


def run(arguments: Namespace) -> Printed:
    """What is significant, of each measure and pair of files."""
    systems = evaluated(arguments)
    warn_of_left_out(systems)
    paths = dict(zip(arguments.sessions, systems, strict=True))
    baseline = name_of(arguments.baseline, systems, paths)
    about = {"rankspec": VERSION, "qrels": arguments.qrels}
    found = compared(arguments, systems, baseline, design=arguments.design)
    return page(arguments, found, about)


COMMAND = Command(
    "[options] QRELS SESSIONS SESSIONS [SESSIONS ...]",
    "Compare systems on the same sessions, or each on sessions of its own, each file\n"
    "SESSIONS one system: means and differences with intervals, tests, p-values\n"
    "corrected for their family, effect sizes. Needs SciPy, which comes with\n"
    '"rankspec[compare]".',
    """\
  rankspec session compare qrels.tsv system-1.tsv system-2.tsv -m nsDCG@10
  rankspec session compare qrels.txt *.tsv -m nsDCG@10 --baseline bm25.tsv
  rankspec session compare qrels.txt *.tsv --test wilcoxon --correction bh
  rankspec session compare session-qrels.tsv sessions-1.tsv sessions-2.tsv
  rankspec session compare qrels.tsv a.tsv b.tsv --topics map.txt --test welch
""",
    add_arguments,
    run,
    COMPARISON,
)
