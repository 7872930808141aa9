"""How the value of a metric is made up rank by rank, as ``explain`` shows it.

A metric has a :class:`Breakdown`: the columns of numbers beside its ranks, which rank each summand
of its total is for, what is said of unjudged and of tied documents, and the closed form of its
variance. All numbers are those of the reference, in any reading of the reals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from ..later import precision, ties
from ..records import record
from ..typed import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

Measure: TypeAlias = Any  # a Measure; its metric has a Breakdown
Ranking: TypeAlias = Any
Group: TypeAlias = Sequence[Any]
"""The labels of a tie group; that of an item without a label may be None."""


class Ranks(Protocol):
    """The ranks that are shown: of a ranking, by a measure, up to its cut-off."""

    measure: Measure
    ranking: Ranking
    k: int

    def terms(self, R: Reals) -> Mapping[int, Number]:
        """What each rank adds to the total, {rank: number}."""


Numbers: TypeAlias = "Callable[[int], Number | None]"
"""The number of each rank; None where it has none."""

Equation: TypeAlias = "Callable[[Ranks, Reals], Numbers]"


@record()
class Column:
    """A number that is shown of each rank.

    name: as an attribute of a row, and in JSON; heading: in the table
    numbers: its equation
    note: what it means, where heading and spec do not say so
    """

    name: str
    heading: str
    numbers: Equation
    note: str = ""


def of_rank(number: Callable[[Measure, Reals], Callable[[int], Number]]) -> Equation:
    """The equation of a column that depends on the rank alone, and goes on below the list."""
    return lambda ranks, R: number(ranks.measure, R)


def of_list(numbers: Callable[[Ranks, Reals], Sequence[Number | None]]) -> Equation:
    """The equation of a column that the ranks of the list have, within the cut-off."""

    def equation(ranks: Ranks, R: Reals) -> Numbers:
        column = numbers(ranks, R)
        within = min(ranks.k, len(column))
        return lambda i: column[i - 1] if i <= within else None

    return equation


def of_label(number: Callable[[Ranks, Reals], Callable[[Any], Number]]) -> Equation:
    """The equation of a column that depends on the label: the mean over the tie group."""

    return of_list(lambda ranks, R: _means(ranks, R, number(ranks, R)))


def _means(ranks: Ranks, R: Reals, number: Callable[[Any], Number]) -> list[Number]:
    """For each rank of the list the mean over its tie group."""
    found = []
    for group in filter(len, ranks.ranking.groups):
        found += [sum(map(number, group), R.exact(0)) / len(group)] * len(group)
    return found


# ---- columns of several chapters ---------------------------------------------------------


def _relevant(ranks: Ranks, R: Reals) -> Callable[[Exact], Number]:
    return lambda label: R.exact(precision.relevance([label], ranks.measure.rel)[0])


def _precisions(ranks: Ranks, R: Reals) -> list[Number]:
    relevant = _means(ranks, R, _relevant(ranks, R))[: ranks.k]
    return [hits / i for i, hits in enumerate(accumulate(relevant), start=1)]


GAIN = Column("gain", "gain", of_label(lambda ranks, R: ranks.measure.gain.of(R)))
DISCOUNT = Column("discount", "disc", of_rank(lambda m, R: m.discount.of(R)))
RELEVANT = Column("relevant", "rel", of_label(_relevant))
PRECISION = Column("precision", "prec", of_list(_precisions))


# ---- the ranks of summands ---------------------------------------------------------------

Places: TypeAlias = Callable[[Measure, Ranking, int], Iterator[Sequence[int]]]
"""The ranks that each summand of a total is for, in the order of the summands; it takes (measure,
ranking, cut-off). What adds up tie groups has one summand for all ranks of a group.
"""


def groups_within(ranking: Ranking, k: int) -> Iterator[tuple[Group, range]]:
    """Each tie group that begins within the cut-off, with its ranks there."""
    for s, _, m, group in ties.placed(ranking.groups, k):
        yield group, range(s + 1, s + m + 1)


def each_rank(_: Measure, ranking: Ranking, k: int) -> Iterator[Sequence[int]]:
    """A summand for each rank."""
    for _group, ranks in groups_within(ranking, k):
        yield from ([i] for i in ranks)


def each_group(_: Measure, ranking: Ranking, k: int) -> Iterator[Sequence[int]]:
    """A summand for each tie group."""
    for _group, ranks in groups_within(ranking, k):
        yield ranks


# ---- closed forms of the variance --------------------------------------------------------


@record()
class LinearVariance:
    """That of a sum of gain times factor over ranks, in a random order (RS-EXP-20).

    gain_name, factor_name: what the columns call them; "1": there is no factor
    gain: of a label; factor: of a rank
    """

    gain_name: str
    gain: Callable[[Measure, Ranking, Reals], Callable[[Exact], Number]]
    factor_name: str = "1"
    factor: Callable[[Measure, Reals], Callable[[int], Number]] = lambda _, R: lambda _: R.exact(1)


@record()
class VarianceOfSquare:
    """E[A^2] - E[A]^2, where the sum is of no fixed gains; spec: the ID of E[A^2]."""

    spec: str


VarianceForm: TypeAlias = LinearVariance | VarianceOfSquare


def discount_factor(m: Measure, R: Reals) -> Callable[[int], Number]:
    """The discount of a rank."""
    return m.discount.of(R)  # type: ignore[no-any-return]


# ---- all of it ---------------------------------------------------------------------------


@record()
class Breakdown:
    """How a value is made up, rank by rank.

    columns: the numbers of each rank, in their order
    places: the ranks that each summand of the total is for
    rest: what the summand that is no rank's is of, where there is one: the last, or by_cutoff the
        total of a list that shows nothing
    unjudged: what an unjudged document of the list counts as
    tied: what a rank adds under ties, where it is not the product of the columns, which are means
    variance: the closed form of the variance of the total; None: it is not known
    by_cutoff: whether it is no sum over ranks, so that a rank adds the total up to it less that up
        to the rank above
    adds: whether a rank of a group of these labels then adds anything; a difference of 0 of
        irrational numbers takes long to be recognised
    whole: whether all ranks count, whatever the cut-off
    """

    columns: tuple[Column, ...] = ()
    places: Places = each_rank
    rest: str = ""
    unjudged: str = "counts as 0 (RS-CONV-8)"
    tied: str = ""
    variance: VarianceForm | None = None
    by_cutoff: bool = False
    adds: Callable[[Measure, Group], bool] = lambda m, group: True
    whole: bool = False
