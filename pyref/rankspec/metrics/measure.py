"""Measures: a metric of the spec together with its parameters.

A :class:`Metric` is one entry of the spec that has a value; ``rankspec.metrics.catalogue`` lists
them.
A :class:`Measure` is a metric with all its parameters set, so that the number is determined.

What only some metrics have is asked of the metric, and answered by its class: a Metric is of
rankings, a SessionMetric of sessions (``session``), a DiversityMetric of items with a label for
each subtopic (``diversity``), a BoundMetric is made of a metric (``bounds``).
Two things stand above this module, and are reached by the package itself, ``rankspec._later``: the
functions of rankspec.api, which ``Measure.of`` and ``at_once`` call, and the catalogue, where a
metric that was pickled is found by its name.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from .. import _later
from ..compute.arithmetic import standard_arithmetic
from ..compute.call import NOTHING, Core
from ..compute.computable import IntentRanking
from ..compute.computable import Ranking as Ranking  # noqa: PLC0414 - it is had from here, too
from ..compute.computable import Session as Session  # noqa: PLC0414
from ..compute.computable import Tables as Tables  # noqa: PLC0414
from ..compute.gain import Discount
from ..errors import InputError, NoValue, dimensions, hint, shown
from ..later import numerics
from ..records import field, record, replace
from ..text import short_lists
from ..typed import TYPE_CHECKING, Any, ClassVar, TypeAlias
from . import helptext
from .average import MEAN, Average
from .axioms import Proofs
from .breakdown import Breakdown
from .names import PARAMETERS, Names
from .parameters import Parameters, as_python, written

if TYPE_CHECKING:
    from inspect import Signature

    from ..reference.numbers.reals import Exact, Number, Reals

EXAMPLE = (2, 0, 1)  # labels that every metric takes
_OF_ONE_LIST = frozenset(("scores", "judged"))  # what ``at_once`` may be told of a list
_MADE = frozenset(("at_once", "of", "_name"))  # attributes of a measure that it makes when asked
LARGEST_CUTOFF = (1 << 63) - 2  # the core takes the next number for "the whole list"

Reading: TypeAlias = "Callable[[Measure, Any, int, Reals], Number]"
"""An equation of the reference, applied: (measure, ranking, cut-off, reals) -> number. The ranking
is a Ranking; of a metric of sessions it is a Session, and of one of diversity an IntentRanking.
"""

VectorOf: TypeAlias = "Callable[[Measure, Session, int, Reals], list[Number]]"
LengthsOf: TypeAlias = "Callable[[Measure, Session, int], list[int]]"

RelevanceOf: TypeAlias = "Callable[[Measure, Sequence[Exact]], Callable[[Exact | None], Number]]"


def _never(_: Measure) -> bool:
    return False


def always(_: Measure) -> bool:
    """Of any measure."""
    return True


@record()
class Divisor:
    """What a total is divided by.

    name: its name in a measure; reading: its equation; spec: the ID of that, or its ID in a measure
    by_rank: whether it grows from rank to rank, as the list does
    sum_of_ideal: whether it is what the ranks of the ideal list add up to
    """

    name: Callable[[Measure], str]
    reading: Reading
    spec: str | Callable[[Measure], str]
    by_rank: bool = False
    sum_of_ideal: Callable[[Measure], bool] = _never

    def spec_in(self, m: Measure) -> str:
        """The ID of its equation, in a measure."""
        return self.spec if isinstance(self.spec, str) else self.spec(m)


@record()
class Quotient:
    """What a normalised metric is a quotient of.

    total: its equation, good for tied rankings too, a sum over ranks; total_name: its name ("DCG")
    divisors: what it is divided by, one after the other
    shown_by_ideal: how many results the ideal list shows, where the metric has one: the last
        divisor is that list's value; (measure, ranking, cut-off) -> number, or None: of no list
    by_k: whether the divisor is the cut-off itself
    by_0: whether the divisor is 0 for a pool of those labels (RS-CONV-4)
    by_list: whether the divisor depends on the list, not on the pool alone
    by_0_of_list: where it does, whether it is 0 for a list, in any order of its tie groups
    ideal_uncut: whether the ideal that it divides by is not cut where the list is
    """

    total_name: str
    total: Reading
    divisors: tuple[Divisor, ...]
    shown_by_ideal: Callable[[Measure, Ranking, int], int | None] | None = None
    by_k: Callable[[Measure], bool] = _never
    by_0: Callable[[Measure, Sequence[Exact]], bool] = lambda *_: False
    by_list: Callable[[Measure], bool] = _never
    by_0_of_list: Callable[[Measure, Ranking], bool] = lambda *_: False
    ideal_uncut: Callable[[Measure], bool] = _never


def over_divisors(total: Reading) -> Reading:
    """A total over what its metric divides by."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        found = total(m, x, k, R)
        quotient = m.metric.root.quotient
        for divisor in quotient.divisors if quotient else ():
            by = divisor.reading(m, x, k, R)
            found = found / by if by else R.exact(0)
        return found

    return reading


