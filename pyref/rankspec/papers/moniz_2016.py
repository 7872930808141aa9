"""moniz-2016: the examples, figure 2 of random scores, and the experiment with real ones.

The paper draws figures 2 to 4 and prints no values of them: its sentences about figure 2 are
compared, box by box. The text at hand has lost the intervals from which figure 2's scores are
drawn, which are those of the authors' program here, and all cut-offs of figure 3 but 10. The
rankings behind figures 3 and 4 are published in part, the counts are not, so that other data show
how the metrics differ.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

from .. import api
from ..analysis.fixed_labels import CUTOFFS, TOP_LABELS
from ..compute.gain import whole
from ..errors import InputError, shown
from ..reference.relevance import position, quantile, upper_whisker
from .popularity import MINUTES, Folder, Series, read_folder
from .rank_tables import News, distinct, read_news
from .reproduction import Cell, Check, Claim, Figure, Paper, Table

# Table 1: the scores of five news on each of two days.
RECOMMENDED = (70, 50, 40, 15, 10)
BASELINE = {"first day": (100, 80, 90, 15, 10), "second day": (100, 20, 90, 15, 10)}

# Section 3: the fixed labels of 100 items, from the highest score down.
LABELS = TOP_LABELS + (0,) * 50
K = 10  # the one cut-off of the synthetic experiment
LABELS_OF_A_DAY = (3, 2, 1, 0, 0)  # ours: the paper has none for Table 1

# Section 5: of the news retrieved, those that were not published in Twitter.
RETRIEVED, NOT_PUBLISHED = 107_590, 6_468
SHARE_NOT_PUBLISHED = "6"  # per cent
FIRST_DAY, LAST_DAY, MONTHS = date(2015, 6, 1), date(2015, 12, 31), 6
RANKINGS_A_TOPIC = 9_795

READINGS = {"text": "text", "program": "authors-program"}  # the variants of φ

CITED = ("RS-ERR-17",)  # what is wrong with the text's scenario 2

SAMPLES = 1000
MOST_SAMPLES = 100_000
SEED = 2016


class Draw(NamedTuple):
    """So many whole numbers, from low to high."""

    number: int
    low: int
    high: int


class Experiment(NamedTuple):
    """A reading of the synthetic experiment.

    scores: what a sample of each distribution is made of
    redrawn: the distributions of which a sample without an outlier is drawn again
    scenarios: of each what is done to the ideal ranking, and which of its ranks are then shown
    """

    name: str
    scores: Mapping[str, tuple[Draw, ...]]
    redrawn: tuple[str, ...]
    scenarios: Mapping[int, tuple[str, tuple[int, ...]]]


BALANCED = (Draw(100, 1, 1000),)
EXCHANGE = ("ranks 10 and 11 exchanged", (*range(1, 10), 11))
TEXT = Experiment(
    "by the text",
    {"balanced": BALANCED, "imbalanced": (Draw(90, 1, 500), Draw(10, 500, 1000))},
    (),
    {1: EXCHANGE, 2: ("all ranks inverted", tuple(range(100, 90, -1)))},
)
PROGRAM = Experiment(
    "by the authors' program",
    {"balanced": BALANCED, "imbalanced": (Draw(80, 1, 500), Draw(20, 500, 1000))},
    ("imbalanced",),
    {1: EXCHANGE, 2: ("the first ten ranks inverted", tuple(range(10, 0, -1)))},
)

# The experiment with real scores: rankings by an early step of the counts, scored by the last one.
STEPS = (3, 9, 18, 36)
ITEMS = 100  # of a ranking
AS_SHOWN = 0  # in the place of a step: the rankings are the news service's own


def compute(
    backend: str, *, samples: int = SAMPLES, data: str | os.PathLike[str] | None = None
) -> tuple[list[Table], list[Claim]]:
    """The tables and claims, by a backend.

    samples: how many of each distribution
    data: a folder of rankspec.popularity, for the experiment with real scores
    """
    news = None if data is None else read_news(data)
    folder = None if data is None or news is None else read_folder(data, news.files)
    boxes = [
        box for experiment in (TEXT, PROGRAM) for box in boxes_of(experiment, samples, backend)
    ]
    days, hundred = two_days(backend), a_hundred(backend)
    tables = [
        table_1(),
        table("Table 1 by the metrics; the labels 3, 2, 1, 0, 0 are ours", "day", days),
        table(f"Section 3: the scores 1000, 990, ..., 10; k = {K}", "ranking", hundred),
        *(
            figure_2(boxes, experiment, scenario)
            for experiment in (TEXT, PROGRAM)
            for scenario in experiment.scenarios
        ),
        table_of_news(),
    ]
    claims = [
        *claims_on_two_days(days),
        *claims_on_a_hundred(hundred),
        *claims_on_scenario_1(boxes),
        claim_on_scenario_2(boxes),
        claim_on_imbalance(boxes),
        claim_on_the_time(),
    ]
    if folder is not None:
        rankings = rankings_of(folder.tables, backend)
        tables += [table_of_files(folder), *tables_of_data(rankings)]
        claims += claims_on_data(rankings)
    if news is not None and news.tables:
        tables.append(table_of_rankings(news))
        claims += claims_on_rankings(news)
        by_news = rankings_of_news(news, backend)
        tables += tables_of_news(by_news)
        claims += claims_on_data(by_news) if by_news else [NOT_COMPUTED]
    return tables, claims


# The two examples. A row is nDCG of fixed labels, then nDCG_phi by each reading.


def metrics(
    ranks: Sequence[int], scores: Sequence[int], labels: Sequence[int], backend: str
) -> tuple[float, ...]:
    """nDCG and nDCG_phi of a ranking that shows these ranks of the ideal one."""
    options: dict[str, Any] = {"k": K, "backend": backend}
    ideal = sorted(scores, reverse=True)
    ranking = [ideal[rank - 1] for rank in ranks]
    ndcg: Any = api.ndcg(
        [labels[rank - 1] for rank in ranks], judged=labels, gain="exp2", **options
    )
    phi: list[Any] = [
        api.ndcg_phi(ranking, judged=scores, variant=variant, **options)
        for variant in READINGS.values()
    ]
    return ndcg, *phi


def two_days(backend: str) -> dict[str, tuple[float, ...]]:
    """Table 1: the news are shown by falling score of the recommender."""
    return {
        day: metrics(ideal_ranks(scores), scores, LABELS_OF_A_DAY, backend)
        for day, scores in BASELINE.items()
    }


def ideal_ranks(scores: Sequence[int]) -> list[int]:
    """The rank of each item in the ideal ranking of items of different scores."""
    return [1 + sum(other > score for other in scores) for score in scores]


def a_hundred(backend: str) -> dict[str, tuple[float, ...]]:
    """Section 3, with scores at equal distances: what is uniform without chance."""
    scores = range(10, 1001, 10)
    scenarios = (PROGRAM.scenarios[1], PROGRAM.scenarios[2])
    return {what: metrics(ranks, scores, LABELS, backend) for what, ranks in scenarios}


def table_1() -> Table:
    header = ("recommender", *BASELINE)
    columns = (RECOMMENDED, *BASELINE.values())
    rows = [(f"{n}", cells) for n, cells in enumerate(zip(*columns, strict=True), start=1)]
    return Table("Table 1: the scores of five news on two days", "news", header, tuple(rows))


def table(title: str, corner: str, rows: Mapping[str, tuple[float, ...]]) -> Table:
    header = ("nDCG", *(f"nDCG_phi, {reading}" for reading in READINGS))
    return Table(title, corner, header, tuple(rows.items()))


def claims_on_two_days(days: Mapping[str, tuple[float, ...]]) -> Iterator[Claim]:
    first, second = days.values()
    yield Claim(
        "Section 1",
        "on both days the ordering error is the same",
        (Check("nDCG sees one error, as with any labels by rank", first[0] == second[0], True),),
    )
    yield Claim(
        "Section 1",
        "the error of the second day is more serious than that of the first",
        tuple(
            Check(f"nDCG_phi, {reading}: lower on the second day", phi2 < phi1, True)
            for reading, phi1, phi2 in zip(READINGS, first[1:], second[1:], strict=True)
        ),
    )


def claims_on_a_hundred(rows: Mapping[str, tuple[float, ...]]) -> Iterator[Claim]:
    exchanged, inverted = rows.values()
    yield Claim(
        "Section 3",
        "exchanging ranks 10 and 11 is penalised out of proportion to their scores",
        tuple(
            Check(f"equal distances: nDCG@10 below nDCG_phi@10, {reading}", exchanged[0] < x, True)
            for reading, x in zip(READINGS, exchanged[1:], strict=True)
        ),
    )
    yield Claim(
        "Section 3",
        "items with the same label may differ considerably in their scores",
        tuple(
            Check(
                f"the first ten inverted: nDCG@10 is 1, nDCG_phi@10, {reading}, below",
                x < inverted[0] == 1,
                True,
            )
            for reading, x in zip(READINGS, inverted[1:], strict=True)
        ),
    )


# Random scores


def samples_of(experiment: Experiment, distribution: str, number: int) -> list[list[int]]:
    """Samples of scores, each in falling order; fewer are the first of more.

    One generator draws all samples of a distribution: Python's Random, which is the Mersenne
    twister MT19937, from the seed 2016. A whole number from low to high is low plus the highest b
    bits of the next 32 that the twister gives, where b is the number of bits of high - low; if
    that is more than high, the next 32 are taken. These are the same everywhere.
    """
    generator = Random(SEED)  # noqa: S311
    draws = experiment.scores[distribution]
    samples: list[list[int]] = []
    while len(samples) < number:
        sample = sorted((x for draw in draws for x in drawn(generator, draw)), reverse=True)
        if distribution not in experiment.redrawn or has_outlier(sample):
            samples.append(sample)
    return samples


def drawn(generator: Random, draw: Draw) -> Iterator[int]:
    left, bits = draw.number, (draw.high - draw.low).bit_length()
    while left:
        x = draw.low + generator.getrandbits(bits)
        if x <= draw.high:
            left -= 1
            yield x


def has_outlier(sample: Sequence[int]) -> bool:
    """Whether the box plot rule of the authors' program finds a score above the whisker."""
    return bool(sample[0] > upper_whisker(sample[::-1], "hinges"))


