"""Ranked lists of ids and the relevant ids beside them, as recommenders and retrievers give them.

Both become {query: {document: number}}, checked: what a run and qrels are. Spec: RS-CONV-45.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Any, TypeGuard

from ..compute.gain import text_of
from ..errors import InputError, by_value, dimensions, items_of, shown, shown_given, shown_text
from . import trec
from .data_frames import is_frame, is_of_columns
from .frames import FromLists, Label, checked_label, snapshot
from .ids import as_id, by_text, check_bytes, no_id, text_of_id, texts_of_ids

RANKED, RELEVANT = "ranked", "relevant"
USER = "user"
LABEL_OF_AN_ID = 1
OF_A_ROW = 3  # a query, a document and a number
_RELEVANT_IS = "a set or list of relevant ids, or a dict of their labels"


def read_lists_of_ids(
    ranked: Any, relevant: Any, duplicates: str, padding: Any = None
) -> tuple[FromLists, FromLists]:
    """The labels and the ranked lists, by user.

    Without names users are called "0", "1", ... by their positions.
    padding: an id that fills up lists, and is left out
    """
    filler = padding_of(padding)
    for given, what in ((ranked, RANKED), (relevant, RELEVANT)):
        _check_no_frame(given, what)
    ranked, relevant = (list(x) if isinstance(x, Iterator) else x for x in (ranked, relevant))
    lists, judged = _beside_each_other(ranked, relevant)
    named = _is_mapping(ranked)
    if not judged:
        raise InputError(f"{RELEVANT}: expected {_RELEVANT_IS} for each {USER}, got none")
    many = named or len(lists) > 1 or not _is_one_list(ranked, relevant)

    def of(name: str) -> str:
        return _of_user(name) if named else f" of list {name}" if many else ""

    labels = {name: _labels(own, of(name), duplicates, filler) for name, own in judged.items()}
    try:
        in_order = {
            name: _in_order(own, of(name), duplicates, filler) for name, own in lists.items()
        }
    except InputError as error:
        raise InputError(f"{error}{_swapped(lists, judged)}") from None
    return FromLists(labels), FromLists(in_order)


def _swapped(lists: Mapping[str, Any], judged: Mapping[str, Any]) -> str:
    """What to ask where what is relevant stands in the place of what is ranked, or nothing."""

    def unordered(given: Mapping[str, Any]) -> bool:
        return any(isinstance(x, (Set, Mapping)) for x in given.values())

    if not unordered(lists) or unordered(judged):
        return ""
    return "; are the two swapped? rs.evaluate_lists(ranked, relevant, measures)"


def are_by_position(given: Any) -> bool:
    """Whether these are lists or sets of ids, the position of each its user, and no rows."""
    if dimensions(given) == 2:
        return bool(given.shape[1] != OF_A_ROW)
    if not isinstance(given, (list, tuple)):
        return False
    return any(
        isinstance(x, (Set, Mapping))
        or (
            isinstance(x, (list, tuple))
            and len(x) != OF_A_ROW
            and not hasattr(x, "query_id")  # of ir_measures
            and all(text_of_id(own) is not None for own in x)
        )
        for x in given
    )


def are_lists(given: Any) -> TypeGuard[Mapping[Any, Any]]:
    """Whether these are lists or sets of ids by user, and no dicts with numbers."""
    if not isinstance(given, Mapping):
        return False
    return any(_is_list(x) and not _is_mapping(x) for x in snapshot(given, "lists").values())


def is_a_list_of_ids(given: Any) -> bool:
    """Whether it is a list of texts or whole numbers, which are no rows."""
    if not isinstance(given, (list, tuple)) and dimensions(given) != 1:
        return False
    first = _first(given)
    return first is not None and text_of_id(first) is not None


def in_rank_order(
    ranked: Mapping[Any, Any], duplicates: str, padding: str | None = None
) -> FromLists:
    """The run of lists of ids by user."""
    lists = _by_user(ranked, RANKED)
    return FromLists(
        {x: _in_order(own, _of_user(x), duplicates, padding) for x, own in lists.items()}
    )


def with_labels(
    relevant: Mapping[Any, Any], duplicates: str, padding: str | None = None
) -> FromLists:
    """The qrels of relevant ids by user."""
    judged = _by_user(relevant, RELEVANT)
    return FromLists(
        {x: _labels(own, _of_user(x), duplicates, padding) for x, own in judged.items()}
    )


def padding_of(padding: Any) -> str | None:
    """The text of the id that fills up lists, or None; an InputError for what is no id."""
    return None if padding is None else as_id(padding, "padding", "document")


def _of_user(name: str) -> str:
    return f" of {USER} {shown_text(name)}"


def _beside_each_other(ranked: Any, relevant: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was given for each user, by names or by positions."""
    if _is_mapping(ranked):
        if not _is_mapping(relevant):
            raise InputError(
                f"{RELEVANT}: expected {{{USER}: {_RELEVANT_IS}}}, because {RANKED} is a dict by "
                f"{USER}; got {shown_given(relevant)}"
            )
        return _by_user(ranked, RANKED), _by_user(relevant, RELEVANT)
    if _is_one_list(ranked, relevant):
        if ranked is None:
            raise InputError(
                f"{RANKED}: expected a list of ids in rank order, several such lists, or a dict "
                f"of lists by {USER}, got None"
            )
        _check_of_one(relevant)
        return {"0": ranked}, {"0": relevant}
    lists = _items(ranked, RANKED, "", "lists of ids, or a dict of them")
    if _is_mapping(relevant) or isinstance(relevant, Set):
        raise InputError(
            f"{RELEVANT}: got a {type(relevant).__name__}, but {RANKED} is a list of "
            f"{len(lists)} lists; give dicts by user for both, or lists for both, matched by "
            "position"
        )
    judged = _items(relevant, RELEVANT, "", "what is relevant for each list")
    if len(lists) != len(judged):
        raise InputError(
            f"{RELEVANT}: {len(judged)} items for {len(lists)} lists; expected one per list, "
            "matched by position"
        )
    return (
        {str(a): x for a, x in enumerate(lists)},
        {str(a): x for a, x in enumerate(judged)},
    )


