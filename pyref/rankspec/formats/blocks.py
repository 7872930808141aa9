"""Streams cut into blocks of whole lines, or of whole queries.

A block is in a buffer that the C core reads: a newline ends it, and bytes that may be read follow.
"""

from __future__ import annotations

from _thread import allocate_lock
from collections.abc import Callable, Generator, Iterator

from ..compute.core import ffi, lib
from ..errors import InputError
from .limits import STREAM
from .streams import Fill, Stream

BLOCK = 1 << 22  # bytes
PADDING = bytes(int(lib.RS_PADDING))


class Blocks:
    """The blocks of a stream, for any number of threads.

    last: where the last whole thing of a text ends, 0 if it has none
    ended: no block is left, or is wanted: any thread may say so at any time
    error: why there is none, if it is not for the end of the stream
    line_end_added: the last line had none
    """

    def __init__(
        self, fill: Fill, last: Callable[[bytearray, int], int], tell: Callable[[], None]
    ) -> None:
        self.count = 0
        self.ended = False
        self.line_end_added = False
        self.error: BaseException | None = None
        self._fill = fill
        self._last = last
        self._tell = tell
        self._rest = b""
        self._lock = allocate_lock()

    def next(self, buffer: bytearray) -> tuple[int, bytearray, int] | None:
        """The number of the next block, and its text and size: in the buffer, or a larger one."""
        with self._lock:
            if self.ended:
                return None
            try:
                buffer, size = self._next(buffer)
                self._tell()
            except BaseException as error:  # noqa: BLE001 - raised by who waits for all threads
                self.error, self.ended = error, True
                return None
            self.count += 1
            return self.count - 1, buffer, size

    def _next(self, buffer: bytearray) -> tuple[bytearray, int]:
        done = len(self._rest)
        while len(buffer) < 2 * done:
            buffer = bytearray(2 * len(buffer))
        buffer[:done] = self._rest
        while True:
            room = len(buffer) - len(PADDING) - 1
            with memoryview(buffer) as view:
                n = self._fill(view[done:room])
            _check_given_back(buffer)
            at_end = n < room - done
            done += n
            cut = done if at_end else self._last(buffer, done)
            if cut or at_end:
                break
            buffer += bytes(len(buffer))
        self._rest = bytes(memoryview(buffer)[cut:done])
        if at_end:
            self.ended = True  # never False here: another thread may have given up meanwhile
            if done and buffer[done - 1] != ord("\n"):
                buffer[done] = ord("\n")
                cut += 1
                self.line_end_added = True
        return buffer, cut


def _check_given_back(buffer: bytearray) -> None:
    """An InputError where an open file of the caller's own class keeps what it was given to read
    into: it could write it while the core reads it.
    """
    try:
        buffer.append(0)
        buffer.pop()
    except BufferError:
        raise InputError(
            "the open file keeps a reference to the buffer passed to its readinto()"
        ) from None


def last_query(text: bytearray, size: int, comments: bool = False) -> int:
    return int(lib.rs_last_query(ffi.from_buffer(text), size, comments))


def _last_line(text: bytearray, size: int) -> int:
    return text.rfind(b"\n", 0, size) + 1


def blocks_of_lines(stream: Stream) -> Iterator[tuple[bytearray, int, bool]]:
    """Blocks of whole lines: text, size, and whether the last line end was added."""
    with stream.opened(STREAM) as fill:
        blocks = Blocks(fill, _last_line, lambda: None)
        buffer = bytearray(BLOCK)
        while block := blocks.next(buffer):
            _, buffer, size = block
            yield buffer, size, blocks.line_end_added
        if blocks.error:
            raise blocks.error


def lines(stream: Stream) -> Generator[bytes]:
    """The lines of a stream with their ends, as they are."""
    for text, size, line_end_added in blocks_of_lines(stream):
        *ended, last = bytes(text[: size - line_end_added]).split(b"\n")
        yield from (line + b"\n" for line in ended)
        if last:
            yield last
