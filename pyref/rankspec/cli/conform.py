"""``rankspec conform``: whether another program computes what the specification says."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import InputError
from ..evaluation.render import JSON, PAGE, Output, printed
from . import VERSION, words
from .options import add_format, add_progress
from .output import DIED, Printed, complain, save
from .parser import Command, Parser

if TYPE_CHECKING:
    from ..analysis.conformance.report import Report

PROFILES = ("ndcg-core", "trec", "ltr", "recsys", "session", "all")
PARTS = ("required", "all")


def _table(found: Report, *_: Any) -> str:
    from ..analysis.conformance.report import table

    return table(found)


def _json(found: Report, _: int | None, about: Mapping[str, Any]) -> str:
    from ..analysis.conformance.report import as_json

    return as_json(found, about)


OUTPUTS = (Output("table", PAGE, _table), Output("json", JSON, _json))
"""They stand here, as help names them before the runner is loaded."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "program", metavar="PROGRAM", nargs="*", help="a program that speaks the protocol"
    )
    whom = parser.add_argument_group("instead of PROGRAM")
    whom.add_argument(
        "--python", metavar="PKG.MOD:NAME", help="a Python function that answers a case"
    )
    whom.add_argument(
        "--trec",
        metavar="TEMPLATE",
        help="a program that reads TREC files: './trec_eval -q {qrels} {run} -m {measure}'; "
        "{name} is replaced by the measure's name, as nDCG@10",
    )
    cases = parser.add_argument_group("cases")
    cases.add_argument(
        "--profile",
        dest="goal",  # that of an evaluation is another, and completed by other names
        type=words.one_of("profile", PROFILES),
        choices=PROFILES,
        default="all",
        metavar="NAME",
        help=", ".join(f"{name} (default)" if name == "all" else name for name in PROFILES),
    )
    cases.add_argument(
        "--part",
        type=words.one_of("part", PARTS),
        choices=PARTS,
        default="required",
        metavar="PART",
        help="required (default), or all, which adds the optional cases",
    )
    cases.add_argument(
        "--case", action="append", metavar="ID", help="only this case, or those whose ids begin so"
    )
    cases.add_argument(
        "--without",
        action="append",
        metavar="WORD",
        help="skip the cases that require this; they count as unsupported",
    )
    judging = parser.add_argument_group("judging")
    judging.add_argument(
        "--grade",
        metavar="GRADE",
        help="exact: the same bits; close (default): within what doubles can achieve; ulp=N: "
        "within N units in the last place; digits=N: N decimals (default with --trec: "
        "digits=4)",
    )
    judging.add_argument(
        "--known",
        metavar="FILE",
        help="file of known failures; a known failure that passes is an error",
    )
    judging.add_argument(
        "--write-known", action="store_true", help="write the failures to the FILE of --known"
    )
    judging.add_argument(
        "--accept", action="append", metavar="FLAG", help="cases with this flag may fail"
    )
    judging.add_argument(
        "--min-run",
        type=words.above_0,
        default=1,
        metavar="N",
        help="at least N cases must pass by a value (default: 1)",
    )
    running = parser.add_argument_group("running")
    running.add_argument(
        "--timeout",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="seconds for an answer (default: 10); the start may take six times as long",
    )
    running.add_argument(
        "--jobs",
        type=words.above_0,
        default=1,
        metavar="N",
        help="number of programs run at once (default: 1)",
    )
    output = parser.add_argument_group("output")
    add_format(output, OUTPUTS)
    output.add_argument("--junit", metavar="FILE", help="write the result as JUnit XML, too")
    add_progress(output)


def _seconds(text: str) -> float:
    from ..analysis.conformance.adapters import seconds

    try:
        return seconds(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(arguments: Namespace) -> Printed:
    from ..analysis.conformance.adapters import NotReady
    from ..analysis.conformance.command import Asked, conform, write_known
    from ..analysis.conformance.judge import grade
    from ..analysis.conformance.report import junit
    from ..progress import progress_bar

    _check(arguments)
    asked = Asked(
        grade(arguments.grade or ("digits=4" if arguments.trec else "close")),
        arguments.program,
        arguments.python,
        arguments.trec,
        arguments.goal,
        arguments.part,
        arguments.case or (),
        arguments.known,
        arguments.write_known,
        arguments.accept or (),
        arguments.min_run,
        arguments.timeout,
        arguments.jobs,
        without=arguments.without or (),
    )
    try:
        with (
            _ended_by_signals(),
            progress_bar("conform", arguments.progress, of="cases") as progress,
        ):
            report = conform(asked, progress)
    except NotReady as error:
        complain(f"error: the program was not ready to be asked: {error}")
        return "", DIED
    if arguments.junit:
        save(arguments.junit, junit(report).encode())
    if arguments.write_known:
        save(arguments.known, write_known(report, arguments.known).encode())
    return printed(OUTPUTS, arguments.format, report, None, {"rankspec": VERSION}), report.status


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Within it SIGTERM and SIGHUP end the programs that run, and what they have, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = (name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
    numbers = [getattr(signal, name) for name in names]
    ours = [n for n in numbers if signal.getsignal(n) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: object) -> NoReturn:
    for name in ("SIGTERM", "SIGHUP"):  # a second one is not to break off the end
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.exit(128 + number)


def _check(arguments: Namespace) -> None:
    """An InputError where it is not said once whom to ask, or where to write."""
    given = [bool(arguments.program), arguments.python is not None, arguments.trec is not None]
    if sum(given) != 1:
        raise InputError(
            "conform: give one of PROGRAM (after --), --python and --trec"
            if not sum(given)
            else "conform: give only one of PROGRAM, --python and --trec; options of rankspec go "
            "before the --"
        )
    if arguments.write_known and arguments.known is None:
        raise InputError("conform: --write-known needs --known FILE, the file to write")


COMMAND = Command(
    "[options] -- PROGRAM [ARGUMENT ...]",
    "Ask a program the test vectors, and name for each failure the convention that\n"
    "gives what the program gave. The program reads and writes lines of JSON\n"
    "(spec/conformance.md). Exit status: 0 it conforms, 1 it does not, 3 it died.",
    """\
  rankspec conform --profile ndcg-core -- node adapter.mjs
  rankspec conform --python mypackage.adapter:answer --grade exact
  rankspec conform --trec './trec_eval -q {qrels} {run} -m {measure}'
  rankspec conform --known known.txt --write-known -- ./adapter
  rankspec conform --case dcg-0012 -- ./adapter
""",
    add_arguments,
    run,
    OUTPUTS,
)
