"""CG, DCG, IDCG and nDCG, applied to measures and rankings."""

from __future__ import annotations

from ..conventions import UNDISCOUNTED
from ..measure import Measure, Metric, Quotient, Ranking
from ..reference import dcg, expectation
from ..reference.reals import Number, Reals


def _expected_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return expectation.expected_dcg(x.groups, k, m.gain.of(R), m.discount.of(R))


def _idcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.idcg(x.pool, k, m.gain.of(R), m.discount.of(R))


def _normaliser(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return _idcg(m, x, dcg.ideal_cutoff(m.ideal, x.pool, k), R)


def _name_of_normaliser(m: Measure) -> str:
    return "IDCG" if m.k is None or m.ideal == "all" else f"IDCG@{m.k}"


METRICS = (
    Metric(
        name="CG",
        function="cg",
        title="cumulated gain",
        spec="RS-DCG-1",
        expected_spec="RS-EXP-2",
        plain=lambda m, x, k, R: dcg.cg(x.labels, k, m.gain.of(R)),
        expected=lambda m, x, k, R: expectation.expected_dcg(
            x.groups, k, m.gain.of(R), UNDISCOUNTED.of(R)
        ),
        parameters=("gain",),
        pool=False,
    ),
    Metric(
        name="DCG",
        function="dcg",
        title="discounted cumulated gain",
        spec="RS-DCG-2",
        expected_spec="RS-EXP-2",
        plain=lambda m, x, k, R: dcg.dcg(x.labels, k, m.gain.of(R), m.discount.of(R)),
        expected=_expected_dcg,
        parameters=("gain", "discount"),
        pool=False,
    ),
    Metric(
        name="IDCG",
        function="idcg",
        title="ideal discounted cumulated gain",
        spec="RS-DCG-5",
        expected_spec="RS-DCG-5",
        plain=_idcg,
        expected=_idcg,
        parameters=("gain", "discount"),
        pool=True,
    ),
    Metric(
        name="nDCG",
        function="ndcg",
        title="normalised discounted cumulated gain",
        spec="RS-DCG-6",
        expected_spec="RS-EXP-3",
        plain=lambda m, x, k, R: dcg.ndcg(
            x.labels, x.pool, k, m.gain.of(R), m.discount.of(R), m.ideal
        ),
        expected=lambda m, x, k, R: expectation.expected_ndcg(
            x.groups, x.pool, k, m.gain.of(R), m.discount.of(R), m.ideal
        ),
        parameters=("gain", "discount", "ideal"),
        pool=True,
        trec="ndcg",
        trec_cut="ndcg_cut",
        quotient=Quotient("DCG", _expected_dcg, _name_of_normaliser, _normaliser, "RS-DCG-5"),
    ),
)
