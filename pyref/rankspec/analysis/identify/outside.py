"""Definitions of programs that are no measures of rankspec: the equation of each, and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ...compute.gain import discount, gain
from ...metrics.catalogue import METRICS
from ...metrics.measure import Metric, Ranking, make
from ...reference import dcg, precision
from ...reference.numbers.reals import Exact, Number, Reals
from .computed import ABOVE_0, CANDIDATES, THRESHOLD, Core


@dataclass(frozen=True)
class Outside:
    """One of them.

    name, about: what it is called here, and what it is
    value: (ranking, cut-off, reals) -> number; a group of several is in an order that is open
    undefined: (cut-off, ranking) -> whether it divides by 0
    usual: whether users know it by that name
    ties: the one tie rule that it has; "": any
    """

    name: str
    about: str
    value: Callable[[Ranking, int | None, Reals], Number]
    undefined: Callable[[int | None, Ranking], bool]
    of_pool: bool = True
    rel: Exact = ABOVE_0
    usual: bool = False
    ties: str = ""


def outside() -> list[Core]:
    """The cores of all of them."""
    found = [*_of_uncut_list(), *_of_own_max(), *_OF_LABELS]
    return [*_cores(found), *outside_from(CANDIDATES[THRESHOLD])]


def outside_from(rels: Sequence[Exact]) -> list[Core]:
    """The cores of those of which labels from one of these on are relevant."""
    return _cores([x for rel in rels for x in (*_relevant(rel), *_off_by_one(rel))], 11_000)


def _cores(found: Sequence[Outside], first: int = 10_000) -> list[Core]:
    return [
        Core(
            x.name,
            first + order,
            x.value,
            x.undefined,
            rel=x.rel,
            of_pool=x.of_pool,
            about=x.about,
            usual=x.usual,
            ties=x.ties,
        )
        for order, x in enumerate(found)
    ]


def _whole(x: Ranking, k: int | None) -> int:
    return x.length if k is None else k


def _nothing(_: int | None, x: Ranking) -> bool:
    return all(label <= 0 for label in x.pool)


def _gains() -> Iterator[tuple[str, str]]:
    for g in ("linear", "exp2"):
        for d in CANDIDATES["discount"]:
            yield g, d


def _of_uncut_list() -> Iterator[Outside]:
    for g, d in _gains():

        def value(x: Ranking, k: int | None, R: Reals, g: str = g, d: str = d) -> Number:
            weight, gains = discount(d).of(R), gain(g).of(R)
            above = dcg.expected_dcg(x.groups, x.length, gains, weight)
            deepest = max(x.length, len(x.pool)) if k is None else k
            return above / dcg.idcg(x.pool, deepest, gains, weight)

        yield Outside(
            f"nDCG(gain='{g}', discount='{d}', list uncut)",
            "the DCG of the whole list over the ideal cut at k",
            value,
            _nothing,
        )


def _of_own_max() -> Iterator[Outside]:
    """Those whose scale of labels ends at the largest label of the list, or of the pool."""
    for metric, own in product(METRICS, ("list", "pool")):
        scale = metric.scale(make(metric, None))
        if scale is None:
            continue

        def value(
            x: Ranking,
            k: int | None,
            R: Reals,
            metric: Metric = metric,
            end: str = scale[0],
            own: str = own,
        ) -> Number:
            highest = max((*x.labels, *(x.pool if own == "pool" else ())), default=0)
            if highest <= 0:
                return R.exact(0)
            found: Number = make(metric, k, **{end: int(highest)}).value(x, R)
            return found

        yield Outside(
            f"{metric.name}({scale[0]} of the {own})",
            f"{metric.name} whose largest label is that of the {own}, and no parameter",
            value,
            _nothing,
        )


def _relevant(rel: Exact) -> Iterator[Outside]:
    """Those of which labels are relevant or not."""

    def hits(x: Ranking, k: int, R: Reals) -> Number:
        return precision.expected_hits([precision.relevance(g, rel) for g in x.groups], k, R)

    def relevant(x: Ranking) -> int:
        return sum(precision.relevance(x.pool, rel))

    def nothing(_: int | None, x: Ranking) -> bool:
        return relevant(x) == 0

    def f1(x: Ranking, k: int | None, R: Reals) -> Number:
        return 2 * hits(x, _whole(x, k), R) / R.exact(_whole(x, k) + relevant(x))

    def capped(x: Ranking, k: int | None, R: Reals) -> Number:
        k = _whole(x, k)
        return hits(x, k, R) / R.exact(min(k, relevant(x)))

    def threshold_ap(x: Ranking, k: int | None, R: Reals) -> Number:
        seen, found, total = 0, 0, R.exact(0)
        for group in x.groups:
            new = sum(precision.relevance(group, rel))
            seen, found = seen + len(group), found + new
            if k is not None and seen > k:
                break
            total = total + R.exact(new) * R.exact(found) / R.exact(seen)
        return total / R.exact(relevant(x))

    shown = "" if rel == 1 else f"(rel={rel!r})"
    yield Outside(f"F1{shown}", "twice P R over P + R", f1, nothing, rel=rel, usual=True)
    yield Outside(
        f"capped R{shown}",
        "the hits up to k over the lesser of k and the relevant items",
        capped,
        nothing,
        rel=rel,
        usual=True,
    )
    yield Outside(
        f"AP by thresholds{shown}",
        "AP of which a tie group is one threshold: all its items count at its last rank",
        threshold_ap,
        nothing,
        rel=rel,
        ties="threshold",
    )


def _off_by_one(rel: Exact) -> Iterator[Outside]:
    """P whose hits are counted up to one rank less, or more, than what they are divided by."""
    for more, words in ((-1, "one rank less"), (1, "one rank more")):

        def value(x: Ranking, k: int | None, R: Reals, more: int = more) -> Number:
            k = _whole(x, k)
            relevant = [precision.relevance(group, rel) for group in x.groups]
            return precision.expected_hits(relevant, max(0, k + more), R) / R.exact(k)

        yield Outside(
            f"P({words})" if rel == 1 else f"P(rel={rel!r}, {words})",
            f"the hits up to {words} than k, over k",
            value,
            lambda k, x: False,  # noqa: ARG005
            rel=rel,
            of_pool=False,
        )


def _mean_label(x: Ranking, k: int | None, R: Reals) -> Number:
    k = _whole(x, k)
    return sum((R.exact(label) for label in x.labels[:k]), start=R.exact(0)) / R.exact(k)


_OF_LABELS = (
    Outside(
        "mean label",
        "the mean of the first k labels",
        _mean_label,
        lambda k, x: False,  # noqa: ARG005
        of_pool=False,
        usual=True,
    ),
)
