"""The four figures of jarvelin-2008 for any sessions, and the effect of discounts.

Every figure takes:

systems        {name: what rankspec.judge_sessions() gives}, one to four; by default the example's
topic          only the sessions of this topic
least_queries  only sessions with at least this many queries
k              how many results of each query count, the paper's X
gain, discount, query_discount, repeats
               as in rankspec.api.sessions
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..errors import InputError, shown
from ..evaluation.render import told_apart
from ..evaluation.sessions.averages import (
    Curve,
    SessionCurve,
    individual_curves,
    judge_sessions,
    query_curves,
    session_curve,
)
from ..evaluation.sessions.judgments import JudgedSessions, SessionConventions
from ..evaluation.sessions.result import written_conventions
from ..evaluation.sessions.sensitivity import session_sensitivity
from ..formats.search_session import SearchSession
from ..metrics.parameters import GAIN
from ..metrics.session import IDEAL, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS
from ..reference import session as reference
from ..text import shortened
from .drawing import (
    DASHES,
    GRID,
    HUES,
    Name,
    axes_beside,
    check,
    mark_ranks,
    one_axes,
    set_title,
    style,
    write_beside,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Systems: TypeAlias = Mapping[str, JudgedSessions]
Found = TypeVar("Found")

TOP = 10
GRID_OF_BASES = (1.5, *range(2, 11))
TOP_OF_QUERIES = 100
LEAST_QUERIES = 4
MOST_RANKS = 10_000  # of a curve
MOST_NAMED = 16  # sessions that are told apart
MOST_SESSIONS = 500  # of a panel
MOST_TOPICS = 10  # that a message names
LONGEST_NAME, LONGEST_TITLE, LONGEST_LINE = 16, 28, 76
MOST_LINES = 2  # on what differs from the defaults
READINGS = {  # what the second line of a title says of each
    "held": "a session that has ended keeps its share of the ideal gain",
    "continued": "ideal sessions go on when a session has ended",
    "average": "average gain over that of ideal sessions, which go on",
}


def last_query(
    systems: Systems | None = None,
    *,
    topic: str | None = None,
    least_queries: int = 0,
    k: int | None = None,
    backend: str = "auto",
    **how: Any,
) -> Figure:
    """The gain of last queries and of all others, on average by rank. Spec: RS-SES-24.

    k: the number of ranks; None: the length of the longest list, at most 100

    The other arguments: see rankspec.plots.of_session.
    """
    _check_how("last_query", how)
    given = _given(systems)
    k = min(_longest_list(given), TOP_OF_QUERIES) if k is None else k
    _most_queries(given, topic, k)
    chosen = {"topic": topic, "least_queries": least_queries, "backend": backend, **how}
    found = _of_each(given, lambda x: query_curves(x, k, **chosen))
    with style():
        figure, axes = one_axes()
        names = []
        for hue, (name, curves) in zip(HUES, found.items(), strict=False):
            of_last = curves.last, curves.last_queries, "last", DASHES[0]
            of_others = curves.non_last, curves.non_last_queries, "others", DASHES[1]
            for values, n, of, dashes in (of_last, of_others):
                if n:
                    _draw(axes, values, hue, dashes)
                    told = _told(name, f"{of} ({n})", found)
                    names.append(Name(told, values[-1], hue, dashes))
        axes.set_ylim(bottom=0)
        axes.set_xlim(1 - 0.01 * k, k)
        axes.set_xlabel("rank in the list of a query")
        axes.set_ylabel("sDCG of a query")
        axes.locator_params(axis="x", integer=True)
        which = _which(topic, least_queries)
        title = f"Last queries of sessions{which} and all others{_of(found)}"
        _entitle(axes, title, _about(given, how))
        write_beside(figure, axes, names, k)
    return figure


def average_session(
    systems: Systems | None = None,
    *,
    topic: str | None = None,
    least_queries: int = 0,
    k: int = TOP,
    finished: str = "held",
    normalised: bool = True,
    backend: str = "auto",
    **how: Any,
) -> Figure:
    """The gain of sessions, on average by rank, and how many have which query. Spec: RS-SES-21.

    finished, normalised: as of rankspec.session_curve
    ideal: as in rankspec.api.sessions

    The other arguments: see rankspec.plots.of_session.
    """
    _check_how("average_session", how, "ideal")
    given = _given(systems)
    queries = _most_queries(given, topic, k)
    chosen = {"topic": topic, "least_queries": least_queries, "queries": queries, **how}
    chosen |= {"finished": finished, "normalised": normalised, "backend": backend}
    found = _of_each(given, lambda x: session_curve(x, k, **chosen))
    with style():
        figure, (axes, below) = _axes_and_strip()
        names = []
        begins = [q * k + 0.5 for q in range(queries + 1)]
        for hue, (name, curve) in zip(HUES, found.items(), strict=False):
            _draw(axes, curve.values, hue, DASHES[0])
            below.stairs(curve.running, begins, baseline=None, color=hue, linewidth=1.2)
            names.append(Name(_told(name, _sessions(curve.sessions), found), curve.values[-1], hue))
        axes.set_ylim(bottom=0)
        axes.set_ylabel("nsDCG" if normalised else "sDCG")
        below.set_ylim(0, 1.05)
        below.set_yticks([0, 1])
        below.set_ylabel("share of\nsessions")
        below.set_xlabel(f"top {k} of each query")
        title = f"Sessions{_which(topic, least_queries)} on average"
        reading = f"\n{READINGS[finished]}" if normalised else ""
        _entitle(axes, f"{title}{_of(found)}{reading}", _about(given, how))
        write_beside(figure, axes, names, begins[-1])
        _mark_queries(figure, [axes, below], queries, k)
    return figure


def scenario(
    systems: Systems | None = None,
    *,
    topic: str | None = None,
    least_queries: int = LEAST_QUERIES,
    k: int = TOP,
    backend: str = "auto",
    **how: Any,
) -> Figure:
    """The gain of the sessions of a topic, on average by rank: of all, and of long ones.

    The gain is not normalised, because all sessions share one ideal. Spec: RS-SES-21.

    topic: the topic; None: the one that all sessions share
    least_queries: the least number of queries of a long session

    The other arguments: see rankspec.plots.of_session.
    """
    _check_how("scenario", how)
    given = _given(systems)
    topic = _one_topic(given, topic)
    queries = _most_queries(given, topic, k)
    chosen = {"topic": topic, "queries": queries, "normalised": False, "backend": backend, **how}

    def both(judged: JudgedSessions) -> tuple[Curve, Curve]:
        long = session_curve(judged, k, least_queries=least_queries, **chosen)
        return session_curve(judged, k, **chosen), long

    found = _of_each(given, both)
    with style():
        figure, axes = one_axes()
        names = []
        for hue, (name, (of_all, of_long)) in zip(HUES, found.items(), strict=False):
            _draw(axes, of_all.values, hue, DASHES[0])
            _draw(axes, of_long.values, hue, DASHES[1])
            long = f"{of_long.sessions} with {least_queries}+ queries"
            of_each = (_sessions(of_all.sessions), of_all, DASHES[0]), (long, of_long, DASHES[1])
            for of, curve, dashes in of_each:
                names.append(Name(_told(name, of, found), curve.values[-1], hue, dashes))
        axes.set_ylim(bottom=0)
        axes.set_ylabel("sDCG")
        axes.set_xlabel(f"top {k} of each query")
        title = f"Sessions{_which(topic)} on average{_of(found)}"
        _entitle(axes, title, _about(given, how))
        write_beside(figure, axes, names, queries * k + 0.5)
        _mark_queries(figure, [axes], queries, k)
    return figure


def sensitivity(
    systems: Systems | None = None,
    *,
    k: int = TOP,
    gain: Any = None,
    repeats: Any = None,
    ideal: Any = None,
    normalised: bool = True,
    backend: str = "auto",
) -> Figure:
    """The mean of nsDCG against the base of one discount, that of the other as in jarvelin-2008.

    Bases from 1.5, an impatient searcher, to 10, a patient one. Spec: RS-SES-28.

    normalised: False: sDCG

    The other arguments: see rankspec.plots.of_session.
    """
    given = _given(systems)
    _most_queries(given, None, k)
    name = "nsDCG" if normalised else "sDCG"
    chosen: dict[str, Any] = {"gain": gain, "repeats": repeats, "backend": backend}
    if normalised:
        chosen["ideal"] = ideal

    def both(judged: JudgedSessions) -> tuple[Sequence[float], Sequence[float]]:
        measure = f"{name}@{k}"
        of_b = session_sensitivity(judged, measure, bases=GRID_OF_BASES, query_bases=[4], **chosen)
        (of_bq,) = session_sensitivity(
            judged, measure, bases=[2], query_bases=GRID_OF_BASES, **chosen
        ).mean
        return [row[0] for row in of_b.mean], of_bq

    found = _of_each(given, both)
    about = {key: x for key, x in (("gain", gain), ("repeats", repeats)) if x is not None}
    if ideal is not None:
        about["ideal"] = ideal
    with style():
        figure, panels = axes_beside(2)
        for at, (axes, what, other) in enumerate(
            zip(panels, ("b, of ranks", "bq, of queries"), (4, 2), strict=True)
        ):
            names = []
            for hue, (system, curves) in zip(HUES, found.items(), strict=False):
                axes.plot(GRID_OF_BASES, curves[at], color=hue, marker="o", markersize=3)
                names.append(Name(_told(system, "", found).rstrip(": "), curves[at][-1], hue))
            axes.set_ylim(bottom=0)
            axes.set_xlim(1, 10.3)
            axes.set_xticks([1.5, 4, 6, 8, 10], ["1.5", "4", "6", "8", "10"])
            axes.set_xlabel(f"base {what}; {'bq' if at == 0 else 'b'} = {other}")
            if len(found) > 1:
                write_beside(figure, axes, names, 10.3)
        panels[0].set_ylabel(f"mean of {name}@{k}")
        numbers = dict.fromkeys(len(judged.sessions) for judged in given.values())
        of = " to ".join(map(str, sorted({min(numbers), max(numbers)})))
        title = f"How {name}@{k} depends on the discounts{_of(found)}"
        line = f"{of} sessions; discounts jarvelin-2008; gain {GAIN.read(gain or GAIN.default)}"
        differs = [*_parameters_chosen(about), *_left_out(given), *_conventions_chosen(given)]
        _entitle(panels[0], title, [line, *(["; ".join(differs)] if differs else [])])
    return figure


def individual_sessions(
    systems: Systems | None = None,
    *,
    topic: str | None = None,
    least_queries: int = 0,
    k: int = TOP,
    backend: str = "auto",
    **how: Any,
) -> Figure:
    """The gain of each session by rank, a panel a system; a dot is where a session ends.

    The gain is not normalised; an ended session keeps its gain. Spec: RS-SES-19.

    The arguments: see rankspec.plots.of_session.
    """
    _check_how("individual_sessions", how)
    given = _given(systems)
    queries = _most_queries(given, topic, k)
    chosen = {"topic": topic, "least_queries": least_queries, "normalised": False, **how}
    found = _of_each(given, lambda x: individual_curves(x, k, backend=backend, **chosen))
    for name, curves in found.items():
        check(f"{name}: the number of sessions", len(curves), 1, MOST_SESSIONS)
    with style():
        figure, panels = axes_beside(len(found))
        for axes, (name, curves) in zip(panels, found.items(), strict=True):
            _draw_sessions(axes, curves, queries * k)
            which = f"{_sessions(len(curves))}{_which(topic, least_queries)}"
            set_title(axes, f"{shortened(name, LONGEST_TITLE)}\n{which}")
        panels[0].set_ylim(bottom=0)
        panels[0].set_ylabel("sDCG")
        dot = f"top {k} of each query; a dot is where a session ends"
        figure.supxlabel("\n".join([dot, *_about(given, how)]), fontsize="medium")
        for axes, curves in zip(panels, found.values(), strict=True):
            if len(curves) <= MOST_NAMED:
                _name_sessions(figure, axes, curves, queries * k + 0.5)
            _mark_queries(figure, [axes], queries, k)
    return figure


def _looks(n: int) -> list[tuple[str, Any, float, float]]:
    """Hue, dashes, width and opacity of each of n sessions: different ones, if these are few."""
    if n > MOST_NAMED:
        return [(HUES[1], DASHES[0], 0.9, 0.45)] * n
    return [(hue, dashes, 1.4, 1.0) for dashes in DASHES for hue in HUES][:n]


def _draw_sessions(axes: Axes, curves: Sequence[SessionCurve], ranks: int) -> None:
    for curve, (hue, dashes, width, alpha) in zip(curves, _looks(len(curves)), strict=True):
        values = reference.held(curve.values, ranks)
        axes.plot(
            range(1, ranks + 1), values, color=hue, linestyle=dashes, linewidth=width, alpha=alpha
        )
        if curve.ranks:
            end = curve.ranks, values[curve.ranks - 1]
            axes.plot(*end, "o", color=hue, markersize=3.5, clip_on=False)


def _name_sessions(figure: Figure, axes: Axes, curves: Sequence[SessionCurve], end: float) -> None:
    texts = told_apart([str(curve.session) for curve in curves], LONGEST_NAME)
    names = [
        Name(text, curve.values[-1] if curve.values else 0, hue, dashes)
        for text, curve, (hue, dashes, *_) in zip(texts, curves, _looks(len(curves)), strict=True)
    ]
    write_beside(figure, axes, names, end)


# ---- what is given ------------------------------------------------------------------------


@cache
def _example() -> Systems:
    folder = Path(__file__).parents[1] / "example"
    names = ("sessions-1", "sessions-2")
    return {
        name: judge_sessions(folder / "session-qrels.tsv", folder / f"{name}.tsv") for name in names
    }


def _check_how(function: str, how: Mapping[str, Any], *more: str) -> None:
    """A TypeError as Python's own for an argument that there is not."""
    for name in how:
        if name not in ("gain", "discount", "query_discount", "repeats", *more):
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def _given(systems: Systems | None) -> Systems:
    if systems is None:
        return _example()
    if not isinstance(systems, Mapping):
        raise InputError("plot: systems: expected a dict of judged sessions by name")
    check("the number of systems", len(systems), 1, len(HUES))
    for name, judged in systems.items():
        if not isinstance(name, str):
            raise InputError(f"plot: systems: the name {shown(name)} is not a string")
        if not isinstance(judged, JudgedSessions):
            raise InputError(
                f"plot: {name}: expected a result of rankspec.judge_sessions(), got {shown(judged)}"
            )
    return systems


