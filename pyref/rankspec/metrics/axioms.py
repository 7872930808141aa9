"""What is proven of metrics: which axioms each satisfies, and under which condition.

A metric names its shape in its field ``axioms``; here is what follows of each shape, in the words
of spec/axioms.md, whose laws are the proofs. Axioms are known by the names of
``rankspec.analysis.axioms``. What no law says is left to a search.

A condition is about a measure and a *scale*: the labels that there are, in rising order, from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from ..compute.gain import UNDISCOUNTED, Discount, Gain, Geometric
from ..later import axioms, fractions, ordered, precision
from ..records import record, replace
from ..typed import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ..reference.axioms import Comparison, Labels
    from ..reference.numbers.ordered import Real
    from ..reference.numbers.reals import Exact, Number, Reals

Measure: TypeAlias = Any  # a Measure; its metric has the proofs
Scale: TypeAlias = "Sequence[Exact]"
Condition: TypeAlias = "Callable[[Measure, Scale], bool | None]"


@record()
class Proof:
    """What is proven of an axiom and the metrics of a shape.

    holds: whether a measure satisfies it, for the labels of a scale; None: the law does not say
    when: the condition in words, "never", "always" or "iff ..."
    spec: the law
    example: where it fails and small lists do not show it, a comparison that does
    most: of an axiom that asks for a number, the greatest that has to be tried; None: the proof
        needs none
    """

    holds: Condition
    when: str
    spec: str
    example: Callable[[Measure, Scale], Comparison | None] = lambda *_: None
    most: Callable[[Measure], int | None] = lambda _: None


Proofs: TypeAlias = Mapping[str, Proof]


def _always(*_: Any) -> bool:
    return True


def _never(*_: Any) -> bool:
    return False


def uncut(m: Measure, _: Scale = ()) -> bool:
    """Whether there is no cut-off."""
    return m.k is None


def known(spec: str, *names: str, when: Callable[[Measure], bool] = lambda _: True) -> Proofs:
    """What a law of another chapter says of some axioms, of measures of which it holds."""
    return {name: Proof(lambda m, _: True if when(m) else None, "always", spec) for name in names}


# ---- what a condition asks of the gains of labels ----------------------------------------------

GainOf: TypeAlias = "Callable[[Measure], Callable[[Exact], Exact]]"


def gains(m: Measure) -> Callable[[Exact], Exact]:
    """Numbers in the order of the gains of labels, and 0 where these are."""
    g: Gain = m.gain
    return (lambda x: g.table[int(x)]) if g.kind == "table" else (lambda x: x)


def relevances(m: Measure) -> Callable[[Exact], Exact]:
    """1 of a relevant label, else 0."""
    return lambda x: precision.relevance([x], m.rel)[0]


def probabilities(m: Measure) -> Callable[[Exact], Exact]:
    """How probable it is that a label is relevant to a user, by GAP."""
    return lambda x: precision.probability_relevant(x, m.q)


def rises(of: Callable[[Exact], Exact], scale: Scale) -> bool:
    """Whether a higher label has a higher gain."""
    return all(of(x) < of(y) for x, y in pairwise(scale))


def worth(of: Callable[[Exact], Exact], scale: Scale) -> bool:
    """Whether each label above 0 has a gain."""
    return all(of(x) > 0 for x in scale if x > 0)


def nothing_at_0(of: Callable[[Exact], Exact]) -> bool:
    """Whether the label 0 has no gain."""
    return of(0) == 0


# ---- and of the weights of ranks ---------------------------------------------------------------


@record()
class Weights:
    """What is known of weights that do not rise, up to a cut-off or without one.

    first: w(1) > 0
    second: w(2) > 0, and rank 2 is within the cut-off
    positive: all are above 0, up to the cut-off
    falls: each is above the next, up to the cut-off
    convex: the steps from one to the next fall, without end
    diverges: their sum has no bound
    half: w(n + 1) + ... + w(2n) is below w(1) for all n from some n on
    """

    first: bool
    second: bool
    positive: bool
    falls: bool
    convex: bool | None = False
    diverges: bool | None = True
    half: bool | None = False


_STRICT = {"log", "jarvelin-2008", "zipf", "jiang-2016"}


def of_discount(d: Discount, k: int | None) -> Weights:
    """What the entries RS-DISC-1 to RS-DISC-7 say of a discount."""
    two = k is None or k >= 2
    if d.kind == "custom":
        shown = d.weights[:k]
        second = two and len(shown) >= 2 and shown[1] > 0
        falls = all(x > y for x, y in pairwise(shown))
        return Weights(any(shown[:1]), second, all(shown), falls, None, False, None)
    if d.kind in _STRICT:
        return Weights(True, two, True, True, True, True, d.kind == "zipf")
    falls = k == 1 or (d.kind == "jarvelin-2002" and d.b < 2)
    return Weights(True, two, True, falls, None if falls else False)


def discounts(m: Measure) -> Weights:
    return of_discount(m.discount, m.k)


def undiscounted(m: Measure) -> Weights:
    return of_discount(UNDISCOUNTED, m.k)


def persistent(m: Measure) -> Weights:
    """Those of RBP, (1 - p) p^(i-1)."""
    if m.p in (0, 1):
        return Weights(False, False, False, False, None, None, None)
    return Weights(True, m.k is None or m.k >= 2, True, True, True, False, True)


WeightsOf: TypeAlias = "Callable[[Measure], Weights]"


# ---- examples that are longer than lists that are searched ---------------------------------------

DEEPEST_SHOWN = 1000
"""The greatest cut-off for which an example of its length is made."""


def _depth_shown(m: Measure) -> int | None:
    """The cut-off, where there is one that an example can have the length of."""
    return m.k if m.k is not None and m.k <= DEEPEST_SHOWN else None


def _beyond(m: Measure, scale: Scale) -> Comparison | None:
    """Below the cut-off, two neighbours in the wrong order: k zeros, a zero and a label."""
    k = _depth_shown(m)
    if k is None:
        return None
    r: Labels = (0,) * k + (0, scale[-1])
    better = (0,) * k + (scale[-1], 0)
    return axioms.Comparison(axioms.Shown(better, r, k), ">", axioms.Shown(r, r, k))


def _one_more(m: Measure, scale: Scale) -> Comparison | None:
    """One item more than the cut-off lets see, all of one label."""
    k = _depth_shown(m)
    if k is None:
        return None
    r: Labels = (scale[-1],) * (k + 1)
    return axioms.Comparison(axioms.Shown(r, r, k), ">", axioms.Shown(r[:-1], r, k))


def _full(m: Measure, scale: Scale) -> Comparison | None:
    """As many items as the cut-off, and one more in the pool: all that can be shown, then not."""
    k = 1 if m.k is None else _depth_shown(m)
    if k is None:
        return None
    r: Labels = (scale[-1],) * k
    J = (*r, scale[-1])
    return axioms.Comparison(axioms.Shown(r, J, k + 1), ">=", axioms.Shown(r, J, k))


def _more_than_shown(m: Measure, scale: Scale) -> Comparison | None:
    """The best list of a pool of one item more than the cut-off, and of a pool of one item."""
    k = _depth_shown(m)
    if k is None:
        return None
    a = scale[-1]
    r: Labels = (a,) * k
    return axioms.Comparison(axioms.Shown(r, (*r, a), k), "=", axioms.Shown((a,), (a,), k))


def _two_pairs_beyond(m: Measure, scale: Scale) -> Comparison | None:
    k = _depth_shown(m)
    if k is None:
        return None
    a = scale[-1]
    above: Labels = (0,) * k
    first, second = (*above, a, 0, 0, a), (*above, 0, a, a, 0)
    return axioms.Comparison(axioms.Shown(first, first, k), ">", axioms.Shown(second, first, k))


def _two_pairs_of_precisions(m: Measure, scale: Scale) -> Comparison | None:
    """The ranks 4 and 5, and 7 and 8; or, if the cut-off is above them, pairs below it."""
    if m.k is not None and m.k < 8:
        return _two_pairs_beyond(m, scale)
    a = scale[-1]
    first, second = (0, 0, 0, a, 0, a, 0, a), (0, 0, 0, 0, a, a, a, 0)
    return axioms.Comparison(axioms.Shown(first, first, m.k), ">", axioms.Shown(second, first, m.k))


# ---- the shapes ------------------------------------------------------------------------------

LONGER_NEVER = "never: a result more does not lower it"


def sums(
    gain: GainOf,
    weights: WeightsOf,
    applies: Callable[[Measure], bool] = lambda _: True,
    unit: Callable[[Measure], bool] = _never,
    of_k: bool = False,
    of_pool: bool = False,
) -> Proofs:
    """Of E = Σ_{i <= k} g(r_i) w(i) / c, where c depends on the pool and on k alone (RS-AXM-24).

    applies: whether a measure is such a sum
    unit: whether c is the greatest sum that the lists of the pool have
    of_k, of_pool: whether c depends on them
    """

    def law(condition: Condition) -> Condition:
        return lambda m, L: condition(m, L) if applies(m) else None

    def g(m: Measure, test: Callable[..., bool], L: Scale) -> bool:
        return test(gain(m), L)

    proofs = {
        "c1": Proof(law(_never), LONGER_NEVER, "RS-AXM-2/L1"),
        "c2": Proof(
            law(lambda m, L: weights(m).second and g(m, worth, L)),
            "iff k >= 2, w(2) > 0 and each label above 0 has a gain",
            "RS-AXM-3/L1",
        ),
        "fewer-and-better": Proof(law(_never), LONGER_NEVER, "RS-AXM-4/L1"),
        "more-as-good": Proof(
            law(lambda m, L: uncut(m) and weights(m).positive and g(m, worth, L)),
            "iff there is no cut-off, all w > 0 and each label above 0 has a gain",
            "RS-AXM-5/L1",
            _one_more,
        ),
        "boundedness": Proof(
            law(
                lambda m, L: (
                    True
                    if unit(m) or not uncut(m)
                    else None
                    if weights(m).diverges is None or not g(m, worth, L)
                    else not weights(m).diverges
                )
            ),
            "iff it is normalised, or there is a cut-off, or Σ w has a bound",
            "RS-AXM-6/L1",
        ),
        "convergence": Proof(
            law(lambda m, L: g(m, rises, L) and weights(m).positive),
            "iff a higher label has a higher gain and all w > 0 up to k",
            "RS-AXM-9/L1",
        ),
        "top-weightedness": Proof(
            law(lambda m, L: g(m, rises, L) and weights(m).falls),
            "iff a higher label has a higher gain and w falls strictly up to k",
            "RS-AXM-10/L1",
        ),
        "replacement": Proof(law(_always), "always: gains do not fall", "RS-AXM-14/L1"),
        "swap": Proof(law(_always), "always: weights do not rise", "RS-AXM-15/L1"),
        "priority": Proof(
            law(lambda m, L: uncut(m) and g(m, rises, L) and weights(m).falls),
            "iff there is no cut-off, a higher label has a higher gain and w falls strictly",
            "RS-AXM-16/L1",
            _beyond,
        ),
        "deepness": Proof(
            law(
                lambda m, L: (
                    uncut(m)
                    and g(m, rises, L)
                    and (None if weights(m).convex is None else bool(weights(m).convex))
                )
            ),
            "iff there is no cut-off, a higher label has a higher gain and each step of w is "
            "above those from the next but one on",
            "RS-AXM-17/L1",
            _two_pairs_beyond,
        ),
        "deepness-threshold": Proof(
            law(
                lambda m, L: (
                    None
                    if not g(m, worth, L)
                    or not weights(m).first
                    or not nothing_at_0(gain(m))
                    or (uncut(m) and weights(m).half is None)
                    else not uncut(m) or bool(weights(m).half)
                )
            ),
            "iff k is finite, or w(n+1) + ... + w(2n) stays below w(1)",
            "RS-AXM-18/L1",
        ),
        "closeness-threshold": Proof(
            law(lambda m, L: _no_closer(m, L, gain, weights)),
            "iff w(n+1) + ... + w(2n) > w(1) for some n, up to k; with the discount 1/i never",
            "RS-AXM-19/L1",
            most=lambda m: m.k,
        ),
        "confidence": Proof(law(_never), LONGER_NEVER, "RS-AXM-20/L1"),
        "appended": Proof(
            law(lambda m, _: nothing_at_0(gain(m)) or None),
            "iff the label 0 has no gain",
            "RS-AXM-21/L1",
        ),
    }
    if not of_k:
        proofs["monotonicity"] = Proof(
            law(_always), "always: a rank more adds, and the divisor stays", "RS-AXM-8/L1"
        )
    if not of_pool:
        proofs["localisation"] = Proof(law(_always), "always: it has no pool", "RS-AXM-11/L1")
        proofs["completeness"] = Proof(law(_always), "always: it has no pool", "RS-AXM-12/L1")
    proofs["range"] = Proof(
        law(lambda m, _: True if unit(m) else None), "always: it is normalised", "RS-AXM-7/L1"
    )
    return proofs


def _no_closer(m: Measure, L: Scale, gain: GainOf, weights: WeightsOf) -> bool | None:
    """False where no n does: for 1/i without a cut-off; else a search tells."""
    if not (worth(gain(m), L) and nothing_at_0(gain(m))):
        return None
    return False if uncut(m) and weights(m).half and weights(m).diverges else None


def normalised(
    gain: GainOf,
    weights: WeightsOf,
    applies: Callable[[Measure], bool] = lambda _: True,
    at_any_depth: Callable[[Measure], bool] = _always,
) -> Proofs:
    """Of sums over that of the best list of the pool (RS-AXM-24).

    at_any_depth: whether that list is cut where the list is; else it is the whole pool's
    """
    proofs = dict(sums(gain, weights, applies, unit=lambda _: True, of_k=True, of_pool=True))

    def steady(m: Measure, L: Scale) -> bool | None:
        if not applies(m):
            return None
        falls = gain(m)(L[-1]) > 0 and weights(m).positive and weights(m).diverges
        return True if not at_any_depth(m) else False if falls else None

    proofs["monotonicity"] = Proof(
        steady, "iff the ideal is not cut where the list is", "RS-AXM-8/L1", _full
    )

    def realised(m: Measure, L: Scale) -> bool | None:
        whole = at_any_depth(m) or uncut(m)
        if not applies(m) or not weights(m).positive:
            return None
        return _fills(whole, not whole, gain(m), L)

    proofs["realisability"] = Proof(
        realised,
        "where each label above 0 has a gain and all w > 0, iff the ideal is cut where the list is",
        "RS-AXM-13/L1",
        _more_than_shown,
    )
    return proofs


def adjusted(unit: bool) -> Proofs:
    """Of LDCG, and with unit of LNDCG: DCG over Σ w(i) d(i), i <= N, over c (RS-LEN-5)."""

    def true_ideal(m: Measure) -> bool:
        return unit and m.ideal == "true"

    def w(m: Measure, i: int) -> Real:
        return ordered.Real(lambda R: m.prior.of(m.discount).of(R)(i))

    def first_falls(m: Measure) -> bool:
        return bool(w(m, 2) < w(m, 1))

    def c1(m: Measure, L: Scale) -> bool:
        if not discounts(m).second:
            return False
        return all(_loses(m, a, b) for b in L for a in L if a > b)

    def c2(m: Measure, L: Scale) -> bool:
        return discounts(m).second and worth(gains(m), L) and first_falls(m)

    def positive_prior(m: Measure) -> bool:
        return of_discount(m.prior.of(m.discount), m.k).positive

    def lowers(m: Measure, L: Scale) -> bool:
        fits = uncut(m) and discounts(m).positive and positive_prior(m)
        return fits and nothing_at_0(gains(m)) and worth(gains(m), L)

    proofs = {
        "c1": Proof(
            c1,
            "iff k >= 2, d(2) > 0 and g(b) w(1) < g(a) w(2) for all labels a > b",
            "RS-LEN-10/L1",
        ),
        "c2": Proof(
            c2,
            "iff k >= 2, d(2) > 0, w(2) < w(1) and each label above 0 has a gain",
            "RS-LEN-11/L1",
        ),
        "fewer-and-better": Proof(
            lambda m, L: None if _many_worse(m, L) is None else False,
            "not where d(i) (g(b) w(1) - g(a) w(i)), summed over the ranks 2 to n + 1, is >= 0 for "
            "some n < k",
            "RS-AXM-4/L2",
            _many_worse,
        ),
        "more-as-good": Proof(
            lambda m, L: uncut(m) and discounts(m).positive and c2(m, L),
            "iff there is no cut-off, all d > 0, w(2) < w(1) and each label above 0 has a gain",
            "RS-AXM-5/L2",
            _one_more,
        ),
        "convergence": Proof(
            lambda m, L: rises(gains(m), L) and discounts(m).positive,
            "iff a higher label has a higher gain and all d > 0 up to k",
            "RS-AXM-9/L2",
        ),
        "top-weightedness": Proof(
            lambda m, L: rises(gains(m), L) and discounts(m).falls,
            "iff a higher label has a higher gain and d falls strictly up to k",
            "RS-AXM-10/L2",
        ),
        "replacement": Proof(_always, "always", "RS-LEN-5/L2"),
        "swap": Proof(_always, "always", "RS-LEN-5/L2"),
        "priority": Proof(
            lambda m, L: uncut(m) and rises(gains(m), L) and discounts(m).falls,
            "iff there is no cut-off, a higher label has a higher gain and d falls strictly",
            "RS-AXM-16/L2",
            _beyond,
        ),
        "deepness": Proof(
            lambda m, L: (
                uncut(m)
                and rises(gains(m), L)
                and (None if discounts(m).convex is None else bool(discounts(m).convex))
            ),
            "iff there is no cut-off, a higher label has a higher gain and each step of d is "
            "above those from the next but one on",
            "RS-AXM-17/L2",
            _two_pairs_beyond,
        ),
        "deepness-threshold": Proof(
            lambda m, L: _deepness_of_adjusted(m) if worth(gains(m), L) else None,
            "if k is finite; never with a logarithmic discount that is its own prior",
            "RS-AXM-18/L5",
        ),
        "confidence": Proof(
            lambda m, L: True if lowers(m, L) else None,
            "iff there is no cut-off, all w d > 0, and no label but 0 is without a gain",
            "RS-AXM-20/L2",
        ),
    }
    if unit:
        in_unit: Condition = lambda m, _: True if true_ideal(m) else None  # noqa: E731
        proofs |= {
            "range": Proof(in_unit, 'always, with the ideal "true"', "RS-LEN-9/L1"),
            "boundedness": Proof(in_unit, 'always, with the ideal "true"', "RS-LEN-9/L1"),
            "realisability": Proof(
                lambda m, L: (
                    True
                    if true_ideal(m) and worth(gains(m), L) and not m.discount.is_zero(1)
                    else None
                ),
                'with the ideal "true", if each label above 0 has a gain: the best list has 1',
                "RS-AXM-13/L2",
            ),
        }
    else:
        proofs |= {
            "localisation": Proof(_always, "always: it has no pool", "RS-AXM-11/L1"),
            "completeness": Proof(_always, "always: it has no pool", "RS-AXM-12/L1"),
        }
    return proofs


def _deepness_of_adjusted(m: Measure) -> bool | None:
    """With a cut-off True: n >= k leaves nothing to be seen, and the label 0 has no gain."""
    if not nothing_at_0(gains(m)) or m.discount.is_zero(1):
        return None
    if m.k is not None:
        return True
    logarithmic = _STRICT - {"zipf"}
    own = m.prior.of(m.discount) == m.discount
    return False if own and m.discount.kind in logarithmic else None


def _loses(m: Measure, a: Exact, b: Exact) -> bool:
    """g(b) w(1) < g(a) w(2)."""
    weights = m.prior.of(m.discount)

    def product(x: Exact, i: int) -> Real:
        def value(R: Reals) -> Number:
            return m.gain.of(R)(x) * weights.of(R)(i)

        return ordered.Real(value)

    return bool(product(b, 1) < product(a, 2))


MOST_WORSE = 60


def _many_worse(m: Measure, scale: Scale) -> Comparison | None:
    """A label, and so many of the next lower one behind it that the longer list has more."""
    a, b = scale[-1], scale[-2]
    most = MOST_WORSE if m.k is None else min(m.k - 1, MOST_WORSE)
    if most < 1 or gains(m)(b) <= 0:
        return None
    weights, d = m.prior.of(m.discount), m.discount
    most = int(min(most, weights.depth - 1, d.depth - 1))

    def left(n: int, R: Reals) -> Number:
        """What a b more weighs against the list <a>: Σ d(i) (g(b) w(1) - g(a) w(i))."""
        g, w, disc = m.gain.of(R), weights.of(R), d.of(R)
        return sum(
            (disc(i) * (g(b) * w(1) - g(a) * w(i)) for i in range(2, n + 2)), start=R.exact(0)
        )

    for n in range(1, most + 1):
        if ordered.Real(lambda R, n=n: left(n, R)) >= 0:  # type: ignore[misc]
            r: Labels = (a, *(b,) * n)
            return axioms.Comparison(axioms.Shown((a,), r, m.k), ">", axioms.Shown(r, r, m.k))
    return None


def cascades(
    stop: Callable[[Measure], Callable[[Exact], Exact]], normalised_by_pool: bool = False
) -> Proofs:
    """Of ERR, and of ERR over that of the ideal ranking."""

    def sure(m: Measure, L: Scale) -> bool:
        """Whether a label stops every user."""
        return any(stop(m)(x) == 1 for x in L)

    def some(m: Measure, L: Scale) -> bool:
        return all(0 < stop(m)(x) < 1 for x in L if x > 0)

    def at_0(m: Measure) -> bool:
        return stop(m)(0) == 0

    proofs = {
        "c1": Proof(_never, LONGER_NEVER, "RS-AXM-2/L1"),
        "c2": Proof(
            lambda m, L: (m.k is None or m.k >= 2) and some(m, L),
            "iff k >= 2 and 0 < R < 1 for each label above 0",
            "RS-AXM-3/L2",
        ),
        "fewer-and-better": Proof(_never, LONGER_NEVER, "RS-AXM-4/L1"),
        "more-as-good": Proof(
            lambda m, L: uncut(m) and some(m, L),
            "iff there is no cut-off and 0 < R < 1 for each label above 0",
            "RS-AXM-5/L3",
            _one_more,
        ),
        "boundedness": Proof(_always, "always", "RS-CAS-2/L3"),
        "range": Proof(_always, "always", "RS-CAS-2/L3"),
        "convergence": Proof(
            lambda m, L: rises(stop(m), L) and (m.k == 1 or not sure(m, L)),
            "iff a higher label has a higher R, and k = 1 or all R < 1",
            "RS-AXM-9/L3",
        ),
        "top-weightedness": Proof(
            lambda m, L: rises(stop(m), L) and (not sure(m, L) or m.k == 2),
            "iff a higher label has a higher R, and k = 2 or all R < 1",
            "RS-AXM-10/L3",
        ),
        "replacement": Proof(_always, "always", "RS-CAS-2/L5"),
        "swap": Proof(_always, "always", "RS-CAS-2/L4"),
        "priority": Proof(
            lambda m, L: uncut(m) and rises(stop(m), L) and not sure(m, L),
            "iff there is no cut-off, a higher label has a higher R, and all R < 1",
            "RS-AXM-16/L3",
            _beyond,
        ),
        "deepness": Proof(
            lambda m, L: uncut(m) and rises(stop(m), L) and not sure(m, L),
            "iff there is no cut-off, a higher label has a higher R, and all R < 1",
            "RS-AXM-17/L3",
            _two_pairs_beyond,
        ),
        "deepness-threshold": Proof(
            lambda m, L: True if at_0(m) and worth(stop(m), L) else None,
            "if R(0) = 0 and R > 0 for each label above 0",
            "RS-AXM-18/L2",
        ),
        "closeness-threshold": Proof(
            lambda m, L: False if at_0(m) and worth(stop(m), L) else None,
            "never, where R(0) = 0: n items at the ranks n + 1 to 2n have less than R ln 2",
            "RS-AXM-19/L2",
        ),
        "confidence": Proof(_never, LONGER_NEVER, "RS-AXM-20/L1"),
        "appended": Proof(lambda m, _: at_0(m) or None, "iff R(0) = 0", "RS-AXM-21/L1"),
    }
    if normalised_by_pool:
        proofs |= {
            "monotonicity": Proof(
                lambda m, L: False if 0 < stop(m)(L[-1]) < 1 else None,
                "not where 0 < R < 1 for the highest label: the ideal is cut where the list is",
                "RS-AXM-8/L4",
                _full,
            ),
            "range": Proof(_always, "always", "RS-CAS-4/L1"),
            "boundedness": Proof(_always, "always", "RS-CAS-4/L1"),
            "realisability": Proof(
                lambda m, L: True if worth(stop(m), L) else None,
                "if R > 0 for each label above 0: the ideal ranking has 1",
                "RS-AXM-13/L3",
            ),
        }
    else:
        proofs |= {
            "monotonicity": Proof(_always, "always", "RS-CAS-2/L6"),
            "localisation": Proof(_always, "always: it has no pool", "RS-AXM-11/L1"),
            "completeness": Proof(_always, "always: it has no pool", "RS-AXM-12/L1"),
        }
    return proofs


# ---- those that are adjusted for the length ------------------------------------------------------

RanksOf: TypeAlias = "Callable[[Measure], Discount | Geometric]"

OF_ONE_LENGTH = (
    "convergence",
    "top-weightedness",
    "replacement",
    "swap",
    "priority",
    "deepness",
)
"""The axioms that compare lists of one length."""


def _of_one_length(proofs: Proofs, spec: str) -> dict[str, Proof]:
    """What is proven of a metric, of its adjustment, which is proportional to it."""
    return {name: replace(proofs[name], spec=spec) for name in OF_ONE_LENGTH} | {
        "localisation": Proof(_always, "always: it has no pool", "RS-AXM-11/L1"),
        "completeness": Proof(_always, "always: it has no pool", "RS-AXM-12/L1"),
    }


def _shows_two(m: Measure) -> bool:
    return m.k is None or m.k >= 2


def _first_two(prior: RanksOf, m: Measure) -> tuple[Real, Real]:
    """The weights of the prior of ranks 1 and 2."""
    first, second = (ordered.Real(lambda R, i=i: prior(m).of(R)(i)) for i in (1, 2))  # type: ignore[misc]
    return first, second


def adjusted_cascades(
    stop: Callable[[Measure], Callable[[Exact], Exact]], prior: RanksOf
) -> Proofs:
    """Of LERR (RS-LEN-12/L2)."""

    def times(x: Exact, m: Measure, i: int) -> Real:
        return ordered.Real(lambda R: R.exact(x) * prior(m).of(R)(i))

    def c1(m: Measure, L: Scale) -> bool | None:
        R = stop(m)
        pairs = ((R(a), R(b)) for b in L for a in L if a > b)
        return _shows_two(m) and all(
            bool(times(a, m, 2) > times((1 - fractions.Fraction(a)) * fractions.Fraction(b), m, 1))
            for a, b in pairs
        )

    def c2(m: Measure, L: Scale) -> bool:
        R = stop(m)
        return _shows_two(m) and all(
            R(a) > 0 and bool(times(1, m, 2) < times(1 - fractions.Fraction(R(a)), m, 1))
            for a in L
            if a > 0
        )

    return {
        **_of_one_length(cascades(stop), "RS-LEN-13/L2"),
        "c1": Proof(
            c1,
            "iff k >= 2 and R(a) w(2) > (1 - R(a)) R(b) w(1) for all labels a > b",
            "RS-LEN-12/L2",
        ),
        "c2": Proof(
            c2,
            "iff k >= 2, R > 0 and w(2) < (1 - R) w(1) for each label above 0",
            "RS-LEN-12/L2",
        ),
    }


def _c1_of_indicators(prior: RanksOf, spec: str) -> Proof:
    """Of LAP and LRBP: of two labels one is relevant, and the other takes space."""

    def c1(m: Measure, L: Scale) -> bool:
        _, second = _first_two(prior, m)
        return _shows_two(m) and rises(relevances(m), L) and bool(second > 0)

    return Proof(c1, "iff k >= 2, w(2) > 0 and there are two labels, one of them relevant", spec)


def adjusted_precisions(prior: RanksOf) -> Proofs:
    """Of LAP (RS-LEN-12/L5)."""
    return {
        **_of_one_length(precisions(relevances, unit=False), "RS-LEN-14/L2"),
        "c1": _c1_of_indicators(prior, "RS-LEN-12/L5"),
        "c2": Proof(
            lambda m, L: _shows_two(m) and worth(relevances(m), L),
            "iff k >= 2 and each label above 0 is relevant",
            "RS-LEN-12/L5",
        ),
    }


def adjusted_graded_precisions(prior: RanksOf) -> Proofs:
    """Of LGAP (RS-LEN-12/L7)."""

    def times(x: Exact, m: Measure, i: int) -> Real:
        return ordered.Real(lambda R: R.exact(x) * prior(m).of(R)(i))

    def c1(m: Measure, L: Scale) -> bool:
        pi = probabilities(m)
        pairs = ((pi(a), pi(b)) for b in L for a in L if a > b)
        return _shows_two(m) and all(bool(times(a, m, 2) > times(2 * b, m, 1)) for a, b in pairs)

    return {
        **_of_one_length(precisions(probabilities, unit=False), "RS-LEN-16/L2"),
        "c1": Proof(
            c1,
            "iff k >= 2 and pi(a) w(2) > 2 pi(b) w(1) for all labels a > b",
            "RS-LEN-12/L7",
        ),
        "c2": Proof(
            lambda m, L: _shows_two(m) and worth(probabilities(m), L),
            "iff k >= 2 and each label above 0 is relevant, to some user at least",
            "RS-LEN-12/L7",
        ),
    }


def adjusted_sums_of_rbp(prior: RanksOf) -> Proofs:
    """Of LRBP (RS-LEN-12/L6)."""

    def c2(m: Measure, L: Scale) -> bool:
        first, second = _first_two(prior, m)
        return _shows_two(m) and worth(relevances(m), L) and bool(second < first)

    return {
        **_of_one_length(sums_of_rbp(), "RS-LEN-15/L2"),
        "c1": _c1_of_indicators(prior, "RS-LEN-12/L6"),
        "c2": Proof(
            c2, "iff k >= 2, w(2) < w(1) and each label above 0 is relevant", "RS-LEN-12/L6"
        ),
    }


def precisions(
    gain: GainOf,
    applies: Callable[[Measure], bool] = lambda _: True,
    unit: bool = True,
    best_is_1: Callable[[Measure], bool] = _never,
    steady: Callable[[Measure], bool] = _always,
) -> Proofs:
    """Of SP, AP and GAP: Σ of precisions over c, where c depends on the pool and k alone.

    applies: whether a measure is one; unit: whether it is from 0 to 1; best_is_1: whether the best
    list of a pool has 1; steady: whether c is free of k
    """

    def law(condition: Condition) -> Condition:
        return lambda m, L: condition(m, L) if applies(m) else None

    def strict(m: Measure, L: Scale) -> bool:
        return rises(gain(m), L)

    proofs = {
        "c1": Proof(law(_never), LONGER_NEVER, "RS-AXM-2/L1"),
        "c2": Proof(
            law(lambda m, L: (m.k is None or m.k >= 2) and worth(gain(m), L)),
            "iff k >= 2 and each label above 0 is relevant, to some user at least",
            "RS-AXM-3/L3",
        ),
        "fewer-and-better": Proof(law(_never), LONGER_NEVER, "RS-AXM-4/L1"),
        "more-as-good": Proof(
            law(lambda m, L: uncut(m) and worth(gain(m), L)),
            "iff there is no cut-off and each label above 0 is relevant, to some user at least",
            "RS-AXM-5/L4",
            _one_more,
        ),
        "convergence": Proof(
            law(strict), "iff a higher label is relevant to more users", "RS-AXM-9/L4"
        ),
        "top-weightedness": Proof(
            law(strict),
            "iff a higher label is relevant to more users",
            "RS-AXM-10/L4",
        ),
        "replacement": Proof(law(_always), "always", "RS-AXM-14/L1"),
        "swap": Proof(law(_always), "always", "RS-AXM-15/L1"),
        "priority": Proof(
            law(lambda m, L: uncut(m) and strict(m, L)),
            "iff there is no cut-off and a higher label is relevant to more users",
            "RS-AXM-16/L4",
            _beyond,
        ),
        "deepness": Proof(
            law(lambda _, L: False if len(L) >= 2 else None),
            "never: <0 0 0 0 1 1 0 1>, of which the ranks 7 and 8 weigh 3/56, and 4 and 5 1/20",
            "RS-AXM-17/L4",
            _two_pairs_of_precisions,
        ),
        "deepness-threshold": Proof(
            law(lambda m, L: not uncut(m) if worth(gain(m), L) else None),
            "iff k is finite: 1/(n+1) + 2/(n+2) + ... + n/(2n) has no bound",
            "RS-AXM-18/L3",
        ),
        "closeness-threshold": Proof(
            law(lambda m, L: None if m.k is None or m.k > 5 or not worth(gain(m), L) else False),
            "iff k >= 6: n = 3 has 1/4 + 2/5 + 3/6 > 1, and less than that is below 1",
            "RS-AXM-19/L3",
        ),
        "confidence": Proof(law(_never), LONGER_NEVER, "RS-AXM-20/L1"),
        "appended": Proof(
            law(lambda m, _: nothing_at_0(gain(m)) or None),
            "iff the label 0 is not relevant",
            "RS-AXM-21/L1",
        ),
        "monotonicity": Proof(
            law(lambda m, L: True if steady(m) else _not_full(best_is_1(m), gain(m), L)),
            "iff the divisor does not rise with k",
            "RS-AXM-8/L2",
            _full,
        ),
    }
    if unit:
        proofs["range"] = Proof(_always, "always", "RS-AXM-7/L2")
        proofs["boundedness"] = Proof(_always, "always", "RS-AXM-7/L2")
        proofs["realisability"] = Proof(
            law(lambda m, L: _fills(best_is_1(m), steady(m) and not uncut(m), gain(m), L)),
            "where each label above 0 is relevant, iff the normaliser never exceeds the cut-off",
            "RS-AXM-13/L4",
            _more_than_shown,
        )
    else:
        proofs["localisation"] = Proof(_always, "always: it has no pool", "RS-AXM-11/L1")
        proofs["completeness"] = Proof(_always, "always: it has no pool", "RS-AXM-12/L1")
    return proofs


def _not_full(best_is_1: bool, of: Callable[[Exact], Exact], scale: Scale) -> bool | None:
    """False where a list has 1 at its length, and less than that one rank on."""
    return False if best_is_1 and of(scale[-1]) > 0 else None


def _fills(
    best_is_1: bool, exceeds: bool, of: Callable[[Exact], Exact], scale: Scale
) -> bool | None:
    """Whether the best list of each pool has 1; not of pools that the cut-off does not show."""
    if not worth(of, scale):
        return None
    return True if best_is_1 else False if exceeds else None


def firsts(step: bool) -> Proofs:
    """Of RR, and with step of Success: the first relevant rank counts."""

    def binary(m: Measure, L: Scale) -> bool:
        return worth(relevances(m), L) and nothing_at_0(relevances(m))

    return {
        "c1": Proof(_never, LONGER_NEVER, "RS-AXM-2/L1"),
        "c2": Proof(_never, "never: what follows a relevant item adds nothing", "RS-AXM-3/L4"),
        "fewer-and-better": Proof(_never, LONGER_NEVER, "RS-AXM-4/L1"),
        "more-as-good": Proof(
            _never, "never: what follows a relevant item adds nothing", "RS-AXM-5/L5"
        ),
        "boundedness": Proof(_always, "always", "RS-AXM-7/L3"),
        "range": Proof(_always, "always", "RS-AXM-7/L3"),
        "monotonicity": Proof(_always, "always", "RS-AXM-8/L3"),
        "localisation": Proof(_always, "always: it has no pool", "RS-AXM-11/L1"),
        "completeness": Proof(_always, "always: it has no pool", "RS-AXM-12/L1"),
        "realisability": Proof(
            lambda m, L: True if worth(relevances(m), L) else None,
            "if each label above 0 is relevant: such an item at rank 1 has 1",
            "RS-AXM-13/L5",
        ),
        "replacement": Proof(_always, "always", "RS-AXM-14/L1"),
        "swap": Proof(_always, "always", "RS-AXM-15/L1"),
        "deepness-threshold": Proof(
            lambda m, L: not (step and uncut(m)) if binary(m, L) else None,
            "always for RR; for Success iff k is finite",
            "RS-AXM-18/L4",
        ),
        "closeness-threshold": Proof(
            lambda m, L: False if binary(m, L) else None,
            "never: a relevant item at rank 1 has the greatest value",
            "RS-AXM-19/L4",
        ),
        "confidence": Proof(_never, LONGER_NEVER, "RS-AXM-20/L1"),
        "appended": Proof(
            lambda m, _: nothing_at_0(relevances(m)) or None,
            "iff the label 0 is not relevant",
            "RS-AXM-21/L1",
        ),
    }


def sums_of_sessions() -> Proofs:
    """Of sDCG: the exchange changes it by the difference of two gains and of two discounts."""

    def condition(m: Measure, L: Scale) -> bool | None:
        if m.repeats != 1:
            return None
        ranks, queries = of_discount(m.discount, m.k), of_discount(m.query_discount, None)
        return uncut(m) and rises(gains(m), L) and ranks.positive and queries.falls

    return {
        "query-order": Proof(
            condition,
            "iff there is no cut-off, a higher label has a higher gain, all d > 0 and the "
            "discount of queries falls strictly",
            "RS-AXM-22/L1",
        )
    }


def sums_of_rbp() -> Proofs:
    """Of RBP, whose weights are a geometric series."""
    proofs = dict(sums(relevances, persistent, unit=lambda _: True))
    proofs["closeness-threshold"] = replace(
        proofs["closeness-threshold"], most=lambda m: _most_of_rbp(m.p, m.k)
    )
    return proofs


def _most_of_rbp(p: Exact, k: int | None) -> int | None:
    """The greatest n with p^n > 1 - p: of a greater one, p^n (1 - p^n) is below 1 - p."""
    share = fractions.Fraction(p)
    if not 0 < share < 1:
        return None
    n, power = 0, fractions.Fraction(1)
    while power * share > 1 - share and n < MOST_WORSE:
        n, power = n + 1, power * share
    return n if k is None else min(n, k)
