"""The lowest and the highest possible value (RS-CONV-14), on random qrels and runs.

tests/exhaustive/test_unjudged.py has the small ones, all of them.
"""

from __future__ import annotations

import random
from array import array
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec import InputError, evaluate
from rankspec.evaluation import extremes as unjudged
from rankspec.metrics import grammar
from rankspec.metrics.measure import Measure
from tests.conventions import convention_values

from ..each import each

Table = dict[str, dict[str, Any]]

NAMES = [
    "nDCG", "nDCG@2", "nDCG@4", "nDCG(gain='exp2')", "nDCG(discount='zipf')@3",
    "nDCG(gain='exp2', discount='log(b=3.5)')@5", "nDCG(discount='jarvelin-2002(b=3)')",
    "nDCG(gain='exp2', ideal='all')@3", "nDCG(ideal='all')@1",
    "AP", "AP@3", "AP(norm='min')@2", "AP(norm='k')@4", "AP(rel=2)", "R@3", "R(rel=2)@2",
    "P@3", "RR", "SP", "CG@2", "DCG", "DCG(gain='exp2')@3", "IDCG@3",
    "LDCG(gain='linear')@3", "LDCG(gain='linear', prior='uniform', Z='none')",
    "ERR@3", "ERR(stop=(0, 0.25, 0.25, 1))", "RBP", "RBP(p=0.5, rel=2)@3",
]  # fmt: skip
WEIGHTS = [9, 4, 4, 1.5, Fraction(1, 3), 0.25, 0.1, *[0] * 9]
MEASURES = [
    *(measure for name in NAMES for measure in grammar.measures(name)),
    *(grammar.make(grammar.metric("nDCG"), k, discount=WEIGHTS) for k in (3, None)),
]
BOTH = ("lowest", "highest")
DOCUMENTS = [f"d{i}" for i in range(7)]

whole = st.integers(0, 3)
fractions = st.sampled_from([0, 0.25, 0.5, 1, 1.0, 2.75, 3])
large = st.sampled_from([0, 1, 2, 300, 1000, 10**12])
labels_of_a_kind = st.sampled_from([whole, fractions, large])


def tables(numbers: st.SearchStrategy[Any]) -> st.SearchStrategy[Table]:
    documents = st.dictionaries(st.sampled_from([*DOCUMENTS, "x", "y", "z"]), numbers)
    return st.fixed_dictionaries({"q": documents, "p": documents})


qrels_tables = labels_of_a_kind.flatmap(tables)
scored = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), max_size=6)
runs = st.fixed_dictionaries({"q": scored, "p": scored})
conventions = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["id-descending", "id-ascending", "input"]),
        "pool": st.sampled_from(convention_values("pool")),
        "depth": st.sampled_from([None, None, 1, 3]),
        "undefined": st.sampled_from(["zero", "one", "omit"]),
    }
)


def fitting(qrels: Table) -> list[Measure]:
    """The measures that take all labels."""
    labels = [x for d in qrels.values() for x in d.values()]
    highest = max(labels, default=0)

    def fits(m: Measure) -> bool:
        if "stop" in m.metric.parameters:
            return highest <= 3 and all(isinstance(x, int) for x in labels)
        return highest <= 1023 or m.metric.binary or m.gain.kind != "exp2"

    return [m for m in MEASURES if fits(m)]


def shown(run: Table, query: str, ties: str, depth: int | None) -> list[str]:
    """The documents of the list, in rank order."""
    documents = list(run[query])
    if ties != "input":
        documents.sort(reverse=ties == "id-descending")
    return sorted(documents, key=lambda d: -run[query][d])[:depth]


def extremes(qrels: Table, run: Table, measures: Any, **chosen: Any) -> list[dict[str, Any]]:
    return [evaluate(qrels, run, measures, unjudged=u, **chosen).per_query for u in BOTH]


