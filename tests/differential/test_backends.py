"""The C core against the certified reference, by ==, on generated batches.

Each test runs for every metric of the package, so that a new chapter is covered as soon as its
metrics are listed. What both backends leave to the reference is asked with fewer kinds of labels.
HYPOTHESIS_PROFILE=long runs many more examples.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec
from rankspec import certify
from rankspec.compute import by_core, core
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make, measures
from rankspec.metrics.measure import Measure, Metric
from rankspec.records import replace
from rankspec.reference.ties import RULES

from ..each import in_lane, thinned
from .batches import LABELS, batches, measures_for

pytestmark = pytest.mark.slow(but=2)

FEW_BITS = 56  # instead of 96: just above what a double holds


IN_CORE = [metric for metric in METRICS if metric.core.values is not None]


def each_metric(kinds: Iterable[str], *, elsewhere: int) -> pytest.MarkDecorator:
    """Each metric of the core with labels of each kind.

    elsewhere: with how many of the kinds, in turn, those that both backends leave to the reference
    """
    kinds, cases = list(kinds), []
    for a, metric in enumerate(METRICS):
        some = (
            kinds if metric in IN_CORE else [kinds[(a + i) % len(kinds)] for i in range(elsewhere)]
        )
        cases += [pytest.param(metric, kind, id=f"{kind}-{metric.name}") for kind in some]
    return pytest.mark.parametrize(("metric", "kind"), cases)


def linear(metric: Metric) -> dict[str, str]:
    """The gain that takes any label, for a metric that has gains."""
    return {"gain": "linear"} if "gain" in metric.parameters else {}


def assert_equal(wanted: list[Measure], batch: Batch) -> None:
    """Both backends give the same doubles, or the same words of refusal."""
    outcomes = []
    for backend in ("c", "reference"):
        try:
            outcomes.append([column.tolist() for column in values(wanted, batch, backend)])
        except InputError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.slow(but=9)
@pytest.mark.long(but=56)  # each metric with every other kind of labels
@each_metric(LABELS, elsewhere=1)
@given(data=st.data())
@pytest.mark.spec(
    "RS-DCG-1", "RS-DCG-2", "RS-DCG-4", "RS-DCG-5", "RS-DCG-6", "RS-DCG-7", "RS-GAIN-1",
    "RS-GAIN-2", "RS-GAIN-3", "RS-DISC-1", "RS-DISC-2", "RS-DISC-3", "RS-DISC-4", "RS-DISC-5",
    "RS-DISC-6",
    "RS-PREC-1", "RS-PREC-2", "RS-PREC-3", "RS-PREC-4", "RS-PREC-5", "RS-PREC-6", "RS-PREC-7",
    "RS-LEN-5", "RS-LEN-7", "RS-LEN-8", "RS-LEN-9", "RS-NUM-6", "RS-NUM-7", "RS-NUM-8",
)  # fmt: skip
def test_settled_orders(metric, kind, data):
    batch = data.draw(batches(kind, tied=False))
    assert_equal(data.draw(measures_for(metric, kind, 30)), batch)


@pytest.mark.slow(but=9)
@pytest.mark.long(but=38)  # each metric with every other kind of labels
@each_metric(LABELS, elsewhere=1)
@given(data=st.data())
@pytest.mark.spec(
    "RS-EXP-2", "RS-EXP-3", "RS-EXP-4", "RS-EXP-5", "RS-EXP-6", "RS-EXP-7", "RS-EXP-8",
    "RS-EXP-9", "RS-EXP-10", "RS-EXP-11", "RS-EXP-12", "RS-NUM-9",
)  # fmt: skip
def test_expectation_over_ties(metric, kind, data):
    batch = data.draw(batches(kind, tied=True))
    assert_equal(data.draw(measures_for(metric, kind, 30)), batch)


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-CONV-11")
def test_of_several_errors_the_first_measure_has_its_own(backend):
    tied = [0] * 20 + [1, 1, 2]  # 5313 orders, and twice as many with the pair behind it
    labels = array("B", [1, *tied, 0, 1])
    starts = bytes([1, 1, *([0] * 22), 1, 0])
    offsets = array("q", [0, 1, 26])
    batch = Batch(labels, offsets, starts, array("B"), array("q", [0, 0, 0]), None)
    deep, other = rankspec.NERR9(max_rel="pool"), rankspec.INST(max_rel="pool")
    shallow = rankspec.NERR9(k=1, max_rel="pool")
    too_many = "^ties: list 1: {} has no closed form"
    too_high = "^labels: 2 at list 1, position 22 is above .* {} takes no"
    for wanted, words in (
        ([shallow, deep], too_high.format("NERR9")),
        ([deep, shallow], too_many.format("NERR9")),
        ([other, shallow, deep], too_many.format("INST")),
        ([shallow, other, deep], too_high.format("NERR9")),
    ):
        with pytest.raises(InputError, match=words):
            values(wanted, batch, backend)


SCORES = st.one_of(
    st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, -3.5]), min_size=30, max_size=30),
    st.lists(st.integers(-(1 << 62), 1 << 62), min_size=30, max_size=30),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=30, max_size=30),
)
IDS = st.one_of(
    st.lists(st.integers(-(10**30), 10**30), min_size=30, max_size=30),
    st.lists(st.text(max_size=3), min_size=30, max_size=30),
)


@pytest.mark.slow(but=2)
@pytest.mark.long(but=9)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", ["grades", "int64", "doubles"])
@given(data=st.data(), scores=SCORES, ids=IDS)
@pytest.mark.spec("RS-TIE-1", "RS-TIE-2", "RS-EXP-1", "RS-CONV-6")
def test_every_order_of_ties(rule, kind, data, scores, ids):
    """From scores: the core's sort and the reference's, then every metric but the ideal."""
    labels = data.draw(st.lists(LABELS[kind][0], max_size=30))
    n = len(labels)
    given_by = {"scores": scores[:n], "ids": ids[:n], "ties": rule, "k": [1, 3, 2, None]}
    for metric in METRICS:
        if metric.of_pool or metric.sees_unjudged:
            continue
        function = getattr(rankspec, metric.function)
        chosen = given_by | linear(metric)
        outcomes = []
        for backend in ("c", "reference"):
            try:
                outcomes.append(function(labels, **chosen, backend=backend).tolist())
            except InputError as error:  # of a label that is above the largest
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], metric.name


@pytest.mark.parametrize("kind", ["grades", "int64", "doubles"])
@given(data=st.data(), tied=st.booleans())
@pytest.mark.spec("RS-PREC-15", "RS-EXP-27", "RS-NUM-6")
def test_what_is_unjudged_in_several_lists(kind, data, tied):
    """Flags beside the labels, with pools and without, with ties and without, of many lists."""
    batch = data.draw(batches(kind, tied=tied))
    n = len(batch.labels)
    flags = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    for pooled in (batch, replace(batch, pool=None, pool_offsets=None)):
        flagged = replace(pooled, unjudged=bytes(flags))
        wanted = [rankspec.Bpref(k=k, rel=rel) for k in (1, 3, None) for rel in (1, 2)]
        assert_equal(wanted, flagged)
        assert_equal([*wanted, rankspec.Rprec(), rankspec.P(k=2)], replace(flagged, unjudged=None))


@pytest.mark.slow(but=1)
@pytest.mark.long(but=21)
@pytest.mark.parametrize("length", [16, 17, 31, 32, 33, 100, 1000])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.spec("RS-TIE-2")
def test_orders_of_long_lists(rule, length):
    """Lists that the sort merges from several runs; equal ids and equal scores keep their order."""
    rng = random.Random(length)
    labels = [rng.randint(0, 9) for _ in range(length)]
    scores = [rng.randint(0, 3) for _ in range(length)]
    ids = [6 * score + rng.randint(0, 5) for score in scores]  # an id has one score
    given_by = {"scores": scores, "ids": ids, "ties": rule, "k": range(1, length + 1, 7)}
    ours, theirs = (rankspec.dcg(labels, **given_by, backend=b) for b in ("c", "reference"))
    assert ours.tolist() == theirs.tolist()


@pytest.mark.slow(but=8)
@pytest.mark.long(but=22)
@each_metric(["grades", "int32", "doubles"], elsewhere=0)
@given(data=st.data(), tied=st.booleans())
@pytest.mark.spec("RS-NUM-4", "RS-NUM-6/L1", "RS-NUM-7/L1", "RS-NUM-8/L1", "RS-NUM-9/L1")
def test_fewer_bits_leave_more_to_the_reference(metric, kind, data, tied):
    """With so few bits a discount many cells are undecided; settled, they are the same."""
    batch = data.draw(batches(kind, tied=tied))
    wanted = data.draw(measures_for(metric, kind, 30))
    before, core.bits_of_a_discount = core.bits_of_a_discount, FEW_BITS
    try:
        assert_equal(wanted, batch)
    finally:
        core.bits_of_a_discount = before


@pytest.mark.slow
@pytest.mark.long(but=1)
@pytest.mark.parametrize("tied", [0, 0.3])
@pytest.mark.parametrize("highest", [4, 1 << 31])
@pytest.mark.spec("RS-NUM-6/L1", "RS-NUM-7/L1", "RS-NUM-8/L1", "RS-NUM-9/L1")
def test_fewer_bits_on_many_lists(monkeypatch, highest, tied):
    """So many values, with so few bits, that a slack which is too small would show."""
    monkeypatch.setattr(core, "bits_of_a_discount", FEW_BITS)
    batch = random_batch(random.Random(highest), 400, 12, highest, tied=tied)
    # Without those that do not take these labels, and that the reference computes in any case.
    some = [m for m in IN_CORE if "stop" not in m.parameters and not m.sees_unjudged]
    wanted = [make(metric, k, **linear(metric)) for metric in some for k in (7, None)]
    if highest == 4:
        gained = [metric for metric in IN_CORE if "gain" in metric.parameters]
        wanted += [make(metric, 7, gain=g) for metric in gained for g in ("exp2", [1, 1, 5, 9, 12])]
    assert_equal(wanted, batch)


@pytest.mark.slow
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.spec("RS-NUM-6", "RS-NUM-8")
def test_gains_at_the_border_of_the_two_kernels(tied):
    """Where gain times length passes 2^32, and where gains pass 2^32 themselves."""
    rows = [[r] * n for r in range(27, 36) for n in (1, 2, 3, 15, 16, 17, 60)]
    flat = array("B", [x for row in rows for x in row])
    offsets = array("q", accumulate((len(row) for row in rows), initial=0))
    starts = bytes(i % 5 == 0 for i in range(len(flat))) if tied else None
    batch = Batch(flat, offsets, starts)
    gains = ["exp2", [(1 << r) - (r == 32) for r in range(36)]]
    gained = [metric for metric in IN_CORE if "gain" in metric.parameters]
    for gain in gains:
        wanted = [make(m, k, gain=gain) for m in gained for k in (2, 16, None)]
        assert_equal(wanted, batch)


@pytest.mark.slow
@pytest.mark.long(but=2)  # the fewer lists
@pytest.mark.parametrize(
    ("by_recall", "lists"), [(False, 100), (False, 400), (True, 10), (True, 40)]
)
@pytest.mark.spec("RS-NUM-9/L1")
def test_fewer_bits_on_wide_tie_groups(monkeypatch, by_recall, lists):
    """Large groups, where the values are fractions of large denominators.

    by_recall: the measures of recall levels, for which the reference takes half a second a list
    """
    monkeypatch.setattr(core, "bits_of_a_discount", FEW_BITS)
    batch = random_batch(random.Random(2), lists, 120, 9, tied=0.03)
    some = [m for m in IN_CORE if m.binary and (m.name in ("IPrec", "AvgIPrec")) is by_recall]
    assert_equal([make(metric, k, rel=8) for metric in some for k in (20, None)], batch)


@pytest.fixture(scope="module")
def just_below_one():
    """Measures, a batch, and its values by the reference, which all numbers of bits share."""
    rows = [
        [(1 << e) + extra, (1 << e) + extra + j, *rest]
        for e in range(44, 58)
        for j in range(1, 8)
        for extra in (0, 1, 3)
        for rest in ([], [1], [1 << e])
    ]
    flat = array("q", [x for row in rows for x in row])
    batch = Batch(flat, array("q", accumulate((len(row) for row in rows), initial=0)))
    wanted = measures("nDCG") + measures("nDCG@2")
    return wanted, batch, [x.tolist() for x in values(wanted, batch, "reference")]


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("bits", [54, 56, 57, 58, 60, 64, 96])
@pytest.mark.spec("RS-NUM-7/L1")
def test_values_just_below_one(monkeypatch, just_below_one, bits):
    """Below a power of two the doubles lie closer; nDCG comes down to 1 - 2^-53 and less."""
    monkeypatch.setattr(core, "bits_of_a_discount", bits)
    wanted, batch, true = just_below_one
    assert [x.tolist() for x in values(wanted, batch, "c")] == true


@pytest.mark.spec("RS-NUM-7/L1")
def test_values_just_above_a_power_of_two():
    """The estimate may lie below it, and then it has a bit more than a double can hold."""
    rng = random.Random(1)
    rows, expected = [], []
    for _ in range(10_000):
        best = rng.randint(1 << 60, (1 << 61) - 1)
        power = rng.randint(1, 6)
        first = (best >> power) + int(best * rng.uniform(0.25, 1) / 2 ** (52 + power))
        rows.append([first, best])
        expected.append(float(Fraction(first, best)))  # Python's quotient is correctly rounded
    assert rankspec.ndcg(rows, k=1, backend="c").tolist() == expected


@pytest.mark.spec("RS-NUM-7/L1")
@thinned
def test_quotients_halfway_between_two_doubles():
    """x c / 2^e c, x of 54 bits: whichever double the estimate is, the even one is the value."""
    halves = [(1 << 53) + 1, (1 << 53) + 3, (1 << 54) - 1, (1 << 53) + (1 << 52) + 1]
    rows = [[x * c, c << 54] for c in range(1, 512, in_lane(20, 1)) for x in halves]
    expected = [float(Fraction(*row)) for row in rows]
    assert rankspec.ndcg(rows, k=1, backend="c").tolist() == expected


@pytest.mark.parametrize("bits", [56, 58, 60, 62])
@pytest.mark.spec("RS-NUM-7/L1")
@thinned
def test_sums_just_below_a_power_of_two(monkeypatch, bits):
    """DCG around 2^60 - 64, which is halfway between 2^60 and the double below it."""
    monkeypatch.setattr(core, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    wide = 1 << max(0, 60 - bits)  # what the discounts leave open
    rows = []
    for _ in range(in_lane(200, 400)):
        second = rng.randint(1 << 58, 1 << 59)
        rest = int(certify.dcg([0, second]).lower)
        rows.append([(1 << 60) - rest - 64 + rng.randint(-2 * wide, 2 * wide), second])
    flat = array("q", [x for row in rows for x in row])
    offsets = array("q", range(0, len(flat) + 1, 2))
    assert_equal(measures("DCG"), Batch(flat, offsets))


@pytest.mark.parametrize("bits", [54, 55, 56])
@pytest.mark.spec("RS-NUM-7/L1")
@thinned
def test_lists_just_below_an_ideal_of_other_labels(monkeypatch, bits):
    """The ideal is rounded down, the list is exact: the quotient must not come out as 1."""
    monkeypatch.setattr(core, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    lists, pools = [], []
    for _ in range(in_lane(150, 300)):
        pool = [rng.randint(1 << 57, 1 << 58) for _ in range(rng.randint(3, 7))]
        ideal = certify.idcg(pool).lower
        pools.append(pool)
        lists.append([int(ideal - ideal * Fraction(rng.randint(17, 31), 1 << 58))])
    flat = [array("q", [x for row in rows for x in row]) for rows in (lists, pools)]
    offsets = [
        array("q", accumulate((len(row) for row in rows), initial=0)) for rows in (lists, pools)
    ]
    assert_equal(measures("nDCG"), Batch(flat[0], offsets[0], None, flat[1], offsets[1]))


def test_fewer_bits_do_leave_cells_undecided(monkeypatch):
    """The control of the test above: with few bits the reference is really asked."""
    asked = []
    monkeypatch.setattr(core, "bits_of_a_discount", FEW_BITS)
    monkeypatch.setattr(by_core, "value_by_reference", lambda *_: asked.append(1) or 0.0)
    batch = random_batch(random.Random(5), 3000, 10, 4)
    values(measures("nDCG"), batch)
    assert asked


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.parametrize("length", [1000, 10_000])
@pytest.mark.parametrize("highest", [1, 4, 200, 1 << 31])
@pytest.mark.parametrize("tied", [0, 0.3])
@pytest.mark.spec("RS-NUM-6", "RS-NUM-8")
def test_long_lists(length, highest, tied):
    batch = random_batch(random.Random(length + highest), 1, length, highest, tied=tied)
    wanted = [
        make(metric, k, **linear(metric))
        for metric in IN_CORE
        if "stop" not in metric.parameters  # which do not take these labels
        for k in ((10, None) if metric.name not in ("SP", "GAP") else (10, 300))
    ]
    wanted += measures("nDCG(ideal='all')@10") + measures("nDCG(ideal='all')@20")
    assert_equal(wanted, batch)


def random_batch(rng: random.Random, lists: int, length: int, highest: int, tied: float = 0):
    """Lists of up to that length; tied: the share of items that begin a tie group."""
    rows = [
        [rng.randint(0, highest) for _ in range(rng.randint(length // 2, length))]
        for _ in range(lists)
    ]
    flat = array("q", [x for row in rows for x in row])
    offsets = array("q", accumulate((len(row) for row in rows), initial=0))
    starts = bytes(rng.random() < tied for _ in flat) if tied else None
    return Batch(flat, offsets, starts)
