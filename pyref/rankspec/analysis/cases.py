"""Cases of test vectors: read from JSON, and what is expected of them, certified.

A case has a ``measure`` and an ``input`` in the form of ``spec/vectors``. A file is one of these
vectors, a list of cases, or one case a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import inf, isinf, nan
from struct import pack
from typing import Any, NamedTuple, TypeAlias

from ..certify import DIGITS, Certified, certified, certified_vector
from ..errors import InputError, hint, shown, shown_text
from ..formats.streams import Fill, Source, Stream
from ..metrics.bounds import BOUNDS, bound_named
from ..metrics.grammar import KNOWN, metric
from ..metrics.measure import Measure, make
from ..reference.numerics import exact_sum, nearest_double
from ..text import printable

SPECIAL = {"Infinity": inf, "-Infinity": -inf, "NaN": nan}
"""Numbers that JSON cannot write."""

_ORDER = ("scores", "ids", "ties", "unjudged")
_INPUTS = {
    "rankings": {"labels", "judged", *_ORDER},
    "sessions": {"queries", "documents", "judged"},
}
"""The parts of an input, by what a metric is taken of."""


_PARTS = {"measure": '{"name": ..., "k": 10}', "input": '{"labels": [3, 2, 0]}'}
"""The parts of a case, with what each is like."""


class Case(NamedTuple):
    """A case, and where it stands: "cases.json: case 3 (dcg-0003)"."""

    where: str
    given: dict[str, Any]


# ---- files ---------------------------------------------------------------------------------


def read_cases(file: Source) -> list[Case]:
    """The cases of a file; an InputError says in which case, or in which line, something is wrong.

    file: a path ("-": standard input) or an open file, plain or compressed
    """
    stream = Stream(file)
    with stream.opened() as fill:
        content = _all_of(fill)
    return cases_of(stream.name, content)


def _all_of(fill: Fill) -> bytes:
    found, buffer = bytearray(), bytearray(1 << 16)
    while size := fill(memoryview(buffer)):
        found += buffer[:size]
    return bytes(found)


def cases_of(name: str, content: bytes) -> list[Case]:
    """The cases of the content of a file of that name."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8: invalid byte at offset {error.start}") from None
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise InputError(f"{name}: expected at least one case, found none")
    try:
        document = _json(text, name)
    except InputError:
        if len(lines) == 1 or not _begins_whole(lines[0][1]):
            raise
        found = [(f"{name}:{n}", _json(line, f"{name}:{n}")) for n, line in lines]
    else:
        cases = list(_cases_of(document, name))
        found = [(f"{name}: case {a}", x) for a, x in enumerate(cases, start=1)]
    if not found:
        raise InputError(f"{name}: there is no case in it")
    return [_case(where, x) for where, x in found]


