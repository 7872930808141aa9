"""Why cases fail: the slip whose values a program gives, and the smallest input that shows it.

A value that is always the same is said first. Then, of the slips (one, or two at once), the one
counts that gives what was got in most failures, of all metrics that do not contradict it; the rest
is explained by the next.
Then the program is asked smaller inputs, with the certified reference as the oracle, as long as
they fail in the same way. Spec: RS-CONF-10.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from time import monotonic, process_time
from typing import Any, TypeAlias

from ...errors import InputError
from ..cases import VECTORS
from .cases import Case
from .judge import Grade, doubles_of
from .protocol import Answer
from .questions import Question, TooLarge, knows, measures_of, question_of, value
from .run import Outcome
from .slips import LARGEST, Slip, given_by, size_of, slips

MOST_CASES = 40  # of a metric, that slips are looked for in
MOST_CONTROLS = 40  # cases that pass, which a slip must not contradict
MOST_PAIRED = 6  # metrics, that pairs of slips are looked for in
MOST_ALSO = 12  # slips that give the same
LEAST_SHARE = 0.75  # of the cases that a slip applies to, which it must give
LEAST_OF_FAILURES = 0.5  # of the failures that a slip would change, which it must give
LEAST_CASES = 3  # that are no chance
LEAST_CONSTANT = 6  # answers that are the same, which are no chance
DEATHS = ("crashed", "timeout")
MOVED = 1e-7  # how far a value must move, relatively, to be that of another definition
BARELY_MOVED = 1e-14  # the same, of a slip that has been found in other cases
PRECISE = 1e-6  # the relative error below which arithmetic is but less precise
MOST_ULP = 256  # of values that are right but for the last digits
MOST_ENTRIES = 5  # to read
MOST_ASKED = 150  # smaller inputs for one finding
SECONDS_OF_SLIPS = 60.0  # of the processor, for all slips that are tried
SECONDS = 10.0  # for all smaller inputs
SECONDS_OF_DEATHS = 20.0  # the same, of what a program dies of
MOST_DEATHS = 2  # of smaller inputs, of a finding whose inputs it answers
MOST_RESTARTS = 15  # the same, of a finding whose inputs it dies of
FAR_SMALLER = 4  # items, from which on half of them are taken away


@dataclass(frozen=True)
class Example:
    """An input that fails: a case of the vectors, or one that has been made of it.

    id: of the case; shrunk: whether it is smaller than that
    measure: as it is written; asked: the question; expected, got: values; said: what came, in words
    """

    id: str
    shrunk: bool
    measure: str
    asked: Question
    expected: Any
    got: Any
    said: str = ""


@dataclass(frozen=True)
class Finding:
    """What is wrong with some cases that fail, and why.

    what: in words; slips: the names of the slips whose values these are
    spec: the entries to read; outcomes: the cases
    also: slips that give the same values
    """

    what: str
    slips: tuple[Slip, ...]
    spec: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    also: tuple[str, ...] = ()
    example: Example | None = None


@dataclass
class Search:
    """A search for slips: how values are compared, what it may take, and what it left out.

    seconds: of the processor; after them no slip is tried
    too_large: how many questions had numbers of thousands of digits, and were not evaluated
    late: how many slips were not tried on the failures of a metric, as the time was over
    """

    by: Grade
    seconds: float = SECONDS_OF_SLIPS
    too_large: int = 0
    late: int = 0
    _begin: float = field(default_factory=process_time)

    @property
    def is_over(self) -> bool:
        return process_time() - self._begin > self.seconds

    def given_by(self, tried: Sequence[Slip], asked: Question) -> Any:
        """Return what slips give for a question.

        None: they do not apply to it, it is too large, or the time is over.
        """
        if self.is_over:
            return None
        try:
            return given_by(tried, asked)
        except TooLarge:
            self.too_large += 1
            return None

    def left_out(self) -> str:
        """Return in words all that was not tried; "" if nothing was left out."""
        parts = []
        if self.too_large:
            s = "s" * (self.too_large != 1)
            parts.append(f"{self.too_large} value{s} of slips with numbers of thousands of digits")
        if self.late:
            s = "s" * (self.late != 1)
            parts.append(
                f"{self.late} slip{s} on the failures of a metric, after {self.seconds:g} seconds "
                "of the processor"
            )
        return ", and ".join(parts)


def diagnose(
    outcomes: Sequence[Outcome],
    failures: Sequence[Outcome],
    by: Grade,
    ask: Callable[[Case], Answer] | None = None,
    search: Search | None = None,
) -> list[Finding]:
    """Return what explains the failures, that which explains most of them first.

    ask: the program, which is asked smaller inputs; None: it is not
    search: the search for slips, which counts what it leaves out
    """
    search = Search(by) if search is None else search
    of_value = [x for x in failures if x.answer.kind == "value" and not x.case.refused]
    found = _constant(outcomes, of_value)
    always = _ids(found)
    of_value = [x for x in of_value if x.case.id not in always]
    found += _merged(_explained(outcomes, of_value, search))
    explained = _ids(found)
    rest = [x for x in failures if x.case.id not in explained]
    found += _unexplained(rest)
    found.sort(key=_urgency)
    deaths = [finding for finding in found if _has_died(finding)]
    others = found[len(deaths) :]
    return [
        _with_example(finding, by, ask, deadline)
        for of, seconds in ((deaths, SECONDS_OF_DEATHS), (others, SECONDS))
        for deadline in [monotonic() + seconds]
        for finding in of
    ]


def _ids(findings: Iterable[Finding]) -> set[str]:
    return {x.case.id for finding in findings for x in finding.outcomes}


def _urgency(finding: Finding) -> tuple[bool, int]:
    """What dies comes first, then what most cases have."""
    return not _has_died(finding), -len(finding.outcomes)


def _has_died(finding: Finding) -> bool:
    return any(x.answer.kind in DEATHS for x in finding.outcomes)


def explained_by(case: Case, got: Any, by: Grade) -> list[Slip]:
    """The slips, one at a time, that give what was got for a case."""
    asked, expected = question_of(case), doubles_of(case)
    search = Search(by)
    return [slip for slip in slips() if _gives((slip,), asked, expected, got, search)]


# ---- which slips -----------------------------------------------------------------------------


def _constant(outcomes: Sequence[Outcome], failures: Sequence[Outcome]) -> list[Finding]:
    """Findings of metrics whose values are all the same, and should not be."""
    answered: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.answer.kind == "value" and not outcome.case.refused:
            answered.setdefault(_subject(outcome.case), []).append(outcome)
    same = {name: text for name, of in answered.items() if (text := _always(of)) is not None}
    groups: dict[str, list[Outcome]] = {}
    for outcome in failures:
        text = same.get(_subject(outcome.case))
        if text is not None:
            groups.setdefault(f"it always gives {text}, whatever is asked", []).append(outcome)
    return [_without_slip(what, of) for what, of in groups.items()]


def _always(outcomes: Sequence[Outcome]) -> str | None:
    """The one number that all answers have; None: there are several, or one is right."""
    got = {repr(x) for outcome in outcomes for x in flat(outcome.answer.value) or [math.nan, 0.0]}
    right = {repr(x) for outcome in outcomes for x in flat(doubles_of(outcome.case)) or ()}
    several = len(outcomes) >= LEAST_CONSTANT and len(right) > 2
    return next(iter(got)) if len(got) == 1 and several else None


@dataclass
class _Group:
    """The failures of a metric: left, those that nothing explains yet; how many there were."""

    left: list[Outcome]
    controls: list[Outcome]
    many: int


def _explained(
    outcomes: Sequence[Outcome], failures: Sequence[Outcome], search: Search
) -> Iterator[Finding]:
    by_metric: dict[str, list[Outcome]] = {}
    for outcome in failures:
        by_metric.setdefault(_subject(outcome.case), []).append(outcome)
    passes: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.verdict.status == "pass" and outcome.answer.kind == "value":
            passes.setdefault(_subject(outcome.case), []).append(outcome)
    groups = [
        _Group(failed, _smallest(passes.get(name, ()), MOST_CONTROLS), len(failed))
        for name, failed in by_metric.items()
    ]
    yield from _each_best([(slip,) for slip in slips()], groups, search)
    for group in [x for x in groups if len(x.left) >= LEAST_CASES][:MOST_PAIRED]:
        yield from _each_best(_pairs(group.left, search), [group], search)


def _each_best(
    candidates: Sequence[tuple[Slip, ...]], groups: Sequence[_Group], search: Search
) -> Iterator[Finding]:
    """Findings, that which explains most first, as long as there is one."""
    scored = {id(group): _scored(candidates, group, search) for group in groups}
    while True:
        totals: dict[int, list[int]] = {}
        for of_group in scored.values():
            for place, against, given in of_group:
                total = totals.setdefault(place, [0, 0])
                total[0] -= len(given)
                total[1] += against
        chosen = [
            (*total, place)
            for place, total in totals.items()
            if not _is_chance(-total[0], len(candidates[place]), place, groups, scored)
        ]
        if not chosen:
            return
        place = min(chosen)[-1]
        for group in groups:
            mine = next((x for x in scored[id(group)] if x[0] == place), None)
            if mine is not None:
                yield _found(candidates, mine, scored[id(group)], group, search)
                scored[id(group)] = _scored(candidates, group, search)


def _is_chance(
    total: int,
    slips_at_once: int,
    place: int,
    groups: Sequence[_Group],
    scored: dict[int, list[_Score]],
) -> bool:
    """Whether a slip gives so few values of many that it may be by chance."""
    if total >= LEAST_CASES:
        return False
    if slips_at_once > 1:
        return True
    for group in groups:
        for number, _, given in scored[id(group)]:
            if number == place and (2 * len(given) >= group.many or _is_odd(given)):
                return False
    return True


def _is_odd(given: Sequence[Outcome]) -> bool:
    """Whether a value that was got is no finite number, or has other queries: never by chance."""
    values = [(doubles_of(x.case), x.answer.value) for x in given]
    return any(
        _has_other_queries(expected, got) or not all(map(math.isfinite, flat(got) or ()))
        for expected, got in values
    )


def _has_other_queries(expected: Any, got: Any) -> bool:
    if not isinstance(expected, dict) or not isinstance(got, dict) or got["queries"] is None:
        return False
    return set(got["queries"]) != set(expected["queries"])


def _subject(case: Case) -> str:
    """What a case is about: a metric, or a bound of one."""
    return f"{case.name}({case.measure['of']['name']})" if "of" in case.measure else case.name


def _smallest(outcomes: Iterable[Outcome], most: int) -> list[Outcome]:
    return sorted(outcomes, key=lambda x: (_size(x.case), x.case.id))[:most]


def _size(case: Case) -> int:
    return size_of(question_of(case))


_Score: TypeAlias = tuple[int, int, list[Outcome]]
"""The place of a candidate, how many cases contradict it, and the cases that it gives."""


def _scored(candidates: Sequence[tuple[Slip, ...]], group: _Group, search: Search) -> list[_Score]:
    """The candidates that give some failures, and are not contradicted by too many cases."""
    sample = _smallest(group.left, MOST_CASES)
    scored = []
    for place, tried in enumerate(candidates):
        given = [x for x in sample if _gives_it(tried, x, search)]
        if search.is_over:  # what would contradict it may not have been seen
            search.late += len(candidates) - place
            break
        if not given:
            continue
        ids = {x.case.id for x in given}
        others = [x for x in sample if x.case.id not in ids]
        failing = _contradicted(tried, given, others, search)
        against = _contradicted(tried, given, group.controls, search)
        if against > (1 - LEAST_SHARE) * (against + len(given)):
            continue
        if failing <= (1 - LEAST_OF_FAILURES) * (failing + len(given)):
            scored.append((place, against, given))
    return scored


def _found(
    candidates: Sequence[tuple[Slip, ...]],
    best: _Score,
    scored: Sequence[_Score],
    group: _Group,
    search: Search,
) -> Finding:
    """The finding of the failures of a metric that a candidate explains, which are taken away."""
    place, against, given = best
    tried = candidates[place]
    ids = {x.case.id for x in given}
    explained = [
        x for x in group.left if x.case.id in ids or _gives_it(tried, x, search, BARELY_MOVED)
    ]
    same = [
        _name(candidates[other])
        for other, n, of in scored
        if other != place and n == against and {x.case.id for x in of} == ids
    ]
    words = _name(tried)
    also = [name for name in dict.fromkeys(same) if name != words]
    spec = tuple(dict.fromkeys(x for slip in tried for x in slip.spec))
    group.left = [x for x in group.left if x not in explained]
    what = f"got is what {words} gives"
    return Finding(what, tuple(tried), spec, tuple(explained), tuple(also[:MOST_ALSO]))


def _gives_it(
    tried: Sequence[Slip], outcome: Outcome, search: Search, least: float = MOVED
) -> bool:
    case = outcome.case
    return _gives(tried, question_of(case), doubles_of(case), outcome.answer.value, search, least)


def _contradicted(
    tried: Sequence[Slip], given: Sequence[Outcome], controls: Sequence[Outcome], search: Search
) -> int:
    """In how many other cases the slips would change something, and so are contradicted.

    given: the cases that they explain. What none of these asks may be right.
    """
    asked = {_asked(tried, x.case) for x in given}
    against = 0
    for outcome in controls:
        if _asked(tried, outcome.case) not in asked:
            continue
        found = search.given_by(tried, question_of(outcome.case))
        right = doubles_of(outcome.case)
        if found is not None and _moved(found, right, _rounding(tried), search.by):
            against += 1
    return against


def _asked(tried: Sequence[Slip], case: Case) -> tuple[Any, ...]:
    return tuple(slip.asked(question_of(case)) for slip in tried)


def _rounding(tried: Sequence[Slip]) -> bool:
    return any(slip.rounds for slip in tried)


def _gives(
    tried: Sequence[Slip],
    asked: Question,
    expected: Any,
    got: Any,
    search: Search,
    least: float = MOVED,
) -> bool:
    """Whether slips give what was got, and not what is expected."""
    if expected is None or size_of(asked) > LARGEST:
        return False
    found, expected = as_told(search.given_by(tried, asked), got), as_told(expected, got)
    if found is None or not _moved(found, expected, _rounding(tried), search.by, least):
        return False
    ours, theirs, right = flat(found), flat(got), flat(expected)
    if ours is None or theirs is None or right is None or len(ours) != len(theirs):
        return False
    if isinstance(found, dict) and set(found["queries"] or ()) != set(got["queries"] or ()):
        return False
    if len(right) != len(theirs):
        right = [math.nan] * len(theirs)
    return all(_same(a, b, c, search.by) for a, b, c in zip(ours, theirs, right, strict=True))


def _same(ours: float, theirs: float, right: float, by: Grade) -> bool:
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    if ours == theirs:
        return True
    if not (math.isfinite(ours) and math.isfinite(theirs)):
        return False
    off = abs(theirs - right) if math.isfinite(right) else math.inf
    printed = 0.5 * 10.0**-by.n * (1 + 1e-9) if by.kind == "digits" else 0.0
    near = max(4 * math.ulp(theirs), min(1e-9 * max(abs(theirs), 1e-300), off / 100))
    return abs(ours - theirs) <= max(near, printed)


def _moved(found: Any, expected: Any, rounds: bool, by: Grade, by_least: float = MOVED) -> bool:
    """Whether values differ from those expected by more than rounding does."""
    ours, right = flat(found), flat(expected)
    if ours is None or right is None or len(ours) != len(right):
        return True
    least = 0.0 if rounds else by_least
    printed = 10.0**-by.n if by.kind == "digits" else 0.0
    return any(
        math.isnan(a) != math.isnan(b) or abs(a - b) > max(least * abs(b), printed)
        for a, b in zip(ours, right, strict=True)
    )


def flat(x: Any) -> list[float] | None:
    """The numbers of a value, in one list; NaN where there is none."""
    if isinstance(x, dict):
        queries = x.get("queries") or {}
        parts = [*(queries[q] for q in sorted(queries)), x.get("mean")]
    else:
        parts = x if isinstance(x, list) else [x]
    numbers = [math.nan if part is None else part for part in parts]
    return numbers if all(isinstance(part, float) for part in numbers) else None


def as_told(x: Any, got: Any) -> Any:
    """The value of an evaluation, of which a program may tell the mean alone."""
    if isinstance(x, dict) and isinstance(got, dict) and got["queries"] is None:
        return {**x, "queries": None}
    return x


def _pairs(failed: Sequence[Outcome], search: Search) -> list[tuple[Slip, ...]]:
    """The pairs of slips that give what was got in most of a few failures."""
    small = [x for x in _smallest(failed, MOST_CASES) if _size(x.case) <= LARGEST]
    few = list({i: small[i * len(small) // 3] for i in range(3)}.values()) if small else []
    few = list({x.case.id: x for x in few}.values())
    found: list[tuple[Slip, ...]] = []
    applying = [
        slip
        for slip in slips()
        if any(search.given_by((slip,), question_of(x.case)) is not None for x in few)
    ]
    for pair in combinations(applying, 2):
        if _rounding(pair) or any(slip.is_plain for slip in pair):
            continue
        hits = sum(_gives_it(pair, x, search) for x in few)
        alone = max(sum(_gives_it((slip,), x, search) for x in few) for slip in pair)
        if hits >= max(2, len(few) - 1) and hits > alone:
            found.append(pair)
    return found


def _merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of several metrics by the same slips, in one."""
    found: dict[str, Finding] = {}
    for finding in findings:
        before = found.get(finding.what)
        if before is not None:
            both = (*before.outcomes, *finding.outcomes)
            also = tuple(x for x in before.also if x in finding.also)
            found[finding.what] = replace(before, outcomes=both, also=also)
        else:
            found[finding.what] = finding
    return _absorbed(sorted(found.values(), key=lambda finding: -len(finding.outcomes)))


