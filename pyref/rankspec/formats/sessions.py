"""Files of sessions, of their judgments, and of their topics (RS-CONV-22 to RS-CONV-25).

``SESSIONS`` and ``JUDGMENTS`` are the formats that files of these may have, which are told by how
they begin. Topics are lines of session and topic. Each file may be compressed, or the standard
input ("-").
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from typing import Any, TypeAlias

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import text_of, whole
from ..errors import InputError, items_of, shown, shown_text
from ..records import replace
from ..reference import session as reference
from . import limits, trec
from .file_format import FileFormat, told
from .frames import Label, checked_label, scores_of, snapshot
from .ids import as_id, by_text
from .search_session import FromFile, SearchSession, check_name, place_in
from .session_xml import AS_XML, XMLReading, read_xml
from .streams import Fill, Source, Stream, is_file
from .text_lines import lines_of

BLOCK = 1 << 20  # bytes
NO_RESULTS = b"no results"
LINE_OF_SCANNED = "session, query and number of results scanned, divided by tabs (RS-SES-26)"
LINE_OF_APPEARANCE = "session, query, document and label, divided by tabs (RS-SES-33)"
MOST_DIGITS = 15
MOST_QUERIES = 1_000_000  # of a session in a file of what was scanned
LINE = "session, query, rank and document, divided by tabs (RS-CONV-22)"
JUDGMENT = "the document's judgment: session or topic, document and label, divided by tabs"
OF = "session or topic"
QRELS = replace(
    trec.QRELS,
    of=OF,
    options=(),
    others=f", or three divided by tabs: {OF}, document, label (RS-CONV-25)",
)
XML_STARTS = (b"\xff\xfe<\0", b"\xfe\xff\0<", b"<\0", b"\0<")
"""How XML in UTF-16 begins, with a byte order mark and without."""

Topics: TypeAlias = "Source | Mapping[str, str]"
"""The topics of sessions: a file of lines of session and topic, or a dict."""

Current: TypeAlias = "Source | Mapping[str, Any]"
"""A ranking for each session: a TREC run, of which the queries are sessions, a dict of documents
and scores, or one of lists of documents in rank order."""


Scanned: TypeAlias = "Source | Mapping[str, Sequence[int | None]]"
"""How many results of each query were scanned: a file of lines of session, query and number, or a
dict {session: [of query 1, of query 2, ...]}; None: not observed."""

Appearances: TypeAlias = "Source | Mapping[str, Sequence[Mapping[str, Label] | None]]"
"""Labels of single results: a file of lines of session, query, document and label, or a dict
{session: [{document: label} of query 1, of query 2, ...]}; None: no result of the query."""


@standard_arithmetic
def read_sessions(
    file: Source,
    topics: Topics | None = None,
    current: Current | None = None,
    order: str = "score",
    pages: str = "error",
    ampersands: str = "error",
) -> list[SearchSession]:
    """The sessions of a file, in its order.

    file: a path ("-": standard input) or an open file, plain or compressed: lines of session,
        query, rank and document, divided by tabs; XML of the TREC Session Track; or JSON
    topics: the topic of each session, a file of two columns or a dict; sessions not in it are left
        out
    current: rankings for the last query of each session: a TREC run whose query ids are session
        ids, or a dict
    order: what orders that run: the "score", the "rank" column, or the order in the "file" or dict
        (RS-CONV-32)
    pages: in XML, results whose ranks begin above 1, as on further pages of TREC 2014: an "error",
        a "separate" query, or "joined" to the query before (RS-CONV-23)
    ampersands: in XML, an & that begins no reference, as in TREC 2012: an "error", or "text"

    Raises InputError, with file and line, for a malformed file.
    """
    reading = XMLReading(pages, ampersands)
    if not is_file(file):
        raise InputError(f"sessions: expected a file, got {shown(file)}")
    sessions = _read(Stream(file, lines=False), reading)  # XML and JSON may be one line
    sessions = with_rankings(sessions, rankings_of(current, order))
    return sessions if topics is None else with_topics(sessions, topics_of(topics))


def read_judgments(file: Source) -> dict[str, dict[str, Label]]:
    """The judgments of a file, by session or topic, and document: TREC qrels, or three columns."""
    stream = Stream(file)
    content = stream.content()
    return told(JUDGMENTS, content).read(stream.name, content)


@contextmanager
def naming_swapped(judgments: Any, sessions: Any) -> Iterator[None]:
    """Raise another InputError for two files that cannot be read, where each is the other kind."""
    try:
        yield
    except InputError:
        if not _are_swapped(judgments, sessions):
            raise
        raise InputError(
            f"{fspath(judgments)} is a file of sessions, and {fspath(sessions)} one of judgments: "
            "the two are swapped; judgments come first (RS-CONV-25)"
        ) from None


def _are_swapped(judgments: Any, sessions: Any) -> bool:
    """Return whether two paths, which can be read again, are of sessions and of judgments."""
    if not all(isinstance(x, (str, PathLike)) and x != "-" for x in (judgments, sessions)):
        return False
    try:
        read_sessions(judgments)
        read_judgments(sessions)
    except InputError:
        return False
    return True


def _pair_of_qrels(line: bytes) -> tuple[bytes, bytes]:
    return trec.pair_of(line, QRELS)


def read_topics(file: Source) -> dict[str, str]:
    """The topics of sessions, from lines of session and topic (RS-CONV-25)."""
    stream = Stream(file)
    content = stream.content()
    topics: dict[str, str] = {}
    for number, line in lines_of(stream.name, content):
        fields = line.split()
        if len(fields) != 2:
            raise InputError(
                f"{stream.name}:{number}: found {_number_of(fields)}; expected session and topic "
                "(RS-CONV-25)"
            )
        session, topic = map(trec.id_of, fields)
        if session in topics:
            raise InputError(
                f"{stream.name}:{number}: session {shown_text(session)} occurs a second time "
                "(RS-CONV-25)"
            )
        topics[session] = topic
    if not topics:
        raise InputError(f"{stream.name}: empty; expected lines of session and topic (RS-CONV-25)")
    return FromFile(topics, stream.name, content, bytes.split)


def read_scanned(file: Source) -> dict[str, list[int | None]]:
    """How many results of each query were scanned, from lines divided by tabs (RS-SES-26)."""
    stream = Stream(file)
    content = stream.content()
    found: dict[str, list[int | None]] = {}
    for number, line in lines_of(stream.name, content):
        where = f"{stream.name}:{number}"
        fields = _fields(line)
        if len(fields) != 3:
            raise InputError(f"{where}: found {_number_of(fields)}; expected {LINE_OF_SCANNED}")
        session = trec.id_of(fields[0])
        q, depth = (_counting(field, where, LINE_OF_SCANNED) for field in fields[1:])
        if not session or not 1 <= q <= MOST_QUERIES:
            raise InputError(
                f"{where}: an empty session id or a query number outside 1 to {MOST_QUERIES}; "
                f"expected {LINE_OF_SCANNED}"
            )
        of_session = found.setdefault(session, [])
        of_session += [None] * (q - len(of_session))
        if of_session[q - 1] is not None:
            raise InputError(
                f"{where}: query {q} of session {shown_text(session)} occurs a second time "
                "(RS-SES-26)"
            )
        of_session[q - 1] = depth
    if not found:
        raise InputError(f"{stream.name}: empty; expected lines of {LINE_OF_SCANNED}")
    return FromFile(found, stream.name, content, _fields)


def _counting(field: bytes, where: str, expected: str) -> int:
    """A number of queries or results."""
    if not field.isdigit() or len(field) > MOST_DIGITS:
        raise InputError(
            f"{where}: {shown_text(trec.id_of(field))} is not a number; expected {expected}"
        )
    return int(field)


def read_appearances(file: Source) -> dict[str, list[dict[str, Label]]]:
    """The labels of single results, from lines divided by tabs (RS-SES-33)."""
    stream = Stream(file)
    content = stream.content()
    found: dict[str, list[dict[str, Label]]] = {}
    for number, line in lines_of(stream.name, content):
        where = f"{stream.name}:{number}"
        fields = _fields(line)
        if len(fields) != 4:
            raise InputError(f"{where}: found {_number_of(fields)}; expected {LINE_OF_APPEARANCE}")
        session, document = trec.id_of(fields[0]), trec.id_of(fields[2])
        q = _counting(fields[1], where, LINE_OF_APPEARANCE)
        if not session or not document or not 1 <= q <= MOST_QUERIES:
            raise InputError(
                f"{where}: an empty id or a query number outside 1 to {MOST_QUERIES}; "
                f"expected {LINE_OF_APPEARANCE}"
            )
        try:
            label = trec.any_label(fields[3])
        except ValueError:
            raise InputError(
                f"{where}: the label is {shown_text(fields[3])}; expected a finite number"
            ) from None
        of_session = found.setdefault(session, [])
        of_session += [{} for _ in range(q - len(of_session))]
        if document in of_session[q - 1]:
            raise InputError(
                f"{where}: document {shown_text(document)} of query {q} of session "
                f"{shown_text(session)} occurs a second time (RS-SES-33)"
            )
        of_session[q - 1][document] = label
    if not found:
        raise InputError(f"{stream.name}: empty; expected lines of {LINE_OF_APPEARANCE}")
    return FromFile(found, stream.name, content, _fields)


# ---- what is added to sessions -----------------------------------------------------------


def topics_of(topics: Topics) -> Mapping[str, str]:
    """The topics, from a file or as they are given."""
    if is_file(topics):
        return read_topics(topics)
    if not isinstance(topics, Mapping):
        raise InputError(
            f"topics: expected a file, or a dict of topics by session, got {shown(topics)}"
        )
    if isinstance(topics, FromFile):
        found: Mapping[str, str] = topics
    else:
        by_session = by_text(snapshot(topics, "topics"), "topics", "session")
        found = {x: as_id(topic, "topics", "topic") for x, topic in by_session.items()}
    for session, topic in found.items():
        check_name(session, "topics", "session")
        check_name(topic, "topics", "topic")
    return found


def with_topics(
    sessions: Iterable[SearchSession], topics: Mapping[str, str]
) -> list[SearchSession]:
    """The sessions that have a topic there, with it."""
    found = []
    for session in sessions:
        topic = topics.get(session.id)
        if topic is None:
            continue
        if session.topic not in (None, topic):
            where = session.place or "the sessions themselves"
            raise InputError(
                f"{place_in(topics, session.id) or 'topics: '}session {shown_text(session.id)} "
                f"has the topic {shown_text(topic)} here, but {shown_text(str(session.topic))} "
                f"in {where} (RS-CONV-25)"
            )
        found.append(replace(session, topic=topic))
    return found


def rankings_of(current: Current | None, order: str = "score") -> dict[str, list[str]]:
    """The documents of each session in rank order, from a run or as they are given."""
    how = trec.How(order=trec.checked_order(order))
    if current is None:
        if how != trec.EXACT:
            raise InputError(
                f'order: "{order}" orders the run given as current, and there is none (RS-CONV-32)'
            )
        return {}
    if is_file(current):
        stream = Stream(current)
        name, content = stream.name, stream.content()
        run = trec.parse_run(name, content, how, options=("order",))
        return FromFile(_ranked(run), name, content, bytes.split)
    if not isinstance(current, Mapping):
        return _ranked(scores_of(current, how))
    if isinstance(current, FromFile):
        return current
    found: dict[str, list[str]] = {}
    for session, given in current.items():
        check_name(session, "current", "session")
        if isinstance(given, Mapping):
            found |= _ranked(scores_of({session: given}, how))
        else:
            found[session] = documents_of(given, f"current: session {shown_text(session)}")
    return found


def _ranked(run: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """As evaluate() orders them by default (RS-CONV-7)."""
    return {session: trec.in_rank_order(scores) for session, scores in run.items()}


def with_rankings(
    sessions: Iterable[SearchSession], rankings: Mapping[str, list[str]]
) -> list[SearchSession]:
    """The sessions, those that have a ranking there with it as their last query."""
    sessions = list(sessions)
    known = {session.id for session in sessions}
    for session in rankings:
        if session not in known:
            raise InputError(
                f"{place_in(rankings, session) or 'current: '}session {shown_text(session)} has "
                "a ranking, but is not among the sessions (RS-CONV-23)"
            )
    return [
        replace(session, queries=[*session.queries, rankings[session.id]])
        if session.id in rankings
        else session
        for session in sessions
    ]


def scanned_of(scanned: Scanned | None) -> Mapping[str, Sequence[int | None]]:
    """How many results of each query were scanned, from a file or as they are given."""
    if scanned is None:
        return {}
    if is_file(scanned):
        return read_scanned(scanned)
    if not isinstance(scanned, Mapping):
        raise InputError(
            f"scanned: expected a file, or a dict of lists by session, got {shown(scanned)}"
        )
    if isinstance(scanned, FromFile):
        return scanned
    return {
        session: _depths(session, given) for session, given in snapshot(scanned, "scanned").items()
    }


def _depths(session: Any, given: Any) -> list[int | None]:
    check_name(session, "scanned", "session")
    where = f"scanned: session {shown_text(session)}"
    listed = in_order(given, f"{where}: {shown(given)} is no list of numbers, one a query")
    depths = [None if x is None else whole(x) for x in listed]
    for q, (x, depth) in enumerate(zip(listed, depths, strict=True), start=1):
        if x is not None and (depth is None or depth < 0):
            raise InputError(
                f"{where}, query {q}: expected a number of results, got {shown(x)} (RS-SES-26)"
            )
    return depths


def with_scanned(
    sessions: Iterable[SearchSession], scanned: Mapping[str, Sequence[int | None]]
) -> list[SearchSession]:
    """The sessions, each list cut where the searcher stopped (RS-SES-26)."""
    sessions = list(sessions)
    number = {session.id: len(session.queries) for session in sessions}
    for session, depths in scanned.items():
        where = f"{place_in(scanned, session) or 'scanned: '}session {shown_text(session)}"
        if session not in number:
            raise InputError(f"{where} is not among the sessions (RS-SES-26)")
        if len(depths) > (m := number[session]):
            raise InputError(
                f"{where}: it names query {len(depths)}, but the session has {m} queries "
                "(RS-SES-26)"
            )
    return [
        replace(session, queries=_scanned(session.queries, scanned[session.id]))
        if session.id in scanned
        else session
        for session in sessions
    ]


def _scanned(queries: Sequence[Sequence[str]], depths: Sequence[int | None]) -> list[list[str]]:
    unknown = [None] * (len(queries) - len(depths))
    return reference.scanned(queries, [*depths, *unknown])


def appearances_of(appearances: Appearances | None) -> Mapping[str, list[dict[str, Label]]]:
    """The labels of single results, from a file or as they are given."""
    if appearances is None:
        return {}
    if is_file(appearances):
        return read_appearances(appearances)
    if not isinstance(appearances, Mapping):
        raise InputError(
            f"appearances: expected a file, or a dict of lists by session, got {shown(appearances)}"
        )
    if isinstance(appearances, FromFile):
        return appearances
    return {
        session: _labels_by_query(session, given)
        for session, given in snapshot(appearances, "appearances").items()
    }


def _labels_by_query(session: Any, given: Any) -> list[dict[str, Label]]:
    check_name(session, "appearances", "session")
    where = f"appearances: session {shown_text(session)}"
    listed = in_order(given, f"{where}: {shown(given)} is no list of dicts, one a query")
    found: list[dict[str, Label]] = []
    for q, x in enumerate(listed, start=1):
        if x is not None and not isinstance(x, Mapping):
            raise InputError(
                f"{where}, query {q}: expected a dict of labels by document, got {shown(x)} "
                "(RS-SES-33)"
            )
        own = {} if x is None else snapshot(x, where)
        for document in own:
            check_name(document, f"{where}, query {q}", "document")
        found.append(
            {d: checked_label(y, f"{where}, query {q}: the label of {shown_text(d)}")
             for d, y in own.items()}
        )  # fmt: skip
    return found


def with_appearances(
    sessions: Iterable[SearchSession], appearances: Mapping[str, list[dict[str, Label]]]
) -> list[SearchSession]:
    """The sessions, with the labels of single results (RS-SES-33)."""
    sessions = list(sessions)
    queries = {session.id: session.queries for session in sessions}
    for session, labels in appearances.items():
        what = f"session {shown_text(session)}"
        if session not in queries:
            where = place_in(appearances, session) or "appearances: "
            raise InputError(f"{where}{what} is not among the sessions (RS-SES-33)")
        for q, own in enumerate(labels, start=1):
            m = len(queries[session])
            for document in own:
                where = place_in(appearances, session, str(q), document) or "appearances: "
                if q > m:
                    raise InputError(
                        f"{where}{what}: it names query {q}, but the session has {m} queries "
                        "(RS-SES-33)"
                    )
                if document not in queries[session][q - 1]:
                    raise InputError(
                        f"{where}{what}, query {q}: document {shown_text(document)} is not among "
                        "its results (RS-SES-33)"
                    )
        if len(labels) > len(queries[session]):
            raise InputError(
                f"appearances: {what} ends with query {len(queries[session])}, but it has labels "
                f"for {len(labels)} queries (RS-SES-33)"
            )
    return [
        replace(session, appearances=appearances[session.id])
        if session.id in appearances
        else session
        for session in sessions
    ]


def of_system(
    table: Mapping[str, Any], sessions: Iterable[SearchSession], known: Container[str]
) -> Mapping[str, Any]:
    """What a table for several systems has for the sessions of one, and for none of them.

    known: the ids of the sessions of all systems
    """
    if not isinstance(table, FromFile):
        return table
    own = {session.id for session in sessions}
    return table.restricted({x for x in table if x in own or x not in known})


def documents_of(given: Any, where: str) -> list[str]:
    """A list of documents, checked."""
    documents = in_order(given, f"{where}: {shown(given)} is no list of documents in rank order")
    texts = [x if isinstance(x, str) else as_id(x, where, "document") for x in documents]
    for x, text in zip(documents, texts, strict=True):
        if text == "-1" and text_of(x) is None:
            raise InputError(
                f"{where}: -1 is no document: FAISS and other indexes fill up their lists with -1; "
                'leave it out. If it is an id, give it as the string "-1" (RS-CONV-44)'
            )
        check_name(text, where, "document")
    return texts


def in_order(given: Any, complaint: str) -> list[Any]:
    """What is in a list; an InputError for what is none, or has no order of its own."""
    if isinstance(given, (str, bytes, bytearray, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(complaint)
    return items_of(given, complaint)


# ---- the formats -------------------------------------------------------------------------


def _read(stream: Stream, reading: XMLReading = AS_XML) -> list[SearchSession]:
    with stream.opened() as fill:
        head = _head(stream.name, fill)
        known = told(SESSIONS, head)
        if known.read is _read_xml:
            return _read_xml(stream.name, _after(head, fill), reading)
        if reading != AS_XML:
            raise InputError(
                f"{stream.name}: pages and ampersands are of files in XML; this is none "
                f"({known.spec})"
            )
        return known.read(stream.name, _after(head, fill))


def _head(name: str, fill: Fill) -> bytes:
    """The first bytes, of which some are not blank, if any is: they tell the format."""
    most = limits.LINE.value
    head = bytearray()
    for block in _blocks(fill):
        head += block
        if block.strip():
            break
        if len(head) > max(most, BLOCK):
            raise limits.LINE.exceeded(name, f"more than {most} blank bytes at its beginning", most)
    return bytes(head)


def _after(head: bytes, fill: Fill) -> Fill:
    """The function that reads the head, and then what follows."""
    pending = memoryview(head)

    def fill_after(buffer: memoryview) -> int:
        nonlocal pending
        done = min(len(pending), len(buffer))
        buffer[:done] = pending[:done]
        pending = pending[done:]
        return done + fill(buffer[done:]) if done < len(buffer) else done

    return fill_after


def _blocks(fill: Fill) -> Iterator[bytes]:
    buffer = memoryview(bytearray(BLOCK))
    while n := fill(buffer):
        yield bytes(buffer[:n])


def _fields(line: bytes) -> list[bytes]:
    """The fields of a line, without the blanks around them; the fifth is all that follows."""
    return [field.strip() for field in line.split(b"\t", 4)]


def _number_of(fields: Sequence[bytes]) -> str:
    return f"{len(fields)} field" + "s" * (len(fields) != 1)


class _Lines:
    """Sessions as their lines are read (RS-CONV-22)."""

    def __init__(self, name: str) -> None:
        self.sessions: list[SearchSession] = []
        self._name = name
        self._session = b""
        self._queries: list[list[str]] = []
        self._complete = False  # whether the last query is one without results
        self._first_lines: dict[bytes, int] = {}

    def read(self, number: int, line: bytes) -> None:
        session, *rest = _fields(line)[:4]
        empty = len(rest) == 1 or (len(rest) > 1 and rest[1].lower() == NO_RESULTS)
        if len(rest) < 3 and not empty:
            found = _number_of([session, *rest])
            text = shown_text(b" ".join([session, *rest]))
            json = "; sessions in JSON are an object" if session.startswith(b"[") else ""
            raise self._error(number, f"{found}, {text}; expected {LINE}{json}")
        if not session:
            raise self._error(number, f"no session; expected {LINE}")
        if session != self._session:
            self._begin(number, session)
        self._number_query(number, rest[0], empty=empty)
        if empty:
            self._complete = True
            return
        rank, document = rest[1:]
        expected = len(self._queries[-1]) + 1
        if rank != b"%d" % expected:
            self._out_of_order(number, "rank", rank, f"{expected} of query {len(self._queries)}")
        if not document:
            raise self._error(number, f"no document; expected {LINE}")
        self._queries[-1].append(trec.id_of(document))

    def _begin(self, number: int, session: bytes) -> None:
        first = self._first_lines.setdefault(session, number)
        if first != number:
            raise self._error(
                number,
                f"session {shown_text(session)} again, whose lines began in line {first}; they "
                "must stand together (RS-CONV-22)",
            )
        self._session, self._queries, self._complete = session, [], False
        place = f"{self._name}:{number}"
        self.sessions.append(SearchSession(trec.id_of(session), self._queries, place=place))

    def _number_query(self, number: int, query: bytes, *, empty: bool) -> None:
        """Goes on with the same query, or begins with the next."""
        same = len(self._queries)
        goes_on = not empty and not self._complete and query == b"%d" % same
        if same and goes_on:
            return
        if query != b"%d" % (same + 1):
            may_go_on = same and not empty and not self._complete
            expected = f"{same} or {same + 1}" if may_go_on else f"{same + 1}"
            self._out_of_order(number, "query", query, expected)
        self._queries.append([])
        self._complete = False

    def _out_of_order(self, number: int, what: str, found: bytes, expected: str) -> None:
        raise self._error(
            number,
            f"{what} {shown_text(found)} of session {shown_text(self._session)}; expected "
            f"{expected} (RS-CONV-22)",
        )

    def _error(self, number: int, what: str) -> InputError:
        return InputError(f"{self._name}:{number}: found {what}")


def _of_lines(name: str, content: bytes) -> list[SearchSession]:
    reading = _Lines(name)
    first = True
    for number, line in lines_of(name, content):
        if not (first and _is_header(line)):
            reading.read(number, line)
        first = False
    if not reading.sessions:
        raise InputError(f"{name}: empty; expected lines of {LINE}")
    return reading.sessions


def _is_header(line: bytes) -> bool:
    return [field.strip().lower() for field in line.split(b"\t")[2:3]] == [b"rank"]


def _of_three_columns(name: str, content: bytes) -> dict[str, dict[str, Label]]:
    """Judgments of three columns; the first line may be a header."""
    judgments: dict[str, dict[str, Label]] = {}
    first_lines: dict[tuple[bytes, bytes], int] = {}
    for a, (number, line) in enumerate(lines_of(name, content)):
        fields = _fields(line)
        if len(fields) != 3 or not all(fields[:2]):
            what = "a blank id" if len(fields) == 3 else _number_of(fields)
            raise InputError(f"{name}:{number}: found {what}; expected {JUDGMENT} (RS-CONV-25)")
        key, document, label = fields
        try:
            value = trec.any_label(label)
        except ValueError:
            if a == 0 and _is_word(label):
                continue
            raise InputError(
                f"{name}:{number}: the label is {shown_text(label)}; expected a finite number"
            ) from None
        before = first_lines.setdefault((key, document), number)
        if before != number:
            raise trec.duplicate(name, number, before, (key, document), OF, options=())
        judgments.setdefault(trec.id_of(key), {})[trec.id_of(document)] = value
    if not judgments:
        raise InputError(f"{name}: empty; expected {JUDGMENT}, or qrels (RS-CONV-25)")
    if any(type(x) is float for own in judgments.values() for x in own.values()):
        return {key: {d: float(x) for d, x in own.items()} for key, own in judgments.items()}
    return judgments


def _is_word(token: bytes) -> bool:
    """Whether a field has letters and no digit, and is not what programs write for no number."""
    with suppress(ValueError):
        float(token)  # nan, inf
        return False
    text = trec.id_of(token)
    return any(c.isalpha() for c in text) and not any(c.isdigit() for c in text)


def _begins_as_xml(head: bytes) -> bool:
    return head.lstrip().startswith(b"<") or head.startswith(XML_STARTS)


def _begins_as_json(head: bytes) -> bool:
    return head.lstrip().startswith(b"{")


def _has_three_columns(content: bytes) -> bool:
    """Whether there are two tabs in the first line that is neither blank nor a comment."""
    lines = (x for x in content.split(b"\n") if x.strip() and not x.startswith(b"#"))
    return next(lines, b"\t\t").count(b"\t") == 2


def _read_lines(name: str, fill: Fill) -> list[SearchSession]:
    return _of_lines(name, b"".join(_blocks(limits.of_lines(name, fill))))


def _read_xml(name: str, fill: Fill, reading: XMLReading = AS_XML) -> list[SearchSession]:
    return read_xml(name, _blocks(fill), reading)


def _read_json(name: str, fill: Fill) -> list[SearchSession]:
    from .session_json import read_json

    return read_json(name, b"".join(_blocks(fill)))


def _read_qrels(name: str, content: bytes) -> dict[str, dict[str, Label]]:
    trec.refuse_ratings(name, content)
    return FromFile(trec.parse_qrels(name, content, layout=QRELS), name, content, _pair_of_qrels)


def _read_three_columns(name: str, content: bytes) -> dict[str, dict[str, Label]]:
    return FromFile(_of_three_columns(name, content), name, content, _fields)


SESSIONS = (
    FileFormat("lines: session, query, rank, document", "RS-CONV-22", _read_lines),
    FileFormat("TREC Session XML", "RS-CONV-23", _read_xml, _begins_as_xml),
    FileFormat("JSON", "RS-CONV-24", _read_json, _begins_as_json),
)
"""The formats of sessions, which are read from the file's name and what fills a buffer with it."""

JUDGMENTS = (
    FileFormat("TREC qrels", "RS-CONV-19", _read_qrels),
    FileFormat(
        f"lines: {OF}, document, label", "RS-CONV-25", _read_three_columns, _has_three_columns
    ),
)
"""The formats of judgments, which are read from the file's name and its content."""
