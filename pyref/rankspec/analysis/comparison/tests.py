"""The tests: each declared once, with its statistic, what it assumes and its entry of the spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ...compute.gain import real_number
from ...compute.randomness import check_replicates, check_seed
from ...errors import InputError, check_known, shown
from ...progress import Progress, Readings, each
from ...reference import comparison as equations
from ...reference.comparison import Undefined
from ...reference.numerics import nearest_double, nearest_double_of
from ...reference.randomness import Resampled
from . import distributions, resampling
from .inputs import as_double
from .systems import (
    Pair,
    SeparateSystems,
    Systems,
    TwoSystems,
    UnpairedSystems,
    double_or_none,
    exact_fraction,
    interval_of,
)

LEAST_LEVEL = 1e-12
"""The quantiles of distributions.py reach so far into the tails."""

SIGNED_RANK_EXACT = 100
"""How many differences, those of 0 aside, the signed rank test is exact for."""


@dataclass(frozen=True)
class Choices:
    """What tests leave open.

    alpha: 1 - alpha is the level of intervals
    zeros: the rule for differences of 0 of the signed rank test (RS-CMP-8)
    continuity: whether its normal approximation is corrected by 1/2
    rope: differences of up to this size are practically none (RS-CMP-14)
    seed, replicates: of the tests by resampling (RS-RND-2), and of BCa intervals
    work: what is told how far the work is; it changes no number
    """

    alpha: float = 0.05
    zeros: str = "wilcox"
    continuity: bool = True
    rope: float = 0.0
    seed: int = 0
    replicates: int = resampling.REPLICATES
    work: Readings | None = field(default=None, compare=False, repr=False)

    def part(self) -> Progress | None:
        """What the next part of the work is to tell; None where nobody would see it."""
        return None if self.work is None else self.work.next()

    def __post_init__(self) -> None:
        check_known("zeros", self.zeros, equations.ZEROS)
        alpha, rope = _double("alpha", self.alpha), _double("rope", self.rope)
        if alpha is None or not LEAST_LEVEL <= alpha <= 1 - LEAST_LEVEL:
            raise InputError(
                f"alpha: expected a number between 0 and 1, from {LEAST_LEVEL:g} to "
                f"1 - {LEAST_LEVEL:g}, got {shown(self.alpha)}"
            )
        if rope is None or not 0 <= rope < float("inf"):
            raise InputError(f"rope: expected a number of 0 or more, got {shown(self.rope)}")
        plain = {
            "alpha": alpha,
            "rope": rope,
            "seed": check_seed(self.seed),
            "replicates": check_replicates(self.replicates),
        }
        for name, value in plain.items():  # numbers of Python, whatever they were
            object.__setattr__(self, name, value)


def _double(name: str, x: Any) -> float | None:
    """A real number as a double; None for anything else."""
    number = real_number(x)
    return None if number is None else as_double(name, number)


DEFAULT = Choices()


Names = tuple[str, str]
"""Of the two systems of a pair."""


@dataclass(frozen=True)
class Outcome:
    """What a test says of a pair of systems.

    statistic: positive where the first system is the better, but for the signed rank W, the sum of
        the ranks of the differences above 0, and the number of wins; None: it is undefined
    df: degrees of freedom, where it has any
    p: two-sided; None: undefined, or of a test that has none
    interval: of the mean difference, at the level 1 - alpha, where the test has one
    probabilities: that the first system is worse, practically equal, better; of the Bayesian test
    how: how p was computed, where that depends on the input
    why: why the statistic, or p, is undefined
    """

    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    interval: tuple[float, float] | None = None
    probabilities: tuple[float, float, float] | None = None
    how: str = ""
    why: str = ""


@dataclass(frozen=True)
class Test:
    """A test of one pair of systems: is their difference due to chance?

    statistic: its letter
    assumes: what must be so for p to be what it says
    paired: whether it asks which values are of the same query
    outcome: of a Pair if it is paired, else of two systems whose queries may differ
    has_interval: whether it has an interval of the mean difference
    """

    __test__ = False  # pytest looks for tests by this name

    name: str
    title: str
    statistic: str
    assumes: str
    spec: tuple[str, ...]
    paired: bool
    outcome: Callable[[Any, Choices], Outcome]
    has_interval: bool = False

    corrected = False  # are its p-values corrected for a family?

    @property
    def has_p(self) -> bool:
        """Return False for the Bayesian test, which gives probabilities and no p."""
        return bool(self.statistic)

    def __call__(self, pair: TwoSystems, choices: Choices = DEFAULT) -> Outcome:
        """The outcome; one that is undefined says why."""
        try:
            return self.outcome(pair, choices)
        except Undefined as reason:
            return Outcome(why=str(reason))

    def of_pairs(
        self, systems: Systems | SeparateSystems, names: Sequence[Names], choices: Choices
    ) -> dict[Names, Outcome]:
        """The outcomes of some of the pairs."""
        return {two: self(systems.pairs[two], choices) for two in each(names, choices.part())}


@dataclass(frozen=True)
class ResamplingTest:
    """A test of each pair by itself, of many at once: they share the random numbers.

    statistic, assumes, paired: as of a Test
    """

    name: str
    title: str
    statistic: str
    assumes: str
    spec: tuple[str, ...]
    paired: bool
    outcomes: Callable[[Sequence[Pair], Choices], list[Outcome]]

    corrected = False
    has_interval = False
    has_p = True

    def of_pairs(
        self, systems: Systems, names: Sequence[Names], choices: Choices
    ) -> dict[Names, Outcome]:
        """The outcomes of some of the pairs."""
        found = self.outcomes([systems.pairs[two] for two in names], choices)
        return dict(zip(names, found, strict=True))


@dataclass(frozen=True)
class JointTest:
    """A test of all pairs of systems at once: its p-values are corrected for the family of pairs.

    statistic, assumes, has_interval: as of a Test
    """

    name: str
    title: str
    statistic: str
    assumes: str
    spec: tuple[str, ...]
    outcomes: Callable[[Systems, Choices], Mapping[Names, Outcome]]
    has_interval: bool = False

    paired = True  # they all ask which values are of the same query
    corrected = True
    has_p = True

    def __call__(
        self, systems: Systems, choices: Choices = DEFAULT
    ) -> Mapping[tuple[str, str], Outcome]:
        """The outcome of each pair, in the order of ``systems.pairs``."""
        try:
            return self.outcomes(systems, choices)
        except Undefined as reason:
            return dict.fromkeys(systems.pairs, Outcome(why=str(reason)))

    def of_pairs(
        self, systems: Systems, names: Sequence[Names], choices: Choices
    ) -> dict[Names, Outcome]:
        """The outcomes of some of the pairs, each corrected for all of them."""
        found = self(systems, choices)
        return {two: found[two] for two in names}


# ---- t -------------------------------------------------------------------------------------


def _paired_t(pair: Pair, choices: Choices) -> Outcome:
    t = nearest_double_of(lambda reals: equations.paired_t(pair.D, reals))
    square = equations.variance(pair.D, pair.e) / pair.n
    return _of_t(t, pair.n - 1, pair, square, choices)


def _pooled_t(two: TwoSystems, choices: Choices) -> Outcome:
    X, Y, unit = two.values
    t = nearest_double_of(lambda reals: equations.pooled_t(X, Y, reals))
    square = equations.pooled_variance(X, Y, unit) * (Fraction(1, len(X)) + Fraction(1, len(Y)))
    return _of_t(t, len(X) + len(Y) - 2, two, square, choices)


def _welch_t(two: TwoSystems, choices: Choices) -> Outcome:
    X, Y, unit = two.values
    t = nearest_double_of(lambda reals: equations.welch_t(X, Y, reals))
    square = equations.welch_square(X, Y, unit)
    return _of_t(t, nearest_double(equations.welch_df(X, Y)), two, square, choices)


def welch_interval(two: TwoSystems, alpha: float) -> tuple[float, float] | None:
    """The interval of the mean difference by Welch's test; None where it is undefined."""
    X, Y, unit = two.values
    if min(len(X), len(Y)) < 2:
        return None
    square = equations.welch_square(X, Y, unit)
    if not square:  # as of equal differences: the interval is the mean alone (RS-CMP-4)
        return two.interval(square, 0.0)
    quantile = distributions.t_quantile(alpha, nearest_double(equations.welch_df(X, Y)))
    return two.interval(square, quantile)


