"""The command line: ``rankspec eval``, ``explain``, ``check``, ``classify``, ``measures``, ...

A command computes its whole output before a byte of it is written: bad input leaves one line on
the standard error, nothing on the standard output, and the exit status 2.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import permutations
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

from .. import __version__
from ..compute.arithmetic import standard_arithmetic
from ..errors import CoreMissing, CoreMissingWarning, InputError, hint, nearest, shown_text
from ..evaluation.conventions import CONVENTIONS, OWN, Conventions, convention
from ..evaluation.profiles import Profile, chosen_conventions, profile
from ..reference.numbers.enclosure import Undecided
from ..text import for_a_terminal
from .arguments import (
    DEFAULT_MEASURES,
    DEFAULT_OF_SCORES,
    DEFAULT_OF_SESSIONS,
    HelpAsked,
    command_of,
    overview,
    parsed,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from matplotlib.figure import Figure

    from ..analysis.relevance import Relevance
    from ..evaluation.evaluate import Kept
    from ..evaluation.ranked import Judgments
    from ..evaluation.result import Evaluation
    from ..evaluation.sessions.judgments import JudgedSessions, SessionConventions
    from ..evaluation.sessions.result import SessionEvaluation
    from ..formats.letor import RowRanking
    from ..formats.search_session import SearchSession
    from ..metrics.measure import Measure
    from ..progress import Progress

DONE = 0
SUSPICIOUS = 1  # what check --exit-code found; a figure of a paper that nothing explains
BAD_INPUT = 2
INTERRUPTED = 130  # as a shell reports SIGINT
BROKEN_PIPE = 141  # as a shell reports SIGPIPE

GivenSessions: TypeAlias = "tuple[list[SearchSession], list[str]]"
"""The sessions of a system, and the ids of those that are left out."""

Printed: TypeAlias = tuple[str, int]
"""What a command prints, and its exit status."""


@standard_arithmetic
def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        with _warnings_in_a_line():
            text, status = _run(words)
        return _write(text) or status
    except (InputError, CoreMissing, Undecided) as error:
        return _complain(f"error: {error}")
    except MemoryError:
        return _complain("error: not enough memory")
    except KeyboardInterrupt:
        return INTERRUPTED


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    """A core that is missing is a warning in one line, as others are."""
    show = warnings.showwarning

    def in_a_line(
        message: Warning | str, category: type[Warning], *rest: Any, **named: Any
    ) -> None:
        if issubclass(category, CoreMissingWarning):
            _complain(f"warning: {message}")
        else:
            show(message, category, *rest, **named)

    warnings.showwarning = in_a_line
    try:
        yield
    finally:
        warnings.showwarning = show


def _run(words: Sequence[str]) -> Printed:
    if not words or words[0] in ("-h", "--help"):
        return overview(), DONE
    if words[0] == "--version":
        return f"rankspec {__version__}\n", DONE
    try:
        command, rest = command_of(words)
        arguments = parsed(command, rest)
    except HelpAsked as asked:
        return str(asked), DONE
    return _COMMANDS[command](arguments)


def _eval(arguments: Namespace) -> Printed:
    from ..evaluation.outputs import OUTPUTS
    from ..evaluation.render import printed

    runs = _evaluated(arguments)
    how = arguments.per_query, arguments.digits, _about(arguments)
    return printed(OUTPUTS, arguments.format, runs, *how), DONE


def _evaluated(arguments: Namespace) -> dict[str, Evaluation]:
    """The evaluations of all systems, by their names."""
    from ..evaluation.measures import chosen_measures

    if arguments.letor is None:
        chosen, conventions = _conventions_of_runs(arguments)
        names = _measures_of(arguments, conventions, chosen)
        measures = chosen_measures(names, conventions, chosen)
        return _evaluated_runs(arguments, conventions, chosen, lambda _: measures)
    from ..evaluation.letor import evaluate_rankings

    rankings, chosen, conventions = _letor(arguments)
    names = _measures_of(arguments, conventions, chosen)
    with _bar_of_letor(arguments) as progress:
        return evaluate_rankings(
            conventions,
            chosen,
            arguments.letor,
            arguments.group,
            rankings,
            chosen_measures(names, conventions, chosen),
            backend=arguments.backend,
            progress=progress,
        )


def _check_runs_alone(arguments: Namespace) -> None:
    for name in ("feature", "predictions", "group"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name} is of a LETOR file (--letor FILE); there is none")


def _conventions_of_runs(arguments: Namespace) -> tuple[Profile | None, Conventions]:
    _check_runs_alone(arguments)
    return chosen_conventions(arguments.profile, _given(arguments))


def _evaluated_runs(
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
    from ..progress import progress_bar

    topics, grades = (getattr(arguments, name, None) for name in ("topics", "grades"))
    beside = [] if topics is None else [topics]
    _check_standard_input([arguments.qrels, *arguments.runs, *beside])
    names = _names(arguments.runs)
    judged, how = judged_by(arguments.qrels, conventions, topics, grades)
    qrels = prepared(judged, conventions, arguments.backend)
    runs = {}
    of_runs: list[Kept | None] = [None for _ in names]
    if kept is not None:
        kept += [[] for _ in names]
        of_runs = list(kept)
    for a, (name, path) in enumerate(zip(names, arguments.runs, strict=True)):
        with progress_bar(name, arguments.progress) as progress, _named(path, arguments.runs):
            runs[name] = evaluate_by(
                *(conventions, chosen, qrels, path, measures_of(a), arguments.backend, progress),
                judgments=how,
                kept=of_runs[a],
            )
    for name, evaluation in runs.items():
        for text in evaluation.warnings:
            _complain(f"warning: {name}: {text}")
    return runs


def _letor(arguments: Namespace) -> tuple[dict[str, RowRanking], Profile | None, Conventions]:
    """What ranks the rows, by the names of these systems, and the conventions."""
    from ..evaluation.letor import letor_conventions
    from ..formats.letor import Predictions, feature_of

    if arguments.qrels is not None:
        raise InputError(
            f'unexpected argument "{arguments.qrels}": with --letor there are no QRELS and RUN'
        )
    for name in ("topics", "grades"):
        if getattr(arguments, name, None) is not None:
            raise InputError(f"--{name} is of QRELS and RUN; with --letor there are none")
    features, paths = arguments.feature or [], arguments.predictions or []
    if not features and not paths:
        raise InputError(
            "what ranks the rows? Give --feature, --predictions or --scores FILE (RS-CONV-21)"
        )
    if len(set(features)) < len(features):
        twice = next(x for x in features if features.count(x) > 1)
        raise InputError(f"--feature: {twice} twice")
    _check_standard_input(
        [arguments.letor, *paths, *([arguments.group] if arguments.group else [])]
    )
    rankings: dict[str, RowRanking] = {str(x): x for x in map(feature_of, features)}
    rankings |= zip(_names(paths), map(Predictions, paths), strict=True)
    if len(rankings) < len(features) + len(paths):
        raise InputError("--predictions: a file has the name of a feature; give its path as ./FILE")
    chosen, conventions = letor_conventions(arguments.profile, _given(arguments))
    return rankings, chosen, conventions


def _bar_of_letor(arguments: Namespace) -> AbstractContextManager[Progress | None]:
    from ..progress import progress_bar

    (name,) = _names([arguments.letor])
    return progress_bar(name, getattr(arguments, "progress", False))  # explain draws none


def _about(arguments: Namespace) -> dict[str, Any]:
    """What JSON says that the numbers are of."""
    of = "qrels" if arguments.letor is None else "letor"
    return {"rankspec": __version__, of: getattr(arguments, of)}


def _one_system(arguments: Namespace) -> tuple[Any, Any, dict[str, Any], str | None]:
    """Qrels and a run, as files or as what a LETOR file stands for, and the conventions given.

    The last is what orders the rows of a LETOR file; None of a run.
    """
    if arguments.letor is None:
        _check_runs_alone(arguments)
        beside = [] if arguments.topics is None else [arguments.topics]
        _check_standard_input([arguments.qrels, arguments.run, *beside])
        return arguments.qrels, arguments.run, _given(arguments), None
    from ..evaluation.letor import as_trec_files

    rankings, _, conventions = _letor(arguments)
    if len(rankings) > 1:
        raise InputError(f"one ranking of the rows, please; these are {', '.join(rankings)}")
    (ranking,) = rankings.values()
    with _bar_of_letor(arguments) as progress:
        qrels, run = as_trec_files(arguments.letor, arguments.group, ranking, conventions, progress)
    return qrels, run, {**_given(arguments), "ties": conventions.ties}, ranking.order


def _about_one(arguments: Namespace) -> dict[str, Any]:
    """What JSON says that an explanation or a report is of."""
    about = _about(arguments)
    return about if arguments.letor is not None else {**about, "run": arguments.run}


def _measures_of(
    arguments: Namespace, conventions: Conventions, chosen: Profile | None
) -> Sequence[str]:
    """The measures that are asked for, or those of the default that the profile has."""
    if arguments.measure:
        return list(arguments.measure)
    if conventions.scored:
        return [DEFAULT_OF_SCORES]
    known = chosen.metrics if chosen else None
    return [name for name in DEFAULT_MEASURES if known is None or name.partition("@")[0] in known]


@contextmanager
def _named(path: str, runs: Sequence[str], *others: str) -> Iterator[None]:
    """An error says which of several runs it is about; or which of the other files."""
    try:
        yield
    except InputError as error:
        known = tuple(f"{name}:" for name in (path, "standard input", *others))
        if str(error).startswith(known) or len(runs) == 1:
            raise
        raise InputError(f"{path}: {error}") from None


def _explain(arguments: Namespace) -> Printed:
    from ..analysis.explain.explanation import explain_ranked, json, table

    qrels, run, given, by = _one_system(arguments)
    chosen, conventions = chosen_conventions(arguments.profile, given)
    measures = arguments.measure or _measures_of(arguments, conventions, chosen)[:1]
    if len(measures) > 1:
        raise InputError(f"explain: one measure, please; these are {', '.join(measures)}")
    explanation = explain_ranked(
        *(qrels, run, arguments.query, measures[0], arguments.profile, given, by),
        topics=arguments.topics,
        grades=arguments.grades,
    )
    if arguments.format == "json":
        return json(explanation, **_about_one(arguments)), DONE
    return table(explanation, arguments.digits), DONE


def _check(arguments: Namespace) -> Printed:
    from ..analysis.check.report import check_ranked, json
    from ..progress import progress_bar

    qrels, run, given, by = _one_system(arguments)
    (name,) = _names([arguments.run if arguments.letor is None else arguments.letor])
    with progress_bar(name, arguments.progress) as progress:
        found = check_ranked(
            qrels,
            run,
            given,
            top=arguments.top,
            profile=arguments.profile,
            backend=arguments.backend,
            progress=progress,
            by=by,
            topics=arguments.topics,
            grades=arguments.grades,
        )
    status = SUSPICIOUS if arguments.exit_code and found.suspicious else DONE
    if arguments.format == "json":
        return json(found, **_about_one(arguments)), status
    return f"{found}\n", status


def _classify(arguments: Namespace) -> Printed:
    from ..analysis import query_types

    how = arguments.top, arguments.gap, arguments.hard, arguments.easy
    asked = arguments.measure or query_types.MEASURES
    if arguments.letor is None:
        chosen, conventions = _conventions_of_runs(arguments)
        measures = query_types.gap_measures(asked, conventions, chosen)
        kept: list[Kept] = []
        runs = _evaluated_runs(
            arguments, conventions, chosen, lambda a: query_types.wanted_of(a, measures), kept
        )
        found = query_types.classification(list(runs.values()), measures, *how, kept=kept)
    else:
        rankings, chosen, conventions = _letor(arguments)
        with _bar_of_letor(arguments) as progress:
            found = query_types.classify_rankings(
                conventions,
                chosen,
                arguments.letor,
                arguments.group,
                rankings,
                asked,
                *how,
                backend=arguments.backend,
                progress=progress,
            )
    digits = arguments.digits
    if arguments.format == "json":
        return query_types.json(found, **_about(arguments)), DONE
    if arguments.format == "tsv":
        return query_types.tsv(found, digits), DONE
    return query_types.table(found, 4 if digits is None else digits), DONE


def _session_eval(arguments: Namespace) -> Printed:
    from ..evaluation.render import printed
    from ..evaluation.sessions.evaluate import evaluate_by
    from ..evaluation.sessions.outputs import OUTPUTS

    chosen = _session_measures(arguments)
    judgments, systems, conventions = _session_files(arguments)
    found = {}
    for name, path in zip(systems, arguments.sessions, strict=True):
        with _named(path, arguments.sessions, arguments.qrels):
            found[name] = evaluate_by(
                conventions, judgments, *systems[name], chosen, arguments.backend
            )
    _check_left_out(found, arguments.format)
    about = {"rankspec": __version__, "qrels": arguments.qrels}
    how = arguments.per_session, arguments.digits, about
    return printed(OUTPUTS, arguments.format, found, *how), DONE


def _check_left_out(systems: Mapping[str, SessionEvaluation], written_as: str) -> None:
    """Warn of what tsv has no place for; an InputError where no session is left."""
    from ..evaluation.sessions.result import left_out

    for name, found in systems.items():
        if not found.sessions:
            why = ", ".join(dict.fromkeys(found.left_out.values()))
            raise InputError(f"{name}: there is no session to evaluate ({why}) (RS-CONV-26)")
    for name, found in systems.items() if written_as == "tsv" else ():
        for line in left_out(f"{name}: ", found.left_out):
            _complain(f"warning: {line}")
    of = {name: dict.fromkeys(found.sessions) for name, found in systems.items()}
    for (name, some), (other, others) in permutations(of.items(), 2):
        for session in some:
            if session not in others:
                _complain(
                    f"warning: the means are of different sessions: {name} has "
                    f"{shown_text(session)}, {other} has not"
                )
                return


def _session_plot(arguments: Namespace) -> Printed:
    from ..evaluation.render import names_table
    from ..evaluation.sessions.result import left_out
    from ..plots import SESSION_PLOTS

    known = ", ".join(SESSION_PLOTS)
    if arguments.figure is None:
        for name, word in _OPTIONS_OF_FIGURES.items():
            if getattr(arguments, name) is not None:
                raise InputError(f"{word}: of which figure? There are {known}")
        return names_table({name: plot.about for name, plot in SESSION_PLOTS.items()}), DONE
    if arguments.figure not in SESSION_PLOTS:
        raise InputError(
            f'"{arguments.figure}" is no figure{hint(arguments.figure, SESSION_PLOTS)}; there are '
            f"{known}"
        )
    chosen = SESSION_PLOTS[arguments.figure]
    for name in ("finished", "normalised", "ideal"):
        if getattr(arguments, name) is not None and name not in chosen.options:
            word = _OPTIONS_OF_FIGURES[name]
            raise InputError(f"{word} has no effect on {arguments.figure}")
    options = {name: getattr(arguments, name) for name in chosen.options}
    options = {name: x for name, x in options.items() if x is not None}
    path = f"session-{arguments.figure}.png" if arguments.output is None else arguments.output
    systems = _systems_of_figure(arguments)
    _draw(path, lambda: chosen.draw(systems, backend=arguments.backend, **options))
    for name, judged in (systems or {}).items():
        for line in left_out(f"{name}: ", judged.left_out):
            _complain(f"warning: {line}")
    return f"{path}\n", DONE


_OPTIONS_OF_FIGURES = {
    "output": "-o",
    "topic": "--topic",
    "least_queries": "--least-queries",
    "k": "-X",
    "finished": "--finished",
    "normalised": "--not-normalised",
    "ideal": "--ideal",
}


def _systems_of_figure(arguments: Namespace) -> dict[str, JudgedSessions] | None:
    """The judged sessions of each system by its name; None: there are no files."""
    from ..evaluation.sessions.evaluate import judge_by

    if arguments.qrels is not None and arguments.sessions:
        judgments, systems, conventions = _session_files(arguments)
        found = {}
        for name, path in zip(systems, arguments.sessions, strict=True):
            with _named(path, arguments.sessions, arguments.qrels):
                found[name] = judge_by(conventions, judgments, *systems[name])
        return found
    if arguments.qrels is not None:
        raise InputError(f"{arguments.qrels}: these are judgments; the file SESSIONS is missing")
    of_reading = ("topics", "current", "order")
    for name in (*of_reading, "judged_by", "pool", "unjudged", "negative", "grades"):
        if getattr(arguments, name) is not None:
            word = f"--{name.replace('_', '-')}"
            raise InputError(f"{word}: of which files? Without any the example is drawn")
    return None


def _session_measures(arguments: Namespace) -> Sequence[Measure]:
    """The measures of sessions that are asked for, or the default ones."""
    from ..evaluation.sessions.evaluate import session_measures
    from ..metrics.session import METRICS

    names = dict.fromkeys(name for metric in METRICS for name in metric.parameters)
    defaults = {name: getattr(arguments, name, None) for name in names}
    return session_measures(arguments.measure or DEFAULT_OF_SESSIONS, defaults)


def _session_files(
    arguments: Namespace,
) -> tuple[Judgments, dict[str, GivenSessions], SessionConventions]:
    """The judgments, the sessions of all systems by their names, and the conventions."""
    from ..evaluation.sessions.evaluate import given_sessions
    from ..evaluation.sessions.judgments import CONVENTIONS as OF_SESSIONS
    from ..evaluation.sessions.judgments import session_conventions
    from ..formats.sessions import rankings_of, read_judgments, read_topics

    topics, current = arguments.topics, arguments.current
    beside = [path for path in (topics, current) if path is not None]
    _check_standard_input([arguments.qrels, *arguments.sessions, *beside])
    names = _names(arguments.sessions, "file")
    judgments = read_judgments(arguments.qrels)
    known = None if topics is None else read_topics(topics)
    rankings = rankings_of(current, arguments.order or "score")
    systems = {}
    for name, path in zip(names, arguments.sessions, strict=True):
        with _named(path, arguments.sessions, *([] if topics is None else [topics])):
            systems[name] = given_sessions(path, known, rankings)
    given = {x.name: getattr(arguments, x.name, None) for x in OF_SESSIONS}
    conventions = session_conventions(
        (session for sessions, _ in systems.values() for session in sessions),
        grades=arguments.grades,
        **given,
    )
    return judgments, systems, conventions


def _measures(arguments: Namespace) -> Printed:
    from ..evaluation import listings
    from ..metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS

    write = listings.metrics_json if arguments.format == "json" else listings.metrics_table
    return write(METRICS, SESSION_METRICS, BOUNDS), DONE


def _profiles(arguments: Namespace) -> Printed:
    from ..evaluation import listings

    write = listings.profiles_json if arguments.format == "json" else listings.profiles_table
    return write(None if arguments.profile is None else profile(arguments.profile)), DONE


def _reproduce(arguments: Namespace) -> Printed:
    from ..papers import PAPERS, reproduce
    from ..papers.reproduction import json, papers_json, papers_table, text

    if arguments.paper is None:
        for name in ("samples", "data"):
            if getattr(arguments, name) is not None:
                known = ", ".join(paper.name for paper in PAPERS)
                raise InputError(f"--{name}: of which paper? There are {known}")
        write = papers_json if arguments.format == "json" else papers_table
        return write(PAPERS), DONE
    found = reproduce(
        arguments.paper,
        backend=arguments.backend,
        samples=arguments.samples,
        data=arguments.data,
    )
    status = SUSPICIOUS if found.unexplained else DONE
    if arguments.format == "json":
        return json(found, rankspec=__version__), status
    return f"{text(found, arguments.digits)}\n", status


def _plot(arguments: Namespace) -> Printed:
    from ..evaluation.render import names_table
    from ..plots import PLOTS, plot

    words = {"M": "-M"} | {name: f"--{name}" for name in ("labels", "scores", "samples", "data")}
    options = {name: getattr(arguments, name) for name in words}
    if arguments.plot is None:
        for name, x in {"output": arguments.output, **options}.items():
            if x is not None:
                word = words.get(name, "-o")
                raise InputError(f"{word}: of which plot? There are {', '.join(PLOTS)}")
        return names_table({name: plot.about for name, plot in PLOTS.items()}), DONE
    path = f"{arguments.plot}.png" if arguments.output is None else arguments.output
    _draw(path, lambda: plot(arguments.plot, backend=arguments.backend, **options))
    return f"{path}\n", DONE


def _draw(path: str, figure: Callable[[], Figure]) -> None:
    """Write a picture, in the format that the file's suffix says."""
    from ..plots import encoded, format_of

    suffix = format_of(path)
    with _without_warnings("matplotlib"):
        picture = encoded(figure(), suffix)
    _save(path, picture)


