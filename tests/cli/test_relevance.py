"""Labels that are scores on the command line: ``rankspec relevance``, --relevance, the plot.

The scores 0, 1, 2, 3, 16 have the whisker 6 and alpha 10/16, and 3 has the relevance 3/68
(tests/api/test_relevance.py derives it). Those of p have two values: the relevance is 0 and 1.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.analysis.relevance import MOST_ITEMS
from rankspec.cli.main import main
from rankspec.metrics.relevance import QUARTILES, VARIANT
from tests.reference.balls import nearest

from .running import Capture, complaint, former

QRELS = "q 0 a 16\nq 0 b 3\nq 0 c 2\nq 0 d 1\nq 0 e 0\np 0 a -0.5\np 0 b -1.5\n"
WHOLE = "q 0 a 16\nq 0 b 3\nq 0 c 2\nq 0 d 1\nq 0 e 0\n"
RUN = "q Q0 x 1 9 t\nq Q0 a 2 8 t\nq Q0 b 3 7 t\np Q0 b 1 1 t\np Q0 a 2 0.5 t\n"
NUMBERS = "\n16\n3\r\n 2 \n1\n0"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"s.qrels": QRELS, "w.qrels": WHOLE, "a.run": RUN, "n.txt": NUMBERS}.items():
        Path(name).write_text(text)
    Path("s.gz").write_bytes(gzip.compress(QRELS.encode()))


def output(capsys: Capture, *arguments: str) -> str:
    status = main(arguments)
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    assert "table" not in arguments or max(map(len, out.splitlines())) <= 80
    return out


class TestTable:
    def test_by_hand(self, capsys: Capture) -> None:
        assert output(capsys, "relevance", "s.qrels") == (
            """\
query q, 5 scores, variant text (RS-REL-4), quartiles linear

control point  score     phi
min                0  0.0000
median             2  0.0000
whisker            6  0.3750
max               16  1.0000

upper whisker 6 (RS-REL-2): 1 above it, alpha = 0.6250 (RS-REL-3)

item  score     phi
a        16  1.0000
b         3  0.0441
c         2  0.0000
d         1  0.0000
e         0  0.0000

query p, 2 scores, variant text (RS-REL-4), quartiles linear

control point  score     phi
min             -1.5  0.0000
median            -1  0.0000
max             -0.5  1.0000

upper whisker 0 (RS-REL-2): no score is above it