def _of_t(t: float, df: float, pair: TwoSystems, square: Fraction, choices: Choices) -> Outcome:
    quantile = distributions.t_quantile(choices.alpha, df)
    return Outcome(
        statistic=t,
        df=df,
        p=distributions.t_two_sided(t, df),
        interval=pair.interval(square, quantile),
    )


def _bayesian_t(pair: Pair, choices: Choices) -> Outcome:
    D, e, df = pair.D, pair.e, pair.n - 1
    rope = exact_fraction(choices.rope)
    if not equations.variance(D):
        return _certain(pair, rope)
    units = rope / pair.scale
    low = nearest_double_of(lambda reals: equations.posterior_limits(D, e, units, reals)[0])
    high = nearest_double_of(lambda reals: equations.posterior_limits(D, e, units, reals)[1])
    worse, better = distributions.t_below(low, df), distributions.t_below(-high, df)
    return Outcome(df=df, probabilities=(worse, max(0.0, 1 - worse - better), better))


def _certain(pair: Pair, rope: Fraction) -> Outcome:
    """All differences are the same: the posterior is that number; 0 without a region is open."""
    m = pair.exact_mean_difference
    worse, better = float(m < -rope), float(m > rope)
    if rope == 0 and not worse and not better:
        return Outcome(df=pair.n - 1, probabilities=(0.5, 0.0, 0.5), how="equal systems")
    return Outcome(
        df=pair.n - 1, probabilities=(worse, 1 - worse - better, better), how="equal differences"
    )


