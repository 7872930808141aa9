"""The proofs of proofs/ are checked by Coq, and the check finds what is not proved.

The second half plants one defect at a time into a copy of two small files, and sees it reported.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .compiled_proofs import COQ, ROOT, SLOPE_AT_AN_END, Change, check_refuted, compiled, prover

__all__ = ["compiled"]

trace: Any = prover.trace


@COQ
@pytest.mark.slow
def test_all_is_proved(compiled: Path) -> None:
    """At most a minute of processor time, which tools/prove.py divides by files."""
    assert len(prover.without_unknown_axioms(ROOT, compiled)) > 400


CHANGED = {
    # the definition: (file, text, its replacement, a statement of that file)
    "the sum of DCG from 2": (
        "Dcg.v",
        "Definition dcg k (d : nat -> R) r := sum_to (fun i => at_rank r i * d i)",
        "Definition dcg k (d : nat -> R) r := sum_to (fun i => at_rank r (S i) * d (S i))",
        "dcg_sum",
    ),
    "the logarithm of i": (
        "Gain.v",
        "Definition d_log (b : R) (i : nat) := 1 / log b (INR i + 1)",
        "Definition d_log (b : R) (i : nat) := 1 / log b (INR i)",
        "DISC_1_L1",
    ),
    "an ascending ideal": (
        "Ties.v",
        "if Rle_dec y x then x :: l",
        "if Rle_dec x y then x :: l",
        "sorting_raises",
    ),
    "the sign of UL2": ("Bounds.v", "then (A - L) / L\n", "then (L - A) / L\n", "BND_4_L5_others"),
    "the base of the discount of queries": (
        "Gain.v",
        "(b : R) (i : nat) := 1 / (1 + log b (INR i))",
        "(b : R) (i : nat) := 1 / (1 + log 2 (INR i))",
        "DISC_2_L2",
    ),
    "the discount of the next query": (
        "Session.v",
        "sum_to (fun q => D q * dcg X d (query s q))",
        "sum_to (fun q => D (S q) * dcg X d (query s q))",
        "sdcg_app",
    ),
    "the results of the query itself": (
        "Session.v",
        "(looked_at X (firstn (q - 1) ids) ++ firstn i",
        "(looked_at X (firstn q ids) ++ firstn i",
        "appearance_app",
    ),
    "the lightest places first": (
        "SessionIdeal.v",
        "if Rle_dec (w o) (w p) then p :: l else",
        "if Rle_dec (w p) (w o) then p :: l else",
        "by_weight_best",
    ),
    "the weights of an inner slope": (
        "Relevance.v",
        "let w0 := 2 * h1 + h0 in let w1 := h1 + 2 * h0",
        "let w0 := h1 + 2 * h0 in let w1 := 2 * h1 + h0",
        "interior_bounds",
    ),
    "a slope at an end": (*SLOPE_AT_AN_END, "REL_7_L5"),
    "the threshold of graded AP": (
        "RelevanceOfMetrics.v",
        "(fun i => / INR i * sum_to (fun j => Rmin (at_rank phi i)",
        "(fun i => / INR i * sum_to (fun j => Rmax (at_rank phi i)",
        "REL_15_L1",
    ),
    "the gaps next to 0": (
        "BoundsOfQueries.v",
        "| absolute => Rabs (gap_of q) end",
        "| absolute => gap_of q end",
        "BND_13_L2",
    ),
    "the rule that puts the worst first": (
        "TiesOfScores.v",
        "worst_first => order_by (fun x => - label x) t",
        "worst_first => order_by label t",
        "worst_first_labels",
    ),
    "the ranks of a tie group": (
        "Dcg.v",
        "let m := Nat.min (length t) (k - s) in",
        "let m := Nat.min (length t) k in",
        "EXP_2_L1",
    ),
    "the divisor of LDCG": (
        "Length.v",
        "quotient (dcg M d r) (z * S_of w d (Nat.min (length r) M))",
        "quotient (dcg M d r) (z * S_of w d (length r))",
        "LEN_5_L1",
    ),
    "the rank that ERR divides by": (
        "Cascade.v",
        "Definition err k r := sum_to (fun i => / INR i *",
        "Definition err k r := sum_to (fun i => / INR (S i) *",
        "err_sum",
    ),
    "the divisor of precision": (
        "Precision.v",
        "Definition precision k l : Q := relevant_to k l / nat_Q k",
        "Definition precision k l : Q := relevant_to k l / nat_Q (Nat.min k (length l))",
        "PREC_2_L1",
    ),
    "the ranks that an adjusted measure is divided by": (
        "LengthAdjusted.v",
        "quotient (E M r) (z * S_of w one (Nat.min (length r) M))",
        "quotient (E M r) (z * S_of w one (length r))",
        "LEN_12_L1",
    ),
    "the mean of counts": (
        "LengthPriors.v",
        "/ INR (b - a + 1).",
        "/ INR (b - a).",
        "pools_is_pooled",
    ),
}


@COQ
@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGED)
def test_another_definition_is_refuted(what: str, compiled: Path, tmp_path: Path) -> None:
    """A statement about it is not proved any more."""
    name, old, new, statement = CHANGED[what]
    check_refuted(Change(name, old, new, name, statement), compiled, tmp_path)


@COQ
@pytest.mark.slow
def test_the_same_definition_is_not_refuted(compiled: Path, tmp_path: Path) -> None:
    name, old, _, statement = CHANGED["the sign of UL2"]
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        check_refuted(Change(name, old, old, name, statement), compiled, tmp_path)


def test_each_statement_has_its_form() -> None:
    assert trace.wrong_proofs(ROOT) == []
    assert list(prover.refused(ROOT / "proofs")) == []


def test_files_are_named_after_chapters() -> None:
    """And they stand in the order in which they need each other; the checker is last.

    A chapter of several files has its name as their first word: Bounds.v, BoundsOfMetrics.v.
    """
    first, *files, last = prover.files(ROOT / "proofs")
    assert (first, last) == ("Numbers.v", "Vectors.v")
    for name in files:
        chapter = re.match("[A-Z][a-z]+", name)[0].lower()  # type: ignore[index]
        assert (ROOT / "spec" / f"{chapter}.md").exists()
        assert (ROOT / "pyref/rankspec/reference" / f"{chapter}.py").exists()


GOOD = {
    "_CoqProject": "-Q . Rankspec\nNumbers.v\nGain.v\n",
    "Numbers.v": "Definition twice (x : nat) := x + x.\n",
    "Gain.v": """\
