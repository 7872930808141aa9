"""Writes what follows from the list of metrics, so that nobody writes it again.

    python tools/functions.py           writes the files
    python tools/functions.py --check   exits 1 where a file is not what would be written

pyref/rankspec/api/metrics.py    a function for each metric of rankings
pyref/rankspec/api/diversity.py  a function for each metric of diversity
pyref/rankspec/metrics/chapters.py  the chapter of each metric
pyref/rankspec/metrics/catalogue.py, pyref/rankspec/__init__.py
                                 the names of metrics and of bounds, and of these functions
csrc/rankspec.h                  a number for each metric that the core has: a new one comes last
spec/bounds.md                   the metrics that have bounds, and why the others have none
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pyref"))

from rankspec.metrics import (  # noqa: E402
    cascade,
    dcg,
    length,
    precision,
    relevance,
    session,
    users,
    utility,
)
from rankspec.metrics.adjusted import Adjustment  # noqa: E402
from rankspec.metrics.bounds import Bound  # noqa: E402
from rankspec.metrics.catalogue import (  # noqa: E402
    BOUNDS,
    DIVERSITY_METRICS,
    MAKERS,
    METRICS,
    SESSION_METRICS,
)
from rankspec.metrics.diversity import DiversityMetric  # noqa: E402
from rankspec.metrics.geometric import Averaged  # noqa: E402
from rankspec.metrics.measure import Metric  # noqa: E402
from rankspec.metrics.of_relevance import OfRelevance  # noqa: E402
from rankspec.metrics.parameters import Parameter, as_python  # noqa: E402

PACKAGE = ROOT / "pyref" / "rankspec"
LINE = 100
EXPLAINED = {"gain", "discount", "rel"}  # for all functions, in rankspec.api

HEAD = '''"""The metrics as functions. Written by tools/functions.py from the metrics; do not edit.

The arguments: see rankspec.api.
"""

# ruff: noqa: A002 - a parameter has the name that its paper gives it

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..typed import TYPE_CHECKING, Any
from .at_cutoffs import Cutoffs, Values, at_once, either, values_at
from .inputs import Input

if TYPE_CHECKING:
    from ..metrics.length import PriorLike
'''

HEAD_OF_DIVERSITY = '''"""The metrics of diversity as functions. Written by tools/functions.py.

Every function takes one ranking or many, and the conventions as named arguments:

labels    one ranking: a list of its items in rank order, each a list of labels, one for each
          subtopic, or a 2-D array of a row an item; many: a list of such lists, a 3-D array, or the
          rows of all with ``offsets``, where rankings begin (RS-DIV-18)
judged    the labels of all judged items, in the same form; by default the list's own. Of equal
          items the ideal list takes the first; ``judged_offsets`` where they are the rows of many
probabilities
          a weight for each subtopic, in all rankings or in each; by default equal, for those that
          some judged item is relevant to (RS-DIV-1)
check     whether judged items must cover what the list shows, as in rankspec.api (RS-CONV-38)
k         the cut-off: a number, several, or None: the whole list
rel       the least label that is relevant
gain, discount, backend
          as in rankspec.api; the certified reference computes these metrics, whatever the backend

