"""The experiment of karmaker-2022 on other data: LETOR files, ranked by some of their features.

A query has its expected and its real value, means over the cut-offs and, of the real one, over the
rankers. Where rows are equal in a feature, a value is the expectation over their orders. Queries
without a relevant item are left out: each of their values is 0 whatever the ranking.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from ...analysis.query_types import THIRD
from ...errors import InputError
from ...evaluation.conventions import Conventions
from ...evaluation.letor import ranked_rows
from ...formats.frames import Label
from ...formats.letor import ROW, Feature, begins_with_qid
from ...metrics.catalogue import AP, IUB, RLB, SP, UL1, UL2, nDCG
from ...metrics.measure import Measure
from ...reference.numbers.reals import Exact
from ...reference.query_types import SIGNED, Means, classes, extremes
from ..popularity import paths_in
from ..reproduction import Cell, Check, Claim, Table
from .printed import CUTOFFS, PAD_TABLES, QUERY_SETS, STUDIES, TAU_TABLES
from .tables import in_other_order, pad, tau

# LETOR 4.0: TF-IDF and BM25 of the whole document, BM25 of body and title, three language models of
# the whole document, PageRank.
FEATURES = (15, 25, 21, 23, 30, 35, 40, 41)
SHARE = 10  # one of so many queries is uninformative, and one ideal: as of MSLR-WEB30K
BINS = 10
CONVENTIONS = Conventions(ties="expected", negative="error")


class Query(NamedTuple):
    """The labels of a query's items, and what each feature gives them; NaN: it does not rank it."""

    labels: Sequence[Label]
    scores: Mapping[int, Sequence[Exact]]

    def ranked(self, feature: int) -> tuple[list[Label], list[Exact]]:
        """The labels of the items that a feature ranks, and what it gives these."""
        pairs = zip(self.labels, self.scores[feature], strict=True)
        own = [(label, x) for label, x in pairs if not isnan(x)]
        return [label for label, _ in own], [x for _, x in own]


class File(NamedTuple):
    """The queries of a file that have a relevant item, and how many have none."""

    name: str
    queries: list[Query]
    without: int


