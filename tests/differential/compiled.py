"""Functions of the C core that it does not export, for tests that ask them one by one."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import cffi

from ..modules import module_of

CSRC = Path(__file__).parents[2] / "csrc"


def compiled(folder: Path, name: str, declared: str, source: str) -> ModuleType:
    """Compile C that includes "core.c"; not optimised, in a second instead of ten."""
    ffi = cffi.FFI()
    ffi.cdef(declared)
    quickly = ["-std=c11", "-O0", "-DRS_NO_CLONES"]
    ffi.set_source(name, source, include_dirs=[str(CSRC)], extra_compile_args=quickly)
    return module_of(ffi.compile(tmpdir=str(folder)), name)
