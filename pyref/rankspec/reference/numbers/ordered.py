"""Real numbers that can be compared: exactly, or the comparison says that it is open.

Most pairs are told apart by enclosures. What they leave open is an equality of canonical forms, or
is settled by more digits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .canonical import CanonicalForms, Form, NoCanonicalForm
from .enclosure import Enclosure, Enclosures, Undecided, enclose
from .reals import Exact, Number, Reals

FIRST = 96
LATER = (512, 4096)

_READINGS = {precision: Enclosures(precision) for precision in (FIRST, *LATER)}
_FORMS = CanonicalForms()


class Real:
    """The number that an equation gives, read in whatever reals a comparison needs.

    Comparing two raises :class:`Undecided` where neither form nor digits tell.
    """

    __slots__ = ("_enclosures", "_form", "value")

    def __init__(self, value: Callable[[Reals], Number]) -> None:
        self.value = value
        self._enclosures: dict[int, Enclosure] = {}
        self._form: Form | NoCanonicalForm | None = None

    @classmethod
    def exactly(cls, x: Exact) -> Real:
        """A number that is given."""
        return cls(lambda R: R.exact(x))

    @property
    def near(self) -> float:
        """About the number: for display."""
        x = self._enclosure(FIRST)
        return float((x.lower + x.upper) / 2)

    @property
    def rational(self) -> Fraction | None:
        """The number, where its canonical form shows that it is rational."""
        try:
            return self._canonical().rational
        except NoCanonicalForm:
            return None

    def _canonical(self) -> Form:
        """The canonical form; NoCanonicalForm where there is none."""
        if self._form is None:
            try:
                self._form = _FORMS.exact(0) + self.value(_FORMS)
            except NoCanonicalForm as error:
                self._form = error
        if isinstance(self._form, NoCanonicalForm):
            raise self._form
        return self._form

    def _enclosure(self, precision: int) -> Enclosure:
        if precision not in self._enclosures:
            x = self._read(precision)
            self._enclosures[precision] = x if isinstance(x, Enclosure) else enclose(x, precision)
        return self._enclosures[precision]

    def _read(self, precision: int) -> Number:
        """The number in enclosures; where these leave a divisor open, as a rational number."""
        try:
            return self.value(_READINGS[precision])
        except Undecided:
            exact = self.rational
            if exact is None:
                raise
            return _READINGS[precision].exact(exact)

    def minus(self, other: Real | Exact) -> int:
        """The sign of the difference: 1, 0 or -1."""
        y = other if isinstance(other, Real) else Real.exactly(other)
        sign = self._told_apart(y, FIRST)
        if sign is not None:
            return sign
        if y is self or self._is_the_same(y):
            return 0
        for precision in LATER:
            sign = self._told_apart(y, precision)
            if sign is not None:
                return sign
        raise Undecided("which of two numbers is greater?")

    def _told_apart(self, y: Real, precision: int) -> int | None:
        try:
            a, b = self._enclosure(precision), y._enclosure(precision)
        except Undecided:  # a divisor, say, is not told from 0
            return None
        e = min(a.exponent, b.exponent)
        s, t = a.exponent - e, b.exponent - e
        if a.lo << s > b.hi << t:
            return 1
        if a.hi << s < b.lo << t:
            return -1
        return 0 if a.lo == a.hi and b.lo == b.hi else None  # two points, neither the greater

    def _is_the_same(self, y: Real) -> bool:
        try:
            return not (self._canonical() - y._canonical())
        except NoCanonicalForm:
            return False

    def __lt__(self, other: Real | Exact) -> bool:
        return self.minus(other) < 0

    def __le__(self, other: Real | Exact) -> bool:
        return self.minus(other) <= 0

    def __gt__(self, other: Real | Exact) -> bool:
        return self.minus(other) > 0

    def __ge__(self, other: Real | Exact) -> bool:
        return self.minus(other) >= 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Real, int, float, Fraction)):
            return self.minus(other) == 0
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal numbers may be of different equations
