(* Session: spec/session.md.  A session is the list of its queries;
  each has the gains of its results in rank order. *)
Require Import Reals Lra Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Import ListNotations.
Open Scope R_scope.

(** The gains of the query number q *)
Definition query (s : list (list R)) q := nth (q - 1) s [].

(** RS-SES-2: the gain g of a document that appears for the t-th time is g delta^(t - 1) *)
Definition repeated delta g t := g * delta ^ (t - 1).

(** RS-SES-2/L1: with delta = 1 ("every") each result gains *)
Theorem SES_2_L1 g t : repeated 1 g t = g.
Proof. unfold repeated; rewrite pow1; ring. Qed.
(** RS-SES-2/L2 in part: with delta = 0 ("first") a document gains once *)
Theorem SES_2_L2 g n : sum_to (repeated 0 g) (S n) = g.
Proof. rewrite sum_to_first, sum_to_zero; unfold repeated; [cbn; ring|]; intros i I; unfold shift;
  replace (1 + i - 1)%nat with i by lia; rewrite pow_i by lia; ring. Qed.
(** RS-SES-2/L3: a document of the gain g that appears N times gains g (1 + delta + ... + delta^(N
    - 1)) *)
Theorem SES_2_L3 delta g n : sum_to (repeated delta g) n = g * sum_to (fun t => delta ^ (t - 1)) n.
Proof. unfold repeated; apply sum_to_scale. Qed.
(** RS-SES-2/L4: no gain falls when delta rises, and none is above g *)
Theorem SES_2_L4 a b g t : 0 <= a <= b -> b <= 1 -> 0 <= g -> repeated a g t <= repeated b g t <= g.
Proof.
  intros A B G; unfold repeated; split; [apply Rmult_le_compat_l; [|apply pow_incr]; assumption|].
  rewrite <- (Rmult_1_r g) at 2; apply Rmult_le_compat_l; [assumption|]; rewrite <- (pow1 (t - 1));
  apply pow_incr; lra.
Qed.

(** RS-SES-3: D(q) (G[1] d(1) + ... + G[i] d(i)) *)
Definition query_sdcg (d D : nat -> R) q (G : list R) i := D q * dcg i d G.

(** RS-SES-3/L1: it is D(q) times the DCG vector of the gains *)
Theorem SES_3_L1 d D q G i : (1 <= i <= length G)%nat ->
  query_sdcg d D q G i = D q * at_rank (dcg_vector d G) i.
Proof. intros I; rewrite DCG_3_L1 by assumption; reflexivity. Qed.
(** RS-SES-3/L2: D(1) = 1 *)
Theorem SES_3_L2 b d G i : 1 < b -> query_sdcg d (d_jarvelin_2008 b) 1 G i = dcg i d G /\
  query_sdcg d (d_jiang_2016 b) 1 G i = dcg i d G.
Proof.
  intros B; unfold query_sdcg; destruct (DISC_2_L1 b B) as [-> _], (DISC_7_L2 b B) as [-> _];
  split; ring.
Qed.
Lemma d_jarvelin_2008_base b c q : 1 < b < c -> (2 <= q)%nat ->
  d_jarvelin_2008 b q < d_jarvelin_2008 c q.
Proof.
  intros B Q; assert (2 <= INR q) by (apply le_INR in Q; exact Q); unfold d_jarvelin_2008, log.
  pose proof (ln_pos b ltac:(lra)); pose proof (ln_pos (INR q) ltac:(lra));
  pose proof (ln_increasing b c ltac:(lra) ltac:(lra)).
  assert (ln (INR q) / ln c < ln (INR q) / ln b) by (apply Rmult_lt_compat_l;
  [assumption|apply Rinv_lt_contravar; nra]).
  assert (0 < ln (INR q) / ln c) by (apply Rdiv_lt_0_compat; lra); unfold Rdiv at 1 3;
  rewrite !Rmult_1_l; apply Rinv_lt_contravar; nra.
Qed.
(** RS-SES-3/L3: for q >= 2, D(q) rises strictly with the base,
    and so does the value where DCG is above 0 *)
