"""``rankspec session plot`` and its figures: what is drawn of which sessions, and what is refused.

Expected values are sums of gains, without discounts; tests/api/test_session_averages.py has others.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.cli.main import main

from ..each import each
from ..formats.session_files import as_lines

pytestmark = pytest.mark.slow  # tests/test_readme.py draws some in the fast lane

Capture = pytest.CaptureFixture[str]

PLAIN = ["--discount", "none", "--query-discount", "none"]
HOW: Any = {"discount": "none", "query_discount": "none"}
JUDGMENTS = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"a": 3}}
TOPICS = {"s1": "1", "s2": "1", "s3": "2"}
FIRST = {"s1": [["a", "c"]], "s2": [["c"], ["b", "a"]], "s3": [["a"]]}
SECOND = {"s1": [["b", "a"], [], ["a", "b"]]}
FIGURES = tuple(plots.SESSION_PLOTS)
BY_RANK = tuple(name for name in FIGURES if name != "sensitivity")  # which is of bases, all topics


def judged(sessions: Any) -> Any:
    return rs.judge_sessions(JUDGMENTS, sessions, topics=TOPICS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files() -> list[str]:
    """Judgments and two systems, and the map of their topics."""
    qrels = [f"{t} 0 {d} {x}\n" for t, labels in JUDGMENTS.items() for d, x in labels.items()]
    Path("qrels.txt").write_text("".join(qrels))
    Path("first.tsv").write_bytes(as_lines(FIRST))
    Path("second.tsv").write_bytes(as_lines(SECOND))
    Path("map.txt").write_text("".join(f"{s} {t}\n" for s, t in TOPICS.items()))
    return ["qrels.txt", "first.tsv", "second.tsv", "--topics", "map.txt"]


def curves(axes: Any) -> dict[tuple[str, str], list[float]]:
    """The values of each curve, by its hue and dashes."""
    drawn = [line for line in axes.lines if len(line.get_xdata()) > 2]  # no boundary of queries
    for line in drawn:
        assert list(line.get_xdata()) == list(range(1, len(line.get_xdata()) + 1))
    return {
        (str(line.get_color()), "-" if line.get_linestyle() == "-" else "--"): list(
            line.get_ydata()
        )
        for line in drawn
    }


def names(axes: Any) -> dict[str, str]:
    """What is written beside curves: text by text, its hue."""
    return {text.get_text(): text.get_color() for text in axes.texts}


def ticks(axes: Any) -> dict[str, float]:
    labels = (text.get_text() for text in axes.get_xticklabels())
    return dict(zip(labels, map(float, axes.get_xticks()), strict=True))


RED, BLUE = plots.HUES[:2]


class TestLastQuery:
    def test_curves(self) -> None:
        """Last: a c | b a | a: 1 1, 2 3, 3 3; the other one gains nothing. b a | - | a b: 2 3, 0 0
        and last 1 3."""
        systems = {"first": judged(FIRST), "second": judged(SECOND)}
        (axes,) = plots.last_query(systems, k=3, **HOW).axes
        assert curves(axes) == {
            (RED, "-"): [2.0, 7 / 3, 7 / 3],
            (RED, "--"): [0.0, 0.0, 0.0],
            (BLUE, "-"): [1.0, 3.0, 3.0],
            (BLUE, "--"): [1.0, 1.5, 1.5],
        }
        assert names(axes) == {
            "first: last (3)": RED,
            "first: others (1)": RED,
            "second: last (1)": BLUE,
            "second: others (2)": BLUE,
        }

    def test_no_other_queries(self) -> None:
        (axes,) = plots.last_query({"first": judged({"s1": [["b", "a", "c"]]})}, **HOW).axes
        assert curves(axes) == {(RED, "-"): [2.0, 3.0, 3.0]}
        assert names(axes) == {"last (1)": RED}
        assert axes.get_title(loc="left").startswith("Last queries of sessions and all others: fir")

    @pytest.mark.parametrize(("longest", "ranks"), [(3, 3), (100, 100), (120, 100)])
    def test_the_longest_list_and_at_most_100_ranks(self, longest: int, ranks: int) -> None:
        documents = [f"d{i}" for i in range(longest)]
        (axes,) = plots.last_query({"a": judged({"s1": [documents]})}).axes
        assert len(curves(axes)[RED, "-"]) == ranks

    def test_a_filter(self) -> None:
        how = {"topic": "1", "least_queries": 2, **HOW}
        (axes,) = plots.last_query({"first": judged(FIRST)}, k=3, **how).axes
        assert curves(axes)[RED, "-"] == [2.0, 3.0, 3.0]
        assert " of topic 1 with 2+ queries " in axes.get_title(loc="left")


class TestAverage:
    def test_sdcg(self) -> None:
        """Held 1 1, 0 0 2 3, 3 3; and 2 3 3 3 4 6: both go on to the third query."""
        systems = {"first": judged(FIRST), "second": judged(SECOND)}
        above, below = plots.average_session(systems, k=2, normalised=False, **HOW).axes
        assert curves(above) == {
            (RED, "-"): [4 / 3, 4 / 3, 2.0, 7 / 3, 7 / 3, 7 / 3],
            (BLUE, "-"): [2.0, 3.0, 3.0, 3.0, 4.0, 6.0],
        }
        assert names(above) == {"first: 3 sessions": RED, "second: 1 session": BLUE}
        assert above.get_ylabel() == "sDCG"
        strips = {patch.get_edgecolor(): patch.get_data() for patch in below.patches}
        first, second = strips.values()
        assert list(first.edges) == list(second.edges) == [0.5, 2.5, 4.5, 6.5]
        assert list(first.values) == [1.0, 1 / 3, 0.0]
        assert list(second.values) == [1.0, 1.0, 1.0]

    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize(
        ("finished", "columns", "line"),
        [
            # sDCG 1 1 1 1, 0 0 2 3 and 3 3 3 3; ideal 2 3 5 6, the same, and 3 3 6 6
            ("held", [(1 / 2, 0, 1), (1 / 3, 0, 1), (1 / 3, 2 / 5, 1), (1 / 3, 1 / 2, 1)],
             "a session that has ended keeps its share of the ideal gain"),
            ("continued",
             [(1 / 2, 0, 1), (1 / 3, 0, 1), (1 / 5, 2 / 5, 1 / 2), (1 / 6, 1 / 2, 1 / 2)],
             "ideal sessions go on when a session has ended"),
            ("average", [(4 / 7,), (4 / 9,), (6 / 16,), (7 / 18,)],
             "average gain over that of ideal sessions, which go on"),
        ],
    )  # fmt: skip
    def test_readings(self, finished: str, columns: Any, line: str) -> None:
        above, _ = plots.average_session({"a": judged(FIRST)}, k=2, finished=finished, **HOW).axes
        means = [float(sum(map(Fraction, column)) / len(column)) for column in columns]
        assert curves(above)[RED, "-"] == means
        end = f"\n{line}\ngain linear; discounts none, of queries none\njudged by: topic"
        assert above.get_title(loc="left").endswith(end)
        assert above.get_ylabel() == "nsDCG"

    def test_where_queries_begin(self) -> None:
        above, below = plots.average_session({"a": judged(SECOND)}, k=10).axes
        assert ticks(below) == {"Q1": 5.5, "Q2": 15.5, "Q3": 25.5}
        for axes in (above, below):
            boundaries = [line.get_xdata() for line in axes.lines if len(line.get_xdata()) == 2]
            assert [list(x) for x in boundaries] == [[10.5, 10.5], [20.5, 20.5]]
            assert axes.get_xlim() == (0.5, 30.5)

    def test_names_of_queries_that_have_room(self) -> None:
        many = {"s1": [["a"]] * 40}
        _, below = plots.average_session({"a": judged(many)}, k=1).axes
        found = ticks(below)
        assert list(found)[:2] == ["Q1", "Q4"]
        assert all(at == int(name[1:]) for name, at in found.items())


class TestScenario:
    def test_curves(self) -> None:
        (axes,) = plots.scenario(
            {"first": judged(FIRST), "second": judged(SECOND)}, topic="1", k=2, least_queries=2,
            **HOW,
        ).axes  # fmt: skip
        assert curves(axes) == {
            (RED, "-"): [0.5, 0.5, 1.5, 2.0, 2.0, 2.0],
            (RED, "--"): [0.0, 0.0, 2.0, 3.0, 3.0, 3.0],
            (BLUE, "-"): [2.0, 3.0, 3.0, 3.0, 4.0, 6.0],
            (BLUE, "--"): [2.0, 3.0, 3.0, 3.0, 4.0, 6.0],
        }
        assert names(axes) == {
            "first: 2 sessions": RED,
            "first: 1 with 2+ queries": RED,
            "second: 1 session": BLUE,
            "second: 1 with 2+ queries": BLUE,
        }
        assert "Sessions of topic 1 on average" in axes.get_title(loc="left")

    def test_the_one_topic_there_is(self) -> None:
        (axes,) = plots.scenario({"a": judged(SECOND)}, least_queries=3).axes
        assert "Sessions of topic 1 on average" in axes.get_title(loc="left")

    def test_no_topics(self) -> None:
        alone = rs.judge_sessions({"x": {"a": 1}}, {"x": [["a"]] * 4})
        (axes,) = plots.scenario({"a": alone}, k=1, **HOW).axes
        assert curves(axes)[RED, "--"] == [1.0, 2.0, 3.0, 4.0]


class TestSessions:
    def test_curves(self) -> None:
        figure = plots.individual_sessions({"A": judged(FIRST), "B": judged(SECOND)}, k=2, **HOW)
        first, second = figure.axes
        drawn = {line.get_color(): list(line.get_ydata()) for line in first.lines[:6:2]}
        assert drawn == {
            RED: [1.0] * 6,
            BLUE: [0.0, 0.0, 2.0, 3.0, 3.0, 3.0],
            plots.HUES[2]: [3.0] * 6,
        }
        ends = [(line.get_xdata()[0], line.get_ydata()[0]) for line in first.lines[1:6:2]]
        assert ends == [(2, 1.0), (4, 3.0), (2, 3.0)]
        assert names(first) == {"s1": RED, "s2": BLUE, "s3": plots.HUES[2]}
        assert list(second.lines[0].get_ydata()) == [2.0, 3.0, 3.0, 3.0, 4.0, 6.0]
        assert first.get_title(loc="left") == "A\n3 sessions"
        assert second.get_title(loc="left") == "B\n1 session"

    def test_a_filter(self) -> None:
        how = {"topic": "1", "least_queries": 2, **HOW}
        (axes,) = plots.individual_sessions({"A": judged(FIRST)}, k=2, **how).axes
        assert list(names(axes)) == ["s2"]
        assert axes.get_title(loc="left") == "A\n1 session of topic 1 with 2+ queries"

    @pytest.mark.parametrize(("n", "named"), [(16, 16), (17, 0)])
    def test_as_many_have_names_as_are_told_apart(self, n: int, named: int) -> None:
        many = {f"s{a}": [["a"], ["b"][: a % 2]] for a in range(n)}
        found = rs.judge_sessions({s: {"a": 1, "b": 1} for s in many}, many)
        (axes,) = plots.individual_sessions({"A": found}, k=3, **HOW).axes
        assert len(axes.texts) == named
        looks = {(line.get_color(), str(line._dash_pattern)) for line in axes.lines[: 2 * n : 2]}
        assert len(looks) == (n if named else 1)


class TestPictures:
    """Whatever is drawn is in the picture, and no name stands on another."""

    @staticmethod
    def check(figure: Any) -> None:
        figure.draw_without_rendering()
        whole = figure.bbox.padded(1)
        for axes in figure.axes:
            texts = [*axes.texts, axes._left_title, axes.yaxis.label, figure._supxlabel]
            for text in texts:
                if text is not None and text.get_text():
                    box = text.get_window_extent()
                    assert whole.x0 <= box.x0 < box.x1 <= whole.x1, text
                    assert whole.y0 <= box.y0 < box.y1 <= whole.y1, text
            for a, b in combinations(
                [text.get_window_extent() for text in [*axes.texts, axes._left_title]], 2
            ):
                assert min(a.x1, b.x1) <= max(a.x0, b.x0) or (
                    min(a.y1, b.y1) <= max(a.y0, b.y0) + 1
                )

    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize("name", FIGURES)
    def test_of_the_example(self, name: str) -> None:
        self.check(plots.SESSION_PLOTS[name].draw())

    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize("name", FIGURES)
    @pytest.mark.parametrize("n", [1, 4])
    def test_of_long_names(self, name: str, n: int) -> None:
        sessions = {f"{'session' * 9}-{a}": [["a", "b"], ["b"]] for a in range(16)}
        found = rs.judge_sessions({s: {"a": 1, "b": 1} for s in sessions}, sessions)
        systems = {f"{'a-long-name-of-a-file' * 4}-{a}.tsv": found for a in range(n)}
        options = {"least_queries": 2} if name == "scenario" else {}
        self.check(plots.SESSION_PLOTS[name].draw(systems, **options))

    @pytest.mark.parametrize("name", BY_RANK)
    def test_of_one_rank(self, name: str) -> None:
        """One session of one query, of which one result is looked at: a dot."""
        found = {"A": judged({"s1": [["a"]]})}
        options = {"least_queries": 1} if name == "scenario" else {}
        axes = plots.SESSION_PLOTS[name].draw(found, k=1, **options).axes[0]
        assert (list(axes.lines[0].get_xdata()), list(axes.lines[0].get_ydata()))[0] == [1]
        assert "o" in [line.get_marker() for line in axes.lines]

    @pytest.mark.parametrize("name", BY_RANK)
    def test_of_no_queries(self, name: str) -> None:
        nothing = {"A": judged({"s1": []})}
        other = {"B": judged({"s1": [], "s3": [["a"]]})}
        for systems, topic in ((nothing, None), (nothing | other, "1")):
            with pytest.raises(rs.InputError, match="plot: no session has a query"):
                plots.SESSION_PLOTS[name].draw(systems, topic=topic)

    @pytest.mark.parametrize("name", FIGURES)
    def test_of_empty_lists(self, name: str) -> None:
        found = {"A": judged({"s1": [[]] * 4})}
        axes = plots.SESSION_PLOTS[name].draw(found).axes[0]
        assert set(axes.lines[0].get_ydata()) == {0.0}

    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize("name", FIGURES)
    def test_both_backends(self, name: str) -> None:
        first, second = (
            plots.encoded(plots.SESSION_PLOTS[name].draw(backend=backend), "svg")
            for backend in ("c", "reference")
        )
        assert first == second

    def test_what_the_gain_is(self) -> None:
        figure = plots.average_session(
            gain="exp2", discount=lambda i: 1 / i, query_discount="jiang-2016(b=3)"
        )
        assert (
            figure.axes[0]
            .get_title(loc="left")
            .endswith("\ngain exp2; discounts a function, of queries jiang-2016(b=3)")
        )

    @pytest.mark.slow
    def test_what_differs_from_the_defaults(self) -> None:
        """In the last line, beside how many sessions of each system are left out."""
        more = {**FIRST, "s4": [["a"]], "s5": []}
        a = rs.judge_sessions(JUDGMENTS, more, topics=TOPICS, pool="retrieved", grades={3: 1})
        b = rs.judge_sessions({"s1": {"a": 1}}, {"s1": [["a"]]})
        how: Any = {"ideal": "spread", "repeats": 0.5}

        def last_line(systems: Any, **how: Any) -> str:
            (line,) = (
                plots.average_session(systems, **how)
                .axes[0]
                .get_title(loc="left")
                .split("of queries jarvelin-2008(b=4)")[1:]
            )
            return str(line)

        assert last_line({"b": b}) == ""
        assert last_line({"b": b}, repeats="every", ideal="repeated") == ""
        assert last_line({"b": b}, repeats="first") == "\nrepeats: first"
        said = "\nleft out: 2; judged by: topic; pool: retrieved; grades: 3=1"
        assert last_line({"a": a}) == said
        both = "\nrepeats: 0.5; ideal: spread; left out: 2, 0; judged by: topic or session;"
        more_of_both = "\npool: retrieved or judged; grades: 3=1 or as they are"
        assert last_line({"a": a, "b": b}, **how) == both + more_of_both
        (axes,) = plots.individual_sessions({"a": a}).axes
        assert axes.figure._supxlabel.get_text().endswith(said)  # type: ignore[union-attr]

    def test_the_line_of_a_name(self) -> None:
        """Sessions of one hue have a piece of their own line before their names."""
        many = {f"s{n}": [["a"], ["b"]] for n in range(8)}
        found = rs.judge_sessions({s: {"a": 1, "b": 1} for s in many}, many)
        (axes,) = plots.individual_sessions({"A": found}, k=3).axes
        curves_of = [(x.get_color(), str(x._dash_pattern)) for x in axes.lines[:16:2]]
        samples = [x for x in axes.lines if list(x.get_xdata()) == [9, 29]]
        looks = [(x.get_color(), x.get_linestyle()) for x in samples]
        assert len(set(curves_of)) == len(set(looks)) == 8
        assert [x[0] for x in looks] == [text.get_color() for text in axes.texts]
        axes.figure.draw_without_rendering()
        for sample, text in zip(samples, axes.texts, strict=True):
            box, line = text.get_window_extent(), sample.get_window_extent()
            assert line.x1 < box.x0 < line.x1 + 10
            assert box.y0 < line.y0 < box.y1

    def test_an_argument_that_there_is_not(self) -> None:
        for name, figure in plots.SESSION_PLOTS.items():
            given = "finished" if name != "average" else "padding"
            with pytest.raises(
                TypeError, match=rf"{figure.draw.__name__}\(\) got an unexpec.*{given}"
            ):
                figure.draw(**{given: 0})


class TestCommand:
    @pytest.mark.slow(but=1)
    @pytest.mark.parametrize("figure", BY_RANK)
    def test_files(self, figure: str, files: list[str], capsys: Capture) -> None:
        """The picture of the files is that of the sessions in them."""
        options = ["--topic", "1", "--least-queries", "2", "-X", "2", *PLAIN]
        assert main(["session", "plot", figure, *files, *options, "-o", "a.svg"]) == 0
        assert capsys.readouterr() == ("a.svg\n", "")
        draw = plots.SESSION_PLOTS[figure].draw
        systems = {"first.tsv": judged(FIRST), "second.tsv": judged(SECOND)}
        drawn = draw(systems, topic="1", least_queries=2, k=2, **HOW)
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")

    @pytest.mark.slow
    @pytest.mark.parametrize("figure", FIGURES)
    def test_the_example_without_files(self, figure: str, capsys: Capture) -> None:
        assert main(["session", "plot", figure]) == 0
        assert capsys.readouterr() == (f"session-{figure}.png\n", "")
        assert main(["plot", f"session-{figure}", "-o", "a.png"]) == 0
        assert Path("a.png").read_bytes() == Path(f"session-{figure}.png").read_bytes()
        capsys.readouterr()
        assert main(["example", "--sessions"]) == 0
        files = capsys.readouterr().out.split()
        Path("1").mkdir()
        copies = [Path("1") / Path(file).name.removesuffix(".tsv") for file in files]
        for file, copy in zip(files, copies, strict=True):
            copy.write_bytes(Path(file).read_bytes())
        assert main(["session", "plot", figure, *map(str, copies), "-o", "b.png"]) == 0
        assert Path("b.png").read_bytes() == Path("a.png").read_bytes()

    def test_sessions_that_are_left_out(self, files: list[str], capsys: Capture) -> None:
        """Said as `session eval` says it, when the picture is there."""
        Path("more.tsv").write_bytes(as_lines({**SECOND, "s8": [["a"]], "s9": [["a"]]}))
        words = [files[0], "first.tsv", "more.tsv", *files[3:]]
        assert main(["session", "plot", "average", *words, "-o", "a.svg"]) == 0
        said = "more.tsv: 2 left out (not among the topics): s8, s9\n"
        assert capsys.readouterr() == ("a.svg\n", f"rankspec: warning: {said}")
        assert main(["session", "eval", *words]) == 0
        assert said in capsys.readouterr().out

    @pytest.mark.slow
    def test_options_of_the_average(self, files: list[str]) -> None:
        more = ["--finished", "continued", "--ideal", "spread", "--repeats", "first"]
        more += ["--gain", "0-1-10-100"]
        assert main(["session", "plot", "average", *files, *more, "-o", "a.svg"]) == 0
        systems = {"first.tsv": judged(FIRST), "second.tsv": judged(SECOND)}
        how = {"finished": "continued", "ideal": "spread", "repeats": "first"}
        drawn = plots.average_session(systems, gain=[0, 1, 10, 100], **how)  # type: ignore[arg-type]
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")
        assert main(["session", "plot", "average", *files, "--not-normalised", "-o", "a.svg"]) == 0
        drawn = plots.average_session(systems, normalised=False)
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")

    @pytest.mark.slow
    def test_conventions_of_files(self, files: list[str]) -> None:
        more = ["--grades", "3=1", "--pool", "retrieved"]
        assert (
            main(["session", "plot", "average", *files[:2], *files[3:], *more, "-o", "a.svg"]) == 0
        )
        found = rs.judge_sessions(JUDGMENTS, FIRST, topics=TOPICS, grades={3: 1}, pool="retrieved")
        drawn = plots.average_session({"first.tsv": found})
        assert Path("a.svg").read_bytes() == plots.encoded(drawn, "svg")

    @pytest.mark.slow
    def test_options_between_the_files(self, files: list[str]) -> None:
        orders = (
            ["average", *files[:3], "-X", "3", *files[3:], "-o", "0.svg"],
            ["-X", "3", *files[3:], "average", files[0], "-o", "1.svg", *files[1:3]],
            ["average", "--top=3", "-o", "2.svg", *files],
        )
        for words in orders:
            assert main(["session", "plot", *words]) == 0
        assert len({Path(f"{a}.svg").read_bytes() for a in range(3)}) == 1

    def test_the_text_is_text(self, files: list[str]) -> None:
        assert main(["session", "plot", "last-query", *files, "-o", "a.svg"]) == 0
        texts = {"".join(e.itertext()) for e in ET.parse("a.svg").iter() if e.tag.endswith("text")}  # noqa: S314
        assert {"first.tsv: last (3)", "second.tsv: others (2)", "sDCG of a query"} < texts

    def test_the_list(self, capsys: Capture) -> None:
        assert main(["session", "plot"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        assert max(map(len, out.splitlines())) <= 80
        assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == list(FIGURES)
        assert not list(Path().iterdir())


@each(
    ("words", "said"),
    [
        ("averge FILES",
         'unknown figure "averge" (did you mean "average"?); '
         'expected one of last-query, '),
        ("-o a.png",
         "-o: name a figure, too; expected one of last-query, average, scenario, "
         "sessions, sensitivity"),
        ("--topic 1", "--topic: name a figure, too; expected one of last-query"),
        ("-X 3", "-X: name a figure, too; expected one of last-query"),
        ("--not-normalised", "--not-normalised: name a figure, too; expected one of last-query"),
        ("average qrels.txt", "qrels.txt: this is read as QRELS; the file SESSIONS is missing"),
        ("average --grades 1=2",
         "--grades: give QRELS and SESSIONS files, too; "
         "without files the example is drawn"),
        ("average --topics map.txt",
         "--topics: give QRELS and SESSIONS files, too; "
         "without files the example is drawn"),
        ("average --judged-by topic",
         "--judged-by: give QRELS and SESSIONS files, too; "
         "without files the example is drawn"),
        ("last-query --finished held FILES", "--finished has no effect on last-query"),
        ("scenario --not-normalised FILES", "--not-normalised has no effect on scenario"),
        ("sessions --ideal spread FILES", "--ideal has no effect on sessions"),
        ("average --finished averge FILES", 'unknown reading "averge" (did you mean "average"?)'),
        ("average --finished continued --not-normalised FILES", "sDCG that is not normalised has"),
        ("average --topic 7 FILES", 'plot: first.tsv: topic: no judged session has the topic "7"'),
        ("average --topic 2 FILES", 'plot: second.tsv: topic: no judged session has the topic "2"'),
        ("average --least-queries 3 FILES", "plot: first.tsv: sessions: there is none with 3 quer"),
        ("average --least-queries 0 FILES", '"0": expected a whole number, from 1'),
        ("scenario FILES", "plot: topic: a scenario shows one topic; choose one (--topic): 1, "),
        ("scenario --topic 1 FILES", 'first.tsv: sessions: there is none of the topic "1" with 4 '),
        ("average -X 0 FILES", '"0": expected a whole number, from 1'),
        ("average -X 4000 FILES", "the number of ranks of 3 queries is 12000; it must be from 1 "),
        ("last-query -X 10001 FILES", "X is 10001; it must be from 1 to 10000"),
        ("average --discount 1,2 FILES", "discount"),
        ("average --gain log FILES", "gain"),
        ("average FILES -o a.gif", "a.gif: the suffix sets the format of the picture"),
        ("average qrels.txt first.tsv first.tsv", "first.tsv: the same file is given twice"),
        ("average qrels.txt map.txt", "map.txt:1"),
        ("average FILES --unjudged error", ""),
        ("sessions qrels.txt none.tsv", "none.tsv: cannot be read"),
    ],
)  # fmt: skip
def test_refused(words: str, said: str, files: list[str], capsys: Capture) -> None:
    """One line, no picture, and the one that was there stays."""
    Path("session-average.png").write_text("as it was")
    Path("d.tsv").write_bytes(as_lines({"s1": [["d"]]}))
    if "--unjudged" in words:
        files[1] = "d.tsv"
    before = set(Path().iterdir())
    given = [x for word in words.split() for x in (files if word == "FILES" else [word])]
    assert main(["session", "plot", *given]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("rankspec: error: ")
    assert said in err
    assert err.count("\n") == 1
    assert set(Path().iterdir()) == before
    assert Path("session-average.png").read_text() == "as it was"


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", FIGURES)
def test_systems_that_are_none(name: str) -> None:
    draw = plots.SESSION_PLOTS[name].draw
    for systems, words in (
        ({}, "the number of systems is 0; it must be from 1 to 4"),
        ({str(a): judged(SECOND) for a in range(5)}, "the number of systems is 5; it must be from"),
        ([judged(SECOND)], "systems: expected a dict of judged sessions by name"),
        ({1: judged(SECOND)}, "plot: systems: the name 1 is not a string"),
        ({"A": FIRST}, r"A: expected a result of rankspec\.judge_sessions\(\), got {'s1': "),
        (
            {"A": rs.judge_sessions(JUDGMENTS, FIRST)},
            "plot: A: sessions: there is none to take an? (average|mean) of; the 3 given",
        ),
    ):
        with pytest.raises(rs.InputError, match=words):
            draw(systems)
    for k in (0, -1, 2.0, True, np.float64(3)):
        with pytest.raises(rs.InputError, match="plot: X is "):
            draw(k=k)
