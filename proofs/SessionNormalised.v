(* Normalised session DCG: spec/session.md, RS-SES-11. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Bool.
From Rankspec Require Import Numbers Gain Ties Dcg Session SessionIdeal.
Import ListNotations.
Open Scope R_scope.

(** * nsDCG *)

(** RS-SES-11: sDCG@X / IsDCG@X, and 0 where IsDCG@X = 0 *)
Definition nsdcg X c d D J s := quotient (sdcg X d D s) (isdcg X c d D J s).

(** RS-SES-11: nsDCG@X by the ideal "spread" *)
Definition nsdcg_spread X c d D J s := quotient (sdcg X d D s) (isdcg_spread X c d D J s).
(** RS-SES-11: nsDCG@X by the ideal "greatest" *)
Definition nsdcg_greatest X c d D J s := quotient (sdcg X d D s) (isdcg_greatest X c d D J s).


(** RS-SES-11/L1: with "repeated", 0 <= nsDCG@X <= 1 where J covers each list *)
Theorem SES_11_L1 X c d D J s : falls d -> nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  Forall (covers J) s ->
  0 <= nsdcg X c d D J s <= 1.
Proof. intros; apply quotient_range; split; [apply sdcg_nonneg|apply SES_7_L2]; assumption. Qed.

(** RS-SES-11/L1: ... J does so if it has all the results of the session, each document once,
    and no list shows a document twice *)
Theorem SES_11_L1_documents ids (g : nat -> R) J : (forall x, 0 <= g x) ->
  Forall (@NoDup nat) ids -> covers J (map g (nodup Nat.eq_dec (concat ids))) ->
  Forall (covers J) (map (map g) ids).
Proof.
  intros G N C; apply Forall_map, Forall_forall; intros r I; rewrite Forall_forall in N.
  destruct (nodup_part r (nodup Nat.eq_dec (concat ids))) as [rest P];
    [apply N, I|apply NoDup_nodup| |].
  - intros x X; apply nodup_In, in_concat; exists r; split; assumption.
  - apply covers_part with (map g rest); [apply Forall_map, Forall_forall; intros; apply G|].
    rewrite <- map_app; eapply covers_perm; [apply Permutation_map; exact P|exact C].
Qed.
(** RS-SES-11/L1: if a list does, nsDCG may be above 1: <a, a> with the pool <1> has 3/2 *)
Theorem SES_11_L1_twice : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  nsdcg 2 2 d D [1] (gains_of 2 1 [[7; 7]]%nat [[1; 1]]) = 3 / 2.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]]; rewrite d1 in d2; intros d D.
  fold d in d1, d2; fold D in D1; clearbody d D; assert (d 2%nat = 1 / 2) as d3 by lra.
  rewrite SES_2_L1; unfold nsdcg; rewrite sdcg_cut; assert (sdcg 2 d D [[1; 1]] = 3 / 2) as -> by
    (unfold sdcg, dcg, at_rank; cbn; rewrite d1, D1, d3; lra).
  assert (isdcg 2 2 d D [1] (map (firstn 2) [[1; 1]]) = 1) as -> by (unfold isdcg, sdcg, dcg,
    at_rank;
    cbn; rewrite d1, D1; lra); unfold quotient; destruct (Rlt_dec _ _); lra.
Qed.

(** Sessions with the same L_q have the same ideals. *)
Lemma isdcg_same_ranks X c d D J s t : length s = length t ->
  (forall q, (1 <= q <= length t)%nat -> ranks_of X c s q = ranks_of X c t q) ->
  isdcg X c d D J s = isdcg X c d D J t /\ isdcg_spread X c d D J s = isdcg_spread X c d D J t /\
  isdcg_greatest X c d D J s = isdcg_greatest X c d D J t.
Proof.
  intros E H; assert (places_in_session X c s = places_in_session X c t) as P.
  { unfold places_in_session; rewrite E; apply places_ext; assumption. }
  repeat split.
  - rewrite !SES_7_L1, E; apply sum_to_ext; intros q Q; specialize (H q Q); unfold ranks_of in H.
    rewrite H; reflexivity.
  - rewrite !isdcg_spread_value; fold (places_in_session X c s) (places_in_session X c t); rewrite
    P;
      reflexivity.
  - rewrite !isdcg_greatest_value; unfold weights; rewrite P; reflexivity.
Qed.
Lemma ranks_of_gains X c delta ids s q : (1 <= q <= length s)%nat ->
  ranks_of X c (gains_of X delta ids s) q = ranks_of X c s q.
Proof. intros Q; unfold ranks_of, ranks; rewrite gains_of_query_length by assumption; lia. Qed.
Lemma isdcg_of_gains X c d D J delta ids s : let t := gains_of X delta ids s in
  isdcg X c d D J t = isdcg X c d D J s /\ isdcg_spread X c d D J t = isdcg_spread X c d D J s /\
  isdcg_greatest X c d D J t = isdcg_greatest X c d D J s.
