"""The calculators of the site: the core as WebAssembly gives the committed bits, in a browser.

Chromium runs the module and the pages' scripts, served from a folder that holds what a build of the
site would. Without it, without playwright or without zig these tests are skipped; .ci/run has all.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankspec

from .site_browser import Visit, browser, served

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[1]
VECTORS = ROOT / "spec/vectors"

sys.path.append(str(ROOT / "docs/hooks"))
calculators = importlib.import_module("calculators")
sys.path.remove(str(ROOT / "docs/hooks"))


# ---- the header --------------------------------------------------------------------------


def test_the_layout_is_that_of_the_binding() -> None:
    from rankspec.compute.core import ffi, lib

    layout = calculators.layout(ROOT)
    for name, fields in layout["structures"].items():
        of_binding = ffi.typeof(name).fields
        assert [field for field, _ in fields] == [field for field, _ in of_binding]
        for (_, kind), (_, known) in zip(fields, of_binding, strict=True):
            is_pointer = known.type.kind == "pointer"
            assert (kind == "pointer") == is_pointer
            assert is_pointer or kind[1:] == str(8 * ffi.sizeof(known.type))
    for name, constant in layout["constants"].items():
        assert getattr(lib, name) == constant


def test_a_case_without_a_call_has_a_reason() -> None:
    for of_file in calculators.calls(ROOT).values():
        assert all(isinstance(x, dict) or len(x) > 10 for x in of_file.values())


# ---- the module --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wasm() -> Any:
    pytest.importorskip("ziglang", reason='ziglang is not installed: pip install ".[docs]"')
    return calculators._wasm(ROOT)


def test_the_module_is_small(wasm: Any) -> None:
    assert len(wasm.built()) < wasm.MOST_BYTES


def test_a_change_of_a_source_is_another_module(wasm: Any, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "csrc", tmp_path / "csrc")
    assert wasm.key(tmp_path) == wasm.key(ROOT)
    with (tmp_path / "csrc/gain.c").open("a") as file:
        file.write("\n")
    assert wasm.key(tmp_path) != wasm.key(ROOT)


@pytest.mark.slow
def test_the_module_is_the_same_elsewhere(
    wasm: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "csrc", tmp_path / "another place/csrc")
    monkeypatch.setenv("ZIG_LOCAL_CACHE_DIR", str(tmp_path / "zig here"))
    made = wasm.compiled(tmp_path / "another place")
    assert hashlib.sha256(made).hexdigest() == hashlib.sha256(wasm.built()).hexdigest()


@pytest.mark.slow
def test_a_site_without_zig_has_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculators, "_wasm", lambda _: SimpleNamespace(zig=lambda: None))
    made = [path for path, _ in calculators.files(ROOT)]
    assert "assets/calculator/layout.json" in made
    assert "assets/calculator/rankspec.wasm" not in made


# ---- pages -------------------------------------------------------------------------------

PAGE = """<!doctype html><html lang="en"><head><title>A page</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"></head>
<body class="md-typeset"><h1>A page</h1>{}<h2>An entry</h2><p>Text</p></body></html>"""


def page_of(src_uri: str, content: str = "") -> str:
    stem = src_uri.removesuffix(".md")
    page = SimpleNamespace(file=SimpleNamespace(src_uri=src_uri, dest_uri=f"{stem}/index.html"))
    return str(calculators.placed(PAGE.format(content), page))


def test_pages_without_a_calculator_stay_as_they_are() -> None:
    assert page_of("guide.md") == PAGE.format("")


def test_the_home_page_has_a_place_by_its_id() -> None:
    made = page_of("index.md", '<div id="calculator"></div>')
    assert "<noscript" in made
    assert "page.js" in made


@pytest.fixture(scope="module")
def site(wasm: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of the calculators' pages."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs/assets/calculator", folder / "assets/calculator")
    (folder / "assets/calculator/rankspec.wasm").write_bytes(wasm.built())
    for path, content in calculators.files(ROOT):
        data = content if isinstance(content, bytes) else content.encode()
        (folder / path).write_bytes(data)
    (folder / "spec").mkdir()
    shutil.copytree(VECTORS, folder / "spec/vectors")
    run = '<div class="rs-run-vectors"></div>'
    low = '<div style="height: 3000px"></div><div id="calculator"></div>'
    pages = {f"spec/{name}.md": "" for name in calculators.CHAPTERS}
    for src_uri, content in (pages | {"vectors.md": run, "low.md": low}).items():
        (folder / src_uri).with_suffix("").mkdir()
        (folder / src_uri).with_suffix("").joinpath("index.html").write_text(
            page_of(src_uri, content), "utf-8"
        )
    yield from served(folder)


class Calculators(Visit):
    """A page with calculators."""

    def value(self, calculator: str) -> str:
        self.page.locator(calculator).scroll_into_view_if_needed()
        self.page.wait_for_selector(f"{calculator}[data-ready]")
        return str(self.page.inner_text(f"{calculator} [data-value]"))

    def settled(self, calculator: str, change: str) -> str:
        """The value after a change, which shows in the call in Python."""
        self.page.wait_for_function(
            "([at, x]) => document.querySelector(at + ' code')?.textContent.includes(x)",
            arg=[calculator, change],
        )
        return self.value(calculator)


# ---- the vectors -------------------------------------------------------------------------

RUN_ALL = """async () => {
  const { load, UNDECIDED } = await import("/assets/calculator/core.js");
  const { run, bits } = await import("/assets/calculator/vectors.js");
  const json = async (path) => (await fetch(path)).json();
  const wasm = await (await fetch("/assets/calculator/rankspec.wasm")).arrayBuffer();
  const core = await load(wasm, await json("/assets/calculator/layout.json"));
  const found = {};
  for (const [file, calls] of Object.entries(await json("/assets/calculator/calls.json"))) {
    const { required, optional } = await json(`/spec/vectors/${file}.json`);
    for (const example of [...required, ...optional].flatMap((x) => x.cases)) {
      const { verdict, found: values } = run(core, calls[example.id], example);
      found[example.id] = [verdict, values?.map((x) => (x === UNDECIDED ? null : bits(x)))];
    }
  }
  return found;
}"""

LEAST_EQUAL = 1500
"""So many cases are computed at least: if far fewer are, something is lost."""


def committed() -> dict[str, Any]:
    """{id: expected} of all cases of files of rankings."""
    found = {}
    for name in calculators.FILES_OF_RANKINGS:
        content = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        for group in (*content["required"], *content["optional"]):
            found |= {case["id"]: case["expected"] for case in group["cases"]}
    return found


def test_computed_vectors_have_the_committed_bits(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/vectors/") as visit:
        found = visit.page.evaluate(RUN_ALL)
        assert visit.wrong == []
    expected = committed()
    assert found.keys() == expected.keys()
    equal = 0
    for name, (verdict, values) in found.items():
        assert verdict in ("equal", "undecided", "inexpressible"), name
        if verdict == "inexpressible":
            continue
        wanted = expected[name] if isinstance(expected[name], list) else [expected[name]]
        assert len(values) == len(wanted), name
        for bits, one in zip(values, wanted, strict=True):
            assert bits in (None, one["bits"]), name
        assert (None in values) == (verdict == "undecided"), name
        equal += verdict == "equal"
    assert equal >= LEAST_EQUAL


def test_the_same_are_undecided_as_in_the_package(
    site: str, browser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rankspec.compute import by_core

    same_bits = calculators.module_of(ROOT / "tools/bits/same_bits.py")
    settled: list[object] = []
    for name in ("value_by_reference", "settle_vector"):
        monkeypatch.setattr(by_core, name, _noting(getattr(by_core, name), settled))
    monkeypatch.setattr(by_core, "_at_once", lambda *_: None)
    undecided = set()
    for case in _cases_with_calls():
        settled.clear()
        same_bits.ask(case)
        if settled:
            undecided.add(case["id"])
    with Calculators(browser, f"{site}/vectors/") as visit:
        found = visit.page.evaluate(RUN_ALL)
    assert {name for name, (verdict, _) in found.items() if verdict == "undecided"} == undecided


def _noting(function: Any, calls: list[object]) -> Any:
    def noted(*given: Any) -> Any:
        calls.append(given)
        return function(*given)

    return noted


def _cases_with_calls() -> Iterator[dict[str, Any]]:
    for name, of_file in calculators.calls(ROOT).items():
        content = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
        for group in (*content["required"], *content["optional"]):
            yield from (case for case in group["cases"] if isinstance(of_file[case["id"]], dict))


def test_the_page_of_vectors_counts_them(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/vectors/") as visit:
        visit.page.click("text=Run the vectors")
        visit.page.wait_for_selector(".rs-run-vectors[data-ready]")
        said = visit.page.inner_text(".rs-run-vectors [role=status]")
        assert said.startswith(f"{len(committed())} cases in ")
        assert said.endswith(" 0 different.")
        assert visit.page.locator("td", has_text="within 2^").count() > 0
        assert visit.wrong == []


# ---- the calculators ---------------------------------------------------------------------

STATES = {
    "ndcg": [
        "",
        "ndcg.labels=1 0 2&ndcg.others=3 1&ndcg.k=2&ndcg.gain=exp2&ndcg.b=3",
        "ndcg.labels=0.5 2.25&ndcg.k=none&ndcg.b=2.5",
        "ndcg.labels=&ndcg.k=3",
        "ndcg.labels=0 0",
    ],
    "ldcg": ["", "ldcg.labels=2 0 1&ldcg.others=&ldcg.M=2&ldcg.gain=linear&ldcg.b=2"],
    "phi": ["", "phi.labels=7 1 1 9 4&phi.k=3&phi.variant=authors-program&phi.b=4"],
    "bounds": ["", "bounds.labels=2 1&bounds.others=3 0 0&bounds.k=1&bounds.gain=exp2"],
    "err": ["", "err.labels=1 0 2&err.k=2&err.max=3"],
    "rbp": ["", "rbp.labels=0 1 1 1&rbp.p=0.95&rbp.k=none"],
    "sdcg": ["", "sdcg.queries=1 0/0 2 3&sdcg.k=2&sdcg.b=3&sdcg.bq=5.5&sdcg.gain=exp2"],
    "ties": ["", "ties.labels=1 0 3&ties.scores=1 1 1&ties.k=2&ties.gain=exp2"],
}
PAGES = {measure: page for page, names in calculators.CHAPTERS.items() for measure in names}


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("measure", STATES)
def test_values_are_those_of_the_call_in_python(measure: str, site: str, browser: Any) -> None:
    for state in STATES[measure]:
        at = f"#calculator-{measure}"
        with Calculators(browser, f"{site}/spec/{PAGES[measure]}/?{state}") as visit:
            value = visit.value(at)
            call = visit.page.inner_text(f"{at} .rs-quote code")
            assert f"rankspec {rankspec.__version__}" in visit.page.inner_text(f"{at} .rs-quote")
            expected = eval(call, {"rankspec": rankspec})  # noqa: S307 - it is the site's own text
            assert float(value) == expected, call
            link = visit.page.get_attribute(f"{at} .rs-quote a", "href")
            visit.page.goto("about:blank")  # else it is a step to the hash alone
            visit.page.goto(link)
            assert visit.value(at) == value
            assert visit.page.inner_text(f"{at} .rs-quote code") == call
            assert visit.wrong == []


def test_other_conventions_of_ndcg(site: str, browser: Any) -> None:
    shown, judged, k = [1, 0, 2], [1, 0, 2, 3, 1], 4
    ndcg = functools.partial(rankspec.ndcg, shown, k=k)
    state = "ndcg.labels=1 0 2&ndcg.others=3 1&ndcg.k=4"
    with Calculators(browser, f"{site}/spec/dcg/?{state}") as visit:
        visit.value("#calculator-ndcg")
        visit.page.click("text=other conventions")
        terms = visit.page.locator("#calculator-ndcg details dd").all_inner_texts()
    assert [float(x) for x in terms] == [
        ndcg(judged=judged, gain="exp2"),
        ndcg(),
        ndcg(judged=judged, ideal="all"),
        ndcg(judged=judged, ideal="shown"),
        ndcg(judged=judged, ideal="perfect"),
        ndcg(judged=judged, discount="jarvelin-2002(b=2)"),
    ]


# ---- libraries ---------------------------------------------------------------------------

VALUES_OF_LIBRARIES = """async (asked) => {
  const { load } = await import("/assets/calculator/core.js");
  const { value_of_library } = await import("/assets/calculator/measures.js");
  const get = (name) => fetch(`/assets/calculator/${name}`);
  const core = await load((await get("rankspec.wasm")).arrayBuffer(), await (await get("layout.json")).json());
  const functions = await (await get("libraries.json")).json();
  return asked.map(([i, v]) => value_of_library(core, v, functions[i]));
}"""  # noqa: E501


def answers_of_libraries() -> list[tuple[int, dict[str, Any], float]]:
    """What functions of libraries answered: (the function, the list without ties, the number)."""
    found = []
    for i, of in enumerate(calculators.functions_of_ndcg(ROOT)):
        path = ROOT / f"docs/data/libraries/{of['page'].split('/')[1]}.json"
        function = json.loads(path.read_text("utf-8"))["functions"][of["name"]]
        for step in function["transcript"]:
            taken = as_shown(step["input"])
            if taken is not None and isinstance(step["answer"], float | int):
                found.append((i, taken, step["answer"]))
    return found


def as_shown(given: dict[str, Any]) -> dict[str, Any] | None:
    """An input as the calculator has it; None: it is of other things."""
    labels, others = given["labels"], given.get("unseen", [])
    scores = given.get("scores", range(len(labels), 0, -1))
    if not set(given) <= {"labels", "scores", "unseen", "k", "ids"} or len(labels) == 0:
        return None
    whole = all(isinstance(x, int) and x >= 0 for x in (*labels, *others))
    if not whole or len(set(scores)) < len(scores) or given.get("k") == 0:
        return None
    if any(x != float(f"{x:.6g}") for x in scores):
        return None  # 32-bit floats may tie them
    ordered = sorted(zip(scores, labels, strict=True), reverse=True)
    return {"labels": [x for _, x in ordered], "others": others, "k": given.get("k")}


def test_what_libraries_say_is_what_they_answered(site: str, browser: Any) -> None:
    answers = answers_of_libraries()
    asked = [[i, shown] for i, shown, _ in answers]
    with Calculators(browser, f"{site}/vectors/") as visit:
        found = visit.page.evaluate(VALUES_OF_LIBRARIES, asked)
    computed = [(x, *answer) for x, answer in zip(found, answers, strict=True) if x is not None]
    decided = [x for x in computed if isinstance(x[0], float | int)]
    for one, i, shown, answer in decided:
        assert one == pytest.approx(answer, abs=1e-5), (i, shown)  # some give 5 decimals
    assert len({i for _, i, _, _ in decided}) >= 30
    assert len(decided) >= 1000


def test_the_page_shows_libraries_by_value(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/") as visit:
        visit.value("#calculator-ndcg")
        visit.page.click("text=What would a library say?")
        visit.page.wait_for_selector(".rs-functions")
        groups = visit.page.locator(".rs-functions").all_inner_texts()
        exp2 = str(rankspec.ndcg([3, 2, 3, 0, 1, 2], k=10, gain="exp2"))
        assert any("scikit-learn ndcg_score" in x and "0.9608081943360616" in x for x in groups)
        assert any("xgboost ndcg" in x and exp2 in x for x in groups)
        visit.page.fill("#calculator-ndcg-labels", "1 0")
        visit.settled("#calculator-ndcg", "[1, 0]")
        visit.page.wait_for_selector(".rs-functions")  # it stays open
        assert visit.wrong == []


def test_parts_of_ranks_and_the_ideal_list(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/?ndcg.labels=0 2&ndcg.others=1&ndcg.k=2") as visit:
        visit.value("#calculator-ndcg")
        rows = visit.page.locator(".rs-ranks tbody tr")
        texts = [rows.nth(i).locator("td").all_inner_texts()[:2] for i in range(2)]
    # 2 / log2(3) = 1.2618..., 1 / log2(3) = 0.6309...
    assert texts == [["0 adds 0", "2 adds 2"], ["2 adds 1.2619", "1 adds 0.6309"]]


def test_a_tie_group_is_shown_at_each_of_its_ranks(site: str, browser: Any) -> None:
    state = "ties.labels=2 1 0&ties.scores=5 5 1&ties.k=3"
    with Calculators(browser, f"{site}/spec/ties/?{state}") as visit:
        visit.value("#calculator-ties")
        shown = visit.page.locator(".rs-ranks .rs-shown").all_inner_texts()
    # the mean gain 3/2 at both ranks: 3/2 and 3/2 / log2(3) = 0.9463...
    assert shown == ["one of 2, 1 adds 1.5000", "one of 2, 1 adds 0.9464", "0 adds 0"]


def test_by_keyboard_alone(site: str, browser: Any) -> None:
    at = "#calculator-ndcg"
    with Calculators(browser, f"{site}/spec/dcg/") as visit:
        visit.value(at)
        keys = visit.page.keyboard
        keys.press("Tab")  # the labels
        keys.press("Control+A")
        keys.type("0 1")
        assert float(visit.settled(at, "[0, 1]")) == rankspec.ndcg([0, 1], k=10)
        for _ in range(2):
            keys.press("Tab")  # the other judged documents, k
        for _ in range(9):
            keys.press("ArrowLeft")
        assert float(visit.settled(at, "k=1)")) == 0
        visit.page.focus("[aria-label='Move rank 2 up']")
        keys.press("Enter")
        assert float(visit.settled(at, "[1, 0]")) == 1
        focused = visit.page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused == "Move rank 1 down"
        visit.page.reload()  # the address has it all
        assert visit.value(at) == "1"
        assert visit.page.inner_text(f"{at} .rs-quote code") == "rankspec.ndcg([1, 0], k=1)"
        assert visit.wrong == []


def test_controls_have_names(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/cascade/") as visit:
        for measure in ("err", "rbp"):
            visit.value(f"#calculator-{measure}")
        unnamed = visit.page.evaluate(
            "[...document.querySelectorAll('input, select, textarea, button')]"
            ".filter((x) => !(x.labels?.length || x.ariaLabel || x.textContent)).length"
        )
        assert unnamed == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("3 x", "“x” at position 2 is no number"),
        ("1 -1", "No value: Labels: -1 at position 2; expected numbers from 0."),
        ("1 " * 201, "at most 200"),
        ("0,5 1", "“0,5” has a comma, where others have a blank; write 0.5 or 0 5"),
        ("1 9007199254740993", "at position 2 is not kept by a double"),
        ("1e-400 1", "at position 1 is not kept by a double"),
        ("1e999", "at position 1 is not kept by a double"),
    ],
)
def test_what_is_no_ranking_is_said(typed: str, said: str, site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/") as visit:
        visit.value("#calculator-ndcg")
        visit.page.fill("#calculator-ndcg-labels", typed)
        visit.page.wait_for_selector(".rs-trouble")
        assert said in visit.page.inner_text(".rs-trouble")
        visit.page.fill("#calculator-ndcg-labels", "1")
        assert visit.settled("#calculator-ndcg", "[1]") == "1"
        assert visit.wrong == []


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("ndcg.labels=NaN 1", "Labels: “NaN” at position 1 is no number"),
        ("ndcg.k=2.5", "Cut-off k: “2.5”, in the address of this page, is none of its values"),
        ("ndcg.k=21", "“21”"),
        ("ndcg.b=1.7", "Base b of the logarithm: “1.7”"),
        ("ndcg.b=", "“”, in the address"),
        ("ndcg.gain=toString", "Gain: “toString”"),
        ("ndcg.others=%3Cb%3E", "“<b>” at position 1 is no number"),
    ],
)
def test_a_link_that_is_wrong_is_said(state: str, said: str, site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/?{state}") as visit:
        visit.page.wait_for_selector(".rs-trouble")
        assert said in visit.page.inner_text(".rs-trouble")
        for field in ("labels", "others"):
            visit.page.fill(f"#calculator-ndcg-{field}", "1")
        found = visit.settled("#calculator-ndcg", "[1], judged=[1, 1]")
        assert float(found) == rankspec.ndcg([1], judged=[1, 1], k=10)
        assert visit.wrong == []


def test_a_label_too_high_for_another_convention_is_taken(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/?ndcg.labels=1 5000") as visit:
        assert float(visit.value("#calculator-ndcg")) == rankspec.ndcg([1, 5000], k=10)
        others = visit.page.locator(".rs-details details").first.text_content()
        assert "gain 2^r − 1does not take these labels" in others
        visit.page.locator("summary", has_text="library").click()
        visit.page.wait_for_selector(".rs-functions >> text=does not take these labels")
        assert visit.wrong == []


def test_a_query_without_results_stays(site: str, browser: Any) -> None:
    at = "#calculator-sdcg"
    expected = rankspec.sdcg([[1], [], [2]], k=10)
    with Calculators(browser, f"{site}/spec/session/?sdcg.queries=1//2") as visit:
        assert float(visit.value(at)) == expected
        visit.page.focus(f"{at}-k")
        visit.page.keyboard.press("ArrowRight")
        visit.settled(at, "k=11")
        visit.page.keyboard.press("ArrowLeft")
        assert float(visit.settled(at, "k=10")) == expected
        label = "Labels of the results, a query a line; a query without results is an empty line"
        assert visit.page.get_by_label(label, exact=True).input_value() == "1\n\n2"
        visit.page.focus("[aria-label='Move query 2 up']")
        visit.page.keyboard.press("Enter")
        assert float(visit.settled(at, "[[],[1],[2]]")) == rankspec.sdcg([[], [1], [2]], k=10)


def test_the_core_is_loaded_when_a_calculator_is_seen(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/low/") as visit:
        visit.page.wait_for_load_state("networkidle")
        assert not any(x.endswith(".wasm") for x in visit.asked)
        assert visit.value("#calculator") == "0.9608081943360616"
        assert [x for x in visit.asked if x.endswith(".wasm")] == [
            f"{site}/assets/calculator/rankspec.wasm"
        ]
        assert all(x.startswith(site) for x in visit.asked)


def test_a_site_without_the_core_says_so(site: str, browser: Any) -> None:
    with Calculators(browser, "about:blank") as visit:
        visit.page.route("**/rankspec.wasm", lambda route: route.fulfill(status=404))
        visit.page.goto(f"{site}/spec/dcg/")
        visit.page.locator("#calculator-ndcg").scroll_into_view_if_needed()
        visit.page.wait_for_selector(".rs-trouble")
        said = visit.page.inner_text(".rs-trouble")
        assert said == (
            "The calculator cannot be loaded. This site was built without rankspec.wasm."
        )


def test_without_scripts_the_page_says_so(site: str, browser: Any) -> None:
    with Calculators(browser, f"{site}/spec/dcg/", java_script_enabled=False) as visit:
        assert "needs scripts" in visit.page.inner_text(".calculator")


@pytest.mark.slow(but=1)
@pytest.mark.long(but=3)
@pytest.mark.parametrize("measure", STATES)
def test_narrow_pages_do_not_scroll_sideways(measure: str, site: str, browser: Any) -> None:
    size = {"width": 360, "height": 700}
    with Calculators(browser, f"{site}/spec/{PAGES[measure]}/", viewport=size) as visit:
        visit.value(f"#calculator-{measure}")
        wide = visit.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"]
