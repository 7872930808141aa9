"""What users see and gain by the core: by == as the reference has it, and what it leaves open."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import rankspec as rs
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.compute.core import lib
from rankspec.metrics.measure import Measure, make
from rankspec.reference.numbers.enclosure import Enclosures

from ..each import LANE, thinned
from .batches import flat, undecided_share
from .compiled import compiled

CUTOFFS = [1, 2, 3, 5, 10, 40, None]
FORMS = {"B": [0, 0, 1, 2, 4], "i": [0, 0, 1, 3, 4], "d": [0.0, 0.0, 1.0, 4.0]}


def lists_of(
    rng: random.Random, form: str, labels: list[Any], *, tied: float = 1, apart: bool = True
) -> Batch:
    """Lists of up to 12 items and an empty one, and pools that cover them.

    tied: how many of the items begin a tie group; 1: the order is settled
    """
    rows = [rng.choices(labels, k=rng.randint(0, 12)) for _ in range(15)] + [[]]
    pools = [row + rng.choices(labels, k=rng.randint(0, 4)) for row in rows]
    for pool in pools:
        rng.shuffle(pool)
    shown, offsets = flat(rows, form)
    starts = bytes(rng.random() < tied for _ in shown) if tied < 1 else None
    judged = flat(pools, form) if apart else (None, None)
    return Batch(shown, offsets, starts, *judged)


def at_cutoffs(metric: Any, **parameters: Any) -> list[Measure]:
    """The measures of a metric at each cut-off."""
    return [make(metric, k, **parameters) for k in CUTOFFS]


# ---- residuals -----------------------------------------------------------------------------

RESIDUALS = [
    (rs.RBP_residual, {}),
    (rs.GRBP_residual, {"tail": "always"}),
    (rs.GRBP_residual, {"tail": "unjudged"}),
]


def with_flags(rng: random.Random, batch: Batch, share: float) -> Batch:
    """The same lists, of whose items nobody judged a share."""
    flags = bytes(rng.random() < share for _ in batch.labels)
    return Batch(batch.labels, batch.offsets, batch.starts, unjudged=flags)


@pytest.mark.slow(but=4)
@pytest.mark.spec("RS-CAS-6", "RS-USR-3", "RS-EXP-16", "RS-EXP-46", "RS-NUM-15")
@pytest.mark.parametrize("tied", [1, 0.4])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("metric", "given"), RESIDUALS)
def test_residuals(monkeypatch, metric, given, form, tied):
    rng = random.Random(f"{form} {tied}")
    for p in (0.5, 0.8, 0.95, 1e-20, 1 - 2.0**-53):
        for share in (0, 0.1, 0.6):
            batch = lists_of(rng, form, FORMS[form], tied=tied, apart=False)
            batch = with_flags(rng, batch, share) if share else batch
            open_share = undecided_share(monkeypatch, at_cutoffs(metric, p=p, **given), batch)
            assert open_share < (0.05 if tied == 1 or given.get("tail") != "unjudged" else 0.3)


@pytest.mark.spec("RS-CAS-6", "RS-USR-3")
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
@pytest.mark.parametrize(("metric", "given"), RESIDUALS)
def test_a_residual_takes_any_finite_label(metric, given, bad):
    wanted = [make(metric, 2, **given)]
    said = []
    for backend in ("c", "reference"):
        fine = Batch(*flat([[-1.5, 1e300], [0.0]], "d"), unjudged=b"\0\1\1")
        assert values(wanted, fine, backend) == values(wanted, fine, "reference")
        with pytest.raises(rs.InputError, match="position 1") as error:
            values(wanted, Batch(*flat([[1.0], [2.0, bad]], "d")), backend)
        said.append(str(error.value))
    assert said[0] == said[1]


# ---- gains on a scale ------------------------------------------------------------------------

OF_USERS = {
    rs.NERR8: [{}],
    rs.NERR9: [{}],
    rs.NERR10: [{}, {"p": 0.5}, {"p": 1e-9}, {"p": 1 - 2.0**-53}],
    rs.NERR11: [{}, {"T": 0.1}, {"T": 2.75}, {"T": 1e300}],
    rs.INSQ: [{}, {"T": 0.1}, {"T": 2.75}, {"T": 100}],
    rs.INST: [{}, {"T": 0.5}, {"T": 2.75}, {"T": 100}],
    rs.BPM: [{}, {"T": 0.125}, {"T": 2.75}, {"T": 1000}],
}
CASES = [(metric, given) for metric, choices in OF_USERS.items() for given in choices]
SCALES = [4, 7, 4.5, "pool"]


@pytest.mark.slow(but=8)
@pytest.mark.long(but=40)
@pytest.mark.spec(
    "RS-USR-1", "RS-USR-5", "RS-USR-6", "RS-USR-7", "RS-USR-30", "RS-USR-31", "RS-USR-32",
    "RS-USR-33", "RS-NUM-66", "RS-NUM-66/L1",
)  # fmt: skip
@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("form", [*FORMS, "halves"])
@pytest.mark.parametrize(("metric", "given"), CASES)
def test_gains_of_users(monkeypatch, metric, given, form, apart):
    rng = random.Random(f"{form} {apart}")
    labels = FORMS.get(form, [0.0, 0.0, 0.5, 2.25, 4.0])
    for scale in SCALES:
        batch = lists_of(rng, "d" if form == "halves" else form, labels, apart=apart)
        wanted = at_cutoffs(metric, max_rel=scale, **given)
        # Of 1e300 the difference of two endless sums is less than what both may be off.
        assert undecided_share(monkeypatch, wanted, batch) < (
            0.5 if given.get("T") == 1e300 else 0.02
        )


@pytest.mark.spec("RS-EXP-48", "RS-EXP-49")
@pytest.mark.parametrize("scale", [4, "pool"])
@pytest.mark.parametrize("metric", OF_USERS)
def test_gains_of_tied_lists(monkeypatch, metric, scale):
    """The core has the mean of INSQ, and leaves the others, but those where no items are tied."""
    rng = random.Random(metric.name)
    batch = lists_of(rng, "B", FORMS["B"], tied=0.6)
    share = undecided_share(monkeypatch, at_cutoffs(metric, max_rel=scale), batch)
    assert share < 0.02 if metric is rs.INSQ else 0.3 < share < 1


@pytest.mark.spec("RS-USR-1", "RS-USR-6", "RS-USR-30", "RS-NUM-66", "RS-NUM-66/L2")
@pytest.mark.parametrize("metric", OF_USERS)
def test_limits_of_gains(metric):
    """Labels of many bits, or above the pool's highest; weights that fall out of range."""
    batches = [
        Batch(*flat([[0.1, 1e-30, 3.7], [2.0**-40, 4.0]], "d")),
        Batch(*flat([[2, 1], [1, 1]], "B"), None, *flat([[2, 1], [0, 1]], "B")),
        Batch(*flat([[1, 3, 0, 1]], "B"), None, *flat([[1]], "B")),
        Batch(*flat([[0.5, 0.25], [0.0, 0.75]], "d")),
        Batch(*flat([[1, 0, 4] * 40], "B")),
        Batch(*flat([[1e300, 5e-324, 1e-300, 4.0]], "d")),
        Batch(*flat([[(1 << 53) + 1, 1 << 53, 1, (1 << 62) + 1]], "q")),
    ]
    choices = [{}, *([{"T": 1e6}, {"T": 1e10}] if "T" in metric.parameters else [])]
    for batch in batches:
        for given in choices:
            for scale in (4, 0.1, "pool"):
                assert_same([make(metric, k, max_rel=scale, **given) for k in (1, 3, None)], batch)
                assert_same([make(metric, 70, max_rel=scale, **given)], batch)


