"""A format of files, declared: what help calls it, how a file of it is told, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..records import record
from ..typed import Any, Generic, TypeVar

Found = TypeVar("Found")


@record()
class FileFormat(Generic[Found]):
    """One of the formats that files of a kind may have.

    form: what such a file is, in words, as help has it
    spec: its spec ID
    read: what reads such a file
    begins: whether a file is such a one, by how it begins; None: by being none of the others
    """

    form: str
    spec: str
    read: Callable[..., Found]
    begins: Callable[..., bool] | None = None


def told(formats: Sequence[FileFormat[Found]], head: bytes) -> FileFormat[Found]:
    """The format of a file that begins so."""
    return next(
        (known for known in formats if known.begins is not None and known.begins(head)),
        next(known for known in formats if known.begins is None),
    )


def forms(formats: Sequence[FileFormat[Any]], between: str) -> str:
    """What files of a kind may be, in words."""
    return between.join(known.form for known in formats)
