"""rankspec certify: what it prints, for a ranking, a session and a file of cases."""

from __future__ import annotations

import io
import json
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.analysis.cases import cases_of, expected_of
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from tests.each import each

from .running import Capture, complaint, output

VECTORS = Path(__file__).resolve().parents[2] / "spec" / "vectors"
CHAPTERS = sorted(
    path.name
    for path in VECTORS.glob("*.json")
    if (document := json.loads(path.read_text("utf-8")))["$schema"] == "schema.json"
    and document["chapter"] != "evaluation"
)


def rows(text: str) -> dict[str, str]:
    """The rows of one block."""
    lines = text.splitlines()[1:]
    return {line[2:11].strip(): line[11:] for line in lines}


def values(capsys: Capture, *arguments: str) -> list[dict]:
    return json.loads(output(capsys, "certify", *arguments, "--format", "json"))["values"]


def test_a_value_with_its_proof(capsys):
    out = output(capsys, "certify", "-m", "nDCG@10", "--labels", "3,2,3,0")
    assert out == (
        "nDCG@10\n"
        "  value    0.9777813616305048\n"
        "  digits   0.977781361630504828700830970148\n"
        "  at least 0.97778136163050482870083097014845\n"
        "  at most  0.97778136163050482870083097014846\n"
        "  exact    (9/2 + 2/log2(3))/(4 + 3/log2(3))\n"
        "  hex      0x1.f49fc235aec7bp-1\n"
        "  bits     3fef49fc235aec7b\n"
        "  spec     RS-DCG-6\n"
    )


def test_digits(capsys):
    out = output(capsys, "certify", "-m", "DCG", "--labels", "2,1", "--digits", "50")
    found = rows(out)
    assert len(found["digits"]) == 51
    assert Decimal(found["at least"]) < Decimal(found["at most"])
    assert found["at least"].startswith(found["digits"][:-1])


def test_json(capsys):
    (found,) = values(capsys, "-m", "AP", "--labels", "1,0,1")
    assert found == {
        "measure": "AP",
        "spec": "RS-PREC-7",
        "value": 5 / 6,
        "hex": (5 / 6).hex(),
        "bits": "3feaaaaaaaaaaaab",
        "digits": "0.833333333333333333333333333333",
        "lower": "0.83333333333333333333333333333333",
        "upper": "0.83333333333333333333333333333334",
        "exact": "5/6",
        "form": "5/6",
    }


def test_several_measures_of_one_ranking(capsys):
    found = values(capsys, "-m", "P@1,2", "-m", "RR", "--labels", "0,1")
    assert [(x["measure"], x["exact"]) for x in found] == [
        ("P@1", "0"),
        ("P@2", "1/2"),
        ("RR", "1/2"),
    ]


def test_scores_ids_and_ties(capsys):
    ranked = ("-m", "RR", "--labels", "0,1,0", "--scores", "1,1,0")
    exact = {
        "expected": "3/4",
        "best": "1",
        "worst": "1/2",
        "input": "1/2",
    }
    for rule, value in exact.items():
        assert values(capsys, *ranked, "--ties", rule)[0]["exact"] == value
    assert values(capsys, *ranked, "--ids", "a,b,c")[0]["exact"] == "1"
    assert values(capsys, *ranked, "--ids", "a,b,c", "--ties", "id-ascending")[0]["exact"] == "1/2"


def test_pools_and_unjudged(capsys):
    assert values(capsys, "-m", "R", "--labels", "1", "--judged", "1,1,0")[0]["exact"] == "1/2"
    assert values(capsys, "-m", "IDCG@1", "--judged", "0,3")[0]["exact"] == "3"
    given = ("-m", "RBP_residual", "--labels", "1,0", "--unjudged", "0,1")
    assert Fraction(values(capsys, *given)[0]["exact"]) > 0


def test_integers_are_exact(capsys):
    (found,) = values(capsys, "-m", "CG", "--labels", "9007199254740993,0")
    assert found["exact"] == "9007199254740993"


@each("text", ["3,2;1,0", "[[3, 2], [1, 0]]", "3, 2; 1, 0"])
def test_a_session(text, capsys):
    (found,) = values(capsys, "-m", "nsDCG", "--session", text)
    assert found["value"] == rs.nsdcg([[3, 2], [1, 0]])


