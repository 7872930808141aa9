"""Pages of the site in Chromium, served from a folder: for tests of what their scripts do."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .once import once

ROOT = Path(__file__).resolve().parents[1]
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, which one process of a run of tests builds for all of them."""
    pytest.importorskip("material", reason='mkdocs is not installed: pip install ".[docs]"')

    def build(site: Path) -> None:
        mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
        command = [*mkdocs, "--site-dir", str(site)]
        quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        subprocess.run(command, cwd=ROOT, env=quiet, check=True)  # noqa: S603

    return once(tmp_path_factory, "site", build)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    reason = 'playwright is not installed: pip install ".[dev]"'
    playwright = pytest.importorskip("playwright.sync_api", reason=reason)
    if BROWSER is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with playwright.sync_playwright() as of:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        opened = of.chromium.launch(executable_path=BROWSER, args=options)
        yield opened
        opened.close()


class Visit:
    """A page in a browser, and what went wrong there."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda x: self.wrong.append(x.text))
        self.page.on("pageerror", lambda x: self.wrong.append(str(x)))
        self.page.on("request", lambda x: self.asked.append(x.url))
        self.page.goto(address)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
