"""LETOR files on the command line: ``rankspec eval --letor``."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import numpy
import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.errors import InputError

from ..each import each
from .running import Capture, complaint, former, output

ROWS = """\
2 qid:7 1:0.5 2:3 # a
0 qid:7 1:0.5
1 qid:7 1:0.25 2:1
0 qid:8 1:1
1 qid:8 1:2
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("test.txt").write_text(ROWS)
    Path("test.gz").write_bytes(gzip.compress(ROWS.encode()))
    Path("no_qid").write_text(ROWS.replace("qid:7 ", "").replace("qid:8 ", ""))
    Path("sizes").write_text("3\n2\n")
    Path("a.txt").write_text("1\n2\n3\n4\n5\n")
    Path("b.txt").write_text("5\n4\n3\n2\n1\n")
    Path("few.txt").write_text("5\n4\n")
    Path("qrels").write_text("q 0 a 1\n")
    Path("run").write_text("q Q0 a 1 2.5 t\n")


def test_features_are_rows_of_the_table(capsys: Capture) -> None:
    """RR by hand. By 1: 3/4, as the first two tie and one of them is relevant, and 1. By -1: 1 and
    1/2."""
    printed = output(capsys, "eval", "--letor", "test.txt", "--feature", "1", "-1", "-m", "RR")
    assert printed == (
        "run             RR\nfeature 1   0.8750\nfeature -1  0.7500\n\n2 queries, ties: expected\n"
    )


def test_scores_may_name_a_file(capsys: Capture) -> None:
    """--scores is a rule for how scores are compared; it named files, too, and warns of these."""
    words = ["eval", "--letor", "test.gz", "-m", "RR", "--format", "tsv", "-q"]
    by_file, warning = former(capsys, *words, "--scores", "b.txt")
    assert warning == (
        "--scores says how scores are read; files of predictions follow --predictions: "
        "--predictions b.txt"
    )
    assert by_file == output(capsys, *words, "--predictions", "b.txt")
    assert by_file != output(capsys, *words, "--predictions", "a.txt")
    rounded = output(capsys, *words, "--feature", "2", "--scores", "float32")
    assert rounded == output(capsys, *words, "--feature", "2")


def test_files_of_scores_are_predictions(capsys: Capture) -> None:
    """Several, again and again, and between files of the other option; a rule stays a rule."""
    words = ["eval", "--letor", "test.txt", "-m", "RR", "--format", "tsv"]
    Path("c.txt").write_text("3\n1\n4\n1\n5\n")
    Path("d.txt").write_text("1\n1\n1.00000001\n1\n1\n")
    given = "--predictions b.txt c.txt a.txt"
    expected = output(capsys, *words, *given.split())
    assert [line.split("\t")[0] for line in expected.splitlines()[1:]] == [
        "b.txt",
        "c.txt",
        "a.txt",
    ]
    for how in (
        "--scores b.txt c.txt a.txt",
        "--scores b.txt --scores c.txt --scores a.txt",
        "--predictions b.txt --scores c.txt --predictions a.txt",
        "--scores b.txt --predictions c.txt --scores a.txt",
    ):
        printed, warning = former(capsys, *words, *how.split())
        assert printed == expected
        assert warning.startswith("--scores says how scores are read; files of predictions follow")
    doubles, floats = (
        output(capsys, *words, *how.split())
        for how in ("--predictions d.txt", "--scores float32 --predictions d.txt")
    )
    # By hand. The third row is first, and relevant; or it ties with the two before it, of which one
    # is relevant. In the other query two rows tie: 3/4.
    assert doubles.split()[-1] == "0.875"
    assert floats.split()[-1] == repr((5 / 6 + 3 / 4) / 2)
    for how in ("--scores d.txt", "--scores=d.txt"):
        assert former(capsys, *words, *how.split())[0] == doubles
    for how in ("--scores float32 --scores d.txt", "--scores float32 d.txt"):
        assert former(capsys, *words, *how.split())[0] == floats
    assert main(["eval", "--scores", "d.txt", "--letor=test.txt", "-m", "RR"]) == 0


def test_a_rule_before_the_files_of_an_evaluation(capsys: Capture) -> None:
    """It takes one word there, and leaves the qrels and the run."""
    output(capsys, "eval", "--scores", "float32", "qrels", "run")


