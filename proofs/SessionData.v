(* Sessions as data, and their reports: spec/session.md, RS-SES-20 and RS-SES-22 to
   RS-SES-33. *)
Require Import Reals Lra Lia List Permutation Sorted Psatz Bool.
From Rankspec Require Import Numbers Gain Ties Dcg Session SessionIdeal SessionNormalised
  SessionQueries.
From Rankspec Require Numerics.
Import ListNotations.
Open Scope R_scope.

(** * Numbers of queries *)

(** RS-SES-20: the share of the sessions, of m_1, m_2, ... queries, that have a query q; 0 of none
  *)
Definition running (ms : list nat) q := INR (length (filter (Nat.leb q) ms)) / INR (length ms).
(** RS-SES-32: the number of sessions with exactly q queries *)
Definition sessions_with (ms : list nat) q := count_occ Nat.eq_dec ms q.

Lemma running_total ms q : INR (length (filter (Nat.leb q) ms)) = total (fun m => if (q <=? m)%nat
  then 1
  else 0) ms.
Proof. apply filter_length_total. Qed.
Lemma sessions_total ms q : INR (sessions_with ms q) = total (fun m => if (m =? q)%nat then 1 else
  0) ms.
Proof.
  induction ms as [|m ms IH]; [reflexivity|]; unfold sessions_with in *; cbn [count_occ total].
  destruct (Nat.eq_dec m q), (Nat.eqb_spec m q); try contradiction; rewrite ?S_INR, IH; ring.
Qed.
Lemma steps_total m k : (m <= k)%nat -> sum_to (fun q => if (q <=? m)%nat then 1 else 0) k = INR m.
Proof.
  intros L; rewrite (sum_to_beyond _ m), (sum_to_ext _ (fun _ => 1)), sum_to_const; [ring| |
    |assumption].
  - intros q Q; destruct (Nat.leb_spec q m); [reflexivity|lia].
  - intros q Q; cbn beta; destruct (Nat.leb_spec q m); [lia|reflexivity].
Qed.
(** RS-SES-20/L1: it does not rise with q, is 1 up to the least m_s, and 0 beyond the greatest *)
Theorem SES_20_L1 ms q p : ms <> [] -> (q <= p)%nat -> running ms p <= running ms q /\
  ((forall m, In m ms -> (q <= m)%nat) -> running ms q = 1) /\
  ((forall m, In m ms -> (m < q)%nat) -> running ms q = 0).
Proof.
  intros N L; apply length_pos in N; unfold running; rewrite !running_total; repeat split.
  - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|]; apply total_le; intros m
    _.
    destruct (Nat.leb_spec p m), (Nat.leb_spec q m); try lra; lia.
  - intros H; rewrite (total_ext _ (fun _ => 1)), total_const; [field; lra|]; intros m I.
    specialize (H m I); destruct (Nat.leb_spec q m); [reflexivity|lia].
  - intros H; rewrite (total_ext _ (fun _ => 0)), total_const; [field; lra|]; intros m I.
    specialize (H m I); destruct (Nat.leb_spec q m); [lia|reflexivity].
Qed.
(** RS-SES-20/L2: its sum over all q >= 1 is the mean number of queries: it is that up to each k
    that no number exceeds, and behind k it is 0 *)
Theorem SES_20_L2 ms k : ms <> [] -> (forall m, In m ms -> (m <= k)%nat) ->
  sum_to (running ms) k = mean INR ms /\ forall q, (k < q)%nat -> running ms q = 0.
Proof.
  intros N H; split.
  - rewrite (sum_to_ext _ (fun q => / INR (length ms) *
      total (fun m => if (q <=? m)%nat then 1 else 0) ms))
      by (intros; unfold running; rewrite running_total; unfold Rdiv; ring).
    rewrite sum_to_scale, <- total_sum_to; unfold mean, Rdiv; rewrite Rmult_comm; f_equal.
    apply total_ext; intros m I; apply steps_total, H, I.
  - intros q Q; apply (SES_20_L1 ms q q N (Nat.le_refl q)); intros m I; specialize (H m I); lia.
Qed.
(** RS-SES-20/L3: running(q) - running(q + 1) is the share of sessions with exactly q queries *)
Theorem SES_20_L3 ms q : running ms q - running ms (S q) = INR (sessions_with ms q) / INR (length
  ms).
Proof.
  unfold running; rewrite !running_total, sessions_total; unfold Rdiv.
  rewrite <- Rmult_minus_distr_r; f_equal; induction ms as [|m ms IH]; cbn [total]; [ring|].
  rewrite <- IH; destruct (Nat.leb_spec q m), (Nat.leb_spec (S q) m), (Nat.eqb_spec m q); try lia;
    ring.
Qed.
(** RS-SES-32/L1: the sessions(q) sum to N, and q sessions(q) to the number of all queries *)
Theorem SES_32_L1 ms : let all := nodup Nat.eq_dec ms in
  total (fun q => INR (sessions_with ms q)) all = INR (length ms) /\
  total (fun q => INR q * INR (sessions_with ms q)) all = total INR ms.
Proof.
  intro all; assert (forall f : nat -> R, total f ms = total (fun q => f q * INR (sessions_with ms
    q)) all)
    as H.
  { intro f; rewrite (total_by_document (fun m => m) f ms all); [|apply NoDup_nodup|].
    - apply total_ext; intros q _; rewrite sessions_total; clear all; induction ms as [|m ms IH];
        cbn [filter total]; [ring|]; destruct (Nat.eqb_spec m q); cbn [total]; rewrite IH; subst;
        ring.
    - rewrite map_id; intros q Q; apply nodup_In; assumption. }
  split; [|symmetry; apply H].
  rewrite <- (Rmult_1_r (INR (length ms))), <- total_const, (H (fun _ => 1)); apply total_ext;
    intros; ring.
Qed.
(** RS-SES-32/L2: sessions(q) = N (running(q) - running(q + 1)) *)
Theorem SES_32_L2 ms q :
  INR (sessions_with ms q) = INR (length ms) * (running ms q - running ms (S q)).
Proof.
  rewrite SES_20_L3; destruct ms as [|m ms]; [cbn; ring|].
  assert (0 < INR (length (m :: ms))) by (apply length_pos; discriminate); field; lra.
Qed.

(** * Sessions as flat lists *)

(** x[a : b] *)
Definition slice {A} (x : list A) a b := firstn (b - a) (skipn a x).
(** RS-SES-22: session s of a flat list x with the offsets o of queries and b of sessions *)
Definition flat_session {A} (x : list A) (o b : list nat) s :=
  map (fun a => slice x (nth a o 0) (nth (a + 1) o 0))%nat
    (seq (nth s b 0) (nth (s + 1) b 0 - nth s b 0))%nat.
(** Where the lists of l begin in their concatenation, and where the last ends *)
Definition offsets {A} (l : list (list A)) :=
  map (fun k => length (concat (firstn k l))) (seq 0 (S (length l))).

Lemma offsets_at {A} (l : list (list A)) k : (k <= length l)%nat ->
  nth k (offsets l) 0%nat = length (concat (firstn k l)).
Proof.
  intros K; unfold offsets; rewrite (nth_indep _ 0%nat (length (concat (firstn 0 l)))) by (rewrite
    map_length, seq_length; lia).
  rewrite (map_nth (fun k => length (concat (firstn k l)))), seq_nth by lia; reflexivity.
Qed.
Lemma slice_of_offsets {A} (l : list (list A)) k : (k < length l)%nat ->
  slice (concat l) (nth k (offsets l) 0%nat) (nth (k + 1) (offsets l) 0%nat) = nth k l [].
Proof.
  intros K; rewrite !offsets_at, Nat.add_1_r by lia; unfold slice; revert k K.
  induction l as [|r l IH]; intros [|k] K; cbn [length] in K; try lia; cbn [firstn concat nth].
  - cbn [length skipn]; rewrite Nat.sub_0_r, app_nil_r, firstn_app, Nat.sub_diag, firstn_all.
    apply app_nil_r.
  - rewrite !app_length, skipn_app, skipn_all2, <- (IH k) by lia; cbn [app firstn concat].
    f_equal; [rewrite ?app_length; lia|f_equal; lia].
Qed.
Lemma map_nth_slice {A} (l : list A) d p n : (p + n <= length l)%nat ->
  map (fun a => nth a l d) (seq p n) = slice l p (p + n).
Proof.
  intros L; unfold slice; replace (p + n - p)%nat with n by lia; revert p L; induction n as [|n IH];
    intros p L; [reflexivity|]; cbn [seq map]; rewrite IH by lia.
  clear IH; revert l L; induction p as [|p IHp]; intros [|x l] L; cbn in *; try lia; [reflexivity|].
  apply IHp; lia.
Qed.
(** RS-SES-22/L1 in part: sessions as a flat list with offsets are the sessions *)
Theorem SES_22_L1 {A} (S : list (list (list A))) s : (s < length S)%nat ->
  flat_session (concat (concat S)) (offsets (concat S)) (offsets S) s = nth s S [].
Proof.
  intros H; rewrite <- (slice_of_offsets S s H) at 1; unfold flat_session.
  set (p := nth s (offsets S) 0%nat); set (q := nth (s + 1) (offsets S) 0%nat).
  assert (p <= q <= length (concat S))%nat as B.
  { unfold p, q; rewrite !offsets_at by lia; split.
    - rewrite Nat.add_1_r, (firstn_next S s []), concat_app, app_length by assumption; lia.
    - rewrite <- (firstn_skipn (s + 1) S) at 2; rewrite concat_app, app_length; lia. }
  replace q with (p + (q - p))%nat at 2 by lia; rewrite <- (map_nth_slice _ []) by lia.
  apply map_ext_in; intros a I; apply in_seq in I; apply slice_of_offsets; lia.
Qed.

