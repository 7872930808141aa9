"""How measures are written: ``nDCG(gain='exp2')@10`` as in ir_measures, ``ndcg_cut.10`` as in
trec_eval, ``UL2(nDCG@10)`` for what is made of them.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import text_of
from ..errors import InputError, hint, nearest_spelling, shown, suggestion
from . import foreign
from .bounds import PAPER_NAMES
from .catalogue import DIVERSITY_METRICS, MAKERS, METRICS, SESSION_METRICS
from .geometric import NAMES as AVERAGED_NAMES
from .measure import Measure, Metric, make_with_defaults, no_parameter
from .measure import cutoff as cutoff  # noqa: PLC0414 - it is part of the notation
from .measure import make as make  # noqa: PLC0414 - it is had from here, too
from .names import AMBIGUOUS, ANY, CALLS, NOT_HERE, NTCIREVAL, SETS, Spelling
from .parameters import LONGEST_KEPT, is_plain

# What Python's parser may raise on a text that somebody typed.
_UNREADABLE = (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError)

KNOWN = (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS)
WITH_PARAMETERS = {**PAPER_NAMES, **AVERAGED_NAMES} | {
    name: f"{m.name}({given})" if given else m.name
    for m in KNOWN
    for name, given in m.names.with_parameters.items()
}
"""Names of a measure with parameters: {name: measure}, without the cut-off."""
_WITH_NUMBERS = "|".join(m.names.trec or "" for m in METRICS if m.names.trec_numbers)
_MAKERS = {x.name: x for x in MAKERS}
_OWN = {m.name for m in METRICS}
_MADE_OF_A_MEASURE = set(_MAKERS)
_CUTOFF = "(?:0|[1-9][0-9]{0,29})"  # NTCIREVAL's nDCG@0010 is another measure than nDCG@10
CUTOFFS = f"{_CUTOFF}(?:,{_CUTOFF})*"
LEVEL = r"(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})"
LEVELS = f"{LEVEL}(?:,{LEVEL})*"
NUMBERS = f"-?{LEVEL}(?:,-?{LEVEL})*"
LONGEST_TEXT = 4000
_ANY_CASE = re.IGNORECASE | re.ASCII  # else the Kelvin sign is a k, and a long s an s


def _spellings() -> dict[str, str]:
    """{name of a measure, also of one that is not here: the name that it has here, or itself}."""
    found = {name: name for names in NOT_HERE.values() for name in names}
    found |= {name: name for name in (*AMBIGUOUS, *WITH_PARAMETERS, *_MADE_OF_A_MEASURE)}
    for m in KNOWN:
        others = [n for names in m.names.others.values() for n in names if not n.endswith("_K")]
        found |= dict.fromkeys(filter(None, (m.names.trec, m.names.trec_cut, *others)), m.name)
    return found | {m.name: m.name for m in KNOWN}


_SPELLINGS = _spellings()
_ABSENT = {name: what for what, names in NOT_HERE.items() for name in names}


def _small(name: str) -> str:
    """The name in small letters, of those from A to Z: other letters are no case of these."""
    return "".join(c.lower() if c.isascii() else c for c in name)


_FOLDED: dict[str, set[str]] = {}  # {name in small letters: what it can be}
for _name, _is in _SPELLINGS.items():
    if _name in AMBIGUOUS and _name.startswith("nERR"):  # in this spelling alone
        continue
    _FOLDED.setdefault(_small(_name), set()).add(_is)


def canonical(name: str) -> str | None:
    """The name of a measure as it is written here; None: there is none, or there are two.

    The case of letters matters only where it alone tells two measures apart (RS-CONV-34).
    """
    if name in _SPELLINGS:
        return _SPELLINGS[name]
    found = _FOLDED.get(_small(name), set())
    return next(iter(found)) if len(found) == 1 else None


def metric(name: str) -> Metric:
    """The metric of that name, as measures or as functions are written ("nDCG", "ndcg")."""
    text = text_of(name)
    if text is None:
        raise InputError(f"expected the name of a metric, got {shown(name)}")
    name = text
    for known in KNOWN:
        if name in (known.name, known.function):
            return known
    names = [m.name for m in KNOWN]
    raise InputError(f'unknown metric "{name}"{_meant(name)}; expected one of {", ".join(names)}')


@standard_arithmetic
def measures(
    text: str | Measure | foreign.ForeignMeasure, defaults: Mapping[str, Any] = MappingProxyType({})
) -> list[Measure]:
    """Return the measures that a name stands for, in any spelling.

    text: a spelling of ir_measures, trec_eval or others, or a measure object of ir_measures
    defaults: values for parameters that the name does not set, if the metric has them

    >>> [str(m) for m in measures("nDCG(gain='exp2')@10")]
    ["nDCG(gain='exp2')@10"]
    >>> [str(m) for m in measures("ndcg_cut.5,10")]
    ['nDCG@5', 'nDCG@10']
    >>> [str(m) for m in measures("nDCG@5,10")]
    ['nDCG@5', 'nDCG@10']
    >>> [str(m) for m in measures("DCG_V2^UL@10")]
    ["UL2(DCG(gain='exp2')@10)"]
    >>> [str(m) for m in measures("MAP@100")]
    ['AP@100']
    """
    if isinstance(text, Measure):
        return [text]
    if not isinstance(defaults, Mapping):
        raise InputError(f"defaults: expected a dict {{parameter: value}}, got {shown(defaults)}")
    written = foreign.written_here(text) if foreign.is_foreign(text) else text_of(text)
    if written is None:
        raise no_name(text)
    text = written.strip()
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"the name of the measure has {len(text)} characters; at most {LONGEST_TEXT} are "
            "allowed"
        )
    if not all(isinstance(name, str) for name in defaults):
        raise InputError(f"defaults: expected a dict of parameters by name, got {shown(defaults)}")
    if len(text) <= LONGEST_KEPT and all(map(is_plain, (*defaults, *defaults.values()))):
        return list(_read_before(text, **defaults))
    return _read(text, defaults)


@lru_cache(maxsize=1024, typed=True)  # evaluations ask for the same names again and again
def _read_before(text: str, /, **defaults: Any) -> tuple[Measure, ...]:
    return tuple(_read(text, defaults))


def _read(text: str, defaults: Mapping[str, Any]) -> list[Measure]:
    """The measures that a name stands for, in any spelling."""
    trec = _measures_of_trec(text, defaults) or _levels_behind_at(text, defaults)
    if trec is not None:
        return trec
    text = _readable(text)
    name, at, cut = text.partition("@")
    of_parameters = WITH_PARAMETERS.get(canonical(name) or name)
    if of_parameters and (not at or re.fullmatch(CUTOFFS, cut)):
        return measures(f"{of_parameters}{at}{cut}", defaults)
    bound = re.match(r"\s*(\w+)\s*(\(|@|$)", text)
    if bound and canonical(bound[1]) in _MADE_OF_A_MEASURE:
        return _bounds_of_call(text, bound[1], defaults)
    return _measures_of_call(text, defaults)


def _readable(text: str) -> str:
    """A text whose name Python can read: that of rankspec in the place of 11pt_avg or ERR-IA."""
    begin = _begin(text)
    name = canonical(begin)
    if begin.isidentifier() or name is None:
        return text
    name = WITH_PARAMETERS.get(name, name)
    return name + text[len(begin) :] if name in {m.name for m in KNOWN} else text


def listed(text: str) -> list[str]:
    """The names in a list of measures, as commas divide it that stand in no brackets or quotes.

    A number behind a comma is a further cut-off of the measure before it, or a further level;
    LABEL=GAIN is a further gain of trec_eval's table.

    >>> listed("nDCG@5,10,UL2(nDCG@10),AP(rel=2,norm='k')@10")
    ['nDCG@5,10', 'UL2(nDCG@10)', "AP(rel=2,norm='k')@10"]
    """
    parts: list[str] = []
    for begin, end in pairwise([-1, *_commas(text), len(text)]):
        part = text[begin + 1 : end].strip()
        numbers = rf"({_WITH_NUMBERS})[._]{NUMBERS}"
        if parts and (
            re.fullmatch(f"{LEVEL}|[0-9]+=.*", part)
            or (re.fullmatch(f"-{LEVEL}", part) and re.fullmatch(numbers, parts[-1], _ANY_CASE))
        ):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def no_name(x: Any) -> InputError:
    """The error for what is no name of a measure: neither a text nor a Measure."""
    if isinstance(x, Metric):
        return InputError(f"measures: {x.name} is a metric; call it for a measure: rs.{x.name}()")
    if x is None:
        return InputError('measures: None names no measure; write one like "nDCG@10"')
    one = "; give one name at a time" if isinstance(x, (list, tuple, set)) else ""
    text = "; a name is a text, not bytes" if isinstance(x, (bytes, bytearray)) else ""
    return InputError(f"measures: {shown(x)} is no name of a measure{one}{text}")


def _measures_of_trec(text: str, defaults: Mapping[str, Any]) -> list[Measure] | None:
    """The measures whose cut-off or level is part of their name: ndcg_cut.5,10, P_5, recall_at_5,
    iprec_at_recall_0.10.
    """
    for m in METRICS:
        if m.names.trec_numbers:
            match = re.fullmatch(rf"{m.names.trec}[._]({NUMBERS})", text, _ANY_CASE)
            if match:
                numbers = [float(x) for x in match[1].split(",")]
                given = {m.names.trec_numbers: numbers}
                try:
                    return [make_with_defaults(m, None, _of_metric(m, defaults), given)]
                except InputError as error:
                    raise InputError(f'measure "{text}": {error}') from None
        if m.names.trec_level:
            match = re.fullmatch(rf"{m.names.trec_level}[._]({LEVELS})", text, _ANY_CASE)
            if match:
                given = _of_metric(m, defaults)
                return _at_levels(text, m, None, match[1], given)
        for name in _names_with_cutoff(m):
            if match := re.fullmatch(rf"{name}[._]({CUTOFFS})", text, _ANY_CASE):
                given = _of_metric(m, defaults)
                try:
                    return [make_with_defaults(m, int(k), given, {}) for k in match[1].split(",")]
                except InputError as error:
                    raise InputError(f'measure "{text}": {error}') from None
    return None


def _at_levels(
    text: str, m: Metric, k: int | None, levels: str, given: Mapping[str, Any]
) -> list[Measure]:
    """A metric at each of the levels, as they are written."""
    try:
        return [
            make_with_defaults(m, k, given, {m.names.level: float(x)}) for x in levels.split(",")
        ]
    except InputError as error:
        raise InputError(f'measure "{text}": {error}') from None


def _names_with_cutoff(m: Metric) -> Iterator[str]:
    if m.names.trec_cut:
        yield m.names.trec_cut
    for names in m.names.others.values():
        yield from (name.removesuffix("_K") for name in names if name.endswith("_K"))


def _of_metric(m: Metric, defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {n: x for n, x in defaults.items() if x is not None and n in m.parameters}


def _measures_of_call(text: str, defaults: Mapping[str, Any]) -> list[Measure]:
    """Measures written as NAME, NAME@k, NAME@k,k, NAME(parameter=value, ...) or all of it."""
    head, at, tail = text.rpartition("@")
    if not at:
        head, tail = text, ""
    elif ")" in tail:  # the @ is within something
        raise _unknown(text, text)
    elif not re.fullmatch(rf"-?{CUTOFFS}", tail):
        fix = _fix(text) or f'"{tail}" is no cut-off; write it like nDCG@10'
        raise _elsewhere(text, head) or InputError(f'measure "{text}": {fix}')
    given, parameters = _name_and_parameters(text, head)
    name = canonical(given) or given
    name = WITH_PARAMETERS.get(name, name)  # SetF, of SetF(rel=2)
    if name not in {m.name for m in KNOWN} or _lacks_cutoff(text):
        raise _unknown(text, given)
    of = _other_metric(text, given, metric(name), parameters)
    for spelling, meant in of.names.spellings.items():
        if spelling in parameters:
            parameters[meant.parameter] = _respelled(text, spelling, meant, parameters)
    for parameter in parameters:
        if parameter not in {*of.parameters, of.cutoff} - {"k"}:
            why = _call_elsewhere(text) or no_parameter(of, parameter)
            raise InputError(f'measure "{text}": {why}')
    try:
        cutoffs = [int(k) for k in tail.split(",")] if at else [None]
        own = _of_metric(of, defaults)
        return [make_with_defaults(of, k, own, parameters) for k in cutoffs]
    except InputError as error:
        raise InputError(f'measure "{text}": {error}') from None


def _refused_of(written: str, of: Metric) -> Mapping[str, str]:
    """The parameters that a metric's name in another program has, and that are others here."""
    refused = of.names.refused
    return next((refused[name] for name in refused if _small(name) == _small(written)), {})


