"""Vectors refute changed definitions: by these, Coq proves, another double is nearer.

Each change is one of tests/test_proofs.py, which shows that laws fail. Here the definitions that
the change reaches are stated anew, in a module, where the value of a proved vector is another. That
the statement is the one of the vector, by the definitions as they are, is proved as well.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .compiled_proofs import COQ, ROOT, compiled, prover
from .modules import module_of
from .test_proofs import CHANGED

__all__ = ["compiled"]

vectors: Any = module_of(ROOT / "tools/prove_vectors.py", "rankspec_prove_vectors")


class Refuted(NamedTuple):
    """A vector, its value in Coq, and a number that is nearer to the value by the change."""

    id: str
    value: str
    definitions: dict[str, str]
    """The changed definition and those that use it, by their files."""
    nearer: float


REFUTED = {
    "the sum of DCG from 2": Refuted(
        "gain-0033", "dcg 3 d_zipf (map Q2R [3; 2; 3]%Q)", {"Dcg.v": "dcg"}, 2
    ),
    "the logarithm of i": Refuted(
        "gain-0016",
        "dcg 2 (d_log (Q2R 2%Q)) (map Q2R [0; 1]%Q)",
        {"Gain.v": "d_log"},
        1,
    ),
    "an ascending ideal": Refuted(
        "dcg-0124",
        "idcg 2 (d_log (Q2R 2%Q)) (map Q2R [2; 10; 9]%Q)",
        {"Ties.v": "put best", "Dcg.v": "ideal idcg"},
        8,
    ),
    "a slope at an end": Refuted(
        "relevance-0104",
        "dcg_phi 3 (d_log (Q2R 2%Q)) (phi_of (combine [0; 4; 6]%Q [0; 1 # 64; 1]%Q)) [1; 5; 3]%Q",
        {"Relevance.v": "end_slope slope phi phi_of"},
        179 / 1024,
    ),
    "the sign of UL2": Refuted(
        "bounds-0240",
        "UL2 (dcg 4 d_zipf (map Q2R [2; 2]%Q)) (idcg 4 d_zipf (map Q2R [2; 2]%Q))"
        " (rlb_eq7 4 d_zipf (map Q2R [2; 2]%Q))",
        {"Bounds.v": "UL2"},
        1 / 4,
    ),
    "the base of the discount of queries": Refuted(
        "session-0223",
        "sdcg 1 (d_jarvelin_2008 (Q2R 2%Q)) (d_jarvelin_2008 (Q2R 4%Q))"
        " [map Q2R [1]%Q; map Q2R [1]%Q]",
        {"Gain.v": "d_jarvelin_2008"},
        3 / 2,
    ),
}

HEAD = """\
From Coq Require Import Reals Lra Lia List ZArith QArith Qreals.
From Interval Require Import Tactic.
From Rankspec Require Import Numbers Gain Ties Dcg Bounds Session Numerics.
From Rankspec Require Relevance Vectors.
Import ListNotations.
Open Scope R_scope.

(** Another double, m / 2^s, is nearer to x than the double of these bits, n / 2^t. *)
Lemma elsewhere x b m s n t : exponent b <> 2047%Z -> (Z.abs m < 2 ^ 53)%Z ->
  (0 <= s <= 1074)%Z -> (0 <= t)%Z -> (m * 2 ^ (1074 - s))%Z <> number b ->
  (number b * 2 ^ t = n * 2 ^ 1074)%Z ->
  Rabs (x - IZR m / IZR (2 ^ s)) < Rabs (x - IZR n / IZR (2 ^ t)) -> ~ nearest_double x b.
