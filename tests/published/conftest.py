"""Where the published data are: the folder $RANKSPEC_DATA, or ../shared/data beside the checkout.

They are not part of the repository (their licences differ); tests without them are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(os.environ.get("RANKSPEC_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.fixture(scope="session")
def data() -> Callable[[str], Path]:
    """The folder of a data set, by name; skips where it is absent."""

    def folder(name: str) -> Path:
        if not (DATA / name).is_dir():
            pytest.skip(f"the published data {name} are not in {DATA}: set RANKSPEC_DATA")
        return DATA / name

    return folder
