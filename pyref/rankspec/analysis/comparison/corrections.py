"""Corrections of the p-values of a family of tests, on doubles: exact, then rounded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...errors import InputError, check_known
from ...reference import comparison as equations
from ...reference.numbers.reals import Exact
from ...reference.numerics import nearest_double
from .resampling import step_down
from .systems import Pair
from .tests import Choices


@dataclass(frozen=True)
class Correction:
    """A correction of the p-values of a family.

    controls: what it keeps at the level α: the probability of any false rejection in the family
        ("familywise error"), or the expected share of the rejections that are false
    exact: its equation

    >>> BY_NAME["holm"]([0.01, 0.04, None])
    [0.03, 0.08, None]
    """

    name: str
    title: str
    controls: str
    spec: str
    exact: Callable[[Sequence[Exact]], list[Fraction]]

    resamples = False

    def __call__(self, p: Sequence[float | None]) -> list[float | None]:
        """The corrected p of each test of the family, in the same order; None: it has no p.

        A test without a p counts as one of the family, with a p of 1. An InputError names the
        position of what is no probability.
        """
        for a, value in enumerate(p):
            if value is not None and not 0 <= value <= 1:
                raise InputError(f"p: expected a number from 0 to 1 at position {a}, got {value}")
        corrected = self.exact([1 if value is None else float(value) for value in p])
        return [
            None if value is None else nearest_double(found)
            for value, found in zip(p, corrected, strict=True)
        ]

    def serves(self, test: str) -> bool:  # noqa: ARG002
        """Whether it corrects the p-values of a test of that name: of all that have some."""
        return True

    def of_family(
        self,
        pairs: Sequence[Pair],  # noqa: ARG002
        p: Sequence[float | None],
        choices: Choices,  # noqa: ARG002
    ) -> list[float | None]:
        """The corrected p of each test of the family, by its p alone."""
        return self(p)


@dataclass(frozen=True)
class StepDown:
    """The step-down max-T correction: shared sign flips of all differences of the family.

    controls: as of a Correction
    """

    name: str
    title: str
    controls: str
    spec: str

    resamples = True

    def serves(self, test: str) -> bool:
        """It is of the randomisation test alone."""
        return test == "randomisation"

    def of_family(
        self,
        pairs: Sequence[Pair],
        p: Sequence[float | None],  # noqa: ARG002
        choices: Choices,
    ) -> list[float | None]:
        """The corrected p of each pair of the family, which are all of the same queries."""
        family, slack = [pair.D for pair in pairs], [pair.slack for pair in pairs]
        found = step_down(family, choices.seed, choices.replicates, choices.part(), slack)
        return [nearest_double(result.p) for result in found]


FAMILYWISE, DISCOVERIES = "familywise error", "false discovery rate"

CORRECTIONS = (
    Correction(
        "none", "no correction", "nothing", "RS-CMP-19", lambda p: [Fraction(value) for value in p]
    ),
    Correction("bonferroni", "Bonferroni", FAMILYWISE, "RS-CMP-19", equations.bonferroni),
    Correction("holm", "Holm", FAMILYWISE, "RS-CMP-20", equations.holm),
    Correction("bh", "Benjamini–Hochberg", DISCOVERIES, "RS-CMP-21", equations.benjamini_hochberg),
)

MAX_T = StepDown("max-t", "step-down max-T", FAMILYWISE, "RS-RND-10")

AnyCorrection = Correction | StepDown

BY_NAME: dict[str, AnyCorrection] = {known.name: known for known in (*CORRECTIONS, MAX_T)}


def correction_named(name: str) -> AnyCorrection:
    """The correction of that name; an InputError lists those that there are."""
    check_known("correction", name, BY_NAME)
    return BY_NAME[name]
