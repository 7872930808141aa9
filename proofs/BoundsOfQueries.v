(* Queries and functions: the last entries of spec/bounds.md. *)
Require Import Reals Lra Lia List Permutation Psatz Sorted.
From Rankspec Require Import Numbers Gain Ties Dcg Length Bounds.
Import ListNotations.
Open Scope R_scope.

(** * The gap of a query *)

(** RS-BND-12: of s systems, the mean of A over their rankings and the cut-offs, less the mean of
    RLB *)
Definition real (A : nat -> list R -> R) (ks : list nat) (systems : list (list R)) :=
  mean (fun r => mean (fun k => A k r) ks) systems.
Definition expected (A : nat -> list R -> R) ks J := mean (fun k => rlb (A k) J) ks.
Definition bound (A : nat -> list R -> R) ks J := mean (fun k => iub (A k) J) ks.
Definition gap A ks systems J := real A ks systems - expected A ks J.

Lemma order_of_equal (A : list R -> R) g n p : Permutation (repeat g n) p -> A p = rlb A (repeat g
  n).
Proof.
  intros P; unfold rlb; rewrite (expectation_ext A (fun _ => A (repeat g n))), expectation_const.
  - rewrite (perm_repeat g n p P); reflexivity.
  - intros q Q; apply tied_orders_are in Q; cbn in Q; rewrite app_nil_r in Q.
    rewrite (perm_repeat g n q Q); reflexivity.
Qed.
(** RS-BND-12/L1: where each item of the pool has the same label, and each system's list shows all
    of them and nothing else, the gap is 0 *)
Theorem BND_12_L1 A ks systems g n : systems <> [] -> ks <> [] ->
  Forall (Permutation (repeat g n)) systems -> gap A ks systems (repeat g n) = 0.
Proof.
  intros S K F; unfold gap, real, expected.
  rewrite (mean_ext _ (fun _ => mean (fun k => rlb (A k) (repeat g n)) ks)), mean_const by
    (assumption || (intros r R; apply mean_ext; intros k _; apply order_of_equal; rewrite
    Forall_forall in F; apply F, R)); lra.
Qed.
(** RS-BND-12/L2: a system whose ranking is one tie group of all items of the pool, with the ties
    "expected", has the gap 0 *)
Theorem BND_12_L2 A ks J : mean (fun k => expectation (A k) [J]) ks - expected A ks J = 0.
Proof. unfold expected, rlb; lra. Qed.
(** RS-BND-12/L3: -expected <= gap <= bound - expected for lists of items of the pool; that A <=
    IUB is RS-BND-1/L1 *)
Theorem BND_12_L3 A ks systems J : systems <> [] ->
  (forall k r, In k ks -> In r systems -> 0 <= A k r <= iub (A k) J) ->
  - expected A ks J <= gap A ks systems J <= bound A ks J - expected A ks J.
Proof.
  intros S H; assert (0 <= real A ks systems <= bound A ks J); [|unfold gap; lra].
  apply mean_between; [assumption|]; intros r R; split.
  - destruct ks as [|k ks]; [unfold mean; cbn; lra|]; rewrite <- (mean_const 0 (k :: ks)) by
  discriminate.
    apply mean_le; intros j K; apply H; assumption.
  - apply mean_le; intros j K; apply H; assumption.
Qed.

(** * Classes of queries *)

(** RS-BND-13: a query with its name, its gap, its real and expected value and its bound *)
Record query := { name_of : nat; gap_of : R; real_of : R; expected_of : R; bound_of : R }.

(** By a rising key; queries of an equal key keep their order. *)
Fixpoint insert_by (key : query -> R) x l :=
  match l with [] => [x] | y :: l' => if Rle_dec (key x) (key y) then x :: l else y ::
  insert_by key x l' end.
Fixpoint sort_by key l := match l with [] => [] | x :: l' => insert_by key x (sort_by key l') end.

(** RS-BND-13: ideal, one of the n largest gaps; uninformative, one of the n smallest, or of the n
    next to 0 *)
Inductive Gaps := signed | absolute.
Definition largest (q : query) := - gap_of q.
Definition smallest by_ (q : query) := match by_ with signed => gap_of q
  | absolute => Rabs (gap_of q) end.