class Box(NamedTuple):
    """nDCG_phi@10 of the samples of a distribution, and nDCG@10, which is the same for all."""

    experiment: str
    scenario: int
    distribution: str
    reading: str
    ndcg: float
    values: list[float]

    @property
    def summary(self) -> tuple[float, ...]:
        """The least, the quartiles and the greatest value: the doubles nearest to them."""
        x = [Fraction(value) for value in sorted(self.values)]
        quarters = (position(Fraction(q, 4), len(x), "linear") for q in range(5))
        return tuple(float(quantile(x, quarter)) for quarter in quarters)

    @property
    def above(self) -> int:
        return sum(value > self.ndcg for value in self.values)

    @property
    def below(self) -> int:
        return sum(value < self.ndcg for value in self.values)


def boxes_of(experiment: Experiment, number: int, backend: str) -> list[Box]:
    """The boxes of figure 2, by each reading of φ."""
    size = whole(number)
    if size is None or not 1 <= size <= MOST_SAMPLES:
        raise InputError(f"samples: expected 1 to {MOST_SAMPLES}, got {shown(number)}")
    options: dict[str, Any] = {"k": K, "backend": backend}
    boxes = []
    for distribution in experiment.scores:
        samples = samples_of(experiment, distribution, size)
        for scenario, (_, ranks) in experiment.scenarios.items():
            labels = [LABELS[rank - 1] for rank in ranks]
            ndcg: Any = api.ndcg(labels, judged=LABELS, gain="exp2", **options)
            rankings = [[sample[rank - 1] for rank in ranks] for sample in samples]
            for reading, variant in READINGS.items():
                phi: Any = api.ndcg_phi(rankings, judged=samples, variant=variant, **options)
                about = (experiment.name, scenario, distribution, reading)
                boxes.append(Box(*about, ndcg, phi.tolist()))
    return boxes


