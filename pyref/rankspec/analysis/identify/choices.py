"""The choices that a definition makes beside its measure, and how an input is read by them.

``CHOICES`` is the one list. Where rankspec has the convention, its words and IDs are the
convention's; a word that is no value of one lies outside rankspec's conventions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...evaluation.conventions import convention


@dataclass(frozen=True)
class Choice:
    """One of them.

    name: as it is reported; about: what it is about
    values: {value: what it means}, the first by default
    convention: of rankspec, whose values may be these too; "": there is none
    specs: {value: the spec ID}, where no convention says it
    labels: {value: what a table calls it}, where that is neither the value nor what it means
    """

    name: str
    about: str
    values: Mapping[str, str]
    convention: str = ""
    specs: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> str:
        """The first value."""
        return next(iter(self.values))

    def spec_of(self, value: str) -> str:
        """The spec ID of a value; "": it lies outside rankspec's conventions."""
        if value in self.specs:
            return self.specs[value]
        known = convention(self.convention) if self.convention else None
        return known.spec_of(value) if known is not None and value in known.values else ""

    def label_of(self, value: str) -> str:
        """What a table calls a value: its label; the word of the spec; or what it means."""
        return self.labels.get(value) or (value if self.spec_of(value) else self.values[value])


UNDEFINED = {
    "zero": "0",
    "one": "1",
    "nan": "NaN",
    "error": "an error",
    "omit": "no value",
    "crash": "the end of the process",
}
LABELS = {
    "zero": "0",
    "one": "1",
    "nan": "NaN",
    "error": "error",
    "omit": "no value",
    "crash": "ends the process",
}

