"""Small changes of a formula, each of which should change what it says.

A change is made where a token stands, so that the rest of the TeX is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .tex import FRACTIONS, Token, tokens_of

SWAPS: dict[str, tuple[str, ...]] = {
    "+": ("-",),
    "-": ("+",),
    r"\cdot": ("+",),
    "<": (">", r"\le "),
    ">": ("<", r"\ge "),
    r"\le": (r"\ge ", "<"),
    r"\ge": (r"\le ", ">"),
    r"\ne": ("=",),
    r"\sum": (r"\prod ",),
    r"\prod": (r"\sum ",),
    r"\max": (r"\min ",),
    r"\min": (r"\max ",),
}


@dataclass(frozen=True)
class Mutant:
    """A formula with a change, and the change in words."""

    change: str
    tex: str


def mutants(tex: str) -> Iterator[Mutant]:
    """Return the changes of a formula: of each number, sign, operator, end of a sum, relation."""
    tokens = tokens_of(tex)
    for i, token in enumerate(tokens):
        if token.kind == "digit":
            yield _changed(tex, token, str((int(token.text) + 1) % 10))
        for text in SWAPS.get(token.text, ()):
            if not (token.text == "-" and _is_sign(tokens, i)):
                yield _changed(tex, token, text)
    yield from _ends_of_sums(tex, tokens)
    yield from _turned_fractions(tex, tokens)
    yield from _next_indices(tex)


def _changed(tex: str, token: Token, new: str) -> Mutant:
    return _replaced(tex, token.at, token.at + len(token.text), new)


def _replaced(tex: str, begin: int, end: int, new: str) -> Mutant:
    change = (
        f"{tex[max(0, begin - 12) : begin]}[{tex[begin:end]} -> {new.strip()}]{tex[end : end + 12]}"
    )
    return Mutant(" ".join(change.split()), tex[:begin] + new + tex[end:])


def _is_sign(tokens: list[Token], i: int) -> bool:
    """True for the minus of a number below 0, which would become a plus of nothing."""
    return i == 0 or tokens[i - 1].text in ("{", "(", "&", "^")


def _ends_of_sums(tex: str, tokens: list[Token]) -> Iterator[Mutant]:
    """The upper end of a sum, one less."""
    for i, token in enumerate(tokens):
        if token.text in (r"\sum", r"\prod"):
            below = _group(tokens, i + 2)
            if tokens[below].text == "^" and tokens[below + 1].text == "{":
                end = tokens[_group(tokens, below + 1) - 1].at
                yield _replaced(tex, end, end, " - 1")


def _group(tokens: list[Token], i: int) -> int:
    """The index behind a group in braces, or behind one token."""
    if tokens[i].text != "{":
        return i + 1
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(tokens[i].text, 0)
        i += 1
        if depth == 0:
            return i


def _turned_fractions(tex: str, tokens: list[Token]) -> Iterator[Mutant]:
    """Numerators and denominators, exchanged."""
    for i, token in enumerate(tokens):
        if token.text in FRACTIONS:
            middle = _group(tokens, i + 1)
            begin, end = tokens[i + 1].at, tokens[_group(tokens, middle) - 1]
            above = tex[begin : tokens[middle].at].strip()
            below = tex[tokens[middle].at : end.at + len(end.text)].strip()
            if above.strip("{}") != below.strip("{}"):
                above, below = (x if x.startswith("{") else f"{{{x}}}" for x in (above, below))
                yield _replaced(tex, begin, end.at + len(end.text), f" {below}{above}")


def _next_indices(tex: str) -> Iterator[Mutant]:
    """The indices (i), [i] and _i and the cut-offs @k, one more; a last index, one less."""
    for match in re.finditer(r"(?<=[(\[])[a-z](?=[)\]])", tex):
        yield _replaced(tex, match.end(), match.end(), " + 1")
    for match in re.finditer(r"_\{\((\|J\||\\min\([^()]*\))\)\}", tex):
        yield _replaced(tex, match.end(1), match.end(1), " - 1")
    for match in re.finditer(r"_([a-z])(?![a-zA-Z}])", tex):
        yield _replaced(tex, match.start(1), match.end(), f"{{{match[1]} + 1}}")
    for match in re.finditer(r"@([a-zA-Z])(?![a-zA-Z_])", tex):
        yield _replaced(tex, match.start(1), match.end(), f"({match[1]} + 1)")
