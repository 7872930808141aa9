"""Builds the C core: csrc/ becomes the extension module rankspec._core.

``pip install .`` runs this by way of setup.py. The declarations are read from the two
headers, the public one and the binding's, between the markers of each, so that they are written
once. What reads dicts and lists of Python stands in small modules of its own, rankspec._dicts and
rankspec._one_list: the core knows no Python.
"""

import sys
from pathlib import Path

import cffi
from setuptools import Extension

CSRC = Path(__file__).resolve().parent / "csrc"
HEADERS = "rankspec.h", "binding.h"
SOURCE = "core.c"  # which includes the chapters

# The few operations on doubles mean what they say, whatever CFLAGS ask for: csrc/numerics.h refuses
# what these do not take back. RS-NUM-7, RS-NUM-26
ARITHMETIC = ["-fno-fast-math", "-ffp-contract=off"]
FLAGS = ["-std=c11", "-O3", *ARITHMETIC, "-fvisibility=hidden"]

# Without symbols, which are two thirds of it. The linker of macOS has no such option.
LINK_FLAGS = ["-Wl,-s"] if sys.platform == "linux" else []

OF_PYTHON = [
    Extension(
        f"rankspec._{name}",
        [f"csrc/python/{name}.c"],
        define_macros=[("Py_LIMITED_API", "0x030b0000")],
        extra_compile_args=FLAGS,
        extra_link_args=LINK_FLAGS,
        py_limited_api=True,
    )
    for name in ("dicts", "one_list")
]


def declarations() -> str:
    """The parts of the headers that the binding declares."""
    texts = [(CSRC / name).read_text(encoding="utf-8") for name in HEADERS]
    begin, end = "/* BEGIN DECLARATIONS */", "/* END DECLARATIONS */"
    return "".join(text.split(begin)[1].split(end)[0] for text in texts)


ffibuilder = cffi.FFI()
ffibuilder.cdef(declarations())
# The core asks it whether a long call is to stop: a function of compute/stopping.py.
ffibuilder.cdef('extern "Python" int32_t rs_asked_by_core(void);')
ffibuilder.set_source(
    "rankspec._core",
    f'#include "{HEADERS[-1]}"',
    sources=[f"csrc/{SOURCE}"],
    depends=[f"csrc/{path.name}" for path in sorted(CSRC.glob("*.[ch]"))],
    include_dirs=["csrc"],
    extra_compile_args=FLAGS,
    extra_link_args=LINK_FLAGS,
    py_limited_api=True,
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)
