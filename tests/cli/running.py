"""rankspec run with arguments, as from a shell: what it prints, or what it complains of."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from rankspec.cli.main import main

Capture: TypeAlias = pytest.CaptureFixture[str]


def output(capsys: Capture, *arguments: str, status: int = 0) -> str:
    """What is printed where all is well."""
    found = main(arguments)
    out, err = capsys.readouterr()
    assert (found, err) == (status, "")
    return out


def former(capsys: Capture, *arguments: str) -> tuple[str, str]:
    """What is printed of a spelling that has gone, and the one warning, which names the new one."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err.startswith("rankspec: warning: ")
    assert err.count("\n") == 1
    return out, err.removeprefix("rankspec: warning: ").rstrip("\n")


def complaint(capsys: Capture, *arguments: str) -> str:
    """The one line on what is wrong with the input."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err
