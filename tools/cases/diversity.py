"""Diversity: metrics of items with a label for each subtopic, by the names of their functions."""

# fmt: off
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rankspec.api.diversity_inputs import DiversityInput
from rankspec.metrics.catalogue import DIVERSITY_METRICS
from rankspec.metrics.measure import Metric, make, value
from rankspec.reference.numerics import exact_value, nearest_double_of

from . import Group
from .statistics import Statistic, Statistics, statistic


def group(about: str, *cases: Statistic) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


# ---- the functions, by the names of their arguments --------------------------------------


def _function(of: Metric) -> Callable[..., Fraction | float]:
    """A metric of one ranking: its value where that is rational, else the nearest double."""
    def found(
        labels: list[list[int]], judged: Any = None, probabilities: Any = None, k: Any = None,
        **chosen: Any,
    ) -> Fraction | float:
        given = DiversityInput(labels, judged=judged, probabilities=probabilities)
        measure = make(of, k, **chosen)
        x = given.ranking_for(measure)
        exact = exact_value(lambda R: value(measure, x, R))
        return nearest_double_of(lambda R: value(measure, x, R)) if exact is None else exact
    return found


FUNCTIONS = {m.function: (m.spec, _function(m)) for m in DIVERSITY_METRICS}
FLAGS: dict[str, tuple[str, Callable[[dict[str, Any], Any], Any]]] = {
    "zero": ("the value is 0", lambda _, y: y == 0),
    "one": ("the value is 1", lambda _, y: y == 1),
    "above-one": ("the value is above 1, as the greedy ideal is not the best list",
                  lambda _, y: y > 1),
    "irrational": ("the value is no rational number", lambda _, y: isinstance(y, float)),
    "redundant": ("an item is relevant to a subtopic that an item above it is relevant to",
                  lambda x, _: _redundant(x)),
    "graded": ("labels above 1 gain more than 1 does", lambda x, _: max(map(max, x["labels"])) > 1),
    "uncounted": ("a subtopic that nothing in the pool is relevant to",
                  lambda x, _: not all(map(any, zip(*x["judged"], strict=True)))),
    "tied-ideal": ("another order of the pool gives another greedy ideal",
                   lambda x, y: FUNCTIONS[_OF_IDEAL][1](**{**x, "judged": x["judged"][::-1]}) != y),
    "negative-label": ("a label is below 0", lambda x, _: min(map(min, x["labels"])) < 0),
}
_OF_IDEAL = "alpha_ndcg"


def _redundant(x: dict[str, Any]) -> bool:
    columns = zip(*x["labels"], strict=True)
    return any(sum(r >= x.get("rel", 1) for r in column) > 1 for column in columns)


RELATIONS = {"<=": lambda mine, other: mine <= other, ">": lambda mine, other: mine > other}
STATISTICS = Statistics(FUNCTIONS, FLAGS, RELATIONS)

# Six judged items and four subtopics, the last without a relevant item.
POOL = [[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
LIST = [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]]
GRADED = [[3, 0], [0, 1], [2, 2], [0, 0]]
CROSSED = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]  # the first is best, and in the way


def _each(first: int, why: str, spec: str = "", **given: Any) -> list[Statistic]:
    """The same list and pool for each metric of binary labels."""
    names = ("alpha_dcg", "alpha_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp", "ndcg_ia", "ap_ia",
             "p_ia", "st_recall", "d_ndcg", "dsharp_ndcg")
    return [
        statistic(first + a, f"{why}: {name}", name, spec=spec, **given)
        for a, name in enumerate(names)
    ]


