"""TREC files: what is accepted, and what is said about the rest."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.trec import id_bytes, read_qrels, read_run

from ..each import each

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QRELS = b"q1 0 d1 2\nq1 0 d2 -1\nq2 0 d1 0\n"
JUDGMENTS = {"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}
RUN = b"q1 Q0 d2 1 0.5 tag\nq1 Q0 d1 2 1e-3 tag\nq2 Q0 d9 1 -7 tag\n"
SCORES = {"q1": {"d2": 0.5, "d1": 0.001}, "q2": {"d9": -7.0}}


def qrels(content: bytes) -> dict[str, dict[str, int]]:
    return read_qrels(io.BytesIO(content))


def run(content: bytes) -> dict[str, dict[str, float]]:
    return read_run(io.BytesIO(content))


class TestAccepted:
    def test_the_columns_by_number(self) -> None:
        assert qrels(QRELS) == JUDGMENTS
        assert run(RUN) == SCORES

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(lambda b: b.replace(b"\n", b"\r\n"), id="CRLF"),
            pytest.param(lambda b: b.replace(b" ", b"\t"), id="tabs"),
            pytest.param(lambda b: b.replace(b" ", b" \t  "), id="runs of blanks"),
            pytest.param(lambda b: b.replace(b"\n", b" \t\n"), id="trailing blanks"),
            pytest.param(lambda b: b" " + b, id="leading blanks"),
            pytest.param(lambda b: b"\n" + b.replace(b"\n", b"\n \n") + b"\n\n", id="blank lines"),
            pytest.param(lambda b: b.rstrip(b"\n"), id="no newline at the end"),
            pytest.param(lambda b: b"\xef\xbb\xbf" + b, id="byte order mark"),
            pytest.param(gzip.compress, id="gzip"),
            pytest.param(bz2.compress, id="bzip2"),
            pytest.param(lzma.compress, id="xz"),
            pytest.param(zstd.compress, id="zstd"),
            pytest.param(
                lambda b: gzip.compress(b[:9]) + gzip.compress(b[9:]), id="gzip in two members"
            ),
        ],
    )
    def test_forms_of_the_same_file(self, change) -> None:
        assert qrels(change(QRELS)) == JUDGMENTS
        assert run(change(RUN)) == SCORES

    def test_sources(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a.run"
        path.write_bytes(RUN)
        assert read_run(path) == SCORES
        assert read_run(str(path)) == SCORES
        with path.open("rb") as file:
            assert read_run(file) == SCORES
        with path.open(encoding="utf-8") as file:
            assert read_run(file) == SCORES
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
        assert read_run("-") == SCORES

    @pytest.mark.spec("RS-CONV-7")
    def test_the_rank_column_need_not_be_a_number(self) -> None:
        assert run(b"q Q0 d x 1 t\nq Q0 e - 2 t\n") == {"q": {"d": 1.0, "e": 2.0}}

    def test_lines_need_not_be_grouped_by_query(self) -> None:
        mixed = b"q1 0 a 1\nq2 0 a 2\nq1 0 b 3\nq2 0 b 4\n"
        assert qrels(mixed) == {"q1": {"a": 1, "b": 3}, "q2": {"a": 2, "b": 4}}

    def test_ids_are_any_bytes_and_come_back(self) -> None:
        ids = [b"caf\xe9", b"caf\xc3\xa9", b"\xff\xfe", b"\xe2\x80\xa8", b"\xc2\xa0", b"\x1c"]
        lines = b"".join(b"q\xe9 0 %s 1\n" % i for i in ids)
        judged = qrels(lines)
        assert [id_bytes(q) for q in judged] == [b"q\xe9"]
        assert [id_bytes(d) for d in next(iter(judged.values()))] == ids

    @given(st.binary().map(lambda b: b"".join(b.split())).filter(lambda b: b and b"\0" not in b))
    def test_every_id_without_blanks_comes_back(self, identifier: bytes) -> None:
        (judged,) = qrels(b"q 0 %s 1\n" % identifier).values()
        assert [id_bytes(document) for document in judged] == [identifier]

    @pytest.mark.parametrize("label", [-(2**63), 2**63 - 1, 0])
    @pytest.mark.spec("RS-CONV-1")
    def test_labels_are_all_of_int64(self, label: int) -> None:
        assert qrels(b"q 0 d %d\n" % label) == {"q": {"d": label}}

    @pytest.mark.parametrize(
        ("written", "label"),
        [
            ("007", 7),
            ("-0", 0),
            ("0" * 700, 0),
            ("0" * 5000 + "1", 1),
            ("+" + "0" * 5000 + "7", 7),
            ("-" + "0" * 5000 + "9223372036854775808", -(2**63)),
        ],
    )
    def test_labels_may_have_any_leading_zeros(self, written: str, label: int) -> None:
        assert qrels(f"q 0 d {written}\n".encode()) == {"q": {"d": label}}

    @pytest.mark.parametrize(
        ("written", "score"),
        [
            ("1", 1.0),
            ("-0", 0.0),
            ("+.5e1", 5.0),
            ("1E-400", 0.0),
            ("5e-324", 5e-324),
            ("0." + "3" * 400, 1 / 3),
            ("100000001.5", 100000001.5),
        ],
    )
    @pytest.mark.spec("RS-CONV-6")
    def test_scores_are_the_nearest_doubles(self, written: str, score: float) -> None:
        assert run(f"q Q0 d 1 {written} t\n".encode()) == {"q": {"d": score}}


RUN_COLUMNS = "the 6 columns of a run: query Q0 document rank score tag"
QRELS_COLUMNS = "the 4 columns of qrels: query iteration document label"


PIECES = st.sampled_from([b"q", b"1 ", b"-", b"\n", b" ", b"\t", b"\xff", b"nan ", b"_", b"\r"])


class TestRefused:
    @each(
        ("content", "message"),
        [
            (b"", f"empty; expected {RUN_COLUMNS}"),
            (b" \n\r\n\t\n", f"empty; expected {RUN_COLUMNS}"),
            (b"q Q0 d 1 1\n", f':1: found 5 columns, "q Q0 d 1 1"; expected {RUN_COLUMNS}'),
            (RUN + b"q\n", f':4: found 1 column, "q"; expected {RUN_COLUMNS}'),
            (
                RUN[:-5],
                ':3: found 5 columns, "q2 Q0 d9 1 -7" (the last line, without a line end: is the '
                f"file truncated?); expected {RUN_COLUMNS}",
            ),
            (RUN[:-5] + b"\n", f':3: found 5 columns, "q2 Q0 d9 1 -7"; expected {RUN_COLUMNS}'),
            (b"q Q0 d 1 1 my run\n", ":1: found 7 columns"),
            (
                RUN.replace(b"\n", b"\r"),
                " (a carriage return without a line feed does not end a line); expected "
                f"{RUN_COLUMNS}",
            ),
            (RUN + b"q\r\n", f':4: found 1 column, "q"; expected {RUN_COLUMNS}'),
            (QRELS, f'"q1 0 d1 2" (these could be those of qrels); expected {RUN_COLUMNS}'),
            (b"q Q0 d 1 1,5 t", ':1: the score is "1,5"; expected a finite number'),
            (b"q Q0 d 1 nan t", ':1: the score is "nan"; expected a finite number'),
            (b"q Q0 d 1 -inf t", ':1: the score is "-inf"; expected a finite number'),
            (b"q Q0 d 1 1e400 t", ':1: the score is "1e400"; expected a finite number'),
            (b"q Q0 d 1 1_0 t", ':1: the score is "1_0"; expected a finite number'),
            (b"q Q0 d 1 0x1p3 t", ':1: the score is "0x1p3"; expected a finite number'),
            (b"q Q0 d 1 %s t" % (b"9" * 400), f':1: the score is "{"9" * 60}..."; expected'),
            (b"q Q0 d 1 \xd9\xa1 t", ':1: the score is "\u0661"; expected a finite number'),
            (b"q Q0 d 1 2 t\nq Q0 \xff\x1b 1 z t", ':2: the score is "z"'),
            (
                b"\x7fELF\x02\x01\x01\0\0\0",
                ":1: found a NUL byte; expected text, plain or compressed",
            ),
            (RUN.decode().encode("utf-16"), ":1: found a NUL byte"),
            (RUN + b"q Q0 d\0 1 1 t\n", ":4: found a NUL byte"),
            (b"BZh91AY&SY", "the bzip2 data end too early: the file is truncated"),
            (bz2.compress(RUN)[:20] + bytes(40), "the bzip2 data are damaged"),
            (b"\xfd7zXZ\0\0\x04", "the xz data end too early: the file is truncated"),
            (lzma.compress(RUN)[:30] + bytes(40), "the xz data are damaged"),
            (zstd.compress(RUN)[:-9], "the zstd data end too early: the file is truncated"),
            (zstd.compress(RUN)[:4] + b"\xff" * 40, "the zstd data are damaged"),
            (gzip.compress(RUN)[:-9], "the gzip data end too early: the file is truncated"),
            (gzip.compress(RUN)[:5], "the gzip data end too early: the file is truncated"),
            (gzip.compress(RUN)[:-8] + b"12345678", "the gzip data are damaged: CRC check failed"),
            (
                gzip.compress(RUN) + b"more",
                "the gzip data are damaged: something that is no gzip follows them",
            ),
            (gzip.compress(RUN)[:10] + b"\xff" * 30, "the gzip data are damaged: Error -3"),
            (b"\x1f\x8b\x09" + bytes(30), "the gzip data are damaged: Unknown compression"),
            (gzip.compress(b""), f"empty; expected {RUN_COLUMNS}"),
        ],
    )
    def test_runs(self, content: bytes, message: str) -> None:
        with pytest.raises(InputError) as error:
            run(content)
        assert message in str(error.value)
        assert str(error.value).isprintable()
        with pytest.raises(InputError) as by_core:
            evaluate({"q": {"a": 1}}, io.BytesIO(content), "AP")
        assert str(by_core.value) == str(error.value)

    @each(
        ("content", "message"),
        [
            (b"", f"empty; expected {QRELS_COLUMNS}"),
            (
                b"q 0 a 1\rq 0 b 1\r",
                ':1: found 8 columns, "q 0 a 1 q 0 b 1" (a carriage return without a line feed '
                f"does not end a line); expected {QRELS_COLUMNS}",
            ),
            (QRELS + b"q1 0 d4\n", f':4: found 3 columns, "q1 0 d4"; expected {QRELS_COLUMNS}'),
            (
                RUN,
                f'"q1 Q0 d2 1 0.5 tag" (these could be those of a run); expected {QRELS_COLUMNS}',
            ),
            (b"q 0 d x", ':1: the label is "x"; expected a finite number'),
            (b"q 0 d 1_0", ':1: the label is "1_0"; expected a finite number'),
            (b"q 0 d 0x1", ':1: the label is "0x1"; expected a finite number'),
            (b"q 0 d %s" % (b"1" * 5000), "expected a finite number"),
            (b"q 0 d +-1", "expected a finite number"),
            (b"q 0 d -%s+1" % (b"0" * 5000), "expected a finite number"),
            (b"q 0 d %s_1" % (b"0" * 5000), "expected a finite number"),
        ],
    )
    @pytest.mark.spec("RS-CONV-1")
    def test_qrels(self, content: bytes, message: str) -> None:
        with pytest.raises(InputError) as error:
            qrels(content)
        assert message in str(error.value)
        with pytest.raises(InputError) as by_core:
            evaluate(io.BytesIO(content), {"q": {"a": 1.0}}, "AP")
        assert str(by_core.value) == str(error.value)

    @pytest.mark.spec("RS-CONV-10")
    def test_duplicates_name_both_lines(self) -> None:
        with pytest.raises(InputError) as error:
            run(b"q Q0 e 1 9 t\n\nq Q0 d 1 9 t\nr Q0 d 1 9 t\nq Q0 d 2 9 t\n")
        assert str(error.value) == (
            'the open file:5: document "d" of query "q" occurs a second time; it is already in '
            'line 3; duplicates="first", "last" or "best" (--duplicates) says which is kept '
            "(RS-CONV-10)"
        )
        with pytest.raises(InputError, match=r":3: .* it is already in line 1"):
            qrels(b"q 0 d 1\nr 0 d 1\nq 1 d 1\n")

    def test_the_file_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "bad.run"
        path.write_bytes(b"x\n")
        with pytest.raises(InputError, match=r"bad\.run:1: found 1 column"):
            read_run(path)

    def test_what_cannot_be_opened(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="a directory; expected a file"):
            read_run(tmp_path)
        with pytest.raises(InputError, match="none: cannot be read: No such file or directory"):
            read_run(tmp_path / "none")
        with pytest.raises(InputError, match="cannot be read: embedded null byte"):
            read_run("a\0b")
        loop = tmp_path / "loop"
        loop.symlink_to(loop)
        with pytest.raises(InputError, match="cannot be read: Too many levels"):
            read_run(loop)

    def test_a_closed_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(InputError, match="standard input: closed"):
            read_run("-")

    def test_a_line_of_10_megabytes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RANKSPEC_MOST_TOKEN", "10000000")
        with pytest.raises(InputError) as error:
            run(b"q Q0 " + b"d" * 10_000_000 + b"\n")
        assert len(str(error.value)) < 300
        long_id = b"d" * 10_000_000
        (scored,) = run(b"q Q0 " + long_id + b" 1 2.5 t\n").values()
        assert list(scored.values()) == [2.5]

    @given(st.binary() | st.lists(PIECES).map(b"".join))
    def test_any_bytes_are_read_or_refused(self, content: bytes) -> None:
        for read in (run, qrels):
            try:
                table = read(content)
            except InputError as error:
                assert str(error).isprintable()  # noqa: PT017  (what is refused is not known)
            else:
                assert table
