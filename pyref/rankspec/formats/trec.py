"""TREC files: qrels, the relevance judgments, and runs, the scored results of a system.

=====  =================================  =========================================
file   columns, divided by blanks         read as
=====  =================================  =========================================
qrels  query iteration document label     {query: {document: label}}, int64 or doubles
run    query Q0 document rank score tag   {query: {document: score}}, finite doubles
=====  =================================  =========================================

The iteration and the tag are not used, and the rank is where it orders a run in the place of the
score (RS-CONV-7, RS-CONV-32).
LF or CRLF, tabs or spaces, in any order of lines; blank lines are skipped.
Spec: RS-CONV-19. This reading makes a dictionary of a whole file; the C core reads the same files
in pieces (``evaluation.joined``), and leaves the words for what is wrong to this module.
Ids may be any bytes: what is no UTF-8 becomes surrogates ("surrogateescape"), from which
:func:`id_bytes` has the bytes again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from io import BytesIO
from itertools import chain

from ..errors import InputError, by_value, hint, listed, quoted, shown_text
from ..records import record, replace
from ..typed import Any, NamedTuple, TypeVar
from .limits import TOKEN, check_tokens
from .streams import Source, Stream

Value = TypeVar("Value", int, float)

HEAD = 1 << 12  # bytes with the first line, unless that is longer
SHORTEST_TIME = 8  # digits, those of a date; the word of a header is longer
MOST_COUNTED = 100  # columns of a line
LONE_CR = " (a carriage return without a line feed does not end a line)"

OPTIONS = ("duplicates", "order", "lines")  # of How

INT64 = range(-(2**63), 2**63)


@record()
class Layout:
    """The columns of a kind of file, and those that are read: 0, `document` and `value`.

    value: -1 where the number of the line is the value
    expected: of a value, for messages; of: what column 0 holds; others: what else the file might
        have been; options: what of How can be chosen by who reads the file
    """

    kind: str
    columns: tuple[str, ...]
    document: int
    value: int
    expected: str
    of: str = "query"
    others: str = ""
    options: tuple[str, ...] = OPTIONS

    @property
    def form(self) -> str:
        """What such a file is, in words, as help has it."""
        return f"lines: {' '.join(self.columns)}"


LINES = {"exact": (False, False), "tail": (True, False), "comments": (True, True)}
"""{value of "lines": (whether text may follow the tag, whether lines may be comments)}."""


class How(NamedTuple):
    """How the lines of a file are read.

    duplicates: which line of a document that is there twice is kept: "first", "last" or "best";
        "error": none (RS-CONV-10)
    order: of the lines of a run: by "score", by "rank", or that of the "file" (RS-CONV-32)
    lines: "exact"; "tail": something may follow the tag of a run; "comments": and lines
        that begin with "#" are passed over (RS-CONV-33)
    """

    duplicates: str = "error"
    order: str = "score"
    lines: str = "exact"

    @property
    def tail(self) -> bool:
        return by_value("lines", self.lines, LINES)[0]

    @property
    def comments(self) -> bool:
        return by_value("lines", self.lines, LINES)[1]


EXACT = How()


def _no_more() -> Generator[bytes]:
    yield from ()


QRELS = Layout(
    "qrels", ("query", "iteration", "document", "label"), 2, 3, expected="a finite number"
)
RUN = Layout("a run", ("query", "Q0", "document", "rank", "score", "tag"), 2, 4, "a finite number")
MOST_RANK = 1 << 53
_RUN_BY = {
    "score": RUN,
    "rank": replace(RUN, value=3, expected="a whole number, at most 2^53 (RS-CONV-32)"),
    "file": replace(RUN, value=-1),
}


def checked_order(order: Any) -> str:
    """What orders a run, or an InputError (RS-CONV-32)."""
    if not isinstance(order, str) or order not in _RUN_BY:
        raise InputError(
            f"order: unknown choice {quoted(order)}{hint(order, _RUN_BY)}; expected one of "
            f"{listed(_RUN_BY)} (RS-CONV-32)"
        )
    return order


def read_qrels(source: Source | Stream, how: How = EXACT) -> dict[str, dict[str, Any]]:
    """The judgments of a qrels file, by query and document, in the order of the file.

    Labels are whole numbers of int64; if one is not, all are doubles (RS-CONV-19).

    Raises InputError, with file and line, for whatever is no qrels file.
    """
    stream = Stream.of(source)
    text = stream.content()
    if not stream.is_format_given:
        refuse_ratings(stream.name, text)
    return parse_qrels(stream.name, text, how)


def read_run(source: Source | Stream, how: How = EXACT) -> dict[str, dict[str, float]]:
    """The scores of a run, by query and document, in the order of the file.

    They are what orders the run, the highest first, where that is not its score.

    Raises InputError, with file and line, for whatever is no run.
    """
    stream = Stream.of(source)
    return parse_run(stream.name, stream.content(), how)


def parse_qrels(
    name: str,
    text: bytes,
    how: How = EXACT,
    *,
    layout: Layout = QRELS,
) -> dict[str, dict[str, Any]]:
    """As read_qrels(), of bytes; name: of the file, and layout: its words, for messages."""
    with suppress(InputError):
        return _parse(name, text, layout, label_of, how)
    return _parse(name, text, layout, _label_as_double, how)


def parse_run(
    name: str,
    text: bytes,
    how: How = EXACT,
    lines_before: int = 0,
    *,
    options: tuple[str, ...] = OPTIONS,
    whole_file: Callable[[], Generator[bytes]] = _no_more,
) -> dict[str, dict[str, float]]:
    """As read_run(), of bytes; name and lines_before: of the file, for messages.

    options: what messages may say that could be chosen otherwise
    whole_file: returns the lines of the file, of which the text may be a part; only errors ask
    """
    layout = replace(by_value("order", how.order, _RUN_BY), options=options)
    value_of = _rank_as_score if how.order == "rank" else decimal
    return _parse(name, text, layout, value_of, how, lines_before, whole_file)


def refuse_ratings(name: str, text: bytes) -> None:
    """Raise InputError if a file of qrels holds ratings with timestamps (RS-CONV-19)."""
    first = text[:HEAD].lstrip().partition(b"\n")[0].split()
    if len(first) == len(QRELS.columns) and len(first[-1]) >= SHORTEST_TIME:
        from .lookalikes import refuse_ratings  # only such a file needs it

        refuse_ratings(name, BytesIO(text))


def parse_numbers(name: str, text: bytes) -> dict[str, int | float]:
    """The scores of a file of one number a line, by the numbers of their lines.

    As labels that are scores: doubles where one of them is no whole number.
    """
    try:
        return dict(_numbers(name, text, label_of))
    except InputError:
        return dict(_numbers(name, text, _label_as_double))


def _numbers(
    name: str, text: bytes, value_of: Callable[[bytes], Value]
) -> Iterator[tuple[str, Value]]:
    first = True
    for number, line in enumerate(text.split(b"\n"), start=1):
        token = line.strip()
        if not token:
            continue
        if b"\0" in token:
            raise nul(f"{name}:{number}")
        try:
            yield str(number), value_of(token)
        except ValueError:
            why = "; a header is not read" if first else ", as in the first line"
            why = lone_cr(line) or why
            raise InputError(
                f"{name}:{number}: the score is {shown_text(token)}; expected a finite number{why}"
            ) from None
        first = False


def id_bytes(identifier: str) -> bytes:
    """The bytes of an id, as they stand in a file."""
    return identifier.encode("utf-8", "surrogateescape")


def canonical_id(identifier: str) -> str:
    """The id as it is read from a file: of texts with the same bytes, the same one."""
    try:
        return id_of(id_bytes(identifier))
    except UnicodeEncodeError:
        raise InputError(f"the id {identifier!a} cannot be encoded in UTF-8") from None


def id_of(token: bytes) -> str:
    """The id of these bytes."""
    return token.decode("utf-8", "surrogateescape")


def label_of(token: bytes) -> int:
    digits = token[1:] if token[:1] in (b"+", b"-") else token
    significant = digits.lstrip(b"0")  # Python refuses to read thousands of digits, zeros or not
    if not digits.isdigit() or len(significant) > 19:
        raise ValueError
    label = int(significant or b"0") * (-1 if token[:1] == b"-" else 1)
    if label not in INT64:
        raise ValueError
    return label


def any_label(token: bytes) -> int | float:
    """A whole number of int64, or else the double nearest to a decimal."""
    with suppress(ValueError):
        return label_of(token)
    return decimal(token)


def _rank_as_score(token: bytes) -> float:
    """A score that orders as the ranks do, from the first on (RS-CONV-32)."""
    rank = label_of(token)
    if abs(rank) > MOST_RANK:
        raise ValueError
    return 0.0 - rank


def _label_as_double(token: bytes) -> float:
    with suppress(ValueError):
        return float(label_of(token))
    return decimal(token)


def decimal(token: bytes) -> float:
    """The double nearest to a decimal, or a ValueError."""
    x = float(token)
    if not math.isfinite(x) or b"_" in token:
        raise ValueError
    return x


def _parse(
    name: str,
    data: bytes,
    layout: Layout,
    value_of: Callable[[bytes], Value],
    how: How,
    lines_before: int = 0,
    whole_file: Callable[[], Generator[bytes]] = _no_more,
) -> dict[str, dict[str, Any]]:
    queries: dict[str, dict[str, Any]] = {}
    column, value_column = layout.document, layout.value
    query_bytes = b""  # of the line before: lines mostly come query by query
    documents: dict[str, Any] = {}
    lines = data.split(b"\n")
    for number, fields in rows_of(name, lines, layout, how, lines_before, whole_file):
        if fields[0] != query_bytes:
            query_bytes = fields[0]
            query = id_of(query_bytes)
            documents = queries.setdefault(query, {})
        document = id_of(fields[column])
        try:
            value = -number if value_column < 0 else value_of(fields[value_column])
        except ValueError:
            raise wrong_value(f"{name}:{number}", fields, layout) from None
        if document not in documents:
            documents[document] = value
        elif how.duplicates == "error":
            raise _duplicate(name, lines, number, layout, lines_before)
        else:
            in_place = layout.kind == QRELS.kind
            keep(how.duplicates, documents, document, value, in_place=in_place)
    if not queries:
        raise empty(name, layout)
    return queries


def rows_of(
    name: str,
    lines: list[bytes],
    layout: Layout,
    how: How,
    lines_before: int,
    whole_file: Callable[[], Generator[bytes]] = _no_more,
) -> Iterator[tuple[int, list[bytes]]]:
    """The number of each line that counts, and its columns, as many as there must be."""
    width, longest = len(layout.columns), TOKEN.value
    tail, comments = how.tail and layout.kind == RUN.kind, how.comments
    for number, line in enumerate(lines, start=lines_before + 1):
        fields = line.split(None, MOST_COUNTED)
        if b"\0" in line:
            raise nul(f"{name}:{number}")
        if not fields or (comments and fields[0].startswith(b"#")):
            continue
        if len(fields) != width and not (tail and len(fields) > width):
            cut = len(fields) < width and number == lines_before + len(lines)
            place = f"{name}:{number}"
            with closing(whole_file()) as more:
                everything = chain(lines, more)
                raise _wrong_columns(place, fields, layout, cut, lone_cr(line), everything)
        if len(line) > longest:
            check_tokens(f"{name}:{number}", fields[:width], longest)
        yield number, fields


def keep(
    rule: str, documents: dict[str, Any], document: str, value: Any, *, in_place: bool = False
) -> None:
    """One of two values of a document is kept, in its own place (RS-CONV-10).

    in_place: in that of the first, as the C core has judgments, of which the order says nothing
    """
    is_better = {"first": False, "last": True, "best": value > documents[document]}
    if by_value("duplicates", rule, is_better):
        if not in_place:
            del documents[document]
        documents[document] = value


def in_rank_order(scores: Mapping[str, Any]) -> list[str]:
    """The documents of a query by score, descending, and by id where those are the same.

    Spec: RS-CONV-7, RS-TIE-1
    """
    by_id = sorted(scores, key=id_bytes, reverse=True)
    return sorted(by_id, key=scores.__getitem__, reverse=True)


def nul(place: str) -> InputError:
    """The error for a byte that no text has."""
    return InputError(f"{place}: found a NUL byte; expected text, plain or compressed")


def _expected(layout: Layout) -> str:
    columns = " ".join(layout.columns)
    return f"the {len(layout.columns)} columns of {layout.kind}: {columns}{layout.others}"


def empty(name: str, layout: Layout, *others: str) -> InputError:
    """The error for a file without a line; others: what else it might have been."""
    return InputError(f"{name}: empty; expected {', or '.join([_expected(layout), *others])}")


def lone_cr(line: bytes) -> str:
    """What to say of a line that has CR within, as the line ends of a file may be."""
    return LONE_CR if b"\r" in line.strip() else ""


def _wrong_columns(
    place: str,
    fields: list[bytes],
    layout: Layout,
    cut: bool,
    why: str,
    lines: Iterable[bytes],
) -> InputError:
    from . import lookalikes

    number = len(fields) if len(fields) <= MOST_COUNTED else f"more than {MOST_COUNTED}"
    columns = "column" if number == 1 else "columns"
    found = f"{number} {columns}, {shown_text(b' '.join(fields))}"
    is_run = layout.kind == RUN.kind
    other = QRELS if is_run else RUN
    row = fields if not fields[0].startswith(b"#") else _first_row(lines) or fields
    if of_another := of_another_kind(row):
        found += f" ({of_another})"
    elif len(fields) == len(other.columns) and is_number(fields[other.value]):
        found += f" (these could be those of {other.kind})"
    elif looks := looks_like(fields, layout):
        found += f" ({looks})"
    elif not why and (blanks := lookalikes.id_with_blanks(fields, is_run)):
        found += f" ({blanks})"
    elif cut:
        found += " (the last line, without a line end: is the file truncated?)"
    fix = ""
    if of_another:
        pass
    elif "lines" in layout.options and fields[0].startswith(b"#"):
        fix = _COMMENT
    elif "lines" in layout.options and is_run and _have_tails(fields, lines):
        fix = '; lines="tail" (--lines tail) ignores what follows the tag'
    fix += " (RS-CONV-33)" if fix else ""
    return InputError(f"{place}: found {found}{why}; expected {_expected(layout)}{fix}")


def wrong_value(place: str, fields: list[bytes], layout: Layout) -> InputError:
    """The error for a label, score or rank that is none."""
    name, token = layout.columns[layout.value], fields[layout.value]
    fix = ""
    if fields[0].startswith(b"#") and "lines" in layout.options:
        fix = f"{_COMMENT} (RS-CONV-33)"
    elif other := of_another_kind(fields):
        fix = f" ({other})"
    elif name == "label" and re.fullmatch(_LABEL_OF_NTCIR, token):
        fix = (
            f" (labels like L0, L1, L2 are those of NTCIR; write the number of {shown_text(token)})"
        )
    elif name in token.lower().decode("ascii", "replace") or token.lower() in _HEADINGS:
        fix = " (is this a header? TREC files have none)"
    elif b"," in token and all(b"," in x for x in fields[:-1]):
        fix = f" ({_csv(layout, ',')})"
    elif name == "label" and is_number(fields[layout.document]):
        fix = f" (is {shown_text(fields[layout.document])} the label? it is the last column)"
    elif name == "score" and "order" in layout.options and re.fullmatch(rb"[^0-9.]+", token):
        fix = _UNSCORED if not token.lower().lstrip(b"+-").startswith((b"nan", b"inf")) else ""
    return InputError(
        f"{place}: the {name} is {shown_text(token)}; expected {layout.expected}{fix}"
    )


def _first_row(lines: Iterable[bytes]) -> list[bytes]:
    """The columns of the first line that is no comment, or none."""
    return next((row for x in lines if (row := x.split()) and not row[0].startswith(b"#")), [])


def _have_tails(fields: list[bytes], lines: Iterable[bytes]) -> bool:
    """True where each line that has too many columns is one of a run with a text behind it."""
    from .lookalikes import is_tailed

    if len(fields) <= len(RUN.columns):
        return False
    return all(is_tailed(x) for x in lines if len(x.split(None, 6)) > len(RUN.columns))


_COMMENT = '; lines="comments" (--lines comments) skips comments'
_LABEL_OF_NTCIR = rb"[Ll][0-9]+"
_HEADINGS = (b"relevance", b"rel", b"grade", b"judgment", b"judgement", b"sim", b"similarity")
_UNSCORED = '; order="rank" (--order rank) or order="file" reads a run without scores (RS-CONV-32)'


def is_number(token: bytes) -> bool:
    """Return True for a decimal that may be a score."""
    with suppress(ValueError):
        decimal(token)
        return True
    return False


OF_SESSIONS = (
    "this looks like a file of sessions; rankspec session eval and rs.evaluate_sessions() read "
    "these"
)


def of_another_kind(fields: list[bytes]) -> str:
    """Which other command reads a line like this one, however many columns it has; or nothing."""
    if len(fields) > 1 and re.match(rb"qid:", fields[1]):
        from .lookalikes import JUDGMENT_LIST, is_judgment_list

        if is_judgment_list(fields):
            return JUDGMENT_LIST
        return (
            "this is a row of a LETOR file; rankspec eval --letor FILE and rs.evaluate_letor() "
            "read these"
        )
    names = {x.strip(b'"').lower() for x in fields}
    if (b"session" in names and b"document" in names) or re.match(rb"<(\?xml|session)", fields[0]):
        return OF_SESSIONS
    return ""


def _are_tables_read(layout: Layout) -> bool:
    """Whether who reads such a file reads one of RS-CONV-48 in its place."""
    return layout.kind in (QRELS.kind, RUN.kind) and layout.options == OPTIONS


def _csv(layout: Layout, comma: str) -> str:
    """What to say of cells between commas."""
    if not _are_tables_read(layout):
        return f'this looks like CSV; columns are divided by blanks, not by "{comma}"'
    names = comma.join(("query_id", "doc_id", "score" if layout.kind == RUN.kind else "label"))
    return f"this looks like CSV; rankspec reads it if the first line names the columns, {names}"


def looks_like(fields: list[bytes], layout: Layout) -> str:
    """What another format the columns of a line may be of, and what to do; or nothing."""
    line = b" ".join(fields)
    names = [x.strip(b'"').lower().replace(b"_", b"-") for x in fields]
    if re.match(rb"[{\[](\s*[]\"{}\[]|$)", line):
        if not _are_tables_read(layout):
            return "this looks like JSON; json.load() makes a dict of it"
        return (
            "this looks like JSON; rankspec reads it as {query: {document: number}} or as a list "
            "of objects, one per row"
        )
    if names in ([b"query-id", b"corpus-id", b"score"], [b"qid", b"docid", b"score"]):
        return (
            "this is the header of BEIR's qrels; awk 'NR>1 {print $1, 0, $2, $3}' makes TREC qrels "
            "of them"
        )
    if columns := _two_or_three(fields, layout.kind == RUN.kind):
        return columns
    for comma in (b",", b";"):
        if line.count(comma) >= 2 and (len(fields) == 1 or comma in fields[0]):
            return _csv(layout, comma.decode())
    return ""


def _two_or_three(fields: list[bytes], is_run: bool) -> str:
    """Whose file has so few columns, and how it becomes one of TREC; or nothing."""
    if len(fields) == 2 and re.fullmatch(_LABEL_OF_NTCIR, fields[1]):
        return (
            "these could be NTCIR's .rel of one topic: document, label; awk -v q=TOPIC '{print q, "
            "0, $1, substr($2, 2)}' makes TREC qrels of them"
        )
    if len(fields) == 3 and is_number(fields[2]):
        if is_run:
            return (
                'these could be a run of MS MARCO: query, document, rank; awk \'{print $1, "Q0", '
                '$2, $3, -$3, "run"}\' makes a TREC run of them; if the third column is a score, '
                "write $3 for -$3. Or give the format, run_format (--run-format): msmarco, or "
                "triples for scores"
            )
        return (
            "these could be BEIR's qrels: query, document, label; awk '{print $1, 0, $2, $3}' "
            "makes TREC qrels of them"
        )
    return ""


def _duplicate(
    name: str, lines: list[bytes], second: int, layout: Layout, lines_before: int
) -> InputError:
    """The error for a document given twice; the lines are searched again for the first."""
    line = lines[second - lines_before - 1]
    pair = pair_of(line, layout)
    first = next(a for a, x in enumerate(lines, 1) if pair_of(x, layout) == pair)
    why = ""
    if layout == QRELS:
        from .lookalikes import of_subtopics

        why = of_subtopics(lines[first - 1], line)
    where = name, second, lines_before + first, pair, layout.of
    return duplicate(*where, options=layout.options, why=why)


def pair_of(line: bytes, layout: Layout) -> tuple[bytes, bytes]:
    """The query and the document of a line; two empty ids if it has none."""
    fields = line.split()
    return (fields[0], fields[layout.document]) if len(fields) > layout.document else (b"", b"")


def duplicate(
    name: str,
    second: int,
    first: int,
    pair: tuple[bytes, bytes],
    of: str = "query",
    *,
    options: tuple[str, ...] = OPTIONS,
    why: str = "",
) -> InputError:
    """The error for a document given twice, in the lines of these numbers; of: what has it.

    options: what can be chosen, perhaps which is kept
    why: what to say of the lines in the place of that
    """
    query, document = pair
    fix = why or (WHICH if "duplicates" in options else "")
    return InputError(
        f"{name}:{second}: document {shown_text(document)} of {of} {shown_text(query)} occurs a "
        f"second time; it is already in line {first}{fix} (RS-CONV-10)"
    )


WHICH_IN_PYTHON = '; duplicates="first" or "last" says which is kept'
WHICH = '; duplicates="first", "last" or "best" (--duplicates) says which is kept'
