"""``rankspec reproduce jarvelin-2008``: verdicts, values by another library, words."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.papers import jarvelin_2008
from rankspec.papers.jarvelin_2008 import claims, printed, tables
from rankspec.papers.reproduction import Figure, Reproduction
from tests.papers import errata
from tests.reference.balls import ends_of, log

ROOT = Path(__file__).resolve().parents[2]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return rs.reproduce("jarvelin-2008")


def column(found: Reproduction, table: str, name: str) -> list[Any]:
    (wanted,) = (t for t in found.tables if t.title.startswith(table))
    at = wanted.header.index(name)
    return [cells[at] for _, cells in wanted.rows]


def test_verdicts(found: Reproduction) -> None:
    assert found.verdicts == {"equal": 18, "RS-ERR-2": 9, "differs": 0}
    assert found.unexplained == 0


def test_each_component_of_the_appendix(found: Reproduction) -> None:
    """All of CG' are equal, and the first of DCG'; the others are those of the erratum's table."""
    assert column(found, "Appendix", "G'") == [*printed.G]
    cg, dcg = (column(found, "Appendix", name) for name in ("CG'", "DCG'"))
    assert [figure.printed for figure in cg] == [*printed.CG]
    assert [figure.verdict for figure in cg] == ["equal"] * 10
    assert [figure.verdict for figure in dcg] == ["equal"] + ["RS-ERR-2"] * 9
    assert not [figure for figure in dcg[1:] if figure.equal]
    for figure, row in zip(dcg, errata.table("RS-ERR-2"), strict=True):
        assert figure.printed == row[6]
        assert errata.rounded(Fraction(figure.value)) == row[5]


def test_eq_2_as_it_is_printed(found: Reproduction) -> None:
    """What RS-ERR-1 says that it gives, and none of it is printed but the first."""
    values = [errata.rounded(Fraction(x)) for x in column(found, "Appendix", "with log_b i")]
    text = " ".join(errata.entry("RS-ERR-1").split())
    listed = text.partition("that is ⟨")[2].partition("⟩")[0].split(", ")
    assert values == [errata.padded(x) for x in listed]
    same = [x == errata.padded(text) for x, text in zip(values, printed.DCG, strict=True)]
    assert same == [True] + [False] * 9


def test_table_2(found: Reproduction) -> None:
    table = next(t for t in found.tables if t.title.startswith("Table 2: sessions with"))
    assert dict(table.rows) == {system: counts for system, (counts, _) in printed.TABLE_2.items()}
    assert column(found, "Table 2 and", "queries")[:2] == [152, 191]
    figures = [
        figure
        for t in found.tables
        if t.title.startswith("Table 2 and")
        for _, _, figure in t.figures()
    ]
    assert [f.printed for f in figures] == ["60", "15", "2.53", "60", "15", "3.18", "343"]
    exact = [60, 15, Fraction(152, 60), 60, 15, Fraction(191, 60), 343]
    assert [f.value for f in figures] == [float(x) for x in exact]


def test_ideal_queries(found: Reproduction) -> None:
    """Shares by counting, and values as the errata have them."""
    rows = errata.table("RS-ERR-38")
    for n, (counts, _) in enumerate(printed.TABLE_2.values(), start=1):
        running = [float(Fraction(sum(counts[q:]), 60)) for q in range(11)]
        assert column(found, "Table 2, if", f"running {n}") == running
        share = column(found, "Table 2, if", f"share {n}")
        assert [errata.rounded(Fraction(x), 4) for x in share] == [row[n + 1] for row in rows]
        gain = errata.rounded(Fraction(column(found, "Table 2, if", f"gain {n}")[-1]), 4)
        assert gain in errata.entry("RS-ERR-42")


