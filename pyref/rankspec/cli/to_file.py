"""-o FILE: what a command prints, written into a file, as a whole or not at all (RS-CONV-47)."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from importlib import import_module

from ..errors import InputError
from ..evaluation.render import SUFFIXES, Output
from ..formats.streams import COMPRESSIONS, without_suffix
from ..typed import Any
from .output import save

UNKNOWN = (
    *(".doc", ".docx", ".htm", ".html", ".odt", ".pdf", ".pptx", ".rtf", ".xml", ".yaml", ".yml"),
    *(".avro", ".feather", ".npy", ".npz", ".ods", ".pickle", ".pkl", ".sqlite", ".xls", ".xlsx"),
    *(".jpeg", ".jpg", ".png", ".svg"),
    *(".7z", ".br", ".lz4", ".rar", ".tar", ".tgz", ".z", ".zip"),
)
"""Ends of names that promise a format or a compression that no command writes."""


def choose_format(arguments: Namespace, outputs: tuple[Output, ...]) -> None:
    """Set the format where no option says it: as the name of the file ends, or the default.

    An InputError where the format and the file do not go together, before any work is done.
    """
    path = _path(arguments)
    if arguments.format is None:
        arguments.format = outputs[0].name if path is None else _of_suffix(path, outputs)
    binary = any(output.binary for output in outputs if output.name == arguments.format)
    if binary and path is None:
        raise InputError(
            f"--format {arguments.format}: this format is binary and cannot be printed; give -o "
            "FILE (RS-CONV-47)"
        )
    if path is not None:
        _check_no_input(path, arguments)
        _compressed(path, b"")  # where what compresses is missing, it is said before the work


def written(arguments: Namespace, content: str | bytes) -> bool:
    """Whether the options name a file; the content is in it then."""
    path = _path(arguments)
    if path is None:
        return False
    found = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    save(path, _compressed(path, found))
    return True


def _path(arguments: Namespace) -> str | None:
    """The file; None: the standard output."""
    path = getattr(arguments, "to_file", None)
    if path == "":
        raise InputError('-o "": the file name is empty; use - for the standard output')
    return None if path in (None, "-") else str(path)


def _of_suffix(path: str, outputs: tuple[Output, ...]) -> str:
    """The format that a name asks for by its end; the default of the command for any other end."""
    from pathlib import Path  # costs start-up time

    uncompressed = Path(without_suffix(path))
    suffix = uncompressed.suffix.lower()
    before = Path(uncompressed.stem).suffix.lower()
    hides_a_format = before in SUFFIXES and suffix not in (*SUFFIXES, ".txt")
    if suffix in UNKNOWN or suffix in _COMPRESS or hides_a_format:
        forms = {output.name for output in outputs}
        ends = [end for end, form in SUFFIXES.items() if form in forms]
        raise InputError(
            f"-o {path}: {suffix} is not written; the name may end in {', '.join(ends)}, or in "
            f".txt for {outputs[0].name}, and behind that in one of {', '.join(_COMPRESS)}; "
            "--format writes any format into any file (RS-CONV-47)"
        )
    name = SUFFIXES.get(suffix, outputs[0].name)
    if name not in (known := [output.name for output in outputs]):
        raise InputError(
            f"-o {path}: this command does not write {name}; --format takes {', '.join(known)}"
        )
    return name


def _check_no_input(path: str, arguments: Namespace) -> None:
    """An InputError where the file is one that the command reads."""
    for given in _texts(value for name, value in vars(arguments).items() if name != "to_file"):
        if _same_file(given, path):
            raise InputError(
                f"-o {path}: this command reads that file; choose another name (RS-CONV-47)"
            )


def _same_file(one: str, other: str) -> bool:
    """Whether both are there, and are one file; a text that is no name of a file is none."""
    from pathlib import Path

    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def _texts(values: Any) -> Iterator[str]:
    """The texts among values, and in lists of them."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from _texts(value)


def _compressed(path: str, content: bytes) -> bytes:
    """The content, compressed as the name ends."""
    suffix = path.removeprefix(without_suffix(path)).lower()
    return _COMPRESS[suffix](path, content) if suffix else content


def _gzip(_: str, content: bytes) -> bytes:
    import gzip

    return gzip.compress(content, mtime=0)  # the same results are the same bytes


def _bzip2(_: str, content: bytes) -> bytes:
    import bz2

    return bz2.compress(content)


def _xz(_: str, content: bytes) -> bytes:
    import lzma

    return lzma.compress(content)


def _zstd(path: str, content: bytes) -> bytes:
    for name in ("compression.zstd", "backports.zstd"):  # that of Python 3.14, or a package
        try:
            compressed: bytes = import_module(name).compress(content)
        except ImportError:
            continue
        return compressed
    raise InputError(
        f"-o {path}: zstd needs the package backports.zstd with this Python: "
        'pip install "rankspec[zstd]"'
    )


_COMPRESS: dict[str, Callable[[str, bytes], bytes]] = dict(
    zip((x.suffix for x in COMPRESSIONS), (_gzip, _bzip2, _xz, _zstd), strict=True)
)
