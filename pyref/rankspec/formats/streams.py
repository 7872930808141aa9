"""Files as streams of bytes: paths, the standard input and open files, plain or compressed.

What is read has limits (RS-CONV-30, ``limits``), and a file that changes while it is
read, or between two readings, is an error (RS-CONV-31).
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib import import_module

from ..errors import InputError, shown, shown_text
from ..typed import IO, Any, NamedTuple, TypeAlias, TypeGuard
from . import limits

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"
"""Where a file is read from: a path, "-" for the standard input, or an open file."""

Fill: TypeAlias = Callable[[memoryview], int]
"""Fills a buffer with the next bytes, all of it unless the end is near; returns how many."""

_State: TypeAlias = tuple[int, int, int, int]
"""What tells that a file has changed: its device and inode, its size, and when it was written."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PIECE = 1 << 20
PLAIN = "plain text"
UNNAMED = "the open file"  # in messages


def is_file(source: Any) -> TypeGuard[Source]:
    """Whether a value is a :data:`Source`, or a :class:`Stream`, which stands for one."""
    return isinstance(source, (str, os.PathLike, Stream)) or is_open_file(source)


def is_open_file(x: Any) -> bool:
    """Whether x has read(); a data frame may have a column of that name."""
    return callable(getattr(x, "read", None))


