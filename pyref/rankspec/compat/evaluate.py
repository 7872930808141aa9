"""Measures with the interface of Hugging Face evaluate: compute(predictions=..., references=...).

    compute(predictions=[[0.9, 0.1]], references=[[1, 0]], measures=["nDCG@10", "AP"])
    ranking(["nDCG@10"]).add_batch(predictions=..., references=...)

compute() needs rankspec alone; ranking() is an evaluate.Metric, and needs evaluate.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError, items_of, shown
from ..metrics.measure import Measure
from .groups import Measures, asked, evaluate_groups


def compute(
    *, predictions: Any, references: Any, measures: Measures = "nDCG@10", **conventions: Any
) -> dict[str, float]:
    """Return {measure: mean over the queries}, under the given names.

    predictions, references: the scores and the labels of each query's documents, in the same order
    measures: as of rs.evaluate()
    conventions: ties, undefined, gain, discount, rel, as of rs.evaluate_letor()
    """
    scores, labels = _lists(predictions, "predictions"), _lists(references, "references")
    if len(scores) != len(labels):
        raise InputError(
            f"references and predictions: {len(labels)} and {len(scores)} queries; expected "
            "equally many"
        )
    for query, (own, of) in enumerate(zip(scores, labels, strict=True)):
        if len(own) != len(of):
            raise InputError(
                f"references: query {query} has {len(of)} labels, but {len(own)} predictions"
            )
    chosen = asked(measures, **conventions)
    found = evaluate_groups(
        chosen.measures,
        labels=[x for own in labels for x in own],
        scores=[x for own in scores for x in own],
        sizes=list(map(len, labels)),
        **conventions,
    )
    return {name: found[str(m)] for name, m in zip(chosen.names, chosen.measures, strict=True)}


def ranking(measures: Measures = "nDCG@10", **conventions: Any) -> Any:
    """An evaluate.Metric of these measures, with add(), add_batch() and compute()."""
    import datasets
    import evaluate

    names = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    of = asked(names, **conventions)

    class Ranking(evaluate.Metric):
        """Measures of ranked lists."""

        def _info(self) -> Any:
            numbers = datasets.Sequence(datasets.Value("float64"))
            return evaluate.MetricInfo(
                description=f"{', '.join(of.names)}, by rankspec",
                citation="",
                inputs_description="the scores and the labels of each query's documents",
                features=datasets.Features({"predictions": numbers, "references": numbers}),
            )

        def _compute(self, predictions: Any, references: Any) -> dict[str, float]:
            return compute(
                predictions=predictions, references=references, measures=names, **conventions
            )

    return Ranking()


def _lists(x: Any, what: str) -> list[list[Any]]:
    complaint = f"{what}: {shown(x)} is no list of numbers for each query"
    if isinstance(x, (str, bytes)):
        raise InputError(complaint)
    return [items_of(own, complaint) for own in items_of(x, complaint)]