def test_features_and_predictions(capsys: Capture) -> None:
    how = ["--feature", "2", "--predictions", "a.txt", "b.txt", "-m", "RR", "--format", "tsv", "-q"]
    lines = output(capsys, "eval", "--letor", "test.gz", *how).splitlines()
    assert [line.split("\t") for line in lines] == [
        ["run", "query", "RR"],
        ["feature 2", "7", "1.0"],
        ["feature 2", "8", "0.75"],
        ["feature 2", "all", "0.875"],
        ["a.txt", "7", "1.0"],
        ["a.txt", "8", "1.0"],
        ["a.txt", "all", "1.0"],
        ["b.txt", "7", "1.0"],
        ["b.txt", "8", "0.5"],
        ["b.txt", "all", "0.75"],
    ]


def test_trec_format(capsys: Capture) -> None:
    how = ["--feature", "1", "--format", "trec", "-m", "recip_rank"]
    line = output(capsys, "eval", "--letor", "test.txt", *how)
    assert line.split() == ["recip_rank", "all", "0.8750"]


@pytest.mark.parametrize("backend", ["c", "reference"])
def test_json_has_the_doubles(capsys: Capture, backend: str) -> None:
    how = ["--feature", "1", "--format", "json", "-q", "-m", "nDCG@2", "--backend", backend]
    printed = json.loads(output(capsys, "eval", "--letor", "test.txt", *how))
    found = rs.evaluate_letor("test.txt", "nDCG@2", feature=1)
    assert printed["letor"] == "test.txt"
    assert "qrels" not in printed
    (run,) = printed["runs"]
    assert run["per_query"] == found.per_query
    assert run["mean"] == found.mean
    assert printed["measures"]["nDCG@2"]["order"].startswith("feature 1, descending")


def test_conventions(capsys: Capture) -> None:
    how = ["--feature", "1", "-m", "RR", "--ties", "worst", "--format", "tsv"]
    assert "\t0.75\n" in output(capsys, "eval", "--letor", "test.txt", *how)
    printed = output(capsys, "eval", "--letor", "test.txt", "--feature", "1", "--profile", "ranx")
    assert "profile: ranx" in printed


def test_group(capsys: Capture) -> None:
    how = ["--feature", "1", "-m", "RR", "-q"]
    given = output(capsys, "eval", "--letor", "no_qid", "--group", "sizes", *how)
    assert [line.split()[0] for line in given.splitlines()[1:4]] == ["1", "2", "mean"]
    Path("no_qid.query").write_text("3\n2\n")
    assert output(capsys, "eval", "--letor", "no_qid", *how) == given


def test_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROWS.encode())))
    printed = output(capsys, "eval", "--letor", "-", "--feature", "1", "2", "-m", "RR")
    assert "feature 1  0.8750\nfeature 2  0.8750\n" in printed


