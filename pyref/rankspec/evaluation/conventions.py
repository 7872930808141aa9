"""The conventions of evaluations: every choice that the metrics' definitions leave open.

``DECLARED`` is the one list of them. evaluate(), evaluate_letor() and evaluate_sessions(), the
command line, the table of the profiles and the definition of a result read it. Spec: RS-CONV-18.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from math import floor, isfinite, nan, trunc

from ..compute.gain import Discount, Gain, discount, exact, gain, text_of, ties
from ..errors import InputError, by_value, hint, listed, quoted, shown
from ..formats.frames import Label, checked_label, snapshot
from ..formats.trec import LINES, How
from ..records import field, fields, record, replace
from ..typed import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

RUNS, LETOR, SESSIONS = "runs", "LETOR files", "sessions"
DIVERSITY = "runs of queries with subtopics"
OF_RANKINGS = (RUNS, LETOR)
OWN = ("own", "as each metric's definition has it")
WITHOUT_LABELS = ("id-descending", "id-ascending", "input")  # the tie rules that no label enters


@record()
class Convention:
    """One of the choices: its name, what it is about, its spec ID, and the values it can have.

    values: {value: what it means}; empty where any number or definition may be given
    unset: what is written where there is no value, and what that means
    default: its value where none is given; open_default: what that depends on, in words
    of: what it applies to: RUNS, LETOR, SESSIONS, DIVERSITY
    specs: {value: its spec ID}, where that has one of its own
    within: {what it applies to: {field: its value there}}, where something is otherwise there;
        of the values, their names are enough
    type: of a value, in a signature; metavar: what help calls a value
    read: a value from what is given, or an InputError; None: it is one of the values
    profiled: whether profiles assign it: it is a choice of programs, not of data
    """

    name: str
    about: str
    spec: str
    values: Mapping[str, str]
    unset: tuple[str, str] = ("none", "no limit")
    default: Any = None
    open_default: str = ""
    of: tuple[str, ...] = (RUNS, LETOR, SESSIONS)
    specs: Mapping[str, str] = field(default_factory=dict)
    within: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    type: str = "str"
    metavar: str = "RULE"
    read: Callable[[Any], Any] | None = None
    profiled: bool = True

    def applied_to(self, kind: str) -> Convention:
        """The convention as it is of runs, of LETOR files or of sessions."""
        there = dict(self.within.get(kind, {}))
        values = there.get("values", ())
        if isinstance(values, tuple):
            there["values"] = {x: self.values[x] for x in values or self.values}
        return replace(self, **there, of=(kind,), within={})

    def spec_of(self, value: Any) -> str:
        """The spec ID of a value."""
        return self.specs.get(value, self.spec) if isinstance(value, str) else self.spec


def _depth(x: Any) -> int | None:
    from ..metrics.measure import cutoff  # the help on conventions needs no metric

    try:
        return cutoff(x)
    except InputError as error:
        words = str(error).removeprefix("k: ").replace("the cut-off is", "it is")
        raise InputError(f"depth: {words} (RS-CONV-16)") from None


def _rel(x: Any) -> Exact:
    return exact(x, "rel: the least relevant label")


DECLARED = (
    Convention(
        "order",
        "what orders a run",
        "RS-CONV-32",
        {
            "score": "the scores, the highest first",
            "rank": "the rank column of the file, the lowest first; scores are not read",
            "file": "the order of the lines, the dict or the list; scores do not count",
        },
        default="score",
        of=(RUNS, SESSIONS, DIVERSITY),
        within={SESSIONS: {"about": "what orders the run of --current"}},
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
        default="id-descending",
        of=(*OF_RANKINGS, DIVERSITY),
        read=ties,
        within={
            LETOR: {"default": "expected", "values": ("expected", "input", "best", "worst")},
            DIVERSITY: {"values": WITHOUT_LABELS},
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
        default="double",
        of=(*OF_RANKINGS, DIVERSITY),
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
        default="nonrelevant",
        specs={"nonrelevant": "RS-CONV-8", "lowest": "RS-CONV-14", "highest": "RS-CONV-14"},
        of=(RUNS, LETOR, SESSIONS, DIVERSITY),
        within={
            LETOR: {"values": ("nonrelevant", "condensed")},
            DIVERSITY: {"values": ("nonrelevant", "condensed")},
            SESSIONS: {
                "about": "results without a judgment",
                "spec": "RS-SES-23",
                "specs": {},
                "values": {"nonrelevant": "count as label 0", "error": "are an error"},
            },
        },
    ),
    Convention(
        "labels",
        "the labels of the judgments",
        "RS-CONV-39",
        {
            "exact": "are the numbers that they are",
            "floor": "count as the greatest whole number up to them",
            "truncate": "count without their fraction, cut toward 0",
            "from-1": "count from 1 on; those between 0 and 1 are 0",
        },
        default="exact",
        of=OF_RANKINGS,
    ),
    Convention(
        "negative",
        "negative labels",
        "RS-CONV-15",
        {
            "zero": "count as 0",
            "unjudged": "count as no judgment",
            "error": "are an error",
            "kept": "are the labels that they are, for measures that take them",
        },
        default="zero",
        of=(RUNS, LETOR, SESSIONS, DIVERSITY),
        within={
            SESSIONS: {"values": ("zero", "error")},
            DIVERSITY: {"values": ("zero", "unjudged", "error")},
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
        default="label",
        of=OF_RANKINGS,
    ),
    Convention(
        "undefined",
        "the value where the divisor is 0",
        "RS-CONV-4",
        {
            "zero": "0",
            "one": "1",
            "omit": "none, and no part in the mean",
            "omit-query": "as omit; if no label of the pool is above 0, no measure has a value",
            "nan": "NaN, as the mean is then",
            "error": "an error",
        },
        default="zero",
        of=(RUNS, LETOR, SESSIONS, DIVERSITY),
        within={
            DIVERSITY: {
                "about": "a value that is not defined",
                "spec": "RS-DIV-19",
                "values": ("zero", "omit", "nan", "error"),
            },
            SESSIONS: {
                "about": "a value that is not defined",
                "spec": "RS-CONV-26",
                "values": ("zero", "omit", "error"),
            },
        },
    ),
    Convention(
        "results",
        "the precision of values and means",
        "RS-CONV-40",
        {
            "double": "the nearest doubles",
            "float32": "rounded to the nearest 32-bit float at the end",
            "decimals-5": "rounded to five decimals at the end",
        },
        default="double",
        of=OF_RANKINGS,
    ),
    Convention(
        "queries",
        "which queries are evaluated",
        "RS-CONV-9",
        {
            "qrels": "the queries of the qrels; one missing from the run counts as an empty list",
            "both": "the queries that are in both the qrels and the run",
            "run": "the queries of the run; one without judgments has an empty pool",
            "complete": "the queries of the qrels; one missing from the run is an error",
            "same": "the queries of both; a query in only one of them is an error",
        },
        default="qrels",
        of=(RUNS, DIVERSITY),
    ),
    Convention(
        "duplicates",
        "what to do with a document that a query lists twice",
        "RS-CONV-10",
        {
            "error": "refused",
            "first": "the first is kept",
            "last": "the last is kept",
            "best": "the one of the highest score or label is kept",
        },
        default="error",
        of=(RUNS, DIVERSITY),
    ),
    Convention(
        "lines",
        "the lines of TREC files",
        "RS-CONV-33",
        {
            "exact": "of their columns alone",
            "tail": "text after the tag of a run is ignored",
            "comments": 'as tail; lines that begin with "#" are ignored too',
        },
        default="exact",
        of=(RUNS, DIVERSITY),
    ),
    Convention(
        "depth",
        "how many documents of each query count, from the top",
        "RS-CONV-16",
        {},
        of=(*OF_RANKINGS, DIVERSITY),
        type="int",
        metavar="N",
        read=_depth,
    ),
    Convention(
        "pool",
        "which documents form the pool, for the ideal ranking and for counting relevant documents",
        "RS-CONV-17",
        {
            "judged": "all judged documents of the query",
            "retrieved": "the documents that the run retrieved",
        },
        default="judged",
        specs={"judged": "RS-CONV-3"},
        within={
            SESSIONS: {
                "about": "which documents ideal sessions contain",
                "spec": "RS-SES-23",
                "specs": {},
                "values": {
                    "judged": "all judged documents of the session or topic",
                    "retrieved": "the documents that the session was shown, each once",
                },
            },
        },
    ),
    Convention(
        "gain",
        "the gain of measures that name none",
        "RS-GAIN-1",
        {},
        OWN,
        of=(*OF_RANKINGS, DIVERSITY),
        type="GainLike",
        metavar="GAIN",
        read=gain,
    ),
    Convention(
        "discount",
        "the discount of measures that name none",
        "RS-DISC-1",
        {},
        OWN,
        of=(*OF_RANKINGS, DIVERSITY),
        type="DiscountLike",
        metavar="DISCOUNT",
        read=discount,
    ),
    Convention(
        "rel",
        "the least relevant label of measures that name none",
        "RS-PREC-1",
        {},
        OWN,
        of=(*OF_RANKINGS, DIVERSITY),
        type="Exact",
        metavar="LABEL",
        read=_rel,
    ),
    Convention(
        "judged_by",
        "whose judgments they are",
        "RS-SES-23",
        {
            "topic": "the judgments of its topic are those of a session",
            "session": "each session has judgments of its own",
        },
        default="session",
        open_default="topic, where there are topics",
        of=(SESSIONS,),
    ),
    Convention(
        "grades",
        "labels and what they stand for",
        "RS-CONV-25",
        {},
        ("as they are", "each label is what it is"),
        of=(RUNS, SESSIONS),
        type="Mapping[Label, Label]",
        metavar="GRADES",
        profiled=False,
    ),
    Convention(
        "topics",
        "the topic of each query or session",
        "RS-CONV-25",
        {},
        ("none", "queries and sessions have judgments of their own"),
        of=(RUNS, SESSIONS),
        type="Topics",
        metavar="MAP",
        profiled=False,
    ),
)
"""The one list of all conventions: of runs, of LETOR files and of sessions."""


def _from_1(label: Label) -> Label:
    return 0 if 0 < label < 1 else label


def _float32(x: float) -> float:
    return array("f", [x])[0]


def _decimals_5(x: float) -> float:
    return round(x, 5) if isfinite(x) else x


MEANINGS: Mapping[str, Mapping[str, Any]] = {
    "ties": {  # what the C core calls it
        "id-descending": "RS_ID_DESCENDING",
        "id-ascending": "RS_ID_ASCENDING",
        "input": "RS_INPUT",
        "best": "RS_BEST",
        "worst": "RS_WORST",
        "expected": "RS_EXPECTED",
    },
    "order": {"score": "score", "rank": "rank", "file": None},  # the column that orders the rows
    "scores": {"double": False, "float32": True},  # whether they are rounded before
    "unjudged": {  # whether they are left out, and which extreme of the value is computed
        "nonrelevant": (False, None),
        "condensed": (True, None),
        "lowest": (False, "lowest"),
        "highest": (False, "highest"),
        "error": (False, None),
    },
    "labels": {"exact": None, "floor": floor, "truncate": trunc, "from-1": _from_1},
    "negative": {  # what the C core calls it
        "zero": "RS_NEGATIVE_ZERO",
        "unjudged": "RS_NEGATIVE_UNJUDGED",
        "error": "RS_NEGATIVE_ERROR",
        "kept": "RS_NEGATIVE_KEPT",
    },
    "relevance": {"label": None, "phi": "text", "phi-authors-program": "authors-program"},
    "undefined": {  # the value in place of 0; None: there is none
        "zero": 0.0,
        "one": 1.0,
        "omit": None,
        "omit-query": None,
        "nan": nan,
        "error": nan,
    },
    "results": {"double": None, "float32": _float32, "decimals-5": _decimals_5},
    "queries": {  # whether those are evaluated that only the run has
        "qrels": False,
        "both": False,
        "run": True,
        "complete": False,
        "same": False,
    },
    "duplicates": {  # what the C core calls it
        "error": "RS_KEEP_NONE",
        "first": "RS_KEEP_FIRST",
        "last": "RS_KEEP_LAST",
        "best": "RS_KEEP_BEST",
    },
    "lines": LINES,
    "pool": {"judged": False, "retrieved": True},  # whether it is made of the list
    "judged_by": {"topic": True, "session": False},
}
"""{convention: {value: what the code computes with it}}, of those whose values have names.

