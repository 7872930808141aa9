"""Measures of flat labels and scores in groups, as learners have them: rows, and how many a query.

    >>> from rankspec.compat.groups import evaluate_groups
    >>> rows = {"labels": [2, 0, 1, 0], "scores": [0.1, 0.7, 0.3, 0.2]}
    >>> found = evaluate_groups("nDCG@10", **rows, sizes=[3, 1])
    >>> found["nDCG@10"], found.per_query["nDCG@10"]["1"]
    (0.3098..., 0.0)

Each row is a document of its own and is judged: the pool of a query is its rows (RS-CONV-21).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import wraps
from itertools import pairwise
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

from ..api.inputs import Input
from ..compute.arithmetic import standard_arithmetic
from ..compute.arrays import read_lists
from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError, check_known, dimensions, shown
from ..evaluation.conventions import Conventions
from ..evaluation.evaluate import check_defined, evaluation_of, warn_of_input
from ..evaluation.letor import letor_conventions
from ..evaluation.measures import chosen_measures, measures_named, names_of
from ..evaluation.plausibility import about_rows
from ..evaluation.result import Evaluation
from ..metrics.measure import Measure
from ..reference.numbers.reals import Exact
from ..reference.numerics import exact_sum, nearest_double

Measures: TypeAlias = "str | Measure | Iterable[str | Measure]"
Values: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

P = ParamSpec("P")
T = TypeVar("T")

UNDEFINED = ("zero", "one", "omit", "error")
ORDER = "score, descending"


def of_measures(made: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A function of measures that says so where a library calls it in the place of its result.

    made: how it is called, "feval=feval(\"nDCG@10\")" say
    """

    def checking(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*given: P.args, **named: P.kwargs) -> T:
            if len(given) > 1:
                raise InputError(
                    f"{function.__name__}: call it with measure names first; it returns the "
                    f"function to hand over: {made}"
                )
            return function(*given, **named)

        return called

    return checking


@dataclass(frozen=True)
class Asked:
    """What is to be computed of each query.

    ties: the rule for rows of equal score (RS-TIE-2)
    undefined: the value where the divisor is 0; "omit": none; "error": an InputError (RS-CONV-4)
    names: of the measures, as they were asked for; conventions: all that are chosen
    """

    measures: tuple[Measure, ...]
    ties: str
    undefined: str
    names: tuple[str, ...] = field(repr=False, compare=False)
    conventions: Conventions = field(repr=False, compare=False)

    @standard_arithmetic
    def values(
        self, labels: Any, scores: Any, offsets: Any, queries: Sequence[str] | None = None
    ) -> list[Values]:
        """The values of each measure, one a query; NaN where there is none.

        offsets: where the rows of each query begin, and the end of the last
        queries: their names in errors; by default their positions, "0", "1", ...
        """
        if dimensions(scores, 1) > 1:
            raise InputError(
                f"scores: the array has the shape {scores.shape}; expected one score per row (a "
                "model for several classes gives several)"
            )
        try:
            given = Input(labels, scores, None, self.ties, offsets)
            columns = given.values(self.measures, "auto")
        except InputError as error:
            remark = about_rows(np.asarray(labels), np.asarray(scores))
            raise InputError(f"{error}; {remark}" if remark else str(error)) from None
        found = [
            self._where_undefined(measure, np.array(column, dtype=np.float64), given)
            for measure, column in zip(self.measures, columns, strict=True)
        ]
        if self.undefined == "error":
            names = queries or list(map(str, range(len(offsets) - 1)))
            for measure, column in zip(self.measures, found, strict=True):
                own = dict(zip(names, column.tolist(), strict=True))
                check_defined({str(measure): own}, self.conventions)
        return found

    def means(
        self, labels: Any, scores: Any, offsets: Any, weights: Sequence[Exact] | None = None
    ) -> list[float]:
        """The mean of each measure over the queries, weighted where there are weights."""
        columns = self.values(labels, scores, offsets)
        return [
            average_of(measure, column, weights)
            for measure, column in zip(self.measures, columns, strict=True)
        ]

    def _where_undefined(self, measure: Measure, column: Values, given: Input) -> Values:
        metric = measure.metric
        if self.undefined == "zero" or not metric.judged:
            return column
        instead = 1.0 if self.undefined == "one" else np.nan
        for a in np.flatnonzero(column == 0).tolist():  # elsewhere it is defined
            ranking = given.batch.ranking(a)
            by_list = metric.divides_by_list(measure)
            if (
                metric.is_undefined_for(measure, ranking)
                if by_list
                else metric.is_undefined(measure, ranking.length, ranking.pool)
            ):
                column[a] = instead
        return column


