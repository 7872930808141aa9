"""The proofs of proofs/core/ are checked by Coq, and a slack or an entry one off is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from .compiled_proofs import COQ, ROOT
from .modules import module_of

core: Any = module_of(ROOT / "tools/prove_core.py", "rankspec_prove_core")
prover: Any = core.prover


@COQ
@pytest.mark.slow
def test_all_is_proved() -> None:
    """Half a minute of processor time, and some entries of the table."""
    assert len(core.prove(ROOT)) > 30


@COQ
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.spec("RS-NUM-4/L1")
def test_each_entry_of_the_table_is_proved() -> None:
    """A minute of processor time."""
    entries = core.table(ROOT)
    assert len(entries) == 4096
    with core.compiled(ROOT, only=["Discount.v"]) as folder:
        core.check_table(entries, folder)


@COQ
@pytest.mark.slow
@pytest.mark.spec("RS-NUM-4/L1")
def test_an_entry_one_off_is_refused() -> None:
    entries = core.table(ROOT)
    with core.compiled(ROOT, only=["Discount.v"]) as folder:
        core.check_table(entries[:10], folder)
        for rank in (1, 2, 7, 10):
            for off in (-1, 1):
                wrong = entries[rank - 1] + off
                with pytest.raises(prover.NotProved):
                    core.check_entries({rank: wrong}, folder)
                with pytest.raises(prover.NotProved):
                    core.check_table([*entries[: rank - 1], wrong], folder)


PLANTED = {
    # what is planted: (file, text, its replacement, the file that then fails)
    "a cut adds 1": ("Model.v", "narrowed_by 2.", "narrowed_by 1.", "Numerics.v"),
    "a sum of 128 bits is aligned": ("Model.v", "126 =? 0", "128 =? 0", "Numerics.v"),
    "the factor of the second slack": (
        "Model.v",
        "(a_bits + 1 - excess)",
        "(a_bits - excess)",
        "Products.v",
    ),
    "leading bits add 0": (
        "Model.v",
        "leading_product_by 2.",
        "leading_product_by 0.",
        "Products.v",
    ),
    "a root adds 0": ("Model.v", "root_by 2.", "root_by 0.", "Roots.v"),
    "a half above a power of two": (
        "Model.v",
        "round_carefully_by 4.",
        "round_carefully_by 2.",
        "Quotient.v",
    ),
    "the twin of a cut": (
        "Numerics.v",
        "(less (narrowed x)) r).",
        "(narrowed x) r).",
        "Numerics.v",
    ),
}


@COQ
@pytest.mark.slow
@pytest.mark.long(but=2)  # each compiles up to all files
@pytest.mark.parametrize("what", PLANTED)
def test_a_bound_that_is_too_small_is_not_proved(what: str, tmp_path: Path) -> None:
    changed, old, new, fails = PLANTED[what]
    shutil.copytree(ROOT / "proofs/core", tmp_path / "proofs/core")
    path = tmp_path / "proofs/core" / changed
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    names = core.sources(tmp_path)
    needed = [name for name in names[: names.index(fails) + 1] if name not in OPTIONAL - {fails}]
    refused = pytest.raises(prover.NotProved, match=f"proofs/core/{fails} does not compile")
    with refused, core.compiled(tmp_path, only=needed):
        pass


OPTIONAL = {"Roots.v", "Floating.v", "Sums.v", "Doubles.v"}
"""Files that those after them do not need."""


def test_each_statement_has_its_form() -> None:
    """In that of tools/trace.py: a comment that begins with an ID stands above a statement."""
    for path in sorted((ROOT / "proofs/core").glob("*.v")):
        source = path.read_text("utf-8")
        read = len(list(prover.trace.STATEMENT.finditer(source)))
        assert source.count("\n(** RS-") == read, path.name
    assert list(prover.refused(ROOT / "proofs/core")) == []
    assert len(core.statements(ROOT)) > 30


def test_each_theorem_of_a_bound_has_one_that_must_fail() -> None:
    """Each file of bounds states what is false with a slack one less."""
    bounds = set(core.sources(ROOT)) - {"Words.v", "Model.v", "Enclosures.v", "Doubles.v"}
    for name in bounds:
        assert "_must_fail" in (ROOT / "proofs/core" / name).read_text("utf-8"), name