item  score     phi
a      -0.5  1.0000
b      -1.5  0.0000
"""
        )

    def test_the_authors_program(self, capsys: Capture) -> None:
        """Of 16, 3, 2, 1 the hinges are 1.5 and 9.5: all is within 21.5; of p none is above 0."""
        q, p = output(
            capsys, "relevance", "s.qrels", "--variant", "authors-program", "--digits", "2"
        ).split("\nquery p")
        assert "variant authors-program (RS-REL-5), quartiles hinges\n" in q
        assert (
            "zero               0  0.00\nmedian           2.5  0.00\nmax               16  1.00"
            in q
        )
        assert "upper whisker 16 (RS-REL-2): no score is above it" in q
        assert "no score is above 0: all have relevance 0 (RS-REL-5)" in p
        assert "control point" not in p
        assert "a      -0.5  0.00\nb      -1.5  0.00\n" in p

    def test_an_outlier_of_the_program(self, capsys: Capture) -> None:
        """Of 1, 2, 3, 4, 20 the hinges are 2 and 4: up to 7 the highest is 4, alpha is 16/19."""
        Path("p.txt").write_text("-1\n1\n2\n3\n4\n20\n")
        out = output(capsys, "relevance", "p.txt", "--variant", "authors-program")
        assert "upper whisker 4 (RS-REL-2): 1 above it, alpha = 0.8421 (RS-REL-3)" in out

    def test_points_of_one_score_are_one(self, capsys: Capture) -> None:
        Path("one.txt").write_text("7\n7\n")
        out = output(capsys, "relevance", "one.txt")
        assert "\nmin = median = max      7  1.0000\n" in out
        assert out.startswith("2 scores, variant text")

    def test_a_long_list_is_shortened(self, capsys: Capture) -> None:
        Path("long.txt").write_text("".join(f"{x}\n" for x in range(1000)))
        lines = output(capsys, "relevance", "long.txt").splitlines()
        items = lines[lines.index(next(x for x in lines if x.startswith("item"))) + 1 :]
        assert len(items) == MOST_ITEMS + 1
        assert items[0].split() == ["1000", "999", "1.0000"]
        assert items[-1].split() == ["1", "0", "0.0000"]
        assert f"... ({1000 - MOST_ITEMS} more)" in items

    def test_long_names_fit(self, capsys: Capture) -> None:
        Path("w.txt").write_text(f"{'q' * 200} 0 {'d' * 200} 123456789.123456789\n")
        assert max(map(len, output(capsys, "relevance", "w.txt").splitlines())) <= 80


class TestForms:
    def test_tsv(self, capsys: Capture) -> None:
        assert output(capsys, "relevance", "s.gz", "--query", "q", "--format", "tsv") == (
            "query\titem\tscore\tphi\n"
            f"q\ta\t16.0\t1.0\nq\tb\t3.0\t{3 / 68!r}\nq\tc\t2.0\t0.0\n"
            "q\td\t1.0\t0.0\nq\te\t0.0\t0.0\n"
        )

    def test_numbers_have_the_numbers_of_their_lines(self, capsys: Capture) -> None:
        found = output(capsys, "relevance", "n.txt", "--format", "tsv", "--digits", "1")
        assert found == (
            "query\titem\tscore\tphi\n\t2\t16\t1.0\n\t3\t3\t0.0\n\t4\t2\t0.0\n\t5\t1\t0.0\n\t6\t0\t0.0\n"
        )

    def test_json(self, capsys: Capture) -> None:
        found = json.loads(output(capsys, "relevance", "w.qrels", "--format", "json"))
        assert found == {
            "rankspec": rs.__version__,
            "file": "w.qrels",
            "variant": "text",
            "quartiles": "linear",
            "queries": [
                {
                    "query": "q",
                    "control_points": [
                        {"name": name, "score": score, "phi": y}
                        for name, score, y in [
                            ("min", 0, 0),
                            ("median", 2, 0),
                            ("whisker", 6, 0.375),
                            ("max", 16, 1),
                        ]
                    ],
                    "whisker": 6,
                    "alpha": 0.625,
                    "items": [
                        {"item": item, "score": score, "phi": phi}
                        for item, score, phi in zip(
                            "abcde", (16, 3, 2, 1, 0), (1, 3 / 68, 0, 0, 0), strict=True
                        )
                    ],
                }
            ],
        }

    def test_json_is_complete(self, capsys: Capture) -> None:
        Path("long.txt").write_text("".join(f"{x}\n" for x in range(1000)))
        (found,) = json.loads(output(capsys, "relevance", "long.txt", "--format", "json"))[
            "queries"
        ]
        assert [item["phi"] for item in found["items"]] == rs.relevance(range(1000)).tolist()
        assert (found["query"], found["alpha"]) == (None, None)

    def test_the_standard_input(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NUMBERS.encode())))
        by_pipe = output(capsys, "relevance", "-", "--format", "tsv")
        assert by_pipe == output(capsys, "relevance", "n.txt", "--format", "tsv")

    @pytest.mark.parametrize("variant", VARIANT.words)
    @pytest.mark.parametrize("quartiles", QUARTILES.words)
    def test_choices(self, capsys: Capture, variant: str, quartiles: str) -> None:
        chosen = ["--variant", variant, "--quartiles", quartiles, "--format", "json"]
        for backend in ("c", "reference"):
            found = output(capsys, "relevance", "s.qrels", *chosen, "--backend", backend)
            for of_query, scores in zip(
                json.loads(found)["queries"], ([16, 3, 2, 1, 0], [-0.5, -1.5]), strict=True
            ):
                phi = [item["phi"] for item in of_query["items"]]
                assert phi == rs.relevance(scores, variant=variant, quartiles=quartiles).tolist()


class TestDigits:
    """Numbers that differ look different; whole ones are complete."""

    SCORES = (
        "123456789",
        "123456788",
        "123456789.4",
        "0.1",
        "0.10000000000000002",
        "-0.5",
        "9007199254740992",
        "1e+300",
        "5",
    )

    def test_of_items(self, capsys: Capture) -> None:
        Path("n.txt").write_text("\n".join(self.SCORES))
        lines = output(capsys, "relevance", "n.txt").splitlines()
        items = lines[lines.index(next(x for x in lines if x.startswith("item"))) + 1 :]
        assert sorted(line.split()[1] for line in items) == sorted(self.SCORES)

    def test_of_whole_numbers_to_the_last(self, capsys: Capture) -> None:
        Path("n.txt").write_text(f"{2**63 - 1}\n{-(2**63)}\n")
        out = output(capsys, "relevance", "n.txt")
        assert "1      9223372036854775807  1.0000\n" in out
        assert "2     -9223372036854775808  0.0000\n" in out

    def test_where_few_tell_all_apart(self, capsys: Capture) -> None:
        Path("n.txt").write_text("0.1234567891\n2.5\n")
        assert "0.12345679  0.0000" in output(capsys, "relevance", "n.txt")

    def test_of_explain(self, capsys: Capture) -> None:
        Path("s.qrels").write_text("q 0 a 123456789\nq 0 b 123456788\n")
        run = "q Q0 a 1 0.1 t\nq Q0 b 2 0.10000000000000002 t\n"
        Path("a.run").write_text(run)
        given = ["explain", "s.qrels", "a.run", "--query", "q", "--relevance", "phi"]
        lines = output(capsys, *given).splitlines()
        assert [line.split()[1:4] for line in lines[3:5]] == [
            ["b", "0.10000000000000002", "123456788"],
            ["a", "0.1", "123456789"],
        ]

    def test_long_ids_leave_the_table_whole(self, capsys: Capture) -> None:
        ids = [f"{'x' * 113}{end}y" for end in "ab"]
        Path("s.qrels").write_text("".join(f"q 0 {x} {a}\n" for a, x in enumerate(ids)))
        lines = output(capsys, "relevance", "s.qrels").splitlines()
        (header,) = (line for line in lines if line.startswith("item"))
        assert header.split() == ["item", "score", "phi"]
        assert len(lines) - lines.index(header) == 3
        assert max(map(len, lines)) <= 80
        assert [line.split()[0][-2:] for line in lines[-2:]] == ["by", "ay"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "",
                "f: empty; expected the 4 columns of qrels: query iteration document label, or one "
                "number a line",
            ),
            (" \n", "f: empty; expected"),
            ("score\n1\n", 'f:1: the score is "score"; expected a finite number; a header is not'),
            ("\n\n1.5e\n", 'f:3: the score is "1.5e"; expected a finite number; a header is not'),
            ("1\n2\0\n", "f:2: found a NUL byte; expected text, plain or compressed"),
            ("1\0\n2\n", "f:1: found a NUL byte; expected text, plain or compressed"),
            ("1\n2 3\n", 'f:2: the score is "2 3"; expected a finite number, as in the first line'),
            ("1\n\nnan\n", 'f:3: the score is "nan"; expected a finite number'),
            ("1_0\n", 'f:1: the score is "1_0"'),
            ("1\n1e999\n", 'f:2: the score is "1e999"'),
            ("1 2\n", "f:1: found 2 columns"),
            ("q 0 a 1\n5\n", "f:2: found 1 column"),
            ("q 0 a inf\n", 'f:1: the label is "inf"; expected a finite number\n'),
            ("q 0 a 1\nq 0 a 2\n", "f:2: document"),
        ],
    )
    def test_of_files(self, capsys: Capture, text: str, message: str) -> None:
        Path("f").write_text(text)
        assert message in complaint(capsys, "relevance", "f")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["s.qrels", "--query", "r"], 'query "r" is not in the file'),
            (
                ["n.txt", "--query", "q"],
                "--query: the file has one number a line, so it names no queries",
            ),
            (["none"], "none"),
            (
                ["s.qrels", "-o", "a.png"],
                "-o: a picture shows one query; choose one of the 2 with --query",
            ),
            (["n.txt", "-o", "a.gif"], "a.gif: the suffix sets the format of the picture"),
            (["n.txt", "-o", "no/a.png"], "no/a.png: cannot be written"),
            (["n.txt", "--variant", "txt"], 'unknown variant "txt" (did you mean "text"?)'),
            (
                ["n.txt", "--quartiles", "tukey"],
                'unknown quartiles "tukey"; expected one of own, linear',
            ),
            (["n.txt", "--format", "xml"], 'unknown format "xml"'),
            ([], "the following arguments are required: FILE"),
        ],
    )
    def test_of_arguments(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert message in complaint(capsys, "relevance", *arguments)
        assert {path.name for path in Path().iterdir()} == {
            "s.qrels",
            "w.qrels",
            "s.gz",
            "a.run",
            "n.txt",
        }


class TestEval:
    def test_the_default_measure_is_of_scores(self, capsys: Capture) -> None:
        """q: x, which has no score, a and b. p: b, then a, of the relevance 0 and 1."""
        out = output(capsys, "eval", "s.qrels", "a.run", "--relevance", "phi", "--format", "json")
        document = json.loads(out)
        (name,) = document["measures"]
        assert name == "nDCG_phi@10"
        assert document["conventions"]["relevance"] == "phi"
        expected = [
            rs.ndcg_phi([0, 16, 3], judged=[16, 3, 2, 1, 0], k=10),
            rs.ndcg([0, 1], k=10),
        ]
        assert document["runs"][0]["mean"][name] == rs.mean(expected)

    def test_the_table_says_so(self, capsys: Capture) -> None:
        arguments = ["s.qrels", "a.run", "--relevance", "phi-authors-program", "-m", "nDCG@5"]
        out = output(capsys, "eval", *arguments, "-m", "DCG", "--per-query")
        assert out.splitlines()[-1].endswith(", relevance: phi-authors-program")
        assert "nDCG_phi(variant='authors-program')@5" in out

    def test_under_labels_the_measure_has_a_name(self, capsys: Capture) -> None:
        named = output(capsys, "eval", "w.qrels", "a.run", "-m", "nDCG_phi@10")
        meant = output(capsys, "eval", "w.qrels", "a.run", "--relevance", "phi", "-m", "nDCG@10")
        assert named.splitlines()[:2] == meant.splitlines()[:2]
        assert "relevance" not in named

    def test_a_name_with_points_can_be_read_again(self) -> None:
        (measure,) = rs.measures("nDCG_phi(points=[(0, 0), (2.5, 1)], discount='zipf')@3")
        assert str(measure) == "nDCG_phi(discount='zipf', points=((0, 0), (2.5, 1)))@3"
        assert rs.measures(str(measure)) == [measure]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--relevance", "phi", "-m", "P@5"], 'measure "P@5": relevance is from 0 to 1; say'),
            (["--relevance", "phi", "--gain", "exp2", "-m", "nDCG"], "that has no gain"),
            (["--relevance", "phi", "--gain", "linear", "-m", "nDCG"], "that has no gain"),
            (
                ["--relevance", "phi", "--gain", "exp2"],
                "gain: it has no effect with relevance phi: labels are scores there, and no "
                "measure takes a gain of them; the measures are nDCG_phi@10 (RS-CONV-20)",
            ),
            (
                ["--relevance", "phi", "--gain", "linear", "-m", "AP,ERR@3"],
                "gain: it has no effect with relevance phi",
            ),
            (["--relevance", "phi", "-m", "AP(rel=1)"], 'measure "AP(rel=1)": relevance is from'),
            (["--relevance", "phi", "-m", "ERR(max=4)@3"], 'measure "ERR(max=4)@3": it does not'),
            (
                ["--relevance", "phi", "--rel", "2"],
                "--rel has no effect with --relevance phi: write it in the measure",
            ),
            (["--relevance", "phi", "--negative", "error"], "--negative has no effect with"),
            (
                ["--relevance", "score"],
                'relevance: unknown choice "score"; expected one of "label", "phi"',
            ),
        ],
    )
    def test_refusals(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert message in complaint(capsys, "eval", "s.qrels", "a.run", *arguments)


class TestCheck:
    RUN = "q Q0 a 1 5 t\nq Q0 b 2 5 t\nq Q0 x 3 1 t\np Q0 b 1 1 t\np Q0 a 2 0.5 t\n"

    @pytest.mark.parametrize(
        ("relevance", "variant"), [("phi", "text"), ("phi-authors-program", "authors-program")]
    )
    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_of_scores(self, capsys: Capture, relevance: str, variant: str, backend: str) -> None:
        """The labels are not looked at, and what a score for x would do is not known."""
        Path("b.run").write_text(self.RUN)
        given = ["check", "s.qrels", "b.run", "--relevance", relevance, "--backend", backend]
        found = json.loads(output(capsys, *given, "--format", "json"))
        names = [finding["name"] for finding in found["findings"]]
        assert names == ["ties", "float32", "ranks", "constant", "missing", "extra", "unjudged"]
        assert found["suspicious"] == ["ties", "unjudged"]
        assert found["findings"][-1]["then"] == "they have relevance 0 (RS-CONV-20)"
        (move,) = found["moves"]
        assert move["because"] == "ties"
        assert move["measure"].startswith("nDCG_phi")
        p = rs.ndcg_phi([-1.5, -0.5], judged=[-0.5, -1.5], k=10, variant=variant)
        q = [
            rs.ndcg_phi(scores, judged=[16, 3, 2, 1, 0], k=10, variant=variant)
            for scores in ([3, 16], [16, 3])
        ]
        assert q[0] < q[1]
        assert [move["lowest"], move["highest"]] == [rs.mean([x, p]) for x in q]

    def test_no_bounds_where_the_order_decides_the_pool(self, capsys: Capture) -> None:
        """Neither rule for ties gives the extreme: relevance is made of what the depth leaves."""
        Path("b.run").write_text(self.RUN)
        given = ["check", "s.qrels", "b.run", "--relevance", "phi", "--pool", "retrieved"]
        assert "nDCG_phi@10 from" in output(capsys, *given)
        assert "nDCG_phi@10 from" not in output(capsys, *given, "--depth", "1")

    def test_decimals_without_the_option_are_degrees(self, capsys: Capture) -> None:
        out = output(capsys, "check", "s.qrels", "a.run")
        assert "labels are negative" in out
        assert "phi" not in out

    def test_help_names_it(self, capsys: Capture) -> None:
        assert "nDCG_phi" in output(capsys, "check", "--help")


class TestExplain:
    @pytest.mark.parametrize(
        ("relevance", "spec", "other"),
        [("phi", "RS-REL-4", "RS-REL-5"), ("phi-authors-program", "RS-REL-5", "RS-REL-4")],
    )
    def test_the_definition_has_the_id_of_the_variant(
        self, relevance: str, spec: str, other: str
    ) -> None:
        found = rs.explain({"q": {"a": 1}}, {"q": {"a": 1}}, "q", "nDCG", relevance=relevance)
        assert found.definition["points"] == f"made of the scores ({spec})"
        assert found.definition["variant"].endswith(f" ({spec})")
        assert other not in str(found.definition)

    def test_rows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The points make φ(s) = s/2 from 0 to 2; the tied pair of 1 and 2 has the mean."""
        qrels = {"q": {"a": 1, "b": -3, "c": 2, "d": 1.0}}
        run = {"q": {"x": 9.0, "a": 8.0, "b": 7.0, "c": 6.0, "d": 6.0}}
        measure = "DCG_phi(points=[(0, 0), (2, 1)], discount='none')"
        found = rs.explain(qrels, run, "q", measure, relevance="phi", ties="expected")
        monkeypatch.setattr(flint.ctx, "prec", 200)
        root = flint.arb(2).sqrt()
        gain, mean = (nearest(x) for x in (root - 1, root / 2))
        assert [row.label for row in found.rows] == [None, 1, -3, 2, 1]
        assert [row.counted for row in found.rows] == [None, 1, -3, 2, 1]
        assert [row.phi for row in found.rows] == [0, 0.5, 0, 0.75, 0.75]
        assert [row.gain for row in found.rows] == [0, gain, 0, mean, mean]
        assert [row.contribution for row in found.rows] == [0, gain, 0, mean, mean]
        assert (
            found.value
            == rs.evaluate(qrels, run, measure, relevance="phi", ties="expected")[measure]
        )

    def test_table(self, capsys: Capture) -> None:
        given = ["explain", "s.qrels", "a.run", "--query", "q", "--relevance", "phi"]
        lines = output(capsys, *given).splitlines()
        assert lines[0].startswith("nDCG_phi@10 of query q: ")
        header = lines[2].split()
        assert header[:7] == ["#", "document", "score", "label", "phi", "gain", "disc"]
        assert [line.split()[:6] for line in lines[3:6]] == [
            ["1", "x", "9", "-", "0.0000", "0.0000"],
            ["2", "a", "8", "16", "1.0000", "1.0000"],
            ["3", "b", "7", "3", "0.0441", "0.0311"],
        ]
        assert "- unjudged: has relevance 0 (RS-CONV-20)" in lines
        text = " ".join(" ".join(lines).split())
        assert "unjudged nonrelevant: have relevance 0 (RS-CONV-20)" in text
        assert "relevance phi: a label is a score, of which relevance is made" in text
        assert "RS-CONV-15" not in text
        assert "RS-CONV-8" not in text

    def test_negative_scores_are_shown_as_they_are(self, capsys: Capture) -> None:
        given = ["explain", "s.qrels", "a.run", "--query", "p", "--relevance", "phi"]
        out = output(capsys, *given)
        assert ">" not in out
        assert "-1.5" in out

    def test_json(self, capsys: Capture) -> None:
        given = ["explain", "w.qrels", "a.run", "--query", "q", "-m", "nDCG_phi@2"]
        found = json.loads(output(capsys, *given, "--format", "json"))
        assert [row["phi"] for row in found["rows"]] == [0, 1]
        assert [row["label"] for row in found["rows"]] == [None, 16]
        assert [row["ideal_label"] for row in found["rows"]] == [16, 3]


