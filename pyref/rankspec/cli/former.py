"""Spellings that have gone: each still does what it did, and a warning names the new one."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Sequence

from .asked import MEASURE, is_measure

SCORES, PREDICTIONS, ITEM_SCORES = "--scores", "--predictions", "--item-scores"


def modern(options: Container[str], words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words as they are spelt now, and a warning of each spelling that has gone.

    options: those that the command has
    """
    found, warnings = list(words), []
    if MEASURE in options:
        found, gone = _measures(found)
        warnings += gone
    if PREDICTIONS in options:
        found, gone = _predictions(found)
        warnings += gone
    if ITEM_SCORES in options:
        found, gone = _item_scores(found)
        warnings += gone
    return found, warnings


def before_two_dashes(words: Sequence[str]) -> Sequence[str]:
    """The words that may be options."""
    return words[: words.index("--")] if "--" in words else words


def _measures(words: list[str]) -> tuple[list[str], list[str]]:
    """The words, with an -m before each of several measures that one -m has.

    What reads as no measure is a file: argparse would take that for a measure, too.
    """
    found: list[str] = []
    lists: list[list[str]] = []  # of each -m
    taking = False  # whether the word is for -m
    further = False  # whether it may be a further measure of it
    options = before_two_dashes(words)
    for word in options:
        if taking:
            lists.append([word])
            taking, further = False, True
        elif word in (MEASURE, "--measure"):
            taking, further = True, False
        elif word.startswith("-"):
            further = re.match("-m|--measure=", word) is not None
            if further:
                lists.append([re.sub("^(-m=?|--measure=)", "", word)])
        elif further and is_measure(word):
            found.append(MEASURE)
            lists[-1].append(word)
        else:
            further = False
        found.append(word)
    several = " ".join(f"{MEASURE} {_quoted(','.join(x))}" for x in lists if len(x) > 1)
    warning = f"{MEASURE} takes one measure, or several with commas between them: {several}"
    return [*found, *words[len(options) :]], [warning] if several else []


def _predictions(words: list[str]) -> tuple[list[str], list[str]]:
    """The words, with --predictions for the files that --scores has beside --letor."""
    options = before_two_dashes(words)
    if not any(word.partition("=")[0] == "--letor" for word in options):
        return words, []
    found: list[str] = []
    files: list[str] = []
    taking = False
    for word in options:
        name, equals, value = word.partition("=")
        if name == SCORES and equals:
            found.append(_scores_or_file(value, files))
            taking = False
        elif taking and (word == "-" or not word.startswith("-")):
            if found[-1] == SCORES:
                found.pop()
            found.append(_scores_or_file(word, files))
        else:
            taking = name == SCORES
            found.append(word)
    warning = (
        f"{SCORES} says how scores are read; files of predictions follow {PREDICTIONS}: "
        f"{PREDICTIONS} {' '.join(map(_quoted, files))}"
    )
    return [*found, *words[len(options) :]], [warning] if files else []


def _scores_or_file(word: str, files: list[str]) -> str:
    """The option in one word with its argument; a file that can be read is one of the files."""
    from ..evaluation.conventions import convention

    if word in convention("scores").values or (word != "-" and not os.access(word, os.R_OK)):
        return f"{SCORES}={word}"
    files.append(word)
    return f"{PREDICTIONS}={word}"


def _item_scores(words: list[str]) -> tuple[list[str], list[str]]:
    """The words, with --item-scores for --scores of a plot."""
    options = before_two_dashes(words)
    found = [re.sub(f"^{SCORES}(?==|$)", ITEM_SCORES, word) for word in options]
    if found == list(options):
        return words, []
    warning = f"{SCORES} says how scores are read; those of items follow {ITEM_SCORES}"
    return [*found, *words[len(options) :]], [warning]


def _quoted(word: str) -> str:
    """A word as a shell reads it."""
    from shlex import quote  # which only warnings need

    return quote(word)
