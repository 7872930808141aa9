"""What is asked of rs.evaluate() is resolved once: the answers are those of a first call."""

from __future__ import annotations

import gc
from array import array
from fractions import Fraction
from typing import Any

import pytest

import rankspec as rs
from rankspec.compute import by_core
from rankspec.compute.batch import Batch
from rankspec.compute.computable import Together
from rankspec.evaluation import plans
from rankspec.metrics.grammar import measures

pytest.importorskip("rankspec._core")

QRELS = {"q": {"a": 3, "b": 0, "c": 1}, "r": {"a": 1}}
RUN = {"q": {"a": 1.0, "b": 2.0, "c": 0.5, "d": 1.0}, "r": {"x": 1.0}}


def forget() -> None:
    plans._known.cache_clear()


@pytest.mark.parametrize(
    "calls",
    [
        [{"rel": 1}, {"rel": True}, {"rel": 1.0}, {"rel": Fraction(3, 2)}, {"rel": 2}],
        [{"depth": 1}, {"depth": True}, {"depth": 2}, {"depth": None}],
        [{"gain": "exp2"}, {"gain": "linear"}, {"gain": [0, 1, 2, 9]}, {"gain": "nope"}],
        [{"profile": "trec_eval-9"}, {"profile": "ir_measures"}, {"profile": "nope"}, {}],
        [{"ties": "expected"}, {"ties": "input"}, {"ties": "nope"}, {"ties": "best"}],
    ],
)
def test_a_call_is_answered_as_if_it_were_the_first(calls: list[dict[str, Any]]) -> None:
    """What compares equal, as 1 and True do, is not what another call meant."""

    def answer(chosen: dict[str, Any]) -> Any:
        try:
            return rs.evaluate(QRELS, RUN, ["nDCG@2", "AP", "P@1"], **chosen).to_dict()
        except rs.InputError as error:
            return str(error)

    first = []
    for chosen in calls:
        forget()
        first.append(answer(chosen))
    forget()
    assert len({str(x) for x in first}) > 2
    for _ in range(2):
        assert [answer(chosen) for chosen in calls] == first


def test_measures_of_any_form_are_the_same() -> None:
    forms: list[Any] = [["AP", "nDCG@2"], ("AP", "nDCG@2"), [rs.AP(), rs.nDCG(k=2)]]
    found = [rs.evaluate(QRELS, RUN, form) for form in (*forms, iter(forms[0]))]
    assert all(x == found[0] for x in found)
    assert rs.evaluate(QRELS, RUN, "AP")["AP"] == found[0]["AP"]
    with pytest.raises(rs.InputError, match="1"):
        rs.evaluate(QRELS, RUN, [1])  # type: ignore[list-item]


def test_a_measure_is_not_taken_for_a_former_one() -> None:
    """Each is gone before the next is made, which may then lie in the same place."""
    forget()
    held = rs.AP()
    for k in range(1, plans.MOST_MEASURES // 2):
        rs.evaluate(QRELS, RUN, [held, rs.AP()])  # the second is the same, and left out
        found = rs.evaluate(QRELS, RUN, [held, rs.nDCG(k=k)])
        assert list(found.mean) == ["AP", f"nDCG@{k}"]


@pytest.mark.parametrize("wrong", ["abc", "-1", "0", "1.5"])
def test_one_query_sees_a_wrong_number_of_threads(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = rs.evaluate({"q": QRELS["q"]}, {"q": RUN["q"]}, "nDCG")
    monkeypatch.setenv("RANKSPEC_THREADS", "2")
    assert rs.evaluate({"q": QRELS["q"]}, {"q": RUN["q"]}, "nDCG") == found
    monkeypatch.setenv("RANKSPEC_THREADS", wrong)
    with pytest.raises(rs.InputError, match=f'RANKSPEC_THREADS is "{wrong}"'):
        rs.evaluate({"q": QRELS["q"]}, {"q": RUN["q"]}, "nDCG")


def test_no_more_is_kept_than_there_is_room_for() -> None:
    forget()
    asked = plans.asked(None, {"ties": "input"})
    for k in range(1, 3 * plans.MOST_MEASURES):
        asked.plan(f"nDCG@{k}")
        assert len(asked._plans) <= plans.MOST_MEASURES
    for k in range(1, 3 * plans.MOST_CONVENTIONS):
        rs.evaluate(QRELS, RUN, "AP", depth=k)
    assert plans._known.cache_info().currsize <= plans.MOST_CONVENTIONS


def of_length(n: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    documents = [f"d{a}" for a in range(n)]
    return {"q": dict.fromkeys(documents[::3], 1)}, {
        "q": {x: a % 7 for a, x in enumerate(documents)}
    }


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["id-descending", "expected"])
def test_what_the_core_keeps_serves_lists_of_any_length(ties: str) -> None:
    """Short lists, longer ones, and those for which nothing is kept; ties left open or not."""
    names = ["nDCG", "nDCG@5", "AP", "DCG(discount='log10')", "RR@3"]
    for n in (3, 100, by_core.LONGEST_KEPT, by_core.LONGEST_KEPT + 1, 5, 100):
        qrels, run = of_length(n)
        kept = rs.evaluate(qrels, run, names, ties=ties)
        forget()
        gc.collect()
        by_reference = rs.evaluate(qrels, run, names, ties=ties, backend="reference")
        assert kept.to_dict() == by_reference.to_dict()
        rs.evaluate(qrels, run, names, ties=ties)


def test_what_is_kept_for_lists_without_ties_is_not_for_those_with_them() -> None:
    names = ["nDCG", "AP", "RR", "P@2", "R@2", "ERR", "Rprec", "Success@2", "RBP", "GAP", "DCG@2"]
    labels, starts = array("B", [0, 2, 1, 0, 1]), array("B", [1, 0, 0, 0, 1])
    offsets = array("q", [0, 5])
    together = Together([m for name in names for m in measures(name)])
    for starts_or_none in (None, starts, None, starts):
        batch = Batch(labels, offsets, starts_or_none)
        found = by_core.values_by_core(together, batch)
        assert found == by_core.values_by_core(list(together), batch)
    assert all(asked.groups for asked in together.kept.values())


def test_weights_for_fewer_ranks_than_are_kept_are_weights_enough() -> None:
    weights = [1.0, 0.5, 0.25]
    qrels, run = of_length(3)
    for _ in range(2):
        assert rs.evaluate(qrels, run, "nDCG", discount=weights)["nDCG"] > 0
    with pytest.raises(rs.InputError, match="weights for 3"):
        rs.evaluate(*of_length(4), "nDCG", discount=weights)
    measures = Together([rs.nDCG(discount=weights)])
    assert not by_core._prepared(measures, 64, False).groups
