"""What help() says of a metric, or of a bound: what it is, its equation, its parameters.

Nothing of it is written here: equations are those of the reference, which the spec IDs in its
docstrings find, parameters say themselves what they are, and the value of an example is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from ..records import field, record
from ..records import signature as signature_of_class
from ..typed import TYPE_CHECKING, Any
from .parameters import Parameters, as_python

if TYPE_CHECKING:
    from inspect import Signature

WIDTH = 92
LINE = 96  # of a call, which help() indents
OF_POOL = " The labels are those of the pool."


@record()
class Doc:
    """What the docstring of a metric's function says, beside what is known of every function.

    says: what its value is; example: a doctest
    arguments: {name: what it is}, of those that rankspec.api does not explain
    like: the function whose arguments are explained there
    """

    says: str = ""
    example: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    like: str = ""


class _Told:
    """An attribute that is made when it is asked for; of the class itself it is another one."""

    def __init__(self, make: Callable[[Any], Any], of_class: str | None) -> None:
        self._make = make
        self._of_class = of_class

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is not None:
            return self._make(owner)
        return self._of_class or signature_of_class(kind)


def told(make: Callable[[Any], Any], of_class: str | None = None) -> Any:
    """A ``__doc__`` or ``__signature__`` that each object of a class has of its own.

    of_class: the text of the class; None: it is a signature
    """
    return _Told(make, of_class)


def signature(first: str, parameters: Parameters, **default: Any) -> Signature:
    """How something is called with an argument, which may have a default, and such parameters."""
    from inspect import Parameter, Signature  # who computes does not ask for help

    class Shown:  # as it is written in Python
        def __init__(self, x: Any) -> None:
            self.x = x

        def __repr__(self) -> str:
            return as_python(self.x)

    keywords = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=Shown(p.default))
        for name, p in parameters.items()
    ]
    return Signature([Parameter(first, Parameter.POSITIONAL_OR_KEYWORD, **default), *keywords])


def page(
    call: str,
    title: str,
    equation: str,
    arguments: Iterable[tuple[str, str]],
    values: str,
    example: str,
) -> str:
    """The help: how it is called, what it is, its equation, its arguments, and an example."""
    import textwrap

    call = textwrap.fill(call, LINE, subsequent_indent="    ")
    title = textwrap.fill(title[:1].upper() + title[1:], WIDTH)
    equation = textwrap.fill(equation, WIDTH, initial_indent="    ", subsequent_indent="        ")
    lines = [
        textwrap.fill(f"{name}: {x}", WIDTH, subsequent_indent="    ") for name, x in arguments
    ]
    blocks = call, title, equation, "\n".join(lines), values, example
    return "\n\n".join(filter(None, blocks))


def helps(parameters: Parameters) -> list[tuple[str, str]]:
    """What each parameter is, in a line."""
    return [(name, p.help) for name, p in parameters.items()]


def equation(spec: str, function: str = "") -> str:
    """The equation of an ID, in a line, as the reference has it.

    Several functions may bear the ID: that of this name counts, or else the first.
    """
    of_it = _equations().get(spec, {})
    return of_it.get(function) or next(iter(of_it.values()), "")


@cache
def _equations() -> dict[str, dict[str, str]]:
    """The first paragraph of each function of the reference, by the ID that it bears, and name."""
    from inspect import getdoc, isfunction

    from ..reference import (
        bounds,
        cascade,
        dcg,
        diversity,
        length,
        precision,
        relevance,
        session,
        ties,
        users,
        utility,
    )

    chapters = (
        *(bounds, cascade, dcg, diversity, length, precision, relevance, session),
        *(ties, users, utility),
    )
    found: dict[str, dict[str, str]] = {}
    for chapter in chapters:
        for x in vars(chapter).values():
            doc = getdoc(x) if isfunction(x) else None
            if doc is not None and "\nSpec: " in doc:
                text, _, spec = doc.rpartition("\nSpec: ")
                equation = " ".join(text.partition("\n\n")[0].split("\n"))
                found.setdefault(spec.strip(), {}).setdefault(x.__name__, equation)
    return found
