"""The C core, called: batches and measures become its structures, and its verdicts errors.

The functions of the core bear the names of the reference with ``rs_`` before them; the two
families of them, of gains and of relevance, have the same arguments each.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from .conventions import LOG2, Discount, Gain
from .engine import (
    Batch,
    by_reference,
    check_depth,
    check_offsets,
    refuse,
    values_by_reference,
)
from .errors import CoreMissing, InputError
from .measure import NORMS, Measure
from .reference.expectation import RULES
from .reference.reals import Exact
from .tables import fixed_point

try:
    from ._core import ffi, lib
except ImportError as error:
    raise CoreMissing(
        "the C core of rankspec is not built (rankspec._core cannot be imported); build it with "
        '"pip install ." in the project\'s folder, or ask for backend="reference"'
    ) from error

LIMBS = 3  # of 32 bits in a discount; a test takes fewer, so that more is left undecided

# The type of a buffer by its format; the sizes are those of the platform's C types.
_TYPES = {
    "?": lib.RS_U8,
    "B": lib.RS_U8,
    "b": lib.RS_I8,
    "H": lib.RS_U16,
    "h": lib.RS_I16,
    "I": lib.RS_U32,
    "i": lib.RS_I32,
    "q": lib.RS_I64,
    "f": lib.RS_F32,
    "d": lib.RS_F64,
    "l": lib.RS_I64 if array("l").itemsize == 8 else lib.RS_I32,
}
FORMATS = frozenset(_TYPES)
"""The buffer formats (as in the struct module) that the core reads without a copy."""

_UNDISCOUNTED = Discount("none")
_INVERSE = Discount("zipf")


def values_by_core(measures: Sequence[Measure], batch: Batch) -> list[array[float]]:
    """As engine.values(); cut-offs of the same measure are computed in one pass."""
    lists = _Lists(batch)
    results: list[array[float] | None] = [None] * len(measures)
    for base in dict.fromkeys(replace(m, k=None) for m in measures):
        wanted = [a for a, m in enumerate(measures) if replace(m, k=None) == base]
        cutoffs = sorted({lib.RS_WHOLE if measures[a].k is None else measures[a].k for a in wanted})
        columns = _columns(base, cutoffs, batch, lists)
        for a in wanted:
            k = measures[a].k
            results[a] = columns[cutoffs.index(lib.RS_WHOLE if k is None else k)]
    return [column for column in results if column is not None]


def order(scores: Any, labels: Any, offsets: Any, ids: Any, rule: str) -> tuple[Any, Any]:
    """(order, starts): the positions of the items in rank order (int64), and where tie groups
    begin (uint8). Spec: RS-TIE-1, RS-TIE-2.
    """
    check_core_offsets(offsets, len(labels), "offsets")
    positions = array("q", bytes(8 * len(labels)))
    starts = bytearray(len(labels))
    refused = ffi.new("int64_t *")
    lists = ffi.new("rs_lists *", [_address(labels), _int64s(offsets), ffi.NULL, _type(labels)])
    verdict = lib.rs_order(
        _address(scores),
        _type(scores),
        lists,
        len(offsets) - 1,
        ffi.NULL if ids is None else _int64s(ids),
        RULES.index(rule),
        ffi.from_buffer("int64_t[]", positions),
        ffi.from_buffer("uint8_t[]", starts),
        refused,
    )
    if verdict == lib.RS_NO_MEMORY:
        raise MemoryError
    if verdict == lib.RS_REFUSED:
        a = int(refused[0])
        raise InputError(f"scores: {scores[a]!r} at position {a}: a score must be finite")
    return positions, starts


def gather(labels: Any, positions: Any) -> Any:
    """The labels in the order of the positions, as a buffer of the same format."""
    ordered = array(memoryview(labels).format, bytes(memoryview(labels).nbytes))
    lib.rs_gather(
        _address(labels),
        _type(labels),
        _int64s(positions),
        len(positions),
        ffi.cast("void *", _address(ordered)),
    )
    return ordered


def check_core_offsets(offsets: Any, size: int, what: str) -> int:
    """As engine.check_offsets(), without a loop in Python where all is well."""
    wrong = ffi.new("int64_t *")
    if len(offsets):
        longest = lib.rs_check_offsets(_int64s(offsets), len(offsets) - 1, size, wrong)
        if 0 <= longest <= lib.RS_LONGEST:
            return int(longest)
    return check_offsets(offsets, size, what)  # finds the words for what is wrong


class _Lists:
    """The structures of a batch, with what keeps their memory alive."""

    def __init__(self, batch: Batch) -> None:
        self.longest = check_core_offsets(batch.offsets, len(batch.labels), "offsets")
        self.n = len(batch)
        starts = ffi.NULL if batch.starts is None else ffi.from_buffer("uint8_t[]", batch.starts)
        self._keep: list[Any] = [starts]
        self.lists = self._structure(batch.labels, batch.offsets, starts)
        if batch.pool is None:
            self.pools = self.lists
            return
        pooled = check_core_offsets(batch.pool_offsets, len(batch.pool), "judged_offsets")
        if len(batch.pool_offsets) != len(batch.offsets):
            raise InputError(
                f"judged: there are {len(batch.pool_offsets) - 1} pools for {self.n} lists"
            )
        self.longest = max(self.longest, pooled)
        self.pools = self._structure(batch.pool, batch.pool_offsets, ffi.NULL)

    def _structure(self, labels: Any, offsets: Any, starts: Any) -> Any:
        at, begins = _address(labels), _int64s(offsets)
        self._keep += [at, begins]
        return ffi.new("rs_lists *", [at, begins, starts, _type(labels)])


def _columns(base: Measure, cutoffs: list[int], batch: Batch, lists: _Lists) -> list[array[float]]:
    """The values of a measure at rising cut-offs, a column each."""
    with_k = [replace(base, k=None if k == lib.RS_WHOLE else k) for k in cutoffs]
    if not _expressible(base):
        return values_by_reference(with_k, batch)
    check_depth(with_k[-1], lists.longest)
    cells = lists.n * len(cutoffs)
    out = array("d", bytes(8 * cells))
    undecided = bytearray(cells)
    refused, in_pool = ffi.new("int64_t *"), ffi.new("int32_t *")
    open_cells = _call(base, cutoffs, lists, out, undecided, refused, in_pool)
    if open_cells == lib.RS_NO_MEMORY:
        raise MemoryError
    if open_cells == lib.RS_REFUSED:
        position = int(refused[0])
        if batch.pool is not None and (in_pool[0] or base.metric.function == "idcg"):
            raise refuse(base, batch.pool, batch.pool_offsets, position, "judged")
        raise refuse(base, batch.labels, batch.offsets, position, "labels")
    if open_cells:
        cell = undecided.find(1)
        while cell >= 0:  # settled by the reference: RS-NUM-7
            a, column = divmod(cell, len(cutoffs))
            out[cell] = by_reference(with_k[column], batch, a)
            cell = undecided.find(1, cell + 1)
    return [out] if len(cutoffs) == 1 else [out[j :: len(cutoffs)] for j in range(len(cutoffs))]


def _call(
    base: Measure,
    cutoffs: list[int],
    lists: _Lists,
    out: Any,
    undecided: Any,
    refused: Any,
    in_pool: Any,
) -> int:
    """One call of the core; the arguments follow the metric's family."""
    name = base.metric.function
    depth = min(cutoffs[-1], lists.longest)
    results = (
        ffi.new("int64_t[]", cutoffs),
        len(cutoffs),
        ffi.from_buffer("double[]", out),
        ffi.from_buffer("uint8_t[]", undecided),
        refused,
    )
    if base.metric.binary:
        theta = float(base.rel)
        inverse = _table(_INVERSE, depth).structure
        if name in ("precision", "recall"):
            arguments: tuple[Any, ...] = (theta,)
        elif name == "ap":
            arguments = (theta, NORMS.index(base.norm), inverse)
        else:
            arguments = (theta, inverse)
    else:
        gain = _GainStructure(base.gain)
        discount = _UNDISCOUNTED if name == "cg" else base.discount
        arguments = (gain.structure, _table(discount, depth).structure)
    if name == "idcg":
        return int(lib.rs_idcg(lists.pools, lists.n, *arguments, *results))
    function = getattr(lib, "rs_dcg" if name == "cg" else f"rs_{name}")
    if base.metric.pool:
        return int(function(lists.lists, lists.pools, lists.n, *arguments, *results, in_pool))
    return int(function(lists.lists, lists.n, *arguments, *results))


