"""The result of a run of all cases: what it says as a table, as JSON and as JUnit has it.

Spec: RS-CONF-5, RS-CONF-11.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...evaluation.conventions import Conventions, as_text
from ...evaluation.render import columns, json_of, wrapped
from ...specification import PROFILES
from ...text import printable
from .cases import Case, version
from .diagnosis import Example, Finding
from .judge import FAILURES, STATUSES, Grade, counts
from .protocol import About
from .run import Outcome

FORMAT = 1
CONFORMS, FAILS, DIED = 0, 1, 3
MOST_IDS = 6
MOST_REASONS = 4
MOST_ALSO = 3
MOST_FINDINGS = 12  # in a table
LONGEST = 300  # characters of plain data in a line


@dataclass(frozen=True)
class Report:
    """What came of all cases, and what is excused.

    about: the adapter; outcomes: in the order of the cases; ending: what was wrong with its end
    profile, part, grade: what was asked; known: ids of failures that are known
    accepted: flags of cases that may fail; least: how many cases must pass by a value
    findings: what explains the failures; untried: what the search for that left out, in words
    """

    about: About
    outcomes: tuple[Outcome, ...]
    profile: str
    part: str
    grade: Grade
    known: frozenset[str] = frozenset()
    accepted: frozenset[str] = frozenset()
    least: int = 1
    ending: str = ""
    findings: tuple[Finding, ...] = ()
    untried: str = ""

    # ---- what is excused ----

    def is_excused(self, outcome: Outcome) -> str:
        """Why a failure is none: "known", "accepted"; "" where it is one."""
        if outcome.case.id in self.known:
            return "known"
        return "accepted" if self.accepted & set(outcome.case.flags) else ""

    @property
    def failures(self) -> list[Outcome]:
        """The cases that fail, without excuse."""
        return [x for x in self.outcomes if has_failed(x) and not self.is_excused(x)]

    @property
    def excused(self) -> list[Outcome]:
        """The cases that fail, and are known or accepted."""
        return [x for x in self.outcomes if has_failed(x) and self.is_excused(x)]

    @property
    def mended(self) -> list[Outcome]:
        """The cases that are known to fail, and pass."""
        passes = (x for x in self.outcomes if x.verdict.status == "pass")
        return [x for x in passes if x.case.id in self.known]

    @property
    def run(self) -> int:
        """How many cases were answered by anything but unsupported."""
        return sum(x.verdict.status != "unsupported" for x in self.outcomes)

    @property
    def valued(self) -> int:
        """How many cases pass by a value, not by a refusal."""
        passes = (x for x in self.outcomes if x.verdict.status == "pass")
        return sum(x.answer.kind == "value" for x in passes)

    @property
    def died(self) -> list[Outcome]:
        """The cases of which the program died, without excuse."""
        return [x for x in self.failures if x.verdict.status == "crashed"]

    @property
    def status(self) -> int:
        """The exit status: 0 conforms, 1 fails, 3 the program died."""
        if self.died or self.ending:
            return DIED
        return FAILS if self.failures or self.mended or self.valued < self.least else CONFORMS

    def counts(self, of: Iterable[Outcome] | None = None) -> dict[str, int]:
        """How many cases there are of each status."""
        return counts([x.verdict.status for x in (self.outcomes if of is None else of)])

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data (RS-CONF-11)."""
        return {
            "format": FORMAT,
            "vectors": version(),
            "adapter": vars(self.about),
            "profile": self.profile,
            "part": self.part,
            "grade": str(self.grade),
            "conforms": self.status == CONFORMS,
            "exit_status": self.status,
            "counts": {"cases": len(self.outcomes), **self.counts()},
            "profiles": {
                name: {"cases": len(found), **self.counts(found)}
                for name in PROFILES
                if (found := [x for x in self.outcomes if name in x.case.profiles])
            },
            "badge": self._badge(),
            "ending": self.ending,
            "mended": [x.case.id for x in self.mended],
            "findings": [_finding(finding) for finding in self.findings],
            "untried": self.untried,
            "results": [self._result(x) for x in self.outcomes],
        }

    def _badge(self) -> dict[str, Any]:
        """What a badge shows, in the form that shields.io reads."""
        passed = self.counts()["pass"]
        return {
            "schemaVersion": 1,
            "label": f"rankspec {self.profile}",
            "message": f"{passed}/{self.run}, {self.grade}",
            "color": "brightgreen" if self.status == CONFORMS else "red",
        }

    def _result(self, outcome: Outcome) -> dict[str, Any]:
        found: dict[str, Any] = {"id": outcome.case.id, "status": outcome.verdict.status}
        if outcome.verdict.why:
            found["why"] = outcome.verdict.why
        if has_failed(outcome) and outcome.answer.kind == "value":
            found["got"] = _plain(outcome.answer.value)
        if has_failed(outcome) and (excuse := self.is_excused(outcome)):
            found["excuse"] = excuse
        return found


