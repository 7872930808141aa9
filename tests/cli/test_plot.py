"""``rankspec plot`` and ``rs.plots``: what is drawn, into which file, and what is said instead."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import flint
import matplotlib as mpl
import numpy as np
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.cli.main import main
from rankspec.papers import moniz_2016 as paper
from rankspec.papers.karmaker_2022 import experiment, rankers
from rankspec.papers.popularity import read_folder
from tests.formats.tables import write_table
from tests.reference.balls import log, nearest

from ..each import each

pytestmark = pytest.mark.slow  # tests/test_readme.py draws some in the fast lane

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


def process(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with these variables."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "rankspec", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | settings,
    )


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

    @pytest.mark.parametrize("weights", [[1] * 10, np.ones(10), (1.0,) * 12])
    def test_weights_of_ranks_are_a_prior(self, weights: Any) -> None:
        found = curves(plots.user_expected_dcg(priors=(weights, "uniform")))
        own, uniform = found.values()
        assert own == uniform

    def test_long_weights_that_differ_have_names_that_do(self) -> None:
        ones = [1] * 30
        middle = [[1.0] * 15 + [0.5] * n + [0.25] * (15 - n) for n in (1, 2, 3)]
        found = curves(plots.user_expected_dcg(M=30, priors=[ones, *middle]))
        assert len(found) == 4
        assert max(map(len, found)) <= 28

    def test_defaults(self) -> None:
        figure = plots.user_expected_dcg()
        assert [len(values) for values in curves(figure).values()] == [10, 10, 10]
        assert "M = 10" in figure.axes[0].get_title(loc="left")
        assert figure.axes[0].get_ylim()[0] == 0

    @pytest.mark.slow
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

    def test_a_dot_stands_where_a_curve_ends_to_rise_and_its_name_where_it_ends(self) -> None:
        (axes,) = plots.length([2, 0, 1, 0, 0], k=[1, 4]).axes
        ends = {text.get_text(): (text.xy, text.get_color()) for text in axes.texts}
        dots = {
            line.get_color(): (line.get_xdata()[0], line.get_ydata()[0])
            for line in axes.lines
            if len(line.get_xdata()) == 1
        }
        found = curves(axes.figure)
        for name, dot in {"nDCG@1": 1, "nDCG@4": 3}.items():
            end, hue = ends[name]
            assert dots[hue] == (dot, found[name][dot - 1])
            assert end == (5, found[name][-1])
        assert ends["LNDCG"][0] == (5, found["LNDCG"][-1])

    def test_cut_offs_from_the_length_on_share_a_curve(self) -> None:
        found = curves(plots.length([2, 0, 1], k=[4, 1, 3]))
        assert set(found) == {"LNDCG", "nDCG@1", "nDCG@4, @3"}
        assert found["nDCG@4, @3"] == curves(plots.length([2, 0, 1], k=[3]))["nDCG@3"]

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

    @pytest.mark.slow
    def test_points(self, tmp_path: Path) -> None:
        """A point for each hundred items, in the colour of the step, at its two values."""
        write_table(tmp_path / "a_b.csv", [(i, (7 * i) % 101, (3 * i) % 211) for i in range(250)])
        (axes,) = plots.moniz_2016(data=tmp_path, backend="reference").axes
        legend = axes.get_legend()
        names = {text.get_color(): text.get_text() for text in legend.get_texts()}
        points = [line for line in axes.lines if line.get_linestyle() == "None"]
        steps = ["1 h", "3 h", "6 h", "12 h"]
        assert [names[line.get_color()] for line in points] == [
            f"by the counts after {step}" for step in steps
        ]
        rankings = paper.rankings_of(read_folder(tmp_path).tables, "reference")
        for line, step in zip(points, paper.STEPS, strict=True):
            (own,) = [x for x in rankings if (x.step, x.k) == (step, 10)]
            assert list(line.get_xdata()) == own.ndcg
            assert list(line.get_ydata()) == own.phi["text"]
            assert len(own.ndcg) == 2
        assert [line.get_marker() for line in legend.get_lines()] == [
            line.get_marker() for line in points
        ]
        assert axes.get_title(loc="left").endswith("\na_b")

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["W" * 200, "i" * 200, "$a_" * 60])
    def test_a_long_name_of_a_table_fits(self, tmp_path: Path, name: str) -> None:
        write_table(tmp_path / f"{name}.csv", [(i, i % 7, i) for i in range(100)])
        figure = plots.moniz_2016(data=tmp_path, backend="reference")
        figure.draw_without_rendering()
        (title,) = [x for x in figure.axes[0].get_children() if "..." in getattr(x, "_text", "")]
        assert title.get_window_extent().x1 <= figure.bbox.x1


class TestExpectedSp:
    def test_values(self) -> None:
        """By all placements of the relevant items, and by (Np/n)²: the doubles nearest to SP."""
        (axes,) = plots.expected_sp(items=[6], shares=[0.5, 0.01]).axes
        lines = [list(line.get_ydata()) for line in axes.lines]
        assert len(lines) == 4
        for (exactly, by_formula), N_p in zip((lines[:2], lines[2:]), (3, 1), strict=True):
            orders = [
                [int(i in chosen) for i in range(6)] for chosen in combinations(range(6), N_p)
            ]
            for k in range(1, 7):
                adds = [
                    sum(Fraction(sum(R[:i]) * R[i - 1], i) for i in range(1, k + 1)) for R in orders
                ]
                assert exactly[k - 1] == float(sum(adds) / len(adds)) / k
                assert by_formula[k - 1] == float(k * Fraction(N_p, 6) ** 2) / k

    def test_names_have_the_colours(self) -> None:
        figure = plots.expected_sp()
        assert len(figure.axes) == 2
        for axes, n in zip(figure.axes, (10, 100), strict=True):
            hues = {text.get_color(): text.get_text() for text in axes.texts}
            drawn = {line.get_color() for line in axes.lines}
            assert {hues[hue] for hue in drawn} == {f"{n * p // 10} relevant" for p in (2, 5, 8)}
            assert axes.get_xlabel() == f"k, of {n} items"

    def test_what_the_lines_are_stands_in_the_title(self) -> None:
        axes, _ = plots.expected_sp().axes
        assert "\nsolid: exactly; dashed: by the formula" in axes.get_title(loc="left")
        assert axes.get_ylim()[1] < 1.1

    def test_both_backends(self) -> None:
        first, second = (
            [list(line.get_ydata()) for line in plots.expected_sp(backend=backend).axes[0].lines]
            for backend in ("c", "reference")
        )
        assert first == second


class TestBounds:
    def test_curves(self) -> None:
        """Eqs. 5 and 6 for an upper bound of 1, at each value."""
        figure = plots.bounds(lower=[0.25])
        for axes, version in zip(figure.axes, (1, 2), strict=True):
            (_, curve, dot) = axes.lines
            L = Fraction(1, 4)
            for x, y in zip(curve.get_xdata(), curve.get_ydata(), strict=True):
                A = Fraction(x).limit_denominator(1000)
                above, below = (A - L) / (1 - L), (A - L) / L
                by_hand = A * A / (A + L) if version == 1 else above if A >= L else below
                assert y == float(by_hand)
            assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (0.25, (0.125, 0)[version - 1])
            names = [text.get_text() for text in axes.texts if "RLB/IUB" in text.get_text()]
            assert names == ["RLB/IUB = 0.25"] * (version == 1)

    def test_the_names_serve_both(self) -> None:
        """Of UL2 all curves end in (1, 1): the names stand between the panels, by their looks."""
        first, second = plots.bounds().axes
        looks = [
            [(line.get_color(), line.get_linestyle()) for line in axes.lines]
            for axes in (first, second)
        ]
        assert looks[0] == looks[1]
        assert not second.texts
        hues = [text.get_color() for text in first.texts if "RLB/IUB" in text.get_text()]
        assert len(hues) == len(set(hues)) == 3


class TestQueryTypes:
    def test_regions(self) -> None:
        (axes,) = plots.query_types().axes
        assert "uninformative: real ≈ expected (absolute)" in axes.get_title(loc="left")
        texts = {text.get_text(): text.get_position() for text in axes.texts}
        assert set(texts) == {
            "uninformative", "informative", "hard", "easy", "ideal", "worse than random",
        }  # fmt: skip
        for name in ("informative", "ideal"):
            real, expected = texts[name]
            assert real > expected + 0.2
        real, expected = texts["worse than random"]
        assert real < expected

    def test_points_and_histogram(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of ten queries the relevant item is first, of ten it is last."""
        rows = [
            f"{int(rank == (q % 2) * 3)} qid:{q} "
            + " ".join(f"{f}:{4 - rank}" for f in rankers.FEATURES)
            for q in range(20)
            for rank in range(4)
        ]
        (tmp_path / "a.txt").write_text("\n".join(rows))
        figure = plots.query_types(data=tmp_path)
        ndcg, bins, ap, _ = figure.axes
        _, others, uninformative, hard, easy, ideal = ndcg.lines
        assert len(others.get_xdata()) == 16
        assert len(hard.get_xdata()) == len(easy.get_xdata()) == 0
        assert len(uninformative.get_xdata()) == len(ideal.get_xdata()) == 2
        assert set(ideal.get_xdata()) == {1.0}
        assert max(uninformative.get_xdata()) < 0.5
        (expected,) = {
            y for line in ndcg.lines[1:] for y in line.get_ydata()
        }  # of four items one is relevant: the mean of the discounts
        monkeypatch.setattr(flint.ctx, "prec", 200)
        assert expected == nearest(sum((1 / log(i + 1, 2) for i in range(1, 5)), flint.arb(0)) / 4)
        assert [int(text.get_text()) for text in bins.texts] == [0] * 6 + [20] + [0] * 3
        widths = [[bar.get_width() for bar in bars][6] for bars in bins.containers]
        assert widths == [16, 2, 0, 0, 2]  # of the types, as in the legend
        assert [bars[6].get_x() for bars in bins.containers] == [0, 16, 18, 18, 18]
        assert ndcg.get_title(loc="left") == "nDCG of 20 queries"
        assert ap.get_title(loc="left") == "AP of 20 queries"
        (legend,) = figure.legends
        assert [text.get_text() for text in legend.get_texts()] == [
            "other queries", "uninformative: smallest real − expected (signed)", "of these hard",
            "of these easy", "ideal: greatest real − expected",
        ]  # fmt: skip

    def test_hard_and_easy(self, tmp_path: Path) -> None:
        """The relevant item of 40 is last, so that nDCG@30 is 0; of four the only other item is
        first: 0.73, where a random ranking has 0.90.
        """
        queries = [[1, 0, 0, 0]] * 18 + [[0] * 39 + [1], [0, 1, 1, 1]]
        rows = [
            f"{label} qid:{q} " + " ".join(f"{f}:{40 - rank}" for f in rankers.FEATURES)
            for q, labels in enumerate(queries)
            for rank, label in enumerate(labels)
        ]
        (tmp_path / "a.txt").write_text("\n".join(rows))
        study = experiment.originals_of(experiment.read(tmp_path), "c")["nDCG"]
        ndcg, *_ = plots.query_types(data=tmp_path).axes
        _, _, uninformative, hard, easy, _ = ndcg.lines
        assert list(hard.get_xdata()) == [0.0]
        assert list(easy.get_xdata()) == [float(study.real[19])]
        assert list(uninformative.get_xdata()) == []


