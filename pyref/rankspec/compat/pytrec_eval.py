"""The names of pytrec_eval, answered by rankspec; pytrec_eval itself is not needed.

    >>> from rankspec.compat.pytrec_eval import RelevanceEvaluator
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.5"})
    >>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 1.5}})
    {'q1': {'map': 0.5, 'ndcg_cut_5': 0.6309297535714575}}

The values are those of the profile trec_eval-9 (RS-CONV-18): the doubles nearest to the real
numbers. pytrec_eval adds doubles one by one, and so may differ from them in the last bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..errors import InputError, hint, listed, shown
from ..evaluation.evaluate import evaluate_by, prepared
from ..evaluation.profiles import chosen_conventions
from ..formats import trec
from ..formats.frames import check_id, labels_of, snapshot
from ..formats.trec import How
from ..metrics import grammar
from ..metrics.catalogue import METRICS
from ..metrics.measure import Measure
from ..reference.numerics import exact_sum, mean, nearest_double

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

PROFILE = "trec_eval-9"
CUTOFFS = {"success": (1, 5, 10)}
OTHER_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""Those of trec_eval for a name without one, "P" say."""
LEVELS = {
    "iprec_at_recall": tuple(i / 10 for i in range(11)),
    "Rprec_mult": tuple(i / 10 for i in range(2, 21, 2)),
}
"""Those of trec_eval for a name with levels that gives none."""

_LINES = How("error", "score", "exact")


_CUT = {m.names.trec_cut for m in METRICS if m.names.trec_cut}
_LEVELED = {m.names.trec_level for m in METRICS if m.names.trec_level}
_NAMES = {m.names.trec for m in METRICS if m.names.trec} | _CUT | _LEVELED
_THEIRS = (
    *("11pt_avg", "G", "P", "Rndcg", "Rprec", "Rprec_mult", "binG", "bpref", "gm_bpref"),
    *("gm_map", "infAP", "iprec_at_recall", "map", "map_cut", "ndcg", "ndcg_cut", "ndcg_rel"),
    *("num_nonrel_judged_ret", "num_q", "num_rel", "num_rel_ret", "num_ret", "recall"),
    *("recip_rank", "relative_P", "relstring", "runid", "set_F", "set_P", "set_map"),
    *("set_recall", "set_relative_P", "success", "utility"),
)
"""The names that pytrec_eval has; what trec_eval 10 has besides is not among them."""

supported_measures = frozenset(_NAMES.intersection(_THEIRS))
"""Those of pytrec_eval's measures that rankspec has, too."""

supported_nicknames: Mapping[str, frozenset[str]] = {}
"""None: each set of trec_eval holds measures that are not here, and none is left out in silence."""


