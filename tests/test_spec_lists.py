"""The lists of metrics in the spec name exactly the metrics that the declarations say.

A sentence or a table that lists metrics is read, the names of the catalogue in it are taken, and
they are held against the declarations, or against what the metrics do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS
from rankspec.metrics.measure import Measure, Metric, make

ROOT = Path(__file__).resolve().parents[1]
NAMES = {metric.name: metric for metric in METRICS}
PHI = ("DCG_phi", "nDCG_phi")  # their labels are scores
LISTS = [[2, 0], [0, 2], [1], [0, 1, 2], [1, 1]]
MORE = [1, 2, 0, 2]
"""Labels of judged items that no list shows."""


def between(page: str, begin: str, end: str) -> str:
    """The text of a page of the spec from the first place of `begin` to that of `end` behind it."""
    _, mark, rest = (ROOT / "spec" / page).read_text("utf-8").partition(begin)
    text, stop, _ = rest.partition(end)
    assert mark, f"{page} has no {begin!r}"
    assert stop, f"{page} has no {end!r} behind {begin!r}"
    return text


def named(text: str) -> set[str]:
    """The names of the catalogue in a text, without those behind "rs." and within links."""
    words = re.findall(r"[A-Za-z_0-9]+", re.sub(r"\(\S*#\S*\)|\[RS-[^\]]*\]|\$[^$]*\$", " ", text))
    return {word for word in words if word in NAMES}


def rows_of(table: str) -> Iterator[list[str]]:
    """The cells of the rows of a table, below its head."""
    for row in table.strip().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]
        if not set(row) <= set("|- "):
            yield cells


def variants(metric: Metric) -> Iterator[Measure]:
    """A measure without a cut-off for each choice of words."""
    words = {name: p.words for name, p in metric.parameters.items() if p.words}
    for chosen in product(*words.values()):
        yield make(metric, None, **dict(zip(words, chosen, strict=True)))


def some(holds: Callable[[Measure], bool]) -> set[str]:
    """The metrics of which some variant has a property."""
    return {metric.name for metric in METRICS if any(map(holds, variants(metric)))}


def without_cutoff(labels: list[int], pool: list[int]) -> int | None:
    """No cut-off."""
    del labels, pool
    return None


def of_lists(
    measure: Measure, cutoff: Callable[[list[int], list[int]], int | None] = without_cutoff
) -> list[float]:
    """The values of the lists, each at a cut-off made of its labels and its pool."""
    values = []
    for labels in LISTS:
        pool = labels + MORE
        given: dict[str, Any] = {"judged": pool} if measure.metric.pool else {}
        if measure.metric.sees_unjudged:
            given["unjudged"] = [1] + [0] * (len(labels) - 1)
        k = cutoff(labels, pool)
        values.append((measure if k is None else measure.at(k)).of(labels, **given))
    return values


def test_the_table_of_expectations_has_each_metric_with_its_entry_and_variance() -> None:
    table = between("ties.md", "| metric | expectation |", "\n\n")
    rows = {}
    for cells in rows_of(table.partition("\n")[2]):
        for name in re.sub(r" \(.*?\)", "", cells[0]).split(", "):
            rows[name] = cells[1:]
    assert rows.keys() == NAMES.keys()
    for metric in METRICS:
        expectation, variance = rows[metric.name][0], rows[metric.name][-1]
        if not metric.of_pool:
            assert metric.expected_spec in expectation, metric.name
            assert (rs.variance.refusal(metric) is None) == (variance != "none"), metric.name


def test_the_metrics_whose_variance_is_over_the_square_of_a_divisor() -> None:
    table = between("ties.md", "| metric | expectation |", "\n\n").partition("\n")[2]
    over = [cells[0] for cells in rows_of(table) if ", over" in cells[-1]]
    law = between("ties.md", "Such metrics are nDCG", "- **L3**")
    assert named("nDCG" + law) == {name for cell in over for name in named(cell)}


def test_the_metrics_that_have_bounds() -> None:
    """By what IUB and WLB of each measure do."""
    table = between("bounds.md", "| metrics | bounds |", "<!-- END METRICS").partition("\n")[2]
    for metrics, bounds in rows_of(table):
        for name in metrics.split(", "):
            measure = make(NAMES[name]) if name in NAMES else getattr(rs, name)()
            for bound in (rs.IUB, rs.RLB, rs.WLB):
                if bound.name in bounds.partition(":")[0].partition(", not")[0]:
                    bound(measure)
                else:
                    with pytest.raises(rs.InputError, match=f"^{bound.name}: {name} "):
                        bound(measure)
    listed = {name for cells in rows_of(table) for name in cells[0].split(", ")}
    others = {m.name for m in (*SESSION_METRICS, *DIVERSITY_METRICS)}
    assert listed == NAMES.keys() | others


def test_the_metrics_that_depend_on_no_pool() -> None:
    text = between("conventions.md", "The pool's order does not matter. (c)", "depend on no pool")
    assert named(text) == {metric.name for metric in METRICS if not metric.pool}


def test_the_metrics_whose_cut_off_is_the_length_of_the_list() -> None:
    text = between("conventions.md", "or by a sum over $k$ ranks:", "It is $\\max")

    def is_of_list(measure: Measure) -> bool:
        if measure.metric.of_pool:
            return False
        by_list = of_lists(measure, lambda labels, _: len(labels))
        by_pool = of_lists(measure, lambda _, pool: len(pool))
        return of_lists(measure) == by_list != by_pool

    found = some(is_of_list)
    assert named(text) == found
    text = between(
        "vectors/README.md", "Without a cut-off, `k` is the length of the list for", 'for `"k"`'
    )
    assert named(text) | {"AP", "nDCG"} == found  # by `"k"` and by `"perfect"`


def test_the_metrics_that_can_divide_by_0() -> None:
    table = between("conventions.md", "| metric | the number that may be 0 |\n", "\n\n")
    listed = {name for cells in rows_of(table) for name in named(cells[0])}

    def divides(measure: Measure) -> bool:
        metric = measure.metric
        weights = {"discount": [0] * 9} if "discount" in metric.parameters else {}
        pools: list[list[int]] = [[], [0, 0]] if metric.name not in PHI else [[]]
        without = any(metric.divides_by_0(make(metric, None, **weights), [1, 1]) for _ in weights)
        return without or any(metric.divides_by_0(measure, pool) for pool in pools)

    by_list = {"SetAP"}  # over N_p too, of a list that shows something
    assert listed == some(divides) | by_list


def test_the_metrics_that_have_extremes() -> None:
    text = between("evaluation.md", "(h) Only these measures have extremes:", "Any other measure")
    lowest, highest = (some(lambda m, up=up: m.metric.has_extreme(m, up)) for up in (False, True))
    assert named(text) == lowest
    assert lowest - highest == {"LNDCG"}


@pytest.mark.parametrize(
    ("begin", "end", "refused"),
    [
        ("(b) The metrics of the chapter", "accept any finite label", -1),
        ("(c) ERR", "accept only the integers", 0.5),
    ],
)
def test_the_metrics_by_the_labels_that_they_take(begin: str, end: str, refused: float) -> None:
    listed = named(begin.partition(" ")[2] + between("conventions.md", begin, end))
    refusing = {m.name for m in METRICS if m.refusal(make(m), refused) is not None}
    if refused == 0.5:
        assert listed == refusing
    else:
        precision = {m.name for m in METRICS if m.spec.startswith("RS-PREC-")}
        ignoring = {"RBP_residual", "GRBP_residual"}
        assert listed | precision | ignoring == NAMES.keys() - refusing


def test_the_metrics_whose_value_of_the_empty_list_is_not_0() -> None:
    text = between("conventions.md", "## RS-CONV-5 ", "A batch of no lists")
    found = {m.name for m in METRICS if m.of_pool}
    for metric in METRICS:
        weights = {"weights": (1, -1, -1, 0)} if metric.name == "Utility" else {}
        given: dict[str, Any] = {"judged": [1, 0]} if metric.pool else {}
        if make(metric, **weights).of([], **given, check=False):
            found.add(metric.name)
    assert named(text) == found
    text = between("vectors/README.md", "so is that of an empty list, but for", "residuals")
    residuals = {name for name in NAMES if name.endswith("_residual")}
    assert named(text) | residuals == {name for name in found if not NAMES[name].of_pool}


def test_the_metrics_of_the_vectors_that_ask_what_nobody_judged() -> None:
    text = between("vectors/README.md", "that nobody has judged, which only", "ask for")
    assert named(text) == {metric.name for metric in METRICS if metric.sees_unjudged}


def test_the_vectors_list_all_their_files() -> None:
    folder = ROOT / "spec/vectors"
    text = (folder / "README.md").read_text("utf-8")
    files = {path.name for path in folder.glob("*.json")} | {"ids.txt", "proved.txt"}
    table = text.partition("| file | about |\n")[2].partition("\n\n")[0]
    assert {
        name for cells in rows_of(table) for name in re.findall(r"`([^`]+)`", cells[0])
    } == files
    assert json.loads((folder / "users.json").read_text("utf-8"))["chapter"] == "users"


def test_two_sentences_of_the_vectors() -> None:
    """P without a cut-off in a bound divides by the length of the list; the pool of Bpref."""
    assert rs.U(rs.P()).of([1, 0], judged=[1, 1, 0, 0]) == 0.5
    last_unjudged = {"unjudged": [0, 0, 1]}
    own = rs.bpref([1, 0, 1], **last_unjudged)
    assert own == rs.bpref([1, 0, 1], judged=[1, 0], **last_unjudged)
    assert own != rs.bpref([1, 0, 1], judged=[1, 0, 1], **last_unjudged)


def anchors_of(text: str) -> set[str]:
    """The anchors of a page, which stand in braces, or which its headings have."""
    headings = (re.sub(r"[^\w -]", "", x).strip() for x in re.findall(r"(?m)^#+ (.*)$", text))
    slugs = {x.lower().replace(" ", "-") for x in headings}
    return slugs | set(re.findall(r"\{#([^}]+)\}", text))


def test_the_links_of_the_spec_have_anchors() -> None:
    """Each link to a part of a page of the spec names an anchor that stands there."""
    pages = {path: path.read_text("utf-8") for path in (ROOT / "spec").rglob("*.md")}
    anchors = {path: anchors_of(text) for path, text in pages.items()}
    dead = []
    for path, text in pages.items():
        for page, anchor in re.findall(r"\]\(([\w./-]*\.md)?#([^)\s]+)\)", text):
            there = (path.parent / page).resolve() if page else path
            if anchor not in anchors.get(there, ()):
                dead.append(f"{path.name}: {page}#{anchor}")
    assert dead == []
