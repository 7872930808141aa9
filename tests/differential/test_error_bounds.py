"""Numbers of the C core: each operation's interval holds the result of all numbers within its
operands' intervals, also where these use up the error bound. The ends are compared as fractions.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from ..each import in_lane, thinned

CSRC = Path(__file__).resolve().parents[2] / "csrc"
CC = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(CC is None, reason="there is no C compiler: apt-get install gcc")

# Of core.c what sessions need, which compiles in half of the time.
PROGRAM = r"""
    #define _GNU_SOURCE
    #include "memory.c"
    #include "stopping.c"
    #include "numerics.c"
    #include "gain.c"
    #include "sorting.c"
    #include "ties.c"
    #include "bounds.c"
    #include "adjust.c"
    #include "filter.c"
    #include "whole_gains.c"
    #include "dcg.c"
    #include "session.c"
    #include "ids.c"
    #include <stdio.h>

    static bool read_number(rs_number *x)
    {
        unsigned long long of[4];
        int exponent;
        if (scanf("%llx %llx %llx %llx %d", &of[0], &of[1], &of[2], &of[3], &exponent) != 5)
            return false;
        *x = (rs_number){(u128)of[0] << 64 | of[1], (u128)of[2] << 64 | of[3], exponent};
        return true;
    }

    static void print_number(rs_number x)
    {
        printf("%llx %llx %llx %llx %d\n", (unsigned long long)(x.low >> 64),
               (unsigned long long)x.low, (unsigned long long)(x.slack >> 64),
               (unsigned long long)x.slack, (int)x.exponent);
    }

    int main(void)
    {
        char operation[16];
        rs_number x, y, z = {0};
        while (scanf("%15s", operation) == 1 && read_number(&x) && read_number(&y)) {
            bool known = true;
            switch (operation[0]) {
            case 'n': z = narrowed(x); break;
            case 'w': z = with_exponent(&x, y.exponent); break;
            case 's': z = rs_sum(&x, &y); break;
            case 'p': z = rs_product(&x, &y); break;
            case 'r': z = rs_root(&x); break;
            default: known = quotient(&x, &y, &z);
            }
            if (known)
                print_number(z);
            else
                printf("unknown\n");
        }
        return 0;
    }
"""


class Number(NamedTuple):
    low: int
    slack: int = 0
    exponent: int = 0

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest number that it stands for."""
        return ends_of(self)

    def __str__(self) -> str:
        parts = [self.low >> 64, self.low % 2**64, self.slack >> 64, self.slack % 2**64]
        return " ".join(f"{part:x}" for part in parts) + f" {self.exponent}"


@cache
def ends_of(x: Number) -> tuple[Fraction, Fraction]:
    unit = Fraction(2) ** x.exponent
    return x.low * unit, (x.low + x.slack) * unit


Call = tuple[str, Number, Number]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("numbers")
    (folder / "numbers.c").write_text(PROGRAM)
    flags = ["-std=c11", "-O0", "-ffp-contract=off", "-DRS_NO_CLONES", f"-I{CSRC}"]
    compile_ = [str(CC), *flags, "numbers.c", "-o", "numbers", "-lm"]
    subprocess.run(compile_, cwd=folder, check=True)  # noqa: S603
    return folder / "numbers"


def computed(program: Path, calls: list[Call]) -> list[Number | None]:
    """Return the core's number for each call; None where it does not decide."""
    lines = "".join(f"{operation} {x} {y}\n" for operation, x, y in calls)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)  # noqa: S603
    return [None if line == "unknown" else parsed(line) for line in done.stdout.splitlines()]


def parsed(line: str) -> Number:
    *parts, exponent = line.split()
    a, b, c, d = (int(part, 16) for part in parts)
    return Number(a << 64 | b, c << 64 | d, int(exponent))


def ones(bits: int) -> int:
    return (1 << bits) - 1


def numbers(most_bits: int, rng: random.Random) -> Iterator[Number]:
    """Numbers all of whose bits are dropped, or none; and any, of few and of many bits."""
    for bits in (1, 64, 119, 120, 121, 125, 126):
        if bits <= most_bits:
            for low, slack in product((ones(bits), 1 << (bits - 1)), (0, 1, 63, ones(40), 1 << 20)):
                yield Number(low, slack)
    for _ in range(60):
        low = rng.getrandbits(rng.randint(1, most_bits)) | 1
        slack = rng.getrandbits(rng.randint(1, 90)) * rng.randint(0, 1)
        yield Number(low, slack, rng.randint(-200, 200))


