"""The proofs of proofs/core/ are checked by Coq, and a slack or an entry one off is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .compiled_proofs import COQ, ROOT, Change, check_refuted, compiled_core
from .modules import module_of

__all__ = ["compiled_core"]

core: Any = module_of(ROOT / "tools/prove_core.py", "rankspec_prove_core")
prover: Any = core.prover


@COQ
@pytest.mark.slow
def test_all_is_proved(compiled_core: Path) -> None:
    """Half a minute of processor time, and some entries of the table."""
    assert len(core.check(ROOT, compiled_core)) > 30


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
    entries = core.table(ROOT)[:10]
    wrong = [(rank, entries[rank - 1] + off) for rank in (1, 2, 7, 10) for off in (-1, 1)]
    with core.compiled(ROOT, only=["Discount.v"]) as folder:
        core.check_table(entries, folder)
        for rank, entry in wrong[-2:]:
            with pytest.raises(prover.NotProved):
                core.check_entries({rank: entry}, folder)
            with pytest.raises(prover.NotProved):
                core.check_table([*entries[: rank - 1], entry], folder)
        # The others as the two functions would ask, in one file.
        terms = [core.entries_in_coq({rank: entry}) for rank, entry in wrong]
        terms += [core.table_in_coq([*entries[: rank - 1], entry]) for rank, entry in wrong]
        text = core.HEAD + "".join(f"Eval vm_compute in {term}.\n" for term in terms)
        answers = re.findall(r"= (\w+)", prover.coqc_text("Wrong.v", text, folder))
    assert answers == ["false"] * len(terms)


PLANTED = {
    # what is planted: (file, text, its replacement, the file and the statement that then fails)
    "a cut adds 1": ("Model.v", "narrowed_by 2.", "narrowed_by 1.", "Numerics.v", "narrowed_holds"),
    "a sum of 128 bits is aligned": (
        "Model.v",
        "126 =? 0",
        "128 =? 0",
        "Numerics.v",
        "are_aligned_spec",
    ),
    "the factor of the second slack": (
        "Model.v",
        "(a_bits + 1 - excess)",
        "(a_bits - excess)",
        "Products.v",
        "product_holds",
    ),
    "leading bits add 0": (
        "Model.v",
        "leading_product_by 2.",
        "leading_product_by 0.",
        "Products.v",
        "leading_product_holds",
    ),
    "a root adds 0": ("Model.v", "root_by 2.", "root_by 0.", "Roots.v", "root_holds"),
    "a half above a power of two": (
        "Model.v",
        "round_carefully_by 4.",
        "round_carefully_by 2.",
        "Quotient.v",
        "NUM_7_L1_carefully",
    ),
    "the twin of a cut": (
        "Numerics.v",
        "(less (narrowed x)) r).",
        "(narrowed x) r).",
        "Numerics.v",
        "narrowed_must_fail",
    ),
}


@COQ
@pytest.mark.slow
@pytest.mark.parametrize("what", PLANTED)
def test_a_bound_that_is_too_small_is_not_proved(
    what: str, compiled_core: Path, tmp_path: Path
) -> None:
    check_refuted(Change(*PLANTED[what]), compiled_core, tmp_path, within="core/")


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