def asked(
    measures: Measures,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
) -> Asked:
    """The measures, by conventions as of rs.evaluate_letor(); InputError for what is none."""
    if undefined is not None:
        check_known("undefined", undefined, UNDEFINED)
    given = {"ties": ties, "undefined": undefined, "gain": gain, "discount": discount, "rel": rel}
    _, conventions = letor_conventions(None, given)
    given_names = names_of(measures)
    chosen = chosen_measures(given_names, conventions)
    names = _names(given_names, chosen, conventions)
    return Asked(chosen, conventions.ties, conventions.undefined, names, conventions)


def more_is_better(measure: Measure) -> bool:
    """Whether a better model has a higher value; a bound and a mean are as what they are of."""
    return measure.metric.root.more_is_better


def _names(
    given: Iterable[Any], chosen: tuple[Measure, ...], conventions: Conventions
) -> tuple[str, ...]:
    """The measures by the names that they were given, or where two have one by what they are.

    Of a name for several, "nDCG@5,10" say, each has its own, without what the conventions add.
    """
    names: dict[Measure, str] = {}
    for x in given:
        found = measures_named(x, conventions)
        typed = isinstance(x, str) and len(found) == 1
        plain = [x.strip()] if typed else map(str, measures_named(x, Conventions()))
        for measure, name in zip(found, plain, strict=True):
            names.setdefault(measure, name)
    as_given = tuple(names[measure] for measure in chosen)
    return as_given if len(set(as_given)) == len(as_given) else tuple(map(str, chosen))


@dataclass(frozen=True, repr=False)
class GroupEvaluation(Evaluation):
    """The values of measures for the queries of rows: an Evaluation, like a dict of the means.

    queries: the ids of group_id as texts, or the numbers of the groups, "0", "1", ...
    weighted: whether the means are weighted
    """

    weighted: bool = False

    def _mean(self, measure: Measure) -> str:
        if not self.weighted:
            return super()._mean(measure)
        return (
            "the double nearest to the exact mean of the values, weighted by the weights of the "
            "queries (RS-NUM-5)"
        )

    def _of_queries(self) -> dict[str, str]:
        return {"queries": "the groups of the rows (RS-CONV-21)"}


@standard_arithmetic
def evaluate_groups(
    measures: Measures,
    *,
    labels: Any,
    scores: Any,
    sizes: Any = None,
    group_id: Any = None,
    weights: Any = None,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
) -> GroupEvaluation:
    """Evaluate rows after training; returns {measure: mean over the queries}.

    measures: as of rs.evaluate()
    labels, scores: one number per row
    sizes: the number of rows of each query, in order; or give
    group_id: the query of each row; the rows of a query need not be adjacent
    weights: one per query, in the order of sizes, or of first occurrence in group_id
    ties, undefined, gain, discount, rel: as of rs.evaluate_letor()

    The result is an Evaluation, as from rs.evaluate(), with per_query, definition() and
    to_pandas(). Its queries are the ids in group_id, or the numbers of the groups from "0" on.
    Warns (InputWarning) if labels and scores look swapped (RS-CONV-28).
    """
    of = asked(measures, ties, undefined, gain, discount, rel)
    if sizes is None and group_id is None:
        raise InputError("give either sizes or group_id, which say to which query a row belongs")
    if sizes is not None and group_id is not None:
        raise InputError(
            "sizes and group_id say the same; give one of them: sizes if the rows of a query are "
            "adjacent, group_id if each row names its query"
        )
    labels, scores = one_a_row(labels, "labels"), one_a_row(scores, "scores")
    remarks = tuple(filter(None, [about_rows(labels, scores)]))
    queries = None
    if group_id is not None:
        queries = _ids(group_id)
        labels, scores, sizes = in_groups(group_id, labels, scores)
    offsets = offsets_of(sizes, "sizes", len(labels))
    if queries is None:
        queries = list(map(str, range(len(offsets) - 1)))
    columns = of.values(labels, scores, offsets, queries)
    bounds = zip(queries, pairwise(offsets), strict=True)
    irrelevant = [q for q, (begin, end) in bounds if not (labels[begin:end] > 0).any()]
    found = replace(
        _evaluation(of, queries, labels, columns, weights_of_queries(weights)),
        without_relevant=tuple(irrelevant),
    )
    warn_of_input(remarks)
    return replace(found, warnings=remarks)