(** * The pool of a session *)

(** RS-SES-23: the pool of the judged documents, with the gains g of their labels *)
Definition pool_judged (g : nat -> R) (judged : list nat) := map g judged.
(** RS-SES-23: the pool of the documents that the session shows, each once *)
Definition pool_retrieved (g : nat -> R) (ids : list (list nat)) :=
  map g (nodup Nat.eq_dec (concat ids)).

Lemma positive_of_gains (g : nat -> R) l : positive (map g (filter (fun x => if Rlt_dec 0 (g x) then
  true
  else false) l)) = positive (map g l).
Proof.
  induction l as [|x l IH]; [reflexivity|]; unfold positive in *; cbn [filter map].
  destruct (Rlt_dec 0 (g x)) as [P|P]; [|exact IH]; cbn [map filter]; destruct (Rlt_dec 0 (g x));
    [rewrite IH; reflexivity|contradiction].
Qed.
(** RS-SES-23/L1: the pool of what is shown covers the session; so does that of all judged
  documents,
    if g(0) = 0, where a document without a judgment has no gain, or all results are judged *)
Theorem SES_23_L1 (g : nat -> R) judged ids : (forall x, 0 <= g x) -> NoDup judged ->
  let session := map g (nodup Nat.eq_dec (concat ids)) in covers (pool_retrieved g ids) session /\
  ((forall x, ~ In x judged -> g x = 0) \/ incl (concat ids) judged ->
    covers (pool_judged g judged) session).