def names_of(axes: Any) -> list[str]:
    """The control points that are listed below the axes."""
    return [text.get_text().partition(":")[0] for text in axes.get_legend().get_texts()]


HEAVY = [1, 2, 3, 4, 10**9]
COUNTS = [*range(60), *(int(1.2**n) for n in range(60))]


class TestPlot:
    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize(
        "scores", [HEAVY, COUNTS, [HEAVY, [5], [-(10**6), 1, 1, 2, 3], COUNTS]], ids=str
    )
    def test_nothing_is_overprinted(self, scores: Any) -> None:
        figure = plots.relevance(scores)
        figure.draw_without_rendering()
        boxes = []
        for axes in figure.axes:
            low, high = axes.get_xlim()
            own = [*axes.get_legend().get_texts(), axes.xaxis.label]
            own += [
                label
                for tick, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
                if low <= tick <= high
            ]
            boxes += [(text.get_text(), text.get_window_extent()) for text in own]
            assert all(text.get_window_extent().y1 < axes.bbox.y0 for text in own)
        for (one, a), (two, b) in combinations(boxes, 2):
            assert not a.overlaps(b), (one, two)
        assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for _, box in boxes)

    @pytest.mark.parametrize(
        ("scores", "wide"),
        [
            (HEAVY, "1"),
            ([0.5, 1, 2, 3, 10**6], "0.5"),
            ([0, 2, 2, 3, 10**6], "2"),
            ([-(10**6), 1, 1, 2, 3], "1"),
            ([0, 1, 2, 3, 16], None),
            ([10**9, 10**9 + 1, 10**9 + 2, 2 * 10**9], None),  # logarithms are as near
            ([5], None),
        ],
    )
    def test_a_wide_range_has_a_logarithmic_scale_that_says_so(
        self, scores: Any, wide: str | None
    ) -> None:
        (axes,) = plots.relevance(scores).axes
        if wide is None:
            assert (axes.get_xscale(), axes.get_xlabel()) == ("linear", "score")
        else:
            assert axes.get_xscale() == "symlog"
            assert axes.get_xlabel() == f"score (logarithmic beyond ±{wide})"
        curve = axes.lines[0]
        at = axes.xaxis.get_transform().transform(curve.get_xdata())
        assert max(b - a for a, b in pairwise(at)) < 0.01 * (at[-1] - at[0])  # smooth as drawn
        assert list(curve.get_ydata()) == sorted(curve.get_ydata())

    def test_control_points_are_told_apart_by_their_markers(self) -> None:
        (axes,) = plots.relevance(HEAVY).axes
        _, _, *points = axes.lines
        assert len({point.get_marker() for point in points}) == len(points) == 4
        listed = [text.get_text() for text in axes.get_legend().get_texts()]
        assert listed[0] == "min: φ(1) = 0"
        assert listed[3] == "max: φ(1e+09) = 1"

    def test_the_examples_are_without_and_with_outliers(self) -> None:
        figure = plots.relevance()
        names = [names_of(axes) for axes in figure.axes]
        assert names == [["min", "median", "max"], ["min", "median", "whisker", "max"]]

    def test_values(self) -> None:
        """The curve goes through the control points and the items, never falls, and ends flat."""
        (axes,) = plots.relevance([0, 1, 2, 3, 16]).axes
        curve, items, *points = axes.lines
        assert [(p.get_xdata()[0], p.get_ydata()[0]) for p in points] == [
            (0, 0),
            (2, 0),
            (6, 0.375),
            (16, 1),
        ]
        assert list(zip(items.get_xdata(), items.get_ydata(), strict=True)) == [
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 3 / 68),
            (16, 1),
        ]
        drawn = dict(zip(curve.get_xdata(), curve.get_ydata(), strict=True))
        assert {s: drawn[s] for s in (2, 3, 6, 16)} == {2: 0, 3: 3 / 68, 6: 0.375, 16: 1}
        heights = list(drawn.values())
        assert heights == sorted(heights)
        assert (min(drawn) < 0, max(drawn) > 16) == (True, True)
        assert (heights[0], heights[-1]) == (0, 1)

    @pytest.mark.parametrize(
        ("scores", "names"),
        [
            ([5], ["min = median = max"]),
            ([5, 5.5], ["min", "median", "max"]),
            (np.array([1, 1, 1, 1, 9]), ["min = median = whisker", "max"]),
        ],
    )
    def test_degenerate_scores(self, scores: Any, names: list[str]) -> None:
        (axes,) = plots.relevance(scores).axes
        assert names_of(axes) == names

    def test_the_program_with_no_score_above_0(self) -> None:
        (axes,) = plots.relevance([-1, 0], variant="authors-program").axes
        assert axes.get_legend() is None
        assert set(axes.lines[0].get_ydata()) == {0}

    @pytest.mark.slow
    def test_files(self, capsys: Capture) -> None:
        assert output(capsys, "relevance", "n.txt", "-o", "a.svg") == output(
            capsys, "relevance", "n.txt"
        )
        assert output(capsys, "plot", "relevance", "--item-scores", "16,3,2,1,0", "-o", "b.svg")
        a, b = (Path(name).read_text() for name in ("a.svg", "b.svg"))
        assert a == b
        assert "whisker" in a
        printed, warning = former(capsys, "plot", "relevance", "--scores=16,3,2,1,0", "-o", "d.svg")
        assert (printed, Path("d.svg").read_text()) == ("d.svg\n", b)
        assert warning == "--scores says how scores are read; those of items follow --item-scores"
        assert main(["relevance", "s.qrels", "--query", "q", "-o", "c.pdf"]) == 0
        assert Path("c.pdf").read_bytes().startswith(b"%PDF")

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ([], "the number of scores is 0"),
            (3, "scores: expected a sequence, got 3"),
            ([[1, 2]] * 5, "the number of lists is 5; it must be from 1 to 4"),
            ([1, float("nan")], "scores: nan at position 1"),
            ([-1.5e308, 1.5e308], "the scores are too far apart to be drawn"),
        ],
    )
    def test_refusals(self, scores: Any, message: str) -> None:
        with pytest.raises(rs.InputError, match=message):
            plots.relevance(scores)


@pytest.mark.spec("RS-CONV-48")
def test_a_table_has_the_relevance_of_its_lines(capsys: Capture) -> None:
    rows = [line.split() for line in QRELS.splitlines()]
    cells = "".join(f"{q},{d},{x}\n" for q, _, d, x in rows)
    Path("s.csv").write_text("query_id,doc_id,label\n" + cells)
    Path("prices.csv").write_text("query_id,doc_id,price\n" + cells)
    keys = ("query_id", "doc_id", "label")
    objects = [json.dumps(dict(zip(keys, (q, d, float(x)), strict=True))) for q, _, d, x in rows]
    Path("s.jsonl").write_text("\n".join(objects))
    printed = []
    for words in (["s.qrels"], ["s.csv"], ["s.jsonl"], ["prices.csv", "--columns", "label=price"]):
        assert main(["relevance", *words, "--format", "tsv"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[1:] == printed[:1] * 3
    assert "0.0441" in printed[0]  # 3/68
