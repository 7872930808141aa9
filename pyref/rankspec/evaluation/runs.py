"""Several runs against the same qrels, which are read once. Spec: RS-CONV-46."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike, text_of
from ..errors import InputError, dimensions, shown, shown_given, shown_text
from ..formats.column_names import ColumnNames, check_columns
from ..formats.data_frames import is_frame
from ..formats.frames import Label, QrelsLike, RunLike, by_column, check_read_once, snapshot
from ..formats.id_lists import (
    are_by_position,
    are_lists,
    in_rank_order,
    is_a_list_of_ids,
    padding_of,
    with_labels,
)
from ..formats.sessions import Topics
from ..reference.numbers.reals import Exact
from . import profiles, result
from .evaluate import (
    check_below_0,
    check_gains,
    check_labels,
    check_pairs,
    evaluate_by,
    judged_by,
    prepared,
    warn_of_runs,
)
from .measures import MeasuresLike, chosen_measures
from .result import Evaluation

if TYPE_CHECKING:
    from .data_frames import Table


class RunEvaluations(dict[str, Evaluation]):
    """The evaluations of several runs by their names, as rs.compare() takes them.

    Prints as a table with a row a run.
    """

    def table(self, *, per_query: bool = False, digits: int = 4) -> str:
        """The means of all runs, or for each run a table of its queries."""
        return result.table(self, per_query=per_query, digits=digits)

    def to_dict(self) -> dict[str, Any]:
        """Return the results by run, as plain data for JSON."""
        return {name: evaluation.to_dict() for name, evaluation in self.items()}

    def to_pandas(self, *, long: bool = False) -> Any:
        """Return a pandas.DataFrame of all runs, one below the other (RS-CONV-47).

        The columns are those of rs.Evaluation.to_pandas(), after a column "run".
        """
        from .data_frames import to_pandas

        return to_pandas(self._as_table(long))

    def to_polars(self, *, long: bool = False) -> Any:
        """The same as a polars.DataFrame; a query without a value has null (RS-CONV-47)."""
        from .data_frames import to_polars

        return to_polars(self._as_table(long))

    def to_arrow(self, *, long: bool = False) -> Any:
        """The same as a pyarrow.Table; a query without a value has null (RS-CONV-47)."""
        from .data_frames import to_arrow

        return to_arrow(self._as_table(long))

    def _as_table(self, long: bool) -> Table:
        from .data_frames import of_runs

        return of_runs({name: evaluation._as_table(long) for name, evaluation in self.items()})

    def _repr_html_(self) -> str:
        """What a notebook shows: the means of the runs, and the conventions folded under them."""
        from .html_page import html_of_runs

        first = next(iter(self.values()))
        definitions = {str(m): first.definition(str(m)) for m in first.measures}
        means = {name: evaluation.mean for name, evaluation in self.items()}
        return html_of_runs(means, result.notes(self), definitions)

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<Evaluations of {len(self)} runs: {', '.join(self)}>"


@standard_arithmetic
def evaluate_runs(
    qrels: QrelsLike,
    runs: Mapping[str, RunLike],
    measures: MeasuresLike,
    *,
    profile: str | None = None,
    order: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    labels: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    results: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    lines: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    columns: ColumnNames | None = None,
    padding: Any = None,
    backend: str = "auto",
) -> RunEvaluations:
    """Evaluate several runs against the same qrels.

    qrels: as of rs.evaluate(), read once; or the relevant ids of each user, {user: set, list or
        dict}, as of rs.evaluate_lists()
    runs: {name: run}, each run as of rs.evaluate(), or {user: list of ids, best first}
    measures: as of rs.evaluate()

    padding: of lists of ids, as of rs.evaluate_lists()

    All conventions, `columns` and `backend` are those of rs.evaluate(). Gives {name: result of
    rs.evaluate() for this run}, in the order of `runs`; the result prints as a table, and
    rs.compare() takes it. An InputError about a run begins with the name of the run.

    >>> qrels = {"q": {"a": 1}}
    >>> found = evaluate_runs(qrels, {"x": {"q": {"a": 1.0}}, "y": {"q": {"b": 1.0}}}, "RR")
    >>> {name: evaluation["RR"] for name, evaluation in found.items()}
    {'x': 1.0, 'y': 0.0}

    >>> found = evaluate_runs({"ann": {3, 9}}, {"x": {"ann": [7, 3]}, "y": {"ann": [9, 3]}}, "P@2")
    >>> {name: evaluation["P@2"] for name, evaluation in found.items()}
    {'x': 0.5, 'y': 1.0}
    """
    _check_order(qrels, runs)
    named = _named(runs)
    of_runs = {shown_text(name): run for name, run in named.items()}
    check_read_once({"the qrels": qrels, **of_runs}, "runs: ", "46")
    _check_by_user({"qrels": qrels} | {f"run {name}": run for name, run in of_runs.items()})
    if all(map(are_lists, named.values())):  # whose order is theirs
        order, ties = order or "file", ties or "input"
    chosen_profile, conventions = profiles.chosen_conventions(
        profile,
        {
            "order": order,
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "labels": labels,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "results": results,
            "queries": queries,
            "duplicates": duplicates,
            "lines": lines,
            "depth": depth,
            "pool": pool,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        },
    )
    qrels, named = _of_lists(qrels, named, conventions.duplicates, padding)
    qrels, given = _by_column(qrels, named, conventions.order, columns)
    from_0 = chosen_profile and chosen_profile.of_labels_from_0()
    chosen = chosen_measures(measures, conventions, from_0)
    meant, how = judged_by(qrels, conventions, topics, grades)
    judged = prepared(meant, conventions, backend)
    check_below_0(chosen_profile, conventions, chosen, judged)
    check_labels(chosen_profile, conventions, judged)
    check_gains(chosen, judged)
    check_pairs(chosen, judged)
    found = RunEvaluations()
    for name, run in given.items():
        with _of_run(name):
            found[name] = evaluate_by(
                conventions, chosen_profile, judged, run, chosen, backend, None, how
            )
    warn_of_runs(found.items())
    return found


def _of_lists(
    qrels: QrelsLike, runs: dict[str, RunLike], duplicates: str, padding: Any
) -> tuple[QrelsLike, dict[str, RunLike]]:
    """Relevant ids and lists of ids by user as qrels and runs; all else as it is (RS-CONV-45)."""
    filler = padding_of(padding)
    if filler is not None and not (are_lists(qrels) or any(map(are_lists, runs.values()))):
        raise InputError(
            "padding: it applies to lists of ids, but neither the qrels nor a run has any "
            "(RS-CONV-45)"
        )
    if are_lists(qrels):
        qrels = with_labels(qrels, duplicates, filler)
    found: dict[str, RunLike] = {}
    for name, run in runs.items():
        with _of_run(name):
            found[name] = in_rank_order(run, duplicates, filler) if are_lists(run) else run
    return qrels, found


def _by_column(
    qrels: QrelsLike, runs: dict[str, RunLike], order: str, columns: ColumnNames | None
) -> tuple[QrelsLike, dict[str, RunLike]]:
    """Qrels and runs, of which data frames are read by these names of their columns."""
    check_columns(columns)
    judged = by_column(qrels, "qrels", columns=columns)
    found: dict[str, RunLike] = {}
    for name, run in runs.items():
        with _of_run(name):
            found[name] = by_column(run, "run", order, columns, in_blocks=True)
    if columns is not None and judged is qrels and all(found[x] is runs[x] for x in runs):
        raise InputError(
            "columns: they apply to data frames, but neither the qrels nor a run is one "
            "(RS-CONV-43)"
        )
    return judged, found


def _check_order(qrels: Any, runs: Any) -> None:
    """An InputError where runs by name stand in the place of the qrels."""
    if not isinstance(qrels, Mapping) or (isinstance(runs, Mapping) and not runs):
        return
    for given in qrels.values():
        by_query = given.values() if isinstance(given, Mapping) else ()
        of_documents = any(isinstance(x, (Mapping, Set, list, tuple)) for x in by_query)
        if of_documents or is_frame(given) or isinstance(given, (str, PathLike)):
            raise InputError(
                "qrels: expected qrels, got a dict of runs. Are qrels and runs swapped? The "
                "qrels come first, rs.evaluate_runs(qrels, {name: run}, measures) (RS-CONV-46)"
            )


def _check_by_user(given: Mapping[str, Any]) -> None:
    """An InputError where lists are told apart by their positions, as rows are not."""
    for what, x in given.items():
        if are_by_position(x):
            raise InputError(
                f"{what}: lists of ids by position are ambiguous here, because a list means rows "
                "(query, document, number). Give a dict, {user: list of ids}, as "
                "dict(enumerate(lists)) makes; for one run, rs.evaluate_lists() takes lists by "
                "position (RS-CONV-46)"
            )


@contextmanager
def _of_run(name: str) -> Iterator[None]:
    """Errors about a run begin with its name."""
    try:
        yield
    except InputError as error:
        words = str(error).removeprefix("run: ")
        raise InputError(f"run {shown_text(name)}: {words}") from None


def _is_a_number(x: Any) -> bool:
    return hasattr(x, "__float__") and dimensions(x) == 0


def _named(runs: Any) -> dict[str, RunLike]:
    """The runs by their names, or an InputError."""
    if not isinstance(runs, Mapping):
        raise InputError(
            f"runs: expected a dict {{name: run}}, got {shown_given(runs)}; for one run use "
            "rs.evaluate() (RS-CONV-46)"
        )
    given = snapshot(runs, "runs")
    if not given:
        raise InputError("runs: expected {name: run}, got none (RS-CONV-46)")
    for name, run in given.items():
        if not text_of(name):
            raise InputError(
                f"runs: the name {shown(name)} is not a nonempty string; expected {{name: run}} "
                "(RS-CONV-46)"
            )
        if is_a_list_of_ids(run):
            raise InputError(
                f"runs: {shown_text(name)} is a list of ids, not a run; expected {{name: {{user: "
                "list of ids}}. For one run of lists use rs.evaluate_lists() (RS-CONV-46)"
            )
        if isinstance(run, Mapping) and any(map(_is_a_number, run.values())):
            raise InputError(
                f"runs: {shown_text(name)} is a dict of numbers, not a run; expected {{name: "
                "run}. For one run, {query: {document: score}}, use rs.evaluate() (RS-CONV-46)"
            )
    return {str(text_of(name)): run for name, run in given.items()}
