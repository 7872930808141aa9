"""Randomness: words of a seed, arrangements made of them, and the tests that resample."""

# fmt: off
# ruff: noqa: PLW0108 - arguments have the names that the files have
from __future__ import annotations

from fractions import Fraction
from typing import Any

from rankspec.compute.randomness import check_replicates, check_seed
from rankspec.reference import randomness as reference
from rankspec.reference.randomness import MOST_ENUMERATED, Resampled

from . import Group
from .statistics import Statistic, Statistics, statistic


def group(about: str, *cases: Statistic) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


# ---- the functions, by the names of their arguments --------------------------------------


def _seeded(function: Any) -> Any:
    """A function whose seed and number of replicates are checked first."""
    def checked(**given: Any) -> Any:
        given["seed"] = check_seed(given["seed"])
        check_replicates(given.get("replicates", 1))
        return function(**given)
    return checked


def _bootstrap(differences: list[int], seed: int, replicates: int) -> Resampled | None:
    samples = reference.bootstrap_samples(seed, len(differences), replicates)
    return reference.studentised_bootstrap(differences, samples)


def _bca(values: list[int], alpha: float, seed: int, replicates: int) -> tuple[Fraction, Fraction]:
    samples = reference.bootstrap_samples(seed, len(values), replicates)
    return reference.bca(values, alpha, samples)


FUNCTIONS = {
    "philox": ("RS-RND-1", lambda counter, key: reference.philox(tuple(counter), tuple(key))),
    "words": ("RS-RND-2", _seeded(reference.words)),
    "below": ("RS-RND-3", _seeded(lambda bound, seed, purpose, replicate, place:
                                  reference.below(bound, seed, purpose, replicate, place))),
    "flips": ("RS-RND-4", _seeded(reference.flips)),
    "draws": ("RS-RND-5", _seeded(reference.draws)),
    "permutation": ("RS-RND-6", _seeded(lambda seed, replicate, topic, systems:
                                        reference.permutation(seed, replicate, topic, systems))),
    "p": ("RS-RND-7", lambda count, arrangements, exact: Resampled(count, arrangements, exact).p),
    "p_with_replacement": ("RS-RND-8", lambda count, replicates, arrangements:
                           reference.p_with_replacement(count, replicates, arrangements)),
    "randomisation": ("RS-RND-9", _seeded(lambda differences, seed, replicates:
                                          reference.randomisation(differences, seed, replicates))),
    "step_down": ("RS-RND-10", _seeded(lambda family, seed, replicates:
                                       reference.step_down(family, seed, replicates))),
    "randomised_hsd": ("RS-RND-11", _seeded(lambda values, seed, replicates:
                                            reference.randomised_hsd(values, seed, replicates))),
    "stratified": ("RS-RND-14", _seeded(lambda topics, seed, replicates:
                                        reference.stratified(topics, seed, replicates))),
    "studentised_bootstrap": ("RS-RND-12", _seeded(_bootstrap)),
    "acceleration": ("RS-RND-13", lambda values: reference.acceleration(values)),
    "bca": ("RS-RND-13", _seeded(_bca)),
}


# ---- flags -------------------------------------------------------------------------------


def _first_word(x: dict[str, Any]) -> int:
    return reference.word(x["seed"], x["purpose"], x["replicate"], x["place"])


def _ties(x: dict[str, Any], found: Any) -> bool:
    """Whether fewer arrangements reach the sum if those that equal it do not count."""
    D, observed = x["differences"], abs(sum(x["differences"]))
    signs = (
        reference.every_flip(len(D)) if found.exact
        else [reference.flips(x["seed"], r, len(D)) for r in range(x["replicates"])]
    )
    return any(abs(S) == observed for S in reference.sums_of_flips(D, signs))


def _listed(found: Any) -> list[Resampled]:
    return found if isinstance(found, list) else [*found.values()] if isinstance(found, dict) \
        else [found]