class RelevanceEvaluator:
    """Evaluates runs against the same judgments, as pytrec_eval does.

    query_relevance: {query: {document: label}}; labels are whole numbers
    measures: names of trec_eval, "map", "ndcg_cut.5,10", "P_5" or "P", which is P at each of its
        cut-offs there
    relevance_level: the least label that is relevant
    judged_docs_only_flag: whether unjudged documents are left out of the lists (trec_eval -J)

    Raises InputError, a ValueError, for a measure that is not here, and for bad judgments.
    """

    @standard_arithmetic
    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        # Bpref passes over labels below 0, and all others count them as unjudged ones: as 0.
        self._profile, self._conventions = chosen_conventions(
            PROFILE,
            {
                "negative": "unjudged",
                "unjudged": "condensed" if judged_docs_only_flag else "nonrelevant",
            },
        )
        own = self._profile.parameters if self._profile else {}
        self._keys = _keys(_checked(measures), {"rel": relevance_level, **own})
        if not isinstance(query_relevance, Mapping):
            raise InputError(
                f"query_relevance: {shown(query_relevance)} is no mapping of queries to labels"
            )
        for query in query_relevance:
            check_id(query, "query_relevance", "query")
        judged = {q: own for q, own in query_relevance.items() if own}  # the others are unjudged
        self._queries = set(judged)
        self._judged = None
        if judged:
            self._judged = prepared(labels_of(judged), self._conventions)
            self._evaluate(
                {q: {} for q in judged}
            )  # labels are refused now, not with the first run

    @standard_arithmetic
    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} of a run {query: {document: score}}.

        Queries are those of both, in the order of the run.
        """
        if not isinstance(scores, Mapping):
            raise InputError(f"scores: {shown(scores)} is no mapping of queries to scores")
        run = snapshot(scores, "scores")
        for query in run:
            check_id(query, "scores", "query")
        return self._evaluate({q: own for q, own in run.items() if q in self._queries})

    def _evaluate(self, run: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
        if not run or self._judged is None:
            return {}
        if not self._keys:
            return {query: {} for query in run}
        measures = list(self._keys.values())
        found = evaluate_by(self._conventions, self._profile, self._judged, run, measures).per_query
        columns = {key: found[str(measure)] for key, measure in self._keys.items()}
        return {q: {key: column[q] for key, column in columns.items()} for q in run}


@standard_arithmetic
def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """{query: {document: score}} of the lines of a run; InputError for one that is none."""
    table = trec.parse_run("run", _text(f_run), _LINES)
    return {query: {d: float(x) for d, x in own.items()} for query, own in table.items()}


@standard_arithmetic
def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """{query: {document: label}} of the lines of qrels; InputError for one that is none."""
    return trec.parse_qrels("qrels", _text(f_qrel), _LINES)


@standard_arithmetic
def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """The double nearest to the exact mean of the values of queries; of counts, to their sum.

    Of no value the mean is NaN, as there, but without a warning.
    """
    doubles = [float(x) for x in values]
    if wrong := [x for x in doubles if not isfinite(x)]:
        raise InputError(f"values: {wrong[0]} is among them; a mean is of finite doubles")
    if measure.startswith("gm_"):
        raise InputError(f'"{measure}" is no measure here; a geometric mean is of logarithms')
    if measure.startswith("num_"):
        return nearest_double(exact_sum(doubles))
    return mean(doubles) if doubles else float("nan")


def _text(lines: Iterable[str]) -> bytes:
    """Lines as the bytes of a file."""
    if isinstance(lines, (str, bytes)):
        raise InputError("a text is given; give an open file, or a list of lines")
    stripped = [line.strip() for line in lines]
    return "".join(f"{line}\n" for line in stripped).encode("utf-8", "surrogateescape")


def _checked(measures: Iterable[str]) -> list[str]:
    if isinstance(measures, (str, bytes)) or not isinstance(measures, Iterable):
        raise InputError(f"measures: {shown(measures)} is no set of names")
    names = list(measures)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"measures: {shown(name)} is no name of a measure")
    return names


def _keys(names: Iterable[str], defaults: Mapping[str, Any]) -> dict[str, Measure]:
    """The measures that are asked for, by the keys that pytrec_eval gives them."""
    numbers: dict[str, set[float]] = {}
    for name in names:
        base, given = _parts(name)
        numbers.setdefault(base, set()).update(given)
    found = {}
    for base in sorted(numbers):
        for key in _keys_of(base, sorted(numbers[base])):
            (found[key],) = grammar.measures(key, defaults)
    return found


def _keys_of(base: str, numbers: Sequence[float]) -> list[str]:
    """The keys of a name at each of its cut-offs or levels, or at those that it has there."""
    if base in _LEVELED:
        return [f"{base}_{x:.2f}" for x in numbers or LEVELS[base]]
    if base in _CUT:
        return [f"{base}_{k}" for k in numbers or CUTOFFS.get(base, OTHER_CUTOFFS)]
    return [base]


def _parts(name: str) -> tuple[str, list[float]]:
    """The name without cut-offs or levels, and these."""
    if name in supported_measures:
        return name, []
    leveled = re.fullmatch(rf"({'|'.join(sorted(_LEVELED))})[._]({grammar.LEVELS})", name)
    if leveled and leveled[1] in supported_measures:
        levels = [float(x) for x in leveled[2].split(",")]
        if wrong := [x for x in levels if float(f"{x:.2f}") != x]:
            raise InputError(
                f'unsupported measure "{name}": the key of the level {wrong[0]} would have two of '
                "its decimals, and be that of another level"
            )
        return leveled[1], levels
    match = re.fullmatch(r"(.+?)[._]([0-9]+(?:,[0-9]+)*)", name, re.ASCII)
    if match and match[1] in supported_measures:
        if match[1] not in _CUT:
            raise InputError(f'unsupported measure "{name}": {match[1]} has no cut-off')
        cutoffs: list[float] = [int(k) for k in match[2].split(",")]
        if min(cutoffs) < 1:
            raise InputError(f'unsupported measure "{name}": a cut-off is at least 1')
        return match[1], cutoffs
    known = sorted(supported_measures)
    raise InputError(f'unsupported measure "{name}"{hint(name, known)}; there are {listed(known)}')
