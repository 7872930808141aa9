"""What an identification has found: as data, as text, and as predictions. Spec: RS-IDF-4."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import prod
from typing import Any

from ...evaluation.render import WIDTH, wrapped
from ...text import printable
from .accuracy import Accuracy, accuracy
from .asked import Asked, Step, Unexplained
from .choices import BY_NAME, CHOICES
from .computed import ABOVE_0, THRESHOLD
from .definition import Definition
from .inputs import Domain, Input
from .nearest import NearestProfile, nearest_profile
from .outcomes import CRASH, ERROR, TIMEOUT, Outcome, Prediction, agrees
from .search import Found
from .vectors import vectors_of

FORMAT = 2
LONGEST = 60
"""The most columns that are kept together."""

KEPT = "\3"
"""Stands for a space that ends no line."""

MOST_LISTED = 4


@dataclass(frozen=True)
class Identification:
    """The definition that a black box computes.

    name, version: of the adapter, by its own account; form: its form; declared: its declarations
    domain: the inputs that it can be given; found, asked: what the search found and asked
    calls: how often the function was called
    """

    name: str
    version: str
    form: str
    declared: Mapping[str, Any]
    domain: Domain
    found: Found
    asked: Asked
    calls: int

    @property
    def definition(self) -> Definition | None:
        """The simplest definition that explains the answers; None if there is none."""
        return self.found.members[0] if self.found.members else None

    @property
    def measures(self) -> list[str]:
        """The measures that fit the answers, without cut-offs, the simplest first."""
        return list(dict.fromkeys(d.core.name for d in self.found.members))

    @property
    def choices(self) -> dict[str, list[str]]:
        """The values that each choice can have with the plainest measure, the reported first."""
        if self.definition is None:
            return {}
        core = self.definition.core
        own = [self.definition, *(d for d in self.found.members if d.core is core)]
        return {
            name: list(dict.fromkeys(d.choices[name] for d in own))
            for name in BY_NAME
            if name not in self.found.not_asked
            and name not in self.found.unsettled
            and (name in self.found.said or self.definition.choices[name] != BY_NAME[name].default)
        }

    @property
    def identified(self) -> bool:
        """Whether a definition predicts every answer that was given (RS-IDF-1)."""
        return self.definition is not None and not self.found.unexplained

    @property
    def combined(self) -> bool | None:
        """Whether every combination of the values of choices gives the answers, not each alone.

        None: unknown, because the search did not list all definitions
        """
        if self.definition is None or not self.found.complete:
            return None
        core, choices = self.definition.core, self.choices
        own = {tuple(d.choices[n] for n in choices) for d in self.found.members if d.core is core}
        return len(own) == prod(map(len, choices.values()))

    @cached_property
    def profile(self) -> NearestProfile | None:
        """The nearest profile."""
        return nearest_profile(self.asked, self.found.members)

    @cached_property
    def accuracy(self) -> Accuracy | None:
        """How near the answers are to the correctly rounded values."""
        return None if self.definition is None else accuracy(self.asked, self.definition)

    @cached_property
    def vectors(self) -> list[str]:
        """The test vectors that the definition must pass."""
        return [] if self.definition is None else vectors_of(self.definition, self.domain)

    def predict(self, x: Input) -> Prediction:
        """Return the predicted value for an input; ValueError without a definition."""
        if self.definition is None:
            raise ValueError("no definition explains the answers, so none can be predicted")
        return self.definition.predict(x)

    def explains(self, x: Input, answer: Outcome) -> bool:
        """Whether an answer is what the definition predicts, in the precision of the answers."""
        if self.definition is None:
            return False
        return agrees(self.definition.predict(x), answer, self.asked.precision)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as plain data; equal answers give equal data."""
        d = self.definition
        return {
            "format": FORMAT,
            "name": self.name,
            "version": self.version,
            "form": self.form,
            "declared": {
                n: list(x) if isinstance(x, tuple) else x for n, x in self.declared.items()
            },
            "calls": self.calls,
            "repeats": self.found.repeats,
            "identified": self.identified,
            "definition": None if d is None else _definition(d, self.choices),
            "same": {
                "measures": self.measures[1:],
                "conventions": {n: x for n, x in self.choices.items() if len(x) > 1},
                "definitions": len(self.found.members),
                "complete": self.found.complete,
                "combined": self.combined,
                "others": [_other(x, d) for x in self.found.members[1:] if d is not None],
            },
            "outside": [] if d is None else d.outside,
            "constant": None if self.found.constant is None else self.found.constant.as_dict(),
            "not_asked": self.found.not_asked,
            "unsettled": self.found.unsettled,
            "unexplained": [_unexplained(x) for x in self.found.unexplained],
            "varying": [x.as_dict() for x in self.asked.varying],
            "together": [
                {"queries": [x.as_dict() for x in queries], "answer": answer.as_dict()}
                for queries, answer in self.asked.together
            ],
            "nearest": [
                {"measure": x.core.name, "answers": hits, "of": n}
                for x, hits, n in self.found.nearest
            ],
            "crashes": [_answered(step) for step in self.asked.crashes()],
            "profile": _profile(self.profile),
            "accuracy": _accuracy(self.accuracy),
            "vectors": self.vectors,
            "transcript": [_step(step) for step in self.asked.steps],
        }

    to_dict = as_dict

    def __str__(self) -> str:
        """A page of 80 columns."""
        lines = [line for part in self._parts() for line in part]
        return "\n".join(
            part.replace(KEPT, " ")
            for line in lines
            for part in wrapped(_names_kept(printable(line)), "  ")
        )

    def _parts(self) -> Iterator[list[str]]:
        who = " ".join(filter(None, [self.name, self.version])) or "the function"
        yield [f"{who}, form {self.form}: {self.calls} calls", ""]
        d = self.definition
        if d is None:
            yield self._nothing()
        else:
            yield [f"{d.core.name}  {d.core.spec or 'no measure of rankspec: ' + d.core.about}"]
            yield _of_threshold(d)
            yield self._same()
            yield ["", *_table(d, self.choices)]
            yield self._outside()
        yield self._answers()
        if d is not None:
            yield self._beside()

    def _nothing(self) -> list[str]:
        if not self.found.repeats:
            return ["The same question has several answers, without ties too: no definition."]
        if self.found.constant is not None:
            return [f"Every answer is {self.found.constant}: a constant tells no definition."]
        if not self.found.nearest:
            return ["No definition explains the answers: hardly one of them is a number."]
        lines = ["No definition explains the answers; the nearest are"]
        lines += [f"  {x.core.name}: {n} of {of}" for x, n, of in self.found.nearest]
        return [
            *lines,
            "Tables of gains, weights or stop probabilities were not tried (RS-IDF-3).",
        ]

    def _same(self) -> list[str]:
        others = self.measures[1:]
        lines = []
        if others:
            more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
            lines.append("  the same on all inputs asked:")
            lines += [f"    {name}{self._with(name)}" for name in others[:MOST_LISTED]]
            lines += [f"   {more}"] if more else []
        if self.combined is False:
            lines.append("  not every combination of the values below gives these answers")
        if not self.found.complete:
            lines.append("  these are some of the class; not all combinations were looked at")
        return lines

    def _with(self, name: str) -> str:
        """The choices, otherwise than the reported, with which a measure gives the same answers."""
        first, *others = self.found.members
        otherwise = [
            [f"{n}: {x}" for n, x in d.choices.items() if x != first.choices[n]]
            for d in others
            if d.core.name == name
        ]
        fewest = min(otherwise, key=len, default=[])
        return f"  with {', '.join(fewest)}" if fewest else ""

    def _outside(self) -> list[str]:
        outside = self.definition.outside if self.definition else []
        return (
            ["", "Outside rankspec's conventions:", *(f"  {x}" for x in outside)] if outside else []
        )

    def _answers(self) -> list[str]:
        lines = []
        if varying := self.asked.varying:
            lines += ["", f"Several answers to {_counted(len(varying), 'question')}:"]
            lines += [f"  {x}" for x in varying[:MOST_LISTED]] + _more(varying)
        if unexplained := self.found.unexplained:
            lines += ["", f"No definition explains {_counted(len(unexplained), 'answer')}:"]
            lines += [
                f"  {x.input}: {x.answer}, where {x.predicted} was expected"
                for x in unexplained[:MOST_LISTED]
            ] + _more(unexplained)
        if unsettled := self.found.unsettled:
            lines += ["", "No value explains these answers: " + ", ".join(unsettled)]
        if errors := self.errors():
            lines += ["", "Errors, the first of each question's kind:"]
            lines += [f"  {s.stage}: {s.input}: {s.answer}" for s in errors]
        if crashes := self.asked.crashes():
            words = {CRASH: "ends the process", TIMEOUT: "no answer in time"}
            lines += ["", "Ends processes:"]
            lines += [f"  {s.input}: {words[s.answer.kind]} {s.answer.text}" for s in crashes[:2]]
        if skipped := self.found.not_asked:
            lines += ["", "Not known, for too many questions had no answer: " + ", ".join(skipped)]
        return lines

    def errors(self) -> list[Step]:
        """The first call that raised an error, for each stage and error."""
        found: dict[tuple[str, str], Step] = {}
        for step in self.asked.steps:
            if step.answer.kind == ERROR:
                kind = re.sub(r"[-+.\d]+", "", step.answer.text)  # its numbers are the call's
                found.setdefault((step.stage, kind), step)
        return list(found.values())

    def _beside(self) -> list[str]:
        lines = [""]
        if self.profile is not None:
            near = self.profile
            lines.append(f"Nearest profile: {near.name}, {near.agrees} of {near.asked} answers")
            if near.refuted is not None:
                lines.append(
                    f"  but {near.refuted.input}: {near.refuted.answer}, where it has "
                    f"{near.predicted}"
                )
        if self.accuracy is not None:
            a = self.accuracy
            off = f"; none is more than {a.max_ulp:g} ulp off" if a.max_ulp else ""
            lines.append(f"Accuracy: {a.exact} of {a.values} values are correctly rounded{off}")
        if self.vectors:
            lines.append(
                f"Vectors that it must pass: {len(self.vectors)} ({', '.join(self.vectors[:3])}"
                f"{', ...' if len(self.vectors) > 3 else ''})"
            )
        return lines


