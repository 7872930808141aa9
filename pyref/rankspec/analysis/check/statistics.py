"""Counts per query, gathered while a run is read: ties, unjudged documents; none is evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ...evaluation.conventions import Conventions
from ...evaluation.line_statistics import Remark
from ...evaluation.ranked import RankedLists
from ...progress import Readings
from .files import Files


class QueryStatistics(NamedTuple):
    """What is counted of one query.

    length, considered, top: how many documents the list has, how many of them are considered
        (RS-CONV-16), and how many of these are its top
    all_tied: how many that are considered have the score of another of the list
    tied, unjudged: how many of the top have the score of another of the list; have no judgment
    unjudged_below: how many that are considered, below the top, have no judgment
    any_unjudged: whether any of the list has none, considered or not
    cut: whether the depth cuts a tie: what the list is, is left open
    merged: whether 32-bit floats tie some that are considered, whose scores and labels differ, with
        each other or with what is below the depth (RS-CONV-12)
    """

    query: str
    length: int
    considered: int
    top: int
    all_tied: int
    tied: int
    unjudged: int
    unjudged_below: int
    any_unjudged: bool
    cut: bool
    merged: bool
    remark: Remark


@dataclass(frozen=True)
class RunStatistics:
    """What is counted of all queries.

    queries: of those of the run, in its order
    listed: of those that are evaluated: that both files have, in the order of the qrels, or all
        of the run (RS-CONV-9)
    ordered: of the same, by the lists that the conventions evaluate, which may be condensed
    """

    queries: list[QueryStatistics]
    listed: list[QueryStatistics]
    ordered: list[QueryStatistics]


def readings_for(conventions: Conventions) -> int:
    """How often the run is read for its statistics."""
    return 2 if conventions.condensed else 1


def statistics_of(
    files: Files, conventions: Conventions, top: int, readings: Readings
) -> RunStatistics:
    """The statistics under some conventions; top: how many ranks are the top."""

    def work(lists: RankedLists) -> list[QueryStatistics]:
        return list(_of_lists(lists, top, conventions.depth))

    def counted(rules: Conventions) -> list[QueryStatistics]:
        progress = readings.next()
        pieces = files.judged(rules).map_run(files.run, rules, work, progress, remarks=True)
        return [x for piece in pieces for x in piece.result]

    def evaluated(found: list[QueryStatistics]) -> list[QueryStatistics]:
        if conventions.evaluates_run:
            return found
        by_query = {x.query: x for x in found}
        return [by_query[query] for query in files.labels if query in by_query]

    every = counted(with_all_judgments(conventions))
    listed = evaluated(every)
    if not conventions.condensed:
        return RunStatistics(every, listed, listed)
    return RunStatistics(every, listed, evaluated(counted(as_ordered(conventions))))


def as_ordered(conventions: Conventions) -> Conventions:
    """The conventions by which lists are made to be counted, those of all queries of the run.

    Which documents are tied depends on no rule, and where "expected" leaves open what a depth
    cuts off, that is no error here. Nor are negative labels.
    """
    by_id = conventions.ties in ("id-descending", "id-ascending")
    ties = conventions.ties if by_id else "input"
    return replace(accepting_negative(conventions), ties=ties, queries="run", depth=None)


def with_all_judgments(conventions: Conventions) -> Conventions:
    """The same, where nothing is left out."""
    return replace(as_ordered(conventions), unjudged="nonrelevant")


def accepting_negative(conventions: Conventions) -> Conventions:
    """The same, where negative labels are no error."""
    return replace(conventions, negative="zero") if conventions.negative == "error" else conventions


def _of_lists(lists: RankedLists, top: int, depth: int | None) -> Iterator[QueryStatistics]:
    starts = bytes(lists.starts) + b"\1"  # behind a list, another starts
    unjudged = bytes(lists.unjudged)
    bounds = pairwise(lists.batch.offsets)
    for query, remark, (begin, end) in zip(lists.queries, lists.remarks, bounds, strict=True):
        considered = end if depth is None else min(end, begin + depth)
        end_of_top = min(considered, begin + top)
        first_tied = starts.find(0, begin, end) - 1  # the next starts no group of its own
        if first_tied < 0:
            first_tied = end
        yield QueryStatistics(
            query,
            length=end - begin,
            considered=considered - begin,
            top=end_of_top - begin,
            all_tied=_number_of_tied(starts, first_tied, considered),
            tied=_number_of_tied(starts, first_tied, end_of_top),
            unjudged=unjudged.count(1, begin, end_of_top),
            unjudged_below=unjudged.count(1, end_of_top, considered),
            any_unjudged=1 in unjudged[begin:end],
            cut=considered < end and not starts[considered],
            merged=0 <= remark.merged < considered - begin,
            remark=remark,
        )


def _number_of_tied(starts: bytes, begin: int, end: int) -> int:
    """How many documents from begin to end are not alone in their tie group."""
    if begin >= end:
        return 0
    own, behind = (int.from_bytes(starts[i : i + end - begin], "big") for i in (begin, begin + 1))
    return end - begin - (own & behind).bit_count()  # of two lists of 0 and 1: no loop over them
