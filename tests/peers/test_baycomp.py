"""The Bayesian paired t against baycomp, whose Posterior is that of RS-CMP-14."""

from __future__ import annotations

import random

import pytest

from rankspec.analysis.comparison.systems import Pair
from rankspec.analysis.comparison.tests import BY_NAME, Choices
from rankspec.reference import comparison as equations

from .worlds import SEEDS

baycomp = pytest.importorskip("baycomp", reason='baycomp is not installed: pip install ".[peers]"')


def pair_of(seed: int) -> Pair:
    rng = random.Random(seed)
    n = rng.randint(2, 40)
    shift = rng.uniform(-0.2, 0.2)
    x = [rng.random() for _ in range(n)]
    return Pair(x, [value - rng.gauss(shift, 0.1) for value in x])


def posterior(pair: Pair, rope: float) -> tuple[float, ...]:
    D, e = pair.differences
    m, square = float(equations.mean(D, e)), float(equations.variance(D, e) / len(D))
    found: tuple[float, ...] = baycomp.single.Posterior(m, square, len(D) - 1, rope).probs()
    return found if rope else (found[0], 0.0, found[1])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.spec("RS-CMP-14")
def test_the_posterior_is_baycomps(seed: int) -> None:
    for own in range(20):
        pair = pair_of(1000 * seed + own)
        for rope in (0.0, 0.01, 0.1):
            found = BY_NAME["bayes"](pair, Choices(rope=rope)).probabilities
            assert found == pytest.approx(posterior(pair, rope), abs=1e-12)


def test_the_whole_test_is_baycomps_but_for_its_correction() -> None:
    """CorrelatedTTest has the variance s² (1/n + 1/(n - 1)) of n folds; it subtracts x from y."""
    for own in range(20):
        pair = pair_of(own)
        n, rope = pair.n, 0.05
        theirs = baycomp.two_on_single(*map(_array, (pair.y, pair.x)), rope=rope)
        scale = (1 + n / (n - 1)) ** 0.5
        low, high = (limit / scale for limit in _limits(pair, rope))
        ours = baycomp.single.stats.t.cdf(low, n - 1), baycomp.single.stats.t.sf(high, n - 1)
        assert (theirs[0], theirs[2]) == pytest.approx(ours, abs=1e-9)


def _array(values):
    import numpy as np

    return np.array(values)


def _limits(pair: Pair, rope: float) -> list[float]:
    from rankspec.reference.numbers.reals import FLOATS

    return [float(end) for end in equations.posterior_limits(*pair.differences, rope, FLOATS)]


@pytest.mark.spec("RS-CMP-14")
def test_certain_differences_are_as_baycomp_has_them() -> None:
    for shift, rope in ((0.5, 0.25), (-0.5, 0.25), (0.125, 0.25), (0.25, 0.0), (0.0, 0.0)):
        pair = Pair([0.5 + shift, 1.0 + shift], [0.5, 1.0])
        found = BY_NAME["bayes"](pair, Choices(rope=rope)).probabilities
        assert found == pytest.approx(posterior(pair, rope), abs=0)
