(* Gain and discount: spec/gain.md.  A rank is a natural number from 1 on;
  a discount is a function of it. *)
Require Import Reals Lra Lia List.
From Rankspec Require Import Numbers.
Import ListNotations.
Open Scope R_scope.

(** * Gains *)

(** RS-GAIN-1: g(r) = r *)
Definition linear (r : R) := r.

(** RS-GAIN-1/L1: it is 0 at 0, and rises *)
Theorem GAIN_1_L1 : linear 0 = 0 /\ forall r s, r < s -> linear r < linear s.
Proof. unfold linear; split; intros; lra. Qed.

(** RS-GAIN-1/L2: g(c r) = c g(r); that nDCG does not change is RS-DCG-6/L4 *)
Theorem GAIN_1_L2 c r : linear (c * r) = c * linear r.
Proof. reflexivity. Qed.

(** RS-GAIN-2: g(r) = 2^r - 1 *)
Definition exp2 (r : R) := Rpower 2 r - 1.

Lemma exp2_0 : exp2 0 = 0.
Proof. unfold exp2; rewrite Rpower_O; lra. Qed.
Lemma exp2_1 : exp2 1 = 1.
Proof. unfold exp2; rewrite Rpower_1; lra. Qed.

(** RS-GAIN-2/L1: it is 0 at 0, and rises *)
Theorem GAIN_2_L1 : exp2 0 = 0 /\ forall r s, r < s -> exp2 r < exp2 s.
Proof. split; [exact exp2_0|]; intros r s H; pose proof (Rpower_lt 2 r s); unfold exp2; lra. Qed.

(** RS-GAIN-2/L2: on the labels 0 and 1 it is the linear gain *)
Theorem GAIN_2_L2 r : r = 0 \/ r = 1 -> exp2 r = linear r.
Proof. intros [->| ->]; [apply exp2_0|apply exp2_1]. Qed.
(** RS-GAIN-2/L2: ... so a metric of the gains, of a list and a pool, has one value for both *)
Corollary GAIN_2_L2_metrics {A} (M : list R -> list R -> A) r J :
  Forall (fun x => x = 0 \/ x = 1) r -> Forall (fun x => x = 0 \/ x = 1) J ->
  M (map exp2 r) (map exp2 J) = M (map linear r) (map linear J).
Proof.
  intros B C; rewrite Forall_forall in B, C; f_equal; apply map_ext_in; intros x X;
  apply GAIN_2_L2; auto.
Qed.

(** RS-GAIN-2/L3: g(r + 1) = 2 g(r) + 1 *)
Theorem GAIN_2_L3 r : exp2 (r + 1) = 2 * exp2 r + 1.
Proof. unfold exp2; rewrite Rpower_plus, Rpower_1; lra. Qed.

(** RS-GAIN-3: g(r) = w_r, of the labels 0, 1, ..., R *)
Definition table (w : list R) (r : nat) := nth r w 0.

(** RS-GAIN-3/L1: the tables 0, 1, ..., R and 0, 1, 3, ..., 2^R - 1 are the other two gains *)
Theorem GAIN_3_L1 m r : (r <= m)%nat ->
  table (map INR (seq 0 (S m))) r = linear (INR r) /\
  table (map (fun j => 2 ^ j - 1) (seq 0 (S m))) r = exp2 (INR r).
Proof.
  intros H; unfold table, linear, exp2; split.
  - rewrite (nth_indep _ 0 (INR 0)), map_nth, seq_nth by (rewrite ?map_length, ?seq_length; lia);
    reflexivity.
  - rewrite (nth_indep _ 0 (2 ^ 0 - 1)), (map_nth (fun j => 2 ^ j - 1)), seq_nth
      by (rewrite ?map_length, ?seq_length; lia); rewrite Rpower_pow by lra; reflexivity.
Qed.

(** RS-GAIN-3/L2: a factor of every entry is one of every gain;
    that nDCG does not change is RS-DCG-6/L4 *)
Theorem GAIN_3_L2 c w r : table (map (Rmult c) w) r = c * table w r.
Proof.
  unfold table; destruct (Nat.lt_ge_cases r (length w)).
  - rewrite (nth_indep _ 0 (c * 0)), map_nth by (rewrite map_length; assumption); reflexivity.
  - rewrite !nth_overflow by (rewrite ?map_length; assumption); lra.
Qed.

(** * What the chapters ask of a discount: it is not negative, and does not rise *)

