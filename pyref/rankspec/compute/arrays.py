"""Lists, arrays and ragged batches as flat buffers with offsets.

What the core can read is passed on as it is; the rest is copied into such a form without
changing a number, or refused. numpy is used where an array is given, and not imported else.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from ..errors import InputError, shown
from ..records import record
from ..typed import TYPE_CHECKING, Any
from .batch import offsets_of, place
from .foreign_arrays import as_known_floats, as_numpy, as_python_number, check_on_the_host
from .gain import text_of, whole

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

# Formats of the struct module that the C core reads without a copy.
_READ_AS_THEY_ARE = frozenset("BbHhIilqfd")
_LARGEST = (1 << 63) - 1

SEQUENCES = (list, tuple, array, bytearray)  # of Python, that stand for lists of numbers


@record()
class Lists:
    """Ragged lists: a flat buffer and the offsets of the lists in it (int64)."""

    flat: Any
    offsets: Any
    single: bool
    """Whether it was given as one list."""
    nested: bool = False
    """Whether it was given as a list of lists or in rows."""

    def numbers(self) -> list[Exact]:
        """Return the numbers as Python's own, for exact arithmetic.

        Numbers of numpy wrap and round within fractions, and compare equal to those that do not.
        """
        return list(self.flat.tolist())


def read_lists(
    given: Any, offsets: Any, what: str, like: Lists | None = None, of: str = "list"
) -> Lists:
    """One list, a list of lists, a 2-D array, or a flat array with offsets (RS-CONV-11).

    like: lists whose lengths these must have; flat numbers beside flat lists are read with
    their offsets.
    of: what a list is called in a message
    """
    if isinstance(given, (str, bytes, dict, set)) or given is None:
        raise InputError(f"{what}: expected a list of numbers, got {type(given).__name__}")
    begins = None
    if offsets is not None:
        begins = read_offsets(offsets, "judged_offsets" if what == "judged" else "offsets")
    elif like is not None and not like.single and not like.nested:
        begins = like.offsets
    if isinstance(given, (list, tuple)):
        lists = _from_sequence(given, what, of, begins)
    else:
        lists = _from_array(given, what, of, begins)
    if offsets is not None and not lists.single:
        raise InputError(f"{what}: with offsets the numbers must be in one flat list")
    if begins is not None and lists.single:
        lists = Lists(lists.flat, begins, single=False)
    if like is not None:
        _check_alike(lists, like, what)
    return lists


def ids_as_numbers(
    ids: Any,
    lists: Lists,
    place_of: Callable[[int], str] | None = None,
    name_of: Callable[[int], str] = "list {}".format,
) -> Any:
    """The ids as int64 in the same order: each by its rank among all (RS-TIE-2).

    Texts are compared by their bytes in UTF-8.

    place_of: where a position of the flat ids is; by default in which list
    name_of: what list a is called in a message
    """
    rows = _plain_ids(ids)
    if place_of is None:
        place_of = partial(place, offsets=lists.offsets)
    if rows and isinstance(rows[0], list):
        odd = next((a for a, row in enumerate(rows) if not isinstance(row, list)), None)
        if odd is not None:
            raise InputError(f"ids: expected a list for each ranking, got {shown(rows[odd])}")
        if lists.single:
            raise InputError("ids: their lists and the lists of the labels differ in length")
        _check_lengths(offsets_of(map(len, rows)), lists.offsets, "ids", name_of)
        rows = [x for row in rows for x in row]
    elif lists.nested and len(lists.offsets) > 1:
        raise InputError("ids: their shape differs from the shape of the labels")
    if len(rows) != len(lists.flat):
        raise InputError(
            f"ids: expected one for each of the {len(lists.flat)} labels, got {len(rows)}"
        )
    if not (all(map(_is_text, rows)) or all(map(_is_whole_number, rows))):
        fits = _is_text if _is_text(rows[0]) else _is_whole_number
        odd = next(a for a, x in enumerate(rows) if not fits(x))
        raise InputError(
            f"ids: {shown(rows[odd])} at {place_of(odd)}: expected only integers or only strings"
        )
    rows = [x if type(x) in (str, int) else _plain_id(x) for x in rows]
    if any(isinstance(x, str) and not x.isascii() for x in rows):
        rows = [_bytes_of(x, a, place_of) for a, x in enumerate(rows)]
    rank = {x: a for a, x in enumerate(sorted(set(rows)))}
    return array("q", (rank[x] for x in rows))


def check_ids_once(numbers: Any, scores: Any, offsets: Any) -> None:
    """Raise InputError where an id of a list has two scores; numbers: as of ids_as_numbers()."""
    for begin, end in pairwise(map(int, offsets)):
        own = numbers[begin:end].tolist()
        if len(set(own)) == len(own):
            continue
        first: dict[int, int] = {}
        for at, x in enumerate(own, begin):
            before = first.setdefault(x, at)
            if scores[at] != scores[before] and scores[at] == scores[at]:
                raise InputError(
                    f"ids: the id at {place(at, offsets)} occurs a second time in its list, with "
                    f"another score than at {place(before, offsets)} (RS-TIE-2)"
                )


def _is_text(x: Any) -> bool:
    return text_of(x) is not None


def _is_whole_number(x: Any) -> bool:
    return whole(x) is not None


def _plain_id(x: Any) -> Any:
    """The text or whole number that an id is, whatever a subclass says that it is equal to."""
    text = text_of(x)
    return whole(x) if text is None else text


def _bytes_of(x: str, position: int, place_of: Callable[[int], str]) -> bytes:
    """The bytes of an id in UTF-8, or those that it was read from (RS-CONV-19)."""
    try:
        return x.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError(f"ids: {x!a} at {place_of(position)} cannot be encoded in UTF-8") from None


def _plain_ids(ids: Any) -> list[Any]:
    """Ids as a list, or a list of lists."""
    if isinstance(ids, (str, bytes, dict, set)):
        raise InputError(f"ids: expected a list of ids, got {type(ids).__name__}")
    if not isinstance(ids, (list, tuple)):
        ids = as_numpy(ids, "ids").tolist()
        if not isinstance(ids, list):
            raise InputError("ids: expected a list or an array")
    return [list(row) if isinstance(row, (list, tuple)) else _plain_row(row) for row in ids]


def _plain_row(x: Any) -> Any:
    """A row of ids that is an array, as a list; an id as it is."""
    return x.tolist() if getattr(x, "ndim", 0) == 1 else x


def plain_list(given: Any) -> list[Any]:
    """The items of a list or tuple as they are now, whatever a subclass or they themselves do."""
    # list() would ask for the length that a subclass says it has, and make room for it.
    return list(given) if type(given) in (list, tuple) else [x for x in given]  # noqa: C416


def _from_sequence(given: Sequence[Any], what: str, of: str, begins: Any = None) -> Lists:
    """begins: where lists begin in numbers that are flat, for an error."""
    given = plain_list(given)
    if given and _is_list(given[0]):
        numbers: list[Any] = []
        offsets = array("q", [0])
        for row in given:
            numbers.extend(plain_list(row) if isinstance(row, (list, tuple)) else _plain(row, what))
            offsets.append(len(numbers))  # of what was copied: another thread may change the row
        where = partial(place, offsets=offsets, of=of)
        return Lists(_exact_numbers(numbers, what, where), offsets, single=False, nested=True)
    where = partial(_place_in_flat, n=len(given), begins=begins, of=of)
    flat = _exact_numbers(given, what, where)
    return Lists(flat, array("q", [0, len(flat)]), single=True)


def _is_list(x: Any) -> bool:
    return isinstance(x, SEQUENCES) or getattr(x, "ndim", 0) == 1


def _plain(row: Any, what: str) -> list[Any]:
    if not _is_list(row):
        raise InputError(f"{what}: expected a list for each ranking, got {shown(row)}")
    check_on_the_host(row, what)
    return list(row) if isinstance(row, SEQUENCES) else list(row.tolist())


def _exact_numbers(numbers: Sequence[Any], what: str, place_of: Callable[[int], str]) -> array[Any]:
    """Numbers as int64 where all are whole by type, else as doubles; none is changed."""
    try:
        return array("q", numbers)
    except (TypeError, OverflowError):
        pass
    try:
        doubles = array("d", numbers)
    except (TypeError, OverflowError, ValueError):
        raise InputError(_first_misfit(numbers, what, place_of)) from None
    types = set(map(type, numbers))
    if types == {float}:
        return doubles
    exact = numbers if types <= {int, float} else map(as_python_number, numbers)
    for x, double in zip(exact, doubles, strict=True):
        if double != x and x == x:  # noqa: PLR0124 - a NaN is refused later, where it matters
            raise InputError(_first_misfit(numbers, what, place_of))
    return doubles


def _first_misfit(numbers: Sequence[Any], what: str, place_of: Callable[[int], str]) -> str:
    for a, x in enumerate(numbers):
        if isinstance(x, (str, bytes)) or not hasattr(x, "__float__") or getattr(x, "ndim", 0) > 0:
            return f"{what}: {shown(x)} at {place_of(a)} is not a number"
        number = as_python_number(x)
        try:
            if float(number) == number or number != number:  # noqa: PLR0124 - NaN
                continue
        except (OverflowError, ValueError):
            pass
        return (
            f"{what}: {shown(number)} at {place_of(a)}: expected an integer below 2^63 or a number "
            "that is exactly a double"
        )
    return f"{what}: expected integers from -2^63 to 2^63 - 1, or doubles"


def _from_array(given: Any, what: str, of: str, begins: Any) -> Lists:
    import numpy as np  # only where an array is given

    if isinstance(given, Iterator):
        raise InputError(
            f"{what}: expected a list, got {type(given).__name__}; convert it with list()"
        )
    x = np.asarray(as_numpy(given, what))
    if x.ndim not in (1, 2):
        raise InputError(f"{what}: the array has {x.ndim} dimensions; expected 1 or 2")
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        where = _first_place(np.ma.getmaskarray(given), of, begins)
        raise InputError(f"{what}: the array has masked elements, the first at {where}")
    if x.dtype.kind == "O":
        return _from_sequence(x.tolist(), what, of, begins)
    flat = np.require(_supported(x, what, of, begins), requirements=["C", "ALIGNED"]).reshape(-1)
    if x.ndim == 1:
        return Lists(flat, array("q", [0, len(flat)]), single=True)
    return Lists(flat, regular_offsets(*x.shape), single=False, nested=True)


@lru_cache(maxsize=4)  # batches of the same shape follow one another
def regular_offsets(rows: int, columns: int) -> Any:
    """Where the rows of an array begin."""
    import numpy as np

    offsets = np.arange(rows + 1, dtype=np.int64)
    offsets *= columns
    offsets.flags.writeable = False
    return offsets


def _first_place(flags: Any, of: str, begins: Any) -> str:
    """Where the first flag of an array of flags is set: in which list, or in which row.

    begins: where lists begin in an array of one dimension; None: it is one list
    """
    position = int(flags.argmax())
    if flags.ndim == 2:
        return place(position, regular_offsets(*flags.shape), of)
    return _place_in_flat(position, len(flags), begins, of)


def _place_in_flat(position: int, n: int, begins: Any, of: str) -> str:
    """Where a position of n flat numbers is, whose lists begin there; None: they are one list.

    Offsets that do not fit, for which there will be an error too, are not asked.
    """
    fit = begins is not None and len(begins) > 0 and begins[0] == 0 and begins[-1] == n
    rising = fit and all(a <= b for a, b in pairwise(begins))
    return place(position, begins if rising else [0, n], of)


def _supported(x: Any, what: str, of: str, begins: Any) -> Any:
    """The array in a type that the core reads; the numbers stay what they are."""
    import numpy as np

    x = as_known_floats(x)
    if x.dtype.kind == "b":
        return x.view(np.uint8)
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    if x.dtype.char in _READ_AS_THEY_ARE:
        # ctypes writes the order of bytes before the type, though it is that of this machine.
        return x if len(memoryview(x).format) == 1 else x.astype(x.dtype.char)
    if x.dtype.kind == "u":
        if x.size and int(x.max()) > _LARGEST:
            where = _first_place(x > _LARGEST, of, begins)
            first = x.reshape(-1)[(x > _LARGEST).argmax()]
            raise InputError(f"{what}: {first} at {where}; whole numbers must be below 2^63")
        return x.astype(np.int64)
    if x.dtype.kind == "i":
        return x.astype(np.int64)
    if x.dtype == np.float16:
        return x.astype(np.float32)
    raise InputError(
        f"{what}: unsupported type {x.dtype}; expected integers below 2^63, float16, float32 or "
        "float64"
    )


def read_offsets(given: Any, name: str) -> Any:
    """Where lists begin, as int64; name: of the argument. Whether they fit is checked later.

    A copy: what is checked is what is read, whoever else writes the numbers meanwhile.
    """
    if isinstance(given, array) and memoryview(given).format == "q":
        return array("q", memoryview(given).tobytes())
    if isinstance(given, range):
        given = list(given)
    if isinstance(given, (list, tuple)):
        numbers = plain_list(given)
        try:
            if bool not in set(map(type, numbers)):
                return array("q", numbers)
        except OverflowError:
            raise InputError(f"{name}: one of them is too large for an array") from None
        except TypeError:
            pass
        raise InputError(f"{name}: expected integers")
    import numpy as np  # only where an array is given

    x = np.asarray(as_numpy(given, name))
    if x.ndim != 1 or x.dtype.kind not in "iu" or np.ma.is_masked(given):
        raise InputError(f"{name}: expected a 1-D array of integers, not {x.dtype}")
    if x.dtype.kind == "u" and x.size and int(x.max()) > _LARGEST:
        raise InputError(f"{name}: {x.max()} is too large for an array")
    return np.array(x, dtype=np.int64, order="C")


def _check_alike(lists: Lists, like: Lists, what: str) -> None:
    if lists.single != like.single and len(lists.flat) == len(like.flat):
        raise InputError(f"{what}: their shape differs from the shape of the labels")
    if not (lists.single or like.single):
        _check_lengths(lists.offsets, like.offsets, what)
    if len(lists.flat) != len(like.flat):
        raise InputError(
            f"{what}: {len(lists.flat)} numbers for {len(like.flat)} labels; expected one per label"
        )


def _check_lengths(
    offsets: Any, like: Any, what: str, name_of: Callable[[int], str] = "list {}".format
) -> None:
    """An InputError that names the first list whose length is not that of the labels' list."""
    if list(offsets) == list(like):
        return
    differ = f"{what}: their lists and the lists of the labels differ in length"
    if len(offsets) != len(like):
        raise InputError(f"{differ}: {len(offsets) - 1} lists for {len(like) - 1}")
    a = next(a for a, (own, wanted) in enumerate(zip(offsets, like, strict=True)) if own != wanted)
    own, wanted = (int(x[a]) - int(x[a - 1]) for x in (offsets, like))
    raise InputError(f"{differ}: {name_of(a - 1)} has {own} for {wanted}")