@record()
class Vector:
    """The vector that a metric of sessions is of.

    name: as the test vectors call it; components: its equation, (measure, session, cut-off,
        reals) -> numbers
    lengths: how long it is, (measure, session, cut-off) -> the length of each
    averaged: whether the value is of all its components, padded ranks too
    a_query: whether each query has one
    """

    name: str
    components: VectorOf
    lengths: LengthsOf
    averaged: bool = False
    a_query: bool = False


@record()
class Labels:
    """The labels that a metric takes.

    refusal: why it cannot take one; None where it can. Without it any finite number is taken, or
        what the gain takes
    scale: the parameter that says where its scale of labels ends, and that label, if there is one:
        the value depends on it, whatever the labels are
    relevance: of a metric whose labels are scores, what it makes of them: from the scores of a pool
        the relevance of any; that of None, an item without a score, is 0
    unjudged: whether it asks which items have no label
    negative: whether a label below 0 is one to it, of an item of the pool that is not judged, and
        so no evaluation makes another of it (RS-CONV-15)
    instead_of: of a metric whose labels are scores, the metric of labels that it stands for
    in_pairs: whether it compares relevant items with judged ones that are not: without such an
        item it says nothing of any list
    """

    refusal: Callable[[Measure, Exact], str | None] | None = None
    scale: Callable[[Measure], tuple[str, int] | None] = lambda _: None
    relevance: RelevanceOf | None = None
    unjudged: bool = False
    negative: bool = False
    instead_of: Metric | None = None
    in_pairs: bool = False


@record()
class OfHits:
    """The numerator of Recall or AP, and what it is divided by.

    precisions: whether a hit counts the precision at its rank, as in SP@k, or 1
    divisor: (measure, N_p, k) -> what is divided by
    """

    precisions: bool
    divisor: Callable[[Measure, int, int], int]


@record()
class Extremes:
    """The lowest and highest values of a metric over all judgments (RS-CONV-14).

    known: whether the lowest, or upwards the highest can be found; (measure, upwards) -> bool
    in_layers: whether they are those of nDCG: a sum of discounted gains over that of the ideal
        ranking, which is looked for in layers
    of_hits: of a quotient that the ranks of the hits and N_p decide, what is divided
    by_rank: whether it is a sum of gains times weights that the rank alone decides, not rising
        (RS-AGR-24)
    """

    known: Callable[[Measure, bool], bool] = lambda *_: True
    in_layers: bool = False
    of_hits: OfHits | None = None
    by_rank: Callable[[Measure], bool] = lambda _: False


NO_EXTREMES = Extremes(lambda *_: False)


@record()
class PaperBounds:
    """The bounds of a metric by the formulas of karmaker-2022.

    upper, lower: IUB and RLB; spec: the ID of the formulas
    of_an_order: whether IUB is the value of an order of the pool
    """

    upper: Reading
    lower: Reading
    spec: str
    of_an_order: bool


