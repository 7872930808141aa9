"""The tables of karmaker-2022 by other data, and what they say of its conclusions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from ...reference.query_types import EASY, HARD, IDEAL, INFORMATIVE, UNINFORMATIVE
from ..reproduction import Cell, Check, Claim, Table
from .experiment import BINS, Study, in_bins, read, studies_of
from .printed import COUNT_TABLES, CUTOFFS, PAD_TABLES, QUERY_SETS, STUDIES, SWAP_TABLES, TAU_TABLES
from .rankers import Chosen, File, Folder
from .statistics import ALPHA, TESTS, Agreement, agreement, pairs_of, rate, swapped, tau_b
from .tables import pad

MEANS_TABLES = {
    "nDCG": "Tables 2 and 3",
    "DCG_V1": "Tables 4 and 5, V1",
    "DCG_V2": "Tables 4 and 5, V2",
    "MAP": "Tables 12 and 13",
    "MSP_V1": "Tables 14 and 15, V1",
    "MSP_V2": "Tables 14 and 15, V2",
}
ALL, UNINFORM, IDEALS = QUERY_SETS
CLASSES = (INFORMATIVE, IDEAL, UNINFORMATIVE, HARD, EASY)


class Swaps(NamedTuple):
    """Pairs in opposite orders, of so many."""

    swapped: int
    pairs: int

    @property
    def rate(self) -> Fraction:
        return rate(self.swapped, self.pairs)


def of_data(
    data: str | os.PathLike[str], chosen: Chosen, backend: str
) -> tuple[list[Table], list[Claim]]:
    """The tables and claims of the experiment on the LETOR files of a folder."""
    folder = read(data, chosen)
    studies = studies_of(folder, backend)
    tables = [
        files_table(folder.files, folder.others, folder),
        histograms(studies),
        classes_table(studies),
    ]
    claims: list[Claim] = []
    for name, study in studies.items():
        tables += [means_table(study, metric) for metric in STUDIES[name]]
        tables += [
            order_table(name, study),
            conflict_table(name, study),
            significance_table(name, study),
            pad_table(name, study),
            across_table(name, study),
            within_table(name, study),
        ]
        claims += claims_of(name, study)
    return tables, claims


def files_table(files: Sequence[File], others: Sequence[Path], folder: Folder) -> Table:
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
        f"which are left out{left_out}. {len(folder.rankers)} rankers: {folder.about}",
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


def classes_table(studies: Mapping[str, Study]) -> Table:
    columns = []
    for study in studies.values():
        found = study.classes()
        columns.append([sum(name in own for own in found) for name in CLASSES])
    rows = [(name, counts) for name, *counts in zip(CLASSES, *columns, strict=True)]
    return Table(
        "Figure 1 of --data: how many queries are of which type, by both metrics (RS-BND-13)",
        "type",
        tuple(studies),
        tuple((name, tuple(counts)) for name, counts in rows),
    )


def means_table(study: Study, metric: str) -> Table:
    rows = []
    for ranker in study.rankers:
        columns = study.values[metric, ranker]
        cells = tuple(sum(column) / len(column) for column in columns)
        rows.append((ranker, cells))
    title = f"{MEANS_TABLES[metric]} of --data: mean {metric} of each ranker, by cut-off"
    return Table(title, "ranker", tuple(map(str, CUTOFFS)), tuple(rows))


def order_table(name: str, study: Study) -> Table:
    original, *others = STUDIES[name]
    rows = []
    for metric in others:
        cells: list[Cell] = []
        for queries in study.sets.values():
            both = study.means(original, queries), study.means(metric, queries)
            cells += [tau_b(*both), swapped(*both)]
        rows.append((metric, tuple(cells)))
    header = tuple(name for of in study.sets for name in (of, f"pairs, {of}"))
    title = (
        f"Table {TAU_TABLES[name]} of --data: Kendall's tau_b with {name}, and how many of the "
        f"{pairs_of(study.rankers)} pairs of rankers are in another order"
    )
    return Table(title, "metric", header, tuple(rows))


def agreements(name: str, study: Study, metric: str, queries: str) -> dict[str, Agreement]:
    """By each test: how the significant differences of a metric agree with the original's."""
    first, second = (study.significant(m, queries) for m in (STUDIES[name][0], metric))
    return {test: agreement(first[test], second[test]) for test in TESTS}


def conflict_table(name: str, study: Study) -> Table:
    rows = []
    for metric in STUDIES[name][1:]:
        found = {of: agreements(name, study, metric, of) for of in QUERY_SETS}
        rows += [
            (f"{metric}, {test}", tuple(x for of in QUERY_SETS for x in found[of][test]))
            for test in TESTS
        ]
    header = tuple(f"{of} {what}" for of in QUERY_SETS for what in Agreement._fields)
    title = (
        f"Table {COUNT_TABLES[name][1]} of --data: of {comparisons(study)} comparisons, the "
        f"significant differences of {name} that are lost, those that are gained, and those that "
        "both find in opposite directions"
    )
    return Table(title, "metric, test", header, tuple(rows))


