(* LERR, LAP, LRBP and LGAP: spec/length.md. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Qreals.
From Rankspec Require Import Numbers Gain Ties Dcg Length LengthIdeals Cascade LengthAdjusted.
From Rankspec Require Precision.
Import ListNotations.
Open Scope R_scope.

(** * LERR *)

(** RS-LEN-13/L1: LERR of one result is R(x) / (R_rel w(1)), with "max" and w(1) = 1 2^x - 1 *)
Theorem LEN_13_L1 M w least x most g : (1 <= M)%nat -> 0 < w 1%nat -> 0 < least ->
  lerr 1 M w least [x] = x / (least * w 1%nat) /\
  (w 1%nat = 1 -> lerr 1 M w (stop most 1) [stop most g] = 2 ^ g - 1).
Proof.
  assert (forall least x, (1 <= M)%nat -> 0 < w 1%nat -> 0 < least ->
    lerr 1 M w least [x] = x / (least * w 1%nat)) as X.
  { intros u v HM W L; unfold lerr, adjusted; cbn [length]; rewrite Nat.min_l, err_of_one by lia.
    unfold S_of, quotient; cbn; replace (1 * (0 + w 1%nat * (u / 1))) with (u * w 1%nat) by field.
    destruct (Rlt_dec _ _) as [|N]; [reflexivity|exfalso; apply N; nra]. }
  intros HM W L; split; [apply X; assumption|]; intros W1.
  pose proof (pow_lt 2 most ltac:(lra)) as T; rewrite X; try assumption.
  - rewrite W1; unfold stop; cbn [pow]; field; lra.
  - unfold stop; cbn [pow]; apply Rdiv_lt_0_compat; lra.
Qed.
(** RS-LEN-13/L2: lists of the same number of results have LERR in proportion to ERR@M *)
Theorem LEN_13_L2 z M w least N : exists c,
  (0 < z * S_of w (fun i => least / INR i) N -> 0 < c) /\
  forall r, Nat.min (length r) M = N -> lerr z M w least r = c * err M r.
Proof. apply adjusted_one_length. Qed.
Lemma over_rank_positive x : 0 < x -> positive_to_end (fun i => x / INR i).
Proof. intros P i I; pose proof (rank_ge_1 i I); apply Rdiv_lt_0_compat; lra. Qed.
Lemma err_nil M : err M [] = 0.
Proof. unfold err; cbn; rewrite Nat.min_0_r; reflexivity. Qed.
(** RS-LEN-13/L3: appending a result at which nobody stops never raises LERR; it lowers it if and
    only if N < M, ERR > 0 and w(N + 1) > 0 *)
Theorem LEN_13_L3 M w least r : nonneg w -> 0 < w 1%nat -> 0 < least -> Forall probability r ->
  let v := lerr 1 M w least in
  v (r ++ [0]) <= v r /\
  (v (r ++ [0]) < v r <-> (length r < M)%nat /\ 0 < err M r /\ 0 < w (S (length r))).
Proof.
  intros W W1 L F; apply adjusted_one_more; auto using over_rank_positive.
  - apply CAS_2_L3; assumption.
  - intros ->; apply err_nil.
  - assert (forall i, at_rank (r ++ [0]) i = at_rank r i) as E.
    { intros i; unfold at_rank; destruct (Nat.lt_ge_cases (i - 1) (length r)) as [A|A].
      - apply app_nth1; assumption.
      - rewrite app_nth2, (nth_overflow r) by assumption.
        destruct (i - 1 - length r)%nat as [|[|j]]; reflexivity. }
    assert (forall i, go_on (r ++ [0]) i = go_on r i) as G.
    { induction i as [|i IH]; cbn [go_on]; [reflexivity|rewrite IH, E; reflexivity]. }
    rewrite !err_sum; apply sum_to_ext; intros; rewrite E, G; reflexivity.
Qed.
Lemma greatest_of (f : nat -> R) K : exists N, (N <= K)%nat /\ forall n, (n <= K)%nat -> f n <= f N.
Proof.
  induction K as [|K (N & L & H)]; [exists O; split; [lia|intros n I; replace n with O by lia;
    lra]|].
  destruct (Rle_dec (f N) (f (S K))) as [A|A]; [exists (S K)|exists N]; split; try lia; intros n I;
  destruct (Nat.eq_dec n (S K)) as [->|D]; try lra; specialize (H n ltac:(lia)); lra.
Qed.
Lemma err_prefix M n l : (n <= M)%nat -> (n <= length l)%nat -> err M (firstn n l) = err n l.
Proof.
  intros A B; unfold err; rewrite firstn_length.
  replace (Nat.min M (Nat.min n (length l))) with (Nat.min n (length l)) by lia.
  apply sum_to_ext; intros i I.
  rewrite <- (firstn_skipn n l) at 3 4; assert (length (firstn n l) = n) as L by (rewrite
    firstn_length; lia).
  rewrite at_rank_app1, go_on_app1 by lia; reflexivity.
Qed.
(** RS-LEN-13/L4: the greatest LERR of the lists of a pool is that of the first N items of its ideal
    ranking for some N <= M ... *)
Theorem LEN_13_L4 z M w least J : Forall probability J -> exists N, (N <= M)%nat /\
  forall r rest, Permutation J (r ++ rest) ->
  lerr z M w least r <= lerr z M w least (firstn N (ideal J)).
Proof.
  intros F; destruct (greatest_of (fun n => lerr z M w least (firstn n (ideal J)))
    (Nat.min M (length J))) as (N & L & H); exists N; split; [lia|]; intros r rest P.
  set (n := Nat.min (length r) M); pose proof (Permutation_length P) as LP.
  rewrite app_length in LP; eapply Rle_trans; [|apply (H n); unfold n; lia].
  pose proof (Permutation_length (DCG_4_L1 J)) as LJ; unfold lerr, adjusted.
  assert (length (firstn n (ideal J)) = n) as Ln by (rewrite firstn_length; unfold n; lia).
  rewrite Ln; fold n; replace (Nat.min n M) with n by (unfold n; lia); apply quotient_le.
  rewrite err_prefix by (unfold n; lia); replace (err M r) with (err n r); [apply (CAS_3_L1 n J r
    rest);
    assumption|]; unfold err, n; f_equal; lia.
Qed.
(** RS-LEN-13/L4: ... N need not end a block of equal labels: for {4, 4} with R(4) = 15/16 the first
    item alone is better *)
Theorem LEN_13_L4_one z M least : (2 <= M)%nat -> 0 < z -> 0 < least -> stop 4 4 = 15 / 16 /\
  lerr z M d_zipf least [stop 4 4; stop 4 4] < lerr z M d_zipf least [stop 4 4].
Proof.
  intros HM Z L; assert (stop 4 4 = 15 / 16) as E by (unfold stop; cbn; lra); split; [exact E|].
  destruct (zipf_weighted z M HM Z) as [W W2].
  rewrite E; apply lerr_one_two; [assumption..|rewrite W2; lra].
Qed.
(** RS-LEN-13/L5: LERR with Z is LERR without it, times W(M) *)
Theorem LEN_13_L5 M w least r : 0 < sum_to w M ->
  lerr (Z M 1 w) M w least r = lerr 1 M w least r * sum_to w M.
Proof. apply adjusted_Z. Qed.

(** * LAP *)

(** RS-LEN-14/L1: LAP is AP@M over the sum of w(i) AP(i), AP(i) = 1 / (i c), c a divisor of the pool
    and the cut-off ... *)
Theorem LEN_14_L1 norm M Np w l : let c := INR (Precision.normaliser norm M Np []) in
  norm = Precision.of_R \/ norm = Precision.of_min \/ norm = Precision.of_k -> 0 < c ->
  lap 1 M w l = quotient (Q2R (Precision.ap norm M Np l))
    (S_of w (fun i => 1 / (INR i * c)) (Nat.min (length l) M)).
Proof.
  intros c H P; set (n := Nat.min (length l) M).
  assert (Q2R (Precision.ap norm M Np l) = / c * sp M l) as ->.
  { unfold Precision.ap; rewrite Precision.Q2R_quotient, Precision.Q2R_nat; fold (sp M l).
    replace (Precision.normaliser norm M Np l) with (Precision.normaliser norm M Np []) by
      (destruct H as [->|[->| ->]]; reflexivity); fold c; unfold Rdiv; ring. }
  replace (S_of w (fun i => 1 / (INR i * c)) n) with (/ c * S_of w (fun i => 1 / INR i) n).
  - rewrite quotient_scale by (apply Rinv_0_lt_compat; assumption); unfold lap, adjusted.
    rewrite Rmult_1_l; reflexivity.
  - unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i I.
    pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
Lemma at_rank_one x i b j : (1 <= i)%nat -> (1 <= j)%nat ->
  at_rank (repeat 0 (i - 1) ++ x :: repeat 0 b) j = if (j =? i)%nat then x else 0.
Proof.
  intros I Hj; unfold at_rank; destruct (Nat.eqb_spec j i) as [->|D].
  - rewrite app_nth2; rewrite repeat_length; [|lia].
    replace (i - 1 - (i - 1))%nat with O by lia; reflexivity.
  - destruct (Nat.lt_ge_cases j i).
    + rewrite app_nth1 by (rewrite repeat_length; lia); apply nth_repeat.
    + rewrite app_nth2; rewrite repeat_length; [|lia].
      destruct (j - 1 - (i - 1))%nat eqn:E; [lia|]; cbn; apply nth_repeat.
Qed.
Lemma gains_one_at i b : (1 <= i)%nat -> forall j, (1 <= j)%nat ->
  at_rank (Precision.gains (repeat false (i - 1) ++ true :: repeat false b)) j =
  if (j =? i)%nat then 1 else 0.
Proof.
  intros I j Hj; unfold Precision.gains; rewrite map_app; cbn [map].
  assert (forall n, map (fun b : bool => if b then 1 else 0) (repeat false n) = repeat 0 n) as R0 by
    (induction n; cbn; [reflexivity|rewrite IHn; reflexivity]); rewrite !R0.
  apply at_rank_one; assumption.
Qed.
Lemma sum_to_single f k i : (1 <= i <= k)%nat -> (forall j, (1 <= j <= k)%nat -> j <> i -> f j = 0)
  ->
  sum_to f k = f i.
Proof.
  intros I H; rewrite (split_sum f i k) by lia; destruct i as [|i]; [lia|]; cbn [sum_to].
  rewrite (sum_to_zero f i), sum_to_zero; [ring|..]; intros j J; unfold shift; apply H; lia.
Qed.
(** RS-LEN-14/L1: ... the AP of one relevant item at rank i; it is SP, 1/i, over c *)
Theorem LEN_14_L1_one norm M Np i b : let c := INR (Precision.normaliser norm M Np []) in
  norm = Precision.of_R \/ norm = Precision.of_min \/ norm = Precision.of_k -> 0 < c ->
  (1 <= i <= M)%nat -> let l := repeat false (i - 1) ++ true :: repeat false b in
  sp M l = 1 / INR i /\ Q2R (Precision.ap norm M Np l) = 1 / (INR i * c).
Proof.
  intros c H P I l; assert (sp M l = 1 / INR i) as E.
  { rewrite Q2R_sp_real; rewrite (sum_to_single _ M i).
    - unfold l; rewrite gains_one_at, Nat.eqb_refl, cg_is_dcg, <- prefix_gain by lia.
      rewrite (sum_to_single _ i i); [|lia|].
      + rewrite gains_one_at, Nat.eqb_refl by lia; unfold Rdiv; ring.
      + intros j J D; rewrite gains_one_at by lia; destruct (Nat.eqb_spec j i); [lia|reflexivity].
    - lia.
    - intros j J D; unfold l; rewrite gains_one_at by lia; destruct (Nat.eqb_spec j i); [lia|ring].
      }
  split; [exact E|]; unfold Precision.ap; rewrite Precision.Q2R_quotient, Precision.Q2R_nat.
  fold (sp M l); rewrite E; replace (Precision.normaliser norm M Np l) with
    (Precision.normaliser norm M Np []) by (destruct H as [->|[->| ->]]; reflexivity); fold c.
  pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
(** RS-LEN-14/L2: lists of the same number of results have LAP in proportion to SP@M *)
Theorem LEN_14_L2 z M w N : exists c, (0 < z * S_of w (fun i => 1 / INR i) N -> 0 < c) /\
  forall l, Nat.min (length l) M = N -> lap z M w l = c * sp M l.
Proof. apply adjusted_one_length. Qed.
Lemma sp_nonneg M l : 0 <= sp M l <= INR (Precision.count (firstn M l)).
Proof.
  pose proof (Precision.PREC_5_L1 M l) as [A B]; apply Qle_Rle in A, B.
  rewrite Precision.Q2R_zero in A; rewrite Precision.Q2R_nat in B; split; assumption.
Qed.
(** RS-LEN-14/L3: appending a result that is not relevant never raises LAP; it lowers it if and only
    if N < M, SP > 0 and w(N + 1) > 0 ... *)
Theorem LEN_14_L3 M w l : nonneg w -> 0 < w 1%nat -> let v := lap 1 M w in
  v (l ++ [false]) <= v l /\
  (v (l ++ [false]) < v l <-> (length l < M)%nat /\ 0 < sp M l /\ 0 < w (S (length l))).
Proof.
  intros W W1; apply adjusted_one_more; auto.
  - apply (over_rank_positive 1); lra.
  - apply sp_nonneg.
  - intros ->; unfold sp, Precision.sp; cbn [length]; rewrite Nat.min_0_r; apply Precision.Q2R_zero.
  - assert (forall i, at_rank (Precision.gains (l ++ [false])) i = at_rank (Precision.gains l) i) as
    E.
    { intros i; rewrite Precision.gains_app; unfold at_rank.
      destruct (Nat.lt_ge_cases (i - 1) (length (Precision.gains l))) as [A|A].
      - apply app_nth1; assumption.
      - rewrite app_nth2, (nth_overflow (Precision.gains l)) by assumption.
        destruct (i - 1 - length (Precision.gains l))%nat as [|[|j]]; reflexivity. }
    rewrite !Q2R_sp_real; apply sum_to_ext; intros i I; rewrite E; do 2 f_equal.
    rewrite !cg_is_dcg, <- !prefix_gain; apply sum_to_ext; intros; apply E.
Qed.
Lemma sp_of_relevant M n : (n <= M)%nat -> sp M (repeat true n) = INR n.
Proof.
  intros L; rewrite Q2R_sp_real; assert (Precision.gains (repeat true n) = repeat 1 n) as ->.
  { unfold Precision.gains; clear; induction n; cbn; [reflexivity|rewrite IHn; reflexivity]. }
  rewrite <- (sum_to_min _ n M), Nat.min_r by
    (lia || (intros; rewrite at_rank_beyond by (rewrite repeat_length; assumption); ring)).
  rewrite (sum_to_ext _ (fun _ => 1)), sum_to_const; [ring|]; intros i I.
  rewrite at_rank_repeat, cg_is_dcg, <- prefix_gain by lia.
  rewrite (sum_to_ext _ (fun _ => 1)) by (intros; apply at_rank_repeat; lia).
  rewrite sum_to_const; pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
(** N over w(1) + w(2)/2 + ... + w(N)/N rises with N. *)
Lemma mean_of_weights_rises w n : nonneg w -> falls w -> 0 < w 1%nat -> (1 <= n)%nat ->
  let s := S_of w (fun i => 1 / INR i) in INR n / s n < INR (S n) / s (S n).
Proof.
  intros W F W1 N s; set (one := fun i => 1 / INR i) in *.
  pose proof (S_of_one_pos one w n W W1 (over_rank_positive 1 ltac:(lra)) N) as P; fold s in P.
  pose proof (S_of_one_pos one w (S n) W W1 (over_rank_positive 1 ltac:(lra)) ltac:(lia)) as P'.
  fold s in P'; apply div_lt; [assumption|].
  replace (INR (S n) / s (S n) * s n) with (INR (S n) * s n / s (S n)) by (field; lra).
  apply lt_div; [assumption|].
  assert (s (S n) = s n + w (S n) * one (S n)) as E by reflexivity; rewrite E, S_INR.
  enough (INR n * (w (S n) * one (S n)) < s n) by lra; rewrite <- sum_to_const.
  pose proof (W (S n) ltac:(lia)) as Wn; pose proof (rank_ge_1 n N) as Rn.
  assert (forall i, (1 <= i <= n)%nat -> w (S n) * one (S n) <= w i * one i) as B.
  { intros i I; pose proof (falls_le w i (S n) F ltac:(lia)).
    apply Rmult_le_compat; [assumption| |assumption|].
    - apply Rlt_le, over_rank_positive; lra || lia.
    - unfold one; apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; [apply lt_0_INR; lia|].
      apply le_INR; lia. }
  apply (sum_to_lt _ _ n 1); [assumption|lia|].
  apply Rle_lt_trans with (w 1%nat * one (S n)).
  - apply Rmult_le_compat_r; [apply Rlt_le, over_rank_positive; lra || lia|apply falls_le; auto;
    lia].
  - apply Rmult_lt_compat_l; [assumption|]; unfold one; rewrite S_INR; cbn [INR].
    apply Rmult_lt_compat_l; [lra|apply Rinv_lt_contravar; lra].
Qed.
Lemma lap_of_relevant M w n : nonneg w -> 0 < w 1%nat -> (1 <= n <= M)%nat ->
  lap 1 M w (repeat true n) = INR n / S_of w (fun i => 1 / INR i) n.
Proof.
  intros W W1 N; unfold lap, adjusted; rewrite repeat_length, Nat.min_l, sp_of_relevant, Rmult_1_l
    by lia.
  pose proof (S_of_one_pos (fun i => 1 / INR i) w n W W1 (over_rank_positive 1 ltac:(lra))
    ltac:(lia)).
  unfold quotient; destruct (Rlt_dec _ _); [reflexivity|contradiction].
Qed.
(** RS-LEN-14/L3: ... appending a relevant one to a list of relevant ones raises it, if N < M *)
Theorem LEN_14_L3_relevant M w n : nonneg w -> falls w -> 0 < w 1%nat -> (n < M)%nat ->
  lap 1 M w (repeat true n) < lap 1 M w (repeat true n ++ [true]).
Proof.
  intros W F W1 N; change [true] with (repeat true 1); rewrite <- repeat_app, Nat.add_1_r.
  rewrite (lap_of_relevant M w (S n)) by (assumption || lia); destruct n as [|n].
  - unfold lap, adjusted; cbn [repeat length Nat.min]; unfold quotient.
    destruct (Rlt_dec _ _) as [A|A]; [unfold S_of in A; cbn in A; lra|].
    apply Rdiv_lt_0_compat; [cbn; lra|].
    apply S_of_one_pos; auto; apply (over_rank_positive 1); lra.
  - rewrite lap_of_relevant by (assumption || lia); apply mean_of_weights_rises; auto; lia.
Qed.
(** RS-LEN-14/L4: with N_p > 0 relevant items in a pool, the best list shows N = min(M, N_p) of them
    and nothing else, and has N / (w(1) + w(2)/2 + ... + w(N)/N) *)
Theorem LEN_14_L4 M w l J rest : nonneg w -> falls w -> 0 < w 1%nat -> (1 <= M)%nat ->
  (1 <= Precision.count J)%nat -> Permutation J (l ++ rest) ->
  let N := Nat.min M (Precision.count J) in
  lap 1 M w l <= lap 1 M w (repeat true N) /\
  lap 1 M w (repeat true N) = INR N / S_of w (fun i => 1 / INR i) N.
Proof.
  intros W F W1 HM C P N; pose proof (lap_of_relevant M w N W W1 ltac:(unfold N; lia)) as E.
  split; [|exact E]; rewrite E; set (s := S_of w (fun i => 1 / INR i)) in *.
  assert (forall n, (1 <= n)%nat -> 0 < s n) as Ps by
    (intros; apply S_of_one_pos; auto; apply (over_rank_positive 1); lra).
  pose proof (sp_nonneg M l) as [_ U]; set (h := Precision.count (firstn M l)) in *.
  set (n := Nat.min (length l) M); unfold lap, adjusted; fold n; fold s; rewrite Rmult_1_l.
  assert (h <= n)%nat as hn.
  { unfold h, n; eapply Nat.le_trans; [apply Precision.count_length|rewrite firstn_length; lia]. }
  assert (h <= N)%nat as hN.
  { unfold N; apply Nat.min_glb; [unfold n in hn; lia|]; apply Precision.count_perm in P; rewrite P.
    pose proof (Precision.count_firstn M l); fold h in H; clear - H.
    assert (Precision.count l <= Precision.count (l ++ rest))%nat; [|lia].
    clear; induction l as [|b l IH]; cbn; lia. }
  assert (0 <= INR N / s N) by (apply div_nonneg; [apply pos_INR|apply Ps; unfold N; lia]).
  destruct (Nat.eq_dec h 0) as [h0|h0].
  { rewrite h0 in U; cbn in U; unfold quotient; destruct (Rlt_dec _ _); [|assumption].
    apply Rle_trans with 0; [|assumption]; apply div_le; [assumption|lra]. }
  unfold quotient; destruct (Rlt_dec _ _); [|assumption].
  apply Rle_trans with (INR h / s h).
  - apply Rle_trans with (INR h / s n).
    + apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|assumption].
    + apply Rmult_le_compat_l; [apply pos_INR|]; apply Rinv_le_contravar; [apply Ps; lia|].
      unfold s, S_of; apply sum_to_more; [|assumption]; intro i; apply Rmult_le_pos;
      [apply W; lia|apply Rlt_le, (over_rank_positive 1); lra || lia].
  - clear - W F W1 hN h0 s; induction hN as [|m L IH]; [lra|]; eapply Rle_trans; [exact IH|].
    apply Rlt_le, mean_of_weights_rises; auto; lia.
