"""The page of other programs' measures: none is forgotten, and each name says what it is here."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from rankspec.metrics.grammar import measures

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "docs/hooks")
    return importlib.import_module("programs")


def of(hook: Any, name: str) -> dict[str, Any]:
    return next(x for x in hook.programs(ROOT)["program"] if x["name"] == name)


def named(hook: Any, name: str) -> set[str]:
    """The names of a program's measures, without cut-offs and parameters."""
    program = of(hook, name)
    names = [*hook.here(program), *program.get("not_here", {})]
    return {x.split("@")[0].split("(")[0] for x in names}


def test_each_name_is_read(hook: Any) -> None:
    for program in hook.programs(ROOT)["program"]:
        for theirs, ours in hook.here(program).items():
            assert len(measures(ours)) == 1, (program["name"], theirs)


def test_each_reason_is_there_and_used(hook: Any) -> None:
    data = hook.programs(ROOT)
    used = {reason for program in data["program"] for reason in hook.absent(program)}
    assert used == set(data["reasons"])


def test_no_name_stands_twice(hook: Any) -> None:
    for program in hook.programs(ROOT)["program"]:
        assert not set(hook.here(program)) & set(program.get("not_here", {}))


def test_what_is_not_here_is_not_read(hook: Any) -> None:
    """A measure that came to rankspec leaves the list of what is not here."""
    for program in hook.programs(ROOT)["program"]:
        if program["name"] in {"trec_eval", "ir_measures"}:  # whose names mean one thing
            for theirs in program.get("not_here", {}):
                with pytest.raises(ValueError):
                    measures(theirs)


def test_all_measures_of_ir_measures_are_there(hook: Any) -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    canonical = {x.__name__.lstrip("_") for x in map(type, ir_measures.measures.registry.values())}
    assert canonical - named(hook, "ir_measures") == set()


def test_all_measures_of_pytrec_eval_are_there(hook: Any) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    there = {x.split(".")[0] for x in named(hook, "trec_eval")}
    assert set(pytrec_eval.supported_measures) - there == set()