class TestFiles:
    @pytest.mark.slow
    @pytest.mark.long(but=9)  # each plot, each third as one kind of file
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
        assert {"LNDCG", "nDCG@1", "nDCG@3, @5", "0.5"} < texts

    def test_blanks_between_labels(self) -> None:
        assert main(["plot", "length", "--labels", "2, 1 ,0", "-o", "a.svg"]) == 0
        assert main(["plot", "length", "--labels", "2,1,0", "-o", "b.svg"]) == 0
        assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()

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


class TestWhatIsThereStays:
    """A picture takes the place of another as a whole, or not at all."""

    @pytest.mark.slow
    def test_a_disk_that_is_full(self) -> None:
        """A limit on the size of files, which a picture exceeds."""
        Path("a.svg").write_text("the one that was there")
        code = (
            "import resource, sys\n"
            "sys.dont_write_bytecode = True  # it would be cut off, and there to stay\n"
            "from rankspec.cli.main import main\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
            "sys.exit(main(['plot', 'length', '-o', sys.argv[1]]))\n"
        )
        for name in ("a.svg", "new.svg"):
            done = subprocess.run(  # noqa: S603
                [sys.executable, "-c", code, name], check=False, capture_output=True, text=True
            )
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr == f"rankspec: error: {name}: cannot be written: File too large\n"
        assert Path("a.svg").read_text() == "the one that was there"
        assert [path.name for path in Path().iterdir()] == ["a.svg"]

    def test_an_interruption(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*_: Any) -> None:
            raise KeyboardInterrupt

        Path("a.svg").write_text("the one that was there")
        monkeypatch.setattr(Path, "replace", interrupted)
        assert main(["plot", "length", "-o", "a.svg"]) == 130
        assert Path("a.svg").read_text() == "the one that was there"
        assert [path.name for path in Path().iterdir()] == ["a.svg"]

    def test_permissions_and_links(self) -> None:
        Path("folder").mkdir()
        Path("folder/a.svg").write_text("the one that was there")
        Path("folder/a.svg").chmod(0o640)
        Path("b.svg").symlink_to("folder/a.svg")
        Path("c.svg").touch()  # as a new file
        assert main(["plot", "length", "-o", "b.svg"]) == 0
        assert main(["plot", "length", "-o", "d.svg"]) == 0
        assert Path("b.svg").is_symlink()
        assert Path("folder/a.svg").read_bytes() == Path("d.svg").read_bytes()
        assert Path("folder/a.svg").stat().st_mode & 0o777 == 0o640
        assert Path("d.svg").stat().st_mode == Path("c.svg").stat().st_mode

    def test_a_pipe_is_written_to(self) -> None:
        os.mkfifo("a.svg")
        with subprocess.Popen(["cat", "a.svg"], stdout=subprocess.PIPE) as reader:  # noqa: S607
            assert main(["plot", "length", "-o", "a.svg"]) == 0
            assert reader.communicate()[0].startswith(MAGIC["svg"])
        assert Path("a.svg").is_fifo()

    def test_a_folder(self, capsys: Capture) -> None:
        Path("a.svg").mkdir()
        assert main(["plot", "length", "-o", "a.svg"]) == 2
        assert "a.svg: cannot be written: Is a directory" in capsys.readouterr().err


