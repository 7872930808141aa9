"""``rankspec session compare``: the page, the options, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec
from rankspec.cli.main import main

from .running import Capture, complaint, output

EXAMPLE = Path(rankspec.__file__).parent / "example"
SYSTEMS = ("sessions-1.tsv", "sessions-2.tsv")
FILES = [str(EXAMPLE / name) for name in ("session-qrels.tsv", *SYSTEMS)]


def written(folder: Path, name: str, documents: list[str]) -> str:
    """A file of sessions of one query with one result: the path of it."""
    path = folder / name
    path.write_text("".join(f"s{a}\t1\t1\t{x}\n" for a, x in enumerate(documents)))
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and three systems: good has a hit in all sessions but one, bad in two."""
    qrels = tmp_path / "qrels.tsv"
    qrels.write_text("".join(f"s{a}\thit\t1\ns{a}\tmiss\t0\n" for a in range(12)))
    good, bad = ["hit"] * 11 + ["miss"], ["hit"] * 2 + ["miss"] * 10
    systems = {"good.tsv": good, "bad.tsv": bad, "same.tsv": bad}
    return [str(qrels), *(written(tmp_path, name, x) for name, x in systems.items())]


def test_the_page(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "session", "compare", *files, "-m", "sDCG@1")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "sDCG@1: means over 12 sessions"
    # As of P@1 in test_compare.py, by R: Holm's p of t is 0.0004, of the flips 3 * 2 / 2^9
    row = next(x for x in lines if x.startswith("good.tsv - bad.tsv"))
    assert row.split()[-2:] == ["0.0004*", "0.0117*"]
    assert "-  t: undefined, all differences are 0: sDCG@1 of bad.tsv - same.tsv" in lines
    # PAD: (11 - 2) / 11 twice, and 0
    assert "sDCG@1   2/3 (67%)  2/3 (67%)    0.5455" in lines
    assert "quer" not in out


def test_it_compares_what_session_eval_prints(capsys: Capture) -> None:
    how = (*FILES, "-m", "nsDCG@3,sDCG@3", "--repeats", "first", "--padding", "0")
    how += ("--gain", "0-1-10-100", "--format", "json")
    means = json.loads(output(capsys, "session", "eval", *how))["systems"]
    found = json.loads(output(capsys, "session", "compare", *how, "--replicates", "20"))
    assert (found["unit"], found["qrels"]) == ("session", FILES[0])
    for of in found["measures"]:
        assert of["sessions"] == 12
        for system, evaluated in zip(of["systems"], means, strict=True):
            assert system["system"] == evaluated["file"]
            assert system["mean"] == evaluated["mean"][of["measure"]]


@pytest.mark.parametrize("given", ["bad.tsv", "a path"])
def test_the_options_of_compare(capsys: Capture, files: list[str], given: str) -> None:
    baseline = files[2] if given == "a path" else given
    arguments = ["session", "compare", *files, "-m", "sDCG@1", "--baseline", baseline]
    arguments += ["--test", "wilcoxon", "sign", "--correction", "bh", "--alpha", "0.01"]
    found = json.loads(output(capsys, *arguments, "--format", "json"))
    assert (found["baseline"], found["alpha"]) == ("bad.tsv", 0.01)
    assert [x["name"] for x in found["tests"]] == ["wilcoxon", "sign"]
    assert found["correction"]["name"] == "bh"
    assert [x["first"] for x in found["measures"][0]["pairs"]] == ["good.tsv", "same.tsv"]
    for name, first in (("latex", "% \\usepackage"), ("markdown", "**sDCG"), ("csv", "measure,")):
        out = output(capsys, *arguments, "--format", name)
        assert out.startswith(first)
        assert "quer" not in out
    head = output(capsys, *arguments, "--format", "tsv").splitlines()[0].split("\t")
    assert head[:4] == ["measure", "first", "second", "sessions"]


# ---- sessions of each system ---------------------------------------------------------------


@pytest.fixture
def apart(tmp_path: Path) -> list[str]:
    """Judgments by topic, two systems on sessions of their own, and the topics of these."""
    (tmp_path / "qrels.tsv").write_text("t\thit\t1\nt\tmiss\t0\nu\thit\t1\nu\tmiss\t0\n")
    topics, paths = [], []
    for name, documents in (("a", ["hit"] * 4 + ["miss"]), ("b", ["miss"] * 3 + ["hit"])):
        ids = [f"{name}{i}" for i in range(len(documents))]
        lines = [f"{x}\t1\t1\t{document}\n" for x, document in zip(ids, documents, strict=True)]
        topics += [f"{x}\t{'tu'[i % 2]}\n" for i, x in enumerate(ids)]
        (tmp_path / f"{name}.tsv").write_text("".join(lines))
        paths.append(str(tmp_path / f"{name}.tsv"))
    (tmp_path / "topics.tsv").write_text("".join(topics))
    return [str(tmp_path / "qrels.tsv"), *paths, "--topics", str(tmp_path / "topics.tsv")]


