"""proofs/ and proofs/core/ compiled by Coq, once for all tests of a run, and a change that fails.

One worker compiles a folder for all: half a minute of processor time each. Where a definition is
changed, only the statement that must fail is proved anew: all others are granted.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .modules import module_of
from .once import once

ROOT = Path(__file__).resolve().parents[1]
prover: Any = module_of(ROOT / "tools/prove.py", "rankspec_prove")

COQ = pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed: apt-get install coq libcoq-interval",
)
SOURCES = {"": ROOT / "proofs", "core/": ROOT / "proofs/core"}
"""The sources, by the folder within that of what is compiled."""

SLOPE_AT_AN_END = (
    "Relevance.v",
    "((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1) in\n  if",
    "((2 * h0 + h1) * D0 - h1 * D1) / (h0 + h1) in\n  if",
)
"""A change of a definition, which fails laws and values: the file, its text, and another text."""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which all files are compiled; a test writes files of its own names there."""
    return _compiled("", "proofs", tmp_path_factory)


@pytest.fixture(scope="session")
def compiled_core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of proofs/core/; its files are in the folder core/ of this one."""
    return _compiled("core/", "proofs_core", tmp_path_factory)


def _compiled(within: str, name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    def compile_all(folder: Path) -> None:
        prover.compile_all(SOURCES[within], folder, within=within)

    return once(tmp_path_factory, name, compile_all)


class Change(NamedTuple):
    """A change of a file, and a statement that is not proved any more, in this file or another."""

    changed: str
    old: str
    new: str
    file: str
    statement: str


def check_refuted(change: Change, compiled: Path, folder: Path, within: str = "") -> None:
    """Assert that Coq refuses the proof of the statement, in a folder that is empty.

    Of the files from the changed one to that of the statement those are compiled that need the
    changed one, without the proofs that end with "Qed" (coqc -vos); that of the statement ends with
    "Defined", and so is checked.
    """
    source = SOURCES[within]
    shutil.copytree(compiled, folder, symlinks=True, dirs_exist_ok=True, copy_function=_link)
    for name in reached(change.changed, change.file, source):
        text = (source / name).read_text("utf-8")
        if name == change.changed:
            assert text.count(change.old) == 1, f"{name} has another text"
            text = text.replace(change.old, change.new)
        if name == change.file:
            text, count = re.subn(
                rf"(?ms)(^(?:Theorem|Corollary|Lemma) {change.statement}\b.*?)\bQed\.",
                r"\1Defined.",
                text,
                count=1,
            )
            assert count == 1, f"{name} has no {change.statement}"
        path = folder / within / name
        for linked in (path, path.with_suffix(".vo"), path.with_suffix(".vos")):
            linked.unlink()
        path.write_text(text, "utf-8")
        if name != change.file:
            prover.coqc(f"{within}{name}", folder, "-vos")
    with pytest.raises(prover.NotProved) as caught:
        prover.coqc(f"{within}{change.file}", folder, "-vos")
    assert _in_proof_of(str(caught.value), text) == change.statement


def _in_proof_of(message: str, text: str) -> str:
    """Return the statement that an error of Coq is about; one without a line names it itself."""
    if named := re.search(r"\(in proof (\w+)\)", message):
        return named[1]
    line = re.search(r"line (\d+)", message)
    assert line is not None, message
    before = "\n".join(text.splitlines()[: int(line[1])])
    return re.findall(r"^(?:Theorem|Corollary|Lemma) (\w+)", before, re.M)[-1]  # type: ignore[no-any-return]


def _link(source: str, target: str) -> None:
    Path(target).symlink_to(source)


def reached(changed: str, file: str, source: Path) -> Iterator[str]:
    """Return the files that need the changed one and that the other needs, both with them."""
    names = prover.files(source)
    needs = {name: needed_by((source / name).read_text("utf-8")) for name in names}
    needed = {file}
    for name in reversed(names):
        needed |= needs[name] if name in needed else set()
    touched = {changed}
    for name in names:
        if name in needed and (name in touched or needs[name] & touched):
            touched.add(name)
            yield name


def needed_by(text: str) -> set[str]:
    return {f"{module}.v" for module, _, _ in prover.trace.required(text)}