def has_failed(outcome: Outcome) -> bool:
    """Whether a case fails, with excuse or without."""
    return outcome.verdict.status in FAILURES


def _finding(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "what": finding.what,
        "slips": [slip.name for slip in finding.slips],
        "also": list(finding.also),
        "spec": list(finding.spec),
        "cases": [x.case.id for x in finding.outcomes],
    }
    if finding.example is not None:
        found["example"] = _example(finding.example)
    return found


def _example(example: Example) -> dict[str, Any]:
    return {
        "case": example.id,
        "shrunk": example.shrunk,
        "measure": example.asked.measure,
        "input": example.asked.input,
        "conventions": example.asked.conventions,
        "expected": _plain(example.expected),
        "got": _plain(example.got),
        "said": example.said,
    }


def _plain(x: Any) -> Any:
    """A value as JSON has it: what is no finite number is a text."""
    if isinstance(x, Mapping):
        return {str(name): _plain(part) for name, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [_plain(part) for part in x]
    if isinstance(x, float) and not math.isfinite(x):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(x, "NaN")
    return x


# ---- for people ------------------------------------------------------------------------------


def table(report: Report) -> str:
    """The result in 80 columns: who was asked what, counts, and each finding with its example."""
    blocks = [_head(report), _counts(report), *_findings(report), *_more(report), _end(report)]
    return "\n\n".join(blocks) + "\n"


def _head(report: Report) -> str:
    about = report.about
    name = " ".join(filter(None, (about.name, about.version)))
    language = f" ({about.language})" if about.language else ""
    part = "required cases" if report.part == "required" else "required and optional cases"
    asked = f"vectors {version()}, profile {report.profile}, {part}, grade {report.grade}"
    return _lines([f"{name}{language}: {printable(about.command)}", asked])


def _counts(report: Report) -> str:
    by_chapter: dict[str, list[Outcome]] = {}
    for outcome in report.outcomes:
        by_chapter.setdefault(outcome.case.id.rpartition("-")[0], []).append(outcome)
    rows = list(by_chapter.items())
    if len(rows) > 1:
        rows.append(("all", list(report.outcomes)))
    shown = [s for s in STATUSES if s in ("pass", "fail") or report.counts()[s]]
    cells = [
        (name, [str(len(found)), *(str(report.counts(found)[s]) for s in shown)])
        for name, found in rows
    ]
    return columns("chapter", ["cases", *shown], cells)


def _findings(report: Report) -> list[str]:
    shown = report.findings[:MOST_FINDINGS]
    blocks = [_lines(_of_finding(number, finding)) for number, finding in enumerate(shown, start=1)]
    rest = report.findings[MOST_FINDINGS:]
    if rest:
        n = sum(len(finding.outcomes) for finding in rest)
        blocks.append(f"{len(rest)} more findings, of {n} cases; --format json has them all")
    return blocks


def _of_finding(number: int, finding: Finding) -> list[str]:
    mark = f"[{number}]"
    n = len(finding.outcomes)
    lines = [f"{mark} {n} case{'s' * (n != 1)}: {finding.what}"]
    if finding.also:
        lines.append(row("or what", "; ".join(finding.also[:MOST_ALSO])))
    names = Counter(x.case.name for x in finding.outcomes)
    lines.append(row("in", ", ".join(f"{name} ({n})" for name, n in names.most_common())))
    if finding.example is not None:
        lines += _of_example(finding.example)
    lines.append(row("read", ", ".join(finding.spec)))
    ids = [x.case.id for x in finding.outcomes]
    more = f" and {n - MOST_IDS} more" if n > MOST_IDS else ""
    lines.append(row("cases", ", ".join(ids[:MOST_IDS]) + more))
    return lines


def _of_example(example: Example) -> list[str]:
    made = f"made of {example.id}" if example.shrunk else example.id
    lines = [row("for", f"{example.measure}  ({made})")]
    given = {name: x for name, x in example.asked.input.items() if not isinstance(x, str)}
    lines += [row("", f"{name} {compact(x)}") for name, x in given.items()]
    for name, text in example.asked.input.items():
        if isinstance(text, str):
            lines += [row("", f"{name}: {line}") for line in text.splitlines()[:8]]
    if example.asked.conventions is not None:
        usual = as_text(Conventions())
        chosen = {n: x for n, x in example.asked.conventions.items() if x != usual.get(n)}
        if chosen:
            lines.append(row("", ", ".join(f"{name}={x}" for name, x in chosen.items())))
    if example.expected is not None:
        lines.append(row("expected", compact(example.expected)))
    if example.said:
        lines.append(row("got", example.said))
    else:
        lines.append(row("got", compact(example.got)))
    return lines


def row(name: str, text: str) -> str:
    """A line of a finding: what it is, and that."""
    return f"    {name:9} {printable(text)}"


def compact(x: Any) -> str:
    """Plain data in a line, numbers with all their digits; of much data the beginning."""
    text = json.dumps(_plain(x), separators=(", ", ": "), ensure_ascii=False)
    if len(text) <= LONGEST:
        return text
    whole, comma, _ = text[: LONGEST - 3].rpartition(", ")  # no number is cut into another one
    return f"{whole}{comma}..." if whole else f"{text[: LONGEST - 3]}..."


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(part for line in lines for part in wrapped(line, " " * 14))


def _more(report: Report) -> list[str]:
    """What else is to be said: excuses, what is unsupported, and what is wrong with those."""
    blocks = [f"not tried as an explanation: {report.untried}"] if report.untried else []
    reasons = Counter(
        x.answer.reason or "no reason" for x in report.outcomes if x.verdict.status == "unsupported"
    )
    if reasons:
        said = [f"{reason} ({n})" for reason, n in reasons.most_common(MOST_REASONS)]
        said += [f"{len(reasons) - MOST_REASONS} more"] * (len(reasons) > MOST_REASONS)
        blocks.append(f"unsupported: {printable('; '.join(said))}")
    for excuse, words in (("known", "known failures"), ("accepted", "accepted failures")):
        ids = [x.case.id for x in report.excused if report.is_excused(x) == excuse]
        if ids:
            blocks.append(f"{words}: {', '.join(ids)}")
    if report.mended:
        ids = [x.case.id for x in report.mended]
        blocks.append(f"known to fail, and pass: {', '.join(ids)}; take them out of the list")
    return [_lines([block]) for block in blocks]


def _end(report: Report) -> str:
    """The last line: whether it conforms, and if not why."""
    run, passed = report.run, report.counts()["pass"]
    if report.ending:
        return _lines([f"the program died: {report.ending}"])
    if report.died:
        ids = [x.case.id for x in report.died]
        more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
        return _lines([f"the program died of {', '.join(ids[:MOST_IDS])}{more}"])
    if report.failures:
        return f"does not conform: {len(report.failures)} of {run} cases fail"
    if report.mended:
        return f"does not conform: {_known(len(report.mended))}"
    if report.valued < report.least:
        return (
            f"does not conform: {report.valued} of {len(report.outcomes)} cases pass by a value; "
            f"{report.least} must"
        )
    excused = f", {len(report.excused)} fail and are excused" if report.excused else ""
    return f"conforms: {passed} of {run} cases pass{excused}"


def _known(n: int) -> str:
    return f"{n} known failures pass" if n > 1 else "a known failure passes"


# ---- for programs ----------------------------------------------------------------------------


def as_json(report: Report, about: Mapping[str, Any]) -> str:
    """The result as JSON, all numbers as doubles that round-trip."""
    return json_of({**about, **report.to_dict()})


def junit(report: Report) -> str:
    """The result as JUnit has it: a test a case; excused failures are skipped ones."""
    from xml.etree.ElementTree import Element, SubElement, tostring

    failures = {x.case.id for x in report.failures}
    mended = {x.case.id for x in report.mended}
    n = len(report.outcomes)
    skipped = sum(x.verdict.status == "unsupported" for x in report.outcomes) + len(report.excused)
    given = {"tests": str(n), "failures": str(len(failures | mended)), "skipped": str(skipped)}
    name = f"rankspec {report.profile}"
    suites = Element("testsuites", given)
    suite = SubElement(suites, "testsuite", {"name": name, "errors": "0", "time": "0", **given})
    for outcome in report.outcomes:
        case = outcome.case
        of = {"name": case.id, "classname": f"rankspec.{case.id.rpartition('-')[0]}", "time": "0"}
        test = SubElement(suite, "testcase", of)
        if case.id in failures:
            failure = SubElement(test, "failure", {"message": _xml(outcome.verdict.why)})
            failure.text = _xml(f"{case.why}\n{case.id} by {', '.join(case.spec)}")
        elif case.id in mended:
            SubElement(test, "failure", {"message": "it is known to fail, and passes"})
        elif outcome.verdict.status != "pass":
            SubElement(test, "skipped", {"message": _xml(outcome.verdict.why)})
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suites, "unicode") + "\n"


def _xml(text: str) -> str:
    """The text without characters that XML has not."""
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in text)


def flags_of(cases: Iterable[Case]) -> list[str]:
    """The flags that cases have, in order."""
    return sorted({flag for case in cases for flag in case.flags})