class TestSurroundings:
    """Nothing that a user has told matplotlib keeps a picture from a file, or says a word."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "settings",
        [{"MPLBACKEND": "foo"}, {"MPLBACKEND": ""}, {"MPLCONFIGDIR": "file"}],
        ids=str,
    )
    def test_variables(self, settings: dict[str, str]) -> None:
        Path("file").touch()
        done = process("plot", "length", "-o", "a.svg", **settings)
        assert (done.returncode, done.stdout, done.stderr) == (0, "a.svg\n", "")
        assert Path("a.svg").read_bytes() == plots.encoded(plots.length(), "svg")

    @pytest.mark.slow
    def test_settings_that_are_wrong(self) -> None:
        Path("matplotlibrc").write_text("foo: bar\nsavefig.pad_inches: x\n")
        done = process("plot", "length", "-o", "a.svg")
        assert (done.returncode, done.stdout, done.stderr) == (0, "a.svg\n", "")

    @pytest.mark.slow
    @pytest.mark.parametrize(("given", "known"), [("svg", "svg"), ("foo", "agg")])
    def test_the_backend_of_a_program_stays(self, given: str, known: str) -> None:
        code = (
            "import os, rankspec as rs\n"
            "rs.plots.length()\n"
            "import matplotlib\n"
            f"assert os.environ['MPLBACKEND'] == {given!r}\n"
            f"assert matplotlib.get_backend().lower() == {known!r}\n"
        )
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code], check=True, env=os.environ | {"MPLBACKEND": given}
        )


def boxes(figure: Any) -> dict[str, Any]:
    """What is written to the right of the curves and below them, with the room that it takes."""
    (axes,) = figure.axes
    figure.draw_without_rendering()
    texts = [*axes.texts, *axes.get_xticklabels()]
    assert len({text.get_text() for text in texts}) == len(texts)
    return {text.get_text(): text.get_window_extent() for text in texts}


class TestOverprinting:
    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize(
        "labels",
        [
            plots.PERFECT_GOOD_BAD,
            [2, 1],
            [1023, 512.5, 3, *[0] * 97],
            [2.123456789, 1.987654321, 0.5, *[0] * 7],
            [0, 0, 0],
            [0, 0, 0, 2, 1],
            [*[0] * 99, 1],
            [1.2345678901234567] * 100,
        ],
        ids=["usual", "two", "hundred", "decimals", "all 0", "late", "last", "hundred decimals"],
    )
    def test_of_a_ranking(self, labels: list[float]) -> None:
        figure = plots.length(labels)
        found = boxes(figure)
        (axes,) = figure.axes
        assert all(found[name.get_text()].y0 >= axes.bbox.y0 for name in axes.texts)
        for one, two in combinations(found, 2):
            assert not found[one].overlaps(found[two]), (one, two)

    @pytest.mark.slow(but=2)
    @pytest.mark.parametrize("M", [2, 10, 100])
    @pytest.mark.parametrize(
        "priors",
        [
            plots.PRIORS,
            ("discount", "log2", "log(b=10)", [1] * 100),
            ([1] * 100, [1] * 99 + [0], [1] * 98 + [0] * 2, "uniform"),
        ],
        ids=["usual", "equal", "near"],
    )
    def test_of_priors(self, M: int, priors: Any) -> None:
        found = boxes(plots.user_expected_dcg(M=M, priors=priors))
        for one, two in combinations(found, 2):
            assert not found[one].overlaps(found[two]), (one, two)

    def test_names_that_are_far_apart_stand_where_their_curves_end(self) -> None:
        figure = plots.user_expected_dcg()
        found = boxes(figure)
        (axes,) = figure.axes
        for text in axes.texts:
            box = found[text.get_text()]
            height = axes.transData.transform(text.xy)[1]
            assert box.y0 < height < box.y1


class TestHelp:
    def test_options_name_plots_that_there_are(self, capsys: Capture) -> None:
        assert main(["plot", "--help"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        named = set(re.findall(r"([a-z]+-[a-z0-9-]+|length|relevance): ", text))
        named |= set(re.findall(r", for ([a-z0-9-]+) \(default", text))
        assert {"query-types", "moniz-2016", "fixed-labels", "length"} <= named
        assert named <= set(plots.PLOTS)


class TestRefusals:
    @each(
        ("arguments", "message"),
        [
            (
                ["lenght"],
                'unknown plot "lenght" (did you mean "length"?); there are "expected-dcg", ',
            ),
            (["length", "-o", "a.jpg"], "a.jpg: the suffix sets the format of the picture; expe"),
            (["length", "-o", "png"], "png: the suffix sets"),
            (["length", "-o", "no/a.svg"], "no/a.svg: cannot be written: No such file or dir"),
            (["length", "-M", "4"], "plot: length does not take M"),
            (["expected-dcg", "--labels", "1,0"], "plot: expected-dcg does not take labels"),
            (["expected-dcg", "-M", "1"], "plot: M is 1; it must be from 2 to 100"),
            (["expected-dcg", "-M", "101"], "plot: M is 101; it must be from 2 to 100"),
            (["expected-dcg", "-M", "0"], "plot: M is 0; it must be from 2 to 100"),
            (["expected-dcg", "-M", "-7"], "plot: M is -7; it must be from 2 to 100"),
            (["expected-dcg", "-M", "x"], 'argument -M: "x": expected a whole number'),
            (["length", "--labels", "1"], "the number of labels is 1; it must be from 2 to 100"),
            (["length", "--labels", "1,x"], 'argument --labels: labels: "x" is not a number'),
            (["length", "--labels", "1,-1"], "labels: the label of rank 2 is -1; a label must no"),
            (["length", "--labels", "1,1024"], "rank 2 is 1024; the gain"),
            (["length", "--labels=-1,2"], "labels: the label of rank 1 is -1; a label must not"),
            (["length", "--labels", "-1,2"], 'an argument that begins with "-" after "="'),
            (["length", "--labels", ""], 'argument --labels: "": expected labels, like 2,1,0'),
            (["length", "--labels", "1,,2"], 'argument --labels: "1,,2": expected labels, like'),
            (["-o", "x.png"], "-o: name a plot, too; expected one of expected-dcg, length"),
            (["-M", "5"], "-M: name a plot, too"),
            (["--labels", "1"], "--labels: name a plot, too"),
            (["length", "-o", ""], "plot: the file name is empty"),
            (["length", "-o", "x.svg/"], "x.svg/: expected a file name, got a folder"),
            (["length", "--labels", ",".join(["1"] * 101)], "the number of labels is 101;"),
            (["length", "length"], 'unexpected argument "length"'),
            (["length", "--samples", "3"], "plot: length does not take samples"),
            (["moniz-2016", "-M", "3"], "plot: moniz-2016 does not take M"),
            (["moniz-2016", "--samples", "100001"], "samples: expected 1 to 100000, got 100001"),
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

    @each(
        ("draw", "arguments"),
        [
            (plots.expected_sp, {"items": []}),
            (plots.expected_sp, {"items": [1]}),
            (plots.expected_sp, {"items": [1001]}),
            (plots.expected_sp, {"shares": [0]}),
            (plots.expected_sp, {"shares": [1]}),
            (plots.expected_sp, {"shares": "x"}),
            (plots.bounds, {"lower": [0.5, 0.5]}),
            (plots.bounds, {"lower": [1.5]}),
            (plots.bounds, {"lower": [0.1] * 5}),
            (plots.query_types, {"data": "nowhere"}),
            (plots.query_types, {"data": ""}),
            (plots.query_types, {"feature": [1]}),
            (plots.user_expected_dcg, {"M": 2.5}),
            (plots.user_expected_dcg, {"M": True}),
            (plots.user_expected_dcg, {"priors": []}),
            (plots.user_expected_dcg, {"priors": ["zipf"] * 5}),
            (plots.user_expected_dcg, {"priors": 3}),
            (plots.user_expected_dcg, {"priors": ["zapf"]}),
            (plots.user_expected_dcg, {"priors": "uniform"}),
            (plots.user_expected_dcg, {"priors": ["zipf", "zipf"]}),
            (plots.user_expected_dcg, {"priors": ["log2", "log(b=2)"]}),
            (plots.user_expected_dcg, {"priors": [1, 1, 1]}),
            (plots.user_expected_dcg, {"priors": [[1, 1]]}),
            (plots.user_expected_dcg, {"discount": "none?"}),
            (plots.length, {"labels": 3}),
            (plots.length, {"labels": "31"}),
            (plots.length, {"k": [1, 2, 3, 4]}),
            (plots.length, {"k": [0]}),
            (plots.length, {"k": [1, 1]}),
            (plots.length, {"k": [[1]]}),
            (plots.length, {"k": [None]}),
            (plots.length, {"labels": [[1], [2]]}),
            (plots.length, {"labels": [1, float("nan")]}),
            (plots.length, {"k": 3}),
            (plots.length, {"backend": "gpu"}),
        ],
    )
    def test_of_the_functions(self, draw: Any, arguments: dict[str, Any]) -> None:
        with pytest.raises(rs.InputError):
            draw(**arguments)

    def test_what_they_say(self) -> None:
        """Of what was given, by the name that it was given by."""
        for arguments, message in (
            ({"labels": [2, -1]}, r"plot: labels: the label of rank 2 is -1; a label must not be"),
            ({"k": [3, 3]}, "plot: k: 3 is listed twice"),
            ({"labels": "31"}, "plot: labels: expected a sequence, got '31'"),
        ):
            with pytest.raises(rs.InputError, match=message):
                plots.length(**arguments)
        for priors, message in (
            ("uniform", "plot: priors: expected a sequence, got 'uniform'"),
            (("zipf", "zipf"), "plot: priors: zipf is listed twice"),
        ):
            with pytest.raises(rs.InputError, match=message):
                plots.user_expected_dcg(priors=priors)

    @pytest.mark.parametrize(
        "raised", ["ImportError('libfoo.so: cannot\\nbe opened')", "OSError('libfoo.so: cannot')"]
    )
    def test_a_broken_matplotlib(self, raised: str) -> None:
        Path("broken/matplotlib").mkdir(parents=True)
        Path("broken/matplotlib/__init__.py").write_text(f"raise {raised}\n")
        path = os.pathsep.join(["broken", os.environ.get("PYTHONPATH", "")])
        done = process("plot", "length", PYTHONPATH=path)
        assert done.returncode == 2
        assert done.stdout == ""
        name = raised.partition("(")[0]
        assert done.stderr.startswith(
            f"rankspec: error: plot: matplotlib cannot be imported: {name}: libfoo.so: cannot"
        )
        assert done.stderr.count("\n") == 1

    def test_without_matplotlib(self) -> None:
        """A line says what to install; what needs no picture works."""
        code = (
            "import sys; sys.modules['matplotlib'] = None\n"
            "from rankspec.cli.main import main\n"
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
