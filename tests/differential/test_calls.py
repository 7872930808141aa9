"""What a metric says that the core is called with is what the core declares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest

from rankspec.compute import call
from rankspec.compute.call import Argument, Call
from rankspec.compute.core import ffi, lib
from rankspec.errors import InputError
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.metrics.measure import Metric

TYPES: dict[type, str] = {
    call.Gains: "rs_gain *",
    call.Table: "rs_discount *",
    call.Weights: "rs_discount *",
    call.Powers: "rs_discount *",
    call.WeightsOfQueries: "rs_discount *",
    call.IdealCutoffs: "int64_t *",
    call.Double: "double",
    call.Doubles: "double *",
    call.Count: "int64_t",
    call.Word: "int32_t",
    str: "int32_t",
    int: "int32_t",
}


def metrics() -> Iterator[Metric]:
    yield from METRICS
    yield from SESSION_METRICS
    for bound, metric in product(BOUNDS, METRICS):
        with suppress(InputError):  # there is no such bound
            yield bound(metric()).metric


CALLS = [
    pytest.param(called, id=f"{metric.name} {kind}")
    for metric in metrics()
    for kind in ("values", "vectors", "relevance")
    if (called := getattr(metric.core, kind)) is not None
]


def check(argument: Argument, declared: str, at: str) -> None:
    """That a C function, or a structure, takes the argument there."""
    if isinstance(argument, call.Structure):
        assert declared == f"{argument.name} *", at
        of = dict(ffi.typeof(argument.name).fields)
        for name, field in argument.fields.items():
            check(field, of[name].type.cname, f"{at}, {name}")
    elif argument is None:
        assert declared.endswith("*"), at
    else:
        assert declared == TYPES[type(argument)], at
    names = [argument] if isinstance(argument, str) else []
    if isinstance(argument, call.Word):
        names = [x for x in argument.words.values() if isinstance(x, str)]
    for name in names:
        assert isinstance(getattr(lib, name), int), at


@pytest.mark.parametrize("called", CALLS)
def test_a_call_is_as_the_core_declares_it(called: Call | call.Structure) -> None:
    if isinstance(called, call.Structure):
        check(called, f"{called.name} *", called.name)
        return
    assert isinstance(getattr(lib, called.metric), int)
    check(call.Structure("rs_measure", called.fields), "rs_measure *", called.metric)


def test_what_sees_unjudged_items_or_ids_alone_is_left_to_the_reference() -> None:
    left = [m.name for m in (*METRICS, *SESSION_METRICS) if m.core.values is None]
    assert left == [
        *["infAP", "Yaap"],
        "Instance_recall",
        "query_P_at_recall",
    ]
