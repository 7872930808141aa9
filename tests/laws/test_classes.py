"""The gap of a query and its classes: by enumeration in fractions, and the laws."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.reference import numerics
from rankspec.reference import query_types as reference

from .broken import using
from .law import law

Query = tuple[list[int], list[list[int]]]
"""The labels of a pool, and the order in which each system has its items."""

SYSTEMS = 2


@st.composite
def worlds(draw: Any) -> list[Query]:
    """One to six queries, of one to four items each, by two systems."""
    world = []
    for _ in range(draw(st.integers(1, 6))):
        labels = draw(st.lists(st.integers(0, 2), min_size=1, max_size=4))
        orders = [draw(st.permutations(range(len(labels)))) for _ in range(SYSTEMS)]
        world.append((labels, orders))
    return world


def as_files(world: Sequence[Query]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    qrels = {
        f"q{q}": {f"d{a}": r for a, r in enumerate(labels)} for q, (labels, _) in numbered(world)
    }
    runs = [
        {
            f"q{q}": {f"d{a}": -rank for rank, a in enumerate(orders[t])}
            for q, (_, orders) in numbered(world)
        }
        for t in range(SYSTEMS)
    ]
    return qrels, runs


def numbered(world: Sequence[Query]) -> list[tuple[int, Query]]:
    return list(enumerate(world))


def rr(labels: Sequence[int], k: int) -> Fraction:
    return next((Fraction(1, i) for i, r in enumerate(labels[:k], 1) if r >= 1), Fraction(0))


def precision(labels: Sequence[int], k: int) -> Fraction:
    return Fraction(sum(r >= 1 for r in labels[:k]), k)


def ap(labels: Sequence[int], k: int) -> Fraction:
    relevant = sum(r >= 1 for r in labels)
    hits = [Fraction(sum(r >= 1 for r in labels[:i]), i) for i in range(1, len(labels) + 1)]
    total = sum(p for p, r in zip(hits[:k], labels, strict=False) if r >= 1)
    return Fraction(total) / relevant if relevant else Fraction(0)


METRICS: dict[str, Callable[[Sequence[int], int], Fraction]] = {"RR": rr, "P": precision, "AP": ap}


def nearest(x: Fraction) -> float:
    return x.numerator / x.denominator


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def shown(values: Sequence[Fraction]) -> Fraction:
    """The exact mean of the doubles nearest to the values."""
    return mean([Fraction(nearest(x)) for x in values])


def shown_gap(real: Sequence[Fraction], expected: Sequence[Fraction]) -> float:
    """By the doubles, or, where half a unit of each leaves its sign open, by the numbers."""
    of_doubles = shown(real) - shown(expected)
    off = sum(mean([Fraction(math.ulp(nearest(x))) for x in own]) / 2 for own in (real, expected))
    return nearest(of_doubles if abs(of_doubles) > off else mean(real) - mean(expected))


def enumerated(
    query: Query, name: str, cutoffs: Sequence[int]
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Expected, real and bound of a query at each cut-off, by all orders of its pool."""
    labels, orders = query
    metric = METRICS[name]
    every = [[metric(x, k) for x in permutations(labels)] for k in cutoffs]
    return (
        [Fraction(sum(values), len(values)) for values in every],
        [metric([labels[a] for a in order], k) for order in orders for k in cutoffs],
        [max(values) for values in every],
    )


def chosen(gaps: Sequence[Fraction], n: int) -> set[int]:
    """The first n of the smallest, of equal ones the first."""
    left = list(range(len(gaps)))
    found = set()
    for _ in range(n):
        best = min(gaps[q] for q in left)
        q = next(q for q in left if gaps[q] == best)
        left.remove(q)
        found.add(q)
    return found


HOW = st.fixed_dictionaries(
    {
        "top": st.integers(1, 6),
        "gap": st.sampled_from(["signed", "absolute"]),
        "hard": st.sampled_from([0, Fraction(1, 3), 0.5]),
        "easy": st.sampled_from([0.5, Fraction(2, 3), 1]),
    }
)


def swapped(f: Any) -> Any:
    """Takes the other gap."""
    other = {"signed": "absolute", "absolute": "signed"}
    return lambda *a, gap, **b: f(*a, gap=other[gap], **b)


