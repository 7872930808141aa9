(* The queries of a session, and averages over sessions: spec/session.md, RS-SES-12 to RS-SES-21. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Bool.
From Rankspec Require Import Numbers Gain Ties Dcg Session SessionIdeal SessionNormalised.
Import ListNotations.
Open Scope R_scope.

(** * The queries of a session *)

(** RS-SES-14: the gains D(q) DCG@X of the queries *)
Definition query_sdcgs X d (D : nat -> R) s :=
  map (fun q => query_sdcg d D q (query s q) X) (seq 1 (length s)).
(** RS-SES-15: nDCG@X of the queries *)
Definition query_ndcgs X c d J s := map (query_ndcg X c d J) s.
(** RS-SES-12: sDCG@X / m, and 0 where m = 0 *)
Definition sdcg_q X d D s := sdcg X d D s / INR (length s).

(** RS-SES-16: the aggregations of the numbers of the queries; 0 of no query *)
Definition over_mean (x : list R) := sum x / INR (length x).
Definition over_sum (x : list R) := sum x.
Fixpoint over_best x := match x with [] => 0 | [a] => a | a :: x' => Rmax a (over_best x') end.
Fixpoint over_worst x := match x with [] => 0 | [a] => a | a :: x' => Rmin a (over_worst x') end.
Definition over_first (x : list R) := at_rank x 1.
Definition over_last (x : list R) := last x 0.
Definition over_non_last (x : list R) := sum (removelast x) / INR (length x - 1).

Lemma sum_query_sdcgs X d D s : sum (query_sdcgs X d D s) = sdcg X d D s.
Proof. unfold sum, query_sdcgs; rewrite total_map, total_seq; reflexivity. Qed.
Lemma query_sdcgs_length X d D s : length (query_sdcgs X d D s) = length s.
Proof. unfold query_sdcgs; rewrite map_length; apply seq_length. Qed.

(** RS-SES-12/L1: it is the mean of the gains of the queries *)
Theorem SES_12_L1 X d D s : sdcg_q X d D s = over_mean (query_sdcgs X d D s).
Proof. unfold over_mean; rewrite sum_query_sdcgs, query_sdcgs_length; reflexivity. Qed.
(** RS-SES-12/L2: a query without results makes m/(m + 1) of it *)
Theorem SES_12_L2 X d D s : sdcg_q X d D (s ++ [[]]) = INR (length s)
  / INR (S (length s)) * sdcg_q X d D s.
Proof.
  unfold sdcg_q; rewrite app_length, sdcg_app, sdcg_one, dcg_nil; cbn [length].
  destruct s as [|r s']; [unfold sdcg; cbn; unfold Rdiv; ring|]; set (s := r :: s').
  assert (0 < INR (length s)) by (apply length_pos; discriminate).
  rewrite Nat.add_1_r, S_INR; field; lra.
Qed.
(** RS-SES-12/L3: sessions with the same number of queries stand in the order of their sDCG@X *)
Theorem SES_12_L3 X d D s t : length s = length t ->
  (sdcg_q X d D s < sdcg_q X d D t <-> sdcg X d D s < sdcg X d D t).
