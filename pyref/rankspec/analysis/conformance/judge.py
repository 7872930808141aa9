"""An answer against what is expected, by a grade. Spec: RS-CONF-3, RS-CONF-5."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ...errors import InputError
from .cases import UNKNOWN, Case
from .protocol import Answer

STATUSES = ("pass", "fail", "refused", "crashed", "timeout", "unsupported")
FAILURES = ("fail", "refused", "crashed", "timeout")
RELATIVE = Fraction(1, 10**12)  # where a file of vectors states no bound
MOST_DIGITS = 17

Row: TypeAlias = tuple[str, float | None, float | None]
"""Where a value stands, the one that was got, and the one that is expected."""


@dataclass(frozen=True)
class Grade:
    """How near a value must be.

    kind: "exact", "close", "ulp" or "digits"; n: how many units in the last place, or decimals
    """

    kind: str
    n: int = 0

    def __str__(self) -> str:
        return f"{self.kind}={self.n}" if self.kind in ("ulp", "digits") else self.kind

    @property
    def exact(self) -> bool:
        """Whether bits are compared."""
        return self.kind == "exact"


def grade(text: str) -> Grade:
    """The grade of that name: exact, close, ulp=N, digits=N."""
    if text in ("exact", "close"):
        return Grade(text)
    found = re.fullmatch(r"(ulp|digits)=([0-9]{1,9})", text)
    if not found or (found[1] == "digits" and int(found[2]) > MOST_DIGITS):
        raise InputError(
            f'grade: unknown grade "{text}"; expected exact, close, ulp=N, or digits=N with N up '
            f"to {MOST_DIGITS}"
        )
    return Grade(found[1], int(found[2]))


@dataclass(frozen=True)
class Verdict:
    """What came of a case: one of STATUSES; and in words, why it is no pass."""

    status: str
    why: str = ""


def judge(case: Case, answer: Answer, by: Grade) -> Verdict:
    """Whether an answer is what is expected."""
    if answer.kind in ("crashed", "timeout", "unsupported"):
        return Verdict(answer.kind, answer.reason)
    if answer.kind == "nonsense":
        return Verdict("fail", answer.reason)
    if case.refused:
        return _of_refusal(case, answer)
    if answer.kind == "refused":
        return Verdict("refused", answer.reason or "it says that the input is invalid")
    if answer.kind == "error":
        return Verdict("fail", f"error: {answer.reason}" if answer.reason else "error")
    why = _difference(case, answer.value, by)
    return Verdict("fail", why) if why else Verdict("pass")


def _of_refusal(case: Case, answer: Answer) -> Verdict:
    at_fault = case.expected["error"]
    if answer.kind == "refused":
        return Verdict("pass")
    if answer.kind == "error":
        return Verdict("fail", f"an error, not a refusal ({at_fault} is at fault): {answer.reason}")
    return Verdict("fail", f"it takes what must be refused: {at_fault} is at fault")


def doubles_of(case: Case) -> Any:
    """What is expected, as doubles, in the form of an answer's value."""
    return _doubles(case.expected)


def _doubles(expected: Any) -> Any:
    if expected is None:
        return None
    if isinstance(expected, list):
        return [_doubles(x) for x in expected]
    if "mean" in expected:
        queries = {query: _doubles(x) for query, x in expected["queries"].items()}
        return {"queries": queries, "mean": _doubles(expected["mean"])}
    return float.fromhex(expected["hex"])


def _difference(case: Case, got: Any, by: Grade) -> str:
    """What is wrong with a value; "" where nothing is."""
    expected = doubles_of(case)
    if isinstance(expected, list):
        if len(got) != len(expected):
            return f"{len(got)} values; {len(expected)} were expected"
        pairs = enumerate(zip(got, expected, strict=True), 1)
        return _first(((f"value {i}: ", x, y) for i, (x, y) in pairs), case, by)
    if isinstance(expected, dict):
        mean = ("mean: ", got["mean"], expected["mean"])
        if got["queries"] is None:
            return _first([mean], case, by)
        missing = [query for query in expected["queries"] if query not in got["queries"]]
        extra = [query for query in got["queries"] if query not in expected["queries"]]
        if missing or extra:
            lacks = f"no value of the query {missing[0]!r}" if missing else ""
            has = f"a value of the query {extra[0]!r}, which has none" if extra else ""
            return ", ".join(filter(None, (lacks, has)))
        rows = [(f"query {q}: ", got["queries"][q], x) for q, x in expected["queries"].items()]
        return _first([*rows, mean], case, by)
    return "" if near(got, expected, by, case.max_ulp) else _said("", got, expected)


def _first(rows: Iterable[Row], case: Case, by: Grade) -> str:
    """What is wrong with the first of some values that is not near enough."""
    for where, got, expected in rows:
        if got is None and expected is None:
            continue
        if got is None or expected is None or not near(got, expected, by, case.max_ulp):
            return _said(where, got, expected)
    return ""


def _said(where: str, got: float | None, expected: float | None) -> str:
    return f"{where}got {number(got)}, expected {number(expected)}{_distance(got, expected)}"


def _distance(got: float | None, expected: float | None) -> str:
    """How many units apart they are, where these are few."""
    if got is None or expected is None or not (math.isfinite(got) and math.isfinite(expected)):
        return ""
    far = ulps(got, expected)
    return f" ({far} ulp off)" if 0 < far < 10**6 else ""


def number(x: float | None) -> str:
    """A double as messages have it; None: no value."""
    return "no value" if x is None else repr(x)


def near(got: float, expected: float, by: Grade, max_ulp: int | None) -> bool:
    """Whether a double is near enough to the one that is expected."""
    if by.exact:
        return got == expected and struct.pack(">d", got) == struct.pack(">d", expected)
    if got == expected or not (math.isfinite(got) and math.isfinite(expected)):
        return got == expected
    if by.kind == "digits":
        allowed = Fraction(1, 2 * 10**by.n) + abs(Fraction(expected)) / 2**51
        return abs(Fraction(got) - Fraction(expected)) <= allowed
    if by.kind == "ulp":
        return ulps(got, expected) <= by.n
    if max_ulp == UNKNOWN:
        return abs(Fraction(got) - Fraction(expected)) <= RELATIVE * abs(Fraction(expected))
    return ulps(got, expected) <= (max_ulp or 0)


def ulps(a: float, b: float) -> int:
    """How many doubles apart two finite doubles are."""
    return abs(_place(a) - _place(b))


def _place(x: float) -> int:
    """The place of a double in their order; -0 and 0 have the same."""
    (bits,) = struct.unpack(">q", struct.pack(">d", x))
    return int(bits) if bits >= 0 else -(int(bits) & (2**63 - 1))


def counts(statuses: Sequence[str]) -> dict[str, int]:
    """How many there are of each status."""
    return {status: statuses.count(status) for status in STATUSES}
