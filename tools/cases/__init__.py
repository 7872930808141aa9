"""The cases of spec/vectors, chapter by chapter, as tools/vectors.py reads them.

A case says what goes in and why it exists; what comes out is computed by tools/vectors.py. The
number of a case is its own for good: new cases take new numbers, and none is used again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rankspec.metrics.bounds import Bound, bound_named
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.metrics.grammar import metric
from rankspec.metrics.measure import Metric

KNOWN = (*METRICS, *SESSION_METRICS, *BOUNDS)
PARAMETERS = {"k", *(name for known in KNOWN for name in known.parameters)}
VECTORS = {  # of sessions, by what has a vector
    "sDCG_vector": "avg_sDCG",
    "IsDCG_vector": "IsDCG",
    "nsDCG_vector": "avg_nsDCG",
    "query_sDCG_vectors": "query_sDCG",
}
INPUTS = {"judged", "scores", "ids", "ties", "unjudged"}


@dataclass(frozen=True)
class Relation:
    """How a value stands to that of another case: by "RS-DCG-6/L4", "=", "dcg-0012"."""

    law: str
    sign: str
    case: str


@dataclass(frozen=True)
class Case:
    """What goes in, and why.

    number: as in the id "dcg-0007"
    name: of the measure, "nDCG", "UL2(nDCG)"; "nsDCG_vector"; or "mean", "double" (RS-NUM-5,
        RS-NUM-1)
    labels: in rank order, or in any order with scores; of a session a list for each query; the
        pool for what is of the pool alone (IDCG, ILDCG, "RLB(DCG)"); what a mean is of
    given: judged, scores, ids, ties, unjudged, and the parameters of the measure
    flags: the reasons for the case; each is asserted
    spec: the IDs that it is about, beside those of the measure, the gain and the discount
    laws: what laws say of this value and those of other cases; asserted, as flags are
    error: what is wrong with the input, for a case that must be refused
    """

    number: int
    why: str
    name: str
    labels: list[Any]
    given: dict[str, Any] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    laws: tuple[Relation, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class Group:
    """Cases about one thing."""

    about: str
    cases: tuple[Case, ...]


def group(about: str, *cases: Case) -> Group:
    return Group(about, cases)


def case(
    number: int,
    why: str,
    name: str,
    labels: list[Any],
    *,
    flags: str = "",
    spec: str = "",
    laws: str = "",
    error: str | None = None,
    **given: Any,
) -> Case:
    """A case; flags and spec are words with blanks between them.

    laws: "RS-DCG-6/L4 = dcg-0012; RS-DCG-6/L3 < dcg-0001": this value is that of dcg-0012
    """
    if unknown := set(given) - PARAMETERS - INPUTS:
        raise AssertionError(f"{number}: {unknown}")
    related = tuple(Relation(*words.split()) for words in laws.split(";") if words.strip())
    cited = tuple(spec.split())
    return Case(number, why, name, labels, given, tuple(flags.split()), cited, related, error)


def bound_and_metric(name: str) -> tuple[Bound | None, Metric]:
    """The bound and the metric of a name: "UL2(nDCG)" has both, "nDCG" no bound."""
    bound, _, of = name.rstrip(")").partition("(")
    return (bound_named(bound), metric(of)) if of else (None, metric(VECTORS.get(bound, bound)))
