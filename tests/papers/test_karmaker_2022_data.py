"""karmaker-2022's experiment: what ranks the rows of other data, and its statistics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankspec as rs
from rankspec.papers.karmaker_2022 import data_tables, experiment, learners, printed, statistics
from rankspec.papers.karmaker_2022.rankers import Chosen

# Rows of two features, of which the second is the first turned round, with documents.
ROWS = """\
2 qid:1 1:3 2:1 # docid = a inc = 1
0 qid:1 1:2 2:2 #docid = b
1 qid:1 1:1 2:3 # docid = c
0 qid:2 1:1 2:2 # docid = a
1 qid:2 1:2 2:1 # docid = d
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "part.txt").write_text(ROWS)
    return tmp_path / "data"


def orders(folder: Path, **chosen: Any) -> dict[str, list[list[int]]]:
    """Of each ranker the labels of each query, in the order in which it ranks them."""
    found = experiment.read(folder, Chosen(**chosen))

    def in_order(ranker: str, query: Any) -> list[int]:
        labels, scores = query.ranked(ranker)
        return [labels[at] for at in sorted(range(len(labels)), key=lambda at: -scores[at])]

    return {ranker: [in_order(ranker, query) for query in found.queries]
            for ranker in found.rankers}  # fmt: skip


def test_all_features_rank_where_nothing_is_given(folder: Path) -> None:
    assert orders(folder) == {"1": [[2, 0, 1], [1, 0]], "2": [[1, 0, 2], [0, 1]]}


def test_features_with_null_are_ranks(folder: Path) -> None:
    (folder / "part.txt").write_text(ROWS.replace("1:2 2:2", "1:2 2:NULL"))
    found = experiment.read(folder)
    assert found.about == "features -1, -2, which are ranks"
    assert orders(folder) == {"-1": [[1, 0, 2], [0, 1]], "-2": [[2, 1], [1, 0]]}


def test_features_that_are_given(folder: Path) -> None:
    (folder / "part.txt").write_text(ROWS.replace(" #", " 7:1 #"))
    assert list(orders(folder, features=[2, -1])) == ["2", "-1"]
    assert orders(folder, features=[2, -1])["2"] == orders(folder, features=[2, -1])["-1"]


def test_predictions(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "net.txt").write_text("1\n2\n3\n2\n1\n")
    (tmp_path / "forest").mkdir()
    (tmp_path / "forest" / "part.pred").write_text("3\n1\n2\n1\n2\n")
    found = orders(folder, predictions=[tmp_path / "net.txt", tmp_path / "forest"])
    assert found == {"net": [[1, 0, 2], [0, 1]], "forest": [[2, 1, 0], [1, 0]]}
    (folder / "other.txt").write_text(ROWS)
    with pytest.raises(rs.InputError, match=r"net\.txt: --data has 2 files; give a folder"):
        orders(folder, predictions=[tmp_path / "net.txt"])
    with pytest.raises(rs.InputError, match='it holds 0 files with the name "other" up to'):
        orders(folder, predictions=[tmp_path / "forest"])


def test_runs(folder: Path, tmp_path: Path) -> None:
    """A document that is not retrieved is not ranked; the same id is another one elsewhere."""
    (tmp_path / "bm.run").write_text("1 Q0 c 1 9 t\n1 Q0 a 2 8 t\n2 Q0 d 1 1 t\n2 Q0 z 2 0 t\n")
    found = orders(folder, runs=[tmp_path / "bm.run"], features=[1])
    assert found == {"1": [[2, 0, 1], [1, 0]], "bm": [[1, 2], [1]]}


@pytest.mark.parametrize(
    ("run", "rows", "message"),
    [
        ("1 Q0 x 1 9 t\n", ROWS, 'run "bm": none of its documents is in '),
        ("1 Q0 a 1 9 t\n", ROWS.replace("#docid = b", ""), "part.txt:2: found no document; a run"),
    ],
)
def test_bad_runs(folder: Path, tmp_path: Path, run: str, rows: str, message: str) -> None:
    (tmp_path / "bm.run").write_text(run)
    (folder / "part.txt").write_text(rows)
    with pytest.raises(rs.InputError) as raised:
        orders(folder, runs=[tmp_path / "bm.run"], features=[1])
    assert message in str(raised.value)


def test_two_rankers_of_one_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "1").write_text("1\n2\n3\n2\n1\n")
    with pytest.raises(rs.InputError, match='two rankers have the name "1"'):
        orders(folder, features=[1], predictions=[tmp_path / "1"])
    with pytest.raises(rs.InputError, match='two rankers have the name "1"'):
        orders(folder, features=[1, 1])


# Statistics, beside SciPy


def pairs(values: Sequence[Sequence[float]]) -> list[tuple[Sequence[float], Sequence[float]]]:
    return list(combinations(values, 2))


