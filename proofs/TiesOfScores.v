(* Tie groups from scores, and the rules that order them: spec/ties.md. *)
Require Import Reals Lra Lia List Permutation Psatz Sorted.
From Rankspec Require Import Numbers Gain Ties Dcg Length Bounds.
Import ListNotations.
Open Scope R_scope.

(** * Tie groups *)

Section Items.
Context {A : Type}.
Implicit Types (x y : A) (T : list (R * list A)).

(** An item joins the group of its score; the groups are by falling score. *)
Fixpoint join s x T := match T with
  | [] => [(s, [x])]
  | (s', t) :: T' => if Req_EM_T s s' then (s', x :: t) :: T'
      else if Rlt_dec s' s then (s, [x]) :: T else (s', t) :: join s x T'
  end.
Fixpoint scored (sigma : A -> R) l := match l with [] => [] | x :: l' =>
  join (sigma x) x (scored sigma l') end.
(** RS-TIE-1: the groups of items of equal score, the best score first *)
Definition groups sigma l := map snd (scored sigma l).

(** The groups are by falling score, and hold the items of that score, all of them and in order. *)
Lemma join_in s x T g : In g (join s x T) -> fst g = s \/ exists h, In h T /\ fst h = fst g.
Proof.
  induction T as [|[s' t] T IH]; cbn; [intros [<-|[]]; auto|].
  destruct (Req_EM_T s s'); [|destruct (Rlt_dec s' s)].
  - intros [<-|I]; [left; cbn; congruence|right; exists g; auto].
  - intros [<-|[<-|I]]; [auto|right; exists (s', t); auto|right; exists g; auto].
  - intros [<-|I]; [right; exists (s', t); auto|].
    destruct (IH I) as [E|(h & H & E)]; [auto|right; exists h; auto].
Qed.
Theorem groups_fall sigma l : StronglySorted (fun g h => fst h < fst g) (scored sigma l).
Proof.
  induction l as [|x l IH]; cbn; [constructor|]; generalize dependent (scored sigma l).
  generalize (sigma x) as s; intros s T S; induction S as [|[s' t] T S IH F]; cbn.
  - repeat constructor.
  - destruct (Req_EM_T s s'); [|destruct (Rlt_dec s' s)].
    + constructor; [assumption|]; exact F.
    + constructor; [constructor; assumption|]; constructor; [assumption|]; eapply Forall_impl;
    [|exact F]; cbn; intros; lra.
    + constructor; [assumption|]; apply Forall_forall; intros g G; apply join_in in G; cbn.
      rewrite Forall_forall in F; destruct G as [->|(h & H & <-)]; [lra|apply (F h H)].
Qed.
Lemma join_filter (f : A -> R) s x T : s = f x -> StronglySorted (fun g h => fst h < fst g) T ->
  Forall (fun g => Forall (fun y => f y = fst g) (snd g)) T ->
  Forall (fun g => Forall (fun y => f y = fst g) (snd g)) (join s x T).
Proof.
  intros E S F; induction F as [|[s' t] T G F IH]; cbn; [repeat constructor; cbn; auto|].
  inversion S; subst; destruct (Req_EM_T (f x) s') as [<-|]; [|destruct (Rlt_dec s' (f x))];
  repeat (constructor; cbn; auto).
Qed.
(** Tied items, and they alone, are in one group. *)
Theorem groups_tied sigma l : Forall (fun g => Forall (fun y => sigma y = fst g) (snd g)) (scored
  sigma l).
Proof.
  induction l as [|x l IH]; cbn; [constructor|]; apply join_filter; [reflexivity|apply
  groups_fall|assumption].
Qed.
Lemma join_perm s x T : Permutation (x :: concat (map snd T)) (concat (map snd (join s x T))).
Proof.
  induction T as [|[s' t] T IH]; cbn; [reflexivity|].
  destruct (Req_EM_T s s'); [reflexivity|]; destruct (Rlt_dec s' s); [reflexivity|]; cbn.
  rewrite <- IH; apply Permutation_middle.
Qed.
Theorem groups_perm sigma l : Permutation l (concat (groups sigma l)).
Proof.
  unfold groups; induction l as [|x l IH]; cbn; [constructor|]; rewrite <- join_perm; apply
  perm_skip, IH.
Qed.

(** RS-TIE-1/L1: a strictly increasing map of the scores does not change the groups *)
Theorem TIE_1_L1 (f : R -> R) sigma l : (forall s t, s < t -> f s < f t) ->
  groups (fun x => f (sigma x)) l = groups sigma l.
Proof.
  intros H; assert (forall s t, f s = f t -> s = t) as inj by (intros s t E;
  destruct (Rtotal_order s t) as [L|[L|L]]; [apply H in L; lra|assumption|apply H in L; lra]).
  assert (scored (fun x => f (sigma x)) l = map (fun g => (f (fst g), snd g)) (scored sigma l)) as
  E.
  { induction l as [|x l IH]; cbn; [reflexivity|]; rewrite IH; generalize (sigma x) as s; intro s.
    generalize (scored sigma l) as T; intro T; induction T as [|[s' t] T IHT]; cbn; [reflexivity|].
    destruct (Req_EM_T (f s) (f s')) as [E|E], (Req_EM_T s s') as [E'|E'].
    - reflexivity.
    - apply inj in E; contradiction.
    - subst; contradiction.
    - destruct (Rlt_dec (f s') (f s)) as [L|L], (Rlt_dec s' s) as [L'|L']; cbn; try reflexivity.
      + destruct (Rtotal_order s s') as [K|[K|K]]; [apply H in K; lra|contradiction|contradiction].
      + apply H in L'; contradiction.
      + rewrite IHT; reflexivity. }
  unfold groups; rewrite E, map_map; reflexivity.
Qed.

Definition same_groups T T' := Forall2 (fun g h => fst g = fst h /\ Permutation (snd g) (snd h)) T
  T'.
Lemma same_groups_refl T : same_groups T T.
Proof. induction T; constructor; auto. Qed.
Lemma join_join s x t y T : same_groups (join s x (join t y T)) (join t y (join s x T)).
Proof.
  induction T as [|[s' u] T IH]; cbn.
  - destruct (Req_EM_T s t), (Req_EM_T t s), (Rlt_dec t s), (Rlt_dec s t); try lra; subst;
    repeat constructor; auto using perm_swap.
  - destruct (Req_EM_T t s'), (Req_EM_T s s'), (Rlt_dec s' t), (Rlt_dec s' s); try lra; subst; cbn;
    repeat match goal with
      | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b); try lra
      | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b); try lra end; subst;
    repeat (constructor; auto using perm_swap); try apply same_groups_refl; try exact IH.
Qed.
Lemma join_same s x T T' : same_groups T T' -> same_groups (join s x T) (join s x T').
Proof.
  intros F; induction F as [|[a t] [b u] T T' [E P] F IH]; [repeat constructor; auto|]; cbn in *;
  subst.
  destruct (Req_EM_T s b); [|destruct (Rlt_dec b s)]; repeat (constructor; cbn; auto).
Qed.
Lemma same_groups_trans T T' T'' : same_groups T T' -> same_groups T' T'' -> same_groups T T''.
Proof.
  intros F; revert T''; induction F as [|g h T T' [E P] F IH]; intros T'' G; inversion G as [|? k ?
  ? [E' P'] G']; subst; constructor; [split; [congruence|eapply perm_trans; eassumption]|apply IH,
  G'].
Qed.
Lemma scored_perm sigma l l' : Permutation l l' -> same_groups (scored sigma l) (scored sigma l').
Proof.
  induction 1; cbn; [constructor|apply join_same; assumption|apply join_join|eapply
  same_groups_trans; eassumption].
Qed.
(** RS-TIE-1/L2: which items form the groups does not depend on the order of the input *)
Theorem TIE_1_L2 sigma l l' : Permutation l l' ->
  Forall2 (@Permutation A) (groups sigma l) (groups sigma l').
Proof.
  intros P; apply scored_perm with (sigma := sigma) in P; unfold groups; induction P as [|g h T T'
  [_ H] F IH]; constructor; assumption.
Qed.

(** * The rules for ties *)

(** By a falling key; items of an equal key keep their order. *)
Fixpoint put_by (key : A -> R) x l := match l with [] => [x] | y :: l' =>
  if Rle_dec (key y) (key x) then x :: l else y :: put_by key x l' end.
Fixpoint order_by key l := match l with [] => [] | x :: l' => put_by key x (order_by key l') end.

(** RS-TIE-2: the order of a group, of items with an id, numbers that are ordered as the ids are,
    and a label *)
Inductive rule := id_descending | id_ascending | input | best_first | worst_first.
Definition by_rule (i label : A -> R) r t := match r with
  | id_descending => order_by i t
  | id_ascending => order_by (fun x => - i x) t
  | input => t
  | best_first => order_by label t
  | worst_first => order_by (fun x => - label x) t
  end.
Definition ranking i label r sigma l := concat (map (by_rule i label r) (groups sigma l)).
(** The value under a rule, and under "expected" *)
Definition value i label r sigma (M : list R -> R) l := M (map label (ranking i label r sigma l)).
Definition expected_value (label : A -> R) sigma M l := expectation M (map (map label) (groups sigma
  l)).

Lemma put_by_perm key x l : Permutation (x :: l) (put_by key x l).
Proof. induction l as [|y l IH]; cbn; [reflexivity|]; destruct (Rle_dec _ _); [reflexivity|].
  rewrite perm_swap; apply perm_skip, IH. Qed.
Lemma order_by_perm key l : Permutation l (order_by key l).
Proof. induction l as [|x l IH]; cbn; [reflexivity|]; rewrite <- put_by_perm; apply perm_skip, IH.
  Qed.
Lemma order_by_labels key l : map key (order_by key l) = best (map key l).
Proof.
  induction l as [|x l IH]; [reflexivity|]; cbn; rewrite <- IH; generalize (order_by key l).
  intro m; induction m as [|y m IHm]; [reflexivity|]; cbn; destruct (Rle_dec (key y) (key x));
  [reflexivity|].
  cbn; rewrite IHm; reflexivity.
Qed.
Lemma put_by_swap key x y l : key x <> key y -> put_by key x (put_by key y l) = put_by key y (put_by
  key x l).
Proof.
  intros N; induction l as [|z l IH]; cbn.
  - destruct (Rle_dec (key y) (key x)), (Rle_dec (key x) (key y)); try reflexivity; lra.
  - destruct (Rle_dec (key z) (key y)), (Rle_dec (key z) (key x)); cbn; repeat (destruct (Rle_dec _
  _); cbn); try reflexivity; try lra; rewrite IH; reflexivity.
Qed.
Lemma order_by_same key l l' : Permutation l l' ->
  (forall x y, In x l -> In y l -> key x = key y -> x = y) -> order_by key l = order_by key l'.
Proof.
  induction 1 as [|x l l' P IH|x y l|l l' l'' P IH P' IH']; intros H; cbn.
  - reflexivity.
  - rewrite IH; [reflexivity|intros; apply H; try right; assumption].
  - destruct (Req_dec (key x) (key y)) as [E|N]; [|symmetry; apply put_by_swap, N].
    rewrite (H x y); [reflexivity|right; left; reflexivity|left; reflexivity|exact E].
  - rewrite IH, IH'; [reflexivity| |assumption]; intros x y X Y; apply H; eapply Permutation_in;
    [symmetry; exact P|exact X|symmetry; exact P|exact Y].
Qed.
End Items.

Lemma worst_by_opposites l : map Ropp (best (map Ropp l)) = worst l.
Proof.
  assert (best (map Ropp l) = map Ropp (worst l)) as ->.
  { rewrite (best_of_perm (map Ropp l) (map Ropp (worst l))) by (apply Permutation_map, worst_perm).
    apply best_sorted; pose proof (worst_rises l) as S; induction S as [|x m S IH F]; cbn;
    constructor; [exact IH|]; apply Forall_map; eapply Forall_impl; [|exact F]; cbn; intros; lra. }
  rewrite map_map, (map_ext _ (fun x => x)), map_id by (intros; apply Ropp_involutive); reflexivity.
Qed.
(** What the rules "best" and "worst" make of the labels of a group *)
Lemma best_first_labels {A} (i label : A -> R) t : map label (by_rule i label best_first t) =
  best (map label t).
Proof. apply order_by_labels. Qed.
Lemma worst_first_labels {A} (i label : A -> R) t : map label (by_rule i label worst_first t) =
  worst (map label t).
Proof.
  rewrite <- worst_by_opposites, map_map, <- (order_by_labels (fun x => - label x)), map_map; cbn.
  apply map_ext; intro; symmetry; apply Ropp_involutive.
Qed.
Lemma labels_of_ranking {A} (i label : A -> R) r sigma (f : list R -> list R) l :
  (forall t, map label (by_rule i label r t) = f (map label t)) ->
  map label (ranking i label r sigma l) = concat (map f (map (map label) (groups sigma l))).
Proof.
  intros H; unfold ranking; rewrite concat_map, !map_map; f_equal; apply map_ext; intro; apply H.
Qed.

(** RS-TIE-2/L1: where no two scores are equal, all rules, "expected" included, give the same value
    *)
Theorem TIE_2_L1 {A} (i label : A -> R) sigma M l : NoDup (map sigma l) ->
  exists x, (forall r, value i label r sigma M l = x) /\ expected_value label sigma M l = x.
Proof.
  intros N; assert (exists p : list A, groups sigma l = map (fun x => [x]) p) as (p & P).
  { assert (Forall (fun g => exists x, g = [x]) (groups sigma l)) as F.
    { unfold groups; induction l as [|x l IH]; cbn; [constructor|]; inversion N as [|? ? X N'];
    subst.
      specialize (IH N'); assert (Forall (fun g => fst g <> sigma x) (scored sigma l)) as D.
      { pose proof (groups_tied sigma l) as G; pose proof (groups_perm sigma l) as P; unfold groups
      in P.
        rewrite Forall_forall in G |- *; intros g I E; specialize (G g I); apply X.
        rewrite Forall_map, Forall_forall in IH; destruct (IH g I) as (y & Y).
        rewrite Y in G; inversion G; subst; rewrite <- E; apply in_map_iff; exists y; split;
        [assumption|].
        eapply Permutation_in; [symmetry; exact P|]; apply in_concat; exists [y]; split; [|left;
        auto].
        apply in_map_iff; exists g; auto. }
      clear N X N'; induction D as [|[s t] T D1 D IHD]; cbn; [repeat constructor; exists x; auto|].
      inversion IH; subst; cbn in *; destruct (Req_EM_T (sigma x) s); [exfalso; auto|].
      destruct (Rlt_dec s (sigma x)); cbn; repeat (constructor; auto); exists x; reflexivity. }
    induction F as [|g G (x & ->) F (p & IH)]; [exists []; reflexivity|]; exists (x :: p); cbn.
    rewrite IH; reflexivity. }
  assert (forall r q, concat (map (by_rule i label r) (map (fun x => [x]) q)) = q) as C.
  { intros r; induction q as [|x q IH]; [reflexivity|]; cbn [map concat]; rewrite IH; destruct r;
    reflexivity. }
  exists (M (map label p)); split.
  - intros r; unfold value, ranking; rewrite P, C; reflexivity.
  - unfold expected_value; rewrite P, map_map; cbn [map].
    rewrite <- (map_map label (fun x => [x])); apply EXP_1_L1.
Qed.
(** RS-TIE-2/L2 in part: the value under "best" is the largest, that under "worst" the smallest, of
    the values of all orders of the groups, of a metric that never falls where an item with a higher
    label changes places with one right above it *)
Theorem TIE_2_L2_rules {A} (i label : A -> R) sigma M l p : better_first M ->
  In p (tied_orders (map (map label) (groups sigma l))) ->
  value i label worst_first sigma M l <= M p <= value i label best_first sigma M l.
Proof.
  intros B I; unfold value; rewrite (labels_of_ranking i label worst_first sigma worst),
  (labels_of_ranking i label best_first sigma best) by (intros; (apply worst_first_labels || apply
  best_first_labels)); apply TIE_2_L2; assumption.
Qed.
(** RS-TIE-2/L2 in part: ... as DCG and nDCG are *)
Theorem TIE_2_L2_dcg K k d J : falls d -> nonneg d ->
  better_first (dcg k d) /\ better_first (fun r => ndcg_by K k d r J).
Proof.
  intros F N; split; [apply dcg_better_first; assumption|]; intros a x y b L; apply quotient_le.
  apply dcg_better_first; assumption.
Qed.
Lemma UL1_le A B I L : 0 <= L -> 0 <= A <= B -> UL1 A I L <= UL1 B I L.
Proof.
  intros P H; destruct (Rlt_dec 0 I) as [Q|Q].
  - destruct (Req_dec A B) as [->|]; [lra|]; apply Rlt_le, BND_5_L4; lra.
  - unfold UL1; cases.
Qed.
Lemma UL2_le A B I L : 0 <= L <= I -> A <= B -> UL2 A I L <= UL2 B I L.
Proof.
  intros P H; unfold UL2; destruct (Rlt_dec A L) as [Q|Q], (Rlt_dec B L) as [S|S]; try lra.
  - destruct (Req_dec L 0) as [->|]; [unfold Rdiv; rewrite Rinv_0; lra|].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
  - assert ((A - L) / L <= 0).
    { destruct (Req_dec L 0) as [->|]; [unfold Rdiv; rewrite Rinv_0; lra|apply div_le; lra]. }
    destruct (Req_EM_T L I); [lra|]; assert (0 <= (B - L) / (I - L)) by (apply div_nonneg; lra);
    lra.
  - destruct (Req_EM_T L I); [lra|]; apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|];
  lra.
Qed.
Lemma MinMax_le A B I L : L <= I -> A <= B -> MinMax A I L <= MinMax B I L.
Proof.
  intros P H; unfold MinMax; destruct (Req_EM_T I L); [lra|].
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
Qed.
(** RS-TIE-2/L2 in part: ... a bound of such a metric, U, UL2, MinMax, Ratio or the z-value, obeys
    the law too; where no order has a value below 0, UL1 does *)
Theorem TIE_2_L2_bounds A J I L m s : better_first_of J A -> 0 <= L <= I -> m <= I -> 0 <= s ->
  better_first_of J (fun r => U (A r) I) /\ better_first_of J (fun r => UL2 (A r) I L) /\
  better_first_of J (fun r => MinMax (A r) I m) /\ better_first_of J (fun r => Ratio (A r) L) /\
  better_first_of J (fun r => (A r - L) / s) /\
  ((forall r, Permutation J r -> 0 <= A r) -> better_first_of J (fun r => UL1 (A r) I L)).
Proof.
  intros B P Q S; assert (forall f, (forall x y, x <= y -> f x <= f y) -> better_first_of J (fun r
  => f (A r))) as mono by (intros f F a x y b O X; apply F, B; assumption).
  split; [|split; [|split; [|split; [|split]]]].
  - apply (mono (fun x => U x I)); intros x y X; apply quotient_le, X.
  - apply (mono (fun x => UL2 x I L)); intros x y X; apply UL2_le; tauto.
  - apply (mono (fun x => MinMax x I m)); intros x y X; apply MinMax_le; tauto.
  - apply (mono (fun x => Ratio x L)); intros x y X; apply quotient_le, X.
  - apply (mono (fun x => (x - L) / s)); intros x y X.
    destruct (Req_dec s 0) as [->|]; [unfold Rdiv; rewrite Rinv_0; lra|].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat|]; lra.
  - intros N a x y b O X; apply UL1_le; [tauto|split; [apply N, O|apply B; assumption]].
Qed.
(** RS-TIE-2/L3: under every rule but "input" the value does not depend on the order of the input,
    where the ids within a group differ *)
Theorem TIE_2_L3 {A} (i label : A -> R) r sigma M l l' : r <> input -> Permutation l l' ->
  (forall x y, In x l -> In y l -> sigma x = sigma y -> i x = i y -> x = y) ->
  value i label r sigma M l = value i label r sigma M l'.
Proof.
  intros N P D; unfold value; f_equal; pose proof (scored_perm sigma l l' P) as S.
  pose proof (groups_tied sigma l) as T; pose proof (groups_perm sigma l) as G.
  assert (forall g y, In g (scored sigma l) -> In y (snd g) -> In y l) as I.
  { intros g y X Y; eapply Permutation_in; [symmetry; exact G|]; unfold groups; apply in_concat.
    exists (snd g); split; [apply in_map, X|exact Y]. }
  unfold ranking, groups; rewrite !concat_map, !map_map; f_equal; clear G P.
  induction S as [|g h X Y [E P] S IH]; [reflexivity|]; cbn [map]; f_equal.
  - inversion T as [|? ? T1 _]; subst; rewrite Forall_forall in T1.
    assert (forall key : A -> R, (forall x y, key x = key y -> i x = i y) ->
      order_by key (snd g) = order_by key (snd h)) as O.
    { intros key K; apply order_by_same; [exact P|]; intros x y Hx Hy Q.
      apply D; [apply (I g); [left|]; auto|apply (I g); [left|]; auto| |apply K, Q].
      rewrite (T1 x Hx), (T1 y Hy); reflexivity. }
    destruct r; [| |congruence| |].
    + cbn; rewrite O by auto; reflexivity.
    + cbn; rewrite O by (intros; lra); reflexivity.
    + rewrite !best_first_labels; apply best_of_perm, Permutation_map, P.
    + rewrite !worst_first_labels; unfold worst; f_equal; apply best_of_perm, Permutation_map, P.
  - inversion T; subst; apply IH; [assumption|]; intros k y K Ky; apply (I k); [right|]; assumption.
Qed.
(** RS-TIE-2/L3: ... nor does it under "expected" *)
Theorem TIE_2_L3_expected {A} (label : A -> R) sigma M l l' : Permutation l l' ->
  expected_value label sigma M l = expected_value label sigma M l'.
Proof.
  intros P; apply EXP_1_L3; apply TIE_1_L2 with (sigma := sigma) in P; induction P; cbn;
  constructor; [apply Permutation_map|]; assumption.
Qed.

(** * What is not proved *)

(** RS-TIE-2/L2 not proved: that it holds of each other metric is a law of that metric (as
    RS-PREC-2/L3); the exceptions of the table are measures without a definition here, but for AP
    with the normaliser "hits", of which RS-PREC-6/L4 is *)