# ---- ranks and signs -----------------------------------------------------------------------


def _signed_rank(pair: Pair, choices: Choices) -> Outcome:
    D, zeros = pair.D, choices.zeros
    W = nearest_double(equations.signed_rank(D, zeros))
    if sum(map(bool, D)) <= SIGNED_RANK_EXACT:
        p = nearest_double(equations.signed_rank_p(D, zeros))
        return Outcome(statistic=W, p=p, how="exact")
    z = nearest_double_of(
        lambda reals: equations.signed_rank_z(D, zeros, choices.continuity, reals)
    )
    return Outcome(statistic=W, p=distributions.normal_two_sided(z), how="normal approximation")


def _sign(pair: Pair, _: Choices) -> Outcome:
    p = nearest_double(equations.sign_p(pair.D))
    return Outcome(statistic=pair.wins_ties_losses[0], p=p, how="exact")


# ---- all systems at once -------------------------------------------------------------------


def _tukey(systems: Systems, choices: Choices) -> dict[tuple[str, str], Outcome]:
    table = systems.two_way_of_numerators
    m, df = table.m, table.df_residual
    square = systems.two_way.residual_mean_square / table.n
    critical = distributions.range_quantile(choices.alpha, m, df)

    def of(names: Names) -> Outcome:
        D, e = systems.differences[names]
        q = nearest_double_of(lambda reals: equations.tukey_q(D, e, table, reals))
        middle = systems.pairs[names].exact_mean_difference
        interval = interval_of(middle, square, critical)
        return Outcome(q, df, distributions.range_above(abs(q), m, df), interval)

    return {names: of(names) for names in each(list(systems.pairs), choices.part())}


def _randomised_tukey(systems: Systems, choices: Choices) -> dict[Names, Outcome]:
    columns = systems.numerators
    flat = [value for column in columns for value in column]
    X, _ = equations.differences(flat, [0.0] * len(flat))
    n = len(columns[0])
    topics = [X[q::n] for q in range(n)]
    found = resampling.randomised_hsd(
        topics, choices.seed, choices.replicates, choices.part(), slack=systems.slack
    )
    outcomes = zip(systems.pairs.items(), found.values(), strict=True)
    how = "permutations within queries"
    return {
        names: _resampled(result, pair.mean_difference, how, choices)
        for (names, pair), result in outcomes
    }


# ---- resampling ----------------------------------------------------------------------------


def _randomisation(pairs: Sequence[Pair], choices: Choices) -> list[Outcome]:
    family, slack = [pair.D for pair in pairs], [pair.slack for pair in pairs]
    found = resampling.randomisations(
        family, choices.seed, choices.replicates, choices.part(), slack
    )
    return [
        _resampled(result, pair.mean_difference, "sign flips", choices)
        for pair, result in zip(pairs, found, strict=True)
    ]


def _stratified(two: UnpairedSystems, choices: Choices) -> Outcome:
    unit = two.scale * Fraction(2) ** two.values[2]
    adjusted = nearest_double(equations.adjusted_difference(two.exact_strata) * unit)
    found = resampling.stratified(
        two.rounded_strata, choices.seed, choices.replicates, slack=two.slack
    )
    of = "within topics" if two.has_topics else "of all queries, which have no topics"
    return _resampled(found, adjusted, f"permutations {of}", choices)


def _bootstrap(pairs: Sequence[Pair], choices: Choices) -> list[Outcome]:
    family, slack = [pair.D for pair in pairs], [pair.slack for pair in pairs]
    found = resampling.studentised_bootstraps(
        family, choices.seed, choices.replicates, choices.part(), slack
    )
    return [_of_samples(*known, choices) for known in zip(pairs, found, strict=True)]


def _of_samples(pair: Pair, result: Resampled | None, choices: Choices) -> Outcome:
    if result is None:
        return Outcome(why="all differences are equal")
    t = double_or_none(lambda reals: equations.paired_t(pair.D, reals))
    return _resampled(result, t, "samples", choices)


def _resampled(result: Resampled, statistic: float | None, of: str, choices: Choices) -> Outcome:
    """What resampling found, and whether it has gone through all arrangements."""
    which = f"all {result.arrangements}" if result.exact else f"{result.arrangements} random"
    seed = "" if result.exact else f", seed {choices.seed}"
    p = nearest_double(result.p)
    return Outcome(statistic=statistic, p=p, how=f"{which} {of}{seed}")


