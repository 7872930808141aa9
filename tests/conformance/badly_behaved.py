"""A program that answers 0.5 to all cases, and to one of them otherwise.

python badly_behaved.py MODE [CASE]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

MODE = sys.argv[1]
CASE = sys.argv[2] if len(sys.argv) > 2 else "dcg-0003"
SLEEPER = "import time; time.sleep(600)"


def say(**message: object) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def ready() -> None:
    if MODE == "slow-start":
        time.sleep(1.5)
    if MODE == "never-ready":
        time.sleep(600)
    if MODE == "exits-at-once":
        sys.stderr.write("no such library\n")
        sys.exit(7)
    if MODE == "wrong-protocol":
        say(type="ready", protocol=99, name="x")
    elif MODE.startswith("protocol-"):
        say(type="ready", protocol=json.loads(MODE.partition("-")[2]), name="x")
    elif MODE == "no-name":
        say(type="ready", protocol=1)
    elif MODE == "chatty-start":
        os.write(1, b"Loading the library ...\n")
    else:
        say(type="ready", protocol=1, name="badly", version="0", language="Python")


def raw(line: bytes) -> None:
    os.write(1, line + b"\n")


def badly(name: str) -> None:
    """What is wrong with the answer to one case."""
    if MODE in RAW:
        raw(RAW[MODE])
    else:
        WRONG[MODE](name)


def hang(_: str) -> None:
    time.sleep(600)


def flood(_: str) -> None:
    while True:
        os.write(1, b"x" * 65536)


def flood_of_lines(_: str) -> None:
    while True:
        os.write(1, b'{"type": "log", "id": "dcg-0002"}\n' * 1000)


def flood_of_objects(_: str) -> None:
    while True:
        os.write(1, b"{}\n" * 1000)


def flood_of_errors(name: str) -> None:
    for _ in range(200):
        os.write(2, b"warning: this is said very often\n" * 1000)
    say(type="value", id=name, value=0.5)


def twice(name: str) -> None:
    line = json.dumps({"type": "value", "id": name, "value": 0.5}).encode()
    os.write(1, line + b"\n" + line + b"\n")


def line_behind(name: str) -> None:
    """A line that names no case, so late that the next case may have been asked."""
    say(type="value", id=name, value=0.5)
    time.sleep(0.1)
    raw(b"computed")


def line_before(name: str) -> None:
    raw(b"computing")
    say(type="value", id=name, value=0.5)


def line_long_before(name: str) -> None:
    raw(b"computing")
    time.sleep(0.1)
    say(type="value", id=name, value=0.5)


def slowly(_: str) -> None:
    """Many lines that name no case, for so long that the next cases are asked meanwhile."""
    for _ in range(8):
        raw(b"computing")
        time.sleep(0.05)


def slowly_behind(name: str) -> None:
    say(type="value", id=name, value=0.5)
    time.sleep(0.05)
    slowly(name)


def nonsense_and_hang(name: str) -> None:
    raw(b"computing")
    hang(name)


def fork_and_hang(_: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", SLEEPER])  # noqa: S603
    sys.stderr.write(f"child {child.pid}\n")
    time.sleep(600)


def fork_and_die(_: str) -> None:
    """The child holds the standard output open."""
    child = subprocess.Popen([sys.executable, "-c", SLEEPER])  # noqa: S603
    sys.stderr.write(f"child {child.pid}\n")
    sys.stderr.flush()
    os._exit(9)


def close_input(_: str) -> None:
    os.close(0)
    time.sleep(600)


def close_output(_: str) -> None:
    os.close(1)
    time.sleep(600)


def abort(_: str) -> None:
    sys.stderr.write("double free or corruption\n")
    sys.stderr.flush()
    os.abort()


WRONG = {
    "hang": hang,
    "flood": flood,
    "flood-of-objects": flood_of_objects,
    "flood-of-lines": flood_of_lines,
    "flood-of-errors": flood_of_errors,
    "twice": twice,
    "line-behind": line_behind,
    "line-behind-and-slow": line_behind,
    "line-before": line_before,
    "line-long-before": line_long_before,
    "lines-slowly": slowly,
    "lines-slowly-behind": slowly_behind,
    "line-and-hang": nonsense_and_hang,
    "fork-and-hang": fork_and_hang,
    "fork-and-die": fork_and_die,
    "close-input": close_input,
    "close-output": close_output,
    "abort": abort,
    "exit": lambda _: os._exit(3),
    "nan": lambda name: say(type="value", id=name, value="NaN"),
    "infinity": lambda name: say(type="value", id=name, value="-Infinity"),
    "word": lambda name: say(type="value", id=name, value="about a half"),
    "list": lambda name: say(type="value", id=name, value=[0.5]),
    "true": lambda name: say(type="value", id=name, value=True),
    "null": lambda name: say(type="value", id=name, value=None),
    "id-before": lambda _: say(type="value", id="dcg-0002", value=0.5),
    "no-value": lambda name: say(type="value", id=name),
    "no-id": lambda _: say(type="value", value=0.5),
    "no-type": lambda name: say(id=name, value=0.5),
    "other-type": lambda name: say(type="result", id=name, value=0.5),
    "other-id": lambda _: say(type="value", id="dcg-9999", value=0.5),
    "bits": lambda name: say(type="value", id=name, value={"bits": "xyz"}),
    "error": lambda name: say(type="error", id=name, reason="a\nb\x1b[31m"),
    "refused": lambda name: say(type="refused", id=name, reason="no labels, please"),
    "unsupported": lambda name: say(type="unsupported", id=name),
    "huge-line": lambda name: say(type="value", id=name, value="0" * (1 << 23)),
    "huge-integer": lambda name: say(type="value", id=name, value=10**4000),
}
RAW = {
    "nonsense": b"0.5",
    "text": b"the value is 0.5",
    "empty": b"",
    "no-utf-8": b"\xff\xfe\x00",
    "bare-nan": b'{"type": "value", "id": "dcg-0003", "value": NaN}',
    "array": b"[1, 2]",
    "deep": b"[" * 100_000,
    "digits": b"1" * 10_000,
    "control": b"\x1b]0;title\x07 {",
}


def half(name: str) -> None:
    if MODE == "twice-late" and name == "dcg-0004":
        say(type="value", id=CASE, value=0.5)
    if MODE == "line-behind-and-slow":
        time.sleep(0.2)
    say(type="value", id=name, value=0.5)
    if MODE == "twice-after-all" and name == "dcg-0004":
        say(type="value", id=CASE, value=0.5)


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "start":
            ready()
        elif asked["type"] == "stop":
            if MODE == "twice-at-stop":
                say(type="value", id=CASE, value=0.5)
            if MODE == "fails-at-stop":
                sys.exit("no id")
            if MODE == "hang-at-stop":
                time.sleep(600)
            sys.exit(5 if MODE == "exit-5-at-stop" else 0)
        elif asked["id"] == CASE and (MODE in WRONG or MODE in RAW):
            badly(asked["id"])
        elif MODE == "unsupported-all":
            say(type="unsupported", id=asked["id"], reason="nothing is offered")
        elif MODE == "abort-all":
            os.abort()
        else:
            half(asked["id"])


if __name__ == "__main__":
    main()