Qed.
(** RS-LEN-14/L5: LAP with Z is LAP without it, times W(M) *)
Theorem LEN_14_L5 M w l : 0 < sum_to w M -> lap (Z M 1 w) M w l = lap 1 M w l * sum_to w M.
Proof. apply adjusted_Z. Qed.

(** * LRBP *)

(** RS-LEN-15/L1: it is LDCG of the relevance indicators, with the linear gain and the discount p^(i
    - 1) *)
Theorem LEN_15_L1 z M p w r : p < 1 ->
  lrbp z M p w r = ldcg z M (fun i => p ^ (i - 1)) w (map linear r).
Proof.
  intros P; replace (map linear r) with r by (symmetry; apply map_id).
  rewrite <- (LEN_5_L7_discount (1 - p)) by lra.
  unfold lrbp, adjusted, ldcg; rewrite CAS_5_L2; reflexivity.
Qed.
Lemma power_regular p w : 0 <= p < 1 -> nonneg w -> falls w -> 0 < w 1%nat ->
  regular (fun i => p ^ (i - 1)) w.
Proof.
  intros P W F W1; assert (forall n, 0 <= p ^ n) as N by (intros; apply pow_le; lra).
  repeat split; auto.
  - intros i I; replace (S i - 1)%nat with (S (i - 1)) by lia; cbn; specialize (N (i - 1)%nat); nra.
  - intros i I; apply N.
  - cbn; lra.
