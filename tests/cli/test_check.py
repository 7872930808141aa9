"""``rankspec check``: what each check counts, by files made for it."""

from __future__ import annotations

import gzip
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rankspec.analysis.check.report import MeanRange, Report, check
from rankspec.cli.main import main
from rankspec.evaluation.evaluate import evaluate
from tests.conventions import convention_values

from . import running
from .running import Capture

# q1: two tied, one of them relevant; q2: rank 1 has the lower score; q3: not in the run
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a -2\nq2 0 b 9\nq3 0 a 1\n"
RUN = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\nq2 Q0 a 1 1 t\nq2 Q0 b 2 2.5 t\nq2 Q0 x 3 0 t\nq9 Q0 a 1 1 t\n"
CLEAN_QRELS = "q1 0 a 1\nq1 0 b 0\n"
CLEAN_RUN = "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)
    Path("clean.qrels").write_text(CLEAN_QRELS)
    Path("clean.run").write_text(CLEAN_RUN)
    return tmp_path


def found(qrels: str, run: str, **options: Any) -> dict[str, tuple[int, int]]:
    report = check(io.StringIO(qrels), io.StringIO(run), **options)
    return {finding.name: (finding.count, finding.of) for finding in report.findings}


def ties(report: Report) -> list[MeanRange]:
    return [move for move in report.moves if move.because == "ties"]


def printed(capsys: Capture, *arguments: str) -> str:
    return running.output(capsys, "check", *arguments)


class TestCounts:
    def test_of_everything(self) -> None:
        assert found(QRELS, RUN) == {
            "ties": (2, 5),
            "float32": (0, 2),
            "ranks": (1, 3),
            "constant": (1, 3),
            "missing": (1, 3),
            "extra": (1, 3),
            "unjudged": (1, 5),
            "negative": (1, 5),
            "high": (1, 5),
            "scale": (0, 4),
        }

    def test_of_nothing(self) -> None:
        counts = found(CLEAN_QRELS, CLEAN_RUN)
        assert counts.pop("scale") == (3, 4)  # nothing suspicious
        assert {count for count, _ in counts.values()} == {0}
        assert check("clean.qrels", "clean.run").suspicious == ()

    def test_the_top_is_by_score(self) -> None:
        """q2: b, a, x by score; x, the unjudged one, is at rank 3."""
        assert found(QRELS, RUN, top=2)["unjudged"] == (0, 4)
        assert found(QRELS, RUN, top=3)["unjudged"] == (1, 5)

    def test_a_tie_across_the_top_counts_where_it_is_in_the_top(self) -> None:
        """gdeval has no AP: of the means that ties could move, none is of a whole list."""
        run = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 2 t\n"
        for top, count in ((1, (0, 1)), (2, (1, 2)), (3, (2, 3))):
            assert found(CLEAN_QRELS, run, top=top, profile="gdeval")["ties"] == count, top
            assert found(CLEAN_QRELS, run, top=top)["ties"] == (2, 3), top

    def test_ties_below_the_top_count_where_a_mean_is_of_the_whole_list(self) -> None:
        """90 of 100 documents are tied from rank 11 on, 10 relevant ones among them.

        They are at the ranks 91 to 100 or 11 to 20: AP is the mean of i / (90 + i) or i / (10 + i).
        """
        qrels = "".join(f"q 0 d{a} {int(a > 90)}\n" for a in range(1, 101))
        run = "".join(f"q Q0 d{a} {a} {max(100 - a, 89)} t\n" for a in range(1, 101))
        for backend in ("c", "reference"):
            report = check(io.StringIO(qrels), io.StringIO(run), backend=backend)
            assert [finding.name for finding in report.suspicious] == ["ties"]
            assert str(report.findings[0]) == (
                "90 of 100 (90%) documents have the same score as another document, 0 of them in "
                'the top 10: a rule orders them (RS-TIE-2); e.g. 90 of score 89 in query "q"'
            )
            ndcg, ap = ties(report)
            assert (ndcg.lowest, ndcg.highest) == (0, 0)
            for value, above in ((ap.lowest, 90), (ap.highest, 10)):
                exact = sum(Fraction(i, above + i) for i in range(1, 11)) / 10
                assert value == float(exact)
        Path("q").write_text(qrels)
        Path("r").write_text(run)
        assert main(["check", "q", "r", "--exit-code"]) == 1

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
        assert ap == MeanRange("ties", "AP", 0.5, 1.0, 0.5, "by id-descending", 0.75)
        text = "nDCG@10 from 0.6309 to 1.0000, expected 0.8155; by id-descending: 0.6309"
        assert str(ndcg) == text

    def test_of_ties_below_the_top(self) -> None:
        """AP looks at the whole list: by hand, 0 + 1/2 or 1/3 at the ranks 2 and 3."""
        run = "q1 Q0 x 1 9 t\nq1 Q0 a 2 5 t\nq1 Q0 b 3 5 t\n"
        ndcg, ap = ties(check(io.StringIO(CLEAN_QRELS), io.StringIO(run), top=1))
        assert ndcg.measure == "nDCG@1"
        assert (ndcg.lowest, ndcg.expected, ndcg.highest) == (0.0, 0.0, 0.0)
        assert (ap.lowest, ap.expected, ap.highest) == (1 / 3, 5 / 12, 1 / 2)

    def test_count_the_queries_that_the_run_misses(self) -> None:
        run = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\n"
        _, ap = check(io.StringIO(CLEAN_QRELS + "q2 0 a 1\n"), io.StringIO(run)).moves
        assert (ap.lowest, ap.expected, ap.highest) == (0.25, 0.375, 0.5)

    def test_none_without_ties(self) -> None:
        assert check("clean.qrels", "clean.run").moves == ()

    def test_both_backends(self) -> None:
        assert check("qrels", "run") == check("qrels", "run", backend="reference")


