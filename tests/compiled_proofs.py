"""proofs/ compiled by Coq, by one worker of a run of tests for all of them: half a minute."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from .modules import module_of
from .once import once

ROOT = Path(__file__).resolve().parents[1]
prover: Any = module_of(ROOT / "tools/prove.py", "rankspec_prove")

COQ = pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed: apt-get install coq libcoq-interval",
)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which all files are compiled; a test writes files of its own names there."""

    def compile_all(folder: Path) -> None:
        prover.compile_all(ROOT / "proofs", folder)

    return once(tmp_path_factory, "proofs", compile_all)
