"""Lines of other files that could be read as TREC's, and lines of TREC with blanks within ids.

Each is recognised by what all lines of a file have in common, and refused with the command that
makes a TREC file of it. Spec: RS-CONV-19, RS-CONV-33, RS-DIV-20
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..errors import InputError, shown_text

_NUMBER = rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RATING = re.compile(
    rb"\s*\S+\s+\S+\s+(?:[0-9]|[1-9][0-9]|100)(?:\.[0-9]+)?\s+"
    rb"(?:[0-9]{9,16}(?:\.[0-9]+)?|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))\s*"
)
_RATINGS_HEADER = re.compile(rb"\s*\"?user\S*\s+\S+\s+\"?rating\S*\s+\"?time\S*\s*", re.IGNORECASE)
_AN_ITERATION_ONLY = re.compile(rb"\s*\S+\s+(?:0|Q0)\s+\S+\s+\S+\s*")
_BLANKS_IN_IDS = "an id may not hold a blank"


def refuse_ratings(name: str, lines: Iterable[bytes]) -> None:
    """Raise InputError if all lines are those of MovieLens: user item rating timestamp.

    They have as many columns as qrels, whose document would be the rating. A timestamp counts the
    time since 1970, or is a date such as 19980131; a rating is a number from 0 to 100. A second
    column of 0 in all lines is the iteration of qrels.
    """
    ratings = header = has_items = False
    for line in lines:
        if not line.strip():
            continue
        header = not ratings and _RATINGS_HEADER.fullmatch(line) is not None
        ratings = header or _RATING.fullmatch(line) is not None
        has_items = has_items or header or line.split()[1] != b"0"
        if header or not ratings:
            break
    if ratings and has_items:
        raise InputError(
            f"{name}: these lines look like ratings, as those of MovieLens: user item rating "
            f"timestamp; awk '{'NR>1 ' * header}{{print $1, 0, $2, $3}}' makes TREC qrels of them "
            "(RS-CONV-19)"
        )


def refuse_without_subtopics(name: str, lines: Iterable[bytes]) -> None:
    """Raise InputError if no line of qrels with subtopics names one, as those without have it."""
    iterations = set()
    for line in lines:
        if not line.strip():
            continue
        if not _AN_ITERATION_ONLY.fullmatch(line):
            return
        iterations.add(line.split()[1].decode())
    if iterations:
        named = " or ".join(sorted(iterations))
        raise InputError(
            f"{name}: the second column is {named} in all lines, as in qrels without subtopics "
            "(query iteration document label); rankspec eval and rs.evaluate() read these. If "
            f"{named} is the one subtopic of all queries, give it another name (RS-DIV-20)"
        )


def of_subtopics(first: bytes, second: bytes) -> str:
    """Return advice for judgments of a document that differ in the second column, or ""."""
    one, other = first.split(), second.split()
    if one[1] == other[1]:
        return ""
    return (
        f", with {shown_text(other[1])} and {shown_text(one[1])} in the second column: are these "
        "qrels with subtopics, query subtopic document label? rankspec diversity eval and "
        "rs.evaluate_diversity() read these"
    )


def id_with_blanks(fields: Sequence[bytes], is_run: bool) -> str:
    """Return advice for a line with too many columns, where an id may hold a blank, or "".

    Its last columns are those of a run (rank, score, tag) or of qrels (a label).
    """
    behind = 3 if is_run else 1
    numbers = fields[-3:-1] if is_run else fields[-1:]
    if len(fields) < behind + 4 or not all(re.fullmatch(_NUMBER, x) for x in numbers):
        return ""
    if is_run and not re.fullmatch(rb"[0-9]+", numbers[0]):
        return ""
    second = next((a for a, x in enumerate(fields[:-behind]) if a and x in (b"Q0", b"0")), 1)
    query, document = b" ".join(fields[:second]), b" ".join(fields[second + 1 : -behind])
    where = [
        f"{what} {shown_text(x)}"
        for what, x in (("query", query), ("document", document))
        if b" " in x
    ]
    if not where:
        return ""
    return (
        f"{_BLANKS_IN_IDS}, as that of {' and '.join(where)} would: blanks divide columns. Write "
        "ids without them in qrels and runs, or give both as JSON, {query: {document: number}}"
    )


def is_tailed(line: bytes) -> bool:
    """True for a line of a run with something behind its six columns, by any reading.

    False where the columns could also be those of an id with blanks.
    """
    fields = line.split()
    if len(fields) <= 6 or not re.fullmatch(rb"[0-9]+", fields[3]):
        return False
    return re.fullmatch(_NUMBER, fields[4]) is not None and not id_with_blanks(fields, is_run=True)


def is_judgment_list(fields: Sequence[bytes]) -> bool:
    """True for a judgment of learning to rank that has no feature: grade qid:N # document."""
    return len(fields) > 2 and fields[2].startswith(b"#")


JUDGMENT_LIST = (
    "this is a line of a judgment list, grade qid:N # document, with the document in the comment; "
    'awk \'/qid:/ && !/^#/ {g = $1; split($2, q, ":"); sub(/[^#]*#[ \\t]*/, ""); '
    "print q[2], 0, $1, g}' makes TREC qrels of them"
)
