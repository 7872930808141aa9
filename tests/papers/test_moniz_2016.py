"""moniz-2016: the two examples, the samples and boxes of figure 2, and what is said of its claims.

The values are computed here from the definitions, with fractions and balls; what a word of the
generator is, by numpy's twister.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import flint
import numpy as np
import pytest

import rankspec as rs
from rankspec.papers import moniz_2016 as paper
from rankspec.papers.moniz_2016 import PROGRAM, TEXT, Experiment
from rankspec.papers.reproduction import Check
from tests.reference.balls import exp2, log

from ..each import each
from . import errata
from .relevance import control_points, dcg, hinges, nearest, phi

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
FEW = 12
BY_NAME = {"text": TEXT, "program": PROGRAM}
EXPERIMENTS = pytest.mark.parametrize("experiment", BY_NAME.values(), ids=BY_NAME)
DISTRIBUTIONS = {
    ("text", "balanced"): [(100, 1, 1000)],
    ("text", "imbalanced"): [(90, 1, 500), (10, 500, 1000)],
    ("program", "balanced"): [(100, 1, 1000)],
    ("program", "imbalanced"): [(80, 1, 500), (20, 500, 1000)],
}
FIRST_TEN = {
    ("text", 1): lambda s: s[:9] + s[10:11],
    ("text", 2): lambda s: s[:-11:-1],
    ("program", 1): lambda s: s[:9] + s[10:11],
    ("program", 2): lambda s: s[9::-1],
}
"""What the first ten ranks show of scores in falling order."""


SUMMARIES = {
    ("text", 1, "imbalanced", "text"): (
        0.964892097340508,
        0.9900622632806153,
        0.9947280713691716,
        0.9974811935469112,
        1.0,
    ),
    ("text", 1, "imbalanced", "program"): (
        0.9653852706230818,
        0.9895010381264239,
        0.9944760232642713,
        0.9973466190448622,
        1.0,
    ),
    ("program", 1, "balanced", "text"): (
        0.9823300714003023,
        0.9967060091418012,
        0.9983444647172823,
        0.9993142502668537,
        1.0,
    ),
    ("program", 1, "balanced", "program"): (
        0.9823382737062499,
        0.9967109800213712,
        0.9983470292209303,
        0.9993150604111385,
        1.0,
    ),
    ("program", 2, "balanced", "text"): (
        0.7623808561697714,
        0.8846013725339532,
        0.9068025626964511,
        0.926884530722796,
        0.9714130896782962,
    ),
    ("program", 2, "balanced", "program"): (
        0.7628911280851103,
        0.8847883136609356,
        0.9070354481180574,
        0.9269538923750823,
        0.9715431777251263,
    ),
    ("program", 1, "imbalanced", "text"): (
        0.9731318374086683,
        0.9946376636855252,
        0.9972889353949784,
        0.9989248467489994,
        1.0,
    ),
    ("program", 1, "imbalanced", "program"): (
        0.9731608490585394,
        0.9947940784853437,
        0.9973114807131337,
        0.9989489999244852,
        1.0,
    ),
    ("program", 2, "imbalanced", "text"): (
        0.760302228240571,
        0.8628468970888022,
        0.8926623939789955,
        0.9172670981006688,
        0.9753947306723831,
    ),
    ("program", 2, "imbalanced", "program"): (
        0.761584622935684,
        0.8688761843830651,
        0.8966212251191641,
        0.9209644783174732,
        0.9760854522833574,
    ),
}
"""Least, quartiles and greatest of 1000 samples, computed by ndcg_phi() here."""


@pytest.fixture(autouse=True)
def precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flint.ctx, "prec", 250)


def ndcg_phi(ranking: Sequence[int], scores: Sequence[int], reading: str) -> float:
    """nDCG_phi of a ranking, cut where it ends."""
    points = control_points(scores, reading)

    def gain(s: int) -> flint.arb:
        return exp2(phi(s, points)) - 1

    ideal = sorted(scores, reverse=True)[: len(ranking)]
    top = dcg([gain(s) for s in ranking])
    if all(phi(s, points) == 0 for s in ranking):
        return 0.0
    if list(ranking) == ideal:
        return 1.0
    return nearest(top / dcg([gain(s) for s in ideal]))


def name_of(experiment: Experiment) -> str:
    return "text" if experiment is TEXT else "program"


# The two examples


@BACKENDS
def test_two_days(backend):
    days = paper.two_days(backend)
    # Items in the order of the recommender's falling score; labels 3, 2, 1, 0, 0 by rank.
    label_gains = {"first day": [7, 1, 3], "second day": [7, 1, 3]}
    for day, scores in {
        "first day": (100, 80, 90, 15, 10),
        "second day": (100, 20, 90, 15, 10),
    }.items():
        ndcg, text, program = days[day]
        assert ndcg == nearest(dcg(label_gains[day]) / dcg([7, 3, 1]))
        assert text == ndcg_phi(scores, scores, "text")
        assert program == ndcg_phi(scores, scores, "program")


def test_two_days_by_hand():
    """φ(90) of the first day: t = 1/2 in [80, 100], after an interval of 70, or of 80."""
    scores = (100, 80, 90, 15, 10)
    assert phi(90, control_points(scores, "text")) == Fraction(25, 72)
    assert phi(90, control_points(scores, "program")) == Fraction(7, 20)
    assert phi(80, control_points(scores, "text")) == 0
    with_labels_by_rank = {
        day: [sorted(s).index(x) for x in s] for day, s in paper.BASELINE.items()
    }
    assert with_labels_by_rank == {"first day": [4, 2, 3, 1, 0], "second day": [4, 2, 3, 1, 0]}


@BACKENDS
def test_a_hundred_scores_at_equal_distances(backend):
    exchanged, inverted = paper.a_hundred(backend).values()
    scores = list(range(1000, 0, -10))
    share = (1 / log(11, 2)) / dcg([1] * 10)
    assert exchanged[0] == nearest(1 - share * 4 / 7)
    assert inverted[0] == 1
    for row, scenario in ((exchanged, 1), (inverted, 2)):
        ranking = FIRST_TEN["program", scenario](scores)
        assert row[1:] == tuple(ndcg_phi(ranking, scores, r) for r in ("text", "program"))


# Samples


def words(number: int) -> Iterator[int]:
    """Words of 32 bits of the twister with the seed 2016, by numpy."""
    state = np.random.RandomState([2016])
    return iter(state.randint(0, 2**32, number, dtype=np.uint32).tolist())


def has_outlier(sample: Sequence[int]) -> bool:
    Q1, Q3 = hinges(sorted(sample))
    return max(sample) > Q3 + Fraction(3, 2) * (Q3 - Q1)


@EXPERIMENTS
@pytest.mark.parametrize("distribution", ["balanced", "imbalanced"])
def test_samples(experiment, distribution):
    """Whole numbers from words: the highest bits, and another word where they are too many."""
    draws = DISTRIBUTIONS[name_of(experiment), distribution]
    source = words(20_000)
    expected = []
    while len(expected) < 50:
        sample = []
        for number, low, high in draws:
            bits = len(f"{high - low:b}")
            ours = []
            while len(ours) < number:
                x = low + (next(source) >> (32 - bits))
                if x <= high:
                    ours.append(x)
            sample += ours
        if (name_of(experiment), distribution) != ("program", "imbalanced") or has_outlier(sample):
            expected.append(sorted(sample)[::-1])
    assert paper.samples_of(experiment, distribution, 50) == expected
    assert paper.samples_of(experiment, distribution, 7) == expected[:7]
    if experiment is PROGRAM and distribution == "imbalanced":
        assert len(list(source)) < 20_000 - 50 * 100  # some were drawn again


def test_the_samples_that_are_drawn_again():
    every = PROGRAM._replace(redrawn=())
    samples = paper.samples_of(every, "imbalanced", 200)
    kept = [sample for sample in samples if has_outlier(sample)]
    assert 0 < len(kept) < 200
    assert paper.samples_of(PROGRAM, "imbalanced", len(kept)) == kept
    assert all(paper.has_outlier(sample) == has_outlier(sample) for sample in samples)


# Boxes


@pytest.fixture(scope="module")
def boxes() -> dict[str, list[paper.Box]]:
    return {name: paper.boxes_of(x, FEW, "c") for name, x in BY_NAME.items()}


@pytest.mark.slow
@EXPERIMENTS
def test_values_of_the_boxes(experiment, boxes):
    """Every sample of each box, by fractions and balls."""
    found = boxes[name_of(experiment)]
    about = [(box.distribution, box.scenario, box.reading) for box in found]
    assert about == [
        (d, s, r) for d in ("balanced", "imbalanced") for s in (1, 2) for r in ("text", "program")
    ]
    for box in found:
        samples = paper.samples_of(experiment, box.distribution, FEW)
        assert len(box.values) == FEW
        for sample, value in zip(samples, box.values, strict=True):
            ranking = FIRST_TEN[name_of(experiment), box.scenario](sample)
            assert value == ndcg_phi(ranking, sample, box.reading)


@EXPERIMENTS
@each("few", [2, FEW], fast=1)
def test_boxes_by_both_backends(experiment, boxes, few):
    of_few = [box._replace(values=box.values[:few]) for box in boxes[name_of(experiment)]]
    assert paper.boxes_of(experiment, few, "reference") == of_few


@pytest.mark.spec("RS-ERR-17")
def test_the_lines(boxes):
    """nDCG@10 of the labels; the erratum has the one that is no whole number."""
    share = (1 / log(11, 2)) / dcg([1] * 10)
    exchanged = nearest(1 - share * 4 / 7)
    assert errata.rounded(Fraction(exchanged), places=4) == "0.9636"
    expected = {
        ("text", 1): exchanged,
        ("text", 2): 0,
        ("program", 1): exchanged,
        ("program", 2): 1,
    }
    for name, found in boxes.items():
        assert {(name, box.scenario): box.ndcg for box in found}.items() <= expected.items()


def test_summaries(boxes):
    for box in [*boxes["program"], boxes["program"][0]._replace(values=[0.5])]:
        x = sorted(map(Fraction, box.values))
        quartiles = statistics.quantiles(x, n=4, method="inclusive") if len(x) > 1 else x * 3
        assert box.summary == (float(x[0]), *map(float, quartiles), float(x[-1]))
        assert box.above == len([v for v in x if v > Fraction(box.ndcg)])
        assert box.below == len([v for v in x if v < Fraction(box.ndcg)])


@cache
def boxes_of_thousand(name: str) -> list[paper.Box]:
    return paper.boxes_of(BY_NAME[name], paper.SAMPLES, "c")


@pytest.fixture(scope="module")
def thousand() -> list[paper.Box]:
    return [box for name in BY_NAME for box in boxes_of_thousand(name)]


@pytest.mark.slow(but=1)
@EXPERIMENTS
def test_the_summaries_of_a_thousand_samples(experiment):
    name = name_of(experiment)
    boxes = boxes_of_thousand(name)
    assert {box.experiment for box in boxes} == {experiment.name}
    summaries = {(name, *box[1:4]): box.summary for box in boxes}
    expected = dict(SUMMARIES)
    for reading in ("text", "program"):  # both experiments have the same balanced samples
        expected["text", 1, "balanced", reading] = SUMMARIES["program", 1, "balanced", reading]
        for distribution in ("balanced", "imbalanced"):
            expected["text", 2, distribution, reading] = (0.0,) * 5
    assert summaries == {key: x for key, x in expected.items() if key[0] == name}


def claims_on(boxes: list[paper.Box]) -> list[list[Check]]:
    claims = [
        *paper.claims_on_scenario_1(boxes),
        paper.claim_on_scenario_2(boxes),
        paper.claim_on_imbalance(boxes),
    ]
    return [list(claim.checks) for claim in claims]


@pytest.mark.slow
def test_the_claims_on_a_thousand_samples(thousand):
    """All as the paper has them, but for its second scenario by the text."""
    assert [[check.holds for check in checks] for checks in claims_on(thousand)] == [
        [True],
        [True] * 4,
        [True, True, False],
        [True, True, False, False, True, True, True, True],
    ]
    assert not any(check.unexpected for checks in claims_on(thousand) for check in checks)
    facts = [check.fact for check in claims_on(thousand)[1]]
    assert facts == [
        f"{name}, {distribution}: most samples are above it, 1000 of 1000"
        for name in ("by the text", "by the authors' program")
        for distribution in ("balanced", "imbalanced")
    ]


@pytest.mark.slow
def test_a_claim_that_fails_is_seen(thousand):
    """The control: the values mirrored at nDCG@10."""
    mirrored = [box._replace(values=[2 * box.ndcg - x for x in box.values]) for box in thousand]
    assert [[check.unexpected for check in checks] for checks in claims_on(mirrored)] == [
        [False],
        [True] * 4,
        [True, True, False],
        [True, True, False, False, True, True, True, True],
    ]


def test_the_lesser_count_of_the_two_readings(boxes):
    """One sample of one reading turned to the other side."""
    few = list(boxes["program"])
    few[1] = few[1]._replace(values=[few[1].ndcg / 2, *few[1].values[1:]])
    (balanced, _) = paper.fewest_of(few, PROGRAM, 1, lambda box: box.above)
    assert balanced == ("by the authors' program, balanced", FEW, FEW - 1)


@pytest.mark.spec("RS-ERR-17")
def test_a_ranking_that_is_all_inverted_has_nothing(boxes):
    """Up to the median there is no relevance: 0 in every sample, by both metrics."""
    inverted = [box for box in boxes["text"] if box.scenario == 2]
    assert len(inverted) == 4
    for box in inverted:
        assert box.summary == (0.0,) * 5
        assert (box.above, box.below) == (0, 0)


def test_in_scenario_1_the_metrics_cannot_be_far_apart():
    """nDCG_phi >= 1 - d(10)/D(10), whatever the scores, as the ten gains are at least the tenth."""
    d = [1 / log(i + 1, 2) for i in range(1, 11)]
    share = d[9] / sum(d)
    line, least = 1 - share * 4 / 7, 1 - share
    assert 1 - line > line - least > 0
    # What comes near the bound: ten scores alike, and the eleventh far below.
    sample = [1000] * 10 + [2, *[1] * 89]
    value = rs.ndcg_phi(sample[:9] + sample[10:11], judged=sample, k=10, backend="reference")
    assert nearest(least) <= value < nearest(line)


# Claims


@pytest.fixture(scope="module", params=["c", pytest.param("reference", marks=pytest.mark.slow)])
def found(request: pytest.FixtureRequest) -> rs.papers.reproduction.Reproduction:
    return rs.reproduce("moniz-2016", samples=FEW, backend=request.param)


def test_the_verdict_on_each_claim(found):
    verdicts = [[check.holds for check in claim.checks] for claim in found.claims]
    assert verdicts[:6] == [[True], *[[True, True]] * 3, [True], [True] * 4]
    assert verdicts[6] == [True, True, False]
    assert verdicts[7][2:4] == [False, False]  # all ranks inverted; the others are chance's
    assert verdicts[8] == [False, True]
    assert found.unexplained == 0
    assert found.verdicts == {"equal": 1, "differs": 0}


@pytest.mark.spec("RS-ERR-17", "RS-ERR-18")
def test_what_is_cited_is_an_erratum(found):
    cited = {id_ for claim in found.claims for check in claim.checks for id_ in check.spec}
    assert cited == {"RS-ERR-17", "RS-ERR-18"}
    for identifier in cited:
        assert "moniz-2016" in errata.entry(identifier)


def test_the_tables_have_the_boxes(found, boxes):
    tables = [table for table in found.tables if table.title.startswith("Figure 2")]
    rows = [cells for table in tables for label, cells in table.rows if label != "nDCG@10"]
    expected = [
        (*box.summary, box.above, box.below)
        for name in ("text", "program")
        for scenario in (1, 2)
        for box in boxes[name]
        if box.scenario == scenario
    ]
    assert rows == expected
    for table, line in zip(tables, (None, 0.0, None, 1.0), strict=True):
        label, cells = table.rows[0]
        assert label == "nDCG@10"
        assert len(set(cells[:5])) == 1
        assert line is None or cells[0] == line


def test_chance_is_not_expected_of_few_samples(boxes):
    """What random scores bear out or not is expected of as many as the paper has."""
    few = boxes["program"]
    assert paper.by_chance(few) is None
    assert paper.by_chance([box._replace(values=box.values * 84) for box in few]) is True


@pytest.mark.spec("RS-ERR-18")
def test_the_counts_of_news(found):
    (table,) = [table for table in found.tables if table.title.startswith("Section 5")]
    ((_, _, figure),) = table.figures()
    assert figure.equal
    assert Fraction(5_950, 1000) < Fraction(100 * 6_468, 107_590) < Fraction(6_050, 1000)
    assert (paper.LAST_DAY - paper.FIRST_DAY).days + 1 == 30 + 31 + 31 + 30 + 31 + 30 + 31
    assert found.claims[8].checks[1].fact.endswith(f": {214 * 48}")


# Rankings by counts


def test_labels_by_rank():
    assert paper.labels_by_rank(range(100)) == [0] * 50 + [1] * 25 + [2] * 15 + [3] * 10
    assert paper.labels_by_rank([5] * 100) == list(paper.LABELS)  # equal scores: as they come


def test_the_difference_of_the_halves():
    """In the order of rising nDCG, whatever the order of the rankings."""
    rankings = paper.Rankings("x", 3, 10, [0.75, 0.25, 0.5], {"text": [0.5, 0.25, 0.75]})
    rising = paper.differences(rankings, "text")
    assert rising == [0.0, -0.25, 0.25]
    assert paper.counted("x", rising) == Check("x: 1 above, 1 below", False, None)
    assert paper.counted("x", [0.5, 0.0]).holds
    assert paper.halved("x", rising).holds
    assert not paper.halved("x", rising[::-1]).holds