@record()
class Orders:
    """What is known of a metric over all orders of a pool: what its bounds are made of.

    best: its value for the best list of a pool, where that is not its ideal ranking
    ends: how long that list may be, which the ideal ranking begins with; of the labels of these
    variance: its variance, or that of its total, in a random order of the list (RS-EXP-19)
    by_paper: its bounds by the formulas of karmaker-2022
    unknown: why it has no bounds; "": it has
    no_worst: why the bound of the worst ranking is refused; "": the least value is that of the
        ideal ranking reversed (RS-BND-3)
    """

    unknown: str = ""
    no_worst: str = ""
    best: Reading | None = None
    ends: Callable[[Sequence[Exact]], Sequence[int]] = lambda labels: range(len(labels) + 1)
    variance: Reading | None = None
    by_paper: PaperBounds | None = None


def _discount(m: Measure, deepest: int) -> Tables:
    return {"discount": (m.discount, deepest)} if "discount" in m.metric.parameters else {}


def help_of_metric(metric: Metric) -> str:
    """What help() says of a metric."""
    also = "" if metric.cutoff == "k" else f", which may also be called {metric.cutoff}"
    cut = f"the cut-off{also}; None: the whole list"
    ties = "" if metric.expected_spec == metric.spec else f", under ties {metric.expected_spec}"
    pool = helptext.OF_POOL if metric.of_pool else ""
    example = metric(k=3)
    given, ranking = metric.example()
    found = numerics.nearest_double_of(lambda reals: value(example, ranking, reals))
    return helptext.page(
        f"{metric.name}{_signature(metric)}",
        f"{metric.title} ({metric.spec}{ties}).{pool}",
        metric.formula or helptext.equation(metric.spec, metric.function),
        [("k", cut), *helptext.helps(metric.parameters)],
        metric.about_values(),
        f">>> {example!r}.of({given})\n{found!r}",
    )


def _signature(metric: Metric) -> Signature:
    """How a metric is called."""
    return helptext.signature("k", metric.parameters, default=None)


