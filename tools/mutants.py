"""Plants mutations, one at a time, and lists those that no test finds: tests that cannot fail.

    python tools/mutants.py --seed 1 --count 100 --output before.jsonl
    python tools/mutants.py --again before.jsonl      the same mutants, after a change of the tests

A mutation is one change of the package's Python or of its C: an operator, a number, a branch, a
statement. All happens in a copy of the checkout. The tests that run are those that execute the
line, as was measured (build/mutants.jsonl, some half an hour where sources have changed; where only
tests have, these alone are measured anew), in the fast lane. Each mutant is

    killed       by the test that is named
    timed out    killed too: the test that is named did not end
    survived     all tests that execute it pass
    unreached    no test of the fast lane executes it: a survivor, too
    gone         its line is no longer there (--again)

The exit code is 1 if a mutant lives that had died (--again), else 0.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields
from itertools import islice, product
from pathlib import Path

from mutation import c, python
from mutation.places import Mutant, draw, mutants_of
from mutation.reach import Reach, batches, measured, reaching
from mutation.tree import NoMutant, Tree

ROOT = Path(__file__).resolve().parent.parent

LANGUAGES = {
    "python": ("pyref/rankspec/", (".py",), python.places),
    "c": ("csrc/", (".c", ".h"), c.places),
}
NOT_MUTATED = ("csrc/discount_log2.h", "csrc/gain_exp2.h", "csrc/examples/", "csrc/wasm/")
DEAD, ALIVE = ("killed", "timed out"), ("survived", "unreached")


@dataclass(frozen=True)
class Verdict:
    """The fate of a mutant, the test that decided it, and the test files that ran, by lane."""

    verdict: str
    by: str = ""
    seconds: float = 0
    ran: tuple[str, ...] = ()


def by_line(tree: Tree, only: str, languages: Sequence[str]) -> dict[str, list[list[Mutant]]]:
    """Return the mutants of each language, line by line, of the files at or below a path."""
    mutants: dict[str, list[list[Mutant]]] = {language: [] for language in languages}
    for name in tree.files:
        path = Path(name)
        for language, (folders, endings, places) in LANGUAGES.items():
            if (
                language in languages
                and path.suffix in endings
                and name.startswith(folders)
                and path.is_relative_to(only)
                and not name.startswith(NOT_MUTATED)
            ):
                text = (tree.path / name).read_text("utf-8")
                mutants[language] += mutants_of(name, text, places(text))
    return mutants


def judge(
    tree: Tree, mutant: Mutant, reaches: Sequence[Reach], timeout: float | None, slow: bool = False
) -> Verdict:
    """Run the tests that execute a mutant until one fails. Raises NoMutant if there is none."""
    begun = time.monotonic()
    ran: list[str] = []
    tests = reaching(reaches, mutant)
    verdict, by = (
        ("survived", f"test files that pass: {len(tests)}") if tests else ("unreached", "")
    )
    with tree.planted(mutant):
        for lane, batch in product(("fast", "slow") if slow else ("fast",), list(batches(tests))):
            patience = 3 if lane == "fast" else 60
            limit = timeout or 30 + patience * sum(x.seconds for x in batch)
            failing = [f"--deselect={test}" for x in batch for test in x.failing]
            run = tree.run([x.test for x in batch], limit, "-x", "--lane", lane, *failing)
            ran += [f"{lane} {x.test}" for x in batch]
            if run.fault:
                verdict = "timed out" if run.fault == "timed out" else "killed"
                died = f" ({run.fault})" if run.fault.startswith("died") else ""
                by = (" ".join(run.failed) or "the start of the tests") + died
                break
    return Verdict(verdict, by, round(time.monotonic() - begun, 1), tuple(ran))


def judged(
    tree: Tree, mutants: Iterable[Mutant], reaches: Sequence[Reach], o: argparse.Namespace
) -> Iterator[tuple[Mutant, Verdict]]:
    """Yield mutants with their verdicts; of drawn ones, only those that are another program."""
    for mutant in mutants:
        file = tree.path / mutant.file
        moved = mutant.moved(file.read_text("utf-8")) if file.exists() else None
        try:
            verdict = judge(tree, moved, reaches, o.timeout, o.slow) if moved else Verdict("gone")
        except NoMutant as reason:
            print(f"no mutant: {mutant}: {reason}", file=sys.stderr)
            if not o.again:
                continue
            verdict = Verdict("gone")
        yield moved or mutant, verdict


def arguments() -> argparse.Namespace:
    head, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=head, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="how many mutants; default: 100")
    parser.add_argument("--only", default="", metavar="PATH", help="mutants of this file or folder")
    language = parser.add_mutually_exclusive_group()
    language.add_argument("--python-only", action="store_true")
    language.add_argument("--c-only", action="store_true")
    parser.add_argument(
        "--slow", action="store_true", help="run the slow lane of the same files on survivors, too"
    )
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="of a run of tests; default: as measured"
    )
    parser.add_argument("--output", type=Path, metavar="FILE.jsonl", help="a line for each mutant")
    parser.add_argument("--again", type=Path, metavar="FILE.jsonl", help="the mutants of an output")
    options = parser.parse_args()
    if not (ROOT / options.only).exists():
        parser.error(f"--only: there is no {options.only}")
    return options


def stop(*_: object) -> None:
    """End as Ctrl-C does: the tests are ended and the copy is deleted."""
    sys.exit(143)


def check(tree: Tree, reaches: Sequence[Reach]) -> None:
    """End the program if tests fail without a mutant, as each mutant would seem killed."""
    for test in (test for reach in reaches for test in reach.failing):
        print(f"left out, as it fails in a copy without a mutation: {test}", file=sys.stderr)
    quickest = min((x for x in reaches if not x.failing), key=lambda x: x.seconds)
    run = tree.run([quickest.test], 300, "--lane", "fast")
    if run.fault:
        sys.exit(f"{quickest.test} fails without a mutation: {run.fault} {' '.join(run.failed)}")


def main() -> int:
    o = arguments()
    signal.signal(signal.SIGTERM, stop)
    languages = ["python"] * (not o.c_only) + ["c"] * (not o.python_only)
    rows = [json.loads(x) for x in o.again.read_text("utf-8").splitlines()] if o.again else []
    names = [field.name for field in fields(Mutant)]
    earlier = [Mutant(**{name: row[name] for name in names}) for row in rows]
    verdicts_before = (row["verdict"] for row in rows)
    alive, revived, verdicts = [], [], Counter[str]()
    output = o.output.open("w", encoding="utf-8") if o.output else nullcontext()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, output as file:
        tree = Tree(ROOT, Path(folder))
        tree.build("plain")
        reaches = measured(tree, ROOT / "build/mutants.jsonl")
        check(tree, reaches)
        mutants = earlier if o.again else draw(by_line(tree, o.only, languages), o.seed)
        some = islice(judged(tree, mutants, reaches, o), len(rows) if o.again else o.count)
        for mutant, verdict in some:
            word, before = verdict.verdict, next(verdicts_before, "")
            print(f"{word:9} {verdict.seconds:6.1f} s  {mutant}  {verdict.by}", flush=True)
            if file:
                print(json.dumps(asdict(mutant) | asdict(verdict)), file=file, flush=True)
            verdicts[word] += 1
            alive += [f"{word}: {mutant}\n    {mutant.text.strip()}"] if word in ALIVE else []
            revived += [mutant] if word in ALIVE and before in DEAD else []
    print("\n" + ", ".join(f"{count} {word}" for word, count in verdicts.items()), *alive, sep="\n")
    for mutant in revived:
        print(f"had died, and lives: {mutant}")
    return 1 if revived else 0


if __name__ == "__main__":
    sys.exit(main())