def test_the_three_t_tests_are_scipy_s() -> None:
    draw = np.random.default_rng(7)
    tests: dict[str, Callable[[Any, Any], Any]] = {
        statistics.PAIRED: stats.ttest_rel,
        statistics.WELCH: lambda x, y: stats.ttest_ind(x, y, equal_var=False),
        statistics.POOLED: stats.ttest_ind,
    }
    outcomes = set()
    for n in (2, 3, 12, 40):
        shared = draw.normal(size=n)
        shifts = ((0, 1), (0.5, 0.2), (1, 0.1), (0.9, 3))
        values = np.array([shared + draw.normal(mean, scale, size=n) for mean, scale in shifts])
        found = statistics.significant(values)
        for name, test in tests.items():
            expected = []
            for x, y in pairs(values):
                p = test(x, y).pvalue
                assert abs(p - 0.05) > 1e-9
                expected.append(int(np.sign(np.mean(x) - np.mean(y))) if p <= 0.05 else 0)
            assert found[name].tolist() == expected
            outcomes.add((name, *expected))
    assert len({outcome[1:] for outcome in outcomes}) > 3  # the tests do not agree


def test_p_is_scipy_s() -> None:
    for t, freedom in ((0.0, 3.0), (2.776, 4.0), (-1.5, 17.3), (40.0, 998.0)):
        assert statistics.two_sided(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom))


def test_differences_that_are_all_equal() -> None:
    """Of 0 there is no significant one; of another number there is, by the paired test."""
    values = np.array([[0.25, 0.5, 0.75], [0.25, 0.5, 0.75], [0.5, 0.75, 1.0]])
    found = statistics.significant(values)
    assert found[statistics.PAIRED].tolist() == [0, -1, -1]
    assert found[statistics.WELCH].tolist() == [0, 0, 0]
    constant = np.array([[0.5, 0.5], [0.5, 0.5], [0.25, 0.25]])
    for test in statistics.TESTS:
        assert statistics.significant(constant)[test].tolist() == [0, 1, 1]
    for test in statistics.TESTS:  # one query
        assert statistics.significant(constant[:, :1])[test].tolist() == [0, 0, 0]


def test_agreement() -> None:
    first, second = np.array([1, 1, 0, 0, -1, -1]), np.array([1, 0, 0, -1, 1, -1])
    assert statistics.agreement(first, second) == (1, 1, 1)
    assert statistics.agreement(first, second).disagree == 2


def test_tau_b_is_scipy_s() -> None:
    draw = np.random.default_rng(3)
    for _ in range(20):
        x, y = (draw.integers(0, 6, size=7).tolist() for _ in range(2))
        one, other = ({f"{at}": Fraction(v) for at, v in enumerate(values)} for values in (x, y))
        assert statistics.tau_b(one, other) == pytest.approx(stats.kendalltau(x, y).statistic)
    tied = {"a": Fraction(1), "b": Fraction(1)}
    assert statistics.tau_b(tied, {"a": Fraction(0), "b": Fraction(1)}) is None


def test_orders_are_compared_by_the_names_of_the_rankers() -> None:
    one = {"a": Fraction(3), "b": Fraction(2), "c": Fraction(1)}
    other = {"c": Fraction(1), "a": Fraction(2), "b": Fraction(3)}  # a and b change places
    assert statistics.swapped(one, other) == 1
    assert statistics.tau_b(one, other) == 1 / 3


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(rs.InputError, match=r"need SciPy.*rankspec\[compare\]"):
        statistics.significant(np.array([[0.0, 1.0], [1.0, 1.0]]))


# Tables


def study(files: list[range], **values: list[float]) -> experiment.Study:
    """Of two rankers, x and y: the values of the queries by nDCG, and by V1 and V2 the same."""
    n = len(values["x"])
    of = {(metric, name): [own] * 5 for metric in printed.STUDIES["nDCG"]
          for name, own in values.items()}  # fmt: skip
    real = [Fraction(a) / 2 + Fraction(b) / 2 for a, b in zip(*values.values(), strict=True)]
    return experiment.Study([Fraction(0)] * n, real, [Fraction(1)] * n, of, files)


def test_swap_rates_across_files_and_query_sets() -> None:
    """By hand: x is better in the first file and y in the second and third."""
    given = study([range(2), range(2, 4), range(4, 6)],
                  x=[0.9, 0.2, 0.1, 0.3, 0.2, 0.3], y=[0.1, 0.1, 0.8, 0.4, 0.3, 0.9])  # fmt: skip
    assert data_tables.across(given, "nDCG", "All") == (2, 3)
    of_sets = [given.sets_of(part)["uninform."] for part in given.files]
    assert of_sets == [[1], [3], [4]]
    assert data_tables.across(given, "nDCG", "uninform.") == (2, 3)
    assert data_tables.within(given, "nDCG") == (1, 1)
    one_file = study([range(2)], x=[0.9, 0.2], y=[0.1, 0.1])
    assert data_tables.across(one_file, "nDCG", "All") is None
    table = data_tables.across_table("nDCG", one_file)
    assert table.title == (
        "Table 10 of --data: not computed: it takes two files with a relevant item"
    )
    assert not table.rows