@record(eq=False, repr=False)
class Metric:
    """A metric of the spec; there is one object of each.

    name: as measures are written ("nDCG"); function: its name in the API, the reference and C
    spec, expected_spec: the IDs of its definition and of its expectation under ties
    plain, expected: its equation for a settled order, and for tie groups
    parameters: what a measure can be told beside the cut-off, by name
    pool: whether its value depends on the judged items that the list does not show
    of_pool: whether it is of the pool alone: its labels are those of the pool
    cutoff: what its paper calls the cut-off
    formula: its equation in a line, where no function of the reference bears its ID
    names: what other programs call it
    labels: those that it takes
    quotient: what it is a quotient of; None: it is a sum over ranks itself
    undefined: where it has no such quotient, whether it divides by 0 for a pool of those labels
        (RS-CONV-4)
    orders: what is known of it over all orders of a pool
    extremes: its lowest and highest values over all judgments
    beyond: whether ranks behind the cut-off and its tie group matter to it (RS-CONV-2/L1)
    tables: the parameters that are functions of the rank, and how deep each is needed, from the
        deepest rank that holds anything
    check: an InputError where parameters and cut-off do not go together
    breakdown: how a value is made up, rank by rank
    axioms: what is proven of the axioms of RS-AXM, by their names
    core: what the C core has of it
    doc: what the docstring of its function says
    average: what its values are over queries: their mean, or their sum
    whole_numbers: whether its values are whole numbers, as counts are
    more_is_better: whether a better ranking has a higher value; False: a lower one
    """

    name: str
    function: str
    title: str
    spec: str
    expected_spec: str
    plain: Reading
    expected: Reading
    parameters: Parameters
    pool: bool
    of_pool: bool = False
    cutoff: str = "k"
    formula: str = ""
    names: Names = field(default_factory=Names)
    labels: Labels = Labels()
    quotient: Quotient | None = None
    undefined: Callable[[Measure, Sequence[Exact]], bool] = lambda *_: False
    orders: Orders = Orders()
    extremes: Extremes = Extremes()
    beyond: Callable[[Measure], bool] = _never
    tables: Callable[[Measure, int], Tables] = _discount
    check: Callable[[Measure], None] = lambda _: None
    breakdown: Breakdown = field(default_factory=Breakdown)
    axioms: Proofs = field(default_factory=dict)
    core: Core = NOTHING
    doc: helptext.Doc = field(default_factory=helptext.Doc)
    average: Average = MEAN
    whole_numbers: bool = False
    more_is_better: bool = True

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")  # -OO has none
    __signature__ = helptext.told(_signature)

    taken_of: ClassVar[str] = "rankings"  # and the module of rankspec.api that takes them
    taken_of_one: ClassVar[str] = "ranking"
    of_sessions: ClassVar[bool] = False
    argument: ClassVar[str] = "labels"  # what the function of the API is called with
    whose_ties: ClassVar[str] = (
        ""  # what is tied, in a definition; "": what the measure is taken of
    )
    no_order: ClassVar[str | None] = None  # why an order of the pool has no value of it

    def __call__(self, k: int | None = None, *others: Any, **parameters: Any) -> Measure:
        """A measure: this metric at a cut-off, with its parameters."""
        if others or isinstance(k, (list, tuple)) or dimensions(k):
            scores = ", scores=..." * bool(others)
            raise InputError(
                f"{self.name}: a metric takes the cut-off, {self.name}(k=10), and is then a "
                f"measure, got {shown(k)}; the value of {self.argument} is "
                f"rs.{self.function}({self.argument}{scores}), or of a measure m, "
                f"m.of({self.argument}{scores})"
            )
        return make(self, k, **parameters)

    def of(self, labels: Any, **given: Any) -> Any:
        """The value of the measure that has the defaults, and no cut-off; as ``Measure.of``."""
        return self().of(labels, **given)

    def __repr__(self) -> str:
        return f"<Metric {self.name}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _later, ("metrics.catalogue", self.name)  # a copy is the same object

    @property
    def judged(self) -> bool:
        """Whether it is of a list, and of judged items beside it (RS-CONV-3)."""
        return self.pool and not self.of_pool

    @property
    def binary(self) -> bool:
        """Whether labels count only as relevant or not."""
        return "rel" in self.parameters

    # ---- labels, and divisors ----

    def refusal(self, m: Measure, label: Exact) -> str | None:
        """Why it cannot take a label; None where it can."""
        if self.labels.refusal is not None:
            return self.labels.refusal(m, label)
        if self._has_gain_of_labels:
            return m.gain.refusal(label)  # type: ignore[no-any-return]
        return None if math.isfinite(label) else "a label must be finite"

    @property
    def takes_any_label(self) -> bool:
        """Whether no finite label is refused."""
        return self.labels.refusal is None and not self._has_gain_of_labels

    @property
    def _has_gain_of_labels(self) -> bool:
        """True if its gain is of the labels themselves, and not of a relevance made of them."""
        return "gain" in self.parameters and self.relevance is None

    @property
    def relevance(self) -> RelevanceOf | None:
        """Of a metric whose labels are scores, what it makes of them."""
        return self.labels.relevance

    @property
    def sees_unjudged(self) -> bool:
        """Whether it asks which items have no label."""
        return self.labels.unjudged

    @property
    def in_pairs(self) -> bool:
        """True if it compares relevant items with judged ones that are not."""
        return self.labels.in_pairs

    @property
    def reads_negative(self) -> bool:
        """Whether a label below 0 says of an item that it is in the pool and not judged."""
        return self.labels.negative

    def scale(self, m: Measure) -> tuple[str, int] | None:
        """The parameter that says where its scale of labels ends, and that label."""
        return self.labels.scale(m)

    def divides_by_0(self, m: Measure, pool: Sequence[Exact]) -> bool:
        """Whether its divisor is 0 for a pool of those labels (RS-CONV-4)."""
        return self.undefined(m, pool) if self.quotient is None else self.quotient.by_0(m, pool)

    def is_undefined(self, m: Measure, n: int, pool: Sequence[Exact]) -> bool:  # noqa: ARG002
        """Whether it divides by 0 for a list of n items, and that pool (RS-CONV-4)."""
        return self.divides_by_0(m, pool)

    def divides_by_list(self, m: Measure) -> bool:
        """Whether what it divides by depends on the list, not on the pool alone."""
        return self.quotient is not None and self.quotient.by_list(m)

    def is_undefined_for(self, m: Measure, x: Ranking) -> bool:
        """Whether it divides by 0 for a list, where that depends on the list (RS-CONV-4)."""
        return self.quotient is not None and self.quotient.by_0_of_list(m, x)

    def needs_relevant(self, m: Measure) -> bool:
        """Whether a pool of which no label is above 0 gives it nothing to divide by."""
        return self.judged and self.divides_by_0(m.uncut, [0])

    def has_extreme(self, m: Measure, upwards: bool) -> bool:
        """Whether its lowest, or upwards its highest value over all judgments can be found."""
        return self.extremes.known(m, upwards)

    @property
    def no_quotient(self) -> str:
        """Of what is no quotient of an ideal, and so not 1 where it is undefined: what it is."""
        return ""

    def divisor_is_k(self, m: Measure) -> bool:
        """Whether its divisor is the cut-off itself."""
        return self.quotient is not None and self.quotient.by_k(m)

    def ideal_uncut(self, m: Measure) -> bool:
        """Whether the ideal that it divides by is not cut where the list is."""
        return self.quotient is not None and self.quotient.ideal_uncut(m)

    # ---- what a bound of a metric answers otherwise ----

    def is_of_first(self, m: Measure) -> bool:
        """Whether ranks behind the cut-off matter only where a tie group goes on (RS-CONV-2/L1)."""
        return not self.beyond(m)

    @property
    def bound(self) -> str:
        """Of a bound, its own name: "UL2", where the name is "UL2(nDCG)"."""
        return ""

    @property
    def root(self) -> Metric:
        """Of a bound, the metric that it is a bound of; else the metric itself."""
        return self

    @property
    def own_parameters(self) -> Parameters:
        """Of a bound, those that are not the metric's."""
        return self.parameters

    @property
    def vector(self) -> Vector | None:
        """Of a metric of sessions, the vector that it is of; None: it is of none."""
        return None

    def inner(self, m: Measure) -> Measure:
        """Of a bound, the measure that it is a bound of; else the measure itself."""
        return m

    def around(self, m: Measure, inner: Measure) -> Measure:  # noqa: ARG002 - a bound is around it
        """Of a bound, the same of another measure; else that measure."""
        return inner

    def written(self, m: Measure, also: Iterable[str] = ()) -> str:
        """A measure as ir_measures writes it: the parameters that differ from their default, @k.

        A level that ir_measures has behind the @ is always written: IPrec@1 could mean either.
        also: parameters that are written at their default, too
        """
        level = [self.names.level] if self.names.at_level else []
        shown = {name: getattr(m, name) for name in (*level, *also)} | chosen(m)
        given = [written(name, x) for name, x in shown.items()]
        parameters = f"({', '.join(given)})" if given else ""
        return f"{self.name}{parameters}" + (f"@{m.k}" if m.k is not None else "")

    def in_short(self, m: Measure) -> str:
        """A measure without its parameters."""
        return self.name if m.k is None else f"{self.name}@{m.k}"

    def in_python(self, m: Measure, also: Iterable[str] = ()) -> str:
        """A measure as it is made in Python, after `import rankspec as rs`.

        also: parameters that are written at their default, too
        """
        given = [] if m.k is None else [f"k={m.k}"]
        shown = {name: getattr(m, name) for name in also} | chosen(m)
        given += [f"{name}={as_python(x)}" for name, x in shown.items()]
        return f"rs.{self.name}({', '.join(given)})"

    def made_of(self, m: Measure) -> dict[str, str]:  # noqa: ARG002 - a bound is made of it
        """Of a bound, the measures that it is made of, as a definition has them."""
        return {}

    def whole(self, n: int, pool: int) -> int:  # noqa: ARG002 - a bound may be of the pool
        """The cut-off that divides where none is given, of a list of n items."""
        return n

    def example(self) -> tuple[list[Any], Ranking | Session | IntentRanking]:
        """What the example of the help is of: the argument, and what is read of it."""
        return list(EXAMPLE), Ranking.settled(EXAMPLE, EXAMPLE)

    def about_values(self) -> str:
        """Where its values are had, in the help."""
        return f"The values: rankspec.{self.function}({self.argument}, ...), or"


