"""The forms of adapters: how an input is said to a function, or to a program."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from ...errors import InputError, quoted
from ..conformance.process import IN_ORDER, KILLED, Child, TooMuch, TooSlow
from .inputs import Domain, Input, Label
from .outcomes import CRASH, ERROR, NONE, TIMEOUT, Outcome, value

LONGEST = 200  # characters of what a program says of its failure
MOST_LINES = 10_000  # of one answer: trec_eval prints some hundred for a query and all measures
QUERY = "1"  # a number, which some programs ask of a topic


@dataclass(frozen=True)
class Form:
    """One of them.

    name, about: as it is asked for, and how a function of it is called
    domain: the inputs that it can say
    of_query: the arguments of a call of one query, which has that id
    together: those of several queries as those of one call
    """

    name: str
    about: str
    domain: Domain
    of_query: Callable[[Input, Domain, str], tuple[Any, ...]]
    together: Callable[[Sequence[tuple[Any, ...]]], tuple[Any, ...]]

    def arguments(self, x: Input | Sequence[Input], domain: Domain) -> tuple[Any, ...]:
        """The arguments of a call: of one query, or of several, which have one cut-off."""
        queries = [x] if isinstance(x, Input) else x
        each = [self.of_query(q, domain, str(a)) for a, q in enumerate(queries, int(QUERY))]
        return self.together(each) if domain.several else each[0]


def _in_lists(each: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    shown, judged, ks = zip(*each, strict=True)
    return list(shown), list(judged), ks[0]


def _in_files(each: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    qrels, runs, ks = zip(*each, strict=True)
    return "".join(qrels), "".join(runs), ks[0]


def _number(label: Label, domain: Domain) -> Label:
    return float(label) if domain.float_labels else label


def _scores(x: Input, domain: Domain, _: str) -> tuple[Any, ...]:
    labels = [_number(label or 0, domain) for label in x.labels]
    return (labels, list(x.scores or ()), x.k)


def _lists(x: Input, domain: Domain, _: str) -> tuple[Any, ...]:
    named = dict(zip(x.names, x.labels, strict=True)) | {
        f"u{a:02}": label for a, label in enumerate(x.unseen, start=1)
    }
    judged: Any = {i: _number(label, domain) for i, label in named.items() if label is not None}
    if domain.judged != "dict":
        judged = sorted(i for i, label in judged.items() if label > 0)
        judged = set(judged) if domain.judged == "set" else judged
    return (list(x.names), judged, x.k)


def _files(x: Input, _: Domain, query: str) -> tuple[Any, ...]:
    """Qrels, a run of one query, and the cut-off."""
    qrels = [(i, label) for i, label in zip(x.names, x.labels, strict=True) if label is not None]
    qrels += [(f"u{a:02}", label) for a, label in enumerate(x.unseen, start=1)]
    scores = x.scores or ()
    ranks = x.ranks or range(1, len(scores) + 1)
    run = [
        f"{query} Q0 {i} {rank} {score!r} tag\n"
        for i, rank, score in zip(x.names, ranks, scores, strict=True)
    ]
    return ("".join(f"{query} 0 {i} {label!r}\n" for i, label in qrels), "".join(run), x.k)


FORMS = {
    form.name: form
    for form in (
        Form(
            "scores",
            "function(labels, scores, k): two lists and a cut-off or None",
            Domain(pool=False, unjudged=False),
            _scores,
            _in_lists,
        ),
        Form(
            "lists",
            "function(recommended, judged, k): ids in rank order; {id: label}, a set or a list",
            Domain(scored=False, ties=False),
            _lists,
            _in_lists,
        ),
        Form(
            "trec",
            "function(qrels, run, k): the texts of two TREC files of one query",
            Domain(named=True, integers=True, min_length=1),
            _files,
            _in_files,
        ),
    )
}


def form(name: str) -> Form:
    """The form of that name."""
    if not isinstance(name, str) or name not in FORMS:
        raise InputError(f"form: unknown form {quoted(name)}; expected one of {', '.join(FORMS)}")
    return FORMS[name]


def command_words(template: str) -> list[str]:
    """The words of a command; an InputError where a quotation does not end, or it has none."""
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InputError(f"trec: {error} in the command: {template}") from None
    if not words:
        raise InputError("trec: the command is empty")
    return words


def program_of_files(
    template: str, seconds: float, several: bool = False
) -> Callable[[str, str, int | None], Outcome]:
    """A function of the texts of TREC files that runs a program.

    template: its command, with {qrels} and {run} for the files and {k} for the cut-off
    several: whether its value is the average over queries, which it prints last
    """
    words = command_words(template)
    for name in ("qrels", "run"):
        if not any(f"{{{name}}}" in word for word in words):
            raise InputError(f"trec: the command has no {{{name}}}: {template}")

    def function(qrels: str, run: str, k: int | None) -> Outcome:
        with TemporaryDirectory(prefix="rankspec-") as folder:
            paths = {"qrels": Path(folder, "qrels"), "run": Path(folder, "run")}
            paths["qrels"].write_text(qrels, encoding="utf-8")
            paths["run"].write_text(run, encoding="utf-8")
            given = {n: str(path) for n, path in paths.items()} | {"k": str(k)}
            return _run([_filled(word, given) for word in words], seconds, several)

    return function


def _filled(word: str, given: dict[str, str]) -> str:
    for name, text in given.items():
        word = word.replace(f"{{{name}}}", text)
    return word


def _run(command: Sequence[str], seconds: float, several: bool) -> Outcome:
    """Run a program and return its outcome for the query, or for all."""
    child = Child(command, takes_lines=False)
    try:
        lines, how = child.output(monotonic() + seconds, MOST_LINES)
    except TooSlow:
        return Outcome(TIMEOUT)
    except TooMuch as error:
        return Outcome(ERROR, text=f"it printed {error}")
    if how.startswith(KILLED):
        return Outcome(CRASH, text=how.removeprefix(KILLED).strip())
    if how != IN_ORDER:
        return Outcome(ERROR, text=f"{how}: {' '.join(child.errors.split())}"[:LONGEST])
    return _read(lines, several)


def _read(lines: Sequence[str], several: bool) -> Outcome:
    """The value of the query; where no line has it, or it is of several, the last number."""
    found = None
    for line in lines:
        words = line.split()
        try:
            number = float(words[-1])
        except (ValueError, IndexError):
            continue
        if not several and QUERY in words[:-1]:
            return value(number)
        found = number
    return Outcome(NONE) if found is None else value(found)
