"""Cases of whole evaluations as JSON: files, a measure and all conventions; values and their mean.

The expected values are those of the certified reference. What a flag says of a case is asserted by
evaluating it once more, otherwise: with another value of a convention, with other ids.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from io import BytesIO
from math import isnan
from typing import Any, NamedTuple

from cases import Case, evaluation
from cases.doubles import (
    WORKING,
    Doubles,
    NoPromise,
    Rounded,
    U,
    distance,
    relevance_of,
    rounded,
)
from cases.evaluation import Evaluation
from cases.flags import float32
from cases.plain import plainly
from cases.relations import demand, held

import rankspec as rs
from rankspec import InputError
from rankspec.compute import by_reference
from rankspec.evaluation import profiles, scores_as_labels
from rankspec.evaluation.conventions import (
    LETOR,
    RUNS,
    SESSIONS,
    Conventions,
    as_text,
    conventions_of,
)
from rankspec.evaluation.evaluate import Kept, evaluate_by, judged_by
from rankspec.evaluation.letor import evaluate_rankings
from rankspec.evaluation.measures import chosen_measures, measures_named
from rankspec.evaluation.sessions.evaluate import (
    given_sessions,
    judge_by,
    judgments_of,
    session_measures,
)
from rankspec.evaluation.sessions.judgments import session_conventions
from rankspec.formats.letor import Predictions, feature_of
from rankspec.metrics.measure import Measure
from rankspec.reference.numbers.enclosure import Undecided
from rankspec.reference.numerics import exact_sum, nearest_double

KINDS = {"run": RUNS, "letor": LETOR, "sessions": SESSIONS}
FILES = ("qrels", "run", "letor", "predictions", "group", "sessions", "current", "topics")
Values = dict[str, float]


class Found(NamedTuple):
    """What an evaluation gives: a value for each query that has one; the mean of these, if any."""

    values: Values
    mean: float | None

    @property
    def numbers(self) -> list[float | None]:
        return [*self.values.values(), self.mean]


class Named(BytesIO):
    """An open file that errors call by its name."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text.encode())
        self.name = name


# ---- evaluating ----------------------------------------------------------------------------


def kind_of(case: Evaluation) -> str:
    """What is evaluated: runs, LETOR files, or sessions."""
    return next(kind for name, kind in KINDS.items() if name in case.files)


def by_profile(case: Evaluation, backend: str = "reference") -> Found:
    """The case as it is asked: with its profile and what is given beside it."""
    return _evaluated(case, {**case.conventions, "profile": case.profile}, backend)


def found_of(case: Evaluation, backend: str = "reference", **changes: Any) -> Found:
    """The case with all conventions given one by one, some of these, or of the files, changed."""
    files = {n: changes.pop(n) for n in FILES if n in changes}
    taken = case.with_files({**case.files, **files}) if files else case
    return _evaluated(taken, {**chosen(case), **changes}, backend)


def _evaluated(case: Evaluation, given: Mapping[str, Any], backend: str) -> Found:
    with warnings.catch_warnings():
        # A case may be of ids that do not meet, which rankspec warns of.
        warnings.simplefilter("ignore", rs.InputWarning)
        return _answer(case, given, backend)


def _answer(case: Evaluation, given: Mapping[str, Any], backend: str) -> Found:
    files: dict[str, Any] = {
        name: Named(name, x) if isinstance(x, str) else x for name, x in case.files.items()
    }
    options = {name: x for name, x in given.items() if x is not None}
    if "grades" in options:
        options["grades"] = dict(options["grades"])
    qrels, kind = files.pop("qrels", None), kind_of(case)
    if kind == RUNS:
        result = rs.evaluate(
            qrels, files.pop("run"), case.measure, backend=backend, **files, **options
        )
    elif kind == LETOR:
        result = rs.evaluate_letor(
            files.pop("letor"), case.measure, backend=backend, **files, **options
        )
    else:
        options.pop("profile", None)
        found = rs.evaluate_sessions(
            qrels, files.pop("sessions"), case.measure, backend=backend, **files, **options
        )
        (name,) = map(str, found.measures)
        return _found(found.per_session[name], found.mean[name])
    (name,) = map(str, result.measures)
    return _found(result.per_query[name], result.mean[name])


def _found(values: Mapping[str, float], mean: float) -> Found:
    return Found(dict(values), None if isnan(mean) else mean)