class TestConventions:
    TIED = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\n"

    def test_condensed_lists_have_no_ties_with_the_unjudged(self) -> None:
        run = "q1 Q0 x 1 5 t\nq1 Q0 a 2 5 t\nq1 Q0 b 3 1 t\n"
        assert found(CLEAN_QRELS, run)["ties"] == (2, 3)
        condensed = found(CLEAN_QRELS, run, unjudged="condensed")
        assert condensed["ties"] == (0, 2)
        assert condensed["unjudged"] == (1, 3)  # what was left out is still said

    def test_scores_that_differ_as_doubles_only(self) -> None:
        run = f"q1 Q0 a 1 {1 + 2**-30!r} t\nq1 Q0 b 2 1 t\n"
        assert found(CLEAN_QRELS, run)["ties"] == (0, 2)
        assert found(CLEAN_QRELS, run, scores="float32")["ties"] == (2, 2)
        assert found(CLEAN_QRELS, run, profile="trec_eval-9")["ties"] == (2, 2)

    def test_the_depth(self) -> None:
        run = "q1 Q0 b 1 9 t\nq1 Q0 a 2 5 t\nq1 Q0 x 3 5 t\n"
        assert found(CLEAN_QRELS, run)["ties"] == (2, 3)
        assert found(CLEAN_QRELS, run, depth=2)["ties"] == (1, 2)
        assert found(CLEAN_QRELS, run, depth=1)["unjudged"] == (0, 1)
        (move, _) = ties(check(io.StringIO(CLEAN_QRELS), io.StringIO(run), depth=2))
        # a, relevant, is second or beyond the depth: no expectation is determined.
        assert (move.lowest, move.highest, move.expected) == (0.0, 0.6309297535714574, None)

    def test_by_a_profile_of_some_metrics(self) -> None:
        (move,) = ties(check(io.StringIO(CLEAN_QRELS), io.StringIO(self.TIED), profile="gdeval"))
        assert move.measure == "nDCG(gain='exp2')@10"

    @pytest.mark.parametrize("rule", convention_values("ties", "id-descending"))
    def test_the_rule_that_is_used_is_named(self, rule: str) -> None:
        (_, ap) = ties(check(io.StringIO(CLEAN_QRELS), io.StringIO(self.TIED), ties=rule))
        expected = {"worst": 0.5, "expected": 0.75}.get(rule, 1.0)
        assert (ap.rule, ap.now) == (f"by {rule}", expected)

    @pytest.mark.parametrize(
        ("rule", "missing", "extra"),
        [
            ("qrels", "they are empty lists", "they are left out"),
            ("both", "they are left out", "they are left out"),
            ("run", "they are left out", "they have an empty pool"),
            ("complete", "an error", "they are left out"),
            ("same", "an error", "an error"),
        ],
    )
    def test_what_becomes_of_queries(self, rule: str, missing: str, extra: str) -> None:
        report = check(io.StringIO(QRELS), io.StringIO(RUN), queries=rule)
        then = {finding.name: finding.then for finding in report.findings}
        assert then["missing"] == f"{missing} (RS-CONV-9)"
        assert then["extra"] == f"{extra} (RS-CONV-9)"

    @pytest.mark.parametrize(
        ("rule", "then"),
        [
            ("zero", "they count as 0 (RS-CONV-15)"),
            ("unjudged", "they count as no judgment (RS-CONV-15)"),
            ("error", "they are an error (RS-CONV-15)"),
        ],
    )
    def test_what_becomes_of_negative_labels(self, rule: str, then: str) -> None:
        report = check(io.StringIO(QRELS), io.StringIO(RUN), negative=rule)
        assert [f.then for f in report.findings if f.name == "negative"] == [then]

    def test_what_nothing_is_defined_for_moves_not(self) -> None:
        qrels = "q1 0 a 0\nq1 0 b 0\n"
        assert check(io.StringIO(qrels), io.StringIO(self.TIED), undefined="omit").moves == ()