Proof.
  intros G N session; split.
  - apply covers_own with []; [apply Forall_map, Forall_forall; intros; apply G|rewrite app_nil_r;
      reflexivity].
  - intros H; set (keep := fun x => if Rlt_dec 0 (g x) then true else false).
    apply covers_positive with (map g (filter keep (nodup Nat.eq_dec (concat ids))));
      [apply positive_of_gains|].
    destruct (nodup_part (filter keep (nodup Nat.eq_dec (concat ids))) judged) as [rest P];
      [apply NoDup_filter, NoDup_nodup|assumption| |].
    + intros x I; apply filter_In in I; destruct I as [I K]; unfold keep in K; destruct (Rlt_dec 0
      (g x))
        as [K'|]; [|discriminate]; apply nodup_In in I; destruct H as [H|H]; [|apply H, I].
      destruct (in_dec Nat.eq_dec x judged) as [J|J]; [assumption|rewrite (H x J) in K'; lra].
    + apply covers_own with (map g rest); [apply Forall_map, Forall_forall; intros; apply G|].
      unfold pool_judged; rewrite <- map_app; apply Permutation_map; assumption.
Qed.
Lemma put_zero l i : StronglySorted Rge l -> Forall (Rle 0) l -> at_rank (put 0 l) i = at_rank l i.
Proof.
  intros T F; unfold at_rank; generalize (i - 1)%nat; clear i; induction T as [|y l T IH A]; intro
    i;
    inversion F as [|? ? Y F']; subst; [destruct i as [|[|i]]; reflexivity|].
  cbn; destruct (Rle_dec y 0) as [L|L].
  - assert (Forall (eq 0) (y :: l)) as Z by (constructor; [lra|]; apply Forall_forall; intros x X;
      rewrite Forall_forall in A, F'; specialize (A x X); specialize (F' x X); lra).
    assert (forall n, nth n (y :: l) 0 = 0) as Z0 by (intro n; destruct (nth_in_or_default n (y ::
      l)
      0) as [I|I]; [rewrite Forall_forall in Z; symmetry; apply Z, I|exact I]).
    change (nth i (0 :: y :: l) 0 = nth i (y :: l) 0); rewrite Z0; destruct i; [reflexivity|apply
      Z0].
  - destruct i; [reflexivity|apply IH, F'].
Qed.
Lemma ideal_positive r i : Forall (Rle 0) r -> at_rank (ideal (positive r)) i = at_rank (ideal r) i.
Proof.
  intros F; assert (forall zeros K, Forall (eq 0) zeros -> Forall (Rle 0) K ->
    at_rank (ideal (zeros ++ K)) i = at_rank (ideal K) i) as H.
  { intros zeros K Z; induction Z as [|z zeros E Z IH]; intros FK; [reflexivity|]; subst z.
    change (ideal ((0 :: zeros) ++ K)) with (put 0 (ideal (zeros ++ K))).
    rewrite put_zero; [apply IH, FK|apply ideal_falls|].
    apply ideal_nonneg, Forall_app; split; [eapply Forall_impl; [|exact Z]; cbn; intros; lra|exact
      FK]. }
  set (zeros := filter (fun x => negb (if Rlt_dec 0 x then true else false)) r).
  assert (Permutation r (zeros ++ positive r)) as P.
  { unfold zeros; clear; induction r as [|x r IH]; [constructor|]; unfold positive in *; cbn
    [filter].
    destruct (Rlt_dec 0 x); cbn [negb app]; [apply Permutation_cons_app; exact IH|apply perm_skip;
      exact
      IH]. }
  assert (ideal r = ideal (zeros ++ positive r)) as -> by (apply best_of_perm, P); symmetry; apply
    H.
  - apply Forall_forall; intros x X; apply filter_In in X; destruct X as [X Y]; destruct (Rlt_dec 0
    x);
      [discriminate|]; rewrite Forall_forall in F; specialize (F x X); lra.
  - apply Forall_forall; intros x X; apply filter_In in X; rewrite Forall_forall in F; apply F, X.
Qed.
Lemma ideal_covered J r i : Forall (Rle 0) r -> covers J r -> at_rank (ideal r) i <= at_rank (ideal
  J) i.
Proof.
  intros F (rest & R0 & P); rewrite <- ideal_positive by assumption.
  assert (ideal J = ideal (rest ++ positive r)) as -> by (apply best_of_perm; rewrite P; apply
    Permutation_app_comm).
  assert (Forall (Rle 0) (positive r)) as FP by (apply Forall_forall; intros x X; apply filter_In in
    X;
    rewrite Forall_forall in F; apply F, X).
  clear P; induction R0 as [|x rest X R0 IH]; [apply Rle_refl|]; eapply Rle_trans; [apply IH|]; cbn
    [app].
  apply ideal_add; [assumption|apply Forall_app; split; assumption].
Qed.

(** RS-SES-23/L2: with g(0) = 0 and a cut-off, nsDCG@X by "retrieved" is at least that by "judged",
    with any ideal *)
Theorem SES_23_L2 X c d D (g : nat -> R) judged delta ids : falls d -> nonneg d -> falls D -> nonneg
  D ->
  (forall x, 0 <= g x) -> (forall x, ~ In x judged -> g x = 0) -> NoDup judged ->
  Forall (@NoDup nat) ids -> 0 <= delta <= 1 ->
  let s := gains_of X delta ids (map (map g) ids) in let J := pool_judged g judged in
  let K := pool_retrieved g ids in
  nsdcg X c d D J s <= nsdcg X c d D K s /\ nsdcg_spread X c d D J s <= nsdcg_spread X c d D K s /\
  nsdcg_greatest X c d D J s <= nsdcg_greatest X c d D K s.
Proof.
  intros F N G M g0 gz U W T s J K.
  assert (Forall (Rle 0) J) as FJ by (apply Forall_map, Forall_forall; intros; apply g0).
  assert (Forall (Rle 0) K) as FK by (apply Forall_map, Forall_forall; intros; apply g0).
  pose proof (map_map_nonneg g ids g0) as FS.
  assert (forall i, at_rank (ideal K) i <= at_rank (ideal J) i) as P.
  { intro i; apply ideal_covered; [assumption|]; apply (SES_23_L1 g judged ids g0 U); left;
    assumption. }
  assert (0 <= sdcg X d D s <= isdcg X c d D K s) as [S0 S1].
  { split; [apply sdcg_nonneg; [assumption|assumption|apply gains_of_nonneg; [lra|assumption]]|].
    unfold s; destruct (isdcg_of_gains X c d D K delta ids (map (map g) ids)) as (-> & _).
    apply SES_7_L2_repeats; try assumption; apply SES_11_L1_documents; try assumption.
    apply covers_own with []; [exact FK|rewrite app_nil_r; apply Permutation_refl]. }
  destruct (isdcg_pointwise X c d D K J s N M P) as (L1 & L2 & L3).
  unfold nsdcg, nsdcg_spread, nsdcg_greatest.
  destruct (SES_10_L1_zero X c d D K s F N M G FK) as [(Z1 & Z2 & Z3)|(Z1 & Z2 & Z3)].
  - assert (forall a b, 0 < a <= b -> quotient (sdcg X d D s) b <= quotient (sdcg X d D s) a) as Q.
    { intros a b B; unfold quotient; destruct (Rlt_dec 0 a), (Rlt_dec 0 b); try lra.
      apply Rmult_le_compat_l; [assumption|apply Rinv_le_contravar; lra]. }
    repeat split; apply Q; lra.
  - replace (sdcg X d D s) with 0 by lra; unfold quotient; repeat split; repeat destruct (Rlt_dec _
    _);
      unfold Rdiv; lra.
Qed.
(** RS-SES-23: the pool of a call that names none: the documents of the session, each once, if there
    are ids, and otherwise each result *)
Definition own_pool (ids : option (list (list nat))) (g : nat -> R) s :=
  match ids with Some ids => pool_retrieved g ids | None => concat s end.
(** RS-SES-23/L3: with ids it is the pool "retrieved"; without, that of a session that repeats no
    document *)
Theorem SES_23_L3 (g : nat -> R) ids : let s := map (map g) ids in
  own_pool (Some ids) g s = pool_retrieved g ids /\
  (NoDup (concat ids) -> own_pool None g s = pool_retrieved g ids).
Proof.
  intro s; split; [reflexivity|]; intros N; unfold own_pool, pool_retrieved, s.
  rewrite nodup_fixed_point by assumption; symmetry; apply concat_map.
Qed.
(** RS-SES-23/L4: the order of the judgments does not matter *)
Theorem SES_23_L4 X c d D (g : nat -> R) judged judged' s : Permutation judged judged' ->
  let J := pool_judged g judged in let K := pool_judged g judged' in
  nsdcg X c d D J s = nsdcg X c d D K s /\ nsdcg_spread X c d D J s = nsdcg_spread X c d D K s /\
  nsdcg_greatest X c d D J s = nsdcg_greatest X c d D K s.
Proof.
  intros P J K; assert (Permutation J K) as Q by (apply Permutation_map, P).
  unfold nsdcg, nsdcg_spread, nsdcg_greatest; destruct (isdcg_perm X c d D J K s Q) as (-> & -> &
    ->).
  repeat split.
Qed.

(** * Last and other queries *)

(** RS-SES-3: the vector of query q *)
Definition query_vector X d (D : nat -> R) s q :=
  map (fun i => query_sdcg d D q (query s q) i) (seq 1 (Nat.min X (length (query s q)))).
(** The queries (s, q) of sessions: all, the last, and the others *)
Definition all_queries (S : list (list (list R))) := flat_map (fun s => map (pair s) (seq 1 (length
  s))) S.
Definition last_queries (S : list (list (list R))) := map (fun s => (s, length s)) (filter (fun s =>
  (1 <=? length s)%nat) S).
Definition other_queries (S : list (list (list R))) :=
  flat_map (fun s => map (pair s) (seq 1 (length s - 1))) S.
(** RS-SES-24: the mean of the vectors of some queries, held to X ranks; 0 without a query *)
Definition average_of_queries X d D (Q : list (list (list R) * nat)) i :=
  mean (fun e => at_rank (held (query_vector X d D (fst e) (snd e)) X) i) Q.

Lemma held_query X d D s q i : (1 <= i <= X)%nat -> at_rank (held (query_vector X d D s q) X) i =
  query_sdcg d D q (query s q) i.
Proof.
  intros I; rewrite held_at by assumption; unfold query_vector at 2; rewrite map_length, seq_length.
  set (n := length (query s q)); destruct (Nat.eq_dec (Nat.min X n) 0) as [Z|Z].
  - unfold query_vector; fold n; rewrite Z, Nat.min_0_r; unfold query_sdcg, dcg; fold n.
    replace (Nat.min i n) with 0%nat by lia; cbn; ring.
  - unfold query_vector; fold n; rewrite (at_rank_map_seq (fun i => query_sdcg d D q (query s q) i))
    by lia.
    unfold query_sdcg, dcg; fold n; do 2 f_equal; lia.
Qed.
(** RS-SES-24/L1: if each of the N sessions has a query, the average of all M queries is N/M times
  that
    of the last plus (M - N)/M times that of the others *)
Theorem SES_24_L1 X d D S i : S <> [] -> (forall s, In s S -> s <> []) ->
  let a Q := average_of_queries X d D Q i in let M := INR (length (all_queries S)) in
  let N := INR (length S) in
  INR (length (last_queries S)) = N /\ INR (length (other_queries S)) = M - N /\
  a (all_queries S) = N / M * a (last_queries S) + (M - N) / M * a (other_queries S).
Proof.
  intros E H a M N.
  assert (last_queries S = map (fun s => (s, length s)) S) as EL.
  { unfold last_queries; f_equal; clear - H; induction S as [|s S IH]; [reflexivity|]; cbn [filter].
    assert ((1 <=? length s)%nat = true) as -> by (apply Nat.leb_le; specialize (H s (or_introl
      eq_refl)); destruct s; [congruence|cbn; lia]).
    rewrite IH by (intros t I; apply H; right; assumption); reflexivity. }
  assert (forall f, total f (all_queries S) = total f (last_queries S) + total f (other_queries S))
    as T.
  { intro f; rewrite EL; unfold all_queries, other_queries; rewrite !total_flat_map, total_map,
      <- total_plus; apply total_ext; intros s I; rewrite !total_map, !total_seq; specialize (H s
        I).
    destruct s as [|r s]; [congruence|]; cbn [length sum_to]; rewrite Nat.sub_succ, Nat.sub_0_r;
      ring. }
  assert (INR (length (last_queries S)) = N) as L1 by (rewrite EL, map_length; reflexivity).
  assert (INR (length (other_queries S)) = M - N) as L2.
  { pose proof (T (fun _ => 1)) as K; rewrite !total_const, !Rmult_1_r in K; fold M in K; lra. }
  pose proof (length_pos S E) as NP; fold N in NP; pose proof (pos_INR (length (other_queries S))).
  repeat split; [exact L1|exact L2|]; unfold a, average_of_queries, mean; rewrite T, L1, L2; fold M.
  destruct (Req_dec (M - N) 0) as [Z|Z].
  - assert (other_queries S = []) as ->; [|cbn [total]; rewrite Z; unfold Rdiv; rewrite
      !Rmult_0_l, Rplus_0_r; field; split; lra].
    apply length_zero_iff_nil, INR_eq; rewrite L2; exact Z.
  - field; repeat split; lra.
Qed.
(** RS-SES-24/L2: it does not fall with i *)
Theorem SES_24_L2 X d D Q i : nonneg d -> nonneg D -> (forall e, In e Q -> (1 <= snd e)%nat /\
  Forall (Forall (Rle 0)) (fst e)) -> (1 <= i < X)%nat ->
  average_of_queries X d D Q i <= average_of_queries X d D Q (S i).
Proof.
  intros N M H I; apply mean_le; intros e E; destruct (H e E) as [L F]; rewrite !held_query by lia.
  apply Rmult_le_compat_l; [apply M, L|apply dcg_more; [assumption|apply query_gains, F|lia]].
Qed.
(** RS-SES-24/L3: with "every", a greater X does not change the components up to the smaller one *)
Theorem SES_24_L3 X Y d D Q i : (1 <= i <= X)%nat -> (X <= Y)%nat ->
  average_of_queries X d D Q i = average_of_queries Y d D Q i.
Proof. intros I L; apply mean_ext; intros e _; rewrite !held_query by lia; reflexivity. Qed.

(** * nDCG of means *)

(** RS-SES-25: the mean gain of the ranks of a query, weighted by their discounts, divided by that
  of
    the ideal list; 0 where IDCG@X = 0 or d(1) + ... + d(L_q) = 0 *)
Definition ndcg_of_means X c d J r :=
  quotient (quotient (dcg X d r) (sum_to d (ranks X c (length r))))
    (quotient (idcg X d J) (sum_to d (ranks X c (length J)))).

Lemma no_weight X d r : nonneg d -> Forall (Rle 0) r -> ~ 0 < sum_to d X -> dcg X d r = 0.
Proof.
  intros N F Z; assert (forall i, (1 <= i <= X)%nat -> d i = 0) as D0.
  { intros i I; symmetry; apply (sum_to_le_eq (fun _ => 0) d X); [intros; apply N; lia|
    |assumption].
    pose proof (sum_to_nonneg d X ltac:(intros; apply N; lia)); rewrite sum_to_zero by reflexivity;
      lra. }
  rewrite dcg_sum; apply sum_to_zero; intros i I; rewrite D0 by assumption; ring.
Qed.
(** RS-SES-25/L1: with the padding "X" it is that of RS-SES-15 *)
Theorem SES_25_L1 X d J r : nonneg d -> Forall (Rle 0) J -> Forall (Rle 0) r ->
  ndcg_of_means X X d J r = query_ndcg X X d J r.
Proof.
  intros N A B; unfold ndcg_of_means, query_ndcg, ndcg_by.
  rewrite !(fun n => proj1 (SES_4_L2 X X n) (Nat.le_refl X)); set (w := sum_to d X).
  destruct (Rlt_dec 0 w) as [W|W].
  - unfold quotient at 2 3; destruct (Rlt_dec 0 w); [|contradiction]; unfold Rdiv.
    rewrite (Rmult_comm (dcg X d r)), (Rmult_comm (idcg X d J)); apply quotient_scale.
    apply Rinv_0_lt_compat, W.
  - unfold idcg; rewrite !(no_weight X d) by (auto using ideal_nonneg); unfold quotient.
    repeat destruct (Rlt_dec _ _); unfold Rdiv; lra.
Qed.
Lemma mean_gain_falls d J l m : nonneg d -> Forall (Rle 0) J -> (l <= m)%nat ->
  idcg m d J * sum_to d l <= idcg l d J * sum_to d m.
Proof.
  intros N A L; replace m with (l + (m - l))%nat by lia; generalize (m - l)%nat as k; intro k.
  destruct (Nat.eq_dec l 0) as [->|P]; [unfold idcg, dcg; cbn; lra|].
  pose proof (ideal_rank_falls J A) as F; set (g := at_rank (ideal J)) in *.
  unfold idcg; rewrite !dcg_sum; fold g; rewrite !sum_to_split.
  set (a := sum_to (fun i => g i * d i) l); set (b := sum_to (shift l (fun i => g i * d i)) k).
  set (w := sum_to d l); set (v := sum_to (shift l d) k).
  assert (0 <= g l) as G0 by (apply at_rank_nonneg, ideal_nonneg, A).
  assert (g l * w <= a) as H1.
  { unfold w, a; rewrite <- sum_to_scale; apply sum_to_le; intros i I; apply Rmult_le_compat_r;
      [apply N; lia|apply falls_le; [assumption|lia]]. }
  assert (b <= g l * v) as H2.
  { unfold v, b; rewrite <- sum_to_scale; apply sum_to_le; intros i I; unfold shift; apply
      Rmult_le_compat_r; [apply N; lia|apply falls_le; [assumption|lia]]. }
  assert (0 <= w) by (apply sum_to_nonneg; intros; apply N; lia).
  assert (0 <= v) by (apply sum_to_nonneg; intros; apply N; lia).
  pose proof (Rmult_le_compat_r w _ _ ltac:(assumption) H2);
    pose proof (Rmult_le_compat_r v _ _ ltac:(assumption) H1); nra.
Qed.
(** RS-SES-25/L2: with the padding 0, a query with results and IDCG@X > 0 it is that of RS-SES-15
  times
    a factor of at least 1 where n_q <= |J| *)
Theorem SES_25_L2 X d J r : falls d -> nonneg d -> Forall (Rle 0) J -> r <> [] -> 0 < idcg X d J ->
  let L := ranks X 0 (length r) in let LJ := ranks X 0 (length J) in
  let factor := sum_to d LJ * idcg L d J / (sum_to d L * idcg X d J) in
  ndcg_of_means X 0 d J r = query_ndcg X 0 d J r * factor /\
  ((length r <= length J)%nat -> 1 <= factor).
Proof.
  intros F N A E I L LJ factor.
  assert (1 <= length r)%nat as R1 by (destruct r; [congruence|cbn; lia]).
  assert (X <> 0)%nat as X0 by (intros ->; unfold idcg, dcg in I; cbn in I; lra).
  assert (length J <> 0)%nat as J0 by (intros Z; apply length_zero_iff_nil in Z; subst J; unfold
    idcg, dcg
    in I; cbn in I; rewrite Nat.min_0_r in I; cbn in I; lra).
  assert (0 < d 1%nat) as d1.
  { destruct (Rlt_dec 0 (d 1%nat)) as [|Z]; [assumption|exfalso]; unfold idcg in I; rewrite dcg_sum
    in I.
    rewrite sum_to_zero in I; [lra|]; intros i Hi; pose proof (falls_le d 1 i F ltac:(lia)).
    pose proof (N i ltac:(lia)); replace (d i) with 0 by lra; ring. }
  assert (forall n, (1 <= n)%nat -> 0 < sum_to d n) as pos.
  { intros n P; apply Rlt_le_trans with (sum_to d 1); [cbn; lra|apply sum_to_more; [|assumption]].
    intro i; apply N; lia. }
  assert (1 <= L)%nat as L1 by (unfold L, ranks; lia); assert (1 <= LJ)%nat as LJ1 by (unfold LJ,
    ranks;
    lia).
  pose proof (pos L L1) as P1; pose proof (pos LJ LJ1) as P2.
  pose proof (idcg_pos L X d J F N A L1 I) as P3.
  assert (idcg X d J = idcg LJ d J) as EX.
  { unfold idcg, dcg; rewrite <- (Permutation_length (DCG_4_L1 J)); unfold LJ, ranks; f_equal; lia.
    }
  split.
  - unfold ndcg_of_means, query_ndcg, ndcg_by; fold L LJ; unfold quotient at 2 3 4.
    destruct (Rlt_dec 0 (sum_to d L)), (Rlt_dec 0 (sum_to d LJ)), (Rlt_dec 0 (idcg L d J));
      try contradiction; unfold quotient; destruct (Rlt_dec _ _) as [_|Z].
    + unfold factor; field; repeat split; lra.
    + exfalso; apply Z, Rdiv_lt_0_compat; assumption.
  - intros B; unfold factor; apply le_div; [apply Rmult_lt_0_compat; assumption|]; rewrite EX.
    pose proof (mean_gain_falls d J L LJ N A ltac:(unfold L, LJ, ranks; lia)); lra.
Qed.
(** RS-SES-25/L3: it may be above 1: <1> with the pool <1, 0>, X = 2 and the padding 0 has
    1 + d(2)/d(1) *)
Theorem SES_25_L3 d : 0 < d 1%nat -> 0 <= d 2%nat ->
  ndcg_of_means 2 0 d [1; 0] [1] = 1 + d 2%nat / d 1%nat.
Proof.
  intros d1 d2; unfold ndcg_of_means, idcg, ideal, dcg, ranks, at_rank; cbn; destruct (Rle_dec 0 1);
    [|lra].
  cbn; unfold quotient; destruct (Rlt_dec 0 (0 + d 1%nat)); [|lra].
  destruct (Rlt_dec 0 (0 + d 1%nat + d 2%nat)); [|lra]; destruct (Rlt_dec _ _) as [_|Z];
    [field; lra|].
  exfalso; apply Z, Rdiv_lt_0_compat; lra.
Qed.

(** * Results that were scanned *)

(** RS-SES-26: the list of a query of which the first n results were looked at; None: not observed
  *)
Definition scan {A} (n : option nat) (r : list A) := match n with Some n => firstn n r | None => r
  end.
(** RS-SES-26: the session as it was scanned; o q is the observation of the query q *)
Definition scanned {A} (o : nat -> option nat) (s : list (list A)) :=
  map (fun q => scan (o q) (query s q)) (seq 1 (length s)).

Lemma scanned_length {A} o (s : list (list A)) : length (scanned o s) = length s.
Proof. unfold scanned; rewrite map_length; apply seq_length. Qed.
Lemma scanned_query {A} o (s : list (list A)) q : (1 <= q <= length s)%nat ->
  query (scanned o s) q = scan (o q) (query s q).
Proof. intros Q; unfold scanned; rewrite query_map_seq by assumption; reflexivity. Qed.
Lemma scanned_cut {A} X (s : list (list A)) : scanned (fun _ => Some X) s = map (firstn X) s.
Proof.
  apply query_ext; [rewrite scanned_length, map_length; reflexivity|]; rewrite scanned_length;
    intros q Q.
  rewrite scanned_query by assumption; unfold query; rewrite (nth_indep (map _ _) [] (firstn X []))
    by (rewrite map_length; lia); rewrite map_nth; reflexivity.
Qed.
Lemma query_cut {A} X (s : list (list A)) q : (1 <= q <= length s)%nat ->
  query (map (firstn X) s) q = firstn X (query s q).
Proof. intros Q; rewrite <- scanned_cut, scanned_query by assumption; reflexivity. Qed.
Lemma gains_of_cut X delta ids s : same_form ids s ->
  gains_of X delta (map (firstn X) ids) (map (firstn X) s) = gains_of X delta ids s.
Proof.
  intros S; rewrite <- !scanned_cut; apply query_ext; rewrite !gains_of_length, scanned_length;
    [reflexivity|]; intros q Q.
  assert (1 <= q <= length ids)%nat as Q' by (rewrite (same_form_length ids s S); assumption).
  rewrite !gains_of_query, scanned_query by (rewrite ?scanned_length; assumption); cbn [scan].
  rewrite firstn_length, Nat.min_assoc, Nat.min_id; apply map_ext_in; intros i I; apply in_seq in I.
  rewrite at_rank_firstn by lia; f_equal; unfold appearance, document, looked_at; rewrite
    scanned_cut.
  rewrite firstn_map, map_map, (map_ext _ (firstn X)) by (intro; rewrite firstn_firstn, Nat.min_id;
    reflexivity).
  rewrite query_cut, firstn_firstn, Nat.min_l by lia; f_equal.
  rewrite <- (firstn_skipn X (query ids q)) at 2; symmetry; apply app_nth1; rewrite firstn_length.
  rewrite (same_form_query ids s q S); lia.
Qed.
(** RS-SES-26/L1: s_q = X for all q is the cut-off X: the values of sDCG@X, of query_sDCG@X and,
  with
    the pool of the judged documents, of nsDCG@X are the same with and without *)
Theorem SES_26_L1 X c d D J delta ids s : same_form ids s -> let o := fun _ : nat => Some X in
  let t := gains_of X delta (scanned o ids) (scanned o s) in let u := gains_of X delta ids s in
  sdcg X d D t = sdcg X d D u /\ query_sdcgs X d D t = query_sdcgs X d D u /\
  nsdcg X c d D J t = nsdcg X c d D J u /\ nsdcg_spread X c d D J t = nsdcg_spread X c d D J u /\
  nsdcg_greatest X c d D J t = nsdcg_greatest X c d D J u.
Proof.
  intros S o t u; assert (t = u) as -> by (unfold t, o; rewrite !scanned_cut; apply gains_of_cut,
    S).
  repeat split.
Qed.
(** RS-SES-26/L2: sDCG with "every" does not fall when some s_q grows *)
Theorem SES_26_L2 X d D o o' s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  (forall q, match o q, o' q with Some n, Some m => (n <= m)%nat | None, Some m => False | _, None
    => True
    end) -> sdcg X d D (scanned o s) <= sdcg X d D (scanned o' s).
Proof.
  intros N M F H; unfold sdcg; rewrite !scanned_length; apply sum_to_le; intros q Q.
  apply Rmult_le_compat_l; [apply M; lia|]; rewrite !scanned_query by assumption; specialize (H q).
  pose proof (query_gains s q F) as A; assert (forall n, dcg X d (firstn n (query s q)) = dcg
    (Nat.min X n)
    d (query s q)) as E by (intro n; rewrite !dcg_firstn, firstn_firstn; reflexivity).
  destruct (o q) as [n|], (o' q) as [m|]; cbn [scan]; rewrite ?E; try contradiction; try lra;
    apply dcg_more; try assumption; lia.
Qed.
(** RS-SES-26/L3: applying the same numbers once more does not change a session *)
Theorem SES_26_L3 {A} o (s : list (list A)) : scanned o (scanned o s) = scanned o s.
Proof.
  apply query_ext; rewrite !scanned_length; [reflexivity|]; intros q Q.
  rewrite !scanned_query by (rewrite ?scanned_length; assumption); destruct (o q) as [n|]; cbn
    [scan];
    [rewrite firstn_firstn, Nat.min_id|]; reflexivity.
Qed.

(** * Over sessions *)

(** RS-SES-27: the standard deviation of the values of N sessions, before it is rounded *)
Definition sd (v : list R) := let m := mean (fun x : R => x) v in
  sqrt (total (fun x => (x - m) * (x - m)) v / (INR (length v) - 1)).

(** RS-SES-27/L1: it does not depend on the order of the sessions *)
Theorem SES_27_L1 v w : Permutation v w -> sd v = sd w.
Proof.
  intros P; unfold sd; rewrite (mean_perm _ v w P), (Permutation_length P); do 2 f_equal.
  apply total_perm, P.
Qed.
(** RS-SES-27/L2: of two or more it is 0 exactly where all values are equal *)
Theorem SES_27_L2 v : (2 <= length v)%nat -> (sd v = 0 <-> forall x y, In x v -> In y v -> x = y).
Proof.
  intros L; unfold sd; set (m := mean (fun x : R => x) v); cbn zeta.
  assert (1 < INR (length v)) as N by (apply le_INR in L; cbn in L; lra).
  assert (v <> []) as E by (destruct v; [cbn in L; lia|discriminate]).
  assert (0 <= total (fun x => (x - m) * (x - m)) v) as T by (apply total_nonneg; intros; apply
    Rle_0_sqr).
  split.
  - intros Z; apply sqrt_eq_0 in Z; [|apply div_nonneg; lra]; apply Rmult_integral in Z.
    destruct Z as [Z|Z]; [|exfalso; apply (Rinv_neq_0_compat (INR (length v) - 1)); lra].
    assert (forall x, In x v -> x = m) as K; [|intros x y X Y; rewrite (K x X), (K y Y);
      reflexivity].
    intros x X; pose proof (mean_zero (fun x => (x - m) * (x - m)) v (fun y _ => Rle_0_sqr (y - m)))
      as M.
    unfold mean in M at 1; rewrite Z in M; unfold Rdiv in M; rewrite Rmult_0_l in M.
    pose proof (Rsqr_0_uniq _ (M eq_refl x X)); lra.
  - intros H; rewrite (total_ext _ (fun _ => 0)), total_const; [unfold Rdiv; rewrite Rmult_0_r,
      Rmult_0_l; apply sqrt_0|]; intros x X.
    assert (m = x) as ->; [|ring]; unfold m; rewrite (mean_ext _ (fun _ => x)) by (intros y Y; apply
      H;
      assumption); apply mean_const, E.
Qed.
(** RS-SES-27/L2: rounded, it is also 0 where it is at most 2^-1075: so have 0, 0, 0 and 2^-1074 *)
Theorem SES_27_L2_rounded x : let u := Numerics.unit in
  (0 <= x <= u / 2 -> Numerics.nearest_double x 0) /\ sd [0; 0; 0; u] = u / 2.
Proof.
  intro u; pose proof Numerics.unit_pos as P; pose proof Numerics.scale_unit as E; fold u in P, E.
  split; [intros B; apply Numerics.nearest_between; [discriminate|reflexivity|]|].
  - right; split; [reflexivity|]; change (Numerics.low 0) with (-2)%Z.
    change (Numerics.high 0) with 2%Z; unfold Numerics.scaled; change (Numerics.sign 0) with 1%Z.
    rewrite Z.mul_1_l; revert E; generalize (IZR (2 ^ 1076)); intros T E; split; nra.
  - unfold sd, mean; cbn [total length]; replace (INR 4) with 4 by (cbn; ring).
    replace (_ / (4 - 1)) with (Rsqr (u / 2)) by (unfold Rsqr; field).
    rewrite sqrt_Rsqr by lra; reflexivity.
Qed.
(** RS-SES-27/L3: for two values it is |v_1 - v_2| / sqrt 2 *)
Theorem SES_27_L3 a b : sd [a; b] = Rabs (a - b) / sqrt 2.
Proof.
  unfold sd, mean; cbn; replace (1 + 1 - 1) with 1 by ring.
  replace (((a - (a + (b + 0)) / (1 + 1)) * (a - (a + (b + 0)) / (1 + 1)) + ((b - (a + (b + 0)) / (1
    + 1))
    * (b - (a + (b + 0)) / (1 + 1)) + 0)) / 1) with (Rsqr (a - b) / 2) by (unfold Rsqr; field).
  rewrite sqrt_div_alt, sqrt_Rsqr_abs by lra; reflexivity.
Qed.

(** RS-SES-28: the mean of a measure of discounts, at the bases b and bq *)
Definition sensitivity {A} (E : (nat -> R) -> (nat -> R) -> A -> R) (sessions : list A) b bq :=
  mean (E (d_jarvelin_2008 b) (d_jarvelin_2008 bq)) sessions.

Lemma base_le b c q : 1 < b <= c -> (1 <= q)%nat -> d_jarvelin_2008 b q <= d_jarvelin_2008 c q.
Proof.
  intros [B [C| ->]] Q; [|lra]; destruct (Nat.eq_dec q 1) as [->|N].
  - rewrite !(fun x H => proj1 (DISC_2_L1 x H)) by lra; lra.
  - apply Rlt_le, d_jarvelin_2008_base; [lra|lia].
Qed.
Lemma d_jarvelin_2008_nonneg b : 1 < b -> nonneg (d_jarvelin_2008 b).
Proof. intros B; apply strictly_falls; intros i I; apply DISC_2_L1; assumption. Qed.
(** RS-SES-28/L2: the mean of sDCG does not fall with b, nor with bq *)
Theorem SES_28_L2 X sessions b b' bq bq' : 1 < b <= b' -> 1 < bq <= bq' ->
  (forall s, In s sessions -> Forall (Forall (Rle 0)) s) ->
  sensitivity (sdcg X) sessions b bq <= sensitivity (sdcg X) sessions b' bq'.
Proof.
  intros B BQ H; apply mean_le; intros s S; pose proof (H s S) as F; apply sum_to_le; intros q Q.
  apply Rmult_le_compat.
  - apply d_jarvelin_2008_nonneg; [lra|lia].
  - apply dcg_nonneg; [apply d_jarvelin_2008_nonneg; lra|apply query_gains, F].
  - apply base_le; [assumption|lia].
  - rewrite !dcg_sum; apply sum_to_le; intros i I; apply Rmult_le_compat_l; [apply at_rank_nonneg,
      query_gains, F|apply base_le; [assumption|lia]].
Qed.
(** RS-SES-28/L2: no such law holds for nsDCG: by b, and by bq *)
Theorem SES_28_L2_not :
  sensitivity (fun d D => nsdcg 2 2 d D [1; 1]) [[[1; 0]]] 4 4 <
    sensitivity (fun d D => nsdcg 2 2 d D [1; 1]) [[[1; 0]]] 2 4 /\
  sensitivity (fun d D => nsdcg 1 1 d D [1]) [[[1]; [0]]] 2 4 <
    sensitivity (fun d D => nsdcg 1 1 d D [1]) [[[1]; [0]]] 2 2.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]], (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]].
  rewrite d1 in d2; rewrite D1 in D2; unfold sensitivity; set (d := d_jarvelin_2008 2) in *.
  set (D := d_jarvelin_2008 4) in *; clearbody d D.
  assert (d 2%nat = 1 / 2) as d3 by lra; assert (D 2%nat = 2 / 3) as D3 by lra.
  unfold mean, nsdcg, isdcg, ideal_session, ideal, ranks, sdcg, dcg, at_rank; cbn.
  destruct (Rle_dec 1 1); [|lra]; cbn; rewrite ?d1, ?D1, ?d3, ?D3; unfold quotient.
  repeat (destruct (Rlt_dec _ _)); lra.
Qed.
(** Only the discounts of the queries of a session count. *)
Lemma same_discounts X c d D E J s : (forall q, (1 <= q <= length s)%nat -> D q = E q) ->
  sdcg X d D s = sdcg X d E s /\ nsdcg X c d D J s = nsdcg X c d E J s /\
  nsdcg_spread X c d D J s = nsdcg_spread X c d E J s /\
  nsdcg_greatest X c d D J s = nsdcg_greatest X c d E J s.
Proof.
  intros H; assert (map (weight d D) (places_in_session X c s) = map (weight d E) (places_in_session
    X c
    s)) as W.
  { apply map_ext_in; intros [q i] P; apply places_in in P; unfold weight; cbn [fst snd]; rewrite H
    by
      lia; reflexivity. }
  unfold nsdcg, nsdcg_spread, nsdcg_greatest, isdcg, isdcg_spread.
  rewrite !isdcg_greatest_value; unfold weights; rewrite W.
  rewrite !(sdcg_ext X d D E) by (rewrite ?spread_length; unfold ideal_session; rewrite ?map_length;
    assumption); repeat split.
Qed.
(** RS-SES-28/L3: where each session has one query, bq does not matter, for any measure of sessions
    and their pools in which the discounts of their queries alone count ... *)
Theorem SES_28_L3 {P} (E : (nat -> R) -> (nat -> R) -> P * list (list R) -> R) S b bq bq' :
  (forall d D D' e, (forall q, (1 <= q <= length (snd e))%nat -> D q = D' q) ->
    E d D e = E d D' e) ->
  1 < bq -> 1 < bq' -> (forall e, In e S -> length (snd e) = 1%nat) ->
  sensitivity E S b bq = sensitivity E S b bq'.
Proof.
  intros H B B' L; apply mean_ext; intros e I; apply H; intros q Q; rewrite (L e I) in Q.
  replace q with 1%nat by lia; rewrite !(fun x H => proj1 (DISC_2_L1 x H)) by assumption;
    reflexivity.
Qed.
(** RS-SES-28/L3: ... so sDCG, and nsDCG with each of the ideals *)
Theorem SES_28_L3_measures X c S b bq bq' : 1 < bq -> 1 < bq' ->
  (forall e, In e S -> length (snd e) = 1%nat) ->
  let same (E : (nat -> R) -> (nat -> R) -> list R * list (list R) -> R) :=
    sensitivity E S b bq = sensitivity E S b bq' in
  same (fun d D e => sdcg X d D (snd e)) /\
  same (fun d D e => nsdcg X c d D (fst e) (snd e)) /\
  same (fun d D e => nsdcg_spread X c d D (fst e) (snd e)) /\
  same (fun d D e => nsdcg_greatest X c d D (fst e) (snd e)).
Proof.
  intros B B' H same; repeat split; apply SES_28_L3; try assumption; intros d D D' [J s] K;
    apply (same_discounts X c d D D' J s K).
Qed.

(** * Judgments of single appearances *)

(** RS-SES-33: the label of the document x in the query q: of its own, or that of the judgment *)
Definition label_at (lambda : nat -> R) (alpha : nat -> nat -> option R) q x :=
  match alpha q x with Some a => a | None => lambda x end.
(** RS-SES-33: the gains of the results of a session *)
Definition labelled g lambda alpha (ids : list (list nat)) : list (list R) :=
  map (fun q => map (fun x => g (label_at lambda alpha q x)) (query ids q)) (seq 1 (length ids)).
(** RS-SES-33: in the pool, x has the greatest of its judgment and its own labels *)
Definition pool_label (lambda : nat -> R) (alpha : nat -> nat -> option R) m x :=
  fold_right (fun q a => Rmax (label_at lambda alpha q x) a) (lambda x) (seq 1 m).

(** RS-SES-33: the documents with an alpha, each once *)
Definition own_documents (alpha : nat -> nat -> option R) (ids : list (list nat)) :=
  nodup Nat.eq_dec (flat_map (fun q => filter (fun x => if alpha q x then true else false)
    (query ids q)) (seq 1 (length ids))).
(** RS-SES-33: the gains of the pool: of the documents that lambda judges, and of the others that
    alpha does *)
Definition labelled_pool g lambda alpha (judged : list nat) ids : list R :=
  map (fun x => g (pool_label lambda alpha (length ids) x))
    (judged ++ filter (fun x => negb (existsb (Nat.eqb x) judged)) (own_documents alpha ids)).
(** No label of a single appearance *)
Definition no_alpha (_ _ : nat) : option R := None.

(** RS-SES-33/L1: with "every" the gains are those of the first X labels r_q(i) of each query,
    so the values are those of the labels *)
Theorem SES_33_L1 X c d D J g lambda alpha ids : let s := labelled g lambda alpha ids in
  let t := gains_of X 1 ids s in t = map (firstn X) s /\
  sdcg X d D t = sdcg X d D s /\ nsdcg X c d D J t = nsdcg X c d D J s /\
  nsdcg_spread X c d D J t = nsdcg_spread X c d D J s /\
  nsdcg_greatest X c d D J t = nsdcg_greatest X c d D J s /\
  forall q, (1 <= q <= length s)%nat ->
    query_ndcg X c d J (query t q) = query_ndcg X c d J (query s q).
Proof.
  intros s t; split; [apply SES_2_L1|]; unfold nsdcg, nsdcg_spread, nsdcg_greatest.
  destruct (isdcg_of_gains X c d D J 1 ids s) as (E1 & E2 & E3); fold t in E1, E2, E3.
  assert (sdcg X d D t = sdcg X d D s) as E by (unfold t; rewrite SES_2_L1; apply sdcg_cut).
  rewrite E, E1, E2, E3; repeat split; intros q Q; unfold t.
  rewrite query_ndcg_of_gains by exact Q; rewrite SES_2_L1, query_cut, dcg_cut_list by exact Q;
    reflexivity.
Qed.
(** RS-SES-33/L2: if each document with an alpha is judged, and alpha_q(x) is lambda(x), neither a
    gain nor the pool changes, so no value of the two does *)
Theorem SES_33_L2 g lambda alpha judged ids :
  (forall q x, alpha q x = None \/ alpha q x = Some (lambda x) /\ In x judged) ->
  labelled g lambda alpha ids = labelled g lambda no_alpha ids /\
  labelled_pool g lambda alpha judged ids = labelled_pool g lambda no_alpha judged ids /\
  labelled_pool g lambda no_alpha judged ids = map (fun x => g (lambda x)) judged.
Proof.
  assert (forall a, (forall q x, a q x = None \/ a q x = Some (lambda x) /\ In x judged) ->
    labelled g lambda a ids = map (map (fun x => g (lambda x))) ids /\
    labelled_pool g lambda a judged ids = map (fun x => g (lambda x)) judged) as K.
  { intros a H; assert (forall q x, label_at lambda a q x = lambda x) as E by (intros q x; unfold
      label_at; destruct (H q x) as [->|[-> _]]; reflexivity); split.
    - unfold labelled; apply query_ext; rewrite !map_length; [apply seq_length|].
      rewrite seq_length; intros q Q; rewrite query_map_seq, query_map by assumption.
      apply map_ext; intro x; rewrite E; reflexivity.
    - unfold labelled_pool; assert (forall m x, pool_label lambda a m x = lambda x) as L.
      { intros m x; unfold pool_label; induction (seq 1 m) as [|q l IH]; [reflexivity|].
        cbn [fold_right]; rewrite IH, E; apply Rmax_left; lra. }
      assert (filter (fun x => negb (existsb (Nat.eqb x) judged)) (own_documents a ids) = []) as ->.
      { rewrite (filter_ext_in _ (fun _ => false)); [induction (own_documents a ids); auto|].
        intros x X; unfold own_documents in X; apply nodup_In, in_flat_map in X.
        destruct X as (q & _ & X); apply filter_In in X; destruct X as [_ X].
        destruct (H q x) as [N|[_ I]]; [rewrite N in X; discriminate X|].
        apply negb_false_iff, existsb_exists; exists x; split; [exact I|apply Nat.eqb_refl]. }
      rewrite app_nil_r; apply map_ext; intro x; rewrite L; reflexivity. }
  intros H; destruct (K alpha H) as [-> ->]; destruct (K no_alpha) as [-> ->];
    [left; reflexivity|repeat split].
Qed.
(** RS-SES-33/L2: a document that lambda does not judge enters the pool with alpha = 0 too: if
    g(0) = 1 and g(1) = 2, the labels <0, 1> with the pool <1> have 1, and with <1, 0> 4/5 *)
Theorem SES_33_L2_unjudged : let g r := r + 1 in let ids := [[2; 1]]%nat in
  let lambda x := if (x =? 1)%nat then 1 else 0 in
  let alpha (q x : nat) := if (x =? 2)%nat then Some 0 else None in
  let V a := nsdcg 2 2 (d_jarvelin_2008 2) (d_jarvelin_2008 4)
    (labelled_pool g lambda a [1%nat] ids) (labelled g lambda a ids) in
  V no_alpha = 1 /\ V alpha = 4 / 5.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]]; rewrite d1 in d2.
  set (d := d_jarvelin_2008 2) in *; set (D := d_jarvelin_2008 4) in *; clearbody d D.
  assert (d 2%nat = 1 / 2) as d3 by lra; intros g ids lambda alpha V; split; unfold V.
  - assert (labelled_pool g lambda no_alpha [1%nat] ids = [2]) as ->.
    { unfold labelled_pool, pool_label, label_at, no_alpha, lambda, g, own_documents, ids; cbn.
      rewrite Rmax_left by lra; f_equal; lra. }
    unfold nsdcg, isdcg, ideal_session, labelled, label_at, no_alpha, g, lambda, ids, ideal, sdcg,
      dcg, at_rank, ranks; cbn; rewrite d1, D1, d3; unfold quotient.
    destruct (Rlt_dec _ _); lra.
  - assert (labelled_pool g lambda alpha [1%nat] ids = [2; 1]) as ->.
    { unfold labelled_pool, pool_label, label_at, alpha, lambda, g, own_documents, ids; cbn.
      rewrite !Rmax_left by lra; repeat f_equal; lra. }
    unfold nsdcg, isdcg, ideal_session, labelled, label_at, alpha, g, lambda, ids, ideal, sdcg,
      dcg, at_rank, ranks; cbn; destruct (Rle_dec 1 2); [|lra]; cbn; rewrite d1, D1, d3.
    unfold quotient; destruct (Rlt_dec _ _); lra.
