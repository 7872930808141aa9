"""Files of sessions, judgments and topics: what they hold, and what is wrong with one."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.errors import InputError
from rankspec.formats import session_xml
from rankspec.formats.sessions import read_judgments, read_topics

from ..each import each

A = rs.SearchSession("a", [["d1", "d2"], [], ["d1", "d1"]])
B = rs.SearchSession("b", [["d 3"]])
SESSIONS = [A, B]

LINES = b"""\
a\t1\t1\td1
a\t1\t2\td2\tand more\tof it
a\t2\tno results
a\t3\t1\td1
a\t3\t2\td1
b\t1\t1\td 3
"""

XML = b"""\
<?xml version="1.0"?>
<sessiontrack2013>
<session num="a" starttime="0">
<topic num="7"><desc>A &amp; B</desc></topic>
<interaction num="1"><query>q</query>
<results>
<result rank="1"><url>u</url><clueweb12id> d1 </clueweb12id><title>t</title></result>
<result rank="2"><docno>d2</docno></result>
</results>
<clicked><click num="1"><rank>2</rank><docno/></click></clicked>
</interaction>
<interaction num="2"><query/></interaction>
<interaction num="3"><results>
<result rank="1"><clueweb09id>d1</clueweb09id></result>
<result rank="2"><clueweb09id>d<![CDATA[1]]></clueweb09id></result>
</results></interaction>
<currentquery><query>q</query></currentquery>
</session>
<session num="b"><interaction num="1"><results><result rank="1"><docno>d 3</docno></result>
</results></interaction></session>
</sessiontrack2013>
"""

JSON = b"""\
{"sessions": [
  {"id": "a", "queries": [["d1", "d2"], [], {"results": ["d1", "d1"], "text": "q"}]},
  {"id": "b", "queries": [["d 3"]], "user": 7}
], "made": 2013}
"""

JUDGMENTS = {"a": {"d1": 2, "d2": 0}, "b": {"d 3": -1}}


def read(content: bytes, **options: Any) -> list[rs.SearchSession]:
    return rs.read_sessions(io.BytesIO(content), **options)


def refused(content: bytes, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        read(content, **options)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith("the open file:")
    return message.removeprefix("the open file:")


class TestForms:
    @pytest.mark.spec("RS-CONV-22")
    def test_lines(self) -> None:
        assert read(LINES) == SESSIONS

    @pytest.mark.spec("RS-CONV-23")
    def test_xml(self) -> None:
        """A topic is read where there is one; the current query has no results."""
        with_topic = rs.SearchSession("a", A.queries, "7")
        assert read(XML) == [with_topic, B]

    @pytest.mark.spec("RS-CONV-24")
    def test_json(self) -> None:
        assert read(JSON) == SESSIONS
        topic = JSON.replace(b'"id": "a"', b'"id": "a", "topic": "7"')
        assert read(topic)[0].topic == "7"

    @pytest.mark.parametrize("content", [LINES, XML, JSON], ids=["lines", "xml", "json"])
    def test_compressed_with_a_mark_and_from_anywhere(
        self, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = read(content)
        for compress in (gzip.compress, bz2.compress, lzma.compress):
            assert read(compress(content)) == expected
        assert read(b"\xef\xbb\xbf" + content) == expected
        path = tmp_path / "sessions"
        path.write_bytes(content)
        assert rs.read_sessions(path) == rs.read_sessions(str(path)) == expected
        with path.open(encoding="utf-8") as file:
            assert rs.read_sessions(file) == expected
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert rs.read_sessions("-") == expected

    def test_blanks_before_json(self) -> None:
        assert read(b"\n" * 10 + b"  " + JSON) == SESSIONS

    @pytest.mark.parametrize("file", [None, 5, [], {}, b"x", 1.5])
    def test_what_is_no_file(self, file: Any) -> None:
        with pytest.raises(InputError, match=r"^sessions: expected a file, got .*$"):
            rs.read_sessions(file)

    @pytest.mark.spec("RS-CONV-24")
    def test_what_json_passes_over(self) -> None:
        """Numbers of any length, and texts that are no ids."""
        more = b'"long": [%b], "half": "\\ud83d", "queries"' % (b"9" * 100_000)
        assert read(JSON.replace(b'"queries"', more)) == SESSIONS

    @pytest.mark.spec("RS-CONV-22", "RS-CONV-23", "RS-CONV-24")
    def test_blanks_around_ids(self) -> None:
        """ASCII's; those of other scripts are parts of an id."""
        expected = [rs.SearchSession("\u00a0a", [["\u3000d"]])]
        assert read(b" \xc2\xa0a \t1\t1\t\f\xe3\x80\x80d\n") == expected
        assert read(b'{"sessions":[{"id":" \\u00a0a\\n","queries":[["\\u3000d\\t"]]}]}') == expected
        xml = "<interaction num='1'><results><result rank='1'><docno>\n\u3000d </docno></result>"
        xml = f"<session num=' \u00a0a '>{xml}</results></interaction></session>"
        assert read(in_xml(xml)) == expected
        twice = b'{"sessions":[{"id":"1","queries":[]},{"id":" 1 ","queries":[]}]}'
        assert refused(twice).startswith(' sessions[1].id: session "1" occurs a second time')

    @pytest.mark.spec("RS-CONV-22")
    def test_headers_comments_blanks_and_line_ends(self) -> None:
        header = b"SessionID\tQno\tRank\tURL\ttitle\n"
        for written in (
            header + LINES,
            b"# a comment\n\n" + header + LINES,
            LINES.replace(b"\n", b"\r\n"),
            LINES.replace(b"\n", b"\n\n# more\n"),
            LINES.rstrip(),
            LINES.replace(b"a\t1\t1", b" a \t1\t 1"),
            LINES.replace(b"no results", b"No Results\tx"),
            LINES.replace(b"\tno results", b""),
        ):
            assert read(written) == SESSIONS

    @pytest.mark.spec("RS-CONV-22")
    def test_a_query_named_as_one_without_results(self) -> None:
        """The whole third field says so, and a document may have that name."""
        assert read(b"a\t1\t1\tno results\n")[0].queries == [["no results"]]

    @pytest.mark.spec("RS-CONV-22")
    def test_ids_are_bytes(self) -> None:
        (session,) = read(b"\xff\t1\t1\t\xe4\xf6\n")
        assert session.id.encode("utf-8", "surrogateescape") == b"\xff"
        assert session.queries[0][0].encode("utf-8", "surrogateescape") == b"\xe4\xf6"
        (same,) = read(b'{"sessions": [{"id": "\xff", "queries": [["\xe4\xf6"]]}]}')
        assert same == session

    @pytest.mark.spec("RS-CONV-23")
    def test_the_encoding_of_xml(self) -> None:
        declared = '<?xml version="1.0" encoding="{}"?><sessiontrack2013>{}</sessiontrack2013>'
        rest = '<session num="ä"/>'
        for encoding in ("iso-8859-1", "windows-1252", "utf-8", "utf-16"):
            content = declared.format(encoding, rest).encode(encoding)
            assert read(content) == [rs.SearchSession("ä", [])]
        for order, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            content = declared.format("utf-16", rest).encode(order)
            assert read(content) == read(mark + content) == [rs.SearchSession("ä", [])]

    @pytest.mark.spec("RS-CONV-23")
    def test_a_long_file_of_xml_comes_in_pieces(self) -> None:
        """More than one block of it, whatever a block ends in."""
        results = b"".join(
            b'<result rank="%d"><docno>d%d</docno><title>%b</title></result>' % (i, i, b"x" * 997)
            for i in range(1, 3001)
        )
        content = (
            b'<sessiontrack2014><session num="1"><interaction num="1"><results>'
            b"%b</results></interaction></session></sessiontrack2014>" % results
        )
        assert read(content)[0].queries == [[f"d{i}" for i in range(1, 3001)]]


