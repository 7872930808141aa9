"""``rankspec compare --qrels A B``: one set of runs against two sets of judgments."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from ..analysis.outputs import JUDGMENTS
from ..errors import InputError
from ..evaluation.render import printed
from . import VERSION
from .eval import evaluated
from .files import check_standard_input, names_of
from .output import DONE, Printed
from .parser import Parser
from .query_sets import check_none_asked
from .systems import conventions_of_runs, qrels_of

if TYPE_CHECKING:
    from ..analysis.comparison.judgments import Labels
    from ..evaluation.conventions import Conventions


def add_two_qrels(parser: Parser) -> None:
    """Two sets of judgments, in the place of one."""
    parser.instead += ("--qrels",)
    group = parser.add_argument_group("two sets of judgments, instead of QRELS")
    group.add_argument(
        "--qrels",
        nargs=2,
        dest="two_qrels",
        metavar=("A", "B"),
        help="how far the two assessors agree, and how B changes the comparison by A: kappa, "
        "orders, significant pairs gained and lost, bias",
    )


def run(arguments: Namespace) -> Printed:
    """What two sets of judgments say of the same runs."""
    from ..analysis.comparison.judgments import compare_evaluations, compare_labels

    if arguments.letor is not None:
        raise InputError("--qrels: a LETOR file brings its own judgments; drop --qrels or --letor")
    check_none_asked(arguments, "--qrels")
    paths: list[str] = arguments.two_qrels
    runs: list[str] = [x for x in (arguments.qrels, *(arguments.runs or [])) if x is not None]
    if len(runs) < 2:
        raise InputError(f"runs: expected two or more after --qrels A B, got {len(runs)}")
    if "-" in runs:
        raise InputError(
            "the standard input can be read only once, but --qrels reads each run twice"
        )
    check_standard_input([*paths, *([] if arguments.topics is None else [arguments.topics])])
    names = names_of(paths, "qrels file")
    _, conventions = conventions_of_runs(arguments)
    meant = {
        name: _labels(path, arguments, conventions) for name, path in zip(names, paths, strict=True)
    }
    labels = compare_labels(meant, conventions)
    known = {"runs": runs, "topics": None, "grades": None}
    evaluations = {
        name: evaluated(Namespace(**{**vars(arguments), **known, "qrels": by}))
        for name, by in meant.items()
    }
    found = compare_evaluations(labels, evaluations, _options(arguments, runs))
    about = {"rankspec": VERSION, "qrels": paths}
    return printed(JUDGMENTS, arguments.format, found, arguments.digits, about), DONE


def _labels(path: str, arguments: Namespace, conventions: Conventions) -> Labels:
    """The labels that are meant, by the queries of the runs."""
    from ..evaluation.evaluate import judged_by
    from ..formats.frames import labels_of

    judged, _ = judged_by(
        qrels_of(arguments, path), conventions, arguments.topics, arguments.grades
    )
    return labels_of(judged, conventions.how)


def _options(arguments: Namespace, runs: list[str]) -> dict[str, Any]:
    """What rs.compare is asked for, by each set of judgments."""
    known = dict(zip(runs, names_of(runs), strict=True))
    return {
        "baseline": known.get(arguments.baseline, arguments.baseline),
        "tests": arguments.test,
        "correction": arguments.correction,
        "alpha": arguments.alpha,
        "seed": arguments.seed,
        "replicates": arguments.replicates,
        "rope": arguments.rope,
    }
