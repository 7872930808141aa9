"""Completion by a shell: the parser of the command line, written by shtab as a shell's script."""

from __future__ import annotations

import argparse

import shtab

from .arguments import COMMANDS, whole_parser
from .chapters import METRICS
from .chapters.relevance import QUARTILES, VARIANT
from .conventions import DISCOUNTS, GAINS
from .errors import InputError
from .notation import PAPER_NAMES
from .papers import PAPERS
from .plots import PLOTS
from .profiles import CONVENTIONS, PROFILES

_FILES = ("qrels", "run", "runs", "file", "output", "letor", "predictions", "group")
CUTOFFS = (5, 10, 20, 100, 1000)


def script(shell: str) -> str:
    """The script that makes a shell complete commands, files, measures and conventions."""
    if shell not in shtab.SUPPORTED_SHELLS:
        raise InputError(f"completion: this version of shtab knows no {shell}")
    parser = whole_parser()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in COMMANDS:
                _add_words(action.choices[command])
    return f"{shtab.complete(parser, shell).rstrip()}\n"


def _add_words(parser: argparse.ArgumentParser) -> None:
    """What may stand for each argument: words, or the names of files."""
    words = {
        "measure": _measures(),
        "profile": [profile.name for profile in PROFILES],
        "paper": [paper.name for paper in PAPERS],
        "plot": list(PLOTS),
        "variant": list(VARIANT.words),
        "quartiles": list(QUARTILES.words),
        "gain": list(GAINS),
        "discount": [name for name in DISCOUNTS if "(" not in name],
    } | {
        convention.name: list(convention.values) for convention in CONVENTIONS if convention.values
    }
    for action in parser._actions:
        if action.dest in _FILES and action.nargs != 0:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest in words:
            action.choices = words[action.dest]


def _measures() -> list[str]:
    """The measures without parameters, in both spellings, at the usual cut-offs."""
    names = [metric.name for metric in METRICS]
    names += [metric.trec for metric in METRICS if metric.trec]
    names += PAPER_NAMES  # of the bounds: a parenthesis is the shell's
    for cutoff in CUTOFFS:
        names += [f"{name}@{cutoff}" for name in (*PAPER_NAMES, *(m.name for m in METRICS))]
        names += [f"{metric.trec_cut}.{cutoff}" for metric in METRICS if metric.trec_cut]
    return names