@each("command", ["eval", "classify"])
@each(
    ("words", "message"),
    [
        ("--letor test.txt", "give --feature or --predictions, which rank the rows (RS-CONV-21)"),
        (
            "--letor test.txt --scores float32",
            "give --feature or --predictions, which rank the rows (RS-CONV-21)",
        ),
        (
            "--letor test.txt --scores none.txt",
            'unknown rule "none.txt"; expected double or float32. To give a file of predictions, '
            "use --predictions and --letor FILE",
        ),
        (
            "--letor test.txt --feature 1 --scores flaot32",
            'unknown choice "flaot32" (did you mean "float32"?)',
        ),
        ("--letor test.txt --feature 1 --scores", "argument --scores: expected one argument"),
        (
            "--letor test.txt --scores a.txt --predictions a.txt",
            "a.txt: the same run is given twice",
        ),
        ("--letor test.txt --scores - --predictions -", "only one of the files can be the stand"),
        (
            "qrels run --scores a.txt",
            'unknown rule "a.txt"; expected double or float32. To give a file of predictions, use '
            "--predictions and --letor FILE",
        ),
        ("qrels run --scores flaot32", 'unknown choice "flaot32" (did you mean "float32"?)'),
        ("qrels --scores float32 run --ties", "argument --ties: expected one argument"),
        ("--letor test.txt --feature 3", "test.txt: no row has the feature 3 (RS-CONV-21)"),
        ("--letor test.txt --feature 1 1", "--feature: 1 is given twice"),
        ("--letor test.txt --feature 0", '"0": expected the number of a feature'),
        ("--letor test.txt --feature x", '"x": expected the number of a feature'),
        (
            "--letor test.txt --predictions few.txt",
            "few.txt: 2 numbers, but test.txt has more rows",
        ),
        ("--letor test.txt --predictions a.txt a.txt", "a.txt: the same run is given twice"),
        ("--letor no_qid --feature 1", "no_qid:1: found no qid behind the label"),
        ("--letor no_qid --feature 1 --group no", "no: cannot be read: No such file"),
        ("--letor missing --feature 1", "missing: cannot be read: No such file"),
        ("--letor - --predictions -", "only one of the files can be the standard input"),
        (
            "--letor test.txt --feature 1 --queries both",
            "queries: it has no effect here, because each row of a LETOR file is",
        ),
        (
            "--letor test.txt --feature 1 --duplicates last",
            "duplicates: it has no effect here, because each row",
        ),
        (
            "--letor test.txt --feature 1 --ties id-descending",
            "orders by document id, but the rows of a LETOR file have no ids",
        ),
        (
            "qrels --letor test.txt --feature 1",
            'unexpected argument "qrels": --letor replaces QRELS and RUN',
        ),
        ("qrels run --letor test.txt --feature 1", 'unexpected argument "qrels"'),
        ("qrels run --feature 1", "--feature needs a LETOR file; add --letor FILE"),
        ("qrels run --group sizes", "--group needs a LETOR file"),
        ("qrels", "the following arguments are required: RUN"),
        ("", "the following arguments are required: QRELS, RUN"),
    ],
)
def test_refused(capsys: Capture, command: str, words: str, message: str) -> None:
    assert message in complaint(capsys, command, *words.split())


def test_a_file_with_the_name_of_a_feature(capsys: Capture) -> None:
    Path("feature 1").write_text("1\n2\n3\n4\n5\n")
    words = ["--letor", "test.txt", "--feature", "1", "--predictions", "feature 1"]
    assert "a file is named like a feature" in complaint(capsys, "eval", *words)


PARTS = ("--letor", "one.txt", "two.txt")
BM25 = ("bm25.one", "bm25.two")
TREE = ("tree.one", "tree.two")


@pytest.fixture
def parts() -> None:
    """The rows of test.txt, a query in each file; of two systems, predictions of each file."""
    rows = ROWS.splitlines(keepends=True)
    Path("one.txt").write_text("".join(rows[:3]))
    Path("two.txt").write_text("# the second part\n" + "".join(rows[3:]))
    numbers = {"bm25": "12345", "tree": "54321"}
    for name, scores in numbers.items():
        Path(f"{name}.one").write_text("\n".join(scores[:3]) + "\n")
        Path(f"{name}.two").write_text("\n".join(scores[3:]) + "\n")


@pytest.mark.usefixtures("parts")
def test_parts_of_a_collection(capsys: Capture) -> None:
    """Each system has a file for each part, and the values are those of all rows in one file."""
    how = ["-m", "RR", "-m", "nDCG@2", "--format", "tsv", "-q"]
    whole = output(capsys, "eval", "--letor", "test.txt", "--predictions", "a.txt", "b.txt", *how)
    expected = whole.replace("a.txt", "bm25.one").replace("b.txt", "tree.one")
    for predictions in (
        ["--predictions", *BM25, *TREE],
        ["--predictions", *BM25, "--predictions", *TREE],
    ):
        assert output(capsys, "eval", *PARTS, *predictions, *how) == expected
    by_feature = output(capsys, "eval", "--letor", "test.txt", "--feature", "2", *how)
    assert output(capsys, "eval", *PARTS, "--feature", "2", *how) == by_feature
    twice = ["--letor", "one.txt", "--letor", "two.txt"]
    assert output(capsys, "eval", *twice, "--feature", "2", *how) == by_feature