Qed.
(** RS-SES-33/L3: with "first", labels of later appearances change no value of sDCG *)
Theorem SES_33_L3 X d D g lambda alpha beta ids :
  (forall q i, (1 <= q <= length ids)%nat -> (1 <= i <= Nat.min X (length (query ids q)))%nat ->
    appearance X ids q i = 1%nat -> label_at lambda alpha q (document ids q i) =
      label_at lambda beta q (document ids q i)) ->
  sdcg X d D (gains_of X 0 ids (labelled g lambda alpha ids)) =
  sdcg X d D (gains_of X 0 ids (labelled g lambda beta ids)).
Proof.
  intros H; assert (forall a, length (labelled g lambda a ids) = length ids) as LL by (intro a;
    unfold
    labelled; rewrite map_length; apply seq_length).
  assert (forall a q, (1 <= q <= length ids)%nat -> query (labelled g lambda a ids) q = map (fun x
    => g
    (label_at lambda a q x)) (query ids q)) as LQ by (intros a q Q; unfold labelled; rewrite
    query_map_seq by assumption; reflexivity).
  rewrite !sdcg_gains_of, !LL; apply sum_to_ext; intros q Q; f_equal; rewrite !LQ, !map_length by
    assumption; apply sum_to_ext; intros i I; f_equal.
  destruct (Nat.eq_dec (appearance X ids q i) 1) as [E|E].
  - f_equal; specialize (H q i Q I E); unfold document in H; unfold at_rank.
    assert (forall a, nth (i - 1) (map (fun x => g (label_at lambda a q x)) (query ids q)) 0 = g
      (label_at
      lambda a q (nth (i - 1) (query ids q) 0%nat))) as N by (intro a; rewrite (nth_indep _ 0 (g
        (label_at
      lambda a q 0%nat))), (map_nth (fun x => g (label_at lambda a q x))) by (rewrite map_length;
        lia);
      reflexivity); rewrite !N, H; reflexivity.
  - assert (1 <= appearance X ids q i)%nat as P.
    { assert (In (q, i) (places_of X ids (document ids q i))) as K by (apply filter_In; split;
        [apply places_in; split; assumption|apply Nat.eqb_refl]).
      apply (in_map (fun p => appearance X ids (fst p) (snd p))) in K; rewrite numbers_in_order in
        K.
      apply in_seq in K; apply K. }
    unfold repeated; rewrite pow_i, !Rmult_0_r by lia; reflexivity.