Proof.
  intros E M [S S'] T N B D H; unfold nearest_double in H.
  destruct (Z.eqb_spec (exponent b) 2047); [contradiction|]; destruct H as (_ & _ & _ & H).
  assert (forall a c u, (0 <= u)%Z -> (a * 2 ^ u = c * 2 ^ 1074)%Z ->
    IZR a * unit = IZR c / IZR (2 ^ u)) as V.
  { intros a c u U Q; apply (f_equal IZR) in Q; rewrite !mult_IZR in Q; unfold unit.
    assert (0 < IZR (2 ^ u)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
    assert (0 < IZR (2 ^ 1074)) by (apply IZR_lt; reflexivity).
    apply (Rmult_eq_reg_r (IZR (2 ^ u) * IZR (2 ^ 1074))); [|nra]; field_simplify; lra. }
  assert (distance x (m * 2 ^ (1074 - s)) < distance x (number b)) as C.
  { unfold distance; rewrite (V _ m s), (V _ n t); try assumption.
    rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia; do 2 f_equal; lia. }
  destruct (H (m * 2 ^ (1074 - s))%Z) as [L|[L _]]; try lra; [|assumption].
  exists m, (1074 - s)%Z; repeat split; lia.
Qed.
"""
LINKED = """\
Module Linked.
Import Vectors Numbers Gain Ties Dcg Bounds Session Relevance.
{theorems}
End Linked.
"""
CHANGED_MODULE = """\
Module {name}.
{opened}
{definitions}
Close Scope Q_scope.
Theorem refuted : ~ nearest_double ({value}) {bits}.
Proof.
  apply (elsewhere _ _ ({m})%Z {s} ({n})%Z {t}); [vm_compute; discriminate
    |vm_compute; reflexivity|split; vm_compute; discriminate|vm_compute; discriminate
    |vm_compute; discriminate|vm_compute; reflexivity|].
  change (2 ^ {s})%Z with ({two_s})%Z; change (2 ^ {t})%Z with ({two_t})%Z.
  {relevances}
  cbv [dcg idcg ideal best put sum_to at_rank d_zipf d_log d_jarvelin_2008 log nth map
    length Nat.min Nat.sub INR Q2R Qnum Qden sdcg query UL2 rlb_eq7 sum total].
  repeat (destruct (Rle_dec _ _); try (exfalso; lra)).
  repeat (destruct (Rlt_dec _ _); try (exfalso; lra)).
  rewrite ?Rmult_0_l; interval.
Qed.
End {name}.
"""
RELEVANCES = """\
unfold dcg_phi, gain_phi, exp2, Rpower; cbn [map]; repeat match goal with
    |- context [phi_of ?p ?s] => let y := eval vm_compute in (phi_of p s) in
      change (phi_of p s) with y end."""


def _sentence(text: str, name: str) -> str:
    match = re.search(rf"^(?:Definition|Fixpoint) {name}\b.*?\.$", text, re.M | re.S)
    assert match is not None, name
    return match[0]


def _definitions(what: str, changes: bool) -> str:
    """Return the definitions of the module, with the change or as they are."""
    file, old, new, _ = CHANGED[what]
    parts = []
    for name, listed in REFUTED[what].definitions.items():
        text = (ROOT / "proofs" / name).read_text("utf-8")
        if changes and name == file:
            assert text.count(old) == 1
            text = text.replace(old, new)
        parts += [_sentence(text, definition) for definition in listed.split()]
    return "\n".join(parts)


def _goal(what: str) -> Any:
    """Return the goal of the vector, as tools/prove_vectors.py proves it."""
    (goal,), _ = vectors.translate(ROOT, ids=[REFUTED[what].id])
    return goal


def _module(what: str, changes: bool = True) -> str:
    """Return the module in which the vector is refuted."""
    refuted = REFUTED[what]
    of_relevance = "Relevance.v" in refuted.definitions
    bits = re.search(r"0x(\w{16})%Z\)$", _goal(what).text)[1]  # type: ignore[index]
    (double,) = struct.unpack(">d", bytes.fromhex(bits))
    m, two_s = float(refuted.nearer).as_integer_ratio()
    n, two_t = double.as_integer_ratio()
    return CHANGED_MODULE.format(
        name=f"Changed{list(REFUTED).index(what)}",
        opened="Import Relevance.\nOpen Scope Q_scope." if of_relevance else "",
        definitions=_definitions(what, changes),
        value=refuted.value,
        bits=f"0x{bits}",
        m=m,
        s=two_s.bit_length() - 1,
        two_s=two_s,
        n=n,
        t=two_t.bit_length() - 1,
        two_t=two_t,
        relevances=RELEVANCES if of_relevance else "",
    )


@COQ
@pytest.mark.slow
def test_a_vector_refutes_each_changed_definition(compiled: Path) -> None:
    """And its value by the definitions as they are is the one that is refuted."""
    assert {*REFUTED} <= {*CHANGED}
    assert vectors.changed([_goal(what) for what in REFUTED], ROOT) == []
    theorems = []
    for number, (what, refuted) in enumerate(REFUTED.items()):
        term = _goal(what).text.rpartition(",")[0][1:]
        theorems.append(
            f"Theorem linked{number} : value {term} = ({refuted.value})%R. Proof. reflexivity. Qed."
        )
    linked = LINKED.format(theorems="\n".join(theorems))
    modules = [_module(what) for what in REFUTED]
    prover.coqc_text("Refuted.v", "\n".join([HEAD, linked, *modules]), compiled)


@COQ
@pytest.mark.slow
def test_a_vector_does_not_refute_the_definition(compiled: Path) -> None:
    """The same module without the change is not proved."""
    text = _module("the sign of UL2", changes=False)
    (compiled / "NotRefuted.v").write_text(f"{HEAD}\n{text}", "utf-8")
    with pytest.raises(prover.NotProved, match="Numerical evaluation failed"):
        prover.coqc("NotRefuted.v", compiled)
