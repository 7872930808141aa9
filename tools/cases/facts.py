"""A case with what is known of its value, as flags need it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ulp
from typing import Any

from rankspec.api.session_inputs import SessionInput
from rankspec.certify import Certified, certified
from rankspec.metrics.measure import Measure, make
from rankspec.reference.numerics import Certificate, certify, nearest_double, nearest_double_of
from rankspec.reference.ties import tie_groups

from . import INPUTS, VECTORS, Case, bound_and_metric

DIGITS = 30


@dataclass(frozen=True)
class Facts:
    """A case with what is known of its value: what flags are asserted by."""

    case: Case

    @property
    def labels(self) -> list[Any]:
        return self.case.labels

    @property
    def given(self) -> dict[str, Any]:
        return self.case.given

    @property
    def k(self) -> Any:
        """The cut-off, or several; None where there is none, of which few flags are."""
        return self.given.get("k")

    @property
    def pool(self) -> list[Any]:
        if bound_and_metric(self.case.name)[1].of_sessions:
            return list(self.session().pool)
        return list(self.given.get("judged", self.labels))

    @property
    def numbers(self) -> list[Any]:
        """Every label that is given, of lists and pool."""
        nested = bound_and_metric(self.case.name)[1].of_sessions
        return [*(chain.from_iterable(self.labels) if nested else self.labels), *self.pool]

    def session(self, **changes: Any) -> Any:
        """The session of the case, some of what is given changed."""
        given = {"labels": self.labels, **self.given, **changes}
        taken = SessionInput(given["labels"], given.get("ids"), judged=given.get("judged"))
        return taken.batch.ranking(0)

    @cached_property
    def measure(self) -> Measure:
        k = None if isinstance(self.k, list) else self.k
        return measure_of(self.case.name, k, self.given)

    @property
    def of(self) -> str:
        """The name of the metric; of a bound, of the metric that it is a bound of."""
        return bound_and_metric(self.case.name)[1].name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the metric; of vectors, those that they depend on."""
        known = bound_and_metric(self.case.name)[1].parameters
        return {n: x for n, x in known.items() if n != "over" or self.case.name not in VECTORS}

    def certified(self, **changes: Any) -> Certified:
        """The certified value, some of what is given changed (None: taken out).

        By another metric's name the gain is still that of the case.
        """
        given = {**self.given, **changes}
        if "name" in changes and "gain" in self.measure.metric.parameters:
            given.setdefault("gain", self.measure.gain)
        given = {n: x for n, x in given.items() if x is not None}
        name = given.pop("name", self.case.name)
        labels = given.pop("labels", self.labels)
        measure = measure_of(name, given.get("k"), given)
        taken = {n: given[n] for n in INPUTS if n in given}
        if not measure.metric.judged:
            taken.pop("judged", None)
        if measure.metric.of_pool:
            taken = {}
        return certified(measure, labels, digits=DIGITS, check=False, **taken)

    def of_pool(self, bound: str, **changes: Any) -> Certified:
        """A bound of the case's metric: "RLB", say."""
        return self.certified(name=f"{bound}({self.of})", labels=self.pool, **changes)

    def double(self, **changes: Any) -> Any:
        """The value, some of what is given changed; of a vector, those of its components."""
        if changes.get("name", self.case.name) in VECTORS:
            return tuple(proof.double for proof in self.components(**changes))
        return self.certified(**changes).value

    def components(self, **changes: Any) -> list[Certificate]:
        """The certified components of a vector of a session, some of what is given changed."""
        given = {n: x for n, x in {**self.given, **changes}.items() if x is not None}
        measure = measure_of(given.pop("name", self.case.name), given.get("k"), given)
        session = self.session(**changes)
        places = range(sum(measure.vector_lengths(session)))
        return [_component(measure, session, p) for p in places]

    @cached_property
    def proof(self) -> Certified:
        return self.certified()

    @property
    def value(self) -> Any:
        return self.double() if self.case.name in VECTORS else self.proof.value

    @property
    def exact(self) -> Fraction | None:
        return self.proof.exact

    @cached_property
    def groups(self) -> list[list[int]]:
        """The positions of the items by tie group."""
        return tie_groups(self.given["scores"])

    def differs(self, **changes: Any) -> bool:
        return bool(self.double(**changes) != self.value)


def measure_of(name: str, k: int | None, given: dict[str, Any]) -> Measure:
    """A measure by its name, with those of its parameters that are given."""
    bound, metric = bound_and_metric(name)
    measure = make(metric, k, **{n: given[n] for n in metric.parameters if n in given})
    if bound is None:
        return measure
    return bound(measure, **{n: given[n] for n in bound.parameters if n in given})


