"""What pages take from the package at build time: signatures, docstrings, the list of metrics.

A line ``::: rankspec.ndcg`` stands for the signature and the docstring of that function, a line
``::: metrics`` for the table of metrics.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import re
import textwrap
from typing import Any

from mkdocs.structure.pages import Page

log = logging.getLogger("mkdocs.hooks.rankspec")  # a warning fails a strict build

REQUEST = re.compile(r"^::: (?P<name>\S+)$", re.MULTILINE)


def filled_in(markdown: str, page: Page) -> str:
    """A page with its requests met; the API page must have every public name."""
    if page.file.src_uri == "api.md":
        package = importlib.import_module("rankspec")
        for name in getattr(package, "__all__", ()):
            if not re.search(rf"\b{re.escape(name)}\b", markdown):
                log.warning("api.md: rankspec.%s is not on the page", name)
    return REQUEST.sub(lambda match: generated(match["name"], page), markdown)


def generated(name: str, page: Page) -> str:
    if name == "metrics":
        return metrics_table()
    module, _, attribute = name.rpartition(".")
    try:
        value = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        log.warning("%s: ::: %s: %s", page.file.src_uri, name, error)
        return ""
    doc = inspect.getdoc(value)
    if not doc:
        log.warning("%s: ::: %s has no docstring", page.file.src_uri, name)
    return f"```python\n{signature(attribute, value)}\n```\n\n{docstring_markdown(doc or '')}"


def metrics_table() -> str:
    """The metrics that there are, from the package's one list of them."""
    rows = ["| measure | function | what it is | parameters | in trec_eval |", "|-|-|-|-|-|"]
    for m in importlib.import_module("rankspec.chapters").METRICS:
        parameters = ", ".join(f"`{name}`" for name in ("k", *m.parameters))
        trec = [f"`{name}`" for name in (m.trec, m.trec_cut and f"{m.trec_cut}.k") if name]
        cells = (f"`{m.name}`", f"`{m.function}`", f"{m.title}, {m.spec}", parameters)
        rows.append(f"| {' | '.join(cells)} | {' '.join(trec) or '–'} |")
    return "\n".join(rows)


def signature(name: str, value: Any) -> str:
    """The signature, one parameter a line where it is long."""
    if inspect.isclass(value):
        return f"class {name}"
    given = inspect.signature(value)
    text = f"{name}{given}".replace("'", "")
    if len(text) <= 76:
        return text
    parameters = []
    for p in given.parameters.values():
        if p.kind is p.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(str(p))
    returns = given.return_annotation
    arrow = "" if returns is given.empty else f" -> {returns}"
    return f"{name}(\n    " + ",\n    ".join(parameters) + f",\n){arrow}"


PARAMETER = re.compile(r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*): (?P<text>.*)")


def docstring_markdown(doc: str) -> str:
    """A docstring as Markdown: roles become code, examples code blocks, parameters a list."""
    doc = re.sub(r":\w+:`~?([^`]+)`", lambda m: f"`{m[1].rpartition('.')[2]}`", doc)
    doc = doc.replace("``", "`")
    blocks = []
    for block in re.split(r"\n\s*\n", doc):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```python\n{textwrap.dedent(block)}\n```")
        elif block.startswith("Spec: "):
            blocks.append(f"{block}\n{{: .source }}")
        elif PARAMETER.match(block):
            blocks.append(parameters_markdown(block))
        else:
            blocks.append(textwrap.dedent(block))
    return "\n\n".join(blocks)


def parameters_markdown(block: str) -> str:
    """Lines "name: what it is", continued by indented lines, as a definition list."""
    items: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if match := PARAMETER.match(line):
            items.append((match["names"], [match["text"]]))
        elif items:
            items[-1][1].append(line.strip())
    return "\n\n".join(
        ", ".join(f"`{name}`" for name in names.split(", ")) + "\n:   " + "\n    ".join(text)
        for names, text in items
    )
