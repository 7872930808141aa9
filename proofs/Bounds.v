(* Bounds: spec/bounds.md.  A metric A is a function of a list;
  A, IUB and RLB are numbers of one pool and one cut-off. *)
Require Import Reals Lra Lia List Permutation Psatz Sorted.
From Rankspec Require Import Numbers Gain Ties Dcg Length.
Import ListNotations.
Open Scope R_scope.

(** RS-BND-1: the value of the ideal ranking *)
Definition iub (A : list R -> R) J := A (ideal J).
(** RS-BND-2: the mean over all orders of the pool *)
Definition rlb (A : list R -> R) J := expectation A [J].
(** RS-BND-3: the value of the pool, worst first *)
Definition wlb (A : list R -> R) J := A (worst J).

(** In an order of J, an item that changes places with a better one right below it never lowers A.
    *)
Definition better_first_of J (A : list R -> R) := forall a x y b, Permutation J (a ++ x :: y :: b)
  -> x <= y -> A (a ++ x :: y :: b) <= A (a ++ y :: x :: b).
Lemma better_first_any J A : better_first A -> better_first_of J A.
Proof. intros H a x y b _; apply H. Qed.
Lemma orders_between A J p : better_first_of J A -> Permutation J p ->
  wlb A J <= A p <= iub A J.
Proof.
  intros H P; set (B := fun l => if list_eq_dec Req_EM_T (best J) (best l) then A l else 0).
  assert (forall l, Permutation J l -> B l = A l) as E.
  { intros l L; unfold B; destruct (list_eq_dec _ _ _) as [|N]; [reflexivity|exfalso].
    apply N, best_of_perm, L. }
  assert (better_first B) as F.
  { intros a x y b L; unfold B; rewrite (best_of_perm (a ++ y :: x :: b) (a ++ x :: y :: b)) by
    (apply Permutation_app_head, perm_swap).
    destruct (list_eq_dec _ _ _) as [Q|]; [apply H; [|exact L]|lra].
    rewrite (best_perm J), Q; symmetry; apply best_perm. }
  destruct (TIE_2_L2 B [J] p F) as [X Y].
  - apply orders_are_permutations in P; cbn; apply in_flat_map; exists p; split; [assumption|left;
    apply app_nil_r].
  - cbn in X, Y; rewrite !app_nil_r in X, Y; rewrite !E in X, Y; try assumption;
    [split; assumption|apply best_perm|unfold worst; rewrite <- Permutation_rev; apply best_perm].
Qed.
(** RS-BND-1/L1 in part: IUB is the greatest A of all orders of J *)
Theorem BND_1_L1 A J p : better_first_of J A -> Permutation J p -> A p <= iub A J.
Proof. intros H P; apply orders_between; assumption. Qed.
(** RS-BND-1/L1 in part: ... and, of a metric that the items left out, put last, never lower, of all
    lists that show items of J *)
Theorem BND_1_L1_lists A J r rest : better_first_of J A -> A r <= A (r ++ rest) ->
  Permutation J (r ++ rest) -> A r <= iub A J.
Proof. intros H M P; eapply Rle_trans; [exact M|apply BND_1_L1; assumption]. Qed.
(** RS-BND-1/L2 in part: of DCG it is IDCG@k, of nDCG IDCG@k / IDCG@K *)
Theorem BND_1_L2 k K d J : iub (dcg k d) J = idcg k d J /\
  iub (fun r => ndcg_by K k d r J) J = quotient (idcg k d J) (idcg K d J).
Proof. split; reflexivity. Qed.
(** RS-BND-1/L3: they do not depend on the order of J, of a metric to which the pool is a set *)
Theorem BND_1_L3 (A : list R -> list R -> R) J J' : (forall p, A J p = A J' p) ->
  Permutation J J' -> iub (A J) J = iub (A J') J' /\ rlb (A J) J = rlb (A J') J' /\
  wlb (A J) J = wlb (A J') J'.
