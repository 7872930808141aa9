"""The profile gdeval against gdeval.pl, as the package ir_measures has it: it prints no means.

tests/published/test_trec_web2012.py has the means of gdeval.pl 1.3.
"""

from __future__ import annotations

import csv
import pkgutil
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate

from .worlds import SEEDS, Table, world

pytest.importorskip("ir_measures", reason='ir_measures is not installed: pip install ".[peers]"')
PERL = shutil.which("perl")
pytestmark = pytest.mark.skipif(PERL is None, reason="perl is not installed: apt-get install perl")

Printed = dict[str, str]


def of_gdeval(folder: Path, qrels: Table, run: Table, k: int, column: str = "ndcg") -> Printed:
    """{query: nDCG@k, or ERR@k, as it is printed}"""
    paths = [folder / name for name in ("gdeval.pl", "qrels", "run")]
    script = pkgutil.get_data("ir_measures", "bin/gdeval.pl")
    lines = ["{} 0 {} {}\n", "{} Q0 {} 1 {!r} tag\n"]
    files = [
        "".join(line.format(q, d, x) for q, ds in table.items() for d, x in ds.items()).encode()
        for line, table in zip(lines, (qrels, run), strict=True)
    ]
    for path, content in zip(paths, (script, *files), strict=True):
        path.write_bytes(content)
    command = [PERL, *paths, str(k)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    return {row["topic"]: row[f"{column}@{k}"] for row in csv.DictReader(done.stdout.splitlines())}


def by_profile(qrels: Table, run: Table, k: int, metric: str = "nDCG", **options: Any) -> Printed:
    result = evaluate(qrels, run, f"{metric}@{k}", profile="gdeval", **options)
    (values,) = result.per_query.values()
    return {query: f"{x:.5f}" for query, x in values.items()}


@pytest.mark.spec("RS-CONV-18", "RS-CONV-4", "RS-CONV-9")
@pytest.mark.parametrize("k", [1, 10, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_gdeval(seed: int, k: int, tmp_path: Path) -> None:
    qrels, run = world(seed)
    assert by_profile(qrels, run, k) == of_gdeval(tmp_path, qrels, run, k)


@pytest.mark.spec("RS-CONV-18", "RS-CAS-1", "RS-CAS-2")
@pytest.mark.parametrize("k", [1, 10, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_err_is_gdevals(seed: int, k: int, tmp_path: Path) -> None:
    """Of its queries alone: those without a relevant document are left out here, too."""
    qrels, run = world(seed)
    theirs = of_gdeval(tmp_path, qrels, run, k, "err")
    assert by_profile(qrels, run, k, "ERR") == theirs
    zero = by_profile(qrels, run, k, "ERR", undefined="zero")
    assert theirs == {query: x for query, x in zero.items() if max(qrels[query].values()) > 0}
    mean = evaluate(qrels, run, f"ERR@{k}", profile="gdeval")[f"ERR@{k}"]
    assert abs(mean - sum(map(float, theirs.values())) / len(theirs)) <= 0.5e-5 + 1e-12


def test_control_a_world_has_such_queries(tmp_path: Path) -> None:
    worlds = [world(seed) for seed in range(5)]
    options = ({"undefined": "omit"}, {"undefined": "zero"})
    assert all(
        any(
            by_profile(*w, 10, "ERR", **option) != of_gdeval(tmp_path, *w, 10, "err")
            for w in worlds
        )
        for option in options
    )


def test_control_another_largest_label_is_seen(tmp_path: Path) -> None:
    qrels, run = world(0)
    theirs = of_gdeval(tmp_path, qrels, run, 10, "err")
    (values,) = evaluate(qrels, run, "ERR(max=5)@10", profile="gdeval").per_query.values()
    assert any(f"{values[query]:.5f}" != x for query, x in theirs.items())


@pytest.mark.parametrize(
    "option",
    [
        {"gain": "linear"},
        {"scores": "float32"},
        {"ties": "id-ascending"},
        {"undefined": "zero"},
        {"queries": "qrels"},
        {"unjudged": "condensed"},
        {"pool": "retrieved"},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any], tmp_path: Path) -> None:
    worlds = [world(seed) for seed in range(5)]
    assert any(by_profile(*w, 100, **option) != of_gdeval(tmp_path, *w, 100) for w in worlds)


@pytest.mark.spec("RS-CONV-18")
def test_gdeval_has_no_other_metric() -> None:
    with pytest.raises(InputError, match='"gdeval" has no AP'):
        evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, "AP", profile="gdeval")


@pytest.mark.spec("RS-CONV-18")
def test_gdeval_stops_at_fractional_labels_which_the_profile_refuses(tmp_path: Path) -> None:
    qrels, run = {"1": {"a": 0.5}}, {"1": {"a": 1.0}}
    with pytest.raises(subprocess.CalledProcessError):
        of_gdeval(tmp_path, qrels, run, 10)
    with pytest.raises(InputError, match="takes whole labels up to 4, as gdeval stops"):
        by_profile(qrels, run, 10)


@pytest.mark.spec("RS-CONV-18")
def test_gdeval_stops_at_labels_above_4_which_the_profile_refuses(tmp_path: Path) -> None:
    qrels, run = {"1": {"a": 5}}, {"1": {"a": 1.0}}
    with pytest.raises(subprocess.CalledProcessError):
        of_gdeval(tmp_path, qrels, run, 10)
    with pytest.raises(InputError, match=r"label 5 .* takes whole labels up to 4"):
        by_profile(qrels, run, 10)
