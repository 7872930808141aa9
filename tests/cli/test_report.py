"""Texts in tables: shortened, and told apart all the same."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from rankspec.report import told_apart


@given(
    st.lists(st.text("ab\n\0", min_size=1, max_size=120), min_size=1, max_size=8),
    st.integers(20, 60),
)
@example(["a" * 99, "a" * 98], 20)
@example(["a" * 50 + x + "a" * 50 for x in "bcd"], 24)
@example(["a" * 30 + x + "a" * 50 + y + "a" * 30 for x in "bc" for y in "bc"], 24)
def test_texts_that_differ_stay_different(texts: list[str], width: int) -> None:
    found = told_apart(texts, width)
    assert len(found) == len(texts)
    assert max(map(len, found)) <= width
    assert len(set(found)) == len(set(texts))
    assert len(set(zip(texts, found, strict=True))) == len(set(texts))
    assert all(text.isprintable() for text in found)
    if all(text.isprintable() and len(text) <= width for text in texts):
        assert found == texts


def test_what_differs_is_shown() -> None:
    long = "LNDCG(gain='exp2', discount='jarvelin-2008(b={})', prior='log(b=10)')@10"
    for b, text in zip((2, 3), told_apart([long.format(2), long.format(3)], 48), strict=True):
        assert f"2008(b={b})" in text
        assert text.startswith("LNDCG(gain='")
        assert text.endswith("(b=10)')@10")


def test_what_goes_on_alike_is_numbered() -> None:
    same = "b" * 60
    texts = ["a" * 30 + x + same + y + "a" * 30 for x in "xy" for y in "xy"]
    found = told_apart(texts, 40)
    assert [text[-4:] for text in found] == [" [1]", " [2]", " [3]", " [4]"]
