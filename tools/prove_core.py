"""Check proofs/core/ with Coq: what the C core does with integers, and its table of discounts.

    python tools/prove_core.py           the files, what they assume, and some entries of the table
    python tools/prove_core.py --table   all 4,096 entries of the table, which takes a minute

The files are those of proofs/core/_CoqProject, in its order. They are checked as tools/prove.py
checks those of the spec: all is compiled, and "Print Assumptions" of the statements may list the
axioms of Coq's real numbers, and nothing else. The table is read from csrc/discount_log2.h and
written to a file of Coq, in a temporary folder (RS-NUM-4).
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isqrt
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE / "tools"))

import prove as prover  # noqa: E402

SOME_RANKS = (1, 2, 3, 4, 6, 7, 8, 10, 63, 64, 100, 1000, 2047, 4095, 4096)
"""Ranks whose entries are checked one by one: powers of two, and others."""


def sources(root: Path) -> list[str]:
    """Return the files of proofs/core/, in the order in which they need each other."""
    return prover.files(root / "proofs/core")


def statements(root: Path) -> dict[str, str]:
    """Return {a name in Coq, as Sums.NUM_6_L1: the ID above it}."""
    return prover.statements(root / "proofs/core")


@contextmanager
def compiled(root: Path, say: bool = False, only: Sequence[str] = ()) -> Iterator[Path]:
    """A temporary folder with the compiled files, or with only some of them."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prover.compile_all(root / "proofs/core", folder, say, only, within="core/")
        yield folder


def check_axioms(names: list[str], folder: Path) -> None:
    """Raise NotProved if these statements stand on an axiom that is not one of Coq's reals."""
    if unknown := prover.assumed(names, folder) - prover.ALLOWED:
        raise prover.NotProved(f"proofs/core/ assumes {', '.join(sorted(unknown))}")


def table(root: Path) -> list[int]:
    """Return the entries of csrc/discount_log2.h, from rank 1 on."""
    text = (root / "csrc/discount_log2.h").read_text("utf-8")
    parts = {}
    for part in ("low", "high"):
        array = re.search(rf"log2_{part}\[\d+\] = \{{(.*?)\}}", text, re.DOTALL)
        if array is None:
            raise prover.NotProved(f"csrc/discount_log2.h has no array log2_{part}")
        parts[part] = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", array[1])]
    return [high << 32 | low for high, low in zip(parts["high"], parts["low"], strict=True)]


def least_factor(n: int) -> int:
    """Return the least prime factor of n > 1."""
    return next((p for p in range(2, isqrt(n) + 1) if n % p == 0), n)


HEAD = """\
Require Import ZArith List.
Import ListNotations.
From Rankspec.core Require Import Discount.
Open Scope Z_scope.
"""


def entries_in_coq(entries: dict[int, int]) -> str:
    """Return the term of Coq that is true of right entries, by rank."""
    listed = "; ".join(f"({i}, {D})" for i, D in entries.items())
    return f"check_entries [{listed}]"


def table_in_coq(entries: Sequence[int]) -> str:
    """Return the term of Coq that is true of a right table, from rank 1 on."""
    listed = "; ".join(f"({least_factor(i + 1)}, {D})" for i, D in enumerate(entries, start=1))
    return f"check_table [{listed}]"


def check_entries(entries: dict[int, int], folder: Path) -> None:
    """Prove single entries, by rank, one logarithm for each."""
    _check("Entries", entries_in_coq(entries), "NUM_4_L1_log2_entries", folder)


def check_table(entries: Sequence[int], folder: Path) -> None:
    """Prove a table from rank 1 on; the logarithm of a product is a sum of two before it."""
    _check("Table", table_in_coq(entries), "NUM_4_L1_log2", folder)


def _check(name: str, checked: str, theorem: str, folder: Path) -> None:
    proof = f"Proof. vm_cast_no_check (eq_refl true). Qed.\nDefinition all := {theorem} _ right."
    source = f"{HEAD}Theorem right : {checked} = true.\n{proof}\nPrint Assumptions all.\n"
    if unknown := prover.axioms(prover.coqc_text(f"{name}.v", source, folder)) - prover.ALLOWED:
        raise prover.NotProved(f"the table assumes {', '.join(sorted(unknown))}")


def check(root: Path, folder: Path, say: bool = False, whole_table: bool = False) -> dict[str, str]:
    """Check the axioms and the table in a folder that has all compiled; return the statements."""
    named = statements(root)
    check_axioms(list(named), folder)
    begun = time.monotonic()
    entries = table(root)
    if whole_table:
        check_table(entries, folder)
    else:
        check_entries({i: entries[i - 1] for i in SOME_RANKS}, folder)
    if say:
        print(f"{'the table':21}{time.monotonic() - begun:6.1f} s")
    return named


def prove(root: Path = HERE, say: bool = False, whole_table: bool = False) -> dict[str, str]:
    """Prove all; return the statements. Raises NotProved."""
    if problems := list(prover.refused(root / "proofs/core")):
        raise prover.NotProved("\n".join(problems))
    with compiled(root, say) as folder:
        return check(root, folder, say, whole_table)


def main() -> int:
    parser = argparse.ArgumentParser(description="Check proofs/core/ with Coq.")
    parser.add_argument("--table", action="store_true", help="all entries of the table, not some")
    arguments = parser.parse_args()

    def proved() -> str:
        named = prove(say=True, whole_table=arguments.table)
        return f"{len(named)} statements, no unknown axiom"

    return prover.status_of(proved)


if __name__ == "__main__":
    sys.exit(main())
