"""A function of one's own, adjusted for the length of the list.

    >>> adjusted_of(my_metric, [2, 0, 1], k=3, prior="uniform")       # doctest: +SKIP

Spec: RS-LEN-18.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..errors import InputError
from ..metrics.adjusted import HIGHEST_LABEL, MOST_RANKS
from ..metrics.length import Prior, PriorLike
from ..metrics.length import Z as Z_PARAMETER
from ..metrics.length import prior as prior_of
from ..metrics.measure import Measure, cutoff
from ..reference import length as equations
from ..reference.numbers.reals import Exact, Number, Reals
from ..reference.numerics import nearest_double_of
from .own_functions import OwnFunction, labels_of

SPEC = "RS-LEN-18"


@standard_arithmetic
def adjusted_of(
    fn: Callable[..., Any],
    labels: Iterable[Exact],
    *,
    judged: Iterable[Exact] | None = None,
    k: int | None = None,
    prior: PriorLike = "discount",
    Z: str = "M",
) -> float:
    """Return a function of one's own over what a user expects of it for a list so long.

    fn: called with the labels of a ranking, in rank order; and, if it takes them, with the labels
        of the pool, ``judged``, and the cut-off, ``k``, as rs.axioms calls it. Its values are taken
        exactly. It must be 0 for labels of 0 alone, and not negative
    labels: those of the ranking
    judged: the labels of the pool; None: those of the ranking
    k: how many results can be shown; fn is called with the first k labels only. None: with all
    prior, Z: as rs.Adjusted has them

    fn is called for each rank, with a list that has one relevant label there; of at most 1000.

    Spec: RS-LEN-18

    >>> def reciprocal_rank(labels):
    ...     return 1 / (1 + labels.index(1)) if 1 in labels else 0
    >>> adjusted_of(reciprocal_rank, [1]), adjusted_of(reciprocal_rank, [1, 0])
    (1.0, 0.8)
    """
    function = OwnFunction(fn, "adjusted_of", _adjusted_by_name)
    shown = labels_of("labels", labels, least=0)
    pool = shown if judged is None else labels_of("judged", judged, least=0)
    M, weights, factor = cutoff(k), prior_of(prior), Z_PARAMETER.read(Z)
    of_room = M if factor == "M" else None
    N = len(shown) if M is None else min(len(shown), M)
    _check_ranks(N, M, of_room, weights)
    if N == 0:
        return 0.0
    values = _Values(function, pool, M)
    A = values.gain(shown[:N])
    label = values.least_label()
    of_one = values.of_one(N, label)
    own = of_one  # what the prior "discount" is proportional to
    if weights.weights is None:
        own = of_one if of_room is None else values.of_one(of_room, label)
        values.check_falling(own, of_room or N)

    def adjusted(R: Reals) -> Number:
        w = weights.weights.of(R) if weights.weights else _falling_as(own, R)
        z = 1 if of_room is None else equations.Z(of_room, 1, w, R)
        return equations.adjusted(R.exact(A), N, N, lambda i: R.exact(of_one(i)), w, z)

    return nearest_double_of(adjusted)


class _Values:
    """The values of a function with one pool and one cut-off, as RS-LEN-18 needs them.

    M: the cut-off; None: as many ranks as the list has
    """

    def __init__(self, function: OwnFunction, pool: Sequence[Exact], M: int | None) -> None:
        self._function, self._pool, self._M = function, pool, M

    def gain(self, labels: Sequence[Exact], pool: Sequence[Exact] | None = None) -> Fraction:
        """Return the value of a list, which must not be negative."""
        J = self._pool if pool is None else pool
        x = self._function(labels, J, len(labels) if self._M is None else self._M)
        if x < 0:
            raise InputError(
                f"{self._function.where(labels)}: the value is {x}; a function below 0 is not "
                f"adjusted ({SPEC})"
            )
        return Fraction(x)

    def of_one(self, n: int, label: int) -> Callable[[int], Fraction]:
        """Return i -> the value of n labels, of which that of rank i is above 0."""
        nothing = [0] * n
        if self.gain(nothing):
            raise InputError(
                f"{self._function.where(nothing)}: the value is {self.gain(nothing)}; expected 0 "
                f"where a list gains nothing ({SPEC})"
            )

        def value(i: int) -> Fraction:
            labels = [0] * n
            labels[i - 1] = label
            return self.gain(labels)

        return cache(value)

    def least_label(self) -> int:
        """Return the least label from 1 on that has a value alone, in a pool of its own."""
        for x in range(1, HIGHEST_LABEL + 1):
            if self.gain([x], [x]):
                return x
        raise InputError(
            f"fn: {self._function.name} has no value for a list of one label from 1 to "
            f"{HIGHEST_LABEL} ({SPEC})"
        )

    def check_falling(self, of_one: Callable[[int], Fraction], last: int) -> None:
        """An InputError where a relevant result has more at a later rank: no prior rises."""
        for i in range(2, last + 1):
            if of_one(i) > of_one(i - 1):
                raise InputError(
                    f"fn: {self._function.name} has {float(of_one(i))!r} for one relevant label "
                    f"at rank {i} of {last}, above {float(of_one(i - 1))!r} at rank {i - 1}; "
                    'the prior "discount" is proportional to these values, and weights must not '
                    f"rise; give another prior ({SPEC})"
                )


def _falling_as(of_one: Callable[[int], Fraction], R: Reals) -> Callable[[int], Number]:
    """Return the weights of the prior "discount": A(i) / A(1)."""
    first = of_one(1)
    return lambda i: R.exact(of_one(i) / first if first else Fraction(0))


def _adjusted_by_name(measure: Measure) -> str:
    return f"its adjusted form is rs.Adjusted({measure!r}) (RS-LEN-17)"


def _check_ranks(N: int, M: int | None, of_room: int | None, prior: Prior) -> None:
    if N > MOST_RANKS:
        raise InputError(
            f"labels: the list shows {N} results; fn is called for each rank, of at most "
            f"{MOST_RANKS}: give a cut-off, k ({SPEC})"
        )
    if of_room is not None and of_room > MOST_RANKS:
        raise InputError(
            f"k: the cut-off is {of_room}; Z(M, 1) is summed over at most {MOST_RANKS} ranks; "
            f'Z="none" works without it ({SPEC})'
        )
    needed = max(N, of_room or 0)
    if prior.weights is not None and needed > prior.weights.depth:
        shorter = "a cut-off, k" if M is None else "a smaller k"
        raise InputError(
            f"prior: weights for {prior.weights.depth} ranks are given, but rank {needed} needs "
            f"one, too; give more weights or {shorter}"
        )