def _of_threshold(d: Definition) -> list[str]:
    """What the least double means, where it is the least relevant label."""
    if d.core.rel != ABOVE_0 or f"{THRESHOLD}={ABOVE_0!r}" not in d.core.name:
        return []
    return [f"  {THRESHOLD}={ABOVE_0!r}, the least double: every label above 0 is relevant"]


def _names_kept(line: str) -> str:
    """A line in which no definition, no name with its value, and no number is broken.

    What is as wide as the page may end a line at its spaces, and a row of numbers after a comma.
    """
    line = re.sub(rf"\S{{{LONGEST},}}", lambda row: _in_pieces(row[0]), line)
    return re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*=[^()]*(?:\([^()]*\)[^()]*)*\)", _kept, line)


def _kept(found: re.Match[str]) -> str:
    return found[0].replace(" ", KEPT) if len(found[0]) < LONGEST else found[0]


def _in_pieces(row: str) -> str:
    """A long row of numbers with spaces, at which it may end a line."""
    pieces = [""]
    for part in re.findall(r"[^,]*,?", row):
        if len(pieces[-1]) + len(part) >= LONGEST:
            pieces.append("")
        pieces[-1] += part
    return " ".join(filter(None, pieces))


def _table(d: Definition, choices: Mapping[str, Sequence[str]]) -> list[str]:
    """The choices, a line each."""
    rows = []
    for choice in CHOICES:
        if choice.name in choices:
            values = choices[choice.name]
            spec = choice.spec_of(d.choices[choice.name]) or "outside"
            rows.append((choice.name, " or ".join(values), spec))
    first = max((len(name) for name, _, _ in rows), default=0)
    last = max((len(spec) for _, _, spec in rows), default=0)
    room = WIDTH - first - last - 4
    return [
        f"{name:{first}}  {value if len(value) <= room else value[: room - 3] + '...':{room}}  "
        f"{spec}".rstrip()
        for name, value, spec in rows
    ]