Proof. apply isdcg_same_ranks; [apply gains_of_length|apply ranks_of_gains]. Qed.

(** RS-SES-11/L1: ... for any repeats *)
Theorem SES_11_L1_repeats X c d D J delta ids s : falls d -> nonneg d -> nonneg D ->
  Forall (Forall (Rle 0)) s -> Forall (covers J) s -> 0 <= delta <= 1 ->
  0 <= nsdcg X c d D J (gains_of X delta ids s) <= 1.
Proof.
  intros F N M A C T; unfold nsdcg; destruct (isdcg_of_gains X c d D J delta ids s) as (-> & _).
  apply quotient_range; split; [apply sdcg_nonneg; auto; apply gains_of_nonneg; [lra|assumption]|].
  apply SES_7_L2_repeats; assumption.
Qed.

(** RS-SES-11/L2: with "greatest", 0 <= nsDCG@X <= 1 if J covers the session,
    and "first" holds or no document that is looked at is repeated ... *)
Theorem SES_11_L2 X c d D J delta ids (g : nat -> R) : nonneg d -> nonneg D -> (forall x, 0 <= g x)
  ->
  Forall (Rle 0) J -> covers J (map g (nodup Nat.eq_dec (concat ids))) ->
  delta = 0 \/ NoDup (looked_at X ids) ->
  0 <= nsdcg_greatest X c d D J (gains_of X delta ids (map (map g) ids)) <= 1.
Proof.
  intros N M G F C A; set (s := map (map g) ids); unfold nsdcg_greatest.
  destruct (isdcg_of_gains X c d D J delta ids s) as (_ & _ & ->); apply quotient_range.
  assert (sdcg X d D (gains_of X delta ids s) = sdcg X d D (gains_of X 0 ids s)) as ->.
  { destruct A as [->|A]; [reflexivity|]; f_equal; apply SES_2_L5; [apply same_form_map|exact A]. }
  split; [|apply SES_9_L2_first; assumption].
  apply sdcg_nonneg; [assumption|assumption|apply gains_of_nonneg; [lra|apply map_map_nonneg, G]].
Qed.
(** RS-SES-11/L2: ... it may be above 1 with "spread", and with "greatest" if a repeated document
    gains again *)
Theorem SES_11_L2_above :
  nsdcg_spread 2 2 (d_jarvelin_2008 2) (d_jarvelin_2008 4) [1; 1] [[1]; [1]] = 10 / 9 /\
  nsdcg_greatest 1 1 d_none d_none [1] (gains_of 1 1 [[7]; [7]]%nat [[1]; [1]]) = 2.
Proof.
  split; [apply SES_8_L4|]; unfold nsdcg_greatest; rewrite SES_2_L1; cbn [map firstn].
  rewrite greatest_two_places; unfold sdcg, dcg, d_none, at_rank; cbn; unfold quotient;
    destruct (Rlt_dec 0 1); lra.
Qed.

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
(** RS-SES-11/L3: so it lies between the nDCG@X of the worst query and that of the best;
    without a discount of queries it is their mean *)
Theorem SES_11_L3_between X d D J s lo hi : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  0 < sum_to D (length s) ->
  (forall q, (1 <= q <= length s)%nat -> lo <= query_ndcg X X d J (query s q) <= hi) ->
  lo <= nsdcg X X d D J s <= hi /\ nsdcg X X d d_none J s =
    sum_to (fun q => query_ndcg X X d J (query s q)) (length s) / INR (length s).
Proof.
  intros N M A P B; assert (0 < INR (length s)) as I by (apply lt_0_INR; destruct s; [cbn in P;
    lra|cbn;
    lia]); split.
  - rewrite SES_11_L3 by assumption; split; [apply le_div|apply div_le]; try assumption;
      rewrite <- sum_to_scale; apply sum_to_le; intros q Q; specialize (B q Q);
      pose proof (M q ltac:(lia)); nra.
  - rewrite SES_11_L3; unfold d_none; rewrite ?sum_to_const, ?Rmult_1_r; try assumption; f_equal.
    apply sum_to_ext; intros; ring.
Qed.

(** RS-SES-11/L4: with one query, D(1) > 0 and IDCG@L_1 > 0 it is DCG@X / IDCG@L_1, with any ideal;
    with the padding "X" that is nDCG@X *)
Theorem SES_11_L4 X c d D J r : falls d -> nonneg d -> nonneg D -> Forall (Rle 0) J ->
  0 < D 1%nat -> 0 < idcg (ranks X c (length r)) d J ->
  let V := dcg X d r / idcg (ranks X c (length r)) d J in
  nsdcg X c d D J [r] = V /\ nsdcg_spread X c d D J [r] = V /\ nsdcg_greatest X c d D J [r] = V /\
  (c = X -> V = ndcg X d r J).
