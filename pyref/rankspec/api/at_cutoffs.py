"""The values of a metric for what is given, one number or an array."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache, wraps

from ..compute.at_once import NOTHING, AtOnce
from ..errors import InputError, dimensions, items_of, shown
from ..metrics.chapters import metric
from ..metrics.measure import Measure, Metric, cutoff, make
from ..metrics.parameters import is_plain
from ..typed import TYPE_CHECKING, Any, ParamSpec, TypeAlias
from .inputs import Input

if TYPE_CHECKING:
    import numpy as np

    from .session_inputs import SessionInput

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

P = ParamSpec("P")
Cutoffs: TypeAlias = "int | Sequence[int | None] | None"
Values: TypeAlias = "float | Array"


def values_at(
    name: str, lists: Input | SessionInput, k: Cutoffs, backend: str, **parameters: Any
) -> Values:
    """The values of a metric at one or several cut-offs."""
    several = several_cutoffs(k)
    of = metric(name)
    given = items_of(k, f"k: {shown(k)} is no list of cut-offs") if several else [k]  # type: ignore[arg-type]
    cutoffs = [cutoff(k_j, of.cutoff) for k_j in given]
    parameters = lists.with_weights(parameters, cutoffs)
    measures = measures_of(of, cutoffs, parameters)
    columns = lists.values(measures, backend)
    lists.check_pools([of], backend)
    if lists.single and not several:
        return float(columns[0][0])
    import numpy as np  # one ranking and one k need no arrays

    if not several:
        return np.frombuffer(columns[0])
    if not columns:
        return np.empty((0,) if lists.single else (len(lists.given), 0))
    if lists.single:
        return np.array([column[0] for column in columns])
    return np.stack([np.frombuffer(column) for column in columns], axis=1)


def at_once(function: Callable[P, Values]) -> Callable[P, Values]:
    """The function of a metric of rankings, which answers for plain lists without what it costs to
    read arguments and batches: for one list, with its scores and judged labels, and with the
    cut-off and parameters that are words or whole numbers. All else, and what is refused, the
    function itself answers.
    """
    kept: dict[Any, AtOnce] = {}
    wrapped: Any = getattr(function, "__wrapped__", function)
    named: Mapping[str, Any] = wrapped.__kwdefaults__  # its arguments

    def known(words: Mapping[str, Any]) -> AtOnce:
        # No word is equal to a number, so that what is equal here is the same.
        key = tuple(words.items())
        found = kept.get(key)
        if found is None:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            found = kept[key] = _of_words(function.__name__, words)
        return found

    @wraps(function)
    def answered(*args: P.args, **kwargs: P.kwargs) -> Values:
        labels: Any = args[0] if len(args) == 1 else None
        if type(labels) is list:
            value = None
            if _WORDS.issuperset(map(type, kwargs.values())):
                value = known(kwargs).value(labels)
            elif _MORE.issuperset(map(type, kwargs.values())) and kwargs.keys() <= named.keys():
                words, lists = _words_and_lists(kwargs)
                if words is not None:
                    value = known(words).value_of(labels, **lists)
            if value is not None:
                return value
        _check_labels_alone(function.__name__, args, named)
        return function(*args, **kwargs)

    return answered


def _check_labels_alone(function: str, args: Sequence[Any], named: Iterable[str]) -> None:
    """Raise TypeError for what follows the labels without its name, as scores do elsewhere."""
    if len(args) < 2:
        return
    meant = "k" if isinstance(args[1], int) else "scores"
    names = sorted({"scores", "judged", "k"} & set(named), key=lambda x: (x != meant, x))
    calls = (f"{function}(labels, {x}=...)" for x in names)
    raise TypeError(
        f"{function}() takes only the labels by position; name what follows: {' or '.join(calls)}"
    )


_WORDS = frozenset((int, str))
_MORE = _WORDS | {list}
MOST_KEPT = 256  # of each function


def _words_and_lists(
    given: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The arguments that are words, and scores, judged labels and the rule for ties; no words:
    there are other lists.
    """
    words = dict(given)
    lists: dict[str, Any] = {x: words.pop(x) for x in ("scores", "judged") if x in words}
    if "scores" in lists and "ties" in words:
        lists["ties"] = words.pop("ties")
    return (words if _WORDS.issuperset(map(type, words.values())) else None), lists


def _of_words(name: str, words: Mapping[str, Any]) -> AtOnce:
    """What answers for a measure by its cut-off and parameters; NOTHING where there are other
    words, or one is refused.
    """
    of = metric(name)
    if not {"k", of.cutoff, *of.parameters}.issuperset(words):
        return NOTHING
    parameters = dict(words)
    try:
        return prepared(make(of, parameters.pop("k", None), **parameters))
    except InputError:  # the function has the words for it
        return NOTHING


def prepared(measure: Measure) -> AtOnce:
    """What answers for one plain list; ``measure.at_once`` keeps it."""
    return AtOnce(measure, measure.of)


def several_cutoffs(k: Any) -> bool:
    """Whether k is several cut-offs, in an order."""
    if isinstance(k, (str, bytes, bytearray, Mapping, Set)) or dimensions(k, 1) == 0:
        return False
    return isinstance(k, Iterable)


def either(k: Cutoffs, M: Cutoffs) -> Cutoffs:
    """The cut-offs, by either name."""
    if k is not None and M is not None:
        raise InputError("M: M and k both name the cut-off; give one of them")
    return k if M is None else M


def measures_of(
    metric: Metric, cutoffs: Sequence[int | None], parameters: dict[str, Any]
) -> list[Measure]:
    """A measure at each cut-off; the parameters are read once."""
    measures: list[Measure] = []
    for k in cutoffs:
        measures.append(measures[0].at(k) if measures and k else measure_of(metric, k, parameters))
    return measures


def measure_of(metric: Metric, k: int | None, parameters: dict[str, Any]) -> Measure:
    if all(map(is_plain, parameters.values())):
        return _known_measure(metric, k, **parameters)
    return make(metric, k, **parameters)


_known_measure = lru_cache(maxsize=1024, typed=True)(make)
