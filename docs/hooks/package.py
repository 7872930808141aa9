"""What pages take from the package at build time.

A page asks for it by a line of its own:

::: rankspec.ndcg            the signature and the docstring of that function or class
::: rankspec.compat.torch.RankingMetric   the same, read without importing it: of compat
::: metrics                  the table of metrics
::: bounds                   the table of bounds
::: functions of DCG LEN     a section for the function of each metric of these families of the spec
::: names of metrics compat  all public names, on which of these pages of docs/api they are
::: profiles                 the table of conventions and profiles, and what each profile is
::: formats                  the table of output formats
::: $ rankspec measures      the command with what it prints, run where the example's files are
"""

from __future__ import annotations

import ast
import contextlib
import html
import importlib
import importlib.util
import inspect
import io
import logging
import re
import shlex
import shutil
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.rankspec")  # a warning fails a strict build

REQUEST = re.compile(r"^::: (?P<name>\S.*)$", re.MULTILINE)


def filled_in(markdown: str, page: Page) -> str:
    """A page with its requests met."""
    markdown = REQUEST.sub(expanded, markdown)
    return REQUEST.sub(lambda match: generated(match["name"], page), markdown)


def expanded(match: re.Match[str]) -> str:
    """What stands for a request of several sections, each with a request of its own."""
    tables = {
        "metrics": metrics_table,
        "bounds": bounds_table,
        "functions of sessions": functions_of_sessions,
        "metrics of sessions": metrics_of_sessions_table,
        "metrics of diversity": metrics_of_diversity_table,
        "functions of diversity": functions_of_diversity,
    }
    if match["name"] in tables:
        return tables[match["name"]]()
    if pages := re.fullmatch(r"names of ([a-z ]+)", match["name"]):
        return names(pages[1].split())
    if families := re.fullmatch(r"functions of ([A-Z ]+)", match["name"]):
        return functions(families[1].split())
    return match[0]


def names(pages: Sequence[str]) -> str:
    """The public names by the page that has them; none may be on no page."""
    import rankspec

    out = []
    known = {*rankspec.__all__}
    for page in pages:
        path = Path(__file__).parents[1] / "api" / f"{page}.md"
        text = REQUEST.sub(expanded, path.read_text("utf-8"))
        title = text.partition("\n")[0].removeprefix("# ").removeprefix("API: ")
        headings = re.findall(r"^### ([\w.]+)$", text, re.MULTILINE)
        known -= set(re.findall(r"\w+", text))
        items = "".join(
            f'<li><a href="{page}/#{anchor(x)}"><code>{x}</code></a></li>' for x in headings
        )
        out.append(
            f'<h2><a href="{page}/">{title[0].upper()}{title[1:]}</a></h2>\n'
            f'<section class="rs-names"><ul>{items}</ul></section>\n'
        )
    for name in sorted(known):
        log.warning("docs/api: rankspec.%s is on no page", name)
    return "\n".join(out)


def anchor(heading: str) -> str:
    """The anchor that MkDocs gives the heading of a name."""
    return re.sub(r"[^\w-]", "", heading).lower()


def generated(name: str, page: Page) -> str:
    tables = {"profiles": profiles_table, "formats": formats_table}
    if name in tables:
        return tables[name]()
    if name.startswith("$ "):
        return console(name[2:], page)
    if name.startswith(COMPAT) and "." in name.removeprefix(COMPAT):
        return of_compat(name, page)
    if doc := module_docstring(name):
        return docstring_markdown(doc)
    module, _, attribute = name.rpartition(".")
    try:
        value = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        log.warning("%s: ::: %s: %s", page.file.src_uri, name, error)
        return ""
    doc = inspect.getdoc(value)
    if not doc:
        log.warning("%s: ::: %s has no docstring", page.file.src_uri, name)
    shown = signature(name.removeprefix("rankspec."), value)
    for line in loose_parameters(doc or "", value):
        log.warning("%s: ::: %s: in no list of parameters: %s", page.file.src_uri, name, line)
    return f"```python\n{shown}\n```\n\n{docstring_markdown(doc or '')}"


