"""nDCG of fixed labels and nDCG_phi of scores of any runs: numbers by hand and by other means."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import flint
import pytest

import rankspec as rs
from rankspec import plots
from rankspec.analysis.fixed_labels import Means, fixed_labels, means, values_by_query
from rankspec.cli.main import main
from tests.papers.relevance import control_points, dcg, nearest, phi
from tests.reference.balls import exp2, log

READINGS = {"text": "text", "authors-program": "program"}
N = 60
RANDOM = Random(40)
SCORES = {q: {f"d{d}": RANDOM.randrange(1, 1000) ** 2 + d for d in range(N)} for q in ("a", "b")}
RUN = {q: {d: RANDOM.random() for d in of} for q, of in SCORES.items()}  # two differ


@pytest.fixture(autouse=True)
def precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flint.ctx, "prec", 250)


def quotient(gains: dict[str, Any], ranking: list[str], best: list[str], k: int) -> float:
    def top(documents: list[str]) -> Any:
        return dcg([gains[d] for d in documents[:k]])

    return nearest(top(ranking) / top(best))


@pytest.mark.parametrize("variant", READINGS)
@pytest.mark.parametrize("query", SCORES)
def test_values_by_their_definitions(variant: str, query: str) -> None:
    scores = SCORES[query]
    points = control_points(list(scores.values()), READINGS[variant])
    best = sorted(scores, key=lambda d: -scores[d])
    ranking = sorted(RUN[query], key=lambda d: -RUN[query][d])
    relevance = {d: exp2(phi(scores[d], points)) - 1 for d in scores}
    labels = [7] * 10 + [3] * 15 + [1] * 25 + [0] * 10  # 2^label - 1
    fixed = {d: flint.arb(x) for d, x in zip(best, labels, strict=True)}
    found = {
        x.k: (x.ndcg, x.ndcg_phi)
        for x in values_by_query(SCORES, {"r": RUN}, k=(5, 10, 50), variant=variant)
        if x.query == query
    }
    assert found == {
        k: (quotient(fixed, ranking, best, k), quotient(relevance, ranking, best, k))
        for k in (5, 10, 50)
    }


def test_means_are_of_the_queries() -> None:
    values = values_by_query(SCORES, {"r": RUN}, k=(10, 5))
    at_10 = [x for x in values if x.k == 10]
    first, second = means(values)
    assert (first.k, second.k) == (10, 5)
    assert first == Means(
        "r",
        10,
        2,
        float(sum(Fraction(x.ndcg) for x in at_10) / 2),
        float(sum(Fraction(x.ndcg_phi) for x in at_10) / 2),
        sum(x.ndcg > x.ndcg_phi for x in at_10),
        sum(x.ndcg < x.ndcg_phi for x in at_10),
    )


def test_labels_by_the_paper_and_of_equal_scores_the_first_is_better() -> None:
    scores = {"q": {"low": 1, **{f"d{i}": 5 for i in range(50)}, "top": 9}}
    labels = fixed_labels(scores)["q"]
    assert list(labels) == list(scores["q"])
    assert [labels[d] for d in ("top", "d0", "d8", "d9", "d23", "d24", "d48", "d49", "low")] == [
        *(3, 3, 3, 2, 2, 1, 1, 0, 0)
    ]


def test_labels_of_other_qrels() -> None:
    """A swap that the scores do not see: nDCG is (1 + 3 d(2)) / (3 + d(2)), d(2) = 1 / log2(3)."""
    run = {"q": {"a": 2, "b": 1}}
    (found,) = values_by_query(
        {"q": {"a": 9, "b": 4}}, {"r": run}, labels={"q": {"a": 1, "b": 2}}, k=[2]
    )
    d = 1 / log(3, 2)
    assert (found.ndcg, found.ndcg_phi) == (nearest((1 + 3 * d) / (3 + d)), 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "x"}, "variant: expected one of text, authors-program, got 'x'"),
        ({"k": [0]}, "k: expected different cut-offs from 1 up"),
        ({"k": [5, 5]}, "k: expected different cut-offs from 1 up"),
        ({"runs": {}}, "runs: expected one run or more"),
        ({"labels": {"b": {"d1": 1}}}, 'run "r": query "a" has no labels; expected the same'),
        ({"labels": fixed_labels(SCORES) | {"c": {"d": 1}}}, 'run "r": query "c" has no scores'),
    ],
)
def test_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError) as error:
        values_by_query(**({"qrels": SCORES, "runs": {"r": RUN}, "k": [5]} | options))
    assert message in str(error.value)


def write(folder: Path) -> tuple[str, str]:
    qrels, run = folder / "shares.qrels", folder / "news.run"
    qrels.write_text("".join(f"{q} 0 {d} {s}\n" for q, x in SCORES.items() for d, s in x.items()))
    run.write_text(
        "".join(f"{q} Q0 {d} 1 {s!r} r\n" for q, of in RUN.items() for d, s in of.items())
    )
    return str(qrels), str(run)


@pytest.mark.slow
def test_the_picture_shows_the_values(tmp_path: Path) -> None:
    qrels, run = write(tmp_path)
    left, right = plots.fixed_labels(qrels, {"news.run": run}).axes
    values = values_by_query(SCORES, {"news.run": RUN})
    ndcg, ndcg_phi = left.lines
    rows = list(means(values))
    assert list(ndcg.get_ydata()) == [x.ndcg for x in rows]
    assert list(ndcg_phi.get_ydata()) == [x.ndcg_phi for x in rows]
    _, points = right.lines
    at_10 = [x for x in values if x.k == 10]
    assert list(points.get_xdata()) == [x.ndcg for x in at_10]
    assert list(points.get_ydata()) == [x.ndcg - x.ndcg_phi for x in at_10]


@pytest.mark.slow
def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, run = write(tmp_path)
    picture = str(tmp_path / "a.svg")
    assert main(["plot", "fixed-labels", qrels, run, "-o", picture]) == 0
    assert capsys.readouterr() == (f"{picture}\n", "")
    assert "nDCG, news.run" in Path(picture).read_text("utf-8")
    again = str(tmp_path / "b.svg")
    content = io.TextIOWrapper(io.BytesIO(Path(run).read_bytes()))
    monkeypatch.setattr("sys.stdin", content)
    assert main(["plot", "fixed-labels", qrels, "-", "-o", again]) == 0
    capsys.readouterr()
    for words, message in (
        ([qrels], "this is read as QRELS; the files RUN are missing"),
        (["--label-qrels", qrels], "--label-qrels: give QRELS and RUN files, too"),
        ([qrels, run, run], "the same run is given twice"),
    ):
        assert main(["plot", "fixed-labels", *words, "-o", picture]) == 2
        assert message in capsys.readouterr().err
    assert main(["plot", "length", "--label-qrels", qrels]) == 2
    assert "length does not take label_qrels" in capsys.readouterr().err


@pytest.mark.slow
def test_a_warning_of_the_command_names_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As rankspec eval has it; by values_by_query, in the words of rs.evaluate_runs."""
    qrels, _ = write(tmp_path)
    (tmp_path / "other.run").write_text("z Q0 d1 1 1 t\n")
    picture = str(tmp_path / "a.svg")
    assert main(["plot", "fixed-labels", qrels, str(tmp_path / "other.run"), "-o", picture]) == 0
    line = "rankspec: warning: other.run: no query is both in the qrels and in the run; only the"
    err = capsys.readouterr().err
    assert err.startswith(line)
    assert "silence" not in err
    with pytest.warns(rs.InputWarning, match='^run "r": no query is both'):
        values_by_query(SCORES, {"r": {"z": {"d1": 1.0}}})