class TestFloat32:
    """a and b differ as doubles alone; c, the third, has their score as a 32-bit float too."""

    SCORES = f"q1 Q0 a 1 {1 + 2**-30!r} t\nq1 Q0 b 2 1 t\nq1 Q0 c 3 {1 - 2**-30!r} t\n"

    @pytest.mark.parametrize(
        ("labels", "count"),
        [
            ({"a": 1, "b": 0, "c": 0}, 1),
            ({"a": 0, "b": 0, "c": 0}, 0),
            ({"a": 0}, 0),  # as much as the unjudged
            ({"c": 1}, 1),
            ({"a": 2, "b": 2, "c": 2}, 0),
            ({"x": 1}, 0),  # not retrieved
        ],
    )
    def test_queries_are_counted_where_labels_differ(
        self, labels: dict[str, int], count: int
    ) -> None:
        qrels = "".join(f"q1 0 {d} {label}\n" for d, label in labels.items())
        for scores in convention_values("scores"):
            assert found(qrels, self.SCORES, scores=scores)["float32"] == (count, 1)
            by = found(qrels, self.SCORES, scores=scores, backend="reference")
            assert by["float32"] == (count, 1)

    def test_ties_of_doubles_are_none_of_these(self) -> None:
        run = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\n"
        assert found(CLEAN_QRELS, run)["float32"] == (0, 1)

    def test_only_what_is_considered_counts(self) -> None:
        run = f"q1 Q0 x 1 9 t\n{self.SCORES}"
        counts = [found("q1 0 c 1\n", run, depth=d)["float32"] for d in (1, 2, 3, 4)]
        assert counts == [(0, 1), (1, 1), (1, 1), (1, 1)]

    def test_condensed_lists(self) -> None:
        assert found("q1 0 c 1\n", self.SCORES, unjudged="condensed")["float32"] == (0, 1)
        qrels = "q1 0 a 1\nq1 0 c 0\n"
        assert found(qrels, self.SCORES, unjudged="condensed")["float32"] == (1, 1)

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_the_example_is_of_different_labels_and_scores(self, backend: str) -> None:
        run = "q1 Q0 a 1 100000001.5 t\nq1 Q0 b 2 100000001 t\nq1 Q0 c 3 100000001 t\n"
        for labels in ("ab", "ac", "a", "bc", "b"):
            qrels = "".join(f"q1 0 {d} 1\n" for d in labels)
            finding = check(
                io.StringIO(qrels), io.StringIO(run), ties="input", backend=backend
            ).findings[1]
            assert (finding.name, finding.count) == ("float32", 1)
            one, other = (part.split()[0].strip('"') for part in finding.example.split(" and "))
            assert "a" in (one, other), labels
            assert (one in labels) != (other in labels), labels
        assert finding.then == "float32 would tie them (RS-CONV-12)"

    def test_the_value_would_change(self) -> None:
        """What the finding is about: c is first by id, and relevant."""
        run = {"q1": {"a": 1 + 2**-30, "b": 1.0, "c": 1 - 2**-30}}
        values = [
            evaluate({"q1": {"c": 1}}, run, "RR", scores=s)["RR"]
            for s in convention_values("scores")
        ]
        assert values == [1 / 3, 1.0]


class TestScale:
    def test_names_the_option(self) -> None:
        report = check(io.StringIO("q1 0 a 2\nq1 0 b -1\n"), io.StringIO(CLEAN_RUN))
        (scale,) = (finding for finding in report.findings if finding.name == "scale")
        assert str(scale) == (
            "2 of 4 (50%) grades of the scale of ERR, LERR, nERR, EBR, iRBU, GRBP, SDCG, INSQ, "
            "INST, BPM, NERR8, NERR9, NERR10 and NERR11 are above all labels: the highest label is "
            "2, and the scale, on which their values depend, ends at 4 by default; ERR(max=2) or "
            "GRBP(max_rel=2) ends it at 2 (RS-CAS-1, RS-USR-1)"
        )
        assert "scale" not in [finding.name for finding in report.suspicious]
        assert report.to_dict()["suspicious"] == ["negative"]

    def test_no_relevant_document_has_a_scale_too(self) -> None:
        assert found("q1 0 a 0\n", CLEAN_RUN)["scale"] == (3, 4)
        assert found("q1 0 a 9\n", CLEAN_RUN)["scale"] == (0, 4)

    def test_labels_that_are_fractions_have_none(self) -> None:
        """ERR takes whole labels alone: what is advised for 2.0 must be one."""
        assert "scale" not in found("q1 0 a 2\nq1 0 b 1.5\n", CLEAN_RUN)
        assert found("q1 0 a 2.0\nq1 0 b 1\n", CLEAN_RUN)["scale"] == (2, 4)
        report = check(io.StringIO("q1 0 a 2.0\nq1 0 b 1\n"), io.StringIO(CLEAN_RUN))
        assert "the highest label is 2, " in report.findings[-1].then
        assert "ERR(max=2) or GRBP(max_rel=2) ends it at 2 " in report.findings[-1].then
        by_err = evaluate({"q1": {"a": 2.0, "b": 1}}, {"q1": {"a": 2.0, "b": 1.0}}, "ERR(max=2)")
        assert by_err["ERR(max=2)"] == 3 / 4 + 1 / 4 * 1 / 4 / 2

    def test_scores_have_none(self) -> None:
        assert "scale" not in found(CLEAN_QRELS, CLEAN_RUN, relevance="phi")