Definition falls (d : nat -> R) := forall i, (1 <= i)%nat -> d (S i) <= d i.
Definition nonneg (d : nat -> R) := forall i, (1 <= i)%nat -> 0 <= d i.

(** d up to the rank k, and 0 beyond *)
Definition cut k (d : nat -> R) (i : nat) := if (i <=? k)%nat then d i else 0.

Lemma falls_le d i j : falls d -> (1 <= i <= j)%nat -> d j <= d i.
Proof. intros F [I H]; induction H; [lra|]; specialize (F m ltac:(lia)); lra. Qed.
Lemma falls_shift n d : falls d -> falls (shift n d).
Proof. intros F i I; unfold shift; rewrite Nat.add_succ_r; apply F; lia. Qed.
Lemma nonneg_shift n d : nonneg d -> nonneg (shift n d).
Proof. intros N i I; apply N; lia. Qed.
Lemma falls_cut k d : falls d -> nonneg d -> falls (cut k d).
Proof.
  intros F N i I; unfold cut; specialize (F i I); specialize (N i I).
  destruct (Nat.leb_spec (S i) k), (Nat.leb_spec i k); try lra; lia.
Qed.
Lemma nonneg_cut k d : nonneg d -> nonneg (cut k d).
Proof. intros N i I; unfold cut; destruct (i <=? k)%nat; [apply N; assumption|lra]. Qed.
Lemma falls_scale c d : 0 <= c -> falls d -> falls (fun i => c * d i).
Proof. intros C F i I; specialize (F i I); nra. Qed.
Lemma nonneg_scale c d : 0 <= c -> nonneg d -> nonneg (fun i => c * d i).
Proof. intros C N i I; specialize (N i I); nra. Qed.
Lemma strictly_falls d : (forall i, (1 <= i)%nat -> 0 < d (S i) < d i) -> falls d /\ nonneg d.
Proof. intros H; split; intros i I; specialize (H i I); lra. Qed.

(** * Logarithms *)

(** log_b x *)
Definition log (b x : R) := ln x / ln b.

Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intros; rewrite <- ln_1; apply ln_increasing; lra. Qed.
Lemma inv_log b x : 1 < b -> 1 < x -> 1 / log b x = ln b / ln x.
Proof. intros B X; pose proof (ln_pos b B); pose proof (ln_pos x X); unfold log; field; lra. Qed.
Lemma inv_log_falls b x y : 1 < b -> 1 < x -> x < y -> 0 < 1 / log b y < 1 / log b x.
Proof.
  intros B X L; rewrite !inv_log by lra; pose proof (ln_pos b B); pose proof (ln_pos x X).
  pose proof (ln_increasing x y ltac:(lra) L); split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_compat_l; [assumption|apply Rinv_lt_contravar; nra].
Qed.
Lemma log_pow b e : 0 < b -> b <> 1 -> log b (b ^ e) = INR e.
Proof. intros; unfold log; rewrite ln_pow by assumption; field; apply ln_neq_0; assumption. Qed.
Lemma rank_ge_1 i : (1 <= i)%nat -> 1 <= INR i.
Proof. intros I; apply le_INR in I; exact I. Qed.

(** * Discounts *)

(** RS-DISC-1: d(i) = 1 / log_b (i + 1) *)
Definition d_log (b : R) (i : nat) := 1 / log b (INR i + 1).

(** RS-DISC-1/L1: d(i) > d(i + 1) > 0 *)
Theorem DISC_1_L1 b i : 1 < b -> (1 <= i)%nat -> 0 < d_log b (S i) < d_log b i.
Proof. intros B I; pose proof (rank_ge_1 i I); apply inv_log_falls; [assumption|lra|rewrite S_INR;
  lra]. Qed.

(** RS-DISC-1/L2: the base is a factor of d(i) ... *)
Theorem DISC_1_L2 b i : 1 < b -> (1 <= i)%nat -> d_log b i = log 2 b * d_log 2 i.
Proof.
  intros B I; pose proof (rank_ge_1 i I); unfold d_log; rewrite !inv_log by lra; unfold log.
  pose proof (ln_pos (INR i + 1)); pose proof (ln_pos 2); field; lra.
Qed.

(** RS-DISC-1/L3: d(2^e - 1) = 1/e *)
Theorem DISC_1_L3 e : (1 <= e)%nat -> d_log 2 (2 ^ e - 1) = 1 / INR e.
Proof.
  intros E; unfold d_log; assert (1 <= 2 ^ e)%nat by (pose proof (Nat.pow_nonzero 2 e); lia).
  rewrite minus_INR, pow_INR by assumption; change (INR 2) with 2; change (INR 1) with 1.
  replace (2 ^ e - 1 + 1) with (2 ^ e) by ring; rewrite log_pow by lra; reflexivity.
