"""The page "Measures of other programs" against the libraries' own answers.

Each row of a program that has a record in docs/data/libraries must predict the answers of the
function that it is about: as well as the definition that was identified, whose other conventions
it takes.
"""

from __future__ import annotations

import math
import re
import tomllib
import warnings
from functools import cache
from itertools import product
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics.catalogue import DIVERSITY_METRICS
from rankspec.metrics.grammar import measures
from rankspec.records import replace

from ..peers.compiled_ranx import compiled_ranx
from .test_matrix import ROOT, functions, module

__all__ = ["compiled_ranx"]

DATA = tomllib.loads((ROOT / "docs/data/programs.toml").read_text("utf-8"))
RECORDED = {p["name"]: p for p in DATA["program"] if "record" in p}
OF_THE_ROW = {"cut": "k", "beyond": "k", "scale": "1"}
"""A measure's name says that the first k ranks count, as they are."""


@cache
def record(program: str) -> dict[str, Any]:
    """The functions of a program's record, by name."""
    return {f.name: f for f in functions(RECORDED[program]["record"])}


def rows(program: str) -> dict[str, str]:
    """{the name there: what is written here}"""
    given = RECORDED[program]
    return {x: x for x in given.get("measures", ())} | given.get("ours", {})


def recorded_as(name: str) -> str:
    """The name of a function in a record: without a cut-off of 10, and what stands around it."""
    within = re.fullmatch(r"\w+\(K=10\)\['(\w+)'\]", name)
    if within:
        return within[1]
    name = re.sub(r"\((?:[kn]=)?10\)$|@10$", "", name)
    return re.sub(r"\([kn]=10, ", "(", name)


def unlike(f: Any, measure: str) -> list[str]:
    """The answers of a function that its own definition predicts, and this measure does not."""
    answers = module("answers")
    (named,) = measures(measure)
    core = answers.core_of(str(replace(named, k=None)))
    own = f.definition
    said = answers.plain(core).with_({**own.choices, **OF_THE_ROW})
    return [
        f"{x}: {answer}, and {measure} is {said.predict(x)}"
        for x, answer in [*f.asked(), *f.held_out().items()]
        if named.k is None or x.k is not None  # a row with a cut-off is of calls with one
        if f.explains(x, answer) and not answers.agrees(said.predict(x), answer, f.precision)
    ]


def wrong(program: str) -> list[str]:
    """Return the contradictions between a program's rows and its record."""
    known, found = record(program), []
    of_named = {recorded_as(name): measure for name, measure in rows(program).items()}
    not_here = {recorded_as(name) for name in RECORDED[program].get("not_here", {})}
    unrecorded = {recorded_as(name) for name in RECORDED[program].get("unrecorded", ())}
    for name, measure in of_named.items():
        if name in unrecorded:
            continue
        if name not in known or known[name].definition is None:
            found.append(f"{program}: {name}: the record has no definition")
        else:
            found += [f"{program}: {name}: {x}" for x in unlike(known[name], average_of(measure))]
    for name in known:
        if name not in of_named and name not in not_here:
            found.append(f"{program}: {name} is in the record, and in no row")
    return found


def average_of(measure: str) -> str:
    """The measure that is averaged: of one query it is the same."""
    return re.sub(r"^Mean\((.*)\)$", r"\1", measure)


@pytest.mark.slow(but=1)  # that of the fewest rows
@pytest.mark.parametrize("program", sorted(RECORDED, key=lambda x: len(rows(x))))
def test_rows_predict_what_the_program_answered(program: str) -> None:
    assert wrong(program) == []


@pytest.mark.parametrize("program", RECORDED)
def test_versions_are_those_of_the_record(program: str) -> None:
    (library,) = {id(f.library): f.library for f in record(program).values()}.values()
    assert RECORDED[program]["version"] == library["version"]


@pytest.mark.parametrize(
    ("program", "name", "measure"),
    [
        ("RecTools", "Precision(r_precision=True)", "Rprec@10"),
        ("LensKit", "Precision", "P@10"),
        ("LensKit", "Recall", "R@10"),
        ("RecTools", "NDCG", "nDCG@10"),
    ],
)
def test_control_a_wrong_row_is_seen(program: str, name: str, measure: str) -> None:
    assert unlike(record(program)[name], measure)


@pytest.mark.parametrize("program", RECORDED)
def test_averages_are_those_of_the_record(program: str) -> None:
    """The recorded average over queries is a mean, unless the row says otherwise."""
    for name, measure in rows(program).items():
        f = record(program).get(recorded_as(name))
        if f is None or f.definition is None or f.data["unexplained"]:
            continue
        if average := f.data["definition"]["conventions"].get("average"):
            (named,) = measures(measure)
            assert average.startswith(named.metric.average.name), name


BY_PROFILE = {p["name"]: p for p in DATA["program"] if "profile" in p}
QRELS = {"q": {"d_a": 1, "d_b": 0, "d_c": 2}}
RUN = {"q": {"d_b": 3.0, "d_c": 2.0, "d_x": 1.0}}


@pytest.mark.parametrize("program", BY_PROFILE)
def test_a_profile_reads_the_names_that_the_page_says(program: str) -> None:
    page = BY_PROFILE[program]
    refused = page.get("refused", [])
    for name in {*page["measures"], *page.get("ours", ())} - set(refused):
        if measures(page.get("ours", {}).get(name, name))[0].metric in DIVERSITY_METRICS:
            continue
        assert len(rs.evaluate(QRELS, RUN, name, profile=page["profile"]).mean) == 1, name
    for name in refused:
        assert f"`{re.sub(r'[@(].*', '', name)}`" in page["how"] or f"`{name}`" in page["how"]
        with pytest.raises(rs.InputError):
            rs.evaluate(QRELS, RUN, name, profile=page["profile"])


@pytest.mark.parametrize("program", DATA["program"], ids=lambda program: program["name"])
def test_advice_for_a_call_is_not_another_measure(program: dict[str, Any]) -> None:
    """An error that says to write NAME@10 for NAME(n=10) names the page's measure too."""
    for name, measure in program.get("ours", {}).items():
        call = re.fullmatch(r"(\w+)\((?:[kn]=)?10\)", name)
        if call and is_read(f"{call[1]}@10") and measures(f"{call[1]}@10") != measures(measure):
            with pytest.raises(rs.InputError, match=re.escape(f"{name} is {measure}")):
                measures(name)


def is_read(name: str) -> bool:
    try:
        measures(name)
    except rs.InputError:
        return False
    return True


def test_bpref_of_ranx_is_what_the_page_says(compiled_ranx: Any) -> None:
    """Bpref but for the cut-off, and NaN where every judged document is relevant."""
    ranx = compiled_ranx

    def theirs(qrels: dict[str, dict[str, int]], name: str = "bpref") -> float:
        with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
            return float(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(RUN), name))

    for labels in product((0, 1, 2), repeat=3):
        qrels = {"q": dict(zip(("d_a", "d_b", "d_c"), labels, strict=True))}
        if all(labels):
            assert math.isnan(theirs(qrels))
        elif any(labels):
            assert abs(theirs(qrels) - rs.evaluate(QRELS | qrels, RUN, "Bpref")["Bpref"]) < 1e-15
    qrels = {"q": {"d_a": 1, "d_b": 0, "d_c": 1, "d_d": 0}}  # of which the run has b, then c
    assert theirs(qrels, "bpref@1") == theirs(qrels) == 0.25
    assert rs.evaluate(qrels, RUN, "Bpref@1")["Bpref@1"] == 0
