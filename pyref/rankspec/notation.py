"""How measures are written: ``nDCG(gain='exp2')@10`` as in ir_measures, ``ndcg_cut.10`` as in
trec_eval, ``UL2(nDCG@10)`` for what is made of them.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from .arithmetic import standard_arithmetic
from .chapters import BOUNDS, METRICS, SESSION_METRICS
from .chapters.bounds import bound_named
from .errors import InputError, hint, shown
from .measure import Measure, Metric

# What Python's parser may raise on a text that somebody typed.
_UNREADABLE = (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError)

PAPER_NAMES = {  # RS-BND-11
    "DCG_V1^UL": "UL1(DCG(gain='exp2'))",
    "DCG_V2^UL": "UL2(DCG(gain='exp2'))",
    "SP_V1^UL": "UL1(SP)",
    "SP_V2^UL": "UL2(SP)",
    "MSP_V1^UL": "UL1(SP)",
    "MSP_V2^UL": "UL2(SP)",
    "RNDCG": "Ratio(nDCG)",
}
"""What papers call a measure, without the cut-off: karmaker-2022, and gienapp-2020 the last."""

KNOWN = (*METRICS, *SESSION_METRICS)
CUTOFFS = "[0-9]{1,30}(?:,[0-9]{1,30})*"
LONGEST_TEXT = 4000
LARGEST_CUTOFF = (1 << 63) - 2  # the core takes the next number for "the whole list"


def metric(name: str) -> Metric:
    """The metric of that name, as measures or as functions are written ("nDCG", "ndcg")."""
    for known in KNOWN:
        if name in (known.name, known.function):
            return known
    names = [m.name for m in KNOWN]
    raise InputError(f'"{name}" is no metric{hint(name, names)}; there are {", ".join(names)}')


@standard_arithmetic
def make(
    metric: Metric,
    k: int | None = None,
    **parameters: Any,
) -> Measure:
    """A measure from a metric and the values of its parameters, each checked.

    The cut-off may also be given by the name that the metric's paper has for it.
    """
    if metric.cutoff in parameters and metric.cutoff not in metric.parameters:
        k = _one_cutoff(metric, k, parameters)
    for name in parameters:
        if name not in metric.parameters:
            raise InputError(_no_parameter(metric, name))
    choices = (
        p.read(parameters[name]) if name in parameters else p.default
        for name, p in metric.parameters.items()
    )
    measure = Measure(metric, cutoff(k, metric.cutoff), tuple(choices))
    metric.check(measure)
    return measure


def _one_cutoff(metric: Metric, k: int | None, parameters: dict[str, Any]) -> int | None:
    """The cut-off, which is k or what the metric's paper calls it; taken out of the parameters."""
    name = metric.cutoff
    given = parameters.pop(name)
    if given is not None and k is not None:
        raise InputError(f"{name}: it is the cut-off, and so is k; give one of them")
    return k if given is None else cutoff(given, name)


def _no_parameter(metric: Metric, name: str) -> str:
    return (
        f"{metric.name} has no parameter {name!r}{hint(name, metric.parameters)}; "
        f"it has {', '.join(metric.parameters)} and the cut-off @{metric.cutoff}"
    )


def cutoff(k: Any, name: str = "k") -> int | None:
    """A cut-off, checked: a whole number from 1 to 2^63 - 2, or None for the whole list."""
    if k is None:
        return None
    try:
        number = operator.index(k)
    except TypeError:
        number = None
    if number is None or isinstance(k, bool):
        raise InputError(
            f"{name}: {shown(k)} is no cut-off; it must be a whole number of at least 1"
        )
    if number < 1:
        raise InputError(f"{name}: the cut-off is {shown(number)}; it must be at least 1")
    if number > LARGEST_CUTOFF:
        raise InputError(f"{name}: the cut-off is {shown(number)}; it must be below 2^63 - 1")
    return number


@standard_arithmetic
def measures(
    text: str | Measure, defaults: Mapping[str, Any] = MappingProxyType({})
) -> list[Measure]:
    """The measures that a name stands for, in ir_measures' or trec_eval's spelling.

    defaults: what a parameter is that the name does not say, where the metric has it

    >>> [str(m) for m in measures("nDCG(gain='exp2')@10")]
    ["nDCG(gain='exp2')@10"]
    >>> [str(m) for m in measures("ndcg_cut.5,10")]
    ['nDCG@5', 'nDCG@10']
    >>> [str(m) for m in measures("nDCG@5,10")]
    ['nDCG@5', 'nDCG@10']
    >>> [str(m) for m in measures("DCG_V2^UL@10")]
    ["UL2(DCG(gain='exp2')@10)"]
    """
    if isinstance(text, Measure):
        return [text]
    if len(text) > LONGEST_TEXT:
        raise InputError(f"a measure of {len(text)} characters; at most {LONGEST_TEXT} are read")
    trec = _measures_of_trec(text, defaults)
    if trec is not None:
        return trec
    name, at, cut = text.partition("@")
    if name in PAPER_NAMES and (not at or re.fullmatch(CUTOFFS, cut)):
        of, _, end = PAPER_NAMES[name].rpartition(")")
        return measures(f"{of}{at}{cut}){end}", defaults)
    bound = re.match(rf"\s*({'|'.join(bound.name for bound in BOUNDS)})\s*(\(|@|$)", text)
    if bound:
        return _bounds_of_call(text, bound[1], defaults)
    return _measures_of_call(text, defaults)


