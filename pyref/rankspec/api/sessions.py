"""The metrics of sessions as functions of labels.

Every function takes one session or many, and the conventions as named arguments:

labels    one session: a list of the labels of the results of each query, in rank order, or a 2-D
          array of a row a query; many: a list of such lists, a 3-D array, or a flat array with
          ``offsets``, where queries begin, and ``sessions``, where sessions begin among the queries
          (RS-SES-22)
ids       the ids of the documents, in the form of the labels: integers or strings; needed if
          ``repeats`` is not "every"
judged    the labels of all judged items, a list for each session; by default those of the session's
          own results (RS-SES-23); with ``judged_offsets`` if the list is flat
check     if True, raises InputError unless the judged labels contain each label of the session's
          documents, except 0, at least as often as they occur (RS-CONV-38); False takes them as
          they are
k         how many results of each query count, the paper's X: a number, several, or None for
          all
gain      as in rankspec.api
discount  of a rank, as in rankspec.api; by default "jarvelin-2008(b=2)"
query_discount
          a discount by the number of the query, by default "jarvelin-2008(b=4)"
repeats   what a document gains when it is shown again: "every", "first", or the share of its gain
          that is left each time, from 0 to 1 (RS-SES-2)
padding   the least number of ranks of a query: "X", 0, or a number (RS-SES-4)
ideal     the ideal session: "repeated", "spread" or "greatest" (RS-SES-7, RS-SES-8, RS-SES-9)
backend   as in rankspec.api

One session and one k give a float; several k or many sessions give a numpy array, with a row a
session and a column a k. Each value is the double nearest to the real number that the spec
defines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.backends import values
from ..compute.checks import MOST_RANKS
from ..compute.gain import DiscountLike, GainLike, exact, whole
from ..errors import InputError, items_of, shown
from ..metrics.chapters import metric
from ..metrics.measure import Measure
from ..reference import session as reference
from ..reference.numbers.reals import Exact
from ..reference.numerics import nearest_double
from .at_cutoffs import Cutoffs, Values, values_at
from .session_inputs import SessionInput, vectors_of

if TYPE_CHECKING:
    from .at_cutoffs import Array


@standard_arithmetic
def sdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    backend: str = "auto",
) -> Values:
    """sDCG@X of sessions: the gain of their queries, discounted by rank and by query.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-6.

    >>> sdcg([[0, 1], [1, 0]], discount="none", query_discount="jarvelin-2008(b=2)")
    1.5
    """
    given = SessionInput(labels, ids, offsets, sessions)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    return values_at("sdcg", given, k, backend, **chosen, repeats=repeats)


@standard_arithmetic
def isdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Values:
    """IsDCG@X: sDCG@X of the ideal session.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-10.

    >>> isdcg([[0, 1], [1, 0]], ids=[[1, 2], [2, 1]]) == sdcg([[1, 0], [1, 0]])
    True
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    return values_at("isdcg", given, k, backend, **chosen, padding=padding, ideal=ideal)


@standard_arithmetic
def nsdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Values:
    """nsDCG@X = sDCG@X / IsDCG@X, and 0 where IsDCG@X = 0.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-11.

    >>> nsdcg([[1, 0], [1, 0]], judged=[0, 1])
    1.0
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    more = {"repeats": repeats, "padding": padding, "ideal": ideal}
    return values_at("nsdcg", given, k, backend, **chosen, **more)


@standard_arithmetic
def sdcg_q(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    backend: str = "auto",
) -> Values:
    """Return sDCG@X divided by the number of queries, or 0 for an empty session.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-12.

    >>> sdcg_q([[1], []])
    0.5
    """
    given = SessionInput(labels, ids, offsets, sessions)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    return values_at("sdcg_q", given, k, backend, **chosen, repeats=repeats)


@standard_arithmetic
def avg_sdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    backend: str = "auto",
) -> Values:
    """The average gain of a session: the mean of its vector over its ranks.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-13.

    >>> avg_sdcg([[0, 1], [0, 0]], discount="none")
    0.75
    """
    given = SessionInput(labels, ids, offsets, sessions)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    return values_at("avg_sdcg", given, k, backend, **chosen, repeats=repeats, padding=padding)


@standard_arithmetic
def avg_nsdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Values:
    """The average normalised gain of a session: the mean of its normalised vector over its ranks.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-13.

    >>> avg_nsdcg([[1, 0], [0, 0]], judged=[1, 0], discount="none", query_discount="none")
    0.75
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    more = {"repeats": repeats, "padding": padding, "ideal": ideal}
    return values_at("avg_nsdcg", given, k, backend, **chosen, **more)