def _other_metric(text: str, written: str, of: Metric, parameters: dict[str, Any]) -> Metric:
    """The metric that a parameter of another program makes of this one: NumRet(rel=2).

    written: the name as it is written, whose parameters may be others than those of the metric
    """
    for parameter, why in _refused_of(written, of).items():
        if parameter in parameters:
            raise InputError(f'measure "{text}": {why}')
    for parameter, by_value in of.names.other_metric.items():
        if parameter not in parameters:
            continue
        if ANY in by_value:
            return metric(by_value[ANY])
        value = parameters.pop(parameter)
        if not isinstance(value, bool):
            raise InputError(f'measure "{text}": {parameter} is True or False, not {value!r}')
        return metric(by_value[value])
    return of


def _levels_behind_at(text: str, defaults: Mapping[str, Any]) -> list[Measure] | None:
    """What ir_measures writes as IPrec@0.1 or IPrec(rel=2)@0.1; None where it is not that."""
    head, _, tail = text.rpartition("@")
    of = next((m for m in METRICS if m.names.at_level and m.name == canonical(_begin(head))), None)
    if of is None or not re.fullmatch(LEVELS, tail):
        return None
    level, numbers = of.names.level, tail.split(",")
    _, parameters = _name_and_parameters(text, head)
    if "." not in tail:
        if level not in parameters and any(int(x) <= 1 for x in numbers):
            raise InputError(
                f'measure "{text}": {tail} may be the {level}, or a cut-off; for the {level}, '
                f"write {of.name}@{numbers[0]}.0; a cut-off comes last, as in "
                f"{of.name}({level}=0.5)@{max(1, int(numbers[0]))}"
            )
        return None
    if level in parameters:
        raise InputError(f'measure "{text}": it has two values of {level}')
    inside = head.partition("(")[2].rstrip().removesuffix(")").rstrip().removesuffix(",")
    inside = f"{inside}, " if inside.strip() else ""
    texts = [f"{of.name}({inside}{level}={float(x)})" for x in numbers]
    return [measure for each in texts for measure in _measures_of_call(each, defaults)]


