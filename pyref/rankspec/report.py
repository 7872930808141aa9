"""Evaluations as text: a table for people, and TSV, JSON and trec_eval's lines for programs.

Each function takes the evaluations of one or more runs by name, all of the same measures and
queries, and returns the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import profiles
from .evaluation import Evaluation
from .measure import Measure, Metric

Runs = Mapping[str, Evaluation]

WIDTH = 80
GAP = "  "
LONGEST_COLUMN = 48


def table(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a run, or a table a run and a row a query."""
    first = next(iter(runs.values()))
    header = [str(measure) for measure in first.measures]
    blocks = []
    if per_query:
        for name, evaluation in runs.items():
            rows = [(label, _fixed(values, digits)) for label, values in _rows(evaluation, "mean")]
            title = [shortened(name, WIDTH)] if len(runs) > 1 else []
            blocks.append("\n".join([*title, columns("query", header, rows)]))
    else:
        rows = [(name, _fixed(e.mean.values(), digits)) for name, e in runs.items()]
        blocks.append(columns("run", header, rows))
    return "\n\n".join([*blocks, "\n".join(_notes(runs))]) + "\n"


def tsv(runs: Runs, *, per_query: bool = False, digits: int | None = None) -> str:
    """Tab-separated: run, query ("all" is the mean), then a column a measure."""
    first = next(iter(runs.values()))
    lines = [["run", "query", *(str(measure) for measure in first.measures)]]
    for name, evaluation in runs.items():
        for query, values in _rows(evaluation, "all", per_query):
            written = map(repr, values) if digits is None else _fixed(values, digits)
            lines.append([name, query, *written])
    return "".join("\t".join(map(_one_cell, line)) + "\n" for line in lines)