def figure_2(boxes: Sequence[Box], experiment: Experiment, scenario: int) -> Table:
    chosen = chosen_of(boxes, experiment, scenario)
    samples = samples_in_words(len(chosen[0].values))
    rows: list[tuple[str, tuple[Cell, ...]]] = [("nDCG@10", (*[chosen[0].ndcg] * 5, None, None))]
    for box in chosen:
        cells = (*box.summary, box.above, box.below)
        rows.append((f"{box.distribution}, {box.reading}", cells))
    title = (
        f"Figure 2, scenario {scenario} {experiment.name}: "
        f"{experiment.scenarios[scenario][0]}; nDCG_phi@10 of {samples}, "
        "and how many are above and below nDCG@10"
    )
    header = ("least", "Q1", "median", "Q3", "most", "above", "below")
    return Table(title, "scores, phi", header, tuple(rows))


def samples_in_words(number: int) -> str:
    return "1 sample" if number == 1 else f"{number} samples"


def chosen_of(boxes: Sequence[Box], experiment: Experiment, scenario: int) -> list[Box]:
    return [box for box in boxes if (box.experiment, box.scenario) == (experiment.name, scenario)]


def by_chance(boxes: Sequence[Box]) -> bool | None:
    """What is expected where chance has a part: that a claim holds for as many samples as the paper
    has, and nothing for fewer."""
    return True if len(boxes[0].values) >= SAMPLES else None


