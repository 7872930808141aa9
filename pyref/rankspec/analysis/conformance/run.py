"""All cases, asked of an adapter, or of several of its kind at once. Spec: RS-CONF-5."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock, Thread

from ...progress import Progress
from .adapters import Adapter, NotReady
from .cases import Case
from .judge import Grade, Verdict, judge
from .protocol import About, Answer

LONGEST_END = 10.0  # seconds; on a machine that does much else, too


@dataclass(frozen=True)
class Outcome:
    """What came of a case."""

    case: Case
    answer: Answer
    verdict: Verdict


@dataclass(frozen=True)
class Asked:
    """All outcomes, in the order of the cases; and what was wrong with the end of the program."""

    about: About
    outcomes: tuple[Outcome, ...]
    ending: str


def ask_all(
    make: Callable[[], Adapter],
    cases: Sequence[Case],
    by: Grade,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Asked:
    """Ask an adapter all cases; jobs: by so many of its kind at once.

    NotReady where it cannot be started.
    """
    work = _Work(cases, by, progress)
    adapters = [make() for _ in range(max(1, min(jobs, len(cases))))]
    try:
        for adapter in adapters:
            adapter.start()
        work.together(adapters)
        if work.error is not None:
            raise work.error
        endings = [adapter.stop() for adapter in adapters]
    except BaseException as error:  # a signal, too: no other case is asked then
        work.error = error
        raise
    finally:
        for adapter in adapters:
            adapter.kill()
        work.end()
        for adapter in adapters:  # what a thread had just begun to start
            adapter.kill()
    late = {name: answer for adapter in adapters for name, answer in adapter.late.items()}
    outcomes = tuple(_mended(work.done[i], late, by) for i in range(len(cases)))
    return Asked(adapters[0].about, outcomes, next(filter(None, endings), ""))


def _mended(outcome: Outcome, late: Mapping[str, Answer], by: Grade) -> Outcome:
    """The outcome, where something came later that counts in its place."""
    answer = late.get(outcome.case.id)
    if answer is None or outcome.answer.kind in ("crashed", "timeout"):
        return outcome
    if answer.kind == outcome.answer.kind == "nonsense":
        return outcome
    return Outcome(outcome.case, answer, judge(outcome.case, answer, by))


class _Work:
    """The cases that are still to be asked, and what came of the others."""

    def __init__(self, cases: Sequence[Case], by: Grade, progress: Progress | None) -> None:
        self.cases, self.by, self.progress = cases, by, progress
        self.done: dict[int, Outcome] = {}
        self.error: BaseException | None = None
        self._threads: list[Thread] = []
        self._next = 0
        self._lock = Lock()

    def together(self, adapters: Sequence[Adapter]) -> None:
        """Ask the adapters, each in a thread of its own where there are several."""
        if len(adapters) == 1:
            self.through(adapters[0])
            return
        self._threads = [Thread(target=self.through, args=(x,), daemon=True) for x in adapters]
        for thread in self._threads:
            thread.start()
        for thread in self._threads:
            thread.join()

    def end(self) -> None:
        """Wait a little for the threads, whose programs have been killed."""
        for thread in self._threads:
            thread.join(LONGEST_END)

    def through(self, adapter: Adapter) -> None:
        """Ask one case after the other, until none is left."""
        try:
            while (i := self._take()) is not None:
                case = self.cases[i]
                answer = adapter.ask(case)
                self.done[i] = Outcome(case, answer, judge(case, answer, self.by))
        except BaseException as error:  # noqa: BLE001 - of a thread: it is raised in the main one
            self.error = error

    def _take(self) -> int | None:
        with self._lock:
            if self._next >= len(self.cases) or self.error is not None:
                return None
            i, self._next = self._next, self._next + 1
            if self.progress is not None:
                self.progress(i, len(self.cases))
            return i


__all__ = ["Asked", "NotReady", "Outcome", "ask_all"]
