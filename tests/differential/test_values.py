"""rs_values(), the C core's one way in, against what its functions give measure by measure."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics.grammar import measures

core = pytest.importorskip("rankspec._core")
ffi, lib = core.ffi, core.lib

WHOLE = lib.RS_WHOLE
STOPS = [0, 1 / 16, 3 / 16, 7 / 16, 15 / 16]
TYPES = {"B": lib.RS_U8, "q": lib.RS_I64, "f": lib.RS_F32, "d": lib.RS_F64}


class Made:
    """Structures of C, with what they point to."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def new(self, ctype: str, given: Any) -> Any:
        self.kept.append(ffi.new(ctype, given))
        return self.kept[-1]

    def lists(self, lists: list[list[float]], code: str, starts: bytes | None = None) -> Any:
        flat = array(code, [x if code in "fd" else int(x) for of in lists for x in of])
        offsets = [0]
        for of in lists:
            offsets.append(offsets[-1] + len(of))
        self.kept += [flat, starts]
        labels = ffi.from_buffer(flat)
        groups = ffi.NULL if starts is None else self.new("uint8_t[]", starts)
        given = [labels, self.new("int64_t[]", offsets), groups, TYPES[code]]
        return self.new("rs_lists *", given)

    def measure(self, cutoffs: list[int], **fields: Any) -> dict[str, Any]:
        return {
            "size": ffi.sizeof("rs_measure"),
            "k": self.new("int64_t[]", cutoffs),
            "nk": len(cutoffs),
            **fields,
        }


def measures_of(made: Made) -> dict[str, tuple[dict[str, Any], list[int]]]:
    """Measures by what the package calls them, and their cut-offs."""
    linear = made.new("rs_gain *", [ffi.NULL, 0, lib.RS_LINEAR])
    exp2 = made.new("rs_gain *", [ffi.NULL, 0, lib.RS_EXP2])
    stop = made.new("rs_gain *", [made.new("double[]", STOPS), len(STOPS), lib.RS_TABLE])
    log2, inverse = ffi.new("rs_discount *"), ffi.new("rs_discount *")
    lib.rs_discount_log2(log2)
    assert lib.rs_discount_zipf(inverse, 300) == 0
    made.kept += [log2, inverse]
    points = made.new("rs_points *", [ffi.NULL, ffi.NULL, 0, lib.RS_TEXT, 0])
    q = made.new("double[]", [0.25] * 4)
    whole, some = [WHOLE], [1, 5, 10]
    by_rank = {"discount": inverse, "theta": 1.0}
    dcg = {"metric": lib.RS_DCG, "gain": linear, "discount": log2}
    ndcg = {"metric": lib.RS_NDCG, "gain": exp2, "discount": log2}
    ap = {"metric": lib.RS_AP, "norm": lib.RS_NORM_R, **by_rank}
    err = {"metric": lib.RS_ERR, "gain": stop, "discount": inverse}
    given: dict[str, tuple[dict[str, Any], list[int]]] = {
        "DCG": (dcg, some),
        "nDCG(gain='exp2')": (ndcg, some),
        "IDCG": ({**dcg, "metric": lib.RS_IDCG}, some),
        "P": ({"metric": lib.RS_PRECISION, "theta": 1.0}, some),
        "R(rel=2)": ({"metric": lib.RS_RECALL, "theta": 2.0}, some),
        "RR": ({"metric": lib.RS_RR, **by_rank}, whole),
        "SP": ({"metric": lib.RS_SP, **by_rank}, some),
        "AP": (ap, [10, WHOLE]),
        "GAP": ({"metric": lib.RS_GAP, "q": q, "n_q": 4, "discount": inverse}, whole),
        "ERR": (err, some),
        "nERR": ({**err, "metric": lib.RS_NERR}, whole),
        "nDCG_phi": (
            {"metric": lib.RS_NDCG_PHI, "points": points, "discount": log2},
            whole,
        ),
        "UL2(DCG)": ({**dcg, "bound": lib.RS_UL2}, some),
        "RLB(nDCG(gain='exp2'))": ({**ndcg, "bound": lib.RS_RLB}, some),
        "MinMax(AP)": ({**ap, "bound": lib.RS_MIN_MAX}, whole),
        "UL1(ERR)": ({**err, "bound": lib.RS_UL1}, whole),
        "z_value(DCG)": ({**dcg, "bound": lib.RS_Z_VALUE}, some),
    }
    return {
        name: (made.measure(cutoffs, **fields), cutoffs)
        for name, (fields, cutoffs) in given.items()
    }