FLAGS = {
    "many-words": ("seed, replicate and place are beyond 32 bits, or nearly so",
                   lambda x, _: x["seed"] >= 2**32 and x["replicate"] >= 2**31),
    "word-refused": ("the first word at the place is one too many",
                     lambda x, _: reference.bounded(_first_word(x), x["bound"]) is None),
    "divides": ("the bound divides 2^32", lambda x, _: 2**32 % x["bound"] == 0),
    "two-blocks": ("more bits than a block has", lambda x, _: x["n"] > 128),
    "an-order": ("each number occurs once", lambda x, y: sorted(y) == list(range(x["systems"]))),
    "enumerated": ("all arrangements are gone through",
                   lambda _, y: all(found.exact for found in _listed(y))),
    "drawn": ("arrangements are drawn", lambda _, y: not any(found.exact for found in _listed(y))),
    "ties": ("arrangements equal the observed one", _ties),
    "just-enumerated": ("one query more, and arrangements would be drawn",
                        lambda x, _: 2 ** sum(map(bool, x["differences"])) == MOST_ENUMERATED),
    "smallest": ("all differences have one sign, so that two arrangements reach their sum",
                 lambda _, y: y.count == 2),
    "within-bounds": ("(b + 1)/(m + 1) - 1/N <= p <= (b + 1)/(m + 1)",
                      lambda x, y: 0 <= Fraction(x["count"] + 1, x["replicates"] + 1) - y
                      <= Fraction(1, x["arrangements"])),
    "one": ("the p-value is 1", lambda _, y: all(found.p == 1 for found in _listed(y))),
    "no-value": ("there is no value", lambda _, y: y is None),
    "never-0": ("none of the arrangements that were drawn reaches it",
                lambda _, y: y > 0),
    "monotone": ("the larger the difference of the sums, the smaller p",
                 lambda x, y: _monotone(x["values"], y)),
    "falls-with-u": ("the larger the statistic of a member, the smaller p",
                     lambda x, y: _falls(x["family"], y)),
    "one-value": ("both ends are the mean", lambda _, y: y[0] == y[1]),
    "ends-of-the-sums": ("the ends are the least and the greatest sum", lambda _, y: y[0] < y[1]),
    "bounded-acceleration": ("it is at most 1/6 in magnitude", lambda _, y: 6 * abs(y) <= 1),
}


def _falls(family: list[list[int]], found: list[Resampled]) -> bool:
    """Whether p falls as the statistic rises, and is one for equal statistics."""
    pairs = [(reference.studentised(sum(D), D), r.p) for D, r in zip(family, found, strict=True)]
    return all(p >= q for u, p in pairs for v, q in pairs if u <= v)


def _monotone(X: list[list[int]], found: dict[tuple[int, int], Resampled]) -> bool:
    sums = list(map(sum, zip(*X, strict=True)))
    by_difference = sorted(found, key=lambda pair: abs(sums[pair[0]] - sums[pair[1]]))
    ps = [found[pair].p for pair in by_difference]
    return ps == sorted(ps, reverse=True)


RELATIONS = {
    "begins": lambda mine, other: other[: len(mine)] == mine,
    "mirrors": lambda mine, other: (-mine[1], -mine[0]) == other,
    "first-is": lambda mine, other: mine[0].p == other.p,
    "first>=": lambda mine, other: mine[0].p >= other.p,
    "reversed": lambda mine, other: mine == other[::-1],
    "begun-by": lambda mine, other: mine[: len(other)] == other,
    "ten-times": lambda mine, other: mine == tuple(10 * x + 7 for x in other),
    "one-is": lambda mine, other: mine.p == other.p,
    "only-pair-is": lambda mine, other: mine[0, 1].p == other.p,
}
STATISTICS = Statistics(FUNCTIONS, FLAGS, RELATIONS)

SLEEP = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14]
WEAK = [3, -2, 5, 1, -4, 2, 0, 1, -1, 2]
PRECISION = [2, 2, -1, 2, 1, 1, -2, 0, 3, -1, 1, 2, 1, -3, 1, 2, 1, 1, -1, 2]
TOPICS = [[5, 3, 1], [4, 4, 0], [6, 2, 2], [3, 1, 1]]
MANY = [[5, 3, 1], [4, 4, 0], [6, 2, 2], [3, 1, 1], [2, 5, 2], [7, 3, 3], [1, 2, 0], [4, 3, 4]]

