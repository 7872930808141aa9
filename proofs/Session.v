(* Sessions: spec/session.md, RS-SES-1 to RS-SES-6.  A session is the list of its queries;
  each has the gains of its results in rank order. *)
Require Import Reals Lra Lia List Permutation Psatz.
From Rankspec Require Import Numbers Gain Ties Dcg.
Import ListNotations.
Open Scope R_scope.

(** The results of the query number q *)
Definition query {A} (s : list (list A)) q := nth (q - 1) s [].
(** The places (q, i) of m queries, of which number q has the ranks 1, ..., L(q) *)
Definition places (L : nat -> nat) m := flat_map (fun q => map (pair q) (seq 1 (L q))) (seq 1 m).

Lemma query_app1 {A} (a b : list (list A)) q : (1 <= q <= length a)%nat ->
  query (a ++ b) q = query a q.
Proof. intros; apply app_nth1; lia. Qed.
Lemma query_app2 {A} (a b : list (list A)) q : (1 <= q)%nat ->
  query (a ++ b) (length a + q) = query b q.
Proof. intros; unfold query; rewrite app_nth2 by lia; f_equal; lia. Qed.
Lemma query_last {A} (a : list (list A)) r : query (a ++ [r]) (S (length a)) = r.
Proof. unfold query; rewrite app_nth2 by lia; replace (S (length a) - 1 - length a)%nat with 0%nat
  by lia; reflexivity. Qed.
Lemma query_map {A B} (f : A -> B) s q : query (map (map f) s) q = map f (query s q).
Proof. unfold query; change (@nil B) with (map f []) at 1; apply map_nth. Qed.
Lemma query_ext {A} (a b : list (list A)) : length a = length b ->
  (forall q, (1 <= q <= length a)%nat -> query a q = query b q) -> a = b.
Proof.
  intros L H; apply nth_ext with [] []; [assumption|]; intros j J; specialize (H (S j) ltac:(lia));
    unfold query in H; replace (S j - 1)%nat with j in H by lia; exact H.
Qed.
Lemma at_rank_ext a b : length a = length b ->
  (forall i, (1 <= i <= length a)%nat -> at_rank a i = at_rank b i) -> a = b.
Proof.
  intros L H; apply nth_ext with 0 0; [assumption|]; intros j J; specialize (H (S j) ltac:(lia));
    unfold at_rank in H; replace (S j - 1)%nat with j in H by lia; exact H.
Qed.
Lemma query_map_seq {A} (f : nat -> list A) n q : (1 <= q <= n)%nat ->
  query (map f (seq 1 n)) q = f q.
Proof.
  intros I; unfold query; rewrite (nth_indep _ [] (f 0%nat)) by (rewrite map_length, seq_length;
    lia).
  rewrite (map_nth f), seq_nth by lia; f_equal; lia.
Qed.
Lemma places_S L m : places L (S m) = places L m ++ map (pair (S m)) (seq 1 (L (S m))).
Proof. unfold places; rewrite seq_S, flat_map_app; cbn; rewrite app_nil_r; reflexivity. Qed.
Lemma places_ext L L' m : (forall q, (1 <= q <= m)%nat -> L q = L' q) -> places L m = places L' m.
Proof. intros H; unfold places; rewrite !flat_map_concat_map; f_equal; apply map_ext_in;
  intros q Q; apply in_seq in Q; rewrite H by lia; reflexivity. Qed.
Lemma places_in L m q i : In (q, i) (places L m) <-> (1 <= q <= m)%nat /\ (1 <= i <= L q)%nat.
Proof.
  unfold places; rewrite in_flat_map; split.
  - intros (p & P & I); apply in_map_iff in I; destruct I as (j & E & J); injection E as -> ->.
    rewrite in_seq in *; lia.
  - intros [Q I]; exists q; rewrite in_map_iff, in_seq; split; [lia|exists i; rewrite in_seq;
    split; [reflexivity|lia]].
Qed.
Lemma total_seq f n : total f (seq 1 n) = sum_to f n.
Proof. induction n; [reflexivity|]; rewrite seq_S, total_app, IHn; cbn; lra. Qed.
Lemma total_places f L m : total f (places L m) = sum_to (fun q => sum_to (fun i => f (q, i)) (L q))
  m.
Proof.
  unfold places; rewrite total_flat_map, total_seq; apply sum_to_ext; intros q Q.
  rewrite total_map; apply total_seq.
Qed.

(** * Appearances of a document *)

(** The document at rank i of query q *)
Definition document (ids : list (list nat)) q i := nth (i - 1) (query ids q) 0%nat.
(** The first X results of each query, one query after the other *)
Definition looked_at {A} X (s : list (list A)) := concat (map (firstn X) s).
(** The places of these results *)
Definition places_looked_at {A} X (s : list (list A)) :=
  places (fun q => Nat.min X (length (query s q))) (length s).

(** RS-SES-1: t_q(i), how often the document at rank i of query q stands among the first X
    results of the queries before q and the first i of q *)
Definition appearance X ids q i :=
  count_occ Nat.eq_dec (looked_at X (firstn (q - 1) ids) ++ firstn i (query ids q))
    (document ids q i).

(** The places where the document x is looked at *)
Definition places_of X ids x :=
  filter (fun p => document ids (fst p) (snd p) =? x)%nat (places_looked_at X ids).

Lemma filter_map {A B} (p : B -> bool) (f : A -> B) l : filter p (map f l) = map f (filter (fun x
  => p (f x)) l).
Proof. induction l as [|x l IH]; cbn; [reflexivity|]; rewrite IH; destruct (p (f x));
  reflexivity. Qed.
Lemma looked_at_app {A} X (a b : list (list A)) : looked_at X (a ++ b) = looked_at X a ++
  looked_at X b.
Proof. unfold looked_at; rewrite map_app, concat_app; reflexivity. Qed.
(** A query appended changes no number of the queries before it (RS-SES-1/L3). *)
Lemma appearance_app X a b q i : (1 <= q <= length a)%nat ->
  appearance X (a ++ b) q i = appearance X a q i /\ document (a ++ b) q i = document a q i.
Proof.
  intros Q; unfold appearance, document; rewrite firstn_app, query_app1 by assumption.
  replace (q - 1 - length a)%nat with 0%nat by lia; rewrite app_nil_r; split; reflexivity.
Qed.
Lemma firstn_next {A} (l : list A) k d : (k < length l)%nat -> firstn (S k) l = firstn k l ++
  [nth k l d].
Proof.
  revert k; induction l as [|x l IH]; intros [|k] K; cbn in *; try lia; [reflexivity|].
  rewrite IH by lia; reflexivity.
Qed.
Lemma places_looked_at_app {A} X (a : list (list A)) r : places_looked_at X (a ++ [r]) =
  places_looked_at X a ++ map (pair (S (length a))) (seq 1 (Nat.min X (length r))).
Proof.
  unfold places_looked_at; rewrite app_length, Nat.add_1_r, places_S, query_last; f_equal.
  apply places_ext; intros q Q; rewrite query_app1 by assumption; reflexivity.
Qed.
Lemma document_last a r i : document (a ++ [r]) (S (length a)) i = nth (i - 1) r 0%nat.
Proof. unfold document; rewrite query_last; reflexivity. Qed.
Lemma appearance_last X a r i : appearance X (a ++ [r]) (S (length a)) i =
  count_occ Nat.eq_dec (looked_at X a ++ firstn i r) (nth (i - 1) r 0%nat).
Proof.
  unfold appearance; rewrite document_last, query_last; replace (S (length a) - 1)%nat with (length
    a)
    by lia; rewrite firstn_app, Nat.sub_diag, firstn_all; cbn [firstn]; rewrite app_nil_r;
      reflexivity.
Qed.
Lemma numbers_in_order X ids x : map (fun p => appearance X ids (fst p) (snd p)) (places_of X ids x)
  = seq 1 (count_occ Nat.eq_dec (looked_at X ids) x).