def _relevance(arguments: Namespace) -> Printed:
    from ..analysis import relevance as phi

    measure = phi.measure_of(arguments.variant, arguments.quartiles)
    found = phi.relevance_of(arguments.file, measure, arguments.query, arguments.backend)
    digits = arguments.digits
    if arguments.format == "json":
        printed = phi.json(found, measure, rankspec=__version__, file=arguments.file)
    elif arguments.format == "tsv":
        printed = phi.tsv(found, digits)
    else:
        printed = phi.table(found, measure, 4 if digits is None else digits)
    if arguments.output is not None:
        _draw(arguments.output, lambda: _figure_of(found, arguments))
    return printed, DONE


def _figure_of(found: Sequence[Relevance], arguments: Namespace) -> Figure:
    from ..plots import relevance

    if len(found) > 1:
        raise InputError(f"-o: one query, please (--query); there are {len(found)}")
    how = {name: getattr(arguments, name) for name in ("variant", "quartiles", "backend")}
    return relevance(found[0].scores, **how)


@contextmanager
def _without_warnings(name: str) -> Iterator[None]:
    """What a library logs of its folders and settings is not for those who only want a picture."""
    import logging

    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _save(name: str, content: bytes) -> None:
    """Write a file as a whole: one that is there stays as it is until the new one is complete."""
    from pathlib import Path

    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a pipe, say, cannot be replaced
            path.write_bytes(content)
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror}") from None


