"""Plots of the chapter length: what more results do, and what a user expects of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import api
from ..compute import gain
from ..compute.gain import DiscountLike
from ..errors import InputError, shown
from ..evaluation.render import told_apart
from ..metrics.grammar import cutoff
from ..metrics.length import Prior, PriorLike, prior
from ..reference.numbers.reals import Exact
from .drawing import (
    DASHES,
    HUES,
    Name,
    as_list,
    check,
    check_distinct,
    few,
    mark_ranks,
    one_axes,
    set_title,
    style,
    write_beside,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_RESULTS = 100  # more are no picture
LONGEST_NAME = 28  # of a curve

DEFAULT_M = 10
PRIORS = ("discount", "uniform", "zipf")
PERFECT_GOOD_BAD = (2, 2, 2, 1, 1, 0, 0, 0, 0, 0)
CUTOFFS = (1, 3, 5)


def user_expected_dcg(
    *,
    M: int = DEFAULT_M,
    priors: Sequence[PriorLike] = PRIORS,
    discount: DiscountLike = "log2",
) -> Figure:
    """The user's expected DCG of a list against its length N, for position priors. Spec: RS-LEN-4.

    M         the greatest number of results that can be shown
    priors    each "discount" (of eq. 3), "uniform", the name of a discount, or weights of ranks
    discount  as in rankspec.api
    """
    check("M", M, 2, MOST_RESULTS)
    chosen = [prior(x) for x in few("priors", priors, 1, len(HUES))]
    check_distinct("priors", chosen)
    texts = told_apart([_about_prior(x) for x in chosen], LONGEST_NAME)
    lengths = range(1, M + 1)
    curves = [
        as_list(api.user_expected_dcg(lengths, M=M, prior=x, discount=discount)) for x in chosen
    ]
    with style():
        figure, axes = one_axes()
        for expected, hue, dashes in zip(curves, HUES, DASHES, strict=False):
            axes.plot(lengths, expected, color=hue, linestyle=dashes)
            axes.plot(lengths, expected, "o", color=hue)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("results shown, N")
        set_title(axes, f"What a user expects of N results: E[DCG], M = {M}")
        ends = [expected[-1] for expected in curves]
        write_beside(
            figure, axes, [Name(*name) for name in zip(texts, ends, HUES, strict=False)], M
        )
        mark_ranks(figure, axes, [str(n) for n in lengths])
    return figure


def length(
    labels: Sequence[Exact] = PERFECT_GOOD_BAD,
    *,
    k: Sequence[int] = CUTOFFS,
    backend: str = "auto",
) -> Figure:
    """Plot LNDCG and nDCG@k of growing parts of a ranking. Spec: RS-LEN-9, RS-DCG-6.

    labels  the whole ranking, which is the pool of judged items too
    k       the cut-offs of nDCG; M of LNDCG is the length of the ranking
    """
    given = few("labels", labels, 2, MOST_RESULTS)
    labels = [_label(x, rank) for rank, x in enumerate(given, start=1)]
    M = len(labels)
    cutoffs = _cutoffs(few("k", k, 0, len(HUES) - 1), M)
    lists = [labels[:n] for n in range(1, M + 1)]
    options: dict[str, Any] = {"judged": [labels] * M, "gain": "exp2", "backend": backend}
    lndcg = as_list(api.lndcg(lists, M=M, **options))
    with style():
        figure, axes = one_axes()
        shown = range(1, M + 1)
        names = []
        for (cut, text), hue, dashes in zip(cutoffs.items(), HUES[1:], DASHES[1:], strict=False):
            ndcg = as_list(api.ndcg(lists, k=cut, **options))
            axes.plot(shown, ndcg, color=hue, linestyle=dashes)
            end = ndcg.index(max(ndcg))  # what is shown after it changes nothing
            axes.plot(end + 1, ndcg[end], "o", color=hue, markersize=7)
            names.append(Name(text, ndcg[-1], hue))
        axes.plot(shown, lndcg, "o-", color=HUES[0], linewidth=2.6)
        names.append(Name("LNDCG", lndcg[-1], HUES[0]))
        axes.set_ylim(0, 1.12)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel("results shown, N; below, the label of the last of them")
        set_title(axes, "What more results do to nDCG and to LNDCG")
        write_beside(figure, axes, names, M)
        mark_ranks(figure, axes, [f"{n}\n{label}" for n, label in enumerate(labels, start=1)])
    return figure


def _label(given: Any, rank: int) -> Exact:
    """A label that the gain of the picture takes, or an InputError that names its rank."""
    what = f"plot: labels: the label of rank {rank}"
    label = gain.exact(given, what)
    refusal = gain.gain("exp2").refusal(label)
    if refusal:
        raise InputError(f"{what} is {shown(given)}; {refusal}")
    return label


def _cutoffs(given: Sequence[Any], M: int) -> dict[int, str]:
    """Cut-offs of nDCG with the names of their curves: those from M on have the same curve."""
    cuts = [cutoff(x) for x in given]
    check_distinct("k", cuts)
    names: dict[int, str] = {}
    for cut in cuts:
        if cut is None:
            raise InputError("plot: k: expected a cut-off, got None")
        at = min(cut, M)
        names[at] = f"{names[at]}, @{cut}" if at in names else f"nDCG@{cut}"
    return names


def _about_prior(given: Prior) -> str:
    known = {"discount": "p(i) ∝ discount", "uniform": "p(i) = 1/M", "zipf": "p(i) ∝ 1/i"}
    weights = given.weights.weights if given.weights else ()
    written = ", ".join(map(str, weights)) or str(given)
    return known.get(written, f"p(i) ∝ {written}")
