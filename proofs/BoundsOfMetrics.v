(* The bounds of some metrics, and those that karmaker-2022 prints for SP: spec/bounds.md. *)
Require Import Reals Lra Lia List Permutation Psatz Sorted.
From Rankspec Require Import Numbers Gain Ties Dcg Length Bounds Cascade.
From Rankspec Require Import Precision.
Require Import QArith Qreals Qminmax Lqa.
Import ListNotations.
Open Scope Q_scope.

(** * Closed forms *)

(** The pool of indicators, best first *)
Definition relevant_first (t : list bool) := repeat true (count t) ++ repeat false (length t - count
  t).

Lemma count_repeat b n : count (repeat b n) = if b then n else 0%nat.
Proof. destruct b; induction n; cbn; congruence. Qed.
Lemma count_app a b : count (a ++ b) = (count a + count b)%nat.
Proof. induction a as [|x a IH]; cbn; [reflexivity|]; rewrite IH; destruct x; reflexivity. Qed.
Lemma relevant_first_perm t : Permutation t (relevant_first t).
Proof.
  unfold relevant_first; induction t as [|[|] t IH]; cbn [count length Nat.add];
  [constructor|apply perm_skip, IH|]; pose proof (count_length t).
  replace (S (length t) - count t)%nat with (S (length t - count t)) by lia; cbn [repeat].
  rewrite IH at 1; apply Permutation_middle.
Qed.
Lemma firstn_relevant k t : (k <= length t)%nat -> firstn k (relevant_first t) =
  repeat true (Nat.min k (count t)) ++ repeat false (k - Nat.min k (count t)).
Proof.
  intros K; unfold relevant_first; rewrite firstn_app, repeat_length.
  assert (forall (b : bool) m n, firstn m (repeat b n) = repeat b (Nat.min m n)) as F by
    (intros b m n; revert m; induction n as [|n IH]; intros [|m]; cbn; try reflexivity; rewrite IH;
     reflexivity).
  rewrite !F; f_equal; f_equal; lia.
Qed.
Lemma count_firstn_relevant k t : count (firstn k (relevant_first t)) = Nat.min k (count t).
Proof.
  destruct (Nat.le_ge_cases k (length t)) as [K|K].
  - rewrite firstn_relevant, count_app, !count_repeat by assumption; lia.
  - pose proof (Permutation_length (relevant_first_perm t)) as L; rewrite firstn_all2 by lia.
    rewrite <- (count_perm _ _ (relevant_first_perm t)); pose proof (count_length t); lia.
Qed.
Lemma sp_relevant_first k t : sp k (relevant_first t) == nat_Q (Nat.min k (count t)).
Proof.
  rewrite <- count_firstn_relevant; apply PREC_5_L1_when; rewrite count_firstn_relevant.
  unfold relevant_first; rewrite firstn_app, repeat_length.
  replace (Nat.min k (count t) - count t)%nat with O by lia; rewrite app_nil_r.
  apply Forall_forall; intros b B; symmetry; apply (repeat_spec (count t) true).
  rewrite <- (firstn_skipn (Nat.min k (count t)) (repeat true (count t))); apply in_or_app; auto.
Qed.
(** RS-BND-1: the greatest value of all orders, of a pool of indicators *)
Definition is_iub (A : list bool -> Q) t x := (exists p, Permutation t p /\ A p == x) /\
  forall p, Permutation t p -> A p <= x.
Lemma iub_of_best (A : list bool -> Q) t x : A (relevant_first t) == x ->
  (forall p, Permutation t p -> A p <= x) -> is_iub A t x.
Proof. intros E M; split; [exists (relevant_first t); split; [apply
  relevant_first_perm|assumption]|exact M].
Qed.
Lemma count_upto k t p : Permutation t p -> nat_Q (count (firstn k p)) <= nat_Q (Nat.min k (count
  t)).
Proof.
  intros P; apply nat_Q_le; pose proof (count_firstn k p); rewrite <- (count_perm _ _ P) in *.
  pose proof (count_length (firstn k p)); rewrite firstn_length in *; lia.
Qed.
(** RS-BND-1/L2 in part: IUB of P is min(k, N_p)/k, of R min(k, N_p)/N_p, of SP min(k, N_p), of AP
    min(k, N_p)/Z *)
Theorem BND_1_L2_precision k t : let m := nat_Q (Nat.min k (count t)) in
  is_iub (precision k) t (m / nat_Q k) /\ is_iub (recall k (count t)) t (m / nat_Q (count t)) /\
  is_iub (sp k) t m /\ forall norm, norm = of_R \/ norm = of_min \/ norm = of_k ->
  is_iub (ap norm k (count t)) t (m / nat_Q (normaliser norm k (count t) [])).
Proof.
  intros m; assert (forall p, Permutation t p -> sp k p <= m) as S by (intros p P; eapply Qle_trans;
    [apply PREC_5_L1|apply count_upto, P]).
  split; [|split; [|split]].
  - apply iub_of_best; unfold precision; [rewrite relevant_count, count_firstn_relevant;
  reflexivity|].
    intros p P; apply over_le; rewrite relevant_count; apply count_upto, P.
  - apply iub_of_best; unfold recall; [rewrite relevant_count, count_firstn_relevant; reflexivity|].
    intros p P; apply over_le; rewrite relevant_count; apply count_upto, P.
  - apply iub_of_best; [apply sp_relevant_first|exact S].
  - intros norm H; apply iub_of_best; [|intros p P]; unfold ap;
    destruct H as [->|[->| ->]]; cbn [normaliser]; rewrite ?sp_relevant_first; try reflexivity;
    apply over_le, S, P.
Qed.
(** RS-BND-1/L2 in part: IUB of RR is 1 if N_p > 0 *)
Theorem BND_1_L2_rr k t : (1 <= k)%nat -> (1 <= count t)%nat -> is_iub (rr k) t 1.
Proof.
  intros K N; apply iub_of_best.
  - unfold relevant_first, rr; destruct (count t); [lia|]; destruct k; [lia|]; reflexivity.
  - intros p _; unfold rr; eapply Qle_trans; [apply rr_from_le; lia|apply Qle_refl].
Qed.
(** RS-BND-4/L2: U(SP@k) = AP@k with the normaliser "min" *)
Theorem BND_4_L2_sp k r t x : is_iub (sp k) t x ->
  U (Q2R (sp k r)) (Q2R x) = Q2R (ap of_min k (count t) r).
