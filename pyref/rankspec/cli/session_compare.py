"""``rankspec session compare``: which systems differ on the same sessions."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import COMPARISON
from . import VERSION
from .comparing import add_output, add_tests, compared, name_of, page
from .output import Printed
from .parser import Command, Parser
from .session_eval import add_evaluation, evaluated, warn_of_left_out


def add_arguments(parser: Parser) -> None:
    add_evaluation(parser)
    add_tests(parser, "SESSIONS", "file of sessions")
    add_output(parser)


def run(arguments: Namespace) -> Printed:
    """What is significant, of each measure and pair of files."""
    systems = evaluated(arguments)
    warn_of_left_out(systems)
    paths = dict(zip(arguments.sessions, systems, strict=True))
    baseline = name_of(arguments.baseline, systems, paths)
    about = {"rankspec": VERSION, "qrels": arguments.qrels}
    return page(arguments, compared(arguments, systems, baseline), about)


COMMAND = Command(
    "[options] QRELS SESSIONS SESSIONS [SESSIONS ...]",
    "Compare systems on the same sessions, each file SESSIONS one of them: means and\n"
    "differences with intervals, tests, p-values corrected for their family, effect\n"
    'sizes. Needs SciPy, which comes with "rankspec[compare]".',
    """\
  rankspec session compare qrels.tsv system-1.tsv system-2.tsv -m nsDCG@10
  rankspec session compare qrels.txt *.tsv -m nsDCG@10 --baseline bm25.tsv
  rankspec session compare qrels.txt *.tsv --test wilcoxon --correction bh
  rankspec session compare session-qrels.tsv sessions-1.tsv sessions-2.tsv
""",
    add_arguments,
    run,
    COMPARISON,
)