def _absorbed(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, the larger first, without those that a larger one explains as well."""
    kept: list[Finding] = []
    for finding in findings:
        names = {_name(larger.slips): place for place, larger in enumerate(kept)}
        place = next((names[name] for name in finding.also if name in names), None)
        if place is None:
            kept.append(finding)
        else:
            larger = kept[place]
            kept[place] = replace(larger, outcomes=(*larger.outcomes, *finding.outcomes))
    return kept


def _name(tried: Sequence[Slip]) -> str:
    return " and ".join(slip.name for slip in tried)


# ---- what no slip explains -------------------------------------------------------------------


def _unexplained(rest: Sequence[Outcome]) -> list[Finding]:
    """Findings of what is no value, or none that a slip gives."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in rest:
        groups.setdefault(_kind(outcome), []).append(outcome)
    return [_without_slip(_in_words(what, of), of) for what, of in groups.items()]


def _without_slip(what: str, outcomes: Sequence[Outcome]) -> Finding:
    spec = tuple(dict.fromkeys(x for y in _smallest(outcomes, 1) for x in y.case.spec))
    return Finding(what, (), spec[:4], tuple(outcomes))


def _in_words(kind: str, outcomes: Sequence[Outcome]) -> str:
    """What is wrong, with the greatest error where it is of the last digits."""
    if kind != LAST_DIGITS:
        return kind
    pairs = ((x.answer.value, as_told(doubles_of(x.case), x.answer.value)) for x in outcomes)
    n = max(_ulps(flat(got), flat(right)) or 0 for got, right in pairs)
    return f"it is right to within {n} ulp: arithmetic in doubles, not correctly rounded"


def _kind(outcome: Outcome) -> str:
    """What is wrong, in words that several cases share."""
    case, answer, verdict = outcome.case, outcome.answer, outcome.verdict
    words = {
        "crashed": "it died",
        "timeout": "it gave no answer in time",
        "refused": "it refuses a valid input",
    }
    if verdict.status in words:
        return words[verdict.status]
    if case.refused:
        return "it takes an input that must be refused"
    if answer.kind in ("error", "nonsense"):
        named = {"error": "it answers with an error", "nonsense": "its answer is none"}
        return named[answer.kind]
    return _kind_of_value(case, answer.value)


LAST_DIGITS = "last digits"


def _kind_of_value(case: Case, found: Any) -> str:
    got, right = flat(found), flat(as_told(doubles_of(case), found))
    if got and any(map(math.isnan, got)) and right and not any(map(math.isnan, right)):
        return f"it gives NaN, of {_subject(case)}"
    if _ulps(got, right) is not None:
        return LAST_DIGITS
    digits = _right_digits(got, right)
    if digits is not None:
        return f"it is right to {digits} digits or so: its arithmetic is less precise than doubles"
    return f"no known slip gives what it gives, of {_subject(case)}"


def _ulps(got: Any, right: Any) -> int | None:
    """The greatest error in ulp, where it is of the last digits."""
    if not got or not right or len(got) != len(right):
        return None
    if not all(a == b or math.isfinite(a - b) for a, b in zip(got, right, strict=True)):
        return None
    errors = [abs(a - b) / math.ulp(b) for a, b in zip(got, right, strict=True) if a != b]
    most = max(errors, default=math.inf)
    return math.ceil(most) if most <= MOST_ULP else None


def _right_digits(got: Any, right: Any) -> str | None:
    """To how many digits values are right, where these are many but not enough."""
    if not got or not right or len(got) != len(right):
        return None
    errors = [abs(a - b) / abs(b) for a, b in zip(got, right, strict=True) if b and a != b]
    if len(errors) == 0 or not all(error < PRECISE for error in errors):
        return None
    if any(a != b and not b for a, b in zip(got, right, strict=True)):
        return None
    found = math.floor(-math.log10(max(errors)))
    return "6 to 8" if found <= 8 else "9 to 12" if found <= 12 else "13 to 16"


# ---- the smallest input ----------------------------------------------------------------------


def _with_example(
    finding: Finding, by: Grade, ask: Callable[[Case], Answer] | None, deadline: float
) -> Finding:
    """The finding with its smallest case, shrunk where the program can be asked."""
    [smallest] = _smallest(finding.outcomes, 1)
    case, answer = smallest.case, smallest.answer
    found, got = case, answer
    can_shrink = answer.kind in ("value", *DEATHS) and not case.refused and knows(case.measure)
    if ask is not None and can_shrink:
        found, got = _shrunk(finding, case, answer, by, ask, deadline)
    expected = None if case.refused else doubles_of(found)
    said = {"value": ""}.get(got.kind, got.reason if found is not case else smallest.verdict.why)
    measure = _written(found)
    asked = question_of(found)
    made = Example(case.id, found is not case, measure, asked, expected, got.value, said)
    return replace(finding, spec=_to_read(finding, case), example=made)


def _to_read(finding: Finding, case: Case) -> tuple[str, ...]:
    """The entries of the slips, and what the case has of their families."""
    families = {entry.rpartition("-")[0] for entry in finding.spec}
    asked = (re.split("[/(]", x)[0] for x in case.spec if x.rpartition("-")[0] in families)
    return tuple(dict.fromkeys((*finding.spec, *asked)))[:MOST_ENTRIES]


def _written(case: Case) -> str:
    """The measure of a case as it is written, where there is one."""
    try:
        text = ", ".join(map(str, measures_of(case.measure))) if knows(case.measure) else case.name
        return text.replace(VECTORS.get(case.name, case.name), case.name)
    except (InputError, ValueError, TypeError, LookupError):
        return case.name


def _shrunk(
    finding: Finding,
    case: Case,
    answer: Answer,
    by: Grade,
    ask: Callable[[Case], Answer],
    deadline: float,
) -> tuple[Case, Answer]:
    """The smallest case made of one that fails in the same way, and the answer to it."""
    asked = died = 0
    may_die = MOST_RESTARTS if answer.kind in DEATHS else MOST_DEATHS
    again = True
    while again and asked < MOST_ASKED:
        again = False
        for smaller in _smaller(question_of(case)):
            if asked >= MOST_ASKED or died >= may_die or monotonic() > deadline:
                return case, answer
            made = _made(case, smaller, asked)
            if made is None:
                continue
            asked += 1
            got = ask(made)
            died += got.kind in DEATHS
            if _fails_as(finding, answer, made, got, by):
                case, answer, again = made, got, True
                break
    return case, answer


def _fails_as(finding: Finding, before: Answer, case: Case, got: Answer, by: Grade) -> bool:
    """Whether a smaller case fails in the same way."""
    if got.kind != before.kind:
        return False
    if got.kind in DEATHS:
        return _how(got) == _how(before)
    return _fails_alike(finding, case, got.value, by)


def _how(death: Answer) -> str:
    """How a program died, without what it said."""
    return death.reason.partition(";")[0]


def _made(case: Case, asked: Question, number: int) -> Case | None:
    """A case that no file has, its value certified; None: the input must be refused."""
    try:
        certified = value(asked)
    except (InputError, ValueError, TypeError, LookupError):
        return None
    name = f"{case.id.partition('/')[0]}/{number + 1}"
    return replace(
        case,
        id=name,
        measure=asked.measure,
        input=asked.input,
        conventions=asked.conventions,
        expected=_as_expected(certified),
    )


def _as_expected(x: Any) -> Any:
    if isinstance(x, dict):
        queries = {query: _as_expected(part) for query, part in x["queries"].items()}
        return {"queries": queries, "mean": _as_expected(x["mean"])}
    if isinstance(x, list):
        return [_as_expected(part) for part in x]
    return None if x is None else {"hex": x.hex()}


def _fails_alike(finding: Finding, case: Case, got: Any, by: Grade) -> bool:
    expected = as_told(doubles_of(case), got)
    if finding.slips:
        return _gives(finding.slips, question_of(case), expected, got, Search(by))
    if flat(got) is None or not _moved(got, expected, False, by):
        return False
    [smallest] = _smallest(finding.outcomes, 1)
    if finding.what.startswith("it always"):
        return set(flat(got) or ()) == set(flat(smallest.answer.value) or ())
    return _kind_of_value(case, got) == _kind_of_value(smallest.case, smallest.answer.value)


def _smaller(asked: Question) -> Iterator[Question]:
    """Questions that are a little smaller, those that take most away first."""
    if asked.conventions is not None:
        yield from _fewer_lines(asked)
        return
    if isinstance(asked.k, list):
        for k in asked.k if len(asked.k) > 1 else ():
            yield asked.with_measure(k=[k])
    if "queries" in asked.input:
        yield from _fewer_queries(asked)
    yield from _half_of_items(asked)
    for i in range(len(asked.input.get("labels", ()))):
        yield from _without_items(asked, i, i + 1)
    yield from _smaller_pools(asked)
    yield from _lower_labels(asked)
    if isinstance(asked.k, int) and asked.k > 1:
        for k in dict.fromkeys((1, asked.k // 2, asked.k - 1)):
            yield asked.with_measure(k=k)


def _smaller_pools(asked: Question) -> Iterator[Question]:
    given = asked.input
    for j in range(len(given.get("judged", ()))):
        judged = list(given["judged"])
        label = judged.pop(j)
        if "labels" not in given or _covered(given["labels"], judged):
            yield asked.with_input(judged=judged)
        if "labels" not in given and isinstance(label, int) and label > 1:
            yield asked.with_input(judged=[*judged[:j], 1, *judged[j:]])
    if "judged" in given and sorted(map(str, given.get("labels", ()))) == sorted(
        map(str, given["judged"])
    ):
        yield asked.with_input(judged=None)


def _covered(labels: Sequence[Any], judged: Sequence[Any]) -> bool:
    """Whether a pool has each label of a list as often as that."""
    left = list(judged)
    for label in labels:
        if label in left:
            left.remove(label)
        elif label != 0:
            return False
    return True


def _half_of_items(asked: Question) -> Iterator[Question]:
    n = len(asked.input.get("labels", ()))
    if n >= FAR_SMALLER:
        yield from _without_items(asked, n // 2, n)
        yield from _without_items(asked, 0, n // 2)


def _without_items(asked: Question, first: int, end: int) -> Iterator[Question]:
    """The question without the items from first to end, of the pool too, and of the list alone."""
    given = asked.input
    parts = {
        name: [*given[name][:first], *given[name][end:]]
        for name in ("labels", "scores", "ids", "unjudged")
        if name in given
    }
    if "judged" in given:
        judged = list(given["judged"])
        for label in given["labels"][first:end]:
            if label in judged:
                judged.remove(label)
        if judged != given["judged"]:
            yield asked.with_input(**parts, judged=judged)
    yield asked.with_input(**parts)


def _lower_labels(asked: Question) -> Iterator[Question]:
    given = asked.input
    for i, label in enumerate(given.get("labels", ())):
        if isinstance(label, int) and label > 1:
            for lower in dict.fromkeys((1, label - 1)):
                labels = [*given["labels"][:i], lower, *given["labels"][i + 1 :]]
                if label in given.get("judged", ()):
                    judged = list(given["judged"])
                    judged[judged.index(label)] = lower
                    yield asked.with_input(labels=labels, judged=judged)
                else:
                    yield asked.with_input(labels=labels)


def _fewer_queries(asked: Question) -> Iterator[Question]:
    """A session without one of its queries, or one of its results."""
    names = [name for name in ("queries", "documents") if name in asked.input]
    for q, ranked in enumerate(asked.input["queries"]):
        yield asked.with_input(
            **{n: [*asked.input[n][:q], *asked.input[n][q + 1 :]] for n in names}
        )
        for i in range(len(ranked)):
            changed = {}
            for name in names:
                rows = [list(row) for row in asked.input[name]]
                del rows[q][i]
                changed[name] = rows
            yield asked.with_input(**changed)


def _fewer_lines(asked: Question) -> Iterator[Question]:
    """Files without all lines of a query, or without one line."""
    files = {name: x.splitlines(keepends=True) for name, x in asked.input.items()
             if name in ("qrels", "run") and isinstance(x, str)}  # fmt: skip
    queries = dict.fromkeys(
        line.split()[0] for lines in files.values() for line in lines if line.strip()
    )
    for query in queries if len(queries) > 1 else ():
        yield asked.with_input(
            **{name: "".join(x for x in lines if x.split()[:1] != [query])
               for name, lines in files.items()}
        )  # fmt: skip
    for name, lines in files.items():
        for i in range(len(lines) if len(lines) > 1 else 0):
            yield asked.with_input(**{name: "".join(lines[:i] + lines[i + 1 :])})
