"""``rankspec example``: the paths of the example files, or copies of them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import InputError
from .output import DONE, Printed
from .parser import Command, Parser

if TYPE_CHECKING:
    from pathlib import Path


def add_arguments(parser: Parser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--letor", action="store_true", help="print the path of a LETOR file instead"
    )
    group.add_argument(
        "--sessions",
        action="store_true",
        help="print the paths of session files instead: judgments, then two systems",
    )
    group.add_argument(
        "--copy", metavar="DIR", help="copy all of the files into a folder, and print nothing"
    )


def run(arguments: Namespace) -> Printed:
    from pathlib import Path

    folder = Path(__file__).parents[1] / "example"
    if arguments.copy is not None:
        _copy(sorted(folder.iterdir()), Path(arguments.copy))
        return "", DONE
    runs = [folder / "qrels.txt", *sorted(folder.glob("*.run"))]
    files = [folder / "letor.txt"] if arguments.letor else runs
    if arguments.sessions:
        files = [folder / "session-qrels.tsv", *sorted(folder.glob("sessions-*.tsv"))]
    return "".join(f"{file}\n" for file in files), DONE


def _copy(files: Sequence[Path], to: Path) -> None:
    """Copies files into a folder; an InputError where it has others of their names."""
    try:
        to.mkdir(parents=True, exist_ok=True)
        for file in files:
            copy, content = to / file.name, file.read_bytes()
            if copy.exists() and not (copy.is_file() and copy.read_bytes() == content):
                raise InputError(
                    f"{copy}: already exists and is not a copy of the example; rankspec does "
                    "not overwrite it"
                )
        for file in files:
            _write_whole(to / file.name, file.read_bytes())
    except OSError as error:
        raise InputError(f"{error.filename or to}: {error.strerror}") from None


def _write_whole(path: Path, content: bytes) -> None:
    """Writes a file; where that fails nothing of it is left."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


COMMAND = Command(
    "[--letor | --sessions | --copy DIR]",
    "Print the paths of the example: its qrels, then its runs; or a LETOR file; or\n"
    "the judgments and the sessions of two systems. Or copy all of these files into a\n"
    "new folder; a folder that holds different files of these names is refused.",
    """\
  rankspec example --copy example
  rankspec eval example/qrels.txt example/plain.run example/rich.run
  rankspec session eval example/session-qrels.tsv example/sessions-1.tsv
  rankspec eval --letor example/letor.txt --feature 1 2
""",
    add_arguments,
    run,
)