Proof.
  intros E; destruct s as [|r s']; [destruct t; [split; intros; lra|discriminate E]|].
  set (s := r :: s') in *; assert (0 < INR (length s)) by (apply length_pos; discriminate).
  unfold sdcg_q; rewrite <- E, div_lt by assumption.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; reflexivity.
Qed.
(** RS-SES-14/L1: their sum is sDCG@X *)
Theorem SES_14_L1 X d D s : sum (query_sdcgs X d D s) = sdcg X d D s.
Proof. apply sum_query_sdcgs. Qed.
(** RS-SES-14/L2: 0 <= sDCG(q)[X] <= D(q) IDCG@X where J covers each list *)
Theorem SES_14_L2 X d D delta ids q s J : falls d -> nonneg d -> nonneg D ->
  Forall (Forall (Rle 0)) s -> Forall (covers J) s -> 0 <= delta <= 1 -> (1 <= q <= length s)%nat ->
  0 <= query_sdcg d D q (query (gains_of X delta ids s) q) X <= D q * idcg X d J.
Proof.
  intros F N M A C T Q; pose proof (M q ltac:(lia)); unfold query_sdcg; split.
  - apply Rmult_le_pos; [assumption|]; apply dcg_nonneg, query_gains, gains_of_nonneg;
      [assumption|lra|assumption].
  - apply Rmult_le_compat_l; [assumption|].
    apply Rle_trans with (dcg X d (query s q)); [apply dcg_gains_le; assumption|].
    apply dcg_covered; [assumption|assumption|apply query_gains; assumption|].
    rewrite Forall_forall in C; apply C, nth_In; lia.
Qed.
(** RS-SES-14/L3: none of these falls when delta rises *)
Theorem SES_14_L3 X d D a b ids q s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  0 <= a <= b -> b <= 1 -> (1 <= q <= length s)%nat ->
  query_sdcg d D q (query (gains_of X a ids s) q) X <=
  query_sdcg d D q (query (gains_of X b ids s) q) X.
Proof.
  intros N M F A B Q; apply Rmult_le_compat_l; [apply M; lia|]; unfold dcg.
  rewrite !gains_of_query_length by assumption; apply sum_to_le; intros i I.
  apply Rmult_le_compat_r; [apply N; lia|]; rewrite !gains_of_at by (assumption || lia).
  apply SES_2_L4; [assumption|assumption|apply at_rank_nonneg, query_gains; assumption].
Qed.
(** RS-SES-14/L3: ... that of the first query depends on delta only if its list shows a document
    twice *)
Theorem SES_14_L3_first X d D a b ids s : same_form ids s -> NoDup (firstn X (query ids 1)) ->
  (1 <= length s)%nat ->
  query_sdcg d D 1 (query (gains_of X a ids s) 1) X =
  query_sdcg d D 1 (query (gains_of X b ids s) 1) X.
Proof.
  intros F N L; destruct ids as [|u ids], s as [|r s]; try discriminate F; [cbn in L; lia|].
  change (query (u :: ids) 1) with u in N; injection F as F _.
  assert (gains_of X a [u] [r] = gains_of X b [u] [r]) as E.
  { apply SES_2_L5; [unfold same_form; cbn; rewrite F; reflexivity|]; unfold looked_at; cbn.
    rewrite app_nil_r; assumption. }
  assert (forall e, query (gains_of X e (u :: ids) (r :: s)) 1 = query (gains_of X e [u] [r]) 1) as
    H.
  { intro e; rewrite !gains_of_query by (cbn; lia); reflexivity. }
  rewrite !H, E; reflexivity.
Qed.
(** RS-SES-15/L1: with the padding "X" and "every" it is nDCG@X of the list and the pool of the
    session *)
Theorem SES_15_L1 X d J r : query_ndcg X X d J r = ndcg X d r J.
Proof. unfold query_ndcg, ndcg; rewrite (proj1 (SES_4_L2 X X (length r)) (Nat.le_refl X));
  reflexivity. Qed.
Lemma query_ndcg_of_gains X c d J delta ids s q : (1 <= q <= length s)%nat ->
  query_ndcg X c d J (query (gains_of X delta ids s) q) =
  quotient (dcg X d (query (gains_of X delta ids s) q)) (idcg (ranks_of X c s q) d J).
Proof.
  intros Q; unfold query_ndcg, ndcg_by; fold (ranks_of X c (gains_of X delta ids s) q).
  rewrite ranks_of_gains by assumption; reflexivity.
Qed.
Lemma dcg_at_ranks X c d s q J : falls d -> nonneg d -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s -> (1 <= q <= length s)%nat -> dcg X d (query s q) <= idcg (ranks_of X c s q)
    d J.
Proof.
  intros F N A C Q; unfold ranks_of; rewrite (dcg_ranks X c).
  apply dcg_covered; [assumption|assumption|apply query_gains; assumption|].
  rewrite Forall_forall in C; apply C, nth_In; lia.
Qed.
(** RS-SES-15/L2: it is from 0 to 1 where J covers each list *)
Theorem SES_15_L2 X c d J delta ids s q : falls d -> nonneg d -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s -> 0 <= delta <= 1 -> (1 <= q <= length s)%nat ->
  0 <= query_ndcg X c d J (query (gains_of X delta ids s) q) <= 1.
Proof.
  intros F N A C T Q; rewrite query_ndcg_of_gains by assumption; apply quotient_range; split.
  - apply dcg_nonneg, query_gains, gains_of_nonneg; [assumption|lra|assumption].
  - eapply Rle_trans; [apply dcg_gains_le; assumption|apply dcg_at_ranks; assumption].
Qed.
(** RS-SES-15/L3: it does not rise when c rises *)
Theorem SES_15_L3 X c c' d J r : falls d -> nonneg d -> Forall (Rle 0) r -> Forall (Rle 0) J ->
  (c <= c')%nat -> query_ndcg X c' d J r <= query_ndcg X c d J r.
Proof.
  intros F N A B L; unfold query_ndcg, ndcg_by; pose proof (dcg_nonneg X d r N A) as P.
  pose proof (SES_4_L1 X c (length r)) as R; pose proof (SES_4_L3 X X c c' (length r) (length r)
    ltac:(lia) L ltac:(lia)) as R'.
  assert (idcg (ranks X c (length r)) d J <= idcg (ranks X c' (length r)) d J) as I by (apply
    dcg_more;
    [assumption|apply ideal_nonneg; assumption|assumption]).
  destruct (Nat.eq_dec (ranks X c (length r)) 0) as [Z|Z].
  - assert (dcg X d r = 0) as -> by (unfold dcg; replace (Nat.min X (length r)) with 0%nat by lia;
      reflexivity); unfold quotient; repeat destruct (Rlt_dec _ _); unfold Rdiv; lra.
  - unfold quotient; destruct (Rlt_dec 0 (idcg (ranks X c' (length r)) d J)) as [K|K];
      destruct (Rlt_dec 0 (idcg (ranks X c (length r)) d J)) as [K'|K'].
    + apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar; assumption].
    + exfalso; apply K', (idcg_pos _ (ranks X c' (length r))); try assumption; lia.
    + apply div_nonneg; assumption.
    + lra.
Qed.
(** RS-SES-15/L4: times D(q) IDCG@L_q it is sDCG(q)[X], where J covers each list *)
Theorem SES_15_L4 X c d D J delta ids s q : falls d -> nonneg d -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s -> 0 <= delta <= 1 -> (1 <= q <= length s)%nat ->
  let r := query (gains_of X delta ids s) q in
  query_ndcg X c d J r * (D q * idcg (ranks_of X c s q) d J) = query_sdcg d D q r X.
Proof.
  intros F N A C T Q r; unfold r; rewrite query_ndcg_of_gains by assumption; fold r; unfold
    query_sdcg.
  assert (0 <= dcg X d r) by (apply dcg_nonneg, query_gains, gains_of_nonneg; [assumption|lra|
    assumption]).
  assert (dcg X d r <= idcg (ranks_of X c s q) d J) by (eapply Rle_trans; [apply dcg_gains_le;
    assumption|
    apply dcg_at_ranks; assumption]).
  unfold quotient; destruct (Rlt_dec _ _); [field; lra|]; replace (dcg X d r) with 0 by lra; ring.
Qed.
(** RS-SES-16/L1: query_sDCG over "sum" is sDCG@X, over "mean" sDCG_q *)
Theorem SES_16_L1 X d D s : over_sum (query_sdcgs X d D s) = sdcg X d D s /\
  over_mean (query_sdcgs X d D s) = sdcg_q X d D s.
Proof. split; [apply sum_query_sdcgs|symmetry; apply SES_12_L1]. Qed.
(** RS-SES-16/L2: query_nDCG over "mean", with the padding "X", is nsDCG@X with the ideal "repeated"
    and without a discount of queries *)
Theorem SES_16_L2 X d J s : nonneg d -> Forall (Rle 0) J ->
  over_mean (query_ndcgs X X d J s) = nsdcg X X d d_none J s.
Proof.
  intros N A; destruct s as [|r s'].
  { unfold over_mean, nsdcg, isdcg, sdcg, quotient, Rdiv; cbn; destruct (Rlt_dec 0 0); ring. }
  set (s := r :: s'); assert (0 < INR (length s)) by (apply length_pos; discriminate).
  rewrite SES_11_L3; unfold d_none; rewrite ?sum_to_const;
  [|assumption|assumption|lra].
  unfold over_mean, query_ndcgs, sum; rewrite map_length, total_map, total_at_queries, Rmult_1_r;
    f_equal.
  apply sum_to_ext; intros; ring.
Qed.
Lemma over_best_ge x a : In a x -> a <= over_best x.
Proof.
  induction x as [|b x IH]; [contradiction|]; intros [->|I].
  - destruct x; cbn; [lra|apply Rmax_l].
  - destruct x as [|e x]; [contradiction|]; apply Rle_trans with (over_best (e :: x));
      [apply IH, I|apply Rmax_r].
Qed.
Lemma over_worst_le x a : In a x -> over_worst x <= a.
Proof.
  induction x as [|b x IH]; [contradiction|]; intros [->|I].
  - destruct x; cbn; [lra|apply Rmin_l].
  - destruct x as [|e x]; [contradiction|]; apply Rle_trans with (over_worst (e :: x));
      [apply Rmin_r|apply IH, I].
Qed.
Lemma removelast_last x : x <> [] -> sum x = sum (removelast x) + over_last x.
Proof.
  intros N; rewrite (app_removelast_last 0 N) at 1; unfold sum, over_last; rewrite total_app; cbn
    [total]; ring.
Qed.
Lemma last_in (x : list R) : x <> [] -> In (over_last x) x.
Proof. intros N; rewrite (app_removelast_last 0 N) at 2; apply in_or_app; right; left; reflexivity.
  Qed.
(** RS-SES-16/L3: "worst" <= "first", "last", "mean" <= "best" *)
Theorem SES_16_L3 x : let within a := over_worst x <= a <= over_best x in
  within (over_first x) /\ within (over_last x) /\ within (over_mean x).
Proof.
  intros within; destruct (list_eq_dec Req_EM_T x []) as [->|N].
  { unfold within, over_mean, over_first, over_last, sum, at_rank, Rdiv; cbn; repeat split; lra. }
  assert (forall a, In a x -> within a) as H by (intros a I; split;
    [apply over_worst_le|apply over_best_ge]; assumption); split; [|split].
  - apply H; unfold over_first; destruct x as [|a x]; [congruence|left; reflexivity].
  - apply H, last_in, N.
  - exact (mean_between (fun a : R => a) x (over_worst x) (over_best x) N H).
Qed.
(** RS-SES-16/L4: m times "mean" is m - 1 times "non-last", plus "last" *)
Theorem SES_16_L4 x : INR (length x) * over_mean x = INR (length x - 1) *
  over_non_last x + over_last x.
Proof.
  destruct (list_eq_dec Req_EM_T x []) as [->|N]; [unfold over_last; cbn; ring|].
  unfold over_mean, over_non_last; rewrite (removelast_last x N).
  set (u := sum (removelast x)); set (v := over_last x).
  assert (u = 0 \/ (1 < length x)%nat) as H.
  { destruct x as [|a [|b x]]; [congruence|left; reflexivity|right; cbn; lia]. }
  destruct (Nat.eq_dec (length x) 1) as [E|E].
  - destruct H as [H|H]; [rewrite E, H; cbn; unfold Rdiv; rewrite Rinv_1; ring|lia].
  - assert (2 <= length x)%nat as L by (destruct x as [|a [|b x]]; [congruence|contradiction|cbn;
    lia]).
    rewrite minus_INR by lia; apply le_INR in L; cbn [INR] in *; field; lra.
Qed.
(** RS-SES-16/L5: for one query all except "non-last" are its number *)
Theorem SES_16_L5 a : over_mean [a] = a /\ over_sum [a] = a /\ over_best [a] = a /\
  over_worst [a] = a /\ over_first [a] = a /\ over_last [a] = a /\ over_non_last [a] = 0.
Proof. unfold over_mean, over_sum, over_first, over_non_last, sum, at_rank; cbn; repeat split;
  unfold Rdiv; rewrite ?Rinv_1; ring.
  Qed.

(** * Vectors, normalised and averaged *)

(** RS-SES-13: (V[1] + ... + V[L]) / L, and 0 where L = 0 *)
Definition avg_pos (V : list R) := sum V / INR (length V).
(** RS-SES-13: avg_sDCG *)
Definition avg_sdcg X c d D s := avg_pos (session_vector X c d D s).
(** RS-SES-10: the vector of an ideal session T of the session s, a component for each rank of s *)
Definition ideal_vector X c d D (s T : list (list R)) :=
  concat (vector_rows X (ranks_of X c s) d D T).
(** RS-SES-17: V[p] / I[p], and 0 where I[p] = 0 *)
Definition norm_vect (V I : list R) :=
  map (fun p => if Req_EM_T (at_rank I p) 0 then 0 else at_rank V p / at_rank I p)
    (seq 1 (length V)).
(** RS-SES-17: the vector of nsDCG *)
Definition nsdcg_vector X c d D s T := norm_vect (session_vector X c d D s) (ideal_vector X c d D s
  T).
(** RS-SES-13: avg_nsDCG *)
Definition avg_nsdcg X c d D s T := avg_pos (nsdcg_vector X c d D s T).
(** RS-SES-19: V[min(p, L)], p = 1, ..., n, and 0 where L = 0 *)
Definition held (V : list R) n := map (fun p => at_rank V (Nat.min p (length V))) (seq 1 n).

(** An ideal session has as many queries, and no list beyond its ranks. *)
Definition is_ideal X c (s T : list (list R)) := length T = length s /\
  has_ranks X (ranks_of X c s) T.
Lemma repeated_is_ideal X c J s : is_ideal X c s (ideal_session X c J s).
Proof.
  unfold is_ideal, ideal_session; rewrite map_length; split; [reflexivity|]; intros q Q.
  rewrite map_length in Q; assert (query (map (fun r => firstn (ranks X c (length r)) (ideal J)) s)
    q =
    firstn (ranks_of X c s q) (ideal J)) as ->.
  { unfold query; rewrite (nth_indep _ [] (firstn (ranks X c (length (@nil R))) (ideal J)))
      by (rewrite map_length; lia).
    apply (map_nth (fun r => firstn (ranks X c (length r)) (ideal J))). }
  pose proof (SES_4_L1 X c (length (query s q))); rewrite firstn_length; unfold ranks_of; lia.
Qed.
Lemma spread_is_ideal X c J s : is_ideal X c s (spread_session X c J s).
Proof. split; [apply spread_length|apply spread_has]. Qed.
Lemma greatest_is_ideal X c d D J s : is_ideal X c s (greatest_session X c d D J s).
Proof. split; [apply greatest_length|apply greatest_has]. Qed.
Lemma session_vector_length X c d D s : length (session_vector X c d D s) =
  ranks_before (ranks_of X c s) (S (length s)).
Proof. apply vector_length. Qed.
Lemma ideal_vector_length X c d D s T : length T = length s ->
  length (ideal_vector X c d D s T) = length (session_vector X c d D s).
Proof. intros E; unfold ideal_vector; rewrite vector_length, E; symmetry; apply vector_length. Qed.
Lemma norm_vect_length V I : length (norm_vect V I) = length V.
Proof. unfold norm_vect; rewrite map_length; apply seq_length. Qed.
Lemma norm_vect_at V I p : (1 <= p <= length V)%nat -> at_rank (norm_vect V I) p =
  if Req_EM_T (at_rank I p) 0 then 0 else at_rank V p / at_rank I p.
Proof. intros P; unfold norm_vect; apply (at_rank_map_seq (fun p => if Req_EM_T (at_rank I p) 0 then
  0
  else at_rank V p / at_rank I p)); assumption. Qed.
Lemma held_length V n : length (held V n) = n.
Proof. unfold held; rewrite map_length; apply seq_length. Qed.
Lemma held_at V n p : (1 <= p <= n)%nat -> at_rank (held V n) p = at_rank V (Nat.min p (length V)).
Proof. apply (at_rank_map_seq (fun p => at_rank V (Nat.min p (length V)))). Qed.
Lemma last_of_vector X L d D s : has_ranks X L s -> let V := concat (vector_rows X L d D s) in
  (1 <= length V)%nat -> at_rank V (length V) = sdcg X d D s.
Proof.
  intros H V P; rewrite <- at_rank_next by assumption; unfold V; rewrite vector_length.
  rewrite vector_before by (assumption || lia); unfold sdcg; f_equal; lia.
Qed.

(** RS-SES-13/L1: avg_sDCG weights the gain at rank p by the share of ranks from there on *)
Theorem SES_13_L1 X c d D s : let V := session_vector X c d D s in let L := length V in
  avg_sdcg X c d D s =
  sum_to (fun p => (INR L - INR p + 1) / INR L * (at_rank V p - at_rank (0 :: V) p)) L.
Proof.
  intros V L; unfold avg_sdcg, avg_pos; fold V L; rewrite (sum_to_ext _ (fun p => / INR L * ((INR L
    -
    INR p + 1) * (at_rank V p - at_rank (0 :: V) p)))) by (intros; unfold Rdiv; ring).
  rewrite sum_to_scale; unfold Rdiv; rewrite Rmult_comm; f_equal; rewrite sum_to_at_rank; fold L.
  assert (forall n, sum_to (fun p => (INR n - INR p + 1) * (at_rank V p - at_rank (0 :: V) p)) n =
    sum_to (at_rank V) n) as H; [|symmetry; apply H].
  induction n as [|n IH]; [reflexivity|]; cbn [sum_to]; rewrite <- IH.
  assert (forall m, sum_to (fun p => at_rank V p - at_rank (0 :: V) p) m = at_rank (0 :: V) (S m))
    as T.
  { induction m as [|m IHm]; [reflexivity|]; cbn [sum_to]; rewrite IHm, (at_rank_next V (S m)) by
    lia;
      ring. }
  rewrite (sum_to_ext _ (fun p => (INR n - INR p + 1) * (at_rank V p - at_rank (0 :: V) p) +
    (at_rank V
    p - at_rank (0 :: V) p))), sum_to_plus, T by (intros; rewrite S_INR; ring); ring.
Qed.
Lemma vector_between X c d D s p q : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  let V := session_vector X c d D s in (1 <= p <= q)%nat -> (q <= length V)%nat ->
  at_rank V p <= at_rank V q.
Proof.
  intros N M F V [P Q]; induction Q as [|q Q IH]; intros K; [lra|].
  apply Rle_trans with (at_rank V q); [apply IH; lia|apply SES_5_L1_rises; try assumption; fold V;
    lia].
Qed.
(** RS-SES-13/L2: V[1] <= avg_sDCG <= sDCG@X, where L > 0 *)
Theorem SES_13_L2 X c d D s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  let V := session_vector X c d D s in V <> [] -> at_rank V 1 <= avg_sdcg X c d D s <= sdcg X d D s.
Proof.
  intros N M F V H; pose proof (length_pos V H) as P; assert (1 <= length V)%nat as L by (destruct
    V;
    [congruence|cbn; lia]).
  rewrite <- (SES_6_L1 X c d D s H); fold V; unfold avg_sdcg, avg_pos; fold V; rewrite
    sum_to_at_rank.
  split; [apply le_div|apply div_le]; try assumption; rewrite Rmult_comm, <- sum_to_const;
    apply sum_to_le; intros p Q; apply vector_between; fold V; try assumption; lia.
Qed.
Lemma vector_with_empty X c d D s : session_vector X c d D (s ++ [[]]) = session_vector X c d D s ++
  repeat (sdcg X d D s) (ranks X c 0).
Proof.
  unfold session_vector; rewrite vector_app; f_equal.
  - f_equal; apply vector_ext; intros q Q; unfold ranks_of; rewrite query_app1 by assumption;
    reflexivity.
  - unfold ranks_of; rewrite query_last; apply at_rank_ext; rewrite ?map_length, ?repeat_length,
      ?seq_length; [reflexivity|]; intros i I; rewrite at_rank_map_seq, at_rank_repeat, dcg_nil
      by assumption; ring.
Qed.
(** RS-SES-13/L3: appending a query without results, with L_(m + 1) > 0, never lowers avg_sDCG *)
Theorem SES_13_L3 X c d D s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  avg_sdcg X c d D s <= avg_sdcg X c d D (s ++ [[]]).
Proof.
  intros N M F; unfold avg_sdcg, avg_pos; rewrite vector_with_empty; set (V := session_vector X c d
    D s).
  set (k := ranks X c 0); set (x := sdcg X d D s); rewrite app_length, repeat_length, plus_INR.
  unfold sum at 2; rewrite total_app; fold (sum V) (sum (repeat x k)); rewrite sum_repeat.
  assert (0 <= x) as X0 by (apply sdcg_nonneg; assumption); pose proof (pos_INR k).
  destruct (list_eq_dec Req_EM_T V []) as [E|E].
  - rewrite E; cbn; unfold Rdiv; rewrite !Rmult_0_l, Rplus_0_l.
    destruct (Req_dec (INR k) 0) as [->|K]; [rewrite Rmult_0_l; lra|].
    apply Rmult_le_pos; [nra|apply Rlt_le, Rinv_0_lt_compat; lra].
  - pose proof (length_pos V E) as P; destruct (SES_13_L2 X c d D s N M F E) as [_ B].
    unfold avg_sdcg, avg_pos in B; fold V x in B; apply le_div; [lra|].
    apply div_le in B; [|assumption]; unfold Rdiv.
    replace (sum V * / INR (length V) * (INR (length V) + INR k)) with (sum V + sum V / INR (length
      V) *
      INR k) by (field; lra); apply Rplus_le_compat_l; rewrite (Rmult_comm (INR k)).
    apply Rmult_le_compat_r; [assumption|apply div_le; assumption].
Qed.
Lemma vector_length_map X c d D (h : R -> R) s : length (session_vector X c d D (map (map h) s)) =
  ranks_before (ranks_of X c s) (S (length s)).
Proof.
  rewrite session_vector_length, map_length; unfold ranks_before; f_equal; apply map_ext; intro q.
  unfold ranks_of; rewrite query_map, map_length; reflexivity.
Qed.
Lemma vector_at_linear X c d D (f g : R -> R) a b s p : (1 <= p)%nat ->
  at_rank (session_vector X c d D (map (map (fun r => a * f r + b * g r)) s)) p =
  a * at_rank (session_vector X c d D (map (map f) s)) p +
  b * at_rank (session_vector X c d D (map (map g) s)) p.
Proof.
  intros P; pose proof (fun h => vector_length_map X c d D h s) as E.
  assert (forall h : R -> R, session_vector X c d D (map (map h) s) =
    concat (vector_rows X (ranks_of X c s) d D (map (map h) s))) as V.
  { intro h; unfold session_vector; f_equal; apply vector_ext; intros q _; unfold ranks_of.
    rewrite query_map, map_length; reflexivity. }
  assert (forall k r, dcg k d (map (fun r => a * f r + b * g r) r) =
    a * dcg k d (map f r) + b * dcg k d (map g r)) as lin.
  { intros k r; rewrite !dcg_cut; generalize (cut k d); induction r as [|x r IH]; intro e; [cbn;
      unfold whole; cbn; ring|]; cbn [map]; rewrite !whole_cons, IH; ring. }
  destruct (Nat.le_gt_cases p (ranks_before (ranks_of X c s) (S (length s)))) as [L|L];
    [|rewrite !at_rank_beyond by (rewrite E; lia); ring].
  rewrite !V; destruct (rank_has_place (ranks_of X c s) (length s) p ltac:(lia)) as (q & i & Q & I &
    ->).
  rewrite !vector_at, !query_map, lin by (rewrite ?map_length; lia).
  rewrite (sum_to_ext _ (fun o => a * (D o * dcg X d (query (map (map f) s) o)) + b * (D o * dcg X d
    (query (map (map g) s) o)))), sum_to_plus, !sum_to_scale; [ring|]; intros o _.
  rewrite !query_map, lin; ring.
Qed.
(** RS-SES-13/L4: avg_sDCG is linear in the gains *)
Theorem SES_13_L4 X c d D (f g : R -> R) a b s :
  avg_sdcg X c d D (map (map (fun r => a * f r + b * g r)) s) =
  a * avg_sdcg X c d D (map (map f) s) + b * avg_sdcg X c d D (map (map g) s).
Proof.
  unfold avg_sdcg, avg_pos; rewrite !sum_to_at_rank, !vector_length_map; unfold Rdiv.
  rewrite (sum_to_ext _ (fun p => a * at_rank (session_vector X c d D (map (map f) s)) p + b *
    at_rank
    (session_vector X c d D (map (map g) s)) p)) by (intros; apply vector_at_linear; lia).
  rewrite sum_to_plus, !sum_to_scale; ring.
Qed.
(** The vector of a session is nowhere above that of its repeated ideal. *)
Lemma vector_le_ideal X c d D J s p : falls d -> nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s
  ->
  within d J s -> (1 <= p <= length (session_vector X c d D s))%nat ->
  0 <= at_rank (session_vector X c d D s) p <=
    at_rank (ideal_vector X c d D s (ideal_session X c J s)) p.
Proof.
  intros F N M A C P; rewrite session_vector_length in P.
  destruct (rank_has_place _ _ p P) as (q & i & Q & I & ->); unfold session_vector, ideal_vector.
  destruct (repeated_is_ideal X c J s) as [E H].
  rewrite !vector_at by (rewrite ?E; assumption).
  assert (forall o, (1 <= o <= length s)%nat -> query (ideal_session X c J s) o = firstn (ranks_of X
    c s
    o) (ideal J)) as K.
  { intros o O; unfold ideal_session, query; rewrite (nth_indep _ [] (firstn (ranks X c (length
    (@nil
      R))) (ideal J))) by (rewrite map_length; lia).
    apply (map_nth (fun r => firstn (ranks X c (length r)) (ideal J))). }
  assert (forall o, (1 <= o <= length s)%nat -> 0 <= dcg X d (query s o) <= dcg X d (query
    (ideal_session X c J s) o)) as B.
  { intros o O; split; [apply dcg_nonneg, query_gains; assumption|].
    rewrite <- (dcg_at_end X (ranks_of X c s) d (ideal_session X c J s) o H) by (rewrite E; exact
      O).
    rewrite <- (dcg_at_end X (ranks_of X c s) d s o (ranks_of_has X c s) O), (K o O), dcg_cut_list.
    apply C, O. }
  assert (0 <= dcg i d (query s q) <= dcg i d (query (ideal_session X c J s) q)) as [B1 B2].
  { split; [apply dcg_nonneg, query_gains; assumption|]; rewrite (K q Q).
    rewrite (dcg_firstn i d (firstn _ _)), firstn_firstn, Nat.min_l, <- dcg_firstn by lia.
    apply C, Q. }
  pose proof (M q ltac:(lia)); split.
  - apply Rplus_le_le_0_compat; [apply sum_to_nonneg; intros o O; apply Rmult_le_pos; [apply M; lia|
      apply B; lia]|apply Rmult_le_pos; assumption].
  - apply Rplus_le_compat; [apply sum_to_le; intros o O; apply Rmult_le_compat_l; [apply M;
    lia|apply B;
      lia]|apply Rmult_le_compat_l; assumption].
Qed.
Lemma component_range v i : 0 <= v <= i -> 0 <= (if Req_EM_T i 0 then 0 else v / i) <= 1.
Proof.
  intros H; destruct (Req_EM_T i 0); [lra|]; split; [apply div_nonneg|apply div_le]; lra.
Qed.
Lemma nsdcg_component X c d D J s p : falls d -> nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s
  ->
  within d J s -> (1 <= p <= length (session_vector X c d D s))%nat ->
  0 <= at_rank (nsdcg_vector X c d D s (ideal_session X c J s)) p <= 1.
Proof.
  intros F N M A C P; unfold nsdcg_vector; rewrite norm_vect_at by assumption; apply
    component_range.
  apply vector_le_ideal; assumption.
Qed.

(** RS-SES-17/L1: the last component, where there is one, is nsDCG@X *)
Theorem SES_17_L1 X c d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  session_vector X c d D s <> [] -> let final T := at_rank (nsdcg_vector X c d D s T)
    (length (nsdcg_vector X c d D s T)) in
  final (ideal_session X c J s) = nsdcg X c d D J s /\
  final (spread_session X c J s) = nsdcg_spread X c d D J s /\
  final (greatest_session X c d D J s) = nsdcg_greatest X c d D J s.
Proof.
  intros N M A H final; assert (1 <= length (session_vector X c d D s))%nat as L by (destruct
    (session_vector X c d D s); [congruence|cbn; lia]).
  assert (forall T, is_ideal X c s T -> Forall (Forall (Rle 0)) T -> final T = quotient (sdcg X d D
    s)
    (sdcg X d D T)) as G.
  { intros T [E K] F; unfold final, nsdcg_vector; rewrite norm_vect_length, norm_vect_at by lia.
    rewrite (SES_6_L1 X c d D s H), <- (ideal_vector_length X c d D s T E) by lia.
    unfold ideal_vector; rewrite last_of_vector; [|assumption|fold (ideal_vector X c d D s T);
      rewrite ideal_vector_length; assumption].
    pose proof (sdcg_nonneg X d D T N M F); unfold quotient; destruct (Req_EM_T _ 0), (Rlt_dec _ _);
      try lra; reflexivity. }
  repeat split; apply G; auto using repeated_is_ideal, spread_is_ideal, greatest_is_ideal,
    spread_nonneg, greatest_nonneg.
  apply Forall_map, Forall_forall; intros r _; pose proof (ideal_nonneg J A) as B.
  rewrite <- (firstn_skipn (ranks X c (length r)) (ideal J)) in B; apply Forall_app in B; apply B.
Qed.
(** RS-SES-17/L2: with the ideal "repeated" every component is from 0 to 1 where J covers each list
    *)
Theorem SES_17_L2 X c d D J s p : falls d -> nonneg d -> nonneg D -> covered X J s -> (1 <= p <=
  length (session_vector X c d D s))%nat ->
  0 <= at_rank (nsdcg_vector X c d D s (ideal_session X c J s)) p <= 1.
Proof.
  intros F N M C P; destruct (covered_within X d J s F N C) as [A W].
  apply nsdcg_component; assumption.
Qed.
(** RS-SES-17/L3: with "greatest" a component before the last may be above 1 where nsDCG@X is not *)
Theorem SES_17_L3 : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  let s := [[1; 1]; []] in let V := nsdcg_vector 2 2 d D s (greatest_session 2 2 d D [1; 1] s) in
  length V = 4%nat /\ at_rank V 2 = 3 / 2 /\ at_rank V 4 = 9 / 10.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]], (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]].
  rewrite d1 in d2; rewrite D1 in D2; intros d D s; fold d in d1, d2; fold D in D1, D2; clearbody d
    D.
  assert (d 2%nat = 1 / 2) as d3 by lra; assert (D 2%nat = 2 / 3) as D3 by lra; clear d2 e2 D2 E2.
  assert (greatest_session 2 2 d D [1; 1] s = [[1; 0]; [1; 0]]) as G.
  { unfold greatest_session, item_at, order_of_places, places_in_session, places, ranks_of, ranks,
      weight, ideal, s; cbn; rewrite ?d1, ?d3, ?D1, ?D3; destruct (Rle_dec 1 1); [|lra].
    destruct (Rle_dec (2 / 3 * (1 / 2)) (2 / 3 * 1)); [cbn|lra]; rewrite ?d1, ?d3, ?D1, ?D3.
    destruct (Rle_dec (2 / 3 * 1) (1 * (1 / 2))); [lra|cbn]; rewrite ?d1, ?d3, ?D1, ?D3.
    destruct (Rle_dec (2 / 3 * (1 / 2)) (1 * (1 / 2))); [cbn|lra]; rewrite ?d1, ?d3, ?D1, ?D3.
    destruct (Rle_dec (2 / 3 * 1) (1 * 1)); [cbn; reflexivity|lra]. }
  intro V; unfold V; rewrite G; clear V G; unfold nsdcg_vector, session_vector, ideal_vector,
    vector_rows,
    ranks_of, ranks, s; cbn; split; [reflexivity|]; unfold norm_vect, at_rank, dcg; cbn; rewrite
    ?d1, ?d3, ?D1, ?D3; split; destruct (Req_EM_T _ 0); lra.
Qed.
(** RS-SES-17/L4: norm-vect(a V, b I) = a/b norm-vect(V, I) for b <> 0, and norm-vect(V, V) is 1
    where V is not 0 *)
Theorem SES_17_L4 a b V I p : b <> 0 ->
  norm_vect (map (Rmult a) V) (map (Rmult b) I) = map (Rmult (a / b)) (norm_vect V I) /\
  ((1 <= p <= length V)%nat -> at_rank V p <> 0 -> at_rank (norm_vect V V) p = 1).
Proof.
  intros B; split.
  - unfold norm_vect; rewrite map_length, map_map; apply map_ext; intro q; rewrite !at_rank_scale.
    destruct (Req_EM_T (at_rank I q) 0) as [E|E], (Req_EM_T (b * at_rank I q) 0) as [K|K].
    + ring.
    + exfalso; apply K; rewrite E; ring.
    + apply Rmult_integral in K; tauto.
    + field; split; assumption.
  - intros P E; rewrite norm_vect_at by assumption; destruct (Req_EM_T _ 0); [contradiction|field;
      assumption].
Qed.
(** RS-SES-13/L5: with the ideal "repeated", 0 <= avg_nsDCG <= 1 where J covers each list *)
Theorem SES_13_L5 X c d D J s : falls d -> nonneg d -> nonneg D -> covered X J s -> 0 <= avg_nsdcg X
  c d D s (ideal_session X c J s) <= 1.
Proof.
  intros F N M C; unfold avg_nsdcg, avg_pos; set (V := nsdcg_vector X c d D s (ideal_session X c J
    s)).
  destruct (list_eq_dec Req_EM_T V []) as [->|E]; [cbn; unfold Rdiv; lra|]; pose proof (length_pos V
    E).
  assert (length V = length (session_vector X c d D s)) as L by apply norm_vect_length.
  rewrite sum_to_at_rank; split.
  - apply div_nonneg; [|assumption]; apply sum_to_nonneg; intros p P; rewrite L in P.
    apply SES_17_L2; assumption.
  - apply div_le; [assumption|]; rewrite Rmult_1_l, <- (Rmult_1_r (INR _)), <- sum_to_const.
    apply sum_to_le; intros p P; rewrite L in P; apply SES_17_L2; assumption.
Qed.

(** RS-SES-18: the mean of vectors of n components, component by component *)
Definition avg_vect n (Vs : list (list R)) :=
  map (fun p => mean (fun V => at_rank V p) Vs) (seq 1 n).
(** The sum of two vectors *)
Definition plus_vect n (V W : list R) := map (fun p => at_rank V p + at_rank W p) (seq 1 n).

Lemma avg_vect_at n Vs p : (1 <= p <= n)%nat -> at_rank (avg_vect n Vs) p = mean (fun V => at_rank V
  p) Vs.
Proof. apply (at_rank_map_seq (fun p => mean (fun V => at_rank V p) Vs)). Qed.
(** RS-SES-18/L1: if all vectors are V, it is V *)
Theorem SES_18_L1 V Vs : Vs <> [] -> (forall W, In W Vs -> W = V) -> avg_vect (length V) Vs = V.
Proof.
  intros N H; apply at_rank_ext; unfold avg_vect; rewrite map_length, seq_length; [reflexivity|].
  intros p P; fold (avg_vect (length V) Vs); rewrite avg_vect_at by assumption.
  rewrite (mean_ext _ (fun _ => at_rank V p)), mean_const; [reflexivity|assumption|].
  intros W I; rewrite (H W I); reflexivity.
Qed.
(** RS-SES-18/L2: each component is between the least and the greatest;
    the order of the vectors does not matter *)
Theorem SES_18_L2 n Vs Ws p lo hi : Vs <> [] -> (1 <= p <= n)%nat ->
  (forall V, In V Vs -> lo <= at_rank V p <= hi) ->
  lo <= at_rank (avg_vect n Vs) p <= hi /\ (Permutation Vs Ws -> avg_vect n Vs = avg_vect n Ws).
Proof.
  intros N P H; rewrite avg_vect_at by assumption; split; [apply mean_between; assumption|].
  intros Q; unfold avg_vect; apply map_ext; intro q; apply mean_perm, Q.
Qed.
(** RS-SES-18/L3: it is additive, and a factor of the vectors is one of the average *)
Theorem SES_18_L3 n a (VWs : list (list R * list R)) :
  avg_vect n (map (fun p => plus_vect n (fst p) (snd p)) VWs) =
    plus_vect n (avg_vect n (map fst VWs)) (avg_vect n (map snd VWs)) /\
  avg_vect n (map (fun p => map (Rmult a) (fst p)) VWs) = map (Rmult a) (avg_vect n (map fst VWs)).
Proof.
  assert (forall (A B : Type) (f : B -> R) (g : A -> B) l, mean f (map g l) = mean (fun x => f (g
    x)) l)
    as mm by (intros; unfold mean; rewrite total_map, map_length; reflexivity); split.
  - unfold plus_vect at 2; unfold avg_vect at 1; apply map_ext_in; intros p P; apply in_seq in P.
    rewrite !avg_vect_at, !mm, <- mean_plus by lia; apply mean_ext; intros x _.
    unfold plus_vect; rewrite (at_rank_map_seq (fun p => at_rank (fst x) p + at_rank (snd x) p)) by
      lia.
    reflexivity.
  - unfold avg_vect; rewrite map_map; apply map_ext; intro p; rewrite !mm, <- mean_scale.
    apply mean_ext; intros; apply at_rank_scale.
Qed.
(** RS-SES-18/L4: the average of normalised vectors is in general not the normalised average: 2/3
  and
    1/2 for 1 over 1 and 1 over 3 *)
Theorem SES_18_L4 : avg_vect 1 [norm_vect [1] [1]; norm_vect [1] [3]] = [2 / 3] /\
  norm_vect (avg_vect 1 [[1]; [1]]) (avg_vect 1 [[1]; [3]]) = [1 / 2].
Proof.
  unfold avg_vect, norm_vect, mean, at_rank; cbn; split; repeat (destruct (Req_EM_T _ _)); try lra;
    f_equal; lra.
Qed.
(** RS-SES-18/L4: ... they agree if all I are the same *)
Theorem SES_18_L4_same n I Vs : (forall V, In V Vs -> length V = n) ->
  avg_vect n (map (fun V => norm_vect V I) Vs) = norm_vect (avg_vect n Vs) I.
Proof.
  intros L; assert (length (avg_vect n Vs) = n) as A by (unfold avg_vect; rewrite map_length;
    apply seq_length).
  unfold norm_vect at 2; rewrite A; unfold avg_vect at 1; apply map_ext_in; intros p P; apply in_seq
    in P.
  rewrite avg_vect_at by lia; unfold mean at 1; rewrite total_map, map_length.
  fold (mean (fun V => at_rank (norm_vect V I) p) Vs).
  rewrite (mean_ext _ (fun V => if Req_EM_T (at_rank I p) 0 then 0 else at_rank V p / at_rank I p)).
  2: { intros V K; apply norm_vect_at; rewrite (L V K); lia. }
  destruct (Req_EM_T (at_rank I p) 0); [|apply mean_div].
  unfold mean; rewrite total_const; unfold Rdiv; ring.
Qed.

(** RS-SES-19/L1: its first L components are V, and its last component is that of V, where L > 0 *)
Theorem SES_19_L1 V n : (length V <= n)%nat -> firstn (length V) (held V n) = V /\
  (V <> [] -> at_rank (held V n) n = at_rank V (length V)).
Proof.
  intros L; split.
  - apply at_rank_ext; rewrite firstn_length, held_length; [lia|]; intros p P.
    rewrite at_rank_firstn, held_at, Nat.min_l by lia; reflexivity.
  - intros N; assert (1 <= length V)%nat by (destruct V; [congruence|cbn; lia]).
    rewrite held_at, Nat.min_r by lia; reflexivity.
Qed.
(** RS-SES-19/L2: holding to n and then to k is holding to k; holding to L changes nothing *)
Theorem SES_19_L2 V n k : (length V <= n <= k)%nat -> held (held V n) k = held V k /\
  held V (length V) = V.
Proof.
  intros L; split.
  - destruct (Nat.eq_dec n 0) as [->|N]; [destruct V; [reflexivity|cbn in L; lia]|].
    apply at_rank_ext; rewrite ?held_length; [reflexivity|]; intros p P.
    rewrite (held_at _ k), (held_at V k), held_length, held_at by lia; f_equal; lia.
  - apply at_rank_ext; rewrite held_length; [reflexivity|]; intros p P.
    rewrite held_at, Nat.min_l by lia; reflexivity.
Qed.
Lemma padded_ranks X s q : ranks_of X X s q = X.
Proof. unfold ranks_of, ranks; lia. Qed.
Lemma padded_before X s q : ranks_before (ranks_of X X s) q = ((q - 1) * X)%nat.
Proof.
  unfold ranks_before; rewrite (map_ext _ (fun _ => X)) by (intro; apply padded_ranks).
  rewrite <- (seq_length (q - 1) 1) at 2; generalize (seq 1 (q - 1)) as l; intro l.
  induction l as [|x l IH]; [reflexivity|]; change (list_sum (map (fun _ => X) (x :: l))) with (X +
    list_sum (map (fun _ => X) l))%nat; rewrite IH; reflexivity.
Qed.
(** RS-SES-19/L3: the vector of the session followed by e queries without results, with the padding
    "X", is held(sDCG, L + e X) *)
Theorem SES_19_L3 X d D s e : let V := session_vector X X d D s in
  session_vector X X d D (s ++ repeat [] e) = held V (length V + e * X).
Proof.
  intro V; induction e as [|e IH].
  - cbn [repeat]; rewrite app_nil_r, Nat.add_0_r; symmetry; apply (SES_19_L2 V (length V) (length
    V)); lia.
  - replace (repeat [] (S e)) with (repeat (@nil R) e ++ [[]]) by (symmetry; apply (repeat_cons e)).
    rewrite app_assoc, vector_with_empty, IH; unfold ranks; rewrite Nat.max_0_l, Nat.min_id.
    assert (sdcg X d D (s ++ repeat [] e) = sdcg X d D s) as ->.
    { clear; induction e as [|e IH]; [rewrite app_nil_r; reflexivity|].
      replace (repeat [] (S e)) with (repeat (@nil R) e ++ [[]]) by (symmetry; apply (repeat_cons
        e)).
      rewrite app_assoc, sdcg_app, sdcg_one, dcg_nil, IH; ring. }
    apply at_rank_ext; rewrite ?app_length, ?repeat_length, ?held_length; [cbn; lia|]; intros p P.
    rewrite held_at by (cbn; lia); destruct (Nat.le_gt_cases p (length V + e * X)) as [L|L].
    + rewrite at_rank_app1, held_at by (rewrite ?held_length; lia); reflexivity.
    + replace p with (length (held V (length V + e * X)) + (p - (length V + e * X)))%nat at 1
        by (rewrite held_length; lia).
      rewrite at_rank_app2, at_rank_repeat, Nat.min_r by lia.
      destruct (Nat.eq_dec (length V) 0) as [Z|Z]; [|symmetry; apply (last_of_vector X); [apply
        ranks_of_has|unfold V, session_vector in Z; lia]].
      rewrite Z; assert (X <> 0)%nat by lia; unfold V in Z; rewrite session_vector_length,
        padded_before in
        Z; assert (length s = 0)%nat as E by nia; destruct s; [reflexivity|discriminate E].
Qed.

(** * Averages over sessions, rank by rank *)

(** RS-SES-21: a session extended by queries without results to M queries *)
Definition extended {A} M (s : list (list A)) := s ++ repeat [] (M - length s).
(** RS-SES-21: the average "held", of sessions with their pools (J, s), held to n ranks; I is the
    ideal session of a pool and a session *)
Definition average_held X c d D (I : list R -> list (list R) -> list (list R)) n S p :=
  mean (fun e => at_rank (held (nsdcg_vector X c d D (snd e) (I (fst e) (snd e))) n) p) S.
(** RS-SES-21: the average "continued", of sessions extended to M queries *)
Definition average_continued X d D (I : list R -> list (list R) -> list (list R)) M S p :=
  mean (fun e => let s := extended M (snd e) in at_rank (nsdcg_vector X X d D s (I (fst e) s)) p) S.
(** RS-SES-21: the average "average" *)
Definition average_of_averages X d D (I : list R -> list (list R) -> list (list R)) M S p :=
  quotient (total (fun e => at_rank (session_vector X X d D (extended M (snd e))) p) S)
    (total (fun e => let s := extended M (snd e) in at_rank (ideal_vector X X d D s (I (fst e) s))
      p)
      S).
(** RS-SES-21: the average without normalising *)
Definition average_sdcg X c d D n (S : list (list R * list (list R))) p :=
  mean (fun e => at_rank (held (session_vector X c d D (snd e)) n) p) S.

(** RS-SES-21/L1: where all sessions have the same number of queries, "held" and "continued" are the
    same, with any ideal *)
Theorem SES_21_L1 X d D I M S p : (forall e, In e S -> length (snd e) = M) -> (1 <= p <= M * X)%nat
  ->
  average_held X X d D I (M * X) S p = average_continued X d D I M S p.
Proof.
  intros H P; apply mean_ext; intros [J s] E; specialize (H _ E); cbn [fst snd] in *.
  unfold extended; rewrite H, Nat.sub_diag; cbn [repeat]; rewrite app_nil_r.
  rewrite held_at, Nat.min_l by (try assumption; unfold nsdcg_vector; rewrite norm_vect_length,
    session_vector_length, padded_before; lia); reflexivity.
Qed.

(** The ideals "repeated" and "spread", with the padding "X" *)
Definition of_two X (I : list R -> list (list R) -> list (list R)) :=
  I = ideal_session X X \/ I = spread_session X X.

Lemma of_two_ideal X I J s : of_two X I -> is_ideal X X s (I J s).
Proof. intros [->| ->]; [apply repeated_is_ideal|apply spread_is_ideal]. Qed.
Lemma of_two_nonneg X I J s : of_two X I -> Forall (Rle 0) J -> Forall (Forall (Rle 0)) (I J s).
Proof.
  intros [->| ->] A; [|apply spread_nonneg, A]; apply Forall_map, Forall_forall; intros r _.
  pose proof (ideal_nonneg J A) as B; rewrite <- (firstn_skipn (ranks X X (length r)) (ideal J)) in
    B.
  apply Forall_app in B; apply B.
Qed.
Lemma of_two_same X I J s t : of_two X I -> length s = length t -> I J s = I J t.
Proof.
  intros [->| ->] L.
  - unfold ideal_session; rewrite (map_ext _ (fun _ => firstn X (ideal J))), (map_ext (fun r =>
    firstn
      (ranks X X (length r)) (ideal J)) (fun _ => firstn X (ideal J))) by (intro; unfold ranks; do 2
      f_equal; lia).
    revert t L; induction s as [|r s IH]; intros [|u t] L; try discriminate L; [reflexivity|]; cbn.
    f_equal; apply IH; injection L; auto.
  - unfold spread_session; rewrite L; apply map_ext; intro q; rewrite !padded_ranks, !padded_before;
      reflexivity.
Qed.
Lemma of_two_app X I J s e : of_two X I -> exists u, I J (s ++ repeat [] e) = I J s ++ u.
Proof.
  intros [->| ->]; [unfold ideal_session; rewrite map_app; eexists; reflexivity|].
  destruct (spread_app X X J s (repeat [] e)) as (u & -> & _); eexists; reflexivity.
Qed.
Lemma padded_length X d D s : length (session_vector X X d D s) = (length s * X)%nat.
Proof. rewrite session_vector_length, padded_before; f_equal; lia. Qed.
Lemma extended_length {A} M (s : list (list A)) : (length s <= M)%nat -> length (extended M s) = M.
Proof. intros L; unfold extended; rewrite app_length, repeat_length; lia. Qed.
Lemma extended_vector X d D M s : (length s <= M)%nat ->
  session_vector X X d D (extended M s) = held (session_vector X X d D s) (M * X).
Proof.
  intros L; unfold extended; rewrite SES_19_L3, padded_length; f_equal.
  rewrite <- Nat.mul_add_distr_r; f_equal; lia.
Qed.
Lemma ideal_vector_rows X d D s T : ideal_vector X X d D s T = concat (vector_rows X (fun _ => X) d
  D
  T).
Proof. unfold ideal_vector; f_equal; apply vector_ext; intros q _; apply padded_ranks. Qed.
Lemma ideal_vector_le X d D s T p q : is_ideal X X s T -> nonneg d -> nonneg D ->
  Forall (Forall (Rle 0)) T -> (1 <= p <= q)%nat -> (q <= length s * X)%nat ->
  at_rank (ideal_vector X X d D s T) p <= at_rank (ideal_vector X X d D s T) q.
Proof.
  intros [E H] N M F [P Q]; induction Q as [|q Q IH]; intros K; [lra|].
  apply Rle_trans with (at_rank (ideal_vector X X d D s T) q); [apply IH; lia|].
  rewrite <- (at_rank_next _ q) by lia; apply vector_rises; try assumption.
  fold (ideal_vector X X d D s T); rewrite ideal_vector_length, padded_length by assumption; lia.
Qed.
Lemma ideal_vector_nonneg X d D s T p : is_ideal X X s T -> nonneg d -> nonneg D ->
  Forall (Forall (Rle 0)) T -> (1 <= p <= length s * X)%nat -> 0 <= at_rank (ideal_vector X X d D s
    T)
  p.
Proof.
  intros I N M F P; apply Rle_trans with (at_rank (ideal_vector X X d D s T) 1).
  - destruct I as [E H]; change 0 with (at_rank (0 :: ideal_vector X X d D s T) 1) at 1.
    apply vector_rises; try assumption; fold (ideal_vector X X d D s T); rewrite
      ideal_vector_length,
      padded_length by assumption; lia.
  - apply ideal_vector_le; try assumption; lia.
Qed.
Lemma ideal_vector_end X d D s T : is_ideal X X s T -> (1 <= length s * X)%nat ->
  at_rank (ideal_vector X X d D s T) (length s * X) = sdcg X d D T.
Proof.
  intros [E H] L; pose proof (last_of_vector X (ranks_of X X s) d D T H) as Z; cbn zeta in Z.
  fold (ideal_vector X X d D s T) in Z; rewrite ideal_vector_length, padded_length in Z by
    assumption.
  apply Z, L.
Qed.
(** Of an extended session the ideal vector begins as that of the session ... *)
Lemma extended_ideal X d D I J M s p : of_two X I -> (length s <= M)%nat -> (1 <= p <= length s *
  X)%nat
  -> at_rank (ideal_vector X X d D (extended M s) (I J (extended M s))) p =
  at_rank (ideal_vector X X d D s (I J s)) p.
Proof.
  intros T L P; rewrite !ideal_vector_rows; unfold extended; destruct (of_two_app X I J s (M -
    length
    s) T) as [u ->]; destruct (vector_prefix X (fun _ => X) d D (I J s) u) as [t ->].
  apply at_rank_app1; rewrite <- (ideal_vector_rows X d D s), ideal_vector_length, padded_length;
    [lia|apply (of_two_ideal X I J s T)].
Qed.
(** ... and is 0 if that ends with 0. *)
Lemma extended_ideal_zero X d D I J M s : of_two X I -> falls d -> nonneg d -> falls D -> nonneg D
  ->
  Forall (Rle 0) J -> (length s <= M)%nat -> (1 <= length s * X)%nat ->
  0 < sdcg X d D (I J (extended M s)) -> 0 < sdcg X d D (I J s).
Proof.
  intros T F N G M0 A L P Q; assert (0 < isdcg X X d D J (extended M s)) as R.
  { destruct T as [->| ->]; [exact Q|]; eapply Rlt_le_trans; [exact Q|].
    destruct (SES_10_L1 X X d D J (extended M s) F N M0 A); fold (isdcg_spread X X d D J (extended M
      s));
      lra. }
  assert (0 < isdcg X X d D J s) as R'.
  { rewrite SES_7_L1_X, extended_length in R by assumption; rewrite SES_7_L1_X.
    pose proof (idcg_nonneg X d J N A) as I0; assert (0 < sum_to D M) as SM.
    { destruct (Rlt_dec 0 (sum_to D M)); [assumption|exfalso].
      assert (0 <= sum_to D M) by (apply sum_to_nonneg; intros; apply M0; lia); nra. }
    assert (0 < idcg X d J) by nra; apply Rmult_lt_0_compat; [assumption|].
    apply sum_to_some in SM; [|intros; apply M0; lia]; destruct SM as (q & K & D0).
    assert (0 < D 1%nat) as D1 by (pose proof (falls_le D 1 q G ltac:(lia)); lra).
    apply Rlt_le_trans with (sum_to D 1); [cbn; lra|apply sum_to_more; [intro; apply M0; lia|nia]].
      }
  destruct T as [->| ->]; [exact R'|apply has_a_rank; assumption].
Qed.
Lemma held_end V n : V <> [] -> (length V <= n)%nat -> at_rank (held V n) n = at_rank V (length V).
Proof. intros H L; apply SES_19_L1; assumption. Qed.
(** RS-SES-21/L2: at p = n "held" is the mean of nsDCG@X, and without normalising that of sDCG@X *)
Theorem SES_21_L2 X d D M S : nonneg d -> nonneg D -> (1 <= M * X)%nat ->
  (forall e, In e S -> (length (snd e) <= M)%nat /\ Forall (Rle 0) (fst e)) -> let n := (M * X)%nat
    in
  average_held X X d D (ideal_session X X) n S n = mean (fun e => nsdcg X X d D (fst e) (snd e)) S
    /\
  average_held X X d D (spread_session X X) n S n =
    mean (fun e => nsdcg_spread X X d D (fst e) (snd e)) S /\
  average_sdcg X X d D n S n = mean (fun e => sdcg X d D (snd e)) S.
Proof.
  intros N M0 P H n.
  assert (forall e, In e S -> let J := fst e in let s := snd e in
    at_rank (held (nsdcg_vector X X d D s (ideal_session X X J s)) n) n = nsdcg X X d D J s /\
    at_rank (held (nsdcg_vector X X d D s (spread_session X X J s)) n) n = nsdcg_spread X X d D J s
      /\
    at_rank (held (session_vector X X d D s) n) n = sdcg X d D s) as K.
  { intros [J s] E J' s'; destruct (H _ E) as [L A]; cbn [fst snd] in *; unfold J', s'; clear J' s'.
    assert (length (session_vector X X d D s) <= n)%nat as B by (rewrite padded_length; unfold n;
      nia).
    destruct (list_eq_dec Req_EM_T (session_vector X X d D s) []) as [Z|Z].
    - assert (length s * X = 0)%nat as W by (rewrite <- (padded_length X d D), Z; reflexivity).
      assert (length s = 0)%nat as W' by nia; destruct s; [|discriminate W'].
      unfold nsdcg, nsdcg_spread; cbn; rewrite !held_at by lia; cbn; rewrite Nat.min_0_r; cbn.
      unfold quotient, isdcg, isdcg_spread, sdcg; cbn; destruct (Rlt_dec 0 0); lra.
    - destruct (SES_17_L1 X X d D J s N M0 A Z) as (e1 & e2 & _); rewrite !held_end, e1, e2;
        unfold nsdcg_vector; rewrite ?norm_vect_length; try assumption.
      + repeat split; apply SES_6_L1; assumption.
      + intros C; apply (f_equal (@length R)) in C; rewrite norm_vect_length in C; cbn in C.
        apply length_zero_iff_nil in C; contradiction.
      + intros C; apply (f_equal (@length R)) in C; rewrite norm_vect_length in C; cbn in C.
        apply length_zero_iff_nil in C; contradiction. }
  repeat split; apply mean_ext; intros e E; apply (K e E).
Qed.
(** RS-SES-21/L2: ... "continued" is nowhere above "held" *)
Theorem SES_21_L2_continued X d D I M S p : of_two X I -> falls d -> nonneg d -> falls D -> nonneg D
  ->
  (forall e, In e S -> (length (snd e) <= M)%nat /\ Forall (Rle 0) (fst e) /\
    Forall (Forall (Rle 0)) (snd e)) -> (1 <= p <= M * X)%nat ->
  average_continued X d D I M S p <= average_held X X d D I (M * X) S p.
Proof.
  intros T F N G M0 H P; apply mean_le; intros [J s] E; destruct (H _ E) as (L & A & B).
  cbn [fst snd] in *; unfold nsdcg_vector at 1; rewrite norm_vect_at
    by (rewrite padded_length, extended_length; assumption); rewrite held_at by assumption.
  unfold nsdcg_vector at 1 2; rewrite norm_vect_length, padded_length.
  rewrite extended_vector, held_at, padded_length by assumption.
  pose proof (of_two_nonneg X I J s T A) as B1; pose proof (of_two_nonneg X I J (extended M s) T A)
    as B2.
  destruct (Nat.eq_dec (length s * X) 0) as [Z|Z].
  - assert (session_vector X X d D s = []) as -> by (apply length_zero_iff_nil; rewrite
    padded_length;
      exact Z); rewrite Z, Nat.min_0_r; cbn; destruct (Req_EM_T _ 0); unfold Rdiv; cbn; lra.
  - set (j := Nat.min p (length s * X)); rewrite norm_vect_at by (rewrite padded_length; lia).
    assert (0 <= at_rank (session_vector X X d D s) j) as V0.
    { apply Rle_trans with (at_rank (session_vector X X d D s) 1).
      - change 0 with (at_rank (0 :: session_vector X X d D s) 1) at 1; apply vector_rises;
          auto using ranks_of_has; fold (session_vector X X d D s); rewrite padded_length; lia.
      - apply vector_between; try assumption; rewrite ?padded_length; lia. }
    pose proof (of_two_ideal X I J s T) as K1; pose proof (of_two_ideal X I J (extended M s) T) as
      K2.
    assert (at_rank (ideal_vector X X d D s (I J s)) j <= at_rank (ideal_vector X X d D (extended M
      s)
      (I J (extended M s))) p) as C.
    { rewrite <- (extended_ideal X d D I J M s j) by (assumption || lia).
      apply ideal_vector_le; try assumption; rewrite ?extended_length; lia. }
    pose proof (ideal_vector_nonneg X d D s (I J s) j K1 N M0 B1 ltac:(lia)) as C0.
    destruct (Req_EM_T (at_rank (ideal_vector X X d D (extended M s) (I J (extended M s))) p) 0) as
      [Y|Y];
      destruct (Req_EM_T (at_rank (ideal_vector X X d D s (I J s)) j) 0) as [W|W].
    + lra.
    + exfalso; lra.
    + destruct (Nat.le_gt_cases p (length s * X)) as [Q|Q].
      * exfalso; apply Y; rewrite extended_ideal by (assumption || lia); rewrite <- W; f_equal; lia.
      * exfalso; assert (j = (length s * X)%nat) as J1 by lia; rewrite J1, ideal_vector_end in W
          by (assumption || lia).
        enough (0 < sdcg X d D (I J s)) by lra.
        apply (extended_ideal_zero X d D I J M s); try assumption; [lia|].
        rewrite <- (ideal_vector_end X d D (extended M s)) by (rewrite ?extended_length; assumption
        ||
          lia); eapply Rlt_le_trans; [|apply (ideal_vector_le X d D (extended M s) _ p); try
        assumption;
          rewrite ?extended_length; lia]; lra.
    + apply Rmult_le_compat_l; [assumption|]; apply Rinv_le_contravar; lra.
Qed.
(** RS-SES-21/L3: if all sessions have one pool, I'[p] is the same for all, and "continued" and
    "average" are the average of the held V_s divided by it ... *)
Theorem SES_21_L3 X d D I M J p : of_two X I -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  (1 <= p <= M * X)%nat -> exists i, 0 <= i /\ forall S, S <> [] ->
  (forall e, In e S -> fst e = J /\ (length (snd e) <= M)%nat) ->
  (forall e, In e S -> let s := extended M (snd e) in
    at_rank (ideal_vector X X d D s (I (fst e) s)) p = i) /\
  average_continued X d D I M S p = quotient (average_sdcg X X d D (M * X) S p) i /\
  average_of_averages X d D I M S p = quotient (average_sdcg X X d D (M * X) S p) i.
Proof.
  intros T N M0 A P; set (z := repeat (@nil R) M); exists (at_rank (ideal_vector X X d D z (I J z))
    p).
  assert (length z = M) as LZ by apply repeat_length; assert (0 <= at_rank (ideal_vector X X d D z
    (I J
    z)) p) as I0 by (apply (ideal_vector_nonneg X d D z (I J z) p (of_two_ideal X I J z T) N M0
    (of_two_nonneg X I J z T A)); rewrite LZ; assumption).
  split; [exact I0|]; intros S E H; set (i := at_rank (ideal_vector X X d D z (I J z)) p) in *.
  assert (forall e, In e S -> at_rank (ideal_vector X X d D (extended M (snd e)) (I (fst e)
    (extended M
    (snd e)))) p = i) as same.
  { intros e O; destruct (H e O) as [-> L]; unfold i; rewrite (of_two_same X I J (extended M (snd
    e)) z T)
      by (rewrite extended_length; auto); rewrite !ideal_vector_rows; reflexivity. }
  assert (forall e, In e S -> at_rank (session_vector X X d D (extended M (snd e))) p = at_rank
    (held
    (session_vector X X d D (snd e)) (M * X)) p) as V by (intros e O; rewrite extended_vector by
      (apply
    H, O); reflexivity); split; [exact same|split].
  - unfold average_continued, average_sdcg; rewrite <- mean_quotient; apply mean_ext; intros e O.
    cbn zeta; unfold nsdcg_vector; rewrite norm_vect_at by (rewrite padded_length, extended_length;
      [assumption|apply H, O]); rewrite (same e O), (V e O); unfold quotient.
    destruct (Req_EM_T i 0), (Rlt_dec 0 i); try lra; reflexivity.
  - unfold average_of_averages, average_sdcg, mean; rewrite (total_ext _ _ S V); cbn zeta.
    rewrite (total_ext (fun e => at_rank (ideal_vector X X d D (extended M (snd e)) _) p) (fun _ =>
      i)
      S same), total_const; apply length_pos in E; unfold quotient.
    destruct (Rlt_dec 0 (INR (length S) * i)), (Rlt_dec 0 i); try nra; field; lra.
Qed.
(** RS-SES-21/L3: ... so at each rank where I'[p] > 0 they order systems as without normalising *)
Theorem SES_21_L3_order X d D I M J p S T : of_two X I -> nonneg d -> nonneg D ->
  Forall (Rle 0) J -> (1 <= p <= M * X)%nat -> S <> [] -> T <> [] ->
  (forall e, In e S \/ In e T -> fst e = J /\ (length (snd e) <= M)%nat) ->
  (forall e, In e S -> let s := extended M (snd e) in
    0 < at_rank (ideal_vector X X d D s (I (fst e) s)) p) ->
  let below := average_sdcg X X d D (M * X) S p < average_sdcg X X d D (M * X) T p in
  (average_continued X d D I M S p < average_continued X d D I M T p <-> below) /\
  (average_of_averages X d D I M S p < average_of_averages X d D I M T p <-> below).
Proof.
  intros O N M0 A P HS HT H Pos below.
  destruct (SES_21_L3 X d D I M J p O N M0 A P) as (i & _ & K).
  destruct (K S HS) as (same & -> & ->); [intros e E; apply H; left; exact E|].
  destruct (K T HT) as (_ & -> & ->); [intros e E; apply H; right; exact E|].
  destruct S as [|e S]; [congruence|]; specialize (Pos e (or_introl eq_refl)).
  specialize (same e (or_introl eq_refl)); cbn zeta in *; rewrite same in Pos.
  split; apply quotients_order; exact Pos.
Qed.
(** RS-SES-21/L4: by nsDCG@X, and by "held", the order may be different *)
Theorem SES_21_L4 : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  let I := ideal_session 1 1 in let a := [([2], [[2]])] in let b := [([2], [[2]; [1]])] in
  sdcg 1 d D [[2]] = 2 /\ sdcg 1 d D [[2]; [1]] = 8 / 3 /\
  average_continued 1 d D I 2 a 2 = 3 / 5 /\ average_continued 1 d D I 2 b 2 = 4 / 5 /\
  average_held 1 1 d D I 2 a 2 = 1 /\ average_held 1 1 d D I 2 b 2 = 4 / 5.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]]; rewrite D1 in D2; intros d D.
  fold d in d1; fold D in D1, D2; clearbody d D; assert (D 2%nat = 2 / 3) as D3 by lra.
  unfold average_continued, average_held, mean, extended, nsdcg_vector, session_vector,
    ideal_vector,
    vector_rows, norm_vect, held, ideal_session, ranks_of, ranks, sdcg, dcg, at_rank; cbn.
  rewrite d1, D1, D3; repeat (destruct (Req_EM_T _ _)); repeat split; lra.
Qed.
(** RS-SES-21/L5: with the ideal "repeated" all three are from 0 to 1 where J covers each list *)
Theorem SES_21_L5 X d D M S p : falls d -> nonneg d -> nonneg D -> S <> [] ->
  (forall e, In e S -> (length (snd e) <= M)%nat /\ Forall (Rle 0) (fst e) /\
    covered X (fst e) (snd e)) -> (1 <= p <= M * X)%nat ->
  let I := ideal_session X X in 0 <= average_held X X d D I (M * X) S p <= 1 /\
  0 <= average_continued X d D I M S p <= 1 /\ 0 <= average_of_averages X d D I M S p <= 1.
Proof.
  intros F N M0 E H P I.
  assert (forall e, In e S -> let s := extended M (snd e) in (length s = M)%nat /\
    Forall (Forall (Rle 0)) s /\ within d (fst e) s) as K.
  { intros [J s] O s'; destruct (H _ O) as (L & J0 & C); cbn [fst snd] in *; split; [apply
      extended_length, L|]; destruct (covered_within X d J s F N C) as [A W]; split.
    - apply Forall_app; split; [assumption|]; apply Forall_forall; intros r R0; apply repeat_spec in
      R0.
      subst; constructor.
    - intros q i Q; destruct (Nat.le_gt_cases q (length s)) as [B|B].
      + unfold s', extended; rewrite query_app1 by lia; apply W; lia.
      + assert (query s' q = []) as ->.
        { unfold s', extended, query; rewrite app_nth2 by lia; destruct (nth_in_or_default (q - 1 -
            length s) (repeat (@nil R) (M - length s)) []) as [Z|Z]; [apply repeat_spec in Z|];
        exact Z. }
        rewrite dcg_nil; apply idcg_nonneg; assumption. }
  split; [|split].
  - apply mean_between; [assumption|]; intros [J s] O; destruct (H _ O) as (L & J0 & C).
    cbn [fst snd] in *; rewrite held_at by assumption.
    assert (length (nsdcg_vector X X d D s (I J s)) = (length s * X)%nat) as -> by (unfold
      nsdcg_vector; rewrite norm_vect_length; apply padded_length).
    destruct (Nat.eq_dec (length s * X) 0) as [Z|Z].
    + assert (session_vector X X d D s = []) as V by (apply length_zero_iff_nil; rewrite
      padded_length;
        exact Z); unfold nsdcg_vector; rewrite V, Z, Nat.min_0_r; cbn; lra.
    + apply SES_17_L2; try assumption; rewrite padded_length; lia.
  - apply mean_between; [assumption|]; intros e O; destruct (K e O) as (L & A & C); cbn zeta in *.
    apply nsdcg_component; try assumption; rewrite padded_length, L; assumption.
  - apply quotient_range; split; [apply total_nonneg|apply total_le]; intros e O; destruct (K e O)
    as (L
      & A & C); cbn zeta in *; apply (vector_le_ideal X X d D (fst e)); try assumption; rewrite
      padded_length, L; assumption.
Qed.
