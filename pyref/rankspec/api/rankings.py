"""The metrics as functions of labels.

Every function takes one ranking or many, and the conventions as named arguments:

labels    one ranking: a list or 1-D array of labels in rank order (with ``scores``: in any order);
          many: a list of lists, a 2-D array of a row a list, or a flat array with ``offsets``
scores    a number for each label: the ranking is by falling score, and ``ties`` says how equal
          scores are ordered (RS-TIE-1, RS-TIE-2, RS-CONV-6)
ids       a whole number or text for each label, for the rules that order ties by document
ties      "expected" (the default without ids), "id-descending" (the default with ids),
          "id-ascending", "input", "best" or "worst"
offsets   where the lists begin in flat labels, and where the last one ends (RS-CONV-11)
judged    the labels of all judged items, in the form of ``labels``; by default the list's own
          (RS-CONV-3); ``judged_offsets`` as ``offsets``
check     whether judged labels must cover those of the list, each but 0 as often as it is there; an
          InputError where they do not (RS-CONV-38). False takes them as they are
k         the cut-off: a number, several numbers, or None for the whole list (RS-CONV-2)
gain      "linear", "exp2", a mapping {label: gain}, or the gains of the labels 0, 1, 2, ...
discount  "log2", "log(b=10)", "jarvelin-2008(b=2)", "jarvelin-2002(b=2)", "zipf", "none", the
          weights of the ranks 1, 2, ..., or a function of the rank
rel       the least label that counts as relevant (RS-PREC-1)
backend   "auto": the C core, or where it is not built the reference, with a warning; "c": the core,
          or a CoreMissing; "reference": the certified reference. The values are the same

One ranking and one k give a float; several k or many rankings give a numpy array, with a row a
ranking and a column a k. Each value is the double nearest to the real number that the spec
defines. Whatever cannot be taken raises an InputError that says what and where.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

from ..compute import backends
from ..compute.arithmetic import standard_arithmetic
from ..compute.arrays import read_lists
from ..compute.backends import values
from ..compute.checks import check_depth
from ..compute.gain import DiscountLike, Gain, GainLike, exact, whole
from ..errors import InputError, items_of, shown
from ..metrics import length as chapter
from ..metrics.grammar import cutoff, metric
from ..metrics.length import LARGEST_M, PriorLike
from ..metrics.measure import Measure, make
from ..reference import numerics
from .at_cutoffs import Cutoffs, Values, measure_of, several_cutoffs, values_at
from .inputs import Input, as_weights, check_unjudged

if TYPE_CHECKING:
    from .at_cutoffs import Array


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
    """nDCG@k = DCG@k / IDCG@k, and 0 where IDCG@k = 0. With ideal "all" the divisor is the IDCG of
    the whole pool, uncut, whatever k is (RS-DCG-7).

    The arguments: see rankspec.api. Spec: RS-DCG-6, under ties RS-EXP-3.

    >>> ndcg([3, 2, 3, 0, 1, 2], k=10)
    0.9608081943360616
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    return values_at("ndcg", lists, k, backend, gain=gain, discount=discount, ideal=ideal)


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
    """LDCG, DCG over what a user expects of a list of this length; 0 of an empty list.

    M: the greatest number of results that can be shown; the list is cut there. It may also be
        called k
    prior: where the user expects the relevant result: "discount", "uniform", or whatever a discount
        can be
    Z: "M" has the factor Z(M, 1) in the expectation where there is an M, "none" leaves it out

    The other arguments: see rankspec.api. Spec: RS-LEN-5, under ties RS-EXP-11.

    >>> ldcg([2, 1], M=3)
    5.534231632003019
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    chosen = {"gain": gain, "discount": discount, "prior": prior, "Z": Z}
    return values_at("ldcg", lists, _cutoffs(k, M), backend, **chosen)


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
    """ILDCG, the greatest LDCG of the lists of at most M items of the pool, whose labels these are.
    With ideal "eq7" it is the LDCG of the items of the highest label alone.

    The arguments: see rankspec.api and ldcg(). Spec: RS-LEN-7, RS-LEN-6.

    >>> ildcg([0, 1, 2], M=3) == ldcg([2], M=3)
    True
    """
    lists = Input(labels, offsets=offsets)
    chosen = {"gain": gain, "discount": discount, "prior": prior, "Z": Z, "ideal": ideal}
    return values_at("ildcg", lists, _cutoffs(k, M), backend, **chosen)


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
    """LNDCG = LDCG / ILDCG, and 0 where ILDCG = 0. With ideal "eq7" ILDCG is the paper's eq. 7, and
    LNDCG may exceed 1.

    The arguments: see rankspec.api and ldcg(). Spec: RS-LEN-9, under ties RS-EXP-12.

    >>> lndcg([2, 1], judged=[2, 1, 0])
    0.8656990565937391
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    chosen = {"gain": gain, "discount": discount, "prior": prior, "ideal": ideal}
    return values_at("lndcg", lists, _cutoffs(k, M), backend, **chosen)


