"""Metrics of sessions by the C core: by ==, against the reference and against their definitions.

With rational discounts the definitions can be computed with fractions, and a quotient of Python's
integers is correctly rounded.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.api import session_inputs
from rankspec.compute import by_core as computing
from rankspec.compute import core as binding
from rankspec.compute.backends import values, vectors
from rankspec.compute.batch import SessionBatch
from rankspec.compute.call import Call
from rankspec.compute.checks import MOST_RANKS
from rankspec.errors import InputError
from rankspec.metrics.catalogue import SESSION_METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure, Metric
from rankspec.reference import session as reference

from .batches import DISCOUNTS, LABELS, SMALL_DEPTH, by_core, flat, gains
from .test_backends import FEW_BITS

pytestmark = pytest.mark.slow(but=2)

OF = {metric.name: metric for metric in SESSION_METRICS}
IN_CORE = [metric for metric in SESSION_METRICS if metric.core.values is not None]
WITH_VECTORS = [metric for metric in SESSION_METRICS if metric.core.vectors is not None]
EVERY_METRIC = pytest.mark.parametrize("metric", IN_CORE, ids=lambda metric: metric.name)
EVERY_VECTOR = pytest.mark.parametrize("metric", WITH_VECTORS, ids=lambda metric: metric.name)
SES = pytest.mark.spec(
    "RS-SES-1", "RS-SES-2", "RS-SES-3", "RS-SES-4", "RS-SES-5", "RS-SES-6", "RS-SES-7", "RS-SES-8",
    "RS-SES-9", "RS-SES-10", "RS-SES-11", "RS-SES-12", "RS-SES-13", "RS-SES-14", "RS-SES-15",
    "RS-SES-16", "RS-SES-17", "RS-NUM-22", "RS-NUM-23", "RS-NUM-24",
)  # fmt: skip


def in_core(call: Call | None, measure: Measure) -> bool:
    return call is not None and call.can_take(measure)


# ---- sessions, and measures of them ----------------------------------------------------------

VALUES = {
    "repeats": st.sampled_from([0, 0, 1, 1, 0.5]),
    "padding": st.one_of(st.just("X"), st.integers(0, 12)),
    "query_discount": DISCOUNTS.filter(lambda d: "999" not in str(d) and "1000" not in str(d)),
    "discount": DISCOUNTS,
}
CUTOFFS = st.one_of(st.none(), st.integers(1, 12))


@st.composite
def sessions(draw: st.DrawFn, kind: str, *, most: int = 3) -> SessionBatch:
    """Up to so many sessions, with or without documents and pools."""
    labels, forms = LABELS[kind]
    known, pooled, form = draw(st.booleans()), draw(st.booleans()), draw(st.sampled_from(forms))
    lists: list[list[Any]] = []
    documents, pools, begins = array("q"), [], [0]
    for _ in range(draw(st.integers(0, most))):
        of_document = draw(st.lists(labels, min_size=8, max_size=8))
        for _ in range(draw(st.integers(0, 4))):
            shown = draw(st.lists(st.integers(0, 7), max_size=6))
            documents.extend(shown)
            lists.append([of_document[a] for a in shown])
        begins.append(len(lists))
        pools.append(draw(st.lists(labels, max_size=12)))
    pool, pool_offsets = flat(pools, draw(st.sampled_from(forms))) if pooled else (None, None)
    shown_labels, offsets = flat(lists, form)
    return SessionBatch(
        shown_labels,
        offsets,
        pool=pool,
        pool_offsets=pool_offsets,
        sessions=array("q", begins),
        documents=documents if known else None,
    )


@st.composite
def measures_of(draw: st.DrawFn, metric: Metric, kind: str) -> list[Measure]:
    """One measure at several cut-offs, for labels of that kind."""
    chosen = {
        name: draw(st.sampled_from(p.words) if p.words and name != "repeats" else _of(name, kind))
        for name, p in metric.parameters.items()
    }
    return [make(metric, k, **chosen) for k in draw(st.lists(CUTOFFS, min_size=1, max_size=4))]


def _of(name: str, kind: str) -> st.SearchStrategy:
    return gains(kind) if name == "gain" else VALUES[name]


def outcome(of: Any, *arguments: Any) -> Any:
    """What is computed, or the words of refusal."""
    try:
        return [column.tolist() for column in of(*arguments)]
    except InputError as error:
        return str(error)


def assert_equal(of: Any, wanted: Any, batch: SessionBatch) -> None:
    """Both backends give the same doubles, or the same words."""
    assert outcome(of, wanted, batch, "c") == outcome(of, wanted, batch, "reference")


# ---- against the reference -------------------------------------------------------------------


@pytest.mark.slow(but=5)
@EVERY_METRIC
@pytest.mark.parametrize("kind", ["grades", "bytes", "int64", "halves", "doubles"])
@given(data=st.data())
@SES
def test_values_against_the_reference(metric, kind, data):
    assert_equal(values, data.draw(measures_of(metric, kind)), data.draw(sessions(kind)))


@EVERY_VECTOR
@pytest.mark.parametrize("kind", ["grades", "int64", "doubles"])
@given(data=st.data())
@SES
def test_vectors_against_the_reference(metric, kind, data):
    assert_equal(vectors, data.draw(measures_of(metric, kind))[0], data.draw(sessions(kind)))


@pytest.mark.slow(but=8)
@EVERY_METRIC
@pytest.mark.parametrize("kind", ["grades", "int32", "doubles"])
@given(data=st.data())
@pytest.mark.spec("RS-NUM-22/L1", "RS-NUM-23/L1", "RS-NUM-24/L1", "RS-NUM-24/L2")
def test_fewer_bits_leave_more_to_the_reference(metric, kind, data):
    """With so few bits a discount many cells are undecided; settled, they are the same."""
    batch, wanted = data.draw(sessions(kind)), data.draw(measures_of(metric, kind))
    before, binding.bits_of_a_discount = binding.bits_of_a_discount, FEW_BITS
    try:
        assert_equal(values, wanted, batch)
        if metric in WITH_VECTORS:
            assert_equal(vectors, wanted[0], batch)
    finally:
        binding.bits_of_a_discount = before


def random_sessions(
    rng: random.Random, n: int, labels: Sequence[Any], *, pooled: bool = True, longest: int = 8
) -> SessionBatch:
    """Sessions of up to four queries."""
    lists: list[list[Any]] = []
    documents, pools, begins = array("q"), [], [0]
    for _ in range(n):
        of_document = [rng.choice(labels) for _ in range(longest)]
        for _ in range(rng.randint(1, 4)):
            shown = [rng.randrange(longest) for _ in range(rng.randint(0, longest))]
            documents.extend(shown)
            lists.append([of_document[a] for a in shown])
        begins.append(len(lists))
        pools.append(rng.choices(labels, k=rng.randint(1, 2 * longest)))
    form = "q" if all(isinstance(x, int) for x in labels) else "d"
    pool, pool_offsets = flat(pools, form) if pooled else (None, None)
    shown_labels, offsets = flat(lists, form)
    begun = array("q", begins)
    return SessionBatch(
        shown_labels, offsets, None, pool, pool_offsets, sessions=begun, documents=documents
    )


GRADES = [0, 0, 0, 1, 1, 2, 3, 4]
LARGE = [0, 0, 1, 10**9, (1 << 31) - 1, 1 << 31, 3 << 40]


def variants(metric: Metric) -> list[dict[str, Any]]:
    """One parameter at a time that is not the default, and what is exact in one of the tables."""
    others = {
        "repeats": [0],
        "padding": [0, 3],
        "ideal": ["spread", "greatest"],
        "over": ["sum", "best", "worst", "first", "last", "non-last"],
        "discount": ["zipf", "none"],
        "query_discount": ["zipf", "none"],
    }
    chosen = [{name: x} for name in metric.parameters for x in others.get(name, [])]
    if "ideal" in metric.parameters:
        chosen += [{"ideal": "greatest", name: "none"} for name in ("discount", "query_discount")]
    return [{}, *chosen]


@pytest.mark.slow
@pytest.mark.long(but=3)
@EVERY_METRIC
@pytest.mark.parametrize("labels", [GRADES, LARGE], ids=["grades", "large"])
@pytest.mark.spec("RS-NUM-22/L1", "RS-NUM-23/L1", "RS-NUM-24/L1", "RS-NUM-24/L2")
def test_fewer_bits_on_many_lists_of_queries(monkeypatch, metric, labels):
    """So many values, with so few bits, that a slack which is too small would show."""
    monkeypatch.setattr(binding, "bits_of_a_discount", FEW_BITS)
    batch = random_sessions(random.Random(len(labels)), 150, labels)
    for chosen in variants(metric):
        measure = make(metric, 5, **chosen)
        assert_equal(values, [make(metric, 1, **chosen), measure], batch)
        if in_core(measure.core.vectors, measure):
            few = random_sessions(random.Random(7), 25, labels)
            assert_equal(vectors, measure, few)


@EVERY_METRIC
def test_fewer_bits_do_leave_cells_undecided(monkeypatch, metric):
    """The control of the tests above: with few bits the reference is really asked."""
    asked: list[int] = []
    monkeypatch.setattr(binding, "bits_of_a_discount", FEW_BITS)
    monkeypatch.setattr(computing, "value_by_reference", lambda *_: asked.append(1) or 0.0)
    monkeypatch.setattr(computing, "settle_vector", lambda *_: asked.append(2))
    batch = random_sessions(random.Random(5), 1500, GRADES)
    values([make(metric, 8)], batch)
    if metric in WITH_VECTORS:
        vectors(make(metric, 8), batch)
    assert set(asked) == ({1, 2} if metric in WITH_VECTORS else {1})


@EVERY_METRIC
@pytest.mark.spec("RS-NUM-22", "RS-NUM-23", "RS-NUM-24")
def test_the_core_decides(monkeypatch, metric):
    """Of usual sessions nothing is left to the reference."""
    batch = random_sessions(random.Random(6), 2000, GRADES)
    monkeypatch.setattr(computing, "settle_vector", None)
    for chosen in variants(metric):
        measures = [make(metric, k, **chosen) for k in (3, 8)]
        if in_core(measures[0].core.values, measures[0]):
            assert not any(isnan(x) for row in by_core(monkeypatch, measures, batch) for x in row)
        if in_core(measures[0].core.vectors, measures[0]):
            vectors(measures[0], batch)


@EVERY_METRIC
@pytest.mark.spec("RS-NUM-22")
def test_gains_at_the_border_of_the_two_kernels(metric):
    """Where gains and ranks pass 2^30, and where gains pass 2^32 themselves."""
    lists = [[r] * n for r in range(25, 34) for n in (1, 2, 40, 0)]
    labels, offsets = flat(lists, "B")
    begins = array("q", [*range(0, len(lists), 3), len(lists)])
    batch = SessionBatch(labels, offsets, sessions=begins)
    for gain in ("exp2", [(1 << r) - (r == 32) for r in range(36)], [r + 0.5 for r in range(36)]):
        assert_equal(values, [make(metric, k, gain=gain) for k in (2, 5, None)], batch)


DISCOUNTED = [
    pytest.param(metric, name, id=f"{metric.name}-{name}")
    for metric in IN_CORE
    for name in ("discount", "query_discount")
    if name in metric.parameters
]


@pytest.mark.parametrize(("metric", "table"), DISCOUNTED)
@pytest.mark.spec("RS-NUM-22/L1", "RS-NUM-24/L1")
def test_what_vanishes_beside_the_first_rank(metric, table):
    """Where the core knows nothing of a number but that it is small, it is not 0."""
    labels, offsets = flat([[0, 1], [0, 2, 1], [0, 3]], "q")
    batch = SessionBatch(
        labels, offsets, None, array("q", [4, 4]), array("q", [0, 2]), sessions=array("q", [0, 3])
    )
    weights = {table: [1, 2.0**-200, 2.0**-201]}
    numbers = metric.parameters["over"].words if "over" in metric.parameters else ()
    others = [{}, *({"over": which} for which in numbers)]
    measures = [make(metric, k, **weights, **chosen) for k in (2, 3) for chosen in others]
    assert_equal(values, measures, batch)
    if metric in WITH_VECTORS:
        assert_equal(vectors, measures[0], batch)


@pytest.mark.spec("RS-NUM-22/L1")
def test_a_product_of_exact_tables_that_is_cut():
    """Both tables are exact, and yet something is lost, which is not nothing."""
    chosen = {"discount": "none", "query_discount": [1, 2.0**-95]}
    batch = SessionBatch(array("q", [0, 1]), array("q", [0, 1, 2]), sessions=array("q", [0, 2]))
    assert values([make(OF["sDCG"], **chosen)], batch)[0].tolist() == [2.0**-95]


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("name", ["sDCG", "nsDCG", "IsDCG", "avg_sDCG", "query_nDCG"])
@pytest.mark.parametrize("padding", ["X", 0, 1 << 20])
@pytest.mark.spec("RS-NUM-22", "RS-NUM-24")
def test_long_sessions(name, padding):
    rng = random.Random(1)
    lists = [[rng.randint(0, 200) for _ in range(rng.randint(0, 40))] for _ in range(60)]
    labels, offsets = flat(lists, "B")
    batch = SessionBatch(labels, offsets, sessions=array("q", [0, 60]))
    chosen = {"padding": padding} if "padding" in OF[name].parameters else {}
    assert_equal(values, [make(OF[name], k, **chosen) for k in (10, None)], batch)


@pytest.mark.spec("RS-SES-13", "RS-NUM-24")
def test_an_average_over_many_ranks():
    """Of 1, 2, 3, ... times 200: a sum that does not fit, which is seen."""
    n = 20_001
    batch = SessionBatch(array("B", [200]) * n, array("q", [0, n]), sessions=array("q", [0, 1]))
    measure = make(OF["avg_sDCG"], discount="none", query_discount="none")
    assert values([measure], batch)[0].tolist() == [200 * (n + 1) / 2]


@pytest.mark.spec("RS-SES-13", "RS-NUM-24")
def test_a_padding_beyond_all_lists():
    """Ranks without results count in an average."""
    k = MOST_RANKS // 3
    expected = Fraction(3 * (3 * k - 1) + 1 * (2 * k), 3 * k)
    chosen = {"discount": "none", "query_discount": "none"}
    batch = SessionBatch(
        array("q", [0, 3, 1]), array("q", [0, 2, 3, 3]), sessions=array("q", [0, 3])
    )
    assert values([make(OF["avg_sDCG"], k, **chosen)], batch)[0].tolist() == [
        expected.numerator / expected.denominator
    ]


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.spec("RS-SES-4")
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("padding", ["X", 1 << 70])
@pytest.mark.parametrize("name", ["avg_sDCG", "avg_nsDCG"])
def test_as_many_ranks_as_are_gone_through(name, padding, backend):
    """The second session has two queries, and so the ranks of both: 2 X of them."""
    batch = SessionBatch(
        array("q", [1, 1, 0]),
        array("q", [0, 1, 2, 3]),
        sessions=array("q", [0, 1, 3]),
        pool=array("q", [1, 1]),
        pool_offsets=array("q", [0, 1, 2]),
    )
    plain = {"discount": "none", "query_discount": "none"}
    k = MOST_RANKS // 2
    (found,) = values([make(OF[name], k, padding=padding, **plain)], batch, backend)
    assert found.tolist() == [1.0, {"avg_sDCG": 1.0, "avg_nsDCG": 0.75}[name]]
    for K in (k + 1, 2 * k):
        said = f"X: session 1 would have {2 * K} ranks; at most 1000000 are supported"
        measure = make(OF[name], K, padding=padding, **plain)
        ideal = make(OF["IsDCG"], K, padding=padding, **plain)
        with pytest.raises(InputError, match=said):
            values([measure], batch, backend)
        for of in (measure, ideal):
            with pytest.raises(InputError, match=said):
                vectors(of, batch, backend)
        without = make(OF[name], K, padding=0, **plain)
        assert len(values([without], batch, backend)[0]) == 2
        assert list(vectors(without, batch, backend)[1]) == [0, 1, 3]
        assert values([ideal], batch, backend)[0].tolist() == [1.0, 2.0]


@pytest.mark.spec("RS-SES-25")
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("padding", ["X", 1 << 50])
def test_sums_of_discounts_that_cancel(padding, backend):
    """Of as many ranks in the list as in the ideal one: they are not gone through."""
    batch = SessionBatch(array("q", [0, 1]), array("q", [0, 2]), sessions=array("q", [0, 1]))
    measure = make(OF["query_nDCG"], 1 << 60, padding=padding, dcg="mean", discount="zipf")
    assert values([measure], batch, backend)[0].tolist() == [0.5]


@EVERY_METRIC
def test_threads_change_nothing(monkeypatch, metric):
    batch = random_sessions(random.Random(8), 300, GRADES)
    measures = [make(metric, k) for k in (2, 5, None)]
    alone = [column.tolist() for column in values(measures, batch)]
    vector = [x.tolist() for x in vectors(measures[1], batch)] if metric in WITH_VECTORS else None
    monkeypatch.setattr(binding, "LABELS_A_THREAD", 1)
    monkeypatch.setenv("RANKSPEC_THREADS", "3")
    assert [column.tolist() for column in values(measures, batch)] == alone
    if metric in WITH_VECTORS:
        assert [x.tolist() for x in vectors(measures[1], batch)] == vector


# ---- the definitions, with fractions ---------------------------------------------------------


def discounts(choice: Any) -> Any:
    return {"none": lambda _: Fraction(1), "zipf": lambda i: Fraction(1, i)}.get(
        choice if isinstance(choice, str) else "", lambda i: Fraction(choice[i - 1])
    )


class Defined:
    """A session by the definitions of jarvelin-2008 as they are read in the spec."""

    def __init__(self, m: Measure, queries: Any, pool: Any, given_by: dict[str, Any]) -> None:
        """queries: of each the (document, label) of its results; pool: labels, or None."""
        self.d = discounts(given_by.get("discount", "zipf"))
        self.D = discounts(given_by.get("query_discount", "zipf"))
        labels = {document: label for results in queries for document, label in results}
        self.J = sorted(labels.values() if pool is None else pool, reverse=True)
        longest = max(map(len, queries), default=0)
        self.X = m.k or (max(longest, len(self.J)) if m.metric.pool else longest)
        c = given_by.get("padding", "X")
        self.L = [self.X if c == "X" else min(self.X, max(len(x), c)) for x in queries]
        seen: set[Any] = set()
        self.G: list[list[Fraction]] = []
        for results in queries:
            self.G.append([])
            for document, label in results[: self.X]:
                again = given_by.get("repeats") == 0 and document in seen
                self.G[-1].append(Fraction(0 if again else label))
                seen.add(document)
        self.ideal = self.ideal_session(given_by.get("ideal", "repeated"))

    def ideal_session(self, which: str) -> list[list[Fraction]]:
        J = [Fraction(x) for x in self.J]
        if which == "repeated":
            return [J[:n] for n in self.L]
        if which == "spread":
            ends = [0, *accumulate(self.L)]
            return [J[begin:end] for begin, end in pairwise(ends)]
        places = [(q, i) for q, n in enumerate(self.L) for i in range(min(n, len(J)))]
        places.sort(key=lambda at: -self.D(at[0] + 1) * self.d(at[1] + 1))
        rows = [[Fraction(0)] * n for n in self.L]
        for (q, i), gain in zip(places, J, strict=False):
            rows[q][i] = gain
        return rows

    def vector(self, rows: list[list[Fraction]]) -> list[Fraction]:
        padded = [
            [*row, *[Fraction(0)] * (n - len(row))] for row, n in zip(rows, self.L, strict=True)
        ]
        return list(
            accumulate(
                self.D(q) * self.d(i) * x
                for q, row in enumerate(padded, 1)
                for i, x in enumerate(row, 1)
            )
        )

    def of_query(self, q: int) -> Fraction:
        return sum((self.d(i) * x for i, x in enumerate(self.G[q], 1)), Fraction(0))

    def over(self, which: str, x: list[Fraction]) -> Fraction:
        if which in ("mean", "non-last"):
            taken = x if which == "mean" else x[:-1]
            return sum(taken) / len(taken) if taken else Fraction(0)
        if not x:
            return Fraction(0)
        return {"sum": sum(x), "best": max(x), "worst": min(x), "first": x[0], "last": x[-1]}[which]

    def value(self, name: str, over: str) -> Fraction:
        V, I = self.vector(self.G), self.vector(self.ideal)  # noqa: E741
        total, best = (x[-1] if x else Fraction(0) for x in (V, I))
        normed = [v / i if i else Fraction(0) for v, i in zip(V, I, strict=True)]
        m = len(self.G)
        if name == "query_nDCG":
            below = [self.ideal_of_query(n) for n in self.L]
            return self.over(over, [self.of_query(q) / b if b else b for q, b in enumerate(below)])
        if name == "query_sDCG":
            return self.over(over, [self.D(q + 1) * self.of_query(q) for q in range(m)])
        return {
            "sDCG": total,
            "IsDCG": best,
            "nsDCG": total / best if best else best,
            "sDCG_q": total / m if m else total,
            "avg_sDCG": sum(V, Fraction(0)) / (len(V) or 1),
            "avg_nsDCG": sum(normed, Fraction(0)) / (len(V) or 1),
        }[name]

    def ideal_of_query(self, n: int) -> Fraction:
        return sum((self.d(i) * x for i, x in enumerate(self.J[:n], 1)), Fraction(0))


@pytest.mark.slow(but=2)
@pytest.mark.long(but=15)
@EVERY_METRIC
@pytest.mark.parametrize("seed", range(4))
@SES
def test_against_the_definitions(monkeypatch, metric, seed):
    """The core alone, where it decides."""
    rng = random.Random(seed)
    weights = sorted((rng.randint(0, 64) / 64 for _ in range(SMALL_DEPTH)), reverse=True)
    decided = 0
    numbers = metric.parameters["over"].words if "over" in metric.parameters else [""]
    for _ in range(150):
        own = {
            "discount": rng.choice(["zipf", "none", weights]),
            "query_discount": rng.choice(["zipf", "none", weights]),
            "repeats": rng.choice([0, 1]),
            "padding": rng.choice(["X", 0, 2, 5]),
            "ideal": rng.choice(["repeated", "spread", "greatest"]),
            "over": rng.choice(numbers),
        }
        own = {name: x for name, x in own.items() if name in metric.parameters}
        if metric.name == "avg_nsDCG" and own["ideal"] == "greatest":
            continue
        labels = rng.choice([GRADES, LARGE])
        of_document = [rng.choice(labels) for _ in range(9)]
        queries = [
            [(a, of_document[a]) for a in rng.choices(range(9), k=rng.randint(0, 6))]
            for _ in range(rng.randint(0, 4))
        ]
        pool = rng.choice([None, rng.choices(labels, k=rng.randint(0, 12))])
        measures = [make(metric, k, **own) for k in (rng.randint(1, 4), rng.randint(5, 9), None)]
        batch = batch_of(queries, pool)
        for m, (found,) in zip(measures, by_core(monkeypatch, measures, batch), strict=True):
            expected = Defined(m, queries, pool, own).value(metric.name, own.get("over", ""))
            if not isnan(found):
                assert found == expected.numerator / expected.denominator, (m, queries, pool)
                decided += 1
    assert decided > 250


def batch_of(queries: Any, pool: Any) -> SessionBatch:
    labels, offsets = flat([[label for _, label in results] for results in queries], "q")
    documents = array("q", [document for results in queries for document, _ in results])
    return SessionBatch(
        labels,
        offsets,
        None,
        None if pool is None else array("q", pool),
        None if pool is None else array("q", [0, len(pool)]),
        sessions=array("q", [0, len(queries)]),
        documents=documents,
    )


@EVERY_VECTOR
@SES
def test_vectors_against_the_definitions(metric):
    rng = random.Random(11)
    for _ in range(60):
        own = {"discount": "zipf", "query_discount": "zipf"}
        own |= {"padding": rng.choice(["X", 0, 4])} if "padding" in metric.parameters else {}
        own |= {"repeats": rng.choice([0, 1])} if "repeats" in metric.parameters else {}
        own |= {"ideal": rng.choice(["repeated", "spread"])} if "ideal" in metric.parameters else {}
        of_document = [rng.choice(GRADES) for _ in range(9)]
        queries = [
            [(a, of_document[a]) for a in rng.choices(range(9), k=rng.randint(0, 6))]
            for _ in range(rng.randint(0, 4))
        ]
        measure = make(metric, rng.choice([None, 3, 7]), **own)
        defined = Defined(measure, queries, None, own)
        V, I = defined.vector(defined.G), defined.vector(defined.ideal)  # noqa: E741
        if metric.name == "query_sDCG":
            expected = [
                y
                for q, row in enumerate(defined.G, 1)
                for y in accumulate(defined.D(q) * defined.d(i) * x for i, x in enumerate(row, 1))
            ]
        elif metric.name == "avg_nsDCG":
            expected = [v / i if i else Fraction(0) for v, i in zip(V, I, strict=True)]
        else:
            expected = I if metric.name == "IsDCG" else V
        found, _ = vectors(measure, batch_of(queries, None))
        assert found.tolist() == [x.numerator / x.denominator for x in expected]


# ---- what is given ---------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.spec("RS-SES-22")
def test_what_is_refused(backend):
    """The same words from both backends; of several faults the same one."""
    lists = [[0, 1], [7], [2, 6]]
    labels, offsets = flat(lists, "q")
    batch = SessionBatch(
        labels, offsets, None, array("q", [1, 9, 8]), array("q", [0, 1, 3]),
        sessions=array("q", [0, 2, 3]),
    )  # fmt: skip
    refused = {
        make(OF["nsDCG"], gain=[0, 1, 2]): "labels: 7 at session 0, query 2, rank 1: the gain",
        make(OF["IsDCG"], gain=range(8)): "judged: 9 at session 1, position 0: the gain",
        make(OF["sDCG"], query_discount=[1]): "query_discount: weights for 1 queries are given",
        make(OF["sDCG"], discount=[1]): "discount: weights for 1 ranks are given",
        make(OF["sDCG"], repeats=0): 'ids: there are none; repeats other than "every"',
    }
    for measure, words in refused.items():
        with pytest.raises(InputError) as error:
            values([measure], batch, backend)
        assert str(error.value).startswith(words)
    short = SessionBatch(labels, offsets, None, labels, offsets, sessions=batch.sessions)
    for offsets_of_queries in ([0, 2, 1, 5], [1, 2, 3, 5], [0, 2, 3, 4]):
        wrong = SessionBatch(labels, array("q", offsets_of_queries), sessions=batch.sessions)
        with pytest.raises(InputError, match="offset"):
            values([make(OF["sDCG"])], wrong, backend)
    for begins in ([0, 2, 1, 3], [1, 3], [0, 4], [0, 2]):
        wrong = SessionBatch(labels, offsets, sessions=array("q", begins))
        with pytest.raises(InputError, match="sessions"):
            values([make(OF["sDCG"])], wrong, backend)
    if backend == "c":
        with pytest.raises(InputError, match="3 pools for 2 sessions"):
            values([make(OF["nsDCG"])], short, backend)


@EVERY_METRIC
@given(batch=sessions("grades"), k=CUTOFFS)
def test_refused_labels(metric, batch, k):
    """The first that a gain does not know: in the lists, or else in the pools."""
    measure = make(metric, k, gain=[0, 1, 2])
    assert_equal(values, [measure], batch)
    if metric in WITH_VECTORS:
        assert_equal(vectors, measure, batch)


@given(data=st.data(), kind=st.sampled_from(["grades", "doubles", "int64"]))
@pytest.mark.spec("RS-SES-22")
def test_documents_with_two_labels(data, kind):
    """The core finds what the comparison in Python finds."""
    strategy, forms = LABELS[kind]
    some = data.draw(st.lists(strategy, min_size=1, max_size=3))
    if forms.endswith("d") and kind != "grades":
        some.append(nan)
    lists = data.draw(st.lists(st.lists(st.sampled_from(some), max_size=4), max_size=8))
    labels, offsets = flat(lists, "q" if kind != "doubles" else "d")
    n = len(labels)
    documents = data.draw(st.lists(st.integers(-3, 9), min_size=n, max_size=n))
    half = data.draw(st.integers(0, len(lists)))
    batch = SessionBatch(
        labels,
        offsets,
        sessions=array("q", [0, half, len(lists)]),
        documents=array("q", documents),
    )
    assert computing.contradiction(batch) == session_inputs._contradiction_without_core(batch)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint64])
@pytest.mark.spec("RS-SES-22")
def test_documents_as_arrays(dtype):
    """Whole numbers in the shape of the labels are taken as they are; others are numbered."""
    rng = np.random.default_rng(4)
    ids = rng.integers(0, 6, size=(5, 3, 4)).astype(dtype)
    labels = rng.integers(0, 5, size=6)[ids.astype(int)]
    chosen = {"repeats": "first", "k": [2, 4]}
    expected = rs.nsdcg(labels.tolist(), ids=ids.tolist(), **chosen).tolist()
    assert rs.nsdcg(labels, ids=ids, **chosen).tolist() == expected
    where = {"offsets": np.arange(16) * 4, "sessions": np.arange(6) * 3}
    assert rs.nsdcg(labels.ravel(), ids=ids.ravel(), **where, **chosen).tolist() == expected
    assert rs.nsdcg(labels, ids=ids.astype(str), **chosen).tolist() == expected
    labels[2, 0, 1] += 1
    if (ids[2] == ids[2, 0, 1]).sum() > 1:
        with pytest.raises(InputError, match="ids: the document at session 2, query"):
            rs.nsdcg(labels, ids=ids, **chosen)


# ---- sessions of many queries ------------------------------------------------------------------

EVERY_IDEAL = pytest.mark.parametrize("ideal", ["repeated", "spread", "greatest"])


@EVERY_IDEAL
@pytest.mark.parametrize("label", [1, 1 << 40])
@pytest.mark.spec("RS-NUM-22", "RS-NUM-23")
def test_a_session_of_many_queries_stays_in_the_core(monkeypatch, ideal, label):
    """The ideal session may have far more than 2^30 ranks that show items of the pool."""
    monkeypatch.setattr(computing, "value_by_reference", lambda *_: nan)
    m = 20_000
    undiscounted = {"discount": "none", "query_discount": "none", "ideal": ideal}
    value = rs.nsdcg([[0, label, 2 * label]] * m, **undiscounted)
    assert value == (1 / m if ideal == "repeated" else 1.0)


@EVERY_IDEAL
@pytest.mark.spec("RS-NUM-22", "RS-NUM-23")
def test_sessions_of_many_queries_by_core_and_reference(ideal):
    rng = random.Random(ideal)
    for m in (1, 7, 60):
        lists = [[rng.choice((0, 0, 1, 2)) for _ in range(rng.randrange(4))] for _ in range(m)]
        for padding in ("X", 0, 2):
            for query_discount in ("zipf", "jarvelin-2008(b=2)", "jarvelin-2008(b=4)"):
                chosen = {"ideal": ideal, "padding": padding, "query_discount": query_discount}
                expected = rs.isdcg(lists, **chosen, backend="reference")
                assert rs.isdcg(lists, **chosen) == expected


class Counted:
    """A function that counts its calls."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *x: Any) -> Any:
        self.calls += 1
        return self.function(*x)


@pytest.mark.spec("RS-SES-7/L1", "RS-SES-9", "RS-SES-15")
def test_the_reference_reads_ranks_and_queries_once():
    """The work grows with |J| + m, not with their product."""
    n, m = 300, 200
    J, L = [2, 1, 0] * (n // 3), [n] * m
    g, d, D = (Counted(f) for f in (Fraction, lambda i: Fraction(1, i), lambda q: Fraction(1, q)))
    reference.repeated_isdcg(J, L, g, d, D)
    assert (g.calls, d.calls, D.calls) == (n, n, m)
    reference.ndcg_of_queries([[g(1)]] * m, J, L, g, d)
    assert d.calls <= 2 * n + m

    def counted(of_rank: Counted) -> Any:
        return lambda R: lambda i: R.exact(of_rank(i))

    d, D = Counted(d.function), Counted(D.function)
    arranged = reference.greatest_ideal(J, L, counted(d), counted(D))
    assert sum(map(len, arranged)) == n
    assert d.calls < 40 * (n + m)
