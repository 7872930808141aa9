(* The adjustment of a measure, or a function, of one's own choice: spec/length.md. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Qreals.
From Rankspec Require Import Numbers Gain Ties Dcg Length LengthIdeals Cascade LengthAdjusted.
From Rankspec Require Import LengthOfMetrics.
From Rankspec Require Precision.
Import ListNotations.
Open Scope R_scope.

(** n labels of which that at rank i is rel, and the others are 0 *)
Definition one_at (rel : R) n i := repeat 0 (i - 1) ++ rel :: repeat 0 (n - i).

(** RS-LEN-17: A(r) / (Z (w(1) A(1) + ... + w(N) A(N))), N = min(n, M), and 0 where the sum is 0; A
    has the pool and the cut-off *)
Definition adjusted_measure z M (A : list R -> R) rel w r :=
  quotient (A r) (z * S_of w (fun i => A (one_at rel (length r) i)) (Nat.min (length r) M)).
(** RS-LEN-17: its own prior, w(i) = A(i)/A(1), and 0 where A(1) = 0 *)
Definition own_prior (A : list R -> R) rel n i := quotient (A (one_at rel n i)) (A (one_at rel n
  1)).

Lemma one_at_length rel n i : (1 <= i <= n)%nat -> length (one_at rel n i) = n.
Proof. intros I; unfold one_at; rewrite app_length; cbn; rewrite !repeat_length; lia. Qed.
Lemma map_one_at (g : R -> R) rel n i : g 0 = 0 ->
  map g (one_at rel n i) = repeat 0 (i - 1) ++ g rel :: repeat 0 (n - i).
Proof.
  intros E; unfold one_at; rewrite map_app; cbn [map].
  assert (forall k, map g (repeat 0 k) = repeat 0 k) as X by
    (induction k; cbn; [reflexivity|rewrite IHk, E; reflexivity]); rewrite !X; reflexivity.
Qed.
(** RS-LEN-12: the value of one item at rank i is g(rel) d(i) for DCG *)
Theorem dcg_of_one_item k d x i b : (1 <= i <= k)%nat ->
  dcg k d (repeat 0 (i - 1) ++ x :: repeat 0 b) = x * d i.
Proof.
  intros I; rewrite dcg_sum, (sum_to_single _ k i I).
  - rewrite at_rank_one, Nat.eqb_refl by lia; reflexivity.
  - intros j J D; rewrite at_rank_one by lia; destruct (Nat.eqb_spec j i); [lia|ring].
Qed.
(** RS-LEN-12: ... R(rel)/i for ERR *)
Theorem err_of_one_item k x i b : (1 <= i <= k)%nat ->
  err k (repeat 0 (i - 1) ++ x :: repeat 0 b) = x / INR i.
Proof.
  intros I; rewrite err_sum, (sum_to_single _ k i I).
  - rewrite at_rank_one, Nat.eqb_refl by lia; set (l := _ ++ _).
    assert (forall j, (j < i)%nat -> go_on l j = 1) as ->; [|unfold Rdiv; ring|lia].
    induction j as [|j IH]; intros J; cbn [go_on]; [reflexivity|]; rewrite IH by lia; unfold l.
    rewrite at_rank_one by lia; destruct (Nat.eqb_spec (S j) i); [lia|ring].
  - intros j J D; rewrite at_rank_one by lia; destruct (Nat.eqb_spec j i); [lia|ring].
Qed.
Lemma pi_zero q : pi q (QArith_base.Qmake 0 1) = 0.
Proof.
  unfold pi, Precision.pi; rewrite Precision.Q2R_sum; apply sum_to_zero; intros i I.
  destruct (QArith_base.Qle_bool _ _) eqn:E; [|apply Precision.Q2R_zero].
  apply QArith_base.Qle_bool_iff, Qle_Rle in E; rewrite Precision.Q2R_nat, Precision.Q2R_zero in E.
  pose proof (rank_ge_1 i ltac:(lia)); lra.
Qed.
(** RS-LEN-12: ... and pi(rel)/i for GSP *)
Theorem gsp_of_one_item q k x i b : nonneg_q q -> (1 <= i <= k)%nat ->
  let zero := QArith_base.Qmake 0 1 in QArith_base.Qle zero x ->
  gsp q k (repeat zero (i - 1) ++ x :: repeat zero b) = pi q x / INR i.
Proof.
  intros F I zero X; set (l := _ ++ _); rewrite Q2R_gsp.
  assert (forall j, (1 <= j)%nat -> Precision.label l j = if (j =? i)%nat then x else zero) as L.
  { intros j Hj; unfold l, Precision.label; destruct (Nat.eqb_spec j i) as [->|D].
    - rewrite app_nth2; rewrite repeat_length; [|lia].
      replace (i - 1 - (i - 1))%nat with O by lia; reflexivity.
    - destruct (Nat.lt_ge_cases j i).
      + rewrite app_nth1 by (rewrite repeat_length; lia); apply nth_repeat.
      + rewrite app_nth2; rewrite repeat_length; [|lia].
        destruct (j - 1 - (i - 1))%nat eqn:E; [lia|]; cbn; apply nth_repeat. }
  assert (forall y, pi q (Qminmax.Qmin y zero) = 0 /\ pi q (Qminmax.Qmin zero y) = 0) as Z0.
  { intros y; split; (apply Rle_antisym; [|apply pi_nonneg; assumption]); rewrite <- (pi_zero q);
    apply pi_rises; auto; [apply Qminmax.Q.le_min_r|apply Qminmax.Q.le_min_l]. }
  rewrite (sum_to_single _ _ i).
  - f_equal; rewrite (sum_to_single _ i i); [|lia|].
    + rewrite !L, Nat.eqb_refl by lia; apply min_of_same, QArith_base.Qle_refl.
    + intros j J D; rewrite (L j) by lia; destruct (Nat.eqb_spec j i); [lia|apply Z0].
  - unfold l; rewrite app_length; cbn; rewrite !repeat_length; lia.
  - intros j J D; rewrite sum_to_zero; [unfold Rdiv; ring|]; intros h Hh; rewrite (L j) by lia.
    destruct (Nat.eqb_spec j i); [lia|apply Z0].
Qed.

(** RS-LEN-16/L1: ... GAP(i), of one item at rank i with the first of the q_j that is above 0 *)
Theorem LEN_16_L1_one q k x i b J : nonneg_q q -> (1 <= i <= k)%nat ->
  let zero := QArith_base.Qmake 0 1 in QArith_base.Qle zero x ->
  let c := Q2R (Precision.expected_number q J) in 0 < c -> pi q x = first_positive q ->
  Q2R (Precision.gap q k (repeat zero (i - 1) ++ x :: repeat zero b) J) =
  first_positive q / (INR i * c).
Proof.
  intros N I zero X c C E; unfold Precision.gap; rewrite Precision.Q2R_quotient; fold c.
  fold (gsp q k (repeat zero (i - 1) ++ x :: repeat zero b)); unfold zero.
  rewrite gsp_of_one_item, E by assumption; pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.

Lemma measure_is_adjusted {B} z M (A : list R -> R) rel w r (E : nat -> list B -> R) one (r' : list
  B)
  c : 0 < c -> length r' = length r -> A r = c * E M r' ->
  (forall i, (1 <= i <= Nat.min (length r) M)%nat -> A (one_at rel (length r) i) = c * one i) ->
  adjusted_measure z M A rel w r = adjusted z M E one w r'.
Proof.
  intros C L AE AO; unfold adjusted_measure, adjusted; rewrite L, AE; set (N := Nat.min _ _).
  replace (S_of w (fun i => A (one_at rel (length r) i)) N) with (c * S_of w one N).
  - replace (z * (c * S_of w one N)) with (c * (z * S_of w one N)) by ring; apply quotient_scale.
    assumption.
  - unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros i I; rewrite AO by exact I; ring.
Qed.
(** RS-LEN-17/L1: of DCG, where g(rel) = d(1) = 1, it is LDCG ... *)
Theorem LEN_17_L1_dcg z M d g rel w r : g 0 = 0 -> g rel = 1 ->
  adjusted_measure z M (fun r => dcg M d (map g r)) rel w r = ldcg z M d w (map g r).
Proof.
  intros G0 G1; apply (measure_is_adjusted z M _ rel w r (fun M => dcg M d) d (map g r) 1);
  [lra|apply map_length|ring|]; intros i I; rewrite map_one_at, dcg_of_one_item by (assumption ||
    lia).
  rewrite G1; reflexivity.
Qed.
(** RS-LEN-17/L1: ... of ERR LERR ... *)
Theorem LEN_17_L1_err z M R rel w r : R 0 = 0 ->
  adjusted_measure z M (fun r => err M (map R r)) rel w r = lerr z M w (R rel) (map R r).
Proof.
  intros G0; apply (measure_is_adjusted z M _ rel w r err _ (map R r) 1);
  [lra|apply map_length|ring|]; intros i I; rewrite map_one_at, err_of_one_item by (assumption ||
    lia).
  ring.
Qed.
(** RS-LEN-17/L1: ... of SP, and of AP where the pool has a relevant item, LAP ... *)
Theorem LEN_17_L1_ap z M norm Np relevant rel w r :
  let c := INR (Precision.normaliser norm M Np []) in
  norm = Precision.of_R \/ norm = Precision.of_min \/ norm = Precision.of_k -> 0 < c ->
  relevant 0 = false -> relevant rel = true ->
  adjusted_measure z M (fun r => sp M (map relevant r)) rel w r = lap z M w (map relevant r) /\
  adjusted_measure z M (fun r => Q2R (Precision.ap norm M Np (map relevant r))) rel w r =
  lap z M w (map relevant r).
Proof.
  intros c H P R0 R1; assert (forall i n, map relevant (one_at rel n i) =
    repeat false (i - 1) ++ true :: repeat false (n - i)) as X.
  { intros i n; unfold one_at; rewrite map_app; cbn [map]; rewrite R1.
    assert (forall k, map relevant (repeat 0 k) = repeat false k) as Y by
      (induction k; cbn; [reflexivity|rewrite IHk, R0; reflexivity]); rewrite !Y; reflexivity. }
  split.
  - apply (measure_is_adjusted z M _ rel w r sp _ (map relevant r) 1);
    [lra|apply map_length|ring|]; intros i I; rewrite X.
    destruct (LEN_14_L1_one norm M Np i (length r - i) H P ltac:(lia)) as [-> _]; ring.
  - apply (measure_is_adjusted z M _ rel w r sp _ (map relevant r) (/ c));
    [apply Rinv_0_lt_compat; assumption|apply map_length| |].
    + unfold Precision.ap; rewrite Precision.Q2R_quotient, Precision.Q2R_nat.
      replace (Precision.normaliser norm M Np (map relevant r)) with
        (Precision.normaliser norm M Np []) by (destruct H as [->|[->| ->]]; reflexivity).
      fold c; fold (sp M (map relevant r)); unfold Rdiv; ring.
    + intros i I; rewrite X; fold c.
      destruct (LEN_14_L1_one norm M Np i (length r - i) H P ltac:(lia)) as [_ ->]; fold c.
      pose proof (rank_ge_1 i ltac:(lia)); field; lra.
Qed.
(** RS-LEN-17/L1: ... of RBP LRBP ... *)
Theorem LEN_17_L1_rbp z M p relevant rel w r : relevant 0 = false -> relevant rel = true ->
  adjusted_measure z M (fun r => rbp M p (indicators relevant r)) rel w r =
  lrbp z M p w (indicators relevant r).
Proof.
  intros R0 R1; apply (measure_is_adjusted z M _ rel w r (fun M => rbp M p) _ (indicators relevant
    r) 1);
  [lra|apply map_length|ring|]; intros i I; unfold indicators.
  rewrite map_one_at, CAS_5_L2, dcg_of_one_item by (rewrite ?R0; reflexivity || lia); rewrite R1;
    ring.
Qed.
(** RS-LEN-17/L1: ... of GAP, where the pool has an item that may be relevant, LGAP; rel has the
    first of the q_j that is above 0; l(x), the label x as a fraction *)
Theorem LEN_17_L1_gap z M q J (l : R -> QArith_base.Q) rel w r :
  nonneg_q q -> 0 < Q2R (Precision.expected_number q J) -> l 0 = QArith_base.Qmake 0 1 ->
  QArith_base.Qle (QArith_base.Qmake 0 1) (l rel) -> pi q (l rel) = first_positive q ->
  adjusted_measure z M (fun r => Q2R (Precision.gap q M (map l r) J)) rel w r =
  lgap z M q w (map l r).
Proof.
  intros F P L0 LP RP; set (c := Q2R (Precision.expected_number q J)) in *.
  assert (forall s, Q2R (Precision.gap q M s J) = / c * gsp q M s) as X.
  { intros s; unfold Precision.gap; rewrite Precision.Q2R_quotient; fold c; fold (gsp q M s).
    unfold Rdiv; ring. }
  apply (measure_is_adjusted z M _ rel w r (gsp q) _ (map l r) (/ c));
  [apply Rinv_0_lt_compat; assumption|apply map_length|apply X|]; intros i I; rewrite X; f_equal.
  assert (map l (one_at rel (length r) i) = repeat (QArith_base.Qmake 0 1) (i - 1) ++ l rel ::
    repeat (QArith_base.Qmake 0 1) (length r - i)) as ->.
  { unfold one_at; rewrite map_app; cbn [map].
    assert (forall k, map l (repeat 0 k) = repeat (QArith_base.Qmake 0 1) k) as Y by
      (induction k; cbn; [reflexivity|rewrite IHk, L0; reflexivity]); rewrite !Y; reflexivity. }
  rewrite gsp_of_one_item, RP by (assumption || lia); reflexivity.
Qed.
(** RS-LEN-17/L1: ... by the same prior: its own is that of the metric, d(i)/d(1), 1/i or p^(i - 1),
    where A(i) is a number of the pool and the cut-off times E(i) *)
Theorem LEN_17_L1_prior (A : list R -> R) rel n c one i : 0 < c -> 0 < one 1%nat ->
  A (one_at rel n 1) = c * one 1%nat -> A (one_at rel n i) = c * one i ->
  own_prior A rel n i = one i / one 1%nat.
Proof.
  intros C O A1 Ai; unfold own_prior, quotient; rewrite A1, Ai; destruct (Rlt_dec _ _) as [|X];
  [field; lra|exfalso; apply X; nra].
Qed.
(** RS-LEN-17/L2: lists of the same number of items are ordered as by A, where the sum is above 0 *)
Theorem LEN_17_L2 z M A rel w r s : length r = length s ->
  0 < z * S_of w (fun i => A (one_at rel (length r) i)) (Nat.min (length r) M) ->
  (adjusted_measure z M A rel w r < adjusted_measure z M A rel w s <-> A r < A s).
Proof.
  intros L P; unfold adjusted_measure; rewrite <- L; unfold quotient; destruct (Rlt_dec _ _);
  [|contradiction]; set (x := z * _) in *; rewrite div_lt by assumption.
  replace (A s / x * x) with (A s) by (field; lra); reflexivity.
Qed.
(** RS-LEN-17/L3: it is the same for c A with a number c > 0 *)
Theorem LEN_17_L3 c z M A rel w r : 0 < c ->
  adjusted_measure z M (fun r => c * A r) rel w r = adjusted_measure z M A rel w r /\
  forall n i, own_prior (fun r => c * A r) rel n i = own_prior A rel n i.
Proof.
  intros C; split; [|intros; apply quotient_scale; assumption]; unfold adjusted_measure.
  set (N := Nat.min _ _).
  replace (S_of w (fun i => c * A (one_at rel (length r) i)) N)
    with (c * S_of w (fun i => A (one_at rel (length r) i)) N).
  - replace (z * (c * S_of w (fun i => A (one_at rel (length r) i)) N))
      with (c * (z * S_of w (fun i => A (one_at rel (length r) i)) N)) by ring.
    apply quotient_scale; assumption.
  - unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring.
Qed.
(** RS-LEN-17/L3: ... of nDCG as of DCG where IDCG > 0 *)
Corollary LEN_17_L3_ndcg z M d g J rel w r : 0 < idcg M d J ->
  adjusted_measure z M (fun r => ndcg M d (map g r) J) rel w r =
  adjusted_measure z M (fun r => dcg M d (map g r)) rel w r.
Proof.
  intros P; rewrite <- (proj1 (LEN_17_L3 (/ idcg M d J) z M (fun r => dcg M d (map g r)) rel w r
    ltac:(apply Rinv_0_lt_compat; assumption))).
  assert (forall s, ndcg M d (map g s) J = / idcg M d J * dcg M d (map g s)) as X.
  { intros s; unfold ndcg, ndcg_by, quotient; destruct (Rlt_dec _ _); [unfold Rdiv; ring|
    contradiction]. }
  unfold adjusted_measure; rewrite X; do 2 f_equal; apply sum_to_ext; intros i I; rewrite X.
  reflexivity.
Qed.
(** RS-LEN-17/L3: ... of R as of P@k where N_p > 0 *)
Corollary LEN_17_L3_recall z M Np relevant rel w r : (1 <= M)%nat -> (1 <= Np)%nat ->
  let P s := Q2R (Precision.precision M (map relevant s)) in
  let R s := Q2R (Precision.recall M Np (map relevant s)) in
  adjusted_measure z M R rel w r = adjusted_measure z M P rel w r.
Proof.
  intros HM HN P R; pose proof (lt_0_INR M ltac:(lia)); pose proof (lt_0_INR Np ltac:(lia)).
  rewrite <- (proj1 (LEN_17_L3 (INR M / INR Np) z M P rel w r
    ltac:(apply Rdiv_lt_0_compat; assumption))).
  assert (forall s, R s = INR M / INR Np * P s) as X.
  { intros s; unfold R, P, Precision.recall, Precision.precision.
    rewrite !Precision.Q2R_quotient, !Precision.Q2R_nat; field; lra. }
  unfold adjusted_measure; rewrite X; do 2 f_equal; apply sum_to_ext; intros i I; rewrite X.
  reflexivity.
Qed.
Lemma quotient_Z a s x : 0 < x -> quotient a (1 / x * s) = quotient a (1 * s) * x.
Proof.
  intros P; assert (0 < 1 / x) by (apply Rdiv_lt_0_compat; lra); rewrite Rmult_1_l; unfold quotient.
  destruct (Rlt_dec 0 (1 / x * s)), (Rlt_dec 0 s); try (exfalso; nra); [field; lra|ring].
Qed.
(** RS-LEN-17/L4: with Z it is what it is without, times w(1) + ... + w(M) *)
Theorem LEN_17_L4 M A rel w r : 0 < sum_to w M ->
  adjusted_measure (1 / sum_to w M) M A rel w r = adjusted_measure 1 M A rel w r * sum_to w M.
Proof. intros P; apply quotient_Z; assumption. Qed.
(** RS-LEN-17/L5: with M >= 2 and S = w(1) A(1) + w(2) A(2), where A(i) does not depend on n, C1
    holds for a > b if and only if A(<a>) S > A(<a, b>) w(1) A(1), and C2 for a if and only if
    A(<a>) S < A(<a, a>) w(1) A(1) *)
Theorem LEN_17_L5 z M A rel w one a b : (2 <= M)%nat -> 0 < z -> 0 < w 1%nat -> 0 <= w 2%nat ->
  (forall n i, (1 <= i <= n)%nat -> A (one_at rel n i) = one i) -> 0 < one 1%nat ->
  0 <= one 2%nat -> b < a -> 0 < a ->
  let S := w 1%nat * one 1%nat + w 2%nat * one 2%nat in let E := adjusted_measure z M A rel w in
  (C1 E a a b <-> A [a; b] * (w 1%nat * one 1%nat) < A [a] * S) /\
  (C2 E a a a <-> A [a] * S < A [a; a] * (w 1%nat * one 1%nat)).
Proof.
  intros HM Z W1 W2 O O1 O2 L A0 S E; rewrite C1_is, C2_is by assumption.
  assert (forall r, E r = adjusted z M (fun _ => A) one w r) as X.
  { intros r; apply (measure_is_adjusted z M A rel w r (fun _ => A) one r 1);
    [lra|reflexivity|ring|]; intros i I; rewrite O by lia; ring. }
  rewrite !X; split; apply (adjusted_one_two z M (fun _ => A) one w a); assumption.
Qed.

(** RS-LEN-18: the same of a function f of the labels, the pool and the cut-off; A(r) is f of the
    first N labels, A(i) that of N labels with rel at rank i *)
Definition adjusted_function z M (f : list R -> list R -> nat -> R) rel J w r :=
  let N := Nat.min (length r) M in
  quotient (f (firstn N r) J M) (z * S_of w (fun i => f (one_at rel N i) J M) N).

Lemma firstn_one_at rel n N i : (1 <= i <= N)%nat -> (N <= n)%nat ->
  firstn N (one_at rel n i) = one_at rel N i.
Proof.
  intros I L; unfold one_at; rewrite firstn_app, firstn_all2 by (rewrite repeat_length; lia).
  rewrite repeat_length; f_equal; replace (N - (i - 1))%nat with (S (N - i)) by lia; cbn [firstn].
  f_equal; replace (n - i)%nat with (N - i + (n - N))%nat by lia; rewrite repeat_app, firstn_app.
  rewrite repeat_length, Nat.sub_diag, firstn_O, app_nil_r, firstn_all2; [reflexivity|].
  rewrite repeat_length; lia.
Qed.
(** RS-LEN-18/L1: for a function with the exact values of a measure A, which has the pool and sees
    the first M labels, it is Adjusted(A) *)
Theorem LEN_18_L1 z M f A rel J w r :
  (forall s, A s = f (firstn (Nat.min (length s) M) s) J M) ->
  adjusted_function z M f rel J w r = adjusted_measure z M A rel w r.
Proof.
  intros H; unfold adjusted_function, adjusted_measure; cbv zeta; rewrite H; do 2 f_equal.
  apply sum_to_ext; intros i I; rewrite H, one_at_length, firstn_one_at by lia; reflexivity.
Qed.
(** RS-LEN-18/L2: for c f with a number c > 0 it is the same, as long as no value is rounded *)
Theorem LEN_18_L2 c z M f rel J w r : 0 < c ->
  adjusted_function z M (fun s J k => c * f s J k) rel J w r = adjusted_function z M f rel J w r.
Proof.
  intros C; unfold adjusted_function; set (N := Nat.min _ _).
  replace (S_of w (fun i => c * f (one_at rel N i) J M) N)
    with (c * S_of w (fun i => f (one_at rel N i) J M) N).
  - replace (z * (c * S_of w (fun i => f (one_at rel N i) J M) N))
      with (c * (z * S_of w (fun i => f (one_at rel N i) J M) N)) by ring.
    apply quotient_scale; assumption.
  - unfold S_of; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring.
Qed.
(** RS-LEN-18/L2: ... by its own prior too *)
Theorem LEN_18_L2_own c M (f : list R -> list R -> nat -> R) rel J n i : 0 < c ->
  own_prior (fun s => c * f s J M) rel n i = own_prior (fun s => f s J M) rel n i.
Proof. intros C; apply (LEN_17_L3 c 1 M (fun s => f s J M) rel (fun _ => 0) []); assumption. Qed.
(** RS-LEN-18/L3: lists of the same number of items, with one pool, are ordered as by f, where the
    sum is above 0 *)
Theorem LEN_18_L3 z M f rel J w r s : length r = length s -> let N := Nat.min (length r) M in
  0 < z * S_of w (fun i => f (one_at rel N i) J M) N ->
  (adjusted_function z M f rel J w r < adjusted_function z M f rel J w s <->
   f (firstn N r) J M < f (firstn N s) J M).
Proof.
  intros L N P; unfold adjusted_function; rewrite <- L; fold N; unfold quotient.
  destruct (Rlt_dec _ _); [|contradiction]; set (x := z * _) in *; rewrite div_lt by assumption.
  replace (f (firstn N s) J M / x * x) with (f (firstn N s) J M) by (field; lra); reflexivity.
Qed.
(** RS-LEN-18/L4: by a prior other than "discount", it is with Z what it is without, times w(1) +
    ... + w(M) *)
Theorem LEN_18_L4 M f rel J w r : 0 < sum_to w M ->
  adjusted_function (1 / sum_to w M) M f rel J w r = adjusted_function 1 M f rel J w r * sum_to w M.
Proof. intros P; apply quotient_Z; assumption. Qed.
