"""Inputs that the spec admits, but hardly anybody means: a warning, and a value all the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice

from ..errors import InputError, shown_text
from ..formats.columns import ColumnBlocks, Columns
from ..formats.frames import labels_of
from ..formats.trec import How
from ..typed import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from typing import Literal

SILENCE = 'to silence this: warnings.filterwarnings("ignore", category=rs.InputWarning)'
Form: TypeAlias = "Literal['lists', 'dict', 'table', 'trec', 'trec with subtopics']"
"""The form of a run: lists of ids, a dict, a table or its columns, or lines of TREC."""
AWK = {"trec": "rankspec eval", "trec with subtopics": "rankspec diversity eval"}
ENOUGH_TO_COMPARE = 1000  # documents of a query, of which two may be written alike
LEAST_USUAL_LABEL, HIGHEST_USUAL_LABEL = -2, 10  # of whole numbers that look like labels


def about_queries(
    judged: Sequence[str], retrieved: Sequence[str], of_lists: bool = False
) -> str | None:
    """What may be wrong with the queries of qrels and a run; None: nothing (RS-CONV-27).

    of_lists: whether they are the users of relevant ids and of ranked lists
    """
    if not retrieved:
        what = "ranked has no list" if of_lists else "the run has no rows"
        return f"{what}; an iterator or reader that was already read is empty (RS-CONV-27)"
    known = set(judged)
    common = sum(map(known.__contains__, retrieved))
    if not are_few(len(judged), len(retrieved), common):
        return None
    here, there = _first(judged, known.intersection(retrieved)), _first(retrieved, known)
    if of_lists:
        number = f"only {common}" if common else "none"
        return (
            f"{number} of the {len(judged)} users in relevant and the {len(retrieved)} in ranked "
            f"has both; relevant alone has {shown_text(here)}, ranked alone {shown_text(there)}: a "
            "user must have the same id in both (RS-CONV-27)"
        )
    return few_queries(len(judged), len(retrieved), common, here, there)


def are_few(judged: int, retrieved: int, common: int) -> bool:
    """Whether fewer than half of the queries that could be in both are."""
    return 2 * common < min(judged, retrieved)


def few_queries(judged: int, retrieved: int, common: int, here: str, there: str) -> str:
    """What is wrong where few of so many queries are in both; here, there: one in one only."""
    what = "no query is both in the qrels and in the run"
    fix = "a query must have the same id in both"
    if common:
        are = "query is" if common == 1 else "queries are"
        what = (
            f"only {common} {are} both in the qrels, which have {judged}, and in the run, "
            f"which has {retrieved}"
        )
        fix += ", that of its topic or that of its session"
    return (
        f"{what}; only the qrels have {shown_text(here)}, only the run has {shown_text(there)}: "
        f"{fix} (RS-CONV-27)"
    )


def _first(queries: Sequence[str], known: Set[str]) -> str:
    """The first that is not known."""
    return next(query for query in queries if query not in known)


def about_documents(
    pairs: Callable[[], Iterable[tuple[str, str]]],
    judged_of: Callable[[str], Sequence[str]],
    in_common: int,
    form: Form = "table",
    look_at_all: bool = False,
) -> str | None:
    """Describe ids of which none that is retrieved is judged (RS-CONV-27).

    None: nothing is wrong. Raises InputError where it is beyond doubt that the run has passages.

    pairs: gives (query, document) of the run, in order
    judged_of: the judged documents of a query, none of one that the qrels do not have
    in_common: how many queries both have
    form: of the run, for the advice
    look_at_all: it is not known that none is judged
    """
    if look_at_all and one_is_judged(pairs(), judged_of):
        return None
    first, retrieved = _of_first_query(pairs(), judged_of)
    if not retrieved:
        return None
    here, there, alike = _most_alike(judged_of(first), retrieved)
    suffix = passage_of(there, here)
    if suffix and not (form == "lists" and in_common == 1) and _are_passages(pairs(), judged_of):
        raise InputError(no_documents(in_common, first, here, there, form))
    if form == "lists" and in_common == 1 and not (alike or suffix):
        return None  # one list may well find nothing
    return no_documents(in_common, first, here, there, form)


def unlike_documents(
    pairs: Iterable[tuple[str, str]], judged_of: Callable[[str], Sequence[str]]
) -> tuple[str, str, str] | None:
    """The first query that has judgments, a judged and a retrieved document of it."""
    first, retrieved = _of_first_query(pairs, judged_of)
    if not retrieved:
        return None
    return (first, *_most_alike(judged_of(first), retrieved)[:2])


def no_documents(in_common: int, first: str, here: str, there: str, form: Form = "table") -> str:
    """Say that no retrieved document is judged; here, there: one of the first query each."""
    if form == "lists":
        words = (
            f"for all users in both ({in_common}), no id in ranked is relevant: for "
            f"{shown_text(first)} ranked has {shown_text(there)}, relevant has {shown_text(here)}"
        )
        same = "; an id must be spelled the same in both (RS-CONV-27)"
    else:
        are = "the one query" if in_common == 1 else f"the {in_common} queries"
        words = (
            f"for {are} in both, no retrieved document is judged: for query {shown_text(first)} "
            f"the qrels have {shown_text(here)}, the run {shown_text(there)}"
        )
        same = "; a document must have the same id in both (RS-CONV-27)"
    suffix = passage_of(there, here)
    return words + (f": {_best_passages(suffix, form)}" if suffix else same)


# ---- passages ------------------------------------------------------------------------------

_SUFFIX = re.compile(
    r"(.+?)(#.*|[-_.:/|@%]+(?:c|p|s|chunk|part|passage|psg|seg|segment)?[-_.:]?[0-9]+)"
)


def _of_passage(identifier: str) -> tuple[str, str] | None:
    """The document and the rest of an id that may be a passage's; None: it is none, nor is 7.0."""
    if identifier.isalnum():  # without a separator, as most ids are
        return None
    match = _SUFFIX.fullmatch(identifier)
    if match is None or (match[1].isdigit() and match[2] == ".0"):
        return None
    return match[1], match[2]


