"""``rankspec power``: the page, the other formats, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import rankspec
from rankspec.cli.main import main

from ..each import each
from .running import Capture, complaint, output

EXAMPLE = Path(rankspec.__file__).parent / "example"
PILOT = [str(EXAMPLE / name) for name in ("qrels.txt", "plain.run", "rich.run")]
LETOR = ("--letor", str(EXAMPLE / "letor.txt"), "--feature", "1", "2", "-m", "AP")

GIVEN = ("--sd", "0.2", "--difference", "0.05", "0.1")
NEEDED = ["128", "34"]  # power.t.test(delta = 0.1, sd = 0.2, type = "paired") has 33.4


def test_the_page(capsys: Capture) -> None:
    lines = output(capsys, "power", *GIVEN, "--n", "20").splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split("  ")[-1] == "power of 20"
    assert lines[3].split()[:5] == ["as", "given,", "paired,", "0.1000", "0.2000"]
    # power.t.test(n = 20, delta = 0.1, sd = 0.2, type = "paired", strict = TRUE)$power
    assert lines[3].split()[-1] == "0.5645"
    assert [line.split()[5] for line in lines[2:4]] == NEEDED
    text = " ".join(" ".join(lines).split())
    assert "at the level alpha = 0.05 finds a difference of that size with a power of 0.8" in text


def test_rows_of_a_wide_table_say_what_they_are_of(capsys: Capture) -> None:
    """Where the columns are divided, each part has test and difference."""
    given = ["power", "--sd", ".2", "--difference", "5e-2", "0.1", "--n", *map(str, range(10, 16))]
    lines = output(capsys, *given).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(x.startswith("as given, paired, 0.0500 ") for x in lines) == 2
    assert sum(x.startswith("as given, paired, 0.1000 ") for x in lines) == 2


def test_a_difference_given_again_has_one_row(capsys: Capture) -> None:
    given = ("power", "--sd", "0.2", "--difference", "0.05")
    assert output(capsys, *given, "0.050", "0.1") == output(capsys, *given, "0.1")


def test_a_variance_is_the_square(capsys: Capture) -> None:
    given = ["--variance", "0.04", "--difference", "0.05", "0.1"]
    assert output(capsys, "power", *given) == output(capsys, "power", *GIVEN)


def test_the_formats_have_the_same_numbers(capsys: Capture) -> None:
    arguments = ["power", *PILOT, "-m", "nDCG@10", "-m", "AP", "--difference", "0.1", "--n", "25"]
    found = json.loads(output(capsys, *arguments, "--format", "json"))
    assert found["qrels"] == PILOT[0]
    rows = list(csv.DictReader(io.StringIO(output(capsys, *arguments, "--format", "csv"))))
    tabs = output(capsys, *arguments, "--format", "tsv").splitlines()
    assert [x.split("\t") for x in tabs] == [list(rows[0]), *(list(x.values()) for x in rows)]
    assert [(x["measure"], x["test"], x["needed"]) for x in rows] == [
        (measure, test, needed)
        for measure in ("nDCG@10", "AP")
        for test in ("paired", "unpaired")
        for needed in ("yes", "no")
    ]
    flat = [(x["deviation"], y["queries"], y["power"]) for x in found["rows"] for y in x["powers"]]
    assert [(float(x["sd"]), int(x["queries"]), float(x["power"])) for x in rows] == flat
    for name, divider in (("table", "  "), ("markdown", "|"), ("latex", "&")):
        text = output(capsys, *arguments, "--format", name)
        lines = [line for line in text.splitlines() if "paired, 0.1000" in line]
        for line, row in zip(lines, rows[::2], strict=True):
            of, _, queries, *_ = (x.strip() for x in line.split(divider) if x.strip())
            assert (of, queries) == (f"{row['measure']}, {row['test']}, 0.1000", row["queries"])


def test_a_letor_file_is_a_pilot(capsys: Capture) -> None:
    out = output(capsys, "power", *LETOR, "--difference", "0.3", "--test", "unpaired")
    assert out.splitlines()[2].startswith("AP, unpaired, 0.3000 ")


@each(
    ("arguments", "said"),
    [
        (["--sd", "0.2"], "the following arguments are required: --difference"),
        (["--sd", "0", "--difference", "1"], '"0" is not a number above 0'),
        (["--variance", "0.0", "--difference", "1"], '"0.0" is not a number above 0'),
        (["--sd", "0.2", "--difference", "0"], '"0" is not a number above 0'),
        ([*GIVEN, "--alpha", "1"], '"1" is not a level between 0 and 1'),
        ([*GIVEN, "--alpha", "0"], '"0" is not a level between 0 and 1'),
        ([*GIVEN, "--beta", "1.5"], '"1.5" is not a level between 0 and 1'),
        ([*GIVEN, "--variance", "0.1"], "--sd and --variance exclude each other"),
        ([*GIVEN, "--test", "paired", "unpaired"], "a deviation serves one test"),
        ([*GIVEN, "--test", "welch"], 'tests: unknown test "welch"'),
        ([*GIVEN, "--n", "1"], "n: expected a number of queries from 2 to 2^31, got 1"),
        ([*GIVEN, "-m", "AP"], "--measure needs a pilot (QRELS RUN RUN), which --sd replaces"),
        ([*GIVEN, "--rel", "2"], "--rel needs a pilot"),
        ([*GIVEN, "--profile", "ranx"], "--profile needs a pilot"),
        ([*GIVEN, *LETOR], "--letor needs a pilot"),
        ([*PILOT, *GIVEN], "--sd replaces the pilot of QRELS and RUN"),
        ([*PILOT[:2], "--difference", "1"], "systems: expected two or more, got 1"),
        (
            [*PILOT, "-m", "AP", "--difference", "0.0000001"],
            "finding 1e-07 would need more than 2^31 queries",
        ),
    ],
)
def test_what_is_refused(capsys: Capture, arguments: list[str], said: str) -> None:
    assert said in complaint(capsys, "power", *arguments)


def test_a_pilot_without_variance(capsys: Capture, tmp_path: Path) -> None:
    """One run twice: their differences are all 0."""
    other = tmp_path / "again.run"
    other.write_bytes(Path(PILOT[1]).read_bytes())
    arguments = [*PILOT[:2], str(other), "-m", "AP", "--difference", "0.1", "--test", "paired"]
    assert "pilot: AP: the variance is undefined" in complaint(capsys, "power", *arguments)


def test_a_pilot_without_variance_for_one_test(capsys: Capture, tmp_path: Path) -> None:
    """The other test has its rows; the first has n/a and why, in each format."""
    other = tmp_path / "again.run"
    other.write_bytes(Path(PILOT[1]).read_bytes())
    arguments = ["power", *PILOT[:2], str(other), "-m", "AP", "--difference", "0.1", "0.2"]
    for form in ("table", "markdown", "latex"):
        text = " ".join(output(capsys, *arguments, "--format", form).split())
        assert text.count("n/a: AP, paired: the variance is undefined") == 1
    header, *lines = (
        line.split("\t") for line in output(capsys, *arguments, "--format", "tsv").splitlines()
    )
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert [row["test"] for row in rows] == ["paired"] * 2 + ["unpaired"] * 2
    assert [(row["sd"], row["queries"]) for row in rows[:2]] == [("", "")] * 2
    assert rows[0]["why"].startswith("the variance is undefined")
    assert [row["why"] for row in rows[2:]] == [""] * 2


def test_help_is_in_80_columns(capsys: Capture) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        assert main(["power", "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
