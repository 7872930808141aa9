"""A function of one's own, adjusted for the length: against measures, and by the definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError
from rankspec.metrics.measure import Measure
from rankspec.reference.cascade import rbp
from rankspec.reference.dcg import dcg
from rankspec.reference.precision import ap, sp

from ..each import each
from .law import at_most
from .test_own_bounds import METRICS, raising, rr

pytestmark = pytest.mark.spec("RS-LEN-18")

LABELS = st.lists(st.integers(0, 3), max_size=5)
PRIORS = st.sampled_from(["discount", "uniform", "zipf", "log2", [4, 2, 1, 1, 0.5]])
CUTOFFS = st.sampled_from([None, 1, 2, 4])
FACTORS = st.sampled_from(["M", "none"])

DISCOUNT = [Fraction(x) for x in ("4", "2", "1", "1/3", "0")]


def indicators(labels: Sequence[int], rel: int = 1) -> list[int]:
    return [int(x >= rel) for x in labels]


def average_precision(labels: Sequence[int], judged: Sequence[int]) -> Any:
    return ap(indicators(labels), sum(indicators(judged)), len(labels), "R")


OF_REFERENCE: dict[str, tuple[Callable[..., Any], Callable[[int | None], Measure]]] = {
    "AP by the reference": (average_precision, lambda k: rs.AP(k=k, norm="R")),
    "SP by the reference": (
        lambda labels: sp(indicators(labels, 2), len(labels)),
        lambda k: rs.SP(k=k, rel=2),
    ),
    "RBP by the reference": (
        lambda labels: rbp(indicators(labels), len(labels), Fraction(1, 2)),
        lambda k: rs.RBP(k=k, p=0.5),
    ),
    "DCG by the reference": (
        lambda labels: dcg(labels, 9, lambda x: 2**x - 1, lambda i: DISCOUNT[i - 1]),
        lambda k: rs.DCG(k=k, gain="exp2", discount=DISCOUNT),
    ),
}
OF_MEASURES = {**METRICS, **OF_REFERENCE}
"""Functions with exact values, and the measure that each of them is."""


@pytest.mark.spec("RS-LEN-18/L1")
@each("name", OF_MEASURES)
@given(r=LABELS, more=LABELS, k=CUTOFFS, prior=PRIORS, Z=FACTORS)
@at_most(40)
def test_a_function_that_is_a_measure(
    name: str, r: list[int], more: list[int], k: int | None, prior: Any, Z: str
) -> None:
    function, measure = OF_MEASURES[name]
    pool = [*r, *more]
    found = rs.adjusted_of(function, r, judged=pool, k=k, prior=prior, Z=Z)
    assert found == rs.Adjusted(measure(k), prior=prior, Z=Z).of(r, judged=pool)


def by_definition(f: Any, r: Sequence[int], k: int | None, prior: Any, Z: str) -> Fraction:
    """RS-LEN-18 as it is written; f: of labels alone, with the least label 1 that has a value."""
    N = len(r) if k is None else min(len(r), k)

    def one(i: int, n: int) -> Fraction:
        return Fraction(f([int(j == i) for j in range(1, n + 1)]))

    M = k if Z == "M" else None

    def w(i: int) -> Fraction:
        n = N if M is None else M
        return one(i, n) / one(1, n) if prior == "discount" else Fraction(prior[i - 1])

    below = sum((w(i) * one(i, N) for i in range(1, N + 1)), Fraction(0))
    factor = 1 if M is None else sum(w(i) for i in range(1, M + 1))
    return Fraction(f(list(r[:N]))) * factor / below if below else Fraction(0)


def uneven(labels: Sequence[int]) -> Fraction:
    """The greatest of (x + i x^2) / 3 i^2, and 1/7 more for a list without a label 0."""
    values = [Fraction(x + i * x * x, 3 * i * i) for i, x in enumerate(labels, start=1)]
    return max(values, default=Fraction(0)) + Fraction(labels.count(0) == 0, 7)


def late(labels: Sequence[int]) -> Fraction:
    """A sum of labels in which later ranks weigh more."""
    return sum((Fraction(x * i, 4) for i, x in enumerate(labels, start=1)), Fraction(0))


WORLDS = [
    (f, prior)
    for f in (rr, uneven, late)
    for prior in ("discount", [5, 3, 1], [1, 0, 0])
    if (f, prior) != (late, "discount")  # whose weights would rise
]


@pytest.mark.spec("RS-LEN-18/L4")
@each(("f", "prior"), WORLDS)
def test_every_small_list_by_the_definition(f: Any, prior: Any) -> None:
    for k, n in product((None, 1, 2, 3), range(4)):
        for r in product((0, 1, 2), repeat=n):
            with_Z, without = (by_definition(f, r, k, prior, Z) for Z in ("M", "none"))
            assert rs.adjusted_of(f, r, k=k, prior=prior) == float(with_Z), (r, k)
            assert rs.adjusted_of(f, r, k=k, prior=prior, Z="none") == float(without), (r, k)
            if prior != "discount":
                assert with_Z == without * (1 if k is None else sum(prior[:k]))


@pytest.mark.spec("RS-LEN-18/L2", "RS-LEN-18/L3")
@given(r=LABELS, prior=PRIORS, k=CUTOFFS, order=st.randoms(use_true_random=False))
@at_most(30)
def test_a_factor_changes_nothing_and_no_order_at_one_length(
    r: list[int], prior: Any, k: int | None, order: Any
) -> None:
    value = rs.adjusted_of(rr, r, k=k, prior=prior)
    assert value == rs.adjusted_of(lambda labels: rr(labels) * 7 / 3, r, k=k, prior=prior)
    other = list(r)
    order.shuffle(other)
    first, second = rr(r[:k]), rr(other[:k])
    of_other = rs.adjusted_of(rr, other, k=k, prior=prior)
    assert (first < second, first > second) == (value < of_other, value > of_other)


@pytest.mark.spec("RS-LEN-18/L3")
def test_where_the_sum_is_0_no_order_is_left() -> None:
    """One relevant label has a value alone, and none in a list of two."""

    def all_relevant(labels: list[int]) -> int:
        return int(min(labels) > 0)

    values = [rs.adjusted_of(all_relevant, r, prior="uniform") for r in ([1], [1, 1], [1, 0])]
    assert values == [1.0, 0.0, 0.0]


def test_what_the_function_is_called_with() -> None:
    """The first k labels of the ranking, one relevant label at each rank, and all pools."""
    calls: list[tuple[list[int], list[int], int]] = []

    def function(labels: list[int], judged: list[int], k: int) -> int:
        calls.append((list(labels), list(judged), k))
        labels.append(9)  # lists of its own
        judged.append(9)
        return sum(x > 1 for x in labels[:k][: len(labels) - 1])

    assert rs.adjusted_of(function, [2, 0, 2], judged=[2, 2, 2], k=2, prior="uniform") == 1.0
    of_pool = [labels for labels, judged, _ in calls if judged == [2, 2, 2]]
    assert of_pool == [[2, 0], [0, 0], [2, 0], [0, 2]]
    assert [(x, J) for x, J, _ in calls if J != [2, 2, 2]] == [([1], [1]), ([2], [2])]
    assert {k for _, _, k in calls} == {2}
    calls.clear()
    assert rs.adjusted_of(function, [2, 0, 2], Z="none", prior="uniform") == 2 / 3
    assert {(len(labels), k) for labels, _, k in calls} == {(1, 1), (3, 3)}
    assert {tuple(J) for labels, J, _ in calls if len(labels) == 3} == {(2, 0, 2)}


def test_lists_that_are_0() -> None:
    for r in ([0], [0, 0]):
        assert rs.adjusted_of(rr, r) == rs.adjusted_of(rr, r, judged=[1]) == 0.0
    assert rs.adjusted_of(raising, []) == rs.adjusted_of(raising, [], k=3) == 0.0  # not called
    of_pool = rs.adjusted_of(lambda labels, judged: rr(labels) * (5 in judged), [1, 1], judged=[1])
    assert of_pool == 0.0  # no rank of this pool has a value


LONG = [1] * 1001


def shouting(_: Any) -> float:
    raise KeyError("x" * 10**5)


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def silent(_: Any) -> float:
    raise Silent


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no function": ({"fn": 3}, r"^fn: expected a function, got 3$"),
    "a measure": (
        {"fn": rs.RR(k=2)},
        r"^fn: RR@2 is a measure of rankspec; its adjusted form is rs\.Adjusted\(rs\.RR\(k=2\)\)",
    ),
    "its values": ({"fn": rs.RR(k=2).of}, r"its adjusted form is rs\.Adjusted\(rs\.RR\(k=2\)\)"),
    "a metric": (
        {"fn": rs.RR},
        r"^fn: RR is a measure of rankspec; its adjusted form is rs\.Adjusted\(rs\.RR\(\)\)",
    ),
    "values of a metric": ({"fn": rs.RR.of}, r"its adjusted form is rs\.Adjusted\(rs\.RR\(\)\)"),
    "what makes measures": (
        {"fn": rs.Adjusted},
        r"^fn: expected a function, got <Adjustment Adjusted>$",
    ),
    "a set": ({"labels": {0, 1}}, r"^labels: expected a flat list of labels, got \{0, 1\}$"),
    "a long error": (
        {"fn": shouting},
        r"^fn: shouting, for the labels \[0, 1\]: KeyError: 'x{80,}\.\.\.x{80,}'$",
    ),
    "an error without words": (
        {"fn": silent},
        r"^fn: silent, for the labels \[0, 1\]: Silent$",
    ),
    "no labels": ({"labels": 3}, r"^labels: expected a flat list of labels, got 3$"),
    "words": ({"labels": "10"}, r"^labels: expected a flat list of labels, got '10'$"),
    "a pool of lists": ({"judged": [[1]]}, r"^judged: expected a flat list of labels, got \[\[1"),
    "an error": (
        {"fn": raising},
        r"^fn: raising, for the labels \[0, 1\]: ZeroDivisionError: 2 labels$",
    ),
    "a NaN": (
        {"fn": lambda _: float("nan")},
        r"labels \[0, 1\]: expected a finite number, got nan",
    ),
    "infinite": ({"fn": lambda _: float("inf")}, r"expected a finite number, got inf$"),
    "no double is near": (
        {"fn": lambda labels: 10**309 * rr(labels)},
        r"expected a number within the range of doubles, got Fraction\(5000",
    ),
    "true": (
        {"fn": lambda labels: 1 in labels},
        r"expected a number, got True; write int\(\.\.\.\)$",
    ),
    "below 0": (
        {"fn": lambda labels: -sum(labels) + (labels.append(9) or 0)},
        r"^fn: <lambda>, for the labels \[0, 1\]: the value is -1; a function below 0 is not",
    ),
    "below 0 at a rank": (
        {"fn": lambda labels: sum(labels) - 2 * labels[0] * (len(labels) > 1)},
        r"^fn: <lambda>, for the labels \[1, 0\]: the value is -1; a function below 0 is not",
    ),
    "not 0 without gain": (
        {"fn": lambda labels: 1 + sum(labels)},
        r"^fn: <lambda>, for the labels \[0, 0\]: the value is 1; expected 0 where a list gains",
    ),
    "not 0 without gain, of M": (
        {"fn": lambda labels: max(len(labels) - 2, 0) + sum(labels), "k": 3},
        r"^fn: <lambda>, for the labels \[0, 0, 0\]: the value is 1; expected 0 where a list gains",
    ),
    "never above 0": (
        {"fn": lambda _: 0.0},
        r"^fn: <lambda> has no value for a list of one label from 1 to 255 \(RS-LEN-18\)$",
    ),
    "rising": (
        {"fn": late},
        r"^fn: late has 0\.5 for one relevant label at rank 2 of 2, above 0\.25 at rank 1; the pr",
    ),
    "rising beyond the list": (
        {"fn": lambda labels: sum(labels[:2]) + 2 * sum(labels[2:]), "k": 3},
        r"^fn: <lambda> has 2\.0 for one relevant label at rank 3 of 3, above 1\.0 at rank 2",
    ),
    "a long list": (
        {"labels": LONG},
        r"^labels: the list shows 1001 results; fn is called for each",
    ),
    "much room": ({"k": 1001}, r"^k: the cut-off is 1001; Z\(M, 1\) is summed over at most 1000"),
    "few weights": (
        {"prior": [1], "k": 5},
        r"^prior: weights for 1 ranks are given, but rank 5 needs one, too",
    ),
    "few weights of the list": (
        {"prior": [1], "Z": "none"},
        r"^prior: .* but rank 2 needs one, too; give more weights or a cut-off, k$",
    ),
    "no prior": ({"prior": "of clicks"}, r'^prior: unknown name "of clicks"'),
    "no factor": ({"Z": 3}, r"^Z: "),
    "no cut-off": ({"k": 0}, r"^k: the cut-off is 0; it must be at least 1$"),
    "no arguments": ({"fn": lambda: 1.0}, r"^adjusted_of: <lambda> takes no argument for the lab"),
}


@each(("given_here", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(given_here: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.adjusted_of(**{"fn": rr, "labels": [0, 1], **given_here})


def test_an_error_of_the_function_is_its_cause() -> None:
    with pytest.raises(InputError) as caught:
        rs.adjusted_of(raising, [1])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_room_for_many_needs_no_Z() -> None:
    assert rs.adjusted_of(rr, [0, 1], k=10**6, Z="none") == rs.adjusted_of(rr, [0, 1], Z="none")
    assert rs.adjusted_of(rr, LONG, k=2) == rs.adjusted_of(rr, [1, 1], k=2)


def test_doubles_are_taken_as_they_are() -> None:
    """1/10 as a double is above a tenth: the quotient is rounded once."""

    def tenths(labels: Sequence[int]) -> float:
        return 0.1 * labels[0] if labels[0] else 0.3 * (1 in labels) / 4

    exact = by_definition(tenths, [3, 1], None, "discount", "none")
    assert rs.adjusted_of(tenths, [3, 1]) == float(exact)
    tenth, later = Fraction(0.1), Fraction(0.3 / 4)
    assert exact == Fraction(0.1 * 3) / (tenth + later * later / tenth)
