"""Profiles: named assignments of all conventions, those of other programs. Spec: RS-CONV-18."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from ..compute.gain import Gain, text_of
from ..errors import InputError, hint, listed, quoted
from ..records import field, record, replace
from ..typed import TYPE_CHECKING, Any
from .conventions import CONVENTIONS, WITHOUT_LABELS, Conventions, as_text, checked, written

if TYPE_CHECKING:
    from ..metrics.measure import Measure

_NAMES = [known.name for known in CONVENTIONS]


BELOW_0 = "negative"  # the convention of labels below 0
NAN_OF_NOTHING = "nan"  # no convention: the caller has NaN for it


def _only_judged(chosen: Conventions) -> bool:
    """Return True if unjudged documents are left out of the lists: trec_eval's -J."""
    return chosen.unjudged == "condensed"


def _graded_there(text: str) -> str:
    """Why a text means another measure in ir_measures than here; "": it does not."""
    from ..metrics.foreign import means_another

    return means_another(text)


def _every(_: Measure | Conventions) -> bool:
    return True


@record()
class Otherwise:
    """What a program does otherwise with some measures than by its profile.

    metrics: of which metrics; where: which of their measures; which: the same in words
    conventions: {name: value}, in the place of the profile's; of the order of documents only
    refused: why the profile cannot do as the program does; "": it can
    unless: the convention that settles it where it is given; "": none
    under: under which conventions
    """

    metrics: tuple[str, ...]
    conventions: Mapping[str, Any] = field(default_factory=dict)
    refused: str = ""
    which: str = ""
    where: Callable[[Measure], bool] = _every
    unless: str = ""
    under: Callable[[Conventions], bool] = _every

    def __str__(self) -> str:
        values = ", ".join(f"{name} {written(name, x)}" for name, x in self.conventions.items())
        of = " ".join(filter(None, [", ".join(self.metrics), self.which]))
        return f"refuses {of}: {self.refused}" if self.refused else f"{of}: {values}"

    def applies(self, measure: Measure, chosen: Conventions) -> bool:
        """Whether a measure, or of a bound the one that it is of, is one of these."""
        named = measure.metric.root.name in self.metrics
        return named and self.where(measure.inner) and self.under(chosen)


def _no_other(_: str) -> str:
    """Return no hint, of a program without other names for measures."""
    return ""


@record()
class Profile:
    """A named assignment of all conventions: those of a program, as it is used by default.

    program: whose numbers these are
    metrics: the metrics that the program has; None: all
    note: what the conventions cannot say
    of_metrics: what the program does otherwise with some measures; the first that applies counts
    parameters: {name: value} of the parameters of measures that say nothing of these; the gain,
        the discount and rel are conventions
    whole_labels: why fractional labels are refused, and those above the highest; "": none is
    highest_label: up to which it takes labels; None: any
    means: counts of which the program takes the mean over queries, and not the sum
    names: {name in the program: the measure here}, of names that are refused without the profile
    another: why a text means another measure in the program than here; "": it does not
    settled: conventions that are given, and hold for all measures
    """

    name: str
    program: str
    conventions: Conventions
    metrics: tuple[str, ...] | None = None
    note: str = ""
    of_metrics: tuple[Otherwise, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    whole_labels: str = ""
    highest_label: int | None = None
    means: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    another: Callable[[str], str] = _no_other
    settled: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Callable[..., Profile], tuple[str, tuple[str, ...]]]:
        """Pickle the name, not the functions: results of an evaluation hold their profile."""
        return _profile_beside, (self.name, self.settled)

    def beside(self, given: Collection[str]) -> Profile:
        """The profile where these conventions are given, for all measures."""
        left = (
            replace(x, conventions={n: v for n, v in x.conventions.items() if n not in given})
            for x in self.of_metrics
            if x.unless not in given
        )
        return replace(self, of_metrics=tuple(left), settled=(*self.settled, *given))

    def of_labels_from_0(self) -> Profile:
        """The profile where no label is below 0: what `negative` would settle is settled."""
        return self.beside([BELOW_0])

    def written_here(self, name: str) -> str:
        """Return the name of a measure of the program as rankspec reads it."""
        begin, at, cut = name.strip().partition("@")
        return self.names[begin] + at + cut if begin in self.names else name

    def averaged(self, measure: Measure) -> Measure:
        """Return the measure, averaged over queries as the program does (RS-CONV-53)."""
        if measure.metric.name not in self.means:
            return measure
        from ..metrics.geometric import Mean

        return Mean(measure)

    def with_nan(self) -> Profile:
        """The profile for a caller who puts NaN where the program divides 0 by 0."""
        return self.beside([NAN_OF_NOTHING])

    def refusal(self, measure: Measure, chosen: Conventions) -> str:
        """Why a measure cannot be what it is in the program; "": it can."""
        name = measure.metric.root.name
        if self.metrics and name not in self.metrics:
            return f"has no {name}, only {' and '.join(self.metrics)}"
        otherwise = self._otherwise(measure, chosen)
        if otherwise is None or not otherwise.refused:
            return ""
        return f"cannot do as its program does: {otherwise.refused}"

    def conventions_of(self, measure: Measure, chosen: Conventions) -> Conventions:
        """The conventions of a measure, where those of the evaluation are the chosen ones."""
        otherwise = self._otherwise(measure, chosen)
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

    def _otherwise(self, measure: Measure, chosen: Conventions) -> Otherwise | None:
        return next((x for x in self.of_metrics if x.applies(measure, chosen)), None)


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
BPREF_OF_TREC_EVAL = Otherwise(
    ("Bpref", "Unjudged", "NumNonrelRet"),
    refused="it passes over labels below 0 here, and its other measures count them as 0: where "
    'there are such labels, give negative="unjudged" (--negative unjudged), which does both',
    unless=BELOW_0,
)
LEVELS_OF_TREC_EVAL = Otherwise(
    ("nDCG_levels",),
    refused="its Rndcg is 0 for queries without a document of a label of at least rel: leave rel "
    "out, and nDCG_levels counts all gains",
    which="with a rel above 1",
    under=lambda chosen: chosen.rel is not None and chosen.rel > 1,
)