Theorem SES_3_L3 b c d q G i : 1 < b < c -> (2 <= q)%nat -> 0 < dcg i d G ->
  query_sdcg d (d_jarvelin_2008 b) q G i < query_sdcg d (d_jarvelin_2008 c) q G i /\
  query_sdcg d (d_jiang_2016 b) q G i < query_sdcg d (d_jiang_2016 c) q G i.
Proof.
  intros B Q P; split; (apply Rmult_lt_compat_r; [assumption|]);
  [apply d_jarvelin_2008_base|apply DISC_7_L3]; assumption.
Qed.
(** RS-SES-3/L4: divided by D(q) IDCG@i > 0 it is nDCG@i *)
Theorem SES_3_L4 d D q G J i : 0 < D q -> 0 < idcg i d J ->
  query_sdcg d D q G i / (D q * idcg i d J) = ndcg i d G J.
Proof. intros P I; unfold query_sdcg, ndcg, ndcg_by, quotient; destruct (Rlt_dec _ _); [field;
  lra|contradiction]. Qed.

(** RS-SES-4: L_q = min(X, max(n_q, c)) *)
Definition ranks (X c n : nat) := Nat.min X (Nat.max n c).

(** RS-SES-4/L1: min(X, n_q) <= L_q <= X *)
Theorem SES_4_L1 X c n : (Nat.min X n <= ranks X c n <= X)%nat.
Proof. unfold ranks; lia. Qed.
(** RS-SES-4/L2: with c >= X it is X; with c = 0 it is min(X, n_q) *)
Theorem SES_4_L2 X c n : ((X <= c)%nat -> ranks X c n = X) /\ ranks X 0 n = Nat.min X n.
Proof. unfold ranks; lia. Qed.
(** RS-SES-4/L3: it does not fall when c, X or n_q rises *)
Theorem SES_4_L3 X X' c c' n n' : (X <= X')%nat -> (c <= c')%nat -> (n <= n')%nat ->
  (ranks X c n <= ranks X' c' n')%nat.
Proof. unfold ranks; lia. Qed.

(** RS-SES-6: sDCG@X, the sum over the queries of D(q) DCG@X *)
Definition sdcg X d (D : nat -> R) s := sum_to (fun q => D q * dcg X d (query s q)) (length s).

Lemma query_app1 a b q : (1 <= q <= length a)%nat -> query (a ++ b) q = query a q.
Proof. intros; apply app_nth1; lia. Qed.
Lemma query_app2 a b q : (1 <= q)%nat -> query (a ++ b) (length a + q) = query b q.
Proof. intros; unfold query; rewrite app_nth2 by lia; f_equal; lia. Qed.
Lemma sdcg_app X d D a b : sdcg X d D (a ++ b) = sdcg X d D a + sdcg X d (shift (length a) D) b.
Proof.
  unfold sdcg; rewrite app_length, sum_to_split; f_equal; apply sum_to_ext; intros q Q.
  - rewrite query_app1 by assumption; reflexivity.
  - unfold shift; rewrite query_app2 by lia; reflexivity.
Qed.
Lemma sdcg_one X d D r : sdcg X d D [r] = D 1%nat * dcg X d r.
Proof. unfold sdcg, query; cbn; lra. Qed.
Lemma sdcg_ext X d D E s : (forall q, (1 <= q <= length s)%nat -> D q = E q) ->
  sdcg X d D s = sdcg X d E s.
Proof. intros H; apply sum_to_ext; intros q Q; rewrite H by assumption; reflexivity. Qed.
Lemma query_gains s q : Forall (Forall (Rle 0)) s -> Forall (Rle 0) (query s q).
Proof.
  intros F; unfold query; destruct (Nat.lt_ge_cases (q - 1) (length s));
  [|rewrite nth_overflow by assumption; constructor].
  rewrite Forall_forall in F; apply F, nth_In; assumption.
Qed.
Lemma sdcg_nonneg X d D s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s -> 0 <= sdcg X d D s.
Proof. intros N M F; apply sum_to_nonneg; intros q Q; apply Rmult_le_pos; [apply M;
  lia|apply dcg_nonneg, query_gains; assumption]. Qed.

(** RS-SES-6/L2: of one query it is D(1) DCG@X *)
Theorem SES_6_L2 X d D r : sdcg X d D [r] = D 1%nat * dcg X d r.
Proof. apply sdcg_one. Qed.
(** RS-SES-6/L3: it does not fall when the base of the discount of queries rises ... *)
Theorem SES_6_L3 X d b c s : nonneg d -> 1 < b < c -> Forall (Forall (Rle 0)) s ->
  sdcg X d (d_jarvelin_2008 b) s <= sdcg X d (d_jarvelin_2008 c) s /\ sdcg X d (d_jiang_2016 b)
  s <= sdcg X d (d_jiang_2016 c) s.
Proof.
  intros N B F; split; apply sum_to_le; intros q Q; (apply Rmult_le_compat_r;
  [apply dcg_nonneg, query_gains; assumption|]);
    (destruct (Nat.eq_dec q 1) as [->|]; [|apply Rlt_le]).
  - rewrite !(fun x H => proj1 (DISC_2_L1 x H)) by lra; lra.
  - apply d_jarvelin_2008_base; [assumption|lia].
  - rewrite !(fun x H => proj1 (DISC_7_L2 x H)) by lra; lra.
  - apply DISC_7_L3; [assumption|lia].
Qed.
(** RS-SES-6/L3: ... and rises strictly where DCG@X of a query q >= 2 is above 0 *)
Theorem SES_6_L3_strictly X d b c s q : nonneg d -> 1 < b < c -> Forall (Forall (Rle 0)) s ->
  (2 <= q <= length s)%nat -> 0 < dcg X d (query s q) ->
  sdcg X d (d_jarvelin_2008 b) s < sdcg X d (d_jarvelin_2008 c) s /\ sdcg X d (d_jiang_2016 b)
  s < sdcg X d (d_jiang_2016 c) s.
Proof.
  intros N B F Q P; split.
  - apply sum_to_lt with q; [|lia|apply Rmult_lt_compat_r; [assumption|apply d_jarvelin_2008_base;
    [assumption|lia]]].
    intros i I; apply Rmult_le_compat_r; [apply dcg_nonneg, query_gains; assumption|];
    destruct (Nat.eq_dec i 1) as [->|].
    + rewrite !(fun x H => proj1 (DISC_2_L1 x H)) by lra; lra.
    + apply Rlt_le, d_jarvelin_2008_base; [assumption|lia].
  - apply sum_to_lt with q; [|lia|apply Rmult_lt_compat_r; [assumption|apply DISC_7_L3;
    [assumption|lia]]].
    intros i I; apply Rmult_le_compat_r; [apply dcg_nonneg, query_gains; assumption|];
    destruct (Nat.eq_dec i 1) as [->|].
    + rewrite !(fun x H => proj1 (DISC_7_L2 x H)) by lra; lra.
    + apply Rlt_le, DISC_7_L3; [assumption|lia].
Qed.
(** RS-SES-6/L4: exchanging the results of the queries p < q changes it by (D(p) - D(q))
    (DCG_q - DCG_p) *)
Theorem SES_6_L4 X d D a x b y c : let p := S (length a) in let q := (S (length a)
  + S (length b))%nat in
  sdcg X d D (a ++ y :: b ++ x :: c) - sdcg X d D (a ++ x :: b ++ y :: c) = (D p - D q)
  * (dcg X d y - dcg X d x).
Proof.
  intros p q; change (y :: b ++ x :: c) with ([y] ++ b ++ [x] ++ c);
  change (x :: b ++ y :: c) with ([x] ++ b ++ [y] ++ c).
  rewrite !sdcg_app, !sdcg_one; unfold shift; cbn [length].
  replace (length a + 1)%nat with p by (unfold p; lia);
  replace (length a + (1 + (length b + 1)))%nat with q by (unfold q; lia); ring.
Qed.
(** RS-SES-6/L4: ... so the better list earlier never lowers it *)
Corollary SES_6_L4_earlier X d D a x b y c : falls D -> dcg X d x <= dcg X d y ->
  sdcg X d D (a ++ x :: b ++ y :: c) <= sdcg X d D (a ++ y :: b ++ x :: c).
Proof.
  intros F L; pose proof (SES_6_L4 X d D a x b y c) as E; cbn zeta in E.
  pose proof (falls_le D (S (length a)) (S (length a) + S (length b)) F ltac:(lia)); nra.
Qed.
(** RS-SES-6/L5: two concatenated sessions have the sum without a discount of queries;
    with any other at most the sum *)
Theorem SES_6_L5 X d D a b : nonneg d -> falls D -> Forall (Forall (Rle 0)) b ->
  sdcg X d d_none (a ++ b) = sdcg X d d_none a + sdcg X d d_none b /\ sdcg X d D (a ++ b)
  <= sdcg X d D a + sdcg X d D b.
Proof.
  intros N F B; rewrite !sdcg_app; split; [reflexivity|]; apply Rplus_le_compat_l, sum_to_le;
  intros q Q.
  apply Rmult_le_compat_r; [apply dcg_nonneg, query_gains; assumption|]; unfold shift;
  apply falls_le; [assumption|lia].
Qed.
(** RS-SES-6/L6: appending a query that gains nothing does not change it;
    putting one before the others never raises it *)
Theorem SES_6_L6 X d D s n : nonneg d -> falls D -> Forall (Forall (Rle 0)) s ->
  sdcg X d D (s ++ [repeat 0 n]) = sdcg X d D s /\ sdcg X d D (repeat 0 n :: s) <= sdcg X d D s.
Proof.
  intros N F A; assert (dcg X d (repeat 0 n) = 0) as Z by (rewrite dcg_cut, whole_repeat; ring);
  split.
  - rewrite sdcg_app, sdcg_one, Z; ring.
  - destruct (SES_6_L5 X d D [repeat 0 n] s N F A) as [_ L]; rewrite sdcg_one, Z in L;
    change ([repeat 0 n] ++ s) with (repeat 0 n :: s) in L; lra.
Qed.
(** RS-SES-6/L7: it is linear in d and in D, and a factor of the gains is one of the value *)
Theorem SES_6_L7 X a b d e D E s : sdcg X d (fun q => a * D q + b * E q)
  s = a * sdcg X d D s + b * sdcg X d E s /\
  sdcg X (fun i => a * d i + b * e i) D s = a * sdcg X d D s + b * sdcg X e D s /\
  sdcg X d D (map (map (Rmult a)) s) = a * sdcg X d D s.
Proof.
  unfold sdcg; rewrite map_length, <- !sum_to_scale, <- !sum_to_plus; repeat split;
  apply sum_to_ext; intros q Q.
  - ring.
  - rewrite !dcg_sum, (sum_to_ext (fun i => at_rank (query s q) i * (a * d i + b * e i))
    (fun i => a * (at_rank (query s q) i * d i) + b * (at_rank (query s q) i * e i))) by (intros;
    ring).
    rewrite sum_to_plus, !sum_to_scale; ring.
  - assert (query (map (map (Rmult a)) s) q = map (Rmult a) (query s q)) as ->;
    [|rewrite dcg_scale; ring].
    unfold query; change (@nil R) with (map (Rmult a) []) at 1; apply map_nth.
Qed.
(** RS-SES-6/L7: the sum of two gains of the same results has the sum of the values *)
Theorem SES_6_L7_sum X d D (g h : R -> R) s : sdcg X d D (map (map (fun r => g r + h r)) s)
  = sdcg X d D (map (map g) s) + sdcg X d D (map (map h) s).
Proof.
  unfold sdcg; rewrite !map_length, <- sum_to_plus; apply sum_to_ext; intros q Q;
  rewrite <- Rmult_plus_distr_l; f_equal.
  assert (forall f : R -> R, query (map (map f) s) q = map f (query s q)) as E by (intro f;
  unfold query; change (@nil R) with (map f []) at 1; apply map_nth).
  rewrite !E, !dcg_cut; generalize (query s q) as l, (cut X d) as e; induction l as [|x l IH];
  intro e; [unfold whole; cbn; lra|].
  cbn [map]; rewrite !whole_cons, IH; ring.
Qed.
(** RS-SES-6/L9: it does not fall with X, where each result gains *)
Theorem SES_6_L9 X Y d D s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s -> (X <= Y)%nat ->
  sdcg X d D s <= sdcg Y d D s.
Proof.
  intros N M F L; apply sum_to_le; intros q Q; apply Rmult_le_compat_l; [apply M; lia|].
  apply dcg_more; [assumption|apply query_gains; assumption|assumption].
Qed.

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
(** RS-SES-10/L2 in part: with one query it is D(1) IDCG@L_1 *)
Theorem SES_10_L2 X c d D J r : isdcg X c d D J [r] = D 1%nat * idcg (ranks X c (length r)) d J.
Proof. rewrite SES_7_L1; cbn; ring. Qed.
(** RS-SES-10/L3 in part: adding an item to J, or raising a gain in it, never lowers it *)
Theorem SES_10_L3 X c d D J s x y : falls d -> nonneg d -> nonneg D -> 0 <= x <= y ->
  isdcg X c d D J s <= isdcg X c d D (x :: J) s /\ isdcg X c d D (x :: J)
  s <= isdcg X c d D (y :: J) s.
Proof.
  intros F N M L; rewrite !SES_7_L1; split; apply sum_to_le; intros q Q; (apply Rmult_le_compat_l;
  [apply M; lia|]);
    [apply DCG_5_L2|apply DCG_5_L2_raise]; assumption || lra.
Qed.
(** RS-SES-10/L4: with "repeated" it does not fall when c rises *)
Theorem SES_10_L4 X c c' d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J -> (c <= c')%nat ->
  isdcg X c d D J s <= isdcg X c' d D J s.
