"""ERR, nERR, RBP and GAP of the core: what it knows of a value before it rounds it, and values.

The core is compiled once more, with functions that show the numbers of one list: a number lies
between low and low + slack. It is compared with fractions (RS-NUM-15 to RS-NUM-17).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.compute.gain import Geometric, discount
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.reference import cascade, precision, ties
from rankspec.reference.cascade import stop_probability

from ..each import in_lane, thinned
from .batches import flat, undecided_share
from .compiled import compiled

ERR, NERR, RBP, GAP = (
    next(m for m in METRICS if m.function == name) for name in ("err", "nerr", "rbp", "gap")
)
DECLARED = """
    typedef struct { uint64_t low[2], slack[2]; int32_t exponent; } number;
    void err_of_list(const uint8_t *r, const uint8_t *starts, int64_t n, const double *stop,
                     int64_t size, const void *inverse, const int64_t *k, int64_t nk, number *to);
    void ierr_of_list(const uint8_t *J, int64_t n, const double *stop, int64_t size,
                      const void *inverse, const int64_t *k, int64_t nk, number *to);
    int64_t mean_products_of(const uint8_t *r, int64_t n, int64_t m, const double *stop,
                             int64_t size, int whole, uint64_t *a, uint64_t *error);
    void rbp_of_list(const uint8_t *R, const uint8_t *starts, int64_t n, double p,
                     const void *powers, const int64_t *k, int64_t nk, number *to);
    void weight_of_rank(double p, int64_t s, number *to);
    void gsp_of_list(const uint8_t *reached, const uint8_t *starts, int64_t n, const double *q,
                     int64_t n_q, const void *inverse, const int64_t *k, int64_t nk, number *to,
                     number *expected);
"""
SOURCE = """
    #include "core.c"
    typedef struct { uint64_t low[2], slack[2]; int32_t exponent; } number;
    static void split(u128 x, uint64_t *to)
    {
        to[0] = (uint64_t)x;
        to[1] = (uint64_t)(x >> 64);
    }
    static void show(const rs_number *x, int64_t n, number *to)
    {
        for (int64_t j = 0; j < n; j++) {
            split(x[j].low, to[j].low);
            split(x[j].slack, to[j].slack);
            to[j].exponent = x[j].exponent;
        }
    }
    static void err_of_list(const uint8_t *r, const uint8_t *starts, int64_t n,
                            const double *probability, int64_t size, const void *inverse,
                            const int64_t *k, int64_t nk, number *to)
    {
        rs_gain given = {probability, size, RS_TABLE};
        label_list list = {r, r, n, RS_U8, 255};
        rs_number found[64];
        stop_table stop;
        expectation_room room = {0};
        make_stop_table(&given, &stop);
        if (starts)
            expected_err(&list, starts, &stop, inverse, k, nk, &room, found);
        else
            err_of(&list, &stop, inverse, k, nk, found);
        free_expectation(&room);
        show(found, nk, to);
    }
    static void ierr_of_list(const uint8_t *J, int64_t n, const double *probability, int64_t size,
                     const void *inverse, const int64_t *k, int64_t nk, number *to)
    {
        rs_gain given = {probability, size, RS_TABLE};
        label_list list = {J, J, n, RS_U8, 255};
        rs_number found[64];
        uint8_t *scratch = malloc((size_t)n + 1);
        stop_table stop;
        make_stop_table(&given, &stop);
        ierr_of(&list, &stop, inverse, k, nk, scratch, found);
        free(scratch);
        show(found, nk, to);
    }
    static int64_t mean_products_of(const uint8_t *r, int64_t n, int64_t m,
                                    const double *probability, int64_t size, int whole, uint64_t *a,
                                    uint64_t *error)
    {
        rs_gain given = {probability, size, RS_TABLE};
        stop_table stop;
        expectation_room room = {0};
        grades g;
        u128 most;
        make_stop_table(&given, &stop);
        if (!whole)
            stop.bits = -1;
        count_grades(r, n, &g, &room);
        int64_t known = mean_products(&g, &stop, n, m, &room, &most);
        for (int64_t j = 0; j <= known; j++)
            split(room.a[j], a + 2 * j);
        split(most, error);
        free_expectation(&room);
        return known;
    }
    static void rbp_of_list(const uint8_t *R, const uint8_t *starts, int64_t n, double p,
                    const void *powers, const int64_t *k, int64_t nk, number *to)
    {
        const rs_gain linear = {.kind = RS_LINEAR};
        persistence goes_on;
        rs_number found[64];
        int64_t scratch[64];
        make_persistence(p, &linear, &goes_on);
        rbp_of(R, starts, n, &goes_on, powers, k, nk, scratch, found);
        show(found, nk, to);
    }
    static void weight_of_rank(double p, int64_t s, number *to)
    {
        const rs_gain linear = {.kind = RS_LINEAR};
        persistence goes_on;
        make_persistence(p, &linear, &goes_on);
        rs_number weight = weight_after(&goes_on, s);
        show(&weight, 1, to);
    }
    static void gsp_of_list(const uint8_t *reached, const uint8_t *starts, int64_t n,
                            const double *q, int64_t n_q, const void *inverse, const int64_t *k,
                            int64_t nk, number *to, number *expected)
    {
        threshold_weights w;
        rs_number found[64];
        graded_list x = {reached, starts, n};
        make_threshold_weights(q, n_q, &w);
        if (starts)
            expected_gsp(&x, &w, inverse, k, nk, found);
        else
            gsp_of(&x, &w, inverse, k, nk, found);
        show(found, nk, to);
        found[0] = expected_number_relevant(reached, n, &w);
        show(found, 1, expected);
    }