# Plain double arithmetic, to show where it goes wrong.


def double_loop(facts: Facts) -> float:
    """The value as a loop over doubles computes it: each gain and discount the nearest double."""
    measure = facts.measure
    if measure.metric.function in _DOUBLE:
        return _DOUBLE[measure.metric.function](facts)
    if measure.metric.binary:
        return _double_sp(facts) / _normaliser(facts)
    if "prior" in measure.metric.parameters:
        return _double_of_length(facts)
    total = _double_dcg(facts.labels, measure)
    if measure.metric.function == "ndcg":
        return total / _double_dcg(sorted(facts.pool, reverse=True), measure)
    return total


def _double_dcg(labels: list[Any], measure: Measure) -> float:
    total = 0.0
    for i, label in enumerate(labels[: measure.k], start=1):
        total += _double_gain(label, measure) * _double_discount(i, measure)
    return total


def _component(measure: Measure, session: Any, p: int) -> Certificate:
    return certify(lambda R: measure.vector(session, R)[p], digits=DIGITS)


def _double_gain(label: Any, measure: Measure) -> float:
    return nearest_double_of(lambda R: measure.gain.of(R)(label))


def _double_discount(i: int, measure: Measure) -> float:
    if "discount" not in measure.metric.parameters:
        return 1.0
    return nearest_double_of(lambda R: measure.discount.of(R)(i))


def _double_of_length(facts: Facts) -> float:
    measure = facts.measure
    falling = sorted(facts.pool, reverse=True)[: facts.k]
    if measure.metric.function == "ldcg":
        return _double_ldcg(facts.labels[: facts.k], measure)
    ideal = max(_double_ldcg(falling[:N], measure) for N in range(1, len(falling) + 1))
    if measure.metric.function == "ildcg":
        return ideal
    return _double_ldcg(facts.labels[: facts.k], measure) / ideal


def _double_ldcg(labels: list[Any], measure: Measure) -> float:
    def w(i: int) -> float:
        return nearest_double_of(lambda R: measure.prior.of(measure.discount).of(R)(i))

    expected = 0.0
    for i in range(1, len(labels) + 1):
        expected += w(i) * _double_discount(i, measure)
    if measure.k is not None and "Z" in measure.metric.parameters and measure.Z == "M":
        total = 0.0
        for i in range(1, measure.k + 1):
            total += w(i)
        expected *= 1 / total
    return _double_dcg(labels, measure) / expected


def _double_sdcg(facts: Facts) -> float:
    measure, total = facts.measure, 0.0
    for q, labels in enumerate(facts.labels, start=1):
        total += _double_query_discount(q, measure) * _double_dcg(labels, measure)
    return total


def _double_query_discount(q: int, measure: Measure) -> float:
    return nearest_double_of(lambda R: measure.query_discount.of(R)(q))


def _double_sp(facts: Facts) -> float:
    total, found = 0.0, 0
    for i, label in enumerate(facts.labels[: facts.k], start=1):
        if label >= facts.measure.rel:
            found += 1
            total += found / i
    return total


def _double_err(facts: Facts) -> float:
    total, going_on = 0.0, 1.0
    for i, label in enumerate(facts.labels[: facts.k], start=1):
        stop = (2.0**label - 1) / 2.0**facts.measure.max
        total += going_on * stop / i
        going_on *= 1 - stop
    return total


def _double_rbp(facts: Facts) -> float:
    total, weight = 0.0, 1 - facts.measure.p
    for label in facts.labels[: facts.k]:
        total += weight * (label >= facts.measure.rel)
        weight *= facts.measure.p
    return total


_DOUBLE = {"err": _double_err, "rbp": _double_rbp, "sdcg": _double_sdcg}


def _normaliser(facts: Facts) -> int:
    if facts.measure.metric.function == "sp":
        return 1
    relevant = sum(label >= facts.measure.rel for label in facts.pool)
    k = facts.k or max(len(facts.labels), len(facts.pool))
    return int({"R": relevant, "min": min(k, relevant), "k": k}[facts.measure.norm])


def midpoint_distance(x: Fraction) -> Fraction:
    """How far x is from the nearest number exactly between two doubles, in units of their gap."""
    unit = Fraction(ulp(nearest_double(x)))
    return abs((x / unit) % 1 - Fraction(1, 2))