Proof.
  intros F N M A P I V; unfold nsdcg, nsdcg_spread, nsdcg_greatest.
  destruct (SES_10_L2 X c d D J r F N M A) as (-> & -> & ->); rewrite sdcg_one, quotient_scale
    by assumption.
  assert (quotient (dcg X d r) (idcg (ranks X c (length r)) d J) = V) as E by (unfold quotient;
    destruct (Rlt_dec _ _); [reflexivity|contradiction]); repeat split; try exact E.
  intros ->; rewrite <- E; unfold ndcg, ndcg_by; rewrite (proj1 (SES_4_L2 X X (length r))
    (Nat.le_refl
    X)); reflexivity.
Qed.

(** Where the weights w rise against v, the mean of what does not fall rises. *)
Lemma weighted_means (x v w : nat -> R) n :
  (forall p q, (1 <= p <= q)%nat -> (q <= n)%nat -> x p <= x q /\ v q * w p <= v p * w q) ->
  sum_to (fun q => v q * x q) n * sum_to w n <= sum_to (fun q => w q * x q) n * sum_to v n.
Proof.
  induction n as [|n IH]; intros H; [cbn; lra|]; cbn [sum_to].
  specialize (IH (fun p q P Q => H p q P ltac:(lia))).
  set (a := sum_to (fun q => v q * x q) n) in *; set (b := sum_to (fun q => w q * x q) n) in *.
  set (V := sum_to v n) in *; set (W := sum_to w n) in *; set (y := x (S n)); set (vn := v (S n));
    set (wn := w (S n)).
  assert (a * wn + vn * y * W <= b * vn + wn * y * V) as K.
  { assert (0 <= sum_to (fun q => (y - x q) * (wn * v q - vn * w q)) n) as Z.
    { apply sum_to_nonneg; intros q Q; destruct (H q (S n) ltac:(lia) ltac:(lia)) as [h1 h2].
      fold y in h1; fold vn wn in h2; apply Rmult_le_pos; lra. }
    rewrite (sum_to_ext _ (fun q => (wn * y * v q + - (vn * y) * w q) + (vn * (w q * x q) +
      - wn * (v q * x q)))) in Z by (intros; ring).
    rewrite !sum_to_plus, !sum_to_scale in Z; fold a b V W in Z; lra. }
  nra.
Qed.
(** Against a smaller base, the weight of later queries rises. *)
Lemma base_moves_weight b c p q : 1 < b < c -> (1 <= p <= q)%nat ->
  d_jarvelin_2008 b q * d_jarvelin_2008 c p <= d_jarvelin_2008 b p * d_jarvelin_2008 c q /\
  d_jiang_2016 b q * d_jiang_2016 c p <= d_jiang_2016 b p * d_jiang_2016 c q.
Proof.
  intros B P; pose proof (rank_ge_1 p ltac:(lia)) as P1; assert (INR p <= INR q) as PQ by (apply
    le_INR;
    lia).
  pose proof (ln_pos b ltac:(lra)) as LB; pose proof (ln_increasing b c ltac:(lra) ltac:(lra)) as
    LC.
  assert (forall s t u v, 0 < s -> 0 < t -> 0 < u -> 0 < v -> s * t <= u * v ->
    1 / u * (1 / v) <= 1 / s * (1 / t)) as inv.
  { intros s t u v S T U V L; unfold Rdiv; rewrite !Rmult_1_l, <- !Rinv_mult.
    apply Rinv_le_contravar; [apply Rmult_lt_0_compat|]; assumption. }
  split.
  - unfold d_jarvelin_2008; assert (forall a r, 1 < a -> 1 <= r -> 0 < 1 + log a r) as pos.
    { intros a r A R1; pose proof (ln_pos a A); assert (0 <= ln r) by (destruct (Req_dec r 1) as
      [->|];
        [rewrite ln_1; lra|apply Rlt_le, ln_pos; lra]).
      pose proof (div_nonneg (ln r) (ln a) ltac:(assumption) ltac:(assumption)); unfold log; lra. }
    apply inv; try (apply pos; lra).
    assert (0 <= ln (INR p) <= ln (INR q)) as [L0 L1].
    { split; [destruct (Req_dec (INR p) 1) as [->|]; [rewrite ln_1; lra|apply Rlt_le, ln_pos;
      lra]|].
      destruct (Req_dec (INR p) (INR q)) as [->|]; [lra|apply Rlt_le, ln_increasing; lra]. }
    unfold log; set (u := ln (INR p)) in *; set (v := ln (INR q)) in *.
    assert (/ ln c <= / ln b) by (apply Rinv_le_contravar; lra); unfold Rdiv.
    assert (0 <= (v - u) * (/ ln b - / ln c)) by (apply Rmult_le_pos; lra); nra.
  - unfold d_jiang_2016; assert (forall a r, 1 < a -> 1 <= r -> 0 < log a (r + a - 1)) as pos.
    { intros a r A R1; apply Rdiv_lt_0_compat; apply ln_pos; lra. }
    apply inv; try (apply pos; lra); unfold log.
    set (x := INR p + b - 1); set (k := c - b); set (h := INR q - INR p).
    replace (INR q + b - 1) with (x + h) by (unfold x, h; ring).
    replace (INR p + c - 1) with (x + k) by (unfold x, k; ring).
    replace (INR q + c - 1) with (x + h + k) by (unfold x, h, k; ring).
    assert (1 < x) by (unfold x; lra); assert (0 < k) by (unfold k; lra); assert (0 <= h) by (unfold
      h;
      lra).
    assert (ln (x + h) = ln x + ln (1 + h / x)) as E1 by (rewrite <- ln_mult; [f_equal; field;
      lra|lra|
      pose proof (div_nonneg h x ltac:(lra) ltac:(lra)); lra]).
    assert (ln (x + h + k) = ln (x + k) + ln (1 + h / (x + k))) as E2 by (rewrite <- ln_mult;
      [f_equal;
      field; lra|lra|pose proof (div_nonneg h (x + k) ltac:(lra) ltac:(lra)); lra]).
    assert (ln x < ln (x + k)) by (apply ln_increasing; lra); pose proof (ln_pos x ltac:(lra)).
    assert (0 <= h / (x + k) <= h / x) as [Ha Hb].
    { split; [apply div_nonneg; lra|]; apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar;
      lra].
      }
    assert (0 <= ln (1 + h / (x + k)) <= ln (1 + h / x)) as [K0 K1].
    { split; [destruct (Req_dec (h / (x + k)) 0) as [->|]; [rewrite Rplus_0_r, ln_1; lra|apply
      Rlt_le,
        ln_pos; lra]|].
      destruct (Req_dec (h / (x + k)) (h / x)) as [->|]; [lra|apply Rlt_le, ln_increasing; lra]. }
    rewrite E1, E2; set (u := ln x) in *; set (v := ln (x + k)) in *; set (r := ln (1 + h / (x +
      k)))
      in *; set (s := ln (1 + h / x)) in *.
    replace (u / ln b * ((v + r) / ln c)) with (/ (ln b * ln c) * (u * (v + r))) by (field; lra).
    replace ((u + s) / ln b * (v / ln c)) with (/ (ln b * ln c) * ((u + s) * v)) by (field; lra).
    apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat; nra|nra].
