"""What was asked and answered: the transcript of an identification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .definition import Definition
from .inputs import Input
from .outcomes import DEATHS, DOUBLE, TIMEOUT, VALUE, Outcome, Precision, agrees

MOST_DEATHS = 12
MOST_TIMEOUTS = 9
MOST_TIMEOUTS_OF_A_KIND = 3


@dataclass
class Step:
    """A question: the stage that asked it, its answer, and how many definitions that left."""

    stage: str
    input: Input
    answer: Outcome
    before: int = 0
    after: int = 0
    predicted: str = ""


@dataclass
class Unexplained:
    """An answer that no definition that was left predicts, and what the nearest one does."""

    stage: str
    input: Input
    answer: Outcome
    predicted: str


@dataclass
class Asked:
    """The questions so far, each asked once unless it is asked again on purpose.

    call: the outcome of an input, or of several that are queries of one call
    precision: in which answers are compared with predictions
    varying: the questions whose answer was another the second time
    together: the questions of several queries, with the answers
    """

    call: Callable[[Input | Sequence[Input]], Outcome]
    precision: Precision = DOUBLE
    steps: list[Step] = field(default_factory=list)
    varying: list[Input] = field(default_factory=list)
    together: list[tuple[Sequence[Input], Outcome]] = field(default_factory=list)
    known: dict[Input, Outcome] = field(default_factory=dict)
    deaths: int = 0
    timeouts: Counter[str] = field(default_factory=Counter)

    def ask(self, x: Input, stage: str) -> Outcome:
        """The answer to a question, from memory where it was asked before."""
        if x not in self.known:
            self.known[x] = self._called(x)
            self.timeouts[_kind(x, stage)] += self.known[x].kind == TIMEOUT
            self.steps.append(Step(stage, x, self.known[x]))
        return self.known[x]

    def ask_together(self, queries: Sequence[Input]) -> Outcome:
        """The answer to several queries at once."""
        answer = self.call(queries)
        self.deaths += answer.kind in DEATHS
        self.together.append((queries, answer))
        return answer

    def again(self, x: Input) -> Outcome:
        """The answer to the same question once more."""
        return self._called(x)

    def skips(self, x: Input, stage: str) -> bool:
        """Whether a question is not asked: too many of its kind had no answer in time."""
        return x not in self.known and (
            self.timeouts[_kind(x, stage)] >= MOST_TIMEOUTS_OF_A_KIND
            or self.timeouts.total() >= MOST_TIMEOUTS
        )

    def answered(self, stage: str, questions: Iterable[Input]) -> bool:
        """Whether a stage had an answer in time, or needs none."""
        own = [self.known[x] for x in questions if x in self.known]
        own += [step.answer for step in self.steps if step.stage == stage]
        return any(answer.kind != TIMEOUT for answer in own)

    @property
    def tired(self) -> bool:
        """Whether too many processes have died."""
        return self.deaths >= MOST_DEATHS

    def _called(self, x: Input) -> Outcome:
        answer = self.call(x)
        self.deaths += answer.kind in DEATHS
        return answer

    def crashes(self) -> list[Step]:
        """The questions that ended a process or had no answer in time."""
        return [step for step in self.steps if step.answer.kind in DEATHS]

    def values(self) -> Iterator[Outcome]:
        """The answers that are numbers."""
        return (x for x in self.known.values() if x.kind == VALUE)

    def left(
        self, definitions: Iterable[Definition], x: Input, answer: Outcome
    ) -> list[Definition]:
        """The definitions that predict an answer."""
        return [d for d in definitions if agrees(d.predict(x), answer, self.precision)]


def _kind(x: Input, stage: str) -> str:
    """What questions are that may all have no answer in time: with ties, or of a stage."""
    return "ties" if x.tied else stage