Qed.
(** RS-LEN-15/L2: lists of the same number of results have LRBP in proportion to RBP@M *)
Theorem LEN_15_L2 z M p w N : exists c,
  (0 < z * S_of w (fun i => (1 - p) * p ^ (i - 1)) N -> 0 < c) /\
  forall r, Nat.min (length r) M = N -> lrbp z M p w r = c * rbp M p r.
Proof. apply (adjusted_one_length z M (fun M => rbp M p)). Qed.
(** RS-LEN-15/L3: appending a result that is not relevant never raises LRBP; it lowers it if and
    only if N < M, RBP > 0 and w(N + 1) > 0 *)
Theorem LEN_15_L3 M p w r : 0 < p < 1 -> nonneg w -> 0 < w 1%nat -> Forall indicator r ->
  let v := lrbp 1 M p w in
  v (r ++ [0]) <= v r /\
  (v (r ++ [0]) < v r <-> (length r < M)%nat /\ 0 < rbp M p r /\ 0 < w (S (length r))).
Proof.
  intros P W W1 F; apply (adjusted_one_more M (fun M => rbp M p)); auto.
  - intros i I; pose proof (pow_lt p (i - 1) ltac:(lra)); apply Rmult_lt_0_compat; lra.
  - apply (CAS_5_L1 M p r P F).
  - intros ->; unfold rbp; cbn; rewrite Nat.min_0_r; cbn; ring.
  - rewrite !CAS_5_L2; apply (DCG_2_L4 M _ r 1).