# ---- the declarations ----------------------------------------------------------------------

QUERIES = "the queries are a random sample, drawn independently"

TESTS = (
    Test(
        "t", "paired t-test", "t",
        f"{QUERIES}; the mean difference is about normal",
        ("RS-CMP-5",), True, _paired_t, has_interval=True,
    ),
    Test(
        "pooled", "unpaired t-test, pooled variance", "t",
        "two independent samples of queries, of equal variance; their means are about normal",
        ("RS-CMP-6",), False, _pooled_t, has_interval=True,
    ),
    Test(
        "welch", "unpaired t-test, Welch", "t",
        "two independent samples of queries; their means are about normal",
        ("RS-CMP-7",), False, _welch_t, has_interval=True,
    ),
    Test(
        "wilcoxon", "Wilcoxon's signed rank test", "W",
        f"{QUERIES}; differences are symmetric about 0 if the systems are equal",
        ("RS-CMP-8", "RS-CMP-9", "RS-CMP-10"), True, _signed_rank,
    ),
    Test(
        "sign", "sign test", "wins",
        f"{QUERIES}; wins and losses are as probable if the systems are equal",
        ("RS-CMP-11",), True, _sign,
    ),
    Test(
        "bayes", "Bayesian paired t-test", "",
        f"{QUERIES}; differences are normal; nothing is known beforehand of their mean and scale",
        ("RS-CMP-14",), True, _bayesian_t,
    ),
)  # fmt: skip

RESAMPLING_TESTS = (
    ResamplingTest(
        "randomisation", "randomisation test (sign flips)", "difference",
        "each query's two values are as probable the other way round if the systems are equal",
        ("RS-RND-9",), True, _randomisation,
    ),
    ResamplingTest(
        "bootstrap", "studentised bootstrap test", "t",
        f"{QUERIES}; as large a sample as theirs shows how t varies",
        ("RS-RND-12",), True, _bootstrap,
    ),
)  # fmt: skip

JOINT_TESTS = (
    JointTest(
        "tukey", "two-way ANOVA with Tukey's HSD", "q",
        "a value adds a part of its system, one of its query and a normal error of one variance",
        ("RS-CMP-12", "RS-CMP-13"), _tukey, has_interval=True,
    ),
    JointTest(
        "randomised-tukey", "randomised Tukey HSD", "difference",
        "each query's values are as probable in any order if all systems are equal",
        ("RS-RND-11",), _randomised_tukey,
    ),
)  # fmt: skip

STRATIFIED = Test(
    "stratified", "permutation test within topics", "adjusted",
    "two sessions of one topic are as probable the other way round if the systems are equal",
    ("RS-RND-14", "RS-CMP-26"), False, _stratified,
)  # fmt: skip
"""The test of sessions that no two systems share: it is none of the same queries."""

AnyTest = Test | ResamplingTest | JointTest

BY_NAME: dict[str, AnyTest] = {
    test.name: test for test in (*TESTS, *RESAMPLING_TESTS, *JOINT_TESTS)
}
"""The tests of systems on the same queries."""

UNPAIRED_BY_NAME: dict[str, AnyTest] = {
    test.name: test for test in (*TESTS, STRATIFIED) if not test.paired
}
"""The tests of systems that have queries of their own."""


SYNONYMS = {
    **dict.fromkeys(("ttest", "t-test", "t_test", "t test", "student", "paired-t", "paired"), "t"),
    **dict.fromkeys(("ttest_rel", "paired t-test", "paired-t-test", "paired_ttest"), "t"),
    **dict.fromkeys(("ttest_ind", "two-sample-t", "unpaired"), "pooled"),
    **dict.fromkeys(
        ("permutation", "fisher", "randomization", "paired-randomization"), "randomisation"
    ),
    **dict.fromkeys(
        ("randomized-tukey", "randomised-tukey-hsd", "randomized_tukey_hsd"), "randomised-tukey"
    ),
    **dict.fromkeys(("tukey-hsd", "tukey_hsd", "hsd"), "tukey"),
    **dict.fromkeys(("signed-rank", "wilcoxon-signed-rank", "wsr"), "wilcoxon"),
    **dict.fromkeys(("stratified-permutation", "oneway_test"), "stratified"),
    "bayesian": "bayes",
}
"""Names of these tests in other programs."""


def test_named(name: str) -> AnyTest:
    """The test of that name; an InputError lists those that there are."""
    known = BY_NAME | UNPAIRED_BY_NAME
    check_known("test", name, known, SYNONYMS)
    return known[name]
