"""The measures of NTCIREVAL against pyNTCIREVAL, its translation to Python."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics import names

NTCIREVAL = pytest.importorskip(
    "pyNTCIREVAL.metrics", reason='pyNTCIREVAL is not installed: pip install ".[peers]"'
)
GRADES = [[1, 2, 3], [1, 4, 9], [1, 10, 100], [0.5, 0.75, 2]]
CUTS = (1, 2, 5, 1000)
NEAR = 1e-12  # it sums doubles, some by numpy


def world(seed: int) -> tuple[list[int], list[int], list[float]]:
    """Labels in rank order, those of the pool, and the gains of the labels from 1 on."""
    rng = random.Random(seed)
    levels = rng.choices(range(4), weights=(6, 3, 2, 1), k=rng.randint(1, 40))
    shown = rng.sample(levels, rng.randint(1, len(levels)))
    more = [0] * rng.randint(0, 5)  # what nobody has judged
    shown += more
    rng.shuffle(shown)
    return shown, levels + more, rng.choice(GRADES)


def of_peer(shown: list[int], pool: list[int], grades: list[float], beta: float) -> dict[str, Any]:
    """The values by the names that NTCIREVAL prints."""
    ranked = [(str(i), level) for i, level in enumerate(shown)]
    counts = [pool.count(level) for level in range(4)]
    stops = [2.0, 3.0, 7.0]
    of = {
        "O": NTCIREVAL.OMeasure(counts, grades, beta),
        "P": NTCIREVAL.PMeasure(counts, grades, beta),
        "P+": NTCIREVAL.PPlusMeasure(counts, grades, beta),
        "AP": NTCIREVAL.AP(counts, grades),
        "Q": NTCIREVAL.QMeasure(counts, grades, beta),
        "NCUgu,P": NTCIREVAL.NCUguP(counts, grades, stops),
        "NCUgu,BR": NTCIREVAL.NCUguBR(counts, grades, stops, beta),
        "NCUrb,P": NTCIREVAL.NCUrbP(counts, grades, 0.95),
        "NCUrb,BR": NTCIREVAL.NCUrbBR(counts, grades, 0.95, beta),
        "RR": NTCIREVAL.RR(),
        "ERR": NTCIREVAL.ERR(counts, grades),
    }
    for k in CUTS:
        of |= {
            f"AP@{k}": NTCIREVAL.AP(counts, grades, k),
            f"Q@{k}": NTCIREVAL.QMeasure(counts, grades, beta, k),
            f"nDCG@{k}": NTCIREVAL.nDCG(counts, grades, 2, k),
            f"MSnDCG@{k}": NTCIREVAL.MSnDCG(counts, grades, k),
            f"nERR@{k}": NTCIREVAL.nERR(counts, grades, k),
            f"P@{k}": NTCIREVAL.Precision(k),
            f"Hit@{k}": NTCIREVAL.Hit(k),
        }
    return {name: metric.compute(ranked) for name, metric in of.items()}


def measures(grades: list[float], beta: float) -> dict[str, Any]:
    """The measures that are the same."""
    table, stops = [0, *grades], [0, 2, 3, 7]
    stop = [g / (grades[-1] + 1) for g in table]
    how: dict[str, Any] = {"gain": table, "beta": beta}
    plain: dict[str, Any] = {"gain": table, "beta": 0}
    of = {
        "O": rs.O_measure(**how),
        "P": rs.P_measure(**how),
        "P+": rs.P_plus(**how),
        "AP": rs.AP(),
        "Q": rs.Q_measure(**how),
        "NCUgu,P": rs.NCU(stopping="graded", stops=stops, **plain),
        "NCUgu,BR": rs.NCU(stopping="graded", stops=stops, **how),
        "NCUrb,P": rs.NCU(stopping="rank-biased", **plain),
        "NCUrb,BR": rs.NCU(stopping="rank-biased", **how),
        "RR": rs.RR(),
        "ERR": rs.ERR(stop=stop),
    }
    for k in CUTS:
        of |= {
            f"AP@{k}": rs.AP(norm="min", k=k),
            f"Q@{k}": rs.Q_measure(k=k, **how),
            f"nDCG@{k}": rs.nDCG(k=k, gain=table, discount="jarvelin-2002(b=2)"),
            f"MSnDCG@{k}": rs.nDCG(k=k, gain=table),
            f"nERR@{k}": rs.nERR(k=k, stop=stop),
            f"P@{k}": rs.P(k=k),
            f"Hit@{k}": rs.Success(k=k),
        }
    return of


def differing(seed: int, **changed: Any) -> list[str]:
    """The names by which the two differ; changed: measures in the place of those that are right."""
    shown, pool, grades = world(seed)
    if not any(pool) or not any(shown):  # the peer divides by 0, or looks for a rank in nothing
        return []
    beta = [0.0, 0.5, 1.0, 10.0][seed % 4]
    theirs = of_peer(shown, pool, grades, beta)
    ours = measures(grades, beta) | changed
    found = {name: m.of(shown, judged=pool) for name, m in ours.items()}
    return [name for name, x in theirs.items() if abs(found[name] - x) > NEAR * max(1, abs(x))]


@pytest.mark.spec("RS-UTL-1", "RS-UTL-2", "RS-UTL-3", "RS-UTL-4", "RS-UTL-5", "RS-UTL-6")
@pytest.mark.spec("RS-UTL-7", "RS-UTL-8")
@pytest.mark.parametrize("first", range(0, 200, 50))
def test_the_same_values(first: int) -> None:
    for seed in range(first, first + 50):
        assert differing(seed) == [], seed


def test_control() -> None:
    """Another measure in the place of one is seen."""
    wrong = {
        "Q": rs.Q_measure(beta=3),
        "P+": rs.P_measure(),
        "O": rs.P_measure(),
        "NCUgu,BR": rs.NCU(),
        "nDCG@5": rs.nDCG(k=5),
    }
    for name, measure in wrong.items():
        assert any(name in differing(seed, **{name: measure}) for seed in range(20)), name


def program(name: str, counts: list[int], grades: list[int]) -> Any:
    """The measure that the program prints by a name of the page of other programs' measures."""
    name, _, k = name.partition("@")
    of = (counts, grades)
    classes: dict[str, tuple[Any, ...]] = {
        "RR": ("RR",),
        "P": ("Precision",),
        "Hit": ("Hit",),
        "AP": ("AP", *of),
        "ERR": ("ERR", *of),
        "nERR": ("nERR", *of),
        "RBP": ("RBP", *of, 0.95),
        "nDCG": ("nDCG", *of, 2),
        "MSnDCG": ("MSnDCG", *of),
        "O-measure": ("OMeasure", *of, 1),
        "P-measure": ("PMeasure", *of, 1),
        "P-plus": ("PPlusMeasure", *of, 1),
        "Q-measure": ("QMeasure", *of, 1),
        "Q": ("QMeasure", *of, 1),
        "NCUguP": ("NCUguP", *of, grades),
        "NCUguBR": ("NCUguBR", *of, grades, 1),
        "NCUrbP": ("NCUrbP", *of, 0.95),
        "NCUrbBR": ("NCUrbBR", *of, 0.95, 1),
    }
    its_class, *arguments = classes[name]
    return getattr(NTCIREVAL, its_class)(*arguments, *([int(k)] if k else []))


