"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from ..evaluation.conventions import CONVENTIONS, Convention, written
from ..evaluation.render import ALL_DIGITS, SUFFIXES, Output
from ..formats.files import formats_of
from ..formats.trec import QRELS, RUN
from ..typed import TYPE_CHECKING, TypeAlias
from . import words
from .asked import MEASURE, asked
from .parser import Parser

if TYPE_CHECKING:
    from fractions import Fraction


def add_qrels(parser: Parser) -> None:
    """Judgments of TREC."""
    parser.add_argument("qrels", metavar="QRELS", help=QRELS.form)


def add_files(parser: Parser) -> None:
    """Which formats the files have, and what their columns are called."""
    group = parser.add_argument_group(
        "files of qrels and runs",
        "The content decides the format (RS-CONV-48): TREC, BEIR, NTCIR or MS MARCO,\n"
        "Parquet, or a CSV, TSV or JSON table with column names.",
    )
    for table in ("qrels", "run"):
        names = formats_of(table)
        group.add_argument(
            f"--{table}-format",
            type=words.one_of("format", names),
            choices=names,
            metavar="FORMAT",
            help=", ".join(names),
        )
    group.add_argument(
        "--columns",
        type=words.columns,
        metavar="NAMES",
        help="column names other than the usual ones: "
        "query=user,document=item,label=stars,score=p; for one file only: run.query=user",
    )


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
    add_files(parser)


def add_letor(parser: Parser) -> None:
    """A LETOR file and what ranks its rows, in the place of the positional arguments."""
    from ..formats.letor_form import FORM

    parser.instead += ("--letor",)
    letor = parser.add_argument_group("LETOR files, in the place of QRELS and RUN")
    letor.add_argument(
        "--letor",
        action="extend",
        nargs="+",
        metavar="FILE",
        help=f"{FORM}; several files are the parts of one collection, one after another",
    )
    letor.add_argument(
        "--feature",
        type=words.feature,
        action="extend",
        nargs="+",
        metavar="N",
        help="rank by this feature, the highest value first; -N: the lowest first",
    )
    letor.add_argument(
        "--predictions",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="one score per row, used instead of a feature: for each system as many files as "
        "--letor has, in the same order; the first names the system",
    )
    letor.add_argument(
        "--group",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="the number of rows of each query, when the rows have no qid: a file for each of "
        "--letor (default: FILE.query)",
    )


GRADES = "replace labels: -2=0,4=2; labels not listed stay as they are"


def add_grades(group: argparse._ActionsContainer) -> None:
    """What labels stand for."""
    group.add_argument("--grades", type=words.grades, metavar="GRADES", help=GRADES)


def add_format(
    group: argparse._ActionsContainer, outputs: Iterable[Output], to_file: bool = True
) -> None:
    """--format, one of some, the first by default; and -o, unless the command has its own."""
    names = tuple(output.name for output in outputs)
    group.add_argument(
        "--format",
        type=words.one_of("format", names),
        choices=names,
        metavar="FORMAT",
        help=", ".join([f"{names[0]} (default)", *names[1:]]),
    )
    if to_file:
        known = [x for x, name in SUFFIXES.items() if name in names]
        group.add_argument(
            "-o",
            "--output",
            dest="to_file",
            metavar="FILE",
            help="write to a file, completely or not at all; without --format the file name "
            f"decides the format ({', '.join(known)}); a further .gz, .bz2, .xz or .zst "
            "compresses",
        )


def add_digits(group: argparse._ActionsContainer) -> None:
    """--digits, of a table."""
    group.add_argument(
        "--digits", type=words.digits, default=4, metavar="N", help="decimals (default: 4)"
    )


def add_digits_by_format(group: argparse._ActionsContainer, outputs: Iterable[Output]) -> None:
    """The same where some formats have as many as the double needs."""
    names = [x.name for x in outputs if x.digits is None]
    needed = " and ".join(name for name in names if name not in ALL_DIGITS)
    always = " and ".join(name for name in names if name in ALL_DIGITS)
    group.add_argument(
        "--digits",
        type=words.digits,
        metavar="N",
        help=f"decimals (default: 4; {needed}: as many as the double needs; {always}: always as "
        "many)",
    )


def add_measure(parser: Parser, about: str) -> None:
    """-m, as often as one likes."""
    parser.add_argument(
        MEASURE, "--measure", type=asked, action="extend", metavar="MEASURE", help=about
    )


