"""Which column of a table is what: by the names that are usual, or as somebody says.

Spec: RS-CONV-43
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, check_known, listed, quoted, shown_text

USUAL = {
    "query": ("query_id", "qid", "q_id", "topic", "query"),
    "document": (
        "doc_id",
        "docno",
        "docid",
        "item_id",
        "product_id",
        "document_id",
        "corpus_id",
        "document",
    ),
    "label": ("relevance", "label", "rel", "grade", "rating"),
    "score": ("score", "prediction", "sim"),
    "rank": ("rank",),
}
"""What a column holds, and the names that say so; case is not read, and "-" is as "_"."""

TABLES = ("qrels", "run")

ColumnNames = Mapping[str, Any]
"""{what a column holds: its name}, for both, or one such for each: {"qrels": ..., "run": ...}"""


@dataclass(frozen=True)
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
        return {role: self._one(role, names, source) for role in self.roles}

    def candidates(self, role: str, names: Sequence[Any]) -> list[Any]:
        """Those of the names that may be of the column that holds this."""
        if role in self.given:
            return [name for name in names if name == self.given[role]]
        return [name for name in names if _plain(name) in USUAL[role]]

    def _one(self, role: str, names: Sequence[Any], source: str) -> Any:
        found = self.candidates(role, names)
        if len(found) == 1:
            return found[0]
        if found:
            raise self._several(role, found, source)
        raise self._none(role, names, source)

    def _several(self, role: str, found: list[Any], source: str) -> InputError:
        if len(set(map(str, found))) < len(found):
            return InputError(f"{source}: {len(found)} columns have the name {quoted(found[0])}")
        return InputError(
            f"{source}: the {role} may be column {' or '.join(map(quoted, found))}; say which: "
            f'columns={{"{role}": {quoted(found[0])}}} (RS-CONV-43)'
        )

    def _none(self, role: str, names: Sequence[Any], source: str) -> InputError:
        has = f"it has {listed(names) if len(names) else 'no columns'}"
        if role in self.given:
            other = "qrels" if self.table == "run" else "run"
            return InputError(
                f"{source}: there is no column {quoted(self.given[role])} for the {role}; {has}. "
                f'Where the {other} has other names than the {self.table}: columns={{"qrels": '
                '{...}, "run": {...}} (RS-CONV-43)'
            )
        if role == "score" and any(_plain(name) in USUAL["rank"] for name in names):
            return InputError(
                f'{source}: there is no column of scores, but one of ranks; order="rank" takes '
                f"the run in their order, the lowest first; {has} (RS-CONV-32)"
            )
        return InputError(
            f"{source}: there is no column of the {role}, {listed(USUAL[role])}; {has}. Say which "
            f'it is: columns={{"{role}": NAME}} (RS-CONV-43)'
        )


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
            f'columns: {quoted(columns)} is no dict; expected {{"query": NAME, "document": NAME, '
            '"label": NAME, "score": NAME}, or {"qrels": {...}, "run": {...}} (RS-CONV-43)'
        )
    nested = any(key in TABLES for key in columns)
    for key, value in columns.items():
        check_known("columns", key, TABLES if nested else USUAL)
        if nested:
            if not isinstance(value, Mapping) or any(name in TABLES for name in value):
                raise InputError(
                    f'columns: {shown_text(str(value))} for "{key}" is no dict of names'
                    " (RS-CONV-43)"
                )
            check_columns(value)


def _of_table(columns: ColumnNames | None, table: str) -> Mapping[str, Any]:
    check_columns(columns)
    if columns is None:
        return {}
    if any(key in TABLES for key in columns):
        own: Mapping[str, Any] = columns.get(table, {})
        return own
    return columns


def _plain(name: Any) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(name, str) else ""


def usual_names(roles: Iterable[str] = USUAL) -> str:
    """The usual names, in words."""
    return "; ".join(f"{role}: {', '.join(USUAL[role])}" for role in roles)