def _check_no_frame(given: Any, what: str) -> None:
    """An InputError for a data frame: some libraries go through its rows, others its columns."""
    if is_of_columns(given) and is_frame(given):
        raise InputError(
            f"{what}: in a data frame, the lists could be the rows or the columns; give a list, "
            "or a dict by user. rs.evaluate() takes frames with columns for users, items and "
            "scores (RS-CONV-45)"
        )


def _is_mapping(x: Any) -> bool:
    """Whether it has keys: a dict, or a Series of pandas."""
    return isinstance(x, Mapping) or (hasattr(x, "keys") and hasattr(x, "items"))


def _by_user(given: Any, what: str) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return by_text(snapshot(given, what), what, USER)
    pairs = list(given.items())
    names = texts_of_ids([user for user, _ in pairs], what, USER)
    found = dict(zip(names, (x for _, x in pairs), strict=True))
    if len(found) < len(names):
        twice = next(x for a, x in enumerate(names) if x in names[:a])
        raise InputError(f"{what}: {USER} {shown_text(twice)} occurs a second time (RS-CONV-45)")
    return found


# ---- one list ----------------------------------------------------------------------------


def _is_one_list(ranked: Any, relevant: Any) -> bool:
    """Whether these are the list of one user, and no list of lists."""
    first = _first(ranked)
    if first is not None:
        return not _is_list(first)
    if isinstance(relevant, Set):
        return True
    if _is_mapping(relevant):
        return True
    first = _first(relevant)
    return first is not None and not _is_list(first)


def _check_of_one(relevant: Any) -> None:
    values = list(relevant.values()) if isinstance(relevant, Mapping) else [_first(relevant)]
    if any(_is_list(x) or isinstance(x, Mapping) for x in values):
        raise InputError(
            f"{RELEVANT}: it holds several lists, but {RANKED} is one list of ids; expected "
            f"{_RELEVANT_IS}"
        )