def among(qrels: Table) -> list[Any]:
    """All labels that a document may have; of the many fractions, some."""
    highest = max((x for d in qrels.values() for x in d.values()), default=0) or 1
    if all(isinstance(x, int) for d in qrels.values() for x in d.values()) and highest < 4:
        return list(range(highest + 1))
    judged = {x for d in qrels.values() for x in d.values()}
    return sorted({0, highest, Fraction(highest) / 3, Fraction(highest) * 2 / 3} | judged)


@pytest.mark.spec("RS-CONV-14/L1", "RS-CONV-14")
@given(qrels_tables, runs, conventions, st.data())
def test_any_judgment_lies_between(qrels: Table, run: Table, chosen: Any, data: Any) -> None:
    measures = fitting(qrels)
    lowest, highest = extremes(qrels, run, measures, **chosen)
    candidates = [float(x) for x in among(qrels)]
    if all(isinstance(x, int) for d in qrels.values() for x in d.values()):
        candidates = [int(x) for x in candidates]
    # The highest label is that of the qrels without the judgments that are added.
    judged = {q: dict(documents) for q, documents in qrels.items()}
    for query in run:
        for document in shown(run, query, chosen["ties"], chosen["depth"]):
            if document not in judged[query]:
                judged[query][document] = data.draw(st.sampled_from(candidates))
    values = evaluate(judged, run, measures, **chosen).per_query
    plain = evaluate(qrels, run, measures, **chosen).per_query
    for name in map(str, measures):
        for query, x in values[name].items():
            assert lowest[name][query] <= x <= highest[name][query]
        for query, x in plain[name].items():
            assert lowest[name][query] <= x <= highest[name][query]


@pytest.mark.spec("RS-CONV-14/L1", "RS-CONV-14/L4", "RS-CONV-14")
@given(qrels_tables, scored, conventions)
def test_some_judgment_attains_each(qrels: Table, scored: Any, chosen: Any) -> None:
    """With 0, L and the labels of the query's own judged documents alone."""
    documents = shown({"q": scored}, "q", chosen["ties"], chosen["depth"])
    open_ = [d for d in documents if d not in qrels["q"]]
    for document in open_[4:]:
        qrels["q"][document] = 0
    highest_label = max((x for d in qrels.values() for x in d.values()), default=0) or 1
    choices = sorted({0, highest_label, *qrels["q"].values()})
    measures = fitting(qrels)
    judged = {
        str(a): qrels["q"] | dict(zip(open_[:4], labels, strict=True))
        for a, labels in enumerate(product(choices, repeat=len(open_[:4])))
    }
    values = evaluate(judged, dict.fromkeys(judged, scored), measures, **chosen).per_query
    found = extremes(qrels, {"q": scored, "p": {}}, measures, **chosen)
    for extreme, per_query in zip((min, max), found, strict=True):
        for name in map(str, measures):
            expected = extreme(values[name].values(), default=None)
            assert per_query[name].get("q") == expected, (name, extreme)


@pytest.mark.spec("RS-CONV-14/L2")
@given(qrels_tables, runs, conventions, st.data())
def test_a_judgment_narrows(qrels: Table, run: Table, chosen: Any, data: Any) -> None:
    open_ = [
        (query, document)
        for query in run
        for document in shown(run, query, chosen["ties"], chosen["depth"])
        if document not in qrels[query]
    ]
    if not open_:
        return
    query, document = data.draw(st.sampled_from(open_))
    label = data.draw(st.sampled_from([x for x in among(qrels) if not isinstance(x, Fraction)]))
    measures = fitting(qrels)
    wide = extremes(qrels, run, measures, **chosen)
    qrels[query] = {**qrels[query], document: label}
    narrow = extremes(qrels, run, measures, **chosen)
    for name in map(str, measures):
        if query in narrow[0][name]:
            assert wide[0][name][query] <= narrow[0][name][query]
            assert narrow[1][name][query] <= wide[1][name][query]


