"""The experiment of karmaker-2022 on other data: the values of each query, by each ranker.

A query has its expected and its real value, means over the cut-offs and, of the real one, over the
rankers. Where rows are equal for a ranker, a value is the expectation over their orders. Queries
without a relevant item are left out: each of their values is 0 whatever the ranking.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ...analysis.query_types import THIRD
from ...formats.frames import Label
from ...metrics.catalogue import AP, IUB, RLB, SP, UL1, UL2, nDCG
from ...metrics.measure import Measure
from ...reference.numerics import exact_sum
from ...reference.query_types import SIGNED, Means, classes, extremes
from .printed import CUTOFFS, QUERY_SETS, STUDIES
from .rankers import Chosen, Folder, Query, read_folder
from .statistics import significant

SHARE = 10  # one of so many queries is uninformative, and one ideal: as of MSLR-WEB30K
BINS = 10

Values = Mapping[tuple[str, str], Sequence[Sequence[float]]]
"""Of each metric and ranker: for each cut-off the values of the queries."""


@dataclass
class Study:
    """The values of a case study.

    expected, real, bound: of each query, by the original metric: the mean over the cut-offs; the
        bound is that of the ideal ranking
    values: of each metric and ranker
    files: which queries are of each file
    """

    expected: Sequence[Fraction]
    real: Sequence[Fraction]
    bound: Sequence[Fraction]
    values: Values
    files: Sequence[Sequence[int]] = field(default=())
    _significant: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    @cached_property
    def rankers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ranker for _, ranker in self.values))

    @cached_property
    def sets(self) -> dict[str, list[int]]:
        """Which queries are in each set: all, the uninformative ones and the ideal ones."""
        return self.sets_of(range(len(self.real)))

    def sets_of(self, queries: Sequence[int]) -> dict[str, list[int]]:
        """The same, of some queries: those of a file."""
        gaps = [self.real[q] - self.expected[q] for q in queries]
        found = (range(len(gaps)), *extremes(gaps, size_of(len(gaps)), SIGNED))
        own = ([queries[at] for at in part] for part in found)
        return dict(zip(QUERY_SETS, own, strict=True))

    def queries(self) -> list[Means]:
        """Of each query the means of real and expected value, and of the bound."""
        of_queries = zip(self.real, self.expected, self.bound, strict=True)
        return [Means(A, E, IUB) for A, E, IUB in of_queries]

    def classes(self) -> list[tuple[str, ...]]:
        """The classes of each query (RS-BND-13)."""
        return classes(self.queries(), size_of(len(self.real)), SIGNED, THIRD, 2 * THIRD)

    def means(self, metric: str, queries: Sequence[int]) -> dict[str, Fraction]:
        """The mean of each ranker over some queries and all cut-offs."""
        found = {}
        for ranker in self.rankers:
            columns = self.values[metric, ranker]
            total = exact_sum(column[q] for column in columns for q in queries)
            found[ranker] = total / (len(columns) * len(queries))
        return found

    def significant(self, metric: str, name: str) -> dict[str, Any]:
        """By each test the significant differences in a set of queries: those of all cut-offs."""
        if (metric, name) not in self._significant:
            own = self.sets[name]
            of_cutoffs = [
                significant(np.array([self.values[metric, r][at] for r in self.rankers])[:, own])
                for at in range(len(CUTOFFS))
            ]
            self._significant[metric, name] = {
                test: np.concatenate([found[test] for found in of_cutoffs])
                for test in of_cutoffs[0]
            }
        return self._significant[metric, name]


def size_of(queries: int) -> int:
    """How many queries are uninformative, and how many ideal."""
    return max(1, queries // SHARE)


def read(data: str | os.PathLike[str], chosen: Chosen | None = None) -> Folder:
    """The LETOR files of a folder, and what ranks them."""
    measures = [measure for study in STUDIES for measure in measures_of(study, CUTOFFS[0])]
    return read_folder(data, chosen or Chosen(), measures)


# Values


def measures_of(study: str, k: int) -> tuple[Measure, ...]:
    """At a cut-off: the expectation of the original metric, the three metrics, the bound."""
    if study == "nDCG":
        A = nDCG(k=k, gain="exp2")
        return RLB(A), A, UL1(A), UL2(A), IUB(A)
    of_sp = SP(k=k)
    by_eq3 = AP(k=k, norm="k")
    return RLB(by_eq3), by_eq3, UL1(of_sp), UL2(of_sp), IUB(by_eq3)


def at_cutoffs(
    study: str, at: int, queries: Sequence[Query], ranker: str | None, backend: str
) -> list[list[float]]:
    """For each cut-off the values of the queries by one of measures_of, and by a ranker."""
    labels: Sequence[Sequence[Label]] = [query.labels for query in queries]
    given: dict[str, Any] = {"backend": backend}
    if ranker is not None:
        given["judged"] = labels
        ranked = [query.ranked(ranker) for query in queries]
        labels, given["scores"] = zip(*ranked, strict=True)
    columns: list[Any] = [measures_of(study, k)[at].of(labels, **given) for k in CUTOFFS]
    return [column.tolist() for column in columns]


def over_cutoffs(columns: Sequence[Sequence[float]]) -> list[Fraction]:
    """Of each query the mean over the cut-offs."""
    return [exact_sum(cells) / len(columns) for cells in zip(*columns, strict=True)]


def originals_of(folder: Folder, backend: str) -> dict[str, Study]:
    """The case studies with the values of the original metrics only."""
    ends = accumulate((len(file.queries) for file in folder.files), initial=0)
    files = [range(*both) for both in pairwise(ends)]
    found = {}
    for study, (original, *_) in STUDIES.items():
        values = {
            (original, ranker): at_cutoffs(study, 1, folder.queries, ranker, backend)
            for ranker in folder.rankers
        }
        every = [column for columns in values.values() for column in columns]
        expected, bound = (
            over_cutoffs(at_cutoffs(study, at, folder.queries, None, backend)) for at in (0, -1)
        )
        found[study] = Study(expected, over_cutoffs(every), bound, values, files)
    return found


def studies_of(folder: Folder, backend: str) -> dict[str, Study]:
    """The case studies with the values of all metrics."""
    found = originals_of(folder, backend)
    for name, study in found.items():
        study.values = {
            **study.values,
            **{
                (metric, ranker): at_cutoffs(name, at, folder.queries, ranker, backend)
                for at, metric in enumerate(STUDIES[name][1:], start=2)
                for ranker in folder.rankers
            },
        }
    return found


def in_bins(values: Sequence[Fraction]) -> list[int]:
    """How many values are in each tenth of the range from 0 to 1; the last one includes 1."""
    counts = [0] * BINS
    for x in values:
        counts[min(int(BINS * x), BINS - 1)] += 1
    return counts