@pytest.mark.spec("RS-CONV-22")
class TestLinesThatAreRefused:
    @each(
        ("lines", "complaint"),
        [
            (b"", " empty"),
            (b"# nothing\n\n", " empty"),
            (b"s\tq\trank\td\n", " empty"),
            (b"a 1 1 d1\n", '1: found 1 field, "a 1 1 d1"; expected session, query'),
            (b"a\t1\t1\n", "1: found 3 fields"),
            (b"a\t1\t\n", "1: found 3 fields"),
            (b"\t1\t1\td\n", "1: found no session"),
            (b"a\t1\t1\t \n", "1: found no document"),
            (b"a\t1\t1\t\tx\n", "1: found no document"),
            (b"a\t1\t1\td\ns\tq\tRank\td\n", '2: found query "q" of session "s"; expected 1'),
            (b"a\t2\t1\td\n", '1: found query "2" of session "a"; expected 1 '),
            (b"a\t0\t1\td\n", '1: found query "0" of session "a"; expected 1 '),
            (b"a\t01\t1\td\n", '1: found query "01"'),
            (b"a\tx\t1\td\n", '1: found query "x"'),
            (b"a\t\t1\td\n", '1: found query ""'),
            (b"a\t1\t1\td\na\t3\t1\td\n", '2: found query "3" of session "a"; expected 1 or 2'),
            (b"a\t1\t1\td\na\t2\t1\td\na\t1\t2\td\n", '3: found query "1" of session "a"'),
            (b"a\t1\t2\td\n", '1: found rank "2" of session "a"; expected 1 of query 1'),
            (b"a\t1\t0\td\n", '1: found rank "0"'),
            (b"a\t1\t1\td\na\t1\t1\td\n", '2: found rank "1" of session "a"; expected 2 of q'),
            (b"a\t1\t1\td\na\t1\t3\td\n", '2: found rank "3"'),
            (b"a\t1\t1\td\na\t2\t2\td\n", '2: found rank "2" of session "a"; expected 1 of q'),
            (b"a\t1\t+1\td\n", '1: found rank "+1"'),
            (
                b"a\t1\t1\td\nb\t1\na\t2\t1\td\n",
                '3: found session "a" again, whose lines began in ',
            ),
            (b"a\t1\nA\t1\na\t1\n", '3: found session "a" again, whose lines began in line 1'),
            (b"a\t1\na\t1\t1\td\n", '2: found query "1" of session "a"; expected 2 '),
            (b"a\t1\na\t1\n", '2: found query "1" of session "a"; expected 2 '),
            (b"a\t1\t1\td\na\t1\tno results\n", '2: found query "1" of session "a"; expected 2 '),
            (b"a\t1\t1\td\0\n", "1: found a NUL byte"),
            (
                b"a\t1\t1\td1\ra\t1\t2\td2\r",
                "1: found a carriage return (CR) within a line (a carriage return without a line",
            ),
            (b"q 0 d 1\n", '1: found 1 field, "q 0 d 1"'),
            (b"q\t0\td\t1\n", '1: found query "0"'),
            (
                b"[1]",
                '1: found 1 field, "[1]"; expected session, query, rank and document, divided by '
                "tabs (RS-CONV-22); sessions in JSON are an object",
            ),
            (b"a\t1\t1\n", '1: found 3 fields, "a 1 1"; expected'),
            # CR alone ends no line: what follows one would be lost.
            (
                b"session\tquery\trank\tdocument\rs1\t1\t1\ta\ns2\t1\t1\tc\n",
                "1: found a carriage return (CR)",
            ),
            (
                b"s1\t1\t1\ta\tt\rs1\t1\t2\tb\tt\r",
                "1: found a carriage return (CR) within a line",
            ),
            (
                b"s1\t1\tno results\tx\tx\rs1\t2\t1\ta\n",
                "1: found a carriage return (CR) within a line",
            ),
            (
                b"s1\t1\t1\ta\n# comment\rs1\t1\t2\ta\ns1\t2\t1\ta\n",
                "2: found a carriage return (CR) within",
            ),
        ],
    )
    def test_it_is_refused(self, lines: bytes, complaint: str) -> None:
        assert refused(lines).startswith(complaint)
        assert "RS-CONV-22" in refused(lines) or "NUL" in complaint or "CR" in complaint

    def test_damage_is_named(self) -> None:
        assert "the file is truncated" in refused(gzip.compress(LINES)[:-9])
        with pytest.raises(InputError, match="nowhere: cannot be read"):
            rs.read_sessions("nowhere")