def refusal(case: Evaluation, backend: str = "reference", **changes: Any) -> str | None:
    """Why it is refused; None: it is not."""
    try:
        found_of(case, backend, **changes)
    except InputError as error:
        return str(error)
    return None


# ---- what is chosen ------------------------------------------------------------------------


@cache
def chosen(case: Evaluation) -> Mapping[str, Any]:
    """All conventions of the case's measure, by name; none is left to a default."""
    kind = kind_of(case)
    own = {c.name: case.conventions.get(c.name, c.default) for c in conventions_of(kind)}
    if kind == SESSIONS:
        by_default = "topic" if _has_topics(case) else "session"
        own["judged_by"] = case.conventions.get("judged_by", by_default)
    else:
        own |= {name: x for name, x in _assigned_as_text(case, kind).items() if name in own}
    own.pop("topics", None)
    return own


def _assigned(case: Evaluation, kind: str) -> Conventions:
    """The conventions of the measure: the profile's, and those that are given beside it."""
    of_profile = {n: x for n, x in case.conventions.items() if n != "grades"}
    if kind == LETOR and case.profile is None:
        of_profile.setdefault("ties", "expected")
    profile, assigned = profiles.chosen_conventions(case.profile, of_profile)
    (measure,) = chosen_measures(case.measure, assigned, profile)
    return profile.conventions_of(measure, assigned) if profile else assigned


def _assigned_as_text(case: Evaluation, kind: str) -> dict[str, Any]:
    """The same as text; where they must be refused themselves, as they are given."""
    try:
        return as_text(_assigned(case, kind))
    except InputError:
        of_profile = profiles.profile(case.profile).conventions if case.profile else Conventions()
        by_default = {"ties": "expected"} if kind == LETOR and not case.profile else {}
        return as_text(of_profile) | by_default | case.conventions


def _has_topics(case: Evaluation) -> bool:
    """Whether sessions have topics; no, where their file must be refused."""
    if "topics" in case.files or case.error is not None:
        return "topics" in case.files
    read = rs.read_sessions(Named("sessions", case.files["sessions"]))
    return any(session.topic is not None for session in read)


def measure_meant(case: Evaluation) -> Measure:
    """The measure with all its parameters, as the conventions have them."""
    if kind_of(case) == SESSIONS:
        (measure,) = session_measures(case.measure, {})
        return measure
    given = {n: x for n, x in case.conventions.items() if n != "grades"}
    try:
        _, assigned = profiles.chosen_conventions(case.profile, given)
        (measure,) = measures_named(case.measure, assigned)
    except InputError:  # of a case that must be refused
        (measure,) = measures_named(case.measure, Conventions())
    return measure


def as_case(case: Evaluation) -> Case:
    """The measure of the case, as the other chapters have theirs."""
    measure = measure_meant(case)
    given = {n: getattr(measure, n) for n in measure.metric.parameters}
    if measure.k is not None:
        given["k"] = measure.k
    return Case(case.number, case.why, measure.metric.name, [], given)


# ---- flags ---------------------------------------------------------------------------------


def _reversed(case: Evaluation) -> Found:
    """The value of the files with their lines in the opposite order."""
    turned = {
        name: "\n".join(reversed(text.removesuffix("\n").split("\n"))) + "\n"
        for name, text in case.files.items()
        if name in ("qrels", "run")
    }
    return found_of(case, **turned)


def _renamed(case: Evaluation, key: Callable[[str], Any]) -> Found:
    """The value were the documents in the order of that key."""
    column = {"qrels": 2, "run": 2}
    rows = {name: [line.split() for line in case.files[name].splitlines()] for name in column}
    ids = {row[column[name]] for name, lines in rows.items() for row in lines}
    new = {x: f"d{place:04}" for place, x in enumerate(sorted(ids, key=key))}
    for name, lines in rows.items():
        for row in lines:
            row[column[name]] = new[row[column[name]]]
    files = {name: "".join(" ".join(row) + "\n" for row in lines) for name, lines in rows.items()}
    return found_of(case, **files)


def _float_mean(values: Values) -> float:
    total = 0.0
    for x in values.values():
        total += x
    return total / len(values)


def _scores(case: Evaluation) -> list[str]:
    return [line.split()[4] for line in case.files["run"].splitlines() if line.strip()]


