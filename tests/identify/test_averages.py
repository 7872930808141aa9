"""Averages of black boxes over several queries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rankspec.analysis.identify.averages import AVERAGES
from rankspec.analysis.identify.choices import BY_NAME
from rankspec.analysis.identify.identification import identify, identify_program

OF_IDS = {"form": "lists", "judged": "list", "cutoff": "required", "min_length": 1}


def hits(recommended, judged, k):
    return [len(set(r[:k]) & set(j)) for r, j in zip(recommended, judged, strict=True)]


def mean_precision(recommended, judged, k):
    found = hits(recommended, judged, k)
    return sum(h / k for h in found) / len(found)


def sum_of_hits(recommended, judged, k):
    return float(sum(hits(recommended, judged, k)))


def mean_hits(recommended, judged, k):
    return sum(hits(recommended, judged, k)) / len(judged)


def micro_recall(recommended, judged, k):
    relevant = sum(map(len, judged))
    return sum(hits(recommended, judged, k)) / relevant if relevant else 0.0


def recall_of_users_with_items(recommended, judged, k):
    found = [h / len(j) for h, j in zip(hits(recommended, judged, k), judged, strict=True) if j]
    return sum(found) / len(found) if found else 0.0


def root_mean_square_of_precision(recommended, judged, k):
    found = [h / k for h in hits(recommended, judged, k)]
    return (sum(x * x for x in found) / len(found)) ** 0.5


@pytest.mark.slow(but=1)
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-IDF-3")
@pytest.mark.parametrize(
    ("function", "measure", "average"),
    [
        (micro_recall, "R", "ratio of sums"),
        (mean_precision, "P", "mean"),
        (sum_of_hits, "NumRelRet", "sum"),
        (mean_hits, "NumRelRet", "mean"),
        (recall_of_users_with_items, "R", "mean of the relevant"),
        (root_mean_square_of_precision, "P", "another"),
    ],
)
def test_averages_are_told_apart(function, measure, average):
    found = identify(function, several=True, isolated=False, **OF_IDS)
    assert found.measures[0] == measure
    assert found.choices["average"] == [average]
    assert found.identified
    assert {len(queries) for queries, _ in found.asked.together} <= {2, 3}
    assert found.as_dict()["definition"]["conventions"]["average"] == average
    assert re.search(rf"^average +{average}( |$)", str(found), re.MULTILINE)


def test_every_average_of_the_choice_is_computed():
    assert [*AVERAGES, "another"] == list(BY_NAME["average"].values)


@pytest.mark.slow
def test_one_query_has_no_average():
    def one(recommended, judged, k):
        return mean_precision([recommended], [judged], k)

    found = identify(one, isolated=False, **OF_IDS)
    assert "average" not in found.choices
    assert found.asked.together == []


@pytest.mark.slow
def test_scores_and_files_of_several_queries():
    def summed(labels, scores, k):
        rows = [
            [y for _, y in sorted(zip(s, x, strict=True), key=lambda pair: -pair[0])]
            for x, s in zip(labels, scores, strict=True)
        ]
        return float(sum(sum(y >= 1 for y in row[:k]) for row in rows))

    found = identify(summed, several=True, isolated=False)
    assert (found.measures[0], found.choices["average"]) == ("NumRelRet", ["sum"])

    def of_files(qrels, run, k):
        queries = {line.split()[0] for line in qrels.splitlines()}
        relevant = {tuple(x.split()[::2]) for x in qrels.splitlines() if int(x.split()[3]) >= 1}
        ranked = sorted((line.split() for line in run.splitlines()), key=lambda x: -float(x[4]))
        lists = {q: [x[2] for x in ranked if x[0] == q][:k] for q in queries}
        found = [sum((q, d) in relevant for d in lists[q]) for q in queries]
        return sum(found) / len(found)

    found = identify(of_files, form="trec", several=True, isolated=False)
    assert (found.measures[0], found.choices["average"]) == ("NumRelRet", ["mean"])


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("options", "printed"), [({"several": True}, 0.5), ({}, 0.25)])
def test_a_program_prints_the_average_last(options, printed, tmp_path: Path):
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\necho '1 0.25'\necho '2 0.75'\necho 'all 0.5'\n", encoding="utf-8"
    )
    program.chmod(0o755)
    report = identify_program(f"{program} {{qrels}} {{run}}", options)
    assert report.found.constant is not None
    assert report.found.constant.value == printed
