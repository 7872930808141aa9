"""The session files of the TREC Session Track: XML, read as a stream (RS-CONV-23).

Only what the metrics need is read; elements that nobody knows are passed over with all that is in
them. A document type, and so every entity that a file might declare, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.parsers import expat

from ..errors import InputError, check_known, shown_text
from .limits import LINE, TOKEN
from .search_session import BLANKS, SearchSession, id_problem

_WITHIN = {
    "session": None,
    "topic": "session",
    "interaction": "session",
    "currentquery": "session",
    "results": "interaction",
    "result": "results",
}
"""The elements that are read, and what each stands in; None is the whole file."""

_DOCUMENT = ("clueweb12id", "clueweb09id", "docno")
_CUT_SHORT = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}
MOST_NESTED = 100
PIECE = 1 << 20


PAGES = {
    "error": "results that do not begin with rank 1 are an error",
    "separate": "they are a query of their own, whose first result has rank 1",
    "joined": "they continue the query before, whose last result has the rank before",
}
"""Readings of a further page of results, whose ranks begin above 1."""

AMPERSANDS = {
    "error": "an & that begins no reference is an error, as in XML",
    "text": "an & that begins no reference is a character of the text",
}


@dataclass(frozen=True)
class XMLReading:
    """Options for files of the Session Track that break their own rules, or XML's.

    pages: a name of PAGES; ampersands: a name of AMPERSANDS
    """

    pages: str = "error"
    ampersands: str = "error"

    def __post_init__(self) -> None:
        check_known("pages", self.pages, PAGES)
        check_known("ampersands", self.ampersands, AMPERSANDS)


AS_XML = XMLReading()


def read_xml(
    name: str, blocks: Iterable[bytes], reading: XMLReading = AS_XML
) -> list[SearchSession]:
    """The sessions of a file, in its order; name: of the file, for messages."""
    if reading.ampersands == "text":
        blocks = _with_references(blocks)
    return _SessionsOfXML(name, reading.pages).of(blocks)


_RAW = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_LONGEST_REFERENCE = len(b"&#1114111;")


def _with_references(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks with &amp; for each & that begins no reference; those of UTF-16 as they are."""
    rest, wide = b"", None
    for block in blocks:
        wide = b"\0" in block[:4] if wide is None else wide
        if wide:
            yield block
            continue
        text = rest + block
        last = text.rfind(b"&", max(len(text) - _LONGEST_REFERENCE, 0))
        end = len(text) if last < 0 else last  # a reference may continue in the next block
        rest = text[end:]
        yield _RAW.sub(b"&amp;", text[:end])
    yield _RAW.sub(b"&amp;", rest)