def _begins_whole(line: str) -> bool:
    """Whether a line is JSON by itself."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: str, where: str) -> Any:
    def refuse(constant: str) -> Any:
        raise InputError(f'{where}: {constant} is not JSON; write the string "{constant}"')

    def finite(decimal: str) -> float:
        x = float(decimal)
        if isinf(x):
            said = f"{where}: {shown_text(decimal)} is no finite double"
            raise InputError(f'{said}; infinity is written "{"-" * (x < 0)}Infinity"')
        return x

    try:
        document = json.loads(
            text, parse_float=finite, parse_constant=refuse, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: not valid JSON: {error.msg} ({place})") from None
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(
            f"{where}: not readable JSON: a number has too many digits, or lists are nested too "
            "deep"
        ) from None
    _check_keys(document, where)
    return document


class _Repeated(dict[str, Any]):
    """An object of which a key stands twice."""

    key: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    keys = [key for key, _ in pairs]
    repeated = _Repeated(found)
    repeated.key = next(key for a, key in enumerate(keys) if key in keys[:a])
    return repeated


def _check_keys(document: Any, where: str) -> None:
    """An InputError for the first object of which a key stands twice."""
    left = [(document, "")] if isinstance(document, (dict, list)) else []
    while left:
        x, place = left.pop()
        if isinstance(x, _Repeated):
            at = f" in {place}" if place else ""
            raise InputError(f"{where}: the key {shown_text(x.key)} occurs twice{at}")
        if isinstance(x, dict):
            parts = [(part, f"{place}.{name}" if place else name) for name, part in x.items()]
        else:
            parts = [(part, f"{place}[{a}]") for a, part in enumerate(x)]
        left += reversed([(part, at) for part, at in parts if isinstance(part, (dict, list))])


def _cases_of(document: Any, name: str) -> Iterator[Any]:
    """The cases of a whole document: a list, one case, or a file of vectors."""
    if isinstance(document, list):
        yield from document
    elif isinstance(document, dict) and "measure" in document:
        yield document
    elif isinstance(document, dict) and isinstance(document.get("cases"), list):
        yield from document["cases"]
    elif isinstance(document, dict) and "statistics" in document:
        raise InputError(
            f"{name}: this is a file of statistics, whose cases have no measure; expected a file "
            "of cases that have one"
        )
    elif isinstance(document, dict) and {"required", "optional"} & set(document):
        for part in ("required", "optional"):
            for a, group in enumerate(document.get(part, [])):
                if not isinstance(group, dict) or not isinstance(group.get("cases"), list):
                    raise InputError(f'{name}: {part}: group {a} has no list "cases"')
                yield from group["cases"]
    else:
        raise InputError(
            f'{name}: expected a file of vectors ("required", "optional"), a list of cases, or a '
            'case a line: {"measure": ..., "input": ...}'
        )


def _case(where: str, x: Any) -> Case:
    if not isinstance(x, dict):
        raise InputError(f"{where}: expected a case, which is a JSON object, got {shown(x)}")
    if "id" in x:
        if isinstance(x["id"], bool) or not isinstance(x["id"], (str, int)):
            raise InputError(f'{where}: "id" is {shown(x["id"])}; expected a string or an integer')
        where = f"{where} ({printable(str(x['id']))})"
    for part, like in _PARTS.items():
        if not isinstance(x.get(part), dict):
            raise InputError(f'{where}: "{part}" must be an object, like {like}')
    if not isinstance(x["measure"].get("name"), str):
        raise InputError(f'{where}: measure: "name" must be the name of a metric')
    return Case(where, x)


# ---- what is expected ----------------------------------------------------------------------


Found: TypeAlias = "Certified | list[Certified] | dict[str, Any]"
"""What is found for a case: certified values, or in writing what has no certificate."""


def expected_of(case: Case) -> Any:
    """What is expected of a case: a value, a list of values, or {"error": why it is refused}.

    A value is {"decimal", "hex", "bits", "exact"}, as in the vectors. An InputError where the case
    is none: a measure, a parameter or a part of the input that nobody knows.
    """
    return _of_each(found_of(case), _written)


def certified_case(case: Case, digits: int = DIGITS) -> dict[str, Any]:
    """A case with what is expected of it, and the proof of that.

    A proof is {"digits", "lower", "upper", "form"}: so many digits, the decimals between which the
    value lies, and its exact form or null. A mean, a fraction and a refusal have none.
    """
    found = found_of(case, digits)
    expected = {**case.given, "expected": _of_each(found, _written)}
    if isinstance(found, dict):
        return expected
    return {**expected, "certificate": _of_each(found, _proof)}


def _of_each(found: Found, write: Callable[[Certified], dict[str, Any]]) -> Any:
    if isinstance(found, dict):
        return found
    return [write(x) for x in found] if isinstance(found, list) else write(found)


def found_of(case: Case, digits: int = DIGITS) -> Found:
    """The certified value of a case, or the list of them; {"error": ...} where it is refused."""
    measure, given = case.given["measure"], case.given["input"]
    _check_names(case, measure, given)
    try:
        if measure["name"] in _OF_NUMBERS:
            return _OF_NUMBERS[measure["name"]](given)
        k = measure.get("of", measure).get("k")
        if isinstance(k, list) and measure["name"] not in VECTORS:
            return [_certified(at_cutoff(measure, one), given, digits) for one in k]
        found: Found = _certified(measure, given, digits)
        return found
    except InputError as error:
        return {"error": str(error)}


def _check_names(case: Case, measure: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """An InputError for what no metric has, or what has the form of no number."""
    if measure["name"] in _OF_NUMBERS:
        part = {"mean": "values", "double": "fraction"}[measure["name"]]
        if set(given) != {part}:
            raise InputError(
                f'{case.where}: input: "{measure["name"]}" takes only the part "{part}"'
            )
        return
    try:
        known = _metric_of(measure)
        _check_kinds(measure)
    except InputError as error:
        raise InputError(f"{case.where}: measure: {error}") from None
    if "qrels" in given:
        raise InputError(
            f"{case.where}: input: this is a whole evaluation; only single rankings can be "
            "certified"
        )
    parts = _parts_of(case, known)
    for name in given:
        if name not in parts:
            raise InputError(
                f"{case.where}: input: unknown part {shown_text(name)}{hint(name, parts)}; "
                f"{known.name} has {', '.join(sorted(parts))}"
            )
    needed = "queries" if "queries" in parts else "judged" if known.of_pool else "labels"
    if needed not in given and not (known.of_pool and "labels" in given):
        raise InputError(f'{case.where}: input: "{needed}" is missing')
    for name in ("labels", "judged", "scores", "queries"):
        if name in given:
            _check_numbers(f"{case.where}: input: {name}", given[name], name == "queries")


def _parts_of(case: Case, known: Any) -> set[str]:
    """The parts that the input of a metric may have."""
    if known.taken_of not in _INPUTS:
        raise InputError(
            f"{case.where}: measure: {known.name} needs a label for each subtopic of an item, "
            "which a case cannot hold; use rs.certify in Python"
        )
    return _INPUTS[known.taken_of]


def _check_numbers(what: str, given: Any, nested: bool) -> None:
    if not isinstance(given, list):
        raise InputError(f"{what}: expected a list, got {shown(given)}")
    for a, x in enumerate(given):
        if nested:
            _check_numbers(f"{what}: query {a + 1}", x, nested=False)
        elif isinstance(x, bool) or not isinstance(number(x), (int, float)):
            raise InputError(f"{what}: expected a number at position {a}, got {shown(x)}")


def _metric_of(measure: Mapping[str, Any]) -> Any:
    """The metric, which a bound makes of another; only what no metric has is wrong here."""
    inner = measure.get("of")
    if inner is None:
        if measure["name"] in {bound.name for bound in BOUNDS}:
            raise InputError(
                f'{measure["name"]} is a bound; "of" must hold the measure that it bounds'
            )
        known = metric(VECTORS.get(measure["name"], measure["name"]))
        extra = set(measure) - {"name", "k", *known.parameters}
        names = known.parameters
    else:
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str):
            raise InputError('"of" must be a measure with a "name"')
        bound = bound_named(measure["name"])
        _metric_of(inner)
        extra, names = set(measure) - {"name", "of", *bound.parameters}, bound.parameters
        known = metric(inner["name"])
        if bound.of_pool:
            return _OfPool(bound.name, known.taken_of)
    if extra:
        wrong = sorted(extra)[0]
        raise InputError(f'{measure["name"]} has no parameter "{wrong}"{hint(wrong, names)}')
    return known


_BASED = ("log", "jarvelin-2008", "jarvelin-2002", "jiang-2016")
_DISCOUNTS = {**dict.fromkeys(_BASED, "base"), "zipf": None, "none": None, "weights": "weights"}
_KINDS: dict[str, dict[str, str | None]] = {
    "gain": {"linear": None, "exp2": None, "table": "table"},
    "discount": _DISCOUNTS,
    "query_discount": _DISCOUNTS,
    "prior": {"discount": None, "uniform": None, **_DISCOUNTS},
    "stops": {"linear": None, "exp2": None, "table": "table"},
}
"""What a parameter of a kind has beside it; None: nothing. A kind that is not here is refused."""


def _check_kinds(measure: Mapping[str, Any]) -> None:
    """An InputError for a key that a gain, a discount or a prior does not have, or lacks."""
    if "of" in measure:
        _check_kinds(measure["of"])
    for name, kinds in _KINDS.items():
        if isinstance(measure.get(name), dict):
            _check_kind(name, measure[name], kinds)


def _check_kind(what: str, given: Mapping[str, Any], kinds: Mapping[str, str | None]) -> None:
    kind = given.get("kind")
    needed = kinds.get(kind) if isinstance(kind, str) else None
    known = ["kind"] if needed is None else ["kind", needed]
    of = f" of the kind {shown_text(kind)}" if isinstance(kind, str) else ""
    for key in given:
        if key not in known:
            raise InputError(f"{what}{of} has no part {shown_text(key)}{hint(key, known)}")
    for key in known:
        if given.get(key) is None:
            raise InputError(f'{what}{of}: "{key}" is missing')


class _OfPool(NamedTuple):
    """What is asked of a metric, for a bound that is of the pool alone."""

    name: str
    taken_of: str
    of_pool: bool = True


VECTORS = {known.vector.name: known.name for known in KNOWN if known.vector is not None}
"""The metrics that are of a vector, by the name of that."""


def _certified(measure: Mapping[str, Any], given: Mapping[str, Any], digits: int) -> Any:
    """A Certified, or a list of them for a vector."""
    asked = measure_of(measure)
    if "queries" in given:
        labels = [numbers(query) for query in given["queries"]]
        taken = {"ids": given.get("documents"), "judged": numbers(given.get("judged"))}
        of = certified_vector if measure["name"] in VECTORS else certified
        return of(asked, labels, digits=digits, check=False, **taken)
    labels = given["judged" if asked.metric.of_pool and "judged" in given else "labels"]
    taken = {name: given.get(name) for name in _ORDER}
    if asked.metric.judged:
        taken["judged"] = numbers(given.get("judged"))
    taken["scores"] = numbers(given.get("scores"))
    return certified(asked, numbers(labels), digits=digits, check=False, **taken)


def measure_of(given: Mapping[str, Any]) -> Measure:
    """The measure that a case has, with all its parameters; an InputError for what it refuses."""
    own = {
        name: _READ.get(name, lambda x: x)(x)
        for name, x in given.items()
        if name not in ("name", "of", "k")
    }
    if "of" in given:
        return bound_named(given["name"])(measure_of(given["of"]), **own)
    known = metric(VECTORS.get(given["name"], given["name"]))
    return make(known, number(given.get("k")), **own)


def at_cutoff(measure: Mapping[str, Any], k: Any) -> dict[str, Any]:
    """The measure with one of its cut-offs."""
    if "of" in measure:
        return {**measure, "of": {**measure["of"], "k": k}}
    return {**measure, "k": k}


def number(x: Any) -> Any:
    """A number, also one that JSON has as text: "Infinity", and integers of many digits."""
    if isinstance(x, str):
        if x in SPECIAL:
            return SPECIAL[x]
        if re.fullmatch("-?[0-9]{1,400}", x):
            return int(x)
    return x


def numbers(given: Any) -> Any:
    """The numbers of a list; what is none as it is."""
    return [number(x) for x in given] if isinstance(given, list) else given


def _gain(given: Any) -> Any:
    return numbers(given.get("table")) if given["kind"] == "table" else given["kind"]


def discount_of(given: Any) -> Any:
    """A discount, as the package takes one, of {"kind": ...}."""
    if given["kind"] == "weights":
        return numbers(given.get("weights"))
    base = given.get("base")
    return given["kind"] if base is None else f"{given['kind']}(b={base})"


def _kind_or_name(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What is read of {"kind": ...}; a name stands for itself."""
    return lambda x: read(x) if isinstance(x, dict) and isinstance(x.get("kind"), str) else x


