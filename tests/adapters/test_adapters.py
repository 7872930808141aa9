"""The example adapters answer the cases of their profiles, and of others say that they cannot."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.judging import REQUIRED, conforms, is_for_doubles

from .driver import answers, value_of

pytestmark = pytest.mark.skipif("profiles" not in REQUIRED[0], reason="vectors without profiles")

ADAPTERS = Path(__file__).resolve().parents[2] / "adapters"
OF_PROFILES = [case for case in REQUIRED if is_for_doubles(case)]


def cases_of(*profiles: str) -> list[dict[str, Any]]:
    return [case for case in OF_PROFILES if set(profiles) & set(case.get("profiles", ()))]


def program(name: str) -> str:
    """A program that this machine may have."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def assert_conforms(answered: list[dict[str, Any]], cases: list[dict[str, Any]]) -> None:
    """All cases of the profiles are met; no other is answered wrongly."""
    ready, *found = answered
    assert ready["type"] == "ready"
    assert ready["protocol"] == 1
    within = {case["id"] for case in cases}
    wrong = [
        (answer["id"], answer)
        for answer, case in zip(found, OF_PROFILES, strict=True)
        if (answer["type"] != "unsupported" or case["id"] in within)
        and not conforms(case, value_of(answer))
    ]
    assert wrong == []


def test_the_profiles_have_cases():
    assert len(cases_of("ndcg-core")) > 30
    assert len(cases_of("recsys")) > 30


def adapter() -> Any:
    """The adapter in Python, as a module; its metrics are beside it."""
    folder = ADAPTERS / "python"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("adapter", folder / "adapter.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("metrics", None)
    return module


def test_python():
    module, within = adapter(), {c["id"] for c in cases_of("ndcg-core", "recsys")}
    for case in OF_PROFILES:
        try:
            value = module.answer(case)
        except NotImplementedError:
            assert case["id"] not in within
        else:
            assert conforms(case, value), (case["id"], value)


def test_javascript():
    command = [program("node"), str(ADAPTERS / "javascript" / "adapter.mjs")]
    assert_conforms(answers(command, OF_PROFILES), cases_of("ndcg-core", "recsys"))


def test_rust(tmp_path):
    """Compiled by rustc, as it has no dependencies."""
    built = tmp_path / "adapter"
    source = ADAPTERS / "rust" / "src" / "main.rs"
    subprocess.run(  # noqa: S603
        [program("rustc"), "--edition", "2021", "-O", "-o", str(built), str(source)], check=True
    )
    assert_conforms(answers([str(built)], OF_PROFILES), cases_of("ndcg-core"))


def test_c(tmp_path):
    """Through rankspec.h, to the last bit, whatever it answers."""
    built = tmp_path / "adapter"
    sources = [str(ADAPTERS / "c" / "adapter.c"), str(ADAPTERS.parent / "csrc" / "core.c")]
    strict = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror")
    subprocess.run([program("cc"), *strict, *sources, "-o", str(built), "-lm"], check=True)  # noqa: S603
    found = answers([str(built)], REQUIRED)
    of_profiles = {case["id"] for case in cases_of("ndcg-core", "recsys", "ltr")}
    for answer, case in zip(found[1:], REQUIRED, strict=True):
        if answer["type"] != "unsupported" or case["id"] in of_profiles:
            assert value_of(answer) == doubles(case), (answer, case["id"])
    assert sum(answer["type"] == "value" for answer in found) > 0.6 * len(REQUIRED)


def doubles(case: dict[str, Any]) -> Any:
    expected = case["expected"]
    if isinstance(expected, list):
        return [float.fromhex(value["hex"]) for value in expected]
    return float.fromhex(expected["hex"])