Proof.
  intros N M A L; rewrite !SES_7_L1; apply sum_to_le; intros q Q; apply Rmult_le_compat_l;
  [apply M; lia|].
  apply dcg_more; [assumption|apply ideal_nonneg; assumption|apply SES_4_L3; lia].
Qed.
(** RS-SES-10/L5 in part: appending a query never lowers it;
    with the padding 0 a query without results does not change it *)
Theorem SES_10_L5 X c d D J s r : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  isdcg X c d D J s <= isdcg X c d D J (s ++ [r]) /\ isdcg X 0 d D J (s ++ [[]])
  = isdcg X 0 d D J s.
Proof.
  intros N M A; unfold isdcg, ideal_session; rewrite !map_app, !sdcg_app; cbn [map];
  rewrite !sdcg_one; unfold shift; split.
  - assert (0 <= dcg X d (firstn (ranks X c (length r)) (ideal J)));
    [|pose proof (M (length (map (fun r => firstn (ranks X c (length r)) (ideal J)) s)
    + 1)%nat ltac:(lia)); nra].
    apply dcg_nonneg; [assumption|]; apply Forall_forall; intros x I;
    pose proof (ideal_nonneg J A) as B; rewrite Forall_forall in B.
    apply B; rewrite <- (firstn_skipn (ranks X c (length r)) (ideal J)); apply in_or_app; auto.
  - cbn [length]; unfold ranks; rewrite Nat.max_0_l, Nat.min_0_r; cbn [firstn]; unfold dcg; cbn;
    rewrite Nat.min_0_r; cbn; ring.