def _ids(x: bytes) -> Callable[[str], Any]:
    return lambda name: name.encode(x.decode())


def _unlike(name: str, value: Any) -> Callable[[Evaluation], bool]:
    def differs(case: Evaluation) -> bool:
        try:
            return found_of(case, **{name: value}) != found_of(case)
        except InputError:
            return True

    return differs


Check = Callable[[Evaluation], Any]


def _of_values() -> dict[str, tuple[str, Check]]:
    """A flag for each value of each convention: with that one the result is another."""
    flags: dict[str, tuple[str, Check]] = {}
    for known in (c for kind in KINDS.values() for c in conventions_of(kind)):
        for value in known.values or ("none",):
            flag = f"unlike-{known.name}-{value}".replace("_", "-")
            own = None if value == "none" else value
            flags[flag] = (
                f"with {known.name} {value} the values are others, or it is refused",
                _unlike(known.name, own),
            )
    return flags


OF_EVALUATIONS: dict[str, tuple[str, Check]] = {
    **_of_values(),
    "mean-not-of-all": (
        "the mean is over fewer queries than have a value",
        lambda c: found_of(c).mean != nearest_double(_exact_mean(found_of(c).values)),
    ),
    "several-queries": ("more than one query has a value", lambda c: len(found_of(c).values) > 1),
    "query-without-value": (
        "a query has no value, and no part in the mean",
        lambda c: len(found_of(c).values) < len(found_of(c, undefined="zero").values),
    ),
    "no-mean": ("no query has a value, and there is no mean", lambda c: not found_of(c).values),
    "value-above-1": (
        "a value exceeds 1, and is not clipped",
        lambda c: max(found_of(c).values.values()) > 1,
    ),
    "mean-in-doubles-differs": (
        "the sum of the values in double precision, divided, is another number than their mean",
        lambda c: _float_mean(found_of(c).values) != found_of(c).mean,
    ),
    "lines-in-any-order": (
        "with the lines in the opposite order the values are the same",
        lambda c: sorted(_reversed(c).values.items()) == sorted(found_of(c).values.items()),
    ),
    "order-of-lines": (
        "with the lines in the opposite order the values are others",
        lambda c: _reversed(c).values != found_of(c).values,
    ),
    "float32-scores-tie": (
        "scores that differ are equal as 32-bit floats",
        lambda c: len({float32(float(x)) for x in _scores(c)}) < len(set(map(float, _scores(c)))),
    ),
    "scores-of-one-double": (
        "scores that are written differently are one double, and tied",
        lambda c: len(set(map(float, _scores(c)))) < len(set(_scores(c))),
    ),
    "scores-as-text": (
        "compared as text, the scores would be in another order",
        lambda c: sorted(_scores(c)) != sorted(_scores(c), key=float),
    ),
    "ids-not-as-numbers": (
        "were the ids compared as numbers, the values would be others",
        lambda c: _renamed(c, int) != found_of(c),
    ),
    "ids-not-as-utf-16": (
        "were the ids compared in UTF-16, the values would be others",
        lambda c: _renamed(c, _ids(b"utf-16-be")) != found_of(c),
    ),
    "ids-not-case-folded": (
        "were the ids compared without their case, the values would be others",
        lambda c: _renamed(c, str.casefold) != found_of(c),
    ),
    "crlf": ("lines end with CR LF", lambda c: any("\r\n" in x for x in c.texts)),
    "tabs": ("columns are divided by tabs", lambda c: any("\t" in x for x in c.texts)),
    "blanks": (
        "columns are divided by several blanks, or lines begin with some",
        lambda c: any("  " in x or x.startswith(" ") or "\n " in x for x in c.texts),
    ),
    "blank-lines": (
        "there are lines of blanks alone",
        lambda c: any("\n\n" in x or "\n  \r\n" in x for x in c.texts),
    ),
    "no-last-line-end": (
        "the last line has no end",
        lambda c: any(not x.endswith("\n") for x in c.texts),
    ),
    "byte-order-mark": (
        "a file begins with a byte order mark of UTF-8",
        lambda c: any(x.startswith("\ufeff") for x in c.texts),
    ),
    "profile-of-this-measure": (
        "the profile has other conventions for this measure than for most",
        lambda c: _assigned(c, RUNS) != profiles.chosen_conventions(c.profile, c.conventions)[1],
    ),
    "no-model-of-errors": (
        "of what doubles may be off by there is no bound here: the value is 0, as an extreme or "
        "by numbers that cancel, or doubles may see another order of two numbers",
        lambda c: of_doubles(c) is None,
    ),
    "to-be-refused": ("the input must be refused", lambda c: c.error is not None),
}


