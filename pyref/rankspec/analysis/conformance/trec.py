"""A program of TREC files: run anew for each case, on a qrels and a run file. Spec: RS-CONF-8.

    ./trec_eval -q {qrels} {run} -m {measure}

No shell is involved: the template is divided as a shell would divide it, and each word is filled
in. What the program prints are lines of a measure, a query and a value.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from ...errors import InputError, nearest, shown_text
from ...metrics.measure import Measure, chosen
from ..cases import numbers
from .adapters import MOST_LINES
from .cases import Case
from .process import IN_ORDER, KILLED, Child, TooMuch, TooSlow
from .protocol import About, Answer, Nonsense, read_number
from .questions import Question, knows, measures_of, question_of

QUERY = "q1"
LARGEST_LABEL = 2**31 - 1
PLACES = ("{qrels}", "{run}", "{measure}", "{name}")
"""What a template can have: two files, the measure as trec_eval calls it, and as rankspec does."""


class Unsupported(Exception):
    """A case that cannot be asked by files; the text says why."""


class TrecProgram:
    """A template of a command as an adapter."""

    def __init__(self, template: str, timeout: float) -> None:
        self.words = words_of(template)
        self.timeout = timeout
        self.late: dict[str, Answer] = {}
        self._child: Child | None = None
        name = Path(self.words[0]).name
        self.about = About(name, "", "", f"--trec {shlex.quote(template)}")

    def start(self) -> None:
        """Nothing has to be started: the program is run for each case."""

    def stop(self) -> str:
        return ""

    def kill(self) -> None:
        """End what runs of a case; between two cases nothing does."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def ask(self, case: Case) -> Answer:
        try:
            measure = measure_of(case)
            qrels, run = files_of(case)
        except Unsupported as error:
            return Answer("unsupported", reason=str(error))
        with TemporaryDirectory(prefix="rankspec-") as folder:
            places = {name: str(Path(folder) / f"{name}.txt") for name in ("qrels", "run")}
            Path(places["qrels"]).write_text(qrels, "utf-8", newline="")
            Path(places["run"]).write_text(run, "utf-8", newline="")
            asked = {**places, "measure": asked_as(measure), "name": str(measure)}
            return self._answer([_filled(word, asked) for word in self.words], case, measure)

    def _answer(self, words: Sequence[str], case: Case, measure: Measure) -> Answer:
        child = self._child = Child(words, takes_lines=False)
        try:
            lines, how = child.output(monotonic() + self.timeout, MOST_LINES)
        except TooSlow:
            return Answer("timeout", reason=f"no end within {self.timeout:g} seconds")
        except TooMuch as error:
            return Answer("crashed", reason=str(error))
        return self._of_lines(lines, how, child.errors, case, measure)

    def _of_lines(
        self, lines: Sequence[str], how: str, errors: str, case: Case, measure: Measure
    ) -> Answer:
        """The answer that the lines of a program that has ended are."""
        said = " ".join(errors.split())[:200]
        if how.startswith(KILLED):
            return Answer("crashed", reason=f"{how}; it said: {said}" if said else how)
        if how != IN_ORDER:
            return Answer("refused", reason=f"{how}; it said: {said}" if said else how)
        try:
            found = values_of(lines, names_of(measure))
            return Answer("value", _in_form(found, case))
        except Nonsense as error:
            return Answer("nonsense", reason=str(error))


def words_of(template: str) -> list[str]:
    """The words of a template; an InputError for a field that there is not, or a lack of a file."""
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InputError(
            f"trec: {shown_text(template)} cannot be divided into words: {error}"
        ) from None
    for name in re.findall(r"(?<!\$)\{+\s*[\w.-]*\s*\}+", " ".join(words)):
        if name not in PLACES:
            known = ", ".join(PLACES)
            near = nearest(name.strip("{} ").lower(), (place.strip("{}") for place in PLACES))
            meant = "" if near is None else f" (did you mean {{{near}}}?)"
            raise InputError(
                f"trec: the template has the unknown field {name}{meant}; known are {known}"
            )
    for place in ("{qrels}", "{run}"):
        if not any(place in word for word in words):
            raise InputError(
                f"trec: the template has no {place}; expected like "
                "'./trec_eval -q {qrels} {run} -m {measure}'"
            )
    return words


def _filled(word: str, places: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: places.get(m[1], m[0]), word)


# ---- the names of measures -------------------------------------------------------------------


def measure_of(case: Case) -> Measure:
    """The measure of a case; Unsupported where trec_eval cannot be asked it."""
    if not knows(case.measure) or case.refused:
        raise Unsupported("no measure of files" if not case.refused else "a refusal")
    made = measures_of(case.measure)
    if len(made) != 1 or "queries" in case.input:
        raise Unsupported("several cut-offs" if len(made) != 1 else "a session")
    if asked_as(made[0]) == str(made[0]) != made[0].metric.names.trec:
        raise Unsupported("trec_eval has no name of this measure")
    if any(name in chosen(made[0]) for name in made[0].metric.names.by_version):
        raise Unsupported("the name does not say what versions of trec_eval differ in")
    return made[0]


