"""Metrics of rankings, as functions of labels.

The functions are in ``metrics.py``. Each takes one ranking or many, and the
conventions as named arguments:

labels    one ranking: a list or 1-D array of labels in rank order (with ``scores``: in any order);
          many: a list of lists, a 2-D array of a row a list, or a flat array with ``offsets``
scores    a number for each label: the ranking is by descending score, and ``ties`` orders equal
          scores (RS-TIE-1, RS-TIE-2, RS-CONV-6)
ids       an integer or a string for each label, for the rules that order ties by document
ties      "expected" (the default without ids), "id-descending" (the default with ids),
          "id-ascending", "input", "best" or "worst"
offsets   where the lists begin in flat labels, and where the last one ends (RS-CONV-11)
judged    the labels of all judged items, in the form of ``labels``; by default the list's own
          (RS-CONV-3); ``judged_offsets`` as ``offsets``
check     if True, raises InputError unless the judged labels contain each label of the list, except
          0, at least as often as the list does (RS-CONV-38); False takes them as they are
k         the cut-off: a number, several numbers, or None for the whole list (RS-CONV-2)
gain      "linear", "exp2", a mapping {label: gain}, or the gains of the labels 0, 1, 2, ...
discount  a name, as "log2", "jarvelin-2008(b=2)" or "zipf" (`rankspec measures` lists them), the
          weights of the ranks 1, 2, ..., or a function of the rank
rel       the least label that counts as relevant (RS-PREC-1)
backend   "auto": the C core, or, with a warning, the reference if the core is not built; "c": the
          core, or CoreMissing; "reference": the certified reference. All give the same values

One ranking and one k give a float; several k or many rankings give a numpy array, with a row a
ranking and a column a k. Each value is the double nearest to the real number that the spec
defines. An InputError says which input is wrong, and where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..compute import backends
from ..compute.arithmetic import standard_arithmetic
from ..compute.arrays import read_lists
from ..compute.checks import check_depth
from ..compute.gain import DiscountLike, Gain, GainLike, exact, whole
from ..errors import InputError, items_of, shown
from ..metrics.chapters import metric
from ..metrics.measure import Measure, cutoff, make
from ..metrics.parameters import LARGEST_M
from ..typed import TYPE_CHECKING, Any, cast
from .at_cutoffs import Values, measure_of, several_cutoffs, values_at
from .inputs import Input, as_weights, check_unjudged

if TYPE_CHECKING:
    from ..metrics.length import PriorLike
    from .at_cutoffs import Array


@standard_arithmetic
def user_expected_dcg(
    N: int | Sequence[int],
    *,
    M: int | None = None,
    rel: float = 1,
    discount: DiscountLike | Callable[[int], float] = "log2",
    prior: PriorLike | Callable[[int], float] = "discount",
) -> Values:
    """Return E[DCG], the DCG that a user expects of a list of N results.

    N: a number of results, or several
    M: as in ldcg(); a list of more than M results shows M. Without M the prior is not divided
        by its sum
    rel: the relevance of the one result that the user expects
    discount, prior: as in ldcg()

    Spec: RS-LEN-4.

    >>> user_expected_dcg([1, 2, 3], M=3)
    array([0.46927873, 0.65608561, 0.77340529])
    """
    several = several_cutoffs(N)
    lengths: Any = N
    listed = items_of(lengths, f"N: expected numbers, got {shown(N)}") if several else [N]
    numbers = [_count(x, "N") for x in listed]
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
    from ..metrics import length as chapter

    doubles = chapter.user_expected_dcg(measure, numbers, label)
    if not several:
        return doubles[0]
    import numpy as np  # one number needs no array

    return np.array(doubles)


def _count(x: Any, what: str) -> int:
    """A number of results, checked."""
    number = whole(x)
    if number is None or not 0 <= number <= LARGEST_M:
        raise InputError(
            f"{what}: expected a number of results from 0 to {LARGEST_M}, got {shown(x)}"
        )
    return number


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
    """Return the relevance φ, from 0 to 1, of each item by its score.

    scores: finite numbers in any order: one list, or many, in the same forms as labels
    offsets: where the lists begin in flat scores
    variant: how the control points follow from the scores: as in the paper's "text", or as in the
        "authors-program"
    quartiles: "linear" (the text's own), "hinges" (the program's own), "weibull" or
        "median-unbiased"
    points: control points of your own instead: [(score, relevance), ...], both rising, relevance
        from 0 to 1

    Returns a numpy array: in the shape of an input array, or flat for a list of lists.

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
    """Return the value of a measure for one ranking, or for each of many.

    The arguments: see rankspec.api. Any measure takes judged labels (RS-CONV-3): measures that
    depend on no pool ignore them, and measures of the pool alone (IDCG, IUB, RLB) use only them, or
    without judged labels the labels.

    >>> from rankspec import DCG, dcg
    >>> of(DCG(k=2), [3, 2, 3]) == dcg([3, 2, 3], k=2)
    True
    """
    check_unjudged(measure.metric, unjudged)
    lists = Input(
        labels, scores, ids, ties, offsets, judged, judged_offsets, backend, unjudged, check
    )
    column = lists.values([measure], backend)[0]
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


def _vector(name: str, lists: Input, backend: str, **parameters: Any) -> Array:
    """The metric at every rank of one ranking."""
    if not lists.single:
        raise InputError(f"{name}_vector: expected one ranking, got several")
    every_rank = range(1, len(lists.batch.labels) + 1)
    return cast("Array", values_at(name, lists, every_rank, backend, **parameters))
