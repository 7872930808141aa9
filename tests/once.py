"""Things that one worker of a run of tests makes for all of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest


def once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder that `make` fills in the first worker that comes; the others wait."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    done, failed = folder.with_suffix(".done"), folder.with_suffix(".failed")
    try:
        folder.mkdir()
    except FileExistsError:
        while not (done.exists() or failed.exists()):
            time.sleep(0.2)
    else:
        try:
            make(folder)
        except BaseException:
            failed.touch()
            raise
        done.touch()
    assert not failed.exists(), f"{name}: failed in another worker"
    return folder
