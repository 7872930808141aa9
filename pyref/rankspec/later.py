"""What is loaded when it is first used, not when the package is: start-up counts.

The C core answers most questions, so that the modules of the reference stand here by names that
load them. Nothing may use one while a module is loaded: that would wait for the lock below, in
another thread with a lock of Python's.
"""

from __future__ import annotations

import os
from _thread import RLock  # threading costs start-up time

__all__ = [
    "axioms",
    "bounds",
    "cascade",
    "dcg",
    "enclosure",
    "fractions",
    "gain",
    "length",
    "loaded",
    "numerics",
    "ordered",
    "precision",
    "re",
    "reals",
    "sums",
    "ties",
    "users",
]

TYPE_CHECKING = False  # rankspec.typed costs what this module saves
_loading = RLock()
if hasattr(os, "register_at_fork"):
    # A child has the locks of Python's imports as they were, and not the thread that would open
    # them: no fork while another thread loads what is used first (RS-CONV-29).
    os.register_at_fork(
        before=_loading.acquire,
        after_in_parent=_loading.release,
        after_in_child=_loading.release,
    )

if TYPE_CHECKING:
    import fractions
    import re
    from types import ModuleType
    from typing import Any

    from .reference import (
        axioms,
        bounds,
        cascade,
        dcg,
        gain,
        length,
        numerics,
        precision,
        ties,
        users,
    )
    from .reference.numbers import enclosure, ordered, reals, sums
else:

    class _Later:
        """A module that is loaded when something of it is asked for."""

        def __init__(self, home: str) -> None:
            self._home = home

        def __getattr__(self, name: str) -> Any:
            found = getattr(_imported(self._home), name)
            setattr(self, name, found)  # there at once from now on
            return found

    fractions = _Later("fractions")
    re = _Later("re")
    axioms = _Later("rankspec.reference.axioms")
    bounds = _Later("rankspec.reference.bounds")
    cascade = _Later("rankspec.reference.cascade")
    dcg = _Later("rankspec.reference.dcg")
    gain = _Later("rankspec.reference.gain")
    length = _Later("rankspec.reference.length")
    numerics = _Later("rankspec.reference.numerics")
    precision = _Later("rankspec.reference.precision")
    ties = _Later("rankspec.reference.ties")
    users = _Later("rankspec.reference.users")
    enclosure = _Later("rankspec.reference.numbers.enclosure")
    ordered = _Later("rankspec.reference.numbers.ordered")
    reals = _Later("rankspec.reference.numbers.reals")
    sums = _Later("rankspec.reference.numbers.sums")


def loaded(home: str, *used: str) -> ModuleType:
    """A module of the package, loaded with what its functions load when they are called."""
    with _loading:
        module: ModuleType = _imported(f"{__package__}.{home}")
        for other in used:
            try:
                _imported(f"{__package__}.{other}")
            except ImportError:  # without the core, who needs it says so
                break
    return module


def _imported(name: str) -> Any:
    from importlib import import_module

    with _loading:
        return import_module(name)