Proof.
  intros [(p & P & E) M]; assert (x == nat_Q (Nat.min k (count t))) as X.
  { apply Qle_antisym; [rewrite <- E; eapply Qle_trans; [apply PREC_5_L1|apply count_upto, P]|].
    rewrite <- sp_relevant_first; apply M, relevant_first_perm. }
  rewrite (Qeq_eqR _ _ X); unfold ap; cbn [normaliser]; rewrite Q2R_quotient, Q2R_nat; unfold U,
  quotient.
  destruct (Rlt_dec 0 (INR (Nat.min k (count t)))) as [|N]; [reflexivity|].
  replace (INR (Nat.min k (count t))) with 0%R by (pose proof (pos_INR (Nat.min k (count t)));
  Lra.lra).
  unfold Rdiv; rewrite Rinv_0; ring.
Qed.

(** * The bounds of SP by karmaker-2022 *)

Lemma harmonic_S k : harmonic (S k) = harmonic k + 1 / nat_Q (S k).
Proof. reflexivity. Qed.
Lemma harmonic_ge_1 k : (1 <= k)%nat -> 1 <= harmonic k.
Proof.
  intros K; destruct k as [|k]; [lia|]; clear K; induction k as [|k IH]; [vm_compute;
  discriminate|].
  rewrite harmonic_S; pose proof (nat_Q_pos (S (S k)) ltac:(lia)).
  assert (0 < 1 / nat_Q (S (S k))) by (apply Qlt_shift_div_l; lra); lra.
Qed.
Lemma harmonic_mean_falls k : (1 <= k)%nat ->
  harmonic (S k) / nat_Q (S k) < harmonic k / nat_Q k.
Proof.
  intros K; pose proof (nat_Q_pos k K) as P; rewrite harmonic_S, nat_Q_S.
  pose proof (harmonic_ge_1 k K); apply Qlt_shift_div_l; [assumption|].
  setoid_replace ((harmonic k + 1 / (nat_Q k + 1)) / (nat_Q k + 1) * nat_Q k) with
    ((harmonic k + 1 / (nat_Q k + 1)) * nat_Q k / (nat_Q k + 1)) by (field; lra).
  apply Qlt_shift_div_r; [lra|].
  assert (1 / (nat_Q k + 1) * nat_Q k < 1); [|lra].
  setoid_replace (1 / (nat_Q k + 1) * nat_Q k) with (nat_Q k / (nat_Q k + 1)) by (field; lra).
  apply Qlt_shift_div_r; lra.
Qed.
(** The printed bound as a share of the expectation *)
Definition share k t := rlb_of_paper k t / expected_sp k 0 0 [t].
Lemma below_n t : (0 < count t < length t)%nat -> 1 <= nat_Q (count t) /\
  nat_Q (count t) + 1 <= nat_Q (length t).
Proof.
  intros N; change 1 with (nat_Q 1); split; [apply nat_Q_le; lia|].
  unfold nat_Q; rewrite <- inject_Z_plus, <- Zle_Qle; lia.
Qed.
Lemma expected_sp_positive k t : (0 < count t < length t)%nat -> (1 <= k <= length t)%nat ->
  0 < (nat_Q (count t) - 1) * nat_Q k + (nat_Q (length t) - nat_Q (count t)) * harmonic k.
Proof.
  intros N K; destruct (below_n t N); pose proof (nat_Q_pos k ltac:(lia)).
  pose proof (harmonic_ge_1 k ltac:(lia)); assert (0 <= (nat_Q (count t) - 1) * nat_Q k) by
    (apply Qmult_le_0_compat; lra).
  assert (0 < (nat_Q (length t) - nat_Q (count t)) * harmonic k) by (apply Qmult_lt_0_compat; lra);
  lra.
Qed.
(** RS-BND-10/L3: for 0 < N_p < n and k <= n it is N_p (n - 1)/n k / ((N_p - 1) k + (n - N_p) H_k)
    *)
Theorem BND_10_L3 k t : let n := nat_Q (length t) in let Np := nat_Q (count t) in
  (0 < count t < length t)%nat -> (1 <= k <= length t)%nat ->
  share k t == Np * (n - 1) / n * (nat_Q k / ((Np - 1) * nat_Q k + (n - Np) * harmonic k)).
Proof.
  intros n Np N K; pose proof (expected_sp_positive k t N K) as P; destruct (below_n t N) as [A B].
  unfold share, rlb_of_paper; rewrite EXP_9_L2 by lia; fold n Np in A, B, P |- *; field; repeat
  split; lra.
Qed.
(** RS-BND-10/L2: ... for n = 1 it is 0 too *)
Theorem BND_10_L2_one b : (expected_sp 1 0 0 [[b]] - rlb_of_paper 1 [b] == 0)%Q.
Proof. destruct b; vm_compute; reflexivity. Qed.
(** RS-BND-10/L3: ... N_p / n at k = 1 ... *)
Theorem BND_10_L3_first t : (0 < count t < length t)%nat ->
  share 1 t == nat_Q (count t) / nat_Q (length t).
Proof.
  intros N; destruct (below_n t N) as [A B]; rewrite BND_10_L3 by lia.
  assert (harmonic 1 == 1) as -> by reflexivity; change (nat_Q 1) with 1; field; lra.
Qed.
(** RS-BND-10/L3: ... rising strictly with k, but below 1 up to k = n *)
Theorem BND_10_L3_rises k t : (0 < count t < length t)%nat -> (1 <= k <= length t)%nat ->
  ((S k <= length t)%nat -> share k t < share (S k) t) /\ share k t < 1.