Qed.
Lemma base_positive b n : 1 < b -> (1 <= n)%nat -> 0 < sum_to (d_jarvelin_2008 b) n /\
  0 < sum_to (d_jiang_2016 b) n.
Proof.
  intros B N; assert (forall D, D 1%nat = 1 /\ (forall i, (1 <= i)%nat -> 0 < D (S i) < D i) ->
    0 < sum_to D n) as H; [|split; apply H; [apply DISC_2_L1, B|apply DISC_7_L2, B]].
  intros D [D1 H]; apply Rlt_le_trans with (sum_to D 1); [cbn; lra|]; apply sum_to_more;
    [|assumption].
  intros [|i]; [lra|]; specialize (H (S i) ltac:(lia)); lra.
Qed.
Lemma weighted_quotients x v w n : 0 < sum_to v n -> 0 < sum_to w n ->
  (forall p q, (1 <= p <= q)%nat -> (q <= n)%nat -> x p <= x q /\ v q * w p <= v p * w q) ->
  sum_to (fun q => v q * x q) n / sum_to v n <= sum_to (fun q => w q * x q) n / sum_to w n.
Proof.
  intros V W H; pose proof (weighted_means x v w n H); apply div_le; [assumption|].
  unfold Rdiv; rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc; apply le_div; assumption.
Qed.
Lemma mean_by_base x b c n : 1 < b < c -> (1 <= n)%nat ->
  (forall p q, (1 <= p <= q)%nat -> (q <= n)%nat -> x p <= x q) ->
  let mean D := sum_to (fun q => D q * x q) n / sum_to D n in
  mean (d_jarvelin_2008 b) <= mean (d_jarvelin_2008 c) /\
  mean (d_jiang_2016 b) <= mean (d_jiang_2016 c).
Proof.
  intros B N H; destruct (base_positive b n ltac:(lra) N), (base_positive c n ltac:(lra) N).
  split; apply weighted_quotients; try assumption; intros p q P Q;
    (split; [apply H; assumption|apply base_moves_weight; assumption]).
Qed.
(** RS-SES-11/L5: if the nDCG of the queries does not fall from one to the next, nsDCG@X does not
    fall when the base of the discount of queries rises *)
Theorem SES_11_L5 X d b c J s : nonneg d -> Forall (Rle 0) J -> 1 < b < c ->
  let x q := query_ndcg X X d J (query s q) in
  (forall p q, (1 <= p <= q)%nat -> (q <= length s)%nat -> x p <= x q) ->
  nsdcg X X d (d_jarvelin_2008 b) J s <= nsdcg X X d (d_jarvelin_2008 c) J s /\
  nsdcg X X d (d_jiang_2016 b) J s <= nsdcg X X d (d_jiang_2016 c) J s.
