"""P, recall, RR, SP and AP, applied to measures and rankings."""

from __future__ import annotations

from ..measure import Measure, Metric, Quotient, Ranking
from ..reference import expectation, precision
from ..reference.reals import Number, Reals


def _R(m: Measure, x: Ranking) -> list[int]:
    return precision.relevance(x.labels, m.rel)


def _R_groups(m: Measure, x: Ranking) -> list[list[int]]:
    return [precision.relevance(group, m.rel) for group in x.groups]


def _N_p(m: Measure, x: Ranking) -> int:
    return sum(precision.relevance(x.pool, m.rel))


def _hits(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return expectation.expected_hits(_R_groups(m, x), k, R)


def _sp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return expectation.expected_sp(_R_groups(m, x), k, R)


_NORMALISERS = {"R": "N_p", "min": "min(k, N_p)", "k": "k"}

METRICS = (
    Metric(
        name="P",
        function="precision",
        title="precision",
        spec="RS-PREC-2",
        expected_spec="RS-EXP-5",
        plain=lambda m, x, k, R: precision.precision(_R(m, x), k, R),
        expected=lambda m, x, k, R: expectation.expected_precision(_R_groups(m, x), k, R),
        parameters=("rel",),
        pool=False,
        trec_cut="P",
        quotient=Quotient("hits", _hits, lambda m: "k", lambda m, x, k, R: k, "RS-PREC-2"),
    ),
    Metric(
        name="R",
        function="recall",
        title="recall",
        spec="RS-PREC-3",
        expected_spec="RS-EXP-6",
        plain=lambda m, x, k, R: precision.recall(_R(m, x), _N_p(m, x), k, R),
        expected=lambda m, x, k, R: expectation.expected_recall(_R_groups(m, x), _N_p(m, x), k, R),
        parameters=("rel",),
        pool=True,
        trec_cut="recall",
        quotient=Quotient(
            "hits", _hits, lambda m: "N_p", lambda m, x, k, R: _N_p(m, x), "RS-PREC-3"
        ),
    ),
    Metric(
        name="RR",
        function="rr",
        title="reciprocal rank",
        spec="RS-PREC-4",
        expected_spec="RS-EXP-7",
        plain=lambda m, x, k, R: precision.rr(_R(m, x), k, R),
        expected=lambda m, x, k, R: expectation.expected_rr(_R_groups(m, x), k, R),
        parameters=("rel",),
        pool=False,
        trec="recip_rank",
    ),
    Metric(
        name="SP",
        function="sp",
        title="sum of precisions",
        spec="RS-PREC-5",
        expected_spec="RS-EXP-9",
        plain=lambda m, x, k, R: precision.sp(_R(m, x), k, R),
        expected=_sp,
        parameters=("rel",),
        pool=False,
    ),
    Metric(
        name="AP",
        function="ap",
        title="average precision",
        spec="RS-PREC-7",
        expected_spec="RS-EXP-10",
        plain=lambda m, x, k, R: precision.ap(_R(m, x), _N_p(m, x), k, m.norm, R),
        expected=lambda m, x, k, R: expectation.expected_ap(
            _R_groups(m, x), _N_p(m, x), k, m.norm, R
        ),
        parameters=("rel", "norm"),
        pool=True,
        trec="map",
        trec_cut="map_cut",
        quotient=Quotient(
            "SP",
            _sp,
            lambda m: _NORMALISERS[m.norm],
            lambda m, x, k, R: precision.normaliser(m.norm, _N_p(m, x), k),
            "RS-PREC-6",
        ),
    ),
)