def _of_each(systems: Systems, compute: Callable[[JudgedSessions], Found]) -> dict[str, Found]:
    """Something of each system; an error says of which."""
    found = {}
    for name, judged in systems.items():
        try:
            found[name] = compute(judged)
        except InputError as error:
            raise InputError(f"plot: {name}: {error}") from None
    return found


def _all(systems: Systems) -> list[SearchSession]:
    return [session for judged in systems.values() for session in judged.sessions]


def _longest_list(systems: Systems) -> int:
    """How many results the longest list has; 1 where there is none."""
    return max((len(ranked) for x in _all(systems) for ranked in x.queries), default=0) or 1


def _most_queries(systems: Systems, topic: str | None, k: int) -> int:
    """How many queries the longest session has, of all systems; some session must have one."""
    check("X", k, 1, MOST_RANKS)
    m = [len(x.queries) for x in _all(systems) if topic in (None, x.topic)]
    if m and not any(m):
        raise InputError("plot: no session has a query")
    queries = max(m, default=1)
    check(f"the number of ranks of {queries} queries", queries * k, 1, MOST_RANKS)
    return queries


def _one_topic(systems: Systems, topic: str | None) -> str | None:
    """The topic that is asked for, or the one that there is."""
    topics = dict.fromkeys(session.topic for session in _all(systems))
    if topic is None and len(topics) > 1:
        known = [str(x) for x in topics if x is not None]
        more = f" and {len(known) - MOST_TOPICS} more" if len(known) > MOST_TOPICS else ""
        raise InputError(
            "plot: topic: a scenario shows one topic; choose one (--topic): "
            f"{', '.join(known[:MOST_TOPICS])}{more}"
        )
    return next(iter(topics), None) if topic is None else topic


