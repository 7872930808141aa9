r"""The formulas of the spec as expressions: a parser of the TeX that its displays use.

    statements   statement {("," | "\qquad" | "\text{with}") statement}
    statement    chain | chain "\implies" chain | name "=" first ", \dots ," last
    chain        sum {relation sum}
    sum          ["-"] quotient {("+" | "-" | "+ \dots +") quotient}
    quotient     product {("\big/" | "\Bigm/") product}
    product      factor {["\cdot" | "/"] factor}
    factor       primary {"!"} ["^" script]

The body of a sum, a product or a maximum is the product that follows. A name is applied to what
stands in brackets behind it if it is a function, which the reader of a formula knows; so does
`parse`, by the names of the functions. "DCG@k" is a function of its cut-off, and a subscript that
is no part of a name is an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial


class FormulaError(Exception):
    """The part of a formula that cannot be read, and its place."""

    def __init__(self, message: str, tex: str, at: int) -> None:
        super().__init__(f"{message} at position {at}: {tex[at : at + 40]!r}")
        self.at = at


@dataclass(frozen=True)
class Node:
    """A part of a formula."""


@dataclass(frozen=True)
class Literal(Node):
    value: Fraction


@dataclass(frozen=True)
class Name(Node):
    """A symbol; "N_p" has the base "N", the subscript p, and the text "N_p"."""

    text: str
    base: str = ""
    subscript: Node | None = None


@dataclass(frozen=True)
class Cut(Node):
    """A metric at a cut-off: DCG@k."""

    name: str
    cutoff: Node


@dataclass(frozen=True)
class Apply(Node):
    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Mean(Node):
    """An operator over the orders of a list: E[DCG@k]."""

    name: str
    body: Node


@dataclass(frozen=True)
class Arithmetic(Node):
    """Two operands of +, -, *, /, ^ or "choose"."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Unary(Node):
    """One operand of "-", "!", "|" or a root."""

    operator: str
    operand: Node


@dataclass(frozen=True)
class Logarithm(Node):
    """A logarithm to a base; None: the natural one."""

    base: Node | None
    argument: Node


@dataclass(frozen=True)
class Each(Node):
    """The range of a sum: from `first` to `last`, the items of `first`, or all there are."""

    name: str
    kind: str  # "range", "in", "all"
    first: Node | None = None
    last: Node | None = None


@dataclass(frozen=True)
class Over(Node):
    r"""\sum, \prod, \max or \min over what a name runs over."""

    operator: str
    each: Each
    body: Node


@dataclass(frozen=True)
class Extreme(Node):
    operator: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Dots(Node):
    """The dots for the elements between their neighbours."""


@dataclass(frozen=True)
class Continued(Node):
    """A sum with dots: R_1 + ... + R_n."""

    first: Node
    last: Node


@dataclass(frozen=True)
class Listed(Node):
    """⟨x, y, ...⟩, {x, y}, or a point (x, y)."""

    elements: tuple[Node, ...]


@dataclass(frozen=True)
class Selected(Node):
    """{x in S : ...}, or {x : ...} of all that there are."""

    name: str
    items: Node | None
    condition: Node


@dataclass(frozen=True)
class Present(Node):
    """An element of a list that is there where a condition holds."""

    element: Node
    condition: Node


@dataclass(frozen=True)
class Cases(Node):
    rows: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True)
class Chain(Node):
    """Relations between neighbours: a > b = c."""

    relations: tuple[str, ...]
    operands: tuple[Node, ...]


@dataclass(frozen=True)
class Logic(Node):
    """Statements joined by "and", "or" or "implies"; "otherwise" has none, "for" a word."""

    operator: str
    operands: tuple[Node, ...] = ()
    word: str = ""


@dataclass(frozen=True)
class Domain(Node):
    """i = 1, ..., n: the statements before it hold for each of these."""

    each: Each


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    at: int = field(compare=False)


