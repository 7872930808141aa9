"""The names that annotations need, without ``typing``: to load it costs more than a first value.

Type checkers see those of ``typing``. Where the program runs, they stand for no more than is needed
to declare a class; what loads seldom, or is heavy by itself, imports ``typing``.
"""

from __future__ import annotations

__all__ = [
    "IO",
    "TYPE_CHECKING",
    "Any",
    "ClassVar",
    "Generic",
    "NamedTuple",
    "NoReturn",
    "ParamSpec",
    "Protocol",
    "TypeAlias",
    "TypeGuard",
    "TypeIs",
    "TypeVar",
    "cast",
    "dataclass_transform",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import (
        IO,
        Any,
        ClassVar,
        Generic,
        NamedTuple,
        NoReturn,
        ParamSpec,
        Protocol,
        TypeAlias,
        TypeGuard,
        TypeVar,
        cast,
        dataclass_transform,
    )

    from typing_extensions import TypeIs  # typing has it from Python 3.13 on
else:
    from collections import namedtuple

    Any = ClassVar = IO = NoReturn = TypeAlias = TypeGuard = TypeIs = object

    def TypeVar(*_, **__):
        return object

    ParamSpec = TypeVar

    def cast(_, x):
        return x

    def dataclass_transform(**_):
        return lambda decorator: decorator

    class Generic:
        """A class that may be written with brackets."""

        def __class_getitem__(cls, _):
            return cls

    Protocol = Generic

    class _Named(type):
        """Makes a named tuple of a class with annotations, as ``typing.NamedTuple`` does."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(body["__annotations__"])
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, x in body.items():
                if key not in fields:
                    setattr(made, key, x)
            return made

    class NamedTuple(metaclass=_Named):
        """A tuple whose annotated names are its items."""
