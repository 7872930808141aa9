"""Pictures of the metrics, drawn by matplotlib from the values of the API.

``user_expected_dcg``, ``length``, ``relevance``, ``moniz_2016``, ``expected_sp``, ``bounds`` and
``query_types`` give a matplotlib Figure, which ``rankspec plot`` writes to a file. A module for
what each chapter, or paper, has plots of.

Needs matplotlib: ``pip install "rankspec[plot]"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, hint
from ..profiles import listed, quoted
from .drawing import FORMATS, GRID, HUES, INK, MUTED, encoded, format_of
from .of_bounds import bounds, expected_sp
from .of_karmaker_2022 import query_types
from .of_length import PERFECT_GOOD_BAD, PRIORS, length, user_expected_dcg
from .of_moniz_2016 import moniz_2016
from .of_relevance import relevance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "FORMATS",
    "GRID",
    "HUES",
    "INK",
    "MUTED",
    "PERFECT_GOOD_BAD",
    "PLOTS",
    "PRIORS",
    "Plot",
    "bounds",
    "encoded",
    "expected_sp",
    "format_of",
    "length",
    "moniz_2016",
    "plot",
    "query_types",
    "relevance",
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
        ("data",),
        query_types,
        computed=True,
    ),
}


def plot(name: str, *, backend: str = "c", **options: Any) -> Figure:
    """The plot of that name; what is None is left to it."""
    if name not in PLOTS:
        known = f"{hint(name, PLOTS)}; there are {listed(PLOTS)}"
        raise InputError(f"plot: {quoted(name)} is no plot{known}")
    chosen = PLOTS[name]
    given = {option: x for option, x in options.items() if x is not None}
    for option in given:
        if option not in chosen.options:
            raise InputError(f"plot: {name} has no {option}")
    return chosen.draw(**given, **({"backend": backend} if chosen.computed else {}))
