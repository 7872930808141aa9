"""The output formats of what analyses find: of each command, one list of them.

What writes them stands beside what is written; it is loaded when it is needed, since help names the
formats before there are measures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..evaluation.render import JSON, LINES, PAGE, Output, json_of
from ..evaluation.typeset import CSV, LATEX, MARKDOWN

if TYPE_CHECKING:
    from ..certify import Certified
    from ..metrics.measure import Measure
    from .axioms.report import Axioms
    from .check.report import Report
    from .explain.value import ExplainedValue
    from .identify.report import Identification
    from .query_types import Classification
    from .relevance import Relevance

About = Mapping[str, Any]


def json(found: Any, _: int | None, about: About) -> str:
    """JSON of whatever has a to_dict(), all numbers as doubles that round-trip."""
    return json_of({**about, **found.to_dict()})


def explanation(found: ExplainedValue, digits: int, _: About) -> str:
    """The ranks, the equation with its numbers, and the definition."""
    from .explain.text import table

    return table(found, digits)


def report(found: Report, *_: Any) -> str:
    """The findings, a line or more each."""
    return f"{found}\n"


def axioms(found: Axioms, _: int, __: About, witness: bool = False) -> str:
    """The verdicts, a row an axiom; what shows them, if that is asked for."""
    from .axioms.report import text

    return f"{text(found, witness)}\n"


def axioms_json(found: Axioms, digits: int | None, about: About, witness: bool = False) -> str:  # noqa: ARG001
    """JSON: of each verdict the law, the counterexample and the witnesses, too."""
    return json(found, digits, about)


def identification(found: Identification, _: int, about: About) -> str:
    """The definition, its choices, and what it does not explain; then what has changed."""
    if "drift" not in about:
        return f"{found}\n"
    changed = "\n".join(about["drift"]) or "the definition is the expected one"
    return f"{found}\n\n{changed}\n"


def classes(found: Classification, digits: int, _: About) -> str:
    """A row a query, the classes at the right."""
    from .query_types import table

    return table(found, digits)


def classes_tsv(found: Classification, digits: int | None, _: About) -> str:
    """Tab-separated: query, expected, real, bound, gap, classes."""
    from .query_types import tsv

    return tsv(found, digits)


Relevances = tuple["Sequence[Relevance]", "Measure"]
"""What relevance is written of: that of each query, and what says how it is made of scores."""


def relevance(found: Relevances, digits: int, _: About) -> str:
    """Of each query the control points and the items; the middle of many items is left out."""
    from .relevance import table

    return table(*found, digits)


def relevance_tsv(found: Relevances, digits: int | None, _: About) -> str:
    """Tab-separated: query, item, score, phi."""
    from .relevance import tsv

    return tsv(found[0], digits)


def relevance_json(found: Relevances, _: int | None, about: About) -> str:
    """JSON: how relevance is made, and that of each query."""
    from .relevance import to_dict

    return json_of({**about, **to_dict(*found)})


def certificates(found: Sequence[Certified], *_: Any) -> str:
    """Of each value the double, the digits, the enclosure, the exact form and the bits."""
    from .certificates import table

    return table(found)


def certificates_json(found: Sequence[Certified], _: int | None, about: About) -> str:
    """JSON: the same of each value."""
    from .certificates import to_dict

    return json_of({**about, "values": [to_dict(x) for x in found]})


Cases = Sequence[dict[str, Any]]
"""Cases of test vectors, with what is expected of each."""


def certified_cases(found: Cases, *_: Any) -> str:
    """Tab-separated: case, place in a list of values, decimal, hex, bits, exact."""
    from .certificates import table_of_cases

    return table_of_cases(found)


def certified_cases_json(found: Cases, _: int | None, about: About) -> str:
    """JSON: the cases, each with what is expected of it."""
    return json_of({**about, "cases": found})


def _of_comparison(module: str, name: str) -> Callable[[Any, int | None, About], str]:
    """What writes a format: the function of that name, which a module of comparisons has."""

    def write(found: Any, digits: int | None, _: About) -> str:
        writer = getattr(import_module(f".comparison.{module}", __package__), name)
        return str(writer(found, digits))

    return write


def _tables(module: str) -> tuple[Output, ...]:
    """The formats of a comparison, which all are of the same tables."""
    return (
        Output("table", PAGE, _of_comparison(module, "table"), digits=4),
        Output("latex", LATEX, _of_comparison(module, "latex"), digits=4),
        Output("markdown", MARKDOWN, _of_comparison(module, "markdown"), digits=4),
        Output("csv", CSV, _of_comparison(module, "csv_text")),
        Output("tsv", LINES, _of_comparison(module, "tsv")),
        Output("json", JSON, json),
    )


EXPLANATION = (Output("table", PAGE, explanation, digits=4), Output("json", JSON, json))
REPORT = (Output("table", PAGE, report), Output("json", JSON, json))
CLASSES = (
    Output("table", PAGE, classes, digits=4),
    Output("tsv", LINES, classes_tsv),
    Output("json", JSON, json),
)
RELEVANCE = (
    Output("table", PAGE, relevance, digits=4),
    Output("tsv", LINES, relevance_tsv),
    Output("json", JSON, relevance_json),
)
CERTIFICATE = (Output("text", PAGE, certificates), Output("json", JSON, certificates_json))
CERTIFIED_CASES = (
    Output("text", LINES, certified_cases),
    Output("json", JSON, certified_cases_json),
)
AXIOMS = (Output("table", PAGE, axioms), Output("json", JSON, axioms_json))
IDENTIFICATION = (Output("table", PAGE, identification), Output("json", JSON, json))
COMPARISON = _tables("text")
DESIGN = _tables("design")
JUDGMENTS = _tables("judgments_text")
UNJUDGED = _tables("unjudged_text")
REPLICATION = _tables("replication_text")
