"""The binding of the C core: its library, and buffers, arguments, tables and threads for it.

What a function of the core is given is data (``call.py``); here it becomes numbers and structures
of C. The functions bear the names of the reference with ``rs_`` before them.
"""

from __future__ import annotations

import os
from _queue import SimpleQueue  # queue and threading cost start-up time
from _thread import allocate_lock, get_ident, start_new_thread
from array import array
from collections.abc import Callable, Sequence
from itertools import count

from ..errors import HOW_TO_BUILD, CoreMissing, InputError
from ..records import field, record
from ..typed import Any, TypeAlias
from . import call
from .call import Argument
from .checks import check_offsets
from .computable import Computable
from .gain import LOG2, ZIPF, Discount, Geometric
from .stopping import Library, Stopped, stop_all
from .tables import BITS, Logarithm, fixed_point, logarithm_of, powers

try:
    from .._core import ffi as ffi  # noqa: PLC0414 - for the reader, too
    from .._core import lib as _lib
except ImportError as error:
    raise CoreMissing(
        f"the C core of rankspec cannot be loaded: {error}. {HOW_TO_BUILD}; or ask for "
        'backend="reference"'
    ) from error

try:
    from .._one_list import method as _method
except ImportError:  # at_once.py does it all
    _method = None  # type: ignore[assignment]

lib: Any = Library(ffi, _lib)

LABELS_A_THREAD = 1 << 19  # fewer are done before another thread has started
PIECES_A_THREAD = 8
MOST_THREADS = 256
MOST_TABLES = 256  # of discounts that are kept
BYTES_OF_TABLES = 64 << 20  # of all of them, but that the last one is kept in any case
BYTES_OF_A_TABLE = 1 << 11  # beside its arrays
MOST_LEFT = 256  # entries of a table that the core leaves to the reference
_LOW_32 = (1 << 32) - 1
BYTES_OF_A_WEIGHT = 1 << 8  # that a caller gave
bits_of_a_discount = BITS  # a test takes fewer, so that more is left undecided