@standard_arithmetic
def query_sdcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    over: str = "mean",
    backend: str = "auto",
) -> Values:
    """Return what queries add to sDCG@X, combined as `over` says.

    over: "mean", "sum", "best", "worst", "first", "last" or "non-last" (RS-SES-16)

    The other arguments: see rankspec.api.sessions. Spec: RS-SES-14.

    >>> query_sdcg([[0, 1], [1, 0]], discount="none", query_discount="none", over="last")
    1.0
    """
    given = SessionInput(labels, ids, offsets, sessions)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    return values_at("query_sdcg", given, k, backend, **chosen, repeats=repeats, over=over)


@standard_arithmetic
def query_ndcg(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    dcg: str = "sum",
    over: str = "mean",
    backend: str = "auto",
) -> Values:
    """Return nDCG@X of queries, combined as `over` says.

    With `padding="X"` the ideal is cut at X, with 0 at the end of each query's list.

    dcg: "sum", or "mean": divides DCG and its ideal by the discounts of their ranks (RS-SES-25)
    over: "mean", "sum", "best", "worst", "first", "last" or "non-last" (RS-SES-16)

    The other arguments: see rankspec.api.sessions. Spec: RS-SES-15.

    >>> query_ndcg([[0, 1], [1, 0]], judged=[1, 0], over="best")
    1.0
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    chosen = {"gain": gain, "discount": discount, "repeats": repeats, "padding": padding}
    return values_at("query_ndcg", given, k, backend, **chosen, dcg=dcg, over=over)


@standard_arithmetic
def of(
    measure: Measure,
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    backend: str = "auto",
) -> Values:
    """A measure of one session, or of each of many: what ``measure.of(labels)`` is.

    The arguments: see rankspec.api.sessions. Any measure takes judged labels.
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    column = values([measure], given.batch, backend)[0]
    given.check_pools([measure.metric], backend)
    if given.single:
        return float(column[0])
    import numpy as np  # one session needs no array

    return np.frombuffer(column)


# ---- vectors ------------------------------------------------------------------------------


@standard_arithmetic
def sdcg_vector(
    labels: Any,
    *,
    ids: Any = None,
    k: int | None = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    backend: str = "auto",
) -> Array:
    """Return sDCG at each rank of one session, the top X of its queries in sequence.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-5.

    >>> sdcg_vector([[0, 1], [1]], k=2, discount="none", query_discount="none").tolist()
    [0.0, 1.0, 2.0, 2.0]
    """
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    given = SessionInput(labels, ids)
    return _vectors("avg_sdcg", given, k, backend, **chosen, repeats=repeats, padding=padding)[0]


