"""The papers whose figures are reproduced: a module for each, with what it prints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..errors import InputError, hint, listed, quoted
from . import jarvelin_2008, karmaker_2022, lv_2014, moniz_2016
from .not_recomputed import NOT_RECOMPUTED
from .reproduction import Paper, Reproduction

PAPERS: tuple[Paper, ...] = tuple(
    replace(paper, not_recomputed=NOT_RECOMPUTED[paper.name])
    for paper in (lv_2014.PAPER, moniz_2016.PAPER, karmaker_2022.PAPER, jarvelin_2008.PAPER)
)


@standard_arithmetic
def reproduce(name: str, *, backend: str = "auto", **options: Any) -> Reproduction:
    """Recompute the tables and claims of a paper from the definitions.

    name      one of those that rankspec.papers.PAPERS lists: "lv-2014", "moniz-2016", ...
    backend   as in rankspec.api
    options   for moniz-2016: ``samples``, the number per distribution (1000), and ``data``, a
              folder with tables of the popularity of items at each step; for karmaker-2022:
              ``data``, a folder of LETOR files, and rankers of their rows: ``feature``, a list of
              numbers, ``predictions`` and ``run``, lists of paths, ``train``, a folder; the default
              is None

    The result prints as a page of text; ``verdicts`` counts the figures that are equal at the
    printed precision and the figures of each erratum; ``unexplained`` counts those that no erratum
    explains; ``to_dict()`` returns the result as plain data.

    >>> reproduce("lv-2014").unexplained
    0
    """
    paper = next((paper for paper in PAPERS if paper.name == name), None)
    if paper is None:
        names = [paper.name for paper in PAPERS]
        known = f"{hint(name, names)}; there are {listed(names)}"
        raise InputError(f"reproduce: unknown paper {quoted(name)}{known}")
    given = {option: x for option, x in options.items() if x is not None}
    for option in given:
        if option not in paper.options:
            raise InputError(f"reproduce: {name} does not take {option}")
    tables, claims = paper.compute(backend, **given)
    return Reproduction(paper, tuple(tables), tuple(claims))


def reproduce_all(*, backend: str = "auto") -> tuple[Reproduction, ...]:
    """The reproduction of each paper, without options; ``rankspec reproduce`` lists their counts.

    backend   as in rankspec.api
    """
    return tuple(reproduce(paper.name, backend=backend) for paper in PAPERS)