Qed.

(** * nsDCG *)

(** RS-SES-11: sDCG@X / IsDCG@X, and 0 where IsDCG@X = 0 *)
Definition nsdcg X c d D J s := quotient (sdcg X d D s) (isdcg X c d D J s).

(** RS-SES-11/L1: with "repeated", 0 <= nsDCG@X <= 1 where J covers each list *)
Theorem SES_11_L1 X c d D J s : falls d -> nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s ->
  0 <= nsdcg X c d D J s <= 1.
Proof. intros; apply quotient_range; split; [apply sdcg_nonneg|apply SES_7_L2]; assumption. Qed.

(** RS-SES-15: nDCG@X(q), over IDCG@L_q *)
Definition query_ndcg X c d J r := ndcg_by (ranks X c (length r)) X d r J.

(** RS-SES-11/L3: with the padding "X" it is the mean of the nDCG@X of the queries,
    weighted by D(q) *)
Theorem SES_11_L3 X d D J s : nonneg d -> Forall (Rle 0) J -> 0 < sum_to D (length s) ->
  nsdcg X X d D J s = sum_to (fun q => D q * query_ndcg X X d J (query s q)) (length s)
  / sum_to D (length s).
Proof.
  intros N A P; unfold nsdcg; rewrite SES_7_L1_X; set (W := sum_to D (length s)) in *;
  pose proof (idcg_nonneg X d J N A).
  rewrite (sum_to_ext (fun q => D q * query_ndcg X X d J (query s q))
  (fun q => D q * quotient (dcg X d (query s q)) (idcg X d J))).
  2: { intros q Q; unfold query_ndcg, ndcg_by; rewrite (proj1 (SES_4_L2 X X (length (query s q)))
  (Nat.le_refl X)); reflexivity. }
  unfold quotient; destruct (Rlt_dec 0 (idcg X d J)) as [I|I], (Rlt_dec 0 (idcg X d J * W))
  as [K|K]; try (exfalso; nra).
  - rewrite (sum_to_ext _ (fun q => / idcg X d J * (D q * dcg X d (query s q)))),
    sum_to_scale by (intros; unfold Rdiv; ring).
    unfold sdcg; field; lra.
  - rewrite sum_to_zero by (intros; ring); unfold Rdiv; ring.