Qed.

From Rankspec Require Import Precision.
Require Import QArith Qreals Qminmax Lqa.
Open Scope R_scope.

(** * Instance recall *)

(** RS-SES-29: the share of the N_rel relevant documents that some query shows; each counts where it
    appears first *)
Definition instance_recall X ids (relevant : nat -> bool) Nrel := INR (length (filter (fun p =>
  relevant (document ids (fst p) (snd p)) && (appearance X ids (fst p) (snd p) =? 1)%nat)
    (places_looked_at X ids))) / INR Nrel.

Lemma filter_conj {A} (p q : A -> bool) l : filter (fun x => p x && q x) l = filter p (filter q l).
Proof.
  induction l as [|x l IH]; [reflexivity|]; cbn [filter]; rewrite IH; destruct (p x) eqn:P, (q x)
    eqn:Q;
    cbn [andb filter]; rewrite ?P; reflexivity.
Qed.
Lemma filter_length_perm {A} (p : A -> bool) l m : Permutation l m ->
  length (filter p l) = length (filter p m).
Proof. intros P; apply INR_eq; rewrite !filter_length_total; apply total_perm, P. Qed.
(** The number of relevant documents that are looked at *)
Lemma instance_recall_documents X ids relevant Nrel : instance_recall X ids relevant Nrel =
  INR (length (filter relevant (nodup Nat.eq_dec (looked_at X ids)))) / INR Nrel.