def _measures_of_trec(text: str, defaults: Mapping[str, Any]) -> list[Measure] | None:
    for m in METRICS:
        given = _of_metric(m, defaults)
        if text == m.trec:
            return [make(m, **given)]
        written = rf"{m.trec_cut}[._]({CUTOFFS})"
        if m.trec_cut and (match := re.fullmatch(written, text)):
            try:
                return [make(m, int(k), **given) for k in match[1].split(",")]
            except InputError as error:
                raise InputError(f'measure "{text}": {error}') from None
    return None


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
        raise InputError(f'measure "{text}": "{tail}" is no cut-off; write it like nDCG@10')
    name, parameters = _name_and_parameters(text, head)
    if name not in {m.name for m in KNOWN}:
        raise _unknown(text, name)
    if name == "nDCG" and "dcg" in parameters:
        if {"gain", "discount"} & set(parameters):
            raise InputError(f'measure "{text}": dcg chooses gain and discount; give one or other')
        parameters["gain"] = _gain_of_dcg(text, parameters.pop("dcg"))
    for parameter in parameters:
        if parameter not in {*metric(name).parameters, metric(name).cutoff} - {"k"}:
            raise InputError(f'measure "{text}": {_no_parameter(metric(name), parameter)}')
    parameters = _of_metric(metric(name), defaults) | parameters
    try:
        cutoffs = [int(k) for k in tail.split(",")] if at else [None]
        return [make(metric(name), k, **parameters) for k in cutoffs]
    except InputError as error:
        raise InputError(f'measure "{text}": {error}') from None


def _bounds_of_call(text: str, name: str, defaults: Mapping[str, Any]) -> list[Measure]:
    """Bounds written as NAME(MEASURE), NAME(MEASURE, parameter=value, ...), or with @k behind."""
    call = re.fullmatch(rf"\s*{name}\s*\((.*)\)\s*(@-?{CUTOFFS})?\s*", text, re.DOTALL)
    inside, cut = (call[1], call[2] or "") if call else ("", "")
    commas = list(_commas(inside))
    begin = next((at for at in commas if re.match(r"\s*(\w+\s*=|\*)", inside[at + 1 :])), None)
    inner, keywords = inside[:begin].strip(), "" if begin is None else inside[begin + 1 :]
    cutoffs = re.search(rf"[@._]{CUTOFFS}$", inner)  # which may be several
    end = inside.index(inner) + (cutoffs.start() if cutoffs else len(inner))
    if not inner or any(at < end for at in commas):
        raise InputError(f'measure "{text}": {name} is of one measure: {name}(nDCG@10), say')
    if cut and cutoffs:
        raise InputError(f'measure "{text}": it has two cut-offs')
    tree = _parsed(text, f"{name}({keywords})")
    parameters = _keywords(text, tree) if isinstance(tree, ast.Call) else {}
    of = measures(inner + cut, defaults)
    try:
        return [bound_named(name)(measure, **parameters) for measure in of]
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
            return ast.parse(expression, mode="eval").body
    except _UNREADABLE:
        raise _unknown(text, expression) from None


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
                f'measure "{text}": what {name} is set to is no number, text or '
                "table; text needs quotes"
            ) from None
    return parameters


def _literal(node: ast.expr) -> Any:
    """What is written: as Python has it, and fractions."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [_literal(element) for element in node.elts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return Fraction(ast.literal_eval(node.left)) / Fraction(ast.literal_eval(node.right))
    return ast.literal_eval(node)


def _gain_of_dcg(text: str, dcg: Any) -> str:
    """ir_measures' spelling of the gain."""
    gains = {"log2": "linear", "exp-log2": "exp2"}
    if not isinstance(dcg, str) or dcg not in gains:
        raise InputError(f'measure "{text}": dcg is "log2" or "exp-log2", not {dcg!r}')
    return gains[dcg]


def _unknown(text: str, name: str) -> InputError:
    if any(text == m.trec_cut for m in METRICS):
        return InputError(f'"{text}" needs a cut-off: {text}.10, say')
    known = [*PAPER_NAMES, *(bound.name for bound in BOUNDS)]
    known += [n for m in KNOWN for n in (m.trec, m.trec_cut, m.name) if n]
    # Of names that differ in their case alone the last wins: a metric's own over trec_eval's.
    meant = hint(re.split(r"[(\[@.]", name)[0].strip(), known, cutoff=0.5)
    return InputError(f'"{text}" is no measure{meant} (`rankspec measures` lists them)')
