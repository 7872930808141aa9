"""What help() says of a metric, or of a bound: what it is, its equation, its parameters.

Nothing of it is written here: equations are those of the reference, which the spec IDs in its
docstrings find, parameters say themselves what they are, and the value of an example is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, Signature, getdoc, isfunction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bounds import Bound
    from .measure import Measure, Metric
    from .parameters import Parameters

EXAMPLE = (2, 0, 1)  # labels that every metric takes
EXAMPLE_AGAIN = (1, 2)  # those of a second query, of a session
WIDTH = 92
LINE = 96  # of a call, which help() indents
OF_POOL = " The labels are those of the pool."


class _Told:
    """An attribute that is made when it is asked for; of the class itself it is another one."""

    def __init__(self, make: Callable[[Any], Any], of_class: str | None = None) -> None:
        self._make = make
        self._of_class = of_class

    def __get__(self, owner: Any, kind: type) -> Any:
        if owner is not None:
            return self._make(owner)
        if self._of_class is None:
            raise AttributeError(f"{kind.__name__} has it for its objects alone")
        return self._of_class


def told(make: Callable[[Any], Any], of_class: str | None = None) -> Any:
    """A ``__doc__`` or ``__signature__`` that each object of a class has of its own."""
    return _Told(make, of_class)


def of_metric(metric: Metric) -> str:
    """What help() says of a metric."""
    also = "" if metric.cutoff == "k" else f", which may also be called {metric.cutoff}"
    cut = f"the cut-off{also}; None: the whole list"
    arguments = "sessions" if metric.of_sessions else "labels"
    ties = "" if metric.expected_spec == metric.spec else f", under ties {metric.expected_spec}"
    pool = OF_POOL if metric.of_pool else ""
    function = f"The values: rankspec.{metric.function}({arguments}, ...), or"
    return _text(
        f"{metric.name}{signature_of_metric(metric)}",
        f"{_capital(metric.title)} ({metric.spec}{ties}).{pool}",
        metric.formula or _equation(metric.spec),
        [("k", cut), *_helps(metric.parameters)],
        function if metric.of is None else "The values:",
        metric(k=3),
    )


def of_bound(bound: Bound) -> str:
    """What help() says of a bound."""
    from .catalogue import nDCG  # which has help by this module

    pool = OF_POOL if bound.of_pool else ""

    return _text(
        f"{bound.name}{signature_of_bound(bound)}",
        f"{_capital(bound.title)} ({bound.spec}). Of a measure A it makes another one.{pool}",
        bound.formula or _equation(bound.spec),
        [("measure", "A, such as rs.nDCG(k=10)"), *_helps(bound.parameters)],
        "The values:",
        bound(nDCG(k=3)),
    )


def signature_of_metric(metric: Metric) -> Signature:
    """How a metric is called."""
    k = Parameter("k", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    return Signature([k, *_keywords(metric.parameters)])


def signature_of_bound(bound: Bound) -> Signature:
    """How a bound is called."""
    measure = Parameter("measure", Parameter.POSITIONAL_OR_KEYWORD)
    return Signature([measure, *_keywords(bound.parameters)])


def _keywords(parameters: Parameters) -> list[Parameter]:
    from .measure import as_python  # which has help by this module

    class Shown:  # as it is written in Python
        def __init__(self, x: Any) -> None:
            self.x = x

        def __repr__(self) -> str:
            return as_python(self.x)

    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=Shown(p.default))
        for name, p in parameters.items()
    ]


def _text(
    call: str,
    title: str,
    equation: str,
    arguments: list[tuple[str, str]],
    values: str,
    example: Measure,
) -> str:
    import textwrap  # who computes does not ask for help

    from ..reference.numerics import nearest_double_of
    from .measure import Ranking, Session, value  # which has help by this module

    ranking: Ranking | Session = Ranking.settled(EXAMPLE, EXAMPLE)
    given: list[Any] = list(EXAMPLE)
    if example.metric.of_sessions:
        given = [given, list(EXAMPLE_AGAIN)]
        ranking = Session(given, [*EXAMPLE, *EXAMPLE_AGAIN])
    found = nearest_double_of(lambda reals: value(example, ranking, reals))
    call = textwrap.fill(call, LINE, subsequent_indent="    ")
    equation = textwrap.fill(equation, WIDTH, initial_indent="    ", subsequent_indent="        ")
    lines = [
        textwrap.fill(f"{name}: {x}", WIDTH, subsequent_indent="    ") for name, x in arguments
    ]
    return "\n\n".join(
        block
        for block in (
            call,
            textwrap.fill(title, WIDTH),
            equation,
            "\n".join(lines),
            values,
            f">>> {example!r}.of({given})\n{found!r}",
        )
        if block
    )


def _helps(parameters: Parameters) -> list[tuple[str, str]]:
    return [(name, p.help) for name, p in parameters.items()]


def _capital(title: str) -> str:
    return title[:1].upper() + title[1:]


def _equation(spec: str) -> str:
    """The equation of an ID, in a line, as the reference has it."""
    return _equations().get(spec, "")


@cache
def _equations() -> dict[str, str]:
    """The first paragraph of each function of the reference, by the ID that it bears."""
    from importlib import import_module
    from pkgutil import walk_packages

    from .. import reference

    found: dict[str, str] = {}
    for module in walk_packages(reference.__path__, f"{reference.__name__}."):
        for x in vars(import_module(module.name)).values():
            doc = getdoc(x) if isfunction(x) else None
            if doc is not None and "\nSpec: " in doc:
                text, _, spec = doc.rpartition("\nSpec: ")
                found.setdefault(spec.strip(), " ".join(text.partition("\n\n")[0].split("\n")))
    return found
