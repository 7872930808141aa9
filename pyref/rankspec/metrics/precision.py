"""P, recall, RR, SP, AP, GAP, R-precision, success, bpref, AUC, inferred AP, counts, measures of a
set and interpolated precision, applied to measures and rankings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from ..compute.call import MOST_GRADES, Call, Core, Count, Double, Doubles, Fields, Weights, Word
from ..compute.gain import UNDISCOUNTED, ZIPF, exact, whole
from ..errors import InputError, NoValue, items_of, shown
from ..later import bounds, dcg, fractions, precision, ties, users
from ..records import replace
from ..typed import TYPE_CHECKING, Any
from . import axioms
from .average import SUM
from .breakdown import (
    PRECISION,
    RELEVANT,
    Breakdown,
    Column,
    Equation,
    Group,
    LinearVariance,
    Ranks,
    VarianceOfSquare,
    each_group,
    groups_within,
    of_label,
    of_list,
)
from .helptext import Doc
from .measure import (
    NO_EXTREMES,
    Divisor,
    Extremes,
    Labels,
    Measure,
    Metric,
    OfHits,
    Orders,
    PaperBounds,
    Quotient,
    Ranking,
    always,
    over_divisors,
)
from .names import ANY, Names
from .orders import MOST_SHARED_RANKS, open_groups
from .parameters import INVERSE_IN_CORE, REL, REL_IN_CORE, Parameter, choice, parameters

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

NORM = choice(
    "norm",
    "normaliser of AP",
    {
        "R": "the number of relevant items of the pool",
        "min": "the lesser of that and the cut-off",
        "k": "the cut-off",
        "retrieved": "the number of relevant items of the list",
        "hits": "the number of relevant items among its first k",
    },
    "RS-PREC-6",
    "what AP divides by: R, min (of k and R), k, or the relevant items retrieved or hits up to k",
)


def probabilities(given: Any) -> tuple[Exact, ...]:
    """How probable it is that to a user the labels from 1, 2, ... on are relevant (RS-PREC-8)."""
    if isinstance(given, (str, bytes, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(
            "q: expected a list of the probabilities of the labels 1, 2, ..., as [0.5, 0.5], got "
            f"{shown(given)}"
        )
    items = items_of(given, f"q: {shown(given)} cannot be read item by item")
    q = tuple(exact(x, f"q: the probability of label {j}") for j, x in enumerate(items, start=1))
    for j, x in enumerate(q, start=1):
        if x < 0:
            raise InputError(f"q: the probability of label {j} is {shown(x)}; expected 0 or more")
    if not any(q):
        raise InputError("q: at least one probability must be above 0")
    return q


Q = Parameter(
    "q",
    (0.25, 0.25, 0.25, 0.25),
    probabilities,
    lambda x: f"{list(x)}: of the labels from 1, 2, ... on (RS-PREC-8)",
    "how probable it is that the labels from 1, 2, ... on are relevant",
    annotation="Sequence[float]",
)


def _beta(given: Any) -> Exact:
    found = exact(given, "beta: how much more recall counts than precision")
    if found < 0:
        raise InputError(f"beta: expected a number of 0 or more, got {shown(given)} (RS-PREC-22)")
    return found


BETA = Parameter(
    "beta",
    1,
    _beta,
    lambda x: f"{x}: recall counts so many times as much as precision (RS-PREC-22)",
    "how many times as much recall counts as precision",
    annotation="float",
)


def _level(name: str, what: str, most: float) -> Callable[[Any], Exact]:
    """Reads a number from 0 to the most that there is."""

    def read(given: Any) -> Exact:
        found = exact(given, f"{name}: {what}")
        if not 0 <= found <= most:
            raise InputError(f"{name}: {what} is {shown(given)}; it must be from 0 to {most}")
        return found + 0  # -0.0 is 0.0

    return read


LARGEST_MULTIPLE = 1_000_000
RECALL = Parameter(
    "recall",
    0.1,
    _level("recall", "the level of recall", 1),
    lambda x: f"{x}: the level of recall (RS-PREC-28)",
    "the level of recall, from 0 to 1",
    annotation="float",
)
MULTIPLE = Parameter(
    "multiple",
    1,
    _level("multiple", "the multiple of R", LARGEST_MULTIPLE),
    lambda x: f"{x}: the multiple of R that is the number of ranks (RS-PREC-30)",
    "the multiple of the number of relevant items that is the number of ranks",
    annotation="float",
)
_read_recall = _level("levels", "a level of recall", 1)


def _levels(given: Any) -> tuple[Exact, ...]:
    if isinstance(given, (str, bytes, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(
            f"levels: expected a list of levels of recall, as [0.2, 0.5, 0.8], got {shown(given)}"
        )
    found = tuple(map(_read_recall, items_of(given, f"levels: {shown(given)} cannot be read")))
    if not found:
        raise InputError("levels: expected at least one level of recall, got none")
    return found


LEVELS = Parameter(
    "levels",
    tuple(i / 10 for i in range(11)),
    _levels,
    lambda x: f"{list(x)}: the levels of recall that the mean is over (RS-PREC-29)",
    "the levels of recall that the mean is over",
    annotation="Sequence[float]",
)
ROUNDING = choice(
    "rounding",
    "rounding of levels",
    {
        "nearest": "a level times the relevant items, to the nearest whole number, as in trec_eval "
        "10",
        "plus-0.9": "0.9 more than that, cut to a whole number, as in trec_eval 9",
        "up": "that, up to a whole number, in exact arithmetic",
    },
    "RS-PREC-27",
    "how many relevant items a level asks for: nearest (trec_eval 10), plus-0.9 (trec_eval 9), up",
)
_COUNTED_BY_UTILITY = (
    "a relevant document that is retrieved",
    "another that is retrieved",
    "a relevant document that is not",
    "another that is not",
)


def _weights(given: Any) -> tuple[Exact, ...]:
    """What a document of each of the four kinds is worth."""
    if isinstance(given, (str, bytes, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(
            f"weights: expected a list of four numbers, as [1, -1, 0, 0], got {shown(given)}"
        )
    items = items_of(given, f"weights: {shown(given)} cannot be read item by item")
    if len(items) != len(_COUNTED_BY_UTILITY):
        raise InputError(
            f"weights: expected four numbers, the worth of {', of '.join(_COUNTED_BY_UTILITY)}, "
            f"got {len(items)}"
        )
    named = zip(items, _COUNTED_BY_UTILITY, strict=True)
    return tuple(exact(x, f"weights: the worth of {what}") + 0 for x, what in named)


def _documents(given: Any) -> int | None:
    """The number of documents of the collection, up to 2^53; None: it is not known."""
    if given is None:
        return None
    number = whole(given)
    if number is None or not 0 <= number <= MOST_DOCUMENTS:
        raise InputError(
            "documents: expected the number of documents in the collection, an integer from 0 to "
            f"2^53, got {shown(given)}"
        )
    return number


MOST_DOCUMENTS = 1 << 53
WEIGHTS = Parameter(
    "weights",
    (1, -1, 0, 0),
    _weights,
    lambda x: f"{list(x)}: the worth of {', of '.join(_COUNTED_BY_UTILITY)} (RS-PREC-60)",
    "the worth of a relevant retrieved, another retrieved, a relevant missed and another missed "
    "document",
    annotation="Sequence[float]",
)
DOCUMENTS = Parameter(
    "documents",
    None,
    _documents,
    lambda x: (
        "not given: the last weight is 0 (RS-PREC-60)"
        if x is None
        else f"{x} documents in the collection (RS-PREC-60)"
    ),
    "the number of documents in the collection; needed if the last weight is not 0",
    annotation="int | None",
)
MOST_STEPS = 10_000_000  # of the mean over orders that has no closed form
MOST_STEPS_OF_INFAP = 1_000_000_000  # which are fast


def _R(m: Measure, x: Ranking) -> list[int]:
    return precision.relevance(x.labels, m.rel)


def _R_groups(m: Measure, x: Ranking) -> list[list[int]]:
    return [precision.relevance(group, m.rel) for group in x.groups]


def _N_p(m: Measure, x: Ranking) -> int:
    return sum(precision.relevance(x.pool, m.rel))


def _nothing_relevant(m: Measure, pool: Sequence[Exact]) -> bool:
    return all(label < m.rel for label in pool)


def _check_documents(m: Measure, x: Ranking, N_p: int) -> None:
    least = x.length + max(0, N_p - sum(_R(m, x)))
    if m.documents is not None and m.documents < least:
        raise NoValue(
            "documents",
            f"{shown(m.documents)} is too small: the list and the relevant documents missing "
            f"from it are {least} (RS-PREC-60)",
        )


def _utility(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p = _N_p(m, x)
    _check_documents(m, x, N_p)
    return precision.utility(_R(m, x), N_p, k, m.weights, m.documents or 0, R)


def _expected_utility(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p = _N_p(m, x)
    _check_documents(m, x, N_p)
    return precision.expected_utility(_R_groups(m, x), N_p, k, m.weights, m.documents or 0, R)


def _check_utility(m: Measure) -> None:
    if m.weights[-1] and m.documents is None:
        raise InputError(
            "documents: the weight of documents that are neither retrieved nor relevant is not "
            "0, so the size of the collection is needed; give it, as in documents=1000000 "
            "(RS-PREC-60)"
        )


def _expected_yaap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = open_groups("Yaap", _R_groups(m, x), k, MOST_SHARED_RANKS)
    return precision.expected_yaap(users.beginnings_of(groups, k), _N_p(m, x), k, R)


def _hits(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_hits(_R_groups(m, x), k, R)


def expected_sp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """E[SP@k], which is SP@k where nothing is tied."""
    return precision.expected_sp(_R_groups(m, x), k, R)


def _variance_of_hits(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.variance_of_dcg(_R(m, x), k, R.exact, UNDISCOUNTED.of(R))


def variance_of_sp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """That of SP@k in a random order of the list."""
    return precision.variance_of_sp(sum(_R(m, x)), len(x.labels), k, R)


def _sp_of_karmaker(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p = _N_p(m, x)
    return bounds.expected_sp_of_karmaker(N_p, len(x.pool) - N_p, k, R)


def _largest_sp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:  # noqa: ARG001 - a Reading
    """k, of any pool but the empty one, which has a bound of 0 (RS-BND-10)."""
    return R.exact(k if x.pool else 0)


def expected_gsp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_gsp(x.groups, k, m.q, R)


def _never_relevant(m: Measure, pool: Sequence[Exact]) -> bool:
    return all(precision.probability_relevant(label, m.q) == 0 for label in pool)


def _expected_rprec(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_rprec(_R_groups(m, x), _N_p(m, x), k, R)


def _hits_up_to_R(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_hits(_R_groups(m, x), min(k, _N_p(m, x)), R)


def _R_where_judged(m: Measure, labels: Sequence[Exact | None]) -> list[int | None]:
    """The relevance indicators; None where nobody has judged the item."""
    return [None if r is None else precision.relevance([r], m.rel)[0] for r in labels]


def _judged(m: Measure, x: Ranking) -> tuple[int, int]:
    """How many items of the pool are relevant, and how many are judged and are not."""
    R = _R_where_judged(m, x.pool)
    return R.count(1), R.count(0)


def _preferences(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p, N_n = _judged(m, x)
    groups = [_R_where_judged(m, group) for group in x.groups]
    return precision.expected_preferences(groups, N_p, N_n, k, R)


def _bpref(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p, N_n = _judged(m, x)
    return precision.bpref(_R_where_judged(m, x.labels), N_p, N_n, k, R)


def _expected_bpref(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p, N_n = _judged(m, x)
    groups = [_R_where_judged(m, group) for group in x.groups]
    return precision.expected_bpref(groups, N_p, N_n, k, R)


def _auc(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.auc(_R_where_judged(m, x.labels), *_judged(m, x), k, R)


def _expected_auc(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = [_R_where_judged(m, group) for group in x.groups]
    return precision.expected_auc(groups, *_judged(m, x), k, R)


def _pairs(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = [_R_where_judged(m, group) for group in x.groups]
    return precision.expected_pairs(groups, *_judged(m, x), k, R)


def _sampled(m: Measure, x: Ranking) -> list[int | None]:
    return precision.in_sample(x.labels, m.rel)


def _groups_in_sample(m: Measure, x: Ranking) -> list[list[int | None]]:
    return [precision.in_sample(group, m.rel) for group in x.groups]


def _relevant_in_sample(m: Measure, pool: Sequence[Exact]) -> int:
    return precision.in_sample(pool, m.rel).count(1)


def _infap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.infap(_sampled(m, x), _relevant_in_sample(m, x.pool), k, R)


def _groups_of_few_steps_of_infap(m: Measure, x: Ranking, k: int) -> list[list[int | None]]:
    """The items by tie groups; a NoValue where their expectation takes too many steps."""
    groups = _groups_in_sample(m, x)
    steps = precision.steps_of_infap(groups, k)
    if steps > MOST_STEPS_OF_INFAP:
        raise NoValue.of_ties(
            f"{m.metric.root.name} with tied items would take {shown(steps)} steps here, more "
            f"than {MOST_STEPS_OF_INFAP} (RS-EXP-95)"
        )
    return groups


def _inferred_precisions(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_inferred_precisions(_groups_of_few_steps_of_infap(m, x, k), k, R)


def _expected_infap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = _groups_of_few_steps_of_infap(m, x, k)
    return precision.expected_infap(groups, _relevant_in_sample(m, x.pool), k, R)


def _no_pairs(m: Measure, pool: Sequence[Exact]) -> bool:
    return len(set(precision.relevance(pool, m.rel))) < 2


def _expected_hits_over(divisor: Callable[[Measure, Ranking, int], Exact]) -> Callable[..., Number]:
    """The expectation of a metric that is the hits over what is the same for all orders."""

    def expected(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        groups = _R_groups(m, x)
        return precision.expected_quotient_of_hits(groups, k, divisor(m, x, k), R)

    return expected


def _shown(_: Measure, x: Ranking, k: int) -> int:
    return min(k, x.length)


def _most_hits(m: Measure, x: Ranking, k: int) -> int:
    return min(k, _N_p(m, x))


def _divisor_of_f(m: Measure, x: Ranking, k: int) -> fractions.Fraction:
    return precision.divisor_of_f(_N_p(m, x), k, m.beta)


def _flags(of: Callable[[Measure, Exact | None], bool]) -> Callable[..., list[list[int]]]:
    """Which items of the tie groups are such."""
    return lambda m, x: [[int(of(m, label)) for label in group] for group in x.groups]


_are_judged = _flags(lambda _, label: label is not None)
_are_unjudged = _flags(lambda _, label: label is None)
_are_not_relevant = _flags(lambda m, label: _R_where_judged(m, [label]) == [0])


def _number_of(flags: Callable[..., list[list[int]]]) -> Callable[..., Number]:
    """How many results up to k are such; under ties the mean."""
    return lambda m, x, k, R: precision.expected_hits(flags(m, x), k, R)


def _unjudged_flags(x: Ranking) -> list[int]:
    return [int(label is None) for label in x.labels]


def _items_at(m: Measure, x: Ranking, level: Exact) -> int:
    """How many relevant items a level of recall asks for."""
    return precision.items_at_level(level, _N_p(m, x), m.rounding)


def _iprec(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.iprec(_R(m, x), k, _items_at(m, x, m.recall), R)


def _groups_of_few_steps(m: Measure, x: Ranking, k: int, levels: int = 1) -> list[list[int]]:
    """The indicators by tie groups; a NoValue where their orders take too many steps.

    levels: how many different levels of recall there are, of which each takes as many
    """
    groups = _R_groups(m, x)
    steps = precision.steps_of_iprec(groups, k) * levels
    if steps > MOST_STEPS:
        spec = m.metric.root.expected_spec
        raise NoValue.of_ties(
            f"{m.metric.root.name} has no closed form for tied items; the mean over their orders "
            f"would take {shown(steps)} steps here, more than {MOST_STEPS} ({spec})"
        )
    return groups


def _expected_iprec(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = _groups_of_few_steps(m, x, k)
    return precision.expected_iprec(groups, k, _items_at(m, x, m.recall), R)


def _ranks_at(m: Measure, pool: Sequence[Exact]) -> int:
    """How many ranks a multiple of R is."""
    return precision.items_at_level(m.multiple, sum(precision.relevance(pool, m.rel)), "plus-0.9")


def _hits_up_to_multiple(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_hits(_R_groups(m, x), min(k, _ranks_at(m, x.pool)), R)


def _items_at_each(m: Measure, x: Ranking) -> list[int]:
    N_p = _N_p(m, x)
    of = {level: precision.items_at_level(level, N_p, m.rounding) for level in set(m.levels)}
    return [of[level] for level in m.levels]


def _avg_iprec(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.avg_iprec(_R(m, x), k, _items_at_each(m, x), R)


def _expected_avg_iprec(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    cs = _items_at_each(m, x)
    groups = _groups_of_few_steps(m, x, k, len(set(cs)))
    return precision.expected_avg_iprec(groups, k, cs, R)


def _squared_hits(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return precision.expected_square_of_hits(_R_groups(m, x), k, R)


def _number_in_pool(m: Measure, x: Ranking, _: int, R: Reals) -> Number:
    return precision.num_rel(precision.relevance(x.pool, m.rel), R)


def _nothing_shown(m: Measure, x: Ranking) -> bool:
    return _shown(m, x, m.depth_of(x)) == 0


_NORMALISERS = {
    "R": "N_p",
    "min": "min(k, N_p)",
    "k": "k",
    "retrieved": "relevant retrieved",
    "hits": "hits",
}
_OF_LIST = ("retrieved", "hits")  # what the list has, and not the pool


def _normaliser(m: Measure, x: Ranking, k: int, _: Reals) -> int:
    """What AP divides by, where it is the same for all orders of the tie groups."""
    groups = ties.placed(_R_groups(m, x), k)
    if m.norm == "hits" and any(cut < n and 0 < sum(R_T) < n for _, n, cut, R_T in groups):
        raise NoValue(
            "norm",
            "a tie group extends beyond the cut-off, so the number of hits depends on its order, "
            "and AP is not a quotient of two numbers (RS-EXP-28)",
        )
    return precision.normaliser(m.norm, _N_p(m, x), k, _R(m, x))


def _no_hits(m: Measure, x: Ranking) -> bool:
    """Whether the list has nothing that AP divides by, in any order of its tie groups."""
    k = x.length if m.norm == "retrieved" else m.depth_of(x)
    return not any(any(group) for *_, group in ties.placed(_R_groups(m, x), k))


_NORMS = {"R": "RS_NORM_R", "min": "RS_NORM_MIN", "k": "RS_NORM_K"}
_NORMS_OF_LIST = {"retrieved": "RS_NORM_RETRIEVED", "hits": "RS_NORM_HITS"}
_NORM_IN_CORE = Word(lambda m: m.norm, _NORMS | _NORMS_OF_LIST)
_NORM_OF_BOUNDS_IN_CORE = Word(lambda m: m.norm, _NORMS)
_COUNTED: Fields = {"theta": REL_IN_CORE}
BY_RANK: Fields = {"theta": REL_IN_CORE, "discount": INVERSE_IN_CORE}
_IF_TIED: Fields = {"theta": REL_IN_CORE, "discount": Weights(ZIPF, if_tied=True)}
_AP_IN_CORE = Call("RS_AP", {**BY_RANK, "norm": _NORM_IN_CORE})
_BOUNDS_OF_AP_IN_CORE = Call("RS_AP", {**BY_RANK, "norm": _NORM_OF_BOUNDS_IN_CORE})
LARGEST_PART_IN_CORE = 1 << 32  # of a level in decimals, above and below the line


def _levels_in_core(levels: Sequence[Exact], rounding: str) -> tuple[Exact, ...]:
    """Levels that do not fall, as doubles, or in decimals where they are rounded up."""
    if rounding != "up":
        return tuple(sorted(map(float, levels)))
    rising = sorted(map(precision.written_level, levels))
    return tuple(part for level in rising for part in level.as_integer_ratio())


_ROUNDINGS = {
    "nearest": "RS_LEVEL_NEAREST",
    "plus-0.9": "RS_LEVEL_PLUS",
    "up": "RS_LEVEL_UP",
}


def _iprec_in_core(levels: Callable[[Measure], Sequence[Exact]]) -> Call:
    def numbers(m: Measure) -> tuple[Exact, ...]:
        return _levels_in_core(levels(m), m.rounding)

    return Call(
        "RS_AVG_IPREC",
        {
            **BY_RANK,
            "q": Doubles(numbers, most=MOST_GRADES - 1),
            "n_q": Count(lambda m: len(numbers(m))),
            "norm": Word(lambda m: m.rounding, _ROUNDINGS),
        },
        lambda m: max(numbers(m)) <= LARGEST_PART_IN_CORE,
    )


_RPREC_MULT_IN_CORE = Call("RS_RPREC_MULT", {**_COUNTED, "p": Double(lambda m: float(m.multiple))})
_UTILITY_IN_CORE = Call(
    "RS_UTILITY",
    {
        **_COUNTED,
        "q": Doubles(lambda m: m.weights),
        "n_q": Count(lambda m: len(m.weights)),
        "padding": Count(lambda m: m.documents),
    },
)
THRESHOLDS: Fields = {
    "q": Doubles(lambda m: m.q, most=MOST_GRADES - 1),
    "n_q": Count(lambda m: len(m.q)),
    "discount": INVERSE_IN_CORE,
}
_GAP_IN_CORE = Call("RS_GAP", THRESHOLDS)


# ---- rank by rank ------------------------------------------------------------------------


def _indicator(m: Measure, _: Ranking, R: Reals) -> Callable[[Exact], Number]:
    return lambda label: R.exact(precision.relevance([label], m.rel)[0])


def _where_relevant(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    """A summand for each rank of a group that has something relevant."""
    return _where(lambda group: any(precision.relevance(group, m.rel)), x, k)


def _where_relevant_by_label(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    """For each label from which on items may be relevant, those of SP."""
    for j in range(1, len(m.q) + 1):
        yield from _where(lambda group, j=j: any(precision.relevance(group, j)), x, k)  # type: ignore[misc]


def _where(relevant: Callable[[Group], bool], x: Ranking, k: int) -> Iterator[Sequence[int]]:
    for group, ranks in groups_within(x, k):
        if relevant(group):
            yield from ([i] for i in ranks)


def _probability(ranks: Ranks, R: Reals) -> Callable[[Exact], Number]:
    return lambda label: precision.probability_relevant(label, ranks.measure.q, R)


def _graded_precisions(ranks: Ranks, R: Reals) -> list[Number | None]:
    """Of each rank what it adds to GSP over how probable it is that the item is relevant."""
    found: list[Number | None] = []
    for group, own in groups_within(ranks.ranking, ranks.k):
        of_group = sum(precision.probability_relevant(x, ranks.measure.q) for x in group)
        mean = fractions.Fraction(of_group) / len(group)
        terms = ranks.terms(R)
        found += [terms.get(i, 0) / R.exact(mean) if mean else None for i in own]
    return found


_COLUMNS = (RELEVANT, PRECISION)
_OF_HITS = Breakdown(_COLUMNS, each_group, variance=LinearVariance("rel", _indicator))
OF_SP = Breakdown(
    _COLUMNS,
    _where_relevant,
    tied="adds: the mean of rel * prec over the orders, not the product of the means shown",
    variance=VarianceOfSquare("RS-EXP-21"),
)
_OF_RR = replace(
    OF_SP,
    tied="adds: the share of orders with the first relevant document there, over #",
    variance=VarianceOfSquare("RS-EXP-22"),
)
OF_GSP = Breakdown(
    (
        Column("relevant", "rel", of_label(_probability)),
        Column(
            "precision",
            "prec",
            of_list(_graded_precisions),
            "adds = rel * prec; prec: the share found so far, by each label up to the document's "
            "as the least relevant one, and of these the mean by q (RS-PREC-9)",
        ),
    ),
    _where_relevant_by_label,
)


def _up_to_R(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    return each_group(m, x, min(k, _N_p(m, x)))


def _up_to_multiple(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    return each_group(m, x, min(k, _ranks_at(m, x.pool)))


def _where_preferred(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    """A summand for each rank of a group that has something relevant."""
    return _where(lambda group: 1 in _R_where_judged(m, group), x, k)


def _judged_as(R_i: int) -> Equation:
    """Whether an item is judged so: relevant, 1, or not, 0."""
    return of_label(
        lambda ranks, R: (
            lambda label: R.exact(int(_R_where_judged(ranks.measure, [label]) == [R_i]))
        )
    )


def _above(ranks: Ranks, R: Reals) -> list[Number | None]:
    """The judged items above each rank that are not relevant; under ties, the mean."""
    found: list[Number | None] = []
    above = R.exact(0)
    for group, own in groups_within(ranks.ranking, ranks.k):
        c = _R_where_judged(ranks.measure, group).count(0)
        found += [above + R.exact(c) / 2] * len(own) if len(group) > 1 else [above]
        above = above + c
    return found


_OF_RPREC = replace(_OF_HITS, places=_up_to_R, variance=None)
_OF_RPREC_MULT = replace(_OF_HITS, places=_up_to_multiple, variance=None)
_OF_SUCCESS = replace(
    OF_SP, tied="adds: the share of orders with the first relevant document there", variance=None
)
_OF_BPREF = Breakdown(
    (
        Column("relevant", "rel", _judged_as(1)),
        Column("nonrelevant", "nonrel", _judged_as(0)),
        Column(
            "nonrelevant_above",
            "above",
            of_list(_above),
            "above: the judged documents above that are not relevant. adds: 1 - min(above, D)/D, D "
            "the lesser of the numbers of relevant and of other judged documents (RS-PREC-14)",
        ),
    ),
    _where_preferred,
    unjudged="is passed over (RS-PREC-15)",
    tied="adds: the mean over the orders",
)


_BETA_OF_SETF = (
    "the parameter of SetF and set_F is the square of β, by which F is defined (RS-ERR-54); write "
    "F(beta=b), of which b² is that parameter"
)

_OF_AUC = Breakdown(
    (Column("relevant", "rel", _judged_as(1)), Column("nonrelevant", "nonrel", _judged_as(0))),
    each_group,
    rest="below",
    unjudged="is passed over (RS-PREC-40)",
    tied="adds: the mean over the orders",
)


def _in_sample_as(S_i: int) -> Equation:
    """Whether an item is relevant, 1, judged and not relevant, 0, or in the pool alone, -1."""
    return of_label(
        lambda ranks, R: (
            lambda label: R.exact(int(precision.in_sample([label], ranks.measure.rel) == [S_i]))
        )
    )


_OF_INFAP = Breakdown(
    (
        Column("relevant", "rel", _in_sample_as(1)),
        Column("nonrelevant", "nonrel", _in_sample_as(0)),
        Column(
            "sampled_out",
            "pooled",
            _in_sample_as(-1),
            "pooled: in the pool and not judged, a label below 0. adds: the precision that the "
            "judged documents above let infer (RS-PREC-51)",
        ),
    ),
    unjudged="is not in the pool, and adds to no count but the rank (RS-PREC-51)",
    tied="adds: how much the mean over the orders changes",
    by_cutoff=True,
    adds=lambda m, group: 1 in precision.in_sample(group, m.rel),
)


def _of_flags(name: str, heading: str, such: Callable[[Measure, Exact | None], bool]) -> Breakdown:
    """Of the number of results that are such: the others add 0."""
    column = Column(
        name,
        heading,
        of_label(lambda ranks, R: lambda label: R.exact(int(such(ranks.measure, label)))),
    )
    return Breakdown((column,), each_group, unjudged="is what it asks for (RS-PREC-24)")


_RETRIEVED = Column("retrieved", "ret", of_label(lambda _, R: lambda _: R.exact(1)))
_OF_QUERY = Breakdown((_RETRIEVED,), lambda m, x, k: iter(()), rest="below")
_OF_SET_AP = Breakdown(
    _COLUMNS,
    _where_relevant,
    tied="adds: what the rank adds to the mean of the square of the hits",
)

METRICS = (
    Metric(
        name="P",
        function="precision",
        title="precision",
        doc=Doc(
            "P@k, the share of the first k ranks that is relevant; ranks beyond the list count "
            "as not relevant.",
            ">>> precision([3, 2, 3, 0, 1, 2], k=4)\n0.75",
        ),
        spec="RS-PREC-2",
        expected_spec="RS-EXP-5",
        plain=lambda m, x, k, R: precision.precision(_R(m, x), k, R),
        expected=lambda m, x, k, R: precision.expected_precision(_R_groups(m, x), k, R),
        parameters=parameters(REL),
        pool=False,
        names=Names(
            trec_cut="P",
            others={
                "ir_measures": ("Precision",),
                "ranx": ("precision",),
                "recommenders": ("precision_at_K",),
                "others": ("Prec",),
            },
        ),
        quotient=Quotient(
            "hits",
            _hits,
            (Divisor(lambda m: "k", lambda m, x, k, R: k, "RS-PREC-2"),),
            by_k=lambda m: True,
        ),
        orders=Orders(variance=_variance_of_hits),
        core=Core(
            Call("RS_PRECISION", _COUNTED),
            bounds=Call("RS_PRECISION", _COUNTED),
            variances=True,
        ),
        axioms=axioms.sums(
            axioms.relevances,
            axioms.undiscounted,
            lambda m: m.k is not None,
            unit=lambda _: True,
            of_k=True,
        ),
        breakdown=_OF_HITS,
        extremes=Extremes(by_rank=lambda m: m.k is not None),
    ),
    Metric(
        name="R",
        function="recall",
        title="recall",
        doc=Doc(
            "Recall@k, the share of the pool's relevant items that the first k ranks show.",
            ">>> recall([3, 2, 3, 0, 1, 2], k=4)\n0.6",
        ),
        spec="RS-PREC-3",
        expected_spec="RS-EXP-6",
        plain=lambda m, x, k, R: precision.recall(_R(m, x), _N_p(m, x), k, R),
        expected=lambda m, x, k, R: precision.expected_recall(_R_groups(m, x), _N_p(m, x), k, R),
        parameters=parameters(REL),
        pool=True,
        names=Names(
            trec="set_recall",
            trec_cut="recall",
            others={
                "ir_measures": ("Recall", "SetR"),
                "ranx": ("recall",),
                "recommenders": ("recall_at_K",),
            },
        ),
        quotient=Quotient(
            "hits",
            _hits,
            (Divisor(lambda m: "N_p", lambda m, x, k, R: _N_p(m, x), "RS-PREC-3"),),
            by_0=_nothing_relevant,
        ),
        orders=Orders(variance=_variance_of_hits),
        core=Core(
            Call("RS_RECALL", _COUNTED),
            bounds=Call("RS_RECALL", _COUNTED),
            variances=True,
        ),
        axioms=axioms.normalised(
            axioms.relevances, axioms.undiscounted, at_any_depth=lambda _: False
        ),
        breakdown=_OF_HITS,
        extremes=Extremes(of_hits=OfHits(False, lambda m, N_p, k: N_p)),
    ),
    Metric(
        name="RR",
        function="rr",
        title="reciprocal rank",
        doc=Doc(
            "RR@k, 1/rank of the first relevant item within the cut-off; 0 if there is none.",
            ">>> rr([0, 0, 1, 1])\n0.3333333333333333",
        ),
        spec="RS-PREC-4",
        expected_spec="RS-EXP-7",
        plain=lambda m, x, k, R: precision.rr(_R(m, x), k, R),
        expected=lambda m, x, k, R: precision.expected_rr(_R_groups(m, x), k, R),
        parameters=parameters(REL),
        pool=False,
        names=Names(
            trec="recip_rank",
            others={"ir_measures": ("MRR",), "ranx": ("mrr",), "mteb": ("mrr_at_K",)},
        ),
        orders=Orders(
            variance=lambda m, x, k, R: precision.variance_of_rr(sum(_R(m, x)), len(x.labels), k, R)
        ),
        core=Core(
            Call("RS_RR", _IF_TIED),
            bounds=Call("RS_RR", BY_RANK),
            variances=True,
        ),
        axioms=axioms.firsts(step=False),
        breakdown=_OF_RR,
    ),
    Metric(
        name="SP",
        function="sp",
        title="sum of precisions",
        doc=Doc(
            "SP@k, the sum of Prec(i) over the relevant ranks i up to k.",
            ">>> sp([1, 0, 1])\n1.6666666666666667",
        ),
        spec="RS-PREC-5",
        expected_spec="RS-EXP-9",
        plain=lambda m, x, k, R: precision.sp(_R(m, x), k, R),
        expected=expected_sp,
        parameters=parameters(REL),
        pool=False,
        orders=Orders(
            variance=variance_of_sp,
            by_paper=PaperBounds(_largest_sp, _sp_of_karmaker, "RS-BND-10", of_an_order=False),
        ),
        core=Core(
            Call("RS_SP", BY_RANK),
            bounds=Call("RS_SP", BY_RANK),
            variances=True,
        ),
        axioms=axioms.precisions(axioms.relevances, unit=False),
        breakdown=OF_SP,
    ),
    Metric(
        name="AP",
        function="ap",
        title="average precision",
        doc=Doc(
            'AP@k, SP@k divided by a normaliser. With norm "R" it is the number R of relevant '
            'items in the pool, with "min" min(k, R), with "k" the cut-off, with "retrieved" the '
            'number of relevant items in the list, with "hits" that number in its first k '
            "(RS-PREC-6).",
            ">>> ap([1, 0, 1, 0])\n0.8333333333333334",
        ),
        spec="RS-PREC-7",
        expected_spec="RS-EXP-10",
        plain=lambda m, x, k, R: precision.ap(_R(m, x), _N_p(m, x), k, m.norm, R),
        expected=lambda m, x, k, R: precision.expected_ap(
            _R_groups(m, x), _N_p(m, x), k, m.norm, R
        ),
        parameters=parameters(REL, NORM),
        pool=True,
        names=Names(
            trec="map", trec_cut="map_cut", others={"ir_measures": ("MAP",), "ranx": ("map",)}
        ),
        quotient=Quotient(
            "SP",
            expected_sp,
            (
                Divisor(
                    lambda m: _NORMALISERS[m.norm],
                    _normaliser,
                    "RS-PREC-6",
                ),
            ),
            by_k=lambda m: m.norm == "k",
            by_0=lambda m, pool: m.norm != "k" and _nothing_relevant(m, pool),
            by_list=lambda m: m.norm in _OF_LIST,
            by_0_of_list=_no_hits,
        ),
        beyond=lambda m: m.norm == "retrieved",
        extremes=Extremes(
            lambda m, _: m.norm not in _OF_LIST,
            of_hits=OfHits(True, lambda m, N_p, k: precision.normaliser(m.norm, N_p, k)),
        ),
        orders=Orders(
            variance=variance_of_sp,
            by_paper=PaperBounds(
                over_divisors(_largest_sp),
                over_divisors(_sp_of_karmaker),
                "RS-BND-10",
                of_an_order=False,
            ),
        ),
        core=Core(
            _AP_IN_CORE,
            bounds=_BOUNDS_OF_AP_IN_CORE,
            variances=True,
        ),
        axioms=axioms.precisions(
            axioms.relevances,
            lambda m: m.norm in ("R", "min") or (m.norm == "k" and m.k is not None),
            best_is_1=lambda m: m.norm == "min" or (m.norm == "R" and m.k is None),
            steady=lambda m: m.norm == "R",
        ),
        breakdown=OF_SP,
    ),
    Metric(
        name="GAP",
        function="gap",
        title="graded average precision",
        doc=Doc(
            "GAP@k, graded average precision: the expected AP over the sets of labels that a "
            "user may take as relevant.",
            ">>> gap([1, 0, 1, 0]) == ap([1, 0, 1, 0])\nTrue",
            arguments={
                "q": (
                    "the probabilities that a user takes the labels from 1, from 2, ... on as "
                    "relevant; only their ratios count. A label above all of them counts as the "
                    "last one"
                ),
            },
        ),
        spec="RS-PREC-11",
        expected_spec="RS-EXP-18",
        plain=lambda m, x, k, R: precision.gap(x.labels, x.pool, k, m.q, R),
        expected=lambda m, x, k, R: precision.expected_gap(x.groups, x.pool, k, m.q, R),
        parameters=parameters(Q),
        pool=True,
        quotient=Quotient(
            "GSP",
            expected_gsp,
            (
                Divisor(
                    lambda m: "expected number relevant",
                    lambda m, x, k, R: precision.expected_number_relevant(x.pool, m.q, R),
                    "RS-PREC-10",
                ),
            ),
            by_0=_never_relevant,
        ),
        extremes=NO_EXTREMES,
        core=Core(_GAP_IN_CORE, bounds=_GAP_IN_CORE),
        axioms=axioms.precisions(axioms.probabilities, best_is_1=axioms.uncut),
        breakdown=OF_GSP,
    ),
    Metric(
        name="Rprec",
        function="rprec",
        title="R-precision",
        doc=Doc(
            "Rprec@k, the share of the first R ranks that is relevant, where R is the number of "
            "relevant items in the pool; only ranks up to k count.",
            ">>> rprec([1, 0, 1, 1])\n0.6666666666666666",
        ),
        spec="RS-PREC-12",
        expected_spec="RS-EXP-24",
        plain=lambda m, x, k, R: precision.rprec(_R(m, x), _N_p(m, x), k, R),
        expected=_expected_rprec,
        parameters=parameters(REL),
        pool=True,
        names=Names(
            trec="Rprec",
            others={"others": ("r_precision",)},
            with_parameters={"r-precision": ""},
        ),
        quotient=Quotient(
            "hits",
            _hits_up_to_R,
            (Divisor(lambda m: "N_p", lambda m, x, k, R: _N_p(m, x), "RS-PREC-12"),),
            by_0=_nothing_relevant,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_RPREC", _COUNTED)),
        axioms={
            **axioms.known("RS-PREC-12/L1", "range", "boundedness"),
            **axioms.known("RS-PREC-12/L3", "swap"),
        },
        breakdown=_OF_RPREC,
    ),
    Metric(
        name="Success",
        function="success",
        title="success",
        doc=Doc(
            "Success@k, 1 if one of the first k ranks is relevant, else 0.",
            ">>> success([0, 0, 1], k=3), success([0, 0, 1], k=2)\n(1.0, 0.0)",
        ),
        spec="RS-PREC-13",
        expected_spec="RS-EXP-25",
        plain=lambda m, x, k, R: precision.success(_R(m, x), k, R),
        expected=lambda m, x, k, R: precision.expected_success(_R_groups(m, x), k, R),
        parameters=parameters(REL),
        pool=False,
        names=Names(
            trec_cut="success",
            others={
                "ir_measures": ("HitRate",),
                "ranx": ("hit_rate",),
                "others": ("HR", "hit", "hit_ratio"),
            },
        ),
        core=Core(Call("RS_SUCCESS", _COUNTED)),
        axioms=axioms.firsts(step=True),
        breakdown=_OF_SUCCESS,
    ),
    Metric(
        name="Bpref",
        function="bpref",
        title="binary preference",
        doc=Doc(
            "bpref@k: each retrieved relevant item counts 1 minus the share of judged "
            "non-relevant items above it; the mean over the pool's relevant items.",
            ">>> bpref([0, 0, 1], unjudged=[1, 0, 0], judged=[1, 1, 0, 0])\n0.25",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; it is passed over. "
                    "By default all are judged"
                ),
            },
        ),
        spec="RS-PREC-15",
        expected_spec="RS-EXP-27",
        plain=_bpref,
        expected=_expected_bpref,
        parameters=parameters(REL),
        pool=True,
        names=Names(trec="bpref"),
        labels=Labels(unjudged=True),
        quotient=Quotient(
            "preferences",
            _preferences,
            (Divisor(lambda m: "N_p", lambda m, x, k, R: _judged(m, x)[0], "RS-PREC-15"),),
            by_0=_nothing_relevant,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_BPREF", _COUNTED)),
        breakdown=_OF_BPREF,
    ),
    Metric(
        name="infAP",
        function="infap",
        title="inferred average precision",
        doc=Doc(
            "infAP@k, average precision inferred from the judged items when only a sample of the "
            "pool has judgments. A label below 0 marks an item of the pool that has none.",
            ">>> infap([1, -1, 0, 1]), infap([1, -1, 0, 1], judged=[1, -1, 0, 1, 1, -1])\n"
            "(0.8125, 0.5416666666666666)",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where the item is not in the pool; its label does "
                    "not count. By default all are in the pool"
                ),
            },
        ),
        spec="RS-PREC-51",
        expected_spec="RS-EXP-95",
        plain=_infap,
        expected=_expected_infap,
        parameters=parameters(REL),
        pool=True,
        names=Names(trec="infAP"),
        labels=Labels(unjudged=True, negative=True),
        quotient=Quotient(
            "inferred precisions",
            _inferred_precisions,
            (
                Divisor(
                    lambda m: "N_p",
                    lambda m, x, k, R: _relevant_in_sample(m, x.pool),
                    "RS-PREC-51",
                ),
            ),
            by_0=lambda m, pool: _relevant_in_sample(m, pool) == 0,
        ),
        extremes=NO_EXTREMES,
        breakdown=_OF_INFAP,
    ),
    Metric(
        name="AUC",
        function="auc",
        title="area under the ROC curve",
        doc=Doc(
            "AUC@k: over all pairs of a relevant item of the pool and a judged item that is not "
            "relevant, the share in which the relevant item ranks higher; a pair that the first "
            "k ranks do not show counts one half.",
            ">>> auc([1, 0, 1, 0]), auc([1, 0], judged=[1, 1, 0, 0])\n(0.75, 0.625)",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; it is passed over. "
                    "By default all are judged"
                ),
            },
        ),
        spec="RS-PREC-40",
        expected_spec="RS-EXP-93",
        plain=_auc,
        expected=_expected_auc,
        parameters=parameters(REL),
        pool=True,
        names=Names(others={"scikit-learn": ("roc_auc_score",), "others": ("ROC_AUC",)}),
        labels=Labels(unjudged=True, in_pairs=True),
        quotient=Quotient(
            "pairs",
            _pairs,
            (
                Divisor(lambda m: "N_p", lambda m, x, k, R: _judged(m, x)[0], "RS-PREC-40"),
                Divisor(lambda m: "N_n", lambda m, x, k, R: _judged(m, x)[1], "RS-PREC-40"),
            ),
            by_0=_no_pairs,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_AUC", _COUNTED)),
        breakdown=_OF_AUC,
    ),
    Metric(
        name="NumRet",
        function="num_ret",
        title="number retrieved",
        doc=Doc(
            "NumRet@k, the number of results; only those up to k count.",
            ">>> num_ret([1, 0, 1]), num_ret([1, 0, 1], k=2)\n(3.0, 2.0)",
        ),
        spec="RS-PREC-16",
        expected_spec="RS-PREC-16",
        plain=lambda m, x, k, R: precision.num_ret(x.length, k, R),
        expected=lambda m, x, k, R: precision.num_ret(x.length, k, R),
        parameters=parameters(),
        pool=False,
        names=Names(trec="num_ret", other_metric={"rel": {ANY: "NumRelRet"}}),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_NUM_RET", {})),
        breakdown=Breakdown((_RETRIEVED,)),
        average=SUM,
        whole_numbers=True,
    ),
    Metric(
        name="NumRel",
        function="num_rel",
        title="number relevant",
        doc=Doc(
            "NumRel, the number of relevant items of the pool, whatever k is. The labels are those "
            "of the pool.",
            ">>> num_rel([2, 0, 1]), num_rel([2, 0, 1], rel=2)\n(2.0, 1.0)",
        ),
        spec="RS-PREC-17",
        expected_spec="RS-PREC-17",
        plain=_number_in_pool,
        expected=_number_in_pool,
        parameters=parameters(REL),
        pool=True,
        of_pool=True,
        names=Names(trec="num_rel"),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_NUM_REL", _COUNTED)),
        breakdown=Breakdown((RELEVANT,), whole=True),
        average=SUM,
        whole_numbers=True,
    ),
    Metric(
        name="NumRelRet",
        function="num_rel_ret",
        title="number of relevant retrieved",
        doc=Doc(
            "NumRelRet@k, the number of relevant results up to k.",
            ">>> num_rel_ret([1, 0, 1]), num_rel_ret([1, 0, 1], k=2)\n(2.0, 1.0)",
        ),
        spec="RS-PREC-18",
        expected_spec="RS-EXP-4",
        plain=lambda m, x, k, R: precision.num_rel_ret(_R(m, x), k, R),
        expected=_hits,
        parameters=parameters(REL),
        pool=False,
        names=Names(trec="num_rel_ret"),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_NUM_REL_RET", _COUNTED)),
        breakdown=replace(_OF_HITS, variance=None),
        average=SUM,
        whole_numbers=True,
    ),
    Metric(
        name="NumQ",
        function="num_q",
        title="number of queries",
        doc=Doc(
            "NumQ, 1 for each query: its sum is the number of queries.", ">>> num_q([1, 0, 1])\n1.0"
        ),
        spec="RS-PREC-19",
        expected_spec="RS-PREC-19",
        plain=lambda m, x, k, R: precision.num_q(R),
        expected=lambda m, x, k, R: precision.num_q(R),
        parameters=parameters(),
        pool=False,
        names=Names(trec="num_q"),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_NUM_Q", {})),
        breakdown=_OF_QUERY,
        average=SUM,
        whole_numbers=True,
    ),
    Metric(
        name="SetP",
        function="set_p",
        title="precision of a set",
        doc=Doc(
            "SetP@k, the share of the results up to k that is relevant; ranks beyond the list do "
            "not count.",
            ">>> set_p([1, 0, 1], k=4), precision([1, 0, 1], k=4)\n(0.6666666666666666, 0.5)",
        ),
        spec="RS-PREC-20",
        expected_spec="RS-EXP-30",
        plain=lambda m, x, k, R: precision.set_p(_R(m, x), k, R),
        expected=_expected_hits_over(_shown),
        parameters=parameters(REL),
        pool=False,
        names=Names(trec="set_P", other_metric={"relative": {True: "RelP", False: "SetP"}}),
        quotient=Quotient(
            "hits",
            _hits,
            (Divisor(lambda m: "min(k, n)", lambda m, x, k, R: _shown(m, x, k), "RS-PREC-20"),),
            by_list=always,
            by_0_of_list=_nothing_shown,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_SET_P", _COUNTED)),
        breakdown=replace(_OF_HITS, variance=None),
    ),
    Metric(
        name="RelP",
        function="rel_p",
        title="relative precision",
        doc=Doc(
            "RelP@k, the number of relevant results up to k divided by the greatest possible "
            "number, min(k, R), where R is the number of relevant items in the pool.",
            ">>> rel_p([1, 0, 1], judged=[1, 1, 1, 0], k=2)\n0.5",
        ),
        spec="RS-PREC-21",
        expected_spec="RS-EXP-30",
        plain=lambda m, x, k, R: precision.rel_p(_R(m, x), _N_p(m, x), k, R),
        expected=_expected_hits_over(_most_hits),
        parameters=parameters(REL),
        pool=True,
        names=Names(
            trec="set_relative_P",
            trec_cut="relative_P",
            others={"ir_measures": ("SetRelP",), "beir": ("recall_cap", "R_cap")},
        ),
        quotient=Quotient(
            "hits",
            _hits,
            (
                Divisor(
                    lambda m: "min(k, N_p)", lambda m, x, k, R: _most_hits(m, x, k), "RS-PREC-21"
                ),
            ),
            by_k=lambda m: True,
            by_0=_nothing_relevant,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_REL_P", _COUNTED)),
        breakdown=replace(_OF_HITS, variance=None),
    ),
    Metric(
        name="F",
        function="f_measure",
        title="F measure",
        doc=Doc(
            "F@k, the weighted harmonic mean of P@k and recall@k.",
            ">>> f_measure([1, 0, 1], judged=[1, 1, 1, 0], k=2)\n0.4",
        ),
        spec="RS-PREC-22",
        expected_spec="RS-EXP-30",
        plain=lambda m, x, k, R: precision.f_measure(_R(m, x), _N_p(m, x), k, m.beta, R),
        expected=_expected_hits_over(_divisor_of_f),
        parameters=parameters(REL, BETA),
        pool=True,
        names=Names(
            trec="set_F",
            others={"ranx": ("f1",), "others": ("F1",)},
            with_parameters={"SetF": ""},
            refused={name: {"beta": _BETA_OF_SETF} for name in ("SetF", "set_F")},
        ),
        quotient=Quotient(
            "hits",
            _hits,
            (
                Divisor(
                    lambda m: "((beta^2 N_p + k)/(1 + beta^2))",
                    lambda m, x, k, R: R.exact(_divisor_of_f(m, x, k)),
                    "RS-PREC-22",
                ),
            ),
            by_k=lambda m: True,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_F", _COUNTED, lambda m: m.beta == 1)),
        breakdown=replace(_OF_HITS, variance=None),
    ),
    Metric(
        name="SetAP",
        function="set_ap",
        title="average precision of a set",
        doc=Doc(
            "SetAP@k, the product of SetP@k and recall@k.",
            ">>> set_ap([1, 0, 1], judged=[1, 1, 1, 0], k=2)\n0.16666666666666666",
        ),
        spec="RS-PREC-23",
        expected_spec="RS-EXP-31",
        plain=lambda m, x, k, R: precision.set_ap(_R(m, x), _N_p(m, x), k, R),
        expected=lambda m, x, k, R: precision.expected_set_ap(_R_groups(m, x), _N_p(m, x), k, R),
        parameters=parameters(REL),
        pool=True,
        names=Names(trec="set_map"),
        quotient=Quotient(
            "hits^2",
            _squared_hits,
            (
                Divisor(lambda m: "min(k, n)", lambda m, x, k, R: _shown(m, x, k), "RS-PREC-23"),
                Divisor(lambda m: "N_p", lambda m, x, k, R: _N_p(m, x), "RS-PREC-23"),
            ),
            by_list=always,
            by_0_of_list=lambda m, x: _nothing_relevant(m, x.pool) or _nothing_shown(m, x),
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_SET_AP", _COUNTED)),
        breakdown=_OF_SET_AP,
    ),
    Metric(
        name="Yaap",
        function="yaap",
        title="yet another average precision",
        doc=Doc(
            "Yaap@k, the logarithm of the smoothed odds of AP: ln((1 + SP@k) / (1 + R - SP@k)), "
            "where R is the number of relevant items in the pool.",
            ">>> yaap([1, 0]) == -yaap([0, 0], judged=[1])\nTrue",
        ),
        spec="RS-PREC-61",
        expected_spec="RS-EXP-49",
        plain=lambda m, x, k, R: precision.yaap(_R(m, x), _N_p(m, x), k, R),
        expected=_expected_yaap,
        parameters=parameters(REL),
        pool=True,
        names=Names(trec="yaap"),
        orders=Orders(unknown="has no closed form over all orders (RS-BND-1)"),
        extremes=NO_EXTREMES,
        breakdown=Breakdown((RELEVANT,), by_cutoff=True, rest="of what is not shown"),
    ),
    Metric(
        name="Utility",
        function="utility",
        title="utility of a set",
        doc=Doc(
            "Utility@k, the total worth of the documents; the worth depends on whether a "
            "document is relevant and whether it is among the first k.",
            ">>> utility([1, 0, 0], judged=[1, 0, 0, 1], weights=[2, -1, -0.5, 0])\n-0.5",
        ),
        spec="RS-PREC-60",
        expected_spec="RS-EXP-100",
        plain=_utility,
        expected=_expected_utility,
        parameters=parameters(REL, WEIGHTS, DOCUMENTS),
        pool=True,
        names=Names(trec="utility", trec_numbers="weights"),
        orders=Orders(unknown="has no best order but by its weights (RS-BND-1)"),
        extremes=NO_EXTREMES,
        beyond=lambda m: m.documents is not None,  # which counts the whole list
        core=Core(_UTILITY_IN_CORE),
        check=_check_utility,
        breakdown=Breakdown((RELEVANT,), by_cutoff=True, rest="of what is not shown"),
    ),
    Metric(
        name="Judged",
        function="judged",
        title="share judged",
        doc=Doc(
            "Judged@k, the share of the results up to k that somebody has judged.",
            ">>> judged([0, 0, 1], unjudged=[1, 0, 0], k=2)\n0.5",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; by default all are "
                    "judged"
                ),
            },
        ),
        spec="RS-PREC-24",
        expected_spec="RS-EXP-32",
        plain=lambda m, x, k, R: precision.judged(_unjudged_flags(x), k, R),
        expected=lambda m, x, k, R: precision.expected_flags(
            _are_judged(m, x), k, _shown(m, x, k), R
        ),
        parameters=parameters(),
        pool=False,
        names=Names(),
        labels=Labels(unjudged=True),
        quotient=Quotient(
            "judged",
            _number_of(_are_judged),
            (Divisor(lambda m: "min(k, n)", lambda m, x, k, R: _shown(m, x, k), "RS-PREC-24"),),
            by_list=always,
            by_0_of_list=_nothing_shown,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_JUDGED", {})),
        breakdown=_of_flags("judged", "judged", lambda _, label: label is not None),
    ),
    Metric(
        name="Unjudged",
        function="unjudged",
        title="share unjudged",
        doc=Doc(
            "Unjudged@k, the share of the first k ranks whose items nobody has judged.",
            ">>> unjudged([0, 0, 1], unjudged=[1, 0, 0], k=5)\n0.2",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; by default all are "
                    "judged"
                ),
            },
        ),
        more_is_better=False,
        spec="RS-PREC-25",
        expected_spec="RS-EXP-32",
        plain=lambda m, x, k, R: precision.unjudged(_unjudged_flags(x), k, R),
        expected=lambda m, x, k, R: precision.expected_flags(_are_unjudged(m, x), k, k, R),
        parameters=parameters(),
        pool=False,
        names=Names(trec_cut="unj"),
        labels=Labels(unjudged=True),
        quotient=Quotient(
            "unjudged",
            _number_of(_are_unjudged),
            (Divisor(lambda m: "k", lambda m, x, k, R: k, "RS-PREC-25"),),
            by_k=lambda m: True,
        ),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_UNJUDGED", {})),
        breakdown=_of_flags("unjudged", "unjudged", lambda _, label: label is None),
    ),
    Metric(
        name="NumNonrelRet",
        function="num_nonrel_ret",
        title="number of judged and not relevant retrieved",
        doc=Doc(
            "NumNonrelRet@k, the number of results up to k that are judged and not relevant.",
            ">>> num_nonrel_ret([0, 0, 1], unjudged=[1, 0, 0])\n1.0",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; by default all are "
                    "judged"
                ),
            },
        ),
        more_is_better=False,
        spec="RS-PREC-26",
        expected_spec="RS-EXP-32",
        plain=lambda m, x, k, R: precision.num_nonrel_ret(_R_where_judged(m, x.labels), k, R),
        expected=_number_of(_are_not_relevant),
        parameters=parameters(REL),
        pool=False,
        names=Names(trec="num_nonrel_judged_ret"),
        labels=Labels(unjudged=True),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_NUM_NONREL_RET", _COUNTED)),
        breakdown=_of_flags(
            "nonrelevant", "nonrel", lambda m, label: _R_where_judged(m, [label]) == [0]
        ),
        average=SUM,
        whole_numbers=True,
    ),
    Metric(
        name="IPrec",
        function="iprec",
        title="interpolated precision at a recall",
        doc=Doc(
            "IPrec@k, the greatest precision at a rank up to k where the list has at least as "
            "many relevant items as that level of recall requires; 0 if there is no such rank.",
            ">>> iprec([1, 0, 1, 0, 1], recall=0.4), iprec([1, 0, 1, 0, 1], recall=0.6)\n"
            "(1.0, 0.6666666666666666)",
        ),
        spec="RS-PREC-28",
        expected_spec="RS-EXP-90",
        plain=_iprec,
        expected=_expected_iprec,
        parameters=parameters(REL, RECALL, ROUNDING),
        pool=True,
        names=Names(
            trec_level="iprec_at_recall", level="recall", at_level=True, by_version=("rounding",)
        ),
        extremes=NO_EXTREMES,
        core=Core(_iprec_in_core(lambda m: (m.recall,))),
        breakdown=Breakdown(_COLUMNS, by_cutoff=True),
    ),
    Metric(
        name="AvgIPrec",
        function="avg_iprec",
        title="mean interpolated precision over levels of recall",
        doc=Doc(
            "AvgIPrec@k, the mean of IPrec@k over levels of recall, by default the eleven 0, 0.1, "
            "..., 1.",
            ">>> avg_iprec([1, 0, 1], levels=[0.5, 1])\n0.8333333333333334",
        ),
        spec="RS-PREC-29",
        expected_spec="RS-EXP-91",
        plain=_avg_iprec,
        expected=_expected_avg_iprec,
        parameters=parameters(REL, LEVELS, ROUNDING),
        pool=True,
        names=Names(trec="11pt_avg", trec_numbers="levels", by_version=("rounding",)),
        extremes=NO_EXTREMES,
        core=Core(_iprec_in_core(lambda m: m.levels)),
        breakdown=Breakdown(_COLUMNS, by_cutoff=True),
    ),
    Metric(
        name="RprecMult",
        function="rprec_mult",
        title="precision at a multiple of R",
        doc=Doc(
            "RprecMult@k, precision at a multiple of R, the number of relevant items in the "
            "pool; only ranks up to k count.",
            ">>> rprec_mult([1, 0, 1, 0], multiple=0.5), rprec_mult([1, 0, 1, 0], multiple=2)\n"
            "(1.0, 0.5)",
        ),
        spec="RS-PREC-30",
        expected_spec="RS-EXP-92",
        plain=lambda m, x, k, R: precision.rprec_mult(_R(m, x), k, _ranks_at(m, x.pool), R),
        expected=lambda m, x, k, R: precision.expected_rprec_mult(
            _R_groups(m, x), k, _ranks_at(m, x.pool), R
        ),
        parameters=parameters(REL, MULTIPLE),
        pool=True,
        names=Names(trec_level="Rprec_mult", level="multiple"),
        quotient=Quotient(
            "hits",
            _hits_up_to_multiple,
            (Divisor(lambda m: "c", lambda m, x, k, R: _ranks_at(m, x.pool), "RS-PREC-30"),),
            by_0=lambda m, pool: _ranks_at(m, pool) == 0,
        ),
        orders=Orders(unknown="has no bounds worked out here (RS-BND-1)"),
        extremes=NO_EXTREMES,
        core=Core(_RPREC_MULT_IN_CORE),
        breakdown=_OF_RPREC_MULT,
    ),
)
