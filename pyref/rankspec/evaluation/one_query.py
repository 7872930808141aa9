"""One query in plain dicts, evaluated at once: as who learns from each ranking asks it.

``evaluate`` is made for runs of many queries: for one short list, what it makes of sets of queries,
of pieces and of conventions takes longer than the values. Here is what is left of it where nothing
is remarkable. Whatever is, is left to ``evaluate``, which has the warnings and the errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, nan

from ..compute.at_once import values_of_judged
from ..metrics.measure import Measure
from ..typed import Any
from . import dicts
from .plans import Plan
from .result import Evaluation


def of_one_query(plan: Plan, qrels: Any, run: Any) -> Evaluation | None:
    """As evaluate.evaluate_as(); None: these are not dicts of the same query, whose labels nobody
    minds, or no judged document is retrieved.
    """
    found = _lists(plan, qrels, run)
    if found is None:
        return None
    query, labels, pool, highest = found
    measures = plan.groups[0][1]
    values = values_of_judged(measures, labels, pool)
    if values is None or not all(map(isfinite, values)) or not (any(values) or any(pool)):
        return None
    empty: Evaluation | None = measures.kept.get(Evaluation)
    if empty is None:
        empty = measures.kept[Evaluation] = _without_queries(plan, measures)
    per_query, mean = {}, {}
    for name, m, value in zip(empty.mean, measures, values, strict=True):
        per_query[name] = {query: value}
        mean[name] = m.metric.average.of(m, [value])
    return empty.of_others((query,), per_query, mean, highest)


def _without_queries(plan: Plan, measures: Sequence[Measure]) -> Evaluation:
    """What no query changes of an evaluation."""
    names, profile = list(map(str, measures)), plan.profile.name if plan.profile else None
    values: dict[str, dict[str, float]] = {name: {} for name in names}
    mean = dict.fromkeys(names, nan)
    return Evaluation(tuple(measures), (), values, mean, plan.conventions, (), profile)


def _lists(plan: Plan, qrels: Any, run: Any) -> tuple[str, Any, Any, int] | None:
    """The query, the labels of its list and of its pool, and the highest that is judged."""
    of = dicts.read(qrels) if plan.is_plain and len(run) == 1 else None
    if of is None:
        return None
    table, queries, documents, typecode, _, highest, _, judged = of
    if typecode != "B" or not judged <= plan.usual:  # "B": whole labels from 0 on
        return None
    found = dicts.join(table, (queries, documents), typecode, run, *plan.of_lists)
    if found is None:
        return None
    names, labels, _, unjudged, _, pool, _ = found
    is_usual = names == list(map(str, table)) and 0 in unjudged
    return (names[0], labels, pool, highest) if is_usual else None
