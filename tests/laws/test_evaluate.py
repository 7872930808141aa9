"""The conventions of evaluate (RS-CONV-7 to 10), on random qrels and runs."""

from __future__ import annotations

import io
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.metrics import grammar
from rankspec.metrics.measure import Ranking, value
from rankspec.reference.numerics import nearest_double_of
from rankspec.reference.ties import order, tie_groups
from tests.conventions import convention_values

from .qrels_and_runs import (
    DOCUMENTS,
    MEASURES,
    RULES,
    Table,
    as_files,
    file_of,
    qrels_tables,
    rows_of,
    rules,
    run_tables,
)


def values_of(qrels: Any, run: Any, ties: str) -> tuple[dict[str, Any], dict[str, float]]:
    result = evaluate(qrels, run, MEASURES, ties=ties)
    return result.per_query, result.mean


def shuffled(table: Table, seed: int) -> Table:
    generator = random.Random(seed)
    queries = generator.sample(list(table), len(table))
    return {q: dict(generator.sample(list(table[q].items()), len(table[q]))) for q in queries}


@pytest.mark.spec("RS-CONV-7", "RS-CONV-8", "RS-CONV-9", "RS-TIE-2")
@given(qrels_tables, run_tables, rules)
def test_evaluate_is_the_reference_of_each_query(qrels: Table, run: Table, rule: str) -> None:
    result = evaluate(qrels, run, MEASURES, ties=rule)
    for query, judged in qrels.items():
        counted = {d: max(label, 0) for d, label in judged.items()}
        scored = run.get(query, {})
        scores, ids = list(scored.values()), [d.encode("utf-8", "surrogateescape") for d in scored]
        labels = [counted.get(d, 0) for d in scored]
        if rule == "expected":
            groups = [[labels[a] for a in group] for group in tie_groups(scores)]
        else:
            groups = [[labels[a]] for a in order(scores, labels, ids, rule)]
        ranking = Ranking(groups, list(counted.values()))
        for name in MEASURES:
            (measure,) = grammar.measures(name)
            expected = nearest_double_of(lambda R, m=measure, x=ranking: value(m, x, R))
            assert result.per_query[name][query] == expected


@pytest.mark.spec("RS-CONV-7")
@given(
    qrels_tables,
    run_tables,
    st.sampled_from(convention_values("ties", "input")),
    st.integers(),
)
def test_the_order_of_lines_and_the_ranks_do_not_matter(
    qrels: Table, run: Table, rule: str, seed: int
) -> None:
    columns = "{query} Q0 {document} 0 {number!r} tag"
    expected = values_of(qrels, run, rule)
    per_query, mean = values_of(qrels, file_of(rows_of(run), columns, seed), rule)
    assert (per_query, mean) == expected
    judged = file_of(rows_of(qrels), "{query} 0 {document} {number}", seed)
    assert values_of(judged, shuffled(run, seed), rule) == expected


@pytest.mark.spec("RS-CONV-7")
def test_control_with_ties_by_input_the_order_of_lines_matters() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    forth, back = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"b": 1.0, "a": 1.0}}
    assert evaluate(qrels, forth, "RR", ties="input")["RR"] == 1.0
    assert evaluate(qrels, back, "RR", ties="input")["RR"] == 0.5


@pytest.mark.spec("RS-CONV-7")
def test_ties_by_document_id_are_by_the_bytes_of_the_id() -> None:
    run = {"q": dict.fromkeys(DOCUMENTS, 0.0)}
    for position, document in enumerate(DOCUMENTS):
        qrels = {"q": {document: 1}}
        assert evaluate(qrels, run, "RR", ties="id-ascending")["RR"] == 1 / (position + 1)
        assert evaluate(qrels, run, "RR")["RR"] == 1 / (len(DOCUMENTS) - position)


@pytest.mark.spec("RS-CONV-8")
@given(qrels_tables, run_tables, rules)
def test_unjudged_and_negative_are_label_0(qrels: Table, run: Table, rule: str) -> None:
    judged_0 = {
        q: {**dict.fromkeys(run.get(q, {}), 0), **{d: max(x, 0) for d, x in documents.items()}}
        for q, documents in qrels.items()
    }
    assert values_of(judged_0, run, rule) == values_of(qrels, run, rule)