Qed.

(** RS-DISC-2: d(i) = 1 / (1 + log_b i) *)
Definition d_jarvelin_2008 (b : R) (i : nat) := 1 / (1 + log b (INR i)).

(** RS-DISC-2/L2: it is 1 / log_b (b i) *)
Theorem DISC_2_L2 b i : 1 < b -> (1 <= i)%nat -> d_jarvelin_2008 b i = 1 / log b (b * INR i).
Proof.
  intros B I; pose proof (rank_ge_1 i I); unfold d_jarvelin_2008, log; rewrite ln_mult by lra.
  pose proof (ln_pos b B); f_equal; field; lra.
Qed.

(** RS-DISC-2/L1: d(1) = 1, and d(i) > d(i + 1) > 0 *)
Theorem DISC_2_L1 b : 1 < b ->
  d_jarvelin_2008 b 1 = 1 /\ forall i, (1 <= i)%nat -> 0 < d_jarvelin_2008 b (S i)
  < d_jarvelin_2008 b i.
Proof.
  intros B; split; [unfold d_jarvelin_2008, log; cbn [INR]; rewrite ln_1; field;
  pose proof (ln_pos b B); lra|].
  intros i I; pose proof (rank_ge_1 i I); rewrite !DISC_2_L2 by (assumption || lia).
  apply inv_log_falls; [assumption|nra|rewrite S_INR; nra].
Qed.

(** RS-DISC-2/L3: d(2)/d(1) = 1 / (1 + log_b 2), 1/2 with b = 2 and 2/3 with b = 4 ... *)
Theorem DISC_2_L3 b : 1 < b -> d_jarvelin_2008 b 2 / d_jarvelin_2008 b 1 = 1 / (1 + log b 2) /\
  1 / (1 + log 2 2) = 1 / 2 /\ 1 / (1 + log 4 2) = 2 / 3.
Proof.
  intros B; destruct (DISC_2_L1 b B) as [-> _]; unfold d_jarvelin_2008; cbn [INR];
  rewrite Rplus_comm.
  pose proof (ln_pos b B); pose proof (ln_pos 2 ltac:(lra)); repeat split; unfold log.
  - replace (1 + 1) with 2 by lra; field; split; nra.
  - field; lra.
  - replace 4 with (2 * 2) by lra; rewrite ln_mult by lra; field; lra.
Qed.

(** RS-DISC-3: d(i) = 1 for i < b, and 1 / log_b i from b on *)
Definition d_jarvelin_2002 (b : R) (i : nat) := if Rlt_dec (INR i) b then 1 else 1 / log b (INR i).

Lemma log_ge_1 b x : 1 < b -> b <= x -> 1 <= log b x.
Proof.
  intros B X; pose proof (ln_pos b B); apply le_div; [assumption|]; rewrite Rmult_1_l.
  destruct X as [X| ->]; [apply Rlt_le, ln_increasing; lra|lra].
Qed.
Lemma log_lt_1 b x : 1 < b -> 0 < x < b -> log b x < 1.
Proof. intros B X; apply div_lt; [apply ln_pos; assumption|]; rewrite Rmult_1_l;
  apply ln_increasing; lra. Qed.

(** RS-DISC-3/L1: d(i) >= d(i + 1) > 0, and they are equal exactly where i + 1 <= b *)
Theorem DISC_3_L1 b i : 1 < b -> (1 <= i)%nat ->
  0 < d_jarvelin_2002 b (S i) <= d_jarvelin_2002 b i /\
  (d_jarvelin_2002 b (S i) = d_jarvelin_2002 b i <-> INR i + 1 <= b).
Proof.
  intros B I; pose proof (rank_ge_1 i I); pose proof (ln_pos b B); unfold d_jarvelin_2002;
  rewrite S_INR.
  destruct (Rlt_dec (INR i + 1) b), (Rlt_dec (INR i) b); try lra.
  - pose proof (log_ge_1 b (INR i + 1) B ltac:(lra)); unfold Rdiv; rewrite !Rmult_1_l; split.
    + apply inv_le_1; assumption.
    + split; intros E; [|replace (INR i + 1) with b by lra; unfold log; field; lra].
      destruct (Rle_dec (INR i + 1) b); [assumption|exfalso].
      assert (1 < log b (INR i + 1)) by (apply lt_div; [assumption|]; rewrite Rmult_1_l;
      apply ln_increasing; lra).
      pose proof (inv_lt_1 (log b (INR i + 1)) ltac:(assumption)); lra.
  - pose proof (inv_log_falls b (INR i) (INR i + 1)); lra.