def _first(given: Any) -> Any:
    """The first item; None where there is none, or no order."""
    if isinstance(given, (str, bytes, bytearray, Set, Mapping)):
        return None
    try:
        return next(iter(given), None)
    except (TypeError, ValueError):
        return None


def _is_list(x: Any) -> bool:
    """Whether it could hold ids."""
    if isinstance(x, (str, bytes, bytearray)) or dimensions(x, 1) == 0:
        return False
    if _has_a_score(x):
        return False
    return isinstance(x, Iterable) and text_of_id(x) is None


def _has_a_score(x: Any) -> bool:
    """Whether it is a pair of an id and a score, as some retrievers give them."""
    if not isinstance(x, (tuple, list)) or len(x) != 2 or text_of_id(x[1]) is not None:
        return False
    if text_of_id(x[0]) is None:  # two floats are neither
        return False
    return hasattr(x[1], "__float__") and dimensions(x[1]) == 0


def _items(given: Any, what: str, of: str, expected: str) -> list[Any]:
    """The items of a list or an array, or an InputError."""
    if _is_mapping(given) or not _is_list(given):
        is_pair = isinstance(given, (list, tuple)) and _has_a_score(given)
        why = "is an id with its score" if is_pair else "is no list"
        raise InputError(f"{what}{of}: {shown_given(given)} {why}; expected {expected}")
    if isinstance(given, list):
        return given.copy()
    if dimensions(given) and hasattr(given, "tolist"):
        if given.ndim > 2:
            raise InputError(f"{what}{of}: the array has {given.ndim} dimensions; expected 1 or 2")
        return list(given.tolist())
    return items_of(given, f"{what}{of}: {shown_given(given)} is no list; expected {expected}")


MINUS_ONE = "-1"


def _ids(
    given: Any, what: str, of: str, expected: str, padding: str | None
) -> tuple[list[str], list[Any]]:
    """The texts of the ids of a list, and the ids; an InputError for padding that is not named."""
    items = _items(given, what, of, expected)
    kinds = set(map(type, items))
    if kinds <= {str}:
        texts = items
    elif kinds == {int}:
        texts = texts_of_ids(items, what, "document")
    else:
        for a, x in enumerate(items):
            if text_of_id(x) is None:
                _check_no_labels(items, what, of)
                raise InputError(f"{what}: {shown(x)} at position {a}{of} {_no_id(x)}")
        texts = [str(text_of_id(x)) for x in items]
    if padding is None and texts is not items and MINUS_ONE in texts:
        for a, x in enumerate(texts):
            if x == MINUS_ONE and text_of(items[a]) is None:
                raise InputError(
                    f"{what}: -1 at position {a}{of}: FAISS and other indexes fill up their lists "
                    "with -1; padding=-1 leaves it out. If it is an id, give it as the string "
                    '"-1" (RS-CONV-45)'
                )
    if not "".join(texts).isascii():
        for a, x in enumerate(texts):
            check_bytes(x, f"{what}, position {a}{of}", "document")
    return texts, items


_LABELS = {0, 1, "0", "1"}  # True and 1.0 are equal to 1


def _check_no_labels(ids: list[Any], what: str, of: str) -> None:
    """Raise an InputError where all that should be ids are 0 or 1: labels, as of a matrix."""
    if len(ids) > 1 and all(isinstance(x, Hashable) and x in _LABELS for x in ids):
        raise InputError(
            f"{what}{of}: {len(ids)} items, each 0 or 1, are labels, not ids. Of a matrix with a "
            "column for each item, give the numbers of the columns that hold a 1; labels in rank "
            "order go to rs.ndcg(labels) and the like (RS-CONV-45)"
        )


def _no_id(x: Any) -> str:
    """What is wrong with what is no id, and what helps."""
    if _has_a_score(x):
        return (
            "is no text, whole number or UUID; for documents with scores, rs.evaluate() takes "
            "{query: {document: score}} (RS-CONV-44)"
        )
    return no_id(x)


