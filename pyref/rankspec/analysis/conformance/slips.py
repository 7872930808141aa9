"""What implementations do otherwise than the definition that they are asked: one slip each.

A slip changes a question, or the value that comes of it. "got is what ... gives" is said of the
value of the changed question. Most slips are other values of a convention or a parameter, and are
read from the declarations of these. Spec: RS-CONF-10.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

from ...compute.gain import GAINS, KINDS, Gain
from ...errors import InputError
from ...evaluation.conventions import CONVENTIONS
from ...metrics.bounds import BOUNDS, bound_named
from ...metrics.grammar import KNOWN, metric
from ...metrics.measure import Ranking
from ...metrics.parameters import Parameter
from ...reference.numbers.reals import FLOATS
from ...reference.ties import RULES
from ..cases import VECTORS, number, numbers
from .questions import (
    NUMBERS,
    Question,
    TooLarge,
    Unanswerable,
    Value,
    knows,
    measures_of,
    measures_with_gain,
    metric_name,
    ranking_of,
    rankings_of,
    rough,
    value,
    weights,
)

Change: TypeAlias = Callable[[Question], Question | None]
After: TypeAlias = Callable[[float, Question], float]

LARGEST = 300  # items of an input that is still asked so
OPEN = {"ideal", "norm"}
"""Parameters that a metric may have and the one that was asked has not."""

PLAIN = ("none", "log", "zipf")
"""The discounts that are named before others that give the same."""

BASES = (("2", 2), ("e", math.e), ("10", 10))


def _as_it_is(asked: Question) -> Question:
    return asked


@dataclass(frozen=True)
class Slip:
    """A way to be wrong.

    name: as a report has it, behind "what ... gives"; spec: the entries that say what is right
    change: the question that is answered instead; None: this one cannot be told from it
    after: what becomes of the value
    of_files: whether it is about a whole evaluation, not about each of its rankings
    rounds: whether it is but less precise
    asked: what the slip is instead of: of a convention, the value that is asked; a program may have
        a slip in one of them alone
    """

    name: str
    spec: tuple[str, ...]
    change: Change = _as_it_is
    after: After | None = None
    of_files: bool = False
    rounds: bool = False
    asked: Callable[[Question], Any] = lambda _: None

    @property
    def is_plain(self) -> bool:
        """Whether it changes nothing but the arithmetic."""
        return self.change is _as_it_is and self.after is None


def given_by(slips: Sequence[Slip], asked: Question) -> Value | None:
    """Return what one slip, or several, give for a question; None: they do not apply to it.

    TooLarge where that would take numbers of thousands of digits.
    """
    try:
        if asked.conventions is None:
            return _of_ranking(slips, asked)
        files, each = _divided(slips)
        for slip in files:
            changed = slip.change(asked)
            if changed is None:
                return None
            asked = changed
        if not each:
            return _of_files(asked)
        return _of_rankings(each, asked)
    except TooLarge:
        raise
    except (Unanswerable, InputError, ArithmeticError, ValueError, TypeError, LookupError):
        return None


def _divided(slips: Sequence[Slip]) -> tuple[list[Slip], list[Slip]]:
    return [s for s in slips if s.of_files], [s for s in slips if not s.of_files]


def _of_files(asked: Question) -> Value:
    try:
        return rough(asked)
    except TooLarge:
        raise
    except Unanswerable:
        return value(asked)


def _of_rankings(slips: Sequence[Slip], asked: Question) -> Value | None:
    """The slips in each query of an evaluation, and the mean of what they give."""
    found, changed = {}, False
    for query, one in rankings_of(asked).items():
        of_query = _of_ranking(slips, one)
        changed |= of_query is not None
        found[query] = rough(one) if of_query is None else of_query
    values = list(found.values())
    mean = sum(values) / len(values) if values else None
    return {"queries": found, "mean": mean} if changed else None


def _of_ranking(slips: Sequence[Slip], asked: Question) -> Value | None:
    if size_of(asked) > LARGEST or any(slip.of_files for slip in slips):
        return None
    for slip in slips:
        changed = slip.change(asked)
        if changed is None:
            return None
        asked = changed
    found = rough(asked)
    for slip in slips:
        if slip.after is not None:
            after = slip.after
            if isinstance(found, list):
                found = [after(x, one) for x, one in zip(found, _each(asked, found), strict=True)]
            else:
                found = after(found, asked)
    return found


def _each(asked: Question, values: Sequence[float]) -> list[Question]:
    """What each of several values is of: of a cut-off, or of a vector."""
    if not isinstance(asked.k, list):
        return [asked] * len(values)
    return [asked.with_measure(k=k) for k in asked.k]


def size_of(asked: Question) -> int:
    """How many items a question has, of the list and of the pool."""
    given = asked.input
    queries = given.get("queries", ())
    parts = (given.get("labels", ()), given.get("judged", ()), *queries)
    text = sum(x.count("\n") for x in given.values() if isinstance(x, str))
    return sum(map(len, parts)) + text


# ---- parameters ------------------------------------------------------------------------------


def _parameter(name: str, changed: Any) -> Change:
    """Another value of a parameter, where it has another."""

    def change(asked: Question) -> Question | None:
        if name not in asked.choices or asked.choices[name] == changed:
            return None
        return asked.with_measure(**{name: changed})

    return change


def _choice(name: str) -> Callable[[Question], Any]:
    """What is asked for, by a parameter."""
    return lambda asked: repr(asked.choices.get(name))


def _known_parameters() -> dict[str, Parameter]:
    """All parameters of metrics and bounds, those of the same name with all words."""
    found: dict[str, Parameter] = {}
    for of in (*(m.parameters for m in KNOWN), *(bound.parameters for bound in BOUNDS)):
        for name, p in of.items():
            words = dict.fromkeys((*(found[name].words if name in found else ()), *p.words))
            found[name] = replace(p, words=tuple(words))
    return found


def _words() -> Iterator[Slip]:
    for name, parameter in _known_parameters().items():
        for word in parameter.words:
            change = _parameter(name, word)
            yield Slip(f"{name}={word}", _spec_of_word(name, word), change, asked=_choice(name))


def _spec_of_word(name: str, word: str) -> tuple[str, ...]:
    """The entry that says what a word of a parameter means."""
    for of in (*KNOWN, *BOUNDS):
        parameter = of.parameters.get(name)
        if parameter is not None and word in parameter.words:
            return _cited(parameter.meaning(word))
    return ()


def _cited(text: str) -> tuple[str, ...]:
    import re

    return tuple(dict.fromkeys(re.findall(r"RS-[A-Z]+-[0-9]+", text)))


def _gains() -> Iterator[Slip]:
    for kind in GAINS:
        change = _parameter("gain", {"kind": kind})
        yield Slip(f"gain={kind}", (Gain(kind).spec,), change, asked=_choice("gain"))
    without = _other_gain(lambda r, R: R.exp2(r))
    words = "the gain 2^r, without the -1"
    yield Slip(words, ("RS-GAIN-2",), without, asked=_choice("gain"))
    yield Slip(
        "the gain 2^r - 1, of labels below 1 as 0",
        ("RS-GAIN-2", "RS-CONV-1"),
        _where_below_1(_other_gain(lambda r, R: R.exp2(r) - 1 if r >= 1 else 0.0)),
    )
    words, read = "negative labels that keep their gain", ("RS-CONV-15", "RS-GAIN-1")
    yield Slip(words, read, _signed, of_files=True)


def _other_gain(equation: Callable[..., Any]) -> Change:
    return lambda asked: replace(asked, gain=equation) if "gain" in asked.choices else None


def _where_below_1(change: Change) -> Change:
    """Where there is a label between 0 and 1."""

    def changed(asked: Question) -> Question | None:
        given = numbers([*asked.input.get("labels", ()), *asked.input.get("judged", ())])
        return change(asked) if any(0 < x < 1 for x in given) else None

    return changed


def _signed(asked: Question) -> Question | None:
    """In files alone: in lists negative labels are refused."""
    gain, qrels = asked.choices.get("gain"), asked.input.get("qrels", "")
    if gain is None or gain["kind"] not in GAINS or " -" not in qrels:
        return None
    linear = gain["kind"] == "linear"
    return replace(asked, gain=lambda r, R: R.exact(r) if linear else R.exp2(r) - 1)


def _discounts() -> Iterator[Slip]:
    for name in ("discount", "query_discount", "prior"):
        of = "" if name == "discount" else f"{name}="
        for kind, known in sorted(KINDS.items(), key=lambda x: x[0] not in PLAIN):
            if not known.examples:
                continue
            for text, base in BASES if known.base else (("", None),):
                changed = {"kind": kind} if base is None else {"kind": kind, "base": base}
                written = f"{kind}(b={text})" if text else kind
                change = _parameter(name, changed)
                words = f"{of or 'discount='}{written}"
                yield Slip(words, (known.spec,), change, asked=_choice(name))
        title = {"discount": "rank", "query_discount": "query", "prior": "rank of the prior"}[name]
        for by, words in ((1, "counted from 2"), (-1, "counted from 0")):
            yield Slip(f"the {title} {words} in the discount", ("RS-DISC-1",), _shifted(name, by))


def _shifted(name: str, by: int) -> Change:
    """The discount of the rank next to each."""

    def change(asked: Question) -> Question | None:
        discount = asked.choices.get(name)
        if not isinstance(discount, Mapping) or discount["kind"] in ("discount", "uniform"):
            return None
        ranks = [max(i + by, 1) for i in range(1, size_of(asked) + 2)]
        if discount["kind"] == "weights":
            return None
        return asked.with_measure(
            **{name: {"kind": "weights", "weights": weights(discount, ranks)}}
        )

    return change


def _thresholds() -> Iterator[Slip]:
    read = ("RS-PREC-1",)
    for rel in (1, 2):
        yield Slip(f"rel={rel}", read, _parameter("rel", rel))
    yield Slip("labels above rel as the relevant ones, not from rel on", read, _strict)


def _strict(asked: Question) -> Question | None:
    if "rel" not in asked.choices:
        return None
    rel = number(asked.choices["rel"])
    labels = numbers([*asked.input.get("labels", ()), *asked.input.get("judged", ())])
    if rel not in labels:
        return None
    return asked.with_measure(rel=min((x for x in labels if x > rel), default=rel + 1))


def _numbers_of_cascades() -> Iterator[Slip]:
    defaults = _known_parameters()
    for p in dict.fromkeys((defaults["p"].default, 0.5, 0.75, 0.8, 0.9, 0.95)):
        yield Slip(f"p={p}", ("RS-CAS-5",), _parameter("p", p))
    known = defaults["max"].default
    yield Slip(f"max={known}", ("RS-CAS-1",), _parameter("max", known))
    for name, parts in (("pool", ("judged", "labels")), ("list", ("labels",))):
        words = f"max: the highest label of the {name}, not that of the scale"
        yield Slip(words, ("RS-CAS-1",), _highest(parts))


_OTHER_NUMBERS: Mapping[str, tuple[Any, ...]] = {
    "beta": (0.5, 2, 10),
    "gamma": (0.9, 0.5),
    "phi": (0.9, 0.5),
    "max_rel": (1, 2, 3, "pool"),
    "T": (2, 3),
    "hb": (1,),
    "hc": (1,),
    "med": (),
    "normalize": (False,),
}
"""What programs have of parameters that are numbers, beside the default."""


def _other_numbers() -> Iterator[Slip]:
    for name, more in _OTHER_NUMBERS.items():
        named = [m.parameters[name] for m in KNOWN if name in m.parameters]
        for x in dict.fromkeys((*(p.default for p in named), *more)):
            read = tuple(entry for p in named for entry in _cited(p.meaning(x)))
            yield Slip(f"{name}={x}", read, _parameter(name, x))
    words = "beta as the weight of recall, not beta^2"
    yield Slip(words, ("RS-PREC-22",), _root_of_beta)


def _root_of_beta(asked: Question) -> Question | None:
    """In F alone: the other measures that have beta do not square it."""
    if asked.measure["name"] != "F" or number(asked.choices["beta"]) in (0, 1):
        return None
    return asked.with_measure(beta=math.sqrt(number(asked.choices["beta"])))


def _highest(parts: Sequence[str]) -> Change:
    def change(asked: Question) -> Question | None:
        given = next((asked.input[part] for part in parts if part in asked.input), None)
        if not given or "max" not in asked.choices:
            return None
        highest = max(0, *numbers(given))
        return None if highest == asked.choices["max"] else asked.with_measure(max=highest)

    return change


# ---- the cut-off -----------------------------------------------------------------------------


def _cutoffs() -> Iterator[Slip]:
    read = ("RS-CONV-2",)
    yield Slip("no cut-off", read, _cut(lambda _k, _n: None))
    yield Slip("k: at most the length of the list", ("RS-CONV-2", "RS-PREC-2"), _cut(min))
    yield Slip("k + 1 as the cut-off", read, _cut(lambda k, _: k + 1))
    yield Slip("k - 1 as the cut-off", read, _cut(lambda k, _: k - 1 or None))


def _cut(by: Callable[[int, int], int | None]) -> Change:
    def change(asked: Question) -> Question | None:
        given = asked.input
        if asked.k is None or not any(x in given for x in ("labels", "queries", "judged")):
            return None
        ranked = [given["labels"]] if "labels" in given else given.get("queries")
        n = max(map(len, ranked or [given.get("judged", ())]), default=0)
        several = isinstance(asked.k, list)
        cutoffs = [_at_least_1(by(number(k), n)) for k in (asked.k if several else [asked.k])]
        changed = cutoffs if several else cutoffs[0]
        return None if changed == asked.k else asked.with_measure(k=changed)

    return change


def _at_least_1(k: int | None) -> int | None:
    return None if k is None else max(k, 1)


# ---- the pool, the labels, the order ---------------------------------------------------------


def _pools() -> Iterator[Slip]:
    read = ("RS-CONV-3", "RS-CONV-17")
    yield Slip("the pool from the list alone", read, lambda asked: _pool(asked, None))
    yield Slip("the pool from the first k results", read, _pool_of_first)
    yield Slip("the pool of the judged items and those of the list again", read, _pool_and_list)
    ideal, relevant = ("RS-DCG-7", "RS-CONV-3"), ("RS-PREC-3", "RS-PREC-6")
    yield Slip("the ideal cut at the length of the list", ideal, _graded(_pool_cut_at_n))
    yield Slip("the ideal of k items of the highest label", ideal, _graded(_perfect))
    yield Slip("as many relevant items as results at most", relevant, _binary(_pool_cut_at_n))
    yield Slip("k as the number of relevant items", relevant, _binary(_perfect))
    yield Slip("the relevant items at most k", relevant, _binary(_pool_cut_at_k))


def _graded(change: Change) -> Change:
    return lambda asked: None if "rel" in asked.choices else change(asked)


def _binary(change: Change) -> Change:
    return lambda asked: change(asked) if "rel" in asked.choices else None


def _pool(asked: Question, judged: Sequence[Any] | None) -> Question | None:
    if "labels" not in asked.input or (judged is None and "judged" not in asked.input):
        return None
    return asked.with_input(judged=None if judged is None else list(judged))


def _one_k(asked: Question) -> int | None:
    k = number(asked.k)
    return k if isinstance(k, int) and "labels" in asked.input else None


def _pool_of_first(asked: Question) -> Question | None:
    k = number(asked.k)
    if isinstance(k, list) or "labels" not in asked.input:
        return None
    if "scores" in asked.input and asked.input.get("ties", "expected") == "expected":
        return None
    ranked = asked.input["labels"]
    if "scores" in asked.input:
        ranked = ranking_of(asked.input).labels
    return _pool(asked, [x for x in ranked[:k] if x is not None])


def _descending(asked: Question) -> list[Any]:
    given = asked.input
    return sorted(numbers(given.get("judged", given.get("labels", ()))), reverse=True)


def _pool_and_list(asked: Question) -> Question | None:
    given = asked.input
    if "judged" not in given or not given.get("labels"):
        return None
    return _pool(asked, [*given["judged"], *(x for x in given["labels"] if x is not None)])


def _pool_cut_at_n(asked: Question) -> Question | None:
    if "judged" not in asked.input or "labels" not in asked.input:
        return None
    return _pool(asked, _descending(asked)[: len(asked.input["labels"])])


def _pool_cut_at_k(asked: Question) -> Question | None:
    k = _one_k(asked)
    return None if k is None else _pool(asked, _descending(asked)[:k])


def _perfect(asked: Question) -> Question | None:
    k = _one_k(asked)
    pool = _descending(asked)
    return None if k is None or k > LARGEST or not pool else _pool(asked, [pool[0]] * k)


def _ideals() -> Iterator[Slip]:
    """What is done to the ideal alone that a value is divided by."""
    cut, order = ("RS-DCG-7", "RS-CONV-2"), ("RS-DCG-4", "RS-DCG-7")
    for by, words in ((1, "k + 1"), (-1, "k - 1")):
        after = _over_ideal(_falling, by)
        yield Slip(f"the ideal cut at {words}, and the list at k", cut, _over_its_ideal, after)
    for order_of, words in ((list, "in the order in which it is given"), (sorted, "ascending")):
        after = _over_ideal(order_of, 0)
        yield Slip(f"the ideal that is the pool {words}", order, _over_its_ideal, after)
    words = "the ideal over the list, not the list over the ideal"
    yield Slip(words, ("RS-DCG-6",), _over_its_ideal, lambda x, _: 1 / x if x else x)


def _falling(pool: Sequence[Any]) -> list[Any]:
    return sorted(pool, reverse=True)


def _over_its_ideal(asked: Question) -> Question | None:
    """What is divided by the value of an ideal list, and nothing else."""
    if "labels" not in asked.input or "of" in asked.measure or not knows(asked.measure):
        return None
    quotient = metric(metric_name(asked.measure)).quotient
    is_so = quotient is not None and quotient.shown_by_ideal and len(quotient.divisors) == 1
    return asked if is_so else None


def _over_ideal(order: Callable[[Sequence[Any]], list[Any]], by: int) -> After:
    """The value over that of another ideal: the pool in some order, cut at k + by."""

    def after(x: float, asked: Question) -> float:
        [m] = measures_with_gain(asked)
        ranking, quotient = ranking_of(asked.input), m.metric.quotient
        if quotient is None or quotient.shown_by_ideal is None:
            return x
        pool, total = ranking.pool, quotient.total
        shown = quotient.shown_by_ideal(m, ranking, m.depth_of(ranking))
        if shown is None or (by and (m.k is None or shown != min(m.k, len(pool)))):
            return x
        other = shown if m.k is None or not by else m.k + by
        right, wrong = (
            float(total(m, Ranking.settled(ideal, pool), len(ideal), FLOATS))
            for ideal in (_falling(pool)[:shown], order(pool)[:other])
        )
        return x * right / wrong if wrong else 0.0

    return after


def _labels() -> Iterator[Slip]:
    read = ("RS-CONV-1",)
    yield Slip("labels cut to whole numbers", read, _each_label(math.floor))
    yield Slip("labels rounded to whole numbers", read, _each_label(round))
    yield Slip("labels made 0 or 1", read, _each_label(lambda x: int(x >= 1)))
    yield Slip("labels below 1 as 0", read, _each_label(lambda x: x if x >= 1 else 0))
    yield Slip("negative labels as 0", ("RS-CONV-15",), _each_label(lambda x: max(x, 0)))
    yield Slip("negative labels as positive ones", ("RS-CONV-15",), _each_label(abs))


def _each_label(by: Callable[[Any], Any]) -> Change:
    def change(asked: Question) -> Question | None:
        parts = {n: asked.input[n] for n in ("labels", "judged") if n in asked.input}
        changed = {name: [by(number(x)) for x in given] for name, given in parts.items()}
        if "queries" in asked.input:
            queries = asked.input["queries"]
            parts["queries"] = queries
            changed["queries"] = [[by(number(x)) for x in ranked] for ranked in queries]
        return None if changed == parts else asked.with_input(**changed)

    return change


def _orders() -> Iterator[Slip]:
    for rule in RULES:
        read = ("RS-TIE-2", "RS-EXP-1")
        yield Slip(
            f"ties={rule}", read, _tie_rule(rule), asked=lambda asked: asked.input.get("ties")
        )
    yield Slip("ids compared as texts", ("RS-TIE-2", "RS-CONV-6"), _ids_as_texts)
    yield Slip("the lowest score first", ("RS-TIE-1",), _each_score(lambda x: -x))
    yield Slip("the list from its end", ("RS-TIE-1",), _reversed)
    yield Slip("the list without items of label 0", ("RS-CONV-8",), _without_zeros)
    for words, parts in (("items", ("labels", "judged")), ("items of the list", ("labels",))):
        yield Slip(f"{words} of the same label as one", ("RS-CONV-1",), _each_label_once(parts))
    yield Slip("scores=float32", ("RS-CONV-12",), _each_score(_float32))
    yield Slip("scores that are not looked at", ("RS-TIE-1",), _unscored)
    yield Slip("unjudged=condensed", ("RS-CONV-13",), _condensed)
    yield Slip("unjudged items as judged ones of label 0", ("RS-CONV-8",), _all_judged)
    documents = "documents that come again as others"
    yield Slip(documents, ("RS-SES-1",), lambda asked: _without(asked, "documents"))
    for words, part in (("first", slice(0, 1)), ("last", slice(-1, None))):
        yield Slip(f"the {words} query of the session alone", ("RS-SES-5",), _queries(part))


def _tie_rule(rule: str) -> Change:
    def change(asked: Question) -> Question | None:
        given = asked.input
        if "scores" not in given or given.get("ties") == rule:
            return None
        if rule.startswith("id-") and "ids" not in given:
            return None
        return asked.with_input(ties=rule)

    return change


def _ids_as_texts(asked: Question) -> Question | None:
    ids = asked.input.get("ids")
    if ids is None or not any(isinstance(x, int) for x in ids):
        return None
    return asked.with_input(ids=[str(x) for x in ids])


def _each_score(by: Callable[[Any], Any]) -> Change:
    def change(asked: Question) -> Question | None:
        if "scores" not in asked.input:
            return None
        scores = numbers(asked.input["scores"])
        changed = [by(x) for x in scores]
        return None if changed == scores else asked.with_input(scores=changed)

    return change


def _reversed(asked: Question) -> Question | None:
    labels = asked.input.get("labels", ())
    if "scores" in asked.input or labels == labels[::-1]:
        return None
    parts = {n: asked.input[n][::-1] for n in ("labels", "unjudged") if n in asked.input}
    return asked.with_input(**parts)


def _without_zeros(asked: Question) -> Question | None:
    given = asked.input
    labels = numbers(given.get("labels", ()))
    if 0 not in labels:
        return None
    parts = ("labels", "scores", "ids", "unjudged")
    kept = {n: [x for x, label in zip(given[n], labels, strict=True) if label != 0]
            for n in parts if n in given}  # fmt: skip
    return asked.with_input(**kept)


def _each_label_once(parts: Sequence[str]) -> Change:
    def change(asked: Question) -> Question | None:
        given = asked.input
        if "scores" in given or "unjudged" in given:
            return None
        before = {n: given[n] for n in parts if n in given}
        changed = {n: list(dict.fromkeys(x)) for n, x in before.items()}
        return None if changed == before else asked.with_input(**changed)

    return change


def _float32(x: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def _without(asked: Question, *parts: str) -> Question | None:
    if not any(part in asked.input for part in parts):
        return None
    return asked.with_input(**dict.fromkeys(parts))


def _unscored(asked: Question) -> Question | None:
    return _without(asked, "scores", "ids", "ties") if "scores" in asked.input else None


def _condensed(asked: Question) -> Question | None:
    flags = asked.input.get("unjudged")
    if not flags or not any(flags):
        return None
    parts = ("labels", "scores", "ids", "unjudged")
    kept = {
        name: [x for x, flag in zip(asked.input[name], flags, strict=True) if not flag]
        for name in parts
        if name in asked.input
    }
    return asked.with_input(**kept)


def _all_judged(asked: Question) -> Question | None:
    flags = asked.input.get("unjudged")
    if not flags or not any(flags):
        return None
    labels = [0 if f else x for x, f in zip(asked.input["labels"], flags, strict=True)]
    judged = asked.input.get("judged")
    return asked.with_input(labels=labels, unjudged=[0] * len(flags), judged=judged)


def _queries(part: slice) -> Change:
    def change(asked: Question) -> Question | None:
        queries = asked.input.get("queries", ())
        if len(queries) < 2:
            return None
        changed = {name: asked.input[name][part] for name in ("queries", "documents")
                   if name in asked.input}  # fmt: skip
        return asked.with_input(**changed)

    return change


# ---- another metric --------------------------------------------------------------------------


def _metrics() -> Iterator[Slip]:
    for known in KNOWN:
        yield Slip(f"{known.name}, another metric,", (known.spec,), _other_metric(known.name))
    for bound in BOUNDS:
        yield Slip(f"{bound.name}, another bound,", (bound.spec,), _other_bound(bound.name))
    yield Slip("the metric without its bound", ("RS-BND-1",), _unbound)


def _other_metric(name: str) -> Change:
    other = metric(name)

    def change(asked: Question) -> Question | None:
        if "of" in asked.measure or asked.measure["name"] in (name, *VECTORS, *NUMBERS):
            return None
        if not knows(asked.measure):
            return None
        asked_of = metric(metric_name(asked.measure))
        if other.taken_of != asked_of.taken_of or other.of_pool != asked_of.of_pool:
            return None
        kept = {n: x for n, x in asked.choices.items() if n in other.parameters}
        if not set(other.parameters) <= set(kept) | OPEN:
            return None
        return replace(asked, measure={"name": name, "k": asked.k, **kept})

    return change


def _other_bound(name: str) -> Change:
    other = bound_named(name)

    def change(asked: Question) -> Question | None:
        if "of" not in asked.measure or asked.measure["name"] == name:
            return None
        if other.of_pool and "labels" in asked.input:
            return None
        own = {n: x for n, x in asked.measure.items() if n in other.parameters}
        return replace(asked, measure={"name": name, "of": asked.measure["of"], **own})

    return change


def _unbound(asked: Question) -> Question | None:
    if "of" not in asked.measure or "labels" not in asked.input:
        return None
    return replace(asked, measure=asked.measure["of"])


# ---- what becomes of the value ---------------------------------------------------------------


def _values() -> Iterator[Slip]:
    undefined = ("RS-CONV-4",)
    yield Slip("arithmetic in doubles, which overflows or cancels here,", ("RS-NUM-1",))
    yield Slip("undefined as NaN", undefined, after=_undefined_as(math.nan))
    yield Slip("undefined=one", undefined, after=_undefined_as(1.0))
    yield Slip("clipping at 1", ("RS-CONV-3",), after=lambda x, _: min(x, 1.0))
    yield Slip("clipping at 0", ("RS-BND-6",), after=lambda x, _: max(x, 0.0))
    yield Slip("percent", ("RS-NUM-1",), after=lambda x, _: 100 * x)
    yield Slip("1 less the value", ("RS-NUM-1",), after=lambda x, _: 1 - x)
    yield Slip("the negative of the value", ("RS-NUM-1",), after=lambda x, _: -x)
    yield Slip("1 over the value", ("RS-NUM-1",), after=lambda x, _: 1 / x if x else x)
    yield Slip("rounding to float32", ("RS-NUM-1",), after=lambda x, _: _float32(x), rounds=True)
    for digits in (2, 3, 4, 5, 6):
        yield Slip(
            f"rounding to {digits} decimals",
            ("RS-NUM-1",),
            after=lambda x, _, digits=digits: round(x, digits),  # type: ignore[misc]
            rounds=True,
        )


def _undefined_as(instead: float) -> After:
    def after(x: float, asked: Question) -> float:
        return instead if x == 0 and _is_undefined(asked) else x

    return after


def _is_undefined(asked: Question) -> bool:
    """Whether a divisor is 0, or the list is empty."""
    given = asked.input
    if "queries" in given:
        return not any(number(x) for ranked in given["queries"] for x in ranked)
    labels = numbers(given.get("labels", given.get("judged", ())))
    pool = numbers(given.get("judged", labels))
    return not labels or any(
        m.metric.is_undefined(m, len(labels), pool) for m in measures_of(asked.measure)
    )


# ---- whole evaluations -----------------------------------------------------------------------


def _conventions() -> Iterator[Slip]:
    for known in CONVENTIONS:
        for word in known.values:
            spec = (known.spec_of(word), known.spec)
            change = _convention(known.name, word)
            words = f"{known.name}={word}"
            yield Slip(words, spec, change, of_files=True, asked=_chosen(known.name))


def _chosen(name: str) -> Callable[[Question], Any]:
    return lambda asked: (asked.conventions or {}).get(name)


def _convention(name: str, word: str) -> Change:
    def change(asked: Question) -> Question | None:
        chosen = asked.conventions
        if chosen is None or name not in chosen or chosen[name] == word:
            return None
        return replace(asked, conventions={**chosen, name: word}, profile=None)

    return change


def _listed(groups: Iterable[Iterator[Slip]]) -> tuple[Slip, ...]:
    """The slips, each once."""
    found: dict[tuple[str, bool], Slip] = {}
    for group in groups:
        for slip in group:
            spec = tuple(dict.fromkeys(slip.spec))
            found.setdefault((slip.name, slip.of_files), replace(slip, spec=spec))
    return tuple(found.values())


@cache
def slips() -> tuple[Slip, ...]:
    """All that are known, those that are met most often first."""
    return _listed(
        (
            _gains(),
            _words(),
            _discounts(),
            _conventions(),
            _orders(),
            _pools(),
            _ideals(),
            _cutoffs(),
            _thresholds(),
            _numbers_of_cascades(),
            _other_numbers(),
            _labels(),
            _values(),
            _metrics(),
        )
    )
