"""What MkDocs does beyond docs/: mounts the spec and writes the pages that must not drift.

on_config           reads the traceability table (tools/trace.py)
on_files            mounts spec/, its vectors and CHANGELOG.md; adds the page "Traceability", a page
                    for each library (library_pages.py) and where two of them differ
                    (library_pairs.py), what the calculators read (calculators.py), and the source
                    pages: the reference, C and the tests, with an anchor on each line
on_page_markdown    mends links between folders; writes the pages of readings, one for each entry
                    of the spec (readings.py), and leads to them (entries.py); writes what is proved
                    (proved.py, uses.py); fills in what a page
                    asks for by a line ``::: rankspec.ndcg`` (package.py), what the page of the
                    libraries asks for (libraries.py) and the home page (home_numbers.py), and the
                    measures of other programs (programs.py)
on_page_content     lightens the code (listings.py); finds a description (heads.py); draws the plots
                    (pictures.py) and the pictures of the guides (guide_pictures.py); places the
                    calculators (calculators.py); tells a page of the spec how it is cited
                    (citing.py); turns IDs into labels in headings, and in prose into links
on_post_page        adds what is for search engines and screen readers (heads.py); sets the formulas
                    (formulas.py)
on_post_build       puts the formulas of the search index in plain characters (tex.py); says what
                    the search finds first (searching.py)
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import calculators
import card
import chapters
import citing
import disagree_answers
import disagree_calls
import entries
import formulas
import heads
import home_numbers
import keeping
import libraries
import library_pages
import library_pairs
import listings
import package
import pictures
import programs
import proved
import readings
import searching
import tex
from loading import module_of
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page


class Tree:
    """What the hooks share during a build.

    root: the repository; trace: the module tools/trace.py; table: its table of this tree
    files: the site's file for a path in the repository; places: of what is not on the first page of
    its chapter; kept: HTML that a tag stands for until Markdown has been read (keeping.py)
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.trace = module_of(root / "tools/trace.py", "rankspec_trace")
        self.table = self.trace.table(root)
        self.files: dict[str, File] = {}
        self.places = chapters.Places()
        self.kept: list[str] = []

    def url(self, repo_path: str, page: Page) -> str:
        """The relative URL of a mounted file, from a page."""
        return self.files[repo_path].url_relative_to(page.file)

    def url_of(self, id_: str, page: Page) -> str:
        """The relative URL of an entry, or of a law, where its chapter has it."""
        entry = id_.partition("/")[0]
        file = self.places.of_entry.get(entry) or self.files[self.table.entries[entry].path]
        return f"{file.url_relative_to(page.file)}#{id_}"


tree: Tree


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    global tree  # noqa: PLW0603  hooks are functions: a build's state has no other place
    tree = Tree(Path(config.config_file_path).parent)
    source = str(tree.root / "pyref")
    if source not in sys.path:
        sys.path.append(source)  # an installed package goes first
    return config


# Files


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in files:
        tree.files["docs/" + file.src_uri] = file
    for path in sorted(tree.root.glob("spec/*.md")):
        _mount_chapter(path.relative_to(tree.root).as_posix(), files, config)
    for repo_path, src_uri, content in chain(_mounted(), _written()):
        if content is None:
            file = File.generated(config, src_uri, abs_src_path=str(tree.root / repo_path))
        else:
            file = File.generated(config, src_uri, content=content)
        files.append(file)
        tree.files[repo_path] = file
    _add_calculators(files, config)
    files.append(File.generated(config, card.PATH, content=card.drawn(tree.root)))
    return files


Mount = tuple[str, str, str | None]
"""A file of the repository, its place among the pages, and what stands there if not its text."""


def _mounted() -> Iterator[Mount]:
    """Files of the repository that are pages, or downloads."""
    for pattern in ("core/*.md", "vectors/*.md", "vectors/*.json", "vectors/proved.txt"):
        for path in sorted(tree.root.glob(f"spec/{pattern}")):
            repo_path = path.relative_to(tree.root).as_posix()
            yield repo_path, repo_path, None
    yield "CHANGELOG.md", "changelog.md", None
    for repo_path in source_paths():
        yield repo_path, f"source/{repo_path}.md", source_page(repo_path)


def _written() -> Iterator[Mount]:
    """Pages that the hooks write; of some only the title, until addresses are known."""
    for src_uri in entries.traceability_pages(tree):
        yield src_uri, src_uri, "# Traceability\n"
    for src_uri in proved.pages(tree):
        yield src_uri, src_uri, "---\nsearch: {exclude: true}\n---\n\n# What Coq proves\n"
    for src_uri, content in chain(readings.files(tree), library_pairs.files(tree).items()):
        yield src_uri, src_uri, content
    for src_uri, content in library_pages.sources(tree).items():
        yield f"docs/{src_uri}", src_uri, content


def _mount_chapter(repo_path: str, files: Files, config: MkDocsConfig) -> None:
    parts = chapters.parts(tree, repo_path)
    for part in parts:
        file = File.generated(config, part.src_uri, content=part.text)
        files.append(file)
        if not part.name:
            tree.files[repo_path] = file
        tree.places.add(part, parts, file)


