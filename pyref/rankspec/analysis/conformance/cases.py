"""The cases that a program is asked: the test vectors, chosen by profile, part and id.

Spec: RS-CONF-4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from ... import specification
from ...errors import InputError, hint
from ...specification import PARTS, PROFILES

Plain: TypeAlias = Mapping[str, Any]
"""What JSON has read."""

CHOICES = ("required", "all")
"""Which part of the cases is asked: the required ones, or the optional ones too."""

UNKNOWN = -1
"""The bound of a case whose file states none: a relative error of 1e-12."""

_EQUALITY_DECIDES = {"as-random", "no-spread", "no-spread-yet-worse", "no-variance"}
"""Flags of cases that turn on an equality, which doubles may fail to see."""


@dataclass(frozen=True)
class Case:
    """A case of the vectors.

    max_ulp: how far off an implementation in doubles may be; None: only the grade exact is asked;
        UNKNOWN: the file does not say
    conventions: of a whole evaluation, all of them; None: it is of one ranking or session
    """

    id: str
    why: str
    spec: tuple[str, ...]
    flags: tuple[str, ...]
    part: str
    measure: Plain
    input: Plain
    expected: Any
    requires: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ("all",)
    max_ulp: int | None = UNKNOWN
    conventions: Plain | None = None
    more: Plain = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        """Whether the input must be refused."""
        return isinstance(self.expected, Mapping) and "error" in self.expected

    @property
    def name(self) -> str:
        """The name of the metric, or of the bound, that it is about."""
        return str(self.measure.get("name", "?"))


@cache
def vectors() -> tuple[Case, ...]:
    """All cases, in the order of the files."""
    return tuple(
        case_of(case, part)
        for file in specification.files()
        for part in PARTS
        for group in file.get(part, ())
        for case in group["cases"]
    )


@cache
def version() -> str:
    """The version of the vectors."""
    return max((str(file.get("version", "1")) for file in specification.files()), default="1")


def case_of(given: Plain, part: str = "required") -> Case:
    """A case from its JSON."""
    known = {"id", "why", "spec", "flags", "measure", "input", "expected", "requires"}
    known |= {"profiles", "max_ulp", "conventions", "laws"}
    flags = tuple(given.get("flags", ()))
    max_ulp = given.get("max_ulp", None if _EQUALITY_DECIDES & set(flags) else UNKNOWN)
    return Case(
        id=given["id"],
        why=given.get("why", ""),
        spec=tuple(given.get("spec", ())),
        flags=flags,
        part=part,
        measure=given["measure"],
        input=given["input"],
        expected=given["expected"],
        requires=tuple(given.get("requires", ())),
        profiles=tuple(given.get("profiles", ("all",))),
        max_ulp=max_ulp,
        conventions=given.get("conventions"),
        more={name: x for name, x in given.items() if name not in known},
    )


def chosen(
    profile: str = "all", part: str = "required", only: Iterable[str] = (), exact: bool = False
) -> list[Case]:
    """The cases of a profile.

    part: "required", or "all": the optional ones too
    only: ids, or beginnings of ids; none: all
    exact: whether the grade is exact; cases that doubles promise nothing of are asked then alone

    An InputError names a profile or an id that there is not, or says that no case is left.
    """
    if profile not in PROFILES:
        known = ", ".join(PROFILES)
        raise InputError(
            f'profile: unknown profile "{profile}"{hint(profile, PROFILES)}; expected one of '
            f"{known}"
        )
    if part not in CHOICES:
        known = ", ".join(CHOICES)
        raise InputError(
            f'part: unknown part "{part}"{hint(part, CHOICES)}; expected one of {known}'
        )
    wanted = tuple(only)
    for name in wanted:
        if not any(case.id.startswith(name) for case in vectors()):
            raise InputError(f'case: unknown case "{name}"{hint(name, ids())}')
    found = [
        case
        for case in vectors()
        if profile in case.profiles
        and (part in ("all", case.part) or case.id in wanted)
        and (not wanted or case.id.startswith(wanted))
        and (exact or case.refused or case.max_ulp is not None)
    ]
    if not found:
        raise InputError(f"case: the profile {profile} has no {part} case of that name")
    return found


def ids() -> list[str]:
    """The ids of all cases."""
    return [case.id for case in vectors()]
