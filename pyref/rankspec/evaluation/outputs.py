"""The output formats of evaluations: a table for people; TSV, JSON and trec_eval's lines for
programs.

Each function takes the evaluations of one or more runs by name, all of the same measures and
conventions, and returns the whole text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import render
from .render import JSON, LINES, PAGE, Output

if TYPE_CHECKING:  # help names the formats before there are measures
    from .profiles import Profile
    from .result import Runs


def table(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a run, or a table a run and a row a query."""
    from .result import table as written

    return written(runs, per_query=per_query, digits=digits)


def tsv(runs: Runs, *, per_query: bool = False, digits: int | None = None) -> str:
    """Tab-separated: run, query ("all" is the mean), then a column a measure."""
    from .result import rows

    found = {name: rows(evaluation, render.ALL, per_query) for name, evaluation in runs.items()}
    return render.tab_separated(found, ["run", "query", *_measures(runs)], digits)


def trec(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """As trec_eval prints: measure, query or "all", value; several runs, each after its runid.

    No cell has blanks: whoever reads such lines divides them there.
    """
    from .result import rows

    lines = []
    for name, evaluation in runs.items():
        if len(runs) > 1:
            lines.append(("runid", render.ALL, "_".join(name.split())))
        columns = [
            ("".join(m.trec_name.split()), m.metric.whole_numbers) for m in evaluation.measures
        ]
        for query, values in rows(evaluation, render.ALL, per_query):
            for (m, counts), x in zip(columns, values, strict=True):
                if x is not None:  # a count is written as one, where no tie makes it a mean
                    whole = counts and x.is_integer()
                    lines.append((m, query, render.cell(x, 0 if whole else digits)))
    return "".join(f"{m:22}\t{render.one_cell(query)}\t{x}\n" for m, query, x in lines)


def json(runs: Runs, *, per_query: bool = False, **about: Any) -> str:
    """JSON: the definition of each measure, and all numbers as doubles that round-trip.

    A mean that there is not, as no query has a value, is null.
    """
    by_run = {name: evaluation.to_dict() for name, evaluation in runs.items()}
    first = next(iter(by_run.values()))
    document = {
        **about,
        "profile": first["profile"],
        "conventions": first["conventions"],
        "measures": first["measures"],
        "runs": [
            {
                "run": name,
                "queries": found["queries"],
                "missing": found["missing"],
                "extra": found["extra"],
                "mean": {m: render.or_none(x) for m, x in found["mean"].items()},
            }
            | ({"per_query": found["per_query"]} if per_query else {})
            for name, found in by_run.items()
        ],
    }
    return render.json_of(document)


def _measures(runs: Runs) -> list[str]:
    return [str(measure) for measure in next(iter(runs.values())).measures]


OUTPUTS = (
    Output("table", PAGE, lambda runs, n, _, **which: table(runs, digits=n, **which), digits=4),
    Output("tsv", LINES, lambda runs, n, _, **which: tsv(runs, digits=n, **which)),
    Output("json", JSON, lambda runs, _, about, **which: json(runs, **which, **about)),
    Output(
        "trec",
        "the lines that trec_eval prints",
        lambda runs, n, _, **which: trec(runs, digits=n, **which),
        digits=4,
    ),
)
"""The one list of them; the first is the default."""


def _measures_table(*_: Any) -> str:
    from ..metrics.catalogue import AVERAGES, BOUNDS, METRICS, SESSION_METRICS
    from .listings import metrics_table

    return metrics_table(METRICS, SESSION_METRICS, (*BOUNDS, *AVERAGES))


def _measures_json(*_: Any) -> str:
    from ..metrics.catalogue import AVERAGES, BOUNDS, METRICS, SESSION_METRICS
    from .listings import metrics_json

    return metrics_json(METRICS, SESSION_METRICS, (*BOUNDS, *AVERAGES))


def _profiles_table(chosen: Profile | None, *_: Any) -> str:
    from .listings import profiles_table

    return profiles_table(chosen)


def _profiles_json(chosen: Profile | None, *_: Any) -> str:
    from .listings import profiles_json

    return profiles_json(chosen)


MEASURES = (Output("table", PAGE, _measures_table), Output("json", JSON, _measures_json))
PROFILES = (Output("table", PAGE, _profiles_table), Output("json", JSON, _profiles_json))
"""Those of the lists of what there is: of all metrics, of the profiles or one of them."""
