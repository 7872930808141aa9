"""Lists of the metrics, and of the profiles with their conventions, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..metrics.adjusted import Adjustment
from ..metrics.bounds import PAPER_NAMES, Bound
from ..metrics.geometric import NAMES as AVERAGED_NAMES
from ..metrics.geometric import Averaged
from ..metrics.measure import Metric
from ..metrics.of_relevance import OfRelevance
from ..metrics.parameters import Parameter, written
from . import profiles
from .conventions import CONVENTIONS, Conventions, as_text, spec_of
from .conventions import written as written_value
from .profiles import Profile
from .render import GAP, WIDTH, columns, json_of, wrapped


def metrics_table(
    metrics: Sequence[Metric],
    of_sessions: Sequence[Metric] = (),
    bounds: Sequence[Bound | Averaged | Adjustment | OfRelevance] = (),
    of_diversity: Sequence[Metric] = (),
) -> str:
    """The metrics: name, title and spec ID; parameters; the names that other programs have. Those
    of sessions and of diversity, and the bounds, with what papers call those.
    """
    lines: list[str] = []
    for metric in metrics:
        about = _about(metric)
        names = {"trec_eval": about["trec_eval"], **about["names"]}
        listed = "; ".join(f"{program}: {', '.join(x)}" for program, x in names.items() if x)
        lines += _entry(metric)
        lines += wrapped(f"{'':9}{listed}", " " * 9) if listed else []
    notes = _helps(p for m in metrics for p in m.parameters.values())
    text = "\n".join([*lines, "", METRICS_NOTE + "\n".join(notes), ""])
    for title, note, others in (
        (SESSIONS_TITLE, SESSIONS_NOTE, of_sessions),
        (DIVERSITY_TITLE, DIVERSITY_NOTE, of_diversity),
    ):
        if others:
            lines = [line for metric in others for line in _entry(metric)]
            more = _helps(p for m in others for p in m.parameters.values())
            own = "\n".join(line for line in more if line not in notes)
            text += "\n" + "\n".join([title, *lines, "", note + own, ""])
    if not bounds:
        return text
    lines = [line for bound in bounds for line in (*_entry(bound), *_names_of_averaged(bound))]
    notes = _helps(p for bound in bounds for p in bound.parameters.values())
    papers = [f"  {name:12}{measure}" for name, measure in PAPER_NAMES.items()]
    blocks = [*lines, "", BOUNDS_NOTE + "\n".join(notes), "", PAPERS_NOTE + "\n".join(papers), ""]
    return f"{text}\n" + "\n".join(blocks)


def _entry(x: Metric | Bound | Averaged | Adjustment | OfRelevance) -> Iterator[str]:
    """Name, title and spec ID; below them the parameters."""
    about = f"{x.name:8} {x.title}"
    yield f"{about:{WIDTH - 10}}{x.spec:>10}"
    parameters = ", ".join(written(p.name, p.default) for p in x.parameters.values())
    if parameters:
        yield from wrapped(f"{'':9}{parameters}", " " * 9)


def _names_of_averaged(x: Bound | Averaged | Adjustment | OfRelevance) -> Iterator[str]:
    """What other programs and papers call a measure that is averaged otherwise."""
    if isinstance(x, Averaged):
        names = ", ".join(f"{measure} is {name}" for name, measure in AVERAGED_NAMES.items())
        yield from wrapped(f"{'':9}{names}", " " * 9)


def _helps(parameters: Iterable[Parameter]) -> list[str]:
    """A line on each parameter, and another where they differ."""
    helps = dict.fromkeys((p.name, p.help) for p in parameters)
    return [line for name, about in helps for line in wrapped(f"  {name:9} {about}", " " * 12)]


METRICS_NOTE = """\
Names are read in any case of letters (RS-CONV-34). A parameter follows its
measure in parentheses, the cut-off comes last:
  nDCG@10   nDCG(gain='exp2', discount='zipf')@20   AP(rel=2, norm='min')@100
"""

SESSIONS_TITLE = "Of sessions of several queries:"

SESSIONS_NOTE = """\
The cut-off of these is of the results of each query:
  nsDCG@10   nsDCG(ideal='spread', padding=0)@10   query_sDCG(over='last')@10
"""

DIVERSITY_TITLE = "Of queries with subtopics (rankspec diversity eval):"

DIVERSITY_NOTE = """\
Each item has a label for each subtopic:
  alpha_nDCG@10   ERR_IA(alpha=0.7)@20   Dsharp_nDCG(gamma=0.25)@10
"""

BOUNDS_NOTE = """\
Each of these is of a measure of rankings, and its parameters follow that:
  UL2(nDCG@10)   MinMax(AP@100, lower='worst')   UL1(SP, bounds='karmaker-2022')
  Adjusted(RBP(p=0.5)@5, prior='uniform')   Phi(AP@100, variant='text')