def test_mean_discounts(found: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of last queries and of the others, from the counts."""
    monkeypatch.setattr(flint.ctx, "prec", 200)
    D = [1 / (1 + log(q, 4)) if q > 1 else flint.arb(1) for q in range(1, 12)]
    table = next(t for t in found.tables if t.title.startswith("Figure 1"))
    for (_, cells), (counts, _) in zip(table.rows, printed.TABLE_2.values(), strict=True):
        others = [sum(counts[q:]) for q in range(1, 12)]  # those that go on after query q
        weighted = [(counts, cells[:2]), (others, cells[2:])]
        for numbers, (number, discount) in weighted:
            assert number == sum(numbers)
            mean = sum(n * x for n, x in zip(numbers, D, strict=True)) / sum(numbers)
            low, high = (errata.rounded(end, 9) for end in ends_of(mean))
            assert low == high == errata.rounded(Fraction(discount), 9)


def test_claims(found: Reproduction) -> None:
    """Which hold and which do not, in the order of the output."""
    holds = {(c.where, len(c.checks)): [check.holds for check in c.checks] for c in found.claims}
    assert holds == {
        ("Appendix, eq. 2", 2): [False, False],
        ("Appendix", 1): [False],
        ("Section 2.1", 3): [True, True, False],
        ("Section 2.2, eq. 1", 3): [True, True, False],
        ("Sections 2.2 and 3.1", 1): [True],
        ("Section 3.3, appendix", 2): [False, False],
        ("Sections 2.2 and 3.3", 3): [True, True, True],
        ("Section 3", 1): [True],
        ("Section 3", 2): [True, True],
        ("Section 2.2", 3): [False, False, False],
        ("Section 3.2", 3): [True, False, False],
        ("Section 3.3, figure 2", 3): [True, False, False],
        ("Sections 3.3 and 4", 2): [True, False],
        ("Section 4", 3): [True, False, False],
        ("Appendix", 5): [True, False, False, False, False],
        ("Section 4, appendix", 2): [True, False],
        ("Section 3.1", 2): [True, True],
    }


def test_the_spec_has_what_is_cited(found: Reproduction) -> None:
    cited = {id_ for claim in found.claims for check in claim.checks for id_ in check.spec}
    assert {f"RS-ERR-{n}" for n in (1, 2, *range(35, 43))} <= cited
    spec = "".join(path.read_text("utf-8") for path in (ROOT / "spec").glob("*.md"))
    assert {id_ for id_ in cited if f"{{#{id_}}}" not in spec} == set()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_both_backends(found: Reproduction, backend: str) -> None:
    assert rs.reproduce("jarvelin-2008", backend=backend).to_dict() == found.to_dict()


def test_text(capsys: Capture) -> None:
    assert main(["reproduce", "jarvelin-2008"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]
    assert "   1   3      3 3.0000 =      3 3.0000 =         3.0000" in lines
    assert "   8   2    13 13.0000 =   8.14 8.0753 E2        5.2000" in lines
    assert "  E2  not by the definition; two increments are wrong (RS-ERR-2)" in lines
    assert "System 1    60 60.0000 =    15 15.0000 =              152  2.53 2.5333 =" in lines
    assert "Q11     0.0000     0.0167  1.8620  2.1876   0.3344   0.3928" in lines
    assert "  fails  <1>, <1>: 1.6667; another query never takes from sDCG (RS-ERR-42)" in lines
    assert "27 figures: 18 equal, 9 RS-ERR-2. 41 checks of claims." in lines


def test_json(capsys: Capture) -> None:
    assert main(["reproduce", "jarvelin-2008", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.pop("rankspec") == rs.__version__
    assert document == json.loads(json.dumps(rs.reproduce("jarvelin-2008").to_dict()))
    assert document["authors"].startswith("Järvelin, Price")
    second = document["tables"][0]["rows"][1]["cells"]
    assert second[0] == 2
    assert second[2] == {
        "printed": "4",
        "value": float(Fraction(13, 3)),
        "places": 2,
        "erratum": "RS-ERR-2",
        "possible": False,
        "excluded": False,
        "verdict": "RS-ERR-2",
    }
    assert document["tables"][2]["rows"][2]["cells"][1] is None


class TestControls:
    """What is wrong is seen."""

    def test_a_component_that_nothing_explains(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "CG", (*printed.CG[:9], "17"))
        assert rs.reproduce("jarvelin-2008").verdicts["differs"] == 1

    def test_a_wrong_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A session of one query less and one of two more: the sums of queries and averages."""
        counts, average = printed.TABLE_2["System 1"]
        changed = ((counts[0] - 1, counts[1] + 1, *counts[2:]), average)
        monkeypatch.setitem(printed.TABLE_2, "System 1", changed)
        found = rs.reproduce("jarvelin-2008")
        wrong = [f.printed for t in found.tables for *_, f in t.figures() if f.verdict == "differs"]
        assert wrong == ["2.53", "343"]  # 153/60 = 2.55

    def test_a_third_slip(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The two slips explain the printed vector, and not another one."""
        other = (*printed.DCG[:6], "6.95", *printed.DCG[7:])
        monkeypatch.setattr(claims, "DCG", other)
        assert claims.claim_on_the_example("c").checks[0].unexpected

    def test_a_discount_that_has_a_corner(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With that of jarvelin-2002 neither early ranks nor smoothness are as claimed."""
        right = rs.dcg

        def old(lists: Any, *, discount: str, **options: Any) -> Any:
            return right(lists, discount=discount.replace("2008", "2002"), **options)

        monkeypatch.setattr(claims.api, "dcg", old)
        early = claims.claim_on_early_ranks("c").checks
        assert [check.holds for check in early] == [False, True, False]
        smooth = claims.claim_on_smoothness("c").checks
        assert [check.holds for check in smooth] == [False, False]


def test_errata_name_their_clauses() -> None:
    assert [*jarvelin_2008.PAPER.errata] == ["RS-ERR-2"]
    assert tables.erratum_of(1) is None
    figure = Figure("9.30", 9.235816403620838, 2, tables.erratum_of(10))
    assert figure.verdict == "RS-ERR-2"
