"""Which column of a table is what: by the names that are usual, or as somebody says.

Spec: RS-CONV-43
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..errors import InputError, check_known, listed, quoted, shown_text
from ..records import record
from ..typed import Any
from . import trec

USUAL = {
    "query": ("query_id", "qid", "q_id", "topic", "query", "user_id", "userid", "user"),
    "document": (
        "doc_id",
        "docno",
        "docid",
        "item_id",
        "product_id",
        "document_id",
        "corpus_id",
        "document",
        "itemid",
        "item",
    ),
    "label": ("relevance", "label", "rel", "grade", "rating"),
    "score": ("score", "prediction", "sim"),
    "rank": ("rank",),
}
"""What a column holds, and the names that say so; case is not read, and "-" is as "_"."""

BEHIND = {
    "query": ("query_id", "qid", "q_id", "topic"),
    "user_id": USUAL["query"][:5],
    "userid": USUAL["query"][:6],
    "user": USUAL["query"][:7],
    "docid": ("docno",),
    "itemid": USUAL["document"][:8],
    "item": USUAL["document"][:9],
}
"""Names that say so only where there is none of these: beside "qid" a "query" is its text, beside
"docno" a "docid" is the number that PyTerrier gives a document."""

TABLES = ("qrels", "run")

ColumnNames = Mapping[str, Any]
"""{what a column holds: its name}, for both, or one such for each: {"qrels": ..., "run": ...}"""


@record()
class Wanted:
    """Columns to be found in a table.

    table: "qrels" or "run"; number: "label", "score" or "rank", or None: none is read
    given: {what a column holds: its name}, as somebody says
    """

    table: str
    number: str | None
    given: Mapping[str, Any]

    @property
    def roles(self) -> tuple[str, ...]:
        return ("query", "document", *([self.number] if self.number else []))

    def among(self, names: Sequence[Any], source: str) -> dict[str, Any]:
        """{what a column holds: its name} of a table with columns of these names.

        source: of the table, for messages
        """
        found = {role: self.candidates(role, names) for role in self.roles}
        open_roles = [role for role in self.roles if len(found[role]) != 1]
        if not open_roles:
            return {role: of_role[0] for role, of_role in found.items()}
        if {"session", "document"} <= set(map(_plain, names)):
            raise InputError(f"{source}: {trec.OF_SESSIONS}; {_has(names)} (RS-CONV-43)")
        for role in open_roles:
            self._check_one(role, found[role], names, source)
        raise self._open({role: found[role] for role in open_roles}, names, source)

    def candidates(self, role: str, names: Sequence[Any]) -> list[Any]:
        """Those of the names that may be of the column that holds this."""
        if role in self.given:
            return [name for name in names if name == self.given[role]]
        there = {_plain(name) for name in names}
        return [
            name
            for name in names
            if (plain := _plain(name)) in USUAL[role] and there.isdisjoint(BEHIND.get(plain, ()))
        ]

    def _check_one(self, role: str, found: list[Any], names: Sequence[Any], source: str) -> None:
        """An InputError for what has an answer of its own."""
        if found and len(set(map(str, found))) < len(found):
            raise InputError(f"{source}: {len(found)} columns have the name {quoted(found[0])}")
        if found:
            return
        has = _has(names)
        if role in self.given:
            other = "qrels" if self.table == "run" else "run"
            apart = {"qrels": "{...}", "run": "{...}"}
            raise InputError(
                f"{source}: there is no column {quoted(self.given[role])} for the {role}; {has}. "
                f"Where the {other} has other names than the {self.table}: "
                + (
                    "--columns qrels." + role + "=NAME,run." + role + "=NAME"
                    if self._of_option
                    else "columns=" + _written(apart)
                )
                + " (RS-CONV-43)"
            )
        if role == "score" and any(_plain(name) in USUAL["rank"] for name in names):
            order = "--order rank" if self._of_option else 'order="rank"'
            raise InputError(
                f"{source}: it has a column of ranks, but none of scores; {order} orders the run "
                f"by rank, the lowest first; {has} (RS-CONV-32)"
            )
        swapped = {"label": "score", "score": "label"}.get(role, "")
        if swapped and (instead := Wanted(self.table, None, {}).candidates(swapped, names)):
            raise InputError(
                f"{source}: the {self.table} {'have' if self.table == 'qrels' else 'has'} no "
                f"column of the {role}, {listed(USUAL[role])}, but {quoted(instead[0])}, of the "
                f"{swapped}: are the qrels and the run swapped? The qrels come first; {has}. Where "
                f"that is the {role}: {self._hint({role: quoted(instead[0])})} (RS-CONV-43)"
            )

    def _open(
        self, found: Mapping[str, list[Any]], names: Sequence[Any], source: str
    ) -> InputError:
        """The error for columns of which it is open which they are, all of them at once."""
        none = [f"the {role}, {listed(USUAL[role])}" for role, x in found.items() if not x]
        several = [
            f"the {role} may be in the column {' or '.join(map(quoted, x))}"
            for role, x in found.items()
            if x
        ]
        said = [f"there is no column of {', nor of '.join(none)}; {_has(names)}"] if none else []
        say = self._hint(dict.fromkeys(found, "NAME"))
        which = "which it is" if len(found) == 1 else "which they are"
        return InputError(f"{source}: {'; '.join(said + several)}. Say {which}: {say} (RS-CONV-43)")

    @property
    def _of_option(self) -> bool:
        return isinstance(self.given, OfOption)

    def _hint(self, open_roles: Mapping[str, str]) -> str:
        """How to say it, with what was said already; {what a column holds: as it is written}."""
        if self._of_option:
            pairs = {**self.given, **{role: x.strip('"') for role, x in open_roles.items()}}
            words = ",".join(f"{role}={name}" for role, name in pairs.items())
            return f"--columns {words}" if " " not in words else f'--columns "{words}"'
        said = {role: quoted(name) for role, name in self.given.items()}
        return f"columns={_written(said | dict(open_roles))}"


class OfOption(dict[str, Any]):
    """Names of columns that the option --columns gives: messages say how to write these."""


def _written(values: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in values.items()) + "}"


def _has(names: Sequence[Any]) -> str:
    return f"it has {', '.join(map(quoted, names)) if len(names) else 'no columns'}"


def wanted(columns: ColumnNames | None, table: str, number: str | None) -> Wanted:
    """What is looked for in the qrels or the run.

    columns: as somebody gives them, or None
    """
    return Wanted(table, number, _of_table(columns, table))


def check_columns(columns: Any) -> None:
    """An InputError for what is no names of columns."""
    if columns is None:
        return
    if not isinstance(columns, Mapping):
        raise InputError(
            'columns: expected {"query": NAME, "document": NAME, "label": NAME, "score": NAME}, '
            f'or {{"qrels": {{...}}, "run": {{...}}}}, got {quoted(columns)} (RS-CONV-43)'
        )
    nested = any(key in TABLES for key in columns)
    for key, value in columns.items():
        check_known("columns", key, TABLES if nested else USUAL)
        if nested:
            if not isinstance(value, Mapping) or any(name in TABLES for name in value):
                raise InputError(
                    f'columns: expected a dict of names for "{key}", got '
                    f"{shown_text(str(value))} (RS-CONV-43)"
                )
            check_columns(value)


def _of_table(columns: ColumnNames | None, table: str) -> Mapping[str, Any]:
    check_columns(columns)
    if columns is None:
        return {}
    if any(key in TABLES for key in columns):
        own: Mapping[str, Any] = columns.get(table, {})
        return OfOption(own) if isinstance(columns, OfOption) else own
    return columns


def _plain(name: Any) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else ""


def usual_names(roles: Iterable[str] = USUAL) -> str:
    """The usual names, in words."""
    return "; ".join(f"{role}: {', '.join(USUAL[role])}" for role in roles)
