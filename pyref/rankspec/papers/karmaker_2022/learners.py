"""Learners of the paper that well-kept libraries have: trained here, with one thread and a seed.

The paper's others (RankNet, RankBoost, AdaRank, coordinate ascent, ListNet) come as predictions.
FastRank 0.8 has coordinate ascent, but sums over queries in random order, so that a seed does not
give the same model twice; and where it panics it ends the process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError, listed
from ...evaluation.conventions import Conventions
from ...evaluation.letor import ranked_rows
from ...formats.letor import Feature, Rows, features_of
from ...reference.numbers.reals import Exact

SEED = 2022
TREES = 100


class Learned(NamedTuple):
    """Rankers that were trained.

    features: the numbers of those that they take
    predict: what each gives to rows, by name, of a column a feature
    names: the rankers, and the library of each
    missing: the libraries that are not installed
    """

    features: tuple[int, ...]
    predict: Callable[[Sequence[Sequence[float]]], Mapping[str, Sequence[float]]]
    names: Mapping[str, str]
    missing: tuple[str, ...]


class Training(NamedTuple):
    """Rows: their features, labels, and how many there are of each query."""

    X: Any
    y: Any
    sizes: list[int]


def lambdamart(module: Any, rows: Training) -> Any:
    """LambdaMART by LightGBM."""
    model = module.LGBMRanker(
        n_estimators=TREES, random_state=SEED, n_jobs=1, deterministic=True, force_row_wise=True,
        verbose=-1,
    )  # fmt: skip
    return model.fit(rows.X, rows.y, group=rows.sizes).predict


def lambdamart_xgboost(module: Any, rows: Training) -> Any:
    """LambdaMART by XGBoost."""
    return _xgboost(module, rows, "rank:ndcg")


def pairwise(module: Any, rows: Training) -> Any:
    """Trees with RankNet's loss of pairs, by XGBoost."""
    return _xgboost(module, rows, "rank:pairwise")


def _xgboost(module: Any, rows: Training, objective: str) -> Any:
    model = module.XGBRanker(
        objective=objective, n_estimators=TREES, random_state=SEED, n_jobs=1, tree_method="hist"
    )
    return model.fit(rows.X, rows.y, group=rows.sizes).predict


def random_forest(module: Any, rows: Training) -> Any:
    """A random forest of regression trees, by scikit-learn."""
    return module.RandomForestRegressor(
        n_estimators=TREES, min_samples_leaf=5, max_features="sqrt", random_state=SEED, n_jobs=1
    ).fit(rows.X, rows.y).predict  # fmt: skip


def logistic_regression(module: Any, rows: Training) -> Any:
    """L2-regularised logistic regression of what is relevant, by scikit-learn."""
    scales = _scales(rows.X)
    model = module.LogisticRegression(random_state=SEED, max_iter=1000)
    model.fit(rows.X / scales, rows.y > 0)
    return lambda X: model.decision_function(X / scales)


def _scales(X: Any) -> Any:
    """The greatest value of each column, or 1."""
    greatest = abs(X).max(axis=0)
    greatest[greatest == 0] = 1
    return greatest


LEARNERS: Mapping[str, tuple[str, Callable[[Any, Training], Any]]] = {
    "LMART": ("lightgbm", lambdamart),
    "LMART-X": ("xgboost", lambdamart_xgboost),
    "Pairs-X": ("xgboost", pairwise),
    "RF": ("sklearn.ensemble", random_forest),
    "L2LR": ("sklearn.linear_model", logistic_regression),
}
"""By the name of the ranker: the module that it needs, and how it is trained."""
LIBRARIES = {"lightgbm": "lightgbm", "xgboost": "xgboost", "sklearn": "scikit-learn"}


def learn(paths: Sequence[Path], conventions: Conventions) -> Learned:
    """Train whatever is installed on the rows of some LETOR files."""
    modules = {name: _module(module) for name, (module, _) in LEARNERS.items()}
    missing = {_library(name) for name, module in modules.items() if module is None}
    if all(module is None for module in modules.values()):
        raise InputError(
            f"train: it needs {listed(sorted(missing))}, of which none is installed: "
            'pip install "rankspec[learn]"'
        )
    features = tuple(sorted(features_of(paths[0])[0]))
    rows = _training(paths, features, conventions)
    trained = {
        name: LEARNERS[name][1](module, rows)
        for name, module in modules.items()
        if module is not None
    }

    def predict(columns: Sequence[Sequence[float]]) -> Mapping[str, Sequence[float]]:
        import numpy as np

        X = np.array(columns).T
        return {name: [float(x) for x in model(X)] for name, model in trained.items()}

    names = {name: _library(name) for name in trained}
    return Learned(features, predict, names, tuple(sorted(missing)))


def _library(name: str) -> str:
    """The library that a ranker needs, as it is installed."""
    return LIBRARIES[LEARNERS[name][0].partition(".")[0]]


def _module(name: str) -> Any:
    """A module, or None if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def _training(paths: Sequence[Path], features: Sequence[int], conventions: Conventions) -> Training:
    import numpy as np

    columns: list[list[float]] = [[] for _ in features]
    labels: list[float] = []
    sizes: list[int] = []
    rankings = [Feature(number) for number in features]
    for path in paths:
        for rows, found in ranked_rows(path, None, rankings, (), conventions):
            check_numbers(rows, features, found)
            for column, whole in zip(found, columns, strict=True):
                whole.extend(map(float, column))
            labels += map(float, rows.labels)
            sizes += [own.stop - own.start for own in rows.of_queries()]
    if not any(labels):
        raise InputError("train: no row has a label above 0")
    return Training(np.array(columns).T, np.array(labels), sizes)


def check_numbers(rows: Rows, features: Sequence[int], columns: Sequence[Sequence[Exact]]) -> None:
    """An InputError for the first NULL of a column."""
    for number, column in zip(features, columns, strict=True):
        at = next((at for at, x in enumerate(column) if isnan(x)), None)
        if at is not None:
            raise InputError(
                f"{rows.place(at)}: the feature {number} is NULL, and learners need numbers"
            )
