"""The metrics of the spec, chapter by chapter.

``METRICS`` is the one list of metrics: the API, the command line, the site and the tests read
it. A new chapter adds a module of its name here, which applies the equations of the reference's
module of the same name. ``BOUNDS`` is the list of what makes metrics of metrics, and
``SESSION_METRICS`` that of the metrics that are taken of sessions, not of rankings.
"""

from __future__ import annotations

from . import bounds, cascade, dcg, length, precision, relevance, session

METRICS = (
    *dcg.METRICS,
    *length.METRICS,
    *relevance.METRICS,
    *precision.METRICS,
    *cascade.METRICS,
)
CG, DCG, IDCG, nDCG = dcg.METRICS  # noqa: N816
LDCG, ILDCG, LNDCG = length.METRICS
DCG_phi, nDCG_phi = relevance.METRICS  # noqa: N816
P, R, RR, SP, AP, GAP = precision.METRICS
ERR, nERR, RBP, RBP_residual = cascade.METRICS  # noqa: N816

BOUNDS = bounds.BOUNDS
IUB, RLB, WLB, U, UL1, UL2, MinMax, Ratio, expected, variance, z_value = BOUNDS

SESSION_METRICS = session.METRICS
sDCG, IsDCG, nsDCG, sDCG_q, avg_sDCG, avg_nsDCG, query_sDCG, query_nDCG = (  # noqa: N816
    SESSION_METRICS
)