def _all_judged_queries(chosen: Conventions) -> bool:
    """Return True if queries that the run misses have values: trec_eval's -c."""
    return chosen.queries == "qrels"


NAN_OF_TREC_EVAL = Otherwise(
    ("IPrec", "AvgIPrec"),
    refused="of a query of which no judged document is retrieved it divides 0 by 0, and has nan "
    "for that and for the mean; without the profile the value is 0",
    unless=NAN_OF_NOTHING,
    which='with unjudged="condensed"',
    under=_only_judged,
)
MISSING_IN_TREC_EVAL_9 = (
    Otherwise(
        ("Yaap",),
        refused="with -c it counts 0 for a query that the run misses, which is not its value for "
        "an empty list; without the profile that counts",
        which='with queries="qrels"',
        under=_all_judged_queries,
    ),
    Otherwise(
        ("Utility",),
        refused="with -c it counts 0 for a query that the run misses, whatever relevant documents "
        "are worth that are not retrieved; without the profile they count",
        which='with queries="qrels" and a weight of documents that are not retrieved',
        where=lambda m: any(m.weights[2:]),
        under=_all_judged_queries,
    ),
)
MISSING_IN_TREC_EVAL_10 = Otherwise(
    ("Utility",),
    refused="with -c and weights it puts a document that is not relevant in the list of a query "
    "that the run misses; without the profile that list is empty",
    which='with queries="qrels" and weights that are not the default',
    where=lambda m: m.weights != m.metric.parameters["weights"].default,
    under=_all_judged_queries,
)
ROUNDING_OF_TREC_EVAL_9 = {"rounding": "plus-0.9"}
NERR = ("NERR8", "NERR9", "NERR10", "NERR11")
LARGEST_P_OF_CWL = 0.96  # p^1000 is below half an ulp of 1

