"""The steps of the core in floating point, each within its bound (RS-NUM-12 to RS-NUM-14).

A double shows 53 bits of what has more than 100. So the core is compiled here once more, with
functions that show the numbers whole, and these are compared with fractions and enclosures.
"""

from __future__ import annotations

import random
from fractions import Fraction

import flint
import pytest

from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.relevance import QUARTILES, VARIANT, quartiles_of, relevance_of
from rankspec.reference.numbers.enclosure import Enclosures

from ..each import each
from ..reference import balls
from .compiled import compiled

DECLARED = """
    typedef struct { uint64_t high, low; int32_t exponent; } number;
    number times(number x, number y);
    number plus(number x, number y);
    number minus(number x, number y);
    number inverse(number x);
    number exp2_minus_1(number x);
    number gain_of_label(double label);
    number step_of_logarithm(uint64_t n);
    number entry_of(number C, int32_t shift, number x, uint64_t error);
    void phi_of_scores(const double *x, int64_t n, const double *given, int64_t given_n,
                       int32_t variant, int32_t quartiles, number *y, number *gain, uint8_t *known);
"""
SOURCE = """
    #include "core.c"
    typedef struct { uint64_t high, low; int32_t exponent; } number;
    static rs_float in(number x)
    {
        return (rs_float){(u128)x.high << 64 | x.low, x.exponent};
    }
    static number out(rs_float x)
    {
        return (number){(uint64_t)(x.mantissa >> 64), (uint64_t)x.mantissa, x.exponent};
    }
    static number times(number x, number y) { return out(rs_times(in(x), in(y))); }
    static number plus(number x, number y) { return out(rs_plus(in(x), in(y))); }
    static number minus(number x, number y) { return out(rs_minus(in(x), in(y))); }
    static number inverse(number x) { return out(rs_inverse(in(x))); }
    static number exp2_minus_1(number x) { return out(rs_exp2_minus_1(in(x))); }
    static number gain_of_label(double label) { return out(gain_exp2_real(label)); }
    static number step_of_logarithm(uint64_t n)
    {
        u128 step = step_to(n);
        return (number){(uint64_t)(step >> 64), (uint64_t)step, -120};
    }
    static number entry_of(number C, int32_t shift, number x, uint64_t error)
    {
        u128 D;
        bool sure = entry(in(C).mantissa, shift, in(x).mantissa, error, &D);
        return sure ? (number){(uint64_t)(D >> 64), (uint64_t)D, 0} : (number){0, 0, 1};
    }
    static void phi_of_scores(const double *x, int64_t n, const double *given, int64_t given_n,
                              int32_t variant, int32_t quartiles, number *y, number *gain,
                              uint8_t *known)
    {
        rs_points points = {given, given + given_n, given_n, variant, quartiles};
        workspace w;
        rs_rooms rooms = {0};
        make_workspace(&w, &points, n, &rooms);
        rs_label_keys(x, RS_F64, n, w.keys);
        memcpy(w.sorted, w.keys, (size_t)n * sizeof *w.keys);
        take_in_pool(&w, n, RS_F64);
        for (int64_t i = 0; i < n; i++) {
            rs_float value;
            bool level;
            known[i] = phi(&w.f, w.keys[i], RS_F64, &value, &level);
            y[i] = out(value);
            gain[i] = out(gain_phi(value));
        }
        rs_leave(&rooms);
    }
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("core"), "shown_core", DECLARED, SOURCE)


def number(mantissa: int, exponent: int):
    return {"high": mantissa >> 64, "low": mantissa & ((1 << 64) - 1), "exponent": exponent}


def fraction(x) -> Fraction:
    return Fraction((x.high << 64) + x.low) * Fraction(2) ** x.exponent


def mantissas(rng: random.Random, n: int) -> list[int]:
    """Mantissas of 128 bits, many of them near the ends of their range or with few bits."""
    lowest, end = 1 << 127, 1 << 128
    found = [lowest, lowest + 1, end - 1, lowest | (1 << 64), end - (1 << 64), 3 << 126]
    while len(found) < n:
        kind = rng.randrange(3)
        found.append(
            lowest + rng.getrandbits(127)
            if kind == 0
            else lowest + (rng.getrandbits(30) << rng.randrange(98))
            if kind == 1
            else end - 1 - rng.getrandbits(rng.randrange(1, 127))
        )
    return found


def assert_lacks(computed: Fraction, true: Fraction, bits: int) -> None:
    """computed is not above true, and lacks less than 2^-bits of it."""
    assert true * (1 - Fraction(1, 1 << bits)) < computed <= true or computed == true == 0


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-12", "RS-NUM-12/L1")
def test_sums_products_and_quotients(core):
    rng = random.Random(1)
    xs = mantissas(rng, 400)
    for x, y in [(x, y) for x in xs[:12] for y in xs[:12]] + list(
        zip(xs, reversed(xs), strict=True)
    ):
        a = number(x, rng.randint(-200, 200))
        near = a["exponent"] + rng.choice([0, 0, 1, -1, 2, 64, -127, -128, rng.randint(-140, 140)])
        b = number(y, near)
        true_a, true_b = (Fraction(m) * Fraction(2) ** n["exponent"] for m, n in ((x, a), (y, b)))
        assert_lacks(fraction(core.lib.times(a, b)), true_a * true_b, 126)
        assert_lacks(fraction(core.lib.plus(a, b)), true_a + true_b, 126)
        inverse = fraction(core.lib.inverse(a))
        assert abs(inverse * true_a - 1) < Fraction(1, 1 << 124)
        if true_a >= true_b:
            difference = fraction(core.lib.minus(a, b)) - (true_a - true_b)
            assert 0 <= difference < true_a / (1 << 127)


def exp2_minus_1(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of 2^x - 1 that are much closer than the core's."""
    leading_zeros = x.denominator.bit_length() - x.numerator.bit_length()
    enclosed = Enclosures(192 + max(0, leading_zeros)).exp2(x) - 1
    return enclosed.lower, enclosed.upper


