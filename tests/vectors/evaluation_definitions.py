"""Whole evaluations of the vectors, from the texts of their files, by plain definitions.

Lines are read, conventions applied one after the other, and each query becomes a list of labels and
a pool, of which definitions.py has the value. Nothing of rankspec is used here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import floor, trunc
from struct import pack, unpack
from typing import Any

from flint import arb, fmpq

from . import definitions, session_definitions
from .definitions import Number

BLANKS = re.compile(rb"[\t\v\f\r ]+")
DECIMAL = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
INTEGER = re.compile(rb"[+-]?[0-9]+")
Table = dict[str, dict[str, Any]]


class Refused(Exception):
    """What must be refused: a file and the line, a convention, or the measure."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what, line)
        self.told = {"error": what} if line is None else {"error": what, "line": line}


# Lines


def lines_of(text: str) -> Iterator[tuple[int, list[bytes]]]:
    """The numbers and the columns of the lines that are not blank."""
    content = text.encode().removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(content.split(b"\n"), start=1):
        columns = [column for column in BLANKS.split(line) if column]
        if columns:
            yield number, columns


def decimal(column: bytes, file: str, line: int) -> float:
    if not DECIMAL.fullmatch(column):
        raise Refused(file, line)
    x = float(column)
    if x in (float("inf"), float("-inf")):
        raise Refused(file, line)
    return x


def label_of(column: bytes, file: str, line: int) -> Any:
    if INTEGER.fullmatch(column) and -(2**63) <= int(column) < 2**63:
        return int(column)
    return decimal(column, file, line)


def trec(file: str, text: str, how: dict) -> tuple[Table, list[str]]:
    """What a TREC file has for each query and document, and the queries in order."""
    found: Table = {}
    kept: dict = {}
    n = 4 if file == "qrels" else 6
    empty = True
    for number, columns in lines_of(text):
        if any(b"\0" in column for column in columns):
            raise Refused(file, number)
        if how["lines"] == "comments" and columns[0].startswith(b"#"):
            continue
        more = file == "run" and how["lines"] != "exact"
        if len(columns) < n or (len(columns) > n and not more):
            raise Refused(file, number)
        empty = False
        query, document = columns[0].decode(), columns[2].decode()
        value = value_of_line(file, columns, number, how)
        own = found.setdefault(query, {})
        if document not in own:
            own[document] = value
        elif how["duplicates"] == "error":
            raise Refused(file, number)
        elif how["duplicates"] == "last" or (how["duplicates"] == "best" and value > own[document]):
            del own[document]  # its place is that of the line that is kept
            own[document] = value
        kept[query] = own
    if empty:
        raise Refused(file)
    return found, list(found)


def value_of_line(file: str, columns: list[bytes], number: int, how: dict) -> Any:
    """The label; or what the higher of comes first in a run."""
    if file == "qrels":
        return label_of(columns[3], file, number)
    if how["order"] == "file":
        return -number
    if how["order"] == "rank":
        if not INTEGER.fullmatch(columns[3]) or abs(int(columns[3])) > 2**53:
            raise Refused(file, number)
        return -int(columns[3])
    return decimal(columns[4], file, number)


def as_numbers(judged: Table) -> Table:
    """Labels: integers, if all are; else all are the doubles that are nearest."""
    labels = [x for own in judged.values() for x in own.values()]
    if all(isinstance(x, int) for x in labels):
        return judged
    return {q: {d: float(x) for d, x in own.items()} for q, own in judged.items()}


def float32(x: Any) -> float:
    try:
        return float(unpack("f", pack("f", float(x)))[0])
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


# From files to lists


def evaluate(case: dict) -> tuple[dict[str, tuple[Fraction, Fraction]], list[str]]:
    """The ends of the value of each query that has one, and these queries in order."""
    files, how = case["input"], case["conventions"]
    left_out = how["negative"] == "unjudged" and how["unjudged"] == "condensed"
    if case["measure"]["name"] == "infAP" and how["negative"] != "error" and not left_out:
        how = {**how, "negative": "kept"}  # labels below 0 are its own
    if "sessions" in files:
        return of_sessions(case)
    if "letor" in files:
        judged, scored, queries = letor(files, how)
    else:
        judged, scored, queries = runs(files, how)
    measure = case["measure"]
    values: dict[str, Any] = {}
    highest = max([0, *(x for own in judged.values() for x in own.values())])
    for query in queries:
        found = of_query(judged.get(query, {}), scored.get(query, {}), measure, how, highest)
        if found is not None:
            values[query] = found
    return {q: ends(x) for q, x in values.items()}, list(values)


