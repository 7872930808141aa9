"""The metrics of the spec, chapter by chapter.

``METRICS`` is the one list of metrics: the API, the command line, the site and the tests read
it. A new chapter adds a module of its name here, which applies the equations of the reference's
module of the same name. ``BOUNDS`` is the list of what makes metrics of metrics,
``AVERAGES`` that of what averages one otherwise, and ``SESSION_METRICS`` that of the metrics that
are taken of sessions, not of rankings.
"""

# ruff: noqa: N816 - metrics are called what their papers call them

from __future__ import annotations

from . import bounds, cascade, dcg, geometric, length, precision, relevance, session
from .bounds import Bound
from .geometric import Averaged
from .measure import Metric
from .session import SessionMetric

METRICS = (
    *dcg.METRICS,
    *length.METRICS,
    *relevance.METRICS,
    *precision.METRICS,
    *cascade.METRICS,
)
BOUNDS = bounds.BOUNDS
AVERAGES = geometric.AVERAGES
SESSION_METRICS = session.METRICS

# BEGIN NAMES of all of them, by tools/functions.py
AP: Metric
Bpref: Metric
CG: Metric
DCG: Metric
DCG_phi: Metric
ERR: Metric
F: Metric
GAP: Metric
GM: Averaged
IDCG: Metric
ILDCG: Metric
IUB: Bound
Instance_recall: SessionMetric
IsDCG: SessionMetric
Judged: Metric
LAP: Metric
LDCG: Metric
LERR: Metric
LNDCG: Metric
LRBP: Metric
MinMax: Bound
NumNonrelRet: Metric
NumQ: Metric
NumRel: Metric
NumRelRet: Metric
NumRet: Metric
P: Metric
R: Metric
RBP: Metric
RBP_residual: Metric
RLB: Bound
RR: Metric
Ratio: Bound
RelP: Metric
Rprec: Metric
SP: Metric
SetAP: Metric
SetP: Metric
Success: Metric
U: Bound
UL1: Bound
UL2: Bound
Unjudged: Metric
WLB: Bound
avg_nsDCG: SessionMetric
avg_sDCG: SessionMetric
expected: Bound
nDCG: Metric
nDCG_phi: Metric
nERR: Metric
nsDCG: SessionMetric
query_P_at_recall: SessionMetric
query_nDCG: SessionMetric
query_sDCG: SessionMetric
sDCG: SessionMetric
sDCG_q: SessionMetric
variance: Bound
z_value: Bound
# END NAMES

globals().update({x.name: x for x in (*METRICS, *BOUNDS, *AVERAGES, *SESSION_METRICS)})
