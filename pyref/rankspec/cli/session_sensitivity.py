"""``rankspec session sensitivity``: how means of sessions depend on the bases of the discounts."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from ..evaluation.render import printed
from ..evaluation.sessions.sensitivity import BASES, MEASURE, OUTPUTS
from . import VERSION
from .files import naming
from .options import add_backend, add_digits_by_format, add_format
from .output import DONE, Printed
from .parser import Command, Parser
from .sessions import add_session_conventions, add_session_parameters, add_sessions, session_files


def add_arguments(parser: Parser) -> None:
    from ..metrics.parameters import GAIN
    from ..metrics.session import IDEAL, PADDING, REPEATS

    add_sessions(parser)
    parser.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        default=MEASURE,
        help=f"one of sessions that takes both discounts (default: {MEASURE})",
    )
    known = ",".join(map(str, BASES))
    for name, what in (("--bases", "ranks"), ("--query-bases", "queries")):
        parser.add_argument(
            name,
            metavar="LIST",
            help=f"bases of the discount of {what}, with commas (default: {known})",
        )
    add_session_conventions(parser, without=("undefined",))
    add_session_parameters(parser, (GAIN, REPEATS, PADDING, IDEAL))
    output = parser.add_argument_group("output")
    add_format(output, OUTPUTS)
    add_digits_by_format(output, OUTPUTS)
    add_backend(parser)


def run(arguments: Namespace) -> Printed:
    from ..evaluation.sessions.evaluate import judge_by
    from ..evaluation.sessions.sensitivity import session_sensitivity

    judgments, systems, conventions = session_files(arguments)
    options = {name: getattr(arguments, name) for name in ("gain", "repeats", "padding", "ideal")}
    found = {}
    for name, path in zip(systems, arguments.sessions, strict=True):
        with naming(path, arguments.sessions, arguments.qrels):
            found[name] = session_sensitivity(
                judge_by(conventions, judgments, *systems[name]),
                arguments.measure,
                bases=_bases(arguments.bases),
                query_bases=_bases(arguments.query_bases),
                backend=arguments.backend,
                **options,
            )
    about = {"rankspec": VERSION, "qrels": arguments.qrels}
    return printed(OUTPUTS, arguments.format, found, arguments.digits, about), DONE


def _bases(given: str | None) -> tuple[Any, ...]:
    """What stands between the commas; what is no number is refused where it is read."""
    return BASES if given is None else tuple(map(_number, given.split(",")))


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


COMMAND = Command(
    "[options] QRELS SESSIONS [SESSIONS ...]",
    "Show how the mean of a measure of sessions depends on the bases of the discounts\n"
    "of ranks and of queries: from 1.5, an impatient searcher, to 10, a patient one.\n"
    "Each file SESSIONS is a system.",
    """\
  rankspec session sensitivity session-qrels.tsv sessions-1.tsv sessions-2.tsv
  rankspec session sensitivity qrels.tsv sessions.tsv -m sDCG@10 --gain exp2
  rankspec session sensitivity qrels.tsv s.tsv --bases 2,3 --query-bases 4
""",
    add_arguments,
    run,
    OUTPUTS,
)
