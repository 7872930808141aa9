"""The LETOR files of a folder, and what ranks their rows: features, predictions, runs, learners."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError, listed, shown, shown_text
from ...evaluation.conventions import Conventions
from ...evaluation.letor import ranked_rows
from ...formats.frames import Label
from ...formats.letor import (
    ROW,
    Feature,
    Predictions,
    RowRanking,
    Rows,
    begins_with_qid,
    document_ids,
    feature_of,
    features_of,
)
from ...formats.streams import is_file
from ...formats.trec import read_run
from ...metrics.measure import Measure
from ...reference.numbers.reals import Exact
from ..popularity import paths_in
from .learners import Learned, check_numbers, learn

# LETOR 4.0: TF-IDF and BM25 of the whole document, BM25 of body and title, three language models of
# the whole document, PageRank.
FEATURES = (15, 25, 21, 23, 30, 35, 40, 41)
CONVENTIONS = Conventions(ties="expected", negative="error")


class Query(NamedTuple):
    """The labels of a query's items, and what each ranker gives them; NaN: it does not rank it."""

    labels: Sequence[Label]
    scores: Mapping[str, Sequence[Exact]]

    def ranked(self, ranker: str) -> tuple[list[Label], list[Exact]]:
        """The labels of the items that a ranker ranks, and what it gives these."""
        pairs = zip(self.labels, self.scores[ranker], strict=True)
        own = [(label, x) for label, x in pairs if not isnan(x)]
        return [label for label, _ in own], [x for _, x in own]


class File(NamedTuple):
    """The queries of a file that have a relevant item, and how many have none."""

    name: str
    queries: list[Query]
    without: int


class Folder(NamedTuple):
    """What was read of a folder.

    others: the files without a qid, which are left out
    rankers: the names of what ranks, and what they are, in words
    """

    files: list[File]
    others: list[Path]
    rankers: tuple[str, ...]
    about: str

    @property
    def queries(self) -> list[Query]:
        return [query for file in self.files for query in file.queries]


@dataclass(frozen=True)
class Chosen:
    """What is to rank the rows of a folder.

    features: their numbers; -3: by feature 3, the lowest first
    predictions: files of one number a row, for a folder of one LETOR file, or folders of such
    runs: TREC runs of the documents that the comments name
    train: a folder of LETOR files that learners are trained on
    """

    features: Sequence[int] = ()
    predictions: Sequence[str | os.PathLike[str]] = ()
    runs: Sequence[str | os.PathLike[str]] = ()
    train: str | os.PathLike[str] | None = None

    @property
    def any(self) -> bool:
        return bool(self.features or self.predictions or self.runs or self.train is not None)


def chosen(
    features: Iterable[Any] | None,
    predictions: Iterable[Any] | None,
    runs: Iterable[Any] | None,
    train: Any,
) -> Chosen:
    """The same, of what was given."""
    given = {"feature": features, "predictions": predictions, "run": runs}
    for name, x in given.items():
        if x is not None and (is_file(x) or not isinstance(x, Iterable)):
            raise InputError(f"{name}: expected a list, got {shown(x)}")
    return Chosen(tuple(features or ()), tuple(predictions or ()), tuple(runs or ()), train)


def read_folder(data: str | os.PathLike[str], what: Chosen, measures: Sequence[Measure]) -> Folder:
    """The LETOR files of a folder, by name, ranked.

    measures: those that must be able to take the labels
    """
    paths, others = in_folder(data)
    if not paths:
        raise InputError(f"{data}: no file in it has rows {ROW}")
    learned = None if what.train is None else _learned(what.train)
    features, about = _features(paths, what)
    of_files = map(_name, (*what.predictions, *what.runs))
    _check_names([*map(_shown, features), *of_files, *(learned.names if learned else ())])
    runs = {_name(run): read_run(run) for run in what.runs}
    files = []
    used: set[str] = set()
    for path in paths:
        rankings: dict[str, RowRanking] = {_shown(feature): feature for feature in features}
        rankings |= {
            _name(given): Predictions(_of_file(given, path, len(paths)))
            for given in what.predictions
        }
        try:
            files.append(_read_file(path, rankings, runs, learned, measures, used))
        except InputError as error:
            if not str(error).startswith(f"{path}:"):  # it is about what ranks its rows
                raise
            raise InputError(f"{error}; --data may be a folder without this file") from None
    if unused := [name for name in runs if name not in used]:
        raise InputError(f"run {listed(unused)}: none of its documents is in {data}")
    if not any(file.queries for file in files):
        raise InputError(f"{data}: no file in it has rows {ROW} with a label above 0")
    rankers = tuple(next(query for file in files for query in file.queries).scores)
    if len(rankers) < 2:
        raise InputError(
            f"{data}: there is one ranker, {listed(rankers)}; the experiment compares at least two"
        )
    names = {"predictions": what.predictions, "runs": what.runs}
    words = [about] if features else []
    words += [f"{kind} {', '.join(map(_name, x))}" for kind, x in names.items() if x]
    words += [_about_learned(learned)] if learned else []
    return Folder(files, others, rankers, "; ".join(words))


