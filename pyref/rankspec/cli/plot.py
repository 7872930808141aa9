"""``rankspec plot``: a picture of a metric."""

from __future__ import annotations

from argparse import Namespace

from ..errors import InputError, quoted
from . import words
from .drawing import draw
from .files import check_standard_input, names_of
from .options import EXPERIMENT, add_backend, add_experiment
from .output import DONE, Printed
from .parser import Command, Parser


def add_arguments(parser: Parser) -> None:
    parser.add_argument("plot", metavar="NAME", nargs="?", help="one of them (default: a list)")
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        nargs="?",
        help="fixed-labels: qrels whose labels are scores (default: an example)",
    )
    parser.add_argument("runs", metavar="RUN", nargs="*", help="fixed-labels: one to four runs")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="a file that ends in .png, .svg or .pdf (default: NAME.png)",
    )
    parser.add_argument(
        "-M",
        type=words.whole,
        metavar="N",
        help="expected-dcg: the greatest number of results (default: 10)",
    )
    parser.add_argument(
        "--item-scores",
        dest="scores",
        type=words.item_scores,
        metavar="SCORES",
        help="relevance: the scores of the items (default: two examples)",
    )
    parser.add_argument(
        "--labels",
        type=words.labels,
        metavar="LABELS",
        help="length: the labels of the ranking (default: 2,2,2,1,1,0,0,0,0,0)",
    )
    parser.add_argument(
        "--label-qrels",
        metavar="QRELS",
        help="fixed-labels: qrels with the labels of nDCG (default: 3 for the 10 highest scores of "
        "a query, 2 for the next 15, 1 for the next 25)",
    )
    add_experiment(parser, "query-types")
    add_backend(parser)


WITH_FILES = "fixed-labels"  # the plot that takes QRELS and RUNs
_OPTIONS = {
    "qrels": "QRELS",
    "runs": "RUN",
    "M": "-M",
    "labels": "--labels",
    "scores": "--item-scores",
    "label_qrels": "--label-qrels",
    **EXPERIMENT,
}


def run(arguments: Namespace) -> Printed:
    from ..evaluation.render import names_table
    from ..plots import PLOTS, plot

    options = {name: getattr(arguments, name) for name in _OPTIONS}
    options["runs"] = _runs(arguments)
    if arguments.plot is None:
        options["output"] = arguments.output
        for name, word in {"output": "-o", **_OPTIONS}.items():
            if options[name] is not None:
                raise InputError(f"{word}: name a plot, too; expected one of {', '.join(PLOTS)}")
        return names_table({name: plot.about for name, plot in PLOTS.items()}), DONE
    path = f"{arguments.plot}.png" if arguments.output is None else arguments.output
    draw(path, lambda: plot(arguments.plot, backend=arguments.backend, **options))
    return f"{path}\n", DONE


def _runs(arguments: Namespace) -> dict[str, str] | None:
    """Return the runs by their names; None without files."""
    if arguments.qrels is not None and arguments.plot != WITH_FILES:
        raise InputError(f"unexpected argument {quoted(arguments.qrels)}")
    labels = [] if arguments.label_qrels is None else [arguments.label_qrels]
    if arguments.qrels is None:
        if labels and arguments.plot == WITH_FILES:
            raise InputError("--label-qrels: give QRELS and RUN files, too")
        return None
    if not arguments.runs:
        raise InputError(f"{arguments.qrels}: this is read as QRELS; the files RUN are missing")
    check_standard_input([arguments.qrels, *arguments.runs, *labels])
    return dict(zip(names_of(arguments.runs), arguments.runs, strict=True))


COMMAND = Command(
    "[NAME] [options]\n       rankspec plot fixed-labels [options] QRELS RUN [RUN ...]",
    "Draw a picture of a metric into a file, and print the file's name. Without a\n"
    'name: list the plots. It needs matplotlib: pip install "rankspec[plot]".\n'
    "rankspec plot compare and rankspec session plot draw pictures of your systems.",
    """\
  rankspec plot
  rankspec plot length -o length.svg
  rankspec plot length --labels 3,2,2,0,0,1,0
  rankspec plot relevance --item-scores 12,14,15,15,17,30 -o relevance.svg
  rankspec plot fixed-labels shares.qrels news.run -o labels.svg
  rankspec plot expected-dcg -M 20 -o expected.pdf
  rankspec plot moniz-2016 --data news_moniz -o news.svg
  rankspec plot query-types --data letor_mq2008 -o queries.svg
""",
    add_arguments,
    run,
)
