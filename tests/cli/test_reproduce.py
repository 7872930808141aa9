"""``rankspec reproduce`` and ``rs.reproduce``: figures by another library, verdicts, words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec import papers
from rankspec.cli.main import main
from rankspec.papers import PAPERS, lv_2014, moniz_2016, reproduction
from rankspec.papers.reproduction import Check, Claim, Figure, Reproduction, Table
from tests.papers import errata
from tests.reference.balls import log, nearest

from . import running
from .running import Capture

ROOT = Path(__file__).resolve().parents[2]
BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])


def output(capsys: Capture, *arguments: str, status: int = 0) -> str:
    return running.output(capsys, "reproduce", *arguments, status=status)


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return rs.reproduce("lv-2014")


PAPERS_ONCE = tuple(replace(paper, compute=cache(paper.compute)) for paper in PAPERS)


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute each paper once by the same options, for all tests of what is written of it."""
    monkeypatch.setattr(papers, "PAPERS", PAPERS_ONCE)


@pytest.fixture(scope="module")
def figures(found: Reproduction) -> dict[tuple[int, str], Figure]:
    cells = [cell for table in found.tables for cell in table.figures()]
    return {(int(row.partition(":")[0]), column): figure for row, column, figure in cells}


class TestFigures:
    """When a figure is equal, and what its verdict is."""

    @pytest.mark.parametrize(
        ("printed", "value", "equal"),
        [
            ("3", 3.0, True),
            ("2.5", 2.5, True),
            ("0.13", 0.125, True),  # a half, upwards
            ("0.12", 0.125, False),
            ("0.82", 0.8262, False),  # cut off
            ("0.83", 0.8262, True),
            ("-0.5", -0.5, True),
            ("0.820", 0.8204, True),
        ],
    )
    def test_equal_at_the_printed_precision(self, printed: str, value: float, equal: bool) -> None:
        assert Figure(printed, value, places=2).equal == equal

    @given(st.floats(0, 1e6), st.integers(0, 6))
    def test_equal_is_rounding(self, value: float, places: int) -> None:
        """By whole numbers: n units of the last place, n = floor(value in units + 1/2)."""
        n = (Fraction(value) * 10**places + Fraction(1, 2)).__floor__()
        assert Figure(str(Decimal(n).scaleb(-places)), value, places).equal
        for other in (n - 1, n + 1):
            assert not Figure(str(Decimal(other).scaleb(-places)), value, places).equal

    def test_verdicts(self) -> None:
        assert Figure("1", 1.0, 2).verdict == "equal"
        assert Figure("1", 1.0, 2, "RS-ERR-9", excluded=True).verdict == "RS-ERR-9"
        assert Figure("1", None, 2).verdict == "differs"
        assert Figure("1", None, 2, possible=True).verdict == "possible"
        assert Figure("1", 1.0, 2, "RS-ERR-3").verdict == "equal"
        assert Figure("1", 1.5, 2, "RS-ERR-3").verdict == "RS-ERR-3"
        assert Figure("1", 1.5, 2).verdict == "differs"
        assert Figure("1", 1.0, 2, possible=True).verdict == "possible"


