"""The C core as WebAssembly, for the calculators of the site.

    python tools/wasm.py FILE      compiles csrc/wasm/core.c by zig (pip install ".[docs]")
    python tools/wasm.py --where   the file in the cache, compiled if it must be

The module imports a clock and random bytes, for the keys of hashes, and nothing else. It is not
kept in the tree: the same sources, flags and zig give the same bytes on any machine. A build stays
in the user's cache under the hash of all three.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = "csrc/wasm/core.c"
MOST_BYTES = 200_000

EXPORTS = (
    *("malloc", "free"),
    *("rs_values", "rs_values_of_sessions", "rs_session_vectors", "rs_order"),
    *("rs_discount_logarithm", "rs_inverse_entries", "rs_sum_entries"),
)
FLAGS = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c11", "-Oz", "-flto", "-s", "-w"),
    # As build_ext.py has it: doubles mean what they say.
    *("-fno-fast-math", "-ffp-contract=off", "-fno-sanitize=all"),
    *(f"-Wl,--export={name}" for name in EXPORTS),
)


def zig() -> str | None:
    """The version of the zig that is installed from PyPI; None: there is none."""
    if importlib.util.find_spec("ziglang") is None:
        return None
    return importlib.metadata.version("ziglang")


def built(root: Path = ROOT) -> bytes:
    """The module of a tree's sources, from the cache or compiled. RuntimeError: there is no zig."""
    kept = cache() / f"rankspec-{key(root)[:32]}.wasm"
    if kept.is_file():
        return kept.read_bytes()
    made = compiled(root)
    with suppress(OSError):  # without a cache, each build compiles
        _keep(made, kept)
    return made


def _keep(made: bytes, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
        file.write(made)
    Path(file.name).replace(kept)  # so that nobody reads half of it


def cache() -> Path:
    """Where modules are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rankspec-wasm"


def key(root: Path) -> str:
    """The hash of all that the module is made of."""
    made_of = hashlib.sha256(repr((zig(), FLAGS)).encode())
    for path in sorted([*root.glob("csrc/*.[ch]"), root / SOURCE]):
        made_of.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return made_of.hexdigest()


def compiled(root: Path = ROOT) -> bytes:
    """The module, compiled now."""
    if zig() is None:
        raise RuntimeError('the core for WebAssembly is compiled by zig: pip install ".[docs]"')
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder, "rankspec.wasm")
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, SOURCE, "-o", str(to)]
        # From the root and by relative paths: no path of this machine can enter the module.
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"zig cannot compile {SOURCE}: {done.stderr.strip()[-2000:]}")
        return to.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--where", action="store_true", help="print the file in the cache")
    args = parser.parse_args()
    module = built()
    if args.file:
        args.file.write_bytes(module)
    if args.where:
        print(cache() / f"rankspec-{key(ROOT)[:32]}.wasm")
    else:
        print(f"{len(module)} bytes, SHA-256 {hashlib.sha256(module).hexdigest()}")


if __name__ == "__main__":
    main()