Proof.
  unfold instance_recall; do 2 f_equal; rewrite filter_conj.
  rewrite <- (filter_length_perm relevant _ _ (first_appearances X ids)), filter_map, map_length;
    reflexivity.
Qed.
Lemma same_documents X ids ids' relevant Nrel : Permutation (looked_at X ids) (looked_at X ids') ->
  instance_recall X ids relevant Nrel = instance_recall X ids' relevant Nrel.
Proof.
  intros P; rewrite !instance_recall_documents; do 2 f_equal; apply filter_length_perm.
  apply NoDup_Permutation; [apply NoDup_nodup|apply NoDup_nodup|]; intro x; rewrite !nodup_In;
    split;
    apply Permutation_in; [|symmetry]; assumption.
Qed.
(** RS-SES-29/L1: it does not depend on the order of the queries,
    nor on that within the first X results of one *)
Theorem SES_29_L1 X ids ids' relevant Nrel :
  Permutation ids ids' \/ Forall2 (fun u v => Permutation (firstn X u) (firstn X v)) ids ids' ->
  instance_recall X ids relevant Nrel = instance_recall X ids' relevant Nrel.
Proof.
  intros [P|F]; apply same_documents; unfold looked_at.
  - induction P; cbn [map concat]; [constructor|apply Permutation_app_head; assumption| |
      eapply Permutation_trans; eassumption].
    rewrite !app_assoc; apply Permutation_app_tail, Permutation_app_comm.
  - induction F; cbn [map concat]; [constructor|apply Permutation_app; assumption].