@pytest.mark.spec("RS-BND-12", "RS-BND-13")
@law(
    classify=swapped,
    world=worlds(),
    name=st.sampled_from(list(METRICS)),
    cutoffs=st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True),
    how=HOW,
)
def test_by_enumeration(
    api: Any, world: list[Query], name: str, cutoffs: list[int], how: dict[str, Any]
) -> None:
    how = {**how, "top": min(how["top"], len(world))}
    qrels, runs = as_files(world)
    found = api.classify(qrels, runs, [f"{name}@{k}" for k in cutoffs], **how)
    numbers = [enumerated(query, name, cutoffs) for query in world]
    means = [tuple(map(mean, of_query)) for of_query in numbers]
    gaps = [real - expected for expected, real, _ in means]
    ideal = chosen([-gap for gap in gaps], how["top"])
    uninformative = chosen(
        [abs(gap) for gap in gaps] if how["gap"] == "absolute" else gaps, how["top"]
    )
    assert len(found.queries) == len(world)
    for q, x in enumerate(found.queries):
        expected, real, bound = means[q]
        assert x.query == f"q{q}"
        assert (x.expected, x.real, x.bound) == tuple(map(nearest, map(shown, numbers[q])))
        assert x.gap == shown_gap(numbers[q][1], numbers[q][0])
        low, high = Fraction(how["hard"]) * bound, Fraction(how["easy"]) * bound
        belongs = {
            "informative": q not in uninformative and gaps[q] > 0,
            "ideal": q in ideal,
            "uninformative": q in uninformative,
            "hard": q in uninformative and real <= low and expected <= low,
            "easy": q in uninformative and bound > 0 and high <= real and high <= expected,
        }
        assert x.classes == tuple(name for name, does in belongs.items() if does)


@pytest.mark.spec("RS-BND-12")
@law(
    classify_letor=lambda f: lambda *a, features, **b: f(*a, features=features[:1], **b),
    world=worlds(),
    group=st.booleans(),
)
def test_a_letor_file_is_runs(api: Any, world: list[Query], group: bool) -> None:
    """The same gaps and classes, whichever file says it."""
    rows = [
        (labels[a], q, [-order.index(a) for order in orders])
        for q, (labels, orders) in enumerate(world)
        for a in range(len(labels))
    ]
    qid = "" if group else "qid:q{} "
    text = "".join(
        f"{label} {qid.format(q)}" + f"1:{first} 2:{second}\n" for label, q, (first, second) in rows
    )
    sizes = io.BytesIO("\n".join(str(len(labels)) for labels, _ in world).encode())
    measures = ["nDCG@1", "nDCG@3"]
    found = api.classify_letor(
        io.BytesIO(text.encode()),
        measures,
        features=[1, 2],
        group=sizes if group else None,
        top=1,
    )
    expected = rs.classify(*as_files(world), measures, top=1)
    numbers = [(x.expected, x.real, x.bound, x.gap, x.classes) for x in expected.queries]
    assert [(x.expected, x.real, x.bound, x.gap, x.classes) for x in found.queries] == numbers


@pytest.mark.spec("RS-BND-12/L1")
@law(
    classify=lambda f: lambda qrels, runs, *a, **b: f(qrels, [{}, *runs], *a, **b),
    n=st.integers(1, 5),
    label=st.integers(0, 2),
    measure=st.sampled_from(["nDCG@2", "AP@3", "RR", "ERR(max=2)@3", "DCG"]),
)
def test_nothing_to_gain(api: Any, n: int, label: int, measure: str) -> None:
    qrels = {"q": {str(a): label for a in range(n)}}
    run = {"q": {str(a): a for a in range(n)}}
    assert api.classify(qrels, [run], [measure], top=1).queries[0].gap == 0


@pytest.mark.spec("RS-BND-12/L1")
def test_unjudged_items_above_those_of_the_pool_open_a_gap() -> None:
    """The list shows all of the pool, and something else: L1 is not about it."""
    for n in (1, 2, 3):
        qrels = {"q": {str(a): 1 for a in range(n)}}
        for others in range(4):
            run = {"q": {str(a): float(-a) for a in range(n)} | dict.fromkeys("xyz"[:others], 9.0)}
            for measure, least in (("nDCG@2", 2), ("AP", 1), ("RR", 1), ("ERR(max=2)@3", 1)):
                gap = rs.classify(qrels, [run], [measure], top=1).queries[0].gap
                assert (gap == 0) == (others == 0), (measure, n, others)
                if measure == "nDCG@2" and others >= least:
                    assert gap == -1


@pytest.mark.spec("RS-BND-12/L2")
@law(
    classify=using(ties="best"),
    labels=st.lists(st.integers(0, 2), min_size=1, max_size=6),
    measure=st.sampled_from(["nDCG@2", "AP@3", "RR", "P@4", "DCG"]),
)
def test_random_systems(api: Any, labels: list[int], measure: str) -> None:
    qrels = {"q": {str(a): label for a, label in enumerate(labels)}}
    run = {"q": {str(a): 1.5 for a in range(len(labels))}}
    assert api.classify(qrels, [run], [measure], top=1, ties="expected").queries[0].gap == 0


def bounded_by_chance(f: Any) -> Any:
    """Takes the expected value for the bound."""

    def broken(*a: Any, **b: Any) -> Any:
        found = f(*a, **b)
        queries = tuple(replace(x, bound=x.expected) for x in found.queries)
        return replace(found, queries=queries)

    return broken