Proof.
  induction ids as [|r ids IH] using rev_ind; [reflexivity|].
  unfold places_of in *; rewrite places_looked_at_app, filter_app, map_app, looked_at_app,
    count_occ_app, seq_app, <- IH.
  f_equal.
  - assert (forall p, In p (places_looked_at X ids) ->
      appearance X (ids ++ [r]) (fst p) (snd p) = appearance X ids (fst p) (snd p) /\
      document (ids ++ [r]) (fst p) (snd p) = document ids (fst p) (snd p)) as E.
    { intros [q i] P; apply places_in in P; cbn [fst snd]; apply appearance_app; lia. }
    rewrite (filter_ext_in _ (fun p => document ids (fst p) (snd p) =? x)%nat)
      by (intros p P; rewrite (proj2 (E p P)); reflexivity).
    apply map_ext_in; intros p P; apply filter_In in P; apply E, P.
  - rewrite filter_map, map_map; unfold looked_at at 2; cbn [map concat]; rewrite app_nil_r;
      cbn [fst snd].
    set (c := count_occ Nat.eq_dec (looked_at X ids) x).
    assert (forall k, (k <= length r)%nat ->
      map (fun i => appearance X (ids ++ [r]) (S (length ids)) i)
        (filter (fun i => document (ids ++ [r]) (S (length ids)) i =? x)%nat (seq 1 k)) =
      seq (S c) (count_occ Nat.eq_dec (firstn k r) x)) as E.
    { induction k as [|k IHk]; intros K; [reflexivity|].
      rewrite seq_S, filter_app, map_app, IHk, (firstn_next r k 0%nat), count_occ_app, seq_app
        by lia.
      f_equal; cbn [filter Nat.add count_occ]; rewrite document_last.
      replace (S k - 1)%nat with k by lia; destruct (Nat.eqb_spec (nth k r 0%nat) x) as [Y|N];
        destruct (Nat.eq_dec _ _); try contradiction; [|reflexivity].
      cbn [map seq]; f_equal; rewrite appearance_last, (firstn_next r k 0%nat), !count_occ_app by
        lia.
      replace (S k - 1)%nat with k by lia; rewrite Y; fold c; cbn [count_occ];
        destruct (Nat.eq_dec x x); [lia|contradiction]. }
    rewrite E by lia; f_equal; f_equal; destruct (Nat.le_ge_cases X (length r)).
    + rewrite Nat.min_l by assumption; reflexivity.
    + rewrite Nat.min_r, !firstn_all2 by lia; reflexivity.
Qed.
Lemma looked_at_places X ids : map (fun p => document ids (fst p) (snd p)) (places_looked_at X ids)
  = looked_at X ids.
Proof.
  induction ids as [|r ids IH] using rev_ind; [reflexivity|].
  rewrite places_looked_at_app, map_app, looked_at_app, <- IH; f_equal.
  - apply map_ext_in; intros [q i] P; apply places_in in P; cbn [fst snd];
    apply (appearance_app X); lia.
  - rewrite map_map; unfold looked_at; cbn [map concat fst snd]; rewrite app_nil_r.
    assert (forall k, (k <= length r)%nat ->
      map (fun i => document (ids ++ [r]) (S (length ids)) i) (seq 1 k) = firstn k r) as E.
    { induction k as [|k IHk]; intros K; [reflexivity|].
      rewrite seq_S, map_app, IHk, (firstn_next r k 0%nat) by lia; cbn [map Nat.add]; rewrite
        document_last;
        replace (S k - 1)%nat with k by lia; reflexivity. }
    rewrite E by lia; destruct (Nat.le_ge_cases X (length r)).
    + rewrite Nat.min_l by assumption; reflexivity.
    + rewrite Nat.min_r, !firstn_all2 by lia; reflexivity.
Qed.
Lemma filter_length_total {A} (p : A -> bool) l : INR (length (filter p l)) =
  total (fun x => if p x then 1 else 0) l.
Proof. induction l as [|x l IH]; [reflexivity|]; cbn [filter total]; rewrite <- IH;
  destruct (p x); cbn [length]; rewrite ?S_INR; lra. Qed.
Lemma total_pick k (x : nat) (f : nat -> R) : NoDup k -> In x k ->
  total (fun y => if (x =? y)%nat then f y else 0) k = f x.
Proof.
  intros N; induction N as [|y k Y N IH]; [contradiction|]; intros [->|I]; cbn [total].
  - rewrite Nat.eqb_refl, (total_ext _ (fun _ => 0)), total_const; [lra|].
    intros z Z; destruct (Nat.eqb_spec x z) as [->|]; [contradiction|reflexivity].
  - destruct (Nat.eqb_spec x y) as [->|]; [contradiction|]; rewrite IH by assumption; lra.
Qed.
(** A sum over results, document by document *)
Lemma total_by_document {A} (doc : A -> nat) f l k : NoDup k -> incl (map doc l) k ->
  total f l = total (fun x => total f (filter (fun p => doc p =? x)%nat l)) k.
Proof.
  intros N; induction l as [|a l IH]; intros I; cbn [total filter].
  - rewrite total_const; lra.
  - rewrite IH by (intros x X; apply I; right; assumption).
    rewrite (total_ext (fun x => total f (if (doc a =? x)%nat then _ else _))
      (fun x => (if (doc a =? x)%nat then f a else 0) +
      total f (filter (fun p => doc p =? x)%nat l)))
      by (intros x _; destruct (doc a =? x)%nat; cbn [total]; lra).
    rewrite total_plus, (total_pick k (doc a) (fun _ => f a)); [reflexivity|assumption|apply I;
      left; reflexivity].
Qed.
Lemma places_of_some X ids x : In x (looked_at X ids) -> (1 <= length (places_of X ids x))%nat.
Proof.
  intros I; rewrite <- (map_length (fun p => appearance X ids (fst p) (snd p))), numbers_in_order,
    seq_length; apply count_occ_In; assumption.
Qed.
(** Over all results: a sum that depends on the document and its number *)
Lemma total_numbers X ids (f : nat -> nat -> R) :
  total (fun p => f (document ids (fst p) (snd p)) (appearance X ids (fst p) (snd p)))
    (places_looked_at X ids) =
  total (fun x => sum_to (f x) (length (places_of X ids x))) (nodup Nat.eq_dec (looked_at X ids)).
Proof.
  rewrite (total_by_document (fun p => document ids (fst p) (snd p)) _ _ (nodup Nat.eq_dec
    (looked_at X ids))); [|apply NoDup_nodup|].
  - apply total_ext; intros x _; fold (places_of X ids x); rewrite <- total_seq.
    rewrite <- (map_length (fun p => appearance X ids (fst p) (snd p)) (places_of X ids x)).
    assert (forall n, seq 1 (length (seq 1 n)) = seq 1 n) as E by (intro; rewrite seq_length;
      reflexivity); rewrite numbers_in_order, E, <- numbers_in_order, total_map; apply total_ext.
    intros p P; apply filter_In in P; destruct P as [_ P]; apply Nat.eqb_eq in P; rewrite P;
      reflexivity.
  - intros x I; apply nodup_In; rewrite looked_at_places in I; assumption.
Qed.

(** RS-SES-1/L1: the numbers of one document are 1, 2, ..., each once,
    up to the number of times that it is looked at *)
Theorem SES_1_L1 X ids x :
  map (fun p => appearance X ids (fst p) (snd p)) (places_of X ids x) =
  seq 1 (count_occ Nat.eq_dec (looked_at X ids) x).
Proof. apply numbers_in_order. Qed.
(** RS-SES-1/L1: ... so the number of results with t = 1 is the number of documents *)
Theorem SES_1_L1_documents X ids :
  length (filter (fun p => appearance X ids (fst p) (snd p) =? 1)%nat (places_looked_at X ids)) =
  length (nodup Nat.eq_dec (looked_at X ids)).
Proof.
  apply INR_eq; rewrite filter_length_total.
  rewrite (total_numbers X ids (fun _ t => if (t =? 1)%nat then 1 else 0)).
  rewrite (total_ext _ (fun _ => 1)), total_const; [lra|]; intros x I; apply nodup_In in I.
  destruct (length (places_of X ids x)) as [|n] eqn:E; [pose proof (places_of_some X ids x I);
    lia|].
  rewrite sum_to_first, sum_to_zero; [cbn; lra|]; intros i Hi; unfold shift;
    destruct (Nat.eqb_spec (1 + i) 1); [lia|reflexivity].
Qed.
(** RS-SES-1/L2: it does not change if documents are renamed,
    with different names for different documents *)
Theorem SES_1_L2 f X ids q i : (forall x y, f x = f y -> x = y) ->
  (1 <= q <= length ids)%nat -> (1 <= i <= length (query ids q))%nat ->
  appearance X (map (map f) ids) q i = appearance X ids q i.
