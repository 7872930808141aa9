"""The conventions of an evaluation, and profiles: named assignments of all of them.

``CONVENTIONS`` is the one list of conventions: evaluate(), the command line, the table of the
profiles and the definition of a result read it. Spec: RS-CONV-18.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..compute import gain as conventions
from ..compute.gain import Discount, Gain
from ..errors import InputError, hint, shown
from ..formats.trec import How
from ..reference.numbers.reals import Exact

if TYPE_CHECKING:
    from ..metrics.measure import Measure

OWN = ("own", "as each metric's definition has it")
WITHOUT_LABELS = ("id-descending", "id-ascending", "input")  # the tie rules that no label enters


@dataclass(frozen=True)
class Conventions:
    """Every choice of an evaluation that the metrics' definitions leave open; see CONVENTIONS.

    gain, discount, rel: None where they are each metric's own
    """

    order: str = "score"
    ties: str = "id-descending"
    scores: str = "double"
    unjudged: str = "nonrelevant"
    negative: str = "zero"
    relevance: str = "label"
    undefined: str = "zero"
    queries: str = "qrels"
    duplicates: str = "error"
    lines: str = "exact"
    depth: int | None = None
    pool: str = "judged"
    gain: Gain | None = None
    discount: Discount | None = None
    rel: Exact | None = None

    @property
    def scored(self) -> bool:
        """Whether labels are scores (RS-CONV-20)."""
        return self.relevance != "label"

    @property
    def how(self) -> How:
        """How the lines of files are read."""
        return How(self.duplicates, self.order, self.lines)


@dataclass(frozen=True)
class Convention:
    """One of the choices: its name, what it is about, its spec ID, and the values it can have.

    values: {value: what it means}; empty where any number or definition may be given
    unset: what is written where there is no value, and what that means
    """

    name: str
    about: str
    spec: str
    values: Mapping[str, str]
    unset: tuple[str, str] = ("none", "no limit")


CONVENTIONS = (
    Convention(
        "order",
        "what orders a run",
        "RS-CONV-32",
        {
            "score": "the scores, the highest first",
            "rank": "the rank column of the file, the lowest first; scores are not read",
            "file": "the order of the lines, or of the dict; scores do not count",
        },
    ),
    Convention(
        "ties",
        "the order of documents of equal score",
        "RS-TIE-2",
        {
            "id-descending": "by document id, byte by byte, descending",
            "id-ascending": "by document id, byte by byte, ascending",
            "input": "in the order of the input",
            "best": "the highest label first",
            "worst": "the lowest label first",
            "expected": "the expectation over all orders of each tie group",
        },
    ),
    Convention(
        "scores",
        "the precision in which scores are compared",
        "RS-CONV-12",
        {
            "double": "compared as doubles",
            "float32": "compared after rounding each to the nearest 32-bit float",
        },
    ),
    Convention(
        "unjudged",
        "retrieved documents without a judgment",
        "RS-CONV-13",
        {
            "nonrelevant": "count as label 0",
            "condensed": "are left out of the list",
            "lowest": "are judged such that the value is the lowest possible",
            "highest": "are judged such that the value is the highest possible",
        },
    ),
    Convention(
        "negative",
        "negative labels",
        "RS-CONV-15",
        {
            "zero": "count as 0",
            "unjudged": "count as no judgment",
            "error": "are an error",
        },
    ),
    Convention(
        "relevance",
        "what a label says",
        "RS-CONV-20",
        {
            "label": "the relevance itself",
            "phi": "a score, of which relevance is made by the paper's text",
            "phi-authors-program": "a score, of which relevance is made as the program does",
        },
    ),
    Convention(
        "undefined",
        "the value where the divisor is 0",
        "RS-CONV-4",
        {
            "zero": "0",
            "one": "1",
            "omit": "none, and no part in the mean",
            "omit-query": "as omit; and no value of any measure if no label of the pool is above 0",
        },
    ),
    Convention(
        "queries",
        "which queries are evaluated",
        "RS-CONV-9",
        {
            "qrels": "those of the qrels; one that the run misses is an empty list",
            "both": "those of the qrels that the run has too",
            "run": "those of the run; one without judgments has an empty pool",
            "complete": "those of the qrels; one that the run misses is an error",
            "same": "those of the qrels and the run; a query of only one is an error",
        },
    ),
    Convention(
        "duplicates",
        "a document that a query has twice",
        "RS-CONV-10",
        {
            "error": "refused",
            "first": "the first is kept",
            "last": "the last is kept",
            "best": "the one of the highest score or label is kept",
        },
    ),
    Convention(
        "lines",
        "the lines of TREC files",
        "RS-CONV-33",
        {
            "exact": "of their columns alone",
            "tail": "something may follow the tag of a run, and is passed over",
            "comments": 'the same, and lines that begin with "#" are passed over',
        },
    ),
    Convention("depth", "how many documents of a query are considered", "RS-CONV-16", {}),
    Convention(
        "pool",
        "the documents that the ideal and the relevant ones are from",
        "RS-CONV-17",
        {
            "judged": "all judged documents of the query",
            "retrieved": "the documents that the run retrieved",
        },
    ),
    Convention("gain", "the gain of a measure that names none", "RS-GAIN-1", {}, OWN),
    Convention("discount", "the discount of a measure that names none", "RS-DISC-1", {}, OWN),
    Convention(
        "rel", "the least relevant label of a measure that names none", "RS-PREC-1", {}, OWN
    ),
)


_NAMES = [c.name for c in CONVENTIONS]


def _every(_: Measure) -> bool:
    return True


@dataclass(frozen=True)
class Otherwise:
    """What a program does otherwise with some measures than by its profile.

    metrics: of which metrics; where: which of their measures; which: the same in words
    conventions: {name: value}, in the place of the profile's; of the order of documents only
    refused: why the profile cannot do as the program does; "": it can
    """

    metrics: tuple[str, ...]
    conventions: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    which: str = ""
    where: Callable[[Measure], bool] = _every

    def __str__(self) -> str:
        values = ", ".join(f"{name} {written(name, x)}" for name, x in self.conventions.items())
        of = " ".join(filter(None, [", ".join(self.metrics), self.which]))
        return f"refuses {of}: {self.refused}" if self.refused else f"{of}: {values}"

    def applies(self, measure: Measure) -> bool:
        """Whether a measure, or of a bound the one that it is of, is one of these."""
        return measure.metric.root.name in self.metrics and self.where(measure.inner)


@dataclass(frozen=True)
class Profile:
    """A named assignment of all conventions: those of a program, as it is used by default.

    program: whose numbers these are
    metrics: the metrics that the program has; None: all
    note: what the conventions cannot say
    of_metrics: what the program does otherwise with some measures; the first that applies counts
    whole_labels: why fractional labels are refused, and those above the highest; "": none is
    highest_label: up to which it takes labels; None: any
    """

    name: str
    program: str
    conventions: Conventions
    metrics: tuple[str, ...] | None = None
    note: str = ""
    of_metrics: tuple[Otherwise, ...] = ()
    whole_labels: str = ""
    highest_label: int | None = None

    def beside(self, given: Collection[str]) -> Profile:
        """The profile where these conventions are given, for all measures."""
        left = (
            replace(x, conventions={n: v for n, v in x.conventions.items() if n not in given})
            for x in self.of_metrics
        )
        return replace(self, of_metrics=tuple(left))

    def refusal(self, measure: Measure) -> str:
        """Why a measure cannot be what it is in the program; "": it can."""
        name = measure.metric.root.name
        if self.metrics and name not in self.metrics:
            return f"has no {name}, only {' and '.join(self.metrics)}"
        otherwise = self._otherwise(measure)
        if otherwise is None or not otherwise.refused:
            return ""
        return f"cannot do as its program does: {otherwise.refused}"

    def conventions_of(self, measure: Measure, chosen: Conventions) -> Conventions:
        """The conventions of a measure, where those of the evaluation are the chosen ones."""
        otherwise = self._otherwise(measure)
        return replace(chosen, **otherwise.conventions) if otherwise else chosen

    def refused_labels(self, labels: Iterable[Any], chosen: Conventions) -> set[Any]:
        """Those of the labels that the program does not read as the numbers that they are."""
        if not self.whole_labels or chosen.scored:
            return set()
        highest = math.inf if self.highest_label is None else self.highest_label
        return {x for x in labels if x != int(x) or x > highest}

    def labels_refused(self) -> str:
        """Why a label is one of those."""
        return (
            f'the profile "{self.name}" takes {self.taken_labels()}, as {self.whole_labels}; '
            "without it the label is what it is (RS-CONV-18)"
        )

    def taken_labels(self) -> str:
        """Which labels it takes, in words."""
        highest = self.highest_label
        return "whole labels" + ("" if highest is None else f" up to {highest}")

    def _otherwise(self, measure: Measure) -> Otherwise | None:
        return next((x for x in self.of_metrics if x.applies(measure)), None)


def _uncut_table(measure: Measure) -> bool:
    return measure.k is None and bool(measure.gain.kind == "table")


def _of_label_0(measure: Measure) -> bool:
    return bool(measure.gain.kind == "table" and measure.gain.table[0])


def _close(measure: Measure) -> bool:
    table = measure.gain.table
    return any(0 < b - a < 1 for a, b in pairwise(table))


def _gains_of_trec_eval(*metrics: str) -> tuple[Otherwise, ...]:
    """The gain tables that trec_eval takes (-m ndcg.1=3,2=9), and makes other numbers of."""
    return (
        Otherwise(
            metrics,
            refused="it gives label 0 its gain where that is judged, and unjudged documents none",
            which="with a gain table in which label 0 has a gain",
            where=lambda m: _uncut_table(m) and _of_label_0(m),
        ),
        Otherwise(
            metrics,
            refused="it sorts gains by their differences, cut to whole numbers",
            which="with a gain table in which two gains differ by less than 1",
            where=lambda m: _uncut_table(m) and _close(m),
        ),
    )


def _exponential(measure: Measure) -> bool:
    return bool(measure.gain.kind == "exp2")


WHOLE_IN_TREC_EVAL = "trec_eval cuts the fraction off"
LARGEST_P_OF_CWL = 0.96  # p^1000 is below half an ulp of 1

PROFILES = (
    Profile(
        "trec_eval-9",
        "trec_eval 9, pytrec_eval",
        Conventions(scores="float32", queries="both", lines="tail"),
        note='-c is queries="qrels", -M n is depth=n, -l n is rel=n, -J is unjudged="condensed" '
        'with negative="unjudged", but -M comes before -J',
        of_metrics=_gains_of_trec_eval("nDCG"),
        whole_labels=WHOLE_IN_TREC_EVAL,
    ),
    Profile(
        "trec_eval-10",
        "trec_eval 10",
        Conventions(queries="complete", lines="comments"),
        note='-c is queries="qrels", -M n is depth=n, -l n is rel=n, -J is unjudged="condensed" '
        'with negative="unjudged", but -M comes before -J',
        of_metrics=(
            *_gains_of_trec_eval("nDCG", "DCG", "IDCG"),
            Otherwise(
                ("RBP",),
                refused="its rbp is of graded relevance, the label over the highest of the query, "
                "from variables that it does not initialise; its p is 0.9 by default",
            ),
            Otherwise(
                ("RBP_residual",),
                refused="its rbp_resid is 0 where all documents are judged, and of an empty list, "
                "counts negative labels as unjudged, and its p is 0.9 by default",
            ),
        ),
        whole_labels=WHOLE_IN_TREC_EVAL,
    ),
    Profile(
        "gdeval",
        "gdeval.pl 1.3",
        Conventions(undefined="omit-query", queries="both", gain=Gain("exp2")),
        metrics=("nDCG", "ERR"),
        note='-c is queries="qrels"; gdeval prints 5 decimals',
        whole_labels="gdeval stops at others",
        highest_label=4,
    ),
    Profile(
        "sklearn",
        "scikit-learn's dcg_score and ndcg_score",
        Conventions(ties="expected", negative="error", queries="same", pool="retrieved"),
        metrics=("DCG", "nDCG"),
        note="scikit-learn refuses lists of one document; its dcg_score takes negative labels",
    ),
    Profile(
        "ir_measures",
        "ir_measures, by its provider pytrec_eval",
        Conventions(scores="float32"),
        note="some measures are other providers' there: RR@k is msmarco's; ERR and nDCG@k with "
        "exponential gain are gdeval's, which rounds to 5 decimals; without k the latter is "
        "ranx's, whose sort is not stable; RBP is cwl_eval's",
        of_metrics=(
            Otherwise(
                ("RR",),
                {"ties": "id-ascending", "scores": "double"},
                which="with a cut-off",
                where=lambda m: m.k is not None,
            ),
            Otherwise(("ERR",), {"scores": "double"}),
            Otherwise(
                ("nDCG",),
                {"scores": "double"},
                which="of exponential gain with a cut-off",
                where=lambda m: _exponential(m) and m.k is not None,
            ),
            Otherwise(
                ("nDCG",),
                {"ties": "input", "scores": "double"},
                which="of exponential gain without a cut-off",
                where=_exponential,
            ),
            Otherwise(
                ("nDCG",),
                refused="it puts gains in the place of judged labels, and gives unjudged "
                "documents none",
                which="with a gain table in which label 0 has a gain",
                where=_of_label_0,
            ),
            Otherwise(
                ("RBP",),
                refused="cwl_eval gives the weights of all ranks to the first 1000, which changes "
                "the value where p^1000 is not negligible",
                which=f"with p above {LARGEST_P_OF_CWL}",
                where=lambda m: m.p > LARGEST_P_OF_CWL,
            ),
            Otherwise(("RBP",), {"ties": "input", "scores": "double"}),
        ),
    ),
    Profile(
        "ranx",
        "ranx",
        Conventions(ties="input", queries="same"),
        note="of ranx's Qrels and Run; its sort is not stable, so lists of more than 15 documents "
        "with ties may be in another order; it reverses the ties of plain dicts",
        of_metrics=(
            Otherwise(
                ("RBP",), refused="its rbp multiplies by the label itself, and can be far above 1"
            ),
        ),
        whole_labels="ranx cuts the fraction off",
    ),
)


def by_conventions(
    measures: Iterable[Measure], chosen: Conventions, profile: Profile | None
) -> dict[Conventions, list[Measure]]:
    """The measures, by the conventions that are theirs in the profile."""
    groups: dict[Conventions, list[Measure]] = {}
    for measure in measures:
        own = profile.conventions_of(measure, chosen) if profile else chosen
        groups.setdefault(own, []).append(measure)
    return groups


def profile(name: str) -> Profile:
    """The profile of that name."""
    for known in PROFILES if isinstance(name, str) else ():
        if name == known.name:
            return known
    raise InputError(
        f"unknown profile {quoted(name)}{hint(name, [p.name for p in PROFILES])}; "
        f"there are {listed(p.name for p in PROFILES)} (RS-CONV-18)"
    )


def chosen_conventions(
    name: str | None, given: Mapping[str, Any], others: Sequence[str] = ()
) -> tuple[Profile | None, Conventions]:
    """The profile of that name, if there is one, and all conventions; given, others: as below."""
    chosen = None if name is None else profile(name)
    assigned = conventions_of(chosen, given, others)
    return chosen and chosen.beside([n for n, x in given.items() if x is not None]), assigned


def conventions_of(
    chosen: Profile | None, given: Mapping[str, Any], others: Sequence[str] = ()
) -> Conventions:
    """All conventions: those that are given, and the profile's or the default for the others.

    given: {name: value}; None stands for "not given"
    others: what else the caller's caller could have given, and may have meant
    """
    unknown = next((name for name in given if name not in _NAMES), None)
    if unknown is not None:
        raise InputError(
            f'"{unknown}" is no parameter{hint(unknown, [*others, *_NAMES])}; '
            f"there are {', '.join([*others, *_NAMES])}"
        )
    checked: dict[str, Any] = {
        name: None if _is_unset(name, x) else _checked(name, x)
        for name, x in given.items()
        if x is not None
    }
    result = replace(chosen.conventions if chosen else Conventions(), **checked)
    if result.unjudged in ("lowest", "highest") and result.ties not in WITHOUT_LABELS:
        raise InputError(
            f'unjudged: "{result.unjudged}" needs an order that no label enters: ties must be '
            f"{listed(WITHOUT_LABELS)}, not {quoted(result.ties)} (RS-CONV-14)"
        )
    return result


def _is_unset(name: str, x: Any) -> bool:
    """Whether it is what is written where there is no value: "own", or of the depth "none"."""
    known = convention(name)
    return isinstance(x, str) and not known.values and x == known.unset[0]


def _checked(name: str, x: Any) -> Any:
    """A value of a convention, or an InputError."""
    if name == "ties":
        return conventions.ties(x)
    if name == "gain":
        return conventions.gain(x)
    if name == "discount":
        return conventions.discount(x)
    if name == "rel":
        return conventions.exact(x, "rel: the least relevant label")
    if name == "depth":
        return _depth(x)
    values = convention(name).values
    if not isinstance(x, str) or x not in values:
        raise InputError(
            f"{name}: {quoted(x)} is no choice{hint(x, values)}; there are {listed(values)} "
            f"({convention(name).spec})"
        )
    return x


def convention(name: str) -> Convention:
    """The convention of that name."""
    return next(c for c in CONVENTIONS if c.name == name)


def _depth(x: Any) -> int | None:
    from ..metrics.grammar import cutoff  # the help on conventions needs no metric

    try:
        return cutoff(x)
    except InputError as error:
        words = str(error).removeprefix("k: ").replace("the cut-off is", "it is")
        raise InputError(
            f"depth: {words.replace('is no cut-off', 'is no depth')} (RS-CONV-16)"
        ) from None


def spec_of(name: str, value: Any) -> str:
    """The spec ID of a convention's value."""
    special = {"nonrelevant": "RS-CONV-8", "lowest": "RS-CONV-14", "highest": "RS-CONV-14"}
    if name == "pool" and value == "judged":
        return "RS-CONV-3"
    return special.get(value, convention(name).spec)