The code looks values up here: a value that is declared and not implemented is an error.
"""


def meaning(name: str, value: str) -> Any:
    """Return what the code computes with a value of a convention, by MEANINGS."""
    return by_value(name, value, MEANINGS[name])


CONVENTIONS = tuple(known for known in DECLARED if RUNS in known.of and known.profiled)
"""Those that a profile assigns, and the command line and evaluate() take one by one."""

_BY_NAME = {known.name: known for known in DECLARED}


def convention(name: str) -> Convention:
    """The convention of that name."""
    return _BY_NAME[name]


LISTS = "lists of ids"
_NOT_OF_LISTS = ("order", "ties", "scores", "lines", "topics")  # what a list of ids has not


def conventions_of(kind: str) -> tuple[Convention, ...]:
    """The conventions of runs, of LETOR files or of sessions, as they apply to these; of lists of
    ids those of runs, but for what a list settles or has not (RS-CONV-45).
    """
    if kind == LISTS:
        return tuple(x for x in conventions_of(RUNS) if x.name not in _NOT_OF_LISTS)
    return tuple(known.applied_to(kind) for known in DECLARED if kind in known.of)


def default(name: str, kind: str = RUNS) -> Any:
    """The value of a convention where none is given."""
    return _BY_NAME[name].applied_to(kind).default


@record()
class Conventions:
    """Every choice of an evaluation that the metrics' definitions leave open; see CONVENTIONS.

    gain, discount, rel: None where they are each metric's own
    """

    order: str = default("order")
    ties: str = default("ties")
    scores: str = default("scores")
    unjudged: str = default("unjudged")
    labels: str = default("labels")
    negative: str = default("negative")
    relevance: str = default("relevance")
    undefined: str = default("undefined")
    results: str = default("results")
    queries: str = default("queries")
    duplicates: str = default("duplicates")
    lines: str = default("lines")
    depth: int | None = None
    pool: str = default("pool")
    gain: Gain | None = None
    discount: Discount | None = None
    rel: Exact | None = None

    @property
    def scored(self) -> bool:
        """Whether labels are scores (RS-CONV-20)."""
        return self.variant is not None

    @property
    def variant(self) -> str | None:
        """The reading of the control points by which labels are scores; None: they are none."""
        return meaning("relevance", self.relevance)  # type: ignore[no-any-return]

    @property
    def ordered_by(self) -> str | None:
        """The column that orders a run, "score" or "rank"; None: the order given (RS-CONV-32)."""
        return meaning("order", self.order)  # type: ignore[no-any-return]

    @property
    def rounds_scores(self) -> bool:
        """True where scores are compared as 32-bit floats (RS-CONV-12)."""
        return self.ordered_by == "score" and bool(meaning("scores", self.scores))

    @property
    def condensed(self) -> bool:
        """True where documents without a judgment are left out of the list (RS-CONV-13)."""
        return bool(meaning("unjudged", self.unjudged)[0])

    @property
    def extreme(self) -> str | None:
        """The extreme over all judgments of the unjudged: "lowest", "highest" (RS-CONV-14)."""
        return meaning("unjudged", self.unjudged)[1]  # type: ignore[no-any-return]

    @property
    def own_pool(self) -> bool:
        """True where the pool is what the run retrieved (RS-CONV-17)."""
        return bool(meaning("pool", self.pool))

    @property
    def evaluates_run(self) -> bool:
        """True where the queries are those of the run, judged or not (RS-CONV-9)."""
        return bool(meaning("queries", self.queries))

    @property
    def how(self) -> How:
        """How the lines of files are read."""
        return How(self.duplicates, self.order, self.lines)


def checked(name: str, x: Any) -> Any:
    """A value of a convention, or an InputError; None where that is what is written for none."""
    known = convention(name)
    word = text_of(x)
    if word is not None and not known.values and word == known.unset[0]:
        return None
    if known.read is not None:
        value = known.read(x)
        if name in MEANINGS:
            meaning(name, value)
        return value
    if word is None or word not in known.values:
        raise InputError(
            f"{name}: unknown choice "
            f"{quoted(x if word is None else word)}{hint(word, known.values)}; expected one of "
            f"{listed(known.values)} ({known.spec})"
        )
    meaning(name, word)
    return word


def checked_grades(given: Mapping[Label, Label] | None) -> Mapping[Label, Label] | None:
    """The grades of labels: of numbers, numbers that a label can be."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise InputError(
            f"grades: expected a dict {{label: replacement}}, got {shown(given)} (RS-CONV-25)"
        )
    return {
        checked_label(x, "grades: a label"): checked_label(
            y, f"grades: the replacement of {shown(x)}"
        )
        for x, y in snapshot(given, "grades").items()
    }


def written_grades(grades: Mapping[Label, Label] | None) -> str:
    """The grades, as the command line has them; nothing where there are none."""
    return ",".join(f"{label}={grade}" for label, grade in (grades or {}).items())


def spec_of(name: str, value: Any) -> str:
    """The spec ID of a convention's value."""
    return convention(name).spec_of(value)


def as_text(chosen: Conventions) -> dict[str, str | int | None]:
    """All conventions as plain data; gains, discounts and numbers as they are written."""
    return {
        name: x if isinstance(x := getattr(chosen, name), int | None) else str(x)
        for name in fields(chosen)
    }


def written(name: str, x: Any) -> str:
    """The value of a convention, as it is written."""
    return convention(name).unset[0] if x is None else str(x)


def differing(chosen: Conventions, others: Conventions | None = None) -> dict[str, str]:
    """The conventions that are not those of the others, or the default ones, as text."""
    others = others or Conventions()
    return {
        name: str(getattr(chosen, name))
        for name in fields(chosen)
        if getattr(chosen, name) != getattr(others, name)
    }