@pytest.mark.usefixtures("parts")
def test_commands_take_parts(capsys: Capture) -> None:
    """Return the explanation of one file with all rows, without names of files and documents."""
    ranked = ["--predictions", *BM25, *TREE]
    whole = ["--letor", "test.txt", "--predictions", "a.txt", "b.txt"]
    names = {"a.txt": "bm25.one", "b.txt": "tree.one"}

    def documents(*words: str) -> tuple[str, str]:
        found = []
        for given in ([*PARTS, *ranked], whole):
            document = json.loads(output(capsys, words[0], *given, *words[1:], "--format", "json"))
            found.append((document.pop("letor"), json.dumps(document)))
        (files, parts), (file, other) = found
        assert (files, file) == (["one.txt", "two.txt"], "test.txt")
        for name, own in names.items():
            other = other.replace(name, own)
        return parts, other

    for words in (
        ("eval", "-m", "RR", "-q"),
        ("classify", "-m", "RR", "--top", "1"),
        ("compare", "-m", "RR", "--test", "t", "--replicates", "9"),
        ("power", "-m", "RR", "--difference", "0.1"),
    ):
        parts, other = documents(*words)
        assert parts == other, words[0]
    baseline = ("--baseline", "tree.one", "-m", "RR", "--test", "t", "--replicates", "9")
    assert "tree.one" in output(capsys, "compare", *PARTS, *ranked, *baseline)
    one = [*PARTS, "--predictions", *TREE]
    found = json.loads(output(capsys, "explain", *one, "--query", "8", "--format", "json"))
    assert [row["document"] for row in found["rows"]] == ["2:2", "2:3"]
    assert found["letor"] == ["one.txt", "two.txt"]
    found = json.loads(output(capsys, "check", *one, "--format", "json"))
    assert {finding["of"] for finding in found["findings"] if finding["name"] == "ties"} == {5}


@pytest.mark.usefixtures("parts")
def test_a_second_collection_in_parts(capsys: Capture) -> None:
    """Its LETOR files, then its predictions: as many files for each as make the systems whole."""
    for folder in ("x", "y"):
        Path(folder).mkdir()
        for name in ("a.txt", "b.txt"):
            text = Path(name).read_text()
            Path(folder, name).write_text(text if folder == "x" else text[::-1].lstrip() + "\n")
        Path(folder, "rows").write_text(ROWS.replace("qid:", f"qid:{folder}"))
    ours = ["--letor", "test.txt", "--predictions", "a.txt", "b.txt"]
    there = [f"{folder}/{name}" for name in ("rows", "a.txt", "b.txt") for folder in "xy"]
    how = ["-m", "RR", "--test", "t", "--replicates", "9", "--format", "json"]
    found = json.loads(output(capsys, "compare", *ours, *how, "--against", *there))
    assert [swaps["queries"] for swaps in found["against"]] == [[2, 4]]
    rows = ["x/rows", "y/rows"]
    by_features = ["--letor", "test.txt", "--feature", "1", "2", *how, "--against", *rows]
    found = json.loads(output(capsys, "compare", *by_features))
    assert [swaps["queries"] for swaps in found["against"]] == [[2, 4]]
    message = complaint(capsys, "compare", *ours, *how, "--against", *there[:5])
    assert (
        "--against: expected LETOR files, then as many predictions for each of the 2 systems, got "
        "5 files"
    ) in message


