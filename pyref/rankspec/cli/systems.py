"""The systems of a command: runs against qrels, or what ranks the rows of a LETOR file."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from ..errors import InputError, nearest
from ..evaluation.conventions import CONVENTIONS, OWN, Conventions, convention
from ..evaluation.profiles import Profile, chosen_conventions
from ..metrics.defaults import OF_RANKINGS, OF_SCORES
from ..typed import TYPE_CHECKING, Any
from . import VERSION
from .files import check_standard_input, names_of, naming
from .output import complain

if TYPE_CHECKING:
    from ..evaluation.evaluate import Kept
    from ..evaluation.measures import MeasuresLike
    from ..evaluation.result import Evaluation
    from ..formats.letor import RowRanking
    from ..metrics.measure import Measure
    from ..progress import Progress


def _check_runs_alone(arguments: Namespace) -> None:
    for name in ("feature", "predictions", "group"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} needs a LETOR file; add --letor FILE")


def conventions_of_runs(arguments: Namespace) -> tuple[Profile | None, Conventions]:
    _check_runs_alone(arguments)
    return chosen_conventions(arguments.profile, given_conventions(arguments))


def qrels_of(arguments: Namespace, source: Any) -> Any:
    """The qrels of a file by its format; whatever else holds qrels as it is."""
    return _read(arguments, source, "qrels", "score")


def run_of(
    arguments: Namespace, source: Any, conventions: Conventions, in_blocks: bool = False
) -> Any:
    """The run of a file by its format; in_blocks: ColumnBlocks will do."""
    return _read(arguments, source, "run", conventions.order, in_blocks)


def _read(
    arguments: Namespace, source: Any, table: str, order: str, in_blocks: bool = False
) -> Any:
    from ..formats.column_names import OfOption
    from ..formats.frames import by_column

    if not isinstance(source, str):
        return source
    form = getattr(arguments, f"{table}_format", None)
    columns = OfOption(getattr(arguments, "columns", None) or {})
    return by_column(source, table, order, columns, form, in_blocks=in_blocks)


def evaluated_runs(
    arguments: Namespace,
    conventions: Conventions,
    chosen: Profile | None,
    measures_of: Callable[[int], Sequence[Measure]],
    kept: list[Kept] | None = None,
) -> dict[str, Evaluation]:
    """The evaluation of each run; measures_of: what is taken of the run of a number, from 0.

    kept: where the ranked lists of each run are left
    """
    from ..evaluation.evaluate import evaluate_by, judged_by, prepared
    from ..formats.frames import check_of_tables
    from ..progress import progress_bar

    topics, grades = (getattr(arguments, name, None) for name in ("topics", "grades"))
    beside = [] if topics is None else [topics]
    check_standard_input([arguments.qrels, *arguments.runs, *beside])
    names = names_of(arguments.runs)
    given = qrels_of(arguments, arguments.qrels)
    judged, how = judged_by(given, conventions, topics, grades)
    qrels = prepared(judged, conventions, arguments.backend)
    runs, read = {}, [given]
    of_runs: list[Kept | None] = [None for _ in names]
    if kept is not None:
        kept += [[] for _ in names]
        of_runs = list(kept)
    for a, (name, path) in enumerate(zip(names, arguments.runs, strict=True)):
        with progress_bar(name, arguments.progress) as progress, naming(path, arguments.runs):
            run = run_of(arguments, path, conventions, in_blocks=True)
            read.append(run)
            runs[name] = evaluate_by(
                *(conventions, chosen, qrels, run, measures_of(a), arguments.backend, progress),
                judgments=how,
                kept=of_runs[a],
            )
    if isinstance(arguments.qrels, str):  # or else who read them has checked it
        check_of_tables(arguments.columns, *read)
    for name, evaluation in runs.items():
        for text in evaluation.warnings:
            complain(f"warning: {name}: {text}")
    return runs


def letor(arguments: Namespace) -> tuple[dict[str, RowRanking], Profile | None, Conventions]:
    """What ranks the rows, by the names of these systems, and the conventions."""
    from ..evaluation.letor import letor_conventions
    from ..formats.letor import Predictions, feature_of

    if arguments.qrels is not None:
        raise InputError(f'unexpected argument "{arguments.qrels}": --letor replaces QRELS and RUN')
    for name in ("topics", "grades", "qrels_format", "run_format", "columns"):
        if getattr(arguments, name, None) is not None:
            option = name.replace("_", "-")
            raise InputError(f"--{option} applies to QRELS and RUN, which --letor replaces")
    given = given_conventions(arguments)
    parts, features, groups = arguments.letor, arguments.feature or [], arguments.group or []
    if not features and not arguments.predictions:
        raise InputError("give --feature or --predictions, which rank the rows (RS-CONV-21)")
    if len(set(features)) < len(features):
        twice = next(x for x in features if features.count(x) > 1)
        raise InputError(f"--feature: {twice} is given twice")
    check_standard_input([*parts, *(arguments.predictions or []), *groups])
    systems, names = predictions_by_system(arguments), names_of_predictions(arguments)
    names_of(parts, "file", "RS-CONV-21")
    if groups and len(groups) != len(parts):
        raise InputError(
            f"--group: expected {len(parts)} files, one for each of --letor, got {len(groups)}"
        )
    rankings: dict[str, RowRanking] = {str(x): x for x in map(feature_of, features)}
    rankings |= zip(names, map(Predictions, systems), strict=True)
    if len(rankings) < len(features) + len(systems):
        raise InputError("--predictions: a file is named like a feature; give its path as ./FILE")
    chosen, conventions = letor_conventions(arguments.profile, given)
    return rankings, chosen, conventions


def predictions_by_system(arguments: Namespace) -> list[list[str]]:
    """The files of predictions of each system, one for each LETOR file (RS-CONV-21)."""
    paths, parts = arguments.predictions or [], len(arguments.letor)
    if len(paths) % parts:
        raise InputError(
            f"--predictions: expected {parts} files for each system, one for each of --letor, got "
            f"{len(paths)} in all"
        )
    return [paths[begin : begin + parts] for begin in range(0, len(paths), parts)]


def names_of_predictions(arguments: Namespace) -> list[str]:
    """The names of the systems: each has that of its first file."""
    names_of(arguments.predictions or [], "run", "RS-CONV-21")  # none is given twice
    return names_of([paths[0] for paths in predictions_by_system(arguments)])


def bar_of_letor(arguments: Namespace) -> AbstractContextManager[Progress | None]:
    from ..progress import progress_bar

    name = names_of(arguments.letor)[0]
    return progress_bar(name, getattr(arguments, "progress", False))  # explain draws none


def about(arguments: Namespace) -> dict[str, Any]:
    """What JSON says that the numbers are of."""
    if arguments.letor is None:
        return {"rankspec": VERSION, "qrels": arguments.qrels}
    first, *others = arguments.letor
    return {"rankspec": VERSION, "letor": arguments.letor if others else first}


def one_system(arguments: Namespace) -> tuple[Any, Any, dict[str, Any], str | None]:
    """Qrels and a run, as files or as what a LETOR file stands for, and the conventions given.

    The last is what orders the rows of a LETOR file; None of a run.
    """
    if arguments.letor is None:
        _check_runs_alone(arguments)
        beside = [] if arguments.topics is None else [arguments.topics]
        check_standard_input([arguments.qrels, arguments.run, *beside])
        given = given_conventions(arguments)
        _, conventions = chosen_conventions(arguments.profile, given)
        from ..formats.frames import check_of_tables

        qrels, run = (
            qrels_of(arguments, arguments.qrels),
            run_of(arguments, arguments.run, conventions),
        )
        check_of_tables(arguments.columns, qrels, run)
        return qrels, run, given, None
    from ..evaluation.letor import as_trec_files

    rankings, _, conventions = letor(arguments)
    if len(rankings) > 1:
        raise InputError(f"expected one ranking of the rows, got {', '.join(rankings)}")
    (ranking,) = rankings.values()
    with bar_of_letor(arguments) as progress:
        qrels, run = as_trec_files(arguments.letor, arguments.group, ranking, conventions, progress)
    return qrels, run, {**given_conventions(arguments), "ties": conventions.ties}, ranking.order


def about_one(arguments: Namespace) -> dict[str, Any]:
    """What JSON says that an explanation or a report is of."""
    of_both = about(arguments)
    return of_both if arguments.letor is not None else {**of_both, "run": arguments.run}


def measures_of(
    arguments: Namespace, conventions: Conventions, chosen: Profile | None
) -> Sequence[str]:
    """The measures that are asked for, or those of the default that the profile has."""
    if arguments.measure:
        return list(arguments.measure)
    if conventions.scored:
        return list(OF_SCORES)
    known = chosen.metrics if chosen else None
    return [name for name in OF_RANKINGS if known is None or name.partition("@")[0] in known]


def measures_with_prior(
    arguments: Namespace,
    names: MeasuresLike,
    conventions: Conventions,
    profile: Profile | None,
) -> tuple[Measure, ...]:
    """The measures of these names, by the prior of --prior-clicks or --prior-lengths if given."""
    from ..evaluation.measures import chosen_measures
    from ..metrics.measure import as_written

    prior = getattr(arguments, "prior", None)  # not every command has these options
    measures = chosen_measures(names, conventions, profile, prior)
    if prior is not None and all(getattr(m, "prior", None) != prior for m in measures):
        raise InputError(
            "--prior-clicks, --prior-lengths: no measure takes the prior of the file; it is of "
            "those that have one and name none, such as LNDCG@10 or Adjusted(RR); the measures "
            f"are {', '.join(map(as_written, measures))} (RS-LEN-19)"
        )
    return measures


def note_missing_defaults(
    arguments: Namespace, names: Sequence[str], chosen: Profile | None
) -> None:
    """Say which of the default measures the profile lacks; names: those that are shown."""
    missing = [name for name in OF_RANKINGS if name not in names]
    if chosen is not None and missing and not arguments.measure and names != list(OF_SCORES):
        complain(f"note: profile {chosen.name} has no {', '.join(missing)}, the other defaults")


_WITHOUT_EFFECT = {
    "rel": "write it in the measure, as in P(rel=0.5) (RS-REL-16)",
    "negative": "a score may be negative (RS-CONV-20)",
}
"""The options that labels which are scores leave nothing to do."""


def given_conventions(arguments: Namespace) -> dict[str, Any]:
    """The conventions that were given, None for the others."""
    rules = convention("scores").values
    if arguments.scores not in (None, *rules) and nearest(arguments.scores, rules) is None:
        raise InputError(
            f'--scores: unknown rule "{arguments.scores}"; expected {" or ".join(rules)}. To '
            "give a file of predictions, use --predictions and --letor FILE (RS-CONV-21)"
        )
    if arguments.relevance not in (None, "label"):
        for name, why in _WITHOUT_EFFECT.items():
            if getattr(arguments, name) not in (None, OWN[0]):
                raise InputError(
                    f"--{name} has no effect with --relevance {arguments.relevance}: {why}"
                )
    return {convention.name: getattr(arguments, convention.name) for convention in CONVENTIONS}
