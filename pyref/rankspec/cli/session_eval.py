"""``rankspec session eval``: sessions of several queries against judgments."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from ..errors import InputError, shown_text
from ..evaluation.render import printed
from ..evaluation.sessions.outputs import OUTPUTS
from ..metrics.defaults import OF_SESSIONS
from . import VERSION
from .files import naming
from .options import add_backend, add_digits_by_format, add_format, add_measure
from .output import DONE, Printed, complain
from .parser import Command, Parser
from .sessions import add_session_conventions, add_session_parameters, add_sessions, session_files

if TYPE_CHECKING:
    from ..evaluation.sessions.result import SessionEvaluation
    from ..metrics.measure import Measure


def add_evaluation(parser: Parser) -> None:
    """Judgments, sessions, measures of them, and all that these leave open."""
    from ..metrics.parameters import GAIN
    from ..metrics.session import IDEAL, PADDING, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS

    add_sessions(parser)
    add_measure(parser, f"of sessions; several with commas (default: {','.join(OF_SESSIONS)})")
    add_session_conventions(parser)
    add_session_parameters(parser, (GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, REPEATS, PADDING, IDEAL))


def add_arguments(parser: Parser) -> None:
    add_evaluation(parser)
    output = parser.add_argument_group("output")
    output.add_argument("-q", "--per-session", action="store_true", help="the sessions' values too")
    output.add_argument(
        "--sd",
        action="store_true",
        help="print the standard deviations over sessions, too; table and JSON also show how many "
        "queries the sessions have",
    )
    add_format(output, OUTPUTS)
    add_digits_by_format(output, OUTPUTS)
    add_backend(parser)


def run(arguments: Namespace) -> Printed:
    found = evaluated(arguments)
    if arguments.format == "tsv":  # which has no place for it
        warn_of_left_out(found)
    _warn_of_different_sessions(found)
    about = {"rankspec": VERSION, "qrels": arguments.qrels}
    how = arguments.digits, about
    which = {"per_session": arguments.per_session, "sd": arguments.sd}
    return printed(OUTPUTS, arguments.format, found, *how, **which), DONE


def evaluated(arguments: Namespace) -> dict[str, SessionEvaluation]:
    """The evaluations of all files of sessions, by their names."""
    from ..evaluation.sessions.evaluate import evaluate_by

    chosen = _measures(arguments)
    judgments, systems, conventions = session_files(arguments)
    found = {}
    for name, path in zip(systems, arguments.sessions, strict=True):
        with naming(path, arguments.sessions, arguments.qrels):
            found[name] = evaluate_by(
                conventions, judgments, *systems[name], chosen, arguments.backend
            )
    for name, evaluation in found.items():
        if not evaluation.sessions:
            why = ", ".join(dict.fromkeys(evaluation.left_out.values()))
            raise InputError(f"{name}: no session to evaluate ({why}) (RS-CONV-26)")
        for text in evaluation.warnings:
            complain(f"warning: {name}: {text}")
    return found


def warn_of_left_out(systems: Mapping[str, SessionEvaluation]) -> None:
    """Warn of the sessions that are left out."""
    from ..evaluation.sessions.result import left_out

    for name, found in systems.items():
        for line in left_out(f"{name}: ", found.left_out):
            complain(f"warning: {line}")


def _warn_of_different_sessions(systems: Mapping[str, SessionEvaluation]) -> None:
    """Warn where means are not of the same sessions."""
    of = {name: dict.fromkeys(found.sessions) for name, found in systems.items()}
    for (name, some), (other, others) in permutations(of.items(), 2):
        for session in some:
            if session not in others:
                complain(
                    f"warning: the means are of different sessions: {name} has "
                    f"{shown_text(session)}, {other} has not"
                )
                return


def _measures(arguments: Namespace) -> Sequence[Measure]:
    """The measures of sessions that are asked for, or the default ones."""
    from ..evaluation.sessions.evaluate import session_measures
    from ..metrics.session import METRICS

    names = dict.fromkeys(name for metric in METRICS for name in metric.parameters)
    defaults = {name: getattr(arguments, name, None) for name in names}
    return session_measures(arguments.measure or OF_SESSIONS, defaults)


COMMAND = Command(
    "[options] QRELS SESSIONS [SESSIONS ...]",
    "Evaluate sessions of several queries against judgments: each file SESSIONS is a\n"
    "system (plain or compressed; - is the standard input).",
    """\
  rankspec session eval qrels.tsv sessions.tsv
  rankspec session eval qrels.txt system-1.tsv system-2.tsv -m nsDCG@10 -q
  rankspec session eval qrels.txt sessions.json -m "nsDCG(repeats='first')@10"
  rankspec session eval qrels.txt sessions.tsv --gain 0-1-10-100 --padding 0
  rankspec session eval qrels.txt sessiontrack2013.xml.gz --topics map.txt
  rankspec session eval qrels.txt sessions.xml --grades "-2=0,4=2,2=3,3=4"
  rankspec session eval qrels.txt sessions.xml --current bm25.run -m query_nDCG
  rankspec session eval session-qrels.tsv sessions-1.tsv  # rankspec example
  rankspec session eval qrels.tsv sessions.tsv --scanned depths.tsv --padding 0
""",
    add_arguments,
    run,
    OUTPUTS,
)
