"""Builds rankspec: with the C core where there is a C compiler, without it where there is none."""

import atexit
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

# What the core needs of a compiler: if it has this, an error is one of the core, and is shown.
NEEDED = """\
#include <Python.h>
#include <math.h>
_Static_assert(sizeof(__int128) == 16, "128-bit integers");
double rankspec_probe(double x) { return floor(x); }
"""


# A Python without the interpreter's lock has no stable ABI before 3.15: its wheel is of its version
# alone. Its dicts and lists may change while they are read, so joined.py and at_once.py read them,
# as without the modules in C.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


class BuildCore(build_ext):
    """Builds the core, or says why there is none: rankspec does without it, much slower."""

    without_core = False

    def run(self):
        try:
            super().run()
        except Exception:
            if self.can_build():
                raise
            # The wheel, or what is installed, is then one of Python alone.
            BuildCore.without_core = True
            for core in self.extensions:  # that of a build before
                Path(self.get_ext_fullpath(core.name)).unlink(missing_ok=True)
            self.extensions = self.distribution.ext_modules = []
            self.tell()

    def can_build(self):
        """Whether the compiler makes a module of what the core needs."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text(NEEDED, encoding="utf-8")
            try:
                objects = self.compiler.compile(
                    [str(source)],
                    output_dir=folder,
                    include_dirs=self.include_dirs,
                    extra_postargs=["-std=c11"],
                )
                self.compiler.link_shared_object(objects, str(Path(folder, "probe.so")))
            except Exception:  # noqa: BLE001 - each compiler has its own
                return False
        return True

    def tell(self):
        """Has the build end with a line that says what is missing, and what helps."""
        sys.path.insert(0, str(Path(__file__).parent / "pyref"))
        from rankspec.errors import MEANWHILE  # needs nothing but Python

        words = f"rankspec: the C core was not built; the error is above. {MEANWHILE}"
        atexit.register(print, words, file=sys.stderr)


class Wheel(bdist_wheel):
    """A wheel that is of this platform if the core is in it, and of any if not."""

    def finalize_options(self):
        if FREE_THREADED:
            self.py_limited_api = False
        super().finalize_options()

    def run(self):
        self.run_command("build_ext")
        if BuildCore.without_core:
            self.root_is_pure = True
        super().run()


sys.path.insert(0, str(Path(__file__).parent))  # a build has it nowhere
from build_ext import OF_PYTHON  # noqa: E402

setup(
    cffi_modules=["build_ext.py:ffibuilder"],
    ext_modules=[] if FREE_THREADED else OF_PYTHON,
    cmdclass={"build_ext": BuildCore, "bdist_wheel": Wheel},
)