def asked_as(measure: Measure) -> str:
    """What trec_eval is asked a measure as: ndcg_cut.10, where it prints ndcg_cut_10."""
    names = measure.metric.names
    defaults = tuple(p.default for p in measure.metric.parameters.values())
    if measure.choices == defaults and measure.k is not None and names.trec_cut:
        return f"{names.trec_cut}.{measure.k}"
    if names.trec_level and measure.trec_name.startswith(names.trec_level):
        return f"{names.trec_level}.{float(getattr(measure, names.level))!r}"
    return measure.trec_name


def names_of(measure: Measure) -> tuple[str, ...]:
    """What a program may call a measure in what it prints."""
    asked = asked_as(measure)
    return asked, measure.trec_name, str(measure)


# ---- the files -------------------------------------------------------------------------------


def files_of(case: Case) -> tuple[str, str]:
    """The qrels and the run of a case; Unsupported where it cannot be written so."""
    asked = question_of(case)
    if asked.conventions is not None:
        if "qrels" not in asked.input or "run" not in asked.input:
            raise Unsupported("no TREC files")
        return str(asked.input["qrels"]), str(asked.input["run"])
    return _of_list(asked)


def _of_list(asked: Question) -> tuple[str, str]:
    """The files of one ranking, as the query q1: a document for each label."""
    given = asked.input
    if not given.get("labels"):
        raise Unsupported("a list without items, which no run has")
    if "unjudged" in given:
        raise Unsupported("items without judgment")
    labels = numbers(given["labels"])
    ids = _ids(given, len(labels))
    scores = _scores(given, len(labels))
    judged = dict(zip(ids, labels, strict=True))
    for n, label in enumerate(_others(labels, given), start=1):
        judged[f"x{n}"] = label
    if not all(isinstance(x, int) and 0 <= x <= LARGEST_LABEL for x in judged.values()):
        raise Unsupported("labels that are no whole numbers from 0 to 2^31 - 1")
    qrels = "".join(f"{QUERY} 0 {d} {label}\n" for d, label in judged.items())
    run = "".join(
        f"{QUERY} Q0 {d} {i} {score} rankspec\n"
        for i, (d, score) in enumerate(zip(ids, scores, strict=True), start=1)
    )
    return qrels, run


def _ids(given: Mapping[str, Any], n: int) -> list[str]:
    ids = given.get("ids")
    if ids is None:
        return [f"d{i:06}" for i in range(n)]
    as_text = all(isinstance(x, str) and re.fullmatch(r"[!-~]+", x) for x in ids)
    if not as_text or len(set(ids)) < n:
        raise Unsupported("ids that are no words")
    return list(ids)


def _scores(given: Mapping[str, Any], n: int) -> list[Any]:
    if "scores" not in given:
        return list(range(n, 0, -1))
    scores = numbers(given["scores"])
    rule = given.get("ties") or ("id-descending" if "ids" in given else "expected")
    if len(set(scores)) < n and rule != "id-descending":
        raise Unsupported(f"ties by the rule {rule}")
    if any(abs(x) == float("inf") or float(x) != x for x in scores):
        raise Unsupported("scores that are no finite doubles")
    return [repr(x) for x in scores]


def _others(labels: Iterable[Any], given: Mapping[str, Any]) -> list[Any]:
    """The labels of judged items that the list does not show."""
    left = numbers(given["judged"]) if "judged" in given else list(labels)
    for label in labels:
        if label in left:
            left.remove(label)
        elif label != 0:
            raise Unsupported("a pool that lacks a label of the list")
        else:
            raise Unsupported("a pool that lacks an item of the list")
    return left


# ---- what the program prints -----------------------------------------------------------------


def values_of(lines: Iterable[str], names: Sequence[str]) -> dict[str, float]:
    """{query: value} of the lines of a measure, the mean as that of "all"."""
    found = {}
    for line in lines:
        words = line.split()
        if len(words) == 3 and words[0] in names:
            try:
                found[words[1]] = read_number(words[2])
            except Nonsense:
                raise Nonsense(f"the line {line!r}: the last field is not a number") from None
    if not found:
        shown = (
            f"the first line is {lines[0]!r}" if isinstance(lines, list) and lines else "no line"
        )
        raise Nonsense(f"no line of {names[0]}, a query and a value; {shown}")
    return found


def _in_form(found: Mapping[str, float], case: Case) -> Any:
    """The values in the form that a case has."""
    if case.conventions is None:
        one = found.get(QUERY, found.get("all"))
        if one is None:
            raise Nonsense(f"no value of the query {QUERY}")
        return one
    queries = {query: x for query, x in found.items() if query != "all"}
    return {"queries": queries or None, "mean": found.get("all")}  # without -q: the mean alone
