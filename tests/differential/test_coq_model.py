"""The integers of the C core are those of its model in Coq, whose bounds proofs/core/ proves.

The functions of proofs/core/Model.v are run by vm_compute, on the words that C is called with.
"""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ..compiled_proofs import COQ, ROOT
from ..modules import module_of
from .compiled import compiled

core: Any = module_of(ROOT / "tools/prove_core.py", "rankspec_prove_core")
pytestmark = [pytest.mark.slow, COQ]

DECLARED = """
    typedef struct { uint64_t high, low; } words;
    typedef struct { words low, slack; int32_t exponent; } number;
    number c_narrowed(number x);
    number c_with_exponent(number x, int32_t e);
    number c_sum(number x, number y);
    number c_product(number x, number y);
    int c_difference(number x, number y, number *size);
    number c_root(number x, uint64_t *y);
    number c_leading_of(number x);
    number c_leading_product(number x, number y);
    words c_wide_product(words x, words y);
    words c_muldiv(words x, uint64_t a, uint64_t b);
    bool c_round(number x, number y, uint64_t m, int s, double *out);
    bool c_round_quotient(number x, number y, double *out);
    number c_times(number x, number y);
    number c_plus(number x, number y);
    number c_minus(number x, number y);
    number c_within(number x, int64_t error);
    words c_add_linear(const uint8_t *r, const uint32_t *low, const uint64_t *high, int64_t n);
    words c_add_in_two(const uint8_t *r, const uint32_t *low, const uint64_t *high, int64_t n);
"""
SOURCE = """
    #include "core.c"
    typedef struct { uint64_t high, low; } words;
    typedef struct { words low, slack; int32_t exponent; } number;
    static u128 of(words x) { return (u128)x.high << 64 | x.low; }
    static words to(u128 x) { return (words){(uint64_t)(x >> 64), (uint64_t)x}; }
    static rs_number in(number x) { return (rs_number){of(x.low), of(x.slack), x.exponent}; }
    static number out(rs_number x) { return (number){to(x.low), to(x.slack), x.exponent}; }
    static rs_float float_in(number x) { return (rs_float){of(x.low), x.exponent}; }
    static number float_out(rs_float x) { return (number){to(x.mantissa), {0, 0}, x.exponent}; }
    #define TWO(name, call) static number name(number x, number y) \\
        { rs_number a = in(x), b = in(y); (void)b; return out(call); }
    static number c_narrowed(number x) { return out(narrowed(in(x))); }
    static number c_with_exponent(number x, int32_t e)
    {
        rs_number a = in(x);
        return out(with_exponent(&a, e));
    }
    TWO(c_sum, rs_sum(&a, &b))
    TWO(c_product, rs_product(&a, &b))
    static int c_difference(number x, number y, number *size)
    {
        rs_number a = in(x), b = in(y), difference;
        int sign = (int)rs_difference(&a, &b, &difference);
        *size = out(difference);
        return sign;
    }
    static number c_root(number x, uint64_t *y)
    {
        rs_number given = in(x), a = narrowed(given);
        if (a.low) {
            int shift = 126 - rs_bits(a.low);
            shift -= (a.exponent - shift) & 1;
            *y = (uint64_t)(sqrt(rs_approximately((a.low << shift) >> 8)) * 16);
        }
        return out(rs_root(&given));
    }
    static number leading_out(leading x) { return (number){{0, x.bits}, {0, x.lack}, x.exponent}; }
    static number c_leading_of(number x)
    {
        rs_number a = in(x);
        return leading_out(leading_of(&a));
    }
    static leading leading_in(number x) { return (leading){x.low.low, x.slack.low, x.exponent}; }
    static number c_leading_product(number x, number y)
    {
        return out(leading_product(leading_in(x), leading_in(y)));
    }
    static words c_wide_product(words x, words y) { return to(rs_wide_product(of(x), of(y))); }
    static words c_muldiv(words x, uint64_t a, uint64_t b) { return to(rs_muldiv(of(x), a, b)); }
    static bool c_round(number x, number y, uint64_t m, int s, double *found)
    {
        rs_number a = in(x), b = in(y);
        u128 A = s >= 128 ? 0 : s > 0 ? a.low << s : a.low;
        u128 B = s < 0 ? b.low << -s : b.low;
        return round_carefully(&a, &b, m, s, (i128)(A - B * m), B, found);
    }
    static bool c_round_quotient(number x, number y, double *found)
    {
        rs_number a = in(x), b = in(y);
        return rs_round_quotient(&a, &b, found);
    }
    static number c_times(number x, number y)
    {
        return float_out(rs_times(float_in(x), float_in(y)));
    }
    static number c_plus(number x, number y)
    {
        return float_out(rs_plus(float_in(x), float_in(y)));
    }
    static number c_minus(number x, number y)
    {
        return float_out(rs_minus(float_in(x), float_in(y)));
    }
    static number c_within(number x, int64_t error)
    {
        return out(rs_number_within(float_in(x), error));
    }
    static words c_add_linear(const uint8_t *r, const uint32_t *low, const uint64_t *high,
                              int64_t n)
    {
        const rs_discount d = {.low = low, .high = high, .depth = n};
        gain_sums sums = {0, 0};
        add_linear(r, &d, 0, n, &sums);
        return to(sums.products);
    }
    static words c_add_in_two(const uint8_t *r, const uint32_t *low, const uint64_t *high,
                              int64_t n)
    {
        const rs_discount d = {.low = low, .high = high, .depth = n};
        gain_sums sums = {0, 0};
        add_in_two(r, NULL, &d, 0, n, &sums);
        return to(sums.products);
    }
"""

