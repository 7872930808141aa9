"""The metrics of diversity as functions. Written by tools/functions.py.

Every function takes one ranking or many, and the conventions as named arguments:

labels    one ranking: a list of its items in rank order, each a list of labels, one for each
          subtopic, or a 2-D array of a row an item; many: a list of such lists, a 3-D array, or the
          rows of all with ``offsets``, where rankings begin (RS-DIV-18)
judged    the labels of all judged items, in the same form; by default the list's own. Of equal
          items the ideal list takes the first; ``judged_offsets`` where they are the rows of many
probabilities
          a weight for each subtopic, in all rankings or in each; by default equal, for those that
          some judged item is relevant to (RS-DIV-1)
check     whether judged items must cover what the list shows, as in rankspec.api (RS-CONV-38)
k         the cut-off: a number, several, or None: the whole list
rel       the least label that is relevant
gain, discount, backend
          as in rankspec.api; the certified reference computes these metrics, whatever the backend

One ranking and one k give a float; several k or many rankings give a numpy array, with a row a
ranking and a column a k. Each value is the double nearest to the real number that the spec defines.
"""

# ruff: noqa: A002 - a parameter has the name that its paper gives it

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..metrics.measure import Measure
from .at_cutoffs import Cutoffs, Values
from .diversity_inputs import DiversityInput, values, values_at


@standard_arithmetic
def of(
    measure: Measure,
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    backend: str = "auto",
) -> Values:
    """A measure of one ranking, or of each of many: what ``measure.of(labels)`` is.

    The arguments: see rankspec.api.diversity.
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    column = values(measure, given)
    given.check_pools([measure.metric], backend)
    if given.single:
        return column[0]
    import numpy as np  # one ranking needs no array

    return np.array(column, dtype=np.float64)


@standard_arithmetic
def alpha_dcg(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    rel: float = 1,
    discount: DiscountLike | Callable[[int], float] = "log2",
    norm: str = "max",
    backend: str = "auto",
) -> Values:
    """α-DCG@k, the discounted sum of the gains of novelty; with norm "max", divided by the same sum
    for a list whose items are all relevant to all subtopics.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-3.

    >>> alpha_dcg([[1, 0], [1, 0]], judged=[[1, 0], [1, 0], [0, 1]], discount="none",
    ...           norm="none")
    1.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at(
        "alpha_dcg", given, k, backend, alpha=alpha, rel=rel, discount=discount, norm=norm
    )


@standard_arithmetic
def alpha_ndcg(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    rel: float = 1,
    discount: DiscountLike | Callable[[int], float] = "log2",
    ideal: str = "greedy",
    backend: str = "auto",
) -> Values:
    """α-nDCG@k, α-DCG divided by the α-DCG of the ideal list.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-6.

    >>> alpha_ndcg([[1, 0], [0, 1]], judged=[[1, 0], [0, 1], [1, 0]], k=2)
    1.0
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at(
        "alpha_ndcg", given, k, backend, alpha=alpha, rel=rel, discount=discount, ideal=ideal
    )


@standard_arithmetic
def err_ia(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    rel: float = 1,
    stopping: str = "alpha",
    max: int = 4,
    norm: str = "max",
    backend: str = "auto",
) -> Values:
    """ERR-IA@k, the sum of the gains of novelty, each divided by its rank; with norm "max", divided
    by the same sum for a list whose items are all relevant to all subtopics.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1
    stopping: alpha: items are relevant or not; max: an item of label g gains (2^g - 1) / 2^max

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-7.

    >>> err_ia([[1, 0], [1, 1]], norm="none")
    0.875
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at(
        "err_ia", given, k, backend, alpha=alpha, rel=rel, stopping=stopping, max=max, norm=norm
    )


@standard_arithmetic
def nerr_ia(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    rel: float = 1,
    stopping: str = "alpha",
    max: int = 4,
    ideal: str = "greedy",
    backend: str = "auto",
) -> Values:
    """nERR-IA@k, ERR-IA divided by the ERR-IA of the ideal list.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1
    stopping: alpha: items are relevant or not; max: an item of label g gains (2^g - 1) / 2^max
    max: the largest label, where stopping is "max"

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-8.

    >>> nerr_ia([[0, 0], [1, 1]], judged=[[1, 1], [0, 0]])
    0.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at(
        "nerr_ia", given, k, backend, alpha=alpha, rel=rel, stopping=stopping, max=max, ideal=ideal
    )


@standard_arithmetic
def nrbp(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    beta: float = 0.5,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """NRBP, the sum of the gains of novelty, where each rank weighs beta times as much as the rank
    before it.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-9.

    >>> nrbp([[1, 0], [1, 1]])
    0.65625
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("nrbp", given, k, backend, alpha=alpha, beta=beta, rel=rel)


@standard_arithmetic
def nnrbp(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    alpha: float = 0.5,
    beta: float = 0.5,
    rel: float = 1,
    ideal: str = "greedy",
    backend: str = "auto",
) -> Values:
    """nNRBP, NRBP divided by the NRBP of the ideal list.

    alpha: how much less a subtopic gains after each item relevant to it, from 0 to 1
    beta: how much a rank weighs, relative to the rank before it: from 0 to below 1

    The other arguments: see rankspec.api.diversity. Spec: RS-DIV-10.

    >>> nnrbp([[0, 0], [1, 1]], judged=[[1, 1], [0, 0]])
    0.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("nnrbp", given, k, backend, alpha=alpha, beta=beta, rel=rel, ideal=ideal)


@standard_arithmetic
def ndcg_ia(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """nDCG-IA@k, the mean over subtopics of nDCG@k.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-11.

    >>> ndcg_ia([[2, 0], [1, 0]], judged=[[2, 0], [1, 0], [0, 1]])
    0.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("ndcg_ia", given, k, backend, gain=gain, discount=discount, rel=rel)


@standard_arithmetic
def ap_ia(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """AP-IA@k, the mean over subtopics of AP@k.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-12.

    >>> ap_ia([[0, 1], [1, 0]])
    0.75
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("ap_ia", given, k, backend, rel=rel)


@standard_arithmetic
def p_ia(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """P-IA@k, the mean over subtopics of precision at k.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-13.

    >>> p_ia([[1, 1], [1, 0]], k=2)
    0.75
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("p_ia", given, k, backend, rel=rel)


@standard_arithmetic
def st_recall(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """S-recall@k and I-rec@k: the share of subtopics for which one of the first k items is
    relevant.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-14.

    >>> st_recall([[1, 0], [0, 1]], k=1)
    0.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("st_recall", given, k, backend, rel=rel)


@standard_arithmetic
def d_ndcg(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """D-nDCG@k, nDCG of the global gains; the global gain of an item is the mean of its gains over
    the subtopics.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-16.

    >>> d_ndcg([[0, 0], [2, 1]], judged=[[2, 1], [0, 0]], discount="zipf")
    0.5
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at("d_ndcg", given, k, backend, gain=gain, discount=discount, rel=rel)


@standard_arithmetic
def dsharp_ndcg(
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    k: Cutoffs = None,
    gamma: float = 0.5,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "log2",
    rel: float = 1,
    backend: str = "auto",
) -> Values:
    """D♯-nDCG@k, the mean of I-rec@k, with the weight gamma, and D-nDCG@k.

    The arguments: see rankspec.api.diversity. Spec: RS-DIV-17.

    >>> dsharp_ndcg([[1, 0]], judged=[[1, 0], [0, 1]], k=1, gamma=0.25)
    0.875
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    return values_at(
        "dsharp_ndcg", given, k, backend, gamma=gamma, gain=gain, discount=discount, rel=rel
    )
