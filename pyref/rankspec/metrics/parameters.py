"""The parameters of metrics: what a measure can be told beside its cut-off.

A :class:`Parameter` says all there is to say about one: its name, its default, how a value is read
and what it means. The chapters list those of their metrics, with parameters of their own; the
notation of measures, the API, definitions and ``rankspec measures`` read them there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..compute import gain
from ..compute.call import Double, Gains, Table, Weights
from ..compute.gain import LINEAR, LOG2, ZIPF, Discount, Gain
from ..errors import InputError, hint, shown
from ..later import fractions
from ..records import record
from ..typed import Any, TypeAlias

Parameters: TypeAlias = "Mapping[str, Parameter]"

LARGEST_M = 1_000_000  # the ranks of LDCG's Z, which sums the weights of all M
LONGEST_KEPT = 256  # weights or gains of a measure that is remembered, and letters of its name
_PLAIN = frozenset((str, int, float, bool, type(None), Gain, Discount))


def is_plain(x: Any) -> bool:
    """Whether x can be looked up: it says of itself truly what it is equal to, and is short."""
    if type(x) is tuple:
        return len(x) <= LONGEST_KEPT and all(map(_is_plain, x))
    return _is_plain(x)


def _is_plain(x: Any) -> bool:
    return type(x) in _PLAIN or type(x) is fractions.Fraction


@record()
class Parameter:
    """A choice that a metric has beside the cut-off.

    name: as it is written, and what the argument of the API is called
    default: the value where none is given
    read: a value from what is given, or an InputError
    meaning: a value in words, with its spec ID
    help: what it is, in one line
    words: the values that there are, where they are words
    meaning_in: the same as the meaning, of a measure, where its other parameters matter
    annotation: the type of the argument in the API
    """

    name: str
    default: Any
    read: Callable[[Any], Any]
    meaning: Callable[[Any], str]
    help: str
    words: tuple[str, ...] = ()
    meaning_in: Callable[[Any], str] | None = None
    annotation: str = "Any"

    def value(self, given: Any) -> Any:
        """The value that is given, or an InputError; a boolean is no number here."""
        if gain.is_boolean(given) and self.annotation.startswith("float"):
            raise InputError(f"{self.name}: {shown(given)} is a boolean; it must be a number")
        return self.read(given)


def parameters(*chosen: Parameter) -> Parameters:
    """Parameters by their names, in their order."""
    return MappingProxyType({p.name: p for p in chosen})


def choice(
    name: str,
    what: str,
    meanings: Mapping[str, str],
    spec: str | Mapping[str, str],
    help: str,  # noqa: A002
) -> Parameter:
    """A parameter whose value is one of a few words, the first by default.

    what: what a word names; meanings: {word: what it stands for}; spec: the ID of the choice, or
    {word: its ID}
    """

    def read(given: Any) -> str:
        word = gain.text_of(given)
        if word is not None and word in meanings:
            return word
        words = ", ".join(f'"{word}"' for word in meanings)
        raise InputError(
            f"{name}: unknown {what}: {shown(given)}{hint(word, meanings)}; expected one of {words}"
        )

    def meaning(x: str) -> str:
        return f"{x}: {meanings[x]} ({spec if isinstance(spec, str) else spec[x]})"

    words = tuple(meanings)
    return Parameter(name, words[0], read, meaning, help, words, annotation="str")


GAIN = Parameter(
    "gain",
    LINEAR,
    gain.gain,
    lambda x: f"{x} ({x.spec})",
    "linear, exp2, or the gains of the labels 0, 1, ...: 0-1-10-100",
    annotation="GainLike",
)
DISCOUNT = Parameter(
    "discount",
    LOG2,
    gain.discount,
    lambda x: f"{x} ({x.spec})",
    ", ".join(gain.DISCOUNTS),
    annotation="DiscountLike | Callable[[int], float]",
)
REL = Parameter(
    "rel",
    1,
    lambda given: gain.exact(given, "rel: the least relevant label"),
    lambda x: f"label >= {x} is relevant (RS-PREC-1)",
    "the least label that is relevant",
    annotation="float",
)

# How the C core takes them, and the discount 1/i.
GAIN_IN_CORE = Gains(lambda m: m.gain)
DISCOUNT_IN_CORE = Table("discount")
REL_IN_CORE = Double(lambda m: m.rel)
INVERSE_IN_CORE = Weights(ZIPF)


def written(parameter: str, x: Any) -> str:
    """A parameter with its value, as it stands in a measure."""
    return f"{parameter}={_literal(x)}"


def _literal(x: Any) -> str:
    """A value as it can be read again."""
    if isinstance(x, tuple):
        return f"({', '.join(map(_literal, x))}{',' * (len(x) == 1)})"
    as_it_is = x is None or isinstance(x, (int, float, fractions.Fraction))
    return str(x) if as_it_is else repr(str(x))


def as_python(x: Any) -> str:
    """The value of a parameter, as it can be given in Python."""
    if x is None or isinstance(x, (int, float, fractions.Fraction, str, tuple)):
        return repr(x)
    numbers = getattr(x, "table", ()) or getattr(x, "weights", ())  # of a gain, or of a discount
    if isinstance(numbers, Discount):  # of a prior
        numbers = numbers.weights
    return repr(list(numbers) if numbers else str(x))