def runs(files: dict, how: dict) -> tuple[Table, Table, list[str]]:
    judged, in_qrels = trec("qrels", files["qrels"], how)
    judged = as_numbers(judged)
    if how["grades"] is not None:
        meant = {Fraction(x): y for x, y in how["grades"]}
        judged = {
            q: {d: meant.get(Fraction(x), x) for d, x in own.items()} for q, own in judged.items()
        }
    if "topics" in files:
        topic = {a.decode(): b.decode() for _, (a, b) in lines_of(files["topics"])}
        judged = {q: judged[t] for q, t in topic.items() if t in judged}
        in_qrels = list(judged)
    judged = {q: {d: whole(x, how["labels"]) for d, x in own.items()} for q, own in judged.items()}
    if how["relevance"] == "label":
        judged = {q: dict(counted(own, how)) for q, own in judged.items()}
    scored, in_run = trec("run", files["run"], how)
    return judged, scored, chosen(in_qrels, in_run, how["queries"])


def whole(x: Any, labels: str) -> Any:
    """A label as it counts."""
    if labels == "from-1":
        return 0 if 0 < x < 1 else x
    return {"exact": lambda: x, "floor": lambda: floor(x), "truncate": lambda: trunc(x)}[labels]()


def counted(own: dict, how: dict) -> Iterator[tuple[str, Any]]:
    for document, x in own.items():
        if x >= 0 or how["negative"] == "kept":
            yield document, x
        elif how["negative"] == "error":
            raise Refused("qrels")
        elif how["negative"] == "zero":
            yield document, 0


def chosen(in_qrels: list[str], in_run: list[str], rule: str) -> list[str]:
    if rule == "run":
        return in_run
    both = [query for query in in_qrels if query in in_run]
    if rule == "qrels":
        return in_qrels
    if (
        (rule == "both" and not both)
        or (rule in ("complete", "same") and both != in_qrels)
        or (rule == "same" and set(in_run) != set(in_qrels))
    ):
        raise Refused("queries")
    return both


def letor(files: dict, how: dict) -> tuple[Table, Table, list[str]]:
    """Each row a document of its own, of the number of its line."""
    rows = list(rows_of(files["letor"]))
    scores = by_feature(rows, files["feature"]) if "feature" in files else predictions(rows, files)
    queries = [query for _, _, query, _ in rows]
    if "group" in files:
        sizes = [int(columns[0]) for _, columns in lines_of(files["group"])]
        queries = [str(q) for q, size in enumerate(sizes, start=1) for _ in range(size)]
        if len(queries) != len(rows):
            raise Refused("group")
    judged: Table = {}
    scored: Table = {}
    last: str | None = None
    for (number, label, _, _), query, score in zip(rows, queries, scores, strict=True):
        if query is None or (query != last and query in judged):
            raise Refused("letor", number)
        last = query
        judged.setdefault(query, {})[str(number)] = label
        scored.setdefault(query, {})
        if score is not None:
            scored[query][str(number)] = score
    judged = {q: {d: whole(x, how["labels"]) for d, x in own.items()} for q, own in judged.items()}
    if how["relevance"] == "label":
        judged = {q: dict(counted(own, how)) for q, own in judged.items()}
    return judged, scored, list(judged)


Row = tuple[int, float, str | None, dict[int, bytes]]


def rows_of(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.encode().split(b"\n"), start=1):
        columns = [column for column in BLANKS.split(line.partition(b"#")[0]) if column]
        if columns:
            yield row(number, columns)


def by_feature(rows: list[Row], feature: int) -> list[float | None]:
    """What ranks each row; None: it is not ranked."""
    if not any(abs(feature) in own for _, _, _, own in rows):
        raise Refused("letor")
    sign = 1 if feature > 0 else -1
    values = [(number, own.get(abs(feature), b"0")) for number, _, _, own in rows]
    return [None if x == b"NULL" else sign * decimal(x, "letor", number) for number, x in values]


def predictions(rows: list[Row], files: dict) -> list[float]:
    scores = [decimal(c[0], "predictions", n) for n, c in lines_of(files["predictions"])]
    if len(scores) != len(rows):
        raise Refused("predictions")
    return scores


