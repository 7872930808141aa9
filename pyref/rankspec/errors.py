"""The errors that rankspec raises for what it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FunctionType

from .text import printable, short_list, shortened
from .typed import Any, TypeVar

T = TypeVar("T")

LONGEST_SHOWN = 60
LONGEST_SAID = 200
SHORTEST_WORD, LONG_NAME = 4, 7  # of letters, for slips of the pen


class InputError(ValueError):
    """An input that the spec does not admit; the message says which, where and why.

    Long lists of numbers in the names of measures are cut, as in other text for people.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*(short_list(x) if isinstance(x, str) else x for x in arguments))


class NoValue(InputError):
    """A list that a measure gives no value, for a metric, which knows nothing of other lists: who
    has the list says it again, with :meth:`at`.

    what: of the call, which part is wrong
    label, rank: the label that it is about, as it is shown, and where that is in the ranked list,
        from 0; without them it is about the whole list
    advice: a call that has a value
    """

    def __init__(
        self, what: str, why: str, label: str = "", rank: int = 0, advice: str = ""
    ) -> None:
        self.what, self.why, self.label, self.rank = what, why, label, rank
        self.advice = advice
        super().__init__(str(self.alone()))

    @classmethod
    def of_ties(cls, why: str) -> NoValue:
        """A list whose tied items have too many orders."""
        return cls("ties", why, advice='choose a tie rule, such as ties="id-descending"')

    def alone(self) -> InputError:
        """The same as an error of a call that has one list."""
        return self.at(f"position {self.rank}" if self.label else "")

    def ranked(self) -> InputError:
        """The same of a list that was ranked by scores."""
        return self.at(f"rank {self.rank + 1}" if self.label else "")

    def at(self, place: str) -> InputError:
        """The same as an error of a call, with the place of the list, or of the label."""
        about = f"{self.label} at {place} " if self.label else place and f"{place}: "
        advice = self.advice and f"; {self.advice}"
        return InputError(f"{self.what}: {about}{self.why}{advice}")


class InputWarning(UserWarning):
    """Warns of input that is valid, but probably a mistake.

    line: the same as the command line says it
    """

    line = ""


class CoreMissing(ImportError):
    """The C core is not built; the message says how to build it."""


class CoreMissingWarning(RuntimeWarning):
    """The C core is not built, so the reference is used; the message says what to do."""


HOW_TO_BUILD = (
    "To get the core, install a C compiler and the headers of Python (Debian, Ubuntu: apt install "
    "build-essential python3-dev; Fedora: dnf install gcc python3-devel; macOS: xcode-select "
    '--install), then run "pip install ." in the project\'s folder'
)
MEANWHILE = (
    "The reference in Python answers instead: the same values, some thousand times slower. "
    f"{HOW_TO_BUILD}"
)


def shown(x: Any) -> str:
    """repr(x) for a message: on one line, cut where it is long, and never an error itself."""
    if isinstance(x, FunctionType):
        return "a function"  # whose repr() is an address
    try:
        text = " ".join(line.strip() for line in repr(x).splitlines())  # an array has several
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = f"a number of type {type(x).__name__} with thousands of digits"
    except Exception:  # noqa: BLE001 - what a caller's own class raises, or lists within lists
        text = f"something of type {type(x).__name__}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def shown_error(error: BaseException) -> str:
    """The type and the text of an exception, for a message: on one line, cut where it is long."""
    name = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - what a caller's own class raises
        return name
    return shortened(f"{name}: {text}" if text else name, LONGEST_SAID)


def shown_given(x: Any) -> str:
    """A value for a message, printable: a text in quotes, anything else as shown()."""
    return shown_text(x) if isinstance(x, str) else printable(shown(x))


def quoted(x: Any) -> str:
    """A value for a message: a text in quotes, anything else as shown()."""
    return f'"{x}"' if isinstance(x, str) else shown(x)


def listed(names: Iterable[Any]) -> str:
    """Names for a message: each in quotes, divided by commas."""
    return ", ".join(f'"{name}"' for name in names)


def items_of(x: Iterable[Any], complaint: str) -> list[Any]:
    """What iterating over x gives; an InputError with the complaint where it cannot be done.

    An array without a dimension, say, says that it is iterable.
    """
    try:
        return [item for item in x]  # noqa: C416 - list() would believe a length that x says
    except InputError:
        raise
    except (TypeError, ValueError, NotImplementedError):
        raise InputError(complaint) from None


def names_in(names: str | Iterable[str], argument: str, kind: str) -> list[str]:
    """Return the names that an argument lists, at least one; one name may stand alone.

    kind: what each names, in the singular
    """
    complaint = f"{argument}: expected names of {kind}s"
    if isinstance(names, str):
        return [names]
    items = items_of(names, f"{complaint}, got {shown(names)}")
    if not items:
        raise InputError(f"{argument}: expected at least one {kind}, got none")
    for item in items:
        if not isinstance(item, str):
            raise InputError(f"{complaint}, got {shown(item)} among them")
    return items


