"""``rankspec check``: what each check counts, by files made for it."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from rankspec.check import check
from rankspec.cli import main

# q1: two tied, one of them relevant; q2: rank 1 has the lower score; q3: not in the run
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a -2\nq2 0 b 9\nq3 0 a 1\n"
RUN = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\nq2 Q0 a 1 1 t\nq2 Q0 b 2 2.5 t\nq2 Q0 x 3 0 t\nq9 Q0 a 1 1 t\n"
CLEAN_QRELS = "q1 0 a 1\nq1 0 b 0\n"
CLEAN_RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)
    Path("clean.qrels").write_text(CLEAN_QRELS)
    Path("clean.run").write_text(CLEAN_RUN)
    return tmp_path


def found(qrels: str, run: str, depth: int = 10) -> dict[str, tuple[int, int]]:
    report = check(io.StringIO(qrels), io.StringIO(run), depth=depth)
    return {finding.name: (finding.count, finding.of) for finding in report.findings}


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(["check", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


class TestCounts:
    def test_of_everything(self) -> None:
        assert found(QRELS, RUN) == {
            "ties": (2, 5),
            "ranks": (1, 3),
            "constant": (1, 3),
            "missing": (1, 3),
            "extra": (1, 3),
            "unjudged": (1, 5),
            "negative": (1, 5),
            "high": (1, 5),
        }

    def test_of_nothing(self) -> None:
        assert {count for count, _ in found(CLEAN_QRELS, CLEAN_RUN).values()} == {0}

    def test_the_top_is_by_score(self) -> None:
        """q2: b, a, x by score; x, the unjudged one, is at rank 3."""
        assert found(QRELS, RUN, depth=2)["unjudged"] == (0, 4)
        assert found(QRELS, RUN, depth=3)["unjudged"] == (1, 5)

    def test_a_tie_across_the_depth_counts_where_it_is_in_the_top(self) -> None:
        run = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 2 t\n"
        assert found(CLEAN_QRELS, run, depth=1)["ties"] == (0, 1)
        assert found(CLEAN_QRELS, run, depth=2)["ties"] == (1, 2)
        assert found(CLEAN_QRELS, run, depth=3)["ties"] == (2, 3)

    @pytest.mark.parametrize(
        ("lines", "count"),
        [
            (["a 1 2", "b 2 1"], 0),
            (["b 2 1", "a 1 2"], 0),  # the order of the lines says nothing
            (["a 0 2", "b 1 2"], 0),  # a tie
            (["a 1 1", "b 1 2"], 0),  # ranks that say nothing
            (["a 1 1", "b 2 2"], 1),
            (["a 1 3", "b 2 1", "c 2 2", "d 3 1.5"], 1),  # d is below b, and has a higher score
            (["a 1 3", "b 2 1", "c 2 2", "d 3 1"], 0),
            (["a 10 1", "b 9 2"], 0),  # as numbers, not as text
            (["a first 1", "b second 2"], 0),
        ],
    )
    def test_ranks_that_contradict_scores(self, lines: list[str], count: int) -> None:
        run = "".join(f"q1 Q0 {line} t\n" for line in lines)
        assert found(CLEAN_QRELS, run)["ranks"] == (count, 1)

    def test_one_document_has_no_constant_score(self) -> None:
        assert found(CLEAN_QRELS, "q1 Q0 a 1 2 t\n")["constant"] == (0, 1)

    def test_labels_up_to_4_are_usual(self) -> None:
        counts = found("q1 0 a 4\nq1 0 b 0\nq1 0 c 5\nq1 0 d -1\n", CLEAN_RUN)
        assert (counts["high"], counts["negative"]) == ((1, 4), (1, 4))


class TestMoves:
    def test_by_hand(self) -> None:
        """a, relevant, and b are tied: a is first or second; by id, descending, b is first."""
        run = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\n"
        ndcg, ap = check(io.StringIO(CLEAN_QRELS), io.StringIO(run)).moves
        assert (ap.measure, ap.values, ap.default) == ("AP", (0.5, 0.75, 1.0), 0.5)
        assert str(ndcg) == "nDCG@10 from 0.6309 to 1.0000, expected 0.8155; by id 0.6309"

    def test_of_ties_below_the_depth(self) -> None:
        """AP looks at the whole list: by hand, 0 + 1/2 or 1/3 at the ranks 2 and 3."""
        run = "q1 Q0 x 1 9 t\nq1 Q0 a 2 5 t\nq1 Q0 b 3 5 t\n"
        ndcg, ap = check(io.StringIO(CLEAN_QRELS), io.StringIO(run), depth=1).moves
        assert ndcg.measure == "nDCG@1"
        assert ndcg.values == (0.0, 0.0, 0.0)
        assert ap.values == (1 / 3, 5 / 12, 1 / 2)

    def test_count_the_queries_that_the_run_misses(self) -> None:
        run = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\n"
        _, ap = check(io.StringIO(CLEAN_QRELS + "q2 0 a 1\n"), io.StringIO(run)).moves
        assert ap.values == (0.25, 0.375, 0.5)

    def test_none_without_ties(self) -> None:
        assert check("clean.qrels", "clean.run").moves == ()

    def test_both_backends(self) -> None:
        assert check("qrels", "run") == check("qrels", "run", backend="reference")


class TestText:
    def test_of_everything(self, capsys: Capture) -> None:
        text = printed(capsys, "qrels", "run")
        flat = " ".join(text.split())
        for part in (
            "ties 2 of 5 (40%) documents of the top 10 have the score of another",
            'e.g. 2 of score 5 in query "q1"',
            "AP from ",
            'e.g. query "q2": rank 1 has the score 1, rank 2 has 2.5',
            'constant 1 of 3 (33%) queries have one score for all their documents; e.g. query "q1"',
            'not in the run: they count 0 (RS-CONV-9); e.g. query "q3"',
            'have no judgments: they are ignored (RS-CONV-9); e.g. query "q9"',
            'unjudged: they count as 0 (RS-CONV-8); e.g. document "x" of query "q2"',
            'negative: they count as 0 (RS-CONV-8); e.g. document "a" of query "q2"',
            'labels are above 4; e.g. document "b" of query "q2"',
        ):
            assert part in flat, flat
        assert text.endswith("\n\n8 of 8 checks found something.\n")

    def test_clean_files_say_so(self, capsys: Capture) -> None:
        text = printed(capsys, "clean.qrels", "clean.run")
        assert text.endswith("\n\nNothing suspicious.\n")
        assert len(text.splitlines()) == 10
        assert "labels are negative\n" in text

    def test_80_columns(self, capsys: Capture) -> None:
        long = "a-long-name-" * 20
        Path("long.qrels").write_text(QRELS.replace("q", long))
        Path("long.run").write_text(RUN.replace("q", long))
        lines = printed(capsys, "long.qrels", "long.run").splitlines()
        assert max(map(len, lines)) <= 80

    def test_depth(self, capsys: Capture) -> None:
        assert "of the top 3 are unjudged" in printed(capsys, "qrels", "run", "--depth", "3")

    def test_gzip_and_ids_of_any_bytes(self, capsys: Capture) -> None:
        Path("run.gz").write_bytes(gzip.compress(RUN.encode()))
        assert printed(capsys, "qrels", "run.gz") == printed(capsys, "qrels", "run")
        Path("bytes").write_bytes(b"q\xe9 Q0 d\xe9 1 1 t\nq\xe9 Q0 b 2 2 t\n")
        Path("bytes.qrels").write_bytes(b"q\xe9 0 b 1\n")
        assert "1 of 1 (100%) queries have ranks" in printed(capsys, "bytes.qrels", "bytes")

    def test_help_fits(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit, match="0"):
            main(["check", "--help"])
        text = capsys.readouterr().out
        assert "\nexamples:\n  rankspec check qrels.txt" in text
        assert max(map(len, text.splitlines())) <= 80


BAD = {
    "duplicate": (["qrels", "twice"], 'twice:7: document "a" of query "q9" a second time'),
    "no such file": (["qrels", "none"], "none: cannot be read"),
    "swapped": (["run", "qrels"], "run:1: found 6 columns"),
    "depth": (["qrels", "run", "--depth", "0"], "expected a whole number above 0"),
    "huge depth": (["qrels", "run", "--depth", "9" * 30], "expected a whole number above 0"),
    "twice the standard input": (["-", "-"], "only one of the files can be the standard input"),
}


class TestBadInput:
    @pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD.keys())
    def test_is_one_line(self, capsys: Capture, arguments: list[str], message: str) -> None:
        Path("twice").write_text(RUN + "q9 Q0 a 2 0 t\n")
        assert main(["check", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("rankspec: error: ")
        assert err.count("\n") == 1
        assert message in err