def row(number: int, columns: list[bytes]) -> Row:
    label, rest = decimal(columns[0], "letor", number), columns[1:]
    query = None
    if rest and rest[0].startswith(b"qid:"):
        query = rest.pop(0)[4:].decode()
    features: dict[int, bytes] = {}
    for column in rest:
        name, colon, value = column.partition(b":")
        if not re.fullmatch(rb"[1-9][0-9]*", name) or not colon or not value:
            raise Refused("letor", number)
        if int(name) in features:
            raise Refused("letor", number)
        features[int(name)] = value
    return number, label, query, features


# From lists to values


def of_query(judged: dict, scored: dict, measure: dict, how: dict, highest: Any) -> Any:
    """The value of a query, None where it has none."""
    if how["unjudged"] not in ("lowest", "highest"):
        return of_judgments(judged, scored, measure, how)
    documents = ranked(judged, scored, how)
    unjudged = [document for document in documents if document not in judged]
    labels: Any = range(max(int(highest), 1) + 1)
    if highest != int(highest):  # of fractions these are enough, RS-CONV-14/L4
        labels = [0, highest, *judged.values()]
    values = [
        of_judgments({**judged, **dict(zip(unjudged, chosen, strict=True))}, scored, measure, how)
        for chosen in product(labels, repeat=len(unjudged))
    ]
    known = [x for x in values if x is not None]
    if not known:
        return None
    sign = 1 if how["unjudged"] == "highest" else -1
    return max(known, key=lambda x: sign * ends(x)[0])


def least_mean(case: dict, doubles: dict[str, Fraction]) -> Fraction:
    """The least mean where some judgments leave some queries without a value."""
    files, how = case["input"], case["conventions"]
    judged, scored, queries = runs(files, how)
    optional = [
        q
        for q in queries
        if of_judgments(judged.get(q, {}), scored.get(q, {}), case["measure"], how) is None
    ]  # a divisor is least where the unjudged are not relevant
    means = []
    for kept in product([True, False], repeat=len(optional)):
        out = {q for q, keep in zip(optional, kept, strict=True) if not keep}
        rest = [x for q, x in doubles.items() if q not in out]
        means += [sum(rest, Fraction(0)) / len(rest)] if rest else []
    return min(means)


def ranked(judged: dict, scored: dict, how: dict) -> list[str]:
    """The documents of a query in rank order, cut at the depth."""
    documents = list(scored)
    if how["unjudged"] == "condensed":
        documents = [document for document in documents if document in judged]
    if how["ties"] in ("id-ascending", "id-descending"):
        documents.sort(key=lambda x: x.encode(), reverse=how["ties"] == "id-descending")
    if how["ties"] in ("best", "worst"):
        key = {document: judged.get(document, float("-inf")) for document in documents}
        documents.sort(key=key.__getitem__, reverse=how["ties"] == "best")
    documents.sort(key=scores_as_compared(scored, how).__getitem__, reverse=True)
    if how["depth"] is None or how["depth"] >= len(documents):
        return documents
    return documents[: how["depth"]]


def scores_as_compared(scored: dict, how: dict) -> dict:
    single = how["scores"] == "float32" and how.get("order", "score") == "score"
    return {document: float32(x) if single else x for document, x in scored.items()}


def of_judgments(judged: dict, scored: dict, measure: dict, how: dict) -> Any:
    documents = ranked(judged, scored, how)
    scores = scores_as_compared(scored, how)
    check_end(documents, scores, how)
    labels = [judged.get(document, 0) for document in documents]
    unjudged = [int(document not in judged) for document in documents]
    pool = list(judged.values())
    names = ("Bpref", "AUC", "infAP", "RBP_residual", "Judged", "Unjudged", "NumNonrelRet")
    sees_unjudged = "Bpref" in str(measure) or measure["name"] in names
    if how["pool"] == "retrieved":
        pool = [x for x, u in zip(labels, unjudged, strict=True) if not (u and sees_unjudged)]
    given: dict[str, Any] = {"labels": labels, "judged": pool}
    if sees_unjudged:
        given["unjudged"] = unjudged
    if "_phi" in measure["name"] and any(unjudged):
        return with_gaps(given, unjudged, exact(measure), how)
    if how["undefined"] == "omit-query" and not any(x > 0 for x in pool):
        return None
    if how["undefined"] != "zero" and no_divisor(measure, pool, len(labels)):
        if how["undefined"] == "error":
            raise Refused("measure")
        return fmpq(1) if how["undefined"] == "one" else None
    if not labels and measure["name"] != "AUC":  # of which an empty list is all tied
        return fmpq(1 if measure["name"] == "RBP_residual" else 0)
    if how["ties"] == "expected":
        given |= {"scores": [scores[document] for document in documents], "ties": "expected"}
    k = measure.get("of", measure)["k"]
    return definitions.value_of(exact(measure), exact(given), k)


