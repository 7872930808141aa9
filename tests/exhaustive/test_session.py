"""All small sessions, by the definitions of tests/laws/sessions.py in exact fractions.

A session is one of up to three queries with up to three results each, four in all, and documents
that come again in every way; each document has each of the labels 0, 1 and 2. The discounts are
rational there: weights, and logarithms of powers of their base.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, perm

import pytest

from rankspec.api.session_inputs import SessionInput
from rankspec.compute.backends import values, vectors
from rankspec.compute.batch import SessionBatch
from rankspec.metrics.catalogue import SESSION_METRICS
from rankspec.reference import session as reference

from ..laws.rankings import double
from ..laws.sessions import OVER, By, Case, discount, mean, over

pytestmark = pytest.mark.slow(but=1)

QUERIES, RESULTS, IN_ALL = 3, 3, 4
GRADES = range(3)
EXTRA = [(), (0,), (1,), (2,), (2, 2)]  # judged, and not shown
LENGTHS = [
    n for m in range(QUERIES + 1) for n in product(range(RESULTS + 1), repeat=m) if sum(n) <= IN_ALL
]

DISCOUNTS = [
    ("zipf", "none"),
    ("none", "zipf"),
    ([1, 0.5, 0.25], [1, 0.75, 0.75]),
    ([3, 1, 0], [2, 2, 0]),
    ([1, 1, 0.5], "zipf"),
]
OF_THE_PAPER = [  # rational at the ranks 1 and 2, and for as many queries
    ("jarvelin-2008(b=2)", "jarvelin-2008(b=4)"),
    ("jarvelin-2008(b=4)", "jarvelin-2008(b=2)"),
]
CHOICES = [
    {"k": k, "repeats": repeats, "padding": padding}
    for k in (1, 2, 3)
    for repeats in (1, 0, 0.5)
    for padding in ("X", 0, 2)
]


def shown(n):
    """Every way in which documents fill lists of these lengths, numbered as they come."""

    def filled(lists, left, known):
        if not left:
            yield tuple(map(tuple, lists))
        elif len(lists[-1]) == left[0]:
            yield from filled([*lists, []] if len(left) > 1 else lists, left[1:], known)
        else:
            for x in range(known + 1):
                if x not in lists[-1]:
                    yield from filled([*lists[:-1], [*lists[-1], x]], left, max(known, x + 1))

    return filled([[]], list(n), 0) if n else iter([()])


@cache
def sessions():
    """(the documents of each query, the label of each document), all of them."""
    return [
        (queries, label)
        for n in LENGTHS
        for queries in shown(n)
        for label in product(GRADES, repeat=len({x for ranked in queries for x in ranked}))
    ]


def cases(discounts, choices, some=sessions):
    """Each session with one of the choices, of discounts and of more of the pool, in turn."""
    for turn, (queries, label) in enumerate(some()):
        d, D = discounts[turn % len(discounts)]
        extra = EXTRA[turn // 7 % len(EXTRA)]
        yield Case(
            queries,
            label,
            judged=(*label, *extra),
            gain=("linear", "exp2", [1, 1, 5])[turn // 3 % 3],
            discount=d,
            query_discount=D,
            ideal=("repeated", "spread", "greatest")[turn // 2 % 3],
            **choices[turn % len(choices)],
        )


@cache
def every_case():
    return [*cases(DISCOUNTS, CHOICES)]


def two_by_two():
    """Those of up to two queries of up to two results."""
    return [(q, label) for q, label in sessions() if max(len(q), *map(len, q), 0) <= 2]


@cache
def cases_of_the_paper():
    return [*cases(OF_THE_PAPER, [{**x, "k": min(x["k"], 2)} for x in CHOICES], two_by_two)]


def by_choices(cases):
    """{a measure's parameters: the cases that have them}"""
    found = {}
    for case in cases:
        key = repr((case.k, case.gain, case.discount, case.query_discount))
        key += repr((case.repeats, case.padding, case.ideal))
        found.setdefault(key, []).append(case)
    return found.values()


def batch_of(cases):
    flat = {"labels": [], "offsets": [0], "sessions": [0], "ids": [], "judged": []}
    pools = [0]
    for case in cases:
        for labels, ids in zip(case.labels, case.ids, strict=True):
            flat["labels"] += labels
            flat["ids"] += ids
            flat["offsets"].append(len(flat["labels"]))
        flat["sessions"].append(len(flat["offsets"]) - 1)
        flat["judged"] += case.judged
        pools.append(len(flat["judged"]))
    batch = SessionInput(**flat, judged_offsets=pools).batch
    assert isinstance(batch, SessionBatch)
    return batch


EXACT = {
    "sdcg": lambda x: x.sdcg,
    "isdcg": lambda x: x.isdcg,
    "nsdcg": lambda x: x.nsdcg,
    "sdcg_q": lambda x: x.sdcg / len(x.case.queries) if x.case.queries else Fraction(0),
    "avg_sdcg": lambda x: mean(x.sdcg_vector),
    "avg_nsdcg": lambda x: mean(x.nsdcg_vector),
}
METRICS = {metric.function: metric for metric in SESSION_METRICS}
VECTORS = {
    "avg_sdcg": lambda x: x.sdcg_vector,
    "isdcg": lambda x: x.isdcg_vector,
    "avg_nsdcg": lambda x: x.nsdcg_vector,
    "query_sdcg": lambda x: [v for V in x.query_sdcg_vectors for v in V],
}


def measure(function, case, **more):
    metric = METRICS[function]
    names = [name for name in metric.parameters if name not in ("dcg", "over")]
    return metric(k=case.k, **{name: getattr(case, name) for name in names}, **more)


def how_many(lengths, known=0):
    """Sessions with lists of these lengths; of a query i of n results have been shown before."""
    if not lengths:
        return 3**known
    n, *left = lengths
    return sum(comb(n, i) * perm(known, i) * how_many(left, known + n - i) for i in range(n + 1))


def test_how_many_sessions_there_are():
    found = sessions()
    assert len(found) == len(set(found)) == sum(map(how_many, LENGTHS)) > 3000
    assert how_many((1, 1)) == 3 + 9  # the same document, or another one
    assert len(every_case()) == len(found)
    again = [q for q, _ in found if len({x for row in q for x in row}) < sum(map(len, q))]
    assert len(again) > 500


@pytest.mark.slow
@pytest.mark.long(but=6)
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("function", EXACT)
@pytest.mark.spec("RS-SES-6", "RS-SES-10", "RS-SES-11", "RS-SES-12", "RS-SES-13")
def test_every_session_has_the_nearest_double(backend, function):
    seen = 0
    for group in by_choices([*every_case()[:: STRIDE[backend]], *cases_of_the_paper()]):
        found = values([measure(function, group[0])], batch_of(group), backend)[0]
        exact = [EXACT[function](By(case)) for case in group]
        assert all(isinstance(x, Fraction) for x in exact)
        assert found.tolist() == list(map(double, exact))
        seen += len(group)
    assert seen > 1000


@pytest.mark.slow
@pytest.mark.long(but=7)
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("which", OVER)
@pytest.mark.spec("RS-SES-14", "RS-SES-15", "RS-SES-16")
def test_every_number_of_queries(backend, which):
    for group in by_choices(every_case()[:: 2 * STRIDE[backend]]):
        batch = batch_of(group)
        for function in ("query_sdcg", "query_ndcg"):
            found = values([measure(function, group[0], over=which)], batch, backend)[0]
            exact = [getattr(By(case), function) for case in group]
            assert found.tolist() == [over(x, which) for x in exact]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("function", VECTORS)
@pytest.mark.spec("RS-SES-3", "RS-SES-5", "RS-SES-10", "RS-SES-17")
def test_every_vector(backend, function):
    for group in by_choices([*every_case()[:: 2 * STRIDE[backend]], *cases_of_the_paper()]):
        flat, offsets = vectors(measure(function, group[0]), batch_of(group), backend)
        exact = [list(map(double, VECTORS[function](By(case)))) for case in group]
        assert flat.tolist() == [x for V in exact for x in V]
        assert offsets[-1] == len(flat)


STRIDE = {"c": 1, "reference": 4}


def worth(arranged, weight):
    """The sum of an arrangement by the weights of its places; a label is its own gain."""
    return sum(
        (
            weight[q, i] * r
            for q, row in enumerate(arranged, start=1)
            for i, r in enumerate(row, start=1)
            if r is not None
        ),
        Fraction(0),
    )


def read(choice):
    """A discount as the reference takes it where it compares weights."""
    return lambda R: lambda i: R.exact(discount(choice)(i))


@pytest.mark.spec("RS-SES-7/L1", "RS-SES-9", "RS-SES-9/L1", "RS-SES-10/L1")
@pytest.mark.slow
def test_the_greatest_of_all_placements():
    """All pools of up to four items, at up to four places of up to three queries."""
    differ = set()
    for L, (d, D) in product([n for n in LENGTHS if n], DISCOUNTS):
        places = [(q, i) for q, n in enumerate(L, start=1) for i in range(1, n + 1)]
        weight = {(q, i): discount(D)(q) * discount(d)(i) for q, i in places}
        for J in (J for n in range(5) for J in combinations_with_replacement(GRADES, n)):
            most = min(len(J), len(places))  # of gains of which none is negative
            greatest = max(
                sum((weight[x] * r for x, r in zip(spots, items, strict=True)), Fraction(0))
                for spots in combinations(places, most)
                for items in set(permutations(J, most))
            )
            assert worth(reference.greatest_ideal(J, L, read(d), read(D)), weight) == greatest
            spread = worth(reference.spread_ideal(J, L), weight)
            repeated = worth(reference.repeated_ideal(J, L), weight)
            factors = (lambda r: r), discount(d), discount(D)
            assert reference.repeated_isdcg(J, L, *factors) == repeated  # the same, by RS-SES-7/L1
            assert spread <= greatest <= repeated
            differ |= {("spread", spread < greatest), ("repeated", greatest < repeated)}
    assert len(differ) == 4  # controls: the other two are not the maximum
