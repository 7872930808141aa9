"""The matrix: what other libraries answered is what their identified definitions predict today.

All is read from docs/data/libraries; no library is needed. A definition that predicts something
else than it did is a regression of rankspec, or of its ``identify``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rankspec.errors import InputError

from ..each import each
from ..modules import module_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools/matrix"
FILES = sorted(path.stem for path in (ROOT / "docs/data/libraries").glob("*.json"))
FAST = ("scikit_learn", "lightgbm", "rectools")
SLOWER = [x for x in FILES if x not in FAST]


@cache
def module(name: str) -> ModuleType:
    """A module of tools/matrix, whose modules import each other."""
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return module_of(FOLDER / f"{name}.py", name)


def functions(library: str) -> list[Any]:
    """The functions of a library, as they are stored."""
    module("heldout")
    answers = module("answers")
    path = answers.DATA / f"{library}.json"
    stored = json.loads(path.read_text("utf-8"))
    return [answers.Function(stored, name, data) for name, data in stored["functions"].items()]


def check(library: str) -> None:
    """Hold today's rankspec against all that a library answered."""
    wrong = []
    for f in functions(library):
        if f.definition is not None:
            wrong += [f"{f.key}: {x}" for x in (*differences(f), *counted(f))]
    assert not wrong, "\n".join(wrong[:20])


def differences(f: Any) -> list[str]:
    """The probes that are explained otherwise than it is stored."""
    stored = {json.dumps(x["input"], sort_keys=True) for x in f.data["unexplained"]}
    found = []
    for x, answer in f.asked():
        listed = json.dumps(x.as_dict(), sort_keys=True) in stored
        if listed and f.explains(x, answer):
            found.append(f"{x}: {answer} is explained, and listed as unexplained")
        if not listed and not f.explains(x, answer):
            found.append(f"{x}: answered {answer}, predicted {f.definition.predict(x)}")
    return found


def counted(f: Any) -> list[str]:
    """Whether as many held-out answers are predicted as it is stored, and the same are not."""
    stored = f.data["held_out"]
    missed = [x for x, answer in f.held_out().items() if not f.explains(x, answer)]
    if len(missed) != stored["count"] - stored["agree"]:
        return [f"{stored['count'] - len(missed)} of {stored['count']}, stored {stored['agree']}"]
    names = {json.dumps(x.as_dict(), sort_keys=True) for x in missed}
    exceptions = [json.dumps(x["input"], sort_keys=True) for x in stored["exceptions"]]
    return [f"{x}: listed, and no exception" for x in exceptions if x not in names]


@pytest.mark.slow
@pytest.mark.parametrize("library", [x for x in FILES if x in FAST])
def test_the_definitions_predict_the_answers(library: str) -> None:
    check(library)


@pytest.mark.slow
@pytest.mark.long(but=13)
@pytest.mark.parametrize("library", SLOWER)
def test_the_definitions_of_the_others_predict_the_answers(library: str) -> None:
    check(library)


@pytest.mark.slow
def test_there_are_twenty_libraries_with_their_versions() -> None:
    libraries = module("answers").libraries()
    assert len({x["package"] for x in libraries}) >= 20
    for x in libraries:
        assert all(x[part] for part in ("version", "python", "functions")), x["library"]


def test_every_library_that_is_stored_has_an_environment_and_an_adapter() -> None:
    environments = tomllib.loads((FOLDER / "environments.toml").read_text("utf-8"))
    named = {x for about in environments.values() for x in about["libraries"]}
    adapters = {path.stem.removeprefix("of_") for path in (FOLDER / "libraries").glob("of_*.py")}
    assert named == adapters
    assert set(FILES) <= named


def test_held_out_inputs_are_not_those_that_were_asked() -> None:
    for f in functions("scikit_learn"):
        asked = {x for x, _ in f.asked()}
        held_out = f.held_out()
        assert len(held_out) == 500
        assert not asked & set(held_out)


def test_the_small_world_begins_with_its_smallest_inputs() -> None:
    module("heldout")
    inputs = module("world").world()
    assert len(inputs) == len(set(inputs)) > 500
    sizes = [len(x.labels) for x in inputs]
    assert sizes[0] == 1
    assert max(sizes[:100]) <= 3


