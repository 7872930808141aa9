(* Precision: spec/precision.md.  All values are rational;
  a list holds the indicators R_1, R_2, ... as booleans. *)
Require Import Reals Lra Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Require Import QArith Qreals Qminmax Lqa.
Import ListNotations.
Open Scope Q_scope.

(** * Rational sums, and the same as real numbers *)

Definition nat_Q (n : nat) : Q := inject_Z (Z.of_nat n).
Fixpoint sum_Q (f : nat -> Q) n : Q := match n with O => 0 | S m => sum_Q f m + f (S m) end.

Lemma sum_Q_ext f g n : (forall i, (1 <= i <= n)%nat -> f i == g i) -> sum_Q f n == sum_Q g n.
Proof. induction n; cbn; intros H; [reflexivity|]; rewrite IHn, H by (intros; apply H || idtac;
  lia); reflexivity. Qed.
Lemma sum_Q_plus f g n : sum_Q (fun i => f i + g i) n == sum_Q f n + sum_Q g n.
Proof. induction n; cbn; [lra|rewrite IHn; ring]. Qed.
Lemma sum_Q_scale c f n : sum_Q (fun i => c * f i) n == c * sum_Q f n.
Proof. induction n; cbn; [lra|rewrite IHn; ring]. Qed.
Lemma sum_Q_zero n : sum_Q (fun _ => 0) n == 0.
Proof. induction n; cbn; [lra|rewrite IHn; lra]. Qed.
Lemma sum_Q_swap f n m : sum_Q (fun i => sum_Q (fun j => f i j) m)
  n == sum_Q (fun j => sum_Q (fun i => f i j) n) m.
Proof. induction n; cbn; [symmetry; apply sum_Q_zero|]; rewrite IHn, <- sum_Q_plus;
  reflexivity. Qed.
Lemma sum_Q_le f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum_Q f n <= sum_Q g n.
Proof.
  induction n; cbn; intros H; [lra|]; pose proof (H (S n) ltac:(lia)).
  assert (sum_Q f n <= sum_Q g n) by (apply IHn; intros; apply H; lia); lra.
Qed.

Lemma Q2R_nat n : Q2R (nat_Q n) = INR n.
Proof. unfold nat_Q, Q2R, inject_Z; cbn; rewrite INR_IZR_INZ; Lra.lra. Qed.
Lemma Q2R_zero : Q2R 0 = 0%R.
Proof. unfold Q2R; cbn; Lra.lra. Qed.
Lemma Q2R_one : Q2R 1 = 1%R.
Proof. unfold Q2R; cbn; Lra.lra. Qed.
Lemma Q2R_quotient x y : Q2R (x / y) = (Q2R x / Q2R y)%R.
Proof.
  destruct (Qeq_dec y 0) as [E|N]; [|apply Q2R_div; assumption].
  rewrite (Qeq_eqR y 0 E), Q2R_zero; assert (x / y == 0) as Z by (unfold Qdiv; rewrite E;
  unfold Qinv; cbn; ring).
  rewrite (Qeq_eqR _ _ Z), Q2R_zero; unfold Rdiv; rewrite Rinv_0; Lra.lra.
Qed.
Lemma Q2R_sum f n : Q2R (sum_Q f n) = sum_to (fun i => Q2R (f i)) n.
Proof. induction n; cbn; [apply Q2R_zero|]; rewrite Q2R_plus, IHn; reflexivity. Qed.

(** * Relevance *)

(** RS-PREC-1: R_i = 1 if r(i) >= theta, else 0 *)
Definition is_relevant (theta label : Q) : bool := Qle_bool theta label.
Definition relevance (theta : Q) (r : list Q) := map (is_relevant theta) r.
(** RS-PREC-1: ... and 0 beyond the end of the list *)
Definition indicator (l : list bool) i : Q := if nth (i - 1) l false then 1 else 0.

(** RS-PREC-1/L1: raising the threshold makes no further item relevant *)
Theorem PREC_1_L1 a b label : a <= b -> is_relevant b label = true -> is_relevant a label = true.
Proof. unfold is_relevant; rewrite !Qle_bool_iff; lra. Qed.
(** RS-PREC-1/L2 in part: the indicators with the threshold 1 are themselves *)
Theorem PREC_1_L2 theta r : relevance 1 (map (fun b : bool => if b then 1 else 0)
  (relevance theta r)) = relevance theta r.
Proof. unfold relevance; rewrite !map_map; apply map_ext; intro x; destruct (is_relevant theta x);
  reflexivity. Qed.

(** R_1 + ... + R_min(k, n) *)
Definition relevant_to k l := sum_Q (indicator l) (Nat.min k (length l)).
(** The indicators as gains, and how many are 1 *)
Definition gains (l : list bool) := map (fun b : bool => if b then 1%R else 0%R) l.
Fixpoint count (l : list bool) : nat := match l with [] => 0 | b :: l' => (if b then 1 else 0)
  + count l' end.

Lemma Q2R_indicator l i : Q2R (indicator l i) = at_rank (gains l) i.
Proof.
  unfold indicator, at_rank, gains; generalize (i - 1)%nat as j; induction l as [|b l IH];
  intros [|j]; cbn; try apply Q2R_zero; [|apply IH].
  destruct b; [apply Q2R_one|apply Q2R_zero].
Qed.
Lemma gains_length l : length (gains l) = length l.
Proof. apply map_length. Qed.
Lemma gains_nonneg l : Forall (Rle 0) (gains l).
Proof. apply Forall_map, Forall_forall; intros [|] _; Lra.lra. Qed.
Lemma sum_gains l : sum (gains l) = INR (count l).
Proof. unfold sum, gains; induction l as [|[|] l IH]; cbn [map total count];
  rewrite ?IH, ?plus_INR; cbn [INR]; Lra.lra. Qed.
Lemma count_length l : (count l <= length l)%nat.
Proof. induction l as [|[|] l IH]; cbn; lia. Qed.
Lemma count_perm l m : Permutation l m -> count l = count m.
Proof. induction 1; cbn; lia. Qed.
(** RS-EXP-4/L2: the number of relevant items up to k is CG@k of the indicators *)
Theorem EXP_4_L2 k l : Q2R (relevant_to k l) = cg k (gains l).
Proof. unfold relevant_to, cg; rewrite Q2R_sum, gains_length; apply sum_to_ext; intros;
  apply Q2R_indicator. Qed.
Lemma relevant_count k l : relevant_to k l == nat_Q (count (firstn k l)).
Proof.
  apply eqR_Qeq; rewrite EXP_4_L2, Q2R_nat, cg_is_dcg, dcg_firstn, whole_none, <- sum_gains;
  unfold gains; rewrite firstn_map; reflexivity.
Qed.

(** RS-PREC-2: Prec(k) = (R_1 + ... + R_min(k, n)) / k *)
Definition precision k l : Q := relevant_to k l / nat_Q k.
(** RS-PREC-3: Recall@k = (R_1 + ... + R_min(k, n)) / N_p, and 0 where N_p = 0 *)
Definition recall k Np l : Q := relevant_to k l / nat_Q Np.

Lemma nat_Q_pos n : (1 <= n)%nat -> 0 < nat_Q n.
Proof. intros N; unfold nat_Q; change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia. Qed.
Lemma nat_Q_nonneg n : 0 <= nat_Q n.
Proof. unfold nat_Q; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia. Qed.
Lemma nat_Q_le a b : (a <= b)%nat -> nat_Q a <= nat_Q b.
Proof. intros N; unfold nat_Q; rewrite <- Zle_Qle; lia. Qed.
Lemma over_le a b c : a <= b -> a / nat_Q c <= b / nat_Q c.
Proof. intros L; apply Qmult_le_compat_r; [assumption|]; apply Qinv_le_0_compat, nat_Q_nonneg. Qed.

(** RS-PREC-2/L1: k Prec(k) is an integer from 0 to min(k, n) *)
Theorem PREC_2_L1 k l : (1 <= k)%nat -> exists h, (h <= Nat.min k (length l))%nat /\
  nat_Q k * precision k l == nat_Q h.
Proof.
  intros K; exists (count (firstn k l)); split; [rewrite <- firstn_length; apply count_length|].
  unfold precision; rewrite relevant_count; pose proof (nat_Q_pos k K); field; lra.
Qed.
(** RS-PREC-2/L2: Prec(k) depends only on which items are among the first k *)
Theorem PREC_2_L2 k l m : Permutation (firstn k l) (firstn k m) -> precision k l == precision k m.
Proof. intros P; unfold precision; rewrite !relevant_count, (count_perm _ _ P); reflexivity. Qed.
Lemma gains_app a b : gains (a ++ b) = gains a ++ gains b.
Proof. apply map_app. Qed.
Lemma swap_relevant k a b c : relevant_to k (a ++ false :: b ++ true :: c)
  <= relevant_to k (a ++ true :: b ++ false :: c).
Proof.
  apply Rle_Qle; rewrite !EXP_4_L2, !cg_is_dcg; unfold gains;
  repeat (rewrite !map_app || cbn [map]).
  apply DCG_2_L2_up; [apply falls_none|apply nonneg_none|Lra.lra].
Qed.
Lemma upgrade_relevant k a b : relevant_to k (a ++ false :: b) <= relevant_to k (a ++ true :: b).
Proof.
  apply Rle_Qle; rewrite !EXP_4_L2, !cg_is_dcg; unfold gains;
  repeat (rewrite !map_app || cbn [map]).
  apply DCG_2_L3_up; [apply nonneg_none|Lra.lra].
Qed.
(** RS-PREC-2/L3: exchanging a relevant item with one above it that is not,
    or making an item relevant, never lowers Prec(k) *)
Theorem PREC_2_L3 k a b c : precision k (a ++ false :: b ++ true :: c)
  <= precision k (a ++ true :: b ++ false :: c) /\
  precision k (a ++ false :: b) <= precision k (a ++ true :: b).
Proof. split; apply over_le; [apply swap_relevant|apply upgrade_relevant]. Qed.
Lemma relevant_more k m l : (k <= m)%nat -> relevant_to k l <= relevant_to m l.
Proof. intros L; apply Rle_Qle; rewrite !EXP_4_L2, !cg_is_dcg; apply dcg_more;
  [apply nonneg_none|apply gains_nonneg|assumption]. Qed.
