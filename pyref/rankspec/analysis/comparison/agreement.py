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
from math import isfinite, sqrt
from typing import Any

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
from .systems import double_or_none

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


def check_values(name: str, values: Sequence[Any]) -> None:
    """Finite numbers; else an InputError that says which is none."""
    for i, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
            raise InputError(f"{name}: value {i + 1} is {shown(value)}; expected a number")
        if isinstance(value, float) and not isfinite(value):
            raise InputError(f"{name}: value {i + 1} is {value}; values must be finite")


def check_lists(x: Sequence[Any], y: Sequence[Any]) -> None:
    """Two lists of finite numbers of one length."""
    check_values("x", x)
    check_values("y", y)
    if len(x) != len(y):
        raise InputError(f"x, y: {len(x)} and {len(y)} values; expected one value per item in both")


def check_share(name: str, x: Any) -> None:
    """A number between 0 and 1, neither of them."""
    if isinstance(x, bool) or not isinstance(x, (int, float, Fraction)) or not 0 < x < 1:
        raise InputError(f"{name}: expected a number between 0 and 1, got {shown(x)}")


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


def check_p_values(name: str, values: Sequence[Any]) -> None:
    """Numbers from 0 to 1, or None where a test is undefined."""
    for i, p in enumerate(values):
        if p is not None and not (isinstance(p, (int, float, Fraction)) and 0 <= p <= 1):
            raise InputError(
                f"{name}: p-value {i + 1} is {shown(p)}; expected a number from 0 to 1"
            )


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
    if p is not None:
        check_share("p", p)
    names = _same_names(first, second, "systems")
    x, y = [first[name] for name in names], [second[name] for name in names]
    check_lists(x, y)
    one, other = ranking_of(first), ranking_of(second)
    return OrderAgreement(
        double_or_none(lambda reals: equations.tau_b(x, y, reals)),
        double_or_none(lambda reals: reals.exact(equations.tau_ap_b(x, y))),
        None if p is None else double_or_none(lambda R: equations.rbo_ext(one, other, p, "b", R)),
        p,
        [(names[i], names[j]) for i, j in equations.swapped(x, y)],
        (_tau_ap_a(x, y), _tau_ap_a(y, x)),
    )


def _tau_ap_a(x: Sequence[float], y: Sequence[float]) -> float | None:
    return double_or_none(lambda reals: reals.exact(equations.tau_ap_a(x, y)))


def ranking_of(values: Mapping[str, float]) -> list[list[str]]:
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
    check_share("alpha", alpha)
    if apart := first.keys() ^ second.keys():
        raise InputError(f"pairs: {shown(min(apart))} is in only one of the two")
    for name, by in (("first", first), ("second", second)):
        check_values(name, [difference for difference, _ in by.values()])
        check_p_values(name, [p for _, p in by.values()])
    return equations.conflicts(list(first.values()), [second[pair] for pair in first], alpha)


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
    check_share("alpha", alpha)
    check_p_values("p", p)
    count, share = equations.discriminative_power(p, alpha)
    curve = [float(value) for value in equations.asl_curve(p)]
    return Power(count, len(p), nearest_double(share), len(p) - len(curve), curve)


def mean_pad(means: Mapping[str, float]) -> float:
    """The mean PAD of all pairs of systems, as a share (RS-AGR-12).

    >>> mean_pad({"A": 0.5, "B": 0.25})
    0.5
    """
    check_values("means", list(means.values()))
    return nearest_double(equations.mean_pad(list(means.values())))


# ---- swaps ---------------------------------------------------------------------------------


