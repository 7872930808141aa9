"""rankspec conform: what is asked, what counts, and how the result is written."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rankspec
from rankspec.analysis.conformance.cases import vectors
from rankspec.analysis.conformance.judge import STATUSES, counts
from rankspec.analysis.conformance.report import compact, row
from rankspec.analysis.conformance.trec import words_of
from rankspec.cli.conform import PROFILES as OFFERED
from rankspec.cli.main import main
from rankspec.evaluation.render import wrapped
from rankspec.specification import PROFILES

from ..cli.running import complaint, output
from ..each import each
from .running import HERE, IMPLEMENTATION, conform, status_of

Capture = pytest.CaptureFixture[str]
ROOT = HERE.parents[1]
OWN = "rankspec.analysis.conformance.own"
FUNCTIONS_OF = "tests.conformance.functions"
HALF = "tests.conformance.functions:half"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


# ---- the package itself ----------------------------------------------------------------------


def test_the_core_passes_the_cases_of_ndcg(capsys: Capture) -> None:
    words = ("--profile", "ndcg-core", "--grade", "exact", "--python", f"{OWN}:core")
    report = conform(capsys, *words, status=0)
    assert report["counts"]["pass"] == report["counts"]["cases"] > 100
    assert report["adapter"]["name"] == "rankspec"


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9/L2", "RS-CONF-3/L1")
@pytest.mark.parametrize("grade", ["exact", "close"])
def test_the_core_passes_every_case(grade: str, capsys: Capture) -> None:
    words = ("--python", f"{OWN}:core", "--part", "all", "--grade", grade, "--jobs", "2")
    report = conform(capsys, *words, status=0)
    assert report["counts"]["pass"] == report["counts"]["cases"] > 700
    assert report["adapter"]["name"] == "rankspec"
    if grade == "exact":
        assert report["counts"]["cases"] == len(vectors())


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9/L2")
def test_the_reference_passes_every_case(capsys: Capture) -> None:
    words = ("--python", f"{OWN}:reference", "--part", "all", "--grade", "exact")
    report = conform(capsys, *words, "--timeout", "120", status=0)
    assert report["counts"]["pass"] == len(vectors())


@pytest.mark.slow
def test_numpy_is_not_needed(tmp_path: Path) -> None:
    """Neither by the runner, nor by the function that it runs, nor for an explanation."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['numpy'] = None\n")
    code = "import sys; from rankspec.cli.main import main; sys.exit(main(sys.argv[1:]))"
    path = f"{tmp_path}:{Path(rankspec.__file__).parents[1]}:{ROOT}"
    for words, status in (
        (["--python", f"{OWN}:core", "--grade", "exact", "--profile", "ndcg-core"], 0),
        (["--case", "dcg-000", "--case", "session-000", "--python", HALF], 1),
    ):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", code, "conform", "--format", "json", *words],
            check=False,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": path},
        )
        assert done.stderr == ""
        assert done.returncode == status, done.stdout[:2000]
        assert json.loads(done.stdout)["counts"]["crashed"] == 0


# ---- which cases -----------------------------------------------------------------------------


@pytest.mark.spec("RS-CONF-4", "RS-CONF-4/L1")
def test_profiles() -> None:
    assert OFFERED == PROFILES
    for case in vectors():
        assert "all" in case.profiles, case.id
        assert set(case.profiles) <= set(PROFILES)


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-4")
def test_cases_by_id(capsys: Capture) -> None:
    report = conform(capsys, "--case", "dcg-0001", "--case", "gain-000", "--python", HALF)
    asked = [x["id"] for x in report["results"]]
    assert "dcg-0001" in asked
    assert len(asked) > 4
    assert all(name == "dcg-0001" or name.startswith("gain-000") for name in asked)


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-4", "RS-CONF-5")
def test_enough_must_be_run(capsys: Capture) -> None:
    words = ("--case", "dcg-0001", "--python", f"{OWN}:core")
    conform(capsys, *words, "--min-run", "1", status=0)
    conform(capsys, *words, "--min-run", "2", status=1)
    printed = output(capsys, "conform", *words, "--min-run", "2", status=1)
    assert printed.endswith("does not conform: 1 of 1 cases pass by a value; 2 must\n")


