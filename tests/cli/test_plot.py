"""``rankspec plot`` and ``rs.plots``: what is drawn, into which file, and what is said instead."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import flint
import matplotlib as mpl
import numpy as np
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.cli import main
from rankspec.papers import moniz_2016 as paper
from rankspec.popularity import read_folder
from tests.formats.tables import write_table
from tests.reference.balls import ends_of, log

FEW = {"moniz-2016": ["--samples", "2"]}
"""What makes a plot that is much work less of it."""

MAGIC = {"png": b"\x89PNG\r\n", "svg": b"<?xml", "pdf": b"%PDF"}

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def curves(figure: Any) -> dict[str, list[float]]:
    """The values of each curve, by the colour, which is that of its name."""
    (axes,) = figure.axes
    names = {text.get_color(): text.get_text() for text in axes.texts}
    lines = [line for line in axes.lines if len(line.get_xdata()) > 1]
    for line in lines:
        assert list(line.get_xdata()) == list(range(1, len(line.get_xdata()) + 1))
    return {names[line.get_color()]: list(line.get_ydata()) for line in lines}


def nearest(ball: flint.arb) -> float:
    lower, upper = (end.numerator / end.denominator for end in ends_of(ball))
    assert lower == upper
    return float(lower)


class TestExpectedDcg:
    def test_rational_curves(self) -> None:
        """Discount 1/i: E[DCG] of N is a sum of fractions for the priors 1/M and 1/i."""
        M = 6
        harmonic = sum(Fraction(1, i) for i in range(1, M + 1))
        by_hand = {
            "p(i) = 1/M": [Fraction(1, M * i) for i in range(1, M + 1)],
            "p(i) ∝ 1/i": [Fraction(1, i * i) / harmonic for i in range(1, M + 1)],
        }
        by_hand["p(i) ∝ discount"] = by_hand["p(i) ∝ 1/i"]
        found = curves(plots.user_expected_dcg(M=M, discount="zipf"))
        assert found == {
            name: [float(sum(increments[:N])) for N in range(1, M + 1)]
            for name, increments in by_hand.items()
        }

    def test_every_prior_has_its_curve(self) -> None:
        found = curves(plots.user_expected_dcg(priors=["zipf", "log(b=10)"], M=3))
        assert list(found) == ["p(i) ∝ 1/i", "p(i) ∝ log(b=10)"]
        assert len(found["p(i) ∝ 1/i"]) == 3

    def test_defaults(self) -> None:
        figure = plots.user_expected_dcg()
        assert [len(values) for values in curves(figure).values()] == [10, 10, 10]
        assert "M = 10" in figure.axes[0].get_title(loc="left")
        assert figure.axes[0].get_ylim()[0] == 0

    @pytest.mark.parametrize("M", [2, 16, 17, 100])
    def test_ticks_are_few_ranks(self, M: int) -> None:
        ticks = list(plots.user_expected_dcg(M=M).axes[0].get_xticks())
        assert ticks[0] == 1
        assert len(ticks) <= 16
        assert {b - a for a, b in pairwise(ticks)} == {1 if M <= 16 else -(-M // 16)}


class TestLength:
    def test_values(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """By balls of another library: LNDCG over the greatest of the first n of the ideal."""
        monkeypatch.setattr(flint.ctx, "prec", 200)
        labels = [2, 1, 1, 0]
        d = [1 / log(i + 1, 2) for i in range(1, 5)]
        dcg = [
            sum((2**r - 1) * x for r, x in zip(labels[:n], d, strict=False)) for n in range(1, 5)
        ]
        squares = [sum(x * x for x in d[:n]) for n in range(1, 5)]
        found = curves(plots.length(labels, k=[2]))
        assert set(found) == {"LNDCG", "nDCG@2"}
        assert found["LNDCG"][0] == 1  # of the four lists the first has the greatest quotient
        for n in (2, 3, 4):
            assert found["LNDCG"][n - 1] == nearest(dcg[n - 1] / squares[n - 1] / 3)
        assert found["nDCG@2"] == [nearest(3 / dcg[1]), 1, 1, 1]

    def test_what_the_default_shows(self) -> None:
        """LNDCG rises to the last perfect result and falls from there; nDCG@k stays from k on."""
        found = curves(plots.length())
        lndcg = found.pop("LNDCG")
        assert lndcg[2] == 1
        assert lndcg[:3] == sorted(lndcg[:3])
        assert all(a > b for a, b in pairwise(lndcg[2:]))
        assert set(found) == {"nDCG@1", "nDCG@3", "nDCG@5"}
        for name, values in found.items():
            k = int(name.removeprefix("nDCG@"))
            assert all(a < b for a, b in pairwise(values[:k]))
            assert set(values[k - 1 :]) == {1}

    def test_a_name_stands_where_its_curve_ends_to_rise(self) -> None:
        (axes,) = plots.length([2, 0, 1, 0, 0], k=[1, 5]).axes
        at = {text.get_text(): text.xy for text in axes.texts}
        assert at["nDCG@1"] == (1, 1)
        assert at["nDCG@5"][0] == 3
        assert at["LNDCG"][0] == 5

    def test_the_labels_are_told(self) -> None:
        (axes,) = plots.length(np.array([3, 0, 1])).axes
        assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1\n3", "2\n0", "3\n1"]

    def test_both_backends(self) -> None:
        assert curves(plots.length(backend="reference")) == curves(plots.length())


class TestMoniz2016:
    def test_boxes(self) -> None:
        """The corners of each box, its whiskers, and the line of nDCG@10."""
        figure = plots.moniz_2016(samples=9)
        boxes = paper.boxes_of(paper.PROGRAM, 9, "c")
        for scenario, axes in enumerate(figure.axes, start=1):
            line, *drawn = axes.lines
            chosen = [box for box in boxes if box.scenario == scenario]
            assert set(line.get_ydata()) == {chosen[0].ndcg}
            assert len(chosen) == 4
            for at, box in enumerate(chosen):
                own = [
                    x
                    for x in drawn
                    if at - 0.5 < min(x.get_xdata()) <= max(x.get_xdata()) < at + 0.5
                ]
                assert {y for x in own for y in x.get_ydata()} == set(box.summary)
                (hue,) = {x.get_color() for x in own}
                names = {text.get_color(): text.get_text() for text in figure.axes[0].texts}
                assert names[hue] == f"φ of the {box.reading}"
            assert [tick.get_text() for tick in axes.get_xticklabels()] == [
                "balanced",
                "imbalanced",
            ]
        assert "of 9 samples" in figure.axes[0].get_ylabel()

    def test_points(self, tmp_path: Path) -> None:
        """A point for each hundred items, in the colour of the step, at its two values."""
        write_table(tmp_path / "a_b.csv", [(i, (7 * i) % 101, (3 * i) % 211) for i in range(250)])
        (axes,) = plots.moniz_2016(data=tmp_path, backend="reference").axes
        names = {text.get_color(): text.get_text() for text in axes.texts}
        points = [line for line in axes.lines if line.get_linestyle() == "None"]
        steps = ["1 h", "3 h", "6 h", "12 h"]
        assert [names[line.get_color()] for line in points] == [
            f"by the counts after {step}" for step in steps
        ]
        rankings = paper.rankings_of(read_folder(tmp_path), "reference")
        for line, step in zip(points, paper.STEPS, strict=True):
            (own,) = [x for x in rankings if (x.step, x.k) == (step, 10)]
            assert list(line.get_xdata()) == own.ndcg
            assert list(line.get_ydata()) == own.phi["text"]
            assert len(own.ndcg) == 2
        assert axes.get_title(loc="left").endswith(": a_b")


class TestFiles:
    @pytest.mark.parametrize("name", plots.PLOTS)
    @pytest.mark.parametrize("suffix", plots.FORMATS)
    def test_written_as_the_suffix_says(self, capsys: Capture, name: str, suffix: str) -> None:
        for path in (f"a.{suffix}", f"b.{suffix.upper()}"):
            assert main(["plot", name, *FEW.get(name, []), "-o", path]) == 0
            assert capsys.readouterr() == (f"{path}\n", "")
            assert Path(path).read_bytes().startswith(MAGIC[suffix])
        first, second = Path(f"a.{suffix}"), Path(f"b.{suffix.upper()}")
        assert first.read_bytes() == second.read_bytes()  # no date, no random identifiers

    def test_the_default_file(self, capsys: Capture) -> None:
        assert main(["plot", "length"]) == 0
        assert capsys.readouterr().out == "length.png\n"
        picture = Path("length.png").read_bytes()
        assert picture[16:24] == bytes.fromhex("00000500 000002f8")  # 1280 x 760

    def test_the_text_of_an_svg_is_text(self) -> None:
        assert main(["plot", "length", "--labels", "3,2,0.5", "-o", "a.svg"]) == 0
        texts = {"".join(e.itertext()) for e in ET.parse("a.svg").iter() if e.tag.endswith("text")}  # noqa: S314
        assert {"LNDCG", "nDCG@1", "nDCG@3", "0.5"} < texts

    def test_options(self) -> None:
        assert main(["plot", "expected-dcg", "-M", "4", "-o", "a.svg"]) == 0
        assert "M = 4" in Path("a.svg").read_text("utf-8")
        assert main(["plot", "length", "--backend", "reference", "-o", "b.svg"]) == 0
        assert main(["plot", "length", "-o", "c.svg"]) == 0
        assert Path("b.svg").read_bytes() == Path("c.svg").read_bytes()

    def test_the_style_is_ours_whatever_the_user_s_is(self) -> None:
        usual = plots.encoded(plots.length(), "svg")
        with mpl.rc_context({"font.size": 30, "figure.facecolor": "red", "svg.fonttype": "path"}):
            before = dict(mpl.rcParams)
            assert plots.encoded(plots.length(), "svg") == usual
            assert dict(mpl.rcParams) == before

    def test_the_list(self, capsys: Capture) -> None:
        assert main(["plot"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert max(map(len, out.splitlines())) <= 80
        listed = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
        assert listed == list(plots.PLOTS)
        assert not list(Path().iterdir())


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["lenght"], '"lenght" is no plot; did you mean "length"?; there are "expected-dcg", '),
            (["length", "-o", "a.jpg"], "a.jpg: the suffix says the format of a picture; there "),
            (["length", "-o", "png"], "png: the suffix says"),
            (["length", "-o", "no/a.svg"], "no/a.svg: cannot be written: No such file or dir"),
            (["length", "-M", "4"], "plot: length has no M"),
            (["expected-dcg", "--labels", "1,0"], "plot: expected-dcg has no labels"),
            (["expected-dcg", "-M", "1"], "plot: M is 1; it must be from 2 to 100"),
            (["expected-dcg", "-M", "101"], "plot: M is 101; it must be from 2 to 100"),
            (["expected-dcg", "-M", "x"], 'argument -M: "x": expected a whole number'),
            (["length", "--labels", "1"], "the number of labels is 1; it must be from 2 to 100"),
            (["length", "--labels", "1,x"], 'argument --labels: labels: "x" is no number'),
            (["length", "--labels", "1,-1"], "-1 at list 1, position 1: a label must not be"),
            (["length", "--labels", ",".join(["1"] * 101)], "the number of labels is 101;"),
            (["length", "length"], 'unexpected argument "length"'),
            (["length", "--samples", "3"], "plot: length has no samples"),
            (["moniz-2016", "-M", "3"], "plot: moniz-2016 has no M"),
            (["moniz-2016", "--samples", "100001"], "samples: 100001; it must be from 1 to 100000"),
            (["moniz-2016", "--data", "nowhere"], "nowhere: cannot be read: No such file"),
        ],
    )
    def test_of_the_command(self, capsys: Capture, arguments: list[str], message: str) -> None:
        """One line, and no file."""
        assert main(["plot", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err
        assert err.count("\n") == 1
        assert not list(Path().iterdir())

    @pytest.mark.parametrize(
        ("draw", "arguments"),
        [
            (plots.user_expected_dcg, {"M": 2.5}),
            (plots.user_expected_dcg, {"M": True}),
            (plots.user_expected_dcg, {"priors": []}),
            (plots.user_expected_dcg, {"priors": ["zipf"] * 5}),
            (plots.user_expected_dcg, {"priors": 3}),
            (plots.user_expected_dcg, {"priors": ["zapf"]}),
            (plots.user_expected_dcg, {"discount": "none?"}),
            (plots.length, {"labels": 3}),
            (plots.length, {"labels": "31"}),
            (plots.length, {"k": [1, 2, 3, 4]}),
            (plots.length, {"k": [0]}),
            (plots.length, {"k": 3}),
            (plots.length, {"backend": "gpu"}),
        ],
    )
    def test_of_the_functions(self, draw: Any, arguments: dict[str, Any]) -> None:
        with pytest.raises(rs.InputError):
            draw(**arguments)

    def test_without_matplotlib(self) -> None:
        """A line says what to install; what needs no picture works."""
        code = (
            "import sys; sys.modules['matplotlib'] = None\n"
            "from rankspec.cli import main\n"
            "assert main(['plot']) == 0\n"
            "sys.exit(main(['plot', 'length', '-o', 'a.svg']))\n"
        )
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", code], check=False, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert done.stderr == (
            "rankspec: error: plot: it needs matplotlib, which is not installed: "
            'pip install "rankspec[plot]"\n'
        )
        assert not list(Path().iterdir())