@pytest.mark.spec("RS-SES-31")
def test_sessions_of_each_system(capsys: Capture, apart: list[str]) -> None:
    """t: 1, 1, 0 of a, 0, 0 of b; u: 1, 1 of a, 0, 1 of b. The mean sum of a over the 10 * 6
    choices is 3 * 2/5 + 2 * 3/4 = 2.7: as far from it are 4, in 3 * 3, and 1, in 1 * 3."""
    found = json.loads(
        output(capsys, "session", "compare", *apart, "-m", "sDCG@1", "--format=json")
    )
    assert found["design"]["name"] == "unpaired"
    (pair,) = found["measures"][0]["pairs"]
    assert pair["tests"]["stratified"]["p"] == 12 / 60
    assert pair["tests"]["stratified"]["how"] == "all 60 permutations within topics"
    out = output(capsys, "session", "compare", *apart, "-m", "sDCG@1")
    assert max(map(len, out.splitlines())) <= 80
    assert "sDCG@1: means, each system over sessions of its own" in out


@pytest.mark.spec("RS-SES-31")
def test_the_design_that_is_chosen(capsys: Capture, files: list[str]) -> None:
    """The same ids, as different sessions: there is no topic then."""
    how = ("-m", "sDCG@1", "--design", "unpaired", "--format", "json")
    found = json.loads(output(capsys, "session", "compare", *files[:3], *how))
    assert found["design"]["why"] == "as chosen: each system has sessions of its own"
    (pair,) = found["measures"][0]["pairs"]
    assert list(pair["tests"]) == ["welch", "stratified"]
    said = complaint(capsys, "session", "compare", *files[:3], "--design", "apart")
    assert 'unknown design "apart"; expected one of paired, unpaired' in said
    said = complaint(capsys, "session", "compare", *files[:3], "--test", "stratified")
    assert 'tests: "stratified" needs different sessions in all systems' in said


# ---- what is refused -----------------------------------------------------------------------


def test_one_file_and_one_file_twice(capsys: Capture) -> None:
    one = complaint(capsys, "session", "compare", *FILES[:2])
    assert "systems: expected two or more, got 1" in one
    twice = complaint(capsys, "session", "compare", *FILES[:2], FILES[1])
    assert "sessions-1.tsv: the same file is given twice" in twice


def test_files_of_one_name_are_told_apart(
    capsys: Capture, files: list[str], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = written(tmp_path / "other", "good.tsv", ["miss"] * 12)
    out = output(
        capsys, "session", "compare", files[0], files[1], other, "-m", "sDCG@1", "--format", "json"
    )
    assert json.loads(out)["systems"] == [files[1], other]


def test_sessions_of_different_ids(capsys: Capture, files: list[str], tmp_path: Path) -> None:
    """Those without judgments aside, which are left out with a warning."""
    short = written(tmp_path, "short.tsv", ["hit"] * 10)
    said = complaint(capsys, "session", "compare", *files[:2], short, "-m", "sDCG@1")
    assert 'systems: "good.tsv" and "short.tsv" share 10 sessions, but only "good.tsv" has ' in said
    said = complaint(
        capsys, "session", "compare", *files[:2], short, "-m", "sDCG@1", "--design", "paired"
    )
    assert said.endswith(
        'systems: "good.tsv" and "short.tsv": only "good.tsv" has "s10", "s11"; systems can '
        "be compared only on the same sessions (RS-CMP-23)\n"
    )
    longer = written(tmp_path, "longer.tsv", ["hit"] * 14)
    assert main(["session", "compare", *files[:2], longer, "-m", "sDCG@1"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "rankspec: warning: longer.tsv: 2 left out (no judgment): s12, s13\n"
    assert "means over 12 sessions" in captured.out


def test_one_session(capsys: Capture, tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.tsv"
    qrels.write_text("s0\thit\t1\ns0\tmiss\t0\n")
    systems = [written(tmp_path, name, [x]) for name, x in (("a", "hit"), ("b", "miss"))]
    out = output(capsys, "session", "compare", str(qrels), *systems, "-m", "sDCG@1")
    assert "sDCG@1: means over 1 session\n" in out
    assert "-  t: undefined, a standard deviation needs two sessions: sDCG@1 of a - b" in out


def test_what_is_no_choice(capsys: Capture) -> None:
    def said(*more: str) -> str:
        return complaint(capsys, "session", "compare", *FILES, *more)

    assert 'baseline: unknown system "x.tsv"' in said("--baseline", "x.tsv")
    assert 'test: unknown name "tt" (did you mean "t"?)' in said("--test", "tt")
    assert "it takes one ranking; for sessions use one of" in said("-m", "AP")