def module_docstring(name: str) -> str | None:
    """The docstring of a module, read without importing it: what it needs may not be here."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    if spec is None or spec.origin is None:
        return None
    return ast.get_docstring(ast.parse(Path(spec.origin).read_text("utf-8")))


def of_compat(name: str, page: Page) -> str:
    found = from_source(name)
    if found is None:
        log.warning("%s: ::: %s: there is none, or it has no docstring", page.file.src_uri, name)
        return ""
    shown, doc = found
    return f"```python\n{shown}\n```\n\n{docstring_markdown(doc)}"


def from_source(name: str) -> tuple[str, str] | None:
    """The signature and the docstring of a function, class or method of a module of compat, read
    without importing it: the library that it needs may not be here. None: there is none.
    """
    module, *path = name.removeprefix(COMPAT).split(".")
    spec = importlib.util.find_spec(f"{COMPAT}{module}")
    if spec is None or spec.origin is None:
        return None
    node: Any = ast.parse(Path(spec.origin).read_text("utf-8"))
    for part in path:
        node = _defined(node, part)
        if node is None:
            return None
    doc = ast.get_docstring(node)
    if not doc:
        return None
    made = _defined(node, "__init__") if isinstance(node, ast.ClassDef) else node
    kind = "class " if isinstance(node, ast.ClassDef) else ""
    given = parameters_written(made.args) if made else []
    given = [x for x in given if x != "self"]
    arrow = f" -> {ast.unparse(made.returns)}" if made and made.returns and not kind else ""
    shown = f"{kind}{name.removeprefix('rankspec.')}"
    line = f"{shown}({', '.join(given)}){arrow}"
    if len(line) > WIDTH:
        line = f"{shown}(\n    {SEPARATOR.join(given)},\n){arrow}"
    return line, doc


def _defined(node: Any, name: str) -> Any:
    """What a module or class defines by that name; None: nothing."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return next((x for x in node.body if isinstance(x, kinds) and x.name == name), None)


