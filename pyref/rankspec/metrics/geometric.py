"""``GM(AP)``, ``Mean(NumRelRet@10)``: a measure whose values are averaged over queries otherwise.

Of one query it is the measure that it is made of, with all that is known of that; only the average
differs (RS-CONV-53).
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from ..errors import InputError
from ..records import field, fields, record
from . import helptext
from .average import FLOOR, GEOMETRIC, MEAN, SUM, Average
from .bounds import BoundMetric
from .made import MadeMetric, NamedMaker, help_of_maker, made_by
from .measure import NO_EXTREMES, Measure, Metric, help_of_metric
from .names import Names
from .parameters import parameters

SPEC = "RS-CONV-53"
NAMES = {"gm_map": "GM(AP)", "GMAP": "GM(AP)", "gm_bpref": "GM(Bpref)"}
"""What trec_eval and papers call a measure, without the cut-off."""
_TREC = {"AP": "gm_map", "Bpref": "gm_bpref"}


@record(eq=False, repr=False)
class Averaged(NamedMaker):
    """What takes a measure and makes one that is averaged otherwise: ``GM(AP())``.

    average: how the values are averaged
    replaces: the average of the measures that it takes
    """

    average: Average = field(kw_only=True)
    replaces: Average = field(kw_only=True)

    __doc__ = helptext.told(help_of_maker, __doc__ or "An average.")  # -OO has none

    def __call__(self, measure: Measure, **given: Any) -> Measure:
        """The same measure, averaged so."""
        return made_by(self, partial(averaged, self), measure, given, self.such_as)

    def refusal(self, metric: Metric) -> str | None:
        """Why a metric cannot be averaged so; None where it can."""
        if isinstance(metric, AveragedMetric):
            return "is averaged so already"
        if isinstance(metric, BoundMetric):
            return f"is a bound; the {self.average.name} is of a metric's own values"
        if metric.of_sessions:
            return f"is of sessions, and the {self.average.name} of queries"
        if metric.average is not self.replaces:
            return f"is averaged by its {metric.average.name}"
        return None


@record(eq=False, repr=False)
class AveragedMetric(MadeMetric):
    """A metric that is another one, averaged otherwise.

    by: what averages; inside: the metric that it is
    """

    by: Averaged = field(kw_only=True)

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return averaged, (self.by, self.inside)  # a copy is the same object


@cache
def averaged(by: Averaged, of: Metric) -> Metric:
    """The metric that another one is, averaged so; there is one object of each."""
    if why := by.refusal(of):
        raise InputError(f"{by.name}: {of.name} {why} ({by.spec})")
    same = {name: getattr(of, name) for name in fields(Metric)}
    differs = {
        "name": f"{by.name}({of.name})",
        "function": f"{by.name.lower()}_{of.function}",
        "title": f"{by.title}, of {of.title}",
        "parameters": parameters(*of.parameters.values(), *by.parameters.values()),
        "names": Names(trec=_TREC.get(of.name) if by is GM else None),
        "extremes": NO_EXTREMES,
        "average": by.average,
        "whole_numbers": False,
    }
    return AveragedMetric(by=by, inside=of, **{**same, **differs})


OF_ONE_RANKING = "The values of single rankings are those of A:"
GM = Averaged(
    name="GM",
    title="geometric mean over queries",
    spec=SPEC,
    average=GEOMETRIC,
    formula="GM(v_1, ..., v_n) = (Π max(v_i, floor))^(1/n)",
    parameters=parameters(FLOOR),
    replaces=MEAN,
    such_as="rs.AP()",
    values=OF_ONE_RANKING,
    example=">>> rs.GM(rs.AP()).of([2, 0, 1])\n0.8333333333333334",
)
Mean = Averaged(
    name="Mean",
    title="mean over queries",
    spec=SPEC,
    average=MEAN,
    formula="Mean(v_1, ..., v_n) = (Σ v_i) / n",
    parameters=parameters(),
    replaces=SUM,
    such_as="rs.NumRelRet()",
    values=OF_ONE_RANKING,
    example=">>> rs.Mean(rs.NumRelRet()).of([2, 0, 1])\n2.0",
)
AVERAGES = (GM, Mean)
