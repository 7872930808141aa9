"""The command line: ``rankspec eval``, ``explain``, ``check``, ``measures``, ``example``.

A command computes its whole output before a byte of it is written: bad input leaves one line on
the standard error, nothing on the standard output, and the exit status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from .conventions import number
from .errors import CoreMissing, InputError
from .profiles import CONVENTIONS, Conventions, Profile, conventions_of, profile
from .reference.reals import Exact

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10", "RR")

BAD_INPUT = 2
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE

EVAL_EXAMPLES = """\
examples:
  rankspec eval qrels.txt bm25.run dense.run.gz
  rankspec eval qrels.txt bm25.run -m "nDCG(gain='exp2')@20" -m ndcg_cut.5,10
  rankspec eval qrels.txt bm25.run -m AP --per-query --format tsv
  zcat bm25.run.gz | rankspec eval qrels.txt - --ties expected
  rankspec eval $(rankspec example)
"""

EXPLAIN_EXAMPLES = """\
examples:
  rankspec explain qrels.txt bm25.run --query q1
  rankspec explain qrels.txt bm25.run --query q1 -m "AP(rel=2)@100"
  rankspec explain qrels.txt bm25.run --query q1 --ties expected
  rankspec explain qrels.txt bm25.run --query q1 -m P@10 --format json
"""

CHECK_EXAMPLES = """\
examples:
  rankspec check qrels.txt bm25.run
  rankspec check qrels.txt bm25.run.gz --depth 100