def passage_of(retrieved: str, judged: str) -> str | None:
    """The regular expression of what a passage's id has behind that of its document.

    None: the retrieved id is not that of a passage of the judged document.
    """
    parts = _of_passage(retrieved)
    if parts is None or parts[0] != judged:
        return None
    suffix = parts[1]
    if suffix.startswith("#"):
        return "[#].*$"
    plain = re.sub(r"[^0-9a-z]", lambda x: f"[{x[0]}]", suffix)
    return re.sub(r"[0-9]+", "[0-9]+", plain) + "$"


def _are_passages(
    pairs: Iterable[tuple[str, str]], judged_of: Callable[[str], Sequence[str]]
) -> bool:
    """True if most documents retrieved for judged queries are passages of judged documents.

    One such id is enough if its separator is "#"; of any other separator there must be two.
    """
    known: dict[str, frozenset[str]] = {}
    retrieved, separators = 0, []
    for query, document in pairs:
        if query not in known:
            known[query] = frozenset(judged_of(query))
        if not known[query]:
            continue
        retrieved += 1
        if (parts := _of_passage(document)) and parts[0] in known[query]:
            separators.append(parts[1][0])
    return 2 * len(separators) > retrieved and (len(separators) > 1 or separators == ["#"])


def _best_passages(suffix: str, form: Form) -> str:
    """Say how to take the best passage of each document.

    Judged ids are never cut. A suffix that is only a separator and a number may belong to the id of
    an unjudged document; it is cut only where that leaves a judged id.
    """
    sure = suffix.startswith("[#]") or re.search("[a-z]{2}", suffix.replace("0-9", "")) is not None
    known = "relevant" if form == "lists" else "judged"
    cut = f're.sub(r"{suffix}", "", x)'
    if sure:
        cut = f"x if x in {known} else {cut}"
    else:
        cut = f"y if x not in {known} and (y := {cut}) in {known} else x"
    looks = "these look like ids of passages, against those of documents; "
    if form == "lists":
        return (
            f"{looks}if so, replace each id x in ranked by {cut}, where relevant holds the "
            'relevant ids, and give duplicates="first" (RS-CONV-27)'
        )
    if form in AWK:
        pattern = suffix.replace("/", r"\/")
        change = f'sub(/{pattern}/, "", $3)'
        if not sure:
            change = f'd = $3; sub(/{pattern}/, "", d); if (d in judged) $3 = d'
        return (
            f"{looks}if so, awk 'NR==FNR {{judged[$3]; next}} !($3 in judged) {{{change}}} "
            f"{{print}}' QRELS RUN | {AWK[form]} QRELS - --duplicates best takes the best passage "
            "of each document (RS-CONV-27)"
        )
    judged = "judged = {x for own in qrels.values() for x in own}"
    if form == "dict":
        return (
            f"{looks}if so, with {judged}, the run [(q, {cut}, score) for q, own in run.items() "
            'for x, score in own.items()] and duplicates="best" take the best passage of each '
            "document (RS-CONV-27)"
        )
    return (
        f"{looks}if so, replace each x in the run's column of documents by {cut}, where judged "
        'holds the ids of the qrels, and give duplicates="best" (--duplicates best) '
        "(RS-CONV-27)"
    )


