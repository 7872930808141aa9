"""Session files of each form, as tests write them: {session: [[document, ...], ...]}."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

Table = Mapping[str, Sequence[Sequence[str]]]


def as_lines(table: Table) -> bytes:
    lines = []
    for session, queries in table.items():
        for q, documents in enumerate(queries, start=1):
            lines += [] if documents else [f"{session}\t{q}"]
            lines += [f"{session}\t{q}\t{i}\t{d}" for i, d in enumerate(documents, start=1)]
    return ("\n".join(lines) + "\n").encode()


def as_xml(table: Table) -> bytes:
    lines = ["<sessiontrack2013>"]
    for session, queries in table.items():
        lines.append(f"<session num={quoteattr(session)}>")
        for q, documents in enumerate(queries, start=1):
            results = "\n".join(
                f'<result rank="{i}"><docno>{escape(d)}</docno></result>'
                for i, d in enumerate(documents, start=1)
            )
            lines.append(f'<interaction num="{q}"><results>{results}</results></interaction>')
        lines.append("</session>")
    return "\n".join([*lines, "</sessiontrack2013>"]).encode()


def as_json(table: Table) -> bytes:
    sessions = [{"id": session, "queries": queries} for session, queries in table.items()]
    return json.dumps({"sessions": sessions}).encode()