REQUIRED = [
    group(
        "each metric, of the same list and pool",
        *_each(1, "the first three ranks", "RS-DIV-1(a)", labels=LIST, judged=POOL, k=3),
        *_each(13, "the whole list", labels=LIST, judged=POOL),
        *_each(25, "probabilities", "RS-DIV-1(c)", labels=LIST, judged=POOL,
               probabilities=[0.5, 0.25, 0.125, 0.125], k=4),
    ),
    group(
        "the gains of novelty",
        statistic(37, "each item for the same subtopic", "alpha_dcg", labels=[[1, 0], [1, 0]],
                  judged=[[1, 0], [1, 0], [0, 1]], discount="none", norm="none", flags="redundant",
                  known=Fraction(3, 2), spec="RS-DIV-2"),
        statistic(38, "nothing is redundant", "alpha_dcg", labels=[[1, 0], [1, 1]], alpha=0,
                  judged=[[1, 0], [1, 1]], discount="none", norm="none", flags="redundant",
                  known=3, spec="RS-DIV-2(a) RS-DIV-2/L1"),
        statistic(39, "a subtopic gains once", "alpha_dcg", labels=[[1, 0], [1, 1]], alpha=1,
                  judged=[[1, 0], [1, 1]], discount="none", norm="none", flags="redundant",
                  known=2, spec="RS-DIV-2(b) RS-DIV-2/L2"),
        statistic(40, "a label above the least relevant one", "alpha_dcg", rel=2,
                  labels=[[1, 3], [2, 1]], judged=[[1, 3], [2, 1]], flags="graded irrational"),
        statistic(41, "weights twice as large", "alpha_dcg", labels=LIST, judged=POOL,
                  probabilities=[4, 2, 1, 1], k=4, laws="RS-DIV-1/L2 = diversity-0025"),
    ),
    group(
        "where nothing counts, and where lists end",
        *(statistic(a, f"nothing is relevant: {name}", name, labels=[[0, 0], [0, 0]],
                    judged=[[0, 0], [0, 0]], flags="zero", spec=f"RS-DIV-1(b) {spec}")
          for a, name, spec in (
              (42, "alpha_dcg", "RS-DIV-3(a)"), (43, "alpha_ndcg", "RS-DIV-6(a)"),
              (44, "err_ia", "RS-DIV-7(a)"), (45, "nerr_ia", "RS-DIV-8(a)"),
              (46, "nrbp", "RS-DIV-9(b)"), (47, "nnrbp", "RS-DIV-10(a)"),
              (48, "st_recall", "RS-DIV-14(a)"), (49, "d_ndcg", "RS-DIV-16(a)"))),
        statistic(50, "an empty list", "alpha_dcg", labels=[], judged=POOL, k=3, spec="RS-DIV-3(a)",
                  flags="zero"),
        statistic(51, "without a cut-off: that of the pool", "alpha_dcg", labels=LIST, judged=POOL,
                  k=6, spec="RS-DIV-3(b)", laws="RS-DIV-3 = diversity-0013"),
        statistic(52, "at rank 1 it is divided, too", "alpha_dcg", labels=[[1, 0], [1, 1]], k=1,
                  judged=[[1, 0], [1, 1]], known=Fraction(1, 2), spec="RS-DIV-3(c)"),
        statistic(53, "without a cut-off", "err_ia", labels=LIST, judged=POOL, k=6,
                  spec="RS-DIV-7(b)", laws="RS-DIV-7 = diversity-0015"),
        statistic(54, "the first rank alone", "nrbp", labels=[[0, 1], [1, 0]], beta=0,
                  judged=[[0, 1], [1, 0]], known=Fraction(1, 2), spec="RS-DIV-9(a)"),
        statistic(55, "the ideal list has all of the pool", "nnrbp", labels=LIST, judged=POOL, k=6,
                  spec="RS-DIV-10(b)", laws="RS-DIV-10 = diversity-0018"),
        statistic(56, "without a cut-off: over the list", "p_ia", labels=LIST, judged=POOL, k=4,
                  spec="RS-DIV-13(a)", laws="RS-DIV-13 = diversity-0021"),
    ),
    group(
        "the ideal list",
        statistic(57, "of equal items the first of the pool", "alpha_ndcg", alpha=1,
                  labels=[[1, 1, 0, 0]], judged=CROSSED, k=3, flags="tied-ideal",
                  spec="RS-DIV-4(c) RS-DIV-4"),
        statistic(58, "the greedy ideal is not the best list", "alpha_ndcg", alpha=1, k=2,
                  labels=CROSSED[1:], judged=CROSSED, flags="above-one irrational",
                  spec="RS-DIV-4(b) RS-DIV-6"),
        statistic(59, "the exact ideal is", "alpha_ndcg", alpha=1, k=2, ideal="exact",
                  labels=CROSSED[1:], judged=CROSSED, flags="one", known=1,
                  spec="RS-DIV-5 RS-DIV-5(a)", laws="RS-DIV-5/L1 <= diversity-0058"),
        statistic(60, "of nERR-IA", "nerr_ia", alpha=1, k=2, ideal="exact", labels=CROSSED[1:],
                  judged=CROSSED, flags="one", known=1, spec="RS-DIV-5"),
        statistic(61, "of nNRBP", "nnrbp", alpha=1, beta=0.75, k=2, ideal="exact",
                  labels=CROSSED[1:], judged=CROSSED, flags="one", known=1, spec="RS-DIV-5"),
        statistic(62, "equal probabilities are none", "alpha_ndcg", labels=LIST, judged=POOL, k=3,
                  probabilities=[3, 3, 3, 0], laws="RS-DIV-6/L3 = diversity-0002"),
    ),
    group(
        "one subtopic: the metric of one label an item",
        statistic(63, "DCG", "alpha_dcg", labels=[[1], [0], [1]], judged=[[1], [0], [1]], alpha=0,
                  norm="none", discount="none", known=2, spec="RS-DIV-3/L1"),
        statistic(64, "nDCG", "alpha_ndcg", labels=[[0], [1]], judged=[[0], [1]], alpha=0, k=2,
                  discount="zipf", known=Fraction(1, 2), spec="RS-DIV-6/L1"),
        statistic(65, "ERR", "err_ia", labels=[[1], [4]], judged=[[1], [4]], stopping="max",
                  norm="none", known=Fraction(1, 16) + Fraction(15, 16) ** 2 / 2, flags="graded",
                  spec="RS-DIV-7/L1"),
        statistic(66, "nERR", "nerr_ia", labels=[[0], [4]], judged=[[0], [4]], stopping="max",
                  known=Fraction(1, 2), flags="graded", spec="RS-DIV-8/L1"),
        statistic(67, "RBP", "nrbp", labels=[[1], [0], [1]], judged=[[1], [0], [1]], alpha=0,
                  beta=0.75, known=Fraction(25, 64), spec="RS-DIV-9/L1"),
        statistic(68, "nDCG of graded labels", "ndcg_ia", labels=[[0], [3]], judged=[[0], [3]],
                  discount="zipf", known=Fraction(1, 2), flags="graded", spec="RS-DIV-11/L1"),
        statistic(69, "AP", "ap_ia", labels=[[0], [1]], judged=[[0], [1]], known=Fraction(1, 2),
                  spec="RS-DIV-12/L1"),
        statistic(70, "P", "p_ia", labels=[[0], [1]], judged=[[0], [1]], k=4, known=Fraction(1, 4),
                  spec="RS-DIV-13/L1"),
        statistic(71, "Success", "st_recall", labels=[[0], [1]], judged=[[0], [1]], k=1,
                  known=0, flags="zero", spec="RS-DIV-14/L2"),
        statistic(72, "nDCG of global gains", "d_ndcg", labels=[[0], [3]], judged=[[0], [3]],
                  discount="zipf", known=Fraction(1, 2), flags="graded", spec="RS-DIV-16/L1"),
    ),
    group(
        "graded labels",
        *(statistic(a, f"gains of two subtopics: {name}", name, labels=GRADED[::-1], judged=GRADED,
                    k=3, flags="graded", **more)
          for a, name, more in (
              (73, "ndcg_ia", {}), (74, "d_ndcg", {}), (75, "dsharp_ndcg", {}),
              (76, "err_ia", {"stopping": "max"}), (77, "nerr_ia", {"stopping": "max", "max": 3}),
              (78, "ndcg_ia", {"gain": "exp2"}), (79, "d_ndcg", {"gain": "exp2"}),
              (80, "dsharp_ndcg", {"gain": [0, 1, 3, 7], "gamma": 0.75}))),
        statistic(81, "global gains of probabilities", "d_ndcg", labels=[[2, 0], [0, 1]], k=1,
                  judged=[[2, 0], [0, 1]], probabilities=[1, 3], known=Fraction(2, 3),
                  flags="graded", spec="RS-DIV-15"),
        statistic(82, "a subtopic that counts and gains nothing", "ndcg_ia", labels=[[1, 0]],
                  judged=[[1, 0]], probabilities=[1, 1], known=Fraction(1, 2), spec="RS-DIV-11(a)"),
        statistic(83, "the same of AP-IA", "ap_ia", labels=[[1, 0]], judged=[[1, 0]],
                  probabilities=[1, 1], known=Fraction(1, 2), spec="RS-DIV-12(a)"),
        statistic(84, "the least relevant label decides what counts", "ndcg_ia", rel=2, k=2,
                  labels=[[0, 1], [2, 0]], judged=[[0, 1], [2, 0]], discount="zipf",
                  known=Fraction(1, 2), spec="RS-DIV-11(b)"),
        statistic(85, "probabilities decide which subtopics count", "st_recall", k=1,
                  labels=[[1, 0, 0]], judged=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                  probabilities=[9, 0, 1], known=Fraction(1, 2), spec="RS-DIV-14(b)"),
        statistic(102, "a probability for what nothing is relevant to", "st_recall",
                  labels=[[1, 0, 0]], judged=[[1, 0, 0], [0, 1, 0]], probabilities=[1, 1, 1],
                  known=Fraction(1, 2), spec="RS-DIV-14(c)"),
        statistic(86, "gamma 0", "dsharp_ndcg", labels=LIST, judged=POOL, k=3, gamma=0,
                  spec="RS-DIV-17(a)", laws="RS-DIV-17 = diversity-0011"),
        statistic(87, "gamma 1", "dsharp_ndcg", labels=LIST, judged=POOL, k=3, gamma=1,
                  spec="RS-DIV-17(a)", laws="RS-DIV-17 = diversity-0010"),
        statistic(88, "a negative label", "alpha_ndcg", labels=[[-2, 1], [1, 0]],
                  judged=[[-2, 1], [1, 0]], flags="negative-label one"),
        statistic(89, "a subtopic of which nothing is relevant", "err_ia", labels=[[1, 0]], k=2,
                  judged=[[1, 0]], flags="uncounted", spec="RS-DIV-1(a)"),
    ),
]