Proof.
  intros N K; destruct (below_n t N) as [A B]; pose proof (expected_sp_positive k t N K) as P;
  split.
  - intros K'; rewrite !BND_10_L3 by lia; pose proof (expected_sp_positive (S k) t N ltac:(lia)) as
  P'.
    set (n := nat_Q (length t)) in *; set (Np := nat_Q (count t)) in *.
    apply Qmult_lt_l; [apply Qlt_shift_div_l; [lra|]; rewrite Qmult_0_l; apply Qmult_lt_0_compat;
    lra|].
    pose proof (nat_Q_pos k ltac:(lia)) as Pk; pose proof (nat_Q_pos (S k) ltac:(lia)) as Pk'.
    pose proof (harmonic_mean_falls k ltac:(lia)) as F.
    assert (harmonic (S k) * nat_Q k < harmonic k * nat_Q (S k)) as F'.
    { apply (Qmult_lt_r _ _ (nat_Q k * nat_Q (S k))) in F; [|apply Qmult_lt_0_compat; assumption].
      setoid_replace (harmonic (S k) / nat_Q (S k) * (nat_Q k * nat_Q (S k))) with
        (harmonic (S k) * nat_Q k) in F by (field; lra).
      setoid_replace (harmonic k / nat_Q k * (nat_Q k * nat_Q (S k))) with
        (harmonic k * nat_Q (S k)) in F by (field; lra); exact F. }
    apply Qlt_shift_div_l; [assumption|]; set (D := (Np - 1) * nat_Q k + _) in *.
    setoid_replace (nat_Q k / D * ((Np - 1) * nat_Q (S k) + (n - Np) * harmonic (S k))) with
      (nat_Q k * ((Np - 1) * nat_Q (S k) + (n - Np) * harmonic (S k)) / D) by (field; lra).
    apply Qlt_shift_div_r; [assumption|]; unfold D.
    assert ((n - Np) * (harmonic (S k) * nat_Q k) < (n - Np) * (harmonic k * nat_Q (S k))) by
      (apply Qmult_lt_l; lra); lra.
  - destruct (BND_10_L2 k t ltac:(lia) K) as [[_ Q] _]; specialize (Q N); unfold share.
    apply Qlt_shift_div_r; [|lra].
    assert (0 <= rlb_of_paper k t); [|lra]; unfold rlb_of_paper.
    apply Qmult_le_0_compat; [apply nat_Q_nonneg|]; set (x := nat_Q (count t) / nat_Q (length t)).
    destruct (Qlt_le_dec x 0); nra.
Qed.
(** RS-BND-10/L5: for k > n the printed value goes on rising with k, and E does not *)
Theorem BND_10_L5_beyond k t : (1 <= count t)%nat -> (length t <= k)%nat ->
  rlb_of_paper k t < rlb_of_paper (S k) t /\
  (expectation (fun p => Q2R (sp (S k) p)) [t] = expectation (fun p => Q2R (sp k p)) [t])%R.
Proof.
  intros N K; split.
  - unfold rlb_of_paper; pose proof (nat_Q_pos (count t) N); pose proof (count_length t).
    pose proof (nat_Q_pos (length t) ltac:(lia)); set (x := nat_Q (count t) / nat_Q (length t)).
    assert (0 < x) by (apply Qlt_shift_div_l; lra); assert (0 < x * x) by (apply Qmult_lt_0_compat;
    lra).
    rewrite nat_Q_S; lra.
  - apply expectation_ext; intros p P; apply tied_orders_are in P; cbn in P; rewrite app_nil_r in P.
    apply Permutation_length in P; unfold sp; rewrite !Nat.min_r by lia; reflexivity.
Qed.
(** RS-BND-10/L6: IUB = k is the greatest SP@k if and only if N_p >= k *)
Theorem BND_10_L6 k t : is_iub (sp k) t (iub_of_paper k) <-> (k <= count t)%nat.
Proof.
  destruct (BND_1_L2_precision k t) as (_ & _ & [(p & P & E) M] & _); unfold iub_of_paper; split.
  - intros [(q & Q & F) _]; specialize (M q Q); rewrite F in M; unfold nat_Q in M; rewrite <-
  Zle_Qle in M.
    lia.
  - intros K; rewrite Nat.min_l in E, M by assumption; split; [exists p; split; assumption|exact M].
Qed.
(** RS-BND-10/L6: ... otherwise no ranking has U = 1 or UL2 = 1 *)
Theorem BND_10_L6_none k t r rest : Permutation t (r ++ rest) -> (count t < k)%nat ->
  U (Q2R (sp k r)) (Q2R (iub_of_paper k)) <> 1%R /\
  UL2 (Q2R (sp k r)) (Q2R (iub_of_paper k)) (Q2R (rlb_of_paper k t)) <> 1%R.
Proof.
  intros P K; destruct (PREC_5_L1 k r) as [A B]; pose proof (count_firstn k r).
  assert (count r <= count t)%nat by (rewrite (count_perm _ _ P), count_app; lia).
  assert (sp k r < iub_of_paper k) as L.
  { eapply Qle_lt_trans; [exact B|]; unfold iub_of_paper, nat_Q; rewrite <- Zlt_Qlt; lia. }
  assert (0 <= rlb_of_paper k t) as N.
  { unfold rlb_of_paper; apply Qmult_le_0_compat; [apply nat_Q_nonneg|].
    set (x := nat_Q (count t) / nat_Q (length t)); destruct (Qlt_le_dec x 0); nra. }
  apply Qle_Rle in A, N; apply Qlt_Rlt in L; rewrite Q2R_zero in A, N.
  set (a := Q2R (sp k r)) in *; set (I := Q2R (iub_of_paper k)) in *; set (l := Q2R (rlb_of_paper k
  t)) in *.
  unfold U, UL2, quotient; split; cases; rewrite ?div_eq by Lra.lra; Lra.lra.
Qed.

(** ** In the limit *)

Require Import Lra.
Close Scope Q_scope.
Open Scope R_scope.

(** The expectation of SP by x = N_p/n and z = 1/(n - 1) *)
Lemma expectation_by_share k t : (2 <= length t)%nat -> (k <= length t)%nat ->
  let x := INR (count t) / INR (length t) in let z := / (INR (length t) - 1) in
  let H := Q2R (harmonic k) in
  expectation (fun p => Q2R (sp k p)) [t] = x * ((x * (1 + z) - z) * INR k + (1 - x) * (1 + z) * H).
Proof.
  intros N K x z H; rewrite EXP_9_L1, (Qeq_eqR _ _ (EXP_9_L2 k t N K)).
  rewrite Q2R_mult, Q2R_quotient, Q2R_plus, !Q2R_mult, !Q2R_minus, !Q2R_nat, Q2R_one; fold H.
  assert (2 <= INR (length t)) by (apply le_INR in N; exact N); unfold x, z; field; lra.
Qed.
Lemma CV_const c : Un_cv (fun _ => c) c.
Proof. intros e E; exists 0%nat; intros n _; unfold R_dist; rewrite Rminus_diag_eq, Rabs_R0; auto.
  Qed.
Lemma CV_ext u v l : (forall i, u i = v i) -> Un_cv u l -> Un_cv v l.
Proof. intros H C e E; destruct (C e E) as (N & P); exists N; intros n M; rewrite <- H; auto. Qed.
Lemma CV_div u v a b : Un_cv u a -> Un_cv v b -> b <> 0 -> Un_cv (fun i => u i / v i) (a / b).
Proof.
  intros U V B; apply (CV_mult u (fun i => / v i) a (/ b)); [assumption|].
  apply (continuity_seq (fun x => / x) v b); [|assumption]; apply continuity_pt_inv;
  [apply derivable_continuous_pt, derivable_pt_id|assumption].