Lemma count_firstn k l : (count (firstn k l) <= count l)%nat.
Proof. revert l; induction k; intros [|b l]; cbn; try lia; specialize (IHk l); lia. Qed.
(** RS-PREC-3/L1: 0 <= Recall@k <= 1 where J covers r; it does not fall with k *)
Theorem PREC_3_L1 k m Np l : (count l <= Np)%nat -> (k <= m)%nat -> 0 <= recall k Np l <= 1 /\
  recall k Np l <= recall m Np l.
Proof.
  intros C L; repeat split; [| |apply over_le, relevant_more; assumption]; unfold recall;
  rewrite relevant_count.
  - apply Qmult_le_0_compat; [apply nat_Q_nonneg|apply Qinv_le_0_compat, nat_Q_nonneg].
  - destruct Np as [|N]; [unfold Qdiv, Qinv; cbn; unfold Qle; cbn; rewrite Z.mul_0_r; lia|].
    apply Qle_shift_div_r; [apply nat_Q_pos; lia|]; rewrite Qmult_1_l; apply nat_Q_le;
    pose proof (count_firstn k l); lia.
Qed.
(** RS-PREC-3/L2: k Prec(k) = N_p Recall@k where N_p > 0 *)
Theorem PREC_3_L2 k Np l : (1 <= k)%nat -> (1 <= Np)%nat ->
  nat_Q k * precision k l == nat_Q Np * recall k Np l.
Proof. intros K N; pose proof (nat_Q_pos k K); pose proof (nat_Q_pos Np N);
  unfold precision, recall; field; split; lra. Qed.
(** RS-PREC-3/L3: with N_p fixed, as RS-PREC-2/L3 *)
Theorem PREC_3_L3 k Np a b c : recall k Np (a ++ false :: b ++ true :: c)
  <= recall k Np (a ++ true :: b ++ false :: c) /\
  recall k Np (a ++ false :: b) <= recall k Np (a ++ true :: b).
Proof. split; apply over_le; [apply swap_relevant|apply upgrade_relevant]. Qed.

(** RS-PREC-4: RR@k = 1/i for the least i <= min(k, n) with R_i = 1, and 0 without one *)
Fixpoint rr_from i k (l : list bool) : Q :=
  match k, l with
  | S j, true :: _ => 1 / nat_Q i
  | S j, false :: l' => rr_from (S i) j l'
  | _, _ => 0
  end.
Definition rr k l := rr_from 1 k l.

Lemma rr_from_nonneg i k l : 0 <= rr_from i k l.
Proof.
  revert i k; induction l as [|[|] l IH]; intros i [|k]; cbn [rr_from]; try lra; [|apply IH].
  apply Qmult_le_0_compat; [lra|apply Qinv_le_0_compat, nat_Q_nonneg].
Qed.
Lemma rr_from_first i k a b : Forall (eq false) a -> (length a < k)%nat ->
  rr_from i k (a ++ true :: b) == 1 / nat_Q (i + length a).
Proof.
  intros F; revert i k; induction F as [|x a <- F IH]; intros i [|k] L; cbn in L; try lia;
  cbn [app rr_from length].
  - rewrite Nat.add_0_r; reflexivity.
  - rewrite IH by lia; rewrite Nat.add_succ_r; reflexivity.
Qed.
(** RS-PREC-4/L1: it is 1/i with i the rank of the first relevant item, whatever is after it,
    and the precision there *)
Theorem PREC_4_L1 k a b : Forall (eq false) a -> (length a < k)%nat ->
  rr k (a ++ true :: b) == 1 / nat_Q (S (length a)) /\ rr k (a ++ true :: b)
  == precision (S (length a)) (a ++ true :: b).
Proof.
  intros F L; unfold rr; rewrite rr_from_first by assumption; split; [reflexivity|];
  unfold precision; rewrite relevant_count.
  assert (count (firstn (S (length a)) (a ++ true :: b)) = 1%nat) as ->; [|reflexivity].
  clear L; induction F as [|x a <- F IH]; cbn; [reflexivity|exact IH].
Qed.
(** RS-PREC-4/L2: it does not fall with k *)
Theorem PREC_4_L2 k l : rr k l <= rr (S k) l.
Proof.
  unfold rr; generalize 1%nat as i; revert k; induction l as [|[|] l IH]; intros [|k] i;
  try apply Qle_refl; try apply rr_from_nonneg.
  cbn [rr_from]; apply IH.
Qed.

(** RS-PREC-5: SP@k, the sum of Prec(i) R_i up to min(k, n) *)
Definition sp k l := sum_Q (fun i => precision i l * indicator l i) (Nat.min k (length l)).

Lemma Q2R_precision k l : Q2R (precision k l) = (cg k (gains l) / INR k)%R.
Proof. unfold precision; rewrite Q2R_quotient, EXP_4_L2, Q2R_nat; reflexivity. Qed.
Lemma Q2R_sp k l : Q2R (sp k l) = sum_to (fun i => cg i (gains l) / INR i * at_rank (gains l)
  i)%R k.
Proof.
  unfold sp; rewrite Q2R_sum, <- (sum_to_min _ (length l) k); [apply sum_to_ext; intros;
  rewrite Q2R_mult, Q2R_precision, Q2R_indicator; reflexivity|].
  intros i I; rewrite at_rank_beyond by (rewrite gains_length; assumption); Lra.lra.
Qed.
Lemma indicator_01 l i : indicator l i == 0 \/ indicator l i == 1.
Proof. unfold indicator; destruct (nth _ _ _); [right|left]; reflexivity. Qed.
Lemma precision_range k l : 0 <= precision k l <= 1.
Proof.
  unfold precision; rewrite relevant_count; split.
  - apply Qmult_le_0_compat; [apply nat_Q_nonneg|apply Qinv_le_0_compat, nat_Q_nonneg].
  - destruct k as [|k]; [unfold Qdiv, Qinv; cbn; unfold Qle; cbn; lia|]; apply Qle_shift_div_r;
    [apply nat_Q_pos; lia|]; rewrite Qmult_1_l.
    apply nat_Q_le; eapply Nat.le_trans; [apply count_length|rewrite firstn_length; lia].
Qed.
(** RS-PREC-5/L1: 0 <= SP@k <= h, the number of relevant items among the first k *)
Theorem PREC_5_L1 k l : 0 <= sp k l <= nat_Q (count (firstn k l)).
Proof.
  rewrite <- relevant_count; unfold sp, relevant_to; split;
  [rewrite <- (sum_Q_zero (Nat.min k (length l)))|]; apply sum_Q_le; intros i I;
    pose proof (precision_range i l); destruct (indicator_01 l i) as [E|E]; rewrite E; lra.
Qed.
(** RS-PREC-5/L2: it is the sum of R_i R_j / j over i <= j <= min(k, n) *)
Theorem PREC_5_L2 k l : sp k l == sum_Q (fun j => sum_Q (fun i => indicator l i * indicator l j)
  j / nat_Q j) (Nat.min k (length l)).
Proof.
  unfold sp; apply sum_Q_ext; intros j J; unfold precision, relevant_to; rewrite Nat.min_l by lia.
  rewrite (sum_Q_ext (fun i => indicator l i * indicator l j)
  (fun i => indicator l j * indicator l i)), sum_Q_scale by (intros; ring).
  pose proof (nat_Q_pos j ltac:(lia)); field; lra.
Qed.
Lemma sp_monotone k l m : (forall i, indicator l i <= indicator m i) -> length l = length m ->
  sp k l <= sp k m.
Proof.
  intros H E; rewrite !PREC_5_L2, E; apply sum_Q_le; intros j J; apply over_le, sum_Q_le;
  intros i I.
  pose proof (H i); pose proof (H j); destruct (indicator_01 l i) as [A|A], (indicator_01 l j)
  as [B|B], (indicator_01 m i) as [C|C], (indicator_01 m j) as [D|D];
    rewrite A, B, C, D in *; lra.
Qed.
(** RS-PREC-5/L4: making an item relevant never lowers SP@k *)
Theorem PREC_5_L4 k a b : sp k (a ++ false :: b) <= sp k (a ++ true :: b).
Proof.
  apply sp_monotone; [|rewrite !app_length; reflexivity]; intro i; unfold indicator;
  destruct (Nat.lt_ge_cases (i - 1) (length a)).
  - rewrite !app_nth1 by assumption; apply Qle_refl.
  - rewrite !app_nth2 by assumption; destruct (i - 1 - length a)%nat; cbn; [lra|apply Qle_refl].
Qed.

(** * Expectations of counts *)

Lemma expectation_map {A B} (f : A -> B) M T : expectation (fun p => M (map f p))
  T = expectation M (map (map f) T).
Proof.
  revert M; induction T as [|t T IH]; intro M; cbn [map]; [rewrite !expectation_nil; reflexivity|];
  rewrite !expectation_cons, orders_map.
  unfold mean; rewrite total_map, map_length; f_equal; apply total_ext; intros p _.
  rewrite <- (IH (fun q => M (map f p ++ q))); apply expectation_ext; intros; rewrite map_app;
  reflexivity.
Qed.
Definition groups_of_gains := map gains.

(** RS-EXP-4: the sum over the groups T of m r_T / |T| *)
Fixpoint expected_relevant k (s : nat) (T : list (list bool)) : Q :=
  match T with
  | [] => 0
  | t :: T' => nat_Q (Nat.min (length t) (k - s)) * (nat_Q (count t) / nat_Q (length t))
  + expected_relevant k (s + length t) T'
  end.

Lemma Q2R_expected_relevant k s T : Q2R (expected_relevant k s T)
  = expected_dcg k d_none s (map gains T).
Proof.
  revert s; induction T as [|t T IH]; intro s; [apply Q2R_zero|];
  cbn [expected_relevant map expected_dcg].
  rewrite Q2R_plus, Q2R_mult, Q2R_quotient, !Q2R_nat, IH, sum_gains, gains_length;
  unfold shift, d_none; rewrite sum_to_const; Lra.lra.