Qed.

(** RS-DISC-3/L2: d(i) = 1 / max(1, log_b i) *)
Theorem DISC_3_L2 b i : 1 < b -> (1 <= i)%nat -> d_jarvelin_2002 b i = 1 / Rmax 1 (log b (INR i)).
Proof.
  intros B I; pose proof (rank_ge_1 i I); unfold d_jarvelin_2002; destruct (Rlt_dec (INR i) b).
  - rewrite Rmax_left; [lra|]; pose proof (log_lt_1 b (INR i)); lra.
  - rewrite Rmax_right; [reflexivity|]; apply log_ge_1; lra.
Qed.

(** RS-DISC-4: d(i) = 1/i *)
Definition d_zipf (i : nat) := 1 / INR i.

(** RS-DISC-4/L1: d(1) = 1, and d(i) > d(i + 1) > 0 *)
Theorem DISC_4_L1 : d_zipf 1 = 1 /\ forall i, (1 <= i)%nat -> 0 < d_zipf (S i) < d_zipf i.
Proof.
  unfold d_zipf; split; [cbn; lra|]; intros i I; pose proof (rank_ge_1 i I); rewrite S_INR.
  split; [apply Rdiv_lt_0_compat; lra|]; unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_lt_contravar;
  nra.
Qed.

(** RS-DISC-5: d(i) = w_i *)
Definition d_weights (w : list R) (i : nat) := nth (i - 1) w 0.

(** RS-DISC-6: d(i) = 1 *)
Definition d_none (_ : nat) := 1.

(** RS-DISC-5/L1: the weights 1, 1, ..., 1 are no discount *)
Theorem DISC_5_L1 m i : (1 <= i <= m)%nat -> d_weights (repeat 1 m) i = d_none i.
Proof.
  intros I; apply (repeat_spec m); apply nth_In; rewrite repeat_length; lia.
Qed.

Lemma falls_none : falls d_none.  Proof. intros i _; unfold d_none; lra. Qed.
Lemma nonneg_none : nonneg d_none.  Proof. intros i _; unfold d_none; lra. Qed.

(** RS-DISC-7: d(i) = 1 / log_b (i + b - 1) *)
Definition d_jiang_2016 (b : R) (i : nat) := 1 / log b (INR i + b - 1).

(** RS-DISC-7/L1: with b = 2 it is 1 / log_2 (i + 1) *)
Theorem DISC_7_L1 i : d_jiang_2016 2 i = d_log 2 i.
Proof. unfold d_jiang_2016, d_log; do 2 f_equal; lra. Qed.

(** RS-DISC-7/L2: d(1) = 1, and d(i) > d(i + 1) > 0 *)
Theorem DISC_7_L2 b : 1 < b ->
  d_jiang_2016 b 1 = 1 /\ forall i, (1 <= i)%nat -> 0 < d_jiang_2016 b (S i) < d_jiang_2016 b i.
Proof.
  intros B; unfold d_jiang_2016; split.
  - cbn [INR]; replace (1 + b - 1) with b by lra; unfold log; pose proof (ln_pos b B); field; lra.
  - intros i I; pose proof (rank_ge_1 i I); apply inv_log_falls; [assumption|lra|rewrite S_INR;
    lra].
Qed.

Lemma ln_le_minus_1 x : 0 < x -> ln x <= x - 1.
Proof. intros H; rewrite <- (ln_exp (x - 1)); destruct (Req_dec x 1) as [->|N];
  [replace (1 - 1) with 0 by lra; rewrite exp_0; lra|].
  apply Rlt_le, ln_increasing; [assumption|]; pose proof (exp_ineq1 (x - 1)); lra. Qed.

(** ln (x + m) / ln x = 1 + ln (1 + m/x) / ln x *)
Lemma d_jiang_2016_form b i : 1 < b -> (1 <= i)%nat ->
  d_jiang_2016 b i = 1 / (1 + ln (1 + (INR i - 1) / b) / ln b).
Proof.
  intros B I; pose proof (rank_ge_1 i I); unfold d_jiang_2016, log; f_equal;
  pose proof (ln_pos b B).
  assert (0 <= (INR i - 1) / b) by (apply div_nonneg; lra).
  replace (INR i + b - 1) with (b * (1 + (INR i - 1) / b)) by (field; lra).
  rewrite ln_mult by lra; field; lra.
