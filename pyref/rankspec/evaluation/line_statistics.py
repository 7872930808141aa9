"""What is remarkable about the lines of a query in a run, read in plain Python.

The C core makes the same remarks while it reads (:mod:`rankspec.reader`), and leaves to this module
what it leaves open. The list that the lines become does not show any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from ..formats import trec
from ..formats.trec import EXACT, How
from ..typed import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

Fields: TypeAlias = list[bytes]
"""The columns of a line."""

Ranked: TypeAlias = "tuple[int, Exact]"
"""The rank that a line says, and the score of its document."""


class Remark(NamedTuple):
    """What is remarkable about the lines of a query.

    dropped: how many have a document that another line has (RS-CONV-10)
    second: the first that has a document which came before, from 0, or -1
    one_score: whether there are several documents, all of one score
    contradicted: whether a document is ranked above one of a higher score
    merged: the first position in the list, from 0, of documents that 32-bit floats tie, but scores
        and labels tell apart; or -1 (RS-CONV-12)
    """

    dropped: int
    second: int
    one_score: bool
    contradicted: bool
    merged: int


def rows(text: bytes, how: How = EXACT) -> Iterator[Fields]:
    """The columns of each line that has any, and is no comment."""
    for line in text.split(b"\n"):
        row = line.split()
        if row and not (how.comments and row[0].startswith(b"#")):
            yield row


def remarks_on(
    text: bytes,
    scores: Mapping[str, Mapping[str, Exact]],
    compared: Callable[[Mapping[str, Exact]], Mapping[str, Exact]],
    merged: Callable[[str], int],
    how: How = EXACT,
) -> list[Remark]:
    """The remarks on each query of a run, by its text and the scores that are kept.

    compared: the scores of a query as they are compared (RS-CONV-12); merged: what 32-bit floats
        tie in its list, as in a Remark
    """
    by_query: dict[str, list[Fields]] = {query: [] for query in scores}
    for row in rows(text, how):
        by_query[trec.id_of(row[0])].append(row)
    return [
        Remark(
            dropped=len(own) - len(scores[q]),
            second=_second(row[2] for row in own),
            one_score=len(scores[q]) > 1 == len(set(compared(scores[q]).values())),
            contradicted=contradiction(own, scores[q]) is not None,
            merged=merged(q),
        )
        for q, own in by_query.items()
    ]


def _second(documents: Iterable[bytes]) -> int:
    """The position of the first document that came before, or -1."""
    seen: set[bytes] = set()
    for position, document in enumerate(documents):
        if document in seen:
            return position
        seen.add(document)
    return -1


def contradiction(
    own: Iterable[Fields], scores: Mapping[str, Exact]
) -> tuple[Ranked, Ranked] | None:
    """The first two ranks of a query of which the lower has the higher score.

    own: its lines; scores: those that are kept, where a document has two
    """
    ranked = []
    for row in own:
        try:
            rank = int(row[3])
        except ValueError:  # the column is not used otherwise: anything may stand there
            continue
        ranked.append((rank, -scores[trec.id_of(row[2])]))
    # Where ranks are equal, the higher score is first: a contradiction is between neighbours.
    for above, below in pairwise(sorted(ranked)):
        if above[1] > below[1]:
            return (above[0], -above[1]), (below[0], -below[1])
    return None