def _bounds_of_call(text: str, given: str, defaults: Mapping[str, Any]) -> list[Measure]:
    """Bounds, averages: NAME(MEASURE), NAME(MEASURE, parameter=value, ...), or with @k behind."""
    name = canonical(given) or given
    call = re.fullmatch(rf"\s*{given}\s*\((.*)\)\s*(@-?{CUTOFFS})?\s*", text, re.DOTALL)
    inside, cut = (call[1], call[2] or "") if call else ("", "")
    commas = list(_commas(inside))
    begin = next((at for at in commas if re.match(r"\s*(\w+\s*=|\*)", inside[at + 1 :])), None)
    inner, keywords = inside[:begin].strip(), "" if begin is None else inside[begin + 1 :]
    cutoffs = re.search(rf"[@._]{CUTOFFS}$", inner)  # which may be several
    end = inside.index(inner) + (cutoffs.start() if cutoffs else len(inner))
    if not inner or any(at < end for at in commas):
        fix = None if call else _fix(text)
        raise InputError(
            f'measure "{text}": '
            f"{fix or f'{name} needs a measure, as in {name}(nDCG@10), and takes only one'}"
        )
    if cut and cutoffs:
        raise InputError(f'measure "{text}": it has two cut-offs')
    tree = _parsed(text, f"{name}({keywords})")
    parameters = _keywords(text, tree) if isinstance(tree, ast.Call) else {}
    of = measures(inner + cut, defaults)
    made = _MAKERS[name]
    own = {n: defaults[n] for n in made.parameters if defaults.get(n) is not None}
    try:
        return [made(measure, **(own | parameters)) for measure in of]
    except InputError as error:
        raise InputError(f'measure "{text}": {error}') from None


