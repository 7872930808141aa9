"""The places of a C file: its tokens, within the bodies of functions, say where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .places import OPERATORS, Place

TOKEN = re.compile(
    r"""(?P<skipped>/\*.*?\*/ | //[^\n]* | ^[ \t]*\#(?:/\*.*?\*/|\\\n|[^\n])*)
      | (?P<text>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<number>\.?\d(?:[eEpP][-+]|[\w.])*)
      | (?P<operator><<=|>>=|[-+*/%&|^=<>!]=|&&|\|\||<<|>>|->|\+\+|--|\S)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
OTHER = {"true": "false", "false": "true", "rs_min": "rs_max", "rs_max": "rs_min"}
WHOLE = re.compile(r"(0[xX][\da-fA-F]+|\d+)([uUlL]*)$")
KEYWORDS = {"if", "for", "while", "do", "switch", "case", "default", "else"}
ASSIGNED = {"=", *(name for name in OPERATORS if name.endswith("=") and name[0] not in "=!<>")}
ASSIGNED |= {"<<=", ">>="}


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def places(text: str) -> list[Place]:
    """Return the places of a file in the bodies of its functions."""
    tokens = [
        _Token(str(x.lastgroup), x.group(), x.start(), x.end())
        for x in TOKEN.finditer(text)
        if x.lastgroup != "skipped"
    ]
    return [place for body in _bodies(tokens) for place in _of_body(text, body)]


def _bodies(tokens: list[_Token]) -> Iterator[list[_Token]]:
    """Yield the tokens of each function, with its braces."""
    depth, begin, in_function = 0, 0, False
    for i, token in enumerate(tokens):
        if token.text == "{":
            if depth == 0:
                begin, in_function = i, tokens[i - 1].text == ")"
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0 and in_function:
                yield tokens[begin : i + 1]


def _of_body(text: str, body: list[_Token]) -> Iterator[Place]:
    partner = _parentheses(body)
    statement, depth = body[0].start, 0  # of the statement that a token is in, and of parentheses
    for i, token in enumerate(body[1:-1], 1):
        before = body[i - 1]
        depth += (before.text == "(") - (before.text == ")")
        controlled = before.text == ")" and body[partner[i - 1] - 1].text in ("if", "for", "while")
        if depth == 0 and (controlled or before.text in ("{", "}", ";", "else")):
            statement = token.start
            if end := _removable(body, i, partner):
                yield Place(token.start, end, (";",), statement)
        if replacements := _replacements(text, before, token):
            yield Place(token.start, token.end, replacements, statement)
        if token.text in ("if", "while"):
            last = body[partner[i + 1] - 1]
            yield Place(
                body[i + 2].start, last.end, ("0", "1")[: 1 + (token.text == "if")], statement
            )


def _parentheses(body: list[_Token]) -> dict[int, int]:
    """Return where each parenthesis closes, or where it opens."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(body):
        if token.text == "(":
            opened.append(i)
        elif token.text == ")":
            partner[i] = opened.pop()
            partner[partner[i]] = i
    return partner


def _replacements(text: str, before: _Token, token: _Token) -> tuple[str, ...]:
    """Return what may stand in place of one token."""
    # Within brackets it may be the size of an array, and {0} clears a structure.
    if token.kind == "number" and before.text not in "[{" and (number := WHOLE.match(token.text)):
        write = hex if number[1].lower().startswith("0x") else str
        return (write(int(number[1], 0) + 1) + number[2],)
    if token.kind == "name":
        return (OTHER[token.text],) if token.text in OTHER else ()
    if token.text == "!":
        return ("",)
    # A binary operator has a space on either side here, which a pointer or a sign has not.
    around = text[token.start - 1] + text[token.end]
    return OPERATORS.get(token.text, ()) if around.isspace() else ()


def _removable(body: list[_Token], i: int, partner: dict[int, int]) -> int | None:
    """Return where the statement at i ends, if it is a call, an assignment or a return.

    The return that ends a function stays: without it, nothing is defined.
    """
    end = next((j for j in range(i, len(body)) if body[j].text in (";", "{", "}")), len(body) - 1)
    words = body[i:end]
    if body[end].text != ";" or not words or words[0].text in KEYWORDS:
        return None
    if words[0].text == "return":
        return body[end].end if end + 2 < len(body) else None
    sets = next((j for j, x in enumerate(words) if x.text in ASSIGNED), 0)
    declares = any(x.kind == y.kind == "name" for x, y in pairwise(words[:sets]))
    declares |= sets > 2 and words[1].text == "*"
    is_call = words[0].kind == "name" and partner.get(i + 1) == end - 1
    return body[end].end if is_call or (sets and not declares) else None