@pytest.mark.spec("RS-CONV-14/L3")
@given(qrels_tables, conventions, st.randoms(use_true_random=False))
def test_where_all_is_judged_there_is_no_choice(qrels: Table, chosen: Any, random_: Any) -> None:
    run = {q: {d: random_.randrange(4) for d in documents} for q, documents in qrels.items()}
    measures = fitting(qrels)
    plain = evaluate(qrels, run, measures, **chosen).per_query
    assert extremes(qrels, run, measures, **chosen) == [plain, plain]


@pytest.mark.spec("RS-CONV-14")
@given(qrels_tables, runs, conventions)
def test_both_backends_agree(qrels: Table, run: Table, chosen: Any) -> None:
    measures = fitting(qrels)[::2]
    by_reference = extremes(qrels, run, measures, **chosen, backend="reference")
    assert extremes(qrels, run, measures, **chosen) == by_reference


@pytest.mark.spec("RS-CONV-14")
@pytest.mark.slow(but=1)
@pytest.mark.parametrize("bits", [2, 3, 7])
@given(qrels_tables, runs, conventions)
def test_as_few_bits_as_leave_most_bounds_open_give_the_same(
    bits: int, qrels: Table, run: Table, chosen: Any
) -> None:
    measures = [m for m in fitting(qrels) if m.metric.name == "nDCG"]
    expected = extremes(qrels, run, measures, **chosen)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unjudged, "first_bits", bits)
        unjudged._table.cache_clear()
        assert extremes(qrels, run, measures, **chosen) == expected
    unjudged._table.cache_clear()


@pytest.mark.spec("RS-CONV-14")
@pytest.mark.parametrize("label", [1e-40, 2.0**-300, 5e-324])
def test_gains_that_first_bits_round_to_0(label: float) -> None:
    """The first as relevant as any, the second not at all: their list is the uncut ideal."""
    qrels: Table = {"p": {"a": label}, "q": {}}
    run: Table = {"p": {}, "q": {"b": 2, "c": 1}}
    result = evaluate(qrels, run, "nDCG(gain='exp2', ideal='all')@1", unjudged="highest")
    assert list(result.per_query.values()) == [{"p": 0.0, "q": 1.0}]


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.spec("RS-CONV-14")
@pytest.mark.parametrize("bits", [3, 4, 5, 6])
def test_few_bits_and_longer_lists(bits: int) -> None:
    chance = random.Random(bits)
    qrels: Table = {"top": {"t": 3}}
    run: Table = {}
    for a in range(150):
        documents = [f"d{i}" for i in range(chance.randrange(5, 40))]
        shares = chance.random(), chance.random()
        qrels[str(a)] = {
            d: chance.choice([0, 1, 2, 3]) for d in documents if chance.random() < shares[0]
        } | {f"x{i}": chance.choice([1, 1, 2, 3]) for i in range(int(shares[1] * 12))}
        run[str(a)] = {d: -i for i, d in enumerate(documents)}
    measures = [m for m in fitting(qrels) if m.metric.name == "nDCG" and m.discount.kind == "log"]
    expected = extremes(qrels, run, measures)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unjudged, "first_bits", bits)
        unjudged._table.cache_clear()
        assert extremes(qrels, run, measures) == expected
    unjudged._table.cache_clear()
    for measure in measures:
        for query, highest in expected[1][str(measure)].items():
            labels = [qrels[query].get(d, 0) for d in run.get(query, {})]
            open_ = [i for i, d in enumerate(run.get(query, {})) if d not in qrels[query]]
            judged = array("B", sorted(qrels[query].values(), reverse=True))
            known = unjudged._PartlyJudged(array("B", labels), open_, judged)
            layered = unjudged._layered(measure, known, 3, bits)
            least = Fraction(highest) * (1 - Fraction(1, 1 << 53))
            assert layered is None or layered[0] >= least


@pytest.mark.spec("RS-CONV-14")
@given(qrels_tables, runs, conventions)
def test_candidates_may_be_evaluated_a_few_at_a_time(qrels: Table, run: Table, chosen: Any) -> None:
    measures = fitting(qrels)
    expected = extremes(qrels, run, measures, **chosen)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unjudged, "LABELS_AT_ONCE", 9)
        assert extremes(qrels, run, measures, **chosen) == expected


