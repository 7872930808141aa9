"""What a case asks, in the words of the package: its measure, and what that is taken of.

A case is plain data. Here it becomes a :class:`Measure` with a ranking, a session, or files; its
value comes from the public API, or, quickly and for changed questions too, from the equations of
the reference in doubles.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from io import BytesIO
from typing import Any, TypeAlias

from ...api.means import mean
from ...api.session_inputs import SessionInput
from ...compute.backends import vectors
from ...compute.batch import own_pool
from ...compute.gain import discount as discount_named
from ...errors import InputError
from ...evaluation.conventions import Conventions, as_text
from ...evaluation.profiles import profile
from ...metrics.bounds import BOUNDS
from ...metrics.grammar import KNOWN, metric
from ...metrics.measure import Measure, Ranking, Session
from ...metrics.measure import value as value_of_measure
from ...reference.numbers.reals import FLOATS
from ...reference.numerics import nearest_double
from ...reference.ties import order, tie_groups
from ..cases import VECTORS, at_cutoff, discount_of, measure_of, number, numbers
from .cases import Case, Plain

Value: TypeAlias = Any
"""A double, a list of doubles, or an evaluation: {"queries": {query: double}, "mean": double}."""

NUMBERS = ("mean", "double")
"""What else cases are of, and is no metric."""


@dataclass(frozen=True)
class Question:
    """A measure, and what it is taken of, as plain data.

    conventions: of a whole evaluation; profile: whose they are
    gain: instead of the measure's, one that has no name: (label, reals) -> number
    """

    measure: Plain
    input: Plain
    conventions: Plain | None = None
    gain: Callable[..., Any] | None = None
    profile: str | None = None

    def with_input(self, **changed: Any) -> Question:
        """The same, with other parts of the input; None takes one away."""
        found = {**self.input, **changed}
        return replace(self, input={name: x for name, x in found.items() if x is not None})

    def with_measure(self, **changed: Any) -> Question:
        """The same with other parameters, of the metric that a bound is of, where they are its."""
        of = self.measure.get("of")
        if of is None:
            return replace(self, measure={**self.measure, **changed})
        inner = {name: x for name, x in changed.items() if name in of}
        own = {name: x for name, x in changed.items() if name not in of}
        return replace(self, measure={**self.measure, **own, "of": {**of, **inner}})

    @property
    def choices(self) -> dict[str, Any]:
        """All parameters, those of the metric that a bound is of among them."""
        found = {**self.measure.get("of", {}), **self.measure}
        return {name: x for name, x in found.items() if name not in ("name", "of")}

    @property
    def k(self) -> Any:
        """The cut-off, or a list of them."""
        return self.choices.get("k")


def question_of(case: Case) -> Question:
    """What a case asks."""
    return Question(case.measure, case.input, case.conventions, profile=case.more.get("profile"))


def metric_name(measure: Plain) -> str:
    """The metric that a measure is of, or that a bound is of."""
    name = str(measure.get("of", measure)["name"])
    return VECTORS.get(name, name)


def knows(measure: Plain) -> bool:
    """Whether there is a metric, and a bound, of that name."""
    names = {m.name for m in KNOWN}
    bounds = {bound.name for bound in BOUNDS}
    return metric_name(measure) in names and ("of" not in measure or measure["name"] in bounds)


def measures_of(measure: Plain) -> list[Measure]:
    """The measures that are asked, one for each cut-off."""
    k = measure.get("of", measure).get("k")
    if not isinstance(k, list):
        return [measure_of(measure)]
    return [measure_of(at_cutoff(measure, one)) for one in k]


# ---- values by the public API ----------------------------------------------------------------


def value(asked: Question, backend: str = "reference") -> Value:
    """What is asked, by the certified reference, or by the core.

    An InputError where the input must be refused.
    """
    measure, given = asked.measure, asked.input
    if asked.conventions is not None:
        return _evaluation(asked, backend)
    if measure["name"] in NUMBERS:
        return _number(given)
    if "queries" in given:
        return _of_session(measure, given, backend)
    found = [_of_ranking(m, given, backend) for m in measures_of(measure)]
    return found if isinstance(asked.k, list) else found[0]


def _number(given: Plain) -> float:
    if "fraction" in given:
        return nearest_double(Fraction(given["fraction"]))
    return mean(numbers(given["values"]))


def _of_ranking(measure: Measure, given: Plain, backend: str) -> float:
    of_pool = "labels" not in given
    taken = ("scores",) if of_pool else ("judged", "scores")
    arguments: dict[str, Any] = {name: numbers(given[name]) for name in taken if name in given}
    if "judged" in arguments:
        arguments["check"] = False  # a vector is of the definition, which takes any pool
    arguments |= {name: given[name] for name in ("ids", "ties", "unjudged") if name in given}
    labels = numbers(given["judged" if of_pool else "labels"])
    return float(measure.of(labels, backend=backend, **arguments))


def _of_session(measure: Plain, given: Plain, backend: str) -> Value:
    queries = [numbers(ranked) for ranked in given["queries"]]
    arguments: dict[str, Any] = {"ids": given["documents"]} if "documents" in given else {}
    if "judged" in given:
        arguments |= {"judged": numbers(given["judged"]), "check": False}
    if measure["name"] in VECTORS:
        batch = SessionInput(queries, **arguments).batch
        flat, _ = vectors(measure_of(measure), batch, backend)
        return list(flat)
    made = measures_of(measure)
    values = [float(m.of(queries, backend=backend, **arguments)) for m in made]
    return values if isinstance(measure.get("k"), list) else values[0]


def _evaluation(asked: Question, backend: str) -> Value:
    """The values of a whole evaluation: of files that are given as texts."""
    given: dict[str, Any] = {
        name: BytesIO(x.encode()) for name, x in asked.input.items() if isinstance(x, str)
    }
    given |= {name: x for name, x in asked.input.items() if not isinstance(x, str)}
    given |= _chosen(asked)
    [measure] = measures_of(asked.measure)
    if "sessions" in given:
        from ...evaluation.sessions.evaluate import evaluate_sessions

        qrels, sessions = given.pop("qrels"), given.pop("sessions")
        by_session = evaluate_sessions(qrels, sessions, measure, **given, backend=backend)
        return _told(by_session.per_session, by_session.mean)
    if "letor" in given:
        from ...evaluation.letor import evaluate_letor

        letor = given.pop("letor")
        found = evaluate_letor(letor, measure, **given, backend=backend)
    else:
        from ...evaluation.evaluate import evaluate

        qrels, run = given.pop("qrels"), given.pop("run")
        found = evaluate(qrels, run, measure, **given, backend=backend)
    return _told(found.per_query, found.mean)


def _chosen(asked: Question) -> dict[str, Any]:
    """The conventions as arguments: where there is a profile, it and those that are not its own."""
    chosen = {name: x for name, x in (asked.conventions or {}).items() if x is not None}
    if isinstance(chosen.get("grades"), list):
        chosen["grades"] = {number(label): number(grade) for label, grade in chosen["grades"]}
    if asked.profile is None:
        return chosen
    own = as_text(profile(asked.profile).conventions)
    return {"profile": asked.profile} | {n: x for n, x in chosen.items() if own.get(n) != x}


def _told(by_query: Mapping[str, Mapping[str, float]], means: Mapping[str, float]) -> Value:
    [(name, queries)] = by_query.items()
    found = means[name]
    return {"queries": dict(queries), "mean": None if found != found else found}  # noqa: PLR0124


# ---- values in doubles, of changed questions too ---------------------------------------------


class Unanswerable(Exception):
    """A question that cannot be answered so."""


class TooLarge(Unanswerable):
    """A question whose answer would take numbers of thousands of digits."""


MOST_EXPONENT = 1 << 12  # far above 1074, which doubles have


_NO_NUMBER = (ArithmeticError, ValueError, TypeError, LookupError, struct.error)
"""What equations raise where they give none."""


def rough(asked: Question) -> Value:
    """What is asked, by the equations in doubles, whatever the labels: nothing is refused.

    Unanswerable where the equations give no number.
    """
    try:
        return _rough(asked)
    except (InputError, *_NO_NUMBER) as error:
        raise Unanswerable(str(error)) from None


def _rough(asked: Question) -> Value:
    measure, given = asked.measure, asked.input
    if asked.conventions is not None:
        return _rough_evaluation(asked)
    if measure["name"] in NUMBERS or not knows(measure):
        raise Unanswerable("no metric")
    _check_exponents(asked)
    made = measures_with_gain(asked)
    if measure["name"] in VECTORS:
        return [float(x) for x in made[0].vector(_session(given), FLOATS)]
    taken = _session(given) if "queries" in given else ranking_of(given)
    found = [float(value_of_measure(m, taken, FLOATS)) for m in made]
    return found if isinstance(asked.k, list) else found[0]


def _check_exponents(asked: Question) -> None:
    """TooLarge where a power of 2, which some equations compute exactly, has a huge exponent.

    A program may be asked linear gains of labels up to 2^63; no slip makes powers of these.
    """
    choices = asked.choices
    gain = choices.get("gain", {})
    highest = choices.get("max", 0)
    if asked.gain is None and gain.get("kind") != "exp2" and "max" not in choices:
        return
    given = asked.input
    parts = (given.get("labels", ()), given.get("judged", ()), *given.get("queries", ()))
    labels = [abs(x) for part in parts for x in numbers(part) if x is not None]
    if isinstance(highest, (int, float)):
        labels.append(highest)
    if max(labels, default=0) > MOST_EXPONENT:
        raise TooLarge("numbers of thousands of digits")


class _Unnamed:
    """A gain that is none of the package's. It rises with the label."""

    kind = "unnamed"

    def __init__(self, equation: Callable[..., Any]) -> None:
        self.equation = equation

    def of(self, reals: Any) -> Callable[[Any], Any]:
        return lambda label: self.equation(label, reals)

    def is_zero(self, label: Any) -> bool:
        return bool(self.equation(label, FLOATS) == 0)


