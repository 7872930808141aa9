"""What logarithms have in common: lb 6 = 1 + lb 3, in sums of products of them and their inverses.

The logarithm of a rational number is a sum of those of primes, with whole coefficients: a linear
form in unknowns. So a product c · 2^φ · Π ln(β)^e is a quotient of linear forms, and a sum of such
quotients is written in one way only, as partial fractions are, where no product has more than two
forms below:

*   over one form h, its first prime is eliminated above: ln p = (h - ...)/e, and h is cancelled;
*   over two, which span a plane, both first primes of the plane are;
*   what is left over h1 · h2 goes over the first row h0 of the plane's reduced echelon form,
    1/(h1 h2) = a/(h0 h2) + b/(h0 h1) with h0 = a h1 + b h2.

Products with more below stay as they are. Each step is an equality, so that equal results are equal
numbers; and with two below at most, no others are equal as functions of the unknowns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import TypeAlias, TypeVar

Vector: TypeAlias = tuple[tuple[int, Fraction], ...]
"""A linear form Σ c · ln(p), the primes rising, no c = 0."""

Primes: TypeAlias = tuple[int, ...]
"""A product of logarithms of primes, each as often as it is a factor, rising."""

Powers: TypeAlias = Sequence[tuple[int | Fraction, int]]
Quotients: TypeAlias = dict[tuple[object, ...], Fraction]
"""{(what is not looked into, the primes above, the forms below): the coefficient}"""

K = TypeVar("K", bound=Hashable)

MOST_BELOW = 2
LARGEST_DIVISOR = 1 << 16
KEPT = 1 << 14  # results of a function here and in the modules above it, a few hundred bytes each


@lru_cache(maxsize=KEPT)
def logarithm(beta: int | Fraction) -> Vector:
    """ln β as a linear form. What has no divisor up to 2^16 is taken for a prime."""
    n, d = Fraction(beta).as_integer_ratio()
    exponents: defaultdict[int, int] = defaultdict(int)
    for number, sign in ((n, 1), (d, -1)):
        for p in _factors(number):
            exponents[p] += sign
    return tuple((p, Fraction(e)) for p, e in sorted(exponents.items()) if e)


def _factors(n: int) -> Iterator[int]:
    for p in chain((2,), range(3, LARGEST_DIVISOR, 2)):
        if p * p > n:
            break
        while n % p == 0:
            yield p
            n //= p
    if n > 1:
        yield n


def partial_fractions(terms: Iterable[tuple[tuple[object, Powers], Fraction]]) -> Quotients:
    """The sum of the terms c · u · Π lb(β)^e, ((u, powers), c), as quotients written in one way."""
    total: Quotients = defaultdict(Fraction)
    for (unknown, powers), c in terms:
        for key, part in _of_term(powers):
            total[unknown, *key] += c * part
    return {key: c for key, c in total.items() if c}


def _of_term(powers: Powers) -> Iterator[tuple[tuple[object, ...], Fraction]]:
    """The quotients of Π lb(β)^e = ln(2)^-n Π ln(β)^e, n the sum of the exponents."""
    homogeneous = [*powers, (2, -sum(e for _, e in powers))]
    above = [beta for beta, e in homogeneous for _ in range(e)]
    below = [beta for beta, e in homogeneous for _ in range(-e)]
    if len(below) > MOST_BELOW:
        yield (tuple(powers),), Fraction(1)
        return
    forms, scale = [], Fraction(1)
    for beta in below:
        form = logarithm(beta)
        scale /= form[0][1]
        forms.append(_monic(form))
    for primes, c in _product([logarithm(beta) for beta in above]).items():
        for key, part in _reduced(primes, tuple(sorted(forms))):
            yield key, scale * c * part


def _monic(form: Vector) -> Vector:
    return tuple((p, c / form[0][1]) for p, c in form)


def _product(forms: Sequence[Vector]) -> dict[Primes, Fraction]:
    found: dict[Primes, Fraction] = {(): Fraction(1)}
    for form in forms:
        longer: dict[Primes, Fraction] = defaultdict(Fraction)
        for primes, c in found.items():
            for p, e in form:
                longer[tuple(sorted((*primes, p)))] += c * e
        found = longer
    return found


def _reduced(
    above: Primes, below: tuple[Vector, ...]
) -> Iterator[tuple[tuple[object, ...], Fraction]]:
    """A product of logarithms of primes over one form, twice perhaps, or over two."""
    plane = _plane(below)
    pivot = next((p for p in above if p in plane), None)
    if pivot is None:
        yield from (((above, forms), c) for forms, c in _over_first_row(below))
        return
    rest = list(above)
    rest.remove(pivot)
    for form, c in plane[pivot].items():  # ln(pivot) is a sum of forms below and of other primes
        if isinstance(form, int):
            parts = _reduced(tuple(sorted((*rest, form))), below)
        else:
            left = list(below)
            left.remove(form)
            parts = _reduced(tuple(rest), tuple(left))
        yield from ((key, c * part) for key, part in parts)


@lru_cache(maxsize=KEPT)
def _plane(below: tuple[Vector, ...]) -> dict[int, dict[Vector | int, Fraction]]:
    """{a first prime: its logarithm as a sum of the forms, and of primes that are not first}"""
    rows: list[tuple[dict[int, Fraction], dict[Vector, Fraction]]] = []  # each, of which forms
    for form in dict.fromkeys(below):
        row, made = dict(form), {form: Fraction(1)}
        for other, of in rows:
            c = row.get(min(other), Fraction(0))
            row, made = _less(row, c, other), _less(made, c, of)
        first = min(row)
        scale = 1 / row[first] - 1
        row, made = _less(row, -scale, row), _less(made, -scale, made)
        over = [(other.get(first, Fraction(0)), other, of) for other, of in rows]
        rows = [(_less(other, c, row), _less(of, c, made)) for c, other, of in over]
        rows.append((row, made))
    plane: dict[int, dict[Vector | int, Fraction]] = {}
    for row, made in rows:
        plane[min(row)] = {p: -c for p, c in row.items() if p != min(row)}
        plane[min(row)].update(made.items())
    return plane


def _less(x: Mapping[K, Fraction], c: Fraction, y: Mapping[K, Fraction]) -> dict[K, Fraction]:
    """x - c y"""
    none = Fraction(0)
    differences = ((key, x.get(key, none) - c * y.get(key, none)) for key in {**x, **y})
    return {key: difference for key, difference in differences if difference}


def _over_first_row(below: tuple[Vector, ...]) -> list[tuple[tuple[Vector, ...], Fraction]]:
    """1 / (h1 h2) as a sum over the first row of their plane; one form stays."""
    if len(set(below)) < MOST_BELOW:
        return [(below, Fraction(1))]
    plane = _plane(below)
    first = min(plane)
    made = {h: c for h, c in plane[first].items() if not isinstance(h, int)}
    others = ((p, -c) for p, c in plane[first].items() if isinstance(p, int))
    h0 = tuple(sorted([(first, Fraction(1)), *others]))
    if h0 in below:
        return [(below, Fraction(1))]
    h1, h2 = below
    return [
        (tuple(sorted((h0, h2))), made[h1]),
        (tuple(sorted((h0, h1))), made[h2]),
    ]