OPTIONAL = [
    group(
        "other parameters",
        statistic(90, "another alpha", "alpha_ndcg", labels=LIST, judged=POOL, alpha=0.25),
        statistic(91, "another alpha and beta", "nnrbp", labels=LIST, judged=POOL, alpha=0.25,
                  beta=0.9),
        statistic(92, "another discount", "alpha_dcg", labels=LIST, judged=POOL,
                  discount="jarvelin-2008(b=2)", k=3),
        statistic(93, "the exact ideal of the pool", "alpha_ndcg", labels=LIST, judged=POOL,
                  ideal="exact"),
    ),
    group(
        "to be refused",
        statistic(94, "alpha above 1", "alpha_ndcg", labels=[[1]], judged=[[1]], alpha=1.5,
                  error="alpha", spec="RS-DIV-2"),
        statistic(95, "beta of 1", "nrbp", labels=[[1]], judged=[[1]], beta=1, error="beta",
                  spec="RS-DIV-9"),
        statistic(96, "gamma below 0", "dsharp_ndcg", labels=[[1]], judged=[[1]], gamma=-0.5,
                  error="gamma", spec="RS-DIV-17"),
        statistic(97, "a row that is too short", "err_ia", labels=[[1, 0], [1]], judged=[[1, 0]],
                  error="labels"),
        statistic(98, "a label beyond the scale", "err_ia", labels=[[5]], judged=[[5]],
                  stopping="max", error="labels"),
        statistic(99, "probabilities of 0", "err_ia", labels=[[1]], judged=[[1]],
                  probabilities=[0], error="probabilities", spec="RS-DIV-1"),
        statistic(100, "a probability below 0", "alpha_ndcg", labels=[[1, 1]], judged=[[1, 1]],
                  probabilities=[1, -1], error="probabilities", spec="RS-DIV-1"),
        statistic(101, "a fractional label with exp2", "d_ndcg", labels=[[0.5]], judged=[[0.5]],
                  gain="exp2", error="labels", spec="RS-DIV-15(a)"),
    ),
]