@standard_arithmetic
def user_expected_dcg(
    N: int | Sequence[int],
    *,
    M: int | None = None,
    rel: float = 1,
    discount: DiscountLike | Callable[[int], float] = "log2",
    prior: PriorLike | Callable[[int], float] = "discount",
) -> Values:
    """E[DCG], the DCG that a user expects of a list of N results, or of several such numbers.

    M: as of ldcg(); a list of more than M results shows M. Without it the prior is not divided by
        its sum
    rel: the relevance of the one result that the user expects
    discount, prior: as of ldcg()

    Spec: RS-LEN-4.

    >>> user_expected_dcg([1, 2, 3], M=3)
    array([0.46927873, 0.65608561, 0.77340529])
    """
    several = several_cutoffs(N)
    numbers = [_count(x, "N") for x in (N if several else [N])]  # type: ignore[union-attr]
    longest = max(numbers, default=0)
    M = cutoff(M, "M")
    deepest = max(longest, M if M is not None and M <= LARGEST_M else 0)
    functions = {"discount": discount, "prior": prior}
    weights = as_weights(functions, dict.fromkeys(functions, deepest))
    label = exact(rel, "rel")
    if refusal := Gain("exp2").refusal(label):
        raise InputError(f"rel: {shown(rel)}: {refusal}")
    measure = make(metric("ldcg"), M, **weights)
    check_depth(measure, longest if M is None else min(longest, M))
    doubles = chapter.user_expected_dcg(measure, numbers, label)
    if not several:
        return doubles[0]
    import numpy as np  # one number needs no array

    return np.array(doubles)


def _count(x: Any, what: str) -> int:
    """A number of results, checked."""
    number = whole(x)
    if number is None or not 0 <= number <= LARGEST_M:
        raise InputError(f"{what}: {shown(x)} is no number of results from 0 to {LARGEST_M}")
    return number


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
    """DCG_phi@k: DCG with the gain 2^φ - 1, where φ is the relevance of an item by its score.

    labels: the items' scores (popularity, price, clicks), in rank order
    judged: those of all items, by default the list's own, from which φ is made
    variant, quartiles, points: as of relevance()

    The other arguments: see rankspec.api. Spec: RS-REL-11, under ties RS-EXP-2.

    >>> dcg_phi([70, 100, 10], k=1) < dcg_phi([100, 70, 10], k=1)
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    chosen = {"discount": discount, "variant": variant, "quartiles": quartiles, "points": points}
    return values_at("dcg_phi", lists, k, backend, **chosen)


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
    """nDCG_phi@k: DCG_phi@k over that of the ideal order of all scored items, and 0 where it is 0.

    The arguments: see dcg_phi(). Spec: RS-REL-12, under ties RS-EXP-3.

    >>> ndcg_phi([100, 90, 80, 15, 10]) == 1 > ndcg_phi([100, 80, 90, 15, 10])
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    chosen = {"discount": discount, "variant": variant, "quartiles": quartiles, "points": points}
    return values_at("ndcg_phi", lists, k, backend, **chosen)


