"""Files that could be read as others: what is refused, and what looks alike and is not.

The advice in these errors is followed in ``test_advice``.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli.main import main
from rankspec.evaluation import joined
from rankspec.formats import blocks
from tests.each import each

RUN = {"1": {"50": 2.0, "5": 1.0}}
BACKENDS = ("c", "reference")


def qrels(*lines: str) -> io.BytesIO:
    return io.BytesIO("\n".join(lines).encode())


@each("backend", BACKENDS)
@each(
    "lines",
    [
        ["1\t50\t5\t881250949", "1\t5\t3\t881250950"],
        ["", "1 50 4.5 1147868817", "1 5 0.5 978300760", ""],
        ["a B00X 100 1382659200000"],
        ["user_id:token item_id:token rating:float timestamp:float", "1 7 3 88"],
        ["userId movieId rating timestamp"],
        ["1 50 5 20010101", "1 5 3 19991231"],
        ["1 0 5 881250949", "1 7 3 881250950"],  # 0 is an item
        ["1 50 5 13826592000", "1 5 3 1382659200000000"],
    ],
)
@pytest.mark.spec("RS-CONV-19")
def test_ratings_are_no_qrels(lines: list[str], backend: str) -> None:
    for duplicates in ("error", "first", "best"):
        with pytest.raises(rs.InputError, match="user item rating timestamp"):
            rs.evaluate(qrels(*lines), RUN, "RR", duplicates=duplicates, backend=backend)
    with pytest.raises(rs.InputError, match="user item rating timestamp"):
        rs.evaluate_diversity(qrels(*lines), RUN, "StRecall@1")


@each("backend", BACKENDS)
@each(
    ("lines", "value"),
    [
        (["1 0 50 881250949", "1 0 5 1"], 1.0),  # one label is no time
        (["1 50 5 3", "1 5 3 4"], 0.5),  # few digits: a document 5, of the iteration 50
        (["1 0 D50 881250949"], 0.0),  # labels that are large, of documents that are no numbers
        (["1 0 500 881250949"], 0.0),  # or of numbers that are no ratings
        (["1 0 50 12345678"], 1.0),
        (["1 0 50 881250949", "1 0 5 881250950"], 1.0),  # 0 is the iteration
        (["1 1 50 20011301"], 1.0),  # no month
    ],
)
@pytest.mark.spec("RS-CONV-19")
def test_qrels_with_large_labels_are_qrels(lines: list[str], value: float, backend: str) -> None:
    with warnings.catch_warnings(action="ignore"):
        assert rs.evaluate(qrels(*lines), RUN, "RR", backend=backend)["RR"] == value


@each("backend", BACKENDS)
@pytest.mark.spec("RS-CONV-10", "RS-DIV-20")
def test_judgments_of_subtopics_are_named_where_a_document_has_two(backend: str) -> None:
    both = qrels("1 1 50 0", "1 2 50 1")
    with pytest.raises(rs.InputError, match=r"with \"2\" and \"1\" .* subtopics") as error:
        rs.evaluate(both, RUN, "RR", backend=backend)
    assert "duplicates=" not in str(error.value)
    with pytest.raises(rs.InputError, match="duplicates="):
        rs.evaluate(qrels("1 0 50 0", "1 0 50 1"), RUN, "RR", backend=backend)


@pytest.mark.spec("RS-CONV-19")
def test_rounds_of_judgments_are_iterations() -> None:
    """As those of TREC-COVID: a document is judged in one of them."""
    rounds = qrels("1 0.5 50 0", "1 1 5 2", "1 2 7 1")
    assert rs.evaluate(rounds, RUN, "RR")["RR"] == 1 / 2


@pytest.mark.spec("RS-DIV-20")
def test_a_file_without_subtopics_is_none_of_diversity() -> None:
    for second in ("0", "Q0"):
        with pytest.raises(rs.InputError, match=f"the second column is {second} in all lines"):
            rs.evaluate_diversity(qrels(f"1 {second} 50 1"), RUN, "StRecall@1")
    for lines in (["1 0 50 1", "1 1 5 1"], ["1 1 50 1"]):
        found = rs.evaluate_diversity(qrels(*lines), RUN, "StRecall@2")
        assert found["StRecall@2"] == 1.0
    by_dict = rs.evaluate_diversity({"1": {"50": {"0": 1}}}, RUN, "StRecall@1")
    assert by_dict["StRecall@1"] == 1.0


TAILED = "q Q0 a 1 9 my run\n"
BETWEEN = "".join(f"{query} Q0 a 1 9 s\n" for query in range(20))
BLANKS = "p Q0 b c 2 8 s\n"


@each("backend", BACKENDS)
@each(
    "order",
    [TAILED + BETWEEN + BLANKS, BLANKS + BETWEEN + TAILED],
    ids=["tail first", "blanks first"],
)
@each("block", [32, 1 << 22])
@pytest.mark.spec("RS-CONV-33")
def test_tail_is_offered_only_for_whole_files(
    order: str, block: int, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line in which the fourth column is no rank is enough, wherever it stands."""
    monkeypatch.setattr(blocks, "BLOCK", block)
    monkeypatch.setattr(joined, "BLOCK", block)
    path = tmp_path / "a.run"
    path.write_text(order)
    with pytest.raises(rs.InputError, match="found 7 columns") as error:
        rs.evaluate({"q": {"a": 1}}, path, "RR", backend=backend)
    assert "lines=" not in str(error.value)
    path.write_text(2 * TAILED.replace(" a ", " b ") + TAILED)
    with pytest.raises(rs.InputError, match="--lines tail"):
        rs.evaluate({"q": {"a": 1}}, path, "RR", backend=backend)


