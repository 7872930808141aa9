"""The profiles beside a definition: which gives the most of the answers, and what refutes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...evaluation.profiles import PROFILES, Profile
from .asked import Asked, Step
from .choices import BY_NAME
from .definition import Definition


@dataclass(frozen=True)
class NearestProfile:
    """A profile, how many of the answers it gives, and the first question that it does not."""

    name: str
    agrees: int
    asked: int
    refuted: Step | None
    predicted: str


def as_in_profile(profile: Profile, d: Definition) -> Definition | None:
    """The same measure under the conventions of a profile; None where it refuses the measure."""
    measure = d.core.measure()
    if measure is None or profile.refusal(measure, profile.conventions):
        return None
    conventions = profile.conventions_of(measure, profile.conventions)
    chosen = {
        choice.name: str(getattr(conventions, choice.convention))
        for choice in BY_NAME.values()
        if choice.convention
    }
    known = {n: x for n, x in chosen.items() if x in BY_NAME[n].values}
    known["undefined"] = "omit" if chosen["undefined"].startswith("omit") else chosen["undefined"]
    if profile.whole_labels:
        known["fractions"] = "truncate"
    return d.with_(known)


def nearest_profile(asked: Asked, definitions: Sequence[Definition]) -> NearestProfile | None:
    """The profile whose conventions give the most of the answers; None: none has the measure.

    Of profiles that give as many, it is the one that has the fewest conventions otherwise than
    the definition that is nearest to it, then the first in the order of the list of profiles.

    definitions: the class, the reported one first
    """
    found: list[tuple[int, int, NearestProfile]] = []
    own = [d for d in definitions if d.core is definitions[0].core]
    for profile in PROFILES:
        there = as_in_profile(profile, own[0]) if own else None
        if there is None:
            continue
        refuting = [s for s in asked.steps if not asked.left([there], s.input, s.answer)]
        first = min(refuting, key=lambda s: len(s.input.labels) or 99, default=None)
        near = NearestProfile(
            profile.name,
            len(asked.steps) - len(refuting),
            len(asked.steps),
            first,
            str(there.predict(first.input)) if first else "",
        )
        found.append((len(refuting), min(_differing(there, d) for d in own), near))
    return min(found, key=lambda x: x[:2], default=(0, 0, None))[2]


def _differing(a: Definition, b: Definition) -> int:
    """How many choices of two definitions are not the same."""
    return sum(x != y for x, y in zip(a.values, b.values, strict=True))
