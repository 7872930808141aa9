"""Records: objects with named fields that do not change, equal where their fields are.

They are declared and behave as frozen dataclasses, also to ``dataclasses.replace()`` and
``fields()``, but for what those cost when the package is loaded: the module ``dataclasses`` imports
``inspect``, and compiles source code for each class, which took a quarter of the time to a first
value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import starmap
from operator import attrgetter

from .typed import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class _Field:
    """What is said of a field beside its default."""

    def __init__(self, make: Callable[[], Any] | None, compare: bool, kw_only: bool) -> None:
        self.make, self.compare, self.kw_only = make, compare, kw_only


def field(
    *, default_factory: Callable[[], Any] | None = None, compare: bool = True, kw_only: bool = False
) -> Any:
    """A field whose default each object makes for itself, that equality does not see (nor
    ``repr()``), or that is given by name alone.
    """
    return _Field(default_factory, compare, kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, repr: bool = True) -> Callable[[type[T]], type[T]]:  # noqa: A002
    """The decorator of a class whose annotated names are the fields of its objects.

    eq, repr: False: objects are equal to themselves alone, and shown as any object, or as the class
    says.
    """

    def made(cls: type[T]) -> type[T]:
        told = _fields_of(cls)
        names, by_place = tuple(told), _by_place(told)
        seen = tuple(name for name in names if (of := told[name]) is None or of.compare)
        methods: dict[str, Any] = {} if hasattr(cls, "__record__") else dict(_OF_EVERY_RECORD)
        methods |= {"__record__": names, "__match_args__": by_place}
        methods["__init__"] = _init(cls, told, by_place)
        if eq:
            methods |= _equality(_values(seen))
        if repr:
            methods["__repr__"] = _repr(seen)
        for name, method in methods.items():
            if name not in _OF_ITS_OWN or name not in vars(cls):
                setattr(cls, name, method)
        return cls

    return made


_OF_ITS_OWN = {"__repr__", "__eq__", "__hash__", "__signature__"}  # where a class has one


def signature(cls: type) -> Any:
    """How a class of records is called, for help()."""
    from inspect import Parameter, Signature  # who computes does not ask for help

    def parameter(name: str, of: _Field | None) -> Parameter:
        by_name = of is not None and of.kw_only
        kind = Parameter.KEYWORD_ONLY if by_name else Parameter.POSITIONAL_OR_KEYWORD
        if of is None:
            default = getattr(cls, name, Parameter.empty)
        else:
            default = Parameter.empty if of.make is None else of.make()
        return Parameter(name, kind, default=default)

    # ``Signature`` refuses what a record takes: defaults before a field of a class made of it.
    return Signature(
        list(starmap(parameter, _fields_of(cls).items())), __validate_parameters__=False
    )


class _Signature:
    """The signature of a class, made when it is asked for."""

    def __get__(self, _: Any, cls: type) -> Any:
        made = next(base for base in cls.__mro__ if "__init__" in vars(base))
        return signature(made) if "__record__" in vars(made) else None  # None: that of its __init__


class _OfDataclass:
    """What the functions of ``dataclasses`` ask a class for, made when one of them does: a user's
    class may be a dataclass that is made of a record.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, _: Any, cls: type) -> Any:
        record = next(base for base in cls.__mro__ if "__record__" in vars(base))
        return getattr(_as_dataclass(record), self.name)


@cache
def _as_dataclass(cls: type) -> type:
    """A frozen dataclass with the fields of a class of records."""
    import dataclasses

    def like(name: str, of: _Field | None) -> Any:
        if of is None:
            return dataclasses.field(default=getattr(cls, name, dataclasses.MISSING))
        make: Any = of.make or dataclasses.MISSING
        return dataclasses.field(
            default_factory=make, compare=of.compare, repr=of.compare, kw_only=of.kw_only
        )

    # ``init`` would refuse what a record takes, as ``Signature`` does.
    told = [(name, Any, like(name, of)) for name, of in _fields_of(cls).items()]
    return dataclasses.make_dataclass(cls.__name__, told, init=False, frozen=True)