def _more(found: Sequence[Any]) -> list[str]:
    """A line that says how many are not listed; none where all are."""
    return [f"  and {len(found) - MOST_LISTED} more"] if len(found) > MOST_LISTED else []


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _definition(d: Definition, choices: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    measure = d.core.measure()
    return {
        "measure": d.core.name,
        "spec": d.core.spec or None,
        "about": d.core.about or None,
        "parameters": None if measure is None else measure.definition(),
        "conventions": {n: d.choices[n] for n in choices},
        "specs": {n: BY_NAME[n].spec_of(d.choices[n]) or None for n in choices},
    }


def _other(other: Definition, d: Definition) -> dict[str, Any]:
    """Another definition of the class: its measure, and its choices that are not the reported."""
    return {
        "measure": other.core.name,
        "conventions": {n: x for n, x in other.choices.items() if x != d.choices[n]},
    }


def _answered(step: Step) -> dict[str, Any]:
    return {"input": step.input.as_dict(), "answer": step.answer.as_dict()}


def _step(step: Step) -> dict[str, Any]:
    return {
        "stage": step.stage,
        **_answered(step),
        "before": step.before,
        "after": step.after,
    }


def _unexplained(x: Unexplained) -> dict[str, Any]:
    return {
        "stage": x.stage,
        "input": x.input.as_dict(),
        "answer": x.answer.as_dict(),
        "predicted": x.predicted,
    }


def _profile(x: NearestProfile | None) -> dict[str, Any] | None:
    if x is None:
        return None
    return {
        "name": x.name,
        "agrees": x.agrees,
        "of": x.asked,
        "refuted": None if x.refuted is None else _answered(x.refuted) | {"predicted": x.predicted},
    }


def _accuracy(x: Accuracy | None) -> dict[str, Any] | None:
    return None if x is None else x._asdict() | {"of": x.of and x.of.as_dict()}


def declared_of(domain: Domain, of_form: Domain) -> dict[str, Any]:
    """What a domain has otherwise than its form."""
    own, others = asdict(domain), asdict(of_form)
    return {
        name: list(x) if isinstance(x, tuple) else x for name, x in own.items() if x != others[name]
    }