def trec(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """As trec_eval prints: measure, query or "all", value; several runs, each after its runid."""
    lines = []
    for name, evaluation in runs.items():
        if len(runs) > 1:
            lines.append(("runid", "all", name))
        names = [measure.trec_name for measure in evaluation.measures]
        for query, values in _rows(evaluation, "all", per_query):
            written = _fixed(values, digits)
            lines.extend((m, query, x) for m, x in zip(names, written, strict=True))
    return "".join(f"{m:22}\t{_one_cell(query)}\t{_one_cell(x)}\n" for m, query, x in lines)


def json(runs: Runs, *, per_query: bool = False, **about: Any) -> str:
    """JSON: the definition of each measure, and all numbers as doubles that round-trip."""
    from json import dumps

    first = next(iter(runs.values())).to_dict()
    kept = ("missing", "mean", "per_query") if per_query else ("missing", "mean")
    document = {
        **about,
        "profile": first["profile"],
        "conventions": first["conventions"],
        "measures": first["measures"],
        "queries": first["queries"],
        "runs": [
            {"run": name, **{key: evaluation.to_dict()[key] for key in kept}}
            for name, evaluation in runs.items()
        ],
    }
    return dumps(document, indent=2) + "\n"


def _rows(
    evaluation: Evaluation, mean: str, per_query: bool = True
) -> Iterator[tuple[str, list[float]]]:
    """(query, values of all measures), and the means last, under the given name."""
    by_measure = list(evaluation.per_query.values())
    if per_query:
        for query in evaluation.queries:
            yield query, [values[query] for values in by_measure]
    yield mean, list(evaluation.mean.values())


def _fixed(values: Any, digits: int) -> list[str]:
    return [f"{x:.{digits}f}" for x in values]


def _one_cell(text: str) -> str:
    """The text without the characters that divide cells and lines."""
    return text.translate({ord(c): " " for c in "\t\n\r"})


def _notes(runs: Runs) -> Iterator[str]:
    """What the numbers are the mean of, and what may surprise."""
    first = next(iter(runs.values()))
    n = len(first.queries)
    chosen = "".join(f", {name}: {x}" for name, x in profiles.differing(first.conventions).items())
    under = f", profile: {first.profile}" if first.profile else ""
    ties = "" if "ties" in profiles.differing(first.conventions) else f", ties: {first.ties}"
    yield f"{n} {'query' if n == 1 else 'queries'}{under}{ties}{chosen}"
    for name, evaluation in runs.items():
        if evaluation.missing:
            of = f" has no results for {len(evaluation.missing)} of them: they count 0"
            yield shortened(name, WIDTH - len(of)) + of


def columns(corner: str, header: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Aligned columns, the first to the left and the others to the right.

    What does not fit into the width continues in another block below, with the first column
    repeated; a label that is too long is shortened.
    """
    header = [shortened(name, LONGEST_COLUMN) for name in header]
    widths = [
        max(len(name), *(len(cells[i]) for _, cells in rows)) for i, name in enumerate(header)
    ]
    room = WIDTH - len(GAP) - max(widths, default=0)
    labels = [shortened(label, max(room, 12)) for label in (corner, *(label for label, _ in rows))]
    first = max(map(len, labels))
    blocks, begin = [], 0
    while begin < len(header):
        end, used = begin + 1, first + len(GAP) + widths[begin]
        while end < len(header) and used + len(GAP) + widths[end] <= WIDTH:
            used += len(GAP) + widths[end]
            end += 1
        lines = [(labels[0], header), *zip(labels[1:], (cells for _, cells in rows), strict=True)]
        blocks.append(
            "\n".join(
                GAP.join(
                    [f"{label:{first}}", *(f"{cells[i]:>{widths[i]}}" for i in range(begin, end))]
                )
                for label, cells in lines
            )
        )
        begin = end
    return "\n\n".join(blocks)


def shortened(text: str, width: int) -> str:
    """The text, printable, and with its middle left out where it is too long."""
    text = "".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else "?" for c in text)
    if len(text) <= width:
        return text
    left = (width - 3) // 2
    return text[:left] + "..." + text[len(text) - (width - 3 - left) :]


def metrics_table(metrics: Sequence[Metric]) -> str:
    """The metrics, two lines each: name, title and spec ID; parameters and trec_eval's names."""
    lines = []
    for metric in metrics:
        about = _about(metric)
        parameters = ", ".join(f"{name}={default}" for name, default in about["parameters"].items())
        trec_names = ", ".join(about["trec_eval"])
        lines.append(f"{metric.name:6}{metric.title:62}{metric.spec:>12}")
        lines.append(
            f"      {parameters:37}{'trec_eval: ' * bool(trec_names)}{trec_names}".rstrip()
        )
    return "\n".join([*lines, "", METRICS_NOTE])


METRICS_NOTE = """\
A parameter follows its measure in parentheses, the cut-off comes last:
  nDCG@10   nDCG(gain='exp2', discount='zipf')@20   AP(rel=2, norm='min')@100
  gain      linear, exp2, or the gains of the labels 0, 1, ...: 0-1-10-100
  discount  log2, log(b=10), jarvelin-2008(b=2), jarvelin-2002(b=2), zipf, none
  rel       the least label that is relevant
  norm      what AP divides by: R, min (of k and R) or k
  ideal     where nDCG cuts the ideal: k, as the list, or all, the pool uncut
"""


def metrics_json(metrics: Sequence[Metric]) -> str:
    """The metrics as JSON."""
    from json import dumps

    return dumps([_about(metric) for metric in metrics], indent=2) + "\n"


def _about(metric: Metric) -> dict[str, Any]:
    default = Measure(metric)
    return {
        "name": metric.name,
        "title": metric.title,
        "spec": metric.spec,
        "expected_spec": metric.expected_spec,
        "parameters": {name: str(getattr(default, name)) for name in metric.parameters},
        "trec_eval": [
            *([metric.trec] if metric.trec else []),
            *([f"{metric.trec_cut}.K"] if metric.trec_cut else []),
        ],
    }
