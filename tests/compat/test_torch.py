"""The metric of PyTorch: the same bits for all batches, merges and processes."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.errors import InputError

from .needs import library

torch = library("torch")

from rankspec.compat.groups import evaluate_groups  # noqa: E402
from rankspec.compat.torch import LIMBS, RankingMetric, limbs_of, sum_of  # noqa: E402

from .learning import rows  # noqa: E402

MEASURES = ["nDCG@10", "AP", "RR(rel=2)@5", "DCG(gain='exp2')", "UL2(nDCG@10)"]


def flat(seed=0):
    made = rows(seed, queries=50)
    scores = torch.tensor(made.X[:, 0])
    return scores, torch.tensor(made.y).long(), torch.tensor(made.queries)


def added(metric, parts, chosen=flat):
    """The metric after an update for each of some sets of queries."""
    scores, labels, queries = chosen()
    for part in parts:
        here = torch.isin(queries, torch.tensor(part))
        metric.update(scores[here], labels[here], indexes=queries[here])
    return metric


def parts(seed):
    rng = random.Random(seed)
    order = rng.sample(range(50), 50)
    cuts = sorted(rng.sample(range(1, 50), rng.randint(0, 20)))
    return [order[a:b] for a, b in zip([0, *cuts], [*cuts, 50], strict=True)]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.spec("RS-NUM-5")
def test_the_bits_are_the_same_for_any_batches(measure):
    scores, labels, queries = flat()
    expected = evaluate_groups(
        measure, labels=labels.numpy(), scores=scores.numpy(), group_id=queries.numpy()
    )
    for seed in range(5):
        metric = added(RankingMetric(measure), parts(seed))
        assert metric.compute().item() == expected[measure]
        assert metric.compute().dtype == torch.float64


def test_a_measure_of_another_average_is_refused():
    with pytest.raises(InputError, match="averaged by its geometric mean"):
        RankingMetric("GM(AP)")


@pytest.mark.spec("RS-CONV-28")
def test_labels_and_scores_that_look_swapped_are_remarked():
    metric = RankingMetric("nDCG@10")
    with pytest.warns(rs.InputWarning, match="are labels and scores swapped"):
        metric.update(torch.tensor([2.0, 0.0, 1.0]), torch.tensor([0.1, 0.7, 0.3]))


def test_control_a_sum_of_doubles_depends_on_the_batches():
    scores, labels, queries = flat()
    values = [
        rs.ndcg(labels[queries == q].tolist(), scores=scores[queries == q].tolist())
        for q in range(50)
    ]
    sums = {sum(sum(values[q] for q in part) for part in parts(seed)) for seed in range(5)}
    assert len(sums) > 1


@pytest.mark.filterwarnings("ignore:The ``compute`` method")  # torchmetrics counts updates only
@pytest.mark.spec("RS-NUM-5")
def test_states_merge_and_are_pickled():
    split = parts(3)
    whole = added(RankingMetric("nDCG@10"), split)
    ranks = [added(RankingMetric("nDCG@10"), split[a::3]) for a in range(3)]
    merged = RankingMetric("nDCG@10")
    for rank in reversed(ranks):
        merged.merge_state(pickle.loads(pickle.dumps(rank)))  # noqa: S301
    assert merged.compute() == whole.compute()
    merged = RankingMetric("nDCG@10")
    for rank in ranks:
        merged.merge_state(dict(rank.metric_state))
    assert merged.compute() == whole.compute()
    merged.reset()
    assert merged.compute().isnan()
    for other in (RankingMetric("nDCG@5"), RankingMetric("nDCG@10", ties="best"), {}, 3):
        with pytest.raises(InputError, match="merge_state"):
            merged.merge_state(other)


def test_calling_it_gives_the_mean_of_the_batch_and_adds_it():
    scores, labels, queries = flat()
    metric = RankingMetric("AP")
    for part in parts(1):
        here = torch.isin(queries, torch.tensor(part))
        value = metric(scores[here], labels[here], indexes=queries[here])
        alone = RankingMetric("AP")
        alone.update(scores[here], labels[here], indexes=queries[here])
        assert value == alone.compute()
    assert metric.compute() == added(RankingMetric("AP"), parts(2)).compute()
    before = metric.compute()
    with pytest.raises(InputError, match="query 0 was in an earlier update"):
        metric(scores, labels, indexes=queries)
    assert metric.compute() == before
    metric.reset()
    metric.update(scores, labels, indexes=queries)


def test_rows_and_masks_are_queries():
    scores = torch.tensor([[0.1, 0.2, 0.3], [0.5, 0.5, 0.0]])
    labels = torch.tensor([[2, 0, 1], [0, 1, 7]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    metric = RankingMetric("nDCG")
    metric.update(scores, labels, mask=mask)
    values = [
        rs.ndcg([2, 0, 1], scores=scores[0].double().tolist()),
        rs.ndcg([0, 1], scores=[1, 1]),
    ]
    assert metric.compute().item() == rs.mean(values)
    one = RankingMetric("nDCG")
    one.update([0.1, 0.2, 0.3], [2, 0, 1])
    assert one.compute().item() == values[0]
    none = RankingMetric("nDCG")
    none.update(scores, labels, mask=torch.zeros_like(mask))
    assert none.compute().item() == 0.0
    assert int(none.count) == 2


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.int64])
def test_scores_of_every_type_are_what_they_are(dtype):
    scores = (torch.arange(20) * 37 % 11).to(dtype)
    labels = torch.arange(20) % 3
    metric = RankingMetric("nDCG@5")
    metric.update(scores, labels)
    expected = rs.ndcg(labels.tolist(), scores=scores.tolist(), k=5)
    assert metric.compute().item() == expected


@pytest.mark.spec("RS-CONV-4")
def test_a_query_without_a_value_is_as_asked():
    scores, labels = torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[0, 1], [0, 0]])
    found = {}
    metric = RankingMetric("AP", undefined="error")
    with pytest.raises(InputError, match=r'query "8" has the divisor 0, which undefined="error"'):
        metric.update([0.5, 0.25], [1, 0], indexes=[7, 8])
    assert metric.count == 0  # what is refused is not counted
    for undefined in ("zero", "one", "omit"):
        metric = RankingMetric("AP", undefined=undefined)
        metric.update(scores, labels)
        found[undefined] = metric.compute().item()
    assert found == {"zero": 0.25, "one": 0.75, "omit": 0.5}


def test_what_is_better_is_told():
    assert RankingMetric("nDCG@5").higher_is_better is True
    assert RankingMetric("RBP_residual").higher_is_better is False


def test_limbs_hold_every_sum_of_doubles():
    rng = random.Random(0)
    doubles = [5e-324, -5e-324, 1.7976931348623157e308, 0.1, -0.1, 1e-310, 2.0**-1022]
    states, total = [0] * LIMBS, Fraction(0)
    for _ in range(200):
        x = Fraction(rng.choice(doubles)) * rng.choice([1, -1])
        total += x
        states = [a + b for a, b in zip(states, limbs_of(x), strict=True)]
        assert sum_of(limbs_of(total)) == total
    assert sum_of(states) == total
    most = limbs_of(Fraction(1.7976931348623157e308) * 2**64)
    assert max(most) < 2**32
    assert sum_of(most) == Fraction(1.7976931348623157e308) * 2**64


def test_the_state_stays_whole_when_it_is_cast():
    metric = added(RankingMetric("nDCG@10"), parts(0))
    expected = metric.compute()
    for cast in (metric.half, metric.double, metric.float, lambda: metric.to(torch.bfloat16)):
        cast()
        assert metric.limbs.dtype == metric.count.dtype == torch.int64
        metric.merge_state(RankingMetric("nDCG@10"))
        assert metric.compute() == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((torch.ones(2), torch.ones(3)), "shape"),
        ((torch.ones(2, 2, 2), torch.ones(2, 2, 2)), "3 dimensions"),
        ((torch.ones(2), torch.ones(2), torch.ones(2)), "whole numbers"),
        ((torch.ones(2), torch.ones(2), torch.ones(3).long()), "whole numbers"),
        ((torch.ones(2), torch.ones(2), None, torch.ones(2)), "booleans"),
        ((torch.tensor([1.0, float("nan")]), torch.ones(2)), "nan"),
        ((torch.ones(2), torch.tensor([1, -1])), "-1"),
        ((torch.ones(2, dtype=torch.complex64), torch.ones(2)), "complex"),
        (("ab", torch.ones(2)), "expected a tensor"),
    ],
)
def test_bad_input_has_its_place_and_changes_nothing(given, words):
    metric = RankingMetric("nDCG")
    with pytest.raises(InputError, match=words):
        metric.update(*given)
    assert metric.compute().isnan()
    with pytest.raises(InputError, match="several"):
        RankingMetric("AP@1,2")


def test_a_collection_takes_no_two_measures_for_one():
    torchmetrics = library("torchmetrics")
    scores = torch.tensor([0.3, 0.2, 0.1, 0.0])
    metrics = torchmetrics.MetricCollection(
        {"a": RankingMetric("nDCG@1"), "b": RankingMetric("nDCG@4"), "c": RankingMetric("nDCG@1")}
    )
    metrics.update(scores, torch.tensor([2, 1, 0, 0]))  # both are 1
    metrics.update(scores, torch.tensor([0, 1, 0, 2]))
    found = metrics.compute()
    assert found["a"] == found["c"] == 0.5
    assert found["b"] > 0.5


def test_it_is_near_that_of_torchmetrics():
    torchmetrics = library("torchmetrics")
    scores, labels, queries = flat()
    theirs = torchmetrics.retrieval.RetrievalNormalizedDCG(top_k=10)
    theirs.update(scores.float(), labels, indexes=queries)
    ours = RankingMetric("nDCG@10")
    ours.update(scores.float(), labels, indexes=queries)
    assert ours.compute().item() == pytest.approx(theirs.compute().item(), rel=1e-5)


WORKER = """
import sys
if sys.argv[1] == "without":
    sys.modules["torchmetrics"] = None