"""
TABLES: dict[str, list[float]] = {
    "max=4": [float(stop_probability(g, 4)) for g in range(5)],
    "max=52": [float(stop_probability(g, 52)) for g in (0, 1, 30, 51, 52)],
    "max=16": [float(stop_probability(g, 16)) for g in (0, 4, 8, 12, 16)],
    "decimal": [0, 0.3, 0.5, 0.9, 1.0],
    "no zero": [0.1, 0.1, 0.2, 0.7, 0.99],
    "certain": [0, 1, 1, 1, 1],
    "tiny": [5e-324, 1e-300, 2.0**-80, 1e-20, 0.5],
    "nearly certain": [0, 1 - 2.0**-53, 1 - 2.0**-53, 1, 1],
}
BITS = pytest.mark.parametrize("bits", [96, 60, 50])


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("core"), "shown_cascade", DECLARED, SOURCE)


def pointer(core, table):
    """A table of the package's own binding, for the one that is compiled here."""
    return core.ffi.cast("void *", int(binding.ffi.cast("uintptr_t", table.structure)))


def whole(pair) -> int:
    return int(pair[0]) + (int(pair[1]) << 64)


def assert_holds(x, true: Fraction, most: Fraction | None = None) -> None:
    """The true number is between low and low + slack; the slack is at most that part of it."""
    unit = Fraction(2) ** x.exponent
    low, slack = whole(x.low), whole(x.slack)
    assert low * unit <= true <= (low + slack) * unit
    assert most is None or slack * unit <= most * true