def _expressible(measure: Measure) -> bool:
    """Whether the measure's parameters are exactly what the core can hold."""
    if measure.metric.binary:
        return _is_double(measure.rel)
    return all(_is_double(g) for g in measure.gain.table)


def _is_double(x: Exact) -> bool:
    try:
        return float(x) == x
    except OverflowError:
        return False


class _GainStructure:
    """rs_gain, with the table that it points to."""

    def __init__(self, gain: Gain) -> None:
        kind = {"linear": lib.RS_LINEAR, "exp2": lib.RS_EXP2, "table": lib.RS_TABLE}[gain.kind]
        self._table = ffi.new("double[]", [float(g) for g in gain.table])
        self.structure = ffi.new("rs_gain *", [self._table, len(gain.table), kind])


@dataclass(frozen=True)
class _Table:
    """rs_discount, with the arrays that it points to."""

    depth: int
    structure: Any
    keep: tuple[Any, ...] = ()


_tables: dict[tuple[Discount, int], _Table] = {}


def _table(discount: Discount, depth: int) -> _Table:
    """The fixed-point table of a discount, for at least the ranks 1 to depth; kept."""
    known = _tables.get((discount, LIMBS))
    if known is None or known.depth < depth:
        known = _tables[discount, LIMBS] = _built_table(discount, depth)
    return known


