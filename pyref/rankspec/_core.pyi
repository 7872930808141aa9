"""The extension module that cffi builds from csrc/ (see build_ext.py)."""

from typing import Any

ffi: Any
lib: Any