class Stream:
    """The decompressed bytes of a source.

    name: for messages
    again: whether the bytes are to be read more than once; a source that cannot be opened again,
        such as a pipe, is then copied to a temporary file as far as it is read, until close()
    lines: whether the bytes are lines, the length of which has a limit (RS-CONV-30)
    told: whether its format is known to be TREC's, or is whatever its reader takes it for
    is_format_given: whether the caller named the format, so that look-alikes are not refused
    scattered: whether this is a run in which lines of a query come after those of another, as far
        as its reader knows
    """

    def __init__(self, source: Source, *, again: bool = False, lines: bool = True) -> None:
        self.name, self._source = _named(source)
        self._lines = lines
        self._state: _State | None = None  # of the file, when it was opened first
        self._counted: int | None = None  # the bytes of the first whole reading
        self._raw: IO[bytes] | None = None  # the open file, to ask how far it is read
        self._copied = again and not _is_regular(self._source)
        self._copy: TemporaryCopy | None = None
        self._held_open = ExitStack()  # the source of the copy
        self._has_size = False
        self._compressed = False
        self.told = False
        self.is_format_given = False
        self.scattered = False

    def __del__(self) -> None:
        self.close()

    @classmethod
    def of(cls, source: Source | Stream) -> Stream:
        """The stream of a source; a stream is its own."""
        return source if isinstance(source, Stream) else cls(source)

    def limit_lines(self, lines: bool) -> None:
        """From now on the bytes are lines, or not; see `lines`."""
        self._lines = lines

    def head(self, size: int) -> bytes:
        """The first bytes, at most so many; they will be read once more."""
        head = bytearray()
        with self.opened() as fill:
            while room := min(PIECE, size - len(head)):
                buffer = bytearray(room)
                n = fill(memoryview(buffer))
                head += buffer[:n]
                if n < room:
                    break
        return bytes(head)

    @contextmanager
    def opened(self, most: limits.Limit = limits.HELD) -> Iterator[Fill]:
        """The function that reads the bytes, from the first on.

        most: the limit of the bytes of a source without a size, such as a pipe
        """
        if self._copied and self._copy is None:
            raw = self._held_open.enter_context(_open(self.name, self._source))
            self._copy = TemporaryCopy(self.name, self._fill_of(raw), raw)
        if self._copy is not None:
            self._raw = self._copy.raw
            try:
                yield self._limited(self._copy.from_the_beginning(), most)
            except InputError:  # nobody reads on
                self._held_open.close()
                raise
            self._raw = None
            return
        with self._opened_source() as fill:
            yield self._counting(self._limited(fill, most))
            self._check_unchanged()
            self._raw = None

    @contextmanager
    def _opened_source(self) -> Iterator[Fill]:
        """The function that reads the decompressed bytes of the file, which is open."""
        with _open(self.name, self._source) as raw:
            try:
                yield self._fill_of(raw)
            except Exception:  # whatever it is, it may be of bytes of two files
                self._check_unchanged()
                raise

    def _fill_of(self, raw: IO[bytes]) -> Fill:
        """The function that reads the decompressed bytes of an open file."""
        self._raw = raw
        self._check_unchanged()
        self._has_size = _has_size(self._source) or _has_size(raw)
        kind, fill = _decompressed(self.name, raw, self._has_size)
        self._compressed = kind != PLAIN
        return fill

    def _limited(self, fill: Fill, most: limits.Limit) -> Fill:
        """The same, which raises InputError where the bytes or a line are too many. RS-CONV-30"""
        if not self._has_size:
            fill = limits.of_size(self.name, fill, most)
        return limits.of_lines(self.name, fill) if self._lines else fill

    def close(self) -> None:
        copy = getattr(self, "_copy", None)  # where the source was refused there is none
        if copy is not None:
            copy.close()
            self._held_open.close()

    def changed(self) -> InputError:
        """The error for a file that is not what it was when it was opened first. RS-CONV-31"""
        return InputError(
            f"{self.name}: the file changed while it was read; no number is given of parts of two "
            "files. Wait until it is complete, or evaluate a copy (RS-CONV-31)"
        )

    def _check_unchanged(self) -> None:
        """An InputError where the file that is open is not what was opened first."""
        if not isinstance(self._source, str) or self._source == "-" or self._raw is None:
            return
        state = _state_of(self._raw)
        if state is None:
            return
        if self._state is None:
            self._state = state
        if state != self._state:
            raise self.changed()

    def _counting(self, fill: Fill) -> Fill:
        """The same; a reading to the end must have as many bytes as the first one."""
        total = 0

        def fill_and_count(buffer: memoryview) -> int:
            nonlocal total
            n = fill(buffer)
            total += n
            if n < len(buffer):
                if self._counted is None:
                    self._counted = total
                if total != self._counted:
                    raise self.changed()
            return n

        return fill_and_count

    def replace(self, content: TemporaryCopy) -> None:
        """From now on the bytes are those of a temporary file."""
        self.close()
        self._copy = content

    def content(self) -> bytes:
        """All bytes at once."""
        pieces = []
        buffer = memoryview(bytearray(PIECE))
        with self.opened() as fill:
            while n := fill(buffer):
                pieces.append(bytes(buffer[:n]))
        return b"".join(pieces)

    def texts(self, size: int | None = None, most: limits.Limit = limits.HELD) -> Iterator[bytes]:
        """The bytes in pieces that end with a line, each of which is in one piece.

        size: how many are read at a time
        most: see :meth:`opened`
        """
        rest: list[bytes] = []  # of a line that has not ended
        buffer = memoryview(bytearray(size or PIECE))
        with self.opened(most) as fill:
            while n := fill(buffer):
                piece = bytes(buffer[:n])
                end = piece.rfind(b"\n") + 1
                if end:
                    yield b"".join((*rest, piece[:end]))
                    rest = []
                rest.append(piece[end:])
            if last := b"".join(rest):
                yield last

    @contextmanager
    def seekable(self) -> Iterator[IO[bytes]]:
        """A file of the bytes, to be read in any order: itself, or a copy if it is compressed."""
        self.head(1)  # says whether it is, and what a pipe has is copied
        if self._compressed or self._copied or _in_store(self._source):
            yield io.BytesIO(self.content())
            return
        with _open(self.name, self._source) as raw:
            self._raw = raw
            self._check_unchanged()
            yield raw
            self._check_unchanged()
            self._raw = None

    def size(self) -> int | None:
        """How many bytes there will be; None: nobody knows."""
        return None if self._compressed else self.read_so_far()[1]

    def read_so_far(self) -> tuple[int, int | None]:
        """How many bytes of the file have been read, and of how many; None: nobody knows."""
        if self._raw is not None:
            with suppress(OSError, ValueError):
                return self._raw.tell(), os.fstat(self._raw.fileno()).st_size or None
        return 0, None


