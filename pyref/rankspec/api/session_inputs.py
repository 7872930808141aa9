"""Lists and arrays of sessions as flat buffers with offsets (RS-SES-22)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any

from ..compute.arrays import (
    SEQUENCES,
    Lists,
    ids_as_numbers,
    plain_list,
    read_lists,
    read_offsets,
    regular_offsets,
)
from ..compute.backends import vectors
from ..compute.batch import SessionBatch, holder, offsets_of
from ..compute.checks import lengths_of
from ..compute.gain import yes_or_no
from ..errors import CoreMissing, InputError, dimensions, shown
from ..metrics.chapters import metric
from ..metrics.measure import Metric, make
from .inputs import WithPools, as_weights


class SessionInput(WithPools):
    """What a metric of sessions is taken of: a batch, and whether it was one session or many."""

    batch: SessionBatch

    def __init__(
        self,
        labels: Any,
        ids: Any = None,
        offsets: Any = None,
        sessions: Any = None,
        judged: Any = None,
        judged_offsets: Any = None,
        check: bool = True,
    ) -> None:
        lists, begins, self.single = _read_sessions(labels, offsets, sessions)
        documents = None if ids is None else _documents(ids, lists, begins, labels, self.single)
        pool = pool_offsets = None
        if judged is not None:
            pools = read_lists(judged, judged_offsets, "judged", of="session")
            given, wanted = len(pools.offsets) - 1, len(begins) - 1
            if pools.single != self.single or given != wanted:
                kind = "one pool" if pools.single else f"a list of {given} pool{'s' * (given != 1)}"
                of = "one session" if self.single else f"{wanted} sessions"
                raise InputError(f"judged: {kind} for {of}")
            pool, pool_offsets = pools.flat, pools.offsets
        elif judged_offsets is not None:
            raise InputError("judged_offsets: they need judged, which is not given")
        self.batch = SessionBatch(
            lists.flat,
            lists.offsets,
            pool=pool,
            pool_offsets=pool_offsets,
            sessions=begins,
            documents=documents,
        )
        if documents is not None:
            _check_labels_of_documents(self.batch)
        self.check = yes_or_no(check, "check")

    def batch_for(self, metric: Metric) -> SessionBatch:  # noqa: ARG002 - as an Input has it
        """The sessions; those metrics that do not depend on pools leave them aside."""
        return self.batch

    def with_weights(
        self, parameters: dict[str, Any], cutoffs: Iterable[Any] = ()
    ) -> dict[str, Any]:
        """The parameters, discounts given as functions replaced by their weights."""
        return with_weights(self.batch, parameters, cutoffs)


def with_weights(
    batch: SessionBatch, parameters: dict[str, Any], cutoffs: Iterable[Any] = ()
) -> dict[str, Any]:
    """The parameters, discounts given as functions replaced by the weights that sessions need."""
    if not any(callable(parameters.get(name)) for name in ("discount", "query_discount")):
        return parameters
    ranks = max(lengths_of(batch))
    if parameters.get("dcg") == "mean" and isinstance(parameters["padding"], int):  # RS-SES-25
        X = max((k for k in cutoffs if isinstance(k, int)), default=0)
        ranks = max(ranks, min(X, parameters["padding"]))
    queries = max(batch.numbers_of_queries(), default=0)
    return as_weights(parameters, {"discount": ranks, "query_discount": queries})


def vectors_of(
    name: str, batch: SessionBatch, k: int | None, backend: str, **parameters: Any
) -> list[array[float]]:
    """The vectors of a metric, one a session or, of query_sdcg, one a query (backends.vectors)."""
    measure = make(metric(name), k, **with_weights(batch, parameters))
    flat, offsets = vectors(measure, batch, backend)
    return [flat[begin:end] for begin, end in pairwise(offsets)]


def _read_sessions(labels: Any, offsets: Any, sessions: Any) -> tuple[Lists, Any, bool]:
    """The lists of all queries, the offsets of sessions in them, and whether it is one session."""
    if (offsets is None) != (sessions is None):
        missing = "sessions" if sessions is None else "offsets"
        raise InputError(
            f"{missing}: flat labels need offsets, where queries begin, and sessions, where "
            "sessions begin among the queries (RS-SES-22)"
        )
    if sessions is not None:
        lists = read_lists(labels, offsets, "labels")
        return lists, read_offsets(sessions, "sessions"), False
    if dimensions(labels) == 3:
        n, queries, results = labels.shape
        rows = labels.reshape(n * queries, results)
        return read_lists(rows, None, "labels"), regular_offsets(n, queries), False
    if dimensions(labels) == 2:
        return read_lists(labels, None, "labels"), array("q", [0, len(labels)]), True
    if dimensions(labels, 2) > 3:
        raise InputError(
            f"labels: the array has {labels.ndim} dimensions; expected 2 for one session or 3 "
            "for several"
        )
    return _read_nested(labels)


def _read_nested(labels: Any) -> tuple[Lists, Any, bool]:
    """The same, of a list of queries, or of one of such lists."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, (list, tuple)):
        raise InputError(
            "labels: expected a session, which is a list with one list per query, got "
            f"{shown(labels)}"
        )
    labels = [plain_list(row) if isinstance(row, (list, tuple)) else row for row in labels]
    if not any(_is_row(row) and any(map(_is_row, row)) for row in labels):
        return _read_queries(labels), array("q", [0, len(labels)]), True
    for a, session in enumerate(labels):
        if not _is_row(session) or not all(map(_is_row, session)):
            raise InputError(
                f"labels: session {a} is {shown(session)}; expected a list with one list per "
                "query, as in the others"
            )
    begins = offsets_of(map(len, labels))
    return _read_queries([row for session in labels for row in session], begins), begins, False