Qed.
Lemma indicator_pool J : Forall indicator J -> In 1 J -> exists rest, ideal J = 1 :: rest.
Proof.
  intros F I; destruct (ideal J) as [|m rest] eqn:E.
  - pose proof (DCG_4_L1 J) as P; rewrite E in P; apply Permutation_sym, Permutation_nil in P.
    rewrite P in I; contradiction.
  - exists rest; pose proof (in_ideal_below J m rest 1 E I); assert (In m J) as Hm by
      (eapply Permutation_in; [symmetry; apply DCG_4_L1|rewrite E; left; reflexivity]).
    rewrite Forall_forall in F; destruct (F m Hm) as [->| ->]; [lra|reflexivity].
Qed.
(** RS-LEN-15/L4: with N_p > 0 relevant items in a pool, no list is better than the list of N =
    min(M, N_p) of them and nothing else *)
Theorem LEN_15_L4 z M p w r J rest : 0 <= p < 1 -> nonneg w -> falls w -> 0 < w 1%nat ->
  (1 <= M)%nat -> 0 < z -> Forall indicator J -> In 1 J -> Permutation J (r ++ rest) ->
  lrbp z M p w r <= lrbp z M p w (repeat 1 (Nat.min M (count 1 J))).
Proof.
  intros P W F W1 HM Z A I PJ; set (d := fun i => p ^ (i - 1)).
  pose proof (power_regular p w P W F W1) as H; fold d in H.
  destruct (indicator_pool J A I) as (tail & E); rewrite !LEN_15_L1 by lra; fold d.
  assert (Forall (fun x => 0 <= linear x) J) as NN by
    (eapply Forall_impl; [|exact A]; intros x [->| ->]; unfold linear; lra).
  assert (forall l, map linear l = l) as id by (intros; apply map_id).
  rewrite !id; eapply Rle_trans; [apply (LEN_7_L1 z M d w J r rest); auto; apply H|].
  rewrite <- (id J) at 1; rewrite <- (LEN_8_L4_gains z M d w linear J 1 tail); try assumption.
  - rewrite (LEN_6_L1 z M d w linear J 1 tail E), id.
    pose proof (highest_count J 1 tail E); set (n := count 1 J) in *.
    unfold ldcg; rewrite !repeat_length; replace (Nat.min (Nat.min M n) M) with (Nat.min n M) by
      lia.
    right; f_equal; rewrite !dcg_firstn; f_equal.
    assert (forall k, firstn k (repeat 1 n) = repeat 1 (Nat.min k n)) as X.
    { clear; induction n as [|n IH]; intros [|k]; cbn; try reflexivity; rewrite IH; reflexivity. }
    rewrite X; symmetry; rewrite <- (repeat_length 1 (Nat.min M n)) at 2.
    rewrite firstn_all2 by (rewrite !repeat_length; lia); rewrite repeat_length; reflexivity.
  - intros x y L; exact L.
  - intros x X L; rewrite Forall_forall in A; destruct (A x X) as [->| ->]; [reflexivity|lra].
