"""The metrics of the spec, chapter by chapter.

``METRICS`` is the one list of metrics: the API, the command line, the site and the tests read
it. A new chapter adds a module of its name here, which applies the equations of the reference's
module of the same name. ``BOUNDS`` is the list of what makes metrics of metrics, and
``SESSION_METRICS`` that of the metrics that are taken of sessions, not of rankings.
"""

# ruff: noqa: N816 - metrics are called what their papers call them

from __future__ import annotations

from . import bounds, cascade, dcg, length, precision, relevance, session, users
from .bounds import Bound
from .measure import Metric
from .session import SessionMetric

METRICS = (
    *dcg.METRICS,
    *length.METRICS,
    *relevance.METRICS,
    *precision.METRICS,
    *cascade.METRICS,
    *users.METRICS,
)
BOUNDS = bounds.BOUNDS
SESSION_METRICS = session.METRICS

# BEGIN NAMES of all of them, by tools/functions.py
AP: Metric
BPM: Metric
Bpref: Metric
CG: Metric
Compat: Metric
DCG: Metric
DCG_phi: Metric
ERR: Metric
GAP: Metric
GRBP: Metric
GRBP_residual: Metric
IDCG: Metric
ILDCG: Metric
INSQ: Metric
INST: Metric
IUB: Bound
Instance_recall: SessionMetric
IsDCG: SessionMetric
LAP: Metric
LDCG: Metric
LERR: Metric
LNDCG: Metric
LRBP: Metric
MinMax: Bound
P: Metric
R: Metric
RBP: Metric
RBP_residual: Metric
RLB: Bound
RR: Metric
Ratio: Bound
Rprec: Metric
SDCG: Metric
SP: Metric
Success: Metric
U: Bound
UL1: Bound
UL2: Bound
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

globals().update({x.name: x for x in (*METRICS, *BOUNDS, *SESSION_METRICS)})