# ---- a case as JSON ------------------------------------------------------------------------


def as_json(
    case: Evaluation, measure_of: Callable[[Case], Any], written: Callable[..., Any]
) -> dict[str, Any]:
    """The case with its expected values, after every flag and law has been asserted.

    measure_of, written: a measure and a value as JSON
    """
    name = f"evaluation-{case.number:04}"
    for flag in case.flags:
        text, check = OF_EVALUATIONS[flag]
        demand(check(case), f"{name}: not so: {text}")
    laws = [
        held(name, x, found_of(case).numbers, found_of(case_named(x.case)).numbers)
        for x in case.laws
    ]
    expected = expected_of(case, written)
    found: dict[str, Any] = {
        "id": name,
        "why": case.why,
        "spec": spec_of(case),
        **({"laws": laws} if laws else {}),
        "flags": list(case.flags),
        "requires": [],
        "profiles": [],
        "measure": measure_of(as_case(case)),
        "profile": case.profile,
        "conventions": conventions_as_json(case),
        "input": dict(case.files),
        "expected": expected,
    }
    if case.error is None:
        found["max_ulp"] = of_doubles(case)
        found["flags"] += ["no-model-of-errors"] * (found["max_ulp"] is None)
    return found


# ---- what doubles can promise --------------------------------------------------------------


def of_doubles(case: Evaluation) -> int | None:
    """How many doubles from the expected ones the values and the mean may be; None: any number."""
    with plainly():
        return _of_doubles(case)


def _of_doubles(case: Evaluation) -> int | None:
    if case.conventions.get("results", "double") != "double":
        return 0  # what is rounded so coarsely is one double
    found = found_of(case)
    try:
        with plainly():
            values = _extremes(case) if _is_of_extremes(case) else _values(case)
        far = [distance(x, y) for x, y in zip(values, found.values.values(), strict=True)]
        if found.mean is not None:
            far.append(distance(sum(values, rounded(0)) / len(values), found.mean))
    except (NoPromise, Undecided):
        return None
    return max(far, default=0)


def _is_of_extremes(case: Evaluation) -> bool:
    return case.conventions.get("unjudged") in ("lowest", "highest")


def _extremes(case: Evaluation) -> list[Rounded]:
    """The extremes over judgments: each has twice the greatest error of the judged lists compared.

    Twice, as an implementation may compare more of them than the reference does.
    """
    errors, evaluated = [], by_reference.value_by_reference

    def watched(measure: Any, batch: Any, a: int) -> float:
        errors.append(rounded(measure.value(batch.ranking(a), Doubles())).error)
        return evaluated(measure, batch, a)

    by_reference.value_by_reference = watched
    try:
        values = found_of(case).values.values()
    finally:
        by_reference.value_by_reference = evaluated
    if not errors:
        raise NoPromise("nothing was compared")
    error = 2 * max(errors)
    return [Rounded(WORKING.exact(Fraction(x)), error + abs(Fraction(x)) * U) for x in values]


def _values(case: Evaluation) -> list[Rounded]:
    rankings, measure = rankings_of(case), measure_meant(case)
    return [_rounded(measure, rankings[query], x) for query, x in found_of(case).values.items()]


def _rounded(measure: Measure, ranking: Any, expected: float) -> Rounded:
    """The value of a ranking with what it may be off by in doubles."""
    if measure.metric.of_sessions:
        return rounded(measure.value(ranking, Doubles()))
    relevance = relevance_of(measure, ranking)
    value = rounded(measure.value(ranking, Doubles(relevance)))
    instead = value.exact == 0 and expected == 1  # undefined, and 1 by convention
    return rounded(1) if instead else value