def as_text(chosen: Conventions) -> dict[str, str | int | None]:
    """All conventions as plain data; gains, discounts and numbers as they are written."""
    return {
        f.name: x if isinstance(x := getattr(chosen, f.name), int | None) else str(x)
        for f in fields(chosen)
    }


def written(name: str, x: Any) -> str:
    """The value of a convention, as it is written."""
    return convention(name).unset[0] if x is None else str(x)


def assignments() -> dict[str, dict[str, str]]:
    """The value of each convention, as text: by default, then in each profile by its name."""
    assigned = {"default": Conventions()} | {p.name: p.conventions for p in PROFILES}
    return {
        name: {c: written(c, x) for c, x in as_text(chosen).items()}
        for name, chosen in assigned.items()
    }


def differing(chosen: Conventions, others: Conventions | None = None) -> dict[str, str]:
    """The conventions that are not those of the others, or the default ones, as text."""
    others = others or Conventions()
    return {
        f.name: str(getattr(chosen, f.name))
        for f in fields(chosen)
        if getattr(chosen, f.name) != getattr(others, f.name)
    }


def quoted(x: Any) -> str:
    return f'"{x}"' if isinstance(x, str) else shown(x)


def listed(names: Any) -> str:
    return ", ".join(f'"{name}"' for name in names)
