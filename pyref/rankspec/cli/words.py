"""How arguments are read: the types that options have, with their complaints."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from math import inf

from ..compute.gain import number
from ..errors import InputError, hint
from ..evaluation.conventions import Convention
from ..later import fractions
from ..records import replace
from ..typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact


def one_of(what: str, names: Sequence[str]) -> Callable[[str], str]:
    """The type of an argument that is one of some names, whose complaint names the nearest."""

    def checked(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(
                f'unknown {what} "{text}"{hint(text, names)}; expected one of {", ".join(names)}'
            )
        return text

    return checked


def of_convention(known: Convention) -> Callable[[str], Any]:
    """The type of a convention's option: of its values are numbers, or what stands for none."""
    read = {"int": above_0, "Exact": lambda text: _number(text, known.name)}.get(known.type, str)
    return lambda text: text if text == known.unset[0] else read(text)


def _number(text: str, what: str) -> Exact:
    try:
        return number(text, what)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def digits(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"expected 0 to 17 decimals, got {text!r}")
    return int(text)


def labels(text: str) -> list[Exact]:
    return _numbers(text, "labels")


def item_scores(text: str) -> list[Exact]:
    return _numbers(text, "scores")


def _numbers(text: str, what: str) -> list[Exact]:
    numbers = [x.strip() for x in text.split(",")]
    if "" in numbers:
        raise argparse.ArgumentTypeError(f'"{text}": expected {what}, like 2,1,0')
    try:
        return [number(x, what) for x in numbers]
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def grades(text: str) -> dict[Exact, Exact]:
    grades: dict[Exact, Exact] = {}
    for pair in text.split(","):
        label, equals, grade = (part.strip() for part in pair.partition("="))
        try:
            if not equals or (known := number(label, "grades")) in grades:
                raise InputError(f'grades: "{pair}"')
            grades[known] = number(grade, "grades")
        except InputError:
            raise argparse.ArgumentTypeError(
                f'"{pair}": expected labels with their replacements, each label once, like -2=0,4=2'
            ) from None
    return grades


def columns(text: str) -> dict[str, Any]:
    """{what a column holds: its name}, or one such for the qrels and one for the run."""
    found: dict[str, dict[str, str]] = {"": {}, "qrels": {}, "run": {}}
    for pair in text.split(","):
        role, equals, name = (part.strip() for part in pair.partition("="))
        table, dot, own = role.rpartition(".")
        if not (equals and name and own) or table not in found or (dot and not table):
            raise argparse.ArgumentTypeError(
                f'"{pair}": expected column names, like query=user_id,document=item_id, or for '
                "one file only, like qrels.label=stars,run.score=prediction"
            )
        if own in found[table]:
            raise argparse.ArgumentTypeError(f'"{pair}": the column of the {own} is given twice')
        found[table][own] = name
    both = found.pop("")
    if not any(found.values()):
        return dict(both)
    return {table: {**both, **named} for table, named in found.items()}


def prior(of: str) -> Callable[[str], Any]:
    """The type of a file that a position prior is fitted to: of counts of clicks, or of lengths."""

    def read(path: str) -> Any:
        from ..analysis import priors
        from ..compute.gain import WeightsFile, discount
        from ..metrics.length import Prior

        if path == "-":
            raise argparse.ArgumentTypeError("expected a file, got the standard input")
        try:
            weights = discount(getattr(priors, f"prior_of_{of}")(path), "prior")
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        file = WeightsFile(f"--prior-{of} {path}", *priors.LAST_RANK[of])
        return Prior(replace(weights, file=(file,)))

    return read


def repeats(text: str) -> Exact | str:
    try:
        return number(text, "repeats")
    except InputError:
        return text  # one of the words


def padding(text: str) -> int | str:
    return int(text) if re.fullmatch("[0-9]{1,4000}", text) else text


def feature(text: str) -> int:
    if not re.fullmatch("-?0*[1-9][0-9]{0,17}", text):
        raise argparse.ArgumentTypeError(
            f'"{text}": expected the number of a feature, like 1, or -1 for the lowest value first'
        )
    return int(text)


DECIMAL = r"([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})(e-?[0-9]{1,3})?"
"""A number of 0 or more, as it is written: 0.05, .05, 5e-2."""


def share(text: str) -> fractions.Fraction:
    if not re.fullmatch(rf"[0-9]{{1,18}}/0*[1-9][0-9]{{0,17}}|{DECIMAL}", text):
        raise argparse.ArgumentTypeError(
            f'"{text}": expected a number of 0 or more, like 1/3 or 0.4'
        )
    return fractions.Fraction(text)


def level(text: str) -> float:
    return _decimal(text, lambda x: 0 < x < 1, "is not a level between 0 and 1, like 0.05")


def between_0_and_1(text: str) -> float:
    return _decimal(text, lambda x: 0 < x < 1, "is not a number between 0 and 1, like 0.9")


def difference(text: str) -> float:
    return _decimal(text, lambda x: 0 <= x < inf, "is not a difference of 0 or more, like 0.01")


def amount(text: str) -> float:
    return _decimal(text, lambda x: 0 < x < inf, "is not a number above 0, like 0.05")


def _decimal(text: str, is_one: Callable[[float], bool], complaint: str) -> float:
    if not re.fullmatch(DECIMAL, text) or not is_one(float(text)):
        raise argparse.ArgumentTypeError(f'"{text}" {complaint}')
    return float(text)


def seconds(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or not float(text):
        raise argparse.ArgumentTypeError(f'"{text}": expected a number of seconds above 0')
    return float(text)


def seed(text: str) -> int:
    if not re.fullmatch("[0-9]{1,20}", text) or int(text) >= 1 << 64:
        raise argparse.ArgumentTypeError(f'"{text}": expected a whole number from 0 to 2^64 - 1')
    return int(text)


def whole(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f'"{text}": expected a whole number of at most 18 digits')
    return int(text)


def above_0(text: str) -> int:
    return _from_1(text, 10**18 - 1, "10^18 - 1")


def replicates(text: str) -> int:
    """How often is drawn at random: as many as check_replicates() takes."""
    return _from_1(text, 1 << 32, "2^32")


def _from_1(text: str, most: int, most_as_text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text) or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(
            f'"{text}": expected a whole number, from 1 to {most_as_text}'
        )
    return int(text)