HEAD = """\
Require Import ZArith List.
From Rankspec.core Require Import Words Model.
Import ListNotations.
Open Scope Z_scope.
Set Printing Width 1000000.
Set Printing Depth 10000000.
Definition out x := [low x; slack x; exponent x].
Definition sign_out (p : sign * number) :=
  match fst p with Zero_difference => 0 | Positive_difference => 1 | Negative_difference => 2
  | Open => 3 end :: out (snd p).
Definition float_out x := [mantissa x; power x].
Definition found (x : option (Z * Z)) := match x with Some (m, e) => [m; e] | None => [] end.
"""

Call = tuple[str, Callable[[], list[int]]]
"""An expression in Coq, and its value in C."""


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return compiled(tmp_path_factory.mktemp("core"), "modelled_core", DECLARED, SOURCE)


@pytest.fixture(scope="module")
def model() -> Iterator[Path]:
    with core.compiled(ROOT, only=["Words.v", "Model.v"]) as folder:
        yield folder


def computed(expressions: list[str], folder: Path) -> list[list[int]]:
    """Return what Coq computes: the lists of integers."""
    lines = ";\n  ".join(expressions)
    source = f"{HEAD}Definition calls := [{lines}].\nEval vm_compute in calls.\n"
    printed = core.prover.coqc_text("Calls.v", source, folder)
    text = printed.partition("=")[2].rpartition(":")[0].replace(";", ",")
    return ast.literal_eval(text.strip())


def words(x: int) -> dict[str, int]:
    return {"high": x >> 64, "low": x % 2**64}


class Number(tuple[int, int, int]):
    """low, slack and exponent, as C takes them and as Coq does."""

    @property
    def c(self) -> dict[str, Any]:
        return {"low": words(self[0]), "slack": words(self[1]), "exponent": self[2]}

    @property
    def coq(self) -> str:
        return "(Number {} {} ({}))".format(*self)


def number(low: int, slack: int = 0, exponent: int = 0) -> Number:
    return Number((low, slack, exponent))


def whole(x: Any) -> int:
    return int(x.high) << 64 | int(x.low)


def shown(x: Any) -> list[int]:
    return [whole(x.low), whole(x.slack), x.exponent]