def holds(found: Number, low: Fraction, high: Fraction) -> bool:
    return found.ends[0] <= low and high <= found.ends[1]


def nearly_squares(rng: random.Random) -> Iterator[Number]:
    """A little above the square of a double: its root is above the mean that Heron's step gives."""
    for _ in range(200):
        root = rng.getrandbits(52) | 1 << 52 | 1
        yield Number((root * root << 14) + rng.randint(1, 9))


def farthest_quotients() -> Iterator[tuple[Number, Number]]:
    """A quotient nearly 1 above its leading 120 bits, and a slack of nearly 2 units of these,
    whose floor with the factor of the bound is 1.
    """
    low = (1 << 119) * 257 // 256 + (1 << 90)
    for above in range(1, 3000):
        if (low << 120) % (low + above) > (low + above) * 255 // 256:
            yield Number(low, 1), Number(low + above)


NOTHING_KNOWN = Number(0, 1 << 127)


@pytest.mark.spec("RS-NUM-7", "RS-NUM-19/L1")
def test_numbers_cut_to_fewer_bits(program: Path) -> None:
    """Of low and slack together nearly 2 units are dropped, the two that are added."""
    x = list(numbers(126, random.Random(1)))
    calls = [("narrowed", a, a) for a in x]
    calls += [
        ("with_exponent", a, Number(0, 0, a.exponent + shift))
        for a in x
        for shift in (1, 2, 5, 40, 126, 127, 128, 300)
    ]
    calls += [
        ("with_exponent", Number(ones(128), 2), Number(0, 0, shift)) for shift in (1, 127, 128)
    ]
    for (operation, a, to), found in zip(calls, computed(program, calls), strict=True):
        assert found is not None
        assert holds(found, *a.ends), (operation, a, to, found)
        assert found.low.bit_length() <= 120 or operation != "narrowed"


@pytest.mark.spec("RS-NUM-10/L1", "RS-NUM-19/L1", "RS-NUM-20/L1")
def test_sums_products_and_roots(program: Path) -> None:
    rng = random.Random(2)
    x = [*numbers(126, rng), *nearly_squares(rng)]
    pairs = [(a, b) for a in x for b in rng.sample(x, 12)]
    calls = [(operation, a, b) for a, b in pairs for operation in ("sum", "product")]
    calls += [("root", a, a) for a in x]
    for (operation, a, b), found in zip(calls, computed(program, calls), strict=True):
        assert found is not None
        if found == NOTHING_KNOWN:
            assert max(a.slack / a.low, b.slack / b.low) > 0.99, (operation, a, b)
        elif operation == "root":
            low, high = found.ends
            assert low**2 <= a.ends[0], (a, found)
            assert a.ends[1] <= high**2, (a, found)
        else:
            of = Fraction.__add__ if operation == "sum" else Fraction.__mul__
            ends = (of(p, q) for p, q in zip(a.ends, b.ends, strict=True))
            assert holds(found, *ends), (operation, a, b, found)


@pytest.mark.spec("RS-NUM-24/L1")
@thinned
def test_quotients_in_a_sum(program: Path) -> None:
    """Also exact ones, whose error bound is that of the division alone; and those of which too
    little is known, which the core must not give.
    """
    rng = random.Random(3)
    x = [Number(n) for n in (1, 2, 3, 5, 7, 10, ones(53), ones(120), 1 << 119)]
    x += [*numbers(120, rng), Number(1, 1), Number(1, 2), Number(1, 300), Number(3, 2)]
    farthest = list(farthest_quotients())
    assert farthest
    pairs = [(a, b) for a in x for b in rng.sample(x, in_lane(40, len(x)))] + farthest
    calls = [("quotient", a, b) for a, b in pairs]
    for (_, a, b), found in zip(calls, computed(program, calls), strict=True):
        lack = Fraction(a.slack, a.low) + Fraction(b.slack, b.low)
        assert (found is None) == (lack > Fraction(1, 2**40)), (a, b)
        if found is not None:
            ends = a.ends[0] / b.ends[1], a.ends[1] / b.ends[0]
            assert holds(found, *ends), (a, b, found)