def _commas(text: str) -> Iterator[int]:
    """Where a text has commas that stand in no brackets and no quotes."""
    depth, quote = 0, ""
    for at, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == "," and depth == 0:
            yield at
        depth += (c in "([{") - (c in ")]}") if not quote else 0


def _parsed(text: str, expression: str) -> ast.expr:
    """An expression, as Python reads it."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of Python, on how numbers are written
            tree = ast.parse(expression, mode="eval").body
    except _UNREADABLE:
        raise _unknown(text, expression) from None
    if not all(_is_as_written(node, expression) for node in ast.walk(tree)):
        raise _unknown(text, expression)
    return tree


def _is_as_written(node: ast.AST, expression: str) -> bool:
    """Whether a name stands as it was read: Python reads a full-width R as R."""
    name = getattr(node, "id", None) or getattr(node, "arg", None)
    return name is None or (ast.get_source_segment(expression, node) or "").startswith(name)


def _name_and_parameters(text: str, head: str) -> tuple[str, dict[str, Any]]:
    """The parts of NAME(parameter=value, ...), read as Python reads a call."""
    tree = _parsed(text, head.strip())
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
        raise _unknown(text, head)
    return tree.func.id, _keywords(text, tree)


def _keywords(text: str, call: ast.Call) -> dict[str, Any]:
    """The parameters of a call."""
    parameters: dict[str, Any] = {}
    for keyword in call.keywords:
        name = keyword.arg or "**"
        if name in parameters:
            raise InputError(f'measure "{text}": {name} is given twice')
        try:
            parameters[name] = _literal(keyword.value)
        except _UNREADABLE:
            raise InputError(
                f'measure "{text}": the value of {name} is not a number, string or table; put '
                f"strings in quotes{_quoted(name, keyword.value)}"
            ) from None
    return parameters


def _quoted(name: str, node: ast.expr) -> str:
    """A parameter as it is to be written, where its value is a word."""
    return f": {name}='{node.id}'" if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr) -> Any:
    """What is written: as Python has it, and fractions."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [_literal(element) for element in node.elts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return Fraction(ast.literal_eval(node.left)) / Fraction(ast.literal_eval(node.right))
    return ast.literal_eval(node)