Qed.
Lemma powers_sum p N : sum_to (fun i => p ^ (i - 1)) N * (1 - p) = 1 - p ^ N.
Proof.
  induction N as [|N IH]; [cbn; ring|]; cbn [sum_to]; rewrite Rmult_plus_distr_r, IH.
  replace (S N - 1)%nat with N by lia; cbn; ring.
Qed.
(** RS-LEN-15/L5: by its own discount a list of N relevant items and nothing else has (1 + p) / (1 +
    p^N), from 1 up to less than 1 + p *)
Theorem LEN_15_L5 M p N : 0 < p < 1 -> (1 <= N <= M)%nat ->
  let v := (1 + p) / (1 + p ^ N) in
  lrbp 1 M p (fun i => p ^ (i - 1)) (repeat 1 N) = v /\ 1 <= v < 1 + p.
Proof.
  intros P I v; pose proof (pow_lt p N ltac:(lra)) as PN.
  assert (p ^ N <= p) as PL.
  { destruct N as [|N]; [lia|]; pose proof (pow_incr p 1 N ltac:(lra)) as X; rewrite pow1 in X.
    cbn; nra. }
  split; [|split; [apply le_div; lra|apply div_lt; [lra|nra]]].
  rewrite LEN_15_L1 by lra; replace (map linear (repeat 1 N)) with (repeat 1 N) by
    (symmetry; apply map_id).
  unfold ldcg; rewrite repeat_length, Nat.min_l, dcg_all, whole_repeat by
    (rewrite ?repeat_length; lia); rewrite !Rmult_1_l; set (d := fun i => p ^ (i - 1)).
  pose proof (powers_sum p N) as A; fold d in A.
  assert (S_of d d N * (1 - p * p) = 1 - p ^ N * p ^ N) as B.
  { pose proof (powers_sum (p * p) N) as B; rewrite Rpow_mult_distr in B; rewrite <- B; f_equal.
    apply sum_to_ext; intros; unfold d; rewrite Rpow_mult_distr; reflexivity. }
  assert (0 < 1 - p * p) by nra; assert (0 < 1 - p ^ N * p ^ N) by nra.
  assert (S_of d d N = (1 - p ^ N * p ^ N) / (1 - p * p)) as -> by (rewrite <- B; field; lra).
  assert (sum_to d N = (1 - p ^ N) / (1 - p)) as -> by (rewrite <- A; field; lra).
  unfold quotient; destruct (Rlt_dec _ _) as [_|X].
  - unfold v; field; repeat split; nra.
  - exfalso; apply X, Rdiv_lt_0_compat; assumption.
Qed.
(** RS-LEN-15/L6: LRBP with Z is LRBP without it, times W(M) *)
Theorem LEN_15_L6 M p w r : 0 < sum_to w M ->
  lrbp (Z M 1 w) M p w r = lrbp 1 M p w r * sum_to w M.
Proof. apply (adjusted_Z M (fun M => rbp M p)). Qed.

(** * LGAP *)

Definition nonneg_q (q : list QArith_base.Q) := Forall (QArith_base.Qle (QArith_base.Qmake 0 1)) q.

Lemma pi_rises q x y : nonneg_q q -> QArith_base.Qle x y -> pi q x <= pi q y.
Proof. intros F L; apply Qle_Rle, Precision.PREC_8_L1; assumption. Qed.
Lemma pi_nonneg q x : nonneg_q q -> 0 <= pi q x.
Proof.
  intros F; unfold pi, Precision.pi; rewrite Precision.Q2R_sum; apply sum_to_nonneg; intros i I.
  destruct (QArith_base.Qle_bool _ _); [|rewrite Precision.Q2R_zero; lra].
  rewrite <- Precision.Q2R_zero; apply Qle_Rle; unfold nonneg_q in F; rewrite Forall_forall in F.
  apply F, nth_In; lia.
Qed.
Lemma gsp_nonneg q M r : nonneg_q q -> 0 <= gsp q M r.
Proof.
  intros F; rewrite Q2R_gsp; apply sum_to_nonneg; intros i I; apply div_nonneg;
  [apply sum_to_nonneg; intros; apply pi_nonneg; assumption|apply lt_0_INR; lia].
Qed.
(** RS-LEN-16/L1: with an expected number c > 0 of relevant items in the pool LGAP is GAP@M over the
    sum of w(i) GAP(i), GAP(i) = pi_rel / (i c) *)
Theorem LEN_16_L1 M q w r J : let c := Q2R (Precision.expected_number q J) in 0 < c ->
  lgap 1 M q w r = quotient (Q2R (Precision.gap q M r J))
    (S_of w (fun i => first_positive q / (INR i * c)) (Nat.min (length r) M)).
Proof.
  intros c P; set (n := Nat.min (length r) M).
  assert (Q2R (Precision.gap q M r J) = / c * gsp q M r) as ->.
  { unfold Precision.gap; rewrite Precision.Q2R_quotient; fold c (gsp q M r); unfold Rdiv; ring. }
  replace (S_of w (fun i => first_positive q / (INR i * c)) n)
    with (/ c * S_of w (fun i => first_positive q / INR i) n).
  - rewrite quotient_scale by (apply Rinv_0_lt_compat; assumption); unfold lgap, adjusted.
    rewrite Rmult_1_l; reflexivity.
  - unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i I.
    pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
(** RS-LEN-16/L2: lists of the same number of results have LGAP in proportion to GSP@M *)
Theorem LEN_16_L2 z M q w N : exists c,
  (0 < z * S_of w (fun i => first_positive q / INR i) N -> 0 < c) /\
  forall r, Nat.min (length r) M = N -> lgap z M q w r = c * gsp q M r.
Proof. apply adjusted_one_length. Qed.
Lemma label_app1 a b i : (1 <= i <= length a)%nat -> Precision.label (a ++ b) i = Precision.label a
  i.
Proof. intros I; apply app_nth1; lia. Qed.
(** What the item at rank n + 1 adds to GSP *)
Lemma gsp_one_more q M r x : (length r < M)%nat -> gsp q M (r ++ [x]) = gsp q M r +
  (sum_to (fun h => pi q (Qminmax.Qmin (Precision.label r h) x)) (length r) + pi q x) /
  INR (S (length r)).