def check_end(documents: list[str], scores: dict, how: dict) -> None:
    """That the depth is one, and leaves no tie open."""
    if how["depth"] is None:
        return
    if how["depth"] < 1:
        raise Refused("depth")
    if len(documents) < len(scores) and how["ties"] == "expected":
        following = sorted(scores.values(), reverse=True)[len(documents)]
        if how["unjudged"] != "condensed" and scores[documents[-1]] == following:
            raise Refused("depth")


def with_gaps(given: dict, unjudged: list[int], measure: dict, how: dict) -> Number | None:
    """DCG_phi or nDCG_phi of a list with documents that have no score: of relevance 0."""
    if no_divisor(measure, given["judged"], len(unjudged)) and how["undefined"] != "zero":
        return fmpq(1) if how["undefined"] == "one" else None
    pool = exact(given["judged"])
    scored = [x for x, u in zip(exact(given["labels"]), unjudged, strict=True) if not u]
    found = iter(definitions.relevances(scored, pool, measure))
    k = measure["k"] or max(len(unjudged), len(pool))
    value = definitions.dcg_of_relevances(
        [fmpq(0) if u else next(found) for u in unjudged], k, measure
    )
    if measure["name"] == "DCG_phi":
        return value
    best = sorted(definitions.relevances(pool, pool, measure), reverse=True)
    return definitions.quotient(value, definitions.dcg_of_relevances(best, k, measure))


def no_divisor(measure: dict, pool: list, n: int) -> bool:
    """Whether the divisor of a measure is 0, by the pool."""
    if "of" in measure:
        return no_divisor_of_bound(measure, pool)
    name, k = measure["name"], measure["k"]
    if name == "AUC":
        return len({x >= measure["rel"] for x in pool}) < 2
    if name in ("R", "Rprec", "Bpref", "infAP", "RelP", "SetAP") or (
        name == "AP" and measure["norm"] != "k"
    ):
        return not any(x >= measure["rel"] for x in pool)
    ideals = {"nDCG": "IDCG", "LNDCG": "ILDCG", "nERR": "nERR", "nDCG_phi": "nDCG_phi"}
    if name not in ideals:
        return False
    best = exact({**measure, "name": ideals[name], "Z": "none"})
    ideal = sorted(pool, reverse=True)
    given = {"labels": ideal, "judged": ideal}
    return not ideal or definitions.value_of(best, exact(given), k or max(n, len(pool))) == 0


def no_divisor_of_bound(measure: dict, pool: list) -> bool:
    """Whether what a bound divides by is 0: a difference of bounds, a variance."""
    given = exact({"labels": pool, "judged": pool})

    def of_pool(name: str) -> Number:
        bound = exact({"name": name, "of": measure["of"], "bounds": "exact"})
        return definitions.value_of(bound, given, measure["of"]["k"])

    divisors = {
        "UL2": lambda: definitions.difference(of_pool("IUB"), of_pool("RLB")),
        "z_value": lambda: of_pool("variance"),
    }
    return divisors[measure["name"]]() == 0


def exact(x: Any) -> Any:
    """The doubles of what is given as the rationals that they are."""
    if isinstance(x, dict):
        return {name: exact(part) for name, part in x.items()}
    if isinstance(x, list):
        return [exact(part) for part in x]
    return Fraction(x) if isinstance(x, float) else x


def ends(x: Number) -> tuple[Fraction, Fraction]:
    """The ends of a number of python-flint's."""
    if isinstance(x, arb):
        low, high = x.lower(), x.upper()
        return tuple(_fraction(y) for y in (low, high))  # type: ignore[return-value]
    x = fmpq(x)
    return (Fraction(int(x.p), int(x.q)),) * 2


def _fraction(x: arb) -> Fraction:
    mantissa, exponent = x.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def result_of(x: float, results: str) -> float:
    """A double as it is given."""
    if results == "float32":
        return float32(x)
    return round(x, 5) if results == "decimals-5" else x


# Sessions


