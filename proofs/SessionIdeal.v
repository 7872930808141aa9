(* Ideal sessions: spec/session.md, RS-SES-7 to RS-SES-10. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Bool.
From Rankspec Require Import Numbers Gain Ties Dcg Session.
Import ListNotations.
Open Scope R_scope.

(** * The repeated ideal *)

(** RS-SES-7: each query of the ideal session shows the first L_q items of the ideal ranking *)
Definition ideal_session X c J (s : list (list R)) := map (fun r => firstn (ranks X c (length r))
  (ideal J)) s.
(** RS-SES-10: IsDCG@X, the sDCG of the ideal session *)
Definition isdcg X c d D J s := sdcg X d D (ideal_session X c J s).

(** RS-SES-7/L1: it is the sum of D(q) IDCG@L_q *)
Theorem SES_7_L1 X c d D J s : isdcg X c d D J s = sum_to (fun q => D q * idcg (ranks X c (length
  (query s q))) d J) (length s).
Proof.
  unfold isdcg, sdcg, ideal_session; rewrite map_length; apply sum_to_ext; intros q Q; f_equal.
  assert (query (map (fun r => firstn (ranks X c (length r)) (ideal J)) s)
  q = firstn (ranks X c (length (query s q))) (ideal J)) as ->.
  { unfold query; rewrite (nth_indep _ [] (firstn (ranks X c (length (@nil R))) (ideal J)))
    by (rewrite map_length; lia).
    apply (map_nth (fun r => firstn (ranks X c (length r)) (ideal J))). }
  pose proof (SES_4_L1 X c (length (query s q))); unfold idcg;
  rewrite (dcg_firstn (ranks _ _ _)), dcg_all; [reflexivity|].
  rewrite firstn_length; lia.
Qed.
(** RS-SES-7/L1: ... with the padding "X", IDCG@X times the sum of D *)
Corollary SES_7_L1_X X d D J s : isdcg X X d D J s = idcg X d J * sum_to D (length s).
Proof.
  rewrite SES_7_L1, <- sum_to_scale; apply sum_to_ext; intros q Q;
  rewrite (proj1 (SES_4_L2 X X (length (query s q))) (Nat.le_refl X)); ring.
Qed.
Lemma dcg_ranks X c d r : dcg X d r = dcg (ranks X c (length r)) d r.
Proof. unfold dcg, ranks; f_equal; lia. Qed.
(** RS-SES-7/L2: among the sessions with these L_q whose lists J covers,
    none has a greater sDCG@X *)
Theorem SES_7_L2 X c d D J s : falls d -> nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s ->
  sdcg X d D s <= isdcg X c d D J s.
Proof.
  intros F N M A C; rewrite SES_7_L1; apply sum_to_le; intros q Q; apply Rmult_le_compat_l;
  [apply M; lia|].
  rewrite (dcg_ranks X c); apply dcg_covered; [assumption|assumption|apply query_gains;
  assumption|].
  rewrite Forall_forall in C; apply C, nth_In; lia.
Qed.
(** RS-SES-7/L2: ... for any repeats *)
Corollary SES_7_L2_repeats X c d D J delta ids s : falls d -> nonneg d -> nonneg D ->
  Forall (Forall (Rle 0)) s -> Forall (covers J) s -> 0 <= delta <= 1 ->
  sdcg X d D (gains_of X delta ids s) <= isdcg X c d D J s.
Proof.
  intros F N M A C T; apply Rle_trans with (sdcg X d D s); [apply sdcg_gains_le|apply SES_7_L2];
    assumption.
Qed.
Lemma isdcg_one X c d D J r : isdcg X c d D J [r] = D 1%nat * idcg (ranks X c (length r)) d J.
Proof. rewrite SES_7_L1; cbn; ring. Qed.
Lemma repeated_at_cutoffs X Y c e d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  (X <= Y)%nat -> (c <= e)%nat -> isdcg X c d D J s <= isdcg Y e d D J s.
Proof.
  intros N M A XY CE; rewrite !SES_7_L1; apply sum_to_le; intros q Q; apply Rmult_le_compat_l;
    [apply M; lia|].
  apply dcg_more; [assumption|apply ideal_nonneg; assumption|apply SES_4_L3; lia].
Qed.
Lemma isdcg_appended X c d D J s r : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg X c d D J s <= isdcg X c d D J (s ++ [r]).
Proof.
  intros N M A; unfold isdcg, ideal_session; rewrite map_app, sdcg_app; cbn [map];
  rewrite sdcg_one; unfold shift.
  assert (0 <= dcg X d (firstn (ranks X c (length r)) (ideal J)));
    [|pose proof (M (length (map (fun r => firstn (ranks X c (length r)) (ideal J)) s)
    + 1)%nat ltac:(lia)); nra].
  apply dcg_nonneg; [assumption|]; apply Forall_forall; intros x I;
  pose proof (ideal_nonneg J A) as B; rewrite Forall_forall in B.
  apply B; rewrite <- (firstn_skipn (ranks X c (length r)) (ideal J)); apply in_or_app; auto.
Qed.
Lemma dcg_nil X d : dcg X d [] = 0.
Proof. unfold dcg; rewrite Nat.min_0_r; reflexivity. Qed.
Lemma isdcg_appended_empty X d D J s : isdcg X 0 d D J (s ++ [[]]) = isdcg X 0 d D J s.
Proof.
  unfold isdcg, ideal_session; rewrite map_app, sdcg_app; cbn [map]; rewrite sdcg_one; cbn [length].
  unfold ranks; rewrite Nat.max_0_l, Nat.min_0_r; cbn [firstn]; rewrite dcg_nil; ring.
Qed.

(** * Places and their weights *)

(** D(q) d(i) at the place (q, i) *)
Definition weight (d D : nat -> R) (p : nat * nat) := D (fst p) * d (snd p).
(** The gain at the place (q, i) *)
Definition gain_at (s : list (list R)) (p : nat * nat) := at_rank (query s (fst p)) (snd p).
(** The places (q, i), 1 <= i <= L_q, of a session *)
Definition places_in_session X c (s : list (list R)) := places (ranks_of X c s) (length s).

Lemma sdcg_places X L d D s : has_ranks X L s -> sdcg X d D s =
  total (fun p => weight d D p * gain_at s p) (places L (length s)).
Proof.
  intros H; rewrite total_places; apply sum_to_ext; intros q Q.
  rewrite <- (dcg_at_end X L d s q H Q), dcg_sum, <- sum_to_scale; apply sum_to_ext; intros i I.
  unfold weight, gain_at; cbn [fst snd]; ring.
Qed.
Lemma places_length L m : length (places L m) = ranks_before L (S m).
Proof.
  induction m as [|m IH]; [reflexivity|]; rewrite places_S, app_length, map_length, seq_length, IH,
    (ranks_before_S L (S m)) by lia; reflexivity.
Qed.
Lemma at_rank_map_app1 {A} (f : A -> R) a b i : (1 <= i <= length a)%nat ->
  at_rank (map f (a ++ b)) i = at_rank (map f a) i.
Proof. intros I; rewrite map_app; apply at_rank_app1; rewrite map_length; assumption. Qed.
Lemma at_rank_place f L m q i : (1 <= q <= m)%nat -> (1 <= i <= L q)%nat ->
  at_rank (map f (places L m)) (ranks_before L q + i) = f (q, i).
Proof.
  induction m as [|m IH]; intros Q I; [lia|]; rewrite places_S; destruct (Nat.eq_dec q (S m))
    as [->|N].
  - rewrite map_app, <- (places_length L m), <- (map_length f (places L m)), at_rank_app2, map_map
      by lia; apply at_rank_map_seq; assumption.
  - pose proof (ranks_before_le L (S q) (S m) ltac:(lia)) as B; rewrite ranks_before_S in B by lia.
    rewrite at_rank_map_app1 by (rewrite places_length; lia); apply IH; lia.
Qed.
Lemma total_ranked w h L m :
  total (fun p => w p * h (ranks_before L (fst p) + snd p)%nat) (places L m) =
  sum_to (fun j => at_rank (map w (places L m)) j * h j) (ranks_before L (S m)).
Proof.
  induction m as [|m IH]; [reflexivity|].
  rewrite places_S, total_app, IH, (ranks_before_S L (S m)), sum_to_split by lia; f_equal.
  - apply sum_to_ext; intros j Hj; rewrite at_rank_map_app1 by (rewrite places_length; lia);
      reflexivity.
  - rewrite total_map, total_seq; apply sum_to_ext; intros i I; unfold shift; cbn [fst snd];
    f_equal.
    rewrite map_app, <- (places_length L m), <- (map_length w (places L m)), at_rank_app2, map_map
      by lia; symmetry; apply at_rank_map_seq; assumption.
Qed.
Lemma places_NoDup L m : NoDup (places L m).
Proof.
  induction m as [|m IH]; [constructor|]; rewrite places_S.
  assert (forall (a b : list (nat * nat)), NoDup a -> NoDup b -> (forall p, In p a -> ~ In p b) ->
    NoDup (a ++ b)) as J.
  { intros a b A B D; induction A as [|p a P A IHa]; [assumption|]; cbn; constructor.
    - intros I; apply in_app_or in I; destruct I as [I|I]; [contradiction|].
      apply (D p); [left; reflexivity|assumption].
    - apply IHa; intros o O; apply D; right; assumption. }
  apply J; [assumption| |].
  - apply FinFun.Injective_map_NoDup; [intros x y E; congruence|apply seq_NoDup].
  - intros [q i] P I; apply places_in in P; apply in_map_iff in I; destruct I as (j & E & _).
    injection E as E _; lia.
Qed.

(** * What a pool covers *)

Lemma covers_part J a b : Forall (Rle 0) b -> covers J (a ++ b) -> covers J a.
Proof.
  intros B (rest & R & P); exists (positive b ++ rest); split.
  - apply Forall_app; split; [|assumption]; apply Forall_forall; intros x X; apply filter_In in X.
    rewrite Forall_forall in B; apply B, X.
  - rewrite app_assoc; unfold positive in *; rewrite <- filter_app; assumption.
Qed.
Lemma covers_positive J a b : positive a = positive b -> covers J a -> covers J b.
Proof. unfold covers; intros ->; auto. Qed.
Lemma covers_own J a b : Forall (Rle 0) J -> Permutation J (a ++ b) -> covers J a.
Proof.
  intros F P; assert (Forall (Rle 0) (a ++ b)) as A by (eapply Permutation_Forall; eassumption).
  apply Forall_app in A; destruct A as [A B].
  exists (filter (fun x => negb (if Rlt_dec 0 x then true else false)) a ++ b); split.
  - apply Forall_app; split; [|assumption]; apply Forall_forall; intros x X; apply filter_In in X.
    rewrite Forall_forall in A; apply A, X.
  - rewrite P, app_assoc; apply Permutation_app_tail; clear; induction a as [|x a IH];
    [constructor|].
    unfold positive in *; cbn [filter]; destruct (Rlt_dec 0 x); cbn [negb app];
      [apply perm_skip; assumption|apply Permutation_cons_app; assumption].
Qed.
Lemma positive_app a b : positive (a ++ b) = positive a ++ positive b.
Proof. apply filter_app. Qed.
Lemma positive_zeros n : positive (repeat 0 n) = [].
Proof. induction n as [|n IH]; [reflexivity|]; cbn; destruct (Rlt_dec 0 0); [lra|exact IH]. Qed.
Lemma at_ranks_padded r k : map (at_rank r) (seq 1 k) = firstn k r ++ repeat 0 (k - length r).
Proof.
  apply at_rank_ext; rewrite ?map_length, ?seq_length.
  - rewrite app_length, firstn_length, repeat_length; lia.
  - intros i I; rewrite at_rank_map_seq by assumption; destruct (Nat.le_gt_cases i (length r)).
    + rewrite at_rank_app1 by (rewrite firstn_length; lia).
      rewrite <- (firstn_skipn k r) at 1; apply at_rank_app1; rewrite firstn_length; lia.
    + rewrite at_rank_beyond by assumption.
      assert (i = length (firstn k r) + (i - length r))%nat as -> by (rewrite firstn_length; lia).
      rewrite at_rank_app2, at_rank_repeat by lia; reflexivity.
Qed.
Lemma positive_at_places X L t : has_ranks X L t -> positive (map (gain_at t) (places L (length t)))
  = positive (looked_at X t).
Proof.
  induction t as [|r t IH] using rev_ind; intros H; [reflexivity|].
  rewrite app_length, Nat.add_1_r, places_S, looked_at_app, map_app, !positive_app; f_equal.
  - rewrite <- IH.
    + f_equal; apply map_ext_in; intros [q i] P; apply places_in in P; unfold gain_at; cbn [fst
      snd].
      rewrite query_app1 by lia; reflexivity.
    + intros q Q; specialize (H q); rewrite app_length, query_app1 in H by lia; apply H; cbn; lia.
  - specialize (H (S (length t))); rewrite app_length, query_last in H; cbn [length] in H.
    specialize (H ltac:(lia)); rewrite map_map; unfold gain_at; cbn [fst snd]; rewrite query_last.
    change (fun x => at_rank r x) with (at_rank r); rewrite at_ranks_padded, positive_app,
      positive_zeros, app_nil_r; unfold looked_at; cbn [map concat]; rewrite app_nil_r; f_equal.
    destruct (Nat.le_gt_cases X (length r)); [f_equal; lia|rewrite !firstn_all2 by lia;
      reflexivity].
Qed.
Lemma looked_at_rest {A} X (s : list (list A)) : Permutation (concat s) (looked_at X s ++
  concat (map (skipn X) s)).
Proof.
  induction s as [|r s IH]; [constructor|]; unfold looked_at in *; cbn [map concat].
  rewrite <- (firstn_skipn X r) at 1; rewrite <- !app_assoc; apply Permutation_app_head.
  rewrite IH; apply Permutation_app_swap_app.
Qed.
Lemma concat_nonneg s : Forall (Forall (Rle 0)) s -> Forall (Rle 0) (concat s).
Proof. intros F; induction F; cbn; [constructor|apply Forall_app; split; assumption]. Qed.
Lemma skipn_nonneg X s : Forall (Forall (Rle 0)) s -> Forall (Forall (Rle 0)) (map (skipn X) s).
Proof.
  intros F; apply Forall_map; eapply Forall_impl; [|exact F]; intros r A.
  rewrite <- (firstn_skipn X r) in A; apply Forall_app in A; apply A.
Qed.
Lemma covers_looked_at J X s : Forall (Forall (Rle 0)) s -> covers J (concat s) ->
  covers J (looked_at X s).
Proof.
  intros F C; apply covers_part with (concat (map (skipn X) s)).
  - apply concat_nonneg, skipn_nonneg, F.
  - apply covers_perm with (concat s); [apply looked_at_rest|assumption].
Qed.
Lemma covers_query J s q : Forall (Forall (Rle 0)) s -> (1 <= q <= length s)%nat ->
  covers J (concat s) -> covers J (query s q).
Proof.
  intros F Q C; destruct (nth_split s [] (n := q - 1) ltac:(lia)) as (a & b & E & _).
  fold (query s q) in E; rewrite E, concat_app in C; cbn [concat] in C; rewrite E in F.
  apply Forall_app in F; destruct F as [Fa Fb]; inversion Fb as [|? ? Fq Fb']; subst.
  apply covers_part with (concat a ++ concat b).
  - apply Forall_app; split; apply concat_nonneg; assumption.
  - eapply covers_perm; [|exact C]; apply Permutation_app_swap_app.
Qed.

(** * The spread ideal *)

(** RS-SES-8: query q of the ideal session shows the L_q items of the ideal ranking after the first
    L_1 + ... + L_(q - 1) *)
Definition spread_session X c J (s : list (list R)) :=
  map (fun q => firstn (ranks_of X c s q) (skipn (ranks_before (ranks_of X c s) q) (ideal J)))
    (seq 1 (length s)).
(** RS-SES-10: IsDCG@X with the ideal "spread" *)
Definition isdcg_spread X c d D J s := sdcg X d D (spread_session X c J s).

Lemma at_rank_firstn k r i : (1 <= i <= k)%nat -> at_rank (firstn k r) i = at_rank r i.
Proof.
  intros I; rewrite <- (firstn_skipn k r) at 2; destruct (Nat.le_gt_cases i (length (firstn k r)))
    as [L|L]; [symmetry; apply at_rank_app1; lia|].
  rewrite firstn_length in L; rewrite !at_rank_beyond; rewrite ?app_length, ?skipn_length,
    ?firstn_length; try reflexivity; lia.
Qed.
Lemma at_rank_skipn k r i : (1 <= i)%nat -> at_rank (skipn k r) i = at_rank r (k + i).
Proof.
  intros I; unfold at_rank; replace (k + i - 1)%nat with (k + (i - 1))%nat by lia.
  generalize (i - 1)%nat as j; intro j; revert r; induction k as [|k IH]; intros [|x r]; cbn;
    try reflexivity; [destruct j; reflexivity|apply IH].
Qed.
Lemma spread_length X c J s : length (spread_session X c J s) = length s.
Proof. unfold spread_session; rewrite map_length; apply seq_length. Qed.
Lemma spread_has X c J s : has_ranks X (ranks_of X c s) (spread_session X c J s).
Proof.
  intros q Q; rewrite spread_length in Q; unfold spread_session; rewrite query_map_seq,
    firstn_length
    by assumption; pose proof (SES_4_L1 X c (length (query s q))); unfold ranks_of; lia.
Qed.
Lemma isdcg_spread_value X c d D J s : let L := ranks_of X c s in let W := map (weight d D)
  (places L (length s)) in isdcg_spread X c d D J s = dcg (length W) (at_rank W) (ideal J).
Proof.
  intros L W; unfold isdcg_spread; rewrite (sdcg_places X L) by apply spread_has.
  rewrite spread_length, (total_ext _ (fun p => weight d D p * at_rank (ideal J) (ranks_before L
    (fst p) + snd p))).
  - rewrite (total_ranked (weight d D) (at_rank (ideal J))), dcg_sum.
    assert (length W = ranks_before L (S (length s))) as -> by (unfold W; rewrite map_length;
      apply places_length); apply sum_to_ext; intros; fold W; ring.
  - intros [q i] P; apply places_in in P; unfold gain_at, spread_session, L in *; cbn [fst snd].
    rewrite query_map_seq, at_rank_firstn, at_rank_skipn by lia; reflexivity.
Qed.
Lemma firstn_add {A} a b (l : list A) : firstn (a + b) l = firstn a l ++ firstn b (skipn a l).
Proof. revert l; induction a as [|a IH]; intros [|x l]; cbn; rewrite ?firstn_nil; try reflexivity.
  rewrite IH; reflexivity. Qed.
(** RS-SES-8/L1: its concatenated lists are the first min(L, |J|) items of the ideal ranking *)
Theorem SES_8_L1 X c J s : let L := ranks_before (ranks_of X c s) (S (length s)) in
  concat (spread_session X c J s) = firstn (Nat.min L (length J)) (ideal J).
Proof.
  cbv zeta; unfold spread_session; set (L := ranks_of X c s); generalize (length s) as m; intro m.
  transitivity (firstn (ranks_before L (S m)) (ideal J)).
  - induction m as [|m IH]; [reflexivity|]; rewrite seq_S, map_app, concat_app, IH,
      (ranks_before_S L (S m)), firstn_add by lia; cbn; rewrite app_nil_r; reflexivity.
  - rewrite (Permutation_length (DCG_4_L1 J)); destruct (Nat.le_ge_cases (ranks_before L (S m))
      (length (ideal J))); [rewrite Nat.min_l by assumption; reflexivity|].
    rewrite Nat.min_r, !firstn_all2 by lia; reflexivity.
Qed.

(** * The greatest ideal *)

(** RS-SES-9: the places by their weights, the greatest first, of equal ones the earlier query,
    then the smaller rank: p is put before the later places o with weights up to its own *)
Fixpoint place_in (w : nat * nat -> R) p l := match l with [] => [p] | o :: l' =>
  if Rle_dec (w o) (w p) then p :: l else o :: place_in w p l' end.
Definition by_weight w l := fold_right (place_in w) [] l.
Definition order_of_places X c d D s := by_weight (weight d D) (places_in_session X c s).
(** How many places come before p *)
Definition same_place (o p : nat * nat) := ((fst o =? fst p) && (snd o =? snd p))%nat%bool.
Fixpoint index (p : nat * nat) l := match l with [] => 0%nat | o :: l' =>
  if same_place o p then 0%nat else S (index p l') end.
(** RS-SES-9: J_(j) stands at the j-th place, and no item at the places beyond |J| *)
Definition item_at X c d D J s p := nth_error (ideal J) (index p (order_of_places X c d D s)).
(** RS-SES-9: the ideal session, in which an empty place gains nothing *)
Definition greatest_session X c d D J s :=
  map (fun q => map (fun i => match item_at X c d D J s (q, i) with Some g => g | None => 0 end)
    (seq 1 (ranks_of X c s q))) (seq 1 (length s)).
(** RS-SES-10: IsDCG@X with the ideal "greatest" *)
Definition isdcg_greatest X c d D J s := sdcg X d D (greatest_session X c d D J s).

Lemma same_place_spec o p : reflect (o = p) (same_place o p).
Proof.
  destruct o as [a b], p as [a' b']; unfold same_place; cbn [fst snd].
  destruct (Nat.eqb_spec a a'), (Nat.eqb_spec b b'); cbn; constructor; congruence.
Qed.
Lemma place_in_perm w p l : Permutation (p :: l) (place_in w p l).
Proof.
  induction l as [|o l IH]; cbn; [reflexivity|]; destruct (Rle_dec _ _); [reflexivity|].
  rewrite perm_swap; apply perm_skip; assumption.
Qed.
Lemma by_weight_perm w l : Permutation l (by_weight w l).
Proof. induction l as [|p l IH]; cbn; [constructor|]; rewrite <- place_in_perm; apply perm_skip;
  assumption. Qed.
Lemma by_weight_best w l : map w (by_weight w l) = best (map w l).
Proof.
  induction l as [|p l IH]; [reflexivity|]; cbn [by_weight fold_right map best]; rewrite <- IH.
  fold (by_weight w l); generalize (by_weight w l) as m; intro m; induction m as [|o m IHm];
    [reflexivity|]; cbn; destruct (Rle_dec (w o) (w p)); cbn; [reflexivity|rewrite IHm;
      reflexivity].
Qed.
Lemma total_indexed w h l : NoDup l -> total (fun p => w p * h (S (index p l))) l =
  sum_to (fun j => at_rank (map w l) j * h j) (length l).
Proof.
  intros N; revert h; induction N as [|p l P N IH]; intro h; [reflexivity|]; cbn [total length].
  rewrite sum_to_first; cbn [index]; destruct (same_place_spec p p) as [_|E]; [|congruence];
    f_equal.
  rewrite (total_ext _ (fun o => w o * h (S (S (index o l))))).
  - rewrite (IH (fun j => h (S j))); apply sum_to_ext; intros j J; unfold shift; cbn [Nat.add];
    f_equal.
    unfold at_rank; replace (S j - 1)%nat with (S (j - 1)) by lia; reflexivity.
  - intros o O; destruct (same_place_spec p o) as [->|_]; [contradiction|reflexivity].
Qed.
Lemma weights_nonneg d D L m : nonneg d -> nonneg D -> Forall (Rle 0) (map (weight d D) (places L
  m)).
Proof.
  intros N M; apply Forall_map, Forall_forall; intros [q i] P; apply places_in in P.
  apply Rmult_le_pos; [apply M|apply N]; cbn; lia.
Qed.
Lemma rank_nonneg l : Forall (Rle 0) l -> nonneg (at_rank l).
Proof. intros F i _; apply at_rank_nonneg; assumption. Qed.

(** The weights of the places of a session, the greatest first *)
Definition weights X c d D s := ideal (map (weight d D) (places_in_session X c s)).
Lemma weights_fall X c d D s : nonneg d -> nonneg D -> falls (at_rank (weights X c d D s)) /\
  nonneg (at_rank (weights X c d D s)).
Proof.
  intros N M; pose proof (weights_nonneg d D (ranks_of X c s) (length s) N M) as F; split;
    [apply ideal_rank_falls|apply rank_nonneg, ideal_nonneg]; exact F.
Qed.
Lemma greatest_length X c d D J s : length (greatest_session X c d D J s) = length s.
Proof. unfold greatest_session; rewrite map_length; apply seq_length. Qed.
Lemma greatest_query_length X c d D J s q : (1 <= q <= length s)%nat ->
  length (query (greatest_session X c d D J s) q) = ranks_of X c s q.
Proof. intros Q; unfold greatest_session; rewrite query_map_seq, map_length by assumption;
  apply seq_length. Qed.
Lemma greatest_has X c d D J s : has_ranks X (ranks_of X c s) (greatest_session X c d D J s).
Proof.
  intros q Q; rewrite greatest_length in Q; rewrite greatest_query_length by assumption.
  pose proof (SES_4_L1 X c (length (query s q))); unfold ranks_of; lia.
Qed.
Lemma nth_error_gain l j : match nth_error l j with Some g => g | None => 0 end = at_rank l (S j).
Proof. unfold at_rank; replace (S j - 1)%nat with j by lia; revert j; induction l as [|x l IH];
  intros [|j]; cbn; auto. Qed.
Lemma greatest_gain_at X c d D J s p : In p (places_in_session X c s) ->
  gain_at (greatest_session X c d D J s) p = at_rank (ideal J) (S (index p (order_of_places X c d D
    s))).
Proof.
  destruct p as [q i]; intros P; apply places_in in P; unfold gain_at, greatest_session; cbn [fst
    snd].
  rewrite query_map_seq, at_rank_map_seq by lia; apply nth_error_gain.
Qed.
Lemma order_perm X c d D s : Permutation (places_in_session X c s) (order_of_places X c d D s).
Proof. apply by_weight_perm. Qed.
Lemma order_NoDup X c d D s : NoDup (order_of_places X c d D s).
Proof. eapply Permutation_NoDup; [apply order_perm|apply places_NoDup]. Qed.
Lemma order_weights X c d D s : map (weight d D) (order_of_places X c d D s) = weights X c d D s.
Proof. apply by_weight_best. Qed.
(** The sum of the j-th greatest weight times the gain of the j-th best item *)
Lemma isdcg_greatest_value X c d D J s : isdcg_greatest X c d D J s =
  dcg (length (places_in_session X c s)) (at_rank (weights X c d D s)) (ideal J).
Proof.
  unfold isdcg_greatest; rewrite (sdcg_places X (ranks_of X c s)) by apply greatest_has.
  rewrite greatest_length; fold (places_in_session X c s).
  rewrite (total_ext _ (fun p => weight d D p * at_rank (ideal J) (S (index p (order_of_places X c d
    D s))))) by (intros p P; rewrite greatest_gain_at by assumption; reflexivity).
  rewrite (total_perm _ _ _ (order_perm X c d D s)), (Permutation_length (order_perm X c d D s)).
  rewrite (total_indexed (weight d D) (at_rank (ideal J))) by apply order_NoDup.
  rewrite order_weights, dcg_sum; apply sum_to_ext; intros; ring.
Qed.
(** The sDCG of a session that fits these places, with its gains in the order of the weights *)
Lemma sdcg_by_weight X c d D s t : length t = length s -> has_ranks X (ranks_of X c s) t ->
  sdcg X d D t = dcg (length (places_in_session X c s)) (at_rank (weights X c d D s))
    (map (gain_at t) (order_of_places X c d D s)).
Proof.
  intros E H; rewrite (sdcg_places X (ranks_of X c s)), E by assumption.
  fold (places_in_session X c s); rewrite (total_perm _ _ _ (order_perm X c d D s)).
  rewrite <- order_weights, dcg_sum, (Permutation_length (order_perm X c d D s)).
  generalize (order_of_places X c d D s) as l; intro l; induction l as [|p l IH]; [reflexivity|].
  cbn [total length map]; rewrite sum_to_first, IH; f_equal; [unfold at_rank; cbn; ring|].
  apply sum_to_ext; intros j J; unfold shift, at_rank; replace (1 + j - 1)%nat with (S (j - 1))
    by lia; reflexivity.
Qed.
Lemma covers_ordered J X c d D s t : length t = length s -> has_ranks X (ranks_of X c s) t ->
  Forall (Forall (Rle 0)) t -> covers J (concat t) ->
  covers J (map (gain_at t) (order_of_places X c d D s)).
Proof.
  intros E H F C; apply covers_perm with (map (gain_at t) (places_in_session X c s));
    [apply Permutation_map, order_perm|].
  apply covers_positive with (looked_at X t); [|apply covers_looked_at; assumption].
  symmetry; unfold places_in_session; rewrite <- E; apply positive_at_places; assumption.
Qed.
Lemma gains_at_nonneg t l : Forall (Forall (Rle 0)) t -> Forall (Rle 0) (map (gain_at t) l).
Proof. intros F; apply Forall_map, Forall_forall; intros p _; apply at_rank_nonneg, query_gains;
  assumption. Qed.
Lemma greatest_covered J X c d D s : Forall (Rle 0) J ->
  covers J (concat (greatest_session X c d D J s)).
Proof.
  intros F; set (G := greatest_session X c d D J s).
  assert (concat G = map (gain_at G) (places_in_session X c s)) as ->.
  { unfold G at 1, greatest_session, places_in_session, places; rewrite flat_map_concat_map,
    concat_map,
      map_map; f_equal; apply map_ext_in; intros q Q; rewrite map_map; apply map_ext_in; intros i I.
    rewrite in_seq in Q, I; unfold G; rewrite greatest_gain_at by (apply places_in; lia); apply
      nth_error_gain. }
  apply covers_perm with (map (gain_at G) (order_of_places X c d D s));
    [apply Permutation_map; symmetry; apply order_perm|].
  assert (map (gain_at G) (order_of_places X c d D s) = map (at_rank (ideal J)) (seq 1 (length
    (order_of_places X c d D s)))) as ->.
  { rewrite (map_ext_in _ (fun p => at_rank (ideal J) (S (index p (order_of_places X c d D s))))).
    - pose proof (order_NoDup X c d D s) as N; revert N; generalize (order_of_places X c d D s) as
      l.
      intro l; generalize (at_rank (ideal J)) as h; intros h N; revert h; induction N as [|p l P N
        IH];
        intro h; [reflexivity|]; cbn [map length seq index]; destruct (same_place_spec p p);
        [|congruence]; f_equal.
      rewrite <- seq_shift, map_map, <- (IH (fun j => h (S j))); apply map_ext_in; intros o O.
      destruct (same_place_spec p o) as [->|_]; [contradiction|reflexivity].
    - intros p P; unfold G; apply greatest_gain_at; eapply Permutation_in; [symmetry; apply
      order_perm|exact P].
    }
  rewrite at_ranks_padded; set (n := length (order_of_places X c d D s)).
  apply covers_positive with (firstn n (ideal J)).
  - rewrite positive_app, positive_zeros, app_nil_r; reflexivity.
  - apply covers_own with (skipn n (ideal J)); [assumption|]; rewrite firstn_skipn; apply DCG_4_L1.
Qed.
Lemma greatest_nonneg J X c d D s : Forall (Rle 0) J ->
  Forall (Forall (Rle 0)) (greatest_session X c d D J s).
Proof.
  intros F; apply Forall_map, Forall_forall; intros q _; apply Forall_map, Forall_forall; intros i
    _.
  unfold item_at; rewrite nth_error_gain; apply at_rank_nonneg, ideal_nonneg; assumption.
Qed.
Lemma greatest_is_greatest X c d D J s t : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) t ->
  length t = length s -> has_ranks X (ranks_of X c s) t -> covers J (concat t) ->
  sdcg X d D t <= isdcg_greatest X c d D J s.
Proof.
  intros N M F E H C; rewrite isdcg_greatest_value, (sdcg_by_weight X c d D s t) by assumption.
  destruct (weights_fall X c d D s N M) as [WF WN]; apply dcg_covered; [assumption|assumption| |].
  - apply gains_at_nonneg; assumption.
  - apply covers_ordered; assumption.
Qed.

(** RS-SES-9/L1: its sDCG@X is the greatest of all arrangements of items of J at places, each item
    at most once: of all sessions t with a gain for each place, 0 for an empty one *)
Theorem SES_9_L1 X c d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  let arrangement t := map (@length R) t = map (ranks_of X c s) (seq 1 (length s)) /\
    Forall (Forall (Rle 0)) t /\ covers J (concat t) in
  arrangement (greatest_session X c d D J s) /\
  forall t, arrangement t -> sdcg X d D t <= isdcg_greatest X c d D J s.
Proof.
  intros N M F arrangement; split.
  - split; [|split; [apply greatest_nonneg|apply greatest_covered]; assumption].
    unfold greatest_session; rewrite map_map; apply map_ext; intro q; rewrite map_length;
      apply seq_length.
  - intros t (E & A & C).
    assert (length t = length s) as L by (apply (f_equal (@length nat)) in E; rewrite !map_length,
      seq_length in E; exact E).
    apply greatest_is_greatest; [assumption..| |assumption]; intros q Q.
    assert (length (query t q) = ranks_of X c s q) as ->.
    { unfold query; rewrite <- (map_nth (@length R)), E; cbn [length].
      rewrite (nth_indep _ 0%nat (ranks_of X c s 0)) by (rewrite map_length, seq_length; lia).
      rewrite map_nth, seq_nth by lia; f_equal; lia. }
    pose proof (SES_4_L1 X c (length (query s q))); unfold ranks_of; lia.
Qed.

(** A session has as many queries as another, and its results their ranks. *)
Definition fits X c (s t : list (list R)) := length t = length s /\ has_ranks X (ranks_of X c s) t.

(** RS-SES-9/L2: of the sessions with these L_q that J covers, none that repeats no document has a
    greater sDCG@X ... *)
Theorem SES_9_L2 X c d D J s t : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) t ->
  fits X c s t -> covers J (concat t) -> sdcg X d D t <= isdcg_greatest X c d D J s.
Proof. intros N M F [E H] C; apply greatest_is_greatest; assumption. Qed.

Lemma nodup_part (a b : list nat) : NoDup a -> NoDup b -> incl a b -> exists rest,
  Permutation b (a ++ rest).
Proof.
  intros A; revert b; induction A as [|x a X A IH]; intros b B I; [exists b; reflexivity|].
  destruct (in_split x b) as (u & v & ->); [apply I; left; reflexivity|].
  destruct (IH (u ++ v)) as [rest P].
  - eapply NoDup_remove_1; exact B.
  - intros y Y; specialize (I y (or_intror Y)); apply in_app_or in I; apply in_or_app.
    destruct I as [I|[->|I]]; [left; assumption|contradiction|right; assumption].
  - exists rest; cbn; rewrite <- P; symmetry; apply Permutation_middle.
Qed.
Lemma filter_and {A} (p q : A -> bool) l : filter p (filter q l) = filter q (filter p l).
Proof. induction l as [|x l IH]; [reflexivity|]; cbn; destruct (q x) eqn:Q, (p x) eqn:P; cbn;
  rewrite ?P, ?Q, IH; reflexivity. Qed.
(** The documents of the first appearances, each once *)
Lemma first_appearances X ids : Permutation
  (map (fun p => document ids (fst p) (snd p)) (filter (fun p => appearance X ids (fst p) (snd p) =?
    1)%nat (places_looked_at X ids))) (nodup Nat.eq_dec (looked_at X ids)).
Proof.
  set (l := filter _ _); assert (forall x, count_occ Nat.eq_dec (map (fun p => document ids (fst p)
    (snd p)) l) x = length (filter (fun t => t =? 1)%nat (seq 1 (count_occ Nat.eq_dec (looked_at X
    ids) x)))) as C.
  { intro x; rewrite <- numbers_in_order, filter_map, map_length; unfold places_of; rewrite
    filter_and.
    fold l; clear; induction l as [|p l IH]; [reflexivity|]; cbn [map count_occ filter].
    destruct (Nat.eq_dec _ x) as [E|E], (Nat.eqb_spec (document ids (fst p) (snd p)) x);
      try contradiction; cbn [length]; rewrite IH; reflexivity. }
  assert (forall n, length (filter (fun t => t =? 1)%nat (seq 1 n)) = Nat.min n 1) as K.
  { intros [|n]; [reflexivity|]; cbn [seq filter Nat.eqb length]; rewrite <- seq_shift, filter_map.
    rewrite (filter_ext_in _ (fun _ => false)), map_length; [|intros t T; apply in_seq in T;
      destruct (Nat.eqb_spec (S t) 1); [lia|reflexivity]].
    assert (forall l : list nat, filter (fun _ => false) l = []) as -> by (intro m; induction m;
      auto).
    cbn; lia. }
  apply NoDup_Permutation; [apply (NoDup_count_occ Nat.eq_dec); intro x; rewrite C, K;
    lia|apply NoDup_nodup|].
  intro x; rewrite nodup_In, !(count_occ_In Nat.eq_dec), C, K; lia.
Qed.
Lemma concat_places {A B} (f : nat -> nat -> B) (L : nat -> nat) m (s : list (list A)) :
  concat (map (fun q => map (f q) (seq 1 (L q))) (seq 1 m)) = map (fun p => f (fst p) (snd p))
    (places L m).
Proof.
  unfold places; rewrite flat_map_concat_map, concat_map, map_map; f_equal; apply map_ext; intro q.
  rewrite map_map; reflexivity.
Qed.
Lemma first_covered X ids (g : nat -> R) J : (forall x, 0 <= g x) -> Forall (Rle 0) J ->
  covers J (map g (nodup Nat.eq_dec (concat ids))) ->
  covers J (concat (gains_of X 0 ids (map (map g) ids))).
Proof.
  intros G F C; set (s := map (map g) ids); unfold gains_of.
  rewrite (concat_places (fun q i => repeated 0 (at_rank (query s q) i) (appearance X ids q i)) _ _
    s).
  fold (places_looked_at X s); rewrite <- (same_form_places X ids s) by apply same_form_map.
  apply covers_positive with (map g (map (fun p => document ids (fst p) (snd p)) (filter (fun p =>
    appearance X ids (fst p) (snd p) =? 1)%nat (places_looked_at X ids)))).
  - assert (forall p, In p (places_looked_at X ids) -> (1 <= snd p <= length (query ids (fst
    p)))%nat
      /\ (1 <= appearance X ids (fst p) (snd p))%nat) as B.
    { intros [q i] P; split; [apply places_in in P; cbn [fst snd]; lia|].
      assert (In (q, i) (places_of X ids (document ids q i))) as I by (apply filter_In; split;
        [assumption|apply Nat.eqb_refl]).
      apply (in_map (fun p => appearance X ids (fst p) (snd p))) in I; rewrite numbers_in_order in
        I.
      apply in_seq in I; apply I. }
    revert B; generalize (places_looked_at X ids) as l; intro l; induction l as [|p l IH]; intros B;
      [reflexivity|]; cbn [filter map].
    destruct (B p (or_introl eq_refl)) as [P T]; specialize (IH (fun o O => B o (or_intror O))).
    unfold repeated, s at 1; rewrite document_gain by assumption; unfold positive in *; cbn
      [filter].
    destruct (Nat.eqb_spec (appearance X ids (fst p) (snd p)) 1) as [E|E]; cbn [map filter].
    + rewrite E; cbn [Nat.sub pow]; rewrite Rmult_1_r; destruct (Rlt_dec _ _); [f_equal|]; exact IH.
    + rewrite pow_i, Rmult_0_r by lia; destruct (Rlt_dec 0 0); [lra|exact IH].
  - apply covers_perm with (map g (nodup Nat.eq_dec (looked_at X ids)));
      [apply Permutation_map; symmetry; apply first_appearances|].
    destruct (nodup_part (nodup Nat.eq_dec (looked_at X ids)) (nodup Nat.eq_dec (concat ids))) as
      [rest P]; [apply NoDup_nodup|apply NoDup_nodup| |].
    + intros x; rewrite !nodup_In; intros I; eapply Permutation_in; [symmetry; apply
      looked_at_rest|].
      apply in_or_app; left; exact I.
    + apply covers_part with (map g rest); [apply Forall_map, Forall_forall; intros; apply G|].
      rewrite <- map_app; eapply covers_perm; [apply Permutation_map; exact P|assumption].
Qed.
Lemma gains_of_has X delta ids s c : has_ranks X (ranks_of X c s) (gains_of X delta ids s).
Proof.
  intros q Q; rewrite gains_of_length in Q; rewrite gains_of_query_length by assumption.
  pose proof (SES_4_L1 X c (length (query s q))); unfold ranks_of; lia.
Qed.
Lemma gains_of_nonneg X delta ids s : 0 <= delta -> Forall (Forall (Rle 0)) s ->
  Forall (Forall (Rle 0)) (gains_of X delta ids s).
Proof.
  intros P F; apply Forall_map, Forall_forall; intros q _; apply Forall_map, Forall_forall; intros i
    _.
  apply Rmult_le_pos; [apply at_rank_nonneg, query_gains; assumption|apply pow_le; assumption].
Qed.
Lemma map_map_nonneg (g : nat -> R) ids : (forall x, 0 <= g x) -> Forall (Forall (Rle 0))
  (map (map g) ids).
Proof. intros G; apply Forall_map, Forall_forall; intros q _; apply Forall_map, Forall_forall;
  intros i _; apply G. Qed.
(** RS-SES-9/L2: ... nor has any with "first"; g is the gain of a document, and J covers the
    documents of the session, each once *)
Theorem SES_9_L2_first X c d D J ids (g : nat -> R) : nonneg d -> nonneg D -> (forall x, 0 <= g x)
  ->
  Forall (Rle 0) J -> covers J (map g (nodup Nat.eq_dec (concat ids))) -> let s := map (map g) ids
    in
  sdcg X d D (gains_of X 0 ids s) <= isdcg_greatest X c d D J s.
Proof.
  intros N M G F C s; apply greatest_is_greatest; [assumption|assumption| |apply gains_of_length|
    apply gains_of_has|apply first_covered; assumption].
  apply gains_of_nonneg; [lra|apply map_map_nonneg, G].
Qed.
Lemma greatest_two_places g : isdcg_greatest 1 1 d_none d_none [g] [[g]; [g]] = g.
Proof.
  rewrite isdcg_greatest_value; unfold weights, places_in_session, places, ranks_of, ranks, weight,
    d_none, ideal; cbn; destruct (Rle_dec (1 * 1) (1 * 1)); cbn; unfold dcg, at_rank; cbn; ring.
Qed.
(** RS-SES-9/L2: with "every", showing one document twice may give more *)
Theorem SES_9_L2_every : isdcg_greatest 1 1 d_none d_none [1] [[1]; [1]] <
  sdcg 1 d_none d_none (gains_of 1 1 [[7]; [7]]%nat [[1]; [1]]).
Proof.
  rewrite greatest_two_places, SES_2_L1, sdcg_cut; unfold sdcg, dcg, d_none; cbn; lra.
Qed.

(** o stands in an earlier query than p, or at a smaller rank of the same one. *)
Definition earlier (o p : nat * nat) := (fst o < fst p \/ fst o = fst p /\ snd o < snd p)%nat.
(** o comes before p in the order of the weights w. *)
Definition before w (o p : nat * nat) := w p < w o \/ w p = w o /\ earlier o p.

Lemma place_in_sorted w p m : StronglySorted (before w) m -> Forall (earlier p) m ->
  StronglySorted (before w) (place_in w p m).
Proof.
  induction 1 as [|o m S IH B]; intros A; [constructor; constructor|]; cbn.
  inversion A as [|? ? PO A']; subst; destruct (Rle_dec (w o) (w p)) as [L|L].
  - constructor; [constructor; assumption|]; constructor.
    + destruct (Rle_lt_or_eq_dec _ _ L); [left|right; split]; auto.
    + rewrite Forall_forall in *; intros x X; specialize (B x X); specialize (A' x X).
      unfold before in *; destruct (Rlt_dec (w x) (w p)); [left; assumption|right; split;
        [destruct B as [B|[B _]]; lra|assumption]].
  - constructor; [apply IH; assumption|].
    apply (Permutation_Forall (place_in_perm w p m)); constructor; [left; lra|assumption].
Qed.
Lemma by_weight_sorted w l : StronglySorted earlier l -> StronglySorted (before w) (by_weight w l).
Proof.
  induction 1 as [|p l S IH A]; [constructor|]; cbn [by_weight fold_right]; fold (by_weight w l).
  apply place_in_sorted; [assumption|apply (Permutation_Forall (by_weight_perm w l)); assumption].
Qed.
Lemma places_sorted L m : StronglySorted earlier (places L m).
Proof.
  induction m as [|m IH]; [constructor|]; rewrite places_S.
  assert (forall b, StronglySorted earlier b -> (forall o p, In o (places L m) -> In p b ->
    earlier o p) -> StronglySorted earlier (places L m ++ b)) as J.
  { intros b B; revert IH; generalize (places L m) as a; intros a A; induction A as [|o a A IHa H];
      intros E; [assumption|]; cbn; constructor; [apply IHa; intros; apply E; cbn; auto|].
    apply Forall_app; split; [assumption|]; apply Forall_forall; intros p P; apply E; cbn; auto. }
  apply J.
  - generalize 1%nat; induction (L (S m)) as [|n IHn]; intro k; cbn; constructor; [apply IHn|].
    apply Forall_forall; intros p P; apply in_map_iff in P; destruct P as (i & <- & I); apply in_seq
      in I.
    right; cbn; lia.
  - intros [q i] p P I; apply places_in in P; apply in_map_iff in I; destruct I as (j & <- & _).
    left; cbn; lia.
Qed.
Lemma index_before w l o p : StronglySorted (before w) l -> before w o p -> In o l -> In p l ->
  (index o l < index p l)%nat.
Proof.
  induction 1 as [|x l S IH A]; intros B O P; [contradiction|]; cbn.
  assert (forall y z, before w y z -> before w z y -> False) as asym.
  { unfold before, earlier; intros y z [Y|[Y Y']] [Z|[Z Z']]; try lra; lia. }
  destruct (same_place_spec x o) as [EO|NO], (same_place_spec x p) as [EP|NP]; subst; try lia.
  - exfalso; exact (asym _ _ B B).
  - exfalso; destruct O as [O|O]; [congruence|]; rewrite Forall_forall in A; exact (asym _ _ B (A o
    O)).
  - destruct O as [O|O], P as [P|P]; try congruence; specialize (IH B O P); lia.
Qed.
(** The earlier of two places with at least the weight of the other comes first. *)
Lemma index_earlier X c d D s o p : In o (places_in_session X c s) -> In p (places_in_session X c s)
  -> earlier o p -> weight d D p <= weight d D o ->
  (index o (order_of_places X c d D s) < index p (order_of_places X c d D s))%nat.
Proof.
  intros O P E L; apply index_before with (weight d D).
  - apply by_weight_sorted, places_sorted.
  - destruct (Rle_lt_or_eq_dec _ _ L); [left|right; split]; auto.
  - eapply Permutation_in; [apply order_perm|assumption].
  - eapply Permutation_in; [apply order_perm|assumption].
Qed.
(** An item does not stand below a better one, nor behind an empty place. *)
Definition in_order (o p : option R) := match o, p with
  | Some x, Some y => y <= x | None, Some _ => False | _, None => True end.
Lemma items_in_order l j k : StronglySorted Rge l -> (j <= k)%nat ->
  in_order (nth_error l j) (nth_error l k).
Proof.
  intros S; revert j k; induction S as [|x l S IH A]; intros [|j] [|k] L; cbn; try lia; auto; try
    lra.
  - destruct (nth_error l k) as [y|] eqn:E; [|exact I]; apply nth_error_In in E.
    rewrite Forall_forall in A; specialize (A y E); lra.
  - apply IH; lia.
Qed.
(** RS-SES-9/L3: labels do not rise along the ranks of a query, nor along the queries at one rank,
    and no item stands behind an empty place *)
Theorem SES_9_L3 X c d D J s q q' i i' : nonneg d -> nonneg D -> falls d -> falls D ->
  In (q, i) (places_in_session X c s) -> In (q', i') (places_in_session X c s) ->
  (q = q' /\ i < i' \/ q < q' /\ i = i')%nat ->
  in_order (item_at X c d D J s (q, i)) (item_at X c d D J s (q', i')).
Proof.
  intros N M F G O P E; apply items_in_order; [apply ideal_falls|]; apply Nat.lt_le_incl.
  apply index_earlier; [assumption|assumption|unfold earlier; cbn; lia|]; unfold weight; cbn [fst
    snd].
  apply places_in in O, P; destruct E as [[-> E]|[E ->]].
  - apply Rmult_le_compat_l; [apply M; lia|apply falls_le; [assumption|lia]].
  - apply Rmult_le_compat_r; [apply N; lia|apply falls_le; [assumption|lia]].
Qed.
(** RS-SES-9/L4: the items J_(1), ..., J_(j) stand where they would stand if the pool had no others
    *)
Theorem SES_9_L4 X c d D J s j p : let best_j := firstn j (ideal J) in
  item_at X c d D best_j s p =
  if (index p (order_of_places X c d D s) <? j)%nat then item_at X c d D J s p else None.
Proof.
  intro best_j; unfold item_at; set (k := index _ _); assert (ideal best_j = best_j) as ->.
  { apply best_sorted; unfold best_j; generalize j; intro n; pose proof (ideal_falls J) as S; revert
    n.
    induction S as [|x l S IH A]; intros [|n]; cbn; constructor; [apply IH|].
    rewrite <- (firstn_skipn n l) in A; apply Forall_app in A; apply A. }
  unfold best_j; generalize (ideal J) as l; intro l; generalize j as n; generalize k as i; intro i;
    revert l.
  induction i as [|i IH]; intros [|x l] [|n]; cbn [firstn nth_error]; try reflexivity.
  - destruct (S i <? S n)%nat; reflexivity.
  - rewrite IH; reflexivity.
Qed.

(** * The three ideals *)

Lemma spread_covered J X c s : Forall (Rle 0) J -> covers J (concat (spread_session X c J s)).
Proof.
  intros F; rewrite SES_8_L1; set (n := Nat.min _ _); apply covers_own with (skipn n (ideal J));
    [assumption|]; rewrite firstn_skipn; apply DCG_4_L1.
Qed.
Lemma spread_nonneg J X c s : Forall (Rle 0) J -> Forall (Forall (Rle 0)) (spread_session X c J s).
Proof.
  intros F; apply Forall_map, Forall_forall; intros q _; apply ideal_nonneg in F.
  rewrite <- (firstn_skipn (ranks_before (ranks_of X c s) q) (ideal J)) in F; apply Forall_app in F.
  destruct F as [_ F]; rewrite <- (firstn_skipn (ranks_of X c s q)) in F; apply Forall_app in F;
    apply F.
Qed.
Lemma spread_le_greatest X c d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg_spread X c d D J s <= isdcg_greatest X c d D J s.
Proof.
  intros N M F; apply greatest_is_greatest; auto using spread_nonneg, spread_length, spread_has,
    spread_covered.
Qed.
Lemma greatest_le_repeated X c d D J s : falls d -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg_greatest X c d D J s <= isdcg X c d D J s.
Proof.
  intros F N M A; rewrite SES_7_L1; unfold isdcg_greatest, sdcg; rewrite greatest_length.
  apply sum_to_le; intros q Q; apply Rmult_le_compat_l; [apply M; lia|].
  assert (1 <= q <= length (greatest_session X c d D J s))%nat as Q' by (rewrite greatest_length;
    assumption).
  rewrite <- (dcg_at_end X (ranks_of X c s)) by (auto using greatest_has).
  apply dcg_covered; [assumption|assumption|apply query_gains, greatest_nonneg; assumption|].
  apply covers_query; auto using greatest_nonneg, greatest_covered.
Qed.
(** A positive sum of terms that are not negative has a positive term. *)
Lemma sum_to_some n f : (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> 0 < sum_to f n ->
  exists i, (1 <= i <= n)%nat /\ 0 < f i.
Proof.
  intros H T; induction n as [|n IH]; [cbn in T; lra|]; cbn in T.
  destruct (Rlt_dec 0 (f (S n))) as [|Z]; [exists (S n); split; [lia|assumption]|].
  destruct IH as (i & I & Y); [intros; apply H; lia|lra|exists i; split; [lia|assumption]].
Qed.
Lemma has_a_rank X c d D J s : falls d -> nonneg d -> nonneg D -> falls D -> Forall (Rle 0) J ->
  0 < isdcg X c d D J s -> 0 < isdcg_spread X c d D J s.
Proof.
  intros F N M G A P.
  rewrite SES_7_L1 in P; apply sum_to_some in P.
  2: { intros q Q; apply Rmult_le_pos; [apply M; lia|apply idcg_nonneg; assumption]. }
  destruct P as (q & Q & P); pose proof (M q ltac:(lia)) as Dq.
  pose proof (idcg_nonneg (ranks X c (length (query s q))) d J N A) as Iq.
  assert (0 < D q) as D0 by nra; assert (0 < idcg (ranks X c (length (query s q))) d J) as I0 by
    nra.
  unfold idcg in I0; rewrite dcg_sum in I0; apply sum_to_some in I0.
  2: { intros i I; apply Rmult_le_pos; [apply at_rank_nonneg, ideal_nonneg, A|apply N; lia]. }
  destruct I0 as (i & I & I0); pose proof (at_rank_nonneg (ideal J) i (ideal_nonneg J A)).
  pose proof (N i ltac:(lia)); assert (0 < at_rank (ideal J) i) as G0 by nra; assert (0 < d i) as d0
    by nra.
  rewrite isdcg_spread_value; set (L := ranks_of X c s); set (W := map (weight d D) (places L
    (length
    s))).
  assert (1 <= length W)%nat as LW.
  { unfold W; rewrite map_length; destruct (places L (length s)) eqn:E; [|cbn; lia].
    assert (In (q, i) (places L (length s))) as Y by (apply places_in; split; [assumption|exact I]).
    rewrite E in Y; contradiction. }
  assert (Forall (Rle 0) W) as W0 by (apply weights_nonneg; assumption).
  rewrite dcg_sum; apply Rlt_le_trans with (at_rank (ideal J) 1 * at_rank W 1).
  2: { apply Rle_trans with (sum_to (fun j => at_rank (ideal J) j * at_rank W j) 1); [cbn; lra|].
       apply sum_to_more; [|assumption]; intro j; apply Rmult_le_pos; apply at_rank_nonneg;
         [apply ideal_nonneg|]; assumption. }
  apply Rmult_lt_0_compat.
  - pose proof (falls_le _ 1 i (ideal_rank_falls J A) ltac:(lia)); lra.
  - destruct (rank_has_place L (length s) 1) as (p & j & Pp & Pj & E).
    { rewrite <- places_length, <- (map_length (weight d D)); fold W; lia. }
    unfold W; rewrite E, at_rank_place by assumption; unfold weight; cbn [fst snd].
    assert (p <= q)%nat as PQ.
    { destruct (Nat.le_gt_cases p q) as [|C]; [assumption|exfalso].
      pose proof (ranks_before_le L (S q) p ltac:(lia)) as B; rewrite ranks_before_S in B by lia.
      unfold L at 2, ranks_of in B; lia. }
    pose proof (falls_le D p q G ltac:(lia)); pose proof (falls_le d 1 i F ltac:(lia)).
    assert (j = 1)%nat as -> by lia; apply Rmult_lt_0_compat; lra.
Qed.

(** RS-SES-10/L1: for the same J and L_q the value of "spread" is at most that of "greatest",
    which is at most that of "repeated" *)
Theorem SES_10_L1 X c d D J s : falls d -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg_spread X c d D J s <= isdcg_greatest X c d D J s <= isdcg X c d D J s.
Proof. intros; split; [apply spread_le_greatest|apply greatest_le_repeated]; assumption. Qed.
Lemma isdcg_nonneg X c d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  0 <= isdcg_spread X c d D J s.
Proof. intros; apply sdcg_nonneg; auto using spread_nonneg. Qed.
(** RS-SES-10/L1: either all three are 0, or none is *)
Theorem SES_10_L1_zero X c d D J s : falls d -> nonneg d -> nonneg D -> falls D ->
  Forall (Rle 0) J -> (0 < isdcg X c d D J s /\ 0 < isdcg_greatest X c d D J s /\
    0 < isdcg_spread X c d D J s) \/
  (isdcg X c d D J s = 0 /\ isdcg_greatest X c d D J s = 0 /\ isdcg_spread X c d D J s = 0).
Proof.
  intros F N M G A; destruct (SES_10_L1 X c d D J s F N M A) as [B C].
  pose proof (isdcg_nonneg X c d D J s N M A); destruct (Rlt_dec 0 (isdcg X c d D J s)) as [P|P].
  - pose proof (has_a_rank X c d D J s F N M G A P); left; repeat split; lra.
  - right; repeat split; lra.
Qed.

(** RS-SES-10/L2: with one query all three are D(1) IDCG@L_1 *)
Theorem SES_10_L2 X c d D J r : falls d -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  let V := D 1%nat * idcg (ranks X c (length r)) d J in
  isdcg X c d D J [r] = V /\ isdcg_spread X c d D J [r] = V /\ isdcg_greatest X c d D J [r] = V.
Proof.
  intros F N M A V; assert (isdcg X c d D J [r] = V) as E by apply isdcg_one.
  assert (isdcg_spread X c d D J [r] = V) as E' by (rewrite <- E; reflexivity).
  pose proof (SES_10_L1 X c d D J [r] F N M A); repeat split; lra.
Qed.
(** RS-SES-8/L2: with one query it is the repeated ideal, and the greatest ... *)
Theorem SES_8_L2 X c d D J r : falls d -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  spread_session X c J [r] = ideal_session X c J [r] /\
  isdcg_spread X c d D J [r] = isdcg_greatest X c d D J [r].
Proof.
  intros F N M A; split; [reflexivity|]; destruct (SES_10_L2 X c d D J r F N M A) as (_ & -> & ->);
    reflexivity.
Qed.
Lemma by_weight_falls d D k a : falls d -> nonneg D -> (1 <= a)%nat ->
  by_weight (weight d D) (map (pair 1%nat) (seq a k)) = map (pair 1%nat) (seq a k).
Proof.
  intros F M; revert a; induction k as [|k IH]; intros a A; [reflexivity|].
  cbn [seq map by_weight fold_right].
  fold (by_weight (weight d D) (map (pair 1%nat) (seq (S a) k))).
  rewrite IH by lia; destruct k as [|k]; [reflexivity|]; cbn; destruct (Rle_dec _ _) as [|Z];
    [reflexivity|exfalso; apply Z].
  unfold weight; cbn; apply Rmult_le_compat_l; [apply M; lia|apply F; lia].
Qed.
Lemma index_in_order k a j : (a <= j < a + k)%nat ->
  index (1%nat, j) (map (pair 1%nat) (seq a k)) = (j - a)%nat.
Proof.
  revert a; induction k as [|k IH]; intros a J; [lia|]; cbn [seq map index].
  destruct (same_place_spec (1%nat, a) (1%nat, j)) as [Q|Q]; [injection Q as Q; subst; lia|].
  assert (a <> j) by congruence; rewrite IH by lia; lia.
Qed.
(** RS-SES-8/L2: ... the greatest ideal shows the same items at the same ranks *)
Theorem SES_8_L2_places X c d D J r i : falls d -> nonneg d -> nonneg D ->
  (1 <= i <= ranks X c (length r))%nat ->
  item_at X c d D J [r] (1%nat, i) = nth_error (ideal J) (i - 1).
Proof.
  intros F N M I; unfold item_at, order_of_places; f_equal.
  assert (places_in_session X c [r] = map (pair 1%nat) (seq 1 (ranks X c (length r)))) as ->
    by (unfold places_in_session, places; cbn; apply app_nil_r).
  rewrite by_weight_falls by (assumption || lia); apply index_in_order; lia.
Qed.
(** RS-SES-8/L3: if each query has a rank and D(q) d(L_q) >= D(q + 1) d(1), it has the greatest
    sDCG@X of all sessions with these L_q that repeat no document and that J covers *)
Theorem SES_8_L3 X c d D J s t : falls d -> nonneg d -> nonneg D -> falls D ->
  Forall (Forall (Rle 0)) t -> let L := ranks_of X c s in
  (forall q, (1 <= q <= length s)%nat -> (1 <= L q)%nat) ->
  (forall q, (1 <= q < length s)%nat -> D (S q) * d 1%nat <= D q * d (L q)) ->
  fits X c s t -> covers J (concat t) -> sdcg X d D t <= isdcg_spread X c d D J s.
Proof.
  intros F N M G A L R W [E H] C; rewrite isdcg_spread_value; fold L; set (w := map (weight d D)
    (places L (length s))).
  assert (Forall (Rle 0) w) as W0 by (apply weights_nonneg; assumption).
  assert (falls (at_rank w)) as WF.
  { intros j J1; destruct (Nat.le_gt_cases (S j) (length w)) as [B|B];
      [|rewrite (at_rank_beyond w (S j)) by lia; apply at_rank_nonneg; assumption].
    assert (length w = ranks_before L (S (length s))) as LW by (unfold w; rewrite map_length;
      apply places_length).
    destruct (rank_has_place L (length s) j ltac:(lia)) as (q & i & Q & I & ->); unfold w;
      rewrite at_rank_place by assumption; destruct (Nat.eq_dec i (L q)) as [->|K].
    - destruct (Nat.eq_dec q (length s)) as [->|Q'];
        [rewrite ranks_before_S in LW by lia; lia|].
      rewrite <- Nat.add_1_r, <- (ranks_before_S L q), at_rank_place by (try lia; specialize (R (S
        q));
        lia); unfold weight; cbn [fst snd]; apply W; lia.
    - rewrite <- Nat.add_succ_r, at_rank_place by lia; unfold weight; cbn [fst snd].
      apply Rmult_le_compat_l; [apply M; lia|apply F; lia]. }
  rewrite (sdcg_places X L d D t H), E.
  assert (total (fun p => weight d D p * gain_at t p) (places L (length s)) =
    dcg (length w) (at_rank w) (map (gain_at t) (places L (length s)))) as ->.
  { rewrite dcg_sum; unfold w; rewrite map_length; generalize (places L (length s)) as l; intro l.
    induction l as [|p l IH]; [reflexivity|]; cbn [total length map]; rewrite sum_to_first, IH;
      f_equal;
      [unfold at_rank; cbn; ring|]; apply sum_to_ext; intros j J1; unfold shift, at_rank;
      replace (1 + j - 1)%nat with (S (j - 1)) by lia; reflexivity. }
  apply dcg_covered; [assumption|apply rank_nonneg; assumption|apply gains_at_nonneg; assumption|].
  apply covers_positive with (looked_at X t); [|apply covers_looked_at; assumption].
  symmetry; rewrite <- E; apply positive_at_places; assumption.
Qed.
(** RS-SES-8/L3: ... the condition is met if X = 1 and each query has a rank *)
Theorem SES_8_L3_one c d D (s : list (list R)) q : falls D -> nonneg d -> let L := ranks_of 1 c s in
  (forall p, (1 <= p <= length s)%nat -> (1 <= L p)%nat) -> (1 <= q < length s)%nat ->
  D (S q) * d 1%nat <= D q * d (L q).
Proof.
  intros G N L R Q; assert (L q = 1)%nat as ->.
  { specialize (R q ltac:(lia)); pose proof (SES_4_L1 1 c (length (query s q))); unfold L, ranks_of
    in *;
      lia. }
  apply Rmult_le_compat_r; [apply N; lia|apply G; lia].
Qed.
(** RS-SES-8/L4: otherwise such a session may have more: with the pool <1, 1> and X = 2 the ideal
  has
    3/2, and the session <1>, <1> has 5/3 *)
Theorem SES_8_L4 : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  let s := [[1]; [1]] in spread_session 2 2 [1; 1] s = [[1; 1]; []] /\
  isdcg_spread 2 2 d D [1; 1] s = 1 + 1 / 2 /\ sdcg 2 d D s = 1 + 2 / 3 /\
  quotient (sdcg 2 d D s) (isdcg_spread 2 2 d D [1; 1] s) = 10 / 9.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]], (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]].
  rewrite d1 in d2; rewrite D1 in D2; intros d D s; fold d in d1, d2; fold D in D1, D2;
    clearbody d D.
  assert (d 2%nat = 1 / 2) as d3 by lra; assert (D 2%nat = 2 / 3) as D3 by lra.
  assert (spread_session 2 2 [1; 1] s = [[1; 1]; []]) as E.
  { unfold spread_session, ranks_of, ranks, ranks_before, ideal; cbn; destruct (Rle_dec 1 1);
    [|lra].
    reflexivity. }
  assert (isdcg_spread 2 2 d D [1; 1] s = 1 + 1 / 2) as I.
  { unfold isdcg_spread; rewrite E; unfold sdcg, dcg, at_rank; cbn; rewrite d1, D1, d3; lra. }
  assert (sdcg 2 d D s = 1 + 2 / 3) as V by (unfold sdcg, dcg, at_rank, s; cbn; rewrite d1, D1, D3;
    lra).
  repeat split; try assumption; rewrite I, V; unfold quotient; destruct (Rlt_dec _ _); lra.
Qed.

Lemma put_above x l i : StronglySorted Rge l -> Forall (Rle 0) l -> 0 <= x ->
  at_rank l i <= at_rank (put x l) i.
Proof.
  intros T F X; unfold at_rank; generalize (i - 1)%nat; clear i.
  induction T as [|y l T IH A]; intro i; [destruct i as [|[|i]]; cbn; lra|].
  inversion F as [|? ? Y F']; subst; cbn; destruct (Rle_dec y x) as [L|L].
  - destruct i as [|i]; cbn; [lra|]; destruct i as [|i].
    + destruct l as [|z l]; cbn; [lra|inversion A; lra].
    + pose proof (sorted_falls l T F' (S i) ltac:(lia)) as B; unfold at_rank in B.
      replace (S (S i) - 1)%nat with (S i) in B by lia; replace (S i - 1)%nat with i in B by lia.
      exact B.
  - destruct i as [|i]; cbn; [lra|apply IH; assumption].
Qed.
Lemma put_raise x y l i : x <= y -> StronglySorted Rge l -> at_rank (put x l) i <= at_rank (put y l)
  i.
Proof.
  intros L S; unfold at_rank; generalize (i - 1)%nat; clear i; induction S as [|z l S IH A]; intro
    i.
  - destruct i as [|[|i]]; cbn; lra.
  - cbn; destruct (Rle_dec z x), (Rle_dec z y); try lra.
    + destruct i; cbn; lra.
    + destruct i as [|i]; cbn; [lra|]; clear IH; revert z A n r i; induction S as [|u l S IH A'];
        intros z A n r i; [destruct i as [|[|i]]; cbn; lra|]; inversion A as [|? ? ZU A'']; subst;
        cbn.
      destruct (Rle_dec u x) as [U|U].
      * destruct i as [|i]; cbn; lra.
      * destruct i as [|i]; cbn; [lra|apply (IH u); auto; lra].
    + destruct i as [|i]; cbn; [lra|apply IH].
Qed.
Lemma dcg_pointwise k d a b : nonneg d -> (forall i, at_rank a i <= at_rank b i) ->
  dcg k d a <= dcg k d b.
Proof. intros N H; rewrite !dcg_sum; apply sum_to_le; intros i I; apply Rmult_le_compat_r; [apply N;
  lia|apply H]. Qed.
Lemma ideal_add x J i : 0 <= x -> Forall (Rle 0) J -> at_rank (ideal J) i <= at_rank (ideal (x ::
  J))
  i.
Proof. intros X F; apply put_above; [apply ideal_falls|apply ideal_nonneg; assumption|assumption].
  Qed.
Lemma ideal_raise x y J i : x <= y -> at_rank (ideal (x :: J)) i <= at_rank (ideal (y :: J)) i.
Proof. intros L; apply put_raise; [assumption|apply ideal_falls]. Qed.
(** A pool whose ideal ranking has at each rank at least the gain of another's has greater ideals,
    or the same. *)
Lemma isdcg_pointwise X c d D J K s : nonneg d -> nonneg D ->
  (forall i, at_rank (ideal J) i <= at_rank (ideal K) i) ->
  isdcg X c d D J s <= isdcg X c d D K s /\ isdcg_spread X c d D J s <= isdcg_spread X c d D K s /\
  isdcg_greatest X c d D J s <= isdcg_greatest X c d D K s.
Proof.
  intros N M H; repeat split.
  - rewrite !SES_7_L1; apply sum_to_le; intros q Q; apply Rmult_le_compat_l; [apply M; lia|].
    apply dcg_pointwise; assumption.
  - rewrite !isdcg_spread_value; apply dcg_pointwise; [apply rank_nonneg, weights_nonneg|];
      assumption.
  - rewrite !isdcg_greatest_value; apply dcg_pointwise; [apply weights_fall|]; assumption.
Qed.
(** RS-SES-10/L3: at a cut-off, adding an item to J, or raising a label in it, never lowers it;
    a label raised does not change X ... *)
Theorem SES_10_L3 X c d D J s x y : nonneg d -> nonneg D -> Forall (Rle 0) J -> 0 <= x <= y ->
  let V := fun K => (isdcg X c d D K s, isdcg_spread X c d D K s, isdcg_greatest X c d D K s) in
  let below u v := fst (fst u) <= fst (fst v) /\ snd (fst u) <= snd (fst v) /\ snd u <= snd v in
  below (V J) (V (x :: J)) /\ below (V (x :: J)) (V (y :: J)).
Proof.
  intros N M A L V below; split; apply isdcg_pointwise; try assumption; intro i;
    [apply ideal_add; [lra|assumption]|apply ideal_raise; lra].
Qed.
(** Without a cut-off, X is the length of the longest of the lists and the pool. *)
Definition no_cutoff (J : list R) (s : list (list R)) :=
  fold_right Nat.max (length J) (map (@length R) s).
(** The number c of the padding with the cut-off X: X, or a number *)
Definition padding (c : nat -> nat) := (forall X, c X = X) \/ exists n, forall X, c X = n.

Lemma no_cutoff_covers J s q : (length J <= no_cutoff J s)%nat /\
  ((1 <= q <= length s)%nat -> (length (query s q) <= no_cutoff J s)%nat).
Proof.
  unfold no_cutoff; split; [induction s; cbn; lia|]; intros Q.
  assert (In (query s q) s) as I by (apply nth_In; lia); revert I; generalize (query s q) as r.
  clear Q; intro r; induction s as [|u s IH]; [contradiction|]; intros [->|I]; cbn; [lia|].
  specialize (IH I); lia.
Qed.
Lemma greatest_at_cutoffs X Y c e d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  (X <= Y)%nat -> (c <= e)%nat -> isdcg_greatest X c d D J s <= isdcg_greatest Y e d D J s.
Proof.
  intros N M A XY CE; set (L := ranks_of X c s); set (G := greatest_session X c d D J s).
  assert (forall q, (1 <= q <= length G)%nat -> length (query G q) = L q) as E by (intros q Q;
    unfold G in Q; rewrite greatest_length in Q; apply greatest_query_length; exact Q).
  assert (forall q, (L q <= X)%nat) as B by (intro q; unfold L, ranks_of, ranks; lia).
  assert (isdcg_greatest X c d D J s = sdcg Y d D G) as ->.
  { unfold isdcg_greatest; fold G; rewrite (sdcg_places X L d D G), (sdcg_places Y L d D G);
      [reflexivity| |]; intros q Q; rewrite E by exact Q; specialize (B q); lia. }
  apply greatest_is_greatest; try assumption; [apply greatest_nonneg, A|apply greatest_length| |
    apply greatest_covered, A].
  intros q Q; rewrite E by exact Q; pose proof (SES_4_L3 X Y c e (length (query s q))
    (length (query s q)) XY CE ltac:(lia)); unfold L, ranks_of in *; unfold ranks in *; lia.
Qed.
Lemma spread_first_query X c d D J s : (1 <= length s)%nat ->
  (length J <= ranks_of X c s 1)%nat -> isdcg_spread X c d D J s = D 1%nat * whole d (ideal J).
Proof.
  intros H L; rewrite isdcg_spread_value; set (P := places (ranks_of X c s) (length s)).
  assert (length (ideal J) <= length (map (weight d D) P))%nat as B.
  { rewrite <- (Permutation_length (DCG_4_L1 J)), map_length; unfold P; rewrite places_length.
    pose proof (ranks_before_le (ranks_of X c s) 2 (S (length s)) ltac:(lia)) as Z.
    rewrite (ranks_before_S _ 1) in Z by lia; lia. }
  rewrite dcg_all, <- (dcg_all (length (ideal J)) d (ideal J)), <- (dcg_all (length (ideal J))) by
    lia; rewrite !dcg_sum, <- sum_to_scale.
  apply sum_to_ext; intros i I; rewrite <- (Permutation_length (DCG_4_L1 J)) in I.
  assert (at_rank (map (weight d D) P) i = D 1%nat * d i) as ->; [|ring].
  change i with (ranks_before (ranks_of X c s) 1 + i)%nat at 1; unfold P.
  apply at_rank_place; lia.
Qed.
Lemma spread_at_cutoffs X Y (c : nat -> nat) d D J s : padding c -> (X <= Y)%nat ->
  (length J <= X)%nat -> (forall q, (1 <= q <= length s)%nat -> (length (query s q) <= X)%nat) ->
  isdcg_spread X (c X) d D J s = isdcg_spread Y (c Y) d D J s.
Proof.
  intros C XY JX SX; destruct (Nat.eq_dec (length s) 0) as [Z|Z].
  { apply length_zero_iff_nil in Z; subst s; reflexivity. }
  assert ((X <= c X /\ X <= c Y) \/ (c X = c Y /\ c X <= X))%nat as [[A B]|[A B]].
  { destruct C as [C|[n C]]; rewrite !C; lia. }
  - rewrite !spread_first_query; try reflexivity; try lia; unfold ranks_of, ranks; lia.
  - rewrite !isdcg_spread_value, (places_ext (ranks_of X (c X) s) (ranks_of Y (c Y) s));
      [reflexivity|]; intros q Q; specialize (SX q Q); unfold ranks_of, ranks; lia.
Qed.
Lemma ideals_at_cutoffs X Y (c : nat -> nat) d D J s : padding c -> nonneg d -> nonneg D ->
  Forall (Rle 0) J -> (X <= Y)%nat -> (length J <= X)%nat ->
  (forall q, (1 <= q <= length s)%nat -> (length (query s q) <= X)%nat) ->
  isdcg X (c X) d D J s <= isdcg Y (c Y) d D J s /\
  isdcg_spread X (c X) d D J s <= isdcg_spread Y (c Y) d D J s /\
  isdcg_greatest X (c X) d D J s <= isdcg_greatest Y (c Y) d D J s.
Proof.
  intros C N M A XY JX SX; assert (c X <= c Y)%nat by (destruct C as [C|[n C]]; rewrite !C; lia).
  split; [apply repeated_at_cutoffs; assumption|split; [|apply greatest_at_cutoffs; assumption]].
  rewrite (spread_at_cutoffs X Y); try assumption; apply Rle_refl.
Qed.
(** RS-SES-10/L3: ... nor does an item added without a cut-off, where X may rise *)
Theorem SES_10_L3_no_cutoff c d D J s x : padding c -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  0 <= x -> let X := no_cutoff J s in let Y := no_cutoff (x :: J) s in
  isdcg X (c X) d D J s <= isdcg Y (c Y) d D (x :: J) s /\
  isdcg_spread X (c X) d D J s <= isdcg_spread Y (c Y) d D (x :: J) s /\
  isdcg_greatest X (c X) d D J s <= isdcg_greatest Y (c Y) d D (x :: J) s.
Proof.
  intros C N M A P X Y; assert (X <= Y)%nat as XY.
  { unfold X, Y, no_cutoff; induction s as [|r s IH]; cbn in *; lia. }
  destruct (ideals_at_cutoffs X Y c d D J s C N M A XY) as (R1 & S1 & G1);
    [apply no_cutoff_covers; exact 0%nat|intros q; apply no_cutoff_covers|].
  destruct (SES_10_L3 Y (c Y) d D J s x x N M A ltac:(lra)) as [(R2 & S2 & G2) _].
  cbn [fst snd] in *; repeat split; eapply Rle_trans; eassumption.
Qed.
Lemma isdcg_perm X c d D J K s : Permutation J K -> isdcg X c d D J s = isdcg X c d D K s /\
  isdcg_spread X c d D J s = isdcg_spread X c d D K s /\
  isdcg_greatest X c d D J s = isdcg_greatest X c d D K s.
Proof.
  intros P; assert (ideal J = ideal K) as E by (apply best_of_perm; assumption).
  unfold isdcg, ideal_session, isdcg_spread, spread_session; rewrite !isdcg_greatest_value, E.
  repeat split.
Qed.
(** RS-SES-10/L4: with "repeated" and "greatest" it does not fall when c rises *)
Theorem SES_10_L4 X c c' d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J -> (c <= c')%nat ->
  isdcg X c d D J s <= isdcg X c' d D J s /\
  isdcg_greatest X c d D J s <= isdcg_greatest X c' d D J s.
Proof.
  intros N M A L; split; [apply repeated_at_cutoffs|apply greatest_at_cutoffs]; auto.
Qed.
(** RS-SES-10/L4: with "spread" it may: the first query then takes what the second would have shown
    *)
Theorem SES_10_L4_spread : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  isdcg_spread 2 0 d D [1; 1] [[1]; [1]] = 1 + 2 / 3 /\
  isdcg_spread 2 2 d D [1; 1] [[1]; [1]] = 1 + 1 / 2.
Proof.
  intros d D; destruct SES_8_L4 as (_ & I & V & _); fold d D in I, V; split; [|exact I].
  rewrite <- V; unfold isdcg_spread; f_equal; unfold spread_session, ranks_of, ranks, ranks_before,
    ideal; cbn; destruct (Rle_dec 1 1); [reflexivity|lra].
Qed.
Lemma spread_app X c J s t : exists u, spread_session X c J (s ++ t) = spread_session X c J s ++ u
  /\
  (forall q, (1 <= q <= length s)%nat -> ranks_of X c (s ++ t) q = ranks_of X c s q).
Proof.
  assert (forall q, (1 <= q <= length s)%nat -> ranks_of X c (s ++ t) q = ranks_of X c s q) as E.
  { intros q Q; unfold ranks_of; rewrite query_app1 by assumption; reflexivity. }
  unfold spread_session; rewrite app_length, seq_app, map_app; eexists; split; [|exact E].
  f_equal; apply map_ext_in; intros q Q; apply in_seq in Q; rewrite E by lia; do 2 f_equal.
  unfold ranks_before; f_equal; apply map_ext_in; intros p P; apply in_seq in P; apply E; lia.
Qed.
Lemma sdcg_app_more X d D a b : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) b ->
  sdcg X d D a <= sdcg X d D (a ++ b).
Proof.
  intros N M F; rewrite sdcg_app.
  pose proof (sdcg_nonneg X d (shift (length a) D) b N (nonneg_shift _ D M) F); lra.
Qed.
(** RS-SES-10/L5: at a cut-off, appending a query to the session never lowers it *)
Theorem SES_10_L5 X c d D J s r : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg X c d D J s <= isdcg X c d D J (s ++ [r]) /\
  isdcg_spread X c d D J s <= isdcg_spread X c d D J (s ++ [r]) /\
  isdcg_greatest X c d D J s <= isdcg_greatest X c d D J (s ++ [r]).
Proof.
  intros N M A; split; [apply isdcg_appended; assumption|split].
  - destruct (spread_app X c J s [r]) as (u & E & _); pose proof (spread_nonneg J X c (s ++ [r]) A)
    as F.
    unfold isdcg_spread; rewrite E in *; apply sdcg_app_more; [assumption|assumption|].
    apply Forall_app in F; apply F.
  - apply Rle_trans with (sdcg X d D (greatest_session X c d D J s ++ [[]])).
    + apply sdcg_app_more; [assumption|assumption|repeat constructor].
    + apply greatest_is_greatest; [assumption|assumption| | | |].
      * apply Forall_app; split; [apply greatest_nonneg; assumption|repeat constructor].
      * rewrite !app_length, greatest_length; reflexivity.
      * intros q Q; rewrite app_length, greatest_length, Nat.add_1_r in Q.
        destruct (Nat.eq_dec q (S (length s))) as [->|K].
        -- rewrite <- (greatest_length X c d D J s) at 1; rewrite query_last; cbn [length].
           pose proof (SES_4_L1 X c (length (query (s ++ [r]) (S (length s))))).
           unfold ranks_of; lia.
        -- rewrite query_app1 by (rewrite greatest_length; lia).
           destruct (spread_app X c J s [r]) as (u & _ & E); rewrite E by lia.
           apply greatest_has; rewrite greatest_length; lia.
      * rewrite concat_app; cbn; rewrite app_nil_r; apply greatest_covered; assumption.
Qed.
(** RS-SES-10/L5: ... so without a cut-off, where X may rise *)
Theorem SES_10_L5_no_cutoff c d D J s r : padding c -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  let X := no_cutoff J s in let Y := no_cutoff J (s ++ [r]) in
  isdcg X (c X) d D J s <= isdcg Y (c Y) d D J (s ++ [r]) /\
  isdcg_spread X (c X) d D J s <= isdcg_spread Y (c Y) d D J (s ++ [r]) /\
  isdcg_greatest X (c X) d D J s <= isdcg_greatest Y (c Y) d D J (s ++ [r]).
Proof.
  intros C N M A X Y; assert (X <= Y)%nat as XY.
  { unfold X, Y, no_cutoff; induction s as [|u s IH]; cbn in *; lia. }
  destruct (ideals_at_cutoffs X Y c d D J s C N M A XY) as (R1 & S1 & G1);
    [apply no_cutoff_covers; exact 0%nat|intros q; apply no_cutoff_covers|].
  destruct (SES_10_L5 Y (c Y) d D J s r N M A) as (R2 & S2 & G2).
  repeat split; eapply Rle_trans; eassumption.
Qed.
(** RS-SES-10/L5: ... with the padding 0, a query without results does not change it *)
Theorem SES_10_L5_empty X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg X 0 d D J (s ++ [[]]) = isdcg X 0 d D J s /\
  isdcg_spread X 0 d D J (s ++ [[]]) = isdcg_spread X 0 d D J s /\
  isdcg_greatest X 0 d D J (s ++ [[]]) = isdcg_greatest X 0 d D J s.
Proof.
  intros N M A; split; [apply isdcg_appended_empty; assumption|].
  assert (places_in_session X 0 (s ++ [[]]) = places_in_session X 0 s) as P.
  { unfold places_in_session; rewrite app_length, Nat.add_1_r, places_S.
    assert (ranks_of X 0 (s ++ [[]]) (S (length s)) = 0%nat) as -> by (unfold ranks_of;
      rewrite query_last; unfold ranks; cbn; lia); cbn [seq map]; rewrite app_nil_r.
    apply places_ext; intros q Q; destruct (spread_app X 0 J s [[]]) as (u & _ & E); apply E, Q. }
  split.
  - rewrite !isdcg_spread_value; fold (places_in_session X 0 (s ++ [[]])); rewrite P; reflexivity.
  - rewrite !isdcg_greatest_value; unfold weights; rewrite P; reflexivity.
Qed.
