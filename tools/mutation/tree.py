"""A copy of the repository, in which mutants are planted, built and tested; no other is touched."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from .places import Mutant

PLUGIN = Path(__file__).resolve().parent / "plugin"
# The same bits as with -O3, in a third of the time; and a core that counts the lines it executes.
LEVELS = {"plain": "-O1", "covered": "-O0"}
COUNTING = {"CFLAGS": "--coverage -DRS_NO_CLONES", "LDFLAGS": "--coverage"}
PASSED = (0, 5)  # exit codes of pytest: all passed, or none was to run


class NoMutant(Exception):
    """A mutation that does not compile, or of which the compiler makes the same program."""


@dataclass(frozen=True)
class Run:
    """The outcome of one run of pytest.

    fault: "" where all passed, else "failed", "timed out" or what it died of
    failed: the tests that failed, or the one that was running
    compiles: True where a test starts a compiler or builds the package
    """

    fault: str
    failed: tuple[str, ...]
    compiles: bool
    seconds: float


class Tree:
    """A copy of what git knows or would add of a checkout, with the C core built in place."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.path, self.folder = root, folder / "tree", folder
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
        self.files = sorted(
            name
            for name in set(names.decode().split("\0")) - {""}
            if (root / name).is_file() or (root / name).is_symlink()
        )
        for name in self.files:
            to = self.path / name
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to, follow_symlinks=False)
        (folder / "temporary").mkdir()
        self.record = folder / "record"

    @property
    def tests(self) -> list[str]:
        return [x for x in self.files if x.startswith("tests/") and Path(x).match("test_*.py")]

    # The core

    def build(self, kind: str, keep: bool = True) -> None:
        """Build the core with the flags of a kind; use() puts what is kept in its place."""
        script = self.path / "build_ext.py"
        text = script.read_text("utf-8")
        script.write_text(text.replace("-O3", LEVELS[kind]), "utf-8")
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force"]
        command += ["--build-temp", str(self.folder / f"objects-{kind}")]
        environment = os.environ | (COUNTING if kind == "covered" else {})
        try:
            subprocess.run(command, cwd=self.path, env=environment, capture_output=True, check=True)
        finally:
            script.write_text(text, "utf-8")
        for library in self._libraries() if keep else ():
            (self.folder / kind).mkdir(exist_ok=True)
            shutil.copy2(library, self.folder / kind)

    def use(self, kind: str) -> None:
        """Put the core of a kind in its place."""
        for library in (self.folder / kind).iterdir():
            shutil.copy2(library, self.path / "pyref/rankspec")

    def _libraries(self) -> list[Path]:
        return sorted((self.path / "pyref/rankspec").glob("_*.so"))

    # Mutants

    @contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Have a mutant in the tree, compiled. Raises NoMutant if there is no other program."""
        file = self.path / mutant.file
        source = file.read_text("utf-8")
        changed = mutant.planted(source)
        file.write_text(changed, "utf-8")
        try:
            if file.suffix == ".py":
                _compile(changed, file)
            else:
                self._rebuild()
            yield
        finally:
            file.write_text(source, "utf-8")
            if file.suffix == ".py":
                _forget_bytecode(file)
            else:
                self.use("plain")

    def _rebuild(self) -> None:
        before = [library.read_bytes() for library in self._libraries()]
        try:
            self.build("plain", keep=False)
        except subprocess.CalledProcessError as error:
            raise NoMutant("it does not compile") from error
        if before == [library.read_bytes() for library in self._libraries()]:
            raise NoMutant("the compiler makes the same of it")

    # Tests

    def run(
        self,
        tests: Sequence[str],
        timeout: float,
        *options: str,
        environment: Mapping[str, str] | None = None,
    ) -> Run:
        """Run test files in one process, which is ended with its children after timeout seconds."""
        self.record.write_text("", "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "record_tests"]
        command += ["-p", "no:cacheprovider", *options, *tests]
        begun = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=self.path,
            env={**os.environ, **self._environment(), **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_prepare,  # noqa: PLW1509 - no threads here
        )
        try:
            status: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return self._run(status, time.monotonic() - begun)

    def _run(self, status: int | None, seconds: float) -> Run:
        notes = [x.split("\t", 1) for x in self.record.read_text("utf-8").splitlines()]
        failed = [test for event, test in notes if event == "failed"]
        began = [test for event, test in notes if event == "began"]
        fault = "" if status in PASSED else "failed" if failed else f"died with status {status}"
        if status is None:
            fault, failed = "timed out", []
        failed = failed or began[-1:] if fault else []
        return Run(fault, tuple(dict.fromkeys(failed)), ["compiles", ""] in notes, seconds)

    def _environment(self) -> dict[str, str]:
        data = os.environ.get("RANKSPEC_DATA", str(self.root.parent / "shared" / "data"))
        return {
            "PYTHONPATH": os.pathsep.join([str(self.path / "pyref"), str(PLUGIN)]),
            "MUTANTS_RECORD": str(self.record),
            "TMPDIR": str(self.folder / "temporary"),
            "RANKSPEC_DATA": data,
        }


def _compile(text: str, file: Path) -> None:
    try:
        compile(text, file, "exec")
    except SyntaxError as error:
        raise NoMutant("it does not compile") from error
    _forget_bytecode(file)


def _forget_bytecode(file: Path) -> None:
    """Delete the bytecode, which stays in use if a change keeps size and second of its source."""
    for bytecode in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        bytecode.unlink()


def _prepare() -> None:
    """Let a mutant that allocates for ever fail before the machine does, and tests be interrupted.

    A shell has what it starts in the background ignore Ctrl-C, which tests send to themselves.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    resource.setrlimit(resource.RLIMIT_DATA, (half, half))
