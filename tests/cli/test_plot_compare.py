"""``rankspec plot compare`` and its figures: what is drawn, and what is refused.

One document of each query is relevant: RR, P@1 and R@2 follow from its rank. SciPy has the
statistics.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import pytest
from scipy import stats

import rankspec as rs
from rankspec import plots
from rankspec.cli.main import main
from rankspec.plots.of_comparison import example

from ..each import each
from .running import Capture, complaint, output

pytestmark = pytest.mark.slow  # tests/test_site_plots.py draws one in the fast lane

RED, BLUE = plots.HUES[:2]
FIGURES = tuple(plots.COMPARISON_PLOTS)
LENGTH = 4  # of each list

# Ranks of the relevant document of six queries: A - B by RR is 0, .5, .75, -.5, .25, 0.
A = [1, 1, 1, 2, 2, 4]
B = [1, 2, 4, 1, 4, 4]
# Of twelve queries, as in test_compare.py: "good" is at rank 1 in all but one, the others in two.
HITS = {"good": [1] * 11 + [2], "bad": [1, 1] + [2] * 10, "same": [1, 1] + [2] * 10}


def evaluated(ranks: dict[str, list[int]], measures: Any = "RR") -> dict[str, Any]:
    queries = range(len(next(iter(ranks.values()))))
    qrels = {f"q{q}": {f"d{r}": int(r == 1) for r in range(1, LENGTH + 1)} for q in queries}

    def run(places: list[int]) -> dict[str, dict[str, int]]:
        others = range(2, LENGTH + 1)
        found = {}
        for q, place in enumerate(places):
            ranked = [f"d{r}" for r in others]
            ranked.insert(place - 1, "d1")
            found[f"q{q}"] = {d: LENGTH - i for i, d in enumerate(ranked)}
        return found

    return {name: rs.evaluate(qrels, run(places), measures) for name, places in ranks.items()}


def compared(ranks: dict[str, list[int]], measures: Any = "RR", **how: Any) -> Any:
    return rs.compare(evaluated(ranks, measures), **{"tests": "t", "replicates": 100, **how})


def reciprocal(ranks: list[int]) -> list[float]:
    return [1 / r for r in ranks]


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def rows(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_yticklabels()]


def title(figure: Any) -> str:
    """The lines above the picture, as one."""
    return " ".join(figure._suptitle.get_text().replace("\N{NO-BREAK SPACE}", " ").split())


def file_of_systems(folder: Path, ranks: dict[str, list[int]]) -> list[str]:
    """Qrels and runs, as files."""
    queries = range(len(next(iter(ranks.values()))))
    lines = [f"q{q} 0 d{r} {int(r == 1)}\n" for q in queries for r in range(1, LENGTH + 1)]
    (folder / "qrels.txt").write_text("".join(lines))
    for name, places in ranks.items():
        lines = [f"q{q} Q0 d1 {place} {LENGTH - 0.5 - place} x\n" for q, place in enumerate(places)]
        lines += [
            f"q{q} Q0 d{r} {r} {LENGTH - r} x\n" for q in queries for r in range(2, LENGTH + 1)
        ]
        (folder / name).write_text("".join(lines))
    return ["qrels.txt", *ranks]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return file_of_systems(tmp_path, {"a.run": A, "b.run": B})


class TestMeans:
    @staticmethod
    def points(axes: Any) -> dict[float, tuple[float, str, bool]]:
        """By row the mean, its marker, and whether that is filled."""
        return {
            line.get_ydata()[0]: (
                line.get_xdata()[0],
                line.get_marker(),
                line.get_markerfacecolor() == line.get_color(),
            )
            for line in axes.lines
            if len(line.get_xdata()) == 1
        }

    def test_means_and_intervals(self) -> None:
        (axes,) = plots.comparison_means(compared({"B": B, "A": A})).axes
        assert rows(axes) == ["A", "B"]  # the best first
        found = self.points(axes)
        bars = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2]
        for row, ranks in enumerate((A, B)):
            values = reciprocal(ranks)
            assert found[row][0] == sum(values) / 6
            low, high = stats.t.interval(0.95, 5, sum(values) / 6, stats.sem(values))
            assert bars[row] == pytest.approx([low, high], abs=1e-12)

    def test_the_level_of_intervals(self) -> None:
        figure = plots.comparison_means(compared({"A": A, "B": B}, alpha=0.1))
        bar = figure.axes[0].lines[0].get_xdata()
        low, high = stats.t.interval(0.9, 5, sum(reciprocal(A)) / 6, stats.sem(reciprocal(A)))
        assert list(bar) == pytest.approx([low, high], abs=1e-12)
        assert title(figure).startswith("Means and their 90 % intervals, by t ")

    def test_bootstrap_intervals(self) -> None:
        found = compared({"A": A, "B": B})
        figure = plots.comparison_means(found, interval="bca")
        summary = found["RR"].systems["A"]
        assert tuple(figure.axes[0].lines[0].get_xdata()) == summary.bca != summary.interval
        assert "by the BCa bootstrap" in title(figure)

    def test_what_differs_from_the_best(self) -> None:
        """p is .0004 for good - bad (test_compare.py); bad and same are equal."""
        figure = plots.comparison_means(compared(HITS, "P@1"))
        assert rows(figure.axes[0]) == ["good", "bad", "same"]
        found = self.points(figure.axes[0])
        assert [x[1:] for x in found.values()] == [("s", False), ("o", True), ("o", True)]
        assert (
            "square: the best; filled: differs from it significantly, paired t-test, Holm over 3"
            in (title(figure))
        )

    def test_what_differs_from_the_baseline(self) -> None:
        found = compared(HITS, "P@1", baseline="bad")
        figure = plots.comparison_means(found)
        assert [x[1:] for x in self.points(figure.axes[0]).values()] == [
            ("o", True),
            ("s", False),
            ("o", False),
        ]
        assert "square: the baseline; " in title(figure)

    def test_the_level_decides(self) -> None:
        found = compared(HITS, "P@1", alpha=0.0003)
        assert not any(x[2] for x in self.points(plots.comparison_means(found).axes[0]).values())

    def test_one_query(self) -> None:
        figure = plots.comparison_means(compared({"A": [1], "B": [2]}))
        (axes,) = figure.axes
        assert [len(line.get_xdata()) for line in axes.lines] == [1, 1]
        assert title(figure).endswith("RR: no intervals, there is 1 query")

    def test_a_panel_a_measure(self) -> None:
        figure = plots.comparison_means(compared({"A": A, "B": B}, ["P@1", "RR"]))
        assert [axes.get_xlabel() for axes in figure.axes] == ["mean P@1", "mean RR"]
        assert [self.points(axes)[0][0] for axes in figure.axes] == [0.5, 4.25 / 6]


class TestDifferences:
    def test_bars(self) -> None:
        figure = plots.comparison_differences(compared({"A": A, "B": B}))
        (axes,) = figure.axes
        bars = [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axes.patches[:4]]
        heights = [0.75, 0.5, 0.25, -0.5]
        assert [x for x, _ in bars] == pytest.approx([1, 2, 3, 6])
        assert [y for _, y in bars] == heights
        assert texts(axes) == ["A is better: 3", "B is better: 1"]
        assert axes.get_xlabel() == "6 queries, sorted; 2 equal"
        assert title(figure).startswith("A − B, query by query")

    def test_the_mean_and_its_interval(self) -> None:
        figure = plots.comparison_differences(compared({"A": A, "B": B}))
        (axes,) = figure.axes
        known = stats.ttest_rel(reciprocal(A), reciprocal(B))
        band = axes.patches[4]
        low, high = known.confidence_interval(0.95)
        assert [band.get_y(), band.get_y() + band.get_height()] == pytest.approx([low, high])
        assert axes.lines[0].get_ydata()[0] == pytest.approx(1 / 6)
        assert axes.get_title(loc="left") == f"RR: mean +0.1667, p = {known.pvalue:.4f}"

    def test_the_other_way_round(self) -> None:
        found = compared({"A": A, "B": B})
        there = plots.comparison_differences(found).axes[0]
        back = plots.comparison_differences(found, pair=("B", "A")).axes[0]
        assert [x.get_height() for x in back.patches[:4]] == [0.5, -0.25, -0.5, -0.75]
        ends = [(x.patches[4].get_y(), x.patches[4].get_height()) for x in (there, back)]
        assert ends[1] == pytest.approx((-ends[0][0] - ends[0][1], ends[0][1]))
        assert texts(back) == ["B is better: 1", "A is better: 3"]
        assert back.get_title(loc="left").startswith("RR: mean −0.1667, p = ")

    def test_a_significant_one(self) -> None:
        found = compared(HITS, "P@1")
        axes = plots.comparison_differences(found, pair=("good", "bad")).axes[0]
        assert axes.get_title(loc="left") == "P@1: mean +0.7500, p = 0.0004 *"

    def test_systems_on_sessions_of_their_own(self) -> None:
        """They have no differences by session; the means and the order are drawn."""
        judged, shown = {"d1": 1, "d2": 0}, {"A": ["d1", "d2"], "B": ["d1", "d2", "d2"]}
        by = {
            name: rs.evaluate_sessions(
                {f"{name}{a}": judged for a in range(len(of))},
                {f"{name}{a}": [[x]] for a, x in enumerate(of)},
                ["sDCG@1", "nsDCG@1"],
            )
            for name, of in shown.items()
        }
        found = rs.compare(by, replicates=100)
        with pytest.raises(rs.InputError, match="the design is unpaired: no session is in two"):
            plots.comparison_differences(found)
        assert "Means and their 95" in title(plots.comparison_means(found))
        assert "means over 2 to 3 sessions" in title(plots.comparison_ranks(found))

    def test_equal_systems(self) -> None:
        (axes,) = plots.comparison_differences(compared({"A": A, "B": A})).axes
        assert axes.get_title(loc="left") == "RR: mean +0.0000, no p"
        assert axes.get_ylim() == (-1, 1)
        assert texts(axes) == ["A is better: 0", "B is better: 0"]

    def test_names_do_not_stand_on_bars(self) -> None:
        """All bars are as long as the longest."""
        for ranks in ({"A": [1] * 6, "B": [2] * 6}, {"A": [2] * 6, "B": [1] * 6}):
            figure = plots.comparison_differences(compared(ranks, "P@1"))
            figure.draw_without_rendering()
            (axes,) = figure.axes
            bars = [bar.get_window_extent() for bar in axes.patches[:6]]
            for text in axes.texts:
                assert not any(text.get_window_extent().overlaps(bar) for bar in bars)

    def test_differences_that_are_equal_as_numbers(self) -> None:
        """0.3 - 0.1 and 0.4 - 0.2 are two doubles, and one difference."""
        qrels = {q: {f"d{i}": 1 for i in range(10)} for q in "xy"}

        def run(counts: Any) -> Any:
            return {
                q: {f"d{i}" if i < n else f"e{i}": 10 - i for i in range(10)}
                for q, n in zip("xy", counts, strict=True)
            }

        A, B = (rs.evaluate(qrels, run(n), "P@10") for n in ((3, 4), (1, 2)))
        (axes,) = plots.comparison_differences(rs.compare({"A": A, "B": B}, tests="t")).axes
        first, second = (bar.get_height() for bar in axes.patches[:2])
        assert first == second == 0.2


class TestAsl:
    RANKS: ClassVar = {"A": A, "B": B, "C": [4, 4, 4, 4, 2, 4]}

    def test_curves(self) -> None:
        """Before the correction, the highest first."""
        found = compared(self.RANKS, ["RR", "P@1"])
        (axes,) = plots.comparison_asl(found).axes
        ones = {name: [float(r == 1) for r in ranks] for name, ranks in self.RANKS.items()}
        values = {name: reciprocal(ranks) for name, ranks in self.RANKS.items()}
        for line, of in zip(axes.lines, (values, ones), strict=False):
            p = [stats.ttest_rel(of[a], of[b]).pvalue for a, b in combinations("ABC", 2)]
            assert list(line.get_xdata()) == [1, 2, 3]
            assert list(line.get_ydata()) == pytest.approx(sorted(p, reverse=True))

    def test_counts(self) -> None:
        """Of three pairs two have p = .00012; Holm makes 0.00035 of it; one is undefined."""
        (axes,) = plots.comparison_asl(compared(HITS, "P@1", alpha=0.0003)).axes
        assert texts(axes) == ["P@1: 2 (0); 1 undefined"]
        assert list(axes.lines[0].get_xdata()) == [2, 3]
        (axes,) = plots.comparison_asl(compared(HITS, "P@1")).axes
        assert texts(axes) == ["P@1: 2 (2); 1 undefined"]

    def test_the_level_is_drawn(self) -> None:
        figure = plots.comparison_asl(compared(self.RANKS, alpha=0.02))
        (axes,) = figure.axes
        level = [line for line in axes.lines if list(line.get_ydata()) == [0.02, 0.02]]
        assert len(level) == 1
        assert "α = 0.02" in rows(axes)
        assert "p ≤ α = 0.02, and in brackets those after Holm" in title(figure)

    @pytest.mark.parametrize(
        ("how", "name"),
        [({"tests": "tukey"}, "P@1: 2"), ({"correction": "none"}, "P@1: 2; 1 undefined")],
    )
    def test_nothing_is_in_brackets_without_a_correction(self, how: Any, name: str) -> None:
        figure = plots.comparison_asl(compared(HITS, "P@1", **how))
        assert texts(figure.axes[0]) == [name]
        assert "brackets" not in title(figure)

    def test_no_p_at_all(self) -> None:
        with pytest.raises(rs.InputError, match="no pair has a p by t: all differences are 0"):
            plots.comparison_asl(compared({"A": A, "B": A}))


class TestRanks:
    # Means of P@1: A 2/3, B 1/3, C 1/3; of R@2: 2/3, 1, 1/3
    RANKS: ClassVar = {"A": [1, 1, 4], "B": [1, 2, 2], "C": [1, 4, 4]}

    def test_ranks_ties_and_swaps(self) -> None:
        (axes,) = plots.comparison_ranks(compared(self.RANKS, ["P@1", "R@2"])).axes
        drawn = {text.get_text(): text.get_color() for text in axes.texts}
        curves = {line.get_color(): list(line.get_ydata()) for line in axes.lines[:3]}
        assert curves[drawn["A"]] == [1, 2]
        assert curves[drawn["B"]] == [2.5, 1]
        assert curves[drawn["C"]] == [2.5, 3]
        tau = stats.kendalltau([2, 1, 1], [2, 3, 1]).statistic
        assert f"τ_b {tau:.2f}\n1 swap" in drawn
        assert [text.get_text() for text in axes.get_xticklabels()] == ["P@1", "R@2"]

    def test_no_order(self) -> None:
        (axes,) = plots.comparison_ranks(compared({"A": A, "B": A}, ["P@1", "R@2"])).axes
        assert "τ_b undefined\n0 swaps" in texts(axes)

    def test_one_measure(self) -> None:
        (axes,) = plots.comparison_ranks(compared(self.RANKS, "R@2")).axes
        assert [list(line.get_ydata()) for line in axes.lines[:3]] == [[1], [2], [3]]
        assert texts(axes) == ["B", "A", "C"]

    def test_systems_are_told_apart_without_colour(self) -> None:
        """Sixteen by their dashes and markers."""
        ranks = {f"s{a:02}": [1] * a + [2] * (16 - a) for a in range(16)}
        (axes,) = plots.comparison_ranks(compared(ranks, ["RR", "P@1"])).axes
        looks = {(str(x._dash_pattern), x.get_marker()) for x in axes.lines[:16]}
        assert len(looks) == 16

    def test_no_two_systems_share_hue_and_marker(self) -> None:
        """Nor hue and dashes."""
        ranks = {f"s{a:02}": [1] * a + [2] * (16 - a) for a in range(16)}
        (axes,) = plots.comparison_ranks(compared(ranks, ["RR", "P@1"])).axes
        lines = axes.lines[:16]
        assert len({(x.get_color(), x.get_marker()) for x in lines}) == 16
        assert len({(x.get_color(), str(x._dash_pattern)) for x in lines}) == 16


class TestSignificance:
    # By P@1 the first is the better in 12 queries of 24, by R@2 the second is in the other 12.
    OPPOSITE: ClassVar = {"first": [1] * 12 + [4] * 12, "second": [2] * 24, "third": [2] * 23 + [1]}

    @staticmethod
    def cells(axes: Any) -> dict[tuple[float, float], str]:
        """By column and row what stands in the filled cells, and × in those without p."""
        return {
            (line.get_xdata()[0], round(line.get_ydata()[0])): line.get_marker()
            for line in axes.lines
        }

    def test_arrows_point_to_the_better_system(self) -> None:
        figure = plots.comparison_significance(compared(self.OPPOSITE, ["P@1", "R@2"]))
        first, second = figure.axes
        # rows by P@1: first .5, third 1/24, second 0
        names = [text.get_text() for text in first.texts if text.get_text() in self.OPPOSITE]
        assert names == ["first", "third", "second"]
        assert self.cells(first) == {(0, 1): "^", (0, 2): "^"}
        assert self.cells(second) == {(0, 1): ">", (0, 2): ">", (1, 2): "x"}
        filled = [len([p for p in axes.patches if p.get_alpha()]) for axes in (first, second)]
        assert filled == [2, 2]

    def test_p_values(self) -> None:
        ranks = {"A": A, "B": B}
        (axes,) = plots.comparison_significance(compared(ranks)).axes
        p = stats.ttest_rel(reciprocal(A), reciprocal(B)).pvalue
        assert texts(axes) == ["A", f"{p:.4f}", "B"]
        assert self.cells(axes) == {}

    def test_a_baseline(self) -> None:
        found = compared(HITS | {"worst": [2] * 12}, ["P@1", "RR"], baseline="good")
        figure = plots.comparison_significance(found)
        (axes,) = figure.axes
        assert rows(axes) == ["bad", "same", "worst"]
        assert self.cells(axes) == {(c, r): "v" for c in range(2) for r in range(3)}
        assert title(figure).startswith("Significant differences from the baseline, good filled: ")
        lower = compared(HITS, "P@1", baseline="bad")
        assert self.cells(plots.comparison_significance(lower).axes[0]) == {
            (0, 0): "^",
            (0, 1): "x",
        }

    def test_p_values_have_no_room_in_many_cells(self) -> None:
        ranks = {f"s{a}": [1] * a + [2] * (9 - a) for a in range(9)}
        (axes,) = plots.comparison_significance(compared(ranks)).axes
        assert sorted(texts(axes)) == sorted(ranks)

    def test_the_test_that_is_asked_for(self) -> None:
        found = compared(HITS, "P@1", tests=["t", "sign"])
        p = {name: found["P@1"]["good", "bad"].tests[name].corrected for name in ("t", "sign")}
        for name, value in p.items():
            (axes,) = plots.comparison_significance(found, test=name).axes
            assert f"{value:.4f}" in texts(axes)
        assert f"{p['t']:.4f}" != f"{p['sign']:.4f}"


LONG = "a-neural-reranker-with-a-long-name-of-its-file"


def many(n: int, measures: Any, name: str = "run", **how: Any) -> Any:
    ranks = {f"{name}-{a}": [1 + (q * (a + 2) + a) % LENGTH for q in range(30)] for a in range(n)}
    return compared(ranks, measures, **how)


ONE, FOUR = ["RR"], ["RR", "P@1", "R@2", "nDCG(gain='exp2', discount='log(b=3)')@3"]
INPUTS: dict[str, Any] = {
    "the example": lambda: None,
    "2 systems, 1 measure": lambda: compared({"A": A, "B": B}),
    "2 systems, 4 measures": lambda: compared({"A": A, "B": B}, FOUR),
    "12 systems, 4 measures": lambda: many(12, FOUR),
    "12 long names, 1 measure": lambda: many(12, ONE, LONG),
    "12 long names, 4 measures": lambda: many(12, FOUR, LONG),
    "12 long names, a baseline": lambda: many(12, FOUR, LONG, baseline=f"{LONG}-3"),
    "30 systems": lambda: many(30, ["RR", "P@1"]),
    "names with signs of formulas": lambda: compared({"$a_b$": A, "$c^2": B}, ["RR", "P@1"]),
    "equal systems, and another": lambda: compared({"A": A, "B": A, "C": B}, ["RR", "P@1"]),
    "two queries": lambda: compared({"A": [1, 2], "B": [1, 1]}),
}


@pytest.mark.slow(but=1)
@pytest.mark.long(but=2)
@pytest.mark.parametrize("figure", FIGURES)
@each("given", INPUTS.values(), ids=INPUTS, fast=3)
def test_no_text_stands_on_another(figure: str, given: Any) -> None:
    """Whatever is written is in the picture, and has room."""
    found = given()
    options = {}
    if figure == "differences" and found is not None:
        x = found.measures["RR"].differences[-1]
        options = {"pair": (x.first, x.second)}
    drawn = plots.COMPARISON_PLOTS[figure].draw(found, **options)
    drawn.draw_without_rendering()
    written = [drawn._suptitle]
    for axes in drawn.axes:
        written += [*axes.texts, axes._left_title, axes.xaxis.label, axes.yaxis.label]
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            written += [
                tick.label1
                for tick in axis.get_major_ticks()
                if tick.label1.get_visible() and min(low, high) <= tick.get_loc() <= max(low, high)
            ]
    for text in written:
        assert not ("$" in text.get_text() and text.get_parse_math())
    boxes = {
        (n, text.get_text()): text.get_window_extent()
        for n, text in enumerate(written)
        if text.get_text() and text.get_visible()
    }
    whole = drawn.bbox.padded(1)
    for text, box in boxes.items():
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text
    for one, two in combinations(boxes, 2):
        a, b = boxes[one], boxes[two]
        apart = min(a.x1, b.x1) <= max(a.x0, b.x0) or min(a.y1, b.y1) <= max(a.y0, b.y0) + 1
        assert apart, (one, two)


class TestCommand:
    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize("figure", FIGURES)
    def test_files(self, figure: str, files: list[str], capsys: Capture) -> None:
        """The picture of the files is that of their comparison."""
        found = compared({"a.run": A, "b.run": B}, ["RR", "P@1"], alpha=0.2, correction="bh")
        arguments = ["-m", "RR,P@1", "--alpha", "0.2", "--correction", "bh"]
        out = output(capsys, "plot", "compare", figure, *files, *arguments, "-o", "a.svg")
        assert out == "a.svg\n"
        drawn = plots.COMPARISON_PLOTS[figure].draw(found)
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")

    @pytest.mark.parametrize("figure", FIGURES)
    def test_the_example_without_files(self, figure: str, capsys: Capture) -> None:
        out = output(capsys, "plot", "compare", figure, "--replicates", "100")
        assert out == f"compare-{figure}.png\n"
        assert output(capsys, "plot", f"compare-{figure}", "-o", "a.png") == "a.png\n"
        assert Path("a.png").read_bytes() == Path(f"compare-{figure}.png").read_bytes()

    def test_a_baseline_and_a_pair_are_names_or_paths(self, capsys: Capture) -> None:
        Path("runs").mkdir()
        given = file_of_systems(Path("runs"), {"a.run": A, "b.run": B, "c.run": A})
        paths = [f"runs/{name}" for name in given]
        found = compared({"a.run": A, "b.run": B, "c.run": A}, baseline="b.run")
        drawn = plots.encoded(plots.comparison_differences(found, pair=("b.run", "c.run")), "svg")
        for prefix in ("", "runs/"):
            words = ["--baseline", f"{prefix}b.run", "--pair", f"{prefix}b.run", f"{prefix}c.run"]
            output(
                capsys, "plot", "compare", "differences", *paths, *words, "-m", "RR", "-o", "a.svg"
            )
            assert Path("a.svg").read_bytes() == drawn

    def test_features_of_a_letor_file(self, capsys: Capture) -> None:
        file = Path(rs.__file__).parent / "example/letor.txt"
        arguments = ["--letor", str(file), "--feature", "1", "2", "-1", "-m", "AP"]
        more = ["--pair", "2", "-1", "-o", "a.svg"]
        output(capsys, "plot", "compare", "differences", *arguments, *more)
        words = {"".join(e.itertext()) for e in ET.parse("a.svg").iter() if e.tag.endswith("text")}  # noqa: S314
        assert "feature 2 − feature -1, query by query" in words

    def test_options_of_figures(self, files: list[str], capsys: Capture) -> None:
        arguments = ["-m", "RR", "--interval", "bca", "--test", "wilcoxon", "--replicates", "100"]
        output(capsys, "plot", "compare", "means", *files, *arguments, "-o", "a.svg")
        found = compared({"a.run": A, "b.run": B}, tests="wilcoxon")
        drawn = plots.comparison_means(found, interval="bca")
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")

    def test_characters_that_the_font_lacks(self, files: list[str], capsys: Capture) -> None:
        """One line, not a warning of matplotlib a character; none where text stays text."""
        qrels, first, *others = files
        wide = Path(first).rename(Path(first).with_name("系统.run"))
        words = ["plot", "compare", "means", qrels, str(wide), *others, "-m", "RR", "-o"]
        assert main([*words, "a.png"]) == 0
        assert capsys.readouterr() == (
            "a.png\n",
            "rankspec: warning: a.png: the font has no glyph for 系 统; "
            "a picture with the suffix .svg keeps the characters\n",
        )
        assert output(capsys, *words, "a.svg") == "a.svg\n"
        assert "系统.run" in Path("a.svg").read_text(encoding="utf-8")

    def test_the_list(self, capsys: Capture) -> None:
        out = output(capsys, "plot", "compare")
        assert max(map(len, out.splitlines())) <= 80
        assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == list(FIGURES)
        assert not list(Path().iterdir())

    def test_its_help_is_its_own(self, capsys: Capture) -> None:
        assert output(capsys, "plot", "compare", "--help").startswith(
            "usage: rankspec plot compare"
        )
        assert output(capsys, "plot", "--help").startswith("usage: rankspec plot [NAME]")


@each(
    ("words", "said"),
    [
        ("mean FILES", 'unknown figure "mean" (did you mean "means"?); expected one of means, '),
        ("FILES",
         'unknown figure "qrels.txt"; expected one of means, differences, asl, ranks, '
         "significance"),
        ("-o a.png",
         "-o: name a figure, too; expected one of means, differences, asl, ranks, "
         "significance"),
        ("--pair a b", "--pair: name a figure, too; expected one of means"),
        ("means qrels.txt", "qrels.txt: this is read as QRELS; the files RUN are missing"),
        ("means qrels.txt a.run", "systems: expected two or more, got 1"),
        ("means -m AP", "-m: give QRELS and RUN files, too; without files the example is drawn"),
        ("means --ties best",
         "--ties: give QRELS and RUN files, too; "
         "without files the example is drawn"),
        ("means --grades 1=2",
         "--grades: give QRELS and RUN files, too; "
         "without files the example is drawn"),
        ("means FILES --pair a.run b.run", "--pair has no effect on means"),
        ("ranks FILES --test t", "--test has no effect on ranks"),
        ("asl FILES --interval t", "--interval has no effect on asl"),
        ("means FILES --interval bac",
         'unknown interval "bac" (did you mean "bca"?); '
         'expected one of t, '),
        ("means FILES --test t sign", "--test: a figure shows one test; got t, sign"),
        ("means FILES --test bayes", "plot: test: bayes gives probabilities, not p-values, so"),
        ("means FILES --test tt", 'test: unknown name "tt" (did you mean "t"?)'),
        ("means FILES -o a.gif",
         "a.gif: the suffix sets the format of the picture; "
         "expected one of .png"),
        ("means FILES -m RR,P@1,P@2,P@3,P@4", "the number of measures is 5; it must be from"),
        ("significance FILES -m RR,P@1,P@2,P@3,P@4", "measures without a baseline is 5; it"),
        ("differences FILES c.run", "pair: name two systems (--pair A B)"),
        ("differences FILES c.run", "the pairs are a.run - b.run, a.run - c.run, b.run - c.run"),
        ("differences FILES --pair a.run x", 'pair: unknown system "x"; expected one of '),
        ("differences FILES --pair a.run a.run", 'pair: "a.run" is given twice'),
        ("differences FILES c.run --baseline a.run --pair b.run c.run", '"b.run" and "c.run" '),
        ("asl qrels.txt b.run c.run", "plot: no pair has a p by t: all differences are 0"),
        ("means FILES --baseline x", 'baseline: unknown system "x"'),
        ("means qrels.txt a.run none.run", "none.run: cannot be read"),
    ],
)  # fmt: skip
def test_refused(words: str, said: str, files: list[str], capsys: Capture) -> None:
    """One line, no picture, and the one that was there stays."""
    Path("compare-means.png").write_text("as it was")
    Path("c.run").write_text(Path("b.run").read_text())
    before = set(Path().iterdir())
    given = [x for word in words.split() for x in (files if word == "FILES" else [word])]
    assert said in complaint(capsys, "plot", "compare", *given)
    assert set(Path().iterdir()) == before
    assert Path("compare-means.png").read_text() == "as it was"


def test_what_is_no_comparison() -> None:
    found = compared({"A": A, "B": B})
    for given, words in (
        (
            evaluated({"A": A, "B": B}),
            r"plot: found: expected a result of rankspec\.compare\(\), got ",
        ),
        (many(31, "RR"), "plot: the number of systems is 31; it must be from 2 to 30"),
    ):
        for figure in plots.COMPARISON_PLOTS.values():
            with pytest.raises(rs.InputError, match=words):
                figure.draw(given)
    for pair in ("AB", ("A",), ("A", "B", "C"), 3, {"A": "B"}):
        with pytest.raises(rs.InputError, match="plot: pair: expected the names of two systems"):
            plots.comparison_differences(found, pair=pair)  # type: ignore[arg-type]
    for test in ("sign", 3, ["t"]):
        with pytest.raises(
            rs.InputError, match=r"plot: test: the comparison has no test .*; expected"
        ):
            plots.comparison_asl(found, test=test)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match='plot: interval: unknown interval "3"'):
        plots.comparison_means(found, interval=3)  # type: ignore[arg-type]


def test_the_first_test_with_p_values_is_drawn() -> None:
    found = compared({"A": A, "B": B}, tests=["bayes", "sign", "t"])
    assert "sign test, Holm" in title(plots.comparison_means(found))


def test_the_example_has_what_figures_show() -> None:
    """Systems that swap, differences that are significant and some that are not."""
    found = rs.compare(example("ranks"), tests="t", replicates=100)
    assert min(tau for tau in found.agreement.values() if tau is not None) < 1
    marks = {x.tests["t"].significant for x in found["AP"].differences}
    assert marks == {True, False}