class TemporaryCopy:
    """A temporary file of the bytes of a stream, whose name is for messages.

    rest: reads what follows the bytes that are copied; None: nothing does
    source: the open file that it reads
    """

    def __init__(
        self, name: str, rest: Fill | None = None, source: IO[bytes] | None = None
    ) -> None:
        from tempfile import TemporaryFile

        self.name = name
        self._rest = rest
        self._source = source
        self._size = 0
        self._error = ""  # what ended the reading of the rest
        with self._errors():
            self._file = TemporaryFile()  # noqa: SIM115 - closed with the stream

    @property
    def raw(self) -> IO[bytes]:
        """The open file from which the next bytes come: the source, or the whole copy."""
        return self._file if self._rest is None or self._source is None else self._source

    def write(self, content: Any) -> None:
        with self._errors():
            self._size += self._file.write(content)

    def from_the_beginning(self) -> Fill:
        """The function that reads the bytes: first the copied ones, then the rest."""
        position = 0

        def fill(buffer: memoryview) -> int:
            nonlocal position
            copied = min(self._size - position, len(buffer))
            if copied:
                with self._errors():
                    self._file.seek(position)
                    self._file.readinto(buffer[:copied])
            n = copied
            if n < len(buffer) and self._rest is not None:
                n += self._read_on(self._rest, buffer[n:])
            position += n
            return n

        return fill

    def _read_on(self, rest: Fill, buffer: memoryview) -> int:
        """The next bytes of the rest, which are copied."""
        if self._error:
            raise InputError(self._error)
        try:
            n = rest(buffer)
        except InputError as error:
            self._error = str(error)  # the bytes that were taken are in no copy
            raise
        with self._errors():
            self._file.seek(self._size)
        self.write(buffer[:n])
        if n < len(buffer):
            self._rest = None
        return n

    def close(self) -> None:
        with suppress(OSError):  # nobody reads it any more
            self._file.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"{self.name}: cannot be copied to a temporary file: {error.strerror}"
            ) from None


@contextmanager
def readable_again(source: Source | Stream) -> Iterator[Stream]:
    """The stream of a source, to be read more than once; who has one already keeps it."""
    if isinstance(source, Stream):
        yield source
        return
    with closing(Stream(source, again=True)) as stream:
        yield stream


def _named(source: Source) -> tuple[str, Any]:
    """What a source is called in messages, and what is to be opened."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return ("standard input" if path == "-" else path), path
    name = getattr(source, "name", None)
    return (name if isinstance(name, str) else UNNAMED), source


def _is_regular(source: Any) -> bool:
    """Whether a source is a file that can be opened again."""
    if not isinstance(source, str) or source == "-":
        return False
    if _in_store(source):
        return True
    with suppress(OSError, ValueError):
        return stat.S_ISREG(os.stat(source).st_mode)  # noqa: PTH116
    return True  # opening it will say what is wrong


def _state_of(file: IO[bytes]) -> _State | None:
    """What tells that a file has changed; None: it is no regular file."""
    with suppress(OSError, ValueError):
        found = os.fstat(file.fileno())
        if stat.S_ISREG(found.st_mode):
            return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
    return None


@contextmanager
def _open(name: str, source: Any) -> Iterator[IO[bytes]]:
    """A file with peek() and readinto()."""
    if not isinstance(source, str):
        yield _as_bytes(name, source)
        return
    if source == "-":
        if sys.stdin is None:
            raise InputError("standard input: closed")
        yield _as_bytes(name, getattr(sys.stdin, "buffer", sys.stdin))
        return
    if _in_store(source):
        yield from _open_store(name, source)
        return
    try:
        file = open(source, "rb")  # noqa: PTH123, SIM115 - pathlib would cost start-up time
    except IsADirectoryError:
        raise InputError(f"{name}: a directory; expected a file") from None
    except OSError as error:
        raise InputError(f"{name or repr(name)}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL byte in a path
        raise InputError(f"{shown_text(name)}: cannot be read: {error}") from None
    with file:
        yield file


def _in_store(source: str) -> bool:
    """Whether a name is of a file that is in no folder, but in a store (RS-CONV-49)."""
    return "://" in source and re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", source) is not None


def _open_store(name: str, source: str) -> Iterator[IO[bytes]]:
    """A file of an object store, by fsspec."""
    try:
        fsspec: Any = import_module("fsspec")
    except ImportError:
        raise InputError(
            f"{name}: files of stores are read by fsspec, which is not installed: pip install "
            "fsspec (RS-CONV-49)"
        ) from None
    try:
        file = fsspec.open(source, "rb").open()
    except Exception as error:  # noqa: BLE001 - each store has errors of its own
        why = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{name}: cannot be read: {why} (RS-CONV-49)") from None
    with file:
        yield io.BufferedReader(file)


def _has_size(file: Any) -> bool:
    """True for an open file that has an end: a regular file, one in memory, or one of a store.

    A device or a file of /proc, which the system makes as it is read, claims to have 0 bytes.
    """
    below = getattr(file, "buffer", file)  # of text
    below = getattr(below, "raw", below)
    if isinstance(below, io.FileIO):
        state = _state_of(below)
        return state is not None and state[2] > 0
    size = getattr(below, "size", None)  # of a store
    return type(below) in IN_MEMORY or (isinstance(size, int) and size > 0)


IN_MEMORY = (io.BytesIO, io.StringIO)


def _as_bytes(name: str, file: Any) -> Any:
    """An open file that has peek() and readinto(), from where it stands."""
    if getattr(file, "closed", False) is True:
        raise InputError(f"{name}: closed; expected a file that is open")
    if isinstance(file, io.BufferedReader):
        return file
    if type(file) in IN_MEMORY:
        return io.BufferedReader(io.BytesIO(_encoded(name, file.read())))
    return io.BufferedReader(_Pieces(name, file))


def _encoded(name: str, content: Any) -> memoryview:
    """Return the answer of an open file's read() as bytes."""
    try:
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        return memoryview(content).cast("B")
    except (TypeError, UnicodeEncodeError):
        raise InputError(
            f"{name}: read() returned {shown(content)}; expected bytes or UTF-8 text"
        ) from None


