"""The output formats of evaluations of sessions: a table for people; TSV, CSV and JSON for
programs.

Each function takes the evaluations of one or more files of sessions by name, all of the same
measures and conventions, and returns the whole text.
"""

from __future__ import annotations

from typing import Any

from ...errors import InputError
from ..render import ALL, JSON, LINES, PAGE, Output, json_of, lines_of, or_none
from ..typeset import CSV, comma_separated, tab_separated
from .result import SD, SessionEvaluation, Systems, row_of_sd, rows, table


def tsv(
    systems: Systems, *, per_session: bool = False, sd: bool = False, digits: int | None = None
) -> str:
    """Tab-separated: sessions (the file), session ("all" is the mean), then a column a measure.

    sd: the standard deviations too, as the session "sd"; numbers of queries have no place here
    """
    return tab_separated(_lines(systems, per_session, sd, digits))


def csv(
    systems: Systems, *, per_session: bool = False, sd: bool = False, digits: int | None = None
) -> str:
    """The same with commas; a cell with a comma, a quote or a line end in it is in quotes."""
    return comma_separated(_lines(systems, per_session, sd, digits))


def _lines(systems: Systems, per_session: bool, sd: bool, digits: int | None) -> list[list[str]]:
    found = {name: rows(evaluation, ALL, per_session) for name, evaluation in systems.items()}
    for name, evaluation in systems.items() if sd else ():
        if per_session and SD in evaluation.sessions:
            raise InputError(
                f'{name}: "{SD}" is the name of a session, but also of the standard deviation in '
                "this format; use --format json or table, which tell the two apart (RS-CONV-35)"
            )
        found[name] += row_of_sd(evaluation, SD)
    return lines_of(found, ["sessions", "session", *_measures(systems)], digits)


def json(systems: Systems, *, per_session: bool = False, sd: bool = False, **about: Any) -> str:
    """JSON: the definition of each measure, and all numbers as doubles that round-trip.

    A mean that there is not, as no session has a value, is null; so is a standard deviation.
    sd: the standard deviations too, and how many sessions have 1, 2, ... queries
    """
    by_system = {name: evaluation.to_dict() for name, evaluation in systems.items()}
    first = next(iter(by_system.values()))
    document = {
        **about,
        "conventions": first["conventions"],
        "measures": first["measures"],
        "systems": [
            {
                "file": name,
                "sessions": found["sessions"],
                "left_out": found["left_out"],
                "mean": {m: or_none(x) for m, x in found["mean"].items()},
            }
            | (statistics(systems[name]) if sd else {})
            | ({x: found[x] for x in ("queries", "topics", "per_session")} if per_session else {})
            for name, found in by_system.items()
        ],
    }
    return json_of(document)


def statistics(found: SessionEvaluation) -> dict[str, Any]:
    """The standard deviations, and how many queries the sessions have."""
    lengths = found.lengths
    return {
        "sd": {m: or_none(x) for m, x in found.sd.items()},
        "lengths": {
            "sessions": {str(q): n for q, n in lengths.sessions.items()},
            "mean": or_none(lengths.mean),
            "sd": or_none(lengths.sd),
        },
    }


def _measures(systems: Systems) -> list[str]:
    return [str(measure) for measure in next(iter(systems.values())).measures]


OUTPUTS = (
    Output("table", PAGE, lambda found, n, _, **which: table(found, digits=n, **which), digits=4),
    Output("tsv", LINES, lambda found, n, _, **which: tsv(found, digits=n, **which)),
    Output("json", JSON, lambda found, _, about, **which: json(found, **which, **about)),
    Output("csv", CSV, lambda found, n, _, **which: csv(found, digits=n, **which)),
)
"""The one list of them; the first is the default."""
