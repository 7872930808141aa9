"""``rankspec check``: what is suspicious in a run and its qrels."""

from __future__ import annotations

from argparse import Namespace

from ..analysis.outputs import REPORT
from ..evaluation.render import printed
from . import words
from .files import names_of
from .options import (
    add_backend,
    add_conventions,
    add_files,
    add_format,
    add_judgments,
    add_progress,
    add_system,
)
from .output import DONE, SUSPICIOUS, Printed
from .parser import Command, Parser
from .systems import about_one, one_system


def add_arguments(parser: Parser) -> None:
    add_system(parser)
    add_files(parser)
    parser.add_argument(
        "--top",
        type=words.above_0,
        default=10,
        metavar="K",
        help="how many top ranks count (default: 10)",
    )
    add_conventions(parser)
    add_judgments(parser)
    output = parser.add_argument_group("output")
    add_format(output, REPORT)
    output.add_argument(
        "--exit-code", action="store_true", help="exit with 1 if something is suspicious"
    )
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    from ..analysis.check.report import check_ranked
    from ..progress import progress_bar

    qrels, run, given, by = one_system(arguments)
    name = names_of([arguments.run] if arguments.letor is None else arguments.letor)[0]
    with progress_bar(name, arguments.progress) as progress:
        found = check_ranked(
            qrels,
            run,
            given,
            top=arguments.top,
            profile=arguments.profile,
            backend=arguments.backend,
            progress=progress,
            by=by,
            topics=arguments.topics,
            grades=arguments.grades,
        )
    status = SUSPICIOUS if arguments.exit_code and found.suspicious else DONE
    return printed(REPORT, arguments.format, found, about=about_one(arguments)), status


COMMAND = Command(
    "[options] QRELS RUN | --letor FILE ...",
    "Say what is suspicious in a run and its qrels: ties, and how far they could move\n"
    "nDCG and AP; orders that 32-bit floats would change; ranks that contradict\n"
    "scores; constant scores; queries missing on either side; unjudged documents, and\n"
    "how far they could move nDCG; unusual labels; documents listed twice; queries\n"
    "without a label above 0; ids that differ only in case; two tags in one run. If\n"
    "labels are scores (--relevance), no label is unusual, and ties could move\n"
    "nDCG_phi. The exit status is 0 even then; --exit-code makes it 1.",
    """\
  rankspec check qrels.txt bm25.run
  rankspec check qrels.txt bm25.run.gz --top 100 --duplicates first
  rankspec check qrels.txt bm25.run --exit-code > /dev/null || echo look at it
  rankspec check qrels.txt bm25.run --format json
  rankspec check shares.qrels news.run --relevance phi
  rankspec check --letor test.txt --predictions lightgbm.txt
""",
    add_arguments,
    run,
    REPORT,
)
