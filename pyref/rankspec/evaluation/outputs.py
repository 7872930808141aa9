"""The output formats of evaluations: a table for people, LaTeX and Markdown for papers; CSV, TSV,
JSON, JSON lines, Parquet and trec_eval's lines for programs.

Each function takes the evaluations of one or more runs by name, all of the same measures and
conventions, and returns the whole text, or the bytes of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..typed import TYPE_CHECKING, Any
from . import render
from .render import (
    ALL,
    JSON,
    JSON_LINES,
    LINES,
    PAGE,
    PARQUET,
    Output,
    lines_of,
    name_of_mean,
    short_cell,
)
from .typeset import (
    CSV,
    LATEX,
    MARKDOWN,
    Grid,
    booktabs,
    comma_separated,
    pipe_tables,
    tab_separated,
)

if TYPE_CHECKING:  # help names the formats before there are measures
    from .profiles import Profile
    from .result import Runs


def table(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a run, or a table a run and a row a query."""
    from .result import table as written

    return written(runs, per_query=per_query, digits=digits)


def latex(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """The table for LaTeX, with booktabs; what the numbers are of are comments."""
    from .result import notes

    return booktabs(_grids(runs, per_query, digits), notes(runs))


def markdown(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """The table for Markdown, and under it what the numbers are of."""
    from .result import notes

    return pipe_tables(_grids(runs, per_query, digits), notes(runs))


def _grids(runs: Runs, per_query: bool, digits: int) -> Iterator[Grid]:
    """The tables of the same rows as table(): a row a run, or a table a run and a row a query."""
    from .result import rows

    header = _measures(runs)
    systems = [
        (name, rows(found, name_of_mean(found.queries if per_query else ()), per_query))
        for name, found in runs.items()
    ]
    as_cells = [
        (name, [(label, [short_cell(x, digits) for x in values]) for label, values in of])
        for name, of in systems
    ]
    if per_query:
        for name, cells in as_cells:
            yield Grid(name, "query", header, cells)
    else:
        yield Grid("means", "run", header, [(name, cells[-1][1]) for name, cells in as_cells])


def tsv(runs: Runs, *, per_query: bool = False, digits: int | None = None) -> str:
    """Tab-separated: run, query ("all" is the mean), then a column a measure."""
    return tab_separated(_lines(runs, per_query, digits))


def csv(runs: Runs, *, per_query: bool = False, digits: int | None = None) -> str:
    """The same with commas; a cell with a comma, a quote or a line end in it is in quotes."""
    return comma_separated(_lines(runs, per_query, digits))


def _lines(runs: Runs, per_query: bool, digits: int | None) -> list[list[str]]:
    from .result import rows

    found = {name: rows(evaluation, ALL, per_query) for name, evaluation in runs.items()}
    return lines_of(found, ["run", "query", *_measures(runs)], digits)


def jsonl(runs: Runs, *, per_query: bool = False) -> str:
    """A JSON object a line: run, query (null: the mean), then the value of each measure.

    What has no value is null; numbers are doubles that round-trip.
    """
    from json import dumps  # costs start-up time

    measures = _measures(runs)
    return "".join(
        dumps({"run": name, "query": query, **dict(zip(measures, values, strict=True))}) + "\n"
        for name, query, values in _rows_with_mean(runs, per_query)
    )


def parquet(runs: Runs, *, per_query: bool = False, **about: Any) -> bytes:
    """The same as a Parquet file, of which the metadata say what the numbers are, as JSON does."""
    from .data_frames import Table, parquet_of

    names, queries, values = zip(*_rows_with_mean(runs, per_query), strict=True)
    numbers = dict(zip(_measures(runs), zip(*values, strict=True), strict=True))
    said = _definitions(next(iter(runs.values())).to_dict(), about)
    return parquet_of(Table({"run": names, "query": queries}, numbers), said)


def _rows_with_mean(
    runs: Runs, per_query: bool
) -> Iterator[tuple[str, str | None, list[float | None]]]:
    """The run, the query and the values; of the mean, behind the queries, the query is None."""
    from .result import rows

    for name, evaluation in runs.items():
        *of_queries, (_, mean) = rows(evaluation, "mean", per_query)
        yield from ((name, query, values) for query, values in of_queries)
        yield name, None, mean


def trec(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """As trec_eval prints: measure, query or "all", value; several runs, each after its runid.

    No cell has blanks: whoever reads such lines divides them there.
    """
    from .result import rows

    lines = []
    for name, evaluation in runs.items():
        if len(runs) > 1:
            lines.append(("runid", render.ALL, "_".join(name.split())))
        names = [m.trec_name for m in evaluation.measures]
        only = [
            str(m) if names.count(m.trec_name) > 1 else m.trec_name for m in evaluation.measures
        ]
        columns = [
            ("".join(name.split()), m.metric.whole_numbers)
            for name, m in zip(only, evaluation.measures, strict=True)
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
    document = {
        **_definitions(next(iter(by_run.values())), about),
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


def _definitions(found: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """What the numbers are: of an evaluation as plain data."""
    return {**about, **{x: found[x] for x in ("profile", "conventions", "measures")}}


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
    Output("csv", CSV, lambda runs, n, _, **which: csv(runs, digits=n, **which)),
    Output("jsonl", JSON_LINES, lambda runs, *_, **which: jsonl(runs, **which)),
    Output("latex", LATEX, lambda runs, n, _, **which: latex(runs, digits=n, **which), digits=4),
    Output(
        "markdown",
        MARKDOWN,
        lambda runs, n, _, **which: markdown(runs, digits=n, **which),
        digits=4,
    ),
    Output(
        "parquet",
        PARQUET,
        lambda runs, _, about, **which: parquet(runs, **which, **about),
        binary=True,
    ),
)
"""The one list of them; the first is the default."""


def _measures_table(*_: Any) -> str:
    from ..metrics.catalogue import DIVERSITY_METRICS, MAKERS, METRICS, SESSION_METRICS
    from .listings import metrics_table

    return metrics_table(METRICS, SESSION_METRICS, MAKERS, DIVERSITY_METRICS)


def _measures_json(*_: Any) -> str:
    from ..metrics.catalogue import DIVERSITY_METRICS, MAKERS, METRICS, SESSION_METRICS
    from .listings import metrics_json

    return metrics_json(METRICS, SESSION_METRICS, MAKERS, DIVERSITY_METRICS)


def _profiles_table(chosen: Profile | None, *_: Any) -> str:
    from .listings import profiles_table

    return profiles_table(chosen)


def _profiles_json(chosen: Profile | None, *_: Any) -> str:
    from .listings import profiles_json

    return profiles_json(chosen)


MEASURES = (Output("table", PAGE, _measures_table), Output("json", JSON, _measures_json))
PROFILES = (Output("table", PAGE, _profiles_table), Output("json", JSON, _profiles_json))
"""Those of the lists of what there is: of all metrics, of the profiles or one of them."""