def _respelled(text: str, name: str, meant: Spelling, parameters: dict[str, Any]) -> str:
    """The value of a parameter that another program spells otherwise; taken out of them."""
    if set(meant.chooses) & set(parameters):
        chooses = " and ".join(meant.chooses)
        raise InputError(f'measure "{text}": {name} chooses {chooses}; give only one of the two')
    given = parameters.pop(name)
    if not isinstance(given, str) or given not in meant.values:
        known = " or ".join(f'"{value}"' for value in meant.values)
        raise InputError(f'measure "{text}": {name} is {known}, not {given!r}')
    return meant.values[given]


def _lacks_cutoff(text: str) -> bool:
    """Whether it is a name of trec_eval for a measure at each of some cut-offs.

    The name of a metric is the metric, in any case: P and p, and SUCCESS; but "success" is
    trec_eval's.
    """
    own = {m.name for m in METRICS}
    names = {m.names.trec_cut for m in METRICS if m.names.trec_cut}
    in_any_case = {name.lower() for name in names} - {name.lower() for name in own}
    return text.strip() in names - own or _small(text) in in_any_case


def _lack(text: str) -> str:
    """The number that a name of trec_eval lacks, and an example of it; or nothing."""
    if _lacks_cutoff(text):
        return f"cut-off: {text}@10"
    leveled = {m.names.trec_level.lower(): m.names.level for m in METRICS if m.names.trec_level}
    lacks = leveled.get(_begin(text).lower())
    return f"{lacks}: {_begin(text)}.0.2" if lacks else ""


def _unknown(text: str, name: str) -> InputError:
    """The error for what is no measure, with the sentence that helps."""
    if lack := _lack(text):
        return InputError(f'"{text}" needs a {lack}, say')
    if elsewhere := _elsewhere(text, name):
        return elsewhere
    if fix := _fix(text):
        return InputError(f'measure "{text}": {fix}')
    begin = _without_cutoff(_begin(name))
    if _is_ours(begin):
        is_bound = canonical(begin) in _MADE_OF_A_MEASURE
        like = f"{canonical(begin)}(nDCG@10)" if is_bound else "nDCG(gain='exp2')@10"
        return InputError(
            f'"{text}" is no measure, but {canonical(begin)} is; write it like {like}'
        )
    whole = meant(text)
    if whole is not None:
        return InputError(
            f'unknown measure "{text}"{suggestion(whole)}; `rankspec measures` lists all'
        )
    near_name = _meant(begin)
    near = nearest_spelling(begin, _SPELLINGS) if near_name and begin == text else None
    needed = f"; it needs a cut-off: {near}@10, say" if near and _lacks_cutoff(near) else ""
    return InputError(f'unknown measure "{text}"{near_name}{needed}; `rankspec measures` lists all')


def meant(text: str) -> str | None:
    """The measure of which a text is a slip of the pen, with its parameters and its cut-off.

    >>> meant("nDGC(gain='exp2')@10")
    "nDCG(gain='exp2')@10"
    """
    begin = _without_cutoff(_begin(text))
    if not text.startswith(begin) or not _meant(begin).endswith("?)"):
        return None
    whole = f"{nearest_spelling(begin, _SPELLINGS)}{text[len(begin) :]}"
    return whole if whole != text and _reads(whole) else None


def _begin(text: str) -> str:
    """The name with which a measure begins."""
    return re.split(r"[(\[@]", text)[0].strip()


def _is_ours(name: str) -> bool:
    """Whether it is a name of one measure here, in any spelling."""
    found = canonical(name)
    return found is not None and found not in _ABSENT and found not in AMBIGUOUS


def _elsewhere(text: str, name: str) -> InputError | None:
    """The error for a name that other programs or papers have, and that is not read here."""
    begin = _begin(name)
    for known in (text, begin, _without_cutoff(begin)):
        is_known = canonical(known) or known
        if absent := _ABSENT.get(is_known):
            return InputError(
                f'"{text}" is no measure of rankspec: it is {absent} '
                "(`rankspec measures` lists those that are)"
            )
        if readings := AMBIGUOUS.get(is_known):
            cut = re.search(rf"[@._]({CUTOFFS})$", text)
            at = f"@{cut[1]}" if cut else ""
            *others, last = (f"{measure}{at} {where}" for measure, where in readings)
            meanings = f"{', '.join(others)} and {last}"
            return InputError(f'"{text}" is ambiguous: it is {meanings}; write the one you mean')
    return None