Proof.
  intros L; rewrite !Q2R_gsp, app_length; cbn [length]; rewrite Nat.add_1_r, !Nat.min_r by lia.
  assert (Precision.label (r ++ [x]) (S (length r)) = x) as X.
  { unfold Precision.label; replace (S (length r) - 1)%nat with (length r) by lia.
    rewrite app_nth2, Nat.sub_diag by lia; reflexivity. }
  cbn [sum_to]; f_equal.
  - apply sum_to_ext; intros i I; f_equal; apply sum_to_ext; intros h Hh.
    rewrite !label_app1 by lia; reflexivity.
  - rewrite X, (proj1 (min_of_same q x x (QArith_base.Qle_refl x))); do 2 f_equal.
    apply sum_to_ext; intros h Hh; rewrite label_app1 by lia; reflexivity.
Qed.
(** RS-LEN-16/L3: appending a result that nobody takes as relevant never raises LGAP; it lowers it
    if and only if N < M, GSP > 0 and w(N + 1) > 0 ... *)
Theorem LEN_16_L3 M q w r x : nonneg_q q -> some_positive q -> nonneg w -> 0 < w 1%nat ->
  pi q x = 0 -> let v := lgap 1 M q w in
  v (r ++ [x]) <= v r /\
  (v (r ++ [x]) < v r <-> (length r < M)%nat /\ 0 < gsp q M r /\ 0 < w (S (length r))).
Proof.
  intros F P W W1 X; apply adjusted_one_more; auto using over_rank_positive, gsp_nonneg.
  - intros ->; rewrite Q2R_gsp; cbn [length]; rewrite Nat.min_0_r; reflexivity.
  - destruct (Nat.le_gt_cases M (length r)) as [L|L].
    + rewrite !Q2R_gsp, app_length, !Nat.min_l by (cbn; lia); apply sum_to_ext; intros i I; f_equal.
      apply sum_to_ext; intros h Hh; rewrite !label_app1 by lia; reflexivity.
    + rewrite gsp_one_more, X by assumption; rewrite sum_to_zero; [unfold Rdiv; ring|]; intros h Hh.
      apply Rle_antisym; [|apply pi_nonneg; assumption]; rewrite <- X; apply pi_rises;
        [assumption|].
      apply Qminmax.Q.le_min_r.
Qed.
Lemma gsp_of_equal q M x n : (n <= M)%nat -> gsp q M (repeat x n) = INR n * pi q x.
Proof.
  induction n as [|n IH]; intros L; [rewrite Q2R_gsp; cbn; rewrite Nat.min_0_r; cbn; ring|].
  replace (repeat x (S n)) with (repeat x n ++ [x]) by
    (change [x] with (repeat x 1); rewrite <- repeat_app, Nat.add_1_r; reflexivity).
  rewrite gsp_one_more, IH, repeat_length by (rewrite ?repeat_length; lia).
  rewrite (sum_to_ext _ (fun _ => pi q x)), sum_to_const, S_INR.
  - pose proof (pos_INR n); field; lra.
  - intros h Hh; unfold Precision.label; rewrite (repeat_spec n x (nth (h - 1) (repeat x n) _)) by
      (apply nth_In; rewrite repeat_length; lia).
    apply min_of_same, QArith_base.Qle_refl.
Qed.
(** The divisor of LGAP is that of LAP, times pi_rel. *)
Lemma divisor_of_lgap q w n : S_of w (fun i => first_positive q / INR i) n =
  first_positive q * S_of w (fun i => 1 / INR i) n.
Proof.
  unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i I.
  pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
(** RS-LEN-16/L3: ... appending an item to a list of items that all have its label x raises it, if N
    < M and pi(x) > 0 *)
Theorem LEN_16_L3_equal M q w x n : some_positive q -> nonneg w -> falls w -> 0 < w 1%nat ->
  0 < pi q x -> (n < M)%nat -> lgap 1 M q w (repeat x n) < lgap 1 M q w (repeat x n ++ [x]).
Proof.
  intros P W F W1 X L; unfold some_positive in P; change [x] with (repeat x 1).
  rewrite <- repeat_app, Nat.add_1_r.
  assert (forall k, (k <= M)%nat -> lgap 1 M q w (repeat x k) =
    pi q x / first_positive q * lap 1 M w (repeat true k)) as E.
  { intros k K; unfold lgap, lap, adjusted; rewrite !repeat_length, gsp_of_equal, sp_of_relevant,
      divisor_of_lgap, !Rmult_1_l by assumption; unfold quotient.
    set (s := S_of _ _ _); destruct (Rlt_dec 0 (first_positive q * s)), (Rlt_dec 0 s);
    try (exfalso; nra); [field; lra|ring]. }
  rewrite !E by lia; apply Rmult_lt_compat_l; [apply Rdiv_lt_0_compat; assumption|].
  pose proof (LEN_14_L3_relevant M w n W F W1 L) as Y; change [true] with (repeat true 1) in Y.
  rewrite <- repeat_app, Nat.add_1_r in Y; exact Y.
Qed.
(** RS-LEN-16/L7: LGAP with Z is LGAP without it, times W(M) *)
Theorem LEN_16_L7 M q w r : 0 < sum_to w M -> lgap (Z M 1 w) M q w r = lgap 1 M q w r * sum_to w M.
Proof. apply adjusted_Z. Qed.
Lemma Q2R_scale c q j : Q2R (nth j (map (QArith_base.Qmult c) q) (QArith_base.Qmake 0 1)) =
  Q2R c * Q2R (nth j q (QArith_base.Qmake 0 1)).
Proof.
  revert j; induction q as [|x q IH]; intros [|j]; cbn [map nth]; try apply IH;
  try (rewrite Precision.Q2R_zero; ring); apply Q2R_mult.
Qed.
Lemma pi_scale c q x : pi (map (QArith_base.Qmult c) q) x = Q2R c * pi q x.
Proof.
  unfold pi, Precision.pi; rewrite !Precision.Q2R_sum, map_length, <- sum_to_scale.
  apply sum_to_ext; intros i I; destruct (QArith_base.Qle_bool _ _); [apply Q2R_scale|].
  rewrite Precision.Q2R_zero; ring.
Qed.
(** RS-LEN-16/L6: multiplying q by c > 0 does not change it *)
Theorem LEN_16_L6 z M q w r c : 0 < Q2R c ->
  lgap z M (map (QArith_base.Qmult c) q) w r = lgap z M q w r.
