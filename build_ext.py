"""Builds the C core: csrc/ becomes the extension module rankspec._core.

``pip install .`` runs this by way of setup.py. The declarations are read from the C header,
between its two markers, so that they are written once.
"""

import sys
from pathlib import Path

import cffi

CSRC = Path(__file__).resolve().parent / "csrc"
HEADER = "rankspec.h"
SOURCE = "core.c"  # which includes the chapters

# The few operations on doubles mean what they say, whatever CFLAGS ask for: csrc/numerics.h refuses
# what these do not take back. RS-NUM-7, RS-NUM-26
ARITHMETIC = ["-fno-fast-math", "-ffp-contract=off"]


def declarations() -> str:
    """The part of the header that the binding declares."""
    header = (CSRC / HEADER).read_text(encoding="utf-8")
    return header.split("/* BEGIN DECLARATIONS */")[1].split("/* END DECLARATIONS */")[0]


ffibuilder = cffi.FFI()
ffibuilder.cdef(declarations())
ffibuilder.set_source(
    "rankspec._core",
    f'#include "{HEADER}"',
    sources=[f"csrc/{SOURCE}"],
    depends=[f"csrc/{path.name}" for path in sorted(CSRC.glob("*.[ch]"))],
    include_dirs=["csrc"],
    extra_compile_args=["-std=c11", "-O3", *ARITHMETIC, "-fvisibility=hidden"],
    # Without symbols, which are two thirds of it. The linker of macOS has no such option.
    extra_link_args=["-Wl,-s"] if sys.platform == "linux" else [],
    py_limited_api=True,
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