def about_passages(
    query: str,
    retrieved: Sequence[str],
    judged: Callable[[], Sequence[str]],
    form: Form = "table",
) -> str | None:
    """Return a warning if most ids of a query are those of passages of judged documents.

    judged: returns the judged documents of the query; form: of the run, for the advice
    None: nothing is wrong (RS-CONV-27)
    """
    documents = {x: parts[0] for x in retrieved if (parts := _of_passage(x))}
    if not documents:
        return None
    known, there = set(judged()), set(retrieved)
    passages = [x for x, d in documents.items() if d in known and d not in there and x not in known]
    if not passages or len(passages) < len(there & known):
        return None
    here = documents[passages[0]]
    advice = _best_passages(str(passage_of(passages[0], here)), form)
    if form == "lists":
        return (
            f"for {shown_text(query)} ranked has {shown_text(passages[0])}, which is not relevant, "
            f"and relevant has {shown_text(here)}: {advice}"
        )
    return (
        f"for query {shown_text(query)} the run has {shown_text(passages[0])}, which is not "
        f"judged, and the qrels have {shown_text(here)}: {advice}"
    )


def one_is_judged(
    pairs: Iterable[tuple[str, str]], judged_of: Callable[[str], Sequence[str]]
) -> bool:
    """Whether a document of a run is judged."""
    known: dict[str, frozenset[str]] = {}
    for query, document in pairs:
        if query not in known:
            known[query] = frozenset(judged_of(query))
        if document in known[query]:
            return True
    return False


def _of_first_query(
    pairs: Iterable[tuple[str, str]], judged_of: Callable[[str], Sequence[str]]
) -> tuple[str, list[str]]:
    """The first query that has judgments, and the documents that are retrieved for it first."""
    first = ""
    retrieved: list[str] = []
    for query, document in pairs:
        if not retrieved and judged_of(query):
            first = query
        elif not retrieved:
            continue
        elif query != first or len(retrieved) == ENOUGH_TO_COMPARE:
            break
        retrieved.append(document)
    return first, retrieved


def _most_alike(judged: Sequence[str], retrieved: Sequence[str]) -> tuple[str, str, bool]:
    """A judged and a retrieved document, if possible two that are the same but for how they are
    written; and whether they are."""
    known = set(judged)
    for x in retrieved:
        if (parts := _of_passage(x)) and parts[0] in known:
            return parts[0], x, False
    plain = {_bare(x): x for x in islice(reversed(judged), ENOUGH_TO_COMPARE)}
    for x in retrieved:
        if (bare := _bare(x)) in plain:
            return plain[bare], x, True
    return judged[0], retrieved[0], False


def _bare(document: str) -> str:
    """An id without what may be added to a number: "x945", "000945" and "945.0" are 945."""
    text = document.strip().casefold().removesuffix(".0")
    return re.sub(r"^\D*0*(?=\d)", "", text)


