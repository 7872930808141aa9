"""rankspec as a provider of ir_measures: `import rankspec.compat.ir_measures` registers it.

    import ir_measures
    from rankspec.compat.ir_measures import put_first

    put_first()  # ir_measures.calc_aggregate(...), and PyTerrier, ask rankspec first
    ir_measures.rankspec.calc_aggregate(...)  # the provider alone

The provider has the measures that rankspec, with its profile ir_measures (RS-CONV-18), defines as
ir_measures does, and leaves all others to the providers after it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import ir_measures
from ir_measures import providers
from ir_measures.measures.base import MeanAgg
from ir_measures.providers.base import NOT_PROVIDED
from ir_measures.util import CalcResults, QrelsConverter, RunConverter

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import Gain
from ..errors import InputError, shown_text
from ..evaluation.conventions import Conventions
from ..evaluation.evaluate import evaluate_by, judged_by, prepared, warn_of_input
from ..evaluation.measures import measures_named
from ..evaluation.profiles import Profile, chosen_conventions
from ..formats.frames import snapshot
from ..formats.ids import by_text
from ..metrics.catalogue import METRICS
from ..metrics.measure import Measure, make
from ..reference.numerics import mean

PROFILE = "ir_measures"
NAMES = ("nDCG", "AP", "P", "R", "RR", "Rprec", "Success", "Bpref", "ERR", "RBP", "IPrec", "infAP")
"""The measures whose parameters are read here; others are read as rs.evaluate() reads them."""
OF_THE_RUN = (("queries", "both"),)
"""The conventions of what ir_measures counts of the queries alone that the run has, too."""
OF_ALL_LABELS = (("negative", "zero"),)
"""Those of what asks which documents are judged: a label below 0 is a judgment to it."""

_METRICS = {m.name: m for m in METRICS if m.name in NAMES}
_GAINS = {"log2": Gain("linear"), "exp-log2": Gain("exp2")}


class Meant(NamedTuple):
    """A measure of ir_measures, as it is asked for here.

    measure: the measure; condensed: whether unjudged documents are left out
    grades: {label: the label that is meant}, which are the gains there
    otherwise: conventions of its own, {name: value}
    """

    measure: Measure
    condensed: bool
    grades: tuple[tuple[int, int], ...] = ()
    otherwise: tuple[tuple[str, str], ...] = ()


def meant(measure: ir_measures.Measure) -> Meant:
    """Translate a measure; InputError says why rankspec does not have it."""
    name = measure.NAME
    if hasattr(measure, "runtime_impl"):
        raise InputError(f'measure "{measure}": it is defined at run time, by its own function')
    if name not in _METRICS:
        return _as_evaluated(measure)
    parameters = {key: _given(measure, key) for key in measure.SUPPORTED_PARAMS}
    k, condensed = parameters.pop("cutoff", None), bool(parameters.pop("judged_only", False))
    grades = _grades(measure, parameters.pop("gains", None))
    dcg = parameters.pop("dcg", None)
    if dcg is not None:
        if grades and dcg != "log2":
            raise InputError(
                f'measure "{measure}": it gives gains, and dcg names another gain; give one of them'
            )
        parameters["gain"] = _GAINS[dcg]
    if name == "RBP" and parameters["rel"] is None:
        raise InputError(
            f'measure "{measure}": without rel it has graded relevance; RBP(rel=1) is taken'
        )
    if name == "RBP" and k is not None:
        raise InputError(f'measure "{measure}": a cut-off of RBP has no meaning in ir_measures')
    profile, conventions = _conventions(condensed)
    own = {n: x for n, x in profile.parameters.items() if n in _METRICS[name].parameters}
    given = {n: x for n, x in parameters.items() if x is not None}
    made = make(_METRICS[name], k, **own, **given)
    if made.metric.binary and made.rel <= 0:
        raise InputError(f'measure "{measure}": rel must be above 0 (RS-CONV-8)')
    return _unless_refused(measure, Meant(made, condensed, grades), profile, conventions)


def _as_evaluated(measure: ir_measures.Measure) -> Meant:
    """A measure as rs.evaluate() reads it."""
    condensed = "judged_only" in measure.SUPPORTED_PARAMS and bool(_given(measure, "judged_only"))
    profile, conventions = _conventions(condensed)
    (made,) = measures_named(measure, conventions, profile)
    otherwise = OF_ALL_LABELS if made.metric.sees_unjudged else ()
    if profile.refusal(made, conventions):
        otherwise = OF_THE_RUN
    profile, conventions = _conventions(condensed, otherwise)
    if made.taken_of != "rankings":
        raise InputError(f'measure "{measure}": it is of {made.taken_of}, not of rankings')
    meant = Meant(made, condensed, otherwise=otherwise)
    return _unless_refused(measure, meant, profile, conventions)


def _unless_refused(
    measure: ir_measures.Measure, meant: Meant, profile: Profile, conventions: Conventions
) -> Meant:
    """The measure that is meant; an InputError where the profile cannot do as ir_measures does."""
    if why := profile.refusal(meant.measure, conventions):
        raise InputError(f'measure "{measure}": the profile "{PROFILE}" {why} (RS-CONV-18)')
    return meant


def _given(measure: ir_measures.Measure, key: str) -> Any:
    x = measure[key]
    return None if x is NOT_PROVIDED else x


def _grades(measure: ir_measures.Measure, gains: Any) -> tuple[tuple[int, int], ...]:
    if gains is None:
        return ()
    items = gains.items() if isinstance(gains, Mapping) else [(gains, None)]
    if any(type(x) is not int for item in items for x in item):
        raise InputError(f'measure "{measure}": gains must be integers for integer labels')
    return tuple(sorted(items))


def _check_whole(qrels: Mapping[Any, Any]) -> None:
    """An InputError for a fractional label: ir_measures has whole ones (Qrel.relevance: int)."""
    for query, labels in qrels.items():
        for document, x in labels.items():
            if isinstance(x, float) and x % 1:
                raise InputError(
                    f"qrels: the label of document {shown_text(str(document))} for query "
                    f"{shown_text(str(query))} is {x}; ir_measures takes only integers. Are "
                    "qrels and run swapped? The qrels come first, calc_aggregate(measures, "
                    "qrels, run)"
                )


def _conventions(
    condensed: bool, otherwise: Iterable[tuple[str, str]] = ()
) -> tuple[Profile, Conventions]:
    """Labels below 0 are no judgments: what pytrec_eval does (RS-CONV-18)."""
    unjudged = "condensed" if condensed else "nonrelevant"
    given = {"negative": "unjudged", "unjudged": unjudged, **dict(otherwise)}
    profile, conventions = chosen_conventions(PROFILE, given)
    assert profile is not None  # noqa: S101 - it is named
    return profile, conventions


class RankspecProvider(providers.Provider):
    """rankspec: the doubles nearest to the real numbers."""

    NAME = "rankspec"

    def supports(self, measure: ir_measures.Measure) -> bool:
        """Whether it has the measure; meant() says why not."""
        measure.validate_params()
        try:
            meant(measure)
        except InputError:
            return False
        return True

    def _evaluator(self, measures: Iterable[ir_measures.Measure], qrels: Any) -> Evaluator:
        return Evaluator(measures, QrelsConverter(qrels).as_dict_of_dict())


class Evaluator(providers.Evaluator):
    """Evaluates runs; the qrels are read once for measures of the same judgments.

    A whole number is the text of its digits, so that the query 7 of the judgments is "7" of the run
    (RS-CONV-44); its values stand under the id that the judgments have, where ir_measures and its
    other providers look for them. Fractional labels are refused. Warns of a run as rs.evaluate()
    does (RS-CONV-27, RS-CONV-28).
    """

    @standard_arithmetic
    def __init__(self, measures: Iterable[ir_measures.Measure], qrels: Any) -> None:
        measures = list(measures)
        given = snapshot(qrels, "qrels")
        super().__init__(measures, set(given))
        qrels = by_text(given, "qrels", "query")
        self._given = dict(zip(qrels, given, strict=True))
        _check_whole(qrels)
        self._groups: dict[tuple[Any, ...], list[tuple[Any, Measure]]] = {}
        for asked in measures:
            of = meant(asked)
            key = (of.condensed, of.grades, of.otherwise)
            self._groups.setdefault(key, []).append((asked, of.measure))
        self._judged = {}
        for condensed, grades, otherwise in self._groups if qrels else ():
            _, conventions = _conventions(condensed, otherwise)
            labels, _ = judged_by(qrels, conventions, None, dict(grades) or None)
            self._judged[condensed, grades, otherwise] = prepared(labels, conventions)

    def _iter_calc(self, run: Any) -> Iterator[ir_measures.Metric]:
        return iter(self._metrics(run))

    @standard_arithmetic
    def _metrics(self, run: Any) -> list[ir_measures.Metric]:
        metrics, remarks = [], dict[str, None]()
        scored = RunConverter(run).as_dict_of_dict()
        for key, judged in self._judged.items():
            profile, conventions = _conventions(key[0], key[2])
            own = self._groups[key]
            found = evaluate_by(
                conventions, profile, judged, scored, list(dict.fromkeys(m for _, m in own))
            )
            remarks |= dict.fromkeys(found.warnings)
            for asked, measure in own:
                for query, x in found.per_query[str(measure)].items():
                    metrics.append(
                        ir_measures.Metric(query_id=self._given[query], measure=asked, value=x)
                    )
        warn_of_input(remarks)
        return metrics

    def calc_aggregate(self, run: Any) -> dict[ir_measures.Measure, float]:
        """The exact means, correctly rounded (RS-NUM-5)."""
        return self._means(self.iter_calc(run))

    def calc(self, run: Any) -> CalcResults:
        """The means, and the values of all queries."""
        metrics = list(self.iter_calc(run))
        return CalcResults(self._means(metrics), metrics)

    def _means(self, metrics: Iterable[ir_measures.Metric]) -> dict[ir_measures.Measure, float]:
        values: dict[Any, list[float]] = {m: [] for m in self.measures}
        for metric in metrics:
            values[metric.measure].append(metric.value)
        return {m: _mean(m, found) for m, found in values.items()}


@standard_arithmetic
def _mean(measure: ir_measures.Measure, values: list[float]) -> float:
    aggregator = measure.aggregator()
    if type(aggregator) is MeanAgg:
        return mean(values) if values else math.nan
    for x in values:
        aggregator.add(x)
    return float(aggregator.result())


def put_first() -> None:
    """Make ir_measures ask rankspec before its other providers. Idempotent."""
    pipeline = ir_measures.DefaultPipeline.providers
    take_out()
    pipeline.insert(0, provider)


def take_out() -> None:
    """Undo put_first(): ir_measures asks only its other providers."""
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline[:] = [other for other in pipeline if other.NAME != RankspecProvider.NAME]


provider = providers.register(RankspecProvider())
ir_measures.rankspec = provider  # as ir_measures.pytrec_eval is
