"""The metrics as functions. Written by tools/functions.py from the metrics; do not edit.

The arguments: see rankspec.api.
"""

# ruff: noqa: A002 - a parameter has the name that its paper gives it

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..typed import TYPE_CHECKING, Any
from .at_cutoffs import Cutoffs, Values, at_once, either, values_at
from .inputs import Input

if TYPE_CHECKING:
    from ..metrics.length import PriorLike


@at_once
@standard_arithmetic
def cg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    backend: str = "auto",
) -> Values:
    """CG[k], the sum of the gains of the first k ranks.

    The arguments: see rankspec.api. Spec: RS-DCG-1, under ties RS-EXP-2.

    >>> cg([3, 2, 3, 0, 0, 1], k=3)
    8.0
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("cg", lists, k, backend, gain=gain)


@at_once
@standard_arithmetic
def dcg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Values:
    """DCG@k, the sum of gain times discount over the first k ranks.

    The arguments: see rankspec.api. Spec: RS-DCG-2, under ties RS-EXP-2.

    >>> dcg([3, 2, 3], k=2)
    4.261859507142915
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("dcg", lists, k, backend, gain=gain, discount=discount)


@at_once
@standard_arithmetic
def idcg(
    labels: Any,
    *,
    offsets: Any = None,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Values:
    """IDCG@k, the DCG@k of the labels in the ideal order. The labels are those of the pool.

    The arguments: see rankspec.api. Spec: RS-DCG-5.

    >>> idcg([0, 1, 3], k=2) == dcg([3, 1, 0], k=2)
    True
    """
    lists = Input(labels, offsets=offsets)
    return values_at("idcg", lists, k, backend, gain=gain, discount=discount)


@at_once
@standard_arithmetic
def ndcg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    ideal: str = "k",
    backend: str = "auto",
) -> Values:
    """nDCG@k = DCG@k / IDCG@k, or 0 if IDCG@k is 0. ideal sets where the ideal ranking is cut: "k"
    at k; "all" not at all; "shown" at the end of a list shorter than k (RS-DCG-7); with "perfect"
    the divisor is the sum of the first k discounts (RS-DCG-8).

    The arguments: see rankspec.api. Spec: RS-DCG-6, under ties RS-EXP-3.

    >>> ndcg([3, 2, 3, 0, 1, 2], k=10)
    0.9608081943360616
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ndcg", lists, k, backend, gain=gain, discount=discount, ideal=ideal)


@at_once
@standard_arithmetic
def ncg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    backend: str = "auto",
) -> Values:
    """nCG@k, CG[k] divided by the CG[k] of the ideal ranking, or 0 if that is 0.

    The arguments: see rankspec.api. Spec: RS-DCG-9, under ties RS-EXP-80.

    >>> ncg([3, 2, 3, 0, 1, 2], k=2)
    0.8333333333333334
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ncg", lists, k, backend, gain=gain)


