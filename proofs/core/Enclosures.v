(* The numbers of the core as enclosures of real numbers: numerics.h, RS-NUM-4 to RS-NUM-30. *)
Require Import Reals ZArith Lra Lia Psatz Bool.
From Flocq Require Import Core.
From Rankspec.core Require Import Words Model.
Open Scope R_scope.

(** What a number stands for *)
Definition unit_of e := bpow radix2 e.
Definition holds x r := IZR (low x) * unit_of (exponent x) <= r <= IZR (low x + slack x) * unit_of
  (exponent x).
Definition words x := word (low x) /\ word (slack x).
(** The same with a slack that is one less: what must not hold everything. *)
Definition less x := Number (low x) (slack x - 1) (exponent x).

Lemma unit_pos e : 0 < unit_of e.
Proof. apply bpow_gt_0. Qed.
Lemma unit_plus a b : unit_of (a + b) = unit_of a * unit_of b.
Proof. apply bpow_plus. Qed.
Lemma unit_0 : unit_of 0 = 1.
Proof. reflexivity. Qed.
Lemma unit_whole h : (0 <= h)%Z -> unit_of h = IZR (2 ^ h).
Proof. intros; symmetry; apply (IZR_Zpower radix2); assumption. Qed.
Lemma unit_neg h : (0 <= h)%Z -> unit_of (- h) = / IZR (2 ^ h).
Proof. intros; rewrite <- unit_whole by assumption; apply bpow_opp. Qed.

(** The ends of x, in units of y, which are 2^h of those of x, are within those of y. *)
Lemma holds_within x y h r : (0 <= h)%Z -> exponent y = (exponent x + h)%Z -> (low y * 2 ^ h <= low
  x)%Z ->
  (low x + slack x <= (low y + slack y) * 2 ^ h)%Z -> holds x r -> holds y r.
Proof.
  intros H E L U [A B]; unfold holds; rewrite E, unit_plus, (unit_whole h) by assumption.
  apply IZR_le in L, U; rewrite mult_IZR in L, U; pose proof (unit_pos (exponent x)); split.
  - eapply Rle_trans; [|exact A]; replace (_ * _) with (IZR (low y) * IZR (2 ^ h) * unit_of
    (exponent x)) by ring.
    apply Rmult_le_compat_r; lra.
  - eapply Rle_trans; [exact B|]; replace (IZR (low y + slack y) * _) with (IZR (low y + slack y) *
    IZR (2 ^ h) * unit_of
    (exponent x)) by ring.
    apply Rmult_le_compat_r; lra.
Qed.
(** In units that are 2^h times as fine *)
Lemma holds_finer x y h r : (0 <= h)%Z -> exponent x = (exponent y + h)%Z -> low y = (low x * 2 ^
  h)%Z ->
  slack y = (slack x * 2 ^ h)%Z -> holds x r -> holds y r.
Proof.
  intros H E L S [A B]; unfold holds; rewrite E, unit_plus, (unit_whole h) in * by assumption.
  rewrite L, S, <- Z.mul_add_distr_r, !mult_IZR.
  replace (IZR (low x) * IZR (2 ^ h) * unit_of (exponent y)) with (IZR (low x) * (unit_of (exponent
    y) * IZR (2 ^ h))) by ring.
  replace (IZR (low x + slack x) * IZR (2 ^ h) * unit_of (exponent y)) with (IZR (low x + slack x)
    * (unit_of (exponent y) *
    IZR (2 ^ h))) by ring.
  split; assumption.
Qed.
(** A number that x holds and y does not: the greatest of x. *)
Lemma not_held x y h : (0 <= h)%Z -> exponent y = (exponent x + h)%Z -> (0 <= slack x)%Z ->
  ((low y + slack y) * 2 ^ h < low x + slack x)%Z -> exists r, holds x r /\ ~ holds y r.
Proof.
  intros H E S L; pose proof (unit_pos (exponent x)); exists (IZR (low x + slack x) * unit_of
    (exponent x)); split.
  - split; [|lra]; apply Rmult_le_compat_r; [lra|apply IZR_le; lia].
  - intros [_ B]; rewrite E, unit_plus, (unit_whole h) in B by assumption; apply IZR_lt in L;
    rewrite mult_IZR in L; nra.
Qed.

Lemma zero_holds x r : is_zero x = true -> words x -> (holds x r <-> r = 0).
Proof.
  unfold is_zero; intros Z _; apply Z.eqb_eq, lor_0 in Z; destruct Z as [L S]; unfold holds;
    rewrite L, S; cbn [Z.add].
  rewrite Rmult_0_l; split; [lra|intros ->; lra].
Qed.
Lemma not_zero x : words x -> is_zero x = false -> (0 < low x \/ 0 < slack x)%Z.
Proof.
  unfold is_zero; intros [[A _] [B _]] Z; apply Z.eqb_neq in Z.
  destruct (Z.eq_dec (low x) 0) as [E|]; [|lia]; destruct (Z.eq_dec (slack x) 0) as [F|]; [|lia].
  exfalso; apply Z; rewrite E, F; reflexivity.
Qed.
Lemma is_zero_spec x : is_zero x = true <-> (low x = 0 /\ slack x = 0)%Z.
Proof. unfold is_zero; rewrite Z.eqb_eq; apply lor_0. Qed.
