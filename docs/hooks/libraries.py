"""The page "Which nDCG does my library compute?": what docs/data/libraries says, as a table.

A page asks for its parts by comments: ``<!-- libraries: dcg -->``, the functions of the family of
DCG, ``others``, those of other measures, ``counts`` and ``pairs``.
All is read from the committed answers; no library is needed. Each library has a page of its own
with its cases (library_pages.py), to which the cells lead; where two functions differ is read from
files by library (library_pairs.py).
"""

from __future__ import annotations

import functools
import html
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from loading import module_of
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*libraries:\s*(?P<name>\w+)\s*-->")
PAGES = ("libraries.md", "libraries/other-measures.md")
ID = re.compile(r"\((RS-[A-Z]+-\d+)\)")
TO_CASE = re.compile(r'<a href="[^"]*">▸</a>')

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "ties": ("order", "ties", "long ties"),
    "nothing relevant": ("undefined", "undefined by", "nothing judged"),
    "labels below 0": ("negative",),
    "fractional labels": ("fractions",),
    "unjudged items": ("unjudged",),
    "k = 0": ("k=0",),
    "k > n": ("cut", "beyond"),
    "no item, or one": ("empty", "one item"),
    "scores": ("scores",),
    "over queries": ("average",),
    "output": ("scale", "output"),
}
"""The columns of conventions: {heading: the choices of a definition}; the pool stands by the ideal.

What their values are called is said where they are declared, in rankspec.analysis.identify.choices.
"""

NEVER_ASKED = 5
"""So many values that a choice can have say that no question about it could be asked."""

UNSAID = {
    ("order", "score"),
    ("long ties", "same"),
    ("undefined by", "pool"),
    ("nothing judged", "computed"),
    ("one item", "computed"),
    ("cut", "k"),
    ("scale", "1"),
}
"""What goes without saying."""


# ---- the stored answers ------------------------------------------------------------------


@functools.cache
def modules(root: Path) -> Any:
    """The modules heldout, world and answers of tools/matrix, by name."""
    folder = str(root / "tools/matrix")
    if folder not in sys.path:
        sys.path.append(folder)
    names = ("heldout", "world", "answers")
    return {name: module_of(Path(folder, f"{name}.py")) for name in names}


@functools.cache
def functions(root: Path) -> list[Any]:
    """All functions of all libraries."""
    return list(modules(root)["answers"].functions(root / "docs/data/libraries"))


def by_library(root: Path) -> dict[str, list[Any]]:
    """The functions of each library, by the name of its adapter."""
    found: dict[str, list[Any]] = {}
    for f in functions(root):
        found.setdefault(f.library["library"], []).append(f)
    return found


# ---- anchors -----------------------------------------------------------------------------