Proof.
  intros F Q I; unfold appearance, document, looked_at; rewrite query_map, firstn_map, map_map.
  rewrite (nth_indep _ 0%nat (f 0%nat)), map_nth by (rewrite map_length; lia).
  rewrite (map_ext _ (fun r => map f (firstn X r))) by (intro; apply firstn_map).
  rewrite <- map_map, <- concat_map, firstn_map, <- map_app; symmetry; apply count_occ_map;
    assumption.
Qed.
(** RS-SES-1/L3: a query appended changes no number of the queries before it *)
Theorem SES_1_L3 X ids r q i : (1 <= q <= length ids)%nat ->
  appearance X (ids ++ [r]) q i = appearance X ids q i.
Proof. apply appearance_app. Qed.

(** * Gains of repeated results *)

(** RS-SES-2: the gain g of a document that appears for the t-th time is g delta^(t - 1) *)
Definition repeated delta g t := g * delta ^ (t - 1).
(** RS-SES-2: the gains G_q[i] of a session with the gains s and the documents ids;
    delta = 1 is "every", delta = 0 is "first" *)
Definition gains_of X delta ids (s : list (list R)) :=
  map (fun q => map (fun i => repeated delta (at_rank (query s q) i) (appearance X ids q i))
    (seq 1 (Nat.min X (length (query s q))))) (seq 1 (length s)).
(** The documents have the form of the gains. *)
Definition same_form {A B} (ids : list (list A)) (s : list (list B)) :=
  map (@length A) ids = map (@length B) s.

Lemma gains_of_length X delta ids s : length (gains_of X delta ids s) = length s.
Proof. unfold gains_of; rewrite map_length; apply seq_length. Qed.
Lemma gains_of_query X delta ids s q : (1 <= q <= length s)%nat -> query (gains_of X delta ids s) q
  = map (fun i => repeated delta (at_rank (query s q) i) (appearance X ids q i))
    (seq 1 (Nat.min X (length (query s q)))).
Proof. intros Q; unfold gains_of; rewrite query_map_seq by assumption; reflexivity. Qed.
Lemma at_rank_map_seq f n i : (1 <= i <= n)%nat -> at_rank (map f (seq 1 n)) i = f i.
Proof.
  intros I; unfold at_rank; rewrite (nth_indep _ 0 (f 0%nat)), map_nth, seq_nth
    by (rewrite ?map_length, ?seq_length; lia); f_equal; lia.
Qed.
Lemma gains_of_at X delta ids s q i : (1 <= q <= length s)%nat ->
  (1 <= i <= Nat.min X (length (query s q)))%nat ->
  at_rank (query (gains_of X delta ids s) q) i =
  repeated delta (at_rank (query s q) i) (appearance X ids q i).
Proof. intros Q I; rewrite gains_of_query, at_rank_map_seq by assumption; reflexivity. Qed.
Lemma gains_of_query_length X delta ids s q : (1 <= q <= length s)%nat ->
  length (query (gains_of X delta ids s) q) = Nat.min X (length (query s q)).
Proof. intros Q; rewrite gains_of_query, map_length, seq_length by assumption; reflexivity. Qed.
Lemma same_form_query {A B} (ids : list (list A)) (s : list (list B)) q : same_form ids s ->
  length (query ids q) = length (query s q).
Proof.
  intros F; unfold query; rewrite <- (map_nth (@length A)), <- (map_nth (@length B)), F;
    reflexivity.
Qed.
Lemma same_form_length {A B} (ids : list (list A)) (s : list (list B)) : same_form ids s ->
  length ids = length s.
Proof. intros F; apply (f_equal (@length nat)) in F; rewrite !map_length in F; exact F. Qed.
Lemma same_form_places {A B} X (ids : list (list A)) (s : list (list B)) : same_form ids s ->
  places_looked_at X ids = places_looked_at X s.
Proof.
  intros F; unfold places_looked_at; rewrite (same_form_length ids s F); apply places_ext;
    intros q _; rewrite (same_form_query ids s q F); reflexivity.
Qed.
(** The sum of all gains *)
Definition all_gains (s : list (list R)) := total sum s.
Lemma sum_to_at_rank r : sum r = sum_to (at_rank r) (length r).
Proof. rewrite <- whole_none; unfold whole; apply sum_to_ext; intros; unfold d_none; ring. Qed.
Lemma total_at_queries {A} (f : list A -> R) s : total f s = sum_to (fun q => f (query s q)) (length
  s).
Proof.
  induction s as [|r s IH] using rev_ind; [reflexivity|].
  rewrite total_app, app_length, Nat.add_1_r; cbn [total sum_to]; rewrite query_last, IH, Rplus_0_r.
  f_equal; apply sum_to_ext; intros q Q; rewrite query_app1 by assumption; reflexivity.
Qed.
Lemma all_gains_of X delta ids s : same_form ids s -> all_gains (gains_of X delta ids s) =
  total (fun p => repeated delta (at_rank (query s (fst p)) (snd p))
    (appearance X ids (fst p) (snd p))) (places_looked_at X ids).
Proof.
  intros F; rewrite (same_form_places X ids s F); unfold places_looked_at, all_gains.
  rewrite total_places, total_at_queries, gains_of_length; apply sum_to_ext; intros q Q.
  rewrite sum_to_at_rank, gains_of_query_length by assumption; apply sum_to_ext; intros i I.
  apply gains_of_at; assumption.
Qed.
Lemma document_gain (g : nat -> R) ids q i : (1 <= i <= length (query ids q))%nat ->
  at_rank (query (map (map g) ids) q) i = g (document ids q i).
Proof.
  intros I; unfold document; rewrite query_map; unfold at_rank;
    rewrite (nth_indep _ 0 (g 0%nat)), map_nth by (rewrite map_length; lia); reflexivity.
Qed.
Lemma same_form_map {A B} (g : A -> B) ids : same_form ids (map (map g) ids).
Proof. unfold same_form; rewrite map_map; apply map_ext; intro; symmetry; apply map_length. Qed.
Lemma all_gains_by_document X delta ids (g : nat -> R) :
  all_gains (gains_of X delta ids (map (map g) ids)) =
  total (fun x => sum_to (repeated delta (g x)) (length (places_of X ids x)))
    (nodup Nat.eq_dec (looked_at X ids)).
Proof.
  rewrite all_gains_of, <- (total_numbers X ids (fun x => repeated delta (g x)))
    by apply same_form_map; apply total_ext; intros [q i] P; cbn [fst snd]; apply places_in in P.
  rewrite document_gain by lia; reflexivity.
Qed.

(** RS-SES-2/L1: with delta = 1 ("every") each result gains *)
Theorem SES_2_L1 X ids s : gains_of X 1 ids s = map (firstn X) s.
Proof.
  apply query_ext; [rewrite gains_of_length, map_length; reflexivity|]; rewrite gains_of_length;
    intros q Q; rewrite gains_of_query by assumption.
  assert (query (map (firstn X) s) q = firstn X (query s q)) as ->.
  { unfold query; rewrite (nth_indep _ [] (firstn X [])), map_nth by (rewrite map_length; lia);
      reflexivity. }
  apply at_rank_ext; rewrite map_length, seq_length, ?firstn_length; [reflexivity|].
  intros i I; rewrite at_rank_map_seq by assumption; unfold repeated; rewrite pow1, Rmult_1_r.
  rewrite <- (firstn_skipn X (query s q)) at 1; apply at_rank_app1; rewrite firstn_length; exact I.
Qed.
(** RS-SES-2/L2: with delta = 0 ("first") the sum of all gains is the sum over the distinct
    documents that are looked at, each counted once *)
Theorem SES_2_L2 X ids (g : nat -> R) : all_gains (gains_of X 0 ids (map (map g) ids)) =
  total g (nodup Nat.eq_dec (looked_at X ids)).
Proof.
  rewrite all_gains_by_document; apply total_ext; intros x I; apply nodup_In in I.
  pose proof (places_of_some X ids x I); destruct (length (places_of X ids x)) as [|n]; [lia|].
  rewrite sum_to_first, sum_to_zero; unfold repeated; [cbn; ring|]; intros i Hi; unfold shift.
  replace (1 + i - 1)%nat with i by lia; rewrite pow_i by lia; ring.
Qed.
(** RS-SES-2/L3: a document of the gain g that appears N times gains g (1 + delta + ... + delta^(N
    - 1)) *)
Theorem SES_2_L3 X delta ids x g : let N := count_occ Nat.eq_dec (looked_at X ids) x in
  total (fun p => repeated delta g (appearance X ids (fst p) (snd p))) (places_of X ids x) =
  g * sum_to (fun t => delta ^ (t - 1)) N.