@pytest.mark.spec("RS-CONV-14")
@given(
    labels_of_a_kind.flatmap(
        lambda labels: st.tuples(st.lists(st.none() | labels, min_size=1), st.lists(labels))
    ),
    st.integers(2, 12),
)
def test_with_few_bits_the_bound_is_one_still(drawn: Any, bits: int) -> None:
    row, more = drawn
    judged = {"q": {f"d{i}": x for i, x in enumerate(row) if x is not None}}
    judged["q"] |= {f"x{i}": x for i, x in enumerate(more)}
    top = max(judged["q"].values(), default=0) or 1
    labels = [x or 0 for x in row]
    query = unjudged._PartlyJudged(
        array("d", labels),
        [i for i, x in enumerate(row) if x is None],
        array("d", sorted(judged["q"].values(), reverse=True)),
    )
    measures = [m for m in fitting(judged) if m.metric.name == "nDCG"]
    measures = [m for m in measures if m.discount.kind != "custom"]
    run = {"q": {f"d{i}": -i for i in range(len(row))}}
    highest = evaluate(judged, run, measures, unjudged="highest").per_query
    for measure in measures:
        try:
            layered = unjudged._layered(measure, query, top, bits)
        except unjudged._TooCoarse:  # an ideal above 0 is rounded to 0: more bits are taken
            continue
        least = Fraction(highest[str(measure)]["q"]) * (1 - Fraction(1, 1 << 53))
        assert layered is None or layered[0] >= least


# Cases, each worked out by hand


def both(measure: str, judged: dict[str, Any], retrieved: str, **chosen: Any) -> list[Any]:
    """The extremes of a query whose documents are retrieved in this order; other: label 2."""
    run = {"q": {document: -i for i, document in enumerate(retrieved)}}
    found = extremes({"q": judged, "other": {"o": 2}}, run, [measure], **chosen)
    return [next(iter(per_query.values())).get("q") for per_query in found]


@pytest.mark.spec("RS-CONV-14")
def test_the_highest_ndcg_may_need_a_label_in_the_middle() -> None:
    low, high = both("nDCG(discount='none')@2", {"a": 1, "b": 1}, "ax")
    assert (low, high) == (0.5, 1.0)
    low, high = both("nDCG(discount='zipf')", {"a": 1, "b": 1}, "ax")
    candidates = [
        Fraction(1) / Fraction(3, 2),  # 0
        (1 + Fraction(1, 2)) / (1 + Fraction(1, 2) + Fraction(1, 3)),  # 1
        (1 + Fraction(2, 2)) / (2 + Fraction(1, 2) + Fraction(1, 3)),  # 2
    ]
    assert max(candidates) == candidates[1] > max(candidates[0], candidates[2])
    assert (low, high) == (float(min(candidates)), float(candidates[1]))


@pytest.mark.spec("RS-CONV-14")
def test_what_counts_against_the_list_stands_below_the_cut_off() -> None:
    assert both("R@1", {"a": 1}, "axy") == [1 / 3, 1.0]
    assert both("AP@1", {"a": 1}, "axy") == [1 / 3, 1.0]
    assert both("AP", {"a": 1}, "xa") == [0.5, 1.0]
    assert both("nDCG(discount='zipf')@1", {"a": 1}, "ax") == [0.5, 1.0]
    assert both("P@2", {"a": 1}, "axy") == [0.5, 1.0]
    assert both("RR", {"a": 1}, "xya") == [1 / 3, 1.0]


