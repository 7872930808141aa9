"""A value with the numbers that it is made of, as plain data and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ...errors import shown_text
from ...evaluation.by_measure import Definition
from ...evaluation.conventions import Conventions, as_text
from ...evaluation.render import or_none
from ...formats.frames import Label
from ...metrics.measure import Measure
from ...reference.numbers.reals import Exact
from ...reference.numerics import nearest_double

COLUMNS = (
    *("gain", "discount", "relevant", "precision"),
    *("phi", "reached", "stop", "weight", "unjudged"),
)
"""Columns that each row has, None where its metric does not have them."""

_JSON = (  # the order of the keys of a row; columns of other names follow
    *("rank", "document", "score", "label", "counted", "tied", "contribution", "running"),
    *("gain", "discount", "relevant", "precision", "expected", "ideal_label"),
    *("ideal_contribution", "phi", "reached", "stop", "weight", "unjudged"),
)


@dataclass(frozen=True)
class Row:
    """One rank.

    document, score: None beyond the end of the list, and where any order is meant
    label: as judged, None where the document is not, or there is none; counted: what it counts as
        (RS-CONV-8), None where labels are scores and it has none (RS-CONV-20)
    tied: the first and the last rank of the tie group; None: no other document has this score
    contribution: what the rank adds to the total; running: the total up to here
    expected: a divisor that grows with the list, as it is for a list that ends here
    ideal_label, ideal_contribution: the same rank of the ideal ranking, where the metric has one
    columns: the numbers that the metric has at each rank, by name; each is also an attribute. Where
        ties are left open, they are the means over the tie group:
        gain, discount: of gain-based metrics
        relevant, precision: of binary ones (1 or 0, and P at this rank), and of GAP how probable it
            is that the document is relevant (RS-PREC-8), and what the rank adds over that
        phi: the relevance that is made of the label where that is a score
        reached, stop: of ERR and nERR, the probability that the user gets to this rank, and that
            who sees the document stops there
        weight, unjudged: of RBP, what a relevant document adds at this rank; of its residual, too,
            and 1 where nobody has judged the document, else 0
    """

    rank: int
    document: str | None
    score: Exact | None
    label: Label | None
    counted: Label | None
    tied: tuple[int, int] | None
    contribution: float
    running: float
    expected: float | None = None
    ideal_label: Label | None = None
    ideal_contribution: float | None = None
    columns: Mapping[str, float | None] = field(default_factory=dict, hash=False)

    def __getattr__(self, name: str) -> float | None:
        if not name.startswith("_") and name != "columns":  # which are asked for before they are
            if name in self.columns:
                return self.columns[name]
            if name in COLUMNS:
                return None
        raise AttributeError(f"a row has no {name!r}")

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data, as JSON has it."""
        own = {x.name: getattr(self, x.name) for x in fields(self) if x.name != "columns"}
        own["score"] = None if self.score is None else nearest_double(self.score)
        own["tied"] = None if self.tied is None else list(self.tied)
        found = own | dict.fromkeys(COLUMNS) | dict(self.columns)
        return {name: found.pop(name) for name in _JSON} | found


@dataclass(frozen=True, repr=False)
class ExplainedValue:
    """The value of a measure for one query, with its derivation.

    value: what evaluate() gives; None: it is undefined, and left out (RS-CONV-4)
    total, divisors: the value is the total divided by each of the divisors ({name: divisor}), 0 if
        one is 0; a metric that is itself a sum over ranks has no divisors. For a bound, total is
        the value of the bounded measure; None if no order of the pool has this value
    beyond: the share of the total that belongs to no rank: for the residual of RBP what lies below
        the list, for the utility its value for a list that shows nothing
    parts: for a bound, the numbers in its formula: A, IUB, RLB, WLB, variance
    spread: for a variance, the numbers in its closed form: the variance of the gains, the sum of
        what a gain of 1 adds at each rank, and the sum of its squares; or E[A^2]
    shown_by_ideal: how many results the ideal list shows; None if the metric has no ideal list
    rows: the ranks within the cut-off, to the end of the list or of the ideal ranking; if the ideal
        is not cut, its rows go on beyond the cut-off (RS-DCG-7)
    retrieved: how many documents the run has for the query; None if the run lacks the query
        (RS-CONV-9)
    listed: how many of them are in the evaluated list (RS-CONV-13, RS-CONV-16)
    pool: how many documents the pool has (RS-CONV-3, RS-CONV-17)
    expected: whether the value is an expectation over tied documents
    left_out: whether no measure has a value for the query (RS-CONV-4, "omit-query")
    conventions: the conventions used; definition: the full definition in words, with the spec IDs
    ranking: what orders the rows of a LETOR file (RS-CONV-21); None for a run
    """

    measure: Measure
    query: str
    value: float | None
    total: float | None
    divisors: dict[str, float]
    beyond: float | None
    parts: dict[str, float]
    spread: dict[str, float]
    shown_by_ideal: int | None
    rows: tuple[Row, ...]
    retrieved: int | None
    listed: int
    pool: int
    expected: bool
    conventions: Conventions
    definition: Definition
    left_out: bool = False
    ranking: str | None = None

    def __repr__(self) -> str:
        """What it is of, in a line."""
        number = f"value: {self.value}, ranks: {len(self.rows)}"
        return f"<Explanation of {self.measure}, query {shown_text(self.query)}; {number}>"

    @property
    def ties(self) -> str:
        """The rule for equal scores."""
        return self.conventions.ties

    @property
    def documents(self) -> int:
        """How many there are of the list, or of the pool where the measure is of that alone."""
        return self.pool if self.measure.metric.of_pool else self.listed

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it; fractions become doubles."""
        return {
            "measure": str(self.measure),
            "query": self.query,
            "conventions": as_text(self.conventions),
            "value": None if self.value is None else or_none(self.value),
            "total": self.total,
            "divisors": self.divisors,
            "beyond": self.beyond,
            "parts": self.parts,
            "spread": self.spread,
            "shown_by_ideal": self.shown_by_ideal,
            "retrieved": self.retrieved,
            "listed": self.listed,
            "pool": self.pool,
            "expected": self.expected,
            "left_out": self.left_out,
            "definition": dict(self.definition),
            "rows": [row.to_dict() for row in self.rows],
        }
