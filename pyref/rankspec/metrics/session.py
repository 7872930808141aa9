"""The metrics of sessions, applied to measures and sessions.

``METRICS`` is the list of them; that of rankings is in ``rankspec.metrics.catalogue``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias, cast

from ..compute import gain
from ..compute.call import Argument, Call, Core, Count, Fields, WeightsOfQueries, Word
from ..compute.gain import Discount, DiscountLike
from ..errors import InputError, shown
from ..records import record, replace
from ..reference import session
from ..reference.numbers.reals import Exact, Number, Reals
from ..reference.precision import relevance
from . import axioms, helptext
from .measure import (
    EXAMPLE,
    NO_EXTREMES,
    Measure,
    Metric,
    Reading,
    Session,
    Tables,
    Vector,
    help_of_metric,
)
from .parameters import (
    DISCOUNT,
    DISCOUNT_IN_CORE,
    GAIN,
    GAIN_IN_CORE,
    REL,
    Parameter,
    Parameters,
    choice,
    parameters,
)

EXAMPLE_AGAIN = (1, 2)  # labels of a second query, beside those of the first
LARGEST_BASE = 1000  # of the query discount of jarvelin-2008, which is below it


def query_discount(given: DiscountLike) -> Discount:
    """A discount of queries: whatever a discount of ranks can be, with bases in their domain."""
    found = gain.discount(given, "query_discount", of="query")
    if found.kind == "jarvelin-2008" and not found.b < LARGEST_BASE:
        raise InputError(
            f"query_discount: the base of {found} must be above 1 and below {LARGEST_BASE} "
            "(RS-SES-3)"
        )
    return found


def repeats(given: Any) -> Exact:
    """What is left of a gain each time that its document comes again: from 0 to 1."""
    words = {"every": 1, "first": 0}
    if (word := gain.text_of(given)) in words:
        return words[word]
    try:
        x = gain.exact(given, "repeats")
    except InputError:
        x = -1
    if not 0 <= x <= 1:
        raise InputError(
            f'repeats: expected "every", "first", or a number from 0 to 1, got {shown(given)}'
        )
    return int(x) if x in words.values() else x


def padding(given: Any) -> str | int:
    """How many ranks a query has at least; "X": as many as are looked at."""
    if gain.text_of(given) == "X":
        return "X"
    number = gain.whole(given)
    if number is None or number < 0:
        raise InputError(
            f'padding: expected "X", or the least number of ranks, 0 or more, got {shown(given)}'
        )
    if number >= 10**gain.MOST_DIGITS:  # it is written out, in definitions
        raise InputError(
            f'padding: {shown(given)} has more than {gain.MOST_DIGITS} digits. Give "X", which '
            "acts like any number from the cut-off on"
        )
    return number


def recall(given: Any) -> Exact:
    """A recall in percent: above 0, up to 100. (0.1 is no double, 10 is one.)"""
    x = gain.exact(given, "recall")
    if not 0 < x <= 100:
        raise InputError(f"recall: expected a percentage above 0 and up to 100, got {shown(given)}")
    return x


def _meaning_of_repeats(x: Exact) -> str:
    known: dict[Exact, str] = {
        1: "every: a document gains each time that it is shown",
        0: "first: a document gains the first time that it is shown",
    }
    return (
        f"{known.get(x, f'{x}: times its gain each time that a document comes again')} (RS-SES-2)"
    )


def _meaning_of_padding(x: str | int) -> str:
    if x == "X":
        return "X: each query has X ranks (RS-SES-4)"
    if x == 0:
        return "0: a query has as many ranks as results (RS-SES-4)"
    return f"{x}: a query has at least {x} ranks (RS-SES-4)"


RANK_DISCOUNT = replace(DISCOUNT, default=gain.Discount("jarvelin-2008", 2))
QUERY_DISCOUNT = Parameter(
    "query_discount",
    gain.Discount("jarvelin-2008", 4),
    query_discount,
    lambda x: f"{x} (RS-SES-3, {x.spec})",
    "like a discount, by the number of the query: jarvelin-2008(b=4), jiang-2016(b=4), none",
    annotation="DiscountLike | Callable[[int], float]",
)
REPEATS = Parameter(
    "repeats",
    1,
    repeats,
    _meaning_of_repeats,
    "how much a document shown again gains: every (1), first (0), or a share between",
    ("every", "first"),
    annotation="str | Exact",
)
PADDING = Parameter(
    "padding",
    "X",
    padding,
    _meaning_of_padding,
    "the least number of ranks per query: X, 0 (lists as they are), or a number",
    annotation="str | int",
)
IDEAL = choice(
    "ideal",
    "ideal session",
    {
        "repeated": "each query shows the ideal list",
        "spread": "each query goes on in the ideal list",
        "greatest": "each item once, where it gains most",
    },
    {"repeated": "RS-SES-7", "spread": "RS-SES-8", "greatest": "RS-SES-9"},
    "what each query of the ideal session shows: repeated, spread, or greatest",
)
DCG = choice(
    "dcg",
    "form of DCG",
    {
        "sum": "the discounted gains, summed",
        "mean": "their mean, over the discounts of the ranks that there are",
    },
    {"sum": "RS-SES-15", "mean": "RS-SES-25"},
    "sum, or mean, which divides by the sum of the discounts of the ranks present",
)
RECALL = Parameter(
    "recall",
    10,
    recall,
    lambda x: f"{x} % of the relevant items of the pool (RS-SES-30)",
    "the level of recall in percent, above 0, up to 100",
    annotation="float",
)
PRECISION = choice(
    "precision",
    "precision at a recall",
    {
        "interpolated": "the greatest of the ranks with that recall or more",
        "first": "that of the first such rank",
    },
    "RS-SES-30",
    "interpolated (the greatest over all ranks with that recall), or first (at the first such "
    "rank)",
)
OVER = choice(
    "over",
    "way to combine the values of the queries",
    {
        "mean": "their mean",
        "sum": "their sum",
        "best": "the greatest",
        "worst": "the least",
        "first": "that of the first query",
        "last": "that of the last query",
        "non-last": "the mean of all but the last",
    },
    "RS-SES-16",
    "mean, sum, best, worst, first, last, or non-last (the mean of all but the last)",
)


def _gains(m: Measure, x: Session, k: int, R: Reals) -> list[list[Number]]:
    """The gains of the first k results of each query."""
    if m.repeats == 1:
        return session.gains(x.queries, None, k, m.gain.of(R), 1)
    t = session.appearances(x.known_documents(), k)
    return session.gains(x.queries, t, k, m.gain.of(R), R.exact(m.repeats))


def ranks(m: Measure, x: Session, k: int) -> list[int]:
    """How many ranks each query has."""
    return session.ranks([len(ranked) for ranked in x.queries], k, _least(m, k))


def _least(m: Measure, k: int) -> int:
    """How many ranks a query has at least."""
    return k if m.padding == "X" else m.padding


def ideal_session(m: Measure, x: Session, k: int) -> Sequence[Sequence[Exact]]:
    """Return the labels that the queries of the ideal session show, at their first ranks."""
    L = ranks(m, x, k)
    if m.ideal == "repeated":
        return session.repeated_ideal(x.pool, L)
    if m.ideal == "spread":
        return session.spread_ideal(x.pool, L)
    return session.greatest_ideal(x.pool, L, m.discount.of, m.query_discount.of)


def _ideal_gains(m: Measure, x: Session, k: int, R: Reals) -> list[list[Number]]:
    g = m.gain.of(R)
    return [[g(r) for r in ranked] for ranked in ideal_session(m, x, k)]


def _discounts(m: Measure, R: Reals) -> tuple[Callable[[int], Number], Callable[[int], Number]]:
    return m.discount.of(R), m.query_discount.of(R)


def sdcg_vector(m: Measure, x: Session, k: int, R: Reals) -> list[Number]:
    """sDCG at each rank of the session."""
    return session.sdcg_vector(_gains(m, x, k, R), ranks(m, x, k), *_discounts(m, R))


def isdcg_vector(m: Measure, x: Session, k: int, R: Reals) -> list[Number]:
    """sDCG at each rank of the ideal session."""
    return session.sdcg_vector(_ideal_gains(m, x, k, R), ranks(m, x, k), *_discounts(m, R))


def nsdcg_vector(m: Measure, x: Session, k: int, R: Reals) -> list[Number]:
    """nsDCG at each rank of the session."""
    return session.norm_vect(sdcg_vector(m, x, k, R), isdcg_vector(m, x, k, R))


def query_vectors(m: Measure, x: Session, k: int, R: Reals) -> list[Number]:
    """sDCG(q) of each query at each of its results, one query after the other."""
    d, D = _discounts(m, R)
    of_queries = enumerate(_gains(m, x, k, R), start=1)
    return [y for q, G_q in of_queries for y in session.sdcg_of_query(G_q, q, d, D)]


def _sdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return session.sdcg(_gains(m, x, k, R), *_discounts(m, R))


def _isdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    if m.ideal == "repeated":
        return session.repeated_isdcg(x.pool, ranks(m, x, k), m.gain.of(R), *_discounts(m, R))
    return session.sdcg(_ideal_gains(m, x, k, R), *_discounts(m, R))


def _nsdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return session.nsdcg(_sdcg(m, x, k, R), _isdcg(m, x, k, R))


def _sdcg_per_query(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return session.sdcg_per_query(_sdcg(m, x, k, R), len(x.queries))


def _average_sdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return session.average_position(sdcg_vector(m, x, k, R), R)


def _average_nsdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return session.average_position(nsdcg_vector(m, x, k, R), R)


def _query_sdcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    gains = session.gains_of_queries(_gains(m, x, k, R), *_discounts(m, R))
    return session.over_queries(gains, m.over, R)


def _query_ndcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    g, d, G = m.gain.of(R), m.discount.of(R), _gains(m, x, k, R)
    if m.dcg == "mean":
        values = session.ndcg_of_means(G, x.pool, k, _least(m, k), g, d, R)
    else:
        values = session.ndcg_of_queries(G, x.pool, ranks(m, x, k), g, d)
    return session.over_queries(values, m.over, R)


def _instance_recall(m: Measure, x: Any, k: int, R: Reals) -> Number:
    """The share of the relevant documents of the pool that the session shows."""
    documents = x.documents or [[(q, i) for i in range(len(r))] for q, r in enumerate(x.queries)]
    t = session.appearances(documents, k)
    shown = [relevance(ranked[:k], m.rel) for ranked in x.queries]
    return session.instance_recall(
        session.distinct_relevant(shown, t), sum(relevance(x.pool, m.rel)), R
    )


def _query_p_at_recall(m: Measure, x: Any, k: int, R: Reals) -> Number:
    N_rel = sum(relevance(x.pool, m.rel))
    values = [
        session.precision_at_recall(relevance(r_q[:k], m.rel), N_rel, m.recall, m.precision, R)
        for r_q in x.queries
    ]
    return session.over_queries(values, m.over, R)


def _has_relevant(m: Measure, x: Session) -> bool:
    return any(relevance(x.pool, m.rel))


def _tables_of_means(m: Measure, deepest: int) -> Tables:
    """The discount: where means are taken, of the padded ranks too, if their sums do not cancel."""
    padded = 0 if m.dcg == "sum" or m.padding == "X" or m.k is None else min(m.k, m.padding)
    return {"discount": (m.discount, max(deepest, padded))}


def _length_of_session(m: Measure, x: Session, k: int) -> list[int]:
    return [sum(ranks(m, x, k))]


def _lengths_of_queries(m: Measure, x: Session, k: int) -> list[int]:  # noqa: ARG001 - as of any
    return [min(len(ranked), k) for ranked in x.queries]


# ---- how the C core takes them -------------------------------------------------------------

_WEIGHTED: Fields = {"gain": GAIN_IN_CORE, "discount": DISCOUNT_IN_CORE}
_BY_QUERY: Fields = {**_WEIGHTED, "weights": WeightsOfQueries(lambda m: m.query_discount)}
_REPEATS: Fields = {"first": Word(lambda m: m.repeats, {1: 0, 0: 1})}
_PADDED: Fields = {"padding": Count(lambda m: None if m.padding == "X" else m.padding)}
_BY_LIST = {"repeated": "RS_REPEATED", "spread": "RS_SPREAD"}
_IDEAL: Fields = {"ideal": Word(lambda m: m.ideal, {**_BY_LIST, "greatest": "RS_GREATEST"})}
_IDEAL_OF_VECTOR: Fields = {  # of two equal weights it would matter which comes first: RS-NUM-23
    "ideal": Word(lambda m: m.ideal, _BY_LIST)
}
_OVER: Fields = {
    "over": Word(
        lambda m: m.over,
        {
            "mean": "RS_OVER_MEAN",
            "sum": "RS_OVER_SUM",
            "best": "RS_OVER_BEST",
            "worst": "RS_OVER_WORST",
            "first": "RS_OVER_FIRST",
            "last": "RS_OVER_LAST",
            "non-last": "RS_OVER_NON_LAST",
        },
    )
}


def _call(metric: str, *fields: Fields) -> Call:
    given: dict[str, Argument] = {}
    for more in fields:
        given.update(more)
    return Call(metric, given)


# ---- when a value is defined (RS-CONV-26) ------------------------------------------------

Defined: TypeAlias = "Callable[[Measure, Session], bool]"


def _has_ideal(m: Measure, x: Session) -> bool:
    """Whether the ideal session gains something (RS-SES-10).

    Its best item, which no other gains more than, stands at its first rank, where nothing weighs
    more, unless no query has a rank.
    """
    first = next((q for q, L_q in enumerate(ranks(m, x, m.depth_of(x)), start=1) if L_q), None)
    if first is None or all(m.gain.is_zero(label) for label in x.pool) or m.discount.is_zero(1):
        return False
    return not ("query_discount" in m.metric.parameters and m.query_discount.is_zero(first))


def _has_queries(m: Measure, x: Session) -> bool:
    """Whether there are as many queries as what is taken over them needs."""
    return len(x.queries) >= {"sum": 0, "non-last": 2}.get(m.over, 1)


# ---- the metrics -------------------------------------------------------------------------


@record(eq=False, repr=False)
class SessionMetric(Metric):
    """A metric that is taken of sessions.

    defined: whether a value is defined: no ideal gain is 0, and no mean or extreme is of nothing
    of_vector: the vector that it is of; None: it is of none
    """

    defined: Defined = lambda m, x: True
    of_vector: Vector | None = None

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    taken_of: ClassVar[str] = "sessions"
    taken_of_one: ClassVar[str] = "session"
    of_sessions: ClassVar[bool] = True
    argument: ClassVar[str] = "sessions"
    no_order: ClassVar[str | None] = "is of a session, not of a ranking (RS-BND-1)"

    @property
    def vector(self) -> Vector | None:
        return self.of_vector

    def example(self) -> tuple[list[Any], Session]:
        queries = [list(EXAMPLE), list(EXAMPLE_AGAIN)]
        return queries, Session(queries, [*EXAMPLE, *EXAMPLE_AGAIN])


def _metric(
    name: str,
    function: str,
    title: str,
    spec: str,
    equation: Reading,
    chosen: Parameters,
    *,
    pool: bool,
    formula: str = "",
    **more: Any,
) -> SessionMetric:
    return SessionMetric(
        name=name,
        function=function,
        title=title,
        spec=spec,
        expected_spec=spec,
        plain=equation,
        expected=equation,  # what a session showed has an order
        parameters=chosen,
        pool=pool,
        cutoff="X",
        extremes=NO_EXTREMES,
        formula=formula,
        **more,
    )


_SHOWN = (GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, REPEATS)
_GAIN = parameters(*_SHOWN)
_NORMALISED = parameters(*_SHOWN, PADDING, IDEAL)

METRICS = (
    _metric(
        "sDCG",
        "sdcg",
        "session DCG",
        "RS-SES-6",
        _sdcg,
        _GAIN,
        pool=False,
        axioms=axioms.sums_of_sessions(),
        core=Core(_call("RS_SDCG", _BY_QUERY, _REPEATS)),
    ),
    _metric(
        "IsDCG",
        "isdcg",
        "session DCG of the ideal session",
        "RS-SES-10",
        _isdcg,
        parameters(GAIN, RANK_DISCOUNT, QUERY_DISCOUNT, PADDING, IDEAL),
        pool=True,
        formula="IsDCG@X = sDCG@X of the ideal session    [jarvelin-2008 section 3.3]",
        of_vector=Vector("IsDCG_vector", isdcg_vector, _length_of_session),
        core=Core(
            _call("RS_ISDCG", _BY_QUERY, _PADDED, _IDEAL),
            vectors=_call("RS_ISDCG", _BY_QUERY, _PADDED, _IDEAL_OF_VECTOR),
        ),
    ),
    _metric(
        "nsDCG",
        "nsdcg",
        "normalised session DCG",
        "RS-SES-11",
        _nsdcg,
        _NORMALISED,
        pool=True,
        defined=_has_ideal,
        core=Core(_call("RS_NSDCG", _BY_QUERY, _REPEATS, _PADDED, _IDEAL)),
    ),
    _metric(
        "sDCG_q",
        "sdcg_q",
        "session DCG for each query",
        "RS-SES-12",
        _sdcg_per_query,
        _GAIN,
        pool=False,
        defined=lambda m, x: bool(x.queries),
        core=Core(_call("RS_SDCG_Q", _BY_QUERY, _REPEATS)),
    ),
    _metric(
        "avg_sDCG",
        "avg_sdcg",
        "average gain of a session",
        "RS-SES-13",
        _average_sdcg,
        parameters(*_SHOWN, PADDING),
        pool=False,
        defined=lambda m, x: any(ranks(m, x, m.depth_of(x))),
        of_vector=Vector("sDCG_vector", sdcg_vector, _length_of_session, averaged=True),
        core=Core(
            _call("RS_AVG_SDCG", _BY_QUERY, _REPEATS, _PADDED),
            vectors=_call("RS_AVG_SDCG", _BY_QUERY, _REPEATS, _PADDED),
        ),
    ),
    _metric(
        "avg_nsDCG",
        "avg_nsdcg",
        "average normalised gain of a session",
        "RS-SES-13",
        _average_nsdcg,
        _NORMALISED,
        pool=True,
        defined=_has_ideal,
        of_vector=Vector("nsDCG_vector", nsdcg_vector, _length_of_session, averaged=True),
        core=Core(
            _call("RS_AVG_NSDCG", _BY_QUERY, _REPEATS, _PADDED, _IDEAL_OF_VECTOR),
            vectors=_call("RS_AVG_NSDCG", _BY_QUERY, _REPEATS, _PADDED, _IDEAL_OF_VECTOR),
        ),
    ),
    _metric(
        "query_sDCG",
        "query_sdcg",
        "session DCG of queries",
        "RS-SES-14",
        _query_sdcg,
        parameters(*_SHOWN, OVER),
        pool=False,
        defined=_has_queries,
        of_vector=Vector("query_sDCG_vectors", query_vectors, _lengths_of_queries, a_query=True),
        core=Core(
            _call("RS_QUERY_SDCG", _BY_QUERY, _REPEATS, _OVER),
            vectors=_call("RS_QUERY_SDCG", _BY_QUERY, _REPEATS, _OVER),
        ),
    ),
    _metric(
        "query_nDCG",
        "query_ndcg",
        "normalised DCG of queries",
        "RS-SES-15",
        _query_ndcg,
        parameters(GAIN, RANK_DISCOUNT, REPEATS, PADDING, DCG, OVER),
        pool=True,
        tables=_tables_of_means,
        defined=lambda m, x: _has_queries(m, x) and _has_ideal(m, x),
        core=Core(
            replace(
                _call("RS_QUERY_NDCG", _WEIGHTED, _REPEATS, _PADDED, _OVER),
                when=lambda m: m.dcg == "sum",
            )
        ),
    ),
    _metric(
        "Instance_recall",
        "instance_recall",
        "instance recall",
        "RS-SES-29",
        _instance_recall,
        parameters(REL),
        pool=True,
        defined=_has_relevant,
    ),
    _metric(
        "query_P_at_recall",
        "query_p_at_recall",
        "precision of queries at a recall",
        "RS-SES-30",
        _query_p_at_recall,
        parameters(REL, RECALL, PRECISION, OVER),
        pool=True,
        defined=lambda m, x: _has_queries(m, x) and _has_relevant(m, x),
    ),
)


def is_defined(m: Measure, x: Session) -> bool:
    """Whether the value is defined: no ideal gain is 0, and no mean or extreme is of nothing."""
    return cast("SessionMetric", m.metric).defined(m, x)