From Rankspec Require Import Numbers.
(** RS-GAIN-1: g(r) = 2 r; an Axiom of this comment is none *)
Definition gain (r : nat) := twice r.
(** RS-GAIN-1/L1: it begins with 0 *)
Theorem GAIN_1_L1 : gain 0 = 0.
Proof. reflexivity. Qed.
""",
}
PROOF = "Proof. reflexivity. Qed."
FIRST = "From Rankspec Require Import Numbers.\n"


def _tree(folder: Path, old: str = "", new: str = "") -> Path:
    """A tree with the two small files, and one replacement in the second."""
    assert old in GOOD["Gain.v"]
    (folder / "proofs").mkdir()
    for name, text in GOOD.items():
        (folder / "proofs" / name).write_text(text.replace(old, new, 1) if old else text, "utf-8")
    return folder


@COQ
@pytest.mark.slow
def test_the_small_tree_is_proved(tmp_path: Path) -> None:
    assert prover.prove(_tree(tmp_path)) == {
        "Gain.gain": "RS-GAIN-1",
        "Gain.GAIN_1_L1": "RS-GAIN-1/L1",
    }


UNPROVED = {
    # what is planted: (what the theorem rests on, its proof)
    "Admitted": ("", "Admitted."),
    "admit": ("", "Proof. admit. Admitted."),
    **{
        word: (f"{word} ours : False.", "Proof. destruct ours. Qed.")
        for word in ("Axiom", "Parameter", "Conjecture", "Hypothesis", "Variable")
    },
    "Admit Obligations": (
        "From Coq Require Import Program.Tactics.\n"
        "Program Definition ours : False := _.\nAdmit Obligations.",
        "Proof. destruct ours. Qed.",
    ),
    "a guard that is off": (
        "Unset Guard Checking.\nFixpoint ours (n : nat) : False := ours n.",
        "Proof. destruct (ours 0). Qed.",
    ),
}


@COQ
@pytest.mark.slow
@pytest.mark.parametrize("what", UNPROVED)
def test_what_is_not_proved_is_reported(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what Coq says of the theorem that rests on it: no word is looked at here."""
    monkeypatch.setattr(prover, "refused", lambda _: iter(()))
    before, proof = UNPROVED[what]
    tree = _tree(tmp_path, PROOF, proof)
    path = tree / "proofs/Gain.v"
    path.write_text(path.read_text("utf-8").replace(FIRST, f"{FIRST}{before}\n"), "utf-8")
    with pytest.raises(prover.NotProved) as caught:
        prover.prove(tree)
    said = [line.partition(" assumes ") for line in str(caught.value).splitlines()]
    assumed = [axiom for name, _, axiom in said if name == "Gain.GAIN_1_L1 (RS-GAIN-1/L1)"]
    assert any(("ours" if before else "GAIN_1_L1") in axiom for axiom in assumed)


REFUSED = """\
Admitted.
admit.
Axiom x : False.
Parameter x : False.
Hypothesis x : False.
Variables x : False.
Admit Obligations.
Unset Guard Checking.
"""


@pytest.mark.parametrize("word", REFUSED.splitlines())
def test_a_word_is_refused(word: str, tmp_path: Path) -> None:
    tree = _tree(tmp_path, PROOF, f"{PROOF}\n{word}")
    assert [line.split(": ")[0] for line in prover.refused(tree / "proofs")] == ["proofs/Gain.v:7"]


WRONG = {
    # what is planted: (text, its replacement, what is said of it)
    "a theorem of another name": ("Theorem GAIN_1_L1", "Theorem GAIN_1_L2", "is not named after"),
    "a definition of a law": ("Theorem GAIN_1_L1", "Lemma GAIN_1_L1", "is the Lemma of a law"),
    "a comment of another form": ("(** RS-GAIN-1/L1: it", "(* RS-GAIN-1/L1: it", "it must read"),
    "a comment above nothing": ("with 0 *)\n", "with 0 *)\n\n", "it must read"),
}


@pytest.mark.parametrize("what", WRONG)
def test_another_form_is_reported(what: str, tmp_path: Path) -> None:
    old, new, problem = WRONG[what]
    tree = _tree(tmp_path, old, new)
    problems = trace.wrong_proofs(tree)
    assert len(problems) == 1
    assert problem in problems[0]


def test_a_file_that_is_not_listed_is_reported(tmp_path: Path) -> None:
    tree = _tree(tmp_path)
    (tree / "proofs/Dcg.v").write_text("", "utf-8")
    with pytest.raises(prover.NotProved, match=re.escape("differ: Dcg.v")):
        prover.files(tree / "proofs")