def rankings_of(case: Evaluation) -> dict[str, Any]:
    """The ranking, or the session, of each query of a case."""
    files: dict[str, Any] = {
        name: Named(name, x) if isinstance(x, str) else x for name, x in case.files.items()
    }
    if kind_of(case) == SESSIONS:
        return _sessions_of(case, files)
    kept: Kept = []
    assigned = _assigned(case, kind_of(case))
    measures = (measure_meant(case),)
    if kind_of(case) == LETOR:
        ranking = (
            feature_of(files["feature"])
            if "feature" in files
            else Predictions(files["predictions"])
        )
        evaluate_rankings(
            assigned, None, files["letor"], files.get("group"), {"": ranking}, measures,
            backend="reference", kept={"": kept},
        )  # fmt: skip
    else:
        grades = dict(case.conventions["grades"]) if "grades" in case.conventions else None
        judged, how = judged_by(files["qrels"], assigned, files.get("topics"), grades)
        evaluate_by(assigned, None, judged, files["run"], measures, "reference", None, how, kept)
    found: dict[str, Any] = {}
    for _, ranked in kept:
        batch = scores_as_labels.batch_of(measures[0], ranked)
        found |= {query: batch.ranking(a) for a, query in enumerate(ranked.queries)}
    return found


def _sessions_of(case: Evaluation, files: dict[str, Any]) -> dict[str, Any]:
    own = dict(chosen(case))
    given, unnamed = given_sessions(
        files["sessions"], files.get("topics"), files.get("current"), own.pop("order")
    )
    grades = own.pop("grades")
    conventions = session_conventions(given, grades=grades and dict(grades), **own)
    judged = judge_by(conventions, judgments_of(files["qrels"]), given, unnamed)
    return {x.id: judged.batch.ranking(a) for a, x in enumerate(judged.sessions)}


def conventions_as_json(case: Evaluation) -> dict[str, Any]:
    """All conventions; grades as pairs of labels."""
    own = dict(chosen(case))
    if own.get("grades") is not None:
        own["grades"] = [list(pair) for pair in own["grades"]]
    return own


def spec_of(case: Evaluation) -> list[str]:
    """The IDs of the measure, of the conventions that the case turns on, and what it is about."""
    ids = [measure_meant(case).metric.spec]
    own, kind = chosen(case), kind_of(case)
    if case.error is None:
        for known in conventions_of(kind):
            turns = any(flag.startswith(_flags_of(known.name)) for flag in case.flags)
            if known.name in own and turns:
                ids.append(known.spec_of(own[known.name]))
        ids += ["RS-CONV-18"] if case.profile else []
        ids += ["RS-NUM-5"] if len(found_of(case).values) > 1 else []
    return list(dict.fromkeys([*ids, *case.spec, *(relation.law for relation in case.laws)]))


def _flags_of(name: str) -> str:
    return f"unlike-{name}-".replace("_", "-")


@cache
def case_named(name: str) -> Evaluation:
    """The case "evaluation-0012"."""
    number = int(name.removeprefix("evaluation-"))
    parts = (*evaluation.REQUIRED, *evaluation.OPTIONAL)
    found: list[Any] = [x for group in parts for x in group.cases if x.number == number]
    demand(found, f"there is no case {name}")
    taken: Evaluation = found[0]
    return taken


def expected_of(case: Evaluation, written: Callable[..., Any]) -> dict[str, Any]:
    """A value for each query and the mean, or what is refused."""
    if case.error is not None:
        return _refused(case)
    found = found_of(case)
    asked = by_profile(case)
    demand(asked == found, f"{case.number}: its conventions are not those of its profile")
    values = found.values.values()
    of_all = chosen(case).get("results", "double") == "double"
    if not values or not of_all or "mean-not-of-all" in case.flags:
        mean = None
    else:
        mean = _exact_mean(found.values)
    return {
        "queries": {query: written(x, None) for query, x in found.values.items()},
        "mean": None if found.mean is None else written(found.mean, mean),
    }


def _exact_mean(values: Values) -> Fraction:
    return Fraction(exact_sum(list(values.values()))) / len(values)


def _refused(case: Evaluation) -> dict[str, Any]:
    """What is refused, once it has been: the file with its line, or a convention or the measure."""
    what, _, line = str(case.error).partition(":")
    words = f"{what}:{line}: " if line else _WORDS.get(what, what)
    try:
        by_profile(case)
    except InputError as error:
        demand(words in str(error), f"{case.number}: refused for another reason: {error}")
        return {"error": what, **({"line": int(line)} if line else {}), "message": str(error)}
    raise AssertionError(f"not refused: {case}")


_WORDS = {"measure": 'measure "', "queries": "(RS-CONV-9)", "qrels": "qrels", "run": "run: "}