def test_a_mean_that_there_is_not_by_another_rule(tmp_path: Path, capsys: Capture) -> None:
    """By the ids the list is another, of which nothing is relevant: no mean, and no other one."""
    (tmp_path / "qrels").write_text("q1 0 d 1\n")
    (tmp_path / "run").write_text("q1 Q0 d 1 1.0 t\nq1 Q0 f 2 1.0 t\n")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    options = ["--ties", "best", "--depth", "1", "--pool", "retrieved", "--undefined", "omit"]
    assert main(["check", *files, *options, "--format", "json"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert [move["now"] for move in moves if "nonrelevant by id" in move["rule"]] == [None]


class TestWhatIsNotKnown:
    CUT = "q1 Q0 a 1 9 t\nq1 Q0 b 2 5 t\nq1 Q0 c 3 5 t\n"

    def test_a_depth_that_cuts_a_tie_decides_the_pool(self, capsys: Capture) -> None:
        """nDCG of the labels 1, 2 is below that of 1, 0: "best" would be the lower end."""
        qrels = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\n"
        for backend in ("c", "reference"):
            chosen = {"pool": "retrieved", "backend": backend}
            report = check(io.StringIO(qrels), io.StringIO(self.CUT), depth=2, **chosen)
            assert report.moves == ()
            assert [unknown.because for unknown in report.unknown] == ["ties"]
            for depth in (1, 3, None):
                report = check(io.StringIO(qrels), io.StringIO(self.CUT), depth=depth, **chosen)
                assert report.unknown == ()
        Path("q").write_text(qrels)
        Path("r").write_text(self.CUT)
        text = " ".join(printed(capsys, "q", "r", "--depth", "2", "--pool", "retrieved").split())
        assert (
            "how far they could move the means is not computed: the depth cuts ties, whose order "
            "then decides what the pool is (RS-TIE-2/L2)"
        ) in text

    def test_an_expectation_that_a_depth_leaves_open(self) -> None:
        report = check(
            io.StringIO("q1 0 a 0\nq1 0 b 1\n"), io.StringIO(self.CUT), depth=2, ties="expected"
        )
        assert [(move.now, move.expected) for move in ties(report)] == [(None, None)] * 2
        assert str(ties(report)[1]) == (
            "AP from 0.0000 to 0.5000; by expected: not determined (RS-CONV-16)"
        )

    def test_a_mean_that_is_of_no_judgment(self) -> None:
        """Below the depth a is relevant; condensed, it is first."""
        qrels, run = "q1 0 a 1\n", "q1 Q0 x 1 9 t\nq1 Q0 a 2 5 t\n"
        chosen = {"depth": 1, "unjudged": "condensed"}
        (move,) = check(io.StringIO(qrels), io.StringIO(run), **chosen).moves
        assert str(move) == (
            "nDCG@10 from 0.0000 to 0.6131; condensed, which is none of these: 1.0000"
        )
        chosen = {"gain": [2, 3]}
        qrels, run = "q1 0 a 1\n", "q1 Q0 a 1 9 t\nq1 Q0 x 2 5 t\n"
        (move,) = check(io.StringIO(qrels), io.StringIO(run), **chosen).moves
        assert (move.highest, move.among) == (1.0, False)
        assert move.now == (3 + 2 * 0.6309297535714574) / 3
        (move,) = check(io.StringIO(qrels), io.StringIO(run), pool="retrieved", **chosen).moves
        assert move.among

    def test_what_a_score_could_be(self) -> None:
        report = check(io.StringIO("q1 0 a 5\n"), io.StringIO("q1 Q0 x 1 9 t\n"), relevance="phi")
        assert [(x.because, x.why) for x in report.unknown] == [
            ("unjudged", "a score could be any number (RS-CONV-20)")
        ]

    def test_json_has_it(self, capsys: Capture) -> None:
        Path("r").write_text(self.CUT)
        document = json.loads(
            printed(capsys, "clean.qrels", "r", "--depth=2", "--pool=retrieved", "--format=json")
        )
        assert document["unknown"][0]["because"] == "ties"


class TestDuplicates:
    LABELS = "q1 0 a 0\nq1 0 b 0\nq1 0 a 1\nq1 0 a 2\n"
    SCORES = "q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\nq1 Q0 b 3 3 t\n"

    def test_are_counted(self) -> None:
        assert found(self.LABELS, self.SCORES, duplicates="last")["duplicates"] == (3, 7)
        assert found(CLEAN_QRELS, CLEAN_RUN, duplicates="first")["duplicates"] == (0, 4)
        assert "duplicates" not in found(CLEAN_QRELS, CLEAN_RUN)

    def test_the_first_is_shown(self, capsys: Capture) -> None:
        Path("l").write_text(self.LABELS)
        Path("s").write_text(self.SCORES)
        text = " ".join(printed(capsys, "l", "s", "--duplicates", "best").split())
        assert "duplicates 3 of 7 (43%) lines repeat a document: the one of the hi" in text
        assert 'e.g. document "a" of query "q1" in l' in text
        text = " ".join(printed(capsys, "clean.qrels", "s", "--duplicates", "best").split())
        assert 'e.g. document "b" of query "q1" in s' in text

    def test_the_chosen_one_counts(self) -> None:
        """Only the last label of a is above 1."""
        counts = found(self.LABELS.replace("2\n", "5\n"), self.SCORES, duplicates="first")
        assert counts["high"] == (0, 2)
        counts = found(self.LABELS.replace("2\n", "5\n"), self.SCORES, duplicates="last")
        assert counts["high"] == (1, 2)


class TestUnjudged:
    """x is above a, which has the label 1.

    x of label 0: nDCG = 1 / log2(3); x of label 1: both are relevant, and it is 1.
    """

    RUN = "q1 Q0 x 1 9 t\nq1 Q0 a 2 5 t\n"

    def test_how_far_they_could_move_the_mean(self, capsys: Capture) -> None:
        (move,) = check(io.StringIO(CLEAN_QRELS), io.StringIO(self.RUN)).moves
        low = 0.6309297535714574
        assert move == MeanRange("unjudged", "nDCG@10", low, 1.0, low, "nonrelevant")
        Path("x.run").write_text(self.RUN)
        text = printed(capsys, "clean.qrels", "x.run")
        assert "\n          nDCG@10 from 0.6309 to 1.0000; nonrelevant: 0.6309\n" in text

    def test_in_an_order_that_no_label_enters(self) -> None:
        (move,) = check(io.StringIO(CLEAN_QRELS), io.StringIO(self.RUN), ties="expected").moves
        assert move.highest == 1.0

    def test_none_without_them(self) -> None:
        assert check("clean.qrels", "clean.run").moves == ()


def example(qrels: str, run: str, name: str, **options: Any) -> str:
    report = check(io.StringIO(qrels), io.StringIO(run), **options)
    return next(finding.example for finding in report.findings if finding.name == name)


@pytest.mark.parametrize("backend", ["c", "reference"])
class TestWhatIsLookedAt:
    def test_ties_beyond_the_depth_move_nothing(self, backend: str) -> None:
        run = "q1 Q0 a 1 9 t\nq1 Q0 b 2 5 t\nq1 Q0 x 3 5 t\n"
        report = check(io.StringIO(CLEAN_QRELS), io.StringIO(run), depth=1, backend=backend)
        assert ties(report) == []

    @pytest.mark.parametrize(
        ("rule", "count"),
        [("id-descending", 1), ("id-ascending", 0), ("input", 0), ("best", 0), ("expected", 0)],
    )
    def test_the_top_is_by_the_rule_for_ties(self, rule: str, count: int, backend: str) -> None:
        """x has no judgment; a rule that no id enters takes the order of the lines."""
        run = "q1 Q0 a 1 5 t\nq1 Q0 x 2 5 t\n"
        counts = found(CLEAN_QRELS, run, top=1, ties=rule, backend=backend)
        assert counts["unjudged"] == (count, 1)

    @pytest.mark.parametrize(("rule", "count"), [("zero", 0), ("error", 0), ("unjudged", 1)])
    def test_a_negative_label_may_be_no_judgment(self, rule: str, count: int, backend: str) -> None:
        run = "q1 Q0 a 1 5 t\n"
        report = check(io.StringIO("q1 0 a -1\n"), io.StringIO(run), negative=rule, backend=backend)
        unjudged = next(finding for finding in report.findings if finding.name == "unjudged")
        assert (unjudged.count, unjudged.of) == (count, 1)
        assert bool(report.moves) == bool(count)

    def test_scores_are_compared_in_their_precision(self, backend: str) -> None:
        run = "q1 Q0 a 1 100000001.5 t\nq1 Q0 b 2 100000001.0 t\n"
        for scores, tied in (("double", 0), ("float32", 2)):
            counts = found(CLEAN_QRELS, run, scores=scores, backend=backend)
            assert counts["ties"] == (tied, 2)
            assert counts["constant"] == (tied // 2, 1)
        tie = example(CLEAN_QRELS, run, "ties", scores="float32", backend=backend)
        assert tie == '2 of score 100000001 in query "q1"'  # of b, which is the first

    def test_the_queries_of_the_run(self, backend: str) -> None:
        """With queries="run", one without judgments is evaluated, and so looked at."""
        run = "q1 Q0 a 1 5 t\nz Q0 a 1 5 t\nz Q0 b 2 5 t\n"
        report = check(io.StringIO(CLEAN_QRELS), io.StringIO(run), queries="run", backend=backend)
        counts = {finding.name: (finding.count, finding.of) for finding in report.findings}
        assert counts["ties"] == (2, 3)
        assert counts["unjudged"] == (2, 3)
        now = {move.measure: move.now for move in report.moves}
        for measure, mean in now.items():
            evaluated = evaluate(io.StringIO(CLEAN_QRELS), io.StringIO(run), measure, queries="run")
            assert mean == evaluated[measure]

    def test_the_value_lies_within_the_bounds_beside_it(self, backend: str) -> None:
        """By the rule for ties that the bounds are by, whatever the rule for the means is."""
        qrels, run = "q 0 a 1\nq 0 b 0\n", "q Q0 a 1 2 t\nq Q0 b 2 2 t\nq Q0 x 3 1 t\n"
        for rule in ("best", "worst", "expected", "input"):
            report = check(io.StringIO(qrels), io.StringIO(run), ties=rule, backend=backend)
            (move,) = (move for move in report.moves if move.because == "unjudged")
            assert move.lowest <= move.now <= move.highest
            assert ("by id-descending" in move.rule) == (rule != "input")

    def test_the_expectation_where_a_depth_cuts_no_tie(self, backend: str) -> None:
        run = "q1 Q0 a 1 5 t\nq1 Q0 b 2 5 t\nq1 Q0 c 3 1 t\n"
        for depth, determined in ((2, True), (1, False)):
            report = check(io.StringIO(CLEAN_QRELS), io.StringIO(run), depth=depth, backend=backend)
            assert all((move.expected is not None) == determined for move in ties(report))

    def test_a_judgment_below_the_top_moves_the_ideal(self, backend: str) -> None:
        """a has the label 1; x, at rank 2, could have 2: IDCG@1 would be 2."""
        qrels, run = "q1 0 a 1\nq2 0 b 2\n", "q1 Q0 a 1 9 t\nq1 Q0 x 2 5 t\n"
        report = check(io.StringIO(qrels), io.StringIO(run), top=1, backend=backend)
        assert report.moves == (MeanRange("unjudged", "nDCG@1", 0.25, 0.5, 0.5, "nonrelevant"),)

    def test_the_line_counts_those_below_the_top_that_move_the_ideal(self, backend: str) -> None:
        """x at rank 2 and y at rank 3 could enter the ideal at rank 1; z is beyond the depth."""
        qrels = "q1 0 a 1\nq2 0 b 2\n"
        run = "".join(f"q1 Q0 {d} 1 {9 - i} t\n" for i, d in enumerate("axyz"))
        words = {}
        for depth in (None, 3, 1):
            chosen = {} if depth is None else {"depth": depth}
            report = check(io.StringIO(qrels), io.StringIO(run), top=1, backend=backend, **chosen)
            unjudged = next(x for x in report.findings if x.name == "unjudged")
            assert unjudged not in report.suspicious
            words[depth] = str(unjudged)
        of_top = "0 of 1 documents of the top 1 are unjudged"
        assert words == {
            None: f"{of_top}, and 3 below it, which the ideal may hold",
            3: f"{of_top}, and 2 below it, which the ideal may hold",
            1: of_top,
        }
        text = " ".join(str(check(io.StringIO(qrels), io.StringIO(run), top=2)).split())
        assert (
            "unjudged 1 of 2 (50%) documents of the top 2 are unjudged, and 2 below it, which the "
            'ideal may hold: they count as label 0 (RS-CONV-8); e.g. document "x"' in text
        )

    def test_examples_are_by_the_order_of_the_qrels_or_the_run(self, backend: str) -> None:
        qrels = "q2 0 a 1\nq1 0 a 1\n"
        run = "".join(f"{q} Q0 {d} {r} 5 t\n" for q in ("q1", "q2") for r, d in enumerate("xa"))
        falling = run.replace(" 0 5", " 0 4")
        assert example(qrels, run, "ties", backend=backend).endswith('query "q2"')
        assert example(qrels, run, "unjudged", backend=backend).endswith('query "q2"')
        assert example(qrels, run, "constant", backend=backend).endswith('query "q1"')
        assert example(qrels, falling, "ranks", backend=backend).startswith('query "q1"')

    def test_the_first_line_of_a_document_given_again(self, backend: str) -> None:
        """By the order of the file, in which the queries need not be grouped."""
        order = ["1a", "2a", "1b", "2b", "2c", "2b", "1c", "1a"]
        run = "".join(f"q{q} Q0 {d} 1 {9 - n} t\n" for n, (q, d) in enumerate(order))
        again = example(CLEAN_QRELS, run, "duplicates", duplicates="last", backend=backend)
        assert again.startswith('document "b" of query "q2" in ')
        grouped = "".join(sorted(run.splitlines(keepends=True)))
        again = example(CLEAN_QRELS, grouped, "duplicates", duplicates="last", backend=backend)
        assert again.startswith('document "a" of query "q1" in ')


@pytest.mark.spec("RS-CONV-25")
@pytest.mark.parametrize("backend", ["c", "reference"])
class TestJudgments:
    """topics and grades, as of evaluate()."""

    GRADES = "9=3,-2=2"

    def test_grades_are_those_of_a_file_of_them(self, backend: str) -> None:
        meant = QRELS.replace("-2", "2").replace("9", "3")
        report = check("qrels", "run", grades={9: 3, -2: 2}, backend=backend)
        assert report == check(io.StringIO(meant), "run", backend=backend)

    def test_topics_are_those_of_a_file_by_the_queries_of_the_run(self, backend: str) -> None:
        """The labels of the file are counted, each once."""
        Path("map").write_text("q1 q1\nq2 q2\nq9 q1\n")
        report = check("qrels", "run", topics="map", backend=backend)
        by_query = "q1 0 a 1\nq1 0 b 0\nq2 0 a -2\nq2 0 b 9\nq9 0 a 1\nq9 0 b 0\n"
        expanded = check(io.StringIO(by_query), "run", backend=backend)
        assert report.moves == expanded.moves
        of_labels = ("negative", "high")
        assert [x for x in report.findings if x.name not in of_labels] == [
            x for x in expanded.findings if x.name not in of_labels
        ]
        assert [x.of for x in report.findings if x.name in of_labels] == [5, 5]

    def test_lines_given_again_are_those_of_the_file(self, backend: str) -> None:
        report = check(
            io.StringIO(QRELS + "q1 0 a 0\n"), "run", topics={"q2": "q2"}, backend=backend
        )
        assert [(x.line, x.query) for x in report.duplicates] == [(6, "q1")]

    def test_of_the_command(self, capsys: Capture, backend: str) -> None:
        Path("map").write_text("q1 q2\nq2 q1\n")
        given = ["--topics", "map", "--grades", self.GRADES, "--backend", backend]
        report = check("qrels", "run", topics="map", grades={9: 3, -2: 2}, backend=backend)
        assert printed(capsys, "qrels", "run", *given) == f"{report}\n"


class TestExitCode:
    def test_is_0_unless_asked_for(self, capsys: Capture) -> None:
        assert main(["check", "qrels", "run"]) == 0
        assert main(["check", "qrels", "run", "--exit-code"]) == 1
        assert main(["check", "qrels", "run", "--exit-code", "--format", "json"]) == 1
        assert main(["check", "clean.qrels", "clean.run", "--exit-code"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert out.endswith("Nothing suspicious.\n")


class TestJson:
    def test_round_trip(self, capsys: Capture) -> None:
        document = json.loads(printed(capsys, "qrels", "run", "--format", "json", "--top", "3"))
        report = check("qrels", "run", top=3)
        about = {"rankspec", "qrels", "run"}
        assert about < document.keys()
        assert {key: document[key] for key in document.keys() - about} == report.to_dict()
        assert document["suspicious"] == [finding.name for finding in report.suspicious]
        assert document["conventions"]["ties"] == "id-descending"
        by_name = {finding["name"]: finding for finding in document["findings"]}
        assert (by_name["unjudged"]["count"], by_name["unjudged"]["of"]) == (1, 5)
        assert {move["because"] for move in document["moves"]} >= {"ties"}


class TestText:
    def test_of_everything(self, capsys: Capture) -> None:
        text = printed(capsys, "qrels", "run")
        flat = " ".join(text.split())
        for part in (
            "ties 2 of 5 (40%) documents have the same score as another document, 2 of them in the "
            "top 10: a",
            'e.g. 2 of score 5 in query "q1"',
            "AP from ",
            'e.g. query "q2": rank 1 has the score 1, rank 2 has 2.5',
            "constant 1 of 3 (33%) queries have the same score for all their documents; e.g. query "
            '"q1"',
            'not in the run: they are empty lists (RS-CONV-9); e.g. query "q3"',
            'have no judgments: they are left out (RS-CONV-9); e.g. query "q9"',
            'unjudged: they count as label 0 (RS-CONV-8); e.g. document "x" of query "q2"',
            'negative: they count as 0 (RS-CONV-15); e.g. document "a" of query "q2"',
            'labels are above 4; e.g. document "b" of query "q2"',
        ):
            assert part in flat, flat
        assert text.endswith("\n\n8 of 9 checks found something.\n")

    def test_clean_files_say_so(self, capsys: Capture) -> None:
        text = printed(capsys, "clean.qrels", "clean.run")
        assert text.endswith("\n\nNothing suspicious.\n")
        assert len(text.splitlines()) == 17
        assert "labels are negative\n" in text

    def test_80_columns(self, capsys: Capture) -> None:
        long = "a-long-name-" * 20
        Path("long.qrels").write_text(QRELS.replace("q", long))
        Path("long.run").write_text(RUN.replace("q", long))
        lines = printed(capsys, "long.qrels", "long.run").splitlines()
        assert max(map(len, lines)) <= 80

    def test_top(self, capsys: Capture) -> None:
        assert "of the top 3 are unjudged" in printed(capsys, "qrels", "run", "--top", "3")

    def test_gzip_and_ids_of_any_bytes(self, capsys: Capture) -> None:
        Path("run.gz").write_bytes(gzip.compress(RUN.encode()))
        assert printed(capsys, "qrels", "run.gz") == printed(capsys, "qrels", "run")
        Path("bytes").write_bytes(b"q\xe9 Q0 d\xe9 1 1 t\nq\xe9 Q0 b 2 2 t\n")
        Path("bytes.qrels").write_bytes(b"q\xe9 0 b 1\n")
        assert "1 of 1 (100%) queries have ranks" in printed(capsys, "bytes.qrels", "bytes")

    def test_help_fits(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        assert main(["check", "--help"]) == 0
        text = capsys.readouterr().out
        assert "\nexamples:\n  rankspec check qrels.txt" in text
        assert max(map(len, text.splitlines())) <= 80


BAD = {
    "no such file": (["qrels", "none"], "none: cannot be read"),
    "swapped": (["run", "qrels"], "run:1: found 6 columns"),
    "top": (["qrels", "run", "--top", "0"], "from 1 to 10^18 - 1"),
    "huge top": (
        ["qrels", "run", "--top", "9" * 30],
        "from 1 to 10^18 - 1",
    ),
    "twice the standard input": (["-", "-"], "only one of the files can be the standard input"),
}


class TestBadInput:
    @pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD.keys())
    def test_is_one_line(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert main(["check", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("rankspec: error: ")
        assert err.count("\n") == 1
        assert message in err


TWICE_QRELS = "q1 0 d1 1\nq1 0 d2 2\n\nq1 0 d1 3\nq2 0 d1 0\n"
TWICE_RUN = (
    "q1 Q0 d1 1 4 t\nq1 Q0 d2 2 4 t\nq1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\n"
    "q3 Q0 d1 1 2 t\nq1 Q0 d1 9 1 t\n"
)


@pytest.mark.spec("RS-CONV-10")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_all_duplicates_are_listed_and_the_first_counts(tmp_path: Path, backend: str) -> None:
    """It was an error that named one of them."""
    (tmp_path / "qrels").write_text(TWICE_QRELS)
    (tmp_path / "run").write_text(TWICE_RUN)
    files = str(tmp_path / "qrels"), str(tmp_path / "run")
    found = check(*files, backend=backend)
    lines = [(x.file.rpartition("/")[2], x.line, x.query, x.first) for x in found.duplicates]
    assert lines == [
        ("qrels", 4, "q1", 1),
        ("run", 3, "q1", 1),
        ("run", 5, "q2", 4),
        ("run", 7, "q1", 1),
    ]
    assert found.suspicious[-1].name == "duplicates"
    assert (found.suspicious[-1].count, found.suspicious[-1].of) == (4, 11)
    assert found.conventions.duplicates == "error"
    first = check(*files, backend=backend, duplicates="first")
    assert first.moves == found.moves
    assert [x for x in found.findings if x.name != "duplicates"] == [
        x for x in first.findings if x.name != "duplicates"
    ]
    assert 'run:7: document "d1" of query "q1", first in line 1' in " ".join(str(found).split())
    assert first.duplicates == ()


def test_without_duplicates_there_is_no_such_check(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "run").write_text("q1 Q0 d1 1 1 t\n")
    found = check(str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert "duplicates" not in [x.name for x in found.findings]


class TestNames:
    """Findings that have a line only where there is something to name."""

    def test_queries_without_a_label_above_0(self, capsys: Capture) -> None:
        Path("zeros.qrels").write_text("q1 0 a 0\nq1 0 b -1\nq2 0 a 1\nq3 0 a 0\n")
        Path("some.run").write_text("q1 Q0 a 1 2 t\nq2 Q0 a 1 1 t\n")
        text = " ".join(printed(capsys, "zeros.qrels", "some.run").split())
        assert (
            "irrelevant 2 of 3 (67%) queries of the qrels have no label above 0: where a measure "
            'divides by what is relevant, its value is 0 (RS-CONV-4); e.g. query "q1"' in text
        )
        counts = found("q1 0 a 0.5\n", "q1 Q0 a 1 1 t\n", labels="floor")
        assert counts["irrelevant"] == (1, 1)

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_two_tags(self, backend: str) -> None:
        run = "q1 Q0 a 1 3 bm25\nq1 Q0 b 2 2 bm25\n\nq2 Q0 a 1 1 dense\nq2 Q0 b 2 0 dense\n"
        report = check(io.StringIO("q1 0 a 1\nq2 0 a 1\n"), io.StringIO(run), backend=backend)
        (finding,) = (x for x in report.findings if x.name == "tags")
        assert (finding.count, finding.of) == (2, 4)
        assert finding.example == '"dense" in line 4, "bm25" in line 1'
        assert finding in report.suspicious

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_ids_that_differ_only_in_case(self, backend: str) -> None:
        qrels = "Q1 0 DOC-1 1\nQ1 0 doc-2 0\nq2 0 x 1\nQ2 0 x 1\n"
        run = "Q1 Q0 Doc-1 1 3 t\nQ1 Q0 doc-2 2 2 t\nQ1 Q0 doc-3 3 1 t\nq1 Q0 doc-1 1 1 t\n"
        report = check(io.StringIO(qrels), io.StringIO(run), backend=backend)
        by_name = {x.name: x for x in report.findings}
        assert (by_name["case"].count, by_name["case"].of) == (1, 4)
        assert by_name["case"].example == 'document "Doc-1" of query "Q1", judged as "DOC-1"'
        assert (by_name["query-case"].count, by_name["query-case"].of) == (2, 4)
        assert by_name["query-case"].example == '"q2" and "Q2"'

    def test_comments_and_blank_lines_have_no_tag(self) -> None:
        run = "# a comment of a run\n\nq1 Q0 a 1 1 t and more\n"
        assert "tags" not in found("q1 0 a 1\n", run, lines="comments")

    def test_none_where_nothing_is_found(self) -> None:
        assert not {"irrelevant", "tags", "case", "query-case"} & found(QRELS, RUN).keys()


def _written(rows: list[tuple[str, str, float]], number: str, form: str, path: Path) -> str:
    """A file of some rows in one of the formats of tables."""
    names = ("query_id", "doc_id", number)
    if form == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        pq.write_table(pa.table(columns), path)
    elif form == "json lines":
        path.write_text("".join(json.dumps(dict(zip(names, x, strict=True))) + "\n" for x in rows))
    else:
        comma = {"csv": ",", "tsv": "\t"}[form]
        path.write_text("".join(comma.join(map(str, x)) + "\n" for x in (names, *rows)))
    return str(path)


JUDGED = [("q1", "a", 1), ("q1", "b", 0), ("q2", "a", -2), ("q2", "b", 9), ("q3", "a", 1)]
SCORED = [("q1", "a", 5.0), ("q1", "b", 5.0), ("q2", "a", 2.5), ("q1", "a", 1e-3), ("q9", "a", 1.0)]


@pytest.mark.spec("RS-CONV-48")
@pytest.mark.parametrize("form", ["csv", "tsv", "json lines", "parquet"])
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_a_table_is_checked_as_the_lines_of_trec(form: str, backend: str, files: Path) -> None:
    qrels, run = (
        _written(rows, number, form, files / number)
        for rows, number in ((JUDGED, "label"), (SCORED, "score"))
    )
    lines = (
        [f"{q} 0 {d} {x}\n" for q, d, x in JUDGED],
        [f"{q} Q0 {d} 0 {x} t\n" for q, d, x in SCORED],
    )
    expected = check(*(io.StringIO("".join(x)) for x in lines), backend=backend)
    report = check(qrels, run, backend=backend)
    counts = [(x.name, x.count, x.of) for x in expected.findings]
    assert [(x.name, x.count, x.of) for x in report.findings] == counts
    assert report.moves == expected.moves
    header = form in ("csv", "tsv")
    (again,) = report.duplicates
    assert (again.line, again.first) == (4 + header, 1 + header)


def test_the_line_of_a_table_is_that_of_its_file(capsys: Capture) -> None:
    Path("gaps.csv").write_text("user,item,score\n\nq1,a,3\n\n\nq1,b,2\nq1,a,1\n")
    columns = ["--columns", "run.query=user,run.document=item"]
    words = 'gaps.csv:7: document "a" of query "q1", first in line 3'
    assert words in printed(capsys, "clean.qrels", "gaps.csv", *columns)
    Path("blank.csv").write_text("query_id,doc_id,score\nq1,a b,3\n")
    assert main(["check", "clean.qrels", "blank.csv"]) == 2
    words = 'blank.csv:2: the document id "a b" holds a blank'
    assert words in capsys.readouterr().err
