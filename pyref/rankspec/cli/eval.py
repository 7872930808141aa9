"""``rankspec eval``: runs against qrels, or rankings of the rows of a LETOR file."""

from __future__ import annotations

from argparse import Namespace

from ..evaluation.outputs import OUTPUTS
from ..evaluation.render import printed
from ..metrics.defaults import OF_RANKINGS, OF_SCORES
from ..typed import TYPE_CHECKING
from .options import (
    add_backend,
    add_conventions,
    add_digits_by_format,
    add_format,
    add_judgments,
    add_measure,
    add_priors,
    add_progress,
    add_systems,
)
from .output import DONE, Printed
from .parser import Command, Parser
from .systems import (
    about,
    bar_of_letor,
    conventions_of_runs,
    evaluated_runs,
    letor,
    measures_of,
    measures_with_prior,
    note_missing_defaults,
)

if TYPE_CHECKING:
    from ..evaluation.result import Evaluation


def add_arguments(parser: Parser) -> None:
    add_systems(parser)
    add_measure(
        parser,
        "as in ir_measures or trec_eval; several with commas, or by several -m "
        f"(default: {','.join(OF_RANKINGS)}; of scores {','.join(OF_SCORES)})",
    )
    add_conventions(parser)
    add_judgments(parser)
    add_priors(parser)
    output = parser.add_argument_group("output")
    output.add_argument("-q", "--per-query", action="store_true", help="the queries' values too")
    add_format(output, OUTPUTS)
    add_digits_by_format(output, OUTPUTS)
    add_progress(add_backend(parser))


def run(arguments: Namespace) -> Printed:
    """The values of the measures, of each system."""
    runs = evaluated(arguments)
    how = arguments.digits, about(arguments)
    return printed(OUTPUTS, arguments.format, runs, *how, per_query=arguments.per_query), DONE


def evaluated(arguments: Namespace) -> dict[str, Evaluation]:
    """The evaluations of all systems, by their names."""
    if arguments.letor is None:
        chosen, conventions = conventions_of_runs(arguments)
        names = measures_of(arguments, conventions, chosen)
        note_missing_defaults(arguments, names, chosen)
        from_0 = chosen and chosen.of_labels_from_0()  # whether they are is seen in the qrels
        measures = measures_with_prior(arguments, names, conventions, from_0)
        return evaluated_runs(arguments, conventions, chosen, lambda _: measures)
    from ..evaluation.letor import evaluate_rankings

    rankings, chosen, conventions = letor(arguments)
    names = measures_of(arguments, conventions, chosen)
    note_missing_defaults(arguments, names, chosen)
    with bar_of_letor(arguments) as progress:
        return evaluate_rankings(
            conventions,
            chosen,
            arguments.letor,
            arguments.group,
            rankings,
            measures_with_prior(arguments, names, conventions, chosen),
            backend=arguments.backend,
            progress=progress,
        )


COMMAND = Command(
    "[options] QRELS RUN [RUN ...] | --letor FILE ...",
    "Evaluate runs against qrels, or rankings of the rows of a LETOR file (plain or\n"
    "compressed; - is the standard input).",
    """\
  rankspec eval qrels.txt bm25.run dense.run.gz
  rankspec eval qrels.txt bm25.run -m "nDCG(gain='exp2')@20" -m ndcg_cut.5,10
  rankspec eval qrels.txt bm25.run -m nDCG@10,AP --per-query --format tsv
  rankspec eval qrels.txt bm25.run -m "UL2(nDCG@10)" -m DCG_V1^UL@10 -m ERR@20
  rankspec eval qrels.txt bm25.run --profile trec_eval-9 --queries qrels
  zcat bm25.run.gz | rankspec eval qrels.txt - --ties expected
  rankspec eval shares.qrels news.run --relevance phi -m nDCG@10
  rankspec eval qrels.txt cards.run -m LNDCG@5 --prior-clicks clicks.txt
  rankspec eval --letor test.txt --feature 15 25 -m nDCG@10
  rankspec eval --letor rank.test --predictions lightgbm.txt
  rankspec eval qrels.parquet run.csv.gz -o means.tex
  rankspec eval qrels.csv run.csv --columns query=user_id,document=item_id
  rankspec eval qrels.txt plain.run rich.run       # of: rankspec example
""",
    add_arguments,
    run,
    OUTPUTS,
)
