"""One plain list has a short way to the core: its answers are those of the long one.

A tuple takes the long way, which the differential tests compare with the reference.
"""

from __future__ import annotations

import copy
import pickle
import random
import threading
from typing import Any

import pytest

import rankspec as rs
from rankspec.compute import at_once, core
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Metric
from tests.each import each

FUNCTIONS = [metric for metric in METRICS if metric.core.values is not None]
CUTOFFS = (None, 1, 2, 10, 1000)
GRADES = (0, 0, 0, 1, 2, 3, 4)


def lists(seed: int) -> list[list[int]]:
    """Lists of grades, of bytes, and what is odd."""
    rng = random.Random(seed)
    of_grades = [[rng.choice(GRADES) for _ in range(n)] for n in (1, 2, 10, 63, 64, 65, 300)]
    of_bytes = [[rng.randrange(256) for _ in range(n)] for n in (3, 40)]
    return [[], [0], [0] * 20, [255], [True, False, 1], *of_grades, *of_bytes]


def outcome(of: Any, labels: Any, **given: Any) -> object:
    """The bits of a value, or what an error says."""
    try:
        value = of(labels, **given)
    except InputError as error:
        return str(error)
    assert type(value) is float
    return value.hex()


@each("metric", FUNCTIONS, ids=lambda metric: metric.name, fast=6)
def test_function_and_measure_answer_as_on_the_long_way(metric: Metric) -> None:
    function = getattr(rs, metric.function)
    for k in CUTOFFS:
        measure = metric(k=k)
        for labels in lists(7):
            expected = outcome(function, tuple(labels), k=k)
            assert outcome(function, labels, k=k) == expected
            assert outcome(metric(k=k).of, labels) == expected
            assert outcome(measure.of, labels) == expected  # which has been asked before


def test_whatever_the_core_settles_is_answered_at_once() -> None:
    """Each metric answers so for some list; else the tests above compare nothing."""
    labels = [0, 1, 1, 0, 1, 1, 0, 0, 1]
    late = [m.name for m in FUNCTIONS if m(k=5).at_once.value(labels) is None]
    # these divide by what none of the labels is, or ask for more than labels
    assert late == []


MORE: dict[str, dict[str, Any]] = {
    "floats": {"scores": [0.5, 2.5, -1.0]},
    "tied": {"scores": [1.0, 1.0, 0.0]},
    "both zeros": {"scores": [0.0, -0.0, -1.0]},
    "whole": {"scores": [3, 1, 2]},
    "beyond 2^53": {"scores": [2**53, 2**53 + 1, 2**53]},
    "beyond 2^63": {"scores": [2**63, 1, 2]},
    "flags": {"scores": [True, False, True]},
    "mixed": {"scores": [1, 0.5, 2]},
    "NaN": {"scores": [1.0, float("nan"), 0.0]},
    "infinite": {"scores": [1.0, float("inf"), 0.0]},
    "too few": {"scores": [1.0, 2.0]},
    "too many": {"scores": [1, 2, 3, 4]},
    "texts": {"scores": ["a", "b", "c"]},
    "lists": {"scores": [[1.0], [2.0], [3.0]]},
    "none": {"scores": None},
    "input": {"scores": [1, 1, 1], "ties": "input"},
    "best": {"scores": [1, 1, 1], "ties": "best"},
    "worst": {"scores": [1, 1, 1], "ties": "worst"},
    "by ids that are not there": {"scores": [1, 1, 1], "ties": "id-descending"},
    "no rule": {"scores": [1, 1, 1], "ties": "any"},
    "by ids": {"scores": [1, 1, 1], "ids": [1, 3, 2]},
    "a rule without scores": {"ties": "input"},
    "judged": {"judged": [3, 2, 1, 1]},
    "judged without the labels of the list": {"judged": [0, 0]},
    "judged and unchecked": {"judged": [0, 0], "check": False},
    "nothing judged": {"judged": []},
    "judged, no bytes": {"judged": [3, 2, 1, 300]},
    "judged, refused": {"judged": [3, 2, 1, -1]},
    "judged, many": {"judged": [[3, 2, 1]]},
    "judged and scores": {"judged": [3, 2, 1, 4], "scores": [0.25, 0.5, 0.5]},
    "judged, scores and words": {"judged": [3, 2, 1, 4], "scores": [1, 2, 3], "gain": "exp2"},
    "a table beside scores": {"scores": [1, 2, 3], "gain": [0, 1, 2, 5]},
}