@standard_arithmetic
def relevance(
    scores: Any,
    offsets: Any = None,
    *,
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
    backend: str = "auto",
) -> Array:
    """φ of each item of a list by its score, or of each of many lists: a relevance from 0 to 1.

    scores: finite numbers in any order: one list, or many as labels are given
    offsets: of flat ones
    variant: the control points are made of the scores as by the paper's "text", or by the
        "authors-program"
    quartiles: "linear" (the text's own), "hinges" (the program's own), "weibull" or
        "median-unbiased"
    points: control points of your own instead: [(score, relevance), ...], both rising, relevance
        from 0 to 1

    A numpy array: of the shape of an array, and flat for lists of lists, one after the other.

    Spec: RS-REL-9, RS-REL-1, RS-REL-6.

    >>> relevance([100, 90, 80, 15, 10])
    array([1.        , 0.34722222, 0.        , 0.        , 0.        ])
    """
    lists = read_lists(scores, offsets, "scores")
    chosen = {"variant": variant, "quartiles": quartiles, "points": points}
    measure = measure_of(metric("dcg_phi"), None, chosen)
    phi = backends.relevance(measure, lists.flat, lists.offsets, backend)
    import numpy as np  # only here is it needed

    return np.array(phi).reshape(getattr(scores, "shape", -1))


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
    """P@k, the share of the first k ranks that is relevant; ranks beyond the list are not.

    The arguments: see rankspec.api. Spec: RS-PREC-2, under ties RS-EXP-5.

    >>> precision([3, 2, 3, 0, 1, 2], k=4)
    0.75
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("precision", lists, k, backend, rel=rel)


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
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    return values_at("recall", lists, k, backend, rel=rel)


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
    """RR@k, one over the rank of the first relevant item within the cut-off, else 0.

    The arguments: see rankspec.api. Spec: RS-PREC-4, under ties RS-EXP-7.

    >>> rr([0, 0, 1, 1])
    0.3333333333333333
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("rr", lists, k, backend, rel=rel)


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
    """AP@k, SP@k over its normaliser: norm "R" is the number of relevant items of the pool,
    "min" the lesser of k and that, "k" the cut-off (RS-PREC-6).

    The arguments: see rankspec.api. Spec: RS-PREC-7, under ties RS-EXP-10.

    >>> ap([1, 0, 1, 0])
    0.8333333333333334
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    return values_at("ap", lists, k, backend, rel=rel, norm=norm)


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
    """GAP@k, graded average precision: AP in expectation over what a user takes for relevant.

    q: how probable it is that to a user the labels from 1, 2, ... on are relevant; their ratios
        count. A label above all of them is as the last

    The arguments: see rankspec.api. Spec: RS-PREC-11, under ties RS-EXP-18.

    >>> gap([1, 0, 1, 0]) == ap([1, 0, 1, 0])
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    return values_at("gap", lists, k, backend, q=q)


