"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from ..evaluation.conventions import CONVENTIONS, Convention, written
from ..evaluation.render import Output
from ..formats.trec import QRELS, RUN
from . import words
from .asked import MEASURE, asked
from .parser import Parser


def add_qrels(parser: Parser) -> None:
    """Judgments of TREC."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS.form)


def add_system(parser: Parser) -> None:
    """Qrels and a run, or a LETOR file and what ranks its rows."""
    add_qrels(parser)
    parser.add_argument("run", metavar="RUN", help=RUN.form)
    add_letor(parser)


def add_systems(parser: Parser) -> None:
    """Qrels and runs, or a LETOR file and what ranks its rows."""
    add_qrels(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help=RUN.form)
    add_letor(parser)


def add_letor(parser: Parser) -> None:
    """A LETOR file and what ranks its rows, in the place of the positional arguments."""
    from ..formats.letor import FORM

    parser.instead += ("--letor",)
    letor = parser.add_argument_group("LETOR files, in the place of QRELS and RUN")
    letor.add_argument(
        "--letor",
        metavar="FILE",
        help=FORM,
    )
    letor.add_argument(
        "--feature",
        type=words.feature,
        action="extend",
        nargs="+",
        metavar="N",
        help="a feature that ranks, the highest value first; -N: the lowest first",
    )
    letor.add_argument(
        "--predictions",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="files that rank in its place: a number a line, a row",
    )
    letor.add_argument(
        "--group",
        metavar="FILE",
        help="the number of rows of each query, where they have no qid (default: FILE.query)",
    )


GRADES = "labels and what they stand for: -2=0,4=2; the others stay as they are"


def add_grades(group: argparse._ActionsContainer) -> None:
    """What labels stand for."""
    group.add_argument("--grades", type=words.grades, metavar="GRADES", help=GRADES)


def add_format(group: argparse._ActionsContainer, outputs: Iterable[Output]) -> None:
    """--format, one of some, the first by default."""
    names = tuple(output.name for output in outputs)
    group.add_argument(
        "--format",
        type=words.one_of("format", names),
        choices=names,
        default=names[0],
        metavar="FORMAT",
        help=", ".join([f"{names[0]} (default)", *names[1:]]),
    )


def add_digits(group: argparse._ActionsContainer) -> None:
    """--digits, of a table."""
    group.add_argument(
        "--digits", type=words.digits, default=4, metavar="N", help="decimals (default: 4)"
    )


def add_digits_by_format(group: argparse._ActionsContainer, outputs: Iterable[Output]) -> None:
    """The same where some formats have as many as the double needs."""
    whole = " and ".join(x.name for x in outputs if x.digits is None and x.name != "json")
    group.add_argument(
        "--digits",
        type=words.digits,
        metavar="N",
        help=f"decimals (default: 4; {whole}: as many as the double needs; json: always those)",
    )


def add_measure(parser: Parser, about: str) -> None:
    """-m, as often as one likes."""
    parser.add_argument(
        MEASURE, "--measure", type=asked, action="extend", metavar="MEASURE", help=about
    )


def add_backend(parser: Parser) -> argparse._ArgumentGroup:
    """How the work is done, which changes no number."""
    backends = ("auto", "c", "reference")
    group = parser.add_argument_group("work")
    group.add_argument(
        "--backend",
        type=words.one_of("backend", backends),
        choices=backends,
        default="auto",
        metavar="NAME",
        help="auto (default): c, the compiled core, or where it is not built, with a warning, "
        "reference: the same values, by the certified reference",
    )
    return group


def add_progress(group: argparse._ActionsContainer) -> None:
    """--no-progress."""
    group.add_argument(
        "--no-progress",
        action="store_false",
        dest="progress",
        help="no progress bar (it is drawn on a terminal only, and after a second)",
    )


def add_experiment(parser: Parser) -> None:
    """What the experiments of papers take."""
    parser.add_argument(
        "--samples",
        type=words.whole,
        metavar="N",
        help="moniz-2016: samples of each distribution, 1 to 100000 (default: 1000)",
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="moniz-2016: real scores too, from tables with columns IDLink, TS1, ..., TS144; "
        "karmaker-2022: real rankings too, from LETOR files",
    )
    rankers = parser.add_argument_group(
        "what ranks the rows of --data, for karmaker-2022 (default: features)"
    )
    rankers.add_argument(
        "--feature",
        type=words.feature,
        action="extend",
        nargs="+",
        metavar="N",
        help="features, the highest value first; -N: the lowest first",
    )
    rankers.add_argument(
        "--predictions",
        action="extend",
        nargs="+",
        metavar="PATH",
        help="for each ranker a file, or a folder with a file for each of --data: a number a line",
    )
    rankers.add_argument(
        "--run",
        action="extend",
        nargs="+",
        metavar="RUN",
        help='TREC runs of the documents that comments of rows name, "# docid = ID"',
    )
    rankers.add_argument(
        "--train",
        metavar="FOLDER",
        help="learners, trained on the LETOR files of another folder (rankspec[learn])",
    )


EXPERIMENT = {
    "samples": "--samples",
    "data": "--data",
    "feature": "--feature",
    "predictions": "--predictions",
    "run": "--run",
    "train": "--train",
}
"""The options of add_experiment(), by the names of what they set."""


def add_judgments(parser: Parser) -> None:
    """What is made of qrels before they judge: --topics and --grades."""
    judgments = parser.add_argument_group("judgments")
    judgments.add_argument(
        "--topics",
        metavar="MAP",
        help="lines: query topic, where the qrels are by topic; other queries are not judged",
    )
    add_grades(judgments)


def add_conventions(parser: Parser) -> None:
    """--profile, and an option for each convention."""
    group = parser.add_argument_group(
        "conventions",
        "What the metrics' definitions leave open: a profile sets it all, as a program\n"
        "does, an option one of it. Each list of rules begins with the default.",
    )
    group.add_argument(
        "--profile", metavar="NAME", help="trec_eval-9, ...; rankspec profiles lists them"
    )
    for known in CONVENTIONS:
        group.add_argument(
            f"--{known.name}",
            type=words.of_convention(known),
            metavar=known.metavar,
            help=about(known),
        )


def about(convention: Convention) -> str:
    if convention.values:
        return f"{convention.about}: {', '.join(convention.values)}"
    default = written(convention.name, convention.default)
    return f"{convention.about} (default: {default})"