@standard_arithmetic
def isdcg_vector(
    labels: Any,
    *,
    ids: Any = None,
    judged: Any = None,
    check: bool = True,
    k: int | None = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Array:
    """sDCG at each rank of the ideal session.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-10.
    """
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    given = SessionInput(labels, ids, judged=judged, check=check)
    return _vectors("isdcg", given, k, backend, **chosen, padding=padding, ideal=ideal)[0]


@standard_arithmetic
def nsdcg_vector(
    labels: Any,
    *,
    ids: Any = None,
    judged: Any = None,
    check: bool = True,
    k: int | None = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Array:
    """nsDCG at each rank of one session, sDCG over that of the ideal session.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-17.
    """
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    more = {"repeats": repeats, "padding": padding, "ideal": ideal}
    given = SessionInput(labels, ids, judged=judged, check=check)
    return _vectors("avg_nsdcg", given, k, backend, **chosen, **more)[0]


@standard_arithmetic
def query_sdcg_vectors(
    labels: Any,
    *,
    ids: Any = None,
    k: int | None = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    backend: str = "auto",
) -> list[Array]:
    """sDCG(1), sDCG(2), ... of one session: the discounted vector of each query, by itself.

    The arguments: see rankspec.api.sessions. Spec: RS-SES-3.

    >>> [v.tolist() for v in query_sdcg_vectors([[1, 1], [1]], discount="none",
    ...                                         query_discount="jarvelin-2008(b=2)")]
    [[1.0, 2.0], [0.5]]
    """
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    given = SessionInput(labels, ids)
    return _vectors("query_sdcg", given, k, backend, **chosen, repeats=repeats)


def _vectors(
    name: str, given: SessionInput, k: int | None, backend: str, **parameters: Any
) -> list[Array]:
    import numpy as np  # a vector is an array

    if not given.single:
        raise InputError("labels: expected one session, got several")
    found = vectors_of(name, given.batch, k, backend, **parameters)
    given.check_pools([metric(name)], backend)
    return [np.array(components) for components in found]


@standard_arithmetic
def avg_vect(vectors: Sequence[Sequence[float]]) -> Array:
    """Return the mean vector of vectors of the same length. Spec: RS-SES-18.

    Each component is the double nearest to the exact mean of the given doubles.

    >>> avg_vect([[0, 1], [1, 2]]).tolist()
    [0.5, 1.5]
    """
    given = _listed(vectors, "vectors", "vectors")
    rows = [_numbers(v, f"vectors: vector {a}") for a, v in enumerate(given, start=1)]
    lengths = {len(v) for v in rows}
    if len(lengths) != 1:
        what = "there are none" if not rows else f"they have {sorted(lengths)} components"
        raise InputError(f"vectors: {what}; all vectors must have the same length (RS-SES-18)")
    return _rounded(reference.avg_vect(rows))


@standard_arithmetic
def norm_vect(V: Sequence[float], I: Sequence[float]) -> Array:  # noqa: E741
    """Divide the components of V by those of I; 0 where I is 0. Spec: RS-SES-17.

    Each result is the double nearest to the quotient of the given doubles.

    >>> norm_vect([0, 1, 2], [0, 2, 4]).tolist()
    [0.0, 0.5, 0.5]
    """
    v, i = _numbers(V, "V"), _numbers(I, "I")
    if len(v) != len(i):
        raise InputError(f"I: it has {len(i)} components, but V has {len(v)} (RS-SES-17)")
    return _rounded(reference.norm_vect(v, i))


@standard_arithmetic
def held(V: Sequence[float], n: int) -> Array:
    """Extend a vector to n components by repeating its last one. Spec: RS-SES-19.

    >>> held([1, 2], 4).tolist()
    [1.0, 2.0, 2.0, 2.0]
    """
    v = _numbers(V, "V")
    number = whole(n)
    if number is None or not len(v) <= number <= MOST_RANKS:
        raise InputError(
            f"n: expected a whole number from {len(v)}, the number of components, to "
            f"{MOST_RANKS}, got {shown(n)} (RS-SES-19)"
        )
    return _rounded(reference.held(v, number))


@standard_arithmetic
def still_running(queries: Sequence[int], q: int) -> float:
    """Return the share of sessions with at least q queries. Spec: RS-SES-20.

    queries: the number of queries of each session

    >>> still_running([1, 1, 3, 4], 2)
    0.5
    """
    counted = _listed(queries, "queries", "the numbers of queries")
    numbers = [whole(m) for m in counted]
    for s, m in enumerate(numbers):
        if m is None or m < 0:
            raise InputError(
                f"queries: session {s} has {shown(counted[s])}; expected a number of queries"
            )
    query = whole(q)
    if query is None or query < 1:
        raise InputError(f"q: expected a query number 1, 2, ..., got {shown(q)} (RS-SES-20)")
    return nearest_double(reference.still_running([m for m in numbers if m is not None], query))


@standard_arithmetic
def instance_recall(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """Instance recall of sessions: the share of the relevant documents that some query shows.

    rel: the least label that is relevant

    Without ids each result counts as a different document.

    The other arguments: see rankspec.api.sessions. Spec: RS-SES-29.

    >>> instance_recall([[1, 0], [1, 1]], ids=[["a", "b"], ["a", "c"]], judged=[1, 1, 1, 0])
    0.6666666666666666
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    return values_at("instance_recall", given, k, backend, rel=rel)


@standard_arithmetic
def query_p_at_recall(
    labels: Any,
    *,
    ids: Any = None,
    offsets: Any = None,
    sessions: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    recall: float = 10,
    precision: str = "interpolated",
    over: str = "mean",
    backend: str = "auto",
) -> Values:
    """Return precision of queries at a level of recall, combined as `over` says.

    rel: the least label that is relevant
    recall: in percent of the relevant items of the pool: above 0, up to 100
    precision: "interpolated", the greatest precision at a rank with at least that recall, or
        "first", the precision at the first such rank; 0 if no rank has that recall
    over: "mean", "sum", "best", "worst", "first", "last" or "non-last" (RS-SES-16)

    The other arguments: see rankspec.api.sessions. Spec: RS-SES-30.

    >>> query_p_at_recall([[0, 1, 1]], judged=[1, 1, 1], precision="first")
    0.5
    """
    given = SessionInput(labels, ids, offsets, sessions, judged, judged_offsets, check)
    chosen = {"rel": rel, "recall": recall, "precision": precision, "over": over}
    return values_at("query_p_at_recall", given, k, backend, **chosen)


def _listed(given: Any, what: str, of: str) -> list[Any]:
    """What stands in a list, an array or the like."""
    if isinstance(given, (str, bytes, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(f"{what}: expected a list of {of}, got {shown(given)}")
    complaint = f"{what}: {shown(given)} is no list of {of}"
    items = items_of(given, complaint)
    listed = given.tolist() if hasattr(given, "tolist") else items
    return items_of(listed, complaint)


def _numbers(given: Any, what: str) -> list[Exact]:
    """A vector's components, as exact numbers."""
    components = _listed(given, what, "numbers")
    return [Fraction(exact(x, f"{what}: component {p}")) for p, x in enumerate(components, 1)]


def _rounded(components: Sequence[Exact]) -> Array:
    import numpy as np  # a vector is an array

    return np.array([nearest_double(x) for x in components], dtype=np.float64)