TOKEN = re.compile(
    r"(?P<space>\s+|\\[,;:!\ ]|~|\\displaystyle\b|\\[bB]igg?[lr]\b|\\left\b|\\right\b)"
    r"|(?P<break>\\\\(\[[^\]]*\])?)"
    r"|(?P<over>\\[bB]igm?\s*/)"
    r"|(?P<environment>\\(begin|end)\{\w+\})"
    r"|(?P<word>\\text\{[^}]*\})"
    r"|(?P<option>\\texttt\{[^}]*\})"
    r"|(?P<name>\\(mathrm|mathit|operatorname)\{[^}]*\}|\\bar\s*[a-z])"
    r"|(?P<command>\\[A-Za-z]+|\\[{}])"
    r"|(?P<digit>\d)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<symbol>[-+=<>()\[\]{}|/!,:^_@&'.*])"
)
RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">=", r"\ne": "!=", r"\in": "in",
}  # fmt: skip
SEPARATORS = (r"\qquad", r"\quad")
GREEK = {
    rf"\{x}" for x in (
        "alpha", "beta", "delta", "lambda", "pi", "rho", "sigma", "varphi", "Delta", "mu", "gamma",
        "theta", "ell",
    )
}  # fmt: skip
FRACTIONS = (r"\frac", r"\dfrac", r"\tfrac")
BIG = {r"\sum": "sum", r"\prod": "product"}
EXTREMES = {r"\max": "max", r"\min": "min"}
BARS = {r"\lvert": r"\rvert", "|": "|"}


def tokens_of(tex: str) -> list[Token]:
    """The tokens of a formula, without spaces; the rows of aligned statements end in commas."""
    tokens, at, aligned = [], 0, False
    while at < len(tex):
        match = TOKEN.match(tex, at)
        if match is None:
            raise FormulaError("no token of a formula", tex, at)
        token = Token(match.lastgroup or "", match[0], at)
        at = match.end()
        if "{aligned}" in token.text:
            aligned = token.text.startswith(r"\begin")
        elif aligned and token.kind == "break":
            tokens.append(Token("symbol", ",", token.at))
        elif token.kind != "space" and not (aligned and token.text == "&"):
            tokens.append(token)
    return [*tokens, Token("end", "", len(tex))]


def parse(tex: str, functions: Collection[str] = ()) -> list[Node]:
    """Return the statements of a formula.

    functions: the names that are applied to what is in brackets behind them: "g"; "r_()" with any
        subscript, "nDCG@()" at any cut-off
    """
    parser = _Parser(tex, functions)
    statements = parser.statements()
    parser.expect_end()
    return statements