Qed.

(** RS-DISC-7/L3: for i >= 2, d(i) rises strictly with b ... *)
Theorem DISC_7_L3 b c i : 1 < b < c -> (2 <= i)%nat -> d_jiang_2016 b i < d_jiang_2016 c i.
Proof.
  intros B I; assert (2 <= INR i) by (apply le_INR in I; exact I);
  rewrite !d_jiang_2016_form by (lia || lra).
  assert (0 < (INR i - 1) / c < (INR i - 1) / b).
  { split; [apply Rdiv_lt_0_compat; lra|]; apply Rmult_lt_compat_l; [lra|apply Rinv_lt_contravar;
    nra]. }
  pose proof (ln_pos b ltac:(lra)); pose proof (ln_increasing b c ltac:(lra) ltac:(lra)).
  pose proof (ln_pos (1 + (INR i - 1) / c) ltac:(lra)).
  pose proof (ln_increasing (1 + (INR i - 1) / c) (1 + (INR i - 1) / b) ltac:(lra) ltac:(lra)).
  set (p := ln (1 + (INR i - 1) / c)) in *; set (q := ln (1 + (INR i - 1) / b)) in *.
  assert (0 < p / ln c) by (apply Rdiv_lt_0_compat; lra).
  assert (p / ln c < q / ln b).
  { apply Rmult_gt_0_lt_compat; try lra; [apply Rinv_0_lt_compat; lra|apply Rinv_lt_contravar;
    nra]. }
  unfold Rdiv; rewrite !Rmult_1_l; apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|];
  fold (p / ln c); fold (q / ln b); lra.
Qed.
(** RS-DISC-7/L3: ... and tends to 1 ... *)
Theorem DISC_7_L3_limit i e : (1 <= i)%nat -> 0 < e -> exists c, forall b, c < b ->
  1 - e < d_jiang_2016 b i <= 1.
Proof.
  intros I E; pose proof (rank_ge_1 i I); exists (Rmax 2 (exp (INR i / e))); intros b L.
  assert (2 < b) by (pose proof (Rmax_l 2 (exp (INR i / e))); lra).
  assert (exp (INR i / e) < b) as X by (pose proof (Rmax_r 2 (exp (INR i / e))); lra).
  rewrite d_jiang_2016_form by (assumption || lra); pose proof (ln_pos b ltac:(lra)).
  apply ln_increasing in X; [|apply exp_pos]; rewrite ln_exp in X; apply div_lt in X; [|assumption].
  assert (0 <= (INR i - 1) / b <= INR i - 1) as M by (split; [apply div_nonneg|apply div_le]; nra).
  pose proof (ln_le_minus_1 (1 + (INR i - 1) / b) ltac:(lra)).
  assert (0 <= ln (1 + (INR i - 1) / b)).
  { destruct (Req_dec ((INR i - 1) / b) 0) as [->|]; [rewrite Rplus_0_r, ln_1;
    lra|apply Rlt_le, ln_pos; lra]. }
  set (u := ln (1 + (INR i - 1) / b) / ln b); assert (0 <= u) by (apply div_nonneg; lra).
  assert (u < e) by (apply div_lt; [assumption|nra]); split.
  - apply lt_div; [lra|nra].
  - apply div_le; [lra|nra].
Qed.

(** RS-DISC-7/L4: it is at least the discount of jarvelin-2008, equal at rank 1 only;
    it is less than
    1 / log_b (i + 1) where b > 2, and greater where b < 2 *)
Theorem DISC_7_L4 b i : 1 < b -> (1 <= i)%nat ->
  d_jarvelin_2008 b i <= d_jiang_2016 b i /\ (d_jarvelin_2008 b i = d_jiang_2016 b i <-> i = 1%nat)
  /\
  (2 < b -> d_jiang_2016 b i < d_log b i) /\ (b < 2 -> d_log b i < d_jiang_2016 b i).
