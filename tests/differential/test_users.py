"""What users see and gain by the core: residuals of RBP, and what it leaves to the reference."""

from __future__ import annotations

import random
from math import isnan
from typing import Any

import pytest

import rankspec as rs
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import Measure, make

from .batches import by_core, flat

CUTOFFS = [1, 2, 3, 5, 10, 40, None]
FORMS = {"B": [0, 0, 1, 2, 4], "i": [0, 0, 1, 3, 4], "d": [0.0, 0.0, 1.0, 4.0]}


def lists_of(
    rng: random.Random, form: str, labels: list[Any], *, tied: float = 1, apart: bool = True
) -> Batch:
    """Lists of up to 12 items and an empty one, and pools that cover them.

    tied: how many of the items begin a tie group; 1: the order is settled
    """
    rows = [rng.choices(labels, k=rng.randint(0, 12)) for _ in range(25)] + [[]]
    pools = [row + rng.choices(labels, k=rng.randint(0, 4)) for row in rows]
    for pool in pools:
        rng.shuffle(pool)
    shown, offsets = flat(rows, form)
    starts = bytes(rng.random() < tied for _ in shown) if tied < 1 else None
    judged = flat(pools, form) if apart else (None, None)
    return Batch(shown, offsets, starts, *judged)


def undecided(monkeypatch: Any, wanted: list[Measure], batch: Batch) -> float:
    """The share that the core leaves to the reference; the rest is what the reference has."""
    with monkeypatch.context() as patched:
        found = by_core(patched, wanted, batch)
    true = [column.tolist() for column in values(wanted, batch, "reference")]
    cells = [xy for pair in zip(found, true, strict=True) for xy in zip(*pair, strict=True)]
    assert all(isnan(x) or x == y for x, y in cells)
    return sum(isnan(x) for x, _ in cells) / len(cells)


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
            open_share = undecided(monkeypatch, at_cutoffs(metric, p=p, **given), batch)
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