def grouped(labels: Sequence[int], starts: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for label, start in zip(labels, starts, strict=True):
        if start or not groups:
            groups.append([])
        groups[-1].append(label)
    return groups


def some_list(rng: random.Random, longest: int = 40, highest: int = 4) -> bytes:
    kind = rng.randrange(3)
    n = rng.randint(0, longest)
    if kind == 0:
        return bytes(rng.randint(0, highest) for _ in range(n))
    if kind == 1:  # first one that stops, late
        return bytes(rng.choice([0] * 12 + [1, highest]) for _ in range(n))
    return bytes(min(int(rng.expovariate(1)), highest) for _ in range(n))


# ---- what is known before it is rounded ------------------------------------------------------


@pytest.mark.slow
@pytest.mark.long(but=4)
@pytest.mark.parametrize("table", TABLES)
@BITS
@pytest.mark.spec("RS-CAS-1", "RS-CAS-2", "RS-CAS-3", "RS-NUM-15", "RS-NUM-15/L1")
def test_numbers_of_err(core, monkeypatch, table, bits):
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    inverse = pointer(core, binding._table(discount("zipf"), 40))
    stop = TABLES[table]
    k = [1, 2, 3, 7, 20, binding.lib.RS_WHOLE]
    rng = random.Random(table)
    for _ in range(60):
        labels = some_list(rng)
        found, ideal = core.ffi.new("number[]", len(k)), core.ffi.new("number[]", len(k))
        given = (stop, len(stop), inverse, k, len(k))
        core.lib.err_of_list(labels, core.ffi.NULL, len(labels), *given, found)
        core.lib.ierr_of_list(labels, len(labels), *given, ideal)
        for j, cutoff in enumerate(k):
            most = Fraction(1, 1 << 30) if bits == 96 and table != "tiny" else None
            R = [Fraction(x) for x in stop].__getitem__
            assert_holds(found[j], cascade.err(labels, cutoff, R), most)
            assert_holds(ideal[j], cascade.ierr(labels, cutoff, R), most)


@pytest.mark.slow
@pytest.mark.long(but=6)
@pytest.mark.parametrize("table", TABLES)
@BITS
@pytest.mark.spec("RS-EXP-13", "RS-EXP-14", "RS-NUM-16", "RS-NUM-16/L1")
def test_numbers_of_expected_err(core, monkeypatch, table, bits):
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    inverse = pointer(core, binding._table(discount("zipf"), 40))
    stop = TABLES[table]
    k = [1, 2, 3, 7, 20, binding.lib.RS_WHOLE]
    rng = random.Random(table)
    R = [Fraction(x) for x in stop].__getitem__
    for _ in range(60):
        labels = some_list(rng, rng.choice([5, 20, 40]))
        starts = bytes(rng.random() < rng.choice([0, 0.1, 0.5]) for _ in labels)
        found = core.ffi.new("number[]", len(k))
        core.lib.err_of_list(
            labels, starts, len(labels), stop, len(stop), inverse, k, len(k), found
        )
        for j, cutoff in enumerate(k):
            most = Fraction(1, 1 << 30) if bits == 96 and table != "tiny" else None
            true = cascade.expected_err(grouped(labels, starts), cutoff, R)
            assert_holds(found[j], true, most)


@pytest.mark.slow
@pytest.mark.long(but=8)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("whole_numbers", [False, True])
@pytest.mark.spec("RS-EXP-13", "RS-NUM-16")
def test_mean_products(core, table, whole_numbers):
    """By either way to the sums, and where only the first of many are needed."""
    stop = TABLES[table]
    rng = random.Random(table)
    for n in [2, 3, 5, 12, 40, 90, 90]:
        labels = bytes(rng.choice([0, 0, 1, 1, 2, 3, 4, 4]) for _ in range(n))
        if n == 90:
            labels = bytes(rng.choice([3, 4]) for _ in range(n))
        q = [1 - Fraction(stop[x]) for x in labels]
        for m in {1, 2, n // 2, n}:
            a, error = core.ffi.new("uint64_t[]", 2 * m + 2), core.ffi.new("uint64_t[]", 2)
            known = core.lib.mean_products_of(
                labels, n, m, stop, len(stop), whole_numbers, a, error
            )
            true = ties.mean_products(q, m)
            off = whole(error)
            assert known == m or (off >= 1 << 30 and known < m)
            assert off < 1 << 31
            for j in range(m + 1):
                ours = whole(a[2 * j : 2 * j + 2]) if j <= known else 0
                assert abs(ours - true[j] * (1 << 126)) <= off


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.5, 0.8, 0.999, 1e-9, 5e-324, 1 - 2.0**-53])
@BITS
@pytest.mark.spec("RS-CAS-5", "RS-EXP-16", "RS-NUM-15", "RS-NUM-15/L1")
def test_numbers_of_rbp(core, monkeypatch, p, bits):
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    powers = pointer(core, binding._table(Geometric(p), 300))
    k = [1, 2, 3, 7, 20, binding.lib.RS_WHOLE]
    rng = random.Random(str(p))
    for late in [0, 0, 0, 3, 50, 250]:
        for tied in (False, True):
            R = bytes(late) + some_list(rng, highest=1)
            starts = bytes(rng.random() < 0.4 for _ in R) if tied else core.ffi.NULL
            found = core.ffi.new("number[]", len(k))
            core.lib.rbp_of_list(R, starts, len(R), p, powers, k, len(k), found)
            groups = grouped(R, starts if tied else [1] * len(R))
            for j, cutoff in enumerate(k):
                true = cascade.expected_rbp(groups, cutoff, p)
                assert tied or true == cascade.rbp(R, cutoff, p)
                assert_holds(found[j], true, Fraction(1, 1 << 50) if bits == 96 else None)