def test_documents_of_a_session(capsys):
    given = ("-m", "sDCG(repeats='first')", "--session", "3,2;3,0", "--ids", "a,b;a,c")
    (found,) = values(capsys, *given)
    assert found["value"] == rs.sdcg(
        [[3, 2], [3, 0]], ids=[["a", "b"], ["a", "c"]], repeats="first"
    )


def test_a_query_and_a_list_may_be_empty(capsys):
    assert values(capsys, "-m", "sDCG", "--session", "1;;1")[0]["value"] > 1
    assert values(capsys, "-m", "DCG", "--labels", "")[0]["exact"] == "0"


@each("metric", METRICS, ids=[m.name for m in METRICS])
def test_every_metric(metric, capsys):
    pool = "--judged" if metric.of_pool else "--labels"
    (found,) = values(capsys, "-m", metric.name, pool, "1,0,1")
    certified = rs.certify.certified(metric.name, [1, 0, 1])
    assert found["bits"] == certified.bits
    assert float.fromhex(found["hex"]) == found["value"] == certified.value


@each("metric", SESSION_METRICS, ids=[m.name for m in SESSION_METRICS])
def test_every_metric_of_sessions(metric, capsys):
    (found,) = values(capsys, "-m", metric.name, "--session", "1,0;2")
    assert found["value"] == rs.certify.certified(metric.name, [[1, 0], [2]]).value


@each("bound", BOUNDS, ids=[bound.name for bound in BOUNDS])
def test_every_bound(bound, capsys):
    given = ("--judged", "2,1,0") if bound.of_pool else ("--labels", "1,2", "--judged", "2,1,0")
    (found,) = values(capsys, "-m", f"{bound.name}(DCG@2)", *given)
    assert found["measure"] == f"{bound.name}(DCG@2)"


# ---- what is wrong -------------------------------------------------------------------------


