(* Length: spec/length.md.  w: the weights of the prior; z: the factor Z, 1 where it is left out;
  M: the cut-off. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Import ListNotations.
Open Scope R_scope.

(** S(n) = w(1) d(1) + ... + w(n) d(n), and W(n), D(n) are sums of w and of d *)
Definition S_of (w d : nat -> R) n := sum_to (fun i => w i * d i) n.

(** RS-LEN-1: p(i) = w(i) / (w(1) + ... + w(M)) up to M, and 0 beyond *)
Definition prior w M i := if (i <=? M)%nat then w i / sum_to w M else 0.

(** RS-LEN-1/L1: they are probabilities *)
Theorem LEN_1_L1 w M : nonneg w -> 0 < sum_to w M -> (forall i, (1 <= i)%nat -> 0 <= prior w M i)
  /\ sum_to (prior w M) M = 1.
Proof.
  intros N P; split.
  - intros i I; unfold prior; destruct (i <=? M)%nat; [apply div_nonneg; auto|lra].
  - rewrite (sum_to_ext _ (fun i => / sum_to w M * w i)), sum_to_scale; [field; lra|].
    intros i I; unfold prior; destruct (Nat.leb_spec i M); [unfold Rdiv; ring|lia].
Qed.
(** RS-LEN-1/L2: p(i) >= p(i + 1) *)
Theorem LEN_1_L2 w M i : nonneg w -> falls w -> 0 < sum_to w M -> (1 <= i)%nat -> prior w M (S i)
  <= prior w M i.
Proof.
  intros N F P I; unfold prior; destruct (Nat.leb_spec (S i) M), (Nat.leb_spec i M); try lia;
  try lra.
  - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|apply F; assumption].
  - apply div_nonneg; auto.
Qed.
(** RS-LEN-1/L3: a factor of w does not change p *)
Theorem LEN_1_L3 c w M i : 0 < c -> 0 < sum_to w M -> prior (fun j => c * w j) M i = prior w M i.
Proof. intros C P; unfold prior; rewrite sum_to_scale; destruct (i <=? M)%nat; [field;
  lra|reflexivity]. Qed.
(** RS-LEN-1/L3: ... so a logarithmic prior does not depend on its base *)
Corollary LEN_1_L3_base b M i : 1 < b -> (1 <= i)%nat -> (1 <= M)%nat ->
  prior (d_log b) M i = prior (d_log 2) M i.
Proof.
  intros B I HM; assert (0 < log 2 b) as C by (apply Rdiv_lt_0_compat; apply ln_pos; lra).
  assert (0 < sum_to (d_log 2) M) as P.
  { apply Rlt_le_trans with (sum_to (d_log 2) 1); [|apply sum_to_more; [intro j|lia]].
    - cbn; pose proof (DISC_1_L1 2 1 ltac:(lra) ltac:(lia)); lra.
    - pose proof (DISC_1_L1 2 (S j) ltac:(lra) ltac:(lia)); lra. }
  rewrite <- (LEN_1_L3 (log 2 b) (d_log 2) M i C P); unfold prior.
  rewrite (sum_to_ext (d_log b) (fun j => log 2 b * d_log 2 j)), DISC_1_L2 by
    (intros; try apply DISC_1_L2; assumption || lia); reflexivity.
Qed.

(** RS-LEN-2: DCG(i) = (2^rel - 1) d(i) *)
Definition dcg_of_one rel (d : nat -> R) i := exp2 rel * d i.

(** RS-LEN-2/L1: it is DCG@k of the lists with rel at rank i <= k, and 0 elsewhere *)
Theorem LEN_2_L1 rel d k i b : (1 <= i <= k)%nat ->
  dcg k d (map exp2 (repeat 0 (i - 1) ++ rel :: repeat 0 b)) = dcg_of_one rel d i.
Proof.
  intros I; assert (forall n, map exp2 (repeat 0 n) = repeat 0 n) as X.
  { induction n; cbn; [reflexivity|rewrite IHn, exp2_0; reflexivity]. }
  rewrite map_app; cbn [map]; rewrite !X, dcg_cut, whole_app, whole_cons, !whole_repeat,
  repeat_length; unfold shift, cut, dcg_of_one.
  destruct (Nat.leb_spec (i - 1 + 1) k); [|lia]; replace (i - 1 + 1)%nat with i by lia; ring.
Qed.

(** RS-LEN-3: Z(M, rel) = (2^rel - 1) / (w(1) + ... + w(M)) *)
Definition Z M rel w := quotient (exp2 rel) (sum_to w M).

(** RS-LEN-3/L1: Z(M, rel) = (2^rel - 1) Z(M, 1) *)
Theorem LEN_3_L1 M rel w : Z M rel w = exp2 rel * Z M 1 w.
Proof. unfold Z, quotient; rewrite exp2_1; destruct (Rlt_dec 0 (sum_to w M)); unfold Rdiv;
  ring. Qed.
(** RS-LEN-3/L2: it does not rise with M, from where it is defined *)
Theorem LEN_3_L2 M rel w : nonneg w -> 0 <= rel -> 0 < sum_to w M -> Z (S M) rel w <= Z M rel w.
Proof.
  intros N P H; assert (0 <= exp2 rel).
  { destruct P as [P| <-]; [rewrite <- exp2_0; apply Rlt_le, GAIN_2_L1; assumption|rewrite exp2_0;
    lra]. }
  unfold Z, quotient; cbn [sum_to]; pose proof (N (S M) ltac:(lia));
  destruct (Rlt_dec 0 (sum_to w M + w (S M))), (Rlt_dec 0 (sum_to w M)); try lra.
  apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar; lra].
Qed.