@each("given", MORE.values(), ids=MORE)
@each("name", ["ndcg", "ap", "rr", "dcg", "err", "lndcg", "dcg_phi"], fast=2)
def test_scores_and_judged_labels_mean_what_they_mean_on_the_long_way(
    name: str, given: dict[str, Any]
) -> None:
    function = getattr(rs, name)
    for labels in ([3, 2, 1], [1, 2, 2], [0, 0, 0], [1, 0]):
        for k in (1, 2, 10):
            assert said(labels, {"k": k, **given}, function) == said(
                tuple(labels), {"k": k, **given}, function
            )


@each(
    "metric",
    [m for m in (rs.UL2(rs.nDCG(k=3)).metric, *FUNCTIONS) if not m.sees_unjudged],
    ids=lambda metric: metric.name,
    fast=16,
)
def test_a_measure_of_a_list_with_more_answers_as_on_the_long_way(metric: Metric) -> None:
    rng = random.Random(9)
    measure = metric(k=4)
    for n in (0, 1, 5, 70):
        labels = [rng.choice(GRADES) for _ in range(n)]
        for arguments in (
            {"scores": [rng.choice((0.5, 1.5, 2.5)) for _ in labels]},
            {"judged": [*labels, 1, 2]},
            {"scores": [rng.randrange(9) for _ in labels], "judged": [4, *labels]},
        ):
            longer = {name: tuple(x) for name, x in arguments.items()}
            short = outcome(measure.of, labels, **arguments)
            assert short == outcome(measure.of, tuple(labels), **longer)


def test_lists_with_scores_and_with_judged_labels_are_answered_at_once() -> None:
    of = rs.nDCG(k=2).at_once
    assert of.value_of([1, 0], [0.5, 1.5]) == rs.ndcg((0, 1), k=2)
    assert of.value_of([1, 0], judged=[1, 1, 0]) == rs.ndcg((1, 0), judged=(1, 1, 0), k=2)
    assert of.value_of([1, 0], [2, 2], ties="input") == 1.0
    assert of.value_of([1] * 4097, [1] * 4097) is None
    assert of.value_of([1] * 10, judged=[1] * 4097) is None


PARAMETERS: dict[str, dict[str, Any]] = {
    "gain": {"gain": "exp2"},
    "discount": {"discount": "zipf"},
    "both": {"gain": "exp2", "discount": "jarvelin-2008(b=3)"},
    "ideal": {"ideal": "all"},
    "refused": {"gain": "linaer"},
    "a table, which is no word": {"gain": [0, 1, 10, 100]},
    "weights": {"discount": [1.0, 0.5, 0.25]},
    "ties": {"ties": "expected"},
    "backend": {"backend": "reference"},
    "no backend": {"backend": "d"},
    "unknown": {"foo": "bar"},
    "pool": {"judged": [3, 2, 1, 1]},
    "a cut-off that is no number": {"k": "10"},
    "a cut-off that is a flag": {"k": True},
    "cut-offs": {"k": 0},
}