Definition ideal_queries n l := firstn n (sort_by largest l).
Definition uninformative by_ n l := firstn n (sort_by (smallest by_) l).
Definition others key n l := skipn n (sort_by key l).
(** RS-BND-13: hard, easy and informative queries *)
Definition hard by_ n h l := filter (fun q => if Rle_dec (real_of q) (h * bound_of q) then
  if Rle_dec (expected_of q) (h * bound_of q) then true else false else false) (uninformative by_ n
  l).
Definition easy by_ n e l := filter (fun q => if Rlt_dec 0 (bound_of q) then
  if Rle_dec (e * bound_of q) (real_of q) then if Rle_dec (e * bound_of q) (expected_of q) then true
  else false else false else false) (uninformative by_ n l).
Definition informative by_ n l := filter (fun q => if Rlt_dec 0 (gap_of q) then true else false)
  (others (smallest by_) n l).

Lemma insert_by_perm key x l : Permutation (x :: l) (insert_by key x l).
Proof. induction l as [|y l IH]; cbn; [reflexivity|]; destruct (Rle_dec _ _); [reflexivity|].
  rewrite perm_swap; apply perm_skip, IH. Qed.
Lemma sort_by_perm key l : Permutation l (sort_by key l).
Proof. induction l as [|x l IH]; cbn; [reflexivity|]; rewrite <- insert_by_perm; apply perm_skip,
  IH.
Qed.
Lemma sort_by_sorted key l : StronglySorted (fun a b => key a <= key b) (sort_by key l).
Proof.
  induction l as [|x l IH]; cbn; [constructor|]; generalize dependent (sort_by key l); intros m S.
  induction S as [|y m S IH A]; cbn; [repeat constructor|]; destruct (Rle_dec (key x) (key y)).
  - constructor; [constructor; assumption|]; constructor; [assumption|].
    eapply Forall_impl; [|exact A]; cbn; intros; lra.
  - constructor; [assumption|]; eapply Permutation_Forall; [apply insert_by_perm|].
    constructor; [lra|assumption].
Qed.
Lemma sorted_parts {A} (R : A -> A -> Prop) n l : StronglySorted R l ->
  forall a b, In a (firstn n l) -> In b (skipn n l) -> R a b.
Proof.
  intros S; revert n; induction S as [|x l S IH F]; intros [|n] a b; cbn; try contradiction.
  intros [<-|I] J; [|apply (IH n); assumption].
  rewrite Forall_forall in F; apply F; rewrite <- (firstn_skipn n l); apply in_or_app; auto.
Qed.
(** RS-BND-13/L1: there are n ideal and n uninformative queries *)
Theorem BND_13_L1 by_ n l : (n <= length l)%nat ->
  length (ideal_queries n l) = n /\ length (uninformative by_ n l) = n.
Proof.
  intros N; unfold ideal_queries, uninformative; rewrite !firstn_length,
  <- !(Permutation_length (sort_by_perm _ l)); lia.
Qed.
(** RS-BND-13/L2: each ideal query has at least the gap of each that is not; each uninformative
    query has at most the gap of each that is not, with "absolute" it is at least as near to 0 *)
Theorem BND_13_L2 n l : Permutation l (ideal_queries n l ++ others largest n l) /\
  (forall by_, Permutation l (uninformative by_ n l ++ others (smallest by_) n l)) /\
  (forall a b, In a (ideal_queries n l) -> In b (others largest n l) -> gap_of b <= gap_of a) /\
  (forall a b, In a (uninformative signed n l) -> In b (others (smallest signed) n l) ->
   gap_of a <= gap_of b) /\
  (forall a b, In a (uninformative absolute n l) -> In b (others (smallest absolute) n l) ->
   Rabs (gap_of a) <= Rabs (gap_of b)).
Proof.
  unfold ideal_queries, uninformative, others; repeat split.
  - rewrite firstn_skipn; apply sort_by_perm.
  - intros by_; rewrite firstn_skipn; apply sort_by_perm.
  - intros a b A B; pose proof (sorted_parts _ n _ (sort_by_sorted largest l) a b A B) as H;
    unfold largest in H; lra.
  - apply (sorted_parts _ n _ (sort_by_sorted (smallest signed) l)).
  - apply (sorted_parts _ n _ (sort_by_sorted (smallest absolute) l)).
