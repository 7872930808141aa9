"""The metrics of the spec, chapter by chapter.

``METRICS`` is the one list of metrics: the API, the command line, the site and the tests read
it. A new chapter adds a module of its name here, which applies the equations of the reference's
module of the same name. ``MAKERS`` is the list of what makes metrics of metrics: ``BOUNDS``,
``AVERAGES``, which average one otherwise, ``Adjusted``, for the length of the list, and
``Phi``, for scores in the place of labels.
``SESSION_METRICS`` and ``DIVERSITY_METRICS`` are those of the metrics that are taken of sessions,
and of items with a label for each subtopic.
"""

# ruff: noqa: N816 - metrics are called what their papers call them

from __future__ import annotations

from . import (
    adjusted,
    bounds,
    cascade,
    dcg,
    diversity,
    geometric,
    length,
    of_relevance,
    precision,
    relevance,
    session,
    users,
    utility,
)
from .adjusted import Adjustment
from .bounds import Bound
from .diversity import DiversityMetric
from .geometric import Averaged
from .measure import Metric
from .of_relevance import OfRelevance
from .session import SessionMetric

METRICS = (
    *dcg.METRICS,
    *length.METRICS,
    *relevance.METRICS,
    *precision.METRICS,
    *cascade.METRICS,
    *utility.METRICS,
    *users.METRICS,
)
BOUNDS = bounds.BOUNDS
AVERAGES = geometric.AVERAGES
MAKERS = (*BOUNDS, *AVERAGES, adjusted.Adjusted, of_relevance.Phi)
SESSION_METRICS = session.METRICS
DIVERSITY_METRICS = diversity.METRICS

# BEGIN NAMES of all of them, by tools/functions.py
AP: Metric
AP_IA: DiversityMetric
AUC: Metric
Adjusted: Adjustment
AvgIPrec: Metric
BPM: Metric
Bpref: Metric
CG: Metric
Compat: Metric
DCG: Metric
DCG_phi: Metric
D_nDCG: DiversityMetric
Dsharp_nDCG: DiversityMetric
EBR: Metric
ERR: Metric
ERR_IA: DiversityMetric
F: Metric
G: Metric
GAP: Metric
GM: Averaged
GRBP: Metric
GRBP_residual: Metric
IDCG: Metric
ILDCG: Metric
INSQ: Metric
INST: Metric
IPrec: Metric
IUB: Bound
Instance_recall: SessionMetric
IsDCG: SessionMetric
Judged: Metric
LAP: Metric
LDCG: Metric
LERR: Metric
LGAP: Metric
LNDCG: Metric
LRBP: Metric
Mean: Averaged
MinMax: Bound
NCU: Metric
NERR10: Metric
NERR11: Metric
NERR8: Metric
NERR9: Metric
NRBP: DiversityMetric
NumNonrelRet: Metric
NumQ: Metric
NumRel: Metric
NumRelRet: Metric
NumRet: Metric
O_measure: Metric
P: Metric
P_IA: DiversityMetric
P_measure: Metric
P_plus: Metric
Phi: OfRelevance
Q_measure: Metric
R: Metric
RBP: Metric
RBP_residual: Metric
RLB: Bound
RR: Metric
Ratio: Bound
RelP: Metric
Rprec: Metric
RprecMult: Metric
SDCG: Metric
SP: Metric
SetAP: Metric
SetP: Metric
StRecall: DiversityMetric
Success: Metric
U: Bound
UL1: Bound
UL2: Bound
Unjudged: Metric
Utility: Metric
WLB: Bound
Yaap: Metric
alpha_DCG: DiversityMetric
alpha_nDCG: DiversityMetric
avg_nsDCG: SessionMetric
avg_sDCG: SessionMetric
binG: Metric
expected: Bound
iRBU: Metric
infAP: Metric
nCG: Metric
nDCG: Metric
nDCG_IA: DiversityMetric
nDCG_levels: Metric
nDCG_phi: Metric
nDCG_rel: Metric
nERR: Metric
nERR_IA: DiversityMetric
nNRBP: DiversityMetric
nsDCG: SessionMetric
query_P_at_recall: SessionMetric
query_nDCG: SessionMetric
query_sDCG: SessionMetric
sDCG: SessionMetric
sDCG_q: SessionMetric
variance: Bound
z_value: Bound
# END NAMES

globals().update({x.name: x for x in (*METRICS, *MAKERS, *SESSION_METRICS, *DIVERSITY_METRICS)})
