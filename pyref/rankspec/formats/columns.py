"""Qrels and runs by column: what data frames and column files are read to, and joined from.

A :class:`Columns` is a table of rows (query, document, number) without a Python object a row. Its
buffers are those of whoever gave them, where these can serve, and nobody writes into them.
``formats.frames`` makes it of a data frame, and whatever reads Parquet, CSV or JSON lines may make
it too: the reference reads it as rows (:meth:`Columns.rows`), the C core as it is.

To make one:

1. ids of text: :class:`Ids` with ``text`` (any bytes-like object, UTF-8) and ``offsets`` (int32 or
   int64, one more than there are ids, never falling, from 0 to the size of the text; the first
   need not be 0). ``Ids.of_texts`` makes these of a list of str.
2. integer ids: ``Ids(integers=...)``, an array of int64 or uint64; the id is the text of its
   decimal digits (RS-CONV-41).
3. ids of few values: ``codes``, int64, says of each row which of the ids it has, from 0.
4. numbers: ``numbers_of(array, ...)`` takes any dtype of integers, booleans or floats of 16, 32 or
   64 bits, exactly; rows that have none (nulls) must have been refused before, by ``absent(...)``.
5. where rows came from: an :class:`Origin`.

Arrays are of numpy, contiguous, of one dimension and in the byte order of the machine. All this is
checked when a Columns is made, so that one that exists can be read; and the C core checks once more
whatever it follows, as another thread may write into a buffer meanwhile.

Spec: RS-CONV-41, RS-CONV-42
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing

from ..errors import InputError, shown_text
from ..records import record
from ..typed import Any

_OF_OFFSETS = ("int32", "int64")
_OF_INTEGERS = ("int64", "uint64")
_OF_NUMBERS = ("int64", "uint64", "float64")


@record()
class Origin:
    """Where rows came from, for messages.

    source: "qrels", "run" or the name of a file
    place: where a row, by its number from 0, was, "a.csv:17" for instance; None: "run: row 16"
    """

    source: str
    place: Callable[[int], str] | None = None

    def row(self, a: int) -> str:
        return self.place(a) if self.place else f"{self.source}: row {a}"


@record(eq=False)
class Ids:
    """The ids of rows: text[offsets[i]:offsets[i + 1]] in UTF-8, or the digits of integers[i].

    codes: row a has the id number codes[a]; None: row a has id a
    name: of the column, for messages
    """

    text: Any = b""
    offsets: Any = None
    integers: Any = None
    codes: Any = None
    name: str = ""

    def __post_init__(self) -> None:
        if (self.integers is None) == (self.offsets is None):
            raise TypeError("ids have offsets into a text, or are integers")
        if self.offsets is not None:
            _check_array(self.offsets, _OF_OFFSETS, "offsets")
            with memoryview(self.text) as view:
                if not view.c_contiguous:
                    raise TypeError("the text of ids is no contiguous buffer")
                size = view.nbytes
            self._check_offsets(size)
        else:
            _check_array(self.integers, _OF_INTEGERS, "integers")
        if self.codes is not None:
            _check_array(self.codes, ("int64",), "codes")
            if len(self.codes) and not (
                self.codes.min() >= 0 and self.codes.max() < self.different
            ):
                raise InputError(f"{self.name}: a code has no value in its dictionary")

    def _check_offsets(self, size: int) -> None:
        offsets = self.offsets
        if len(offsets) == 0:
            raise InputError(f"{self.name}: offsets are missing; expected one more than the ids")
        if offsets[0] < 0 or int(offsets[-1]) > size or bool((offsets[1:] < offsets[:-1]).any()):
            raise InputError(
                f"{self.name}: the offsets of the ids decrease, or exceed their {size} bytes"
            )

    @classmethod
    def of_texts(cls, texts: list[str], codes: Any = None, name: str = "") -> Ids:
        """Ids that are given as texts; UnicodeError: one has no bytes of its own in UTF-8."""
        import numpy as np

        joined = "".join(texts)
        text = joined.encode("utf-8", "surrogateescape")
        lengths: Iterable[int] = map(len, texts)
        if not joined.isascii():
            encoded = [x.encode("utf-8", "surrogateescape") for x in texts]
            if [x.decode("utf-8", "surrogateescape") for x in encoded] != texts:
                raise UnicodeError("another id has the same bytes")
            text, lengths = b"".join(encoded), map(len, encoded)
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(lengths, np.int64, len(texts)), out=offsets[1:])
        return cls(text, offsets, codes=codes, name=name)

    @property
    def different(self) -> int:
        """How many ids there are, which rows may share."""
        return len(self.integers) if self.offsets is None else len(self.offsets) - 1

    def __len__(self) -> int:
        return self.different if self.codes is None else len(self.codes)

    def __getitem__(self, row: int) -> str:
        """The id of a row, as text."""
        a = row if self.codes is None else int(self.codes[row])
        if self.offsets is None:
            return str(int(self.integers[a]))
        with memoryview(self.text) as view, view.cast("B") as flat:
            content = bytes(flat[int(self.offsets[a]) : int(self.offsets[a + 1])])
        return content.decode("utf-8", "surrogateescape")

    def texts(self) -> Iterator[str]:
        """The id of each row, as text."""
        if self.codes is None:
            return map(self.__getitem__, range(self.different))
        distinct = [Ids.__getitem__(self._undivided(), a) for a in range(self.different)]
        return map(distinct.__getitem__, self.codes.tolist())

    def _undivided(self) -> Ids:
        return Ids(self.text, self.offsets, self.integers, None, self.name)


@record(eq=False)
class Columns:
    """Rows of qrels or of a run, by column.

    numbers: int64, uint64 or finite float64: labels, scores or, where `number` is "rank", ranks;
        None: nobody reads them, as the order of the rows is that of the documents (RS-CONV-32)
    number: what the numbers are, "label", "score" or "rank"
    origin: where the rows came from; name: of the column of numbers; both for messages
    """

    queries: Ids
    documents: Ids
    numbers: Any
    number: str = "score"
    origin: Origin = Origin("run")
    name: str = ""

    def __post_init__(self) -> None:
        if self.numbers is not None:
            _check_array(self.numbers, _OF_NUMBERS, "numbers")
        lengths = {len(self.queries), len(self.documents)}
        lengths |= {len(self.queries) if self.numbers is None else len(self.numbers)}
        if len(lengths) > 1:
            raise InputError(
                f"{self.origin.source}: the columns differ in length: {sorted(lengths)}"
            )
        if self.numbers is not None and self.numbers.dtype.kind == "f":
            check_finite(self.numbers, self.number, self.origin, self.name)

    def __len__(self) -> int:
        return len(self.queries)

    def rows(self) -> Iterator[tuple[str, str, Any]]:
        """The rows as Python has them: (query, document, number)."""
        numbers = [0] * len(self) if self.numbers is None else self.numbers.tolist()
        return zip(self.queries.texts(), self.documents.texts(), numbers, strict=True)


@record(eq=False)
class ColumnBlocks:
    """Rows of a run in blocks, each of which has all rows of its queries.

    blocks: gives them, as often as it is called; who ends early closes what it gave
    otherwise: gives the same rows where those of a query do not stand together (Ungrouped), or
        something is wrong with them, in an order that has the words for it; None: nothing does
    """

    blocks: Callable[[], Generator[Columns]]
    otherwise: Callable[[], Columns | ColumnBlocks] | None = None

    def __iter__(self) -> Iterator[Columns]:
        with closing(self.blocks()) as blocks:
            yield from blocks


class Ungrouped(Exception):
    """Rows of a query come after those of another."""


def _check_array(x: Any, types: tuple[str, ...], what: str) -> None:
    name = getattr(getattr(x, "dtype", None), "name", type(x).__name__)
    if name in types and x.ndim == 1 and x.dtype.isnative:
        flags = x.flags
        if flags.c_contiguous and flags.aligned:
            return
    raise TypeError(f"{what}: {name} is no contiguous array of {' or '.join(types)}")


def numbers_of(
    values: Any,
    number: str,
    origin: Origin,
    name: str = "",
) -> Any:
    """An array of numbers as int64, uint64 or float64, each exactly as it is.

    values: an array of numpy of one dimension, of any integers, booleans or floats up to 64 bits
    number, origin, name: what they are, whence, and the name of the column, for messages
    """
    import numpy as np

    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind not in "biuf" or size > np.dtype(np.float64).itemsize:
        raise unreadable(name, number, str(values.dtype), origin)
    to = np.float64 if kind == "f" else np.uint64 if (kind, size) == ("u", 8) else np.int64
    found = np.require(values, to, ["C", "A"])
    if kind == "f":
        check_finite(found, number, origin, name)
    return found


def check_finite(values: Any, number: str, origin: Origin, name: str) -> None:
    """An InputError that names the first row whose number is NaN or infinite (RS-CONV-42)."""
    import numpy as np

    # A sum is finite where each is, but for one that overflows: then they are looked at one by one.
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):
            return
        finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        raise InputError(
            f"{origin.row(row)}: the {number}{in_column(name)} is {float(values[row])}; it "
            "must be a finite number (RS-CONV-42)"
        )


def absent(what: str, origin: Origin, row: int, name: str) -> InputError:
    """The error for a row without an id or a number.

    what: "query id", "document id", "label", "score" or "rank"
    """
    return InputError(
        f"{origin.row(row)}: there is no {what}{in_column(name)} (null); every row needs one, so "
        "leave such rows out before (RS-CONV-42)"
    )


def unreadable(name: str, what: str, kind: str, origin: Origin, fix: str = "") -> InputError:
    """The error for a column of a type that is no id, or no number; fix: what to do about it."""
    wanted = "text or integers" if what.endswith("id") else "integers or floats"
    return InputError(
        f"{origin.source}: the column {shown_text(name)} of {what}s is of type {kind}; expected "
        f"{wanted}{fix} (RS-CONV-42)"
    )


def in_column(name: str) -> str:
    return f" in column {shown_text(name)}" if name else ""