@pytest.mark.spec("RS-CONV-9")
@given(qrels_tables, run_tables, rules)
def test_a_missing_query_counts_0_and_an_unjudged_one_nothing(
    qrels: Table, run: Table, rule: str
) -> None:
    full = evaluate(qrels, run, MEASURES, ties=rule)
    query = next(iter(qrels))
    kept = {q: documents for q, documents in run.items() if q != query}
    missed = evaluate(qrels, kept, MEASURES, ties=rule)
    assert query in missed.missing
    assert missed.missing == tuple(q for q in qrels if q not in kept)
    for name in MEASURES:
        assert missed.per_query[name] == {**full.per_query[name], query: 0.0}
    more = {**run, "no query of the qrels": {"A": 1.0}}
    assert values_of(qrels, more, rule) == (full.per_query, full.mean)


@pytest.mark.spec("RS-CONV-9", "RS-NUM-5")
@given(qrels_tables, run_tables)
def test_the_mean_is_over_the_queries_of_the_qrels(qrels: Table, run: Table) -> None:
    result = evaluate(qrels, run, MEASURES)
    assert result.queries == tuple(qrels)
    for name, values in result.per_query.items():
        assert list(values) == list(qrels)
        exact = sum(map(Fraction, values.values()), Fraction(0)) / len(qrels)
        assert result.mean[name] == exact.numerator / exact.denominator


@pytest.mark.spec("RS-CONV-10")
@given(run_tables, st.data())
def test_a_second_line_of_a_pair_is_an_error_that_names_both(run: Table, data: Any) -> None:
    pairs = [(q, d) for q, documents in run.items() for d in documents]
    first = data.draw(st.integers(0, len(pairs) - 1))
    second = data.draw(st.integers(first + 1, len(pairs)))
    pairs.insert(second, pairs[first])
    lines = [f"{q} Q0 {d} 1 1 t\n".encode("utf-8", "surrogateescape") for q, d in pairs]
    with pytest.raises(InputError, match=rf":{second + 1}: .* already in line {first + 1}"):
        evaluate({"1": {"A": 1}}, io.BytesIO(b"".join(lines)), "AP")
    rows = [(q, d, 1) for q, d in pairs]
    with pytest.raises(InputError, match=rf"row {second}: .* already in row {first}"):
        evaluate({"1": {"A": 1}}, rows, "AP")
    with pytest.raises(InputError, match=rf"row {second}: .* already in row {first}"):
        evaluate(rows, {"1": {"A": 1}}, "AP")


@given(qrels_tables, run_tables, rules)
def test_all_kinds_of_input_give_the_same(qrels: Table, run: Table, rule: str) -> None:
    expected = values_of(qrels, run, rule)
    rows = rows_of(qrels), rows_of(run)
    assert values_of(*as_files(*rows), rule) == expected
    assert values_of(*rows, rule) == expected
    assert values_of(*map(iter, rows), rule) == expected


@given(qrels_tables, run_tables, rules)
def test_both_backends_give_the_same(qrels: Table, run: Table, rule: str) -> None:
    assert (
        evaluate(qrels, run, MEASURES, ties=rule).per_query
        == evaluate(qrels, run, MEASURES, ties=rule, backend="reference").per_query
    )


@pytest.mark.spec("RS-TIE-2", "RS-EXP-1")
@given(qrels_tables, run_tables)
def test_best_and_worst_enclose_every_other_rule(qrels: Table, run: Table) -> None:
    by_rule = {rule: evaluate(qrels, run, MEASURES, ties=rule).per_query for rule in RULES}
    assume(by_rule["best"] != by_rule["worst"])
    for rule in RULES:
        for name in MEASURES:
            for query, x in by_rule[rule][name].items():
                assert by_rule["worst"][name][query] <= x <= by_rule["best"][name][query]
