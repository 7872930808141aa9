(* The table of 1 / log2(i + 1) that is compiled into the core, csrc/discount_log2.h: RS-NUM-4.
   tools/prove_core.py reads the table and proves of each entry what [table_of] says. Logarithms are
   enclosed by coq-interval, over Coq's own integers. *)
Require Import Reals ZArith Lra Lia List Bool FMapPositive.
From Interval Require Import Specific_ops Specific_stdz Float_full Interval Basic Xreal.
Import ListNotations.
Module F := SpecificFloat StdZRadix2.
Module I := FloatIntervalFull F.
Open Scope Z_scope.

Definition prec := F.PtoP 128.
Definition encloses y (x : R) := contains (I.convert y) (Xreal x).

(** The logarithms from 2 on. With each number stands a factor of it: a prime is its own, and any
    other number is a product of two that came before. *)
Definition logarithms := PositiveMap.t I.type.
Definition ln_of (m : logarithms) n := match n with Zpos p => PositiveMap.find p m | _ => None end.
Definition put (m : logarithms) n y := match n with Zpos p => PositiveMap.add p y m | _ => m end.
Definition next (m : logarithms) n factor :=
  if factor =? n then Some (I.ln prec (I.fromZ prec n))
  else match ln_of m factor, ln_of m (n / factor) with
       | Some x, Some y => if factor * (n / factor) =? n then Some (I.add prec x y) else None
       | _, _ => None end.
Definition known (m : logarithms) := forall n y, ln_of m n = Some y -> 1 < n /\ encloses y (ln (IZR
  n)).

Lemma ln_encloses n : 1 < n -> encloses (I.ln prec (I.fromZ prec n)) (ln (IZR n)).
Proof.
  intros N; pose proof (I.ln_correct prec _ _ (I.fromZ_correct prec n)) as C; unfold encloses.
  unfold Xln, Xbind, Xln' in C; destruct (is_positive_spec (IZR n)) as [P|P]; [exact C|];
    apply IZR_lt in N; lra.
Qed.
Lemma next_encloses m n factor y : known m -> 1 < n -> next m n factor = Some y -> encloses y (ln
  (IZR n)).
Proof.
  intros K N; unfold next; destruct (Z.eqb_spec factor n) as [->|].
  - intros E; injection E as <-; apply ln_encloses; assumption.
  - destruct (ln_of m factor) as [x|] eqn:X; [|discriminate];
    destruct (ln_of m (n / factor)) as [z|] eqn:Z; [|discriminate].
    destruct (Z.eqb_spec (factor * (n / factor)) n) as [E|]; [|discriminate]; intros Q;
      injection Q as <-.
    apply K in X, Z; destruct X as [FX CX], Z as [FZ CZ]; rewrite <- E, mult_IZR, ln_mult by (apply
      IZR_lt; lia).
    exact (I.add_correct prec _ _ _ _ CX CZ).
Qed.
Lemma put_known m n y : known m -> 1 < n -> encloses y (ln (IZR n)) -> known (put m n y).
Proof.
  intros K N E k z; unfold put, ln_of; destruct n as [|p|p]; try lia; destruct k as [|q|q];
    try discriminate.
  destruct (Pos.eq_dec q p) as [->|D].
  - rewrite PositiveMap.gss; intros H; injection H as <-; auto.
  - rewrite PositiveMap.gso by assumption; intros H; apply (K (Zpos q)); exact H.
Qed.

(** An entry D of the rank n - 1: D <= 2^95 ln 2 / ln n < D + 1. Where n is a power of two, a
    comparison of integers decides. *)
Definition is_entry n D := (IZR D <= IZR (2 ^ 95) * ln 2 / ln (IZR n) < IZR (D + 1))%R.
Definition check two y n D :=
  let e := Z.log2 n in
  if n =? 2 ^ e then (0 <? e) && (D * e <=? 2 ^ 95) && (2 ^ 95 <? (D + 1) * e)
  else
    let above := I.mul prec (I.fromZ prec (2 ^ 95)) two in
    match I.sign_strict (I.sub prec above (I.mul prec (I.fromZ prec D) y)),
          I.sign_strict (I.sub prec above (I.mul prec (I.fromZ prec (D + 1)) y)) with
    | Xgt, Xlt => true | _, _ => false end.

Lemma ln_pos n : 1 < n -> (0 < ln (IZR n))%R.
Proof. intros H; rewrite <- ln_1; apply ln_increasing; [lra|apply IZR_lt; assumption]. Qed.
Lemma entry_of n D : 1 < n -> (IZR D * ln (IZR n) <= IZR (2 ^ 95) * ln 2)%R -> (IZR (2 ^ 95) * ln 2
  < IZR (D + 1) * ln (IZR
  n))%R -> is_entry n D.
Proof.
  intros N L U; pose proof (ln_pos n N); split.
  - apply (Rmult_le_reg_r (ln (IZR n))); [assumption|]; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; exact L.
  - apply (Rmult_lt_reg_r (ln (IZR n))); [assumption|]; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; exact U.
Qed.
Lemma sign_of two y (k D : Z) l2 l : encloses two l2 -> encloses y l ->
  match I.sign_strict (I.sub prec (I.mul prec (I.fromZ prec k) two) (I.mul prec (I.fromZ prec D)
    y)) with
  | Xgt => (IZR D * l < IZR k * l2)%R | Xlt => (IZR k * l2 < IZR D * l)%R | _ => True end.
Proof.
  intros T Y; pose proof (I.sign_strict_correct (I.sub prec (I.mul prec (I.fromZ prec k) two)
    (I.mul prec (I.fromZ prec D) y)))
    as S.
  assert (contains (I.convert (I.sub prec (I.mul prec (I.fromZ prec k) two) (I.mul prec (I.fromZ
    prec D) y))) (Xreal (IZR k *
    l2 - IZR D * l))) as C.
  { exact (I.sub_correct prec _ _ _ _ (I.mul_correct prec _ _ _ _ (I.fromZ_correct prec k) T)
    (I.mul_correct prec _ _ _ _
    (I.fromZ_correct prec D) Y)). }
  destruct (I.sign_strict _); auto; destruct (S _ C) as [_ G]; cbn in G; lra.
Qed.
Theorem check_sound two y n D : 1 < n -> encloses two (ln 2) -> encloses y (ln (IZR n)) -> check
  two y n D = true -> is_entry n
  D.
Proof.
  intros N T Y; unfold check; destruct (Z.eqb_spec n (2 ^ Z.log2 n)) as [E|E].
  - set (e := Z.log2 n) in *; intros H; apply andb_prop in H; destruct H as [H C];
    apply andb_prop in H; destruct H as [A B].
    apply Z.ltb_lt in A, C; apply Z.leb_le in B; apply entry_of; [assumption|rewrite E..].
    1, 2: replace (ln (IZR (2 ^ e))) with (IZR e * ln 2)%R.
    1, 3: apply IZR_le in B || apply IZR_lt in C; pose proof (ln_pos 2 ltac:(lia)) as P.
    + rewrite mult_IZR in B; rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra.
    + apply IZR_lt in C; rewrite mult_IZR in C; rewrite <- Rmult_assoc; apply Rmult_lt_compat_r;
      lra.
    + rewrite <- (Z2Nat.id e) by lia; rewrite <- pow_IZR, ln_pow, INR_IZR_INZ by (apply IZR_lt;
      lia); reflexivity.
    + rewrite <- (Z2Nat.id e) by lia; rewrite <- pow_IZR, ln_pow, INR_IZR_INZ by (apply IZR_lt;
      lia); reflexivity.
  - pose proof (sign_of two y (2 ^ 95) D (ln 2) (ln (IZR n)) T Y) as L;
    pose proof (sign_of two y (2 ^ 95) (D + 1) (ln 2) (ln (IZR n)) T Y) as U.
    destruct (I.sign_strict _); try discriminate; destruct (I.sign_strict _); try discriminate;
      intros _.
    apply entry_of; [assumption|apply Rlt_le; exact L|exact U].
Qed.

(** Entries from the rank n - 1 on, each with a factor of n *)
Fixpoint check_from two (m : logarithms) n (l : list (Z * Z)) :=
  match l with
  | [] => true
  | (factor, D) :: l' => match next m n factor with
                         | Some y => check two y n D && check_from two (put m n y) (n + 1) l' |
                           None => false end
  end.
Definition table_of (l : list (Z * Z)) := forall i, (i < length l)%nat -> is_entry (Z.of_nat i + 2)
  (snd (nth i l (0, 0))).

Lemma check_from_sound two m n l : encloses two (ln 2) -> known m -> 1 < n -> check_from two m n l
  = true ->
  forall i, (i < length l)%nat -> is_entry (Z.of_nat i + n) (snd (nth i l (0, 0))).
Proof.
  intros T; revert m n; induction l as [|[factor D] l IH]; intros m n K N C i I; [inversion I|];
    cbn [check_from] in C.
  destruct (next m n factor) as [y|] eqn:E; [|discriminate]; apply andb_prop in C;
    destruct C as [A B].
  pose proof (next_encloses m n factor y K N E) as Y; destruct i as [|i]; cbn [nth snd].
  - apply (check_sound two y); assumption.
  - replace (Z.of_nat (S i) + n) with (Z.of_nat i + (n + 1)) by lia; apply (IH (put m n y));
    [apply put_known;
    assumption|lia|exact B|cbn in I; lia].
Qed.
Definition check_table := check_from (I.ln prec (I.fromZ prec 2)) (PositiveMap.empty _) 2.

(** RS-NUM-4/L1 in part: of a table of D_1, D_2, ..., D_i <= 2^95 / log2(i + 1) < D_i + 1 *)
Theorem NUM_4_L1_log2 l : check_table l = true -> table_of l.
Proof.
  intros C i I; apply (check_from_sound _ _ 2 l) with (i := i) in C; [exact C| |intros n y;
    unfold ln_of; destruct n;
    try discriminate;
    rewrite PositiveMap.gempty; discriminate|lia|exact I].
  apply (ln_encloses 2); lia.
Qed.

(** Single entries, each with its rank *)
Definition check_entries (l : list (Z * Z)) :=
  let two := I.ln prec (I.fromZ prec 2) in
  forallb (fun t => (1 <? fst t + 1) && check two (I.ln prec (I.fromZ prec (fst t + 1))) (fst t +
    1) (snd t)) l.
Theorem NUM_4_L1_log2_entries l : check_entries l = true -> Forall (fun t => is_entry (fst t + 1)
  (snd t)) l.
Proof.
  unfold check_entries; cbv zeta; rewrite forallb_forall, Forall_forall; intros C t T;
    apply C in T; apply andb_prop in T;
    destruct T as [A B].
  apply Z.ltb_lt in A.
  apply (check_sound (I.ln prec (I.fromZ prec 2)) (I.ln prec (I.fromZ prec (fst t + 1))));
    [exact A|apply (ln_encloses 2);
    lia|apply ln_encloses; exact A|exact B].
Qed.
(** An entry that is one off is none. *)
Theorem entry_must_fail n D E : is_entry n D -> is_entry n E -> D = E.
Proof.
  intros [A B] [C G]; assert (IZR D < IZR (E + 1))%R as X by lra;
    assert (IZR E < IZR (D + 1))%R as Y by lra.
  apply lt_IZR in X, Y; lia.
Qed.