@dataclass(frozen=True)
class Study:
    """The values of a case study, each a list of one a query.

    expected, real, bound: of the original metric; the bound is that of the ideal ranking
    values: of each metric and feature
    """

    expected: list[Fraction]
    real: list[Fraction]
    bound: list[Fraction]
    values: Mapping[tuple[str, int], list[Fraction]]

    def sets(self) -> dict[str, list[int]]:
        """Which queries are in each set: all, the uninformative ones and the ideal ones."""
        gaps = [x.gap for x in self.queries()]
        sets = (list(range(len(gaps))), *extremes(gaps, self.size, SIGNED))
        return dict(zip(QUERY_SETS, sets, strict=True))

    @property
    def size(self) -> int:
        """How many queries are uninformative, and how many ideal."""
        return max(1, len(self.real) // SHARE)

    def queries(self) -> list[Means]:
        """Of each query the means of real and expected value, and of the bound."""
        of_queries = zip(self.real, self.expected, self.bound, strict=True)
        return [Means(A, E, IUB) for A, E, IUB in of_queries]

    def classes(self) -> list[tuple[str, ...]]:
        """The classes of each query (RS-BND-13)."""
        return classes(self.queries(), self.size, SIGNED, THIRD, 2 * THIRD)

    def means(self, metric: str, queries: Sequence[int]) -> dict[str, Fraction]:
        """The mean of each ranker over some queries."""
        return {
            f"{feature}": mean([self.values[metric, feature][q] for q in queries])
            for feature in FEATURES
        }


def of_data(data: str | os.PathLike[str], backend: str) -> tuple[list[Table], list[Claim]]:
    """The tables and claims of the experiment on the LETOR files of a folder."""
    files, others = read_all(data)
    studies = studies_of([query for file in files for query in file.queries], backend)
    tables = [files_table(files, others), histograms(studies)]
    for name, study in studies.items():
        tables += [order_table(name, study), pad_table(name, study)]
    return tables, [claim for name, study in studies.items() for claim in claims(name, study)]


# Files


def read(data: str | os.PathLike[str]) -> list[File]:
    """The LETOR files of a folder, by name."""
    return read_all(data)[0]


def read_all(data: str | os.PathLike[str]) -> tuple[list[File], list[Path]]:
    """The LETOR files of a folder, by name, and the other files."""
    paths, others = in_folder(data)
    files = []
    for path in paths:
        try:
            files.append(read_file(path))
        except InputError as error:
            raise InputError(f"{error}; --data may be a folder without this file") from None
    if not any(file.queries for file in files):
        raise InputError(f"{data}: no file in it has rows {ROW} with a label above 0")
    return files, others


def in_folder(data: str | os.PathLike[str]) -> tuple[list[Path], list[Path]]:
    """The files of a folder, by name: those whose first row has a qid, and the others."""
    paths = [path for path in paths_in(data) if path.is_file()]
    rows = {path: begins_with_qid(path) for path in paths}
    return [path for path in paths if rows[path]], [path for path in paths if not rows[path]]


def read_file(path: Path) -> File:
    rankings = [Feature(number) for number in FEATURES]
    measures = [measure for study in STUDIES for measure in measures_of(study, CUTOFFS[0])]
    queries = [
        Query(
            rows.labels[own],
            {f: column[own] for f, column in zip(FEATURES, columns, strict=True)},
        )
        for rows, columns in ranked_rows(path, None, rankings, measures, CONVENTIONS)
        for own in rows.of_queries()
    ]
    relevant = [query for query in queries if any(query.labels)]
    return File(path.name, relevant, len(queries) - len(relevant))


# Values


def measures_of(study: str, k: int) -> tuple[Measure, ...]:
    """At a cut-off: the expectation of the original metric, the three metrics, the bound."""
    if study == "nDCG":
        A = nDCG(k=k, gain="exp2")
        return RLB(A), A, UL1(A), UL2(A), IUB(A)
    of_sp = SP(k=k)
    by_eq3 = AP(k=k, norm="k")
    return RLB(by_eq3), by_eq3, UL1(of_sp), UL2(of_sp), IUB(by_eq3)


def over_cutoffs(
    study: str, at: int, queries: Sequence[Query], feature: int | None, backend: str
) -> list[Fraction]:
    """Of each query the mean over the cut-offs of one of measures_of, by a ranker if it has one."""
    labels: Sequence[Sequence[Label]] = [query.labels for query in queries]
    given: dict[str, Any] = {"backend": backend}
    if feature is not None:
        given["judged"] = labels
        ranked = [query.ranked(feature) for query in queries]
        labels, given["scores"] = zip(*ranked, strict=True)
    columns: list[Any] = [measures_of(study, k)[at].of(labels, **given) for k in CUTOFFS]
    return [mean(cells) for cells in zip(*(column.tolist() for column in columns), strict=True)]


def originals_of(queries: Sequence[Query], backend: str) -> dict[str, Study]:
    """The case studies with the values of the original metrics only."""
    found = {}
    for study, (original, *_) in STUDIES.items():
        values = {
            (original, feature): over_cutoffs(study, 1, queries, feature, backend)
            for feature in FEATURES
        }
        real = [mean(own) for own in zip(*values.values(), strict=True)]
        expected, bound = (over_cutoffs(study, at, queries, None, backend) for at in (0, -1))
        found[study] = Study(expected, real, bound, values)
    return found


def studies_of(queries: Sequence[Query], backend: str) -> dict[str, Study]:
    """The case studies with the values of all metrics."""
    found = {}
    for study, of_original in originals_of(queries, backend).items():
        others = {
            (metric, feature): over_cutoffs(study, at, queries, feature, backend)
            for at, metric in enumerate(STUDIES[study][1:], start=2)
            for feature in FEATURES
        }
        found[study] = replace(of_original, values={**of_original.values, **others})
    return found


def mean(values: Sequence[float | Fraction]) -> Fraction:
    return sum((Fraction(x) for x in values), Fraction(0)) / len(values)


def in_bins(values: Sequence[Fraction]) -> list[int]:
    """How many values are in each tenth of the range from 0 to 1; the last one includes 1."""
    counts = [0] * BINS
    for x in values:
        counts[min(int(BINS * x), BINS - 1)] += 1
    return counts


# Tables and claims


def files_table(files: Sequence[File], others: Sequence[Path]) -> Table:
    """The files that were read, and the others, whose cells are blank."""
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (
            file.name,
            (len(file.queries), sum(len(query.labels) for query in file.queries), file.without),
        )
        for file in files
    ]
    rows += [(path.name, (None, None, None)) for path in others]
    left_out = "; a file without numbers has no qid, and is left out" if others else ""
    return Table(
        "The files of --data: queries with a relevant item, their rows, and queries without one, "
        f"which are left out{left_out}",
        "file",
        ("queries", "rows", "without"),
        tuple(rows),
    )