"""

PAPERS_NOTE = """\
What papers call them, which may stand for it with a cut-off behind (RS-BND-11):
"""


def metrics_json(
    metrics: Sequence[Metric],
    of_sessions: Sequence[Metric] = (),
    bounds: Sequence[Bound | Averaged | Adjustment | OfRelevance] = (),
    of_diversity: Sequence[Metric] = (),
) -> str:
    """The metrics as JSON, and the bounds of them: those have the names of what they are of."""
    entries = [_about(metric) for metric in (*metrics, *of_sessions, *of_diversity)]
    entries += [_about_bound(bound, metrics) for bound in bounds]
    return json_of(entries)


def _about_bound(
    bound: Bound | Averaged | Adjustment | OfRelevance, metrics: Sequence[Metric]
) -> dict[str, Any]:
    papers = {x: m for x, m in PAPER_NAMES.items() if m.startswith(f"{bound.name}(")}
    return {
        "name": bound.name,
        "title": bound.title,
        "spec": bound.spec,
        "parameters": {name: str(p.default) for name, p in bound.parameters.items()},
        "of": [metric.name for metric in metrics if bound.refusal(metric) is None],
        "papers": papers,
    } | ({"names": AVERAGED_NAMES} if isinstance(bound, Averaged) else {})


def _about(metric: Metric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        "spec": metric.spec,
        "expected_spec": metric.expected_spec,
        "of_sessions": metric.of_sessions,
        "taken_of": metric.taken_of,
        "parameters": {name: str(p.default) for name, p in metric.parameters.items()},
        "trec_eval": [
            *([metric.names.trec] if metric.names.trec else []),
            *([f"{metric.names.trec_cut}.K"] if metric.names.trec_cut else []),
            *([f"{metric.names.trec_level}.0.2"] if metric.names.trec_level else []),
        ],
        "names": {program: list(names) for program, names in metric.names.others.items()},
    }


def profiles_table(chosen: Profile | None) -> str:
    """What each profile makes of each convention; or one of them, with what its values mean."""
    if chosen is not None:
        return _profile(chosen)
    assigned = profiles.assignments()
    rows = [(c.name, [values[c.name] for values in assigned.values()]) for c in CONVENTIONS]
    width = max(len(p.name) for p in profiles.PROFILES) + len(GAP)
    notes = [
        line
        for p in profiles.PROFILES
        for line in (
            *wrapped(f"{p.name:{width}}{_about_profile(p)}", " " * width),
            *_otherwise(p, " " * width),
        )
    ]
    return "\n".join([columns("convention", list(assigned), rows), "", *notes, ""])


def _about_profile(chosen: Profile) -> str:
    metrics = f"; {' and '.join(chosen.metrics)} only" if chosen.metrics else ""
    return f"{chosen.program}{metrics}{chosen.note and '; '}{chosen.note}"


def _otherwise(chosen: Profile, indent: str) -> Iterator[str]:
    """What it refuses, and where it has other conventions for some measures."""
    if chosen.whole_labels:
        taken = f"{indent}takes {chosen.taken_labels()} only: {chosen.whole_labels}"
        yield from wrapped(taken, indent)
    for x in chosen.of_metrics:
        yield from wrapped(f"{indent}{x}", indent)


def _profile(chosen: Profile) -> str:
    lines = [*wrapped(f"{chosen.name}: {_about_profile(chosen)}"), *_otherwise(chosen, "  "), ""]
    values = as_text(chosen.conventions)
    width = max(map(len, values)) + len(GAP)
    for convention in CONVENTIONS:
        x = values[convention.name]
        given = written_value(convention.name, x)
        known = {**convention.values, **dict([convention.unset])}
        meaning = known.get(given, convention.about)
        spec = spec_of(convention.name, x)
        line = f"{convention.name:{width}}{given}: {meaning} ({spec})"
        lines += wrapped(line, " " * width)
    return "\n".join([*lines, ""])


def profiles_json(chosen: Profile | None) -> str:
    """One profile as JSON, or all, with the default conventions."""

    def plain(p: Profile) -> dict[str, Any]:
        return {
            "name": p.name,
            "program": p.program,
            "metrics": p.metrics,
            "note": p.note,
            "parameters": dict(p.parameters),
            "whole_labels": p.whole_labels,
            "highest_label": p.highest_label,
            "means": p.means,
            "of_metrics": [
                {
                    "metrics": x.metrics,
                    "which": x.which,
                    "conventions": dict(x.conventions),
                    "refused": x.refused,
                }
                for x in p.of_metrics
            ],
            "conventions": as_text(p.conventions),
        }

    document = (
        plain(chosen)
        if chosen
        else {
            "default": as_text(Conventions()),
            "profiles": [plain(p) for p in profiles.PROFILES],
        }
    )
    return json_of(document)
