"""The tests: each declared once, with its statistic, what it assumes and its entry of the spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...errors import InputError, hint, listed, quoted
from ...reference import comparison as equations
from ...reference.comparison import Undefined
from ...reference.numerics import nearest_double, nearest_double_of
from . import distributions
from .systems import Pair, Systems, interval_of

SIGNED_RANK_EXACT = 100
"""How many differences, those of 0 aside, the signed rank test is exact for."""


@dataclass(frozen=True)
class Choices:
    """What tests leave open.

    alpha: 1 - alpha is the level of intervals
    zeros: the rule for differences of 0 of the signed rank test (RS-CMP-8)
    continuity: whether its normal approximation is corrected by 1/2
    rope: differences of up to this size are practically none (RS-CMP-14)
    """

    alpha: float = 0.05
    zeros: str = "wilcox"
    continuity: bool = True
    rope: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha: expected a number between 0 and 1, got {self.alpha}")
        if self.zeros not in equations.ZEROS:
            raise InputError(
                f"zeros: {quoted(self.zeros)} is none{hint(self.zeros, equations.ZEROS)}; "
                f"there are {listed(equations.ZEROS)}"
            )
        if not 0 <= self.rope < float("inf"):
            raise InputError(f"rope: expected a number of 0 or more, got {self.rope}")


DEFAULT = Choices()


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
    """

    __test__ = False  # pytest looks for tests by this name

    name: str
    title: str
    statistic: str
    assumes: str
    spec: tuple[str, ...]
    paired: bool
    outcome: Callable[[Pair, Choices], Outcome]

    def __call__(self, pair: Pair, choices: Choices = DEFAULT) -> Outcome:
        """The outcome; one that is undefined says why."""
        try:
            return self.outcome(pair, choices)
        except Undefined as reason:
            return Outcome(why=str(reason))


@dataclass(frozen=True)
class JointTest:
    """A test of all pairs of systems at once: its p-values are corrected for the family of pairs.

    statistic, assumes: as of a Test
    """

    name: str
    title: str
    statistic: str
    assumes: str
    spec: tuple[str, ...]
    outcomes: Callable[[Systems, Choices], Mapping[tuple[str, str], Outcome]]

    def __call__(
        self, systems: Systems, choices: Choices = DEFAULT
    ) -> Mapping[tuple[str, str], Outcome]:
        """The outcome of each pair, in the order of ``systems.pairs``."""
        try:
            return self.outcomes(systems, choices)
        except Undefined as reason:
            return dict.fromkeys(systems.pairs, Outcome(why=str(reason)))


# ---- t -------------------------------------------------------------------------------------


def _paired_t(pair: Pair, choices: Choices) -> Outcome:
    t = nearest_double_of(lambda reals: equations.paired_t(pair.D, reals))
    square = equations.variance(pair.D, pair.e) / pair.n
    return _of_t(t, pair.n - 1, pair, square, choices)


def _pooled_t(pair: Pair, choices: Choices) -> Outcome:
    X, Y, unit = pair.values
    t = nearest_double_of(lambda reals: equations.pooled_t(X, Y, reals))
    square = 2 * equations.pooled_variance(X, Y, unit) / pair.n
    return _of_t(t, 2 * pair.n - 2, pair, square, choices)


def _welch_t(pair: Pair, choices: Choices) -> Outcome:
    X, Y, unit = pair.values
    t = nearest_double_of(lambda reals: equations.welch_t(X, Y, reals))
    square = (equations.variance(X, unit) + equations.variance(Y, unit)) / pair.n
    return _of_t(t, nearest_double(equations.welch_df(X, Y)), pair, square, choices)


def _of_t(t: float, df: float, pair: Pair, square: Fraction, choices: Choices) -> Outcome:
    quantile = distributions.t_quantile(choices.alpha, df)
    return Outcome(
        statistic=t,
        df=df,
        p=distributions.t_two_sided(t, df),
        interval=interval_of(pair.exact_mean_difference, square, quantile),
    )


def _bayesian_t(pair: Pair, choices: Choices) -> Outcome:
    D, e, rope, df = pair.D, pair.e, choices.rope, pair.n - 1
    if not equations.variance(D):
        return _certain(pair, rope)
    low = nearest_double_of(lambda reals: equations.posterior_limits(D, e, rope, reals)[0])
    high = nearest_double_of(lambda reals: equations.posterior_limits(D, e, rope, reals)[1])
    worse, better = distributions.t_below(low, df), distributions.t_below(-high, df)
    return Outcome(df=df, probabilities=(worse, max(0.0, 1 - worse - better), better))


def _certain(pair: Pair, rope: float) -> Outcome:
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
    table = systems.two_way
    m, df = table.m, table.df_residual
    square = table.residual_mean_square / table.n
    critical = distributions.range_quantile(choices.alpha, m, df)

    def of(pair: Pair) -> Outcome:
        q = nearest_double_of(lambda reals: equations.tukey_q(pair.D, pair.e, table, reals))
        interval = interval_of(pair.exact_mean_difference, square, critical)
        return Outcome(q, df, distributions.range_above(abs(q), m, df), interval)

    return {names: of(pair) for names, pair in systems.pairs.items()}


# ---- the declarations ----------------------------------------------------------------------

QUERIES = "the queries are a random sample, drawn independently"

TESTS = (
    Test(
        "t", "paired t-test", "t",
        f"{QUERIES}; the mean difference is about normal",
        ("RS-CMP-5",), True, _paired_t,
    ),
    Test(
        "pooled", "unpaired t-test, pooled variance", "t",
        "two independent samples of queries, of equal variance; their means are about normal",
        ("RS-CMP-6",), False, _pooled_t,
    ),
    Test(
        "welch", "unpaired t-test, Welch", "t",
        "two independent samples of queries; their means are about normal",
        ("RS-CMP-7",), False, _welch_t,
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

JOINT_TESTS = (
    JointTest(
        "tukey", "two-way ANOVA with Tukey's HSD", "q",
        "a value adds a part of its system, one of its query and a normal error of one variance",
        ("RS-CMP-12", "RS-CMP-13"), _tukey,
    ),
)  # fmt: skip

BY_NAME: dict[str, Test | JointTest] = {test.name: test for test in (*TESTS, *JOINT_TESTS)}


def test_named(name: str) -> Test | JointTest:
    """The test of that name; an InputError lists those that there are."""
    if name not in BY_NAME:
        raise InputError(
            f"test: {quoted(name)} is none{hint(name, tuple(BY_NAME))}; "
            f"there are {listed(tuple(BY_NAME))}"
        )
    return BY_NAME[name]