class _SessionsOfXML:
    """The sessions of a file as they are read: what expat calls at each tag, and between them."""

    def __init__(self, name: str, pages: str) -> None:
        self._name = name
        self._pages = pages
        self._longest = TOKEN.value  # characters of an id or of an attribute
        self._most = LINE.value  # bytes of a tag; expat reads one again when it gets more of it
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        self._open: list[str] = []  # the elements that have not ended
        self._sessions: list[SearchSession] = []
        self._first_lines: dict[str, int] = {}  # of the sessions
        self._id = ""
        self._line = 0  # of the session that is open
        self._topic: str | None = None
        self._has_topic = self._has_results = self._has_current = False
        self._queries: list[list[str]] = []
        self._interactions = 0  # of the session that is open
        self._first_rank = 1  # of the results that are open
        self._document: str | None = None  # of the result that is open
        self._characters: list[str] = []  # of its id
        self._length = 0  # of these

    def of(self, blocks: Iterable[bytes]) -> list[SearchSession]:
        try:
            given = 0
            for block in blocks:
                for begin in range(0, len(block), PIECE):
                    self._parser.Parse(block[begin : begin + PIECE], False)
                given += len(block)
                if given - self._parser.CurrentByteIndex > self._most:
                    found = f"more than {self._most} bytes that are no whole tag"
                    raise LINE.exceeded(self._place(), found, self._most)
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            cut = " (is the file cut short?)" if error.code in _CUT_SHORT else ""
            raise InputError(
                f"{self._name}:{error.lineno}: not valid XML: "
                f"{expat.ErrorString(error.code)}{cut}{_hint_of_ampersands(error)} (RS-CONV-23)"
            ) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            # Python does not know the encoding that the file declares, or expat cannot use it.
            raise self._error(f"an encoding that cannot be read: {error}") from None
        if not self._sessions:
            raise InputError(f"{self._name}: empty; expected sessions (RS-CONV-23)")
        return self._sessions

    def _start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) == MOST_NESTED:
            raise self._error(f"elements in more than {MOST_NESTED} others")
        if any(len(x) > self._longest for x in attributes.values()):
            found = f"an attribute of more than {self._longest} characters"
            raise TOKEN.exceeded(self._place(), found, self._longest)
        self._check_place(tag)
        if self._in_document():
            raise self._error(f"the element {shown_text(tag)} in {self._open[-1]}, an id")
        if tag in _STARTS:
            _STARTS[tag](self, attributes)
        elif tag in _DOCUMENT and self._open[-1] == "result":
            if self._document is not None:
                raise self._error("a second id of the document of a result")
            self._characters, self._length = [], 0
        self._open.append(tag)

    def _check_place(self, tag: str) -> None:
        """An InputError where an element does not stand in what it belongs to."""
        if not self._open:
            if not re.fullmatch("sessiontrack20[0-9]{2}", tag):
                raise self._error(f"the element {shown_text(tag)}; expected sessiontrack20NN")
        elif tag in _WITHIN:
            parent, expected = self._open[-1], _WITHIN[tag] or self._open[0]
            if parent != expected or (tag == "session" and len(self._open) > 1):
                raise self._error(f"{tag} in {shown_text(parent)}; expected it in {expected}")

    def _start_session(self, attributes: Mapping[str, str]) -> None:
        self._id = self._identifier(attributes, "session")
        if self._id in self._first_lines:
            raise self._error(
                f"session {shown_text(self._id)} a second time; it began in line "
                f"{self._first_lines[self._id]} already"
            )
        self._line = self._parser.CurrentLineNumber
        self._first_lines[self._id] = self._line
        self._topic, self._queries, self._interactions = None, [], 0
        self._has_topic = self._has_current = False

    def _start_topic(self, attributes: Mapping[str, str]) -> None:
        if self._has_topic:
            raise self._error(f"a second topic of session {shown_text(self._id)}")
        self._has_topic = True
        if "num" in attributes:
            self._topic = self._identifier(attributes, "topic")

    def _start_interaction(self, attributes: Mapping[str, str]) -> None:
        if self._has_current:
            raise self._error("an interaction behind the current query")
        self._interactions += 1
        self._check_number(attributes, "interaction", "num", self._interactions)
        self._queries.append([])
        self._first_rank = 1
        self._has_results = False

    def _start_current_query(self, _: Mapping[str, str]) -> None:
        if self._has_current:
            raise self._error(f"a second current query of session {shown_text(self._id)}")
        self._has_current = True

    def _start_results(self, _: Mapping[str, str]) -> None:
        if self._has_results:
            raise self._error(f"results of interaction {self._interactions} a second time")
        self._has_results = True

    def _start_result(self, attributes: Mapping[str, str]) -> None:
        if not self._queries[-1]:
            self._begin_page(attributes.get("rank", ""))
        expected = self._first_rank + len(self._queries[-1])
        self._check_number(attributes, "result", "rank", expected, self._hint_of_pages(attributes))
        self._document = None

    def _begin_page(self, rank: str) -> None:
        """The first result of an interaction: of a further page, where its rank is above 1."""
        if self._pages == "error" or not re.fullmatch("[1-9][0-9]{0,8}", rank) or rank == "1":
            return
        if self._pages == "separate":
            self._first_rank = int(rank)
            return
        before = len(self._queries[-2]) if len(self._queries) > 1 else 0
        if int(rank) != before + 1:
            raise self._error(
                f"results of interaction {self._interactions} of session {shown_text(self._id)} "
                f"that begin with rank {rank}, after a query with {before} results; "
                'pages="joined" expects the next rank'
            )
        self._queries.pop()

    def _hint_of_pages(self, attributes: Mapping[str, str]) -> str:
        later = self._pages == "error" and not self._queries[-1]
        if not later or not re.fullmatch("[1-9][0-9]+", attributes.get("rank", "")):
            return ""
        return (
            '; if this is a further page of results, pages (--pages) says what it is: "joined" to '
            'the query before, or "separate"'
        )

    def _text(self, characters: str) -> None:
        if self._in_document():
            self._characters.append(characters)
            self._length += len(characters)
            if self._length > self._longest:
                found = f"an id of more than {self._longest} characters"
                raise TOKEN.exceeded(self._place(), found, self._longest)

    def _end(self, tag: str) -> None:
        if self._in_document():
            self._document = self._checked("".join(self._characters), tag)
        self._open.pop()
        if tag == "result":
            if self._document is None:
                where = f"result {len(self._queries[-1]) + 1} of interaction {self._interactions}"
                raise self._error(f"no document in {where}; expected {' or '.join(_DOCUMENT)}")
            self._queries[-1].append(self._document)
        elif tag == "session":
            place = f"{self._name}:{self._line}"
            self._sessions.append(SearchSession(self._id, self._queries, self._topic, place))

    def _in_document(self) -> bool:
        """Whether the element that is open is the id of a result's document."""
        return self._open[-2:-1] == ["result"] and self._open[-1] in _DOCUMENT

    def _doctype(self, *_: object) -> None:
        raise self._error("a document type (DOCTYPE), of which none is read")

    def _identifier(self, attributes: Mapping[str, str], tag: str) -> str:
        if "num" not in attributes:
            raise self._error(f"a {tag} without num")
        return self._checked(attributes["num"], f"num of a {tag}")

    def _checked(self, given: str, what: str) -> str:
        """An id without the blanks around it."""
        identifier = given.strip(BLANKS)
        problem = id_problem(identifier)
        if problem:
            raise self._error(f"{problem} as {what}")
        return identifier

    def _check_number(
        self, attributes: Mapping[str, str], tag: str, name: str, expected: int, hint: str = ""
    ) -> None:
        """An InputError where what is numbered 1, 2, ... is not."""
        found = attributes.get(name)
        if found != str(expected):
            shown = f"without {name}" if found is None else f"with {name} {shown_text(found)}"
            where = f"session {shown_text(self._id)}"
            raise self._error(f"{tag} {shown} in {where}; expected {expected}{hint}")

    def _error(self, what: str) -> InputError:
        return InputError(f"{self._place()}: found {what} (RS-CONV-23)")

    def _place(self) -> str:
        return f"{self._name}:{self._parser.CurrentLineNumber}"


def _hint_of_ampersands(error: expat.ExpatError) -> str:
    """Return the advice for a text with an & that begins no reference."""
    if error.code not in _OF_REFERENCES:
        return ""
    return '; if it is an & in a text, ampersands="text" (--ampersands) reads it as one'


_OF_REFERENCES = {
    expat.errors.codes[message]
    for message in (expat.errors.XML_ERROR_INVALID_TOKEN, expat.errors.XML_ERROR_UNDEFINED_ENTITY)
}

_STARTS = {
    "session": _SessionsOfXML._start_session,
    "topic": _SessionsOfXML._start_topic,
    "interaction": _SessionsOfXML._start_interaction,
    "currentquery": _SessionsOfXML._start_current_query,
    "results": _SessionsOfXML._start_results,
    "result": _SessionsOfXML._start_result,
}