def _in_order(given: Any, of: str, duplicates: str, padding: str | None) -> dict[str, float]:
    """The ids of a ranked list, each with a number that falls from one to the next."""
    if isinstance(given, Set):
        raise InputError(
            f"{RANKED}{of}: a {type(given).__name__} has no order; expected a list of ids"
        )
    if are_lists(given):
        raise InputError(
            f"{RANKED}{of}: a {type(given).__name__} of lists; expected a list of ids in rank "
            "order. Several runs of lists: rs.evaluate_runs(relevant, {name: {user: list of ids}}, "
            "measures) (RS-CONV-46)"
        )
    if isinstance(given, Mapping):
        raise InputError(
            f"{RANKED}{of}: a {type(given).__name__}; expected a list of ids in rank order. Where "
            "documents have scores, rs.evaluate() takes {query: {document: score}}"
        )
    if _is_mapping(given) and hasattr(given, "to_list"):
        given = given.to_list()
    everything, items = _ids(given, RANKED, of, "a list of ids in rank order", padding)
    texts = everything if padding is None else [x for x in everything if x != padding]
    numbered = dict(zip(texts, _falling(len(texts)), strict=True))
    if len(numbered) == len(texts):
        return numbered
    _check_no_labels(texts, RANKED, of)
    if duplicates == "error":
        raise _duplicate(everything, items, RANKED, of, padding)
    # The best is the first in rank order.
    if by_value("duplicates", duplicates, {"first": False, "best": False, "last": True}):
        texts = list(dict.fromkeys(reversed(texts)))[::-1]
    else:
        texts = list(dict.fromkeys(texts))
    return dict(zip(texts, _falling(len(texts)), strict=True))


_FALLING: list[float] = []


def _falling(n: int) -> list[float]:
    """0, -1, -2, ...: n numbers, the same objects each time."""
    global _FALLING  # noqa: PLW0603 - a table that only grows, and is replaced as a whole
    numbers = _FALLING  # another thread may replace it
    if len(numbers) < n:
        _FALLING = numbers = [-float(a) for a in range(2 * n)]
    return numbers[:n]


_REFUSES = {"error": True, "first": False, "last": False, "best": False}


def _labels(given: Any, of: str, duplicates: str, padding: str | None) -> dict[str, Label]:
    """The labels of the relevant ids: those that a dict gives, or 1."""
    if isinstance(given, Mapping):
        own = by_text(snapshot(given, RELEVANT), RELEVANT, "document", of)
        for document in own:
            check_bytes(document, RELEVANT, "document")
        return {
            x: checked_label(y, f"{RELEVANT}: the label of {shown_text(x)}{of}")
            for x, y in own.items()
        }
    if _is_mapping(given):
        raise InputError(
            f"{RELEVANT}{of}: a {type(given).__name__} is ambiguous: it may hold ids, or labels "
            f"by id; expected {_RELEVANT_IS}"
        )
    if given is None or isinstance(given, (int, float)):
        raise InputError(
            f"{RELEVANT}{of}: expected {_RELEVANT_IS}, possibly empty, got {shown(given)}"
        )
    everything, items = _ids(given, RELEVANT, of, _RELEVANT_IS, padding)
    texts = everything if padding is None else [x for x in everything if x != padding]
    labels: dict[str, Label] = dict.fromkeys(texts, LABEL_OF_AN_ID)
    if len(labels) < len(texts):
        _check_no_labels(texts, RELEVANT, of)
        if by_value("duplicates", duplicates, _REFUSES):
            raise _duplicate(everything, items, RELEVANT, of, padding)
    return labels


def _duplicate(
    texts: list[str], items: list[Any], what: str, of: str, padding: str | None
) -> InputError:
    first: dict[str, int] = {}
    for a, x in enumerate(texts):
        if x in first and x != padding:
            before = items[first[x]]
            alike = "" if type(before) is type(items[a]) else f", as {shown(before)}"
            return InputError(
                f"{what}: document {shown_text(x)} at position {a}{of} occurs a second time; it "
                f"is already at position {first[x]}{alike}{trec.WHICH_IN_PYTHON} (RS-CONV-10)"
            )
        first[x] = a
    raise AssertionError("no document is there twice")