Proof.
  intros N A B x H; destruct s as [|r s']; [unfold nsdcg, isdcg, ideal_session, sdcg; cbn; lra|].
  set (s := r :: s') in *; assert (1 <= length s)%nat as L by (cbn; lia).
  destruct (base_positive b (length s) ltac:(lra) L), (base_positive c (length s) ltac:(lra) L).
  rewrite !SES_11_L3 by assumption; apply (mean_by_base x); assumption.
Qed.
(** RS-SES-11/L5: ... if the nDCG of the queries does not rise, neither does nsDCG@X *)
Theorem SES_11_L5_falls X d b c J s : nonneg d -> Forall (Rle 0) J -> 1 < b < c ->
  let x q := query_ndcg X X d J (query s q) in
  (forall p q, (1 <= p <= q)%nat -> (q <= length s)%nat -> x q <= x p) ->
  nsdcg X X d (d_jarvelin_2008 c) J s <= nsdcg X X d (d_jarvelin_2008 b) J s /\
  nsdcg X X d (d_jiang_2016 c) J s <= nsdcg X X d (d_jiang_2016 b) J s.
Proof.
  intros N A B x H; destruct s as [|r s']; [unfold nsdcg, isdcg, ideal_session, sdcg; cbn; lra|].
  set (s := r :: s') in *; assert (1 <= length s)%nat as L by (cbn; lia).
  destruct (base_positive b (length s) ltac:(lra) L), (base_positive c (length s) ltac:(lra) L).
  assert (forall v n, sum_to (fun q => v q * - x q) n / sum_to v n = - (sum_to (fun q => v q * x q)
    n /
    sum_to v n)) as neg.
  { intros v n; rewrite (sum_to_ext _ (fun q => -1 * (v q * x q))), sum_to_scale by (intros; ring).
    unfold Rdiv; ring. }
  destruct (mean_by_base (fun q => - x q) b c (length s) B L) as [F G].
  { intros p q P Q; specialize (H p q P Q); lra. }
  rewrite !SES_11_L3 by assumption; rewrite !neg in F, G; split; apply Ropp_le_cancel; assumption.
Qed.

Lemma nsdcg_appended X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J -> 0 < sum_to D (length s)
  ->
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
(** RS-SES-11/L6: a query without results multiplies it, with the padding "X", by the sums of D
    before and after, if the divisor is above 0; so it falls, unless it was 0 or D(m + 1) = 0 *)
Theorem SES_11_L6 X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  let m := length s in let x := nsdcg X X d D J s in 0 < sum_to D (S m) ->
  nsdcg X X d D J (s ++ [[]]) = x * (sum_to D m / sum_to D (S m)) /\
  (0 < x -> 0 < D (S m) -> nsdcg X X d D J (s ++ [[]]) < x).
Proof.
  intros N M A m x P; assert (nsdcg X X d D J (s ++ [[]]) = x * (sum_to D m / sum_to D (S m))) as E.
  { destruct (Rlt_dec 0 (sum_to D m)) as [W|W]; [apply nsdcg_appended; assumption|].
    assert (0 <= sum_to D m) as W' by (apply sum_to_nonneg; intros q Q; apply M; lia).
    assert (sum_to D m = 0) as W0 by lra.
    assert (forall q, (1 <= q <= m)%nat -> D q = 0) as Z.
    { intros q Q; symmetry; apply (sum_to_le_eq (fun _ => 0) D m); [intros; apply M; lia|rewrite W0;
        apply sum_to_zero; reflexivity|assumption]. }
    rewrite W0; unfold nsdcg; rewrite sdcg_app, sdcg_one, dcg_nil.
    replace (sdcg X d D s) with 0; [unfold quotient; destruct (Rlt_dec _ _); unfold Rdiv; ring|].
    symmetry; apply sum_to_zero; intros q Q; rewrite Z by exact Q; ring. }
  split; [exact E|]; intros Y Z; rewrite E; apply Rlt_le_trans with (x * 1); [|lra].
  apply Rmult_lt_compat_l; [assumption|]; apply div_lt; [assumption|cbn; lra].
Qed.
(** RS-SES-11/L6: ... with the padding 0 it does not change, with any ideal *)
Theorem SES_11_L6_unpadded X d D J s : nonneg d -> nonneg D -> Forall (Rle 0) J ->
  nsdcg X 0 d D J (s ++ [[]]) = nsdcg X 0 d D J s /\
  nsdcg_spread X 0 d D J (s ++ [[]]) = nsdcg_spread X 0 d D J s /\
  nsdcg_greatest X 0 d D J (s ++ [[]]) = nsdcg_greatest X 0 d D J s.
Proof.
  intros N M A; unfold nsdcg, nsdcg_spread, nsdcg_greatest.
  destruct (SES_10_L5_empty X d D J s N M A) as (-> & -> & ->); rewrite sdcg_app, sdcg_one, dcg_nil.
  rewrite Rmult_0_r, Rplus_0_r; repeat split.
Qed.

Lemma sdcg_scale a X d D t : sdcg X (fun i => a * d i) D t = a * sdcg X d D t /\
  sdcg X d (fun q => a * D q) t = a * sdcg X d D t /\
  sdcg X d D (map (map (Rmult a)) t) = a * sdcg X d D t.
Proof.
  split; [|split].
  - unfold sdcg; rewrite <- sum_to_scale; apply sum_to_ext; intros; rewrite dcg_scale_d; ring.
  - unfold sdcg; rewrite <- sum_to_scale; apply sum_to_ext; intros; ring.
  - apply (SES_6_L7 X a a d d D D t).
Qed.
(** RS-SES-11/L7: it does not change when g, d or D is multiplied by a constant *)
Theorem SES_11_L7 a X c d D J s : 0 < a ->
  nsdcg X c (fun i => a * d i) D J s = nsdcg X c d D J s /\
  nsdcg X c d (fun q => a * D q) J s = nsdcg X c d D J s /\
  nsdcg X c d D (map (Rmult a) J) (map (map (Rmult a)) s) = nsdcg X c d D J s.
Proof.
  intros P; unfold nsdcg, isdcg; destruct (sdcg_scale a X d D s) as (-> & -> & ->).
  assert (ideal_session X c (map (Rmult a) J) (map (map (Rmult a)) s) = map (map (Rmult a))
    (ideal_session X c J s)) as ->.
  { unfold ideal_session; rewrite !map_map; apply map_ext; intro r;
    rewrite map_length, ideal_scale, firstn_map by assumption; reflexivity. }
  destruct (sdcg_scale a X d D (ideal_session X c J s)) as (-> & -> & ->).
  rewrite !quotient_scale by assumption; repeat split.
Qed.
Lemma scaled_weights a d D L m : map (weight (fun i => a * d i) D) (places L m) =
    map (Rmult a) (map (weight d D) (places L m)) /\
  map (weight d (fun q => a * D q)) (places L m) = map (Rmult a) (map (weight d D) (places L m)).
Proof. rewrite !map_map; split; apply map_ext; intro p; unfold weight; ring. Qed.
Lemma dcg_scaled_ranks a k W J : dcg k (at_rank (map (Rmult a) W)) J = a * dcg k (at_rank W) J.
Proof. rewrite !dcg_sum, <- sum_to_scale; apply sum_to_ext; intros; rewrite at_rank_scale; ring.
  Qed.
Lemma ranks_of_scale a X c s q : ranks_of X c (map (map (Rmult a)) s) q = ranks_of X c s q.
Proof. unfold ranks_of; rewrite query_map, map_length; reflexivity. Qed.
Lemma isdcg_others_scale a X c d D J s : 0 < a ->
  (isdcg_spread X c (fun i => a * d i) D J s = a * isdcg_spread X c d D J s /\
   isdcg_greatest X c (fun i => a * d i) D J s = a * isdcg_greatest X c d D J s) /\
  (isdcg_spread X c d (fun q => a * D q) J s = a * isdcg_spread X c d D J s /\
   isdcg_greatest X c d (fun q => a * D q) J s = a * isdcg_greatest X c d D J s) /\
  (isdcg_spread X c d D (map (Rmult a) J) (map (map (Rmult a)) s) = a * isdcg_spread X c d D J s /\
   isdcg_greatest X c d D (map (Rmult a) J) (map (map (Rmult a)) s) = a * isdcg_greatest X c d D J
     s).
Proof.
  intros P; pose proof (scaled_weights a d D (ranks_of X c s) (length s)) as [E1 E2].
  assert (isdcg_spread X c d D (map (Rmult a) J) (map (map (Rmult a)) s) = isdcg_spread X c d D (map
      (Rmult a) J) s /\ isdcg_greatest X c d D (map (Rmult a) J) (map (map (Rmult a)) s) =
      isdcg_greatest X c d D (map (Rmult a) J) s) as [-> ->].
  { apply isdcg_same_ranks; [apply map_length|intros; apply ranks_of_scale]. }
  rewrite !isdcg_spread_value, !isdcg_greatest_value; unfold weights, places_in_session.
  rewrite E1, E2, !ideal_scale, !map_length, !dcg_scaled_ranks, !dcg_scale by assumption.
  repeat split.
Qed.
(** RS-SES-11/L7: ... with any ideal *)
Theorem SES_11_L7_others a X c d D J s : 0 < a ->
  let same (V : (nat -> R) -> (nat -> R) -> list R -> list (list R) -> R) :=
    V (fun i => a * d i) D J s = V d D J s /\ V d (fun q => a * D q) J s = V d D J s /\
    V d D (map (Rmult a) J) (map (map (Rmult a)) s) = V d D J s in
  same (nsdcg_spread X c) /\ same (nsdcg_greatest X c).
Proof.
  intros P same; destruct (isdcg_others_scale a X c d D J s P) as ((e1 & e2) & (e3 & e4) & (e5 &
    e6)).
  destruct (sdcg_scale a X d D s) as (f1 & f2 & f3); unfold same, nsdcg_spread, nsdcg_greatest.
  rewrite e1, e2, e3, e4, e5, e6, f1, f2, f3, !quotient_scale by assumption; repeat split.
Qed.
(** RS-SES-11/L8: nsDCG@X by "repeated" is at most that by "greatest", which is at most that by
    "spread" *)
Theorem SES_11_L8 X c d D J s : falls d -> nonneg d -> nonneg D -> falls D -> Forall (Rle 0) J ->
  Forall (Forall (Rle 0)) s ->
  nsdcg X c d D J s <= nsdcg_greatest X c d D J s <= nsdcg_spread X c d D J s.
Proof.
  intros F N M G A B; pose proof (sdcg_nonneg X d D s N M B).
  destruct (SES_10_L1 X c d D J s F N M A) as [L1 L2].
  unfold nsdcg, nsdcg_greatest, nsdcg_spread, quotient.
  destruct (SES_10_L1_zero X c d D J s F N M G A) as [(P & Q & R1)|(-> & -> & ->)].
  - destruct (Rlt_dec _ _), (Rlt_dec _ _), (Rlt_dec _ _); try contradiction.
    split; apply Rmult_le_compat_l; try assumption; apply Rinv_le_contravar; assumption.
  - destruct (Rlt_dec 0 0); lra.
Qed.
Lemma quotients_order a b c : 0 < c -> (quotient a c < quotient b c <-> a < b).
Proof.
  intros C; unfold quotient; destruct (Rlt_dec 0 c); [|contradiction]; rewrite div_lt by assumption.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; reflexivity.
Qed.
(** RS-SES-11/L9: two sessions with the same pool and the same L_q, and IsDCG@X > 0, stand in the
    same order by nsDCG@X, with any ideal, and by sDCG@X *)
Theorem SES_11_L9 X c d D J s t : length s = length t ->
  (forall q, (1 <= q <= length t)%nat -> ranks_of X c s q = ranks_of X c t q) ->
  (0 < isdcg X c d D J t -> (nsdcg X c d D J s < nsdcg X c d D J t <-> sdcg X d D s < sdcg X d D t))
    /\
  (0 < isdcg_spread X c d D J t ->
    (nsdcg_spread X c d D J s < nsdcg_spread X c d D J t <-> sdcg X d D s < sdcg X d D t)) /\
  (0 < isdcg_greatest X c d D J t ->
    (nsdcg_greatest X c d D J s < nsdcg_greatest X c d D J t <-> sdcg X d D s < sdcg X d D t)).
Proof.
  intros E H; unfold nsdcg, nsdcg_spread, nsdcg_greatest.
  destruct (isdcg_same_ranks X c d D J s t E H) as (-> & -> & ->); repeat split; intros P;
    try (apply quotients_order; assumption); apply quotients_order in P; assumption.
Qed.
(** RS-SES-11/L9: with different numbers of queries they need not *)
Theorem SES_11_L9_not : let d := d_jarvelin_2008 2 in let D := d_jarvelin_2008 4 in
  sdcg 1 d D [[2]] = 2 /\ nsdcg 1 1 d D [2] [[2]] = 1 /\
  sdcg 1 d D [[2]; [1]] = 8 / 3 /\ nsdcg 1 1 d D [2] [[2]; [1]] = 4 / 5.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]]; rewrite D1 in D2; intros d D.
  fold d in d1; fold D in D1, D2; clearbody d D; assert (D 2%nat = 2 / 3) as D3 by lra.
  unfold nsdcg, isdcg, sdcg, dcg, at_rank; cbn; rewrite d1, D1, D3; unfold quotient;
    repeat (destruct (Rlt_dec _ _)); repeat split; lra.
Qed.

(** The gains t of a session of which J covers each list, by any repeats *)
Definition covered X J t := exists delta ids s, 0 <= delta <= 1 /\ Forall (Forall (Rle 0)) s /\
  Forall (covers J) s /\ t = gains_of X delta ids s.
Lemma gains_of_le X delta ids s q i : Forall (Forall (Rle 0)) s -> 0 <= delta <= 1 ->
  (1 <= q <= length s)%nat -> 0 <= at_rank (query (gains_of X delta ids s) q) i <= at_rank (query s
    q)
  i.
Proof.
  intros F T Q; pose proof (query_gains s q F) as A; pose proof (at_rank_nonneg (query s q) i A).
  assert (Forall (Forall (Rle 0)) (gains_of X delta ids s)) as B by (apply gains_of_nonneg; [lra|
    assumption]).
  pose proof (at_rank_nonneg _ i (query_gains _ q B)); split; [assumption|].
  destruct (Nat.eq_dec i 0) as [->|I0].
  - change (at_rank (query s q) 0) with (at_rank (query s q) 1) in *.
    change (at_rank (query (gains_of X delta ids s) q) 0) with (at_rank (query (gains_of X delta ids
      s)
      q) 1) in *; destruct (Nat.le_gt_cases 1 (Nat.min X (length (query s q)))) as [L|L].
    + rewrite gains_of_at by (assumption || lia); rewrite <- (Rmult_1_r (at_rank (query s q) 1)) at
      2.
      apply Rmult_le_compat_l; [assumption|]; rewrite <- (pow1 (appearance X ids q 1 - 1)).
      apply pow_incr; lra.
    + rewrite at_rank_beyond; [assumption|rewrite gains_of_query_length by assumption; lia].
  - destruct (Nat.le_gt_cases i (Nat.min X (length (query s q)))) as [L|L].
    + rewrite gains_of_at by (assumption || lia); rewrite <- (Rmult_1_r (at_rank (query s q) i)) at
      2.
      apply Rmult_le_compat_l; [assumption|]; rewrite <- (pow1 (appearance X ids q i - 1)).
      apply pow_incr; lra.
    + rewrite at_rank_beyond; [assumption|rewrite gains_of_query_length by assumption; lia].
Qed.
Lemma dcg_gains_le X k d delta ids s q : nonneg d -> Forall (Forall (Rle 0)) s -> 0 <= delta <= 1 ->
  (1 <= q <= length s)%nat ->
  dcg k d (query (gains_of X delta ids s) q) <= dcg k d (query s q).
Proof. intros N F T Q; apply dcg_pointwise; [assumption|]; intro i; apply gains_of_le; assumption.
  Qed.
(** At each rank the DCG of a query is at most that of the ideal ranking. *)
Definition within d J (s : list (list R)) := forall q i, (1 <= q <= length s)%nat ->
  dcg i d (query s q) <= idcg i d J.
Lemma covered_within X d J t : falls d -> nonneg d -> covered X J t ->
  Forall (Forall (Rle 0)) t /\ within d J t.
Proof.
  intros F N (delta & ids & s & T & A & C & ->); split; [apply gains_of_nonneg; [lra|assumption]|].
  intros q i Q; rewrite gains_of_length in Q; eapply Rle_trans; [apply dcg_gains_le; assumption|].
  apply dcg_covered; [assumption|assumption|apply query_gains; assumption|].
  rewrite Forall_forall in C; apply C, nth_In; lia.
Qed.
(** RS-SES-11/L10: where m >= 1, J covers each list, IDCG@X > 0 and all D(q) > 0, it is 1 if and
    only if each query has nDCG@X = 1; for any repeats *)
Theorem SES_11_L10 X d D J s : falls d -> nonneg d -> covered X J s -> 0 < idcg X d J ->
  (forall q, (1 <= q <= length s)%nat -> 0 < D q) -> s <> [] ->
  (nsdcg X X d D J s = 1 <->
    forall q, (1 <= q <= length s)%nat -> ndcg X d (query s q) J = 1).
Proof.
  intros F N C I P H; destruct (covered_within X d J s F N C) as [A W].
  assert (1 <= length s)%nat as L1 by (destruct s; [contradiction|cbn; lia]).
  assert (0 < sum_to D (length s)).
  { replace (length s) with (1 + (length s - 1))%nat by lia; rewrite sum_to_split; cbn [sum_to].
    assert (0 <= sum_to (shift 1 D) (length s - 1)); [|specialize (P 1%nat ltac:(lia)); lra].
    apply sum_to_nonneg; intros q Q; apply Rlt_le, P; lia. }
  assert (forall q, (1 <= q <= length s)%nat -> D q * dcg X d (query s q) <= D q * idcg X d J) as L.
  { intros q Q; apply Rmult_le_compat_l; [apply Rlt_le, P, Q|apply W, Q]. }
  assert (sum_to (fun q => D q * idcg X d J) (length s) = idcg X d J * sum_to D (length s)) as E.
  { rewrite <- sum_to_scale; apply sum_to_ext; intros; ring. }
  assert (forall r, ndcg X d r J = dcg X d r / idcg X d J) as K.
  { intro r; unfold ndcg, ndcg_by, quotient.
    destruct (Rlt_dec 0 (idcg X d J)); [reflexivity|contradiction]. }
  unfold nsdcg; rewrite SES_7_L1_X; unfold quotient at 1; destruct (Rlt_dec _ _) as [_|Z];
    [|exfalso; apply Z, Rmult_lt_0_compat; assumption].
  rewrite div_eq, Rmult_1_l, <- E by nra; split.
  - intros Q q Hq; pose proof (sum_to_le_eq _ _ _ L Q q Hq) as Y; cbn beta in Y;
      rewrite K, div_eq, Rmult_1_l by lra.
    apply (Rmult_eq_reg_l (D q)); [assumption|specialize (P q Hq); lra].
  - intros Q; apply sum_to_ext; intros q Hq; specialize (Q q Hq); rewrite K, div_eq in Q by lra;
      rewrite Q; ring.
Qed.
