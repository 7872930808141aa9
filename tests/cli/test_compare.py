"""``rankspec compare``: the page, the other formats, LETOR files, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

import rankspec
from rankspec.evaluation.render import wrapped

from ..each import each
from .running import Capture, complaint, output

EXAMPLE = Path(rankspec.__file__).parent / "example"
LETOR = ("--letor", str(EXAMPLE / "letor.txt"), "-m", "AP")

# P@1 of twelve queries: "good" has a hit in all but one, "bad" in two, "same" as bad.
HITS = {"good.run": [1] * 11 + [0], "bad.run": [1, 1] + [0] * 10, "same.run": [1, 1] + [0] * 10}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and three runs."""
    qrels = "".join(f"q{q} 0 hit 1\nq{q} 0 miss 0\n" for q in range(12))
    (tmp_path / "qrels.txt").write_text(qrels)
    for name, hits in HITS.items():
        lines = [f"q{q} Q0 {'hit' if hit else 'miss'} 1 1.0 x\n" for q, hit in enumerate(hits)]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels.txt", *HITS)]


def test_the_page(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", *files, "-m", "P@1")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "P@1: means over 12 queries"
    assert lines[2].split()[:3] == ["good.run", "0.9167", "0.2887"]
    # Differences: nine of 1, three of 0. t = .75 / (.4523 / sqrt 12); 2 of 2^9 flips; Holm times 3:
    # R: 3 * t.test(c(rep(1, 9), rep(0, 3)))$p.value is 0.000350
    row = next(x for x in lines if x.startswith("good.run - bad.run"))
    assert row.split()[-2:] == ["0.0004*", "0.0117*"]
    assert "same.run" in out
    row = next(x for x in lines if x.startswith("bad.run - same.run"))
    assert row.split()[-2:] == ["-", "1.0000"]
    assert "*  significant at the level alpha = 0.05: the corrected p is at most alpha" in lines
    assert "t: paired t-test (RS-CMP-5)" in lines
    assert "family is 1 measure x 3 pairs of systems: 3" in " ".join(out.split())
    assert "-  t: undefined, all differences are 0: P@1 of bad.run - same.run" in lines
    # PAD: (11 - 2) / 11 twice, and 0
    assert "P@1      2/3 (67%)  2/3 (67%)    0.5455" in lines


LONG = "bm25-rm3-porter-k1-0.9-b-0.4-variant-"


def renamed(files: list[str], names: list[str]) -> list[str]:
    """The same qrels, and the runs under other names."""
    qrels, *runs = map(Path, files)
    new = [
        str(run.rename(run.with_name(f"{name}.run"))) for run, name in zip(runs, names, strict=True)
    ]
    return [str(qrels), *new]


@pytest.mark.parametrize("name", [LONG, f"{LONG}of-more-words-", "系统名字很长" * 6])
@pytest.mark.parametrize("options", [("--test", "t"), ("--unjudged-bounds",)])
def test_each_name_of_a_pair_is_shortened_by_itself(
    capsys: Capture, files: list[str], name: str, options: tuple[str, ...]
) -> None:
    new = renamed(files, [f"{name}{n}" for n in range(3)])
    lines = output(capsys, "compare", *new, "-m", "P@1", *options).splitlines()
    assert max(map(cell_len, lines)) <= 80
    ends = [re.findall(r"(\d)\.run", line) for line in lines if " - " in line and "..." in line]
    pairs = [["0", "1"], ["0", "2"], ["1", "2"]]
    assert ends[:3] == pairs
    assert all(end in pairs for end in ends)


def test_a_short_name_leaves_room_for_a_long_one(capsys: Capture, files: list[str]) -> None:
    """10 cells of 63 are the baseline's and what is between: 42 of the other's are not too many."""
    new = renamed(files, ["short", f"{LONG}1", f"{LONG}2"])
    out = output(capsys, "compare", *new, "-m", "P@1", "--baseline", "short.run", "--test", "t")
    lines = [line for line in out.splitlines() if f"{LONG}1.run - short.run" in line]
    assert len(lines) >= 2


@each("name", ["系" * 100, "x" + "系" * 100, "系x系" * 60, "x 系" * 60])
@each("before", ["", "x", "xx "])
def test_wide_characters_in_lines_of_80_columns(name: str, before: str) -> None:
    """A line ends before a wide character that has but one cell left, too."""
    lines = wrapped(before + name, "    ")
    assert max(map(cell_len, lines)) <= 80
    assert "".join("".join(lines).split()) == "".join((before + name).split())


def test_a_title_with_a_long_measure_is_wrapped(capsys: Capture, files: list[str]) -> None:
    measure = "nDCG(gain='exp2', discount='log(b=3.5)')@5"
    lines = output(capsys, "compare", *files, "-m", measure, "--test", "t").splitlines()
    assert max(map(len, lines)) <= 80
    assert f"{measure}: differences, and p by test, corrected" in " ".join(" ".join(lines).split())


def test_the_level_moves_the_marks(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", *files, "-m", "P@1", "--alpha", "0.01")
    row = next(x for x in out.splitlines() if x.startswith("good.run - bad.run"))
    assert row.split()[-2:] == ["0.0004*", "0.0117"]
    assert "99% interval" in out


@each("given", ["bad.run", "a path"])
def test_a_baseline_is_a_name_or_a_path(capsys: Capture, files: list[str], given: str) -> None:
    baseline = files[2] if given == "a path" else given
    arguments = ["compare", *files, "-m", "P@1", "--baseline", baseline, "--format", "json"]
    found = json.loads(output(capsys, *arguments))
    assert found["baseline"] == "bad.run"
    (measure,) = found["measures"]
    assert [(x["first"], x["second"]) for x in measure["pairs"]] == [
        ("good.run", "bad.run"),
        ("same.run", "bad.run"),
    ]
    assert found["correction"]["family"] == 2
    assert measure["pairs"][1]["tests"]["t"]["p"] is None
    assert measure["pairs"][1]["tests"]["t"]["why"] == "all differences are 0"


def test_lines_for_programs(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", *files, "-m", "P@1", "--format"]
    rows = list(csv.DictReader(io.StringIO(output(capsys, *arguments, "csv"))))
    assert len(rows) == 3 * 2
    tabs = output(capsys, *arguments, "tsv").splitlines()
    assert [line.split("\t") for line in tabs] == [list(rows[0]), *(list(x.values()) for x in rows)]
    flips = rows[1]
    assert (flips["test"], flips["p"], flips["significant"]) == (
        "randomisation",
        "0.00390625",
        "yes",
    )
    assert (flips["wins"], flips["ties"], flips["losses"]) == ("9", "3", "0")
    assert rows[4]["why"] == "all differences are 0"
    assert rows[4]["significant"] == ""


def test_tables_for_papers(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", *files, "-m", "P@1", "--test", "randomisation", "--format"]
    latex = output(capsys, *arguments, "latex")
    assert latex.startswith("% \\usepackage{booktabs}\n% * significant at the level alpha = 0.05")
    assert latex.count("\\toprule") == latex.count("\\bottomrule") == 4
    assert "good.run - bad.run & $+$0.7500 & $[0.4626, 1.0374]$ & 0.0117$^{*}$ \\\\" in latex
    markdown = output(capsys, *arguments, "markdown")
    assert "| good.run - bad.run | +0.7500 | \\[0.4626, 1.0374] | 0.0117\\* |" in markdown


def effects_of_first_pair(text: str, divider: str | None) -> dict[str, str]:
    """Name and value of each effect size; a wide table goes on in a further block."""
    found: dict[str, str] = {}
    heads: list[str] = []
    for line in text.splitlines():
        cells = [x.strip(" \\") for x in line.strip("|").split(divider)]
        if cells and cells[0] == "pair":
            heads = cells
        elif "good.run - bad.run" in line:
            found |= zip(reversed(heads), reversed(cells), strict=False)
    return {name: found[name] for name in ("d_z", "d_av", "d", "g") if name in found}


# Cohen's d of good and bad by hand: means 11/12 and 2/12, variances 1/12 and 5/33, so
# .75 / sqrt((1/12 + 5/33) / 2); g is (1 - 3/87) d; d_z is .75 / .4523.
D, G, D_Z = "2.1887", "2.1132", "1.6583"
OF_UNPAIRED, OF_PAIRED = {"d": D, "g": G}, {"d_z": D_Z, "d_av": "2.2126"}


@each(
    ("tests", "shown"),
    [
        (["welch"], OF_UNPAIRED),
        (["pooled", "welch"], OF_UNPAIRED),
        (["t"], OF_PAIRED),
        (["tukey"], OF_PAIRED),
        (["t", "welch"], OF_PAIRED | OF_UNPAIRED),
    ],
    fast=2,
)
@pytest.mark.spec("RS-CMP-17", "RS-CMP-23")
def test_effect_sizes_belong_to_the_tests(
    capsys: Capture, files: list[str], tests: list[str], shown: dict[str, str]
) -> None:
    """Paired ones beside paired tests, d and g beside unpaired ones; programs get all of them."""
    arguments = ["compare", *files, "-m", "P@1", "--test", *tests, "--format"]
    for name, divider in (("table", None), ("markdown", "|"), ("latex", "&")):
        text = output(capsys, *arguments, name).replace("\\_", "_")
        assert effects_of_first_pair(text, divider) == shown
    first = next(csv.DictReader(io.StringIO(output(capsys, *arguments, "csv", "--digits", "4"))))
    assert (first["d"], first["g"], first["d_z"]) == (D, G, D_Z)
    (measure,) = json.loads(output(capsys, *arguments, "json"))["measures"]
    assert list(measure["pairs"][0]["effects"]) == ["d_z", "d_av", "d", "g", "PAD"]


def test_features_of_a_letor_file(capsys: Capture) -> None:
    out = output(capsys, "compare", *LETOR, "--feature", "1", "2", "-1", "--baseline=-1")
    assert "feature 2 - feature -1" in out
    assert "2 pairs with the baseline: 2" in " ".join(out.split())


@each(
    ("arguments", "said"),
    [
        (("--test", "tt"), 'test: unknown name "tt" (did you mean "t"?)'),
        (("--correction", "holms"), 'correction: unknown name "holms" (did you mean "holm"?)'),
        (
            ("--test", "t", "--correction", "max-t"),
            'correction: "max-t" works only with the randomisation',
        ),
        (("--baseline", "x.run"), 'baseline: unknown system "x.run"'),
        (("--alpha", "1.5"), '"1.5" is not a level between 0 and 1, like 0.05'),
        (("--alpha", "0.0"), '"0.0" is not a level between 0 and 1, like 0.05'),
        (("--seed", "-1"), '"-1": expected a whole number from 0 to 2^64 - 1'),
        (("--seed", str(1 << 64)), "expected a whole number from 0 to 2^64 - 1"),
        (("--alpha", "1e-13"), "alpha: expected a number between 0 and 1, from 1e-12"),
        (("--top", "3"), "--top: only --subsets uses it; add --subsets"),
        (("--gap", "absolute"), "--gap: only --subsets uses it; add --subsets"),
        (("--bin-width", "0.5"), "--bin-width: only --splits uses it; add --splits"),
        (("--rope", ".1"), 'rope: only the test "bayes" uses it; add "bayes" to tests'),
    ],
)
def test_what_is_refused(
    capsys: Capture, files: list[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in complaint(capsys, "compare", *files, "-m", "P@1", *arguments)


def test_runs_that_cannot_be_compared(capsys: Capture, files: list[str], tmp_path: Path) -> None:
    qrels, good, bad, _ = files
    one = complaint(capsys, "compare", qrels, good, "-m", "P@1")
    assert "systems: expected two or more, got 1" in one
    assert "the same run is given twice" in complaint(
        capsys, "compare", qrels, good, good, "-m", "P@1"
    )
    short = tmp_path / "short.run"
    short.write_text("".join(Path(bad).read_text().splitlines(keepends=True)[:10]))
    arguments = ["compare", qrels, good, str(short), "-m", "P@1"]
    assert '"q10"' not in output(capsys, *arguments)  # missing queries have the value 0
    said = complaint(capsys, *arguments, "--queries", "both")
    assert (
        'only "good.run" has "q10", "q11"; systems can be compared only on the same queries' in said
    )


def test_without_scipy(capsys: Capture, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    said = complaint(capsys, "compare", *files, "-m", "P@1")
    assert 'need SciPy, which is not installed: pip install "rankspec[compare]"' in said


def test_a_seed_of_the_whole_range(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", *files, "-m", "P@1", "--seed", str((1 << 64) - 1))
    assert "seed 18446744073709551615" in out


def test_a_baseline_by_another_spelling_of_its_path(capsys: Capture, files: list[str]) -> None:
    folder, _, name = files[2].rpartition("/")
    out = output(capsys, "compare", *files, "-m", "P@1", "--baseline", f"{folder}/./{name}")
    assert "good.run - bad.run" in out
    assert "good.run - same.run" not in out


def test_names_that_are_like_intervals_in_latex(capsys: Capture, files: list[str]) -> None:
    """A bracket that begins a row would be an argument of the line break before it."""
    named = Path(files[1]).rename(Path(files[1]).with_name("[50%_x]"))
    out = output(
        capsys, "compare", files[0], str(named), *files[2:], "-m", "P@1", "--format", "latex"
    )
    assert "\n{[}50\\%\\_x] & 0.9167 & 0.2887 & $[0.7333, 1.1001]$" in out
    assert "\n{[}50\\%\\_x] - bad.run & " in out


def test_large_numbers_have_an_exponent(capsys: Capture, tmp_path: Path) -> None:
    """Labels of 1023 by 2^r - 1: a table of 300 digits is none, and JSON has no infinity."""
    (tmp_path / "q").write_text("".join(f"q{a} 0 x 1023\nq{a} 0 y 0\n" for a in range(2)))
    (tmp_path / "a").write_text("".join(f"q{a} Q0 x 1 1 t\n" for a in range(2)))
    (tmp_path / "b").write_text("q0 Q0 x 1 1 t\nq1 Q0 y 1 1 t\n")
    asked = ("compare", *(str(tmp_path / name) for name in "qab"), "-m", "CG(gain='exp2')@1")
    assert max(map(len, output(capsys, *asked).splitlines())) <= 80
    found = json.loads(output(capsys, *asked, "--format", "json"), parse_constant=pytest.fail)
    (pair,) = found["measures"][0]["pairs"]
    assert pair["difference"] == 2.0**1022
    assert pair["interval"] == [None, None]


def test_too_few_samples_are_said(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", *files, "-m", "P@1", "--replicates", "1")
    assert "1 samples are too few for a 95% BCa interval" in " ".join(out.split())
    assert "too few" not in output(capsys, "compare", *files, "-m", "P@1", "--replicates", "40")