Qed.
(** RS-SES-29/L2: it does not fall when a query is appended *)
Theorem SES_29_L2 X ids r relevant Nrel :
  instance_recall X ids relevant Nrel <= instance_recall X (ids ++ [r]) relevant Nrel.
Proof.
  rewrite !instance_recall_documents; apply Rmult_le_compat_r.
  - destruct Nrel as [|n]; [cbn; rewrite Rinv_0; Lra.lra|apply Rlt_le, Rinv_0_lt_compat, lt_0_INR;
    lia].
  - destruct (nodup_part (nodup Nat.eq_dec (looked_at X ids)) (nodup Nat.eq_dec (looked_at X (ids ++
    [r]))))
      as [rest P]; [apply NoDup_nodup|apply NoDup_nodup| |].
    + intro x; rewrite !nodup_In, looked_at_app, in_app_iff; tauto.
    + rewrite (filter_length_perm relevant _ _ P), filter_app, app_length; apply le_INR; lia.
Qed.
(** RS-SES-29/L3: of a session of one query without repeated documents it is Recall@X *)
Theorem SES_29_L3 X u relevant Nrel : NoDup (firstn X u) ->
  instance_recall X [u] relevant Nrel = Q2R (recall X Nrel (map relevant u)).
Proof.
  intros N; rewrite instance_recall_documents; unfold recall; rewrite Q2R_quotient, Q2R_nat.
  f_equal; rewrite (Qeq_eqR _ _ (relevant_count X (map relevant u))), Q2R_nat; f_equal.
  unfold looked_at; cbn [map concat]; rewrite app_nil_r, nodup_fixed_point, firstn_map by
    assumption.
  generalize (firstn X u) as l; intro l; induction l as [|x l IH]; [reflexivity|]; cbn [filter map].
  cbn [Precision.count]; rewrite <- IH; destruct (relevant x); reflexivity.
Qed.

(** * Precision of queries at a recall *)

Open Scope Q_scope.

(** RS-SES-30: the ranks up to X at which the recall of rho percent of N_rel items is reached *)
Definition reaching X (rho : Q) Nrel (l : list bool) :=
  filter (fun i => Qle_bool (rho / 100 * nat_Q Nrel) (relevant_to i l)) (seq 1 (Nat.min X (length
    l))).
(** RS-SES-30: the precision at a recall, "first"; 0 where no rank reaches it, or no item is
  relevant
    *)
Definition first_precision X rho Nrel l := match Nrel, reaching X rho Nrel l with
  | S _, i :: _ => precision i l | _, _ => 0 end.
(** RS-SES-30: the same, "interpolated" *)
Definition interpolated_precision X rho Nrel l := match Nrel with
  | S _ => fold_right (fun i m => Qmax (precision i l) m) 0 (reaching X rho Nrel l) | O => 0 end.

Lemma max_precision_in l (I : list nat) i : In i I ->
  precision i l <= fold_right (fun i m => Qmax (precision i l) m) 0 I.
Proof.
  induction I as [|j I IH]; [contradiction|]; intros [->|J]; cbn [fold_right]; [apply Q.le_max_l|].
  eapply Qle_trans; [apply IH, J|apply Q.le_max_r].
Qed.
Lemma max_precision_le l (I : list nat) b : 0 <= b -> (forall i, In i I -> precision i l <= b) ->
  fold_right (fun i m => Qmax (precision i l) m) 0 I <= b.
Proof.
  intros B H; induction I as [|j I IH]; cbn [fold_right]; [assumption|]; apply Q.max_lub;
    [apply H; left; reflexivity|apply IH; intros; apply H; right; assumption].
Qed.
Lemma max_precision_nonneg l (I : list nat) : 0 <= fold_right (fun i m => Qmax (precision i l) m) 0
  I.
Proof. induction I; cbn [fold_right]; [lra|]; eapply Qle_trans; [exact IHI|apply Q.le_max_r]. Qed.
(** RS-SES-30/L1: "first" is at most "interpolated", and both are from 0 to 1 *)
Theorem SES_30_L1 X rho Nrel l : 0 <= first_precision X rho Nrel l /\
  first_precision X rho Nrel l <= interpolated_precision X rho Nrel l /\
  interpolated_precision X rho Nrel l <= 1.
Proof.
  unfold first_precision, interpolated_precision; destruct Nrel as [|n]; [repeat split; lra|].
  repeat split.
  - destruct (reaching _ _ _ _); [lra|apply precision_range].
  - destruct (reaching X rho (S n) l) as [|i I] eqn:E; [apply Qle_refl|]; apply max_precision_in;
    left;
      reflexivity.
  - apply max_precision_le; [lra|]; intros i _; apply precision_range.
Qed.
(** RS-SES-30/L2: "interpolated" does not rise with rho *)
Theorem SES_30_L2 X rho rho' Nrel l : rho <= rho' ->
  interpolated_precision X rho' Nrel l <= interpolated_precision X rho Nrel l.
Proof.
  intros L; unfold interpolated_precision; destruct Nrel as [|n]; [lra|].
  apply max_precision_le; [apply max_precision_nonneg|]; intros i I; apply max_precision_in.
  unfold reaching in *; apply filter_In in I; destruct I as [I R]; apply filter_In; split;
    [assumption|].
  apply Qle_bool_iff in R; apply Qle_bool_iff; eapply Qle_trans; [|exact R].
  apply Qmult_le_compat_r; [|apply nat_Q_nonneg]; unfold Qdiv; apply Qmult_le_compat_r;
    [assumption|vm_compute;
    discriminate].
Qed.
(** RS-SES-30/L2: ... "first" may: of ten relevant items, at 20 and at 30 percent *)
Theorem SES_30_L2_first : let l := [true; false; false; true; true] in
  first_precision 5 20 10 l == 1 # 2 /\ first_precision 5 30 10 l == 3 # 5.
Proof. split; vm_compute; reflexivity. Qed.