def _without_cutoff(name: str) -> str:
    """The name without what trec_eval and ranx add to one."""
    return re.sub(r"([._][0-9][0-9.,]*|-l[0-9]+)$", "", name)


def _meant(name: str) -> str:
    """The name of a measure of which this is a slip of the pen, as the end of a message's half.

    No other measure is suggested, be it here or elsewhere.
    """
    found = _FOLDED.get(_small(name), set())
    if len(found) > 1 and name not in _SPELLINGS:
        both = " and ".join(f"{x}{_in_words(x)}" for x in sorted(found))
        return f"; the case of its letters matters: {both}"
    near = nearest_spelling(name, _SPELLINGS)
    if near is None or near in _ABSENT:
        return ""
    return suggestion(near)


def _in_words(name: str) -> str:
    """What a name stands for, in brackets; "" of a name that is read nowhere."""
    title = WITH_PARAMETERS.get(name) or next((m.title for m in KNOWN if m.name == name), "")
    return f" ({title})" if title else ""


def of_other_case(name: str) -> str:
    """A sentence on the measure whose name differs by the case of letters alone; "": none does."""
    others = sorted(_FOLDED.get(_small(name), set()) - {name})
    return "".join(f"; {x}{_in_words(x)} is another measure" for x in others)


# ---- names of functions that other libraries have ---------------------------------------------


def no_attribute(module: str, name: str, public: Iterable[str] = ()) -> AttributeError:
    """Return the error for a name that a module does not have, with what to write instead.

    public: the names that it has, of which this may be a slip of the pen
    """
    instead = _instead_of(module.replace("rankspec", "rs"), name) or hint(name, public, 0.8)
    return AttributeError(f"module {module!r} has no attribute {name!r}{instead}")


def _instead_of(module: str, name: str) -> str:
    """Return advice for a function of another library, mrr_at_k or average_precision; or ""."""
    bare = re.sub(r"_(?:at_)?k$|_at_[0-9]+$|(?<=dcg)_score$", "", name)
    cutoff = re.search(r"_at_([0-9]+)$", name)
    k = "" if bare == name or name.endswith("_score") else cutoff[1] if cutoff else "10"
    if readings := AMBIGUOUS.get(canonical(f"{bare}_at" if k else name) or name):
        written = [f"{_function(module, text, k)} {where}" for text, where in readings]
        return f", which has several meanings: {'; '.join(written)}"
    known = (canonical(text) for text in (name, bare))
    text = next((x for x in known if x in WITH_PARAMETERS or x in _OWN), None) or _by_title(bare)
    if text is not None:
        measure = f", or {module}.{text} for the measure" if text in _OWN and module == "rs" else ""
        return f"; write {_function(module, text, k)}{measure}"
    elsewhere = _elsewhere(name, bare)
    return "" if elsewhere is None else f": {elsewhere}"


def _function(module: str, text: str, k: str) -> str:
    """Return the call of a function for a measure, rs.ap(labels, norm='min', k=10).

    k: the cut-off, or "" for that of the measure
    """
    text = WITH_PARAMETERS.get(text, text)
    if text not in _OWN:
        (measure,) = measures(text)
        if measure.metric not in METRICS:  # it is made of another
            return f'rs.evaluate(qrels, run, "{measure}{f"@{k}" if k else ""}")'
        k = k or str(measure.k or "")
    name, _, parameters = text.partition("@")[0].rstrip(")").partition("(")
    keywords = f", {parameters}" if parameters else ""
    cut = f", k={k}" if k else ""
    return f"{module}.{metric(name).function}(labels{keywords}{cut})"


def _by_title(name: str) -> str | None:
    """The measure whose title a name is, with "mean" before it or not: mean_average_precision."""
    title = name.removeprefix("mean_").replace("_", " ")
    title = title.replace("normalized", "normalised").replace("cumulative", "cumulated")
    return next((m.name for m in METRICS if m.title == title), None)


# ---- what is written otherwise, in a sentence ------------------------------------------------


def _fix(text: str) -> str | None:
    """How a measure is written that is written otherwise elsewhere; None: nobody knows."""
    return next(filter(None, (how(text.strip()) for how in _OTHERWISE)), None)


def _unclosed(text: str) -> str | None:
    """nDCG(gain='exp2)@10"""
    depth, quote = 0, ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth < 0:
                return "a parenthesis is closed that none has opened"
    if quote:
        return f"the quote {quote} is not closed"
    return "a parenthesis is not closed" if depth else None


