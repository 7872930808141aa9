"""What is computed, and of what: all that this folder knows of a measure, a ranking and a session.

A :class:`Computable` is whatever offers these; the measures of ``rankspec.metrics`` do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..errors import InputError
from ..records import field, record
from ..typed import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar
from .call import Core
from .gain import Discount, Geometric

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

Tables: TypeAlias = Mapping[str, tuple[Discount | Geometric, int]]
"""Functions of the rank by the name of their parameter, and how deep each is needed."""


@record()
class Ranking:
    """What a measure is taken of: the labels by tie group, best first, and the pool's labels.

    Where no ties are left, each group has one label.
    """

    groups: Sequence[Sequence[Exact]]
    pool: Sequence[Exact]

    @classmethod
    def settled(cls, labels: Sequence[Exact], pool: Sequence[Exact]) -> Ranking:
        """A ranking without ties."""
        return cls([[label] for label in labels], pool)

    @property
    def labels(self) -> list[Exact]:
        return [label for group in self.groups for label in group]

    @property
    def length(self) -> int:
        """How many items it shows."""
        return sum(map(len, self.groups))

    @property
    def tied(self) -> bool:
        return max(map(len, self.groups), default=0) > 1


@record()
class Session:
    """What a measure of sessions is taken of: the labels of the results of each query, in rank
    order, and the pool's labels.

    documents: what tells the results apart, in the same form; None: nothing does
    """

    queries: Sequence[Sequence[Exact]]
    pool: Sequence[Exact]
    documents: Sequence[Sequence[Any]] | None = None

    tied = False  # what was shown has an order

    @property
    def length(self) -> int:
        """How many results the longest list shows."""
        return max(map(len, self.queries), default=0)

    def known_documents(self) -> Sequence[Sequence[Any]]:
        """The documents, or an InputError where they are not known."""
        if self.documents is None:
            raise unknown_documents()
        return self.documents


@record()
class IntentRanking:
    """What a measure of diversity is taken of: the labels of the ranked items, best first, a label
    for each subtopic, and those of the pool.

    pool: of equal items the one that an ideal list takes first stands first
    probabilities: of the subtopics, as weights; None: they are equal, of those that some item of
        the pool is relevant to
    kept: what was made of it, for the next measure; nobody else's business
    """

    rows: Sequence[Sequence[Exact]]
    pool: Sequence[Sequence[Exact]]
    probabilities: Sequence[Exact] | None = None
    kept: dict[Any, Any] = field(default_factory=dict, compare=False)

    tied = False  # ties are settled before

    @property
    def length(self) -> int:
        """How many items it shows."""
        return len(self.rows)

    @property
    def subtopics(self) -> int:
        """How many there are."""
        if self.probabilities is not None:
            return len(self.probabilities)
        return max((len(row) for rows in (self.pool, self.rows) for row in rows[:1]), default=0)


def unknown_documents() -> InputError:
    """The error where which documents come again matters, and nobody knows."""
    return InputError(
        'ids: there are none; repeats other than "every" asks which documents come again (RS-SES-1)'
    )


class Computable(Protocol):
    """A metric with its parameters, which determines a number. Its text names it in errors."""

    @property
    def k(self) -> int | None:
        """The cut-off; None: the whole list."""

    @property
    def order_matters_to(self) -> int | None:
        """The rank down to which the order matters to its value, with the rest of the tie group
        there; None: down to the last.
        """

    @property
    def uncut(self) -> Computable:
        """The same without a cut-off."""

    @property
    def cutoff_name(self) -> str:
        """What the cut-off is called."""

    @property
    def taken_of(self) -> str:
        """What it is taken of: rankings, or sessions."""

    @property
    def reads_pool(self) -> bool:
        """Whether the value depends on the pool."""

    @property
    def reads_pool_alone(self) -> bool:
        """Whether it depends on the pool alone: its labels are those of the pool."""

    @property
    def ideal_uncut(self) -> bool:
        """Whether the ideal that it divides by is not cut where the list is."""

    @property
    def core(self) -> Core:
        """What the C core has of it."""

    def deepest_rank(self, n: int, pool: int) -> int:
        """The deepest rank that holds anything: of lists and pools up to these lengths."""

    def tables(self, deepest: int) -> Tables:
        """The functions of the rank that it takes, where that rank is the deepest."""

    def refusal(self, label: Exact) -> str | None:
        """Why it cannot take a label; None where it can."""

    def value(self, ranking: Any, reals: Reals) -> Number:
        """Its value for a Ranking, a Session or an IntentRanking, by the reference."""

    def relevance(self, scores: Sequence[Exact]) -> Callable[[Exact | None], Number]:
        """Of a measure of scores, the relevance that it makes of them."""

    # ---- of a measure of sessions ----

    @property
    def query_weights(self) -> Discount | None:
        """The discount of queries; None: it has none."""

    @property
    def asks_documents(self) -> bool:
        """Whether it matters which documents come again."""

    @property
    def averages_vector(self) -> bool:
        """Whether the value is of all components of the vector, padded ranks too."""

    @property
    def vector_a_query(self) -> bool:
        """Whether it has a vector a query, not one a session."""

    def padded_ranks(self, listed: int, pooled: int) -> int | None:
        """How many ranks a query has at most, where lists and pools have up to these lengths;
        None: as many as results.
        """

    def vector(self, session: Session, reals: Reals) -> list[Number]:
        """The vector that it is of; where each query has one, one after the other."""

    def vector_lengths(self, session: Session) -> list[int]:
        """How long each vector is."""


C = TypeVar("C")


class Together(tuple[C, ...]):
    """Measures that are asked for together, again and again.

    kept: what was made of them for the next time; the business of who computes them
    """

    kept: dict[Any, Any]

    def __new__(cls, measures: Iterable[C]) -> Together[C]:
        made = super().__new__(cls, measures)
        made.kept = {}
        return made