Qed.
(** RS-EXP-4/L1: it equals RS-EXP-1 with M = R_1 + ... + R_min(k, n) *)
Theorem EXP_4_L1 k T : expectation (fun p => Q2R (relevant_to k p))
  T = Q2R (expected_relevant k 0 T).
Proof.
  rewrite Q2R_expected_relevant, <- EXP_2_L1, <- (expectation_map (fun b : bool => if b then 1%R
  else 0%R)).
  apply expectation_ext; intros p _; rewrite EXP_4_L2; apply cg_is_dcg.
Qed.
(** RS-EXP-5, RS-EXP-6: the same over k, and over N_p *)
Definition expected_precision k T : Q := expected_relevant k 0 T / nat_Q k.
Definition expected_recall k Np T : Q := expected_relevant k 0 T / nat_Q Np.

Lemma expectation_over (M : list bool -> Q) c T :
  expectation (fun p => Q2R (M p / c)) T = (expectation (fun p => Q2R (M p)) T / Q2R c)%R.
Proof. rewrite (expectation_ext _ (fun p => Q2R (M p) / Q2R c)%R) by (intros; apply Q2R_quotient);
  apply mean_div. Qed.
(** RS-EXP-5/L1: it equals RS-EXP-1 with M = Prec(k) *)
Theorem EXP_5_L1 k T : expectation (fun p => Q2R (precision k p)) T = Q2R (expected_precision k T).
Proof. unfold precision, expected_precision; rewrite expectation_over, EXP_4_L1, Q2R_quotient;
  reflexivity. Qed.
(** RS-EXP-5/L2: all tied, with N_p relevant items among n and k <= n it is N_p / n, for every k *)
Theorem EXP_5_L2 k t : (1 <= k <= length t)%nat -> expected_precision k [t] == nat_Q (count t)
  / nat_Q (length t).
Proof.
  intros K; unfold expected_precision; cbn [expected_relevant];
  rewrite Nat.sub_0_r, Nat.min_r by lia.
  pose proof (nat_Q_pos k ltac:(lia)); pose proof (nat_Q_pos (length t) ltac:(lia)); field; split;
  lra.
Qed.
(** RS-EXP-6/L1: it equals RS-EXP-1 with M = Recall@k *)
Theorem EXP_6_L1 k Np T : expectation (fun p => Q2R (recall k Np p))
  T = Q2R (expected_recall k Np T).
Proof. unfold recall, expected_recall; rewrite expectation_over, EXP_4_L1, Q2R_quotient;
  reflexivity. Qed.
(** RS-EXP-6/L2: where the list has all N_p > 0 relevant items it is min(k, n) / n *)
Theorem EXP_6_L2 k t : (1 <= count t)%nat -> expected_recall k (count t)
  [t] == nat_Q (Nat.min k (length t)) / nat_Q (length t).
Proof.
  intros N; unfold expected_recall; cbn [expected_relevant]; rewrite Nat.sub_0_r, Nat.min_comm;
  pose proof (count_length t).
  pose proof (nat_Q_pos (count t) N); pose proof (nat_Q_pos (length t) ltac:(lia)); field; split;
  lra.
Qed.

(** * Expected SP *)

(** RS-EXP-8: the part of a group below s items, c of them relevant,
    with m ranks up to the cut-off *)
Definition part_of_sp (s c m : nat) (t : list bool) : Q :=
  nat_Q (count t) / nat_Q (length t) * sum_Q (fun j =>
    (nat_Q c + 1 + nat_Q (j - 1) * ((nat_Q (count t) - 1) / (nat_Q (length t) - 1)))
    / nat_Q (s + j)) m.
(** RS-EXP-9: the sum of the parts of all groups *)
Fixpoint expected_sp k (s c : nat) (T : list (list bool)) : Q :=
  match T with
  | [] => 0
  | t :: T' => part_of_sp s c (Nat.min (length t) (k - s)) t + expected_sp k (s + length t)
  (c + count t) T'
  end.

(** RS-EXP-8/L2: of a single item it is r_T (c + 1) / (s + 1) *)
Theorem EXP_8_L2 s c b : part_of_sp s c 1 [b] == nat_Q (count [b]) * (nat_Q c + 1) / nat_Q (s + 1).
Proof.
  unfold part_of_sp; cbn [sum_Q length]; change (nat_Q (1 - 1)) with 0; change (nat_Q 1) with 1.
  pose proof (nat_Q_pos (s + 1) ltac:(lia)); unfold Qdiv at 4; rewrite Qmult_0_l, Qplus_0_r; field;
  lra.
Qed.

Open Scope R_scope.
(** SP of the part of a list below s items, c of them relevant *)
Definition sp_below (s c m : nat) (x : list R) := sum_to (fun j => (INR c + sum_to (at_rank x) j)
  * at_rank x j / INR (s + j)) m.

Lemma Q2R_sp_below k l : Q2R (sp k l) = sp_below 0 0 k (gains l).
Proof.
  rewrite Q2R_sp; apply sum_to_ext; intros j J; rewrite cg_is_dcg, dcg_sum; cbn [INR plus].
  rewrite (sum_to_ext (fun i => at_rank (gains l) i * d_none i) (at_rank (gains l))) by (intros;
  unfold d_none; Lra.lra); unfold Rdiv; ring.
Qed.
Lemma sp_below_app s c k a b : sp_below s c k (gains (a ++ b)) =
  sp_below s c (Nat.min (length a) k) (gains a) + sp_below (s + length a) (c + count a)
  (k - length a) (gains b).
Proof.
  rewrite gains_app; assert (forall j, (j <= length a)%nat -> sum_to (at_rank (gains a ++ gains b))
  j = sum_to (at_rank (gains a)) j) as P.
  { intros j J; apply sum_to_ext; intros; apply at_rank_app1; rewrite gains_length; lia. }
  assert (sum_to (at_rank (gains a)) (length a) = INR (count a)) as E.
  { rewrite <- sum_gains, <- whole_none; unfold whole; rewrite gains_length; apply sum_to_ext;
    intros; unfold d_none; Lra.lra. }
  unfold sp_below; destruct (Nat.le_gt_cases k (length a)) as [L|L].
  - rewrite Nat.min_r by assumption; replace (k - length a)%nat with 0%nat by lia; cbn [sum_to];
    rewrite Rplus_0_r.
    apply sum_to_ext; intros j J; rewrite P, at_rank_app1 by (rewrite ?gains_length; lia);
    reflexivity.
  - rewrite Nat.min_l by lia; replace k with (length a + (k - length a))%nat at 1 by lia;
    rewrite sum_to_split; f_equal.
    + apply sum_to_ext; intros j J; rewrite P, at_rank_app1 by (rewrite ?gains_length; lia);
      reflexivity.
    + apply sum_to_ext; intros j J; unfold shift; rewrite sum_to_split, P, E by lia;
      rewrite <- (gains_length a) at 2; rewrite at_rank_app2 by lia.
      rewrite (sum_to_ext (shift (length a) (at_rank (gains a ++ gains b))) (at_rank (gains b))).
      * rewrite (plus_INR c (count a)), Nat.add_assoc; unfold Rdiv; ring.
      * intros i I; unfold shift; rewrite <- (gains_length a); apply at_rank_app2; lia.
Qed.
Lemma total_squares t : total (fun x => x * x) (gains t) = INR (count t).
Proof. rewrite <- sum_gains; unfold sum; apply total_ext; intros x X; apply in_map_iff in X;
  destruct X as ([|] & <- & _); Lra.lra. Qed.
(** The mean over the orders of one group *)
Lemma mean_sp_below s c m t : (m <= length t)%nat ->
  mean (fun p => sp_below s c m (gains p)) (orders t) = Q2R (part_of_sp s c m t).
Proof.
  intros L; assert (mean (fun p => sp_below s c m (gains p)) (orders t) = mean (sp_below s c m)
  (orders (gains t))) as ->.
  { unfold gains at 2; rewrite orders_map; unfold mean; rewrite total_map, map_length;
    reflexivity. }
  set (x := gains t); set (n := INR (length t)); set (r := INR (count t)); unfold sp_below;
  rewrite mean_sum_to.
  unfold part_of_sp; rewrite Q2R_mult, Q2R_quotient, !Q2R_nat, Q2R_sum, <- sum_to_scale; fold n;
  fold r; apply sum_to_ext; intros j J.
  rewrite mean_div, Q2R_quotient, !Q2R_plus, Q2R_mult, Q2R_quotient, !Q2R_minus, !Q2R_nat, Q2R_one;
  fold n; fold r.
  assert (length x = length t) as Lx by apply gains_length;
  assert (1 <= n) as N by (apply (rank_ge_1 (length t)); lia).
  assert (mean (fun y => y) x = r / n) as M1 by (unfold mean; rewrite Lx; f_equal; apply sum_gains).
  assert (mean (fun y => y * y) x = r / n) as M2 by (unfold mean; rewrite Lx; f_equal;
  apply total_squares).
  assert (mean (fun p => (INR c + sum_to (at_rank p) j) * at_rank p j) (orders x) =
    INR c * (r / n) + (INR (j - 1) * ((r * r - r) / (n * (n - 1))) + r / n)) as ->.
  { rewrite (mean_ext _ (fun p => INR c * at_rank p j + (sum_to (fun i => at_rank p i * at_rank p
    j) (j - 1) + at_rank p j * at_rank p j))).
    2: { intros p _; destruct j as [|j]; [lia|]; cbn [sum_to]; replace (S j - 1)%nat with j by lia.
         rewrite (sum_to_ext (fun i => at_rank p i * at_rank p (S j)) (fun i => at_rank p (S j)
         * at_rank p i)), sum_to_scale by (intros; ring); ring. }
    rewrite !mean_plus, mean_scale, mean_sum_to; unfold at_rank.
    rewrite (mean_at_rank (fun y => y) 0), (mean_at_rank (fun y => y * y) 0), M1, M2 by lia;
    f_equal; f_equal.
    rewrite (sum_to_ext _ (fun _ => (r * r - r) / (n * (n - 1)))), sum_to_const; [reflexivity|];
    intros i I.
    rewrite (mean_at_ranks (fun y z => y * z) 0) by lia; rewrite pairs_all, Lx; fold n; f_equal;
    unfold x at 3; rewrite total_squares; fold r; f_equal.
    rewrite (total_ext _ (fun y => r * y)), total_scale; [unfold x; fold (sum (gains t));
    rewrite sum_gains; reflexivity|].
    intros y _; rewrite total_scale; unfold x; fold (sum (gains t)); rewrite sum_gains; fold r;
    ring. }
  destruct (Req_EM_T n 1) as [E|E].
  - assert (length t = 1)%nat as L1 by (apply INR_eq; exact E); assert (j = 1)%nat as -> by lia;
    rewrite E; cbn [INR Nat.sub]; unfold Rdiv; ring.
  - assert (INR (s + j) <> 0) by (apply not_0_INR; lia); field; repeat split; Lra.lra.