def assert_same(wanted: list[Measure], batch: Batch) -> None:
    """Both backends give the same doubles, or the same words of refusal."""
    outcomes = []
    for backend in ("c", "reference"):
        try:
            outcomes.append([column.tolist() for column in values(wanted, batch, backend)])
        except rs.InputError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.spec("RS-NUM-66", "RS-NUM-66/L1")
@pytest.mark.parametrize("metric", [rs.NERR9, rs.NERR10, rs.NERR11, rs.INSQ, rs.INST])
@thinned
def test_ranks_below_the_list(metric):
    """Of a short list and a deep cut-off, the divisor is made of sums in closed form."""
    lists = [], [1], [0, 3, 2], [0] * 40, [1, 0] * 20, [4, 1]
    for k in (33, 34, 100, 1000, 4097):
        for labels in lists[2:5:2] if LANE.fast and k >= 1000 else lists:
            found, true = (
                values([make(metric, k)], Batch(*flat([labels], "B")), backend)
                for backend in ("c", "reference")
            )
            assert found == true


@pytest.mark.spec("RS-USR-7")
def test_a_bpm_that_changes_is_left_to_the_reference():
    batch = Batch(*flat([[1, 0, 3, 0, 2], [0, 0]], "B"))
    for given in ({"hb": 0.5}, {"hc": 1}, {"hb": 0.5, "hc": 1, "med": 0}):
        wanted = at_cutoffs(rs.BPM, **given)
        assert not wanted[0].core.values.can_take(wanted[0])
        assert_same(wanted, batch)