@each("given", PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_mean_what_they_mean_on_the_long_way(given: dict[str, Any]) -> None:
    for labels in ([3, 2, 1], [1, 0], []):
        for _ in range(2):
            assert said(labels, given) == said(tuple(labels), given)


def said(labels: Any, given: dict[str, Any], function: Any = None) -> str:
    """What is answered, on the long way where the labels are no list."""
    longer = {x: tuple(y) if isinstance(y, list) else y for x, y in given.items()}
    chosen = given if function is not None and type(labels) is list else longer
    try:
        return repr((function or rs.ndcg)(labels, **chosen))
    except (InputError, TypeError) as error:
        return str(error)


def test_equal_words_of_other_types_are_told_apart() -> None:
    assert rs.ndcg([1, 2, 3], k=1) == 1 / 3
    with pytest.raises(InputError, match="k: the cut-off is True; it must be a whole number"):
        rs.ndcg([1, 2, 3], k=True)
    with pytest.raises(InputError, match=r"k: the cut-off is 1\.0; it must be a whole number"):
        rs.ndcg([1, 2, 3], k=1.0)  # type: ignore[arg-type]


class Odd:
    """A number that changes the list it is in, and says that it is another each time."""

    def __init__(self, held: list[Any]) -> None:
        self.held, self.asked = held, 0

    def __index__(self) -> int:
        self.asked += 1
        self.held.clear()
        return self.asked


def test_a_list_that_its_items_change_is_an_error_or_a_value() -> None:
    labels: list[Any] = [1, 2]
    labels.append(Odd(labels))
    labels.extend([3, 1])
    assert outcome(rs.dcg, labels)


def test_labels_that_are_no_bytes_take_the_long_way() -> None:
    measure = rs.DCG(k=3)
    for labels in ([1.0, 2.0], [256, 1], [10**9], [0.5]):
        assert measure.at_once.value(labels) is None
        assert measure.of(labels) == measure.of(tuple(labels))
    for bad in ([-1], ["a"], [None], [[1, 2], 3], [10**30]):
        with pytest.raises(InputError) as short:
            measure.of(bad)
        with pytest.raises(InputError) as long:
            measure.of(tuple(bad))
        assert str(short.value) == str(long.value)


def test_longer_lists_than_before_are_prepared_anew() -> None:
    measure = rs.nDCG(discount="zipf")
    rng = random.Random(3)
    for n in (1, 64, 65, 128, 4095, 4096, 4097):
        labels = [rng.choice(GRADES) for _ in range(n)]
        assert measure.of(labels) == measure.of(tuple(labels))
    assert measure.at_once.value([1] * at_once.LONGEST) is not None
    assert measure.at_once.value([1] * (at_once.LONGEST + 1)) is None


def test_weights_for_few_ranks_are_taken_as_far_as_they_go() -> None:
    measure = rs.DCG(discount=(1.0, 0.5))
    assert measure.of([2, 2]) == 3
    assert measure.at_once._most < 2  # which is not tried again
    with pytest.raises(InputError, match="weights"):
        measure.of([2, 2, 2])


def test_a_measure_is_copied_and_pickled_after_use() -> None:
    measure = rs.nDCG(k=2, gain="exp2")
    value = measure.of([1, 2, 3])
    for twin in (copy.copy(measure), copy.deepcopy(measure), pickle.loads(pickle.dumps(measure))):  # noqa: S301
        assert twin == measure
        assert twin.of([1, 2, 3]) == value


def test_what_the_core_does_not_settle_takes_the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(54)
    given = [[rng.choice(GRADES) for _ in range(6)] for _ in range(200)]
    expected = list(map(rs.nDCG(k=5).of, given))
    monkeypatch.setattr(core, "bits_of_a_discount", 54)
    measure = rs.nDCG(k=5)
    settled = [measure.at_once.value(labels) for labels in given]
    assert 0 < settled.count(None) < len(given)  # the control: these bits are really few
    assert list(map(measure.of, given)) == expected
    assert [x for x in settled if x is not None] == [
        y for x, y in zip(settled, expected, strict=True) if x is not None
    ]


def test_threads_share_a_measure() -> None:
    measure = rs.nDCG(discount="zipf")
    rng = random.Random(5)
    given = [[rng.choice(GRADES) for _ in range(rng.randrange(1, 400))] for _ in range(200)]
    expected = [measure.of(tuple(labels)) for labels in given]
    fresh, wrong = rs.nDCG(discount="zipf"), []

    def work() -> None:
        wrong.extend(a for a, labels in enumerate(given) if fresh.of(labels) != expected[a])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_few_measures_of_a_function_are_kept() -> None:
    from rankspec.api import at_cutoffs

    for k in range(1, 3 * at_cutoffs.MOST_KEPT):
        assert rs.cg([1, 1], k=k) == min(k, 2)


def test_parameters_are_read_once_for_many_cutoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As dcg_vector() asks for each rank of a list: the work of each cut-off must not grow."""
    from rankspec.api import at_cutoffs

    read: list[int | None] = []
    make = at_cutoffs.make

    def made(metric: Metric, k: int | None = None, **parameters: object) -> object:
        read.append(k)
        return make(metric, k, **parameters)

    monkeypatch.setattr(at_cutoffs, "make", made)
    weights = [1, 0.5, 0.25]  # no key of what is kept
    found = rs.dcg([3, 2, 1], k=[3, 1, 2, 1], discount=weights)
    assert found.tolist() == [4.25, 3.0, 4.0, 3.0]
    assert read == [3]
    with pytest.raises(
        rs.InputError, match="it may be at most 100000, because the discounts are summed"
    ):
        rs.ndcg([3, 2, 1], k=[1, 2, 100_001], ideal="perfect")
