"""A run ten times as large as the memory that reading it may take."""

from __future__ import annotations

import io
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it writes 800 MB

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


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, int]:
    """Qrels, a run and the number of its queries.

    The relevant document is at rank 2 of all queries but one, where it is at rank 4.
    """
    folder = tmp_path_factory.mktemp("large")
    qrels, run = folder / "qrels.txt", folder / "large.run"
    ordinary, special = lines_of_a_query(2), lines_of_a_query(4)
    queries = -(-RUN // len(ordinary))
    with run.open("wb") as file:
        for number in range(queries):
            lines = special if number == 7 else ordinary
            file.write(lines.replace(b"query%06d", b"query%06d" % number))
    assert run.stat().st_size >= RUN
    qrels.write_bytes(b"".join(b"query%06d 0 d000 1\n" % number for number in range(queries)))
    return qrels, run, queries


def printed(*arguments: str | Path) -> str:
    """What a command prints that may not have more memory."""

    def allow() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ALLOWED, ALLOWED))

    command = [sys.executable, "-m", "rankspec", *arguments]
    done = subprocess.run(  # noqa: S603
        command, preexec_fn=allow, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.spec("RS-CONV-19")
def test_eval(large: tuple[Path, Path, int]) -> None:
    qrels, run, queries = large
    mean = (0.5 * (queries - 1) + 0.25) / queries
    lines = printed("eval", qrels, run, "-m", "RR", "--format", "tsv").splitlines()
    assert lines[-1] == f"large.run\tall\t{mean!r}"


@pytest.mark.slow
def test_check(large: tuple[Path, Path, int]) -> None:
    qrels, run, queries = large
    text = printed("check", qrels, run)
    unjudged, of = 9 * queries, 10 * queries
    assert f"unjudged  {unjudged} of {of} (90%) documents of the top 10" in text
    assert "1 of 9 checks found something" in text


PEAK = """
import sys
import rankspec as rs
found = rs.evaluate({"q0": {"d1": 1}}, sys.argv[1], "RR")
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")), found["RR"])
"""


def as_csv(queries: int) -> bytes:
    rows = (f"q{q},d{d},{-d}\n" for q in range(queries) for d in range(1000))
    return ("query,document,score\n" + "".join(rows)).encode()


def as_json_lines(queries: int) -> bytes:
    line = '{"query":"q%d","document":"d%d","score":%d}\n'
    return "".join(line % (q, d, -d) for q in range(queries) for d in range(1000)).encode()


def as_ms_marco(queries: int) -> bytes:
    rows = (f"q{q}\td{d}\t{d + 1}\n" for q in range(queries) for d in range(1000))
    return "".join(rows).encode()


def as_parquet(queries: int) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [(f"q{q}", f"d{d}", float(-d)) for q in range(queries) for d in range(1000)]
    names = ("query", "document", "score")
    table = arrow.table(dict(zip(names, zip(*rows, strict=True), strict=True)))
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, row_group_size=50_000)
    return buffer.getvalue()


@pytest.mark.long(but=1)
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is told by Linux")
@pytest.mark.spec("RS-CONV-48")
@pytest.mark.parametrize("write", [as_csv, as_json_lines, as_ms_marco, as_parquet])
def test_memory_does_not_grow_with_a_table(write: Callable[[int], bytes], tmp_path: Path) -> None:
    """A run of five times the rows, each of which takes more than 100 bytes as a whole."""
    peaks = []
    for queries in (200, 1000):
        path = tmp_path / f"{queries}.run"
        path.write_bytes(write(queries))
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True
        )
        peak, value = done.stdout.split()
        assert float(value) == 0.5
        peaks.append(int(peak))
    assert peaks[1] - peaks[0] < 25_000, peaks  # kilobytes


PEAK_OF_UNKNOWN = """
import resource, sys, warnings
import rankspec as rs
warnings.simplefilter("ignore")
measures = ["RR", "nDCG", "AP", "P@1", "P@2", "P@3", "P@5", "R", "R@5", "nDCG@5"]
found = rs.evaluate({"x0": {"d1": 1}}, sys.argv[1], measures)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, found["RR"], len(found.extra))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is in kilobytes on Linux")
@pytest.mark.spec("RS-CONV-19")
def test_a_query_that_the_qrels_lack_costs_its_name(tmp_path: Path) -> None:
    """Its name and ten values for a while, and nothing of its lines."""
    peaks = []
    for queries in (300_000, 1_200_000):
        path = tmp_path / f"{queries}.run"
        path.write_bytes(b"".join(b"x%d Q0 d1 1 1.0 t\n" % q for q in range(queries)))
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", PEAK_OF_UNKNOWN, str(path)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        peak, value, extra = done.stdout.split()
        assert (float(value), int(extra)) == (1.0, queries - 1)
        peaks.append(int(peak))
    assert (peaks[1] - peaks[0]) * 1024 < 245 * 900_000, peaks
