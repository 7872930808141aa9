"""Programs that crash, hang, flood and lie: each is bounded, reported, and gone on from."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankspec.analysis.conformance.adapters import MOST_STRAYS, Program
from rankspec.analysis.conformance.cases import vectors
from rankspec.analysis.conformance.process import CHUNK, LONGEST_LINE, Child
from rankspec.analysis.conformance.protocol import start
from rankspec.cli.main import main

from ..each import each
from .running import BADLY, conform, status_of

Capture = pytest.CaptureFixture[str]
FEW = ("--case", "dcg-0002", "--case", "dcg-0003", "--case", "dcg-0004")

NONSENSE = {
    "nonsense": 'expected a JSON object, got the line "0.5"',
    "text": 'the line is not JSON: "the value is 0.5"',
    "empty": 'the line is not JSON: ""',
    "no-utf-8": 'the line is not UTF-8: "\\xff\\xfe\\x00"',
    "bare-nan": 'NaN is not JSON; send the string "NaN"',
    "array": 'expected a JSON object, got the line "[1, 2]"',
    "deep": f'the line is nested too deep, of some hundred levels: "{"[" * 60}..."',
    "digits": f'an integer of the line has more than 4300 digits: "{"1" * 60}..."',
    "control": 'the line is not JSON: "\\x1b]0;title\\x07 {"',
    "nan": "got nan, expected 7.1409951840957",
    "infinity": "got -inf, expected 7.1409951840957",
    "word": 'the value is "about a half"; expected a number',
    "list": "the value is [0.5]; expected a number",
    "true": "the value is true; expected a number",
    "null": 'the value is null; expected a number, and "NaN" stands for none',
    "no-value": '"value" is missing',
    "no-id": '"id" is missing',
    "no-type": "the type is missing; expected value, unsupported, refused, error",
    "other-type": 'the type is "result"; expected value, unsupported, refused, error',
    "other-id": 'the id is "dcg-9999"; expected dcg-0003',
    "bits": '"bits" is "xyz"; expected 16 hexadecimal digits',
    "twice": "the case was answered twice, second by "
    '"{"type": "value", "id": "dcg-0003", "value": 0.5}"',
    "error": "error: a b\\x1b[31m",
    "huge-integer": "the value is an integer beyond the range of a double",
}


@pytest.mark.spec("RS-CONF-1", "RS-CONF-1/L1", "RS-CONF-2")
@each("mode", NONSENSE, fast=2)
def test_nonsense_fails_the_case_alone(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, mode, status=1)
    assert status_of(report, "dcg-0003") == ("fail", NONSENSE[mode])
    assert status_of(report, "dcg-0002")[1].startswith("got 0.5, expected")
    assert status_of(report, "dcg-0004")[1].startswith("got 0.5, expected")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-1", "RS-CONF-1/L1")
@each("mode", ["twice-late", "twice-after-all", "twice-at-stop"])
def test_a_second_answer_fails_its_case_however_late(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, mode)
    assert status_of(report, "dcg-0003") == ("fail", NONSENSE["twice"])
    for other in ("dcg-0002", "dcg-0004"):
        assert status_of(report, other)[1].startswith("got 0.5, expected")


@pytest.mark.spec("RS-CONF-1", "RS-CONF-1/L1")
@each(
    ("mode", "why"),
    [
        ("line-behind", 'a line behind the answer: the line is not JSON: "computed"'),
        ("line-behind-and-slow", 'a line behind the answer: the line is not JSON: "computed"'),
        ("line-before", 'the line is not JSON: "computing"'),
        ("line-long-before", 'the line is not JSON: "computing"'),
    ],
    fast=1,
)
def test_a_line_that_names_no_case_fails_the_one_that_it_is_written_for(
    mode: str, why: str, capsys: Capture
) -> None:
    """Before the answer to a case, or so late behind it that the next one is asked."""
    report = conform(capsys, *FEW, "--", *BADLY, mode)
    assert status_of(report, "dcg-0003") == ("fail", why)
    for other in ("dcg-0002", "dcg-0004"):
        assert status_of(report, other)[1].startswith("got 0.5, expected")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-1", "RS-CONF-1/L1")
@each(
    ("mode", "why"),
    [
        ("lines-slowly", 'the line is not JSON: "computing"'),
        ("lines-slowly-behind", 'a line behind the answer: the line is not JSON: "computing"'),
        ("line-and-hang", 'the line is not JSON: "computing"'),
    ],
)
def test_many_lines_that_come_slowly_fail_no_other_case(
    mode: str, why: str, capsys: Capture
) -> None:
    words = ("--case", "dcg-000", "--case", "dcg-001", "--timeout", "3")
    report = conform(capsys, *words, "--", *BADLY, mode)
    assert status_of(report, "dcg-0003") == ("fail", why)
    others = [x for x in report["results"] if x["id"] != "dcg-0003" and x["status"] != "pass"]
    assert len(others) > 15
    assert all(x["why"].startswith("got 0.5, expected") for x in others), others


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-1", "RS-CONF-6/L1")
def test_lines_that_name_no_case_start_a_program_anew_so_often_at_most(tmp_path: Path) -> None:
    """Nonsense in the place of all answers: what is asked and started is bounded."""
    starts = tmp_path / "starts"
    program = Program([sys.executable, "-c", ALL_NONSENSE, str(starts)], start("2", "all", "close"))
    program.start()
    for case in vectors()[:60]:
        assert program.ask(case).reason == 'expected a JSON object, got the line "0.5"'
    program.kill()
    assert len(starts.read_text()) == MOST_STRAYS + 1


ALL_NONSENSE = """
import json, sys
with open(sys.argv[1], "a") as file:
    file.write("x")
