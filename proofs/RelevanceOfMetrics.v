(* Metrics of relevances: the last entries of spec/relevance.md. *)
Set Warnings "-ambiguous-paths".
From Coquelicot Require Import Coquelicot.
Require Import Reals Lra Lia QArith Qreals List Permutation Psatz Sorted.
From Rankspec Require Precision Cascade.
From Rankspec Require Import Numbers Gain Ties Dcg Length Bounds Relevance RelevanceOfScores.
From Rankspec Require LengthNumbers.
From Interval Require Tactic.
Import ListNotations.
Open Scope R_scope.

(** The relevances of scores; f is phi of the pool *)
Definition relevances (f : Q -> Q) := map (fun s => Q2R (f s)).

(** RS-REL-13: E of the relevances of the list and of those of the pool *)
Definition of_relevance {V} (E : list R -> list R -> V) f r S := E (relevances f r) (relevances f
  S).

(** RS-REL-13/L1: for nDCG@k with the gain 2^r - 1 it is nDCG_phi@k, and for DCG@k it is DCG_phi@k
    *)
Theorem REL_13_L1 k d f r S :
  of_relevance (fun r J => ndcg k d (map exp2 r) (map exp2 J)) f r S = ndcg_phi k d f r S /\
  of_relevance (fun r _ => dcg k d (map exp2 r)) f r S = dcg_phi k d f r.
Proof. unfold of_relevance, relevances; rewrite !map_map; split; reflexivity. Qed.
(** RS-REL-13/L2: by the text, the scores a s + b have the same value *)
Theorem REL_13_L2 {V} (E : list R -> list R -> V) a b by_ r S : (0 < a)%Q ->
  of_relevance E (phi_of (control_points by_ (scores_scaled a b S))) (scores_scaled a b r)
    (scores_scaled a b S) = of_relevance E (phi_of (control_points by_ S)) r S.
Proof.
  intros A; assert (forall l, relevances (phi_of (control_points by_ (scores_scaled a b S)))
    (scores_scaled a b l) = relevances (phi_of (control_points by_ S)) l) as E'.
  { intros l; unfold relevances, scores_scaled at 2; rewrite map_map; apply map_ext; intro s.
    apply Qeq_eqR, REL_9_L3, A. }
  unfold of_relevance; rewrite !E'; reflexivity.
Qed.

(** * RBP of graded relevance *)

(** RS-REL-14: (1 - p) (phi_1 + phi_2 p + ... + phi_k p^(k - 1)) *)
Definition rbp_phi k p (phi : list R) :=
  (1 - p) * sum_to (fun i => at_rank phi i * p ^ (i - 1)) (Nat.min k (length phi)).

(** RS-REL-14/L1: where each relevance is 0 or 1 it is RBP@k of them as indicators *)
Theorem REL_14_L1 k p phi : Forall Cascade.indicator phi -> rbp_phi k p phi = Cascade.rbp k p phi.
Proof. reflexivity. Qed.
(** RS-REL-14/L2: 0 <= RBP_phi@k <= 1 - p^min(k, n) *)
Theorem REL_14_L2 k p phi : 0 < p < 1 -> Forall (fun x => 0 <= x <= 1) phi ->
  0 <= rbp_phi k p phi <= 1 - p ^ Nat.min k (length phi).
Proof.
  intros P F; assert (forall i, 0 <= at_rank phi i <= 1) as B.
  { intros i; unfold at_rank; destruct (nth_in_or_default (i - 1) phi 0) as [I|E]; [|rewrite E;
  lra].
    rewrite Forall_forall in F; apply F, I. }
  assert (forall i, 0 < p ^ i) as W by (intros; apply pow_lt; lra); unfold rbp_phi; split.
  - apply Rmult_le_pos; [lra|]; apply sum_to_nonneg; intros i _; specialize (B i); specialize (W (i
  - 1)%nat).
    apply Rmult_le_pos; lra.
  - apply Rle_trans with ((1 - p) * sum_to (fun i => p ^ (i - 1)) (Nat.min k (length phi))).
    + apply Rmult_le_compat_l; [lra|]; apply sum_to_le; intros i _; specialize (B i);
      specialize (W (i - 1)%nat); nra.
    + generalize (Nat.min k (length phi)) as n; induction n as [|n IH]; [cbn; lra|]; cbn [sum_to].
      replace (S n - 1)%nat with n by lia; cbn [pow]; lra.
Qed.

(** * AP of graded relevance *)

(** RS-REL-15: the sum of (min(phi_i, phi_1) + ... + min(phi_i, phi_i)) / i, over that of the pool
    *)