def of_sessions(case: dict) -> tuple[dict[str, tuple[Fraction, Fraction]], list[str]]:
    files, how = case["input"], case["conventions"]
    sessions = read_sessions(files["sessions"])
    topic = {}
    if "topics" in files:
        topic = {a.decode(): b.decode() for _, (a, b) in lines_of(files["topics"])}
    if "current" in files:
        trec_how = {"lines": "exact", "duplicates": "error", "order": how["order"]}
        scored, _ = trec("run", files["current"], trec_how)
        by_id = {"ties": "id-descending", "scores": "double", "depth": None, "unjudged": ""}
        for name, own in scored.items():
            sessions[name][1].append(ranked({}, own, by_id | {"order": how["order"]}))
    judged = read_judgments(files["qrels"])
    meant = {Fraction(x): y for x, y in how["grades"] or []}
    values = {}
    for name, (own_topic, queries) in sessions.items():
        if "topics" in files and name not in topic:
            continue
        key = topic.get(name, own_topic) if how["judged_by"] == "topic" else name
        if key not in judged:
            continue
        labels = {d: meant.get(Fraction(x), x) for d, x in judged[key].items()}
        if how["negative"] == "error" and any(x < 0 for x in labels.values()):
            raise Refused("qrels")
        labels = {d: max(x, 0) for d, x in labels.items()}
        value = of_session(labels, queries, case["measure"], how)
        if value is not None:
            values[name] = ends(value)
    return values, list(values)


def of_session(labels: dict, queries: list[list[str]], measure: dict, how: dict) -> Any:
    shown = list(dict.fromkeys(document for ranked in queries for document in ranked))
    if how["unjudged"] == "error" and any(document not in labels for document in shown):
        raise Refused("unjudged")
    pool = [labels.get(document, 0) for document in shown]
    given = {
        "queries": [[labels.get(document, 0) for document in ranked] for ranked in queries],
        "documents": queries,
        "judged": pool if how["pool"] == "retrieved" else list(labels.values()),
    }
    if how["undefined"] == "omit" and measure["name"] == "nsDCG":
        ideal = {**measure, "name": "IsDCG"}
        if session_definitions.value_of(exact(ideal), _exact(given), measure["k"]) == 0:
            return None
    return session_definitions.value_of(exact(measure), _exact(given), measure["k"])


def _exact(given: dict) -> dict:
    return {name: x if name == "documents" else exact(x) for name, x in given.items()}


def read_sessions(text: str) -> dict[str, tuple[str | None, list[list[str]]]]:
    """The topic and the documents of each query of each session: of lines, JSON, or XML."""
    if text.startswith("{"):
        return _of_json(text)
    if text.startswith("<"):
        return _of_xml(text)
    sessions: dict[str, tuple[str | None, list[list[str]]]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        fields = [field.strip(" \t\r\v\f") for field in line.split("\t")]
        if not line.strip() or line.startswith("#"):
            continue
        if not sessions and len(fields) > 2 and fields[2].lower() == "rank":
            continue
        queries = sessions.setdefault(fields[0], (None, []))[1]
        if int(fields[1]) > len(queries):
            queries.append([])
        if len(queries) != int(fields[1]):
            raise Refused("sessions", number)
        if len(fields) > 3 and fields[2].lower() != "no results":
            queries[-1].append(fields[3])
            if len(queries[-1]) != int(fields[2]):
                raise Refused("sessions", number)
    return sessions


def _of_json(text: str) -> dict[str, tuple[str | None, list[list[str]]]]:
    import json

    return {
        session["id"].strip(): (
            session.get("topic"),
            [x["results"] if isinstance(x, dict) else x for x in session["queries"]],
        )
        for session in json.loads(text)["sessions"]
    }


def _of_xml(text: str) -> dict[str, tuple[str | None, list[list[str]]]]:
    from xml.etree import ElementTree as ET

    sessions: dict[str, tuple[str | None, list[list[str]]]] = {}
    for session in ET.fromstring(text.encode()).iter("session"):  # noqa: S314
        queries = [
            [
                document.text.strip()
                for result in interaction.iter("result")
                for document in result
                if document.tag in ("clueweb12id", "clueweb09id", "docno") and document.text
            ]
            for interaction in session.findall("interaction")
        ]
        topic = session.find("topic")
        sessions[session.attrib["num"]] = (
            None if topic is None else topic.attrib.get("num"),
            queries,
        )
    return sessions


def read_judgments(text: str) -> Table:
    """Qrels, or lines of three fields."""
    judged: Table = {}
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if lines[0].count("\t") != 2:
        how = {"lines": "exact", "duplicates": "error"}
        return as_numbers(trec("qrels", text, how)[0])
    for number, line in enumerate(lines, start=1):
        key, document, label = (field.strip() for field in line.split("\t"))
        if number == 1 and re.search("[A-Za-z]", label) and not re.search("[0-9]", label):
            continue
        judged.setdefault(key, {})[document] = label_of(label.encode(), "qrels", number)
    return as_numbers(judged)