def swap_rate(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """The share of pairs that two collections, or subsets, order otherwise (RS-AGR-13).

    first, second: {system: mean}
    """
    names = _same_names(first, second, "systems")
    x, y = [first[name] for name in names], [second[name] for name in names]
    check_lists(x, y)
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
    if not width > 0:
        raise InputError(f"width: expected a number above 0, got {shown(width)}")
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InputError(f"bins: expected a number of bins, got {shown(bins)}")
    rows = _rows(scores)
    halves = splits(len(rows[0]) if rows else 0, seed, trials)
    return equations.swap_bins(rows, halves, width, bins)


def splits(n: int, seed: int, trials: int) -> Iterator[tuple[list[int], list[int]]]:
    """The halves of n queries of each trial (RS-AGR-14)."""
    seed, trials = check_seed(seed), check_replicates(trials)
    if n < 2:
        raise InputError(f"queries: expected at least 2, to split them, got {n}")
    for trial in range(trials):
        order = permutation(seed, trial, 0, n, SPLITS)
        yield order[: n // 2], order[n // 2 : n // 2 * 2]


def _rows(scores: Scores) -> list[list[float]]:
    """A row a system, in it a value a query, in the order of the queries' ids."""
    systems = list(scores)
    for system in systems:
        for query in scores[system]:
            check_id(query, f"scores of {system}", "query")
    for system in systems[1:]:
        _same_names(scores[systems[0]], scores[system], f"queries of {systems[0]} and {system}")
    queries = sorted(scores[systems[0]], key=id_bytes) if systems else []
    rows = [[scores[system][query] for query in queries] for system in systems]
    for system, row in zip(systems, rows, strict=True):
        check_values(system, row)
    return rows


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
    x, y = [one[pair] for pair in both], [other[pair] for pair in both]
    check_lists(x, y)
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
    x, y = [first[name] for name in names], [second[name] for name in names]
    check_lists(x, y)
    return dict(zip(names, map(nearest_double, equations.bias(x, y)), strict=True))


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
    check_share("p", p)
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise InputError(f"depth: expected a whole number above 0, got {shown(depth)}")
    queries = _same_names(original, repeated, "queries")
    if not queries:
        raise InputError("queries: expected at least one, got none")
    ktu: dict[str, float | None] = {}
    rbo: dict[str, float] = {}
    for query in queries:
        x, y = (list(by[query])[:depth] for by in (original, repeated))
        for name, docs in (("original", x), ("repeated", y)):
            for doc in docs:
                check_id(doc, f"{name}, query {quoted(query)}", "document")
            check_ranking(f"{name}, query {quoted(query)}", [[doc] for doc in docs])
        ktu[query] = double_or_none(_ktu(x, y))
        rbo[query] = nearest_double_of(_rbo_at(x, y, p, depth))
    known = [value for value in ktu.values() if value is not None]
    return Repetition(
        ktu,
        rbo,
        nearest_double(equations.mean(known)) if len(known) == len(ktu) else None,
        nearest_double(equations.mean(list(rbo.values()))),
        p,
        depth,
    )


def _ktu(x: Sequence[str], y: Sequence[str]) -> Any:
    return lambda reals: reals.exact(equations.ktu(x, y))


def _rbo_at(x: Sequence[str], y: Sequence[str], p: float, depth: int) -> Any:
    def value(reals: Reals) -> Any:
        return equations.rbo_at_depth(x, y, p, depth, reals)

    return value


def rmse(original: Mapping[str, float], repeated: Mapping[str, float]) -> float:
    """The root mean square error of a repeated run (RS-AGR-18); {query: value}."""
    names = _same_names(original, repeated, "queries")
    x, y = [original[name] for name in names], [repeated[name] for name in names]
    check_lists(x, y)
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
        list(by.values()) for by in (baseline, advanced, repeated_baseline, repeated_advanced)
    )
    for name, values in (
        ("baseline", b),
        ("advanced", a),
        ("repeated_baseline", b2),
        ("repeated_advanced", a2),
    ):
        check_values(name, values)
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
    if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= MOST_QUERIES:
        raise InputError(f"n: expected a number of queries from 2 to 2^31, got {shown(n)}")
    return _power(n, effect, level, _checked_pairing(paired))


def _effect(difference: float, deviation: float) -> float:
    """The difference in units of the deviation; an InputError if one is no number above 0."""
    return _above_0("difference", difference) / _above_0("deviation", deviation)


def _above_0(name: str, x: float) -> float:
    check_values(name, [x])
    if not x > 0:
        raise InputError(f"{name}: expected a number above 0, got {shown(x)}")
    double = as_double(name, x)
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
    check_share(name, x)
    if x < least:
        raise InputError(f"{name}: {shown(x)} is too small; power is computed from {least:g} on")
    if float(x) == 1:
        raise InputError(f"{name}: {shown(x)} is too near to 1")
    return float(x)


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