Proof.
  intros C; assert (first_positive (map (QArith_base.Qmult c) q) = Q2R c * first_positive q) as F.
  { induction q as [|x q IH]; cbn [map first_positive]; [ring|]; rewrite IH, Q2R_mult.
    destruct (Rlt_dec 0 (Q2R c * Q2R x)), (Rlt_dec 0 (Q2R x)); try reflexivity; exfalso; nra. }
  unfold lgap, adjusted; rewrite !divisor_of_lgap, F; set (s := S_of _ _ _).
  assert (gsp (map (QArith_base.Qmult c) q) M r = Q2R c * gsp q M r) as ->.
  { rewrite !Q2R_gsp, <- sum_to_scale; apply sum_to_ext; intros i I.
    rewrite (sum_to_ext _ _ _ (fun h _ => pi_scale c q _)), sum_to_scale; unfold Rdiv; ring. }
  replace (z * (Q2R c * first_positive q * s)) with (Q2R c * (z * (first_positive q * s))) by ring.
  apply quotient_scale; assumption.
Qed.
(** RS-LEN-16/L5: if only q_j is above 0, it is LAP of the least relevant label j *)
Theorem LEN_16_L5 z M q w r j : (1 <= j <= length q)%nat -> 0 < Q2R (nth (j - 1) q
  (QArith_base.Qmake 0 1)) ->
  (forall i, (1 <= i <= length q)%nat -> i <> j -> Q2R (nth (i - 1) q (QArith_base.Qmake 0 1)) = 0)
    ->
  lgap z M q w r = lap z M w (Precision.relevance (Precision.nat_Q j) r).
Proof.
  intros J P O; set (c := Q2R (nth (j - 1) q (QArith_base.Qmake 0 1))) in *.
  assert (gsp q M r = c * sp M (Precision.relevance (Precision.nat_Q j) r)) as G.
  { unfold gsp, sp; rewrite (Qeq_eqR _ _ (Precision.PREC_9_L1 q M r)), Precision.Q2R_sum.
    rewrite (sum_to_single _ _ j J); [apply Q2R_mult|]; intros i I D; rewrite Q2R_mult.
    rewrite (O i I D); ring. }
  assert (first_positive q = c) as F.
  { unfold c in *; clear c G; revert j J P O; induction q as [|x q IH]; intros j J P O;
    [cbn in J; lia|]; cbn [first_positive]; destruct j as [|[|j]]; [lia|cbn in *|].
    - destruct (Rlt_dec _ _); [reflexivity|contradiction].
    - pose proof (O 1%nat ltac:(cbn; lia) ltac:(lia)) as X; cbn in X; rewrite X.
      destruct (Rlt_dec 0 0); [lra|]; replace (S (S j) - 1)%nat with (S (S j - 1)) in * by lia.
      cbn [nth] in *; apply IH; [cbn in J; lia|assumption|]; intros i I D.
      specialize (O (S i) ltac:(cbn; lia) ltac:(lia)); replace (S i - 1)%nat with (S (i - 1)) in O
        by lia; exact O. }
  unfold lgap, lap, adjusted, Precision.relevance; rewrite map_length, divisor_of_lgap, G, F.
  set (s := S_of _ _ _); replace (z * (c * s)) with (c * (z * s)) by ring.
  apply quotient_scale; assumption.
Qed.
Definition falling s := StronglySorted (fun x y => QArith_base.Qle y x) s.
Lemma label_falls s h i : falling s -> (1 <= h <= i)%nat -> (i <= length s)%nat ->
  QArith_base.Qle (Precision.label s i) (Precision.label s h).
Proof.
  unfold Precision.label; intros F; revert h i; induction F as [|x s F IH A]; intros h i I L;
  [cbn in L; lia|]; destruct i as [|[|i]]; [lia|replace h with 1%nat by lia; apply
    QArith_base.Qle_refl|].
  replace (S (S i) - 1)%nat with (S (S i - 1)) by lia; cbn [nth]; destruct h as [|[|h]]; [lia| |].
  - cbn [Nat.sub nth]; rewrite Forall_forall in A; apply A, nth_In; cbn in L; lia.
  - replace (S (S h) - 1)%nat with (S (S h - 1)) by lia; cbn [nth]; apply IH; cbn in L; lia.
Qed.
(** GSP of a list is at most the sum of its pi, and that sum where the labels fall. *)
Lemma gsp_at_most q M r : nonneg_q q -> gsp q M r <= dcg M d_none (map (pi q) r).
Proof.
  intros F; rewrite Q2R_gsp; unfold dcg; rewrite map_length; apply sum_to_le; intros i I.
  rewrite Rmult_1_r; pose proof (rank_ge_1 i ltac:(lia)); apply div_le; [lra|].
  rewrite Rmult_comm, <- sum_to_const; apply sum_to_le; intros h Hh; unfold at_rank.
  rewrite (nth_indep _ 0 (pi q (QArith_base.Qmake 0 1))), map_nth by (rewrite map_length; lia).
  apply pi_rises; [assumption|apply Qminmax.Q.le_min_r].
Qed.
Lemma gsp_of_falling q M n s : falling s -> (n <= M)%nat -> (n <= length s)%nat ->
  gsp q M (firstn n s) = dcg n d_none (map (pi q) s).
Proof.
  intros F A B; rewrite Q2R_gsp, firstn_length, dcg_sum.
  replace (Nat.min M (Nat.min n (length s))) with n by lia; apply sum_to_ext; intros i I.
  rewrite Rmult_1_r; pose proof (rank_ge_1 i ltac:(lia)); apply div_eq; [lra|].
  rewrite Rmult_comm, <- sum_to_const; apply sum_to_ext; intros h Hh; unfold at_rank.
  rewrite (nth_indep _ 0 (pi q (QArith_base.Qmake 0 1))), map_nth by (rewrite map_length; lia).
  assert (forall j, (1 <= j <= n)%nat -> Precision.label (firstn n s) j = Precision.label s j) as X.
  { intros j J; rewrite <- (firstn_skipn n s) at 2; symmetry; apply label_app1.
    rewrite firstn_length; lia. }
  rewrite !X by lia; apply min_of_same, label_falls; [assumption|lia..].
Qed.
(** RS-LEN-16/L4: the greatest LGAP of the lists of a pool is that of the first N items of its ideal
    ranking for some N <= M, which ends a block of equal labels or is M *)
Theorem LEN_16_L4 z M q w J s : nonneg_q q -> some_positive q -> nonneg w -> falls w ->
  0 < w 1%nat -> (1 <= M)%nat -> 0 < z -> J <> [] -> Permutation J s -> falling s ->
  exists N, (1 <= N <= Nat.min M (length s))%nat /\
  (N = Nat.min M (length s) \/ QArith_base.Qlt (Precision.label s (S N)) (Precision.label s N)) /\
  forall r rest, Permutation J (r ++ rest) -> lgap z M q w r <= lgap z M q w (firstn N s).
