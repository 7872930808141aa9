"""What tables call the values of the choices of a definition."""

from __future__ import annotations

import pytest

from rankspec.analysis.identify.choices import CHOICES, Choice

LONGEST = 34


@pytest.mark.parametrize("choice", CHOICES, ids=lambda x: x.name)
def test_each_value_has_a_short_label_of_its_own(choice: Choice) -> None:
    labels = [choice.label_of(x) for x in choice.values]
    assert len(set(labels)) == len(labels)
    assert all(0 < len(x) <= LONGEST for x in labels)
    assert set(choice.labels) <= set(choice.values) | {"zero", "one", "nan", "omit", "crash"}


@pytest.mark.parametrize("choice", CHOICES, ids=lambda x: x.name)
def test_a_value_of_which_the_spec_has_no_word_has_a_label(choice: Choice) -> None:
    assert [x for x in choice.values if not choice.spec_of(x) and x not in choice.labels] == []


def test_a_value_without_a_label_is_called_by_the_word_of_the_spec_or_what_it_means() -> None:
    choice = Choice("a", "", {"x": "it is x", "y": "it is y", "z": ""}, "", {"x": "RS-A-1"},
                    {"z": "Z"})  # fmt: skip
    assert [choice.label_of(x) for x in "xyz"] == ["x", "it is y", "Z"]