Qed.
Lemma in_both_parts {A} (a b : list A) x : NoDup (a ++ b) -> In x a -> ~ In x b.
Proof.
  induction a as [|y a IH]; cbn; [contradiction|]; intros N [->|I] J; inversion N; subst.
  - apply H1, in_or_app; auto.
  - apply IH; assumption.
Qed.
(** RS-BND-13/L3: hard and easy queries are uninformative, informative ones are not; no query is
    hard and easy where h < e *)
Theorem BND_13_L3 by_ n h e l q : NoDup (map name_of l) ->
  (In q (hard by_ n h l) \/ In q (easy by_ n e l) -> In q (uninformative by_ n l)) /\
  (In q (informative by_ n l) -> ~ In q (uninformative by_ n l)) /\
  (h < e -> ~ (In q (hard by_ n h l) /\ In q (easy by_ n e l))).
Proof.
  intros N; unfold hard, easy, informative; rewrite !filter_In; repeat split; try tauto.
  - intros [I _] J; apply NoDup_map_inv in N.
    apply (Permutation_NoDup (sort_by_perm (smallest by_) l)) in N.
    rewrite <- (firstn_skipn n (sort_by (smallest by_) l)) in N.
    apply (in_both_parts _ _ q N); assumption.
  - intros L [[_ A] [_ B]]; repeat match goal with
      | H : (if ?d then _ else _) = true |- _ => destruct d; [|try discriminate H] end; try
      discriminate.
    nra.
Qed.

(** * The bounds of any function *)

(** RS-BND-14: IUB, the greatest value of all orders of the first min(k, n) labels, and WLB, the
    least *)
Definition prefix k (f : list R -> R) := fun p : list R => f (firstn k p).
Definition greatest {A} (f : A -> R) l := match l with [] => 0 | x :: l' =>
  fold_right (fun y m => Rmax (f y) m) (f x) l' end.
Definition least {A} (f : A -> R) l := - greatest (fun x => - f x) l.
Definition iub_of f k J := greatest (prefix k f) (orders J).
Definition rlb_of f k J := mean (prefix k f) (orders J).
Definition wlb_of f k J := least (prefix k f) (orders J).

Lemma greatest_is {A} (f : A -> R) l : l <> [] ->
  (exists x, In x l /\ greatest f l = f x) /\ forall x, In x l -> f x <= greatest f l.
Proof.
  destruct l as [|x l]; [contradiction|]; intros _; cbn [greatest].
  induction l as [|y l [(z & Z & E) IH]]; cbn [fold_right].
  - split; [exists x; split; [left|]; reflexivity|intros z [<-|[]]; lra].
  - split.
    + unfold Rmax; destruct (Rle_dec _ _).
      * exists z; split; [destruct Z as [Z|Z]; [left; exact Z|right; right; exact Z]|exact E].
      * exists y; split; [right; left|]; reflexivity.
    + intros w [W|[W|W]].
      * eapply Rle_trans; [apply IH; left; exact W|apply Rmax_r].
      * subst; apply Rmax_l.
      * eapply Rle_trans; [apply IH; right; exact W|apply Rmax_r].
Qed.
Lemma greatest_unique {A} (f : A -> R) l g : l <> [] -> (exists x, In x l /\ f x = g) ->
  (forall x, In x l -> f x <= g) -> greatest f l = g.
Proof.
  intros N (x & X & E) M; destruct (greatest_is f l N) as [(y & Y & F) L].
  apply Rle_antisym; [rewrite F; apply M, Y|rewrite <- E; apply L, X].
Qed.
Lemma least_is {A} (f : A -> R) l : l <> [] ->
  (exists x, In x l /\ least f l = f x) /\ forall x, In x l -> least f l <= f x.
Proof.
  intros N; destruct (greatest_is (fun x => - f x) l N) as [(x & X & E) L]; unfold least; split.
  - exists x; split; [assumption|rewrite E; ring].
  - intros y Y; specialize (L y Y); cbn beta in L; lra.
