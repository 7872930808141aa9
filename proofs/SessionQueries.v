(* The queries of a session, and averages over sessions: spec/session.md, RS-SES-12 to RS-SES-21. *)
Require Import Reals Lra Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg Session SessionIdeal SessionNormalised.
Import ListNotations.
Open Scope R_scope.

(** * The queries of a session *)

(** RS-SES-12: sDCG@X / m, and 0 where m = 0 *)
Definition sdcg_q X d D s := sdcg X d D s / INR (length s).

Lemma total_sdcg X d D s : sdcg X d D s = sum_to (fun q => query_sdcg d D q (query s q) X)
  (length s).
Proof. reflexivity. Qed.
(** RS-SES-12/L1, RS-SES-14/L1: it is the mean of the gains of the queries, D(q) DCG@X,
    of which sDCG@X is the sum *)
Theorem SES_12_L1 X d D s : sdcg_q X d D s = sum_to (fun q => query_sdcg d D q (query s q) X)
  (length s) / INR (length s).
Proof. reflexivity. Qed.
(** RS-SES-12/L2: a query without results makes m/(m + 1) of it *)
Theorem SES_12_L2 X d D s : s <> [] -> sdcg_q X d D (s ++ [[]]) = INR (length s)
  / INR (S (length s)) * sdcg_q X d D s.
Proof.
  intros H; apply length_pos in H; unfold sdcg_q; rewrite app_length, sdcg_app, sdcg_one;
  cbn [length]; rewrite Nat.add_1_r.
  assert (dcg X d [] = 0) as -> by (unfold dcg; rewrite Nat.min_0_r; reflexivity); rewrite S_INR;
  field; lra.
Qed.
(** RS-SES-12/L3: sessions with the same number of queries stand in the order of their sDCG@X *)
Theorem SES_12_L3 X d D s t : length s = length t -> s <> [] ->
  (sdcg_q X d D s < sdcg_q X d D t <-> sdcg X d D s < sdcg X d D t).
Proof.
  intros E H; apply length_pos in H; unfold sdcg_q; rewrite <- E, div_lt by assumption.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; reflexivity.
Qed.
(** RS-SES-14/L2: 0 <= D(q) DCG@X <= D(q) IDCG@X where J covers each list *)
Theorem SES_14_L2 X d D q r J : falls d -> nonneg d -> nonneg D -> (1 <= q)%nat -> Forall (Rle 0)
  r -> covers J r ->
  0 <= query_sdcg d D q r X <= D q * idcg X d J.
Proof.
  intros F N M Q A C; destruct (DCG_2_L1 X d r J F N A C); pose proof (M q Q); unfold query_sdcg;
  split; [nra|].
  apply Rmult_le_compat_l; assumption.
Qed.
(** RS-SES-15/L1: with the padding "X" it is nDCG@X of the list and the pool of the session *)
Theorem SES_15_L1 X d J r : query_ndcg X X d J r = ndcg X d r J.
Proof. unfold query_ndcg, ndcg; rewrite (proj1 (SES_4_L2 X X (length r)) (Nat.le_refl X));
  reflexivity. Qed.
(** RS-SES-15/L2: it is from 0 to 1 where J covers each list *)
Theorem SES_15_L2 X c d J r : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= query_ndcg X c d J r <= 1.
Proof. intros; unfold query_ndcg, ndcg_by; rewrite (dcg_ranks X c); apply quotient_range, DCG_2_L1;
  assumption. Qed.
(** RS-SES-15/L4: times D(q) IDCG@L_q it is D(q) DCG@X, where J covers each list *)
Theorem SES_15_L4 X c d D q J r : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  query_ndcg X c d J r * (D q * idcg (ranks X c (length r)) d J) = query_sdcg d D q r X.
Proof.
  intros F N A C; unfold query_ndcg, ndcg_by, query_sdcg; rewrite (dcg_ranks X c d r).
  pose proof (DCG_2_L1 (ranks X c (length r)) d r J F N A C) as L; unfold quotient;
  destruct (Rlt_dec _ _); [field; lra|].
  replace (dcg (ranks X c (length r)) d r) with 0 by lra; ring.
Qed.
(** RS-SES-16/L1: over "sum" they give sDCG@X, over "mean" sDCG_q *)
Theorem SES_16_L1 X d D s : sum_to (fun q => query_sdcg d D q (query s q) X) (length s)
  = sdcg X d D s /\
  sum_to (fun q => query_sdcg d D q (query s q) X) (length s) / INR (length s) = sdcg_q X d D s.
Proof. split; reflexivity. Qed.
(** RS-SES-16/L2: the mean of nDCG@X is nsDCG@X without a discount of queries *)
Theorem SES_16_L2 X d J s : nonneg d -> Forall (Rle 0) J -> s <> [] ->
  sum_to (fun q => query_ndcg X X d J (query s q)) (length s) / INR (length s)
  = nsdcg X X d d_none J s.
Proof.
  intros N A H; apply length_pos in H; rewrite SES_11_L3; unfold d_none; rewrite ?sum_to_const;
  [|assumption|assumption|lra].
  rewrite Rmult_1_r; f_equal; apply sum_to_ext; intros; ring.
Qed.