def _evaluation(
    of: Asked, queries: Sequence[str], labels: Any, columns: Sequence[Values], weights: Any
) -> GroupEvaluation:
    named = dict(zip(map(str, of.measures), columns, strict=True))
    means = [average_of(m, x, weights) for m, x in zip(of.measures, columns, strict=True)]
    values = {
        name: {q: x for q, x in zip(queries, column.tolist(), strict=True) if x == x}  # noqa: PLR0124
        for name, column in named.items()
    }
    highest = max(0, *labels.tolist()) if len(labels) else 0
    plain = evaluation_of(
        of.measures, queries, values, of.conventions, None, ranking=ORDER, highest=highest
    )
    given = {x.name: getattr(plain, x.name) for x in fields(plain)}
    given["mean"] = dict(zip(named, means, strict=True))
    return GroupEvaluation(**given, weighted=weights is not None)


def _ids(group_id: Any) -> list[str]:
    """The queries as texts, in order of first mention."""
    ids = dict.fromkeys(_numbered(one_a_row(group_id, "group_id")).tolist())
    given = one_a_row(group_id, "group_id").tolist()
    names = list(dict.fromkeys(map(str, given)))
    if len(names) != len(ids):
        both: dict[str, Any] = {}
        for x in given:
            if both.setdefault(str(x), x) != x:
                raise InputError(
                    f'group_id: {shown(both[str(x)])} and {shown(x)} both have the text "{x}"; '
                    "ids must differ as text"
                )
    return names


def weights_of_queries(weights: Any, what: str = "weights", of: str = "query") -> Any:
    """Return the weights as a list of numbers, integers as they are; None: there are none."""
    if weights is None:
        return None
    found = one_a_row(weights, what, of)
    if found.dtype.kind not in "biuf" and found.size:
        raise InputError(
            f"{what}: expected a list with one integer or float per {of}, got {shown(weights)}"
        )
    return (found.astype(np.float64) if found.dtype.kind == "f" else found).tolist()


def one_a_row(x: Any, what: str, of: str = "row") -> Any:
    """Something for each row, as an array; an InputError where it is no list of that."""
    expected = f"a list with one item per {of}"
    found = as_exact_array(x, what, expected)
    if found.ndim != 1:
        raise InputError(f"{what}: expected {expected}, got {shown(x)}")
    return found


def as_exact_array(x: Any, what: str, expected: str) -> Any:
    """Return x as an array; InputError if it is none, as lists of several lengths are none, or if a
    list mixes numbers that no type of numpy holds.

    numpy rounds integers that stand beside floats in a list, or beside a uint64 (RS-CONV-1).
    """
    try:
        of_numpy = np.asarray(x)
    except (ValueError, TypeError, OverflowError):
        raise InputError(f"{what}: expected {expected}, got {shown(x)}") from None
    if not isinstance(x, (list, tuple)) or of_numpy.dtype.kind != "f":
        return of_numpy
    return np.asarray(read_lists(x, None, what).flat).reshape(of_numpy.shape)