def test_an_answer_that_is_stored_is_read_as_it_was() -> None:
    answers = module("answers")
    outcome = answers.Outcome
    for x in (outcome("value", 0.25), outcome("value", 1.0), outcome("nan"), outcome("none"),
              outcome("error"), outcome("infinite", float("inf"))):  # fmt: skip
        assert answers.outcome_of(json.loads(json.dumps(answers.short(x)))) == x


def test_a_stored_measure_may_have_a_parameter_that_no_list_of_the_search_has() -> None:
    answers = module("answers")
    inputs = module("world").Input
    core = answers.core_of("RBP(p=0.85, rel=1)")
    found = answers.plain(core).predict(inputs((1, 0, 1), None, None, (), None))
    assert found.value == pytest.approx(0.15 * (1 + 0.85**2), rel=1e-15)  # moffat-2008
    assert answers.core_of(core.name).name == core.name
    with pytest.raises(InputError):
        answers.core_of("no measure")


# ---- environments ------------------------------------------------------------------------


def made(monkeypatch: pytest.MonkeyPatch, refused: str = "") -> tuple[ModuleType, list[str]]:
    """run.py with two environments and nothing that is really done; what was done."""
    run, done = module("run"), []
    about = {"libraries": ["a", "b"], "requirements": ["a==1"]}
    other = {"libraries": ["c"], "requirements": ["c==1"], "without_dependencies": ["d==1"]}
    monkeypatch.setattr(run, "environments", lambda: {"one": about, "two": other})

    def create(environment: Path, **_: Any) -> None:
        environment.mkdir(parents=True, exist_ok=True)

    def called(command: list[str], **_: Any) -> Any:
        done.append(" ".join(command[command.index("--quiet") + 1 :]))
        return type("Done", (), {"returncode": int(refused in command)})

    def asked(library: str, environment: Path) -> str:
        done.append(f"{library} in {environment.name}")
        return ""

    monkeypatch.setattr(run.venv, "create", create)
    monkeypatch.setattr(run.subprocess, "run", called)
    monkeypatch.setattr(run, "ask", asked)
    return run, done


def test_environments_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, done = made(monkeypatch)
    assert run.every([], tmp_path, True) == []
    asked = ["a in one", "b in one", "c in two"]
    assert done == ["a==1", *asked[:2], "c==1", "--no-deps d==1", asked[2]]
    done.clear()
    assert run.every([], tmp_path, True) == []
    assert done == asked


def test_one_with_other_requirements_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, done = made(monkeypatch)
    run.every([], tmp_path, True)
    (tmp_path / "one" / run.INSTALLED).write_text("a==0\n", "utf-8")
    done.clear()
    run.every([], tmp_path, True)
    assert done == ["a==1", "a in one", "b in one", "c in two"]


def test_a_library_alone_makes_its_environment_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, done = made(monkeypatch)
    assert run.every(["b"], tmp_path, True) == []
    assert done == ["a==1", "b in one"]
    assert [x.name for x in tmp_path.iterdir()] == ["one"]


def test_an_environment_that_cannot_be_made_does_not_keep_the_others_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run, done = made(monkeypatch, refused="a==1")
    assert run.every([], tmp_path, True) == ["a", "b"]
    assert done == ["a==1", "c==1", "--no-deps d==1", "c in two"]
    said = capsys.readouterr().out
    assert "one: pip ended with exit status 1" in said
    done.clear()
    run.every([], tmp_path, True)
    assert done[0] == "a==1"  # it is not taken for complete


@each(
    ("name", "meant"),
    [
        ("scikit-learn", "; did you mean scikit_learn?; there are"),
        ("sklearn", "; did you mean"),
        ("x", "; there are"),
    ],
)
def test_a_library_that_is_not_there(
    name: str, meant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong call; it was none, and did nothing."""
    run = module("run")
    for words in ([name], ["ranx", name], ["--judge", name]):
        monkeypatch.setattr(sys, "argv", ["run.py", *words])
        with pytest.raises(SystemExit) as end:
            run.main()
        assert end.value.code == 2
        assert f"there is no library {name}{meant}" in capsys.readouterr().err
