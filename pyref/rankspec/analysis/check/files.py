"""The files that are checked: qrels, which are read whole, and a run, which is read often."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InputError, shown, shown_text
from ...evaluation.conventions import Conventions
from ...evaluation.evaluate import judged_by, prepared
from ...evaluation.ranked import Judged
from ...formats import trec
from ...formats.columns import Columns
from ...formats.frames import Label, by_column, labels_of
from ...formats.streams import Source, Stream, is_file

if TYPE_CHECKING:
    from ...formats.sessions import Topics

Labels = Mapping[str, Mapping[str, Label]]


def as_stream(source: Source | Stream | Columns, table: str, conventions: Conventions) -> Stream:
    """Return a file in TREC's format; rows of a table in any other become lines of it.

    table: "qrels" or "run"
    """
    order = "score" if table == "qrels" else conventions.order
    opened = by_column(source, table, order)
    if not isinstance(opened, Columns):
        if not is_file(opened):
            raise InputError(
                f"{table}: expected a path, an open file or a data frame, got {shown(source)}; "
                "check names the lines that it finds"
            )
        return opened if isinstance(opened, Stream) else Stream(opened, again=table == "run")
    file = io.BytesIO(b"".join(_trec_lines(opened)))
    file.name = opened.origin.source
    return Stream(file, again=table == "run")


def _trec_lines(table: Columns) -> Iterator[bytes]:
    """Yield the lines of TREC's format, each at the number of the line that it was in, if any."""
    last = 0
    for a, (query, document, number) in enumerate(table.rows()):
        place = table.origin.row(a)
        for name, text in (("query", query), ("document", document)):
            if re.search(r"\s", text):
                raise InputError(
                    f"{place}: the {name} id {shown_text(text)} holds a blank, with which check "
                    "cannot compare lines; expected ids without blanks"
                )
        line = re.search(r":([0-9]+)$", place)
        if line and int(line[1]) > last + 1:
            yield b"\n" * (int(line[1]) - last - 1)
            last = int(line[1]) - 1
        last += 1
        ids = trec.id_bytes(query), trec.id_bytes(document)
        if table.number == "label":
            yield b"%b 0 %b %b\n" % (*ids, repr(number).encode())
        else:
            rank, score = (number, 0) if table.number == "rank" else (0, number)
            yield b"%b Q0 %b %d %b table\n" % (*ids, rank, repr(score).encode())


@dataclass(frozen=True)
class Judgments:
    """Qrels, which are read whole.

    name, text: their name and their bytes
    own: the labels that are kept of them, as they are meant (RS-CONV-25)
    labels: the same by the queries of the run
    """

    name: str
    text: bytes
    own: Labels
    labels: Labels

    @classmethod
    def read(
        cls,
        qrels: Source | Stream | Columns,
        conventions: Conventions,
        topics: Topics | None,
        grades: Mapping[Label, Label] | None,
    ) -> Judgments:
        """The judgments of a file; topics, grades: as of evaluate()."""
        stream = as_stream(qrels, "qrels", conventions)
        text = stream.content()
        if not stream.is_format_given:
            trec.refuse_ratings(stream.name, text)
        own = trec.parse_qrels(stream.name, text, conventions.how)
        if grades is not None:
            own = labels_of(judged_by(own, conventions, None, grades)[0], conventions.how)
        labels = own
        if topics is not None:
            labels = labels_of(judged_by(own, conventions, topics, None)[0], conventions.how)
        return cls(stream.name, text, own, labels)


@dataclass(frozen=True)
class Files:
    """Qrels, and a run, which is read as often as is asked for.

    backend: which reader reads the run: "c" or "reference"
    """

    qrels: Judgments
    run: Stream
    backend: str

    @property
    def labels(self) -> Labels:
        """The labels by the queries of the run."""
        return self.qrels.labels

    def judged(self, conventions: Conventions) -> Judged:
        """The judgments that count."""
        return prepared(self.labels, conventions, self.backend)

    def lines(self) -> Iterator[bytes]:
        """The lines of the run."""
        if self.backend == "reference":
            return iter(self.run.content().split(b"\n"))
        from ...formats.blocks import lines

        return lines(self.run)

    def lines_of(self, queries: Sequence[str]) -> bytes:
        """The lines of some queries of the run."""
        if self.backend == "reference":
            own = (x for x in self.lines() if trec.id_of(trec.pair_of(x, trec.RUN)[0]) in queries)
            return b"\n".join(own)
        from ...evaluation.joined import lines_of

        return lines_of(self.run, queries)
