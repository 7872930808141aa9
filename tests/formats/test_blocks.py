"""Streams cut into blocks, which threads share."""

from __future__ import annotations

from rankspec.formats.blocks import Blocks


def test_a_block_is_whole_lines_when_another_thread_gives_up() -> None:
    """The other thread says so while this one looks for the end of its block."""

    def last(text: bytearray, size: int) -> int:
        blocks.ended = True
        return text.rfind(b"\n", 0, size) + 1

    def fill(buffer: memoryview) -> int:
        endless = b"first\nsecond\nthird" * len(buffer)
        buffer[:] = endless[: len(buffer)]
        return len(buffer)

    blocks = Blocks(fill, last, lambda: None)
    block = blocks.next(bytearray(26))
    assert block is not None
    _, text, size = block
    assert bytes(text[:size]) == b"first\nsecond\n"
    assert blocks.next(text) is None