# A double of the API is the nearest to its real number: doubles that differ are in the order of
# their reals.


def claims_on_scenario_1(boxes: Sequence[Box]) -> Iterator[Claim]:
    where = "Section 5, scenario 1"
    exchanged = [box for box in boxes if box.scenario == 1]
    farthest = max(abs(value - box.ndcg) for box in exchanged for value in box.values)
    bound = 1 - exchanged[0].ndcg
    yield Claim(
        where,
        "similar results by both metrics",
        (Check(f"no farther apart than nDCG@10 is from 1, {bound:.4f}", farthest <= bound, True),),
    )
    yield Claim(
        where,
        "in most cases nDCG@10 over-estimates the impact of the error, with both distributions",
        tuple(
            Check(
                f"{whose}: most samples are above it, {share_in_words(fewest, n)}",
                2 * fewest > n,
                by_chance(boxes),
            )
            for experiment in (TEXT, PROGRAM)
            for whose, n, fewest in fewest_of(boxes, experiment, 1, lambda box: box.above)
        ),
    )


def claim_on_scenario_2(boxes: Sequence[Box]) -> Claim:
    program = tuple(
        Check(
            f"{whose}: all samples are below it, {share_in_words(fewest, n)}",
            fewest == n,
            by_chance(boxes),
            CITED,
        )
        for whose, n, fewest in fewest_of(boxes, PROGRAM, 2, lambda box: box.below)
    )
    values = {x for box in chosen_of(boxes, TEXT, 2) for x in (box.ndcg, *box.values)}
    found = "both are 0 in all samples" if values == {0} else "not both are 0 in all samples"
    return Claim(
        "Section 5, scenario 2",
        "nDCG_phi@10 varies considerably; nDCG@10 under-estimates the impact of the error",
        (*program, Check(f"{TEXT.name}: {found}", values != {0}, False, CITED)),
    )


def share_in_words(fewest: int, number: int) -> str:
    """How many samples, by the reading that has the fewest."""
    return f"{'at least ' if fewest < number else ''}{fewest} of {number}"


def fewest_of(
    boxes: Sequence[Box], experiment: Experiment, scenario: int, count: Callable[[Box], int]
) -> Iterator[tuple[str, int, int]]:
    """Of each distribution: its name, how many samples, and the lesser count of the readings."""
    for distribution in experiment.scores:
        chosen = [
            box
            for box in chosen_of(boxes, experiment, scenario)
            if box.distribution == distribution
        ]
        yield f"{experiment.name}, {distribution}", len(chosen[0].values), min(map(count, chosen))


def claim_on_imbalance(boxes: Sequence[Box]) -> Claim:
    """By the medians of the boxes of the two distributions."""

    def checks() -> Iterator[Check]:
        for experiment, scenario, reading in product((TEXT, PROGRAM), (1, 2), READINGS):
            balanced, imbalanced = (
                box.summary[2]
                for box in chosen_of(boxes, experiment, scenario)
                if box.reading == reading
            )
            inverted = (experiment, scenario) == (TEXT, 2)
            yield Check(
                f"scenario {scenario} {experiment.name}, phi of the {reading}: medians "
                f"{balanced:.4f}, {imbalanced:.4f}",
                imbalanced < balanced,
                False if inverted else by_chance(boxes),
                CITED if inverted else (),
            )

    return Claim(
        "Section 5, scenarios 1 and 2",
        "errors have a greater impact on nDCG_phi@10 where scores are imbalanced",
        tuple(checks()),
    )