def measures_with_gain(asked: Question) -> list[Measure]:
    """The measures that are asked, with the gain of the question where it has one."""
    return [_with_gain(m, asked.gain) for m in measures_of(asked.measure)]


def _with_gain(measure: Measure, gain: Callable[..., Any] | None) -> Measure:
    if gain is None or not hasattr(measure, "gain"):
        return measure
    pairs = zip(measure.metric.parameters, measure.choices, strict=True)
    return replace(
        measure, choices=tuple(_Unnamed(gain) if name == "gain" else x for name, x in pairs)
    )


def ranking_of(given: Plain) -> Ranking:
    """The ranking that an input is, its ties resolved by its rule."""
    if "labels" not in given:
        pool = numbers(given["judged"])
        return Ranking.settled(pool, pool)
    labels = numbers(given["labels"])
    if "unjudged" in given:
        labels = [None if flag else x for x, flag in zip(labels, given["unjudged"], strict=True)]
    groups = [[label] for label in labels]
    if "scores" in given:
        groups = _ranked(labels, numbers(given["scores"]), given)
    judged = numbers(given["judged"]) if "judged" in given else labels
    return Ranking(groups, judged)


def _ranked(labels: list[Any], scores: list[Any], given: Plain) -> list[list[Any]]:
    ids = given.get("ids")
    rule = given.get("ties") or ("expected" if ids is None else "id-descending")
    if rule == "expected":
        return [[labels[a] for a in group] for group in tie_groups(scores)]
    return [[labels[a]] for a in order(scores, labels, ids, rule)]


