"""What follows -m: a measure, and no file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.cli.asked import _FILE, is_measure
from rankspec.metrics import grammar
from rankspec.metrics.chapters import CHAPTER_OF

from ..each import each

NAMES = sorted({*grammar._SPELLINGS, *CHAPTER_OF})
CUTS = (
    "",
    "@10",
    ".5",
    "_10",
    ".0.10",
    "(rel=2)@5",
    "(discount='jiang-2016(b=4)')",
    "(discount='log10')@10",
)


@each("cut", CUTS, fast=3)
def test_no_measure_is_taken_for_a_file(cut: str) -> None:
    read = 0
    for name in NAMES:
        try:
            read += bool(grammar.measures(name + cut))
        except rs.InputError:
            continue
        assert is_measure(name + cut), name + cut
    assert read


@given(st.from_regex(_FILE, fullmatch=True))
def test_what_is_taken_for_a_file_is_no_measure(word: str) -> None:
    with pytest.raises(rs.InputError):
        grammar.measures(word)


@each("word", ("qrels.txt", "a/b", "./AP", "run.trec", "/x/AP@10", "AP.run"))
def test_files_are_seen_without_the_grammar(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "measures", None)
    assert not is_measure(word)
