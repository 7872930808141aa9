"""Questions to choose from: for each choice of a definition, inputs that may tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from .inputs import Domain, Input, Label

Draw = Callable[[Random, Domain], Input]

WITHIN, BEYOND, ANY = "within", "beyond", "any"

USUAL = 8
"""The length of ordinary lists, at most."""


def drawn(domain: Domain, count: int, seed: int, draw: Draw) -> list[Input]:
    """Different inputs of a domain; fewer where there are few."""
    random = Random(seed)  # noqa: S311 - the same questions each time
    found: dict[Input, None] = {}
    for _ in range(20 * count):
        x = draw(random, domain)
        if domain.takes(x):
            found.setdefault(x)
        if len(found) == count:
            break
    return list(found)


def ranking(
    random: Random,
    domain: Domain,
    labels: Sequence[Label | None],
    *,
    cut: str = WITHIN,
    tied: bool = False,
    pooled: bool = True,
    unseen: Sequence[Label] | None = None,
) -> Input:
    """An input of these labels: scores, a cut-off and, where a domain has it, more of a pool."""
    n = len(labels)
    if not domain.scored:
        scores = None
    elif tied:
        scores = tuple(float(random.randint(1, max(1, n // 2))) for _ in range(n))
    else:
        scores = tuple(float(x) for x in random.sample(range(1, n + 1), n))
    if unseen is None:
        more = domain.pool and pooled and random.random() < 0.6
        count = random.randint(1, 4) if more else 0
        unseen = [random.randint(0, domain.highest) for _ in range(count)]
    ids = None
    if domain.named:
        ids = tuple(f"d{a:02}" for a in random.sample(range(1, n + 1), n))
    return Input(tuple(labels), scores, cutoff(random, domain, n, cut), tuple(unseen), ids)


def cutoff(random: Random, domain: Domain, n: int, cut: str) -> int | None:
    """A cut-off within a list of n items, or beyond it, or none."""
    lowest, highest = (n + 1, n + 4) if cut == BEYOND else (1, max(1, n))
    if cut == ANY:
        highest = n + 3
    if domain.cutoff == "never":
        return None
    if domain.cutoffs is not None:
        given = [k for k in domain.cutoffs if lowest <= k <= highest] or list(domain.cutoffs)
        return random.choice(given)
    if domain.cutoff == "optional" and random.random() < 0.25:
        return None
    return random.randint(lowest, highest)


def length(random: Random, domain: Domain, low: int, high: int) -> int:
    """A length of lists, as near to the range as the domain has it."""
    low = min(max(low, domain.min_length), domain.max_length)
    return random.randint(low, max(low, min(high, domain.max_length)))


def _graded(random: Random, domain: Domain, n: int) -> list[int]:
    return [random.randint(0, domain.highest) for _ in range(n)]


def _ordinary(random: Random, domain: Domain) -> Input:
    """Different scores, a cut-off within the list, and something relevant above it."""
    for _ in range(50):
        labels = _graded(random, domain, length(random, domain, 2, USUAL))
        x = ranking(random, domain, labels)
        if _shows_relevant(x):
            break
    return x


def _shows_relevant(x: Input) -> bool:
    """Whether any order of the tied items shows something relevant within the cut-off."""
    scores = x.scores or tuple(-float(a) for a in range(len(x.labels)))
    labels = [label or 0 for label in x.labels]
    worst = sorted(range(len(labels)), key=lambda a: (-scores[a], labels[a]))
    return any(labels[a] >= 1 for a in worst[: x.k])


def ordinary(domain: Domain, count: int = 120, seed: int = 1) -> list[Input]:
    """Inputs that every definition has a value for: what tells the measure."""
    found = sorted(drawn(domain, count, seed, _ordinary), key=lambda x: -len(x.labels))
    singles = [x for x in drawn(domain, 6, seed, _single) if _shows_relevant(x)]
    mixed = [x for first in range(4) for x in found[first::4]]  # long ones and short ones
    begun = [*mixed[:8], *singles]
    deep = drawn(domain, 2, seed, _deep) if domain.max_length > USUAL else []
    return list(dict.fromkeys([*begun, *filter(_shows_relevant, deep), *mixed[8:]]))


def _deep(random: Random, domain: Domain) -> Input:
    """A long list whose last ranks count: some discounts begin below the usual ones."""
    n = length(random, domain, 20, 30)
    x = ranking(random, domain, _graded(random, domain, n))
    if domain.cutoffs is not None and x.k is not None:
        return replace(x, k=max(domain.cutoffs))
    return replace(x, k=n if domain.cutoff == "required" else None)


def _single(random: Random, domain: Domain) -> Input:
    """One relevant item, not at the top."""
    n = length(random, domain, 2, 6)
    x = ranking(random, domain, [0] * n)
    order = sorted(range(n), key=lambda a: 0 if x.scores is None else -x.scores[a])
    labels = [0] * n
    labels[random.choice(order[1 : x.k] or order)] = 1
    return replace(x, labels=tuple(labels))


def _missing(random: Random, domain: Domain) -> Input:
    """Something relevant in the list, below the cut-off."""
    n = length(random, domain, 3, 7)
    x = ranking(random, domain, [0] * n)
    if x.k is None or x.k >= n:
        return replace(x, labels=())
    order = sorted(range(n), key=lambda a: 0 if x.scores is None else -x.scores[a])
    labels = [0] * n
    for a in order[x.k :]:
        labels[a] = random.randint(0, domain.highest)
    labels[order[-1]] = domain.highest
    return replace(x, labels=tuple(labels))


def missing(domain: Domain) -> list[Input]:
    """Nothing relevant within the cut-off."""
    return [x for x in drawn(domain, 12, 11, _missing) if x.labels]


def _of(
    labels: Callable[[Random, Domain, int], Sequence[Label | None]],
    low: int,
    high: int,
    cut: str = ANY,
    tied: bool = False,
) -> Draw:
    def draw(random: Random, domain: Domain) -> Input:
        n = length(random, domain, low, high)
        return ranking(random, domain, labels(random, domain, n), cut=cut, tied=tied)

    return draw


def _with_relevant(found: Iterable[Input]) -> list[Input]:
    """Those that show something relevant: that there is nothing is a question of its own."""
    return [x for x in found if _shows_relevant(x)]


def beyond(domain: Domain) -> list[Input]:
    """Cut-offs beyond the list."""
    found = drawn(domain, 40, 2, _of(_graded, 1, 5, cut=BEYOND))
    return [x for x in _with_relevant(found) if x.k is None or x.k > len(x.labels)]


def ranked(domain: Domain) -> list[Input]:
    """Runs whose order of lines, ranks and scores are three orders."""
    if not (domain.named and domain.scored):
        return []

    def draw(random: Random, domain: Domain) -> Input:
        x = _ordinary(random, domain)
        n = len(x.labels)
        return replace(x, ranks=tuple(random.sample(range(1, n + 1), n)))

    found = drawn(domain, 60, 22, draw)
    return [x for x in found if len({_order_of_ranks(x), _order_of_scores(x), _lines(x)}) == 3]


def _order_of_ranks(x: Input) -> tuple[int, ...]:
    ranks = x.ranks or ()
    return tuple(sorted(range(len(ranks)), key=lambda a: ranks[a]))


def _order_of_scores(x: Input) -> tuple[int, ...]:
    scores = x.scores or ()
    return tuple(sorted(range(len(scores)), key=lambda a: -scores[a]))


def _lines(x: Input) -> tuple[int, ...]:
    return tuple(range(len(x.labels)))


def tied(domain: Domain) -> list[Input]:
    """Equal scores in short lists."""
    if not (domain.scored and domain.ties):
        return []
    found = drawn(domain, 90, 3, _of(_graded, 2, 7, cut=WITHIN, tied=True))
    return [x for x in _with_relevant(found) if x.tied]


def tied_unjudged(domain: Domain) -> list[Input]:
    """Equal scores, of items with and without a judgment."""
    if not domain.unjudged:
        return []
    random = Random(22)  # noqa: S311 - the same questions each time
    found = (
        replace(x, labels=tuple(random.choice([None, label]) for label in x.labels))
        for x in tied(domain)
    )
    return [x for x in _with_relevant(found) if domain.takes(x)]


def tied_anyhow(domain: Domain) -> list[Input]:
    """Equal scores, whether or not something relevant is shown."""
    if not (domain.scored and domain.ties):
        return []
    found = drawn(domain, 40, 12, _of(_sparse, 3, 7, cut=WITHIN, tied=True))
    return [x for x in found if x.tied]


def tied_long(domain: Domain) -> list[Input]:
    """Equal scores in lists of more than 16 items."""
    if not (domain.scored and domain.ties and domain.max_length > 16):
        return []
    found = drawn(domain, 16, 4, _of(_graded, 20, 48, cut=WITHIN, tied=True))
    return [x for x in _with_relevant(found) if x.tied and len(x.labels) > 16]


def close_scores(domain: Domain) -> list[Input]:
    """Scores that differ as doubles, and not as 32-bit floats."""
    if not domain.scored:
        return []

    def draw(random: Random, domain: Domain) -> Input:
        n = length(random, domain, 2, 5)
        x = ranking(random, domain, _graded(random, domain, n), cut=WITHIN)
        near = [1.0 + a * 2.0**-40 for a in random.sample(range(1, n + 1), n)]
        return replace(x, scores=tuple(near))

    return _with_relevant(drawn(domain, 40, 5, draw))


def fractions(domain: Domain) -> list[Input]:
    """Labels that are no whole numbers."""
    if domain.integers or domain.binary:
        return []
    chosen: Sequence[Label] = [
        x
        for x in (0.25, 0.5, 0.75, 1.25, 1.5, 2.75, 0, 1, 2, *_of_high_labels(domain))
        if domain.max_label is None or x <= domain.max_label
    ]

    def labels(random: Random, _: Domain, n: int) -> list[Label]:
        return [random.choice(chosen) for _ in range(n)]

    return _with_relevant(drawn(domain, 60, 6, _of(labels, 2, 6, cut=WITHIN)))


def _of_high_labels(domain: Domain) -> Iterator[Label]:
    """Fractions and whole numbers up to the highest label, where that is above 3."""
    for a in range(3, domain.highest if domain.highest > 3 else 0):
        yield from (a + 0.25, a + 0.5, a + 0.75, a + 1)


def negative(domain: Domain) -> list[Input]:
    """Labels below 0."""
    if domain.binary or not domain.negative:
        return []

    def labels(random: Random, domain: Domain, n: int) -> list[Label]:
        return [random.choice([-2, -1, 0, 1, domain.highest]) for _ in range(n)]

    return _with_relevant(drawn(domain, 60, 7, _of(labels, 2, 6, cut=WITHIN)))


def unjudged(domain: Domain) -> list[Input]:
    """Items without a judgment."""
    if not domain.unjudged:
        return []

    def labels(random: Random, domain: Domain, n: int) -> list[Label | None]:
        return [random.choice([None, 0, 1, domain.highest]) for _ in range(n)]

    def below(random: Random, domain: Domain, n: int) -> list[Label | None]:
        return [*random.choices([None, -1, domain.highest], k=n - 1), None]

    found = drawn(domain, 60, 8, _of(labels, 2, 7, cut=WITHIN))
    if domain.negative and not domain.binary:  # which tell whether they are in the pool as 0
        found[20:20] = drawn(domain, 20, 8, _of(below, 3, 6, cut=WITHIN))
    return _with_relevant(found)


def unread(domain: Domain) -> list[Input]:
    """Negative labels, and items without a judgment, in turn."""
    some, others = negative(domain), unjudged(domain)
    paired = [x for pair in zip(some, others, strict=False) for x in pair]
    return list(dict.fromkeys([*paired, *some, *others]))


def nothing(domain: Domain) -> list[Input]:
    """Nothing relevant: in the pool, or in the first k items alone."""

    def draw(random: Random, domain: Domain) -> Input:
        n = length(random, domain, 2, 5)
        where = random.choice(("nowhere", "below", "unseen"))
        labels = [0] * n
        x = ranking(random, domain, labels, cut=WITHIN, unseen=[0] * (domain.pool and 2))
        if where == "unseen" and domain.pool:
            return replace(x, unseen=(domain.highest, 1))
        if where == "below":
            last = n - 1 if x.scores is None else x.scores.index(min(x.scores))
            labels[last] = domain.highest
        return replace(x, labels=tuple(labels))

    return drawn(domain, 30, 9, draw)


def one_item(domain: Domain) -> list[Input]:
    """Lists of one relevant item."""
    return [
        x for x in drawn(domain, 12, 13, _of(_relevant, 1, 1, cut=WITHIN)) if len(x.labels) == 1
    ]


def _relevant(_: Random, domain: Domain, n: int) -> list[int]:
    return [domain.highest] * n


def nothing_judged(domain: Domain) -> list[Input]:
    """Lists of which no item has a judgment, and no other item has one."""
    if not domain.unjudged:
        return []

    def draw(random: Random, domain: Domain) -> Input:
        n = length(random, domain, 2, 5)
        return ranking(random, domain, [None] * n, cut=WITHIN, unseen=())

    return drawn(domain, 10, 14, draw)


def empty(domain: Domain) -> list[Input]:
    """Lists without an item."""
    scores = () if domain.scored else None
    ids = () if domain.named else None
    pools: Iterable[tuple[Label, ...]] = [(), (1,), (domain.highest, 0, 1), (0,)]
    cuts = (None, 1, 3)
    found = (
        Input((), scores, cuts[(a + turn) % len(cuts)], pool, ids)
        for turn in range(len(cuts))
        for a, pool in enumerate(pools)  # the first questions have other cut-offs, too
    )
    return [x for x in found if domain.takes(x)]


def without_cutoff(domain: Domain) -> list[Input]:
    """The cut-off 0."""
    found = (replace(x, k=0) for x in ordinary(domain, 12, 10))
    return [x for x in dict.fromkeys(found) if domain.takes(x)]


def mixed(domain: Domain, count: int, seed: int) -> list[Input]:
    """Any inputs of a domain but those that end processes: what a definition is held against."""
    kinds: list[Draw] = [
        _ordinary,
        _of(_graded, 1, 12),
        _of(_graded, 1, 8, tied=domain.ties),
        _of(_sparse, 1, 12, tied=domain.ties),
    ]
    if domain.unjudged:
        kinds.append(_of(_partly, 1, 8, tied=domain.ties))
    if not domain.integers and not domain.binary:
        kinds.append(_of(_fractional, 1, 6, tied=domain.ties))

    def draw(random: Random, domain: Domain) -> Input:
        return random.choice(kinds)(random, domain)

    return drawn(domain, count, seed, draw)


def _sparse(random: Random, domain: Domain, n: int) -> list[int]:
    return [random.choice((0, 0, 0, 0, domain.highest)) for _ in range(n)]


def _partly(random: Random, domain: Domain, n: int) -> list[Label | None]:
    return [random.choice((None, 0, 1, domain.highest)) for _ in range(n)]


def _fractional(random: Random, domain: Domain, n: int) -> list[Label]:
    return [random.choice((0, 0.5, 1, 1.5, domain.highest)) for _ in range(n)]


def small_world(domain: Domain, longest: int = 3) -> Iterator[Input]:
    """All inputs of lists of up to so many items, labels up to 2, and every order of scores."""
    highest = min(2, domain.highest)
    pools = [(), (1,), (highest, 0)] if domain.pool else [()]
    for n in range(max(1, domain.min_length), longest + 1):
        orders = [None] if not domain.scored else list(weak_orders(n))
        cuts = [None, *range(1, n + 2)]
        for labels in product(range(highest + 1), repeat=n):
            for scores, k, pool in product(orders, cuts, pools):
                ids = tuple(f"d{(7 * a) % 10}" for a in range(n)) if domain.named else None
                x = Input(labels, scores, k, pool, ids)
                if domain.takes(x):
                    yield x


def weak_orders(n: int) -> Iterator[tuple[float, ...]]:
    """All orders of n items, some of them equal, as scores."""
    for scores in product(range(1, n + 1), repeat=n):
        if set(scores) == set(range(1, max(scores) + 1)):
            yield tuple(map(float, scores))