@pytest.mark.usefixtures("parts")
@each(
    ("words", "message"),
    [
        (
            ("--predictions", *BM25, TREE[0]),
            "--predictions: expected 2 files for each system, one for each of --letor, got 3 in",
        ),
        (
            ("--predictions", "bm25.one", "bm25.one"),
            "bm25.one: the same run is given twice (RS-CONV-21)",
        ),
        (
            ("--predictions", "bm25.two", "bm25.one"),
            "bm25.two: 2 numbers, but one.txt has more rows",
        ),
        (("--feature", "3"), "one.txt, two.txt: no row has the feature 3"),
        (("--feature", "1", "--group", "sizes"), "--group: expected 2 files, one for each of"),
        (
            ("--feature", "1", "--letor", "one.txt"),
            "one.txt: the same file is given twice (RS-CONV-21)",
        ),
        (
            ("--feature", "1", "--letor", "test.txt"),
            'test.txt:1: a further row of query "7", whose rows began in one.txt:1; the rows of a',
        ),
        (
            ("--letor", "-", "-", "--feature", "1"),
            "only one of the files can be the standard input",
        ),
    ],
)
def test_refused_parts(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert message in complaint(capsys, "eval", *PARTS, *words)


EXPLAINED = (
    "2 qid:7 1:0.5 2:3\n0 qid:7 1:0.5 # x\n1 qid:7 1:0.75 2:1\n1 qid:8 1:-1.5 2:1\n0.5 qid:8 1:2\n"
)


@pytest.mark.spec("RS-CONV-21/L1")
def test_explain_and_check_read_such_files(tmp_path: Path, capsys: Capture) -> None:
    """The value is that of eval, and the documents are the numbers of the lines."""
    file, scores = tmp_path / "rows", tmp_path / "scores"
    file.write_text(EXPLAINED)
    scores.write_text("1\n2\n3\n4\n5\n")
    ways = (["--feature", "1"], ["--feature", "-1"], ["--predictions", str(scores)])
    for ranking in ways:
        given = ["--letor", str(file), *ranking]
        of_eval = json.loads(
            output(capsys, "eval", *given, "--format", "json", "-m", "nDCG@2", "-q")
        )
        (values,) = (next(iter(run["per_query"].values())) for run in of_eval["runs"])
        for query in ("7", "8"):
            command = ["explain", *given, "--query", query, "-m", "nDCG@2", "--format", "json"]
            found = json.loads(output(capsys, *command))
            assert found["value"] == values[query], (ranking, query)
            assert found["letor"] == str(file)
            lines = {"7": {"1", "2", "3"}, "8": {"4", "5"}}[query]
            assert {row["document"] for row in found["rows"]} <= lines
            assert found["conventions"]["ties"] == "expected"
        checked = json.loads(output(capsys, "check", *given, "--format", "json"))
        of = {finding["name"]: finding["of"] for finding in checked["findings"]}
        assert (of["ties"], of["constant"]) == (5, 2), ranking
    message = complaint(capsys, "check", "--letor", str(file), "--feature", "1", "2")
    assert "expected one ranking of the rows, got feature 1, feature 2" in message
    assert "--feature needs a LETOR file" in complaint(capsys, "check", "a", "b", "--feature", "1")
    assert 'unexpected argument "a": --letor replaces QRELS and RUN' in complaint(
        capsys, "explain", "a", "b", "--letor", str(file), "--feature", "1", "--query", "7"
    )


@pytest.mark.spec("RS-CONV-21")
def test_explain_and_check_say_what_orders_rows(tmp_path: Path, capsys: Capture) -> None:
    """There is no rank column, no line given again, and no query of the one file alone."""
    file = tmp_path / "rows"
    file.write_text(EXPLAINED)
    for feature, ties in ((1, "expected"), (-1, "worst")):
        given = ["--letor", str(file), "--feature", str(feature), "--ties", ties]
        expected = rs.evaluate_letor(str(file), "nDCG@2", feature=feature, ties=ties)
        command = ["explain", *given, "--query", "7", "-m", "nDCG@2"]
        found = json.loads(output(capsys, *command, "--format", "json"))["definition"]
        definition = dict(expected.definition("nDCG@2"))
        assert found == definition
        text = output(capsys, *command)
        assert definition["order"] in text
        assert "the run" not in text
        text = " ".join(output(capsys, "check", *given).split())
        assert f"the order is by {definition['order']}" in text
        assert ("the mean is over all their orders" in text) == (ties == "expected")
        assert ("a rule orders them" in text) == (ties == "worst")
        for word in ("rank column", "ranks contra", "qrels", "of the run", "duplicates"):
            assert word not in text.replace("ranks 2", ""), (feature, word)
    command = ["explain", "--letor", str(file), "--feature", "1", "--query", "99999"]
    assert 'query "99999" is not in the file' in complaint(capsys, *command)


def test_a_feature_is_any_whole_number() -> None:
    expected = rs.evaluate_letor(io.BytesIO(EXPLAINED.encode()), "RR", feature=-1).mean
    for number in (numpy.int64(-1), numpy.int8(-1)):
        found = rs.evaluate_letor(io.BytesIO(EXPLAINED.encode()), "RR", feature=number)  # type: ignore[arg-type]
        assert found.mean == expected
    for number in (True, 1.0, numpy.float64(1), numpy.bool_(True), "1", 0):
        with pytest.raises(InputError, match=r"feature: expected an integer from 1 on .*, got "):
            rs.evaluate_letor(io.BytesIO(EXPLAINED.encode()), "RR", feature=number)  # type: ignore[arg-type]
