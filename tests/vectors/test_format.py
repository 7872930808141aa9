"""The form of the vectors: what schema and checks refuse, hashes, ids, profiles, max_ulp."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import re
import struct
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import rankspec as rs
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.specification import PARTS, PROFILES, canonical, validity

from ..each import each
from . import statistics_files
from .test_vectors import CASES, FILES, FOLDER, ROOT, SCHEMA, VALIDATOR, WRITTEN, by_id

STATISTICS = [case for cases in statistics_files.CASES.values() for case in cases]
PART = {
    case["id"]: part
    for file in FILES.values()
    for part in PARTS
    for group in file[part]
    for case in group["cases"]
}


def nothing(case):
    """Spoils nothing."""


@pytest.fixture(scope="module")
def small():
    """The file of a chapter with one group of cases alone."""
    file, group = FILES["dcg"], FILES["dcg"]["required"][0]
    flags = {flag: file["flags"][flag] for case in group["cases"] for flag in case["flags"]}
    parts = {"required": [group], "optional": [], "flags": flags}
    found = file | parts | {"count": len(group["cases"]), "hash": validity.hash_of(group["cases"])}
    assert not refused(found)
    return found


def spoiled(name, spoil=nothing):
    """A file of one case, spoiled."""
    case = copy.deepcopy(WRITTEN[name])
    spoil(case)
    file = FILES[name.rpartition("-")[0]] | {"count": 1, "hash": validity.hash_of([case])}
    empty = {"required": [], "optional": []}
    flags = dict.fromkeys(case["flags"], "why")
    return file | empty | {PART[name]: [{"about": "it", "cases": [case]}], "flags": flags}


def refused(file):
    return bool(not VALIDATOR.is_valid(file) or validity.problems(file))


@each("name", sorted(WRITTEN), fast=30)
def test_a_case_alone_is_valid(name):
    assert not refused(spoiled(name))


@pytest.mark.parametrize("chapter", FILES)
def test_a_file_holds_what_its_schema_cannot_say(chapter):
    assert validity.problems(FILES[chapter]) == []


def measure(**changes):
    return lambda case: case["measure"].update(changes)


def given(**changes):
    return lambda case: case["input"].update(changes)


def expected(**changes):
    return lambda case: case["expected"].update(changes)


SPOILED = [
    # a word that there is not
    ("dcg-0001", measure(ideal="kk")),
    ("dcg-0001", measure(ideal="true")),  # one of another metric
    ("dcg-0001", measure(Z="M")),
    ("dcg-0001", measure(name="NDCG")),
    ("dcg-0001", lambda case: case["measure"]["gain"].update(kind="exp")),
    ("dcg-0001", lambda case: case["measure"]["gain"].update(table=[0, 1])),
    ("dcg-0001", lambda case: case["measure"]["discount"].update(kind="log2")),
    ("dcg-0001", lambda case: case["measure"]["discount"].update(base=1)),
    ("length-0002", measure(Z="m")),
    ("length-0077", measure(ideal="k")),
    ("length-0002", measure(prior={"kind": "none of them"})),
    ("relevance-0001", measure(variant="program")),
    ("relevance-0001", measure(quartiles="type 7")),
    ("precision-0028", measure(norm="n")),
    ("cascade-0036", measure(p=1)),
    ("cascade-0015", measure(max=0)),
    ("bounds-0048", measure(bounds="paper")),
    ("bounds-0095", measure(lower="WLB")),
    ("bounds-0048", lambda case: case["measure"]["of"].update(rel="1")),
    ("session-0038", measure(ideal="true")),
    ("session-0086", measure(over="median")),
    ("session-0024", measure(repeats=2)),
    ("session-0063", measure(padding=-1)),
    ("expectation-0001", given(ties="random")),
    # parameters and inputs of the wrong form
    ("dcg-0001", lambda case: case["measure"].pop("ideal")),
    ("dcg-0001", measure(k=0)),
    ("dcg-0001", measure(k=2.5)),
    ("dcg-0001", given(labels=[3, "NaN", 3, 0, 1, 2])),
    ("dcg-0001", given(labels=[3, "2", 3, 0, 1, 2])),
    ("dcg-0001", given(unjudged=[0, 0, 0, 0, 0, 2])),
    ("dcg-0003", given(labels=[3])),  # the ideal is of the pool alone
    ("dcg-0001", lambda case: case.update(input={"queries": [[1]]})),
    ("session-0001", lambda case: case.update(input={"labels": [1]})),
    ("dcg-0001", given(labels=[2**53 + 1])),
    # lengths
    ("expectation-0001", given(scores=[1])),
    ("expectation-0001", lambda case: case["input"]["labels"].append(0)),
    ("session-0024", lambda case: case["input"]["documents"][0].pop()),
    ("session-0024", lambda case: case["input"]["documents"].pop()),
    ("dcg-0018", measure(k=[3])),
    ("dcg-0084", lambda case: case["expected"].pop()),
    ("dcg-0084", measure(k=2)),
    ("session-0044", lambda case: case.update(expected=case["expected"][0])),
    # values
    ("dcg-0001", expected(decimal=0.96)),
    ("dcg-0001", expected(hex="0x1.8p-1")),
    ("dcg-0001", expected(hex="0x1.ebef0d38cdeccp-1 ")),
    ("dcg-0001", expected(bits="3feebef0d38cdecd")),
    ("dcg-0001", expected(bits="3FEEBEF0D38CDECC")),
    ("dcg-0007", expected(exact="2")),
    ("dcg-0007", expected(exact="1.0")),
    ("dcg-0001", lambda case: case["expected"].pop("bits")),
    # what goes with a value, and what with a refusal
    ("dcg-0001", lambda case: case.pop("max_ulp")),
    ("dcg-0001", lambda case: case.update(max_ulp=-1)),
    ("dcg-0001", lambda case: case.update(max_ulp=0.5)),
    ("dcg-0001", lambda case: case.pop("requires")),
    ("dcg-0001", lambda case: case["requires"].append("luck")),
    ("dcg-0001", lambda case: case["requires"].append("refusal")),
    ("dcg-0001", lambda case: case.update(profiles=[])),
    ("dcg-0001", lambda case: case.update(profiles=["ndcg-core"])),
    ("dcg-0001", lambda case: case.update(profiles=["all", "mine"])),
    ("dcg-0001", lambda case: case.update(conventions={})),
    ("dcg-0068", lambda case: case["expected"].pop("message")),
    ("dcg-0068", lambda case: case.update(max_ulp=4)),
    ("dcg-0068", lambda case: case["requires"].remove("refusal")),
    ("dcg-0068", lambda case: case.update(expected=WRITTEN["dcg-0001"]["expected"])),
]


@each("name, spoil", SPOILED, fast=20)
def test_a_spoiled_case_is_refused(name, spoil):
    assert not refused(spoiled(name))
    assert refused(spoiled(name, spoil))


@pytest.mark.slow
@each(
    "spoil",
    [
        lambda file: file.update(format=1),
        lambda file: file.update(version="1.0"),
        lambda file: file.update(chapter="ndcg"),
        lambda file: file.update(count=1),
        lambda file: file.update(hash="0" * 64),
        lambda file: file.update(hash="0"),
        lambda file: file.pop("withdrawn"),
        lambda file: file.update(withdrawn=[{"id": "dcg-0999", "why": "wrong"}]),
        lambda file: file.update(withdrawn=[{"id": "dcg-0001", "why": "wrong", "since": "2.1"}]),
        lambda file: file["flags"].pop("exact-one"),
        lambda file: file["required"][0].pop("about"),
        lambda file: file["required"][0]["cases"][1].update(id="dcg-0001"),
        lambda file: file["required"][0]["cases"][1].update(id="gain-0999"),
    ],
)
def test_a_spoiled_file_is_refused(spoil, small):
    file = copy.deepcopy(small)
    spoil(file)
    assert refused(file)


def test_a_refused_case_may_have_any_words():
    """They are what is wrong with it."""
    names = ("dcg-0087", "length-0152", "expectation-0066", "relevance-0065", "session-0161")
    for name in names:
        assert "refusal" in WRITTEN[name]["requires"]
        assert not refused(spoiled(name))


FIRST = {
    case["measure"]["name"]: case
    for case in reversed(WRITTEN.values())
    if "refusal" not in case["requires"]
}
"""The first case of each metric that has a value."""
CHOICES = [
    (metric.name, parameter)
    for metric in (*METRICS, *SESSION_METRICS, *BOUNDS)
    for parameter in metric.parameters.values()
    # A parameter of a bound may be that of its metric.
    if parameter.words and parameter.name in FIRST[metric.name]["measure"]
]


@each("name, parameter", CHOICES, ids=lambda x: getattr(x, "name", x), fast=8)
def test_the_schema_has_every_word_of_every_parameter_and_no_other(name, parameter):
    """By the declarations of the metrics: each word is accepted, one that is none is not."""
    case = FIRST[name]["id"]
    for word in parameter.words:
        assert VALIDATOR.is_valid(spoiled(case, measure(**{parameter.name: word}))), word
    assert refused(spoiled(case, measure(**{parameter.name: "no word"})))


def test_many_parameters_have_words():
    assert len(CHOICES) > 30


# Numbers, hashes and ids.


@each("case", list(WRITTEN.values()), **by_id)
def test_bits_are_those_of_the_double(case):
    for value in validity.values_of(case["expected"]):
        assert struct.unpack(">d", bytes.fromhex(value["bits"])) == (float.fromhex(value["hex"]),)


def test_integers_beyond_2_to_the_53_are_text():
    assert "9007199254740993" in WRITTEN["dcg-0065"]["input"]["labels"]
    assert 2**53 + 1 in CASES["dcg-0065"]["input"]["labels"]
    numbers = []
    for path in FOLDER.glob("*.json"):
        json.loads(path.read_text("utf-8"), parse_int=lambda x: numbers.append(int(x)))
    assert max(map(abs, numbers)) <= 2**53


@each(
    "x, text",
    [
        (1.0, "1"), (-0.5, "-0.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
        (1e-6, "0.000001"), (1e-7, "1e-7"), (5e-324, "5e-324"), (0.0, "0"), (-0.0, "0"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (123.5, "123.5"),
        (333333333.33333329, "333333333.3333333"), (1e23, "1e+23"), (2**53, "9007199254740992"),
        ({"b": [1.5, None, True], "a": "é\n\x1f"}, '{"a":"é\\n\\u001f","b":[1.5,null,true]}'),
    ],
)  # fmt: skip
def test_canonical_json_is_that_of_rfc_8785(x, text):
    assert canonical.text_of(x) == text


@pytest.mark.parametrize("chapter", FILES)
def test_a_hash_is_that_of_the_cases(chapter):
    """By the rule of the README, and by hand."""
    file = FILES[chapter]
    cases = [case for part in PARTS for group in file[part] for case in group["cases"]]
    text = canonical.text_of(cases)
    assert json.loads(text, parse_int=float) == cases
    assert hashlib.sha256(text.encode()).hexdigest() == file["hash"]
    assert file["count"] == len(cases)


def by_the_program(code):
    """What a program prints that has tools/vectors.py loaded, and its errors."""
    head = (
        "import sys; sys.path.insert(0, 'tools'); import vectors; from cases import case, group\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return done.stdout, done.stderr


@pytest.mark.slow
def test_an_id_stays_with_its_case():
    """A case that has changed, one that has gone, and one that is withdrawn."""
    code = """