One ranking and one k give a float; several k or many rankings give a numpy array, with a row a
ranking and a column a k. Each value is the double nearest to the real number that the spec defines.
"""

# ruff: noqa: A002 - a parameter has the name that its paper gives it

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..metrics.measure import Measure
from .at_cutoffs import Cutoffs, Values
from .diversity_inputs import DiversityInput, values, values_at


@standard_arithmetic
def of(
    measure: Measure,
    labels: Any,
    *,
    offsets: Any = None,
    judged: Any = None,
    judged_offsets: Any = None,
    probabilities: Any = None,
    check: bool = True,
    backend: str = "auto",
) -> Values:
    """A measure of one ranking, or of each of many: what ``measure.of(labels)`` is.

    The arguments: see rankspec.api.diversity.
    """
    given = DiversityInput(labels, offsets, judged, judged_offsets, probabilities, check)
    column = values(measure, given)
    given.check_pools([measure.metric], backend)
    if given.single:
        return column[0]
    import numpy as np  # one ranking needs no array

    return np.array(column, dtype=np.float64)
'''


# ---- a function --------------------------------------------------------------------------


def function(metric: Metric) -> str:
    """The function of a metric."""
    lines = [
        *(["@at_once"] if not isinstance(metric, DiversityMetric) else []),
        "@standard_arithmetic",
        f"def {metric.function}(",
        *(f"    {argument}," for argument in arguments(metric)),
        ") -> Values:",
        *docstring(metric),
        *body(metric),
    ]
    return "\n".join(lines) + "\n"


def arguments(metric: Metric) -> list[str]:
    """The arguments, as they are declared."""
    found = ["labels: Any", "*"]
    if isinstance(metric, DiversityMetric):
        found += ["offsets: Any = None", "judged: Any = None", "judged_offsets: Any = None"]
        found += ["probabilities: Any = None", "check: bool = True", "k: Cutoffs = None"]
        found += [f"{p.name}: {p.annotation} = {default(p)}" for p in metric.parameters.values()]
        return [*found, 'backend: str = "auto"']
    if not metric.of_pool:
        found += ["scores: Any = None", "ids: Any = None", "ties: str | None = None"]
    found.append("offsets: Any = None")
    if metric.judged:
        found += ["judged: Any = None", "judged_offsets: Any = None", "check: bool = True"]
    if metric.sees_unjudged:
        found.append("unjudged: Any = None")
    found += [f"{k}: Cutoffs = None" for k in dict.fromkeys(("k", metric.cutoff))]
    found += [f"{p.name}: {p.annotation} = {default(p)}" for p in metric.parameters.values()]
    return [*found, 'backend: str = "auto"']


def default(parameter: Parameter) -> str:
    text = as_python(parameter.default)
    return f'"{text[1:-1]}"' if text[0] == "'" else text


def docstring(metric: Metric) -> list[str]:
    doc = metric.doc
    known = " ".join([doc.says, *doc.arguments])
    told = {
        name: p.help
        for name, p in metric.parameters.items()
        if not doc.like and name not in EXPLAINED and not re.search(rf"\b{name}\b", known)
    }
    told = {**doc.arguments, **told}
    ties = metric.expected_spec if metric.expected_spec != metric.spec else None
    paragraphs = [
        filled(f'"""{doc.says}'),
        [line for name, x in told.items() for line in filled(f"{name}: {x}", "    ")],
        filled(
            f"The {'other ' if told else ''}arguments: see {_module(metric)}"
            f"{f' and {doc.like}()' if doc.like else ''}. "
            f"Spec: {metric.spec}{f', under ties {ties}' if ties else ''}."
        ),
        doc.example.split("\n"),
    ]
    text = "\n\n".join("\n".join(lines) for lines in paragraphs if lines) + '\n"""'
    return textwrap.indent(text, "    ").split("\n")


def _module(metric: Metric) -> str:
    """Where the arguments of all functions are told."""
    return f"rankspec.api{'.diversity' if isinstance(metric, DiversityMetric) else ''}"


def filled(text: str, further: str = "") -> list[str]:
    return textwrap.wrap(text, LINE - 4, subsequent_indent=further, break_on_hyphens=False)


def body(metric: Metric) -> list[str]:
    own = [f"{name}={name}" for name in metric.parameters]
    if isinstance(metric, DiversityMetric):
        given = ["labels", "offsets", "judged", "judged_offsets", "probabilities", "check"]
        call = [json.dumps(metric.function), "given", "k", "backend"]
        return [
            *broken("    given = DiversityInput(", given),
            *broken("    return values_at(", [*call, *own]),
        ]
    given = ["labels"]
    given += ["offsets=offsets"] if metric.of_pool else ["scores", "ids", "ties", "offsets"]
    if metric.judged:
        given += ["judged", "judged_offsets"]
    if not metric.of_pool:
        given.append("backend=backend")
    given += [f"{name}={name}" for name in ("unjudged",) if metric.sees_unjudged]
    given += [f"{name}={name}" for name in ("check",) if metric.judged]
    k = "k" if metric.cutoff == "k" else f"either(k, {metric.cutoff})"
    call = [json.dumps(metric.function), "lists", k, "backend"]
    return [
        *broken("    lists = Input(", given),
        *broken("    return values_at(", [*call, *own]),
    ]


def broken(head: str, items: list[str]) -> list[str]:
    """A call in a line, or its arguments in one, or a line for each."""
    one = f"{head}{', '.join(items)})"
    if len(one) <= LINE:
        return [one]
    inner = f"        {', '.join(items)}"
    if len(inner) <= LINE:
        return [head, inner, "    )"]
    return [head, *(f"        {item}," for item in items), "    )"]


# ---- files -------------------------------------------------------------------------------


def api_metrics() -> str:
    return "\n\n".join([HEAD, *map(function, METRICS)])


def api_diversity() -> str:
    return "\n\n".join([HEAD_OF_DIVERSITY, *map(function, DIVERSITY_METRICS)])


def catalogue() -> str:
    """The catalogue, which declares the names of metrics and of bounds."""
    text = (PACKAGE / "metrics" / "catalogue.py").read_text(encoding="utf-8")
    everything: list[Metric | Bound | Averaged | Adjustment | OfRelevance] = [
        *METRICS,
        *MAKERS,
        *SESSION_METRICS,
        *DIVERSITY_METRICS,
    ]
    everything.sort(key=lambda x: x.name)
    names = [f"{x.name}: {type(x).__name__}" for x in everything]
    return between(text, "# BEGIN NAMES", "# END NAMES", names)