def _blanks(text: str) -> str | None:
    """nDCG 10, Hit Rate@5"""
    words = text.split()
    if len(words) < 2 or all(map(_reads, words)):  # these are several measures
        return None
    name, *rest = words
    if len(rest) == 1 and re.fullmatch("[0-9]+", rest[0]):
        return _without_at(f"{name}_{rest[0]}")
    joined = "".join(words)
    return f"a name has no blanks: {joined}" if _reads(joined) else None


def _trailing_comma(text: str) -> str | None:
    """P.5,"""
    return "it ends with a comma; leave that out" if text.endswith(",") else None


def _two_cutoffs(text: str) -> str | None:
    """nDCG@10@5"""
    found = re.fullmatch(rf"([^@]+)@({CUTOFFS})@({CUTOFFS})", text)
    if not found or not _reads(f"{found[1]}@{found[2]}"):
        return None
    return f"it has two cut-offs; for both, write {found[1]}@{found[2]},{found[3]}"


def _cutoff_first(text: str) -> str | None:
    """nDCG@10(gain=exp2)"""
    found = re.fullmatch(rf"(\w+)@({CUTOFFS})\((.*)\)", text)
    if not found or not _is_ours(found[1]):
        return None
    quoted = re.sub(r"=\s*([A-Za-z][\w.-]*)(?=\s*(?:,|$))", r"='\1'", found[3])
    meant = f"{found[1]}({quoted})@{found[2]}"
    try:
        measures(meant)
    except InputError as error:
        why = str(error).removeprefix(f'measure "{meant}": ')
        return f"the cut-off comes last, behind the parameters; and {why}"
    return f"the cut-off comes last: {meant}"


def _call_elsewhere(text: str) -> str | None:
    """MAP(10), NDCG(n=10)"""
    match = re.fullmatch(rf"((\w+)\((?:[kn]=)?)({CUTOFFS})\)", text.replace(" ", ""))
    if not match or match[1] not in CALLS:
        return None
    call, name, k = match.groups()
    program, measure = CALLS[call]
    return f"the cut-off follows an @: {name}@{k}; in {program}, {text} is {measure}@{k}"


def _unnamed(text: str) -> str | None:
    """nDCG('exp2')@10"""
    found = re.fullmatch(rf"(\w+)\(\s*([\w.'\"-]+)\s*\)(@{CUTOFFS})?", text)
    if not found or canonical(found[1]) not in {m.name for m in KNOWN}:
        return None
    name, given, at = found[1], found[2].strip("'\""), found[3] or ""
    if re.fullmatch(CUTOFFS, given) and not at:
        meant = f"{name}@{given}"
        return _if_read(meant, f"the cut-off follows an @: {meant}")
    for parameter in metric(canonical(name) or name).parameters:
        value = given if re.fullmatch(r"[0-9]*\.?[0-9]+", given) else f"'{given}'"
        meant = f"{name}({parameter}={value}){at}"
        if _reads(meant):
            return f"a parameter needs its name: {meant}"
    return f"a parameter needs its name; {_parameters_of(name)}"


def _parameters_of(name: str) -> str:
    known = metric(canonical(name) or name)
    return f"{known.name} has {', '.join(known.parameters)}"


def _parameter_as_cutoff(text: str) -> str | None:
    """RBP@0.8"""
    found = re.fullmatch(r"(\w+)@(0?\.[0-9]+)", text)
    if not found:
        return None
    meant = f"{canonical(found[1]) or found[1]}(p={found[2]})"
    return _if_read(meant, f"{found[2]} is no cut-off, but may be the parameter p: {meant}")


def _several(text: str) -> str | None:
    """nDCG@10,AP"""
    parts = listed(text)
    if len(parts) == 1:
        parts = re.split(r"[;\s]+", text)
    if len(parts) == 1 or not all(_reads(part) for part in parts):
        return None
    return f"these are {len(parts)} measures; give a list of them: {', '.join(parts)}"


def _persistence(text: str) -> str | None:
    """rbp.p=0.8"""
    found = re.fullmatch(r"(\w+)(?:[.(]p=([0-9.]+)\)?|[._](0?\.?[0-9]+))", text)
    known = WITH_PARAMETERS.get(found[1], "") if found else ""
    if not found or "p=" not in known:
        return None
    p = found[2] or f"0.{found[3].removeprefix('0').removeprefix('.')}"
    meant = re.sub(r"p=[0-9.]+", f"p={p}", known)
    if found[3] and _reads(of_ranx := f"{found[1].upper()}(p={p})"):
        return (
            f"p is a parameter: {meant} as in trec_eval, of graded labels; ranx's is {of_ranx} of "
            "labels 0 and 1"
        )
    return _if_read(meant, f"p is a parameter: {meant}")


