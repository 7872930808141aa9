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
from dataclasses import replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import isfinite, nan
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..errors import InputError, hint, items_of, listed, shown, suggestion
from ..evaluation import plausibility
from ..evaluation.evaluate import evaluate_by, prepared, warn_of_input
from ..evaluation.profiles import chosen_conventions
from ..formats import trec
from ..formats.frames import check_id, labels_of, snapshot
from ..formats.streams import Stream, is_open_file
from ..formats.trec import How
from ..metrics import grammar
from ..metrics.average import FLOOR
from ..metrics.catalogue import METRICS
from ..metrics.geometric import NAMES as AVERAGED
from ..metrics.measure import Measure
from ..reference.numerics import exact_sum, mean, nearest_double, nearest_double_of
from ..reference.precision import items_at_level

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

FIRST = "The qrels come first, RelevanceEvaluator(qrels, measures).evaluate(run)"
HIGHEST_LOGARITHM, LOWEST_LOGARITHM = 700, -800  # beyond, e^x is no double, or 0

_LINES = How("error", "score", "exact")
_QRELS = replace(trec.QRELS, options=())


_CUT = {m.names.trec_cut for m in METRICS if m.names.trec_cut}
_GEOMETRIC = {name for name in AVERAGED if name.startswith("gm_")}
_LEVELED = {m.names.trec_level for m in METRICS if m.names.trec_level}
_NAMES = {m.names.trec for m in METRICS if m.names.trec} | _CUT | _LEVELED | _GEOMETRIC
_OFFICIAL = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref"),
    *("recip_rank", "iprec_at_recall", "P"),
)
_SET = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F")
_THEIRS = (
    *_OFFICIAL,
    *("relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG"),
    *("G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success"),
    *_SET,
    "num_nonrel_judged_ret",
)
"""The names that pytrec_eval has, in the order of its results; what trec_eval 10 has besides is
not among them."""
_SETS = {
    "official": _OFFICIAL,
    "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SET),
    "all_trec": _THEIRS,
}

supported_measures = frozenset(_NAMES.intersection(_THEIRS))
"""Those of pytrec_eval's measures that rankspec has, too: all but texts, of which it makes 0."""

supported_nicknames: Mapping[str, frozenset[str]] = {
    name: supported_measures.intersection(members) for name, members in _SETS.items()
}
"""Those of trec_eval's sets that hold measures, each with those that are here."""