class TestLv2014:
    """The one table of figures, and what is said about the paper's claims."""

    def test_every_cell_is_there(self, figures: dict[tuple[int, str], Figure]) -> None:
        assert len(figures) == 12 * 8
        for (scenario, column), figure in figures.items():
            at = lv_2014.COLUMNS.index(column)
            assert figure.printed == lv_2014.PRINTED[scenario][at]

    def test_values(
        self, figures: dict[tuple[int, str], Figure], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By balls of another library, from the equations as they stand in the paper."""
        monkeypatch.setattr(flint.ctx, "prec", 200)
        d = [1 / log(i + 1, 2) for i in (1, 2, 3)]

        def dcg(labels: Any, k: int) -> flint.arb:
            return sum((2**r - 1) * x for r, x in zip(labels[:k], d, strict=False))

        def squares(n: int) -> flint.arb:
            return sum(x * x for x in d[:n])

        for (scenario, column), figure in figures.items():
            labels = lv_2014.SCENARIOS[scenario]
            n = len(labels)
            if column == "LDCG":  # eq. 6, with eq. 5
                value = dcg(labels, n) * sum(d) / squares(n)
            elif column == "LNDCG":  # eq. 8, with m = 2 and R = 1
                value = dcg(labels, n) / squares(n) * squares(1) / (3 * d[0])
            else:
                name, _, k = column.partition("@")
                value = dcg(labels, int(k))
                if name == "NDCG":
                    value = value / dcg([2, 1, 0], int(k))
            if value == 0 or value.is_integer():
                assert Fraction(figure.value) == Fraction(int(value.unique_fmpz()))
            else:
                assert figure.value == nearest(value)

    def test_verdicts(self, figures: dict[tuple[int, str], Figure], found: Reproduction) -> None:
        """A cell is equal, or in one erratum, and never both."""
        differing = {at for at, figure in figures.items() if not figure.equal}
        listed = {at for at, figure in figures.items() if figure.erratum}
        assert differing == listed
        assert found.verdicts == {"equal": 80, "RS-ERR-3": 13, "RS-ERR-7": 3, "differs": 0}
        assert found.unexplained == 0

    @pytest.mark.parametrize("erratum", lv_2014.ERRATA)
    def test_the_errata_list_the_same_cells(self, erratum: str) -> None:
        rows = {(int(row[0]), row[2]): row[3] for row in errata.table(erratum)}
        listed = lv_2014.ERRATA[erratum]
        assert rows == {
            (scenario, column): lv_2014.PRINTED[scenario][lv_2014.COLUMNS.index(column)]
            for column, scenarios in listed.items()
            for scenario in scenarios
        }

    def test_the_judgments_are_the_pool(self, found: Reproduction) -> None:
        rows = dict(found.tables[0].rows)
        assert rows == {
            "Jon Favreau (director)": ("perfect", 2),
            "Iron Man 3": ("good", 1),
            "Jon Favreau (speechwriter)": ("bad", 0),
        }
        assert sorted(lv_2014.POOL) == [0, 1, 2]

    def test_constraints(self, found: Reproduction) -> None:
        """All twelve cells: as printed with the paper's settings, and what more is needed."""
        claims = {(c.where, c.claim): c for c in found.claims if c.where.startswith("Table 2")}
        for constraint, printed in (("C1", "No"), ("C2", "Cond")):
            for metric in ("DCG", "NDCG", "GAP", "ERR"):
                claim = claims.pop((f"Table 2, {constraint}", f"{metric}: {printed}"))
                expected = [True] if constraint == "C1" else [True, False]
                assert [check.holds for check in claim.checks] == expected
            for metric in ("LDCG", "LNDCG"):
                claim = claims.pop((f"Table 2, {constraint}", f"{metric}: Yes"))
                assert [check.holds for check in claim.checks] == [True, False]
        assert not claims
        _, table, _ = found.tables
        assert dict(table.rows) == {
            "C1": ("No =", "No =", "No =", "No =", "Yes (9)", "Yes (9)"),
            "C2": ("Cond (51)", "Cond (51)", "Cond (51)", "Cond (51)", "Yes (9)", "Yes (9)"),
        }

    @pytest.mark.parametrize("k", [1, 2, 3])
    @pytest.mark.parametrize("name", ["dcg", "ndcg", "gap", "err"])
    def test_c1_and_c2_by_the_values_of_the_api(self, name: str, k: int) -> None:
        """Table 2 once more, by doubles: of equal numbers they are equal, of labels so far apart
        they are told apart."""
        given: dict[str, Any] = {"gain": "exp2"} if "dcg" in name else {}

        def value(labels: list[int], pool: list[int]) -> float:
            judged = {"judged": pool} if name in ("ndcg", "gap") else {}
            return float(getattr(rs, name)(labels, k=k, **given, **judged))

        for a in (1, 2):
            for b in range(a):
                assert not value([a], [a, b]) > value([a, b], [a, b])
            assert (value([a], [a, a]) < value([a, a], [a, a])) == (k > 1)

    def test_a_wrong_verdict_on_table_2_is_seen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The control: ERR with a stop probability of 1, as if the paper had meant that."""
        monkeypatch.setitem(lv_2014.METRICS, "ERR", "ERR(stop=(0, 0.5, 1))")
        found = rs.reproduce("lv-2014")
        assert found.unexplained == 1
        _, table, _ = found.tables
        assert dict(table.rows)["C2"][3] == "Cond !"

    @BACKENDS
    @pytest.mark.parametrize("metric", ["LDCG", "LNDCG"])
    def test_what_decides_the_constraints(self, metric: str, backend: str) -> None:
        """C1 by g(b)/g(a) against w(2)/w(1), C2 by w(2) against w(1): either side of the edge."""

        def satisfies(constraint: str, a: int, b: int, **parameters: Any) -> bool:
            return lv_2014.satisfies(
                constraint, metric, [(a, b)], backend=backend, gain="linear", **parameters
            )

        assert satisfies("C1", 5, 2, prior=[2, 1, 1])  # 2/5 < 1/2
        assert not satisfies("C1", 4, 2, prior=[2, 1, 1])  # 2/4 = 1/2: equal values
        assert not satisfies("C1", 5, 3, prior=[2, 1, 1])
        assert satisfies("C2", 4, 4, prior=[2, 1, 1])
        assert not satisfies("C2", 4, 4, prior=[1, 1, 1])
        mixed = lv_2014.satisfies("C1", metric, [(5, 1), (5, 4)], gain="linear", backend=backend)
        assert not mixed  # one that fails suffices

    def test_a_no_comes_with_what_was_found_instead(self, found: Reproduction) -> None:
        """RS-ERR-12: the lists differ at the first six cut-offs, and have the same LDCG."""
        (check,) = next(c for c in found.claims if "aggregation" in c.claim).checks
        assert not check.holds
        assert check.fact.endswith("LDCG is the same, though DCG@1 to DCG@6 differ")

    def test_eq_7_and_the_maximum(self, found: Reproduction) -> None:
        """25 results as in RS-ERR-8: ILDCG by eq. 7 is 3, and all 25 have more."""
        claim = next(c for c in found.claims if "eq. 7" in c.claim)
        assert [check.holds for check in claim.checks] == [True, True, False]

    @BACKENDS
    def test_both_backends(self, backend: str, found: Reproduction) -> None:
        assert rs.reproduce("lv-2014", backend=backend).to_dict() == found.to_dict()

    def test_the_spec_has_what_is_cited(self, found: Reproduction) -> None:
        cited = {id_ for claim in found.claims for check in claim.checks for id_ in check.spec}
        spec = "".join(path.read_text("utf-8") for path in (ROOT / "spec").glob("*.md"))
        assert {id_ for id_ in cited | set(lv_2014.ERRATA) if f"{{#{id_}}}" not in spec} == set()

    def test_z_is_seen_where_it_does_not_cancel(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The control: with the Z of the list, and none in the ideal."""
        right = lv_2014.certified

        def without_Z(name: str, labels: Any, k: int, Z: str) -> rs.certify.Certified:
            return right(name, labels, k=k, Z="none" if name == "ildcg" else Z)

        monkeypatch.setattr(lv_2014, "certified", without_Z)
        found = rs.reproduce("lv-2014")
        claim = next(c for c in found.claims if "eliminated" in c.claim)
        assert [check.holds for check in claim.checks] == [False, True]
        assert found.unexplained == 1


class TestCommand:
    @pytest.mark.usefixtures("once")
    def test_text(self, capsys: Capture) -> None:
        out = output(capsys, "lv-2014")
        lines = out.splitlines()
        assert max(map(len, lines)) <= 80
        assert not [line for line in lines if line != line.rstrip()]
        assert "Jon Favreau (director)      perfect      2" in lines
        assert " 1: 2          3 3.0000 =      3 3.0000 =      3 3.0000 =   6.40 6.3928 E7" in lines
        assert " 6: 1 0 2   0.33 0.3333 =   0.27 0.2754 E3  0.69 0.6885 =   0.51 0.5056 =" in lines
        legend = lines.index("Each figure as printed, by the definitions, and the verdict:")
        assert "  E3  cut off, not rounded (RS-ERR-3)" in lines[legend:]
        assert legend < next(a for a, line in enumerate(lines) if "DCG@1" in line)
        assert "96 figures: 80 equal, 13 RS-ERR-3, 3 RS-ERR-7. 34 checks of claims." in lines
        assert out == f"{rs.reproduce('lv-2014')}\n"

    @pytest.mark.usefixtures("once")
    def test_digits(self, capsys: Capture) -> None:
        out = output(capsys, "lv-2014", "--digits", "6")
        assert "6.40 6.392789 E7" in out
        assert max(map(len, out.splitlines())) <= 80

    @pytest.mark.usefixtures("once")
    def test_json(self, capsys: Capture) -> None:
        document = json.loads(output(capsys, "lv-2014", "--format", "json"))
        assert document.pop("rankspec") == rs.__version__
        assert document == json.loads(json.dumps(rs.reproduce("lv-2014").to_dict()))
        first = document["tables"][2]["rows"][0]
        assert first["label"] == "1: 2"
        assert first["cells"][3] == {
            "printed": "6.40",
            "value": 6.392789260714372,
            "places": 2,
            "erratum": "RS-ERR-7",
            "possible": False,
            "excluded": False,
            "verdict": "RS-ERR-7",
        }

    @pytest.mark.parametrize("format_", ["table", "json"])
    def test_a_figure_that_nothing_explains(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch, format_: str
    ) -> None:
        """Exit status 1, and the figure is marked; the same for an erratum that is not one."""
        row = list(lv_2014.PRINTED[4])
        row[3] = "4.42"
        monkeypatch.setitem(lv_2014.PRINTED, 4, tuple(row))
        out = output(capsys, "lv-2014", "--format", format_, status=1)
        if format_ == "json":
            assert json.loads(out)["unexplained"] == 1
            assert json.loads(out)["verdicts"]["differs"] == 1
        else:
            assert "4.42 4.4092 !" in out
            assert "  !   differs; nothing explains it" in out
            assert "79 equal, 13 RS-ERR-3, 3 RS-ERR-7, 1 differs" in out
            assert "1 of them: neither as expected nor an erratum." in out

    def test_a_check_that_is_not_as_expected(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        checks = (Check("always", False, True, ("RS-LEN-9",)), Check("never", False, False))
        claim = Claim("Section 9", "all is well", checks)
        paper = replace(lv_2014.PAPER, compute=lambda _: ([], [claim]))
        monkeypatch.setattr(papers, "PAPERS", (paper,))
        out = output(capsys, "lv-2014", status=1)
        assert (
            "Section 9: all is well\n  fails  NOT AS EXPECTED, which is: always (RS-LEN-9)\n" in out
        )
        assert "  fails  never (as expected)\n" in out
        assert "1 of them" in out

    def test_a_check_of_which_nothing_is_expected(self) -> None:
        checks = Check("here", False, None), Check("there", True, None)
        assert not any(check.unexpected for check in checks)
        found = Reproduction(lv_2014.PAPER, (), (Claim("Section 9", "all is well", checks),))
        assert found.unexplained == 0
        assert "all is well\n  fails  here\n  holds  there\n" in str(found)

    def test_values_that_no_page_has(self) -> None:
        table = Table("Table 9", "a", ("b", "c"), (("x", (0.25, "y")), ("z", (7, None))))
        found = Reproduction(lv_2014.PAPER, (table,), ())
        assert "a       b  c\nx  0.2500  y\nz       7\n" in str(found)
        rows = found.to_dict()["tables"][0]["rows"]
        assert [row["cells"] for row in rows] == [[0.25, "y"], [7, None]]

    @pytest.mark.usefixtures("once")
    def test_options(self, capsys: Capture) -> None:
        out = output(capsys, "moniz-2016", "--samples", "2", "--backend", "reference")
        assert max(map(len, out.splitlines())) <= 80
        assert "by the text, balanced: most samples are above it, 2 of 2\n" in out
        assert "first day   0.9721          0.9696             0.9694" in out.splitlines()
        assert "retrieved  not in Twitter    per cent\n107590               6468  6 6.0117 =" in out
        assert "1 figure: 1 equal. 25 checks of claims." in out
        found = rs.reproduce("moniz-2016", samples=2, backend="reference")
        assert out == f"{found}\n"
        words = ("moniz-2016", "--samples", "2", "--backend", "reference", "--format", "json")
        document = json.loads(output(capsys, *words))
        assert document == {"rankspec": rs.__version__, **json.loads(json.dumps(found.to_dict()))}

    @pytest.mark.usefixtures("once")
    def test_numbers_are_numbers(self, capsys: Capture) -> None:
        words = ("moniz-2016", "--samples", "1", "--backend", "reference", "--format", "json")
        tables = json.loads(output(capsys, *words))["tables"]
        assert [row["cells"] for row in tables[0]["rows"]] == [
            [70, 100, 100],
            [50, 80, 20],
            [40, 90, 90],
            [15, 15, 15],
            [10, 10, 10],
        ]
        figure_2 = [table for table in tables if table["title"].startswith("Figure 2")]
        assert len(figure_2) == 4
        for table in figure_2:
            assert "nDCG_phi@10 of 1 sample, and" in table["title"]
            ndcg, *boxes = [row["cells"] for row in table["rows"]]
            assert ndcg[5:] == [None, None]
            for *_, above, below in boxes:
                assert type(above) is type(below) is int
                assert 0 <= above + below <= 1

    def test_one_range_of_samples(self, capsys: Capture) -> None:
        """The help and the page on the data say what is refused."""
        most = f"{moniz_2016.MOST_SAMPLES}"
        assert f"1 to {most} (default: {moniz_2016.SAMPLES})" in " ".join(
            output(capsys, "--help").split()
        )
        assert f"from 1 to {most}" in (ROOT / "docs/moniz-2016.md").read_text("utf-8")

    @pytest.mark.parametrize(
        ("fewest", "number", "words"),
        [
            (100, 100, "100 of 100"),
            (1, 1, "1 of 1"),
            (99, 100, "at least 99 of 100"),
            (0, 1, "at least 0 of 1"),
        ],
    )
    def test_more_than_all_there_are_not(self, fewest: int, number: int, words: str) -> None:
        assert moniz_2016.share_in_words(fewest, number) == words

    def test_a_table_without_figures(self) -> None:
        tables = (
            Table("Table 9", "a", ("b",), (("x", ("y",)),)),
            Table("Table 10: not computed", "a", ("b",), ()),
        )
        paper = replace(lv_2014.PAPER, compute=lambda _: (tables, []))
        text = reproduction.text(Reproduction(paper, tables, ()))
        assert "\n\nTable 9\n\na  b\nx  y\n\nTable 10: not computed\n\nFurther" in text
        assert text.endswith("\n\n0 figures: 0 equal. 0 checks of claims.")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ["lv2014"],
                'unknown paper "lv2014" (did you mean "lv-2014"?); there are "lv-2014", '
                '"moniz-2016"',
            ),
            (["x\ny"], 'unknown paper "x y"; there are "lv-2014"'),
            (
                ["--samples", "5"],
                "--samples: name a paper, too; expected one of lv-2014, moniz-2016",
            ),
            (["--data", "x"], "--data: name a paper, too; expected one of lv-2014, moniz-2016"),
            (["lv-2014", "--samples", "3"], "reproduce: lv-2014 does not take samples"),
            (["lv-2014", "--data", "x"], "reproduce: lv-2014 does not take data"),
            (["moniz-2016", "--samples", "0"], "samples: expected 1 to 100000, got 0"),
            (["moniz-2016", "--samples", "-3"], "samples: expected 1 to 100000, got -3"),
            (["moniz-2016", "--samples", "x"], 'argument --samples: "x": expected a whole number'),
            (["moniz-2016", "--data", ""], "data: the folder name is empty"),
            (["moniz-2016", "--samples", "100001"], "samples: expected 1 to 100000, got 100001"),
            (
                ["moniz-2016", "--samples", "1", "--data", "nowhere"],
                "nowhere: cannot be read: No such file or directory",
            ),
            (["lv-2014", "--backend", "d"], 'argument --backend: unknown backend "d"'),
            (["lv-2014", "--format", "tsv"], 'argument --format: unknown format "tsv"'),
            (["lv-2014", "--digits", "x"], "argument --digits: expected 0 to 17 decimals, got 'x'"),
            (["lv-2014", "again"], 'unexpected argument "again"'),
        ],
    )
    def test_bad_input(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert main(["reproduce", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert message in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("name", "backend"), [("lv-2015", "c"), (None, "c"), (2014, "c"), ("lv-2014", "gpu")]
    )
    def test_bad_arguments_of_the_function(self, name: Any, backend: str) -> None:
        with pytest.raises(rs.InputError):
            rs.reproduce(name, backend=backend)

    @pytest.mark.parametrize(
        "options",
        [{"samples": 1.5}, {"samples": True}, {"samples": 0}, {"samples": 1, "data": 3}, {"k": 3}],
    )
    def test_bad_options_of_the_function(self, options: dict[str, Any]) -> None:
        with pytest.raises(rs.InputError):
            rs.reproduce("moniz-2016", backend="reference", **options)


def test_every_module_is_a_paper_of_the_bibliography() -> None:
    beside = Path(papers.__file__).parent.iterdir()
    modules = {path.stem for path in beside if not path.name.startswith("_")}
    shared = {"reproduction", "popularity", "not_recomputed", "rank_tables"}
    assert {paper.name.replace("-", "_") for paper in PAPERS} | shared == modules
    bibliography = (ROOT / "spec/index.md").read_text("utf-8").partition("## Bibliography")[2]
    for paper in PAPERS:
        _, _, entry = bibliography.partition(f"\n{paper.name}\n:   ")
        text = " ".join(entry.partition("\n\n")[0].split())
        assert paper.title in text
        assert str(paper.year) in text


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", [paper.name for paper in PAPERS])
def test_a_page_names_each_erratum_of_its_paper_once(name: str) -> None:
    """Where a table or a claim cites it, or in the list of further errata."""
    found = rs.reproduce(name)
    page, _, further = str(found).partition("\nFurther errata, ")
    listed = set(re.findall(r"^  (RS-ERR-[0-9]+), ", further, re.MULTILINE))
    cited = set(re.findall("RS-ERR-[0-9]+", page))
    headings = (ROOT / "spec/errata.md").read_text("utf-8")
    assert listed == set(found.further_errata)
    assert not listed & cited
    assert listed | cited >= set(
        re.findall(f"^## (RS-ERR-[0-9]+) · {name}", headings, re.MULTILINE)
    )


def test_a_further_erratum_says_where_and_what(found: Reproduction) -> None:
    assert found.further_errata == {
        "RS-ERR-11": "eq. 4 and 6: more than M results",
        "RS-ERR-55": "eq. 8: the gain of the highest label",
    }
    listed = "  RS-ERR-11, eq. 4 and 6: more than M results\n  RS-ERR-55, eq. 8: the gain of the"
    assert f"\n{listed} highest label\n\nNot recomputed" in str(found)


def test_marks_of_table_2_are_explained(found: Reproduction) -> None:
    table = found.tables[1]
    cells = " ".join(f"{cell}" for _, row in table.rows for cell in row)
    marks = set(re.findall(r"\(([0-9]+)\)", cells))
    assert marks == {"9", "51"}
    assert set(re.findall(r"\(([0-9]+)\)", table.title)) == marks
    assert set(re.findall("RS-ERR-([0-9]+)", table.title)) == marks


@pytest.mark.parametrize("name", ["lv-2014", "jarvelin-2008"])
def test_labels_of_rows_are_not_aligned_in_json(name: str) -> None:
    for table in rs.reproduce(name).to_dict()["tables"]:
        for label in (table["corner"], *(row["label"] for row in table["rows"])):
            assert label == label.strip()
