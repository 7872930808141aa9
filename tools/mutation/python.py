"""The places of a Python file: its syntax tree says where they are, and what may stand there."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate, pairwise

from .places import OPERATORS, Place

OTHER = {"min": "max", "max": "min"}
Change = tuple[int, int, tuple[str, ...]]


def places(text: str) -> list[Place]:
    """Return the places of a module, none of them in documentation, types or assertions."""
    return list(_Reader(text).below(ast.parse(text), 0))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.rows = [f"{row}\n" for row in text.split("\n")]
        self.begins = [0, *accumulate(map(len, self.rows))]
        self.tokens = [
            (self.begins[token.start[0] - 1] + token.start[1], token.string)
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
        ]

    def below(self, node: ast.AST, statement: int) -> Iterator[Place]:
        """Yield the places of a node and of all below it."""
        if isinstance(node, ast.stmt):
            statement = self.span(node)[0]
        for start, end, replacements in self.changes(node):
            yield Place(start, end, replacements, statement)
        for child in _children(node):
            yield from self.below(child, statement)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end = self._position(node.end_lineno or 0, node.end_col_offset or 0)
        return self._position(node.lineno, node.col_offset), end

    def _position(self, line: int, column: int) -> int:
        """Return the position of a column, which the tree counts in bytes."""
        return self.begins[line - 1] + len(self.rows[line - 1].encode()[:column].decode())

    def operator(self, begin: int, end: int) -> Iterator[Change]:
        """Yield the operator between two operands; it may be of two words."""
        first, last = (bisect_left(self.tokens, (x, "")) for x in (begin, end))
        words = [(at, x) for at, x in self.tokens[first:last] if x in OPERATORS or x == "not"]
        name = " ".join(x for _, x in words)
        if name in OPERATORS:
            yield words[0][0], words[-1][0] + len(words[-1][1]), OPERATORS[name]

    def changes(self, node: ast.AST) -> Iterator[Change]:  # noqa: C901, PLR0912 - a list of kinds
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return
            case ast.Compare():
                operands = [node.left, *node.comparators]
                for left, right in pairwise(operands):
                    yield from self.operator(self.span(left)[1], self.span(right)[0])
                    for x in (left, right):
                        if isinstance(x, ast.Constant) and isinstance(x.value, str):
                            yield *self.span(x), (repr(f"{x.value}?"),)
            case ast.BinOp():
                yield from self.operator(self.span(node.left)[1], self.span(node.right)[0])
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield from self.operator(self.span(left)[1], self.span(right)[0])
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                start = self.span(node)[0]
                yield start, start + (3 if isinstance(node.op, ast.Not) else 1), ("",)
            case ast.Constant(value=bool() | int() | float() as x):
                yield *self.span(node), (repr(not x if isinstance(x, bool) else x + 1),)
            case ast.MatchValue(value=ast.Constant(value=str() as x)):
                yield *self.span(node.value), (repr(f"{x}?"),)
            case ast.Return(value=ast.expr() as x) if ast.unparse(x) != "None":
                yield *self.span(x), ("None",)
            case ast.Call(func=ast.Name(id="min" | "max" as name)):
                yield *self.span(node.func), (OTHER[name],)
            case ast.Slice():
                for bound in (node.lower, node.upper):
                    if bound and not isinstance(bound, ast.Constant):
                        start, end = self.span(bound)
                        yield start, end, (f"({self.text[start:end]}) + 1",)
            case ast.Raise() | ast.Expr(value=ast.Call()):
                yield *self.span(node), ("pass",)
            case ast.AugAssign():
                yield *self.span(node), ("pass",)
                yield from self.operator(self.span(node.target)[1], self.span(node.value)[0])
            case ast.Continue():
                yield *self.span(node), ("break",)
            case ast.If() | ast.IfExp():
                yield *self.span(node.test), ("True", "False")
            case ast.While() if not isinstance(node.test, ast.Constant):
                yield *self.span(node.test), ("False",)
            case ast.comprehension():
                for x in node.ifs:
                    yield *self.span(x), ("True",)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands below a node and is computed."""
    match node:
        case ast.Assert() | ast.JoinedStr() | ast.Expr(value=ast.Constant()):
            return
        case ast.Assign(targets=[ast.Name(id="__all__" | "TYPE_CHECKING")]):
            return
        case ast.keyword(arg="strict"):  # of zip: no test can tell, where all is well
            return
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from node.orelse
            return
    for name, below in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            yield from (x for x in (below if isinstance(below, list) else [below])
                        if isinstance(x, ast.AST))  # fmt: skip
