"""A run ten times as large as the memory that its evaluation may have."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

ALLOWED = 80 << 20  # bytes of address space, of which Python takes the most
RUN = 10 * ALLOWED
DOCUMENTS = 200
LINE = b"query%06d Q0 d%03d 1 %d " + b"t" * 300 + b"\n"


def lines_of_a_query(relevant_at: int) -> bytes:
    """The lines of a query, with the document d000 at a rank, and its number left open."""
    documents = [*range(1, relevant_at), 0, *range(relevant_at, DOCUMENTS)]
    return b"".join(
        LINE.replace(b"%03d", b"%03d" % document, 1).replace(b"%d ", b"%d " % -rank)
        for rank, document in enumerate(documents)
    )


@pytest.mark.spec("RS-CONV-19")
def test_memory_does_not_grow_with_the_run(tmp_path: Path) -> None:
    """The relevant document is at rank 2 of all queries but one, where it is at rank 4."""
    qrels, run = tmp_path / "qrels.txt", tmp_path / "large.run"
    ordinary, special = lines_of_a_query(2), lines_of_a_query(4)
    queries = -(-RUN // len(ordinary))
    with run.open("wb") as file:
        for number in range(queries):
            lines = special if number == 7 else ordinary
            file.write(lines.replace(b"query%06d", b"query%06d" % number))
    assert run.stat().st_size >= RUN
    qrels.write_bytes(b"".join(b"query%06d 0 d000 1\n" % number for number in range(queries)))

    def allow() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ALLOWED, ALLOWED))

    command = [sys.executable, "-m", "rankspec", "eval", qrels, run, "-m", "RR", "--format", "tsv"]
    done = subprocess.run(  # noqa: S603
        command, preexec_fn=allow, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    mean = (0.5 * (queries - 1) + 0.25) / queries
    assert done.stdout.splitlines()[-1] == f"large.run\tall\t{mean!r}"