Proof.
  intro N; rewrite <- (total_map (fun p => appearance X ids (fst p) (snd p)) (repeated delta g)).
  rewrite numbers_in_order, total_seq; unfold repeated; apply sum_to_scale.
Qed.
(** RS-SES-2/L4: no gain falls when delta rises, and none is above g *)
Theorem SES_2_L4 a b g t : 0 <= a <= b -> b <= 1 -> 0 <= g -> repeated a g t <= repeated b g t <= g.
Proof.
  intros A B G; unfold repeated; split; [apply Rmult_le_compat_l; [|apply pow_incr]; assumption|].
  rewrite <- (Rmult_1_r g) at 2; apply Rmult_le_compat_l; [assumption|]; rewrite <- (pow1 (t - 1));
  apply pow_incr; lra.
Qed.
(** RS-SES-2/L5: if no document appears twice, no gain depends on delta *)
Theorem SES_2_L5 X a b ids s : same_form ids s -> NoDup (looked_at X ids) ->
  gains_of X a ids s = gains_of X b ids s.
Proof.
  intros F N; unfold gains_of; apply map_ext_in; intros q Q; apply map_ext_in; intros i I.
  rewrite in_seq in Q, I; enough (appearance X ids q i = 1%nat) as -> by (unfold repeated;
    reflexivity).
  set (x := document ids q i); assert (In (q, i) (places_of X ids x)) as P.
  { apply filter_In; split; [|apply Nat.eqb_refl]; rewrite (same_form_places X ids s F);
      apply places_in; lia. }
  apply (in_map (fun p => appearance X ids (fst p) (snd p))) in P; rewrite numbers_in_order in P.
  pose proof (proj1 (NoDup_count_occ Nat.eq_dec _) N x) as C; apply in_seq in P; cbn [fst snd] in P;
    lia.
Qed.

(** * sDCG *)

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
(** RS-SES-3/L3: for q >= 2, D(q) rises strictly with the base ... *)
Theorem SES_3_L3 b c q : 1 < b < c -> (2 <= q)%nat ->
  d_jarvelin_2008 b q < d_jarvelin_2008 c q /\ d_jiang_2016 b q < d_jiang_2016 c q.
Proof. split; [apply d_jarvelin_2008_base|apply DISC_7_L3]; assumption. Qed.
(** RS-SES-3/L3: ... and so does the value where DCG is above 0 *)
Theorem SES_3_L3_value b c d q G i : 1 < b < c -> (2 <= q)%nat -> 0 < dcg i d G ->
  query_sdcg d (d_jarvelin_2008 b) q G i < query_sdcg d (d_jarvelin_2008 c) q G i /\
  query_sdcg d (d_jiang_2016 b) q G i < query_sdcg d (d_jiang_2016 c) q G i.
Proof.
  intros B Q P; destruct (SES_3_L3 b c q B Q); split; apply Rmult_lt_compat_r; assumption.
Qed.
Lemma d_jarvelin_2008_limit q e : (1 <= q)%nat -> 0 < e -> exists c, forall b, c < b ->
  1 - e < d_jarvelin_2008 b q <= 1.
Proof.
  intros Q E; exists (exp (1 + INR q / e)); intros b B; pose proof (rank_ge_1 q Q).
  assert (1 < exp (1 + INR q / e)) as X.
  { apply Rle_lt_trans with (exp 0); [rewrite exp_0; lra|]; apply exp_increasing;
      pose proof (div_nonneg (INR q) e ltac:(lra) E); lra. }
  assert (1 + INR q / e < ln b) as L.
  { rewrite <- (ln_exp (1 + INR q / e)); apply ln_increasing; [apply exp_pos|assumption]. }
  pose proof (ln_le_minus_1 (INR q) ltac:(lra)).
  assert (0 <= ln (INR q)) by (destruct (Req_dec (INR q) 1) as [->|]; [rewrite ln_1; lra|];
    apply Rlt_le, ln_pos; lra).
  assert (INR q / e < ln b) as I by lra; apply div_lt in I; [|assumption].
  unfold d_jarvelin_2008, log; pose proof (ln_pos b ltac:(lra)).
  assert (0 <= ln (INR q) / ln b < e) as R.
  { split; [apply div_nonneg; assumption|apply div_lt; lra]. }
  split; [apply lt_div; [lra|nra]|apply div_le; lra].
