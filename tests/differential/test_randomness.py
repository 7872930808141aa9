"""Resampling in bulk against the reference, the core against NumPy: the same bits.

Whatever the blocks, the threads and the process are; and where a comparison in doubles is in doubt.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tracemalloc
from math import comb, prod

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats

from rankspec import InputError
from rankspec.analysis.comparison import resampling
from rankspec.compute import core
from rankspec.compute import randomness as bulk
from rankspec.reference import randomness as reference

from ..each import each

pytestmark = pytest.mark.spec("RS-RND-2")

seeds = st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
sizes = st.sampled_from([1, 3, 10**6, 2**40])


def whole(size: int, n: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(-size, size), min_size=n, max_size=n)


@st.composite
def families(draw: st.DrawFn) -> list[list[int]]:
    n, size = draw(st.sampled_from([1, 2, 5, 17, 40, 130])), draw(sizes)
    family = draw(st.lists(whole(size, n), min_size=1, max_size=3))
    extra = draw(st.sampled_from([None, 0, 3, -2]))
    if extra is not None:
        family.append([extra * d for d in family[0]] if extra else [0] * n)
    return family


@pytest.mark.spec("RS-RND-9", "RS-RND-10", "RS-RND-12", "RS-RND-13")
@given(family=families(), seed=seeds, m=st.integers(1, 50))
def test_the_tests_in_bulk_are_those_of_the_reference(family, seed, m):
    n = len(family[0])
    samples = [list(reference.bootstrap_samples(seed, n, m)) for _ in family]
    assert resampling.randomisations(family, seed, m) == [
        reference.randomisation(D, seed, m) for D in family
    ]
    assert resampling.step_down(family, seed, m) == reference.step_down(family, seed, m)
    assert resampling.studentised_bootstraps(family, seed, m) == [
        reference.studentised_bootstrap(D, drawn) for D, drawn in zip(family, samples, strict=True)
    ]
    assert resampling.bca_intervals(family, 0.1, seed, m) == [
        reference.bca(D, 0.1, drawn) for D, drawn in zip(family, samples, strict=True)
    ]


@pytest.mark.spec("RS-RND-10", "RS-RND-10/L3")
@pytest.mark.parametrize("step_down", [resampling.step_down, reference.step_down])
def test_equal_statistics_have_equal_counts(step_down):
    """Of the 8 arrangements of the signs, one statistic or the other is 4/2 in 6, each in 4."""
    family = [[0, 0, 0, 1, 1], [0, 0, 1, 0, 1]]
    for of in (family, family[::-1]):
        assert [(found.count, found.arrangements) for found in step_down(of, 0, 1)] == [(6, 8)] * 2


@pytest.mark.slow
@pytest.mark.spec("RS-RND-11")
@given(
    of=st.tuples(st.integers(1, 9), st.sampled_from([1, 3, 16, 17, 40]), sizes),
    seed=seeds,
    m=st.integers(1, 20),
    fill=st.randoms(use_true_random=False),
)
def test_permutations_in_bulk_are_those_of_the_reference(of, seed, m, fill):
    systems, topics, size = of
    X = [[fill.randint(-size, size) for _ in range(systems)] for _ in range(topics)]
    assert resampling.randomised_hsd(X, seed, m) == reference.randomised_hsd(X, seed, m)


@pytest.mark.spec("RS-RND-14")
@given(
    of=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5),
    size=sizes,
    slack=st.sampled_from([0, 3]),
    seed=seeds,
    fill=st.randoms(use_true_random=False),
)
@example(of=[(9, 9), (1, 4), (5, 6)], size=2**40, slack=3, seed=7, fill=random.Random(1))
def test_sessions_permuted_in_bulk_are_those_of_the_reference(of, size, slack, seed, fill):
    strata = [tuple([fill.randint(-size, size) for _ in range(n)] for n in two) for two in of]
    ways = prod(comb(k + n, k) for k, n in of if k and n)
    assume(not 500 < ways <= reference.MOST_ENUMERATED)
    found = resampling.stratified(strata, seed, 20, slack=slack)
    assert found == reference.stratified(strata, seed, 20, slack)


@pytest.mark.spec("RS-RND-14")
@pytest.mark.parametrize("sizes_of_x_and_y", [(9, 9), (8, 9)])
def test_so_many_choices_are_gone_through(sizes_of_x_and_y):
    """C(18, 9) = 48620 choices, and C(17, 8) = 24310; each topic of one of each doubles them."""
    k, n = sizes_of_x_and_y
    one = list(range(k)), list(range(3, n + 3))
    ways = comb(k + n, k)
    for more in range(3):
        found = resampling.stratified([one, *[([1], [0])] * more], 0, 7)
        exact = ways * 2**more <= 2**16
        assert (found.exact, found.arrangements) == (exact, ways * 2**more if exact else 7)


# ---- the core and NumPy ------------------------------------------------------------------


@pytest.mark.spec("RS-RND-5", "RS-RND-6")
@given(
    seed=seeds,
    first=st.one_of(st.integers(0, 9), st.integers(0, 2**32 - 9)),
    topics=st.integers(1, 40),
    systems=st.integers(1, 40),
)
def test_the_core_draws_and_permutes_as_numpy_does(seed, first, topics, systems):
    some = range(first, first + 5)
    counts = bulk.draw_counts(seed, some, topics)
    assert (counts == bulk.counts_by_numpy(seed, some, topics)).all()
    assert (counts.sum(axis=1) == topics).all()
    X = np.random.default_rng(systems).integers(-(2**40), 2**40, (topics, systems))
    assert (bulk.permuted_ranges(seed, some, X) == bulk.ranges_by_numpy(seed, some, X)).all()


@pytest.mark.slow
@pytest.mark.spec("RS-RND-3", "RS-RND-5")
def test_draws_whose_words_are_refused_are_drawn_again_alike():
    """Of three million words some seven hundred are refused."""
    n, one = 3_000_000, range(1)
    drawn = bulk.draws(8, one, n)
    assert (bulk.draw_counts(8, one, n)[0] == np.bincount(drawn[0], minlength=n)).all()
    stream = bulk.words(8, reference.DRAWS, one, np.arange(n // 4, dtype=np.uint64))[0]
    refused = np.flatnonzero(stream.astype(np.uint64) * np.uint64(n) % 2**32 < 2**32 % n)
    assert len(refused) > 500
    for at in (*refused[:20].tolist(), 0, n - 1):
        assert drawn[0, at] == reference.below(n, 8, reference.DRAWS, 0, at)


@pytest.mark.slow
@pytest.mark.spec("RS-RND-3", "RS-RND-6")
def test_permutations_whose_words_are_refused_are_permuted_alike():
    """Of so many systems that, of some replicates, one has a word which is one too many: in the
    second topic, whose words stand further on."""
    m, some = 20_000, range(200)
    positions = np.arange(2**32, 2**32 + m // 4, dtype=np.uint64)
    stream = bulk.words(8, reference.PERMUTATIONS, some, positions)[:, : m - 1].astype(np.uint64)
    bounds = np.arange(m, 1, -1, dtype=np.uint64)
    refused = stream * bounds % 2**32 < 2**32 % bounds
    replicate, step = np.argwhere(refused)[0].tolist()
    one = range(replicate, replicate + 1)
    orders = [reference.permutation(8, replicate, topic, m) for topic in range(2)]
    # One system of the second topic has all its weight, and its place tells by the first topic's
    # values: the system that this step puts where it stays.
    X = np.zeros((2, m), np.int64)
    X[0] = np.arange(m)
    X[1, orders[1][m - 1 - step]] = 2**50
    expected = reference.range_of_sums(X.tolist(), orders)
    assert bulk.permuted_ranges(8, one, X).tolist() == [expected]
    assert (bulk.permuted(8, one, X)[0] == [row[o] for row, o in zip(X, orders, strict=True)]).all()


# ---- blocks, threads, processes ----------------------------------------------------------

FAMILY = [[random.Random(j).randint(-9, 9) * 2**30 for _ in range(60)] for j in range(5)]
TABLE = [list(row) for row in zip(*FAMILY, strict=True)]


def everything(m: int = 500) -> list[object]:
    return [
        resampling.randomisations(FAMILY, 3, m),
        resampling.step_down(FAMILY, 3, m),
        resampling.studentised_bootstraps(FAMILY, 3, m),
        resampling.bca_intervals(FAMILY, 0.05, 3, m),
        list(resampling.randomised_hsd(TABLE, 3, m).values()),
    ]


def test_results_do_not_depend_on_blocks(monkeypatch):
    right = everything(150)
    for elements, blocks, steps in ((1, 1, 1), (60 * 7, 3, 60 * 5 * 11), (10**9, 10**9, 10**9)):
        monkeypatch.setattr(bulk, "ELEMENTS_AT_ONCE", elements)
        monkeypatch.setattr(bulk, "BLOCKS_AT_ONCE", blocks)
        monkeypatch.setattr(resampling, "STEPS_AT_ONCE", steps)
        assert everything(150) == right


def test_results_do_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(core, "LABELS_A_THREAD", 1)
    found = []
    for threads in ("1", "2", "7"):
        monkeypatch.setenv("RANKSPEC_THREADS", threads)
        found.append(everything())
    assert found[0] == found[1] == found[2]


def test_results_do_not_depend_on_the_process_or_the_core():
    """Another process, without the core, with another seed of Python's hashes."""
    code = (
        "import random, sys; sys.modules['rankspec._core'] = None\n"
        "from rankspec.analysis.comparison import resampling\n"
        f"family = {FAMILY!r}\n"
        "print(resampling.step_down(family, 3, 150))\n"
        "print(resampling.studentised_bootstraps(family, 3, 150))\n"
        "print(resampling.bca_intervals(family, 0.05, 3, 150))\n"
        "print(list(resampling.randomised_hsd(list(zip(*family)), 3, 150).values()))\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(x) for x in everything(150)[1:]]


def test_replicates_do_not_depend_on_how_many_there_are():
    """The first hundred of a thousand are the hundred: counts rise by those of the rest."""
    few, many = (resampling.randomisations(FAMILY, 3, m) for m in (100, 1000))
    rest = np.abs(resampling.flipped_sums(np.array(FAMILY), 3, range(100, 1000)))
    for j, (one, other) in enumerate(zip(few, many, strict=True)):
        assert other.count - one.count == int((rest[:, j] >= abs(sum(FAMILY[j]))).sum())


def test_memory_is_bounded():
    """10,000 flips of 1,000 queries are 80 MB as doubles at once; a block takes a part of it."""
    D = np.random.default_rng(1).integers(-(2**40), 2**40, (28, 1000))
    tracemalloc.start()
    resampling.randomisations(D, 0, 10_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20


# ---- exactness ---------------------------------------------------------------------------


@pytest.mark.spec("RS-RND-9")
def test_sums_beyond_2_to_the_53_are_exact():
    """A family whose sums no double holds, and one that a product in doubles would spoil."""
    n = 20
    large = [(-1) ** q * (2**57 + 2 * q + 1) for q in range(n)]
    near = [2**56 + 1, *[1] * (n - 1)]
    D = np.array([large, near])
    signs = [reference.flips(4, r, n) for r in range(64)]
    exact = [
        [int(sum(s * d for s, d in zip(f, row, strict=True))) for row in (large, near)]
        for f in signs
    ]
    assert resampling.flipped_sums(D, 4, range(64)).tolist() == exact
    by_doubles = np.array(signs, float) @ D.T.astype(float)
    assert (by_doubles.astype(np.int64) != np.array(exact)).any()


@pytest.mark.spec("RS-RND-10")
def test_statistics_that_differ_by_less_than_doubles_tell():
    """S^2/Q of the two members differs in the last of 40 bits: the order of the family is exact,
    and so is what reaches it."""
    n = 18
    one = [2**40 - 1] * n
    other = [*[2**40 - 1] * (n - 1), 2**40 - 2]
    u = [reference.studentised(sum(D), D) for D in (one, other)]
    assert u[0] > u[1]
    assert float(u[0]) == pytest.approx(float(u[1]), rel=1e-15)
    for family in ([one, other], [other, one], [other, other, one]):
        assert resampling.step_down(family, 1, 300) == reference.step_down(family, 1, 300)


@pytest.mark.spec("RS-RND-12/L3")
def test_samples_in_doubt_are_decided_in_integers(monkeypatch):
    """Samples of few values often equal the observed statistic; without the doubt they are lost."""
    asked = []
    right = resampling._Studentised._reaches
    monkeypatch.setattr(
        resampling._Studentised,
        "_reaches",
        lambda self, counts: asked.append(counts) or right(self, counts),
    )
    for D in (
        [-3, 0, 0],
        [-3, 1, 5, 5],
        [-3, -3, -2, -2, 1],
        [x * 2**37 for x in (-3, -3, -3, 2, 2)],
    ):
        n, before = len(D), len(asked)
        found = resampling.studentised_bootstraps([D], 2, 400)
        samples = list(reference.bootstrap_samples(2, n, 400))
        assert found == [reference.studentised_bootstrap(D, samples)]
        W, observed = reference.centred(D), reference.squared_share(D)
        equal = sum(reference.squared_share([W[i] for i in s]) == observed for s in samples)
        assert len(asked) - before >= equal > 0


# ---- SciPy -------------------------------------------------------------------------------


@pytest.mark.spec("RS-RND-9")
@each(
    "D",
    [
        [12, 24, 13, 13, 0, 10, 18, 8, 46, 14],
        [3, -2, 5, 1, -4, 2, 0, 1, -1, 2],
        [1, -1, 2, -2],
        [5, 4, -9, 8, 2, 2, -1, 7],
    ],
)
def test_enumeration_is_that_of_scipy(D):
    """Whole numbers, so that SciPy's sums tie where ours do."""
    theirs = stats.permutation_test(
        (np.array(D, float),),
        lambda x, axis: np.abs(x.sum(axis=axis)),
        vectorized=True,
        permutation_type="samples",
        n_resamples=np.inf,
        alternative="greater",
    )
    assert float(resampling.randomisations([D])[0].p) == theirs.pvalue


@pytest.mark.spec("RS-RND-13")
@each("seed", range(4))
def test_the_interval_is_that_of_scipy_but_for_the_last_step(seed):
    """SciPy interpolates between two sums of its own sample; ours of the same sums is one of them,
    or the next one outwards."""
    rng = np.random.default_rng(seed)
    D = rng.integers(-50, 400, 25)
    theirs = stats.bootstrap(
        (D.astype(float),), np.mean, n_resamples=999, method="BCa", random_state=rng
    )
    sums = sorted(round(x * len(D)) for x in theirs.bootstrap_distribution)
    low, high = (float(x) * len(D) for x in reference.bca_of_sums(D.tolist(), 0.05, sums))
    distinct = sorted(set(sums))
    for ours, interpolated in (
        (low, theirs.confidence_interval.low),
        (high, theirs.confidence_interval.high),
    ):
        place = distinct.index(round(ours))
        around = distinct[max(place - 2, 0)], distinct[min(place + 2, len(distinct) - 1)]
        assert around[0] <= interpolated * len(D) <= around[1]
    z0 = stats.norm.ppf(stats.percentileofscore(sums, int(D.sum()), kind="mean") / 100)
    assert reference.bias(int(D.sum()), sums) == pytest.approx(z0, rel=1e-12)


@pytest.mark.spec("RS-RND-13")
@each(("S", "below"), [(0, 0.5), (1, 0.5), (2, 1.5), (3, 2.5), (4, 2.5)])
def test_the_share_of_samples_below_is_not_0_or_1(S: int, below: float) -> None:
    expected = stats.norm.ppf(below / 3)
    assert reference.bias(S, [1, 2, 3]) == pytest.approx(expected, rel=1e-12, abs=1e-15)


# ---- what is refused ---------------------------------------------------------------------


@each(
    ("call", "words"),
    [
        (
            lambda: resampling.randomisations([[1, 2]], seed=-1),
            "seed: expected an integer from 0 to 2^64 - 1, got -1",
        ),
        (
            lambda: resampling.randomisations([[1, 2]], seed=2**64),
            "expected an integer from 0 to 2^64 - 1, got 18446744073709551616",
        ),
        (
            lambda: resampling.randomisations([[1, 2]], seed=1.0),
            "seed: expected an integer from 0 to 2^64 - 1, got 1.0",
        ),
        (
            lambda: resampling.randomisations([[1, 2]], seed="1"),
            "seed: expected an integer from 0 to 2^64 - 1, got '1'",
        ),
        (
            lambda: resampling.randomisations([[1, 2]], seed=True),
            "seed: expected an integer from 0 to 2^64 - 1, got True",
        ),
        (
            lambda: resampling.step_down([[1, 2]], m=True),
            "replicates: expected an integer from 1 to 2^32, got True",
        ),
        (
            lambda: resampling.step_down([[1, 2]], m=np.bool_(True)),
            "replicates: expected an integer from 1 to 2^32, got np.True_",
        ),
        (
            lambda: resampling.step_down([[1, 2]], m=0),
            "replicates: expected an integer from 1 to 2^32, got 0",
        ),
        (lambda: resampling.step_down([[1, 2]], m=2**32 + 1), "from 1 to 2^32, got 4294967297"),
        (
            lambda: resampling.step_down([[1, 2]], m=None),
            "replicates: expected an integer from 1 to 2^32, got None",
        ),
        (lambda: resampling.randomisations([]), "differences: expected at least one, got none"),
        (
            lambda: resampling.randomisations([[], []]),
            "differences: expected at least one, got none",
        ),
        (lambda: resampling.randomisations([[1], [1, 2]]), "the rows have 1 and 2 numbers"),
        (lambda: resampling.randomisations([[1, 0.5]]), "differences: 0.5 is no integer"),
        (lambda: resampling.randomisations([[2**61, 1]]), "is too large: sums must stay below"),
        (lambda: resampling.randomisations([[-(2**63), 1]]), "is too large"),
        (lambda: resampling.randomisations([[10**30]]), "is too large"),
        (lambda: resampling.randomisations(np.array([[2**63]], np.uint64)), "is too large"),
        (lambda: resampling.randomised_hsd([[1, None]]), "values: None is no integer"),
        (lambda: resampling.randomisations([1, 2]), "expected a list of lists of integers"),
        (lambda: resampling.randomisations(None), "expected a list of lists of integers"),
        (
            lambda: resampling.bca_intervals([[1]], alpha="0.05"),
            "alpha: expected a number between 0 and 1, got '0.05'",
        ),
        (
            lambda: resampling.bca_intervals([[1]], alpha=0),
            "alpha: expected a number between 0 and 1, got 0",
        ),
        (
            lambda: resampling.bca_intervals([[1]], alpha=float("nan")),
            "alpha: expected a number between 0 and 1, got nan",
        ),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(InputError, match=words.replace("^", r"\^")):
        call()


@each("seed", [0, np.int64(5), np.uint64(2**64 - 1)])
def test_whatever_is_an_integer_is_a_seed(seed):
    right = resampling.randomisations(FAMILY, int(seed), 50)
    assert resampling.randomisations(FAMILY, seed, 50) == right
    assert resampling.randomisations(np.array(FAMILY, np.int64), seed, 50) == right


def test_progress_is_told():
    told = []
    resampling.randomisations(FAMILY, 0, 50_000, progress=lambda *done: told.append(done))
    resampling.randomised_hsd(TABLE, 0, 100, progress=lambda *done: told.append(done))
    assert len(told) > 2
    assert told[-2] == (50_000, 50_000)
    assert told[-1] == (100, 100)