Qed.
Definition to_infinity (u : nat -> R) := forall M, exists N, forall n, (N <= n)%nat -> M < u n.
(** RS-BND-10/L4: for n -> oo with N_p/n -> x and fixed k the expectation tends to k x^2 + x (1 -
    x) H_k, the difference to x (1 - x) H_k, the share to x k / (x k + (1 - x) H_k) *)
Theorem BND_10_L4 k (t : nat -> list bool) x : (1 <= k)%nat ->
  (forall i, (2 <= length (t i))%nat /\ (k <= length (t i))%nat) ->
  to_infinity (fun i => INR (length (t i))) ->
  Un_cv (fun i => INR (count (t i)) / INR (length (t i))) x ->
  let E := fun i => expectation (fun p => Q2R (sp k p)) [t i] in
  let printed := fun i => Q2R (rlb_of_paper k (t i)) in let H := Q2R (harmonic k) in
  Un_cv E (INR k * (x * x) + x * (1 - x) * H) /\
  Un_cv (fun i => E i - printed i) (x * (1 - x) * H) /\
  (0 <= x <= 1 -> (forall i, (1 <= count (t i))%nat) ->
   Un_cv (fun i => printed i / E i) (x * INR k / (x * INR k + (1 - x) * H))).
Proof.
  intros K L C X E printed H; set (y := fun i => INR (count (t i)) / INR (length (t i))) in *.
  set (z := fun i => / (INR (length (t i)) - 1)).
  assert (Un_cv z 0) as Z.
  { intros e P; destruct (C (1 + / e)) as (N & M); exists N; intros n I; specialize (M n I).
    pose proof (Rinv_0_lt_compat e P); unfold R_dist, z; rewrite Rminus_0_r, Rabs_right.
    - rewrite <- (Rinv_inv e); apply Rinv_lt_contravar; [apply Rmult_lt_0_compat|]; lra.
    - apply Rle_ge, Rlt_le, Rinv_0_lt_compat; lra. }
  set (G := fun i => (y i * (1 + z i) - z i) * INR k + (1 - y i) * (1 + z i) * H).
  assert (Un_cv G (x * INR k + (1 - x) * H)) as CG.
  { pose proof (CV_plus _ _ _ _ (CV_const 1) Z) as Z1.
    pose proof (CV_minus _ _ _ _ (CV_const 1) X) as X1.
    replace (x * INR k + (1 - x) * H) with
      ((x * (1 + 0) - 0) * INR k + (1 - x) * (1 + 0) * H) by ring.
    apply CV_plus; apply CV_mult; try apply CV_const.
    - apply CV_minus; [apply CV_mult; [exact X|exact Z1]|exact Z].
    - apply CV_mult; [exact X1|exact Z1]. }
  assert (forall i, E i = y i * G i) as EG by (intros i; destruct (L i); unfold E;
    rewrite expectation_by_share by assumption; reflexivity).
  assert (forall i, printed i = INR k * (y i * y i)) as EP by (intros i; unfold printed,
    rlb_of_paper, y; rewrite !Q2R_mult, !Q2R_quotient, !Q2R_nat; reflexivity).
  assert (Un_cv E (INR k * (x * x) + x * (1 - x) * H)) as CE.
  { replace (INR k * (x * x) + x * (1 - x) * H) with (x * (x * INR k + (1 - x) * H)) by ring.
    apply CV_ext with (fun i => y i * G i); [intros; symmetry; apply EG|].
    apply CV_mult; assumption. }
  assert (Un_cv printed (INR k * (x * x))) as CP.
  { apply CV_ext with (fun i => INR k * (y i * y i)); [intros; symmetry; apply EP|].
    apply CV_mult; [apply CV_const|apply CV_mult; exact X]. }
  split; [exact CE|split].
  - replace (x * (1 - x) * H) with (INR k * (x * x) + x * (1 - x) * H - INR k * (x * x)) by ring.
    apply CV_minus; assumption.
  - intros R N; assert (0 < INR k) by (apply lt_0_INR; lia).
    assert (1 <= H) as H1 by (unfold H; rewrite <- Q2R_one; apply Qle_Rle, harmonic_ge_1, K).
    assert (0 < x * INR k + (1 - x) * H).
    { assert (0 <= x * INR k) by (apply Rmult_le_pos; lra).
      destruct (Req_dec x 1) as [->|]; [lra|]; assert (0 < (1 - x) * H) by
        (apply Rmult_lt_0_compat; lra); lra. }
    apply CV_ext with (fun i => y i * INR k / G i); [|apply CV_div; [apply CV_mult; [exact X|apply
    CV_const]|exact CG|lra]].
    intros i; rewrite EG, EP; assert (0 < y i).
    { destruct (L i); apply Rdiv_lt_0_compat; apply lt_0_INR; [apply N|lia]. }
    destruct (Req_dec (G i) 0) as [->|]; [|field; lra].
    rewrite Rmult_0_r; unfold Rdiv; rewrite Rinv_0; ring.
Qed.

(** The share in the limit *)
Definition limit_share k x := x * INR k / (x * INR k + (1 - x) * Q2R (harmonic k)).
Lemma limit_share_below k x : (1 <= k)%nat -> 0 < x <= 1 ->
  0 < x * INR k + (1 - x) * Q2R (harmonic k).
Proof.
  intros K X; assert (0 < INR k) by (apply lt_0_INR; lia).
  assert (1 <= Q2R (harmonic k)) by (rewrite <- Q2R_one; apply Qle_Rle, harmonic_ge_1, K).
  assert (0 < x * INR k) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= (1 - x) * Q2R (harmonic k)) by (apply Rmult_le_pos; lra); lra.
Qed.
Lemma fraction_lt a b c d : 0 < b -> 0 < d -> a * d < c * b -> a / b < c / d.
Proof.
  intros B D H; apply div_lt; [assumption|]; replace (c / d * b) with (c * b / d) by (field; lra).
  apply lt_div; assumption.
Qed.
(** RS-BND-10/L4: ... the printed bound is too low, by the larger share, the smaller x and k are *)
Theorem BND_10_L4_share k x : (1 <= k)%nat -> 0 < x < 1 -> limit_share k x < 1 /\
  (forall y, x < y <= 1 -> limit_share k x < limit_share k y) /\
  limit_share k x < limit_share (S k) x.