@pytest.mark.spec("RS-CONF-1", "RS-CONF-5/L2")
@each("function", ["refuses_all", "refuses_what_is_announced"], fast=1)
def test_refusals_alone_do_not_conform(function: str, capsys: Capture) -> None:
    refused = [case.id for case in vectors() if case.refused]
    words = [word for name in refused[:9] for word in ("--case", name)]
    report = conform(
        capsys, *words, "--python", f"tests.conformance.functions:{function}", status=1
    )
    assert report["counts"]["pass"] == (9 if function == "refuses_all" else 0)


# ---- options ---------------------------------------------------------------------------------


COMPLAINTS = {
    "": "conform: give one of PROGRAM (after --), --python and --trec",
    "--python a:b -- ./c": "conform: give only one of PROGRAM, --python and --trec; options of "
    "rankspec go before the --",
    "--profile ndcg -- a": 'argument --profile: unknown profile "ndcg" (did you mean '
    f'"ndcg-core"?); expected one of {", ".join(PROFILES)} (see rankspec conform --help)',
    "--grade ulp -- a": 'grade: unknown grade "ulp"; expected exact, close, ulp=N, or digits=N '
    "with N up to 17",
    "--case dgc-0001 -- a": 'case: unknown case "dgc-0001" (did you mean "dcg-0001"?)',
    "--case dcg-0001 --accept as-random -- ./no-such-program": "./no-such-program: cannot be run",
    "--accept tie -- a": 'accept: no case has the flag "tie"',
    "--without scores:doubel -- a": 'without: no case requires "scores:doubel" (did you mean '
    '"scores:double"?)',
    "--case dcg-0001 --without gain:linear -- a": "without: every case requires gain:linear",
    "--write-known -- a": "conform: --write-known needs --known FILE, the file to write",
    "--timeout 0 -- a": 'argument --timeout: "0": expected seconds, above 0 and at most 86400 (see '
    "rankspec conform --help)",
    "-- ./no-such-program": "./no-such-program: cannot be run: No such file or directory",
    "-- ./spec": "./spec: cannot be run: Permission denied",
    "--trec ./trec_eval": "trec: the template has no {qrels}; expected like './trec_eval -q "
    "{qrels} {run} -m {measure}'",
}


@each("words", COMPLAINTS)
def test_what_cannot_be_asked(words: str, capsys: Capture) -> None:
    said = complaint(capsys, "conform", *words.split()).removeprefix("rankspec: error: ").rstrip()
    assert said.startswith(COMPLAINTS[words])


TEMPLATES = {
    "a {qrels} {run} {measur}": "the template has the unknown field {measur} (did you mean "
    "{measure}?); known are {qrels}, {run}, {measure}, {name}",
    "a {qrel} {run}": "the template has the unknown field {qrel} (did you mean {qrels}?)",
    "a {Run} {qrels}": "the template has the unknown field {Run} (did you mean {run}?)",
    "a {qrels} --run={run-file}": "the template has the unknown field {run-file}",
    "a {{qrels}} {run}": "the template has the unknown field {{qrels}} (did you mean {qrels}?)",
    "a '{ qrels }' {run}": "the template has the unknown field { qrels } (did you mean {qrels}?)",
    "a {qrels} {run} {}": "the template has the unknown field {}; known are {qrels}",
    "a {qrels}": "the template has no {run}; expected like",
    "a '{qrels} {run}": "cannot be divided into words: No closing quotation",
}


@each("template", TEMPLATES)
def test_templates(template: str, tmp_path: Path, capsys: Capture) -> None:
    """Nothing is run before the template is right."""
    program = tmp_path / "a"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/witness\n")
    program.chmod(0o755)
    said = complaint(capsys, "conform", "--trec", template.replace("a", str(program), 1))
    assert said.startswith("rankspec: error: trec: ")
    assert TEMPLATES[template] in said
    assert not (tmp_path / "witness").exists()


def test_other_braces_are_the_program_s_own() -> None:
    words = ["sh", "-c", "cat {qrels} {run} | awk '{print $1}' ${X:-} {a,b}"]
    assert words_of(shlex.join(words)) == words