def assert_gain_lacks(computed: Fraction, x: Fraction, bits: int) -> None:
    lower, upper = exp2_minus_1(x)
    assert upper * (1 - Fraction(1, 1 << bits)) < computed <= lower or computed == lower == upper


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-13", "RS-NUM-13/L1", "RS-GAIN-2")
def test_two_to_the_power(core):
    rng = random.Random(2)
    for m in mantissas(rng, 120):
        for shift in (0, 1, 5, 6, 11, 12, 13, 60, 127, 128, 900, rng.randint(0, 130)):
            x = Fraction(m, 1 << (128 + shift))
            assert_gain_lacks(fraction(core.lib.exp2_minus_1(number(m, -128 - shift))), x, 110)
    assert fraction(core.lib.exp2_minus_1(number(1 << 127, -127))) == 1
    assert fraction(core.lib.exp2_minus_1(number(0, 0))) == 0


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-13", "RS-NUM-13/L1", "RS-GAIN-2")
def test_gains_of_labels(core):
    rng = random.Random(3)
    labels = [0.0, 5e-324, 1e-300, 2.0**-12, 1.5, 63.0, 64.0, 127.0, 128.0, 129.0, 1022.5, 1023.0]
    labels += [rng.random() * 2.0 ** rng.randint(-20, 10) * 0.99 for _ in range(500)]
    for label in labels:
        assert_gain_lacks(fraction(core.lib.gain_of_label(label)), Fraction(label), 110)


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-28")
def test_steps_of_logarithms(core):
    rng = random.Random(4)
    lacks = []
    for n in (
        *range(3, 600, 2),
        *(rng.randrange(3, 1 << rng.randint(3, 31)) | 1 for _ in range(2000)),
    ):
        step = fraction(core.lib.step_of_logarithm(n))
        with flint.ctx.workprec(200):
            lower, upper = balls.ends_of(balls.log(Fraction(n, n - 1), 2))
        assert step <= lower
        lacks.append((upper - step) * (1 << 120))
    assert 1 < max(lacks) < 3  # that no bound of 1 holds is the control


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-28")
def test_an_entry_that_could_be_another_is_not_shown(core):
    rng, shift, error = random.Random(5), 88, 5
    for _ in range(2000):
        x, around = rng.randrange(1 << 121, 1 << 126), rng.randrange(1 << 127, 1 << 128)
        D = (around << shift) // x
        whole = -(-D * x >> shift)  # the first C that gives D without a rest, or almost

        def entry(C, x=x):
            found = core.lib.entry_of(number(C, 0), shift, number(x, 0), error)
            return None if found.exponent else (found.high << 64) + found.low

        assert entry(whole) is None
        assert entry(whole - 1) is None
        assert entry(whole + (x >> shift + 1)) == D
        assert entry(whole + (x >> shift + 16)) == D
        assert entry(whole + (D * error >> shift) - 1) is None
        assert entry(((D + 1) * x >> shift) - 1) is None