_READ: dict[str, Callable[[Any], Any]] = {
    "gain": _kind_or_name(_gain),
    "discount": _kind_or_name(discount_of),
    "query_discount": _kind_or_name(discount_of),
    "prior": _kind_or_name(discount_of),
    "rel": number,
    "p": number,
    "max": number,
    "points": lambda points: (
        [numbers(point) for point in points] if isinstance(points, list) else points
    ),
    "stop": lambda stop: stop if isinstance(stop, str) else numbers(stop),
    "q": numbers,
    "beta": number,
    "gamma": number,
    "phi": number,
    "stops": _kind_or_name(_gain),
}
"""How a parameter is read that is no word and no number."""


def _mean(given: Mapping[str, Any]) -> dict[str, Any]:
    from ..api.means import mean

    values = numbers(given["values"])
    return _value(mean(values), exact_sum(values) / max(len(values), 1))


def _double(given: Mapping[str, Any]) -> dict[str, Any]:
    if not re.fullmatch("-?[0-9]+(/[0-9]*[1-9][0-9]*)?", str(given["fraction"])):
        raise InputError(
            f"fraction: expected a fraction such as 1/3, got {shown(given['fraction'])}"
        )
    exact = Fraction(given["fraction"])
    return _value(nearest_double(exact), exact)


_OF_NUMBERS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "mean": _mean,
    "double": _double,
}
"""What the vectors have beside metrics: the mean of doubles, the double nearest to a fraction."""


def _written(found: Certified) -> dict[str, Any]:
    return _value(found.value, found.exact)


def _proof(found: Certified) -> dict[str, Any]:
    lower, upper = found.between
    return {"digits": found.digits, "lower": lower, "upper": upper, "form": found.form}


def _value(double: float, exact: Fraction | None) -> dict[str, Any]:
    """A value as the vectors write it."""
    return {
        "decimal": decimal(double),
        "hex": double.hex(),
        "bits": pack(">d", double).hex(),
        "exact": None if exact is None else fraction(exact),
    }


def fraction(exact: Fraction) -> str | None:
    """A fraction in writing; None where it has more digits than Python writes."""
    try:
        return str(exact)
    except ValueError:
        return None


def decimal(double: float) -> float | str:
    """A double as JSON has it; beyond the range as text."""
    return double if not isinf(double) else "Infinity" if double > 0 else "-Infinity"