# ---- how it is drawn ----------------------------------------------------------------------


def _axes_and_strip() -> tuple[Figure, tuple[Axes, Axes]]:
    """Axes, and a strip below them with the same ranks."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(6, 1))
    return figure, (axes, below)


def _draw(axes: Axes, values: Sequence[float], hue: str, dashes: Any) -> None:
    """A curve; of one rank a dot."""
    marker = "o" if len(values) == 1 else "none"
    axes.plot(range(1, len(values) + 1), values, color=hue, linestyle=dashes, marker=marker)


def _mark_queries(figure: Figure, panels: Sequence[Axes], queries: int, k: int) -> None:
    """Where each query begins, and its name in the middle."""
    for axes in panels:
        axes.set_xlim(0.5, queries * k + 0.5)
        axes.tick_params(axis="x", length=0)
        for q in range(1, queries):
            axes.axvline(q * k + 0.5, color=GRID, linewidth=0.8, zorder=0)
    middles = [(q - 0.5) * k + 0.5 for q in range(1, queries + 1)]
    mark_ranks(figure, panels[-1], [f"Q{q}" for q in range(1, queries + 1)], middles)


def _entitle(axes: Axes, title: str, about: Sequence[str]) -> None:
    """A title, and below it how its numbers are made."""
    lines = [shortened(line, LONGEST_LINE) for line in title.split("\n")]
    set_title(axes, "\n".join([*lines, *about]))


def _about(systems: Systems, how: Mapping[str, Any]) -> list[str]:
    """What gain and discounts are, in a line; in others what differs from the defaults, and how
    many sessions of each system are left out.
    """
    chosen = [*_parameters_chosen(how), *_left_out(systems), *_conventions_chosen(systems)]
    lines = wrap("; ".join(chosen), LONGEST_LINE, max_lines=MOST_LINES, placeholder=" ...")
    return [shortened(_gain_and_discounts(how), LONGEST_LINE), *lines]


def _parameters_chosen(how: Mapping[str, Any]) -> list[str]:
    """The other parameters that are not the default."""
    given = {p.name: (p, p.read(how[p.name])) for p in (REPEATS, IDEAL) if p.name in how}
    return [f"{name}: {_word(x)}" for name, (p, x) in given.items() if x != p.default]


def _word(x: Any) -> str:
    return "first" if x == 0 else str(x)  # of repeats


def _conventions_chosen(systems: Systems) -> list[str]:
    """Whose judgments they are, where topics have them, and other conventions not the default."""
    default = written_conventions(SessionConventions())
    of_each = [written_conventions(judged.conventions) for judged in systems.values()]
    found = {name: dict.fromkeys(chosen[name] for chosen in of_each) for name in default}
    return [
        f"{name.replace('_', ' ')}: {' or '.join(values)}"
        for name, values in found.items()
        if list(values) != [default[name]]
    ]


def _left_out(systems: Systems) -> list[str]:
    """How many sessions of each system have no judgments."""
    counts = [len(judged.left_out) for judged in systems.values()]
    return [f"left out: {', '.join(map(str, counts))}"] if any(counts) else []


def _gain_and_discounts(how: Mapping[str, Any]) -> str:
    parameters = {"gain": GAIN, "discount": RANK_DISCOUNT, "query_discount": QUERY_DISCOUNT}
    gain, d, D = (
        "a function" if callable(x) else str(parameter.read(x))
        for parameter, x in ((p, how.get(name, p.default)) for name, p in parameters.items())
    )
    return f"gain {gain}; discounts {d}, of queries {D}"


def _told(name: str, of: str, systems: Mapping[str, Any]) -> str:
    """What a curve is of; the name of the system only where there are several."""
    if len(systems) == 1:
        return of
    short = dict(zip(systems, told_apart(list(systems), LONGEST_NAME), strict=True))
    return f"{short[name]}: {of}"


def _of(systems: Mapping[str, Any]) -> str:
    """The one system, as a title names it."""
    return f": {shortened(next(iter(systems)), LONGEST_TITLE)}" if len(systems) == 1 else ""


def _which(topic: str | None, least_queries: int = 0) -> str:
    """Which sessions, as a title says it."""
    of = "" if topic is None else f" of topic {shortened(topic, LONGEST_NAME)}"
    return of + (f" with {least_queries}+ queries" if least_queries else "")


def _sessions(n: int) -> str:
    return f"{n} session" + "s" * (n != 1)
