"""The definitions that a black box may have: rankspec's measures, and others that programs have.

The measures are read from the catalogue: each metric of labels, with every word of its parameters.
``CANDIDATES`` says which values are tried of parameters that are no words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

from ...compute.gain import UNDISCOUNTED
from ...errors import InputError
from ...metrics.catalogue import METRICS
from ...metrics.measure import Measure, Metric, Ranking, make
from ...metrics.parameters import Parameter
from ...reference.numbers.reals import FLOATS, Exact
from .computed import ABOVE_0, CANDIDATES, THRESHOLD, Core
from .outside import outside, outside_from

UNUSUAL = (None, UNDISCOUNTED)
"""The discounts of sums of gains that have none: of binary labels they have other names."""


def cores() -> list[Core]:
    """All of them, rankspec's first, the plainest of each metric before the others."""
    own = [core for metric in METRICS if _is_of_labels(metric) for core in _of(metric)]
    own.sort(key=lambda core: core.order)
    return [*own, *outside()]


def with_thresholds(rels: Sequence[Exact]) -> list[Core]:
    """The cores of labels that are relevant or not, with these as the least relevant one."""
    own = [
        core
        for metric in METRICS
        if _is_of_labels(metric) and THRESHOLD in metric.parameters
        for core in _of(metric, {THRESHOLD: rels})
    ]
    own.sort(key=lambda core: core.order)
    return [*own, *outside_from(rels)]


def with_threshold(core: Core, rel: Exact) -> Core | None:
    """The same with another least relevant label; None: it has none to choose."""
    if core.metric is None:
        own = [x.name for x in outside_from([core.rel])]
        if core.name not in own:
            return None
        return outside_from([rel])[own.index(core.name)]
    if THRESHOLD not in core.parameters:
        return None
    measure = make(core.metric, None, **{**core.parameters, THRESHOLD: rel})
    return of_measure(measure, core.order)


def _is_of_labels(metric: Metric) -> bool:
    return metric.labels.relevance is None


def _of(
    metric: Metric, chosen: Mapping[str, Sequence[Any]] = MappingProxyType({})
) -> Iterator[Core]:
    choices = [chosen.get(p.name) or candidates(p) for p in metric.parameters.values()]
    for order, values in enumerate(product(*choices)):
        parameters = dict(zip(metric.parameters, values, strict=True))
        try:
            measure = make(metric, None, **parameters)
        except InputError:
            continue
        yield of_measure(measure, order)


def candidates(parameter: Parameter) -> Iterable[Any]:
    """What is tried of a parameter, the default first."""
    given = CANDIDATES.get(parameter.name, parameter.words or (parameter.default,))
    default = [x for x in given if x == str(parameter.default) or x == parameter.default]
    return [*default, *(x for x in given if x not in default)]


def of_measure(measure: Measure, order: int = 0) -> Core:
    """The core of a measure; its cut-off does not count."""
    metric = measure.metric
    parameters = {name: getattr(measure, name) for name in metric.parameters}
    cut: dict[int | None, Measure] = {None: measure.uncut}

    def at(k: int | None) -> Measure:
        if k not in cut:
            cut[k] = make(metric, k, **parameters)
        return cut[k]

    def undefined(k: int | None, x: Ranking) -> bool:
        if metric.divides_by_list(at(k)):
            return metric.is_undefined_for(at(k), x)
        return metric.is_undefined(at(k), x.length, x.pool)

    def below_0(k: int | None, x: Ranking) -> bool:
        m, divisors = at(k), metric.quotient.divisors if metric.quotient else ()
        return any(y.reading(m, x, m.depth_of(x), FLOATS) < 0 for y in divisors)

    return Core(
        str(measure.uncut),
        order,
        lambda x, k, R: at(k).value(x, R),
        undefined,
        lambda label: measure.refusal(label) is not None,
        getattr(measure, THRESHOLD, ABOVE_0),
        metric.pool,
        metric.labels.unjudged,
        metric,
        parameters,
        usual=parameters.get("discount", None if "gain" in parameters else "") not in UNUSUAL,
        below_0=below_0,
    )