for line in sys.stdin:
    ready = json.dumps({"type": "ready", "protocol": 1, "name": "x"})
    print(ready if json.loads(line)["type"] == "start" else 0.5, flush=True)
"""


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-1")
def test_the_id_of_the_case_before(capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--timeout", "1", "--", *BADLY, "id-before")
    assert status_of(report, "dcg-0003") == (
        "timeout",
        'no answer within 1 seconds; the id is "dcg-0002"; expected dcg-0003',
    )
    assert status_of(report, "dcg-0002")[1].startswith("the case was answered twice, second by ")
    assert status_of(report, "dcg-0004")[1].startswith("got 0.5, expected")


CRASHES = {
    "abort": "it was killed by the signal SIGABRT; it said: double free or corruption",
    "exit": "it ended with the exit status 3",
    "close-output": "it closed its standard output",
    "fork-and-die": "it ended with the exit status 9; it said: child ",
    "flood": "a line of more than 4 MiB",
    "huge-line": "a line of more than 4 MiB",
    "flood-of-objects": "more than 1000 lines for one case",
    "flood-of-lines": "more than 1000 lines for one case",
}


@pytest.mark.spec("RS-CONF-6", "RS-CONF-6/L1", "RS-CONF-5")
@each("mode", CRASHES, fast=1)
def test_a_program_that_dies_is_started_again(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--timeout", "20", "--", *BADLY, mode, status=3)
    status, why = status_of(report, "dcg-0003")
    assert status == "crashed"
    assert why.startswith(CRASHES[mode])
    assert status_of(report, "dcg-0004")[1].startswith("got 0.5, expected")


@pytest.mark.slow
@pytest.mark.spec("RS-CONF-6", "RS-CONF-6/L1")
@each("mode", ["hang", "fork-and-hang", "close-input"], fast=1)
def test_a_time_out(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--timeout", "1", "--", *BADLY, mode)
    status, why = status_of(report, "dcg-0003")
    assert (status, report["exit_status"]) == ("timeout", 1)
    assert why.startswith("no answer within 1 seconds")
    assert status_of(report, "dcg-0004")[0] == "fail"


@pytest.mark.slow
def test_input_that_is_closed_and_asked_on(capsys: Capture) -> None:
    """The next case cannot be sent: it is not waited for until the time-out."""
    begun = time.monotonic()
    words = ("--case", "dcg-0001", "--case", "dcg-0005", "--timeout", "60")
    report = conform(capsys, *words, "--", sys.executable, "-c", CLOSES_AND_ANSWERS, status=3)
    assert time.monotonic() - begun < 50
    assert status_of(report, "dcg-0005") == ("crashed", "it closed its standard input")


CLOSES_AND_ANSWERS = """
import json, os, time
def read():
    line = b""
    while not line.endswith(b"\\n"):
        line += os.read(0, 1)
    return json.loads(line)
def say(**message):
    os.write(1, json.dumps(message).encode() + b"\\n")
read()
say(type="ready", protocol=1, name="x")
name = read()["id"]
os.close(0)
say(type="value", id=name, value=0.5)
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc: Linux has it")
@pytest.mark.spec("RS-CONF-6/L2")
@each("mode", ["fork-and-hang", "fork-and-die"], fast=1)
def test_what_a_program_has_started_dies_with_it(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--timeout", "1", "--", *BADLY, mode)
    [pid] = re.findall(r"child ([0-9]+)", status_of(report, "dcg-0003")[1])
    for _ in range(100):
        if not is_running(int(pid)):
            break
        time.sleep(0.05)
    assert not is_running(int(pid))


HANGING = f"{sys.executable} {{pids}}/hang.py {{qrels}} {{run}}"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc: Linux has it")
@pytest.mark.spec("RS-CONF-6")
@each(
    ("number", "words"),
    [
        (signal.SIGTERM, ["--trec", HANGING]),
        (signal.SIGTERM, ["--jobs", "2", "--python", "hang:answer"]),
        (signal.SIGHUP, ["--python", "hang:answer"]),
        (signal.SIGTERM, ["--jobs", "2", "--trec", HANGING]),
    ],
    fast=2,
)
def test_a_signal_ends_all(number: signal.Signals, words: list[str], tmp_path: Path) -> None:
    folder = tmp_path / f"{number.name}{len(words)}{words[-1][:4]}".replace("/", "")
    (folder / "tmp").mkdir(parents=True)
    (folder / "hang.py").write_text(HANGS)
    words = [word.replace("{pids}", str(folder)) for word in words]
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    environment["PYTHONPATH"] = f"{folder}:{environment.get('PYTHONPATH', '')}"
    runner = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "rankspec", "conform", "--timeout", "60", *words],
        env=environment,
        stderr=subprocess.DEVNULL,
        # Under nohup SIGHUP is ignored, which the runner leaves as it is.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    )
    programs = 2 if "--jobs" in words else 1
    for _ in range(600):
        if len(pids := [*folder.glob("*.pid")]) == programs:
            break
        time.sleep(0.05)
    assert len(pids) == programs
    runner.send_signal(number)
    assert runner.wait(20) == 128 + number
    assert not any(is_running(int(path.stem)) for path in pids)
    assert not list((folder / "tmp").iterdir())