Definition ap_phi k (phi S : list R) := quotient
  (sum_to (fun i => / INR i * sum_to (fun j => Rmin (at_rank phi i) (at_rank phi j)) i)
    (Nat.min k (length phi))) (sum S).

(** The items with phi >= theta *)
Definition at_least (theta x : R) := if Rle_dec theta x then true else false.
Lemma at_rank_gains l i : Precision.indicator l i = (if nth (i - 1) l false then 1 else 0)%Q.
Proof. reflexivity. Qed.
(** SP by pairs, in real numbers *)
Lemma sp_pairs k l : Q2R (Precision.sp k l) = sum_to (fun i => / INR i * sum_to (fun j =>
  at_rank (Precision.gains l) i * at_rank (Precision.gains l) j) i) (Nat.min k (length l)).
Proof.
  rewrite (Qeq_eqR _ _ (Precision.PREC_5_L2 k l)), Precision.Q2R_sum; apply sum_to_ext; intros i I.
  rewrite Precision.Q2R_quotient, Precision.Q2R_sum, Precision.Q2R_nat; unfold Rdiv; rewrite
  Rmult_comm.
  f_equal; apply sum_to_ext; intros j J; rewrite Q2R_mult, !Precision.Q2R_indicator; ring.
Qed.
Lemma gains_01 l i : at_rank (Precision.gains l) i = 0 \/ at_rank (Precision.gains l) i = 1.
Proof.
  rewrite <- Precision.Q2R_indicator; destruct (Precision.indicator_01 l i) as [E|E];
  apply Qeq_eqR in E; rewrite E; [left; apply Q2R_0|right; apply Q2R_1].
Qed.
(** RS-REL-15/L1: where each relevance is 0 or 1 it is AP@k over the number of relevant items *)
Theorem REL_15_L1 k l J : ap_phi k (Precision.gains l) (Precision.gains J) =
  Q2R (Precision.ap Precision.of_R k (Precision.count J) l).
Proof.
  unfold ap_phi, Precision.ap; cbn [Precision.normaliser]; rewrite Precision.Q2R_quotient,
  Precision.Q2R_nat, Precision.sum_gains, Precision.gains_length, sp_pairs.
  rewrite (sum_to_ext _ (fun i => / INR i * sum_to (fun j =>
    at_rank (Precision.gains l) i * at_rank (Precision.gains l) j) i)).
  - unfold quotient; destruct (Rlt_dec 0 (INR (Precision.count J))) as [|N]; [reflexivity|].
    replace (INR (Precision.count J)) with 0 by (pose proof (pos_INR (Precision.count J)); lra).
    unfold Rdiv; rewrite Rinv_0; ring.
  - intros i _; f_equal; apply sum_to_ext; intros j _; destruct (gains_01 l i) as [->| ->],
    (gains_01 l j) as [->| ->]; unfold Rmin; destruct (Rle_dec _ _); lra.
Qed.

Lemma integral_of_constant a b c : is_RInt (fun _ => c) a b ((b - a) * c).
Proof. apply (is_RInt_const (V := R_NormedModule)). Qed.
Lemma integral_of_indicator c : 0 <= c <= 1 ->
  is_RInt (fun theta => if Rle_dec theta c then 1 else 0) 0 1 c.
Proof.
  intros C; set (f := fun theta => if Rle_dec theta c then 1 else 0).
  assert (is_RInt f 0 c ((c - 0) * 1)) as H1.
  { apply (is_RInt_ext (fun _ => 1)); [|apply integral_of_constant]; intros x X.
    rewrite Rmin_left, Rmax_right in X by lra; unfold f; destruct (Rle_dec x c); lra. }
  assert (is_RInt f c 1 ((1 - c) * 0)) as H2.
  { apply (is_RInt_ext (fun _ => 0)); [|apply integral_of_constant]; intros x X.
    rewrite Rmin_left, Rmax_right in X by lra; unfold f; destruct (Rle_dec x c); lra. }
  pose proof (is_RInt_Chasles f 0 c 1 _ _ H1 H2) as H; change (is_RInt f 0 1 ((c - 0) * 1 + (1 - c)
  * 0))
  in H; replace ((c - 0) * 1 + (1 - c) * 0) with c in H by ring; exact H.
Qed.
Lemma integral_of_sum (g : nat -> R -> R) I n :
  (forall i, (1 <= i <= n)%nat -> is_RInt (g i) 0 1 (I i)) ->
  is_RInt (fun x => sum_to (fun i => g i x) n) 0 1 (sum_to I n).
