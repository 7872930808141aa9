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
from contextlib import closing, contextmanager, suppress
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


def is_file(source: Any) -> TypeGuard[Source]:
    """Whether a value is a :data:`Source`, or a :class:`Stream`, which stands for one."""
    return isinstance(source, (str, os.PathLike, Stream)) or is_open_file(source)


def is_open_file(x: Any) -> bool:
    """Whether x has read(); a data frame may have a column of that name."""
    return callable(getattr(x, "read", None))


class Stream:
    """The decompressed bytes of a source.

    name: for messages
    again: whether the bytes are to be read more than once; what cannot be opened again, as a
        pipe, is then copied to a temporary file while it is read, until close()
    lines: whether the bytes are lines, the length of which has a limit (RS-CONV-30)
    told: whether its format is known to be TREC's, or is whatever its reader takes it for
    scattered: whether this is a run in which lines of a query come after those of another, as far
        as its reader knows
    """

    def __init__(self, source: Source, *, again: bool = False, lines: bool = True) -> None:
        self.name, self._source = _named(source)
        self._lines = lines
        self._limited = False  # whether the lines have been found to be short enough
        self._state: _State | None = None  # of the file, when it was opened first
        self._counted: int | None = None  # the bytes of the first whole reading
        self._raw: IO[bytes] | None = None  # the open file, to ask how far it is read
        self._copied = again and not _is_regular(self._source)
        self._copy: TemporaryCopy | None = None
        self._compressed = False
        self.told = False
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
        buffer = bytearray(size)
        with self.opened() as fill:
            n = fill(memoryview(buffer))
        return bytes(buffer[:n])

    @contextmanager
    def opened(self) -> Iterator[Fill]:
        """The function that reads the bytes, from the first on."""
        if self._copy is not None:
            self._raw, self._compressed = self._copy.file, False
            fill = self._from_copy()
            # What was copied before it was known to be lines has lines of any length.
            yield limits.of_lines(self.name, fill) if self._lines and not self._limited else fill
            self._raw = None
            return
        with _open(self.name, self._source) as raw:
            self._raw = raw
            self._check_unchanged()
            try:
                kind, fill = _decompressed(self.name, raw)
                self._compressed = kind != PLAIN
                self._limited = self._lines
                if self._lines:
                    fill = limits.of_lines(self.name, fill)
                if not self._copied:
                    yield self._counting(fill)
                else:
                    fill = self._copying(fill)
                    yield fill
                    rest = memoryview(bytearray(PIECE))
                    while fill(rest):
                        pass
            except Exception:  # whatever it is, it may be of bytes of two files
                self._check_unchanged()
                raise
            self._check_unchanged()
            self._raw = None

    def close(self) -> None:
        copy = getattr(self, "_copy", None)  # where the source was refused there is none
        if copy is not None:
            copy.close()

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

    def texts(self, size: int | None = None) -> Iterator[bytes]:
        """The bytes in pieces that end with a line, each of which is in one piece.

        size: how many are read at a time
        """
        rest: list[bytes] = []  # of a line that has not ended
        buffer = memoryview(bytearray(size or PIECE))
        with self.opened() as fill:
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

    def _copying(self, fill: Fill) -> Fill:
        copy = self._copy = TemporaryCopy(self.name)

        def fill_and_copy(buffer: memoryview) -> int:
            n = fill(buffer)
            copy.write(buffer[:n])
            return n

        return fill_and_copy

    def _from_copy(self) -> Fill:
        copy = self._copy
        assert copy is not None  # noqa: S101
        return copy.from_the_beginning()


class TemporaryCopy:
    """A temporary file of the bytes of a stream, whose name is for messages."""

    def __init__(self, name: str) -> None:
        from tempfile import TemporaryFile

        self.name = name
        with self._errors():
            self.file = TemporaryFile()  # noqa: SIM115 - closed with the stream

    def write(self, content: Any) -> None:
        with self._errors():
            self.file.write(content)

    def from_the_beginning(self) -> Fill:
        with self._errors():
            self.file.seek(0)  # what is not written yet is, now
        return self.file.readinto

    def close(self) -> None:
        with suppress(OSError):  # nobody reads it any more
            self.file.close()

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
    return (name if isinstance(name, str) else "the open file"), source


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


def _as_bytes(name: str, file: Any) -> Any:
    """An open file that has peek() and readinto(), from where it stands."""
    if getattr(file, "closed", False) is True:
        raise InputError(f"{name}: closed; expected a file that is open")
    if isinstance(file, io.BufferedReader):
        return file
    content = file.read()
    try:
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        return io.BufferedReader(io.BytesIO(memoryview(content)))
    except (TypeError, UnicodeEncodeError):
        raise InputError(
            f"{name}: read() returned {shown(content)}; expected bytes or UTF-8 text"
        ) from None


# ---- compression -------------------------------------------------------------------------


def _decompressed(name: str, raw: Any) -> tuple[str, Fill]:
    """The compression, and the bytes without a byte order mark, which is no part of an id."""
    with _errors(name, PLAIN):
        head = raw.peek(len(BYTE_ORDER_MARK) + 3)
    kind, content, counted = PLAIN, raw, None
    for compression in COMPRESSIONS:
        if head.startswith(compression.begins):
            counted = _Counted(raw)
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
    """A file that counts the bytes that are read from it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._count = 0

    def so_far(self) -> int:
        return self._count

    def read(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read(size)
        self._count += len(content)
        return content

    def read1(self, size: int = -1) -> bytes:
        content: bytes = self._raw.read1(size)
        self._count += len(content)
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
    suffix = next((x.suffix for x in COMPRESSIONS if name.endswith(x.suffix)), "")
    return name.removesuffix(suffix)