class _Pieces(io.RawIOBase):
    """The bytes of an open file of any class, by its read()."""

    def __init__(self, name: str, file: Any) -> None:
        super().__init__()
        self._name = name
        self._file = file
        self._left = memoryview(b"")  # read, and not handed on
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left and not self._ended:
            self._left = _encoded(self._name, self._read())
        n = min(len(buffer), len(self._left))
        buffer[:n] = self._left[:n]
        self._left = self._left[n:]
        return n

    def _read(self) -> Any:
        try:
            return self._file.read(PIECE)
        except TypeError:  # a read() that takes no number reads everything
            self._ended = True
            return self._file.read()


# ---- compression -------------------------------------------------------------------------


def _decompressed(name: str, raw: Any, has_size: bool) -> tuple[str, Fill]:
    """The compression, and the bytes without a byte order mark, which is no part of an id."""
    with _errors(name, PLAIN):
        head = raw.peek(len(BYTE_ORDER_MARK) + 3)
    kind, content, counted = PLAIN, raw, None
    for compression in COMPRESSIONS:
        if head.startswith(compression.begins):
            counted = _Counted(name, raw, has_size)
            kind, content = compression.name, compression.opened(counted, name)
    with _errors(name, kind):
        first = content.read(len(BYTE_ORDER_MARK))
    pending = b"" if first == BYTE_ORDER_MARK else first

    def fill(buffer: memoryview) -> int:
        nonlocal pending
        done = min(len(pending), len(buffer))
        buffer[:done] = pending[:done]
        pending = pending[done:]
        with _errors(name, kind):
            while done < len(buffer) and (n := content.readinto(buffer[done:])):
                if not 0 < n <= len(buffer) - done:  # of an open file of the caller's own class
                    room = len(buffer) - done
                    raise InputError(
                        f"{name}: readinto() claims to have read {n} bytes into a buffer of {room}"
                    )
                done += n
        return done

    return kind, fill if counted is None else limits.of_ratio(name, fill, counted.so_far)