@pytest.mark.spec("RS-CONV-14", "RS-CONV-4")
def test_each_judgment_is_undefined_or_not_by_itself() -> None:
    by_undefined = {
        "zero": [0.0, 1.0],  # none relevant; the first relevant
        "one": [0.0, 1.0],  # the second relevant; none, or the first
        "omit": [0.0, 1.0],
    }
    for undefined, expected in by_undefined.items():
        assert both("R@1", {"a": 0}, "xy", undefined=undefined) == expected
    assert both("R", {"a": 0}, "x", undefined="zero") == [0.0, 1.0]
    assert both("R", {"a": 0}, "x", undefined="one") == [1.0, 1.0]
    assert both("R", {"a": 0}, "x", undefined="omit") == [1.0, 1.0]
    assert both("nDCG", {"a": 0}, "x", undefined="omit") == [1.0, 1.0]
    assert both("nDCG", {"a": 0}, "a", undefined="omit") == [None, None]
    assert both("nDCG@1", {"a": 0}, "ax", undefined="omit") == [0.0, 0.0]
    assert both("AP@1", {"a": 0}, "ax", undefined="omit") == [0.0, 0.0]
    assert both("AP@1", {"a": 0}, "ax", undefined="one") == [0.0, 1.0]


@pytest.mark.spec("RS-CONV-14")
def test_the_labels_are_those_of_all_queries_and_at_least_1() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    assert evaluate(qrels, run, "CG", unjudged="highest")["CG"] == 2.0
    qrels["other"] = {"o": 10**9}
    assert evaluate(qrels, run, "CG", unjudged="highest").per_query["CG"]["q"] == 10**9 + 1
    assert evaluate({"q": {"a": 0}}, run, "CG", unjudged="highest")["CG"] == 1.0
    assert evaluate({"q": {"a": 0.25}}, run, "CG", unjudged="highest")["CG"] == 0.5
    with pytest.raises(InputError, match=r'^measure "CG.*": label 1, .*RS-CONV-14.*the labels 0 '):
        evaluate({"q": {"a": 0}}, run, "CG", gain=[0], unjudged="highest")


@pytest.mark.spec("RS-CONV-14", "RS-CONV-15")
def test_a_negative_label_may_count_as_none() -> None:
    qrels, run = {"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    chosen = {"unjudged": "highest", "negative": "unjudged"}
    assert evaluate(qrels, run, "RR", **chosen)["RR"] == 1.0
    assert evaluate(qrels, run, "RR", unjudged="highest")["RR"] == 0.5


@pytest.mark.spec("RS-CONV-14")
def test_custom_weights_must_reach_as_deep_as_the_judgments() -> None:
    with pytest.raises(InputError, match="weights for 2 ranks are given, but rank 3 needs one"):
        both("nDCG", {"a": 1, "b": 1}, "ax", discount=[2, 1])
    assert both("nDCG@2", {"a": 1, "b": 1}, "ax", discount=[2, 1]) == [2 / 3, 1.0]


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-14")
@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 2], [0, 1, 17, 10**9]])
def test_long_lists(labels: list[int]) -> None:
    """No judgment that a search by hill climbing or chance finds is beyond the extremes."""
    chance = random.Random(1)
    documents = [f"d{i}" for i in range(300)]
    judged = {d: chance.choice(labels) for d in documents if chance.random() < 0.5}
    judged |= {f"x{i}": chance.choice(labels) for i in range(200)}
    judged["top"] = max(labels)
    run = {"q": {d: -i for i, d in enumerate(documents)}}
    open_ = [d for d in documents if d not in judged]
    measures = [
        "nDCG",
        "nDCG@30",
        "nDCG(ideal='all')@30",
        "nDCG(discount='zipf')",
        "AP",
        "AP@50",
        "R@20",
    ]
    lowest, highest = extremes({"q": judged}, run, measures)
    worlds = {}
    for a in range(400):
        threshold, choice = chance.randrange(len(open_)), chance.choice(labels)
        above, below = chance.choice([(choice, 0), (0, choice), (choice, max(labels)), (-1, -1)])
        filled = [above] * threshold + [below] * (len(open_) - threshold)
        labelled = [x if x >= 0 else chance.choice(labels) for x in filled]
        worlds[str(a)] = judged | dict(zip(open_, labelled, strict=True))
    values = evaluate(worlds, dict.fromkeys(worlds, run["q"]), measures).per_query
    for name in measures:
        assert lowest[name]["q"] <= min(values[name].values())
        assert max(values[name].values()) <= highest[name]["q"]
        assert lowest[name]["q"] < highest[name]["q"]


