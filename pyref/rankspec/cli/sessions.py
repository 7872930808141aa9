"""What the commands on sessions share: their files, conventions and parameters."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from . import words
from .files import check_standard_input, names_of, naming
from .options import about, add_grades
from .parser import Parser

if TYPE_CHECKING:
    from ..evaluation.ranked import Judgments
    from ..evaluation.sessions.judgments import SessionConventions
    from ..formats.search_session import SearchSession
    from ..metrics.parameters import Parameter

GivenSessions: TypeAlias = "tuple[list[SearchSession], list[str]]"
"""The sessions of a system, and the ids of those that are left out."""


def add_sessions(parser: Parser) -> None:
    """Judgments, and the sessions of one or several systems."""
    from ..evaluation.conventions import SESSIONS as OF_SESSIONS
    from ..evaluation.conventions import convention
    from ..formats.file_format import forms
    from ..formats.session_xml import AMPERSANDS, PAGES
    from ..formats.sessions import JUDGMENTS, SESSIONS

    parser.add_argument("qrels", metavar="QRELS", help=forms(JUDGMENTS, ", or "))
    parser.add_argument(
        "sessions",
        metavar="SESSIONS",
        nargs="+",
        help=f"the sessions of a system: {forms(SESSIONS, '; or ')}",
    )
    parser.add_argument(
        "--topics",
        metavar="MAP",
        help="lines: session topic; sessions not listed are left out",
    )
    parser.add_argument(
        "--current", metavar="RUN", help="a TREC run that ranks the last query of each session"
    )
    order = convention("order").applied_to(OF_SESSIONS)
    parser.add_argument("--order", metavar=order.metavar, help=about(order))
    parser.add_argument(
        "--pages",
        metavar="RULE",
        help=f"in XML, results whose ranks begin above 1: {', '.join(PAGES)} (default: error)",
    )
    parser.add_argument(
        "--ampersands",
        metavar="RULE",
        help=f"in XML, an & that begins no reference: {', '.join(AMPERSANDS)} (default: error)",
    )
    parser.add_argument(
        "--scanned",
        metavar="DEPTHS",
        help="lines: session, query, number of results that the searcher looked at",
    )
    parser.add_argument(
        "--appearances",
        metavar="LABELS",
        help="lines: session, query, document, label, where a document is judged otherwise there",
    )


def add_session_conventions(parser: Parser, without: Sequence[str] = ()) -> None:
    """An option for each convention between files and labels."""
    from ..evaluation.sessions.judgments import (
        CONVENTIONS as OF_SESSIONS,  # only these commands need it
    )

    group = parser.add_argument_group("conventions", "Each list begins with the default.")
    for known in OF_SESSIONS:
        if known.name in without:
            continue
        where = f" (default: {known.open_default})" if known.open_default else ""
        group.add_argument(
            f"--{known.name.replace('_', '-')}",
            metavar=known.metavar,
            help=f"{known.about}: {', '.join(known.values)}{where}",
        )
    add_grades(group)


def add_session_parameters(parser: Parser, parameters: Sequence[Parameter]) -> None:
    """An option for each parameter that a measure may not say itself."""
    group = parser.add_argument_group(
        "parameters", "Values for parameters that a measure does not name itself."
    )
    for known in parameters:
        group.add_argument(
            f"--{known.name.replace('_', '-')}",
            type={"repeats": words.repeats, "padding": words.padding}.get(known.name, str),
            metavar=known.name.upper().replace("QUERY_", ""),
            help=f"{known.help} (default: {known.words[0] if known.words else known.default})",
        )


def session_files(
    arguments: Namespace,
) -> tuple[Judgments, dict[str, GivenSessions], SessionConventions]:
    """The judgments, the sessions of all systems by their names, and the conventions."""
    from ..evaluation.sessions.evaluate import given_sessions
    from ..evaluation.sessions.judgments import CONVENTIONS as OF_SESSIONS
    from ..evaluation.sessions.judgments import session_conventions
    from ..formats.sessions import (
        appearances_of,
        naming_swapped,
        of_system,
        rankings_of,
        read_judgments,
        read_sessions,
        read_topics,
        scanned_of,
    )

    topics, current, scanned = arguments.topics, arguments.current, arguments.scanned
    labels = arguments.appearances
    beside = [path for path in (topics, current, scanned, labels) if path is not None]
    check_standard_input([arguments.qrels, *arguments.sessions, *beside])
    names = names_of(arguments.sessions, "file")
    with naming_swapped(arguments.qrels, arguments.sessions[0]):
        judgments = read_judgments(arguments.qrels)
    known = None if topics is None else read_topics(topics)
    rankings = rankings_of(current, arguments.order or "score")
    depths, of_results = scanned_of(scanned), appearances_of(labels)
    of_xml = {"pages": arguments.pages or "error", "ampersands": arguments.ampersands or "error"}
    read = {}
    others = [] if topics is None else [topics]
    for name, path in zip(names, arguments.sessions, strict=True):
        with (
            naming(path, arguments.sessions, *others),
            naming_swapped(arguments.qrels, path),
        ):
            read[name] = read_sessions(path, **of_xml)
    ids = {session.id for sessions in read.values() for session in sessions}
    systems = {}
    for (name, sessions), path in zip(read.items(), arguments.sessions, strict=True):
        with naming(path, arguments.sessions, *others):
            systems[name] = given_sessions(
                sessions,
                known,
                of_system(rankings, sessions, ids),
                scanned=of_system(depths, sessions, ids),
                appearances=of_system(of_results, sessions, ids),
            )
    given = {x.name: getattr(arguments, x.name, None) for x in OF_SESSIONS}
    conventions = session_conventions(
        (session for sessions, _ in systems.values() for session in sessions),
        grades=arguments.grades,
        **given,
    )
    return judgments, systems, conventions