Qed.
Lemma least_unique {A} (f : A -> R) l g : l <> [] -> (exists x, In x l /\ f x = g) ->
  (forall x, In x l -> g <= f x) -> least f l = g.
Proof.
  intros N (x & X & E) M; unfold least; rewrite (greatest_unique _ l (- g)); [ring|assumption| |].
  - exists x; split; [assumption|rewrite E; ring].
  - intros y Y; specialize (M y Y); lra.
Qed.
(** RS-BND-14/L1 in part: for a function with the exact values of a metric the results are IUB,
    RLB, WLB, and so UL1 and UL2, of the metric *)
Theorem BND_14_L1 A f k J : better_first_of J A ->
  (forall p, Permutation J p -> prefix k f p = A p) ->
  iub_of f k J = iub A J /\ rlb_of f k J = rlb A J /\ wlb_of f k J = wlb A J /\
  forall p, UL1 (A p) (iub_of f k J) (rlb_of f k J) = UL1 (A p) (iub A J) (rlb A J) /\
  UL2 (A p) (iub_of f k J) (rlb_of f k J) = UL2 (A p) (iub A J) (rlb A J).
Proof.
  intros B E; assert (iub_of f k J = iub A J) as ->.
  { apply greatest_unique; [apply orders_some| |].
    - exists (ideal J); split; [apply orders_are_permutations, DCG_4_L1|apply E, DCG_4_L1].
    - intros p P; apply orders_are_permutations in P; rewrite E by assumption; apply BND_1_L1;
      assumption. }
  assert (rlb_of f k J = rlb A J) as ->.
  { unfold rlb, rlb_of; rewrite expectation_one; apply mean_ext; intros p P; apply E,
    orders_are_permutations, P. }
  assert (wlb_of f k J = wlb A J) as ->; [|repeat split].
  apply least_unique; [apply orders_some| |].
  - exists (worst J); split; [apply orders_are_permutations, worst_perm|apply E, worst_perm].
  - intros p P; apply orders_are_permutations in P; rewrite E by assumption; apply BND_3_L1;
  assumption.
Qed.
(** RS-BND-14/L1 in part: ... RLB is that of any metric *)
Theorem BND_14_L1_rlb A f k J : (forall p, Permutation J p -> prefix k f p = A p) ->
  rlb_of f k J = rlb A J.
Proof.
  intros E; unfold rlb, rlb_of; rewrite expectation_one; apply mean_ext; intros p P; apply E,
  orders_are_permutations, P.
Qed.
(** RS-BND-14/L1 in part: ... IUB of LDCG, here its value of the ideal ranking, is at most ILDCG,
    that of the lists that may show fewer items *)
Theorem BND_14_L1_length z M d w f k J : falls d -> nonneg d -> Forall (Rle 0) J ->
  (forall p, Permutation J p -> prefix k f p = ldcg z M d w p) ->
  iub_of f k J <= ildcg z M d w J.
Proof.
  intros F N A E; destruct (greatest_is (prefix k f) (orders J) (orders_some J)) as [(p & P & G) _].
  unfold iub_of; apply orders_are_permutations in P; rewrite G, E by exact P.
  apply (LEN_7_L1 z M d w J p []); try assumption; rewrite app_nil_r; exact P.
Qed.
(** RS-BND-14/L1 in part: ... and can be below it *)
Theorem BND_14_L1_below : iub_of (ldcg 1 2 d_none d_none) 2 [1; 0] < ildcg 1 2 d_none d_none [1; 0].
Proof.
  assert (forall p, Permutation [1; 0] p -> prefix 2 (ldcg 1 2 d_none d_none) p = 1 / 2) as E.
  { intros p P; destruct (Permutation_length_2_inv P) as [-> | ->]; unfold prefix, ldcg, dcg, S_of,
    at_rank, d_none, quotient; cbn; cases. }
  destruct (greatest_is (prefix 2 (ldcg 1 2 d_none d_none)) (orders [1; 0]) (orders_some _)) as
  [(p & P & G) _]; apply orders_are_permutations in P; unfold iub_of; rewrite G, E by exact P.
  unfold ildcg, idcg, ideal; cbn [best put length Nat.min max_to]; destruct (Rle_dec 0 1); [|lra].
  unfold dcg, S_of, at_rank, d_none, quotient; cbn; cases.
  all: apply Rlt_le_trans with 1; [lra|]; eapply Rle_trans; [|apply Rmax_l];
    eapply Rle_trans; [|apply Rmax_r]; lra.
