"""Agreement of measures, of judgments, of runs: the equations of the spec, on what is named.

Systems, queries and documents have names here, and input is checked. Where a statistic has no
value, ``Undefined`` (an ``ArithmeticError``) says why. A number is a double: the one nearest to the
value, but for the power of a test (RS-AGR-22).

Spec: RS-AGR
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, sqrt
from typing import Any

from ...compute.gain import real_number, whole
from ...compute.randomness import check_replicates, check_seed
from ...errors import InputError, listed, quoted, shown
from ...formats.frames import check_id
from ...formats.trec import id_bytes
from ...reference import agreement as equations
from ...reference.agreement import Bin, Conflicts, Ranking
from ...reference.comparison import fractions
from ...reference.numbers.reals import Exact, Reals
from ...reference.numerics import nearest_double, nearest_double_of
from ...reference.randomness import permutation
from .distributions import special
from .inputs import as_double
from .systems import double_or_none, exact_fraction

BIN, BINS = Fraction(1, 100), 21
"""The width and the number of the bins of differences (RS-AGR-14)."""

TRIALS = 1000
SPLITS = 4
"""The purpose of the words that split queries (RS-RND-2)."""

MOST_QUERIES = 1 << 31

Scores = Mapping[str, Mapping[str, float]]
"""{system: {query: value}}"""

Judgments = Mapping[str, Mapping[str, Any]]
"""{query: {document: label}}"""


# ---- what goes in --------------------------------------------------------------------------


def check_values(name: str, values: Sequence[Any]) -> list[Exact]:
    """Return finite numbers as Python's own; InputError if a value is none."""
    numbers = []
    for i, value in enumerate(values):
        number = real_number(value)
        if number is None:
            raise InputError(f"{name}: value {i + 1} is {shown(value)}; expected a number")
        if isinstance(number, float) and not isfinite(number):
            raise InputError(f"{name}: value {i + 1} is {value}; values must be finite")
        numbers.append(number)
    return numbers


def check_lists(x: Sequence[Any], y: Sequence[Any]) -> tuple[list[Exact], list[Exact]]:
    """Return two lists of finite numbers, of one length, as Python's own."""
    first, second = check_values("x", x), check_values("y", y)
    if len(x) != len(y):
        raise InputError(f"x, y: {len(x)} and {len(y)} values; expected one value per item in both")
    return first, second


def check_share(name: str, x: Any) -> Exact:
    """Return a number between 0 and 1, excluding both, as Python's own."""
    number = real_number(x)
    if number is None or not 0 < number < 1:
        raise InputError(f"{name}: expected a number between 0 and 1, got {_number_shown(x)}")
    return number


def check_above_0(name: str, x: Any) -> Exact:
    """Return a finite number above 0 as Python's own."""
    number = real_number(x)
    if number is None or not 0 < number < inf:
        raise InputError(f"{name}: expected a number above 0, got {_number_shown(x)}")
    return number


def _number_shown(x: Any) -> str:
    """Return what stands for a number in a message: options of the command line are fractions."""
    return str(x) if isinstance(x, Fraction) else shown(x)


def check_queries(n: Any) -> int:
    """Return the number of queries of a t-test as a plain integer."""
    number = whole(n)
    if number is None or not 2 <= number <= MOST_QUERIES:
        raise InputError(f"n: expected a number of queries from 2 to 2^31, got {shown(n)}")
    return number


def check_ranking(name: str, ranking: Ranking) -> None:
    """Groups of items, none of them empty, no item twice."""
    seen: set[Hashable] = set()
    for group in ranking:
        if isinstance(group, str) or not len(group):
            raise InputError(f"{name}: expected a group of items, got {shown(group)}")
        for item in group:
            if item in seen:
                raise InputError(f"{name}: {quoted(item)} occurs twice")
            seen.add(item)


def check_p_values(name: str, values: Sequence[Any]) -> list[Exact | None]:
    """Return numbers from 0 to 1 as Python's own; None where a test is undefined."""
    numbers = []
    for i, p in enumerate(values):
        number = real_number(p)
        if p is not None and (number is None or not 0 <= number <= 1):
            raise InputError(
                f"{name}: p-value {i + 1} is {shown(p)}; expected a number from 0 to 1"
            )
        numbers.append(number)
    return numbers