def parameters_written(given: ast.arguments) -> list[str]:
    """The parameters of a function, as its source has them."""
    by_place = [*given.posonlyargs, *given.args]
    none = [None] * (len(by_place) - len(given.defaults))
    found = [_written(x, y) for x, y in zip(by_place, [*none, *given.defaults], strict=True)]
    if given.vararg or given.kwonlyargs:
        found.append(f"*{ast.unparse(given.vararg) if given.vararg else ''}")
    found += [_written(x, y) for x, y in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return found + ([f"**{ast.unparse(given.kwarg)}"] if given.kwarg else [])


def _written(x: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(x) + ("" if default is None else f" = {ast.unparse(default)}")


def console(command: str, page: Page) -> str:
    """A command line and its output, from a folder with the files of the example.

    The reference computes it, so that the site builds before the C core does; the values are
    the same.
    """
    import rankspec
    from rankspec.cli.main import main

    arguments = shlex.split(command)[1:]
    if arguments[0] in ("eval", "session", "check", "reproduce"):
        arguments += ["--backend", "reference"]
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for path in (Path(rankspec.__path__[0]) / "example").iterdir():
            shutil.copy(path, folder)
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            status = main(arguments)
    if status:
        log.warning("%s: %s: %s", page.file.src_uri, command, printed.getvalue().strip())
    return f"```console\n$ {command}\n{printed.getvalue()}```"


def metrics_table() -> str:
    """The metrics that there are, from the package's one list of them."""
    from rankspec.metrics.catalogue import METRICS

    rows = ["| measure | function | what it is | parameters | in other programs |", "|-|-|-|-|-|"]
    for m in METRICS:
        parameters = ", ".join(f"`{name}`" for name in ("k", *m.parameters))
        named = (
            m.names.trec,
            m.names.trec_cut and f"{m.names.trec_cut}.k",
            *(n for x in m.names.others.values() for n in x),
        )
        others = [f"`{name}`" for name in dict.fromkeys(named) if name]
        cells = (f"`{m.name}`", f"`{m.function}`", f"{m.title}, {m.spec}", parameters)
        rows.append(f"| {' | '.join(cells)} | {' '.join(others) or '–'} |")
    return "\n".join(rows)


def metrics_of_sessions_table() -> str:
    """The metrics of sessions, from the package's one list of them."""
    from rankspec.metrics.catalogue import SESSION_METRICS

    return _table_of(SESSION_METRICS)


def metrics_of_diversity_table() -> str:
    """The metrics of diversity, from the package's one list of them."""
    from rankspec.metrics.catalogue import DIVERSITY_METRICS

    return _table_of(DIVERSITY_METRICS)


def _table_of(metrics: Sequence[Any]) -> str:
    """A row for each metric."""
    rows = ["| measure | function | what it is | parameters |", "|-|-|-|-|"]
    for m in metrics:
        parameters = ", ".join(f"`{name}`" for name in ("k", *m.parameters))
        cells = (f"`{m.name}`", f"`{m.function}`", f"{m.title}, {m.spec}", parameters)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def bounds_table() -> str:
    """The bounds that there are, from the package's one list of them, and what papers call them."""
    from rankspec.metrics.bounds import PAPER_NAMES
    from rankspec.metrics.catalogue import AVERAGES, BOUNDS
    from rankspec.metrics.geometric import NAMES

    rows = ["| bound | what it is | parameters | in papers |", "|-|-|-|-|"]
    for bound in (*BOUNDS, *AVERAGES):
        parameters = ", ".join(f"`{name}`" for name in bound.parameters) or "–"
        named = [
            f"`{x}`" for x, m in {**PAPER_NAMES, **NAMES}.items() if m.startswith(f"{bound.name}(")
        ]
        cells = (f"`{bound.name}`", f"{bound.title}, {bound.spec}", parameters)
        rows.append(f"| {' | '.join(cells)} | {' '.join(named) or '–'} |")
    return "\n".join(rows)


def functions(families: Sequence[str]) -> str:
    """A heading for the function of each metric of some families, and the request for its text."""
    from rankspec.metrics.catalogue import METRICS

    return "\n\n".join(
        f"### {m.function}\n\n::: rankspec.{m.function}"
        for m in METRICS
        if m.spec.split("-")[1] in families
    )


def functions_of_sessions() -> str:
    """The same of the functions of sessions: the metrics, then vectors and what is made of them."""
    import rankspec
    from rankspec.metrics.catalogue import SESSION_METRICS

    metrics = [m.function for m in SESSION_METRICS]
    ordered = [*metrics, *(name for name in rankspec._OF_SESSIONS if name not in metrics)]
    return "\n\n".join(f"### {name}\n\n::: rankspec.{name}" for name in ordered)


def functions_of_diversity() -> str:
    """The same of the functions of diversity."""
    from rankspec.metrics.catalogue import DIVERSITY_METRICS

    return "\n\n".join(f"### {m.function}\n\n::: rankspec.{m.function}" for m in DIVERSITY_METRICS)


def profiles_table() -> str:
    """What each profile makes of each convention, the values that are not the default in bold."""
    from rankspec.evaluation.conventions import CONVENTIONS
    from rankspec.evaluation.profiles import PROFILES, assignments

    assigned = assignments()
    rows = [f"| convention | {' | '.join(assigned)} |", "|-" * (len(assigned) + 1) + "|"]
    for convention in CONVENTIONS:
        default = assigned["default"][convention.name]
        chosen = (values[convention.name] for values in assigned.values())
        cells = (x if x == default else f"**{x}**" for x in chosen)
        rows.append(f"| `{convention.name}` {convention.spec} | {' | '.join(cells)} |")
    for profile in PROFILES:
        metrics = ", ".join(profile.metrics) if profile.metrics else "all metrics"
        note = f" {html.escape(profile.note)}." if profile.note else ""
        labels = profile.whole_labels
        of_some = [f"takes {profile.taken_labels()} only: {labels}"] if labels else []
        of_some += map(str, profile.of_metrics)
        rows += ["", profile.name, f":   {profile.program}; {metrics}.{note}"]
        rows += ["", *(f"    - {html.escape(x)}" for x in of_some)]
    return "\n".join(rows)


def formats_table() -> str:
    """The output formats of the command line, each with the commands that have it."""
    from rankspec.cli.commands import all_commands

    having: dict[tuple[str, str], list[str]] = {}
    for name, command in all_commands().items():
        for output in command.outputs:
            having.setdefault((output.name, output.about), []).append(f"`{name}`")
    rows = ["| `--format` | what it is | of |", "|-|-|-|"]
    rows += [f"| `{name}` | {about} | {', '.join(of)} |" for (name, about), of in having.items()]
    return "\n".join(rows)


def signature(name: str, value: Any) -> str:
    """The signature, one parameter a line where it is long."""
    if inspect.isclass(value):
        return f"class {name}"
    given = inspect.signature(value)
    parameters: list[str] = []
    for p in given.parameters.values():
        if p.kind is p.KEYWORD_ONLY and not any(x.startswith("*") for x in parameters):
            parameters.append("*")
        parameters.append(parameter(p))
    returns = given.return_annotation
    arrow = "" if returns is given.empty else f" -> {returns}"
    line = f"{name}({', '.join(parameters)}){arrow}"
    return line if len(line) <= WIDTH else f"{name}(\n    {SEPARATOR.join(parameters)},\n){arrow}"


COMPAT = "rankspec.compat."
WIDTH = 76
SEPARATOR = ",\n    "
LONGEST_DEFAULT = 60


def sessions(markdown: str) -> str:
    """The examples of Python with their prompts set apart, and what doctest needs left out."""
    markdown = markdown.replace("```python\n>>> ", "```pycon\n>>> ")
    return re.sub(r"^<BLANKLINE>$", "", markdown, flags=re.MULTILINE)


def parameter(p: inspect.Parameter) -> str:
    stars = "*" * (p.kind is p.VAR_POSITIONAL) + "**" * (p.kind is p.VAR_KEYWORD)
    annotation = "" if p.annotation is p.empty else f": {p.annotation}"
    if p.default is p.empty:
        return f"{stars}{p.name}{annotation}"
    default = f'"{p.default}"' if isinstance(p.default, str) else repr(p.default)
    if len(default) > LONGEST_DEFAULT:
        default = "..."
    return f"{p.name}{annotation} = {default}"


NAMES = r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*)"
PARAMETER = re.compile(NAMES + r"(?:: | {2,})(?P<text>\S.*)")
"""A parameter in a docstring: "name: what it is", or the same in two columns."""
LONG_PARAMETER = re.compile(NAMES + r"(?P<text>)$")
"""One whose name is as wide as the first column: the second begins in the next line."""


def loose_parameters(doc: str, value: Any) -> list[str]:
    """The lines of a docstring that are of a list of parameters, and do not look so: such that go
    on after an item without being indented, and such that begin with a parameter elsewhere.
    """
    known = value.__annotations__ if inspect.isclass(value) else inspect.signature(value).parameters
    begins = re.compile(rf"\*{{0,2}}({'|'.join(known)})\b.*?: " if known else "$.")
    loose = []
    for block in re.split(r"\n\s*\n", doc):
        if PARAMETER.match(block):
            rest = (line for line in block.splitlines() if not PARAMETER.match(line))
            loose += [line for line in rest if not line.startswith(" ")]
        else:
            loose += filter(begins.match, block.splitlines())
    return loose


def docstring_markdown(doc: str) -> str:
    """A docstring as Markdown: roles become code, examples code blocks, parameters a list."""
    doc = re.sub(r":\w+:`~?([^`]+)`", lambda m: f"`{m[1].rpartition('.')[2] or m[1]}`", doc)
    doc = doc.replace("``", "`")
    blocks = []
    for block in re.split(r"\n\s*\n", doc):
        if block.lstrip().startswith(">>>"):
            examples = re.sub(r" +# doctest:.*", "", textwrap.dedent(block))
            blocks.append(f"```python\n{examples}\n```")
        elif PARAMETER.match(block):
            blocks.append(parameters_markdown(block))
        elif block.startswith("    "):
            blocks.append(f"```python\n{textwrap.dedent(block)}\n```")
        else:
            blocks.append(block if "`" in block else re.sub(r"<(?=\w)", "&lt;", block))
    return "\n\n".join(blocks)


def parameters_markdown(block: str) -> str:
    """Parameters, each continued by indented lines, as a definition list."""
    items: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if match := PARAMETER.match(line) or LONG_PARAMETER.match(line):
            items.append((match["names"], [match["text"]]))
        else:
            items[-1][1].append(line.strip())
    return "\n\n".join(
        ", ".join(f"`{name}`" for name in names.split(", "))
        + "\n:   "
        + "\n    ".join(filter(None, text))
        for names, text in items
    )
