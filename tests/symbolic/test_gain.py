"""What the spec claims of gains and discounts, derived from the reference's own functions."""

from __future__ import annotations

import pytest
import sympy

from rankspec.reference.gain import (
    discount_jarvelin_2002,
    discount_jarvelin_2008,
    discount_log,
    discount_none,
    discount_zipf,
    gain_exp2,
    gain_linear,
    gain_table,
    inverse_propensity,
)

from .proof import SYMBOLS, equal, symbols

r, c, i, t = symbols("r c i t")
b = 1 + t  # any base above 1
e = sympy.Symbol("e", integer=True, positive=True)


@pytest.mark.spec("RS-GAIN-1/L1", "RS-GAIN-1/L2")
def test_linear_gain():
    g = gain_linear(r, SYMBOLS)
    assert gain_linear(0, SYMBOLS) == 0
    assert sympy.diff(g, r).is_positive
    assert equal(gain_linear(c * r, SYMBOLS), c * g)
    assert not equal(gain_linear(c * r, SYMBOLS), c + g)  # control


@pytest.mark.spec("RS-GAIN-4", "RS-GAIN-4/L1")
def test_inverse_propensity():
    N, A = 3 + t, c
    of = {N_l: inverse_propensity(N_l, N, A, sympy.Rational(3, 2), SYMBOLS) for N_l in (0, 1, 4)}
    C = (sympy.log(N) - 1) * sympy.Rational(5, 2) ** A
    assert sympy.simplify(of[4] - 1 - C * sympy.Rational(11, 2) ** -A) == 0
    assert equal(of[1], sympy.log(N))
    assert not equal(of[0], sympy.log(N))  # control


@pytest.mark.spec("RS-GAIN-2/L1")
def test_exponential_gain_rises():
    slope = sympy.diff(gain_exp2(r, SYMBOLS), r)
    assert gain_exp2(0, SYMBOLS) == 0
    assert slope.is_positive
    assert not sympy.diff(-gain_exp2(r, SYMBOLS), r).is_positive  # control


@pytest.mark.spec("RS-GAIN-2/L2")
def test_exponential_gain_of_binary_labels_is_linear():
    assert [gain_exp2(x, SYMBOLS) for x in (0, 1)] == [gain_linear(x, SYMBOLS) for x in (0, 1)]
    assert gain_exp2(2, SYMBOLS) != gain_linear(2, SYMBOLS)  # control


@pytest.mark.spec("RS-GAIN-2/L3")
def test_exponential_gain_doubles():
    g = gain_exp2(r, SYMBOLS)
    assert equal(gain_exp2(r + 1, SYMBOLS), 2 * g + 1)
    assert not equal(gain_exp2(r + 1, SYMBOLS), 2 * g)  # control


@pytest.mark.spec("RS-GAIN-3")
def test_table_gain_is_its_entry():
    w = symbols("w:4")
    assert [gain_table(x, w, SYMBOLS) for x in range(4)] == list(w)
    assert gain_table(1, w, SYMBOLS) != w[0]  # control


@pytest.mark.spec("RS-DISC-1/L1", "RS-DISC-2/L1", "RS-DISC-4/L1")
@pytest.mark.parametrize(
    "d",
    [
        lambda i: discount_log(i, b, SYMBOLS),
        lambda i: discount_jarvelin_2008(1 + i, b, SYMBOLS),  # from rank 1 on
        lambda i: discount_zipf(i, SYMBOLS),
    ],
)
def test_discounts_are_positive_and_fall_with_the_rank(d):
    """d(i) = 1/f(i) with f > 0 and f' > 0 for every real i > 0."""
    f = 1 / d(i)
    assert sympy.expand_log(f, force=False).is_positive
    assert sympy.diff(f, i).is_positive
    assert not sympy.diff(d(i), i).is_positive  # control: d itself does not rise