Qed.
(** RS-EXP-9/L1: it equals RS-EXP-1 with M = SP@k *)
Theorem EXP_9_L1 k T : expectation (fun p => Q2R (sp k p)) T = Q2R (expected_sp k 0 0 T).
Proof.
  rewrite (expectation_ext _ (fun p => sp_below 0 0 (k - 0) (gains p))) by (intros;
  rewrite Nat.sub_0_r; apply Q2R_sp_below).
  generalize 0%nat at 1 3 4 as s; generalize 0%nat as c; intros c s; revert s c;
  induction T as [|t T IH]; intros s c.
  - rewrite expectation_nil; cbn [expected_sp]; rewrite Q2R_zero; unfold sp_below;
    apply sum_to_zero; intros; rewrite at_rank_beyond by (cbn; lia); unfold Rdiv; ring.
  - rewrite expectation_cons; cbn [expected_sp]; rewrite Q2R_plus, <- IH,
    <- mean_sp_below by apply Nat.le_min_l.
    rewrite (mean_ext _ (fun p => sp_below s c (Nat.min (length t) (k - s)) (gains p)
    + expectation (fun q => sp_below (s + length t) (c + count t) (k - (s + length t)) (gains q))
    T)).
    + rewrite mean_plus, mean_const by apply orders_some; reflexivity.
    + intros p P; apply orders_are_permutations in P;
      rewrite (count_perm t p P), (Permutation_length P).
      rewrite (expectation_ext _ (fun q => sp_below s c (Nat.min (length p) (k - s)) (gains p)
      + sp_below (s + length p) (c + count p) (k - (s + length p)) (gains q))).
      * rewrite expectation_plus, expectation_const; reflexivity.
      * intros q _; rewrite sp_below_app; f_equal; f_equal; lia.
Qed.
Close Scope R_scope.

(** H_k = 1 + 1/2 + ... + 1/k *)
Definition harmonic k := sum_Q (fun j => 1 / nat_Q j) k.
(** RS-EXP-9/L2: all tied, N_p / (n (n - 1)) ((N_p - 1) k + (n - N_p) H_k) *)
Theorem EXP_9_L2 k t : let n := nat_Q (length t) in let Np := nat_Q (count t)
  in (2 <= length t)%nat -> (k <= length t)%nat ->
  expected_sp k 0 0 [t] == Np / (n * (n - 1)) * ((Np - 1) * nat_Q k + (n - Np) * harmonic k).
Proof.
  intros n Np N K; assert (2 <= n) by (change 2 with (nat_Q 2); apply nat_Q_le; assumption);
  cbn [expected_sp]; rewrite Nat.sub_0_r, Nat.min_r by assumption.
  unfold part_of_sp; fold n; fold Np; change (nat_Q 0) with 0.
  rewrite (sum_Q_ext _ (fun j => (1 - (Np - 1) / (n - 1)) * (1 / nat_Q j) + (Np - 1) / (n - 1)
  * 1)).
  2: { intros [|j] J; [lia|]; pose proof (nat_Q_pos (S j) ltac:(lia));
  replace (S j - 1)%nat with j by lia; cbn [plus].
       assert (nat_Q (S j) == nat_Q j + 1) as E by (unfold nat_Q;
       rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus; reflexivity); rewrite E in *; field;
       split; lra. }
  rewrite sum_Q_plus, !sum_Q_scale; fold (harmonic k).
  assert (sum_Q (fun _ => 1) k == nat_Q k) as ->; [|field; split; lra].
  clear; induction k; cbn [sum_Q]; [reflexivity|]; rewrite IHk; unfold nat_Q;
  rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus; reflexivity.
Qed.
(** RS-EXP-9/L3: it exceeds k (N_p / n)^2 by N_p (n - N_p) / (n (n - 1)) (H_k - k/n) *)
Theorem EXP_9_L3 k t : let n := nat_Q (length t) in let Np := nat_Q (count t)
  in (2 <= length t)%nat -> (k <= length t)%nat ->
  expected_sp k 0 0 [t] - nat_Q k * (Np / n * (Np / n)) == Np * (n - Np) / (n * (n - 1))
  * (harmonic k - nat_Q k / n).
Proof.
  intros n Np N K; unfold n, Np; rewrite EXP_9_L2 by assumption; fold n; fold Np.
  assert (2 <= n) by (change 2 with (nat_Q 2); apply nat_Q_le; assumption); field; split; lra.
Qed.

(** * AP *)

(** RS-PREC-6: the normalisers "R", "min", "k", "retrieved" and "hits" *)
Inductive Norm := of_R | of_min | of_k | of_retrieved | of_hits.
Definition normaliser norm k Np l :=
  match norm with
  | of_R => Np | of_min => Nat.min k Np | of_k => k | of_retrieved => count l | of_hits => count
  (firstn k l)
  end.
(** RS-PREC-7: AP@k = SP@k / Z, and 0 where Z = 0 *)
Definition ap norm k Np l : Q := sp k l / nat_Q (normaliser norm k Np l).

(** RS-PREC-6/L2: "min" is "R" where k >= N_p, and "k" where k <= N_p *)
Theorem PREC_6_L2 k Np l : ((Np <= k)%nat -> ap of_min k Np l = ap of_R k Np l) /\
  ((k <= Np)%nat -> ap of_min k Np l = ap of_k k Np l).
Proof. unfold ap, normaliser; split; intros; [rewrite Nat.min_r by assumption|rewrite Nat.min_l by
  assumption]; reflexivity. Qed.
Lemma smaller_divisor x a b : 0 <= x -> (1 <= a <= b)%nat -> x / nat_Q b <= x / nat_Q a.
Proof.
  intros X AB; pose proof (nat_Q_pos a ltac:(lia)); pose proof (nat_Q_pos b ltac:(lia));
  pose proof (nat_Q_le a b ltac:(lia)).
  apply Qle_shift_div_l; [assumption|]; setoid_replace (x / nat_Q b * nat_Q a)
  with (x * nat_Q a / nat_Q b) by (field; lra).
  apply Qle_shift_div_r; [assumption|]; nra.
Qed.
Lemma no_hits x k l : 0 <= x <= nat_Q (count (firstn k l)) -> count (firstn k l) = 0%nat -> x == 0.
Proof. intros H E; rewrite E in H; change (nat_Q 0) with 0 in H; lra. Qed.
(** RS-PREC-6/L1: AP with "min" is at least AP with "R" and with "k" *)
Theorem PREC_6_L1 k Np l : (count l <= Np)%nat -> (1 <= k)%nat ->
  ap of_R k Np l <= ap of_min k Np l /\ ap of_k k Np l <= ap of_min k Np l.
Proof.
  intros C K; pose proof (PREC_5_L1 k l) as S; unfold ap, normaliser; destruct Np as [|N].
  - assert (sp k l == 0) as Z by (apply (no_hits _ k l S); pose proof (count_firstn k l); lia);
    unfold Qdiv; rewrite Z, !Qmult_0_l; lra.
  - split; apply smaller_divisor; lia || tauto.
Qed.
(** RS-PREC-6/L3: where J covers r, AP with "hits" is at least that with "retrieved",
    which is at least that with "R" *)
Theorem PREC_6_L3 k Np l : (count l <= Np)%nat -> ap of_retrieved k Np l <= ap of_hits k Np l /\
  ap of_R k Np l <= ap of_retrieved k Np l.
Proof.
  intros C; pose proof (PREC_5_L1 k l) as S; pose proof (count_firstn k l); unfold ap, normaliser;
  destruct (count (firstn k l)) as [|h] eqn:E.
  - assert (sp k l == 0) as Z by (apply (no_hits _ k l); rewrite E; assumption || reflexivity);
    unfold Qdiv; rewrite Z, !Qmult_0_l; lra.
  - split; apply smaller_divisor; lia || tauto.
Qed.
(** RS-PREC-6/L4: with "retrieved" and "hits", making an item relevant can lower AP *)
Theorem PREC_6_L4 : ap of_retrieved 3 3 [true; false; false] == 1 /\ ap of_retrieved 3 3 [true;
  false; true] == 5 # 6 /\
  ap of_hits 3 3 [true; false; false] == 1 /\ ap of_hits 3 3 [true; false; true] == 5 # 6.
Proof. repeat split; vm_compute; reflexivity. Qed.
Lemma over_range x a b : 0 <= x <= nat_Q a -> (a <= b)%nat -> 0 <= x / nat_Q b <= 1.
Proof.
  intros X L; split; [apply Qmult_le_0_compat; [tauto|apply Qinv_le_0_compat, nat_Q_nonneg]|].
  destruct b as [|b].
  - assert (x == 0) as Z by (replace a with O in X by lia; change (nat_Q 0) with 0 in X; lra);
    unfold Qdiv; rewrite Z, Qmult_0_l; lra.
  - apply Qle_shift_div_r; [apply nat_Q_pos; lia|]; rewrite Qmult_1_l;
    pose proof (nat_Q_le a (S b) L); lra.
Qed.
(** RS-PREC-7/L1: 0 <= AP@k <= 1 for each normaliser, where J covers r *)
Theorem PREC_7_L1 norm k Np l : (count l <= Np)%nat -> 0 <= ap norm k Np l <= 1.
Proof.
  intros C; apply over_range with (count (firstn k l)); [apply PREC_5_L1|];
  pose proof (count_firstn k l); pose proof (count_length (firstn k l)).
  rewrite firstn_length in *; destruct norm; cbn; lia.