WEIGHTS = [
    (0.25, 0.25, 0.25, 0.25),
    (0.1, 0.2, 0.3),
    (0, 0, 1, 2),
    (1e300, 1e300, 1e300),
    (5e-324,),
    (1.0, 1e-30, 2.0**-45),
]


@pytest.mark.slow
@pytest.mark.parametrize("q", WEIGHTS, ids=str)
@pytest.mark.parametrize("tied", [False, True])
@BITS
@pytest.mark.spec("RS-PREC-9", "RS-PREC-10", "RS-EXP-17", "RS-NUM-17", "RS-NUM-17/L1")
def test_numbers_of_gsp(core, monkeypatch, q, tied, bits):
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    inverse = pointer(core, binding._table(discount("zipf"), 40))
    k = [1, 2, 3, 7, 20, binding.lib.RS_WHOLE]
    rng = random.Random(str(q))
    for _ in range(60):
        labels = some_list(rng, highest=len(q))
        starts = bytes(rng.random() < 0.4 for _ in labels) if tied else core.ffi.NULL
        found, number = core.ffi.new("number[]", len(k)), core.ffi.new("number *")
        core.lib.gsp_of_list(
            labels, starts, len(labels), q, len(q), inverse, k, len(k), found, number
        )
        groups = grouped(labels, starts if tied else [1] * len(labels))
        for j, cutoff in enumerate(k):
            true = precision.expected_gsp(groups, cutoff, q)
            assert tied or true == precision.gsp(labels, cutoff, q)
            usual = bits == 96 and q[0] < 1
            assert_holds(found[j], true, Fraction(1, 1 << 60) if usual else None)
        assert_holds(number[0], precision.expected_number_relevant(labels, q), Fraction(1, 1 << 60))


# Below 1/i, falling, and exact: so nothing hides what the rest lacks.
EXACT = [2.0 ** -(i - 1).bit_length() for i in range(1, 41)]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.spec("RS-NUM-15/L1", "RS-NUM-16/L1")
def test_numbers_of_err_with_exact_weights(core, table):
    weights = pointer(core, binding._table(discount(EXACT), 40))
    stop = [Fraction(x) for x in TABLES[table]]
    rng = random.Random(table)
    for _ in range(150):
        labels = some_list(rng, rng.choice([4, 12, 40]))
        starts = bytes(rng.random() < rng.choice([0, 0.3, 0.7]) for _ in labels)
        for tied in (core.ffi.NULL, starts):
            found = core.ffi.new("number[]", 1)
            given = (TABLES[table], len(stop), weights, [binding.lib.RS_WHOLE], 1)
            core.lib.err_of_list(labels, tied, len(labels), *given, found)
            true, going_on, s = Fraction(0), Fraction(1), 0
            for group in grouped(labels, starts if tied else [1] * len(labels)):
                a = ties.mean_products([1 - stop[x] for x in group], len(group))
                for j in range(1, len(group) + 1):
                    true += going_on * (a[j - 1] - a[j]) * Fraction(EXACT[s + j - 1])
                going_on *= a[-1]
                s += len(group)
            assert_holds(found[0], true)
            assert whole(found[0].slack) <= (2 * s + 1 if not tied else 1 << 20)