@standard_arithmetic
def make(metric: Metric, k: int | None = None, **parameters: Any) -> Measure:
    """A measure from a metric and the values of its parameters, each checked.

    The cut-off may also be given by the name that the metric's paper has for it.
    """
    if metric.cutoff in parameters and metric.cutoff not in metric.parameters:
        k = _one_cutoff(metric, k, parameters)
    for name in parameters:
        if name not in metric.parameters:
            raise InputError(no_parameter(metric, name))
    choices = (
        p.value(parameters[name]) if name in parameters else p.default
        for name, p in metric.parameters.items()
    )
    measure = Measure(metric, cutoff(k, metric.cutoff), tuple(choices), frozenset(parameters))
    metric.check(measure)
    return measure


def make_with_defaults(
    metric: Metric, k: int | None, defaults: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Measure:
    """A measure from parameters that are written, and the values of others that are not."""
    measure = make(metric, k, **{**defaults, **parameters})
    return replace(measure, explicit=frozenset(metric.parameters).intersection(parameters))


def _one_cutoff(metric: Metric, k: int | None, parameters: dict[str, Any]) -> int | None:
    """The cut-off, which is k or what the metric's paper calls it; taken out of the parameters."""
    name = metric.cutoff
    given = parameters.pop(name)
    if given is not None and k is not None:
        raise InputError(f"{name}: {name} and k both name the cut-off; give one of them")
    return k if given is None else cutoff(given, name)


def no_parameter(metric: Metric, name: str) -> str:
    """What is said of a parameter that a metric has not."""
    meant = f"; {PARAMETERS[name]}" if name in PARAMETERS else hint(name, metric.parameters)
    return (
        f"{metric.name} has no parameter {name!r}{meant}; "
        f"it has {', '.join(metric.parameters)} and the cut-off @{metric.cutoff}"
    )


def cutoff(k: Any, name: str = "k") -> int | None:
    """A cut-off, checked: a whole number from 1 to 2^63 - 2, or None for the whole list."""
    if k is None:
        return None
    try:
        number = operator.index(k)
    except TypeError:
        number = None
    if number is None or isinstance(k, bool):
        raise InputError(
            f"{name}: the cut-off is {shown(k)}; it must be a whole number of at least 1"
        )
    if number < 1:
        raise InputError(f"{name}: the cut-off is {shown(number)}; it must be at least 1")
    if number > LARGEST_CUTOFF:
        raise InputError(f"{name}: the cut-off is {shown(number)}; it must be below 2^63 - 1")
    return number


@record(repr=False)
class Measure:
    """A metric with its parameters: the full definition of a number.

    k: the cut-off; None is the whole list (and, for the ideal, the whole pool)
    choices: the values of the metric's parameters, in their order; each is also an attribute
    explicit: the names of the parameters that were written, be it at their default: what reads the
        labels otherwise (RS-REL-16) has defaults of its own. It is no part of the definition:
        measures are equal that differ in it alone.
    """

    metric: Metric
    k: int | None
    choices: tuple[Any, ...]
    explicit: frozenset[str] = field(default_factory=frozenset, compare=False)

    def __post_init__(self) -> None:
        self.__dict__.update(zip(self.metric.parameters, self.choices, strict=True))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a measure has no {name!r}")

    def __str__(self) -> str:
        """As ir_measures writes it: parameters that differ from their default, then @k."""
        return self._name

    @cached_property
    def _name(self) -> str:
        return self.metric.written(self)

    def __repr__(self) -> str:
        """As it is made in Python, after `import rankspec as rs`."""
        return self.metric.in_python(self)

    @property
    def inner(self) -> Measure:
        """The measure that this bound is of."""
        return self.metric.inner(self)

    def around(self, inner: Measure) -> Measure:
        """Return this bound, with its own parameters, for another measure."""
        return self.metric.around(self, inner)

    def of(self, labels: Any, **given: Any) -> Any:
        """The value for one ranking, or for each of many.

        given: scores, ids, ties, offsets, judged, judged_offsets, unjudged and backend, as in
        rankspec.api; any measure takes judged labels (RS-CONV-3). A measure of sessions takes
        sessions, with the arguments of rankspec.api.sessions.
        """
        if type(labels) is list and _OF_ONE_LIST.issuperset(given):
            of = self.at_once
            value = of.value_of(labels, **given) if given else of.value(labels)
            if of.method is not None:  # found before this one from now on
                self.__dict__["of"] = of.method
            if value is not None:
                return value
        return _later(f"api.{self.metric.taken_of}", "of")(self, labels, **given)

    @cached_property
    def at_once(self) -> Any:
        """What answers for one plain list: an AtOnce of rankspec.compute."""
        return _later("api.at_cutoffs", "prepared")(self)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: not what the core made of it."""
        return {name: x for name, x in self.__dict__.items() if name not in _MADE}

    def _parameters(self) -> dict[str, Any]:
        return dict(zip(self.metric.parameters, self.choices, strict=True))

    @cached_property
    def uncut(self) -> Measure:
        """The same measure without a cut-off."""
        return self if self.k is None else replace(self, k=None)

    def at(self, k: int) -> Measure:
        """The same measure at a cut-off that has been checked."""
        measure = Measure.__new__(Measure)  # all but k has been read
        measure.__dict__.update(self.__getstate__(), k=k, uncut=self.uncut)  # one for all
        self.metric.check(measure)
        return measure

    @property
    def trec_name(self) -> str:
        """As trec_eval prints it, where it has this measure; else as str() does."""
        names = self.metric.names
        given = set(chosen(self)) - set(names.by_version)
        if self.k is None and names.trec_level and given <= {names.level}:
            level = float(getattr(self, names.level))
            if float(f"{level:.2f}") == level:
                return f"{names.trec_level}_{level:.2f}"
        if not given:
            if self.k is None and names.trec:
                return names.trec
            if self.k is not None and names.trec_cut:
                return f"{names.trec_cut}_{self.k}"
        return str(self)

    def definition(self) -> dict[str, str]:
        """Return every choice behind the value, by name, each with its spec ID."""
        chosen = {"metric": f"{self.metric.title} ({self.metric.spec})"}
        chosen |= self.metric.made_of(self)
        chosen["k"] = "the whole list (RS-CONV-2)" if self.k is None else f"{self.k} (RS-CONV-2)"
        for name, x in self._parameters().items():
            parameter = self.metric.parameters[name]
            within = parameter.meaning_in
            chosen[name] = parameter.meaning(x) if within is None else within(self)
        return chosen

    def depth(self, n: int, pool: int) -> int:
        """The cut-off as a number, for a list of n items and a pool of that size (RS-CONV-2)."""
        if self.k is not None:
            return self.k
        if self.metric.divisor_is_k(self):
            return self.metric.whole(n, pool)
        return max(n, pool)

    def depth_of(self, ranking: Ranking | Session | IntentRanking) -> int:
        """The cut-off as a number, for a ranking or a session; a pool counts where it matters."""
        return self.depth(ranking.length, len(ranking.pool) if self.metric.pool else 0)

    def deepest_rank(self, n: int, pool: int) -> int:
        """The deepest rank that holds anything: of lists and pools up to these lengths."""
        deepest = max(n, pool)
        if self.k is None:
            return deepest
        return max(min(self.k, deepest), pool if self.metric.ideal_uncut(self) else 0)

    # ---- what is computed of it: rankspec.compute.computable ----

    @property
    def cutoff_name(self) -> str:
        """What its paper calls the cut-off."""
        return self.metric.cutoff

    @property
    def taken_of(self) -> str:
        """What the measure applies to: rankings, or sessions."""
        return self.metric.taken_of

    @property
    def reads_pool(self) -> bool:
        """Whether its value depends on the judged items that the list does not show."""
        return self.metric.pool

    @property
    def order_matters_to(self) -> int | None:
        """The rank down to which the order matters to its value, with the rest of the tie group
        there; None: down to the last (RS-CONV-2/L1).
        """
        return self.k if self.metric.is_of_first(self) else None

    @property
    def reads_pool_alone(self) -> bool:
        """Whether the value depends only on the pool."""
        return self.metric.of_pool

    @property
    def ideal_uncut(self) -> bool:
        """Whether the ideal in the divisor is left uncut."""
        return self.metric.ideal_uncut(self)

    @property
    def core(self) -> Core:
        """What the C core has of it."""
        return self.metric.core

    def tables(self, deepest: int) -> Tables:
        """The parameters that are functions of the rank, and how deep each is needed."""
        return self.metric.tables(self, deepest)

    def refusal(self, label: Exact) -> str | None:
        """Return why the measure does not take a label; None if it does."""
        return self.metric.refusal(self, label)

    def value(self, ranking: Ranking | Session | IntentRanking, reals: Reals) -> Number:
        """Return the value of a ranking or session by the reference, over given reals."""
        equation = self.metric.expected if ranking.tied else self.metric.plain
        return equation(self, ranking, self.depth_of(ranking), reals)

    def relevance(self, scores: Sequence[Exact]) -> Callable[[Exact | None], Number]:
        """For a metric whose labels are scores, return the relevance of these."""
        return self.metric.relevance(self, scores)  # type: ignore[misc]

    @property
    def query_weights(self) -> Discount | None:
        """The discount of queries; None: it has none."""
        return self.query_discount if "query_discount" in self.metric.parameters else None

    @property
    def asks_documents(self) -> bool:
        """Whether the value depends on which documents a session shows again."""
        return "repeats" in self.metric.parameters and self.repeats != 1

    @property
    def averages_vector(self) -> bool:
        """Whether the value averages all components of a vector, also padded ranks."""
        return self.metric.vector is not None and self.metric.vector.averaged

    @property
    def vector_a_query(self) -> bool:
        """Whether there is a vector for each query, instead of one for the session."""
        return self.metric.vector is not None and self.metric.vector.a_query

    def padded_ranks(self, listed: int, pooled: int) -> int | None:
        """How many ranks a query has at most, where lists and pools have up to these lengths;
        None: as many as results.
        """
        if "padding" not in self.metric.parameters:
            return None
        k = self.depth(listed, pooled if self.metric.pool else 0)
        return min(k, max(listed, k if self.padding == "X" else self.padding))

    def vector(self, session: Session, reals: Reals) -> list[Number]:
        """The vector behind the value; if each query has one, all in sequence."""
        of = self.metric.vector
        return of.components(self, session, self.depth_of(session), reals)  # type: ignore[union-attr]

    def vector_lengths(self, session: Session) -> list[int]:
        """The length of each vector; without a vector, the session's number of ranks."""
        return self.metric.vector.lengths(self, session, self.depth_of(session))  # type: ignore[union-attr]


def chosen(m: Measure) -> dict[str, Any]:
    """The own parameters of a measure's metric that differ from their default."""
    own = {name: (getattr(m, name), p) for name, p in m.metric.own_parameters.items()}
    return {name: x for name, (x, p) in own.items() if x != p.default}


def as_written(m: Measure) -> str:
    """A measure with its parameters that were written at their default, too, for errors."""
    return m.metric.written(m, [name for name in m.metric.parameters if name in m.explicit])


def named(measures: Sequence[Measure], most: int = 3) -> str:
    """The names of measures in a line, if they are not too many."""
    names = ", ".join(short_lists(map(str, measures[:most])))
    return names if len(measures) <= most else f"{names} and {len(measures) - most} more"


def value(measure: Measure, ranking: Ranking | Session | IntentRanking, reals: Reals) -> Number:
    """The measure of a ranking, or of a session, by the reference, in that reading of the reals."""
    try:
        return measure.value(ranking, reals)
    except NoValue as error:
        raise error.alone() from None