@each(
    ("arguments", "words"),
    [
        (("--labels", "1"), "name a measure, as in -m nDCG@10"),
        (("-m", "DCG"), "DCG needs a ranking: --labels 3,2,0"),
        (("-m", "DCG", "--labels", "1,x"), 'argument --labels: "x" at position 1 is not a number'),
        (("-m", "DCG", "--labels", "1,,2"), 'argument --labels: "" at position 1 is not a number'),
        (
            ("-m", "DCG", "--labels", "1,-2"),
            "labels: -2 at position 1: ",
        ),
        (("-m", "R", "--labels", "1", "--judged", "nan"), '"nan" at position 0'),
        (("-m", "DCG", "--labels", "1,2", "--scores", "1"), "scores: "),
        (("-m", "DCG", "--labels", "1,2", "--scores", "1,1", "--ids", "a"), "ids: "),
        (
            ("-m", "DCG", "--labels", "1", "--ids", "a"),
            "ids and ties order items of equal score, but scores is not given",
        ),
        (("-m", "DCG", "--labels", "1", "--ids", "a;b"), "--ids: they have 2 queries"),
        (("-m", "DCG", "--labels", "1", "--ties", "ids"), 'unknown rule for ties "ids"'),
        (
            ("-m", "DCG", "--labels", "1", "--unjudged", "1"),
            "DCG does not depend on which items are judged",
        ),
        (("-m", "R", "--labels", "1", "--judged", "0"), "judged"),
        (("-m", "DCG", "--labels", "1", "--digits", "0"), "expected 1 to 9000"),
        (("-m", "DCG", "--session", "1;2"), "DCG needs a ranking, not a session"),
        (("-m", "sDCG", "--labels", "1"), "sDCG needs a session"),
        (("-m", "sDCG", "--session", "1;2,a"), 'query 2: "a" at position 1 is not a number'),
        (("-m", "sDCG", "--session", "[1]"), "query 1: expected a list of labels, got 1"),
        (("-m", "sDCG", "--session", "[[1], [true]]"), "query 2: True at position 0"),
        (("-m", "sDCG", "--session", "[[1]"), "no JSON"),
        (
            ("-m", "sDCG", "--session", "[[1], [2, -1e400]]"),
            'argument --session: query 2: "-1e400" at position 1 is no finite double',
        ),
        (("-m", "sDCG", "--session", "[[NaN]]"), "query 1: 'NaN' at position 0 is not a number"),
        (("-m", "sDCG", "--session", "[[Infinity]]"), "'Infinity' at position 0 is not a number"),
        (("-m", "nDCGG", "--labels", "1"), 'unknown measure "nDCGG"'),
        (("-m", "DCG", "--cases", "x"), "--cases excludes -m"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(arguments, words, capsys):
    assert words in complaint(capsys, "certify", *arguments)


# ---- files of cases ------------------------------------------------------------------------


def same(found, wanted) -> bool:
    """Whether what is certified is what vectors have; they say of a refusal but which argument."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if "error" in wanted:
        return set(found) == {"error"}
    return all(found[part] == x for part, x in wanted.items())


@each("chapter", CHAPTERS, fast=1)
def test_the_vectors_are_certified_as_they_stand(chapter):
    cases = cases_of(chapter, (VECTORS / chapter).read_bytes())
    assert cases
    wrong = [c.where for c in cases if not same(expected_of(c), c.given["expected"])]
    assert wrong == []


CASE = {"measure": {"name": "AP", "k": None}, "input": {"labels": [1, 0, 1]}}


def test_a_file_of_cases(tmp_path, capsys):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([{"id": "a", **CASE}, CASE]))
    found = json.loads(output(capsys, "certify", "--cases", str(path), "--format", "json"))
    assert found["cases"][0] == {
        "id": "a",
        **CASE,
        "expected": {
            "decimal": 5 / 6,
            "hex": (5 / 6).hex(),
            "bits": "3feaaaaaaaaaaaab",
            "exact": "5/6",
        },
        "certificate": {
            "digits": "0." + "8" + 29 * "3",
            "lower": "0." + "8" + 31 * "3",
            "upper": "0." + "8" + 30 * "3" + "4",
            "form": "5/6",
        },
    }
    lines = output(capsys, "certify", "--cases", str(path), "--digits", "3").splitlines()
    assert lines[0].split("\t") == ["case", "value", "decimal", "hex", "bits", "exact", "digits"]
    assert [line.split("\t")[0] for line in lines[1:]] == ["a", "2"]
    assert {line.split("\t")[-1] for line in lines[1:]} == {"0.833"}


def test_a_case_that_is_no_fraction_has_its_form(tmp_path, capsys):
    path = tmp_path / "mine.json"
    path.write_text('{"measure": {"name": "DCG"}, "input": {"labels": [0, 1]}}')
    line = output(capsys, "certify", "--cases", str(path)).splitlines()[1]
    assert line.split("\t")[-2:] == ["1/log2(3)", "0.630929753571457437099527114343"]


def test_lines_of_cases_from_the_standard_input(capsys, monkeypatch):
    several = {"measure": {"name": "P", "k": [1, 2]}, "input": {"labels": [1, 0]}}
    refused = {"measure": {"name": "P", "k": 0}, "input": {"labels": [1]}}
    endless = {"measure": {"name": "P"}, "input": {"labels": ["-Infinity"]}}
    text = "\n".join(map(json.dumps, (several, refused, endless)))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    lines = output(capsys, "certify", "--cases", "-").splitlines()[1:]
    assert [line.split("\t")[:3] for line in lines[:2]] == [["1", "1", "1.0"], ["1", "2", "0.5"]]
    assert lines[2].split("\t")[:3] == ["2", "", "refused"]
    assert "the cut-off is 0" in lines[2]
    assert "labels: -inf at position 0" in lines[3]


@each(
    ("text", "words"),
    [
        ("", "expected at least one case, found none"),
        ("[]", "there is no case in it"),
        ('{"measure": "AP", "input": {}}', 'must be an object, like {"name": ..., "k": 10}'),
        ("{", "not valid JSON: "),
        ('{"a": NaN}', 'NaN is not JSON; write the string "NaN"'),
        (
            f"{json.dumps({'measure': {'name': 'AP'}, 'input': {'labels': [1]}})}\n[-1e400]",
            'mine:2: "-1e400" is no finite double; infinity is written "-Infinity"',
        ),
        ('[{"k": 1e400}]', 'mine: "1e400" is no finite double; infinity is written "Infinity"'),
        ("7", "expected a file of vectors"),
        (
            '{"statistics": "agreement", "required": []}',
            "a file of statistics, whose cases have no",
        ),
        ("[7]", "case 1: expected a case, which is a JSON object, got 7"),
        ('[{"id": "x-1", "measure": {}}]', 'case 1 (x-1): "input" must be an object'),
        ('{"measure": {}, "input": {}}', '"name" must be the name of a metric'),
        ('{"required": [{}]}', 'required: group 0 has no list "cases"'),
        ('{"measure": {"name": "nDCGG"}, "input": {}}', 'measure: unknown metric "nDCGG"'),
        ('{"measure": {"name": "UL2"}, "input": {}}', 'UL2 is a bound; "of"'),
        ('{"measure": {"name": "UL2", "of": 3}, "input": {}}', '"of" must be a measure'),
        ('{"measure": {"name": "AP", "rell": 1}, "input": {}}', 'no parameter "rell" (did you'),
        (
            '{"measure": {"name": "AP"}, "input": {"label": []}}',
            'part "label" (did you mean "labels"?); AP has ids, judged, ',
        ),
        ('{"measure": {"name": "AP"}, "input": {}}', '"labels" is missing'),
        ('{"measure": {"name": "AP"}, "input": {"labels": 1}}', "labels: expected a list, got 1"),
        ('{"measure": {"name": "AP"}, "input": {"labels": [1, "a"]}}', "at position 1, got 'a'"),
        (
            '{"measure": {"name": "sDCG"}, "input": {"queries": [[], [null]]}}',
            "query 2: expected a number at position 0, got None",
        ),
        (
            '{"measure": {"name": "mean"}, "input": {"value": []}}',
            '"mean" takes only the part "values"',
        ),
        (
            '{"measure": {"name": "AP"}, "input": {"qrels": ""}}',
            "a whole evaluation; only single rankings can be certified",
        ),
        ('{"measure": {"name": "AP"}, "input": {"labels": []}}\n{"measure": 1}', ":2:"),
        ('{"measure": {"name": "AP"}, "input": {"labels": []}}\n\n{x', "mine:3: not valid JSON"),
        (
            '{"measure": {"name": "AP"}, "input": {"labels ": []}}',
            'unknown part "labels " (did you mean "labels"?); AP has ids, ',
        ),
        ('{"id": null, "measure": {}}', '"id" is None; expected a string or an integer'),
        ('{"id": true, "measure": {}}', '"id" is True; expected a string or an integer'),
        ('{"id": ["a"], "measure": {}}', "\"id\" is ['a']; expected a string or an integer"),
        (
            '[{"measure": {"name": "AP"}, "input": {"labels": [1], "labels": [0]}}]',
            'mine: the key "labels" occurs twice in [0].input',
        ),
        (
            '{"measure": {"name": "AP"}, "input": {"labels": []}}\n{"id": 1, "id": 2}',
            'mine:2: the key "id" occurs twice',
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(text, words, tmp_path, capsys):
    path = tmp_path / "mine"
    path.write_text(text)
    found = complaint(capsys, "certify", "--cases", str(path))
    assert words in found
    assert str(path) in found


@each(
    ("parameter", "words"),
    [
        ({"discount": {"kind": "log", "Base": 10}}, 'has no part "Base" (did you mean "base"?)'),
        ({"discount": {"kind": "log", "base": None}}, 'kind "log": "base" is missing'),
        ({"discount": {"kind": "zipf", "base": 2}}, 'kind "zipf" has no part "base"'),
        ({"discount": {"kind": "weights"}}, 'kind "weights": "weights" is missing'),
        ({"gain": {"kind": "exp2", "typo": 1}}, 'gain of the kind "exp2" has no part "typo"'),
        ({"gain": {"kind": "linear", "table": [0]}}, 'kind "linear" has no part "table"'),
        ({"gain": {"kind": "table"}}, 'gain of the kind "table": "table" is missing'),
        ({"gain": {"kind": "table", "gains": [0, 1]}}, 'kind "table" has no part "gains"'),
        ({"gain": {}}, 'gain: "kind" is missing'),
        ({"name": "LDCG", "prior": {"kind": "uniform", "base": 2}}, 'prior of the kind "uniform"'),
        ({"name": "sDCG", "query_discount": {"kind": "log"}}, 'query_discount of the kind "log": '),
        ({"name": "UL2", "of": {"name": "DCG", "gain": {}}}, 'gain: "kind" is missing'),
    ],
)
def test_every_part_of_a_gain_or_discount_is_known_and_there(parameter, words, tmp_path, capsys):
    path = tmp_path / "mine"
    measure = {"name": "DCG", **parameter}
    path.write_text(json.dumps([{"measure": measure, "input": {"labels": [1, 2]}}]))
    found = complaint(capsys, "certify", "--cases", str(path))
    assert f"{path}: case 1: measure: " in found
    assert words in found


def test_an_id_does_not_break_its_line(tmp_path, capsys):
    path = tmp_path / "mine"
    case = {"id": "a\tb\r\nc", "measure": {"name": "DCG"}, "input": {"labels": [1]}}
    path.write_text(json.dumps([case]))
    lines = output(capsys, "certify", "--cases", str(path)).splitlines()
    assert [line.split("\t")[:3] for line in lines[1:]] == [["a b  c", "", "1.0"]]


@each(
    ("text", "words"),
    [
        ("1,1e400", '"1e400" at position 1 is no finite double'),
        ("-1e400", '"-1e400" at position 0 is no finite double'),
        ("9" * 300, "expected an integer below 2^63 or a number that is exactly a double"),
        (
            "9" * 5000,
            "at position 0 is neither a whole number below 2^63 nor exactly a double",
        ),
    ],
)
def test_a_number_beyond_all_doubles_is_refused(text, words, capsys):
    assert words in complaint(capsys, "certify", "-m", "DCG", f"--labels={text}")


def test_a_label_whose_nearest_double_is_0_is_0_as_in_files(capsys):
    assert values(capsys, "-m", "DCG", "--labels", "1e-400")[0]["exact"] == "0"


@each(
    ("measure", "words"),
    [
        ({"name": "DCG_phi", "points": 3}, "points: "),
        ({"name": "sDCG_vector", "k": [1]}, "X: "),
        ({"name": "DCG", "discount": {"kind": "log", "base": "z"}}, "discount"),
        ({"name": "DCG", "gain": {"kind": []}}, "gain"),
    ],
)
def test_what_a_measure_cannot_be_is_refused(measure, words):
    given = {"queries": [[1]]} if "vector" in measure["name"] else {"labels": [1]}
    (case,) = cases_of("mine", json.dumps([{"measure": measure, "input": given}]).encode())
    assert expected_of(case)["error"].startswith(words)


def test_a_file_that_is_not_there(capsys):
    assert "cannot be read" in complaint(capsys, "certify", "--cases", "/nowhere/x.json")


def test_no_utf8(tmp_path, capsys):
    path = tmp_path / "mine"
    path.write_bytes(b"[\xff]")
    assert "not UTF-8: invalid byte at offset 1" in complaint(
        capsys, "certify", "--cases", str(path)
    )


@pytest.mark.parametrize("of", ["avg_sDCG", "avg_nsDCG", "IsDCG", "query_sDCG"])
def test_the_components_of_a_vector(of):
    found = rs.certify.certified_vector(of, [[3, 2], [1, 0]], k=2)
    assert len(found) == 4
    assert all(x.lower <= x.upper and float(x.lower) == float(x.upper) == x.value for x in found)


def test_what_is_of_no_vector():
    with pytest.raises(rs.InputError, match="nDCG has no vector"):
        rs.certify.certified_vector("nDCG", [1])


@pytest.mark.spec("RS-NUM-3", "RS-USR-5", "RS-USR-6", "RS-EXP-48")
@each("metric", [m for m in METRICS if not m.sees_unjudged], ids=lambda m: m.name)
def test_a_value_of_nothing_is_known_to_be_rational(metric: rs.Metric) -> None:
    """Whatever irrational number a sum of no gain is divided by."""
    for k in (None, 1, 2):
        for labels in ([0], [0, 0], [0, 0, 1], []):
            certified = rs.certify.certified(metric(k=k), labels)
            if certified.value == 0:
                assert certified.exact == 0, (k, labels)
