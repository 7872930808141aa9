"""Check proofs/ with Coq: compile each file, and ask what each of its statements assumes.

    python tools/prove.py          how long each file took; exits with 1 and says what is wrong
    python tools/prove.py --list   the definitions and laws of the spec that Coq has, by their names

The files are those of proofs/_CoqProject, in its order, and are compiled in a temporary folder. The
comments that name an ID of the spec say what is checked (tools/trace.py): "Print Assumptions" of
these statements may list the axioms of Coq's real numbers, and nothing else. So a proof
that is not finished, or an axiom of our own, is found wherever a statement rests on it; the words
that would begin one are refused anyway.

It needs Coq 8.16: apt-get install coq libcoq-interval
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parents[1]
ALLOWED = {
    "Classical_Prop.classic",
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
"""The axioms that Coq's real numbers stand on."""

REFUSED = re.compile(
    r"\b(Admitted|admit|give_up|Admit|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?"
    r"|Declare|bypass_check|Unset)\b"
)
COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
NOTHING = "Closed under the global context"
TIMEOUT = 300
TOGETHER = 200
"""How many statements Coq is asked about at once."""


class NotProved(Exception):
    """Says what is wrong with the proofs, by file and line or by name."""


def _trace() -> ModuleType:
    # By its path: "trace" is also a module of the standard library.
    spec = importlib.util.spec_from_file_location("rankspec_trace", HERE / "tools/trace.py")
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = sys.modules["rankspec_trace"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


trace = sys.modules.get("rankspec_trace") or _trace()


def files(folder: Path) -> list[str]:
    """Return the names of the files to compile, in order; each file of the folder is one."""
    lines = (folder / "_CoqProject").read_text("utf-8").splitlines()
    names = [line for line in lines if line.endswith(".v")]
    if forgotten := {path.name for path in folder.glob("*.v")} ^ set(names):
        raise NotProved(f"proofs/_CoqProject and the folder differ: {', '.join(sorted(forgotten))}")
    return names


def refused(folder: Path) -> Iterator[str]:
    """Return the lines that begin something unproved."""
    for path in sorted(folder.glob("*.v")):
        text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), path.read_text("utf-8"))
        for number, line in enumerate(text.splitlines(), start=1):
            if word := REFUSED.search(line):
                yield f"proofs/{path.name}:{number}: {word[0]} is refused"


def coqc(name: str, folder: Path, *options: str, timeout: float = TIMEOUT) -> str:
    """Compile one file of a folder; return what Coq prints."""
    done = subprocess.run(
        ["coqc", "-q", *options, "-Q", ".", "Rankspec", name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    if done.returncode:
        raise NotProved(f"proofs/{name} does not compile:\n{done.stderr.strip()}")
    return done.stdout


def coqc_text(name: str, text: str, folder: Path, *options: str, timeout: float = TIMEOUT) -> str:
    """Write a file in a folder and compile it; return what Coq prints."""
    (folder / name).write_text(text, "utf-8")
    return coqc(name, folder, *options, timeout=timeout)


def statements(folder: Path) -> dict[str, str]:
    """Return {a name in Coq, as Dcg.DCG_6_L1: the ID above it}, in the order of the files."""
    return {
        f"{path.stem}.{cited.place.name}": cited.id
        for path in sorted(folder.glob("*.v"))
        for cited in trace.in_proofs(path.read_text("utf-8"), path.name)
    }


def axioms(printed: str) -> set[str]:
    """Return the names that one answer of "Print Assumptions" lists.

    An answer of any other form is returned as it stands, which no list of axioms allows.
    """
    head, _, rest = printed.strip().partition("\n")
    if head == NOTHING and not rest:
        return set()
    if head != "Axioms:":
        return {printed.strip()}
    names = [line for line in rest.splitlines() if not line.startswith(" ")]
    return {re.sub(r"\s+:(\s.*)?$", "", name) for name in names}


def assumed(names: list[str], folder: Path) -> set[str]:
    """Return the axioms that these statements stand on, by Coq's own answers."""
    parts = [names[i : i + TOGETHER] for i in range(0, len(names), TOGETHER)]
    return {axiom for part in parts for axiom in assumed_together(part, folder)}


def assumed_together(names: list[str], folder: Path) -> set[str]:
    modules = sorted({name.partition(".")[0] for name in names})
    together = ",\n  ".join(f"@{name}" for name in names)
    lines = [
        f"From Rankspec Require {' '.join(modules)}.",
        f"Definition all := ({together}).",
        "Print Assumptions all.",
    ]
    return axioms(coqc_text("Assumptions.v", "\n".join([*lines, ""]), folder))


def compile_all(
    source: Path, folder: Path, say: bool = False, only: Sequence[str] = (), within: str = ""
) -> None:
    """Compile the files of a folder in another, in order.

    only: of these files; within: where they stand in the other folder, as "core/"
    """
    (folder / within).mkdir(exist_ok=True)
    for name in only or files(source):
        begun = time.monotonic()
        shutil.copy(source / name, folder / within)
        coqc(f"{within}{name}", folder)
        if say:
            print(f"{within}{name:16}{time.monotonic() - begun:6.1f} s", flush=True)


def without_unknown_axioms(root: Path, folder: Path) -> dict[str, str]:
    """Return the statements of a tree that is compiled in a folder. Raises NotProved."""
    found = statements(root / "proofs")
    unknown = assumed(list(found), folder) - ALLOWED
    if not unknown:
        return found
    problems = [  # one at a time takes half a second each
        f"{name} ({id_}) assumes {axiom}"
        for name, id_ in found.items()
        for axiom in sorted(assumed([name], folder) & unknown)
    ]
    raise NotProved("\n".join(problems))


def prove(root: Path = HERE, say: bool = False) -> dict[str, str]:
    """Prove all; return the statements. Raises NotProved."""
    source = root / "proofs"
    if problems := [*refused(source), *trace.wrong_proofs(root)]:
        raise NotProved("\n".join(problems))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        compile_all(source, folder, say)
        begun = time.monotonic()
        found = without_unknown_axioms(root, folder)
        if say:
            print(f"{'assumptions':16}{time.monotonic() - begun:6.1f} s")
    return found


def status_of(proved: Callable[[], str]) -> int:
    """Print what is proved, or why it is not; return the exit status."""
    if not shutil.which("coqc"):
        print("coqc is not installed: apt-get install coq libcoq-interval", file=sys.stderr)
        return 1
    try:
        print(proved())
    except NotProved as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Check proofs/ with Coq.")
    parser.add_argument("root", nargs="?", type=Path, default=HERE, help="the repository")
    parser.add_argument("--list", action="store_true", help="list what is stated, without proving")
    arguments = parser.parse_args()
    if arguments.list:
        for name, id_ in statements(arguments.root / "proofs").items():
            print(f"{id_:16}{name}")
        return 0

    def proved() -> str:
        ids = prove(arguments.root, say=True).values()
        laws = sum("/" in id_ for id_ in ids)
        return f"{laws} theorems of laws and {len(ids) - laws} other statements, no unknown axiom"

    return status_of(proved)


if __name__ == "__main__":
    sys.exit(main())