Proof.
  induction n as [|n IH]; intros H; cbn [sum_to].
  - pose proof (integral_of_constant 0 1 0) as H0; rewrite Rmult_0_r in H0; exact H0.
  - apply (is_RInt_plus (V := R_NormedModule)); [apply IH; intros; apply H; lia|apply H; lia].
Qed.
Lemma at_rank_map {B} (g : B -> R) (l : list B) b i : (1 <= i <= length l)%nat ->
  at_rank (map g l) i = g (nth (i - 1) l b).
Proof.
  intros I; unfold at_rank; rewrite (nth_indep _ 0 (g b)) by (rewrite map_length; lia); apply
  map_nth.
Qed.
Lemma gains_at_least theta phi i : (1 <= i <= length phi)%nat ->
  at_rank (Precision.gains (map (at_least theta) phi)) i = if Rle_dec theta (at_rank phi i) then 1
  else 0.
Proof.
  intros I; unfold Precision.gains; rewrite map_map, (at_rank_map _ _ 0) by assumption.
  unfold at_rank, at_least; destruct (Rle_dec _ _); reflexivity.
Qed.
(** RS-REL-15/L2: it is the integral of SP_theta@k over that of N_theta, theta from 0 to 1, of the
    indicators phi >= theta *)
Theorem REL_15_L2 k phi S : Forall (fun x => 0 <= x <= 1) phi -> Forall (fun x => 0 <= x <= 1) S ->
  ap_phi k phi S = quotient (RInt (fun theta => Q2R (Precision.sp k (map (at_least theta) phi))) 0
  1) (RInt (fun theta => INR (Precision.count (map (at_least theta) S))) 0 1).
Proof.
  intros F G; assert (forall i, 0 <= at_rank phi i <= 1) as B.
  { intros i; unfold at_rank; destruct (nth_in_or_default (i - 1) phi 0) as [I|E]; [|rewrite E;
  lra].
    rewrite Forall_forall in F; apply F, I. }
  unfold ap_phi; f_equal; symmetry; apply is_RInt_unique.
  - apply (is_RInt_ext (fun theta => sum_to (fun i => / INR i * sum_to (fun j => if Rle_dec theta
      (Rmin (at_rank phi i) (at_rank phi j)) then 1 else 0) i) (Nat.min k (length phi)))).
    + intros theta _; rewrite sp_pairs, map_length; apply sum_to_ext; intros i I; f_equal.
      apply sum_to_ext; intros j J; rewrite !gains_at_least by lia; unfold Rmin.
      destruct (Rle_dec (at_rank phi i) (at_rank phi j)), (Rle_dec theta (at_rank phi i)),
      (Rle_dec theta (at_rank phi j)); lra.
    + apply integral_of_sum; intros i I; apply (is_RInt_scal (V := R_NormedModule)).
      apply integral_of_sum; intros j J; apply integral_of_indicator; pose proof (B i); pose proof
      (B j).
      unfold Rmin; destruct (Rle_dec _ _); lra.
  - induction G as [|x S X G IH]; cbn [map Precision.count].
    + pose proof (integral_of_constant 0 1 0) as H0; rewrite Rmult_0_r in H0; exact H0.
    + change (sum (x :: S)) with (x + sum S).
      apply (is_RInt_ext (fun theta => (if Rle_dec theta x then 1 else 0) +
        INR (Precision.count (map (at_least theta) S)))).
      * intros theta _; rewrite plus_INR; f_equal; unfold at_least; destruct (Rle_dec theta x);
      reflexivity.
      * apply (is_RInt_plus (V := R_NormedModule)); [apply integral_of_indicator, X|exact IH].
Qed.
Lemma Permutation_sum {l m} : Permutation l m -> sum l = sum m.
Proof. apply total_perm. Qed.
(** RS-REL-15/L3: the ideal order of the whole pool has 1 without a cut-off, if the divisor is not 0
    *)
Theorem REL_15_L3 S : Forall (Rle 0) S -> 0 < sum S -> ap_phi (length S) (ideal S) S = 1.
Proof.
  intros F P; pose proof (ideal_rank_falls S F) as D; pose proof (DCG_4_L1 S) as Q.
  pose proof (Permutation_length Q) as L; unfold ap_phi; rewrite <- L, Nat.min_id.
  rewrite (sum_to_ext _ (at_rank (ideal S))).
  - rewrite prefix_gain, dcg_all, whole_none, (Permutation_sum Q) by lia.
    unfold quotient; destruct (Rlt_dec 0 (sum (ideal S))); [field; lra|].
    exfalso; rewrite (Permutation_sum Q) in P; contradiction.
  - intros i I; rewrite (sum_to_ext _ (fun _ => at_rank (ideal S) i)), sum_to_const.
    + field; apply not_0_INR; lia.
    + intros j J; apply Rmin_left, falls_le; [assumption|lia].
