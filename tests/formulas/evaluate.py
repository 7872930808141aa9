"""The value of a formula in a world, which says what its names are.

A world is a dict. Numbers are Fractions, and sympy's where they are irrational. The names
"d" and "J_" are functions, of an argument and of a subscript, and so is "DCG@", of a cut-off;
"each T" are the dicts of what a sum over T binds; "E" is an operator, which takes a function of
what it binds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any

import sympy

from ..symbolic.proof import equal
from .tex import (
    Apply,
    Arithmetic,
    Cases,
    Chain,
    Continued,
    Cut,
    Domain,
    Dots,
    Each,
    Extreme,
    Listed,
    Literal,
    Logarithm,
    Logic,
    Mean,
    Name,
    Node,
    Over,
    Present,
    Selected,
    Unary,
)

World = Mapping[str, Any]


class UndefinedError(Exception):
    """A formula has no value in a world: a division by 0, a rank beyond a list."""


class UnknownNameError(Exception):
    """A world does not say what a name is."""


def evaluate(node: Node, world: World) -> Any:
    """Return the value of an expression: a number, a sequence, a function; True or False."""
    return _RULES[type(node)](node, world)


def _literal(node: Literal, _: World) -> Fraction:
    return node.value


def lookup(world: World, name: str) -> Any:
    """Return the value of a name in a world."""
    if name not in world:
        raise UnknownNameError(f"nothing says what {name!r} is")
    return world[name]


def _name(node: Name, world: World) -> Any:
    if node.subscript is None or node.text in world:
        return lookup(world, node.text)
    index = evaluate(node.subscript, world)
    if f"{node.base}_{index}" in world:
        return world[f"{node.base}_{index}"]
    return lookup(world, f"{node.base}_")(index)


def _cut(node: Cut, world: World) -> Any:
    return lookup(world, f"{node.name}@")(evaluate(node.cutoff, world))


def _apply(node: Apply, world: World) -> Any:
    arguments = (evaluate(x, world) for x in filled(node.arguments, world))
    return evaluate(node.function, world)(*arguments)


def _mean(node: Mean, world: World) -> Any:
    return lookup(world, f"{node.name}[]")(lambda bound: evaluate(node.body, {**world, **bound}))


def number(x: Any) -> Any:
    """Return a number of a world: a Fraction, or an expression of sympy."""
    if not isinstance(x, (int, Fraction, sympy.Expr)):
        raise UndefinedError(f"{x} is no number")
    return x if isinstance(x, sympy.Expr) else Fraction(x)


def quotient(a: Any, b: Any) -> Any:
    """a / b, where b is not 0."""
    if same(b, 0):
        raise UndefinedError("a division by 0")
    return a / b


def power(a: Any, b: Any) -> Any:
    """a^b, with 0^0 = 1."""
    if isinstance(b, Fraction) and b.denominator == 1 and isinstance(a, Fraction):
        if a == 0 and b < 0:
            raise UndefinedError("a power of 0")
        return a**b.numerator
    return sympy.sympify(a) ** sympy.sympify(b)


def choose(n: Any, k: Any) -> Fraction:
    """The number of choices of k of n, 0 where k is not one of 0, ..., n."""
    return Fraction(comb(whole(n), whole(k))) if k >= 0 else Fraction(0)


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": quotient, "^": power,
    "choose": choose,
}  # fmt: skip


def _arithmetic(node: Arithmetic, world: World) -> Any:
    match node:
        case Arithmetic("^", Name(text), Literal(exponent)) if f"{text}^{exponent}" in world:
            return number(world[f"{text}^{exponent}"])
    left, right = evaluate(node.left, world), evaluate(node.right, world)
    return ARITHMETIC[node.operator](number(left), number(right))


def _unary(node: Unary, world: World) -> Any:
    x = evaluate(node.operand, world)
    if node.operator == "|":
        return Fraction(len(x)) if isinstance(x, Sequence) else abs(x)
    if node.operator == "-":
        return -number(x)
    if node.operator == "!":
        return Fraction(factorial(whole(x)))
    return _simple(sympy.sqrt(sympy.sympify(x)))


def whole(x: Any) -> int:
    """Return a number that is an integer and not negative as an int."""
    if not isinstance(x, (int, Fraction)) or x != int(x) or x < 0:
        raise UndefinedError(f"{x} is no count")
    return int(x)


def _logarithm(node: Logarithm, world: World) -> Any:
    x = number(evaluate(node.argument, world))
    return logarithm(x, sympy.E if node.base is None else number(evaluate(node.base, world)))


@cache
def logarithm(x: Any, base: Any) -> Any:
    """log_base(x), a Fraction where it is rational."""
    if not x > 0 or same(base, 1):
        raise UndefinedError(f"a logarithm of {x} to the base {base}")
    x, base = sympy.sympify(x), sympy.sympify(base)
    if x.is_Rational and base.is_Rational and x != 1:
        exponents, of_base = sympy.factorrat(x), sympy.factorrat(base)
        ratios = {Fraction(e, of_base.get(p, 0) or 1) for p, e in exponents.items()}
        if exponents.keys() == of_base.keys() and len(ratios) == 1:
            return ratios.pop()
    return _simple(sympy.expand_log(sympy.log(x) / sympy.log(base), force=True))


def _simple(x: sympy.Expr) -> Any:
    return Fraction(int(x.p), int(x.q)) if x.is_Rational else x


def bindings(each: Each, world: World) -> Iterator[dict[str, Any]]:
    """Yield the names that a sum binds, one after the other."""
    if each.kind == "all":
        yield from lookup(world, f"each {each.name}")
    elif each.kind == "in":
        yield from ({each.name: x} for x in evaluate(_node(each.first), world))
    else:
        first, last = (evaluate(_node(x), world) for x in (each.first, each.last))
        if first != int(first) or last != int(last):
            raise UndefinedError(f"a range from {first} to {last}")
        yield from ({each.name: Fraction(i)} for i in range(int(first), int(last) + 1))


def _node(node: Node | None) -> Node:
    assert node is not None
    return node


def _over(node: Over, world: World) -> Any:
    values = [evaluate(node.body, {**world, **bound}) for bound in bindings(node.each, world)]
    if node.operator == "sum":
        return sum(values, Fraction(0))
    if node.operator == "product":
        return prod(values, start=Fraction(1))
    return _extreme_of(node.operator, values)


def _extreme_of(which: str, values: Sequence[Any]) -> Any:
    if not values:
        raise UndefinedError(f"the {which} of nothing")
    return {"max": max, "min": min}[which](values)


def _extreme(node: Extreme, world: World) -> Any:
    values = [evaluate(x, world) for x in filled(node.arguments, world)]
    of_set = len(values) == 1 and isinstance(values[0], tuple)
    return _extreme_of(node.operator, values[0] if of_set else values)


def _listed(node: Listed, world: World) -> tuple[Any, ...]:
    return tuple(evaluate(x, world) for x in filled(node.elements, world))


def _selected(node: Selected, world: World) -> tuple[Any, ...]:
    each = Each(node.name, "in" if node.items else "all", node.items)
    chosen = (x for x in bindings(each, world) if holds(node.condition, {**world, **x}))
    return tuple(x[node.name] for x in chosen)


def _continued(node: Continued, world: World) -> Any:
    summands = filled((node.first, Dots(), node.last), world)
    return sum((evaluate(x, world) for x in summands), Fraction(0))


def filled(elements: Sequence[Node], world: World) -> list[Node]:
    """Elements without dots: those between two that differ in one number."""
    if Dots() not in elements:
        return list(elements)
    at = elements.index(Dots())
    before, after = elements[:at], elements[at + 1 :]
    if not before or not after:
        raise UndefinedError("no element on a side of the dots")
    neighbours = before[-2:] if len(before) > 1 else after[:2]
    step = Fraction(1)
    if len(neighbours) > 1:
        low, high = differing(*neighbours)
        step = evaluate(high, world) - evaluate(low, world)
    template = before[0]
    first, last = differing(template, after[-1])
    begin, end = evaluate(first, world), evaluate(last, world)
    size = (end - begin) / step + 1 if step else Fraction(1, 2)
    if size.denominator != 1:
        raise UndefinedError("no step leads from the first element to the last")
    return [replaced(template, first, Literal(begin + step * j)) for j in range(max(0, int(size)))]


def differing(a: Node, b: Node) -> tuple[Node, Node]:
    """The least parts of two expressions that are not the same."""
    if type(a) is type(b) and not isinstance(a, Literal):
        pairs = [
            (x, y)
            for f in fields(a)
            if f.name != "text"
            for x, y in zip(_parts(getattr(a, f.name)), _parts(getattr(b, f.name)), strict=False)
            if x != y
        ]
        if len(pairs) == 1 and all(isinstance(x, Node) for x in pairs[0]):
            return differing(*pairs[0])
    return a, b


def _parts(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


def replaced(node: Any, old: Node, new: Node) -> Any:
    """An expression with a part replaced."""
    if node == old:
        return new
    if isinstance(node, tuple):
        return tuple(replaced(x, old, new) for x in node)
    if is_dataclass(node) and not isinstance(node, type):
        own = {f.name: replaced(getattr(node, f.name), old, new) for f in fields(node)}
        if isinstance(node, Name) and own != vars(node):
            own["text"] = ""  # the number of an element, not the name of a symbol
        return type(node)(**own)
    return node


def _cases(node: Cases, world: World) -> Any:
    rows = [(x, condition) for x, condition in node.rows if condition != Logic("otherwise")]
    values = [evaluate(x, world) for x, condition in rows if holds(condition, world)]
    if not values:
        values = [evaluate(x, world) for x, condition in node.rows if (x, condition) not in rows]
    if not values:
        raise UndefinedError("no case holds")
    if not all(same(x, values[0]) for x in values):
        raise UndefinedError(f"two cases hold, with the values {values}")
    return values[0]


RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda a, b: a in b,
}  # fmt: skip


def same(a: Any, b: Any) -> bool:
    """True for equal numbers, and for sequences of them."""
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        pairs = isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and len(a) == len(b)
        return pairs and all(same(x, y) for x, y in zip(a, b, strict=True))
    if a != b and (isinstance(a, sympy.Expr) or isinstance(b, sympy.Expr)):
        return equal(a, b)
    return bool(a == b)


RELATIONS["="] = same
RELATIONS["!="] = lambda a, b: not same(a, b)


def difference(node: Node, world: World) -> str | None:
    """Return the values at which a statement is false in a world, None where it is true."""
    if isinstance(node, Chain):
        values = [evaluate(x, world) for x in filled(node.operands, world)]
        relations = node.relations
        if Dots() in node.operands:
            if len(set(relations)) > 1:
                raise UndefinedError("the relations beside the dots differ")
            relations = relations[:1] * (len(values) - 1)
        pairs = zip(relations, pairwise(values), strict=True)
        for relation, (left, right) in pairs:
            if not RELATIONS[relation](left, right):
                return f"{shown(left)} {relation} {shown(right)} is false"
        return None
    return None if _logic(node, world) else "the statement is false"


def shown(x: Any) -> str:
    """A number, or a sequence of them, as text."""
    return f"<{', '.join(map(shown, x))}>" if isinstance(x, (list, tuple)) else str(x)


def holds(node: Node, world: World) -> bool:
    """Return True where a statement is true in a world."""
    return difference(node, world) is None


def _logic(node: Node, world: World) -> bool:
    match node:
        case Logic("and", parts):
            return all(holds(x, world) for x in parts)
        case Logic("or", parts):
            return any(holds(x, world) for x in parts)
        case Logic("implies", (condition, consequence)):
            return not holds(condition, world) or holds(consequence, world)
        case Logic("for", _, word):
            return bool(word == lookup(world, "for"))
    raise TypeError(f"no statement: {node}")


def discrepancy(statements: Sequence[Node], world: World) -> str | None:
    """Return why the statements of a formula are not true in a world, None where they are.

    A domain, i = 1, ..., n, is that of the statements before it; "last i" of a world is its end.
    A statement that says what a name is that the world "defines" is not held against anything. An
    expression alone has the "value" of the world; several are the elements of a list that it is.
    """
    domains = [x.each for x in statements if isinstance(x, Domain)]
    try:
        worlds = [_completed(statements, world)]
        for each in domains:
            bound = list(bindings(each, world))
            size = world.get(f"last {each.name}")
            if size is not None and len(bound) != size:
                return f"{each.name} has {len(bound)} values, and not {size}"
            worlds = [{**own, **x} for own in worlds for x in bound]
        for own in worlds:
            why = next(filter(None, (difference(x, own) for x in statements if _is_claim(x))), None)
            if why or (why := _other_value(statements, own)):
                return why
    except (UndefinedError, LookupError) as error:
        return f"undefined: {error}"
    return None


def defined(left: Node) -> str:
    r"""The name that a definition has on its left: "N", or "\sigma^2"."""
    match left:
        case Name(text):
            return text
        case Arithmetic("^", Name(text), Literal(exponent)):
            return f"{text}^{exponent}"
    return ""


def _completed(statements: Sequence[Node], world: World) -> World:
    """A world with what the statements define."""
    for statement in statements:
        match statement:
            case Chain(("=",), (left, value)) if defined(left) in world.get("defines", ()):
                world = {**world, defined(left): evaluate(value, world)}
    return world


def attained(statements: Sequence[Node], worlds: Sequence[World]) -> str | None:
    """Return which relation that admits equality is strict in all worlds, None where none is."""
    for statement in statements:
        if isinstance(statement, Chain):
            for i, relation in enumerate(statement.relations):
                pair = statement.operands[i : i + 2]
                if relation in ("<=", ">=") and not any(
                    same(*(evaluate(x, world) for x in pair)) for world in worlds
                ):
                    return f"the {relation} no. {i + 1} is strict in all worlds"
    return None


def _is_claim(statement: Node) -> bool:
    return isinstance(statement, (Chain, Logic))


def _other_value(statements: Sequence[Node], world: World) -> str | None:
    """Return what a formula that is no claim is, where that is not the value of the world."""
    listed = [x for x in statements if not _is_claim(x) and not isinstance(x, Domain)]
    if not listed:
        return None
    there = [x for x in listed if not isinstance(x, Present) or holds(x.condition, world)]
    values = [evaluate(x.element if isinstance(x, Present) else x, world) for x in there]
    found, expected = values[0] if len(listed) == 1 else values, lookup(world, "value")
    return None if same(found, expected) else f"{shown(found)} is not {shown(expected)}"


_RULES: dict[type, Callable[[Any, World], Any]] = {
    Literal: _literal, Name: _name, Cut: _cut, Apply: _apply, Mean: _mean, Unary: _unary,
    Arithmetic: _arithmetic, Logarithm: _logarithm, Over: _over, Extreme: _extreme,
    Continued: _continued, Selected: _selected, Listed: _listed, Cases: _cases,
    Chain: holds, Logic: holds,
}  # fmt: skip