Qed.
(** RS-PREC-7/L3: with "R" and N_p = 1, AP@k = RR@k of a list with the one relevant item *)
Theorem PREC_7_L3 k a b : Forall (eq false) a -> Forall (eq false) b ->
  ap of_R k 1 (a ++ true :: b) == rr k (a ++ true :: b).
Proof.
  intros A B; set (l := a ++ true :: b); assert (forall i, (1 <= i)%nat -> nth (i - 1)
  l false = (i =? S (length a))%nat) as N.
  { intros i I; unfold l; destruct (Nat.eqb_spec i (S (length a))) as [->|D].
    - rewrite app_nth2 by lia; replace (S (length a) - 1 - length a)%nat with O by lia; reflexivity.
    - destruct (Nat.lt_ge_cases (i - 1) (length a)) as [L|L].
      + rewrite app_nth1 by assumption; rewrite Forall_forall in A; symmetry; apply A, nth_In;
        assumption.
      + rewrite app_nth2 by assumption; destruct (i - 1 - length a)%nat as [|j] eqn:E; [lia|]; cbn.
        destruct (nth_in_or_default j b false) as [Y|Y]; [rewrite Forall_forall in B; symmetry;
        apply B; assumption|assumption]. }
  unfold ap, normaliser; change (nat_Q 1) with 1; setoid_replace (sp k l / 1) with (sp k l)
  by field.
  assert (length l = length a + S (length b))%nat as L by (unfold l; rewrite app_length;
  reflexivity).
  assert (forall m, sum_Q (fun i => precision i l * indicator l i) m == if (S (length a)
  <=? m)%nat then precision (S (length a)) l else 0) as E.
  { induction m as [|m IH]; [reflexivity|]; cbn [sum_Q]; rewrite IH; unfold indicator;
    rewrite N by lia.
    destruct (Nat.leb_spec (S (length a)) m), (Nat.leb_spec (S (length a)) (S m)),
    (Nat.eqb_spec (S m) (S (length a))) as [E|]; try lia; try ring.
    rewrite E; ring. }
  unfold sp; rewrite E; destruct (Nat.lt_ge_cases (length a) k) as [K|K].
  - destruct (PREC_4_L1 k a b A K) as [_ R1]; fold l in R1; rewrite R1;
    destruct (Nat.leb_spec (S (length a)) (Nat.min k (length l))); [reflexivity|lia].
  - destruct (Nat.leb_spec (S (length a)) (Nat.min k (length l))); [lia|]; unfold rr, l;
    clear - A K; generalize 1%nat as i; revert k K.
    induction A as [|x a <- A IH]; intros [|k] K i; cbn in *; try reflexivity; try lia; apply IH;
    lia.
Qed.
(** RS-PREC-7/L4: with N_p fixed, making an item relevant never lowers AP@k with "R",
    "min" and "k" *)
Theorem PREC_7_L4 norm k Np a b : norm = of_R \/ norm = of_min \/ norm = of_k ->
  ap norm k Np (a ++ false :: b) <= ap norm k Np (a ++ true :: b).
Proof. intros [->|[->| ->]]; apply over_le, PREC_5_L4. Qed.

(** RS-EXP-10: E[AP@k] = E[SP@k] / Z, with a normaliser of the pool and the cut-off *)
Definition expected_ap Z k T : Q := expected_sp k 0 0 T / nat_Q Z.
(** RS-EXP-10/L1 in part: it equals RS-EXP-1 with M = AP@k *)
Theorem EXP_10_L1 norm k Np T : norm = of_R \/ norm = of_min \/ norm = of_k ->
  expectation (fun p => Q2R (ap norm k Np p)) T = Q2R (expected_ap (normaliser norm k Np []) k T).
Proof.
  intros H; unfold expected_ap; rewrite Q2R_quotient, <- EXP_9_L1, <- expectation_over;
  apply expectation_ext; intros p _.
  unfold ap; destruct H as [->|[->| ->]]; reflexivity.
Qed.

(** * Graded AP *)

(** RS-PREC-8: pi(x), the sum of q_j, j <= x *)
Definition pi (q : list Q) (x : Q) := sum_Q (fun j => if Qle_bool (nat_Q j) x then nth (j - 1)
  q 0 else 0) (length q).
(** RS-PREC-9: GSP@k, the sum over h <= i of pi(min(r(h), r(i))) / i *)
Definition label (r : list Q) i := nth (i - 1) r 0.
Definition gsp q k r := sum_Q (fun i => sum_Q (fun h => pi q (Qmin (label r h) (label r i)))
  i / nat_Q i) (Nat.min k (length r)).
(** RS-PREC-10: E[N_p], the sum of pi over the pool *)
Definition expected_number q J := sum_Q (fun i => pi q (label J i)) (length J).
(** RS-PREC-11: GAP@k = GSP@k / E[N_p] *)
Definition gap q k r J : Q := gsp q k r / expected_number q J.