PROFILES = (
    Profile(
        "trec_eval-9",
        "trec_eval 9, pytrec_eval",
        Conventions(scores="float32", queries="both", lines="tail"),
        note='-c is queries="qrels", -M n is depth=n, -l n is rel=n, -J is unjudged="condensed" '
        'with negative="unjudged", but -M comes before -J; IPrec and AvgIPrec have '
        'rounding="plus-0.9"',
        of_metrics=(
            *_gains_of_trec_eval("nDCG"),
            BPREF_OF_TREC_EVAL,
            LEVELS_OF_TREC_EVAL,
            NAN_OF_TREC_EVAL,
            *MISSING_IN_TREC_EVAL_9,
        ),
        parameters=ROUNDING_OF_TREC_EVAL_9,
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
            BPREF_OF_TREC_EVAL,
            LEVELS_OF_TREC_EVAL,
            NAN_OF_TREC_EVAL,
            MISSING_IN_TREC_EVAL_10,
            Otherwise(
                ("RBP",),
                refused="its rbp is of graded relevance, the label over the highest of the query, "
                "and its p is 0.9 by default: ask for rbp, which is that",
            ),
            Otherwise(
                ("RBP_residual",),
                refused="its rbp_resid is 0 where all documents are judged, and of an empty list, "
                "and its p is 0.9 by default: ask for rbp_resid, which is that",
            ),
            Otherwise(
                ("GRBP_residual",),
                refused="its rbp_resid counts labels below 0 as unjudged, and its other measures "
                "count them as 0: where there are such labels, give "
                'negative="unjudged" (--negative unjudged), which does both',
                unless=BELOW_0,
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
        "ranx's, whose sort is not stable; RBP, SDCG, INSQ, INST, BPM and NERR8 to NERR11 are "
        "cwl_eval's; IPrec and AvgIPrec have rounding='plus-0.9'",
        parameters=ROUNDING_OF_TREC_EVAL_9,
        another=_graded_there,
        of_metrics=(
            Otherwise(
                ("RR",),
                {"ties": "id-ascending", "scores": "double"},
                which="with a cut-off",
                where=lambda m: m.k is not None,
            ),
            Otherwise(("ERR",), {"scores": "double"}),
            Otherwise(
                ("NumRel", "NumQ"),
                refused='it counts nothing of a query that the run misses: give queries="both"',
                unless="queries",
            ),
            Otherwise(("Judged",), {"ties": "id-ascending", "scores": "double"}),
            BPREF_OF_TREC_EVAL,
            NAN_OF_TREC_EVAL,
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
                ("RBP", "NERR10"),
                refused="cwl_eval gives the weights of all ranks to the first 1000, which changes "
                "the value where p^1000 is not negligible",
                which=f"with p above {LARGEST_P_OF_CWL}",
                where=lambda m: m.p > LARGEST_P_OF_CWL and (m.k is None or m.metric.name == "RBP"),
            ),
            Otherwise(
                ("INSQ", "INST", "NERR11"),
                refused="cwl_eval ends at rank 1000: write the cut-off, @1000",
                which="without a cut-off",
                where=lambda m: m.k is None,
            ),
            Otherwise(
                ("RBP", "SDCG", "INSQ", "INST", "BPM", *NERR),
                {"ties": "input", "scores": "double"},
            ),
            Otherwise(
                ("Compat",),
                refused="its ideal ranking takes of equal labels the document with the higher "
                "score first, 0 for one that the run misses, and of equal scores the one that the "
                'qrels have first: ask for Compat without the profile, with ties="id-ascending"',
            ),
        ),
    ),
    Profile(
        "ranx",
        "ranx",
        Conventions(ties="input", queries="same"),
        note="of ranx's Qrels and Run; its sort is not stable, so lists of more than 15 documents "
        "with ties may be in another order; it reverses the ties of plain dicts; hits@k is "
        "Mean(NumRelRet@k), the mean over queries",
        of_metrics=(
            Otherwise(
                ("RBP",), refused="its rbp multiplies by the label itself, and can be far above 1"
            ),
            Otherwise(
                ("Bpref",),
                refused="its bpref passes over the cut-off, is NaN where all that is judged is "
                "relevant, and stops where nothing is",
            ),
            Otherwise(
                ("Rprec",),
                refused="its r-precision passes over the cut-off",
                which="with a cut-off",
                where=lambda m: m.k is not None,
            ),
        ),
        whole_labels="ranx cuts the fraction off",
        means=("NumRelRet",),
        names={"hits": "NumRelRet", "recall": "R"},
    ),
)


def by_conventions(
    measures: Iterable[Measure], chosen: Conventions, profile: Profile | None
) -> dict[Conventions, list[Measure]]:
    """The measures, by the conventions that are theirs."""
    groups: dict[Conventions, list[Measure]] = {}
    for measure in measures:
        groups.setdefault(own_conventions(measure, chosen, profile), []).append(measure)
    return groups


def own_conventions(measure: Measure, chosen: Conventions, profile: Profile | None) -> Conventions:
    """The conventions of a measure: the profile's for it, and labels below 0 kept where it reads
    them, if they are not left out of the lists (RS-CONV-15).
    """
    own = profile.conventions_of(measure, chosen) if profile else chosen
    left_out = own.negative == "unjudged" and own.condensed
    if not measure.metric.root.reads_negative or left_out or own.negative == "error":
        return own
    return replace(own, negative="kept")


def profile(name: str) -> Profile:
    """The profile of that name."""
    text = text_of(name)
    for known in PROFILES:
        if text == known.name:
            return known
    raise InputError(
        f"unknown profile {quoted(name)}{hint(name, [p.name for p in PROFILES])}; "
        f"there are {listed(p.name for p in PROFILES)} (RS-CONV-18)"
    )


def _profile_beside(name: str, settled: tuple[str, ...]) -> Profile:
    return profile(name).beside(settled)


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
            f'unknown parameter "{unknown}"{hint(unknown, [*others, *_NAMES])}; expected one of '
            f"{', '.join([*others, *_NAMES])}"
        )
    assigned = {name: checked(name, x) for name, x in given.items() if x is not None}
    result = replace(chosen.conventions if chosen else Conventions(), **assigned)
    if result.extreme and result.ties not in WITHOUT_LABELS:
        raise InputError(
            f'unjudged: "{result.unjudged}" needs a tie rule that does not depend on labels: '
            f"{listed(WITHOUT_LABELS)}, not {quoted(result.ties)} (RS-CONV-14)"
        )
    if result.extreme and result.undefined in ("nan", "error"):
        raise InputError(
            f'undefined: "{result.undefined}" gives no number to compare with; with unjudged '
            f'"{result.unjudged}" use "zero", "one", "omit" or "omit-query" (RS-CONV-14)'
        )
    return result


def assignments() -> dict[str, dict[str, str]]:
    """The value of each convention, as text: by default, then in each profile by its name."""
    assigned = {"default": Conventions()} | {p.name: p.conventions for p in PROFILES}
    return {
        name: {c: written(c, x) for c, x in as_text(chosen).items()}
        for name, chosen in assigned.items()
    }