Qed.
(** RS-BND-14/L2: the bounds do not depend on the order of J ... *)
Theorem BND_14_L2 f k J J' : Permutation J J' -> iub_of f k J = iub_of f k J' /\
  rlb_of f k J = rlb_of f k J' /\ wlb_of f k J = wlb_of f k J'.
Proof.
  intros P; assert (forall p, In p (orders J) <-> In p (orders J')) as I by
    (intros p; rewrite !orders_are_permutations; split; intros Q; [rewrite <- P|rewrite P];
    assumption).
  split; [|split].
  - apply greatest_unique; [apply orders_some| |]; destruct (greatest_is (prefix k f) (orders J')
      (orders_some J')) as [(x & X & E) L]; [exists x; split; [apply I, X|symmetry; exact E]|].
    intros y Y; apply L, I, Y.
  - unfold rlb_of, mean; rewrite (total_orders_perm _ J J' P), !orders_length, (Permutation_length
  P); reflexivity.
  - apply least_unique; [apply orders_some| |]; destruct (least_is (prefix k f) (orders J')
      (orders_some J')) as [(x & X & E) L]; [exists x; split; [apply I, X|symmetry; exact E]|].
    intros y Y; apply L, I, Y.
Qed.
Definition same_list := list_eq_dec Req_EM_T.
Lemma total_counted {A} (dec : forall x y : A, {x = y} + {x <> y}) (f : A -> R) l D : NoDup D ->
  (forall x, In x l -> In x D) -> total f l = total (fun x => INR (count_occ dec l x) * f x) D.
Proof.
  intros N; induction l as [|x l IH]; intros I.
  - cbn; rewrite (total_ext _ (fun _ => 0)), total_const by (intros; cbn; ring); ring.
  - cbn [total]; rewrite IH by (intros; apply I; right; assumption).
    assert (f x = total (fun y => if dec x y then f y else 0) D) as E.
    { specialize (I x (or_introl eq_refl)); clear IH; induction N as [|y D Y N IH];
    [contradiction|].
      cbn [total]; destruct (dec x y) as [<-|NE].
      - rewrite (total_ext _ (fun _ => 0)), total_const; [ring|]; intros z Z; destruct (dec x z) as
          [<-|]; [contradiction|reflexivity].
      - destruct I as [->|I]; [contradiction|]; rewrite <- IH by assumption; ring. }
    rewrite E, <- total_plus; apply total_ext; intros y _; cbn [count_occ]; destruct (dec x y);
    rewrite ?S_INR; ring.
Qed.
(** RS-BND-14/L2: ... nor on `most`, where it is enough: of the distinct lists of the first labels,
    each counts as often as orders begin with it *)
Theorem BND_14_L2_most f k J : let all := map (firstn k) (orders J) in
  let lists := nodup same_list all in
  iub_of f k J = greatest f lists /\ wlb_of f k J = least f lists /\
  rlb_of f k J = total (fun l => INR (count_occ same_list all l) * f l) lists / INR (length (orders
  J)).
Proof.
  intros all lists; assert (forall p, In p (orders J) -> In (firstn k p) lists) as I by
    (intros p P; apply nodup_In, in_map, P).
  assert (forall l, In l lists -> exists p, firstn k p = l /\ In p (orders J)) as K by
    (intros l L; apply nodup_In, in_map_iff in L; exact L).
  assert (lists <> []) as N by (destruct (orders J) as [|p ps] eqn:E; [exfalso; apply (orders_some J
  E)|]; intros Z; specialize (I p (or_introl eq_refl)); rewrite Z in I; exact I).
  split; [|split].
  - apply greatest_unique; [apply orders_some| |]; destruct (greatest_is f lists N) as [(l & L & E)
  M].
    + destruct (K l L) as (p & <- & P); exists p; split; [assumption|symmetry; exact E].
    + intros p P; apply M, I, P.
  - apply least_unique; [apply orders_some| |]; destruct (least_is f lists N) as [(l & L & E) M].
    + destruct (K l L) as (p & <- & P); exists p; split; [assumption|symmetry; exact E].
    + intros p P; apply M, I, P.
  - unfold rlb_of, mean, prefix; f_equal; rewrite <- (total_map (firstn k) f); fold all.
    apply total_counted; [apply NoDup_nodup|intros; apply nodup_In; assumption].
Qed.
(** RS-BND-14/L3 in part: WLB <= RLB <= IUB ... *)
Theorem BND_14_L3 f k J : wlb_of f k J <= rlb_of f k J <= iub_of f k J.
Proof.
  apply mean_between; [apply orders_some|]; intros p P; split.
  - apply (least_is (prefix k f)); [apply orders_some|assumption].
  - apply (greatest_is (prefix k f)); [apply orders_some|assumption].
Qed.
(** RS-BND-14/L3 in part: ... of a sample IUB is between the greatest value seen and b, WLB between
    a and the least *)
Theorem BND_14_L3_sample f k J a b seen : seen <> [] -> Forall (Permutation J) seen ->
  (forall p, Permutation J p -> a <= prefix k f p <= b) ->
  greatest (prefix k f) seen <= iub_of f k J <= b /\ a <= wlb_of f k J <= least (prefix k f) seen /\
  a <= rlb_of f k J <= b.
Proof.
  intros N F H; rewrite Forall_forall in F.
  assert (forall p, In p (orders J) -> a <= prefix k f p <= b) as H' by (intros p P; apply H,
    orders_are_permutations, P).
  destruct (greatest_is (prefix k f) (orders J) (orders_some J)) as [(x & X & E) L].
  destruct (least_is (prefix k f) (orders J) (orders_some J)) as [(y & Y & G) M].
  destruct (greatest_is (prefix k f) seen N) as [(u & U & Eu) _].
  destruct (least_is (prefix k f) seen N) as [(v & V & Ev) _].
  assert (a <= rlb_of f k J <= b) as R by (apply mean_between; [apply orders_some|assumption]).
  unfold iub_of, wlb_of; rewrite Eu, Ev; repeat split.
  - apply L, orders_are_permutations, F, U.
  - rewrite E; apply H', X.
  - rewrite G; apply H', Y.
  - apply M, orders_are_permutations, F, V.
  - apply R.
  - apply R.
Qed.
(** RS-BND-14/L4: for c f + d with c > 0 each bound x is c x + d *)
Theorem BND_14_L4 c d f k J : 0 < c -> let g := fun l => c * f l + d in
  iub_of g k J = c * iub_of f k J + d /\ rlb_of g k J = c * rlb_of f k J + d /\
  wlb_of g k J = c * wlb_of f k J + d.
Proof.
  intros C g; assert (forall p, prefix k g p = c * prefix k f p + d) as E by reflexivity.
  repeat split.
  - destruct (greatest_is (prefix k f) (orders J) (orders_some J)) as [(x & X & F) L].
    apply greatest_unique; [apply orders_some| |].
    + exists x; split; [assumption|]; rewrite E; unfold iub_of; rewrite F; reflexivity.
    + intros y Y; rewrite E; specialize (L y Y); unfold iub_of; nra.
  - unfold rlb_of; rewrite (mean_ext _ (fun p => c * prefix k f p + d)) by (intros; apply E).
    rewrite mean_plus, mean_scale, mean_const by apply orders_some; reflexivity.
  - destruct (least_is (prefix k f) (orders J) (orders_some J)) as [(x & X & F) L].
    apply least_unique; [apply orders_some| |].
    + exists x; split; [assumption|]; rewrite E; unfold wlb_of; rewrite F; reflexivity.
    + intros y Y; rewrite E; specialize (L y Y); unfold wlb_of; nra.
Qed.

(** * What is not proved *)

(** RS-BND-14/L3 not proved: that a sample's interval of RLB holds it is a statement of probability,
    Hoeffding's inequality, and no probability space has a definition here *)