CHOICES = (
    Choice(
        "cut",
        "what the cut-off does",
        {
            "k": "the first k ranks count",
            "ignored": "it changes nothing",
            "k+1": "one rank more counts",
            "k-1": "one rank less counts",
        },
        specs={"k": "RS-CONV-2"},
        labels={
            "ignored": "k ignored",
            "k+1": "one rank more than k",
            "k-1": "one rank less than k",
        },
    ),
    Choice(
        "scale",
        "what is made of the value",
        {
            "1": "nothing",
            "clipped": "it is at most 1",
            "complement": "it is taken from 1",
            "100": "it is a percentage",
            "ascending": "the lowest score is the best",
        },
        specs={"1": "RS-NUM-1"},
        labels={
            "clipped": "at most 1",
            "complement": "1 - the value",
            "100": "percent",
            "ascending": "lowest score first",
        },
    ),
    Choice(
        "pool",
        "the items that the ideal and the relevant ones are from",
        {
            "judged": "all judged items",
            "retrieved": "the items of the list",
            "first k": "the first k items of the list",
        },
        "pool",
        labels={"first k": "first k"},
    ),
    Choice(
        "beyond",
        "a cut-off beyond the list",
        {
            "k": "the ranks beyond the list hold nothing",
            "n": "is the length of the list",
            "error": "is an error",
        },
        specs={"k": "RS-CONV-2"},
        labels={"k": "empty ranks", "n": "k = n", "error": "error"},
    ),
    Choice(
        "order",
        "what ranks the items",
        {
            "score": "the scores, the highest first",
            "file": "the order of the input; scores do not count",
            "rank": "the rank column of the run; scores do not count",
        },
        "order",
        labels={"file": "input, not scores", "rank": "rank column"},
    ),
    Choice(
        "ties",
        "the order of items of equal score",
        {
            "expected": "the expectation over all orders of each tie group",
            "input": "in the order of the input",
            "best": "the highest label first",
            "worst": "the lowest label first",
            "id-descending": "by id, descending",
            "id-ascending": "by id, ascending",
            "reversed": "against the order of the input",
            "threshold": "a tie group is one threshold",
            "some order": "an order that follows no rule known here",
            "random": "an order that changes from call to call",
        },
        "ties",
        labels={
            "reversed": "reversed",
            "threshold": "one threshold",
            "some order": "no rule",
            "random": "random",
        },
    ),
    Choice(
        "long ties",
        "equal scores in lists of more than 16 items",
        {"same": "as in short ones", "some order": "an order that follows no rule known here"},
        specs={"same": "RS-TIE-2"},
        labels={"some order": "no rule beyond 16"},
    ),
    Choice(
        "scores",
        "the precision in which scores are compared",
        {
            "double": "compared as doubles",
            "float32": "compared after rounding each to the nearest 32-bit float",
        },
        "scores",
    ),
    Choice(
        "fractions",
        "labels that are no whole numbers",
        {
            "exact": "are the numbers that they are",
            "truncate": "count without their fraction, cut toward 0",
            "floor": "count as the greatest whole number up to them",
            "from-1": "count from 1 on; those between 0 and 1 are 0",
            "rounded": "are rounded",
            "error": "are an error",
        },
        "labels",
        specs={"exact": "RS-CONV-1"},
        labels={"from-1": "0 below 1", "rounded": "rounded", "error": "error"},
    ),
    Choice(
        "negative",
        "negative labels",
        {
            "zero": "count as 0",
            "kept": "are the labels that they are, for measures that take them",
            "unjudged": "count as no judgment",
            "error": "are an error",
        },
        "negative",
        labels={"zero": "0", "unjudged": "no judgment"},
    ),
    Choice(
        "unjudged",
        "items without a judgment",
        {
            "nonrelevant": "count as label 0 in the list, and are not in the pool",
            "condensed": "are left out of the list",
            "pooled": "count as label 0 in the list, and in the pool too",
            "error": "are an error",
        },
        "unjudged",
        labels={"pooled": "label 0 in the pool", "error": "error"},
    ),
    Choice(
        "undefined",
        "the value where nothing is relevant",
        UNDEFINED,
        "undefined",
        labels=LABELS,
    ),
    Choice(
        "undefined by",
        "what decides that",
        {
            "pool": "the divisor is 0, or the pool has nothing relevant",
            "first k": "the first k items have nothing relevant",
            "not above 0": "the divisor is 0 or less, or the pool has nothing relevant",
        },
        specs={"pool": "RS-CONV-4"},
        labels={"first k": "first k alone", "not above 0": "divisor 0 or less"},
    ),
    Choice(
        "one item",
        "the value of a list of one item",
        {"computed": "as of any list", "error": "an error", "nan": "NaN", "omit": "no value"},
        specs={"computed": "RS-CONV-2"},
        labels={"error": "error for one", "nan": "NaN for one", "omit": "no value for one"},
    ),
    Choice(
        "nothing judged",
        "the value where no item has a judgment",
        {
            "computed": "as where nothing is relevant",
            "omit": "no value",
            "error": "an error",
            "nan": "NaN",
        },
        specs={"computed": "RS-CONV-8"},
        labels={
            "error": "error where nothing is judged",
            "nan": "NaN where nothing is judged",
            "omit": "no value where nothing is judged",
        },
    ),
    Choice(
        "empty",
        "the value of an empty list",
        {
            "computed": "as of any list",
            "zero": "0",
            "one": "1",
            "nan": "NaN",
            "error": "an error",
            "omit": "no value",
            "crash": "the end of the process",
        },
        specs={"computed": "RS-CONV-2"},
        labels=LABELS,
    ),
    Choice(
        "k=0",
        "the cut-off 0",
        {
            "error": "is an error",
            "none": "means no cut-off: the whole list counts",
            "zero": "gives 0",
            "one": "gives 1",
            "nan": "gives NaN",
            "omit": "gives no value",
            "crash": "ends the process",
        },
        specs={"error": "RS-CONV-2"},
        labels=LABELS | {"none": "no cut-off"},
    ),
    Choice(
        "average",
        "what the value over several queries is",
        {
            "mean": "the mean of the values",
            "mean of the relevant": "the mean over the queries in which something is relevant",
            "sum": "the sum of the values",
            "ratio of sums": "the sum of the numerators over the sum of the denominators",
            "another": "no average of the values that is known here",
        },
        specs={"mean": "RS-NUM-5", "mean of the relevant": "RS-CONV-4", "sum": "RS-CONV-53"},
        labels={"ratio of sums": "ratio of sums", "another": "unknown"},
    ),
    Choice(
        "output",
        "how the value is rounded",
        {
            "double": "to a double, or less than that",
            "float32": "to a 32-bit float",
            "float16": "to a 16-bit float",
            **{f"{d} decimal{'s' * (d > 1)}": f"to {d} decimals" for d in range(1, 9)},
        },
        specs={"double": "RS-NUM-1", "float32": "RS-CONV-40", "5 decimals": "RS-CONV-40"},
        labels={
            "float16": "float16",
            **{f"{d} decimal{'s' * (d > 1)}": f"{d} decimal{'s' * (d > 1)}" for d in range(1, 9)},
        },
    ),
)

BY_NAME = {x.name: x for x in CHOICES}
FORMER = {
    "fractions": {"floored": "truncate", "below 1": "from-1"},
    "negative": {"as they are": "kept"},
}
"""Words of reports that are written otherwise now."""

DEFAULTS = {x.name: x.default for x in CHOICES}


def as_now(chosen: Mapping[str, str]) -> dict[str, str]:
    """The values of choices, in the words that they have now."""
    return {name: FORMER.get(name, {}).get(value, value) for name, value in chosen.items()}