REQUIRED = [
    group(
        "Philox4x32-10: the known answers of Random123",
        statistic(1, "all bits are 0", "philox", counter=[0] * 4, key=[0] * 2,
                  known=(0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        statistic(2, "all bits are 1", "philox", counter=[2**32 - 1] * 4, key=[2**32 - 1] * 2,
                  known=(0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        statistic(3, "digits of pi", "philox",
                  counter=[0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
                  key=[0xA4093822, 0x299F31D0],
                  known=(0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ),
    group(
        "streams: what becomes of seed, purpose, replicate and position",
        statistic(4, "the first block of all", "words", seed=0, purpose=0, replicate=0, position=0,
                  known=(0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        statistic(5, "the next one", "words", seed=0, purpose=0, replicate=0, position=1,
                  known=(4175744164, 1555169499, 2980410603, 159317863)),
        statistic(6, "of each part the upper half, too", "words", seed=2**63 + 2**32 + 5,
                  purpose=1, replicate=2**32 - 1, position=2**32 + 7, flags="many-words",
                  known=(2472598131, 1261789090, 728712747, 649321267)),
        statistic(7, "a seed of twenty digits", "words", seed=12345678901234567890, purpose=3,
                  replicate=9999, position=5,
                  known=(3556241665, 4204995659, 1579709482, 3917058225)),
    ),
    group(
        "integers below a bound",
        statistic(8, "a bound that is no power of two", "below", bound=1000, seed=1, purpose=2,
                  replicate=0, place=1),
        statistic(9, "the bound 1", "below", bound=1, seed=1, purpose=2, replicate=0, place=1,
                  flags="divides", spec="RS-RND-3(b)"),
        statistic(10, "a power of two", "below", bound=256, seed=1, purpose=2, replicate=0,
                  place=2, flags="divides", spec="RS-RND-3(a)"),
        statistic(11, "the largest bound: the word itself", "below", bound=2**32, seed=1,
                  purpose=2, replicate=0, place=2, flags="divides", spec="RS-RND-3(a)"),
        statistic(12, "the first two words are not accepted", "below", bound=2**31 + 1, seed=1,
                  purpose=2, replicate=0, place=3, flags="word-refused"),
        statistic(13, "the same place, with another bound: the first is accepted", "below",
                  bound=3, seed=1, purpose=2, replicate=0, place=3),
    ),
    group(
        "sign flips",
        statistic(14, "eight queries", "flips", seed=1, replicate=0, n=8),
        statistic(15, "no query", "flips", seed=1, replicate=0, n=0, spec="RS-RND-4(a)"),
        statistic(16, "more queries: the first are the same", "flips", seed=1, replicate=0, n=140,
                  flags="two-blocks", laws="RS-RND-4/L2 begun-by randomness-0014"),
        statistic(17, "the next replicate", "flips", seed=1, replicate=1, n=40),
        statistic(18, "the largest seed", "flips", seed=2**64 - 1, replicate=0, n=40),
    ),
    group(
        "draws with replacement",
        statistic(19, "one query", "draws", seed=1, replicate=0, n=1),
        statistic(20, "eight queries", "draws", seed=1, replicate=0, n=8),
        statistic(21, "fifty, of a later replicate", "draws", seed=20, replicate=9999, n=50),
    ),
    group(
        "permutations within topics",
        statistic(22, "one system", "permutation", seed=1, replicate=0, topic=0, systems=1,
                  flags="an-order", spec="RS-RND-6(a)"),
        statistic(23, "two systems", "permutation", seed=1, replicate=0, topic=1, systems=2,
                  flags="an-order", spec="RS-RND-6/L1"),
        statistic(24, "eight systems", "permutation", seed=1, replicate=0, topic=0, systems=8,
                  flags="an-order", spec="RS-RND-6/L1"),
        statistic(25, "another topic", "permutation", seed=1, replicate=0, topic=1, systems=8,
                  flags="an-order", spec="RS-RND-6/L1"),
        statistic(26, "a topic and a replicate far on", "permutation", seed=2**40,
                  replicate=2**31, topic=10**6, systems=30, flags="an-order", spec="RS-RND-6/L1"),
    ),
    group(
        "p-values",
        statistic(27, "4 of 1024: Student's sleep data, all signs", "p", count=4,
                  arrangements=1024, exact=True, spec="RS-RND-7/L1"),
        statistic(28, "drawn: the observed arrangement counts, too", "p", count=4,
                  arrangements=1023, exact=False, spec="RS-RND-7/L1"),
        statistic(29, "none that was drawn", "p", count=0, arrangements=9999, exact=False,
                  flags="never-0", spec="RS-RND-7(a) RS-RND-7/L1"),
    ),
    group(
        "the randomisation test",
        statistic(30, "Student's sleep data: R counts 4 of all 1024 signs", "randomisation",
                  differences=SLEEP, seed=0, replicates=1, known=Resampled(2, 512, True),
                  flags="enumerated ties smallest", spec="RS-RND-9/L4"),
        statistic(31, "without the query whose difference is 0", "randomisation",
                  differences=[d for d in SLEEP if d], seed=0, replicates=1, flags="enumerated",
                  laws="RS-RND-9(c) = randomness-0030"),
        statistic(73, "the queries in another order", "randomisation", differences=WEAK[::-1],
                  seed=0, replicates=1, flags="enumerated", laws="RS-RND-9/L3 = randomness-0033"),
        statistic(32, "the systems exchanged", "randomisation", differences=[-d for d in WEAK],
                  seed=0, replicates=1, flags="enumerated ties",
                  laws="RS-RND-9/L1 = randomness-0033"),
        statistic(33, "differences of both signs", "randomisation", differences=WEAK, seed=0,
                  replicates=1, flags="enumerated ties"),
        statistic(34, "another unit", "randomisation", differences=[2**30 * d for d in WEAK],
                  seed=0, replicates=1, flags="enumerated", laws="RS-RND-9/L2 = randomness-0033"),
        statistic(35, "all differences are 0", "randomisation", differences=[0] * 4, seed=0,
                  replicates=1, flags="enumerated one", spec="RS-RND-9(a)"),
        statistic(36, "one that is not", "randomisation", differences=[0, 0, -7], seed=0,
                  replicates=1, flags="enumerated one", spec="RS-RND-9(b)"),
        statistic(37, "sixteen: all signs", "randomisation", differences=list(range(1, 17)),
                  seed=0, replicates=1, flags="enumerated just-enumerated smallest"),
        statistic(38, "nineteen: signs are drawn, and sums tie", "randomisation",
                  differences=PRECISION, seed=7, replicates=200, flags="drawn ties"),
        statistic(39, "drawn, the systems exchanged", "randomisation",
                  differences=[-d for d in PRECISION], seed=7, replicates=200, flags="drawn",
                  laws="RS-RND-9/L1 = randomness-0038"),
    ),
    group(
        "the step-down max-T test",
        statistic(40, "two pairs, all signs; R finds 8 and 492 of 1024 by |t|", "step_down",
                  family=[SLEEP, WEAK], seed=0, replicates=1,
                  known=[Resampled(8, 1024, True), Resampled(492, 1024, True)],
                  flags="enumerated", laws="RS-RND-10/L2 first>= randomness-0030"),
        statistic(41, "one pair: the randomisation test", "step_down", family=[SLEEP], seed=0,
                  replicates=1, flags="enumerated", laws="RS-RND-10(a) first-is randomness-0030"),
        statistic(42, "the pairs in another order", "step_down", family=[WEAK, SLEEP], seed=0,
                  replicates=1, flags="enumerated", laws="RS-RND-10/L4 reversed randomness-0040"),
        statistic(43, "a copy, and a multiple of the other sign", "step_down",
                  family=[SLEEP, WEAK, SLEEP, [-3 * d for d in WEAK]], seed=0, replicates=1,
                  flags="enumerated falls-with-u", spec="RS-RND-10/L3",
                  laws="RS-RND-10/L5 begun-by randomness-0040"),
        statistic(44, "a pair without any difference", "step_down", family=[SLEEP, [0] * 10],
                  seed=0, replicates=1, flags="enumerated", spec="RS-RND-10(b)"),
        statistic(45, "signs are drawn, shared by three pairs", "step_down",
                  family=[PRECISION, [1] * 20, [3, -2] * 10], seed=7, replicates=200,
                  flags="drawn falls-with-u", spec="RS-RND-10/L3"),
    ),
    group(
        "the randomised Tukey HSD test",
        statistic(46, "three systems, four topics: R counts all 1296 permutations",
                  "randomised_hsd", values=TOPICS, seed=0, replicates=1,
                  known={(0, 1): Resampled(576, 1296, True), (0, 2): Resampled(48, 1296, True),
                         (1, 2): Resampled(864, 1296, True)},
                  flags="enumerated monotone", spec="RS-RND-11/L2"),
        statistic(47, "a constant added to each topic", "randomised_hsd",
                  values=[[x + 100 * t for x in row] for t, row in enumerate(TOPICS)], seed=0,
                  replicates=1, flags="enumerated", laws="RS-RND-11/L1 = randomness-0046"),
        statistic(48, "the topics in another order", "randomised_hsd", values=TOPICS[::-1], seed=0,
                  replicates=1, flags="enumerated", laws="RS-RND-11/L3 = randomness-0046"),
        statistic(49, "two systems: the randomisation test of their differences",
                  "randomised_hsd", values=[[d, 0] for d in SLEEP], seed=0, replicates=1,
                  flags="enumerated", laws="RS-RND-11(a) only-pair-is randomness-0030"),
        statistic(50, "two systems of one sum", "randomised_hsd", values=[[1, 2], [2, 1], [0, 0]],
                  seed=0, replicates=1, flags="enumerated one", spec="RS-RND-11(b)"),
        statistic(51, "permutations are drawn", "randomised_hsd", values=MANY, seed=5,
                  replicates=100, flags="drawn monotone", spec="RS-RND-11/L2"),
    ),
    group(
        "the permutation test within topics",
        statistic(74, "two topics: 3 · 6 choices, one as far from the mean", "stratified",
                  topics=[[[9, 8], [1]], [[5, 4], [3, 2]]], seed=0, replicates=1,
                  known=Resampled(1, 18, True), flags="enumerated", spec="RS-RND-14/L5"),
        statistic(75, "a constant added to a topic", "stratified",
                  topics=[[[109, 108], [101]], [[5, 4], [3, 2]]], seed=0, replicates=1,
                  flags="enumerated", laws="RS-RND-14/L1 = randomness-0074"),
        statistic(76, "topics, sessions and systems in another order", "stratified",
                  topics=[[[2, 3], [4, 5]], [[1], [8, 9]]], seed=0, replicates=1,
                  flags="enumerated", laws="RS-RND-14/L2 = randomness-0074"),
        statistic(77, "a topic that one system has no session of", "stratified",
                  topics=[[[9, 8], [1]], [[], [50]], [[5, 4], [3, 2]]], seed=0, replicates=1,
                  flags="enumerated", laws="RS-RND-14(a) = randomness-0074"),
        statistic(78, "no topic of both", "stratified", topics=[[[9, 8], []], [[], [5]]], seed=0,
                  replicates=1, flags="enumerated one", spec="RS-RND-14(b)"),
        statistic(79, "one value in each topic", "stratified", topics=[[[3, 3], [3]], [[1], [1]]],
                  seed=0, replicates=1, flags="enumerated one", spec="RS-RND-14(c)"),
        statistic(80, "one session of each: the randomisation test", "stratified",
                  topics=[[[d], [0]] for d in SLEEP], seed=0, replicates=1, flags="enumerated",
                  laws="RS-RND-14/L4 one-is randomness-0030"),
        statistic(81, "more sessions of x in the easy topic: near the middle", "stratified",
                  topics=[[[8, 9, 8, 9], [8, 9]], [[1, 2], [1, 2, 1]]], seed=0, replicates=1,
                  flags="enumerated", spec="RS-RND-14/L3"),
        statistic(82, "one topic of 20 sessions: permutations are drawn", "stratified",
                  topics=[[list(range(11)), list(range(3, 12))]], seed=5, replicates=200,
                  flags="drawn"),
        statistic(83, "four topics: permutations are drawn", "stratified",
                  topics=[[[5, 7, 4], [3, 1, 2]], [[9, 9], [8, 4, 3]], [[1, 0, 2], [0, 0]],
                          [[2, 3, 5, 4], [3, 3, 1, 0]]], seed=2**40, replicates=200, flags="drawn"),
    ),
    group(
        "the studentised bootstrap test",
        statistic(52, "Student's sleep data", "studentised_bootstrap", differences=SLEEP, seed=1,
                  replicates=500, flags="drawn"),
        statistic(53, "the systems exchanged, in another unit", "studentised_bootstrap",
                  differences=[-3 * d for d in SLEEP], seed=1, replicates=500, flags="drawn",
                  laws="RS-RND-12/L2 = randomness-0052"),
        statistic(54, "constant differences", "studentised_bootstrap", differences=[4, 4, 4],
                  seed=1, replicates=5, flags="no-value", spec="RS-RND-12(a)"),
        statistic(55, "all differences are 0", "studentised_bootstrap", differences=[0, 0, 0],
                  seed=1, replicates=5, flags="one", spec="RS-RND-12(b)"),
        statistic(56, "two queries: most samples are of one", "studentised_bootstrap",
                  differences=[1, 3], seed=1, replicates=100, spec="RS-RND-12(c)"),
        statistic(57, "a difference that is the mean: samples of it alone", "studentised_bootstrap",
                  differences=[1, 2, 3], seed=1, replicates=200, spec="RS-RND-12(c)"),
    ),
    group(
        "the BCa interval",
        statistic(58, "Student's sleep data", "bca", values=SLEEP, alpha=0.05, seed=1,
                  replicates=999),
        statistic(59, "the negative values", "bca", values=[-d for d in SLEEP], alpha=0.05, seed=1,
                  replicates=999, laws="RS-RND-13/L1 mirrors randomness-0058"),
        statistic(60, "ten times the values, and 7", "bca", values=[10 * d + 7 for d in SLEEP],
                  alpha=0.05, seed=1, replicates=999,
                  laws="RS-RND-13/L2 ten-times randomness-0058"),
        statistic(61, "constant values", "bca", values=[3] * 5, alpha=0.05, seed=1, replicates=99,
                  flags="one-value", spec="RS-RND-13(c)"),
        statistic(62, "so few samples that the ends are the least and the greatest sum", "bca",
                  values=[1, 2, 4], alpha=0.05, seed=3, replicates=4, flags="ends-of-the-sums",
                  spec="RS-RND-13(a)"),
        statistic(63, "one sample, whose sum is above the observed one, or below", "bca",
                  values=[1, 2, 4], alpha=0.05, seed=1, replicates=1, flags="one-value-of-a-sample",
                  spec="RS-RND-13(b)"),
        statistic(64, "the acceleration of the sleep data", "acceleration", values=SLEEP,
                  flags="bounded-acceleration", spec="RS-RND-13/L3"),
    ),
]
FLAGS["one-value-of-a-sample"] = (
    "both ends are the mean of the one sample", lambda _, y: y[0] == y[1] != Fraction(7, 3)
)

OPTIONAL = [
    group(
        "arrangements drawn with replacement: what statmod's permp prints",
        statistic(65, "none of 10 of 8", "p_with_replacement", count=0, replicates=10,
                  arrangements=8, flags="within-bounds", spec="RS-RND-8/L1"),
        statistic(66, "5 of 10 of 8", "p_with_replacement", count=5, replicates=10,
                  arrangements=8, flags="within-bounds", spec="RS-RND-8/L1"),
        statistic(67, "all", "p_with_replacement", count=20, replicates=20, arrangements=32,
                  known=1, flags="within-bounds", spec="RS-RND-8(a)"),
        statistic(68, "5 of 99 of 462", "p_with_replacement", count=5, replicates=99,
                  arrangements=462, flags="within-bounds", spec="RS-RND-8/L1"),
    ),
    group(
        "to be refused",
        statistic(69, "a seed below 0", "flips", seed=-1, replicate=0, n=1, error="seed",
                  spec="RS-RND-2"),
        statistic(70, "a seed of 65 bits", "flips", seed=2**64, replicate=0, n=1, error="seed",
                  spec="RS-RND-2"),
        statistic(71, "a seed that is no integer", "flips", seed=0.5, replicate=0, n=1,
                  error="seed", spec="RS-RND-2"),
        statistic(72, "no replicate", "randomisation", differences=[1] * 17, seed=0, replicates=0,
                  error="replicates", spec="RS-RND-9"),
    ),
]