def _is_row(x: Any) -> bool:
    return isinstance(x, SEQUENCES) or dimensions(x) >= 1


def _read_queries(rows: Any, begins: Any = None) -> Lists:
    """The lists of queries; begins: where sessions begin among them, if they are of many."""
    for q, row in enumerate(rows, start=1):
        if not _is_row(row):
            raise InputError(
                f"labels: query {q} is {shown(row)}; expected a list of labels: a session is a "
                "list with one list per query"
            )
    if not rows:
        return Lists(array("q"), array("q", [0]), single=False, nested=True)
    try:
        return read_lists(list(rows), None, "labels")
    except InputError:  # which does not know of queries
        for a, row in enumerate(rows):
            read_lists(row, None, f"labels: {_place(a, begins)}")
        raise


def _place(a: int, begins: Any) -> str:
    """Which query list a is."""
    if begins is None:
        return f"query {a + 1}"
    s = holder(a, begins)
    return f"session {s}, query {a - begins[s] + 1}"


def _documents(ids: Any, lists: Lists, begins: Any, labels: Any, single: bool) -> Any:
    """The documents as whole numbers, in the form of the labels."""
    numbers = _whole_numbers(ids, getattr(labels, "shape", None))
    if numbers is not None:
        return numbers
    if not single and lists.nested:
        if not _is_row(ids) or not all(map(_is_row, ids)):
            raise InputError("ids: their shape differs from the shape of the labels")
        given, wanted = [len(session) for session in ids], [len(session) for session in labels]
        if given != wanted:
            raise InputError("ids: their sessions differ in length from those of the labels")
        ids = [row for session in ids for row in session]
    batch = SessionBatch(lists.flat, lists.offsets, sessions=begins)
    place_of = partial(batch.place, what="labels")
    name_of = partial(_place, begins=None if single else begins)
    return ids_as_numbers(ids, lists, place_of, name_of)


def _whole_numbers(ids: Any, shape: Any) -> Any:
    """An array of whole numbers in the shape of the labels, flat: documents are only compared with
    one another. A copy, as those that are equal decide how long a vector is. None: something else.
    """
    kind = getattr(getattr(ids, "dtype", None), "kind", "")
    if shape is None or getattr(ids, "shape", None) != shape or kind not in ("i", "u"):
        return None
    import numpy as np  # only where an array is given

    numbers = np.array(ids, dtype=np.int64, order="C")
    return numbers.reshape(-1) if numbers.shape == shape else None


def _check_labels_of_documents(batch: SessionBatch) -> None:
    """An InputError where a document has two labels in a session."""
    contradiction = _contradiction(batch)
    if contradiction is not None:
        label, first = (batch.labels[p : p + 1].tolist()[0] for p in contradiction)
        raise InputError(
            f"ids: the document at {batch.place(contradiction[0], 'labels')} has the label "
            f"{label!r} there, but {first!r} where it was shown before"
        )


def _contradiction(batch: SessionBatch) -> tuple[int, int] | None:
    """Where a document of a session has another label than where it was shown first, and where
    that is; None: nowhere.
    """
    try:
        from ..compute.by_core import contradiction  # the compiled core compares
    except CoreMissing:
        return _contradiction_without_core(batch)
    return contradiction(batch)


def _contradiction_without_core(batch: SessionBatch) -> tuple[int, int] | None:
    lengths_of(batch)
    for s in range(len(batch)):
        begin, end = (int(batch.offsets[int(batch.sessions[a])]) for a in (s, s + 1))
        known: dict[Any, tuple[int, Any]] = {}
        labels = batch.labels[begin:end].tolist()
        for position, (document, label) in enumerate(
            zip(batch.documents[begin:end], labels, strict=True), begin
        ):
            first, before = known.setdefault(document, (position, label))
            if before != label and before == before:  # noqa: PLR0124 - a NaN is refused later
                return position, first
    return None