@standard_arithmetic
def err(
    labels: Any,
    *,
    scores: Any = None,
    ids: Any = None,
    ties: str | None = None,
    offsets: Any = None,
    k: Cutoffs = None,
    max: int = 4,  # noqa: A002
    stop: Sequence[float] | None = None,
    backend: str = "auto",
) -> Values:
    """ERR@k, the expectation of one over the rank where a user stops, who stops at an item of label
    g with the probability (2^g - 1)/2^max.

    max: the largest label that there can be
    stop: instead of it, the probabilities to stop at the labels 0, 1, 2, ...

    The other arguments: see rankspec.api. Spec: RS-CAS-2, under ties RS-EXP-14.

    >>> err([4, 0, 1])
    0.9388020833333334
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("err", lists, k, backend, max=max, stop=stop)


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
    max: int = 4,  # noqa: A002
    stop: Sequence[float] | None = None,
    backend: str = "auto",
) -> Values:
    """nERR@k, ERR@k over that of the ideal ranking of the pool, and 0 where that is 0.

    The arguments: see err() and rankspec.api. Spec: RS-CAS-4, under ties RS-EXP-15.

    >>> nerr([4, 1, 0]) == 1 > nerr([1, 4, 0])
    True
    """
    lists = Input(labels, scores, ids, ties, offsets, judged, judged_offsets, backend, check=check)
    return values_at("nerr", lists, k, backend, max=max, stop=stop)


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
    """RBP@k, rank-biased precision: the rate at which a user finds relevant items who goes on from
    rank to rank with the probability p.

    The other arguments: see rankspec.api. Spec: RS-CAS-5, under ties RS-EXP-16.

    >>> rbp([1, 0, 1], p=0.5)
    0.625
    """
    lists = Input(labels, scores, ids, ties, offsets, backend=backend)
    return values_at("rbp", lists, k, backend, p=p, rel=rel)


@standard_arithmetic
def rbp_residual(
    labels: Any,
    *,
    offsets: Any = None,
    unjudged: Any = None,
    k: Cutoffs = None,
    p: float = 0.8,
    backend: str = "auto",
) -> Values:
    """The residual of RBP@k: what it would gain were all relevant that is unjudged or not shown.

    unjudged: a flag for each label, 1 where the item has no judgment; by default all have one

    The other arguments: see rankspec.api and rbp(). Spec: RS-CAS-6.

    >>> rbp_residual([1, 0, 0], unjudged=[0, 0, 1], p=0.5)
    0.25
    """
    lists = Input(labels, offsets=offsets, unjudged=unjudged)
    return values_at("rbp_residual", lists, k, backend, p=p)


@standard_arithmetic
def of(
    measure: Measure,
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
    backend: str = "auto",
) -> Values:
    """A measure of one ranking, or of each of many: what ``measure.of(labels)`` is.

    The arguments: see rankspec.api. Any measure takes judged labels (RS-CONV-3): those that depend
    on no pool leave them aside, and those of the pool alone (IDCG, IUB, RLB) are of them. Without
    judged labels, the latter are of the labels.

    >>> from rankspec import DCG
    >>> of(DCG(k=2), [3, 2, 3]) == dcg([3, 2, 3], k=2)
    True
    """
    check_unjudged(measure.metric, unjudged)
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend, unjudged, check
    )
    column = values([measure], lists.batch_for(measure.metric), backend)[0]
    lists.check_pools([measure.metric], backend)
    if lists.single:
        return float(column[0])
    import numpy as np  # one ranking needs no array

    return np.frombuffer(column)


@standard_arithmetic
def cg_vector(labels: Any, *, gain: GainLike = "linear", backend: str = "auto") -> Array:
    """<CG[1], ..., CG[n]> of one ranking, as a numpy array. Spec: RS-DCG-1."""
    lists = Input(labels)
    return _vector("cg", lists, backend, gain=gain)


@standard_arithmetic
def dcg_vector(
    labels: Any,
    *,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    backend: str = "auto",
) -> Array:
    """<DCG@1, ..., DCG@n> of one ranking, as a numpy array. Spec: RS-DCG-3."""
    lists = Input(labels)
    return _vector("dcg", lists, backend, gain=gain, discount=discount)


@standard_arithmetic
def mean(values: Iterable[float]) -> float:
    """The double nearest to the exact mean of finite doubles; 0 of none. Spec: RS-NUM-5.

    >>> mean([0.1, 0.2, 0.3])
    0.2
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(f"values: {shown(values)} is no list of numbers")
    doubles = []
    for a, x in enumerate(items_of(values, f"values: {shown(values)} is no list of numbers")):
        try:
            double = float(x) if isinstance(x, Real) else math.nan
        except OverflowError:
            double = math.nan
        if not math.isfinite(double) or double != x:  # no number, or no double
            raise InputError(f"values: {shown(x)} at position {a}: a mean is of finite doubles")
        doubles.append(double)
    return numerics.mean(doubles)


def _vector(name: str, lists: Input, backend: str, **parameters: Any) -> Array:
    """The metric at every rank of one ranking."""
    if not lists.single:
        raise InputError(f"{name}_vector: it takes one ranking, not many")
    every_rank = range(1, len(lists.batch.labels) + 1)
    return cast("Array", values_at(name, lists, every_rank, backend, **parameters))


def _cutoffs(k: Cutoffs, M: Cutoffs) -> Cutoffs:
    """The cut-offs, by either name."""
    if k is not None and M is not None:
        raise InputError("M: it is the cut-off, and so is k; give one of them")
    return k if M is None else M