def chapters() -> str:
    """The chapters of metrics of rankings and of sessions, with their names."""
    path = PACKAGE / "metrics" / "chapters.py"
    lines = ["CHAPTERS = {"]
    for chapter in (dcg, length, relevance, precision, cascade, utility, users, session):
        names = sorted({name for m in chapter.METRICS for name in (m.name, m.function)})
        listed = ", ".join(f'"{name}"' for name in names)
        wrapped = textwrap.wrap(f"{listed},", LINE - 8, break_on_hyphens=False)
        lines.append(f'    "{chapter.__name__.rpartition(".")[2]}": (')
        lines += [*(f"        {line}" for line in wrapped), "    ),"]
    return between(
        path.read_text(encoding="utf-8"), "# BEGIN CHAPTERS", "# END CHAPTERS", [*lines, "}"]
    )


def package() -> str:
    """The package's own module, with the names of metrics in it."""
    functions = sorted(metric.function for metric in METRICS)
    objects = sorted(x.name for x in (*METRICS, *MAKERS, *SESSION_METRICS, *DIVERSITY_METRICS))
    text = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    imports = [
        "if TYPE_CHECKING:  # isort: off",
        *listed("    from .api.metrics import (", functions, "    )"),
        *listed("    from .metrics.catalogue import (", objects, "    )"),
    ]
    text = between(text, "# BEGIN IMPORTS", "# END IMPORTS", imports)
    names = [f'"{name}"' for name in sorted({*functions, *objects})]
    return between(
        text, "# BEGIN NAMES", "# END NAMES", listed("__all__ += [  # noqa: RUF022", names, "]")
    )


def listed(head: str, items: Iterable[str], end: str) -> list[str]:
    indent = " " * (len(end) + 3)
    return [head, *(f"{indent}{item}," for item in items), end]


def rankspec_h() -> str:
    """The header, with numbers for the metrics that the core has; those that have one keep it."""
    text = (ROOT / "csrc" / "rankspec.h").read_text(encoding="utf-8")
    block = text.partition("/* BEGIN METRICS")[2].partition("/* END METRICS")[0]
    numbers = {name: int(x) for name, x in re.findall(r"(RS_\w+) = (\d+)", block)}
    for metrics, first in ((METRICS, 0), (SESSION_METRICS, 64)):
        own = [m.core.values.metric for m in metrics if m.core.values is not None]
        last = max((numbers[name] for name in own if name in numbers), default=first - 1)
        for name in own:
            if name not in numbers:
                last += 1
                numbers[name] = last
    ordered = sorted(numbers.items(), key=lambda item: item[1])
    lines = ["enum {", *(f"    {name} = {number}," for name, number in ordered), "};"]
    return between(text, "/* BEGIN METRICS", "/* END METRICS", lines)


def bounds_md() -> str:
    """The chapter on bounds, with the table of the metrics that have them."""
    text = (ROOT / "spec" / "bounds.md").read_text(encoding="utf-8")
    of_bounds = {bound.name: bound for bound in BOUNDS}
    rows: dict[str, list[str]] = {}
    for metric in (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS):
        why = of_bounds["IUB"].refusal(metric)
        worst = of_bounds["WLB"].refusal(metric)
        known = "IUB, RLB, not WLB" if worst else "IUB, RLB, WLB"
        cell = f"none: it {why}" if why else f"{known}: it {worst}" if worst else known
        rows.setdefault(cell, []).append(metric.name)
    lines = ["", "| metrics | bounds |", "|---|---|"]
    ordered = sorted(rows, key=lambda cell: cell.startswith("none"))
    lines += [f"| {', '.join(rows[cell])} | {_linked(cell)} |" for cell in ordered]
    return between(text, "<!-- BEGIN METRICS", "<!-- END METRICS", [*lines, ""])


def _linked(reason: str) -> str:
    """A reason with a link to the entry that it names, and without the ID of RS-BND-1 itself."""
    reason = reason.replace(" (RS-BND-1)", "")
    reason = re.sub(r"\((RS-BND-\d+)\)", r"([\1](#\1))", reason)
    return re.sub(r"\((RS-CONV-\d+)\)", r"([\1](evaluation.md#\1))", reason)


def between(text: str, begin: str, end: str, lines: list[str]) -> str:
    """The text with these lines between two of its own, which stay."""
    pattern = re.compile(rf"(^{re.escape(begin)}[^\n]*\n).*?(^{re.escape(end)})", re.S | re.M)
    written, count = pattern.subn(lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text)
    if count != 1:
        raise SystemExit(f"{begin}: stands {count} times, not once")
    return written


FILES = {
    PACKAGE / "api" / "metrics.py": api_metrics,
    PACKAGE / "api" / "diversity.py": api_diversity,
    PACKAGE / "metrics" / "catalogue.py": catalogue,
    PACKAGE / "metrics" / "chapters.py": chapters,
    PACKAGE / "__init__.py": package,
    ROOT / "csrc" / "rankspec.h": rankspec_h,
    ROOT / "spec" / "bounds.md": bounds_md,
}


def main() -> int:
    differ = 0
    for path, text_of in FILES.items():
        text = text_of()
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"{path.relative_to(ROOT)}: not what tools/functions.py writes")
                differ = 1
        else:
            path.write_text(text, encoding="utf-8")
    return differ


if __name__ == "__main__":
    raise SystemExit(main())
