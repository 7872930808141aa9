"""Long tables of discounts by the core, against the reference and against python-flint's balls."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction

import flint
import pytest

from rankspec.compute.gain import Discount, discount
from rankspec.compute.tables import fixed_point, logarithm_of

from ..each import each

core = pytest.importorskip("rankspec.compute.core", reason="the C core is not built")

NAMES = (
    "log2",
    "log(b=10)",
    "log(b=1.5)",
    "log(b=1.0000001)",
    "log(b=1000000)",
    "jarvelin-2008(b=2)",
    "jarvelin-2008(b=1.01)",
    "jarvelin-2002(b=2)",
    "jarvelin-2002(b=2.5)",
    "jarvelin-2002(b=50)",
    "jarvelin-2002(b=399.5)",
    "jarvelin-2002(b=1e10)",
    "jiang-2016(b=4)",
    "jiang-2016(b=1000)",
    "zipf",
)


def table(choice: Discount, depth: int) -> tuple[list[int], list[int], int]:
    """The entries of the core, their sums, and the exponent."""
    made = core._built_table(choice, depth)  # it holds the arrays
    found = made.structure
    n = found.depth
    entries = [found.low[i] | found.high[i] << 32 for i in range(n)]
    sums = [found.sum_low[i] | found.sum_high[i] << 64 for i in range(n + 1)]
    return entries, sums, found.exponent


def left_open(choice: Discount, depth: int, **changed: int) -> tuple[list[int], list[int]]:
    """The entries of the core alone, and the ranks that it leaves to the reference."""
    of = logarithm_of(choice, depth)
    assert of is not None
    low, high = core.ffi.new("uint32_t[]", depth), core.ffi.new("uint64_t[]", depth)
    left = core.ffi.new("int64_t[]", core.MOST_LEFT)
    fields = {**core._fields(of), **changed}
    n = core.lib.rs_discount_logarithm(
        core.ffi.new("rs_logarithm *", fields), depth, low, high, left, core.MOST_LEFT
    )
    entries = [low[i] | high[i] << 32 for i in range(depth)]
    return entries, left[0 : min(n, core.MOST_LEFT)]


def log2_entries(ranks: Iterable[int]) -> Iterable[int]:
    """floor(2^95 / log2(i + 1)), by python-flint; a power of two has a whole logarithm."""
    with flint.ctx.workprec(300):
        scale, log_2 = flint.arb(2) ** 95, flint.arb(2).log()
        for i in ranks:
            e = i.bit_length()
            if i + 1 == 1 << e:
                yield 2**95 // e
            else:
                yield int((scale * log_2 / flint.arb(i + 1).log()).floor().unique_fmpz())


@pytest.mark.spec("RS-NUM-4/L1", "RS-NUM-28/L1")
@each("name", NAMES)
def test_l1_each_entry_is_that_of_the_reference(name: str) -> None:
    choice = discount(name)
    entries, sums, exponent = table(choice, 400 if name != "log2" else 4200)
    depth = 450
    assert (entries[:depth], exponent, 1) == fixed_point(choice, depth)
    assert sums[0] == 0
    assert all(sums[i] == sums[i - 1] + D for i, D in enumerate(entries, start=1))


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-28/L1")
@each("name", NAMES)
def test_l1_deep_entries_are_those_of_the_reference(name: str) -> None:
    choice = discount(name)
    of, (entries, _, exponent) = logarithm_of(choice, 1 << 20), table(choice, 1 << 20)
    ranks = random.Random(name).sample(range(1, len(entries)), 400)
    for i in (1, 2, *range(4090, 4100), *ranks, len(entries)):
        if of is None:
            assert entries[i - 1] == (Fraction(2) ** -exponent) // i
        else:
            assert entries[i - 1] == of.entry(i)


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-28/L1")
def test_l1_entries_of_log2_are_those_of_python_flint() -> None:
    entries, _, exponent = table(discount("log2"), 1 << 23)
    assert exponent == -95
    deep = random.Random(1).sample(range(1, len(entries) + 1), 100_000)
    ranks = [*range(1, (1 << 17) + 1), *deep]
    assert [entries[i - 1] for i in ranks] == list(log2_entries(ranks))


@pytest.mark.spec("RS-NUM-28")
def test_what_is_rational_is_left_to_the_reference_and_little_else() -> None:
    choice = discount("log(b=3)")
    entries, left = left_open(choice, 100_000)
    whole = {3**e - 1 for e in (1, 2, 4, 8)}  # 1/e times a power of two is a whole number
    assert whole <= set(left)
    assert len(left) < 12
    assert all(entries[i - 1] == 0 for i in left)


@pytest.mark.spec("RS-NUM-28")
@each("field", ["b_low", "a_low"])
def test_a_base_that_is_off_is_seen(field: str) -> None:
    """The control: a number of which the last 16 bits are wrong gives other entries."""
    choice = discount("jarvelin-2008(b=10)")
    of = logarithm_of(choice, 5000)
    assert of is not None
    right, _ = left_open(choice, 5000)
    wrong, _ = left_open(choice, 5000, **{field: core._fields(of)[field] ^ 0xFFFF_FFFF})
    assert right != wrong


@pytest.mark.spec("RS-NUM-28")
@each(
    ("name", "depth", "made"),
    [
        ("log2", 64, True),
        ("log2", 63, False),
        ("log2", (1 << 31) - 2, True),
        ("log2", (1 << 31) - 1, False),
        ("log(b=1e19)", 100, True),
        ("log(b=1e30)", 100, False),
        ("jarvelin-2002(b=65)", 100, True),
        ("jiang-2016(b=2.5)", 100, False),
        ("jarvelin-2008(b=1.0000000000000002)", 100, True),
        ("zipf", 100, False),
        ("none", 100, False),
    ],
)
def test_which_tables_the_core_makes(name: str, depth: int, made: bool) -> None:
    assert (logarithm_of(discount(name), depth) is not None) == made


@pytest.mark.spec("RS-NUM-28")
def test_a_base_next_to_1_has_the_entries_of_the_reference() -> None:
    for name in ("jarvelin-2008(b=1.0000000000000002)", "log(b=1.0000000000000002)"):
        entries, _, exponent = table(discount(name), 100)
        assert (entries, exponent, 1) == fixed_point(discount(name), len(entries))