# The news


def table_of_news() -> Table:
    share = Figure(SHARE_NOT_PUBLISHED, 100 * NOT_PUBLISHED / RETRIEVED, 0)
    rows = [(str(RETRIEVED), (NOT_PUBLISHED, share))]
    title = "Section 5: the news retrieved, and those of them that Twitter did not have"
    return Table(title, "retrieved", ("not in Twitter", "per cent"), tuple(rows))


def claim_on_the_time() -> Claim:
    months = 12 * (LAST_DAY.year - FIRST_DAY.year) + LAST_DAY.month - FIRST_DAY.month + 1
    half_hours = 48 * ((LAST_DAY - FIRST_DAY).days + 1)
    return Claim(
        "Section 5",
        f"from {FIRST_DAY} to {LAST_DAY}, six months, {RANKINGS_A_TOPIC} rankings every half hour",
        (
            Check(
                f"these are {months} months",
                months == MONTHS,
                False,
                ("RS-ERR-18",),
            ),
            Check(
                f"there are as many half hours: {half_hours}", half_hours >= RANKINGS_A_TOPIC, True
            ),
        ),
    )


# Real scores


class Rankings(NamedTuple):
    """The values of the rankings by one step of a table, at a cut-off."""

    table: str
    step: int
    k: int
    ndcg: list[float]
    phi: dict[str, list[float]]


def rankings_of(counts: Mapping[str, list[Series]], backend: str) -> list[Rankings]:
    """Each hundred items in the order of their IDLink is a ranking, by an early step of their
    counts, of items whose score is the last step. Items that are equal at the early step may stand
    in any order: the values are expectations (RS-EXP-3).
    """
    found = []
    for name, items in counts.items():
        hundreds = [items[a : a + ITEMS] for a in range(0, len(items) - ITEMS + 1, ITEMS)]
        if not hundreds:
            raise InputError(f"data: {name} has {len(items)} items; a ranking has {ITEMS}")
        final = [[item[-1] for item in hundred] for hundred in hundreds]
        labels = [labels_by_rank(scores) for scores in final]
        for step in STEPS:
            early = [[item[step - 1] for item in hundred] for hundred in hundreds]
            options: dict[str, Any] = {"scores": early, "k": CUTOFFS, "backend": backend}
            ndcg: Any = api.ndcg(labels, gain="exp2", **options)
            phi: dict[str, Any] = {
                reading: api.ndcg_phi(final, variant=variant, **options)
                for reading, variant in READINGS.items()
            }
            for at, k in enumerate(CUTOFFS):
                by_reading = {reading: values[:, at].tolist() for reading, values in phi.items()}
                found.append(Rankings(name, step, k, ndcg[:, at].tolist(), by_reading))
    return found


def labels_by_rank(scores: Sequence[int]) -> list[int]:
    """The labels of section 3; of items with equal scores the first has the better rank."""
    labels = [0] * len(scores)
    falling = sorted(range(len(scores)), key=lambda item: -scores[item])
    for item, label in zip(falling, LABELS, strict=False):
        labels[item] = label
    return labels


def table_of_files(folder: Folder) -> Table:
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (name, (len(items), *divmod(len(items), ITEMS), None))
        for name, items in folder.tables.items()
    ]
    rows += [(name, (None, None, None, why)) for name, why in folder.left_out.items()]
    title = (
        f"The files of --data: items with their counts, rankings of {ITEMS} of them each, items "
        "that are left over; and what the other files are"
    )
    return Table(title, "file", ("items", "rankings", "left over", "other"), tuple(rows))


