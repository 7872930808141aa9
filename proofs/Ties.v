(* Ties: spec/ties.md.  All orders of a list, the orders that tie groups leave open,
  and means over them. *)
Require Import Reals Lra Lia List Permutation Psatz Factorial.
From Rankspec Require Import Numbers.
Import ListNotations.
Open Scope R_scope.

(** * All orders of a list; equal labels are different items *)

Fixpoint inserts {A} (x : A) l := match l with [] => [[x]] | y :: l' => (x :: l) :: map (cons y)
  (inserts x l') end.
Fixpoint orders {A} (l : list A) := match l with [] => [[]] | x :: l' => flat_map (inserts x)
  (orders l') end.

Lemma inserts_in {A} (x : A) l q : In q (inserts x l) <-> exists a b, l = a ++ b /\ q = a ++ x :: b.
Proof.
  revert q; induction l as [|y l IH]; intro q; cbn.
  - split; [intros [<-|[]]; exists [], []; auto|intros ([|] & b & E & ->); cbn in E; [subst;
    auto|discriminate]].
  - rewrite in_map_iff; split.
    + intros [<-|(p & <- & P)]; [exists [], (y :: l); auto|].
      apply IH in P; destruct P as (a & b & -> & ->); exists (y :: a), b; auto.
    + intros ([|z a] & b & E & ->); [left; cbn in E; subst; auto|right].
      injection E as <- ->; exists (a ++ x :: b); split; auto; apply IH; eauto.
Qed.
(** They are the permutations, all of them, and n! in number. *)
Theorem orders_are_permutations {A} (l p : list A) : In p (orders l) <-> Permutation l p.
Proof.
  revert p; induction l as [|x l IH]; intro p; cbn.
  - split; [intros [<-|[]]; auto|intros H; apply Permutation_nil in H; auto].
  - rewrite in_flat_map; split.
    + intros (q & Q & P); apply IH in Q; apply inserts_in in P; destruct P as (a & b & -> & ->).
      apply Permutation_cons_app; assumption.
    + intros H; destruct (in_split x p) as (a & b & ->); [eapply Permutation_in; [exact H|left;
      auto]|].
      exists (a ++ b); split; [apply IH; eapply Permutation_cons_app_inv; exact H|apply inserts_in;
      eauto].
Qed.
Lemma inserts_length {A} (x : A) l : length (inserts x l) = S (length l).
Proof. induction l; cbn; auto; rewrite map_length; auto. Qed.
Lemma flat_map_length_const {A B} (f : A -> list B) n l : (forall x, In x l -> length (f x) = n) ->
  length (flat_map f l) = (length l * n)%nat.
Proof. induction l; cbn; intros H; auto; rewrite app_length, IHl, H; auto. Qed.
Theorem orders_length {A} (l : list A) : length (orders l) = fact (length l).
Proof.
  induction l; cbn; auto; rewrite (flat_map_length_const _ (S (length l))), IHl; [cbn; lia|].
  intros p P; rewrite inserts_length; apply orders_are_permutations, Permutation_length in P; auto.
Qed.
Lemma orders_some {A} (l : list A) : orders l <> [].
Proof. intro E; assert (In l (orders l)) as I by (apply orders_are_permutations; auto);
  rewrite E in I; exact I. Qed.
Lemma orders_map {A B} (f : A -> B) l : orders (map f l) = map (map f) (orders l).
Proof.
  assert (forall x p, inserts (f x) (map f p) = map (map f) (inserts x p)) as I.
  { intros x p; induction p as [|y p IH]; cbn; [reflexivity|]; rewrite IH, !map_map; reflexivity. }
  induction l as [|x l IH]; cbn; [reflexivity|]; rewrite IH, !flat_map_concat_map, concat_map,
  !map_map.
  f_equal; apply map_ext; intro; apply I.
Qed.

Lemma total_orders_cons {A} f (x : A) l : total f (orders (x :: l))
  = total (fun p => total f (inserts x p)) (orders l).
Proof. apply total_flat_map. Qed.
Lemma total_inserts_swap {A} f (x y : A) p :
  total (fun q => total f (inserts x q)) (inserts y p) = total (fun q => total f (inserts y q))
  (inserts x p).
Proof.
  revert f; induction p as [|z p IH]; intro f; [cbn; lra|]; cbn [inserts total].
  rewrite !total_map; cbn [inserts total].
  rewrite !total_plus, !total_map.
  assert (forall a b, total (fun q => total f (map (cons z) (inserts a q))) (inserts b p) =
    total (fun q => total (fun r => f (z :: r)) (inserts a q)) (inserts b p)) as X
    by (intros; apply total_ext; intros; apply total_map).
  rewrite !X, (IH (fun r => f (z :: r))); lra.
Qed.
(** The orders of a list are, as a whole, those of the list in any other order. *)
Theorem total_orders_perm {A} f (l l' : list A) : Permutation l l' -> total f (orders l)
  = total f (orders l').
Proof.
  intros P; revert f; induction P; intro f; [reflexivity| | |rewrite IHP1; apply IHP2].
  - rewrite !total_orders_cons; apply IHP.
  - rewrite !total_orders_cons.
    apply total_ext; intros; apply total_inserts_swap.
Qed.

(** Each item of a list, with the others *)
Fixpoint picks {A} (l : list A) : list (A * list A) :=
  match l with [] => [] | x :: l' => (x, l') :: map (fun p => (fst p, x :: snd p)) (picks l') end.

Lemma picks_perm {A} (l : list A) p : In p (picks l) -> Permutation l (fst p :: snd p).
Proof.
  revert p; induction l as [|x l IH]; cbn; [contradiction|]; intros p [<-|I]; [reflexivity|].
  apply in_map_iff in I; destruct I as (q & <- & Q); cbn; rewrite (IH q Q) at 1; apply perm_swap.
Qed.
Lemma picks_first {A} (f : A -> R) l : total (fun p => f (fst p)) (picks l) = total f l.
Proof. induction l as [|x l IH]; cbn; [reflexivity|]; rewrite total_map; cbn; rewrite IH;
  reflexivity. Qed.
(** All orders, by their first item *)
Theorem total_by_first {A} f (l : list A) : l <> [] ->
  total f (orders l) = total (fun p => total (fun q => f (fst p :: q)) (orders (snd p))) (picks l).
Proof.
  intros N; revert f; induction l as [|x l IH]; intro f; [congruence|]; clear N.
  destruct l as [|y l]; [cbn; lra|].
  rewrite total_orders_cons; change (picks (x :: y :: l)) with
    ((x, y :: l) :: map (fun p => (fst p, x :: snd p)) (picks (y :: l))); cbn [total];
    rewrite total_map; cbn [fst snd].
  rewrite IH by discriminate.
  rewrite (total_ext _ (fun p => total (fun q => f (x :: fst p :: q)) (orders (snd p)) +
    total (fun q => f (fst p :: q)) (orders (x :: snd p)))).
  2: { intros p _; rewrite total_orders_cons, <- total_plus; apply total_ext; intros q _;
  cbn [inserts total].
       rewrite total_map; reflexivity. }
  rewrite total_plus; f_equal; symmetry; apply (IH ltac:(discriminate) (fun q => f (x :: q))).
Qed.

(** Each item is at each rank equally often. *)
Lemma total_at_rank {A} (f : A -> R) x0 l i : (i < length l)%nat ->
  total (fun p => f (nth i p x0)) (orders l) = INR (fact (length l - 1)) * total f l.
Proof.
  revert i; remember (length l) as n eqn:L; revert l L; induction n as [|n IH]; intros l L i I;
  [lia|].
  replace (S n - 1)%nat with n by lia.
  assert (forall p, In p (picks l) -> length (snd p) = n) as M.
  { intros p P; apply picks_perm, Permutation_length in P; cbn in P; lia. }
  rewrite total_by_first by (destruct l; [discriminate L|discriminate]); destruct i as [|i];
  cbn [nth].
  - rewrite (total_ext _ (fun p => INR (fact n) * f (fst p))), total_scale, picks_first;
    [reflexivity|].
    intros p P; rewrite total_const, orders_length, (M p P); reflexivity.
  - rewrite (total_ext _ (fun p => INR (fact (n - 1)) * (total f l + -1 * f (fst p)))).
    2: { intros p P; rewrite (IH (snd p)) by (rewrite ?(M p P); lia); f_equal.
         rewrite (total_perm f l _ (picks_perm l p P)); cbn; lra. }
    rewrite total_scale, total_plus, total_scale, total_const, picks_first.
    assert (length (picks l) = S n) as ->.
    { rewrite L; clear; induction l; cbn; [reflexivity|]; rewrite map_length, IHl; reflexivity. }
    destruct n as [|n]; [lia|]; replace (S n - 1)%nat with n by lia.
    change (fact (S n)) with (S n * fact n)%nat; rewrite mult_INR, !S_INR; ring.
Qed.
Theorem mean_at_rank {A} (f : A -> R) x0 l i : (i < length l)%nat ->
  mean (fun p => f (nth i p x0)) (orders l) = mean f l.
Proof.
  intros I; unfold mean; rewrite total_at_rank, orders_length by assumption.
  destruct (length l) as [|n]; [lia|]; replace (S n - 1)%nat with n by lia.
  change (fact (S n)) with (S n * fact n)%nat; rewrite mult_INR; field; split; apply not_0_INR;
  (apply fact_neq_0 || lia).
Qed.

(** The sum over all pairs of different items *)
Definition pairs {A} (h : A -> A -> R) l := total (fun p => total (h (fst p)) (snd p)) (picks l).

Lemma pairs_cons {A} (h : A -> A -> R) x l :
  pairs h (x :: l) = total (h x) l + total (fun y => h y x) l + pairs h l.
Proof.
  unfold pairs; cbn [picks total fst snd]; rewrite total_map; cbn [fst snd total].
  rewrite total_plus, (picks_first (fun y => h y x)); lra.
Qed.
(** Without the pairs of an item with itself *)
Lemma pairs_all {A} (h : A -> A -> R) l : pairs h l = total (fun x => total (h x) l)
  l - total (fun x => h x x) l.
Proof.
  induction l as [|x l IH]; [unfold pairs; cbn; lra|]; rewrite pairs_cons, IH; cbn [total].
  rewrite total_plus; lra.
Qed.
Lemma pairs_perm {A} (h : A -> A -> R) l l' : Permutation l l' -> pairs h l = pairs h l'.
Proof.
  intros P; rewrite !pairs_all, (total_perm _ l l' P), (total_perm (fun x => h x x) l l' P);
  f_equal.
  apply total_ext; intros; apply total_perm; assumption.
Qed.
(** Each pair of items is at each pair of ranks equally often. *)
Lemma total_at_ranks {A} (h : A -> A -> R) x0 l i j : (i < j < length l)%nat ->
  total (fun p => h (nth i p x0) (nth j p x0)) (orders l) = INR (fact (length l - 2)) * pairs h l.
Proof.
  revert i j; remember (length l) as n eqn:L; revert l L; induction n as [|n IH]; intros l L i j I;
  [lia|].
  assert (forall p, In p (picks l) -> length (snd p) = n) as M.
  { intros p P; apply picks_perm, Permutation_length in P; cbn in P; lia. }
  rewrite total_by_first by (destruct l; [discriminate L|discriminate]); destruct j as [|j];
  [lia|]; destruct i as [|i]; cbn [nth].
  - rewrite (total_ext _ (fun p => INR (fact (n - 1)) * total (h (fst p)) (snd p))), total_scale;
    [reflexivity|].
    intros p P; rewrite (total_at_rank (h (fst p)) x0) by (rewrite (M p P); lia); rewrite (M p P);
    reflexivity.
  - destruct n as [|[|n]]; [lia|lia|].
    rewrite (total_ext _ (fun p => INR (fact n) * (pairs h l + -1 * (total (h (fst p)) (snd p)
    + (total (fun y => h y (fst p)) l - h (fst p) (fst p)))))).
    2: { intros p P; rewrite (IH (snd p)) by (rewrite ?(M p P); lia);
    replace (S (S n) - 2)%nat with n by lia; f_equal.
         rewrite (pairs_perm h l _ (picks_perm l p P)), (total_perm _ l _ (picks_perm l p P)),
         pairs_cons; cbn; lra. }
    rewrite total_scale, total_plus, total_scale, total_const, total_plus; unfold Rminus;
    rewrite total_plus.
    rewrite (total_ext (fun p => - h (fst p) (fst p)) (fun p => -1 * h (fst p) (fst p))),
    total_scale by (intros; lra).
    rewrite (picks_first (fun x => total (fun y => h y x) l)), (picks_first (fun x => h x x));
    fold (pairs h l).
    rewrite total_swap.
    replace (total (fun y => total (h y) l) l) with (pairs h l + total (fun x => h x x) l)
    by (rewrite pairs_all; lra).
    assert (length (picks l) = S (S (S n))) as ->.
    { rewrite L; clear; induction l; cbn; [reflexivity|]; rewrite map_length, IHl; reflexivity. }
    replace (S (S (S n)) - 2)%nat with (S n) by lia; change (fact (S n)) with (S n * fact n)%nat;
    rewrite mult_INR, !S_INR; ring.
Qed.
Theorem mean_at_ranks {A} (h : A -> A -> R) x0 l i j : (i < j < length l)%nat ->
  mean (fun p => h (nth i p x0) (nth j p x0)) (orders l) = pairs h l / (INR (length l)
  * (INR (length l) - 1)).
Proof.
  intros I; unfold mean; rewrite total_at_ranks, orders_length by assumption.
  destruct (length l) as [|[|n]]; [lia|lia|]; replace (S (S n) - 2)%nat with n by lia.
  change (fact (S (S n))) with (S (S n) * (S n * fact n))%nat; rewrite !mult_INR, (S_INR (S n)).
  pose proof (lt_0_INR (fact n) (lt_O_fact n)); pose proof (lt_0_INR (S n) ltac:(lia)); field; lra.
Qed.

(** * Tie groups, the best score first *)

(** RS-EXP-1: all orders that respect the groups, and the mean over them *)
Fixpoint tied_orders {A} (T : list (list A)) :=
  match T with [] => [[]] | t :: T' => flat_map (fun p => map (app p) (tied_orders T')) (orders t)
  end.
Definition expectation {A} (M : list A -> R) T := mean M (tied_orders T).

Lemma total_tied {A} (M : list A -> R) t T :
  total M (tied_orders (t :: T)) = total (fun p => total (fun q => M (p ++ q)) (tied_orders T))
  (orders t).
Proof. cbn; rewrite total_flat_map; apply total_ext; intros; apply total_map. Qed.
Lemma tied_orders_length {A} (t : list A) T :
  length (tied_orders (t :: T)) = (length (orders t) * length (tied_orders T))%nat.
Proof. apply flat_map_length_const; intros; apply map_length. Qed.
Lemma tied_orders_pos {A} (T : list (list A)) : 0 < INR (length (tied_orders T)).
Proof.
  induction T as [|t T IH]; [cbn; lra|]; rewrite tied_orders_length, mult_INR, orders_length.
  apply Rmult_lt_0_compat; [apply lt_0_INR, lt_O_fact|assumption].
Qed.
Lemma tied_orders_some {A} (T : list (list A)) : tied_orders T <> [].
Proof. intros E; pose proof (tied_orders_pos T) as P; rewrite E in P; cbn in P; lra. Qed.
(** Group by group: the mean over the orders of the first, of the mean over those of the others *)
Lemma expectation_cons {A} (M : list A -> R) t T :
  expectation M (t :: T) = mean (fun p => expectation (fun q => M (p ++ q)) T) (orders t).
Proof.
  unfold expectation, mean; rewrite total_tied, tied_orders_length, mult_INR.
  pose proof (tied_orders_pos T); pose proof (length_pos _ (orders_some t)).
  unfold Rdiv at 2; rewrite (total_ext (fun p => _ / _) (fun p => / INR (length (tied_orders T)) *
    total (fun q => M (p ++ q)) (tied_orders T))) by (intros; unfold Rdiv; ring).
  rewrite total_scale; field; lra.
Qed.
Lemma expectation_nil {A} (M : list A -> R) : expectation M [] = M [].
Proof. unfold expectation, mean; cbn; lra. Qed.
(** One group of all: a random ranking *)
Lemma expectation_one {A} (M : list A -> R) t : expectation M [t] = mean M (orders t).
Proof. rewrite expectation_cons; apply mean_ext; intros; rewrite expectation_nil, app_nil_r;
  reflexivity. Qed.
Lemma expectation_ext {A} (M M' : list A -> R) T : (forall p, In p (tied_orders T) -> M p = M' p) ->
  expectation M T = expectation M' T.
Proof. apply mean_ext. Qed.
Lemma expectation_plus {A} (M M' : list A -> R) T :
  expectation (fun p => M p + M' p) T = expectation M T + expectation M' T.
Proof. apply mean_plus. Qed.
Lemma expectation_scale {A} c (M : list A -> R) T : expectation (fun p => c * M p)
  T = c * expectation M T.
Proof. apply mean_scale. Qed.
Lemma expectation_const {A} c (T : list (list A)) : expectation (fun _ => c) T = c.
Proof. apply mean_const, tied_orders_some. Qed.
Lemma tied_orders_are {A} (T : list (list A)) p : In p (tied_orders T) -> Permutation (concat T) p.
Proof.
  revert p; induction T as [|t T IH]; cbn; intros p; [intros [<-|[]]; constructor|].
  intros I; apply in_flat_map in I; destruct I as (a & A1 & I); apply in_map_iff in I;
  destruct I as (b & <- & B).
  apply Permutation_app; [apply orders_are_permutations; assumption|apply IH; assumption].
Qed.

(** RS-EXP-1/L1: no ties, no mean *)
Theorem EXP_1_L1 {A} (M : list A -> R) l : expectation M (map (fun x => [x]) l) = M l.
Proof.
  revert M; induction l as [|x l IH]; intro M; [apply expectation_nil|].
  cbn [map]; rewrite expectation_cons; unfold mean; cbn; rewrite IH; field.
Qed.

(** RS-EXP-1/L3: it depends on the labels in each group, not on their order *)
Theorem EXP_1_L3 {A} (M : list A -> R) T T' : Forall2 (@Permutation A) T T' ->
  expectation M T = expectation M T'.
Proof.
  intros F; revert M; induction F as [|t t' T T' P F IH]; intro M; [reflexivity|];
  rewrite !expectation_cons.
  unfold mean; rewrite !orders_length, (Permutation_length P); f_equal.
  rewrite (total_orders_perm _ t t' P); apply total_ext; intros; apply IH.
Qed.

(** * Best and worst *)

(** RS-TIE-2: the order of a group by the rules "best" and "worst" *)
Fixpoint put (x : R) l := match l with [] => [x] | y :: l' => if Rle_dec y x then x :: l else y ::
  put x l' end.
Fixpoint best l := match l with [] => [] | x :: l' => put x (best l') end.
Definition worst l := rev (best l).

Lemma put_perm x l : Permutation (x :: l) (put x l).
Proof.
  induction l; cbn; auto; destruct (Rle_dec _ _); auto.
  eapply perm_trans; [apply perm_swap|apply perm_skip; assumption].
Qed.
Lemma best_perm l : Permutation l (best l).
Proof. induction l; cbn; auto; eapply perm_trans; [apply perm_skip;
  eassumption|apply put_perm]. Qed.

(** M never falls where an item changes places with a better one right below it. *)
Definition better_first (M : list R -> R) := forall a x y b, x <= y -> M (a ++ x :: y :: b)
  <= M (a ++ y :: x :: b).

Lemma better_first_after a M : better_first M -> better_first (fun q => M (a ++ q)).
Proof. intros H c x y b L; rewrite !app_assoc; apply H; assumption. Qed.
Lemma sorting_raises M : better_first M -> forall a l b, M (a ++ l ++ b) <= M (a ++ best l ++ b).
Proof.
  intros H a l; revert a; induction l as [|x l IH]; intros a b; cbn; [lra|].
  specialize (IH (a ++ [x]) b); rewrite <- !app_assoc in IH; cbn in IH; eapply Rle_trans;
  [exact IH|].
  clear IH; generalize (best l); intro m; revert a; induction m as [|y m IHm]; intro a; cbn; [lra|].
  destruct (Rle_dec y x) as [L|L]; cbn; [lra|].
  eapply Rle_trans; [apply H; lra|]; specialize (IHm (a ++ [y])); rewrite <- !app_assoc in IHm;
  exact IHm.
Qed.
(** Of sorted lists of the same items there is one. *)
Lemma put_put x y l : put x (put y l) = put y (put x l).
Proof.
  induction l as [|z l IH]; cbn.
  - destruct (Rle_dec y x), (Rle_dec x y); try reflexivity; [replace x with y by lra;
    reflexivity|lra].
  - destruct (Rle_dec z y), (Rle_dec z x); cbn; repeat (destruct (Rle_dec _ _); cbn);
    try reflexivity; try lra.
    + replace x with y by lra; reflexivity.
    + rewrite IH; reflexivity.
Qed.
Lemma best_of_perm l l' : Permutation l l' -> best l = best l'.
Proof. induction 1; cbn; [reflexivity|rewrite IHPermutation;
  reflexivity|apply put_put|congruence]. Qed.
Lemma unsorting_lowers M : better_first M -> forall a l b, M (a ++ worst l ++ b) <= M (a ++ l ++ b).
Proof.
  intros H a l b; set (N := fun q => - M (rev q)).
  assert (better_first N) as HN.
  { intros c x y e L; unfold N; rewrite !rev_app_distr; cbn; rewrite <- !app_assoc; cbn.
    specialize (H (rev e) x y (rev c) L); lra. }
  pose proof (sorting_raises N HN (rev b) (rev l) (rev a)) as S; unfold N in S.
  rewrite !rev_app_distr, !rev_involutive, <- !app_assoc in S.
  rewrite <- (best_of_perm l (rev l)) in S by apply Permutation_rev; fold (worst l) in S; lra.
Qed.

(** RS-TIE-2/L2 in part: the value under "best" is the greatest,
    that under "worst" the least of all orders, for every metric
    that never falls where a better item moves up *)
Theorem TIE_2_L2 M T p : better_first M -> In p (tied_orders T) ->
  M (concat (map worst T)) <= M p <= M (concat (map best T)).
Proof.
  revert M p; induction T as [|t T IH]; intros M p H I; [destruct I as [<-|[]]; cbn; lra|].
  cbn in I; apply in_flat_map in I; destruct I as (a & A1 & I); apply in_map_iff in I;
  destruct I as (q & <- & Q).
  apply orders_are_permutations in A1; cbn; destruct (IH _ q (better_first_after a M H) Q) as [X Y].
  pose proof (sorting_raises M H [] a (concat (map best T))) as S.
  pose proof (unsorting_lowers M H [] a (concat (map worst T))) as U; cbn in S, U;
  unfold worst at 1 in U.
  rewrite <- (best_of_perm t a A1) in S, U; unfold worst at 1; lra.
Qed.

(** RS-EXP-1/L2: so the expectation is between them, for every metric that RS-TIE-2/L2 holds
    for *)
Theorem EXP_1_L2 M T :
  (forall p, In p (tied_orders T) -> M (concat (map worst T)) <= M p <= M (concat (map best T))) ->
  M (concat (map worst T)) <= expectation M T <= M (concat (map best T)).
Proof. intros H; apply mean_between; [apply tied_orders_some|exact H]. Qed.

(** * The variance of a random ranking *)

(** RS-EXP-19: E[M^2] - E[M]^2, over all orders of J *)
Definition variance {A} (M : list A -> R) J := expectation (fun p => M p * M p)
  [J] - expectation M [J] * expectation M [J].

(** RS-EXP-19/L1: it is the mean of (M - E[M])^2 ... *)
Theorem EXP_19_L1 {A} (M : list A -> R) J :
  variance M J = expectation (fun p => (M p - expectation M [J]) * (M p - expectation M [J])) [J].
Proof.
  unfold variance; set (mu := expectation M [J]).
  rewrite (expectation_ext (fun p => (M p - mu) * (M p - mu))
  (fun p => M p * M p + (-2 * mu * M p + mu * mu))) by (intros; ring).
  rewrite !expectation_plus, expectation_scale, expectation_const; fold mu; ring.
Qed.
(** RS-EXP-19/L1: ... not negative, and 0 if and only if all orders have the same value *)
Theorem EXP_19_L1_zero {A} (M : list A -> R) J : 0 <= variance M J /\
  (variance M J = 0 <-> forall p q, Permutation J p -> Permutation J q -> M p = M q).
Proof.
  assert (forall p, In p (tied_orders [J]) <-> Permutation J p) as all.
  { intro p; rewrite <- orders_are_permutations; cbn; rewrite in_flat_map; split.
    - intros (a & H & [<-|[]]); rewrite app_nil_r; assumption.
    - intros I; exists p; split; [assumption|]; left; apply app_nil_r. }
  rewrite EXP_19_L1; set (mu := expectation M [J]); unfold expectation; split; [|split].
  - rewrite <- (mean_const 0 (tied_orders [J])) by apply tied_orders_some; apply mean_le; intros;
    apply Rle_0_sqr.
  - intros E p q P Q; pose proof (mean_zero _ _ (fun x _ => Rle_0_sqr (M x - mu)) E) as Z;
    cbn beta in Z.
    apply all in P, Q; pose proof (Rsqr_0_uniq _ (Z p P)); pose proof (Rsqr_0_uniq _ (Z q Q)); lra.
  - intros H; rewrite (mean_ext _ (fun _ => 0)), mean_const; [reflexivity|apply tied_orders_some|].
    intros p P; apply all in P; assert (mu = M p) as ->; [|ring].
    unfold mu; rewrite (expectation_ext M (fun _ => M p)); [apply expectation_const|].
    intros q Q; apply all in Q; apply H; assumption.
Qed.

(** RS-EXP-19/L2: of a total over a divisor of the pool, Var / D^2, and 0 without a divisor *)
Theorem EXP_19_L2 {A} (M : list A -> R) c J : 0 <= c -> variance (fun p => quotient (M p) c)
  J = quotient (variance M J) (c * c).
Proof.
  intros C; unfold variance, quotient; destruct (Rlt_dec 0 c), (Rlt_dec 0 (c * c)); try (exfalso;
  nra).
  - rewrite (expectation_ext _ (fun p => / c * / c * (M p * M p))), expectation_scale by (intros;
    unfold Rdiv; ring).
    rewrite (expectation_ext (fun p => M p / c) (fun p => / c * M p)),
    expectation_scale by (intros; unfold Rdiv; ring).
    field; lra.
  - rewrite (expectation_ext _ (fun _ => 0)), !expectation_const by (intros; ring); ring.
Qed.

(** RS-EXP-19/L3: Var <= (IUB - RLB) (RLB - WLB), for any bounds of the values *)
Theorem EXP_19_L3 {A} (M : list A -> R) J lo hi : (forall p, Permutation J p -> lo <= M p <= hi) ->
  variance M J <= (hi - expectation M [J]) * (expectation M [J] - lo).
Proof.
  intros B; unfold variance; rewrite !expectation_one; set (mu := mean M (orders J)).
  assert (0 <= mean (fun p => (hi + lo) * M p + (-1 * (M p * M p) + - (hi * lo))) (orders J)) as P.
  { rewrite <- (mean_const 0 (orders J)) by apply orders_some; apply mean_le; intros p H.
    apply orders_are_permutations in H; specialize (B p H); nra. }
  rewrite !mean_plus, !mean_scale, mean_const in P by apply orders_some; fold mu in P; nra.
Qed.

(** RS-EXP-23: (A - RLB) / sqrt(Var), and 0 without a variance *)
Definition z_value {A} (M : list A -> R) J x :=
  if Rlt_dec 0 (variance M J) then (x - expectation M [J]) / sqrt (variance M J) else 0.

(** RS-EXP-23/L1: over all orders the mean of z is 0, and that of z^2 is 1 *)
Theorem EXP_23_L1 {A} (M : list A -> R) J : 0 < variance M J ->
  expectation (fun p => z_value M J (M p)) [J] = 0 /\
  expectation (fun p => z_value M J (M p) * z_value M J (M p)) [J] = 1.
Proof.
  intros V; assert (0 < sqrt (variance M J)) as S by (apply sqrt_lt_R0; assumption).
  assert (sqrt (variance M J) * sqrt (variance M J) = variance M J) as SS by (apply sqrt_sqrt; lra).
  unfold z_value; destruct (Rlt_dec 0 (variance M J)); [|lra]; set (s := sqrt (variance M J)) in *.
  set (mu := expectation M [J]); split.
  - rewrite (expectation_ext _ (fun p => / s * M p + - mu / s)) by (intros; field; lra).
    rewrite expectation_plus, expectation_scale, expectation_const; fold mu; field; lra.
  - rewrite (expectation_ext _ (fun p => / (s * s) * ((M p - mu) * (M p - mu)))) by (intros; field;
    lra).
    rewrite expectation_scale; unfold mu; rewrite <- EXP_19_L1, SS; field; lra.
Qed.

(** Cantelli's inequality *)
Lemma cantelli {A} (z : A -> R) l c : l <> [] -> 0 < c -> mean z l = 0 -> mean (fun x => z x * z x)
  l = 1 ->
  mean (fun x => if Rle_dec c (z x) then 1 else 0) l <= 1 / (1 + c * c).
Proof.
  intros N C M1 M2; apply Rle_trans with (mean (fun x => / ((1 + c * c) * (1 + c * c))
  * (c * c * (z x * z x) + (2 * c * z x + 1))) l).
  - apply mean_le; intros x _; assert (0 < / ((1 + c * c) * (1 + c * c)))
    by (apply Rinv_0_lt_compat; nra).
    destruct (Rle_dec c (z x)).
    + apply (Rmult_le_reg_l ((1 + c * c) * (1 + c * c))); [nra|];
      rewrite <- Rmult_assoc, Rinv_r by nra.
      assert (c * c <= c * z x) by nra.
      assert ((1 + c * c) * (1 + c * c) <= (1 + c * z x) * (1 + c * z x))
      by (apply Rmult_le_compat; nra); lra.
    + apply Rmult_le_pos; [lra|]; replace (c * c * (z x * z x) + (2 * c * z x + 1))
      with ((c * z x + 1) * (c * z x + 1)) by ring; apply Rle_0_sqr.
  - rewrite mean_scale, mean_plus, mean_scale, mean_plus, mean_scale, mean_const, M1,
    M2 by assumption; right; field; nra.
Qed.
(** RS-EXP-23/L2: at most the share 1/(1 + c^2) of the orders has z >= c,
    and at most that z <= -c *)
Theorem EXP_23_L2 {A} (M : list A -> R) J c : 0 < c -> 0 < variance M J ->
  expectation (fun p => if Rle_dec c (z_value M J (M p)) then 1 else 0) [J] <= 1 / (1 + c * c) /\
  expectation (fun p => if Rle_dec c (- z_value M J (M p)) then 1 else 0) [J] <= 1 / (1 + c * c).
Proof.
  intros C V; destruct (EXP_23_L1 M J V) as [M1 M2]; unfold expectation in *; split.
  - apply cantelli; auto using tied_orders_some.
  - apply cantelli; auto using tied_orders_some.
    + rewrite (mean_ext _ (fun p => -1 * z_value M J (M p))), mean_scale, M1 by (intros; lra); lra.
    + rewrite <- M2; apply mean_ext; intros; ring.
Qed.

(** RS-EXP-23/L3: metrics that differ by a factor c > 0 of the pool, or by a constant,
    have the same z ... *)
Theorem EXP_23_L3 {A} (M : list A -> R) J c b x : 0 < c ->
  z_value (fun p => c * M p + b) J (c * x + b) = z_value M J x.
Proof.
  intros C; assert (expectation (fun p => c * M p + b) [J] = c * expectation M [J] + b) as E.
  { rewrite expectation_plus, expectation_scale, expectation_const; reflexivity. }
  assert (variance (fun p => c * M p + b) J = (c * c) * variance M J) as V.
  { rewrite !EXP_19_L1, E, <- (expectation_scale (c * c)); apply expectation_ext; intros; ring. }
  assert (0 < c * c) by nra; unfold z_value; rewrite V, E;
  destruct (Rlt_dec 0 (variance M J)) as [P|P].
  - destruct (Rlt_dec 0 (c * c * variance M J)) as [_|N]; [|exfalso; apply N, Rmult_lt_0_compat;
    assumption].
    rewrite sqrt_mult, sqrt_square by lra; pose proof (sqrt_lt_R0 _ P); field; lra.
  - destruct (Rlt_dec 0 (c * c * variance M J)) as [N|_]; [exfalso; nra|reflexivity].
Qed.
Lemma mean_of_orders_ext {A} (M N : list A -> R) J : (forall p, Permutation J p -> M p = N p) ->
  expectation M [J] = expectation N [J].
Proof.
  intros H; apply expectation_ext; intros p I; apply tied_orders_are in I; cbn in I;
  rewrite app_nil_r in I; apply H, I.
Qed.
Lemma variance_ext {A} (M N : list A -> R) J : (forall p, Permutation J p -> M p = N p) ->
  variance M J = variance N J.
Proof.
  intros H; unfold variance; rewrite (mean_of_orders_ext M N J H).
  rewrite (mean_of_orders_ext (fun p => M p * M p) (fun p => N p * N p)); [reflexivity|].
  intros p P; rewrite (H p P); reflexivity.
Qed.
Lemma z_value_ext {A} (M N : list A -> R) J x : (forall p, Permutation J p -> M p = N p) ->
  z_value M J x = z_value N J x.
Proof.
  intros H; unfold z_value; rewrite (variance_ext M N J H), (mean_of_orders_ext M N J H).
  reflexivity.
Qed.
(** RS-EXP-23/L3: ... so do a metric and its quotient by a divisor D of the pool, as
    nDCG and DCG, LNDCG and LDCG ... *)
Corollary EXP_23_L3_divisor {A} (M : list A -> R) J D x :
  variance (fun p => quotient (M p) D) J <> 0 ->
  z_value (fun p => quotient (M p) D) J (quotient x D) = z_value M J x.
Proof.
  unfold quotient; destruct (Rlt_dec 0 D) as [P|P]; intros V.
  - rewrite <- (EXP_23_L3 M J (/ D) 0 x) by (apply Rinv_0_lt_compat, P).
    assert (forall y, y / D = / D * y + 0) as E by (intros; unfold Rdiv; ring); rewrite E.
    apply z_value_ext; intros; apply E.
  - exfalso; apply V; unfold variance; rewrite !expectation_const; ring.
Qed.
