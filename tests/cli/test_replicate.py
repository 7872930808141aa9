"""``rankspec replicate``: the page, the other formats, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ..each import each
from .running import Capture, complaint, output

# P@2 of four queries, as counts of hits: the repetition has half of the improvement.
HITS = {"base": [1, 1, 0, 0], "adv": [2, 2, 1, 1], "base2": [1, 1, 0, 0], "adv2": [1, 2, 0, 1]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and four runs."""
    qrels = "".join(f"q{n} 0 r{i} 1\n" for n in range(4) for i in range(2))
    (tmp_path / "qrels.txt").write_text(qrels)
    for name, hits in HITS.items():
        lines = []
        for n, count in enumerate(hits):
            docs = [*(f"r{i}" for i in range(count)), *(f"n{i}" for i in range(2 - count))]
            lines += [f"q{n} Q0 {d} {i} {-i} t\n" for i, d in enumerate(docs)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels.txt", *(f"{name}.run" for name in HITS))]


def asked(files: list[str], *more: str) -> list[str]:
    qrels, base, adv, base2, adv2 = files
    runs = ["--original", base, adv, "--replicated", base2, adv2]
    return ["replicate", qrels, *runs, "-m", "P@2", *more]


@pytest.mark.spec("RS-AGR-43")
def test_the_page(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, *asked(files, "--top", "2"))
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[:3] == ["rankings", "run          KTU     RBO", "baseline  1.0000  1.0000"]
    # differences 1/2, 0, 1/2, 0: sqrt(1/8); t = -1/4 / sqrt(1/12 / 4) = -sqrt 3
    row = next(x for x in lines if x.startswith("advanced") and "(3)" in x)
    assert row.split()[1:6] == ["0.7500", "0.5000", "0.3536", "-1.7321", "(3)"]
    # improvements 1/2 and 1/4 over baselines of 1/4: 2 - 1
    assert "P@2       +0.5000     +0.2500  0.5000    1.0000" in lines
    assert "advanced: adv.run, replicated by adv2.run" in lines
    assert "-  t: undefined, all differences are 0: P@2 of baseline" in lines


def test_both_sides_may_have_one_baseline(capsys: Capture, files: list[str]) -> None:
    """Its repetition is itself; the improvements are over the same."""
    qrels, base, adv, _, adv2 = files
    given = [qrels, "--original", base, adv, "--replicated", base, adv2, "-m", "P@2", "--top", "2"]
    lines = output(capsys, "replicate", *given).splitlines()
    assert "baseline  1.0000  1.0000" in lines
    assert "P@2       +0.5000     +0.2500  0.5000    1.0000" in lines


def test_one_run_and_its_repetition(capsys: Capture, files: list[str]) -> None:
    given = [files[0], "--original", files[2], "--replicated", files[4], "-m", "P@2"]
    out = output(capsys, "replicate", *given)
    assert "improvement" not in out
    assert "advanced" in out


def test_other_formats(capsys: Capture, files: list[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(output(capsys, *asked(files, "--format", "csv")))))
    assert [(x["run"], x["original"], x["effect_ratio"]) for x in rows] == [
        ("baseline", "base.run", ""),
        ("advanced", "adv.run", "0.5"),
    ]
    tabs = output(capsys, *asked(files, "--format", "tsv")).splitlines()
    assert [line.split("\t") for line in tabs] == [list(rows[0]), *(list(x.values()) for x in rows)]
    document = json.loads(output(capsys, *asked(files, "--format", "json")))
    assert (document["qrels"], document["other_qrels"]) == (files[0], None)
    assert document["measures"][0]["improvement"]["delta_ri"] == 1
    assert output(capsys, *asked(files, "--format", "latex")).count("\\toprule") == 3
    assert "| P@2 | +0.5000 | +0.2500 |" in output(capsys, *asked(files, "--format", "markdown"))


def test_another_collection(capsys: Capture, files: list[str], tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("".join(f"q{n} 0 r{i} 1\n" for n in range(3) for i in range(2)))
    out = output(capsys, *asked(files, "--other-qrels", str(other)))
    assert max(map(len, out.splitlines())) <= 80
    assert "KTU" not in out
    # of the first three queries: (1 - 2/3) / 1/2 of the means 1/2 and 1/3
    assert "P@2       +0.5000     +0.1667  0.3333    1.5000" in out.splitlines()


@each(
    ("arguments", "said"),
    [
        ("Q --original A --replicated C D", "--original has 1 runs and --replicated 2"),
        ("Q --original A B C --replicated D", "--original: expected a run, or a baseline and a"),
        ("Q --original A --replicated A", "the same run is given twice"),
        ("Q --original A A --replicated C D", "the same run is given twice"),
        ("Q --original A --replicated C --other-qrels Q --top 3", "--top: it applies to rankings"),
        ("Q --original A", "the following arguments are required: --replicated"),
        (
            "Q --original A --replicated C --other-qrels Q",
            "other_qrels: across collections only improvements",
        ),
        ("Q --original A --replicated C --top 0", '"0": expected a whole number'),
        ("Q --original A --replicated C --rbo-p 1", '"1" is not a level'),
        (
            "Q --original A --replicated C --ties expected",
            'ties: "expected" leaves tied documents unordered',
        ),
        ("- --original - --replicated C", "only one of the files can be the standard input"),
    ],
)
def test_what_is_refused(capsys: Capture, files: list[str], arguments: str, said: str) -> None:
    known = dict(zip("QABCD", files, strict=True))
    given = [known.get(word, word) for word in arguments.split()]
    assert said in complaint(capsys, "replicate", *given)