@pytest.mark.spec("RS-BND-12/L3")
@law(
    classify=bounded_by_chance,
    world=worlds(),
    measure=st.sampled_from(["nDCG@2", "AP@3", "RR", "P@1", "DCG@2"]),
)
def test_range(api: Any, world: list[Query], measure: str) -> None:
    qrels, runs = as_files(world)
    for x, (labels, _) in zip(
        api.classify(qrels, runs, [measure], top=1).queries, world, strict=True
    ):
        assert -x.expected <= x.gap
        assert x.real <= x.bound
        assert x.bound > 0 or not any(labels)


@pytest.mark.slow
@pytest.mark.spec("RS-BND-12", "RS-BND-13", "RS-NUM-25")
def test_the_rounding_of_values_makes_no_class() -> None:
    """All orders of a pool, as systems, have its expected value on average: the gap is 0."""
    pools = {"a": [1, 0, 0], "b": [2, 1, 0], "c": [1, 1, 0], "d": [0, 0, 0], "e": [2, 2, 2]}
    qrels = {q: {str(a): x for a, x in enumerate(pool)} for q, pool in pools.items()}
    runs = [
        {q: {str(a): -rank for rank, a in enumerate(order)} for q in pools}
        for order in permutations(range(3))
    ]
    rounded = set()
    for metric in ("nDCG(discount='log(b=3)')", "nDCG", "AP", "DCG", "RR", "ERR(max=2)"):
        for cutoffs in ((1, 2, 3), (1, 3), (2,), (2, 3)):
            names = [f"{metric}@{k}" for k in cutoffs]
            found = rs.classify(qrels, runs, names, top=2)
            assert found.of("informative") == [], names
            assert found.of("ideal") == found.of("uninformative") == ["a", "b"], names
            assert {x.gap for x in found.queries} == {0.0}, names
            rounded |= {x.query for x in found.queries if x.real != x.expected}
    assert rounded >= {"a", "b"}  # the doubles alone would tell them apart


@pytest.mark.spec("RS-NUM-25", "RS-NUM-25/L1", "RS-NUM-25/L2")
def test_sums_of_real_numbers_have_a_sign() -> None:
    """Also where the doubles do not show it, or two numbers are one."""

    def summand(x: Any) -> numerics.Summand:
        return numerics.Summand(numerics.nearest_double_of(x), x)

    third = summand(lambda R: R.exact(1) / 3)
    log = summand(lambda R: 1 / R.log(3, 2))
    same = summand(lambda R: (1 / R.log(3, 2)) * 7 / 7)
    near = summand(lambda R: 1 / R.log(3, 2) + Fraction(1, 10**60))
    for terms, sign in (
        ({third: 3}, 1),
        ({third: Fraction(3, 2), log: 1, same: -1}, 1),
        ({log: 1, same: -1}, 0),
        ({near: 1, same: -1}, 1),
        ({same: 1, near: -1}, -1),
        ({near: 2, log: -1, same: -1}, 1),
        ({}, 0),
    ):
        near_by = sum(Fraction(x.double) * c for x, c in terms.items())
        off = sum(Fraction(math.ulp(x.double)) * abs(c) for x, c in terms.items()) / 2
        found = numerics.RealSum(Fraction(near_by), Fraction(off), lambda terms=terms: dict(terms))
        assert found.sign == sign
        assert (-found).sign == -sign
        assert (found - found).sign == 0
        assert (found * Fraction(1, 3)).sign == sign
    tiny = numerics.RealSum(
        Fraction(0), Fraction(1), lambda: {near: Fraction(1), log: Fraction(-1)}
    )
    assert tiny.double == 1e-60


