"""What a black box answers, what a definition predicts, and when the two agree."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

VALUE, NAN, NONE, ERROR = "value", "nan", "none", "error"
CRASH, TIMEOUT, NONSENSE = "crash", "timeout", "nonsense"
INFINITE = "infinite"
DEATHS = (CRASH, TIMEOUT)


class Outcome(NamedTuple):
    """A number, or what came instead of one.

    kind: "value", "infinite", "nan", "none" (no value), "error", "crash", "timeout" or "nonsense"
    value: the number, or the infinity; text: the error, the signal, or what was no number
    """

    kind: str
    value: float = 0.0
    text: str = ""

    def __str__(self) -> str:
        if self.kind in (VALUE, INFINITE):
            return repr(self.value)
        name = {NAN: "NaN", NONE: "no value", TIMEOUT: "no answer in time"}.get(
            self.kind, self.kind
        )
        return f"{name} ({self.text})" if self.text else name

    def as_dict(self) -> Any:
        """Plain data: a number, or the kind and its text."""
        if self.kind == VALUE:
            return self.value
        if self.kind == INFINITE:
            return {"value": repr(self.value)}
        return {self.kind: self.text}


class Among(NamedTuple):
    """One of several numbers: what an unknown order can give."""

    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"one of {len(self.values)} values from {self.values[0]!r} to {self.values[-1]!r}"

    def as_dict(self) -> Any:
        """Plain data."""
        return {"among": list(self.values)}


class Between(NamedTuple):
    """A number between two others: what an unknown order can give, where there are many."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"a number from {self.low!r} to {self.high!r}"

    def as_dict(self) -> Any:
        """Plain data."""
        return {"between": [self.low, self.high]}


class Open(NamedTuple):
    """What is not known yet where nothing is relevant: its number, or what a program has instead.

    number: what the equation gives; words: whether 0 and 1 can stand instead, too
    """

    number: Outcome | Among | Between
    words: bool

    def __str__(self) -> str:
        return f"{self.number}, or what is undefined"

    def as_dict(self) -> Any:
        """Plain data."""
        return {"open": self.number.as_dict()}


Prediction: TypeAlias = Outcome | Among | Between | Open


def value(x: float) -> Outcome:
    """The outcome that is a number, an infinity, or NaN."""
    if math.isnan(x):
        return Outcome(NAN)
    return Outcome(INFINITE if math.isinf(x) else VALUE, x + 0.0)


class Precision(NamedTuple):
    """How an answer is rounded.

    name: "double", "float32", "float16" or "4 decimals"; relative, absolute: how far off it may be
    decimals: how many there are; None: it is binary
    """

    name: str
    relative: float
    absolute: float
    decimals: int | None = None

    def rounded(self, x: float) -> float:
        """A number as it is written in this precision."""
        if self.decimals is not None:
            return round(x, self.decimals)
        format_ = {"float32": "f", "float16": "e"}.get(self.name)
        if format_ is None or not math.isfinite(x):
            return x
        try:
            return float(struct.unpack(format_, struct.pack(format_, x))[0])
        except OverflowError:
            return math.copysign(math.inf, x)

    def near(self, a: float, b: float) -> bool:
        """Whether an answer can be that number; an infinity is itself alone."""
        if a == b or math.isinf(a) or math.isinf(b):
            return a == b
        return abs(a - b) <= self.absolute + self.relative * max(abs(a), abs(b))


DOUBLE = Precision("double", 1e-10, 1e-13)
FLOAT32 = Precision("float32", 4e-6, 1e-7)
FLOAT16 = Precision("float16", 4e-3, 1e-4)
DECIMALS = tuple(
    Precision(f"{d} decimal{'s' * (d > 1)}", 1e-15, 0.501 * 10**-d if d > 1 else 0.0501, d)
    for d in range(1, 9)
)
PRECISIONS = {x.name: x for x in (DOUBLE, FLOAT32, FLOAT16, *DECIMALS)}


def precision_of(answers: Iterable[Outcome]) -> Precision:
    """The coarsest precision that all these numbers have: what their definition is sought with."""
    numbers = [x.value for x in answers if x.kind == VALUE]
    if all(x * 1024 == math.floor(x * 1024) for x in numbers):
        return DOUBLE
    enough = len(set(numbers) - {0.0, 1.0}) >= 4
    for known in (*DECIMALS, FLOAT16, FLOAT32):
        if all(known.rounded(x) == x for x in numbers):
            few = known.decimals is not None and known.decimals < 3
            return known if enough or not few else DOUBLE  # 0.2 is what it is
    return DOUBLE


def _can_stand(predicted: Open, answer: Outcome) -> bool:
    """Whether an answer can be what a program gives instead of a number."""
    if answer.kind == VALUE:
        return predicted.words and answer.value in (0, 1)
    return answer.kind in (NAN, NONE, ERROR, CRASH)


def agrees(predicted: Prediction, answer: Outcome, precision: Precision) -> bool:
    """Whether an answer is what was predicted."""
    if isinstance(predicted, Open):
        return _can_stand(predicted, answer) or agrees(predicted.number, answer, precision)
    if isinstance(predicted, Among):
        return answer.kind == VALUE and any(
            precision.near(answer.value, x) for x in predicted.values
        )
    if isinstance(predicted, Between):
        low, high = predicted
        ends = [abs(x) for x in (low, high) if math.isfinite(x)]
        slack = precision.absolute + precision.relative * max(ends, default=0.0)
        return answer.kind == VALUE and low - slack <= answer.value <= high + slack
    if predicted.kind != answer.kind:
        return False
    if predicted.kind == INFINITE:
        return predicted.value == answer.value
    return predicted.kind != VALUE or precision.near(predicted.value, answer.value)


def sort_of(predicted: Prediction, precision: Precision) -> tuple[Any, ...]:
    """What predictions that an answer cannot tell apart have in common, but for the edges."""
    if isinstance(predicted, Outcome):
        digits = precision.decimals
        if predicted.kind == VALUE:
            if digits is None:
                digits = {"double": 10, "float32": 5}.get(precision.name, 2)
            return (VALUE, round(predicted.value, digits) + 0.0)
        return (predicted.kind, predicted.value)
    return (type(predicted).__name__, *predicted)


def same(answers: Sequence[Outcome]) -> bool:
    """Whether answers to one question are one answer; errors may be worded differently."""
    first = answers[0]
    return all(x.kind == first.kind and x.value == first.value for x in answers)