Qed.

(** * A measure of scores *)

(** RS-REL-16: A of the relevances, 0 for an item without a score *)
Definition relevances_of (f : Q -> Q) := map (fun s => match s with Some s => Q2R (f s) | None => 0
  end).
Definition Phi {V} (A : list R -> list R -> V) f (r S : list (option Q)) :=
  A (relevances_of f r) (relevances_of f S).

(** RS-REL-16/L2: of one list it is RS-REL-13 *)
Theorem REL_16_L2 {V} (A : list R -> list R -> V) f r S :
  Phi A f (map Some r) (map Some S) = of_relevance A f r S.
Proof. unfold Phi, of_relevance, relevances_of, relevances; rewrite !map_map; reflexivity. Qed.
(** RS-REL-16/L1: of nDCG with the gain 2^r - 1 it is nDCG_phi, of DCG DCG_phi *)
Theorem REL_16_L1 k d f r S :
  Phi (fun r J => ndcg k d (map exp2 r) (map exp2 J)) f (map Some r) (map Some S) = ndcg_phi k d f r
  S /\ Phi (fun r _ => dcg k d (map exp2 r)) f (map Some r) (map Some S) = dcg_phi k d f r.
Proof. rewrite !REL_16_L2; apply REL_13_L1. Qed.
(** RS-REL-16/L3: for tie groups it is the mean of its values over all orders of the groups *)
Theorem REL_16_L3 (A : list R -> list R -> R) f T S :
  expectation (fun p => A p (relevances_of f S)) (map (relevances_of f) T) =
  expectation (fun r => Phi A f r S) T.
Proof. symmetry; apply (Precision.expectation_map _ (fun p => A p (relevances_of f S))). Qed.
(** The order of scores; an item without one is last *)
Definition not_below (s t : option Q) := match s, t with
  | _, None => True | Some s, Some t => (t <= s)%Q | None, Some _ => False end.
(** RS-REL-16/L4: its IUB is its value of the pool in falling order of the scores *)
Theorem REL_16_L4 (A : list R -> list R -> R) f p S : is_relevance f -> Permutation S p ->
  StronglySorted not_below p -> iub (fun r => A r (relevances_of f S)) (relevances_of f S) = Phi A f
  p S.
Proof.
  intros [M B] P T; unfold iub, Phi; f_equal; unfold ideal.
  rewrite (best_of_perm _ (relevances_of f p)) by (apply Permutation_map, P); apply best_sorted.
  clear P; induction T as [|x p T IH F]; cbn; constructor; [exact IH|].
  apply Forall_map; eapply Forall_impl; [|exact F]; cbn; intros y N; destruct x as [x|], y as [y|];
  cbn in N; try contradiction; try lra.
  - apply Rle_ge, Qle_Rle, M, N.
  - apply Rle_ge; rewrite <- Q2R_0; apply Qle_Rle, B.
Qed.

(** * The digits of RS-REL-10 *)

Import LengthNumbers.Enclosures.
Lemma ln_ln_2 : - 0.366516 < ln (ln 2) < - 0.366510.
Proof. split; LengthNumbers.enclose. Qed.
Lemma ln_2 : 0.693145 < ln 2 < 0.693149.
Proof. split; LengthNumbers.enclose. Qed.
(** RS-REL-10/L2: ... the two numbers are 0.5288 and 0.0861, rounded to four digits *)
Theorem REL_10_L2_digits : 0.52875 < - log 2 (ln 2) < 0.52885 /\
  0.08605 < 1 - (1 + ln (ln 2)) / ln 2 < 0.08615.
Proof.
  pose proof ln_ln_2 as A; pose proof ln_2 as B; unfold log; set (l := ln 2) in *.
  set (m := ln l) in *; replace (- (m / l)) with (- m / l) by (field; lra).
  assert (0.52875 < - m / l < 0.52885) by (split; [apply lt_div|apply div_lt]; lra).
  assert (0.91385 < (1 + m) / l < 0.91395) by (split; [apply lt_div|apply div_lt]; lra); lra.
Qed.

(** * What is not proved *)

(** RS-NUM-14/L1 not proved: the steps of the core have no model here; that they compute phi is
    proved, and the error of each kind of step in proofs/core/Floating.v *)
(** RS-REL-5/L3 not proved: of S + b one example is computed, and not each b *)