def tables_of_data(rankings: Sequence[Rankings]) -> Iterator[Table]:
    steps = ", ".join(map(hours, STEPS))
    for name in dict.fromkeys(x.table for x in rankings):
        own = [x for x in rankings if x.table == name]
        by_cutoff = [(f"{k}", joined([x for x in own if x.k == k])) for k in CUTOFFS]
        by_step = [(hours(x.step), x) for x in own if x.k == K]
        title = f"{name}: rankings by the counts after {steps}; means"
        yield means(title, "k", by_cutoff)
        yield means(
            f"{name}: means of rankings by the counts after some hours; k = {K}", "after", by_step
        )


def hours(step: int) -> str:
    return f"{step * MINUTES / 60:g} h"


def joined(rankings: Sequence[Rankings]) -> Rankings:
    """The rankings by all steps, at one cut-off."""
    ndcg = [x for r in rankings for x in r.ndcg]
    phi = {reading: [x for r in rankings for x in r.phi[reading]] for reading in READINGS}
    return rankings[0]._replace(ndcg=ndcg, phi=phi)


def means(title: str, corner: str, rows: Sequence[tuple[str, Rankings]]) -> Table:
    header = ("rankings", "nDCG", *(f"nDCG_phi, {reading}" for reading in READINGS))
    cells: list[tuple[str, tuple[Cell, ...]]] = [
        (label, (len(x.ndcg), mean(x.ndcg), *(mean(x.phi[r]) for r in READINGS)))
        for label, x in rows
    ]
    return Table(title, corner, header, tuple(cells))


def mean(values: Sequence[float]) -> float:
    return float(sum(map(Fraction, values)) / len(values))


def claims_on_data(rankings: Sequence[Rankings]) -> Iterator[Claim]:
    """What the paper says of its own data, looked at in others: nothing is expected of them."""
    by_table = {
        name: {k: joined([x for x in rankings if (x.table, x.k) == (name, k)]) for k in CUTOFFS}
        for name in dict.fromkeys(x.table for x in rankings)
    }
    cases = [
        (f"{name}, {reading}", reading, by_cutoff)
        for name, by_cutoff in by_table.items()
        for reading in READINGS
    ]
    yield Claim(
        "Section 5, figure 3",
        "the mean of nDCG@k is above that of nDCG_phi@k, for every k",
        tuple(
            Check(f"{about}: k = {k}", mean(x.ndcg) > mean(x.phi[reading]), None)
            for about, reading, by_cutoff in cases
            for k, x in by_cutoff.items()
        ),
    )
    yield Claim(
        "Section 6, figure 4",
        "nDCG@10 is more often above nDCG_phi@10 than below",
        tuple(
            counted(about, differences(by_cutoff[K], reading))
            for about, reading, by_cutoff in cases
        ),
    )
    yield Claim(
        "Section 6, figure 4",
        "the difference of the two tends to increase with nDCG@10",
        tuple(
            halved(about, differences(by_cutoff[K], reading)) for about, reading, by_cutoff in cases
        ),
    )


# The rankings of the news themselves


def table_of_rankings(news: News) -> Table:
    """What the tables hold, beside what the paper says of them."""
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for name, table in news.tables.items():
        items = {item for ranking in table.rankings for item in ranking}
        short = sum(len(ranking) < ITEMS for ranking in table.rankings)
        again = sum(len(distinct(ranking)) < len(ranking) for ranking in table.rankings)
        first, last = min(table.times).date(), max(table.times).date()
        rows.append((name, (len(table.rankings), f"{first}", f"{last}", len(items), short, again)))
    title = (
        "The tables of rankings in --data: how many, of which days, of how many items, and in how "
        "many a place is empty and an item stands twice"
    )
    return Table(title, "table", ("rankings", "from", "to", "items", "empty", "twice"), tuple(rows))


def claims_on_rankings(news: News) -> Iterator[Claim]:
    """What section 5 says of the data, held against the tables that there are (RS-ERR-52)."""
    tables = news.tables
    days = {
        name: (min(of.times).date(), max(of.times).date(), len(of.rankings))
        for name, of in tables.items()
    }
    items = {item for of in tables.values() for ranking in of.rankings for item in ranking}
    yield Claim(
        "Section 5",
        f"{RANKINGS_A_TOPIC} rankings a topic, from {FIRST_DAY} to {LAST_DAY}",
        tuple(
            Check(
                f"{name}: {number} rankings, from {first} to {last}",
                number == RANKINGS_A_TOPIC and first >= FIRST_DAY and last <= LAST_DAY,
                None,
                ("RS-ERR-52",),
            )
            for name, (first, last, number) in days.items()
        ),
    )
    yield Claim(
        "Section 5",
        f"{RETRIEVED} news were retrieved",
        (Check(f"{len(items)} in these tables", len(items) == RETRIEVED, None, ("RS-ERR-52",)),),
    )


