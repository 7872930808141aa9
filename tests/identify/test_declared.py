"""What adapters declare is never asked, and what cannot be declared is refused."""

from __future__ import annotations

import pytest

from rankspec import InputError, identify
from rankspec.analysis.identify import probes
from rankspec.analysis.identify.forms import FORMS
from rankspec.analysis.identify.inputs import domain, input_of
from tests.each import each
from tests.identify.boxes import ndcg

LIMITS = {
    "cutoff": "required",
    "cutoffs": (2, 5),
    "k_within": True,
    "binary": True,
    "integers": True,
    "negative": False,
    "max_label": 2,
    "ties": False,
    "min_length": 2,
    "max_length": 6,
    "needs_relevant": True,
    "float_labels": True,
}


def questions(of):
    yield from probes.ordinary(of)
    yield from probes.mixed(of, 50, 1)
    for group in (probes.beyond, probes.tied, probes.fractions, probes.negative, probes.nothing):
        yield from group(of)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-2")
@each("form", FORMS)
@each(("name", "x"), LIMITS.items(), ids=str)
def test_what_is_declared_is_not_asked(form, name, x):
    of = domain(FORMS[form].domain, {name: x})
    asked = list(questions(of))
    assert len(asked) > 20
    assert all(map(of.takes, asked))


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-2")
def test_a_function_declares_for_itself():
    def box(labels, scores, k):
        assert k is not None
        return ndcg(labels, scores, k)

    box.declared = {"cutoff": "required", "min_length": 1}
    found = identify(box)
    assert found.declared == {"cutoff": "required", "min_length": 1}
    assert all(step.input.k is not None and step.input.labels for step in found.asked.steps)


@pytest.mark.spec("RS-IDF-2")
@each(
    ("declared", "words"),
    [
        ({"cutof": "never"}, 'unknown limit "cutof" (did you mean "cutoff"?)'),
        ({"cutoff": "often"}, 'expected one of "optional", "required", "never"'),
        ({"binary": 1}, "binary: 1 cannot be declared"),
        ({"max_label": -1}, "max_label: -1 cannot be declared"),
    ],
)
def test_what_cannot_be_declared(declared, words):
    with pytest.raises(InputError) as error:
        identify(ndcg, **declared)
    assert words in str(error.value)


def test_what_is_no_function_or_form():
    with pytest.raises(InputError, match=r"^fn: expected a function, got 3$"):
        identify(3)
    with pytest.raises(InputError, match=r"unknown form .*; expected one of scores, lists, trec"):
        identify(ndcg, form="files")
    with pytest.raises(InputError, match=r"^timeout: expected a number of seconds, got 0$"):
        identify(ndcg, timeout=0)


def test_an_input_is_plain_data_and_back():
    for x in probes.mixed(FORMS["trec"].domain, 50, 3):
        assert input_of(x.as_dict()) == x
    with pytest.raises(InputError, match=r'unknown part "label" \(did you mean "labels"\?\)$'):
        input_of({"label": [1]})


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-2")
@each(
    "declared",
    [
        {"max_length": 0},
        {"min_length": 5, "max_length": 4},
        {"min_length": 2000, "max_length": 3000},
        {"max_label": 0},
        {"max_label": 0, "needs_relevant": True},
        {"cutoff": "required", "cutoffs": []},
        {"cutoff": "required", "cutoffs": [9], "k_within": True, "max_length": 4},
    ],
    ids=str,
)
def test_what_contradicts_itself_is_refused(declared):
    with pytest.raises(InputError):
        identify(ndcg, **declared)