def _same_names(first: Mapping[str, Any], second: Mapping[str, Any], what: str) -> list[str]:
    """The names of both, in the order of the first."""
    if apart := first.keys() ^ second.keys():
        raise InputError(f"{what}: only one of the two has {listed(sorted(apart))}")
    return list(first)


# ---- two orders of systems -----------------------------------------------------------------


@dataclass(frozen=True)
class OrderAgreement:
    """How two measures, or two sets of judgments, order the same systems.

    tau_b (RS-AGR-2), tau_ap_b (RS-AGR-5), rbo (RS-AGR-7; of the variant b, with the persistence
    p, None without one): None where undefined
    swapped: the pairs (A, B) where A is better by the first and B by the second (RS-AGR-1)
    tau_ap: of the order by the second, that by the first taken as true; and the other way round
        (RS-AGR-4; None where the true one has ties)
    """

    tau_b: float | None
    tau_ap_b: float | None
    rbo: float | None
    p: float | None
    swapped: list[tuple[str, str]]
    tau_ap: tuple[float | None, float | None]


def compare_orders(
    first: Mapping[str, float], second: Mapping[str, float], p: float | None = None
) -> OrderAgreement:
    """How two measures order the same systems.

    first, second: {system: mean}; p: the persistence of RBO, without which there is none

    >>> found = compare_orders({"A": 0.5, "B": 0.4, "C": 0.3}, {"A": 0.2, "B": 0.3, "C": 0.1}, 0.9)
    >>> found.tau_b, found.swapped
    (0.3333333333333333, [('A', 'B')])
    """
    rbo_p = None if p is None else check_share("p", p)
    names = _same_names(first, second, "systems")
    x, y = check_lists([first[name] for name in names], [second[name] for name in names])
    by_second = dict(zip(names, y, strict=True))
    one = ranking_of(dict(zip(names, x, strict=True)))
    other = ranking_of({name: by_second[name] for name in second})
    return OrderAgreement(
        double_or_none(lambda reals: equations.tau_b(x, y, reals)),
        double_or_none(lambda reals: reals.exact(equations.tau_ap_b(x, y))),
        None
        if rbo_p is None
        else double_or_none(lambda R: equations.rbo_ext(one, other, rbo_p, "b", R)),
        p,
        [(names[i], names[j]) for i, j in equations.swapped(x, y)],
        (_tau_ap_a(x, y), _tau_ap_a(y, x)),
    )


def _tau_ap_a(x: Sequence[Exact], y: Sequence[Exact]) -> float | None:
    return double_or_none(lambda reals: reals.exact(equations.tau_ap_a(x, y)))


def ranking_of(values: Mapping[str, Exact]) -> list[list[str]]:
    """The names in groups of equal values, the highest first."""
    names = list(values)
    return [[names[i] for i in group] for group in equations.groups(list(values.values()))]


# ---- two measures, by their tests ----------------------------------------------------------


def conflicts(
    first: Mapping[tuple[str, str], tuple[float, float | None]],
    second: Mapping[tuple[str, str], tuple[float, float | None]],
    alpha: float = 0.05,
) -> Conflicts:
    """Significant differences that agree, are gained, are lost, are opposite (RS-AGR-10).

    first, second: {(A, B): (difference, p-value)}, None for a p-value that is undefined

    >>> conflicts({("A", "B"): (0.1, 0.03)}, {("A", "B"): (-0.1, 0.01)})
    Conflicts(agree=0, gained=0, lost=0, opposite=1, neither=0)
    """
    level = check_share("alpha", alpha)
    if apart := first.keys() ^ second.keys():
        raise InputError(f"pairs: {shown(min(apart))} is in only one of the two")
    one, other = (
        list(
            zip(
                check_values(name, [by[pair][0] for pair in first]),
                check_p_values(name, [by[pair][1] for pair in first]),
                strict=True,
            )
        )
        for name, by in (("first", first), ("second", second))
    )
    return equations.conflicts(one, other, level)


@dataclass(frozen=True)
class Power:
    """How often a measure tells systems apart (RS-AGR-11).

    significant: how many of the pairs; share: of all pairs; undefined: pairs without a p-value
    curve: the achieved significance levels, falling
    """

    significant: int
    pairs: int
    share: float
    undefined: int
    curve: list[float]


