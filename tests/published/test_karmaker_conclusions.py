"""The tables of docs/karmaker-2022.md: the experiment on public collections."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rankspec.papers.karmaker_2022 import data_tables, experiment, statistics
from rankspec.papers.karmaker_2022.printed import QUERY_SETS, STUDIES

PAGE = (Path(__file__).resolve().parents[2] / "docs/karmaker-2022.md").read_text("utf-8")
NAMES = {"letor_mq2007_agg": "MQ2007-agg", "letor_mq2008": "MQ2008"}


def printed(collection: str) -> dict[str, list[str]]:
    """The cells of its table, by metric."""
    found = re.search(rf"^{collection}\b.*, \d+ comparisons:\n\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in found[1].splitlines()[2:]]  # fmt: skip
    return {metric: cells for metric, *cells in rows}


@pytest.mark.slow
def test_the_table_of_all_parts(data: Callable[[str], Path]) -> None:
    """Parts A1 to A5 of MQ2007-agg, in one folder."""
    folder = experiment.read(data("letor_mq2007_agg_all"))
    assert (sum(len(x.queries) for x in folder.files), len(folder.files)) == (1455, 5)
    table = printed("All five parts of MQ2007-agg")
    for study_name, study in experiment.studies_of(folder, "auto").items():
        for metric in STUDIES[study_name]:
            columns = [
                [data_tables.count(study, metric, of, test) for of in QUERY_SETS]
                for test in (statistics.PAIRED, statistics.WELCH)
            ]
            assert [", ".join(map(str, column)) for column in columns] == table[metric], metric


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_the_page(data: Callable[[str], Path], name: str) -> None:
    """Their parts are tested one by one (tests/papers/test_karmaker_2022_data.py)."""
    folder = experiment.read(data(name))
    table = printed(NAMES[name])
    for study_name, study in experiment.studies_of(folder, "auto").items():
        original = STUDIES[study_name][0]
        for metric in STUDIES[study_name]:
            tests = (statistics.PAIRED, statistics.WELCH)
            columns = [
                [data_tables.count(study, metric, of, test) for of in QUERY_SETS] for test in tests
            ]
            for test in tests:
                found = [data_tables.agreements(study_name, study, metric, of) for of in QUERY_SETS]
                columns.append([x[test].lost for x in found] if metric != original else [])
            both = [(study.means(original, own), study.means(metric, own))
                    for own in study.sets.values()]  # fmt: skip
            columns.append([statistics.swapped(*x) for x in both] if metric != original else [])
            across = [data_tables.across(study, metric, of) for of in QUERY_SETS]
            columns.append([x.swapped for x in across if x is not None])
            columns.append([data_tables.within(study, metric).swapped])
            assert [", ".join(map(str, column)) for column in columns] == table[metric], metric
            if name == "letor_mq2007_agg" and metric == "MAP":
                of_means = [study.values[metric, ranker] for ranker in study.rankers]
                assert all(sum(first) > sum(last) for first, *_, last in of_means)