def test_means_are_exact() -> None:
    given = study([range(3)], x=[0.1, 0.2, 0.3], y=[0.3, 0.1, 0.2])
    expected = (Fraction(0.1) + Fraction(0.2) + Fraction(0.3)) / 3
    assert given.means("nDCG", range(3)) == {"x": expected, "y": expected}


def test_counts_of_differences() -> None:
    """All 5 cut-offs count: here the same difference five times, or none."""
    given = study([range(4)], x=[0.9, 0.8, 0.9, 0.8], y=[0.1, 0.1, 0.2, 0.2])
    given.values = {**given.values, ("DCG_V1", "y"): [[0.9, 0.8, 0.9, 0.7]] * 5}
    for test in statistics.TESTS:
        assert data_tables.count(given, "nDCG", "All", test) == 5
        assert data_tables.agreements("nDCG", given, "DCG_V1", "All")[test] == (5, 0, 0)
    (row, *_), *_ = data_tables.conflict_table("nDCG", given).rows[0], None
    assert row == "DCG_V1, paired t"


# Learners


def learnable(path: Path, queries: int) -> None:
    """Rows whose label is seen by feature 1, and not by feature 2."""
    rows = [
        f"{at % 3} qid:{q} 1:{at % 3 + 0.1 * (q % 5)} 2:{(7 * at + q) % 4}"
        for q in range(queries)
        for at in range(9)
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(rows))


def test_an_error_in_predictions_is_none_of_the_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("1\n")
    with pytest.raises(
        rs.InputError, match=r"short\.txt: 1 numbers, but .* has more rows.*RS-CONV-21\)$"
    ):
        orders(folder, features=[1], predictions=[tmp_path / "short.txt"])


def test_no_learner_is_installed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnable(tmp_path / "train" / "a.txt", 3)
    monkeypatch.setattr(learners, "_module", lambda name: None)  # noqa: ARG005
    with pytest.raises(rs.InputError, match=r'"lightgbm", "scikit-learn", "xgb.*\[learn\]'):
        orders(folder, train=tmp_path / "train")


def test_the_page_names_the_learners_and_what_is_missing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def by_feature_1(module: Any, rows: learners.Training) -> Any:  # noqa: ARG001
        return lambda X: X[:, 0]

    modules = {"A": "sklearn.x", "B": "xgboost", "C": "sklearn.x"}
    monkeypatch.setattr(learners, "LEARNERS", {n: (m, by_feature_1) for n, m in modules.items()})
    monkeypatch.setattr(learners, "_module", lambda name: None if name == "xgboost" else name)
    learnable(tmp_path / "train" / "a.txt", 3)
    read = experiment.read(folder, Chosen(train=tmp_path / "train"))
    (tmp_path / "C.txt").write_text("1\n2\n3\n2\n1\n")
    with pytest.raises(rs.InputError, match='two rankers have the name "C"'):
        orders(folder, train=tmp_path / "train", predictions=[tmp_path / "C.txt"])
    assert read.rankers == ("A", "C")
    assert read.about == "trained A (scikit-learn), C (scikit-learn); not installed: xgboost"


def test_what_cannot_be_trained_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learners, "_module", lambda name: object())  # noqa: ARG005
    train = tmp_path / "train"
    train.mkdir()
    with pytest.raises(rs.InputError, match=r"train: .*no file in it has rows"):
        orders(folder, train=train)
    (train / "a.txt").write_text("0 qid:1 1:2\n")
    with pytest.raises(rs.InputError, match="train: no row has a label above 0"):
        orders(folder, train=train)
    (train / "a.txt").write_text("0 qid:1 1:2 2:1\n1 qid:1 1:2 2:NULL\n")
    with pytest.raises(rs.InputError, match=r"a\.txt:2: the feature 2 is NULL, and learners need"):
        orders(folder, train=train)


@pytest.mark.slow
def test_learners(tmp_path: Path) -> None:
    """Each ranks by what tells the labels, and twice alike."""
    for name, (module, _) in learners.LEARNERS.items():
        if learners._module(module) is None:
            library = learners.LIBRARIES[module.partition(".")[0]]
            pytest.skip(f"{name} needs {library}: pip install rankspec[learn]")
    learnable(tmp_path / "train" / "a.txt", 60)
    learnable(tmp_path / "data" / "b.txt", 12)
    found, again = (experiment.read(tmp_path / "data", Chosen(train=tmp_path / "train"))
                    for _ in range(2))  # fmt: skip
    assert found.about == (
        "trained LMART (lightgbm), LMART-X (xgboost), Pairs-X (xgboost), RF (scikit-learn), "
        "L2LR (scikit-learn)"
    )
    assert found.rankers == tuple(learners.LEARNERS)
    assert found.queries == again.queries
    study = experiment.originals_of(found, "c")["nDCG"]
    by_feature_2 = experiment.read(tmp_path / "data", Chosen(features=[2, -2]))
    useless = experiment.originals_of(by_feature_2, "c")["nDCG"]
    worst = min(study.means("nDCG", range(12)).values())
    assert worst > max(useless.means("nDCG", range(12)).values())
    assert worst > Fraction(9, 10)