(** RS-LEN-4: E[DCG] = Z (w(1) d(1) + ... + w(N') d(N')), N' = min(N, M) *)
Definition user_expected_dcg N M d w z := z * S_of w d (Nat.min N M).

(** RS-LEN-4/L1: it is the sum of p(i) DCG(i) up to N, for every N: p is 0 beyond M *)
Theorem LEN_4_L1 N M d w rel : 0 < sum_to w M ->
  user_expected_dcg N M d w (Z M rel w) = sum_to (fun i => prior w M i * dcg_of_one rel d i) N.
Proof.
  intros P; rewrite <- (sum_to_min _ M N).
  - unfold user_expected_dcg, S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i I.
    unfold prior, Z, quotient, dcg_of_one; destruct (Nat.leb_spec i M); [|lia];
    destruct (Rlt_dec _ _); [field; lra|contradiction].
  - intros i I; unfold prior; destruct (Nat.leb_spec i M); [lia|lra].
Qed.
(** RS-LEN-4/L1: ... the right form of eq. 4 sums to N; it is the same for N <= M, and greater for N
    > M where w and d of the rank M + 1 are positive *)
Theorem LEN_4_L1_right N M d w z : nonneg d -> nonneg w -> 0 < z ->
  ((N <= M)%nat -> z * S_of w d N = user_expected_dcg N M d w z) /\
  ((M < N)%nat -> 0 < w (S M) -> 0 < d (S M) -> user_expected_dcg N M d w z < z * S_of w d N).
Proof.
  intros D W P; unfold user_expected_dcg; split; intros L; [rewrite Nat.min_l by lia; reflexivity|].
  intros Wn Dn; rewrite Nat.min_r by lia; apply Rmult_lt_compat_l; [assumption|].
  apply Rlt_le_trans with (S_of w d (S M)).
  - unfold S_of; cbn [sum_to]; assert (0 < w (S M) * d (S M)) by nra; lra.
  - apply sum_to_more; [intro i; apply Rmult_le_pos; auto with arith|lia].
Qed.
(** RS-LEN-4/L2: the step from N to N + 1 is Z w(N + 1) d(N + 1) >= 0 *)
Theorem LEN_4_L2 N M d w z : (N < M)%nat -> nonneg d -> nonneg w -> 0 <= z ->
  user_expected_dcg (S N) M d w z - user_expected_dcg N M d w z = z * (w (S N) * d (S N)) /\
  0 <= z * (w (S N) * d (S N)).
Proof.
  intros L D W P; unfold user_expected_dcg, S_of; rewrite !Nat.min_l by lia; cbn [sum_to]; split;
  [ring|].
  apply Rmult_le_pos; [assumption|apply Rmult_le_pos; auto with arith].
Qed.
(** RS-LEN-4/L2: ... E[DCG] rises with N < M if and only if w and d of the next rank are
    positive ... *)
Theorem LEN_4_L2_rises N M d w z : (N < M)%nat -> nonneg d -> nonneg w -> 0 < z ->
  (user_expected_dcg N M d w z < user_expected_dcg (S N) M d w z <-> 0 < w (S N) /\ 0 < d (S N)).
Proof.
  intros L D W P; destruct (LEN_4_L2 N M d w z L D W ltac:(lra)) as [E _].
  pose proof (D (S N) ltac:(lia)); pose proof (W (S N) ltac:(lia)); split.
  - intros H1; assert (0 < z * (w (S N) * d (S N))) by lra.
    assert (0 < w (S N) * d (S N)) by nra; split; nra.
  - intros [A B]; assert (0 < z * (w (S N) * d (S N))) by
    (apply Rmult_lt_0_compat; [|apply Rmult_lt_0_compat]; assumption); lra.
Qed.
(** RS-LEN-4/L2: ... and rel > 0 *)
Theorem LEN_4_L2_rel N M d w rel : (N < M)%nat -> nonneg d -> nonneg w -> 0 < sum_to w M ->
  0 <= rel -> let E n := user_expected_dcg n M d w (Z M rel w) in
  (E N < E (S N) <-> 0 < w (S N) /\ 0 < d (S N) /\ 0 < rel).
Proof.
  intros L D W P R0 E; unfold E.
  assert (Z M rel w = exp2 rel / sum_to w M) as ZE by
    (unfold Z, quotient; destruct (Rlt_dec _ _); [reflexivity|contradiction]).
  destruct R0 as [R0| <-].
  - assert (0 < Z M rel w) as Q.
    { rewrite ZE; apply Rdiv_lt_0_compat; [|assumption]; rewrite <- exp2_0; apply GAIN_2_L1.
      assumption. }
    rewrite (LEN_4_L2_rises N M d w _ L D W Q); tauto.
  - unfold user_expected_dcg; rewrite ZE, exp2_0; unfold Rdiv; rewrite !Rmult_0_l; split; [lra|].
    intros (_ & _ & X); lra.
Qed.
(** RS-LEN-4/L3: the steps do not rise with N ... *)
Theorem LEN_4_L3 N d w z : falls d -> falls w -> nonneg d -> nonneg w -> 0 <= z ->
  z * (w (S (S N)) * d (S (S N))) <= z * (w (S N) * d (S N)).
Proof. intros F G D W P; apply Rmult_le_compat_l, Rmult_le_compat; auto with arith. Qed.
(** RS-LEN-4/L3: ... the later is smaller where it is positive and w or d falls,
    and where it is 0 and the earlier is not ... *)
Theorem LEN_4_L3_smaller N d w z : falls d -> falls w -> nonneg d -> nonneg w -> 0 < z ->
  let earlier := z * (w (S N) * d (S N)) in let later := z * (w (S (S N)) * d (S (S N))) in
  (0 < later /\ (w (S (S N)) < w (S N) \/ d (S (S N)) < d (S N))) \/ (later = 0 /\ earlier <> 0) ->
  later < earlier.
Proof.
  intros F G D W P earlier later; pose proof (LEN_4_L3 N d w z F G D W ltac:(lra)) as L.
  fold earlier later in L; intros [[Q H]|[Q H]]; [|lra]; unfold earlier, later in *; clear L.
  pose proof (F (S N) ltac:(lia)); pose proof (G (S N) ltac:(lia)).
  pose proof (D (S (S N)) ltac:(lia)); pose proof (W (S (S N)) ltac:(lia)).
  set (w1 := w (S N)) in *; set (w2 := w (S (S N))) in *; set (d1 := d (S N)) in *;
  set (d2 := d (S (S N))) in *.
  assert (0 < w2 * d2) by nra; assert (0 < w2) by nra; assert (0 < d2) by nra.
  apply Rmult_lt_compat_l; [assumption|]; destruct H.
  - apply Rlt_le_trans with (w1 * d2); [apply Rmult_lt_compat_r|apply Rmult_le_compat_l]; lra.
  - apply Rle_lt_trans with (w1 * d2); [apply Rmult_le_compat_r|apply Rmult_lt_compat_l]; lra.
Qed.
(** RS-LEN-4/L3: ... nor do the steps of E[DCG] with the cut-off, which are 0 beyond M ... *)
Theorem LEN_4_L3_cut N M d w z : falls d -> falls w -> nonneg d -> nonneg w -> 0 <= z ->
  let E n := user_expected_dcg n M d w z in E (S (S N)) - E (S N) <= E (S N) - E N.
Proof.
  intros F G D W P E; unfold E, user_expected_dcg, S_of.
  pose proof (LEN_4_L3 N d w z F G D W P) as X.
  assert (0 <= z * (w (S N) * d (S N))) by
    (apply Rmult_le_pos; [assumption|apply Rmult_le_pos; auto with arith]).
  destruct (Nat.lt_total (S N) M) as [L|[L|L]].
  - rewrite !Nat.min_l by lia; cbn [sum_to]; lra.
  - subst M; rewrite Nat.min_r, !Nat.min_l by lia; cbn [sum_to]; lra.
  - rewrite (Nat.min_r (S N)), (Nat.min_r (S (S N))), (Nat.min_r N) by lia; lra.
Qed.
(** RS-LEN-4/L3: ... and the step beyond M is smaller than the last if that is not 0 ... *)
Theorem LEN_4_L3_last N d w z : nonneg d -> nonneg w -> 0 < z ->
  let E n := user_expected_dcg n (S N) d w z in
  E (S N) - E N <> 0 -> E (S (S N)) - E (S N) < E (S N) - E N.
Proof.
  intros D W P E; unfold E, user_expected_dcg, S_of.
  rewrite (Nat.min_r (S (S N))), (Nat.min_l (S N)), (Nat.min_l N) by lia; cbn [sum_to]; intros X.
  assert (0 <= z * (w (S N) * d (S N))) by
    (apply Rmult_le_pos; [lra|apply Rmult_le_pos; auto with arith]); lra.
Qed.
(** RS-LEN-4/L3: ... for the defaults, of a real rank x, the derivative of 1 / log_2(x + 1)^2 is
    -2 ln(2)^2 / ((x + 1) ln(x + 1)^3), which is below 0 *)
Theorem LEN_4_L3_derivative x : 1 <= x ->
  let D := - 2 * ln 2 ^ 2 / ((x + 1) * ln (x + 1) ^ 3) in
  derivable_pt_lim (fun x => 1 / log 2 (x + 1) ^ 2) x D /\ D < 0.
Proof.
  intros X D; pose proof (ln_pos 2 ltac:(lra)) as L2; pose proof (ln_pos (x + 1) ltac:(lra)) as LX.
  split.
  - assert (derivable_pt_lim (fun x => log 2 (x + 1) ^ 2) x
      (2 * log 2 (x + 1) ^ 1 * (/ ln 2 * (/ (x + 1) * 1)))) as P.
    { apply (derivable_pt_lim_comp (fun x => log 2 (x + 1)) (fun y => y ^ 2));
      [|apply (derivable_pt_lim_pow _ 2)].
      apply (derivable_pt_lim_ext (mult_real_fct (/ ln 2) (comp ln (fun x => x + 1))));
      [intro; unfold mult_real_fct, comp, log; field; lra|].
      apply derivable_pt_lim_scal, (derivable_pt_lim_comp (fun x => x + 1) ln);
      [|apply derivable_pt_lim_ln; lra].
      pose proof (derivable_pt_lim_plus id (fct_cte 1) x 1 0 (derivable_pt_lim_id x)
        (derivable_pt_lim_const 1 x)) as S; rewrite Rplus_0_r in S; exact S. }
    apply (derivable_pt_lim_div (fct_cte 1) _ x 0) in P; [|apply derivable_pt_lim_const|].
    + replace D with ((0 * log 2 (x + 1) ^ 2 - 2 * log 2 (x + 1) ^ 1 * (/ ln 2 * (/ (x + 1) * 1))
        * fct_cte 1 x) / Rsqr (log 2 (x + 1) ^ 2)); [exact P|].
      unfold D, log, Rsqr, fct_cte; field; lra.
    + apply pow_nonzero; unfold log; apply Rgt_not_eq, Rdiv_lt_0_compat; assumption.
  - unfold D; replace (- 2 * ln 2 ^ 2 / ((x + 1) * ln (x + 1) ^ 3))
      with (- (2 * ln 2 ^ 2 / ((x + 1) * ln (x + 1) ^ 3))) by (field; lra).
    apply Ropp_lt_gt_0_contravar, Rdiv_lt_0_compat; repeat apply Rmult_lt_0_compat; lra.
Qed.
(** RS-LEN-4/L4: it is 2^rel - 1 times that of rel = 1 *)
Theorem LEN_4_L4 N M d w rel : user_expected_dcg N M d w (Z M rel w)
  = exp2 rel * user_expected_dcg N M d w (Z M 1 w).
Proof. unfold user_expected_dcg; rewrite LEN_3_L1; ring. Qed.
Lemma S_of_nonneg w d n : nonneg w -> nonneg d -> 0 <= S_of w d n.
Proof. intros W D; apply sum_to_nonneg; intros i I; pose proof (W i ltac:(lia));
  pose proof (D i ltac:(lia)); nra. Qed.
(** RS-LEN-4/L5: with Z it is at most (2^rel - 1) d(1) *)
Theorem LEN_4_L5 N M d w rel : nonneg w -> nonneg d -> falls d -> 0 <= exp2 rel -> 0 < sum_to w M ->
  user_expected_dcg N M d w (Z M rel w) <= exp2 rel * d 1%nat.
Proof.
  intros W D F E P; unfold user_expected_dcg, Z, quotient; destruct (Rlt_dec _ _); [|contradiction].
  assert (S_of w d (Nat.min N M) <= d 1%nat * sum_to w M).
  { apply Rle_trans with (S_of w d M).
    - apply sum_to_more; [|apply Nat.le_min_r]; intro i; apply Rmult_le_pos; auto with arith.
    - unfold S_of; rewrite <- sum_to_scale; apply sum_to_le; intros i I;
      pose proof (falls_le d 1 i F ltac:(lia)).
      rewrite Rmult_comm; apply Rmult_le_compat_r; [apply W; lia|assumption]. }
  unfold Rdiv; rewrite Rmult_assoc; apply Rmult_le_compat_l; [assumption|]; rewrite Rmult_comm;
  fold (S_of w d (Nat.min N M) / sum_to w M).
  apply div_le; assumption.
Qed.

(** RS-LEN-4/L5: ... and at N = M it is the mean of DCG(1), ..., DCG(M) with the weights p *)
Theorem LEN_4_L5_mean M d w rel : nonneg w -> 0 < sum_to w M ->
  user_expected_dcg M M d w (Z M rel w) =
  sum_to (fun i => prior w M i * dcg_of_one rel d i) M / sum_to (prior w M) M.
Proof.
  intros W P; rewrite LEN_4_L1 by assumption; destruct (LEN_1_L1 w M W P) as [_ ->]; field.
Qed.

(** * LDCG *)

(** RS-LEN-5: DCG@M / (Z S(N)) with N = min(n, M), and 0 where Z S(N) = 0 *)
Definition ldcg z M d w r := quotient (dcg M d r) (z * S_of w d (Nat.min (length r) M)).

(** RS-LEN-5/L1: without Z it is the mean of the quotients g(r(i)) / w(i),
    each with the weight w(i) d(i) *)
Theorem LEN_5_L1 M d w r : let N := Nat.min (length r) M in (forall i, (1 <= i <= N)%nat ->
  0 < w i) -> 0 < S_of w d N ->
  ldcg 1 M d w r = sum_to (fun i => w i * d i * (at_rank r i / w i)) N / S_of w d N.
Proof.
  intros N W P; unfold ldcg, quotient; fold N; rewrite Rmult_1_l; destruct (Rlt_dec _ _);
  [|contradiction]; f_equal.
  unfold dcg; rewrite Nat.min_comm; fold N; apply sum_to_ext; intros i I; specialize (W i I);
  field; lra.
Qed.
(** RS-LEN-5/L2: moving a higher gain up, or raising a label, never lowers LDCG *)
Theorem LEN_5_L2 z M d w a x b y c : falls d -> nonneg d -> x <= y ->
  ldcg z M d w (a ++ x :: b ++ y :: c) <= ldcg z M d w (a ++ y :: b ++ x :: c) /\
  ldcg z M d w (a ++ x :: b) <= ldcg z M d w (a ++ y :: b).
Proof.
  intros F N L; unfold ldcg; repeat (rewrite !app_length || cbn [length]); split;
  apply quotient_le; [apply DCG_2_L2_up|apply DCG_2_L3_up]; assumption.
Qed.
(** RS-LEN-5/L3: lists of the same number N of results have LDCG in proportion to DCG@N *)
Theorem LEN_5_L3 z M d w N : exists c, forall r, Nat.min (length r) M = N ->
  ldcg z M d w r = c * dcg N d r.
Proof.
  unfold ldcg, quotient; destruct (Rlt_dec 0 (z * S_of w d N)) as [P|P];
  [exists (/ (z * S_of w d N))|exists 0]; intros r E; rewrite E.
  - destruct (Rlt_dec _ _); [|contradiction]; unfold Rdiv; rewrite Rmult_comm; f_equal; unfold dcg;
    f_equal; lia.
  - destruct (Rlt_dec _ _); [contradiction|lra].
Qed.

Lemma S_of_pos w d n : nonneg w -> nonneg d -> 0 < w 1%nat -> 0 < d 1%nat -> (1 <= n)%nat ->
  0 < S_of w d n.
Proof.
  intros W D P Q N; apply Rlt_le_trans with (S_of w d 1); [cbn; nra|].
  apply sum_to_more; [|assumption]; intro i; apply Rmult_le_pos; auto with arith.
Qed.
Lemma ldcg_one_more z M d w r g : (length r < M)%nat ->
  ldcg z M d w (r ++ [g]) = quotient (whole d r + g * d (S (length r))) (z * (S_of w d (length r)
  + w (S (length r)) * d (S (length r)))).
Proof.
  intros L; unfold ldcg; rewrite app_length; cbn [length]; rewrite Nat.min_l by lia;
  rewrite Nat.add_1_r.
  rewrite dcg_all, whole_app, whole_cons, whole_nil by (rewrite app_length; cbn; lia);
  unfold shift, S_of; cbn [sum_to].
  rewrite Nat.add_1_r; f_equal; ring.
Qed.
(** RS-LEN-5/L4: appending a result of the gain g changes LDCG in the direction of d(N + 1) (g S(N)
    - w(N + 1) DCG@N) *)
Theorem LEN_5_L4 z M d w r g : let N := length r in let x := d (S N) * (g * S_of w d N - w (S N)
  * dcg N d r) in
  (1 <= N < M)%nat -> 0 < z -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat ->
  (ldcg z M d w r < ldcg z M d w (r ++ [g]) <-> 0 < x) /\ (ldcg z M d w (r ++ [g])
  < ldcg z M d w r <-> x < 0).
Proof.
  intros N x I P D W D1 W1; rewrite ldcg_one_more by (fold N; lia); fold N; unfold ldcg; fold N;
  rewrite Nat.min_l by lia.
  rewrite (dcg_all M) by (fold N; lia); unfold x; rewrite (dcg_all N) by (fold N; lia).
  pose proof (S_of_pos w d N W D W1 D1 ltac:(lia)) as S1; pose proof (D (S N) ltac:(lia));
  pose proof (W (S N) ltac:(lia)).
  set (A := whole d r) in *; set (s := S_of w d N) in *; set (e := d (S N)) in *;
  set (v := w (S N)) in *.
  assert (0 <= v * e) by nra; assert (0 < z * s) by nra; assert (0 < z * (s + v * e)) by nra;
  unfold quotient.
  destruct (Rlt_dec 0 (z * s)), (Rlt_dec 0 (z * (s + v * e))); try contradiction.
  assert ((A + g * e) / (z * (s + v * e)) - A / (z * s) = / (z * s * (s + v * e))
  * (e * (g * s - v * A))) as E by (field; repeat split; nra).
  assert (0 < / (z * s * (s + v * e))) by (apply Rinv_0_lt_compat; nra); split; split; intros; nra.
Qed.
(** RS-LEN-5/L4: ... where w and d are positive it rises if and only if g / w(N + 1)
    is above LDCG without Z *)
Corollary LEN_5_L4_rises z M d w r g : let N := length r in
  (1 <= N < M)%nat -> 0 < z -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat -> 0 < d (S N) ->
  0 < w (S N) ->
  (ldcg z M d w r < ldcg z M d w (r ++ [g]) <-> ldcg 1 M d w r < g / w (S N)).
Proof.
  intros N I P D W D1 W1 Dn Wn; destruct (LEN_5_L4 z M d w r g I P D W D1 W1) as [-> _]; fold N.
  pose proof (S_of_pos w d N W D W1 D1 ltac:(lia)); unfold ldcg, quotient; fold N;
  rewrite Rmult_1_l, Nat.min_l by lia.
  destruct (Rlt_dec _ _); [|contradiction]; rewrite div_lt by assumption;
  rewrite (dcg_all M), (dcg_all N) by (fold N; lia).
  replace (g / w (S N) * S_of w d N) with (g * S_of w d N / w (S N)) by (field; lra);
  rewrite lt_div by assumption; split; intros; nra.
Qed.
(** A list of some results, fewer than M *)
Lemma ldcg_nothing_gained z M d w r : let N := length r in
  (1 <= N < M)%nat -> 0 < z -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat -> Forall (Rle 0)
  r ->
  ldcg z M d w (r ++ [0]) <= ldcg z M d w r /\
  (ldcg z M d w (r ++ [0]) < ldcg z M d w r <-> 0 < dcg N d r /\ 0 < w (S N) * d (S N)).
Proof.
  intros N I P D W D1 W1 A; destruct (LEN_5_L4 z M d w r 0 I P D W D1 W1) as [up ->];
  fold N in up |- *.
  pose proof (dcg_nonneg N d r D A); pose proof (D (S N) ltac:(lia));
  pose proof (W (S N) ltac:(lia)).
  assert (0 <= w (S N) * d (S N)) by nra; assert (0 <= dcg N d r * (w (S N) * d (S N))) by nra;
  split.
  - apply Rnot_lt_le; intros L; apply up in L; nra.
  - split; [|intros []; nra]; intros L; assert (0 < dcg N d r * (w (S N) * d (S N))) by nra; split;
    nra.
Qed.
(** Beyond M nothing changes. *)
Lemma ldcg_beyond z M d w r x : (M <= length r)%nat -> ldcg z M d w (r ++ x) = ldcg z M d w r.
Proof.
  intros L; unfold ldcg; rewrite app_length, !Nat.min_r, !dcg_firstn, firstn_app by lia.
  replace (M - length r)%nat with 0%nat by lia; cbn [firstn]; rewrite app_nil_r; reflexivity.
Qed.
(** RS-LEN-5/L5: appending a result of gain 0 never raises LDCG; it lowers it if and only if N < M,
    DCG@N > 0 and w(N + 1) d(N + 1) > 0 *)
Theorem LEN_5_L5 z M d w r : let N := length r in
  0 < z -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat -> Forall (Rle 0) r ->
  ldcg z M d w (r ++ [0]) <= ldcg z M d w r /\
  (ldcg z M d w (r ++ [0]) < ldcg z M d w r <->
   (N < M)%nat /\ 0 < dcg N d r /\ 0 < w (S N) * d (S N)).
Proof.
  intros N P D W D1 W1 A; unfold N; destruct (Nat.le_gt_cases M (length r)) as [L|L].
  { rewrite ldcg_beyond by assumption; split; [lra|split; [lra|lia]]. }
  destruct r as [|x r].
  - assert (ldcg z M d w [] = 0 /\ ldcg z M d w [0] = 0) as [E0 E1].
    { unfold ldcg, dcg, at_rank, quotient; cbn [length nth]; rewrite !(Nat.min_comm M).
      rewrite Nat.min_0_l, Nat.min_l by (cbn in L; lia); cbn.
      split; destruct (Rlt_dec _ _); unfold Rdiv; ring. }
    cbn [app]; rewrite E0, E1; split; [lra|split; [lra|]]; intros (_ & X & _).
    unfold dcg in X; cbn in X; lra.
  - destruct (ldcg_nothing_gained z M d w (x :: r) ltac:(cbn in *; lia) P D W D1 W1 A) as [X Y].
    split; [exact X|]; rewrite Y; intuition lia.
Qed.
(** g(r(i)) <= gamma up to N gives w(N) DCG <= gamma S(N). *)
Lemma by_the_last_weight w d r gamma n : falls w -> nonneg d -> nonneg w -> 0 <= gamma ->
  (forall i, (1 <= i <= n)%nat -> at_rank r i <= gamma) ->
  w (S n) * sum_to (fun i => at_rank r i * d i) n <= gamma * S_of w d n.
Proof.
  intros F D W G H; unfold S_of; rewrite <- !sum_to_scale; apply sum_to_le; intros i I;
  specialize (H i I).
  pose proof (falls_le w i (S n) F ltac:(lia)); pose proof (D i ltac:(lia));
  pose proof (W (S n) ltac:(lia)).
  apply Rle_trans with (w (S n) * (gamma * d i)).
  - apply Rmult_le_compat_l; [assumption|]; apply Rmult_le_compat_r; assumption.
  - assert (0 <= gamma * d i) by nra; nra.
Qed.
(** RS-LEN-5/L6: appending a result that has at least the gain of every other never lowers LDCG *)
Theorem LEN_5_L6 z M d w r gamma : 0 < z -> nonneg d -> nonneg w -> falls w -> 0 < d 1%nat ->
  0 < w 1%nat -> 0 <= gamma ->
  Forall (fun g => g <= gamma) r -> ldcg z M d w r <= ldcg z M d w (r ++ [gamma]).
Proof.
  intros P D W F D1 W1 G A; destruct (Nat.le_gt_cases M (length r)) as [L|L];
  [rewrite ldcg_beyond by assumption; lra|].
  destruct r as [|x r]; [unfold ldcg at 1; unfold dcg; cbn; rewrite Nat.min_0_r; cbn|].
  - unfold quotient at 1; destruct (Rlt_dec _ _); unfold Rdiv; rewrite ?Rmult_0_l;
    apply quotient_nonneg, dcg_nonneg; auto.
  - destruct (LEN_5_L4 z M d w (x :: r) gamma ltac:(cbn in *; lia) P D W D1 W1) as [_ down];
    apply Rnot_lt_le; intros X; apply down in X.
    pose proof (by_the_last_weight w d (x :: r) gamma (length (x :: r)) F D W G) as B;
    rewrite <- dcg_sum in B.
    assert (forall i, (1 <= i <= length (x :: r))%nat -> at_rank (x :: r) i <= gamma) as C.
    { intros i I; rewrite Forall_forall in A; apply A, nth_In; lia. }
    specialize (B C); pose proof (D (S (length (x :: r))) ltac:(lia)); nra.
Qed.
Lemma S_of_scale a b w d n : S_of (fun i => a * w i) (fun i => b * d i) n = a * b * S_of w d n.
Proof. unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. Qed.
(** RS-LEN-5/L7: a factor of g multiplies LDCG *)
Theorem LEN_5_L7 c z M d w r : ldcg z M d w (map (Rmult c) r) = c * ldcg z M d w r.
Proof. unfold ldcg, quotient; rewrite map_length, dcg_scale; destruct (Rlt_dec _ _); unfold Rdiv;
  ring. Qed.
(** RS-LEN-5/L7: ... a factor of d alone changes nothing *)
Theorem LEN_5_L7_discount c z M d w r : 0 < c -> ldcg z M (fun i => c * d i) w r = ldcg z M d w r.
Proof.
  intros C; unfold ldcg; rewrite dcg_scale_d; set (N := Nat.min _ _).
  replace (z * S_of w (fun i => c * d i) N) with (c * (z * S_of w d N)); [apply quotient_scale;
  assumption|].
  unfold S_of; rewrite (sum_to_ext (fun i => w i * (c * d i)) (fun i => c * (w i * d i))),
  sum_to_scale by (intros; ring); ring.
Qed.
(** RS-LEN-5/L7: ... a factor of w divides LDCG without Z, and changes nothing with Z *)
Theorem LEN_5_L7_prior c M d w r : 0 < c ->
  ldcg 1 M d (fun i => c * w i) r = ldcg 1 M d w r / c /\ ldcg (Z M 1 (fun i => c * w i))
  M d (fun i => c * w i) r = ldcg (Z M 1 w) M d w r.
Proof.
  intros C; set (N := Nat.min (length r) M).
  assert (S_of (fun i => c * w i) d N = c * S_of w d N) as E.
  { unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. }
  unfold ldcg; fold N; rewrite E, !Rmult_1_l; split.
  - unfold quotient; destruct (Rlt_dec 0 (c * S_of w d N)), (Rlt_dec 0 (S_of w d N)); try (exfalso;
    nra); [field; lra|unfold Rdiv; ring].
  - f_equal; unfold Z, quotient; rewrite exp2_1, sum_to_scale.
    destruct (Rlt_dec 0 (c * sum_to w M)), (Rlt_dec 0 (sum_to w M)); try (exfalso; nra); [field;
    lra|ring].
Qed.
(** RS-LEN-5/L7: ... and so does a factor of d = w ... *)
Theorem LEN_5_L7_both c M d r : 0 < c ->
  ldcg 1 M (fun i => c * d i) (fun i => c * d i) r = ldcg 1 M d d r / c /\
  ldcg (Z M 1 (fun i => c * d i)) M (fun i => c * d i) (fun i => c * d i) r =
  ldcg (Z M 1 d) M d d r.
Proof.
  intros C; destruct (LEN_5_L7_prior c M (fun i => c * d i) d r C) as [-> ->].
  rewrite !LEN_5_L7_discount by assumption; split; reflexivity.
Qed.
Lemma ldcg_ext z z' M d e r : z = z' -> (forall i, (1 <= i)%nat -> d i = e i) ->
  ldcg z M d d r = ldcg z' M e e r.
Proof.
  intros -> H; unfold ldcg; rewrite (dcg_ext M d e) by assumption; do 2 f_equal.
  apply sum_to_ext; intros; rewrite H by lia; reflexivity.
Qed.
(** RS-LEN-5/L7: ... so with Z LDCG of a logarithmic discount does not depend on the base *)
Theorem LEN_5_L7_base b M r : 1 < b ->
  ldcg (Z M 1 (d_log b)) M (d_log b) (d_log b) r = ldcg (Z M 1 (d_log 2)) M (d_log 2) (d_log 2) r.
Proof.
  intros B; assert (0 < log 2 b) as C by (apply Rdiv_lt_0_compat; apply ln_pos; lra).
  rewrite <- (proj2 (LEN_5_L7_both (log 2 b) M (d_log 2) r C)); apply ldcg_ext.
  - unfold Z; f_equal; apply sum_to_ext; intros; apply DISC_1_L2; [assumption|lia].
  - intros; apply DISC_1_L2; assumption.
Qed.
(** RS-LEN-5/L8: LDCG with Z is LDCG without Z times W(M) *)
Theorem LEN_5_L8 M d w r : nonneg d -> nonneg w -> Forall (Rle 0) r -> 0 < sum_to w M ->
  ldcg (Z M 1 w) M d w r = ldcg 1 M d w r * sum_to w M.
Proof.
  intros D W A P; unfold ldcg, Z, quotient; rewrite exp2_1, Rmult_1_l;
  destruct (Rlt_dec 0 (sum_to w M)); [|contradiction].
  set (s := S_of _ _ _); assert (0 < 1 / sum_to w M) by (apply Rdiv_lt_0_compat; lra).
  destruct (Rlt_dec 0 (1 / sum_to w M * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.

(** RS-EXP-11: E[LDCG] = E[DCG@M] / (Z S(N)) *)
Definition expected_ldcg z M d w T := quotient (expected_dcg M d 0 T)
  (z * S_of w d (Nat.min (length (concat T)) M)).

(** RS-EXP-11/L1: it equals RS-EXP-1 with LDCG: all orders have the same number of results *)
Theorem EXP_11_L1 z M d w T : expectation (ldcg z M d w) T = expected_ldcg z M d w T.
Proof.
  unfold expected_ldcg; rewrite <- EXP_2_L1; unfold expectation; rewrite <- mean_quotient;
  apply expectation_ext.
  intros p P; apply tied_orders_are, Permutation_length in P; unfold ldcg; rewrite P; reflexivity.
Qed.
(** RS-EXP-11/L2: all tied, it is the mean gain times D(N) / (Z S(N)) *)
Theorem EXP_11_L2 z M d w t : let N := Nat.min (length t) M in 0 < z * S_of w d N ->
  expected_ldcg z M d w [t] = sum t / INR (length t) * (sum_to d N / (z * S_of w d N)).
Proof.
  intros N P; unfold expected_ldcg; rewrite <- EXP_2_L1, EXP_2_L2; cbn [concat];
  rewrite app_nil_r, (Nat.min_comm M); fold N.
  unfold quotient; destruct (Rlt_dec _ _); [unfold Rdiv; ring|contradiction].
Qed.

(** * Ideals *)

Fixpoint max_to (f : nat -> R) n := match n with O => 0 | S m => Rmax (max_to f m) (f (S m)) end.

Lemma max_to_ge f n i : (1 <= i <= n)%nat -> f i <= max_to f n.
Proof.
  induction n; intros I; [lia|]; cbn; destruct (Nat.eq_dec i (S n)) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [apply IHn; lia|apply Rmax_l].
Qed.
Lemma max_to_nonneg f n : 0 <= max_to f n.
Proof. induction n; cbn; [lra|]; eapply Rle_trans; [exact IHn|apply Rmax_l]. Qed.
Lemma max_to_is f n : max_to f n = 0 \/ exists i, (1 <= i <= n)%nat /\ max_to f n = f i.
Proof.
  induction n; cbn; [auto|]; unfold Rmax; destruct (Rle_dec _ _); [right; exists (S n); split;
  [lia|reflexivity]|].
  destruct IHn as [E|(i & I & E)]; [auto|right; exists i; split; [lia|assumption]].
Qed.
Lemma max_to_le f n b : 0 <= b -> (forall i, (1 <= i <= n)%nat -> f i <= b) -> max_to f n <= b.
Proof. intros B H; destruct (max_to_is f n) as [->|(i & I & ->)]; auto. Qed.

(** RS-LEN-7: the greatest IDCG@N / (Z S(N)), 1 <= N <= min(M, |J|) *)
Definition ildcg z M d w J := max_to (fun N => quotient (idcg N d J) (z * S_of w d N))
  (Nat.min M (length J)).

Lemma dcg_length N d r : (length r <= N)%nat -> dcg N d r = dcg (length r) d r.
Proof. intros; rewrite !dcg_all by lia; reflexivity. Qed.
(** RS-LEN-7/L1: no list of items of J, each at most once, has a higher LDCG ... *)
Theorem LEN_7_L1 z M d w J r rest : falls d -> nonneg d -> Forall (Rle 0) J ->
  Permutation J (r ++ rest) ->
  ldcg z M d w r <= ildcg z M d w J.
Proof.
  intros F D A P; assert (length r <= length J)%nat by (apply Permutation_length in P;
  rewrite app_length in P; lia).
  destruct (Nat.eq_dec (Nat.min (length r) M) 0) as [E|E].
  - unfold ldcg, dcg; rewrite Nat.min_comm, E; cbn; unfold quotient; destruct (Rlt_dec _ _);
    unfold Rdiv; rewrite ?Rmult_0_l; apply max_to_nonneg.
  - eapply Rle_trans; [|apply (max_to_ge _ _ (Nat.min (length r) M)); lia]; cbn beta; unfold ldcg;
    apply quotient_le.
    assert (dcg M d r = dcg (Nat.min (length r) M) d r) as -> by (unfold dcg; f_equal; lia).
    apply (proj1 (DCG_5_L1 (Nat.min (length r) M) d J F D A) r rest P).
Qed.
(** RS-LEN-7/L1: ... and one has it, that of the first N items of the ideal ranking *)
Theorem LEN_7_L1_attained z M d w J : ildcg z M d w J = 0 \/
  exists N, (1 <= N <= Nat.min M (length J))%nat /\
  ildcg z M d w J = ldcg z M d w (firstn N (ideal J)).
Proof.
  unfold ildcg; destruct (max_to_is (fun N => quotient (idcg N d J) (z * S_of w d N))
  (Nat.min M (length J))) as [E|(N & I & E)]; [auto|].
  right; exists N; split; [assumption|]; rewrite E; unfold ldcg, idcg;
  pose proof (Permutation_length (DCG_4_L1 J)).
  assert (length (firstn N (ideal J)) = N) as L by (rewrite firstn_length; lia);
  rewrite L, Nat.min_l by lia.
  rewrite (dcg_all M), dcg_firstn by (rewrite L; lia); reflexivity.
Qed.
(** RS-LEN-7/L3: adding an item to J never lowers it ... *)
Theorem LEN_7_L3 z M d w J x : falls d -> nonneg d -> 0 <= x ->
  ildcg z M d w J <= ildcg z M d w (x :: J).
Proof.
  intros F D X; unfold ildcg; apply max_to_le; [apply max_to_nonneg|]; intros N I.
  eapply Rle_trans; [|apply (max_to_ge _ _ N); cbn [length]; lia]; cbn beta;
  apply quotient_le, DCG_5_L2; assumption.
Qed.
(** RS-LEN-7/L3: ... nor does raising a gain in it *)
Theorem LEN_7_L3_raise z M d w J x y : falls d -> nonneg d -> x <= y -> ildcg z M d w (x :: J)
  <= ildcg z M d w (y :: J).
Proof.
  intros F D L; unfold ildcg; cbn [length]; apply max_to_le; [apply max_to_nonneg|]; intros N I.
  eapply Rle_trans; [|apply (max_to_ge _ _ N); lia]; cbn beta; apply quotient_le, DCG_5_L2_raise;
  assumption.
Qed.
(** RS-LEN-7/L4: it does not fall with M, without Z ... *)
Theorem LEN_7_L4 z M d w J : ildcg z M d w J <= ildcg z (S M) d w J.
Proof.
  unfold ildcg; apply max_to_le; [apply max_to_nonneg|]; intros N I.
  apply (max_to_ge (fun N => quotient (idcg N d J) (z * S_of w d N))); lia.
Qed.
Lemma quotient_smaller a b c : 0 <= a -> 0 < c <= b -> quotient a b <= quotient a c.
Proof.
  intros A B; unfold quotient; destruct (Rlt_dec 0 b), (Rlt_dec 0 c); try lra.
  apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar; lra].
Qed.
(** RS-LEN-7/L4: ... and with Z *)
Theorem LEN_7_L4_with_Z M d w J : nonneg d -> nonneg w -> 0 < w 1%nat -> 0 < d 1%nat ->
  (1 <= M)%nat -> Forall (Rle 0) J ->
  ildcg (Z M 1 w) M d w J <= ildcg (Z (S M) 1 w) (S M) d w J.
Proof.
  intros D W W1 D1 I A; unfold ildcg; apply max_to_le; [apply max_to_nonneg|]; intros N K.
  eapply Rle_trans; [|apply (max_to_ge _ _ N); lia]; cbn beta.
  assert (forall m, (1 <= m)%nat -> 0 < sum_to w m) as P.
  { intros m Hm; apply Rlt_le_trans with (sum_to w 1); [cbn; lra|]; apply sum_to_more; [intro;
    apply W; lia|assumption]. }
  assert (forall m, (1 <= m)%nat -> 0 < Z m 1 w) as Q.
  { intros m Hm; unfold Z, quotient; rewrite exp2_1; destruct (Rlt_dec _ _);
    [apply Rdiv_lt_0_compat; lra|specialize (P m Hm); lra]. }
  pose proof (S_of_pos w d N W D W1 D1 ltac:(lia)).
  apply quotient_smaller; [apply idcg_nonneg; assumption|]; split; [apply Rmult_lt_0_compat;
  [apply Q; lia|assumption]|].
  apply Rmult_le_compat_r; [lra|]; apply LEN_3_L2; [assumption|lra|apply P; assumption].
Qed.

(** RS-LEN-6: with m the highest label of J, R the smaller of M and the number of its items: g(m)
    D(R) / (Z S(R)) *)
Definition count (m : R) J := length (filter (fun x => if Req_EM_T x m then true else false) J).
Definition ildcg_eq7 z M d w (g : R -> R) (J : list R) :=
  match ideal J with
  | [] => 0
  | m :: _ => let n := Nat.min M (count m J) in quotient (g m * sum_to d n) (z * S_of w d n)
  end.

(** RS-LEN-6/L1: it is LDCG of the list that shows the items of the highest label and nothing else
    *)
Theorem LEN_6_L1 z M d w g J m rest : ideal J = m :: rest ->
  ildcg_eq7 z M d w g J = ldcg z M d w (map g (repeat m (count m J))).
Proof.
  intros E; unfold ildcg_eq7, ldcg; rewrite E, map_length, repeat_length,
  (Nat.min_comm (count m J)); f_equal.
  assert (map g (repeat m (count m J)) = repeat (g m) (count m J)) as ->.
  { generalize (count m J); intro n; induction n; cbn; [reflexivity|rewrite IHn; reflexivity]. }
  unfold dcg; rewrite repeat_length, <- sum_to_scale; apply sum_to_ext; intros;
  rewrite at_rank_repeat by lia; reflexivity.
Qed.
(** RS-LEN-6/L2: g(m) D(R) / S(R) does not fall with R, and is g(m) / w(1) at R = 1 ... *)
Theorem LEN_6_L2 d w gm n : nonneg d -> nonneg w -> falls w -> 0 < d 1%nat -> 0 < w 1%nat ->
  0 <= gm -> (1 <= n)%nat ->
  gm * sum_to d n / S_of w d n <= gm * sum_to d (S n) / S_of w d (S n) /\
  gm * sum_to d 1 / S_of w d 1 = gm / w 1%nat.
Proof.
  intros D W F D1 W1 G N; split; [|unfold S_of; cbn; field; lra].
  pose proof (S_of_pos w d n W D W1 D1 N); pose proof (S_of_pos w d (S n) W D W1 D1 ltac:(lia)).
  apply div_le; [assumption|]; replace (gm * sum_to d (S n) / S_of w d (S n) * S_of w d n)
  with (gm * sum_to d (S n) * S_of w d n / S_of w d (S n)) by (field; lra).
  apply le_div; [assumption|]; unfold S_of in *; cbn [sum_to] in *; fold (S_of w d n) in *.
  assert (w (S n) * sum_to d n <= S_of w d n).
  { unfold S_of; rewrite <- sum_to_scale; apply sum_to_le; intros i I;
    pose proof (falls_le w i (S n) F ltac:(lia)).
    apply Rmult_le_compat_r; [apply D; lia|assumption]. }
  pose proof (D (S n) ltac:(lia)); assert (d (S n) * (w (S n) * sum_to d n) <= d (S n)
  * S_of w d n) by (apply Rmult_le_compat_l; assumption).
  assert (gm * (d (S n) * (w (S n) * sum_to d n)) <= gm * (d (S n) * S_of w d n))
  by (apply Rmult_le_compat_l; assumption); nra.
Qed.

(** RS-LEN-8/L1: "eq7" is at most "true" *)
Theorem LEN_8_L1 z M d w g J : falls d -> nonneg d -> Forall (fun x => 0 <= g x) J ->
  ildcg_eq7 z M d w g J <= ildcg z M d w (map g J).
Proof.
  intros F D A; destruct (ideal J) as [|m rest] eqn:E; [unfold ildcg_eq7; rewrite E;
  apply max_to_nonneg|].
  rewrite (LEN_6_L1 z M d w g J m rest E).
  assert (exists others, Permutation J (repeat m (count m J) ++ others)) as (others & P).
  { exists (filter (fun x => if Req_EM_T x m then false else true) J); unfold count; clear;
    induction J as [|x J IH]; [constructor|].
    cbn; destruct (Req_EM_T x m); cbn; [subst; constructor; assumption|apply Permutation_cons_app;
    assumption]. }
  eapply LEN_7_L1; [assumption..| |rewrite <- map_app; apply Permutation_map; exact P].
  apply Forall_map; assumption.
Qed.

(** * LNDCG *)

(** RS-LEN-9: LDCG / ILDCG, both without Z, and 0 where ILDCG = 0 *)
Definition lndcg M d w r J := quotient (ldcg 1 M d w r) (ildcg 1 M d w J).

(** RS-LEN-9/L1: 0 <= LNDCG <= 1 where J covers r *)
Theorem LEN_9_L1 M d w r J : falls d -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat ->
  Forall (Rle 0) r -> covers J r -> 0 <= lndcg M d w r J <= 1.
Proof.
  intros F D W D1 W1 A C; apply quotient_range; split; [apply quotient_nonneg, dcg_nonneg;
  assumption|].
  assert (Forall (Rle 0) J) as B.
  { destruct C as (rest & R1 & P); eapply Permutation_Forall; [symmetry; exact P|];
    apply Forall_app; split; [|assumption].
    apply Forall_forall; intros x X; apply filter_In in X; rewrite Forall_forall in A; apply A;
    tauto. }
  unfold ldcg; rewrite Rmult_1_l; set (N := Nat.min (length r) M).
  assert (dcg M d r = dcg N d r) as -> by (unfold dcg, N; f_equal; lia).
  pose proof (dcg_covered N d r J F D A C) as U; destruct (Nat.eq_dec N 0) as [->|N0].
  { unfold dcg; cbn; unfold quotient; destruct (Rlt_dec _ _); unfold Rdiv; rewrite ?Rmult_0_l;
    apply max_to_nonneg. }
  pose proof (S_of_pos w d N W D W1 D1 ltac:(lia));
  destruct (Nat.le_gt_cases N (length J)) as [L|L].
  - eapply Rle_trans; [apply quotient_le, U|]; unfold ildcg.
    pose proof (max_to_ge (fun N => quotient (idcg N d J) (1 * S_of w d N)) (Nat.min M (length J))
    N ltac:(unfold N in *; lia)) as X.
    cbn beta in X; rewrite Rmult_1_l in X; exact X.
  - unfold idcg in U; rewrite (dcg_all N d (ideal J))
    in U by (rewrite <- (Permutation_length (DCG_4_L1 J)); lia).
    assert (whole d (ideal J) = idcg (length J) d J) as E.
    { unfold idcg; rewrite dcg_all by (rewrite <- (Permutation_length (DCG_4_L1 J)); lia);
      reflexivity. }
    rewrite E in U; destruct (Nat.eq_dec (length J) 0) as [Z0|Z0].
    + rewrite Z0 in U; change (idcg 0 d J) with 0 in U; unfold quotient; destruct (Rlt_dec _ _);
      [|contradiction].
      apply Rle_trans with 0; [apply div_le; lra|apply max_to_nonneg].
    + apply Rle_trans with (quotient (idcg (length J) d J) (S_of w d (length J))).
      * eapply Rle_trans; [apply quotient_le, U|]; apply quotient_smaller; [apply idcg_nonneg;
        assumption|].
        split; [apply S_of_pos; auto; lia|]; apply sum_to_more; [|lia]; intro i;
        apply Rmult_le_pos; auto with arith.
      * unfold ildcg; pose proof (max_to_ge (fun N => quotient (idcg N d J) (1 * S_of w d N))
        (Nat.min M (length J)) (length J) ltac:(unfold N in *; lia)) as X.
        cbn beta in X; rewrite Rmult_1_l in X; exact X.
Qed.
(** RS-LEN-9: with the ideal of eq. 7 *)
Definition lndcg_eq7 M d w g r J := quotient (ldcg 1 M d w (map g r)) (ildcg_eq7 1 M d w g J).
(** RS-LEN-9/L2: with the ideal of eq. 7 it is at least as large ... *)
Theorem LEN_9_L2 M d w g r J : falls d -> nonneg d -> Forall (fun x => 0 <= g x) J ->
  0 <= ldcg 1 M d w (map g r) ->
  0 < ildcg_eq7 1 M d w g J -> lndcg M d w (map g r) (map g J) <= lndcg_eq7 M d w g r J.
Proof.
  intros F D A B P; unfold lndcg, lndcg_eq7; apply quotient_smaller; [assumption|]; split;
  [assumption|apply LEN_8_L1; assumption].
Qed.
(** RS-LEN-9/L4: with J fixed, moving a higher gain up, or raising a label,
    never lowers it *)
Theorem LEN_9_L4 M d w a x b y c J : falls d -> nonneg d -> x <= y ->
  lndcg M d w (a ++ x :: b ++ y :: c) J <= lndcg M d w (a ++ y :: b ++ x :: c) J /\
  lndcg M d w (a ++ x :: b) J <= lndcg M d w (a ++ y :: b) J.
Proof. intros F D L; destruct (LEN_5_L2 1 M d w a x b y c F D L); split; apply quotient_le;
  [assumption|]; apply LEN_5_L2; assumption. Qed.
Lemma ldcg_z z M d w r : 0 < z -> ldcg z M d w r = / z * ldcg 1 M d w r.
Proof.
  intros P; unfold ldcg, quotient; rewrite Rmult_1_l; set (s := S_of _ _ _).
  destruct (Rlt_dec 0 (z * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.
Lemma max_to_scale c f n : 0 <= c -> max_to (fun i => c * f i) n = c * max_to f n.
Proof. intros C; induction n; cbn; [ring|]; rewrite IHn, RmaxRmult by assumption; reflexivity. Qed.
Lemma max_to_ext f g n : (forall i, f i = g i) -> max_to f n = max_to g n.
Proof. intros H; induction n; cbn; [reflexivity|rewrite IHn, H; reflexivity]. Qed.
Lemma ildcg_z z M d w J : 0 < z -> ildcg z M d w J = / z * ildcg 1 M d w J.
Proof.
  intros P; unfold ildcg; rewrite <- max_to_scale by (apply Rlt_le, Rinv_0_lt_compat; assumption);
  apply max_to_ext; intro i.
  unfold quotient; rewrite Rmult_1_l; set (s := S_of _ _ _).
  destruct (Rlt_dec 0 (z * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.
(** RS-LEN-9/L5: with any Z > 0 in both LDCG and ILDCG the quotient is the same *)
Theorem LEN_9_L5 z M d w r J : 0 < z -> quotient (ldcg z M d w r) (ildcg z M d w J)
  = lndcg M d w r J.
Proof. intros P; rewrite ldcg_z, ildcg_z by assumption; apply quotient_scale, Rinv_0_lt_compat;
  assumption. Qed.
(** RS-LEN-9/L7: multiplying g, d or w by a constant does not change it *)
Theorem LEN_9_L7 c M d w r J : 0 < c ->
  lndcg M d w (map (Rmult c) r) (map (Rmult c) J) = lndcg M d w r J /\
  lndcg M (fun i => c * d i) w r J = lndcg M d w r J /\ lndcg M d (fun i => c * w i)
  r J = lndcg M d w r J.
Proof.
  intros C; unfold lndcg; repeat split.
  - rewrite LEN_5_L7; unfold ildcg; rewrite map_length,
    (max_to_ext _ (fun N => c * quotient (idcg N d J) (1 * S_of w d N))), max_to_scale.
    + apply quotient_scale; assumption.
    + lra.
    + intro N; unfold idcg; rewrite ideal_scale, dcg_scale by assumption; unfold quotient;
      destruct (Rlt_dec _ _); unfold Rdiv; ring.
  - rewrite LEN_5_L7_discount by assumption; f_equal; unfold ildcg; apply max_to_ext; intro N;
    unfold idcg; rewrite dcg_scale_d.
    replace (1 * S_of w (fun i => c * d i) N) with (c * (1 * S_of w d N)); [apply quotient_scale;
    assumption|].
    unfold S_of; rewrite (sum_to_ext (fun i => w i * (c * d i)) (fun i => c * (w i * d i))),
    sum_to_scale by (intros; ring); ring.
  - destruct (LEN_5_L7_prior c M d w r C) as [-> _].
    assert (ildcg 1 M d (fun i => c * w i) J = / c * ildcg 1 M d w J) as ->.
    { unfold ildcg; rewrite <- max_to_scale by (apply Rlt_le, Rinv_0_lt_compat; assumption);
      apply max_to_ext; intro N.
      assert (S_of (fun i => c * w i) d N = c * S_of w d N) as -> by (unfold S_of;
      rewrite <- sum_to_scale; apply sum_to_ext; intros; ring).
      unfold quotient; rewrite !Rmult_1_l; set (s := S_of _ _ _).
      destruct (Rlt_dec 0 (c * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring]. }
    unfold Rdiv; rewrite Rmult_comm; apply quotient_scale, Rinv_0_lt_compat; assumption.
Qed.
(** RS-LEN-9/L7: ... nor does multiplying d = w, and so it does not depend on the base of logarithms
    *)
Theorem LEN_9_L7_both c M d r J : 0 < c ->
  lndcg M (fun i => c * d i) (fun i => c * d i) r J = lndcg M d d r J.
Proof.
  intros C; destruct (LEN_9_L7 c M (fun i => c * d i) d r J C) as (_ & _ & ->).
  apply (LEN_9_L7 c M d d r J C).
Qed.

(** RS-LEN-3/L3, RS-LEN-5/L8: all lists have the same Z: it changes no order of lists ... *)
Theorem LEN_3_L3 z M d w r s : 0 < z -> (ldcg z M d w r < ldcg z M d w s <->
  ldcg 1 M d w r < ldcg 1 M d w s).
Proof. intros P; rewrite !(ldcg_z z) by assumption; assert (0 < / z) by (apply Rinv_0_lt_compat;
  assumption); split; intros; nra. Qed.
(** RS-LEN-3/L3: ... and no quotient of two values *)
Theorem LEN_3_L3_quotients z M d w r s : 0 < z -> 0 < ldcg 1 M d w s ->
  ldcg z M d w r / ldcg z M d w s = ldcg 1 M d w r / ldcg 1 M d w s.
Proof. intros P Q; rewrite !(ldcg_z z) by assumption; field; lra. Qed.

(** Of a uniform prior *)
Lemma S_of_none d n : S_of d_none d n = sum_to d n.
Proof. apply sum_to_ext; intros; unfold d_none; ring. Qed.
Lemma idcg_mean d J m N : falls d -> nonneg d -> Forall (fun g => 0 <= g <= m) J -> 0 <= m ->
  idcg N d J <= m * sum_to d N.
Proof.
  intros F D A P; unfold idcg; rewrite dcg_sum, <- sum_to_scale; apply sum_to_le; intros i I;
  apply Rmult_le_compat_r; [apply D; lia|].
  unfold at_rank; destruct (nth_in_or_default (i - 1) (ideal J) 0) as [E|E]; [|rewrite E;
  assumption].
  rewrite Forall_forall in A; apply A; eapply Permutation_in; [symmetry; apply DCG_4_L1|exact E].
Qed.
Lemma ildcg_uniform M d J m : falls d -> nonneg d -> 0 < d 1%nat -> (1 <= M)%nat ->
  Forall (fun g => 0 <= g <= m) J -> In m J -> 0 <= m ->
  ildcg 1 M d d_none J = m.
Proof.
  intros F D D1 HM A I P; assert (Forall (Rle 0) J) as B by (eapply Forall_impl; [|exact A]; cbn;
  intros; lra).
  assert (forall N, (1 <= N)%nat -> 0 < S_of d_none d N) as S1.
  { intros N HN; rewrite S_of_none; apply Rlt_le_trans with (sum_to d 1); [cbn; lra|];
    apply sum_to_more; [intro; apply D; lia|assumption]. }
  apply Rle_antisym; unfold ildcg.
  - apply max_to_le; [assumption|]; intros N HN; unfold quotient; destruct (Rlt_dec _ _) as [Q|Q];
    [|assumption].
    apply div_le; [assumption|]; rewrite Rmult_1_l, S_of_none; apply idcg_mean; assumption.
  - assert (1 <= Nat.min M (length J))%nat as L by (destruct J; [contradiction|cbn; lia]).
    pose proof (max_to_ge (fun N => quotient (idcg N d J) (1 * S_of d_none d N))
    (Nat.min M (length J)) 1 ltac:(lia)) as X; cbn beta in X.
    eapply Rle_trans; [|exact X]; unfold quotient; specialize (S1 1%nat ltac:(lia));
    rewrite Rmult_1_l; destruct (Rlt_dec _ _) as [_|Q]; [|contradiction].
    apply le_div; [assumption|]; rewrite S_of_none; unfold idcg; rewrite dcg_sum; cbn [sum_to];
    rewrite !Rplus_0_l; apply Rmult_le_compat_r; [lra|].
    pose proof (ideal_falls J) as T; assert (In m (ideal J)) as K by (eapply Permutation_in;
    [apply DCG_4_L1|assumption]); unfold at_rank; cbn.
    destruct (ideal J) as [|x l]; [contradiction|]; cbn; destruct K as [->|K]; [lra|];
    inversion T as [|? ? _ G]; rewrite Forall_forall in G; specialize (G m K); lra.
Qed.
(** RS-LEN-9/L8: with the prior "uniform" it is the mean of g(r(i)) / g(m) with the weights d(i),
    m the highest label *)
Theorem LEN_9_L8 M d r J m : falls d -> nonneg d -> 0 < d 1%nat -> (1 <= M)%nat -> r <> [] ->
  Forall (fun g => 0 <= g <= m) J -> In m J -> 0 < m -> let N := Nat.min (length r) M in
  lndcg M d d_none r J = sum_to (fun i => d i * (at_rank r i / m)) N / sum_to d N.
Proof.
  intros F D D1 HM R A I P N; unfold lndcg; rewrite (ildcg_uniform M d J m) by (assumption || lra).
  assert (1 <= N)%nat by (unfold N; destruct r; [contradiction|cbn [length]; lia]).
  assert (0 < sum_to d N) by (apply Rlt_le_trans with (sum_to d 1); [cbn; lra|]; apply sum_to_more;
  [intro; apply D; lia|assumption]).
  unfold ldcg, quotient; fold N; rewrite Rmult_1_l, S_of_none;
  destruct (Rlt_dec 0 m), (Rlt_dec 0 (sum_to d N)); try contradiction.
  rewrite (sum_to_ext (fun i => d i * (at_rank r i / m)) (fun i => / m * (at_rank r i * d i))),
  sum_to_scale by (intros; unfold Rdiv; ring).
  unfold dcg; rewrite (Nat.min_comm M); fold N; field; lra.
Qed.
(** RS-LEN-8/L4: "eq7" and "true" agree for every pool if the prior is "uniform" ... *)
Theorem LEN_8_L4 M d g J : falls d -> nonneg d -> 0 < d 1%nat -> (1 <= M)%nat -> (forall x y,
  x <= y -> g x <= g y) ->
  Forall (fun x => 0 <= g x) J -> ildcg_eq7 1 M d d_none g J = ildcg 1 M d d_none (map g J).
Proof.
  intros F D D1 HM G A; unfold ildcg_eq7; pose proof (ideal_falls J) as T;
  pose proof (DCG_4_L1 J) as P; destruct (ideal J) as [|m l].
  - apply Permutation_sym, Permutation_nil in P; subst; unfold ildcg; cbn; rewrite Nat.min_0_r;
    reflexivity.
  - assert (In m J) as I by (eapply Permutation_in; [symmetry; exact P|left; reflexivity]).
    assert (forall x, In x J -> x <= m) as L.
    { intros x X; eapply Permutation_in in X; [|exact P]; destruct X as [->|X]; [lra|];
      inversion T as [|? ? _ H]; rewrite Forall_forall in H; specialize (H x X); lra. }
    rewrite Forall_forall in A; rewrite (ildcg_uniform M d (map g J) (g m)); auto.
    + set (n := Nat.min M (count m J)); assert (1 <= n)%nat.
      { unfold n; enough (1 <= count m J)%nat by lia; clear - I; unfold count;
        induction J as [|x J IH]; [contradiction|]; cbn; destruct (Req_EM_T x m); cbn; [lia|].
        apply IH; destruct I; [congruence|assumption]. }
      assert (0 < sum_to d n) by (apply Rlt_le_trans with (sum_to d 1); [cbn; lra|];
      apply sum_to_more; [intro; apply D; lia|assumption]).
      rewrite Rmult_1_l, S_of_none; unfold quotient; destruct (Rlt_dec _ _); [field;
      lra|contradiction].
    + apply Forall_map, Forall_forall; intros x X; split; [apply A|apply G, L]; assumption.
    + apply in_map; assumption.
Qed.

(** RS-EXP-12: E[LNDCG] = E[LDCG] / ILDCG *)
Definition expected_lndcg M d w T J := quotient (expected_ldcg 1 M d w T) (ildcg 1 M d w J).

(** RS-EXP-12/L1: it equals RS-EXP-1 with LNDCG *)
Theorem EXP_12_L1 M d w T J : expectation (fun p => lndcg M d w p J) T = expected_lndcg M d w T J.
Proof. unfold expected_lndcg; rewrite <- EXP_11_L1; apply mean_quotient. Qed.
(** RS-EXP-12/L2: 0 <= E[LNDCG] <= 1 where J covers the list *)
Theorem EXP_12_L2 M d w T J : falls d -> nonneg d -> nonneg w -> 0 < d 1%nat -> 0 < w 1%nat ->
  Forall (Rle 0) (concat T) -> covers J (concat T) -> 0 <= expected_lndcg M d w T J <= 1.
Proof.
  intros F D W D1 W1 A C; rewrite <- EXP_12_L1; apply mean_between; [apply tied_orders_some|];
  intros p P; apply tied_orders_are in P.
  apply LEN_9_L1; [assumption..|eapply Permutation_Forall; eassumption|eapply covers_perm;
  eassumption].
Qed.

(** * The constraints *)

(** RS-LEN-10: E satisfies C1 if fewer results beat the same results and worse ones *)
Definition C1 (E : list R -> R) r1 r2 r3 := r1 = r2 -> r2 > r3 -> E [r1] > E [r2; r3].
(** RS-LEN-11: E satisfies C2 if more results as good beat fewer *)
Definition C2 (E : list R -> R) r1 r2 r3 := r1 = r2 -> r2 = r3 -> r3 > 0 -> E [r1] < E [r2; r3].

(** What the laws say of M, Z, the discount and the prior *)
Definition setting z M (d w : nat -> R) :=
  (2 <= M)%nat /\ 0 < z /\ 0 < d 1%nat /\ 0 < w 1%nat /\ 0 <= d 2%nat /\ 0 <= w 2%nat.

Lemma ldcg_of_one z M d w g : setting z M d w -> ldcg z M d w [g] = g / (z * w 1%nat).
Proof.
  intros (HM & P & D1 & W1 & D2 & W2); unfold ldcg, S_of; cbn [length]; rewrite Nat.min_l by lia;
  rewrite dcg_all by (cbn; lia).
  unfold whole, at_rank, quotient; cbn; assert (0 < z * (0 + w 1%nat * d 1%nat))
  by (rewrite Rplus_0_l; apply Rmult_lt_0_compat; nra).
  destruct (Rlt_dec _ _); [field; lra|contradiction].
Qed.
Lemma ldcg_of_two z M d w g h : setting z M d w ->
  ldcg z M d w [g; h] = (g * d 1%nat + h * d 2%nat) / (z * (w 1%nat * d 1%nat + w 2%nat * d 2%nat)).
Proof.
  intros (HM & P & D1 & W1 & D2 & W2); unfold ldcg, S_of; cbn [length]; rewrite Nat.min_l by lia;
  rewrite dcg_all by (cbn; lia).
  unfold whole, at_rank, quotient; cbn; rewrite !Rplus_0_l.
  assert (0 < z * (w 1%nat * d 1%nat + w 2%nat * d 2%nat)) by (apply Rmult_lt_0_compat; nra);
  destruct (Rlt_dec _ _); [reflexivity|contradiction].
Qed.
Lemma one_less_two z M d w g h : setting z M d w ->
  (ldcg z M d w [g] < ldcg z M d w [g; h] <-> 0 < d 2%nat * (h * w 1%nat - g * w 2%nat)) /\
  (ldcg z M d w [g; h] < ldcg z M d w [g] <-> d 2%nat * (h * w 1%nat - g * w 2%nat) < 0).
Proof.
  intros H; rewrite ldcg_of_one, ldcg_of_two by assumption;
  destruct H as (HM & P & D1 & W1 & D2 & W2).
  set (d1 := d 1%nat) in *; set (d2 := d 2%nat) in *; set (w1 := w 1%nat) in *;
  set (w2 := w 2%nat) in *.
  assert (0 < w1 * d1 + w2 * d2) by nra; assert (0 < w1 * (w1 * d1 + w2 * d2)) by nra.
  assert ((g * d1 + h * d2) / (z * (w1 * d1 + w2 * d2)) - g / (z * w1)
  = / (z * (w1 * (w1 * d1 + w2 * d2))) * (d2 * (h * w1 - g * w2))) as E by (field; lra).
  assert (0 < / (z * (w1 * (w1 * d1 + w2 * d2)))) by (apply Rinv_0_lt_compat; nra); split; split;
  intros; nra.
Qed.

(** RS-LEN-10/L1: for r1 > r3, LDCG satisfies C1 if and only if d(2) > 0 and g(r3) w(1) < g(r1)
    w(2) *)
Theorem LEN_10_L1 z M d w g r1 r3 : setting z M d w -> r3 < r1 ->
  (C1 (fun r => ldcg z M d w (map g r)) r1 r1 r3 <-> 0 < d 2%nat /\
  g r3 * w 1%nat < g r1 * w 2%nat).
Proof.
  intros H L; destruct (one_less_two z M d w (g r1) (g r3) H) as [_ X];
  destruct H as (HM & P & D1 & W1 & D2 & W2).
  assert (C1 (fun r => ldcg z M d w (map g r)) r1 r1 r3 <-> ldcg z M d w [g r1;
  g r3] < ldcg z M d w [g r1]) as ->.
  { unfold C1; cbn; split; [intros Y; apply Y; auto|intros Y _ _; exact Y]. }
  rewrite X; split; [intros Y; destruct (Rle_lt_or_eq_dec _ _ D2) as [|E]; [split;
  nra|rewrite <- E in Y; lra]|intros []; nra].
Qed.
Lemma lndcg_order M d w r s J : 0 < ildcg 1 M d w J -> (lndcg M d w r J < lndcg M d w s J <->
  ldcg 1 M d w r < ldcg 1 M d w s).
Proof.
  intros P; unfold lndcg, quotient; destruct (Rlt_dec _ _); [|contradiction];
  rewrite div_lt by assumption.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; reflexivity.
Qed.
Lemma lndcg_eq7_order M d w g r s J : 0 < ildcg_eq7 1 M d w g J ->
  (lndcg_eq7 M d w g r J < lndcg_eq7 M d w g s J <->
   ldcg 1 M d w (map g r) < ldcg 1 M d w (map g s)).
Proof.
  intros P; unfold lndcg_eq7, quotient; destruct (Rlt_dec _ _); [|contradiction].
  rewrite div_lt by assumption; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  reflexivity.
Qed.
(** RS-LEN-10/L1: ... and so does LNDCG, with one pool *)
Theorem LEN_10_L1_normalised M d w g r1 r3 J : setting 1 M d w -> r3 < r1 -> 0 < ildcg 1 M d w J ->
  (C1 (fun r => lndcg M d w (map g r) J) r1 r1 r3 <-> 0 < d 2%nat /\
  g r3 * w 1%nat < g r1 * w 2%nat).
Proof.
  intros H L P; rewrite <- (LEN_10_L1 1 M d w g r1 r3 H L); unfold C1; unfold Rgt; split;
  intros X A B.
  - apply (lndcg_order M d w _ _ J P), X; assumption.
  - apply (lndcg_order M d w _ _ J P), X; assumption.
Qed.
(** RS-LEN-10/L1: ... by the ideal of eq. 7 too *)
Theorem LEN_10_L1_eq7 M d w g r1 r3 J : setting 1 M d w -> r3 < r1 -> 0 < ildcg_eq7 1 M d w g J ->
  (C1 (fun r => lndcg_eq7 M d w g r J) r1 r1 r3 <-> 0 < d 2%nat /\
  g r3 * w 1%nat < g r1 * w 2%nat).
Proof.
  intros H L P; rewrite <- (LEN_10_L1 1 M d w g r1 r3 H L); unfold C1, Rgt.
  split; intros X A B; apply (lndcg_eq7_order M d w g _ _ J P), X; assumption.
Qed.
Lemma exp2_nonneg x : 0 <= x -> 0 <= exp2 x.
Proof. intros [P| <-]; [rewrite <- exp2_0; apply Rlt_le, GAIN_2_L1; assumption|rewrite exp2_0;
  lra]. Qed.
(** RS-LEN-10/L2: with the gain 2^r - 1, w(2) >= w(1)/2 and d(2) > 0,
    C1 holds for all integer labels *)
Theorem LEN_10_L2 z M d w a b : setting z M d w -> 0 < d 2%nat -> w 1%nat / 2 <= w 2%nat ->
  (b < a)%nat ->
  C1 (fun r => ldcg z M d w (map exp2 r)) (INR a) (INR a) (INR b).
Proof.
  intros H D2 W L; apply LEN_10_L1; [assumption|apply lt_INR; assumption|split; [assumption|]];
  destruct H as (HM & P & D1 & W1 & _ & W2).
  assert (INR b + 1 <= INR a) as X by (rewrite <- S_INR; apply le_INR; lia);
  pose proof (GAIN_2_L3 (INR b)) as E.
  pose proof (exp2_nonneg (INR b) (pos_INR b)); assert (exp2 (INR b + 1) <= exp2 (INR a)).
  { destruct X as [X|X]; [apply Rlt_le, GAIN_2_L1; assumption|rewrite X; lra]. }
  apply Rlt_le_trans with (exp2 (INR a) * (w 1%nat / 2)); [nra|apply Rmult_le_compat_l; lra].
Qed.
(** RS-LEN-10/L3: for real labels, C1 fails exactly for r3 >= log_2 (1 + lambda (2^r1 -
    1)), lambda = w(2)/w(1) *)
Theorem LEN_10_L3 z M d w r1 r3 : setting z M d w -> 0 < d 2%nat -> 0 <= r1 -> r3 < r1 ->
  (~ C1 (fun r => ldcg z M d w (map exp2 r)) r1 r1 r3 <-> log 2 (1 + w 2%nat / w 1%nat * exp2 r1)
  <= r3).
Proof.
  intros H D2 P L; rewrite LEN_10_L1 by assumption; destruct H as (HM & Pz & D1 & W1 & _ & W2).
  pose proof (exp2_nonneg r1 P); set (x := 1 + w 2%nat / w 1%nat * exp2 r1).
  assert (0 <= w 2%nat / w 1%nat) by (apply div_nonneg; assumption);
  assert (1 <= x) by (unfold x; nra).
  assert (exp2 (log 2 x) = x - 1) as E by (unfold exp2, Rpower, log;
  replace (ln x / ln 2 * ln 2) with (ln x) by (field; pose proof (ln_pos 2); lra);
  rewrite exp_ln by lra; reflexivity).
  assert ((exp2 r3 * w 1%nat < exp2 r1 * w 2%nat) <-> exp2 r3 < exp2 (log 2 x)) as ->.
  { rewrite E; unfold x; replace (1 + w 2%nat / w 1%nat * exp2 r1 - 1)
    with (exp2 r1 * w 2%nat / w 1%nat) by (field; lra); rewrite lt_div by assumption; reflexivity. }
  destruct GAIN_2_L1 as [_ up]; split; intros Y.
  - apply Rnot_lt_le; intros Q; apply Y; split; [assumption|apply up; assumption].
  - intros [_ Q]; destruct Y as [Y|Y]; [apply up in Y; lra|rewrite Y in Q; lra].
Qed.
(** RS-LEN-10/L4: with the linear gain, C1 fails exactly for r3 >= lambda r1 ... *)
Theorem LEN_10_L4 z M d w r1 r3 : setting z M d w -> 0 < d 2%nat -> r3 < r1 ->
  (~ C1 (fun r => ldcg z M d w (map linear r)) r1 r1 r3 <-> w 2%nat / w 1%nat * r1 <= r3).
Proof.
  intros H D2 L; rewrite LEN_10_L1 by assumption; destruct H as (HM & Pz & D1 & W1 & _ & _);
  unfold linear.
  replace (w 2%nat / w 1%nat * r1) with (r1 * w 2%nat / w 1%nat) by (field; lra);
  rewrite div_le by assumption.
  split; intros Y; [apply Rnot_lt_le; tauto|intros [_ Q]; lra].
Qed.
(** RS-LEN-10/L5: where w(1) = w(2) and d(2) > 0, C1 holds for all labels with g(r3) < g(r1) *)
Theorem LEN_10_L5 z M d w g r1 r3 : setting z M d w -> 0 < d 2%nat -> w 1%nat = w 2%nat ->
  r3 < r1 -> g r3 < g r1 ->
  C1 (fun r => ldcg z M d w (map g r)) r1 r1 r3.
Proof. intros H D2 E L G; apply LEN_10_L1; [assumption..|]; destruct H as (_ & _ & _ & W1 & _);
  split; [assumption|]; rewrite <- E; nra. Qed.
(** RS-LEN-10/L6: DCG and, with one pool, nDCG with the ideals "k", "all" and "perfect" never
    satisfy C1 ... *)
Theorem LEN_10_L6 k d g r1 r3 J : nonneg d -> 0 <= g r3 -> r3 < r1 ->
  let fails E := ~ C1 (fun r => E (map g r)) r1 r1 r3 in
  fails (dcg k d) /\ fails (fun r => ndcg k d r J) /\ fails (fun r => ndcg_all k d r J) /\
  fails (ndcg_perfect k d).
Proof.
  intros N G L fails; assert (dcg k d [g r1] <= dcg k d [g r1; g r3]) as X.
  { rewrite <- (proj1 (DCG_2_L4 k d [g r1] 1)); apply (DCG_2_L3_up k d [g r1] 0 (g r3) []);
    assumption. }
  assert (forall v, fails (fun r => quotient (dcg k d r) v)) as F.
  { intros v Y; specialize (Y eq_refl L); cbn in Y; pose proof (quotient_le _ _ v X); lra. }
  repeat split; try apply F; intros Y; specialize (Y eq_refl L); cbn in Y; lra.
Qed.

(** RS-LEN-11/L1: LDCG satisfies C2 for a label r1 > 0 if and only if g(r1) > 0, d(2) > 0 and w(2)
    < w(1) *)
Theorem LEN_11_L1 z M d w g r1 : setting z M d w -> 0 < r1 -> 0 <= g r1 -> w 2%nat <= w 1%nat ->
  (C2 (fun r => ldcg z M d w (map g r)) r1 r1 r1 <-> 0 < g r1 /\ 0 < d 2%nat /\ w 2%nat < w 1%nat).
Proof.
  intros H L G F; destruct (one_less_two z M d w (g r1) (g r1) H) as [X _];
  destruct H as (HM & P & D1 & W1 & D2 & W2).
  assert (C2 (fun r => ldcg z M d w (map g r)) r1 r1 r1 <->
  ldcg z M d w [g r1] < ldcg z M d w [g r1; g r1]) as ->.
  { unfold C2; cbn; split; [intros Y; apply Y; auto|intros Y _ _ _; exact Y]. }
  rewrite X; split.
  - intros Y; assert (0 <= g r1 * (w 1%nat - w 2%nat)) by nra.
    destruct (Rle_lt_or_eq_dec _ _ D2) as [|E]; [|rewrite <- E in Y; lra].
    destruct (Rle_lt_or_eq_dec _ _ G) as [|E]; [|rewrite <- E in Y; nra].
    destruct (Rle_lt_or_eq_dec _ _ F) as [|E]; [auto|rewrite E in Y; nra].
  - intros (A & B & C); apply Rmult_lt_0_compat; nra.
Qed.
(** RS-LEN-11/L1: ... and so does LNDCG, with one pool *)
Theorem LEN_11_L1_normalised M d w g r1 J : setting 1 M d w -> 0 < r1 -> 0 <= g r1 ->
  w 2%nat <= w 1%nat -> 0 < ildcg 1 M d w J ->
  (C2 (fun r => lndcg M d w (map g r) J) r1 r1 r1 <-> 0 < g r1 /\ 0 < d 2%nat /\ w 2%nat < w 1%nat).
Proof.
  intros H L G F P; rewrite <- (LEN_11_L1 1 M d w g r1 H L G F); unfold C2; split; intros X A B C.
  - apply (lndcg_order M d w _ _ J P), X; assumption.
  - apply (lndcg_order M d w _ _ J P), X; assumption.
Qed.
(** RS-LEN-11/L1: ... by the ideal of eq. 7 too *)
Theorem LEN_11_L1_eq7 M d w g r1 J : setting 1 M d w -> 0 < r1 -> 0 <= g r1 ->
  w 2%nat <= w 1%nat -> 0 < ildcg_eq7 1 M d w g J ->
  (C2 (fun r => lndcg_eq7 M d w g r J) r1 r1 r1 <-> 0 < g r1 /\ 0 < d 2%nat /\ w 2%nat < w 1%nat).
Proof.
  intros H L G F P; rewrite <- (LEN_11_L1 1 M d w g r1 H L G F); unfold C2.
  split; intros X A B C; apply (lndcg_eq7_order M d w g _ _ J P), X; assumption.
Qed.
(** RS-LEN-11/L2: so for the defaults, 2^r - 1 and d = w = 1 / log_2 (i + 1),
    C2 holds for every label *)
Theorem LEN_11_L2 z M r1 : 0 < z -> (2 <= M)%nat -> 0 < r1 ->
  C2 (fun r => ldcg z M (d_log 2) (d_log 2) (map exp2 r)) r1 r1 r1.
Proof.
  intros P HM L; pose proof (DISC_1_L1 2 1 ltac:(lra) ltac:(lia));
  pose proof (DISC_1_L1 2 2 ltac:(lra) ltac:(lia)).
  apply LEN_11_L1; [unfold setting; repeat split; (lia || lra)|assumption|apply exp2_nonneg;
  lra|lra|].
  repeat split; try lra; rewrite <- exp2_0; apply GAIN_2_L1; assumption.
Qed.
(** RS-LEN-11/L3: where w(1) = w(2) the two lists have the same value, and C2 fails *)
Theorem LEN_11_L3 z M d w g r1 : setting z M d w -> w 1%nat = w 2%nat -> 0 < r1 ->
  ldcg z M d w [g r1] = ldcg z M d w [g r1; g r1] /\ ~ C2 (fun r => ldcg z M d w (map g r))
  r1 r1 r1.
Proof.
  intros H E L; assert (ldcg z M d w [g r1] = ldcg z M d w [g r1; g r1]) as X.
  { rewrite ldcg_of_one, ldcg_of_two by assumption; destruct H as (HM & P & D1 & W1 & D2 & W2);
    rewrite <- E; field; repeat split; nra. }
  split; [exact X|]; intros Y; specialize (Y eq_refl eq_refl L); cbn in Y; lra.
Qed.
(** RS-LEN-11/L4: DCG@k satisfies C2 if and only if k >= 2, g(r1) > 0 and d(2) > 0 *)
Theorem LEN_11_L4 k d g r1 : nonneg d -> 0 < r1 -> 0 <= g r1 ->
  (C2 (fun r => dcg k d (map g r)) r1 r1 r1 <-> (2 <= k)%nat /\ 0 < g r1 /\ 0 < d 2%nat).
Proof.
  intros N L G; pose proof (N 2%nat ltac:(lia)).
  assert (dcg k d [g r1; g r1] - dcg k d [g r1] = g r1 * cut k d 2) as E.
  { rewrite !dcg_cut; unfold whole, at_rank; cbn; ring. }
  unfold C2, cut in *; cbn [map]; destruct (Nat.leb_spec 2 k); split.
  - intros X; specialize (X eq_refl eq_refl L); repeat split; [assumption|nra|nra].
  - intros (_ & A & B) _ _ _; nra.
  - intros X; specialize (X eq_refl eq_refl L); lra.
  - intros [X _]; lia.
Qed.