Proof.
  intros E P; unfold iub, wlb, ideal, worst; rewrite (best_of_perm J J' P), !E; repeat split.
  unfold rlb; rewrite (expectation_ext _ (A J')) by (intros; apply E); apply EXP_1_L3.
  constructor; [assumption|constructor].
Qed.

(** RS-BND-2/L1 in part: of DCG and nDCG it is the expectation of one tie group of all of J *)
Theorem BND_2_L1 k K d J : rlb (dcg k d) J = sum J / INR (length J)
  * sum_to d (Nat.min k (length J)) /\
  rlb (fun r => ndcg_by K k d r J) J = quotient (rlb (dcg k d) J) (idcg K d J).
Proof. split; [apply EXP_2_L2|apply mean_quotient]. Qed.
(** RS-BND-2/L2: WLB <= RLB <= IUB ... *)
Theorem BND_2_L2 A J : better_first_of J A -> wlb A J <= rlb A J <= iub A J.
Proof. intros H; unfold rlb; rewrite expectation_one; apply mean_between; [apply orders_some|];
  intros p P; apply orders_between; [assumption|apply orders_are_permutations; assumption]. Qed.
(** RS-BND-2/L2: ... and where not all orders have the same A,
    some have less than RLB and some more *)
Theorem BND_2_L2_no_bound A J p q : Permutation J p -> Permutation J q -> A p <> A q ->
  (exists r, Permutation J r /\ A r < rlb A J) /\ exists r, Permutation J r /\ rlb A J < A r.
Proof.
  intros P Q D; unfold rlb; rewrite expectation_one; set (mu := mean A (orders J)).
  assert (forall B : list R -> R, mean B (orders J) = 0 -> B p <> B q -> exists r,
  Permutation J r /\ B r < 0) as X.
  { intros B M N; destruct (Exists_dec (fun r => B r < 0) (orders J) (fun r => Rlt_dec (B r) 0))
    as [E|E].
    - apply Exists_exists in E; destruct E as (r & I & L); exists r; split;
      [apply orders_are_permutations|]; assumption.
    - exfalso; apply N; assert (forall r, In r (orders J) -> 0 <= B r) as Y.
      { intros r I; apply Rnot_lt_le; intros L; apply E, Exists_exists; eauto. }
      rewrite !(mean_zero B (orders J) Y M) by (apply orders_are_permutations; assumption);
      reflexivity. }
  split.
  - destruct (X (fun r => A r + - mu)) as (r & I & L); [|intros E; apply D; lra|exists r; split;
    [assumption|lra]].
    rewrite mean_plus, mean_const by apply orders_some; fold mu; lra.
  - destruct (X (fun r => -1 * A r + mu)) as (r & I & L); [|intros E; apply D; lra|exists r; split;
    [assumption|lra]].
    rewrite mean_plus, mean_scale, mean_const by apply orders_some; fold mu; lra.
Qed.
(** RS-BND-2/L3 in part: RLB > 0 if and only if IUB > 0, where no value is negative *)
Theorem BND_2_L3 A J : better_first_of J A -> (forall p, Permutation J p -> 0 <= A p) ->
  (0 < rlb A J <-> 0 < iub A J).
Proof.
  intros H N; split; intros P; [destruct (BND_2_L2 A J H); lra|].
  destruct (Rlt_dec 0 (rlb A J)) as [|Z]; [assumption|exfalso]; unfold rlb in Z;
  rewrite expectation_one in Z.
  assert (forall p, In p (orders J) -> 0 <= A p) as M by (intros p I;
  apply N, orders_are_permutations; assumption).
  assert (mean A (orders J) = 0) as E.
  { assert (0 <= mean A (orders J)); [|lra]; rewrite <- (mean_const 0 (orders J))
    by apply orders_some; apply mean_le; assumption. }
  pose proof (mean_zero A (orders J) M E (ideal J)) as X; unfold iub in P; rewrite X in P;
  [lra|apply orders_are_permutations, DCG_4_L1].
Qed.
(** RS-BND-2/L3 in part: ... where IUB is the greatest A of lists that show items of J: if such a
    list has a value above 0, so has an order that begins with that list *)
Theorem BND_2_L3_lists A J : (forall p, Permutation J p -> 0 <= A p) ->
  (forall r rest, Permutation J (r ++ rest) -> 0 < A r -> 0 < A (r ++ rest)) ->
  (0 < rlb A J <-> exists r rest, Permutation J (r ++ rest) /\ 0 < A r).
Proof.
  intros N H; unfold rlb; rewrite expectation_one; assert (forall p, In p (orders J) -> 0 <= A p)
  as M by (intros p I; apply N, orders_are_permutations, I).
  assert (0 <= mean A (orders J)) as Z by (rewrite <- (mean_const 0 (orders J)) by
    apply orders_some; apply mean_le; assumption).
  split.
  - intros P; destruct (Exists_dec (fun r => 0 < A r) (orders J) (fun r => Rlt_dec 0 (A r)))
    as [E|E].
    + apply Exists_exists in E; destruct E as (r & I & L); exists r, []; rewrite app_nil_r.
      split; [apply orders_are_permutations|]; assumption.
    + exfalso; rewrite (mean_ext _ (fun _ => 0)), mean_const in P by (apply orders_some ||
      (intros r I; apply Rle_antisym; [|apply M, I]; apply Rnot_lt_le; intros L; apply E,
      Exists_exists; eauto)); lra.
  - intros (r & rest & P & L); apply (H r rest P) in L; destruct Z as [Z|Z]; [exact Z|exfalso].
    symmetry in Z; rewrite (mean_zero A _ M Z (r ++ rest)) in L by
      (apply orders_are_permutations, P); lra.
Qed.
(** RS-BND-3/L1 in part: WLB is the least A of all orders of J *)
Theorem BND_3_L1 A J p : better_first_of J A -> Permutation J p -> wlb A J <= A p.
Proof. intros H P; apply orders_between; assumption. Qed.

(** * The normalisations *)

(** RS-BND-4: U = A / IUB, and 0 where IUB = 0 *)
Definition U A I := quotient A I.
(** RS-BND-5: UL1 = A/IUB A/(A + RLB), and 0 where IUB = 0 or A = 0 *)
Definition UL1 A I L := if Rlt_dec 0 I then if Rlt_dec 0 A then A / I * (A / (A + L)) else 0 else 0.
(** RS-BND-6: UL2 *)
Definition UL2 A I L :=
  if Rlt_dec A L then (A - L) / L
  else if Req_EM_T L I then 0
  else (A - L) / (I - L).
(** RS-BND-7: min-max, with the lower bound L, RLB or WLB *)
Definition MinMax A I L := if Req_EM_T I L then 0 else (A - L) / (I - L).
(** RS-BND-8: A / RLB, and 0 where RLB = 0 *)
Definition Ratio A L := quotient A L.

Ltac nz := repeat split; apply Rgt_not_eq, Rlt_gt; try lra; repeat apply Rmult_lt_0_compat; lra.
Ltac cases := repeat match goal with
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b) end; try lra.

(** RS-BND-4/L1: 0 <= U <= 1, and 1 if and only if A = IUB > 0; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_4_L1 A I : 0 <= A <= I -> 0 <= U A I <= 1 /\ (U A I = 1 <-> A = I /\ 0 < I).
Proof.
  intros H; split; [apply quotient_range; assumption|]; unfold U, quotient; cases.
  rewrite div_eq, Rmult_1_l by lra; tauto.
Qed.
(** RS-BND-4/L2: U(DCG@k) = nDCG@k *)
Theorem BND_4_L2 k d r J : U (dcg k d r) (iub (dcg k d) J) = ndcg k d r J.
Proof. reflexivity. Qed.
(** RS-BND-4/L2: ... U(LDCG) = LNDCG with the ideal "true", whose bound is ILDCG *)
Theorem BND_4_L2_length z M d w r J : 0 < z ->
  U (ldcg z M d w r) (ildcg z M d w J) = lndcg M d w r J.
Proof. apply LEN_9_L5. Qed.
(** RS-BND-4/L3: over all orders of J its mean is rho *)
Theorem BND_4_L3 A J : expectation (fun p => U (A p) (iub A J)) [J] = U (rlb A J) (iub A J).
Proof. apply mean_quotient. Qed.
(** RS-BND-4/L4 in part: multiplying A by c > 0 changes none of them: it multiplies A, IUB, RLB
    and WLB alike *)
Theorem BND_4_L4 c A I L : 0 < c -> 0 <= A -> 0 <= L ->
  U (c * A) (c * I) = U A I /\ UL1 (c * A) (c * I) (c * L) = UL1 A I L /\ UL2 (c * A) (c * I)
  (c * L) = UL2 A I L /\
  MinMax (c * A) (c * I) (c * L) = MinMax A I L /\ Ratio (c * A) (c * L) = Ratio A L.
Proof.
  intros C HA HL; assert (forall x y, x <> y -> c * x <> c * y) as ne by (intros x y N E;
  apply N, (Rmult_eq_reg_l c); lra).
  repeat split; try (apply quotient_scale; assumption).
  - unfold UL1; cases; try (exfalso; nra); field; repeat split; try lra; nra.
  - unfold UL2; destruct (Rlt_dec A L), (Rlt_dec (c * A) (c * L)); try (exfalso; nra); [field;
    lra|].
    destruct (Req_EM_T L I) as [->|N]; [destruct (Req_EM_T (c * I) (c * I));
    [reflexivity|contradiction]|].
    destruct (Req_EM_T (c * L) (c * I)) as [E|_]; [exfalso; apply (ne L I N E)|]; field;
    repeat split; try lra; intros Z0; apply N; (lra || nra).
  - unfold MinMax; destruct (Req_EM_T I L) as [->|N]; [destruct (Req_EM_T (c * L) (c * L));
    [reflexivity|contradiction]|].
    destruct (Req_EM_T (c * I) (c * L)) as [E|_]; [exfalso; apply (ne I L N E)|]; field;
    repeat split; try lra; intros Z0; apply N; (lra || nra).
Qed.
(** RS-BND-4/L5: where IUB > 0 they are functions of U and rho; UL1 ... *)
Theorem BND_4_L5 A I L : 0 < I -> 0 <= A -> 0 <= L -> 0 < A + L ->
  UL1 A I L = U A I * U A I / (U A I + L / I).
Proof.
  intros P HA HL S; unfold UL1, U, quotient; destruct (Rlt_dec 0 I); [|contradiction];
  destruct (Rlt_dec 0 A).
  - assert (0 < A / I + L / I) by (replace (A / I + L / I) with ((A + L) / I) by (field; lra);
    apply Rdiv_lt_0_compat; lra).
    field; repeat split; try lra; nra.
  - replace A with 0 in * by lra; field; repeat split; try lra; nra.
Qed.
(** RS-BND-4/L5: ... UL2, min-max and ratio *)
Theorem BND_4_L5_others A I L : 0 < I -> 0 < L <= I -> let rho := L / I in
  (U A I < rho -> UL2 A I L = U A I / rho - 1) /\
  (rho <= U A I -> rho < 1 -> UL2 A I L = (U A I - rho) / (1 - rho)) /\
  (rho < 1 -> MinMax A I L = (U A I - rho) / (1 - rho)) /\ Ratio A L = U A I / rho.
Proof.
  intros P HL rho; assert (rho < 1 <-> L < I) as X by (unfold rho; rewrite div_lt by assumption;
  lra).
  assert (U A I < rho <-> A < L) as Y.
  { unfold U, quotient, rho; destruct (Rlt_dec 0 I); [|contradiction]; rewrite div_lt by assumption.
    replace (L / I * I) with L by (field; lra); reflexivity. }
  assert (U A I = A / I) as E by (unfold U, quotient; destruct (Rlt_dec 0 I); [reflexivity|lra]).
  repeat split; intros; unfold UL2, MinMax, Ratio, quotient.
  - destruct (Rlt_dec A L); [rewrite E; unfold rho; field; lra|tauto].
  - destruct (Rlt_dec A L) as [K|K]; [apply Y in K; lra|]; assert (L < I) by tauto.
    destruct (Req_EM_T L I); [lra|]; rewrite E; unfold rho; field; lra.
  - assert (L < I) by tauto; destruct (Req_EM_T I L); [lra|]; rewrite E; unfold rho; field; lra.
  - destruct (Rlt_dec 0 L); [rewrite E; unfold rho; field; lra|lra].
Qed.

(** RS-BND-5/L1: 0 <= UL1 <= 1 / (1 + rho) < 1 where IUB > 0, and so RLB > 0 (RS-BND-2/L3): no
    ranking has 1; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_5_L1 A I L : 0 <= A <= I -> 0 < I -> 0 < L <= I -> 0 <= UL1 A I L <= 1 / (1 + L / I) /\
  1 / (1 + L / I) < 1.
Proof.
  intros HA HI HL; assert (0 < L / I) by (apply Rdiv_lt_0_compat; lra); split.
  2: { apply div_lt; lra. }
  replace (1 / (1 + L / I)) with (I / (I + L)) by (field; nz); unfold UL1; cases.
  - replace (A / I * (A / (A + L))) with (A * A / (I * (A + L))) by (field; nz); split.
    + apply div_nonneg; nra.
    + apply div_le; [nra|]; replace (I / (I + L) * (I * (A + L))) with (I * I * (A + L) / (I + L))
      by (field; nz).
      apply le_div; [lra|]; assert (0 <= A * I * (I - A)) by (repeat apply Rmult_le_pos; lra).
      assert (0 <= L * ((I - A) * (I + A))) by (repeat apply Rmult_le_pos; lra); nra.
  - split; [lra|apply div_nonneg; lra].
Qed.
(** RS-BND-5/L2: where A = IUB > 0 it is 1 / (1 + rho), and 1/2 if and only if RLB = IUB *)
Theorem BND_5_L2 I L : 0 < I -> 0 <= L <= I -> UL1 I I L = 1 / (1 + L / I) /\ 1 / 2 <= UL1 I I L /\
  (UL1 I I L = 1 / 2 <-> L = I).
Proof.
  intros P HL; unfold UL1; cases; replace (I / I * (I / (I + L))) with (I / (I + L)) by (field; nz).
  repeat split; [field; nz|apply le_div; lra| |]; intros E; [rewrite div_eq in E by lra; lra|subst;
  field; lra].
Qed.
(** RS-BND-5/L3: where A = RLB > 0 it is rho / 2 *)
Theorem BND_5_L3 I L : 0 < I -> 0 < L -> UL1 L I L = L / I / 2.
Proof. intros; unfold UL1; cases; field; nz. Qed.
(** RS-BND-5/L4: it rises strictly with A, for fixed bounds with IUB > 0, even beyond IUB *)
Theorem BND_5_L4 A B I L : 0 < I -> 0 <= L -> 0 <= A < B -> UL1 A I L < UL1 B I L.
Proof.
  intros P HL H; unfold UL1; cases.
  - replace (A / I * (A / (A + L))) with (A * A / (A + L) / I) by (field; lra).
    replace (B / I * (B / (B + L))) with (B * B / (B + L) / I) by (field; lra).
    apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; assumption|]; apply div_lt; [lra|].
    replace (B * B / (B + L) * (A + L)) with (B * B * (A + L) / (B + L)) by (field; lra);
    apply lt_div; [lra|].
    assert (0 < A * B * (B - A)) by (repeat apply Rmult_lt_0_compat; lra);
    assert (0 <= L * ((B - A) * (B + A))) by (repeat apply Rmult_le_pos; lra); nra.
  - apply Rmult_lt_0_compat; apply Rdiv_lt_0_compat; lra.
Qed.
(** RS-BND-5/L5: U = 1/2, rho = 1/10 has 5/12, and U = 3/5, rho = 2/5 has 9/25 *)
Theorem BND_5_L5 : UL1 (1 / 2) 1 (1 / 10) = 5 / 12 /\ UL1 (3 / 5) 1 (2 / 5) = 9 / 25.
Proof. unfold UL1; cases. Qed.
(** RS-BND-5/L5: ... of two systems, the one with the higher mean U can have the lower mean UL1: on
    two queries with these rho, one has U = 1/2 and 0, the other 0 and 3/5 *)
Theorem BND_5_L5_systems :
  mean (fun a => U a 1) [1 / 2; 0] < mean (fun a => U a 1) [0; 3 / 5] /\
  (UL1 0 1 (1 / 10) + UL1 (3 / 5) 1 (2 / 5)) / 2 < (UL1 (1 / 2) 1 (1 / 10) + UL1 0 1 (2 / 5)) / 2.
Proof. split; unfold mean, U, UL1, quotient; cbn; cases. Qed.
(** RS-BND-5/L6: for fixed A > 0 and IUB it falls strictly as RLB rises *)
Theorem BND_5_L6 A I L L' : 0 < A -> 0 < I -> 0 <= L < L' -> UL1 A I L' < UL1 A I L.
Proof.
  intros HA HI H; unfold UL1; cases; apply Rmult_lt_compat_l; [apply Rdiv_lt_0_compat; assumption|].
  apply Rmult_lt_compat_l; [assumption|apply Rinv_lt_contravar; nra].
Qed.
(** RS-BND-5/L7: U - UL1 = U rho / (U + rho), which rises with U where rho > 0; the share rho / (U
    + rho) falls *)
Theorem BND_5_L7 A I L : 0 < I -> 0 <= A -> 0 <= L -> 0 < A + L ->
  U A I - UL1 A I L = U A I * (L / I) / (U A I + L / I) /\
  forall u v rho, 0 < rho -> 0 <= u < v -> u * rho / (u + rho) < v * rho / (v + rho) /\
  rho / (v + rho) < rho / (u + rho).
Proof.
  intros P HA HL S; split.
  - rewrite BND_4_L5 by assumption; unfold U, quotient; cases; field; lra.
  - intros u v rho R H; split; [|apply Rmult_lt_compat_l; [assumption|apply Rinv_lt_contravar;
    nra]].
    apply div_lt; [lra|]; replace (v * rho / (v + rho) * (u + rho)) with (v * rho * (u + rho)
    / (v + rho)) by (field; lra).
    apply lt_div; [lra|]; assert (0 < rho * rho * (v - u)) by (repeat apply Rmult_lt_0_compat;
    lra); nra.
Qed.
(** RS-BND-5/L7: ... from 0 to rho/(1 + rho) at the ideal *)
Theorem BND_5_L7_ends I L : 0 < I -> 0 < L -> U 0 I - UL1 0 I L = 0 /\
  U I I - UL1 I I L = L / I / (1 + L / I).
Proof. intros; unfold U, UL1, quotient; cases; split; field; lra. Qed.
(** UL1 is above its tangent at RLB, and touches it there only. *)
Lemma UL1_tangent A I L : 0 < I -> 0 < L -> 0 <= A -> (3 * A - L) / (4 * I) <= UL1 A I L /\
  (UL1 A I L = (3 * A - L) / (4 * I) -> A = L).
Proof.
  intros HI HL HA; unfold UL1; cases; [|replace A with 0 by lra; split; [apply div_le;
  lra|intros E; symmetry in E; rewrite div_eq in E by lra; lra]].
  assert (A / I * (A / (A + L)) - (3 * A - L) / (4 * I) = / (4 * I * (A + L)) * ((A - L)
  * (A - L))) as E by (field; lra).
  assert (0 < / (4 * I * (A + L))) by (apply Rinv_0_lt_compat; nra);
  pose proof (Rle_0_sqr (A - L)) as Q; unfold Rsqr in Q.
  split; [nra|]; intros Y; rewrite Y in E; assert ((A - L) * (A - L) = 0) as Z by nra;
  apply Rmult_integral in Z; lra.
Qed.
(** RS-BND-5/L8: it is convex in A ... *)
Theorem BND_5_L8_convex A B I L w : 0 < I -> 0 < L -> 0 <= A -> 0 <= B -> 0 <= w <= 1 ->
  UL1 (w * A + (1 - w) * B) I L <= w * UL1 A I L + (1 - w) * UL1 B I L.
Proof.
  intros HI HL HA HB W; assert (forall x, 0 <= x -> UL1 x I L = (x - L + L * L / (x + L)) / I)
  as E.
  { intros x X; unfold UL1; cases; [field; lra|replace x with 0 by lra; field; lra]. }
  assert (0 <= w * A + (1 - w) * B) by nra; rewrite !E by lra; apply (Rmult_le_reg_r I); [lra|].
  assert (forall x, (x / I) * I = x) as D by (intros; field; lra).
  rewrite Rmult_plus_distr_r, !Rmult_assoc, !D; set (m := w * A + (1 - w) * B) in *.
  assert (w * (L * L / (A + L)) + (1 - w) * (L * L / (B + L)) - L * L / (m + L) =
    L * L * (w * (1 - w) * ((A - B) * (A - B))) / ((A + L) * (B + L) * (m + L))) as Q by
    (unfold m in *; field; repeat split; lra).
  assert (0 <= L * L * (w * (1 - w) * ((A - B) * (A - B))) / ((A + L) * (B + L) * (m + L)));
    [|unfold m in *; lra].
  apply div_nonneg; [|repeat apply Rmult_lt_0_compat; lra].
  pose proof (Rle_0_sqr (A - B)) as S; unfold Rsqr in S.
  assert (0 <= w * (1 - w)) by (apply Rmult_le_pos; lra).
  apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply Rmult_le_pos; assumption].
Qed.
(** RS-BND-5/L8: its mean over all orders of J is at least rho / 2, and rho / 2 only where all
    orders have the same A *)
Theorem BND_5_L8 (A : list R -> R) I J : let L := rlb A J in 0 < I -> 0 < L -> (forall p,
  Permutation J p -> 0 <= A p) -> L / I / 2 <= expectation (fun p => UL1 (A p) I L) [J] /\
  (expectation (fun p => UL1 (A p) I L) [J] = L / I / 2 -> forall p, Permutation J p -> A p = L).
Proof.
  intros L HI HL N; rewrite !expectation_one; set (l := orders J);
  assert (mean A l = L) as EL by (symmetry; apply expectation_one).
  assert (forall p, In p l -> 0 <= A p) as P by (intros p H; apply N, orders_are_permutations;
  exact H).
  assert (mean (fun p => 3 / (4 * I) * A p + - L / (4 * I)) l = L / I / 2) as E.
  { rewrite mean_plus, mean_scale, mean_const, EL by apply orders_some; field; lra. }
  split.
  - rewrite <- E; apply mean_le; intros p H; destruct (UL1_tangent (A p) I L HI HL (P p H))
    as [T _]; replace (3 / (4 * I) * A p + - L / (4 * I)) with ((3 * A p - L) / (4 * I)) by (field;
    lra); exact T.
  - intros Q p H; apply orders_are_permutations in H;
    destruct (UL1_tangent (A p) I L HI HL (P p H)) as [_ T]; apply T.
    pose proof (mean_zero (fun p => UL1 (A p) I L + -1 * (3 / (4 * I) * A p + - L / (4 * I))) l)
    as Z; cbn beta in Z.
    rewrite mean_plus, mean_scale, E, Q in Z; specialize (Z ltac:(intros x X;
    destruct (UL1_tangent (A x) I L HI HL (P x X)) as [T' _];
      replace (3 / (4 * I) * A x + - L / (4 * I)) with ((3 * A x - L) / (4 * I)) by (field; lra);
      lra) ltac:(lra) p H).
    replace ((3 * A p - L) / (4 * I)) with (3 / (4 * I) * A p + - L / (4 * I)) by (field; lra); lra.
Qed.

(** RS-BND-6/L1: -1 <= UL2 <= 1; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_6_L1 A I L : 0 <= A <= I -> 0 <= L <= I -> -1 <= UL2 A I L <= 1.
Proof. intros; unfold UL2; cases; (split; [apply le_div|apply div_le]; lra). Qed.
(** RS-BND-6/L2: UL2 = 1 if and only if A = IUB > RLB; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_6_L2 A I L : 0 <= A <= I -> 0 <= L <= I -> (UL2 A I L = 1 <-> A = I /\ L < I).
Proof. intros; unfold UL2; cases; rewrite ?div_eq by lra; split; intros; try lra; repeat split;
  lra. Qed.
(** RS-BND-6/L3 in part: UL2 = -1 if and only if A = 0 < RLB; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_6_L3 A I L : 0 <= A <= I -> 0 <= L <= I -> (UL2 A I L = -1 <-> A = 0 /\ 0 < L).
Proof. intros; unfold UL2; cases; rewrite ?div_eq by lra; split; intros; try lra; repeat split;
  lra. Qed.
(** RS-BND-6/L4: UL2 = 0 if and only if A = RLB, or A >= RLB = IUB; that A <= IUB is RS-BND-1/L1
    *)
Theorem BND_6_L4 A I L : 0 <= A <= I -> 0 <= L <= I -> (UL2 A I L = 0 <-> A = L \/ (L <= A /\
  L = I)).
Proof. intros; unfold UL2; cases; rewrite ?div_eq by lra; split; intros; try lra; auto; right;
  lra. Qed.
(** RS-BND-6/L5: for fixed bounds 0 < RLB < IUB it rises strictly with A *)
Theorem BND_6_L5 A B I L : 0 < L < I -> A < B -> UL2 A I L < UL2 B I L.
Proof.
  intros HL H; unfold UL2; cases.
  - apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra.
  - apply Rlt_le_trans with 0; [apply div_lt|apply div_nonneg]; lra.
  - apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra.
Qed.
(** RS-BND-6/L6: U = 1/2, rho = 1/10 has 4/9, and U = 3/5, rho = 2/5 has 1/3 *)
Theorem BND_6_L6 : UL2 (1 / 2) 1 (1 / 10) = 4 / 9 /\ UL2 (3 / 5) 1 (2 / 5) = 1 / 3.
Proof. unfold UL2; cases. Qed.
(** RS-BND-6/L7: it has the slope 1/(IUB - RLB) above RLB and 1/RLB below, the same if and only if
    IUB = 2 RLB *)
Theorem BND_6_L7 A B I L : 0 < L < I ->
  (L <= A -> L <= B -> UL2 B I L - UL2 A I L = (B - A) * / (I - L)) /\
  (A < L -> B < L -> UL2 B I L - UL2 A I L = (B - A) * / L) /\ (/ (I - L) = / L <-> I = 2 * L).
Proof.
  intros HL; unfold UL2; split; [|split]; [intros; cases; field; lra|intros; cases; field;
  lra|split].
  - intros E; apply (f_equal Rinv) in E; rewrite !Rinv_inv in E; lra.
  - intros ->; f_equal; lra.
Qed.
(** RS-BND-6/L7: ... where IUB > 2 RLB, and only there, a step below RLB counts more than one above
    *)
Theorem BND_6_L7_steeper I L : 0 < L < I -> (/ (I - L) < / L <-> 2 * L < I).
Proof.
  intros H; split; intros K; [|apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra].
  apply Rnot_le_lt; intros Q; assert (/ L <= / (I - L)) by (apply Rinv_le_contravar; lra); lra.
Qed.
(** RS-BND-6/L8: over all orders of J the mean of UL2 is E|A - RLB| (1/(IUB - RLB) - 1/RLB) / 2 *)
Theorem BND_6_L8 (A : list R -> R) I J : let L := rlb A J in 0 < L < I ->
  expectation (fun p => UL2 (A p) I L) [J] =
  1 / 2 * expectation (fun p => Rabs (A p - L)) [J] * (1 / (I - L) - 1 / L).
Proof.
  intros L HL; set (a := 1 / 2 * (1 / (I - L) - 1 / L)); set (b := 1 / 2 * (1 / (I - L) + 1 / L)).
  rewrite (expectation_ext _ (fun p => a * Rabs (A p - L) + (b * A p + - b * L))).
  2: { intros p _; unfold UL2, a, b; destruct (Rlt_dec (A p) L);
  [rewrite Rabs_left by lra|rewrite Rabs_right by lra; destruct (Req_EM_T L I); [lra|]]; field;
  lra. } rewrite !expectation_plus, !expectation_scale, expectation_const; fold (rlb A J); fold L;
  unfold a; ring.
Qed.
(** RS-BND-6/L8: ... it is 0 if and only if IUB = 2 RLB or all orders have the same A *)
Theorem BND_6_L8_zero (A : list R -> R) I J : let L := rlb A J in 0 < L < I ->
  (expectation (fun p => UL2 (A p) I L) [J] = 0 <-> I = 2 * L \/ forall p, Permutation J p ->
  A p = L).
Proof.
  intros L HL; unfold L in *; rewrite BND_6_L8 by assumption; fold L in HL |- *;
  rewrite !expectation_one.
  assert (1 / (I - L) - 1 / L = 0 <-> I = 2 * L) as X.
  { replace (1 / (I - L) - 1 / L) with ((2 * L - I) / ((I - L) * L)) by (field; lra);
    rewrite div_eq by nra; lra. }
  split.
  - intros E; apply Rmult_integral in E; destruct E as [E|E]; [right|left; apply X; assumption];
    intros p P.
    assert (mean (fun p => Rabs (A p - L)) (orders J) = 0) as M by lra.
    apply orders_are_permutations in P; pose proof (mean_zero _ _ (fun x _ => Rabs_pos (A x - L))
    M p P) as Z; cbn beta in Z.
    destruct (Req_dec (A p - L) 0); [lra|]; apply Rabs_no_R0 in H; contradiction.
  - intros [E|E]; [apply X in E; rewrite E; ring|]; rewrite (mean_ext _ (fun _ => 0)), mean_const by
      (apply orders_some || (intros p P; apply orders_are_permutations in P;
      rewrite (E p P), Rminus_diag_eq, Rabs_R0; reflexivity)); ring.
Qed.
(** RS-BND-6/L9: for fixed A and IUB it does not rise with RLB: strictly falling for 0 < A < IUB,
    constant for A = 0 *)
Theorem BND_6_L9 A I L L' : 0 <= A < I -> 0 < L < L' -> L' <= I ->
  UL2 A I L' <= UL2 A I L /\ (0 < A -> UL2 A I L' < UL2 A I L) /\ (A = 0 -> UL2 A I L' = -1).
Proof.
  intros HA HL H; assert (forall x, 0 < x -> (A - x) / x = A / x - 1) as below by (intros; field;
  lra).
  assert (0 < A -> UL2 A I L' < UL2 A I L) as strict.
  { intros P; unfold UL2; destruct (Rlt_dec A L'), (Rlt_dec A L); try lra.
    - rewrite !below by lra; apply Rplus_lt_compat_r, Rmult_lt_compat_l;
      [assumption|apply Rinv_lt_contravar; nra].
    - destruct (Req_EM_T L I); [lra|]; apply Rlt_le_trans with 0; [apply div_lt|apply div_nonneg];
      lra.
    - destruct (Req_EM_T L I), (Req_EM_T L' I); try lra; apply div_lt; [lra|].
      replace ((A - L) / (I - L) * (I - L')) with ((A - L) * (I - L') / (I - L)) by (field; lra);
      apply lt_div; [lra|].
      assert (0 < (I - A) * (L' - L)) by (apply Rmult_lt_0_compat; lra); nra. }
  assert (A = 0 -> forall x, 0 < x -> UL2 A I x = -1) as const by (intros -> x X; unfold UL2;
  cases; field; lra).
  repeat split; [|assumption|intros E; apply const; lra].
  destruct (Req_EM_T A 0) as [E|E]; [rewrite !const by lra; lra|apply Rlt_le, strict; lra].
Qed.
(** RS-BND-6/L9: ... nor where A = IUB, where it is 1 for RLB < IUB and 0 for RLB = IUB *)
Theorem BND_6_L9_best I L L' : 0 < L < L' -> L' <= I -> UL2 I I L' <= UL2 I I L.
Proof.
  intros H K; unfold UL2; cases; [apply div_nonneg; lra|].
  right; field; lra.
Qed.
Lemma loss_at_1 A L : 0 <= A <= 1 -> 0 < L < 1 ->
  U A 1 - UL2 A 1 L = if Rlt_dec A L then 1 - A * (1 - L) / L else L * (1 - A) / (1 - L).
Proof. intros; unfold U, quotient, UL2; cases; field; lra. Qed.
Lemma by_rho A I L : 0 <= A -> 0 < L -> 0 < I -> U A I = A / I /\ U (A / I) 1 = U A I /\
  UL2 (A / I) 1 (L / I) = UL2 A I L.
Proof.
  intros HA HL HI; destruct (BND_4_L4 (/ I) A I L (Rinv_0_lt_compat _ HI) HA ltac:(lra)) as
  (E & _ & F & _).
  replace (/ I * I) with 1 in * by (field; lra); rewrite (Rmult_comm _ A), (Rmult_comm _ L) in *.
  split; [unfold U, quotient; cases|split; assumption].
Qed.
(** RS-BND-6/L10: for 0 < rho < 1, U - UL2 is rho (1 - U)/(1 - rho) for U >= rho and
    1 - U (1 - rho)/rho below ... *)
Theorem BND_6_L10 A I L : 0 <= A <= I -> 0 < L < I -> let u := U A I in let rho := L / I in
  u - UL2 A I L = if Rlt_dec u rho then 1 - u * (1 - rho) / rho else rho * (1 - u) / (1 - rho).
Proof.
  intros HA HL; cbv zeta; destruct (by_rho A I L) as (E & F & G); try lra.
  pose proof (loss_at_1 (A / I) (L / I)) as X; rewrite F, G, <- E in X; apply X.
  - rewrite E; split; [apply div_nonneg|apply div_le]; lra.
  - split; [apply Rdiv_lt_0_compat|apply div_lt]; lra.
Qed.

(** RS-BND-7/L1: for orders of J, with WLB it is from 0 to 1; with RLB from -RLB/(IUB - RLB) to 1;
    that A <= IUB is RS-BND-1/L1 *)
Theorem BND_7_L1 A I L W : W <= A <= I -> 0 <= W -> W < I -> L < I ->
  0 <= MinMax A I W <= 1 /\ MinMax W I W = 0 /\ - L / (I - L) <= MinMax A I L <= 1.
Proof.
  intros; unfold MinMax; cases; repeat split; try (apply div_le; lra); try (apply div_nonneg; lra).
  - field; lra.
  - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
Qed.
(** RS-BND-7/L2: over all orders its mean is 0 with RLB, and mu = (RLB - WLB)/(IUB - WLB)
    with WLB *)
Theorem BND_7_L2 (A : list R -> R) I J W : let L := rlb A J in
  expectation (fun p => MinMax (A p) I L) [J] = 0 /\ expectation (fun p => MinMax (A p) I W)
  [J] = MinMax L I W.
Proof.
  assert (forall x, expectation (fun p => MinMax (A p) I x) [J] = MinMax (rlb A J) I x) as X.
  { intros x; unfold MinMax; destruct (Req_EM_T I x) as [E|E]; [apply expectation_const|].
    rewrite (expectation_ext _ (fun p => / (I - x) * A p + - x / (I - x))) by (intros; field;
    intros Z; apply E; lra).
    rewrite expectation_plus, expectation_scale, expectation_const; unfold rlb; field; intros Z;
    apply E; lra. }
  intros L; split; [|apply X]; rewrite X; unfold MinMax; cases; fold L; unfold Rminus, Rdiv;
  rewrite Rplus_opp_r; ring.
Qed.
(** RS-BND-7/L3: if x is the value with WLB and mu < 1, the value with RLB is (x - mu)/(1 - mu) *)
Theorem BND_7_L3 A I L W : W < I -> L < I ->
  let mu := (L - W) / (I - W) in MinMax A I L = (MinMax A I W - mu) / (1 - mu).
Proof. intros H K mu; unfold mu, MinMax; cases; field; lra. Qed.
(** RS-BND-7/L4: with RLB it is UL2 for A >= RLB; below, it is rho/(1 - rho) times UL2 *)
Theorem BND_7_L4 A I L : 0 < L < I ->
  (L <= A -> MinMax A I L = UL2 A I L) /\ (A < L -> MinMax A I L = L / I / (1 - L / I) * UL2 A I L).
Proof. intros H; unfold MinMax, UL2; split; intros; cases; field; lra. Qed.
(** RS-BND-7/L5: it rises strictly with A, for fixed bounds *)
Theorem BND_7_L5 A B I L : L < I -> A < B -> MinMax A I L < MinMax B I L.
Proof. intros; unfold MinMax; cases; apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra. Qed.

(** RS-BND-8/L1: over all orders of J its mean is 1, where RLB > 0 *)
Theorem BND_8_L1 A J : 0 < rlb A J -> expectation (fun p => Ratio (A p) (rlb A J)) [J] = 1.
Proof.
  intros P; unfold expectation, Ratio; rewrite mean_quotient; fold (expectation A [J]);
  fold (rlb A J).
  unfold quotient; destruct (Rlt_dec _ _); [field; lra|contradiction].
Qed.
(** RS-BND-8/L2: where RLB > 0, it is from 0 to 1/rho; that A <= IUB is RS-BND-1/L1 *)
Theorem BND_8_L2 A I L : 0 < L -> 0 <= A <= I -> 0 < I -> 0 <= Ratio A L <= 1 / (L / I).
Proof.
  intros; unfold Ratio, quotient; cases; split; [apply div_nonneg; lra|];
  replace (1 / (L / I)) with (I / L) by (field; lra).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
Qed.
(** RS-BND-8/L3: where A < RLB it is UL2 + 1 *)
Theorem BND_8_L3 A I L : 0 < L -> A < L -> Ratio A L = UL2 A I L + 1.
Proof. intros; unfold Ratio, quotient, UL2; cases; field; lra. Qed.

(** * When WLB is 0 *)

(** The items of J that add nothing *)
Definition nothing (x : R) := if Req_EM_T x 0 then true else false.
Definition zeros J := length (filter nothing J).

Lemma zeros_perm J p : Permutation J p -> zeros J = zeros p.
Proof. unfold zeros; induction 1; cbn; repeat destruct (nothing _); cbn; congruence. Qed.
Lemma zeros_all l : Forall (eq 0) l -> zeros l = length l.
Proof.
  unfold zeros; induction 1 as [|x l <- F IH]; [reflexivity|]; cbn; unfold nothing at 1.
  destruct (Req_EM_T 0 0); [cbn; rewrite IH; reflexivity|contradiction].
Qed.
Lemma zeros_app a b : zeros (a ++ b) = (zeros a + zeros b)%nat.
Proof. unfold zeros; rewrite filter_app, app_length; reflexivity. Qed.
Lemma sorted_snoc (l : list R) x : StronglySorted Rle l -> Forall (fun y => y <= x) l ->
  StronglySorted Rle (l ++ [x]).
Proof.
  induction 1 as [|y l S IH A]; intros F; cbn; [repeat constructor|]; inversion F; subst.
  constructor; [apply IH; assumption|apply Forall_app; split; [assumption|constructor; auto]].
Qed.
Lemma worst_rises J : StronglySorted Rle (worst J).
Proof.
  unfold worst; pose proof (ideal_falls J) as H; unfold ideal in H; induction H as [|x l S IH A];
  [constructor|]; cbn [rev]; apply sorted_snoc; [assumption|]; apply Forall_rev.
  eapply Forall_impl; [|exact A]; cbn; intros; lra.
Qed.
Lemma worst_perm J : Permutation J (worst J).
Proof. unfold worst; rewrite <- Permutation_rev; apply best_perm. Qed.
(** Worst first, those that add nothing are the first. *)
Lemma zeros_first k l : StronglySorted Rle l -> Forall (Rle 0) l ->
  (Nat.min k (length l) <= zeros l)%nat -> Forall (eq 0) (firstn k l).
Proof.
  intros S; revert k; induction S as [|x l S IH A]; intros [|k] F Z; cbn [firstn]; try constructor.
  - inversion F; subst; destruct (Req_EM_T x 0) as [|N]; [auto|exfalso].
    assert (zeros (x :: l) = 0)%nat as E; [|rewrite E in Z; cbn in Z; lia].
    unfold zeros; rewrite (proj2 (length_zero_iff_nil _)); [reflexivity|].
    assert (forall y, In y (x :: l) -> nothing y = false) as K.
    { intros y Y; unfold nothing; destruct (Req_EM_T y 0) as [E|]; [|reflexivity]; exfalso.
      destruct Y as [<-|Y]; [auto|]; rewrite Forall_forall in A; specialize (A y Y); lra. }
    apply filter_none, K.
  - inversion F; subst; apply IH; [assumption|]; unfold zeros in *; cbn in Z; destruct (nothing x);
    cbn in Z; lia.
Qed.
(** RS-BND-3/L2 in part: WLB = 0 where min(k, |J|) <= z, of a metric to which results that add
    nothing give nothing ... *)
Theorem BND_3_L2 (A : list R -> R) k J : Forall (Rle 0) J ->
  (forall p, Permutation J p -> Forall (eq 0) (firstn k p) -> A p = 0) ->
  (Nat.min k (length J) <= zeros J)%nat -> wlb A J = 0.
Proof.
  intros F H Z; pose proof (worst_perm J) as P; apply H; [assumption|]; apply zeros_first.
  - apply worst_rises.
  - eapply Permutation_Forall; eassumption.
  - rewrite <- (Permutation_length P), <- (zeros_perm J _ P); assumption.
Qed.
(** RS-BND-3/L2 in part: ... and only there, if the weights up to k are positive and one result is
    enough: every order has otherwise, up to rank k, a result that adds something *)
Theorem BND_3_L2_only (A : list R -> R) k J :
  (forall p, Permutation J p -> A p = 0 -> Forall (eq 0) (firstn k p)) ->
  (wlb A J = 0 -> (Nat.min k (length J) <= zeros J)%nat) /\
  ((zeros J < Nat.min k (length J))%nat -> forall p, Permutation J p ->
   ~ Forall (eq 0) (firstn k p) /\ A p <> 0).
Proof.
  intros H; assert ((zeros J < Nat.min k (length J))%nat -> forall p, Permutation J p ->
    ~ Forall (eq 0) (firstn k p)) as K.
  { intros Z p P F; apply zeros_all in F; rewrite firstn_length, <- (Permutation_length P) in F.
    pose proof (zeros_app (firstn k p) (skipn k p)) as E; rewrite firstn_skipn in E.
    rewrite (zeros_perm J p P) in Z; lia. }
  split.
  - intros Z; apply Nat.nlt_ge; intros L; apply (K L (worst J) (worst_perm J)), H; [apply
  worst_perm|].
    exact Z.
  - intros Z p P; split; [apply K; assumption|]; intros E; apply (K Z p P), H; assumption.
Qed.
Lemma firstn_at_rank k (r : list R) : Forall (eq 0) (firstn k r) <->
  forall i, (1 <= i <= Nat.min k (length r))%nat -> at_rank r i = 0.
Proof.
  rewrite Forall_forall; split; intros H.
  - intros i I; symmetry; apply H; unfold at_rank; rewrite <- (firstn_skipn k r) at 1.
    rewrite app_nth1 by (rewrite firstn_length; lia); apply nth_In; rewrite firstn_length; lia.
  - intros x X; apply In_nth with (d := 0) in X; destruct X as (i & I & <-).
    rewrite firstn_length in I; pose proof (H (S i) ltac:(lia)) as E; unfold at_rank in E.
    replace (S i - 1)%nat with i in E by lia; rewrite <- (firstn_skipn k r), app_nth1 in E by
    (rewrite firstn_length; lia); symmetry; exact E.
Qed.
(** RS-BND-3/L2 in part: ... as of DCG, and so of all that is DCG of some gains and discount *)
Theorem BND_3_L2_dcg k d J : Forall (Rle 0) J -> (forall i, (1 <= i <= k)%nat -> 0 < d i) ->
  (wlb (dcg k d) J = 0 <-> (Nat.min k (length J) <= zeros J)%nat).
Proof.
  intros F D; split.
  - apply (BND_3_L2_only (dcg k d) k J); intros p P E; apply firstn_at_rank; intros i I.
    assert (Forall (Rle 0) p) as G by (eapply Permutation_Forall; eassumption); unfold dcg in E.
    assert (at_rank p i * d i = 0) as Z.
    { symmetry; apply (sum_to_le_eq (fun _ => 0) (fun j => at_rank p j * d j) (Nat.min k (length
    p))); [intros j K; pose proof (at_rank_nonneg p j G); specialize (D j ltac:(lia)); nra|
      |assumption].
      rewrite E; apply sum_to_zero; reflexivity. }
    specialize (D i ltac:(lia)); apply Rmult_integral in Z; lra.
  - apply BND_3_L2; [assumption|]; intros p P Z; unfold dcg; apply sum_to_zero; intros i I.
    rewrite (proj1 (firstn_at_rank k p) Z i I); ring.
Qed.

(** RS-BND-6/L3 in part: ... the worst order has WLB / RLB - 1 where WLB < RLB, so an order has -1
    if and only if WLB = 0 < RLB *)
Theorem BND_6_L3_worst A J : better_first_of J A -> (forall p, Permutation J p -> 0 <= A p) ->
  (wlb A J < rlb A J -> UL2 (wlb A J) (iub A J) (rlb A J) = wlb A J / rlb A J - 1) /\
  ((exists p, Permutation J p /\ UL2 (A p) (iub A J) (rlb A J) = -1) <-> wlb A J = 0 /\ 0 < rlb A
  J).
Proof.
  intros H N; destruct (BND_2_L2 A J H) as [L1 L2]; pose proof (N _ (worst_perm J)) as W;
  fold (wlb A J) in W; split.
  - intros L; unfold UL2; cases; field; lra.
  - split.
    + intros (p & P & E); pose proof (orders_between A J p H P); pose proof (N p P).
      apply BND_6_L3 in E; [|lra|lra]; lra.
    + intros [Z L]; exists (worst J); split; [apply worst_perm|]; fold (wlb A J).
      apply BND_6_L3; lra.
Qed.
(** RS-BND-6/L3 in part: ... where k and |J| are larger than the number of items that add nothing,
    and the weights of the ranks up to k are positive, no order has -1 *)
Theorem BND_6_L3_none A k J : better_first_of J A -> (forall p, Permutation J p -> 0 <= A p) ->
  (forall p, Permutation J p -> A p = 0 -> Forall (eq 0) (firstn k p)) ->
  (zeros J < Nat.min k (length J))%nat ->
  forall p, Permutation J p -> UL2 (A p) (iub A J) (rlb A J) <> -1.
Proof.
  intros H N Z L p P E; destruct (BND_2_L2 A J H); pose proof (orders_between A J p H P).
  pose proof (N p P); pose proof (N _ (worst_perm J)); apply BND_6_L3 in E; [|lra|].
  - destruct (BND_3_L2_only A k J Z) as [_ K]; apply (K L p P); tauto.
  - fold (wlb A J) in *; lra.
Qed.
(** RS-BND-6/L5: ... it is continuous ... *)
Theorem BND_6_L5_continuous I L : 0 < L < I -> continuity (fun A => UL2 A I L).
Proof.
  intros H A; unfold continuity_pt, continue_in, limit1_in, limit_in, dist; cbn; unfold R_dist.
  intros e E; set (K := / L + / (I - L)); assert (0 < / L) by (apply Rinv_0_lt_compat; lra).
  assert (0 < / (I - L)) by (apply Rinv_0_lt_compat; lra).
  exists (e / K); split; [apply Rdiv_lt_0_compat; unfold K; lra|]; intros B [_ D].
  apply (Rmult_lt_compat_r K) in D; [|unfold K; lra].
  replace (e / K * K) with e in D by (field; unfold K; lra).
  assert (forall x y, x <= y -> 0 <= UL2 y I L - UL2 x I L <= (y - x) * K) as steep.
  { assert (forall x y, x <= y -> 0 <= (y - x) * / L /\ 0 <= (y - x) * / (I - L)) as P by
      (intros; split; apply Rmult_le_pos; lra).
    intros x y XY; unfold K; rewrite Rmult_plus_distr_l; unfold UL2.
    destruct (Req_EM_T L I); [lra|]; destruct (Rlt_dec x L), (Rlt_dec y L); try lra.
    - replace ((y - L) / L - (x - L) / L) with ((y - x) * / L) by (field; lra).
      pose proof (P x y XY); lra.
    - pose proof (P x L ltac:(lra)); pose proof (P L y ltac:(lra)).
      replace ((y - L) / (I - L) - (x - L) / L) with ((y - L) * / (I - L) + (L - x) * / L) by
        (field; lra).
      replace ((y - x) * / L) with ((y - L) * / L + (L - x) * / L) by ring.
      replace ((y - x) * / (I - L)) with ((y - L) * / (I - L) + (L - x) * / (I - L)) by ring; lra.
    - replace ((y - L) / (I - L) - (x - L) / (I - L)) with ((y - x) * / (I - L)) by (field; lra).
      pose proof (P x y XY); lra. }
  destruct (Rle_dec A B) as [AB|AB].
  - pose proof (steep A B AB); rewrite Rabs_right in * by lra; lra.
  - pose proof (steep B A ltac:(lra)); rewrite (Rabs_left (B - A)) in D by lra.
    rewrite Rabs_left1 by lra; lra.
Qed.
(** RS-BND-6/L5: ... where RLB = IUB > 0 it rises strictly up to RLB *)
Theorem BND_6_L5_equal A B L : 0 < L -> A < B <= L -> UL2 A L L < UL2 B L L.
Proof.
  intros P H; unfold UL2; cases; [apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra|].
  apply div_lt; lra.
Qed.
Lemma sum_app a b : sum (a ++ b) = sum a + sum b.
Proof. apply total_app. Qed.
(** P@1 of the pool with r relevant items among n: CG@1 of the indicators *)
Lemma p_at_1 r s : (1 <= r)%nat -> let J := repeat 1 r ++ repeat 0 s in
  iub (cg 1) J = 1 /\ rlb (cg 1) J = INR r / INR (r + s).
Proof.
  intros R J; unfold iub, rlb; assert (ideal J = J) as ->.
  { unfold ideal, J; apply best_sorted; clear R; induction r as [|r IH]; cbn.
    - induction s as [|s IH]; cbn; constructor; [exact IH|]; apply Forall_forall; intros x X;
      apply repeat_spec in X; lra.
    - constructor; [exact IH|]; apply Forall_app; split; apply Forall_forall; intros x X;
      apply repeat_spec in X; lra. }
  split.
  - destruct r as [|r]; [lia|]; unfold J, cg; cbn [repeat app length Nat.min sum_to]; unfold
  at_rank; cbn; lra.
  - rewrite (expectation_ext _ (dcg 1 d_none)) by (intros; apply cg_is_dcg).
    rewrite EXP_2_L2; unfold J; rewrite app_length, !repeat_length, sum_app, !sum_repeat.
    rewrite Nat.min_l by lia; cbn [sum_to]; unfold d_none; rewrite Rmult_0_r, Rplus_0_r, Rplus_0_l.
    unfold Rdiv; ring.
Qed.
(** RS-BND-7/L1: ... which has no limit: P@1 of n - 1 relevant items among n can have -(n - 1) *)
Theorem BND_7_L1_no_limit n : (1 <= n)%nat -> let J := repeat 1 n ++ repeat 0 1 in
  exists p, Permutation J p /\ MinMax (cg 1 p) (iub (cg 1) J) (rlb (cg 1) J) = - INR n.
Proof.
  intros N J; destruct (p_at_1 n 1 N) as [E F]; fold J in E, F; exists (0 :: repeat 1 n); split.
  - unfold J; rewrite Permutation_app_comm; reflexivity.
  - rewrite E, F; assert (cg 1 (0 :: repeat 1 n) = 0) as -> by
      (unfold cg; cbn [length Nat.min sum_to]; unfold at_rank; cbn; lra).
    assert (1 <= INR n) by (apply rank_ge_1; assumption); rewrite plus_INR; cbn [INR].
    assert (INR n / (INR n + 1) < 1) by (apply div_lt; lra); unfold MinMax; cases; field; lra.
Qed.
(** RS-BND-8/L2: ... this limit is n for P@1 of one relevant item among n, and 1 where RLB = IUB *)
Theorem BND_8_L2_limit n I : (1 <= n)%nat -> 0 < I ->
  let J := repeat 1 1 ++ repeat 0 (n - 1) in
  Ratio (iub (cg 1) J) (rlb (cg 1) J) = INR n /\ 1 / (I / I) = 1.
Proof.
  intros N P J; destruct (p_at_1 1 (n - 1) ltac:(lia)) as [E F]; fold J in E, F; rewrite E, F.
  replace (1 + (n - 1))%nat with n by lia; assert (1 <= INR n) by (apply rank_ge_1; assumption).
  cbn [INR]; assert (0 < 1 / INR n) by (apply Rdiv_lt_0_compat; lra).
  unfold Ratio, quotient; cases; split; field; lra.
Qed.

(** * More of the normalisations *)

(** RS-BND-4/L3: ... where ties are left open, U, min-max and ratio are their means over the
    orders *)
Theorem BND_4_L3_ties (A : list R -> R) I L T :
  expectation (fun p => U (A p) I) T = U (expectation A T) I /\
  expectation (fun p => MinMax (A p) I L) T = MinMax (expectation A T) I L /\
  expectation (fun p => Ratio (A p) L) T = Ratio (expectation A T) L.
Proof.
  split; [apply mean_quotient|split; [|apply mean_quotient]]; unfold MinMax.
  destruct (Req_EM_T I L) as [E|_]; [apply expectation_const|]; unfold expectation.
  rewrite mean_div; f_equal; unfold Rminus; rewrite mean_plus, mean_const by apply tied_orders_some.
  reflexivity.
Qed.
(** RS-BND-5/L2: ... it can be as near to 1 as one likes: of one item among n, P@1 of the best
    ranking has n/(n + 1) *)
Theorem BND_5_L2_near_1 n : (1 <= n)%nat -> let J := repeat 1 1 ++ repeat 0 (n - 1) in
  UL1 (iub (cg 1) J) (iub (cg 1) J) (rlb (cg 1) J) = INR n / (INR n + 1).
Proof.
  intros N J; destruct (p_at_1 1 (n - 1) ltac:(lia)) as [E F]; fold J in E, F; rewrite E, F.
  replace (1 + (n - 1))%nat with n by lia; assert (1 <= INR n) by (apply rank_ge_1; assumption).
  cbn [INR]; assert (0 < 1 / INR n) by (apply Rdiv_lt_0_compat; lra); unfold UL1; cases; field; lra.
Qed.
(** RS-BND-6/L8: ... below 0 for a larger IUB than 2 RLB, above for a smaller, where not all orders
    have the same A *)
Theorem BND_6_L8_sign (A : list R -> R) I J : let L := rlb A J in 0 < L < I ->
  (exists p, Permutation J p /\ A p <> L) ->
  (2 * L < I -> expectation (fun p => UL2 (A p) I L) [J] < 0) /\
  (I < 2 * L -> 0 < expectation (fun p => UL2 (A p) I L) [J]).
Proof.
  intros L HL (p & P & N); unfold L in *; rewrite BND_6_L8 by assumption; fold L in HL, N |- *.
  assert (0 < expectation (fun p => Rabs (A p - L)) [J]) as M.
  { rewrite expectation_one; assert (0 <= mean (fun p => Rabs (A p - L)) (orders J)) as Z.
    { rewrite <- (mean_const 0 (orders J)) by apply orders_some; apply mean_le; intros; apply
    Rabs_pos. } destruct (Rle_lt_or_eq_dec _ _ Z) as [|E]; [assumption|exfalso]; symmetry in E.
    pose proof (mean_zero _ _ (fun x _ => Rabs_pos (A x - L)) E p) as Q; cbn beta in Q.
    apply (Rabs_no_R0 (A p - L)); [lra|apply Q, orders_are_permutations, P]. }
  set (m := expectation _ _) in *; replace (1 / (I - L) - 1 / L) with ((2 * L - I) / ((I - L) * L))
  by (field; lra); assert (0 < (I - L) * L) by (apply Rmult_lt_0_compat; lra).
  split; intros Q; [assert ((2 * L - I) / ((I - L) * L) < 0) by (apply div_lt; lra); nra|].
  assert (0 < (2 * L - I) / ((I - L) * L)) by (apply Rdiv_lt_0_compat; lra); nra.
Qed.
(** P@1 is 0 or 1. *)
Lemma cg_1_01 r s p : Permutation (repeat 1 r ++ repeat 0 s) p -> p <> [] -> cg 1 p = 0 \/ cg 1 p =
  1.
Proof.
  intros P N; destruct p as [|x p]; [contradiction|]; assert (x = 1 \/ x = 0) as X.
  { assert (In x (repeat 1 r ++ repeat 0 s)) as I by (eapply Permutation_in; [symmetry; exact
  P|left; reflexivity]); apply in_app_or in I; destruct I as [I|I]; apply repeat_spec in I; auto. }
  unfold cg; cbn [length Nat.min sum_to]; unfold at_rank; cbn; destruct X; subst; [right|left]; lra.
Qed.
(** RS-BND-6/L8: ... it can be as near to -1 and to 1 as one likes: P@1 with N_p relevant items
    among n has 2 N_p/n - 1 *)
Theorem BND_6_L8_p_at_1 r s : (1 <= r)%nat -> (1 <= s)%nat -> let J := repeat 1 r ++ repeat 0 s in
  expectation (fun p => UL2 (cg 1 p) (iub (cg 1) J) (rlb (cg 1) J)) [J] = 2 * (INR r / INR (r + s))
  - 1.
Proof.
  intros R S J; destruct (p_at_1 r s R) as [E F]; fold J in E, F.
  assert (1 <= INR r) by (apply rank_ge_1; assumption); assert (1 <= INR s) by (apply rank_ge_1;
  assumption).
  rewrite plus_INR in *; assert (0 < INR r / (INR r + INR s)) by (apply Rdiv_lt_0_compat; lra).
  assert (INR r / (INR r + INR s) < 1) by (apply div_lt; lra); rewrite E, F.
  set (L := INR r / (INR r + INR s)) in *.
  rewrite (expectation_ext _ (fun p => 2 * cg 1 p + - (1))).
  - rewrite expectation_plus, expectation_scale, expectation_const; fold (rlb (cg 1) J); rewrite F;
  lra.
  - intros p P; apply tied_orders_are in P; cbn in P; rewrite app_nil_r in P.
    destruct (cg_1_01 r s p P) as [->| ->]; [|unfold UL2; cases; field; lra|unfold UL2; cases;
    field; lra].
    intros ->; apply Permutation_length in P; unfold J in P; rewrite app_length, !repeat_length in
    P; cbn in P; lia.
Qed.
Lemma loss_at_1_falls A B L : 0 <= A < B -> B <= 1 -> 0 < L < 1 ->
  U B 1 - UL2 B 1 L < U A 1 - UL2 A 1 L /\ U 0 1 - UL2 0 1 L = 1 /\ U 1 1 - UL2 1 1 L = 0 /\
  U L 1 - UL2 L 1 L = L.
Proof.
  intros H HB HL; rewrite !loss_at_1 by lra; cases; repeat split; try (field; lra).
  - assert (A * (1 - L) / L < B * (1 - L) / L); [|lra]; apply Rmult_lt_compat_r; [apply
    Rinv_0_lt_compat; lra|nra].
  - assert (L * (1 - B) / (1 - L) <= L) by (apply div_le; nra).
    assert (A * (1 - L) / L < 1 - L) by (apply div_lt; nra); lra.
  - apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat; lra|nra].
Qed.

(** RS-BND-6/L10: ... it falls with U from 1 to 0, and is rho at chance *)
Theorem BND_6_L10_falls A B I L : 0 <= A < B -> B <= I -> 0 < L < I ->
  U B I - UL2 B I L < U A I - UL2 A I L /\ U 0 I - UL2 0 I L = 1 /\ U I I - UL2 I I L = 0 /\
  U L I - UL2 L I L = L / I.
Proof.
  intros H HB HL; assert (forall x, 0 <= x -> U x I - UL2 x I L = U (x / I) 1 - UL2 (x / I) 1
  (L / I)) as E by (intros x X; destruct (by_rho x I L) as (_ & -> & ->); lra).
  rewrite !E by lra; replace (0 / I) with 0 by (field; lra); replace (I / I) with 1 by
  (field; lra); apply loss_at_1_falls.
  - split; [apply div_nonneg; lra|apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra].
  - apply div_le; lra.
  - split; [apply Rdiv_lt_0_compat|apply div_lt]; lra.
Qed.

(** * The formula of karmaker-2022 for RLB of DCG *)

(** RS-BND-9: the mean gain times d(1) + ... + d(k) *)
Definition rlb_eq7 k d J := sum J / INR (length J) * sum_to d k.

(** RS-BND-9/L1: for k <= |J| it is the exact RLB *)
Theorem BND_9_L1 k d J : (k <= length J)%nat -> rlb_eq7 k d J = rlb (dcg k d) J.
Proof. intros K; unfold rlb_eq7, rlb; rewrite EXP_2_L2, Nat.min_l by assumption; reflexivity. Qed.
(** RS-BND-9/L2: for k > |J| it exceeds the exact RLB by the mean gain times d(|J| + 1)
    + ... + d(k) *)
Theorem BND_9_L2 n d J : rlb_eq7 (length J + n) d J - rlb (dcg (length J + n) d) J =
  sum J / INR (length J) * sum_to (shift (length J) d) n.
Proof. unfold rlb_eq7, rlb; rewrite EXP_2_L2, Nat.min_r, sum_to_split by lia; ring. Qed.
(** RS-BND-9/L3: for a pool of equal gains and k > |J| it exceeds IUB, if d(|J| + 1) > 0 *)
Theorem BND_9_L3 k d g n : nonneg d -> 0 < g -> (0 < n < k)%nat -> 0 < d (S n) ->
  iub (dcg k d) (repeat g n) < rlb_eq7 k d (repeat g n).
Proof.
  intros N G K P; change (iub (dcg k d) (repeat g n)) with (idcg k d (repeat g n));
  rewrite idcg_repeat, dcg_all, whole_repeat by (rewrite repeat_length; lia).
  unfold rlb_eq7; rewrite sum_repeat, repeat_length; assert (0 < INR n) by (apply lt_0_INR; lia).
  replace (INR n * g / INR n) with g by (field; lra); apply Rmult_lt_compat_l; [assumption|].
  apply Rlt_le_trans with (sum_to d (S n)); [cbn; lra|]; apply sum_to_more; [intro; apply N;
  lia|lia].
Qed.
(** RS-BND-9/L3: ... its only ranking then has the UL2 D(|J|)/D(k) - 1 *)
Theorem BND_9_L3_UL2 k d g n : nonneg d -> 0 < g -> (0 < n < k)%nat -> 0 < d (S n) ->
  UL2 (dcg k d (repeat g n)) (iub (dcg k d) (repeat g n)) (rlb_eq7 k d (repeat g n))
  = sum_to d n / sum_to d k - 1.
Proof.
  intros N G K P; pose proof (BND_9_L3 k d g n N G K P) as X;
  change (iub (dcg k d) (repeat g n)) with (idcg k d (repeat g n)) in *.
  rewrite idcg_repeat in *; unfold UL2; destruct (Rlt_dec _ _); [clear r|contradiction]; revert X;
  rewrite dcg_all, whole_repeat by (rewrite repeat_length; lia).
  unfold rlb_eq7; rewrite sum_repeat, repeat_length; assert (0 < INR n) by (apply lt_0_INR; lia).
  replace (INR n * g / INR n) with g by (field; lra); intros X;
  assert (0 <= sum_to d n) by (apply sum_to_nonneg; intros; apply N; lia).
  assert (0 < sum_to d k) by nra; field; lra.
Qed.
(** RS-BND-9/L3: ... it is perfect, and this UL2 is below 0 *)
Theorem BND_9_L3_perfect k d g n p : nonneg d -> 0 < g -> (0 < n < k)%nat -> 0 < d (S n) ->
  Permutation (repeat g n) p -> dcg k d p = iub (dcg k d) (repeat g n) /\
  sum_to d n / sum_to d k - 1 < 0.
Proof.
  intros N G K P Q; split.
  - rewrite (perm_repeat g n p Q); change (iub (dcg k d) (repeat g n)) with
    (idcg k d (repeat g n)); rewrite idcg_repeat; reflexivity.
  - assert (0 <= sum_to d n) by (apply sum_to_nonneg; intros; apply N; lia).
    assert (sum_to d n + d (S n) <= sum_to d k) by (apply (sum_to_more d (S n) k);
    [intro; apply N; lia|lia]).
    assert (sum_to d n / sum_to d k < 1) by (apply div_lt; lra); lra.
Qed.