@pytest.mark.spec("RS-DISC-1/L2")
def test_log_discount_changes_base_by_a_factor():
    d = discount_log(i, b, SYMBOLS)
    assert equal(d, SYMBOLS.log(b, 2) * discount_log(i, 2, SYMBOLS))
    assert not equal(d, discount_log(i, 2, SYMBOLS) / SYMBOLS.log(b, 2))  # control


@pytest.mark.spec("RS-DISC-1/L3")
def test_log_discount_of_rational_ranks():
    d = discount_log(2**e - 1, 2, SYMBOLS)
    assert equal(d, 1 / e)
    assert not equal(d, 1 / (e + 1))  # control
    for n in range(1, 20):
        assert discount_log(2**n - 1, 2, SYMBOLS) == sympy.Rational(1, n)


@pytest.mark.spec("RS-DISC-2/L2")
def test_jarvelin_2008_is_a_logarithm_of_a_multiple():
    d = discount_jarvelin_2008(i, b, SYMBOLS)
    assert equal(d, 1 / SYMBOLS.log(b * i, b))
    assert not equal(d, 1 / SYMBOLS.log(i + 1, b))  # control: the other logarithmic discount


@pytest.mark.spec("RS-DISC-2")
def test_jarvelin_2008_at_powers_of_the_base():
    d = discount_jarvelin_2008(b**e, b, SYMBOLS)
    assert equal(d, 1 / (1 + e))
    assert not equal(d, 1 / e)  # control
    assert discount_jarvelin_2008(1, b, SYMBOLS) == 1


@pytest.mark.spec("RS-DISC-2/L3")
def test_jarvelin_2008_ratio_depends_on_the_base():
    ratio = discount_jarvelin_2008(2, b, SYMBOLS) / discount_jarvelin_2008(1, b, SYMBOLS)
    assert equal(ratio, 1 / (1 + SYMBOLS.log(2, b)))
    assert ratio.subs(t, 1) == sympy.Rational(1, 2)
    assert equal(ratio.subs(t, 3), sympy.Rational(2, 3))
    assert sympy.diff(ratio, t) != 0
    log_ratio = discount_log(2, b, SYMBOLS) / discount_log(1, b, SYMBOLS)
    assert sympy.simplify(sympy.diff(log_ratio, t)) == 0  # control: that of RS-DISC-1 does not


@pytest.mark.spec("RS-DISC-3/L1", "RS-DISC-3/L2")
@pytest.mark.parametrize("base", [2, 3, 10, sympy.Rational(5, 2), sympy.E])
def test_jarvelin_2002_is_one_formula(base):
    """1 / max(1, log_b i), and equality of neighbours exactly where i + 1 <= b."""

    def d(rank):
        return discount_jarvelin_2002(rank, base, SYMBOLS)

    for rank in range(1, 30):
        assert equal(d(rank), 1 / sympy.Max(1, SYMBOLS.log(rank, base)))
        assert equal(d(rank), d(rank + 1)) == bool(rank + 1 <= base)
        assert (d(rank) - d(rank + 1)).evalf() >= 0
    rank = int(base) + 1
    assert not equal(d(rank), 1 / sympy.Max(1, SYMBOLS.log(rank + 1, base)))  # control


@pytest.mark.spec("RS-DISC-3")
def test_jarvelin_2002_beyond_the_base_is_the_log_discount_one_rank_up():
    rank = 10
    d = discount_jarvelin_2002(rank, 4, SYMBOLS)
    assert equal(d, discount_log(rank - 1, 4, SYMBOLS))
    assert not equal(d, discount_log(rank, 4, SYMBOLS))  # control


@pytest.mark.spec("RS-DISC-4")
def test_zipfian_discounts_sum_to_harmonic_numbers():
    total = sum(discount_zipf(rank, SYMBOLS) for rank in range(1, 13))
    assert equal(total, sympy.harmonic(12))
    assert not equal(total, sympy.harmonic(11))  # control


@pytest.mark.spec("RS-DISC-6")
def test_no_discount_is_one_at_a_symbolic_rank():
    assert discount_none(i, SYMBOLS) == 1
    assert discount_zipf(i, SYMBOLS) != 1  # control