def ends_of_words(rng: random.Random, most: int = 128) -> int:
    """A word, often of few bits, or near the ends of its range."""
    bits = rng.choice([most, rng.randint(0, most)])
    ones = (1 << bits) - 1
    return rng.choice(
        [ones, max(0, ones - rng.getrandbits(3)), ones // 2 + 1, rng.getrandbits(bits)]
    )


def any_number(rng: random.Random) -> Number:
    slack = rng.choice([0, rng.getrandbits(5), ends_of_words(rng), ends_of_words(rng, 60)])
    return number(ends_of_words(rng), slack, rng.randint(-150, 150))


def of_numbers(rng: random.Random, c: Any) -> Iterator[Call]:
    lib, ffi = c.lib, c.ffi
    for _ in range(250):
        x, y, e = any_number(rng), any_number(rng), rng.randint(0, 300)
        yield f"out (narrowed {x.coq})", lambda x=x: shown(lib.c_narrowed(x.c))
        to = x[2] + e
        if 1 <= e < 128 or e > 128:
            yield (
                f"out (with_exponent {x.coq} ({to}))",
                lambda x=x, to=to: shown(lib.c_with_exponent(x.c, to)),
            )
        yield f"out (sum {x.coq} {y.coq})", lambda x=x, y=y: shown(lib.c_sum(x.c, y.c))
        yield f"out (product {x.coq} {y.coq})", lambda x=x, y=y: shown(lib.c_product(x.c, y.c))
        small = number(x[0], x[1] % (x[0] % 2**90 + 1), x[2])
        near = number(small[0] + rng.choice([0, 1, small[1]]), y[1] % 50, rng.choice([x[2], y[2]]))
        if near[0] < 2**128:
            size = ffi.new("number *")
            yield (
                f"sign_out (difference {small.coq} {near.coq})",
                lambda x=small, y=near, size=size: [
                    lib.c_difference(x.c, y.c, size),
                    *shown(size[0]),
                ],
            )
        y_at = ffi.new("uint64_t *")
        root = shown(lib.c_root(small.c, y_at))
        yield f"out (root (fun _ => {y_at[0]}) {small.coq})", lambda root=root: root
        if x[0]:
            yield f"out (leading_of {x.coq})", lambda x=x: shown(lib.c_leading_of(x.c))
        a, b = (number(2**63 + rng.getrandbits(63), rng.randrange(16), 1) for _ in range(2))
        yield (
            f"out (leading_product {a.coq} {b.coq})",
            lambda a=a, b=b: shown(lib.c_leading_product(a.c, b.c)),
        )


def of_words(rng: random.Random, c: Any) -> Iterator[Call]:
    lib = c.lib
    for _ in range(250):
        x, y = ends_of_words(rng, 97), ends_of_words(rng, 127)
        yield (
            f"[wide_product {x} {y}]",
            lambda x=x, y=y: [whole(lib.c_wide_product(words(x), words(y)))],
        )
        z, b = ends_of_words(rng), ends_of_words(rng, 32) or 1
        a = rng.choice([b, b - 1, rng.randint(0, b)])
        yield f"[muldiv {z} {a} {b}]", lambda z=z, a=a, b=b: [whole(lib.c_muldiv(words(z), a, b))]


def floats(rng: random.Random, c: Any) -> Iterator[Call]:
    lib = c.lib
    for _ in range(250):
        m, n = (2**127 + ends_of_words(rng, 127) for _ in range(2))
        m, n = rng.choice([0, m, m, m, m]), rng.choice([0, n, n, n, n])
        e, f = 0, rng.choice([0, 1, -1, 126, -126, -127, 128, rng.randint(-140, 140)])
        x, y = number(m, 0, e), number(n, 0, f)
        for name in ("times", "plus"):
            yield (
                f"float_out ({name} (Float {m} {e}) (Float {n} ({f})))",
                lambda name=name, x=x, y=y: _float(getattr(lib, f"c_{name}")(x.c, y.c)),
            )
        if Fraction(n) * Fraction(2) ** f <= m and f <= e:
            yield (
                f"float_out (minus (Float {m} {e}) (Float {n} ({f})))",
                lambda x=x, y=y: _float(lib.c_minus(x.c, y.c)),
            )
        error = ends_of_words(rng, 62)
        yield (
            f"out (number_within (Float {m} {e}) {error})",
            lambda x=x, error=error: shown(lib.c_within(x.c, error)),
        )


def _float(x: Any) -> list[int]:
    return [whole(x.low), x.exponent]


def sums(rng: random.Random, c: Any) -> Iterator[Call]:
    lib, ffi = c.lib, c.ffi
    for _ in range(100):
        n = rng.randint(0, 40)
        gains = [rng.choice([0, 1, 255, rng.randrange(256)]) for _ in range(n)]
        D = [ends_of_words(rng, 96) for _ in range(n)]
        r = ffi.new("uint8_t[]", gains)
        low = ffi.new("uint32_t[]", [d % 2**32 for d in D])
        high = ffi.new("uint64_t[]", [d >> 32 for d in D])
        listed = "; ".join(f"({g}, {d})" for g, d in zip(gains, D, strict=True))
        for name in ("add_linear", "add_in_two"):
            yield (
                f"[{name} [{listed}]]",
                lambda name=name, r=r, low=low, high=high, n=n: [
                    whole(getattr(lib, f"c_{name}")(r, low, high, n))
                ],
            )


@pytest.mark.spec("RS-NUM-6", "RS-NUM-10", "RS-NUM-12", "RS-NUM-19", "RS-NUM-20", "RS-NUM-66")
@pytest.mark.parametrize("calls", [of_numbers, of_words, floats, sums])
def test_c_computes_what_the_model_does(calls: Any, c: Any, model: Path) -> None:
    asked = list(calls(random.Random(1), c))
    for (expression, in_c), value in zip(
        asked, computed([expression for expression, _ in asked], model), strict=True
    ):
        assert in_c() == value, expression


def quotients(rng: random.Random) -> Iterator[tuple[Number, Number]]:
    """Quotients near doubles, ties and powers of two, with slacks that may open them, and any."""
    for top, slack in product((30, 53, 64, 120), (0, 1, 1 << 20, 1 << 64, 1 << 100)):
        for _ in range(12):
            b = rng.getrandbits(top - 1) | 1 << (top - 1)
            m = rng.choice([2**52, 2**53 - 1, 2**52 + 1, 2**52 + rng.getrandbits(52)])
            near = 4 * m + rng.choice([-2, -1, 0, 1, 2])
            a = b * near + rng.choice([0, 0, 1, -1, rng.randint(-b, b)])
            a = a << max(0, 118 - a.bit_length()) if rng.random() < 0.5 else a
            a >>= max(0, a.bit_length() - 120)
            slacks = [rng.choice([0, slack, rng.randrange(slack + 1)]) for _ in range(2)]
            x, y = number(a, slacks[0], rng.randint(-9, 9)), number(b, slacks[1])
            yield (x, y) if rng.random() < 0.8 else (y, x)


def approximately(x: int) -> float:
    """x by two conversions and a sum, as rs_approximately() has it."""
    return float(x >> 62) * 2.0**62 + float(x & (1 << 62) - 1)


def estimate(x: Number, y: Number) -> tuple[int, int]:
    """m and s with x / y about m 2^-s, in double precision, as rs_round_quotient() begins."""
    q = approximately(x[0]) * (1 / approximately(y[0]))
    mantissa, exponent = math.frexp(q)
    return int(math.ldexp(mantissa, 53)), 53 - exponent


@pytest.mark.spec("RS-NUM-7/L1")
def test_quotients_are_rounded_as_the_model_rounds_them(c: Any, model: Path) -> None:
    """By the comparison in integers alone, and after that in double precision."""
    rng, lib, ffi = random.Random(2), c.lib, c.ffi
    pairs = list(quotients(rng))
    begun = [estimate(x, y) for x, y in pairs]
    expressions = [
        f"found (round_quotient_from {m} ({s}) {x.coq} {y.coq})"
        for (x, y), (m, s) in zip(pairs, begun, strict=True)
    ]
    decided = 0
    for (x, y), (m, s), value in zip(pairs, begun, computed(expressions, model), strict=True):
        by_integers, rounded = ffi.new("double *"), ffi.new("double *")
        assert lib.c_round(x.c, y.c, m, s, by_integers) == bool(value), (x, y, m, s)
        assert lib.c_round_quotient(x.c, y.c, rounded) == bool(value), (x, y)
        if value:
            decided += 1
            assert by_integers[0] == rounded[0] == math.ldexp(*value), (x, y, m, s)
    assert len(pairs) / 4 < decided < len(pairs)