def slug(text: str) -> str:
    """A text as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def anchor(f: Any) -> str:
    """The anchor of a function on the page of its library."""
    names = list(f.library["functions"])
    same = [x for x in names[: names.index(f.name)] if slug(x) == slug(f.name)]
    return f"{slug(f.name)}-{len(same) + 1}" if same else slug(f.name)


def case_anchor(f: Any, stage: str) -> str:
    """The anchor of a case of a function there."""
    return f"{anchor(f)}--{slug(stage)}"


def stages(f: Any) -> dict[str, Any]:
    """Of each stage of the search the question that was asked first: it divides the most."""
    found: dict[str, Any] = {}
    for step in f.data["transcript"]:
        scores = step["input"].get("scores", ())
        tied = step["stage"] == "determinism" and len(set(scores)) < len(scores)
        found.setdefault("ties" if tied else step["stage"], step)
    return found


# ---- the page ----------------------------------------------------------------------------


def filled(tree: Any, markdown: str, page: Page) -> str:
    """The page with its parts; another page is as it was."""
    if page.file.src_uri not in PAGES:
        return markdown
    parts: Mapping[str, Callable[[Any, Page], str]] = {
        "counts": counts,
        "dcg": functools.partial(table, of_dcg=True),
        "others": functools.partial(table, of_dcg=False),
        "pairs": pairs,
    }

    def part(match: re.Match[str]) -> str:
        if match["name"] not in parts:
            raise PluginError(f"{page.file.src_uri}: {match[0]}: there is no such part")
        return parts[match["name"]](tree, page)

    return REQUEST.sub(part, markdown)


def counts(tree: Any, _: Page) -> str:
    """How many libraries there are, and what their definitions predict."""
    found = functions(tree.root)
    known = [f for f in found if f.data["definition"]]
    exact = sum(not f.data["unexplained"] for f in known)
    asked = sum(f.data["held_out"]["count"] for f in known)
    right = sum(f.data["held_out"]["agree"] for f in known)
    whole = sum(f.data["held_out"]["agree"] == f.data["held_out"]["count"] for f in known)
    packages = {f.library["package"] for f in found}
    return (
        f"{len(found)} functions of {len(packages)} libraries were asked; a definition was found "
        f"for {len(known)}, which explains all answers to the search for {exact} of them. On "
        "random inputs that the search never saw, up to 500 a function, the definitions predict "
        f"{right:,} of {asked:,} answers; for {whole} functions, all."
    )


def is_dcg(f: Any) -> bool:
    """Whether a function computes a measure of the family of DCG, or is called so."""
    found = f.data["definition"]
    return bool(re.search(r"d?cg\b", found["measure"] if found else f.name, re.IGNORECASE))


def table(tree: Any, page: Page, *, of_dcg: bool) -> str:
    """The functions of the family of DCG, or the others, a row each."""
    parameters = ("gain", "discount") if of_dcg else ()
    pool = "ideal, pool" if of_dcg else "pool"
    head = ["function", "measure", *parameters, pool, *COLUMNS, "accuracy", "predicted"]
    out = [
        '<p class="rs-find"><label>Find <input type="search" id="rs-find" '
        'placeholder="ranx, nDCG, exp2 …"></label> <span id="rs-found"></span></p>',
        '<div class="rs-table rs-libraries"><table class="rs" id="rs-libraries"><thead><tr>'
        + "".join(f"<th>{x}</th>" for x in head)
        + "</tr></thead>",
    ]
    for name, functions_of_it in by_library(tree.root).items():
        those = [f for f in functions_of_it if is_dcg(f) == of_dcg]
        if not those and not of_dcg:
            continue
        library = functions_of_it[0].library
        out.append(
            f'<tbody><tr class="rs-chapter"><th colspan="{len(head)}"><a href="{name}/">'
            f"{html.escape(library['package'])}</a> {library['version']}"
            f"{'' if those else ': other measures only'}</th></tr>"
        )
        out += [row(tree, f, page, parameters) for f in those]
        out.append("</tbody>")
    text = "\n".join([*out, "</table></div>", ""])
    if page.file.src_uri != PAGES[0]:  # a page in that folder, beside those of the libraries
        text = re.sub(r'href="(?!\.)', 'href="../', text)
    return text


def row(tree: Any, f: Any, page: Page, parameters: tuple[str, ...]) -> str:
    """A function in the table; each of its cells leads to the case that decided it.

    parameters: those of the measure that have columns
    """
    place = f"{f.library['library']}/#{anchor(f)}"
    name = f'<th><a href="{place}"><code>{html.escape(f.name)}</code></a></th>'
    if f.data["definition"] is None:
        near = ", ".join(x["measure"] for x in f.data["nearest"][:1])
        said = (
            f"no definition that is known here; the nearest is {html.escape(near)}"
            if near
            else "none"
        )
        span = len(COLUMNS) + len(parameters) + 4
        return f'<tr>{name}<td colspan="{span}" class="rs-missing">{said}</td></tr>'
    cells = [measure(tree, f, page)]
    cells += [parameter(tree, f, x, page) for x in parameters]
    cells.append(normaliser(tree, f, page))
    cells += [cell(tree, f, names, page) for names in COLUMNS.values()]
    out = f.data["held_out"]
    cells.append(accuracy(f))
    predicted = f"{out['agree']}/{out['count']}"
    if out["agree"] < out["count"]:  # else the name leads to all that there is to see
        predicted = f'<a href="{place}" class="rs-missing">{predicted}</a>'
    cells.append(predicted)
    return f"<tr>{name}{each_case_once(''.join(f'<td>{x}</td>' for x in cells))}</tr>"


def each_case_once(cells: str) -> str:
    """A row in which no second cell leads to a case."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        if match[0] in seen:
            return ""
        seen.add(match[0])
        return match[0]

    return TO_CASE.sub(first, cells)


def entry(tree: Any, id_: str, text: str, page: Page) -> str:
    """A text that leads to an entry of the spec."""
    known = tree.table.entries.get(id_)
    return text if known is None else f'<a href="{tree.url_of(id_, page)}">{text}</a>'


def to_case(f: Any, stage: str) -> str:
    """What leads to the case that decided, where there is one."""
    if stage not in stages(f):
        return ""
    return f'<a href="{f.library["library"]}/#{case_anchor(f, stage)}">▸</a>'


def measure(tree: Any, f: Any, page: Page) -> str:
    """The name of the measure, without what has columns of its own."""
    found = f.data["definition"]
    if not found["spec"]:
        about = html.escape(found["about"] or "")
        shown = f'<em title="{about}">{html.escape(found["measure"])}</em>'
    else:
        name = re.sub(r"\b(gain|discount)='[^']*'(, )?", "", found["measure"])
        name = name.replace(", )", ")").replace("()", "")
        shown = entry(tree, found["spec"], html.escape(name), page)
    return shown + to_case(f, "measure")


BINARY = "relevant or not"
"""The gain of a function that takes no grades."""


def parameter(tree: Any, f: Any, name: str, page: Page) -> str:
    """A parameter of the measure, which leads to its entry, and the case that decided."""
    text = (f.data["definition"]["parameters"] or {}).get(name)
    if text is None:
        return "–"
    if name == "gain" and f.domain.binary:
        return BINARY
    id_, shown = ID.search(text), html.escape(parameter_text(text))
    return (entry(tree, id_[1], shown, page) if id_ else shown) + to_case(f, "measure")