class _Parser:
    def __init__(self, tex: str, functions: Collection[str]) -> None:
        self.tex, self.functions = tex, functions
        self.tokens, self.position, self.open_bars = tokens_of(tex), 0, 0
        self.rules: dict[str, Callable[[], Node]] = {
            "(": self.group, "[": self.group, "|": self.bars, r"\lvert": self.bars,
            r"\langle": self.sequence, r"\{": self.collection, r"\sqrt": self.root,
            r"\log": self.logarithm, r"\ln": self.natural_logarithm, r"\begin{cases}": self.cases,
            r"\underbrace": self.present, r"\binom": partial(self.pair, "choose"),
            **dict.fromkeys(FRACTIONS, partial(self.pair, "/")),
        }  # fmt: skip

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        self.position += 1
        return self.tokens[self.position - 1]

    def accept(self, *texts: str) -> bool:
        if self.next.text in texts and self.next.kind != "end":
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.error(f"expected {text!r}")

    def expect_end(self) -> None:
        if self.next.kind != "end":
            raise self.error("no rule of a formula")

    def error(self, message: str) -> FormulaError:
        return FormulaError(message, self.tex, self.next.at)

    def word(self) -> str:
        r"""The text of a \text, without the spaces around it."""
        return self.next.text[6:-1].strip() if self.next.kind == "word" else ""

    # Statements

    def statements(self) -> list[Node]:
        found = [self.statement()]
        while self.separated():
            found.append(self.statement())
        self.accept(",", ".")
        return found

    def separated(self) -> bool:
        begin = self.position
        while self.accept(",", *SEPARATORS) or self.word() == "with":
            self.position += self.word() == "with"
        if self.next.kind == "end":
            self.position = begin
        return self.position > begin

    def statement(self) -> Node:
        chain = self.chain()
        if self.accept(r"\implies"):
            return Logic("implies", (chain, self.chain()))
        return self.domain(chain) or chain

    def domain(self, chain: Node) -> Node | None:
        match chain:
            case Chain(("=",), (Name(text), first)) if self.next.text == ",":
                begin = self.position
                self.take()
                if self.accept(r"\dots"):
                    self.expect(",")
                    return Domain(Each(text, "range", first, self.sum()))
                self.position = begin
        return None

    def chain(self) -> Node:
        operands, relations = [self.sum()], []
        while self.next.text in RELATIONS:
            relations.append(RELATIONS[self.take().text])
            operands.append(Dots() if self.accept(r"\dots") else self.sum())
        return Chain(tuple(relations), tuple(operands)) if relations else operands[0]

    # Arithmetic

    def sum(self) -> Node:
        total: Node = Unary("-", self.quotient()) if self.accept("-") else self.quotient()
        while self.next.text in ("+", "-"):
            operator = self.take().text
            if operator == "+" and self.accept(r"\dots"):
                self.expect("+")
                total = self.continued(total, self.quotient())
            else:
                total = Arithmetic(operator, total, self.quotient())
        return total

    def continued(self, total: Node, last: Node) -> Node:
        """A sum of which the last summand goes on, with dots, to another."""
        match total:
            case Arithmetic("+", others, first):
                return Arithmetic("+", others, Continued(first, last))
        return Continued(total, last)

    def quotient(self) -> Node:
        value = self.product()
        while self.next.kind == "over":
            self.take()
            value = Arithmetic("/", value, self.product())
        return value

    def product(self) -> Node:
        value, divided = self.factor(), False
        while True:
            if self.accept("/"):
                value, divided = Arithmetic("/", value, self.factor()), True
            elif self.accept(r"\cdot"):
                value = Arithmetic("*", value, self.factor())
            elif self.begins_factor():
                if divided:
                    raise self.error("a factor behind a quotient, which can be read in two ways,")
                value = Arithmetic("*", value, self.factor())
            else:
                return value

    def begins_factor(self) -> bool:
        token = self.next
        if token.kind in ("digit", "letter", "name"):
            return True
        if token.kind == "word":
            return self.word() not in ("if", "and", "or", "for", "with", "otherwise", "else")
        if token.text == "|":
            return not self.open_bars
        return token.text in {*self.rules, *BIG, *EXTREMES, *GREEK}

    def factor(self) -> Node:
        value = self.primary()
        while self.accept("!"):
            value = Unary("!", value)
        if self.accept("^"):
            value = Arithmetic("^", value, self.script())
        return value

    def script(self) -> Node:
        r"""What a ^, a _ or a \frac has: a group in braces, or one token."""
        if self.accept("{"):
            value = self.listed("}")
            return value[0] if len(value) == 1 else Listed(tuple(value))
        token = self.next
        if token.kind == "digit":
            return Literal(Fraction(self.take().text))
        if token.kind in ("letter", "name") or token.text in GREEK:
            return Name(name_of(self.take()))
        raise self.error("expected a group in braces or one token")

    def listed(self, end: str) -> list[Node]:
        """The elements of a list, up to its end."""
        elements: list[Node] = []
        while not self.accept(end):
            elements.append(Dots() if self.accept(r"\dots") else self.chain())
            if self.next.text != end:
                self.expect(",")
        return elements

    def primary(self) -> Node:
        token = self.next
        if token.kind == "digit":
            return self.literal()
        if token.text in BIG:
            return self.over(BIG[self.take().text])
        if token.text in EXTREMES:
            return self.extreme(EXTREMES[self.take().text])
        if token.text in self.rules:
            return self.rules[token.text]()
        if token.kind in ("letter", "name", "word") or token.text in GREEK:
            return self.applied(self.name())
        raise self.error("expected a number, a name or a group")

    def pair(self, operator: str) -> Node:
        """A fraction, or a binomial coefficient: two scripts behind a command."""
        self.take()
        return Arithmetic(operator, self.script(), self.script())

    def literal(self) -> Node:
        digits = self.take()
        text, end = digits.text, digits.at + 1
        while self.next.kind == "digit" and self.next.at == end:
            text, end = text + self.take().text, end + 1
        return Literal(Fraction(text))

    def group(self) -> Node:
        elements = self.listed({"(": ")", "[": "]"}[self.take().text])
        return elements[0] if len(elements) == 1 else Listed(tuple(elements))

    def bars(self) -> Node:
        end = BARS[self.take().text]
        self.open_bars += 1
        value = self.sum()
        self.open_bars -= 1
        self.expect(end)
        return Unary("|", value)

    def sequence(self) -> Node:
        self.expect(r"\langle")
        return Listed(tuple(self.listed(r"\rangle")))

    def collection(self) -> Node:
        self.expect(r"\{")
        match self.chain():
            case Name(text):
                name, items = text, None
            case Chain(("in",), (Name(text), found)):
                name, items = text, found
            case _:
                raise self.error("expected a name in braces before what stands")
        self.expect(":")
        condition = self.alternatives()
        self.expect(r"\}")
        return Selected(name, items, condition)

    def present(self) -> Node:
        self.expect(r"\underbrace")
        element = self.script()
        self.expect("_")
        self.expect("{")
        condition = self.condition()
        self.expect("}")
        return Present(element, condition)

    def root(self) -> Node:
        self.expect(r"\sqrt")
        return Unary("root", self.script())

    def natural_logarithm(self) -> Node:
        self.expect(r"\ln")
        return Logarithm(None, self.factor())

    def logarithm(self) -> Node:
        self.expect(r"\log")
        self.expect("_")
        return Logarithm(self.script(), self.factor())

    # Sums

    def over(self, operator: str) -> Node:
        self.expect("_")
        each = self.each()
        if self.accept("^"):
            each = Each(each.name, each.kind, each.first, self.script())
        if each.kind == "range" and each.last is None:
            raise self.error(f"the {operator} has no upper end, expected")
        return Over(operator, each, self.product())

    def each(self) -> Each:
        """Read the range below a sum."""
        if not self.accept("{"):
            return Each(name_of(self.take()), "all")
        chain = self.chain()
        self.expect("}")
        match chain:
            case Name(text):
                return Each(text, "all")
            case Chain(("=",), (Name(text), first)):
                return Each(text, "range", first)
            case Chain(("in",), (Name(text), items)):
                return Each(text, "in", items)
            case Chain(("<=", "<="), (first, Name(text), last)):
                return Each(text, "range", first, last)
        raise self.error("expected what a sum runs over before what stands")

    def extreme(self, operator: str) -> Node:
        if self.accept("_"):
            return Over(operator, self.each(), self.product())
        if self.accept("("):
            return Extreme(operator, tuple(self.listed(")")))
        if self.next.text == r"\{":
            return Extreme(operator, (self.collection(),))
        raise self.error("expected numbers in brackets")

    # Names

    def name(self) -> Node:
        token = self.take()
        text = name_of(token)
        while self.accept("'"):
            text += "'"
        if self.next.text == "^" and self.tokens[self.position + 1].text in ("*", "+"):
            self.take()
            text += "^" + self.take().text
        if [x.text for x in self.tokens[self.position :][:3]] == ["^", "{", "("]:
            end = self.position + 6  # H^{(2)}
            text += "".join(x.text for x in self.tokens[self.position : end])
            self.position = end
        if self.accept("_"):
            subscript, label = self.subscript(text)
            if self.next.text != "@":
                return Name(label, text, subscript)
            text = label
        if self.accept("@"):
            return Cut(text, self.cutoff())
        return Name(text)

    def subscript(self, name: str) -> tuple[Node, str]:
        """A subscript, and the name with it: "N_p"."""
        begin = self.position
        subscript = self.script()
        if isinstance(subscript, Name):
            return subscript, f"{name}_{subscript.text}"
        written = "".join(token.text for token in self.tokens[begin : self.position])
        return subscript, f"{name}_{written.removeprefix('{').removesuffix('}')}"

    def cutoff(self) -> Node:
        if self.next.text in EXTREMES:
            return self.extreme(EXTREMES[self.take().text])
        if self.next.kind == "digit":
            return self.literal()
        if self.next.text == "(":
            return self.group()
        token = self.take()
        text = name_of(token)
        while self.accept("'"):
            text += "'"
        if self.accept("_"):
            subscript, label = self.subscript(text)
            return Name(label, text, subscript)
        return Name(text)

    def applied(self, name: Node) -> Node:
        """A name with what it is applied to."""
        match name:
            case Name(text) if self.next.text == "[" and f"{text}[]" in self.functions:
                self.take()
                body = self.chain()
                self.expect("]")
                return Mean(text, body)
            case Name(text) if self.next.text == r"\lvert" and f"{text}[]" in self.functions:
                return Mean(text, self.bars())
            case Name(text, base, None):
                key = text
            case Name(text, base, _):
                key = text if text in self.functions else f"{base}_()"
            case Cut(text, _):
                key = f"{text}@()"
        value = name
        if key in self.functions and self.next.text in ("(", "["):
            value = Apply(value, self.arguments())
            while self.next.text == "[":
                value = Apply(value, self.arguments())
        return value

    def arguments(self) -> tuple[Node, ...]:
        end = {"(": ")", "[": "]"}[self.take().text]
        return tuple(self.listed(end))

    # Cases

    def cases(self) -> Node:
        self.expect(r"\begin{cases}")
        rows = []
        while not self.accept(r"\end{cases}"):
            value = self.sum()
            self.expect("&")
            rows.append((value, self.condition()))
            if self.next.kind == "break":
                self.take()
            elif self.next.text != r"\end{cases}":
                raise self.error("expected the end of a row")
        return Cases(tuple(rows))

    def condition(self) -> Node:
        word = self.word()
        if word not in ("if", "for", "otherwise", "else"):
            raise self.error('expected "if", "for" or "otherwise"')
        self.take()
        if word in ("otherwise", "else"):
            return Logic("otherwise")
        if word == "for":
            if self.next.kind != "option":
                raise self.error("expected the word of a parameter")
            return Logic("for", word=self.take().text[8:-1])
        return self.alternatives()

    def alternatives(self) -> Node:
        parts = [self.conjunction()]
        while self.word() == "or":
            self.take()
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else Logic("or", tuple(parts))

    def conjunction(self) -> Node:
        parts = [self.chain()]
        while self.word() == "and" or self.next.text == ",":
            self.take()
            parts.append(self.chain())
        return parts[0] if len(parts) == 1 else Logic("and", tuple(parts))


def name_of(token: Token) -> str:
    r"""The text of a name: "DCG" of \mathrm{DCG}, "avg-pos" of \text{avg-pos}."""
    match = re.fullmatch(r"\\(?:mathrm|mathit|operatorname|text)\{(.*)\}", token.text)
    return match[1].strip().replace("\\_", "_") if match else " ".join(token.text.split())
