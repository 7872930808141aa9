"""``--prior-clicks`` and ``--prior-lengths``: the prior of measures that name none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs

from ..each import each
from .running import Capture, complaint, output

pytestmark = [pytest.mark.spec("RS-LEN-19", "RS-LEN-20")]

CLICKS = "# rank, clicks\n1 60\n2 10\n3 30\n4 0\n"
LENGTHS = "1 3\n2 1\n4 2\n"
OF_CLICKS, OF_LENGTHS = "[3/5, 1/5, 1/5, 0]", "[2/3, 1/6, 1/12, 1/12]"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q 0 a 2\nq 0 b 1\nq 0 c 0\nr 0 a 1\nr 0 b 1\n")
    Path("a.run").write_text(
        "q Q0 a 1 3 t\nq Q0 c 2 2 t\nq Q0 b 3 1 t\nr Q0 x 1 2 t\nr Q0 b 2 1 t\n"
    )
    Path("b.run").write_text("q Q0 b 1 3 t\nr Q0 a 1 2 t\nr Q0 b 2 1 t\n")
    Path("rows").write_text("2 qid:1 1:3\n0 qid:1 1:2\n1 qid:1 1:1\n")
    Path("clicks").write_text(CLICKS)
    Path("lengths").write_text(LENGTHS)
    Path("short").write_text("1 3\n2 1\n")
    Path("zeros").write_text("1 0\n2 0\n")
    Path("worse").write_text("1 6\n2 x\n")


def runs(capsys: Capture, *words: str) -> Any:
    document = json.loads(output(capsys, "eval", *words, "--format", "json", "-q"))
    return document["measures"], document["runs"]


@each(
    ("option", "file", "prior"),
    [("--prior-clicks", "clicks", OF_CLICKS), ("--prior-lengths", "lengths", OF_LENGTHS)],
)
def test_each_measure_that_names_no_prior_has_that_of_the_file(
    capsys: Capture, option: str, file: str, prior: str
) -> None:
    """As if it were written there: also within other measures, and by the reference."""
    names = ["LNDCG{}@3", "UL2(LDCG{}@3)", "GM(LRBP{}@2)", "nDCG@3", "LERR(prior='uniform')@3"]
    own = f"(prior={prior})"
    asked = [x.format("") for x in names] + ["Adjusted(RR@3)", "GM(Adjusted(RR@3))"]
    meant = [x.format(own) for x in names]
    meant += [f"Adjusted(RR@3, prior={prior})", f"GM(Adjusted(RR@3, prior={prior}))"]
    kept = ["LNDCG(prior='discount')@3", "Adjusted(RR@3, prior='discount')"]  # by name
    for sources in (["qrels", "a.run", "b.run"], ["--letor", "rows", "--feature", "1"]):
        first, second = (
            runs(capsys, *sources, *(y for x in (*measures, *kept) for y in ("-m", x)), *more)
            for measures, more in ((asked, [option, file]), (meant, []))
        )
        assert first == second
        measures, _ = first
        assert len(measures) == 9
        assert {"LNDCG@3", "Adjusted(RR@3)", f"LNDCG(prior='{prior}')@3"} <= measures.keys()
        reference = runs(capsys, *sources, "-m", "LNDCG@3", option, file, "--backend", "reference")[
            1
        ]
        assert reference[0]["mean"].items() <= first[1][0]["mean"].items()


@pytest.mark.slow
def test_other_commands_have_it_too(capsys: Capture) -> None:
    text, name = f"LNDCG(prior={OF_CLICKS})@3", f"LNDCG(prior='{OF_CLICKS}')@3"
    option = ["--prior-clicks", "clicks"]
    pytest.importorskip("scipy", reason='pip install ".[compare]"')
    for command, *sources in (
        ["explain", "qrels", "a.run", "--query", "q"],
        ["compare", "qrels", "a.run", "b.run"],
        ["compare", "qrels", "a.run", "b.run", "--subsets", "hard"],
        ["compare", "--letor", "rows", "--feature", "1", "-1", "--subsets", "hard"],
        ["compare", "--qrels", "qrels", "qrels.b", "a.run", "b.run"],
        [
            "compare",
            "qrels",
            "a.run",
            "b.run",
            "--against",
            "qrels.b",
            "b/a.run",
            "b/b.run",
            "--splits",
            "2",
        ],
    ):
        Path("qrels.b").write_text(Path("qrels").read_text())
        Path("b").mkdir(exist_ok=True)
        for run in ("a.run", "b.run"):
            Path("b", run).write_text(Path(run).read_text())
        first, second = (
            output(capsys, command, *sources, "-m", measure, *more, "--format", "json")
            for measure, more in (("LNDCG@3", option), (text, []))
        )
        assert json.loads(first) == json.loads(second)
        assert name in json.dumps(json.loads(first))


BAD: dict[str, tuple[list[str], str]] = {
    "no measure has a prior": (
        ["-m", "nDCG@5,AP", "--prior-clicks", "clicks"],
        "rankspec: error: --prior-clicks, --prior-lengths: no measure takes the prior of the file; "
        "it is of those that have one and name none, such as LNDCG@10 or Adjusted(RR); the "
        "measures are nDCG@5, AP (RS-LEN-19)\n",
    ),
    "each names its own": (
        ["-m", "LNDCG(prior='discount')@5", "--prior-lengths", "lengths"],
        "no measure takes the prior of the file",
    ),
    "each names its own, within others": (
        [
            *("-m", "LNDCG(prior='discount')@5", "-m", "UL2(LDCG(prior='discount'))"),
            *("-m", "GM(Adjusted(RR@3, prior='discount'))", "--prior-clicks", "clicks"),
        ],
        "the measures are LNDCG(prior='discount')@5, UL2(LDCG(prior='discount')), "
        "GM(Adjusted(RR@3, prior='discount')) (RS-LEN-19)",
    ),
    "the default measures": (
        ["--prior-clicks", "clicks"],
        "the measures are nDCG@10, AP, P@10, RR ",
    ),
    "a line": (
        ["-m", "LNDCG", "--prior-clicks", "worse"],
        'argument --prior-clicks: worse:2: "x" is no whole number; expected rank and count',
    ),
    "nothing": (
        ["-m", "LNDCG", "--prior-lengths", "zeros"],
        "argument --prior-lengths: zeros: all counts are 0; expected lines of length and count",
    ),
    "no file": (
        ["-m", "LNDCG", "--prior-clicks", "none"],
        "--prior-clicks: none: cannot be read: No",
    ),
    "both": (
        ["-m", "LNDCG", "--prior-clicks", "clicks", "--prior-lengths", "lengths"],
        "argument --prior-lengths: not allowed with argument --prior-clicks",
    ),
    "the standard input": (
        ["-m", "LNDCG", "--prior-clicks", "-"],
        "argument --prior-clicks: expected a file, got the standard input",
    ),
    "too few ranks": (
        ["-m", "LDCG@5", "--prior-clicks", "clicks"],
        f"measure \"LDCG(prior='{OF_CLICKS}')@5\": --prior-clicks clicks: the file has 4 ranks, "
        'but rank 5 needs a weight, too; add the line "5 0", or give a smaller M (RS-LEN-19)',
    ),
    "too few ranks of a bound": (
        ["-m", "UL2(LDCG@5)", "--prior-lengths", "lengths"],
        "--prior-lengths lengths: the file has 4 ranks, but rank 5 needs a weight, too; add the",
    ),
    "too few ranks, without a cut-off": (
        ["-m", "Adjusted(RR)", "--prior-lengths", "short"],
        "--prior-lengths short: the file has 2 ranks, but rank 3 needs a weight, too; add the line "
        '"3 0", or give a cut-off, M (RS-LEN-20)',
    ),
    "more ranks than a file of lengths has": (
        ["-m", "LDCG@1001", "--prior-lengths", "lengths"],
        "but rank 1001 needs a weight, too; give a smaller M (RS-LEN-20)",
    ),
}


@each(("words", "message"), BAD.values(), ids=BAD)
def test_what_is_refused(capsys: Capture, words: list[str], message: str) -> None:
    assert message in complaint(capsys, "eval", "qrels", "a.run", *words)


def test_the_line_that_an_error_advises_is_enough(capsys: Capture) -> None:
    """And it changes no value where there was one."""
    words = ["-m", "LDCG@3", "-m", "LNDCG@4"]
    before = runs(capsys, "qrels", "a.run", *words, "--prior-clicks", "clicks")[1][0]["mean"]
    Path("clicks").write_text(f"{CLICKS}5 0\n")
    after = runs(capsys, "qrels", "a.run", *words, "-m", "LDCG@5", "--prior-clicks", "clicks")
    assert list(after[1][0]["mean"].values())[:2] == list(before.values())


def test_explain_takes_one_measure(capsys: Capture) -> None:
    words = ["explain", "qrels", "a.run", "--query", "q", "--prior-clicks", "clicks", "-m"]
    assert "expected one measure, got LNDCG(" in complaint(capsys, *words, "LNDCG@2,3")
    assert "no measure takes the prior" in complaint(capsys, *words, "nDCG@2")


def test_unjudged_bounds_refuse_a_measure_that_has_none(capsys: Capture) -> None:
    words = ["compare", "qrels", "a.run", "b.run", "--unjudged-bounds", "-m"]
    for measure, more in (
        ("Adjusted(P@2)", ["--prior-clicks", "clicks"]),
        (f"Adjusted(P@2, prior={OF_CLICKS})", []),
    ):
        found = complaint(capsys, *words, measure, *more)
        assert f"Adjusted(P@2, prior='{OF_CLICKS}')" in found


def test_the_values_are_those_of_python() -> None:
    """Of a list of the qrels by hand: LNDCG with the prior of the clicks."""
    prior = rs.prior_of_clicks("clicks")
    assert str(rs.LNDCG(k=3, prior=prior)) == f"LNDCG(prior='{OF_CLICKS}')@3"
    assert [str(x) for x in rs.prior_of_lengths("lengths")] == OF_LENGTHS.strip("[]").split(", ")