Proof.
  intros B I; pose proof (rank_ge_1 i I) as P.
  assert ((1 < i)%nat -> d_jarvelin_2008 b i < d_jiang_2016 b i) as less.
  { intros J; assert (2 <= INR i) by (apply le_INR in J; exact J).
    rewrite DISC_2_L2 by assumption; apply inv_log_falls; nra. }
  assert (d_jarvelin_2008 b 1 = d_jiang_2016 b 1) as same.
  { rewrite (proj1 (DISC_2_L1 b B)), (proj1 (DISC_7_L2 b B)); reflexivity. }
  repeat split; intros.
  - destruct (Nat.eq_dec i 1) as [->|]; [lra|specialize (less ltac:(lia)); lra].
  - destruct (Nat.eq_dec i 1); [assumption|specialize (less ltac:(lia)); lra].
  - subst; assumption.
  - apply inv_log_falls; lra.
  - apply inv_log_falls; lra.
Qed.

(** RS-DISC-7/L5: for integers b, d(b^e - b + 1) = 1/e *)
Theorem DISC_7_L5 b e : (2 <= b)%nat -> (1 <= e)%nat -> d_jiang_2016 (INR b) (b ^ e - b + 1)
  = 1 / INR e.
Proof.
  intros B E; assert (2 <= INR b) by (apply le_INR in B; exact B); unfold d_jiang_2016.
  assert (b <= b ^ e)%nat by (rewrite <- (Nat.pow_1_r b) at 1; apply Nat.pow_le_mono_r; lia).
  rewrite plus_INR, minus_INR, pow_INR by assumption.
  change (INR 1) with 1; replace (INR b ^ e - INR b + 1 + INR b - 1) with (INR b ^ e) by ring.
  rewrite log_pow by lra; reflexivity.
Qed.

(** * Inverse propensity *)

(** RS-GAIN-4: 1/p = 1 + (ln N - 1) (B + 1)^A (n + B)^(-A), n points of N to which the item is
    relevant *)
Definition inverse_propensity N A B n := 1 + (ln N - 1) * Rpower (B + 1) A * Rpower (n + B) (- A).

Lemma ln_3 : 1 < ln 3.
Proof.
  rewrite <- (ln_exp 1); apply ln_increasing; [apply exp_pos|].
  pose proof (exp_ineq1 (- / 8) ltac:(lra)) as L; rewrite exp_Ropp in L; pose proof (exp_pos (/ 8)).
  assert (exp (/ 8) < 8 / 7) as U.
  { replace (1 + - / 8) with (/ (8 / 7)) in L by field; apply Rinv_lt_contravar in L.
    - rewrite !Rinv_inv in L; exact L.
    - apply Rmult_lt_0_compat; apply Rinv_0_lt_compat; lra. }
  replace (exp 1) with (exp (/ 8) ^ 8) by (replace 1 with (/ 8 + / 8 + / 8 + / 8 + / 8 + / 8 +
    / 8 + / 8) by field; rewrite !exp_plus; ring).
  apply Rle_lt_trans with ((8 / 7) ^ 8); [apply pow_incr; lra|lra].
Qed.
(** RS-GAIN-4/L1: 1 < 1/p; with n = 1 it is ln N; with A > 0 it falls strictly as n rises, and with
    A = 0 all are ln N *)
Theorem GAIN_4_L1 N A B n : 3 <= N -> 0 < B -> 0 <= n ->
  1 < inverse_propensity N A B n /\ inverse_propensity N A B 1 = ln N /\
  (0 < A -> forall m, n < m -> inverse_propensity N A B m < inverse_propensity N A B n) /\
  inverse_propensity N 0 B n = ln N.
Proof.
  intros HN HB Hn; assert (1 < ln N) as L.
  { apply Rlt_le_trans with (ln 3); [exact ln_3|]; destruct HN as [HN| <-]; [|lra].
    apply Rlt_le, ln_increasing; lra. }
  unfold inverse_propensity; pose proof (exp_pos (A * ln (B + 1))) as P; fold (Rpower (B + 1) A) in
    P.
  repeat split.
  - pose proof (exp_pos (- A * ln (n + B))) as Q; fold (Rpower (n + B) (- A)) in Q.
    assert (0 < (ln N - 1) * Rpower (B + 1) A * Rpower (n + B) (- A)) by
      (repeat apply Rmult_lt_0_compat; lra); lra.
  - rewrite (Rplus_comm 1 B), Rmult_assoc, <- Rpower_plus, Rplus_opp_r, Rpower_O by lra; ring.
  - intros HA m M; apply Rplus_lt_compat_l, Rmult_lt_compat_l; [apply Rmult_lt_0_compat; lra|].
    apply exp_increasing; pose proof (ln_increasing (n + B) (m + B) ltac:(lra) ltac:(lra)); nra.
  - rewrite Ropp_0, !Rpower_O by lra; ring.
Qed.
