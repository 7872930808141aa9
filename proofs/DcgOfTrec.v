(* Four measures of trec_eval: spec/dcg.md.  A list, and a pool, holds gains; of binG, indicators.
  *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Arith.
From Rankspec Require Import Numbers Gain Ties Dcg LengthIdeals.
From Rankspec Require LengthOfMetrics LengthOfOwn.
Import ListNotations.
Open Scope R_scope.

Definition in_pool d r J i := quotient (dcg i d r) (idcg i d J).

Lemma positive_firstn m r : sum_to (fun i => if Rlt_dec 0 (at_rank r i) then 1 else 0) m =
  INR (length (positive (firstn m r))).
Proof.
  revert r; induction m as [|m IH]; intros r; [reflexivity|]; rewrite sum_to_first.
  destruct r as [|x r]; cbn [firstn].
  - rewrite sum_to_zero; [unfold at_rank; cbn; destruct (Rlt_dec 0 0); cbn; lra|]; intros i I.
    unfold shift, at_rank; destruct (1 + i - 1)%nat; cbn; destruct (Rlt_dec 0 0); lra.
  - rewrite (sum_to_ext _ (fun i => if Rlt_dec 0 (at_rank r i) then 1 else 0)), IH.
    + unfold at_rank, positive; cbn [Nat.sub nth filter]; destruct (Rlt_dec 0 x); cbn [length];
      rewrite ?S_INR; lra.
    + intros [|i] I; [lia|]; unfold shift, at_rank; cbn; rewrite Nat.sub_0_r; reflexivity.
Qed.
Lemma positive_perm J J' : Permutation J J' -> Permutation (positive J) (positive J').
Proof.
  unfold positive; induction 1; cbn; auto; repeat destruct (Rlt_dec _ _); auto;
  [apply perm_swap|eapply perm_trans; eassumption].
Qed.
Lemma positive_firstn_length m r : (length (positive (firstn m r)) <= length (positive r))%nat.
Proof.
  rewrite <- (firstn_skipn m r) at 2; unfold positive; rewrite filter_app, app_length; lia.
Qed.
Lemma positive_twice r : positive (positive r) = positive r.
Proof.
  unfold positive; induction r as [|x r IH]; cbn; [reflexivity|]; destruct (Rlt_dec 0 x) eqn:E;
  cbn; rewrite ?E, IH; reflexivity.
Qed.
Lemma covers_count J r : covers J r -> (length (positive r) <= length (positive J))%nat.
Proof.
  intros (rest & _ & P); apply positive_perm, Permutation_length in P; rewrite P.
  unfold positive at 2; rewrite filter_app, app_length; fold (positive (positive r)).
  rewrite positive_twice; lia.
Qed.

(** RS-DCG-10: the sum of DCG@i / IDCG@i over the ranks with a gain, and (N_p - h) DCG@n' / IDCG,
    over N_p *)
Definition ndcg_rel k d r J :=
  let n := Nat.min k (length r) in let Np := INR (length (positive J)) in
  quotient (sum_to (fun i => if Rlt_dec 0 (at_rank r i) then in_pool d r J i else 0) n +
    (Np - INR (length (positive (firstn n r)))) * quotient (dcg n d r) (idcg (length J) d J)) Np.

Lemma in_pool_range d r J i : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= in_pool d r J i <= 1.
Proof. intros; apply quotient_range, DCG_2_L1; assumption. Qed.
(** RS-DCG-10/L1: it lies between 0 and 1 where J covers r *)
Theorem DCG_10_L1 k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= ndcg_rel k d r J <= 1.
Proof.
  intros F N A C; pose proof (covers_nonneg J r C) as B; apply quotient_range; cbv zeta.
  set (n := Nat.min k (length r)); set (Np := INR (length (positive J))).
  set (h := length (positive (firstn n r))).
  assert (0 <= INR h <= Np) as H.
  { split; [apply pos_INR|]; apply le_INR; pose proof (covers_count J r C).
    pose proof (positive_firstn_length n r); unfold h; lia. }
  assert (0 <= quotient (dcg n d r) (idcg (length J) d J) <= 1) as Q.
  { apply quotient_range; destruct (DCG_2_L1 n d r J F N A C); pose proof (idcg_at_all n d J N B);
    lra. }
  assert (forall i, 0 <= (if Rlt_dec 0 (at_rank r i) then in_pool d r J i else 0) <=
    if Rlt_dec 0 (at_rank r i) then 1 else 0) as T.
  { intros i; pose proof (in_pool_range d r J i F N A C); destruct (Rlt_dec _ _); lra. }
  assert (sum_to (fun i => if Rlt_dec 0 (at_rank r i) then in_pool d r J i else 0) n <= INR h) as U.
  { unfold h; rewrite <- positive_firstn; apply sum_to_le; intros; apply T. }
  pose proof (sum_to_nonneg _ n (fun i _ => proj1 (T i))); nra.
Qed.

Lemma idcg_of_one k d g c : 0 <= g -> (1 <= k)%nat -> idcg k d (g :: repeat 0 c) = g * d 1%nat.
Proof.
  intros G K; pose proof (two_labels_ideal g 1 0 c G) as E; unfold two_labels in E.
  cbn [repeat app] in E; unfold idcg; rewrite E.
  apply (LengthOfOwn.dcg_of_one_item k d g 1 c); lia.
Qed.
Lemma dcg_of_one_below k d x i b : (1 <= i)%nat -> (k < i)%nat ->
  dcg k d (repeat 0 (i - 1) ++ x :: repeat 0 b) = 0.
Proof.
  intros I K; rewrite dcg_sum; apply sum_to_zero; intros j J;
  rewrite LengthOfMetrics.at_rank_one by lia.
  destruct (Nat.eqb_spec j i); [lia|ring].
Qed.
Lemma all_without r : Forall (Rle 0) r -> positive r = [] -> r = repeat 0 (length r).
Proof.
  unfold positive; induction 1 as [|x r X A IH]; cbn; [reflexivity|]; destruct (Rlt_dec 0 x);
  [discriminate|]; intros E; rewrite <- IH by assumption; f_equal; lra.
Qed.
Lemma one_with r g : Forall (Rle 0) r -> positive r = [g] ->
  exists i b, (1 <= i)%nat /\ r = repeat 0 (i - 1) ++ g :: repeat 0 b.
Proof.
  unfold positive; induction 1 as [|x r X A IH]; cbn; [discriminate|]; destruct (Rlt_dec 0 x).
  - intros E; injection E as -> E; exists 1%nat, (length r); split; [lia|]; cbn.
    rewrite <- (all_without r A E); reflexivity.
  - intros E; destruct (IH E) as (i & b & I & R1); exists (S i), b; split; [lia|].
    replace (S i - 1)%nat with (S (i - 1)) by lia; cbn; rewrite <- R1; f_equal; lra.
Qed.
(** RS-DCG-10/L2: where one item of J has a gain and J covers r, it is nDCG@k *)
Theorem DCG_10_L2 k d r J : (1 <= k)%nat -> Forall (Rle 0) r -> covers J r ->
  length (positive J) = 1%nat -> ndcg_rel k d r J = ndcg k d r J.
Proof.
  intros K A C L; pose proof (covers_nonneg J r C) as B; pose proof (covers_count J r C) as CL.
  unfold ndcg_rel; cbv zeta; rewrite L; set (n := Nat.min k (length r)).
  assert (dcg n d r = dcg k d r) as DN by (unfold dcg, n; f_equal; lia).
  destruct (positive r) as [|g [|g' l]] eqn:E; cbn in CL; [| |lia].
  - pose proof (all_without r A E) as R0; rewrite R0 in *.
    assert (forall m, dcg m d (repeat 0 (length r)) = 0) as Z by
      (intros m; rewrite dcg_sum; apply sum_to_zero; intros i I; unfold at_rank;
       rewrite nth_repeat; ring).
    unfold ndcg, ndcg_by; rewrite !Z, sum_to_zero.
    + unfold quotient; repeat destruct (Rlt_dec _ _); unfold Rdiv; ring.
    + intros i I; unfold at_rank; rewrite nth_repeat; destruct (Rlt_dec 0 0); lra.
  - destruct (one_with r g A E) as (i & b & I & R1).
    assert (exists c, Permutation J (g :: repeat 0 c)) as (c & P).
    { destruct C as (rest & R0 & P); rewrite E in P; exists (length rest); rewrite P; cbn.
      apply perm_skip; rewrite <- all_without; [reflexivity|assumption|].
      apply positive_perm, Permutation_length in P; rewrite L in P; unfold positive in P |- *.
      cbn in P; assert (0 < g) as G by (assert (In g (positive r)) as X by (rewrite E; left;
        reflexivity); apply filter_In in X; destruct X as [_ X]; destruct (Rlt_dec 0 g);
        [assumption|discriminate]).
      destruct (Rlt_dec 0 g); [|contradiction]; cbn in P; apply length_zero_iff_nil; lia. }
    assert (0 < g) as G by (assert (In g (positive r)) as X by (rewrite E; left; reflexivity);
      apply filter_In in X; destruct X as [_ X]; destruct (Rlt_dec 0 g); [assumption|discriminate]).
    assert (forall m, (1 <= m)%nat -> idcg m d J = g * d 1%nat) as ID by
      (intros m M; rewrite (idcg_perm _ _ _ _ P); apply idcg_of_one; [lra|assumption]).
    assert (1 <= length J)%nat as LJ by (rewrite (Permutation_length P); cbn; lia).
    assert (forall j, (1 <= j)%nat -> j <> i -> at_rank r j = 0) as Z.
    { intros j J0 D; rewrite R1, LengthOfMetrics.at_rank_one by lia; destruct (Nat.eqb_spec j i);
      [lia|reflexivity]. }
    assert (at_rank r i = g) as Ri by (rewrite R1, LengthOfMetrics.at_rank_one, Nat.eqb_refl by lia;
      reflexivity).
    assert (i <= length r)%nat as IL by (rewrite R1, app_length, repeat_length; cbn; lia).
    rewrite DN, ID by assumption; unfold ndcg, ndcg_by; rewrite ID by assumption; cbn [INR].
    rewrite <- positive_firstn; destruct (Nat.le_gt_cases i k) as [IK|IK].
    + rewrite (LengthOfMetrics.sum_to_single
        (fun i => if Rlt_dec 0 (at_rank r i) then 1 else 0) n i),
        (LengthOfMetrics.sum_to_single _ n i); try (unfold n; lia);
        try (intros j J0 D; rewrite (Z j) by (lia || assumption); destruct (Rlt_dec 0 0); lra).
      rewrite Ri; destruct (Rlt_dec 0 g); [|contradiction]; unfold in_pool; rewrite ID by lia.
      rewrite R1, !LengthOfOwn.dcg_of_one_item by lia; unfold quotient at 1;
      destruct (Rlt_dec 0 1); lra.
    + rewrite R1, dcg_of_one_below by lia; rewrite <- R1.
      rewrite !sum_to_zero; try (intros j J0; rewrite (Z j) by (unfold n in J0; lia);
        destruct (Rlt_dec 0 0); lra); unfold quotient; repeat destruct (Rlt_dec _ _); unfold Rdiv;
          ring.
Qed.

(** RS-DCG-11: the levels t_1, ..., t_L, and n' where n' >= N_p + 2 *)
Definition levels (k n : nat) J :=
  let m := Nat.min k n in let Np := length (positive J) in
  nodup Nat.eq_dec (map (fun g => at_least g J) (positive J)) ++
  (if (0 <? Np)%nat && (Np + 2 <=? m)%nat then [m] else [])%bool.
(** RS-DCG-11: the mean of DCG@min(t, n') / IDCG@t over them, and 0 without any *)
Definition ndcg_levels k d r J :=
  mean (fun t => quotient (dcg (Nat.min t (Nat.min k (length r))) d r) (idcg t d J))
    (levels k (length r) J).

(** RS-DCG-11/L1: it lies between 0 and 1 where J covers r *)
Theorem DCG_11_L1 k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= ndcg_levels k d r J <= 1.
Proof.
  intros F N A C; unfold ndcg_levels; destruct (levels k (length r) J) as [|t T] eqn:E.
  - unfold mean; cbn; unfold Rdiv; lra.
  - apply mean_between; [discriminate|]; intros x _; apply quotient_range.
    split; [apply dcg_nonneg; assumption|]; eapply Rle_trans; [|apply (DCG_2_L1 x d r J F N A C)].
    apply dcg_more; auto; lia.
Qed.
Lemma nodup_constant x n : nodup Nat.eq_dec (repeat x (S n)) = [x].
Proof.
  induction n as [|n IH]; [reflexivity|]; change (repeat x (S (S n))) with (x :: repeat x (S n)).
  cbn [nodup]; rewrite IH; destruct (in_dec Nat.eq_dec x (repeat x (S n))) as [|X]; [reflexivity|].
  exfalso; apply X; left; reflexivity.
Qed.
(** RS-DCG-11/L2: where all gains of J above 0 are equal and min(k, n) <= N_p + 1, it is nDCG of the
    first min(k, n) results at the cut-off N_p *)
Theorem DCG_11_L2 k d r J g : let Np := length (positive J) in let m := Nat.min k (length r) in
  (1 <= Np)%nat -> positive J = repeat g Np -> Forall (Rle 0) J -> (m <= Np + 1)%nat ->
  ndcg_levels k d r J = ndcg Np d (firstn m r) J.
Proof.
  intros Np m P E A M; assert (at_least g J = Np) as L.
  { unfold at_least, Np, positive; f_equal; apply filter_ext_in; intros x X.
    rewrite Forall_forall in A; specialize (A x X).
    assert (0 < x -> x = g) as XG.
    { intros Y; assert (In x (positive J)) as Z by (apply filter_In; split; [assumption|];
        destruct (Rlt_dec 0 x); [reflexivity|contradiction]).
      rewrite E in Z; apply repeat_spec in Z; assumption. }
    assert (0 < g) as G.
    { assert (In g (positive J)) as Z by (rewrite E; destruct Np; [lia|left; reflexivity]).
      apply filter_In in Z; destruct Z as [_ Z]; destruct (Rlt_dec 0 g); [assumption|discriminate].
        }
    destruct (Rle_dec g x), (Rlt_dec 0 x); try reflexivity; [lra|]; exfalso.
    specialize (XG ltac:(assumption)); lra. }
  unfold ndcg_levels, levels; fold m Np; rewrite E.
  assert (forall n, map (fun g => at_least g J) (repeat g n) = repeat Np n) as R1.
  { induction n as [|n IH]; [reflexivity|]; cbn; rewrite IH, L; reflexivity. }
  rewrite R1; destruct Np as [|n] eqn:EN; [lia|]; rewrite nodup_constant.
  destruct (Nat.leb_spec (S n + 2) m); [lia|]; rewrite Bool.andb_false_r; cbn [app].
  unfold mean; cbn [total length INR]; unfold ndcg, ndcg_by.
  replace (dcg (S n) d (firstn m r)) with (dcg (Nat.min (S n) m) d r).
  - unfold Rdiv; rewrite Rinv_1; ring.
  - rewrite !dcg_firstn, firstn_firstn; reflexivity.
Qed.
(** RS-EXP-82: the mean of E[DCG@min(t, n')] / IDCG@t over the levels *)
Definition expected_ndcg_levels k d T J := let n := length (concat T) in
  mean (fun t => quotient (expected_dcg (Nat.min t (Nat.min k n)) d 0 T) (idcg t d J)) (levels k n
    J).
(** RS-EXP-82/L1: it equals RS-EXP-1 with M = nDCG_levels@k *)
Theorem EXP_82_L1 k d T J : expectation (fun p => ndcg_levels k d p J) T =
  expected_ndcg_levels k d T J.
Proof.
  unfold expected_ndcg_levels; cbv zeta; set (n := length (concat T)).
  rewrite (expectation_ext _ (fun p => mean (fun t => quotient (dcg (Nat.min t (Nat.min k n)) d p)
    (idcg t d J)) (levels k n J))).
  2: { intros p P; apply tied_orders_are, Permutation_length in P; unfold ndcg_levels.
       rewrite <- P; reflexivity. }
  set (f := fun t p => quotient (dcg (Nat.min t (Nat.min k n)) d p) (idcg t d J)).
  transitivity (mean (fun t => expectation (f t) T) (levels k n J)).
  - unfold expectation; change (fun p => mean (fun t => quotient (dcg (Nat.min t (Nat.min k n)) d p)
      (idcg t d J)) (levels k n J)) with (fun p => mean (fun t => f t p) (levels k n J)).
    unfold mean.
    rewrite (total_ext (fun x => total (fun t => f t x) (levels k n J) / INR (length (levels k n
      J)))
      (fun x => / INR (length (levels k n J)) * total (fun t => f t x) (levels k n J))) by
      (intros; unfold Rdiv; ring); rewrite total_scale, total_swap.
    rewrite (total_ext (fun x => total (f x) (tied_orders T) / INR (length (tied_orders T)))
      (fun x => / INR (length (tied_orders T)) * total (f x) (tied_orders T))) by
      (intros; unfold Rdiv; ring); rewrite total_scale; unfold Rdiv; ring.
  - apply mean_ext; intros t _; rewrite <- EXP_2_L1; apply mean_quotient.
Qed.

(** RS-DCG-12: b_i, the ranks above i that are not relevant *)
Definition misses l i := sum_to (fun h => 1 - at_rank l h) (i - 1).
(** RS-DCG-12: the sum of R_i / log_2 (2 + b_i) up to min(k, n), over N_p *)
Definition bin_g k Np l :=
  quotient (sum_to (fun i => at_rank l i / log 2 (2 + misses l i)) (Nat.min k (length l))) Np.

Lemma log_at_least_1 x : 2 <= x -> 1 <= log 2 x.
Proof. intros H; apply log_ge_1; lra. Qed.
Definition binary l := Forall (fun x => x = 0 \/ x = 1) l.
Lemma binary_rank l i : binary l -> 0 <= at_rank l i <= 1.
Proof.
  intros B; unfold at_rank; destruct (nth_in_or_default (i - 1) l 0) as [I|E]; [|rewrite E; lra].
  unfold binary in B; rewrite Forall_forall in B; destruct (B _ I) as [->| ->]; lra.
Qed.
Lemma binary_nonneg l : binary l -> Forall (Rle 0) l.
Proof. intros B; eapply Forall_impl; [|exact B]; cbn; intros x [->| ->]; lra. Qed.
Lemma misses_nonneg l i : binary l -> 0 <= misses l i.
Proof.
  intros B; apply sum_to_nonneg; intros h _; pose proof (binary_rank l h B); lra.
Qed.
Lemma over_log x y : 0 <= x -> 2 <= y -> 0 <= x / log 2 y <= x.
Proof.
  intros X Y; pose proof (log_at_least_1 y Y); split; [apply div_nonneg; lra|].
  apply div_le; [lra|]; nra.
Qed.
(** RS-DCG-12/L1: 0 <= binG@k <= 1 where J has all relevant items of r ... *)
Theorem DCG_12_L1 k l Np : binary l -> sum l <= Np -> 0 <= bin_g k Np l <= 1.
Proof.
  intros B S1; assert (forall i, 0 <= at_rank l i / log 2 (2 + misses l i) <= at_rank l i) as T.
  { intros i; apply over_log; [apply binary_rank; assumption|]; pose proof (misses_nonneg l i B);
    lra. }
  apply quotient_range; split.
  - apply sum_to_nonneg; intros; apply T.
  - apply Rle_trans with (sum l); [|assumption]; eapply Rle_trans; [apply sum_to_le; intros; apply
    T|].
    rewrite prefix_gain, <- whole_none, <- (dcg_all (length l)) by lia.
    apply dcg_more; [apply nonneg_none|apply binary_nonneg; assumption|lia].
Qed.

(** RS-DCG-12/L1: ... it does not fall with k *)
Theorem DCG_12_L1_rises k l Np : binary l -> bin_g k Np l <= bin_g (S k) Np l.
Proof.
  intros B; unfold bin_g; apply quotient_le, sum_to_more; [|lia]; intro i.
  apply over_log; [apply (binary_rank l (S i) B)|]; pose proof (misses_nonneg l (S i) B); lra.
Qed.
(** RS-DCG-12/L2: where one item of the list and of J is relevant, it is nDCG@k of the indicators *)
Theorem DCG_12_L2 k i b c J : (1 <= i)%nat -> (1 <= k)%nat -> Permutation J (1 :: repeat 0 c) ->
  let l := repeat 0 (i - 1) ++ 1 :: repeat 0 b in bin_g k 1 l = ndcg k (d_log 2) l J.
Proof.
  intros I K P l; unfold ndcg, ndcg_by; rewrite (idcg_perm _ _ _ _ P), idcg_of_one by (lra || lia).
  pose proof (DISC_1_L3 1 ltac:(lia)) as D1; cbn in D1; rewrite D1.
  replace (1 * (1 / 1)) with 1 by field; unfold bin_g; f_equal; unfold l.
  rewrite (sum_to_min (fun j => at_rank (repeat 0 (i - 1) ++ 1 :: repeat 0 b) j /
    log 2 (2 + misses (repeat 0 (i - 1) ++ 1 :: repeat 0 b) j))) by
    (intros j J0; rewrite at_rank_beyond by assumption; unfold Rdiv; ring).
  destruct (Nat.le_gt_cases i k) as [L|L].
  - rewrite LengthOfOwn.dcg_of_one_item, (LengthOfMetrics.sum_to_single _ k i) by
      first [lia | intros j J0 D; rewrite LengthOfMetrics.at_rank_one by lia;
        destruct (Nat.eqb_spec j i);
        [lia|unfold Rdiv; ring]].
    rewrite LengthOfMetrics.at_rank_one, Nat.eqb_refl by lia; unfold misses, d_log.
    rewrite (sum_to_ext _ (fun _ => 1)), sum_to_const by (intros j J0;
      rewrite LengthOfMetrics.at_rank_one by lia; destruct (Nat.eqb_spec j i); [lia|ring]).
    rewrite minus_INR by lia; cbn [INR]; replace (2 + (INR i - 1) * 1) with (INR i + 1) by ring;
      ring.
  - rewrite dcg_of_one_below by lia; apply sum_to_zero; intros j J0.
    rewrite LengthOfMetrics.at_rank_one by lia;
    destruct (Nat.eqb_spec j i); [lia|unfold Rdiv; ring].
Qed.

(** RS-DCG-13: c(i), the sum of max(g*_h, 1) up to i *)
Definition ideal_steps J i := sum_to (fun h => Rmax (at_rank (ideal J) h) 1) i.
(** RS-DCG-13: the sum of g(r(i)) / log_2 (2 + max(0, c(i) - CG@i)) up to min(k, n), over all gains
    *)
Definition g_measure k r J :=
  quotient (sum_to (fun i => at_rank r i / log 2 (2 + Rmax 0 (ideal_steps J i - cg i r)))
    (Nat.min k (length r))) (sum J).

(** RS-DCG-13/L1: 0 <= G@k <= 1 where J covers r ... *)
Theorem DCG_13_L1 k r J : Forall (Rle 0) r -> covers J r -> 0 <= g_measure k r J <= 1.
Proof.
  intros A C; assert (forall i, 0 <= at_rank r i / log 2 (2 + Rmax 0 (ideal_steps J i - cg i r)) <=
    at_rank r i) as T.
  { intros i; apply over_log; [apply at_rank_nonneg; assumption|].
    pose proof (Rmax_l 0 (ideal_steps J i - cg i r)); lra. }
  apply quotient_range; split.
  - apply sum_to_nonneg; intros; apply T.
  - eapply Rle_trans; [apply sum_to_le; intros; apply T|]; rewrite prefix_gain.
    eapply Rle_trans; [apply (dcg_covered _ _ r J falls_none nonneg_none A C)|].
    eapply Rle_trans; [apply (idcg_at_all _ d_none J nonneg_none (covers_nonneg J r C))|].
    unfold idcg; pose proof (DCG_4_L1 J) as P; rewrite dcg_all, whole_none by
      (rewrite <- (Permutation_length P); lia).
    unfold sum; rewrite (total_perm _ _ _ P); lra.
Qed.
(** RS-DCG-13/L1: ... it does not fall with k *)
Theorem DCG_13_L1_rises k r J : Forall (Rle 0) r -> g_measure k r J <= g_measure (S k) r J.
Proof.
  intros A; unfold g_measure; apply quotient_le, sum_to_more; [|lia]; intro i.
  apply over_log; [apply at_rank_nonneg; assumption|].
  pose proof (Rmax_l 0 (ideal_steps J (S i) - cg (S i) r)); lra.
Qed.
(** RS-DCG-13/L2: where J covers r and all labels are 0 or 1, it is binG@k with linear gain *)
Theorem DCG_13_L2 k r J : binary r -> binary J -> g_measure k r J = bin_g k (sum J) r.
Proof.
  intros B BJ; unfold g_measure, bin_g; f_equal; apply sum_to_ext; intros i I.
  assert (at_rank r i = 0 \/ at_rank r i = 1) as [E|E].
  { unfold at_rank; destruct (nth_in_or_default (i - 1) r 0) as [X|X]; [|left; exact X].
    unfold binary in B; rewrite Forall_forall in B; apply B; assumption. }
  { rewrite E; unfold Rdiv; ring. }
  f_equal; f_equal; f_equal; assert (ideal_steps J i = INR i) as ->.
  { unfold ideal_steps; rewrite (sum_to_ext _ (fun _ => 1)), sum_to_const; [ring|]; intros h Hh.
    apply Rmax_right, binary_rank; unfold binary in *; eapply Permutation_Forall;
    [apply DCG_4_L1|assumption]. }
  assert (INR i - cg i r = misses r i) as ->; [|apply Rmax_right, misses_nonneg; assumption].
  rewrite cg_is_dcg, <- prefix_gain; unfold misses; destruct i as [|i]; [lia|].
  replace (S i - 1)%nat with i by lia; cbn [sum_to]; rewrite E, S_INR.
  rewrite (sum_to_ext (fun h => 1 - at_rank r h) (fun h => 1 + -1 * at_rank r h)), sum_to_plus,
    sum_to_const, sum_to_scale by (intros; ring); ring.
Qed.

(** * What is not proved *)

(** RS-EXP-81/L1 not proved: the expectation has no definition here; it needs the mean of the
    product of an indicator and of DCG at its rank, over items of one group and of groups above *)
(** RS-EXP-83/L1 not proved: the expectation has no definition here; it needs the hypergeometric
    probabilities of the number of items of a group that are not relevant above another *)
(** RS-EXP-84/L1 not proved: the expectation has no definition here; it needs the probabilities of
    the sums of the gains of some items of a group, drawn at random *)