class _Counted:
    """A file that counts the bytes that are read from it.

    has_size: False: the bytes are limited, as compressed ones may stand for none
    """

    def __init__(self, name: str, raw: Any, has_size: bool) -> None:
        self._name = name
        self._raw = raw
        self._most = None if has_size else limits.STREAM.value
        self._count = 0

    def so_far(self) -> int:
        return self._count

    def read(self, size: int = -1) -> bytes:
        return self._counted(self._raw.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._counted(self._raw.read1(size))

    def _counted(self, content: bytes) -> bytes:
        self._count += len(content)
        if self._most is not None and self._count > self._most:
            raise limits.STREAM.exceeded(self._name, limits.without_size(self._most), self._most)
        return content


@contextmanager
def _errors(name: str, kind: str) -> Iterator[None]:
    """What may be wrong with the bytes, in words."""
    try:
        yield
    except InputError:
        raise
    except EOFError:
        raise InputError(f"{name}: the {kind} data end too early: the file is truncated") from None
    except IsADirectoryError:
        raise InputError(f"{name}: a directory; expected a file") from None
    except Exception as error:  # noqa: BLE001 - each decompressor has errors of its own
        if kind == PLAIN:
            why = getattr(error, "strerror", None) or error
            raise InputError(f"{name}: cannot be read: {why}") from None
        why = str(error)
        if why.startswith("Not a gzipped file"):  # it begins as one: Python means what follows
            why = "something that is no gzip follows them"
        raise InputError(f"{name}: the {kind} data are damaged: {why}") from None


def _gzip(raw: Any, _: str) -> Any:
    import gzip

    return gzip.GzipFile(fileobj=raw)


def _bzip2(raw: Any, _: str) -> Any:
    import bz2

    return io.BufferedReader(_Parts(raw, bz2.BZ2Decompressor))


def _xz(raw: Any, _: str) -> Any:
    import lzma

    return io.BufferedReader(_Parts(raw, lzma.LZMADecompressor, padding=4))


class _Parts(io.RawIOBase):
    """Compressed parts, one after the other; the classes for files of bz2 and lzma would drop
    what they cannot read.

    padding: zeros may stand behind a part, so many at a time
    """

    def __init__(self, raw: Any, part: Callable[[], Any], padding: int = 0) -> None:
        super().__init__()
        self._raw = raw
        self._part = part
        self._padding = padding
        self._decompressor = part()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            if self._decompressor.eof:
                if not self._next_part():
                    return 0
                continue  # the next part may be empty
            compressed = self._raw.read1(PIECE) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not compressed:
                raise EOFError
            content = self._decompressor.decompress(compressed, len(buffer))
            if content:
                buffer[: len(content)] = content
                return len(content)

    def _next_part(self) -> bool:
        """Begins with the next part; False: there is none."""
        rest = self._without_padding(self._decompressor.unused_data)
        while len(rest) <= self._padding and (more := self._raw.read1(PIECE)):
            rest = self._without_padding(rest + more)
        if rest:
            self._decompressor = self._part()
            self._decompressor.decompress(rest, 0)
        return bool(rest)

    def _without_padding(self, rest: bytes) -> bytes:
        zeros = len(rest) - len(rest.lstrip(b"\0"))
        return rest[zeros - zeros % self._padding :] if self._padding else rest


def _zstd(raw: Any, name: str) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore] # Python 3.14
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            raise InputError(
                f"{name}: compressed with zstd; in this version of Python, reading it needs the "
                'package backports.zstd: pip install "rankspec[zstd]"'
            ) from None
    return zstd.ZstdFile(raw)


class Compression(NamedTuple):
    """A way of compression: how its files begin, what their names end with, and what reads them.

    opened: (open file, its name for messages) -> the file decompressed
    """

    name: str
    suffix: str
    begins: tuple[bytes, ...]
    opened: Callable[[Any, str], Any]


_SKIPPED = tuple(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60))
"""How a frame begins that is to be skipped; zstd may begin with one, of sixteen kinds."""

COMPRESSIONS = (
    Compression("gzip", ".gz", (b"\x1f\x8b",), _gzip),
    Compression("bzip2", ".bz2", (b"BZh",), _bzip2),
    Compression("xz", ".xz", (b"\xfd7zXZ\0",), _xz),
    Compression("zstd", ".zst", (b"\x28\xb5\x2f\xfd", *_SKIPPED), _zstd),
)
"""The compressions that are read, whatever file it is; they are told by how the bytes begin."""


def without_suffix(name: str) -> str:
    """The name of a file, without what says that it is compressed."""
    known = (x.suffix for x in COMPRESSIONS if name.lower().endswith(x.suffix))
    return name[: len(name) - len(next(known, ""))]
