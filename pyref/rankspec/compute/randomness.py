"""Random arrangements in bulk: the words of the reference, by NumPy or by the core.

Replicates are ranges of numbers from 0 on. All is in integers, and each word is a function of its
seed and its place, so that any division into blocks and threads gives the same bits.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import CoreMissing, InputError, shown
from ..reference import randomness as reference
from ..reference.randomness import DRAWS, FLIPS, MULTIPLIERS, PERMUTATIONS, ROUNDS, WEYL, WORD
from .gain import whole

Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

MOST_SEEDS = 1 << 64
MOST_REPLICATES = WORD
MOST_SUMS = 1 << 62  # of magnitudes: sums and their differences are numbers of int64 then
EXACT = 1 << 53  # up to here doubles are whole numbers, and sums of them exact in any order

BLOCKS_AT_ONCE = 1 << 13  # of words: what fits into the cache
ELEMENTS_AT_ONCE = 1 << 20  # of arrays that are made of a block of replicates


# ---- what is given -----------------------------------------------------------------------


def check_seed(seed: Any) -> int:
    """The seed as an integer; an InputError for what is none from 0 to 2^64 - 1."""
    return _check_integer("seed", seed, 0, MOST_SEEDS - 1, "2^64 - 1")


def check_replicates(m: Any, name: str = "replicates") -> int:
    """How many replicates are drawn; an InputError for what is no integer from 1 to 2^32."""
    return _check_integer(name, m, 1, MOST_REPLICATES, "2^32")


def _check_integer(name: str, x: Any, least: int, most: int, most_as_text: str) -> int:
    number = whole(x)
    if number is None or not least <= number <= most:
        raise InputError(
            f"{name}: expected an integer from {least} to {most_as_text}, got {shown(x)}"
        )
    return number


def in_blocks(m: int, row: int) -> list[range]:
    """The replicates 0 to m - 1 in blocks, so that an array of rows of that length stays small."""
    size = max(1, ELEMENTS_AT_ONCE // max(row, 1))
    return [range(begin, min(begin + size, m)) for begin in range(0, m, size)]


# ---- words -------------------------------------------------------------------------------

_LOW, _HALF = np.uint64(WORD - 1), np.uint64(32)


def _philox(c0: Words, c1: Words, c2: Words, c3: Words, seed: int) -> tuple[Words, ...]:
    """Philox4x32-10 of each counter (RS-RND-1)."""
    k0, k1 = seed % WORD, seed // WORD
    for _ in range(ROUNDS):
        p0, p1 = c0 * np.uint64(MULTIPLIERS[0]), c2 * np.uint64(MULTIPLIERS[1])
        c0, c2 = p1 >> _HALF, p0 >> _HALF
        c0 ^= c1
        c0 ^= np.uint64(k0)
        c2 ^= c3
        c2 ^= np.uint64(k1)
        p0 &= _LOW
        p1 &= _LOW
        c1, c3 = p1, p0
        k0, k1 = (k0 + WEYL[0]) % WORD, (k1 + WEYL[1]) % WORD
    return c0, c1, c2, c3


def words(seed: int, purpose: int, replicates: range, positions: Words) -> NDArray[np.uint32]:
    """The words of some blocks of each replicate: replicates x 4 positions (RS-RND-2)."""
    wanted = len(positions)
    found = np.empty((len(replicates) * wanted, 4), np.uint32)
    for begin in range(0, len(found), BLOCKS_AT_ONCE):
        row, column = np.divmod(
            np.arange(begin, min(begin + BLOCKS_AT_ONCE, len(found))), max(wanted, 1)
        )
        position = positions[column]
        replicate = row.astype(np.uint64) + np.uint64(replicates.start)
        purposes = np.full(len(row), purpose, np.uint64)
        counter = position & _LOW, position >> _HALF, replicate, purposes
        for j, w in enumerate(_philox(*counter, seed)):
            found[begin : begin + len(row), j] = w
    return found.reshape(len(replicates), 4 * wanted)


def _below(
    bounds: Words, w: NDArray[np.uint32], seed: int, purpose: int, replicates: range, places: Words
) -> Integers:
    """Integers below the bounds of the columns of w; the rare words that are not accepted are
    drawn again by the reference (RS-RND-3)."""
    products = w.astype(np.uint64)
    products *= bounds
    found = (products >> _HALF).astype(np.int64)
    products &= _LOW
    refused = products < np.uint64(WORD) % bounds
    for row, column in np.argwhere(refused).tolist():
        found[row, column] = reference.below(
            int(bounds[column]), seed, purpose, replicates[row], int(places[column])
        )
    return found


# ---- arrangements ------------------------------------------------------------------------


def flip_bits(seed: int, replicates: range, n: int) -> NDArray[np.uint8]:
    """1 where the sign of a query is -1, else 0: replicates x n (RS-RND-4)."""
    stream = words(seed, FLIPS, replicates, np.arange(-(-n // 128), dtype=np.uint64))
    as_bytes = stream.astype("<u4", copy=False).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=n, bitorder="little")


def draws(seed: int, replicates: range, n: int) -> Integers:
    """The numbers of the queries that are drawn: replicates x n (RS-RND-5)."""
    stream = words(seed, DRAWS, replicates, np.arange(-(-n // 4), dtype=np.uint64))[:, :n]
    bounds, places = np.full(n, n, np.uint64), np.arange(n, dtype=np.uint64)
    return _below(bounds, stream, seed, DRAWS, replicates, places)


def draw_counts(seed: int, replicates: range, n: int) -> NDArray[np.float64]:
    """How often each query is drawn: replicates x n (RS-RND-5)."""
    core = _core()
    if core is None:
        return counts_by_numpy(seed, replicates, n)
    counts = np.empty((len(replicates), n))
    core.lib.rs_draws(
        seed, replicates.start, len(replicates), n, core.ffi.from_buffer("double[]", counts)
    )
    return counts


def counts_by_numpy(seed: int, replicates: range, n: int) -> NDArray[np.float64]:
    """The same, without the core."""
    found = draws(seed, replicates, n)
    found += np.arange(len(replicates))[:, None] * n
    counts = np.bincount(found.ravel(), minlength=found.size)
    return counts.reshape(found.shape).astype(np.float64)


def permuted(seed: int, replicates: range, X: Integers) -> Integers:
    """The values of the topics, permuted: replicates x topics x systems (RS-RND-6)."""
    topics, m = X.shape
    blocks = -(-(m - 1) // 4)
    topic = np.repeat(np.arange(topics, dtype=np.uint64), blocks)
    block = np.tile(np.arange(blocks, dtype=np.uint64), topics)
    stream = words(seed, PERMUTATIONS, replicates, (topic << _HALF) + block)
    stream = stream.reshape(len(replicates), topics, 4 * blocks)
    values = np.repeat(X[None], len(replicates), axis=0)
    first = np.arange(topics, dtype=np.uint64) << np.uint64(34)
    for step, last in enumerate(range(m - 1, 0, -1)):
        bounds = np.full(topics, last + 1, np.uint64)
        places = first + np.uint64(step)
        other = _below(bounds, stream[:, :, step], seed, PERMUTATIONS, replicates, places)
        taken = np.take_along_axis(values, other[:, :, None], axis=2)
        np.put_along_axis(values, other[:, :, None], values[:, :, last : last + 1].copy(), axis=2)
        values[:, :, last : last + 1] = taken
    return values


def permuted_ranges(seed: int, replicates: range, X: Integers) -> Integers:
    """The greatest less the least sum of a system, of each replicate (RS-RND-11).

    X: topics x systems, C-contiguous; the sum over the topics of the greatest magnitudes is below
    2^62.
    """
    core = _core()
    if core is None:
        return ranges_by_numpy(seed, replicates, X)
    ranges = np.empty(len(replicates), np.int64)
    given, to = core.int64s(X), core.int64s(ranges)

    def of_some(begin: int, end: int) -> Any:
        first, n = replicates.start + begin, end - begin
        if core.lib.rs_permuted_ranges(seed, first, n, given, *X.shape, to + begin):
            raise MemoryError
        return core.Verdict(0, -1, False)

    core.in_threads(of_some, len(ranges), len(ranges) * X.size)
    return ranges


def ranges_by_numpy(seed: int, replicates: range, X: Integers) -> Integers:
    """The same, without the core."""
    found = [np.empty(0, np.int64)]
    for block in in_blocks(len(replicates), X.size):
        sums = permuted(seed, replicates[block.start : block.stop], X).sum(axis=1)
        found.append(sums.max(axis=1) - sums.min(axis=1))
    return np.concatenate(found)


def first_sums(seed: int, replicates: range, topic: int, values: Integers, k: int) -> Integers:
    """The sum of the values in the first k places of each permutation of a topic (RS-RND-6)."""
    order = _order(seed, PERMUTATIONS, replicates, topic, len(values), k)
    sums: Integers = values[order[:, :k]].sum(axis=1)
    return sums


def _order(seed: int, purpose: int, replicates: range, topic: int, n: int, k: int) -> Integers:
    """Permutations of 0 to n - 1: replicates x n (RS-RND-6).

    They are so but for the order of the first k places, which stays open.
    """
    lasts = np.arange(n - 1, max(k, 1) - 1, -1)
    first = topic << 34  # words
    places = np.arange(first, first + len(lasts), dtype=np.uint64)
    blocks = np.arange(first // 4, first // 4 + -(-len(lasts) // 4), dtype=np.uint64)
    stream = words(seed, purpose, replicates, blocks)[:, : len(lasts)]
    others = _below((lasts + 1).astype(np.uint64), stream, seed, purpose, replicates, places)
    order = np.tile(np.arange(n), (len(replicates), 1))
    rows = np.arange(len(replicates))
    for last, other in zip(lasts.tolist(), others.T, strict=True):
        taken = order[rows, other]
        order[rows, other] = order[:, last]
        order[:, last] = taken
    return order


def halves(seed: int, purpose: int, replicates: range, n: int) -> NDArray[np.int8]:
    """1 for the queries of the first half, -1 for those of the second, 0 for one that is left out:
    replicates x n, of at least 2 queries (RS-AGR-14).

    Once the places of the second half have theirs, the order of the first decides nothing.
    """
    half = n // 2
    order = _order(seed, purpose, replicates, 0, n, half)
    signs = np.zeros(order.shape, np.int8)
    np.put_along_axis(signs, order[:, :half], 1, axis=1)
    np.put_along_axis(signs, order[:, half : 2 * half], -1, axis=1)
    return signs


def _core() -> Any:
    """The binding of the core; None where there is none: NumPy has the same bits, more slowly."""
    try:
        from . import core
    except CoreMissing:
        return None
    return core
