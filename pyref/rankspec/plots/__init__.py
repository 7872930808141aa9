"""Pictures of the metrics, drawn by matplotlib from the values of the API.

``user_expected_dcg``, ``length``, ``relevance``, ``fixed_labels``, ``moniz_2016``, ``expected_sp``,
``bounds`` and ``query_types`` give a matplotlib Figure, which ``rankspec plot`` writes to a file;
``last_query``, ``average_session``, ``scenario``, ``individual_sessions`` and ``sensitivity`` give
one of sessions, which ``rankspec session plot`` writes; ``comparison_means``,
``comparison_differences``, ``comparison_asl``, ``comparison_ranks`` and ``comparison_significance``
give one of a comparison, which ``rankspec plot compare`` writes. Each chapter or paper with plots
has its own module.

Needs matplotlib: ``pip install "rankspec[plot]"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, hint, listed, quoted
from .drawing import FORMATS, GRID, GROUND, HUES, INK, MUTED, encoded, format_of
from .of_bounds import bounds, expected_sp
from .of_comparison import (
    comparison_asl,
    comparison_differences,
    comparison_means,
    comparison_ranks,
    comparison_significance,
)
from .of_fixed_labels import fixed_labels
from .of_karmaker_2022 import query_types
from .of_length import PERFECT_GOOD_BAD, PRIORS, length, user_expected_dcg
from .of_moniz_2016 import moniz_2016
from .of_relevance import relevance
from .of_session import average_session, individual_sessions, last_query, scenario, sensitivity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "COMPARISON_PLOTS",
    "FORMATS",
    "GRID",
    "GROUND",
    "HUES",
    "INK",
    "MUTED",
    "PERFECT_GOOD_BAD",
    "PLOTS",
    "PRIORS",
    "SESSION_PLOTS",
    "Plot",
    "average_session",
    "bounds",
    "comparison_asl",
    "comparison_differences",
    "comparison_means",
    "comparison_ranks",
    "comparison_significance",
    "encoded",
    "expected_sp",
    "fixed_labels",
    "format_of",
    "individual_sessions",
    "last_query",
    "length",
    "moniz_2016",
    "plot",
    "query_types",
    "relevance",
    "scenario",
    "sensitivity",
    "user_expected_dcg",
]


class Plot(NamedTuple):
    """A plot that has a name: one line on it, what it can be told, and what draws it.

    computed: whether it is of metrics, which a backend computes
    """

    about: str
    options: tuple[str, ...]
    draw: Callable[..., Figure]
    computed: bool


_OF_SESSIONS = (
    *("topic", "least_queries", "k"),
    *("gain", "discount", "query_discount", "repeats"),
)
SESSION_PLOTS = {
    "last-query": Plot(
        "the gain of last queries and of all others, on average by rank",
        _OF_SESSIONS,
        last_query,
        computed=True,
    ),
    "average": Plot(
        "the gain of sessions on average by rank, and how many have which query",
        (*_OF_SESSIONS, "ideal", "finished", "normalised"),
        average_session,
        computed=True,
    ),
    "scenario": Plot(
        "the gain of the sessions of a topic on average, of all and of long ones",
        _OF_SESSIONS,
        scenario,
        computed=True,
    ),
    "sessions": Plot(
        "the gain of each session by rank", _OF_SESSIONS, individual_sessions, computed=True
    ),
    "sensitivity": Plot(
        "the mean of sessions against the base of each discount",
        ("k", "gain", "repeats", "ideal", "normalised"),
        sensitivity,
        computed=True,
    ),
}
"""The plots of sessions, by the names of ``rankspec session plot``."""

COMPARISON_PLOTS = {
    "means": Plot(
        "the mean of each system, with its interval",
        ("interval", "test"),
        comparison_means,
        computed=False,
    ),
    "differences": Plot(
        "the difference of two systems, query by query",
        ("pair", "test"),
        comparison_differences,
        computed=False,
    ),
    "asl": Plot(
        "achieved significance levels: the p-values of all pairs, a curve a measure",
        ("test",),
        comparison_asl,
        computed=False,
    ),
    "ranks": Plot(
        "the order of the systems by each measure, and where they swap",
        (),
        comparison_ranks,
        computed=False,
    ),
    "significance": Plot(
        "which pairs of systems differ significantly",
        ("test",),
        comparison_significance,
        computed=False,
    ),
}
"""The plots of comparisons, by the names of ``rankspec plot compare``."""

PLOTS = {
    "expected-dcg": Plot(
        "the user's expected DCG against the length of the list, for position priors",
        ("M",),
        user_expected_dcg,
        computed=False,
    ),
    "length": Plot(
        "LNDCG and nDCG@k of a ranking of which more and more is shown",
        ("labels",),
        length,
        computed=True,
    ),
    "relevance": Plot(
        "relevance made of scores, without and with outliers, and its control points",
        ("scores",),
        relevance,
        computed=True,
    ),
    "fixed-labels": Plot(
        "nDCG of fixed labels beside nDCG_phi of scores: an example, or QRELS and RUNs",
        ("qrels", "runs", "label_qrels"),
        fixed_labels,
        computed=True,
    ),
    "moniz-2016": Plot(
        "nDCG_phi of random scores, or of those of --data, beside nDCG of fixed labels",
        ("samples", "data"),
        moniz_2016,
        computed=True,
    ),
    "expected-sp": Plot(
        "the sum of precisions of a random ranking, exactly and by karmaker-2022's formula",
        (),
        expected_sp,
        computed=True,
    ),
    "bounds": Plot(
        "what normalising by the upper and the lower bound makes of a value",
        (),
        bounds,
        computed=False,
    ),
    "query-types": Plot(
        "types of queries by real and expected value, or the queries of --data",
        ("data", "feature", "predictions", "run", "train"),
        query_types,
        computed=True,
    ),
}
PLOTS |= {f"session-{name}": plot._replace(options=()) for name, plot in SESSION_PLOTS.items()}
PLOTS |= {f"compare-{name}": plot._replace(options=()) for name, plot in COMPARISON_PLOTS.items()}
"""The plots by their names; those of sessions and of comparisons are drawn of examples."""


def plot(name: str, *, backend: str = "auto", **options: Any) -> Figure:
    """The plot of that name; what is None is left to it."""
    if name not in PLOTS:
        known = f"{hint(name, PLOTS)}; there are {listed(PLOTS)}"
        raise InputError(f"plot: unknown plot {quoted(name)}{known}")
    chosen = PLOTS[name]
    given = {option: x for option, x in options.items() if x is not None}
    for option in given:
        if option not in chosen.options:
            raise InputError(f"plot: {name} does not take {option}")
    return chosen.draw(**given, **({"backend": backend} if chosen.computed else {}))
