"""Whole evaluations as cases: small TREC files, and what rankspec makes of them."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import rankspec as rs
from rankspec.evaluation.conventions import Conventions, as_text

QRELS = """\
q1 0 a 2
q1 0 b 1
q1 0 c 0
q1 0 d -1
q2 0 a 1
q2 0 b 0
q2 0 e 3
q3 0 a 1
q3 0 f 2
"""
RUN = """\
q1 Q0 d 1 9.5 t
q1 Q0 x 2 9 t
q1 Q0 b 3 8 t
q1 Q0 y 4 7 t
q1 Q0 a 5 6 t
q2 Q0 b 1 3.00000001 t
q2 Q0 e 2 3 t
q2 Q0 z 3 2 t
q2 Q0 a 4 2 t
"""
TIED = """\
q1 Q0 a 1 1 t
q1 Q0 b 2 1 t
q1 Q0 c 3 0.5 t
q2 Q0 e 1 0.25 t
q2 Q0 a 2 0.25 t
q3 Q0 f 1 1 t
q3 Q0 a 2 2 t
"""
LINEAR = {"gain": {"kind": "linear"}, "discount": {"kind": "log", "base": 2}}
MEASURES: dict[str, dict[str, Any]] = {
    "nDCG": {"name": "nDCG", "k": None, **LINEAR, "ideal": "k"},
    "nDCG@3": {"name": "nDCG", "k": 3, **LINEAR, "ideal": "k"},
    "DCG@3": {"name": "DCG", "k": 3, **LINEAR},
    "AP": {"name": "AP", "k": None, "rel": 1, "norm": "R"},
    "P@2": {"name": "P", "k": 2, "rel": 1},
    "RR": {"name": "RR", "k": None, "rel": 1},
}


def number(x: float) -> dict[str, Any]:
    return {"decimal": x, "hex": x.hex(), "exact": None}


def case(n: int, measure: str, run: str) -> dict[str, Any]:
    found = rs.evaluate(BytesIO(QRELS.encode()), BytesIO(run.encode()), measure)
    by_query = {query: number(x) for query, x in found.per_query[measure].items()}
    return {
        "id": f"evaluation-9{n:03}",
        "why": "a small run",
        "spec": ["RS-CONV-18"],
        "flags": ["small-files"],
        "requires": [],
        "profiles": ["all", "trec"],
        "max_ulp": 4,
        "measure": MEASURES[measure],
        "conventions": as_text(Conventions()),
        "input": {"qrels": QRELS, "run": run},
        "expected": {"queries": by_query, "mean": number(found[measure])},
    }


def file() -> dict[str, Any]:
    """A file of the vectors."""
    runs = [(measure, run) for measure in MEASURES for run in (RUN, TIED)]
    cases = [case(n, measure, run) for n, (measure, run) in enumerate(runs, start=1)]
    return {"chapter": "evaluation", "required": [{"about": "small", "cases": cases}]}