(** RS-PREC-11: <2, 0, 1> has 8/9 and <2, 0, 2> has 5/6, with the list as its own pool *)
Theorem examples_of_gap : gap [1 # 2; 1 # 2] 3 [2; 0; 1] [2; 0; 1] == 8 # 9 /\ gap [1 # 2;
  1 # 2] 3 [2; 0; 2] [2; 0; 2] == 5 # 6 /\
  gap [1; 1] 2 [2; 1] [2; 1; 1] == 3 # 4.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** RS-PREC-8/L1: pi does not fall with x *)
Theorem PREC_8_L1 q x y : Forall (Qle 0) q -> x <= y -> pi q x <= pi q y.
Proof.
  intros F L; apply sum_Q_le; intros j J; destruct (Qle_bool (nat_Q j) x) eqn:A.
  - apply Qle_bool_iff in A; assert (Qle_bool (nat_Q j) y = true) as -> by (apply Qle_bool_iff;
    lra); apply Qle_refl.
  - destruct (Qle_bool (nat_Q j) y); [|apply Qle_refl]; rewrite Forall_forall in F;
    apply F, nth_In; lia.
Qed.
Lemma indicator_of_label j r i : (1 <= i <= length r)%nat -> indicator (relevance (nat_Q j) r)
  i = if Qle_bool (nat_Q j) (label r i) then 1 else 0.
Proof.
  intros I; unfold indicator, relevance, label; rewrite (nth_indep _ false (is_relevant (nat_Q j)
  0)) by (rewrite map_length; lia).
  rewrite map_nth; reflexivity.
Qed.
(** RS-PREC-9/L1: GSP@k is the sum of q_j SP_j@k, SP_j of the threshold j *)
Theorem PREC_9_L1 q k r : gsp q k r == sum_Q (fun j => nth (j - 1) q 0 * sp k (relevance (nat_Q j)
  r)) (length q).
Proof.
  assert (forall j, length (relevance (nat_Q j) r) = length r) as L by (intro; apply map_length).
  rewrite (sum_Q_ext (fun j => nth (j - 1) q 0 * sp k (relevance (nat_Q j) r))
  (fun j => sum_Q (fun i => nth (j - 1) q 0 *
    (sum_Q (fun h => indicator (relevance (nat_Q j) r) h * indicator (relevance (nat_Q j) r) i)
    i / nat_Q i)) (Nat.min k (length r)))).
  2: { intros j J; rewrite PREC_5_L2, L, sum_Q_scale; reflexivity. }
  rewrite sum_Q_swap; unfold gsp; apply sum_Q_ext; intros i I; pose proof (nat_Q_pos i ltac:(lia)).
  rewrite (sum_Q_ext (fun j => nth (j - 1) q 0 * (sum_Q (fun h => indicator (relevance (nat_Q j) r)
  h * indicator (relevance (nat_Q j) r) i) i / nat_Q i))
    (fun j => / nat_Q i * sum_Q (fun h => nth (j - 1) q 0 * (indicator (relevance (nat_Q j) r)
    h * indicator (relevance (nat_Q j) r) i)) i)).
  2: { intros j J; rewrite sum_Q_scale; field; lra. }
  rewrite sum_Q_scale, sum_Q_swap; unfold Qdiv; rewrite Qmult_comm; apply Qmult_comp;
  [reflexivity|]; apply sum_Q_ext; intros h Hh; unfold pi; apply sum_Q_ext; intros j J.
  rewrite !indicator_of_label by lia; set (a := label r h); set (b := label r i).
  assert (Qle_bool (nat_Q j) (Qmin a b) = andb (Qle_bool (nat_Q j) a) (Qle_bool (nat_Q j) b)) as ->.
  { apply Bool.eq_true_iff_eq; rewrite Bool.andb_true_iff, !Qle_bool_iff; apply Q.min_glb_iff. }
  destruct (Qle_bool (nat_Q j) a), (Qle_bool (nat_Q j) b); cbn; ring.
Qed.
Lemma relevant_all l : relevant_to (length l) l == nat_Q (count l).
Proof. rewrite relevant_count, firstn_all; reflexivity. Qed.
(** RS-PREC-10/L1: with N_j items of a label >= j, E[N_p] is the sum of q_j N_j *)
Theorem PREC_10_L1 q J : expected_number q J == sum_Q (fun j => nth (j - 1)
  q 0 * nat_Q (count (relevance (nat_Q j) J))) (length q).
Proof.
  unfold expected_number, pi; rewrite sum_Q_swap; apply sum_Q_ext; intros j Hj;
  rewrite <- relevant_all; unfold relevant_to, relevance at 2 3.
  rewrite Nat.min_id, map_length, <- sum_Q_scale; apply sum_Q_ext; intros i I;
  rewrite indicator_of_label by assumption; destruct (Qle_bool _ _); ring.
Qed.
(** RS-PREC-11/L1: GAP@k is the sum of q_j SP_j@k over the sum of q_j N_j *)
Theorem PREC_11_L1 q k r J : gap q k r J == sum_Q (fun j => nth (j - 1)
  q 0 * sp k (relevance (nat_Q j) r)) (length q) /
  sum_Q (fun j => nth (j - 1) q 0 * nat_Q (count (relevance (nat_Q j) J))) (length q).
Proof. unfold gap; rewrite PREC_9_L1, PREC_10_L1; reflexivity. Qed.
(** RS-PREC-11/L4: 0 <= GAP@k <= 1 where J covers r *)
Theorem PREC_11_L4 q k r J : Forall (Qle 0) q -> (forall j, (1 <= j <= length q)%nat ->
  (count (relevance (nat_Q j) r) <= count (relevance (nat_Q j) J))%nat) ->
  0 <= gap q k r J <= 1.
Proof.
  intros F C; rewrite PREC_11_L1; set (a := sum_Q _ _); set (b := sum_Q _ _).
  assert (forall j, (1 <= j <= length q)%nat -> 0 <= nth (j - 1) q 0) as P by (intros j J0;
  rewrite Forall_forall in F; apply F, nth_In; lia).
  assert (0 <= a) as A.
  { unfold a; rewrite <- (sum_Q_zero (length q)); apply sum_Q_le; intros j J0;
    apply Qmult_le_0_compat; [apply P; assumption|apply PREC_5_L1]. }
  assert (a <= b) as B.
  { unfold a, b; apply sum_Q_le; intros j J0; specialize (P j J0);
    pose proof (PREC_5_L1 k (relevance (nat_Q j) r)) as [_ U].
    pose proof (nat_Q_le _ _ (Nat.le_trans _ _ _ (count_firstn k (relevance (nat_Q j) r))
    (C j J0))); nra. }
  clearbody a b; split; [apply Qmult_le_0_compat; [assumption|apply Qinv_le_0_compat; lra]|].
  destruct (Qlt_le_dec 0 b); [apply Qle_shift_div_r; lra|]; assert (a == 0) as Z by lra;
  unfold Qdiv; rewrite Z, Qmult_0_l; lra.
Qed.

(** RS-EXP-17: the sum of q_j E[SP_j@k] *)
Definition expected_gsp q k T := sum_Q (fun j => nth (j - 1)
  q 0 * expected_sp k 0 0 (map (relevance (nat_Q j)) T)) (length q).
(** RS-EXP-17/L1: it equals RS-EXP-1 with M = GSP@k *)
Theorem EXP_17_L1 q k T : expectation (fun p => Q2R (gsp q k p)) T = Q2R (expected_gsp q k T).
Proof.
  rewrite (expectation_ext _ (fun p => sum_to (fun j => (Q2R (nth (j - 1) q 0%Q)
  * Q2R (sp k (relevance (nat_Q j) p)))%R) (length q))).
  2: { intros p _; rewrite (Qeq_eqR _ _ (PREC_9_L1 q k p)), Q2R_sum; apply sum_to_ext; intros;
  apply Q2R_mult. }
  unfold expectation, expected_gsp; rewrite mean_sum_to, Q2R_sum; apply sum_to_ext; intros j J;
  rewrite mean_scale, Q2R_mult; f_equal.
  rewrite <- EXP_9_L1; apply (expectation_map (is_relevant (nat_Q j)) (fun l => Q2R (sp k l)) T).
Qed.
(** RS-EXP-18: E[GAP@k] = E[GSP@k] / E[N_p] *)
Definition expected_gap q k T J : Q := expected_gsp q k T / expected_number q J.
(** RS-EXP-18/L1: it equals RS-EXP-1 with M = GAP@k *)
Theorem EXP_18_L1 q k T J : expectation (fun p => Q2R (gap q k p J)) T = Q2R (expected_gap q k T J).
Proof.
  unfold expected_gap, gap; rewrite Q2R_quotient, <- EXP_17_L1;
  rewrite (expectation_ext _ (fun p => Q2R (gsp q k p) / Q2R (expected_number q J))%R) by (intros;
  apply Q2R_quotient).
  apply mean_div.
Qed.

(** * The z-value *)

Lemma z_of_divided (x : list bool -> Q) D J p : (1 <= D)%nat ->
  (z_value (fun q => Q2R (x q / nat_Q D)) J (Q2R (x p / nat_Q D)) =
  z_value (fun q => Q2R (x q)) J (Q2R (x p)))%R.
Proof.
  intros HD; assert (0 < / INR D)%R as P by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  rewrite <- (EXP_23_L3 (fun q => Q2R (x q)) J (/ INR D) 0 (Q2R (x p)) P).
  assert (forall q, Q2R (x q / nat_Q D) = / INR D * Q2R (x q) + 0)%R as E by (intros q;
    rewrite Q2R_quotient, Q2R_nat; unfold Rdiv; ring).
  rewrite E; apply z_value_ext; intros; apply E.
Qed.
(** RS-EXP-23/L3: ... AP, with a normaliser of the pool, and SP; P, R and CG of the indicators
    ... *)
Theorem EXP_23_L3_precision norm k Np J p : norm = of_R \/ norm = of_min \/ norm = of_k ->
  (1 <= k)%nat -> (1 <= Np)%nat -> let z (M : list bool -> Q) := z_value (fun q => Q2R (M q)) J
  (Q2R (M p)) in
  z (ap norm k Np) = z (sp k) /\ z (precision k) = z (relevant_to k) /\
  z (recall k Np) = z (relevant_to k).
Proof.
  intros H K N z; unfold z; split; [|split; apply z_of_divided; assumption].
  assert (exists D, (1 <= D)%nat /\ forall q, ap norm k Np q = sp k q / nat_Q D) as (D & HD & E).
  { destruct H as [->|[->| ->]]; [exists Np|exists (Nat.min k Np)|exists k]; split;
    try reflexivity; lia. }
  rewrite E, <- (z_of_divided (sp k) D J p HD); apply z_value_ext; intros; rewrite E; reflexivity.
Qed.

(** * RR, and DCG of one relevant item *)

(** RS-DISC-4/L2: with one item of gain 1, at rank i, DCG@k with the discount 1/i is RR@k
    ... *)
Theorem DISC_4_L2 k a b : Forall (eq false) a -> Forall (eq false) b ->
  dcg k d_zipf (gains (a ++ true :: b)) = Q2R (rr k (a ++ true :: b)).
Proof.
  intros A B; assert (forall c, Forall (eq false) c -> gains c = repeat 0%R (length c)) as Z.
  { intros c C; induction C as [|x c <- C IH]; cbn; [reflexivity|rewrite <- IH; reflexivity]. }
  rewrite gains_app; cbn [gains map]; fold (gains b);
  rewrite (Z a A), (Z b B), dcg_cut, whole_app, whole_cons, !whole_repeat, repeat_length;
  unfold shift, cut, d_zipf.
  replace (length a + 1)%nat with (S (length a)) by lia; destruct (Nat.leb_spec (S (length a)) k).
  - destruct (PREC_4_L1 k a b A ltac:(lia)) as [R1 _];
    rewrite (Qeq_eqR _ _ R1), Q2R_quotient, Q2R_one, Q2R_nat; Lra.lra.
  - assert (rr k (a ++ true :: b) = 0) as ->; [|rewrite Q2R_zero; Lra.lra];
    assert (k <= length a)%nat as K by lia.
    unfold rr; clear - A K; generalize 1%nat as i; revert k K; induction A as [|x a <- A IH];
    intros [|k] K i; cbn in *; try reflexivity; try lia; apply IH; lia.
Qed.
(** RS-DISC-4/L2: ... and nDCG@k is, where the pool, too, has no other item of positive
    gain *)
Theorem DISC_4_L2_ndcg K k a b J m : (1 <= K)%nat -> Forall (eq false) a -> Forall (eq false) b ->
  Permutation J (1%R :: repeat 0%R m) ->
  ndcg_by K k d_zipf (gains (a ++ true :: b)) J = Q2R (rr k (a ++ true :: b)).
Proof.
  intros HK A B P; rewrite <- DISC_4_L2 by assumption; unfold ndcg_by.
  rewrite (idcg_perm K d_zipf J _ P); assert (idcg K d_zipf (1%R :: repeat 0%R m) = 1%R) as E.
  { unfold idcg, ideal; rewrite best_sorted.
    - rewrite dcg_cut, whole_cons, whole_repeat; unfold cut, d_zipf.
      destruct (Nat.leb_spec 1 K); [|lia]; cbn [INR]; Lra.lra.
    - assert (forall x y, (0 <= y)%R -> In x (repeat 0%R m) -> (y >= x)%R) as G by (intros x y Y X;
      apply repeat_spec in X; subst; Lra.lra).
      constructor; [|apply Forall_forall; intros x; apply G; Lra.lra].
      clear; induction m as [|m IH]; cbn; constructor; [exact IH|]; apply Forall_forall.
      intros x X; apply repeat_spec in X; Lra.lra. }
  rewrite E; unfold quotient; destruct (Rlt_dec 0 1); [field|Lra.lra].
Qed.

(** * The bounds of SP by karmaker-2022 *)

(** RS-BND-10: RLB = k (N_p / n)^2, IUB = k *)
Definition rlb_of_paper k (t : list bool) : Q := nat_Q k * (nat_Q (count t) / nat_Q (length t)
  * (nat_Q (count t) / nat_Q (length t))).
Definition iub_of_paper (k : nat) : Q := nat_Q k.

(** RS-BND-10/L1: for n >= 2 and k <= n, E - k (N_p / n)^2 = N_p (n - N_p) / (n (n - 1))
    (H_k - k/n) *)
Theorem BND_10_L1 k t : let n := nat_Q (length t) in let Np := nat_Q (count t)
  in (2 <= length t)%nat -> (k <= length t)%nat ->
  (expectation (fun p => Q2R (sp k p)) [t] = Q2R (expected_sp k 0 0 [t]))%R /\
  expected_sp k 0 0 [t] - rlb_of_paper k t == Np * (n - Np) / (n * (n - 1))
  * (harmonic k - nat_Q k / n).
Proof. intros n Np N K; split; [apply EXP_9_L1|apply EXP_9_L3; assumption]. Qed.
Lemma nat_Q_S m : nat_Q (S m) == nat_Q m + 1.
Proof. unfold nat_Q; rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus; reflexivity. Qed.
Lemma harmonic_above k n : (1 <= k <= n)%nat -> (2 <= n)%nat -> nat_Q k / nat_Q n < harmonic k.
Proof.
  intros K N; pose proof (nat_Q_pos n ltac:(lia)) as P; pose proof (nat_Q_le 2 n N) as P2;
  change (nat_Q 2) with 2 in P2.
  assert (forall i, (1 <= i <= n)%nat -> 1 / nat_Q n <= 1 / nat_Q i) as L.
  { intros i I; pose proof (nat_Q_pos i ltac:(lia)); pose proof (nat_Q_le i n ltac:(lia));
    apply Qle_shift_div_l; [assumption|].
    setoid_replace (1 / nat_Q n * nat_Q i) with (nat_Q i / nat_Q n) by (field; lra);
    apply Qle_shift_div_r; lra. }
  destruct k as [|k]; [lia|]; induction k as [|k IH].
  - apply Qlt_shift_div_r; [assumption|]; assert (harmonic 1 == 1) as H by reflexivity; rewrite H;
    change (nat_Q 1) with 1; lra.
  - specialize (IH ltac:(lia)); specialize (L (S (S k)) ltac:(lia)); unfold harmonic in *;
    cbn [sum_Q] in *.
    assert (nat_Q (S (S k)) / nat_Q n == nat_Q (S k) / nat_Q n + 1 / nat_Q n)
    as E by (rewrite (nat_Q_S (S k)); field; lra).
    rewrite E; apply Qplus_lt_le_compat; assumption.
Qed.
(** RS-BND-10/L2: for k <= n it is above 0, unless N_p = 0 or N_p = n, where it is 0 *)
Theorem BND_10_L2 k t : (2 <= length t)%nat -> (1 <= k <= length t)%nat ->
  (0 < expected_sp k 0 0 [t] - rlb_of_paper k t <-> (0 < count t < length t)%nat) /\
  ((count t = 0 \/ count t = length t)%nat -> expected_sp k 0 0 [t] - rlb_of_paper k t == 0).
Proof.
  intros N K; destruct (BND_10_L1 k t N ltac:(lia)) as [_ E]; cbv zeta in E;
  pose proof (harmonic_above k (length t) K N) as Hk; pose proof (count_length t).
  set (n := nat_Q (length t)) in *; assert (2 <= n) by (change 2 with (nat_Q 2); apply nat_Q_le;
  assumption).
  assert ((count t = 0 \/ count t = length t)%nat -> nat_Q (count t) * (n - nat_Q (count t))
  / (n * (n - 1)) * (harmonic k - nat_Q k / n) == 0) as Z.
  { intros [->| ->]; fold n; [change (nat_Q 0) with 0|]; field; lra. }
  split; [split|]; intros Y.
  - destruct (Nat.eq_dec (count t) 0) as [A|A]; [rewrite E, (Z (or_introl A)) in Y; lra|].
    destruct (Nat.eq_dec (count t) (length t)) as [B|B]; [rewrite E, (Z (or_intror B)) in Y;
    lra|lia].
  - rewrite E; apply Qmult_lt_0_compat; [|lra]; apply Qlt_shift_div_l; [nra|]; rewrite Qmult_0_l;
    apply Qmult_lt_0_compat; [apply nat_Q_pos; lia|].
    assert (nat_Q (count t) + 1 <= n); [|lra]; unfold n; change 1 with (nat_Q 1); unfold nat_Q;
    rewrite <- inject_Z_plus, <- Zle_Qle; lia.
  - rewrite E; apply Z, Y.
Qed.
(** RS-BND-10/L5: with N_p = n and k > n the printed value is k, and E = n *)
Theorem BND_10_L5 k n : (1 <= n < k)%nat -> rlb_of_paper k (repeat true n) == nat_Q k /\
  sp k (repeat true n) == nat_Q n.
Proof.
  intros N; assert (count (repeat true n) = n) as C by (clear; induction n; cbn;
  [reflexivity|rewrite IHn; reflexivity]).
  pose proof (nat_Q_pos n ltac:(lia)); split.
  - unfold rlb_of_paper; rewrite C, repeat_length; field; lra.
  - unfold sp; rewrite repeat_length, Nat.min_r by lia.
    assert (forall m, (m <= n)%nat -> sum_Q (fun i => precision i (repeat true n)
    * indicator (repeat true n) i) m == nat_Q m) as E; [|apply E; lia].
    induction m as [|m IH]; intros M; [reflexivity|]; cbn [sum_Q]; rewrite IH by lia;
    unfold indicator, precision; rewrite relevant_count.
    assert (nth (S m - 1) (repeat true n) false = true) as -> by (apply (repeat_spec n true),
    nth_In; rewrite repeat_length; lia).
    assert (count (firstn (S m) (repeat true n)) = S m) as ->.
    { replace n with (S m + (n - S m))%nat by lia;
      rewrite repeat_app, firstn_app, repeat_length, Nat.sub_diag, firstn_O, app_nil_r.
      rewrite <- (repeat_length true (S m)) at 1; rewrite firstn_all; clear;
      induction (S m) as [|j IH]; cbn; [reflexivity|rewrite IH; reflexivity]. }
    pose proof (nat_Q_pos (S m) ltac:(lia)); unfold nat_Q at 1; fold (nat_Q m);
    setoid_replace (nat_Q (S m) / nat_Q (S m) * 1) with 1 by (field; lra).
    unfold nat_Q; rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus; reflexivity.
Qed.

(** * Exchanges *)

Lemma rr_from_le i k l : (1 <= i)%nat -> rr_from i k l <= 1 / nat_Q i.
Proof.
  revert i k; induction l as [|[|] l IH]; intros i [|k] I; cbn [rr_from]; try apply Qle_refl;
    try (apply Qmult_le_0_compat; [lra|apply Qinv_le_0_compat, nat_Q_nonneg]).
  eapply Qle_trans; [apply IH; lia|]; pose proof (nat_Q_pos i I);
  pose proof (nat_Q_pos (S i) ltac:(lia)); pose proof (nat_Q_le i (S i) ltac:(lia)).
  apply Qle_shift_div_l; [assumption|]; setoid_replace (1 / nat_Q (S i) * nat_Q i)
  with (nat_Q i / nat_Q (S i)) by (field; lra); apply Qle_shift_div_r; lra.
Qed.
(** RS-PREC-4/L3: exchanging a relevant item with one above it that is not,
    or making an item relevant, never lowers RR@k *)
Theorem PREC_4_L3 k a b c : rr k (a ++ false :: b ++ true :: c)
  <= rr k (a ++ true :: b ++ false :: c) /\
  rr k (a ++ false :: b) <= rr k (a ++ true :: b).
Proof.
  assert (forall i x y, (1 <= i)%nat -> rr_from i k (a ++ false :: x)
  <= rr_from i k (a ++ true :: y)) as H; [|split; apply H; lia].
  revert k; induction a as [|[|] a IH]; intros [|k] i x y I; cbn [app]; try apply Qle_refl;
  cbn [rr_from].
  - eapply Qle_trans; [apply (rr_from_le (S i)); lia|]; pose proof (nat_Q_pos i I);
    pose proof (nat_Q_pos (S i) ltac:(lia)); pose proof (nat_Q_le i (S i) ltac:(lia)).
    apply Qle_shift_div_l; [assumption|]; setoid_replace (1 / nat_Q (S i) * nat_Q i)
    with (nat_Q i / nat_Q (S i)) by (field; lra); apply Qle_shift_div_r; lra.
  - apply IH; lia.
Qed.
Open Scope R_scope.
Lemma sp_of_pair s c k x y b : sp_below s c (2 + k) (gains (x :: y :: b)) =
  sp_below s c 2 (gains [x; y]) + sp_below (s + 2) (c + count [x; y]) k (gains b).
Proof. change (x :: y :: b) with ([x; y] ++ b); rewrite sp_below_app; cbn [length];
  rewrite Nat.min_l by lia; f_equal; f_equal; lia. Qed.
(** RS-PREC-5/L3: moving a relevant item from rank i + 1 <= k to rank i, above one that is not,
    raises SP@k by c / (i (i + 1)) *)
Theorem PREC_5_L3 k a b : let i := S (length a) in (S i <= k)%nat ->
  Q2R (sp k (a ++ true :: false :: b)) - Q2R (sp k (a ++ false :: true :: b)) = INR (S (count a))
  / (INR i * INR (S i)).
Proof.
  intros i K; rewrite !Q2R_sp_below, !sp_below_app, Nat.min_l by (unfold i in K; lia).
  replace (k - length a)%nat with (2 + (k - S i))%nat by (unfold i in *; lia); rewrite !sp_of_pair;
  cbn [count Nat.add].
  assert (forall s c, sp_below s c 2 (gains [true; false]) = INR (S c) / INR (S s)) as T.
  { intros s c; unfold sp_below, at_rank; cbn [sum_to gains map nth Nat.sub];
    replace (s + 1)%nat with (S s) by lia; rewrite (S_INR c); unfold Rdiv; ring. }
  assert (forall s c, sp_below s c 2 (gains [false; true]) = INR (S c) / INR (S (S s))) as U.
  { intros s c; unfold sp_below, at_rank; cbn [sum_to gains map nth Nat.sub];
    replace (s + 2)%nat with (S (S s)) by lia; rewrite (S_INR c); unfold Rdiv; ring. }
  rewrite T, U; fold i; assert (0 < INR i) by (apply lt_0_INR; unfold i; lia); rewrite (S_INR i);
  field; Lra.lra.
Qed.
Close Scope R_scope.
(** RS-PREC-7/L4: with N_p fixed, exchanging a relevant item with the one right above it that is
    not never lowers AP@k *)
Theorem PREC_7_L4_swap norm k Np a b : norm = of_R \/ norm = of_min \/ norm = of_k ->
  ap norm k Np (a ++ false :: true :: b) <= ap norm k Np (a ++ true :: false :: b).
Proof.
  intros H; assert (sp k (a ++ false :: true :: b) <= sp k (a ++ true :: false :: b)) as L;
  [|destruct H as [->|[->| ->]]; apply over_le, L].
  apply Rle_Qle; destruct (Nat.le_gt_cases (S (S (length a))) k) as [K|K].
  - pose proof (PREC_5_L3 k a b K) as E; cbv zeta in E.
    assert (0 <= INR (S (count a)) / (INR (S (length a)) * INR (S (S (length a)))))%R; [|Lra.lra].
    apply div_nonneg; [apply pos_INR|apply Rmult_lt_0_compat; apply lt_0_INR; lia].
  - rewrite !Q2R_sp_below, !sp_below_app; destruct (k - length a)%nat as [|[|m]] eqn:E;
    [unfold sp_below; cbn [sum_to]; Lra.lra| |lia].
    apply Rplus_le_compat_l; unfold sp_below, at_rank; cbn [sum_to gains map nth Nat.sub];
    apply Rplus_le_compat_l, Rmult_le_compat_r.
    + apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia.
    + pose proof (pos_INR (0 + count a)); Lra.nra.
Qed.

(** * When AP is 1 *)

Lemma sum_Q_le_eq f g n : (forall i, (1 <= i <= n)%nat -> f i <= g i) -> sum_Q f n == sum_Q g n ->
  forall i, (1 <= i <= n)%nat -> f i == g i.
Proof.
  induction n; intros H E i I; [lia|]; cbn in E; pose proof (H (S n) ltac:(lia)).
  assert (sum_Q f n <= sum_Q g n) by (apply sum_Q_le; intros; apply H; lia).
  destruct (Nat.eq_dec i (S n)) as [->|]; [lra|]; apply IHn; [intros; apply H; lia|lra|lia].
Qed.
Lemma precision_1 k l : (1 <= k)%nat -> (precision k l == 1 <-> count (firstn k l) = k).
Proof.
  intros K; unfold precision; rewrite relevant_count; pose proof (nat_Q_pos k K) as P; split.
  - intros E; assert (nat_Q (count (firstn k l)) == nat_Q k) as F.
    { setoid_replace (nat_Q (count (firstn k l))) with (nat_Q (count (firstn k l))
      / nat_Q k * nat_Q k) by (field; lra); rewrite E; ring. }
    unfold nat_Q in F; apply inject_Z_injective, Nat2Z.inj in F; exact F.
  - intros ->; field; lra.
Qed.
Lemma count_all l : count l = length l <-> Forall (eq true) l.
Proof.
  induction l as [|[|] l IH]; cbn; [split; auto|split; intros H|split; intros H].
  - constructor; [reflexivity|apply IH; lia].
  - inversion H; subst; f_equal; apply IH; assumption.
  - pose proof (count_length l); lia.
  - inversion H; discriminate.
Qed.
Lemma count_firstn_S m l : count (firstn (S m) l) = (count (firstn m l)
  + (if nth m l false then 1 else 0))%nat.
Proof.
  revert m; induction l as [|b l IH]; intros [|m]; try reflexivity; [cbn; lia|].
  change (firstn (S (S m)) (b :: l)) with (b :: firstn (S m) l);
  change (firstn (S m) (b :: l)) with (b :: firstn m l); cbn [count nth]; rewrite IH; lia.
Qed.
Lemma count_more a b l : (a <= b)%nat -> (count (firstn a l) <= count (firstn b l))%nat.
Proof. intros L; replace (firstn a l) with (firstn a (firstn b l)) by (rewrite firstn_firstn,
  Nat.min_l by assumption; reflexivity); apply count_firstn. Qed.
(** RS-PREC-5/L1: SP@k = h if and only if the first h ranks hold the h items *)
Theorem PREC_5_L1_when k l : let h := count (firstn k l) in sp k l == nat_Q h <-> Forall (eq true)
  (firstn h l).
Proof.
  intros h; split.
  - intros E0; assert (sp k l == relevant_to k l) as E by (rewrite E0; symmetry;
    apply relevant_count); unfold sp, relevant_to in E.
    assert (forall i, (1 <= i <= Nat.min k (length l))%nat ->
    precision i l * indicator l i <= indicator l i) as L.
    { intros i I; pose proof (precision_range i l); destruct (indicator_01 l i) as [A|A];
      rewrite A; lra. }
    pose proof (sum_Q_le_eq _ _ _ L E) as T; cbn beta in T.
    (* up to each relevant rank, all are relevant *)
    assert (forall m, (m <= Nat.min k (length l))%nat -> forall j, count (firstn m l) = j ->
    Forall (eq true) (firstn j l)) as X.
    { induction m as [|m IH]; intros M j J; [cbn in J; subst; constructor|].
      pose proof (count_firstn_S m l) as C.
      destruct (nth m l false) eqn:N; [|apply IH; [lia|lia]].
      specialize (T (S m) ltac:(lia)); unfold indicator in T;
      replace (S m - 1)%nat with m in T by lia; rewrite N in T.
      assert (precision (S m) l == 1) as P by lra; apply precision_1 in P; [|lia].
      assert (j = S m) as -> by lia; apply count_all; rewrite P, firstn_length; lia. }
    unfold h; rewrite <- (firstn_length k l) in X; apply (X (length (firstn k l)) (Nat.le_refl _)).
    rewrite firstn_length; destruct (Nat.le_ge_cases k (length l));
    [rewrite Nat.min_l by assumption; reflexivity|].
    rewrite Nat.min_r by assumption; rewrite firstn_all, (firstn_all2 l) by assumption; reflexivity.
  - intros F; transitivity (relevant_to k l); [|apply relevant_count]; unfold sp, relevant_to;
    apply sum_Q_ext; intros i I.
    destruct (nth (i - 1) l false) eqn:N; unfold indicator; rewrite N; [|ring].
    assert (precision i l == 1) as P; [|rewrite P; ring]; apply precision_1; [lia|].
    (* a relevant rank up to k is one of the first h *)
    assert (i <= h)%nat as IH.
    { destruct (Nat.le_gt_cases i h) as [|G]; [assumption|exfalso]; unfold h in *.
      apply count_all in F; rewrite firstn_length,
      Nat.min_l in F by (pose proof (count_length (firstn k l)); rewrite firstn_length in *; lia).
      pose proof (count_more (count (firstn k l)) (i - 1) l ltac:(lia));
      pose proof (count_more i k l ltac:(lia)) as M.
      replace i with (S (i - 1)) in M by lia; rewrite count_firstn_S, N in M; lia. }
    assert (Forall (eq true) (firstn i l)) as G.
    { replace (firstn i l) with (firstn i (firstn h l)) by (rewrite firstn_firstn,
      Nat.min_l by assumption; reflexivity).
      rewrite <- (firstn_skipn i (firstn h l)) in F; apply Forall_app in F; tauto. }
    apply count_all in G; rewrite G, firstn_length; lia.
Qed.
(** AP is 1 if and only if its divisor Z is above 0 and the first Z ranks are relevant;
    h <= Z <= k. *)
Lemma when_1 k Z l : (count (firstn k l) <= Z)%nat ->
  (sp k l / nat_Q Z == 1 <-> (0 < Z)%nat /\ (Z <= k)%nat /\ (Z <= length l)%nat /\ Forall (eq true)
  (firstn Z l)).
Proof.
  intros H; pose proof (PREC_5_L1 k l) as [_ U]; pose proof (count_length (firstn k l)) as L;
  rewrite firstn_length in L; split.
  - intros E; destruct Z as [|Z]; [unfold Qdiv, Qinv in E; cbn in E; rewrite Qmult_0_r in E;
    discriminate|].
    pose proof (nat_Q_pos (S Z) ltac:(lia)) as P; assert (sp k l == nat_Q (S Z)) as F.
    { setoid_replace (sp k l) with (sp k l / nat_Q (S Z) * nat_Q (S Z)) by (field; lra); rewrite E;
      ring. }
    assert (S Z <= count (firstn k l))%nat as C.
    { rewrite F in U; unfold nat_Q in U; rewrite <- Zle_Qle in U; lia. }
    assert (count (firstn k l) = S Z) as C' by lia; rewrite <- C' in F; apply PREC_5_L1_when in F;
    rewrite C' in F; repeat split; try lia; exact F.
  - intros (P & K & N & F); assert (count (firstn k l) = Z) as C.
    { enough (Z <= count (firstn k l))%nat by lia; pose proof (count_more Z k l K) as M;
      apply count_all in F; rewrite F, firstn_length in M; lia. }
    assert (sp k l == nat_Q (count (firstn k l))) as E by (apply PREC_5_L1_when; rewrite C;
    exact F).
    rewrite E, C; pose proof (nat_Q_pos Z P); field; lra.
Qed.
(** RS-PREC-7/L2: with "min", AP@k = 1 if and only if N_p > 0 and the ranks 1, ..., min(k, N_p)
    are all relevant; with "R"
    N_p <= k is needed as well, with "k" k <= N_p;
    with "hits" h > 0 and the first h ranks are relevant, with "retrieved"
    all relevant items of the list must be among these *)
Theorem PREC_7_L2 k Np l : (count l <= Np)%nat -> (1 <= k)%nat ->
  let first m := (m <= length l)%nat /\ Forall (eq true) (firstn m l) in
  (ap of_min k Np l == 1 <-> (0 < Np)%nat /\ first (Nat.min k Np)) /\
  (ap of_R k Np l == 1 <-> (0 < Np <= k)%nat /\ first Np) /\ (ap of_k k Np l == 1 <->
  (k <= Np)%nat /\ first k) /\
  (let h := count (firstn k l) in (ap of_hits k Np l == 1 <-> (0 < h)%nat /\ first h) /\
    (ap of_retrieved k Np l == 1 <-> (0 < count l <= k)%nat /\ first (count l))).
Proof.
  intros C K first; pose proof (count_firstn k l); pose proof (count_length (firstn k l)) as L;
  rewrite firstn_length in L; unfold ap, normaliser, first.
  pose proof (count_length l); refine (conj _ (conj _ (conj _ (conj _ _)))); rewrite when_1 by lia;
  try (intuition lia).
  assert (Forall (eq true) (firstn k l) -> (k <= length l)%nat -> (k <= Np)%nat); [|intuition lia].
  intros F M; apply count_all in F; rewrite firstn_length, Nat.min_l in F by assumption; lia.
Qed.