NOT_COMPUTED = Claim(
    "Figures 3 and 4",
    "not computed: no file of --data has the columns IDLink and TimesPublishedTwitter, so that the "
    "rankings have no scores",
    (),
)


def rankings_of_news(news: News, backend: str) -> list[Rankings]:
    """Each ranking by the tweets of its items: figures 3 and 4, where there are scores.

    An item counts at its first rank; one that has no score is left out.
    """
    if news.tweets is None:
        return []
    found = []
    for name, table in news.tables.items():
        scores = [
            [news.tweets[item] for item in distinct(ranking) if item in news.tweets]
            for ranking in table.rankings
        ]
        scores = [ranking for ranking in scores if ranking]
        if not scores:
            continue
        labels = [labels_by_rank(ranking) for ranking in scores]
        for k in CUTOFFS:
            options: dict[str, Any] = {"k": k, "backend": backend}
            ndcg: Any = api.ndcg(labels, gain="exp2", **options)
            phi: dict[str, Any] = {
                reading: api.ndcg_phi(scores, variant=variant, **options)
                for reading, variant in READINGS.items()
            }
            by_reading = {reading: values.tolist() for reading, values in phi.items()}
            found.append(Rankings(name, AS_SHOWN, k, ndcg.tolist(), by_reading))
    return found


def tables_of_news(rankings: Sequence[Rankings]) -> Iterator[Table]:
    """Figure 3: means by k, a table a topic; figure 4: the differences by quarters of nDCG@10."""
    for name in dict.fromkeys(x.table for x in rankings):
        own = [x for x in rankings if x.table == name]
        yield means(f"Figure 3, {name}: means", "k", [(f"{x.k}", x) for x in own])
    at_10 = [x for x in rankings if x.k == K]
    if at_10:
        yield table_of_differences(joined(at_10))


def table_of_differences(rankings: Rankings) -> Table:
    header = tuple(f"{what}, {reading}" for reading in READINGS for what in ("mean", "above"))
    quarters: list[tuple[str, list[Cell]]] = [(f"quarter {q}", []) for q in range(1, 5)]
    for reading in READINGS:
        rising = differences(rankings, reading)
        for q, (_, cells) in enumerate(quarters):
            part = rising[len(rising) * q // 4 : len(rising) * (q + 1) // 4]
            cells += [mean(part) if part else None, sum(x > 0 for x in part)]
    title = (
        "Figure 4: nDCG@10 - nDCG_phi@10 by quarters of rising nDCG@10, and how many are above 0"
    )
    return Table(title, "rankings", header, tuple((q, tuple(cells)) for q, cells in quarters))


def differences(rankings: Rankings, reading: str) -> list[float]:
    """nDCG - nDCG_phi, in the order of rising nDCG."""
    pairs = sorted(zip(rankings.ndcg, rankings.phi[reading], strict=True))
    return [ndcg - phi for ndcg, phi in pairs]


def counted(about: str, rising: Sequence[float]) -> Check:
    above, below = sum(x > 0 for x in rising), sum(x < 0 for x in rising)
    return Check(f"{about}: {above} above, {below} below", above > below, None)


def halved(about: str, rising: Sequence[float]) -> Check:
    half = len(rising) // 2
    lower, upper = mean(rising[:half]), mean(rising[-half:])
    fact = f"{about}: mean {lower:.4f} in the lower half of nDCG@10, {upper:.4f} in the upper"
    return Check(fact, upper > lower, None)


PAPER = Paper(
    name="moniz-2016",
    authors="Moniz, Torgo and Vinagre",
    title="Data-driven relevance judgments for ranking evaluation",
    year=2016,
    contents="Table 1, the example of section 3, figure 2; claims of sections 1, 3 and 5; with "
    "--data the experiment of figures 3 and 4, of other data",
    compute=compute,
    options=("samples", "data"),
)
