"""The words of choices are those of rankspec's conventions, and former words are read."""

from __future__ import annotations

from rankspec.analysis.identify.choices import BY_NAME, DEFAULTS, FORMER
from rankspec.analysis.identify.definition import plain
from rankspec.analysis.identify.hypotheses import cores
from rankspec.analysis.identify.inputs import Input
from rankspec.evaluation.conventions import convention
from tests.each import each
from tests.identify.test_definitions import core_named


@each(
    ("choice", "values", "spec"),
    [
        ("fractions", ("truncate", "floor", "from-1"), "RS-CONV-39"),
        ("negative", ("kept",), "RS-CONV-15"),
        ("output", ("float32", "5 decimals"), "RS-CONV-40"),
    ],
)
def test_what_rankspec_has_is_not_outside(choice, values, spec):
    assert {BY_NAME[choice].spec_of(x) for x in values} == {spec}


@each("name", ["fractions", "negative"])
def test_the_meaning_is_in_the_words_of_the_convention(name):
    choice = BY_NAME[name]
    known = convention(choice.convention).values
    for value in set(FORMER[name].values()):
        assert choice.values[value] == known[value]


@each(("name", "values"), FORMER.items())
def test_former_words_are_read(name, values):
    ndcg = plain(core_named("nDCG"))
    for former, now in values.items():
        assert ndcg.with_({name: former}) == ndcg.with_({name: now})
    assert set(DEFAULTS) >= set(FORMER)


@each(("how", "seen"), [("truncate", [2, 0, 0]), ("floor", [2, 0, 0]), ("from-1", [2.5, 0, 0])])
def test_fractions(how, seen):
    given = Input((2.5, 0.5, 0), k=None)
    ndcg = plain(core_named("nDCG"))
    assert ndcg.with_({"fractions": how}).predict(given) == ndcg.predict(Input(tuple(seen)))


def test_err_that_stops_by_the_label_is_a_candidate():
    assert "ERR(stop='label')" in [core.name for core in cores()]