@each(
    ("judged", "retrieved"),
    [("945", "945.0"), ("d7", "d70"), ("d7", "d7x"), ("WSJ-1", "WSJ-10"), ("a", "a b")],
)
@pytest.mark.spec("RS-CONV-27")
def test_ids_that_only_begin_alike_are_no_passages(judged: str, retrieved: str) -> None:
    with pytest.warns(rs.InputWarning, match="must have the same id"):
        assert rs.evaluate({"q": {judged: 1}}, {"q": {retrieved: 1.0}}, "RR")["RR"] == 0.0


@each("backend", BACKENDS)
@pytest.mark.spec("RS-CONV-19", "RS-CONV-48")
def test_qrels_in_a_given_format_are_not_taken_for_ratings(backend: str, tmp_path: Path) -> None:
    for lines in (
        ["1 1 50 881250949"],
        ["1 1 50 881250949.5"],
        ["1 1 50 881250949", "1 2 7 20010101"],
    ):
        with pytest.raises(rs.InputError, match="user item rating timestamp"):
            rs.evaluate(qrels(*lines), RUN, "RR", backend=backend)
        how = {"qrels_format": "trec", "backend": backend}
        assert rs.evaluate(qrels(*lines), RUN, "RR", **how)["RR"] == 1.0
    judged, run = tmp_path / "qrels", tmp_path / "run"
    judged.write_text("1 1 50 881250949\n")
    run.write_text("1 Q0 50 1 2 s\n")
    for command in (["eval", "-m", "RR", "--backend", backend], ["check"]):
        assert main([*command, str(judged), str(run)]) == 2
        assert main([*command, "--qrels-format", "trec", str(judged), str(run)]) == 0


PASSAGE_BY_CHANCE = [
    ({"d10": 1}, ["d10-1", *(f"e{a}" for a in range(600))]),
    ({"http://x.org/a": 1}, ["http://x.org/a/2"]),
    ({"2020-01": 1}, ["2020-01-05"]),
    ({"5": 1}, ["5.1"]),
    ({"3": 1}, ["3-5", "x"]),
    ({"3": 1}, ["3-5", "3-6", "x", "y"]),  # just a half
    ({"3": 1}, ["3#5", "x"]),
]