GAPS = st.lists(
    st.builds(
        lambda A, E, IUB: reference.Means(Fraction(A, 6), Fraction(E, 6), Fraction(IUB, 6)),
        *[st.integers(0, 6)] * 3,
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.spec("RS-BND-13/L1", "RS-BND-13/L2", "RS-BND-13/L3")
@pytest.mark.parametrize("by", ["signed", "absolute"])
def test_sizes_order_and_parts(by: str) -> None:
    """Of each class; the control has one query less in the sets than it says."""

    def check(of: Callable[..., list[tuple[str, ...]]], queries: list[Any], n: int) -> None:
        n = min(n, len(queries))
        found = of(queries, n, by, Fraction(1, 3), Fraction(2, 3))
        gap = [x.gap for x in queries]
        size = [abs(x) for x in gap] if by == "absolute" else gap
        ideal = [q for q, own in enumerate(found) if "ideal" in own]
        uninformative = [q for q, own in enumerate(found) if "uninformative" in own]
        assert len(ideal) == len(uninformative) == n
        others = [q for q in range(len(queries)) if q not in ideal]
        assert all(gap[q] >= gap[p] for q in ideal for p in others)
        others = [q for q in range(len(queries)) if q not in uninformative]
        assert all(size[q] <= size[p] for q in uninformative for p in others)
        for q, own in enumerate(found):
            assert ({"hard", "easy"} & set(own) == set()) or q in uninformative
            assert not {"hard", "easy"} <= set(own)
            assert "informative" not in own or q not in uninformative

    given(queries=GAPS, n=st.integers(1, 4))(
        lambda queries, n: check(reference.classes, queries, n)
    )()
    with pytest.raises(AssertionError):
        check(
            lambda queries, n, *how: reference.classes(queries, n - 1, *how),
            [reference.Means(Fraction(1), Fraction(0), Fraction(1))],
            1,
        )


ONE = {"q": {"a": 1, "b": 0}}
RUN = {"q": {"a": 2.0, "b": 1.0}}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no parameter": (
        {"measure": "AP"},
        r'^unknown parameter "measure" \(did you mean "measures"\?\); expected one of '
        "measures, top, ",
    ),
    "no convention": ({"tie": "input"}, r'^unknown parameter "tie" \(did you mean "ties"\?\)'),
    "two metrics": ({"measures": ["AP", "P@5"]}, r'^measures: "AP" and "P@5" differ in more than'),
    "two thresholds": ({"measures": ["AP", "AP(rel=2)@5"]}, r"^measures: .* differ in more than"),
    "none": ({"measures": []}, r"^measures: expected at least one, .* got none$"),
    "a bound": ({"measures": ["UL2(AP)"]}, r"^RLB: UL2\(AP\) is itself a bound"),
    "no runs": ({"runs": []}, r"^runs: expected at least one, got none$"),
    "a run for runs": ({"runs": RUN}, r"^runs: expected a list of runs, got \{"),
    "a path for runs": ({"runs": "a.run"}, r"^runs: expected a list of runs, got 'a\.run'$"),
    "top 0": ({"top": 0}, r"^top: expected a whole number from 1 on, got 0 "),
    "a top of 2.0": ({"top": 2.0}, r"^top: expected a whole number from 1 on, got 2\.0 "),
    "top above all": (
        {"top": 2},
        r"^top: expected at most 1, the number of queries with a gap, got 2 ",
    ),
    "no such gap": (
        {"gap": "absolut"},
        r'^gap: unknown rule "absolut" \(did you mean "absolute"\?\)',
    ),
    "hard above easy": ({"hard": 0.75}, r"^hard: 3/4 is above easy, 2/3"),
    "a word": ({"easy": "high"}, r"^easy is 'high'; it must be a finite number"),
    "pools": ({"pool": "retrieved"}, r'^pool: with "retrieved" each run has its own pool'),
    "unjudged": ({"unjudged": "lowest"}, r'^measure "RLB\(nDCG@5\)": its lowest value over all'),
    "one": ({"undefined": "one"}, r'^undefined: with "one" a query without an ideal'),
    "other queries": (
        {"runs": [RUN, {"q": {"a": 1.0}, "p": {"a": 2.5}}], "queries": "run"},
        r'^queries: with "run" the runs have different queries',
    ),
}


@pytest.mark.spec("RS-BND-12", "RS-BND-13")
@pytest.mark.parametrize(("how", "message"), BAD.values(), ids=BAD)
def test_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.classify(**{"qrels": ONE, "runs": [RUN], **how})


def test_parameters_of_letor_files() -> None:
    """Of one feature, as evaluate_letor() takes it, say."""
    message = r'^unknown parameter "feature" \(did you mean "features"\?\)'
    with pytest.raises(rs.InputError, match=message):
        rs.classify_letor(io.BytesIO(b"1 qid:1 1:2\n"), feature=[1])


def test_a_query_without_a_value_has_no_gap() -> None:
    qrels = {"q": {"a": 1, "b": 0}, "none": {"a": 0}}
    found = rs.classify(qrels, [RUN], top=1, undefined="omit")
    assert [x.query for x in found.queries] == ["q"]
    assert [x.query for x in rs.classify(qrels, [RUN], top=1).queries] == ["q", "none"]


def test_the_default_is_a_tenth_of_the_queries() -> None:
    for queries, top in ((1, 1), (10, 1), (11, 2), (40, 4)):
        qrels = {str(q): {"a": 1} for q in range(queries)}
        assert rs.classify(qrels, [{}]).top == top


def test_of_a_class() -> None:
    found = rs.classify(ONE, [RUN])
    assert found.of("ideal") == ["q"]
    with pytest.raises(rs.InputError, match=r'unknown class "hrad" \(did you mean "hard"\?\)'):
        found.of("hrad")