Qed.
(** RS-SES-11/L4 in part: with one query, D(1) > 0 and IDCG@L_1 > 0 it is DCG@X / IDCG@L_1,
    and nDCG@X with the padding "X" *)
Theorem SES_11_L4 X c d D J r : 0 < D 1%nat -> 0 < idcg (ranks X c (length r)) d J ->
  nsdcg X c d D J [r] = dcg X d r / idcg (ranks X c (length r)) d J /\
  nsdcg X X d D J [r] = ndcg X d r J.
Proof.
  intros P I; unfold nsdcg; rewrite !SES_10_L2, !sdcg_one;
  rewrite (proj1 (SES_4_L2 X X (length r)) (Nat.le_refl X)); split; [|apply quotient_scale;
  assumption].
  unfold quotient; destruct (Rlt_dec _ _) as [_|Z]; [field; lra|exfalso;
  apply Z, Rmult_lt_0_compat; assumption].
Qed.
(** RS-SES-11/L6 in part: a query without results multiplies it, with the padding "X",
    by the sums of D before and after *)
Theorem SES_11_L6 X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J -> 0 < sum_to D (length s) ->
  nsdcg X X d D J (s ++ [[]]) = nsdcg X X d D J s * (sum_to D (length s) / sum_to D (S (length s))).