def _add_calculators(files: Files, config: MkDocsConfig) -> None:
    for src_uri, content in calculators.files(tree.root):
        files.append(File.generated(config, src_uri, content=content))


def source_paths() -> list[str]:
    """The reference, the C core, the proofs, and every test that the trace names."""
    cited = {
        place.path
        for entry in tree.table.entries.values()
        for places in (*entry.places.values(), *entry.laws.values())
        for place in places
    }
    for pattern in ("pyref/rankspec/reference/*.py", "csrc/*.[ch]", "proofs/**/*.v"):
        cited |= {path.relative_to(tree.root).as_posix() for path in tree.root.glob(pattern)}
    return sorted(path for path in cited if path.endswith((".py", ".c", ".h", ".v")))


FIRST_OF_TABLE = 12


def source_page(repo_path: str) -> str:
    language = {".py": "python", ".v": "coq"}.get(Path(repo_path).suffix, "c")
    text = (tree.root / repo_path).read_text("utf-8").rstrip("\n")
    if text.startswith("/* Written by"):  # a table, of which nobody reads more than the beginning
        text = "\n".join([*text.split("\n", FIRST_OF_TABLE)[:FIRST_OF_TABLE], "/* and so on */"])
    return (
        "---\nsearch: {exclude: true}\nhide: [toc]\n---\n\n"
        f'# {repo_path}\n\n``````{language} linenums="1"\n{text}\n``````\n'
    )


# Markdown


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    if page.file.src_uri in entries.traceability_pages(tree):
        page.meta["hide"] = ["toc"]
        return entries.traceability(tree, page)
    if page.file.src_uri.startswith(proved.FOLDER):
        page.meta["hide"] = ["toc"]
        return proved.of_chapter(tree, page)
    if page.file.src_uri.startswith("source/"):
        return markdown
    repo_path = path_of(page)
    if chapter := readings.chapter_of(tree, page):
        return relinked(readings.filled(tree, page), chapter, page)
    markdown = relinked(programs.filled(tree, markdown), repo_path, page)
    if re.fullmatch(r"spec/(core/)?[^/]+\.md", repo_path):
        markdown = chapters.led(tree, entries.with_traces(tree, markdown, page), page)
    markdown = libraries.filled(tree, markdown, page)
    markdown = proved.filled(tree, markdown, page)
    markdown = home_numbers.filled(tree, markdown, page)
    markdown = disagree_answers.filled(tree, markdown, page)
    markdown = disagree_calls.filled(tree.root, markdown, page)
    return package.sessions(package.filled_in(markdown, page))


def path_of(page: Page) -> str:
    """The file of the repository that a page is of."""
    if page.file.src_uri in tree.places.pages:
        return tree.places.pages[page.file.src_uri][0].chapter
    return next(path for path, file in tree.files.items() if file is page.file)


LINK = re.compile(r"\]\((?P<path>[^()\s:#]+)?(?P<anchor>#[^()\s]*)?\)")


def relinked(markdown: str, repo_path: str, page: Page) -> str:
    """The text with its links from file to file in the repository led from page to page."""

    def mended(match: re.Match[str]) -> str:
        path = match["path"] or posixpath.basename(repo_path)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(repo_path), path))
        if target not in tree.files:
            return match[0]  # a strict build reports it
        here = posixpath.dirname(page.file.src_uri) or "."
        file = tree.places.of_anchor(target, match["anchor"] or "") or tree.files[target]
        return f"]({posixpath.relpath(file.src_uri, here)}{match['anchor'] or ''})"

    lines = markdown.split("\n")
    for number, line in tree.trace.prose(markdown):
        lines[number - 1] = LINK.sub(mended, line)
    return "\n".join(lines)


# HTML


def on_page_content(content: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    is_source = page.file.src_uri.startswith("source/")
    content = listings.lightened(content, numbered=is_source)
    heads.describe(page, "" if is_source else content, config.site_description or "")
    if is_source:
        return content
    entries.label_toc(tree, page.toc.items)
    content = pictures.drawn(tree.root, keeping.put_back(tree, content), page)
    if page.file.src_uri.startswith("spec/"):
        content = proved.marked(tree, content, page)
    content = calculators.placed(content, page)
    content = citing.marked(tree.root, content, page)
    content = citing.linked(content, tree.url(citing.BIBLIOGRAPHY, page), page)
    return entries.linked_ids(tree, entries.labelled(tree, content), page)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    output = heads.finished(output, page, card.named(config.site_url))
    return formulas.set_all(output, page.file.src_uri)


def on_post_build(config: MkDocsConfig) -> None:
    index = Path(config.site_dir, "search/search_index.json")
    contents = json.loads(index.read_text("utf-8"))
    for section in contents["docs"]:
        section["text"] = tex.without_formulas(section["text"])
        section["title"] = tex.without_formulas(section["title"])
    searching.adjust(contents, tree.root)
    searching.mend(Path(config.site_dir))
    firsts = json.dumps(searching.firsts(contents, tree.root), separators=(",", ":"))
    Path(config.site_dir, "search/firsts.json").write_text(firsts, "utf-8")
    index.write_text(json.dumps(contents, ensure_ascii=False, separators=(",", ":")), "utf-8")