@at_once
@standard_arithmetic
def ndcg_rel(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Values:
    """The mean of nDCG@i over the ranks i up to k that hold a gain; each item of the pool with a
    gain that is not shown counts as DCG@k / IDCG of the whole ideal.

    The arguments: see rankspec.api. Spec: RS-DCG-10, under ties RS-EXP-81.

    >>> ndcg_rel([0, 1]) == ndcg([0, 1])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ndcg_rel", lists, k, backend, gain=gain, discount=discount)


@at_once
@standard_arithmetic
def ndcg_levels(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Values:
    """The mean of nDCG at the ranks where the gains of the ideal ranking change, and at the end of
    a longer list.

    The arguments: see rankspec.api. Spec: RS-DCG-11, under ties RS-EXP-82.

    >>> ndcg_levels([2, 1]), ndcg_levels([1, 2]) < ndcg([1, 2])
    (1.0, True)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ndcg_levels", lists, k, backend, gain=gain, discount=discount)


@at_once
@standard_arithmetic
def bin_g(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """binG@k: each relevant item within the cut-off counts 1/log2(2 + b), where b is the number of
    items above it that are not relevant; the sum is divided by the number of relevant items of the
    pool.

    The arguments: see rankspec.api. Spec: RS-DCG-12, under ties RS-EXP-83.

    >>> bin_g([0, 0, 1]), bin_g([1, 0, 0])
    (0.5, 1.0)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("bin_g", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def g_measure(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    backend: str = "auto",
) -> Values:
    """G@k: each gain within the cut-off is divided by the logarithm of how far the list lags behind
    the ideal ranking there; the sum is divided by the sum of the gains of the pool.

    The arguments: see rankspec.api. Spec: RS-DCG-13, under ties RS-EXP-84.

    >>> g_measure([2, 1]), g_measure([0, 2])
    (1.0, 0.6309297535714574)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("g_measure", lists, k, backend, gain=gain)


@at_once
@standard_arithmetic
def ldcg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    gain: GainLike = "exp2",
    discount: DiscountLike | Callable[[int], float] = "log2",
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    backend: str = "auto",
) -> Values:
    """LDCG, DCG divided by the DCG that a user expects of a list of this length; 0 for an empty
    list.

    M: the greatest number of results that can be shown; the list is cut there. The argument may
        also be called k
    prior: where the user expects the relevant result: "discount", "uniform", or any value that
        discount takes
    Z: "M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out

    The other arguments: see rankspec.api. Spec: RS-LEN-5, under ties RS-EXP-11.

    >>> ldcg([2, 1], M=3)
    5.534231632003019
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at(
        "ldcg", lists, either(k, M), backend, gain=gain, discount=discount, prior=prior, Z=Z
    )


@at_once
@standard_arithmetic
def ildcg(
    labels: Any,
    *,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    gain: GainLike = "exp2",
    discount: DiscountLike | Callable[[int], float] = "log2",
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    ideal: str = "true",
    backend: str = "auto",
) -> Values:
    """ILDCG, the greatest LDCG of all lists of at most M items of the pool; labels are those of the
    pool. With ideal "eq7", the LDCG of only the items with the highest label (RS-LEN-6).

    The arguments: see rankspec.api and ldcg(). Spec: RS-LEN-7.

    >>> ildcg([0, 1, 2], M=3) == ldcg([2], M=3)
    True
    """
    lists = Input(labels, offsets=offsets)
    return values_at(
        "ildcg",
        lists,
        either(k, M),
        backend,
        gain=gain,
        discount=discount,
        prior=prior,
        Z=Z,
        ideal=ideal,
    )


@at_once
@standard_arithmetic
def lndcg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    M: Cutoffs = None,
    gain: GainLike = "exp2",
    discount: DiscountLike | Callable[[int], float] = "log2",
    prior: PriorLike | Callable[[int], float] = "discount",
    ideal: str = "true",
    backend: str = "auto",
) -> Values:
    """LNDCG = LDCG / ILDCG, or 0 if ILDCG is 0. With ideal "eq7", ILDCG is the paper's eq. 7 and
    LNDCG may exceed 1.

    The arguments: see rankspec.api and ldcg(). Spec: RS-LEN-9, under ties RS-EXP-12.

    >>> lndcg([2, 1], judged=[2, 1, 0])
    0.8656990565937391
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at(
        "lndcg",
        lists,
        either(k, M),
        backend,
        gain=gain,
        discount=discount,
        prior=prior,
        ideal=ideal,
    )


@at_once
@standard_arithmetic
def lerr(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    max: int = 4,
    stop: Sequence[float] | str | None = None,
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    backend: str = "auto",
) -> Values:
    """LERR, ERR divided by the ERR that a user expects of a list of this length; 0 for an empty
    list.

    max: the largest label that there can be
    stop: as of err()
    M: the greatest number of results that can be shown; the list is cut there. The argument may
        also be called k
    prior: where the user expects the relevant result: "discount", "uniform", or any value that
        discount takes
    Z: "M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out

    The other arguments: see rankspec.api. Spec: RS-LEN-13, under ties RS-EXP-29.

    >>> lerr([4], M=3) > lerr([4, 0], M=3)
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("lerr", lists, either(k, M), backend, max=max, stop=stop, prior=prior, Z=Z)


@at_once
@standard_arithmetic
def lap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    rel: float = 1,
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    backend: str = "auto",
) -> Values:
    """LAP, AP divided by the AP that a user expects of a list of this length; 0 for an empty list.
    The divisor of AP is the same in both and cancels, so the pool has no effect.

    M: the greatest number of results that can be shown; the list is cut there. The argument may
        also be called k
    prior: where the user expects the relevant result: "discount", "uniform", or any value that
        discount takes
    Z: "M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out

    The other arguments: see rankspec.api. Spec: RS-LEN-14, under ties RS-EXP-29.

    >>> lap([1], M=3) > lap([1, 0], M=3)
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("lap", lists, either(k, M), backend, rel=rel, prior=prior, Z=Z)


@at_once
@standard_arithmetic
def lrbp(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    p: float = 0.8,
    rel: float = 1,
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    backend: str = "auto",
) -> Values:
    """LRBP, RBP divided by the RBP that a user expects of a list of this length; 0 for an empty
    list.

    M: the greatest number of results that can be shown; the list is cut there. The argument may
        also be called k
    prior: where the user expects the relevant result: "discount", "uniform", or any value that
        discount takes
    Z: "M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out
    p: the probability that the user goes on to the next rank

    The other arguments: see rankspec.api. Spec: RS-LEN-15, under ties RS-EXP-29.

    >>> lrbp([1], M=3) > lrbp([1, 0], M=3)
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("lrbp", lists, either(k, M), backend, p=p, rel=rel, prior=prior, Z=Z)


@at_once
@standard_arithmetic
def lgap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    M: Cutoffs = None,
    q: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
    prior: PriorLike | Callable[[int], float] = "discount",
    Z: str = "M",
    backend: str = "auto",
) -> Values:
    """LGAP, GAP divided by the GAP that a user expects of a list of this length; 0 for an empty
    list. The divisor of GAP is the same in both and cancels, so the pool has no effect.

    q: as of gap()
    M: the greatest number of results that can be shown; the list is cut there. The argument may
        also be called k
    prior: where the user expects the relevant result: "discount", "uniform", or any value that
        discount takes
    Z: "M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out

    The other arguments: see rankspec.api. Spec: RS-LEN-16, under ties RS-EXP-29.

    >>> lgap([2], M=3) > lgap([2, 0], M=3)
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("lgap", lists, either(k, M), backend, q=q, prior=prior, Z=Z)


@at_once
@standard_arithmetic
def dcg_phi(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    discount: DiscountLike | Callable[[int], float] = "log2",
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
    backend: str = "auto",
) -> Values:
    """DCG_phi@k: DCG with the gain 2^φ - 1, where φ is the relevance that follows from an item's
    score.

    labels: the items' scores (popularity, price, clicks), in rank order
    judged: scores of all items, from which φ is made; by default the list's own
    variant, quartiles, points: as of relevance()

    The other arguments: see rankspec.api. Spec: RS-REL-11, under ties RS-EXP-2.

    >>> dcg_phi([70, 100, 10], k=1) < dcg_phi([100, 70, 10], k=1)
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at(
        "dcg_phi",
        lists,
        k,
        backend,
        discount=discount,
        variant=variant,
        quartiles=quartiles,
        points=points,
    )


@at_once
@standard_arithmetic
def ndcg_phi(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    discount: DiscountLike | Callable[[int], float] = "log2",
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
    backend: str = "auto",
) -> Values:
    """nDCG_phi@k: DCG_phi@k divided by that of the ideal order of all scored items, or 0 if that is
    0.

    The arguments: see rankspec.api and dcg_phi(). Spec: RS-REL-12, under ties RS-EXP-3.

    >>> ndcg_phi([100, 90, 80, 15, 10]) == 1 > ndcg_phi([100, 80, 90, 15, 10])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at(
        "ndcg_phi",
        lists,
        k,
        backend,
        discount=discount,
        variant=variant,
        quartiles=quartiles,
        points=points,
    )


@at_once
@standard_arithmetic
def precision(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """P@k, the share of the first k ranks that is relevant; ranks beyond the list count as not
    relevant.

    The arguments: see rankspec.api. Spec: RS-PREC-2, under ties RS-EXP-5.

    >>> precision([3, 2, 3, 0, 1, 2], k=4)
    0.75
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("precision", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def recall(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """Recall@k, the share of the pool's relevant items that the first k ranks show.

    The arguments: see rankspec.api. Spec: RS-PREC-3, under ties RS-EXP-6.

    >>> recall([3, 2, 3, 0, 1, 2], k=4)
    0.6
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("recall", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def rr(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """RR@k, 1/rank of the first relevant item within the cut-off; 0 if there is none.

    The arguments: see rankspec.api. Spec: RS-PREC-4, under ties RS-EXP-7.

    >>> rr([0, 0, 1, 1])
    0.3333333333333333
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("rr", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def sp(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """SP@k, the sum of Prec(i) over the relevant ranks i up to k.

    The arguments: see rankspec.api. Spec: RS-PREC-5, under ties RS-EXP-9.

    >>> sp([1, 0, 1])
    1.6666666666666667
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("sp", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def ap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    norm: str = "R",
    backend: str = "auto",
) -> Values:
    """AP@k, SP@k divided by a normaliser. With norm "R" it is the number R of relevant items in the
    pool, with "min" min(k, R), with "k" the cut-off, with "retrieved" the number of relevant items
    in the list, with "hits" that number in its first k (RS-PREC-6).

    The arguments: see rankspec.api. Spec: RS-PREC-7, under ties RS-EXP-10.

    >>> ap([1, 0, 1, 0])
    0.8333333333333334
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ap", lists, k, backend, rel=rel, norm=norm)


@at_once
@standard_arithmetic
def gap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    q: Sequence[float] = (0.25, 0.25, 0.25, 0.25),
    backend: str = "auto",
) -> Values:
    """GAP@k, graded average precision: the expected AP over the sets of labels that a user may take
    as relevant.

    q: the probabilities that a user takes the labels from 1, from 2, ... on as relevant; only their
        ratios count. A label above all of them counts as the last one

    The other arguments: see rankspec.api. Spec: RS-PREC-11, under ties RS-EXP-18.

    >>> gap([1, 0, 1, 0]) == ap([1, 0, 1, 0])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("gap", lists, k, backend, q=q)


@at_once
@standard_arithmetic
def rprec(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """Rprec@k, the share of the first R ranks that is relevant, where R is the number of relevant
    items in the pool; only ranks up to k count.

    The arguments: see rankspec.api. Spec: RS-PREC-12, under ties RS-EXP-24.

    >>> rprec([1, 0, 1, 1])
    0.6666666666666666
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("rprec", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def success(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """Success@k, 1 if one of the first k ranks is relevant, else 0.

    The arguments: see rankspec.api. Spec: RS-PREC-13, under ties RS-EXP-25.

    >>> success([0, 0, 1], k=3), success([0, 0, 1], k=2)
    (1.0, 0.0)
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("success", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def bpref(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    unjudged: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """bpref@k: each retrieved relevant item counts 1 minus the share of judged non-relevant items
    above it; the mean over the pool's relevant items.

    unjudged: a flag for each label, 1 where nobody has judged the item; it is passed over. By
        default all are judged

    The other arguments: see rankspec.api. Spec: RS-PREC-15, under ties RS-EXP-27.

    >>> bpref([0, 0, 1], unjudged=[1, 0, 0], judged=[1, 1, 0, 0])
    0.25
    """
    lists = Input(
        labels,
        scores,
        ids,
        ties,
        offsets,
        judged,
        judged_offsets,
        backend=backend,
        unjudged=unjudged,
        check=check,
    )
    return values_at("bpref", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def infap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    unjudged: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """infAP@k, average precision inferred from the judged items when only a sample of the pool has
    judgments. A label below 0 marks an item of the pool that has none.

    unjudged: a flag for each label, 1 where the item is not in the pool; its label does not count.
        By default all are in the pool

    The other arguments: see rankspec.api. Spec: RS-PREC-51, under ties RS-EXP-95.

    >>> infap([1, -1, 0, 1]), infap([1, -1, 0, 1], judged=[1, -1, 0, 1, 1, -1])
    (0.8125, 0.5416666666666666)
    """
    lists = Input(
        labels,
        scores,
        ids,
        ties,
        offsets,
        judged,
        judged_offsets,
        backend=backend,
        unjudged=unjudged,
        check=check,
    )
    return values_at("infap", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def auc(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    unjudged: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """AUC@k: over all pairs of a relevant item of the pool and a judged item that is not relevant,
    the share in which the relevant item ranks higher; a pair that the first k ranks do not show
    counts one half.

    unjudged: a flag for each label, 1 where nobody has judged the item; it is passed over. By
        default all are judged

    The other arguments: see rankspec.api. Spec: RS-PREC-40, under ties RS-EXP-93.

    >>> auc([1, 0, 1, 0]), auc([1, 0], judged=[1, 1, 0, 0])
    (0.75, 0.625)
    """
    lists = Input(
        labels,
        scores,
        ids,
        ties,
        offsets,
        judged,
        judged_offsets,
        backend=backend,
        unjudged=unjudged,
        check=check,
    )
    return values_at("auc", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def num_ret(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    backend: str = "auto",
) -> Values:
    """NumRet@k, the number of results; only those up to k count.

    The arguments: see rankspec.api. Spec: RS-PREC-16.

    >>> num_ret([1, 0, 1]), num_ret([1, 0, 1], k=2)
    (3.0, 2.0)
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("num_ret", lists, k, backend)


@at_once
@standard_arithmetic
def num_rel(
    labels: Any,
    *,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """NumRel, the number of relevant items of the pool, whatever k is. The labels are those of the
    pool.

    The arguments: see rankspec.api. Spec: RS-PREC-17.

    >>> num_rel([2, 0, 1]), num_rel([2, 0, 1], rel=2)
    (2.0, 1.0)
    """
    lists = Input(labels, offsets=offsets)
    return values_at("num_rel", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def num_rel_ret(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """NumRelRet@k, the number of relevant results up to k.

    The arguments: see rankspec.api. Spec: RS-PREC-18, under ties RS-EXP-4.

    >>> num_rel_ret([1, 0, 1]), num_rel_ret([1, 0, 1], k=2)
    (2.0, 1.0)
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("num_rel_ret", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def num_q(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    backend: str = "auto",
) -> Values:
    """NumQ, 1 for each query: its sum is the number of queries.

    The arguments: see rankspec.api. Spec: RS-PREC-19.

    >>> num_q([1, 0, 1])
    1.0
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("num_q", lists, k, backend)


@at_once
@standard_arithmetic
def set_p(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """SetP@k, the share of the results up to k that is relevant; ranks beyond the list do not
    count.

    The arguments: see rankspec.api. Spec: RS-PREC-20, under ties RS-EXP-30.

    >>> set_p([1, 0, 1], k=4), precision([1, 0, 1], k=4)
    (0.6666666666666666, 0.5)
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("set_p", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def rel_p(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """RelP@k, the number of relevant results up to k divided by the greatest possible number,
    min(k, R), where R is the number of relevant items in the pool.

    The arguments: see rankspec.api. Spec: RS-PREC-21, under ties RS-EXP-30.

    >>> rel_p([1, 0, 1], judged=[1, 1, 1, 0], k=2)
    0.5
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("rel_p", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def f_measure(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    beta: float = 1,
    backend: str = "auto",
) -> Values:
    """F@k, the weighted harmonic mean of P@k and recall@k.

    beta: how many times as much recall counts as precision

    The other arguments: see rankspec.api. Spec: RS-PREC-22, under ties RS-EXP-30.

    >>> f_measure([1, 0, 1], judged=[1, 1, 1, 0], k=2)
    0.4
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("f_measure", lists, k, backend, rel=rel, beta=beta)


@at_once
@standard_arithmetic
def set_ap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """SetAP@k, the product of SetP@k and recall@k.

    The arguments: see rankspec.api. Spec: RS-PREC-23, under ties RS-EXP-31.

    >>> set_ap([1, 0, 1], judged=[1, 1, 1, 0], k=2)
    0.16666666666666666
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("set_ap", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def yaap(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """Yaap@k, the logarithm of the smoothed odds of AP: ln((1 + SP@k) / (1 + R - SP@k)), where R is
    the number of relevant items in the pool.

    The arguments: see rankspec.api. Spec: RS-PREC-61, under ties RS-EXP-49.

    >>> yaap([1, 0]) == -yaap([0, 0], judged=[1])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("yaap", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def utility(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    weights: Sequence[float] = (1, -1, 0, 0),
    documents: int | None = None,
    backend: str = "auto",
) -> Values:
    """Utility@k, the total worth of the documents; the worth depends on whether a document is
    relevant and whether it is among the first k.

    weights: the worth of a relevant retrieved, another retrieved, a relevant missed and another
        missed document

    The other arguments: see rankspec.api. Spec: RS-PREC-60, under ties RS-EXP-100.

    >>> utility([1, 0, 0], judged=[1, 0, 0, 1], weights=[2, -1, -0.5, 0])
    -0.5
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("utility", lists, k, backend, rel=rel, weights=weights, documents=documents)


@at_once
@standard_arithmetic
def judged(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    backend: str = "auto",
) -> Values:
    """Judged@k, the share of the results up to k that somebody has judged.

    unjudged: a flag for each label, 1 where nobody has judged the item; by default all are judged

    The other arguments: see rankspec.api. Spec: RS-PREC-24, under ties RS-EXP-32.

    >>> judged([0, 0, 1], unjudged=[1, 0, 0], k=2)
    0.5
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend, unjudged=unjudged)
    return values_at("judged", lists, k, backend)


@at_once
@standard_arithmetic
def unjudged(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    backend: str = "auto",
) -> Values:
    """Unjudged@k, the share of the first k ranks whose items nobody has judged.

    unjudged: a flag for each label, 1 where nobody has judged the item; by default all are judged

    The other arguments: see rankspec.api. Spec: RS-PREC-25, under ties RS-EXP-32.

    >>> unjudged([0, 0, 1], unjudged=[1, 0, 0], k=5)
    0.2
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend, unjudged=unjudged)
    return values_at("unjudged", lists, k, backend)


@at_once
@standard_arithmetic
def num_nonrel_ret(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """NumNonrelRet@k, the number of results up to k that are judged and not relevant.

    unjudged: a flag for each label, 1 where nobody has judged the item; by default all are judged

    The other arguments: see rankspec.api. Spec: RS-PREC-26, under ties RS-EXP-32.

    >>> num_nonrel_ret([0, 0, 1], unjudged=[1, 0, 0])
    1.0
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend, unjudged=unjudged)
    return values_at("num_nonrel_ret", lists, k, backend, rel=rel)


@at_once
@standard_arithmetic
def iprec(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    recall: float = 0.1,
    rounding: str = "nearest",
    backend: str = "auto",
) -> Values:
    """IPrec@k, the greatest precision at a rank up to k where the list has at least as many
    relevant items as that level of recall requires; 0 if there is no such rank.

    rounding: how many relevant items a level asks for: nearest (trec_eval 10), plus-0.9 (trec_eval
        9), up

    The other arguments: see rankspec.api. Spec: RS-PREC-28, under ties RS-EXP-90.

    >>> iprec([1, 0, 1, 0, 1], recall=0.4), iprec([1, 0, 1, 0, 1], recall=0.6)
    (1.0, 0.6666666666666666)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("iprec", lists, k, backend, rel=rel, recall=recall, rounding=rounding)


@at_once
@standard_arithmetic
def avg_iprec(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    levels: Sequence[float] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    rounding: str = "nearest",
    backend: str = "auto",
) -> Values:
    """AvgIPrec@k, the mean of IPrec@k over levels of recall, by default the eleven 0, 0.1, ..., 1.

    rounding: how many relevant items a level asks for: nearest (trec_eval 10), plus-0.9 (trec_eval
        9), up

    The other arguments: see rankspec.api. Spec: RS-PREC-29, under ties RS-EXP-91.

    >>> avg_iprec([1, 0, 1], levels=[0.5, 1])
    0.8333333333333334
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("avg_iprec", lists, k, backend, rel=rel, levels=levels, rounding=rounding)


@at_once
@standard_arithmetic
def rprec_mult(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    multiple: float = 1,
    backend: str = "auto",
) -> Values:
    """RprecMult@k, precision at a multiple of R, the number of relevant items in the pool; only
    ranks up to k count.

    The arguments: see rankspec.api. Spec: RS-PREC-30, under ties RS-EXP-92.

    >>> rprec_mult([1, 0, 1, 0], multiple=0.5), rprec_mult([1, 0, 1, 0], multiple=2)
    (1.0, 0.5)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("rprec_mult", lists, k, backend, rel=rel, multiple=multiple)


@at_once
@standard_arithmetic
def err(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    max: int = 4,
    stop: Sequence[float] | str | None = None,
    backend: str = "auto",
) -> Values:
    """ERR@k, the expected value of 1/rank of the rank where a user stops; at an item of label g the
    user stops with probability (2^g - 1)/2^max.

    max: the largest possible label
    stop: instead of max, the probabilities of stopping at the labels 0, 1, 2, ...; or "label": each
        label is such a probability

    The other arguments: see rankspec.api. Spec: RS-CAS-2, under ties RS-EXP-14.

    >>> err([4, 0, 1])
    0.9388020833333334
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("err", lists, k, backend, max=max, stop=stop)


@at_once
@standard_arithmetic
def nerr(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    max: int = 4,
    stop: Sequence[float] | str | None = None,
    backend: str = "auto",
) -> Values:
    """nERR@k, ERR@k divided by the ERR@k of the ideal ranking of the pool, or 0 if that is 0.

    The arguments: see rankspec.api and err(). Spec: RS-CAS-4, under ties RS-EXP-15.

    >>> nerr([4, 1, 0]) == 1 > nerr([1, 4, 0])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("nerr", lists, k, backend, max=max, stop=stop)


@at_once
@standard_arithmetic
def rbp(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    p: float = 0.8,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """RBP@k, rank-biased precision: the rate at which a user finds relevant items, if the user goes
    on from each rank to the next with probability p.

    The arguments: see rankspec.api. Spec: RS-CAS-5, under ties RS-EXP-16.

    >>> rbp([1, 0, 1], p=0.5)
    0.625
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("rbp", lists, k, backend, p=p, rel=rel)


@at_once
@standard_arithmetic
def rbp_residual(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    p: float = 0.8,
    backend: str = "auto",
) -> Values:
    """The residual of RBP@k: what RBP would gain if all unjudged and all unseen items were
    relevant.

    unjudged: a flag for each label, 1 where nobody has judged the item; by default all are judged

    The other arguments: see rankspec.api and rbp(). Spec: RS-CAS-6, under ties RS-EXP-16.

    >>> rbp_residual([1, 0, 0], unjudged=[0, 0, 1], p=0.5)
    0.25
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend, unjudged=unjudged)
    return values_at("rbp_residual", lists, k, backend, p=p)


@at_once
@standard_arithmetic
def q_measure(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    backend: str = "auto",
) -> Values:
    """Q@k, the Q-measure: the sum of the blended ratios at the relevant items, divided by min(k,
    R), where R is the number of relevant items; items with a gain are relevant.

    beta: how much gain counts in the blended ratio; 0: it is precision

    The other arguments: see rankspec.api. Spec: RS-UTL-3, under ties RS-EXP-56.

    >>> q_measure([3, 0, 2, 1]) == 1 > q_measure([0, 3, 2, 1])
    False
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("q_measure", lists, k, backend, gain=gain, beta=beta)


@at_once
@standard_arithmetic
def ncu(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    stopping: str = "uniform",
    stops: GainLike | None = None,
    gamma: float = 0.95,
    backend: str = "auto",
) -> Values:
    """NCU@k, normalised cumulative utility: the expected blended ratio at the relevant item where a
    user stops.

    stops: for graded users, the stop values of the labels; by default the gains
    beta: how much gain counts in the blended ratio; 0: it is precision
    stopping: where the users of NCU stop: uniform, graded or rank-biased
    gamma: of rank-biased users, how many stop at a relevant item over those at the one above

    The other arguments: see rankspec.api. Spec: RS-UTL-5, under ties RS-EXP-57.

    >>> ncu([2, 0, 1], stopping='graded') == ncu([2, 0, 1], stopping='graded', stops=[0, 1, 2])
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at(
        "ncu", lists, k, backend, gain=gain, beta=beta, stopping=stopping, stops=stops, gamma=gamma
    )


@at_once
@standard_arithmetic
def o_measure(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    backend: str = "auto",
) -> Values:
    """O@k, the O-measure: the blended ratio at the first relevant item within the cut-off, or 0 if
    there is none.

    beta: how much gain counts in the blended ratio; 0: it is precision

    The other arguments: see rankspec.api. Spec: RS-UTL-6, under ties RS-EXP-58.

    >>> o_measure([3, 0]), o_measure([0, 1], beta=0)
    (1.0, 0.5)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("o_measure", lists, k, backend, gain=gain, beta=beta)


@at_once
@standard_arithmetic
def p_measure(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    backend: str = "auto",
) -> Values:
    """The P-measure: the blended ratio at the preferred rank, the first rank of the highest
    relevant label within the cut-off; 0 if there is none.

    beta: how much gain counts in the blended ratio; 0: it is precision

    The other arguments: see rankspec.api. Spec: RS-UTL-7, under ties RS-EXP-60.

    >>> p_measure([1, 3], beta=0), o_measure([1, 3], beta=0)
    (1.0, 1.0)
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("p_measure", lists, k, backend, gain=gain, beta=beta)


@at_once
@standard_arithmetic
def p_plus(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    backend: str = "auto",
) -> Values:
    """P+@k: the mean of the blended ratios at the relevant items up to the preferred rank, the
    first rank of the highest relevant label within the cut-off; 0 if there is none.

    beta: how much gain counts in the blended ratio; 0: it is precision

    The other arguments: see rankspec.api. Spec: RS-UTL-8, under ties RS-EXP-61.

    >>> p_plus([1, 0, 3], beta=0) == 5 / 6
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("p_plus", lists, k, backend, gain=gain, beta=beta)


@at_once
@standard_arithmetic
def ebr(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    beta: float = 1,
    max: int = 4,
    stop: Sequence[float] | str | None = None,
    backend: str = "auto",
) -> Values:
    """EBR@k, the expected blended ratio at the relevant item where a user of ERR stops.

    max: the largest possible label
    stop: instead of max, the probabilities of stopping at the labels 0, 1, 2, ...; or "label": each
        label is such a probability
    beta: how much gain counts in the blended ratio; 0: it is precision

    The other arguments: see rankspec.api. Spec: RS-UTL-9, under ties RS-EXP-63.

    >>> ebr([4, 0]) == ebr([4, 0], max=4) < 1
    True
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("ebr", lists, k, backend, gain=gain, beta=beta, max=max, stop=stop)


@at_once
@standard_arithmetic
def irbu(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    phi: float = 0.99,
    max: int = 4,
    stop: Sequence[float] | str | None = None,
    backend: str = "auto",
) -> Values:
    """iRBU@k, the expected power phi^i of the rank i where a user of ERR stops.

    The arguments: see rankspec.api and ebr(). Spec: RS-UTL-10, under ties RS-EXP-64.

    >>> irbu([4], phi=0.5) == 15 / 32
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("irbu", lists, k, backend, phi=phi, max=max, stop=stop)


@at_once
@standard_arithmetic
def grbp(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    p: float = 0.8,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """GRBP@k, rank-biased precision of graded labels: the rate at which a user gains, if the user
    goes on from each rank to the next with probability p; the gain is the label divided by max_rel.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-2, under ties RS-EXP-45.

    >>> grbp([2, 0, 1], p=0.5, max_rel=2)
    0.5625
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("grbp", lists, k, backend, p=p, max_rel=max_rel)


@at_once
@standard_arithmetic
def grbp_residual(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    p: float = 0.8,
    tail: str = "always",
    backend: str = "auto",
) -> Values:
    """The residual of GRBP@k: what GRBP would gain if all unjudged and all unseen items had gain 1.
    With tail "unjudged" it is 0 if all of the first k are judged, as in trec_eval.

    unjudged: a flag for each label, 1 where nobody has judged the item; by default all are judged

    The other arguments: see rankspec.api and rbp(). Spec: RS-USR-3, under ties RS-EXP-46.

    >>> grbp_residual([1, 0, 0], unjudged=[0, 0, 1], p=0.5)
    0.25
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend, unjudged=unjudged)
    return values_at("grbp_residual", lists, k, backend, p=p, tail=tail)


@at_once
@standard_arithmetic
def scaled_dcg(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    max_rel: float | str = 4,
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Values:
    """SDCG@k, scaled DCG: the mean gain of the first k ranks, weighted by the discounts; a gain is
    the label divided by max_rel. This is not sDCG, the DCG of a session: see sdcg().

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-4, under ties RS-EXP-47.

    >>> scaled_dcg([2, 0], k=2, max_rel=2)
    0.6131471927654584
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("scaled_dcg", lists, k, backend, max_rel=max_rel, discount=discount)


@at_once
@standard_arithmetic
def insq(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    T: float = 1,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """INSQ@k, the mean gain with the weights 1/(i + 2T - 1)^2 of the ranks i; without k the weights
    are those of an endless list.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1
    T: the number of gains that the user wants to find

    The other arguments: see rankspec.api. Spec: RS-USR-5, under ties RS-EXP-48.

    >>> insq([4, 0, 2], k=3)
    0.6639344262295082
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("insq", lists, k, backend, T=T, max_rel=max_rel)


@at_once
@standard_arithmetic
def inst(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    T: float = 1,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """INST@k, the mean gain of a user who is the less likely to go on, the more of T is found;
    without k the list is endless.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-6, under ties RS-EXP-49.

    >>> inst([4, 0, 2])
    0.6636517792696658
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("inst", lists, k, backend, T=T, max_rel=max_rel)


@at_once
@standard_arithmetic
def bpm(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    T: float = 1,
    max_rel: float | str = 4,
    hb: float = 0,
    hc: float = 0,
    med: float = 0.5,
    backend: str = "auto",
) -> Values:
    """BPM@k, the mean gain of the ranks that a user sees; the user stops when T is found, at rank k
    at the latest; hb and hc change T and k from rank to rank.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1
    med: the gain that changes nothing

    The other arguments: see rankspec.api. Spec: RS-USR-7, under ties RS-EXP-49.

    >>> bpm([2, 0, 4, 1], k=3)
    0.5
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("bpm", lists, k, backend, T=T, max_rel=max_rel, hb=hb, hc=hc, med=med)


@at_once
@standard_arithmetic
def nerr8(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """NERR8@k, the mean gain of a user who sees at most k ranks, and whom an item stops with a
    probability equal to its gain.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-30, under ties RS-EXP-49.

    >>> nerr8([2, 0, 4], k=3)
    0.5
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("nerr8", lists, k, backend, max_rel=max_rel)


@at_once
@standard_arithmetic
def nerr9(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """NERR9@k, like NERR8, but the user also goes on from rank i only with probability i/(i + 1):
    its numerator is the ERR@k of these gains.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-31, under ties RS-EXP-49.

    >>> nerr9([2, 0, 4], k=2)
    0.4
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("nerr9", lists, k, backend, max_rel=max_rel)


@at_once
@standard_arithmetic
def nerr10(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    p: float = 0.9,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """NERR10@k, like NERR8, but the user also goes on only with probability p, as in RBP; without k
    the list is endless.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-32, under ties RS-EXP-49.

    >>> nerr10([2, 0, 4], k=2, p=0.5)
    0.4
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("nerr10", lists, k, backend, p=p, max_rel=max_rel)


@at_once
@standard_arithmetic
def nerr11(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    T: float = 1,
    max_rel: float | str = 4,
    backend: str = "auto",
) -> Values:
    """NERR11@k, like NERR8, but the user also goes on as in INSQ, wanting to find T; without k the
    list is endless.

    max_rel: the highest label of the scale, or "pool": that of the pool, but at least 1

    The other arguments: see rankspec.api. Spec: RS-USR-33, under ties RS-EXP-49.

    >>> nerr11([2, 0, 4], k=1)
    0.5
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("nerr11", lists, k, backend, T=T, max_rel=max_rel)


@at_once
@standard_arithmetic
def compatibility(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    p: float = 0.95,
    normalize: bool = True,
    backend: str = "auto",
) -> Values:
    """Compat@k, the rank-biased overlap, up to rank k, of the list and the nearest ideal ranking;
    without k up to the end of both.

    p: the persistence: each rank has p times the weight of the one above
    normalize: whether to divide by the overlap of the ideal ranking with itself

    The other arguments: see rankspec.api. Spec: RS-USR-8, under ties RS-EXP-49.

    >>> compatibility([2, 0, 1], p=0.5) == compatibility([2, 1, 0], p=0.5)
    False
    """
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend=backend, check=check
    )
    return values_at("compatibility", lists, k, backend, p=p, normalize=normalize)
