"""What fuzzing found to take different ways through the C reader (tools/fuzz.sh), by both readers.

corpus/reader: cases, whose form is that of tools/fuzz/reader.c; those of scores have a "p" where
    the others have a line end
corpus/score: tokens, and in their first nine bytes numbers to be written, as in tools/fuzz/score.c
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest

from rankspec.evaluation import joined
from rankspec.formats import blocks
from rankspec.reference.ties import RULES
from tests.conventions import convention_values

from ..differential.readers import by_both, check_that_both_agree
from ..each import each

CORPUS = Path(__file__).parent / "corpus"

CHOICES = {
    "ties": RULES,
    "scores": convention_values("scores"),
    "unjudged": ("nonrelevant", "condensed"),
    "queries": ("qrels", "run"),
    "duplicates": convention_values("duplicates"),
    "negative": convention_values("negative", "kept"),
    "depth": (None, 1, 2, 3, 4, 5, 6, 7),
}


def files(folder: str) -> list[Any]:
    return [pytest.param(path, id=path.name) for path in sorted((CORPUS / folder).iterdir())]


def case(data: bytes) -> tuple[dict[str, Any], int, bytes, bytes]:
    """The conventions, the size of a block, the qrels and the run."""
    *digits, block = data[:8].ljust(8, b"0")
    chosen = {
        name: values[digit % len(values)]
        for digit, (name, values) in zip(digits, CHOICES.items(), strict=True)
    }
    if data[8:9] == b"p":
        chosen["relevance"] = "phi"
    qrels, _, run = data[9:].partition(b"--\n")
    return chosen, 16 + 9 * (block % 8), qrels, run


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-19")
@each("path", files("reader"))
def test_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, block, qrels, run = case(path.read_bytes())
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(joined, "BLOCK", block)
    monkeypatch.setattr(joined, "SHARE", 2 * block)
    check_that_both_agree(qrels, run, chosen)


def tokens(data: bytes) -> Iterator[bytes]:
    first = re.match(rb"[^\0\t-\r ]+", data)
    if first:
        yield first[0]
    if len(data) >= 9:
        digits, x = struct.unpack("=Bd", data[:9])
        if math.isfinite(x):
            yield from written(x, digits)


def written(x: float, digits: int) -> Iterator[bytes]:
    """A number, and the middle between it and the next double, with so many digits."""
    following = math.nextafter(x, math.inf)
    yield repr(x).encode()
    yield b"%.*e" % (digits, x)
    if math.isfinite(following):
        with localcontext(prec=1000):
            middle = (Decimal(x) + Decimal(following)) / 2
        yield format(middle, f".{digits}e").encode()


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-6")
@each("path", files("score"))
def test_scores(path: Path) -> None:
    """What is a score, and the order of its document among those of the doubles around it."""
    for token in tokens(path.read_bytes()):
        by_c, by_reference = by_both(b"q 0 a 1\n", among_neighbours(token), {}, ["RR"])
        assert by_c == by_reference


def among_neighbours(token: bytes) -> bytes:
    """A run of documents with the score of a token, and, if it has one, those of its neighbours."""
    run = b"q Q0 a 1 %b t\n" % token
    try:
        x = float(token)
    except ValueError:
        return run
    for name, other in enumerate((math.nextafter(x, -math.inf), x, math.nextafter(x, math.inf))):
        if math.isfinite(other):
            run += b"q Q0 %d 1 %r t\n" % (name, other)
    return run


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-1")
@each("path", files("score"))
def test_labels(path: Path) -> None:
    for token in tokens(path.read_bytes()):
        by_c, by_reference = by_both(b"q 0 a %b\n" % token, b"q Q0 a 1 1 t\n", {}, ["P@1", "CG"])
        assert by_c == by_reference


@pytest.mark.spec("RS-CONV-20")
@each("path", files("score"), fast=10)
def test_labels_that_are_scores(path: Path) -> None:
    """One is worth 1 by itself; beside another the number counts."""
    for token in tokens(path.read_bytes()):
        qrels = b"q 0 a %b\nq 0 b 1.5\nq 0 c -3\n" % token
        by_c, by_reference = by_both(qrels, b"q Q0 a 1 1 t\n", {"relevance": "phi"})
        assert by_c == by_reference
