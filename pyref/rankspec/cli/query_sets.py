"""Sets of queries, and a second collection, of ``rankspec compare``: --subsets and --against."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError, listed
from . import words
from .asked import asked
from .eval import evaluated
from .files import names_of
from .options import add_classes, of_classes
from .parser import Parser, first_given
from .systems import (
    bar_of_letor,
    conventions_of_runs,
    evaluated_runs,
    letor,
    measures_of,
    measures_with_prior,
    names_of_predictions,
)

if TYPE_CHECKING:
    from ..analysis.comparison.beside import Beside
    from ..analysis.query_types import Classification
    from ..evaluation.evaluate import Kept
    from ..evaluation.result import Evaluation
    from ..metrics.measure import Measure


OF_CLASSES = ("top", "gap", "hard", "easy")


def add_measures_and_sets(parser: Parser) -> None:
    """What is said of measures, sets of queries and collections."""
    group = parser.add_argument_group("measures, and sets of queries")
    group.add_argument(
        "--measures",
        action="store_true",
        help="compare each pair of measures, too: orders of the systems, significant differences; "
        "csv and tsv then have one line per pair of measures, not of systems",
    )
    group.add_argument(
        "--rbo-p",
        type=words.between_0_and_1,
        metavar="P",
        help="with --measures: compute rank-biased overlap of the orders, with this persistence",
    )
    group.add_argument(
        "--splits",
        type=words.replicates,
        default=0,
        metavar="N",
        help="swap rates of the measures between halves of the queries, split at random N times",
    )
    group.add_argument(
        "--bin-width",
        type=words.share,
        default=words.share("0.01"),
        metavar="D",
        help="with --splits: the width of the bins of differences (default: 0.01)",
    )
    group.add_argument(
        "--against",
        nargs="+",
        metavar="FILE",
        help="swap rates between two collections: the second QRELS and runs of the same systems, "
        "matched by file name; with --letor its LETOR files, then its predictions",
    )
    group.add_argument(
        "--subsets",
        type=_names,
        metavar="NAMES",
        help="compare on classes of queries, too; separate them by commas: informative, ideal, "
        "uninformative, hard, easy",
    )
    classes = add_classes(parser, "classes of queries, for --subsets")
    classes.add_argument(
        "--classes-by",
        type=asked,
        action="extend",
        metavar="MEASURE",
        help="one metric at several cut-offs (default: nDCG at 5, 10, 15, 20, 30)",
    )


def check_none_asked(arguments: Namespace, other: str) -> None:
    """An InputError where something of these is asked for beside an option without them."""
    for name in ("measures", "rbo_p", "splits", "against", "subsets", "classes_by"):
        if getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} has no effect with {other}")
    of_these = (*OF_CLASSES, "bin_width")
    _check_not_given(arguments, of_these, f"--{{}} has no effect with {other}")


def _check_not_given(arguments: Namespace, names: Sequence[str], complaint: str) -> None:
    if word := first_given(arguments, names):
        raise InputError(complaint.format(word))


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def collections(arguments: Namespace) -> tuple[dict[str, Evaluation], Beside]:
    """The evaluations of the systems, and what is asked for beside their comparison."""
    from ..analysis.comparison.beside import Beside
    from ..analysis.comparison.query_sets import checked_classes, classes_named

    if arguments.subsets is not None:
        checked_classes(arguments.subsets)
    elif arguments.classes_by is not None:
        raise InputError("--classes-by: only --subsets uses it; add --subsets")
    else:
        _check_not_given(arguments, OF_CLASSES, "--{}: only --subsets uses it; add --subsets")
    if not arguments.splits:
        _check_not_given(arguments, ("bin_width",), "--{}: only --splits uses it; add --splits")
    beside = Beside(
        arguments.measures,
        arguments.rbo_p,
        splits=arguments.splits,
        bin_width=arguments.bin_width,
    )
    other = None if arguments.against is None else _other(arguments)
    runs, classes = _evaluated(arguments)
    if classes is not None:
        beside = replace(beside, subsets=classes_named(arguments.subsets, classes))
    if other is not None:
        there, its_classes = _evaluated(other)
        beside = replace(beside, against={name: there[name] for name in runs})
        if its_classes is not None:
            its_sets = classes_named(arguments.subsets, its_classes)
            beside = replace(beside, against_subsets=its_sets)
    return runs, beside


def _other(arguments: Namespace) -> Namespace:
    """The arguments, of the other collection; an InputError where it has other systems."""
    if getattr(arguments, "topics", None) is not None:
        raise InputError(
            "--topics: it maps the queries of one collection, so it cannot be combined with "
            "--against"
        )
    if "-" in arguments.against:
        raise InputError("--against: only the first collection can come from the standard input")
    if arguments.letor is not None:
        there, ours, theirs = _other_letor(arguments)
    else:
        first, *files = arguments.against
        there = Namespace(**{**vars(arguments), "qrels": first, "runs": files})
        ours, theirs = names_of(arguments.runs), names_of(files)
    if apart := set(ours) ^ set(theirs):
        raise InputError(
            f"--against: only one of the two collections has {listed(sorted(apart))}; systems "
            "are matched by file name (RS-AGR-31)"
        )
    return there


def _other_letor(arguments: Namespace) -> tuple[Namespace, list[str], list[str]]:
    """The arguments, of the other collection of rows; the names of its systems and of ours.

    It has as many LETOR files as leave as many predictions for each of the systems.
    """
    names = names_of_predictions(arguments)
    parts, left = divmod(len(arguments.against), 1 + len(names))
    if left:
        raise InputError(
            "--against: expected LETOR files, then as many predictions for each of the "
            f"{len(names)} systems, got {len(arguments.against)} files"
        )
    where = {
        "letor": arguments.against[:parts],
        "predictions": arguments.against[parts:] or None,
        "group": None,
    }
    there = Namespace(**{**vars(arguments), **where})
    return there, names, names_of_predictions(there)


def _evaluated(arguments: Namespace) -> tuple[dict[str, Evaluation], Classification | None]:
    """The evaluations of all systems, and the classes of the queries where sets are asked for."""
    if arguments.subsets is None:
        return evaluated(arguments), None
    of_files = _of_runs if arguments.letor is None else _of_letor
    return of_files(arguments)


def _of_runs(arguments: Namespace) -> tuple[dict[str, Evaluation], Classification]:
    from ..analysis.query_types import MEASURES, classification, gap_measures, wanted_of

    chosen, conventions = conventions_of_runs(arguments)
    names = measures_of(arguments, conventions, chosen)
    measures = measures_with_prior(arguments, names, conventions, chosen)
    by = gap_measures(arguments.classes_by or MEASURES, conventions, chosen)
    kept: list[Kept] = []
    runs = evaluated_runs(
        arguments, conventions, chosen, lambda a: _each((*measures, *wanted_of(a, by))), kept
    )
    found = classification(list(runs.values()), by, *of_classes(arguments), kept=kept)
    return _limited(runs, measures), found


def _of_letor(arguments: Namespace) -> tuple[dict[str, Evaluation], Classification]:
    from ..analysis.query_types import MEASURES, classification, gap_measures, wanted_of
    from ..evaluation.letor import evaluate_rankings

    rankings, chosen, conventions = letor(arguments)
    names = measures_of(arguments, conventions, chosen)
    measures = measures_with_prior(arguments, names, conventions, chosen)
    by = gap_measures(arguments.classes_by or MEASURES, conventions, chosen)
    kept: dict[str, Kept] = {name: [] for name in rankings}
    wanted = _each((*measures, *wanted_of(0, by)))
    with bar_of_letor(arguments) as progress:
        runs = evaluate_rankings(
            *(conventions, chosen, arguments.letor, arguments.group, rankings, wanted),
            backend=arguments.backend,
            progress=progress,
            kept=kept,
        )
    found = list(runs.values())
    classes = classification(found, by, *of_classes(arguments), kept=list(kept.values()))
    return _limited(runs, measures), classes


def _each(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures, each once."""
    return tuple({str(measure): measure for measure in measures}.values())


def _limited(runs: Mapping[str, Evaluation], measures: Sequence[Measure]) -> dict[str, Evaluation]:
    """The evaluations by these of their measures alone."""
    names = [str(measure) for measure in measures]

    def of(x: Mapping[str, Any]) -> dict[str, Any]:
        return {name: x[name] for name in names if name in x}

    return {
        run: replace(
            x,
            measures=tuple(measures),
            per_query=of(x.per_query),
            mean=of(x.mean),
            apart=of(x.apart),
            otherwise=of(x.otherwise),
        )
        for run, x in runs.items()
    }