def _replace(path: Path, content: bytes) -> None:
    """Write beside the path what then takes its place, with the permissions that it has."""
    from secrets import token_hex

    mode = None
    if path.exists():
        with path.open("ab"):  # an error where it must not be written
            mode = path.stat().st_mode
    beside = path.with_name(f".rankspec-{token_hex(8)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
        if mode is not None:
            beside.chmod(mode)
        beside.replace(path)
    except BaseException:  # an interruption too
        with suppress(OSError):
            beside.unlink()
        raise


def _example(arguments: Namespace) -> Printed:
    from pathlib import Path

    folder = Path(__file__).parents[1] / "example"
    if arguments.copy is not None:
        _copy(sorted(folder.iterdir()), Path(arguments.copy))
        return "", DONE
    runs = [folder / "qrels.txt", *sorted(folder.glob("*.run"))]
    files = [folder / "letor.txt"] if arguments.letor else runs
    if arguments.sessions:
        files = [folder / "session-qrels.tsv", *sorted(folder.glob("sessions-*.tsv"))]
    return "".join(f"{file}\n" for file in files), DONE


def _copy(files: Sequence[Path], to: Path) -> None:
    """Copies files into a folder; an InputError where it has others of their names."""
    try:
        to.mkdir(parents=True, exist_ok=True)
        for file in files:
            copy, content = to / file.name, file.read_bytes()
            if copy.exists() and not (copy.is_file() and copy.read_bytes() == content):
                raise InputError(
                    f"{copy}: it is there, and no copy of the example; it is left as it is"
                )
        for file in files:
            _write_whole(to / file.name, file.read_bytes())
    except OSError as error:
        raise InputError(f"{error.filename or to}: {error.strerror}") from None


def _write_whole(path: Path, content: bytes) -> None:
    """Writes a file; where that fails nothing of it is left."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _completion(arguments: Namespace) -> Printed:
    from .completion import script

    return script(arguments.shell), DONE


_COMMANDS: dict[str, Callable[[Namespace], Printed]] = {
    "eval": _eval,
    "explain": _explain,
    "check": _check,
    "classify": _classify,
    "session eval": _session_eval,
    "session plot": _session_plot,
    "measures": _measures,
    "profiles": _profiles,
    "reproduce": _reproduce,
    "relevance": _relevance,
    "plot": _plot,
    "example": _example,
    "completion": _completion,
}


_WITHOUT_EFFECT = {
    "rel": "no measure of scores has a least relevant label (RS-CONV-20)",
    "negative": "a score may be negative (RS-CONV-20)",
}
"""The options that labels which are scores leave nothing to do."""


def _given(arguments: Namespace) -> dict[str, Any]:
    """The conventions that were given, None for the others."""
    rules = convention("scores").values
    if arguments.scores not in (None, *rules) and nearest(arguments.scores, rules) is None:
        raise InputError(
            f'--scores: "{arguments.scores}" is no rule ({", ".join(rules)}); a file of scores '
            "belongs to a LETOR file, --letor FILE (RS-CONV-21)"
        )
    if arguments.relevance not in (None, "label"):
        for name, why in _WITHOUT_EFFECT.items():
            if getattr(arguments, name) not in (None, OWN[0]):
                raise InputError(
                    f"--{name} has no effect with --relevance {arguments.relevance}: {why}"
                )
    return {convention.name: getattr(arguments, convention.name) for convention in CONVENTIONS}


def _check_standard_input(paths: Sequence[str]) -> None:
    if paths.count("-") > 1:
        raise InputError("only one of the files can be the standard input")


def _names(paths: Sequence[str], what: str = "run") -> list[str]:
    """What the runs are called: the file names, or the paths where those are not distinct."""
    real = list(map(_real, paths))
    for path, file in zip(paths, real, strict=True):
        if real.count(file) > 1:
            raise InputError(f"{path}: the same {what} twice")
    names = [path.rpartition("/")[2] or path for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _real(path: str) -> str:
    """The path of a file without links; opening it will say what is wrong."""
    with suppress(ValueError):  # a NUL byte in it
        return path if path == "-" else os.path.realpath(path)
    return path


def _write(text: str) -> int:
    """Write the output, ids in the bytes they were read in, but on a terminal; the exit status."""
    if sys.stdout is None:
        return _complain("error: cannot write: the standard output is closed")
    if _is_terminal(sys.stdout):
        text = for_a_terminal(text)
    stream = getattr(sys.stdout, "buffer", None)
    try:
        if stream is None:  # replaced by a program that runs us, say by io.StringIO
            sys.stdout.write(text)
        else:
            left = memoryview(text.encode("utf-8", "surrogateescape"))
            while left:  # unbuffered (python -u), a pipe may take less than all at once
                left = left[stream.write(left) :]
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_the_rest()
        return BROKEN_PIPE
    except OSError as error:
        _discard_the_rest()
        return _complain(f"error: cannot write: {error.strerror}")
    return 0


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # it was replaced by less than a file, or is closed
        return False


def _discard_the_rest() -> None:
    """Let go what is still in the buffers: Python flushes at its end, and would complain then."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    """Say it in one line, where it can be said."""
    one_line = " ".join(message.splitlines())
    shown = "".join(
        c if c.isprintable() or _is_byte(c) else "\N{REPLACEMENT CHARACTER}" for c in one_line
    )
    if sys.stderr is not None:
        if _is_terminal(sys.stderr):
            shown = for_a_terminal(shown)
        with suppress(OSError, ValueError):
            print(f"rankspec: {shown}", file=sys.stderr, flush=True)
    return BAD_INPUT


def _is_byte(c: str) -> bool:
    """Whether a character stands for a byte of a name that is no UTF-8; Python writes it so."""
    return "\udc80" <= c <= "\udcff"