def score_sets(rng: random.Random) -> list[list[float]]:
    """Scores of many shapes: with ties, outliers, negative ones, and a wide range."""
    makers = [
        lambda: float(rng.randint(1, 1000)),
        lambda: float(rng.choice([0, 0, 0, 0, 1, 2, 5, 100])),
        lambda: rng.lognormvariate(0, 4),
        lambda: rng.gauss(0, 1),
        lambda: rng.random() * 2.0 ** rng.randint(-40, 0),
        lambda: float(rng.randint(-(1 << 52), 1 << 52)),
    ]
    return [[make() for _ in range(rng.randint(1, 25))] for make in makers for _ in range(15)]


GIVEN = [
    None,
    [(0, 0), (1, 0.25), (2, 1)],  # the first slope is 0, of terms that are not
    [(-1, 0.125), (3, 0.5), (5, 0.5), (6, 1)],
    [(0, 0), (1, 2**-40), (1000, 1)],
    [(0, 0.1), (1000, 0.9)],
    [(0, 1e-9), (0.3, 0.0625), (0.5, 0.0626), (7, 0.75), (512, 1)],
]


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-14", "RS-NUM-14/L1")
@each("variant", VARIANT.words)
@each("quartiles", QUARTILES.words, fast=2)
@each("points", GIVEN, ids=lambda points: f"{len(points or [])} points")
def test_relevance_and_its_gain(core, variant, quartiles, points):
    if points and (variant, quartiles) != ("text", "own"):
        return  # they are not read
    rng = random.Random(4)
    metric = next(m for m in METRICS if m.name == "DCG_phi")
    measure = make(metric, None, variant=variant, quartiles=quartiles, points=points)
    core_words = (VARIANT.words.index(variant),)
    core_words += (QUARTILES.words.index(quartiles_of(variant, quartiles)) - 1,)
    given = core.ffi.new("double[]", [s for s, _ in points or []] + [y for _, y in points or []])
    unknown = items = 0
    for scores in score_sets(rng):
        n = len(scores)
        room = [core.ffi.new("number[]", n) for _ in range(2)] + [core.ffi.new("uint8_t[]", n)]
        x = core.ffi.new("double[]", scores)
        core.lib.phi_of_scores(x, n, given, len(points or []), *core_words, *room)
        exact_phi = relevance_of(measure, scores)
        for i, s in enumerate(scores):
            items += 1
            if not room[2][i]:
                unknown += 1
                continue
            true = exact_phi(s)
            assert abs(fraction(room[0][i]) - true) <= true / (1 << 112), (scores, s)
            lower, upper = exp2_minus_1(true)
            gain = fraction(room[1][i])
            assert gain <= lower, (scores, s)
            assert upper <= gain * (1 + Fraction(1, 1 << 109)), (scores, s)
    assert unknown < items / 5