def fields(x: Any) -> tuple[str, ...]:
    """The names of the fields of a record, or of a class of records, in their order."""
    cls = x if isinstance(x, type) else type(x)
    of_dataclass = vars(cls).get("__dataclass_fields__")
    if isinstance(of_dataclass, dict):  # a dataclass that is made of a record
        return tuple(of_dataclass)
    names: tuple[str, ...] = x.__record__
    return names


def replace(x: T, /, **changes: Any) -> T:
    """A record like another one, but for these fields."""
    return type(x)(**{name: getattr(x, name) for name in fields(x)} | changes)


def _fields_of(cls: type) -> dict[str, _Field | None]:
    """The fields of a class, those of its bases first; None: nothing is said of one. Those that
    are given by name alone come last.
    """
    found: dict[str, _Field | None] = {}
    for base in reversed(cls.__mro__):
        if base is cls or "__record__" in vars(base):
            for name, annotation in base.__annotations__.items():
                if not annotation.startswith("ClassVar"):
                    said = vars(base).get(name)
                    found[name] = said if isinstance(said, _Field) else None
    by_name = {name: of for name, of in found.items() if of is not None and of.kw_only}
    return {name: of for name, of in found.items() if name not in by_name} | by_name


def _by_place(told: dict[str, _Field | None]) -> tuple[str, ...]:
    """The names of the fields that are given without a name."""
    return tuple(name for name, of in told.items() if of is None or not of.kw_only)


def _init(
    cls: type, told: dict[str, _Field | None], by_place: tuple[str, ...]
) -> Callable[..., None]:
    names = frozenset(told)
    made = [(name, of.make) for name, of in told.items() if of is not None and of.make is not None]
    defaults = {
        name: getattr(cls, name) for name, of in told.items() if of is None and hasattr(cls, name)
    }
    after = getattr(cls, "__post_init__", None)
    needed = max((a + 1 for a, name in enumerate(told) if name not in defaults), default=0)
    enough = range(needed, len(by_place) + 1)  # values by place, which most records are made of

    def init(self: Any, *given: Any, **named: Any) -> None:
        if not named and len(given) in enough:
            kept = self.__dict__
            kept.update(defaults)
            kept.update(zip(by_place, given, strict=False))
            if after is not None:
                after(self)
            return
        kept = self.__dict__
        kept.update(defaults)
        kept.update(named)
        if given:
            if len(given) > len(by_place) or not named.keys().isdisjoint(by_place[: len(given)]):
                raise TypeError(f"{cls.__name__}: a field is given twice, or there are too many")
            kept.update(zip(by_place, given, strict=False))
        for name, make in made:
            if name not in kept:
                kept[name] = make()
        if len(kept) != len(names) or not names.issuperset(named):
            wrong = ", ".join(sorted(kept.keys() ^ names))
            raise TypeError(f"{cls.__name__}: fields that are missing, or that it has not: {wrong}")
        if after is not None:
            after(self)

    return init


def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of fields, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda x: tuple(getattr(x, name) for name in names)


def _equality(values: Callable[[Any], tuple[Any, ...]]) -> dict[str, Any]:
    def equals(self: Any, other: Any) -> bool:
        same: bool = values(self) == values(other) if type(other) is type(self) else NotImplemented
        return same

    def hashed(self: Any) -> int:
        return hash(values(self))

    return {"__eq__": equals, "__hash__": hashed}


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    def told(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return told


def _refuse(self: Any, name: str, *_: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"{type(self).__name__} does not change: {name!r} cannot be set")


_OF_EVERY_RECORD = {
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__replace__": replace,
    "__signature__": _Signature(),
    "__dataclass_fields__": _OfDataclass("__dataclass_fields__"),
    "__dataclass_params__": _OfDataclass("__dataclass_params__"),
}
"""What a record has whatever its fields are; one that is made of another has it from there."""