import torch
import torch.distributed as dist
from rankspec.compat.torch import RankingMetric, _Base
from tests.compat.test_torch import added, parts
rank = int(sys.argv[2])
assert (_Base.__module__ == "rankspec.compat.torch") == (sys.argv[1] == "without")
alone = added(RankingMetric("nDCG@10"), parts(3))
expected = alone.compute().item()
called = RankingMetric("nDCG@10")
scores, labels = torch.tensor([0.1, 0.2]), torch.tensor([1, 0])
assert called(scores, labels).item() == called(scores, labels).item() == called.compute().item()
dist.init_process_group("gloo", init_method=f"file://{sys.argv[3]}", rank=rank, world_size=2)
metric = added(RankingMetric("nDCG@10"), parts(3)[rank::2])
assert metric.compute().item() == expected, (metric.compute(), expected)
assert int(metric.count) < 50
dist.destroy_process_group()
print("same")
"""


@pytest.mark.slow
@pytest.mark.parametrize("torchmetrics", ["with", "without"])
@pytest.mark.spec("RS-NUM-5")
def test_two_processes_have_the_bits_of_one(torchmetrics, tmp_path):
    if torchmetrics == "with":
        library("torchmetrics")
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WORKER, torchmetrics]
    started = [
        subprocess.Popen(  # noqa: S603
            [*command, str(rank), str(tmp_path / "store")],
            cwd=root,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    for process in started:
        out, err = process.communicate(timeout=240)
        assert (process.returncode, out) == (0, "same\n"), err


def test_numbers_are_as_the_groups_have_them():
    scores, labels, queries = flat(1)
    metric = RankingMetric("ERR@10")
    metric.update(scores.reshape(1, -1), labels.reshape(1, -1), indexes=queries.reshape(1, -1))
    expected = evaluate_groups(
        "ERR@10", labels=labels.numpy(), scores=scores.numpy(), group_id=queries.numpy()
    )
    assert metric.compute().item() == expected["ERR@10"]