def comparisons(study: Study) -> int:
    return pairs_of(study.rankers) * len(CUTOFFS)


def count(study: Study, metric: str, queries: str, test: str) -> int:
    return int((study.significant(metric, queries)[test] != 0).sum())


def significance_table(name: str, study: Study) -> Table:
    rows = [
        (f"{metric}, {test}", tuple(count(study, metric, of, test) for of in QUERY_SETS))
        for metric in STUDIES[name]
        for test in TESTS
    ]
    title = (
        f"Table {COUNT_TABLES[name][0]} of --data: of {comparisons(study)} comparisons those with "
        f"p <= {ALPHA}, by a paired and two unpaired tests; no correction, as in the paper"
    )
    return Table(title, "metric, test", QUERY_SETS, tuple(rows))


def pad_table(name: str, study: Study) -> Table:
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for metric in STUDIES[name]:
        found = [pad_or_none(study, metric, queries) for queries in study.sets.values()]
        without = [
            of for of, queries in study.sets.items() if not all_above_0(study, metric, queries)
        ]
        rows.append((metric, (*found, ", ".join(without) or None)))
    number = len(study.sets[ALL])
    queries = "1 query" if number == 1 else f"{number} queries"
    sizes = f"{queries}, {len(study.sets[IDEALS])} in each of the two sets"
    title = (
        f"Table {PAD_TABLES[name]} of --data: PAD in per cent; {sizes}. Where a ranker's mean is "
        "not above 0 it is no percentage (RS-ERR-25)"
    )
    return Table(title, "metric", (*study.sets, "a mean not above 0"), tuple(rows))


def all_above_0(study: Study, metric: str, queries: Sequence[int]) -> bool:
    """Whether each ranker's mean is above 0, so that PAD is a percentage."""
    return all(x > 0 for x in study.means(metric, queries).values())


def pad_or_none(study: Study, metric: str, queries: Sequence[int]) -> float | None:
    """PAD, if the greater mean of no pair is 0."""
    means = study.means(metric, queries).values()
    if any(max(pair) == 0 for pair in combinations(means, 2)):
        return None
    return float(pad(means))


def across(study: Study, metric: str, name: str) -> Swaps | None:
    """Of all pairs of files together: the pairs of rankers that they order differently; each file
    has its own sets. None: there is one file.
    """
    parts = [study.sets_of(queries)[name] for queries in study.files if queries]
    means = [study.means(metric, own) for own in parts]
    if len(means) < 2:
        return None
    both = list(combinations(means, 2))
    return Swaps(sum(swapped(*x) for x in both), pairs_of(study.rankers) * len(both))


def within(study: Study, metric: str) -> Swaps:
    """The pairs of rankers that uninformative and ideal queries order differently."""
    means = [study.means(metric, study.sets[name]) for name in (UNINFORM, IDEALS)]
    return Swaps(swapped(*means), pairs_of(study.rankers))


def across_table(name: str, study: Study) -> Table:
    title = f"Table {SWAP_TABLES[name][0]} of --data: "
    files = sum(bool(queries) for queries in study.files)
    if files < 2:
        title += "not computed: it takes two files with a relevant item"
        return Table(title, "metric", QUERY_SETS, ())
    title += f"the share of pairs that two of the {files} files rank differently"
    rows = []
    for metric in STUDIES[name]:
        found = [across(study, metric, of) for of in QUERY_SETS]
        rows.append((metric, tuple(None if x is None else float(x.rate) for x in found)))
    return Table(title, "metric", QUERY_SETS, tuple(rows))


def within_table(name: str, study: Study) -> Table:
    rows = []
    for metric in STUDIES[name]:
        found = within(study, metric)
        rows.append((metric, (float(found.rate), found.swapped)))
    title = (
        f"Table {SWAP_TABLES[name][1]} of --data: the share of pairs that uninformative and ideal "
        "queries rank differently"
    )
    return Table(title, "metric", ("swap rate", "pairs"), tuple(rows))


# What the paper concludes


def claims_of(name: str, study: Study) -> Iterator[Claim]:
    """What the paper says of its own data, looked at in others: nothing is expected of them."""
    yield from _claims_on_orders(name, study)
    yield from _claims_on_significance(name, study)
    yield _claim_on_pad(name, study)
    yield _claim_on_consistency(name, study)
    if name == "nDCG":
        yield _claim_on_growth(study)