"""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints take one line."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    try:
        arguments = _parser().parse_args(argv)
        return _write(arguments.command(arguments))
    except (InputError, CoreMissing) as error:
        return _complain(f"error: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> Parser:
    parser = Parser(
        prog="rankspec",
        description="The executable specification of the DCG family of ranking metrics.",
        allow_abbrev=False,
    )
    parser.set_defaults(command=lambda _: parser.format_help())
    parser.add_argument("--version", action="store_const", dest="command", const=_show_version)
    commands = parser.add_subparsers(metavar="COMMAND")

    evaluate = commands.add_parser(
        "eval",
        help="evaluate runs against qrels",
        description="Evaluate TREC runs against qrels (plain or gzip; - is the standard input).",
        epilog=EVAL_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    evaluate.set_defaults(command=_eval)
    evaluate.add_argument("qrels", metavar="QRELS", help="lines: query iteration document label")
    evaluate.add_argument(
        "runs", metavar="RUN", nargs="+", help="lines: query Q0 document rank score tag"
    )
    evaluate.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help="as in ir_measures or trec_eval; may be repeated "
        f"(default: {' '.join(DEFAULT_MEASURES)})",
    )
    evaluate.add_argument("-q", "--per-query", action="store_true", help="the queries' values too")
    _add_conventions(evaluate)
    evaluate.add_argument("--format", choices=("table", "tsv", "json", "trec"), default="table")
    evaluate.add_argument(
        "--digits",
        type=_digits,
        metavar="N",
        help="decimals (default: 4; tsv: as many as the double needs; json: always those)",
    )
    evaluate.add_argument("--backend", choices=("c", "reference"), default="c")

    explain = commands.add_parser(
        "explain",
        help="why a measure has its value for a query, rank by rank",
        description="Explain the value of a measure for one query, rank by rank.",
        epilog=EXPLAIN_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    explain.set_defaults(command=_explain)
    explain.add_argument("qrels", metavar="QRELS", help="lines: query iteration document label")
    explain.add_argument("run", metavar="RUN", help="lines: query Q0 document rank score tag")
    explain.add_argument("--query", required=True, metavar="Q", help="a query of the qrels")
    explain.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help=f"as in ir_measures or trec_eval (default: {DEFAULT_MEASURES[0]})",
    )
    _add_conventions(explain)
    explain.add_argument("--format", choices=("table", "json"), default="table")
    explain.add_argument("--digits", type=_digits, default=4, metavar="N", help="decimals")

    check = commands.add_parser(
        "check",
        help="what is suspicious in a run and its qrels",
        description="Say what is suspicious in a run and its qrels: ties, and how far they could\n"
        "move nDCG and AP; ranks that contradict scores; constant scores; queries missing\n"
        "on either side; unjudged documents; unusual labels. The exit status is 0 all the\n"
        "same.",
        epilog=CHECK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    check.set_defaults(command=_check)
    check.add_argument("qrels", metavar="QRELS", help="lines: query iteration document label")
    check.add_argument("run", metavar="RUN", help="lines: query Q0 document rank score tag")
    check.add_argument(
        "--depth", type=_depth, default=10, metavar="K", help="ranks that are the top (default: 10)"
    )
    check.add_argument("--backend", choices=("c", "reference"), default="c")

    measures = commands.add_parser(
        "measures",
        help="list the measures, with their spec IDs",
        description="List every metric: its spellings, parameters with defaults, and spec ID.",
        allow_abbrev=False,
    )
    measures.set_defaults(command=_measures)
    measures.add_argument("--format", choices=("table", "json"), default="table")

    example = commands.add_parser(
        "example",
        help="print the paths of the example files",
        description="Print the paths of the example: its qrels, then its runs.",
        allow_abbrev=False,
    )
    example.set_defaults(command=_example)
    return parser


def _add_conventions(parser: Parser) -> None:
    """--profile, and an option for each convention."""
    group = parser.add_argument_group(
        "conventions",
        "A profile assigns all of them (see rankspec profiles); an option replaces one.",
    )
    group.add_argument("--profile", metavar="NAME", help="those of a program: trec_eval-9, ...")
    for convention in CONVENTIONS:
        values = ", ".join(convention.values)
        group.add_argument(
            f"--{convention.name}",
            type={"depth": _depth, "rel": _number}.get(convention.name, str),
            metavar="RULE" if values else convention.name.upper(),
            help=f"{convention.about}: {values}" if values else convention.about,
        )


def _chosen_conventions(arguments: argparse.Namespace) -> tuple[Profile | None, Conventions]:
    chosen = None if arguments.profile is None else profile(arguments.profile)
    given = {convention.name: getattr(arguments, convention.name) for convention in CONVENTIONS}
    return chosen, conventions_of(chosen, given)


def _number(text: str) -> Exact:
    try:
        return number(text, "rel")
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _digits(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of decimals; expected 0 to 17")
    return int(text)


def _depth(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no depth; expected a whole number above 0")
    return int(text)


def _eval(arguments: argparse.Namespace) -> str:
    from . import report
    from .evaluation import chosen_measures, evaluate_by, prepared

    _check_standard_input([arguments.qrels, *arguments.runs])
    names = _names(arguments.runs)
    chosen, conventions = _chosen_conventions(arguments)
    measures = chosen_measures(arguments.measure or DEFAULT_MEASURES, conventions, chosen)
    qrels = prepared(arguments.qrels, conventions, arguments.backend)
    runs = {
        name: evaluate_by(conventions, chosen, qrels, path, measures, arguments.backend)
        for name, path in zip(names, arguments.runs, strict=True)
    }
    for name, evaluation in runs.items():
        if len(evaluation.missing) == len(qrels.queries):
            _complain(f"warning: {name}: no query of the qrels is in this run")
    if arguments.format == "json":
        return report.json(
            runs, per_query=arguments.per_query, rankspec=_version(), qrels=arguments.qrels
        )
    if arguments.format == "tsv":
        return report.tsv(runs, per_query=arguments.per_query, digits=arguments.digits)
    write = report.trec if arguments.format == "trec" else report.table
    digits = 4 if arguments.digits is None else arguments.digits
    return write(runs, per_query=arguments.per_query, digits=digits)


def _explain(arguments: argparse.Namespace) -> str:
    from .explanation import explain, json, table

    _check_standard_input([arguments.qrels, arguments.run])
    measures = arguments.measure or DEFAULT_MEASURES[:1]
    if len(measures) > 1:
        raise InputError(f"explain: one measure, please; these are {', '.join(measures)}")
    explanation = explain(
        arguments.qrels,
        arguments.run,
        arguments.query,
        measures[0],
        profile=arguments.profile,
        **{convention.name: getattr(arguments, convention.name) for convention in CONVENTIONS},
    )
    if arguments.format == "json":
        return json(explanation, rankspec=_version(), qrels=arguments.qrels, run=arguments.run)
    return table(explanation, arguments.digits)


def _check(arguments: argparse.Namespace) -> str:
    from .check import check

    _check_standard_input([arguments.qrels, arguments.run])
    found = check(arguments.qrels, arguments.run, depth=arguments.depth, backend=arguments.backend)
    return f"{found}\n"


def _check_standard_input(paths: Sequence[str]) -> None:
    if paths.count("-") > 1:
        raise InputError("only one of the files can be the standard input")


def _names(paths: Sequence[str]) -> list[str]:
    """What the runs are called: the file names, or the paths where those are not distinct."""
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise InputError(f"{twice}: the same run twice")
    names = [path.rpartition("/")[2] or path for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _measures(arguments: argparse.Namespace) -> str:
    from . import report
    from .chapters import METRICS

    return (report.metrics_json if arguments.format == "json" else report.metrics_table)(METRICS)


def _example(_: argparse.Namespace) -> str:
    from pathlib import Path

    files = (Path(__file__).parent / "example").iterdir()
    in_order = sorted(files, key=lambda file: (file.name != "qrels.txt", file.name))
    return "".join(f"{file}\n" for file in in_order)


def _show_version(_: argparse.Namespace) -> str:
    return f"rankspec {_version()}\n"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rankspec")
    except PackageNotFoundError:
        return "(not installed)"


def _write(text: str) -> int:
    """Write the output, ids in the bytes they were read in; the exit status."""
    if sys.stdout is None:
        return _complain("error: cannot write: the standard output is closed")
    stream = getattr(sys.stdout, "buffer", None)
    try:
        if stream is None:  # replaced by a program that runs us, say by io.StringIO
            sys.stdout.write(text)
        else:
            left = memoryview(text.encode("utf-8", "surrogateescape"))
            while left:  # unbuffered (python -u), a pipe may take less than all at once
                left = left[stream.write(left) :]
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_the_rest()
        return BROKEN_PIPE
    except OSError as error:
        _discard_the_rest()
        return _complain(f"error: cannot write: {error.strerror}")
    return 0


def _discard_the_rest() -> None:
    """Let go what is still in the buffers: Python flushes at its end, and would complain then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    one_line = " ".join(message.splitlines())
    if sys.stderr is not None:
        print(f"rankspec: {one_line}", file=sys.stderr)
    return BAD_INPUT
