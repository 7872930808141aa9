"""Why a value is what it is: the ranking of one query, rank by rank.

    >>> print(explain("qrels.txt", "a.run", "q1", "nDCG@10"))           # doctest: +SKIP

The parts: ``query`` chooses and ranks the query; ``contributions`` and ``ranks`` make its numbers,
each the double nearest to the real one (RS-NUM-1); ``value`` is all of it as plain data;
``equation`` and ``text`` write it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...compute.arithmetic import standard_arithmetic
from ...evaluation.measures import MeasureLike
from ...formats.frames import Label, QrelsLike, RunLike
from ...metrics.bounds import bound_of, parts_of
from ...metrics.measure import Ranking
from ...reference.numerics import nearest_double_of
from .contributions import Contributions, numbers_of_variance
from .query import RankedQuery, ranked_query
from .ranks import rows_of, shown_by_ideal, shown_ranking
from .text import table
from .value import ExplainedValue, Row

if TYPE_CHECKING:
    from ...formats.sessions import Topics

__all__ = ["Explanation", "Row", "explain", "table"]


class Explanation(ExplainedValue):
    __doc__ = ExplainedValue.__doc__

    def __str__(self) -> str:
        """The table of the ranks, the equation with its numbers, and the definition."""
        return table(self).rstrip("\n")


def explain(
    qrels: QrelsLike,
    run: RunLike,
    query: str | int,
    measure: MeasureLike,
    *,
    profile: str | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    **given: Any,
) -> Explanation:
    """Explain the value of a measure for a query, rank by rank.

    qrels, run: as of evaluate()
    query: one of the qrels
    measure: one, "nDCG@10" or rs.nDCG(k=10)
    profile, topics, grades: as of evaluate()
    **given: the conventions, as of evaluate(): ``ties="expected"``, say

    Raises InputError for input that the spec does not admit, for a query without judgments, for a
    name that stands for several measures, and for unjudged="lowest" or "highest", which leave no
    labels to show.
    """
    return explain_ranked(qrels, run, query, measure, profile, given, topics=topics, grades=grades)


@standard_arithmetic
def explain_ranked(
    qrels: QrelsLike,
    run: RunLike,
    query: str | int,
    measure: MeasureLike,
    profile: str | None,
    given: Mapping[str, Any],
    by: str | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
) -> Explanation:
    """Explain a value as explain() does.

    by: what orders the rows of a LETOR file (RS-CONV-21), which qrels and run were made of
    """
    chosen = ranked_query(
        qrels, run, query, measure, profile, given, by=by, topics=topics, grades=grades
    )
    shown = shown_ranking(chosen)
    sums = Contributions(chosen.measure.inner, shown, chosen.k) if shown else None
    return Explanation(
        measure=chosen.measure,
        query=chosen.name,
        value=chosen.value,
        total=sums.total() if sums else None,
        divisors=sums.divisors() if sums else {},
        beyond=sums.rest() if sums else None,
        parts=_parts(chosen),
        spread=_spread(chosen, shown) if shown else {},
        shown_by_ideal=shown_by_ideal(chosen.measure.inner, chosen.ranking, chosen.k),
        rows=tuple(rows_of(chosen, sums)) if sums else (),
        retrieved=chosen.retrieved,
        listed=len(chosen.documents),
        pool=len(chosen.ranking.pool),
        expected=shown.tied if shown else chosen.ranking.tied,
        conventions=chosen.conventions,
        definition=chosen.definition,
        left_out=chosen.left_out,
        ranking=by,
    )


def _parts(query: RankedQuery) -> dict[str, float]:
    """The numbers that a bound is made of."""
    return {
        name: nearest_double_of(lambda R, part=part: part(query.measure, query.ranking, query.k, R))  # type: ignore[misc]
        for name, part, _ in parts_of(query.measure)
    }


def _spread(query: RankedQuery, pool: Ranking) -> dict[str, float]:
    """The numbers that a variance is made of."""
    bound, inner = bound_of(query.measure), query.measure.inner
    form = bound.closed_form(inner.metric) if bound else None
    if form is None:
        return {}
    ((_, mean, _),) = parts_of(query.measure)
    return numbers_of_variance(form, query.measure, mean, pool, query.k)