def _checks(facts: Iterator[tuple[str, bool]]) -> tuple[Check, ...]:
    return tuple(Check(f"--data, {fact}", holds, None) for fact, holds in facts)


def _claims_on_orders(name: str, study: Study) -> Iterator[Claim]:
    original, *others = STUDIES[name]

    def differing(metric: str, of: str) -> int:
        queries = study.sets[of]
        return swapped(study.means(original, queries), study.means(metric, queries))

    found = {metric: {of: differing(metric, of) for of in QUERY_SETS} for metric in others}
    yield Claim(
        "Section 5",
        f"the rankers are in another order than by {name}",
        _checks(
            (f"{metric}, {of}: {n} of {pairs_of(study.rankers)} pairs", n > 0)
            for metric, own in found.items()
            for of, n in own.items()
        ),
    )
    yield Claim(
        "Section 5",
        f"more pairs are in another order than by {name} for uninformative queries than for ideal",
        _checks(
            (f"{metric}: {own[UNINFORM]} and {own[IDEALS]}", own[UNINFORM] > own[IDEALS])
            for metric, own in found.items()
        ),
    )


def _claims_on_significance(name: str, study: Study) -> Iterator[Claim]:
    others = STUDIES[name][1:]
    found = {
        (metric, of): agreements(name, study, metric, of) for metric in others for of in QUERY_SETS
    }
    yield Claim(
        "Abstract",
        f"some differences that are significant by {name} no longer are",
        _checks(
            (
                f"{metric}, {test}: lost "
                + ", ".join(f"{found[metric, of][test].lost} ({of})" for of in QUERY_SETS),
                any(found[metric, of][test].lost for of in QUERY_SETS),
            )
            for metric in others
            for test in TESTS
        ),
    )
    yield Claim(
        "Abstract and section 5",
        f"more differences disagree with {name} for uninformative queries than for ideal",
        _checks(
            (
                f"{metric}, {test}: {a.disagree} and {b.disagree}",
                a.disagree > b.disagree,
            )
            for metric in others
            for test in TESTS
            for a, b in [(found[metric, UNINFORM][test], found[metric, IDEALS][test])]
        ),
    )
    counts = {
        (metric, test): [count(study, metric, of, test) for of in QUERY_SETS]
        for metric in STUDIES[name]
        for test in TESTS
    }
    yield Claim(
        "Abstract and section 5",
        f"as many differences as by {name} or more are significant, and more of the uninformative "
        "queries",
        _checks(
            (
                f"{metric}, {test}: {', '.join(map(str, own))}, by {name} "
                f"{', '.join(map(str, theirs))}",
                all(a >= b for a, b in zip(own, theirs, strict=True)) and own[1] > theirs[1],
            )
            for metric in others
            for test in TESTS
            for own, theirs in [(counts[metric, test], counts[name, test])]
        ),
    )


def _claim_on_pad(name: str, study: Study) -> Claim:
    original, *others = STUDIES[name]
    shares = {
        (metric, of): pad_or_none(study, metric, queries)
        for metric in STUDIES[name]
        for of, queries in study.sets.items()
        if all_above_0(study, metric, queries)
    }
    return Claim(
        "Section 5",
        f"PAD, where it is a percentage, is above that of {name}",
        _checks(
            (f"{metric}, {of}: {ours:.2f} and {theirs:.2f}", ours > theirs)
            for metric in others
            for of in study.sets
            for ours, theirs in [(shares.get((metric, of)), shares.get((original, of)))]
            if ours is not None and theirs is not None
        ),
    )


def _claim_on_consistency(name: str, study: Study) -> Claim:
    original, *others = STUDIES[name]

    def facts() -> Iterator[tuple[str, bool]]:
        for metric in others:
            for of in QUERY_SETS:
                ours, theirs = across(study, metric, of), across(study, original, of)
                if ours is not None and theirs is not None:
                    fact = f"{metric}, {of}, across files: {ours.swapped} and {theirs.swapped}"
                    yield f"{fact} of {ours.pairs} pairs", ours.swapped < theirs.swapped
            a, b = within(study, metric), within(study, original)
            fact = f"{metric}, across query sets: {a.swapped} and {b.swapped} of {a.pairs} pairs"
            yield fact, a.swapped < b.swapped

    return Claim(
        "Abstract and section 5", f"swap rates are below those of {name}", _checks(facts())
    )


def _claim_on_growth(study: Study) -> Claim:
    rises = {
        ranker: all(a < b for a, b in pairwise(sum(column) for column in columns))
        for ranker in study.rankers
        for columns in [study.values["nDCG", ranker]]
    }
    fact = f"All: {sum(rises.values())} of {len(rises)} rankers"
    return Claim(
        "Section 4.4",
        "the mean nDCG@k of each method increases with k",
        _checks(iter([(fact, all(rises.values()))])),
    )