from cases import numerics
vectors.CHAPTERS, vectors.STATISTICS = ("numerics",), ()
def tell():
    vectors.groups_of.cache_clear()
    try:
        print(len(vectors.locked(known)) - len(known), "new")
    except AssertionError as error:
        print(error)
first = case(1, "no values", "mean", [])
rest = [case(2, "one value", "mean", [0.1]), case(3, "two values", "mean", [0.1, 0.2])]
numerics.OPTIONAL = []
def having(*cases):
    numerics.REQUIRED = [group("means", *cases)]
    tell()
known = {}
having(first, *rest)
vectors.groups_of.cache_clear()
known = vectors.locked({})
tell()
having(first, *rest, case(99, "new", "mean", [1.0]))
having(case(1, "other words", "mean", []), *rest)
having(case(1, "no values", "mean", [1.0]), *rest)
having(*rest)
numerics.WITHDRAWN = [(1, "the empty mean is no mean", "2.1")]
tell()
print(vectors.withdrawn_of("numerics"))
numerics.WITHDRAWN += [(98, "never was", "2.1")]
tell()
"""
    printed, errors = by_the_program(code)
    assert not errors
    assert printed.splitlines() == [
        "3 new",
        "0 new",
        "1 new",
        "0 new",
        "numerics-0001: the case is another than before; withdraw it, and give a new number",
        "numerics-0001: the case has gone; list it among the WITHDRAWN of its chapter",
        "0 new",
        "[{'id': 'numerics-0001', 'why': 'the empty mean is no mean', 'since': '2.1'}]",
        "numerics-0098: there was no such case to withdraw",
    ]


def test_the_ids_are_kept():
    lines = (FOLDER / "ids.txt").read_text("utf-8").splitlines()[1:]
    withdrawn = {case["id"] for file in FILES.values() for case in file["withdrawn"]}
    ids = {*WRITTEN, *withdrawn, *(case["id"] for case in STATISTICS)}
    assert [line.split()[0] for line in lines] == sorted(ids)


# What is required, and profiles.


def test_every_word_of_requires_is_explained_and_occurs():
    readme = (FOLDER / "README.md").read_text("utf-8")
    words = SCHEMA["$defs"]["case"]["properties"]["requires"]["items"]["enum"]
    for word in words:
        kind, _, value = word.partition(":")
        assert f"`{word}`" in readme or (f"`{kind}:" in readme and value), word
    assert {word for case in WRITTEN.values() for word in case["requires"]} <= set(words)


def test_every_word_of_every_parameter_is_explained():
    readme = (FOLDER / "README.md").read_text("utf-8")
    for metric in (*METRICS, *SESSION_METRICS, *BOUNDS):
        for parameter in metric.parameters.values():
            for word in parameter.words:
                assert f'`"{word}"`' in readme, f"{parameter.name} of {metric.name}: {word}"


def test_profiles_are_those_of_the_package_and_are_explained():
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert SCHEMA["$defs"]["case"]["properties"]["profiles"]["items"]["enum"] == list(PROFILES)
    for profile in PROFILES:
        assert f"`{profile}`" in readme


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_a_goal(profile):
    """The small ones are of required cases that doubles can meet; none is empty."""
    cases = [case for case in WRITTEN.values() if profile in case["profiles"]]
    if profile == "all":
        assert len(cases) == len(WRITTEN)
        return
    assert 20 < len(cases) < 300
    assert {PART[case["id"]] for case in cases} == {"required"}
    assert all(case["max_ulp"] is not None for case in cases)
    assert not any("error" in case["expected"] for case in cases)


def test_what_profiles_leave_out():
    for profile, outside in {
        "ndcg-core": {"gain:table", "labels:fractional", "base", "k:list", "scores", "ideal:all"},
        "recsys": {"labels:graded", "scores", "norm:k"},
        "ltr": {"gain:linear", "ties:expected", "ids:string"},
        "trec": {"gain:exp2", "ties:expected", "norm:min", "labels:fractional"},
        "session": {"gain:table", "repeats:fraction", "ideal:greatest"},
    }.items():
        words = {w for c in WRITTEN.values() if profile in c["profiles"] for w in c["requires"]}
        assert not words & outside, profile


# How far doubles may be off.

DECIDED_BY_AN_EQUALITY = {"as-random", "no-spread", "no-variance"}


def test_max_ulp_is_small_or_none():
    """None: only where an equality decides, scores are no doubles, or for optional cases."""
    for name, case in WRITTEN.items():
        if "error" in case["expected"]:
            assert "max_ulp" not in case
        elif case["max_ulp"] is None and PART[name] == "required":
            reasons = DECIDED_BY_AN_EQUALITY | {"scores-beyond-2^53", "no-model-of-errors"}
            assert reasons & set(case["flags"]) or name in ZERO_BY_CANCELLATION
    found = [case["max_ulp"] for case in WRITTEN.values() if case.get("max_ulp") is not None]
    assert sum(x <= 50 for x in found) > 0.88 * len(found)
    small = [c["max_ulp"] for c in WRITTEN.values() if {"ndcg-core", "trec"} & set(c["profiles"])]
    assert max(small) <= 64
    required = {n: c["max_ulp"] or 0 for n, c in WRITTEN.items() if PART[n] == "required"}
    assert [name for name, most in required.items() if most > 2000] == ["bounds-0074"]


ZERO_BY_CANCELLATION = {"bounds-0096", "bounds-0150"}
"""A difference of two equal sums, which doubles add in another order."""


@pytest.mark.parametrize("flag", sorted(DECIDED_BY_AN_EQUALITY))
def test_where_an_equality_decides_nothing_is_promised_but_by_exact_numbers(flag):
    having = [case for case in WRITTEN.values() if flag in case["flags"]]
    assert having
    promised = [case for case in having if case["max_ulp"] is not None]
    for case in promised:  # counts, which doubles hold
        assert case["expected"]["exact"] is not None


def in_doubles(case, *, reverse=False):
    """DCG and nDCG as a loop over doubles has them, forwards or backwards."""

    def dcg(labels, k, m):
        gain = {"linear": float, "exp2": lambda r: 2.0**r - 1}[m["gain"]["kind"]]
        terms = [gain(r) / math.log2(i + 2) for i, r in enumerate(labels[:k])]
        total = 0.0
        for term in reversed(terms) if reverse else terms:
            total += term
        return total

    m, x = case["measure"], case["input"]
    found = dcg(x["labels"], m["k"], m)
    if m["name"] == "DCG":
        return found
    best = dcg(sorted(x.get("judged", x["labels"]), reverse=True), m["k"], m)
    return found / best if best else 0.0


@pytest.mark.parametrize("reverse", [False, True])
def test_plain_doubles_are_within_max_ulp(reverse):
    """A loop forwards and one backwards; a control is off by more."""
    tested = 0
    for case in CASES.values():
        if case["measure"]["name"] in ("DCG", "nDCG") and "ndcg-core" in case["profiles"]:
            tested += 1
            value, right = in_doubles(case, reverse=reverse), float.fromhex(case["expected"]["hex"])
            assert ulps(value, right) <= case["max_ulp"], case["id"]
            assert right == 0 or ulps(right * (1 + 1e-12), right) > case["max_ulp"]
    assert tested > 40


def ulps(x, y):
    places = [struct.unpack(">q", struct.pack(">d", part))[0] for part in (x, y)]
    return abs(places[0] - places[1])


# The package.


@pytest.mark.slow
def test_vectors_are_the_cases_of_the_files():
    assert rs.vectors() == [WRITTEN[case["id"]] for case in rs.vectors()]
    assert len(rs.vectors()) == len(rs.vectors("all")) == len(WRITTEN)
    required = rs.vectors(part="required")
    assert {PART[case["id"]] for case in required} == {"required"}
    assert len(required) + len(rs.vectors(part="optional")) == len(WRITTEN)
    core = rs.vectors("ndcg-core")
    assert {case["measure"]["name"] for case in core} == {"CG", "DCG", "IDCG", "nDCG"}
    rs.vectors()[0]["why"] = "spoiled"
    assert rs.vectors()[0]["why"] != "spoiled"  # a list of one's own


def test_a_profile_that_there_is_not_is_refused():
    with pytest.raises(
        rs.InputError, match=r'profile: unknown name "ndcgcore" \(did you mean "ndcg-core"\?\)'
    ):
        rs.vectors("ndcgcore")
    with pytest.raises(
        rs.InputError, match='part: unknown name "all"; expected one of "required", "optional"'
    ):
        rs.vectors(part="all")


@pytest.mark.slow
def test_vectors_need_the_standard_library_alone():
    code = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('numpy', 'cffi', '_cffi_backend', 'rich', 'sympy'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        "import rankspec as rs\n"
        "print(len(rs.vectors()), len(rs.vectors('ndcg-core')))\n"
        "print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('rankspec.')}))\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    core = len(rs.vectors("ndcg-core"))
    assert done.stdout.splitlines() == [
        f"{len(WRITTEN)} {core}",
        "['errors', 'later', 'specification', 'text', 'typed']",
    ]


def test_the_files_come_with_the_package():
    from rankspec import specification

    assert sorted(path.name for path in specification.FOLDER.iterdir()) == sorted(
        path.name for path in FOLDER.iterdir()
    )
    assert re.search(r"^# Test vectors$", (specification.FOLDER / "README.md").read_text(), re.M)


@pytest.mark.slow
def test_the_archive_is_the_folder_with_the_licence(tmp_path):
    """Twice the same bytes."""
    head = "import sys; sys.path.insert(0, 'tools'); import vectors; from pathlib import Path\n"
    code = f"{head}for name in 'ab': vectors.archive(Path({str(tmp_path)!r}, name))"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)  # noqa: S603
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with zipfile.ZipFile(tmp_path / "a") as archive:
        held = {Path(name).name: archive.read(name) for name in archive.namelist()}
        folders = {str(Path(name).parent) for name in archive.namelist()}
    expected = {path.name: path.read_bytes() for path in [*FOLDER.iterdir(), ROOT / "LICENSE"]}
    assert held == expected
    assert folders == {f"rankspec-vectors-{FILES['dcg']['version']}"}


# The index.

INDEX = rs.spec_index()
INDEX_SCHEMA = json.loads((FOLDER / "index.schema.json").read_text("utf-8"))


def test_the_index_is_as_its_schema_says():
    jsonschema.Draft202012Validator.check_schema(INDEX_SCHEMA)
    validator = jsonschema.Draft202012Validator(INDEX_SCHEMA)
    validator.validate(INDEX)
    for spoil in (
        lambda index: index["entries"][0].pop("source"),
        lambda index: index["entries"][0].pop("vectors_proved"),
        lambda index: index["entries"][0].update(id="RS-DCG"),
        lambda index: index["entries"][0].update(place="spec/dcg.md"),
        lambda index: index["entries"][0]["laws"][0].update(id="RS-DCG-1(a)"),
    ):
        index = copy.deepcopy(INDEX | {"entries": INDEX["entries"][:1]})
        assert validator.is_valid(index)
        spoil(index)
        assert not validator.is_valid(index)


@pytest.mark.slow
def test_the_index_has_all_that_can_be_cited_and_where_it_stands():
    from ..test_traceability import table_of_this_tree

    entries = table_of_this_tree().entries
    assert [entry["id"] for entry in INDEX["entries"]] == list(entries)
    assert INDEX["count"] == len(entries)
    for entry in INDEX["entries"]:
        own = entries[entry["id"]]
        parts = [*entry["laws"], *entry["special_cases"]]
        ids = [f"{own.id}/{part}" if part[0] == "L" else own.id + part for part in own.vectors]
        assert [part["id"] for part in parts] == ids
        path, _, anchor = entry["place"].partition("#")
        assert f"{{#{anchor}}}" in (ROOT / path).read_text("utf-8")
        for law in entry["laws"]:
            assert law["title"]
        for part in parts:
            assert not re.search(r"[*][*]L\d|^[(][a-z][)]", part["text"]), part["id"]


def test_the_index_counts_the_cases_that_cite():
    counted = {
        part["id"]: part["vectors"]
        for entry in INDEX["entries"]
        for part in (entry, *entry["laws"], *entry["special_cases"])
    }
    citing = Counter(
        cited
        for case in (*WRITTEN.values(), *STATISTICS)
        for cited in {*case["spec"], *(re.split(r"[/(]", x)[0] for x in case["spec"])}
    )
    assert {cited: counted[cited] for cited in citing} == citing


def test_the_index_counts_the_cases_that_coq_proves():
    listed = (FOLDER / "proved.txt").read_text("utf-8")
    proved = re.findall(r"^([a-z]+-\d+)", listed, re.MULTILINE)
    spec = {case["id"]: case["spec"] for case in (*WRITTEN.values(), *STATISTICS)}
    citing = Counter(
        id_ for name in proved for id_ in {re.split(r"[/(]", cited)[0] for cited in spec[name]}
    )
    counted = {entry["id"]: entry["vectors_proved"] for entry in INDEX["entries"]}
    assert {id_: count for id_, count in counted.items() if count} == citing
    assert all(entry["vectors_proved"] <= entry["vectors"] for entry in INDEX["entries"])
