"""Gains and discounts as values: named, checked, printable, and bound to any reading.

A :class:`Gain` or :class:`Discount` is the *choice* of a function of the reference's chapter
"gain and discount", with its parameters. ``of(reals)`` gives the function itself.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, lru_cache
from numbers import Integral, Real

from ..errors import InputError, hint, items_of, shown
from ..later import cascade, fractions, re
from ..later import gain as equations
from ..later import ties as tie_rules
from ..records import field, record
from ..typed import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

GainLike: TypeAlias = "Gain | str | Mapping[int, Exact] | Sequence[Exact]"
DiscountLike: TypeAlias = "Discount | str | Sequence[Exact]"

_GAINS = {
    **dict.fromkeys(("exponential", "exp", "2^r-1", "2^rel-1", "2**rel-1", "burges"), "exp2"),
    **dict.fromkeys(("identity", "raw", "label", "none", "jarvelin"), "linear"),
}
"""Names of the gains in other programs."""
_DISCOUNTS = {
    **dict.fromkeys(("logarithmic", "ln"), "log2"),
    **dict.fromkeys(("reciprocal", "inverse", "1/i", "1/rank", "harmonic"), "zipf"),
    **dict.fromkeys(("constant", "uniform", "no", "identity"), "none"),
}
"""Names of the discounts in other programs."""
LEAST_BITS = 1074  # the least double above 0 is 2^-1074
MOST = 1 << 1024  # all doubles are below it
GAINS = ("linear", "exp2")  # those that have a name
MOST_DECIMAL_PLACES = 400  # with more a decimal is beyond that range
MOST_DIGITS = 600  # of a fraction, above and below its line: Python may be told to write no more
LARGEST_EXP2_LABEL = 1023  # 2^1023 - 1 is the last such gain within the range of a double


@record()
class Gain:
    """The gain of a label.

    kind: "linear" (RS-GAIN-1), "exp2" (RS-GAIN-2) or "table" (RS-GAIN-3)
    table: the gains of the labels 0, 1, 2, ..., for "table"
    """

    kind: str
    table: tuple[Exact, ...] = ()

    def __str__(self) -> str:
        if self.kind != "table":
            return self.kind
        gains = [str(g) for g in self.table]
        plain = len(gains) > 1 and all(re.fullmatch(r"[0-9.]+", g) for g in gains)
        return "-".join(gains) if plain else f"[{', '.join(gains)}]"

    @property
    def spec(self) -> str:
        return {"linear": "RS-GAIN-1", "exp2": "RS-GAIN-2", "table": "RS-GAIN-3"}[self.kind]

    def of(self, reals: Reals) -> Callable[[Exact], Number]:
        """The gain as a function of the label, made once of each, in the given reading of the
        reals.
        """
        if self.kind == "linear":
            return cache(lambda r: equations.gain_linear(r, reals))
        if self.kind == "exp2":
            return cache(lambda r: equations.gain_exp2(r, reals))
        table = dict(enumerate(self.table))
        return cache(lambda r: equations.gain_table(int(r), table, reals))

    def is_zero(self, label: Exact) -> bool:
        """Whether a label has the gain 0."""
        return (self.table[int(label)] if self.kind == "table" else label) == 0

    def refusal(self, label: Exact) -> str | None:
        """Why this gain cannot take a label; None where it can."""
        if not math.isfinite(label):
            return "a label must be finite"
        if label < 0:
            return "a label must not be negative"
        if self.kind == "exp2" and label > LARGEST_EXP2_LABEL:
            return f'the gain "exp2" takes labels up to {LARGEST_EXP2_LABEL}'
        if self.kind == "table" and (label != int(label) or label >= len(self.table)):
            return f"the gain table has the labels 0 to {len(self.table) - 1}"
        return None


_OF_GAINS = (
    'expected "linear", "exp2", a table like "0-1-10-100", a mapping {label: gain} or a sequence '
    "of gains"
)


def gain(choice: GainLike) -> Gain:
    """A gain from its name, a mapping {label: gain}, or the gains of the labels 0, 1, 2, ...

    >>> gain("exp2").kind
    'exp2'
    >>> gain([0, 1, 10, 100]).table
    (0, 1, 10, 100)
    """
    if isinstance(choice, Gain):
        return choice
    if (name := text_of(choice)) is not None:
        if name in GAINS:
            return Gain(name)
        if listed := re.fullmatch(r"\[(.*)\]", name.strip()):  # and one that needs it
            return _gain_table([_rational(g.strip(), "gain") for g in listed[1].split(",")])
        if re.fullmatch(r"[0-9.]+(-[0-9.]+)+", name):  # as str() writes a table
            return _gain_table([number(part, "gain") for part in name.split("-")])
        raise InputError(
            f'gain: unknown gain "{name}"{hint(name, GAINS, synonyms=_GAINS)}; {_OF_GAINS}'
        )
    if callable(choice):
        raise InputError(
            "gain: a function does not serve as a gain; give a list of its values for the labels "
            f"0, 1, 2, ...: [g(0), g(1), g(2)]; {_OF_GAINS}"
        )
    return _gain_table(_given(choice, "gain", _OF_GAINS))


def _gain_table(given: Mapping[int, Exact] | Sequence[Exact]) -> Gain:
    """A gain from a table that gives every label from 0 on, none less than the one before."""
    if isinstance(given, Mapping):
        if set(given) != set(range(len(given))):
            raise InputError(
                "gain: a table must give the gain of every label from 0 to its highest; it has "
                f"the labels {sorted(given)}"
            )
        given = [given[label] for label in range(len(given))]
    table = tuple(exact(g, f"gain: the gain of label {r}") for r, g in enumerate(given))
    if not table:
        raise InputError("gain: a table must give at least the gain of label 0")
    for r, g in enumerate(table):
        if g < 0:
            raise InputError(
                f"gain: the gain of label {r} is {shown(g)}; a gain must not be negative"
            )
        if r and g < table[r - 1]:
            raise InputError(
                f"gain: the gain of label {r} is {g}, below that of label {r - 1}, "
                f"{table[r - 1]}; a higher label must not have a lower gain"
            )
    return Gain("table", table)


@record()
class Kind:
    """A kind of discount: a function of the rank, and of a base where it has a logarithm.

    spec: the ID of its definition
    equation: its function in the reference: (rank, base, reals) -> number, or without a base
        (rank, reals) -> number
    examples: as it is written; none: it has no name
    base: whether it has one; without, all its values are rational
    """

    spec: str
    equation: str
    examples: tuple[str, ...]
    base: bool = True


KINDS = {
    "log": Kind("RS-DISC-1", "discount_log", ("log2", "log(b=10)")),
    "jarvelin-2008": Kind(
        "RS-DISC-2",
        "discount_jarvelin_2008",
        ("jarvelin-2008(b=2)",),
    ),
    "jarvelin-2002": Kind(
        "RS-DISC-3",
        "discount_jarvelin_2002",
        ("jarvelin-2002(b=2)",),
    ),
    "jiang-2016": Kind("RS-DISC-7", "discount_jiang_2016", ("jiang-2016(b=4)",)),
    "zipf": Kind("RS-DISC-4", "discount_zipf", ("zipf",), base=False),
    "none": Kind("RS-DISC-6", "discount_none", ("none",), base=False),
    "custom": Kind("RS-DISC-5", "discount_custom", (), base=False),
}
DISCOUNTS = tuple(example for kind in KINDS.values() for example in kind.examples)
_WITH_BASE = "|".join(name for name, kind in KINDS.items() if kind.base)
_WITHOUT_BASE = {name for name, kind in KINDS.items() if kind.examples and not kind.base}


@record()
class WeightsFile:
    """The file that weights of ranks come from, for errors.

    name: the option and the file; most: the last rank that it may have; spec: the ID of its format
    """

    name: str
    most: int
    spec: str


@record()
class Discount:
    """The discount of a rank.

    kind: a name of KINDS
    b: the base of the logarithm, for those that have one
    weights: the discounts of the ranks 1, 2, ..., for "custom"
    file: where these come from, if that is a file; it is no part of the discount
    """

    kind: str
    b: Exact = 2
    weights: tuple[Exact, ...] = ()
    file: tuple[WeightsFile, ...] = field(default_factory=tuple, compare=False)

    def __str__(self) -> str:
        if self.kind == "custom":
            return f"[{', '.join(str(w) for w in self.weights)}]"
        if not KINDS[self.kind].base:
            return self.kind
        return "log2" if self == LOG2 else f"{self.kind}(b={self.b})"

    @property
    def spec(self) -> str:
        return KINDS[self.kind].spec

    @property
    def rational(self) -> bool:
        """Whether all its values are rational: it needs no enclosure."""
        return not KINDS[self.kind].base

    def of(self, reals: Reals) -> Callable[[int], Number]:
        """The discount as a function of the rank, in the given reading of the reals."""
        if self.kind == "custom":
            return lambda i: equations.discount_custom(i, self.weights, reals)
        kind = KINDS[self.kind]
        equation = getattr(equations, kind.equation)
        if not kind.base:
            return lambda i: equation(i, reals)
        return cache(lambda i: equation(i, self.b, reals))

    def is_zero(self, i: int) -> bool:
        """Whether the discount of rank i is 0."""
        return self.kind == "custom" and not any(self.weights[i - 1 : i])

    @property
    def depth(self) -> float:
        """The last rank that the discount is defined for."""
        return len(self.weights) if self.kind == "custom" else math.inf


@record()
class Geometric:
    """Weights of ranks that are the powers of a number: p^(i-1), as RBP discounts (RS-CAS-5)."""

    p: Exact
    depth: ClassVar[float] = math.inf

    def of(self, reals: Reals) -> Callable[[int], Number]:
        """The weight as a function of the rank, in the given reading of the reals."""
        return cascade.powers(self.p, reals)


LINEAR = Gain("linear")
LOG2 = Discount("log")
UNDISCOUNTED = Discount("none")
ZIPF = Discount("zipf")


def discount(
    choice: DiscountLike, what: str = "discount", more: Sequence[str] = (), of: str = "rank"
) -> Discount:
    """A discount from its name, or from the weights of the ranks 1, 2, ...

    what, of: what an error calls it, and what it is of; more: names beside those of discounts

    >>> discount("log2") == discount("log(b=2)")
    True
    >>> discount("jarvelin-2008(b=4)").b
    4
    """
    if isinstance(choice, Discount):
        return choice
    name = text_of(choice)
    if name is not None and (listed := re.fullmatch(r"\[(.*)\]", name.strip())):
        choice = [_rational(w.strip(), what) for w in listed[1].split(",") if w.strip()]
    elif name is not None:
        return _discount_named(name, what, tuple(more))
    if isinstance(choice, Mapping):
        raise InputError(
            f"{what}: expected a sequence of the weights of {of} 1, 2, ..., got a mapping"
        )
    names = ", ".join(f'"{name}"' for name in (*more, *DISCOUNTS))
    weights_of = f"there are {names}, or the weights of {of} 1, 2, ...: [1, 0.5, 0.25]"
    given = enumerate(_given(choice, what, weights_of), start=1)
    weights = tuple(exact(w, f"{what}: the weight of {of} {i}") for i, w in given)
    for i, w in enumerate(weights, start=1):
        if w < 0:
            raise InputError(f"{what}: the weight of {of} {i} is {w}; it must not be negative")
        if i > 1 and w > weights[i - 2]:
            raise InputError(
                f"{what}: the weight of {of} {i} is {w}, above that of {of} {i - 1}, "
                f"{weights[i - 2]}; weights must not rise"
            )
    return Discount("custom", weights=weights)


@lru_cache(maxsize=256)
def _discount_named(name: str, what: str, more: tuple[str, ...]) -> Discount:
    if name in _WITHOUT_BASE:
        return Discount(name)
    match = re.fullmatch(
        rf"(?:log(?P<digits>\d+)|(?P<kind>{_WITH_BASE})(?:\((?:b=)?(?P<b>[^()]+)\))?)", name
    )
    if not match:
        known = (*more, *DISCOUNTS)
        quoted = ", ".join(f'"{x}"' for x in known)
        kind, heads = name.partition("(")[0], [x.partition("(")[0] for x in known]
        raise InputError(  # no base is suggested: that of the example is not what was meant
            f'{what}: unknown name "{name}"{hint(kind, heads, synonyms=_DISCOUNTS)}; '
            f"expected one of {quoted}, or weights of your own, [1, 0.5, 0.25]"
        )
    b = number(match["digits"] or match["b"] or "2", what)
    if not 1 < b < MOST:
        raise InputError(f"{what}: the base of {name} must be a finite number above 1")
    return Discount(match["kind"] or "log", b)


def _given(choice: Any, what: str, known: str) -> Any:
    """Numbers in an order, or a mapping of them; an InputError for what is neither.

    known: what there is
    """
    if isinstance(choice, Mapping):
        return choice
    if callable(choice):
        raise InputError(
            f"{what}: only functions that take the labels, like rs.dcg(), take a function of the "
            f"rank; a measure takes a name, or the weights of the ranks; {known}"
        )
    if isinstance(choice, (bytes, bytearray, Set)) or not isinstance(choice, Iterable):
        raise InputError(
            f"{what}: {shown(choice)} is neither a name nor a sequence of numbers; {known}"
        )
    return items_of(choice, f"{what}: {shown(choice)} is not a sequence of numbers; {known}")


def ties(rule: str) -> str:
    """The name of a tie rule (RS-TIE-2, RS-EXP-1), checked."""
    name = text_of(rule)
    if name not in tie_rules.RULES:
        known = ", ".join(f'"{known}"' for known in tie_rules.RULES)
        given = shown(rule) if name is None else f'"{name}"'
        raise InputError(
            f"ties: unknown rule {given}{hint(name, tie_rules.RULES)}; expected one of {known}"
        )
    return name


def exact(x: Any, what: str) -> Exact:
    """A finite real number as a Python int, float or Fraction, or an InputError.

    It must be within the range of doubles: 0, or of a size from 2^-1074 to 2^1024; and a fraction
    must be short enough to be written.
    """
    number = int(x) if is_boolean(x) else real_number(x)
    if number is None or (isinstance(number, float) and not math.isfinite(number)):
        raise InputError(f"{what} is {shown(x)}; it must be a finite number")
    n, d = number.as_integer_ratio()
    if n and not d <= abs(n) << LEAST_BITS < MOST * d << LEAST_BITS:
        raise InputError(f"{what} is {shown(x)}, which is beyond the range of doubles")
    if max(abs(n), d) >= 10**MOST_DIGITS:
        raise InputError(
            f"{what} is {shown(x)}; numerator and denominator of a fraction may have "
            f"{MOST_DIGITS} digits. Give a double, or a shorter fraction"
        )
    return number


def real_number(x: Any) -> Exact | None:
    """Return x as a Python int, float or Fraction; None if it is no real number, or a boolean.

    Takes numbers of numpy and decimals too, exactly. A float may be infinite or NaN.
    """
    if type(x) in (int, float):
        return x  # type: ignore[no-any-return]
    if is_boolean(x):
        return None
    if (of_int := whole(x)) is not None:
        return of_int
    if not isinstance(x, float) and isinstance(x, fractions.Fraction):
        return fractions.Fraction(int(x.numerator), int(x.denominator))
    decimal = _decimal(x)
    return _double(x) if decimal is None else _of_decimal(decimal)


def _of_decimal(decimal: Any) -> Exact | None:
    """Return a finite decimal exactly; far beyond the range of doubles, another one that is so.

    Its digits are not written out there: they can be as many as its exponent says.
    """
    if not decimal.is_finite():
        return None
    if not decimal:  # of any exponent
        return 0
    if abs(decimal.adjusted()) <= MOST_DECIMAL_PLACES:
        return fractions.Fraction(*decimal.as_integer_ratio())
    places = MOST_DECIMAL_PLACES if decimal.adjusted() > 0 else -MOST_DECIMAL_PLACES
    beyond = fractions.Fraction(10) ** places
    return -beyond if decimal < 0 else beyond


def whole(x: Any) -> int | None:
    """The whole number that x is, as a plain int; None: it is none, or a boolean.

    Of a subclass only the number counts: its comparisons may be its own (RS-CONV-29).
    """
    if not isinstance(x, Integral) or isinstance(x, bool):
        return None
    try:
        return int(operator.index(x))
    except TypeError:  # numpy calls a span of time a whole number
        return None


def _double(x: Any) -> float | None:
    """The double that x is, as whole() has it; None: it is none."""
    if isinstance(x, float):
        return float.__float__(x)
    if not isinstance(x, Real) or isinstance(x, Integral):
        return None
    double = float(x)
    return double if double == x else None


def _decimal(x: Any) -> Any:
    """The decimal that x is, as whole() has it; None: it is none."""
    decimal = sys.modules.get("decimal")  # which whoever has one has imported
    return decimal.Decimal(x) if decimal and isinstance(x, decimal.Decimal) else None


def text_of(x: Any) -> str | None:
    """The text that x is, as a plain str; None: it is none.

    Of a subclass only the characters count: what it says to be equal to does not (RS-CONV-29).
    """
    return str.__str__(x) if issubclass(type(x), str) else None


def yes_or_no(x: Any, what: str) -> bool:
    """What a boolean says; an InputError for what is none, like 0 or "no"."""
    if not is_boolean(x):
        raise InputError(f"{what}: expected True or False, got {shown(x)}")
    return bool(x)


def is_boolean(x: Any) -> bool:
    """Whether x is one boolean, Python's or numpy's (RS-CONV-1)."""
    of_numpy = getattr(getattr(x, "dtype", None), "kind", "") == "b"
    return isinstance(x, bool) or (of_numpy and getattr(x, "ndim", 0) == 0)


def number(text: str, what: str) -> Exact:
    """A number as it is written, or an InputError."""
    if re.fullmatch(r"[+-]?[0-9]+", text) and len(text) < 400:
        return int(text)
    if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return float(text)
    raise InputError(f'{what}: "{text}" is not a number')


def _rational(text: str, what: str) -> Exact:
    """A number, or a fraction like 1/3, as str() writes one in a list of weights."""
    if match := re.fullmatch(rf"([0-9]{{1,{MOST_DIGITS}}})/([0-9]{{1,{MOST_DIGITS}}})", text):
        above, below = map(int, match.groups())
        if below:
            return fractions.Fraction(above, below)
    return number(text, what)