def values(
    ranked: Any, pools: Any, n: int, wanted: list[dict[str, Any]]
) -> tuple[int, list[list[float]], list[bytes], Any]:
    """What rs_values() returns, the columns, what is undecided, and the trouble."""
    cells = [n * by["nk"] for by in wanted]
    outs = [ffi.new("double[]", size + 1) for size in cells]
    flags = [ffi.new("uint8_t[]", size + 1) for size in cells]
    columns = ffi.new("rs_column[]", [list(pair) for pair in zip(outs, flags, strict=True)])
    trouble = ffi.new("rs_trouble *")
    given = ffi.new("rs_measure[]", wanted)
    found = lib.rs_values(ranked, pools, n, given, len(wanted), columns, trouble)
    numbers = [list(out)[:size] for out, size in zip(outs, cells, strict=True)]
    undecided = [bytes(ffi.buffer(f, size)) for f, size in zip(flags, cells, strict=True)]
    return found, numbers, undecided, trouble


def expected(name: str, cutoffs: list[int], ranked: list[list[float]], own: dict[str, Any]) -> Any:
    """The same from the package, a row a list."""
    offsets = [0]
    for of in ranked:
        offsets.append(offsets[-1] + len(of))
    flat = array("d", [x for of in ranked for x in of])
    at = [measures(name if k == WHOLE else f"{name}@{k}")[0] for k in cutoffs]
    columns = [m.of(flat, offsets=offsets, **own) for m in at]
    return [float(x) for row in zip(*columns, strict=True) for x in row]


def random_lists(n: int, longest: int, seed: int) -> list[list[float]]:
    random = Random(seed)
    return [
        [random.choice([0, 0, 0, 1, 1, 2, 3, 4]) for _ in range(random.randint(0, longest))]
        for _ in range(n)
    ]


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("own_pool", [True, False])
def test_many_measures_of_the_same_lists(code: str, own_pool: bool) -> None:
    made, ranked = Made(), random_lists(60, 12, 1)
    judged = ranked if own_pool else [[*of, 2, 0] for of in ranked]
    lists = made.lists(ranked, code)
    pools = lists if own_pool else made.lists(judged, code)
    given = measures_of(made)
    found, outs, undecided, _ = values(lists, pools, len(ranked), [by for by, _ in given.values()])
    assert 0 <= found == sum(sum(flags) for flags in undecided)
    pool = {}
    if not own_pool:
        offsets = [0]
        for of in judged:
            offsets.append(offsets[-1] + len(of))
        flat = array("d", [x for of in judged for x in of])
        pool = {"judged": flat, "judged_offsets": offsets}
    for (name, (_, cutoffs)), out, flags in zip(given.items(), outs, undecided, strict=True):
        wanted = expected(name, cutoffs, ranked, pool)
        for cell, (x, y) in enumerate(zip(out, wanted, strict=True)):
            assert flags[cell] or x == y, (name, cell)


def test_blocks_do_not_matter() -> None:
    """More labels than a block holds, of a type that is read as bytes, and one at a time."""
    made, ranked = Made(), random_lists(1500, 150, 2)
    ranked[700] = [2.5, 1, 0, 2]  # the block of it is read as it is
    lists = made.lists(ranked, "d")
    wanted = [by for by, _ in measures_of(made).values() if by["metric"] <= lib.RS_NDCG]
    found, outs, undecided, _ = values(lists, lists, len(ranked), wanted)
    assert found >= 0
    for by, out, flags in zip(wanted, outs, undecided, strict=True):
        _, alone, open_alone, _ = values(lists, lists, len(ranked), [by])
        assert (out, flags) == (alone[0], open_alone[0])


def test_under_ties() -> None:
    made, ranked = Made(), [[1.0, 0, 2, 1], [0, 3]]
    one_group = made.lists(ranked, "q", bytes([1, 0, 0, 0, 1, 0]))
    given = measures_of(made)
    names = ["DCG", "AP", "ERR"]
    _, outs, undecided, _ = values(one_group, one_group, 2, [given[name][0] for name in names])
    for name, out, flags in zip(names, outs, undecided, strict=True):
        of = dict.fromkeys(["scores"], array("d", [0.0] * 6))
        wanted = expected(name, given[name][1], ranked, {**of, "ties": "expected"})
        assert all(flag or x == y for x, y, flag in zip(out, wanted, flags, strict=True))


@pytest.mark.parametrize("code", ["B", "q", "d"])
def test_the_label_that_is_refused_is_named(code: str) -> None:
    made, ranked = Made(), random_lists(1500, 150, 3)
    refused = 1200
    while not ranked[refused]:
        refused += 1
    ranked[refused][-1] = 9  # beyond the table of ERR
    lists, given = made.lists(ranked, code), measures_of(made)
    wanted = [given["DCG"][0], given["ERR"][0]]
    found, _, _, trouble = values(lists, lists, len(ranked), wanted)
    assert found == lib.RS_REFUSED
    assert (trouble.measure, trouble.in_pool) == (1, 0)
    assert trouble.position == sum(map(len, ranked[: refused + 1])) - 1