# The type of a buffer by its format; the sizes are those of the platform's C types.
_TYPES = {
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

# ---- buffers -----------------------------------------------------------------------------


def check_core_offsets(offsets: Any, size: int, what: str, of: str = "labels") -> int:
    """As check_offsets(), without a loop in Python where all is well."""
    wrong = ffi.new("int64_t *")
    held = int64s(offsets)
    if len(held):
        longest = lib.rs_check_offsets(held, len(held) - 1, size, wrong)
        if 0 <= longest <= lib.RS_LONGEST:
            return int(longest)
    return check_offsets(list(held), size, what, of)  # finds the words for what is wrong


def size_of(buffer: Any) -> int:
    """How many numbers a buffer holds, whatever the object's own length is said to be."""
    with memoryview(buffer) as view:
        return view.nbytes // view.itemsize


def check_sizes(n: int, **buffers: Any) -> None:
    """An InputError for a buffer, by its name, that does not hold a number for each of n items."""
    for name, buffer in buffers.items():
        if buffer is not None and size_of(buffer) != n:
            raise InputError(
                f"{name}: {size_of(buffer)} items for {n} labels; expected one per label"
            )


def type_of(buffer: Any) -> int:
    """The type of its numbers, as the core has it; an InputError for one that it has not."""
    form = memoryview(buffer).format
    if form not in _TYPES:
        raise InputError(f"labels of the buffer format {form!r} are not supported")
    return int(_TYPES[form])


def numbers_in(buffer: Any, kind: str = "char[]") -> Any:
    """Return a buffer's numbers as an array of C, which keeps them where they are.

    The collector of garbage clears a memoryview in a cycle even while an array of C is at its
    memory, which CPython does not survive. So each such array has a view of its own, which a
    finalizer holds: what is held from outside of a cycle is no garbage.
    """
    if not isinstance(buffer, memoryview):
        return ffi.from_buffer(kind, buffer)
    from weakref import finalize

    own = memoryview(buffer)
    numbers = ffi.from_buffer(kind, own)
    finalize(numbers, id, own).atexit = False
    return numbers


def address_of(buffer: Any) -> Any:
    """Where its numbers are."""
    return numbers_in(buffer)


def int64s(buffer: Any) -> Any:
    """Its numbers as int64_t."""
    return numbers_in(buffer, "int64_t[]")


def flat(numbers: Any, offsets: Any) -> tuple[Any, int, Any]:
    """Where flat numbers are, their type, and where lists of them begin."""
    return address_of(numbers), type_of(numbers), int64s(offsets)


# ---- the arguments of a call -------------------------------------------------------------


@record()
class Wanted:
    """Measures that differ in their rising cut-offs alone, and how long what they are taken of is.

    listed, pooled: the lengths of the longest list and pool; tied: whether ties are left open
    queries: how many a session has at most
    keep: what the arguments point to, as long as these live
    """

    measures: Sequence[Computable]
    cutoffs: list[int]
    listed: int
    pooled: int
    tied: bool = False
    queries: int = 0
    keep: list[Any] = field(default_factory=list)

    @property
    def base(self) -> Computable:
        return self.measures[0]

    @property
    def deepest(self) -> int:
        """The deepest rank that holds anything."""
        return self.measures[-1].deepest_rank(self.listed, self.pooled)

    def table(self, discount: Discount | Geometric, depth: int) -> Any:
        """The table of a discount, for at least so many ranks."""
        table = _table(discount, depth)
        self.keep.append(table)
        return table.structure


_RULES = {
    "expected": lib.RS_EXPECTED,
    "id-descending": lib.RS_ID_DESCENDING,
    "id-ascending": lib.RS_ID_ASCENDING,
    "input": lib.RS_INPUT,
    "best": lib.RS_BEST,
    "worst": lib.RS_WORST,
}


def rule_of_ties(name: str) -> int:
    """A rule that orders ties, as the core has it."""
    return int(_RULES[name])


def measure_of(of: call.Call, x: Wanted) -> dict[str, Any]:
    """The fields of the rs_measure of a call; x keeps what they point to."""
    fields = {name: argument_of(argument, x) for name, argument in of.fields.items()}
    fields["size"], fields["metric"] = ffi.sizeof("rs_measure"), _constant(of.metric)
    fields["k"], fields["nk"] = ffi.new("int64_t[]", x.cutoffs), len(x.cutoffs)
    x.keep.append(fields)
    return fields


def argument_of(argument: Argument, x: Wanted) -> Any:
    """An argument, as the core takes it."""
    read = _READ.get(type(argument))
    return argument if read is None else read(argument, x)


def _constant(name: str | int) -> int:
    """A constant of the core by its name; a number is what it is."""
    return getattr(lib, name) if isinstance(name, str) else name


def _gains(argument: call.Gains, x: Wanted) -> Any:
    gain = argument.of(x.base)
    table = ffi.new("double[]", [float(g) for g in gain.table])
    x.keep.append(table)
    return ffi.new("rs_gain *", [table, len(gain.table), _GAINS[gain.kind]])


def _table_of_parameter(argument: call.Table, x: Wanted) -> Any:
    """As deep as any of the measures needs it."""
    deepest = x.deepest
    needed = [measure.tables(deepest)[argument.name] for measure in x.measures]
    return x.table(needed[0][0], max(depth for _, depth in needed))


def _weights(argument: call.Weights, x: Wanted) -> Any:
    if argument.if_tied and not x.tied:
        return ffi.NULL
    return x.table(argument.discount, x.deepest)


def _ideal_cutoffs(_: call.IdealCutoffs, x: Wanted) -> Any:
    n = len(x.cutoffs)
    return ffi.new("int64_t[]", [lib.RS_WHOLE] * n if x.base.ideal_uncut else x.cutoffs)


def _doubles(argument: call.Doubles, x: Wanted) -> Any:
    return ffi.new("double[]", [float(y) for y in argument.of(x.base)])


def _word(argument: call.Word, x: Wanted) -> int:
    return _constant(argument.words[argument.of(x.base)])


def _structure(argument: call.Structure, x: Wanted) -> Any:
    fields = {name: argument_of(y, x) for name, y in argument.fields.items()}
    x.keep.append(fields)
    return ffi.new(f"{argument.name} *", fields)


def whole(k: int | None) -> int:
    """A cut-off as the core has it."""
    return int(lib.RS_WHOLE) if k is None else k


_GAINS = {"linear": lib.RS_LINEAR, "exp2": lib.RS_EXP2, "table": lib.RS_TABLE}
_READ: dict[type, Callable[[Any, Wanted], Any]] = {
    str: lambda name, _: _constant(name),
    type(None): lambda *_: ffi.NULL,
    call.Gains: _gains,
    call.Table: _table_of_parameter,
    call.Weights: _weights,
    call.Powers: lambda argument, x: x.table(Geometric(argument.of(x.base)), x.deepest),
    call.WeightsOfQueries: lambda argument, x: x.table(argument.of(x.base), x.queries),
    call.IdealCutoffs: _ideal_cutoffs,
    call.Double: lambda argument, x: float(argument.of(x.base)),
    call.Doubles: _doubles,
    call.Count: lambda argument, x: min(whole(argument.of(x.base)), lib.RS_WHOLE),
    call.Word: _word,
    call.Structure: _structure,
}


def method_of(
    measure: Any, longest: int, keep: object, otherwise: Callable[..., Any]
) -> Callable[..., Any] | None:
    """The method of a measure of lists up to a length, by the module of csrc/python/one_list.c.

    None: the module is not there.
    keep: what must live as long; otherwise: the method that answers for all but plain lists
    """
    if _method is None:
        return None
    value = int(ffi.cast("uintptr_t", ffi.addressof(_lib, "rs_value_of_list")))
    name = otherwise.__name__
    text = f"{name}(labels, **given)\n--\n\n{otherwise.__doc__ or ''}"
    at = int(ffi.cast("uintptr_t", measure))
    return _method(value, at, longest, keep, otherwise, name, text)


def value_of_scored_list(
    measure: Any, labels: bytes, n: int, scores: array[Any] | None, rule: str, judged: bytes | None
) -> float:
    """The value of one list by its scores, if it has any; NaN where the core has none."""
    given, form = (
        (ffi.NULL, 0) if scores is None else (ffi.from_buffer(scores), _TYPES[scores.typecode])
    )
    pool, pooled = (ffi.NULL, 0) if judged is None else (judged, len(judged))
    by = given, form, _RULES[rule]
    return float(lib.rs_value_of_scored_list(measure, labels, n, *by, pool, pooled))


# ---- tables that are kept ----------------------------------------------------------------


class _Table:
    """rs_discount, with the arrays that it points to. used: when it was asked for last."""

    def __init__(self, depth: int, structure: Any, keep: tuple[Any, ...] = ()) -> None:
        self.depth, self.structure, self.keep = depth, structure, keep
        self.used = 0

    def size(self, discount: Discount | Geometric) -> int:
        """The bytes that it takes: its arrays, and the objects around them."""
        weights = len(discount.weights) if isinstance(discount, Discount) else 0
        arrays = sum(int(ffi.sizeof(x)) for x in self.keep)
        return BYTES_OF_A_TABLE + BYTES_OF_A_WEIGHT * weights + arrays


_tables: dict[tuple[Discount | Geometric, int], _Table] = {}
_clock = count()
_building = allocate_lock()


def _after_fork() -> None:
    """In a child there is no thread that could be building a table, whatever its parent did."""
    global _building  # noqa: PLW0603
    _building = allocate_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _table(discount: Discount | Geometric, depth: int) -> _Table:
    """The fixed-point table of a discount, for at least the ranks 1 to depth; kept for a while."""
    key = (discount, bits_of_a_discount)
    known = _tables.get(key)
    if known is None or known.depth < depth:
        with _building:  # threads that need the same one wait for it
            known = _tables.get(key)
            if known is None or known.depth < depth:
                known = _built_table(discount, depth)
                _tables[key] = known
            known.used = next(_clock)
            _forget_tables()
    known.used = next(_clock)
    return known


def _forget_tables() -> None:
    """Keeps the tables that were used last, and no more of them than there is room for.

    Who is using one that is forgotten has it still. Called where a table is built, by one thread at
    a time.
    """
    latest = sorted(_tables.items(), key=lambda item: -item[1].used)
    taken = 0
    for a, (key, table) in enumerate(latest):
        taken += table.size(key[0])
        if a and (taken > BYTES_OF_TABLES or a >= MOST_TABLES):
            del _tables[key]


def _built_table(discount: Discount | Geometric, depth: int) -> _Table:
    structure = ffi.new("rs_discount *")
    if discount == LOG2 and bits_of_a_discount == BITS:
        lib.rs_discount_log2(structure)
        if structure.depth >= depth:
            return _Table(structure.depth, structure)
    # Longer than asked for, so that growing lists do not rebuild it each time.
    depth = int(min(max(64, depth + depth // 8), discount.depth))
    low, high = ffi.new("uint32_t[]", depth), ffi.new("uint64_t[]", depth)
    exponent, unit = _fill(discount, depth, low, high)
    sums = ffi.new("uint64_t[]", depth + 1), ffi.new("uint64_t[]", depth + 1)
    lib.rs_sum_entries(low, high, depth, *sums)
    structure[0] = {
        "low": low,
        "high": high,
        "sum_low": sums[0],
        "sum_high": sums[1],
        "depth": depth,
        "unit": unit,
        "exponent": exponent,
    }
    return _Table(depth, structure, (low, high, *sums))


def _fill(discount: Discount | Geometric, depth: int, low: Any, high: Any) -> tuple[int, int]:
    """The entries of a table, and its exponent and unit."""
    made = _filled_by_core(discount, depth, low, high) if bits_of_a_discount == BITS else None
    if made is not None:
        return made
    if isinstance(discount, Geometric):
        entries, exponent, unit = powers(discount.p, depth, bits_of_a_discount)
    else:
        entries, exponent, unit = fixed_point(discount, depth, bits_of_a_discount)
    low[0:depth] = [d & _LOW_32 for d in entries]
    high[0:depth] = [d >> 32 for d in entries]
    return exponent, unit


def _filled_by_core(
    discount: Discount | Geometric, depth: int, low: Any, high: Any
) -> tuple[int, int] | None:
    """As _fill(), where the core makes the table; None: it does not."""
    if discount == ZIPF:
        lib.rs_inverse_entries(depth, low, high)
        return 1 - BITS, 1
    of = logarithm_of(discount, depth) if isinstance(discount, Discount) else None
    if of is None:
        return None
    by, left = ffi.new("rs_logarithm *", _fields(of)), ffi.new("int64_t[]", MOST_LEFT)
    n = lib.rs_discount_logarithm(by, depth, low, high, left, MOST_LEFT)
    if not 0 <= n <= MOST_LEFT:
        return None
    same = of.entry(1) if of.first > 1 else 0  # as the discount is 1 there
    for i in (*range(1, min(of.first, depth + 1)), *left[0:n]):
        D = same if i < of.first else of.entry(i)
        low[i - 1], high[i - 1] = D & _LOW_32, D >> 32
    return of.exponent, 1


def _fields(of: Logarithm) -> dict[str, int]:
    """The fields of an rs_logarithm."""
    b, a = divmod(of.b, 1 << 64), divmod(of.a, 1 << 64)
    whole = {"s": of.s, "first": of.first, "shift": of.shift}
    return {"b_high": b[0], "b_low": b[1], "a_high": a[0], "a_low": a[1], **whole}


# ---- threads -----------------------------------------------------------------------------


@record()
class Verdict:
    """What the core says of some lists: how much is undecided, or which label is refused."""

    open: int
    refused: int
    in_pool: bool


CallOfSome: TypeAlias = Callable[[int, int], Verdict]


def in_threads(call: CallOfSome, n: int, labels: int) -> list[Verdict]:
    """The verdicts on all n lists, in their order; large batches are shared out to threads.

    The core computes each list by itself and releases the interpreter's lock, so the values do
    not depend on the number of threads. A thread takes the next piece when it is done with one,
    and nobody waits for a thread that has not taken any: waking a processor may take longer
    than the work. An exception that a signal raises here stops all of them.
    """
    most = min(labels // LABELS_A_THREAD, n)
    threads = min(processors() if most > 1 else threads_asked() or 1, most)
    if threads < 2:
        return [call(0, n)]
    pieces = min(PIECES_A_THREAD * threads, n)
    bounds = [n * p // pieces for p in range(pieces + 1)]
    verdicts = _shared_out(lambda p: call(bounds[p], bounds[p + 1]), pieces, threads)
    ordered = []
    for p in range(pieces):
        verdict = verdicts[p]
        if isinstance(verdict, Exception):
            raise verdict
        ordered.append(verdict)
    return ordered


def _shared_out(
    call: Callable[[int], Verdict], pieces: int, threads: int
) -> dict[int, Verdict | Exception]:
    """The verdict on each piece, or its error."""
    from contextlib import suppress  # which one list does not need

    # An iterator may give two threads the same piece. None ends the work of each thread.
    remaining: SimpleQueue[int | None] = SimpleQueue()
    for p in (*range(pieces), *[None] * threads):
        remaining.put(p)
    done: SimpleQueue[tuple[int, Verdict | Exception]] = SimpleQueue()
    helping: set[int] = set()  # other threads, by their numbers
    is_over = False

    def work() -> None:
        for p in iter(remaining.get, None):
            if is_over:
                return
            try:
                done.put((p, call(p)))
            except Exception as error:  # noqa: BLE001 - raised again by who waits for it
                done.put((p, error))

    def help_out() -> None:
        myself = get_ident()
        helping.add(myself)
        try:
            with suppress(Stopped):
                work()
        finally:
            helping.discard(myself)

    with suppress(MemoryError, RuntimeError):  # without memory for another thread, there are fewer
        for _ in range(1, threads):
            start_new_thread(help_out, ())
    try:
        work()
        return dict(done.get() for _ in range(pieces))
    except BaseException:
        is_over = True
        stop_all(helping)
        raise


def processors() -> int:
    """How many threads may run at once: RANKSPEC_THREADS, or the processors of this process."""
    if asked := threads_asked():
        return asked
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_asked() -> int | None:
    """RANKSPEC_THREADS, or an InputError; None: it is not set."""
    chosen = os.environ.get("RANKSPEC_THREADS")
    if not chosen:
        return None
    if not chosen.isascii() or not chosen.isdigit() or int(chosen) < 1:
        raise InputError(f'RANKSPEC_THREADS is "{chosen}"; it must be a whole number above 0')
    return min(int(chosen), MOST_THREADS)