def test_options_of_the_program_are_its_own(capsys: Capture) -> None:
    words = ("--case", "dcg-0001", "--", sys.executable, "-c", ECHO, "--format", "x", "--profile")
    report = conform(capsys, *words, status=1)
    assert report["results"][0]["why"] == "error: --format x --profile"


ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "start":
        print(json.dumps({"type": "ready", "protocol": 1, "name": "echo"}), flush=True)
    elif asked["type"] == "case":
        told = {"type": "error", "id": asked["id"], "reason": " ".join(sys.argv[1:])}
        print(json.dumps(told), flush=True)
    else:
        break
"""


# ---- what is known or accepted ---------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-7", "RS-CONF-7/L1")
def test_known_failures(tmp_path: Path, capsys: Capture) -> None:
    known = tmp_path / "known.txt"
    words = ("--case", "dcg-00", "--known", str(known))
    first = conform(capsys, *words, "--write-known", "--", *IMPLEMENTATION, "exp2", status=1)
    assert first["counts"]["fail"] > 10
    text = known.read_text()
    assert text.startswith("# Cases that fail, and are known to")
    assert "\ndcg-0001           # got " in text
    second = conform(capsys, *words, "--", *IMPLEMENTATION, "exp2", status=0)
    assert {x.get("excuse") for x in second["results"] if x["status"] == "fail"} == {"known"}
    # What is mended is an error, until the list is written anew; ids that are not asked stay.
    mended = conform(capsys, *words, "--", *IMPLEMENTATION, status=1)
    assert len(mended["mended"]) == first["counts"]["fail"]
    conform(capsys, "--case", "dcg-0001", "--known", str(known), "--write-known", "--",
            *IMPLEMENTATION)  # fmt: skip
    assert "dcg-0001" not in known.read_text()
    assert "\ndcg-0002\n" in known.read_text()


@pytest.mark.spec("RS-CONF-7")
def test_a_list_that_is_written_anew(tmp_path: Path, capsys: Capture) -> None:
    known = tmp_path / "known.txt"
    known.write_text("dcg-0001\n")
    words = ("--case", "dcg-0001", "--known", str(known))
    printed = output(capsys, "conform", *words, "--", *IMPLEMENTATION, status=1)
    assert printed.endswith("does not conform: a known failure passes\n")
    report = conform(capsys, *words, "--write-known", "--", *IMPLEMENTATION, status=0)
    assert report["mended"] == []
    assert "dcg-0001" not in known.read_text()


@pytest.mark.spec("RS-CONF-7")
def test_a_list_of_known_failures_that_is_none(tmp_path: Path, capsys: Capture) -> None:
    known = tmp_path / "known.txt"
    known.write_text("# a comment\n\ndcg-0001 some words\ndcg-9999\n")
    said = complaint(capsys, "conform", "--known", str(known), "--python", HALF)
    assert 'known.txt:4: no case is called "dcg-9999"' in said
    missing = str(tmp_path / "none.txt")
    said = complaint(capsys, "conform", "--known", missing, "--python", HALF)
    assert said == f"rankspec: error: {missing}: cannot be read: No such file or directory\n"


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-7")
def test_accepted_flags(capsys: Capture) -> None:
    words = ("--case", "dcg-", "--", *IMPLEMENTATION, "undefined-nan")
    report = conform(capsys, *words, status=1)
    flags = {case.id: case.flags for case in vectors()}
    failed = [x["id"] for x in report["results"] if x["status"] == "fail"]
    assert failed
    assert all("undefined-quotient" in flags[name] for name in failed)
    accepted = conform(capsys, "--accept", "undefined-quotient", *words, status=0)
    assert {x["excuse"] for x in accepted["results"] if "excuse" in x} == {"accepted"}
    printed = output(capsys, "conform", "--accept", "undefined-quotient", *words)
    assert f"accepted failures: {failed[0]}" in printed


@pytest.mark.spec("RS-CONF-4", "RS-CONF-5")
def test_what_a_program_has_not_is_not_asked(capsys: Capture) -> None:
    """Its cases stay among the others, in their order; what is wrong with them is not seen."""
    words = ("--case", "dcg-00", "--", *IMPLEMENTATION, "exp2-alone")
    whole = conform(capsys, *words, status=1)
    report = conform(capsys, "--without", "gain:exp2", *words)
    assert [x["id"] for x in report["results"]] == [x["id"] for x in whole["results"]]
    requires = {case.id: case.requires for case in vectors()}
    status = {x["id"]: x["status"] for x in report["results"]}
    of_exp2 = [name for name in status if "gain:exp2" in requires[name]]
    assert of_exp2
    assert {status[name] for name in of_exp2} == {"unsupported"}
    before = {x["id"]: x["status"] for x in whole["results"]}
    assert any(before[name] == "fail" for name in of_exp2)
    assert all(before[name] == x for name, x in status.items() if name not in of_exp2)


# ---- the report ------------------------------------------------------------------------------

FIELDS = [
    "rankspec", "format", "vectors", "adapter", "profile", "part", "grade", "conforms",
    "exit_status", "counts", "profiles", "badge", "ending", "mended", "findings", "untried",
    "results",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-11", "RS-CONF-11/L1", "RS-CONF-11/L2")
def test_json(capsys: Capture) -> None:
    words = ("--case", "dcg-00", "--", *IMPLEMENTATION, "exp2")
    report = conform(capsys, *words, status=1)
    assert list(report) == FIELDS
    statuses = [x["status"] for x in report["results"]]
    assert report["counts"] == {"cases": len(statuses), **counts(statuses)}
    assert report["profiles"]["all"] == report["counts"]
    assert list(report["adapter"]) == ["name", "version", "language", "command"]
    assert report["adapter"]["version"] == "1.0"
    assert report["badge"]["color"] == "red"
    assert set(statuses) <= set(STATUSES)
    failed = [x["id"] for x in report["results"] if x["status"] == "fail"]
    assert sorted(failed) == sorted(id_ for f in report["findings"] for id_ in f["cases"])
    assert conform(capsys, "--jobs", "3", *words, status=1) == report


@pytest.mark.spec("RS-CONF-10", "RS-CONF-11")
def test_table(capsys: Capture) -> None:
    words = ("--case", "dcg-000", "--", *IMPLEMENTATION, "exp2")
    printed = output(capsys, "conform", *words, status=1)
    lines = printed.splitlines()
    assert lines[0].startswith("plain 1.0 (Python): ")
    assert "[1] 5 cases: got is what gain=exp2 gives" in lines
    assert lines[-1] == "does not conform: 5 of 9 cases fail"
    assert "    for       nDCG  (made of dcg-0008)" in lines
    assert "              labels [1, 2]" in lines
    assert "    expected  0.8597186998521972" in lines
    assert "    read      RS-GAIN-2, RS-GAIN-1" in lines


@pytest.mark.slow
def test_80_columns(capsys: Capture) -> None:
    printed = output(capsys, "conform", "--", *IMPLEMENTATION, "exp2", "clipped", status=1)
    widest = max(printed.splitlines()[1:], key=len)
    assert len(widest) <= 80, widest


@pytest.mark.spec("RS-CONF-11")
def test_long_data_are_cut_between_numbers() -> None:
    """What is left of a number would be another one."""
    values = [i / 7 for i in range(1, 100)]
    text = compact(values)
    assert text.endswith(", ...")
    assert len(text) <= 300
    shown = text.removeprefix("[").removesuffix(", ...").split(", ")
    assert shown == [repr(x) for x in values[: len(shown)]]
    assert compact([0.5, {"a": "b, c"}]) == '[0.5, {"a": "b, c"}]'
    assert compact("x" * 400) == '"' + "x" * 296 + "..."


@pytest.mark.spec("RS-CONF-11")
def test_no_number_is_broken_by_the_end_of_a_line() -> None:
    values = [i / 7 for i in range(1, 14)]
    lines = wrapped(row("expected", compact(values)), " " * 14)
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    for line in lines:
        assert all(x.strip("[],") in map(repr, values) for x in line.split() if x != "expected")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-11")
def test_junit(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "junit.xml"
    words = ("--case", "dcg-00", "--junit", str(path), "--", *IMPLEMENTATION, "exp2")
    report = conform(capsys, *words, status=1)
    suite = ElementTree.parse(path).getroot()[0]  # noqa: S314
    assert int(suite.attrib["tests"]) == report["counts"]["cases"] == len(suite)
    assert int(suite.attrib["failures"]) == report["counts"]["fail"]
    assert len(suite.findall("testcase/failure")) == report["counts"]["fail"]
    assert len(suite.findall("testcase/skipped")) == report["counts"]["unsupported"]


# ---- Python functions ------------------------------------------------------------------------


@pytest.mark.spec("RS-CONF-9", "RS-CONF-9/L1")
def test_a_function_is_a_program(capsys: Capture) -> None:
    words = ("--case", "dcg-", "--case", "cascade-")
    of_function = conform(capsys, *words, "--python", "tests.conformance.functions:plain")
    of_program = conform(capsys, *words, "--", *IMPLEMENTATION)
    statuses = [[(x["id"], x["status"]) for x in r["results"]] for r in (of_function, of_program)]
    assert statuses[0] == statuses[1]


FUNCTIONS = {
    "half": ("fail", "got 0.5, expected 0.9608081943360616"),
    "not_implemented": ("unsupported", "NotImplementedError: not here"),
    "value_error": ("refused", "ValueError: no"),
    "type_error": ("refused", "TypeError: no"),
    "key_error": ("fail", "error: KeyError: 'x'"),
    "nothing": ("fail", 'the value is null; expected a number, and "NaN" stands for none'),
    "text": ("fail", "error: NoNumber: the function returned str, no number"),
    "array": ("pass", ""),
    "prints": ("pass", ""),
    "reads": ("pass", ""),
    "true": ("fail", "error: NoNumber: the function returned bool, no number"),
    "numpy_true": ("fail", "error: NoNumber: the function returned bool, no number"),
    "mute_error": ("fail", "error: Mute"),
    "exits": ("crashed", "it ended with the exit status 4"),
}


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-9")
@each("name", FUNCTIONS, fast=2)
def test_what_a_function_does(name: str, capsys: Capture) -> None:
    report = conform(
        capsys, "--case", "dcg-0001", "--python", f"tests.conformance.functions:{name}"
    )
    assert status_of(report, "dcg-0001") == FUNCTIONS[name]


@pytest.mark.spec("RS-CONF-9")
@each(
    ("function", "said"),
    [
        (
            "no_such_module:f",
            "there is no module no_such_module (No module named 'no_such_module')",
        ),
        ("json.no:f", "there is no module json.no (No module named 'json.no')"),
        (
            "json.tool.no:f",
            "there is no module json.tool.no (No module named 'json.tool.no'; 'json",
        ),
        (
            "adapter.py:answer",
            "there is no module adapter.py (No module named 'adapter'); adapter.py is a file, its "
            "module is adapter",
        ),
        (
            "./my/adapter.py",
            "./my/adapter.py: expected PKG.MOD:NAME; ./my/adapter.py is a file, its module is "
            "adapter",
        ),
        ("sys:maxsize", "sys:maxsize is no function; it is 9223372036854775807, an int"),
        ("", "expected PKG.MOD:NAME"),
        (".functions:half", ".functions:half: expected PKG.MOD:NAME"),
        (f"{FUNCTIONS_OF}:NAME", f"{FUNCTIONS_OF}:NAME is no function; it is 'functions', a str"),
        (f"{FUNCTIONS_OF}:os", f"{FUNCTIONS_OF}:os is no function; it is <module 'os' "),
        (f"{FUNCTIONS_OF}:Mute", f"{FUNCTIONS_OF}:Mute is no function; it is a class"),
        (f"{FUNCTIONS_OF}:haft", f'{FUNCTIONS_OF} has no haft (did you mean "half"?)'),
        (f"{FUNCTIONS_OF}:half.no", f"{FUNCTIONS_OF} has no half.no; expected PKG.MOD:NAME"),
        (FUNCTIONS_OF, f"{FUNCTIONS_OF} has no adapter; expected PKG.MOD:NAME"),
    ],
    fast=2,
)
def test_a_function_that_is_not_there(function: str, said: str, capsys: Capture) -> None:
    """A wrong call, with the exit status 2: nothing has died."""
    assert f"error: python: {said}" in complaint(capsys, "conform", "--python", function)


@pytest.mark.spec("RS-CONF-9", "RS-CONF-5")
@each(
    ("code", "said"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(2)", "it ended with the exit status 2"),
    ],
    fast=1,
)
def test_a_module_that_cannot_be_imported_has_died(
    code: str, said: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "theirs.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    assert main(["conform", "--python", "theirs:f"]) == 3
    assert said in capsys.readouterr().err