Proof.
  intros F P W FW W1 HM Z NE PS FS; unfold some_positive in P.
  set (v := fun i => w i * (first_positive q / INR i)); set (f := at_rank (map (pi q) s)).
  assert (regular d_none v) as H.
  { pose proof falls_none; pose proof nonneg_none; repeat split; auto; try (unfold d_none; lra).
    - intros i I; unfold v; pose proof (rank_ge_1 i I); apply Rmult_le_compat; [apply W; lia|
      |auto|].
      + apply div_nonneg; [lra|apply lt_0_INR; lia].
      + apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; [lra|rewrite S_INR; lra].
    - intros i I; pose proof (rank_ge_1 i I); apply Rmult_le_pos; [auto|apply div_nonneg; lra].
    - unfold v; cbn; apply Rmult_lt_0_compat; [assumption|lra]. }
  assert (forall n, S_of w (fun i => first_positive q / INR i) n = S_of v d_none n) as SE.
  { intros n; apply sum_to_ext; intros; unfold v, d_none; ring. }
  assert (1 <= length s)%nat as L1 by (rewrite <- (Permutation_length PS); destruct J;
    [contradiction|cbn; lia]).
  set (K := Nat.min M (length s)) in *; assert (1 <= K)%nat as K1 by (unfold K; lia).
  assert (forall n, (1 <= n <= K)%nat -> lgap z M q w (firstn n s) = / z * ratio d_none v f n) as
    LF.
  { intros n I; unfold lgap; rewrite adjusted_z by assumption; unfold adjusted, ratio; f_equal.
    rewrite firstn_length; replace (Nat.min (Nat.min n (length s)) M) with n by (unfold K in I;
      lia).
    rewrite gsp_of_falling, SE, Rmult_1_l by (assumption || unfold K in I; lia).
    pose proof (regular_pos d_none v n H ltac:(lia)); unfold quotient; destruct (Rlt_dec _ _);
    [|contradiction]; rewrite dcg_sum; reflexivity. }
  assert (Forall (Rle 0) (map (pi q) s)) as NN.
  { apply Forall_map, Forall_forall; intros; apply pi_nonneg; assumption. }
  assert (StronglySorted Rge (map (pi q) s)) as SS.
  { clear - FS F; induction FS as [|x s FS IH A]; cbn; constructor; [assumption|].
    apply Forall_map; eapply Forall_impl; [|exact A]; cbn; intros; apply Rle_ge, pi_rises;
      assumption. }
  assert (nonneg f) as fN by (intros i _; apply at_rank_nonneg; assumption).
  assert (forall r rest n, Permutation J (r ++ rest) -> n = Nat.min (length r) M -> (1 <= n)%nat ->
    lgap z M q w r <= / z * ratio d_none v f n /\ (n <= K)%nat) as UP.
  { intros r rest n PJ En I; pose proof (Permutation_length PJ) as LJ; rewrite app_length in LJ.
    pose proof (Permutation_length PS); split; [|unfold K; lia].
    unfold lgap; rewrite adjusted_z by assumption; apply Rmult_le_compat_l;
      [apply Rlt_le, Rinv_0_lt_compat; assumption|].
    unfold adjusted, ratio; rewrite <- En, SE, Rmult_1_l.
    pose proof (regular_pos d_none v n H I); unfold quotient; destruct (Rlt_dec _ _);
      [|contradiction].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
    eapply Rle_trans; [apply gsp_at_most; assumption|].
    replace (dcg M d_none (map (pi q) r)) with (dcg n d_none (map (pi q) r)) by
      (unfold dcg; rewrite map_length, En; f_equal; lia).
    assert (Permutation (map (pi q) J) (map (pi q) r ++ map (pi q) rest)) as PM by
      (rewrite <- map_app; apply Permutation_map; exact PJ).
    eapply Rle_trans; [apply (proj1 (DCG_5_L1 n d_none (map (pi q) J) falls_none nonneg_none
      ltac:(apply Forall_map, Forall_forall; intros; apply pi_nonneg; assumption)) _ _ PM)|].
    unfold idcg, ideal; rewrite (best_of_perm _ (map (pi q) s)) by (apply Permutation_map; exact
      PS).
    rewrite best_sorted, dcg_sum by assumption; right; reflexivity. }
  destruct (greatest_of (fun n => ratio d_none v f (S n)) (K - 1)) as (n & Hn & best_n).
  assert (exists N, (1 <= N <= K)%nat /\ ratio d_none v f (S n) <= ratio d_none v f N /\
    (N = K \/ f (S N) < f N)) as (N & N1 & N2 & N3).
  { destruct (Req_dec (f 1%nat) 0) as [f1|f1].
    - exists K; split; [lia|]; split; [|left; reflexivity].
      assert (forall m, partial d_none f m = 0) as Z0.
      { intros m; apply sum_to_zero; intros i I; pose proof (fN i ltac:(lia)).
        pose proof (falls_le f 1 i (sorted_falls _ SS NN) ltac:(lia)); replace (f i) with 0 by lra.
        ring. }
      unfold ratio; rewrite !Z0; unfold Rdiv; lra.
    - destruct (end_of_block d_none v f K (S n) H fN (sorted_falls _ SS NN)
        ltac:(pose proof (fN 1%nat ltac:(lia)); lra) ltac:(lia)) as (N & X); exists N; tauto. }
  exists N; split; [assumption|]; split.
  - destruct (Nat.eq_dec N K) as [|D]; [left; assumption|right]; destruct N3 as [N3|N3];
    [contradiction|].
    apply QArith_base.Qnot_le_lt; intros X; apply (pi_rises q _ _ F) in X; apply Rlt_not_le in N3.
    apply N3; unfold f, at_rank; rewrite !(nth_indep (map (pi q) s) 0 (pi q (QArith_base.Qmake 0
      1))),
      !map_nth by (rewrite map_length; unfold K in *; lia); exact X.
  - intros r rest PJ; rewrite LF by assumption; set (m := Nat.min (length r) M).
    assert (0 <= ratio d_none v f N) by (apply div_nonneg; [apply partial_nonneg; [apply
      H|assumption]|];
      apply regular_pos; [assumption|lia]).
    assert (0 < / z) by (apply Rinv_0_lt_compat; assumption).
    destruct (Nat.eq_dec m 0) as [m0|m0].
    + unfold lgap; rewrite adjusted_z by assumption; apply Rmult_le_compat_l; [lra|].
      unfold adjusted; fold m; rewrite m0; unfold quotient; destruct (Rlt_dec _ _) as [A|];
        [|assumption].
      unfold S_of in A; cbn in A; lra.
    + destruct (UP r rest m PJ eq_refl ltac:(lia)) as [U1 U2]; eapply Rle_trans; [exact U1|].
      apply Rmult_le_compat_l; [lra|]; eapply Rle_trans; [|exact N2].
      specialize (best_n (m - 1)%nat ltac:(lia)); cbn beta in best_n.
      replace (S (m - 1)) with m in best_n by lia; exact best_n.
Qed.