HANGS = """
import os, pathlib, time
def answer(_):
    folder = pathlib.Path(__file__).parent
    (folder / f"{os.getpid()}.pid").touch()
    time.sleep(600)
if __name__ == "__main__":
    answer(None)
"""


@each("mode", ["flood-of-errors", "slow-start"])
@pytest.mark.slow
def test_what_is_no_fault(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, mode, status=1)
    assert status_of(report, "dcg-0003")[1].startswith("got 0.5, expected")


@pytest.mark.slow
def test_a_program_that_dies_of_all(capsys: Capture) -> None:
    """It is not started for ever."""
    report = conform(capsys, "--case", "dcg-00", "--", *BADLY, "abort-all", status=3)
    assert report["counts"]["crashed"] == report["counts"]["cases"] > 40
    assert report["results"][-1]["why"] == "not asked: it had died 20 times"


READY = "expected: the message ready"
NOT_READY = {
    "exits-at-once": f"it ended with the exit status 7; it said: no such library ({READY})",
    "wrong-protocol": f'"protocol" is 99; this runner speaks 1 ({READY})',
    "protocol-true": f'"protocol" is true; this runner speaks 1 ({READY})',
    "protocol-1.0": f'"protocol" is 1.0; this runner speaks 1 ({READY})',
    "no-name": f'"name" is missing: what the implementation is called ({READY})',
    "chatty-start": f'the line is not JSON: "Loading the library ..." ({READY}; all else goes to '
    "the standard error)",
    "never-ready": f"it was not ready within 1.2 seconds ({READY}; it must be flushed, as each "
    "line)",
}


@pytest.mark.spec("RS-CONF-1", "RS-CONF-5")
@each("mode", NOT_READY, fast=2)
def test_a_program_that_is_never_ready(mode: str, capsys: Capture) -> None:
    assert (
        main(["conform", "--timeout", "0.2" if mode == "never-ready" else "20", "--", *BADLY, mode])
        == 3
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (f"rankspec: error: the program was not ready to be asked: {NOT_READY[mode]}\n")


@pytest.mark.spec("RS-CONF-5")
def test_a_program_that_ends_badly(capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, "exit-5-at-stop", status=3)
    assert report["ending"] == "it ended with the exit status 5 after the stop"
    report = conform(capsys, *FEW, "--", *BADLY, "fails-at-stop", status=3)
    assert report["ending"] == "it ended with the exit status 1 after the stop; it said: no id"


@pytest.mark.slow
def test_a_program_that_does_not_stop(capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, "hang-at-stop", status=3)
    assert report["ending"] == "it did not end within 5 seconds after the stop"


@pytest.mark.spec("RS-CONF-5")
@each("mode", ["refused", "unsupported"], fast=1)
def test_what_a_program_says_itself(mode: str, capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, mode, status=1)
    assert status_of(report, "dcg-0003")[0] == mode


@pytest.mark.spec("RS-CONF-5", "RS-CONF-5/L1")
def test_what_offers_nothing_does_not_conform(capsys: Capture) -> None:
    report = conform(capsys, *FEW, "--", *BADLY, "unsupported-all", status=1)
    assert (report["counts"]["unsupported"], report["conforms"]) == (3, False)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_jobs_change_nothing(jobs: str, capsys: Capture) -> None:
    one = conform(capsys, "--case", "dcg-000", "--", *BADLY, "nan")
    assert conform(capsys, "--case", "dcg-000", "--jobs", jobs, "--", *BADLY, "nan") == one


def open_files() -> int:
    """Return how many files are open, but for those that the collector of garbage would close."""
    gc.collect()
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0  # noqa: PTH208


def test_no_file_is_left_open(capsys: Capture) -> None:
    before = open_files()
    conform(capsys, *FEW, "--", *BADLY, "abort")
    assert open_files() == before


@pytest.mark.spec("RS-CONF-6")
def test_no_more_of_an_endless_line_is_kept_than_is_refused() -> None:
    """A program that has ended may have left another that writes on; what that writes is read."""
    child = Child([sys.executable, "-c", "import os\nwhile True: os.write(1, bytes(2**16))"])
    try:
        for _ in range(200):
            child._turn(10)
        [line] = child.rest()
        assert LONGEST_LINE < len(line) <= LONGEST_LINE + CHUNK
    finally:
        child.kill()
