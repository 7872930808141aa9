"""The errors that rankspec raises for what it is given."""

from __future__ import annotations


class InputError(ValueError):
    """An input that the spec does not admit; the message says which, where and why."""


class CoreMissing(ImportError):
    """The C core is not built; the message says how to build it."""
