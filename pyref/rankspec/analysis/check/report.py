"""What is wrong or suspicious in a run and its qrels, before a number of theirs is believed.

What no reader can make sense of is an error already (RS-CONV-1, 6 and 10). Here is what has a
value, but perhaps not the one that was meant: each check counts, and gives one example.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...compute.arithmetic import standard_arithmetic
from ...compute.backends import answering
from ...errors import InputError
from ...evaluation import profiles, render
from ...evaluation.conventions import Conventions, as_text
from ...evaluation.profiles import Profile
from ...formats.frames import Label
from ...formats.streams import Source
from ...metrics.grammar import cutoff
from ...progress import Progress, Readings
from .checks import Finding, findings
from .duplicates import RepeatedLine, repeated_lines
from .files import Files, Judgments, as_stream
from .ranges import MOST_EVALUATIONS, MeanRanges
from .ranges import MeanRange as MeanRange  # noqa: PLC0414 - a part of the report
from .ranges import UnknownRange as UnknownRange  # noqa: PLC0414 - another
from .statistics import readings_for, statistics_of

if TYPE_CHECKING:
    from ...formats.sessions import Topics

TOP = 10
MOST_LISTED = 100  # duplicates, but in JSON


@dataclass(frozen=True)
class Report:
    """All findings, and how far the means could move; prints as lines.

    duplicates: each line with a document that came before, where that is an error (RS-CONV-10)
    """

    findings: tuple[Finding, ...]
    moves: tuple[MeanRange, ...]
    conventions: Conventions
    profile: str | None = None
    unknown: tuple[UnknownRange, ...] = ()
    duplicates: tuple[RepeatedLine, ...] = ()

    @property
    def suspicious(self) -> tuple[Finding, ...]:
        return tuple(x for x in self.findings if x.count and not x.information)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, as JSON has it."""
        return {
            "profile": self.profile,
            "conventions": as_text(self.conventions),
            "suspicious": [finding.name for finding in self.suspicious],
            "findings": [asdict(finding) for finding in self.findings],
            "moves": [asdict(move) for move in self.moves],
            "duplicates": [asdict(again) for again in self.duplicates],
            "unknown": [asdict(x) for x in self.unknown],
        }

    def __str__(self) -> str:
        width = max(len(finding.name) for finding in self.findings) + len(render.GAP)
        indent = " " * width
        lines = []
        for finding in self.findings:
            lines += render.wrapped(f"{finding.name:{width}}{finding}", indent)
            beside: list[MeanRange | UnknownRange] = [*self.moves, *self.unknown]
            for move in beside:
                if move.because == finding.name:
                    lines += render.wrapped(f"{indent}{move}", indent)
            if finding.name == "duplicates":
                for again in self.duplicates[:MOST_LISTED]:
                    lines += render.wrapped(f"{indent}{again}", indent)
                if more := len(self.duplicates[MOST_LISTED:]):
                    lines.append(f"{indent}and {more} more; --format json has all")
        found, checks = len(self.suspicious), sum(not x.information for x in self.findings)
        ending = f"{found} of {checks} checks found something."
        return "\n".join([*lines, "", ending if found else "Nothing suspicious."])


def check(
    qrels: Source,
    run: Source,
    *,
    top: int = TOP,
    profile: str | None = None,
    backend: str = "auto",
    progress: Progress | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    **given: Any,
) -> Report:
    """Check a run against qrels.

    qrels, run: files as of evaluate(), or data frames

    top: how many ranks are the top of a list
    profile, and the conventions: as of evaluate(), by which the means are that could move
    topics, grades: as of evaluate()
    backend: as of evaluate()
    progress: as of evaluate_by(), over all readings of the run

    What is an error by the conventions is a finding here: of a document given twice, each line is
    in the report, and the first counts. Where
    labels are scores none is unusual, and the means are those of nDCG_phi (RS-CONV-20).
    Memory grows with the judgments and the largest query; with all rows of a run that is not in
    TREC format. Lines of a table without lines, such as Parquet, are its rows, from 1. Raises
    InputError for what cannot be read.
    """
    return check_ranked(
        *(qrels, run, given),
        top=top,
        profile=profile,
        backend=backend,
        progress=progress,
        topics=topics,
        grades=grades,
    )


@standard_arithmetic
def check_ranked(
    qrels: Source,
    run: Source,
    given: Mapping[str, Any],
    *,
    top: int = TOP,
    profile: str | None = None,
    backend: str = "auto",
    progress: Progress | None = None,
    by: str | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
) -> Report:
    """Check a run as check() does.

    by: what orders the rows of a LETOR file (RS-CONV-21), which qrels and run were made of
    """
    top = cutoff(top, "top") or TOP
    chosen, asked = profiles.chosen_conventions(profile, given)
    conventions = replace(asked, duplicates="first") if asked.duplicates == "error" else asked
    if conventions.extreme:
        raise InputError(
            f'check: with unjudged="{conventions.unjudged}" nothing needs checking: check always '
            "reports how far unjudged documents could move a mean"
        )
    backend = answering(backend)
    judgments = Judgments.read(qrels, conventions, topics, grades)
    readings = Readings(progress, readings_for(conventions) + MOST_EVALUATIONS)
    with closing(as_stream(run, "run", conventions)) as stream:
        files = Files(judgments, stream, backend)
        return _report(files, conventions, asked, chosen, readings, top, by)


def _report(
    files: Files,
    conventions: Conventions,
    asked: Conventions,
    profile: Profile | None,
    readings: Readings,
    top: int,
    by: str | None,
) -> Report:
    """The report on some files; asked: the conventions as given, duplicates an error perhaps."""
    statistics = statistics_of(files, conventions, top, readings)
    refused = asked.duplicates == "error"
    ranges = MeanRanges(files, conventions, profile, readings)
    whole = ranges.of_whole_lists(top)
    found = findings(files, statistics, conventions, top, whole=whole, refused=refused, by=by)
    repeated = tuple(repeated_lines(files, statistics, asked.how)) if refused else ()
    ties = any(x.all_tied for x in statistics.ordered)
    unjudged = any(x.any_unjudged for x in statistics.listed)
    if files.run.scattered and (ties or unjudged):
        from ...evaluation.joined import group

        group(files.run, readings.next())
    cut = any(x.cut for x in statistics.ordered)
    moves = list(ranges.of_means(top, ties, unjudged, cut))
    return Report(
        findings=tuple(found),
        moves=tuple(x for x in moves if isinstance(x, MeanRange)),
        conventions=asked,
        profile=profile.name if profile else None,
        unknown=tuple(x for x in moves if isinstance(x, UnknownRange)),
        duplicates=repeated,
    )