def _built_table(discount: Discount, depth: int) -> _Table:
    structure = ffi.new("rs_discount *")
    if discount == LOG2 and LIMBS == 3:
        lib.rs_discount_log2(structure)
        if structure.depth >= depth:
            return _Table(structure.depth, structure)
    # Longer than asked for, so that growing lists do not rebuild it each time.
    depth = int(min(max(64, 1 << depth.bit_length()), discount.depth))
    entries, exponent, unit = fixed_point(discount, depth, LIMBS)
    sums = [0, *accumulate(entries)]
    low, middle = (1 << 64) - 1, (1 << 32) - 1
    keep = (
        ffi.new("uint32_t[]", [d & middle for d in entries]),
        ffi.new("uint32_t[]", [d >> 32 & middle for d in entries]),
        ffi.new("uint32_t[]", [d >> 64 for d in entries]),
        ffi.new("uint64_t[]", [s & low for s in sums]),
        ffi.new("uint64_t[]", [s >> 64 for s in sums]),
    )
    structure[0] = {
        "limb0": keep[0],
        "limb1": keep[1],
        "limb2": keep[2],
        "sum_low": keep[3],
        "sum_high": keep[4],
        "depth": depth,
        "unit": unit,
        "exponent": exponent,
    }
    return _Table(depth, structure, keep)


def _type(buffer: Any) -> int:
    form = memoryview(buffer).format
    if form not in _TYPES:
        raise InputError(f"labels of the buffer format {form!r} are not supported")
    return int(_TYPES[form])


def _address(buffer: Any) -> Any:
    return ffi.from_buffer(buffer)


def _int64s(buffer: Any) -> Any:
    return ffi.from_buffer("int64_t[]", buffer)