def in_xml(inside: str) -> bytes:
    return f"<sessiontrack2013>\n{inside}\n</sessiontrack2013>".encode()


def session(inside: str) -> bytes:
    return in_xml(f'<session num="1">\n{inside}\n</session>')


def result(inside: str) -> bytes:
    """A result in line 6."""
    return session(f'<interaction num="1">\n<results>\n\n{inside}\n</results></interaction>')


GOOD = '<result rank="1"><docno>d</docno></result>'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.spec("RS-CONV-23")
class TestXmlThatIsRefused:
    @each(
        ("content", "complaint"),
        [
            (in_xml(""), " empty; expected sessions"),
            (b"<", "1: not valid XML: unclosed token (is the file cut short?)"),
            (
                b"<sessiontrack2013>\n",
                "2: not valid XML: no element found (is the file cut short?)",
            ),
            (b"<html>\n</html>", '1: found the element "html"; expected sessiontrack20NN'),
            (b"<sessiontrack2013/><x/>", "1: not valid XML: junk after document element"),
            (b"<sessiontrack2013>\n<a></b></sessiontrack2013>", "2: not valid XML: mismatched tag"),
            (in_xml("&what;"), "2: not valid XML: undefined entity"),
            (in_xml("\xff").replace(b"\xc3\xbf", b"\xff"), "2: not valid XML: not well-formed"),
            (in_xml("\0"), "2: not valid XML: not well-formed"),
            (b'<?xml version="1.0" encoding="rot13"?><a/>', "1: "),
            (b'<?xml version="1.0" encoding="utf-7"?><a/>', "1: found an encoding that cannot be"),
            (
                b'<?xml version="1.0" encoding="what"?><a/>',
                "1: found an encoding that cannot be read",
            ),
            (b"<!DOCTYPE sessiontrack2013>\n<sessiontrack2013/>", "1: found a document type"),
            (
                f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>\n<x>&l9;</x>'.encode(),
                "1: found a document type",
            ),
            (
                b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<x>&e;</x>',
                "1: found a document type",
            ),
            (
                b'\n<!DOCTYPE x SYSTEM "http://localhost:1/x.dtd">\n<x/>',
                "2: found a document type",
            ),
            (in_xml("<a>" * 200 + "</a>" * 200), "2: found elements in more than 100 others"),
            (in_xml(f'<a b="{"x" * 70_000}"/>'), "2: found an attribute of more than 65536"),
            (
                result(f'<result rank="1"><docno>{"x" * 70_000}</docno></result>'),
                "6: found an id of",
            ),
            (in_xml("<session/>"), "2: found a session without num"),
            (in_xml('<session num=" "/>'), "2: found a blank as num of a session"),
            (
                in_xml('<session num="1"/>\n<session num="1"/>'),
                '3: found session "1" a second time',
            ),
            (in_xml('<session num="1"/><session num="1"/>'), '2: found session "1" a second time'),
            (session('<session num="2"/>'), '3: found session in "session"; expected it in sess'),
            (in_xml('<x><session num="1"/></x>'), '2: found session in "x"'),
            (session('<topic num=""/>'), "3: found a blank as num of a topic"),
            (
                session('<topic num="1"/>\n<topic num="1"/>'),
                '4: found a second topic of session "1"',
            ),
            (in_xml('<topic num="1"/>'), '2: found topic in "sessiontrack2013"'),
            (session("<interaction/>"), '3: found interaction without num in session "1"; expect'),
            (session('<interaction num="2"/>'), '3: found interaction with num "2" in session "1"'),
            (session('<interaction num="x"/>'), '3: found interaction with num "x"'),
            (
                session('<interaction num="1"/>\n<interaction num="1"/>'),
                '4: found interaction with num "1" in session "1"; expected 2',
            ),
            (session('<x><interaction num="1"/></x>'), '3: found interaction in "x"'),
            (session("<results/>"), '3: found results in "session"'),
            (session("<currentquery><results/></currentquery>"), '3: found results in "currentq'),
            (session("<currentquery/>\n<currentquery/>"), "4: found a second current query"),
            (
                session('<currentquery/>\n<interaction num="1"/>'),
                "4: found an interaction behind the current query",
            ),
            (
                session('<interaction num="1"><results/>\n<results/></interaction>'),
                "4: found results of interaction 1 a second time",
            ),
            (result(f"<x>{GOOD}</x>"), '6: found result in "x"'),
            (result('<result rank="2"><docno>d</docno></result>'), '6: found result with rank "2"'),
            (result("<result><docno>d</docno></result>"), "6: found result without rank"),
            (result(f"{GOOD}\n{GOOD}"), '7: found result with rank "1" in session "1"; expected 2'),
            (result('<result rank="1"></result>'), "6: found no document in result 1 of interacti"),
            (result('<result rank="1"><docno> </docno></result>'), "6: found a blank as docno"),
            (
                result('<result rank="1"><docno><b>d</b></docno></result>'),
                '6: found the element "b" in docno, an id',
            ),
            (
                result('<result rank="1"><docno>a<docno>b</docno></docno></result>'),
                '6: found the element "docno" in docno, an id',
            ),
            (
                result('<result rank="1"><docno>a&#9;b</docno></result>'),
                "6: found 'a\\tb', which has a tab, a line end or a NUL, as docno",
            ),
            (
                result('<result rank="1"><docno>a\nb</docno></result>'),
                "7: found 'a\\nb', which has a tab, a line end or a NUL, as docno",
            ),
            (in_xml('<session num="a&#13;b"/>'), "2: found 'a\\rb', which has a tab, a line end"),
            (
                result('<result rank="1"><docno>d</docno><clueweb09id>e</clueweb09id></result>'),
                "6: found a second id of the document of a result",
            ),
        ],
    )
    def test_it_is_refused(self, content: bytes, complaint: str) -> None:
        assert refused(content).startswith(complaint)
        limit = "RANKSPEC_MOST" in refused(content)
        assert refused(content).endswith("(RS-CONV-30)" if limit else "(RS-CONV-23)")

    def test_the_good_parts_are_good(self) -> None:
        """What the cases above are made of, without what is wrong with them."""
        assert read(result(GOOD)) == [rs.SearchSession("1", [["d"]])]
        assert read(session('<topic num="1"/>')) == [rs.SearchSession("1", [], "1")]
        assert read(session("<topic/>")) == [rs.SearchSession("1", [])]
        assert read(session("<a>" * 98 + "</a>" * 98)) == [rs.SearchSession("1", [])]
        assert read(session(f'<a b="{"x" * 60_000}"/>')) == [rs.SearchSession("1", [])]

    def test_a_tag_without_end_is_given_up(self) -> None:
        """Expat would read it again with each block: that takes the square of its length."""
        endless = b'<sessiontrack2013 a="' + b"x" * (48 << 20)
        begin = time.process_time()
        assert "bytes that are no whole tag" in refused(endless)
        assert time.process_time() - begin < 5

    def test_an_id_in_many_pieces(self) -> None:
        """Each comment ends one; a second look at all of them at each would take their square."""
        pieces = result(f'<result rank="1"><docno>{"x<!---->" * 60_000}</docno></result>')
        begin = time.process_time()
        assert read(pieces)[0].queries == [["x" * 60_000]]
        assert time.process_time() - begin < 5

    def test_nothing_is_fetched(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An external entity would be a file or an address: neither is opened."""
        opened: list[object] = []
        monkeypatch.setattr("builtins.open", lambda *x, **_: opened.append(x))
        monkeypatch.setattr("socket.socket.connect", lambda *x: opened.append(x))
        refused(b'<!DOCTYPE x SYSTEM "file:///etc/hostname">\n<x/>')
        assert opened == []


@pytest.mark.spec("RS-CONV-24")
class TestJsonThatIsRefused:
    @each(
        ("content", "complaint"),
        [
            (b"{", "1: not valid JSON: Expecting property name"),
            (b'{"sessions":\n', "2: not valid JSON: Expecting value"),
            (b'{"sessions": []} x', "1: not valid JSON: Extra data"),
            (
                b"{}",
                ' there is no key "sessions"; expected {"sessions": [{"id": "1", "queries": '
                '[["a", "b"]]}]}',
            ),
            (b'{"sessions": {}}', " sessions: an object is no list"),
            (b'{"sessions": []}', " empty"),
            (b'{"sessions": [1]}', " sessions[0]: 1 is no object with id"),
            (b'{"sessions": [{"id": "a"}]}', ' sessions[0]: there is no key "queries"'),
            (b'{"sessions": [{"queries": []}]}', ' sessions[0]: there is no key "id"'),
            (b'{"sessions": [{"id": 1, "queries": []}]}', " sessions[0].id: 1 is no text"),
            (
                b'{"sessions": [{"id": " ", "queries": []}]}',
                " sessions[0].id: a blank as the session id",
            ),
            (b'{"sessions": null}', " sessions: null is no list"),
            (b'{"sessions": [true]}', " sessions[0]: true is no object with id"),
            (b'{"sessions": [[]]}', " sessions[0]: a list is no object with id"),
            (b'{"sessions": [{"id": -1.50, "queries": []}]}', " sessions[0].id: -1.50 is no text"),
            (
                b'{"sessions": [{"id": "a", "topic": 7, "queries": []}]}',
                " sessions[0].topic: 7 is no text",
            ),
            (
                b'{"sessions": [{"id": "a", "queries": "d"}]}',
                ' sessions[0].queries: "d" is no list',
            ),
            (
                b'{"sessions": [{"id": "a", "queries": []}, {"id": "a", "queries": []}]}',
                ' sessions[1].id: session "a" occurs a second time',
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [[], "d"]}]}',
                ' sessions[0].queries[1]: "d" is no list of documents, nor an object with results',
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [{"result": []}]}]}',
                ' sessions[0].queries[0]: there is no key "results"',
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [["d", 1]]}]}',
                " sessions[0].queries[0][1]: 1 is no document; ids are texts",
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [{"results": ["d", ""]}]}]}',
                " sessions[0].queries[0].results[1]: a blank as the document id",
            ),
            (
                b'{"sessions": [{"id": "\\ud800", "queries": []}]}',
                " sessions[0].id: the session id '\\ud800' has no unique encoding in UTF-8",
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [], "queries": []}]}',
                ' sessions[0]: the key "queries" is twice in one object',
            ),
            (
                b'{"sessions": [], "x": [1, {"a": {"b": NaN, "b": 1}, "a": 2}]}',
                ' x[1]: the key "a" is twice in one object',
            ),
            (b'{"sessions": [], "sessions": 1}', ' the key "sessions" is twice in one object'),
            (b'{"sessions": [], "x": [1, NaN]}', " x[1]: NaN is no number of JSON (RS-CONV-24)"),
            (b'{"sessions": -Infinity}', " sessions: -Infinity is no number of JSON"),
            (
                b'{"sessions": [{"id": "\\udc80", "queries": []}]}',
                " sessions[0].id: the session id '\\ud800' has no unique encoding in UTF-8",
            ),
            (
                b'{"sessions": [{"id": "a\\tb", "queries": []}]}',
                " sessions[0].id: 'a\\tb', which has a tab, a line end or a NUL, as the session id",
            ),
            (
                b'{"sessions": [{"id": "a", "queries": [["d\\u0000"]]}]}',
                " sessions[0].queries[0][0]: 'd\\x00', which has a tab",
            ),
            (b"\n" + b'{"a":' * 100_000, "2: lists or objects are nested too deep (RS-CONV-24)"),
            (b'{"sessions": ' + b"7" * 5000 + b"}", f" sessions: {'7' * 60}... is no list"),
        ],
    )
    def test_it_is_refused(self, content: bytes, complaint: str) -> None:
        assert refused(content).startswith(complaint)


@pytest.mark.spec("RS-CONV-25")
class TestJudgments:
    def judged(self, content: bytes) -> dict[str, dict[str, Any]]:
        return read_judgments(io.BytesIO(content))

    def refused(self, content: bytes) -> str:
        with pytest.raises(InputError) as error:
            self.judged(content)
        return str(error.value).removeprefix("the open file:")

    def test_three_columns(self) -> None:
        lines = b"a\td1\t2\nb\td 3\t-1\na\td2\t0\n"
        assert self.judged(lines) == JUDGMENTS
        assert self.judged(b"SessionID\tURL\tRelevance\n" + lines) == JUDGMENTS
        assert self.judged(b"# of them\n\nS\tU\tR\r\n" + lines) == JUDGMENTS
        assert self.judged(gzip.compress(lines)) == JUDGMENTS

    def test_qrels(self) -> None:
        expected = {"a": {"d1": 2}, "b": {"d3": -2}}
        assert self.judged(b"a 0 d1 2\nb 0 d3 -2\n") == expected
        assert self.judged(b"\na\t0\td1\t2\nb\t0\td3\t-2\n") == expected

    @pytest.mark.spec("RS-CONV-25")
    def test_decimals_are_what_they_are_in_a_dict(self) -> None:
        """In both forms; a label that is none makes all of the file doubles."""
        expected = {"a": {"d1": 1.5, "d2": 2.0}}
        for lines in (b"a 0 d1 1.5\na 0 d2 2\n", b"a\td1\t1.5\na\td2\t2\n"):
            found = self.judged(lines)
            assert found == expected
            assert {type(x) for x in found["a"].values()} == {float}
            session = [rs.SearchSession("a", [["d1"], ["d2"]])]
            of_file = rs.evaluate_sessions(io.BytesIO(lines), session, "sDCG@2")
            assert of_file.mean == rs.evaluate_sessions(expected, session, "sDCG@2").mean

    @each(
        ("content", "complaint"),
        [
            (b"", " empty"),
            (b"# x\n", " empty"),
            (b"a\td\tlabel\n", " empty"),
            # The first line is a judgment, though its label is none.
            (b"a\td\t1x\nb\td\t1\n", '1: the label is "1x"; expected a finite number'),
            (b"a\td\t\nb\td\t1\n", '1: the label is ""'),
            (b"a\td\t-\nb\td\t1\n", '1: the label is "-"'),
            (b"a\td\t+\nb\td\t1\n", '1: the label is "+"'),
            (b"a\td\t1,5\nb\td\t1\n", '1: the label is "1,5"'),
            (b"a\td\t?\nb\td\t1\n", '1: the label is "?"'),
            (b"a\td\tinf\nb\td\t1\n", '1: the label is "inf"'),
            (b"# c\ra\td\t1\nb\td\t1\n", "1: found a carriage return (CR) within a line"),
            (b"S\tD\tL\ra\td\t1\r", "1: found 6 columns"),
            (b"a 0 d 1.5x\n", '1: the label is "1.5x"; expected a finite number'),
            (
                b"a d\nb e\n",
                '1: found 2 columns, "a d"; expected the 4 columns of qrels: query iteration '
                "document label, or three divided by tabs: session or topic, document, label",
            ),
            (b"a\td\t1\na\td\n", "2: found 2 fields"),
            (b"a\td\t1\na\td\t1\tx\n", "2: found 4 fields"),
            (b"a\t\t1\n", "1: found a blank id"),
            (b" \td\t1\n", "1: found a blank id"),
            (b"a\td\t1.5.\n", '1: the label is "1.5."; expected a finite number'),
            (b"a\td\tnan\n", '1: the label is "nan"'),
            (b"a\td\t1e999\n", '1: the label is "1e999"'),
            (b"a\td\t1\na\te\tx\n", '2: the label is "x"'),
            (
                b"a\td\t1\nb\td\t1\na\td\t1\n",
                '3: document "d" of session or topic "a" occurs a second time; it is already in '
                "line 1",
            ),
            (b"a 0 d 1\na 0 d 1\n", '2: document "d" of session or topic "a" occurs a second time'),
            (b"a\td\0\t1\n", "1: found a NUL byte"),
            (b"a 0 d 1\na 0 d\n", "2: found 3 columns"),
            (b"a 0 d x\n", '1: the label is "x"'),
        ],
    )
    def test_it_is_refused(self, content: bytes, complaint: str) -> None:
        assert self.refused(content).startswith(complaint)
        assert "phi" not in self.refused(content)  # which no command of sessions knows


@pytest.mark.spec("RS-CONV-25")
class TestTopics:
    def test_columns(self) -> None:
        assert read_topics(io.BytesIO(b"1 7\n# x\n\n2\t8\r\n")) == {"1": "7", "2": "8"}

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            (b"", "the open file: empty"),
            (b"1 7\n2\n", "the open file:2: found 1 field; expected session and topic"),
            (b"1 7 x\n", "the open file:1: found 3 fields"),
            (b"1 7\n1 7\n", 'the open file:2: session "1" occurs a second time'),
            (b"1 7\0\n", "the open file:1: found a NUL byte"),
        ],
    )
    def test_it_is_refused(self, content: bytes, complaint: str) -> None:
        with pytest.raises(InputError) as error:
            read_topics(io.BytesIO(content))
        assert str(error.value).startswith(complaint)

    def test_sessions_without_a_topic_are_left_out(self) -> None:
        assert read(LINES, topics={"b": "8"}) == [rs.SearchSession("b", B.queries, "8")]
        assert read(XML, topics=io.BytesIO(b"a 7\nc 9\n")) == read(XML)[:1]

    def test_a_contradiction_is_refused(self) -> None:
        with pytest.raises(InputError) as error:
            read(XML, topics={"a": "8"})
        assert str(error.value) == (
            'topics: session "a" has the topic "8" here, but "7" in the open file:3 (RS-CONV-25)'
        )
        with pytest.raises(
            InputError, match=r'^the open file:2: session "a" has the topic "8" here'
        ):
            read(XML, topics=io.BytesIO(b"b 7\na 8\n"))

    @pytest.mark.parametrize(
        "topics", [3, {True: "7"}, {"a": 7.5}, {"a": "\ud800"}, {"a": " "}, {"": "7"}, {"a\n": "7"}]
    )
    def test_what_is_no_topics(self, topics: Any) -> None:
        with pytest.raises(InputError, match="topics"):
            read(LINES, topics=topics)


@pytest.mark.spec("RS-CONV-23")
class TestCurrent:
    def test_a_run_is_the_last_query(self) -> None:
        """By scores, and ids descending where they are the same."""
        run = b"a Q0 x 9 1.5 t\na Q0 y 1 2.5 t\na Q0 z 3 1.5 t\n"
        for current in (
            io.BytesIO(run),
            {"a": {"x": 1.5, "y": 2.5, "z": 1.5}},
            {"a": ["y", "z", "x"]},
        ):
            first, second = read(LINES, current=current)
            assert first.queries == [*A.queries, ["y", "z", "x"]]
            assert second == B

    def test_a_ranking_of_no_session_is_refused(self) -> None:
        with pytest.raises(InputError, match='session "c" has a ranking, but is not among'):
            read(LINES, current={"c": ["d"]})
        with pytest.raises(InputError, match=r'^the open file:2: session "c" has a ranking, but'):
            read(LINES, current=io.BytesIO(b"a Q0 d 1 1 t\nc Q0 d 1 1 t\n"))

    @pytest.mark.spec("RS-CONV-32")
    def test_what_orders_the_run(self) -> None:
        """As evaluate() orders it: a run without scores has its ranks, or its lines."""
        run = b"a Q0 x 3 X t\na Q0 y 1 X t\na Q0 z 2 X t\n"
        for order, expected in (("rank", ["y", "z", "x"]), ("file", ["x", "y", "z"])):
            first, second = read(LINES, current=io.BytesIO(run), order=order)
            assert first.queries == [*A.queries, expected]
            assert second == B
        with pytest.raises(InputError, match=r'1: the score is "X".* order="rank" \(--order rank'):
            read(LINES, current=io.BytesIO(run))
        scores = {"a": {"x": 1.5, "y": 2.5}}
        assert read(LINES, current=scores, order="file")[0].queries[-1] == ["x", "y"]
        with pytest.raises(InputError, match='order: "rank" needs a TREC file with a rank column'):
            read(LINES, current=scores, order="rank")
        orders_it = 'order: "rank" orders the run given as current, and there is none'
        with pytest.raises(InputError, match=orders_it):
            read(LINES, order="rank")
        unknown = r'order: unknown choice "ranks" \(did you mean "rank"\?\); expected one of '
        with pytest.raises(InputError, match=unknown):
            read(LINES, current=scores, order="ranks")

    @pytest.mark.spec("RS-CONV-32")
    def test_what_orders_the_run_that_is_evaluated(self) -> None:
        run = b"a Q0 x 2 X t\na Q0 y 1 X t\n"
        for order, value in (("rank", 1.0), ("file", 0.0)):
            how = {"current": io.BytesIO(run), "order": order}
            judged = rs.judge_sessions({"a": {"y": 1}}, {"a": [["x"]]}, **how)
            assert judged.sessions[0].queries[-1][0] == ("y" if order == "rank" else "x")
            how = {"current": io.BytesIO(run), "order": order}
            found = rs.evaluate_sessions(
                {"a": {"y": 1}}, {"a": [["x"]]}, "query_nDCG(over='last')@1", **how
            )
            assert list(found.mean.values()) == [value]

    @pytest.mark.parametrize(
        "current",
        [
            3,
            {"a": 3},
            {"a": "d"},
            {"a": [3.5]},
            {"a": {"d": "x"}},
            {1: []},
            {"a": {"d"}},
            {"a": [""]},
        ],
    )
    def test_what_is_no_ranking(self, current: Any) -> None:
        with pytest.raises(InputError):
            read(LINES, current=current)


def damaged(content: bytes, seed: int) -> Iterator[bytes]:
    """The file cut short anywhere, and with a byte or a piece that is another."""
    randomly = random.Random(seed)
    for end in range(len(content)):
        yield content[:end]
    for _ in range(1500):
        at = randomly.randrange(len(content))
        length = randomly.choice([0, 1, 1, 1, 5, 20])
        put = randomly.choice(
            [b"", b"\t", b"\n", b"\0", b"\xff", b"<", b'"', b"{", b"]", b"9", b"d1"]
        )
        yield content[:at] + put + content[at + length :]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("content", [LINES, XML, JSON], ids=["lines", "xml", "json"])
def test_damage_is_an_error_or_another_file(content: bytes) -> None:
    """Never another exception, nor more documents than the file has room for."""
    errors = 0
    for written in damaged(content, seed=7):
        try:
            sessions = read(written)
        except InputError as error:
            errors += "\n" not in str(error)
        else:
            shown = [d for session in sessions for query in session.queries for d in query]
            assert sum(map(len, shown)) <= len(written)
            assert all(d.strip() for d in shown)
    assert errors > 500


@pytest.mark.parametrize("content", [XML, JSON], ids=["xml", "json"])
def test_a_file_cut_short_is_an_error(content: bytes) -> None:
    """Before its last bracket has come; lines may end anywhere."""
    for end in range(len(content.rstrip())):
        with pytest.raises(InputError):
            read(content[:end])


@each(
    ("reader", "content"),
    [
        (read_judgments, b"s\td\tl\na\td1\t2\nb\td 3\t-1\n"),
        (read_judgments, b"a 0 d1 2\nb 0 d3 -2\n"),
        (read_topics, b"1 7\n2 8\n"),
    ],
    fast=1,
)
def test_judgments_and_topics_damaged(reader: Callable[[Any], Any], content: bytes) -> None:
    errors = 0
    for written in damaged(content, seed=11):
        try:
            reader(io.BytesIO(written))
        except InputError:
            errors += 1
    assert errors > 100


def of_pages(*pages: list[tuple[int, str]]) -> bytes:
    """A session with an interaction for each page of ranks and documents."""
    interactions = "".join(
        f'<interaction num="{number}"><results>'
        + "".join(f'<result rank="{rank}"><docno>{doc}</docno></result>' for rank, doc in page)
        + "</results></interaction>"
        for number, page in enumerate(pages, start=1)
    )
    text = f'<sessiontrack2014><session num="1">{interactions}</session></sessiontrack2014>'
    return text.encode()


FIRST, SECOND, THIRD = ([(10 * p + i, f"d{10 * p + i}") for i in range(1, 11)] for p in range(3))
NEW = [(1, "n1"), (2, "n2")]


@pytest.mark.spec("RS-CONV-23")
class TestFilesOfTheTrack:
    def test_further_pages(self) -> None:
        content = of_pages(FIRST, SECOND, THIRD, NEW)
        ids = [f"d{i}" for i in range(1, 31)]
        joined, separate = (
            rs.read_sessions(io.BytesIO(content), pages=rule)[0].queries
            for rule in ("joined", "separate")
        )
        assert joined == [ids, ["n1", "n2"]]
        assert separate == [ids[:10], ids[10:20], ids[20:], ["n1", "n2"]]

    def test_pages_change_nothing_of_a_file_without_them(self) -> None:
        content = of_pages(FIRST, NEW)
        for rule in ("joined", "separate"):
            assert rs.read_sessions(io.BytesIO(content), pages=rule) == read(content)

    @each(
        ("pages", "rule", "complaint"),
        [
            (
                (FIRST, SECOND),
                "error",
                'result with rank "11" in session "1"; expected 1; if this is',
            ),
            ((FIRST, SECOND[:1] + SECOND[2:]), "joined", 'rank "13" in session "1"; expected 12'),
            ((FIRST, SECOND[:1] + SECOND[2:]), "separate", 'rank "13" in session "1"; expected 12'),
            ((FIRST, THIRD), "joined", "begin with rank 21, after a query with 10 results"),
            ((SECOND,), "joined", "begin with rank 11, after a query with 0 results"),
            (([(0, "a")],), "separate", 'rank "0" in session "1"; expected 1'),
        ],
    )
    def test_ranks_that_are_no_page(
        self, pages: tuple[list[tuple[int, str]], ...], rule: str, complaint: str
    ) -> None:
        with pytest.raises(InputError) as caught:
            rs.read_sessions(io.BytesIO(of_pages(*pages)), pages=rule)
        assert complaint in str(caught.value)

    def test_an_ampersand_in_a_text(self) -> None:
        text = b"<title>AT&T & R&amp;D &#38; &x; &nbsp; a&</title>"
        content = of_pages(NEW).replace(b"<docno>n1</docno>", text + b"<docno>n&amp;1&2</docno>")
        with pytest.raises(InputError, match=r'ampersands="text" \(--ampersands\)'):
            read(content)
        (session,) = rs.read_sessions(io.BytesIO(content), ampersands="text")
        assert session.queries == [["n&1&2", "n2"]]

    @each("size", range(1, 14))
    def test_an_ampersand_at_the_end_of_a_block(self, size: int) -> None:
        blocks = [b"a &amp; b &am", b"p;&#x10FFF", b"F;&", b" x &lt", b"z&"]
        text = b"".join(blocks)
        wanted = b"a &amp; b &amp;&#x10FFFF;&amp; x &amp;ltz&amp;"
        assert b"".join(session_xml._with_references(blocks)) == wanted
        pieces = [text[i : i + size] for i in range(0, len(text), size)]
        assert b"".join(session_xml._with_references(pieces)) == wanted

    def test_utf_16_is_read_as_it_is(self) -> None:
        content = of_pages(NEW).decode().encode("utf-16")
        assert rs.read_sessions(io.BytesIO(content), ampersands="text") == read(content)

    @each("rule", [{"pages": "joined"}, {"ampersands": "text"}])
    def test_other_formats_have_neither(self, rule: dict[str, str]) -> None:
        with pytest.raises(InputError, match="pages and ampersands are of files in XML"):
            rs.read_sessions(io.BytesIO(b"s\t1\t1\td\n"), **rule)  # type: ignore[arg-type]

    @each("rule", [{"pages": "join"}, {"ampersands": "html"}, {"pages": None}])
    def test_unknown_rules(self, rule: dict[str, Any]) -> None:
        with pytest.raises(InputError, match=f"{next(iter(rule))}: "):
            rs.read_sessions(io.BytesIO(of_pages(NEW)), **rule)

    def test_the_command_reads_them(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        sessions, qrels = tmp_path / "sessions.xml", tmp_path / "qrels"
        sessions.write_bytes(
            of_pages(FIRST, SECOND).replace(b"<results>", b"<a>x & y</a><results>")
        )
        qrels.write_text("1 0 d11 1\n")
        command = ["session", "eval", str(qrels), str(sessions), "-m", "sDCG@20"]
        assert main(command) == 2
        assert "--ampersands" in capsys.readouterr().err
        values = []
        for rule in ("joined", "separate"):
            assert (
                main([*command, "--ampersands", "text", "--pages", rule, "--format", "json"]) == 0
            )
            values.append(json.loads(capsys.readouterr().out)["systems"][0]["mean"]["sDCG@20"])
        assert values[0] == pytest.approx(1 / (1 + math.log2(11)))  # rank 11 of the first query
        assert values[1] == pytest.approx(1 / (1 + math.log(2, 4)))  # rank 1 of the second