@each("form", ["dict", "file", "frame", "lists", "runs", "subtopics"])
@each(("judged", "retrieved"), PASSAGE_BY_CHANCE)
@pytest.mark.spec("RS-CONV-27", "RS-CONV-27/L1")
def test_ids_that_may_be_passages_are_a_warning(
    judged: dict[str, int], retrieved: list[str], form: str
) -> None:
    run = {"q": {x: -float(a) for a, x in enumerate(retrieved)}}
    qrels_of = {"q": judged, "z": {"none": 1}}
    text = io.BytesIO("".join(f"q Q0 {x} 1 {y} s\n" for x, y in run["q"].items()).encode())
    rows = [("q", x, y) for x, y in run["q"].items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    evaluate: dict[str, Callable[[], Any]] = {
        "dict": lambda: rs.evaluate(qrels_of, run, "RR", queries="both")["RR"],
        "file": lambda: rs.evaluate(qrels_of, text, "RR", queries="both")["RR"],
        "frame": lambda: rs.evaluate(qrels_of, frame, "RR", queries="both")["RR"],
        "lists": lambda: rs.evaluate_lists(retrieved, set(judged), "RR")["RR"],
        "runs": lambda: rs.evaluate_runs(qrels_of, {"a": run}, "RR")["a"]["RR"],
        "subtopics": lambda: rs.evaluate_diversity(
            {"q": {x: {"1": 1} for x in judged}}, run, "StRecall@1"
        )["StRecall@1"],
    }
    with pytest.warns(rs.InputWarning, match="look like ids of passages.*if so, "):
        assert evaluate[form]() == 0.0


@each(
    ("judged", "retrieved"),
    [
        ({"3": 1}, {"q": ["3#5"]}),
        ({"3": 1}, {"q": ["3-5", "3-6", "x"]}),
        ({"3": 1}, {"q": ["3-5"], "p": ["7-5"], "z": ["x", "y", "v", "w"]}),  # z is not judged
    ],
)
@pytest.mark.spec("RS-CONV-27")
def test_runs_that_are_mostly_passages_are_refused(
    judged: dict[str, int], retrieved: dict[str, list[str]]
) -> None:
    run = {q: {x: -float(a) for a, x in enumerate(own)} for q, own in retrieved.items()}
    with pytest.raises(rs.InputError, match="look like ids of passages"):
        rs.evaluate({"q": judged, "p": {"7": 1}}, run, "RR")


def first_query(kind: str, run: dict[str, float], folder: Path) -> Any:
    if kind == "dict":
        return {"q": run, "p": {"x": 1.0}}
    if kind == "file":
        lines = [f"q Q0 {d} 1 {x} s\n" for d, x in run.items()]
        return io.BytesIO("".join([*lines, "p Q0 x 1 1 s\n"]).encode())
    rows = [("q", d, x) for d, x in run.items()] + [("p", "x", 1.0)]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    if kind == "frame":
        return frame
    path = folder / f"run.{kind}"
    frame.to_parquet(path) if kind == "parquet" else frame.to_csv(path, index=False)
    return str(path)


@each("kind", ["dict", "file", "frame", "csv", "parquet"])
@pytest.mark.spec("RS-CONV-27", "RS-CONV-27/L1")
def test_passages_beside_judged_documents_are_a_warning(kind: str, tmp_path: Path) -> None:
    judged = {"q": {"d7": 1, "d9": 0}, "p": {"x": 1}}
    with pytest.warns(rs.InputWarning, match="ids of passages"):
        found = rs.evaluate(judged, first_query(kind, {"d7#0": 3.0, "d9": 2.0}, tmp_path), "RR")
    assert found["RR"] == (0 + 1) / 2
    for legitimate in (
        {"d7": 3.0, "d7#0": 2.0},  # the document itself is retrieved
        {"d7": 3.0, "d9": 2.0, "d8#0": 1.0},  # of a document that is not judged
    ):
        with warnings.catch_warnings(action="error"):
            rs.evaluate(judged, first_query(kind, legitimate, tmp_path), "RR")


@pytest.mark.spec("RS-CONV-27", "RS-CONV-45")
def test_passages_beside_relevant_ids_of_lists_are_a_warning() -> None:
    relevant = {"q": ["d7", "d9"], "p": ["x"]}
    with pytest.warns(rs.InputWarning, match='re.sub.*duplicates="first"'):
        rs.evaluate_lists({"q": ["d7#0", "d9"], "p": ["x"]}, relevant, "RR")
    with warnings.catch_warnings(action="error"):
        rs.evaluate_lists({"q": ["d7", "d7#0", "d9"], "p": ["x"]}, relevant, "RR")
        rs.evaluate_lists({"q": ["d9", "d8#0"], "p": ["x"]}, relevant, "RR")


PAD = st.sampled_from([-1, 0, "none"])


@given(
    st.lists(st.integers(1, 9), unique=True, max_size=6),
    st.lists(st.integers(1, 9), unique=True, min_size=1, max_size=6),
    PAD,
    st.data(),
)
@pytest.mark.spec("RS-CONV-45/L3")
def test_padding_changes_nothing(
    ranked: list[Any], relevant: list[Any], padding: Any, data: st.DataObject
) -> None:
    measures = ["SetP", "nDCG@3", "R@2", "RR"]
    plain = rs.evaluate_lists([ranked, [1]], [relevant, [1]], measures)

    def padded(ids: list[Any]) -> list[Any]:
        places = data.draw(st.lists(st.integers(0, len(ids)), max_size=4))
        longer = list(ids)
        for a in places:
            longer.insert(a, padding)
        return longer

    found = rs.evaluate_lists(
        [padded(ranked), padded([1])], [padded(relevant), padded([1])], measures, padding=padding
    )
    assert found.per_query == plain.per_query


@each("kind", [list, np.array, tuple], ids=["list", "array", "tuple"])
@pytest.mark.spec("RS-CONV-45")
def test_minus_one_is_padding_or_an_error(kind: Any) -> None:
    with pytest.raises(rs.InputError, match=r"ranked: -1 at position 2 of list 0: FAISS"):
        rs.evaluate_lists([kind([0, 5, -1]), kind([3])], [[0], [3]], "SetP")
    with pytest.raises(rs.InputError, match=r"relevant: -1 at position 1 of list 0"):
        rs.evaluate_lists([[0], [3]], [kind([0, -1]), kind([3])], "SetP")
    with pytest.raises(rs.InputError, match=r"position 2 of list 0 occurs a second time"):
        rs.evaluate_lists([kind([-1, 5, 5])], [[0]], "SetP", padding=-1)
    texts = rs.evaluate_lists([["0", "-1"]], [["0"]], "SetP")
    assert texts["SetP"] == 1 / 2
    with pytest.raises(rs.InputError, match="padding"):
        rs.evaluate_lists([[0]], [[0]], "SetP", padding=0.5)
    with pytest.raises(rs.InputError, match="padding: it applies to lists of ids"):
        rs.evaluate_runs({"q": {"a": 1}}, {"x": {"q": {"a": 1.0}}}, "RR", padding=-1)


@pytest.mark.spec("RS-CONV-48")
def test_a_nested_row_whose_columns_are_told_is_read() -> None:
    row = io.BytesIO(b'{"who": "q", "which": "a", "how": 1, "more": {"x": [1]}}\n')
    columns = {"query": "who", "document": "which", "score": "how"}
    assert rs.evaluate({"q": {"a": 1}}, row, "RR", columns=columns)["RR"] == 1.0
    row.seek(0)
    with pytest.raises(rs.InputError, match="Say which they are: columns="):
        rs.evaluate({"q": {"a": 1}}, row, "RR")