def discriminative_power(p: Sequence[float | None], alpha: float = 0.05) -> Power:
    """The discriminative power of a measure, by the p-values of all pairs.

    >>> discriminative_power([0.2, 0.01, None])
    Power(significant=1, pairs=3, share=0.3333333333333333, undefined=1, curve=[0.2, 0.01])
    """
    level = check_share("alpha", alpha)
    p_values = check_p_values("p", p)
    count, share = equations.discriminative_power(p_values, level)
    curve = [float(value) for value in equations.asl_curve(p_values)]
    return Power(count, len(p), nearest_double(share), len(p) - len(curve), curve)


def mean_pad(means: Mapping[str, float]) -> float:
    """The mean PAD of all pairs of systems, as a share (RS-AGR-12).

    >>> mean_pad({"A": 0.5, "B": 0.25})
    0.5
    """
    (known,) = fractions(check_values("means", list(means.values())))
    return nearest_double(equations.mean_pad(known))


# ---- swaps ---------------------------------------------------------------------------------


def swap_rate(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """The share of pairs that two collections, or subsets, order otherwise (RS-AGR-13).

    first, second: {system: mean}
    """
    names = _same_names(first, second, "systems")
    x, y = check_lists([first[name] for name in names], [second[name] for name in names])
    return nearest_double(equations.swap_rate(x, y))


def swap_rates(
    scores: Scores,
    seed: int = 0,
    trials: int = TRIALS,
    width: Exact = BIN,
    bins: int = BINS,
) -> list[Bin]:
    """Comparisons and swaps between halves of the queries, by bins of difference (RS-AGR-14).

    trials: how often the queries are split; width: of a bin; the last bin has all above
    """
    width_of_bins, number_of_bins = check_above_0("width", width), whole(bins)
    if number_of_bins is None or number_of_bins < 1:
        raise InputError(f"bins: expected a number of bins, got {shown(bins)}")
    rows = _rows(scores)
    halves = splits(len(rows[0]) if rows else 0, seed, trials)
    return equations.swap_bins(
        fractions(*rows), halves, exact_fraction(width_of_bins), number_of_bins
    )


def splits(n: int, seed: int, trials: int) -> Iterator[tuple[list[int], list[int]]]:
    """The halves of n queries of each trial (RS-AGR-14)."""
    seed, trials = check_seed(seed), check_replicates(trials)
    if n < 2:
        raise InputError(f"queries: expected at least 2, to split them, got {n}")
    for trial in range(trials):
        order = permutation(seed, trial, 0, n, SPLITS)
        yield order[: n // 2], order[n // 2 : n // 2 * 2]


def _rows(scores: Scores) -> list[list[Exact]]:
    """A row a system, in it a value a query, in the order of the queries' ids."""
    systems = list(scores)
    for system in systems:
        for query in scores[system]:
            check_id(query, f"scores of {system}", "query")
    for system in systems[1:]:
        _same_names(scores[systems[0]], scores[system], f"queries of {systems[0]} and {system}")
    queries = sorted(scores[systems[0]], key=id_bytes) if systems else []
    return [
        check_values(system, [scores[system][query] for query in queries]) for system in systems
    ]


# ---- two sets of judgments -----------------------------------------------------------------


@dataclass(frozen=True)
class LabelAgreement:
    """How far two assessors agree on what both judged (RS-AGR-15).

    both, only_first, only_second: how many pairs of query and document are judged by whom
    equal: how many of both have equal labels; kappa: None where undefined
    """

    both: int
    only_first: int
    only_second: int
    equal: int
    kappa: float | None
    weights: str


def label_agreement(first: Judgments, second: Judgments, weights: str = "none") -> LabelAgreement:
    """Cohen's kappa of the labels of two sets of judgments.

    >>> label_agreement({"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1, "c": 0}}).kappa
    0.0
    """
    if weights not in equations.WEIGHTS:
        raise InputError(
            f"weights: unknown name {shown(weights)}; expected one of {listed(equations.WEIGHTS)}"
        )
    one, other = (
        {(query, doc): label for query, labels in by.items() for doc, label in labels.items()}
        for by in (first, second)
    )
    both = [pair for pair in one if pair in other]
    x, y = check_lists([one[pair] for pair in both], [other[pair] for pair in both])
    return LabelAgreement(
        len(both),
        len(one) - len(both),
        len(other) - len(both),
        sum(a == b for a, b in zip(x, y, strict=True)),
        double_or_none(lambda reals: reals.exact(equations.kappa(x, y, weights))),
        weights,
    )


def bias(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """How much a second set of judgments favours each system (RS-AGR-16).

    first, second: {system: mean} by each of the two
    """
    names = _same_names(first, second, "systems")
    x, y = check_lists([first[name] for name in names], [second[name] for name in names])
    return dict(zip(names, map(nearest_double, equations.bias(*fractions(x, y))), strict=True))


# ---- a run and its repetition --------------------------------------------------------------


@dataclass(frozen=True)
class Repetition:
    """How close a repeated run comes to the original: per query, and the mean (None: undefined).

    ktu: RS-AGR-17; rbo: RS-AGR-9, with p and the depth
    """

    ktu: dict[str, float | None]
    rbo: dict[str, float]
    mean_ktu: float | None
    mean_rbo: float
    p: float
    depth: int


def compare_rankings(
    original: Mapping[str, Sequence[str]],
    repeated: Mapping[str, Sequence[str]],
    p: float,
    depth: int = 1000,
) -> Repetition:
    """KTU and RBO of the documents of two runs.

    original, repeated: {query: documents in rank order}
    depth: how many documents of each are compared

    >>> compare_rankings({"q": ["a", "b"]}, {"q": ["b", "a"]}, p=0.5, depth=2).rbo
    {'q': 0.3333333333333333}
    """
    rbo_p, most = check_share("p", p), whole(depth)
    if most is None or most < 1:
        raise InputError(f"depth: expected a whole number above 0, got {shown(depth)}")
    queries = _same_names(original, repeated, "queries")
    if not queries:
        raise InputError("queries: expected at least one, got none")
    ktu: dict[str, float | None] = {}
    rbo: dict[str, float] = {}
    for query in queries:
        x, y = (list(by[query])[:most] for by in (original, repeated))
        for name, docs in (("original", x), ("repeated", y)):
            for doc in docs:
                check_id(doc, f"{name}, query {quoted(query)}", "document")
            check_ranking(f"{name}, query {quoted(query)}", [[doc] for doc in docs])
        ktu[query] = double_or_none(_ktu(x, y))
        rbo[query] = nearest_double_of(_rbo_at(x, y, rbo_p, most))
    known = [value for value in ktu.values() if value is not None]
    return Repetition(
        ktu,
        rbo,
        nearest_double(equations.mean(known)) if len(known) == len(ktu) else None,
        nearest_double(equations.mean(list(rbo.values()))),
        p,
        most,
    )


def _ktu(x: Sequence[str], y: Sequence[str]) -> Any:
    return lambda reals: reals.exact(equations.ktu(x, y))


def _rbo_at(x: Sequence[str], y: Sequence[str], p: Exact, depth: int) -> Any:
    def value(reals: Reals) -> Any:
        return equations.rbo_at_depth(x, y, p, depth, reals)

    return value


def rmse(original: Mapping[str, float], repeated: Mapping[str, float]) -> float:
    """The root mean square error of a repeated run (RS-AGR-18); {query: value}."""
    names = _same_names(original, repeated, "queries")
    x, y = fractions(
        *check_lists([original[name] for name in names], [repeated[name] for name in names])
    )
    return nearest_double_of(lambda reals: equations.rmse(x, y, reals))


@dataclass(frozen=True)
class Effects:
    """Whether the improvement over a baseline is there again: None where undefined.

    ratio: RS-AGR-19; delta_ri: RS-AGR-20
    """

    ratio: float | None
    delta_ri: float | None


def compare_effects(
    baseline: Mapping[str, float],
    advanced: Mapping[str, float],
    repeated_baseline: Mapping[str, float],
    repeated_advanced: Mapping[str, float],
) -> Effects:
    """The effect ratio and the difference of the relative improvements; {query: value} each."""
    _same_names(baseline, advanced, "queries")
    _same_names(repeated_baseline, repeated_advanced, "queries of the repetition")
    b, a, b2, a2 = (
        check_values(name, list(by.values()))
        for name, by in (
            ("baseline", baseline),
            ("advanced", advanced),
            ("repeated_baseline", repeated_baseline),
            ("repeated_advanced", repeated_advanced),
        )
    )
    known = *fractions(a, b), *fractions(a2, b2)
    return Effects(
        double_or_none(lambda reals: reals.exact(equations.effect_ratio(*known))),
        double_or_none(lambda reals: reals.exact(equations.delta_ri(*known))),
    )


# ---- how many queries ----------------------------------------------------------------------


def power(
    n: int, difference: float, deviation: float, alpha: float = 0.05, paired: bool = True
) -> float:
    """The probability that a t test of n queries finds a difference of means (RS-AGR-22).

    deviation: the standard deviation of the differences if paired, else of the values

    >>> round(power(81, 0.1, 0.316), 3)
    0.803
    """
    effect = _effect(difference, deviation)
    level = _checked_level("alpha", alpha, LEAST_ALPHA)
    return _power(check_queries(n), effect, level, _checked_pairing(paired))


def _effect(difference: float, deviation: float) -> float:
    """The difference in units of the deviation; an InputError if one is no number above 0."""
    return _above_0("difference", difference) / _above_0("deviation", deviation)


def _above_0(name: str, x: float) -> float:
    check_values(name, [x])
    double = as_double(name, check_above_0(name, x))
    if not double:
        raise InputError(f"{name}: {shown(x)} is below the least double above 0")
    return double


def _checked_pairing(paired: bool) -> bool:
    if not isinstance(paired, bool):
        raise InputError(f"paired: expected True or False, got {shown(paired)}")
    return paired


LEAST_ALPHA, LEAST_BETA = 1e-12, 1e-9
"""The levels down to which the quantiles of t, and powers, have their digits (RS-AGR-22)."""


def _checked_level(name: str, x: float, least: float) -> float:
    number = check_share(name, x)
    if number < least:
        raise InputError(f"{name}: {shown(x)} is too small; power is computed from {least:g} on")
    if float(number) == 1:
        raise InputError(f"{name}: {shown(x)} is too near to 1")
    return float(number)


def _power(n: int, effect: float, alpha: float, paired: bool) -> float:
    """P(|T| >= t) of T = (Z + shift) / S, Z normal and df S² chi-squared with df degrees.

    The integral over log S is a trapezoid sum. Its step is so small that the error of the sum is
    below that of its terms. Beyond FAR it would have too many, and Z hardly counts.
    """
    import numpy as np

    functions = special()
    df = n - 1 if paired else 2 * n - 2
    shift = sqrt(n if paired else n / 2) * effect
    t = -float(functions.stdtrit(df, alpha / 2))
    if shift > FAR:
        return float(functions.chdtr(df, df * (shift / t) ** 2))
    width = NORMAL_WIDTH / sqrt(df)
    step = min(0.1, 0.5 / max(shift, sqrt(2 * df)))
    u = np.arange(-NEGLIGIBLE / df - width, width + step, step)
    weights = np.exp(df * (u - np.expm1(2 * u) / 2))
    S = np.exp(u)
    beyond = functions.ndtr(shift - t * S) + functions.ndtr(-shift - t * S)
    return min(1.0, float(weights @ beyond / weights.sum()))


FAR = 1e4
"""The noncentrality beyond which the normal part of T is left out."""

NEGLIGIBLE, NORMAL_WIDTH = 41, 6.5
"""Where the density of log S is less than 10^-17 of its greatest value, it is left out."""


def queries_needed(
    difference: float,
    deviation: float,
    alpha: float = 0.05,
    beta: float = 0.2,
    paired: bool = True,
) -> int:
    """Return the least n with a power of at least 1 - beta; if not paired, n per run.

    Spec: RS-AGR-22

    >>> queries_needed(0.05, 0.2)
    128
    """
    effect = _effect(difference, deviation)
    level = _checked_level("alpha", alpha, LEAST_ALPHA)
    least = 1 - _checked_level("beta", beta, LEAST_BETA)
    _checked_pairing(paired)

    def enough(n: int) -> bool:
        return _power(n, effect, level, paired) >= least

    high = 2
    while not enough(high):
        high *= 2
        if high > MOST_QUERIES:
            raise InputError(
                f"difference: finding {shown(difference)} would need more than 2^31 queries; the "
                f"deviation is {shown(deviation)}"
            )
    low = high // 2
    while high - low > 1 and high > 2:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