def _session(given: Plain) -> Session:
    queries = [numbers(ranked) for ranked in given["queries"]]
    documents = given.get("documents")
    pool = numbers(given["judged"]) if "judged" in given else own_pool(queries, documents)
    return Session(queries, pool, documents)


def weights(discount: Plain, ranks: Sequence[int]) -> list[float]:
    """A discount at some ranks, in doubles."""
    of = discount_named(discount_of(discount)).of(FLOATS)
    return [float(of(i)) for i in ranks]


# ---- an evaluation as the rankings that it is of ---------------------------------------------


def _rough_evaluation(asked: Question) -> Value:
    by_query = {query: _rough(one) for query, one in rankings_of(asked).items()}
    values = list(by_query.values())
    return {"queries": by_query, "mean": sum(values) / len(values) if values else None}


_OF_LISTS = ("ties", "scores", "unjudged", "negative", "queries", "depth", "pool")
"""The conventions that are a matter of the rankings that they make."""


def rankings_of(asked: Question) -> dict[str, Question]:
    """The query of an evaluation of TREC files, each as a question of a ranking.

    Unanswerable where its conventions are not those of rankings.
    """
    chosen = dict(asked.conventions or {})
    usual = as_text(Conventions())
    usual = {name: x for name, x in usual.items() if name not in _OF_LISTS} | {"grades": None}
    if set(asked.input) != {"qrels", "run"} or any(chosen.get(n, x) != x for n, x in usual.items()):
        raise Unanswerable("no rankings")
    qrels = _lines(asked.input["qrels"], 2, 3)
    run = _lines(asked.input["run"], 2, 4)
    both = {"qrels": list(qrels), "run": list(run), "both": [q for q in qrels if q in run]}
    queries = both.get(chosen.get("queries", "qrels"), both["qrels"])
    return {q: _ranking(asked, qrels.get(q, {}), run.get(q, {}), chosen) for q in queries}