def test_a_label_of_a_list_is_none_of_the_pool_that_another_measure_reads() -> None:
    made = Made()
    lists, pools = made.lists([[1, -1]], "q"), made.lists([[1, 2]], "q")
    given = measures_of(made)
    found, _, _, trouble = values(lists, pools, 1, [given["IDCG"][0], given["DCG"][0]])
    assert found == lib.RS_REFUSED
    assert (trouble.measure, trouble.position, trouble.in_pool) == (1, 1, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 8},
        {"metric": 99},
        {"metric": 63},
        {"bound": 99},
        {"nk": 0},
        {"k": ffi.NULL},
        {"gain": ffi.NULL},
        {"discount": ffi.NULL},
        {"metric": lib.RS_IDCG, "bound": lib.RS_UL2},
        {"metric": lib.RS_ERR, "bound": lib.RS_VARIANCE},
    ],
    ids=str,
)
def test_what_is_no_measure_is_misused(wrong: dict[str, Any]) -> None:
    made = Made()
    lists, dcg = made.lists([[1, 2]], "B"), measures_of(made)["DCG"][0]
    found, _, _, trouble = values(lists, lists, 1, [dcg, {**dcg, **wrong}])
    assert (found, trouble.measure, trouble.position) == (lib.RS_MISUSED, 1, -1)
    assert values(lists, lists, 1, [dcg])[0] == 0


def test_a_table_that_is_too_short_is_misused() -> None:
    made = Made()
    lists, by = made.lists([[1] * 400], "B"), measures_of(made)["AP"][0]
    assert values(lists, lists, 1, [by])[0] == lib.RS_MISUSED
    cut = {**by, "k": made.new("int64_t[]", [10, 300])}
    assert values(lists, lists, 1, [cut])[0] >= 0
    inverse = by["discount"]
    ndcg = {**measures_of(made)["nDCG(gain='exp2')"][0], "discount": inverse}
    assert values(lists, lists, 1, [ndcg])[0] >= 0
    uncut = {**ndcg, "k_ideal": made.new("int64_t[]", [WHOLE] * 3)}
    assert values(lists, lists, 1, [uncut])[0] == lib.RS_MISUSED


def test_sessions() -> None:
    made, ranked = Made(), [[3, 0, 2], [1, 0], [2, 2, 0, 1], [0, 3]]
    lists = made.lists(ranked, "q")
    sessions = made.new("rs_sessions *", [lists, made.new("int64_t[]", [0, 2, 4]), ffi.NULL])
    exp2 = made.new("rs_gain *", [ffi.NULL, 0, lib.RS_EXP2])
    log2 = made.new("rs_discount *", {})
    lib.rs_discount_log2(log2)
    fields = {"gain": exp2, "discount": log2, "weights": log2, "padding": 0}
    wanted = [
        made.measure([1, WHOLE], metric=lib.RS_SDCG, **fields),
        made.measure([2], metric=lib.RS_NSDCG, **fields),
    ]
    outs, flags = ffi.new("double[]", 6), ffi.new("uint8_t[]", 6)
    columns = ffi.new("rs_column[]", [[outs, flags], [outs + 4, flags + 4]])
    trouble = ffi.new("rs_trouble *")
    given = ffi.new("rs_measure[]", wanted)
    found = lib.rs_values_of_sessions(sessions, ffi.NULL, 2, given, 2, columns, trouble)
    assert found == sum(flags)
    by = {"gain": "exp2", "discount": "log2", "query_discount": "log2"}
    for s, own in enumerate([ranked[:2], ranked[2:]]):
        known = [
            (2 * s, rs.sdcg(own, k=1, **by)),
            (2 * s + 1, rs.sdcg(own, **by)),
            (4 + s, rs.nsdcg(own, k=2, padding=0, **by)),
        ]
        for cell, value in known:
            assert flags[cell] or outs[cell] == value, cell
    bad = ffi.new("rs_measure[]", [{**wanted[0], "weights": ffi.NULL}])
    found = lib.rs_values_of_sessions(sessions, ffi.NULL, 2, bad, 1, columns, trouble)
    assert (found, trouble.measure) == (lib.RS_MISUSED, 0)


def test_a_discount_that_is_shorter_than_the_lists_of_sessions_is_misused() -> None:
    made = Made()
    lists = made.lists([[1] * 4, [1] * 400], "q")
    sessions = made.new("rs_sessions *", [lists, made.new("int64_t[]", [0, 2]), ffi.NULL])
    of_300 = measures_of(made)["AP"][0]["discount"]
    fields = {"gain": made.new("rs_gain *", [ffi.NULL, 0, lib.RS_EXP2]), "discount": of_300}
    out, flag, trouble = ffi.new("double *"), ffi.new("uint8_t *"), ffi.new("rs_trouble *")
    column = ffi.new("rs_column *", [out, flag])
    for cutoff, refused in ((WHOLE, True), (300, False)):
        sdcg = made.measure([cutoff], metric=lib.RS_SDCG, weights=of_300, padding=0, **fields)
        measure = ffi.new("rs_measure *", sdcg)
        found = lib.rs_values_of_sessions(sessions, ffi.NULL, 1, measure, 1, column, trouble)
        assert (found == lib.RS_MISUSED) == refused
