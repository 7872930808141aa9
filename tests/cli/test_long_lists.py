"""Long lists of numbers in the names of measures: cut for people, whole for programs."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.text import short_lists

from ..each import each
from .running import Capture, complaint, output

pytestmark = pytest.mark.spec("RS-CONV-35")

PRIOR = [Fraction(201 - i, 20100) for i in range(1, 201)]  # of counts that fall (RS-LEN-19/L3)
WHOLE = f"LDCG(prior='[{', '.join(map(str, PRIOR))}]')"
SHORT = "LDCG(prior='[2/201, 199/20100, ..., 1/20100]')"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q 0 a 2\nq 0 b 1\nr 0 a 1\nr 0 b 1\n")
    Path("a.run").write_text("q Q0 a 1 3 t\nq Q0 b 2 2 t\nr Q0 b 1 2 t\n")
    Path("b.run").write_text("q Q0 b 1 3 t\nr Q0 a 1 2 t\nr Q0 b 2 1 t\n")
    Path("clicks").write_text("".join(f"{i} {201 - i}\n" for i in range(1, 201)))


def unwrapped(text: str) -> str:
    return " ".join(text.split())


@each("form", ["table", "latex", "markdown", "csv", "tsv", "json", "jsonl"])
def test_a_name_in_the_formats_of_eval(capsys: Capture, form: str) -> None:
    words = ["eval", "qrels", "a.run", "-m", "LDCG", "--prior-clicks", "clicks", "--format", form]
    text = output(capsys, *words)
    if form in ("table", "latex", "markdown"):
        assert len(text) < 500
        plain = text.replace("\\[", "[").replace("{[}", "[")
        assert SHORT in unwrapped(plain)
    elif form in ("csv", "tsv"):
        comma = "," if form == "csv" else "\t"
        assert next(csv.reader(io.StringIO(text), delimiter=comma))[-1] == WHOLE
    elif form == "jsonl":
        assert WHOLE in json.loads(text.splitlines()[0])
    else:
        assert WHOLE in json.loads(text)["measures"]


@pytest.mark.slow
@each("form", ["table", "latex", "markdown", "csv"])
def test_a_name_in_a_comparison(capsys: Capture, form: str) -> None:
    pytest.importorskip("scipy", reason='pip install ".[compare]"')
    words = ["compare", "qrels", "a.run", "b.run", "-m", "LDCG,nDCG", "--prior-clicks", "clicks"]
    text = output(capsys, *words, "--format", form)
    if form == "csv":
        assert WHOLE in {row[0] for row in csv.reader(io.StringIO(text))}
    else:
        assert len(text) < 5000
        assert SHORT in unwrapped(text.replace("\\[", "[").replace("{[}", "["))


def test_a_name_in_an_explanation_and_in_errors(capsys: Capture) -> None:
    words = ["explain", "qrels", "a.run", "--query", "q", "--prior-clicks", "clicks", "-m"]
    text = unwrapped(output(capsys, *words, "UL2(LDCG)"))
    assert f"measure UL2({SHORT})" in text
    assert "prior [2/201, 199/20100, ..., 1/20100] (RS-LEN-1, RS-DISC-5)" in text
    assert "explain -m" not in text  # a command with a list that is cut
    assert len(text) < 3000
    assert SHORT in complaint(capsys, *words, "LDCG@300").replace("@300", "")
    with pytest.raises(rs.InputError) as error:
        rs.ldcg([1], prior=PRIOR, M=300)
    assert len(str(error.value)) < 200


def test_a_name_in_other_texts(capsys: Capture) -> None:
    """The search for axioms, where the name stands twice, and what a result is in a line."""
    short = "LDCG(prior='[40, 39, ..., 1]')@2"
    whole = f"LDCG(prior={list(range(40, 0, -1))})@2"
    text = unwrapped(output(capsys, "axioms", whole, "--only", "c1"))
    assert text.count(short) == 2
    assert "38" not in text
    found = rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, whole)
    assert repr(found) == f"<Evaluation of {short}; queries: 1>"
    assert f"<code>{short.replace(chr(39), '&#x27;')}</code>" in found._repr_html_()
    assert "38" not in found._repr_html_()


def test_lists_that_would_look_the_same_are_told_apart() -> None:
    numbers = [str(x) for x in range(100, 0, -1)]
    one, other = (
        f"LDCG(prior='[{', '.join(x)}]')@5" for x in (numbers, [*numbers[:50], *["1"] * 50])
    )
    first, second = short_lists([one, other])
    assert first != second
    assert first == f"LDCG(prior='[{', '.join(numbers[:64])}, ..., 1]')@5"
    assert short_lists([one, one]) == ["LDCG(prior='[100, 99, ..., 1]')@5"] * 2


@each(
    ("name", "short"),
    [
        ("LNDCG(prior='[5, 4, 3, 2, 1]')@5", "LNDCG(prior='[5, 4, 3, 2, 1]')@5"),
        (f"DCG(gain='{'-'.join(map(str, range(50)))}')", "DCG(gain='0-1-...-49')"),
        (
            f"ERR(stop=({', '.join(f'{x}e-05' for x in range(50))}))",
            "ERR(stop=(0e-05, 1e-05, ..., 49e-05))",
        ),
        (f"LDCG(prior='[1/{'3' * 70}, 0]')", "LDCG(prior='[1/333333...333333333, 0]')"),
        (f"run {list(range(50))}", f"run {list(range(50))}"),  # it is no parameter
    ],
)
def test_each_kind_of_list(name: str, short: str) -> None:
    assert short_lists([name]) == [short]