def by_value(convention: str, value: str, meanings: Mapping[str, T]) -> T:
    """Return what a value of a convention means; an InputError where none is implemented.

    A value that was declared and not implemented must not fall to the default of a branch.
    """
    if value not in meanings:
        raise InputError(
            f'{convention}: "{value}" is not implemented here; expected one of {listed(meanings)}'
        )
    return meanings[value]


def dimensions(x: Any, otherwise: int = 0) -> int:
    """Return the number of dimensions of an array; otherwise for anything else.

    A released memoryview has none: it raises ValueError for each of its attributes.
    """
    try:
        n = getattr(x, "ndim", otherwise)
    except ValueError:
        return otherwise
    return n if isinstance(n, int) else otherwise


def is_named(x: Any, names: Iterable[Any]) -> bool:
    """Return whether x is one of some names; nothing but a string is, whatever its __eq__ says."""
    return isinstance(x, str) and x in names


def shown_text(token: bytes | str, length: int = LONGEST_SHOWN) -> str:
    """A text as messages quote it: printable, on one line, cut where it is long."""
    text = (
        token if isinstance(token, str) else token[: 4 * length].decode("utf-8", "surrogateescape")
    )
    return f'"{printable(text[:length])}{"..." if len(text) > length else ""}"'


def nearest(x: Any, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that x may have been meant to be, whatever its case; None: nothing is near."""
    if not isinstance(x, str):
        return None
    import difflib  # costs start-up time, and only errors need it

    by_lower = {name.lower(): name for name in names}
    found = difflib.get_close_matches(x.lower(), by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else None


def hint(
    x: Any,
    names: Iterable[str],
    cutoff: float = 0.6,
    synonyms: Mapping[str, str] | None = None,
) -> str:
    """The nearest name as the end of a message's first half.

    synonyms: {a name that others use, in lower case: ours}, which come first
    """
    if synonyms and isinstance(x, str) and x.strip().lower() in synonyms:
        return suggestion(synonyms[x.strip().lower()])
    return suggestion(nearest(x, names, cutoff))


def suggestion(name: str | None) -> str:
    """A name as the end of a message's first half; nothing for None."""
    return "" if name is None else f" (did you mean {shown_text(name, len(name))}?)"


def check_known(
    what: str, given: Any, names: Iterable[str], synonyms: Mapping[str, str] | None = None
) -> None:
    """An InputError where what is given is none of the names; it lists them.

    synonyms: as of hint()
    """
    known = tuple(names)
    if not isinstance(given, str) or given not in known:
        raise InputError(
            f"{what}: unknown name {quoted(given)}{hint(given, known, synonyms=synonyms)}; "
            f"expected one of {listed(known)}"
        )


def nearest_spelling(x: str, names: Iterable[str]) -> str | None:
    """The one name of which x may be a slip of the pen, whatever its case; None: there is none.

    Such a slip keeps the letters: two neighbours change places, or a letter is doubled or single.
    In a word (see _is_word) a letter may also be missing, too much or another. The first letter
    stands. Names of papers have no slips. Most measures differ by a letter: a wider search names
    another one.
    """
    x = x.lower()
    by_lower = {name.lower(): name for name in names}
    if x in by_lower:
        return by_lower[x]
    found = [
        name
        for name in by_lower
        if name[0] == x[:1] and not _of_a_paper(name) and (_same_letters(x, name) or _near(x, name))
    ]
    return by_lower[found[0]] if len(found) == 1 else None


def _of_a_paper(name: str) -> bool:
    import re  # which a value does not need

    return "^" in name or re.search("_v[0-9]", name) is not None


def _same_letters(x: str, name: str) -> bool:
    """Whether two neighbours changed places, or a letter is doubled or no longer."""
    if max(len(x), len(name)) < SHORTEST_WORD:
        return False
    if len(x) == len(name):
        swapped = (name[:i] + name[i + 1] + name[i] + name[i + 2 :] for i in range(len(name) - 1))
        return x in swapped
    shorter, longer = sorted((x, name), key=len)
    return longer in (shorter[: i + 1] + shorter[i:] for i in range(len(shorter)))


def _near(x: str, name: str) -> bool:
    """Whether one letter of one word of a long name is missing, too much or another."""
    ours, theirs = name.split("_"), x.split("_")
    if len(name) < LONG_NAME or len(ours) != len(theirs):
        return False
    differ = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    return len(differ) == 1 and _is_word(differ[0][0]) and _one_letter(*differ[0])


def _is_word(part: str) -> bool:
    """Whether it is no abbreviation, of which each letter stands for something."""
    return len(part) >= SHORTEST_WORD and bool(set(part) & set("aeiou"))


def _one_letter(word: str, x: str) -> bool:
    """Whether one letter was taken out of a word, put into it or replaced."""
    if not x.isalpha() or abs(len(word) - len(x)) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(word, x, strict=False)) if a != b), None)
    at = min(len(word), len(x)) if same is None else same
    return word[at + (len(word) >= len(x)) :] == x[at + (len(x) >= len(word)) :]
