"""Metrics as constructors of measures, bounds of them, and Measure.of(): inputs, errors, names."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import pydoc
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.reference.numerics import nearest_double

from ..each import each

Label = int | float

RANKINGS = [m for m in METRICS if not m.of_pool and not m.sees_unjudged]
BOUNDED = [(bound, m) for bound in BOUNDS for m in RANKINGS if bound.refusal(m) is None]

ODD: dict[str, dict[str, Any]] = {  # by metric, parameters that are no defaults
    "CG": {"gain": [0, 0.5, 7]},
    "DCG": {"gain": {0: 0, 1: 0.25, 2: 3}, "discount": [1, 0.5, 0.25]},
    "nDCG": {"gain": "exp2", "discount": "jarvelin-2008(b=2.5)", "ideal": "all"},
    "LDCG": {"prior": [3, 2, 1], "Z": "none"},
    "LNDCG": {"prior": "zipf", "ideal": "eq7", "discount": "log(b=10)"},
    "DCG_phi": {"variant": "authors-program", "quartiles": "hinges"},
    "nDCG_phi": {"points": [(0, 0), (1.5, 0.5), (9, 1)]},
    "P": {"rel": 2},
    "R": {"rel": 0.5},
    "RR": {"rel": Fraction(1, 2)},
    "SP": {"rel": 3},
    "AP": {"rel": 2, "norm": "min"},
    "Rprec": {"rel": 3},
    "IPrec": {"rel": 3, "recall": 0.25, "rounding": "up"},
    "RprecMult": {"rel": 3, "multiple": 1.4},
    "AvgIPrec": {"rel": 3, "levels": [0.25, 0.5], "rounding": "up"},
    "Success": {"rel": 0.5},
    "NumRet": {},
    "NumRelRet": {"rel": 2},
    "NumQ": {},
    "SetP": {"rel": 2},
    "RelP": {"rel": 3},
    "Yaap": {"rel": 2},
    "Utility": {"rel": 2, "weights": [2, -1, -0.5, 0], "documents": 1000},
    "NERR8": {"max_rel": 5},
    "NERR9": {"max_rel": "pool"},
    "NERR10": {"p": 0.5, "max_rel": 5},
    "NERR11": {"T": 2.5, "max_rel": 5},
    "F": {"rel": 2, "beta": 0.5},
    "SetAP": {"rel": Fraction(1, 2)},
    "GAP": {"q": [Fraction(1, 3), 0, 0.25]},
    "ERR": {"stop": [0, 0.25, 1]},
    "nERR": {"max": 3},
    "RBP": {"p": 0.95, "rel": 2},
    "LERR": {"stop": [0, 0.25, 1], "prior": "uniform"},
    "LAP": {"rel": 2, "Z": "none"},
    "LGAP": {"q": [Fraction(1, 3), 0, 0.25], "prior": "uniform"},
    "LRBP": {"p": 0.95, "rel": 2, "prior": [1, 0.5, 0.25, 0.125]},
    "nCG": {"gain": "exp2"},
    "nDCG_rel": {},
    "nDCG_levels": {},
    "binG": {"rel": 2},
    "G": {},
    "Q_measure": {"beta": 2},
    "NCU": {"stopping": "rank-biased", "gamma": 0.5},
    "O_measure": {"beta": 0},
    "P_measure": {"beta": 0.5},
    "P_plus": {"beta": 2},
    "EBR": {"beta": 2},
    "iRBU": {"phi": 0.5},
    "GRBP": {"p": 0.5, "max_rel": "pool"},
    "SDCG": {"max_rel": 9, "discount": "zipf"},
    "INSQ": {"T": 2, "max_rel": 9},
    "INST": {"T": 2},
    "BPM": {"T": 2, "hb": 0.5},
    "Compat": {"p": 0.5, "normalize": False},
}
WITHOUT_AN_EQUATION = ("query_sDCG", "query_nDCG", "NCU")
"""Those that have vectors, or are told in a sentence."""

OWN: dict[str, dict[str, Any]] = {"MinMax": {"lower": "worst"}}


class TestConstructors:
    def test_are_called_with_the_cut_off_and_the_parameters(self) -> None:
        assert rs.DCG(k=10, gain="exp2") == rs.measures("DCG(gain='exp2')@10")[0]
        assert rs.nDCG(5) == rs.measures("nDCG@5")[0]
        assert rs.ERR(max=3).max == 3
        assert rs.LDCG(M=4) == rs.LDCG(k=4)

    def test_bounds_are_called_with_a_measure(self) -> None:
        measure = rs.UL2(rs.DCG(k=10, gain="exp2"))
        assert str(measure) == "UL2(DCG(gain='exp2')@10)"
        assert measure.inner == rs.DCG(k=10, gain="exp2")
        assert measure.k == 10
        assert rs.MinMax(rs.AP(), lower="worst").lower == "worst"

    @pytest.mark.slow
    @each(("bound", "metric"), BOUNDED, ids=str)
    @each("k", [None, 3])
    def test_a_name_is_read_back(self, bound: Any, metric: rs.Metric, k: int | None) -> None:
        for parameters in ({}, ODD[metric.name]):
            for own in ({}, OWN.get(bound.name, {})):
                if own.get("lower") == "worst" and metric.orders.no_worst:
                    continue
                measure = bound(metric(k, **parameters), **own)
                assert rs.measures(str(measure)) == [measure]
                assert rs.measures(measure) == [measure]
                assert hash(rs.measures(str(measure))[0]) == hash(measure)

    def test_every_metric_has_odd_parameters_here(self) -> None:
        assert set(ODD) == {metric.name for metric in RANKINGS}

    def test_the_paper_writes_them_so(self) -> None:
        assert rs.measures("DCG_V2^UL@10") == [rs.UL2(rs.DCG(k=10, gain="exp2"))]
        assert rs.measures("MSP_V1^UL") == [rs.UL1(rs.SP())]
        assert rs.measures("RNDCG@5") == [rs.Ratio(rs.nDCG(k=5))]

    @each(
        ("make", "message"),
        [
            (
                lambda: rs.UL2("nDCG"),
                "UL2: expected a measure, such as rs.DCG(k=10), got 'nDCG'",
            ),
            (
                lambda: rs.UL2(rs.nDCG),
                "UL2: expected a measure, such as rs.DCG(k=10), got <Metric nDCG>",
            ),
            (lambda: rs.UL2(None), "UL2: expected a measure, such as rs.DCG(k=10), got None"),
            (
                lambda: rs.UL2(rs.UL1(rs.AP())),
                "UL2: UL1(AP) is itself a bound; expected a measure (RS-BND-1)",
            ),
            (lambda: rs.UL2(rs.IDCG()), "UL2: IDCG is of a pool, not of a ranking (RS-BND-1)"),
            (
                lambda: rs.variance(rs.nERR()),
                "variance: nERR has no known variance in closed form (RS-EXP-19)",
            ),
            (
                lambda: rs.z_value(rs.ERR()),
                "z_value: ERR has no known variance in closed form (RS-EXP-19)",
            ),
            (lambda: rs.UL2(rs.AP(), lower="worst"), "UL2 has no parameter 'lower'"),
            (lambda: rs.WLB(rs.AP(), bounds="exact"), "of its own it has none"),
            (lambda: rs.DCG(k=0), "k: the cut-off is 0; it must be at least 1"),
            (lambda: rs.DCG(k=True), "k: the cut-off is True; it must be a whole number"),
            (lambda: rs.DCG(gian="exp2"), "DCG has no parameter 'gian' (did you mean \"gain\"?)"),
            (
                lambda: rs.ERR(max=53),
                "max: expected the largest label, an integer from 1 to 52, got 53",
            ),
            (lambda: rs.ERR(stop=[0, 0.5, 0.25]), "label 2 is 0.25, below that of label 1, 0.5"),
            (lambda: rs.RBP(p=1), "it must be above 0 and below 1"),
            (lambda: rs.GAP(q=[0, 0]), "at least one probability must be above 0"),
            (lambda: rs.UL1(rs.RR(), bounds="karmaker-2022"), "has no formula for RR (RS-BND-9)"),
        ],
    )
    def test_errors(self, make: Any, message: str) -> None:
        with pytest.raises(rs.InputError) as refused:
            make()
        assert message in str(refused.value)


class TestOneObject:
    """A metric is one object, that of a bound too, so that measures are equal that say the same."""

    @pytest.mark.parametrize(
        "measure",
        [rs.UL2(rs.nDCG(k=10)), rs.ERR(k=20, max=3), rs.MinMax(rs.AP(norm="k"), lower="worst")],
        ids=str,
    )
    def test_survives_copying_and_pickling(self, measure: rs.Measure) -> None:
        copies = [copy.copy(measure), copy.deepcopy(measure), pickle.loads(pickle.dumps(measure))]  # noqa: S301
        for other in copies:
            assert other == measure
            assert hash(other) == hash(measure)
            assert other.metric is measure.metric
            assert other.inner == measure.inner
            assert other.of([3, 1, 0]) == measure.of([3, 1, 0])

    @each("metric", METRICS, ids=str, fast=20)
    @each("k", [None, 3])
    def test_is_shown_as_it_is_made(self, metric: rs.Metric, k: int | None) -> None:
        names = {"rs": rs, "Fraction": Fraction}
        for parameters in ({}, ODD.get(metric.name, {})):
            measure = metric(k, **parameters)
            assert eval(repr(measure), names) == measure  # noqa: S307
            for bound in (b for b in BOUNDS if b.refusal(metric) is None):
                for own in ({}, OWN.get(bound.name, {})):
                    if own.get("lower") == "worst" and metric.orders.no_worst:
                        continue
                    made = bound(measure, **own)
                    assert eval(repr(made), names) == made  # noqa: S307
                    assert repr(pickle.loads(pickle.dumps(made))) == repr(made)  # noqa: S301

    @pytest.mark.parametrize(
        ("measure", "shown"),
        [
            (rs.DCG(k=10, gain="exp2"), "rs.DCG(k=10, gain='exp2')"),
            (rs.UL2(rs.DCG(k=10)), "rs.UL2(rs.DCG(k=10))"),
            (
                rs.UL1(rs.AP(norm="k"), bounds="karmaker-2022"),
                "rs.UL1(rs.AP(norm='k'), bounds='karmaker-2022')",
            ),
            (rs.nDCG(gain=[0, Fraction(1, 3)]), "rs.nDCG(gain=[0, Fraction(1, 3)])"),
            (rs.LDCG(discount=[1, 0.5], prior=[2]), "rs.LDCG(discount=[1, 0.5], prior=[2])"),
            (rs.LNDCG(M=4, prior="uniform"), "rs.LNDCG(k=4, prior='uniform')"),
        ],
        ids=str,
    )
    def test_shows_what_is_no_default(self, measure: rs.Measure, shown: str) -> None:
        assert repr(measure) == shown

    def test_equal_measures_are_one_column(self) -> None:
        result = rs.evaluate(
            {"q": {"a": 1, "b": 0}},
            {"q": {"a": 1.0}},
            [rs.UL2(rs.nDCG(k=10)), "UL2(nDCG@10)", "UL2(nDCG)@10", "UL2(ndcg_cut.10)"],
        )
        assert list(result.per_query) == ["UL2(nDCG@10)"]


class TestOf:
    """P@2 at random is the share r of relevant items; at best 1 for two of them."""

    UL2: rs.Measure = rs.UL2(rs.P(k=2))

    def test_one_ranking(self) -> None:
        found = self.UL2.of([1, 0, 1, 0])  # A = RLB = 1/2
        assert found == 0.0
        assert isinstance(found, float)
        assert self.UL2.of((1, 1, 0, 0)) == 1.0
        assert self.UL2.of(np.array([0, 0, 1, 1], np.uint8)) == -1.0

    @pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float32, np.float64])
    def test_many_in_each_form(self, dtype: Any) -> None:
        expected = [0.0, 1.0, -1.0]
        rows = [[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
        flat = np.array(rows, dtype).ravel()
        assert self.UL2.of(rows).tolist() == expected
        assert self.UL2.of(np.array(rows, dtype)).tolist() == expected
        assert self.UL2.of(flat, offsets=[0, 4, 8, 12]).tolist() == expected

    def test_ragged_lists(self) -> None:
        # r = 1/2: A = 1/2; r = 1/3: 1/2 of at best 1/2; none.
        assert self.UL2.of([[1, 0], [1, 0, 0], []]).tolist() == [0.0, 1.0, 0.0]
        assert self.UL2.of([]) == 0.0
        assert self.UL2.of(np.empty((0, 4))).tolist() == []

    def test_read_only_and_strided_arrays_are_read_where_they_are(self) -> None:
        twice = np.repeat(np.array([1, 1, 0, 0], np.int16), 2)
        assert self.UL2.of(twice[::2]) == 1.0
        assert self.UL2.of(twice[::-2]) == -1.0
        frozen = np.array([[1, 0, 1, 0], [1, 1, 0, 0]])
        frozen.flags.writeable = False
        assert self.UL2.of(frozen).tolist() == [0.0, 1.0]
        assert self.UL2.of(np.asfortranarray(frozen)).tolist() == [0.0, 1.0]
        assert self.UL2.of(frozen[:, ::-1]).tolist() == [0.0, -1.0]

    def test_judged_may_be_longer_or_shorter(self) -> None:
        """RLB is the share in what is judged: 3/4, then 1/4."""
        assert self.UL2.of([1, 0], judged=[1, 1, 1, 0]) == float(
            (Fraction(1, 2) - Fraction(3, 4)) / Fraction(3, 4)
        )
        assert self.UL2.of([1, 1, 0, 0, 0, 0], judged=[1, 1]) == 0.0  # IUB = RLB = 1 = A
        assert self.UL2.of([[1, 0], [0]], judged=[[1, 0, 0, 0], [1, 1]]).tolist() == [1.0, -1.0]
        flat = self.UL2.of(
            np.array([1, 0, 0]),
            offsets=[0, 2, 3],
            judged=np.array([1, 0, 0, 0, 1, 1]),
            judged_offsets=[0, 4, 6],
        )
        assert flat.tolist() == [1.0, -1.0]

    def test_scores_and_ties(self) -> None:
        labels, scores = [0, 1, 1, 0], [3.0, 2.0, 2.0, 1.0]
        assert self.UL2.of(labels, scores=scores) == 0.0
        # Of 0, 1, 0 tied for two places: A = 1/2 · (2/3) = 1/3, below 1/3 ... of three, r = 1/3.
        assert self.UL2.of([0, 1, 0], scores=[1, 1, 1]) == 0.0
        assert self.UL2.of([0, 1, 0], scores=[1, 1, 1], ties="worst") == -1.0
        assert self.UL2.of([0, 1, 0], scores=[1, 1, 1], ties="best") == 1.0
        assert self.UL2.of([0, 1, 0], scores=[1, 1, 1], ids=["a", "b", "c"]) == 1.0  # c, b, a
        many = self.UL2.of([[0, 1], [1, 0, 0]], scores=[[1, 2], [1, 2, 3]])
        assert many.tolist() == [0.0, -1.0]

    def test_under_ties_ul1_is_not_the_mean_over_orders(self) -> None:
        """(A/IUB)(A/(A + RLB)) of the mean A = 1/2 is 1/4; of A = 1 and 0 it is 2/3 and 0."""
        measure = rs.UL1(rs.P(k=1))
        assert measure.of([0, 1], scores=[1, 1]) == 0.25
        assert measure.of([0, 1]) == 0.0
        assert measure.of([1, 0]) == 2 / 3

    def test_unjudged(self) -> None:
        measure = rs.RBP_residual(p=0.5)
        assert measure.of([1, 0, 0], unjudged=[0, 0, 1]) == 0.25
        assert measure.of([[1], [0, 0]], unjudged=[[1], [0, 1]]).tolist() == [1.0, 0.5]

    @each(("bound", "metric"), BOUNDED, ids=str, fast=80)
    def test_both_backends(self, bound: Any, metric: rs.Metric) -> None:
        measure = bound(metric(2))
        labels = [[2, 0, 1], [0, 0], [1, 1, 1], []]
        c, reference = (measure.of(labels, backend=b).tolist() for b in ("c", "reference"))
        assert c == reference
        assert c == [measure.of(own) for own in labels]


class TestErrors:
    UL2: rs.Measure = rs.UL2(rs.nDCG(k=2))

    @each("backend", ["c", "reference"])
    @each(
        ("measure", "labels", "given", "message"),
        [
            (rs.IUB(rs.DCG()), [1], {"judged": [-1]}, "judged: -1 at position 0: a label must not"),
            (rs.P(), [1], {"judged": [[1]]}, "judged: 1 lists for one ranking"),
            (UL2, [1], {"unjudged": [0]},
             "unjudged: UL2(nDCG) does not depend on which items are judged; leave unjudged out"),
            (UL2, [3, -1], {}, "labels: -1 at position 1: a label must not be negative"),
            (UL2, [3], {"judged": [3, -2]}, "judged: -2 at position 1: a label"),
            (UL2, [float("nan")], {}, "labels: nan at position 0: a label must be finite"),
            (UL2, [[1], [2, float("inf")]], {}, "labels: inf at list 1, position 1"),
            (rs.UL2(rs.ERR(max=2)), [1, 3], {}, "with max=2, ERR takes the whole numbers"),
            (rs.U(rs.ERR(stop=[0, 1])), [0.5], {}, "with these stop probabilities, ERR"),
            (UL2, [[1], [2]], {"judged": [[1]]}, "judged: 1 lists for 2 lists"),
            (UL2, [1], {"judged_offsets": [0, 1]},
             "judged_offsets: they need judged, which is not given"),
            (UL2, [1, 2], {"scores": [1, float("nan")]}, "scores: nan at position 1"),
            (UL2, [1, 2], {"ties": "best"}, "order items of equal score, but scores is not"),
            (UL2, "12", {}, "labels: "),
            (rs.UL2(rs.DCG(discount=[1])), [1, 2], {},
             "weights for 1 ranks are given, but rank 2 needs one"),
        ],
    )  # fmt: skip
    def test_say_what_and_where(
        self, measure: rs.Measure, labels: Any, given: Any, message: str, backend: str
    ) -> None:
        with pytest.raises(rs.InputError) as refused:
            measure.of(labels, backend=backend, **given)
        assert message in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_of_eq_7_weights_are_needed_for_all_k_ranks(self) -> None:
        measure = rs.RLB(rs.DCG(k=3, discount=[1, 0.5]), bounds="karmaker-2022")
        words = "weights for 2 ranks are given, but rank 3 needs one"
        with pytest.raises(rs.InputError, match=words):
            measure.of([1])
        exact = rs.RLB(rs.DCG(k=3, discount=[1, 0.5]))
        assert exact.of([1]) == 1.0

    def test_an_unknown_backend(self) -> None:
        with pytest.raises(rs.InputError, match='unknown backend "fortran"'):
            self.UL2.of([1], backend="fortran")


class TestJudged:
    """Any measure takes judged labels (RS-CONV-3)."""

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_are_left_aside_where_no_pool_matters(self, backend: str) -> None:
        """Nor need there be weights as deep as the pool is."""
        labels, pool = [1, 0, 2], [2, 2, 1, 1, 0]
        for metric in (m for m in METRICS if not m.pool):
            measure = metric(discount=[1, 0.5, 0]) if "discount" in metric.parameters else metric()
            assert measure.of(labels, judged=pool, backend=backend) == measure.of(labels)
        assert rs.ERR(max=2).of([1], judged=[4]) == 0.25  # a label that ERR could not take

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_are_what_measures_of_the_pool_are_of(self, backend: str) -> None:
        labels, pool = [1, 2], [3, 3, 0]
        assert rs.IDCG(k=2).of(labels, judged=pool, backend=backend) == rs.idcg(pool, k=2)
        for bound in (rs.IUB, rs.RLB, rs.WLB, rs.variance):
            measure = bound(rs.DCG(k=2))
            of_pool = measure.of(pool)
            assert measure.of(labels, judged=pool, backend=backend) == of_pool
            assert measure.of(labels, scores=[1, 1], judged=pool, backend=backend) == of_pool
            many = measure.of([labels, [0]], judged=[pool, [1]], backend=backend)
            assert many.tolist() == [of_pool, measure.of([1])]

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_of_them_alone_no_other_label_is_looked_at(self, backend: str) -> None:
        pool = [1, 0]
        for metric in METRICS:
            bounds = [b for b in BOUNDS if b.of_pool and b.refusal(metric) is None]
            for measure in [metric(k=2)] if metric.of_pool else [b(metric(k=2)) for b in bounds]:
                for other in ([-1], [float("nan")], [0.5, 99999]):
                    found = measure.of(other, judged=pool, backend=backend)
                    assert found == measure.of(pool)
        with pytest.raises(rs.InputError, match="judged: -1 at position 0"):
            rs.IDCG().of([-2], judged=[-1], backend=backend)

    @pytest.mark.parametrize("backend", ["c", "reference"])
    def test_bounds_are_cut_where_the_list_is(self, backend: str) -> None:
        """P of five items shows two relevant ones at best, of a pool of two: 2/5."""
        labels, pool = [0, 1, 0, 0, 1], [1, 1]
        a, u, iub = (m.of(labels, judged=pool, backend=backend) for m in (
            rs.P(), rs.U(rs.P()), rs.IUB(rs.P()),
        ))  # fmt: skip
        assert (a, u, iub) == (0.4, 1.0, 0.4)
        assert rs.IUB(rs.P()).of(pool, backend=backend) == 1.0

    def test_go_with_flags(self) -> None:
        measure = rs.RBP_residual(p=0.5)
        with_flags = measure.of([1, 0, 0], unjudged=[0, 0, 1])
        assert measure.of([1, 0, 0], unjudged=[0, 0, 1], judged=[1, 0]) == with_flags == 0.25

    def test_of_certified_and_symbolic_values(self) -> None:
        pool = [3, 1, 1]
        assert rs.certify.certified(rs.ERR(), [1], judged=pool).value == rs.err([1])
        assert rs.certify.certified(rs.IUB(rs.CG(k=1)), [1], judged=pool).exact == 3
        assert rs.symbolic.of(rs.CG(), [1, 2], judged=pool) == 3
        assert rs.symbolic.of(rs.IUB(rs.CG(k=2)), [1], judged=pool) == 4


class TestHelp:
    @each("made", [*BOUNDS, *METRICS, *SESSION_METRICS], ids=str)
    def test_says_what_it_is_and_how_it_is_called(self, made: Any) -> None:
        text = pydoc.plain(pydoc.render_doc(made))
        assert f"{made.name}{inspect.signature(made)}" in " ".join(text.split())
        assert f"({made.spec}" in text
        assert " = " in text or made.name in WITHOUT_AN_EQUATION
        assert made.title.split()[0].lower() in text.lower()
        for name, parameter in made.parameters.items():
            assert f"{name}: {parameter.help[:40]}" in text
        assert "__call__" not in text
        assert max(map(len, text.splitlines())) <= 100

    @pytest.mark.parametrize("made", [*BOUNDS, *METRICS, *SESSION_METRICS], ids=str)
    def test_its_example_is_true(self, made: Any) -> None:
        examples = doctest.DocTestParser().get_examples(made.__doc__)
        assert [eval(x.source, {"rs": rs}) for x in examples] == [  # noqa: S307
            float(x.want) for x in examples
        ]
        assert len(examples) == 1

    def test_has_the_equation(self) -> None:
        for made, equation in [
            (rs.DCG, "DCG@k = Σ_{i=1..k} g(r(i)) · d(i)    [lv-2014 eq. 1]"),
            (rs.UL1, "(A / IUB) (A / (A + RLB)), and 0 where IUB = 0 or A = 0"),
            (rs.IUB, "IUB = A of the ideal ranking of the pool    [karmaker-2022 section 4]"),
        ]:
            assert equation in made.__doc__

    def test_of_their_classes_is_another(self) -> None:
        assert type(rs.DCG).__doc__.startswith("A metric of the spec; there is one object of each.")
        assert type(rs.UL2).__doc__.startswith("What takes a measure and makes a measure")
        assert "name" in inspect.signature(type(rs.DCG)).parameters

    def test_without_docstrings_all_else_is_there(self) -> None:
        code = "import rankspec as rs; print(rs.UL2(rs.DCG(k=2)), rs.DCG.__doc__)"
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("UL2(DCG@2) DCG(k=None, *, gain='linear'")
        assert "\nk: the cut-off; None: the whole list\n" in done.stdout

    def test_of_the_package_names_them(self) -> None:
        assert {"UL2", "DCG", "ERR", "nERR", "RBP", "GAP", "variance"} < set(dir(rs))
        for bound in BOUNDS:
            assert getattr(rs, bound.name) is bound
            assert bound.name in rs.__all__
        for metric in METRICS:
            assert getattr(rs, metric.name) is metric


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-EXP-1(d)", "RS-BND-1(a)")
def test_an_expectation_without_a_cut_off_is_of_the_list(backend: str) -> None:
    """P divides by the length of the list, whatever is judged; its bounds by that of both."""
    judged = [1, 0, 0, 0]
    assert rs.expected(rs.P()).of([1, 0], judged=judged, backend=backend) == 0.5
    by_k = rs.expected(rs.AP(norm="k"))
    tied = rs.ap([1, 0], scores=[1, 1], judged=judged, norm="k", backend=backend)
    assert by_k.of([1, 0], judged=judged, backend=backend) == tied == 0.375
    assert rs.RLB(rs.P()).of(judged, backend=backend) == 0.25  # a control: of the pool


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-NUM-1(c)")
def test_zero_is_positive(backend: str) -> None:
    worst = rs.MinMax(rs.DCG(k=1), lower="worst")
    exact = worst.of([1, 1e300], backend=backend)
    stop = rs.MinMax(rs.nERR(k=1, stop=[1e-300, 1e-17, 0.2]), lower="worst")
    assert [str(exact), str(stop.of([0, 2], backend=backend))] == ["0.0", "0.0"]
    assert str(nearest_double(Fraction(-1, 10**400))) == "0.0"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            lambda: rs.ERR(stop={0: 0, 1: 0.25}),
            "stop: expected a list of the probabilities of the labels 0, 1, 2, ..., as [0, 0.3, "
            '0.9], or "label" if labels are such probabilities, got {0: 0, 1: 0.25}',
        ),
        (lambda: rs.ERR(stop={0, 0.25}), "stop: "),
        (
            lambda: rs.GAP(q={1: 0.5, 2: 0.0}),
            "q: expected a list of the probabilities of the labels 1, 2, ..., as [0.5, 0.5], got "
            "{1: 0.5, 2: 0.0}",
        ),
        (
            lambda: rs.ERR(max=3, stop=[0, 0.25]),
            "max: stop already gives the probabilities of all labels",
        ),
        (
            lambda: rs.DCG(discount=lambda i: 1 / i),
            "discount: only functions that take the labels, like rs.dcg(), take a function",
        ),
    ],
)
def test_what_would_be_misread_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(rs.InputError) as refused:
        wrong()
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize("gain", [[0, 1e20], [0], [0, 1, 10], [0, 0.5]])
def test_a_gain_table_is_read_back(gain: list[float]) -> None:
    measure = rs.nDCG(k=3, gain=gain)
    assert rs.measures(str(measure)) == [measure]