@pytest.mark.parametrize("p", [0.5, 0.8, 1e-9, 1e-30, 5e-324, 1 - 2.0**-53])
@pytest.mark.spec("RS-NUM-15/L1")
@pytest.mark.slow
def test_weight_of_a_rank(core, p):
    found = core.ffi.new("number *")
    for s in [*range(20), 31, 100, 255, 1000]:
        core.lib.weight_of_rank(p, s, found)
        assert_holds(found[0], (1 - Fraction(p)) * Fraction(p) ** s, Fraction(1, 1 << 100))


@pytest.mark.spec("RS-NUM-16")
@pytest.mark.parametrize("whole_numbers", [False, True])
@pytest.mark.slow
def test_terms_that_are_left_out(core, whole_numbers):
    """Of equal labels: the j-th mean product is q^j."""
    n, stop = 3000, TABLES["max=4"]
    a, error = core.ffi.new("uint64_t[]", 2 * n + 2), core.ffi.new("uint64_t[]", 2)
    known = core.lib.mean_products_of(b"\1" * n, n, n, stop, 5, whole_numbers, a, error)
    assert known == 67 * 16 + 1
    q = Fraction(15, 16)
    for j in range(0, n + 1, 7):
        ours = whole(a[2 * j : 2 * j + 2]) if j <= known else 0
        assert abs(ours - q**j * (1 << 126)) <= whole(error) < 1 << 31
    assert q ** (known + 1) * (1 << 126) <= 1 << 30


# ---- values ----------------------------------------------------------------------------------


VALUES = pytest.mark.spec(
    "RS-CAS-2", "RS-CAS-4", "RS-CAS-5", "RS-PREC-11", "RS-EXP-14", "RS-EXP-15", "RS-EXP-16",
    "RS-EXP-18", "RS-NUM-15", "RS-NUM-16", "RS-NUM-17",
)  # fmt: skip


def batch_of(rng: random.Random, lists: int, longest: int, tied: float, form: str = "B") -> Batch:
    rows, pools = ([some_list(rng, longest) for _ in range(lists)] for _ in range(2))
    labels, offsets = flat(rows, form)
    starts = bytes(rng.random() < tied for _ in labels) if tied < 1 else None
    return Batch(labels, offsets, starts, *flat(pools, form))


@pytest.mark.slow(but=1)
@VALUES
@pytest.mark.parametrize("tied", [0, 0.3, 0.9, 1])
@pytest.mark.parametrize("form", ["B", "h", "q", "f", "d"])
@thinned
def test_usual_lists_are_decided(monkeypatch, tied, form):
    rng = random.Random(f"{tied} {form}")
    batch = batch_of(rng, in_lane(20, 60), 25, tied, form)
    wanted = [make(m, k) for m in (ERR, NERR, GAP) for k in (1, 2, 5, 10, 20, None)]
    assert undecided_share(monkeypatch, wanted, batch) == 0
    wanted = [make(RBP, k) for k in (1, 2, 5, 10, 20, None)]
    # 13/16 (1 - 0.8), as 0.8 is a double, lies exactly between two of them.
    assert undecided_share(monkeypatch, wanted, batch) <= (0 if tied == 1 else 0.02)