Proof.
  intros K X; assert (0 < INR k) as P by (apply lt_0_INR; lia).
  assert (1 <= Q2R (harmonic k)) as H by (rewrite <- Q2R_one; apply Qle_Rle, harmonic_ge_1, K).
  pose proof (limit_share_below k x K ltac:(lra)) as D.
  assert (0 < (1 - x) * Q2R (harmonic k)) by (apply Rmult_lt_0_compat; lra).
  split; [|split].
  - unfold limit_share; apply div_lt; lra.
  - intros y Y; pose proof (limit_share_below k y K ltac:(lra)) as D'.
    apply fraction_lt; try assumption.
    set (K' := INR k) in *; set (H' := Q2R (harmonic k)) in *.
    assert (0 < K' * H') by (apply Rmult_lt_0_compat; lra).
    assert (0 < (y - x) * (K' * H')) by (apply Rmult_lt_0_compat; lra).
    replace (y * K' * (x * K' + (1 - x) * H')) with
      (x * K' * (y * K' + (1 - y) * H') + (y - x) * (K' * H')) by ring; lra.
  - pose proof (limit_share_below (S k) x ltac:(lia) ltac:(lra)) as D'.
    apply fraction_lt; try assumption; assert (0 < INR (S k)) by (apply lt_0_INR; lia).
    assert (Q2R (harmonic (S k)) * INR k < Q2R (harmonic k) * INR (S k)) as F.
    { pose proof (harmonic_mean_falls k K) as F; apply Qlt_Rlt in F.
      rewrite !Q2R_quotient, !Q2R_nat in F.
      apply (Rmult_lt_compat_r (INR k * INR (S k))) in F; [|apply Rmult_lt_0_compat; assumption].
      replace (Q2R (harmonic (S k)) / INR (S k) * (INR k * INR (S k))) with
        (Q2R (harmonic (S k)) * INR k) in F by (field; lra).
      replace (Q2R (harmonic k) / INR k * (INR k * INR (S k))) with
        (Q2R (harmonic k) * INR (S k)) in F by (field; lra); exact F. }
    set (a := INR k) in *; set (b := INR (S k)) in *; set (u := Q2R (harmonic k)) in *.
    set (v := Q2R (harmonic (S k))) in *.
    assert (0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
    assert (0 < x * (1 - x) * (u * b - v * a)) by (apply Rmult_lt_0_compat; lra).
    replace (x * b * (x * a + (1 - x) * u)) with
      (x * a * (x * b + (1 - x) * v) + x * (1 - x) * (u * b - v * a)) by ring; lra.
Qed.

(** * Other metrics *)

(** RS-BND-1/L1 in part: of LDCG, of which IUB is ILDCG, it is the greatest of all lists that show
    items of J *)
Theorem BND_1_L1_length z M d w J r rest : falls d -> nonneg d -> Forall (Rle 0) J ->
  Permutation J (r ++ rest) -> ldcg z M d w r <= ildcg z M d w J.
Proof. exact (LEN_7_L1 z M d w J r rest). Qed.
Lemma best_of_indicators a b : best (repeat 1 a ++ repeat 0 b) = repeat 1 a ++ repeat 0 b.
Proof.
  apply best_sorted; induction a as [|a IH]; cbn.
  - induction b as [|b IH]; cbn; constructor; [exact IH|]; apply Forall_forall; intros x X;
    apply repeat_spec in X; lra.
  - constructor; [exact IH|]; apply Forall_app; split; apply Forall_forall; intros x X;
    apply repeat_spec in X; lra.
Qed.
(** RS-BND-1/L2 in part: IUB of RBP is 1 - p^min(k, N_p), of nERR 1, or 0 *)
Theorem BND_1_L2_cascade k p a b J : iub (rbp k p) (repeat 1 a ++ repeat 0 b) = 1 - p ^ Nat.min k a
  /\ iub (fun r => nerr k r J) J = if Rlt_dec 0 (ierr k J) then 1 else 0.
Proof.
  split.
  - unfold iub, ideal; rewrite best_of_indicators, CAS_5_L2, dcg_cut, whole_app, !whole_repeat.
    rewrite Rmult_0_l, Rplus_0_r, Rmult_1_l.
    pose proof (sum_to_shift_cut k (fun i => (1 - p) * p ^ (i - 1)) 0 a) as E.
    rewrite Nat.sub_0_r in E; transitivity (sum_to (shift 0 (cut k (fun i => (1 - p) * p ^ (i -
    1)))) a); [apply sum_to_ext; intros; reflexivity|]; rewrite E, Nat.min_comm; generalize (Nat.min
    k a).
    induction n as [|n IH]; [cbn; ring|]; cbn [sum_to]; rewrite IH; unfold shift; cbn [Nat.add
    Nat.sub]; rewrite Nat.sub_0_r; cbn; ring.
  - unfold iub, nerr, quotient; fold (ierr k J); destruct (Rlt_dec 0 (ierr k J)); [field;
  lra|reflexivity].
Qed.
(** RS-BND-2/L1 in part: of ERR, nERR and RBP it is the expectation of one tie group of all of J *)
Theorem BND_2_L1_cascade k p J K : rlb (err k) J = expected_err k 0 1 [J] /\
  rlb (fun r => nerr k r K) J = expected_nerr k [J] K /\ rlb (rbp k p) J = expected_rbp k p [J].
Proof. split; [apply EXP_14_L1|split; [apply EXP_15_L1|apply EXP_16_L1]]. Qed.
(** RS-BND-2/L1 in part: ... so it is of P, R, SP and AP *)
Theorem BND_2_L1_precision k Np norm t : norm = of_R \/ norm = of_min \/ norm = of_k ->
  mean (fun p => Q2R (precision k p)) (orders t) = Q2R (expected_precision k [t]) /\
  mean (fun p => Q2R (recall k Np p)) (orders t) = Q2R (expected_recall k Np [t]) /\
  mean (fun p => Q2R (sp k p)) (orders t) = Q2R (expected_sp k 0 0 [t]) /\
  mean (fun p => Q2R (ap norm k Np p)) (orders t) = Q2R (expected_ap (normaliser norm k Np []) k
  [t]).
Proof.
  intros H; rewrite <- !(fun M => @expectation_one bool M t); repeat split;
  [apply EXP_5_L1|apply EXP_6_L1|apply EXP_9_L1|apply EXP_10_L1, H].
Qed.

Lemma quotient_positive a b : 0 < quotient a b -> 0 < a /\ 0 < b.
Proof.
  unfold quotient; destruct (Rlt_dec 0 b) as [B|]; [|lra]; intros H; split; [|exact B].
  apply (Rmult_lt_compat_r b) in H; [|exact B]; replace (a / b * b) with a in H by
  (field; lra); lra.
Qed.
Lemma ldcg_more z M d w r rest : 0 < z -> nonneg d -> nonneg w -> Forall (Rle 0) (r ++ rest) ->
  0 < ldcg z M d w r -> 0 < ldcg z M d w (r ++ rest).
Proof.
  intros Z D W F H; apply quotient_positive in H; destruct H as [A B].
  assert (dcg M d r <= dcg M d (r ++ rest)) as A'.
  { unfold dcg; rewrite app_length; apply Rle_trans with (sum_to (fun i => at_rank (r ++ rest) i * d
    i) (Nat.min M (length r))).
    - right; apply sum_to_ext; intros i I; unfold at_rank; rewrite app_nth1 by lia; reflexivity.
    - apply sum_to_more; [|lia]; intro i; apply Rmult_le_pos; [apply at_rank_nonneg, F|apply D;
      lia]. }
  assert (S_of w d (Nat.min (length r) M) <= S_of w d (Nat.min (length (r ++ rest)) M)) as B'.
  { unfold S_of; apply sum_to_more; [|rewrite app_length; lia]; intro i; apply Rmult_le_pos;
    [apply W|apply D]; lia. }
  assert (0 < S_of w d (Nat.min (length r) M)) by nra; unfold ldcg, quotient.
  destruct (Rlt_dec _ _) as [|N]; [apply Rdiv_lt_0_compat; lra|exfalso; apply N].
  apply Rmult_lt_0_compat; lra.
Qed.
(** RS-BND-2/L3 in part: ... so it is of LDCG, of which IUB is ILDCG *)
Theorem BND_2_L3_length z M d w J : 0 < z -> falls d -> nonneg d -> nonneg w -> Forall (Rle 0) J ->
  (0 < rlb (ldcg z M d w) J <-> 0 < ildcg z M d w J).
Proof.
  intros Z F D W N; rewrite BND_2_L3_lists.
  - split.
    + intros (r & rest & P & H); pose proof (LEN_7_L1 z M d w J r rest F D N P); lra.
    + intros H; destruct (LEN_7_L1_attained z M d w J) as [E|(n & _ & E)]; [lra|].
      exists (firstn n (ideal J)), (skipn n (ideal J)); rewrite firstn_skipn, <- E.
      split; [apply DCG_4_L1|exact H].
  - intros p P; apply quotient_nonneg, dcg_nonneg; [exact D|]; eapply Permutation_Forall;
    [exact P|exact N].
  - intros r rest P H; apply ldcg_more; try assumption; eapply Permutation_Forall;
    [exact P|exact N].
Qed.

(** RS-BND-2/L1 in part: ... of LDCG, LNDCG and nCG *)
Theorem BND_2_L1_length z M d w J k : rlb (ldcg z M d w) J = expected_ldcg z M d w [J] /\
  rlb (fun r => lndcg M d w r J) J = expected_lndcg M d w [J] J /\
  rlb (fun r => ncg k r J) J = expected_ncg k [J] J.
Proof. split; [apply EXP_11_L1|split; [apply EXP_12_L1|apply EXP_80_L1]]. Qed.
(** RS-BND-2/L1 in part: ... and of GAP *)
Theorem BND_2_L1_gap q k t J : mean (fun p => Q2R (gap q k p J)) (orders t) =
  Q2R (expected_gap q k [t] J).
Proof. rewrite <- EXP_18_L1; symmetry; apply expectation_one. Qed.
(** RS-BND-1/L2 in part: ... IUB of LDCG is ILDCG, the greatest of all lists, and LNDCG with the
    ideal "true" has then 1, or 0 *)
Theorem BND_1_L2_length z M d w J : (ildcg z M d w J = 0 \/ exists r rest,
  Permutation J (r ++ rest) /\ ldcg z M d w r = ildcg z M d w J) /\
  forall r, ldcg 1 M d w r = ildcg 1 M d w J ->
  lndcg M d w r J = if Rlt_dec 0 (ildcg 1 M d w J) then 1 else 0.
Proof.
  split.
  - destruct (LEN_7_L1_attained z M d w J) as [E|(n & _ & E)]; [left; exact E|right].
    exists (firstn n (ideal J)), (skipn n (ideal J)); rewrite firstn_skipn.
    split; [apply DCG_4_L1|symmetry; exact E].
  - intros r E; unfold lndcg, quotient; rewrite E; destruct (Rlt_dec _ _); [field; lra|reflexivity].
Qed.
(** RS-BND-3/L1 in part: ... of DCG and ERR, of which an item that changes places with a better one
    right below it never lowers the value *)
Theorem BND_3_L1_metrics k d J p : falls d -> nonneg d -> Permutation J p ->
  wlb (dcg k d) J <= dcg k d p /\ (Forall probability J -> wlb (err k) J <= err k p).
Proof.
  intros F N P; split.
  - apply BND_3_L1; [apply better_first_any, dcg_better_first; assumption|exact P].
  - intros A; apply BND_3_L1; [|exact P]; intros a x y b Q; apply err_better_first.
    eapply Permutation_Forall; [exact Q|exact A].
Qed.

(** * The paper's names *)

(** RS-BND-11: DCG_V1^UL and DCG_V2^UL: UL1 and UL2 of DCG with the gain 2^r - 1, here with the
    base b *)
Definition dcg_v1 b k (r J : list R) := let A := dcg k (d_log b) in
  UL1 (A (map exp2 r)) (iub A (map exp2 J)) (rlb A (map exp2 J)).
Definition dcg_v2 b k (r J : list R) := let A := dcg k (d_log b) in
  UL2 (A (map exp2 r)) (iub A (map exp2 J)) (rlb A (map exp2 J)).

Lemma rlb_scale c (A : list R -> R) J : rlb (fun p => c * A p) J = c * rlb A J.
Proof. apply expectation_scale. Qed.
Lemma rlb_nonneg A J : (forall p, Permutation J p -> 0 <= A p) -> 0 <= rlb A J.
Proof.
  intros H; unfold rlb; rewrite expectation_one, <- (mean_const 0 (orders J)) by apply orders_some.
  apply mean_le; intros p P; apply H, orders_are_permutations, P.
Qed.
Lemma d_log_nonneg b : 1 < b -> nonneg (d_log b).
Proof. intros B; apply (strictly_falls (d_log b)); intros; apply DISC_1_L1; assumption. Qed.
Lemma exp2_nonneg r : Forall (Rle 0) r -> Forall (Rle 0) (map exp2 r).
Proof.
  intros F; apply Forall_map; eapply Forall_impl; [|exact F]; cbn; intros x [X|<-]; [|rewrite
  exp2_0; lra].
  rewrite <- exp2_0; apply Rlt_le, GAIN_2_L1, X.
Qed.
(** RS-BND-4/L4 in part: ... dividing by a number of the pool changes none of them either, also
    where it is 0, if the bounds are 0 there *)
Theorem BND_4_L4_divided D A I L : 0 <= D -> 0 <= A -> 0 <= L -> (D = 0 -> I = 0 /\ L = 0) ->
  U (quotient A D) (quotient I D) = U A I /\
  UL1 (quotient A D) (quotient I D) (quotient L D) = UL1 A I L /\
  UL2 (quotient A D) (quotient I D) (quotient L D) = UL2 A I L /\
  MinMax (quotient A D) (quotient I D) (quotient L D) = MinMax A I L /\
  Ratio (quotient A D) (quotient L D) = Ratio A L.
Proof.
  intros HD HA HL Z; destruct (Rle_lt_or_eq_dec 0 D HD) as [P|E].
  - assert (forall x, quotient x D = / D * x) as Q by (intros x; unfold quotient;
    destruct (Rlt_dec 0 D); [unfold Rdiv; ring|contradiction]).
    rewrite !Q; apply BND_4_L4; [apply Rinv_0_lt_compat|..]; assumption.
  - destruct (Z (eq_sym E)) as [-> ->]; assert (forall x, quotient x D = 0) as Q by (intros x;
    unfold quotient; destruct (Rlt_dec 0 D); [lra|reflexivity]).
    rewrite !Q; unfold U, UL1, UL2, MinMax, Ratio, quotient; repeat split; cases.
Qed.
Lemma ideal_of_nothing K k d J p : falls d -> nonneg d -> Forall (Rle 0) J -> (1 <= K)%nat ->
  idcg K d J = 0 -> Permutation J p -> dcg k d p = 0.
Proof.
  intros F N A HK E P; assert (Forall (Rle 0) p) as B by (eapply Permutation_Forall; eassumption).
  unfold dcg; apply sum_to_zero; intros i I; pose proof (at_rank_nonneg p i B) as X.
  assert (In (at_rank p i) (ideal J)) as M by (eapply Permutation_in; [etransitivity;
    [symmetry; exact P|apply DCG_4_L1]|apply nth_In; lia]).
  pose proof (DCG_4_L1 J) as PJ; pose proof (ideal_falls J) as S; unfold idcg in E.
  destruct (ideal J) as [|m s]; [contradiction|]; apply StronglySorted_inv in S.
  assert (at_rank p i <= m) as L.
  { destruct M as [<-|M]; [lra|]; destruct S as [_ S]; rewrite Forall_forall in S; specialize (S _
    M); cbn beta in S; lra. }
  assert (Forall (Rle 0) (m :: s)) as C by (eapply Permutation_Forall; [exact PJ|exact A]).
  assert (m * d 1%nat <= 0) as Z.
  { rewrite <- E; unfold dcg; apply Rle_trans with (sum_to (fun j => at_rank (m :: s) j * d j) 1).
    - cbn [sum_to]; unfold at_rank; cbn; lra.
    - apply sum_to_more; [intro j; apply Rmult_le_pos; [apply at_rank_nonneg, C|apply N; lia]|].
      cbn [length]; lia. }
  assert (0 <= d i) by (apply N; lia); assert (d i <= d 1%nat) by (apply falls_le; [exact F|lia]).
  assert (at_rank p i * d i <= m * d 1%nat) by (apply Rmult_le_compat; assumption).
  assert (0 <= at_rank p i * d i) by (apply Rmult_le_pos; assumption); lra.
Qed.
(** RS-BND-4/L4 in part: ... so they are the same for nDCG, with any K, and DCG *)
Theorem BND_4_L4_ndcg K k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> Forall (Rle 0) J ->
  (1 <= K)%nat -> let A := dcg k d in let N := fun p => ndcg_by K k d p J in
  U (N r) (iub N J) = U (A r) (iub A J) /\
  UL1 (N r) (iub N J) (rlb N J) = UL1 (A r) (iub A J) (rlb A J) /\
  UL2 (N r) (iub N J) (rlb N J) = UL2 (A r) (iub A J) (rlb A J) /\
  MinMax (N r) (iub N J) (rlb N J) = MinMax (A r) (iub A J) (rlb A J) /\
  Ratio (N r) (rlb N J) = Ratio (A r) (rlb A J).
Proof.
  intros F D Fr FJ HK A N; assert (forall p, Permutation J p -> 0 <= A p) as P by (intros p P;
  apply dcg_nonneg; [assumption|eapply Permutation_Forall; eassumption]).
  assert (rlb N J = quotient (rlb A J) (idcg K d J)) as -> by apply mean_quotient.
  apply BND_4_L4_divided; [apply dcg_nonneg; [exact D|apply ideal_nonneg, FJ]|apply dcg_nonneg;
    assumption|apply rlb_nonneg, P|].
  intros E; assert (forall p, Permutation J p -> A p = 0) as Z by (intros p Q;
  apply (ideal_of_nothing K k d J p); assumption).
  split; [apply Z, DCG_4_L1|]; unfold rlb; rewrite (expectation_ext _ (fun _ => 0)),
  expectation_const; [reflexivity|]; intros p Q; apply Z; apply tied_orders_are in Q; cbn in Q.
  rewrite app_nil_r in Q; exact Q.
Qed.
(** RS-BND-11/L1: with any base b the values are the same *)
Theorem BND_11_L1 b k r J : 1 < b -> Forall (Rle 0) r -> Forall (Rle 0) J ->
  dcg_v1 b k r J = dcg_v1 2 k r J /\ dcg_v2 b k r J = dcg_v2 2 k r J.
Proof.
  intros B FR FJ; set (c := log 2 b); assert (0 < c) as C by (apply Rdiv_lt_0_compat; apply ln_pos;
  lra).
  assert (forall l, dcg k (d_log b) l = c * dcg k (d_log 2) l) as E by (intros l; rewrite <-
  dcg_scale_d; apply dcg_ext; intros; apply DISC_1_L2; assumption).
  assert (rlb (dcg k (d_log b)) (map exp2 J) = c * rlb (dcg k (d_log 2)) (map exp2 J)) as ER by
    (rewrite <- rlb_scale; apply expectation_ext; intros; apply E).
  pose proof (d_log_nonneg 2 ltac:(lra)) as D.
  destruct (BND_4_L4 c (dcg k (d_log 2) (map exp2 r)) (iub (dcg k (d_log 2)) (map exp2 J))
    (rlb (dcg k (d_log 2)) (map exp2 J)) C) as (_ & E1 & E2 & _).
  - apply dcg_nonneg; [assumption|apply exp2_nonneg, FR].
  - apply rlb_nonneg; intros p P; apply dcg_nonneg; [assumption|]; eapply Permutation_Forall;
    [exact P|apply exp2_nonneg, FJ].
  - unfold dcg_v1, dcg_v2; cbv zeta; unfold iub in *; rewrite !E, ER, E1, E2; split; reflexivity.
Qed.
(** RS-BND-11/L2: UL1 and UL2 of nDCG with the gain 2^r - 1 are these ... *)
Theorem BND_11_L2 K k r J : (1 <= K)%nat -> Forall (Rle 0) r -> Forall (Rle 0) J ->
  let A := fun p => ndcg_by K k (d_log 2) p (map exp2 J) in
  UL1 (A (map exp2 r)) (iub A (map exp2 J)) (rlb A (map exp2 J)) = dcg_v1 2 k r J /\
  UL2 (A (map exp2 r)) (iub A (map exp2 J)) (rlb A (map exp2 J)) = dcg_v2 2 k r J.
Proof.
  intros HK FR FJ A; destruct (BND_4_L4_ndcg K k (d_log 2) (map exp2 r) (map exp2 J)) as
  (_ & E1 & E2 & _); [|apply d_log_nonneg; lra|apply exp2_nonneg, FR|apply exp2_nonneg, FJ|exact
  HK|split; assumption].
  apply (strictly_falls (d_log 2)); intros; apply DISC_1_L1; (lra || assumption).
Qed.
Lemma is_iub_unique A t x y : is_iub A t x -> is_iub A t y -> (x == y)%Q.
Proof.
  intros [(p & P & E) M] [(q & Q & F) N]; apply Qle_antisym; [rewrite <- E; apply N, P|].
  rewrite <- F; apply M, Q.
Qed.
(** RS-BND-11/L2: ... and so are those of AP, with any normaliser of the pool, of SP *)
Theorem BND_11_L2_ap norm k t r x y : norm = of_R \/ norm = of_min \/ norm = of_k ->
  is_iub (sp k) t x -> is_iub (ap norm k (count t)) t y ->
  let S := fun p => Q2R (sp k p) in let A := fun p => Q2R (ap norm k (count t) p) in
  UL1 (A r) (Q2R y) (mean A (orders t)) = UL1 (S r) (Q2R x) (mean S (orders t)) /\
  UL2 (A r) (Q2R y) (mean A (orders t)) = UL2 (S r) (Q2R x) (mean S (orders t)).
Proof.
  intros H X Y S A; destruct (BND_1_L2_precision k t) as (_ & _ & X' & Y').
  pose proof (is_iub_unique _ _ _ _ X X') as Ex; pose proof (is_iub_unique _ _ _ _ Y (Y' norm H))
  as Ey; set (D := INR (normaliser norm k (count t) [])).
  assert (forall q, Q2R q / D = quotient (Q2R q) D) as Q.
  { intros q; unfold quotient; destruct (Rlt_dec 0 D) as [|N]; [reflexivity|].
    replace D with 0 by (unfold D in *; pose proof (pos_INR (normaliser norm k (count t) [])); lra).
    unfold Rdiv; rewrite Rinv_0; ring. }
  assert (forall p, A p = quotient (S p) D) as EA.
  { intros p; unfold A, S, ap; rewrite Q2R_quotient, Q2R_nat, <- Q; unfold D.
    destruct H as [->|[->| ->]]; reflexivity. }
  assert (Q2R y = quotient (Q2R x) D) as ->.
  { rewrite (Qeq_eqR _ _ Ey), (Qeq_eqR _ _ Ex), <- Q, Q2R_quotient, !Q2R_nat; reflexivity. }
  assert (mean A (orders t) = quotient (mean S (orders t)) D) as ->.
  { rewrite (mean_ext _ (fun p => quotient (S p) D)) by (intros; apply EA); apply mean_quotient. }
  assert (forall p, 0 <= S p) as PS by (intros p; unfold S; rewrite <- Q2R_zero; apply Qle_Rle,
  PREC_5_L1).
  rewrite EA; destruct (BND_4_L4_divided D (S r) (Q2R x) (mean S (orders t))) as (_ & E1 & E2 & _).
  - apply pos_INR.
  - apply PS.
  - rewrite <- (mean_const 0 (orders t)) by apply orders_some; apply mean_le; intros; apply PS.
  - intros Z; assert (Nat.min k (count t) = 0)%nat as M.
    { change 0 with (INR 0) in Z; apply INR_eq in Z; destruct H as [->|[->| ->]]; cbn in Z; lia. }
    rewrite M in Ex; split; [rewrite (Qeq_eqR _ _ Ex); apply Q2R_zero|].
    rewrite (mean_ext _ (fun _ => 0)), mean_const by (apply orders_some || (intros p P;
    apply orders_are_permutations in P; apply Rle_antisym; [|apply PS]; unfold S;
    rewrite <- Q2R_zero; apply Qle_Rle; destruct X' as [_ X']; rewrite M in X'; apply X', P)).
    reflexivity.
  - split; assumption.
Qed.

(** * What is not proved *)

(** RS-BND-1/L1 not proved: of the other metrics it is a law of each that an exchange with a
    better item below, or an item more, does not lower it (as RS-CAS-3/L1 of ERR); of LERR, LAP,
    LRBP and LGAP the greatest of all lists is that of RS-LEN-13/L4 to RS-LEN-16/L4 *)
(** RS-BND-1/L2 not proved: Rprec, RelP, F, Success and IPrec have no definition here; the rows of
    LAP and LRBP are RS-LEN-14/L4 and RS-LEN-15/L4 *)
(** RS-BND-2/L1 not proved: the other metrics of the table have no definition here, or no theorem
    of their expectation *)
(** RS-BND-2/L3 not proved: that the theorem about lists holds of LERR, LAP, LRBP and LGAP: that
    an order which begins with a list of a value above 0 has one too is proved of LDCG alone *)
(** RS-BND-3/L1 not proved: that an exchange with a better item right below does not lower A is a
    law of each of the other metrics, as RS-DCG-2/L2 is of DCG; the values of G of the two orders
    are not computed here *)
(** RS-BND-3/L2 not proved: of DCG alone it is proved here that results that add nothing give
    nothing, and that one result is enough *)
(** RS-BND-4/L4 not proved: of the pairs that the law names nDCG and DCG have a theorem, and AP
    and SP one of UL1 and UL2 (RS-BND-11/L2); nERR and ERR, LNDCG and LDCG, R and P have none,
    though they are quotients of this kind *)
(** RS-BND-6/L3 not proved: that no order has -1 rests on RS-BND-3/L2, which is proved of DCG
    alone *)
(** RS-BND-14/L1 not proved: the theorem assumes of A what RS-BND-3/L1 says, which is a law of each
    metric *)
