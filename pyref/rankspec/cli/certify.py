"""``rankspec certify``: a value with the proof of its digits."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any

from ..analysis.outputs import CERTIFICATE, CERTIFIED_CASES
from ..errors import InputError, shown, shown_text
from ..evaluation.render import printed
from . import VERSION, words
from .options import add_format, add_measure
from .output import DONE, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from ..metrics.measure import Measure

LISTS = ("labels", "session", "judged", "scores", "ids", "ties", "unjudged")


def add_arguments(parser: Parser) -> None:
    add_measure(parser, "one or several, as in ir_measures or trec_eval")
    ranking = parser.add_argument_group("a ranking")
    _add_list(
        ranking,
        "labels",
        "labels of the documents in rank order, or with --scores in any order: 3,2,3,0",
    )
    _add_list(ranking, "judged", "labels of all judged documents (default: those of the list)")
    _add_list(ranking, "scores", "one score per label; the highest ranks first")
    ranking.add_argument(
        "--ids",
        type=ids,
        metavar="IDS",
        help="document ids, one per label: d1,d2; in a session: d1,d2;d1",
    )
    _add_ties(ranking)
    _add_list(ranking, "unjudged", "one flag per label: 1 where nobody judged the document, else 0")
    session = parser.add_argument_group("a session, instead of a ranking")
    session.add_argument(
        "--session",
        type=session_labels,
        metavar="LABELS",
        help='labels of each query: "3,2;1,0", or as JSON: [[3,2],[1,0]]',
    )
    cases = parser.add_argument_group("a file of cases, instead of all these")
    cases.add_argument(
        "--cases",
        metavar="FILE",
        help='test vectors, or one case per line, as {"measure": {"name": "nDCG", "k": 10}, '
        '"input": {"labels": [3, 2, 0]}}; - reads the standard input',
    )
    output = parser.add_argument_group("output")
    add_format(output, CERTIFICATE)
    output.add_argument(
        "--digits",
        type=digits,
        metavar="N",
        help="significant digits, 1 to 9000 (default: 30)",
    )


def _add_list(group: argparse._ActionsContainer, name: str, about: str) -> None:
    group.add_argument(f"--{name}", type=numbers_of(name), metavar="NUMBERS", help=about)


def _add_ties(group: argparse._ActionsContainer) -> None:
    from ..reference.ties import RULES

    rules = RULES
    group.add_argument(
        "--ties",
        type=words.one_of("rule for ties", rules),
        choices=rules,
        metavar="RULE",
        help=f"order of documents of equal score: {', '.join(rules)} (default: expected; with "
        "--ids id-descending)",
    )


# ---- how arguments are read ----------------------------------------------------------------


def numbers_of(what: str) -> Callable[[str], list[Any]]:
    """The type of a list of numbers, whose complaint has the position; "" is the empty list."""

    def read(text: str) -> list[Any]:
        return _row(text, what)

    return read


def _row(text: str, what: str) -> list[Any]:
    from ..compute.gain import number

    if not text.strip():
        return []
    found = []
    for a, part in enumerate(text.split(",")):
        try:
            x = number(part.strip(), what)
        except InputError:
            raise argparse.ArgumentTypeError(
                f'"{part.strip()}" at position {a} is not a number; expected numbers, like 3,2,0'
            ) from None
        if isinstance(x, float) and isinf(x):
            raise argparse.ArgumentTypeError(_too_large(part.strip(), a))
        found.append(x)
    return found


def _too_large(text: str, position: int) -> str:
    """Why a number whose nearest double is infinite is refused."""
    whole = text.lstrip("+-").isdigit()
    why = "neither a whole number below 2^63 nor exactly a double" if whole else "no finite double"
    return f"{shown_text(text)} at position {position} is {why}"


def session_labels(text: str) -> list[list[Any]]:
    """The labels of each query."""
    if text.lstrip().startswith("["):
        return _nested(text)
    rows = []
    for q, row in enumerate(text.split(";"), start=1):
        try:
            rows.append(_row(row, "labels"))
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"query {q}: {error}") from None
    return rows


def _nested(text: str) -> list[list[Any]]:
    import json

    try:
        rows = json.loads(text, parse_float=_finite, parse_constant=str)
    except (ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"no JSON: {error}") from None
    for q, row in enumerate(rows, start=1):
        if not isinstance(row, list):
            raise argparse.ArgumentTypeError(
                f"query {q}: expected a list of labels, got {shown(row)}"
            )
        for a, x in enumerate(row):
            if isinstance(x, _TooLarge):
                raise argparse.ArgumentTypeError(f"query {q}: {_too_large(x, a)}")
            if isinstance(x, bool) or not isinstance(x, (int, float)):
                raise argparse.ArgumentTypeError(
                    f"query {q}: {shown(x)} at position {a} is not a number"
                )
    return list(rows)


class _TooLarge(str):
    """A number of JSON whose nearest double is infinite, as it is written."""

    __slots__ = ()


def _finite(text: str) -> float | _TooLarge:
    x = float(text)
    return _TooLarge(text) if isinf(x) else x


def ids(text: str) -> list[list[str]]:
    """The ids of each query; of a ranking there is one."""
    return [[part.strip() for part in row.split(",")] if row else [] for row in text.split(";")]


def digits(text: str) -> int:
    from ..certify import MOST_DIGITS

    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MOST_DIGITS:
        raise argparse.ArgumentTypeError(
            f'expected 1 to {MOST_DIGITS} significant digits, got "{text}"'
        )
    return int(text)


# ---- what is done --------------------------------------------------------------------------


def run(arguments: Namespace) -> Printed:
    from ..certify import DIGITS, certified
    from ..metrics.grammar import measures

    number = DIGITS if arguments.digits is None else arguments.digits
    if arguments.cases is not None:
        return _of_cases(arguments, number), DONE
    if not arguments.measure:
        raise InputError("certify: name a measure, as in -m nDCG@10, or give --cases FILE")
    asked = [measure for text in arguments.measure for measure in measures(text)]
    found = []
    for measure in asked:
        labels, given = _given(arguments, measure)
        found.append(certified(measure, labels, digits=number, **given))
    about = {"rankspec": VERSION}
    return printed(CERTIFICATE, arguments.format, found, about=about), DONE


def _given(arguments: Namespace, measure: Measure) -> tuple[Any, dict[str, Any]]:
    """What the measure is taken of, and the other arguments of certified()."""
    of = measure.metric
    given = {name: getattr(arguments, name) for name in LISTS}
    session, labels = given.pop("session"), given.pop("labels")
    if of.taken_of == "sessions":
        if session is None or labels is not None:
            raise InputError(f'certify: {of.name} needs a session: --session "3,2;1,0"')
        return session, given
    if of.taken_of == "diversity":
        raise InputError(
            f"certify: {of.name} needs a label for each subtopic of an item, which this command "
            f"does not take; in Python: rs.certify.{of.function}([[1, 0], [0, 1]])"
        )
    if session is not None:
        raise InputError(f"certify: {of.name} needs a ranking, not a session: --labels 3,2,0")
    if given["ids"] is not None:
        given["ids"] = _of_one_list(given["ids"])
    if labels is None and of.of_pool:  # whose judged labels are all that it is of
        labels = given.pop("judged")
    if labels is None:
        raise InputError(f"certify: {of.name} needs a ranking: --labels 3,2,0")
    return labels, given


def _of_one_list(rows: Sequence[list[str]]) -> list[str]:
    if len(rows) > 1:
        raise InputError(
            f"--ids: they have {len(rows)} queries; for a ranking give one list: d1,d2"
        )
    return rows[0]


def _of_cases(arguments: Namespace, number: int) -> str | bytes:
    from ..analysis.cases import certified_case, read_cases

    others = ["-m"] if arguments.measure else []
    others += [f"--{name}" for name in LISTS if getattr(arguments, name) is not None]
    if others:
        raise InputError(f"certify: --cases excludes {', '.join(others)}")
    found = [certified_case(case, number) for case in read_cases(arguments.cases)]
    about = {"rankspec": VERSION}
    return printed(CERTIFIED_CASES, arguments.format, found, about=about)


COMMAND = Command(
    "-m MEASURE --labels LABELS [options] | --cases FILE",
    "Print the value of a measure with its proof: the nearest double and its bits,\n"
    "the digits, two decimals that enclose the value, and its exact form if that is\n"
    "short. For a file of cases, print what each expects: the value in decimal,\n"
    "hexadecimal and bits, its exact form if that is short, and its digits.",
    """\
  rankspec certify -m nDCG@10 --labels 3,2,3,0
  rankspec certify -m "UL2(P@2)" --labels 1,0 --judged 1,1,0,0 --digits 50
  rankspec certify -m AP --labels 1,0,1 --scores 2,2,1 --ties expected
  rankspec certify -m nsDCG --session "3,2;1,0" --format json
  rankspec certify --cases mine.json --format json
""",
    add_arguments,
    run,
    CERTIFICATE,
)