def _leading_zeros(text: str) -> str | None:
    """nDCG@0010, P_05"""
    match = re.fullmatch(r"(.+?)([@._])((?:[0-9]+,)*[0-9]+)", text)
    if not match:
        return None
    name, sign, cutoffs = match.groups()
    plain = ",".join(k.lstrip("0") or "0" for k in cutoffs.split(","))
    thousands = re.fullmatch("[1-9][0-9]{0,2}(,[0-9]{3})+", cutoffs)  # 1,005 is not 1 and 5
    if plain == cutoffs or "0" in plain.split(",") or thousands:
        return None
    meant = f"{name}{sign}{plain}"
    if theirs := NTCIREVAL.get(name):
        otherwise = f"; or {meant}" if _reads(meant) else ""
        return (
            f"a cut-off has no leading zeros: write {theirs}@{plain} for NTCIREVAL's {text} of the "
            f"gains 0, 1, 2, 3{otherwise}"
        )
    return _if_read(meant, f"a cut-off has no leading zeros: write {meant}")


def _without_at(text: str) -> str | None:
    """nDCG_10"""
    found = re.fullmatch(r"([A-Za-z]\w*?)[._-]?([0-9]{1,9})", text)
    if not found:
        return None
    name = canonical(found[1]) or found[1]
    meant = f"{name}@{found[2]}"
    if not _has_p(name):
        return _if_read(meant, f"the cut-off follows an @: {meant}")
    as_p = f"{name}(p=0.{found[2]})"
    if not _reads(as_p):
        return None
    if f".{found[2]}" in text:
        return f".{found[2]} may be the parameter p: {as_p}; a cut-off would follow an @"
    return f"it may be {as_p} or {meant}; write the one you mean"


def _has_p(name: str) -> bool:
    """Whether a metric has a parameter p: digits behind its name may be that, or the cut-off."""
    return any(m.name == name and "p" in m.parameters for m in METRICS)


def _gains_of_labels(text: str) -> str | None:
    """ndcg.1=3,2=9"""
    found = re.fullmatch(r"(\w+?)[._]((?:[0-9]{1,2}=[0-9.]+,?)+)", text)
    gained = {m.names.trec: m.name for m in METRICS if m.names.trec and "gain" in m.parameters}
    if not found or found[1].lower() not in gained:
        return None
    gains = dict(pair.split("=") for pair in found[2].strip(",").split(","))
    highest = max(map(int, gains))
    table = "-".join(gains.get(str(label), str(label)) for label in range(highest + 1))
    meant = f"{gained[found[1].lower()]}(gain='{table}')"
    sentence = f"the gains of the labels 0, 1, ... are a parameter: {meant}"
    try:
        measures(meant)
    except InputError as error:  # a label that is not named has itself as its gain
        why = str(error).removeprefix(f'measure "{meant}": gain: ')
        return f"{sentence}, but {why}"
    return sentence


def _beta_of_set_f(text: str) -> str | None:
    """set_F.0.5"""
    match = re.fullmatch(rf"(set_F)[._]({LEVEL})", text, _ANY_CASE)
    return _refused_of("set_F", metric("F"))["beta"] if match else None


def _least_relevant(text: str) -> str | None:
    """map@10-l2"""
    found = re.fullmatch(rf"([A-Za-z_]+)(@{CUTOFFS})?-l([0-9]{{1,9}})", text)
    if not found:
        return None
    name = canonical(found[1]) or found[1]
    meant = f"{name}(rel={found[3]}){found[2] or ''}"
    if _is_ours(name) and name in {m.name for m in KNOWN} and "rel" not in metric(name).parameters:
        return (
            f"the least label that is relevant is a parameter, which {name} has not; gains of 0 "
            f"stand for labels below {found[3]}"
        )
    return _if_read(meant, f"the least label that is relevant is a parameter: {meant}")


def _set_of_trec(text: str) -> str | None:
    """official"""
    if text not in SETS:
        return None
    return "this is a set of trec_eval's measures; name each: map recip_rank P.5,10, say"


def _if_read(meant: str, sentence: str) -> str | None:
    return sentence if _reads(meant) else None


def _reads(text: str) -> bool:
    try:
        return bool(measures(text))
    except InputError:
        return False


_OTHERWISE: tuple[Callable[[str], str | None], ...] = (
    _unclosed,
    _blanks,
    _trailing_comma,
    _two_cutoffs,
    _cutoff_first,
    _call_elsewhere,
    _several,
    _persistence,
    _beta_of_set_f,
    _leading_zeros,
    _without_at,
    _gains_of_labels,
    _least_relevant,
    _set_of_trec,
    _unnamed,
    _parameter_as_cutoff,
)