def offsets_of(sizes: Any, what: str, rows: int) -> Any:
    """Where the rows of each query begin, of how many each has; InputError if they do not fit."""
    expected = "a list of the numbers of rows"
    counts = as_exact_array(sizes, what, expected)
    whole = counts.ndim == 1 and (counts.dtype.kind in "iu" or counts.size == 0)
    if not whole or (counts < 0).any():
        raise InputError(f"{what}: expected {expected}, got {shown(sizes)}")
    total = int(counts.sum(dtype=np.int64))
    if total != rows:
        raise InputError(f"{what}: they add up to {total} rows, but there are {rows}")
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def in_groups(group_id: Any, *columns: Any) -> tuple[Any, ...]:
    """Columns with the rows of each query together, in order of first mention; and sizes.

    The rows of a query stay in their order.
    """
    ids = _numbered(one_a_row(group_id, "group_id"))
    for column in columns:
        if len(column) != len(ids):
            raise InputError(
                f"group_id: {len(ids)} ids for {len(column)} rows; expected one per row"
            )
    _, first, inverse, sizes = np.unique(
        ids, return_index=True, return_inverse=True, return_counts=True
    )
    in_order = np.argsort(first, kind="stable")
    place = np.empty_like(in_order)
    place[in_order] = np.arange(len(in_order))
    rows = np.argsort(place[inverse], kind="stable")
    return (*(column[rows] for column in columns), sizes[in_order])


def _numbered(ids: Any) -> Any:
    """The ids, numbers in the place of what numpy does not order."""
    if ids.dtype.kind in "biuSU":
        return ids
    numbers: dict[Any, int] = {}
    try:
        found = [numbers.setdefault(x, len(numbers)) for x in ids.tolist()]
    except TypeError:  # what has no hash
        raise InputError(f"group_id: expected a list of query ids, got {shown(ids)}") from None
    for x, number in numbers.items():
        if x is None or x != x:  # noqa: PLR0124 - NaN
            raise InputError(f"group_id: row {found.index(number)} has no query ({x})")
    return np.array(found, dtype=np.int64)


def average_of(measure: Measure, column: Values, weights: Sequence[Exact] | None = None) -> float:
    """The average of a measure over queries (RS-CONV-53), of those of its values that are no NaN;
    of none, NaN.
    """
    average = measure.metric.average
    if average.name == "mean":
        return mean_of(column, weights)
    if weights is not None:
        raise InputError(
            f'weights: "{measure}" is averaged by its {average.name}, which takes no weights '
            "(RS-CONV-53)"
        )
    kept = column[~np.isnan(column)].tolist()
    return average.of(measure, kept) if kept else float("nan")


@standard_arithmetic
def mean_of(column: Values, weights: Sequence[Exact] | None = None) -> float:
    """The double nearest to the exact mean of the values that are no NaN; of none, NaN.

    Spec: RS-NUM-5
    """
    found = column.tolist()
    if any(x in (np.inf, -np.inf) for x in found):
        raise InputError("a value exceeds the range of doubles, so there is no mean (RS-NUM-5)")
    if weights is None:
        kept = [x for x in found if x == x]  # noqa: PLR0124 - NaN
        return nearest_double(exact_sum(kept) / len(kept)) if kept else float("nan")
    if len(weights) != len(found):
        raise InputError(
            f"weights: {len(weights)} weights for {len(found)} queries; expected one per query"
        )
    wrong = next((a for a, w in enumerate(weights) if not 0 <= w < np.inf), None)
    if wrong is not None:
        raise InputError(
            f"weights: the weight of query {wrong} is {weights[wrong]}; expected 0 or more"
        )
    pairs = [(Fraction(w), Fraction(x)) for w, x in zip(weights, found, strict=True) if x == x]  # noqa: PLR0124
    total = sum(w for w, _ in pairs)
    return nearest_double(Fraction(sum(w * x for w, x in pairs)) / total) if total else float("nan")


@standard_arithmetic
def weights_of_rows(weights: Any, offsets: Any) -> list[Exact]:
    """The weight of each query: the exact mean of the weights of its rows; of no row, 0."""
    rows = np.asarray(weights, dtype=np.float64)
    if not np.isfinite(rows).all():
        at = int(np.flatnonzero(~np.isfinite(rows))[0])
        raise InputError(f"weights: the weight of row {at} is {rows[at]}; expected a finite number")
    found: list[Exact] = []
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        own = rows[begin:end]
        same = len(own) and (own == own[0]).all()
        found.append(float(own[0]) if same else exact_sum(own.tolist()) / max(len(own), 1))
    return found