def in_folder(data: str | os.PathLike[str]) -> tuple[list[Path], list[Path]]:
    """The files of a folder, by name: those whose first row has a qid, and the others."""
    paths = [path for path in paths_in(data) if path.is_file()]
    rows = {path: begins_with_qid(path) for path in paths}
    return [path for path in paths if rows[path]], [path for path in paths if not rows[path]]


def _check_names(names: Sequence[str]) -> None:
    """An InputError for two rankers of one name."""
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(
            f"two rankers have the name {shown_text(twice)}, which is the file name up to the "
            "first dot, or the number; rename one"
        )


def _features(paths: Sequence[Path], what: Chosen) -> tuple[list[Feature], str]:
    """The features that rank, and what they are: those asked for; or FEATURES, if there are such
    and nothing else ranks; or all. Where a feature is NULL the features are ranks, as in LETOR's
    files for rank aggregation: the lowest first.
    """
    if what.any:
        found = [feature_of(number) for number in what.features]
        return found, f"features {', '.join(map(_shown, found))}"
    seen, ranks = features_of(paths[0])
    if not ranks and set(FEATURES) <= seen:
        return [*map(Feature, FEATURES)], f"features {', '.join(map(str, FEATURES))}"
    found = [Feature(number, lowest_first=ranks) for number in sorted(seen)]
    names = ", ".join(map(_shown, found))
    return found, f"features {names}" + ", which are ranks" * ranks


def _shown(feature: Feature) -> str:
    return f"{'-' * feature.lowest_first}{feature.number}"


def _name(path: str | os.PathLike[str]) -> str:
    """What a file is called, up to the first dot."""
    return Path(path).name.partition(".")[0]


def _of_file(given: str | os.PathLike[str], path: Path, files: int) -> str | os.PathLike[str]:
    """The predictions for a LETOR file: of one's own, or the file of its name in a folder."""
    if not Path(given).is_dir():
        if files > 1:
            raise InputError(
                f"predictions {given}: --data has {files} files; give a folder with one file of "
                "predictions for each, of the same name up to the first dot"
            )
        return given
    own = [own for own in paths_in(given) if _name(own) == _name(path)]
    if len(own) != 1:
        raise InputError(
            f"predictions {given}: it holds {len(own)} files with the name "
            f"{shown_text(_name(path))} up to the first dot; expected one, for {path.name}"
        )
    return own[0]


def _read_file(
    path: Path,
    rankings: Mapping[str, RowRanking],
    runs: Mapping[str, Mapping[str, Mapping[str, float]]],
    learned: Learned | None,
    measures: Sequence[Measure],
    used: set[str],
) -> File:
    """used: the runs of which some document was in a file"""
    documents = document_ids(path) if runs else {}
    of_learned = learned.features if learned else ()
    wanted = [*rankings.values(), *map(Feature, of_learned)]
    queries = []
    for rows, columns in ranked_rows(path, None, wanted, measures, CONVENTIONS):
        by_name: dict[str, Sequence[Exact]] = dict(zip(rankings, columns, strict=False))
        for name, run in runs.items():
            by_name[name] = _of_run(rows, run, documents)
            if not all(map(isnan, by_name[name])):
                used.add(name)
        if learned:
            by_name |= _predicted(rows, learned, columns[len(rankings) :])
        queries += [
            Query(rows.labels[own], {name: column[own] for name, column in by_name.items()})
            for own in rows.of_queries()
        ]
    relevant = [query for query in queries if any(query.labels)]
    return File(path.name, relevant, len(queries) - len(relevant))


def _of_run(
    rows: Rows, run: Mapping[str, Mapping[str, float]], documents: Mapping[int, str]
) -> list[float]:
    """What a run gives each row; NaN: it has not retrieved it."""
    found: list[float] = []
    for query, own in zip(rows.queries, rows.of_queries(), strict=True):
        of_query = run.get(query, {})
        for line in rows.lines[own]:
            if line not in documents:
                raise InputError(
                    f"{rows.name}:{line}: found no document; a run ranks rows with a comment "
                    '"# docid = ID"'
                )
            found.append(of_query.get(documents[line], nan))
    return found


# ---- learners ----------------------------------------------------------------------------


def _learned(train: str | os.PathLike[str]) -> Learned:
    paths, _ = in_folder(train)
    if not paths:
        raise InputError(f"train: {train}: no file in it has rows {ROW}")
    return learn(paths, CONVENTIONS)


def _about_learned(learned: Learned) -> str:
    names = ", ".join(f"{name} ({library})" for name, library in learned.names.items())
    missing = f"; not installed: {', '.join(learned.missing)}" * bool(learned.missing)
    return f"trained {names}{missing}"


def _predicted(
    rows: Rows, learned: Learned, columns: Sequence[Sequence[Exact]]
) -> Mapping[str, Sequence[Exact]]:
    check_numbers(rows, learned.features, columns)
    return learned.predict([list(map(float, column)) for column in columns])
