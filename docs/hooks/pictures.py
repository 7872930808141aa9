"""The plots on the pages: a page asks for one by a comment of its own, ``<!-- plot: length -->``.

The picture is drawn when the site is built and stands in the page itself, as SVG, so that it takes
the page's font and, by variables of rankspec.css, its colours, light or dark. Where the page is
read elsewhere, the comment shows nothing. One that no plot answers ends the build.
"""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path

import guide_pictures
from guide_pictures import BACKEND
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*plot\b:?\s*(?P<name>.*?)\s*-->", re.DOTALL)


def drawn(root: Path, content: str, page: Page) -> str:
    """The HTML of a page with its plots."""

    def figure(match: re.Match[str]) -> str:
        from rankspec.plots import PLOTS

        if match["name"] not in {**PLOTS, **guide_pictures.PICTURES}:
            known = ", ".join((*PLOTS, *guide_pictures.PICTURES))
            raise PluginError(
                f"{page.file.src_uri}: {match[0]}: there is no such plot; there are {known}"
            )
        return svg(root, match["name"])

    return REQUEST.sub(figure, content)


@cache
def svg(root: Path, name: str) -> str:
    """A plot of the package, or a picture of the guides, as an element of a page."""
    from rankspec import plots

    of_guides = guide_pictures.PICTURES.get(name)
    figure = of_guides.draw(root) if of_guides else plots.plot(name, backend=BACKEND)
    about = html.escape((of_guides or plots.PLOTS[name]).about)
    for patch in (figure.patch, *(axes.patch for axes in figure.axes)):
        patch.set_visible(False)  # the page is the ground
    text = plots.encoded(figure, "svg").decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style .*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r'(\bid="|"#|url\(#)', rf"\g<1>{name}-", text)  # apart from those of other plots
    colours = {plots.INK: "ink", plots.MUTED: "muted", plots.GRID: "line", plots.GROUND: "ground"}
    colours |= {hue: f"plot-{i}" for i, hue in enumerate(plots.HUES, start=1)}
    for hue, variable in colours.items():
        text = text.replace(hue, f"var(--rs-{variable})")
    text = re.sub(
        r'<svg [^>]*(viewBox="[^"]*")[^>]*>', rf'<svg role="img" aria-label="{about}" \1>', text
    )
    return f'<figure class="rs-plot">\n{text}</figure>'