def _lines(text: str, document: int, number_at: int) -> dict[str, dict[bytes, Any]]:
    """{query: {document: number}} of a TREC file; the first of two counts."""
    found: dict[str, dict[bytes, Any]] = {}
    for line in text.removeprefix("\ufeff").split("\n"):
        words = line.encode().split()  # at the blanks of ASCII alone
        if words:
            of_query = found.setdefault(words[0].decode(), {})
            of_query.setdefault(words[document], _decimal(words[number_at]))
    return found


def _decimal(text: bytes) -> Any:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _ranking(
    asked: Question, judged: Mapping[bytes, Any], scores: Mapping[bytes, Any], chosen: Plain
) -> Question:
    least = 0 if chosen.get("negative", "zero") == "zero" else None
    labels = {d: x if least is None or asked.gain else max(x, least) for d, x in judged.items()}
    if chosen.get("negative") == "unjudged":
        labels = {d: x for d, x in labels.items() if x >= 0}
    scores = {d: float(x) for d, x in scores.items()}
    documents = list(scores)
    if chosen.get("unjudged") == "condensed":
        documents = [d for d in documents if d in labels]
    if chosen.get("scores") == "float32":
        scores = {d: struct.unpack("f", struct.pack("f", x))[0] for d, x in scores.items()}
    ties, depth = chosen.get("ties", "id-descending"), chosen.get("depth")
    if depth is not None and ties != "expected":
        found = [labels.get(d, 0) for d in documents]
        placed = order([scores[d] for d in documents], found, documents, ties)
        documents = [documents[a] for a in placed][:depth]
    given = {
        "labels": [labels.get(d, 0) for d in documents],
        "scores": [scores[d] for d in documents],
        "ids": documents,
        "ties": ties,
        "judged": list(labels.values()),
    }
    if chosen.get("pool") == "retrieved":
        given["judged"] = list(given["labels"])
    if metric(metric_name(asked.measure)).sees_unjudged:
        given["unjudged"] = [int(d not in labels) for d in documents]
    return replace(asked, input=given, conventions=None)