@each(
    ("measure", "which"),
    [
        ("LNDCG", "highest"),
        *((f"{name}(ideal='eq7')@3", which) for name in ("LNDCG", "ILDCG") for which in BOTH),
        *((name, which) for name in ("nERR@3", "GAP", "RBP_residual") for which in BOTH),
    ],
)
@each("run", [{"q": {"a": 1.0}}, {}])
@pytest.mark.spec("RS-CONV-14")
def test_an_extreme_that_cannot_be_had_is_refused(measure, which, run):
    with pytest.raises(InputError, match=f"its {which} value over all judgments is not known"):
        evaluate({"q": {"b": 1}}, run, ["AP", measure], unjudged=which, queries="run")


# ---- how many judgments are evaluated --------------------------------------------------------

LOWEST_OR_HIGHEST = pytest.mark.parametrize("which", ["lowest", "highest"])
FEW_OF_MANY = [
    "nDCG", "nDCG@7", "nDCG(ideal='all')@7", "nDCG(discount='none')", "nDCG(gain='exp2')",
    "AP", "AP@7", "AP(norm='min')@7", "AP(norm='k')@7", "AP(rel=2)", "R", "R@7",
]  # fmt: skip


def partly_judged(n: int, labels: str, seed: int) -> tuple[Table, Table]:
    """A list of n documents of which a half is judged, beside judged ones that it lacks."""
    chance = random.Random(seed)
    draw = {
        "grades": lambda: chance.randrange(4),
        "distinct": lambda: chance.random() * 3,
        "zero": lambda: 0,
        "one": lambda: 1,
    }[labels]
    own = {f"d{i}": draw() for i in range(n) if chance.random() < 0.5}
    return {"q": own | {f"x{i}": 1 for i in range(n // 8)}}, {"q": {f"d{i}": -i for i in range(n)}}


@LOWEST_OR_HIGHEST
@pytest.mark.parametrize("labels", ["grades", "distinct", "zero", "one"])
@pytest.mark.spec("RS-CONV-14")
def test_of_many_judgments_few_are_evaluated(
    monkeypatch: pytest.MonkeyPatch, which: str, labels: str
) -> None:
    """So the cost does not grow with the square of the length."""
    evaluated: list[int] = []
    values = unjudged._values

    def counted(measure: Any, lists: Any, pools: Any, values_of: Any) -> Any:
        evaluated.append(len(lists))
        return values(measure, lists, pools, values_of)

    monkeypatch.setattr(unjudged, "_values", counted)
    qrels, run = partly_judged(300, labels, seed=1)
    for measure in FEW_OF_MANY:
        evaluated.clear()
        evaluate(qrels, run, measure, unjudged=which)
        assert sum(evaluated) <= 3, measure


@LOWEST_OR_HIGHEST
@pytest.mark.parametrize("labels", ["grades", "distinct", "zero", "one"])
@pytest.mark.parametrize("bits", [4, 96])
@pytest.mark.spec("RS-CONV-14")
def test_the_few_have_the_extreme_of_all_counts(which: str, labels: str, bits: int) -> None:
    """Against the evaluation of every count of documents that are raised."""
    for seed in range(3):
        qrels, run = partly_judged(40, labels, seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(unjudged, "_lowest_counts", lambda *x: x[3])
            patch.setattr(unjudged, "_extreme_counts_of_hits", lambda *x: x[3])
            every = evaluate(qrels, run, FEW_OF_MANY, unjudged=which).per_query
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(unjudged, "first_bits", bits)
            unjudged._table.cache_clear()
            assert evaluate(qrels, run, FEW_OF_MANY, unjudged=which).per_query == every
    unjudged._table.cache_clear()