def histograms(studies: Mapping[str, Study]) -> Table:
    columns = [in_bins(study.expected) for study in studies.values()]
    rows = [
        (f"{at / BINS:.1f} to {(at + 1) / BINS:.1f}", counts)
        for at, counts in enumerate(zip(*columns, strict=True))
    ]
    title = (
        "Figures 2 and 3 of --data: how many queries have such an expected nDCG@k and AP@k, each "
        f"the mean over k = {', '.join(map(str, CUTOFFS))}"
    )
    return Table(title, "value", ("expected nDCG", "expected AP"), tuple(rows))


def order_table(name: str, study: Study) -> Table:
    original, *others = STUDIES[name]
    sets = study.sets()
    rows = []
    for metric in others:
        cells: list[Cell] = []
        for queries in sets.values():
            pairs = in_other_order(study.means(original, queries), study.means(metric, queries))
            cells += [float(tau(pairs)), pairs]
        rows.append((metric, tuple(cells)))
    header = tuple(name for of in sets for name in (of, f"pairs, {of}"))
    title = (
        f"Table {TAU_TABLES[name]} of --data: Kendall's tau with {name}, and pairs of rankers in "
        f"another order; the rankers are the features {', '.join(map(str, FEATURES))}"
    )
    return Table(title, "metric", header, tuple(rows))


def pad_table(name: str, study: Study) -> Table:
    sets = study.sets()
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for metric in STUDIES[name]:
        found = [pad_or_none(study, metric, queries) for queries in sets.values()]
        without = [of for of, queries in sets.items() if not all_above_0(study, metric, queries)]
        rows.append((metric, (*found, ", ".join(without) or None)))
    sizes = f"{len(sets['All'])} queries, {len(sets['Ideal'])} in each of the two sets"
    title = (
        f"Table {PAD_TABLES[name]} of --data: PAD in per cent; {sizes}. Where a ranker's mean is "
        "not above 0 it is no percentage (RS-ERR-25)"
    )
    return Table(title, "metric", (*sets, "a mean not above 0"), tuple(rows))


def all_above_0(study: Study, metric: str, queries: Sequence[int]) -> bool:
    """Whether each ranker's mean is above 0, so that PAD is a percentage."""
    return all(x > 0 for x in study.means(metric, queries).values())


def pad_or_none(study: Study, metric: str, queries: Sequence[int]) -> float | None:
    """PAD, if the greater mean of no pair is 0."""
    means = study.means(metric, queries).values()
    if any(max(pair) == 0 for pair in combinations(means, 2)):
        return None
    return float(pad(means))


def claims(name: str, study: Study) -> Iterator[Claim]:
    """What the paper says of its own data, looked at in others: nothing is expected of them."""
    original, *others = STUDIES[name]
    sets = study.sets()
    differing = {
        of: [
            in_other_order(study.means(original, queries), study.means(metric, queries))
            for metric in others
        ]
        for of, queries in sets.items()
    }
    yield Claim(
        "Section 5",
        f"more pairs are in another order than by {name} for uninformative queries than for ideal",
        tuple(
            Check(f"--data, {metric}: {a} and {b}", a > b, None)
            for metric, a, b in zip(
                others, differing[QUERY_SETS[1]], differing[QUERY_SETS[2]], strict=True
            )
        ),
    )
    shares = {
        (metric, of): pad_or_none(study, metric, queries)
        for metric in STUDIES[name]
        for of, queries in sets.items()
        if all_above_0(study, metric, queries)
    }
    checks = []
    for metric in others:
        for of in sets:
            ours, theirs = shares.get((metric, of)), shares.get((original, of))
            if ours is not None and theirs is not None:
                fact = f"--data, {metric}, {of}: {ours:.2f} and {theirs:.2f}"
                checks.append(Check(fact, ours > theirs, None))
    claim = f"PAD, where it is a percentage, is above that of {name}"
    yield Claim("Section 5", claim, tuple(checks))