@pytest.mark.slow
@VALUES
@pytest.mark.parametrize("tied", [0.3, 1])
def test_every_cutoff(monkeypatch, tied):
    rng = random.Random(2)
    wanted = [make(m, k) for m in (ERR, NERR, RBP, GAP) for k in range(1, 33)]
    assert undecided_share(monkeypatch, wanted, batch_of(rng, 12, 30, tied)) < 0.01


@pytest.mark.slow(but=2)
@VALUES
@pytest.mark.parametrize("tied", [0, 0.5, 1])
@pytest.mark.parametrize("table", TABLES)
def test_other_probabilities(monkeypatch, tied, table):
    rng = random.Random(table)
    wanted = [make(m, k, stop=TABLES[table]) for m in (ERR, NERR) for k in (1, 3, None)]
    share = undecided_share(monkeypatch, wanted, batch_of(rng, 60, 15, tied))
    assert share < (1 if table == "tiny" else 0.1)  # some lie exactly between two doubles


@pytest.mark.slow(but=3)
@VALUES
@pytest.mark.parametrize("bits", [56, 58, 60])
@pytest.mark.parametrize("tied", [0, 0.4, 1])
def test_few_bits(monkeypatch, bits, tied):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    wanted = [make(m, k) for m in (ERR, NERR, RBP, GAP) for k in (3, None)]
    share = undecided_share(monkeypatch, wanted, batch_of(rng, 150, 9, tied))
    assert share < 1
    assert share > 0 or bits > 58  # the control: these bits are really few