DECLARED = """
    typedef struct { uint64_t low[2], slack[2]; int32_t exponent; } number;
    void sum_of_squares(double x, int64_t terms, number *to);
    void sum_of_some_powers(double p, int64_t m, number *to);
"""
SOURCE = """
    #include "core.c"
    typedef struct { uint64_t low[2], slack[2]; int32_t exponent; } number;
    static void show(rs_number x, number *to)
    {
        *to = (number){{(uint64_t)x.low, (uint64_t)(x.low >> 64)},
                       {(uint64_t)x.slack, (uint64_t)(x.slack >> 64)}, x.exponent};
    }
    static void sum_of_squares(double x, int64_t terms, number *to)
    {
        show(inverse_squares(rs_float_of_double(x), terms), to);
    }
    static void sum_of_some_powers(double p, int64_t m, number *to)
    {
        rs_float power;
        show(rs_number_within(sum_of_powers(rs_float_of_double(p), m, &power), 4 * m + 16), to);
    }
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """The core, compiled once more, with functions that show its numbers."""
    return compiled(tmp_path_factory.mktemp("core"), "shown_users", DECLARED, SOURCE)


def ends(x: Any) -> tuple[Fraction, Fraction]:
    """The least and the greatest that a number of the core may be."""
    low, slack = (pair[0] + (pair[1] << 64) for pair in (x.low, x.slack))
    unit = Fraction(2) ** x.exponent
    return low * unit, (low + slack) * unit


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-66", "RS-NUM-66/L1")
def test_sums_of_inverse_squares(core):
    """Endless ones are compared with enclosures of far more bits."""
    found, reals = core.ffi.new("number *"), Enclosures(256)
    for x in (0.2, 1.0, 2.0, 3.3, 15.999, 16.0, 1000.5, 1e9, 5e-324):
        core.lib.sum_of_squares(x, lib.RS_WHOLE, found)
        low, high = ends(found)
        true = reals.inverse_squares(Fraction(x))
        assert low <= true.lower <= true.upper <= high
        assert high - low <= Fraction(1, 1 << 78) * high
        for terms in (0, 1, 5, 32, 33, 40, 500):
            core.lib.sum_of_squares(x, terms, found)
            low, high = ends(found)
            exact = sum((1 / (Fraction(x) + i) ** 2 for i in range(terms)), start=Fraction(0))
            assert low <= exact <= high


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-66", "RS-NUM-66/L1")
def test_sums_of_powers(core):
    found = core.ffi.new("number *")
    for p in (0.5, 0.9, 0.1, 1 - 2.0**-53, 5e-324):
        for m in (1, 2, 3, 4, 7, 10, 31, 64, 100):
            core.lib.sum_of_some_powers(p, m, found)
            low, high = ends(found)
            assert low <= sum(Fraction(p) ** i for i in range(m)) <= high
            assert high - low <= Fraction(1, 1 << 112) * high


# ---- iRBU ------------------------------------------------------------------------------------


@pytest.mark.slow(but=3)
@pytest.mark.spec("RS-UTL-10", "RS-EXP-64", "RS-NUM-66")
@pytest.mark.parametrize("form", ["B", "i", "d"])
@pytest.mark.parametrize("phi", [0.99, 1, 0.5, 1e-9])
def test_irbu(monkeypatch, phi, form):
    rng = random.Random(form)
    labels = [float(x) if form == "d" else x for x in (0, 0, 1, 2, 3)]
    batch = lists_of(rng, form, labels)
    stops = [0, 0.1, 0.5, 1], [0.2, 0.3, 0.3, 0.4], [0, 2.0**-40, 0.25, 0.3], [0, 5e-324, 0.1, 0.7]
    for given in ({"max": 4}, {"max": 52}, *({"stop": stop} for stop in stops)):
        share = undecided_share(monkeypatch, at_cutoffs(rs.iRBU, phi=phi, **given), batch)
        assert share < (0.15 if given.get("stop") != stops[-1] else 1)
    tied = lists_of(rng, form, labels, tied=0.5)
    assert 0 < undecided_share(monkeypatch, at_cutoffs(rs.iRBU, phi=phi), tied) < 1


# ---- compatibility ---------------------------------------------------------------------------


@pytest.mark.slow(but=3)
@pytest.mark.spec("RS-USR-8", "RS-EXP-49", "RS-NUM-66")
@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("normalize", [True, False])
def test_compatibility(monkeypatch, normalize, form, apart):
    rng = random.Random(f"{form} {apart}")
    for p in (0.95, 0.5, 1e-9, 1 - 2.0**-53):
        wanted = at_cutoffs(rs.Compat, p=p, normalize=normalize)
        batch = lists_of(rng, form, FORMS[form], apart=apart)
        assert undecided_share(monkeypatch, wanted, batch) < 0.02
        tied = lists_of(rng, form, FORMS[form], tied=0.5, apart=apart)
        assert 0 < undecided_share(monkeypatch, wanted, tied) < 1


@pytest.mark.spec("RS-USR-8")
def test_limits_of_compatibility():
    """Any finite labels; a pool that lacks items of the list, or has many more."""
    batches = [
        Batch(*flat([[-1.5, 2.0, 0.5], [1e300, 0.0]], "d")),
        Batch(*flat([[-1, 300, 2, 2]], "i")),
        Batch(*flat([[1, 3, 0, 1], [2]], "B"), None, *flat([[1], []], "B")),
        Batch(*flat([[1, 0, 1], []], "B"), None, *flat([[1] * 30 + [0], [2, 1]], "B")),
        Batch(*flat([[1.0, float("nan")]], "d")),
        Batch(*flat([[1], [2]], "B"), None, *flat([[1.0], [2.0, float("inf")]], "d")),
    ]
    for batch in batches:
        for normalize in (True, False):
            assert_same([make(rs.Compat, k, normalize=normalize) for k in (2, 20, None)], batch)


@pytest.mark.spec("RS-USR-8")
@pytest.mark.parametrize("normalize", [True, False])
def test_compatibility_of_items_that_the_pool_lacks(normalize: bool) -> None:
    rng = random.Random(4)
    for labels, judged in (
        ([1], [3]),
        ([1, 1, 2], [2, 1, 2]),
        *((rng.choices(range(4), k=6), rng.choices(range(4), k=4)) for _ in range(40)),
    ):
        given = {"judged": judged, "check": False, "k": [1, 2, 60, 5], "normalize": normalize}
        by_core = rs.compatibility(labels, backend="c", **given).tolist()
        assert by_core == rs.compatibility(labels, backend="reference", **given).tolist()


@pytest.mark.spec("RS-USR-1", "RS-USR-6", "RS-USR-30")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_a_label_above_the_scale_is_refused_below_the_cutoff_too(backend: str) -> None:
    own = {"judged": [2, 1], "check": False, "max_rel": "pool", "backend": backend, "k": 1}
    for function in (rs.nerr8, rs.nerr9, rs.nerr10, rs.nerr11, rs.inst):
        for scores in (None, [2, 1]):
            with pytest.raises(
                rs.InputError,
                match=r"labels: 4 at position 1 is above the highest label of the pool, 2",
            ):
                function([1, 4], scores=scores, **own)


@pytest.mark.spec("RS-USR-1", "RS-CONV-1")
@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.parametrize("wrong", [float("inf"), float("nan")])
def test_a_label_of_a_pool_s_scale_is_finite(backend: str, wrong: float) -> None:
    own = {"max_rel": "pool", "backend": backend}
    for function in (rs.grbp, rs.scaled_dcg, rs.nerr8, rs.insq, rs.inst, rs.bpm):
        with pytest.raises(rs.InputError, match=r"labels: (inf|nan) at position 1: .* finite"):
            function([1, wrong], **own)
        with pytest.raises(rs.InputError, match=r"judged: (inf|nan) at position 2: .* finite"):
            function([1, 2], judged=[1, 2, wrong], **own)
