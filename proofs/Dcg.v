(* Cumulated gain: spec/dcg.md.  A list, and a pool, holds the gains g(r(1)), g(r(2)),
  ... of its labels. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Factorial.
From Rankspec Require Import Numbers Gain Ties.
Import ListNotations.
Open Scope R_scope.

(** The gain at rank i; 0 beyond the end *)
Definition at_rank (r : list R) i := nth (i - 1) r 0.

(** RS-DCG-1: CG@k = g(r(1)) + ... + g(r(min(k, n))) *)
Definition cg k r := sum_to (at_rank r) (Nat.min k (length r)).

(** RS-DCG-2: DCG@k = g(r(1)) d(1) + ... + g(r(min(k, n))) d(min(k, n)) *)
Definition dcg k (d : nat -> R) r := sum_to (fun i => at_rank r i * d i) (Nat.min k (length r)).

(** * Sums over the whole list *)

Definition whole d r := sum_to (fun i => at_rank r i * d i) (length r).

Lemma at_rank_beyond r i : (length r < i)%nat -> at_rank r i = 0.
Proof. intros; apply nth_overflow; lia. Qed.
Lemma at_rank_nonneg r i : Forall (Rle 0) r -> 0 <= at_rank r i.
Proof.
  intros F; unfold at_rank; destruct (Nat.lt_ge_cases (i - 1) (length r));
  [|rewrite nth_overflow by assumption; lra].
  rewrite Forall_forall in F; apply F, nth_In; assumption.
Qed.
Lemma at_rank_app1 a b i : (1 <= i <= length a)%nat -> at_rank (a ++ b) i = at_rank a i.
Proof. intros I; apply app_nth1; lia. Qed.
Lemma at_rank_app2 a b i : (1 <= i)%nat -> at_rank (a ++ b) (length a + i) = at_rank b i.
Proof. intros I; unfold at_rank; replace (length a + i - 1)%nat with (length a + (i - 1))%nat by
  lia; apply app_nth2_plus. Qed.
Lemma at_rank_scale c r i : at_rank (map (Rmult c) r) i = c * at_rank r i.
Proof.
  unfold at_rank; destruct (Nat.lt_ge_cases (i - 1) (length r)).
  - rewrite (nth_indep _ 0 (c * 0)), map_nth by (rewrite map_length; assumption); reflexivity.
  - rewrite !nth_overflow by (rewrite ?map_length; assumption); lra.
Qed.
Lemma at_rank_repeat g n i : (1 <= i <= n)%nat -> at_rank (repeat g n) i = g.
Proof. intros I; apply (repeat_spec n), nth_In; rewrite repeat_length; lia. Qed.

(** The ranks beyond the end add nothing. *)
Lemma dcg_sum k d r : dcg k d r = sum_to (fun i => at_rank r i * d i) k.
Proof. apply sum_to_min; intros; rewrite at_rank_beyond by assumption; lra. Qed.
Lemma cg_is_dcg k r : cg k r = dcg k d_none r.
Proof. apply sum_to_ext; intros; unfold d_none; lra. Qed.
(** The cut-off as a discount that is 0 beyond k *)
Lemma dcg_cut k d r : dcg k d r = whole (cut k d) r.
Proof.
  unfold dcg, whole; rewrite Nat.min_comm.
  rewrite (sum_to_ext (fun i => at_rank r i * d i) (fun i => at_rank r i * cut k d i)).
  - rewrite Nat.min_comm; destruct (Nat.le_ge_cases k (length r));
    [|rewrite Nat.min_r by assumption; reflexivity].
    rewrite Nat.min_l by assumption; symmetry; apply sum_to_beyond; [|assumption].
    intros i I; unfold cut; destruct (Nat.leb_spec i k); [lia|lra].
  - intros i I; unfold cut; destruct (Nat.leb_spec i k); [reflexivity|lia].
Qed.
Lemma dcg_all k d r : (length r <= k)%nat -> dcg k d r = whole d r.
Proof. intros; unfold dcg; rewrite Nat.min_r by assumption; reflexivity. Qed.
Lemma whole_nil d : whole d [] = 0.
Proof. reflexivity. Qed.
Lemma whole_cons d g r : whole d (g :: r) = g * d 1%nat + whole (shift 1 d) r.
Proof. unfold whole; cbn [length]; rewrite sum_to_first; f_equal; apply sum_to_ext; intros [|i] I;
  [lia|];
  unfold shift, at_rank; cbn; rewrite Nat.sub_0_r; reflexivity. Qed.
Lemma whole_ext d e r : (forall i, (1 <= i <= length r)%nat -> d i = e i) -> whole d r = whole e r.
Proof. intros H; apply sum_to_ext; intros i I; rewrite H; auto. Qed.
Lemma whole_app d a b : whole d (a ++ b) = whole d a + whole (shift (length a) d) b.
Proof.
  unfold whole; rewrite app_length, sum_to_split; f_equal; apply sum_to_ext; intros i I.
  - rewrite at_rank_app1 by assumption; reflexivity.
  - unfold shift; rewrite at_rank_app2 by lia; reflexivity.
Qed.
Lemma whole_nonneg d r : nonneg d -> Forall (Rle 0) r -> 0 <= whole d r.
Proof. intros N F; apply sum_to_nonneg; intros i I; pose proof (at_rank_nonneg r i F);
  pose proof (N i ltac:(lia)); nra. Qed.
Lemma dcg_nonneg k d r : nonneg d -> Forall (Rle 0) r -> 0 <= dcg k d r.
Proof. intros; rewrite dcg_cut; apply whole_nonneg; auto using nonneg_cut. Qed.
Lemma whole_scale c d r : whole d (map (Rmult c) r) = c * whole d r.
Proof. unfold whole; rewrite map_length, <- sum_to_scale; apply sum_to_ext; intros;
  rewrite at_rank_scale; ring. Qed.
Lemma whole_scale_d c d r : whole (fun i => c * d i) r = c * whole d r.
Proof. unfold whole; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. Qed.
Lemma whole_repeat d g n : whole d (repeat g n) = g * sum_to d n.
Proof. unfold whole; rewrite repeat_length, <- sum_to_scale; apply sum_to_ext; intros;
  rewrite at_rank_repeat by assumption; ring. Qed.
Lemma whole_none r : whole d_none r = sum r.
Proof. induction r as [|g r IH]; [reflexivity|]; rewrite whole_cons; unfold sum; cbn; fold (sum r);
  rewrite <- IH; unfold d_none at 1; f_equal; lra. Qed.
Lemma dcg_scale c k d r : dcg k d (map (Rmult c) r) = c * dcg k d r.
Proof. rewrite !dcg_cut; apply whole_scale. Qed.
Lemma dcg_scale_d c k d r : dcg k (fun i => c * d i) r = c * dcg k d r.
Proof. rewrite !dcg_sum, <- sum_to_scale; apply sum_to_ext; intros; ring. Qed.
Lemma dcg_firstn k d r : dcg k d r = whole d (firstn k r).
Proof.
  unfold dcg, whole; rewrite firstn_length; apply sum_to_ext; intros i I; f_equal; unfold at_rank.
  revert k i I; induction r as [|g r IH]; intros [|k] [|i] I; cbn in *; try lia;
  rewrite ?Nat.sub_0_r; try reflexivity.
  destruct i as [|i]; [reflexivity|]; specialize (IH k (S i) ltac:(lia)); cbn in IH;
  rewrite ?Nat.sub_0_r in IH; exact IH.
Qed.

(** * Laws of CG and DCG *)

(** RS-DCG-1/L1: CG@k depends only on which labels are among the first k *)
Theorem DCG_1_L1 k r s : Permutation (firstn k r) (firstn k s) -> cg k r = cg k s.
Proof. intros P; rewrite !cg_is_dcg, !dcg_firstn, !whole_none; apply total_perm; assumption. Qed.

(** RS-DCG-3/L2: its differences are g(r(i)) d(i) *)
Theorem DCG_3_L2 k d r : dcg (S k) d r - dcg k d r = at_rank r (S k) * d (S k).
Proof. rewrite !dcg_sum; cbn; lra. Qed.

(** RS-DCG-1/L2: CG@(k + 1) - CG@k = g(r(k + 1)) >= 0 *)
Theorem DCG_1_L2 k r : Forall (Rle 0) r -> cg (S k) r - cg k r = at_rank r (S k) /\
  0 <= at_rank r (S k).
Proof. intros F; rewrite !cg_is_dcg, DCG_3_L2; split; [unfold d_none; lra|apply at_rank_nonneg;
  assumption]. Qed.

Lemma dcg_more k m d r : nonneg d -> Forall (Rle 0) r -> (k <= m)%nat -> dcg k d r <= dcg m d r.
Proof.
  intros N F L; rewrite !dcg_sum; apply sum_to_more; [|assumption]; intro i.
  pose proof (at_rank_nonneg r (S i) F); pose proof (N (S i) ltac:(lia)); nra.
Qed.

(** RS-DCG-2/L2: exchanging the items x and y at the ranks i < j; d counts as 0 beyond k *)
Theorem DCG_2_L2 k d a x b y c : let i := S (length a) in let j := (S (length a)
  + S (length b))%nat in
  dcg k d (a ++ y :: b ++ x :: c) - dcg k d (a ++ x :: b ++ y :: c) = (y - x)
  * (cut k d i - cut k d j).
Proof.
  cbn; rewrite !dcg_cut, !whole_app, !whole_cons, !whole_app, !whole_cons; unfold shift;
  cbn [length].
  replace (length a + 1)%nat with (S (length a)) by lia.
  replace (length a + (1 + (length b + 1)))%nat with (S (length a + S (length b))) by lia; ring.
Qed.
(** RS-DCG-2/L2: ... so moving the higher gain up never lowers DCG@k *)
Corollary DCG_2_L2_up k d a x b y c : falls d -> nonneg d -> x <= y ->
  dcg k d (a ++ x :: b ++ y :: c) <= dcg k d (a ++ y :: b ++ x :: c).
Proof.
  intros F N L; pose proof (DCG_2_L2 k d a x b y c) as E; cbn zeta in E.
  pose proof (falls_le (cut k d) (S (length a)) (S (length a) + S (length b)) (falls_cut k d F N)
  ltac:(lia)); nra.
Qed.
Lemma dcg_better_first k d : falls d -> nonneg d -> better_first (dcg k d).
Proof. intros F N a x y b L; apply (DCG_2_L2_up k d a x [] y b F N L). Qed.

(** RS-DCG-2/L3: another gain y in place of x at rank i changes DCG@k by (y - x) d(i), if i <= k *)
Theorem DCG_2_L3 k d a x y b : let i := S (length a) in
  dcg k d (a ++ y :: b) - dcg k d (a ++ x :: b) = (y - x) * cut k d i.
Proof. cbn; rewrite !dcg_cut, !whole_app, !whole_cons; unfold shift;
  replace (length a + 1)%nat with (S (length a)) by lia; ring. Qed.
(** RS-DCG-2/L3: ... so a higher label never lowers it *)
Corollary DCG_2_L3_up k d a x y b : nonneg d -> x <= y -> dcg k d (a ++ x :: b)
  <= dcg k d (a ++ y :: b).
Proof.
  intros N L; pose proof (DCG_2_L3 k d a x y b) as E; cbn zeta in E.
  pose proof (nonneg_cut k d N (S (length a)) ltac:(lia)); nra.
Qed.

(** RS-DCG-2/L4: appending items of gain 0 does not change DCG@k, nor does k beyond n *)
Theorem DCG_2_L4 k d r n : dcg k d (r ++ repeat 0 n) = dcg k d r /\ dcg (length r + n)
  d r = dcg (length r) d r.
Proof.
  split; [rewrite !dcg_cut, whole_app, whole_repeat; lra|]; rewrite !dcg_all by lia; reflexivity.
Qed.

(** RS-DCG-3: <DCG@1, DCG@2, ..., DCG@n> *)
Definition dcg_vector d r := map (fun i => dcg i d r) (seq 1 (length r)).

(** RS-DCG-3/L1: the component i is DCG@i *)
Theorem DCG_3_L1 d r i : (1 <= i <= length r)%nat -> at_rank (dcg_vector d r) i = dcg i d r.
Proof.
  intros I; unfold at_rank, dcg_vector; rewrite (nth_indep _ 0 (dcg 0 d r)) by (rewrite map_length,
  seq_length; lia).
  rewrite (map_nth (fun i => dcg i d r)), seq_nth by lia; f_equal; lia.
Qed.
(** RS-DCG-3/L2: ... so the vector does not fall *)
Corollary DCG_3_L2_rises d r i : nonneg d -> Forall (Rle 0) r -> dcg i d r <= dcg (S i) d r.
Proof. intros N F; apply dcg_more; auto. Qed.

(** RS-DISC-6/L1: without a discount DCG@k = CG@k *)
Theorem DISC_6_L1 k r : dcg k d_none r = cg k r.
Proof. symmetry; apply cg_is_dcg. Qed.

(** RS-DISC-3/L3: permuting the items at the ranks 1, ..., floor(b)
    does not change DCG@k for k >= floor(b) ... *)
Theorem DISC_3_L3 b m k a a' c : 1 < b -> INR m <= b -> length a = m -> Permutation a a' ->
  (m <= k)%nat ->
  dcg k (d_jarvelin_2002 b) (a ++ c) = dcg k (d_jarvelin_2002 b) (a' ++ c).
Proof.
  intros B M L P K; rewrite !dcg_cut, !whole_app, <- (Permutation_length P); f_equal.
  assert (forall x, length x = m -> whole (cut k (d_jarvelin_2002 b)) x = whole d_none x) as X.
  { intros x Lx; apply whole_ext; intros i I; unfold cut, d_none; destruct (Nat.leb_spec i k);
    [|lia].
    unfold d_jarvelin_2002; destruct (Rlt_dec (INR i) b); [reflexivity|].
    assert (INR i <= INR m) by (apply le_INR; lia); replace (INR i) with b by lra; unfold log.
    pose proof (ln_pos b B); field; lra. }
  rewrite !X, !whole_none by (rewrite <- ?(Permutation_length P); assumption); apply total_perm;
  assumption.
Qed.

(** * The ideal ranking *)

(** RS-DCG-4: the pool in falling order *)
Definition ideal := best.

(** RS-DCG-4/L1: it is a permutation of J *)
Theorem DCG_4_L1 J : Permutation J (ideal J).
Proof. apply best_perm. Qed.

(** RS-DCG-4: J(1) >= J(2) >= ... >= J(|J|) *)
Theorem ideal_falls J : StronglySorted Rge (ideal J).
Proof.
  assert (forall x l, StronglySorted Rge l -> StronglySorted Rge (put x l)) as P.
  { intros x l H; induction H as [|y l S IH A]; cbn; [constructor; constructor|];
    destruct (Rle_dec y x).
    - constructor; [constructor; assumption|]; constructor; [lra|]; eapply Forall_impl; [|exact A];
      cbn; intros; lra.
    - constructor; [assumption|]; eapply Permutation_Forall; [apply put_perm|]; constructor;
      [lra|assumption]. }
  induction J; cbn; [constructor|apply P; assumption].
Qed.
(** RS-DCG-4/L2: no order of J has a higher DCG@k ... *)
Theorem DCG_4_L2 k d J p : falls d -> nonneg d -> Permutation J p -> dcg k d p <= dcg k d (ideal J).
Proof.
  intros F N P; unfold ideal; rewrite (best_of_perm J p P).
  pose proof (sorting_raises _ (dcg_better_first k d F N) [] p []) as S; rewrite !app_nil_r in S;
  exact S.
Qed.
Lemma best_sorted l : StronglySorted Rge l -> best l = l.
Proof.
  induction 1 as [|x l H IH A]; cbn; [reflexivity|]; rewrite IH; destruct l as [|y l]; cbn;
  [reflexivity|].
  inversion A; subst; destruct (Rle_dec y x); [reflexivity|lra].
Qed.
Lemma sorted_map (g : R -> R) l : (forall x y, In x l -> In y l -> x <= y -> g x <= g y) ->
  StronglySorted Rge l -> StronglySorted Rge (map g l).
Proof.
  intros M S; induction S as [|x l S IH F]; cbn; constructor.
  - apply IH; intros; apply M; cbn; auto.
  - rewrite Forall_forall in *; intros z Z; apply in_map_iff in Z; destruct Z as (y & <- & Y).
    specialize (F y Y); apply Rle_ge, M; cbn; auto; lra.
Qed.
(** A gain that does not fall with the label *)
Lemma ideal_of_gains (g : R -> R) J :
  (forall x y, In x J -> In y J -> x <= y -> g x <= g y) -> ideal (map g J) = map g (ideal J).
Proof.
  intros M; unfold ideal; rewrite (best_of_perm _ (map g (best J))) by (apply Permutation_map,
  best_perm); apply best_sorted, sorted_map; [|apply ideal_falls].
  intros x y X Y; apply M; eapply Permutation_in; try (symmetry; apply best_perm); assumption.
Qed.
(** RS-DCG-4/L2: ... where J and p hold labels and the gain does not fall with them *)
Theorem DCG_4_L2_labels (g : R -> R) k d J p : falls d -> nonneg d ->
  (forall x y, In x J -> In y J -> x <= y -> g x <= g y) -> Permutation J p ->
  dcg k d (map g p) <= dcg k d (map g (ideal J)).
Proof.
  intros F N M P; rewrite <- ideal_of_gains by assumption; apply DCG_4_L2; [assumption..|].
  apply Permutation_map, P.
Qed.

(** RS-DCG-5: IDCG@k = DCG@k of the ideal ranking *)
Definition idcg k d J := dcg k d (ideal J).

(** J covers r (RS-CONV-3): each positive gain occurs in J at least as often as in r. *)
Definition positive := filter (fun x => if Rlt_dec 0 x then true else false).
Definition covers J r := exists rest, Forall (Rle 0) rest /\ Permutation J (positive r ++ rest).

Lemma idcg_perm k d J J' : Permutation J J' -> idcg k d J = idcg k d J'.
Proof. intros P; unfold idcg, ideal; rewrite (best_of_perm J J' P); reflexivity. Qed.
Lemma idcg_nonneg k d J : nonneg d -> Forall (Rle 0) J -> 0 <= idcg k d J.
Proof. intros N F; apply dcg_nonneg; [assumption|]; eapply Permutation_Forall;
  [apply DCG_4_L1|assumption]. Qed.

(** RS-DCG-5/L2: adding an item to J never lowers IDCG@k ... *)
Theorem DCG_5_L2 k d J x : falls d -> nonneg d -> 0 <= x -> idcg k d J <= idcg k d (x :: J).
Proof.
  intros F N X; apply Rle_trans with (dcg k d (ideal J ++ [x])).
  - destruct (DCG_2_L4 k d (ideal J) 1) as [E _]; unfold idcg; rewrite <- E.
    apply (DCG_2_L3_up k d (ideal J) 0 x []); assumption.
  - apply DCG_4_L2; [assumption..|]; rewrite (DCG_4_L1 J) at 1; apply Permutation_cons_append.
Qed.
(** RS-DCG-5/L2: ... nor does raising a gain in it *)
Theorem DCG_5_L2_raise k d J x y : falls d -> nonneg d -> x <= y -> idcg k d (x :: J)
  <= idcg k d (y :: J).
Proof.
  intros F N L; unfold idcg at 1; destruct (in_split x (ideal (x :: J))) as (a & b & E).
  { eapply Permutation_in; [apply DCG_4_L1|left; reflexivity]. }
  rewrite E; eapply Rle_trans; [apply DCG_2_L3_up; eassumption|]; apply DCG_4_L2; [assumption..|].
  apply Permutation_cons_app, Permutation_cons_app_inv with x; rewrite <- E; apply DCG_4_L1.
Qed.
Lemma idcg_app k d J K : falls d -> nonneg d -> Forall (Rle 0) K -> idcg k d J <= idcg k d (K ++ J).
Proof. intros F N H; induction H; cbn; [lra|]; eapply Rle_trans; [exact IHForall|apply DCG_5_L2;
  assumption]. Qed.

(** RS-DCG-5/L3: IDCG@k does not fall with k, and is constant from k = |J| on *)
Theorem DCG_5_L3 k m d J : nonneg d -> Forall (Rle 0) J -> (k <= m)%nat ->
  idcg k d J <= idcg m d J /\ idcg (length J + k) d J = idcg (length J) d J.
Proof.
  intros N F L; split.
  - apply dcg_more; [assumption| |assumption]; eapply Permutation_Forall;
    [apply DCG_4_L1|assumption].
  - unfold idcg; rewrite !dcg_all; rewrite <- ?(Permutation_length (DCG_4_L1 J)); try lia;
    reflexivity.
Qed.

(** Items without a gain may be left out. *)
Lemma whole_positive d r : falls d -> nonneg d -> Forall (Rle 0) r ->
  whole d r <= whole d (positive r).
Proof.
  assert (forall d l, falls d -> nonneg d -> Forall (Rle 0) l -> whole (shift 1 d) (positive l)
  <= whole d (positive l)) as up.
  { intros e l F N A; apply sum_to_le; intros i I; pose proof (F i ltac:(lia)).
    assert (0 <= at_rank (positive l) i); [|unfold shift; cbn; nra].
    apply at_rank_nonneg; apply Forall_forall; intros x X; apply filter_In in X;
    destruct X as [X _].
    rewrite Forall_forall in A; auto. }
  intros F N A; revert d F N; induction A as [|x l X A IH]; intros d F N; [unfold whole; cbn; lra|].
  rewrite whole_cons; specialize (IH _ (falls_shift 1 d F) (nonneg_shift 1 d N));
  specialize (up d l F N A).
  unfold positive in *; cbn [filter]; destruct (Rlt_dec 0 x); [rewrite whole_cons;
  lra|replace x with 0 by lra; lra].
Qed.
Lemma dcg_covered k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  dcg k d r <= idcg k d J.
Proof.
  intros F N A (rest & B & P); rewrite (idcg_perm k d J _ P), dcg_cut.
  eapply Rle_trans; [apply whole_positive; auto using falls_cut, nonneg_cut|]; rewrite <- dcg_cut.
  apply Rle_trans with (dcg k d (positive r ++ rest)).
  - rewrite !dcg_cut, whole_app; enough (0 <= whole (shift (length (positive r)) (cut k d)) rest)
    by lra.
    apply whole_nonneg; auto using nonneg_shift, nonneg_cut.
  - apply DCG_4_L2; auto.
Qed.

(** RS-DCG-2/L1: 0 <= DCG@k <= IDCG@k where J covers r *)
Theorem DCG_2_L1 k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= dcg k d r <= idcg k d J.
Proof. intros; split; [apply dcg_nonneg|apply dcg_covered]; assumption. Qed.

(** RS-DCG-5/L1: IDCG@k is the largest DCG@k of all lists of items of J, each at most once *)
Theorem DCG_5_L1 k d J : falls d -> nonneg d -> Forall (Rle 0) J ->
  (forall r rest, Permutation J (r ++ rest) -> dcg k d r <= idcg k d J) /\ dcg k d (ideal J)
  = idcg k d J.
Proof.
  intros F N A; split; [|reflexivity]; intros r rest P.
  assert (Forall (Rle 0) (r ++ rest)) as B by (eapply Permutation_Forall; eassumption);
  apply Forall_app in B.
  apply Rle_trans with (idcg k d r); [apply DCG_4_L2; auto|]; rewrite (idcg_perm k d J _ P).
  rewrite (idcg_perm k d (r ++ rest) (rest ++ r)) by apply Permutation_app_comm; apply idcg_app;
  tauto.
Qed.

(** * nDCG *)

(** RS-DCG-6: nDCG@k = DCG@k / IDCG@K, and 0 where IDCG@K = 0;
    with the ideal "k" of RS-DCG-7 K = k *)
Definition ndcg_by K k d r J := quotient (dcg k d r) (idcg K d J).
(** RS-DCG-7: the ideals "k", "all" and "shown" *)
Definition ndcg k d r J := ndcg_by k k d r J.
Definition ndcg_all k d r J := ndcg_by (length J) k d r J.
Definition ndcg_shown k d r J := ndcg_by (Nat.min k (length r)) k d r J.

(** RS-DCG-6/L1: 0 <= nDCG@k <= 1 where J covers r ... *)
Theorem DCG_6_L1 k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= ndcg k d r J <= 1.
Proof. intros; apply quotient_range, DCG_2_L1; assumption. Qed.
Lemma covers_nonneg J r : covers J r -> Forall (Rle 0) J.
Proof.
  intros (rest & F & P); eapply Permutation_Forall; [symmetry; exact P|]; apply Forall_app; split;
  [|exact F]; apply Forall_forall; intros x X; apply filter_In in X; destruct X as [_ X].
  destruct (Rlt_dec 0 x); [lra|discriminate].
Qed.
Lemma idcg_at_all k d J : nonneg d -> Forall (Rle 0) J -> idcg k d J <= idcg (length J) d J.
Proof.
  intros N F; destruct (DCG_5_L3 k (length J + k) d J N F ltac:(lia)) as [L E]; rewrite E in L;
  exact L.
Qed.
(** RS-DCG-6/L1: ... with the ideals "all" and "shown", too *)
Theorem DCG_6_L1_ideals k d r J : falls d -> nonneg d -> Forall (Rle 0) r -> covers J r ->
  0 <= ndcg_all k d r J <= 1 /\ 0 <= ndcg_shown k d r J <= 1.
Proof.
  intros F N A C; split; apply quotient_range; (split; [apply dcg_nonneg; assumption|]).
  - apply Rle_trans with (idcg k d J); [apply dcg_covered; assumption|].
    apply idcg_at_all; [assumption|eapply covers_nonneg; exact C].
  - replace (dcg k d r) with (dcg (Nat.min k (length r)) d r) by (unfold dcg; f_equal; lia).
    apply dcg_covered; assumption.
Qed.

Lemma prefix_gain r i : sum_to (at_rank r) i = dcg i d_none r.
Proof. rewrite dcg_sum; apply sum_to_ext; intros; unfold d_none; lra. Qed.
Lemma equal_prefixes r s k : (forall i, (1 <= i <= k)%nat -> sum_to (at_rank r)
  i = sum_to (at_rank s) i) ->
  forall i, (1 <= i <= k)%nat -> at_rank r i = at_rank s i.
Proof.
  intros H [|[|i]] I; [lia|specialize (H 1%nat I); cbn in H; lra|].
  pose proof (H (S i) ltac:(lia)) as X; pose proof (H (S (S i)) I) as Y; cbn [sum_to] in *; lra.
Qed.
(** RS-DCG-6/L2: nDCG@k = 1 if and only if each rank up to k has the gain of the ideal ranking *)
Theorem DCG_6_L2 k d r J : Forall (Rle 0) r -> covers J r -> falls d -> nonneg d ->
  (forall i, (1 <= i < k)%nat -> d (S i) < d i) -> (forall i, (1 <= i <= k)%nat -> 0 < d i) ->
  0 < idcg k d J ->
  (ndcg k d r J = 1 <-> forall i, (1 <= i <= k)%nat -> at_rank r i = at_rank (ideal J) i).
Proof.
  intros A C F N strict pos I; unfold ndcg, ndcg_by, quotient; destruct (Rlt_dec 0 _);
  [clear r0|contradiction].
  rewrite div_eq, Rmult_1_l by lra; unfold idcg in *; rewrite !dcg_sum in *; split; intros E.
  - destruct k as [|k]; [intros; lia|]; apply equal_prefixes; rewrite !by_parts in E.
    set (h := fun l i => sum_to (at_rank l) i * (if (i =? S k)%nat then d i else d i - d (S i))).
    assert (forall l, sum_to (h l) (S k) = sum_to (fun i => sum_to (at_rank l) i * (d i - d (S i)))
    k +
      sum_to (at_rank l) (S k) * d (S k)) as X.
    { intro l; cbn [sum_to]; f_equal; [apply sum_to_ext; intros i K|]; unfold h.
      - destruct (Nat.eqb_spec i (S k)); [lia|reflexivity].
      - rewrite Nat.eqb_refl; reflexivity. }
    rewrite <- !X in E; assert (forall i, (1 <= i <= S k)%nat ->
    0 < if (i =? S k)%nat then d i else d i - d (S i)) as W.
    { intros i K; destruct (Nat.eqb_spec i (S k)); [apply pos;
      lia|specialize (strict i ltac:(lia)); lra]. }
    assert (forall i, (1 <= i <= S k)%nat -> h r i <= h (ideal J) i) as M.
    { intros i K; specialize (W i K); unfold h; apply Rmult_le_compat_r; [lra|];
      rewrite !prefix_gain.
      apply dcg_covered; auto using falls_none, nonneg_none. }
    intros i K; pose proof (sum_to_le_eq _ _ _ M E i K) as Q; specialize (W i K); unfold h in Q.
    apply Rmult_eq_reg_r in Q; [exact Q|lra].
  - apply sum_to_ext; intros; rewrite E by assumption; reflexivity.
Qed.

(** RS-DCG-6/L3: with J fixed, moving a higher gain up, or raising a label, never lowers
    nDCG@k, for each K of RS-DCG-7: lists of one length have the same ... *)
Theorem DCG_6_L3 K k d a x b y c J : falls d -> nonneg d -> x <= y ->
  ndcg_by K k d (a ++ x :: b ++ y :: c) J <= ndcg_by K k d (a ++ y :: b ++ x :: c) J /\
  ndcg_by K k d (a ++ x :: b) J <= ndcg_by K k d (a ++ y :: b) J.
Proof.
  intros F N L; split; apply quotient_le; [apply DCG_2_L2_up|apply DCG_2_L3_up]; assumption.
Qed.
(** RS-DCG-6/L3: ... "shown" included *)
Corollary DCG_6_L3_shown k d a x b y c J : falls d -> nonneg d -> x <= y ->
  ndcg_shown k d (a ++ x :: b ++ y :: c) J <= ndcg_shown k d (a ++ y :: b ++ x :: c) J /\
  ndcg_shown k d (a ++ x :: b) J <= ndcg_shown k d (a ++ y :: b) J.
Proof.
  intros F N L; unfold ndcg_shown; repeat (rewrite !app_length || cbn [length]).
  split; apply quotient_le; [apply DCG_2_L2_up|apply DCG_2_L3_up]; assumption.
Qed.
(** RS-DCG-6/L3: ... but raising a label of the list and of the pool can lower it: <1, 0>
    has 1, <1, 2> less *)
Theorem DCG_6_L3_pool k d : (2 <= k)%nat -> 0 < d 2%nat < d 1%nat ->
  ndcg k d [1; 0] [1; 0] = 1 /\ ndcg k d [1; 2] [1; 2] < 1.
Proof.
  intros K P; unfold ndcg, ndcg_by, idcg, ideal; cbn [best put];
  destruct (Rle_dec 0 1), (Rle_dec 2 1); try lra.
  unfold dcg; cbn [length]; rewrite !Nat.min_r by lia; unfold at_rank; cbn; unfold quotient.
  repeat (destruct (Rlt_dec _ _); [|lra]); split; [field; lra|apply div_lt; lra].
Qed.

Lemma ideal_scale c J : 0 < c -> ideal (map (Rmult c) J) = map (Rmult c) (ideal J).
Proof.
  intros C; induction J as [|x J IH]; cbn; [reflexivity|]; unfold ideal in *; rewrite IH;
  generalize (best J).
  intro l; induction l as [|y l IHl]; cbn; [reflexivity|].
  destruct (Rle_dec (c * y) (c * x)), (Rle_dec y x); cbn; [reflexivity|exfalso; nra|exfalso;
  nra|rewrite IHl; reflexivity].
Qed.
(** RS-DCG-6/L4: multiplying g by a constant c > 0 does not change nDCG@k ... *)
Theorem DCG_6_L4 c K k d r J : 0 < c -> ndcg_by K k d (map (Rmult c) r) (map (Rmult c) J)
  = ndcg_by K k d r J.
Proof. intros C; unfold ndcg_by, idcg; rewrite ideal_scale, !dcg_scale by assumption;
  apply quotient_scale; assumption. Qed.
(** RS-DCG-6/L4, RS-DISC-5/L2: ... nor does a factor of d *)
Theorem DCG_6_L4_discount c K k d r J : 0 < c -> ndcg_by K k (fun i => c * d i)
  r J = ndcg_by K k d r J.
Proof. intros C; unfold ndcg_by, idcg; rewrite !dcg_scale_d; apply quotient_scale; assumption. Qed.
Lemma dcg_ext k d e r : (forall i, (1 <= i)%nat -> d i = e i) -> dcg k d r = dcg k e r.
Proof. intros H; rewrite !dcg_sum; apply sum_to_ext; intros i I; rewrite H by lia; reflexivity. Qed.
(** RS-DISC-1/L2: ... so it is a factor of DCG ... *)
Corollary DISC_1_L2_dcg b k r : 1 < b -> dcg k (d_log b) r = log 2 b * dcg k (d_log 2) r.
Proof.
  intros B; rewrite <- dcg_scale_d; apply dcg_ext; intros; apply DISC_1_L2; assumption.
Qed.
(** RS-DISC-1/L2: ... and nDCG does not depend on it *)
Corollary DISC_1_L2_ndcg b K k r J : 1 < b -> ndcg_by K k (d_log b) r J = ndcg_by K k (d_log 2) r J.
Proof.
  intros B; assert (0 < log 2 b) by (apply Rdiv_lt_0_compat; apply ln_pos; lra).
  rewrite <- (DCG_6_L4_discount (log 2 b) K k (d_log 2)) by assumption; unfold ndcg_by, idcg.
  rewrite !(dcg_ext _ (d_log b) (fun i => log 2 b * d_log 2 i)) by (intros; apply DISC_1_L2;
  assumption); reflexivity.
Qed.
(** RS-DISC-6/L2: without a discount DCG@k depends only on which items are at the ranks up to k *)
Theorem DISC_6_L2 k r s : Permutation (firstn k r) (firstn k s) ->
  dcg k d_none r = dcg k d_none s.
Proof. rewrite !DISC_6_L1; apply DCG_1_L1. Qed.
(** RS-DISC-6/L2: ... and the whole list as its own pool has 1, or 0 where no label has a positive
    gain; K >= n holds of all ideals of RS-DCG-7 *)
Theorem DISC_6_L2_whole K k r : (length r <= k)%nat -> (length r <= K)%nat -> Forall (Rle 0) r ->
  (Exists (Rlt 0) r -> ndcg_by K k d_none r r = 1) /\
  (~ Exists (Rlt 0) r -> ndcg_by K k d_none r r = 0).
Proof.
  intros L LK F; assert (ndcg_by K k d_none r r = quotient (sum r) (sum r)) as ->.
  { unfold ndcg_by, idcg; pose proof (DCG_4_L1 r) as P.
    rewrite !dcg_all, !whole_none by (rewrite <- ?(Permutation_length P); assumption).
    unfold sum; rewrite <- (total_perm (fun x => x) r (ideal r) P); reflexivity. }
  split; intros E.
  - assert (0 < sum r) as S; [|unfold quotient; destruct (Rlt_dec _ _); [field|]; lra].
    induction E as [x l X|x l E IH]; inversion F; subst; unfold sum in *; cbn [total].
    + pose proof (sum_nonneg l ltac:(assumption)); unfold sum in *; lra.
    + pose proof (IH ltac:(cbn in *; lia) ltac:(cbn in *; lia) ltac:(assumption)); lra.
  - assert (sum r = 0) as ->; [|unfold quotient; destruct (Rlt_dec _ _); lra].
    clear L LK; induction F as [|x l X F IH]; [reflexivity|]; unfold sum in *; cbn [total].
    rewrite IH by auto; destruct (Rle_lt_or_eq_dec 0 x X) as [P|<-]; [|lra].
    exfalso; apply E; left; exact P.
Qed.
Lemma ndcg_01 k d : (2 <= k)%nat -> 0 < d 1%nat -> ndcg k d [0; 1] [0; 1] = d 2%nat / d 1%nat.
Proof.
  intros K P; unfold ndcg, ndcg_by, idcg, ideal; cbn [best put]; destruct (Rle_dec 1 0); [lra|].
  unfold dcg; cbn [length]; rewrite !Nat.min_r by lia; cbn [sum_to]; unfold at_rank;
  cbn [nth Nat.sub]; unfold quotient; destruct (Rlt_dec _ _); [field|]; lra.
Qed.
(** RS-DISC-2/L3: ... which is the nDCG of <0, 1>, so nDCG depends on b *)
Theorem DISC_2_L3_ndcg b k : 1 < b -> (2 <= k)%nat -> let nDCG b := ndcg k (d_jarvelin_2008 b)
  [0; 1] [0; 1] in
  nDCG b = d_jarvelin_2008 b 2 / d_jarvelin_2008 b 1 /\ nDCG b = 1 / (1 + log b 2) /\
  nDCG 2 = 1 / 2 /\ nDCG 4 = 2 / 3.
Proof.
  assert (forall b, 1 < b -> (2 <= k)%nat -> ndcg k (d_jarvelin_2008 b) [0; 1] [0; 1] =
    d_jarvelin_2008 b 2 / d_jarvelin_2008 b 1) as E.
  { intros c C K; apply ndcg_01; [assumption|]; rewrite (proj1 (DISC_2_L1 c C)); lra. }
  intros B K nDCG; unfold nDCG; rewrite (E b), (E 2), (E 4) by (assumption || lra).
  destruct (DISC_2_L3 b B) as [X _], (DISC_2_L3 2 ltac:(lra)) as [Y [Y2 _]].
  destruct (DISC_2_L3 4 ltac:(lra)) as [Z [_ Z4]]; repeat split; congruence.
Qed.
(** RS-DISC-3/L3: ... so nDCG = 1 does not mean that the list is ideal *)
Theorem DISC_3_L3_ideal : ndcg 2 (d_jarvelin_2002 2) [0; 1] [0; 1] = 1 /\ ideal [0; 1] = [1; 0].
Proof.
  split.
  - assert (forall i, (1 <= i <= 2)%nat -> d_jarvelin_2002 2 i = 1) as D.
    { intros i I; assert (INR i <= 2) by (apply (le_INR i 2); lia); unfold d_jarvelin_2002.
      destruct (Rlt_dec (INR i) 2); [reflexivity|]; replace (INR i) with 2 by lra; unfold log.
      pose proof (ln_pos 2 ltac:(lra)); field; lra. }
    rewrite ndcg_01, !D by (rewrite ?D by lia; lia || lra); field.
  - unfold ideal; cbn [best put]; destruct (Rle_dec 1 0); [lra|reflexivity].
Qed.


Lemma sorted_falls l : StronglySorted Rge l -> Forall (Rle 0) l -> falls (at_rank l).
Proof.
  unfold at_rank; induction 1 as [|x l H IH A]; intros F i I; [destruct (i - 1)%nat, (S i - 1)%nat;
  cbn; lra|].
  inversion F as [|? ? X G]; subst; replace (S i - 1)%nat with i by lia; destruct i as [|[|i]];
  [lia| |].
  - cbn; destruct l as [|y l]; cbn; [lra|]; inversion A; subst; lra.
  - specialize (IH G (S i) ltac:(lia)); cbn in *; rewrite Nat.sub_0_r in IH; exact IH.
Qed.
Lemma ideal_rank_falls J : Forall (Rle 0) J -> falls (at_rank (ideal J)).
Proof. intros F; apply sorted_falls; [apply ideal_falls|eapply Permutation_Forall;
  [apply DCG_4_L1|assumption]]. Qed.
Lemma ideal_nonneg J : Forall (Rle 0) J -> Forall (Rle 0) (ideal J).
Proof. intros F; eapply Permutation_Forall; [apply DCG_4_L1|assumption]. Qed.
(** IDCG is 0 at every cut-off, or at none (RS-DCG-7(c)). *)
Lemma idcg_pos k m d J : falls d -> nonneg d -> Forall (Rle 0) J -> (1 <= k)%nat ->
  0 < idcg m d J -> 0 < idcg k d J.
Proof.
  intros F N A K P; destruct (Rle_lt_or_eq_dec 0 (idcg k d J)) as [|E]; [apply idcg_nonneg;
  assumption|assumption|exfalso].
  pose proof (ideal_nonneg J A) as B; pose proof (dcg_more 1 k d (ideal J) N B K) as L;
  fold (idcg k d J) in L; rewrite <- E, dcg_sum in L; cbn in L.
  pose proof (at_rank_nonneg (ideal J) 1 B); pose proof (N 1%nat ltac:(lia)).
  assert (at_rank (ideal J) 1 * d 1%nat = 0) as Z by nra; apply Rlt_not_eq in P; apply P; symmetry;
  unfold idcg; rewrite dcg_sum.
  apply sum_to_zero; intros i I; apply Rmult_integral in Z;
  pose proof (at_rank_nonneg (ideal J) i B); pose proof (N i ltac:(lia)).
  pose proof (falls_le _ 1 i (ideal_rank_falls J A) ltac:(lia));
  pose proof (falls_le d 1 i F ltac:(lia)).
  destruct Z as [Z|Z]; [replace (at_rank (ideal J) i) with 0 by lra;
  lra|replace (d i) with 0 by lra; lra].
Qed.

(** RS-DCG-7/L1: nDCG' = nDCG IDCG@k / IDCG, and so at most nDCG *)
Theorem DCG_7_L1 k d r J : falls d -> nonneg d -> Forall (Rle 0) J -> Forall (Rle 0) r ->
  (1 <= k)%nat -> 0 < idcg (length J) d J ->
  ndcg_all k d r J = ndcg k d r J * idcg k d J / idcg (length J) d J /\
  ndcg_all k d r J <= ndcg k d r J.
Proof.
  intros F N A B K I; pose proof (idcg_pos k _ d J F N A K I); pose proof (idcg_at_all k d J N A).
  pose proof (dcg_nonneg k d r N B); unfold ndcg_all, ndcg, ndcg_by, quotient.
  destruct (Rlt_dec 0 (idcg (length J) d J)), (Rlt_dec 0 (idcg k d J)); try contradiction; split;
  [field; lra|].
  apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar; assumption].
Qed.
(** RS-DCG-7/L2: they are the same where k >= |J|,
    or nothing below the first k of the ideal ranking has a gain *)
Theorem DCG_7_L2 k d r J : (forall i, (k < i)%nat -> at_rank (ideal J) i = 0) ->
  ndcg_all k d r J = ndcg k d r J.
Proof.
  intros Z; unfold ndcg_all, ndcg, ndcg_by; f_equal; unfold idcg; rewrite !dcg_sum;
  set (f := fun i => at_rank (ideal J) i * d i).
  pose proof (Permutation_length (DCG_4_L1 J)) as L.
  rewrite <- (sum_to_beyond f (length J) (Nat.max k (length J))); [|intros; unfold f;
  rewrite at_rank_beyond by lia; lra|lia].
  apply sum_to_beyond; [intros; unfold f; rewrite Z by assumption; lra|lia].
Qed.
(** RS-DCG-7/L3: nDCG'@(k + 1) - nDCG'@k = g(r(k + 1)) d(k + 1) / IDCG >= 0 ... *)
Theorem DCG_7_L3 k d r J : nonneg d -> Forall (Rle 0) r -> 0 < idcg (length J) d J ->
  ndcg_all (S k) d r J - ndcg_all k d r J = at_rank r (S k) * d (S k) / idcg (length J) d J /\
  ndcg_all k d r J <= ndcg_all (S k) d r J.
Proof.
  intros N A I; split; [|apply quotient_le, dcg_more; auto].
  unfold ndcg_all, ndcg_by, quotient; destruct (Rlt_dec _ _); [|contradiction];
  rewrite <- DCG_3_L2; field; lra.
Qed.
(** RS-DCG-7/L3: ... nDCG@k can fall: <1, 0> with the pool <1, 1> *)
Theorem DCG_7_L3_k d : 0 < d 1%nat -> 0 < d 2%nat ->
  ndcg 1 d [1; 0] [1; 1] = 1 /\ ndcg 2 d [1; 0] [1; 1] < 1.
Proof.
  intros P Q; unfold ndcg, ndcg_by, idcg, ideal; cbn [best put]; destruct (Rle_dec 1 1); [|lra].
  unfold dcg, at_rank; cbn; unfold quotient; repeat (destruct (Rlt_dec _ _); [|lra]).
  split; [field; lra|apply div_lt; lra].
Qed.
(** RS-DCG-7/L4: where J covers r, nDCG'@k = 1 if and only if nDCG@k = 1 and IDCG@k = IDCG *)
Theorem DCG_7_L4 k d r J : falls d -> nonneg d -> Forall (Rle 0) J -> Forall (Rle 0) r ->
  covers J r ->
  (ndcg_all k d r J = 1 <-> ndcg k d r J = 1 /\ idcg k d J = idcg (length J) d J).
Proof.
  intros F N A B C; pose proof (DCG_2_L1 k d r J F N B C); pose proof (idcg_at_all k d J N A).
  unfold ndcg_all, ndcg, ndcg_by, quotient; destruct (Rlt_dec 0 (idcg (length J) d J)),
  (Rlt_dec 0 (idcg k d J)); rewrite ?div_eq by lra;
    split; intros; try lra.
Qed.
(** RS-DCG-7/L5: with "shown" it is at least nDCG@k, and equal where n >= min(k, |J|) *)
Theorem DCG_7_L5 k d r J : falls d -> nonneg d -> Forall (Rle 0) J -> Forall (Rle 0) r ->
  ndcg k d r J <= ndcg_shown k d r J /\ ((Nat.min k (length J) <= length r)%nat ->
  ndcg_shown k d r J = ndcg k d r J).
Proof.
  intros F N A B; unfold ndcg, ndcg_shown, ndcg_by; split.
  - destruct (Nat.eq_dec (Nat.min k (length r)) 0) as [E|E].
    + unfold dcg; rewrite E; cbn; unfold quotient; do 2 destruct (Rlt_dec _ _); unfold Rdiv; lra.
    + assert (idcg (Nat.min k (length r)) d J <= idcg k d J) by (apply DCG_5_L3; auto; lia).
      unfold quotient; destruct (Rlt_dec 0 (idcg k d J)) as [P|P].
      * pose proof (idcg_pos (Nat.min k (length r)) k d J F N A ltac:(lia) P);
        destruct (Rlt_dec _ _); [|contradiction].
        apply Rmult_le_compat_l; [apply dcg_nonneg; assumption|apply Rinv_le_contravar; assumption].
      * apply (quotient_nonneg (dcg k d r) (idcg (Nat.min k (length r)) d J)), dcg_nonneg;
        assumption.
  - intros L; f_equal; unfold idcg; pose proof (Permutation_length (DCG_4_L1 J)) as P.
    unfold dcg; rewrite <- P; f_equal; lia.
Qed.

(** RS-DCG-8: the ideal "perfect" divides by d(1) + ... + d(k) *)
Definition ndcg_perfect k d r := quotient (dcg k d r) (sum_to d k).

(** RS-DCG-8/L1: it is DCG@k times a number that depends on k and d alone *)
Theorem DCG_8_L1 k d : exists c, forall r, ndcg_perfect k d r = dcg k d r * c.
Proof.
  unfold ndcg_perfect, quotient; destruct (Rlt_dec 0 (sum_to d k));
  [exists (/ sum_to d k)|exists 0]; intro; [reflexivity|lra].
Qed.
(** RS-DCG-8/L2: where no gain of J is above 1 and at least k of them are 1,
    it is nDCG@k with the ideal "k" *)
Theorem DCG_8_L2 k d r J m rest : Permutation J (repeat 1 m ++ rest) -> Forall (fun g => g <= 1)
  rest -> (k <= m)%nat ->
  ndcg_perfect k d r = ndcg k d r J.
Proof.
  intros P B K; unfold ndcg_perfect, ndcg, ndcg_by; f_equal; rewrite (idcg_perm k d J _ P);
  unfold idcg, ideal.
  assert (best (repeat 1 m ++ rest) = repeat 1 m ++ best rest) as ->.
  { rewrite (best_of_perm _ (repeat 1 m ++ best rest)) by (apply Permutation_app_head, best_perm);
    apply best_sorted.
    assert (Forall (Rge 1) (best rest)) as A by (eapply Permutation_Forall; [apply best_perm|];
    eapply Forall_impl; [|exact B]; cbn; intros; lra).
    clear K P; induction m; cbn; [apply (ideal_falls rest)|]; constructor; [assumption|];
    apply Forall_app; split; [|assumption].
    apply Forall_forall; intros x X; apply repeat_spec in X; lra. }
  rewrite dcg_sum; apply sum_to_ext; intros i I; rewrite at_rank_app1,
  at_rank_repeat by (rewrite ?repeat_length; lia); lra.
Qed.
(** RS-DCG-8/L3: with gains up to 1 it lies between 0 and 1 *)
Theorem DCG_8_L3 k d r : nonneg d -> Forall (fun g => 0 <= g <= 1) r ->
  0 <= ndcg_perfect k d r <= 1.
Proof.
  intros N A; apply quotient_range; split.
  - apply dcg_nonneg; [assumption|eapply Forall_impl; [|exact A]; cbn; intros; lra].
  - rewrite dcg_sum; apply sum_to_le; intros i I; pose proof (N i ltac:(lia));
    assert (0 <= at_rank r i <= 1); [|nra].
    unfold at_rank; destruct (Nat.lt_ge_cases (i - 1) (length r));
    [|rewrite nth_overflow by assumption; lra].
    rewrite Forall_forall in A; apply A, nth_In; assumption.
Qed.

(** RS-DCG-9: nCG@k = CG@k / ICG@k *)
Definition ncg k r J := quotient (cg k r) (cg k (ideal J)).

(** RS-DCG-9/L1: it is nDCG@k without a discount *)
Theorem DCG_9_L1 k r J : ncg k r J = ndcg k d_none r J.
Proof. unfold ncg, ndcg, ndcg_by, idcg; rewrite !cg_is_dcg; reflexivity. Qed.
(** RS-DCG-9/L2: 0 <= nCG@k <= 1 where J covers r *)
Theorem DCG_9_L2 k r J : Forall (Rle 0) r -> covers J r -> 0 <= ncg k r J <= 1.
Proof. intros; rewrite DCG_9_L1; apply DCG_6_L1; auto using falls_none, nonneg_none. Qed.

(** * Expectations *)

Lemma mean_whole d t : mean (whole d) (orders t) = sum t / INR (length t) * sum_to d (length t).
Proof.
  rewrite (mean_ext _ (fun p => sum_to (fun i => d i * at_rank p i) (length t))).
  2: { intros p P; apply orders_are_permutations, Permutation_length in P; unfold whole;
  rewrite <- P.
       apply sum_to_ext; intros; ring. }
  rewrite mean_sum_to, <- sum_to_scale; apply sum_to_ext; intros i I; rewrite mean_scale;
  unfold at_rank.
  rewrite (mean_at_rank (fun x => x) 0 t (i - 1)) by lia; unfold mean, sum; ring.
Qed.

(** RS-EXP-2: the sum over the groups T, below s items,
    of the mean gain of T and the discounts of its ranks up to k *)
Fixpoint expected_dcg k d s (T : list (list R)) :=
  match T with
  | [] => 0
  | t :: T' => let m := Nat.min (length t) (k - s) in
      sum t / INR (length t) * sum_to (shift s d) m + expected_dcg k d (s + length t)%nat T'
  end.

Lemma sum_to_shift_cut k d s n : sum_to (shift s (cut k d)) n = sum_to (shift s d)
  (Nat.min n (k - s)).
Proof.
  rewrite (sum_to_ext _ (cut (k - s) (shift s d))).
  2: { intros i I; unfold shift, cut; destruct (Nat.leb_spec (s + i) k), (Nat.leb_spec i (k - s));
  reflexivity || lia. }
  generalize (k - s)%nat as m; intro m; induction n as [|n IH]; [reflexivity|]; cbn [sum_to];
  rewrite IH; unfold cut at 1.
  destruct (Nat.leb_spec (S n) m); [rewrite !Nat.min_l by lia;
  reflexivity|rewrite !Nat.min_r by lia; lra].
Qed.
Lemma shift_shift a b d i : shift a (shift b d) i = shift (b + a) d i.
Proof. unfold shift; f_equal; lia. Qed.

(** RS-EXP-2/L1: it equals RS-EXP-1 with M = DCG@k *)
Theorem EXP_2_L1 k d T : expectation (dcg k d) T = expected_dcg k d 0 T.
Proof.
  rewrite (expectation_ext _ (whole (shift 0 (cut k d)))) by (intros; apply dcg_cut);
  generalize 0%nat as s.
  induction T as [|t T IH]; intro s; [rewrite expectation_nil; apply whole_nil|].
  rewrite expectation_cons; cbn [expected_dcg]; rewrite <- IH.
  rewrite (mean_ext _ (fun p => whole (shift s (cut k d))
  p + expectation (whole (shift (s + length t) (cut k d))) T)).
  2: { intros p P; apply orders_are_permutations, Permutation_length in P.
       rewrite (expectation_ext _ (fun q => whole (shift s (cut k d))
       p + whole (shift (s + length t) (cut k d)) q)).
       - rewrite expectation_plus, expectation_const; reflexivity.
       - intros q _; rewrite whole_app, <- P; f_equal; apply whole_ext; intros; apply shift_shift. }
  rewrite mean_plus, mean_const, mean_whole, sum_to_shift_cut by apply orders_some; reflexivity.
Qed.
(** RS-EXP-2/L2: all tied, it is the mean gain times d(1) + ... + d(min(k, n)) *)
Theorem EXP_2_L2 k d t : expectation (dcg k d) [t] = sum t / INR (length t)
  * sum_to d (Nat.min k (length t)).
Proof. rewrite EXP_2_L1; cbn [expected_dcg]; rewrite Nat.sub_0_r, Nat.min_comm, Rplus_0_r;
  reflexivity. Qed.
(** RS-EXP-2/L3: with d = 1 and k >= n it is CG@n, whatever the ties *)
Theorem EXP_2_L3 k T : (length (concat T) <= k)%nat -> expectation (cg k) T = cg k (concat T).
Proof.
  intros L; rewrite (expectation_ext _ (fun _ => cg k (concat T))), expectation_const;
  [reflexivity|].
  intros p P; apply tied_orders_are in P; rewrite !cg_is_dcg, !dcg_all, !whole_none
    by (rewrite <- ?(Permutation_length P); assumption); symmetry; apply total_perm; assumption.
Qed.

(** RS-EXP-3: E[nDCG@k] = E[DCG@k] / IDCG@K *)
Definition expected_ndcg K k d T J := quotient (expected_dcg k d 0 T) (idcg K d J).

(** RS-EXP-3/L1: it equals RS-EXP-1 with M = nDCG@k *)
Theorem EXP_3_L1 K k d T J : expectation (fun p => ndcg_by K k d p J) T = expected_ndcg K k d T J.
Proof. unfold expected_ndcg; rewrite <- EXP_2_L1; apply mean_quotient. Qed.
Lemma covers_perm J r p : Permutation r p -> covers J r -> covers J p.
Proof.
  intros P (rest & F & Q); exists rest; split; [assumption|]; rewrite Q; apply Permutation_app_tail.
  clear - P; unfold positive; induction P; cbn; auto; repeat destruct (Rlt_dec _ _); auto;
  [apply perm_swap|eapply perm_trans; eassumption].
Qed.
(** RS-EXP-3/L2: 0 <= E[nDCG@k] <= 1 where J covers the list ... *)
Theorem EXP_3_L2 k d T J : falls d -> nonneg d -> Forall (Rle 0) (concat T) -> covers J (concat T)
  ->
  0 <= expected_ndcg k k d T J <= 1.
Proof.
  intros F N A C; rewrite <- EXP_3_L1; apply mean_between; [apply tied_orders_some|]; intros p P.
  apply tied_orders_are in P; apply DCG_6_L1; [assumption..|eapply Permutation_Forall;
  eassumption|eapply covers_perm; eassumption].
Qed.
(** RS-EXP-3/L2: ... with the ideals "all" and "shown", too *)
Theorem EXP_3_L2_ideals k d T J : falls d -> nonneg d -> Forall (Rle 0) (concat T) ->
  covers J (concat T) -> 0 <= expected_ndcg (length J) k d T J <= 1 /\
  0 <= expected_ndcg (Nat.min k (length (concat T))) k d T J <= 1.
Proof.
  intros F N A C; rewrite <- !EXP_3_L1; split; (apply mean_between; [apply tied_orders_some|]);
  intros p P; apply tied_orders_are in P;
  assert (Forall (Rle 0) p) as B by (eapply Permutation_Forall; eassumption);
  destruct (DCG_6_L1_ideals k d p J F N B (covers_perm _ _ _ P C)) as [X Y]; [exact X|].
  rewrite (Permutation_length P); exact Y.
Qed.
Lemma perm_repeat {A} (g : A) n p : Permutation (repeat g n) p -> p = repeat g n.
Proof.
  intros P; assert (length p = n) as L by (apply Permutation_length in P;
  rewrite repeat_length in P; auto).
  rewrite <- L at 1; apply Forall_eq_repeat, Forall_forall; intros x X.
  symmetry; eapply repeat_spec, Permutation_in; [symmetry; exact P|exact X].
Qed.
Lemma idcg_repeat k d g n : idcg k d (repeat g n) = dcg k d (repeat g n).
Proof. unfold idcg; rewrite (perm_repeat g n (ideal (repeat g n))) by apply DCG_4_L1;
  reflexivity. Qed.
(** RS-EXP-3/L3: all tied, with one label for all and the list as its own pool, it is 1 *)
Theorem EXP_3_L3 k d g n : 0 < idcg k d (repeat g n) ->
  expected_ndcg k k d [repeat g n] (repeat g n) = 1.
Proof.
  intros P; rewrite <- EXP_3_L1, (expectation_ext _ (fun _ => 1)), expectation_const;
  [reflexivity|].
  intros p I; apply tied_orders_are in I; cbn in I; rewrite app_nil_r in I; apply perm_repeat in I;
  subst.
  unfold ndcg_by, quotient; destruct (Rlt_dec _ _); [|contradiction]; rewrite idcg_repeat in *;
  field; lra.
Qed.

(** RS-EXP-80: E[nCG@k] = E[CG@k] / ICG@k *)
Definition expected_ncg k T J := quotient (expected_dcg k d_none 0 T) (cg k (ideal J)).

(** RS-EXP-80/L1: it equals RS-EXP-1 with M = nCG@k *)
Theorem EXP_80_L1 k T J : expectation (fun p => ncg k p J) T = expected_ncg k T J.
Proof.
  unfold expected_ncg; rewrite <- EXP_2_L1, (expectation_ext (dcg k d_none) (cg k)) by (intros;
  symmetry; apply cg_is_dcg).
  apply mean_quotient.
Qed.

(** * The variance of DCG *)

(** RS-EXP-20: sigma^2 / (n - 1) (n (d(1)^2 + ... + d(K)^2) - (d(1) + ... + d(K))^2), K = min(k, n)
    *)
Definition spread t := total (fun x => (x - sum t / INR (length t)) * (x - sum t / INR (length t)))
  t / INR (length t).
Definition variance_of_dcg k d t :=
  let n := INR (length t) in let K := Nat.min k (length t) in
  if (length t <? 2)%nat then 0
  else spread t / (n - 1) * (n * sum_to (fun i => d i * d i) K - sum_to d K * sum_to d K).

Lemma spread_form t : t <> [] -> spread t =
  total (fun x => x * x) t / INR (length t) - sum t / INR (length t) * (sum t / INR (length t)).
Proof.
  intros H; apply length_pos in H; unfold spread; set (n := INR (length t)) in *;
  set (m := sum t / n).
  rewrite (total_ext _ (fun x => x * x + (-2 * m * x + m * m))) by (intros; ring).
  rewrite !total_plus, total_scale, total_const; fold n;
  change (total (fun x => x) t) with (sum t); unfold m; field; lra.
Qed.
(** RS-EXP-20/L1: it equals RS-EXP-19 with M = DCG@k *)
Theorem EXP_20_L1 k d t : variance (dcg k d) t = variance_of_dcg k d t.
Proof.
  unfold variance_of_dcg, variance; destruct (Nat.ltb_spec (length t) 2) as [L|L].
  { destruct t as [|x [|y t]]; cbn in L; try lia; rewrite !expectation_one; unfold mean; cbn;
    field. }
  rewrite EXP_2_L2, spread_form by (destruct t; cbn in L; [lia|discriminate]).
  set (K := Nat.min k (length t)); set (n := INR (length t));
  assert (2 <= n) as N by (apply le_INR in L; exact L).
  set (A := total (fun x => x * x) t); set (B := (sum t * sum t - A) / (n * (n - 1))).
  assert (expectation (fun p => dcg k d p * dcg k d p) [t] = sum_to (fun j => A / n * (d j * d j)
  + 2 * sum_to (fun i => B * (d i * d j)) (j - 1)) K) as ->.
  { rewrite expectation_one.
    rewrite (mean_ext _ (fun p => sum_to (fun j => at_rank p j * d j * (at_rank p j * d j)
    + 2 * sum_to (fun i => at_rank p i * d i * (at_rank p j * d j)) (j - 1)) K)).
    2: { intros p P; apply orders_are_permutations, Permutation_length in P; unfold dcg;
    rewrite sum_to_square, <- P; reflexivity. }
    rewrite mean_sum_to; apply sum_to_ext; intros j J; rewrite mean_plus, mean_scale, mean_sum_to.
    assert (K <= length t)%nat by apply Nat.le_min_r; f_equal; [|f_equal; apply sum_to_ext;
    intros i I].
    - rewrite (mean_ext _ (fun p => d j * d j * (at_rank p j * at_rank p j))),
      mean_scale by (intros; ring).
      unfold at_rank; rewrite (mean_at_rank (fun x => x * x) 0) by lia; unfold mean; fold A n; ring.
    - rewrite (mean_ext _ (fun p => d i * d j * (at_rank p i * at_rank p j))),
      mean_scale by (intros; ring).
      unfold at_rank; rewrite (mean_at_ranks (fun x y => x * y) 0) by lia; rewrite pairs_all;
      fold A n.
      rewrite (total_ext (fun x => total (fun y => x * y) t) (fun x => sum t * x)), total_scale;
      fold (sum t); [unfold B; ring|].
      intros x _; rewrite total_scale; apply Rmult_comm. }
  rewrite (sum_to_ext _ (fun j => (A / n - B) * (d j * d j)
  + B * (d j * d j + 2 * sum_to (fun i => d i * d j) (j - 1)))).
  2: { intros; rewrite sum_to_scale; ring. }
  rewrite sum_to_plus, !sum_to_scale, <- sum_to_square; unfold B; field; lra.
Qed.
(** RS-EXP-20/L3: with d = 1 and N_p gains of 1 among gains of 0: N_p (n - N_p) K (n - K)
    / (n^2 (n - 1)) *)
Theorem EXP_20_L3 k a b : let n := (a + b)%nat in let K := Nat.min k n in (2 <= n)%nat ->
  variance (cg k) (repeat 1 a ++ repeat 0 b) =
  INR a * (INR n - INR a) * INR K * (INR n - INR K) / (INR n * INR n * (INR n - 1)).
Proof.
  intros n K H; assert (length (repeat 1 a ++ repeat 0 b) = n) as L by (rewrite app_length,
  !repeat_length; reflexivity).
  assert (variance (cg k) (repeat 1 a ++ repeat 0 b) = variance (dcg k d_none)
  (repeat 1 a ++ repeat 0 b)) as ->.
  { unfold variance; f_equal; [|f_equal]; apply expectation_ext; intros; rewrite ?cg_is_dcg;
    reflexivity. }
  rewrite EXP_20_L1; unfold variance_of_dcg; rewrite spread_form by (intros E; rewrite E in L;
  cbn in L; lia); rewrite L.
  destruct (Nat.ltb_spec n 2); [lia|]; unfold sum; rewrite !total_app; fold (sum (repeat 1 a));
  fold (sum (repeat 0 b)).
  assert (forall g m, total (fun x => x * x) (repeat g m) = INR m * (g * g)) as Q.
  { intros g m; induction m; [cbn; lra|]; cbn [repeat total]; rewrite IHm, S_INR; lra. }
  rewrite !Q, !sum_repeat; unfold d_none; rewrite !sum_to_const; fold K.
  assert (2 <= INR n) by (apply le_INR in H; exact H); field; lra.
Qed.
(** What the discounts add to the variance: a sum of two parts, neither of them negative *)
Lemma sum_of_squares d n K : (1 <= K)%nat -> let m := sum_to d K / INR K in
  n * sum_to (fun i => d i * d i) K - sum_to d K * sum_to d K =
  (n - INR K) * sum_to (fun i => d i * d i) K + INR K * sum_to (fun i => (d i - m) * (d i - m)) K.
Proof.
  intros H m; assert (0 < INR K) by (apply lt_0_INR; lia).
  rewrite (sum_to_ext (fun i => (d i - m) * (d i - m))
  (fun i => d i * d i + (-2 * m * d i + m * m))) by (intros; ring).
  rewrite !sum_to_plus, sum_to_scale, sum_to_const; unfold m; field; lra.
Qed.
Lemma squares_zero f K : sum_to (fun i => f i * f i) K = 0 -> forall i, (1 <= i <= K)%nat ->
  f i = 0.
Proof.
  intros E i I; assert (f i * f i = 0) as Z.
  { symmetry; apply (sum_to_le_eq (fun _ => 0) (fun i => f i * f i) K); [intros;
    apply Rle_0_sqr|rewrite E; apply sum_to_zero; reflexivity|assumption]. }
  apply Rmult_integral in Z; tauto.
Qed.
(** RS-EXP-20/L2: it is 0 if and only if all gains are equal, or K = n and d(1) = ... = d(n),
    or d(1) = 0 *)
Theorem EXP_20_L2 k d t : falls d -> nonneg d -> (2 <= length t)%nat -> (1 <= k)%nat -> let K :=
  Nat.min k (length t) in
  (variance (dcg k d) t = 0 <-> (forall x y, In x t -> In y t -> x = y) \/
    (K = length t /\ forall i, (1 <= i <= K)%nat -> d i = d 1%nat) \/ d 1%nat = 0).
Proof.
  intros F N L HK K; rewrite EXP_20_L1; unfold variance_of_dcg;
  destruct (Nat.ltb_spec (length t) 2); [lia|]; fold K.
  assert (1 <= K <= length t)%nat as B by (unfold K; lia);
  assert (2 <= INR (length t)) as N2 by (apply le_INR in L; exact L).
  rewrite (sum_of_squares d (INR (length t)) K) by lia; cbv zeta; set (m := sum_to d K / INR K);
  set (n := INR (length t)) in *.
  assert (1 <= INR K <= n) as KN by (split; [apply (rank_ge_1 K); lia|apply le_INR; lia]).
  set (D2 := sum_to (fun i => d i * d i) K); set (V := sum_to (fun i => (d i - m) * (d i - m)) K).
  assert (0 <= D2) by (apply sum_to_nonneg; intros; apply Rle_0_sqr);
  assert (0 <= V) by (apply sum_to_nonneg; intros; apply Rle_0_sqr).
  split.
  - intros E; apply Rmult_integral in E; destruct E as [E|E].
    + left; apply Rmult_integral in E; destruct E as [E|E]; [|exfalso;
      apply (Rinv_neq_0_compat (n - 1)); lra].
      intros x y X Y; pose proof (mean_zero (fun x => (x - sum t / n) * (x - sum t / n))
      t (fun x _ => Rle_0_sqr _) E) as Z; cbn beta in Z.
      pose proof (Rsqr_0_uniq _ (Z x X)); pose proof (Rsqr_0_uniq _ (Z y Y)); lra.
    + right; assert (0 <= (n - INR K) * D2) by (apply Rmult_le_pos; lra);
      assert (0 <= INR K * V) by (apply Rmult_le_pos; lra).
      assert (V = 0) as V0 by (apply (Rmult_eq_reg_l (INR K)); lra);
      assert ((n - INR K) * D2 = 0) as Z by lra; apply Rmult_integral in Z; destruct Z as [Z|Z].
      * left; split; [apply INR_eq; fold n; lra|]; intros i I;
        pose proof (squares_zero (fun i => d i - m) K V0) as Q; cbn beta in Q.
        pose proof (Q i I); pose proof (Q 1%nat ltac:(lia)); lra.
      * right; apply (squares_zero d K Z); lia.
  - intros [E|[[E1 E2]|E]].
    + assert (spread t = 0) as ->; [|unfold Rdiv; ring]; unfold spread; destruct t as [|x t'];
      [cbn in L; lia|]; fold n.
      assert (sum (x :: t') / n = x) as M.
      { unfold sum; rewrite (total_ext _ (fun _ => x)), total_const; [fold n; field;
        lra|intros y Y; apply E; [assumption|left; reflexivity]]. }
      rewrite M, (total_ext _ (fun _ => 0)), total_const; [unfold Rdiv; ring|]; intros y Y;
      rewrite (E y x Y (or_introl eq_refl)); ring.
    + assert (n - INR K = 0) as -> by (unfold n; rewrite E1; ring); assert (V = 0) as ->; [|ring];
      apply sum_to_zero; intros i I.
      assert (m = d 1%nat) as M by (unfold m; rewrite (sum_to_ext d (fun _ => d 1%nat)),
      sum_to_const by assumption; field; lra); rewrite M, E2 by assumption; ring.
    + assert (forall i, (1 <= i)%nat -> d i = 0) as Z by (intros i I;
      pose proof (falls_le d 1 i F ltac:(lia)); pose proof (N i I); lra).
      assert (D2 = 0) as -> by (apply sum_to_zero; intros i I; rewrite Z by lia; ring);
      assert (V = 0) as ->; [|ring].
      assert (m = 0) as M by (unfold m; rewrite (sum_to_zero d K) by (intros; apply Z; lia);
      unfold Rdiv; ring); apply sum_to_zero; intros i I; rewrite M, Z by lia; ring.
Qed.
(** RS-EXP-20/L4: with the gain c g + b it is c^2 times as large ... *)
Theorem EXP_20_L4_gain c b k d t : variance (dcg k d) (map (fun g => c * g + b) t)
  = c * c * variance (dcg k d) t.
Proof.
  rewrite !EXP_20_L1; unfold variance_of_dcg; rewrite map_length;
  destruct (Nat.ltb_spec (length t) 2); [ring|].
  assert (spread (map (fun g => c * g + b) t) = c * c * spread t) as ->; [|unfold Rdiv; ring].
  assert (0 < INR (length t)) by (apply lt_0_INR; lia); unfold spread;
  rewrite map_length, total_map.
  assert (sum (map (fun g => c * g + b) t) / INR (length t) = c * (sum t / INR (length t)) + b)
  as ->.
  { unfold sum; rewrite total_map, total_plus, total_scale, total_const; field; lra. }
  rewrite (total_ext _ (fun x => c * c * ((x - sum t / INR (length t))
  * (x - sum t / INR (length t))))), total_scale by (intros; ring); unfold Rdiv; ring.
Qed.
(** RS-EXP-23/L3: ... and the gain c g + b, c > 0, has the z of g in DCG, where the
    list is an order of J ... *)
Theorem EXP_23_L3_gain c b k d J p : 0 < c -> Permutation J p ->
  let f g := c * g + b in
  z_value (dcg k d) (map f J) (dcg k d (map f p)) = z_value (dcg k d) J (dcg k d p).
Proof.
  intros C P f; set (K := Nat.min k (length J)).
  assert (forall q, dcg k d (map f q) = c * dcg k d q + b * sum_to d (Nat.min k (length q))) as X.
  { intros q; unfold dcg; rewrite map_length, <- !sum_to_scale, <- sum_to_plus; apply sum_to_ext.
    intros i I; unfold at_rank; rewrite (nth_indep _ 0 (f 0)), (map_nth f) by
      (rewrite map_length; lia); unfold f; ring. }
  assert (expectation (dcg k d) [map f J] = c * expectation (dcg k d) [J] + b * sum_to d K) as E.
  { rewrite !expectation_one, orders_map; unfold mean at 1; rewrite total_map, map_length.
    fold (mean (fun q => dcg k d (map f q)) (orders J)).
    rewrite (mean_ext _ (fun q => c * dcg k d q + b * sum_to d K)), mean_plus, mean_scale,
      mean_const; [reflexivity|apply orders_some|].
    intros q Q; apply orders_are_permutations, Permutation_length in Q; rewrite X, <- Q.
    reflexivity. }
  pose proof (EXP_20_L4_gain c b k d J) as V2; fold f in V2; unfold z_value.
  rewrite V2, E, X, <- (Permutation_length P); fold K.
  assert (0 < c * c) by nra; destruct (Rlt_dec 0 (variance (dcg k d) J)) as [V|V].
  - destruct (Rlt_dec 0 (c * c * variance (dcg k d) J)) as [_|N]; [|exfalso; apply N,
    Rmult_lt_0_compat; assumption].
    rewrite sqrt_mult, sqrt_square by lra; pose proof (sqrt_lt_R0 _ V); field; lra.
  - destruct (Rlt_dec 0 (c * c * variance (dcg k d) J)); [exfalso; nra|reflexivity].
Qed.
(** RS-EXP-23/L3: ... over a divisor of the pool and of the length of the list, too, as in nDCG,
    LDCG and LNDCG; the pool with the other gain has another, D' *)
Corollary EXP_23_L3_gain_divided c b (D D' : nat -> R) k d J p : 0 < c -> Permutation J p ->
  let f g := c * g + b in let M D r := quotient (dcg k d r) (D (length r)) in
  variance (M D) J <> 0 -> variance (M D') (map f J) <> 0 ->
  z_value (M D') (map f J) (M D' (map f p)) = z_value (M D) J (M D p).
Proof.
  intros C P f M V W.
  assert (forall E I q, Permutation I q -> M E q = quotient (dcg k d q) (E (length I))) as X by
    (intros E I q Q; unfold M; rewrite (Permutation_length Q); reflexivity).
  assert (Permutation (map f J) (map f p)) as Q by (apply Permutation_map, P).
  rewrite (z_value_ext _ _ _ _ (X D J)), (z_value_ext _ _ _ _ (X D' (map f J))).
  rewrite (X D J p P), (X D' (map f J) _ Q); rewrite (variance_ext _ _ _ (X D J)) in V.
  rewrite (variance_ext _ _ _ (X D' (map f J))) in W.
  rewrite (EXP_23_L3_divisor _ _ _ _ V), (EXP_23_L3_divisor _ _ _ _ W).
  apply EXP_23_L3_gain; assumption.
Qed.
(** RS-EXP-20/L4: ... and so with the discount c d *)
Theorem EXP_20_L4 c k d t : variance (dcg k (fun i => c * d i)) t = c * c * variance (dcg k d) t.
Proof.
  unfold variance; rewrite (expectation_ext (dcg k (fun i => c * d i)) (fun p => c * dcg k d p))
  by (intros; apply dcg_scale_d).
  rewrite (expectation_ext _ (fun p => c * c * (dcg k d p * dcg k d p))) by (intros;
  rewrite dcg_scale_d; ring).
  rewrite !expectation_scale; ring.
Qed.

(** * Inverse propensity *)

(** A relevant item with its propensity p, or one that is not relevant *)
Definition item := option R.
(** The mean of M over what is known, each relevant item with its probability, whatever the others
    are *)
Fixpoint mean_known (items : list item) (M : list R -> R) : R :=
  match items with
  | [] => M []
  | None :: l => mean_known l (fun r => M (0 :: r))
  | Some p :: l => p * mean_known l (fun r => M (1 / p :: r)) +
      (1 - p) * mean_known l (fun r => M (0 :: r))
  end.
(** The labels if all were known, 1 for each relevant item *)
Definition all_known (items : list item) := map (fun x => match x with Some _ => 1 | None => 0 end)
  items.

Lemma mean_known_ext items M M' : (forall r, M r = M' r) -> mean_known items M = mean_known items
  M'.
Proof.
  revert M M'; induction items as [|[p|] l IH]; intros M M' H; cbn; [apply H| |apply IH; intros;
    apply H].
  f_equal; f_equal; apply IH; intros; apply H.
Qed.
Lemma mean_known_linear items a b M : mean_known items (fun r => a + b * M r) =
  a + b * mean_known items M.
Proof. revert M; induction items as [|[p|] l IH]; intros M; cbn; rewrite ?IH; ring. Qed.
Definition propensities (items : list item) :=
  Forall (fun x => match x with Some p => 0 < p | None => True end) items.
(** RS-GAIN-4/L2: the mean of DCG@k is DCG@k of all relevant items with the label 1 ... *)
Theorem GAIN_4_L2 k d items : propensities items ->
  mean_known items (dcg k d) = dcg k d (all_known items).
Proof.
  intros F; rewrite (mean_known_ext _ _ (whole (cut k d))), dcg_cut by (intros; apply dcg_cut).
  generalize (cut k d); clear k d; induction F as [|x items P F IH]; intros d; [reflexivity|].
  assert (forall y, mean_known items (fun r => whole d (y :: r)) =
    y * d 1%nat + whole (shift 1 d) (all_known items)) as X.
  { intros y; rewrite (mean_known_ext _ _ (fun r => y * d 1%nat + 1 * whole (shift 1 d) r)) by
      (intros; rewrite whole_cons; ring); rewrite mean_known_linear, IH; ring. }
  destruct x as [p|]; cbn [mean_known]; rewrite !X; cbn [all_known map];
    rewrite whole_cons; fold (all_known items); [field; lra|reflexivity].
Qed.
(** RS-GAIN-4/L2: ... so is that of PSP and of PSnDCG, which divide by a number of k ... *)
Theorem GAIN_4_L2_perfect k d items : propensities items ->
  mean_known items (ndcg_perfect k d) = ndcg_perfect k d (all_known items).
Proof.
  intros F; destruct (DCG_8_L1 k d) as (c & C); rewrite C, <- GAIN_4_L2 by assumption.
  rewrite (mean_known_ext _ _ (fun r => 0 + c * dcg k d r)), mean_known_linear by
    (intros; rewrite C; ring); ring.
Qed.
(** RS-GAIN-4/L2: ... but not of the quotients by the best of the query: with one item, known half
    of the
    time, nDCG is 1 then, and 0 else *)
Theorem GAIN_4_L2_best d : 0 < d 1%nat -> let items := [Some (1 / 2)] in
  let nDCG r := ndcg 1 d r r in
  mean_known items nDCG = 1 / 2 /\ nDCG (all_known items) = 1.
Proof.
  intros D items nDCG; assert (forall x, nDCG [x] = if Rlt_dec 0 (x * d 1%nat) then 1 else 0) as X.
  { intros x; unfold nDCG, ndcg, ndcg_by, quotient, idcg, dcg, at_rank; cbn; rewrite !Rplus_0_l.
    destruct (Rlt_dec _ _) as [P|P]; [apply div_eq; lra|reflexivity]. }
  unfold items; cbn [mean_known all_known map]; rewrite !X.
  replace (1 / (1 / 2)) with 2 by field.
  destruct (Rlt_dec 0 (2 * d 1%nat)), (Rlt_dec 0 (0 * d 1%nat)), (Rlt_dec 0 (1 * d 1%nat)); split;
    lra.
Qed.
(** RS-GAIN-4/L3: multiplying all weights by one positive number does not change nCG@k and nDCG@k *)
Theorem GAIN_4_L3 c k d r J : 0 < c -> let scaled := map (Rmult c) in
  ncg k (scaled r) (scaled J) = ncg k r J /\ ndcg k d (scaled r) (scaled J) = ndcg k d r J.
Proof.
  intros C scaled; unfold scaled; rewrite (DCG_9_L1 k r J), (DCG_9_L1 k (map _ r)).
  split; apply DCG_6_L4; assumption.
Qed.