@pytest.mark.slow
@VALUES
@pytest.mark.parametrize("n", [100, 300])
def test_long_groups(monkeypatch, n):
    """All tied, with a few items of a high label or many of a low one."""
    rng = random.Random(n)
    rows = [
        rng.choices(range(5), weights, k=n) for weights in ([52, 32, 13, 2, 1], [90, 9, 1, 0, 0])
    ]
    labels, offsets = flat(rows, "B")
    batch = Batch(labels, offsets, bytes(len(labels)))
    wanted = [make(m, k) for m in (ERR, NERR) for k in (10, 20, n // 2, None)]
    wanted += [make(m, k) for m in (RBP, GAP) for k in (10, None)]
    assert undecided_share(monkeypatch, wanted, batch) < 0.01


def err_by_definition(rows: Sequence[Sequence[int]], k: int) -> list[float]:
    """ERR in fractions, cut to 300 bits after each step: far beyond what a double shows."""
    found = []
    for row in rows:
        total, going_on, one = 0, 1 << 300, 1 << 300
        for i, label in enumerate(row[:k], start=1):
            stopped = going_on * (2**label - 1) >> 4
            total += stopped // i
            going_on -= stopped
        found.append(float(Fraction(total, one)))
    return found


@pytest.mark.slow
@VALUES
@pytest.mark.parametrize("highest", [1, 4])
def test_long_settled_lists(highest):
    rng = random.Random(highest)
    rows = [[rng.randint(0, highest) for _ in range(n)] for n in (1000, 30_000, 100_000)]
    for k in (100, 10**6):
        assert rs.err(rows, k=k).tolist() == err_by_definition(rows, k)


@pytest.mark.slow
@VALUES
def test_very_long_groups():
    """Of equal labels all orders are one; of one item that is seen, each rank is as probable."""
    n = 100_000
    tied = {"scores": [0] * n, "ties": "expected"}
    for label in (1, 4):
        assert rs.err([label] * n, **tied) == rs.err([label] * n)
    harmonic = sum((1 << 300) // i for i in range(1, n + 1))
    R = Fraction(15, 16)
    assert rs.err([0] * (n - 1) + [4], **tied) == float(R * harmonic / (n << 300))
    two = R**2 * sum((1 << 300) * (i - 1) // i for i in range(1, n + 1))  # both are seen
    expected = 2 * R * harmonic / (n << 300) - 2 * two / (n * (n - 1) << 300)
    assert rs.err([4] + [0] * (n - 2) + [4], **tied) == float(expected)


@VALUES
def test_large_groups_that_are_seen_to_their_end():
    """So many ranks that most of what is computed is nothing."""
    rng = random.Random(5)
    labels = [rng.randint(0, 4) for _ in range(30_000)]
    tied = {"scores": [0] * len(labels), "ties": "expected"}
    whole_list, cut = (rs.err(labels, k=k, **tied) for k in (None, 400))
    assert 0 < cut <= whole_list < 1


@VALUES
def test_exactly_between_two_doubles(monkeypatch):
    """The core leaves these to the reference, which takes the even one of the two."""
    stop = [0, 2.0**-53, 1 - 2.0**-53]
    rows = [[2, 2], [1, 2], [2, 1], [2, 0, 2]]
    batch = Batch(*flat(rows, "B"))
    share = undecided_share(monkeypatch, [make(ERR, k, stop=stop) for k in (1, 2, None)], batch)
    assert 0 < share < 0.7
    p = 0.5
    rows = [[1] + [0] * n + [1] for n in range(45, 60)]
    batch = Batch(*flat(rows, "B"))
    wanted = [make(RBP, None, p=p)]
    assert 0 < undecided_share(monkeypatch, wanted, batch) < 0.5
    assert values(wanted, batch) == values(wanted, batch, "reference")


@VALUES
@pytest.mark.parametrize("form", ["b", "h", "i", "q", "f", "d"])
def test_any_label_has_a_probability_to_be_relevant(form):
    """GAP takes negative labels, and those above the last threshold; fractions but for integers."""
    rows = [[-3, 0, 5, 1], [4, 127, -128], [2, 3]]
    if form in "fd":
        rows = [[-3.5, 0.99, 1.0, 1e30], [-1e-30, 2.5, 3.999], [1e9, -0.0]]
    if form == "q":
        rows = [[-(1 << 63), (1 << 63) - 1, 1], [1 << 32, 256, 0]]
    batch = Batch(*flat(rows, form))
    for q in ((0.25, 0.5), (1, 2, 3, 4, 5)):
        wanted = [make(GAP, k, q=q) for k in (1, 2, None)]
        assert values(wanted, batch) == values(wanted, batch, "reference")
        reached = [[sum(1 for j in range(1, len(q) + 1) if j <= x) for x in row] for row in rows]
        assert values(wanted, batch) == values(wanted, Batch(*flat(reached, "B")))


@VALUES
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1.0, 0.5, 5.0])
def test_refused_labels(bad):
    lists, pools = [[1.0, 2.0], [3.0, bad]], [[1.0], [2.0, 4.0]]
    for batch in (
        Batch(*flat(lists, "d"), None, *flat(pools, "d")),
        Batch(*flat(pools, "d"), None, *flat(lists, "d")),
        Batch(*flat(pools, "d"), bytes(3), *flat(lists, "d")),
    ):
        said = []
        for backend in ("c", "reference"):
            with pytest.raises(rs.InputError, match="position 1") as error:
                values([make(NERR, 1)], batch, backend)
            said.append(str(error.value))
        assert said[0] == said[1]
    with pytest.raises(rs.InputError, match=r"labels: .* list 1"):  # before the pool of list 0
        rs.nerr([[1], [9]], judged=[[9], [1]])


@VALUES
def test_what_the_core_cannot_hold_is_left_to_the_reference():
    third = Fraction(1, 3)
    rows = [[1, 0, 2], [0, 2, 1]]
    wanted = [
        make(ERR, 2, stop=[0, third, 0.5]),
        make(ERR, 2, stop=[g / 300 for g in range(300)]),
        make(RBP, 2, p=third),
        make(GAP, 2, q=[third, 1]),
        make(GAP, 2, q=[1] * 256),
    ]
    batch = Batch(*flat(rows, "B"))
    for measure in wanted:
        assert values([measure], batch) == values([measure], batch, "reference")
