"""Bounds of a function of one's own, over the orders of a pool: by all of them, or by a sample.

    >>> found = bounds_of(my_metric, [2, 1, 0, 0], k=3)       # doctest: +SKIP
    >>> found.rlb.value, found.ul2([1, 2, 0, 0]).value        # doctest: +SKIP

Spec: RS-BND-14.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from math import factorial, inf, nextafter, prod
from typing import Any

import numpy as np

from ..compute.gain import real_number, whole, yes_or_no
from ..compute.randomness import check_replicates, check_seed, in_blocks, permuted
from ..errors import InputError, items_of, shown
from ..metrics.measure import Measure
from ..reference import bounds as equations
from ..reference.numbers.reals import Exact, Number, Reals
from ..reference.numerics import nearest_double, nearest_double_of
from .own_functions import OwnFunction, finite, labels_of

MOST = 100_000  # orders that are gone through
SAMPLES = 10_000

Value = Callable[[Sequence[Exact]], Fraction]
"""The value of a function for the labels of a ranking."""


@dataclass(frozen=True)
class Bound:
    """A bound, or what is made of bounds.

    value: the double nearest to it, or to its estimate
    low, high: what it lies between, by a sample with the probability that the bounds have
    exact: True if it comes from all orders and no sample; then the three are one
    """

    value: float
    low: float
    high: float
    exact: bool


@dataclass(frozen=True, repr=False)
class FunctionBounds:
    """The bounds of a function over the orders of a pool (RS-BND-14); prints as a table.

    function: its name; judged: the labels of the pool; k: how many labels it sees
    iub, rlb, wlb: its greatest value, its mean and its least value
    orders: the number of distinct orders of the pool
    calls: how many lists of labels its values are of
    samples, seed, alpha, limits: how it was sampled, and what its values lie between; None where
        all orders count
    """

    function: str
    judged: tuple[Exact, ...]
    k: int
    iub: Bound
    rlb: Bound
    wlb: Bound
    orders: int
    calls: int
    samples: int | None
    seed: int | None
    alpha: float | None
    limits: tuple[float, float] | None
    _value: Value = field(compare=False)
    _exactly: tuple[Fraction, Fraction] = field(compare=False)  # IUB and RLB before rounding

    @property
    def exact(self) -> bool:
        """True if all orders count, and nothing comes from a sample."""
        return self.samples is None

    def ul1(self, labels: Iterable[Exact]) -> Bound:
        """UL1 of a ranking of the whole pool, by its labels (RS-BND-5)."""
        return self._made("ul1", equations.ul1, labels)

    def ul2(self, labels: Iterable[Exact]) -> Bound:
        """UL2 of a ranking of the whole pool, by its labels (RS-BND-6)."""
        return self._made("ul2", equations.ul2, labels)

    def _made(self, name: str, normalised: Callable[..., Any], labels: Iterable[Exact]) -> Bound:
        """UL1 or UL2: both fall as IUB rises, and as RLB does, where 0 <= A <= IUB."""
        A = self._value(_order_of(self.judged, labels)[: self.k])
        if A < 0 or self.wlb.low < 0:
            raise InputError(
                f"{name}: {self.function} has values below 0; UL1 and UL2 are of values from 0 on "
                "(RS-BND-14)"
            )
        IUB, RLB = self._exactly
        if A > IUB and self.iub.exact:
            raise _not_the_best(self.function, A, IUB)
        IUB = max(IUB, A)
        value = Fraction(normalised(A, IUB, RLB))
        if self.exact:
            return _exactly(value)
        low = normalised(A, max(IUB, Fraction(self.iub.high)), Fraction(self.rlb.high))
        high = normalised(A, IUB, Fraction(self.rlb.low))
        return Bound(nearest_double(value), _down(Fraction(low)), _up(Fraction(high)), False)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        names = ("function", "k", "orders", "calls", "samples", "seed", "alpha", "limits")
        of_bounds = {name: asdict(getattr(self, name)) for name in ("iub", "rlb", "wlb")}
        return {
            **{name: getattr(self, name) for name in names},
            "judged": [x if isinstance(x, int) else float(x) for x in self.judged],
            **of_bounds,
        }

    def __repr__(self) -> str:
        how = "exact" if self.exact else "sampled"
        return f"<Bounds of {self.function} over {self.orders} orders, {how}>"

    def __str__(self) -> str:
        lines = [f"{self.function}: the first {self.k} of {len(self.judged)} labels"]
        for name in ("iub", "rlb", "wlb"):
            x: Bound = getattr(self, name)
            between = "exact" if x.exact else f"from {x.low:.6g} to {x.high:.6g}"
            lines.append(f"{name.upper()}  {x.value:.6g}  {between}")
        if self.alpha is None or self.limits is None:
            return "\n".join([*lines, f"all {self.orders} orders of the pool (RS-BND-14)"])
        low, high = self.limits
        return "\n".join(
            [
                *lines,
                f"{self.samples} of {self.orders} orders of the pool, at random, seed {self.seed} "
                "(RS-BND-14)",
                f"the interval of RLB holds it with a probability of at least {1 - self.alpha:.6g} "
                f"(Hoeffding), if all values are from {low:.6g} to {high:.6g}",
            ]
        )


def bounds_of(
    fn: Callable[..., Any],
    judged: Iterable[Exact],
    *,
    k: int | None = None,
    ideal: bool = False,
    limits: tuple[float, float] | None = None,
    most: int = MOST,
    samples: int = SAMPLES,
    alpha: float = 0.05,
    seed: int = 0,
) -> FunctionBounds:
    """Return IUB, RLB and WLB of a function of one's own, over all orders of a pool.

    fn: called with the labels of a ranking, in rank order; and, if it takes them, with the labels
        of the pool, ``judged``, and the cut-off, ``k``, as rs.axioms calls it
    judged: the labels of the pool, one or more
    k: fn is called with the first k labels of an order only; None: with all
    ideal: the order by falling labels is known to be the best; its value is IUB
    limits: the least and the greatest value that fn can have, as (0, 1); needed for a sample
    most: up to so many distinct lists of k labels all of them are taken, and the bounds are exact;
        above, a sample of random orders
    samples, seed, alpha: of that sample; the interval of RLB has the level 1 - alpha

    Raises InputError if fn fails or returns no finite number, or a value outside limits.

    Spec: RS-BND-14
    """
    function = OwnFunction(fn, "bounds_of", _bounds_by_name)
    pool = labels_of("judged", judged)
    depth = _depth(k, len(pool))
    ideal = yes_or_no(ideal, "ideal")
    low, high = _limits(limits)
    check_seed(seed)
    check_replicates(samples, "samples")
    level = _level(alpha)
    most = check_replicates(most, "most")
    value = _Values(function, pool, depth if k is None else k, (low, high))
    best, worst = sorted(pool, reverse=True)[:depth], sorted(pool)[:depth]
    enumerated = _are_few(pool, depth, most)
    if not enumerated and limits is None:
        raise InputError(
            f"limits: the pool has more than {most} distinct lists of {depth} labels, so the mean "
            "is estimated from a sample; give the least and the greatest value that the function "
            "can have, as limits=(0, 1) (RS-BND-14)"
        )
    if enumerated:
        IUB, RLB, WLB = (Fraction(x) for x in equations.of_all_orders(value, pool, depth))
        iub, rlb, wlb = _exactly(IUB), _exactly(RLB), _exactly(WLB)
    else:
        ends = value(best), value(worst)
        seen = [value(pi) for pi in _random_orders(pool, depth, samples, seed)]
        IUB, RLB, WLB = max(*seen, *ends), sum(seen, Fraction(0)) / samples, min(*seen, *ends)
        iub = Bound(nearest_double(IUB), _down(IUB), float(high), False)
        rlb = _by_hoeffding(RLB, low, high, samples, level)
        wlb = Bound(nearest_double(WLB), float(low), _up(WLB), False)
    if ideal:
        if value(best) != IUB:
            raise _not_the_best(value.name, IUB, value(best))
        iub = _exactly(IUB)
    found = FunctionBounds(
        value.name,
        tuple(pool),
        depth,
        iub,
        rlb,
        wlb,
        factorial(len(pool)) // prod(map(factorial, Counter(pool).values())),
        len(value.known),
        None,
        None,
        None,
        None,
        value,
        (IUB, RLB),
    )
    if enumerated:
        return found
    ends_of_values = (float(low), float(high))
    return replace(found, samples=samples, seed=seed, alpha=float(level), limits=ends_of_values)


def _are_few(pool: Sequence[Exact], k: int, most: int) -> bool:
    """True if there are at most so many distinct lists of k labels.

    Of shorter lists there are fewer, and these are soon counted.
    """
    depth = 1
    while depth < k:
        if equations.count_of_orders(pool, depth) > most:
            return False
        depth *= 2
    return equations.count_of_orders(pool, k) <= most


def _random_orders(pool: Sequence[Exact], k: int, samples: int, seed: int) -> Iterator[list[Exact]]:
    """The first k labels of random orders: those of the replicates of topic 0 (RS-RND-6)."""
    places = np.arange(len(pool), dtype=np.int64)[None]
    for block in in_blocks(samples, len(pool)):
        for order in permuted(seed, block, places)[:, 0, :k].tolist():
            yield [pool[a] for a in order]


def _by_hoeffding(mean: Fraction, low: Exact, high: Exact, m: int, alpha: Fraction) -> Bound:
    """The mean of a sample with its interval, the ends of which are rounded outwards."""

    def width(reals: Reals) -> Number:
        return equations.hoeffding(low, high, m, alpha, reals)

    most = Fraction(nextafter(nearest_double_of(width), inf)) if high > low else Fraction(0)
    ends = max(Fraction(low), mean - most), min(Fraction(high), mean + most)
    return Bound(nearest_double(mean), _down(ends[0]), _up(ends[1]), False)


class _Values:
    """The values of a function for lists of labels, each asked for once; exact numbers."""

    def __init__(
        self, function: OwnFunction, pool: list[Exact], k: int, limits: tuple[Exact, Exact]
    ) -> None:
        self.name = function.name
        self.known: dict[tuple[Exact, ...], Fraction] = {}
        self._function, self._pool, self._k, self._limits = function, pool, k, limits

    def __call__(self, labels: Sequence[Exact]) -> Fraction:
        key = tuple(labels)
        if key not in self.known:
            self.known[key] = self._called(key)
        return self.known[key]

    def _called(self, labels: Sequence[Exact]) -> Fraction:
        x = self._function(labels, self._pool, self._k)
        low, high = self._limits
        if not low <= x <= high:
            raise InputError(
                f"{self._function.where(labels)}: the value {shown(x)} is outside limits, "
                f"{shown(low)} to {shown(high)}"
            )
        return Fraction(x)


def _bounds_by_name(measure: Measure) -> str:
    return f"its bounds are IUB({measure}), RLB({measure}) and WLB({measure}) (RS-BND-1)"


# ---- what is given -------------------------------------------------------------------------


def _order_of(pool: Sequence[Exact], given: Iterable[Exact]) -> list[Exact]:
    """The labels of a ranking; an InputError unless it shows each item of the pool once."""
    labels = labels_of("labels", given)
    if Counter(labels) != Counter(pool):
        raise InputError(
            f"labels: expected an order of the {len(pool)} labels of the pool, got {shown(labels)}"
        )
    return labels


def _depth(k: Any, n: int) -> int:
    """Return the number of labels that the function sees."""
    if k is None:
        return n
    number = whole(k)
    if number is None or number < 1:
        raise InputError(f"k: expected an integer from 1 on, got {shown(k)}")
    return min(number, n)


def _limits(given: Any) -> tuple[Exact, Exact]:
    if given is None:
        return -inf, inf
    complaint = f"limits: expected the least and the greatest value, as (0, 1), got {shown(given)}"
    ends = [finite(x) for x in items_of(given, complaint)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        raise InputError(complaint)
    return ends[0], ends[1]


def _level(alpha: Any) -> Fraction:
    x = real_number(alpha)
    if x is None or not 0 < x < 1:
        raise InputError(f"alpha: expected a number between 0 and 1, got {shown(alpha)}")
    return Fraction(x)


def _not_the_best(name: str, value: Fraction, of_ideal: Fraction) -> InputError:
    return InputError(
        f"ideal: {name} has the value {float(value)!r} for an order, above {float(of_ideal)!r} of "
        "the order by falling labels, which is then not the best; leave ideal out (RS-BND-14)"
    )


# ---- rounding ------------------------------------------------------------------------------


def _exactly(x: Fraction) -> Bound:
    value = nearest_double(x)
    return Bound(value, value, value, True)


def _down(x: Fraction) -> float:
    value = nearest_double(x)
    return nextafter(value, -inf) if Fraction(value) > x else value


def _up(x: Fraction) -> float:
    value = nearest_double(x)
    return nextafter(value, inf) if Fraction(value) < x else value
