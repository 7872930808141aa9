"""The ranges that ``rankspec check`` prints, against all orders and judgments, one by one."""

from __future__ import annotations

import io
import random
from fractions import Fraction
from itertools import groupby, permutations, product

import pytest

from rankspec import evaluate
from rankspec.analysis.check.report import check
from tests.conventions import convention_values

U = None  # a document without a judgment
OPTIONS = {
    "ties": convention_values("ties"),
    "scores": convention_values("scores"),
    "unjudged": convention_values("unjudged", "lowest", "highest"),
    "negative": convention_values("negative", "kept"),
    "undefined": convention_values("undefined", "omit-query", "nan", "error"),
    "queries": convention_values("queries"),
    "depth": [None, None, 1, 2, 3],
    "pool": convention_values("pool"),
    "gain": [None, "exp2", [1, 1, 3], [0, 2, 2]],
    "discount": [None, "zipf", [3, 1, 1, 0, 0, 0]],
    "rel": [None, 2],
    "relevance": ["label", "label", *convention_values("relevance")],
    "top": [1, 2, 10],
}
SCORES = [3.0, 2.0, 2.0 - 2**-30, 1.0]  # the second and third are one 32-bit float


def drawn(chance):
    """Options, qrels and a run; in it one query at least has a judgment."""
    options = {name: chance.choice(values) for name, values in OPTIONS.items()}
    if options["relevance"] != "label":
        options |= {"gain": None, "rel": None}
    qrels, run = {}, {}
    for query in "pqr"[: chance.choice([1, 2, 3])]:
        labels = {d: chance.choice([U, U, -1, 0, 0, 1, 2]) for d in "abcd"}
        qrels[query] = {d: label for d, label in labels.items() if label is not U}
        documents = chance.sample("abcd", chance.choice([1, 2, 3]))
        run[query] = {d: chance.choice(SCORES) for d in documents}
    qrels["p"]["e"] = chance.choice([0, 1, 2])
    if chance.random() < 0.3:
        qrels["only here"] = {"a": chance.choice([0, 1])}
    if chance.random() < 0.3:
        run["only there"] = {"a": 2.0, "b": 2.0}
    return options, {q: own for q, own in qrels.items() if own}, run


def as_file(table, line):
    rows = [(q, d, x) for q, own in table.items() for d, x in own.items()]
    return io.StringIO("".join(line.format(q.replace(" ", "-"), d, repr(x)) for q, d, x in rows))


def checked(qrels, run, options):
    files = as_file(qrels, "{} 0 {} {}\n"), as_file(run, "{} Q0 {} 1 {} t\n")
    return check(*files, **options)


def compared(score, options):
    """A score as it is compared: the third of SCORES is rounded to the second."""
    return 2.0 if options["scores"] == "float32" and score == SCORES[2] else score


def in_each_order(documents, options):
    """The documents with scores that keep them in an order, for each that equal scores leave."""
    scored = {d: compared(x, options) for d, x in documents.items()}
    falling = sorted(scored, key=lambda d: -scored[d])
    groups = [list(group) for _, group in groupby(falling, key=scored.__getitem__)]
    for chosen in product(*map(permutations, groups)):
        order = [d for group in chosen for d in group]
        yield {d: float(-rank) for rank, d in enumerate(order)}


def in_each_judgment(documents, judged, highest, options):
    """The judgments of a query, with each of the labels for its unjudged documents."""
    by_rule = order_without_labels(documents, options)
    shown = by_rule[: options["depth"]]
    known = {
        d: label for d, label in judged.items() if label >= 0 or options["negative"] != "unjudged"
    }
    open_ = [d for d in shown if d not in known]
    for labels in product(range(highest + 1), repeat=len(open_)):
        yield known | dict(zip(open_, labels, strict=True))


def order_without_labels(documents, options):
    """The documents in the order of a rule that no label enters."""
    rule = options["ties"] if options["ties"] in ("id-ascending", "input") else "id-descending"
    order = list(documents)
    if rule != "input":
        order.sort(reverse=rule == "id-descending")
    return sorted(order, key=lambda d: -compared(documents[d], options))


def means(worlds, names, evaluated, **options):
    """{measure: the means of all combinations of a world for each query}.

    worlds: {query: the judgments and scores of each of its worlds}
    """
    judged = {f"{q}/{a}": own for q in evaluated for a, (own, _) in enumerate(worlds[q])}
    run = {f"{q}/{a}": own for q in evaluated for a, (_, own) in enumerate(worlds[q])}
    values = evaluate(judged, run, names, **options).per_query
    found = {}
    for name in names:
        of_query = [
            {values[name].get(f"{q}/{a}") for a in range(len(worlds[q]))} for q in evaluated
        ]
        found[name] = set()
        for together in product(*of_query):
            known = [Fraction(x) for x in together if x is not None]
            if known:
                found[name].add(float(sum(known) / len(known)))
    return found


def assert_exact(qrels, run, options, counts):
    where = f"{options}: {run} against {qrels}"
    report = checked(qrels, run, options)
    both = [q for q in qrels if q in run]
    evaluated = {"qrels": list(qrels), "run": list(run)}.get(options["queries"], both)
    rules = {x: y for x, y in options.items() if x not in ("top", "ties", "queries", "unjudged")}
    rules |= {"queries": "qrels", "negative": options["negative"].replace("error", "zero")}
    for because in ("ties", "unjudged"):
        moves = [move for move in report.moves if move.because == because]
        if not moves:
            continue
        counts[because] += 1
        names = [move.measure for move in moves]
        if because == "ties":
            worlds = {
                q: [(qrels.get(q, {}), x) for x in in_each_order(run.get(q, {}), options)]
                for q in evaluated
            }
            # A query is one of the qrels here; one without judgments has no label.
            every = means(worlds, names, evaluated, unjudged=options["unjudged"], **rules)
        else:
            highest = max(1, *(x for own in qrels.values() for x in own.values()))
            rule = {"ties": options["ties"]}
            if options["ties"] not in ("id-ascending", "input"):
                rule = {"ties": "id-descending"}
            worlds = {
                q: [
                    (judged, run.get(q, {}))
                    for judged in in_each_judgment(
                        run.get(q, {}), qrels.get(q, {}), highest, options
                    )
                ]
                for q in evaluated
            }
            every = means(worlds, names, evaluated, **rules, **rule)
        for move in moves:
            found = every[move.measure]
            assert (move.lowest, move.highest) == (min(found), max(found)), f"{move} {where}"
            if move.among and move.now is not None and "expected" not in move.rule:
                assert move.now in found, f"{move} {where}"
            if move.now is not None and not move.among:
                assert "which is none of these" in str(move)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.spec("RS-CONV-14", "RS-TIE-2/L2", "RS-CONV-16", "RS-CONV-17")
def test_every_range_is_exact(seed):
    chance = random.Random(seed)
    counts = {"ties": 0, "unjudged": 0}
    for _ in range(60):
        options, qrels, run = drawn(chance)
        assert_exact(qrels, run, options, counts)
    assert min(counts.values()) > 10, counts