Qed.
Lemma near D q d G i e : (forall e', 0 < e' -> exists c, forall b, c < b -> 1 - e' < D b q <= 1) ->
  0 < e -> exists c, forall b, c < b -> Rabs (query_sdcg d (D b) q G i - dcg i d G) < e.
Proof.
  intros H E; set (x := dcg i d G); pose proof (Rabs_pos x).
  destruct (H (e / (Rabs x + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as [c C]; exists c; intros b B.
  specialize (C b B); unfold query_sdcg; fold x; replace (D b q * x - x) with (- (1 - D b q) * x)
    by ring; rewrite Rabs_mult, Rabs_Ropp, (Rabs_right (1 - D b q)) by lra.
  apply Rle_lt_trans with (e / (Rabs x + 1) * Rabs x); [apply Rmult_le_compat_r; lra|].
  unfold Rdiv; rewrite Rmult_assoc, (Rmult_comm (/ _)); apply Rlt_le_trans with (e * 1); [|lra].
  apply Rmult_lt_compat_l; [assumption|]; apply div_lt; lra.
Qed.
(** RS-SES-3/L3: ... and D(q) tends to 1, and the value to DCG *)
Theorem SES_3_L3_limit q e d G i : (1 <= q)%nat -> 0 < e -> exists c, forall b, c < b ->
  1 - e < d_jarvelin_2008 b q <= 1 /\ 1 - e < d_jiang_2016 b q <= 1 /\
  Rabs (query_sdcg d (d_jarvelin_2008 b) q G i - dcg i d G) < e /\
  Rabs (query_sdcg d (d_jiang_2016 b) q G i - dcg i d G) < e.
Proof.
  intros Q E; destruct (d_jarvelin_2008_limit q e Q E) as [c1 C1];
    destruct (DISC_7_L3_limit q e Q E) as [c2 C2].
  destruct (near d_jarvelin_2008 q d G i e) as [c3 C3];
    [intros; apply d_jarvelin_2008_limit; assumption|assumption|].
  destruct (near d_jiang_2016 q d G i e) as [c4 C4];
    [intros; apply DISC_7_L3_limit; assumption|assumption|].
  exists (Rmax (Rmax c1 c2) (Rmax c3 c4)); intros b B.
  pose proof (Rmax_l (Rmax c1 c2) (Rmax c3 c4)); pose proof (Rmax_r (Rmax c1 c2) (Rmax c3 c4)).
  pose proof (Rmax_l c1 c2); pose proof (Rmax_r c1 c2); pose proof (Rmax_l c3 c4);
    pose proof (Rmax_r c3 c4); repeat split; try (apply C1; lra); try (apply C2; lra);
    [apply C3|apply C4]; lra.
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

(** * The session's vector *)

(** RS-SES-5: the components of query q, of the ranks i = 1, ..., L(q) *)
Definition vector_rows X (L : nat -> nat) d (D : nat -> R) s :=
  map (fun q => map (fun i => sum_to (fun p => D p * dcg X d (query s p)) (q - 1) +
    D q * dcg i d (query s q)) (seq 1 (L q))) (seq 1 (length s)).
(** The ranks that the queries of a session have (RS-SES-4) *)
Definition ranks_of X c (s : list (list R)) q := ranks X c (length (query s q)).
(** RS-SES-5: the vector of the session *)
Definition session_vector X c d D s := concat (vector_rows X (ranks_of X c s) d D s).
(** L_1 + ... + L_(q - 1) *)
Definition ranks_before (L : nat -> nat) q := list_sum (map L (seq 1 (q - 1))).

Lemma ranks_before_S L q : (1 <= q)%nat -> ranks_before L (S q) = (ranks_before L q + L q)%nat.
Proof.
  intros Q; unfold ranks_before; replace (S q - 1)%nat with (S (q - 1)) by lia.
  rewrite seq_S, map_app, list_sum_app; cbn [map list_sum fold_right Nat.add].
  replace (S (q - 1)) with q by lia; lia.
Qed.
Lemma ranks_before_le L p q : (1 <= p <= q)%nat -> (ranks_before L p <= ranks_before L q)%nat.
Proof. intros [P I]; induction I; [lia|]; rewrite ranks_before_S by lia; lia. Qed.
Lemma vector_rows_app X L d D s r : vector_rows X L d D (s ++ [r]) = vector_rows X L d D s ++
  [map (fun i => sdcg X d D s + D (S (length s)) * dcg i d r) (seq 1 (L (S (length s))))].
Proof.
  unfold vector_rows; rewrite app_length, Nat.add_1_r, seq_S, map_app; cbn [map Nat.add]; f_equal.
  - apply map_ext_in; intros q Q; apply in_seq in Q; apply map_ext; intro i.
    rewrite query_app1 by lia; f_equal; apply sum_to_ext; intros p P.
    rewrite query_app1 by lia; reflexivity.
  - f_equal; apply map_ext; intro i; rewrite query_last; f_equal; unfold sdcg.
    replace (S (length s) - 1)%nat with (length s) by lia; apply sum_to_ext; intros p P;
      rewrite query_app1 by lia; reflexivity.
Qed.
Lemma vector_app X L d D s r : concat (vector_rows X L d D (s ++ [r])) =
  concat (vector_rows X L d D s) ++
  map (fun i => sdcg X d D s + D (S (length s)) * dcg i d r) (seq 1 (L (S (length s)))).
Proof. rewrite vector_rows_app, concat_app; cbn; rewrite app_nil_r; reflexivity. Qed.
Lemma vector_length X L d D s : length (concat (vector_rows X L d D s)) =
  ranks_before L (S (length s)).
Proof.
  induction s as [|r s IH] using rev_ind; [reflexivity|].
  rewrite vector_app, app_length, IH, map_length, seq_length, app_length, Nat.add_1_r,
    (ranks_before_S L (S (length s))) by lia; reflexivity.
Qed.
Lemma vector_prefix X L d D a b : exists t, concat (vector_rows X L d D (a ++ b)) =
  concat (vector_rows X L d D a) ++ t.
Proof.
  induction b as [|r b [t IH]] using rev_ind; [exists []; rewrite !app_nil_r; reflexivity|].
  rewrite app_assoc, vector_app, IH, <- app_assoc; eexists; reflexivity.
Qed.
Lemma firstn_vector X L d D a b : firstn (ranks_before L (S (length a)))
  (concat (vector_rows X L d D (a ++ b))) = concat (vector_rows X L d D a).
Proof.
  destruct (vector_prefix X L d D a b) as [t ->]; rewrite <- (vector_length X L d D a).
  rewrite firstn_app, Nat.sub_diag, firstn_all; cbn; apply app_nil_r.
Qed.
Lemma vector_ext X L L' d D s : (forall q, (1 <= q <= length s)%nat -> L q = L' q) ->
  vector_rows X L d D s = vector_rows X L' d D s.
Proof. intros H; apply map_ext_in; intros q Q; apply in_seq in Q; rewrite H by lia; reflexivity.
  Qed.
(** The component at rank i of query q, as the equation of RS-SES-5 says *)
Lemma vector_at X L d D s q i : (1 <= q <= length s)%nat -> (1 <= i <= L q)%nat ->
  at_rank (concat (vector_rows X L d D s)) (ranks_before L q + i) =
  sum_to (fun p => D p * dcg X d (query s p)) (q - 1) + D q * dcg i d (query s q).
Proof.
  induction s as [|r s IH] using rev_ind; intros Q I; [cbn in Q; lia|].
  rewrite app_length, Nat.add_1_r in Q; rewrite vector_app; destruct (Nat.eq_dec q (S (length s)))
    as [->|N].
  - rewrite <- (vector_length X L d D s), at_rank_app2, at_rank_map_seq, query_last by lia.
    f_equal; unfold sdcg; replace (S (length s) - 1)%nat with (length s) by lia; apply sum_to_ext;
      intros p P; rewrite query_app1 by lia; reflexivity.
  - pose proof (ranks_before_le L (S q) (S (length s)) ltac:(lia)) as B.
    rewrite ranks_before_S in B by lia; rewrite at_rank_app1, IH, query_app1
      by (rewrite ?vector_length; lia); f_equal; apply sum_to_ext; intros p P.
    rewrite query_app1 by lia; reflexivity.
Qed.
Lemma rank_has_place L m p : (1 <= p <= ranks_before L (S m))%nat -> exists q i,
  (1 <= q <= m)%nat /\ (1 <= i <= L q)%nat /\ p = (ranks_before L q + i)%nat.
Proof.
  induction m as [|m IH]; intros P; [cbn in P; lia|]; rewrite ranks_before_S in P by lia.
  destruct (Nat.le_gt_cases p (ranks_before L (S m))) as [C|C].
  - destruct IH as (q & i & Q & I & E); [lia|]; exists q, i; lia.
  - exists (S m), (p - ranks_before L (S m))%nat; lia.
Qed.
(** Each result that is looked at has its rank, and no rank is beyond X. *)
Definition has_ranks X L (s : list (list R)) := forall q, (1 <= q <= length s)%nat ->
  (Nat.min X (length (query s q)) <= L q <= X)%nat.
Lemma ranks_of_has X c s : has_ranks X (ranks_of X c s) s.
Proof. intros q _; apply SES_4_L1. Qed.
Lemma dcg_at_end X L d s q : has_ranks X L s -> (1 <= q <= length s)%nat ->
  dcg (L q) d (query s q) = dcg X d (query s q).
Proof. intros H Q; specialize (H q Q); unfold dcg; f_equal; lia. Qed.
(** Before the first rank of query q, the vector has what the queries before it gain. *)
Lemma vector_before X L d D s q : has_ranks X L s -> (1 <= q <= S (length s))%nat ->
  at_rank (0 :: concat (vector_rows X L d D s)) (S (ranks_before L q)) =
  sum_to (fun p => D p * dcg X d (query s p)) (q - 1).
Proof.
  intros H; induction q as [|q IH]; intros Q; [lia|]; destruct (Nat.eq_dec q 0) as [->|N];
    [reflexivity|].
  specialize (IH ltac:(lia)); rewrite ranks_before_S by lia; specialize (H q ltac:(lia)) as Hq.
  replace (S q - 1)%nat with (S (q - 1)) by lia; cbn [sum_to]; replace (S (q - 1)) with q by lia.
  destruct (Nat.eq_dec (L q) 0) as [Z|P].
  - rewrite Z, Nat.add_0_r, IH; assert (dcg X d (query s q) = 0) as ->; [|ring]; unfold dcg.
    replace (Nat.min X (length (query s q))) with 0%nat by lia; reflexivity.
  - pose proof (vector_at X L d D s q (L q) ltac:(lia) ltac:(lia)) as V.
    rewrite (dcg_at_end X L) in V by (assumption || lia); rewrite <- V; unfold at_rank.
    destruct (ranks_before L q + L q)%nat eqn:E; [lia|]; cbn; rewrite Nat.sub_0_r; reflexivity.
Qed.
Lemma vector_steps X L d D s q i : has_ranks X L s -> (1 <= q <= length s)%nat ->
  (1 <= i <= L q)%nat -> let V := concat (vector_rows X L d D s) in let p := (ranks_before L q +
  i)%nat in at_rank V p - at_rank (0 :: V) p = D q * d i * at_rank (query s q) i.
Proof.
  intros H Q I V p; unfold V at 1, p at 1; rewrite vector_at by assumption.
  destruct (Nat.eq_dec i 1) as [->|N].
  - unfold p; rewrite Nat.add_1_r; unfold V; rewrite vector_before by (assumption || lia).
    rewrite dcg_sum; cbn; ring.
  - assert (at_rank (0 :: V) p = at_rank V (ranks_before L q + (i - 1))) as ->.
    { unfold at_rank, p; replace (ranks_before L q + i - 1)%nat with (S (ranks_before L q + (i - 1)
        - 1)) by lia; reflexivity. }
    unfold V; rewrite vector_at by lia; replace i with (S (i - 1)) at 1 3 4 by lia.
    pose proof (DCG_3_L2 (i - 1) d (query s q)) as E; replace (S (i - 1)) with i in * by lia; nra.
Qed.
Lemma at_rank_next V p : (1 <= p)%nat -> at_rank (0 :: V) (S p) = at_rank V p.
Proof. intros P; unfold at_rank; replace (S p - 1)%nat with (S (p - 1)) by lia; reflexivity. Qed.
Lemma vector_rises X L d D s p : has_ranks X L s -> nonneg d -> nonneg D -> Forall (Forall (Rle 0))
  s
  -> (1 <= p <= length (concat (vector_rows X L d D s)))%nat ->
  at_rank (0 :: concat (vector_rows X L d D s)) p <= at_rank (concat (vector_rows X L d D s)) p.
Proof.
  intros H N M F P; rewrite vector_length in P; destruct (rank_has_place L _ p P) as (q & i & Q & I
    & ->).
  pose proof (vector_steps X L d D s q i H Q I) as E; cbn zeta in E.
  assert (0 <= D q * d i * at_rank (query s q) i); [|lra].
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply M|apply N]; lia|].
  apply at_rank_nonneg, query_gains; assumption.
Qed.
Lemma firstn_seq k a n : firstn k (seq a n) = seq a (Nat.min k n).
Proof. revert a n; induction k as [|k IH]; intros a [|n]; cbn; [reflexivity..|]; rewrite IH;
  reflexivity. Qed.

(** RS-SES-5/L1: its differences are D(q) d(i) G_q[i] >= 0, and 0 at padded ranks; 0 :: V has
    V[p - 1] at p, and V[0] = 0 *)
Theorem SES_5_L1 X c d D s q i : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  (1 <= q <= length s)%nat -> (1 <= i <= ranks_of X c s q)%nat ->
  let V := session_vector X c d D s in let p := (ranks_before (ranks_of X c s) q + i)%nat in
  at_rank V p - at_rank (0 :: V) p = D q * d i * at_rank (query s q) i /\
  0 <= D q * d i * at_rank (query s q) i /\
  ((length (query s q) < i)%nat -> at_rank V p - at_rank (0 :: V) p = 0).
Proof.
  intros N M F Q I V p; pose proof (vector_steps X _ d D s q i (ranks_of_has X c s) Q I) as E;
    cbn zeta in E; fold p in E; change (concat _) with V in E; split; [exact E|]; split.
  - apply Rmult_le_pos; [apply Rmult_le_pos; [apply M|apply N]; lia|].
    apply at_rank_nonneg, query_gains; assumption.
  - intros B; rewrite E, at_rank_beyond by assumption; ring.
Qed.
(** RS-SES-5/L1: ... so it does not fall *)
Theorem SES_5_L1_rises X c d D s p : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  let V := session_vector X c d D s in (1 <= p < length V)%nat -> at_rank V p <= at_rank V (S p).
Proof.
  intros N M F V P; rewrite <- (at_rank_next V p) by lia; apply vector_rises;
    auto using ranks_of_has; fold (session_vector X c d D s); fold V; lia.
Qed.
(** RS-SES-5/L2: at the last rank of query q it is sDCG(1)[X] + ... + sDCG(q)[X] *)
Theorem SES_5_L2 X c d D s q : (1 <= q <= length s)%nat -> (1 <= ranks_of X c s q)%nat ->
  at_rank (session_vector X c d D s) (ranks_before (ranks_of X c s) q + ranks_of X c s q) =
  sum_to (fun p => query_sdcg d D p (query s p) X) q.
Proof.
  intros Q I; unfold session_vector; rewrite vector_at, (dcg_at_end X) by
    (auto using ranks_of_has; lia).
  replace q with (S (q - 1)) at 4 by lia; cbn [sum_to]; replace (S (q - 1)) with q by lia.
  reflexivity.
Qed.
(** RS-SES-5/L2: ... the summand of a short list is its last component, that of an empty list is 0
    *)
Theorem SES_5_L2_short X d D q r : (length r <= X)%nat ->
  query_sdcg d D q r X = query_sdcg d D q r (length r) /\ query_sdcg d D q [] X = 0.
Proof.
  intros L; unfold query_sdcg, dcg; rewrite Nat.min_r, Nat.min_id, Nat.min_0_r by assumption; cbn;
    split; ring.
Qed.
(** RS-SES-5/L3: the vector with the padding 0 is that with any other padding, without the padded
    ranks: of each query the first min(X, n_q) components stay *)
Theorem SES_5_L3 X c d D s q : (1 <= q <= length s)%nat ->
  query (vector_rows X (ranks_of X 0 s) d D s) q =
  firstn (Nat.min X (length (query s q))) (query (vector_rows X (ranks_of X c s) d D s) q).
Proof.
  intros Q; unfold vector_rows; rewrite !query_map_seq, firstn_map, firstn_seq by assumption.
  do 2 f_equal; unfold ranks_of, ranks; lia.
Qed.
(** RS-SES-5/L4: the first q queries alone have the vector's first L_1 + ... + L_q components *)
Theorem SES_5_L4 X c d D s t : session_vector X c d D s =
  firstn (ranks_before (ranks_of X c (s ++ t)) (S (length s))) (session_vector X c d D (s ++ t)).
Proof.
  unfold session_vector; rewrite firstn_vector; f_equal; apply vector_ext; intros q Q.
  unfold ranks_of; rewrite query_app1 by assumption; reflexivity.
Qed.

(** * Laws of sDCG *)

(** RS-SES-6/L1: it is the last component of the session's vector, with any padding,
    if the vector is not empty *)
Theorem SES_6_L1 X c d D s : let V := session_vector X c d D s in V <> [] ->
  at_rank V (length V) = sdcg X d D s.
Proof.
  intros V H; assert (1 <= length V)%nat by (destruct V; [contradiction|cbn; lia]).
  rewrite <- at_rank_next by assumption; unfold V, session_vector; rewrite vector_length.
  rewrite vector_before by (auto using ranks_of_has; lia); unfold sdcg; f_equal; lia.
Qed.
Lemma dcg_cut_list X d r : dcg X d (firstn X r) = dcg X d r.
Proof. rewrite !dcg_firstn, firstn_firstn, Nat.min_id; reflexivity. Qed.
Lemma sdcg_cut X d D s : sdcg X d D (map (firstn X) s) = sdcg X d D s.
Proof.
  unfold sdcg; rewrite map_length; apply sum_to_ext; intros q Q; f_equal.
  assert (query (map (firstn X) s) q = firstn X (query s q)) as ->; [|apply dcg_cut_list].
  unfold query; rewrite (nth_indep _ [] (firstn X [])), map_nth by (rewrite map_length; lia);
    reflexivity.
Qed.
Lemma sdcg_gains_of X d D delta ids s : sdcg X d D (gains_of X delta ids s) =
  sum_to (fun q => D q * sum_to (fun i => repeated delta (at_rank (query s q) i)
    (appearance X ids q i) * d i) (Nat.min X (length (query s q)))) (length s).
Proof.
  unfold sdcg; rewrite gains_of_length; apply sum_to_ext; intros q Q; f_equal; unfold dcg.
  rewrite gains_of_query_length, Nat.min_assoc, Nat.min_id by assumption; apply sum_to_ext;
    intros i I; rewrite gains_of_at by assumption; reflexivity.
Qed.
(** Where "every" holds, or no document is repeated, the gains are those of the labels. *)
Definition as_shown X delta (ids : list (list nat)) := delta = 1 \/ NoDup (looked_at X ids).
Lemma gains_as_shown X delta ids s : same_form ids s -> as_shown X delta ids ->
  gains_of X delta ids s = map (firstn X) s.
Proof.
  intros F [->|N]; [apply SES_2_L1|]; rewrite (SES_2_L5 X delta 1 ids s F N); apply SES_2_L1.
Qed.
Lemma sdcg_as_shown X d D delta ids s : same_form ids s -> as_shown X delta ids ->
  sdcg X d D (gains_of X delta ids s) = sdcg X d D s.
Proof. intros F A; rewrite gains_as_shown by assumption; apply sdcg_cut. Qed.

(** RS-SES-6/L2: of one query it is D(1) DCG@X, with "every" or without a repeated document *)
Theorem SES_6_L2 X d D delta u r : length u = length r -> delta = 1 \/ NoDup (firstn X u) ->
  sdcg X d D (gains_of X delta [u] [r]) = D 1%nat * dcg X d r.
Proof.
  intros L N; rewrite sdcg_as_shown; [apply sdcg_one| |].
  - unfold same_form; cbn; rewrite L; reflexivity.
  - destruct N as [N|N]; [left; assumption|right]; unfold looked_at; cbn; rewrite app_nil_r;
    assumption.
Qed.
(** RS-SES-6/L2: ... which is DCG@X with the three discounts that begin with 1;
    <a, a> with "first" has the value of <a> *)
Theorem SES_6_L2_one X d D r b a g : 1 < b ->
  D = d_jarvelin_2008 b \/ D = d_jiang_2016 b \/ D = d_none ->
  sdcg X d D [r] = dcg X d r /\ sdcg X d D (gains_of X 0 [[a; a]] [[g; g]]) = dcg X d [g].
Proof.
  intros B E; assert (D 1%nat = 1) as D1 by (destruct E as [->|[->| ->]]; [apply DISC_2_L1, B|
    apply DISC_7_L2, B|reflexivity]); split; [rewrite sdcg_one, D1; ring|].
  rewrite sdcg_gains_of; cbn [length sum_to]; rewrite D1; unfold dcg; cbn [length].
  change (query [[g; g]] 1) with [g; g]; cbn [length]; destruct X as [|[|X]].
  - cbn; ring.
  - cbn; unfold repeated; destruct (Nat.eq_dec a a); [|contradiction]; cbn; ring.
  - replace (Nat.min (S (S X)) 2) with 2%nat by lia; replace (Nat.min (S (S X)) 1) with 1%nat by
    lia.
    unfold repeated, appearance, document; cbn; destruct (Nat.eq_dec a a); [|contradiction]; cbn;
      ring.
Qed.

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
    putting one before the others never raises it ... *)
Theorem SES_6_L6 X d D s n : nonneg d -> falls D -> Forall (Forall (Rle 0)) s ->
  sdcg X d D (s ++ [repeat 0 n]) = sdcg X d D s /\ sdcg X d D (repeat 0 n :: s) <= sdcg X d D s.
Proof.
  intros N F A; assert (dcg X d (repeat 0 n) = 0) as Z by (rewrite dcg_cut, whole_repeat; ring);
  split.
  - rewrite sdcg_app, sdcg_one, Z; ring.
  - destruct (SES_6_L5 X d D [repeat 0 n] s N F A) as [_ L]; rewrite sdcg_one, Z in L;
    change ([repeat 0 n] ++ s) with (repeat 0 n :: s) in L; lra.
Qed.
Lemma appearance_behind X u ids q i : (1 <= q)%nat ->
  (appearance X ids q i <= appearance X (u :: ids) (S q) i)%nat.
Proof.
  intros Q; unfold appearance, document, query; destruct q as [|q]; [lia|]; cbn [Nat.sub].
  rewrite !Nat.sub_0_r; cbn [nth firstn]; unfold looked_at; cbn [map concat].
  rewrite <- app_assoc, (count_occ_app _ (firstn X u)); lia.
Qed.
Lemma repeated_falls delta g t u : 0 <= delta <= 1 -> 0 <= g -> (t <= u)%nat ->
  0 <= repeated delta g u <= repeated delta g t.
Proof.
  intros T G L; unfold repeated; replace (u - 1)%nat with (t - 1 + (u - 1 - (t - 1)))%nat by lia.
  set (k := (u - 1 - (t - 1))%nat); rewrite pow_add.
  pose proof (pow_le delta (t - 1) (proj1 T)); pose proof (pow_le delta k (proj1 T)).
  pose proof (pow_incr delta 1 k T) as P; rewrite pow1 in P.
  split; [repeat apply Rmult_le_pos; assumption|]; apply Rmult_le_compat_l; [assumption|nra].
Qed.
(** RS-SES-6/L6: ... for any repeats *)
Theorem SES_6_L6_repeats X d D delta u ids s n : nonneg d -> falls D -> nonneg D ->
  Forall (Forall (Rle 0)) s -> 0 <= delta <= 1 -> same_form ids s ->
  let V i x := sdcg X d D (gains_of X delta i x) in
  V (ids ++ [u]) (s ++ [repeat 0 n]) = V ids s /\ V (u :: ids) (repeat 0 n :: s) <= V ids s.
Proof.
  intros N F M A T E V; unfold V; rewrite !sdcg_gains_of.
  assert (length ids = length s) as L by (apply (f_equal (@length nat)) in E; rewrite !map_length in
    E; exact E).
  assert (forall k (t : nat -> nat) e, sum_to (fun i =>
    repeated delta (at_rank (repeat 0 n) i) (t i) * d i) k = e * 0) as Z.
  { intros k t e; rewrite sum_to_zero; [ring|]; intros i I; unfold at_rank; rewrite nth_repeat.
    unfold repeated; ring. }
  split.
  - rewrite app_length, Nat.add_1_r; cbn [sum_to]; rewrite query_last, (Z _ _ 0).
    rewrite !Rmult_0_r, Rplus_0_r; apply sum_to_ext; intros q Q; rewrite query_app1 by assumption.
    f_equal; apply sum_to_ext; intros i I.
    rewrite (proj1 (appearance_app X ids [u] q i ltac:(lia))); reflexivity.
  - cbn [length]; rewrite sum_to_first; change (query (repeat 0 n :: s) 1) with (repeat 0 n).
    rewrite (Z _ _ 0), !Rmult_0_r, Rplus_0_l; apply sum_to_le; intros q Q; unfold shift.
    assert (query (repeat 0 n :: s) (1 + q) = query s q) as -> by (unfold query; destruct q; [lia|];
      cbn; rewrite Nat.sub_0_r; reflexivity).
    assert (forall i, (1 <= i)%nat -> let g := at_rank (query s q) i in
      0 <= repeated delta g (appearance X (u :: ids) (1 + q) i) <=
        repeated delta g (appearance X ids q i)) as K.
    { intros i I g; apply repeated_falls; [exact T|apply at_rank_nonneg, query_gains, A|].
      apply appearance_behind; lia. }
    apply Rmult_le_compat.
    + apply M; lia.
    + apply sum_to_nonneg; intros i I; apply Rmult_le_pos; [apply K; lia|apply N; lia].
    + apply falls_le; [exact F|lia].
    + apply sum_to_le; intros i I; apply Rmult_le_compat_r; [apply N; lia|apply K; lia].
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
(** A polynomial with coefficients that are not negative *)
Definition positive_polynomial (f : R -> R) := exists (c : nat -> R) n, (forall k, 0 <= c k) /\
  forall x, f x = sum_to (fun k => c k * x ^ (k - 1)) n.
Lemma polynomial_zero : positive_polynomial (fun _ => 0).
Proof. exists (fun _ => 0), 0%nat; split; intros; [lra|reflexivity]. Qed.
Lemma polynomial_power a k : 0 <= a -> positive_polynomial (fun x => a * x ^ k).
Proof.
  intros A; exists (fun j => if (j =? S k)%nat then a else 0), (S k); split.
  - intro j; destruct (j =? S k)%nat; lra.
  - intro x; cbn [sum_to]; rewrite Nat.eqb_refl, sum_to_zero; [replace (S k - 1)%nat with k by lia;
    ring|].
    intros j J; cbn beta; destruct (Nat.eqb_spec j (S k)); [lia|lra].
Qed.
Lemma polynomial_plus f g : positive_polynomial f -> positive_polynomial g ->
  positive_polynomial (fun x => f x + g x).
Proof.
  intros (c & n & C & F) (e & m & E & G).
  exists (fun k => (if (k <=? n)%nat then c k else 0) + (if (k <=? m)%nat then e k else 0)),
    (Nat.max n m); split.
  - intro k; specialize (C k); specialize (E k); destruct (k <=? n)%nat, (k <=? m)%nat; lra.
  - intro x; rewrite F, G; symmetry.
    rewrite (sum_to_ext _ (fun k => (if (k <=? n)%nat then c k else 0) * x ^ (k - 1) +
      (if (k <=? m)%nat then e k else 0) * x ^ (k - 1))) by (intros; ring); rewrite sum_to_plus.
    assert (forall (a : nat -> R) h, (h <= Nat.max n m)%nat -> sum_to (fun k => (if (k <=? h)%nat
      then a k else 0) * x ^ (k - 1)) (Nat.max n m) = sum_to (fun k => a k * x ^ (k - 1)) h) as H.
    { intros a h L; rewrite (sum_to_beyond _ h); [|intros k K; cbn beta; destruct (Nat.leb_spec k
      h);
        [lia|ring]|assumption].
      apply sum_to_ext; intros k K; destruct (Nat.leb_spec k h); [reflexivity|lia]. }
    rewrite !H by lia; reflexivity.
Qed.
Lemma polynomial_scale a f : 0 <= a -> positive_polynomial f -> positive_polynomial (fun x => a *
  f x).
Proof.
  intros A (c & n & C & F); exists (fun k => a * c k), n; split; [intro k; specialize (C k); nra|].
  intro x; rewrite F, <- sum_to_scale; apply sum_to_ext; intros; ring.
Qed.
Lemma polynomial_sum f n : (forall i, (1 <= i <= n)%nat -> positive_polynomial (f i)) ->
  positive_polynomial (fun x => sum_to (fun i => f i x) n).
Proof.
  induction n as [|n IH]; intros H; [apply polynomial_zero|]; cbn [sum_to].
  apply polynomial_plus; [apply IH; intros; apply H; lia|apply H; lia].
Qed.
Lemma polynomial_ext f g : (forall x, f x = g x) -> positive_polynomial f -> positive_polynomial g.
Proof. intros E (c & n & C & F); exists c, n; split; [assumption|]; intro x; rewrite <- E; apply F.
  Qed.
Lemma polynomial_rises f a b : positive_polynomial f -> 0 <= a <= b -> f a <= f b.
Proof.
  intros (c & n & C & F) L; rewrite !F; apply sum_to_le; intros k _; apply Rmult_le_compat_l;
    [apply C|apply pow_incr; assumption].
Qed.
Lemma power_convex a b t k : 0 <= a -> 0 <= b -> 0 <= t <= 1 ->
  ((1 - t) * a + t * b) ^ k <= (1 - t) * a ^ k + t * b ^ k.
Proof.
  intros A B T; induction k as [|k IH]; [cbn; lra|]; cbn [pow].
  apply Rle_trans with (((1 - t) * a + t * b) * ((1 - t) * a ^ k + t * b ^ k)).
  - apply Rmult_le_compat_l; [|assumption].
    pose proof (Rmult_le_pos (1 - t) a); pose proof (Rmult_le_pos t b); lra.
  - assert (0 <= (a - b) * (a ^ k - b ^ k)).
    { destruct (Rle_dec a b).
      - pose proof (pow_incr a b k ltac:(lra)); nra.
      - pose proof (pow_incr b a k ltac:(lra)); nra. }
    assert (0 <= t * (1 - t) * ((a - b) * (a ^ k - b ^ k))) by (apply Rmult_le_pos; nra); nra.
Qed.
Lemma polynomial_convex f a b t : positive_polynomial f -> 0 <= a -> 0 <= b -> 0 <= t <= 1 ->
  f ((1 - t) * a + t * b) <= (1 - t) * f a + t * f b.
Proof.
  intros (c & n & C & F) A B T; rewrite !F, <- !sum_to_scale, <- sum_to_plus; apply sum_to_le.
  intros k _; pose proof (power_convex a b t (k - 1) A B T); specialize (C k).
  apply Rle_trans with (c k * ((1 - t) * a ^ (k - 1) + t * b ^ (k - 1))); [|lra].
  apply Rmult_le_compat_l; assumption.
Qed.
(** RS-SES-6/L8: as a function of delta it is a polynomial whose coefficients are at least 0 ... *)
Theorem SES_6_L8 X d D ids s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  positive_polynomial (fun delta => sdcg X d D (gains_of X delta ids s)).
Proof.
  intros N M F; eapply polynomial_ext; [intro x; symmetry; apply sdcg_gains_of|].
  apply polynomial_sum; intros q Q; apply polynomial_scale; [apply M; lia|].
  apply polynomial_sum; intros i I.
  eapply polynomial_ext; [|apply (polynomial_power (at_rank (query s q) i * d i) (appearance X ids q
    i - 1))]; [intro x; unfold repeated; cbn beta; ring|].
  apply Rmult_le_pos; [apply at_rank_nonneg, query_gains; assumption|apply N; lia].
Qed.
(** RS-SES-6/L8: ... so it does not fall with delta, and is convex ... *)
Theorem SES_6_L8_convex X d D ids s a b t : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  let V := fun delta => sdcg X d D (gains_of X delta ids s) in 0 <= a <= b -> 0 <= t <= 1 ->
  V a <= V b /\ V ((1 - t) * a + t * b) <= (1 - t) * V a + t * V b.
Proof.
  intros N M F V A T; pose proof (SES_6_L8 X d D ids s N M F) as P; split;
    [apply polynomial_rises|apply polynomial_convex]; assumption || lra.
Qed.
(** RS-SES-6/L8: ... so that it is at most (1 - delta) sDCG_first + delta sDCG_every *)
Theorem SES_6_L8_chord X d D ids s delta : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  0 <= delta <= 1 -> sdcg X d D (gains_of X delta ids s) <=
  (1 - delta) * sdcg X d D (gains_of X 0 ids s) + delta * sdcg X d D s.
Proof.
  intros N M F T; pose proof (SES_6_L8_convex X d D ids s 0 1 delta N M F ltac:(lra) T) as [_ C].
  cbn beta zeta in C; rewrite SES_2_L1, sdcg_cut in C.
  replace ((1 - delta) * 0 + delta * 1) with delta in C by ring; exact C.
Qed.
Lemma sdcg_gains_le X d D delta ids s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  0 <= delta <= 1 -> sdcg X d D (gains_of X delta ids s) <= sdcg X d D s.
Proof.
  intros N M F T; rewrite <- (sdcg_cut X d D s), <- (SES_2_L1 X ids s).
  apply (polynomial_rises _ _ _ (SES_6_L8 X d D ids s N M F)); lra.
Qed.

Lemma sdcg_more X Y d D s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s -> (X <= Y)%nat ->
  sdcg X d D s <= sdcg Y d D s.
Proof.
  intros N M F L; apply sum_to_le; intros q Q; apply Rmult_le_compat_l; [apply M; lia|].
  apply dcg_more; [assumption|apply query_gains; assumption|assumption].
Qed.
Lemma NoDup_app_l {A} (a b : list A) : NoDup (a ++ b) -> NoDup a.
Proof.
  induction a as [|x a IH]; intros N; [constructor|]; inversion N as [|? ? I M]; subst.
  constructor; [intro J; apply I, in_or_app; auto|apply IH; assumption].
Qed.
Lemma looked_at_less {A} X Y (s : list (list A)) : (X <= Y)%nat -> exists rest,
  Permutation (looked_at Y s) (looked_at X s ++ rest).
Proof.
  intros L; exists (concat (map (fun r => skipn X (firstn Y r)) s)); induction s as [|r s IH];
    [constructor|].
  unfold looked_at in *; cbn [map concat]; rewrite <- (firstn_skipn X (firstn Y r)) at 1.
  rewrite firstn_firstn, Nat.min_l, <- !app_assoc by assumption; apply Permutation_app_head.
  rewrite IH; apply Permutation_app_swap_app.
Qed.
(** RS-SES-6/L9: it does not fall with X, where "every" holds or no document is repeated *)
Theorem SES_6_L9 X Y d D delta ids s : nonneg d -> nonneg D -> Forall (Forall (Rle 0)) s ->
  same_form ids s -> as_shown Y delta ids -> (X <= Y)%nat ->
  sdcg X d D (gains_of X delta ids s) <= sdcg Y d D (gains_of Y delta ids s).
Proof.
  intros N M F S A L; rewrite !sdcg_as_shown; [|assumption|assumption|assumption|].
  - apply sdcg_more; assumption.
  - destruct A as [A|A]; [left; assumption|right]; destruct (looked_at_less X Y ids L) as [rest P].
    apply (Permutation_NoDup P) in A; exact (NoDup_app_l _ _ A).
Qed.
(** RS-SES-6/L9: with "first" it may fall: <0, 1>, <1> with one relevant document *)
Theorem SES_6_L9_first : let V := fun X => sdcg X (d_jarvelin_2008 2) (d_jarvelin_2008 4)
  (gains_of X 0 [[1; 2]; [2]]%nat [[0; 1]; [1]]) in V 1%nat = 2 / 3 /\ V 2%nat = 1 / 2.
Proof.
  destruct (DISC_2_L1 2 ltac:(lra)) as [d1 _], (DISC_2_L1 4 ltac:(lra)) as [D1 _].
  destruct (DISC_2_L3 2 ltac:(lra)) as [d2 [e2 _]], (DISC_2_L3 4 ltac:(lra)) as [D2 [_ E2]].
  rewrite d1 in d2; rewrite D1 in D2; intro V; unfold V; rewrite !sdcg_gains_of; unfold repeated,
    appearance, document, at_rank; cbn -[d_jarvelin_2008]; rewrite d1, D1; split; lra.
Qed.