def add_priors(parser: Parser) -> None:
    """--prior-clicks or --prior-lengths: the position prior that measures do not name."""
    group = parser.add_argument_group(
        "position prior",
        "Of measures that have a prior and name none, such as LNDCG@10 or Adjusted(RR).",
    )
    either = group.add_mutually_exclusive_group()
    for of, numbers, what in (
        ("clicks", "rank and clicks", "fitted to the clicks of each rank (RS-LEN-19)"),
        ("lengths", "length and lists", "the mean over lists of these lengths (RS-LEN-20)"),
    ):
        either.add_argument(
            f"--prior-{of}",
            type=words.prior(of),
            dest="prior",
            metavar="FILE",
            help=f"{what}; lines: {numbers}",
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
        help="auto (default): c, the compiled core; if it is not built, reference, with a "
        "warning; reference: the certified reference in Python, with the same values",
    )
    return group


def add_progress(group: argparse._ActionsContainer) -> None:
    """--no-progress."""
    group.add_argument(
        "--no-progress",
        action="store_false",
        dest="progress",
        help="show no progress bar (drawn only on a terminal, after one second)",
    )


def add_experiment(parser: Parser, of_queries: str = "karmaker-2022") -> None:
    """Add what the experiments of papers take.

    of_queries: what real rankings of queries are added to
    """
    parser.add_argument(
        "--samples",
        type=words.whole,
        metavar="N",
        help="moniz-2016: samples per distribution, 1 to 100000 (default: 1000)",
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="moniz-2016: add real scores, from tables with columns IDLink, TS1, ..., TS144; "
        f"{of_queries}: add real rankings, from LETOR files",
    )
    rankers = parser.add_argument_group(
        f"rankers of the rows of --data, for {of_queries} (default: features)"
    )
    rankers.add_argument(
        "--feature",
        type=words.feature,
        action="extend",
        nargs="+",
        metavar="N",
        help="rank by these features, the highest value first; -N: the lowest first",
    )
    rankers.add_argument(
        "--predictions",
        action="extend",
        nargs="+",
        metavar="PATH",
        help="for each ranker a file of one score per row, or a folder with such a file for each "
        "file of --data",
    )
    rankers.add_argument(
        "--run",
        action="extend",
        nargs="+",
        metavar="RUN",
        help='TREC runs over the document ids given in the row comments, "# docid = ID"',
    )
    rankers.add_argument(
        "--train",
        metavar="FOLDER",
        help="train learners on the LETOR files of this folder (rankspec[learn])",
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


Classes: TypeAlias = "tuple[int | None, str, Fraction, Fraction]"
"""What the classes are: --top, --gap, --hard and --easy."""


def add_classes(parser: Parser, title: str = "classes") -> argparse._ArgumentGroup:
    """What the classes of queries are."""
    classes = parser.add_argument_group(title)
    classes.add_argument(
        "--top",
        type=words.above_0,
        metavar="N",
        help="size of the classes ideal and uninformative, in queries (default: a tenth of them)",
    )
    gaps = ("signed", "absolute")
    classes.add_argument(
        "--gap",
        type=words.one_of("gap", gaps),
        choices=gaps,
        default=gaps[0],
        metavar="RULE",
        help="uninformative queries have the smallest gap (signed, the default) or the gap "
        "nearest to 0 (absolute)",
    )
    for name, default in (("hard", "1/3"), ("easy", "2/3")):
        classes.add_argument(
            f"--{name}",
            type=words.share,
            default=words.share(default),
            metavar="X",
            help=f"{name}: both values are at {'most' if name == 'hard' else 'least'} this share "
            f"of the ideal ranking's (default: {default})",
        )
    return classes


def of_classes(arguments: argparse.Namespace) -> Classes:
    """What add_classes() added."""
    return arguments.top, arguments.gap, arguments.hard, arguments.easy


def add_judgments(parser: Parser) -> None:
    """What is made of qrels before they judge: --topics and --grades."""
    judgments = parser.add_argument_group("judgments")
    judgments.add_argument(
        "--topics",
        metavar="MAP",
        help="lines: query topic; use when the qrels are by topic; queries not listed count as "
        "unjudged",
    )
    add_grades(judgments)


def add_conventions(parser: Parser) -> None:
    """--profile, and an option for each convention."""
    group = parser.add_argument_group(
        "conventions",
        "Choices that the metrics' definitions leave open. A profile sets all of them\n"
        "to what a program does; an option overrides one. Each list starts with the\n"
        "default.",
    )
    group.add_argument(
        "--profile",
        metavar="NAME",
        help="all conventions of a program: trec_eval-9, ...; rankspec profiles lists them",
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