class RelevanceEvaluator:
    """Evaluates runs against the same judgments, as pytrec_eval does.

    query_relevance: {query: {document: label}}; labels are whole numbers
    measures: names of trec_eval, "map", "ndcg_cut.5,10", "P_5" or "P", which stands for P at each
        of trec_eval's cut-offs; also a set of measures, "official"
    relevance_level: the least label that is relevant
    judged_docs_only_flag: whether unjudged documents are left out of the lists (trec_eval -J)

    Raises InputError, a ValueError, for an unsupported measure, and for bad judgments.
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
        self._profile = self._profile and self._profile.with_nan()
        own = self._profile.parameters if self._profile else {}
        self._keys = _keys(_checked(measures), {"rel": relevance_level, **own})
        if not isinstance(query_relevance, Mapping):
            raise InputError(
                "query_relevance: expected a dict {query: {document: label}}, got "
                f"{shown(query_relevance)}"
            )
        for query in query_relevance:
            check_id(query, "query_relevance", "query")
        judged = {q: own for q, own in query_relevance.items() if own}  # the others are unjudged
        self._queries = set(judged)
        self._labels = judged
        self._judged = None
        self._without_relevant: set[str] = set()
        if judged:
            self._judged = prepared(labels_of(judged), self._conventions)
            # Rndcg counts all gains, but is 0 of such a query there, as what has no ideal.
            self._without_relevant = {
                q for q, own in judged.items() if max(own.values()) < max(relevance_level, 1)
            }
            # Labels are refused now, not with the first run.
            self._evaluate({q: {} for q in judged})

    @standard_arithmetic
    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} of a run {query: {document: score}}.

        The queries are those in both the judgments and the run, in the order of the run. Warns as
        rs.evaluate() does.
        """
        if not isinstance(scores, Mapping):
            raise InputError(
                f"scores: expected a dict {{query: {{document: score}}}}, got {shown(scores)}"
            )
        run = snapshot(scores, "scores")
        for query in run:
            check_id(query, "scores", "query")
        found = self._evaluate({q: own for q, own in run.items() if q in self._queries})
        warn_of_input(self._remarks(run))
        return found

    def _remarks(self, run: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """What of the judgments and the run is hardly meant (RS-CONV-27, RS-CONV-28)."""
        if self._judged is None:
            return []
        swapped = self._judged.like_scores
        found = (
            plausibility.about_queries(self._judged.queries, list(run)),
            plausibility.about_arguments(run, FIRST) if swapped else None,
        )
        return [text for text in found if text]

    def _evaluate(self, run: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
        if not run or self._judged is None:
            return {}
        if not self._keys:
            return {query: {} for query in run}
        measures = list(self._keys.values())
        found = evaluate_by(self._conventions, self._profile, self._judged, run, measures).per_query
        columns = {key: found[str(measure)] for key, measure in self._keys.items()}
        if self._conventions.unjudged == "condensed":
            self._put_nan(columns, run)
        if "Rndcg" in columns:
            columns["Rndcg"] = {
                query: 0.0 if query in self._without_relevant else x
                for query, x in columns["Rndcg"].items()
            }
        columns |= {key: _logarithms(columns[key]) for key in _GEOMETRIC.intersection(columns)}
        return {q: {key: column[q] for key, column in columns.items()} for q in run}

    def _put_nan(
        self, columns: dict[str, dict[str, float]], run: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Put NaN where trec_eval divides 0 by 0: at the levels of recall that need no item, of a
        query of which no judged document is retrieved.
        """
        empty = [query for query in run if not self._has_judged(query, run[query])]
        for key, measure in self._keys.items():
            for query in empty if _levels(measure) else ():
                relevant = sum(label >= measure.rel for label in self._labels[query].values())
                least = (items_at_level(x, relevant, measure.rounding) for x in _levels(measure))
                if 0 in least:
                    columns[key] = {**columns[key], query: nan}

    def _has_judged(self, query: str, retrieved: Iterable[str]) -> bool:
        labels = self._labels[query]
        return any(labels.get(document, -1) >= 0 for document in retrieved)


def _levels(measure: Measure) -> tuple[Any, ...]:
    """The levels of recall of a measure; none of most."""
    parameters = measure.metric.parameters
    if "levels" in parameters:
        return tuple(measure.levels)
    return (measure.recall,) if "recall" in parameters else ()


@standard_arithmetic
def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Parse the lines of a run to {query: {document: score}}, or raise InputError."""
    table = trec.parse_run("run", _text("f_run", f_run), _LINES, options=())
    return {query: {d: float(x) for d, x in own.items()} for query, own in table.items()}


@standard_arithmetic
def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Parse the lines of qrels to {query: {document: label}}, or raise InputError."""
    text = _text("f_qrel", f_qrel)
    trec.refuse_ratings("qrels", text)
    return trec.parse_qrels("qrels", text, _LINES, layout=_QRELS)


@standard_arithmetic
def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """Return the exact mean of the values, or for counts their sum, as a double.

    The result is the double nearest to the exact number. For "gm_map" and "gm_bpref" the values are
    logarithms, and the result is e to the power of their mean. Without values the mean is NaN, as
    in pytrec_eval, but without a warning.
    """
    if not isinstance(measure, str):
        raise InputError(f"measure: expected the name of a measure, got {shown(measure)}")
    doubles = [_finite(x) for x in items_of(values, "values: expected a list of numbers")]
    if measure.startswith("gm_") and doubles:
        return _exp(exact_sum(doubles) / len(doubles))
    if measure.startswith("num_"):
        return nearest_double(exact_sum(doubles))
    return mean(doubles) if doubles else float("nan")


def _finite(x: Any) -> float:
    try:
        double = float(x)
    except (TypeError, ValueError, OverflowError):
        double = nan
    if not isfinite(double):
        raise InputError(f"values: {shown(x)} is not a finite double, so there is no mean")
    return double


def _logarithms(values: Mapping[str, float]) -> dict[str, float]:
    """What pytrec_eval has of gm_map in each query: ln max(map, 10^-5)."""
    of = {x: _ln(max(x, FLOOR.default)) for x in set(values.values())}
    return {query: of[x] for query, x in values.items()}


def _ln(x: float) -> float:
    return nearest_double_of(lambda reals: reals.ln(Fraction(x)))


def _exp(x: Fraction) -> float:
    """The double nearest to e^x."""
    if x > HIGHEST_LOGARITHM:
        raise InputError(f"values: their mean is {float(x)}; expected logarithms of values")
    digits = 40
    while x > LOWEST_LOGARITHM:
        with localcontext(Context(prec=digits)):  # its exp() is correctly rounded
            found = (Decimal(x.numerator) / Decimal(x.denominator)).exp()
            error = found.scaleb(5 - digits)  # that of the division is below |x| of these units
            lower, upper = float(found - error), float(found + error)
        if lower == upper or not x:
            return float(found)
        digits *= 2
    return 0.0


def _text(parameter: str, lines: Any) -> bytes:
    """Return lines as the bytes of a file; parameter: what they are called in errors."""
    expected = f"{parameter}: expected an open file or a list of lines"
    if isinstance(lines, (str, bytes)):
        raise InputError(f"{expected}, got a string")
    if is_open_file(lines):
        lines = Stream(lines).content().decode("utf-8", "surrogateescape").split("\n")
    text = []
    for line in items_of(lines, f"{expected}, got {shown(lines)}"):
        if not isinstance(line, str):
            raise InputError(f"{parameter}: expected lines of text, got {shown(line)}")
        text.append(f"{line.strip()}\n")
    try:
        return "".join(text).encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        line = text["".join(text)[: error.start].count("\n")]
        raise InputError(f"{parameter}: {shown(line)} has no encoding in UTF-8") from None


def _checked(measures: Iterable[str]) -> list[str]:
    if isinstance(measures, (str, bytes)) or not isinstance(measures, Iterable):
        raise InputError(f"measures: expected a set of names, got {shown(measures)}")
    names: list[str] = []
    for name in measures:
        if not isinstance(name, str):
            raise InputError(f"measures: expected the name of a measure, got {shown(name)}")
        names += supported_nicknames.get(name, [name])
    return names


def _keys(names: Iterable[str], defaults: Mapping[str, Any]) -> dict[str, Measure]:
    """The measures that are asked for, by the keys that pytrec_eval gives them, in its
    order.
    """
    numbers: dict[str, set[float]] = {}
    for name in names:
        base, given = _parts(name)
        numbers.setdefault(base, set()).update(given)
    found = {}
    for base in sorted(numbers, key=_THEIRS.index):
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
                f'unsupported measure "{name}": the key would show only two decimals of the '
                f"level {wrong[0]}, and so equal that of another level"
            )
        return leveled[1], levels
    match = re.fullmatch(r"(.+?)[._]([0-9]+(?:,[0-9]+)*)", name, re.ASCII)
    if match and match[1] in supported_measures:
        if match[1] not in _CUT:
            raise InputError(f'unsupported measure "{name}": {match[1]} takes no cut-off')
        cutoffs: list[float] = [int(k) for k in match[2].split(",")]
        if min(cutoffs) < 1:
            raise InputError(f'unsupported measure "{name}": a cut-off must be at least 1')
        return match[1], cutoffs
    known = sorted([*supported_measures, *supported_nicknames])
    meant = _meant(name) or hint(name, known)
    raise InputError(f'unsupported measure "{name}"{meant}; there are {listed(known)}')


def _meant(name: str) -> str:
    """The name of trec_eval for a measure that is written otherwise, as a message's end.

    "nDCG@10", and slips of the pen: "ndgc_cut_10".
    """
    try:
        found = grammar.measures(grammar.meant(name) or name)
    except ValueError:
        return ""
    for base in sorted(supported_measures - _LEVELED):
        cutoffs = ",".join(str(m.k) for m in found if m.k is not None)
        key = f"{base}_{cutoffs}" if base in _CUT else base
        if (base not in _CUT or cutoffs) and grammar.measures(key) == found:
            return suggestion(key)
    return ""