def rows() -> dict[str, str]:
    """{the name that it prints: what is written here}"""
    page = Path(__file__).resolve().parents[2] / "docs/data/programs.toml"
    programs = tomllib.loads(page.read_text("utf-8"))["program"]
    (entry,) = [x for x in programs if x["name"] == "NTCIREVAL"]
    own = {f"{name}@0010": f"{measure}@10" for name, measure in names.NTCIREVAL.items()}
    return {x: x for x in entry["measures"]} | entry["ours"] | own


def values_of_rows(seed: int, changed: dict[str, str]) -> list[str]:
    """The names whose value there is not that of what is written here, of the gains 1, 2, 3."""
    shown, pool, _ = world(seed)
    if not any(pool) or not any(shown):
        return []
    ranked = [(str(i), level) for i, level in enumerate(shown)]
    counts = [pool.count(level) for level in range(4)]
    wrong = []
    for name, written in (rows() | changed).items():
        theirs = program(name, counts, [1, 2, 3]).compute(ranked)
        (measure,) = rs.measures(written)
        if abs(measure.of(shown, judged=pool) - theirs) > NEAR:
            wrong.append(name)
    return wrong


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize("first", range(0, 100, 50))
def test_its_names_are_what_the_page_and_the_errors_say(first: int) -> None:
    for seed in range(first, first + 50):
        assert values_of_rows(seed, {}) == [], seed


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("AP@0010", "AP@10"),
        ("nDCG@0010", "nDCG@10"),
        ("nERR@0010", "nERR(max=4)@10"),
        ("ERR", "ERR(max=4)"),
        ("RBP", "GRBP(p=0.95)"),
    ],
)
def test_control_of_names(name: str, written: str) -> None:
    assert any(name in values_of_rows(seed, {name: written}) for seed in range(30))


@pytest.mark.spec("RS-CONV-34")
@pytest.mark.parametrize("name", [name for name in rows() if "@" in name])
def test_a_cutoff_with_leading_zeros_is_refused(name: str) -> None:
    written = rows()[name]
    with pytest.raises(rs.InputError, match="a cut-off has no leading zeros: write ") as caught:
        rs.measures(name)
    said = str(caught.value).partition(": write ")[2].partition(" for ")[0]
    assert rs.measures(said) == rs.measures(written)
