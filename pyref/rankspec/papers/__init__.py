"""The papers whose figures are reproduced: a module for each, with what it prints."""

from __future__ import annotations

from ..errors import InputError, hint
from ..profiles import listed, quoted
from ..reproduction import Paper, Reproduction
from . import lv_2014

PAPERS: tuple[Paper, ...] = (lv_2014.PAPER,)


def reproduce(name: str, *, backend: str = "c") -> Reproduction:
    """The tables and claims of a paper, each figure beside what the definitions give.

    name      one of those that rankspec.papers.PAPERS lists: "lv-2014"
    backend   "c", or "reference" for the certified reference

    The result prints as a page of text; ``verdicts`` counts the figures that are equal at the
    printed precision and those of each erratum, ``unexplained`` those that nothing explains, and
    ``to_dict()`` is all of it as plain data.

    >>> reproduce("lv-2014").unexplained
    0
    """
    paper = next((paper for paper in PAPERS if paper.name == name), None)
    if paper is None:
        names = [paper.name for paper in PAPERS]
        known = f"{hint(name, names)}; there are {listed(names)}"
        raise InputError(f"reproduce: {quoted(name)} is no paper{known}")
    tables, claims = paper.compute(backend)
    return Reproduction(paper, tuple(tables), tuple(claims))
