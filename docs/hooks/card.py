"""The picture that is shown where a page is linked: the six numbers of the home page.

Who shows it asks for it by its whole address. So pages name it only in a site that knows its own:
``RANKSPEC_SITE=https://... mkdocs build``.
"""

from __future__ import annotations

from typing import Any

import home_numbers

PATH = "assets/card.png"
WIDTH, HEIGHT = 1200, 630
"""In pixels: the form that is shown whole."""

DPI = 200  # of our plots

TITLE = "One ranking, six libraries"
BELOW = f"Their nDCG@{home_numbers.K}, and the convention behind each"


def named(address: str | None) -> dict[str, str]:
    """What a page says of the picture; address: of the site"""
    if not address:
        return {}
    picture = f"{address.rstrip('/')}/{PATH}"
    return {"og:image": picture, "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}


def drawn(root: Any) -> bytes:
    """The picture, as PNG."""
    from matplotlib.figure import Figure

    from rankspec import plots

    numbers = {x.name: home_numbers.answer(root, x) for x in home_numbers.ASKED}
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), facecolor=plots.GROUND)
    figure.text(0.06, 0.86, "rankspec", size=11, weight="bold", color=plots.HUES[1])
    figure.text(0.06, 0.74, TITLE, size=20, weight="bold", color=plots.INK)
    figure.text(0.06, 0.66, BELOW, size=10, color=plots.MUTED)
    axes = figure.add_axes((0.4, 0.07, 0.46, 0.54))
    axes.set_axis_off()
    bars = axes.barh([*numbers], [*numbers.values()], height=0.6, color=plots.HUES[1])
    axes.invert_yaxis()
    axes.bar_label(
        bars,
        [f"{x:.{home_numbers.DIGITS}f}" for x in numbers.values()],
        padding=4,
        size=10,
        color=plots.INK,
    )
    for place, name in enumerate(numbers):
        axes.text(-0.02, place, name, ha="right", va="center", size=10, color=plots.INK)
    return plots.encoded(figure, "png")