Proof.
  intros N M A P; unfold nsdcg; rewrite !SES_7_L1_X, app_length, sdcg_app, sdcg_one; cbn [length];
  rewrite Nat.add_1_r.
  assert (dcg X d [] = 0) as -> by (unfold dcg; rewrite Nat.min_0_r; reflexivity);
  rewrite Rmult_0_r, Rplus_0_r.
  pose proof (idcg_nonneg X d J N A); cbn [sum_to]; pose proof (M (S (length s)) ltac:(lia));
  set (W := sum_to D (length s)) in *.
  unfold quotient; destruct (Rlt_dec 0 (idcg X d J * W)),
  (Rlt_dec 0 (idcg X d J * (W + D (S (length s))))); try (exfalso; nra); [|ring].
  field; repeat split; nra.
Qed.
(** RS-SES-11/L6 in part: ... and with the padding 0 it does not change *)
Theorem SES_11_L6_unpadded X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  nsdcg X 0 d D J (s ++ [[]]) = nsdcg X 0 d D J s.
Proof.
  intros N M A; unfold nsdcg; destruct (SES_10_L5 X 0 d D J s [] N M A) as [_ ->];
  rewrite sdcg_app, sdcg_one; f_equal.
  unfold dcg; rewrite Nat.min_0_r; cbn; ring.
Qed.
(** RS-SES-11/L7 in part: it does not change when g, d or D is multiplied by a constant *)
Theorem SES_11_L7 a X c d D J s : 0 < a ->
  nsdcg X c d (fun q => a * D q) J s = nsdcg X c d D J s /\ nsdcg X c (fun i => a * d i)
  D J s = nsdcg X c d D J s /\
  nsdcg X c d D (map (Rmult a) J) (map (map (Rmult a)) s) = nsdcg X c d D J s.