def parameter_text(text: str) -> str:
    """The value of a parameter in short."""
    shown = ID.sub("", text).split(":")[0].strip()
    return re.sub(r"^0(-1)+$", "binary", re.sub(r"log\(b=2\.718\d*\)", "ln", shown))


def normaliser(tree: Any, f: Any, page: Page) -> str:
    """Of what the ideal or the divisor is made: its cut, and the items."""
    given = f.data["definition"]["parameters"] or {}
    parts = [parameter(tree, f, x, page) for x in ("ideal", "norm") if x in given]
    parts = ["cut at k" if ">k</a>" in x else x.removesuffix(to_case(f, "measure")) for x in parts]
    return " of ".join([*parts, cell(tree, f, ("pool",), page)])


def cell(tree: Any, f: Any, names: Iterable[str], page: Page) -> str:
    """The values of some choices, each leading to its entry, and the case that decided."""
    from rankspec.analysis.identify.choices import BY_NAME

    parts: list[str] = []
    for name, value, text in chosen(f, names):
        id_, shown = BY_NAME[name].spec_of(value), html.escape(text)
        shown = entry(tree, id_, shown, page) if id_ else f"<em>{shown}</em>"
        stage = "measure" if name in ("pool", "cut", "scale", "output") else name
        parts.append(shown + to_case(f, stage))
    return ", ".join(parts) or "–"


def chosen(f: Any, names: Iterable[str]) -> Iterator[tuple[str, Any, str]]:
    """The values of some choices that are known and do not go without saying: names and texts."""
    from rankspec.analysis.identify.choices import BY_NAME, as_now

    found = f.data["definition"]
    made = as_now(found["conventions"])
    for name in names:
        value = made.get(name)
        if value is None or (name, value) in UNSAID:
            continue
        values = [as_now({name: x})[name] for x in f.data["same"]["conventions"].get(name, [value])]
        if len(values) >= NEVER_ASKED:
            continue
        text = " or ".join(BY_NAME[name].label_of(x) for x in values[:2])
        if name == "beyond" and set(values) == {"k", "n"}:
            text = "no matter"
        if name == "pool" and not f.domain.pool:
            text = "the items passed in"
        yield name, value, text


def conventions(f: Any) -> dict[str, str]:
    """What a function does, by the headings of the table; what is not known is left out."""
    given = f.data["definition"]["parameters"] or {}
    found = {x: parameter_text(given[x]) for x in ("gain", "discount", "ideal") if x in given}
    if f.domain.binary:
        found["gain"] = BINARY
    for heading, names in {"pool": ("pool",), **COLUMNS}.items():
        found[heading] = ", ".join(text for _, _, text in chosen(f, names))
    return {heading: text for heading, text in found.items() if text}


def without_case(shown: str) -> str:
    """A cell without what leads to the cases that decided it."""
    return TO_CASE.sub("", shown)


def in_the_world(root: Path, **asked: Any) -> int:
    """The number of the input of the small world that has these values."""
    world = modules(root)["world"].world()
    return next(a for a, x in enumerate(world) if all(getattr(x, n) == y for n, y in asked.items()))


def as_call(measure: str, conventions: Mapping[str, str]) -> str:
    """A measure and conventions, as they are given to rs.evaluate()."""
    return f'"{measure}"' + "".join(f', {name}="{x}"' for name, x in conventions.items())


def code(text: str) -> str:
    return f"<code>{html.escape(text, quote=False)}</code>"


def small_table(head: Iterable[str], rows: str, kind: str = "") -> str:
    """A table of the given rows; kind: a further class."""
    cells = "".join(f'<th scope="col">{x}</th>' for x in head)
    return (
        f'<div class="rs-table"><table class="rs{kind}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def accuracy(f: Any) -> str:
    """How near the numbers are to the correctly rounded ones."""
    found = f.data["accuracy"]
    if found is None:
        return "–"
    shown = f"{found['max_ulp']:.2g} ulp"
    if found["of"] is None:  # all are correctly rounded: no case stands out
        return shown
    return f'<a href="{f.library["library"]}/#{case_anchor(f, "accuracy")}">{shown}</a>'


# ---- two functions -----------------------------------------------------------------------


def pairs(tree: Any, _: Page) -> str:
    """The two lists of functions; assets/libraries.js does the rest."""
    options: list[str] = []
    for name, those in by_library(tree.root).items():
        options.append(f'<optgroup label="{html.escape(those[0].library["package"])}">')
        options += [f'<option value="{name}#{anchor(f)}">{html.escape(f.key)}' for f in those]
        options.append("</optgroup>")
    return (
        '<div class="rs-pair" data-folder="../data/libraries-world/">'
        f'<select aria-label="one function">{"".join(options)}</select>'
        '<select aria-label="another function"></select>'
        '<div id="rs-differ" role="status"></div></div>\n'
    )