(** The precision at the least of the first k ranks with j relevant items *)
Definition precision_at_item k j (l : list bool) := match filter (fun i => j <=? count (firstn i
  l))%nat
  (seq 1 k) with i :: _ => precision i l | [] => 0 end.

Lemma reaching_items X rho Nrel l j : rho / 100 * nat_Q Nrel <= nat_Q j ->
  (forall c, (c < j)%nat -> nat_Q c < rho / 100 * nat_Q Nrel) ->
  reaching X rho Nrel l = filter (fun i => j <=? count (firstn i l))%nat (seq 1 (Nat.min X (length
    l))).
Proof.
  intros H1 H2; apply filter_ext; intro i; set (c := count (firstn i l)).
  assert (relevant_to i l == nat_Q c) as E by apply relevant_count.
  destruct (Nat.leb_spec j c) as [L|L].
  - apply Qle_bool_iff; rewrite E; eapply Qle_trans; [exact H1|apply nat_Q_le, L].
  - specialize (H2 c L); destruct (Qle_bool _ _) eqn:B; [|reflexivity]; apply Qle_bool_iff in B.
    rewrite E in B; exfalso; lra.
Qed.
Lemma count_next l k : (k < length l)%nat -> count (firstn (S k) l) = (count (firstn k l) + if nth k
  l
  false then 1 else 0)%nat.
Proof.
  intros K; rewrite (firstn_next l k false) by assumption; generalize (firstn k l) as a; intro a.
  induction a as [|b a IH]; cbn [app count]; [|rewrite IH]; destruct (nth k l false); lia.
Qed.
Lemma sp_items k l : (k <= length l)%nat -> sum_Q (fun j => precision_at_item k j l) (count (firstn
  k l))
  == sp k l.
Proof.
  induction k as [|k IH]; intros K; [reflexivity|]; rewrite count_next by lia.
  assert (sp (S k) l == sp k l + precision (S k) l * indicator l (S k)) as E.
  { unfold sp; rewrite !Nat.min_l by lia; reflexivity. }
  rewrite E, <- IH by lia.
  assert (forall i, (1 <= i <= k)%nat -> (count (firstn i l) <= count (firstn k l))%nat) as M.
  { intros i I; rewrite <- (Nat.min_l i k) by lia; rewrite <- firstn_firstn; apply count_firstn. }
  assert (forall j, (1 <= j <= count (firstn k l))%nat -> precision_at_item (S k) j l =
    precision_at_item k j l) as Same.
  { intros j J; unfold precision_at_item; rewrite seq_S, filter_app.
    destruct (filter (fun i => (j <=? count (firstn i l))%nat) (seq 1 k)) as [|i I] eqn:F;
      [|reflexivity].
    destruct k as [|k]; [cbn in J; lia|]; assert (In (S k) (filter (fun i => (j <=? count (firstn i
      l))%nat) (seq 1 (S k)))) as C by (apply filter_In; split; [apply in_seq; lia|apply Nat.leb_le;
        lia]).
    rewrite F in C; contradiction. }
  unfold indicator; replace (S k - 1)%nat with k by lia; destruct (nth k l false) eqn:B.
  - rewrite Nat.add_1_r; cbn [sum_Q]; rewrite (sum_Q_ext _ (fun j => precision_at_item k j l)) by
    (intros;
      rewrite Same by assumption; reflexivity).
    apply Qplus_inj_l; rewrite Qmult_1_r; unfold precision_at_item; rewrite seq_S, filter_app.
    assert (filter (fun i => (S (count (firstn k l)) <=? count (firstn i l))%nat) (seq 1 k) = []) as
      ->.
    { rewrite (filter_ext_in _ (fun _ => false)); [induction (seq 1 k); auto|]; intros i I; apply
      in_seq in
        I; specialize (M i ltac:(lia)); destruct (Nat.leb_spec (S (count (firstn k l))) (count
        (firstn i
        l))); [lia|reflexivity]. }
    cbn [app filter Nat.add]; rewrite count_next, B by lia.
    destruct (Nat.leb_spec (S (count (firstn k l))) (count (firstn k l) + 1)); [reflexivity|lia].
  - rewrite Nat.add_0_r, Qmult_0_r, Qplus_0_r; apply sum_Q_ext; intros; rewrite Same by assumption;
      reflexivity.
Qed.
(** RS-SES-30/L3: where rho N_rel <= 100, one relevant item is enough: "first" of one query is RR@X
  *)
Theorem SES_30_L3 X rho Nrel l : 0 < rho -> (1 <= Nrel)%nat -> rho * nat_Q Nrel <= 100 ->
  first_precision X rho Nrel l == rr X l.
Proof.
  intros P N L; unfold first_precision; destruct Nrel as [|n]; [lia|].
  assert (0 < rho / 100 * nat_Q (S n)) as T0.
  { apply Qmult_lt_0_compat; [apply Qlt_shift_div_l; lra|apply nat_Q_pos; lia]. }
  assert (rho / 100 * nat_Q (S n) <= nat_Q 1) as T1.
  { setoid_replace (rho / 100 * nat_Q (S n)) with (rho * nat_Q (S n) / 100) by field.
    apply Qle_shift_div_r; [lra|]; setoid_replace (nat_Q 1 * 100) with 100 by reflexivity; exact L.
      }
  rewrite (reaching_items X rho (S n) l 1 T1) by (intros c C; replace c with 0%nat by lia; exact
    T0).
  assert (exists a b, Forall (eq false) a /\ (l = a \/ l = a ++ true :: b)) as (a & b & F & E).
  { clear; induction l as [|[|] l IH]; [exists [], []; auto|exists [], l; auto|].
    destruct IH as (a & b & F & [->| ->]); [exists (false :: a), []|exists (false :: a), b]; cbn;
      auto. }
  assert (forall i r, count (firstn i (a ++ r)) = count (firstn (i - length a) r)) as C.
  { clear E; induction F as [|x a <- F IH]; intros i r; cbn [app length]; [rewrite Nat.sub_0_r;
      reflexivity|destruct i as [|i]; [reflexivity|]]; cbn [firstn count]; rewrite IH; reflexivity.
        }
  assert (forall k, (k <= length a)%nat -> forall r, filter (fun i => (1 <=? count (firstn i (a ++
    r)))%nat) (seq 1 k) = []) as none.
  { intros k K r; rewrite (filter_ext_in _ (fun _ => false)); [induction (seq 1 k); auto|]; intros i
    I.
    apply in_seq in I; rewrite C; replace (i - length a)%nat with 0%nat by lia; reflexivity. }
  assert (forall i k, rr_from i k a == 0) as R0.
  { clear - F; induction F as [|x a <- F IH]; intros i [|k]; cbn [rr_from]; try reflexivity; apply
    IH. }
  destruct E as [->| ->].
  - specialize (none (Nat.min X (length a)) ltac:(lia) []); rewrite app_nil_r in none; rewrite none.
    symmetry; apply R0.
  - destruct (Nat.le_gt_cases X (length a)) as [B|B].
    + rewrite none by lia; clear - F B; unfold rr; generalize 1%nat; revert X B; induction F as [|x
      a <- F
        IH]; intros [|X] B i; cbn in *; try reflexivity; [lia|apply IH; lia].
    + destruct (PREC_4_L1 X a b F B) as [_ ->]; rewrite app_length; cbn [length].
      replace (Nat.min X (length a + S (length b))) with (length a + S (Nat.min (X - length a - 1)
        (length b)))%nat by lia; rewrite seq_app, filter_app, none by lia.
      cbn [seq app filter Nat.add]; rewrite C; replace (S (length a) - length a)%nat with 1%nat by
        lia.
      reflexivity.
Qed.
(** RS-SES-30/L4: of one query whose first X results hold every relevant item of the pool, the mean
  of
    "first" over rho = 100 j / N_rel, j = 1, ..., N_rel, is AP@X *)
Theorem SES_30_L4 X l : (1 <= count (firstn X l))%nat -> let N := count (firstn X l) in
  sum_Q (fun j => first_precision X (100 * nat_Q j / nat_Q N) N l) N / nat_Q N == ap of_R X N l.
Proof.
  intros P; cbn zeta; unfold ap; cbn [normaliser]; apply Qmult_comp; [|reflexivity].
  remember (count (firstn X l)) as N eqn:EN.
  pose proof (nat_Q_pos N P) as NP; set (k := Nat.min X (length l)).
  assert (firstn X l = firstn k l) as E.
  { unfold k; destruct (Nat.le_ge_cases X (length l)); [rewrite Nat.min_l by assumption;
    reflexivity|].
    rewrite Nat.min_r, !firstn_all2 by lia; reflexivity. }
  assert (sp X l == sp k l) as -> by (unfold sp, k; rewrite <- Nat.min_assoc, Nat.min_id;
    reflexivity).
  rewrite <- (sp_items k l) by (unfold k; lia); rewrite <- E, <- EN; apply sum_Q_ext; intros j J.
  unfold first_precision, precision_at_item; cbn beta.
  assert (100 * nat_Q j / nat_Q N / 100 * nat_Q N == nat_Q j) as T by (field; lra).
  destruct N as [|n]; [lia|]; rewrite (reaching_items X _ (S n) l j).
  - fold k; destruct (filter _ _); reflexivity.
  - rewrite T; apply Qle_refl.
  - intros c C; rewrite T; unfold nat_Q; rewrite <- Zlt_Qlt; lia.
Qed.

(** * What is not proved *)

(** RS-SES-22/L1 not proved: the rest is about arrays, which have no definition here *)
(** RS-SES-22/L2 not proved: a measure here is of one session, so it says nothing of others *)
(** RS-SES-28/L1 not proved: it is about the defaults of an evaluation, which has no definition here
  *)
(** RS-SES-31/L1, RS-SES-31/L2 not proved: the tests that compare systems have no definition here;
  the
    entry says of what values they are taken *)