Proof.
  intros P; assert (forall t, sdcg X d (fun q => a * D q) t = a * sdcg X d D t) as E1.
  { intro t; rewrite <- (Rplus_0_r (a * _)), <- (Rmult_0_l (sdcg X d D t));
    destruct (SES_6_L7 X a 0 d d D D t) as [<- _]; apply sdcg_ext; intros; ring. }
  assert (forall t, sdcg X (fun i => a * d i) D t = a * sdcg X d D t) as E2.
  { intro t; unfold sdcg; rewrite <- sum_to_scale; apply sum_to_ext; intros; rewrite dcg_scale_d;
    ring. }
  unfold nsdcg, isdcg; repeat split.
  - rewrite !E1; apply quotient_scale; assumption.
  - rewrite !E2; apply quotient_scale; assumption.
  - assert (ideal_session X c (map (Rmult a) J) (map (map (Rmult a)) s) = map (map (Rmult a))
    (ideal_session X c J s)) as ->.
    { unfold ideal_session; rewrite !map_map; apply map_ext; intro r;
      rewrite map_length, ideal_scale, firstn_map by assumption; reflexivity. }
    assert (forall t, sdcg X d D (map (map (Rmult a)) t) = a * sdcg X d D t) as E3 by (intro t;
    apply (SES_6_L7 X a a d d D D t)).
    rewrite !E3; apply quotient_scale; assumption.
Qed.
(** RS-SES-11/L9: two sessions with one ideal value above 0 stand in the same order by nsDCG@X and
    by sDCG@X *)
Theorem SES_11_L9 X c d D J s t : isdcg X c d D J s = isdcg X c d D J t -> 0 < isdcg X c d D J t ->
  (nsdcg X c d D J s < nsdcg X c d D J t <-> sdcg X d D s < sdcg X d D t).
Proof.
  intros E P; unfold nsdcg; rewrite E; unfold quotient; destruct (Rlt_dec _ _); [|contradiction];
  rewrite div_lt by assumption.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; reflexivity.
Qed.
(** RS-SES-11/L10: where J covers each list, IDCG@X > 0 and all D(q) > 0,
    it is 1 if and only if each query has nDCG@X = 1 *)
Theorem SES_11_L10 X d D J s : falls d -> nonneg d -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s -> 0 < idcg X d J ->
  (forall q, (1 <= q)%nat -> 0 < D q) -> s <> [] ->
  (nsdcg X X d D J s = 1 <-> forall q, (1 <= q <= length s)%nat -> ndcg X d (query s q) J = 1).
Proof.
  intros F N A C I P H; assert (nonneg D) as M by (intros q Q; apply Rlt_le, P; assumption).
  assert (0 < sum_to D (length s)).
  { apply Rlt_le_trans with (sum_to D 1); [cbn; specialize (P 1%nat ltac:(lia)); lra|].
    apply sum_to_more; [intro; apply M; lia|destruct s; [contradiction|cbn; lia]]. }
  assert (forall q, (1 <= q <= length s)%nat -> D q * dcg X d (query s q) <= D q * idcg X d J) as L.
  { intros q Q; apply Rmult_le_compat_l; [apply M; lia|]; apply dcg_covered;
    [assumption|assumption|apply query_gains; assumption|].
    rewrite Forall_forall in C; apply C, nth_In; lia. }
  assert (sum_to (fun q => D q * idcg X d J) (length s) = idcg X d J * sum_to D (length s)) as E.
  { rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. }
  unfold nsdcg; rewrite SES_7_L1_X; unfold quotient at 1; destruct (Rlt_dec _ _) as [_|Z];
  [|exfalso; apply Z, Rmult_lt_0_compat; assumption].
  rewrite div_eq, Rmult_1_l, <- E by nra; unfold ndcg, ndcg_by, quotient;
  destruct (Rlt_dec 0 (idcg X d J)); [|contradiction]; split.
  - intros Q q Hq; pose proof (sum_to_le_eq _ _ _ L Q q Hq) as Y; cbn beta in Y;
    rewrite div_eq, Rmult_1_l by lra.
    apply (Rmult_eq_reg_l (D q)); [assumption|specialize (P q ltac:(lia)); lra].
  - intros Q; apply sum_to_ext; intros q Hq; specialize (Q q Hq); rewrite div_eq in Q by lra;
    rewrite Q; ring.
Qed.

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