def like_scores(labels: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether most labels are fractions, or below 0 (RS-CONV-28)."""
    unusual, of = _unusual(labels)
    return 2 * unusual > of


def _unusual(labels: Mapping[str, Mapping[str, Any]]) -> tuple[int, int]:
    """How many labels are fractions or below 0, and how many there are."""
    unusual, of = 0, 0
    for documents in labels.values():
        of += len(documents)
        if any(map(_no_usual_label, set(documents.values()))):
            unusual += sum(map(_no_usual_label, documents.values()))
    return unusual, of


def columns_like_scores(qrels: Columns, how: How) -> bool:
    """As like_scores(), of judgments by column."""
    unusual, of = unusual_labels(qrels, how)
    return 2 * unusual > of


def unusual_labels(qrels: Columns, how: How) -> tuple[int, int]:
    """How many labels are fractions or below 0, and how many there are."""
    unusual = (qrels.numbers < 0) | (qrels.numbers % 1 != 0)
    if how.duplicates == "error" or not unusual.any():
        return int(unusual.sum()), len(qrels)
    return _unusual(labels_of(qrels, how))


def _no_usual_label(x: Any) -> bool:
    return bool(x < 0 or x % 1)


FIRST = "The qrels come first, rs.evaluate(qrels, run, measures)"


def about_arguments(
    run: Mapping[str, Mapping[str, Any]] | Columns | ColumnBlocks, first: str = FIRST
) -> str | None:
    """What may be wrong where labels are like scores; None: nothing (RS-CONV-28).

    first: which comes first, in a sentence
    """
    if isinstance(run, Columns):
        return swapped(among_labels(run), first)
    if isinstance(run, ColumnBlocks):
        ends = [among_labels(block) for block in run]
        lows, highs = zip(*filter(None, ends), strict=True) if all(ends) else ((), ())
        return swapped((min(lows), max(highs)) if lows else None, first)
    distinct = {x for documents in run.values() for x in documents.values()}
    if not distinct or not all(map(_like_a_label, distinct)):
        return None
    return swapped((min(distinct), max(distinct)), first)


def among_labels(run: Columns) -> tuple[Any, Any] | None:
    """The least and the highest of the numbers of a run, where all are like labels."""
    import numpy as np

    if run.number != "score" or run.numbers is None:
        return None
    distinct = np.unique(run.numbers).tolist()
    return (distinct[0], distinct[-1]) if distinct and all(map(_like_a_label, distinct)) else None


def swapped(among: tuple[Any, Any] | None, first: str = FIRST) -> str | None:
    """What is wrong where most labels are like scores, and all scores from one label to another."""
    if among is None:
        return None
    return (
        "most labels of the qrels are fractions or below 0, and all scores of the run are "
        f"{_whole(*among)}: are the two swapped? {first} (RS-CONV-28)"
    )


def about_rows(labels: Any, scores: Any) -> str | None:
    """As about_arguments(), of arrays with the label and the score of each row."""
    import numpy as np

    if labels.dtype.kind not in "iuf" or scores.dtype.kind not in "biuf":
        return None
    with np.errstate(invalid="ignore"):  # of infinity, which is refused elsewhere
        unusual = (labels < 0) | (np.mod(labels, 1) != 0)
    if not len(scores) or 2 * int(unusual.sum()) <= len(labels):
        return None
    distinct = np.unique(scores).tolist()
    if not all(map(_like_a_label, distinct)):
        return None
    return (
        "most labels are fractions or below 0, and all scores are "
        f"{_whole(min(distinct), max(distinct))}: are labels and scores swapped? (RS-CONV-28)"
    )


def _whole(least: Any, most: Any) -> str:
    """What scores are that are all like labels."""
    return f"{int(least)}" if least == most else f"whole numbers from {int(least)} to {int(most)}"


def _like_a_label(x: Any) -> bool:
    return LEAST_USUAL_LABEL <= x <= HIGHEST_USUAL_LABEL and not x % 1
